// SPDX-License-Identifier: GPL-2.0
/* What departs of a flow from a FIFO server: theorem 1 as a table. */
#include <errno.h>

#include "bounds.h"
#include "csv.h"
#include "fifo.h"

enum input { FLOW, OTHERS, SERVICE };

#define COLUMNS	3	/* at least, shared, at most */

static const enum nc_turn turns[COLUMNS] = {
	NC_TURN_LAST, NC_TURN_SHARED, NC_TURN_FIRST,
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

/* A flow's departures, whoever is first; its curve is taken from the network. */
static int departures(struct nc_net *net, enum nc_turn turn, struct nc_q until,
		      struct nc_curve *out)
{
	nc_fifo_bound(net, &net->flow[FLOW], turn, until);
	*out = net->flow[FLOW].out;
	net->flow[FLOW].out = NC_CURVE_EMPTY;
	return nc_curve_done(out);
}

static struct nc_q last_bend(const struct nc_curve *c, struct nc_q t)
{
	return c->n ? nc_q_max(t, c->p[c->n - 1].t) : t;
}

/* A server with two flows, all computed but who departs. */
static int make_net(struct nc_net *net, const struct nc_curve *curve)
{
	int k, err = 0;

	*net = (struct nc_net){ .rate = NC_ZERO };
	for (k = FLOW; k <= OTHERS && !err; k++)
		err = nc_net_add_flow(net) ? 0 : -ENOMEM;
	for (k = FLOW; k <= OTHERS && !err; k++)
		err = nc_curve_copy(&curve[k], &net->flow[k].in);
	if (!err)
		err = nc_sum(&curve[FLOW], &curve[OTHERS], &net->in);
	return err ? err : nc_conv(&net->in, &curve[SERVICE], &net->out);
}

/**
 * nc_bounds_write() - what departs of a flow, as CSV
 * @curve: what the flow sends, what all others send, and the service curve
 * @until: up to this time, ns; 0: to the last bend of what comes and goes
 * @exact: as of nc_csv_number()
 * @file: where to: t_ns, at least, if all share, at most
 *
 * Return: 0 or the error.
 */
int nc_bounds_write(const struct nc_curve *curve, struct nc_q until, bool exact,
		    FILE *file)
{
	struct nc_curve bound[COLUMNS] = { NC_CURVE_EMPTY };
	struct nc_net net;
	int k, err = make_net(&net, curve);

	if (!err && !nc_q_sign(until))
		until = last_bend(&net.out, last_bend(&net.in, nc_q_int(1)));
	for (k = 0; k < COLUMNS && !err; k++)
		err = departures(&net, turns[k], until, &bound[k]);
	if (!err)
		err = write_rows(bound, until, exact, file);
	for (k = 0; k < COLUMNS; k++)
		nc_curve_free(&bound[k]);
	nc_net_free(&net);
	return err;
}
