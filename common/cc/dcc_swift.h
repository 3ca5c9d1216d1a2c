/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Swift: additive increase, multiplicative decrease around a target delay.
 *
 *   target = base_target + hops * hop_scale + flow_scaling(W)
 *   on an ACK with delay d:
 *     d < target : W += ai * acked / W          (W >= 1)
 *                  W += ai * acked              (W <  1)
 *     else, once per RTT:
 *                  W *= max(1 - beta_md * (d - target) / d, 1 - max_mdf)
 *   on fast recovery, once per RTT: W *= 1 - max_mdf
 *   on the 5th timeout in a row: W = min_cwnd; before that as on recovery
 *   flow_scaling(W) = fs_range * clamp((1/sqrt(W) - 1/sqrt(fs_max)) /
 *                                 (1/sqrt(fs_min) - 1/sqrt(fs_max)), 0, 1)
 *
 * Source: Kumar et al., "Swift: Delay is Simple and Effective for Congestion
 * Control in the Datacenter", SIGCOMM 2020, section 3, algorithm 1. The flow
 * scaling above is its clamp(alpha/sqrt(W) + beta, 0, fs_range) written as one
 * fraction: same value, one division, no constant that depends on fs_range.
 *
 * Differences from the paper:
 * - One window. The paper runs a second one on the delay inside the remote
 *   host, which needs time stamps a TCP receiver does not send; the delay here
 *   is the whole round trip.
 * - base_target may be left to the flow: base RTT + target_qdelay.
 * - The window grows only while it is what limits the sender.
 * - A window below one packet is carried out by the glue (dcc_apply()), which
 *   paces one packet every srtt / W.
 * - The hop count is a knob: the time-to-live of ACKs is not seen cheaply.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_SWIFT_H
#define _DCC_SWIFT_H

#include "../math/dcc_fixed.h"
#include "dcc_knob.h"

/*
 * Fractions in 1/1000, windows in 1/1000 packet. Ranges keep products in u64. Two
 * groups: an algorithm that takes its target from elsewhere has the second alone, of
 * which @by_delay are the algorithms that steer by the delay as Swift does.
 */
#define DCC_SWIFT_TARGET_KNOBS(K, algs)					\
	K(target_qdelay_us, "us", 1, 1000000, 25, algs,			\
	  "queueing delay aimed at, above the base RTT")		\
	K(base_target_us, "us", 0, 1000000, 0, algs,			\
	  "target for the whole RTT; 0: base RTT + target_qdelay_us")	\
	K(hops, "hops", 0, 64, 0, algs,					\
	  "forwarding hops added to the target")			\
	K(hop_scale_us, "us", 0, 1000, 1, algs,				\
	  "target per hop")						\
	K(fs_range_us, "us", 0, 1000000, 0, algs,			\
	  "most that flow scaling adds to the target; 0: 5 base targets") \
	K(fs_min, "1/1000 packet", 1, 1000000, 100, algs,		\
	  "window at and below which flow scaling is full")		\
	K(fs_max, "1/1000 packet", 1, 1000000000, 100000, algs,		\
	  "window at and above which flow scaling is 0")

#define DCC_SWIFT_WINDOW_KNOBS(K, by_delay, algs)				\
	K(ai, "1/1000 packet", 1, 64000, 1000, by_delay,			\
	  "additive increase per RTT")					\
	K(beta_md, "1/1000", 0, 1000, 800, by_delay,				\
	  "multiplicative decrease constant")				\
	K(max_mdf, "1/1000", 0, 999, 500, algs,				\
	  "largest share of the window one decrease takes")		\
	K(min_cwnd, "1/1000 packet", 1, 1000, 10, algs,			\
	  "smallest window; below 1 packet it is carried out by pacing") \
	K(max_cwnd, "packets", 1, 1048576, 65536, algs,			\
	  "largest window")

#define DCC_SWIFT_KNOBS(K, algs)					\
	DCC_SWIFT_TARGET_KNOBS(K, algs)					\
	DCC_SWIFT_WINDOW_KNOBS(K, algs, algs)

struct dcc_swift_knobs {
	DCC_SWIFT_KNOBS(DCC_KNOB_FIELD, 0)
};

/**
 * struct dcc_swift - state of one flow
 * @cwnd: window, packets << DCC_PKT_SHIFT, min_cwnd to max_cwnd
 * @last_decrease_ns: when it was last cut; 0: never
 * @fs_inv_max: 1/sqrt(fs_max) << DCC_PKT_SHIFT
 * @fs_span: 1/sqrt(fs_min) - 1/sqrt(fs_max), same scale; 0: no flow scaling
 * @rto_run: timeouts since data was last delivered
 * @starting: does the algorithm that has it let the window double? Ends with a cut
 */
struct dcc_swift {
	u64 cwnd;
	u64 last_decrease_ns;
	u32 fs_inv_max;
	u32 fs_span;
	u8 rto_run;
	u8 starting;
};

#define DCC_SWIFT_RTO_RESET	5	/* RETX_RESET_THRESHOLD of algorithm 1 */
#define DCC_SWIFT_FS_RANGE	5	/* default fs_range in base targets */

void dcc_swift_init(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		    u32 cwnd_pkts);
u32 dcc_swift_target(const struct dcc_swift *s, const struct dcc_swift_knobs *k,
		     u32 base_rtt_ns);
void dcc_swift_grow(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		    u64 step, u64 acks, u32 acked);
void dcc_swift_increase(struct dcc_swift *s, const struct dcc_swift_knobs *k,
			u32 acked);
bool dcc_swift_may_decrease(const struct dcc_swift *s, u64 now_ns, u32 srtt_ns);
void dcc_swift_decrease(struct dcc_swift *s, const struct dcc_swift_knobs *k,
			u32 delay_ns, u32 target_ns, u64 now_ns);
bool dcc_swift_cut(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		   u64 now_ns, u32 srtt_ns);
void dcc_swift_on_rto(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		      u64 now_ns, u32 srtt_ns);

#endif /* _DCC_SWIFT_H */
