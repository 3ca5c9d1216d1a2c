// SPDX-License-Identifier: GPL-2.0
/* The loop over congestion events; net.h tells how it works. */
#include <errno.h>

#include "fifo.h"
#include "inverse.h"
#include "loop.h"
#include "mark.h"
#include "stretch.h"

#define HISTORY_PIECES	4096

static bool has_timeout(const struct nc_control *c)
{
	return c->timeout > 0 && c->ops->timeout;
}

/* The first time at which an acknowledgment is overdue. */
static struct nc_q next_timeout(struct nc_net *net, struct nc_flow *flow,
				struct nc_q after, struct nc_q until)
{
	struct nc_q patience = nc_q_int(flow->control.timeout);

	if (!has_timeout(&flow->control) || nc_q_le(until, flow->patient))
		return NC_INF;
	return nc_first_below(nc_flow_learnt(net, flow, after, until),
			      nc_view_late(&flow->in, patience), after, until,
			      false);
}

/*
 * What is not acknowledged by now was sent after some time, and no timeout is
 * possible before it is so old: until then there is no need to look.
 */
static struct nc_q patient_until(struct nc_net *net, struct nc_flow *flow)
{
	struct nc_q acked = nc_view_at(nc_flow_learnt(net, flow, net->now, net->now),
				       net->now);
	struct nc_q sent = nc_q_min(net->now, nc_inv_up(&flow->in, acked));

	return nc_q_add(sent, nc_q_int(flow->control.timeout));
}

static struct nc_q first_timeout(struct nc_net *net, struct nc_flow *flow,
				 struct nc_q until)
{
	struct nc_q t = next_timeout(net, flow, net->now, until);

	if (has_timeout(&flow->control) && nc_q_lt(flow->patient, until))
		flow->patient = patient_until(net, flow);
	return t;
}

/* When the law acts next, as far as is known. */
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
	struct nc_q acked = nc_view_at(nc_flow_learnt(net, flow, net->now, net->now),
				       net->now);

	flow->timeouts++;
	flow->bend = NC_ZERO;
	flow->known = NC_ZERO;
	flow->origin = (struct nc_origin){ net->now, nc_q_floor(acked) };
	nc_curve_free(&flow->in);
	nc_curve_free(&flow->out);
	nc_curve_free(&flow->acks);
	nc_curve_add_line(&flow->in, NC_ZERO, NC_ZERO, flow->origin.y);
	nc_curve_add_line(&flow->out, NC_ZERO, NC_ZERO, flow->origin.y);
	nc_curve_add_line(&flow->acks, NC_ZERO, NC_ZERO, flow->origin.y);
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
		err = err ? err : net->flow[i].out.err;
		err = err ? err : net->flow[i].acks.err;
	}
	err = err ? err : net->in.err;
	return err ? err : net->out.err;
}

/* Compute up to the first event, and no further. */
static void advance(struct nc_net *net)
{
	struct nc_q until = nc_stretch_horizon(net);

	nc_stretch_compute(net, until);
	until = first_event(net, until);
	take_marks(net, until);
	nc_stretch_cut(net, until);
	if (nc_q_is_lost())	/* the event may be wrong */
		return;
	net->now = until;
	net->served = nc_curve_at(&net->out, until);
}

/* All that happens at the event. */
static void react(struct nc_net *net)
{
	handle_timeouts(net);
	handle_marks(net);
	handle_ticks(net);
	nc_pfc_at(net);
	nc_stretch_forget(net);
	net->events++;
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
	react(net);
	return first_error(net);
}

/**
 * nc_net_run() - compute a network from 0 to @stop
 * @net: rate, feedback, stop, ecn, pfc and flows are set, the rest is 0
 *
 * Return: 0; -EOVERFLOW if a number went beyond 127 bits; -ENOMEM.
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
