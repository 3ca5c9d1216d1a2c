// SPDX-License-Identifier: GPL-2.0
/* What an acknowledgment of whole packets tells. */
#include "inverse.h"
#include "mark.h"
#include "packets.h"

/* When the next byte beyond those that were seen is acknowledged, ns. */
struct nc_q nc_packets_next(const struct nc_packets *p,
			    const struct nc_flow *flow)
{
	return nc_inv_low(&flow->acks, nc_q_add(p->seen, nc_q_int(1)));
}

/* Does the source have more than it was let send? */
bool nc_packets_wait(const struct nc_net *net, const struct nc_flow *flow)
{
	return nc_q_lt(nc_curve_at(&flow->in, net->now),
		       nc_curve_after(&flow->arrived, net->now));
}

/*
 * As tcp_cwnd_validate(): the window holds the flow back if data waits and not one
 * packet more would fit, or if the window is small and carried out by a rate. That it
 * did so counts for a window of bytes.
 */
static void look_at_usage(const struct nc_net *net, const struct nc_flow *flow,
			  struct nc_packets *p, bool small, struct nc_q acked)
{
	struct nc_q in = nc_curve_at(&flow->in, net->now), room;

	room = nc_q_sub(nc_q_add(p->seen, nc_q_int(flow->control.window)), in);
	if (nc_packets_wait(net, flow) &&
	    (small || nc_q_lt(room, nc_q_int(flow->control.packet)))) {
		p->limited = true;
		p->usage = in;
	} else if (nc_q_le(p->usage, acked)) {
		p->limited = false;
	}
}

static int64_t count_marks(const struct nc_net *net, struct nc_flow *flow,
			   const struct nc_news *news)
{
	struct nc_q packet = nc_q_int(flow->control.packet), y = news->first;
	int64_t marks = 0;

	for (; nc_q_le(y, news->acked); y = nc_q_add(y, packet))
		marks += nc_mark_packet(net, flow, y);
	return marks;
}

/**
 * nc_packets_take() - take note of what is acknowledged by now
 * @net: at @net->now
 * @flow: with acknowledgments of whole packets
 * @p: what it was told before
 * @small: is the window so small that a rate carries it out?
 * @news: what is new
 *
 * Return: false if nothing is.
 */
bool nc_packets_take(const struct nc_net *net, struct nc_flow *flow,
		     struct nc_packets *p, bool small, struct nc_news *news)
{
	struct nc_q packet = nc_q_int(flow->control.packet);
	struct nc_q acked = nc_curve_after(&flow->acks, net->now);

	if (nc_q_le(acked, p->seen))
		return false;
	look_at_usage(net, flow, p, small, acked);
	*news = (struct nc_news){
		.acked = acked,
		.first = nc_q_add(p->seen, packet),
		.sent = nc_inv_low(&flow->in, acked),
		.count = (int64_t)nc_q_div(nc_q_sub(acked, p->seen), packet).num,
		.limited = p->limited,
	};
	news->marks = count_marks(net, flow, news);
	p->seen = acked;
	return true;
}
