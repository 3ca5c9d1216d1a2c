/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PrioPlus: strict priorities inside one queue. Each priority i (larger: more
 * important) owns a channel of delays; who sees more than its channel stops, and probes
 * until it may return. Inside a channel an original CC steers to D_target:
 *
 *   prioplus        : Swift (common/cc/dcc_swift.h)
 *   prioplus_ledbat : LEDBAT (common/cc/dcc_ledbat.h)
 *
 *   D_target = base RTT + i (A + B),  D_limit = D_target + A / 2 + B
 *   delay >= D_limit twice: #flow = max(#flow, delay C / W), stop, and probe
 *   delay = base RTT: once per RTT W += W_LS / #flow
 *   delay <= D_target: every second RTT the original CC's step grows by what is missing
 *
 * Source: Zhang et al., "Enabling Virtual Priority in Data Center Congestion
 * Control" (PrioPlus), EuroSys 2025, algorithm 1. Line 16 doubles #flow when the countdown
 * is over; text and line 31 halve it. Line 7 counts "consec++ >= 2", the third in a row, and
 * line 21 starts anew only at the end of an RTT; the text says two consecutive measurements.
 *
 * Pure integer C; the caller serialises; time is an argument; randomness comes from
 * the seed alone.
 */
#ifndef _PRIOPLUS_H
#define _PRIOPLUS_H

#include "../common/cc/dcc_flow_knobs.h"
#include "../common/cc/dcc_ledbat.h"
#include "../common/cc/dcc_sample.h"
#include "../common/cc/dcc_swift.h"
#include "../common/math/dcc_wide.h"

enum prioplus_variant {
	PRIOPLUS_PRIOPLUS,
	PRIOPLUS_OVER_LEDBAT,
	PRIOPLUS_VARIANTS
};

#define PRIOPLUS_ALL	((1U << PRIOPLUS_VARIANTS) - 1)
#define PRIOPLUS_SWIFT	(1U << PRIOPLUS_PRIOPLUS)
#define PRIOPLUS_GAIN	(1U << PRIOPLUS_OVER_LEDBAT)

#define PRIOPLUS_MAX_LEVELS	64

#define PRIOPLUS_OWN_KNOBS(K)						\
	K(base_rtt_ns, "ns", 0, 1000000000, 0, PRIOPLUS_ALL,		\
	  "RTT of the idle network; 0: the least delay the flow sees")	\
	K(eps_ns, "ns", 0, 1000000000, 1000, PRIOPLUS_ALL,		\
	  "queueing delay below which the queue counts as empty")	\
	K(channel_fluct_ns, "ns", 0, 1000000000, 0, PRIOPLUS_ALL,	\
	  "A, by how much the delay of the original CC fluctuates; 0: 40 kB of the link") \
	K(channel_noise_ns, "ns", 0, 1000000000, 0, PRIOPLUS_ALL,	\
	  "B, error of a measured delay that is tolerated; 0: 10 kB of the link") \
	K(prio_levels, "priorities", 1, 64, 8, PRIOPLUS_ALL,		\
	  "how many there are, 1 to this; the last is the highest")	\
	K(prio_source, "so_priority|dscp", 0, 1, 0, PRIOPLUS_ALL,	\
	  "where a flow's priority is read")				\
	K(probe_start, "priority", 0, 64, 64, PRIOPLUS_ALL,		\
	  "up to this priority flows start by probing; the highest never does") \
	K(join, "off|on", 0, 1, 1, PRIOPLUS_ALL,			\
	  "extension: who resumes in a queue brings its part of what is missing to D_target") \
	K(slow_estimate, "off|on", 0, 1, 1, PRIOPLUS_ALL,		\
	  "extension: a stop doubles #flow at most")			\
	K(return_order, "off|on", 0, 1, 1, PRIOPLUS_ALL,		\
	  "extension: a queue that has drained is left to the higher priorities first") \
	K(root_ai, "off|on", 0, 1, 1, PRIOPLUS_ALL,			\
	  "extension: the original CC's step is divided by the root of #flow") \
	K(host_jitter, "off|on", 0, 1, 1, PRIOPLUS_ALL,		\
	  "extension: without base_rtt_ns what the hosts delay packets by is no queue") \
	K(linear_start, "1/1000 BDP", 0, 1000, 0, PRIOPLUS_ALL,	\
	  "W_LS, what an RTT adds while the queue is empty; 0: 1000, 250 or 125, by priority") \
	K(dual_rtt, "off|on", 0, 1, 1, PRIOPLUS_ALL,			\
	  "adaptive increase in every second RTT; off: in every RTT")

/* Order matters: groups are read as structs of their own. */
#define PRIOPLUS_KNOBS(K)						\
	DCC_FLOW_KNOBS(K, PRIOPLUS_ALL)					\
	DCC_SWIFT_WINDOW_KNOBS(K, PRIOPLUS_SWIFT, PRIOPLUS_ALL)	\
	DCC_LEDBAT_KNOB(K, PRIOPLUS_GAIN)				\
	PRIOPLUS_OWN_KNOBS(K)

