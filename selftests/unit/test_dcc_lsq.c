// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of common/math/dcc_lsq.c: against exact fractions, at the ends of what a
 * batch may hold, and against the estimator that it is there to replace.
 */
#include "math/dcc_lsq.h"
#include "unit.h"

#define s128	__int128	/* exact fractions */

#define MANY	64		/* packets of a random batch */
#define ROUNDS	20000

/* A batch with its packets, for the oracle. */
struct batch {
	struct dcc_lsq l;
	s64 x[DCC_LSQ_MAX_COUNT];
	s64 y[DCC_LSQ_MAX_COUNT];
	u32 n;
};

static struct batch *batch_new(u32 span_ns)
{
	static struct batch b;

	b.n = 0;
	memset(&b.l, 0xa5, sizeof(b.l));
	dcc_lsq_start(&b.l, span_ns);
	return &b;
}

/* One packet, sent at x after `start`. */
static bool add(struct batch *b, u32 start, s64 x, u32 y)
{
	if (!dcc_lsq_add(&b->l, start + (u32)x, y))
		return false;
	b->x[b->n] = x;
	b->y[b->n++] = y;
	return true;
}

/* The slope by its definition, centred on the means, times n in both: exact. */
static s64 oracle_slope(const struct batch *b)
{
	s128 num = 0, den = 0, sx = 0, sy = 0, q;
	u32 i;

	for (i = 0; i < b->n; i++) {
		sx += b->x[i];
		sy += b->y[i];
	}
	for (i = 0; i < b->n; i++) {
		s128 dx = (s128)b->n * b->x[i] - sx;

		num += dx * ((s128)b->n * b->y[i] - sy);
		den += dx * dx;
	}
	if (!den)
		return 0;
	q = (num < 0 ? -num : num) * DCC_LSQ_ONE;
	q = (2 * q + den) / (2 * den);
	return num < 0 ? -(s64)q : (s64)q;
}

static u64 oracle_mean(const struct batch *b)
{
	s128 sum = 0;
	u32 i;

	for (i = 0; i < b->n; i++)
		sum += b->y[i];
	return (u64)((sum << 8) / b->n);
}

static u32 oracle_span(const struct batch *b)
{
	s64 least = b->x[0], most = b->x[0];
	u32 i;

	for (i = 1; i < b->n; i++) {
		least = min(least, b->x[i]);
		most = max(most, b->x[i]);
	}
	return (u32)(most - least);
}

static void expect_oracle(const struct batch *b)
{
	EXPECT_EQ(dcc_lsq_slope(&b->l), oracle_slope(b));
	EXPECT_EQ(dcc_lsq_mean(&b->l), oracle_mean(b));
	EXPECT_EQ(dcc_lsq_span(&b->l), oracle_span(b));
	EXPECT_EQ(b->l.count, b->n);
}

static void dcc_lsq_slope__lines(void)
{
	static const s64 slope[] = { 0, 1, -1, 3, -3 };
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(slope); i++) {
		struct batch *b = batch_new(6000);

		for (k = 0; k < 50; k++)
			EXPECT_EQ(add(b, 77, 100 * k,
				      (u32)(20000 + slope[i] * 100 * k)), 1);
		EXPECT_EQ(dcc_lsq_slope(&b->l), slope[i] * DCC_LSQ_ONE);
		EXPECT_EQ(dcc_lsq_span(&b->l), 4900);
		expect_oracle(b);
	}
}

/* 0, 1, 2 against 0, 0, 1: 1/2. 0, 1, 2 against 1, 0, 0: -1/2. By hand. */
static void dcc_lsq_slope__vectors(void)
{
	struct batch *b = batch_new(6000);

	add(b, 0, 0, 0);
	add(b, 0, 1, 0);
	add(b, 0, 2, 1);
	EXPECT_EQ(dcc_lsq_slope(&b->l), DCC_LSQ_ONE / 2);
	EXPECT_EQ(dcc_lsq_mean(&b->l), 256 / 3);
	b = batch_new(6000);
	add(b, 0, 0, 1);
	add(b, 0, 1, 0);
	add(b, 0, 2, 0);
	EXPECT_EQ(dcc_lsq_slope(&b->l), -DCC_LSQ_ONE / 2);
}

