/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exponentially weighted moving average of a value in ns.
 *
 * avg += gain * (x - avg), gain in 2^-20. The average is kept with
 * DCC_EWMA_FRAC = 8 fractional bits of a ns: with a gain of 1/80 and a step of
 * 1 us the increment is 3200 units, so it moves where an average in whole
 * microseconds would stand still. x < 2^32 ns, so |x - avg| needs 40 bits,
 * times a gain of at most 2^20: 60 bits, within an s64.
 */
#ifndef _DCC_EWMA_H
#define _DCC_EWMA_H

#include "dcc_types.h"

#define DCC_EWMA_FRAC		8
#define DCC_EWMA_GAIN_SHIFT	20
#define DCC_EWMA_GAIN_ONE	(1U << DCC_EWMA_GAIN_SHIFT)

/**
 * dcc_ewma_step() - feed one value
 * @avg: the average, ns << DCC_EWMA_FRAC, below 2^40
 * @x_ns: the value, ns
 * @gain: weight of the new value, 1 to DCC_EWMA_GAIN_ONE
 *
 * Rounds down: it settles less than 2^-DCC_EWMA_FRAC / gain ns below a constant
 * value.
 *
 * Return: the new average, in the units of @avg.
 */
static inline u64 dcc_ewma_step(u64 avg, u32 x_ns, u32 gain)
{
	s64 step = (s64)((u64)x_ns << DCC_EWMA_FRAC) - (s64)avg;

	return (u64)((s64)avg + ((step * gain) >> DCC_EWMA_GAIN_SHIFT));
}

#endif /* _DCC_EWMA_H */
