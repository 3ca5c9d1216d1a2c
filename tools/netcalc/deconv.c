// SPDX-License-Identifier: GPL-2.0
/*
 * The min-plus deconvolution (f (/) g)(t) = sup over u >= 0 of f(t + u) - g(u): of
 * traffic with the envelope f that leaves a server with the service curve g, the
 * envelope.
 *
 * For a fixed t the difference is straight between bends, so its largest value is
 * where g bends, u = u_i, or where f does, t + u = s_j, or just after:
 *
 *	f(t + u_i) - g(u_i)			f, earlier and lower
 *	f(s_j +) - g((s_j - t) +), t <= s_j	g, turned around at s_j
 *
 * or nowhere, if f is the steeper one for ever. The result is the largest of these
 * n + m curves; like f and g it is continuous from the left, so what only holds at
 * single points, just after a bend of both, needs no curve of its own.
 */
#include <errno.h>
#include <stdlib.h>

#include "minplus.h"
#include "walk.h"

static struct nc_q last_slope(const struct nc_curve *c)
{
	return c->n ? c->p[c->n - 1].slope : NC_ZERO;
}

/* f(t + u) - g(u); below 0 at first, perhaps, where f itself is not. */
static void earlier(const struct nc_curve *f, const struct nc_curve *g,
		    struct nc_q u, struct nc_curve *out)
{
	const struct nc_curve zero = NC_CURVE_EMPTY;
	struct nc_view view = {
		f, nc_q_sub(NC_ZERO, u), nc_q_sub(NC_ZERO, nc_curve_at(g, u)),
	};
	struct nc_walk w;

	nc_walk_start(&w, view, nc_view(&zero), NC_ZERO, NC_INF);
	while (nc_walk_next(&w))
		nc_curve_add_line(out, w.from, w.line[0].slope, w.line[0].at0);
}

/* f(s +) - g((s - t) +) up to t = s; from there on what it is there. */
static void turned(const struct nc_curve *f, const struct nc_curve *g,
		   struct nc_q s, struct nc_curve *out)
{
	struct nc_q top = nc_curve_after(f, s);
	size_t i = 0;

	while (i < g->n && nc_q_lt(g->p[i].t, s))
		i++;
	nc_curve_add_line(out, NC_ZERO, NC_ZERO, i ? NC_ZERO : top);
	while (i--) {
		const struct nc_piece *p = &g->p[i];
		struct nc_q end = nc_q_min(nc_curve_end(g, i), s);
		struct nc_q drop = nc_q_add(p->at0, nc_q_mul(p->slope, s));

		nc_curve_add_line(out, nc_q_sub(s, end), p->slope,
				  nc_q_sub(top, drop));
	}
	if (g->n && nc_q_sign(g->p[0].t) && nc_q_lt(g->p[0].t, s))
		nc_curve_add_line(out, nc_q_sub(s, g->p[0].t), NC_ZERO, top);
	nc_curve_add_line(out, s, NC_ZERO, nc_q_sub(top, nc_curve_after(g, NC_ZERO)));
}

/* The largest of some of the curves, by halves; they are given back. */
static int largest(struct nc_curve *part, size_t n, struct nc_curve *out)
{
	struct nc_curve left = NC_CURVE_EMPTY, right = NC_CURVE_EMPTY;

	if (n == 1) {
		*out = *part;
		*part = NC_CURVE_EMPTY;
		return out->err;
	}
	largest(part, n / 2, &left);
	largest(part + n / 2, n - n / 2, &right);
	nc_max(&left, &right, out);
	nc_curve_free(&left);
	nc_curve_free(&right);
	return out->err;
}

/* f itself, for u = 0, and what all bends after 0 give. */
static size_t all_parts(const struct nc_curve *f, const struct nc_curve *g,
			struct nc_curve *part)
{
	size_t i, n = 0;

	earlier(f, g, NC_ZERO, &part[n++]);
	for (i = 0; i < g->n; i++)
		if (nc_q_sign(g->p[i].t))
			earlier(f, g, g->p[i].t, &part[n++]);
	for (i = 0; i < f->n; i++)
		if (nc_q_sign(f->p[i].t))
			turned(f, g, f->p[i].t, &part[n++]);
	return n;
}

/**
 * nc_deconv() - the min-plus deconvolution of f and g
 * @f: one curve
 * @g: another
 * @out: empty; sup of f(t + u) - g(u) over u >= 0, for t > 0
 *
 * Takes time in proportion to the square of the pieces of both.
 *
 * Return: 0; -EDOM if there is no bound, since f is the steeper one for ever; or the
 * error.
 */
int nc_deconv(const struct nc_curve *f, const struct nc_curve *g,
	      struct nc_curve *out)
{
	struct nc_curve *part;
	size_t i, n;

	out->err = f->err ? f->err : g->err;
	if (!out->err && nc_q_lt(last_slope(g), last_slope(f)))
		out->err = -EDOM;
	if (out->err)
		return out->err;
	part = calloc(f->n + g->n + 1, sizeof(*part));
	if (!part) {
		out->err = -ENOMEM;
		return out->err;
	}
	n = all_parts(f, g, part);
	largest(part, n, out);
	for (i = 0; i < n; i++)
		nc_curve_free(&part[i]);
	free(part);
	return nc_curve_done(out);
}