/* Random batches, in any order of sending, from any time on. */
static void dcc_lsq_slope__oracle(void)
{
	u32 i, k;

	for (i = 0; i < ROUNDS; i++) {
		u32 span = 1 + (u32)(unit_rand() >> (47 + unit_below(16)));
		struct batch *b = batch_new(span);
		u32 start = (u32)unit_rand(), n = 1 + unit_below(MANY);
		u32 bits = unit_below(32);

		EXPECT_EQ(b->l.shift, 0);
		add(b, start, 0, (u32)(unit_rand() >> 32) >> bits);
		for (k = 1; k < n; k++)
			EXPECT_EQ(add(b, start, (s64)unit_below(2 * span) - span,
				      (u32)(unit_rand() >> 32) >> bits), 1);
		expect_oracle(b);
	}
}

/* Rounded to the nearest: 1/3, 2/3, and below 0. */
static void dcc_lsq_slope__rounding(void)
{
	struct batch *b = batch_new(6000);

	add(b, 0, 0, 10);
	add(b, 0, 3, 12);
	EXPECT_EQ(dcc_lsq_slope(&b->l), 666666667);
	b = batch_new(6000);
	add(b, 0, 0, 12);
	add(b, 0, 3, 10);
	EXPECT_EQ(dcc_lsq_slope(&b->l), -666666667);
	b = batch_new(6000);
	add(b, 0, 0, 10);
	add(b, 0, 3, 11);
	EXPECT_EQ(dcc_lsq_slope(&b->l), 333333333);
}

static void dcc_lsq_slope__no_denominator(void)
{
	struct batch *b = batch_new(6000);

	EXPECT_EQ(dcc_lsq_slope(&b->l), 0);
	add(b, 5, 0, 1000);
	EXPECT_EQ(dcc_lsq_slope(&b->l), 0);
	add(b, 5, 0, 9000);
	add(b, 5, 0, 50);
	EXPECT_EQ(dcc_lsq_slope(&b->l), 0);
	EXPECT_EQ(dcc_lsq_span(&b->l), 0);
	EXPECT_EQ(dcc_lsq_mean(&b->l), oracle_mean(b));
	add(b, 5, 1, 50);
	expect_oracle(b);
}

/* The clock's 32 bits wrap at every packet of a batch, once. */
static void dcc_lsq_add__clock_wrap(void)
{
	u32 k, i;

	for (k = 0; k < 10; k++) {
		struct batch *b = batch_new(6000);

		for (i = 0; i < 10; i++)
			EXPECT_EQ(add(b, -100 * k, 100 * i, 20000 + 70 * i), 1);
		EXPECT_EQ(dcc_lsq_slope(&b->l), DCC_LSQ_ONE / 10 * 7);
		EXPECT_EQ(dcc_lsq_span(&b->l), 900);
		expect_oracle(b);
	}
}

/* The packets of a line in another order than sent make the same line. */
static void dcc_lsq_add__out_of_order(void)
{
	static const u32 order[] = { 3, 0, 4, 1, 9, 2, 8, 5, 7, 6 };
	struct batch *b = batch_new(6000);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		EXPECT_EQ(add(b, 1000, 100 * (s64)order[i],
			      20000 - 30 * order[i]), 1);
	EXPECT_EQ(dcc_lsq_slope(&b->l), -DCC_LSQ_ONE / 10 * 3);
	EXPECT_EQ(dcc_lsq_span(&b->l), 900);
	EXPECT_EQ(dcc_lsq_since(&b->l, 1000), -300);
	expect_oracle(b);
}

