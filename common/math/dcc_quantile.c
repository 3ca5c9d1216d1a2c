// SPDX-License-Identifier: GPL-2.0
/* Sliding quantile; the design is stated in dcc_quantile.h. */
#include "dcc_quantile.h"

/* MSwift's promise: a window of 4096 packets, H = 2048, within 4 KiB. */
static_assert(DCC_QUANTILE_SIZE(2048) <= 4096,
	      "sliding quantile exceeds its memory bound");
static_assert(DCC_Q_BINS <= 1024, "a bin number must fit in 10 bits");

/* Position of the highest bit; v is never 0 here. */
static u32 q_log2(u32 v)
{
	return 31 - (u32)__builtin_clz(v);
}

/* Bin of a value: the exponent chooses the octave, 5 bits of mantissa the bin. */
static u32 q_bin(u32 v)
{
	u32 e;

	v = min(v, DCC_Q_MAX_NS);
	if (v < 1U << DCC_Q_MIN_EXP)
		return v >> (DCC_Q_MIN_EXP - DCC_Q_SUB_BITS);
	e = q_log2(v);
	return (e - DCC_Q_MIN_EXP + 1) * DCC_Q_SUB +
	       ((v >> (e - DCC_Q_SUB_BITS)) & (DCC_Q_SUB - 1));
}

/* The middle of a bin: at most half a bin's width from all it stands for. */
static u32 q_value(u32 bin)
{
	u32 octave = bin / DCC_Q_SUB, sub = bin % DCC_Q_SUB;
	u32 width_shift = DCC_Q_MIN_EXP - DCC_Q_SUB_BITS;

	if (octave) {
		width_shift += octave - 1;
		sub += DCC_Q_SUB;
	}
	return (sub << width_shift) + (1U << (width_shift - 1));
}

/* Does it keep the values themselves? */
static bool q_is_few(const struct dcc_quantile *q)
{
	return q->cap <= DCC_Q_FEW;
}

static struct dcc_q_bins *q_bins(const struct dcc_quantile *q)
{
	return (struct dcc_q_bins *)q->data;
}

static u8 *q_high(const struct dcc_quantile *q, u32 i)
{
	return &q_bins(q)->ring[dcc_at_most(q->cap + i / 4, DCC_Q_RING(DCC_Q_MAX_H) - 1)];
}

/* A place of the ring holds a bin, or, where there are few, the value. */
static void q_store(struct dcc_quantile *q, u32 i, u32 item)
{
	u32 shift = i % 4 * 2;
	u8 *high;

	if (q_is_few(q)) {
		q->data[dcc_at_most(i, DCC_Q_FEW - 1)] = item;
		return;
	}
	high = q_high(q, i);
	q_bins(q)->ring[dcc_at_most(i, DCC_Q_MAX_H - 1)] = item & 0xff;
	*high = (*high & ~(3U << shift)) | (item >> 8) << shift;
}

static u32 q_load(const struct dcc_quantile *q, u32 i)
{
	if (q_is_few(q))
		return q->data[dcc_at_most(i, DCC_Q_FEW - 1)];
	return q_bins(q)->ring[dcc_at_most(i, DCC_Q_MAX_H - 1)] |
	       (*q_high(q, i) >> (i % 4 * 2) & 3U) << 8;
}

static void q_count(struct dcc_quantile *q, u32 bin, int by)
{
	if (q_is_few(q))
		return;
	bin = dcc_at_most(bin, DCC_Q_BINS - 1);
	q_bins(q)->count[bin] += by;
	q_bins(q)->octave[bin / DCC_Q_SUB] += by;
}

/* Place of value number @i, 0 the oldest. */
static u32 q_place(const struct dcc_quantile *q, u32 i)
{
	u32 place = q->head + q->cap - q->n + i;	/* below 2 cap */

	return place < q->cap ? place : place - q->cap;
}

/* Forget the oldest value. */
static void q_drop(struct dcc_quantile *q)
{
	q_count(q, q_load(q, q_place(q, 0)), -1);
	q->n--;
}

