// SPDX-License-Identifier: GPL-2.0
/* Pseudo-inverses of curves, and the distances between two curves. */
#include <errno.h>

#include "inverse.h"

/* The height at the end of piece i. */
static struct nc_q top(const struct nc_curve *f, size_t i)
{
	if (i + 1 < f->n)
		return nc_piece_at(&f->p[i], f->p[i + 1].t);
	return nc_q_sign(f->p[i].slope) ? NC_INF : f->p[i].at0;
}

/* The first piece that reaches y, or with @beyond exceeds it; f->n if none. */
static size_t piece_to(const struct nc_curve *f, struct nc_q y, bool beyond)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = nc_q_cmp(top(f, middle), y);

		if (order < 0 || (order == 0 && beyond))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct nc_q time_of(const struct nc_curve *f, struct nc_q y, bool beyond)
{
	size_t i = piece_to(f, y, beyond);
	const struct nc_piece *p = &f->p[i];

	if (i == f->n)
		return NC_INF;
	if (nc_q_le(y, nc_piece_at(p, p->t)))
		return p->t;
	return nc_q_div(nc_q_sub(y, p->at0), p->slope);
}

/**
 * nc_inv_low() - the lower pseudo-inverse: inf of the x >= 0 with f(x) >= y
 * @f: the curve
 * @y: bytes
 *
 * Return: ns; 0 for y <= 0, infinity if f never gets there.
 */
struct nc_q nc_inv_low(const struct nc_curve *f, struct nc_q y)
{
	return nc_q_sign(y) <= 0 ? NC_ZERO : time_of(f, y, false);
}

/**
 * nc_inv_up() - the upper pseudo-inverse: sup of the x >= 0 with f(x) <= y
 * @f: the curve
 * @y: bytes
 *
 * Return: ns; 0 for y < 0, infinity if f never exceeds y.
 */
struct nc_q nc_inv_up(const struct nc_curve *f, struct nc_q y)
{
	return nc_q_sign(y) < 0 ? NC_ZERO : time_of(f, y, true);
}

/**
 * nc_inverse() - the lower pseudo-inverse as a curve over bytes
 * @f: a curve that grows for ever
 * @out: empty; the inverse: its "times" are bytes, its "bytes" are ns
 *
 * The upper pseudo-inverse is its limit from the right: nc_curve_after().
 *
 * Return: 0; -EDOM if f does not grow for ever; or another error.
 */
int nc_inverse(const struct nc_curve *f, struct nc_curve *out)
{
	struct nc_q y = NC_ZERO;
	size_t i;

	out->err = f->err;
	if (!out->err && (!f->n || !nc_q_sign(f->p[f->n - 1].slope)))
		out->err = -EDOM;
	for (i = 0; i < f->n && !out->err; i++) {
		const struct nc_piece *p = &f->p[i];
		struct nc_q foot = nc_piece_at(p, p->t), inverse;

		if (nc_q_lt(y, foot))
			nc_curve_add_line(out, y, NC_ZERO, p->t);
		y = foot;
		if (!nc_q_sign(p->slope))
			continue;
		inverse = nc_q_div(nc_q_int(1), p->slope);
		nc_curve_add(out, foot, p->t, inverse);
		if (i + 1 < f->n)
			y = top(f, i);
	}
	return nc_curve_done(out);
}

static void consider(struct nc_extreme *e, struct nc_q value, struct nc_q t)
{
	if (nc_q_lt(e->value, value))
		*e = (struct nc_extreme){ value, t };
}

/*
 * The delay at t and just after t. Just after, f is a little above f(t+) if it
 * rises there: then what counts is when g gets beyond, not when it gets there.
 */
static void consider_delay(const struct nc_curve *f, const struct nc_curve *g,
			   struct nc_q t, struct nc_q until,
			   struct nc_extreme *e)
{
	struct nc_q x, y;
	size_t i;

	if (nc_q_is_inf(t) || nc_q_lt(until, t))
		return;
	x = nc_inv_low(g, nc_curve_at(f, t));
	consider(e, nc_q_is_inf(x) ? x : nc_q_sub(x, t), t);
	i = nc_curve_find_after(f, t);
	if (i == f->n || nc_q_eq(t, until))
		return;
	y = nc_piece_at(&f->p[i], t);
	x = nc_q_sign(f->p[i].slope) ? nc_inv_up(g, y) : nc_inv_low(g, y);
	consider(e, nc_q_is_inf(x) ? x : nc_q_sub(x, t), t);
}

static struct nc_q last_slope(const struct nc_curve *c)
{
	return c->n ? c->p[c->n - 1].slope : NC_ZERO;
}

