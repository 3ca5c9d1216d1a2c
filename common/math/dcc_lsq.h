/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batched least squares: how fast a delay grows, from the send times and the
 * delays of a batch of packets, in constant time a packet and constant space.
 *
 *   x = send time since the batch's first packet, y = delay
 *   n += 1, X += x, Y += y, XX += x x, XY += x y
 *   slope = (n XY - X Y) / (n XX - X X)       mean = Y / n
 *   span = largest x - smallest x
 *
 * Dividing the difference of two delays by that of two send times amplifies
 * every error of the delay: packets leave some 10 ns apart. The slope over a
 * batch does not. Source: Zhang et al., "OSCAR: O(1)-Step Convergence And
 * Readily-deployable Congestion Control", NSDI 2026, section 4.1.1.
 *
 * Send times count modulo 2^32 ns, so a clock of 32 bits may wrap in a batch.
 * Packets may report in another order than they were sent: x is signed.
 *
 * Nothing overflows. x is kept in units of 2^shift ns, shift 0 for batches of up
 * to 2^DCC_LSQ_UNITS ns (131 us), larger so that a batch of the expected length
 * has that many units at most. A packet is taken only if with it
 *
 *	n <= 2^12, n * max|x| <= 2^31 units, max|x| <= 2^30 ns;  y < 2^32 ns.
 *
 * So |X| <= 2^31, n XX <= 2^62, |XY| < 2^63 and Y < 2^44 fit in 64 bits; n XY
 * and X Y stay below 2^75 and, times DCC_LSQ_ONE, their difference below 2^106;
 * the denominator, by Cauchy and Schwarz not negative, is at most 2^62.
 *
 * The sums are exact; slopes are rounded once, to 10^-9, at shift 0. Each shift
 * makes an x wrong by less than a unit, 2^-DCC_LSQ_UNITS of the length that was
 * expected or twice that.
 *
 * Pure: no allocation, no clock; the caller serialises.
 */
#ifndef _DCC_LSQ_H
#define _DCC_LSQ_H

#include "dcc_types.h"

#define DCC_LSQ_ONE		1000000000	/* a slope of 1 */
#define DCC_LSQ_MEAN_SHIFT	8		/* of a mean, ns */
#define DCC_LSQ_UNITS		17		/* 2^17 units: an expected span */
#define DCC_LSQ_MAX_COUNT	4096U
#define DCC_LSQ_MAX_SUM		(1ULL << 31)	/* n * max|x|, at most */
#define DCC_LSQ_MAX_SPAN	(1U << 30)	/* ns, since the first packet */

/**
 * struct dcc_lsq - a batch; zeroed state is an empty one of shift 0
 * @sum_x: X, units
 * @sum_xy: XY, units * ns
 * @sum_xx: XX, units^2
 * @sum_y: Y, ns
 * @first_ns: when the first packet was sent
 * @min_ns: smallest x, ns
 * @max_ns: largest x, ns
 * @count: n
 * @shift: x is in units of 2^@shift ns
 */
struct dcc_lsq {
	s64 sum_x;
	s64 sum_xy;
	u64 sum_xx;
	u64 sum_y;
	u32 first_ns;
	s32 min_ns;
	s32 max_ns;
	u16 count;
	u8 shift;
};

void dcc_lsq_start(struct dcc_lsq *l, u32 span_ns);
bool dcc_lsq_add(struct dcc_lsq *l, u32 sent_ns, u32 delay_ns);
u64 dcc_lsq_mean(const struct dcc_lsq *l);
s64 dcc_lsq_slope(const struct dcc_lsq *l);

/* From the first packet of a batch that is not empty to one sent then, ns. */
static inline s32 dcc_lsq_since(const struct dcc_lsq *l, u32 sent_ns)
{
	return (s32)(sent_ns - l->first_ns);
}

/* From the packet sent first to the one sent last, ns. */
static inline u32 dcc_lsq_span(const struct dcc_lsq *l)
{
	return (u32)l->max_ns - (u32)l->min_ns;
}

#endif /* _DCC_LSQ_H */
