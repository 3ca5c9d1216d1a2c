// SPDX-License-Identifier: GPL-2.0
/* Tests of common/math/dcc_wide.c against the compiler's own 128 bits. */
#include "math/dcc_wide.h"
#include "unit.h"

#define u128	unsigned __int128	/* the oracle's */

#define ROUNDS	300000

static u128 whole(struct dcc_wide w)
{
	return (u128)w.hi << 64 | w.lo;
}

static struct dcc_wide wide(u128 v)
{
	return (struct dcc_wide) { .hi = (u64)(v >> 64), .lo = (u64)v };
}

/* A number of any length, often one next to a power of two. */
static u64 any(void)
{
	u64 v = unit_rand() >> unit_below(64);

	switch (unit_below(4)) {
	case 0:
		return (1ULL << unit_below(64)) - 1 + unit_below(3);
	case 1:
		return ~v;
	default:
		return v;
	}
}

static void dcc_wide_mul__oracle(void)
{
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		u64 a = any(), b = any();

		EXPECT_EQ(whole(dcc_wide_mul(a, b)) == (u128)a * b, 1);
	}
	EXPECT_EQ(whole(dcc_wide_mul(U64_MAX, U64_MAX)) ==
		  (u128)U64_MAX * U64_MAX, 1);
}

static void dcc_wide_sub__borrows(void)
{
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		u128 a = (u128)any() << 64 | any(), b = (u128)any() << 64 | any();

		EXPECT_EQ(whole(dcc_wide_sub(wide(a), wide(b))) == a - b, 1);
	}
	EXPECT_EQ(whole(dcc_wide_sub(wide(0), wide(1))) == ~(u128)0, 1);
}

static void dcc_wide_div__oracle(void)
{
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		u128 n = (u128)any() << 64 | any();
		u64 d = any(), q = dcc_wide_div(wide(n), d);
		bool fits = d && n / d <= U64_MAX;

		EXPECT_EQ(q == (fits ? (u64)(n / d) : U64_MAX), 1);
	}
}

/* The first guess of a digit is one and two too large, and 2^32. */
static void dcc_wide_div__guess_is_corrected(void)
{
	u128 n = (u128)0x7fffffff80000000ULL << 64;
	u64 d = 0x80000000ffffffffULL;

	EXPECT_EQ(dcc_wide_div(wide(n), d) == (u64)(n / d), 1);
	n = (u128)d << 64;
	n -= 1;
	EXPECT_EQ(dcc_wide_div(wide(n), d) == U64_MAX, 1);
	n = (u128)(d - 1) << 64 | U64_MAX;
	EXPECT_EQ(dcc_wide_div(wide(n), d) == (u64)(n / d), 1);
}

static void dcc_wide_div__does_not_fit(void)
{
	struct dcc_wide n = { .hi = 5, .lo = 7 };

	EXPECT_EQ(dcc_wide_div(n, 5) == U64_MAX, 1);
	EXPECT_EQ(dcc_wide_div(n, 6) == (((u128)5 << 64) + 7) / 6, 1);
	EXPECT_EQ(dcc_wide_div(n, 0) == U64_MAX, 1);
	n.hi = 0;
	EXPECT_EQ(dcc_wide_div(n, 0) == U64_MAX, 1);
	EXPECT_EQ(dcc_wide_div(n, 7), 1);
	EXPECT_EQ(dcc_wide_div(n, 8), 0);
}

static void dcc_mul_div__nearest(void)
{
	u32 i;

	EXPECT_EQ(dcc_mul_div(10, 1, 4), 3);	/* 2.5 */
	EXPECT_EQ(dcc_mul_div(9, 1, 4), 2);	/* 2.25 */
	EXPECT_EQ(dcc_mul_div(10, 1, 3), 3);	/* 3.33 */
	EXPECT_EQ(dcc_mul_div(11, 1, 3), 4);	/* 3.67 */
	EXPECT_EQ(dcc_mul_div(0, 5, 0) == U64_MAX, 1);
	EXPECT_EQ(dcc_mul_div(U64_MAX, U64_MAX, U64_MAX) == U64_MAX, 1);
	EXPECT_EQ(dcc_mul_div(U64_MAX, U64_MAX, U64_MAX - 1) == U64_MAX, 1);
	for (i = 0; i < ROUNDS; i++) {
		u64 a = any(), b = any(), c = any();
		u128 n = (u128)a * b + c / 2;
		bool fits = c && n / c <= U64_MAX;

		EXPECT_EQ(dcc_mul_div(a, b, c) ==
			  (fits ? (u64)(n / c) : U64_MAX), 1);
	}
}

/* 10 Gbit/s x 120 us are 150000 bytes; and the ends of all ranges. */
static void dcc_carried_pkts__a_line(void)
{
	EXPECT_EQ(dcc_carried_pkts(1250000000, 120000, 1500), 100ULL << 20);
	EXPECT_EQ(dcc_carried_pkts(1250000000, 0, 1500), 0);
	EXPECT_EQ(dcc_carried_pkts(0, 120000, 1500), 0);
	EXPECT_EQ(dcc_carried_pkts(U64_MAX, 1000000000, 1) == ((1ULL << 40) - 1) << 20, 1);
	EXPECT_EQ(dcc_carried_pkts(1ULL << 40, 1000000000, 1) == ((1ULL << 40) - 1) << 20, 1);
	EXPECT_EQ(dcc_carried_pkts(U64_MAX, U32_MAX, 1) >> 20, 4722366481766);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_wide_mul__oracle),
	UNIT_TEST(dcc_wide_sub__borrows),
	UNIT_TEST(dcc_wide_div__oracle),
	UNIT_TEST(dcc_wide_div__guess_is_corrected),
	UNIT_TEST(dcc_wide_div__does_not_fit),
	UNIT_TEST(dcc_mul_div__nearest),
	UNIT_TEST(dcc_carried_pkts__a_line),
};

UNIT_MAIN(tests)
