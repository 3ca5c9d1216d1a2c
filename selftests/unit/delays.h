/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random delays and gaps for an algorithm and its paper's listing side by side: for some ACKs a
 * stream keeps what it does.
 */
#ifndef _DELAYS_H
#define _DELAYS_H

#include "unit.h"

/**
 * struct delays - a stream of them; zeroed it is at its beginning
 * @left: ACKs until it turns to something else
 * @gap_most: longest gap between two, ns
 * @delay: where it is, ns
 * @noise: what is added to that at random is less, ns
 * @step: what an ACK adds to it for good, ns
 */
struct delays {
	u32 left, gap_most, delay, noise;
	s32 step;
};

/* To one of these gaps, and delays: those where the rules change, and around them. */
static inline void delays_turn(struct delays *t, const u32 *gaps, u32 gap_count,
			       const u32 *from, u32 from_count, u32 base)
{
	const u32 noises[] = { 1, 3, 1000, base / 2 };

	t->left = 1 + unit_below(60);
	t->gap_most = gaps[unit_below(gap_count)];
	t->delay = from[unit_below(from_count)];
	t->noise = noises[unit_below(ARRAY_SIZE(noises))];
	t->step = unit_below(2) ? 0 : (s32)unit_below(600) - 300;
}

/* The next delay, never below the base RTT. */
static inline u32 delays_next(struct delays *t, u32 base)
{
	t->delay = (u32)max_t(s64, (s64)t->delay + t->step, (s64)base);
	return t->delay + unit_below(t->noise);
}

#endif /* _DELAYS_H */
