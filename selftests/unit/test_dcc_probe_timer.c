// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_probe_timer.c, function by function, by a clock of their own. */
#include "cc/dcc_probe_timer.h"
#include "unit.h"

#define MS		1000000ULL
#define RTT		120000U
#define WAIT		(4 * RTT + MS)	/* of that RTT */
#define BEGIN		(7 * 1000 * MS)

/* A flow that probed once, of a peer that may answer by DSACK. */
static struct dcc_suspension probed(void)
{
	struct dcc_suspension h = {};

	EXPECT_EQ(dcc_probe_timer_sent(&h, BEGIN, RTT, true), false);
	return h;
}

/* --- dcc_probe_timer_sent ------------------------------------------------- */

static void dcc_probe_timer_sent__first(void)
{
	struct dcc_suspension h = probed();

	EXPECT_EQ(h.sent_ns, BEGIN);
	EXPECT_EQ(h.wait_ns, WAIT);
	EXPECT_EQ(h.due_ns, BEGIN + WAIT);
	EXPECT_EQ(h.out, 1);
	EXPECT_EQ(h.probes, 1);
	EXPECT_EQ(h.plain, 0);
}

/* Four round trips and a millisecond, as long as delays can be told. */
static void dcc_probe_timer_sent__waits_end_where_delays_do(void)
{
	static const u32 most = (U32_MAX - 1000000) / 4;
	static const u64 vector[][2] = {
		{ 0, MS }, { 1, MS + 4 }, { most - 1, 4ULL * (most - 1) + MS },
		{ most, 4ULL * most + MS }, { most + 1, U32_MAX },
		{ 1U << 30, U32_MAX }, { U32_MAX, U32_MAX },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct dcc_suspension h = {};

		dcc_probe_timer_sent(&h, BEGIN, (u32)vector[i][0], true);
		EXPECT_EQ(h.wait_ns, vector[i][1]);
	}
}

/* Twice as long each time that no answer came, up to what there is. */
static void dcc_probe_timer_sent__again_waits_twice(void)
{
	struct dcc_suspension h = probed();
	u64 now = h.due_ns, wait = WAIT;
	u32 i;

	for (i = 2; i < 300; i++) {
		EXPECT_EQ(dcc_probe_timer_sent(&h, now, RTT, true), true);
		wait = min(2 * wait, (u64)U32_MAX);
		EXPECT_EQ(h.wait_ns, wait);
		EXPECT_EQ(h.due_ns, now + wait);
		EXPECT_EQ(h.out, min(i, 15U));
		EXPECT_EQ(h.probes, (i - 1) % 15 + 1);
		now = h.due_ns;
	}
	EXPECT_EQ(wait, U32_MAX);
}

/* A wait that an answer made is kept; a longer RTT makes it longer. */
static void dcc_probe_timer_sent__the_longer_wait(void)
{
	struct dcc_suspension h = probed();

	dcc_probe_timer_answered(&h, 2 * RTT);
	dcc_probe_timer_sent(&h, BEGIN, RTT, true);
	EXPECT_EQ(h.wait_ns, 8 * RTT + MS);
	dcc_probe_timer_answered(&h, RTT / 2);
	EXPECT_EQ(h.out, 0);
	EXPECT_EQ(h.wait_ns, 2 * RTT + MS);
	EXPECT_EQ(dcc_probe_timer_sent(&h, BEGIN, RTT, true), false);
	EXPECT_EQ(h.wait_ns, WAIT);
}

/* Who can never say that something came twice is not asked for that. */
static void dcc_probe_timer_sent__who_has_no_sack(void)
{
	struct dcc_suspension h = {};

	dcc_probe_timer_sent(&h, BEGIN, RTT, false);
	EXPECT_EQ(h.plain, 1);

	h = probed();	/* nothing came: it may be the path */
	dcc_probe_timer_sent(&h, BEGIN + WAIT, RTT, true);
	EXPECT_EQ(h.plain, 0);
}

/* Who acknowledges, and no probe by a DSACK; as no more than these were lost. */
static void dcc_probe_timer_sent__who_tells_no_dsack(void)
{
	struct dcc_suspension h = {};
	u64 now = BEGIN;
	u32 i;

	for (i = 1; i <= DCC_PROBE_UNHEARD; i++) {
		dcc_probe_timer_sent(&h, now, RTT, true);
		EXPECT_EQ(h.plain, 0);
		EXPECT_EQ(h.heard, 0);
		EXPECT_EQ(dcc_probe_timer_ack(&h, now + RTT, RTT, false, false), DCC_ANSWER_NONE);
		EXPECT_EQ(h.heard, 1);
		now += h.wait_ns;
	}
	dcc_probe_timer_sent(&h, now, RTT, true);
	EXPECT_EQ(h.plain, 1);
	EXPECT_EQ(h.heard, 0);
	EXPECT_EQ(dcc_probe_timer_ack(&h, now + RTT, RTT, false, false), DCC_ANSWER_UNCLEAR);
	dcc_probe_timer_set(&h, now + WAIT);
	dcc_probe_timer_sent(&h, now + WAIT, RTT, true);
	EXPECT_EQ(dcc_probe_timer_ack(&h, now + WAIT + RTT, RTT, false, false), DCC_ANSWER_CLEAR);
}

