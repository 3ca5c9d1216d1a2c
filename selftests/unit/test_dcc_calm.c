// SPDX-License-Identifier: GPL-2.0
/* Calm rounds of a flow that stops and probes; see dcc_calm.h. */
#include "cc/dcc_calm.h"
#include "unit.h"

#define US	1000U
#define START	5000000000ULL	/* beyond 2^32 */
#define BASE	(100 * US)

static struct dcc_calm c;
static u64 now_ns;

static void begin(void)
{
	c = (struct dcc_calm) {};
	now_ns = START;
}

static bool delay(u64 after, u32 delay_ns)
{
	now_ns += after;
	return dcc_calm_on_delay(&c, now_ns, delay_ns, BASE);
}

/*
 * Of the rounds' longest delays the least: 30, 50 and 0 us above the base RTT. A round of two
 * tells nothing.
 */
static void calm__rounds(void)
{
	begin();
	delay(0, BASE + 10 * US);
	delay(10 * US, BASE + 30 * US);
	delay(10 * US, BASE + 20 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 0);	/* the round is not over */
	delay(BASE, BASE + 50 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 30 * US);
	delay(10 * US, BASE);
	delay(10 * US, BASE);
	delay(BASE, BASE);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 30 * US);
	delay(10 * US, BASE);
	delay(BASE, BASE);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 30 * US);
	delay(10 * US, BASE);
	delay(10 * US, BASE);
	delay(BASE, BASE + 20 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 0);
}

/* A probe is a round by itself, in the middle of another. */
static void calm__probe(void)
{
	begin();
	delay(0, BASE + 10 * US);
	dcc_calm_on_round(&c, BASE + 40 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 40 * US);
	dcc_calm_on_round(&c, BASE + 60 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 40 * US);
	dcc_calm_on_round(&c, BASE + 20 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 20 * US);
	delay(BASE - 2, BASE);
	EXPECT_EQ(delay(1, BASE), false);
	EXPECT_EQ(delay(1, BASE), true);
	EXPECT_EQ(dcc_calm_most(&c, BASE), 10 * US);
}

/* A GSO packet's time is added, and a base RTT that is longer is no less than nothing. */
static void calm__gso(void)
{
	begin();
	c.gso_ns = U32_MAX;
	EXPECT_EQ(dcc_calm_most(&c, BASE), U32_MAX);
	dcc_calm_on_round(&c, BASE + 30 * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE), U32_MAX + 30ULL * US);
	EXPECT_EQ(dcc_calm_most(&c, BASE + 40 * US), U32_MAX);
}

static const struct unit_test tests[] = {
	UNIT_TEST(calm__rounds),
	UNIT_TEST(calm__probe),
	UNIT_TEST(calm__gso),
};

UNIT_MAIN(tests)
