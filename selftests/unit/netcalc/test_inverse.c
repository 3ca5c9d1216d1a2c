// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/netcalc/inverse.c: pseudo-inverses and distances. */
#include <errno.h>

#include "grid.h"
#include "inverse.h"
#include "minplus.h"

#define ROUNDS	300
#define FINE	12	/* looks per ns */

/* Flat to 2, up to 6 at 4 ns, jump to 10, flat to 7 ns, then 1 per ns. */
static struct nc_curve by_hand(void)
{
	struct nc_curve c = NC_CURVE_EMPTY;

	nc_curve_add(&c, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&c, nc_q_int(2), NC_ZERO, nc_q_int(3));
	nc_curve_add(&c, nc_q_int(4), nc_q_int(10), NC_ZERO);
	nc_curve_add(&c, nc_q_int(7), nc_q_int(10), nc_q_int(1));
	return c;
}

static void inverse__by_hand(void)
{
	static const int table[][3] = {	/* y, low, up */
		{ -1, 0, 0 }, { 0, 0, 2 }, { 3, 3, 3 }, { 6, 4, 4 },
		{ 8, 4, 4 }, { 10, 4, 7 }, { 11, 8, 8 },
	};
	struct nc_curve c = by_hand();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct nc_q y = nc_q_int(table[i][0]);

		EXPECT_Q(nc_inv_low(&c, y), nc_q_int(table[i][1]), "low",
			 table[i][0]);
		EXPECT_Q(nc_inv_up(&c, y), nc_q_int(table[i][2]), "up",
			 table[i][0]);
	}
	nc_curve_free(&c);
}

static void inverse__bounded(void)
{
	struct nc_curve c = NC_CURVE_EMPTY, out = NC_CURVE_EMPTY;

	EXPECT_EQ(nc_q_is_inf(nc_inv_up(&c, NC_ZERO)), true);
	EXPECT_Q(nc_inv_low(&c, NC_ZERO), NC_ZERO, "low", 0);
	nc_curve_window(nc_q_int(5), &c);
	EXPECT_Q(nc_inv_low(&c, nc_q_int(5)), NC_ZERO, "low", 5);
	EXPECT_EQ(nc_q_is_inf(nc_inv_up(&c, nc_q_int(5))), true);
	EXPECT_EQ(nc_q_is_inf(nc_inv_low(&c, nc_q_int(6))), true);
	EXPECT_EQ(nc_inverse(&c, &out), -EDOM);
	nc_curve_free(&c);
}

/* f(x) >= y means x >= low(y), and f(x) <= y means x <= up(y); and near by. */
static void galois(const struct nc_curve *f, struct nc_q x, struct nc_q y)
{
	struct nc_q low = nc_inv_low(f, y), up = nc_inv_up(f, y);
	struct nc_q fx = nc_curve_at(f, x);

	if (nc_q_le(y, fx))
		EXPECT_EQ(nc_q_le(low, x), true);
	if (nc_q_lt(low, x))
		EXPECT_EQ(nc_q_le(y, fx), true);
	if (nc_q_le(fx, y))
		EXPECT_EQ(nc_q_le(x, up), true);
	if (nc_q_lt(x, up))
		EXPECT_EQ(nc_q_le(fx, y), true);
	EXPECT_EQ(nc_q_le(low, up), true);
}

static void inverse__laws(void)
{
	int round, x, y;

	for (round = 0; round < ROUNDS / 3; round++) {
		struct nc_curve f = grid_curve(round % GRID_SHAPES);

		for (x = 0; x < GRID_END; x++)
			for (y = 0; y < 2 * GRID_END; y++)
				galois(&f, nc_q_make(x, 2), nc_q_make(y, 2));
		for (y = 0; y < GRID_END; y++) {
			struct nc_q up = nc_inv_up(&f, nc_q_int(y));

			if (nc_q_is_inf(up))
				continue;	/* P4 of the paper's proof */
			EXPECT_EQ(nc_q_le(nc_curve_at(&f, up), nc_q_int(y)),
				  true);
			EXPECT_EQ(nc_q_le(nc_q_int(y), nc_curve_after(&f, up)),
				  true);
		}
		nc_curve_free(&f);
	}
}

/* A curve that grows for ever; else it has no inverse. */
static struct nc_curve growing(void)
{
	struct nc_curve f = grid_any();

	nc_curve_add(&f, nc_q_int(60), nc_q_int(600), nc_q_int(2));
	return f;
}

static void inverse__curve_agrees(void)
{
	int round, y;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_curve f = growing(), inv = NC_CURVE_EMPTY;
		struct nc_curve back = NC_CURVE_EMPTY;

		EXPECT_EQ(nc_inverse(&f, &inv), 0);
		EXPECT_EQ(nc_curve_check(&inv), 0);
		for (y = 0; y < 2 * GRID_END; y++) {
			struct nc_q at = nc_q_make(y, 2);

			EXPECT_Q(nc_curve_at(&inv, at), nc_inv_low(&f, at),
				 "low", y);
			EXPECT_Q(nc_curve_after(&inv, at), nc_inv_up(&f, at),
				 "up", y);
		}
		EXPECT_EQ(nc_inverse(&inv, &back), 0);
		EXPECT_SAME(&back, &f);
		nc_curve_free(&f);
		nc_curve_free(&inv);
		nc_curve_free(&back);
	}
}

