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
 *	no queue: delay <= base RTT + jitter + GSO packet / link rate
 *
 * It hardly learns congestion. A queue that stands adds as much to the least delay of a
 * round as to the mean, and one that grows or falls needs longer than a base RTT to do so.
 * A calm round counts four times as much as others. A round of too few delays tells
 * nothing: what many flows with small windows wait for is their queue.
 *
 * A flow that stops and probes cannot wait for sixteen rounds, and its probe, which is alone,
 * waits for the hosts longer than all others. It knows rounds without a queue, again of three
 * delays at least, for the last of what a NIC hands up at once waited least:
 *
 *	per round: longest delay
 *	no queue: delay <= the least of these + GSO packet / link rate
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_JITTER_H
#define _DCC_JITTER_H

#include "dcc_types.h"

#define DCC_JITTER_LEAST	3U	/* delays of a round */
#define DCC_JITTER_RISE		16	/* a round adds this part of what is missing */
#define DCC_JITTER_FALL		4

/**
 * struct dcc_jitter - what a flow's hosts delay packets by; all zero is "nothing yet"
 * @end_ns: when the present round ends, modulo 2^32: after seconds of silence that may be
 *	up to two seconds late
 * @mean_ns: the mean of its delays, within half of @count ns
 * @least_ns: the least of them
 * @ns: the jitter
 * @gso_ns: how long the link takes for the other packets of a GSO packet
 * @most_ns: the longest of the present round's delays
 * @calm_ns: the least of the rounds' longest; 0: none yet
 * @count: delays of the present round
 */
struct dcc_jitter {
	u32 end_ns;
	u32 mean_ns;
	u32 least_ns;
	u32 ns;
	u32 gso_ns;
	u32 most_ns;
	u32 calm_ns;
	u16 count;
};

static_assert(sizeof(struct dcc_jitter) % sizeof(u64) == 0, "what follows it is not aligned");

/* A round ends of which enough is known. */
static inline void dcc_jitter_learn(struct dcc_jitter *j)
{
	u32 spread = j->mean_ns - min(j->mean_ns, j->least_ns);

	if (spread > j->ns)
		j->ns += (spread - j->ns) / DCC_JITTER_RISE;
	else
		j->ns -= (j->ns - spread) / DCC_JITTER_FALL;
}

/**
 * dcc_jitter_on_round() - the longest delay of a round is known
 * @j: state
 * @most_ns: the delay, not 0; of a probe, which is a round by itself, its only one
 */
static inline void dcc_jitter_on_round(struct dcc_jitter *j, u32 most_ns)
{
	if (!j->calm_ns || most_ns < j->calm_ns)
		j->calm_ns = most_ns;
}

/**
 * dcc_jitter_on_delay() - a delay came
 * @j: state
 * @now_ns: the time
 * @delay_ns: the delay, not 0
 * @base_ns: the least delay: as long is a round
 *
 * Return: does a round begin?
 */
static inline bool dcc_jitter_on_delay(struct dcc_jitter *j, u64 now_ns, u32 delay_ns,
				       u32 base_ns)
{
	if ((s32)((u32)now_ns - j->end_ns) >= 0) {
		if (j->count >= DCC_JITTER_LEAST) {
			dcc_jitter_learn(j);
			dcc_jitter_on_round(j, j->most_ns);
		}
		j->count = 0;
	}
	if (j->count == U16_MAX)
		return false;
	if (!j->count) {
		j->end_ns = (u32)now_ns + min_t(u32, base_ns, S32_MAX);
		j->mean_ns = delay_ns;
		j->least_ns = delay_ns;
		j->most_ns = delay_ns;
	}
	j->count++;
	j->mean_ns += (s32)div_s64((s64)delay_ns - j->mean_ns, j->count);
	j->least_ns = min(j->least_ns, delay_ns);
	j->most_ns = max(j->most_ns, delay_ns);
	return j->count == 1;
}

/* What the hosts delay a packet by, at most: below 2^33 ns. */
static inline u64 dcc_jitter_most(const struct dcc_jitter *j)
{
	return j->ns + (u64)j->gso_ns;
}

/* The same, by rounds without a queue: what they had beyond the base RTT. */
static inline u64 dcc_jitter_calm(const struct dcc_jitter *j, u32 base_ns)
{
	return max(j->calm_ns, base_ns) - base_ns + (u64)j->gso_ns;
}

#endif /* _DCC_JITTER_H */
