/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two curves side by side: the intervals on which both are straight. Minimum,
 * sum, difference and "when does f first fall below g" are all a walk over
 * these intervals.
 */
#ifndef _NC_WALK_H
#define _NC_WALK_H

#include "curve.h"

/**
 * struct nc_view - a curve seen later and higher: t -> c(t - dt) + dy
 * @c: the curve
 * @dt: ns, any sign
 * @dy: bytes, any sign
 */
struct nc_view {
	const struct nc_curve *c;
	struct nc_q dt;
	struct nc_q dy;
};

/**
 * struct nc_walk - a walk over (from, to]
 * @from: where the interval at hand begins, itself excluded
 * @until: where it ends, itself included
 * @line: what the two are in it; @t has no meaning
 * @view: the two
 * @next: which piece comes next
 * @to: where the walk ends
 */
struct nc_walk {
	struct nc_q from;
	struct nc_q until;
	struct nc_piece line[2];
	struct nc_view view[2];
	size_t next[2];
	struct nc_q to;
};

/* A curve as it is. */
static inline struct nc_view nc_view(const struct nc_curve *c)
{
	return (struct nc_view){ c, NC_ZERO, NC_ZERO };
}

/* A curve dt ns later: what arrives over a distance, what is waited for. */
static inline struct nc_view nc_view_late(const struct nc_curve *c,
					  struct nc_q dt)
{
	return (struct nc_view){ c, dt, NC_ZERO };
}

void nc_walk_start(struct nc_walk *w, struct nc_view f, struct nc_view g,
		   struct nc_q from, struct nc_q to);
bool nc_walk_next(struct nc_walk *w);
struct nc_q nc_view_at(struct nc_view v, struct nc_q t);
struct nc_q nc_walk_crossing(const struct nc_walk *w);

#endif /* _NC_WALK_H */