/* Enter a bin or a value as the newest; there is room. */
static void q_enter(struct dcc_quantile *q, u32 item)
{
	q_store(q, q->head, item);
	q_count(q, item, 1);
	q->head = q->head + 1U < q->cap ? q->head + 1 : 0;
	q->n++;
}

/**
 * dcc_quantile_init() - prepare an empty estimator
 * @q: memory of at least DCC_QUANTILE_SIZE(@cap) bytes
 * @cap: the largest H, 1 to DCC_Q_MAX_H; above it is clamped
 */
void dcc_quantile_init(struct dcc_quantile *q, u32 cap)
{
	cap = clamp_t(u32, cap, 1, DCC_Q_MAX_H);
	memset(q, 0, DCC_QUANTILE_SIZE(cap));
	q->cap = cap;
}
EXPORT_SYMBOL_GPL(dcc_quantile_init);

/**
 * dcc_quantile_clear() - forget all values, keep the capacity
 * @q: the estimator
 */
void dcc_quantile_clear(struct dcc_quantile *q)
{
	dcc_quantile_init(q, q->cap);
}
EXPORT_SYMBOL_GPL(dcc_quantile_clear);

/**
 * dcc_quantile_resize() - keep only the newest @h values
 * @q: the estimator
 * @h: at least 1; clamped to the capacity
 *
 * Each value is dropped once, so the cost is O(1) amortised per insert.
 */
void dcc_quantile_resize(struct dcc_quantile *q, u32 h)
{
	h = clamp_t(u32, h, 1, q->cap);
	dcc_while(q->n > h, DCC_Q_MAX_H)
		q_drop(q);
}
EXPORT_SYMBOL_GPL(dcc_quantile_resize);

/**
 * dcc_quantile_add() - insert a value, keeping at most the newest @h
 * @q: the estimator
 * @v_ns: the value, ns; above DCC_Q_MAX_NS it counts as that
 * @weight: how many packets it speaks for; more than @h count as @h
 * @h: how many to keep, clamped to 1 .. capacity
 */
void dcc_quantile_add(struct dcc_quantile *q, u32 v_ns, u32 weight, u32 h)
{
	u32 item = q_is_few(q) ? min(v_ns, DCC_Q_MAX_NS) : q_bin(v_ns);

	h = clamp_t(u32, h, 1, q->cap);
	weight = min(weight, h);
	dcc_quantile_resize(q, h);
	q->total += weight;
	dcc_while(weight, DCC_Q_MAX_H) {
		if (q->n >= h)
			q_drop(q);
		q_enter(q, item);
		weight--;
	}
}
EXPORT_SYMBOL_GPL(dcc_quantile_add);

/**
 * dcc_quantile_move() - the same values in a larger estimator
 * @to: an empty one that holds more than DCC_Q_FEW
 * @from: one that holds no more than that
 *
 * Values keep their age.
 */
void dcc_quantile_move(struct dcc_quantile *to, const struct dcc_quantile *from)
{
	u32 i;

	for (i = 0; i < from->n; i++)
		q_enter(to, q_bin(q_load(from, q_place(from, i))));
	to->total = from->total;
	to->mark_head = from->mark_head;
	memcpy(to->mark_total, from->mark_total, sizeof(to->mark_total));
	memcpy(to->mark_us, from->mark_us, sizeof(to->mark_us));
}
EXPORT_SYMBOL_GPL(dcc_quantile_move);

/*
 * How many of the newest values are younger than the horizon? Values counted
 * from mark m on came less than 1/8 of a horizon after it, or there would be
 * another mark between; so once m is 9/8 horizons old they are all too old.
 */
static u32 q_fresh(const struct dcc_quantile *q, u32 now_us, u32 horizon_us)
{
	u32 limit = horizon_us + horizon_us / DCC_Q_STEPS;
	u32 next_total = q->total;
	u32 i, m;

	for (i = 1; i <= DCC_Q_MARKS; i++) {
		m = (q->mark_head - i) % DCC_Q_MARKS;
		if (!q->mark_us[m])
			break;
		if (now_us - q->mark_us[m] >= limit)
			return q->total - next_total;
		next_total = q->mark_total[m];
	}
	return U32_MAX;
}

