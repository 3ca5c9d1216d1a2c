// SPDX-License-Identifier: GPL-2.0
/* Tests of common/math/dcc_fixed.h. */
#include "math/dcc_fixed.h"
#include "unit.h"

/* Expected: floor(milli * 2^20 / 1000), by hand. */
static void dcc_milli_to_pkts__vectors(void)
{
	EXPECT_EQ(dcc_milli_to_pkts(0), 0);
	EXPECT_EQ(dcc_milli_to_pkts(1), 1048);
	EXPECT_EQ(dcc_milli_to_pkts(10), 10485);
	EXPECT_EQ(dcc_milli_to_pkts(999), 1047527);
	EXPECT_EQ(dcc_milli_to_pkts(1000), 1048576);
	EXPECT_EQ(dcc_milli_to_pkts(1000000000), 1048576000000);
}

/* The largest argument: (2^52 - 2^20) / 1000. */
static void dcc_milli_to_pkts__largest(void)
{
	EXPECT_EQ(dcc_milli_to_pkts(U32_MAX), 4503599626321);
}

/* Expected: floor(milli * 2^16 / 1000), by hand. */
static void dcc_milli_to_ratio__vectors(void)
{
	EXPECT_EQ(dcc_milli_to_ratio(0), 0);
	EXPECT_EQ(dcc_milli_to_ratio(1), 65);
	EXPECT_EQ(dcc_milli_to_ratio(500), 32768);
	EXPECT_EQ(dcc_milli_to_ratio(800), 52428);
	EXPECT_EQ(dcc_milli_to_ratio(999), 65470);
	EXPECT_EQ(dcc_milli_to_ratio(1000), DCC_RATIO_ONE);
}

static void dcc_isqrt64__around_squares(void)
{
	u64 r;

	for (r = 1; r < 3000; r++) {
		EXPECT_EQ(dcc_isqrt64(r * r - 1), r - 1);
		EXPECT_EQ(dcc_isqrt64(r * r), r);
		EXPECT_EQ(dcc_isqrt64(r * r + 2 * r), r);
	}
}

static void dcc_isqrt64__ends(void)
{
	u64 top = (u64)U32_MAX * U32_MAX;

	EXPECT_EQ(dcc_isqrt64(0), 0);
	EXPECT_EQ(dcc_isqrt64(1), 1);
	EXPECT_EQ(dcc_isqrt64(top - 1), U32_MAX - 1);
	EXPECT_EQ(dcc_isqrt64(top), U32_MAX);
	EXPECT_EQ(dcc_isqrt64(U64_MAX), U32_MAX);
	EXPECT_EQ(dcc_isqrt64((1ULL << 62) - 1), (1U << 31) - 1);
	EXPECT_EQ(dcc_isqrt64(1ULL << 62), 1U << 31);
}

/* r * r <= x < (r + 1) * (r + 1), at every magnitude. */
static void dcc_isqrt64__definition(void)
{
	u32 i;

	for (i = 0; i < 500000; i++) {
		u64 x = unit_rand() >> unit_below(64);
		u64 r = dcc_isqrt64(x);

		EXPECT_EQ(r * r <= x, 1);
		EXPECT_EQ(r == U32_MAX || (r + 1) * (r + 1) > x, 1);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_milli_to_pkts__vectors),
	UNIT_TEST(dcc_milli_to_pkts__largest),
	UNIT_TEST(dcc_milli_to_ratio__vectors),
	UNIT_TEST(dcc_isqrt64__around_squares),
	UNIT_TEST(dcc_isqrt64__ends),
	UNIT_TEST(dcc_isqrt64__definition),
};

UNIT_MAIN(tests)
