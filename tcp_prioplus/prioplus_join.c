// SPDX-License-Identifier: GPL-2.0
/*
 * prioplus, extension join. With one packet where lower priorities have a queue, a flow needs
 * a hundred RTTs to drive them out. It resumes with its part of what is missing to D_target.
 *
 * All that resume together bring the delay to D_target, and no more than an empty queue would
 * be given, if #flow is right. One packet of each of hundreds is more than a BDP, so that is
 * bounded, too.
 */
#include "prioplus.h"

/**
 * prioplus_join() - line 34
 * @pp: state
 * @p: of prioplus_params_set()
 * @delay: of the probe, ns
 *
 * Return: W, packets << DCC_PKT_SHIFT.
 */
u64 prioplus_join(const struct prioplus *pp, const struct prioplus_params *p, u32 delay)
{
	u64 missing = delay < p->target_ns ? prioplus_carried(p, p->target_ns - delay) : 0;
	u64 least = min_t(u64, prioplus_per_flow(pp, p->linear), DCC_PKT);

	if (!p->base_ns)
		return DCC_PKT;
	return max(prioplus_per_flow(pp, min(missing, p->linear)), least);
}
