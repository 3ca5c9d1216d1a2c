// SPDX-License-Identifier: GPL-2.0
/* Batched least squares; see dcc_lsq.h. */
#include "dcc_lsq.h"
#include "dcc_wide.h"

/**
 * dcc_lsq_start() - a new batch
 * @l: any content
 * @span_ns: how long it is expected to be; it may become longer
 */
void dcc_lsq_start(struct dcc_lsq *l, u32 span_ns)
{
	memset(l, 0, sizeof(*l));
	l->shift = max(fls64(span_ns) - DCC_LSQ_UNITS, 0);
}
EXPORT_SYMBOL_GPL(dcc_lsq_start);

/**
 * dcc_lsq_add() - one packet
 * @l: the batch
 * @sent_ns: when it was sent, modulo 2^32
 * @delay_ns: its delay
 *
 * Return: false if the batch cannot hold it and is as it was: see dcc_lsq.h for
 * what it can.
 */
bool dcc_lsq_add(struct dcc_lsq *l, u32 sent_ns, u32 delay_ns)
{
	s32 at = l->count ? dcc_lsq_since(l, sent_ns) : 0;
	s64 least = min(l->min_ns, at), most = max(l->max_ns, at);
	u64 far = (u64)max(most, -least);
	s64 x = at >> l->shift;

	if (far > DCC_LSQ_MAX_SPAN || l->count == DCC_LSQ_MAX_COUNT ||
	    (l->count + 1) * ((far >> l->shift) + 1) > DCC_LSQ_MAX_SUM)
		return false;
	if (!l->count)
		l->first_ns = sent_ns;
	l->count++;
	l->min_ns = (s32)least;
	l->max_ns = (s32)most;
	l->sum_x += x;
	l->sum_y += delay_ns;
	l->sum_xx += (u64)(x * x);
	l->sum_xy += x * delay_ns;
	return true;
}
EXPORT_SYMBOL_GPL(dcc_lsq_add);

/**
 * dcc_lsq_mean() - the mean delay
 * @l: a batch that is not empty
 *
 * Return: ns << DCC_LSQ_MEAN_SHIFT, rounded down.
 */
u64 dcc_lsq_mean(const struct dcc_lsq *l)
{
	return div_u64(l->sum_y << DCC_LSQ_MEAN_SHIFT, l->count);
}
EXPORT_SYMBOL_GPL(dcc_lsq_mean);

/* A signed number times one that is not. */
static struct dcc_wide lsq_mul(s64 a, u64 b)
{
	struct dcc_wide zero = {}, p = dcc_wide_mul(a < 0 ? -(u64)a : (u64)a, b);

	return a < 0 ? dcc_wide_sub(zero, p) : p;
}

/* Times DCC_LSQ_ONE / 2^shift; below 2^76 it stays below 2^106. */
static struct dcc_wide lsq_scale(struct dcc_wide n, u32 shift)
{
	struct dcc_wide p = dcc_wide_mul(n.lo, DCC_LSQ_ONE);

	p.hi += n.hi * DCC_LSQ_ONE;
	if (shift) {
		p.lo = p.lo >> shift | p.hi << (64 - shift);
		p.hi >>= shift;
	}
	return p;
}

/**
 * dcc_lsq_slope() - how fast the delay grows
 * @l: any batch
 *
 * Return: ns of delay per ns, times DCC_LSQ_ONE, to the nearest, halves away from
 * 0; 0 if all were sent at the same time, or none was. No line through the batch
 * is steeper than 2^32 ns in one: below 2^62.
 */
s64 dcc_lsq_slope(const struct dcc_lsq *l)
{
	u64 den = l->count * l->sum_xx - (u64)(l->sum_x * l->sum_x);
	struct dcc_wide zero = {}, num, n;
	bool falling;
	u64 q;

	if (!den)
		return 0;
	num = dcc_wide_sub(lsq_mul(l->sum_xy, l->count),
			   lsq_mul(l->sum_x, l->sum_y));
	falling = num.hi >> 63;
	n = lsq_scale(falling ? dcc_wide_sub(zero, num) : num, l->shift);
	q = dcc_wide_round(n, den);
	return falling ? -(s64)q : (s64)q;
}
EXPORT_SYMBOL_GPL(dcc_lsq_slope);
