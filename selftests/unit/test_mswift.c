// SPDX-License-Identifier: GPL-2.0
/* Tests of tcp_mswift/mswift.c: what the three algorithms add to Swift. */
#include "mswift.h"
#include "unit.h"

#define PKT	1048576ULL	/* one packet, 2^20 units */
#define US	1000		/* ns */

static u64 history_memory[(DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY) + 7) / 8];

struct flow {
	struct mswift m;
	struct mswift_knobs k;
	struct dcc_quantile *history;
	struct dcc_sample s;
	struct dcc_decision d;
};

/* The window stands still: what a test of the estimator needs. */
static void freeze(struct flow *f, u64 cwnd)
{
	f->k.swift.max_mdf = 0;
	f->k.swift.max_cwnd = 1 << 20;
	f->s.cwnd_limited = false;
	f->m.swift.cwnd = cwnd;
}

/* Target 100 us flat, srtt 50 us, 1000-byte packets, one packet an ACK. */
static struct flow flow_new(enum mswift_variant variant, u32 cwnd)
{
	struct flow f = {
		.k = MSWIFT_DEFAULTS,
		.history = (struct dcc_quantile *)history_memory,
		.s = {
			.now_ns = 1000001 * US, .srtt_ns = 50 * US,
			.base_rtt_ns = 40 * US, .acked = 1, .mss = 1000,
			.cwnd_limited = true,
		},
	};

	f.k.swift.base_target_us = 100;
	f.k.swift.fs_min = 100000;
	mswift_init(&f.m, &f.k, variant, cwnd);
	dcc_quantile_init(f.history, MSWIFT_MAX_HISTORY);
	return f;
}

/* One ACK; returns the rule that fired. */
static u8 ack(struct flow *f, u32 delay)
{
	memset(&f->d, 0xa5, sizeof(f->d));
	f->s.delay_ns = delay;
	mswift_on_ack(&f->m, f->history, &f->k, &f->s, &f->d);
	EXPECT_EQ(f->d.delay_ns > U32_MAX / 2, false);
	EXPECT_EQ(f->d.pacing_rate, 0);
	EXPECT_EQ(f->d.cwnd, (f->m.swift.cwnd * f->s.mss) / 4096);
	return f->d.branch;
}

/* The delay acted on lies within 1/64 of what was meant. */
static void expect_delay(const struct flow *f, u32 want)
{
	EXPECT_NEAR(f->d.delay_ns, want, want / 64.0 + 1);
}

/* --- knobs ----------------------------------------------------------------- */

static void parse(const struct dcc_knob *k, u64 number, int want)
{
	char text[DCC_KNOB_TEXT];
	u32 value = 0;

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	if (dcc_knob_parse(k, text, &value) != want)
		unit_fail(__FILE__, __LINE__, "%s: %s gave no %d", k->name,
			  text, want);
}

static void mswift_knob__both_ends(void)
{
	u32 i;

	for (i = 0; i < MSWIFT_KNOB_COUNT; i++) {
		const struct dcc_knob *k = &mswift_knob[i];

		parse(k, k->min, 0);
		parse(k, k->max, 0);
		parse(k, k->def, 0);
		parse(k, (u64)k->max + 1, -EINVAL);
		if (k->min)
			parse(k, k->min - 1, -EINVAL);
	}
}

/* What a knob shows can be written back and gives the same. */
static void mswift_knob__round_trip(void)
{
	char text[DCC_KNOB_TEXT], again[DCC_KNOB_TEXT];
	u32 i, value;

	for (i = 0; i < MSWIFT_KNOB_COUNT; i++) {
		const struct dcc_knob *k = &mswift_knob[i];

		dcc_knob_show(k, k->def, text, sizeof(text));
		value = ~k->def;
		EXPECT_EQ(dcc_knob_parse(k, text, &value), 0);
		EXPECT_EQ(value, k->def);
		dcc_knob_show(k, value, again, sizeof(again));
		EXPECT_TEXT(again, text);
	}
}

/* The values are read as a struct and written as an array of the same order. */
static void mswift_knob__struct_and_table_agree(void)
{
	struct mswift_knobs k = MSWIFT_DEFAULTS;
	const u32 *value = (const u32 *)&k;
	u32 i;

	for (i = 0; i < MSWIFT_KNOB_COUNT; i++)
		EXPECT_EQ(value[i], mswift_knob[i].def);
	EXPECT_TEXT(mswift_knob[DCC_KNOB_spray].name, "spray");
	EXPECT_TEXT(mswift_knob[DCC_KNOB_max_cwnd].name, "max_cwnd");
	EXPECT_TEXT(mswift_knob[DCC_KNOB_stale_rtts].name, "stale_rtts");
	EXPECT_EQ((void *)&value[DCC_KNOB_ai] == &k.swift.ai, true);
	EXPECT_EQ((void *)&value[DCC_KNOB_percentile] == &k.percentile, true);
	EXPECT_EQ((void *)&value[DCC_KNOB_slow_start] == &k.slow_start, true);
}

