// SPDX-License-Identifier: GPL-2.0
/* Cumulative curves; curve.h says what a curve is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "curve.h"

#define ROOM_AT_FIRST	4

/**
 * nc_curve_free() - give back what a curve holds
 * @c: the curve; empty and usable again afterwards
 */
void nc_curve_free(struct nc_curve *c)
{
	free(c->p);
	*c = NC_CURVE_EMPTY;
}

static bool has_room(struct nc_curve *c)
{
	size_t room = c->room ? 2 * c->room : ROOM_AT_FIRST;
	struct nc_piece *p;

	if (c->n < c->room)
		return true;
	p = realloc(c->p, room * sizeof(*p));
	if (!p) {
		c->err = -ENOMEM;
		return false;
	}
	c->p = p;
	c->room = room;
	return true;
}

/**
 * nc_curve_add_line() - the curve goes on along a line from time t on
 * @c: the curve
 * @t: from when on, ns; not before the last piece's
 * @slope: of the line, bytes per ns
 * @at0: the line's height at time 0, bytes
 *
 * A piece that would begin where the last one began replaces it, and one that
 * goes on along the same line is none.
 */
void nc_curve_add_line(struct nc_curve *c, struct nc_q t, struct nc_q slope,
		       struct nc_q at0)
{
	if (c->err)
		return;
	if (c->n && nc_q_eq(c->p[c->n - 1].t, t))
		c->n--;
	if (c->n && nc_q_eq(c->p[c->n - 1].slope, slope) &&
	    nc_q_eq(c->p[c->n - 1].at0, at0))
		return;
	if (has_room(c))
		c->p[c->n++] = (struct nc_piece){ t, slope, at0 };
}

/**
 * nc_curve_add() - the curve goes on from a point with a slope
 * @c: the curve
 * @t: from when on, ns; not before the last piece's
 * @y: height just after t, bytes
 * @slope: bytes per ns
 */
void nc_curve_add(struct nc_curve *c, struct nc_q t, struct nc_q y,
		  struct nc_q slope)
{
	nc_curve_add_line(c, t, slope, nc_q_sub(y, nc_q_mul(slope, t)));
}

/**
 * nc_pen_to() - draw a curve on to its next point
 * @pen: holds the curve and the last point, at first (0, 0)
 * @t: time, ns; not before the last point's, equal to it for a jump
 * @y: bytes; not below the last point's
 *
 * Points are joined by straight lines, two points at one time are a jump.
 * After the last point the curve stays at its height.
 *
 * Return: 0; -EINVAL if time or height would go back; else the curve's error.
 */
int nc_pen_to(struct nc_pen *pen, struct nc_q t, struct nc_q y)
{
	struct nc_q dt = nc_q_sub(t, pen->t), dy = nc_q_sub(y, pen->y);

	if (nc_q_sign(dt) < 0 || nc_q_sign(dy) < 0)
		return -EINVAL;
	if (nc_q_sign(dt))
		nc_curve_add(pen->c, pen->t, pen->y, nc_q_div(dy, dt));
	nc_curve_add_line(pen->c, t, NC_ZERO, y);
	pen->t = t;
	pen->y = y;
	return nc_curve_done(pen->c);
}

/**
 * nc_curve_done() - the last step of every operation
 * @c: the result
 *
 * Return: 0, or the curve's error; -EOVERFLOW if a number was lost on the way.
 * After an error the curve holds nothing but the error.
 */
int nc_curve_done(struct nc_curve *c)
{
	int err = nc_q_lost() && !c->err ? -EOVERFLOW : c->err;

	if (err) {
		nc_curve_free(c);
		c->err = err;
	}
	return err;
}

/**
 * nc_curve_check() - is it a curve?
 * @c: a list of pieces from outside
 *
 * Return: 0, or -EINVAL if it does not begin at 0, falls, or its pieces are
 * out of order.
 */
int nc_curve_check(const struct nc_curve *c)
{
	struct nc_q y = NC_ZERO;
	size_t i;

	if (c->err)
		return c->err;
	for (i = 0; i < c->n; i++) {
		const struct nc_piece *p = &c->p[i];

		if (i ? !nc_q_lt(p[-1].t, p->t) : nc_q_sign(p->t))
			return -EINVAL;
		if (nc_q_sign(p->slope) < 0 || nc_q_lt(nc_piece_at(p, p->t), y))
			return -EINVAL;
		if (i + 1 < c->n)
			y = nc_piece_at(p, p[1].t);
	}
	return nc_q_lost() ? -EOVERFLOW : 0;
}

/**
 * nc_curve_cut() - forget what comes after time t
 * @c: the curve
 * @t: ns; the piece that reaches t goes on for ever
 */
