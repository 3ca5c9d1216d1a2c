// SPDX-License-Identifier: GPL-2.0
/* prioplus, prioplus_ledbat: names of its rules, see rules.h. */
#include "rules.h"

#include "../../tcp_prioplus/prioplus.h"

static const char *const rule[] = {
	[PRIOPLUS_IDLE] = "idle",
	[PRIOPLUS_INCREASE] = "increase",
	[PRIOPLUS_DECREASE] = "decrease",
	[PRIOPLUS_WAIT] = "wait",
	[PRIOPLUS_LOSS] = "loss",
	[PRIOPLUS_LINEAR] = "linear",
	[PRIOPLUS_STOP] = "stop",
	[PRIOPLUS_SMALL] = "small",
	[PRIOPLUS_SUSPENDED] = "suspended",
	[PRIOPLUS_PROBE] = "probe",
	[PRIOPLUS_RESUME] = "resume",
	[PRIOPLUS_RESUME_ONE] = "resume_one",
	[PRIOPLUS_START] = "start",
	[PRIOPLUS_START_NOW] = "start_now",
	[PRIOPLUS_ASK] = "ask",
};

const struct rule_family rules_prioplus = {
	.alg = { "prioplus", "prioplus_ledbat" },
	.mask = PRIOPLUS_BRANCH, .rule = rule, .rules = ARRAY_SIZE(rule),
	.mark = {
		{ PRIOPLUS_MARK_RTT, "+rtt" },
		{ PRIOPLUS_MARK_STEP, "+step" },
		{ PRIOPLUS_MARK_FLOWS, "+flows" },
		{ PRIOPLUS_MARK_NO_LINE, "+no_line" },
	},
};