/* The stated defaults, from the papers. */
static void mswift_knob__defaults(void)
{
	struct mswift_knobs k = MSWIFT_DEFAULTS;

	EXPECT_EQ(k.flow.spray, DCC_SPRAY_OFF);
	EXPECT_EQ(k.flow.spray_paths, 64);
	EXPECT_EQ(k.swift.ai, 1000);
	EXPECT_EQ(k.swift.beta_md, 800);
	EXPECT_EQ(k.swift.max_mdf, 500);
	EXPECT_EQ(k.swift.fs_min, 100);
	EXPECT_EQ(k.swift.fs_max, 100000);
	EXPECT_EQ(k.swift.fs_range_us, 0);
	EXPECT_EQ(k.swift.hops, 0);
	EXPECT_EQ(k.swift.min_cwnd, 10);
	EXPECT_EQ(k.loss_run, 5);
	EXPECT_EQ(k.percentile, 50);
	EXPECT_EQ(k.stale_rtts, 2);
	EXPECT_EQ(k.slow_start, 1);
}

/* --- init ------------------------------------------------------------------ */

static void mswift_init__sets_all(void)
{
	struct flow f;
	u32 variant;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		f = flow_new(variant, 10);
		memset(&f.m, 0xff, sizeof(f.m));
		mswift_init(&f.m, &f.k, variant, 20);
		EXPECT_EQ(f.m.variant, variant);
		EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
		EXPECT_EQ(f.m.swift.rto_run, 0);
		EXPECT_EQ(f.m.swift.starting, 0);
	}
}

/* --- slow start ------------------------------------------------------------ */

/*
 * As flow_new(), and new. The line carries @kpps packets a ms; the first ACKs are of a
 * flight that no ACK let out, and come as fast as it does.
 */
static struct flow flow_starting(enum mswift_variant variant, u32 cwnd, u32 kpps)
{
	struct flow f = flow_new(variant, 10);

	f.s.line_rate = kpps * 1000000ULL;
	mswift_slow_start(&f.m, &f.k);
	f.m.swift.cwnd = cwnd * PKT;
	return f;
}

/* An ACK of one packet, @ns after the one before. */
static u8 ack_after(struct flow *f, u32 ns, u32 delay)
{
	f->s.now_ns += ns;
	return ack(f, delay);
}

static void mswift_slow_start__knob(void)
{
	struct flow f = flow_starting(MSWIFT_MSWIFT, 10, 1000);

	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	f = flow_new(MSWIFT_MSWIFT, 10);
	f.s.line_rate = 1000000000;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	f.k.slow_start = 0;
	f.m.swift.cwnd = 10 * PKT;
	mswift_slow_start(&f.m, &f.k);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

/* By the knob, or by a route whose window is larger than the stack's. */
static void mswift_slow_start__window_told(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 11);

	mswift_slow_start(&f.m, &f.k);
	EXPECT_EQ(f.m.swift.starting, 0);
	f = flow_new(MSWIFT_MSWIFT, 10);
	f.k.flow.init_cwnd = 10;
	mswift_slow_start(&f.m, &f.k);
	EXPECT_EQ(f.m.swift.starting, 0);
	f.k.flow.init_cwnd = 0;
	mswift_slow_start(&f.m, &f.k);
	EXPECT_EQ(f.m.swift.starting, 1);
}

/*
 * Of a sprayed flow's ten packets the last ones come a ms late, by slow paths. Who goes by
 * the median of delays bears five of them, and who goes by another percentile as many as
 * that; the others none.
 */
static void mswift_grow__slow_paths(void)
{
	static const struct {
		enum mswift_variant variant;
		u32 percentile;
		u32 on_time;
		u8 branch;
	} vector[] = {
		{ MSWIFT_MSWIFT, 50, 5, MSWIFT_START },
		{ MSWIFT_MSWIFT, 50, 4, MSWIFT_INCREASE },
		{ MSWIFT_MSWIFT, 90, 9, MSWIFT_START },
		{ MSWIFT_MSWIFT, 90, 8, MSWIFT_INCREASE },
		{ MSWIFT_LSWIFT, 50, 9, MSWIFT_INCREASE },
		{ MSWIFT_SWIFT, 50, 9, MSWIFT_INCREASE },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_starting(vector[i].variant, 10, 1000);

		f.k.percentile = vector[i].percentile;
		f.s.sprayed = true;
		f.s.fills = true;
		f.s.flight = 10 * f.s.mss;
		for (j = 0; j <= vector[i].on_time; j++)
			EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
		EXPECT_EQ(ack_after(&f, 1000 * US, 60 * US), vector[i].branch);
	}
}

/* A packet for a packet, of every algorithm: a window of ACKs doubles it. */
static void mswift_grow__doubles(void)
{
	u32 variant, i;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_starting(variant, 10, 1000);

		for (i = 0; i < 10; i++)
			EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
		EXPECT_EQ(f.d.starts, true);
		EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
		f.s.acked = 5;
		ack(&f, 60 * US);
		EXPECT_EQ(f.m.swift.cwnd, 25 * PKT);
		f.s.cwnd_limited = false;
		EXPECT_EQ(ack(&f, 60 * US), MSWIFT_HOLD);
		EXPECT_EQ(f.m.swift.cwnd, 25 * PKT);
		f.s.cwnd_limited = true;
		EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	}
}