/* Who said nothing at all is not known: the path may have lost everything. */
static void dcc_probe_timer_sent__who_says_nothing(void)
{
	struct dcc_suspension h = {};
	u32 i;

	for (i = 0; i < 2 * DCC_PROBE_UNHEARD; i++) {
		dcc_probe_timer_sent(&h, BEGIN + i * WAIT, RTT, true);
		EXPECT_EQ(h.plain, 0);
	}
}

/* --- dcc_probe_timer_ack --------------------------------------------------------- */

static void dcc_probe_timer_ack__no_probe_out(void)
{
	struct dcc_suspension h = {};

	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN, 0, true, false), DCC_ANSWER_NONE);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN, 0, false, false), DCC_ANSWER_NONE);
	EXPECT_EQ(h.heard, 0);
}

/* Its DSACK comes after another ACK passed for the answer: the next ones will do so, too. */
static void dcc_probe_timer_ack__a_dsack_that_is_late(void)
{
	struct dcc_suspension h = { .plain = 1 };

	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN, 0, true, false), DCC_ANSWER_NONE);
	EXPECT_EQ(h.plain, 0);
}

static void dcc_probe_timer_ack__a_dsack_answers(void)
{
	struct dcc_suspension h = probed();

	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, false, false), DCC_ANSWER_NONE);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, true, false), DCC_ANSWER_CLEAR);
}

/* Of a peer that sends none any ACK does, until it sends one after all. */
static void dcc_probe_timer_ack__any_ack_of_a_plain_peer(void)
{
	struct dcc_suspension h = {};

	dcc_probe_timer_sent(&h, BEGIN, RTT, false);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, false, false), DCC_ANSWER_CLEAR);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, true, false), DCC_ANSWER_CLEAR);
	EXPECT_EQ(h.plain, 0);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, false, false), DCC_ANSWER_NONE);
}

/* No path answers in half its least RTT: that ACK is of something else. */
static void dcc_probe_timer_ack__too_early(void)
{
	static const u32 least[] = { 0, 1, RTT, RTT + 1, U32_MAX };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(least); i++) {
		u64 first = BEGIN + least[i] / 2;
		struct dcc_suspension h = probed();

		h.plain = 1;
		EXPECT_EQ(dcc_probe_timer_ack(&h, first - 1, least[i], false, false),
			  DCC_ANSWER_NONE);
		EXPECT_EQ(dcc_probe_timer_ack(&h, first, least[i], false, false),
			  DCC_ANSWER_CLEAR);
	}
}

/* A DSACK is never too early: what was seen may all have had a queue in it. */
static void dcc_probe_timer_ack__a_shorter_way(void)
{
	struct dcc_suspension h = probed();

	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + 1, U32_MAX, true, false),
		  DCC_ANSWER_CLEAR);
}

/* To which of two it answers is not known. */
static void dcc_probe_timer_ack__one_of_two(void)
{
	struct dcc_suspension h = probed();

	dcc_probe_timer_sent(&h, BEGIN + WAIT, RTT, true);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + WAIT + RTT, RTT, true, false),
		  DCC_ANSWER_UNCLEAR);
	dcc_probe_timer_set(&h, BEGIN + 2 * WAIT);
	EXPECT_EQ(h.due_ns, BEGIN + 2 * WAIT);
	EXPECT_EQ(h.wait_ns, 2 * WAIT);
	EXPECT_EQ(dcc_probe_timer_sent(&h, BEGIN + 2 * WAIT, RTT, true), false);
	EXPECT_EQ(h.wait_ns, 2 * WAIT);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + 2 * WAIT + RTT, RTT, true, false),
		  DCC_ANSWER_CLEAR);
}

/* What acknowledges something new is of that, and no DSACK need be. */
static void dcc_probe_timer_ack__of_something_new(void)
{
	struct dcc_suspension h = probed();

	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, false, true), DCC_ANSWER_NONE);
	EXPECT_EQ(h.heard, 1);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, true, true), DCC_ANSWER_CLEAR);
	h.plain = 1;
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, false, true), DCC_ANSWER_NONE);
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + RTT, RTT, false, false), DCC_ANSWER_CLEAR);
}

