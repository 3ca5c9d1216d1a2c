// SPDX-License-Identifier: GPL-2.0
/* What hosts delay packets by; see dcc_jitter.h. */
#include "dcc_jitter.h"
#include "unit.h"

#define US	1000U
#define START	5000000000ULL	/* beyond 2^32 */
#define BASE	(100 * US)

static struct dcc_jitter j;
static u64 now_ns;

static void begin(void)
{
	j = (struct dcc_jitter) {};
	now_ns = START;
}

static bool delay(u64 after, u32 delay_ns)
{
	now_ns += after;
	return dcc_jitter_on_delay(&j, now_ns, delay_ns, BASE);
}

/* A round of so many delays, by turns the least and that much more than the mean; over. */
static void one_round(u32 count, u32 least, u32 spread)
{
	u32 i;

	for (i = 0; i < count; i++)
		delay(BASE / count + 1, least + (i % 2 ? 2 * spread : 0));
}

/* A mean of eight is exact within 4 ns. */
static void expect_near(u32 ns)
{
	EXPECT_EQ(dcc_jitter_most(&j) + 4 >= ns && dcc_jitter_most(&j) <= ns + 4, true);
}

/* With the round's end a sixteenth of its mean above its least is known. */
static void jitter__first_round(void)
{
	begin();
	EXPECT_EQ(delay(0, BASE), true);
	EXPECT_EQ(delay(10 * US, BASE + 40 * US), false);
	EXPECT_EQ(delay(10 * US, BASE + 20 * US), false);
	EXPECT_EQ(delay(10 * US, BASE + 100 * US), false);
	EXPECT_EQ(delay(BASE - 30 * US - 1, BASE), false);
	EXPECT_EQ(dcc_jitter_most(&j), 0);
	EXPECT_EQ(delay(1, BASE + 7 * US), true);
	expect_near(2 * US);
}

/* The least need not come first. */
static void jitter__least(void)
{
	begin();
	delay(0, BASE + 80 * US);
	delay(10 * US, BASE + 80 * US);
	delay(10 * US, BASE);
	delay(10 * US, BASE + 160 * US);
	delay(BASE, BASE);
	expect_near(5 * US);
}

/* Three delays are enough, two are not, however often and however late they come. */
static void jitter__few_delays(void)
{
	u32 i;

	begin();
	for (i = 0; i < 100; i++) {
		EXPECT_EQ(delay(10 * BASE, BASE), true);
		EXPECT_EQ(delay(BASE - 1, BASE + 80 * US), false);
	}
	EXPECT_EQ(dcc_jitter_most(&j), 0);
	delay(0, BASE + 80 * US);
	EXPECT_EQ(delay(1, BASE), true);
	EXPECT_EQ(dcc_jitter_most(&j) > 0, true);
}

/* It rises by a sixteenth of what is missing, and falls by a quarter. */
static void jitter__rises_and_falls(void)
{
	begin();
	j.ns = 32 * US;
	one_round(8, BASE, 64 * US);
	one_round(8, BASE, 4 * US);
	expect_near(34 * US);
	one_round(8, BASE, 4 * US);
	expect_near(34 * US - 30 * US / 4);
}

/* A queue that stands is none of it, however long it is. */
static void jitter__standing_queue(void)
{
	u32 i;

	begin();
	for (i = 0; i < 100; i++)
		one_round(20, 50 * BASE, 0);
	EXPECT_EQ(dcc_jitter_most(&j), 0);
}

/* Nor is one that differs from round to round. */
static void jitter__between_rounds(void)
{
	u32 i;

	begin();
	for (i = 0; i < 100; i++) {
		one_round(20, i % 2 ? BASE : 3 * BASE, 10 * US);
		EXPECT_EQ(j.ns <= 20 * US, true);
	}
}

/* The link's time for a GSO packet is added. */
static void jitter__gso(void)
{
	begin();
	j.ns = 30 * US;
	j.gso_ns = U32_MAX;
	EXPECT_EQ(dcc_jitter_most(&j), U32_MAX + 30ULL * US);
}

/*
 * Of the rounds' longest delays the least: 30, 50 and 0 us above the base RTT. A round of two
 * tells nothing.
 */
static void jitter__calm(void)
{
	begin();
	delay(0, BASE + 10 * US);
	delay(10 * US, BASE + 30 * US);
	delay(10 * US, BASE + 20 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 0);	/* the round is not over */
	delay(BASE, BASE + 50 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 30 * US);
	delay(10 * US, BASE);
	delay(10 * US, BASE);
	delay(BASE, BASE);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 30 * US);
	delay(10 * US, BASE);
	delay(BASE, BASE);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 30 * US);
	delay(10 * US, BASE);
	delay(10 * US, BASE);
	delay(BASE, BASE + 20 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 0);
}

/* A probe is a round by itself, in the middle of another. */
static void jitter__probe(void)
{
	begin();
	delay(0, BASE + 10 * US);
	dcc_jitter_on_round(&j, BASE + 40 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 40 * US);
	dcc_jitter_on_round(&j, BASE + 60 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 40 * US);
	dcc_jitter_on_round(&j, BASE + 20 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 20 * US);
	delay(BASE - 2, BASE);
	EXPECT_EQ(delay(1, BASE), false);
	EXPECT_EQ(delay(1, BASE), true);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), 10 * US);
}

/* A GSO packet's time is added, and a base RTT that is longer is no less than nothing. */
static void jitter__calm_gso(void)
{
	begin();
	j.gso_ns = U32_MAX;
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), U32_MAX);
	dcc_jitter_on_round(&j, BASE + 30 * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE), U32_MAX + 30ULL * US);
	EXPECT_EQ(dcc_jitter_calm(&j, BASE + 40 * US), U32_MAX);
}

/* A round of more delays than are counted goes on with those that were. */
static void jitter__many_delays(void)
{
	u32 i;

	begin();
	for (i = 0; i < 70000; i++)
		EXPECT_EQ(delay(1, BASE + (i % 2 ? 320 * US : 0)), i == 0);
	EXPECT_EQ(delay(BASE, BASE), true);
	EXPECT_EQ(j.ns > 9 * US && j.ns < 11 * US, true);
}

/* Any delays at any times: it is never more than they differed by. */
static void jitter__property(void)
{
	u32 i, k;

	for (i = 0; i < 2000; i++) {
		u32 least = (u32)unit_log_between(1, 4e9);
		u32 differ = unit_below(U32_MAX - least) + 1;
		u64 at = START;

		begin();
		for (k = 0; k < 200; k++) {
			at += (u64)unit_log_between(1, 1e10);
			dcc_jitter_on_delay(&j, at, least + unit_below(differ),
					    (u32)unit_log_between(1, 4e9));
			EXPECT_EQ(dcc_jitter_most(&j) < differ, true);
		}
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(jitter__first_round),
	UNIT_TEST(jitter__least),
	UNIT_TEST(jitter__few_delays),
	UNIT_TEST(jitter__rises_and_falls),
	UNIT_TEST(jitter__standing_queue),
	UNIT_TEST(jitter__between_rounds),
	UNIT_TEST(jitter__gso),
	UNIT_TEST(jitter__calm),
	UNIT_TEST(jitter__probe),
	UNIT_TEST(jitter__calm_gso),
	UNIT_TEST(jitter__many_delays),
	UNIT_TEST(jitter__property),
};

UNIT_MAIN(tests)
