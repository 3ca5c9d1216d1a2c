// SPDX-License-Identifier: GPL-2.0
/*
 * What a limit lets through from an event on. Rates are nc_serve()'s; here are
 * windows and pauses.
 */
#include "admit.h"

/* A line on (from, to], but never below y. */
static void add_above(struct nc_curve *out, const struct nc_piece *line,
		      struct nc_q y, struct nc_q from, struct nc_q to)
{
	struct nc_q t;

	if (nc_q_le(y, nc_piece_at(line, from))) {
		nc_curve_add_line(out, from, line->slope, line->at0);
		return;
	}
	nc_curve_add_line(out, from, NC_ZERO, y);
	if (!nc_q_sign(line->slope))
		return;
	t = nc_q_div(nc_q_sub(y, line->at0), line->slope);
	if (nc_q_lt(t, to))
		nc_curve_add_line(out, t, line->slope, line->at0);
}

/**
 * nc_admit() - the smaller of what arrived and a cap, from an event on
 * @arrived: A
 * @cap: a window above what is acknowledged, or above the origin
 * @from: the event: when, and what had been admitted by then
 * @until: how far to compute, ns, finite
 * @out: gets the pieces on (from.t, until]; errors stay in it
 *
 * A window that shrinks takes nothing back: the result is never below from.y.
 */
void nc_admit(struct nc_view arrived, struct nc_view cap,
	      struct nc_origin from, struct nc_q until, struct nc_curve *out)
{
	struct nc_walk w;

	nc_walk_start(&w, arrived, cap, from.t, until);
	while (nc_walk_next(&w)) {
		struct nc_q t = nc_walk_crossing(&w);
		int order = nc_q_cmp(nc_piece_at(&w.line[0], w.from),
				     nc_piece_at(&w.line[1], w.from));
		int k;

		if (!order)
			order = nc_q_cmp(w.line[0].slope, w.line[1].slope);
		k = order > 0;
		add_above(out, &w.line[k], from.y, w.from,
			  nc_q_min(t, w.until));
		if (!nc_q_is_inf(t))
			add_above(out, &w.line[!k], from.y, t, w.until);
	}
}

/* Nothing passes: a pause. */
void nc_hold(struct nc_origin from, struct nc_curve *out)
{
	nc_curve_add_line(out, from.t, NC_ZERO, from.y);
}