/* Without a line rate nothing tells whether the line is free. */
static void mswift_grow__line_unknown(void)
{
	struct flow f = flow_starting(MSWIFT_MSWIFT, 10, 0);

	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	f.s.line_rate = 1000000000;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

/* Until the first delay at the target, once and for all. */
static void mswift_grow__ends_at_the_target(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 10, 1000);

	EXPECT_EQ(ack(&f, 100 * US - 1), MSWIFT_START);
	EXPECT_EQ(ack(&f, 100 * US), MSWIFT_DECREASE);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.m.swift.cwnd, 11 * PKT);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);

	f = flow_starting(MSWIFT_SWIFT, 10, 1000);
	f.m.swift.last_decrease_ns = f.s.now_ns;
	EXPECT_EQ(ack(&f, 100 * US), MSWIFT_WAIT);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

static void mswift_grow__ends_with_a_cut(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 10, 1000);

	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_LOSS);
	f.s.recovery = false;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);

	f = flow_starting(MSWIFT_MSWIFT, 10, 1000);
	mswift_on_rto(&f.m, &f.k, f.s.now_ns, f.s.srtt_ns);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

/* 200 packets a ms: 20 in the target of 100 us. Not beyond, and then step by step. */
static void mswift_room__line_and_target(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 18, 200);

	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	f.s.acked = 2;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	f.s.acked = 1;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT + PKT / 20);

	f = flow_starting(MSWIFT_SWIFT, 18, 200);
	f.k.swift.max_cwnd = 19;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.m.swift.cwnd, 19 * PKT);

	f = flow_starting(MSWIFT_SWIFT, 21, 200);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	EXPECT_EQ(f.m.swift.cwnd, 21 * PKT + PKT / 21);
}

/* Whatever an ACK says it acknowledged, on whatever line. */
static void mswift_room__no_overflow(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 10, 1000);

	f.s.acked = U32_MAX;
	f.s.line_rate = U64_MAX;
	f.s.mss = 1;
	f.s.base_rtt_ns = U32_MAX;
	f.k.swift.base_target_us = 1000000;
	f.k.swift.max_cwnd = DCC_CWND_MAX_PKTS;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	EXPECT_EQ(f.m.swift.cwnd, DCC_CWND_MAX_PKTS * PKT);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

/* A packet takes the line 10 us, and comes 24 us after the one before: others have it. */
static void mswift_grow__ends_in_company(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 5, 100);

	f.s.fills = true;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_START);
	EXPECT_EQ(ack_after(&f, 24000, 60 * US), MSWIFT_START);
	EXPECT_EQ(f.m.swift.cwnd, 7 * PKT);
	EXPECT_EQ(ack_after(&f, 24000, 60 * US), MSWIFT_INCREASE);
	EXPECT_EQ(f.m.swift.cwnd, 5 * PKT + PKT / 5);
}

/* By a quarter and more of what it was at the start, and again of what it became. */
static void mswift_base__fell(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 20, 1000);

	f.s.cwnd_limited = false;
	f.k.swift.base_target_us = 0;
	f.s.base_rtt_ns = 80 * US;
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	ack(&f, 500 * US);			/* it has started */
	f.m.swift.cwnd = 20 * PKT;
	f.s.base_rtt_ns = 60 * US;
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	f.s.base_rtt_ns = 0;			/* unknown after a silence */
	ack(&f, 0);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	f.k.swift.base_target_us = 300;
	f.s.base_rtt_ns = 60 * US - 1;
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	f.k.swift.base_target_us = 0;
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, (20 * PKT * 59999 + 40000) / 80000);
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, (20 * PKT * 59999 + 40000) / 80000);
	f.s.base_rtt_ns = 1 * US;
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, PKT);
	f.m.swift.cwnd = PKT / 2;
	f.s.base_rtt_ns = 100;
	ack(&f, 90 * US);
	EXPECT_EQ(f.m.swift.cwnd, PKT / 2);
}

/* A loss ends the start while the base RTT is unknown: what it was is remembered. */
static void mswift_base__is_unknown_at_the_end(void)
{
	struct flow f = flow_starting(MSWIFT_SWIFT, 20, 1000);

	f.s.cwnd_limited = false;
	f.k.swift.base_target_us = 0;
	f.s.base_rtt_ns = 80 * US;
	ack(&f, 90 * US);
	f.s.base_rtt_ns = 0;
	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 0), MSWIFT_LOSS);
	f.s.recovery = false;
	f.m.swift.cwnd = 20 * PKT;
	f.s.base_rtt_ns = 40 * US;
	ack(&f, 50 * US);
	EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
}

/* Not of a flow that did not start, nor when nothing is known. */
static void mswift_base__owes_nothing(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	f.s.cwnd_limited = false;
	f.k.swift.base_target_us = 0;
	f.s.base_rtt_ns = 80 * US;
	ack(&f, 90 * US);
	f.s.base_rtt_ns = 20 * US;
	ack(&f, 30 * US);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
}

/* --- history --------------------------------------------------------------- */

/* H = max(W / 2, 1), in whole packets, at most 2048. */
static void mswift_history__follows_the_window(void)
{
	static const struct {
		u64 cwnd;
		u32 h;
	} vector[] = {
		{ 10485, 1 }, { PKT - 1, 1 }, { PKT, 1 }, { 2 * PKT, 1 },
		{ 4 * PKT - 1, 1 }, { 4 * PKT, 2 }, { 5 * PKT, 2 },
		{ 6 * PKT, 3 }, { 20 * PKT, 10 }, { 4095 * PKT, 2047 },
		{ 4096 * PKT, 2048 }, { 4098 * PKT, 2048 },
		{ 1048576 * PKT, 2048 },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new(MSWIFT_MSWIFT, 10);

		freeze(&f, vector[i].cwnd);
		for (j = 0; j < 2500; j++)
			ack(&f, 50 * US);
		EXPECT_EQ(f.history->n, vector[i].h);
	}
}

