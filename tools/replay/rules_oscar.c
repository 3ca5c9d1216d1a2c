// SPDX-License-Identifier: GPL-2.0
/* oscar: names of its rules, see rules.h. */
#include "rules.h"

#include "../../tcp_oscar/oscar.h"

static const char *const rule[] = {
	[OSCAR_HOLD] = "hold",
	[OSCAR_HYPER] = "hyper",
	[OSCAR_SPEED_UP] = "speed_up",
	[OSCAR_SLOW_DOWN] = "slow_down",
	[OSCAR_LONG] = "long",
	[OSCAR_RENO] = "reno",
};

const struct rule_family rules_oscar = {
	.alg = { "oscar" },
	.mask = OSCAR_BRANCH, .rule = rule, .rules = ARRAY_SIZE(rule),
	.mark = {
		{ OSCAR_MARK_RATE, "+rate" },
		{ OSCAR_MARK_APP, "+app" },
		{ OSCAR_MARK_RAMP, "+ramp" },
		{ OSCAR_MARK_LOST, "+lost" },
	},
};
