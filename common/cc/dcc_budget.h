/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A budget of probes: what suspended flows have sent from softirq, which no cgroup pays
 * for, takes at most a share of one processor in each network namespace, however many they
 * are and however short their paths.
 *
 *	slot:  max(free, now); free = slot + SHARE * cost
 *	       none within the next 100 ms: it is asked for again then
 *	spent: cost += (took - cost) / 8
 *
 * A probe may leave at its slot. Slots are as far apart as sending a probe takes, times
 * SHARE. What the answer takes, and the receiver on the same host, is not measured: with
 * both a probe costs some four times as much as its sending does. So sending takes 1/32
 * of a processor, and all of it about an eighth.
 *
 * By the time that a probe takes, not by a number of probes: a slow machine sends fewer.
 * In the lab's virtual time it takes none, and none is put off.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_BUDGET_H
#define _DCC_BUDGET_H

#include "../math/dcc_types.h"

#define DCC_BUDGET_SHARE	32U
#define DCC_BUDGET_GAIN		3		/* 2^-3 */
#define DCC_BUDGET_MOST_NS	(100 * (u64)NSEC_PER_MSEC)
#define DCC_BUDGET_COST_MAX	((u32)NSEC_PER_MSEC)	/* a stolen processor, not the probe */

/**
 * struct dcc_budget - what a namespace spends on probes; all zero is "nothing yet"
 * @free_ns: when the next slot is, if that lies ahead
 * @cost_ns: what sending one takes, smoothed; 1 ms at most
 */
struct dcc_budget {
	u64 free_ns;
	u32 cost_ns;
};

/**
 * dcc_budget_take() - when may a probe leave?
 * @b: the budget
 * @now_ns: the time
 *
 * Return: then; @now_ns: now; DCC_BUDGET_MOST_NS later: ask again then, so that flows that
 * have gone leave no more than that reserved.
 */
static inline u64 dcc_budget_take(struct dcc_budget *b, u64 now_ns)
{
	u64 slot = max(b->free_ns, now_ns);

	if (slot >= now_ns + DCC_BUDGET_MOST_NS)
		return now_ns + DCC_BUDGET_MOST_NS;
	b->free_ns = slot + DCC_BUDGET_SHARE * (u64)b->cost_ns;
	return slot;
}

/**
 * dcc_budget_learn() - a probe left
 * @b: the budget
 * @took_ns: how long that took
 */
static inline void dcc_budget_learn(struct dcc_budget *b, u64 took_ns)
{
	u32 took = (u32)min_t(u64, took_ns, DCC_BUDGET_COST_MAX);

	b->cost_ns += ((s32)took - (s32)b->cost_ns) / (1 << DCC_BUDGET_GAIN);
}

#endif /* _DCC_BUDGET_H */
