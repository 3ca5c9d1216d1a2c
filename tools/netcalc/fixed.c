// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithms without one: a sliding window that stays as it is, Ahat = min(A, D(t - dR) + W)
 * never falling, and no limit at all, Ahat = A.
 */
#include "fixed.h"
#include "net.h"

/* Nothing is ever due. */
static int never(const struct nc_net *net, struct nc_flow *flow)
{
	(void)net;
	flow->control.due = NC_INF;
	return 0;
}

const struct nc_control_ops nc_fixed = {
	.name = "fixed",
	.limit = NC_LIMIT_SLIDING,
	.timed = true,
	.start = never,
};

const struct nc_control_ops nc_none = {
	.name = "none",
	.limit = NC_LIMIT_NONE,
	.timed = true,
	.start = never,
};
