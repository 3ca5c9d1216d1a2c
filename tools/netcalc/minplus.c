// SPDX-License-Identifier: GPL-2.0
/* The min-plus algebra of curves; envelope.c has the general convolution. */
#include <errno.h>

#include "envelope.h"
#include "minplus.h"
#include "walk.h"

/**
 * nc_sum() - f(t) + g(t)
 * @f: one curve
 * @g: another
 * @out: empty; the sum
 *
 * Return: 0 or the error.
 */
int nc_sum(const struct nc_curve *f, const struct nc_curve *g,
	   struct nc_curve *out)
{
	struct nc_walk w;

	out->err = f->err ? f->err : g->err;
	nc_walk_start(&w, nc_view(f), nc_view(g), NC_ZERO, NC_INF);
	while (nc_walk_next(&w))
		nc_curve_add_line(out, w.from,
				  nc_q_add(w.line[0].slope, w.line[1].slope),
				  nc_q_add(w.line[0].at0, w.line[1].at0));
	return nc_curve_done(out);
}

/**
 * nc_sum_all() - the sum of many curves
 * @f: the curves
 * @n: how many; none sum to 0
 * @out: empty; the sum
 *
 * Sums of halves, so that no curve is summed more often than log n times.
 *
 * Return: 0 or the error.
 */
int nc_sum_all(const struct nc_curve *const *f, size_t n, struct nc_curve *out)
{
	struct nc_curve left = NC_CURVE_EMPTY, right = NC_CURVE_EMPTY;

	if (n == 0)
		return 0;
	if (n == 1)
		return nc_curve_copy(f[0], out);
	nc_sum_all(f, n / 2, &left);
	nc_sum_all(f + n / 2, n - n / 2, &right);
	nc_sum(&left, &right, out);
	nc_curve_free(&left);
	nc_curve_free(&right);
	return out->err;
}

/* Which of two lines is lower just after time t: 0 or 1. */
static int lower_after(const struct nc_piece line[2], struct nc_q t)
{
	int order = nc_q_cmp(nc_piece_at(&line[0], t),
			     nc_piece_at(&line[1], t));

	if (!order)
		order = nc_q_cmp(line[0].slope, line[1].slope);
	return order > 0;
}

/* The smaller or the larger of two curves. */
static int choose(const struct nc_curve *f, const struct nc_curve *g,
		  bool larger, struct nc_curve *out)
{
	struct nc_walk w;

	out->err = f->err ? f->err : g->err;
	nc_walk_start(&w, nc_view(f), nc_view(g), NC_ZERO, NC_INF);
	while (nc_walk_next(&w)) {
		int k = lower_after(w.line, w.from) ^ larger;
		struct nc_q crossing = nc_walk_crossing(&w);

		nc_curve_add_line(out, w.from, w.line[k].slope, w.line[k].at0);
		if (!nc_q_is_inf(crossing))
			nc_curve_add_line(out, crossing, w.line[!k].slope,
					  w.line[!k].at0);
	}
	return nc_curve_done(out);
}

/**
 * nc_min() - the smaller of f(t) and g(t)
 * @f: one curve
 * @g: another
 * @out: empty; the minimum
 *
 * Return: 0 or the error.
 */
int nc_min(const struct nc_curve *f, const struct nc_curve *g,
	   struct nc_curve *out)
{
	return choose(f, g, false, out);
}

/**
 * nc_max() - the larger of f(t) and g(t)
 * @f: one curve
 * @g: another
 * @out: empty; the maximum
 *
 * Return: 0 or the error.
 */
int nc_max(const struct nc_curve *f, const struct nc_curve *g,
	   struct nc_curve *out)
{
	return choose(f, g, true, out);
}

/**
 * nc_shift() - the same curve in other coordinates
 * @f: the curve
 * @dt: ns; positive: later by dt, which is the convolution with a delay
 * @dy: bytes; higher by dy from then on
 * @out: empty; f(t - dt) + dy for t > dt, and 0 for t <= 0 and t <= dt
 *
 * With a negative dt and dy this moves the origin to (-dt, -dy): what is left
 * of an arrival function after an event.
 *
 * Return: 0; -EINVAL if the result would be negative; or another error.
 */
