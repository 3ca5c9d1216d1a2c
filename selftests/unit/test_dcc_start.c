// SPDX-License-Identifier: GPL-2.0
/* Tests of common/cc/dcc_start.c. */
#include "math/dcc_fixed.h"
#include "cc/dcc_start.h"
#include "unit.h"

#define US		1000			/* ns */
#define WINDOW		5

/* A flight that no ACK let out, on a line that a packet takes 10 us. */
struct flow {
	struct dcc_start f;
	struct dcc_sample s;
};

static struct flow flow_new(void)
{
	return (struct flow) {
		.s = { .now_ns = 1000000, .acked = 1, .mss = 1000, .line_rate = 100000000,
		       .flight = 100000, .fills = true, .cwnd_limited = true },
	};
}

/* An ACK, @ns after the one before. */
static bool alone_after(struct flow *f, u32 ns)
{
	f->s.now_ns += ns;
	return dcc_start_alone(&f->f, &f->s, WINDOW, 100);
}

/*
 * More than 1.4 of their own time and a packet's: others have the line, too. Where paths
 * are many it is four packets', and fewer than eight count as eight.
 */
static void dcc_start_alone__rate_of_a_flight(void)
{
	static const struct {
		u32 acks;
		u32 took_ns;
		bool sprayed;
		bool alone;
	} vector[] = {
		{ 1, 24000, false, true },
		{ 1, 24100, false, false },
		{ 8, 122000, false, true },
		{ 8, 122100, false, false },
		{ 1, 152000, true, true },
		{ 1, 152100, true, false },
		{ 8, 152000, true, true },
		{ 8, 152100, true, false },
		{ 10, 180000, true, true },
		{ 10, 180100, true, false },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new();

		f.s.sprayed = vector[i].sprayed;
		EXPECT_EQ(alone_after(&f, 0), true);
		for (j = 1; j < vector[i].acks; j++)
			EXPECT_EQ(alone_after(&f, 0), true);
		EXPECT_EQ(alone_after(&f, vector[i].took_ns), vector[i].alone);
		EXPECT_EQ(f.f.flight_cwnd, WINDOW);
	}
}

/*
 * Of eleven packets on several paths, ten after the first ACK, the last half may come when
 * they like; on one path, or where the whole flight counts, they may not.
 */
static void dcc_start_alone__late_paths(void)
{
	static const struct {
		u32 look;
		u32 on_time;
		bool sprayed;
		bool alone;
	} vector[] = {
		{ 50, 4, true, false },
		{ 50, 5, true, true },
		{ 75, 6, true, false },
		{ 75, 7, true, true },
		{ 0, 1, true, true },
		{ 100, 9, true, false },
		{ 50, 5, false, false },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new();

		f.s.sprayed = vector[i].sprayed;
		f.s.flight = 10000;
		EXPECT_EQ(alone_after(&f, 0), true);
		EXPECT_EQ(f.f.flight_left, 10);
		for (j = 0; j < vector[i].on_time; j++)
			EXPECT_EQ(alone_after(&f, 0), true);
		f.s.now_ns += 1000 * US;
		EXPECT_EQ(dcc_start_alone(&f.f, &f.s, WINDOW, vector[i].look), vector[i].alone);
	}
}

/* A flight of more bytes than 32 bits of packets times 100 hold. */
static void dcc_start_alone__long_flight(void)
{
	struct flow f = flow_new();

	f.s.sprayed = true;
	f.s.mss = 1;
	f.s.flight = 1U << 31;
	alone_after(&f, 0);
	f.f.flight_acked = DCC_CWND_MAX_PKTS;
	f.s.now_ns += 1000000 * US;
	EXPECT_EQ(dcc_start_alone(&f.f, &f.s, WINDOW, 50), false);
	EXPECT_EQ(dcc_start_alone(&f.f, &f.s, WINDOW, 0), true);
}

/* An ACK for more than one packet counts as so many. */
static void dcc_start_alone__packets_count(void)
{
	struct flow f = flow_new();

	alone_after(&f, 0);
	f.s.acked = 10;
	EXPECT_EQ(alone_after(&f, 150000), true);
	EXPECT_EQ(f.f.flight_acked, 10);
}

