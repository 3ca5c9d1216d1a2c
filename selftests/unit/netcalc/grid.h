/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random curves, and the same operations by brute force on a grid.
 *
 * The curves bend at whole ns and have whole slopes and heights. Then every
 * infimum over s is taken at a whole s, at its left or right limit, so that a
 * loop over whole numbers finds the exact value at whole t.
 */
#ifndef _GRID_H
#define _GRID_H

#include "curve.h"
#include "unit.h"

#define GRID_END	40	/* ns: up to here the grid looks */

enum grid_shape { GRID_ANY, GRID_CONVEX, GRID_CONCAVE, GRID_SHAPES };

static inline void grid_is(const char *file, int line, struct nc_q got,
			   struct nc_q want, const char *what, int t)
{
	if (!nc_q_eq(got, want))
		unit_fail(file, line, "%s at %d is %.9g, expected %.9g", what,
			  t, nc_q_double(got), nc_q_double(want));
}

#define EXPECT_Q(got, want, what, t) \
	grid_is(__FILE__, __LINE__, got, want, what, t)

#define EXPECT_SAME(f, g) \
	EXPECT_EQ(nc_curve_equal(f, g), true)

/* Jumps, flat parts and rises, one to six pieces. */
static inline struct nc_curve grid_any(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	int t = 0, y = 0, pieces = 1 + unit_below(6);

	while (pieces--) {
		int slope = unit_below(3) ? unit_below(6) : 0;
		int length = 1 + unit_below(8);

		y += unit_below(3) ? 0 : unit_below(20);
		nc_curve_add(&c, nc_q_int(t), nc_q_int(y), nc_q_int(slope));
		y += slope * length;
		t += length;
	}
	return c;
}

/* Slopes that only rise (no jump), or only fall (a jump at 0). */
static inline struct nc_curve grid_bent(bool convex)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	int t = 0, y = convex ? 0 : unit_below(20);
	int slope = convex ? 0 : 12, pieces = 1 + unit_below(4);

	while (pieces--) {
		int step = unit_below(4), length = 1 + unit_below(8);

		slope += convex ? step : -step;
		slope = slope < 0 ? 0 : slope;
		nc_curve_add(&c, nc_q_int(t), nc_q_int(y), nc_q_int(slope));
		y += slope * length;
		t += length;
	}
	return c;
}

static inline struct nc_curve grid_curve(enum grid_shape shape)
{
	return shape == GRID_ANY ? grid_any() :
				   grid_bent(shape == GRID_CONVEX);
}

static inline struct nc_q grid_at(const struct nc_curve *c, int t)
{
	return nc_curve_at(c, nc_q_int(t));
}

static inline struct nc_q grid_after(const struct nc_curve *c, int t)
{
	return nc_curve_after(c, nc_q_int(t));
}

/* inf over 0 <= s <= t of f(s) + g(t - s): at s, and at its two limits. */
static inline struct nc_q grid_conv(const struct nc_curve *f,
				    const struct nc_curve *g, int t)
{
	struct nc_q best = NC_INF;
	int s;

	for (s = 0; s <= t; s++) {
		best = nc_q_min(best, nc_q_add(grid_at(f, s),
					       grid_at(g, t - s)));
		if (s < t)	/* a little later */
			best = nc_q_min(best, nc_q_add(grid_after(f, s),
						       grid_at(g, t - s)));
		if (s > 0)	/* a little earlier */
			best = nc_q_min(best, nc_q_add(grid_at(f, s),
						       grid_after(g, t - s)));
	}
	return best;
}

#endif /* _GRID_H */
