// SPDX-License-Identifier: GPL-2.0
/* The curves from one event to the next; net.h tells how it works. */
#include <errno.h>
#include <stdlib.h>

#include "admit.h"
#include "buffer.h"
#include "fifo.h"
#include "inverse.h"
#include "stretch.h"

#define LOOK_FEEDBACKS	16	/* how far a stretch reaches, in dR */
#define LOOK_LEAST_NS	1000

/* What departed by now is acknowledged within dR: packet by packet. */
static void extend_acks(struct nc_flow *flow, struct nc_q until)
{
	while (nc_q_le(flow->ack_next, flow->hole) && !nc_q_is_lost()) {
		struct nc_q t = nc_inv_low(&flow->out, flow->ack_next);

		if (nc_q_is_inf(t))
			return;
		t = nc_q_ceil(nc_q_add(t, flow->feedback));
		if (nc_q_lt(until, t))
			return;
		if (!flow->acks.n)
			nc_curve_add_line(&flow->acks, NC_ZERO, NC_ZERO,
					  NC_ZERO);
		nc_curve_add_line(&flow->acks, t, NC_ZERO, flow->ack_next);
		flow->ack_next = nc_q_add(flow->ack_next,
					  nc_q_int(flow->control.packet));
	}
}

/*
 * As far as it is worth to look. A window looks no further than the acknowledgments
 * that are under way.
 */
static struct nc_q sight(const struct nc_net *net)
{
	struct nc_q look = nc_q_mul(nc_q_int(LOOK_FEEDBACKS), net->feedback);
	size_t i;

	look = nc_q_max(look, nc_q_int(LOOK_LEAST_NS));
	for (i = 0; i < net->flows; i++)
		if (nc_waits_for_acks(&net->flow[i].control))
			look = nc_q_min(look, net->flow[i].feedback);
	return nc_q_add(net->now, look);
}

/* The next acknowledgment of those that are under way; infinity: there is none. */
static struct nc_q next_ack(const struct nc_net *net, struct nc_flow *flow)
{
	size_t i;

	extend_acks(flow, nc_q_add(net->now, flow->feedback));
	i = nc_curve_find_after(&flow->acks, net->now);
	return i < flow->acks.n ? nc_curve_end(&flow->acks, i) : NC_INF;
}

/**
 * nc_stretch_horizon() - how far ahead to compute
 * @net: the network
 *
 * Return: ns, whole; not beyond what is known to change the limits.
 */
struct nc_q nc_stretch_horizon(struct nc_net *net)
{
	struct nc_q until = nc_q_min(net->stop, sight(net));
	size_t i;

	for (i = 0; i < net->flows; i++) {
		const struct nc_control *c = &net->flow[i].control;

		if (c->ops->timed && nc_q_lt(net->now, c->due))
			until = nc_q_min(until, c->due);
		if (c->ops->each_ack)
			until = nc_q_min(until, next_ack(net, &net->flow[i]));
	}
	return until;
}

/*
 * What a rate admits, or no limit at all, depends on nobody else: once is enough,
 * until it changes.
 */
static void admit_known(const struct nc_net *net, struct nc_flow *flow,
			struct nc_q until)
{
	int64_t rate = flow->control.rate;
	struct nc_origin from;

	if (rate == flow->known_rate && nc_q_le(until, flow->known))
		return;
	flow->bend = NC_ZERO;
	nc_curve_cut(&flow->in, net->now);
	from = (struct nc_origin){ net->now, nc_curve_at(&flow->in, net->now) };
	flow->known_rate = rate;
	flow->known = nc_q_max(until, sight(net));
	if (flow->control.ops->limit == NC_LIMIT_NONE)
		nc_admit(nc_view(&flow->arrived), nc_view(&flow->arrived), from,
			 flow->known, &flow->in);
	else
		nc_serve(&flow->arrived, from, nc_kbps(rate), flow->known,
			 &flow->in);
}

static void admit_window(const struct nc_net *net, struct nc_flow *flow,
			 struct nc_q until)
{
	const struct nc_control *c = &flow->control;
	const struct nc_curve zero = NC_CURVE_EMPTY;
	struct nc_origin from = { net->now, nc_curve_at(&flow->in, net->now) };
	struct nc_view cap = nc_flow_acked(flow);

