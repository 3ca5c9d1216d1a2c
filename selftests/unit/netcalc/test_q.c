// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/netcalc/q.c: fractions are exact or lost. */
#include "q.h"
#include "unit.h"

#define HUGE_Q	((struct nc_q){ ((__int128)1 << 126) + 1, 1 })

static void expect(struct nc_q got, long long num, long long den)
{
	EXPECT_EQ(got.num, num);
	EXPECT_EQ(got.den, den);
}

static void q__lowest_terms(void)
{
	expect(nc_q_make(6, -4), -3, 2);
	expect(nc_q_make(0, 17), 0, 1);
	expect(nc_q_add(nc_q_make(1, 6), nc_q_make(1, 3)), 1, 2);
	expect(nc_q_sub(nc_q_make(1, 6), nc_q_make(1, 6)), 0, 1);
	expect(nc_q_mul(nc_q_make(-2, 3), nc_q_make(9, 4)), -3, 2);
	expect(nc_q_div(nc_q_make(2, 3), nc_q_make(-4, 9)), -3, 2);
}

static void q__floor_and_ceil(void)
{
	expect(nc_q_floor(nc_q_make(7, 2)), 3, 1);
	expect(nc_q_floor(nc_q_make(-7, 2)), -4, 1);
	expect(nc_q_ceil(nc_q_make(7, 2)), 4, 1);
	expect(nc_q_ceil(nc_q_make(-7, 2)), -3, 1);
	expect(nc_q_floor(nc_q_int(-3)), -3, 1);
	expect(nc_q_ceil(nc_q_int(-3)), -3, 1);
}

static void q__overflow_is_told_once(void)
{
	EXPECT_EQ(nc_q_lost(), false);
	nc_q_mul(HUGE_Q, HUGE_Q);
	EXPECT_EQ(nc_q_is_lost(), true);
	EXPECT_EQ(nc_q_lost(), true);
	EXPECT_EQ(nc_q_is_lost(), false);
	EXPECT_EQ(nc_q_lost(), false);
	nc_q_add(HUGE_Q, HUGE_Q);
	EXPECT_EQ(nc_q_lost(), true);
	nc_q_div(NC_ZERO, NC_ZERO);
	EXPECT_EQ(nc_q_lost(), true);
	nc_q_add(nc_q_make(1, HUGE_Q.num), nc_q_make(1, HUGE_Q.num - 1));
	EXPECT_EQ(nc_q_lost(), true);
}

/* Comparisons of what cannot be multiplied. */
static void q__cmp_of_large_fractions(void)
{
	struct nc_q a = { HUGE_Q.num, HUGE_Q.num - 1 };
	struct nc_q b = { HUGE_Q.num - 1, HUGE_Q.num - 2 };

	EXPECT_EQ(nc_q_cmp(a, b), -1);
	EXPECT_EQ(nc_q_cmp(b, a), 1);
	EXPECT_EQ(nc_q_cmp(a, a), 0);
	a.num = -a.num;
	b.num = -b.num;
	EXPECT_EQ(nc_q_cmp(a, b), 1);
	EXPECT_EQ(nc_q_cmp(a, NC_INF), -1);
	EXPECT_EQ(nc_q_cmp(NC_INF, a), 1);
	EXPECT_EQ(nc_q_cmp(NC_INF, NC_INF), 0);
	EXPECT_EQ(nc_q_lost(), false);
}

static struct nc_q any_q(void)
{
	return nc_q_make((long long)unit_below(2001) - 1000,
			 1 + unit_below(60));
}

/* Field laws and order on small numbers, against cross multiplication. */
static void q__laws(void)
{
	int i;

	for (i = 0; i < 20000; i++) {
		struct nc_q a = any_q(), b = any_q(), c = any_q();
		__int128 cross = a.num * b.den - b.num * a.den;

		EXPECT_EQ(nc_q_cmp(a, b), (cross > 0) - (cross < 0));
		EXPECT_EQ(nc_q_eq(nc_q_sub(nc_q_add(a, b), b), a), true);
		if (b.num)
			EXPECT_EQ(nc_q_eq(nc_q_div(nc_q_mul(a, b), b), a),
				  true);
		EXPECT_EQ(nc_q_eq(nc_q_mul(a, nc_q_add(b, c)),
				  nc_q_add(nc_q_mul(a, b), nc_q_mul(a, c))),
			  true);
	}
	EXPECT_EQ(nc_q_lost(), false);
}

static const struct unit_test tests[] = {
	UNIT_TEST(q__lowest_terms),
	UNIT_TEST(q__floor_and_ceil),
	UNIT_TEST(q__overflow_is_told_once),
	UNIT_TEST(q__cmp_of_large_fractions),
	UNIT_TEST(q__laws),
};

UNIT_MAIN(tests)
