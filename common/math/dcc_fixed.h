/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixed point for windows and ratios.
 *
 * A window is a real number of packets. It is kept in units of
 * 2^-DCC_PKT_SHIFT packet: 2^-20 resolves the smallest window (0.01 packet is
 * 10485 units) and the additive step of the largest (1/2^20 packet per ACK is
 * one unit); DCC_CWND_MAX_PKTS = 2^20 packets needs 40 bits, which leaves 24
 * bits of a u64 for one factor of up to 2^24 before a division.
 */
#ifndef _DCC_FIXED_H
#define _DCC_FIXED_H

#include "dcc_types.h"

#define DCC_PKT_SHIFT		20
#define DCC_PKT			(1ULL << DCC_PKT_SHIFT)	/* one packet */
#define DCC_CWND_MAX_PKTS	(1U << 20)
#define DCC_MILLI		1000U	/* knobs state fractions in 1/1000 */

/* Ratios in [0, 1]: 2^-16 is finer than any knob (1/1000) can state. */
#define DCC_RATIO_SHIFT		16
#define DCC_RATIO_ONE		(1U << DCC_RATIO_SHIFT)

/* Knobs in 1/1000 packet to window units; 2^32 * 2^20 fits in a u64. */
static inline u64 dcc_milli_to_pkts(u32 milli)
{
	return div_u64((u64)milli << DCC_PKT_SHIFT, DCC_MILLI);
}

/* Knobs in 1/1000 to a ratio; callers' ranges end at 1000. */
static inline u32 dcc_milli_to_ratio(u32 milli)
{
	return (u32)div_u64((u64)milli << DCC_RATIO_SHIFT, DCC_MILLI);
}

/**
 * dcc_isqrt64() - floor of the square root
 * @x: any value
 *
 * Binary digit by digit: at most 32 rounds, no division, and the same result
 * on every kernel and in user space (replay depends on that).
 *
 * Return: the largest r with r * r <= @x.
 */
static inline u32 dcc_isqrt64(u64 x)
{
	u64 bit = 1ULL << 62, r = 0;

	while (bit > x)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		bool take = x >= r + bit;

		x -= take ? r + bit : 0;
		r = (r >> 1) + (take ? bit : 0);
	}
	return (u32)r;
}

#endif /* _DCC_FIXED_H */
