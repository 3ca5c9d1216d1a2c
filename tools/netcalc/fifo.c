// SPDX-License-Identifier: GPL-2.0
/*
 * Who departs from a FIFO server (the paper's section IV-A, theorem 1).
 *
 * What departs at time x, the byte D(x), was admitted at s(x) = Ahat^up(D(x)),
 * and with FIFO all that any flow had admitted by then has departed:
 *
 *	Ahat_i(s(x)) <= D_i(x) <= Ahat_i(s(x) + eps)
 *
 * Where the aggregate rises steadily the two bounds are one, and D_i is the
 * composition of straight lines. Where it jumps, several flows may have sent
 * at the same moment; the theorem leaves open who is first. Here they share:
 * of a jump that has departed in part, each flow's part has departed in the
 * same proportion. So the D_i always sum to D.
 */
#include "fifo.h"
#include "inverse.h"

/*
 * A stretch of departures, times (x0, x1]. Either s(x) = stretch * x + base,
 * or all was admitted at @s: then (D - low) / height of each flow's jump.
 */
struct span {
	struct nc_q x0;
	struct nc_q x1;
	bool jump;
	struct nc_q stretch;
	struct nc_q base;
	struct nc_q s;
	struct nc_q low;
	struct nc_q height;
};

/* When the line gets to a height; the line rises. */
static struct nc_q time_at(const struct nc_piece *line, struct nc_q y)
{
	return nc_q_div(nc_q_sub(y, line->at0), line->slope);
}

/* The stretch that begins at x0 with the byte that departs then. */
static struct span span_from(const struct nc_net *net, const struct nc_walk *w,
			     struct nc_q x0)
{
	const struct nc_piece *line = &w->line[0], *p;
	struct span span = { .x0 = x0, .x1 = w->until };
	struct nc_q y = nc_piece_at(line, x0), end, foot;
	size_t k;

	span.s = nc_inv_up(&net->in, y);
	k = nc_curve_find_after(&net->in, span.s);
	p = &net->in.p[k];
	foot = nc_piece_at(p, p->t);
	if (nc_q_lt(y, foot)) {
		span.jump = true;
		span.low = nc_curve_at(&net->in, span.s);
		span.height = nc_q_sub(foot, span.low);
		span.x1 = nc_q_min(span.x1, time_at(line, foot));
		return span;
	}
	span.stretch = nc_q_div(line->slope, p->slope);
	span.base = nc_q_div(nc_q_sub(line->at0, p->at0), p->slope);
	end = nc_curve_end(&net->in, k);
	if (!nc_q_is_inf(end))
		span.x1 = nc_q_min(span.x1,
				   time_at(line, nc_piece_at(p, end)));
	return span;
}

/*
 * Of a jump of the aggregate: the flow's part by itself, behind so much of the others'
 * or ahead of all of it. @line is what departs, on the span.
 */
static void depart_alone(struct nc_flow *flow, const struct span *span,
			 const struct nc_piece *line, struct nc_q before,
			 struct nc_q ahead, struct nc_q own)
{
	struct nc_q begin = nc_q_add(span->low, ahead), end = nc_q_add(begin, own);
	struct nc_q x = span->x0, y = nc_piece_at(line, x);

	if (nc_q_lt(y, begin)) {
		nc_curve_add_line(&flow->out, x, NC_ZERO, before);
		x = nc_q_sign(line->slope) ? time_at(line, begin) : NC_INF;
	}
	if (nc_q_lt(y, end) && nc_q_lt(x, span->x1)) {
		nc_curve_add_line(&flow->out, x, line->slope,
				  nc_q_add(before, nc_q_sub(line->at0, begin)));
		x = nc_q_sign(line->slope) ? time_at(line, end) : NC_INF;
	}
	if (nc_q_lt(x, span->x1))
		nc_curve_add_line(&flow->out, x, NC_ZERO, nc_q_add(before, own));
}

