// SPDX-License-Identifier: GPL-2.0
/*
 * TCP Vegas as Linux has it (rules=linux). What is different from vegas.c:
 *
 *  - An RTT ends when a byte is acknowledged that was sent after the last one
 *    ended, and not one sample later; its RTT is the smallest of all packets.
 *  - The base RTT is the smallest RTT so far, and not dR.
 *  - Slow start: the window grows with each acknowledgment, and so doubles
 *    every RTT. It ends at W * base / RTT, and one packet.
 *  - The queue is W (RTT - base) / base: by the base, not by the RTT.
 *  - Clocks show whole ticks, and one tick more: RTTs are in microseconds
 *    (clock=1us). Windows are whole packets, at least two.
 *  - An RTT of less than three acknowledgments says nothing.
 *
 * Not here: the base RTT is forgotten when a source begins again after all was
 * acknowledged; two packets may share an acknowledgment; a timeout.
 */
#include "inverse.h"
#include "net.h"
#include "vegas.h"

#define LEAST_SAMPLES	3	/* an RTT of fewer says nothing */
#define LEAST_PACKETS	2	/* the smallest window */

static struct nc_q acked_now(const struct nc_net *net,
			     const struct nc_flow *flow)
{
	return nc_curve_after(&flow->acks, net->now);
}

/* In slow start at every acknowledgment, then once an RTT. */
static struct nc_q linux_next(const struct nc_net *net,
			      const struct nc_flow *flow, struct nc_q until)
{
	const struct nc_vegas *l = nc_vegas_of(&flow->control);
	struct nc_q y = l->slow_start ? l->seen : l->mark;
	struct nc_q t = nc_inv_low(&flow->acks, nc_q_add(y, nc_q_int(1)));

	(void)net;
	return nc_q_is_inf(t) || nc_q_lt(until, t) ? NC_INF : t;
}

/* What a clock shows that ticks so often. */
static struct nc_q shown(struct nc_q t, int64_t clock)
{
	struct nc_q tick = nc_q_int(clock);

	if (!clock)
		return t;
	return nc_q_mul(nc_q_floor(nc_q_div(t, tick)), tick);
}

/* The RTT of the packet that ends at y. */
static struct nc_q packet_rtt(const struct nc_flow *flow, struct nc_q t,
			      struct nc_q y)
{
	int64_t clock = nc_vegas_of(&flow->control)->clock;
	struct nc_q sent = nc_inv_low(&flow->in, y);

	return nc_q_add(nc_q_sub(shown(t, clock), shown(sent, clock)),
			nc_q_int(clock));
}

/* All packets acknowledged since the last time. */
static void take_samples(struct nc_flow *flow, struct nc_q acked)
{
	struct nc_vegas *l = nc_vegas_of(&flow->control);
	size_t i = flow->acks.n;

	while (i-- > 1) {
		const struct nc_piece *ack = &flow->acks.p[i];
		struct nc_q rtt;

		if (nc_q_lt(acked, ack->at0))
			continue;
		if (nc_q_le(ack->at0, l->seen))
			break;
		rtt = packet_rtt(flow, ack->t, ack->at0);
		l->base = nc_q_min(l->base, rtt);
		l->least = nc_q_min(l->least, rtt);
		l->samples++;
	}
}

/* As tcp_slow_start(): by what was acknowledged, up to the threshold. */
static void slow_start(struct nc_control *c, struct nc_q acked)
{
	c->window += (int64_t)nc_q_sub(acked, nc_vegas_of(c)->seen).num;
	if (c->window > NC_WINDOW_MAX)
		c->window = NC_WINDOW_MAX;
}

/* Packets in the queue, rounded down. */
static int64_t queued(const struct nc_control *c, int64_t packets)
{
	const struct nc_vegas *l = nc_vegas_of(c);
	struct nc_q extra = nc_q_sub(l->least, l->base);

	return (int64_t)nc_q_floor(nc_q_div(nc_q_mul(nc_q_int(packets), extra),
					    l->base)).num;
}

/* The window that leaves no queue, in packets, rounded down. */
static int64_t target(const struct nc_control *c, int64_t packets)
{
	const struct nc_vegas *l = nc_vegas_of(c);

	return (int64_t)nc_q_floor(nc_q_div(nc_q_mul(nc_q_int(packets), l->base),
					    l->least)).num;
}

static void react(struct nc_control *c, struct nc_q acked)
{
	struct nc_vegas *l = nc_vegas_of(c);
	int64_t packets = c->window / c->packet;
	int64_t queue = queued(c, packets), best = target(c, packets) + 1;

	if (l->slow_start && queue <= l->gamma) {
		slow_start(c, acked);
		return;
	}
	if (l->slow_start)
		packets = best < packets ? best : packets;
	else if (queue > l->high)
		packets--;
	else if (queue < l->low)
		packets++;
	l->slow_start = false;
	if (packets < LEAST_PACKETS)
		packets = LEAST_PACKETS;
	c->window = packets * c->packet;
}

static void linux_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_control *c = &flow->control;
	struct nc_vegas *l = nc_vegas_of(c);
	struct nc_q acked = acked_now(net, flow);

	take_samples(flow, acked);
	if (nc_q_lt(l->mark, acked)) {
		if (l->samples >= LEAST_SAMPLES)
			react(c, acked);
		else if (l->slow_start)
			slow_start(c, acked);
		l->mark = nc_curve_at(&flow->in, net->now);
		l->least = NC_INF;
		l->samples = 0;
	} else if (l->slow_start) {
		slow_start(c, acked);
	}
	l->seen = acked;
}

/* All bytes that were not seen to be acknowledged will be asked for. */
static struct nc_q linux_since(const struct nc_net *net,
			       const struct nc_flow *flow)
{
	(void)net;
	return nc_inv_low(&flow->in, nc_vegas_of(&flow->control)->seen);
}

static int linux_start(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_vegas *l = nc_vegas_of(&flow->control);

	(void)net;
	l->slow_start = true;
	l->base = NC_INF;
	l->least = NC_INF;
	l->mark = NC_ZERO;
	l->seen = NC_ZERO;
	l->samples = 0;
	return 0;
}

const struct nc_control_ops nc_vegas_linux_ops = {
	.name = "vegas",
	.limit = NC_LIMIT_SLIDING,
	.start = linux_start,
	.next = linux_next,
	.tick = linux_tick,
	.since = linux_since,
};
