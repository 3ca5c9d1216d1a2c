// SPDX-License-Identifier: GPL-2.0
/*
 * oscar, extension ramp. U_HAI alone takes fifty round trips to fill a link that others left.
 * A queue that stays empty for longer than a base RTT allows twice the rate that was sent then.
 *
 * When the link is full again all flows together ask for twice its rate at most, where each
 * that starts asks for as much. An empty queue that is shorter may be a min-RTT probe.
 */
#include "oscar.h"

/**
 * oscar_ramp() - after algorithm 2
 * @r: state
 * @p: of oscar_params_set()
 * @e: algorithm 1's result
 * @empty: did algorithm 2 increase by U_HAI?
 * @u: what it made of u; raised
 *
 * Return: was it?
 */
bool oscar_ramp(struct oscar_ramp *r, const struct oscar_params *p,
		const struct oscar_estimate *e, bool empty, u64 *u)
{
	u64 twice;

	r->empty_ns = empty && !e->app_limited ? r->empty_ns + e->span_ns : 0;
	if (r->empty_ns <= p->base_rtt_ns)
		return false;
	twice = 2 * oscar_by_rate(p, e->rate, 0);
	if (twice <= *u)
		return false;
	*u = twice;
	return true;
}
