// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_back.h. */
#include "cc/dcc_back.h"
#include "unit.h"

/* An ACK that left at @us by a clock that is @offset us ahead, and took @back us. */
static u32 wait_of(struct dcc_back *b, u64 us, u32 offset, u32 back, u32 ppm)
{
	return dcc_back_wait(b, (us + back) * 1000, (u32)us + offset, ppm);
}

/* Whatever the clocks differ by, also where the difference or a clock wraps. */
static void dcc_back_wait__beyond_the_least(void)
{
	static const u32 offset[] = { 0, 1, 10, 1000000, U32_MAX, U32_MAX - 40, 1U << 31 };
	static const u64 start[] = { 0, 100, U32_MAX, (1ULL << 32) - 20, 1ULL << 50 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(offset); i++) {
		for (j = 0; j < ARRAY_SIZE(start); j++) {
			struct dcc_back b = {};

			EXPECT_EQ(wait_of(&b, start[j], offset[i], 40, 1), 0);
			EXPECT_EQ(wait_of(&b, start[j] + 1, offset[i], 40, 1), 0);
			EXPECT_EQ(wait_of(&b, start[j] + 2, offset[i], 65, 1), 25);
			EXPECT_EQ(wait_of(&b, start[j] + 3, offset[i], 31, 1), 0);
			EXPECT_EQ(wait_of(&b, start[j] + 4, offset[i], 65, 1), 34);
		}
	}
}

/* The number that means none is not kept: an ACK of that one waited 1 us. */
static void dcc_back_wait__none_is_no_value(void)
{
	struct dcc_back b = {};

	EXPECT_EQ(wait_of(&b, 100, 40, 40, 1), 1);
	EXPECT_EQ(b.least_us, U32_MAX);
	EXPECT_EQ(wait_of(&b, 101, 40, 41, 1), 2);
	EXPECT_EQ(wait_of(&b, 102, 40, 39, 1), 0);
}

/* A queue that stands is a part of the way after its length / ppm. */
static void dcc_back_wait__a_standing_queue_ages(void)
{
	struct dcc_back b = {};

	EXPECT_EQ(wait_of(&b, 0, 7, 10, 10), 0);
	EXPECT_EQ(wait_of(&b, 1000, 7, 40, 10), 30);
	EXPECT_EQ(wait_of(&b, 1000000, 7, 40, 10), 20);
	EXPECT_EQ(wait_of(&b, 2000000, 7, 40, 10), 10);
	EXPECT_EQ(wait_of(&b, 3000000, 7, 40, 10), 0);
	EXPECT_EQ(wait_of(&b, 4000000, 7, 40, 10), 0);
	EXPECT_EQ(wait_of(&b, 4000000, 7, 50, 10), 10);
}

/* What a clock that runs @slow us/s behind ours makes of an empty way in 10 s. */
static u32 drifted(u32 slow, u32 ppm)
{
	struct dcc_back b = {};
	u32 wait = 0, s;

	for (s = 0; s <= 10; s++)
		wait = wait_of(&b, s * 1000000ULL, 77 - s * slow, 40, ppm);
	return wait;
}

/* Within ppm it makes nothing, beyond it what is beyond. */
static void dcc_back_wait__clocks_run_apart(void)
{
	EXPECT_EQ(drifted(0, 1), 0);
	EXPECT_EQ(drifted(10, 10), 0);
	EXPECT_EQ(drifted(11, 10), 10);
	EXPECT_EQ(drifted((u32)-10, 10), 0);
	EXPECT_EQ(drifted((u32)-50, 10), 0);
	EXPECT_EQ(drifted(DCC_BACK_PPM_MOST, DCC_BACK_PPM_MOST), 0);
	EXPECT_EQ(drifted(DCC_BACK_PPM_MOST + 1, DCC_BACK_PPM_MOST), 10);
}

static void dcc_back_less__takes_it_off(void)
{
	EXPECT_EQ(dcc_back_less(172000, 0, 100000), 172000);
	EXPECT_EQ(dcc_back_less(172000, 1, 100000), 171000);
	EXPECT_EQ(dcc_back_less(172000, 71, 100000), 101000);
}

/* Whatever the clock says, and if nothing is known. */
static void dcc_back_less__leaves_the_base(void)
{
	EXPECT_EQ(dcc_back_less(172000, 72, 100000), 100000);
	EXPECT_EQ(dcc_back_less(172000, 73, 100000), 100000);
	EXPECT_EQ(dcc_back_less(172000, U32_MAX, 100000), 100000);
	EXPECT_EQ(dcc_back_less(172000, 10, 172000), 172000);
	EXPECT_EQ(dcc_back_less(172000, 10, 180000), 172000);
	EXPECT_EQ(dcc_back_less(172000, 10, 0), 172000);
	EXPECT_EQ(dcc_back_less(U32_MAX, U32_MAX, 1), 1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_back_wait__beyond_the_least),
	UNIT_TEST(dcc_back_wait__none_is_no_value),
	UNIT_TEST(dcc_back_wait__a_standing_queue_ages),
	UNIT_TEST(dcc_back_wait__clocks_run_apart),
	UNIT_TEST(dcc_back_less__takes_it_off),
	UNIT_TEST(dcc_back_less__leaves_the_base),
};

UNIT_MAIN(tests)