/**
 * nc_delay() - the largest horizontal distance from f to g
 * @f: what comes in
 * @g: what goes out
 * @until: look at what comes in up to this time, ns, or infinity
 * @out: gets sup of g_low(f(t)) - t over 0 < t <= until; 0 if g is ahead
 *
 * Between the bends of f, and the times when f gets as high as g at a bend, the
 * distance is straight or falls by a jump: so its largest value is at one of
 * these times, or just after. Behind the last of them it has no bound if f goes
 * on more steeply.
 *
 * Return: 0 or -EOVERFLOW.
 */
int nc_delay(const struct nc_curve *f, const struct nc_curve *g,
	     struct nc_q until, struct nc_extreme *out)
{
	size_t i;

	*out = (struct nc_extreme){ NC_ZERO, NC_ZERO };
	for (i = 0; i < f->n; i++)
		consider_delay(f, g, f->p[i].t, until, out);
	for (i = 0; i < g->n; i++) {
		struct nc_q y = nc_curve_at(g, g->p[i].t);

		consider_delay(f, g, nc_inv_low(f, y), until, out);
	}
	consider_delay(f, g, until, until, out);
	if (nc_q_is_inf(until) && nc_q_lt(last_slope(g), last_slope(f)))
		out->value = NC_INF;
	return nc_q_lost() ? -EOVERFLOW : 0;
}

/**
 * nc_backlog() - the largest vertical distance from f to g
 * @f: what comes in
 * @g: what goes out
 * @until: ns, above 0, or infinity
 * @out: gets sup of f(t) - g(t) over 0 < t <= until; 0 if g is never below
 *
 * Return: 0 or -EOVERFLOW.
 */
int nc_backlog(const struct nc_curve *f, const struct nc_curve *g,
	       struct nc_q until, struct nc_extreme *out)
{
	struct nc_walk w;

	*out = (struct nc_extreme){ NC_ZERO, NC_ZERO };
	nc_walk_start(&w, nc_view(f), nc_view(g), NC_ZERO, until);
	while (nc_walk_next(&w)) {
		const struct nc_piece *a = &w.line[0], *b = &w.line[1];

		consider(out, nc_q_sub(nc_piece_at(a, w.from),
				       nc_piece_at(b, w.from)), w.from);
		if (!nc_q_is_inf(w.until))
			consider(out, nc_q_sub(nc_piece_at(a, w.until),
					       nc_piece_at(b, w.until)),
				 w.until);
		else if (nc_q_lt(b->slope, a->slope))
			consider(out, NC_INF, w.from);
	}
	return nc_q_lost() ? -EOVERFLOW : 0;
}

/* Is f below g at time t, or as high if @equal? */
static bool is_below(const struct nc_walk *w, struct nc_q t, bool equal)
{
	int order = nc_q_cmp(nc_piece_at(&w->line[0], t),
			     nc_piece_at(&w->line[1], t));

	return order < 0 || (equal && order == 0);
}

/* The first whole ns of an interval. */
static struct nc_q first_in(const struct nc_walk *w, bool equal)
{
	struct nc_q t = nc_q_add(nc_q_floor(w->from), nc_q_int(1)), crossing;
	int i;

	if (nc_q_lt(w->until, t) || is_below(w, t, equal))
		return t;
	crossing = nc_walk_crossing(w);
	if (nc_q_is_inf(crossing) && is_below(w, w->until, equal))
		crossing = w->until;
	if (nc_q_is_inf(crossing))
		return NC_INF;
	t = nc_q_ceil(crossing);
	for (i = 0; i < 2; i++, t = nc_q_add(t, nc_q_int(1)))
		if (nc_q_lt(w->until, t) || is_below(w, t, equal))
			return t;
	return NC_INF;
}

/**
 * nc_first_below() - the first whole ns at which f is below g
 * @f: one
 * @g: the other
 * @after: look after this time, ns, whole
 * @until: and up to this one, ns, whole
 * @equal: does as high count as below?
 *
 * Congestion events are looked for at whole ns: so the lines that start at an
 * event have small fractions again.
 *
 * Return: the time, ns; infinity if there is none.
 */
struct nc_q nc_first_below(struct nc_view f, struct nc_view g,
			   struct nc_q after, struct nc_q until, bool equal)
{
	struct nc_walk w;

	nc_walk_start(&w, f, g, after, until);
	while (nc_walk_next(&w)) {
		struct nc_q t = first_in(&w, equal);

		if (nc_q_le(t, w.until))
			return t;
	}
	return NC_INF;
}
