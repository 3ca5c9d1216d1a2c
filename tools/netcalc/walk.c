// SPDX-License-Identifier: GPL-2.0
/* Two curves side by side; walk.h tells why. */
#include "walk.h"

/**
 * nc_walk_start() - begin a walk
 * @w: the walk; nc_walk_next() leads to the first interval
 * @f: the first curve, line[0]
 * @g: the second curve, line[1]
 * @from: where to begin, ns, 0 or more
 * @to: where to end, ns or infinity
 */
void nc_walk_start(struct nc_walk *w, struct nc_view f, struct nc_view g,
		   struct nc_q from, struct nc_q to)
{
	int k;

	*w = (struct nc_walk){
		.from = from, .until = from, .to = to, .view = { f, g },
	};
	for (k = 0; k < 2; k++) {
		const struct nc_view *v = &w->view[k];
		size_t i = nc_curve_find_after(v->c, nc_q_sub(from, v->dt));

		w->next[k] = i < v->c->n ? i : 0;
	}
}

/* The line of view k from w->from on, and where it ends at the latest. */
static void look(struct nc_walk *w, int k)
{
	const struct nc_view *v = &w->view[k];
	struct nc_piece *line = &w->line[k];
	struct nc_q t;

	while (w->next[k] < v->c->n) {
		const struct nc_piece *p = &v->c->p[w->next[k]];

		t = nc_q_add(p->t, v->dt);
		if (nc_q_lt(w->from, t)) {
			w->until = nc_q_min(w->until, t);
			break;
		}
		w->next[k]++;
	}
	*line = (struct nc_piece){ NC_ZERO, NC_ZERO, v->dy };
	if (w->next[k] == 0)
		return;
	*line = v->c->p[w->next[k] - 1];
	line->at0 = nc_q_add(nc_q_sub(line->at0, nc_q_mul(line->slope, v->dt)),
			     v->dy);
}

/**
 * nc_walk_next() - go to the next interval
 * @w: the walk
 *
 * Return: false at the end, or if a number has been lost.
 */
bool nc_walk_next(struct nc_walk *w)
{
	if (nc_q_is_lost() || !nc_q_lt(w->until, w->to))
		return false;
	w->from = w->until;
	w->until = w->to;
	look(w, 0);
	look(w, 1);
	return true;
}

/**
 * nc_view_at() - a view at time t
 * @v: the view
 * @t: ns
 *
 * Return: bytes.
 */
struct nc_q nc_view_at(struct nc_view v, struct nc_q t)
{
	return nc_q_add(nc_curve_at(v.c, nc_q_sub(t, v.dt)), v.dy);
}

/**
 * nc_walk_crossing() - where the two lines of an interval cross
 * @w: a walk at an interval
 *
 * Return: the time strictly inside of the interval; infinity if there is none.
 */
struct nc_q nc_walk_crossing(const struct nc_walk *w)
{
	const struct nc_piece *f = &w->line[0], *g = &w->line[1];
	struct nc_q gain = nc_q_sub(f->slope, g->slope), t;

	if (!nc_q_sign(gain))
		return NC_INF;
	t = nc_q_div(nc_q_sub(g->at0, f->at0), gain);
	if (nc_q_lt(w->from, t) && nc_q_lt(t, w->until))
		return t;
	return NC_INF;
}