/* --- delay ----------------------------------------------------------------- */

/* swift and lswift act on the latest delay, to the nanosecond. */
static void mswift_delay__latest_sample(void)
{
	u32 variant;

	for (variant = MSWIFT_SWIFT; variant <= MSWIFT_LSWIFT; variant++) {
		struct flow f = flow_new(variant, 20);

		ack(&f, 91234);
		EXPECT_EQ(f.d.delay_ns, 91234);
		ack(&f, 12345);
		EXPECT_EQ(f.d.delay_ns, 12345);
		EXPECT_EQ(f.history->n, 0);
	}
}

/* 7 delays of which 3 are from a congested path: the median is not among them. */
static void mswift_delay__median(void)
{
	static const u32 delays[] = { 500, 60, 400, 50, 70, 600, 40 };
	static const u32 medians[] = { 500, 280, 400, 230, 70, 235, 70 };
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	u32 i;

	freeze(&f, 14 * PKT);
	for (i = 0; i < ARRAY_SIZE(delays); i++) {
		ack(&f, delays[i] * US);
		expect_delay(&f, medians[i] * US);
	}
}

static void mswift_delay__percentiles(void)
{
	static const u32 percentile[] = { 0, 10, 50, 90, 100 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(percentile); i++) {
		struct flow f = flow_new(MSWIFT_MSWIFT, 20);

		freeze(&f, 22 * PKT);
		f.k.percentile = percentile[i];
		for (j = 0; j <= 10; j++)
			ack(&f, (10 + j * 7 % 11 * 10) * US);
		expect_delay(&f, (10 + percentile[i]) * US);
	}
}

/* Of a long way the queue is told to what 1/64 of it and a little of the way are. */
static void mswift_delay__long_ways(void)
{
	static const u32 base[] = { MSWIFT_LONG_NS, 5000 * US, 20000 * US, 200000 * US };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(base); i++) {
		struct flow f = flow_new(MSWIFT_MSWIFT, 20);

		freeze(&f, 40 * PKT);
		f.s.base_rtt_ns = base[i];
		for (j = 0; j < 20; j++)
			ack(&f, base[i] + 20 * US);
		EXPECT_NEAR(f.d.delay_ns, base[i] + 20 * US,
			    20 * US / 64 + base[i] / 256 / 64 + 1);
		ack(&f, base[i] / 2);
		EXPECT_EQ(f.d.delay_ns > base[i], true);
		for (j = 0; j < 20; j++)
			ack(&f, base[i] / 2);
		EXPECT_EQ(f.d.delay_ns < base[i], true);
	}
}

/* What delays are counted from changes with the base RTT, not with each nanosecond. */
static void mswift_delay__long_ways_change(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	static const struct {
		u32 base;
		u16 kept;
	} vector[] = {
		{ MSWIFT_LONG_NS - 1, 1 }, { MSWIFT_LONG_NS - 2, 2 },
		{ 25600 * US, 1 }, { 25600 * US, 2 }, { 25500 * US, 3 },
		{ 25500 * US - 1, 1 }, { 25600 * US, 2 },
		{ 25803 * US, 3 }, { 25900 * US, 1 }, { 0, 1 }, { 90 * US, 2 },
	};
	u32 i;

	freeze(&f, 40 * PKT);
	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		f.s.base_rtt_ns = vector[i].base;
		ack(&f, max(vector[i].base, 1U));
		EXPECT_EQ(f.history->n, vector[i].kept);
	}
	EXPECT_EQ(f.m.offset_ns, 0);
}

/* A sample that acknowledged k packets counts for k, one without any for 1. */
static void mswift_delay__weighs_by_packets(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	freeze(&f, 20 * PKT);
	f.s.acked = 4;
	ack(&f, 50 * US);
	f.s.acked = 1;
	ack(&f, 90 * US);
	f.s.acked = 2;
	ack(&f, 91 * US);
	expect_delay(&f, 50 * US);
	EXPECT_EQ(f.history->n, 7);
	f.s.acked = 0;
	ack(&f, 92 * US);
	EXPECT_EQ(f.history->n, 8);
	expect_delay(&f, (50 + 90) * US / 2);
	f.s.acked = U32_MAX;
	ack(&f, 70 * US);
	EXPECT_EQ(f.history->n, 10);
	expect_delay(&f, 70 * US);
}

/* H falls from 10 to 3: only the last two and the new one remain. */
static void mswift_delay__shrinking_drops_the_oldest(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	u32 i;

	freeze(&f, 20 * PKT);
	for (i = 0; i < 8; i++)
		ack(&f, 500 * US);
	ack(&f, 60 * US);
	ack(&f, 70 * US);
	expect_delay(&f, 500 * US);
	f.m.swift.cwnd = 6 * PKT;
	ack(&f, 80 * US);
	EXPECT_EQ(f.history->n, 3);
	expect_delay(&f, 70 * US);
}

