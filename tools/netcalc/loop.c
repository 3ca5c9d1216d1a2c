// SPDX-License-Identifier: GPL-2.0
/* The loop over congestion events; net.h tells how it works. */
#include <errno.h>

#include "buffer.h"
#include "fifo.h"
#include "inverse.h"
#include "loop.h"
#include "mark.h"
#include "stretch.h"

#define HISTORY_PIECES	4096

/* The first time at which an acknowledgment is overdue. */
static struct nc_q next_timeout(struct nc_net *net, struct nc_flow *flow,
				struct nc_q after, struct nc_q until)
{
	struct nc_view sent = nc_view_late(&flow->in,
					   nc_q_int(flow->control.timeout));
	struct nc_piece line = { NC_ZERO, NC_ZERO, flow->hole };
	const struct nc_curve hole = { .p = &line, .n = 1 };
	struct nc_q t;

	if (!nc_has_timeout(&flow->control) || nc_q_le(until, flow->patient))
		return NC_INF;
	t = nc_first_below(nc_flow_learnt(net, flow, after, until), sent, after,
			   until, false);
	if (nc_q_is_inf(flow->hole))
		return t;
	return nc_q_min(t, nc_first_below(nc_view(&hole), sent, after, until,
					  false));
}

/* What has been acknowledged by now: nothing beyond the first loss. */
static struct nc_q acked_now(struct nc_net *net, struct nc_flow *flow)
{
	struct nc_view learnt = nc_flow_learnt(net, flow, net->now, net->now);

	return nc_q_min(nc_view_at(learnt, net->now), flow->hole);
}

/*
 * What is not acknowledged by now was sent after some time, and no timeout is
 * possible before it is so old: until then there is no need to look.
 */
static struct nc_q patient_until(struct nc_net *net, struct nc_flow *flow)
{
	struct nc_q acked = acked_now(net, flow);
	struct nc_q sent = nc_q_min(net->now, nc_inv_up(&flow->in, acked));

	return nc_q_add(sent, nc_q_int(flow->control.timeout));
}

static struct nc_q first_timeout(struct nc_net *net, struct nc_flow *flow,
				 struct nc_q until)
{
	struct nc_q t = next_timeout(net, flow, net->now, until);

	if (nc_has_timeout(&flow->control) && nc_q_lt(flow->patient, until))
		flow->patient = patient_until(net, flow);
	return t;
}

/* When the algorithm acts next, as far as is known. */
static struct nc_q next_tick(const struct nc_net *net,
			     const struct nc_flow *flow, struct nc_q until)
{
	const struct nc_control_ops *ops = flow->control.ops;

	return ops->timed ? flow->control.due : ops->next(net, flow, until);
}

/* The first event in (now, until], or until. */
static struct nc_q first_event(struct nc_net *net, struct nc_q until)
{
	struct nc_sight sight = nc_mark_look(net, until);
	size_t i;

	for (i = 0; i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];

		until = nc_q_min(until, next_tick(net, flow, until));
		until = nc_q_min(until, first_timeout(net, flow, until));
		until = nc_q_min(until, nc_mark_next(net, flow, &sight, until));
	}
	until = nc_q_min(until, nc_buffer_next(net));
	return nc_q_min(until, nc_pfc_next(net, until));
}

/* The marks up to the event are what they are. */
static void take_marks(struct nc_net *net, struct nc_q until)
{
	struct nc_sight sight = nc_mark_look(net, until);
	size_t i;

	for (i = 0; i < net->flows; i++)
		nc_mark_upto(net, &net->flow[i], &sight, until);
}

/*
 * Go-back-N. What was not acknowledged leaves the server's queue and is to be
 * sent once more. In the new coordinates all of the past lies at their origin.
 */
static void go_back(struct nc_net *net, struct nc_flow *flow)
{
	struct nc_curve *const curve[] = {
		&flow->in, &flow->kept, &flow->out, &flow->acks,
	};
	size_t i;

	flow->timeouts++;
	flow->bend = NC_ZERO;
	flow->known = NC_ZERO;
	flow->origin = (struct nc_origin){
		net->now, nc_q_floor(acked_now(net, flow)),
	};
	flow->hole = NC_INF;
	for (i = 0; i < sizeof(curve) / sizeof(*curve); i++) {
		nc_curve_free(curve[i]);
		nc_curve_add_line(curve[i], NC_ZERO, NC_ZERO, flow->origin.y);
	}
	flow->out_from = NC_ZERO;
	flow->out_until = net->now;
	flow->ack_next = nc_q_add(flow->origin.y,
				  nc_q_int(flow->control.packet));
}

/*
 * The server's curves after flows went back. Where D goes on is rounded up to
 * the grid of rates and times, so that fractions do not grow with each
 * timeout: by less than 10^-6 bytes.
 */
static void sum_again(struct nc_net *net, struct nc_q since)
{
	const struct nc_q grid = nc_q_int(NC_KBPS_PER_BYTE_NS);
	struct nc_q y;

	nc_curve_free(&net->in);
	nc_curve_free(&net->out);
	nc_stretch_sum(net, NC_SUM_IN, NC_ZERO, net->now, &net->in);
	if (net->buffer) {
		nc_curve_free(&net->offered);
		nc_stretch_sum(net, NC_SUM_OFFERED, NC_ZERO, net->now,
			       &net->offered);
	}
	nc_stretch_sum(net, NC_SUM_OUT, since, net->now, &net->out);
	y = nc_q_ceil(nc_q_mul(nc_curve_at(&net->out, net->now), grid));
	net->served = nc_q_min(nc_q_div(y, grid),
			       nc_curve_at(&net->in, net->now));
}

