// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of common/math/dcc_quantile.c. The oracle keeps the values themselves and
 * sorts them; its percentile averages where the share falls between two values
 * ("type 2"). An estimator of up to 8 values must agree with it exactly, a
 * larger one within a bin.
 */
#include <time.h>

#include "math/dcc_quantile.h"
#include "unit.h"

#define ORACLE_MAX	8192
#define US		1000ULL

/* The newest values, oldest first; @came in ns. */
struct oracle {
	u32 value[ORACLE_MAX];
	u64 came[ORACLE_MAX];
	u32 n;
};

static struct oracle oracle;

static void oracle_keep(u32 h)
{
	u32 drop = oracle.n > h ? oracle.n - h : 0;

	oracle.n -= drop;
	memmove(oracle.value, oracle.value + drop, oracle.n * sizeof(u32));
	memmove(oracle.came, oracle.came + drop, oracle.n * sizeof(u64));
}

static void oracle_add(u32 value, u64 came, u32 weight, u32 h)
{
	weight = min(weight, h);
	for (; weight; weight--) {
		oracle.value[oracle.n] = min(value, (1U << 29) - 1);
		oracle.came[oracle.n++] = came;
	}
	oracle_keep(h);
}

static int by_value(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* The error of a value kept in a bin: 1/64 of it, 8 ns below 512 ns. */
static double slack_of(u32 v)
{
	return v < 512 ? 8 : v / 64.0;
}

/* The mean of two values, and what binning may make of it. */
static void expect_mean(const struct dcc_quantile *q, u32 percent, u32 low,
			u32 high)
{
	double slack = (slack_of(low) + slack_of(high)) / 2 + (low != high);

	if (q->cap <= 8)
		EXPECT_EQ(dcc_quantile_get(q, percent),
			  ((u64)low + high) / 2);
	else
		EXPECT_NEAR(dcc_quantile_get(q, percent),
			    ((double)low + high) / 2, slack);
}

/* One percentile against the sorted values. */
static void expect_percentile(const struct dcc_quantile *q, const u32 *sorted,
			      u32 n, u32 percent)
{
	double share = percent * n / 100.0;
	bool between = share == floor(share);
	u32 low = sorted[(u32)max(ceil(share) - 1, 0)];
	u32 high = between ? sorted[min((u32)share, n - 1)] : low;

	expect_mean(q, percent, low, high);
}

static void expect_oracle(const struct dcc_quantile *q)
{
	static u32 sorted[ORACLE_MAX];
	u32 percent;

	EXPECT_EQ(q->n, oracle.n);
	if (!oracle.n || q->n != oracle.n)
		return;
	memcpy(sorted, oracle.value, oracle.n * sizeof(u32));
	qsort(sorted, oracle.n, sizeof(u32), by_value);
	for (percent = 0; percent <= 100; percent++)
		expect_percentile(q, sorted, oracle.n, percent);
}

/* Exactly the promised memory, so that the sanitizer sees one byte more. */
static struct dcc_quantile *quantile_new(u32 cap)
{
	struct dcc_quantile *q = malloc(DCC_QUANTILE_SIZE(cap));

	if (!q)
		abort();
	memset(q, 0xa5, DCC_QUANTILE_SIZE(cap));
	dcc_quantile_init(q, cap);
	oracle.n = 0;
	return q;
}

/* --- memory ---------------------------------------------------------------- */

/* 4 KiB for the history of a window of 4096 packets, 10 bits a value. */
static void memory__bound(void)
{
	EXPECT_BETWEEN(DCC_QUANTILE_SIZE(2048), 0, 4096);
	EXPECT_EQ(DCC_QUANTILE_SIZE(2048) - DCC_QUANTILE_SIZE(1024), 1280);
	EXPECT_EQ(DCC_QUANTILE_SIZE(9) - sizeof(struct dcc_quantile),
		  1386 + 9 + 3);
	EXPECT_EQ(DCC_QUANTILE_SIZE(12) - DCC_QUANTILE_SIZE(9), 3);
	EXPECT_EQ(DCC_QUANTILE_SIZE(13) - DCC_QUANTILE_SIZE(12), 2);
}

/* Up to 8 values cost 4 bytes each, and no counts. */
static void memory__few(void)
{
	EXPECT_EQ(DCC_QUANTILE_SIZE(8), 172);
	EXPECT_EQ(DCC_QUANTILE_SIZE(1) - sizeof(struct dcc_quantile), 4);
	EXPECT_EQ(DCC_QUANTILE_SIZE(5) - sizeof(struct dcc_quantile), 20);
}

static void dcc_quantile_init__empty(void)
{
	struct dcc_quantile *q = quantile_new(100);

	EXPECT_EQ(q->n, 0);
	EXPECT_EQ(q->cap, 100);
	EXPECT_EQ(dcc_quantile_get(q, 50), 0);
	free(q);
}

static void dcc_quantile_init__cap_is_clamped(void)
{
	struct dcc_quantile *q = quantile_new(5000);

	EXPECT_EQ(q->cap, 4096);
	dcc_quantile_init(q, 4096);
	EXPECT_EQ(q->cap, 4096);
	dcc_quantile_init(q, 4095);
	EXPECT_EQ(q->cap, 4095);
	dcc_quantile_init(q, 0);
	EXPECT_EQ(q->cap, 1);
	dcc_quantile_add(q, 1000, 1, 1);
	EXPECT_EQ(dcc_quantile_get(q, 50), 1000);
	free(q);
}

/* The ring filled to its last byte, several times round. */
static void dcc_quantile_init__no_byte_more_than_promised(void)
{
	static const u32 caps[] = {
		1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 4095, 4096, 4097
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(caps); i++) {
		struct dcc_quantile *q = quantile_new(caps[i]);

		for (j = 0; j < 10000; j++)
			dcc_quantile_add(q, j, 1, U32_MAX);
		EXPECT_EQ(q->n, min(caps[i], 4096U));
		free(q);
	}
}

static void dcc_quantile_clear__forgets_values_and_marks(void)
{
	struct dcc_quantile *q = quantile_new(7);

	dcc_quantile_expire(q, 1001 * US, 80 * US);
	dcc_quantile_add(q, 5000, 3, 7);
	dcc_quantile_clear(q);
	EXPECT_EQ(q->n, 0);
	EXPECT_EQ(q->cap, 7);
	EXPECT_EQ(dcc_quantile_get(q, 50), 0);
	dcc_quantile_add(q, 1000, 1, 7);
	dcc_quantile_expire(q, 5001 * US, 80 * US);
	EXPECT_EQ(q->n, 1);
	free(q);
}

/* --- resize ---------------------------------------------------------------- */

/* Of 90000, 1000 and @last, which answers as @answer. */
static void drops_the_oldest(u32 cap, u32 last, u32 answer)
{
	struct dcc_quantile *q = quantile_new(cap);

	dcc_quantile_add(q, 90000, 1, 8);
	dcc_quantile_add(q, 1000, 1, 8);
	dcc_quantile_add(q, last, 1, 8);
	dcc_quantile_resize(q, 3);
	EXPECT_EQ(q->n, 3);
	dcc_quantile_resize(q, 2);
	EXPECT_EQ(q->n, 2);
	EXPECT_EQ(dcc_quantile_get(q, 100), answer);
	EXPECT_EQ(dcc_quantile_get(q, 0), 1000);
	dcc_quantile_resize(q, 1);
	EXPECT_EQ(dcc_quantile_get(q, 0), answer);
	free(q);
}

/* 3000 lies in the bin 2944 .. 3007, whose middle is 2976. */
static void dcc_quantile_resize__drops_the_oldest(void)
{
	drops_the_oldest(9, 3000, 2976);
	drops_the_oldest(8, 3000, 3000);
	drops_the_oldest(3, 3000, 3000);
}

static void dcc_quantile_resize__clamps(void)
{
	struct dcc_quantile *q = quantile_new(4);

	dcc_quantile_add(q, 1000, 4, 4);
	dcc_quantile_resize(q, U32_MAX);
	EXPECT_EQ(q->n, 4);
	dcc_quantile_resize(q, 0);
	EXPECT_EQ(q->n, 1);
	free(q);
}

/* --- add ------------------------------------------------------------------- */

/*
 * By hand from the layout: 16 ns bins below 512 ns, above 32 bins an octave,
 * the middle of the bin answers.
 */
static void dcc_quantile_add__bin_edges(void)
{
	static const u32 vector[][2] = {
		{ 0, 8 }, { 15, 8 }, { 16, 24 }, { 495, 488 }, { 496, 504 },
		{ 511, 504 }, { 512, 520 }, { 527, 520 }, { 528, 536 },
		{ 1000, 1000 }, { 1023, 1016 }, { 1024, 1040 },
		{ 10000, 10112 }, { 20000, 20224 },
		{ (1U << 28) - 1, (1U << 28) - (1U << 21) },
		{ 1U << 28, (1U << 28) + (1U << 22) },
		{ (1U << 29) - 1, (1U << 29) - (1U << 22) },
		{ 1U << 29, (1U << 29) - (1U << 22) },
		{ U32_MAX, (1U << 29) - (1U << 22) },
	};
	struct dcc_quantile *q = quantile_new(9);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		dcc_quantile_add(q, vector[i][0], 1, 1);
		EXPECT_EQ(dcc_quantile_get(q, 50), vector[i][1]);
	}
	free(q);
}

