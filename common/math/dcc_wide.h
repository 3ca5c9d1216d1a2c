/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Products of two 64-bit numbers, and quotients of them, the same on every
 * kernel and in user space: a compiler's 128-bit type needs a library to divide,
 * which the kernel has not, and 32-bit processors have no such type at all.
 */
#ifndef _DCC_WIDE_H
#define _DCC_WIDE_H

#include "dcc_types.h"

/**
 * struct dcc_wide - a number modulo 2^128; signed ones in two's complement
 * @hi: its upper half
 * @lo: its lower half
 */
struct dcc_wide {
	u64 hi;
	u64 lo;
};

struct dcc_wide dcc_wide_mul(u64 a, u64 b);
struct dcc_wide dcc_wide_sub(struct dcc_wide a, struct dcc_wide b);
u64 dcc_wide_div(struct dcc_wide n, u64 d);
u64 dcc_wide_round(struct dcc_wide n, u64 d);
u64 dcc_mul_div(u64 a, u64 b, u64 c);

#define DCC_FASTEST_LINE	((1ULL << 40) - 1)	/* bytes/s; the knob ends at 2^39 */

u64 dcc_carried_pkts(u64 line_rate, u32 ns, u32 mss);

#endif /* _DCC_WIDE_H */