/* A rate's inverse of a convolution is the max-plus one: low(D) from low(A). */
static void delay__of_a_burst(void)
{
	struct nc_curve a = NC_CURVE_EMPTY, d = NC_CURVE_EMPTY;
	struct nc_extreme e;

	nc_curve_bucket(nc_q_int(12), nc_q_int(1), &a);
	nc_conv_rate(&a, nc_q_int(3), &d);
	EXPECT_EQ(nc_delay(&a, &d, nc_q_int(20), &e), 0);
	EXPECT_Q(e.value, nc_q_int(4), "delay", 0);
	EXPECT_Q(e.t, NC_ZERO, "delay's time", 0);
	EXPECT_EQ(nc_backlog(&a, &d, nc_q_int(20), &e), 0);
	EXPECT_Q(e.value, nc_q_int(12), "backlog", 0);
	nc_curve_free(&a);
	nc_curve_free(&d);
}

/* Delays seen at a fine grid of times: never above the supremum, and near. */
static void delay_on_grid(const struct nc_curve *f, const struct nc_curve *g)
{
	struct nc_extreme e;
	struct nc_q best = NC_ZERO;
	int s;

	EXPECT_EQ(nc_delay(f, g, nc_q_int(GRID_END), &e), 0);
	for (s = 1; s <= GRID_END * FINE; s++) {
		struct nc_q t = nc_q_make(s, FINE);
		struct nc_q x = nc_inv_low(g, nc_curve_at(f, t));

		if (!nc_q_is_inf(x))
			x = nc_q_sub(x, t);
		best = nc_q_max(best, x);
	}
	EXPECT_EQ(nc_q_le(best, e.value), true);
	if (!nc_q_is_inf(e.value))
		EXPECT_BETWEEN(nc_q_double(best),
			       nc_q_double(e.value) - 12.0 / FINE,
			       nc_q_double(e.value));
}

static void backlog_on_grid(const struct nc_curve *f, const struct nc_curve *g)
{
	struct nc_extreme e;
	struct nc_q best = NC_ZERO;
	int t;

	EXPECT_EQ(nc_backlog(f, g, nc_q_int(GRID_END), &e), 0);
	for (t = 0; t <= GRID_END; t++) {
		best = nc_q_max(best, nc_q_sub(grid_at(f, t), grid_at(g, t)));
		if (t < GRID_END)
			best = nc_q_max(best, nc_q_sub(grid_after(f, t),
						       grid_after(g, t)));
	}
	EXPECT_Q(e.value, best, "backlog", 0);
}

static void distances__grid(void)
{
	int round;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_curve f = grid_any(), g = grid_any();
		struct nc_curve d = NC_CURVE_EMPTY;

		nc_conv(&f, &g, &d);
		delay_on_grid(&f, &d);
		backlog_on_grid(&f, &d);
		backlog_on_grid(&f, &g);
		nc_curve_free(&f);
		nc_curve_free(&g);
		nc_curve_free(&d);
	}
}

/*
 * All bends are before LATE, and so is all that the last slopes catch up with.
 * What is larger twice as late grows for ever.
 */
#define LATE	1000

static void distance_of_all_time(const struct nc_curve *f, const struct nc_curve *g,
				 int (*distance)(const struct nc_curve *f,
						 const struct nc_curve *g,
						 struct nc_q until,
						 struct nc_extreme *out))
{
	struct nc_extreme late, later, all;

	EXPECT_EQ(distance(f, g, nc_q_int(LATE), &late), 0);
	EXPECT_EQ(distance(f, g, nc_q_int(2 * LATE), &later), 0);
	EXPECT_EQ(distance(f, g, NC_INF, &all), 0);
	if (!nc_q_eq(late.value, later.value))
		late.value = NC_INF;
	EXPECT_EQ(nc_q_eq(all.value, late.value), true);
}

static void distances__of_all_time(void)
{
	int round;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_curve f = grid_any(), g = grid_any();

		distance_of_all_time(&f, &g, nc_delay);
		distance_of_all_time(&f, &g, nc_backlog);
		nc_curve_free(&f);
		nc_curve_free(&g);
	}
}

static void backlog__may_be_infinite(void)
{
	struct nc_curve f = NC_CURVE_EMPTY, g = NC_CURVE_EMPTY;
	struct nc_extreme e;

	nc_curve_rate(nc_q_int(2), &f);
	nc_curve_rate(nc_q_int(1), &g);
	EXPECT_EQ(nc_backlog(&f, &g, NC_INF, &e), 0);
	EXPECT_EQ(nc_q_is_inf(e.value), true);
	nc_curve_free(&f);
	nc_curve_free(&g);
}

/* The first whole ns, against a look at every one. */
static void first_below__grid(void)
{
	int round, t;

	for (round = 0; round < 4 * ROUNDS; round++) {
		struct nc_curve f = grid_any(), g = grid_any();
		int after = unit_below(10), late = unit_below(6);
		struct nc_view a = nc_view_late(&f, nc_q_int(late));
		struct nc_view b = nc_view(&g);
		struct nc_q want = NC_INF;
		bool equal = unit_below(2);

		for (t = after + 1; t <= GRID_END; t++)
			if (nc_q_cmp(nc_view_at(a, nc_q_int(t)),
				     nc_view_at(b, nc_q_int(t))) < equal) {
				want = nc_q_int(t);
				break;
			}
		EXPECT_Q(nc_first_below(a, b, nc_q_int(after),
					nc_q_int(GRID_END), equal), want,
			 "first", t);
		nc_curve_free(&f);
		nc_curve_free(&g);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(inverse__by_hand),
	UNIT_TEST(inverse__bounded),
	UNIT_TEST(inverse__laws),
	UNIT_TEST(inverse__curve_agrees),
	UNIT_TEST(delay__of_a_burst),
	UNIT_TEST(distances__grid),
	UNIT_TEST(distances__of_all_time),
	UNIT_TEST(backlog__may_be_infinite),
	UNIT_TEST(first_below__grid),
};

UNIT_MAIN(tests)
