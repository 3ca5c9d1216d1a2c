// SPDX-License-Identifier: GPL-2.0
/*
 * DCTCP as Linux has it (net/ipv4/tcp_dctcp.c; Alizadeh et al., "Data Center TCP",
 * SIGCOMM 2010; RFC 8257).
 *
 *	once per window of data, F = marked / acknowledged packets:
 *		alpha = (1 - g) alpha + g F	in 1/1024, alpha = 1 at first
 *	a mark, once per window:	W = max(W (1 - alpha / 2), 2 packets)
 *	else	slow start:		W += 1 packet per packet
 *		then:			W += 1 packet per window
 *
 * in whole numbers, as in the kernel: alpha is updated before the window is cut, and
 * what ends a window of data counts in the next one.
 *
 * Not here: losses and timeouts; pacing; the window falls at once and not packet by
 * packet during an RTT (PRR); each packet is acknowledged by itself, so that marks
 * are echoed as they are.
 */
#include "dctcp.h"
#include "inverse.h"

#define LEAST_PACKETS	2
#define ALPHA_SHIFT	10
#define NO_THRESHOLD	NC_WINDOW_MAX

static struct nc_q dctcp_next(const struct nc_net *net,
			      const struct nc_flow *flow, struct nc_q until)
{
	struct nc_q t = nc_packets_next(&nc_dctcp_of(&flow->control)->packets, flow);

	(void)net;
	return nc_q_lt(until, t) ? NC_INF : t;
}

/* A window of data is over. */
static void update_alpha(struct nc_dctcp *l)
{
	int64_t less = l->alpha >> l->shift;

	l->alpha -= less ? less : l->alpha;
	if (l->marked)
		l->alpha += (l->marked << (ALPHA_SHIFT - l->shift)) / l->delivered;
	if (l->alpha > NC_DCTCP_ONE)
		l->alpha = NC_DCTCP_ONE;
	l->delivered = 0;
	l->marked = 0;
}

static void cut(struct nc_control *c, struct nc_q sent)
{
	struct nc_dctcp *l = nc_dctcp_of(c);
	int64_t packets = c->window / c->packet;

	packets -= packets * l->alpha >> (ALPHA_SHIFT + 1);
	if (packets < LEAST_PACKETS)
		packets = LEAST_PACKETS;
	c->window = packets * c->packet;
	l->threshold = packets;
	l->credit = 0;
	l->reduced = sent;
}

/* As tcp_reno_cong_avoid(): slow start first, and with what is left one per window. */
static void grow(struct nc_control *c, int64_t count)
{
	struct nc_dctcp *l = nc_dctcp_of(c);
	int64_t packets = c->window / c->packet;
	int64_t quick = l->threshold - packets, more;

	quick = quick < 0 ? 0 : quick < count ? quick : count;
	packets += quick;
	if (l->credit >= packets) {	/* of a larger window */
		l->credit = 0;
		packets++;
	}
	l->credit += count - quick;
	more = l->credit / packets;
	l->credit -= more * packets;
	packets += more;
	if (packets * c->packet > NC_WINDOW_MAX)
		packets = NC_WINDOW_MAX / c->packet;
	c->window = packets * c->packet;
}

static void dctcp_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_control *c = &flow->control;
	struct nc_q sent = nc_curve_at(&flow->in, net->now);
	struct nc_dctcp *l = nc_dctcp_of(c);
	struct nc_news news;

	if (!nc_packets_take(net, flow, &l->packets, false, &news))
		return;
	if (nc_q_le(l->window_end, news.acked)) {
		update_alpha(l);
		l->window_end = sent;
	}
	l->delivered += news.count;
	l->marked += news.marks;
	if (nc_q_lt(news.acked, l->reduced))
		return;
	if (news.marks)
		cut(c, sent);
	else if (news.limited)
		grow(c, news.count);
}

static struct nc_q dctcp_since(const struct nc_net *net,
			       const struct nc_flow *flow)
{
	(void)net;
	return nc_inv_low(&flow->in, nc_dctcp_of(&flow->control)->packets.seen);
}

static bool dctcp_marked(const struct nc_control *c)
{
	(void)c;
	return true;
}

static int dctcp_start(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_dctcp *l = nc_dctcp_of(&flow->control);

	(void)net;
	l->alpha = l->first;
	l->threshold = NO_THRESHOLD;
	l->credit = 0;
	l->delivered = 0;
	l->marked = 0;
	l->window_end = NC_ZERO;
	l->reduced = NC_ZERO;
	l->packets = (struct nc_packets){ NC_ZERO, NC_ZERO, false };
	return 0;
}

const struct nc_control_ops nc_dctcp_linux = {
	.name = "dctcp",
	.limit = NC_LIMIT_SLIDING,
	.start = dctcp_start,
	.next = dctcp_next,
	.tick = dctcp_tick,
	.marked = dctcp_marked,
	.each_ack = true,
	.since = dctcp_since,
};