/* Every value's error, around all edges: 1/64, 8 ns below 512 ns. */
static void dcc_quantile_add__error_of_one_value(void)
{
	struct dcc_quantile *q = quantile_new(9);
	u32 i;

	for (i = 0; i < 400000; i++) {
		u32 v = i < 70000 ? i : (u32)unit_log_between(1, 1U << 29);

		dcc_quantile_add(q, v, 1, 1);
		EXPECT_NEAR(dcc_quantile_get(q, 50), v, slack_of(v));
	}
	free(q);
}

/* Few values are kept to the ns, up to the largest that counts. */
static void dcc_quantile_add__few_are_exact(void)
{
	static const u32 vector[][2] = {
		{ 0, 0 }, { 1, 1 }, { 511, 511 }, { 513, 513 },
		{ 20000, 20000 }, { 123456789, 123456789 },
		{ (1U << 29) - 2, (1U << 29) - 2 },
		{ (1U << 29) - 1, (1U << 29) - 1 },
		{ 1U << 29, (1U << 29) - 1 },
		{ U32_MAX, (1U << 29) - 1 },
	};
	u32 cap, i;

	for (cap = 1; cap <= 8; cap++) {
		struct dcc_quantile *q = quantile_new(cap);

		for (i = 0; i < ARRAY_SIZE(vector); i++) {
			dcc_quantile_add(q, vector[i][0], 1, 1);
			EXPECT_EQ(dcc_quantile_get(q, 50), vector[i][1]);
		}
		free(q);
	}
}