/* H grows: what was kept stays, nothing comes back. */
static void mswift_delay__growing_keeps(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	freeze(&f, 4 * PKT);
	ack(&f, 500 * US);
	ack(&f, 60 * US);
	ack(&f, 70 * US);
	f.m.swift.cwnd = 20 * PKT;
	ack(&f, 80 * US);
	EXPECT_EQ(f.history->n, 3);
	expect_delay(&f, 70 * US);
}

/* The last H samples are no more than H, also when an ACK brings no new one. */
static void mswift_delay__shrinks_without_a_sample(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	u32 i;

	freeze(&f, 20 * PKT);
	for (i = 0; i < 8; i++)
		ack(&f, 500 * US);
	ack(&f, 60 * US);
	ack(&f, 70 * US);
	f.m.swift.cwnd = 4 * PKT;
	ack(&f, 0);
	EXPECT_EQ(f.history->n, 2);
	expect_delay(&f, 65 * US);
}

/* Retransmitted data feeds no estimator; mswift still knows its median. */
static void mswift_delay__without_a_delay(void)
{
	u32 variant;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 20);
		bool median = variant == MSWIFT_MSWIFT;

		EXPECT_EQ(ack(&f, 0), MSWIFT_HOLD);
		EXPECT_EQ(f.d.delay_ns, 0);
		EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
		ack(&f, 60 * US);
		EXPECT_EQ(ack(&f, 0), median ? MSWIFT_INCREASE : MSWIFT_HOLD);
		EXPECT_EQ(f.history->n, median ? 1 : 0);
		if (median)
			expect_delay(&f, 60 * US);
		else
			EXPECT_EQ(f.d.delay_ns, 0);
	}
}

/* No memory for a history: the latest delay stands in. */
static void mswift_delay__no_history(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	f.history = NULL;
	ack(&f, 60001);
	EXPECT_EQ(f.d.delay_ns, 60001);
	ack(&f, 0);
	EXPECT_EQ(f.d.delay_ns, 0);
	mswift_on_idle(f.history);
}

/* stale_rtts 2 of 50 us: kept for 100 us, gone 112.5 us after it came. */
static void mswift_delay__stale_samples(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	u64 start = f.s.now_ns;

	ack(&f, 60 * US);
	f.s.now_ns = start + 100 * US;
	EXPECT_EQ(ack(&f, 0), MSWIFT_INCREASE);
	EXPECT_EQ(f.history->n, 1);
	f.s.now_ns = start + 116 * US;
	EXPECT_EQ(ack(&f, 0), MSWIFT_HOLD);
	EXPECT_EQ(f.history->n, 0);
	EXPECT_EQ(f.d.delay_ns, 0);
}

/* The knob scales that: 8 RTTs of 50 us. */
static void mswift_delay__stale_rtts_knob(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	u64 start = f.s.now_ns;

	f.k.stale_rtts = 8;
	ack(&f, 60 * US);
	f.s.now_ns = start + 400 * US;
	ack(&f, 0);
	EXPECT_EQ(f.history->n, 1);
	f.s.now_ns = start + 454 * US;
	ack(&f, 0);
	EXPECT_EQ(f.history->n, 0);
}

/* Old news of a congested path do not rule a flow that stopped. */
static void mswift_delay__old_news(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	u32 i;

	freeze(&f, 20 * PKT);
	for (i = 0; i < 10; i++)
		ack(&f, 500 * US);
	f.s.now_ns += 1000 * US;
	ack(&f, 60 * US);
	EXPECT_EQ(f.history->n, 1);
	expect_delay(&f, 60 * US);
}

/* No RTT yet: nothing can be called old. */
static void mswift_delay__no_srtt(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	f.s.srtt_ns = 0;
	ack(&f, 60 * US);
	f.s.now_ns += 1000000000;
	ack(&f, 0);
	EXPECT_EQ(f.history->n, 1);
}

/* 64 RTTs of 4.29 s do not fit in 32 bits: the horizon ends at 4.29 s. */
static void mswift_delay__horizon_saturates(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	f.k.stale_rtts = 64;
	f.s.srtt_ns = 1U << 26;
	ack(&f, 60 * US);
	f.s.now_ns += 4200000000ULL;
	ack(&f, 0);
	EXPECT_EQ(f.history->n, 1);
	f.s.now_ns += 1000000000;
	ack(&f, 0);
	EXPECT_EQ(f.history->n, 0);
}

/* An ACK that may have waited proves a free path, but never a congested one. */
static void mswift_fresh__maybe_delayed(void)
{
	u32 variant;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 20);

		f.s.maybe_delayed = true;
		EXPECT_EQ(ack(&f, 500 * US), MSWIFT_HOLD);
		EXPECT_EQ(ack(&f, 100 * US), MSWIFT_HOLD);
		EXPECT_EQ(f.d.delay_ns, 0);
		EXPECT_EQ(f.history->n, 0);
		EXPECT_EQ(ack(&f, 100 * US - 1), MSWIFT_INCREASE);
		EXPECT_EQ(f.history->n, variant == MSWIFT_MSWIFT);
		f.s.maybe_delayed = false;
		EXPECT_EQ(ack(&f, 500 * US), MSWIFT_DECREASE);
	}
}

/* --- loss ------------------------------------------------------------------ */

