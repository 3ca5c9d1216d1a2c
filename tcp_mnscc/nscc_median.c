// SPDX-License-Identifier: GPL-2.0
/*
 * mnscc: the median queuing delay of the last H = max(min(W / 2, history), 1) packets in the
 * place of the packet's own. One congested path of many does not move it.
 *
 * Delays are kept raw, so that a base RTT found later corrects them. Without a new delay the
 * median of those there are stands.
 */
#include "nscc.h"

/* A delay of as many packets; the oldest make room. */
static void median_remember(struct nscc_history *h, u32 delay_ns, u32 packets)
{
	u32 n = clamp_t(u32, packets, 1, NSCC_MAX_HISTORY), i;

	for (i = 0; i < n; i++) {
		h->delay_ns[h->next] = delay_ns;
		h->next = (h->next + 1) % NSCC_MAX_HISTORY;
	}
	h->count = min_t(u32, h->count + n, NSCC_MAX_HISTORY);
}

/* H, of those there are. */
static u32 median_length(const struct nscc_history *h, const struct nscc *n,
			 const struct nscc_knobs *k, u32 mss)
{
	u64 half = div_u64(n->cwnd >> (DCC_CWND_SHIFT + 1), mss);
	u32 len = max_t(u32, min_t(u64, half, k->history), 1);

	return min_t(u32, len, h->count);
}

/* Of the newest @len, not 0; of two in the middle, their mean. */
static u32 median_of(const struct nscc_history *h, u32 len)
{
	u32 sorted[NSCC_MAX_HISTORY], i, j;

	for (i = 0; i < len; i++) {
		u32 d = h->delay_ns[(h->next + NSCC_MAX_HISTORY - 1 - i) % NSCC_MAX_HISTORY];

		for (j = i; j && sorted[j - 1] > d; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = d;
	}
	return (u32)(((u64)sorted[(len - 1) / 2] + sorted[len / 2]) / 2);
}

/**
 * nscc_median() - the delay that mnscc acts on
 * @h: its recent delays
 * @n: state
 * @k: knobs
 * @s: the ACK
 * @valid: is the ACK's delay one of them?
 *
 * Return: ns; 0: none is known yet.
 */
u32 nscc_median(struct nscc_history *h, const struct nscc *n, const struct nscc_knobs *k,
		const struct dcc_sample *s, bool valid)
{
	u32 len;

	if (valid)
		median_remember(h, s->delay_ns, s->acked);
	len = median_length(h, n, k, s->mss);
	return len ? median_of(h, len) : 0;
}