/* 8 keep the value, 9 its bin. */
static void dcc_quantile_add__both_sides_of_few(void)
{
	struct dcc_quantile *few = quantile_new(8), *many = quantile_new(9);

	dcc_quantile_add(few, 20000, 8, 8);
	dcc_quantile_add(many, 20000, 9, 9);
	EXPECT_EQ(few->n, 8);
	EXPECT_EQ(many->n, 9);
	EXPECT_EQ(dcc_quantile_get(few, 50), 20000);
	EXPECT_EQ(dcc_quantile_get(many, 50), 20224);
	free(few);
	free(many);
}

static void dcc_quantile_add__weight_counts(void)
{
	struct dcc_quantile *q = quantile_new(16);

	dcc_quantile_add(q, 1000, 2, 16);
	dcc_quantile_add(q, 20000, 3, 16);
	EXPECT_EQ(q->n, 5);
	EXPECT_EQ(dcc_quantile_get(q, 50), 20224);
	dcc_quantile_add(q, 1000, 2, 16);
	EXPECT_EQ(dcc_quantile_get(q, 50), 1000);
	dcc_quantile_add(q, 20000, 0, 16);
	EXPECT_EQ(q->n, 7);
	free(q);
}

static void dcc_quantile_add__weight_above_h_counts_as_h(void)
{
	struct dcc_quantile *q = quantile_new(16);

	dcc_quantile_add(q, 1000, 5, 5);
	dcc_quantile_add(q, 20000, 4, 5);
	EXPECT_EQ(q->n, 5);
	EXPECT_EQ(dcc_quantile_get(q, 0), 1000);
	dcc_quantile_add(q, 20000, U32_MAX, 5);
	EXPECT_EQ(q->n, 5);
	EXPECT_EQ(dcc_quantile_get(q, 0), 20224);
	free(q);
}

/* What a weighted value leaves behind must age like what it is: 3 of them. */
static void dcc_quantile_add__weight_above_h_and_expiry(void)
{
	struct dcc_quantile *q = quantile_new(16);

	dcc_quantile_expire(q, 1001 * US, 80 * US);
	dcc_quantile_add(q, 1000, 1, 3);
	dcc_quantile_expire(q, 1051 * US, 80 * US);
	dcc_quantile_add(q, 3000, 100, 3);
	dcc_quantile_expire(q, 1101 * US, 80 * US);
	EXPECT_EQ(q->n, 3);
	dcc_quantile_add(q, 20000, 1, 4);
	dcc_quantile_expire(q, 1145 * US, 80 * US);
	EXPECT_EQ(q->n, 1);
	EXPECT_EQ(dcc_quantile_get(q, 50), 20224);
	free(q);
}

static void dcc_quantile_add__h_is_clamped(void)
{
	struct dcc_quantile *q = quantile_new(4);

	dcc_quantile_add(q, 1000, 9, U32_MAX);
	EXPECT_EQ(q->n, 4);
	dcc_quantile_add(q, 20000, 9, 0);
	EXPECT_EQ(q->n, 1);
	EXPECT_EQ(dcc_quantile_get(q, 50), 20000);
	free(q);
}