void nc_curve_cut(struct nc_curve *c, struct nc_q t)
{
	while (c->n && nc_q_le(t, c->p[c->n - 1].t))
		c->n--;
}

/**
 * nc_curve_forget() - forget what came before time t
 * @c: the curve; right only after t from now on
 * @t: ns
 */
void nc_curve_forget(struct nc_curve *c, struct nc_q t)
{
	size_t first = nc_curve_find_after(c, t);

	if (first == 0 || first >= c->n)
		return;
	c->n -= first;
	memmove(c->p, c->p + first, c->n * sizeof(*c->p));
	c->p[0].t = NC_ZERO;
}

/**
 * nc_curve_find() - the piece that a time lies in
 * @c: the curve
 * @t: ns
 *
 * Return: the index i with p[i].t < t <= the next one's; c->n if t is not
 * after 0 or the curve has no piece.
 */
size_t nc_curve_find(const struct nc_curve *c, struct nc_q t)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (nc_q_lt(c->p[middle].t, t))
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : c->n;
}

/**
 * nc_curve_find_after() - the piece that begins at a time or contains it
 * @c: the curve
 * @t: ns
 *
 * Return: the index i with p[i].t <= t < the next one's; c->n if there is none.
 */
size_t nc_curve_find_after(const struct nc_curve *c, struct nc_q t)
{
	size_t i = nc_curve_find(c, t);
	size_t next = i < c->n ? i + 1 : 0;

	return next < c->n && nc_q_eq(c->p[next].t, t) ? next : i;
}

/**
 * nc_curve_at() - the curve at time t
 * @c: the curve
 * @t: ns
 *
 * Return: f(t) in bytes, 0 for t <= 0.
 */
struct nc_q nc_curve_at(const struct nc_curve *c, struct nc_q t)
{
	size_t i = nc_curve_find(c, t);

	return i < c->n ? nc_piece_at(&c->p[i], t) : NC_ZERO;
}

/**
 * nc_curve_after() - the curve just after time t
 * @c: the curve
 * @t: ns
 *
 * Return: f(t+) in bytes: after the jump, if there is one at t; 0 for t < 0.
 */
struct nc_q nc_curve_after(const struct nc_curve *c, struct nc_q t)
{
	size_t i = nc_curve_find_after(c, t);

	return i < c->n ? nc_piece_at(&c->p[i], t) : NC_ZERO;
}

/* A curve without pieces and one whose only piece is 0 are the same. */
static bool is_zero(const struct nc_curve *c)
{
	return c->n == 0 || (c->n == 1 && c->p[0].slope.num == 0 &&
			     c->p[0].at0.num == 0);
}

/**
 * nc_curve_equal() - are two curves the same function?
 * @f: one
 * @g: another
 */
bool nc_curve_equal(const struct nc_curve *f, const struct nc_curve *g)
{
	size_t i;

	if (f->err || g->err)
		return false;
	if (is_zero(f) || is_zero(g))
		return is_zero(f) && is_zero(g);
	if (f->n != g->n)
		return false;
	for (i = 0; i < f->n; i++)
		if (!nc_q_eq(f->p[i].t, g->p[i].t) ||
		    !nc_q_eq(f->p[i].slope, g->p[i].slope) ||
		    !nc_q_eq(f->p[i].at0, g->p[i].at0))
			return false;
	return true;
}

/**
 * nc_curve_copy() - the same curve again
 * @f: the curve
 * @out: empty; the copy
 *
 * Return: 0 or the error.
 */
int nc_curve_copy(const struct nc_curve *f, struct nc_curve *out)
{
	size_t i;

	out->err = f->err;
	for (i = 0; i < f->n; i++)
		nc_curve_add_line(out, f->p[i].t, f->p[i].slope, f->p[i].at0);
	return nc_curve_done(out);
}

/**
 * nc_curve_bucket() - what a token bucket lets through: b + r t for t > 0
 * @burst: b, bytes, 0 or more
 * @rate: r, bytes per ns, 0 or more
 * @out: empty; the curve
 *
 * Return: 0; -EINVAL for a negative burst or rate; or another error.
 */
int nc_curve_bucket(struct nc_q burst, struct nc_q rate, struct nc_curve *out)
{
	if (nc_q_sign(burst) < 0 || nc_q_sign(rate) < 0)
		out->err = -EINVAL;
	nc_curve_add_line(out, NC_ZERO, rate, burst);
	return nc_curve_done(out);
}

/* What a link or a rate limit serves: S(t) = max(rate t, 0). */
int nc_curve_rate(struct nc_q rate, struct nc_curve *out)
{
	return nc_curve_bucket(NC_ZERO, rate, out);
}

/* What a window serves: S(t) = window for t > 0. */
int nc_curve_window(struct nc_q window, struct nc_curve *out)
{
	return nc_curve_bucket(window, NC_ZERO, out);
}
