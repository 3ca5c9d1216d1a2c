/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NSCC: delay and ECN of a packet choose what to do, the average delay how much, so that one
 * hot path of many costs nothing. q = delay - base RTT, a = R C / 150000 B, target = R:
 *
 *   no mark, q >= target : inc += fi MSS a bytes                              (fair)
 *   no mark, q < target  : inc += alpha MSS a bytes (target - q) / R  (proportional);
 *                          q < fast_eps for a window: W += fi_scale a bytes   (fast)
 *   mark, q >= target    : once per base RTT, if avg > target
 *                          W *= max(1 - gamma (avg - target) / avg, min_keep) (decrease)
 *   mark, q < target     : nothing: the path selector steers                  (noop)
 *   every adjust_mtus packets or R: W += inc / W, inc = 0; every R: W += eta MSS a
 *   every base + target, after a loss or q > qa_threshold target: if less than
 *                          W_max >> qa_gate was delivered, W = that           (quick adapt)
 *   a loss               : W -= its bytes
 *   avg += delay_gain (q - avg); a packet <= W <= W_max = max_window base C
 *
 * mnscc is NSCC with the median of recent delays in the place of a packet's (nscc_median.c).
 *
 * Source: NSCC of Ultra Ethernet (Hoefler et al., "Ultra Ethernet's Design Principles and
 * Architectural Innovations", arXiv:2508.08906) in the form of the consortium's public htsim
 * simulator; Bonato et al., "SMaRTT-REPS", arXiv:2404.01630, is the research behind it. The
 * median is of Gerstein, Silberstein, Keslassy, "Congestion Control for Spraying with Congested
 * Paths". The proportional increase is the simulator's alpha (target - q) with alpha =
 * 4 MSS a b / target and b = target / 12 us written out: the target cancels, and its 12 us
 * are its R. On a longer path 12 us would add as much many times in a round trip.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _NSCC_H
#define _NSCC_H

#include "../common/cc/dcc_drain.h"
#include "../common/math/dcc_fixed.h"
#include "../common/cc/dcc_flow_knobs.h"
#include "../common/cc/dcc_reno.h"
#include "../common/cc/dcc_sample.h"
#include "../common/cc/dcc_start.h"

enum nscc_variant {
	NSCC_NSCC,
	NSCC_MNSCC,
	NSCC_VARIANTS
};

#define NSCC_BOTH	((1U << NSCC_VARIANTS) - 1)
#define NSCC_MEDIAN	(1U << NSCC_MNSCC)

#define NSCC_MAX_HISTORY	8	/* packets mnscc can remember */

/* Defaults are the reference's, but for delay_gain. Ranges keep the products of nscc.c in u64. */
#define NSCC_OWN_KNOBS(K)						\
	DCC_START_KNOB(K, NSCC_BOTH)					\
	K(network_rtt_ns, "ns", 0, 1000000000, 0, NSCC_BOTH,		\
	  "RTT of the idle network, R, the base RTT at first; 0: 150 KB / line rate") \
	K(target_qdelay_ns, "ns", 0, 1000000000, 0, NSCC_BOTH,		\
	  "queueing delay aimed at; 0: R")				\
	K(fast_eps_ns, "ns", 0, 1000000000, 1000, NSCC_BOTH,		\
	  "queueing delay below which a path counts as empty")		\
	K(delay_gain, "1/10000", 1, 10000, 2500, NSCC_BOTH,		\
	  "weight of a new delay in the average; the reference: 125")	\
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
	DCC_DRAIN_KNOBS(K, NSCC_BOTH)					\
	NSCC_OWN_KNOBS(K)

struct nscc_knobs {
	struct dcc_flow_knobs flow;
	struct dcc_drain_knobs drain;
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
	.drain = { DCC_DRAIN_KNOBS(DCC_KNOB_DEFAULT, 0) },			\
	NSCC_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob nscc_knob[NSCC_KNOB_COUNT];

#define NSCC_REF_RTT_NS		12000U	/* R of the network the reference was tuned on */
#define NSCC_CWND_MAX		U32_MAX	/* bytes, whatever the BDP */
#define NSCC_LOSS_CALLS		64	/* losses of an ACK handled one by one */
#define NSCC_SCALE_SHIFT	16	/* of nscc_params.scale */
#define NSCC_TEN_MILLI		10000U	/* delay_gain is in 1/10000 */

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
	NSCC_RENO,		/* no line rate, or no memory */
};

#define NSCC_BRANCH		0x0f
#define NSCC_MARK_FULFIL	0x10	/* increases took effect */
#define NSCC_MARK_PERIOD	0x20	/* a quick-adapt period began */
#define NSCC_MARK_LOSS		0x40	/* losses were handled after the ACK */
#define NSCC_MARK_LOSS_QA	0x80	/* ... and one was a quick adapt */

/**
 * struct nscc - state of one flow
 * @cwnd: window, bytes << DCC_CWND_SHIFT, one packet to the largest window
 * @inc: increases collected, bytes of window times bytes
 * @qa_end: when the quick-adapt period ends, ns; 0: none has begun
 * @last_dec: when the window was last multiplied down, at first the start
 * @last_adj: when eta was last added, at first the end of the start
 * @avg: average queuing delay, ns << DCC_EWMA_FRAC: 40 bits
 * @variant: enum nscc_variant
 * @fast: is the fast increase active?
 * @trigger: was a packet lost since the last quick adapt?
 * @marked: was a mark ever heard?
 * @dropped: was a packet ever lost?
 * @starting: does the window double (nscc_start.c)?
 * @fallback: has Reno the window?
 * @reno: its state
 * @achieved: bytes delivered in this quick-adapt period
 * @received: bytes delivered since increases last took effect
 * @fi_count: bytes delivered in a row with next to no queue
 * @to_ignore: bytes of stale news still to come: the reference's to_ignore -
 *	ignored while that is positive, else 0
 *
 * Times are whole u64s, so no interval can wrap. Byte counters saturate.
 */
struct nscc {
	u64 cwnd;
	u64 inc;
	u64 qa_end;
	u64 last_dec;
	u64 last_adj;
	u64 avg : 48,
	    variant : 8,
	    fast : 1,
	    trigger : 1,
	    marked : 1,
	    dropped : 1,
	    starting : 1,
	    fallback : 1;
	struct dcc_reno reno;
	u32 achieved;
	u32 received;
	u32 fi_count;
	u32 to_ignore;
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
 * struct nscc_memory - what a flow has allocated; all zero is "nothing yet"
 * @start: its first flight
 * @history: mnscc's delays
 */
struct nscc_memory {
	struct dcc_start start;
	struct nscc_history history;
};

/**
 * struct nscc_params - what follows from the network and the knobs
 * @max_window: largest window, bytes, at most NSCC_CWND_MAX
 * @scale: a, << NSCC_SCALE_SHIFT
 * @rtt_ns: R; 0: unknown
 * @alpha_ns: what the proportional increase is per: R. The reference's 12 us, whatever R,
 *            are set where its decisions are compared
 * @base_rtt_ns: 0: unknown
 * @target_ns: queuing delay aimed at; 0: unknown
 * @mss: bytes of the algorithm's constants
 * @mtu: bytes of a full packet, smallest window; the same as @mss over TCP
 */
struct nscc_params {
	u64 max_window;
	u64 scale;
	u32 rtt_ns;
	u32 alpha_ns;
	u32 base_rtt_ns;
	u32 target_ns;
	u32 mss;
	u32 mtu;
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
u64 nscc_first_window(const struct nscc_knobs *k, u64 line_rate);
void nscc_init(struct nscc *n, const struct nscc_knobs *k, enum nscc_variant variant,
	       u64 now_ns, u64 cwnd_bytes, u32 mss);
void nscc_started(struct nscc *n, u64 now_ns);
void nscc_on_ack(struct nscc *n, struct nscc_memory *m, const struct nscc_knobs *k,
		 const struct dcc_sample *s, struct dcc_decision *d);
void nscc_on_rto(struct nscc *n, const struct dcc_timeout *t);
void nscc_on_idle(struct nscc *n, struct nscc_memory *m, u64 now_ns);

/* The reference, nscc.c. */
void nscc_average(struct nscc *n, const struct nscc_knobs *k, const struct nscc_params *p,
		  const struct nscc_event *e);
u8 nscc_update(struct nscc *n, const struct nscc_knobs *k,
	       const struct nscc_params *p, const struct nscc_event *e);
u8 nscc_loss(struct nscc *n, const struct nscc_knobs *k,
	     const struct nscc_params *p, const struct nscc_event *e);

/* mnscc, and an extension. */
u32 nscc_median(struct nscc_history *h, const struct nscc *n, const struct nscc_knobs *k,
		const struct dcc_sample *s, bool valid);
bool nscc_start(struct nscc *n, struct dcc_start *start, const struct nscc_params *p,
		const struct nscc_event *e, const struct dcc_sample *s);

/*
 * Products saturate: too small then, never wrapped. With the defaults none does up to 4 Tbit/s,
 * R = target = 0.5 ms, an MSS of 9000 and 64 KB an ACK: the largest, alpha MSS a (target - q) /
 * 12 us * bytes << 16, is 1.1e19 there, and what it saturates at is 2^48 of inc per ACK.
 */
static inline u64 nscc_sat_mul(u64 a, u64 b)
{
	u64 product;

	return __builtin_mul_overflow(a, b, &product) ? U64_MAX : product;
}

static inline u64 nscc_sat_add(u64 a, u64 b)
{
	return a + b < a ? U64_MAX : a + b;
}

static inline u32 nscc_sat_add32(u32 a, u32 b)
{
	return a + b < a ? U32_MAX : a + b;
}

/* One packet to the largest window; one packet if that is larger. */
static inline void nscc_clamp(struct nscc *n, const struct nscc_params *p)
{
	u64 lo = (u64)p->mtu << DCC_CWND_SHIFT;
	u64 hi = p->max_window << DCC_CWND_SHIFT;

	n->cwnd = clamp_t(u64, n->cwnd, lo, max(lo, hi));
}

#endif /* _NSCC_H */
