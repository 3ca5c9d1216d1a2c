/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calm rounds: what hosts delay packets by, of a flow that stops and probes.
 *
 * It cannot wait for the rounds that dcc_jitter.h averages over, and its probe, which is alone,
 * waits for the hosts longer than all others. But it knows rounds without a queue:
 *
 *	per round, of a base RTT and three delays at least: the longest delay
 *	no queue: delay <= the least of these + GSO packet / link rate
 *
 * Three, for the last of what a NIC hands up at once waited least.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_CALM_H
#define _DCC_CALM_H

#include "../math/dcc_types.h"

#define DCC_CALM_LEAST	3U	/* delays of a round */

/**
 * struct dcc_calm - a flow's rounds; all zero is "nothing yet"
 * @end_ns: when the present round ends, modulo 2^32: after seconds of silence that may be
 *	up to two seconds late
 * @most_ns: the longest of its delays
 * @calm_ns: the least of the rounds' longest; 0: none yet
 * @gso_ns: how long the link takes for the other packets of a GSO packet
 * @count: delays of the present round, up to DCC_CALM_LEAST
 */
struct dcc_calm {
	u32 end_ns;
	u32 most_ns;
	u32 calm_ns;
	u32 gso_ns;
	u32 count;
};

/**
 * dcc_calm_on_round() - the longest delay of a round is known
 * @c: state
 * @most_ns: the delay, not 0; of a probe, which is a round by itself, its only one
 */
static inline void dcc_calm_on_round(struct dcc_calm *c, u32 most_ns)
{
	if (!c->calm_ns || most_ns < c->calm_ns)
		c->calm_ns = most_ns;
}

/**
 * dcc_calm_on_delay() - a delay came
 * @c: state
 * @now_ns: the time
 * @delay_ns: the delay, not 0
 * @base_ns: the least delay: as long is a round
 *
 * Return: does a round begin?
 */
static inline bool dcc_calm_on_delay(struct dcc_calm *c, u64 now_ns, u32 delay_ns, u32 base_ns)
{
	if ((s32)((u32)now_ns - c->end_ns) >= 0) {
		if (c->count == DCC_CALM_LEAST)
			dcc_calm_on_round(c, c->most_ns);
		c->count = 0;
	}
	if (!c->count) {
		c->end_ns = (u32)now_ns + min_t(u32, base_ns, S32_MAX);
		c->most_ns = delay_ns;
		c->count = 1;
		return true;
	}
	c->most_ns = max(c->most_ns, delay_ns);
	c->count = min(c->count + 1, DCC_CALM_LEAST);
	return false;
}

/* What calm rounds had beyond the base RTT: below 2^33 ns. */
static inline u64 dcc_calm_most(const struct dcc_calm *c, u32 base_ns)
{
	return max(c->calm_ns, base_ns) - base_ns + (u64)c->gso_ns;
}

#endif /* _DCC_CALM_H */
