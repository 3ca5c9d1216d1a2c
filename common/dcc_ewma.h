/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exponentially weighted moving average of a value in ns.
 *
 * avg += gain * (x - avg), gain in 2^-16. The average is kept with
 * DCC_EWMA_FRAC = 8 fractional bits of a ns: with a gain of 1/80 and a step of
 * 1 us the increment is 3200 units, so it moves where an average in whole
 * microseconds would stand still. x < 2^32 ns, so (x - avg) needs 41 bits with
 * sign, times a gain of at most 2^16: 57 bits, within an s64.
 */
#ifndef _DCC_EWMA_H
#define _DCC_EWMA_H

#include "dcc_types.h"
#include "dcc_fixed.h"

#define DCC_EWMA_FRAC	8

struct dcc_ewma {
	u64 avg;	/* ns << DCC_EWMA_FRAC */
	bool set;	/* has it seen a value? */
};

/**
 * dcc_ewma_add() - feed one value
 * @e: the average; all zero is "empty"
 * @x_ns: the value, ns
 * @gain: weight of the new value, 1 to DCC_RATIO_ONE, in 2^-16
 *
 * The first value is taken whole. Pure; the caller serialises.
 */
static inline void dcc_ewma_add(struct dcc_ewma *e, u32 x_ns, u32 gain)
{
	s64 x = (s64)((u64)x_ns << DCC_EWMA_FRAC);
	s64 avg = (s64)e->avg;

	if (!e->set) {
		e->avg = (u64)x;
		e->set = true;
		return;
	}
	e->avg = (u64)(avg + (((x - avg) * (s64)gain) >> DCC_RATIO_SHIFT));
}

/* The average in whole ns; 0 while empty. */
static inline u32 dcc_ewma_get(const struct dcc_ewma *e)
{
	return (u32)(e->avg >> DCC_EWMA_FRAC);
}

#endif /* _DCC_EWMA_H */
