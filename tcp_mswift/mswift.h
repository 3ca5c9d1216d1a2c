/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Three laws on one body, Swift's (common/dcc_swift.h):
 *
 *   swift  : delay = that of the latest ACK; a loss is any entry into fast
 *            recovery
 *   lswift : the same delay; a loss is loss_run (5) successive packets of the
 *            sequence space missing together; reordering is tolerated
 *   mswift : lswift with delay = percentile (50: the median) of the delays of
 *            the last H = max(W / 2, 1) packets, none older than stale_rtts
 *
 *   on ACK (delay sample d of k packets):
 *     mswift: insert d k times, keep the newest H;  d = percentile of them
 *     on a loss, once per RTT: W *= 1 - max_mdf, and no Swift(d) then
 *     Swift(d): below the target increase, else once per RTT decrease
 *   while a flow starts, from ten packets that nobody told otherwise: below the
 *     target W += k, C * target at most, in the place of the increase. C = line rate;
 *     unknown, it does not start so
 *     It has started when d >= target, W = C * target or W was cut; or when packets
 *     that no ACK let out are told of more slowly than the line carries them
 *     (common/dcc_start.h; mswift sprayed: what comes later than the percentile of them
 *     does not count). Then others are there, and W is what it was when the first of them
 *     was told of
 *   after that: base fell by more than a quarter since: W *= base / base then, to a
 *     packet; not if the target is told
 *
 * Source: Gerstein, Silberstein, Keslassy, "Congestion Control for Spraying
 * with Congested Paths", section III; LSwift is its LTCP-U (Zhang et al.,
 * "Lazy TCP") with five delayed packets instead of two.
 *
 * Differences from the paper:
 * - "The last H ACKs" are the last H packets: a TCP ACK may cover several.
 * - The once-per-RTT gate runs on the raw smoothed RTT. The paper does not say;
 *   the median would let the gate of a flow with slow paths close too early.
 * - Samples older than stale_rtts RTTs do not count: the remedy that the
 *   paper's section III-A names for flows that stop.
 * - An ACK that the receiver may have held back enters the history only if it
 *   is below the target all the same: it can prove a path free, not congested.
 *   Below one packet, where all ACKs may be such or of data sent again, which tell
 *   no delay, they let the window grow.
 * - Neither this paper nor Swift's says how a flow starts. By additive increase alone
 *   it takes as many RTTs as the path holds packets: a message of 1 MB over 10 Gbit/s x
 *   120 us 2.8 times as long as it must, and 1.15 times with the window doubling each
 *   RTT. Where the line is not free that would take more than a share, and until the
 *   base RTT is known no delay says so: hence the test of company (common/dcc_start.h).
 *   slow_start = off is additive increase from the first packet on.
 * - H ends at what the estimator can hold, MSWIFT_MAX_HISTORY. It is wrong by up to 1/64
 *   of a value: of base RTTs of a millisecond and more it holds what delays are above
 *   255/256 of it.
 * - Late packets are told from lost ones by the stack (RACK, with its
 *   reordering window opened), not by a count of SACKs.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _MSWIFT_H
#define _MSWIFT_H

#include "../common/dcc_dip.h"
#include "../common/dcc_flow_knobs.h"
#include "../common/dcc_quantile.h"
#include "../common/dcc_sample.h"
#include "../common/dcc_start.h"
#include "../common/dcc_swift.h"

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
	DCC_DIP_KNOBS(K, MSWIFT_ALL)					\
	MSWIFT_OWN_KNOBS(K)

struct mswift_knobs {
	struct dcc_flow_knobs flow;
	struct dcc_swift_knobs swift;
	struct dcc_dip_knobs dip;
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
	.dip = { DCC_DIP_KNOBS(DCC_KNOB_DEFAULT, 0) },			\
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
 * @variant: which of the three laws, enum mswift_variant
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
void mswift_slow_start(struct mswift *m, const struct mswift_knobs *k);
void mswift_on_ack(struct mswift *m, struct dcc_quantile *history,
		   const struct mswift_knobs *k, const struct dcc_sample *s,
		   struct dcc_decision *d);
void mswift_on_rto(struct mswift *m, const struct mswift_knobs *k,
		   u64 now_ns, u32 srtt_ns);
void mswift_on_idle(struct dcc_quantile *history);

#endif /* _MSWIFT_H */
