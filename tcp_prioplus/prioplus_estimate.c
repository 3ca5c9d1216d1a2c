// SPDX-License-Identifier: GPL-2.0
/*
 * prioplus, extension slow_estimate. What is in flight beyond D_limit is also others', and the
 * window of a flow that just resumed is a small step of what it will be: delay * C / W makes
 * hundreds of flows of two, which then grow by hundredths. A stop doubles #flow at most.
 *
 * If #flow is still too small the next stop doubles it again. The highest priority, which never
 * stops, doubles it with each delay beyond D_limit: there are no others.
 */
#include "prioplus.h"

/**
 * prioplus_slow_estimate() - line 9
 * @pp: state
 * @flows: the paper's, << PRIOPLUS_FLOW_SHIFT
 *
 * Return: same scale.
 */
u64 prioplus_slow_estimate(const struct prioplus *pp, u64 flows)
{
	return min(flows, 2 * (u64)pp->nflow);
}