/* Data come through, and of three questions none: there will be no answer. */
static void dcc_probe_timer_ack__never(void)
{
	struct dcc_suspension h = {};
	u32 i;

	for (i = 1; i <= 2 * DCC_PROBE_UNHEARD; i++) {
		dcc_probe_timer_sent(&h, BEGIN + i * WAIT, RTT, false);
		EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + i * WAIT + 1, RTT, false, true),
			  i < DCC_PROBE_UNHEARD ? DCC_ANSWER_NONE : DCC_ANSWER_NEVER);
	}
	h.plain = 0;	/* it may be a DSACK that is lost */
	EXPECT_EQ(dcc_probe_timer_ack(&h, BEGIN + i * WAIT, RTT, false, true), DCC_ANSWER_NONE);
}

/* --- dcc_probe_timer_set, dcc_probe_timer_overdue -------------------------------------------- */

/* Two probes of a flow are 20 us apart at least; before the first nothing is to wait for. */
static void dcc_probe_timer_set__floor(void)
{
	struct dcc_suspension h = {};

	dcc_probe_timer_set(&h, 5);
	EXPECT_EQ(h.due_ns, 5);
	h = probed();
	h.slot = 1;
	dcc_probe_timer_set(&h, BEGIN + 19999);
	EXPECT_EQ(h.due_ns, BEGIN + 20000);
	EXPECT_EQ(h.slot, 0);
	dcc_probe_timer_set(&h, BEGIN + 20001);
	EXPECT_EQ(h.due_ns, BEGIN + 20001);
}

/* A slot is for one probe. */
static void dcc_probe_timer_sent__takes_the_slot(void)
{
	struct dcc_suspension h = { .slot = 1 };

	dcc_probe_timer_sent(&h, BEGIN, RTT, true);
	EXPECT_EQ(h.slot, 0);
}

/* 128 base RTTs, 10 ms at least, then twice as long each time, up to a second. */
static void dcc_probe_timer_overdue__waits(void)
{
	static const u64 wait[][2] = {
		{ 0, 10 * MS }, { 78125, 10 * MS }, { 100000, 12800000 },
		{ U32_MAX, 1000 * MS },
	};
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(wait); i++) {
		struct dcc_suspension h = { .passed = 7 };
		u32 base = (u32)wait[i][0];
		u64 now = BEGIN, ns = wait[i][1];

		dcc_probe_timer_begin(&h, now);
		for (n = 0; n < 40; n++) {
			EXPECT_EQ(dcc_probe_timer_overdue(&h, now + ns - 1, ns - 1, base), false);
			EXPECT_EQ(dcc_probe_timer_overdue(&h, now + ns, ns, base), true);
			now += ns;
			ns = min(2 * ns, 1000 * MS);
		}
	}
}

/* A flow that was silent before it was suspended has waited for nothing yet. */
static void dcc_probe_timer_overdue__since_it_began(void)
{
	struct dcc_suspension h = {};

	dcc_probe_timer_begin(&h, BEGIN);
	EXPECT_EQ(dcc_probe_timer_overdue(&h, BEGIN + 9 * MS, 9000 * MS, RTT / 2), false);
	EXPECT_EQ(dcc_probe_timer_overdue(&h, BEGIN + 20 * MS, 9 * MS, RTT / 2), false);
	EXPECT_EQ(dcc_probe_timer_overdue(&h, BEGIN + 10 * MS, 10 * MS, RTT / 2), true);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_probe_timer_set__floor),
	UNIT_TEST(dcc_probe_timer_sent__takes_the_slot),
	UNIT_TEST(dcc_probe_timer_overdue__waits),
	UNIT_TEST(dcc_probe_timer_overdue__since_it_began),
	UNIT_TEST(dcc_probe_timer_sent__first),
	UNIT_TEST(dcc_probe_timer_sent__waits_end_where_delays_do),
	UNIT_TEST(dcc_probe_timer_sent__again_waits_twice),
	UNIT_TEST(dcc_probe_timer_sent__the_longer_wait),
	UNIT_TEST(dcc_probe_timer_sent__who_has_no_sack),
	UNIT_TEST(dcc_probe_timer_sent__who_tells_no_dsack),
	UNIT_TEST(dcc_probe_timer_sent__who_says_nothing),
	UNIT_TEST(dcc_probe_timer_ack__no_probe_out),
	UNIT_TEST(dcc_probe_timer_ack__a_dsack_that_is_late),
	UNIT_TEST(dcc_probe_timer_ack__a_dsack_answers),
	UNIT_TEST(dcc_probe_timer_ack__any_ack_of_a_plain_peer),
	UNIT_TEST(dcc_probe_timer_ack__too_early),
	UNIT_TEST(dcc_probe_timer_ack__a_shorter_way),
	UNIT_TEST(dcc_probe_timer_ack__one_of_two),
	UNIT_TEST(dcc_probe_timer_ack__of_something_new),
	UNIT_TEST(dcc_probe_timer_ack__never),
};

UNIT_MAIN(tests)