static void dcc_quantile_add__smaller_h_drops_the_oldest(void)
{
	struct dcc_quantile *q = quantile_new(8);
	u32 i;

	for (i = 1; i <= 8; i++)
		dcc_quantile_add(q, i * 10000, 1, 8);
	dcc_quantile_add(q, 90000, 1, 3);
	EXPECT_EQ(q->n, 3);
	EXPECT_NEAR(dcc_quantile_get(q, 0), 70000, 70000 / 64);
	EXPECT_NEAR(dcc_quantile_get(q, 50), 80000, 80000 / 64);
	EXPECT_NEAR(dcc_quantile_get(q, 100), 90000, 90000 / 64);
	free(q);
}

/* Streams: what a value may look like, i-th of them. */
static u32 stream_random(u32 i)
{
	return (u32)(unit_rand() >> (32 + (i & 31)));
}

static u32 stream_uniform(u32 i)
{
	return 20000 + unit_below(80000 + (i & 1));
}

static u32 stream_ascending(u32 i)
{
	return i * 997;
}

static u32 stream_descending(u32 i)
{
	return 500000000 - i * 9973;
}

static u32 stream_sawtooth(u32 i)
{
	return 10000 + i % 100 * 1000;
}

static u32 stream_constant(u32 i)
{
	return 123456 + 0 * i;
}

static u32 stream_extremes(u32 i)
{
	return i & 1 ? U32_MAX : 0;
}

static u32 stream_bin_edges(u32 i)
{
	u32 octave = 9 + i % 20, edge = (32 + i / 20 % 32) << (octave - 5);

	return edge - (unit_below(2));
}

static u32 stream_above_cap(u32 i)
{
	return (1U << 29) - 2 + i % 4;
}

static u32 stream_zero(u32 i)
{
	return 0 * i;
}

static u32 stream_small(u32 i)
{
	return (u32)unit_below(600 + (i & 1));
}

static u32 (*const streams[])(u32) = {
	stream_random, stream_uniform, stream_ascending, stream_descending,
	stream_sawtooth, stream_constant, stream_extremes, stream_bin_edges,
	stream_above_cap, stream_zero, stream_small,
};

/* A window that wanders: mostly steps, now and then anywhere. */
static u32 wander(u32 h, u32 cap)
{
	u32 step = unit_below(8);

	if (!unit_below(64))
		return 1 + unit_below(cap);
	if (h + step <= cap && unit_below(2))
		return h + step;
	return h > step ? h - step : 1;
}

static void against_oracle(u32 stream, u32 cap, u32 rounds)
{
	struct dcc_quantile *q = quantile_new(cap);
	u32 h = 1 + unit_below(cap), i;

	for (i = 0; i < rounds; i++) {
		u32 v = streams[stream](i);
		u32 weight = unit_below(4) ? 1 : unit_below(12);

		h = wander(h, cap);
		if (!unit_below(50)) {
			dcc_quantile_resize(q, h);
			oracle_keep(h);
		}
		dcc_quantile_add(q, v, weight, h);
		if (weight)
			oracle_add(v, 0, weight, h);
		else
			oracle_keep(h);
		if (!unit_below(cap / 4 + 1))
			expect_oracle(q);
	}
	expect_oracle(q);
	free(q);
}

static void dcc_quantile_add__oracle(void)
{
	static const u32 caps[] = {
		1, 2, 3, 5, 7, 8, 9, 16, 100, 2048, 4096
	};
	u32 c, s;

	for (c = 0; c < ARRAY_SIZE(caps); c++)
		for (s = 0; s < ARRAY_SIZE(streams); s++)
			against_oracle(s, caps[c], caps[c] < 1000 ? 2000 : 20000);
}

/* --- expire ---------------------------------------------------------------- */

/* 80 us: a value may stay for 9/8 of it, 90 us, and not a moment more. */
static void dcc_quantile_expire__both_ends(void)
{
	struct dcc_quantile *q = quantile_new(8);

	dcc_quantile_expire(q, 1001 * US, 80 * US);
	dcc_quantile_add(q, 1000, 1, 8);
	dcc_quantile_expire(q, 1080 * US, 80 * US);
	EXPECT_EQ(q->n, 1);
	dcc_quantile_expire(q, 1089 * US, 80 * US);
	EXPECT_EQ(q->n, 1);
	dcc_quantile_expire(q, 1091 * US, 80 * US);
	EXPECT_EQ(q->n, 0);
	free(q);
}

