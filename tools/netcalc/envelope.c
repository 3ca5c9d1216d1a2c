// SPDX-License-Identifier: GPL-2.0
/*
 * The convolution of two curves of any shape.
 *
 * A curve is the minimum of its pieces, each taken as infinite outside of its
 * interval, and the convolution distributes over the minimum. The convolution
 * of two such pieces is at most two straight segments: first along the flatter
 * slope for its length, then along the steeper one. So all pairs give a heap
 * of segments, and the result is their lower envelope, found by divide and
 * conquer: two envelopes are merged interval by interval.
 *
 * The point (0, 0) of each curve is a piece of its own, of length 0.
 */
#include <errno.h>
#include <stdlib.h>

#include "envelope.h"

/* A straight line on (from, to]; infinite elsewhere. */
struct segment {
	struct nc_q from;
	struct nc_q to;
	struct nc_q slope;
	struct nc_q at0;
};

/* Segments by time, without overlap; gaps are infinite. */
struct envelope {
	struct segment *s;
	size_t n;
};

static struct nc_q height(const struct segment *s, struct nc_q t)
{
	return nc_q_add(s->at0, nc_q_mul(s->slope, t));
}

/* A segment that goes on where the last one ended, on its line, is the same. */
static void emit(struct envelope *e, const struct segment *s, struct nc_q from,
		 struct nc_q to)
{
	struct segment *last = e->n ? &e->s[e->n - 1] : NULL;

	if (!nc_q_lt(from, to))
		return;
	if (last && nc_q_eq(last->to, from) && nc_q_eq(last->at0, s->at0) &&
	    nc_q_eq(last->slope, s->slope))
		last->to = to;
	else
		e->s[e->n++] = (struct segment){ from, to, s->slope, s->at0 };
}

/* The lower of two segments that both span (from, to]. */
static void emit_lower(struct envelope *e, const struct segment *a,
		       const struct segment *b, struct nc_q from,
		       struct nc_q to)
{
	int order = nc_q_cmp(height(a, from), height(b, from));
	int steeper = nc_q_cmp(a->slope, b->slope);
	struct nc_q t = to;

	if (order > 0 || (!order && steeper > 0)) {
		emit_lower(e, b, a, from, to);
		return;
	}
	if (order && steeper > 0)
		t = nc_q_div(nc_q_sub(b->at0, a->at0),
			     nc_q_sub(a->slope, b->slope));
	t = nc_q_min(t, to);
	emit(e, a, from, t);
	emit(e, b, t, to);
}

/* The minimum of two envelopes; the result has room for it. */
static void merge(const struct envelope *a, const struct envelope *b,
		  struct envelope *out)
{
	struct nc_q from = NC_ZERO;
	size_t i = 0, j = 0;

	while ((i < a->n || j < b->n) && !nc_q_is_lost()) {
		const struct segment *s = i < a->n ? &a->s[i] : NULL;
		const struct segment *t = j < b->n ? &b->s[j] : NULL;
		bool in_s = s && nc_q_le(s->from, from);
		bool in_t = t && nc_q_le(t->from, from);
		struct nc_q to = NC_INF;

		if (s)
			to = nc_q_min(to, in_s ? s->to : s->from);
		if (t)
			to = nc_q_min(to, in_t ? t->to : t->from);
		if (in_s && in_t)
			emit_lower(out, s, t, from, to);
		else if (in_s || in_t)
			emit(out, in_s ? s : t, from, to);
		i += in_s && nc_q_eq(s->to, to);
		j += in_t && nc_q_eq(t->to, to);
		from = to;
	}
}

/* Where merged segments go: each interval of the merge gives at most two. */
static int new_envelope(struct envelope *e, size_t a, size_t b)
{
	*e = (struct envelope){ calloc(4 * (a + b) + 1, sizeof(*e->s)), 0 };
	return e->s ? 0 : -ENOMEM;
}