int nc_shift(const struct nc_curve *f, struct nc_q dt, struct nc_q dy,
	     struct nc_curve *out)
{
	struct nc_view view = { f, dt, dy };
	const struct nc_curve zero = NC_CURVE_EMPTY;
	struct nc_q start = nc_q_max(dt, NC_ZERO);
	struct nc_walk w;

	out->err = f->err;
	nc_curve_add_line(out, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_walk_start(&w, view, nc_view(&zero), start, NC_INF);
	while (nc_walk_next(&w))
		nc_curve_add_line(out, w.from, w.line[0].slope, w.line[0].at0);
	if (!out->err)
		out->err = nc_curve_check(out);
	return nc_curve_done(out);
}

/* A queue: what waits is served along a line, else all passes as it comes. */
struct server {
	struct nc_curve *out;
	struct nc_q rate;
	struct nc_q busy_at0;	/* the line of the busy period */
	struct nc_q y;		/* served so far */
	bool busy;		/* does something wait? */
};

static void busy_from(struct server *s, struct nc_q t)
{
	s->busy = true;
	s->busy_at0 = nc_q_sub(s->y, nc_q_mul(s->rate, t));
	nc_curve_add_line(s->out, t, s->rate, s->busy_at0);
}

/* One straight piece of the input, on (from, until]. */
static void serve_piece(struct server *s, const struct nc_piece *p,
			struct nc_q from, struct nc_q until)
{
	struct nc_q t, gain = nc_q_sub(s->rate, p->slope);

	if (!s->busy && (nc_q_sign(gain) < 0 ||
			 nc_q_lt(s->y, nc_piece_at(p, from))))
		busy_from(s, from);
	if (!s->busy) {
		nc_curve_add_line(s->out, from, p->slope, p->at0);
	} else if (nc_q_sign(gain) > 0) {
		t = nc_q_div(nc_q_sub(p->at0, s->busy_at0), gain);
		if (nc_q_lt(t, until)) {
			s->busy = false;
			nc_curve_add_line(s->out, nc_q_max(t, from), p->slope,
					  p->at0);
		}
	}
	if (nc_q_is_inf(until))
		return;
	s->y = s->busy ? nc_q_add(s->busy_at0, nc_q_mul(s->rate, until)) :
	       nc_piece_at(p, until);
}

/**
 * nc_serve() - convolution with a rate in coordinates shifted to an event
 * @f: what arrives
 * @from: the event: when, and what had been served by then; not above f
 * @rate: bytes per ns, 0 or more
 * @until: how far to compute, ns or infinity
 * @out: gets the pieces after the event, in the old coordinates
 *
 * In coordinates with their origin at the event, what is left of f is
 * f(t + from.t) - from.y for t > 0, and what is served of it is the
 * convolution of this with max(rate t, 0). Errors stay in @out.
 */
void nc_serve(const struct nc_curve *f, struct nc_origin from,
	      struct nc_q rate, struct nc_q until, struct nc_curve *out)
{
	const struct nc_curve zero = NC_CURVE_EMPTY;
	struct server s = { .out = out, .rate = rate, .y = from.y };
	struct nc_walk w;

	nc_walk_start(&w, nc_view(f), nc_view(&zero), from.t, until);
	while (nc_walk_next(&w))
		serve_piece(&s, &w.line[0], w.from, w.until);
}

/**
 * nc_conv_rate() - f convolved with max(rate t, 0)
 * @f: what arrives
 * @rate: bytes per ns, 0 or more
 * @out: empty; what a link of this rate lets through
 *
 * Return: 0 or the error.
 */
int nc_conv_rate(const struct nc_curve *f, struct nc_q rate,
		 struct nc_curve *out)
{
	out->err = nc_q_sign(rate) < 0 ? -EINVAL : f->err;
	nc_serve(f, (struct nc_origin){ NC_ZERO, NC_ZERO }, rate, NC_INF, out);
	return nc_curve_done(out);
}

/* A result on the way to another one. */
static int min_with(struct nc_curve *part, const struct nc_curve *f,
		    struct nc_curve *out)
{
	int err = nc_min(part, f, out);

