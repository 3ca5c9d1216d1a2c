// SPDX-License-Identifier: GPL-2.0
/*
 * mswift: the percentile (50: the median) of the delays of the last H = max(W / 2, 1) packets,
 * none older than stale_rtts. One congested path of many does not move it.
 *
 * "The last H ACKs" of the paper are the last H packets: a TCP ACK may cover several. Delays
 * that are older do not count, the remedy that the paper's section III-A names for flows that
 * stop. H ends at what the estimator can hold.
 */
#include "mswift.h"

#define BASE_FELL	256	/* a base RTT that fell by so little, or rose by so much, ... */
#define BASE_ROSE	64	/* ... is still what delays are counted from */

/* H = max(W / 2, 1): half of what one RTT acknowledges, the Nyquist rate. */
static u32 median_length(const struct mswift *m)
{
	u64 h = m->swift.cwnd >> (DCC_PKT_SHIFT + 1);

	return (u32)clamp_t(u64, h, 1, MSWIFT_MAX_HISTORY);
}

/*
 * The estimator is wrong by up to 1/64 of a value. Of a long path that is more than the
 * queue that is aimed at, so it gets what delays are above most of the base RTT. When
 * that changes by more than little, what it has is void.
 */
static void median_rebase(struct mswift *m, struct dcc_quantile *history, u32 base_ns)
{
	if (!m->offset_ns && base_ns < MSWIFT_LONG_NS)
		return;
	if (m->offset_ns && base_ns >= m->offset_ns &&
	    base_ns - m->offset_ns <= base_ns / BASE_ROSE)
		return;
	m->offset_ns = base_ns < MSWIFT_LONG_NS ? 0 : base_ns - base_ns / BASE_FELL;
	dcc_quantile_clear(history);
}

/* The percentile of the history; 0 if it has none. 33 bits, clamped. */
static u32 median_get(const struct mswift *m, const struct dcc_quantile *history,
		      u32 percent)
{
	u32 above = dcc_quantile_get(history, percent);

	return above ? (u32)min_t(u64, (u64)m->offset_ns + above, U32_MAX) : 0;
}

/**
 * mswift_median() - the delay that mswift acts on
 * @m: state
 * @history: its recent delays
 * @k: knobs
 * @s: the ACK
 * @fresh: its delay, ns; 0: none that may be acted on
 *
 * Return: ns; 0: none is known.
 */
u32 mswift_median(struct mswift *m, struct dcc_quantile *history,
		  const struct mswift_knobs *k, const struct dcc_sample *s, u32 fresh)
{
	u64 horizon = (u64)k->stale_rtts * s->srtt_ns;

	median_rebase(m, history, s->base_rtt_ns);
	if (horizon)
		dcc_quantile_expire(history, s->now_ns,
				    (u32)min_t(u64, horizon, U32_MAX));
	if (fresh)
		dcc_quantile_add(history, max(fresh, m->offset_ns + 1) - m->offset_ns,
				 max(s->acked, 1U), median_length(m));
	else
		dcc_quantile_resize(history, median_length(m));
	return median_get(m, history, k->percentile);
}