/* swift: fast recovery, however short the run of losses. */
static void mswift_lost__swift(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	f.s.losses = 64;
	f.s.lost_run = 64;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	f.s.losses = 0;
	f.s.lost_run = 0;
	f.m.swift.cwnd = 20 * PKT;
	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_LOSS);
	EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
}

/* lswift, mswift: 5 successive packets missing together, nothing else. */
static void mswift_lost__run_of_five(void)
{
	u32 variant;

	for (variant = MSWIFT_LSWIFT; variant <= MSWIFT_MSWIFT; variant++) {
		struct flow f = flow_new(variant, 20);

		f.s.recovery = true;
		EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
		f.s.losses = 64;
		f.s.lost_run = 4;
		EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
		f.m.swift.cwnd = 20 * PKT;
		f.s.losses = 1;
		f.s.lost_run = 5;
		EXPECT_EQ(ack(&f, 60 * US), MSWIFT_LOSS);
		EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
	}
}

/* The run is only counted when something was newly lost: else it is stale. */
static void mswift_lost__run_without_new_loss(void)
{
	struct flow f = flow_new(MSWIFT_LSWIFT, 20);

	f.s.lost_run = 64;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

static void mswift_lost__knob(void)
{
	struct flow f = flow_new(MSWIFT_LSWIFT, 20);

	f.k.loss_run = 64;
	f.s.losses = 1;
	f.s.lost_run = 63;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	f.s.lost_run = 64;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_LOSS);
	f.s.now_ns += 50 * US;
	f.k.loss_run = 1;
	f.s.lost_run = 1;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_LOSS);
}

/* A loss goes before a delay, and a second one within an RTT cuts nothing. */
static void mswift_lost__once_per_rtt(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);
	u64 start = f.s.now_ns;

	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 500 * US), MSWIFT_LOSS);
	EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
	f.s.now_ns = start + 50 * US - 1;
	EXPECT_EQ(ack(&f, 500 * US), MSWIFT_WAIT);
	EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	f.m.swift.cwnd = 10 * PKT;
	f.s.now_ns = start + 50 * US;
	EXPECT_EQ(ack(&f, 500 * US), MSWIFT_LOSS);
	EXPECT_EQ(f.m.swift.cwnd, 5 * PKT);
}

/* A loss counts without a delay, too. */
static void mswift_lost__without_a_delay(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	f.s.losses = 5;
	f.s.lost_run = 5;
	EXPECT_EQ(ack(&f, 0), MSWIFT_LOSS);
	EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
}

/* --- react ----------------------------------------------------------------- */

/*
 * Below one packet an ACK that may have been held back lets the window grow, and so
 * does one that tells no delay, of data sent again. One that delivers nothing does not.
 */
static void mswift_blind__below_one_packet(void)
{
	u32 variant;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 1);

		f.s.maybe_delayed = true;
		f.m.swift.cwnd = PKT;
		EXPECT_EQ(ack(&f, 42000 * US), MSWIFT_HOLD);
		f.m.swift.cwnd = PKT - 1;
		EXPECT_EQ(ack(&f, 42000 * US), MSWIFT_INCREASE);
		EXPECT_EQ(f.m.swift.cwnd, 2 * PKT - 1);
		f.m.swift.cwnd = PKT - 1;
		f.s.cwnd_limited = false;
		EXPECT_EQ(ack(&f, 42000 * US), MSWIFT_HOLD);
		f.s.cwnd_limited = true;
		f.s.maybe_delayed = false;
		EXPECT_EQ(ack(&f, 0), MSWIFT_INCREASE);
		EXPECT_EQ(f.m.swift.cwnd, 2 * PKT - 1);
		f.m.swift.cwnd = PKT;
		EXPECT_EQ(ack(&f, 0), MSWIFT_HOLD);
		f.m.swift.cwnd = PKT - 1;
		f.s.acked = 0;
		EXPECT_EQ(ack(&f, 0), MSWIFT_HOLD);
		EXPECT_EQ(f.m.swift.cwnd, PKT - 1);
	}
}

/* On the target is not below it. 1000 ns is the middle of its bin. */
static void mswift_react__on_and_below_target(void)
{
	u32 variant;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 20);

		f.k.swift.base_target_us = 1;
		EXPECT_EQ(ack(&f, 1000), MSWIFT_DECREASE);
		EXPECT_EQ(f.d.target_ns, 1000);
		EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
		f = flow_new(variant, 20);
		f.k.swift.base_target_us = 0;
		f.k.swift.target_qdelay_us = 1;
		f.s.base_rtt_ns = 1;
		EXPECT_EQ(ack(&f, 1000), MSWIFT_INCREASE);
		EXPECT_EQ(f.d.target_ns, 1001);
		EXPECT_EQ(f.m.swift.cwnd, 20 * PKT + PKT / 20);
	}
}

/* 1 - 0.8 * (125 - 100) / 125 = 0.84. */
static void mswift_react__decrease(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	EXPECT_EQ(ack(&f, 125 * US), MSWIFT_DECREASE);
	EXPECT_NEAR(f.m.swift.cwnd / (double)PKT, 16.8, 20.0 / 65536);
	EXPECT_EQ(f.m.swift.last_decrease_ns, f.s.now_ns);
}