static void dcc_lsq_start__shift(void)
{
	struct dcc_lsq l;

	dcc_lsq_start(&l, 0);
	EXPECT_EQ(l.shift, 0);
	dcc_lsq_start(&l, (1U << 17) - 1);
	EXPECT_EQ(l.shift, 0);
	dcc_lsq_start(&l, 1U << 17);
	EXPECT_EQ(l.shift, 1);
	dcc_lsq_start(&l, 1U << 30);
	EXPECT_EQ(l.shift, 14);
	dcc_lsq_start(&l, U32_MAX);
	EXPECT_EQ(l.shift, 15);
	EXPECT_EQ(l.count, 0);
}

/* Batches of any length: a unit wrong in x is 2^-16 of the span at most. */
static void dcc_lsq_slope__shifted(void)
{
	u32 i, k;

	for (i = 0; i < ROUNDS; i++) {
		u32 span = (1U << 17) + (u32)(unit_rand() >> (36 + unit_below(10)));
		struct batch *b = batch_new(span);
		u32 start = (u32)unit_rand();
		double slope = unit_below(4000) / 1000.0 - 2, got;

		for (k = 0; k <= 16; k++) {
			u32 x = (u32)((u64)span * k / 16);

			EXPECT_EQ(add(b, start, x,
				      (u32)(2.0e9 + slope * x)), 1);
		}
		EXPECT_EQ(b->l.shift > 0, 1);
		got = (double)dcc_lsq_slope(&b->l) / DCC_LSQ_ONE;
		EXPECT_NEAR(got, slope, 4.0 / (1 << 16));
		EXPECT_EQ(dcc_lsq_span(&b->l), span);
	}
}

/* Small slopes of long batches keep their digits: y is in ns all the time. */
static void dcc_lsq_slope__shifted_small(void)
{
	struct batch *b = batch_new(1U << 27);
	u32 k;

	for (k = 0; k < 3; k++)
		add(b, 5, (s64)k << 26, 1000 + k);
	EXPECT_EQ(b->l.shift, 11);
	EXPECT_EQ(dcc_lsq_slope(&b->l), 15);	/* 1e9 / 2^26 = 14.9 */
}

/* Full to the last packet, at the longest such a batch may be. */
static void dcc_lsq_add__most_packets(void)
{
	struct batch *b = batch_new(6000);
	s64 far = (1LL << 31) / DCC_LSQ_MAX_COUNT - 1;
	u32 i;

	for (i = 0; i < DCC_LSQ_MAX_COUNT; i++)
		EXPECT_EQ(add(b, 9, i & 1 ? far : 0, i & 1 ? U32_MAX : 0), 1);
	expect_oracle(b);
	EXPECT_EQ(add(b, 9, 0, 0), 0);
	expect_oracle(b);
	EXPECT_EQ(b->l.count, DCC_LSQ_MAX_COUNT);
}

/* No more packets than that, however close together. */
static void dcc_lsq_add__too_many(void)
{
	struct batch *b = batch_new(6000);
	u32 i;

	for (i = 0; i < DCC_LSQ_MAX_COUNT; i++)
		EXPECT_EQ(add(b, 9, 0, i), 1);
	EXPECT_EQ(add(b, 9, 0, 5), 0);
	expect_oracle(b);
}

/* The same with all delays the longest, and send times on both sides. */
static void dcc_lsq_add__most_packets_both_sides(void)
{
	struct batch *b = batch_new(6000);
	s64 far = (1LL << 31) / DCC_LSQ_MAX_COUNT - 1;
	u32 i;

	add(b, 9, 0, U32_MAX);
	for (i = 1; i < DCC_LSQ_MAX_COUNT; i++)
		EXPECT_EQ(add(b, 9, i & 1 ? far : -far,
			      i & 1 ? U32_MAX : 0), 1);
	expect_oracle(b);
	b = batch_new(6000);
	for (i = 0; i < DCC_LSQ_MAX_COUNT; i++)
		EXPECT_EQ(add(b, 9, i ? -far : 0, U32_MAX), 1);
	expect_oracle(b);
}

