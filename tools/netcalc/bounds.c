// SPDX-License-Identifier: GPL-2.0
/*
 * What departs of a flow from a FIFO server, or from several of them in a row: theorem 1
 * as a table.
 *
 * A flow that comes no later departs no later, and so does one before which less of the
 * others' is served: the backlog ahead of a byte is then no larger, and what the server
 * has sent is no less, as a convolution grows with the curve. So what departs at least
 * from one hop, taken for what comes to the next one, gives what departs at least from
 * that one, and the same holds of the most.
 */
#include <errno.h>

#include "bounds.h"
#include "csv.h"
#include "fifo.h"
#include "inverse.h"

enum input { FLOW, OTHERS };

#define COLUMNS	3	/* at least, shared, at most */

static const enum nc_turn turns[2][COLUMNS] = {
	{ NC_TURN_BEHIND, NC_TURN_SHARED, NC_TURN_AHEAD },
	{ NC_TURN_LAST, NC_TURN_SHARED, NC_TURN_FIRST },
};

/* The first bend after a time of any of the curves, or the end. */
static struct nc_q next_bend(const struct nc_curve *curve, struct nc_q t,
			     struct nc_q until)
{
	size_t k, i;

	for (k = 0; k < COLUMNS; k++) {
		i = nc_curve_find_after(&curve[k], t);
		i = i < curve[k].n ? i + 1 : 0;
		if (i < curve[k].n && nc_q_lt(t, curve[k].p[i].t))
			until = nc_q_min(until, curve[k].p[i].t);
	}
	return until;
}

static int write_row(const struct nc_curve *curve, struct nc_q t, bool after,
		     bool exact, FILE *file)
{
	int k, err = nc_csv_number(file, t, exact);

	for (k = 0; k < COLUMNS && !err; k++) {
		fputc(',', file);
		err = nc_csv_number(file, after ? nc_curve_after(&curve[k], t) :
				    nc_curve_at(&curve[k], t), exact);
	}
	fputc('\n', file);
	return err;
}

static int write_rows(const struct nc_curve *curve, struct nc_q until, bool exact,
		      FILE *file)
{
	struct nc_q t = NC_ZERO;
	int err = 0;

	fputs("t_ns,least,shared,most\n", file);
	while (!err && nc_q_lt(t, until)) {
		struct nc_q next = next_bend(curve, t, until);

		err = write_row(curve, t, true, exact, file);
		if (!err)
			err = write_row(curve, next, false, exact, file);
		t = next;
		if (nc_q_is_lost())
			err = -EOVERFLOW;
	}
	return err;
}

static struct nc_q last_bend(const struct nc_curve *c, struct nc_q t)
{
	return c->n ? nc_q_max(t, c->p[c->n - 1].t) : t;
}

/* From when on all is straight: what had come at the last bend has departed. */
static struct nc_q settled(const struct nc_net *net)
{
	struct nc_q t = nc_q_int(1), left;
	size_t i;

	for (i = 0; i < net->flows; i++)
		t = last_bend(&net->flow[i].in, t);
	left = nc_inv_low(&net->out, nc_curve_after(&net->in, t));
	t = last_bend(&net->out, t);
	return nc_q_is_inf(left) ? t : nc_q_max(t, left);
}

/* A hop with two flows, all computed but who departs. */
static int make_net(struct nc_net *net, const struct nc_curve *flow,
		    const struct nc_hop *hop)
{
	const struct nc_curve *curve[] = { flow, &hop->others };
	int k, err = 0;

	*net = (struct nc_net){ .rate = NC_ZERO };
	for (k = FLOW; k <= OTHERS && !err; k++)
		err = nc_net_add_flow(net) ? 0 : -ENOMEM;
	for (k = FLOW; k <= OTHERS && !err; k++)
		err = nc_curve_copy(curve[k], &net->flow[k].in);
	if (!err)
		err = nc_sum(flow, &hop->others, &net->in);
	return err ? err : nc_conv(&net->in, &hop->service, &net->out);
}

/* A flow's departures from a hop, in the place of what came there; with the last piece. */
static int pass(const struct nc_hop *hop, enum nc_turn turn, struct nc_q until,
		struct nc_q *end, struct nc_curve *flow)
{
	struct nc_net net;
	int err = make_net(&net, flow, hop);

	*end = nc_q_sign(until) ? until : settled(&net);
	if (!err) {
		nc_fifo_bound(&net, &net.flow[FLOW], turn, nc_q_add(*end, nc_q_int(1)));
		nc_curve_free(flow);
		*flow = net.flow[FLOW].out;
		net.flow[FLOW].out = NC_CURVE_EMPTY;
		err = nc_curve_done(flow);
	}
	nc_net_free(&net);
	return err;
}

/* A flow's departures from all hops, whoever is first. */
static int departures(const struct nc_path *path, enum nc_turn turn,
		      struct nc_q until, struct nc_q *end, struct nc_curve *out)
{
	int i, err = nc_curve_copy(&path->flow, out);

	for (i = 0; i < path->hops && !err; i++)
		err = pass(&path->hop[i], turn, until, end, out);
	return err;
}

/**
 * nc_bounds_write() - what departs of a flow from a row of hops, as CSV
 * @path: what the flow sends, and the hops
 * @until: up to this time, ns; 0: to where all is straight
 * @exact: as of nc_csv_number()
 * @file: where to: t_ns, at least, if all share, at most
 *
 * Return: 0 or the error.
 */
int nc_bounds_write(const struct nc_path *path, struct nc_q until, bool exact,
		    FILE *file)
{
	struct nc_curve bound[COLUMNS] = { NC_CURVE_EMPTY };
	struct nc_q end, last = NC_ZERO;
	int k, err = 0;

	for (k = 0; k < COLUMNS && !err; k++) {
		err = departures(path, turns[path->theorem][k], until, &end, &bound[k]);
		last = nc_q_max(last, end);
	}
	if (!err)
		err = write_rows(bound, last, exact, file);
	for (k = 0; k < COLUMNS; k++)
		nc_curve_free(&bound[k]);
	return err;
}