/* Values share a mark for 1/8 of a horizon, 10 us; the next has its own. */
static void dcc_quantile_expire__oldest_first(void)
{
	struct dcc_quantile *q = quantile_new(8);

	dcc_quantile_expire(q, 1001 * US, 80 * US);
	dcc_quantile_add(q, 90000, 1, 8);
	dcc_quantile_expire(q, 1021 * US, 80 * US);
	dcc_quantile_add(q, 20000, 2, 8);
	dcc_quantile_expire(q, 1041 * US, 80 * US);
	dcc_quantile_add(q, 1000, 1, 8);
	dcc_quantile_expire(q, 1099 * US, 80 * US);
	EXPECT_EQ(q->n, 3);
	EXPECT_EQ(dcc_quantile_get(q, 100), 20000);
	dcc_quantile_expire(q, 1113 * US, 80 * US);
	EXPECT_EQ(q->n, 1);
	EXPECT_EQ(dcc_quantile_get(q, 100), 1000);
	dcc_quantile_expire(q, 1133 * US, 80 * US);
	EXPECT_EQ(q->n, 0);
	free(q);
}

static void dcc_quantile_expire__long_silence(void)
{
	static const u64 silence_us[] = { 100, 1000000, (1ULL << 31) - 1000 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(silence_us); i++) {
		struct dcc_quantile *q = quantile_new(8);
		u64 now = 4000000001 * US;

		dcc_quantile_expire(q, now, 80 * US);
		dcc_quantile_add(q, 1000, 8, 8);
		now += silence_us[i] * US;
		dcc_quantile_expire(q, now, 80 * US);
		EXPECT_EQ(q->n, 0);
		free(q);
	}
}

/* How many of the oracle's values are younger than this? They came in order. */
static u32 oracle_younger(u64 now, double age_ns)
{
	u32 i = 0;

	while (i < oracle.n && (double)(now - oracle.came[i]) >= age_ns)
		i++;
	return oracle.n - i;
}

/* What must have stayed and what must have left; times are good to 2 us. */
static void expect_age(const struct dcc_quantile *q, u64 now, double keep_ns,
		       double gone_ns)
{
	EXPECT_BETWEEN(q->n, oracle_younger(now, keep_ns - 2000),
		       oracle_younger(now, gone_ns + 2000));
	oracle_keep(q->n);
}

/* Random gaps with a fixed horizon: between 1 and 9/8 of it. */
static void ages_fixed(u32 cap, u64 start, u32 horizon, u32 rounds)
{
	struct dcc_quantile *q = quantile_new(cap);
	u64 now = start;
	u32 i;

	for (i = 0; i < rounds; i++) {
		u32 v = (u32)unit_log_between(1000, 1000000);
		u32 weight = 1 + unit_below(3);

		now += unit_below(unit_below(40) ? horizon / 64 : horizon * 2);
		dcc_quantile_expire(q, now, horizon);
		expect_age(q, now, horizon, horizon * 1.125);
		if (!unit_below(3))
			continue;
		dcc_quantile_add(q, v, weight, cap);
		oracle_add(v, now, weight, cap);
		if (!unit_below(100))
			expect_oracle(q);
	}
	free(q);
}

static void dcc_quantile_expire__oracle(void)
{
	static const u32 horizons[] = { 8000, 16000, 80000, 1000000, 400000000 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(horizons); i++) {
		ages_fixed(4096, 1000000000, horizons[i], 30000);
		ages_fixed(4096, 1, horizons[i], 3000);
		ages_fixed(8, 1000000000, horizons[i], 10000);
		ages_fixed(9, 1000000000, horizons[i], 10000);
	}
}

/* 32-bit microseconds wrap every 71 minutes; start shortly before. */
static void dcc_quantile_expire__time_wraps(void)
{
	u64 wrap = (1ULL << 32) * US;

	ages_fixed(4096, wrap - 40 * US, 80000, 3000);
	ages_fixed(8, wrap - 40 * US, 80000, 3000);
	ages_fixed(4096, wrap - 1000 * US, 80000, 3000);
	ages_fixed(4096, 5 * wrap - 20000 * US, 8000000, 3000);
}

/* The running number of values wraps too. */
static void dcc_quantile_expire__total_wraps(void)
{
	struct dcc_quantile *q = quantile_new(64);

	q->total = U32_MAX - 2;
	dcc_quantile_expire(q, 1001 * US, 80 * US);
	dcc_quantile_add(q, 90000, 2, 64);
	dcc_quantile_expire(q, 1041 * US, 80 * US);
	dcc_quantile_add(q, 1000, 7, 64);
	dcc_quantile_expire(q, 1099 * US, 80 * US);
	EXPECT_EQ(q->n, 7);
	EXPECT_EQ(dcc_quantile_get(q, 100), 1000);
	free(q);
}