/* Of a jump of the aggregate: nothing of the flow's, all, or its share. */
static void depart_jump(const struct nc_net *net, struct nc_flow *flow,
			const struct span *span, const struct nc_piece *line,
			enum nc_turn turn)
{
	const struct nc_curve *in = nc_flow_queued(net, flow);
	struct nc_q before = nc_curve_at(in, span->s);
	struct nc_q after = nc_curve_after(in, span->s);
	struct nc_q share = nc_q_div(nc_q_sub(after, before), span->height);
	struct nc_q at0 = nc_q_mul(share, nc_q_sub(line->at0, span->low));

	if (turn == NC_TURN_AHEAD || turn == NC_TURN_BEHIND)
		depart_alone(flow, span, line, before, turn == NC_TURN_AHEAD ? NC_ZERO :
			     nc_q_sub(span->height, nc_q_sub(after, before)),
			     nc_q_sub(after, before));
	else if (turn == NC_TURN_SHARED)
		nc_curve_add_line(&flow->out, span->x0,
				  nc_q_mul(share, line->slope),
				  nc_q_add(before, at0));
	else
		nc_curve_add_line(&flow->out, span->x0, NC_ZERO,
				  turn == NC_TURN_LAST ? before : after);
}

/* Ahat_i(s(x)), line by line. */
static void depart_rise(const struct nc_net *net, struct nc_flow *flow,
			const struct span *span)
{
	const struct nc_curve *in = nc_flow_queued(net, flow);
	struct nc_q s0 = nc_q_add(nc_q_mul(span->stretch, span->x0),
				  span->base);
	struct nc_q x = span->x0;
	size_t i = nc_curve_find_after(in, s0);

	while (nc_q_lt(x, span->x1) && !nc_q_is_lost()) {
		const struct nc_piece zero = { NC_ZERO, NC_ZERO, NC_ZERO };
		const struct nc_piece *p = &zero;
		struct nc_q end = NC_INF;

		if (i < in->n) {
			p = &in->p[i];
			end = nc_curve_end(in, i++);
		}
		nc_curve_add_line(&flow->out, x,
				  nc_q_mul(p->slope, span->stretch),
				  nc_q_add(p->at0, nc_q_mul(p->slope,
							    span->base)));
		if (nc_q_is_inf(end))
			break;
		x = nc_q_div(nc_q_sub(end, span->base), span->stretch);
	}
}

/* Nothing departs while nothing waits: the flow has got what it sent. */
static void depart_none(const struct nc_net *net, struct nc_flow *flow,
			const struct nc_walk *w)
{
	nc_curve_add_line(&flow->out, w->from, NC_ZERO,
			  nc_curve_at(nc_flow_queued(net, flow), w->until));
}

/* Nothing departs though something waits: what had departed by then stays. */
static void depart_later(const struct nc_net *net, struct nc_flow *flow,
			 const struct nc_walk *w, enum nc_turn turn)
{
	struct nc_q y = nc_piece_at(&w->line[0], w->from);
	struct nc_q s = nc_inv_up(&net->in, y), low = nc_curve_at(&net->in, s);
	const struct nc_piece still = { w->from, NC_ZERO, y };
	const struct span span = {
		.x0 = w->from, .x1 = w->until, .s = s, .low = low,
		.height = nc_q_sub(nc_curve_after(&net->in, s), low),
	};

	if (nc_q_sign(span.height))
		depart_jump(net, flow, &span, &still, turn);
	else
		nc_curve_add_line(&flow->out, w->from, NC_ZERO,
				  nc_curve_at(nc_flow_queued(net, flow), s));
}

static bool something_waits(const struct nc_walk *w)
{
	return nc_q_lt(nc_piece_at(&w->line[0], w->until),
		       nc_piece_at(&w->line[1], w->until));
}

static void depart(const struct nc_net *net, struct nc_flow *flow,
		   const struct nc_walk *w, const struct span *span,
		   enum nc_turn turn)
{
	if (!span && something_waits(w))
		depart_later(net, flow, w, turn);
	else if (!span)
		depart_none(net, flow, w);
	else if (span->jump)
		depart_jump(net, flow, span, &w->line[0], turn);
	else
		depart_rise(net, flow, span);
}

/* Are its departures computed all along? Windows wait for acknowledgments. */
bool nc_flow_followed(const struct nc_net *net, const struct nc_flow *flow)
{
	return !net->totals || net->buffer || nc_waits_for_acks(&flow->control);
}

