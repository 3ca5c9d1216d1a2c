// SPDX-License-Identifier: GPL-2.0
/* swift, lswift, mswift: names of its rules, see rules.h. */
#include "rules.h"

#include "../../tcp_mswift/mswift.h"

static const char *const rule[] = {
	[MSWIFT_HOLD] = "hold",
	[MSWIFT_INCREASE] = "increase",
	[MSWIFT_DECREASE] = "decrease",
	[MSWIFT_WAIT] = "wait",
	[MSWIFT_LOSS] = "loss",
	[MSWIFT_START] = "slow_start",
};

const struct rule_family rules_swift = {
	.alg = { "swift", "lswift", "mswift" },
	.mask = RULE_UNMARKED, .rule = rule, .rules = ARRAY_SIZE(rule),
};