/*
 * A horizon that moves, as srtt does: marks set under another horizon are at
 * most 1/8 of the longest one apart, and no value outlives 9/8 of the longest.
 */
static void dcc_quantile_expire__horizon_moves(void)
{
	struct dcc_quantile *q = quantile_new(4096);
	double low = 40000, high = 160000;
	u64 now = 1000000000;
	u32 i;

	for (i = 0; i < 100000; i++) {
		u32 horizon = (u32)unit_log_between(low, high);

		now += unit_below(unit_below(40) ? 1000 : 200000);
		dcc_quantile_expire(q, now, horizon);
		expect_age(q, now, 1.125 * horizon - high / 8, high * 1.125);
		dcc_quantile_add(q, 20000, 1, 4096);
		oracle_add(20000, now, 1, 4096);
	}
	free(q);
}

/* From one horizon to the next in one step, both ways. */
static void dcc_quantile_expire__horizon_jumps(void)
{
	static const u32 horizons[] = { 100000, 400000, 1600000, 400000 };
	struct dcc_quantile *q = quantile_new(4096);
	u64 now = 1000000000;
	u32 i, j;

	for (j = 0; j < 40; j++) {
		u32 horizon = horizons[j % 4], last = horizons[(j + 3) % 4];
		double longer = max(horizon, last);

		for (i = 0; i < 2000; i++) {
			now += unit_below(2000);
			dcc_quantile_expire(q, now, horizon);
			expect_age(q, now, 1.125 * horizon - longer / 8,
				   1.125 * longer);
			dcc_quantile_add(q, 20000, 1, 4096);
			oracle_add(20000, now, 1, 4096);
		}
	}
	free(q);
}

/* A horizon below a microsecond is a horizon of 0: nothing old counts. */
static void dcc_quantile_expire__horizon_zero(void)
{
	struct dcc_quantile *q = quantile_new(8);

	dcc_quantile_expire(q, 1001 * US, 0);
	dcc_quantile_add(q, 1000, 1, 8);
	dcc_quantile_expire(q, 1008 * US, 999);
	EXPECT_EQ(q->n, 1);	/* 7 us old: a horizon is never below 8 us */
	dcc_quantile_expire(q, 1011 * US, 0);
	EXPECT_EQ(q->n, 0);
	free(q);
}

/* Dropped by H or resize in between: the marks must not count them twice. */
static void ages_with_small_h(u32 cap)
{
	struct dcc_quantile *q = quantile_new(cap);
	u64 now = 1000000000;
	u32 h = 1, i;

	for (i = 0; i < 50000; i++) {
		u32 weight = unit_below(5);

		h = wander(h, cap);
		now += unit_below(unit_below(30) ? 8000 : 100000);
		dcc_quantile_expire(q, now, 80000);
		expect_age(q, now, 80000, 90000);
		dcc_quantile_add(q, i, weight, h);
		oracle_add(i, now, weight, h);
		if (!(i % 50))
			expect_oracle(q);
	}
	free(q);
}

static void dcc_quantile_expire__with_small_h(void)
{
	ages_with_small_h(64);
	ages_with_small_h(8);
}

/* --- move ------------------------------------------------------------------ */

/* @count values 1000, 2000 .. through @from's ring, then moved. */
static void move_after(u32 from_cap, u32 count, u32 to_cap)
{
	struct dcc_quantile *from = quantile_new(from_cap);
	struct dcc_quantile *to = quantile_new(to_cap);
	u32 i;

	for (i = 1; i <= count; i++) {
		dcc_quantile_add(from, i * 1000, 1, from_cap);
		oracle_add(i * 1000, 0, 1, from_cap);
	}
	dcc_quantile_move(to, from);
	EXPECT_EQ(to->cap, to_cap);
	expect_oracle(to);
	for (i = oracle.n; i; i--) {	/* oldest first: the order is kept */
		dcc_quantile_resize(to, i);
		oracle_keep(i);
		expect_oracle(to);
	}
	free(from);
	free(to);
}

/* Empty, part full, full, and every place where the ring may begin. */
static void dcc_quantile_move__values_and_order(void)
{
	u32 cap, count;

	for (cap = 1; cap <= 8; cap++)
		for (count = 0; count <= 20; count++) {
			move_after(cap, count, 9);
			move_after(cap, count, 2048);
		}
}

/* The values may fill what they are moved to, which then goes round. */
static void dcc_quantile_move__goes_on(void)
{
	struct dcc_quantile *from = quantile_new(8), *to = quantile_new(9);
	u32 i;

	for (i = 0; i < 100; i++) {
		if (i == 11)
			dcc_quantile_move(to, from);
		dcc_quantile_add(i < 11 ? from : to, i * 977, 1, 9);
		oracle_add(i * 977, 0, 1, i < 11 ? 8 : 9);
		expect_oracle(i < 11 ? from : to);
	}
	free(from);
	free(to);
}