struct prioplus_knobs {
	struct dcc_flow_knobs flow;
	DCC_SWIFT_WINDOW_KNOBS(DCC_KNOB_FIELD, 0, 0)
	DCC_LEDBAT_KNOB(DCC_KNOB_FIELD, 0)
	PRIOPLUS_OWN_KNOBS(DCC_KNOB_FIELD)
};

enum prioplus_knob_index {
	PRIOPLUS_KNOBS(DCC_KNOB_INDEX)
	PRIOPLUS_KNOB_COUNT
};

static_assert(sizeof(struct prioplus_knobs) == PRIOPLUS_KNOB_COUNT * sizeof(u32),
	      "knob table and struct differ");

#define PRIOPLUS_DEFAULTS {						\
	.flow = { DCC_FLOW_KNOBS(DCC_KNOB_DEFAULT, 0) },		\
	DCC_SWIFT_WINDOW_KNOBS(DCC_KNOB_DEFAULT, 0, 0)			\
	DCC_LEDBAT_KNOB(DCC_KNOB_DEFAULT, 0)				\
	PRIOPLUS_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob prioplus_knob[PRIOPLUS_KNOB_COUNT];

/* #flow is a real number: 2000 at this scale need 31 bits. */
#define PRIOPLUS_FLOW_SHIFT	20
#define PRIOPLUS_ONE_FLOW	(1U << PRIOPLUS_FLOW_SHIFT)
#define PRIOPLUS_MOST_FLOWS	(2000U << PRIOPLUS_FLOW_SHIFT)

#define PRIOPLUS_LEAST_CWND	(DCC_PKT / 10)	/* 0.1 packet: stop */
#define PRIOPLUS_SMALL_CWND	(2 * DCC_PKT)	/* all its ACKs may be delayed */
#define PRIOPLUS_LATEST_PROBE	NSEC_PER_SEC	/* longest wait for one */

#define PRIOPLUS_CONSEC		2	/* delays beyond D_limit in a row */
#define PRIOPLUS_FLUCT		40000U	/* A, bytes: 3.2 us at 100 Gbit/s */
#define PRIOPLUS_NOISE		10000U	/* B, bytes */
#define PRIOPLUS_PAPERS_LINE	12500000000ULL	/* 100 Gbit/s */

/* Which rule fired: the low bits of the trace's "branch". */
enum prioplus_branch {
	PRIOPLUS_IDLE,		/* no delay known, or not held back by the window */
	PRIOPLUS_INCREASE,	/* the original CC, below D_target */
	PRIOPLUS_DECREASE,	/* the original CC, at D_target or above */
	PRIOPLUS_WAIT,		/* above it, but within an RTT of the last cut */
	PRIOPLUS_LOSS,		/* cut for a loss */
	PRIOPLUS_LINEAR,	/* an RTT ended in an empty queue: linear start */
	PRIOPLUS_STOP,		/* beyond D_limit: stop */
	PRIOPLUS_SMALL,		/* 0.1 packet or less: stop */
	PRIOPLUS_SUSPENDED,		/* an ACK of what was sent before the stop */
	PRIOPLUS_PROBE,		/* a probe answered: stay suspended */
	PRIOPLUS_RESUME,	/* a probe answered: the queue is empty */
	PRIOPLUS_RESUME_ONE,	/* a probe answered, in the queue */
	PRIOPLUS_START,		/* a flow starts by probing */
	PRIOPLUS_START_NOW,	/* a flow starts at once */
	PRIOPLUS_ASK,		/* ACKs beyond D_limit, maybe delayed: stop */
};

#define PRIOPLUS_BRANCH		0x0f
#define PRIOPLUS_MARK_RTT	0x10	/* it ended an RTT */
#define PRIOPLUS_MARK_STEP	0x20	/* the adaptive step was set */
#define PRIOPLUS_MARK_FLOWS	0x40	/* #flow is another than before */
#define PRIOPLUS_MARK_NO_LINE	0x80	/* the line rate is unknown */

/**
 * struct prioplus_order - of extension return_order
 * @above: the priority whose queue stopped it; 0: none did, or it waited for that
 */
struct prioplus_order {
	u8 above;
};

/**
 * struct prioplus - state of one flow
 * @swift: W, whatever the original CC, and Swift's bookkeeping
 * @rtt_end_ns: rttEndSeq: the ACK of a packet sent from then on ends the RTT; 0: the next
 *	ACK begins one
 * @step: W_AI beyond the original CC's, packets << DCC_PKT_SHIFT, at most half of what
 *	most is
 * @nflow: #flow, << PRIOPLUS_FLOW_SHIFT, one flow to PRIOPLUS_MOST_FLOWS
 * @random: state of the generator, never 0
 * @countdown: RTTs with an empty queue until #flow is halved
 * @prio: 1 to prio_levels
 * @consec: delays beyond D_limit in a row, at most PRIOPLUS_CONSEC
 * @variant: the original CC, enum prioplus_variant
 * @dual: dualRttPass
 * @suspended: stopped, a probe is to come?
 * @order: extension
 */