	nc_curve_free(part);
	return err;
}

/**
 * nc_conv_bucket() - f convolved with b + r t for t > 0
 * @f: what arrives
 * @burst: b, bytes, 0 or more
 * @rate: r, bytes per ns, 0 or more
 * @out: empty; the smaller of f and b + f convolved with the rate
 *
 * Return: 0 or the error.
 */
int nc_conv_bucket(const struct nc_curve *f, struct nc_q burst,
		   struct nc_q rate, struct nc_curve *out)
{
	struct nc_curve rated = NC_CURVE_EMPTY, lifted = NC_CURVE_EMPTY;

	rated.err = nc_q_sign(burst) < 0 ? -EINVAL : 0;
	if (!rated.err)
		nc_conv_rate(f, rate, &rated);
	nc_shift(&rated, NC_ZERO, burst, &lifted);
	nc_curve_free(&rated);
	return min_with(&lifted, f, out);
}

/**
 * nc_conv_window() - f convolved with a window
 * @f: what arrives
 * @window: bytes, 0 or more
 * @out: empty; the smaller of f and the window
 *
 * Return: 0 or the error.
 */
int nc_conv_window(const struct nc_curve *f, struct nc_q window,
		   struct nc_curve *out)
{
	return nc_conv_bucket(f, window, NC_ZERO, out);
}

/* Concave for t > 0: no jump but at 0, slopes that only fall. */
static bool is_concave(const struct nc_curve *g)
{
	size_t i;

	for (i = 1; i < g->n; i++)
		if (!nc_q_lt(g->p[i].slope, g->p[i - 1].slope) ||
		    !nc_q_eq(nc_piece_at(&g->p[i], g->p[i].t),
			     nc_piece_at(&g->p[i - 1], g->p[i].t)))
			return false;
	return g->n > 0;
}

/* A concave curve is the smallest of its lines, each a token bucket. */
static int conv_concave(const struct nc_curve *f, const struct nc_curve *g,
			struct nc_curve *out)
{
	struct nc_curve best = NC_CURVE_EMPTY, part = NC_CURVE_EMPTY;
	struct nc_curve next = NC_CURVE_EMPTY;
	size_t i;

	nc_conv_bucket(f, g->p[0].at0, g->p[0].slope, &best);
	for (i = 1; i < g->n && !best.err; i++) {
		nc_conv_bucket(f, g->p[i].at0, g->p[i].slope, &part);
		min_with(&part, &best, &next);
		nc_curve_free(&best);
		best = next;
		next = NC_CURVE_EMPTY;
	}
	*out = best;
	return nc_curve_done(out);
}

/* Convex: no jump, slopes that only rise. */
static bool is_convex(const struct nc_curve *g)
{
	struct nc_q y = NC_ZERO, slope = NC_ZERO;
	size_t i;

	for (i = 0; i < g->n; i++) {
		const struct nc_piece *p = &g->p[i];

		if (!nc_q_eq(nc_piece_at(p, p->t), y) || nc_q_lt(p->slope, slope))
			return false;
		slope = p->slope;
		y = i + 1 < g->n ? nc_piece_at(p, p[1].t) : y;
	}
	return g->n > 0;
}

/* Two convex curves: the pieces of both, one after the other, by their slopes. */
static int conv_convex(const struct nc_curve *f, const struct nc_curve *g,
		       struct nc_curve *out)
{
	struct nc_q t = NC_ZERO, y = NC_ZERO, end;
	size_t i = 0, j = 0;

	for (;;) {
		bool first = nc_q_le(f->p[i].slope, g->p[j].slope);
		const struct nc_curve *c = first ? f : g;
		size_t k = first ? i++ : j++;

		nc_curve_add(out, t, y, c->p[k].slope);
		end = nc_curve_end(c, k);
		if (nc_q_is_inf(end) || out->err)
			return nc_curve_done(out);
		end = nc_q_sub(end, c->p[k].t);
		t = nc_q_add(t, end);
		y = nc_q_add(y, nc_q_mul(c->p[k].slope, end));
	}
}

/**
 * nc_conv() - the min-plus convolution: inf of f(s) + g(t - s), 0 <= s <= t
 * @f: any curve
 * @g: any curve
 * @out: empty; the convolution
 *
 * Return: 0 or the error.
 */
int nc_conv(const struct nc_curve *f, const struct nc_curve *g,
	    struct nc_curve *out)
{
	if (is_concave(g))
		return conv_concave(f, g, out);
	if (is_convex(f) && is_convex(g))
		return conv_convex(f, g, out);
	return nc_conv_pieces(f, g, out);
}