	flow->bend = NC_ZERO;
	if (c->ops->limit == NC_LIMIT_FLIGHT) {
		cap = nc_view(&zero);
		cap.dy = flow->origin.y;
	}
	cap.dy = nc_q_add(cap.dy, nc_q_int(c->window));
	nc_admit(nc_view(&flow->arrived), cap, from, until, &flow->in);
}

/* What the window lets through, at the rate. */
static void admit_paced(const struct nc_net *net, struct nc_flow *flow,
			struct nc_q until)
{
	struct nc_origin from = { net->now, nc_curve_at(&flow->in, net->now) };
	struct nc_view cap = nc_flow_acked(flow);
	struct nc_curve open = NC_CURVE_EMPTY;

	flow->bend = NC_ZERO;
	cap.dy = nc_q_int(flow->control.window);
	nc_admit(nc_view(&flow->arrived), cap, from, until, &open);
	nc_serve(&open, from, nc_kbps(flow->control.rate), until, &flow->in);
	flow->in.err = flow->in.err ? flow->in.err : open.err;
	nc_curve_free(&open);
}

static void pause(const struct nc_net *net, struct nc_flow *flow)
{
	flow->bend = NC_ZERO;
	nc_curve_cut(&flow->in, net->now);
	nc_hold((struct nc_origin){ net->now, nc_curve_at(&flow->in, net->now) },
		&flow->in);
	flow->known = NC_ZERO;
}

/* Ahat of one flow, as its limit is. */
static void admit(const struct nc_net *net, struct nc_flow *flow,
		  struct nc_q until)
{
	if (flow->control.packet_acks)
		extend_acks(flow, until);
	if (!nc_q_is_inf(net->pfc.until) || flow->control.suspended)
		pause(net, flow);
	else if (flow->control.ops->limit == NC_LIMIT_PACED)
		admit_paced(net, flow, until);
	else if (nc_waits_for_acks(&flow->control))
		admit_window(net, flow, until);
	else
		admit_known(net, flow, until);
}

static const struct nc_curve *pick(const struct nc_net *net, size_t i,
				   enum nc_sum sum)
{
	const struct nc_flow *flow = &net->flow[i];

	if (sum == NC_SUM_OFFERED)
		return &flow->in;
	return sum == NC_SUM_IN ? nc_flow_queued(net, flow) : &flow->out;
}

/* The next time after t at which one of the curves bends. */
static struct nc_q next_bend(const struct nc_net *net, enum nc_sum sum,
			     const size_t *at, struct nc_q until)
{
	size_t i;

	for (i = 0; i < net->flows; i++) {
		const struct nc_curve *c = pick(net, i, sum);
		size_t next = at[i] < c->n ? at[i] + 1 : 0;

		if (next < c->n)
			until = nc_q_min(until, c->p[next].t);
	}
	return until;
}

/**
 * nc_stretch_sum() - continue a sum of the flows' curves
 * @net: the network
 * @sum: of which curves
 * @from: after this time, ns
 * @until: up to this one, ns
 * @out: gets the pieces; errors stay in it
 */
void nc_stretch_sum(const struct nc_net *net, enum nc_sum sum,
		    struct nc_q from, struct nc_q until, struct nc_curve *out)
{
	size_t i, *at = calloc(net->flows, sizeof(*at));
	struct nc_q t = from;

	if (!at) {
		out->err = -ENOMEM;
		return;
	}
	while (nc_q_lt(t, until) && !nc_q_is_lost()) {
		struct nc_q slope = NC_ZERO, at0 = NC_ZERO;

		for (i = 0; i < net->flows; i++) {
			const struct nc_curve *c = pick(net, i, sum);

			at[i] = nc_curve_find_after(c, t);
			if (at[i] == c->n)
				continue;
			slope = nc_q_add(slope, c->p[at[i]].slope);
			at0 = nc_q_add(at0, c->p[at[i]].at0);
		}
		nc_curve_add_line(out, t, slope, at0);
		t = next_bend(net, sum, at, until);
	}
	free(at);
}

/* A flow's part of the sum of all Ahat from time t on; where that ends. */
static void take_part(struct nc_net *net, struct nc_flow *flow, struct nc_q t)
{
	struct nc_piece part = { NC_ZERO, NC_ZERO, NC_ZERO };
	size_t i = nc_curve_find_after(&flow->in, t);

	flow->bend = NC_INF;
	if (i < flow->in.n) {
		part = flow->in.p[i];
		flow->bend = nc_curve_end(&flow->in, i);
	}
	net->sum.slope = nc_q_add(nc_q_sub(net->sum.slope, flow->part.slope),
				  part.slope);
	net->sum.at0 = nc_q_add(nc_q_sub(net->sum.at0, flow->part.at0),
				part.at0);
	flow->part = part;
}