/* mswift cuts by the excess of the median, not of the latest delay. */
static void mswift_react__decrease_by_the_median(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);
	double median;

	f.s.cwnd_limited = false;
	ack(&f, 126 * US);
	f.s.now_ns += 50 * US;
	ack(&f, 126 * US);
	f.m.swift.cwnd = 20 * PKT;
	f.s.now_ns += 50 * US;
	EXPECT_EQ(ack(&f, 5000 * US), MSWIFT_DECREASE);
	expect_delay(&f, 126 * US);
	median = f.d.delay_ns;
	EXPECT_NEAR(f.m.swift.cwnd / (double)PKT,
		    20 * (1 - 0.8 * (median - 100e3) / median), 40.0 / 65536);
}

/* The gate runs on the raw srtt, also when delays are long: both sides of it. */
static void mswift_react__gate(void)
{
	u32 variant;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 20);
		u64 start = f.s.now_ns, cut;

		EXPECT_EQ(ack(&f, 500 * US), MSWIFT_DECREASE);
		cut = f.m.swift.cwnd;
		EXPECT_EQ(cut, 10 * PKT);
		f.s.now_ns = start + 50 * US - 1;
		EXPECT_EQ(ack(&f, 500 * US), MSWIFT_WAIT);
		EXPECT_EQ(f.m.swift.cwnd, cut);
		f.s.now_ns = start + 50 * US;
		EXPECT_EQ(ack(&f, 500 * US), MSWIFT_DECREASE);
		EXPECT_EQ(f.m.swift.cwnd, cut / 2);
	}
}

/* What does not fill its window does not learn that it may be larger. */
static void mswift_react__not_cwnd_limited(void)
{
	struct flow f = flow_new(MSWIFT_LSWIFT, 20);

	f.s.cwnd_limited = false;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_HOLD);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	EXPECT_EQ(ack(&f, 500 * US), MSWIFT_DECREASE);
	f.s.cwnd_limited = true;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
}

/* ai * acked / W for all packets of the ACK. */
static void mswift_react__increase_by_packets(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	f.s.acked = 10;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_INCREASE);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT + PKT / 2);
}

/* --- on_ack ---------------------------------------------------------------- */

/* No base RTT and no fixed target: the algorithm cannot judge a delay. */
static void mswift_on_ack__target_unknown(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	f.s.base_rtt_ns = 0;
	f.k.swift.base_target_us = 0;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_HOLD);
	EXPECT_EQ(f.d.target_ns, 0);
	EXPECT_EQ(f.m.swift.cwnd, 20 * PKT);
	f.k.swift.base_target_us = 1;
	EXPECT_EQ(ack(&f, 500), MSWIFT_INCREASE);
	EXPECT_EQ(f.d.target_ns, 1000);
	f.k.swift.base_target_us = 0;
	f.s.base_rtt_ns = 1;
	EXPECT_EQ(ack(&f, 500), MSWIFT_INCREASE);
	EXPECT_EQ(f.d.target_ns, 25001);
}

/* Without a target a loss still cuts. */
static void mswift_on_ack__loss_without_target(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	f.s.base_rtt_ns = 0;
	f.k.swift.base_target_us = 0;
	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 60 * US), MSWIFT_LOSS);
	EXPECT_EQ(f.m.swift.cwnd, 10 * PKT);
}

/* Delivered data ends a run of timeouts; an ACK without any does not. */
static void mswift_on_ack__ends_a_run_of_timeouts(void)
{
	struct flow f = flow_new(MSWIFT_LSWIFT, 20);
	u32 i;

	for (i = 0; i < 4; i++)
		mswift_on_rto(&f.m, &f.k, f.s.now_ns, f.s.srtt_ns);
	f.s.acked = 0;
	ack(&f, 0);
	EXPECT_EQ(f.m.swift.rto_run, 4);
	f.s.acked = 1;
	ack(&f, 0);
	EXPECT_EQ(f.m.swift.rto_run, 0);
}

/* W * mss << 8, rounded down; below one packet it is real. */
static void mswift_on_ack__decision(void)
{
	struct flow f = flow_new(MSWIFT_SWIFT, 20);

	ack(&f, 0);
	EXPECT_EQ(f.d.cwnd, 20 * 1000 * 256);
	EXPECT_EQ(f.d.target_ns, 100 * US);
	freeze(&f, PKT / 4);
	ack(&f, 0);
	EXPECT_EQ(f.d.cwnd, 250 * 256);
	f.s.mss = 65535;
	f.m.swift.cwnd = 1048576 * PKT;
	ack(&f, 0);
	EXPECT_EQ(f.d.cwnd, 1048576LL * 65535 * 256);
	f.s.mss = 1;
	ack(&f, 0);
	EXPECT_EQ(f.d.cwnd, 1048576LL * 256);
}

/* --- rto, idle ------------------------------------------------------------- */

/* Four timeouts an RTT apart halve, the fifth resets; ACKs between restart. */
static void mswift_on_rto__four_and_five(void)
{
	u32 variant, i;

	for (variant = 0; variant < MSWIFT_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 64);

		for (i = 0; i < 4; i++) {
			f.s.now_ns += 50 * US;
			mswift_on_rto(&f.m, &f.k, f.s.now_ns, f.s.srtt_ns);
		}
		EXPECT_EQ(f.m.swift.cwnd, 4 * PKT);
		f.s.now_ns += 50 * US;
		mswift_on_rto(&f.m, &f.k, f.s.now_ns, f.s.srtt_ns);
		EXPECT_EQ(f.m.swift.cwnd, 10485);
		f.m.swift.cwnd = 64 * PKT;
		ack(&f, 0);
		f.s.now_ns += 50 * US;
		mswift_on_rto(&f.m, &f.k, f.s.now_ns, f.s.srtt_ns);
		EXPECT_EQ(f.m.swift.cwnd, 32 * PKT);
	}
}

