/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hosts' jitter: what hosts delay packets by is not congestion.
 *
 * A NIC waits for more packets before it interrupts, and a sender hands over a GSO packet
 * at once, of which the last packet waits for the others. Delays above the minimum then
 * mean no queue in the network. An algorithm that takes them for one leaves most of the
 * link unused.
 *
 *	per round, of a base RTT and three delays at least:
 *	     spread = mean delay - least delay
 *	     jitter += (spread - jitter) / (spread > jitter ? 16 : 4)
 *	per batch, of ACKs each of which comes sooner after the last one than the link takes
 *	     for half of what it acknowledges:
 *	     wait = max(wait, first delay - least delay), and a sixteenth less per round
 *	no queue: delay <= base RTT + max(jitter, wait) + GSO packet / link rate
 *
 * A round hardly learns congestion. A queue that stands adds as much to its least delay as to
 * the mean, and one that grows or falls needs longer than a base RTT to do so. A calm round
 * counts four times as much as others. A round of too few delays reports nothing: what many
 * flows with small windows wait for is their queue.
 *
 * A batch never learns congestion: no link delivers packets sooner than it takes for them. So a
 * host let the first packet wait for the others, or its ACK waited on the reverse path, behind the
 * data of others: one batch proves it. A batch that begins with the ACK of a single packet proves
 * nothing: it may be a delayed ACK, which the next packet let out.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_JITTER_H
#define _DCC_JITTER_H

#include "../math/dcc_types.h"

#define DCC_JITTER_LEAST	3U	/* delays of a round */
#define DCC_JITTER_RISE		16	/* a round adds this part of what is missing */
#define DCC_JITTER_FALL		4
#define DCC_JITTER_FADE		16	/* a round takes this part from the wait */
#define DCC_JITTER_GAP_NS	50000000U
#define DCC_JITTER_LINE_MOST	100000000000ULL	/* bytes/s: 800 Gbit/s */

/**
 * struct dcc_jitter - what a flow's hosts delay packets by; all zero is "nothing yet"
 * @end_ns: when the present round ends, modulo 2^32: after seconds of silence that may be
 *	up to two seconds late
 * @mean_ns: the mean of its delays, within half of @count ns
 * @least_ns: the least of them
 * @ns: the jitter
 * @first_ns: the first delay of the present batch; 0: it proves nothing
 * @wait_ns: the longest wait that batches proved, less what rounds took from it
 * @gso_ns: how long the link takes for the other packets of a GSO packet
 * @count: delays of the present round
 */
struct dcc_jitter {
	u32 end_ns;
	u32 mean_ns;
	u32 least_ns;
	u32 ns;
	u32 first_ns;
	u32 wait_ns;
	u32 gso_ns;
	u16 count;
};

static_assert(sizeof(struct dcc_jitter) % sizeof(u64) == 0, "what follows it is not aligned");

/**
 * struct dcc_jitter_delay - a delay of a packet of full size
 * @now_ns: when its ACK came
 * @last_ns: when the last delay came; 0: unknown
 * @line_rate: of the sender's link, bytes/s; 0: unknown
 * @acked: bytes that the ACK acknowledges
 * @mss: bytes of a packet
 * @delay_ns: the delay, not 0
 * @base_ns: the least delay: as long is a round
 */
struct dcc_jitter_delay {
	u64 now_ns;
	u64 last_ns;
	u64 line_rate;
	u32 acked;
	u32 mss;
	u32 delay_ns;
	u32 base_ns;
};

/* Has the link had no time for it? 5e7 ns x 1e11 bytes/s are below 2^63, 2^32 bytes x 5e8, too. */
static inline bool dcc_jitter_together(const struct dcc_jitter_delay *d)
{
	u64 gap = d->now_ns - d->last_ns;

	return d->line_rate && d->last_ns && gap < DCC_JITTER_GAP_NS &&
	       gap * min(d->line_rate, DCC_JITTER_LINE_MOST) < (u64)d->acked * (NSEC_PER_SEC / 2);
}

/* The ACK goes on with a batch, or begins one. */
static inline void dcc_jitter_batch(struct dcc_jitter *j, const struct dcc_jitter_delay *d)
{
	if (dcc_jitter_together(d))
		j->wait_ns = max(j->wait_ns, j->first_ns - min(j->first_ns, d->delay_ns));
	else
		j->first_ns = d->acked > d->mss ? d->delay_ns : 0;
}

/* A round ends of which enough is known. */
static inline void dcc_jitter_learn(struct dcc_jitter *j)
{
	u32 spread = j->mean_ns - min(j->mean_ns, j->least_ns);

	if (spread > j->ns)
		j->ns += (spread - j->ns) / DCC_JITTER_RISE;
	else
		j->ns -= (j->ns - spread) / DCC_JITTER_FALL;
}

static inline void dcc_jitter_begin(struct dcc_jitter *j, const struct dcc_jitter_delay *d)
{
	j->end_ns = (u32)d->now_ns + min_t(u32, d->base_ns, S32_MAX);
	j->mean_ns = d->delay_ns;
	j->least_ns = d->delay_ns;
	j->count = 1;
}

/**
 * dcc_jitter_on_delay() - a delay came
 * @j: state
 * @d: the delay
 *
 * Return: does a round begin?
 */
static inline bool dcc_jitter_on_delay(struct dcc_jitter *j, const struct dcc_jitter_delay *d)
{
	dcc_jitter_batch(j, d);
	if ((s32)((u32)d->now_ns - j->end_ns) >= 0) {
		j->wait_ns -= j->wait_ns / DCC_JITTER_FADE;
		if (j->count >= DCC_JITTER_LEAST)
			dcc_jitter_learn(j);
		j->count = 0;
	}
	if (!j->count) {
		dcc_jitter_begin(j, d);
		return true;
	}
	if (j->count == U16_MAX)
		return false;
	j->count++;
	j->mean_ns += (s32)div_s64((s64)d->delay_ns - j->mean_ns, j->count);
	j->least_ns = min(j->least_ns, d->delay_ns);
	return false;
}

/* What the hosts delay a packet by, at most: below 2^33 ns. */
static inline u64 dcc_jitter_most(const struct dcc_jitter *j)
{
	return max(j->ns, j->wait_ns) + (u64)j->gso_ns;
}

#endif /* _DCC_JITTER_H */
