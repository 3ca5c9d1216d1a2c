/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sliding quantile: a percentile of the last H values, H changing at will.
 *
 *   insert: bin(v) -> ring; count[bin]++; drop the oldest while more than H
 *   query : walk the octaves' sums to the wanted rank, then the octave's bins
 *
 * Values are delays in ns, kept as the number of a bin. Below 512 ns bins are
 * 16 ns wide; above, every octave up to 2^29 ns (0.54 s, larger values count as
 * that) has 32 bins, and a bin answers with its middle. Hence
 *
 *   error <= 1/64 of the value (8 ns below 512 ns), + 1 ns of rounding,
 *   cost  <= 21 + 32 steps a query and 2 counters an insert, whatever H is,
 *   memory = 1386 B of counts + 10 bits a value: <= 4 KiB for H = 2048, which
 *            is half of a window of 4096 packets (MSwift's H).
 *
 * An estimator of up to 8 values keeps the values themselves, exactly, and sorts
 * them: 172 B, for flows that never had more than 16 packets in flight.
 *
 * Age is kept as marks: every 1/8 of the horizon the running number of values
 * is noted, so what is older than the horizon leaves with a resolution of 1/8
 * of it, for 128 bytes instead of a time stamp per value.
 *
 * Pure: no allocation, no clock; the caller serialises.
 */
#ifndef _DCC_QUANTILE_H
#define _DCC_QUANTILE_H

#include "dcc_types.h"

#define DCC_Q_SUB_BITS	5			/* 32 bins an octave */
#define DCC_Q_SUB	(1U << DCC_Q_SUB_BITS)
#define DCC_Q_MIN_EXP	9			/* linear below 2^9 ns */
#define DCC_Q_MAX_EXP	29			/* 2^29 ns is the last value */
#define DCC_Q_OCTAVES	(DCC_Q_MAX_EXP - DCC_Q_MIN_EXP + 1)
#define DCC_Q_BINS	(DCC_Q_OCTAVES * DCC_Q_SUB)
#define DCC_Q_MAX_NS	((1U << DCC_Q_MAX_EXP) - 1)
#define DCC_Q_STEPS	8U		/* marks a horizon */
#define DCC_Q_MARKS	16U		/* kept, > 9/8 horizons of them */
#define DCC_Q_MAX_H	4096U
#define DCC_Q_FEW	8U		/* up to so many are kept as they are */

/* The counts, and the ring: cap low bytes, then cap * 2 high bits. */
struct dcc_q_bins {
	u16 count[DCC_Q_BINS];		/* values in each bin */
	u16 octave[DCC_Q_OCTAVES];	/* sums of 32 bins */
	u8 ring[];
};

struct dcc_quantile {
	u16 cap;			/* values the ring can hold */
	u16 n;				/* values held */
	u16 head;			/* where the next one goes */
	u8 mark_head;			/* next mark to write */
	u32 total;			/* values ever inserted, wraps */
	u32 mark_total[DCC_Q_MARKS];	/* @total when the mark was set */
	u32 mark_us[DCC_Q_MARKS];	/* when, us, wraps */
	u32 data[];			/* few: cap values; else struct dcc_q_bins */
};

#define DCC_Q_RING(cap)	((cap) + ((cap) + 3) / 4)	/* bytes, 10 bits a value */

/* Bytes one estimator of up to @cap values needs. */
#define DCC_QUANTILE_SIZE(cap) \
	(sizeof(struct dcc_quantile) + ((cap) <= DCC_Q_FEW ? (cap) * 4 : \
	 sizeof(struct dcc_q_bins) + (cap) + ((cap) + 3) / 4))

void dcc_quantile_init(struct dcc_quantile *q, u32 cap);
void dcc_quantile_clear(struct dcc_quantile *q);
void dcc_quantile_move(struct dcc_quantile *to, const struct dcc_quantile *from);
void dcc_quantile_resize(struct dcc_quantile *q, u32 h);
void dcc_quantile_add(struct dcc_quantile *q, u32 v_ns, u32 weight, u32 h);
void dcc_quantile_expire(struct dcc_quantile *q, u64 now_ns, u32 horizon_ns);
u32 dcc_quantile_get(const struct dcc_quantile *q, u32 percent);

#endif /* _DCC_QUANTILE_H */
