// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_tlp.h. */
#include "cc/dcc_tlp.h"
#include "unit.h"

#define US	1000ULL

/* As long as a packet more may leave, nothing has to be asked. */
static void dcc_tlp_full__nothing_may_leave(void)
{
	EXPECT_EQ(dcc_tlp_full(0, 1), false);
	EXPECT_EQ(dcc_tlp_full(1, 1), true);
	EXPECT_EQ(dcc_tlp_full(9, 10), false);
	EXPECT_EQ(dcc_tlp_full(10, 10), true);
	EXPECT_EQ(dcc_tlp_full(11, 10), true);
}

static void dcc_tlp_room__not_of_a_large_window(void)
{
	EXPECT_EQ(dcc_tlp_room(0, U32_MAX), true);
	EXPECT_EQ(dcc_tlp_room(31, U32_MAX), true);
	EXPECT_EQ(dcc_tlp_room(32, U32_MAX), false);
}

/* The administrator's most is the most, with the packet that asks. */
static void dcc_tlp_room__below_the_clamp(void)
{
	EXPECT_EQ(dcc_tlp_room(3, 4), true);
	EXPECT_EQ(dcc_tlp_room(4, 4), false);
	EXPECT_EQ(dcc_tlp_room(5, 4), false);
}

static void dcc_tlp_due__twice_as_long_each_time(void)
{
	EXPECT_EQ(dcc_tlp_due(0, 120 * US, 0), 240 * US);
	EXPECT_EQ(dcc_tlp_due(5, 120 * US, 0), 240 * US + 5);
	EXPECT_EQ(dcc_tlp_due(5, 120 * US, 1), 480 * US + 5);
	EXPECT_EQ(dcc_tlp_due(5, 120 * US, 2), 960 * US + 5);
	EXPECT_EQ(dcc_tlp_due(5, 120 * US, DCC_TLP_TRIES - 1), 3840 * US + 5);
}

static void dcc_tlp_due__longest(void)
{
	EXPECT_EQ(dcc_tlp_due(1ULL << 62, U32_MAX, DCC_TLP_TRIES - 1),
		  (1ULL << 62) + 32 * (u64)U32_MAX);
}

/* Looking each time as long again as has been waited: 20 looks in a second. */
static void dcc_tlp_in_host__doubles(void)
{
	u64 due, now = 1000 * US;
	u32 looks;

	EXPECT_EQ(dcc_tlp_in_host(1000 * US, 1000 * US), 1000 * US);
	EXPECT_EQ(dcc_tlp_in_host(999 * US, 1000 * US), 1001 * US);
	for (looks = 0; now < 1000 * US + (US << 20); looks++) {
		due = dcc_tlp_due(dcc_tlp_in_host(1000 * US, now), US, 0);
		EXPECT_EQ(due > now, true);
		now = due;
	}
	EXPECT_EQ(looks, 20);
}

/* The last packet's departure, by pacing, may still be ahead. */
static void dcc_tlp_in_host__not_left_yet(void)
{
	EXPECT_EQ(dcc_tlp_in_host(1001 * US, 1000 * US), 1000 * US);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_tlp_full__nothing_may_leave),
	UNIT_TEST(dcc_tlp_room__not_of_a_large_window),
	UNIT_TEST(dcc_tlp_room__below_the_clamp),
	UNIT_TEST(dcc_tlp_due__twice_as_long_each_time),
	UNIT_TEST(dcc_tlp_due__longest),
	UNIT_TEST(dcc_tlp_in_host__doubles),
	UNIT_TEST(dcc_tlp_in_host__not_left_yet),
};

UNIT_MAIN(tests)