/* How far back the D_i are summed: all of what is known, or what is needed. */
static struct nc_q sum_since(struct nc_net *net)
{
	struct nc_q since = nc_q_sub(net->now, net->farthest);
	size_t i;

	if (!net->totals)
		return NC_ZERO;
	if (net->ecn.arriving)	/* marks are of when what is acknowledged had come */
		since = nc_inv_low(&net->in, nc_curve_at(&net->out, since));
	since = nc_q_max(nc_q_sub(since, nc_q_int(1)), NC_ZERO);
	for (i = 0; i < net->flows; i++)
		nc_fifo_flow(net, &net->flow[i], since, net->now);
	return since;
}

static bool is_overdue(struct nc_net *net, struct nc_flow *flow)
{
	struct nc_q before = nc_q_sub(net->now, nc_q_int(1));

	return !nc_q_is_inf(next_timeout(net, flow, before, net->now));
}

static void handle_timeouts(struct nc_net *net)
{
	struct nc_q since = NC_INF;
	size_t i;

	for (i = 0; i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];

		if (!is_overdue(net, flow))
			continue;
		if (nc_q_is_inf(since))	/* while the server's curves are right */
			since = sum_since(net);
		go_back(net, flow);
		flow->control.ops->timeout(&flow->control, net->now);
	}
	if (!nc_q_is_inf(since))
		sum_again(net, since);
}

static void handle_marks(struct nc_net *net)
{
	size_t i;

	for (i = 0; i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];

		if (!nc_mark_arrived(&flow->mark, net->now))
			continue;
		flow->control.ops->notified(&flow->control, net->now);
	}
}

static void handle_ticks(struct nc_net *net)
{
	size_t i;

	for (i = 0; i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];

		if (nc_q_le(next_tick(net, flow, net->now), net->now))
			flow->control.ops->tick(net, flow);
	}
}

/* The first error of any curve, or a lost number, which is told once. */
static int first_error(const struct nc_net *net)
{
	int err = nc_q_lost() ? -EOVERFLOW : 0;
	size_t i;

	for (i = 0; i < net->flows && !err; i++) {
		err = net->flow[i].in.err;
		err = err ? err : net->flow[i].kept.err;
		err = err ? err : net->flow[i].out.err;
		err = err ? err : net->flow[i].acks.err;
	}
	err = err ? err : net->offered.err;
	err = err ? err : net->in.err;
	return err ? err : net->out.err;
}

/* What came by now and did not enter, of flows that have not gone back since. */
static double missing(const struct nc_net *net)
{
	return nc_q_double(nc_curve_at(&net->offered, net->now)) -
	       nc_q_double(nc_curve_at(&net->in, net->now));
}

/* Compute up to the first event, and no further. */
static void advance(struct nc_net *net)
{
	struct nc_q until = nc_stretch_horizon(net);
	double before = missing(net);

	nc_stretch_compute(net, until);
	until = first_event(net, until);
	take_marks(net, until);
	nc_stretch_cut(net, until);
	if (nc_q_is_lost())	/* the event may be wrong */
		return;
	net->now = until;
	net->served = nc_curve_at(&net->out, until);
	if (net->buffer)
		net->lost += missing(net) - before;
}

/* All that happens at the event; an algorithm may have no answer to it. */
static int react(struct nc_net *net)
{
	int err = nc_buffer_react(net);

	handle_timeouts(net);
	handle_marks(net);
	handle_ticks(net);
	nc_pfc_at(net);
	nc_stretch_forget(net);
	net->events++;
	return err ? err : first_error(net);
}

/* From now to the next event. Nobody is shown a number that is wrong. */
static int step(struct nc_net *net)
{
	struct nc_q before = net->now;
	int err;

	advance(net);
	err = first_error(net);
	if (err)
		return err;
	if (net->record)
		net->record(net->context, net, before, net->now);
	return react(net);
}

/**
 * nc_net_run() - compute a network from 0 to @stop
 * @net: rate, feedback, stop, ecn, pfc and flows are set, the rest is 0
 *
 * Return: 0; -EOVERFLOW if a number went beyond 127 bits; -ENOBUFS if the buffer is
 * full and @loser's algorithm has no answer; -ENOMEM.
 */
int nc_net_run(struct nc_net *net)
{
	int err = 0;
	size_t i;

	net->now = NC_ZERO;
	net->served = NC_ZERO;
	net->farthest = net->feedback;
	net->sum = (struct nc_piece){ NC_ZERO, NC_ZERO, NC_ZERO };
	net->pfc.until = NC_INF;
	if (!net->history)
		net->history = HISTORY_PIECES;
	for (i = 0; i < net->flows; i++) {
		struct nc_flow *flow = &net->flow[i];

		flow->origin = (struct nc_origin){ NC_ZERO, NC_ZERO };
		if (!nc_q_sign(flow->feedback))
			flow->feedback = net->feedback;
		net->farthest = nc_q_max(net->farthest, flow->feedback);
		flow->ack_next = nc_q_int(flow->control.packet);
		flow->part = (struct nc_piece){ NC_ZERO, NC_ZERO, NC_ZERO };
		flow->bend = NC_ZERO;
		flow->known = NC_ZERO;
		flow->hole = NC_INF;
		flow->patient = NC_ZERO;
		flow->out_from = NC_ZERO;
		flow->out_until = NC_ZERO;
		nc_mark_start(&flow->mark, i, net->flows);
	}
	for (i = 0; i < net->flows && !err; i++)
		if (net->flow[i].control.ops->start)
			err = net->flow[i].control.ops->start(net, &net->flow[i]);
	while (!err && nc_q_lt(net->now, net->stop))
		err = step(net);
	return err;
}
