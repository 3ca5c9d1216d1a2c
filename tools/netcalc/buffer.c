// SPDX-License-Identifier: GPL-2.0
/*
 * A finite buffer: drop-tail, drop by drop.
 *
 * Of what comes while the buffer is full as much enters as leaves, and the rest is
 * lost; all that come share in proportion. With the sum of all Ahat_i coming at the
 * rate s > C, of each flow the share C / s enters; of a burst J that finds the room R
 * each flow's first R / J. So the queue's curves are straight between the bends of what
 * comes and the moments at which the buffer gets full, and the backlog is never above
 * the buffer.
 *
 * Who hears of it: the receiver takes bytes in order, and what comes behind a gap it
 * drops (go-back-N, as everywhere in this model). So after its first loss, at the byte
 * y, a flow gets no acknowledgment beyond y, what it sends still takes its room in the
 * queue, and at its timeout it goes back to y. A flow with cc=none asks for nothing:
 * what is lost is lost, and the rest goes on. An algorithm that knows no timeout has no answer
 * to a loss, so the computation ends where it has one; up to there it is what it is
 * without a buffer.
 */
#include <errno.h>

#include "buffer.h"

/* What passes from a time on: of a jump at it, and of what comes behind it. */
struct share {
	struct nc_q jump;
	struct nc_q rate;
};

/* The first byte that does not enter, and when it comes. */
struct loss {
	struct nc_q t;
	struct nc_q y;
};

static bool is_less(struct nc_q share)
{
	return nc_q_lt(share, nc_q_int(1));
}

/* Continue a curve with a share of another one, which jumps at @from or not at all. */
static struct loss enter_curve(const struct nc_curve *comes, struct nc_curve *enters,
			       struct nc_q from, struct nc_q until, struct share share)
{
	struct nc_q jump = nc_q_sub(nc_curve_after(comes, from), nc_curve_at(comes, from));
	struct nc_q y = nc_q_add(nc_curve_at(enters, from), nc_q_mul(share.jump, jump));
	struct loss loss = { NC_INF, y };
	size_t i = nc_curve_find_after(comes, from);

	if (nc_q_sign(jump) && is_less(share.jump))
		loss.t = from;
	while (nc_q_lt(from, until) && !nc_q_is_lost()) {
		struct nc_q slope = NC_ZERO, end = until;

		if (i < comes->n) {
			slope = nc_q_mul(share.rate, comes->p[i].slope);
			end = nc_q_min(end, nc_curve_end(comes, i++));
		}
		if (nc_q_sign(slope) && is_less(share.rate) && nc_q_is_inf(loss.t))
			loss = (struct loss){ from, y };
		nc_curve_add_line(enters, from, slope, nc_q_sub(y, nc_q_mul(slope, from)));
		y = nc_q_add(y, nc_q_mul(slope, nc_q_sub(end, from)));
		from = end;
	}
	return loss;
}

static void enter_all(struct nc_net *net, struct nc_q from, struct nc_q until,
		      struct share share)
{
	size_t i;

	enter_curve(&net->offered, &net->in, from, until, share);
	for (i = 0; i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];
		struct loss loss = enter_curve(&flow->in, &flow->kept, from, until, share);

		if (nc_q_is_inf(flow->loss)) {
			flow->loss = loss.t;
			flow->loss_byte = loss.y;
		}
	}
}

/*
 * From t on, up to where what comes bends, or the buffer gets full: what enters.
 * Returns that time; @waits is the backlog, at t and then there.
 */
static struct nc_q enter_some(struct nc_net *net, struct nc_q t, struct nc_q until,
			      struct nc_q *waits)
{
	const struct nc_curve *comes = &net->offered;
	const struct nc_q most = nc_q_int(net->buffer);
	struct nc_q room = nc_q_sub(most, *waits), slope = NC_ZERO, end = until, more;
	struct nc_q jump = nc_q_sub(nc_curve_after(comes, t), nc_curve_at(comes, t));
	struct share share = { nc_q_int(1), nc_q_int(1) };
	size_t i = nc_curve_find_after(comes, t);

	if (i < comes->n) {
		slope = comes->p[i].slope;
		end = nc_q_min(end, nc_curve_end(comes, i));
	}
	if (nc_q_lt(room, jump)) {
		share.jump = nc_q_div(room, jump);
		jump = room;
	}
	room = nc_q_sub(room, jump);
	more = nc_q_sub(slope, net->rate);
	if (nc_q_sign(more) > 0 && !nc_q_sign(room)) {
		share.rate = nc_q_div(net->rate, slope);
		more = NC_ZERO;
	} else if (nc_q_sign(more) > 0) {
		end = nc_q_min(end, nc_q_add(t, nc_q_div(room, more)));
	}
	*waits = nc_q_add(nc_q_sub(most, room), nc_q_mul(more, nc_q_sub(end, t)));
	*waits = nc_q_max(*waits, NC_ZERO);
	enter_all(net, t, end, share);
	return end;
}

/**
 * nc_buffer_enter() - what enters the queue from now on
 * @net: with @offered and each flow's in; its @in and each flow's kept are continued
 * @until: how far, ns
 */
void nc_buffer_enter(struct nc_net *net, struct nc_q until)
{
	struct nc_q waits = nc_q_sub(nc_curve_at(&net->in, net->now), net->served);
	struct nc_q t = net->now;
	size_t i;

	for (i = 0; i < net->flows; i++)
		net->flow[i].loss = NC_INF;
	while (nc_q_lt(t, until) && !nc_q_is_lost())
		t = enter_some(net, t, until, &waits);
}

/* Does anyone ask what became of it? The first gap is what counts. */
static bool is_missed(const struct nc_flow *flow)
{
	return flow->control.ops->limit != NC_LIMIT_NONE && nc_q_is_inf(flow->hole);
}

/**
 * nc_buffer_next() - when the next flow has its first loss
 * @net: computed ahead
 *
 * Return: a whole ns after it; infinity if there is none in sight.
 */
struct nc_q nc_buffer_next(const struct nc_net *net)
{
	struct nc_q t = NC_INF;
	size_t i;

	for (i = 0; net->buffer && i < net->flows; i++) {
		const struct nc_flow *flow = &net->flow[i];

		if (is_missed(flow) && !nc_q_is_inf(flow->loss))
			t = nc_q_min(t, nc_q_add(nc_q_floor(flow->loss), nc_q_int(1)));
	}
	return t;
}

/**
 * nc_buffer_react() - take note of first losses
 * @net: at @net->now
 *
 * Return: 0; -ENOBUFS if @net->loser is a flow whose algorithm knows no losses.
 */
int nc_buffer_react(struct nc_net *net)
{
	size_t i;

	for (i = 0; net->buffer && i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];

		if (!is_missed(flow) || !nc_q_lt(flow->loss, net->now))
			continue;
		if (!nc_has_timeout(&flow->control)) {
			net->loser = flow;
			return -ENOBUFS;
		}
		flow->hole = flow->loss_byte;
	}
	return 0;
}