/* Packets that an ACK let out come when ACKs do; the next flight is judged anew. */
static void dcc_start_alone__other_flights(void)
{
	struct flow f = flow_new();

	f.s.fills = false;
	EXPECT_EQ(alone_after(&f, 0), true);
	EXPECT_EQ(alone_after(&f, 500 * US), true);
	f.s.fills = true;
	EXPECT_EQ(alone_after(&f, 500 * US), true);
	f.s.acked = 10;
	EXPECT_EQ(alone_after(&f, 150 * US), true);
	f.s.acked = 1;
	f.s.fills = false;
	EXPECT_EQ(alone_after(&f, 500 * US), true);
	f.s.fills = true;
	EXPECT_EQ(alone_after(&f, 500 * US), true);
	EXPECT_EQ(f.f.flight_acked, 0);
	EXPECT_EQ(alone_after(&f, 150 * US), false);
}

/* A message after a pause is no late part of the one before. */
static void dcc_start_alone__messages(void)
{
	struct flow f = flow_new();

	f.s.sent_ns = f.s.now_ns - 100 * US;
	EXPECT_EQ(alone_after(&f, 0), true);
	f.s.sent_ns = f.s.now_ns + 1;
	f.f.flight_acked = 7;
	EXPECT_EQ(alone_after(&f, 1000 * US), true);
	EXPECT_EQ(f.f.flight_ns, f.s.now_ns);
	EXPECT_EQ(f.f.flight_acked, 0);
	f.s.sent_ns = f.f.flight_ns;
	EXPECT_EQ(alone_after(&f, 1000 * US), false);
}

/* However long a flight takes, and however much it is. */
static void dcc_start_alone__no_overflow(void)
{
	struct flow f = flow_new();

	f.s.line_rate = U64_MAX;
	f.s.mss = 100000;
	alone_after(&f, 0);
	f.f.flight_acked = 1;
	f.s.acked = U32_MAX;
	EXPECT_EQ(alone_after(&f, 0), true);
	EXPECT_EQ(f.f.flight_acked, DCC_CWND_MAX_PKTS);
	f = flow_new();
	alone_after(&f, 0);
	f.s.now_ns += 1ULL << 32;
	EXPECT_EQ(alone_after(&f, 1), false);
}

/* Up to what is enough while the flow is alone; else back to the window of the flight. */
static void dcc_start_room__alone_or_not(void)
{
	struct flow f = flow_new();
	u64 cwnd = WINDOW;

	EXPECT_EQ(dcc_start_room(&f.f, &f.s, &cwnd, WINDOW, 100), 0);
	EXPECT_EQ(f.f.flight_ns, 0);		/* nothing to find out any more */
	EXPECT_EQ(dcc_start_room(&f.f, &f.s, &cwnd, WINDOW - 1, 100), 0);
	EXPECT_EQ(dcc_start_room(&f.f, &f.s, &cwnd, WINDOW + 7, 100), 7);
	EXPECT_EQ(f.f.flight_cwnd, WINDOW);
	cwnd += 5;
	f.s.now_ns += 1000000000;		/* the rest of the flight is late */
	EXPECT_EQ(dcc_start_room(&f.f, &f.s, &cwnd, WINDOW + 7, 100), 0);
	EXPECT_EQ(cwnd, WINDOW);
	cwnd = WINDOW - 3;			/* a loss has cut it meanwhile */
	EXPECT_EQ(dcc_start_room(&f.f, &f.s, &cwnd, WINDOW + 7, 100), 0);
	EXPECT_EQ(cwnd, WINDOW - 3);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_start_alone__rate_of_a_flight),
	UNIT_TEST(dcc_start_alone__late_paths),
	UNIT_TEST(dcc_start_alone__long_flight),
	UNIT_TEST(dcc_start_alone__packets_count),
	UNIT_TEST(dcc_start_alone__other_flights),
	UNIT_TEST(dcc_start_alone__messages),
	UNIT_TEST(dcc_start_alone__no_overflow),
	UNIT_TEST(dcc_start_room__alone_or_not),
};

UNIT_MAIN(tests)