struct prioplus {
	struct dcc_swift swift;
	u64 rtt_end_ns;
	u64 step;
	u32 nflow;
	u32 random;
	u16 countdown;
	u8 prio;
	u8 consec;
	u8 variant;
	u8 dual;
	u8 suspended;
	struct prioplus_order order;
};

static_assert(sizeof(struct prioplus) <= 72, "no room in the socket");

/**
 * struct prioplus_params - what follows from network, knobs and priority
 * @line_rate: C, bytes/s, below 2^40; 0: unknown
 * @linear: W_LS, packets << DCC_PKT_SHIFT
 * @most: largest window, same scale
 * @fluct_ns: A
 * @noise_ns: B
 * @base_ns: base RTT; 0: unknown
 * @empty_ns: delay up to which the queue is empty
 * @target_ns: D_target
 * @limit_ns: D_limit
 * @mss: payload of a packet, bytes
 * @countdown: BDP / W_LS, rounded up: RTTs that W_LS needs to fill the link
 * @highest: is no level above?
 */
struct prioplus_params {
	u64 line_rate;
	u64 linear;
	u64 most;
	u32 fluct_ns;
	u32 noise_ns;
	u32 base_ns;
	u32 empty_ns;
	u32 target_ns;
	u32 limit_ns;
	u32 mss;
	u16 countdown;
	bool highest;
};

void prioplus_params_set(struct prioplus_params *p, const struct prioplus *pp,
			 const struct prioplus_knobs *k, const struct dcc_sample *s);
void prioplus_init(struct prioplus *pp, const struct prioplus_knobs *k,
		   enum prioplus_variant variant, u32 cwnd_pkts, u32 seed);
bool prioplus_set_priority(struct prioplus *pp, const struct prioplus_knobs *k,
			   u32 prio);
void prioplus_on_start(struct prioplus *pp, const struct prioplus_knobs *k,
		       const struct dcc_sample *s, struct dcc_decision *d);
void prioplus_on_ack(struct prioplus *pp, const struct prioplus_knobs *k,
		     const struct dcc_sample *s, struct dcc_decision *d);
void prioplus_on_probe(struct prioplus *pp, const struct prioplus_knobs *k,
		       const struct dcc_sample *s, struct dcc_decision *d);
void prioplus_on_rto(struct prioplus *pp, const struct prioplus_knobs *k,
		     u64 now_ns, u32 srtt_ns);
void prioplus_on_idle(struct prioplus *pp);
void prioplus_go_on(struct prioplus *pp);

/* Algorithm 1, prioplus.c. */
bool prioplus_exceeds_limit(struct prioplus *pp, const struct prioplus_params *p, u32 delay);
void prioplus_grow(struct prioplus *pp, const struct prioplus_knobs *k,
		   const struct prioplus_params *p, u32 delay, u32 acked);
u8 prioplus_new_ack(struct prioplus *pp, const struct prioplus_knobs *k,
		    const struct prioplus_params *p, const struct dcc_sample *s,
		    struct dcc_decision *d);
void prioplus_schedule_probe(struct prioplus *pp, const struct prioplus_knobs *k,
			     const struct prioplus_params *p, u32 delay,
			     struct dcc_decision *d);
u8 prioplus_new_probe_ack(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, const struct dcc_sample *s,
			  struct dcc_decision *d);

/* Its extensions, a file each. */
u64 prioplus_join(const struct prioplus *pp, const struct prioplus_params *p, u32 delay);
u64 prioplus_slow_estimate(const struct prioplus *pp, u64 flows);
void prioplus_order_stop(struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p, u32 delay);
u64 prioplus_order_wait(struct prioplus *pp, const struct prioplus_params *p);
u64 prioplus_root_ai(const struct prioplus *pp, u64 step);

/* What the link carries in a time, packets << DCC_PKT_SHIFT. */
static inline u64 prioplus_carried(const struct prioplus_params *p, u32 ns)
{
	return dcc_carried_pkts(p->line_rate, ns, p->mss);
}

/* What dcc_swift.c needs of the knobs; target and scaling are not its to find. */
static inline struct dcc_swift_knobs prioplus_swift(const struct prioplus_knobs *k)
{
	return (struct dcc_swift_knobs) {
		.ai = k->ai, .beta_md = k->beta_md, .max_mdf = k->max_mdf,
		.min_cwnd = k->min_cwnd, .max_cwnd = k->max_cwnd,
	};
}

/* Line 22, a loss: the first of an RTT cuts the window. Did this one? */
static inline bool prioplus_lost(struct prioplus *pp, const struct prioplus_knobs *k,
				 const struct dcc_sample *s)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);

	return s->recovery && dcc_swift_cut(&pp->swift, &swift, s->now_ns, s->srtt_ns);
}

/* A flow's part of a window, of #flow flows. */
static inline u64 prioplus_per_flow(const struct prioplus *pp, u64 window)
{
	return dcc_mul_div(window, PRIOPLUS_ONE_FLOW, pp->nflow);
}

#endif /* _PRIOPLUS_H */