/* One unit more than count * span allows is refused, and changes nothing. */
static void dcc_lsq_add__too_far(void)
{
	struct batch *b = batch_new(6000);
	struct dcc_lsq before;
	s64 far = (1LL << 31) / 4 - 1;

	add(b, 9, 0, 5);
	add(b, 9, 7, 9);
	add(b, 9, 3, U32_MAX);
	before = b->l;
	EXPECT_EQ(add(b, 9, far + 1, 1), 0);
	EXPECT_EQ(add(b, 9, -far - 1, 1), 0);
	EXPECT_EQ(memcmp(&before, &b->l, sizeof(before)), 0);
	EXPECT_EQ(add(b, 9, -far, U32_MAX), 1);
	expect_oracle(b);
	EXPECT_EQ(add(b, 9, 0, 1), 0);	/* a fifth does not fit any more */
	expect_oracle(b);
}

/* However few packets: no longer than 2^30 ns, before the clock may be wrong. */
static void dcc_lsq_add__longest(void)
{
	struct batch *b = batch_new(1U << 30);

	add(b, 9, 0, U32_MAX);
	EXPECT_EQ(add(b, 9, DCC_LSQ_MAX_SPAN + 1LL, 1), 0);
	EXPECT_EQ(add(b, 9, -DCC_LSQ_MAX_SPAN - 1LL, 1), 0);
	EXPECT_EQ(add(b, 9, DCC_LSQ_MAX_SPAN, 0), 1);
	EXPECT_EQ(add(b, 9, -(s64)DCC_LSQ_MAX_SPAN, U32_MAX), 1);
	EXPECT_EQ(dcc_lsq_span(&b->l), 2 * DCC_LSQ_MAX_SPAN);
	expect_oracle(b);
	EXPECT_EQ(add(b, 9, -0x80000000LL, 1), 0);
}

/* The steepest line there is, both ways. */
static void dcc_lsq_slope__steepest(void)
{
	struct batch *b = batch_new(1);

	add(b, 0, 0, 0);
	add(b, 0, 1, U32_MAX);
	EXPECT_EQ(dcc_lsq_slope(&b->l), (s64)U32_MAX * DCC_LSQ_ONE);
	b = batch_new(1);
	add(b, 0, 0, U32_MAX);
	add(b, 0, 1, 0);
	EXPECT_EQ(dcc_lsq_slope(&b->l), -(s64)U32_MAX * DCC_LSQ_ONE);
}

/* --- the paper's testbed pattern ------------------------------------------- */

/*
 * 40 Gbit/s, packets of 1060 B, base RTT 13.5 us. One flow sends at 20 Gbit/s,
 * its delays are sampled; another at 40, 20 and 0 Gbit/s for 500 us each: true
 * gradients .5, 0 and -.5, over and over. A queue that serves packet by packet.
 */
#define SERVE_NS	212.0
#define BASE_NS		13500.0
#define PHASE_NS	500000.0
#define TAU_NS		6750
#define PACKETS		(30 * 1179)	/* ten times the three phases */

static const double phase_gradient[] = { 0.5, 0, -0.5 };
static const double phase_gap[] = { SERVE_NS, 2 * SERVE_NS, 0 };

static u32 phase_of(double at)
{
	return (u32)(at / PHASE_NS) % 3;
}

/**
 * struct bed - the testbed
 * @free: when the queue will be empty, ns
 * @other: when the other flow's next packet comes
 * @noise: of a delay, half its width, ns
 */
struct bed {
	double free;
	double other;
	double noise;
};

static void bed_serve(struct bed *bed, double at)
{
	bed->free = (bed->free > at ? bed->free : at) + SERVE_NS;
}

