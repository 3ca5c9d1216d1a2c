// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN, simplified as in the paper's section V-B: rate AIMD that is cut by
 * congestion notifications (mark.c) and by timeouts.
 *
 *	every delta_inc:	R += alpha, unless there was a notification or
 *				a timeout within the last delta_inc
 *	notification, timeout:	R *= beta
 *
 * Not in the model: the target rate and fast recovery, hyper increase, the
 * byte counter, and the variable factor of the decrease.
 *
 * What the paper leaves open, and what we chose:
 *  - The rate does not grow beyond the first one, the line's.
 *  - The increases are due at the multiples of delta_inc.
 *  - beta 0.75 is what is left of a rate, as in equation (3).
 */
#include "aimd.h"

const struct nc_control_ops nc_dcqcn = {
	.name = "dcqcn",
	.limit = NC_LIMIT_RATE,
	.timed = true,
	.start = nc_aimd_start,
	.tick = nc_aimd_tick,
	.timeout = nc_aimd_cut,
	.notified = nc_aimd_cut,
};
