// SPDX-License-Identifier: GPL-2.0
/* ledbat: names of its rules, see rules.h. */
#include "rules.h"

#include "../../tcp_ledbat/ledbat.h"

static const char *const rule[] = {
	[LEDBAT_HOLD] = "hold",
	[LEDBAT_INCREASE] = "increase",
	[LEDBAT_DECREASE] = "decrease",
	[LEDBAT_LOSS] = "loss",
	[LEDBAT_START] = "slow_start",
};

const struct rule_family rules_ledbat = {
	.alg = { "ledbat" },
	.mask = RULE_UNMARKED, .rule = rule, .rules = ARRAY_SIZE(rule),
};