/* Is its part one of another time? The last stretch was cut at an event. */
static bool is_past(const struct nc_flow *flow, struct nc_q t)
{
	return nc_q_le(flow->bend, t) || nc_q_lt(t, flow->part.t);
}

/* The sum of all Ahat from now on. Only those who bend or were changed count. */
static void continue_sum(struct nc_net *net, struct nc_q until)
{
	struct nc_q t = net->now, next;
	size_t i;

	for (; nc_q_lt(t, until) && !nc_q_is_lost(); t = next) {
		next = until;
		for (i = 0; i < net->flows; i++) {
			struct nc_flow *flow = &net->flow[i];

			if (is_past(flow, t))
				take_part(net, flow, t);
			next = nc_q_min(next, flow->bend);
		}
		nc_curve_add_line(net->buffer ? &net->offered : &net->in, t,
				  net->sum.slope, net->sum.at0);
	}
}

/**
 * nc_stretch_compute() - all curves from now on, with the limits as they are
 * @net: the network; its curves are continued, errors stay in them
 * @until: how far, ns, whole
 */
void nc_stretch_compute(struct nc_net *net, struct nc_q until)
{
	struct nc_origin from = { net->now, net->served };
	size_t i;

	for (i = 0; i < net->flows; i++)
		admit(net, &net->flow[i], until);
	continue_sum(net, until);
	if (net->buffer)
		nc_buffer_enter(net, until);
	nc_serve(&net->in, from, net->rate, until, &net->out);
	nc_fifo_demux(net, net->now, until);
}

/**
 * nc_stretch_cut() - forget what was computed beyond an event
 * @net: the network
 * @t: the event, ns
 *
 * All but what rates admit: that does not depend on the event.
 */
void nc_stretch_cut(struct nc_net *net, struct nc_q t)
{
	size_t i;

	for (i = 0; i < net->flows; i++) {
		if (nc_waits_for_acks(&net->flow[i].control))
			nc_curve_cut(&net->flow[i].in, t);
		nc_curve_cut(&net->flow[i].kept, t);
		nc_curve_cut(&net->flow[i].out, t);
		net->flow[i].out_until = nc_q_min(net->flow[i].out_until, t);
	}
	nc_curve_cut(&net->offered, t);
	nc_curve_cut(&net->in, t);
	nc_curve_cut(&net->out, t);
}

/* Worth it if it makes room for half of what is there. */
static void forget(const struct nc_net *net, struct nc_curve *c, struct nc_q t)
{
	if (c->n > net->history && nc_curve_find_after(c, t) > c->n / 2)
		nc_curve_forget(c, t);
}

/* The earliest time that anyone but an algorithm asks for. */
static struct nc_q needed_since(const struct nc_net *net)
{
	struct nc_q then = nc_q_sub(net->now, net->farthest);
	struct nc_q t = nc_q_min(then, nc_inv_low(&net->in,
						  nc_curve_at(&net->out,
							      then)));
	size_t i;

	for (i = 0; i < net->flows; i++)
		t = nc_q_min(t, nc_q_sub(net->now,
					 nc_q_int(net->flow[i].control.timeout)));
	return nc_q_sub(t, net->farthest);
}

static void forget_flow(const struct nc_net *net, struct nc_flow *flow,
			struct nc_q t)
{
	if (flow->control.ops->since)
		t = nc_q_min(t, nc_q_sub(flow->control.ops->since(net, flow),
					 net->farthest));
	forget(net, &flow->in, t);
	forget(net, &flow->kept, t);
	forget(net, &flow->out, t);
	forget(net, &flow->acks, t);
}

/**
 * nc_stretch_forget() - forget the past that nobody will ask for
 * @net: the network
 *
 * That is what was before the byte was admitted that is acknowledged now, before
 * any timeout's time, and before what an algorithm still reads; and one dR more.
 */
void nc_stretch_forget(struct nc_net *net)
{
	struct nc_q t;
	size_t i;

	if (net->out.n <= net->history && net->in.n <= net->history)
		return;
	t = needed_since(net);
	for (i = 0; i < net->flows; i++)
		forget_flow(net, &net->flow[i], t);
	forget(net, &net->offered, t);
	forget(net, &net->in, t);
	forget(net, &net->out, t);
}
