// SPDX-License-Identifier: GPL-2.0
/* Tests of common/dcc_ewma.h. */
#include "dcc_ewma.h"
#include "unit.h"

#define GAIN_80	(DCC_RATIO_ONE / 80)	/* 1/80, the slowest in use */

static void dcc_ewma_add__first_value_is_taken_whole(void)
{
	struct dcc_ewma e = { 0 };

	dcc_ewma_add(&e, 12345, GAIN_80);
	EXPECT_EQ(e.set, true);
	EXPECT_EQ(dcc_ewma_get(&e), 12345);
}

/* A first value of 0 is a value: the second must be averaged with it. */
static void dcc_ewma_add__first_value_zero(void)
{
	struct dcc_ewma e = { 0 };

	dcc_ewma_add(&e, 0, DCC_RATIO_ONE / 2);
	dcc_ewma_add(&e, 1000, DCC_RATIO_ONE / 2);
	EXPECT_EQ(dcc_ewma_get(&e), 500);
}

/* 1000 + (3000 - 1000) / 4 = 1500; 1500 + (500 - 1500) / 4 = 1250. */
static void dcc_ewma_add__vectors(void)
{
	struct dcc_ewma e = { 0 };

	dcc_ewma_add(&e, 1000, DCC_RATIO_ONE / 4);
	dcc_ewma_add(&e, 3000, DCC_RATIO_ONE / 4);
	EXPECT_EQ(dcc_ewma_get(&e), 1500);
	dcc_ewma_add(&e, 500, DCC_RATIO_ONE / 4);
	EXPECT_EQ(dcc_ewma_get(&e), 1250);
}

static void dcc_ewma_add__gain_one_follows(void)
{
	struct dcc_ewma e = { 0 };
	u32 i;

	for (i = 0; i < 1000; i++) {
		u32 x = (u32)unit_rand();

		dcc_ewma_add(&e, x, DCC_RATIO_ONE);
		EXPECT_EQ(dcc_ewma_get(&e), x);
	}
}

/* A step of 1 us at 1/80: 12.5 ns at once, where whole us would stand still. */
static void dcc_ewma_add__small_step_moves(void)
{
	struct dcc_ewma e = { 0 };

	dcc_ewma_add(&e, 10000, GAIN_80);
	dcc_ewma_add(&e, 11000, GAIN_80);
	EXPECT_EQ(dcc_ewma_get(&e), 10012);
	dcc_ewma_add(&e, 11000, GAIN_80);
	EXPECT_EQ(dcc_ewma_get(&e), 10024);
}

/* Both ways between the ends of the range, without overflow. */
static void dcc_ewma_add__extremes(void)
{
	struct dcc_ewma e = { 0 };

	dcc_ewma_add(&e, U32_MAX, 1);
	dcc_ewma_add(&e, 0, DCC_RATIO_ONE / 2);
	EXPECT_NEAR(dcc_ewma_get(&e), 2147483647.5, 1);
	dcc_ewma_add(&e, 0, DCC_RATIO_ONE);
	EXPECT_EQ(dcc_ewma_get(&e), 0);
	dcc_ewma_add(&e, U32_MAX, DCC_RATIO_ONE);
	EXPECT_EQ(dcc_ewma_get(&e), U32_MAX);
	dcc_ewma_add(&e, U32_MAX, DCC_RATIO_ONE / 2);
	EXPECT_EQ(dcc_ewma_get(&e), U32_MAX);
}

/*
 * Against real arithmetic: each step rounds down by less than 2^-8 ns, and
 * what was lost decays with the gain, so the sum stays below 2^-8 / gain.
 */
static void dcc_ewma_add__model(void)
{
	static const u32 gains[] = { 1, 66, 819, 8192, 32768, 65536 };
	u32 g, i;

	for (g = 0; g < ARRAY_SIZE(gains); g++) {
		double gain = gains[g] / 65536.0, avg = 0;
		double slack = 1 / (256 * gain) + 0.001;
		struct dcc_ewma e = { 0 };

		for (i = 0; i < 20000; i++) {
			u32 x = (u32)(unit_rand() >> (32 + unit_below(32)));

			avg = i ? avg + gain * (x - avg) : x;
			dcc_ewma_add(&e, x, gains[g]);
			EXPECT_BETWEEN(e.avg / 256.0,
				       avg - slack,
				       avg + 0.001);
		}
	}
}

static void dcc_ewma_get__empty(void)
{
	struct dcc_ewma e = { 0 };

	EXPECT_EQ(dcc_ewma_get(&e), 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_ewma_add__first_value_is_taken_whole),
	UNIT_TEST(dcc_ewma_add__first_value_zero),
	UNIT_TEST(dcc_ewma_add__vectors),
	UNIT_TEST(dcc_ewma_add__gain_one_follows),
	UNIT_TEST(dcc_ewma_add__small_step_moves),
	UNIT_TEST(dcc_ewma_add__extremes),
	UNIT_TEST(dcc_ewma_add__model),
	UNIT_TEST(dcc_ewma_get__empty),
};

UNIT_MAIN(tests)
