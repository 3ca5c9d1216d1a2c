/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two laws on one body, for flows whose packets are sprayed over many paths:
 *
 *   nscc  : delay and ECN of one packet choose what to do, the average delay
 *           how much
 *   mnscc : nscc with the median queuing delay of the last
 *           H = max(min(W / 2, history), 1) packets in the place of the
 *           packet's own, in the average, too; ECN stays that of the ACK
 *
 *   R = network RTT if told, else 150000 B / C, base = base RTT, R at first if
 *   told, BDP = R * C,
 *   a = BDP / 150000 B, target = R by default, maxwnd = max_window * base * C,
 *   q = delay - base
 *
 *   on an ACK of `bytes`, CE-marked or not:
 *     achieved += bytes; received += bytes; ignored += bytes
 *     avg += gain * (x - avg), x = q, but min(q, base / 4) if not CE, q > target;
 *       gain = delay_gain, of a median at least 1/4; else if R is not told 1/4, of
 *       sprayed flows bytes / 2 W
 *     quick adapt:
 *       ignored < to_ignore, CE : inc = received = 0, done
 *       now > qa_end            : a period of base + target is over. Was qa_end
 *         set, a packet lost or q > qa_threshold * target, and achieved <
 *         maxwnd >> qa_gate: W = max(achieved, MTU), to_ignore = in flight,
 *         ignored = inc = received = 0, done.  In any case achieved = 0,
 *         qa_end = now + base + target
 *     four quadrants:
 *       not CE, q >= target: inc += fi * MSS * a * bytes             (fair)
 *       not CE, q <  target: q < fast_eps for a window of bytes in a row:
 *                              W += fi_scale * a * bytes             (fast)
 *                            else inc += alpha * MSS * a * bytes
 *                              * (target - q) / R            (proportional)
 *                              if R is not told (target - q) * max(alpha * MSS
 *                              * a / R, min(alpha * MSS * a / 12 us, W / 2 R))
 *       CE, q >= target    : if avg > target, once per base RTT:
 *                            W *= max(1 - gamma * (avg - target) / avg,
 *                                     min_keep)                  (decrease)
 *       CE, q <  target    : nothing: the path engine steers         (noop)
 *     fulfil, if received > adjust_mtus * MTU or R has passed since the last:
 *       W += inc / W; inc = received = 0
 *       if R has passed: W += eta * MSS * a
 *     MTU <= W <= maxwnd before and after that
 *   while a flow starts that was told no R and no first window, C known, instead of
 *   quadrants and fulfil: W += bytes, after the first flight, or sprayed, the increase of
 *     R told / W if that is more, up to base * C
 *     It has started, for good, on a CE, q >= target, a loss, W = base * C, or when
 *     packets that no ACK let out are told of more slowly than the line carries them
 *     (common/dcc_start.h): then W is what it was when the first of them was told of.
 *     inc and received begin anew
 *   on the loss of a packet of `bytes`:
 *     ignored += bytes; avg += delay_gain * (R - avg); quick adapt as if CE
 *     with the loss as its reason; if it did nothing: W -= bytes
 *   on a timeout: W -= the packets it gave up
 *
 * The proportional increase is the reference's alpha * (target - q) with
 * alpha = 4 MSS a b / target and b = target / 12 us written out: the target
 * cancels. The 12 us are the R of the reference's network, and here R: on a longer path
 * a flow would add as much several times in a round trip.
 *
 * Source: NSCC of Ultra Ethernet (Hoefler et al., "Ultra Ethernet's Design
 * Principles and Architectural Innovations", arXiv:2508.08906), in the form of
 * the consortium's public htsim simulator; Bonato et al., "SMaRTT-REPS",
 * arXiv:2404.01630, is the research behind it. The median is the one of
 * Gerstein, Silberstein, Keslassy, "Congestion Control for Spraying with
 * Congested Paths".
 *
 * Differences from the reference:
 * - TCP has no NACK of a trimmed packet: the stack declaring a packet lost
 *   stands in, one call per packet; past NSCC_LOSS_CALLS of an ACK the rest
 *   count as one of their size. Without trimming, target is R and not 0.75 R.
 * - Bytes are payload, and a full packet of it (MSS) is the MTU in all rules.
 * - An ACK that finds the sender not limited by the window grows nothing:
 *   increases are not counted, fulfil waits, quick adapt does not raise.
 * - An ACK that the receiver may have held back proves a path free (q <
 *   target), never congested: above the target it counts as one without a
 *   valid RTT, whose q is the average and does not enter it.
 * - Of a W of maxwnd, or nearly, what the receiver is seen to hold the SACKs of back is in
 *   flight besides (common/dcc_held.h): the reference's receivers hold none.
 * - A late delay without a mark counts base / 4, but no more than itself. With a target
 *   below base / 4 it would else raise the average that it is to spare, and the cuts: in
 *   the baseline of the median's paper (target 1 us, base RTT 6.25 us) to 1.5 targets.
 *   Over twenty seeds 51 % above the bound fall to 47.
 * - The median is fed to the average, too, which is of some four of them. By the average
 *   of all the size of a cut is the congested paths' again: 47 % above the bound, and 35
 *   by the median's.
 * - mnscc without a new delay acts on the median of those it has; it keeps raw
 *   delays, so that a base RTT found later corrects them.
 * - On a connection without ECN a queuing delay at or above the target stands
 *   in for the mark: the law then runs on delay alone.
 * - Until the base RTT is known, nothing but losses changes the window.
 * - R is not told: the reference's BDP stands in, so that a = 1 and the target is
 *   the same for all flows of a line rate, near or far. The base RTT is then what
 *   the flow finds by dips of its window (common/dcc_dip.h), which this law does
 *   not see.
 * - Then increases are per 12 us as far as that is more and no more than half of the
 *   window in R: at 10 Gbit/s ten times as much against cuts of once in an RTT gave 16
 *   flows a queue of 320 us, not of the 120 aimed at. And the average is of some four ACKs,
 *   of a sprayed flow of two windows, not of 80 ACKs: for who has few of them in a round
 *   trip that is long ago.
 * - The reference begins with maxwnd, which takes R. A flow that was told neither that
 *   nor a window begins with the stack's ten packets, and doubles. The reference's
 *   increases alone took 3.55 times the bound for 4 MB over 25 Gbit/s x 240 us, doubling
 *   takes 1.68.
 * - Line rate unknown: no guess. R is the flow's own base RTT, a = 1 (the
 *   reference network's constants), and quick adapt's gate uses W in the place of
 *   maxwnd. What the network is seen to deliver stands in for C in maxwnd, at
 *   least 10 packets: else nothing would hold a window that no mark cuts, and over
 *   300 ms one ACK would add
 *   thousands of packets (the increases are made for 12 us). The same bounds the
 *   growth where packets were lost and no mark was ever heard: a network that
 *   drops and does not mark would see flows fill its buffers until they lose
 *   their last packets, which only a timeout finds.
 * - The bounds hold after every ACK, those that are ignored included.
 * - inc saturates in 64 bits; the reference's 32 wrap at 800 Gbit/s.
 * - After an idle time average, history, increases and quick adapt start anew.
 * - Of a timeout only the window is told: what it gave up, no quick adapt. At
 *   least one packet is left.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _NSCC_H
#define _NSCC_H

#include "../common/dcc_dip.h"
#include "../common/dcc_flow_knobs.h"
#include "../common/dcc_sample.h"
#include "../common/dcc_start.h"

enum nscc_variant {
	NSCC_NSCC,
	NSCC_MNSCC,
	NSCC_VARIANTS
};

#define NSCC_BOTH	((1U << NSCC_VARIANTS) - 1)
#define NSCC_MEDIAN	(1U << NSCC_MNSCC)

#define NSCC_MAX_HISTORY	8	/* packets mnscc can remember */

/* Defaults are the reference's. Ranges keep the products of nscc.c in u64. */
#define NSCC_OWN_KNOBS(K)						\
	DCC_START_KNOB(K, NSCC_BOTH)					\
	K(network_rtt_ns, "ns", 0, 1000000000, 0, NSCC_BOTH,		\
	  "RTT of the idle network, R, the base RTT at first; 0: 150 KB / line rate") \
	K(target_qdelay_ns, "ns", 0, 1000000000, 0, NSCC_BOTH,		\
	  "queueing delay aimed at; 0: R")				\
	K(fast_eps_ns, "ns", 0, 1000000000, 1000, NSCC_BOTH,		\
	  "queueing delay below which a path counts as empty")		\
	K(delay_gain, "1/10000", 1, 10000, 125, NSCC_BOTH,		\
	  "least weight of a new delay in the average")			\
	K(alpha, "1/1000 MSS", 0, 64000, 4000, NSCC_BOTH,		\
	  "proportional increase, per R below the target")		\
	K(fi, "1/1000 MSS", 0, 64000, 5000, NSCC_BOTH,			\
	  "fair increase, above the target but without ECN")		\
	K(eta, "1/1000 MSS", 0, 64000, 150, NSCC_BOTH,			\
	  "additive increase per R")					\
	K(fi_scale, "1/1000", 0, 64000, 250, NSCC_BOTH,			\
	  "fast increase, in bytes per byte")				\
	K(gamma, "1/1000", 0, 1000, 800, NSCC_BOTH,			\
	  "multiplicative decrease constant")				\
	K(min_keep, "1/1000", 1, 1000, 500, NSCC_BOTH,			\
	  "smallest share of the window one decrease leaves")		\
	K(adjust_mtus, "packets", 0, 1024, 8, NSCC_BOTH,		\
	  "bytes received after which increases take effect")		\
	K(quick_adapt, "off|on", 0, 1, 1, NSCC_BOTH,			\
	  "set the window to what was achieved when it is far off")	\
	K(qa_gate, "right shift", 0, 8, 3, NSCC_BOTH,			\
	  "quick adapt below this share of the largest window: 1 / 2^n") \
	K(qa_threshold, "1/1000 target", 0, 100000, 4000, NSCC_BOTH,	\
	  "queueing delay that is a reason for quick adapt")		\
	K(max_window, "1/1000 BDP", 100, 64000, 1500, NSCC_BOTH,	\
	  "largest window, and the first one if network_rtt_ns is set")	\
	K(history, "packets", 1, 8, 4, NSCC_MEDIAN,			\
	  "most packets the median is taken over")

/* Order matters: the first two groups are read as structs of their own. */
#define NSCC_KNOBS(K)							\
	DCC_FLOW_KNOBS(K, NSCC_BOTH)					\
	DCC_DIP_KNOBS(K, NSCC_BOTH)					\
	NSCC_OWN_KNOBS(K)

struct nscc_knobs {
	struct dcc_flow_knobs flow;
	struct dcc_dip_knobs dip;
	NSCC_OWN_KNOBS(DCC_KNOB_FIELD)
};

enum nscc_knob_index {
	NSCC_KNOBS(DCC_KNOB_INDEX)
	NSCC_KNOB_COUNT
};

static_assert(sizeof(struct nscc_knobs) == NSCC_KNOB_COUNT * sizeof(u32),
	      "knob table and struct differ");

#define NSCC_DEFAULTS {							\
	.flow = { DCC_FLOW_KNOBS(DCC_KNOB_DEFAULT, 0) },		\
	.dip = { DCC_DIP_KNOBS(DCC_KNOB_DEFAULT, 0) },			\
	NSCC_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob nscc_knob[NSCC_KNOB_COUNT];

#define NSCC_REF_RTT_NS		12000U	/* R of the network the reference was tuned on */
#define NSCC_CWND_MAX		U32_MAX	/* bytes, whatever the BDP */
#define NSCC_LOSS_CALLS		64	/* losses of an ACK handled one by one */
#define NSCC_SCALE_SHIFT	16	/* of nscc_params.scale */
#define NSCC_PEAK_SHIFT		7	/* of nscc.peak: 2^39 B/s at most */

/* What an ACK or a loss led to: the low bits of the trace's "branch". */
enum nscc_branch {
	NSCC_HOLD,		/* base RTT unknown, or not limited by the window */
	NSCC_FAIR,		/* not CE, q >= target */
	NSCC_PROPORTIONAL,	/* not CE, q < target */
	NSCC_FAST,		/* not CE, q < fast_eps for a whole window */
	NSCC_DECREASE,		/* CE, q >= target, cut */
	NSCC_WAIT,		/* CE, q >= target, not cut: too soon, avg too low */
	NSCC_NOOP,		/* CE, q < target */
	NSCC_IGNORED,		/* stale news, sent before the last quick adapt */
	NSCC_QUICK_ADAPT,
	NSCC_LOSS,		/* W -= bytes; as branch: no data was acked */
	NSCC_START,		/* of a flow that starts: W += bytes */
};

#define NSCC_BRANCH		0x0f
#define NSCC_MARK_FULFIL	0x10	/* increases took effect */
#define NSCC_MARK_PERIOD	0x20	/* a quick-adapt period began */
#define NSCC_MARK_LOSS		0x40	/* losses were handled after the ACK */
#define NSCC_MARK_LOSS_QA	0x80	/* ... and one was a quick adapt */

/**
 * struct nscc - state of one flow
 * @cwnd: window, bytes << DCC_CWND_SHIFT, one packet to the largest window
 * @start: of a flow that starts, its flight
 * @inc: else increases collected, bytes of window times bytes
 * @qa_end: when the quick-adapt period ends, ns; 0: none has begun
 * @last_dec: when the window was last multiplied down, at first the start
 * @last_adj: when eta was last added, at first the end of the start
 * @avg: average queuing delay, ns << DCC_EWMA_FRAC: 40 bits
 * @variant: enum nscc_variant
 * @fast: is the fast increase active?
 * @trigger: was a packet lost since the last quick adapt?
 * @marked: was a mark ever heard?
 * @dropped: was a packet ever lost?
 * @achieved: bytes delivered in this quick-adapt period
 * @received: bytes delivered since increases last took effect
 * @fi_count: bytes delivered in a row with next to no queue
 * @starting: does the window double? Then @start counts, else what shares its place
 * @to_ignore: bytes of stale news still to come: the reference's to_ignore -
 *	ignored while that is positive, else 0
 * @peak: fastest delivery seen lately, bytes/s >> NSCC_PEAK_SHIFT; 0: none
 *
 * Times are whole u64s, so no interval can wrap. Byte counters saturate.
 */
struct nscc {
	u64 cwnd;
	union {
		struct dcc_start start;
		struct {
			u64 inc;
			u64 last_adj;
			u32 fi_count;
		};
	};
	u64 qa_end;
	u64 last_dec;
	u64 avg : 48,
	    variant : 8,
	    fast : 1,
	    trigger : 1,
	    marked : 1,
	    dropped : 1,
	    starting : 1;
	u32 achieved;
	u32 received;
	u32 to_ignore;
	u32 peak;
};

static_assert(sizeof(struct nscc) <= 72, "no room in the socket");

/**
 * struct nscc_history - the latest delays of a flow; all zero is "none"
 * @delay_ns: ring of them, one per packet
 * @next: where the next one goes
 * @count: how many there are
 */
struct nscc_history {
	u32 delay_ns[NSCC_MAX_HISTORY];
	u8 next;
	u8 count;
};

/**
 * struct nscc_params - what follows from the network and the knobs
 * @max_window: largest window, bytes, at most NSCC_CWND_MAX
 * @bound: what the window may be now, bytes: @max_window, or less by what was
 *	delivered
 * @scale: a, << NSCC_SCALE_SHIFT
 * @rtt_ns: R; 0: unknown
 * @base_rtt_ns: 0: unknown
 * @target_ns: queuing delay aimed at; 0: unknown
 * @mss: bytes of the law's constants
 * @mtu: bytes of a full packet, smallest window; the same as @mss over TCP
 * @max_known: does @max_window follow from a line rate?
 * @alpha_ns: what the proportional increase is per: R. The reference's 12 us, whatever R,
 *            are set where its decisions are compared
 * @told: is R told?
 * @sprayed: does the flow have many paths?
 */
struct nscc_params {
	u64 max_window;
	u64 bound;
	u64 scale;
	u32 rtt_ns;
	u32 alpha_ns;
	u32 base_rtt_ns;
	u32 target_ns;
	u32 mss;
	u32 mtu;
	bool max_known;
	bool told;
	bool sprayed;
};

/**
 * struct nscc_event - one ACK, or one packet lost
 * @now_ns: when
 * @q_ns: queuing delay to act on; of no interest for a loss
 * @bytes: newly delivered, or lost
 * @in_flight: bytes, this ACK digested, a lost packet still counted
 * @ce: CE-marked? Of no interest for a loss
 * @cwnd_limited: may the window grow?
 */
struct nscc_event {
	u64 now_ns;
	u32 q_ns;
	u32 bytes;
	u32 in_flight;
	bool ce;
	bool cwnd_limited;
};

void nscc_params_set(struct nscc_params *p, const struct nscc_knobs *k,
		     u32 base_rtt_ns, u64 line_rate, u32 mss);
void nscc_slow_start(struct nscc *n, const struct nscc_knobs *k, u32 mss);
u64 nscc_first_window(const struct nscc_knobs *k, u64 line_rate);
void nscc_init(struct nscc *n, struct nscc_history *h,
	       enum nscc_variant variant, u64 now_ns, u64 cwnd_bytes);
u8 nscc_update(struct nscc *n, const struct nscc_knobs *k,
	       const struct nscc_params *p, const struct nscc_event *e);
u8 nscc_loss(struct nscc *n, const struct nscc_knobs *k,
	     const struct nscc_params *p, const struct nscc_event *e);
void nscc_on_ack(struct nscc *n, struct nscc_history *h,
		 const struct nscc_knobs *k, const struct dcc_sample *s,
		 struct dcc_decision *d);
void nscc_on_rto(struct nscc *n, u32 lost, u32 mss);
void nscc_on_idle(struct nscc *n, struct nscc_history *h, u64 now_ns);

#endif /* _NSCC_H */