/* Marks come along: a value leaves when it would have left. */
static void dcc_quantile_move__ages(void)
{
	struct dcc_quantile *from = quantile_new(8), *to = quantile_new(64);

	from->total = U32_MAX - 1;
	dcc_quantile_expire(from, 1001 * US, 80 * US);
	dcc_quantile_add(from, 90000, 3, 8);
	dcc_quantile_expire(from, 1041 * US, 80 * US);
	dcc_quantile_add(from, 1000, 2, 8);
	dcc_quantile_move(to, from);
	EXPECT_EQ(to->total, 3);
	EXPECT_EQ(to->mark_head, 2);
	dcc_quantile_expire(to, 1089 * US, 80 * US);
	EXPECT_EQ(to->n, 5);
	dcc_quantile_expire(to, 1099 * US, 80 * US);
	EXPECT_EQ(to->n, 2);
	EXPECT_EQ(dcc_quantile_get(to, 100), 1000);
	dcc_quantile_expire(to, 1133 * US, 80 * US);
	EXPECT_EQ(to->n, 0);
	free(from);
	free(to);
}

/* The same events to both; they pass time, then one value. */
static void feed(struct dcc_quantile *q, u64 now, u32 v, u32 weight, u32 h)
{
	dcc_quantile_expire(q, now, 80000);
	dcc_quantile_add(q, v, weight, h);
}

static void expect_twins(const struct dcc_quantile *a,
			 const struct dcc_quantile *b)
{
	u32 percent;

	EXPECT_EQ(a->n, b->n);
	for (percent = 0; percent <= 100; percent += 10)
		EXPECT_EQ(dcc_quantile_get(a, percent),
			  dcc_quantile_get(b, percent));
}

/* One that was moved is as one that was large from the start. */
static void dcc_quantile_move__as_if_large_from_the_start(void)
{
	u32 life, i;

	for (life = 0; life < 300; life++) {
		struct dcc_quantile *q = quantile_new(8), *to;
		struct dcc_quantile *twin = quantile_new(100);
		u32 moved = unit_below(60), h = 8;
		u64 now = unit_rand() >> 16;

		for (i = 0; i < 120; i++) {
			u32 v = (u32)unit_log_between(1, 1U << 30);
			u32 weight = unit_below(4);

			if (i == moved) {
				to = quantile_new(100);
				dcc_quantile_move(to, q);
				free(q);
				q = to;
			}
			h = 1 + unit_below(i < moved ? 8 : 100);
			now += unit_below(20000);
			feed(q, now, v, weight, h);
			feed(twin, now, v, weight, h);
			if (i >= moved)
				expect_twins(q, twin);
		}
		free(q);
		free(twin);
	}
}

/* --- get ------------------------------------------------------------------- */

static void even_count(u32 cap, u32 mean)
{
	struct dcc_quantile *q = quantile_new(cap);

	dcc_quantile_add(q, 10000, 1, 8);
	dcc_quantile_add(q, 20000, 1, 8);
	EXPECT_EQ(dcc_quantile_get(q, 50), mean);
	dcc_quantile_add(q, 1000000, 1, 8);
	dcc_quantile_add(q, 0, 1, 8);
	EXPECT_EQ(dcc_quantile_get(q, 50), mean);
	free(q);
}

static void dcc_quantile_get__even_count_is_the_mean(void)
{
	even_count(9, (10112 + 20224) / 2);
	even_count(8, (10000 + 20000) / 2);
}

/* An odd sum rounds down; the largest two do not overflow. */
static void dcc_quantile_get__mean_of_few_rounds_down(void)
{
	struct dcc_quantile *q = quantile_new(2);

	dcc_quantile_add(q, 7, 1, 2);
	dcc_quantile_add(q, 10, 1, 2);
	EXPECT_EQ(dcc_quantile_get(q, 50), 8);
	dcc_quantile_add(q, U32_MAX, 2, 2);
	EXPECT_EQ(dcc_quantile_get(q, 50), (1U << 29) - 1);
	free(q);
}

/* Of 4 values the 10th percentile is the least, the 75th between two. */
static void dcc_quantile_get__few_values(void)
{
	struct dcc_quantile *q = quantile_new(8);

	dcc_quantile_add(q, 90000, 1, 8);
	dcc_quantile_add(q, 1000, 1, 8);
	dcc_quantile_add(q, 90000, 1, 8);
	dcc_quantile_add(q, 3000, 1, 8);
	EXPECT_EQ(dcc_quantile_get(q, 10), 1000);
	EXPECT_EQ(dcc_quantile_get(q, 0), 1000);
	EXPECT_EQ(dcc_quantile_get(q, 25), (1000 + 3000) / 2);
	EXPECT_EQ(dcc_quantile_get(q, 26), 3000);
	EXPECT_EQ(dcc_quantile_get(q, 90), 90000);
	free(q);
}

