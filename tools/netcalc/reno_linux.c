// SPDX-License-Identifier: GPL-2.0
/*
 * Window AIMD as Linux' Reno has it (rules=linux). What is different from
 * window.c:
 *
 *  - The window slides: what is acknowledged may be sent again at once, while
 *    flight by flight a whole window waits at the server.
 *  - Slow start: the window grows with each acknowledgment.
 *  - A loss is what comes to a full buffer. It is noticed when three packets
 *    behind it are acknowledged; then the window is beta W, and what was lost
 *    is repaired on the way. The next loss counts when all is acknowledged that
 *    had been sent by then, and until then the window does not grow.
 *
 * Not here: the curves have no gaps, so a lost byte takes its time at the server
 * all the same, before the loss instead of after it; the window falls at once
 * and not packet by packet during an RTT; timeouts.
 */
#include "inverse.h"
#include "net.h"
#include "reno.h"

#define DUPLICATES	3	/* packets behind a loss that tell of it */

static struct nc_q bytes_of(const struct nc_control *c, int64_t packets)
{
	return nc_q_int(packets * c->packet);
}

/* The byte whose acknowledgment is the next thing to react to. */
static struct nc_q awaited(const struct nc_control *c)
{
	const struct nc_reno *l = nc_reno_of(c);
	struct nc_q y = nc_q_add(l->grown, c->window < l->threshold ?
				 nc_q_int(1) : nc_q_int(c->window));

	if (nc_q_is_inf(l->lost))
		return y;
	return nc_q_min(y, nc_q_add(l->lost, bytes_of(c, DUPLICATES)));
}

/*
 * When the buffer is full next; infinity if a loss is known, or none counts.
 * The time at hand counts: the tick at it asks once more.
 */
static struct nc_q next_loss(const struct nc_net *net,
			     const struct nc_flow *flow, struct nc_q until)
{
	const struct nc_reno *l = nc_reno_of(&flow->control);
	struct nc_q before = nc_q_sub(net->now, nc_q_int(1));
	struct nc_view room = nc_view(&net->out);

	if (!nc_q_is_inf(l->lost) ||
	    nc_q_lt(nc_curve_after(&flow->acks, net->now), l->recover))
		return NC_INF;
	room.dy = nc_q_int(l->buffer);
	return nc_first_below(room, nc_view(&net->in), before, until, false);
}

static struct nc_q linux_next(const struct nc_net *net,
			      const struct nc_flow *flow, struct nc_q until)
{
	struct nc_q t = nc_inv_low(&flow->acks, awaited(&flow->control));

	t = nc_q_min(t, next_loss(net, flow, until));
	return nc_q_lt(until, t) ? NC_INF : t;
}

/* Three packets behind a loss have arrived. */
static void cut(struct nc_control *c, struct nc_q sent)
{
	struct nc_reno *l = nc_reno_of(c);
	int64_t packets = c->window / c->packet * l->decrease / NC_PPM;

	c->window = (packets > 2 ? packets : 2) * c->packet;
	l->threshold = c->window;
	l->recover = sent;
	l->grown = sent;
	l->lost = NC_INF;
}

static void grow(struct nc_control *c, struct nc_q acked)
{
	struct nc_reno *l = nc_reno_of(c);
	int64_t more = (int64_t)nc_q_sub(acked, l->grown).num;

	if (more <= 0)
		return;
	if (c->window < l->threshold)
		c->window += more;
	else if (more >= c->window)
		c->window += l->increase;
	else
		return;
	if (c->window > NC_WINDOW_MAX)
		c->window = NC_WINDOW_MAX;
	l->grown = acked;
}

static void linux_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_control *c = &flow->control;
	struct nc_reno *l = nc_reno_of(c);
	struct nc_q acked = nc_curve_after(&flow->acks, net->now);
	struct nc_q sent = nc_curve_at(&flow->in, net->now);

	if (nc_q_is_inf(l->lost)) {
		if (nc_q_le(l->recover, acked) &&
		    nc_q_lt(nc_q_int(l->buffer), nc_net_backlog(net, net->now)))
			l->lost = sent;
	} else if (nc_q_le(nc_q_add(l->lost, bytes_of(c, DUPLICATES)), acked)) {
		cut(c, sent);
		return;
	}
	grow(c, acked);
}

static int linux_start(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_reno *l = nc_reno_of(&flow->control);

	(void)net;
	l->lost = NC_INF;
	l->recover = NC_ZERO;
	l->grown = NC_ZERO;
	return 0;
}

const struct nc_control_ops nc_reno_linux_ops = {
	.name = "reno",
	.limit = NC_LIMIT_SLIDING,
	.start = linux_start,
	.next = linux_next,
	.tick = linux_tick,
};
