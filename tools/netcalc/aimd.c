// SPDX-License-Identifier: GPL-2.0
/*
 * Rate AIMD with timeouts (the paper's section III-C, algorithm 1).
 *
 *	every delta_ai:			r += alpha, unless there was a
 *					timeout within the last delta_ai
 *	D(t - dR) < Ahat(t - tau_o):	r *= beta, go back to D(t - dR)
 *	between:			Ahat = A * max(r t, 0) from the event on
 *
 * Notable differences from algorithm 1 as printed:
 *  - It advances t_AI in every turn of its loop, also after a timeout, which
 *    would skip increases at random. Here increases are due at the multiples
 *    of delta_ai, and the rule of the text decides whether there is one.
 *  - It shifts the origin to (t_AI, A(t_AI)) at an increase, which would drop
 *    what waits at the source. The text has Ahat(t_AI), and so have we.
 *  - It searches for t > t_TO^next where t_TO^prev must be meant.
 *  - The next timeout is tau_o after the last one at the earliest, since in
 *    the new coordinates nothing was sent before.
 */
#include "aimd.h"
#include "net.h"

#define LEAST_RATE	1	/* kbit/s */

/* Increases are due at fixed times. */
int nc_aimd_start(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_aimd *a = nc_aimd_of(&flow->control);

	(void)net;
	flow->control.due = nc_q_int(a->every);
	a->was_cut = false;
	return 0;
}

/* An interval without bad news is rewarded. */
void nc_aimd_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_control *c = &flow->control;
	struct nc_aimd *a = nc_aimd_of(c);
	struct nc_q every = nc_q_int(a->every);
	struct nc_q start = nc_q_sub(net->now, every);

	c->due = nc_q_add(net->now, every);
	if (a->was_cut && nc_q_le(start, a->last_cut))
		return;
	c->rate += a->increase;
	if (c->rate > a->most)
		c->rate = a->most;
}

/* Bad news. */
void nc_aimd_cut(struct nc_control *c, struct nc_q now)
{
	struct nc_aimd *a = nc_aimd_of(c);

	a->was_cut = true;
	a->last_cut = now;
	c->rate = c->rate * a->decrease / NC_PPM;
	if (c->rate < LEAST_RATE)
		c->rate = LEAST_RATE;
}

const struct nc_control_ops nc_aimd = {
	.name = "aimd",
	.limit = NC_LIMIT_RATE,
	.timed = true,
	.start = nc_aimd_start,
	.tick = nc_aimd_tick,
	.timeout = nc_aimd_cut,
};