static void dcc_quantile_get__percent_above_100(void)
{
	struct dcc_quantile *q = quantile_new(8);

	dcc_quantile_add(q, 1000, 1, 8);
	dcc_quantile_add(q, 20000, 1, 8);
	EXPECT_EQ(dcc_quantile_get(q, 100), 20000);
	EXPECT_EQ(dcc_quantile_get(q, 101), 20000);
	EXPECT_EQ(dcc_quantile_get(q, U32_MAX), 20000);
	free(q);
}

/* --- cost ------------------------------------------------------------------ */

/* Seconds for a fixed number of inserts, each with a query. */
static double time_of(struct dcc_quantile *q, u32 h)
{
	struct timespec from, to;
	u32 i, sum = 0;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (i = 0; i < 100000; i++) {
		dcc_quantile_add(q, 20000 + (i * 7919) % 80000, 1, h);
		sum += dcc_quantile_get(q, 50);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	EXPECT_BETWEEN(sum, 1, U32_MAX);
	return (double)(to.tv_sec - from.tv_sec) +
	       (double)(to.tv_nsec - from.tv_nsec) / 1000000000;
}

/* The best of seven each, in turns: H must not matter. */
static void cost__does_not_grow_with_h(void)
{
	struct dcc_quantile *q = quantile_new(4096);
	double small = 1e9, large = 1e9;
	u32 i;

	for (i = 0; i < 7; i++) {
		small = fmin(small, time_of(q, 16));
		large = fmin(large, time_of(q, 4096));
	}
	EXPECT_BETWEEN(large / small, 0, 2);
	free(q);
}

static const struct unit_test tests[] = {
	UNIT_TEST(memory__bound),
	UNIT_TEST(memory__few),
	UNIT_TEST(dcc_quantile_init__empty),
	UNIT_TEST(dcc_quantile_init__cap_is_clamped),
	UNIT_TEST(dcc_quantile_init__no_byte_more_than_promised),
	UNIT_TEST(dcc_quantile_clear__forgets_values_and_marks),
	UNIT_TEST(dcc_quantile_resize__drops_the_oldest),
	UNIT_TEST(dcc_quantile_resize__clamps),
	UNIT_TEST(dcc_quantile_add__bin_edges),
	UNIT_TEST(dcc_quantile_add__error_of_one_value),
	UNIT_TEST(dcc_quantile_add__few_are_exact),
	UNIT_TEST(dcc_quantile_add__both_sides_of_few),
	UNIT_TEST(dcc_quantile_add__weight_counts),
	UNIT_TEST(dcc_quantile_add__weight_above_h_counts_as_h),
	UNIT_TEST(dcc_quantile_add__weight_above_h_and_expiry),
	UNIT_TEST(dcc_quantile_add__h_is_clamped),
	UNIT_TEST(dcc_quantile_add__smaller_h_drops_the_oldest),
	UNIT_TEST(dcc_quantile_add__oracle),
	UNIT_TEST(dcc_quantile_expire__both_ends),
	UNIT_TEST(dcc_quantile_expire__oldest_first),
	UNIT_TEST(dcc_quantile_expire__long_silence),
	UNIT_TEST(dcc_quantile_expire__oracle),
	UNIT_TEST(dcc_quantile_expire__time_wraps),
	UNIT_TEST(dcc_quantile_expire__total_wraps),
	UNIT_TEST(dcc_quantile_expire__horizon_moves),
	UNIT_TEST(dcc_quantile_expire__horizon_jumps),
	UNIT_TEST(dcc_quantile_expire__horizon_zero),
	UNIT_TEST(dcc_quantile_expire__with_small_h),
	UNIT_TEST(dcc_quantile_move__values_and_order),
	UNIT_TEST(dcc_quantile_move__goes_on),
	UNIT_TEST(dcc_quantile_move__ages),
	UNIT_TEST(dcc_quantile_move__as_if_large_from_the_start),
	UNIT_TEST(dcc_quantile_get__even_count_is_the_mean),
	UNIT_TEST(dcc_quantile_get__mean_of_few_rounds_down),
	UNIT_TEST(dcc_quantile_get__few_values),
	UNIT_TEST(dcc_quantile_get__percent_above_100),
	UNIT_TEST(cost__does_not_grow_with_h),
};

UNIT_MAIN(tests)
