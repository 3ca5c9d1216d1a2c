/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Three algorithms on one body, Swift's (common/cc/dcc_swift.h):
 *
 *   swift  : delay = that of the latest ACK; a loss is any entry into fast recovery
 *   lswift : the same delay; a loss is loss_run (5) successive packets of the sequence space
 *            missing together; reordering is tolerated
 *   mswift : lswift with the median of the recent delays (mswift_median.c)
 *
 *   on a loss, once per RTT: W *= 1 - max_mdf; else Swift(delay): below the target increase,
 *   above it once per RTT decrease
 *
 * Source: Gerstein, Silberstein, Keslassy, "Congestion Control for Spraying with Congested
 * Paths", section III; LSwift is its LTCP-U (Zhang et al., "Lazy TCP") with five delayed packets
 * instead of two. The once-per-RTT gate runs on the raw smoothed RTT, of which the paper says
 * nothing: the median would close the gate of a flow with slow paths too early.
 *
 * Late packets are separated from lost ones by the stack (RACK, with its reordering window opened).
 * An ACK that the receiver may have delayed proves a path free, never congested.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _MSWIFT_H
#define _MSWIFT_H

#include "../common/cc/dcc_drain.h"
#include "../common/cc/dcc_flow_knobs.h"
#include "../common/math/dcc_quantile.h"
#include "../common/cc/dcc_sample.h"
#include "../common/cc/dcc_start.h"
#include "../common/cc/dcc_swift.h"

enum mswift_variant {
	MSWIFT_SWIFT,
	MSWIFT_LSWIFT,
	MSWIFT_MSWIFT,
	MSWIFT_VARIANTS
};

#define MSWIFT_ALL	((1U << MSWIFT_VARIANTS) - 1)
#define MSWIFT_TOLERANT	(1U << MSWIFT_LSWIFT | 1U << MSWIFT_MSWIFT)
#define MSWIFT_MEDIAN	(1U << MSWIFT_MSWIFT)

#define MSWIFT_OWN_KNOBS(K)						\
	K(loss_run, "packets", 1, 64, 5, MSWIFT_TOLERANT,		\
	  "successive missing packets that count as a loss")		\
	K(percentile, "percent", 0, 100, 50, MSWIFT_MEDIAN,		\
	  "which percentile of the recent delays to act on")		\
	K(stale_rtts, "RTTs", 1, 64, 2, MSWIFT_MEDIAN,			\
	  "age at which a delay stops counting")			\
	DCC_START_KNOB(K, MSWIFT_ALL)

/* Order matters: the first three groups are read as structs of their own. */
#define MSWIFT_KNOBS(K)							\
	DCC_FLOW_KNOBS(K, MSWIFT_ALL)					\
	DCC_SWIFT_KNOBS(K, MSWIFT_ALL)					\
	DCC_DRAIN_KNOBS(K, MSWIFT_ALL)					\
	MSWIFT_OWN_KNOBS(K)

struct mswift_knobs {
	struct dcc_flow_knobs flow;
	struct dcc_swift_knobs swift;
	struct dcc_drain_knobs drain;
	MSWIFT_OWN_KNOBS(DCC_KNOB_FIELD)
};

enum mswift_knob_index {
	MSWIFT_KNOBS(DCC_KNOB_INDEX)
	MSWIFT_KNOB_COUNT
};

static_assert(sizeof(struct mswift_knobs) == MSWIFT_KNOB_COUNT * sizeof(u32),
	      "knob table and struct differ");

#define MSWIFT_DEFAULTS {						\
	.flow = { DCC_FLOW_KNOBS(DCC_KNOB_DEFAULT, 0) },		\
	.swift = { DCC_SWIFT_KNOBS(DCC_KNOB_DEFAULT, 0) },		\
	.drain = { DCC_DRAIN_KNOBS(DCC_KNOB_DEFAULT, 0) },			\
	MSWIFT_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob mswift_knob[MSWIFT_KNOB_COUNT];

/* H for a window of 4096 packets, in 4 KiB; see dcc_quantile.h. */
#define MSWIFT_MAX_HISTORY	2048

#define MSWIFT_LONG_NS		(1U << 20)	/* base RTTs by which delays are counted */

/* Which rule fired: the trace's "branch". */
enum mswift_branch {
	MSWIFT_HOLD,		/* no delay known, or below target but not cwnd-limited */
	MSWIFT_INCREASE,
	MSWIFT_DECREASE,
	MSWIFT_WAIT,		/* above target, but within an RTT of the last cut */
	MSWIFT_LOSS,
	MSWIFT_START,		/* as MSWIFT_INCREASE, of a flow that starts */
};

/**
 * struct mswift - state of one flow
 * @swift: window and its bookkeeping
 * @start: of a flow that starts, its flight
 * @start_base_ns: the base RTT when the start was over, or that it last fell to; 0: the
 *	flow was not one that starts
 * @offset_ns: what mswift's recent delays are counted from; 0, or most of the base RTT
 * @variant: which of the three algorithms, enum mswift_variant
 */
struct mswift {
	struct dcc_swift swift;
	struct dcc_start start;
	u32 start_base_ns;
	u32 offset_ns;
	u8 variant;
};

void mswift_init(struct mswift *m, const struct mswift_knobs *k,
		 enum mswift_variant variant, u32 cwnd_pkts);
void mswift_on_ack(struct mswift *m, struct dcc_quantile *history,
		   const struct mswift_knobs *k, const struct dcc_sample *s,
		   struct dcc_decision *d);
void mswift_on_rto(struct mswift *m, const struct mswift_knobs *k,
		   u64 now_ns, u32 srtt_ns);
void mswift_on_idle(struct dcc_quantile *history);

/* mswift, mswift_median.c. */
u32 mswift_median(struct mswift *m, struct dcc_quantile *history,
		  const struct mswift_knobs *k, const struct dcc_sample *s, u32 fresh);

/* Extension slow_start, mswift_start.c. */
void mswift_slow_start(struct mswift *m, const struct mswift_knobs *k);
bool mswift_start(struct mswift *m, const struct mswift_knobs *k,
		  const struct dcc_sample *s, u32 target);
void mswift_base(struct mswift *m, const struct mswift_knobs *k, u32 base_ns);

#endif /* _MSWIFT_H */
