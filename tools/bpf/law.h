/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laws' own source, as BPF wants it: every function inlined, since BPF functions
 * return no structs, and take pointers only after looking at them.
 */
#ifndef _BPF_LAW_H
#define _BPF_LAW_H

/* Clang 14 counts leading zeros for BPF in no other way. */
#define __builtin_clzll(x)	law_clz(x)

static inline __attribute__((always_inline)) int law_clz(unsigned long long x)
{
	int zeros = 0, step;

	for (step = 32; step; step /= 2) {
		if (x >> (64 - step))
			continue;
		zeros += step;
		x <<= step;
	}
	return zeros;
}

/*
 * A root's digits decide branches, and the verifier, which knows where each number comes
 * from, would walk all 2^32 ways through them. A zero that it does not know to be one
 * takes that away: it then walks each digit once.
 */
unsigned long long law_unknown;

#define dcc_isqrt64	law_isqrt64_of_the_modules
#include "../../common/dcc_fixed.h"
#undef dcc_isqrt64

static inline __attribute__((always_inline)) u32 dcc_isqrt64(u64 x)
{
	u64 bit, r = 0;

	for (bit = 1ULL << 62; bit; bit >>= 2) {
		bool take;

		x ^= law_unknown;
		r ^= law_unknown;
		take = x >= r + bit;
		x -= take ? r + bit : 0;
		r = (r >> 1) + (take ? bit : 0);
	}
	return (u32)r;
}

/*
 * A function that was declared static stays so where it is defined without the word:
 * the headers see these names, the sources below do not.
 */
#define LAW(name)	static inline __attribute__((always_inline)) name
#define dcc_swift_init		LAW(dcc_swift_init)
#define dcc_swift_target	LAW(dcc_swift_target)
#define dcc_swift_grow		LAW(dcc_swift_grow)
#define dcc_swift_increase	LAW(dcc_swift_increase)
#define dcc_swift_may_decrease	LAW(dcc_swift_may_decrease)
#define dcc_swift_decrease	LAW(dcc_swift_decrease)
#define dcc_swift_cut		LAW(dcc_swift_cut)
#define dcc_swift_on_rto	LAW(dcc_swift_on_rto)
#define dcc_wide_mul		LAW(dcc_wide_mul)
#define dcc_wide_sub		LAW(dcc_wide_sub)
#define dcc_wide_div		LAW(dcc_wide_div)
#define dcc_wide_round		LAW(dcc_wide_round)
#define dcc_mul_div		LAW(dcc_mul_div)
#define dcc_carried_pkts	LAW(dcc_carried_pkts)
#define dcc_start_alone		LAW(dcc_start_alone)
#define mswift_init		LAW(mswift_init)
#define mswift_slow_start	LAW(mswift_slow_start)
#define mswift_on_ack		LAW(mswift_on_ack)
#define mswift_on_rto		LAW(mswift_on_rto)
#define mswift_on_idle		LAW(mswift_on_idle)

#include "../../common/dcc_wide.h"
#include "../../tcp_mswift/mswift.h"

#undef dcc_swift_init
#undef dcc_swift_target
#undef dcc_swift_grow
#undef dcc_swift_increase
#undef dcc_swift_may_decrease
#undef dcc_swift_decrease
#undef dcc_swift_cut
#undef dcc_swift_on_rto
#undef dcc_wide_mul
#undef dcc_wide_sub
#undef dcc_wide_div
#undef dcc_wide_round
#undef dcc_mul_div
#undef dcc_carried_pkts
#undef dcc_start_alone
#undef mswift_init
#undef mswift_slow_start
#undef mswift_on_ack
#undef mswift_on_rto
#undef mswift_on_idle

/* No texts: the table of knobs is for those who set them by name. */
#undef DCC_KNOB_ENTRY
#define DCC_KNOB_ENTRY(n, unit, lo, hi, dflt, algs, help)	{ .def = dflt },

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#include "../../common/dcc_wide.c"
#include "../../common/dcc_start.c"
#include "../../common/dcc_swift.c"
#include "../../tcp_mswift/mswift.c"
#pragma clang attribute pop

#endif /* _BPF_LAW_H */