static void mswift_on_idle__forgets_delays(void)
{
	struct flow f = flow_new(MSWIFT_MSWIFT, 20);

	ack(&f, 500 * US);
	mswift_on_idle(f.history);
	EXPECT_EQ(f.history->n, 0);
	EXPECT_EQ(ack(&f, 0), MSWIFT_HOLD);
	EXPECT_EQ(f.d.delay_ns, 0);
	ack(&f, 60 * US);
	expect_delay(&f, 60 * US);
}

/* --- the point of it ------------------------------------------------------- */

/*
 * A quarter of the packets meets a congested path: swift falls, mswift does
 * not. Round trips of W packets each, delays 60 us or 150 us.
 */
static double share_kept(enum mswift_variant variant)
{
	struct flow f = flow_new(variant, 50);
	u32 i;

	f.k.swift.max_cwnd = 50;
	for (i = 0; i < 40000; i++) {
		f.s.now_ns += 1 * US;
		ack(&f, unit_below(4) ? 60 * US : 150 * US);
	}
	return f.m.swift.cwnd / (double)PKT / 50;
}

static void mswift__a_quarter_of_the_paths_congested(void)
{
	EXPECT_BETWEEN(share_kept(MSWIFT_SWIFT), 0, 0.3);
	EXPECT_BETWEEN(share_kept(MSWIFT_LSWIFT), 0, 0.3);
	EXPECT_BETWEEN(share_kept(MSWIFT_MSWIFT), 0.9, 1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(mswift_knob__both_ends),
	UNIT_TEST(mswift_knob__round_trip),
	UNIT_TEST(mswift_knob__struct_and_table_agree),
	UNIT_TEST(mswift_knob__defaults),
	UNIT_TEST(mswift_init__sets_all),
	UNIT_TEST(mswift_slow_start__knob),
	UNIT_TEST(mswift_slow_start__window_told),
	UNIT_TEST(mswift_grow__slow_paths),
	UNIT_TEST(mswift_grow__doubles),
	UNIT_TEST(mswift_grow__line_unknown),
	UNIT_TEST(mswift_grow__ends_at_the_target),
	UNIT_TEST(mswift_grow__ends_with_a_cut),
	UNIT_TEST(mswift_room__line_and_target),
	UNIT_TEST(mswift_room__no_overflow),
	UNIT_TEST(mswift_grow__ends_in_company),
	UNIT_TEST(mswift_base__fell),
	UNIT_TEST(mswift_base__is_unknown_at_the_end),
	UNIT_TEST(mswift_base__owes_nothing),
	UNIT_TEST(mswift_history__follows_the_window),
	UNIT_TEST(mswift_fresh__maybe_delayed),
	UNIT_TEST(mswift_delay__latest_sample),
	UNIT_TEST(mswift_delay__median),
	UNIT_TEST(mswift_delay__percentiles),
	UNIT_TEST(mswift_delay__long_ways),
	UNIT_TEST(mswift_delay__long_ways_change),
	UNIT_TEST(mswift_delay__weighs_by_packets),
	UNIT_TEST(mswift_delay__shrinking_drops_the_oldest),
	UNIT_TEST(mswift_delay__growing_keeps),
	UNIT_TEST(mswift_delay__shrinks_without_a_sample),
	UNIT_TEST(mswift_delay__without_a_delay),
	UNIT_TEST(mswift_delay__no_history),
	UNIT_TEST(mswift_delay__stale_samples),
	UNIT_TEST(mswift_delay__stale_rtts_knob),
	UNIT_TEST(mswift_delay__old_news),
	UNIT_TEST(mswift_delay__no_srtt),
	UNIT_TEST(mswift_delay__horizon_saturates),
	UNIT_TEST(mswift_lost__swift),
	UNIT_TEST(mswift_lost__run_of_five),
	UNIT_TEST(mswift_lost__run_without_new_loss),
	UNIT_TEST(mswift_lost__knob),
	UNIT_TEST(mswift_lost__once_per_rtt),
	UNIT_TEST(mswift_lost__without_a_delay),
	UNIT_TEST(mswift_blind__below_one_packet),
	UNIT_TEST(mswift_react__on_and_below_target),
	UNIT_TEST(mswift_react__decrease),
	UNIT_TEST(mswift_react__decrease_by_the_median),
	UNIT_TEST(mswift_react__gate),
	UNIT_TEST(mswift_react__not_cwnd_limited),
	UNIT_TEST(mswift_react__increase_by_packets),
	UNIT_TEST(mswift_on_ack__target_unknown),
	UNIT_TEST(mswift_on_ack__loss_without_target),
	UNIT_TEST(mswift_on_ack__ends_a_run_of_timeouts),
	UNIT_TEST(mswift_on_ack__decision),
	UNIT_TEST(mswift_on_rto__four_and_five),
	UNIT_TEST(mswift_on_idle__forgets_delays),
	UNIT_TEST(mswift__a_quarter_of_the_paths_congested),
};

UNIT_MAIN(tests)
