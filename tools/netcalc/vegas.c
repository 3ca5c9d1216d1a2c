// SPDX-License-Identifier: GPL-2.0
/*
 * TCP Vegas (the paper's section III-E, algorithm 3).
 *
 *	once an RTT, at t_event += RTT:
 *		diff = W (RTT - baseRTT) / RTT	bytes in the queue
 *		slow start:
 *			diff > gamma:	W *= baseRTT / RTT, end slow start
 *			else:		W *= 2, every other time
 *		else:
 *			diff < w_low:	W += I_max
 *			diff > w_high:	W -= I_max
 *	between:	Ahat = min(A, D(t - dR) + W), never falling
 *
 * with baseRTT = dR. Without timeouts and retransmissions, as in the paper.
 *
 * Notable differences from algorithm 3 as printed, and what it leaves open:
 *  - The admitted traffic is shifted by A(t_event); Ahat(t_event) is meant.
 *  - W-hat(t) needs D(t - dR) after t_event, which depends on Ahat after
 *    t_event once the RTT exceeds dR. So a stretch is never longer than dR,
 *    within which all acknowledgments are under way already.
 *  - RTT(t) = t - Ahat^-1(D(t - dR)): the text says upper pseudo-inverse and
 *    the formula has the lower one. They differ when nothing was on the way
 *    for a while. The lower one would count that time as delay, the age of the
 *    last byte; so we take the upper one, and not less than dR.
 *  - With NC_RTT_MIN it is the smallest RTT of all packets acknowledged since
 *    the last event, as in Linux, which the name minRTT suggests.
 *  - The window is not less than one packet, and not more than 1 TB: as in
 *    the paper it grows also when the source does not use it.
 */
#include "inverse.h"
#include "net.h"
#include "vegas.h"

/* Equation (1): how long ago was the byte sent that is acknowledged now? */
static struct nc_q rtt_sample(const struct nc_net *net,
			      const struct nc_flow *flow)
{
	struct nc_q y = nc_view_at(nc_flow_acked(flow), net->now);
	struct nc_q sent = nc_inv_up(&flow->in, y);

	if (nc_q_is_inf(sent))
		return flow->feedback;
	return nc_q_max(flow->feedback, nc_q_sub(net->now, sent));
}

/* The smallest RTT of the packets acknowledged since the last sample. */
static struct nc_q rtt_min(const struct nc_net *net,
			   const struct nc_flow *flow)
{
	struct nc_q after = nc_q_sub(net->now, nc_vegas_of(&flow->control)->rtt);
	struct nc_q best = NC_INF;
	size_t i = flow->acks.n;

	while (i-- > 1) {
		const struct nc_piece *ack = &flow->acks.p[i];
		struct nc_q sent = nc_inv_low(&flow->in, ack->at0);

		if (!nc_q_lt(ack->t, net->now))
			continue;
		if (nc_q_lt(ack->t, after))
			break;
		best = nc_q_min(best, nc_q_sub(ack->t, sent));
	}
	return nc_q_is_inf(best) ? nc_vegas_of(&flow->control)->rtt : best;
}

/* Bytes in the queue as Vegas sees them, against so many packets. */
static int queue_against(const struct nc_control *c, struct nc_q base,
			 int64_t packets)
{
	const struct nc_vegas *vegas = nc_vegas_of(c);
	struct nc_q extra = nc_q_sub(vegas->rtt, base);
	struct nc_q diff = nc_q_div(nc_q_mul(nc_q_int(c->window), extra),
				    vegas->rtt);

	return nc_q_cmp(diff, nc_q_int(packets * c->packet));
}

static void slow_start(struct nc_control *c, struct nc_q base)
{
	struct nc_vegas *vegas = nc_vegas_of(c);

	if (queue_against(c, base, vegas->gamma) > 0) {
		struct nc_q share = nc_q_div(base, vegas->rtt);
		struct nc_q window = nc_q_mul(nc_q_int(c->window), share);

		c->window = (int64_t)nc_q_floor(window).num;
		vegas->slow_start = false;
		return;
	}
	if (!vegas->skip)
		c->window *= 2;
	vegas->skip = !vegas->skip;
}

static void avoid_congestion(struct nc_control *c, struct nc_q base)
{
	const struct nc_vegas *vegas = nc_vegas_of(c);

	if (queue_against(c, base, vegas->low) < 0)
		c->window += c->packet;
	else if (queue_against(c, base, vegas->high) > 0)
		c->window -= c->packet;
}

static void vegas_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_control *c = &flow->control;
	struct nc_vegas *vegas = nc_vegas_of(c);

	vegas->rtt = vegas->rtt_kind == NC_RTT_MIN ? rtt_min(net, flow) :
		     rtt_sample(net, flow);
	c->due = nc_q_add(net->now, nc_q_ceil(vegas->rtt));
	if (vegas->slow_start)
		slow_start(c, flow->feedback);
	else
		avoid_congestion(c, flow->feedback);
	if (c->window < c->packet)
		c->window = c->packet;
	if (c->window > NC_WINDOW_MAX)
		c->window = NC_WINDOW_MAX;
}

/*
 * The next sample asks for the acknowledgments since the last one, and when the
 * bytes were sent that they are for: up to two RTTs ago.
 */
static struct nc_q vegas_since(const struct nc_net *net,
			       const struct nc_flow *flow)
{
	const struct nc_control *c = &flow->control;
	struct nc_q last = nc_q_sub(c->due, nc_vegas_of(c)->rtt);

	(void)net;
	return nc_inv_low(&flow->in, nc_view_at(nc_flow_acked(flow), last));
}

/* The first sample is due when the first acknowledgment is. */
static int vegas_start(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_vegas *vegas = nc_vegas_of(&flow->control);

	(void)net;
	flow->control.due = flow->feedback;
	vegas->rtt = flow->feedback;
	vegas->slow_start = true;
	vegas->skip = false;
	return 0;
}

const struct nc_control_ops nc_vegas = {
	.name = "vegas",
	.limit = NC_LIMIT_SLIDING,
	.timed = true,
	.start = vegas_start,
	.tick = vegas_tick,
	.since = vegas_since,
};