/* All the departures of a server, to those who want to know theirs. */
struct audience {
	struct nc_net *net;
	struct nc_flow *only;	/* NULL: all that are followed */
	enum nc_turn turn;
};

static void tell(const struct audience *a, const struct nc_walk *w,
		 const struct span *span)
{
	size_t i;

	if (a->only) {
		depart(a->net, a->only, w, span, a->turn);
		return;
	}
	for (i = 0; i < a->net->flows; i++)
		if (nc_flow_followed(a->net, &a->net->flow[i]))
			depart(a->net, &a->net->flow[i], w, span, a->turn);
}

/*
 * Where the server always sends while something waits, @in is not needed: nothing
 * departs only while nothing waits.
 */
static void demux(const struct audience *a, const struct nc_curve *in,
		  struct nc_q from, struct nc_q until)
{
	struct nc_walk w;

	nc_walk_start(&w, nc_view(&a->net->out), nc_view(in), from, until);
	while (nc_walk_next(&w)) {
		struct nc_q x = w.from;

		if (!nc_q_sign(w.line[0].slope)) {
			tell(a, &w, NULL);
			continue;
		}
		while (nc_q_lt(x, w.until) && !nc_q_is_lost()) {
			struct span span = span_from(a->net, &w, x);

			tell(a, &w, &span);
			x = span.x1;
		}
	}
}

/**
 * nc_fifo_demux() - the departures of each flow that is followed
 * @net: with @in and @out, and each flow's in, up to @until
 * @from: from when on, ns
 * @until: up to when, ns
 *
 * Continues each flow's out over (from, until].
 */
void nc_fifo_demux(struct nc_net *net, struct nc_q from, struct nc_q until)
{
	const struct nc_curve zero = NC_CURVE_EMPTY;

	demux(&(struct audience){ net, NULL, NC_TURN_SHARED }, &zero, from, until);
}

/**
 * nc_fifo_flow() - the departures of a flow that is not followed
 * @net: as of nc_fifo_demux()
 * @flow: gets its out right on (from, until]; it may be wrong elsewhere
 * @from: from when on, ns
 * @until: up to when, ns
 *
 * Continues what is known, or begins anew: then what lies between is never
 * computed. So a flow pays for what it asks for, and not for every bend that
 * any other flow makes.
 */
void nc_fifo_flow(struct nc_net *net, struct nc_flow *flow, struct nc_q from,
		  struct nc_q until)
{
	const struct nc_curve zero = NC_CURVE_EMPTY;

	if (nc_flow_followed(net, flow))
		return;
	from = nc_q_max(from, NC_ZERO);
	if (nc_q_lt(from, flow->out_from) || nc_q_lt(flow->out_until, from)) {
		flow->out.n = 0;
		flow->out_from = from;
		flow->out_until = from;
	}
	if (!nc_q_lt(flow->out_until, until))
		return;
	demux(&(struct audience){ net, flow, NC_TURN_SHARED }, &zero,
	      flow->out_until, until);
	flow->out_until = until;
}

/**
 * nc_fifo_bound() - the departures of a flow, whoever is first
 * @net: with @in and @out, and each flow's in, up to @until; of any server
 * @flow: gets its out
 * @turn: whose turn it is where several sent at the same moment
 * @until: up to when, ns
 *
 * With NC_TURN_LAST and NC_TURN_FIRST the two bounds of theorem 1.
 */
void nc_fifo_bound(struct nc_net *net, struct nc_flow *flow, enum nc_turn turn,
		   struct nc_q until)
{
	nc_curve_free(&flow->out);
	demux(&(struct audience){ net, flow, turn }, &net->in, NC_ZERO, until);
}

/* D_i as the source learns of it, from a time on; computed if need be. */
struct nc_view nc_flow_learnt(struct nc_net *net, struct nc_flow *flow,
			      struct nc_q from, struct nc_q until)
{
	struct nc_q before = nc_q_sub(nc_q_sub(from, flow->feedback),
				      nc_q_int(1));

	nc_fifo_flow(net, flow, before, nc_q_sub(until, flow->feedback));
	return nc_view_late(&flow->out, flow->feedback);
}