/* The lower envelope of n segments. */
static int lower(const struct segment *s, size_t n, struct envelope *out)
{
	struct envelope left = { 0 }, right = { 0 };
	int err;

	if (n <= 1) {
		err = new_envelope(out, n, 0);
		if (!err && n)
			out->s[out->n++] = *s;
		return err;
	}
	err = lower(s, n / 2, &left);
	if (!err)
		err = lower(s + n / 2, n - n / 2, &right);
	if (!err)
		err = new_envelope(out, left.n, right.n);
	if (!err)
		merge(&left, &right, out);
	free(left.s);
	free(right.s);
	return err;
}

static struct nc_q length(const struct segment *s)
{
	return nc_q_is_inf(s->to) ? NC_INF : nc_q_sub(s->to, s->from);
}

static struct nc_q later(struct nc_q t, struct nc_q by)
{
	return nc_q_is_inf(t) || nc_q_is_inf(by) ? NC_INF : nc_q_add(t, by);
}

/* A segment from (from, y) on. */
static struct segment segment_from(struct nc_q from, struct nc_q to,
				   struct nc_q y, struct nc_q slope)
{
	return (struct segment){
		from, to, slope, nc_q_sub(y, nc_q_mul(slope, from)),
	};
}

/* The convolution of two segments, at most two; returns how many. */
static size_t conv_segments(const struct segment *a, const struct segment *b,
			    struct segment *out)
{
	const bool swap = nc_q_lt(b->slope, a->slope);
	const struct segment *flat = swap ? b : a, *steep = swap ? a : b;
	struct nc_q from = nc_q_add(a->from, b->from);
	struct nc_q y = nc_q_add(height(a, a->from), height(b, b->from));
	struct nc_q bend = later(from, length(flat)), end;
	size_t n = 0;

	if (nc_q_lt(from, bend))
		out[n++] = segment_from(from, bend, y, flat->slope);
	if (nc_q_is_inf(bend))
		return n;
	y = nc_q_add(y, nc_q_mul(flat->slope, nc_q_sub(bend, from)));
	end = later(bend, length(steep));
	if (nc_q_lt(bend, end))
		out[n++] = segment_from(bend, end, y, steep->slope);
	return n;
}

/* Segment i of a curve; the first is the point at 0. */
static struct segment segment_of(const struct nc_curve *c, size_t i)
{
	if (i == 0)
		return (struct segment){ NC_ZERO, NC_ZERO, NC_ZERO, NC_ZERO };
	if (c->n == 0)
		return (struct segment){ NC_ZERO, NC_INF, NC_ZERO, NC_ZERO };
	return (struct segment){
		c->p[i - 1].t, nc_curve_end(c, i - 1), c->p[i - 1].slope,
		c->p[i - 1].at0,
	};
}

/* A curve without pieces has one all the same: 0 for ever. */
static size_t segments_of(const struct nc_curve *c)
{
	return 1 + (c->n ? c->n : 1);
}

/**
 * nc_conv_pieces() - the convolution of any two curves
 * @f: any curve
 * @g: any curve
 * @out: empty; the convolution
 *
 * Return: 0 or the error; -ENOMEM also when f and g have so many pieces that
 * the pairs cannot be counted.
 */
int nc_conv_pieces(const struct nc_curve *f, const struct nc_curve *g,
		   struct nc_curve *out)
{
	size_t i, j, n = 0, rows = segments_of(f), columns = segments_of(g);
	struct envelope best = { 0 };
	struct segment *all = NULL;
	size_t pairs;

	if (!__builtin_mul_overflow(2 * rows, columns, &pairs))
		all = calloc(pairs, sizeof(*all));
	out->err = f->err ? f->err : g->err;
	if (!all)
		out->err = -ENOMEM;
	for (i = 0; i < rows && !out->err; i++)
		for (j = 0; j < columns; j++) {
			struct segment a = segment_of(f, i);
			struct segment b = segment_of(g, j);

			n += conv_segments(&a, &b, all + n);
		}
	if (!out->err)
		out->err = lower(all, n, &best);
	for (i = 0; i < best.n; i++)
		nc_curve_add_line(out, best.s[i].from, best.s[i].slope,
				  best.s[i].at0);
	free(best.s);
	free(all);
	return nc_curve_done(out);
}
