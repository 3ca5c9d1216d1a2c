// SPDX-License-Identifier: GPL-2.0
/* Tests of common/math/dcc_ewma.h. */
#include "math/dcc_ewma.h"
#include "unit.h"

#define GAIN_80	(DCC_EWMA_GAIN_ONE / 80)	/* 1/80, the slowest in use */
#define NS(x)	((u64)(x) * 256)		/* ns with 8 fractional bits */

/* 0 + 1000 / 4 = 250; + (3000 - 250) / 4 = 937.5; + (500 - 937.5) / 4. */
static void dcc_ewma_step__vectors(void)
{
	u64 avg = dcc_ewma_step(0, 1000, DCC_EWMA_GAIN_ONE / 4);

	EXPECT_EQ(avg, NS(250));
	avg = dcc_ewma_step(avg, 3000, DCC_EWMA_GAIN_ONE / 4);
	EXPECT_EQ(avg, NS(937) + 128);
	avg = dcc_ewma_step(avg, 500, DCC_EWMA_GAIN_ONE / 4);
	EXPECT_EQ(avg, NS(828) + 32);
}

static void dcc_ewma_step__gain_one_follows(void)
{
	u64 avg = 0;
	u32 i;

	for (i = 0; i < 1000; i++) {
		u32 x = (u32)unit_rand();

		avg = dcc_ewma_step(avg, x, DCC_EWMA_GAIN_ONE);
		EXPECT_EQ(avg, NS(x));
	}
}

/* A step of 1 us at 1/80: 12.5 ns at once, where whole us would stand still. */
static void dcc_ewma_step__small_step_moves(void)
{
	u64 avg = dcc_ewma_step(NS(10000), 11000, GAIN_80);

	EXPECT_NEAR(avg / 256.0, 10012.5, 0.01);
	avg = dcc_ewma_step(avg, 11000, GAIN_80);
	EXPECT_NEAR(avg / 256.0, 10024.84, 0.01);
}

/* Both ways between the ends of the range, without overflow. */
static void dcc_ewma_step__extremes(void)
{
	u64 avg = NS(U32_MAX);

	EXPECT_EQ(dcc_ewma_step(avg, U32_MAX, DCC_EWMA_GAIN_ONE / 2), avg);
	EXPECT_EQ(dcc_ewma_step(avg, 0, DCC_EWMA_GAIN_ONE), 0);
	EXPECT_EQ(dcc_ewma_step(avg, 0, DCC_EWMA_GAIN_ONE / 2), avg / 2);
	EXPECT_EQ(dcc_ewma_step(0, U32_MAX, DCC_EWMA_GAIN_ONE), avg);
	EXPECT_EQ(dcc_ewma_step(0, U32_MAX, 1), avg >> 20);
	EXPECT_EQ(dcc_ewma_step(0, 0, 1), 0);
}

/* A constant value is approached from both sides, and never passed. */
static void dcc_ewma_step__settles(void)
{
	u64 up = 0, down = NS(20000);
	u32 i;

	for (i = 0; i < 3000; i++) {
		up = dcc_ewma_step(up, 10000, GAIN_80);
		down = dcc_ewma_step(down, 10000, GAIN_80);
	}
	EXPECT_BETWEEN(up / 256.0, 10000 - 81 / 256.0, 10000);
	EXPECT_EQ(down, NS(10000));
}

/*
 * Against real arithmetic: each step rounds down by less than 2^-8 ns, and
 * what was lost decays with the gain, so the sum stays below 2^-8 / gain.
 */
static void dcc_ewma_step__model(void)
{
	static const u32 gains[] = { 1, 105, 13107, 131072, 524288, 1048576 };
	u32 g, i;

	for (g = 0; g < ARRAY_SIZE(gains); g++) {
		double gain = gains[g] / 1048576.0, model = 0;
		double slack = 1 / (256 * gain) + 0.001;
		u64 avg = 0;

		for (i = 0; i < 20000; i++) {
			u32 x = (u32)(unit_rand() >> (32 + unit_below(32)));

			model += gain * (x - model);
			avg = dcc_ewma_step(avg, x, gains[g]);
			EXPECT_BETWEEN(avg / 256.0, model - slack,
				       model + 0.001);
		}
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_ewma_step__vectors),
	UNIT_TEST(dcc_ewma_step__gain_one_follows),
	UNIT_TEST(dcc_ewma_step__small_step_moves),
	UNIT_TEST(dcc_ewma_step__extremes),
	UNIT_TEST(dcc_ewma_step__settles),
	UNIT_TEST(dcc_ewma_step__model),
};

UNIT_MAIN(tests)
