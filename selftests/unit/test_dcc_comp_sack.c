// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_comp_sack.h. */
#include "cc/dcc_comp_sack.h"
#include "unit.h"

/* A receiver tells of the first three one by one: so many are no sign of a wait. */
static void dcc_comp_sack_learn__more_than_three(void)
{
	EXPECT_EQ(dcc_comp_sack_learn(0, 3, true), 0);
	EXPECT_EQ(dcc_comp_sack_learn(0, 4, true), 4);
}

/* What cards merge comes at once, too, and nobody waited for it. */
static void dcc_comp_sack_learn__not_without_a_wait(void)
{
	EXPECT_EQ(dcc_comp_sack_learn(0, 40, false), 0);
	EXPECT_EQ(dcc_comp_sack_learn(20, 40, false), 20);
	EXPECT_EQ(dcc_comp_sack_learn(20, 40, true), 40);
}

static void dcc_comp_sack_learn__stays(void)
{
	EXPECT_EQ(dcc_comp_sack_learn(40, 40, true), 40);
	EXPECT_EQ(dcc_comp_sack_learn(40, 36, true), 40);
	EXPECT_EQ(dcc_comp_sack_learn(40, 35, true), 40);
	EXPECT_EQ(dcc_comp_sack_learn(40, 35, false), 40);
}

/* Less than 7/8 of it, whoever waited: an eighth less. */
static void dcc_comp_sack_learn__shrinks(void)
{
	EXPECT_EQ(dcc_comp_sack_learn(40, 34, true), 35);
	EXPECT_EQ(dcc_comp_sack_learn(40, 0, false), 35);
	EXPECT_EQ(dcc_comp_sack_learn(41, 35, true), 36);
	EXPECT_EQ(dcc_comp_sack_learn(41, 36, true), 41);
	EXPECT_EQ(dcc_comp_sack_learn(8, 0, false), 7);
	EXPECT_EQ(dcc_comp_sack_learn(7, 0, false), 6);
	EXPECT_EQ(dcc_comp_sack_learn(2, 0, false), 1);
	EXPECT_EQ(dcc_comp_sack_learn(1, 0, false), 1);
}

static void dcc_comp_sack_learn__largest(void)
{
	EXPECT_EQ(dcc_comp_sack_learn(0, U16_MAX, true), U16_MAX);
	EXPECT_EQ(dcc_comp_sack_learn(0, U16_MAX + 1, true), U16_MAX);
	EXPECT_EQ(dcc_comp_sack_learn(U16_MAX, U32_MAX, true), U16_MAX);
	EXPECT_EQ(dcc_comp_sack_learn(U16_MAX, 1, true), 57344);
}

/* A sender that waits is told of its window, and waits until that covers the wait. */
static void dcc_comp_sack_learn__until_nobody_waits(void)
{
	const u32 window = 37, late = 120;
	u16 held = 0;
	u32 acks;

	for (acks = 0; window + held < late && acks < 10; acks++)
		held = dcc_comp_sack_learn(held, window + held, true);
	EXPECT_EQ(acks, 3);
	EXPECT_EQ(held, 111);
	EXPECT_EQ(dcc_comp_sack_learn(held, late, false), held);
}

/* No bound, no largest window; seven eighths of it will do. */
static void dcc_comp_sack_largest__nearly(void)
{
	EXPECT_EQ(dcc_comp_sack_largest(1000, 0), false);
	EXPECT_EQ(dcc_comp_sack_largest(0, 0), false);
	EXPECT_EQ(dcc_comp_sack_largest(874, 1000), false);
	EXPECT_EQ(dcc_comp_sack_largest(875, 1000), true);
	EXPECT_EQ(dcc_comp_sack_largest(1000, 1000), true);
	EXPECT_EQ(dcc_comp_sack_largest(1001, 1000), true);
}

/* The third SACK is the last that comes at once. */
static void dcc_comp_sack_room__while_a_hole_is_open(void)
{
	EXPECT_EQ(dcc_comp_sack_room(40, 0, 37), 0);
	EXPECT_EQ(dcc_comp_sack_room(40, 2, 37), 0);
	EXPECT_EQ(dcc_comp_sack_room(40, 3, 37), 40);
	EXPECT_EQ(dcc_comp_sack_room(40, U32_MAX, 1ULL << 36), 40);
	EXPECT_EQ(dcc_comp_sack_room(0, 3, 37), 0);
}

/* An algorithm that has all but stopped is not to send a crowd. */
static void dcc_comp_sack_room__eight_windows(void)
{
	EXPECT_EQ(dcc_comp_sack_room(40, 3, 6), 40);
	EXPECT_EQ(dcc_comp_sack_room(40, 3, 5), 40);
	EXPECT_EQ(dcc_comp_sack_room(40, 3, 4), 32);
	EXPECT_EQ(dcc_comp_sack_room(40, 3, 0), 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_comp_sack_learn__more_than_three),
	UNIT_TEST(dcc_comp_sack_learn__not_without_a_wait),
	UNIT_TEST(dcc_comp_sack_learn__stays),
	UNIT_TEST(dcc_comp_sack_learn__shrinks),
	UNIT_TEST(dcc_comp_sack_learn__largest),
	UNIT_TEST(dcc_comp_sack_learn__until_nobody_waits),
	UNIT_TEST(dcc_comp_sack_largest__nearly),
	UNIT_TEST(dcc_comp_sack_room__while_a_hole_is_open),
	UNIT_TEST(dcc_comp_sack_room__eight_windows),
};

UNIT_MAIN(tests)
