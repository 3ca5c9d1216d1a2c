// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notifications and pauses (the paper's section III-B).
 *
 * ECN: a packet that departs at t is marked if the backlog B(t) is K_max or
 * more, and its notification is at the source dR later. Two notifications of
 * a flow are at least a gap apart. So a mark at t
 *
 *	1. is told at once if the last notification is a gap or more ago,
 *	2. else one gap after the last one,
 *	3. or not at all if one is scheduled already.
 *
 * RED: between K_min and K_max a packet is marked with probability
 * P_max (B - K_min) / (K_max - K_min).
 *
 * PFC: from t_P = inf{s >= t: B(s - dR) > X_off} on nothing is sent, and at
 * t_R = t_P + (X_off - X_on) / C all may send again; if B(t_R - dR) is still
 * above X_off, the next pause follows at once.
 *
 * What the paper leaves open, and what we chose:
 *  - Who is notified of a mark: every flow that has something in the queue
 *    then. (The paper's flows are all alike.)
 *  - A mark at the very moment of the last notification does not schedule the
 *    next one, or a single mark would be told twice.
 *  - RED draws no lots. Marks are expected values: a flow gets one whenever
 *    the probabilities of the packets it had depart sum to 1. The sums start
 *    spread over [0, 1), as equal flows would all be marked at once else.
 *    Within a stretch in which the backlog is straight a flow's departures
 *    are taken as even. These sums are the one thing kept in floating point.
 *  - The printed probability is 0 "for x <= K_max"; K_min is meant.
 */
#include "fifo.h"
#include "inverse.h"
#include "mark.h"

#define PPM	1e6

/* The integral of the marking probability over the backlog, up to b. */
static double red_integral(const struct nc_ecn *ecn, double b)
{
	double width = (double)(ecn->kmax - ecn->kmin);
	double x = b - (double)ecn->kmin;

	if (x <= 0)
		return 0;
	if (x > width)
		x = width;
	return (double)ecn->pmax / PPM * x * x / (2 * width);
}

static double red_share(const struct nc_ecn *ecn, double b)
{
	double x = b - (double)ecn->kmin;
	double width = (double)(ecn->kmax - ecn->kmin);

	if (x <= 0 || x >= width)
		return 0;
	return (double)ecn->pmax / PPM * x / width;
}

/* Marks expected of so many packets while the backlog goes from b0 to b1. */
static double red_marks(const struct nc_ecn *ecn, double b0, double b1,
			double packets)
{
	if (b0 == b1)
		return packets * red_share(ecn, b0);
	return packets * (red_integral(ecn, b1) - red_integral(ecn, b0)) /
	       (b1 - b0);
}

/* The backlog at a time of the walk's interval. */
static double walk_backlog(const struct nc_walk *w, struct nc_q t)
{
	return nc_q_double(nc_q_sub(nc_piece_at(&w->line[0], t),
				    nc_piece_at(&w->line[1], t)));
}

static double walk_marks(const struct nc_net *net, const struct nc_flow *flow,
			 const struct nc_walk *w, struct nc_q to)
{
	double b0 = walk_backlog(w, w->from), b1 = walk_backlog(w, to);
	struct nc_q packets;

	if (b0 <= (double)net->ecn.kmin && b1 <= (double)net->ecn.kmin)
		return 0;
	packets = nc_q_sub(nc_curve_at(&flow->out, to),
			   nc_curve_at(&flow->out, w->from));
	return red_marks(&net->ecn, b0, b1, nc_q_double(packets) /
			 (double)net->ecn.packet);
}

/* The first whole ns in an interval at which the sum of shares gets to 1. */
static struct nc_q red_time(const struct nc_net *net,
			    const struct nc_flow *flow,
			    const struct nc_walk *w, double share)
{
	struct nc_q low = nc_q_floor(w->from), high = nc_q_ceil(w->until);
	struct nc_q gap = nc_q_sub(high, low);

	while (nc_q_lt(nc_q_int(1), gap)) {
		struct nc_q middle;

		middle = nc_q_add(low, nc_q_floor(nc_q_div(gap, nc_q_int(2))));
		if (share + walk_marks(net, flow, w, middle) >= 1)
			high = middle;
		else
			low = middle;
		gap = nc_q_sub(high, low);
	}
	return high;
}

/*
 * The first mark by RED in (after, until], times at the source; adds what is
 * expected until then to the share.
 */
static struct nc_q red_mark(struct nc_net *net, struct nc_flow *flow,
			    struct nc_q after, struct nc_q until, double *share)
{
	struct nc_walk w;

	if (!net->ecn.pmax || !nc_q_lt(after, until))
		return NC_INF;
	nc_flow_learnt(net, flow, after, until);
	nc_walk_start(&w, nc_view(&net->in), nc_view(&net->out),
		      nc_q_sub(after, net->feedback),
		      nc_q_sub(until, net->feedback));
	while (nc_walk_next(&w)) {
		double marks = walk_marks(net, flow, &w, w.until);

		if (*share + marks >= 1) {
			struct nc_q t = red_time(net, flow, &w, *share);

			*share = 1;
			return nc_q_add(t, net->feedback);
		}
		*share += marks;
	}
	return NC_INF;
}

/* Has the flow something in the queue, as the source learns at time t? */
static bool waits(const struct nc_net *net, const struct nc_flow *flow,
		  struct nc_q t)
{
	struct nc_q then = nc_q_sub(t, net->feedback);

	return nc_q_lt(nc_curve_at(&flow->out, then),
		       nc_curve_at(nc_flow_queued(net, flow), then));
}

/*
 * Has all that it sends up to a time departed before t, times at the source? What
 * is known of its departures may be older: then they are no more than that.
 */
static bool stays_idle(const struct nc_net *net, const struct nc_flow *flow,
		       struct nc_q t, struct nc_q until)
{
	struct nc_q then = nc_q_sub(t, net->feedback);

	if (!nc_flow_followed(net, flow))
		then = nc_q_min(then, flow->out_until);
	return nc_q_eq(nc_curve_at(&flow->out, then),
		       nc_curve_at(nc_flow_queued(net, flow),
				   nc_q_sub(until, net->feedback)));
}

static struct nc_view full_level(const struct nc_net *net)
{
	struct nc_view level = nc_view_late(&net->out, net->feedback);

	level.dy = nc_q_int(net->ecn.kmax);
	return level;
}

/*
 * The first time up to @until that the source learns of K_max while the flow has
 * something in the queue; @t is the first time at all.
 */
static struct nc_q full_mark(struct nc_net *net, struct nc_flow *flow,
			     struct nc_q t, struct nc_q until)
{
	struct nc_view in = nc_view_late(&net->in, net->feedback);
	struct nc_q after;

	if (nc_q_lt(until, t) || stays_idle(net, flow, t, until))
		return NC_INF;
	nc_flow_learnt(net, flow, t, until);
	while (nc_q_le(t, until) && !nc_q_is_lost()) {
		if (waits(net, flow, t))
			return t;
		if (stays_idle(net, flow, t, until))
			return NC_INF;
		t = nc_first_below(nc_view_late(&flow->out, net->feedback),
				   nc_view_late(nc_flow_queued(net, flow),
						net->feedback), t,
				   until, false);
		if (nc_q_is_inf(t))
			return t;
		after = nc_q_sub(t, nc_q_int(1));
		t = nc_first_below(full_level(net), in, after, until, true);
	}
	return NC_INF;
}

/* Does RED mark anything? Below K_min it does not, and above K_max all is marked. */
static bool red_marks_some(const struct nc_net *net, struct nc_q until)
{
	double low = (double)net->ecn.kmin, high = (double)net->ecn.kmax;
	struct nc_walk w;

	if (!net->ecn.pmax)
		return false;
	nc_walk_start(&w, nc_view(&net->in), nc_view(&net->out),
		      nc_q_sub(net->now, net->feedback),
		      nc_q_sub(until, net->feedback));
	while (nc_walk_next(&w)) {
		double b0 = walk_backlog(&w, w.from);
		double b1 = walk_backlog(&w, w.until);

		if ((b0 > low || b1 > low) && (b0 < high || b1 < high))
			return true;
	}
	return false;
}

/**
 * nc_mark_look() - what can mark anyone
 * @net: computed up to @until
 * @until: how far to look, ns
 *
 * Return: what nc_mark_next() and nc_mark_upto() need, the same for all flows.
 */
struct nc_sight nc_mark_look(const struct nc_net *net, struct nc_q until)
{
	struct nc_sight sight = { .full = NC_INF };

	if (!net->ecn.kmax)
		return sight;
	sight.red = red_marks_some(net, until);
	sight.full = nc_first_below(full_level(net),
				    nc_view_late(&net->in, net->feedback),
				    net->now, until, true);
	return sight;
}

static bool can_be_marked(const struct nc_net *net, const struct nc_flow *flow)
{
	return net->ecn.kmax && flow->control.ops->notified;
}

/* When the next mark up to @until is told; also brings the share up to it. */
static struct nc_q find_mark(struct nc_net *net, struct nc_flow *flow,
			     const struct nc_sight *sight, struct nc_q until,
			     double *share)
{
	const struct nc_mark *mark = &flow->mark;
	struct nc_q full, red = NC_INF;

	if (!can_be_marked(net, flow) || !nc_q_is_inf(mark->due))
		return mark->due;
	full = full_mark(net, flow, sight->full, until);
	if (sight->red)
		red = red_mark(net, flow, net->now, nc_q_min(full, until), share);
	full = nc_q_min(full, red);
	if (mark->count && !nc_q_is_inf(full))
		return nc_q_max(full, nc_q_add(mark->last,
					       nc_q_int(net->ecn.gap)));
	return full;
}

/**
 * nc_mark_start() - no notification yet
 * @mark: of a flow
 * @flow: its number
 * @flows: of so many
 */
void nc_mark_start(struct nc_mark *mark, size_t flow, size_t flows)
{
	*mark = (struct nc_mark){
		.due = NC_INF, .share = (double)flow / (double)flows,
	};
}

/**
 * nc_mark_next() - when the next notification comes
 * @net: computed up to @until
 * @flow: for which flow
 * @sight: of this time or a later one
 * @until: how far to look, ns
 *
 * Return: the time at the source, whole ns; infinity if none is in sight.
 */
struct nc_q nc_mark_next(struct nc_net *net, struct nc_flow *flow,
			 const struct nc_sight *sight, struct nc_q until)
{
	double share = flow->mark.share;

	return find_mark(net, flow, sight, until, &share);
}

/**
 * nc_mark_upto() - take note of the marks up to a time
 * @net: computed up to @to; @net->now is the last event
 * @flow: for which flow
 * @sight: of this time
 * @to: the next event, ns
 */
void nc_mark_upto(struct nc_net *net, struct nc_flow *flow,
		  const struct nc_sight *sight, struct nc_q to)
{
	flow->mark.due = find_mark(net, flow, sight, to, &flow->mark.share);
}

/**
 * nc_mark_packet() - does a packet carry a mark?
 * @net: computed up to its departure, or later
 * @flow: whose it is; of an algorithm that asks for marks, packet by packet
 * @y: the packet's last byte
 *
 * As a notification, by the backlog at its departure, or, of a server that marks what
 * comes, by the one it found. RED draws no lots here, either.
 */
bool nc_mark_packet(const struct nc_net *net, struct nc_flow *flow,
		    struct nc_q y)
{
	const struct nc_curve *c = net->ecn.arriving ? &flow->in : &flow->out;
	struct nc_q b;

	if (!net->ecn.kmax)
		return false;
	b = nc_net_backlog(net, nc_inv_low(c, y));
	if (nc_q_le(nc_q_int(net->ecn.kmax), b))
		return true;
	flow->mark.share += red_share(&net->ecn, nc_q_double(b));
	if (flow->mark.share < 1)
		return false;
	flow->mark.share -= 1;
	return true;
}

/**
 * nc_mark_arrived() - does a notification come now?
 * @mark: of a flow
 * @now: ns
 *
 * Return: true if so; it is the last one from then on.
 */
bool nc_mark_arrived(struct nc_mark *mark, struct nc_q now)
{
	if (nc_q_lt(now, mark->due))
		return false;
	mark->last = now;
	mark->count++;
	mark->due = NC_INF;
	if (mark->share >= 1)
		mark->share = 0;
	return true;
}

/**
 * nc_pfc_next() - when the pause ends or the next one begins
 * @net: computed up to @until
 * @until: how far to look, ns
 *
 * Return: the time, whole ns; infinity if it is not in sight.
 */
struct nc_q nc_pfc_next(const struct nc_net *net, struct nc_q until)
{
	struct nc_view level = nc_view_late(&net->out, net->feedback);

	if (!net->pfc.off || !nc_q_is_inf(net->pfc.until))
		return net->pfc.until;
	level.dy = nc_q_int(net->pfc.off);
	return nc_first_below(level, nc_view_late(&net->in, net->feedback),
			      net->now, until, false);
}

/**
 * nc_pfc_at() - pause or resume, as the backlog is
 * @net: at @net->now
 */
void nc_pfc_at(struct nc_net *net)
{
	struct nc_pfc *pfc = &net->pfc;
	struct nc_q then = nc_q_sub(net->now, net->feedback), pause;

	if (!pfc->off)
		return;
	if (!nc_q_is_inf(pfc->until) && nc_q_lt(net->now, pfc->until))
		return;
	pfc->until = NC_INF;
	if (nc_q_le(nc_net_backlog(net, then), nc_q_int(pfc->off)))
		return;
	pause = nc_q_div(nc_q_int(pfc->off - pfc->on), net->rate);
	pfc->until = nc_q_add(net->now, nc_q_ceil(pause));
	pfc->pauses++;
}
