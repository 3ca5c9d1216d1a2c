// SPDX-License-Identifier: GPL-2.0
/* nscc, mnscc: names of its rules, see rules.h. */
#include "rules.h"

#include "../../tcp_mnscc/nscc.h"

static const char *const rule[] = {
	[NSCC_HOLD] = "hold",
	[NSCC_FAIR] = "fair",
	[NSCC_PROPORTIONAL] = "proportional",
	[NSCC_FAST] = "fast",
	[NSCC_DECREASE] = "decrease",
	[NSCC_WAIT] = "wait",
	[NSCC_NOOP] = "noop",
	[NSCC_IGNORED] = "ignored",
	[NSCC_QUICK_ADAPT] = "quick_adapt",
	[NSCC_LOSS] = "loss",
	[NSCC_START] = "slow_start",
	[NSCC_RENO] = "reno",
};

const struct rule_family rules_nscc = {
	.alg = { "nscc", "mnscc" },
	.mask = NSCC_BRANCH, .rule = rule, .rules = ARRAY_SIZE(rule),
	.mark = {
		{ NSCC_MARK_FULFIL, "+fulfil" },
		{ NSCC_MARK_PERIOD, "+period" },
		{ NSCC_MARK_LOSS, "+loss" },
		{ NSCC_MARK_LOSS_QA, "+loss_quick_adapt" },
	},
};
