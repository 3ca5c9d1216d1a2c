// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/netcalc/curve.c: what a curve is. */
#include <errno.h>

#include "grid.h"

static void point(struct nc_pen *pen, int t, int y, int want)
{
	EXPECT_EQ(nc_pen_to(pen, nc_q_int(t), nc_q_int(y)), want);
}

/* Up to 10 at 4 ns, a jump to 15, flat to 9 ns, up to 20 at 10 ns. */
static struct nc_curve by_points(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	struct nc_pen pen = nc_pen(&c);

	point(&pen, 4, 10, 0);
	point(&pen, 4, 15, 0);
	point(&pen, 9, 15, 0);
	point(&pen, 10, 20, 0);
	return c;
}

static void curve__points(void)
{
	static const int left[] = { 0, -1, 5, -1, 10, 15, 15, 15, 15, 15, 20,
				    20 };
	struct nc_curve c = by_points();
	int t;

	for (t = 0; t < (int)ARRAY_SIZE(left); t++)
		if (left[t] >= 0)
			EXPECT_Q(grid_at(&c, t), nc_q_int(left[t]), "f", t);
	EXPECT_Q(grid_after(&c, 4), nc_q_int(15), "f+", 4);
	EXPECT_Q(grid_at(&c, 1), nc_q_make(5, 2), "f", 1);
	EXPECT_Q(grid_at(&c, -1), NC_ZERO, "f", -1);
	EXPECT_Q(grid_after(&c, -1), NC_ZERO, "f+", -1);
	nc_curve_free(&c);
}

static void curve__points_refused(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	struct nc_pen pen = nc_pen(&c);

	point(&pen, -1, 0, -EINVAL);
	point(&pen, 10, 20, 0);
	point(&pen, 9, 30, -EINVAL);
	point(&pen, 11, 19, -EINVAL);
	point(&pen, 11, 20, 0);
	nc_curve_free(&c);
}

static void curve__point_at_0_is_a_jump(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	struct nc_pen pen = nc_pen(&c);

	point(&pen, 0, 0, 0);
	point(&pen, 0, 7, 0);
	EXPECT_Q(grid_at(&c, 0), NC_ZERO, "f", 0);
	EXPECT_Q(grid_after(&c, 0), nc_q_int(7), "f+", 0);
	EXPECT_Q(grid_at(&c, 1), nc_q_int(7), "f", 1);
	EXPECT_EQ(c.n, 1);
	nc_curve_free(&c);
}

static void curve__late_first_point(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	struct nc_pen pen = nc_pen(&c);

	point(&pen, 5, 0, 0);
	point(&pen, 6, 3, 0);
	EXPECT_EQ(nc_curve_check(&c), 0);
	EXPECT_Q(grid_at(&c, 5), NC_ZERO, "f", 5);
	EXPECT_Q(grid_at(&c, 6), nc_q_int(3), "f", 6);
	nc_curve_free(&c);
}

static void curve__same_line_is_one_piece(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, NC_ZERO, nc_q_int(3), nc_q_int(2));
	nc_curve_add(&c, nc_q_int(4), nc_q_int(11), nc_q_int(2));
	EXPECT_EQ(c.n, 1);
	nc_curve_add(&c, nc_q_int(5), nc_q_int(13), nc_q_int(1));
	nc_curve_add(&c, nc_q_int(5), nc_q_int(14), nc_q_int(1));
	EXPECT_EQ(c.n, 2);
	EXPECT_Q(grid_after(&c, 5), nc_q_int(14), "f+", 5);
	nc_curve_free(&c);
}

static void refuse(int t, int y, int slope)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, NC_ZERO, nc_q_int(3), nc_q_int(2));
	EXPECT_EQ(nc_curve_check(&c), 0);
	nc_curve_add(&c, nc_q_int(t), nc_q_int(y), nc_q_int(slope));
	EXPECT_EQ(nc_curve_check(&c), -EINVAL);
	nc_curve_free(&c);
}

static void curve__check(void)
{
	refuse(5, 12, 1);	/* falls */
	refuse(5, 20, -1);	/* will fall */
	refuse(-1, 20, 1);	/* begins earlier */
}

static void curve__check_begins_at_0(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, nc_q_int(1), nc_q_int(3), nc_q_int(2));
	EXPECT_EQ(nc_curve_check(&c), -EINVAL);
	nc_curve_free(&c);
}

static void curve__negative_service(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	EXPECT_EQ(nc_curve_rate(nc_q_int(-1), &c), -EINVAL);
	c = NC_CURVE_EMPTY;
	EXPECT_EQ(nc_curve_window(nc_q_int(-1), &c), -EINVAL);
	EXPECT_EQ(c.n, 0);
}

static void curve__overflow_is_an_error(void)
{
	struct nc_q huge = { (__int128)1 << 120, 1 };
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, huge, huge, huge);
	EXPECT_EQ(nc_curve_done(&c), -EOVERFLOW);
	EXPECT_EQ(c.n, 0);
	nc_curve_add(&c, NC_ZERO, NC_ZERO, NC_ZERO);
	EXPECT_EQ(nc_curve_done(&c), -EOVERFLOW);
}

/* find() and find_after() against a search by hand, at bends and between. */
static void curve__find(void)
{
	int round, half;

	for (round = 0; round < 200; round++) {
		struct nc_curve c = grid_any();

		for (half = -1; half < 2 * GRID_END; half++) {
			struct nc_q t = nc_q_make(half, 2);
			size_t i, at = c.n, after = c.n;

			for (i = 0; i < c.n; i++) {
				at = nc_q_lt(c.p[i].t, t) ? i : at;
				after = nc_q_le(c.p[i].t, t) ? i : after;
			}
			EXPECT_EQ(nc_curve_find(&c, t), at);
			EXPECT_EQ(nc_curve_find_after(&c, t), after);
		}
		nc_curve_free(&c);
	}
}

/* What is cut off may be written again; what is forgotten is not missed. */
static void curve__cut_and_forget(void)
{
	struct nc_curve c = by_points(), d = by_points();

	nc_curve_cut(&c, nc_q_int(8));
	EXPECT_Q(grid_at(&c, 10), nc_q_int(15), "cut f", 10);
	nc_curve_add(&c, nc_q_int(9), nc_q_int(15), nc_q_int(5));
	nc_curve_add(&c, nc_q_int(10), nc_q_int(20), NC_ZERO);
	EXPECT_SAME(&c, &d);
	nc_curve_forget(&c, nc_q_int(9));
	EXPECT_EQ(c.n, 2);	/* from 9 ns on, and from 10 ns on */
	EXPECT_Q(grid_at(&c, 10), nc_q_int(20), "f", 10);
	EXPECT_Q(nc_curve_at(&c, nc_q_make(19, 2)), nc_q_make(35, 2), "f", 9);
	nc_curve_free(&c);
	nc_curve_free(&d);
}

static const struct unit_test tests[] = {
	UNIT_TEST(curve__points),
	UNIT_TEST(curve__points_refused),
	UNIT_TEST(curve__point_at_0_is_a_jump),
	UNIT_TEST(curve__late_first_point),
	UNIT_TEST(curve__same_line_is_one_piece),
	UNIT_TEST(curve__check),
	UNIT_TEST(curve__check_begins_at_0),
	UNIT_TEST(curve__negative_service),
	UNIT_TEST(curve__overflow_is_an_error),
	UNIT_TEST(curve__find),
	UNIT_TEST(curve__cut_and_forget),
};

UNIT_MAIN(tests)
