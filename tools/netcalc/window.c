// SPDX-License-Identifier: GPL-2.0
/*
 * Window AIMD with slow start, as in TCP Tahoe and Reno (the paper's section
 * III-D, algorithm 2).
 *
 *	t_W, all of a flight is acknowledged, D(t - dR) >= origin + W:
 *		W < w_th:	W *= 2
 *		else:		W += alpha
 *		origin to (t_W, Ahat(t_W))
 *	timeout, D(t - dR) < Ahat(t - tau_o):
 *		w_th = beta W, W = W_1, go back to D(t - dR)
 *	between:		Ahat = A * S_W from the event on
 *
 * So a window is sent at once, and the next one when all of it is
 * acknowledged: this is flight by flight, not a sliding window.
 *
 * Notable differences from algorithm 2 as printed:
 *  - It sets W to W_o at a timeout, the text says one packet: W_1 is a
 *    parameter of its own, one packet unless given.
 *  - It has D(t - dR) > W for t_W, the text >=. With > a source that is done
 *    with exactly W would wait for ever; we take >=.
 *  - It shifts to (t_W, A(t_W)), the text to (t_W, Ahat(t_W)). We take the
 *    text: what waits at the source must not be lost.
 *  - Its first lines convolve Ahat with S_W; A is meant.
 */
#include "inverse.h"
#include "net.h"
#include "reno.h"

#define LEAST_THRESHOLD_PACKETS	2	/* RFC 5681, equation 4 */

/* When the flight is acknowledged. */
static struct nc_q window_next(const struct nc_net *net,
			       const struct nc_flow *flow, struct nc_q until)
{
	const struct nc_control *c = &flow->control;
	struct nc_q y = nc_q_add(flow->origin.y, nc_q_int(c->window));
	struct nc_view acked = nc_flow_acked(flow);
	struct nc_q t = nc_inv_low(acked.c, y);

	(void)net;
	if (nc_q_is_inf(t) || nc_q_lt(flow->hole, y))
		return NC_INF;
	t = nc_q_ceil(nc_q_add(t, acked.dt));
	return nc_q_le(t, until) ? t : NC_INF;
}

static void window_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_control *c = &flow->control;
	const struct nc_reno *reno = nc_reno_of(c);

	c->window += c->window < reno->threshold ? c->window : reno->increase;
	if (c->window > NC_WINDOW_MAX)
		c->window = NC_WINDOW_MAX;
	flow->origin = (struct nc_origin){
		net->now, nc_curve_at(&flow->in, net->now),
	};
}

static void window_timeout(struct nc_control *c, struct nc_q now)
{
	struct nc_reno *reno = nc_reno_of(c);
	int64_t least = LEAST_THRESHOLD_PACKETS * c->packet;

	(void)now;
	reno->threshold = c->window * reno->decrease / NC_PPM;
	if (reno->threshold < least)
		reno->threshold = least;
	c->window = reno->initial;
}

const struct nc_control_ops nc_window = {
	.name = "reno",
	.limit = NC_LIMIT_FLIGHT,
	.next = window_next,
	.tick = window_tick,
	.timeout = window_timeout,
};
