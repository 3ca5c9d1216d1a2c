/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cumulative curves: traffic, service, whatever grows with time.
 *
 * A curve is a function f of time (ns) in bytes that is 0 for t <= 0, does not
 * decrease, is continuous from the left and consists of straight pieces; it
 * may jump between them, also at 0. It is kept as a list of pieces; a piece
 * holds on (its t, next piece's t], the last one for ever:
 *
 *	f(x) = at0 + slope * x	for x in (t, next t]
 *
 * A piece keeps the line's height at x = 0 instead of its height at t. Lines
 * of whole rates that start on the grid of whole ns have small fractions for
 * this height, even when the piece starts at an odd moment such as the end of
 * a busy period. So denominators do not grow from operation to operation.
 *
 * Errors are kept in the curve, as stdio keeps them in a stream: once @err is
 * set nothing more is added, and every operation on the curve fails with it.
 */
#ifndef _NC_CURVE_H
#define _NC_CURVE_H

#include <stddef.h>

#include "q.h"

/**
 * struct nc_piece - a straight piece of a curve
 * @t: where it begins, itself excluded, ns
 * @slope: bytes per ns, not negative
 * @at0: where its line meets time 0, bytes; may be negative
 */
struct nc_piece {
	struct nc_q t;
	struct nc_q slope;
	struct nc_q at0;
};

/**
 * struct nc_curve - a piecewise linear function with jumps
 * @p: its pieces by rising t; p[0].t is 0
 * @n: how many; none is the function that is 0 everywhere
 * @room: how many fit
 * @err: 0 or the first error, a negative errno
 */
struct nc_curve {
	struct nc_piece *p;
	size_t n;
	size_t room;
	int err;
};

#define NC_CURVE_EMPTY	((struct nc_curve){ 0 })

/**
 * struct nc_pen - draws a curve from point to point
 * @c: the curve
 * @t: time of the last point, ns
 * @y: its height, bytes
 */
struct nc_pen {
	struct nc_curve *c;
	struct nc_q t;
	struct nc_q y;
};

/* A pen at the origin of an empty curve. */
static inline struct nc_pen nc_pen(struct nc_curve *c)
{
	return (struct nc_pen){ c, NC_ZERO, NC_ZERO };
}

/* The height of a piece's line at time x. */
static inline struct nc_q nc_piece_at(const struct nc_piece *p, struct nc_q x)
{
	return nc_q_add(p->at0, nc_q_mul(p->slope, x));
}

/* Where piece i ends: at the next one, or never. */
static inline struct nc_q nc_curve_end(const struct nc_curve *c, size_t i)
{
	return i + 1 < c->n ? c->p[i + 1].t : NC_INF;
}

void nc_curve_free(struct nc_curve *c);
void nc_curve_add_line(struct nc_curve *c, struct nc_q t, struct nc_q slope,
		       struct nc_q at0);
void nc_curve_add(struct nc_curve *c, struct nc_q t, struct nc_q y,
		  struct nc_q slope);
int nc_pen_to(struct nc_pen *pen, struct nc_q t, struct nc_q y);
int nc_curve_done(struct nc_curve *c);
int nc_curve_check(const struct nc_curve *c);
void nc_curve_cut(struct nc_curve *c, struct nc_q t);
void nc_curve_forget(struct nc_curve *c, struct nc_q t);
size_t nc_curve_find(const struct nc_curve *c, struct nc_q t);
size_t nc_curve_find_after(const struct nc_curve *c, struct nc_q t);
struct nc_q nc_curve_at(const struct nc_curve *c, struct nc_q t);
struct nc_q nc_curve_after(const struct nc_curve *c, struct nc_q t);
bool nc_curve_equal(const struct nc_curve *f, const struct nc_curve *g);

int nc_curve_copy(const struct nc_curve *f, struct nc_curve *out);
int nc_curve_rate(struct nc_q rate, struct nc_curve *out);
int nc_curve_window(struct nc_q window, struct nc_curve *out);
int nc_curve_bucket(struct nc_q burst, struct nc_q rate, struct nc_curve *out);

#endif /* _NC_CURVE_H */
