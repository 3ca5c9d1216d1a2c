// SPDX-License-Identifier: GPL-2.0
/* What hosts delay packets by; see dcc_jitter.h. */
#include "cc/dcc_jitter.h"
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
	const struct dcc_jitter_delay d = {
		.now_ns = now_ns += after, .delay_ns = delay_ns, .base_ns = BASE,
	};

	return dcc_jitter_on_delay(&j, &d);
}

/* The ACK of so many packets, of 1250 bytes: 1 us of a link of 10 Gbit/s each. */
static bool acked(u64 after, u32 delay_ns, u32 packets)
{
	const struct dcc_jitter_delay d = {
		.last_ns = now_ns, .now_ns = now_ns + after, .delay_ns = delay_ns,
		.base_ns = BASE, .line_rate = 1250000000, .acked = packets * 1250,
		.mss = 1250,
	};

	now_ns += after;
	return dcc_jitter_on_delay(&j, &d);
}

/* Three ACKs for two packets each, so far apart: their mean is that much above the least. */
static void batch(u64 gap, u32 least, u32 spread)
{
	acked(BASE, least + 2 * spread, 2);
	acked(gap, least + spread, 2);
	acked(gap, least, 2);
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

/* What comes sooner than the link can deliver it waited in a host: one batch is enough. */
static void jitter__batch(void)
{
	begin();
	acked(BASE, BASE + 80 * US, 2);
	acked(999, BASE + 50 * US, 2);
	expect_near(30 * US);
	acked(999, BASE, 2);
	expect_near(80 * US);
}

/* From half of the link's time on they may come from a queue. */
static void jitter__no_batch(void)
{
	begin();
	batch(1 * US, BASE, 40 * US);
	EXPECT_EQ(dcc_jitter_most(&j), 0);
	acked(BASE, BASE, 2);
	expect_near(40 * US / 16);
}

/* A round takes a sixteenth, whatever it reports; a longer wait stands for a shorter one. */
static void jitter__batch_fades(void)
{
	begin();
	batch(0, BASE, 80 * US);
	acked(BASE, BASE, 2);
	expect_near(150 * US);
	batch(0, BASE, 10 * US);
	expect_near(150 * US * 15 / 16);
	batch(0, BASE, 75 * US);
	expect_near(150 * US);
}

/* The ACK of a single packet may have been delayed until the next packet came. */
static void jitter__batch_after_delayed_ack(void)
{
	begin();
	acked(0, BASE + 80 * US, 1);
	acked(0, BASE, 2);
	acked(0, BASE, 2);
	EXPECT_EQ(dcc_jitter_most(&j), 0);
	acked(BASE, BASE + 80 * US, 2);
	acked(0, BASE, 1);
	expect_near(80 * US);
}

/* A delay that grows within a batch is no wait. */
static void jitter__batch_grows(void)
{
	begin();
	acked(BASE, BASE, 2);
	acked(0, BASE + 80 * US, 2);
	EXPECT_EQ(dcc_jitter_most(&j), 0);
}

/* Without the link's rate, or the last delay's time, nothing is a batch. */
static void jitter__unknown_rate(void)
{
	struct dcc_jitter_delay d = {
		.now_ns = START, .last_ns = START, .acked = 10, .mss = 1,
		.delay_ns = BASE + 80 * US, .base_ns = BASE,
	};

	begin();
	dcc_jitter_on_delay(&j, &d);
	d.delay_ns = BASE;
	dcc_jitter_on_delay(&j, &d);
	d.line_rate = U64_MAX;
	d.last_ns = 0;
	d.now_ns = START + BASE;
	dcc_jitter_on_delay(&j, &d);
	EXPECT_EQ(dcc_jitter_most(&j), 0);
}

/* The link's time for a GSO packet is added. */
static void jitter__gso(void)
{
	begin();
	j.ns = 30 * US;
	j.gso_ns = U32_MAX;
	EXPECT_EQ(dcc_jitter_most(&j), U32_MAX + 30ULL * US);
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
			const struct dcc_jitter_delay d = {
				.last_ns = at, .now_ns = at + (u64)unit_log_between(1, 1e10),
				.line_rate = (u64)unit_log_between(1, 1e18),
				.acked = (u32)unit_log_between(1, 4e9), .mss = 1,
				.delay_ns = least + unit_below(differ),
				.base_ns = (u32)unit_log_between(1, 4e9),
			};

			at = d.now_ns;
			dcc_jitter_on_delay(&j, &d);
			EXPECT_EQ(dcc_jitter_most(&j) < differ, true);
		}
	}
}

/* A batch begins with more than one packet: a tail loss probe is one. */
static void jitter__one_packet_begins_none(void)
{
	begin();
	acked(BASE, BASE + 40 * US, 1);
	acked(100, BASE, 2);
	EXPECT_EQ(j.wait_ns, 0);
	acked(BASE, BASE + 40 * US, 2);
	acked(100, BASE, 2);
	EXPECT_EQ(j.wait_ns, 40 * US);
}

/* Of ACKs that far apart none waited for the other, however many packets they are for. */
static void jitter__too_far_apart(void)
{
	begin();
	acked(BASE, BASE + 40 * US, 2);
	acked(DCC_JITTER_GAP_NS, BASE, 200000);
	EXPECT_EQ(j.wait_ns, 0);
	acked(DCC_JITTER_GAP_NS - 1, BASE - 16 * US, 200000);
	EXPECT_EQ(j.wait_ns, 15 * US);	/* a round ended: a sixteenth is forgotten */
}

static const struct unit_test tests[] = {
	UNIT_TEST(jitter__first_round),
	UNIT_TEST(jitter__least),
	UNIT_TEST(jitter__few_delays),
	UNIT_TEST(jitter__rises_and_falls),
	UNIT_TEST(jitter__standing_queue),
	UNIT_TEST(jitter__between_rounds),
	UNIT_TEST(jitter__batch),
	UNIT_TEST(jitter__no_batch),
	UNIT_TEST(jitter__batch_fades),
	UNIT_TEST(jitter__batch_grows),
	UNIT_TEST(jitter__batch_after_delayed_ack),
	UNIT_TEST(jitter__unknown_rate),
	UNIT_TEST(jitter__gso),
	UNIT_TEST(jitter__many_delays),
	UNIT_TEST(jitter__property),
	UNIT_TEST(jitter__one_packet_begins_none),
	UNIT_TEST(jitter__too_far_apart),
};

UNIT_MAIN(tests)