/**
 * dcc_quantile_expire() - forget values older than a horizon
 * @q: the estimator
 * @now_ns: the time, ns; call before inserting what arrived then
 * @horizon_ns: age at which a value stops counting; below 8 us it is 8 us
 *
 * A value leaves between 1 and 9/8 horizons after it came. Time is kept in
 * 32-bit microseconds: a flow silent for longer than 2^31 us must be cleared
 * by its owner (the modules clear on every restart after idle).
 */
void dcc_quantile_expire(struct dcc_quantile *q, u64 now_ns, u32 horizon_ns)
{
	u32 now_us = (u32)div_u64(now_ns, NSEC_PER_USEC) | 1; /* 0 = no mark */
	u32 horizon_us = max(horizon_ns / (u32)NSEC_PER_USEC, DCC_Q_STEPS);
	u32 last = (q->mark_head - 1U) % DCC_Q_MARKS;
	u32 fresh = q_fresh(q, now_us, horizon_us);

	dcc_while(q->n && q->n > fresh, DCC_Q_MAX_H)
		q_drop(q);
	if (q->mark_us[last] &&
	    now_us - q->mark_us[last] < horizon_us / DCC_Q_STEPS)
		return;
	q->mark_us[dcc_at_most(q->mark_head, DCC_Q_MARKS - 1)] = now_us;
	q->mark_total[dcc_at_most(q->mark_head, DCC_Q_MARKS - 1)] = q->total;
	q->mark_head = (q->mark_head + 1) % DCC_Q_MARKS;
}
EXPORT_SYMBOL_GPL(dcc_quantile_expire);

/* The same of few values: sorted as they are looked at. */
static u32 q_few_rank(const struct dcc_quantile *q, u32 rank)
{
	u32 sorted[DCC_Q_FEW], i, j;

	for (i = 0; i < dcc_at_most(q->n, DCC_Q_FEW); i++) {
		u32 v = q_load(q, q_place(q, i));

		for (j = i; j && sorted[j - 1] > v; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = v;
	}
	return sorted[dcc_at_most(rank, DCC_Q_FEW - 1)];
}

/* The value of rank @rank (0 = smallest); rank < n. */
static u32 q_rank(const struct dcc_quantile *q, u32 rank)
{
	const struct dcc_q_bins *b = q_bins(q);
	u32 octave = 0, bin;

	if (q_is_few(q))
		return q_few_rank(q, rank);
	dcc_while(rank >= b->octave[octave], DCC_Q_OCTAVES - 1)
		rank -= b->octave[octave++];
	bin = octave * DCC_Q_SUB;
	dcc_while(rank >= b->count[bin], DCC_Q_SUB - 1)
		rank -= b->count[bin++];
	return q_value(bin);
}

/**
 * dcc_quantile_get() - a percentile of the values held
 * @q: the estimator
 * @percent: 0 to 100; 50 is the median
 *
 * The smallest value with at least that share of the values at or below it; if
 * the share falls just between two values, their mean. So for an even count the
 * median is the mean of the two middle ones, and up to 9 values the 10th
 * percentile is their minimum.
 *
 * Return: the percentile in ns, 0 if there are no values.
 */
u32 dcc_quantile_get(const struct dcc_quantile *q, u32 percent)
{
	u32 share = min(percent, 100U) * q->n;	/* <= 100 * 4096 */
	u32 rank = share / 100, low, high;

	if (!q->n)
		return 0;
	if (share % 100)
		return q_rank(q, rank);
	low = q_rank(q, rank ? rank - 1 : 0);
	high = q_rank(q, min(rank, q->n - 1U));
	return low + (high - low) / 2;
}
EXPORT_SYMBOL_GPL(dcc_quantile_get);