/* Delay of the sampled flow's packet that comes `at`. */
static double bed_delay(struct bed *bed, double at)
{
	double noise = (unit_rand() >> 11) / (double)(1ULL << 52) - 1;

	while (bed->other <= at) {
		double gap = phase_gap[phase_of(bed->other)];

		if (gap) {
			bed_serve(bed, bed->other);
			bed->other += gap;
		} else {
			bed->other = (floor(bed->other / PHASE_NS) + 1) *
				     PHASE_NS;
		}
	}
	bed_serve(bed, at);
	return bed->free - at + BASE_NS + noise * bed->noise;
}

/**
 * struct naive - the estimator of TIMELY: divide, then smooth
 * @delay: the delay before; 0: none
 * @gradient: the average of the quotients, weight 0.2
 */
struct naive {
	double delay;
	double gradient;
};

static void naive_add(struct naive *n, double delay, double gap)
{
	if (n->delay)
		n->gradient += 0.2 * ((delay - n->delay) / gap - n->gradient);
	n->delay = delay;
}

/* Mean squared errors of both, whenever a batch closes, against the truth then. */
static void testbed(double noise, double *batched, double *naive)
{
	struct bed bed = { .noise = noise };
	struct naive n = {};
	struct dcc_lsq l;
	u32 i, closed = 0;

	*batched = 0;
	*naive = 0;
	dcc_lsq_start(&l, TAU_NS);
	for (i = 0; i < PACKETS; i++) {
		double at = i * 2 * SERVE_NS, truth, delay;

		delay = bed_delay(&bed, at);
		naive_add(&n, delay, 2 * SERVE_NS);
		EXPECT_EQ(dcc_lsq_add(&l, (u32)(u64)at, (u32)delay), 1);
		if (dcc_lsq_since(&l, (u32)(u64)at) <= TAU_NS || l.count < 3)
			continue;
		truth = phase_gradient[phase_of(at)];
		*batched += pow((double)dcc_lsq_slope(&l) / DCC_LSQ_ONE - truth, 2);
		*naive += pow(n.gradient - truth, 2);
		closed++;
		dcc_lsq_start(&l, TAU_NS);
	}
	*batched /= closed;
	*naive /= closed;
	printf("# delays +-%.0f ns, %u batches: squared error %.4f, divided and smoothed %.4f\n",
	       noise, closed, *batched, *naive);
}

/*
 * The paper has .0058 on its testbed, and .079 for the naive one. Without noise
 * both are wrong only for a batch or some packets after a change.
 */
static void dcc_lsq_slope__testbed(void)
{
	double batched, naive;

	testbed(0, &batched, &naive);
	EXPECT_BETWEEN(batched, 0, 0.0058);
	testbed(500, &batched, &naive);
	EXPECT_BETWEEN(batched, 0, 0.0058);
	testbed(1000, &batched, &naive);
	EXPECT_BETWEEN(naive, 10 * batched, 1e9);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_lsq_slope__lines),
	UNIT_TEST(dcc_lsq_slope__vectors),
	UNIT_TEST(dcc_lsq_slope__oracle),
	UNIT_TEST(dcc_lsq_slope__rounding),
	UNIT_TEST(dcc_lsq_slope__no_denominator),
	UNIT_TEST(dcc_lsq_add__clock_wrap),
	UNIT_TEST(dcc_lsq_add__out_of_order),
	UNIT_TEST(dcc_lsq_start__shift),
	UNIT_TEST(dcc_lsq_slope__shifted),
	UNIT_TEST(dcc_lsq_slope__shifted_small),
	UNIT_TEST(dcc_lsq_add__most_packets),
	UNIT_TEST(dcc_lsq_add__too_many),
	UNIT_TEST(dcc_lsq_add__most_packets_both_sides),
	UNIT_TEST(dcc_lsq_add__too_far),
	UNIT_TEST(dcc_lsq_add__longest),
	UNIT_TEST(dcc_lsq_slope__steepest),
	UNIT_TEST(dcc_lsq_slope__testbed),
};

UNIT_MAIN(tests)
