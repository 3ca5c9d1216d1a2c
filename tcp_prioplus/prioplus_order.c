// SPDX-License-Identifier: GPL-2.0
/*
 * prioplus, extension return_order. What is asked while a queue drains is answered in one
 * instant, when it has, whichever priority asked. But the delays beyond D_limit showed whose
 * queue it was. A flow leaves the levels between that one and its own the time that they need
 * to return, once.
 */
#include "prioplus.h"

#define RETURN_RTTS	3	/* a wait, a probe, and one RTT to fill the queue */

/**
 * prioplus_order_stop() - a delay beyond D_limit
 * @pp: state
 * @k: knobs
 * @p: of prioplus_params_set()
 * @delay: ns
 *
 * It is that of the level whose D_target is nearest; a queue that drains must not look like
 * somebody less, so the level falls by one at most.
 */
void prioplus_order_stop(struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p, u32 delay)
{
	u32 width = p->fluct_ns + p->noise_ns;	/* 31 bits, 2 at least */
	u32 least = pp->order.above ? pp->order.above - 1 : 0;
	u64 level;

	if (!p->base_ns || delay < p->limit_ns)
		return;
	level = div_u64((u64)delay - p->base_ns + width / 2, width);
	pp->order.above = (u8)clamp_t(u64, level, least, k->prio_levels);
}

/**
 * prioplus_order_wait() - the queue has drained
 * @pp: state
 * @p: of prioplus_params_set()
 *
 * Return: how long to wait for others, ns; 0: there are none.
 */
u64 prioplus_order_wait(struct prioplus *pp, const struct prioplus_params *p)
{
	u32 between = pp->order.above > pp->prio ? pp->order.above - pp->prio - 1 : 0;

	pp->order.above = 0;
	return (u64)RETURN_RTTS * between * p->base_ns;
}
