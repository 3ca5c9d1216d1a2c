/* SPDX-License-Identifier: GPL-2.0 */
/*
 * OSCAR: a flow's share u of the link in one step, whatever the gap. Each batch of tau
 * compares delay with window, and gradient of the delay with rate:
 *
 *   delay = base RTT: u += U_HAI
 *   else: u_w = inflight / (delay mu), u_r = rate / ((1 + gradient) mu)
 *         u = max(u_w, u_r) below D_target, min(u_w, u_r) above it;  u += U_AI
 *   w = min(u D_target mu, BDP), r = u mu
 *
 * Source: Zhang et al., "OSCAR: O(1)-Step Convergence And Readily-deployable Congestion
 * Control", NSDI 2026, algorithms 1 and 2. Line 12 of algorithm 2 prints max where its text
 * asks for min. The authors' artifact adds a slack below D_target, a least gradient, a least
 * u, and u = u_w after a batch of more than 3 tau, whose gradient is out of date.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _OSCAR_H
#define _OSCAR_H

#include "../common/cc/dcc_drain.h"
#include "../common/cc/dcc_flow_knobs.h"
#include "../common/math/dcc_lsq.h"
#include "../common/cc/dcc_reno.h"
#include "../common/cc/dcc_sample.h"
#include "../common/cc/dcc_start.h"

enum oscar_variant {
	OSCAR_OSCAR,
	OSCAR_VARIANTS
};

#define OSCAR_ALGS	(1U << OSCAR_OSCAR)

/* Defaults are the paper's (section 4.4), slack and u_min the artifact's. */
#define OSCAR_OWN_KNOBS(K)						\
	K(base_rtt_ns, "ns", 0, 1000000000, 0, OSCAR_ALGS,		\
	  "RTT of the idle network; 0: the least delay the flow sees")	\
	K(target_ns, "ns", 0, 2000000000, 0, OSCAR_ALGS,		\
	  "D_target, delay aimed at, base RTT included; 0: 1.5 base RTTs") \
	K(target_queue_ns, "ns", 0, 1000000000, 0, OSCAR_ALGS,		\
	  "without target_ns: queue aimed at, beyond the base RTT; 0: half of it") \
	K(target_slack_ns, "ns", 0, 1000000000, 500, OSCAR_ALGS,	\
	  "D_target counts as reached this much below it")		\
	K(tau_ns, "ns", 0, 1000000000, 0, OSCAR_ALGS,			\
	  "tau, least length of a batch; 0: half a base RTT")		\
	K(eps_ns, "ns", 0, 1000000000, 1000, OSCAR_ALGS,		\
	  "queueing delay up to which the queue counts as empty")	\
	K(u_ai, "1/1000000", 0, 1000000, 1000, OSCAR_ALGS,		\
	  "U_AI, added to u after each batch that met a queue")		\
	K(u_hai, "1/1000000", 0, 1000000, 10000, OSCAR_ALGS,		\
	  "U_HAI, added to u after each batch that met none")		\
	K(u_min, "1/1000000", 1, 1000000, 1000, OSCAR_ALGS,		\
	  "smallest share of the link")					\
	K(start_u, "1/1000000", 1, 1000000, 1000000, OSCAR_ALGS,	\
	  "share of the link a flow starts with")			\
	K(solo_start, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "extension: until a flow meets others u does not fall, and no queue is drained") \
	K(short_batches, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "extension: one ACK closes a batch whose gradient does not count") \
	K(packet_ai, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "extension: U_AI is 1/8 packet at least")			\
	K(ramp, "off|on", 0, 1, 1, OSCAR_ALGS,				\
	  "extension: a queue that stays empty doubles the rate each round trip") \
	K(loss_response, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "extension: u follows what arrived if more than 1/16 was lost") \
	K(sync_reference, "off|on", 0, 1, 1, OSCAR_ALGS,		\
	  "multiply onto what was in flight when the packets left; off: when their ACKs came")

/* Order matters: the first two groups are read as structs of their own. */
#define OSCAR_KNOBS(K)							\
	DCC_FLOW_KNOBS(K, OSCAR_ALGS)					\
	DCC_DRAIN_KNOBS(K, OSCAR_ALGS)					\
	OSCAR_OWN_KNOBS(K)

struct oscar_knobs {
	struct dcc_flow_knobs flow;
	struct dcc_drain_knobs drain;
	OSCAR_OWN_KNOBS(DCC_KNOB_FIELD)
};

enum oscar_knob_index {
	OSCAR_KNOBS(DCC_KNOB_INDEX)
	OSCAR_KNOB_COUNT
};

static_assert(sizeof(struct oscar_knobs) == OSCAR_KNOB_COUNT * sizeof(u32),
	      "knob table and struct differ");

#define OSCAR_DEFAULTS {						\
	.flow = { DCC_FLOW_KNOBS(DCC_KNOB_DEFAULT, 0) },		\
	.drain = { DCC_DRAIN_KNOBS(DCC_KNOB_DEFAULT, 0) },			\
	OSCAR_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob oscar_knob[OSCAR_KNOB_COUNT];

/*
 * u is kept in 10^-15, so that the knobs' 10^-6 are exact and what two divisions
 * in a row round away stays below 10^-12 of the link: 50 bits.
 */
#define OSCAR_ONE		1000000000000000ULL
#define OSCAR_MILLIONTH		1000000000U	/* 10^-6, the knobs' unit */
#define OSCAR_MOST_TAU		1000000000U	/* ns: a batch spans a second at most */
#define OSCAR_LEAST_GRADIENT	(-900000000)	/* -0.9, in 1 / DCC_LSQ_ONE */
#define OSCAR_LEAST_COUNT	3		/* packets of a batch */
#define OSCAR_LONG_BATCH	3		/* tau: the gradient is out of date */
#define BITS_PER_BYTE		8

/* What an ACK led to: the low bits of the trace's "branch". */
enum oscar_branch {
	OSCAR_HOLD,		/* no batch closed */
	OSCAR_HYPER,		/* delay = base RTT */
	OSCAR_SPEED_UP,		/* below D_target: the larger of u_w, u_r */
	OSCAR_SLOW_DOWN,	/* else the smaller */
	OSCAR_LONG,		/* a batch of more than 3 tau: u_w */
	OSCAR_RENO,		/* link rate unknown, or no estimator */
};

#define OSCAR_BRANCH		0x0f
#define OSCAR_MARK_RATE		0x10	/* it was u_r that counted */
#define OSCAR_MARK_APP		0x20	/* the application was slow: not raised */
#define OSCAR_MARK_RAMP		0x40	/* the queue stayed empty: at least 2 u_r */
#define OSCAR_MARK_LOST		0x80	/* u follows what arrived */

/* Whether a flow has met others. */
enum oscar_phase {
	OSCAR_CONTENDED,	/* it has, or does not look */
	OSCAR_BURST,		/* its initial burst has not come back yet */
	OSCAR_SOLO,		/* not so far */
};

#define OSCAR_PHASES		(OSCAR_SOLO + 1)

/**
 * struct oscar - state of one flow
 * @u: share of the link, 10^-15, at most OSCAR_ONE
 * @cwnd: w, bytes << DCC_CWND_SHIFT
 * @pacing: r = u mu, bytes/s; 0: mu is unknown
 * @line_rate: mu that @cwnd and @pacing were derived from; 0: from none
 * @reno: the fall-back's
 * @base_rtt_ns: base RTT that @cwnd was derived from; 0: from none
 * @delay_ns: delay of the last batch; 0: none closed yet
 * @gradient: its gradient, 10^-6
 * @phase: enum oscar_phase
 * @fallback: does Reno have the window?
 * @largest: is @cwnd, as it was derived, the BDP or nearly (dcc_comp_sack.h)?
 */
struct oscar {
	u64 u;
	u64 cwnd;
	u64 pacing;
	u64 line_rate;
	struct dcc_reno reno;
	u32 base_rtt_ns;
	u32 delay_ns;
	s32 gradient;
	u8 phase;
	bool fallback;
	bool largest;
};

static_assert(sizeof(struct oscar) <= 72, "no room in the socket");

/**
 * struct oscar_batch - algorithm 1's sums; zeroed is "none"
 * @lsq: sumX, sumY, sumXX, sumXY, counts
 * @inflight: sumInfl, bytes: below 2^44
 * @bytes: delivered since @start_ns, in place of counts * MTU, as ACKs are coalesced
 * @start_ns: startTs; 0: the next packet starts the clock, and is in no batch
 * @last_ns: latest sendTs
 * @acked_ns: when the last ACK with a delay came
 * @lost: packets declared lost since @start_ns, and then
 * @app_limited: was the application slow at one of them?
 */
struct oscar_batch {
	struct dcc_lsq lsq;
	u64 inflight;
	u64 bytes;
	u64 start_ns;
	u64 last_ns;
	u64 acked_ns;
	u32 lost;
	bool app_limited;
};

/**
 * struct oscar_ramp - of extension ramp
 * @empty_ns: length of the batches that met no queue, since the last one that did
 */
struct oscar_ramp {
	u64 empty_ns;
};

/**
 * struct oscar_solo - of extension solo_start
 * @burst: the initial burst
 * @solo_ns: when OSCAR_SOLO began; 0: with the flow
 */
struct oscar_solo {
	struct dcc_start burst;
	u64 solo_ns;
};

/**
 * struct oscar_memory - what a flow has beside the socket; zeroed is "nothing"
 * @batch: packets since the last decision
 * @ramp: extension
 * @solo: extension
 */
struct oscar_memory {
	struct oscar_batch batch;
	struct oscar_ramp ramp;
	struct oscar_solo solo;
};

/**
 * struct oscar_params - what follows from the network and the knobs
 * @line_rate: mu, bytes/s; 0: unknown
 * @u_ai: U_AI, 10^-15
 * @base_rtt_ns: 0: unknown
 * @empty_ns: delays up to this are those of an empty queue
 * @target_ns: D_target
 * @tau_ns: tau
 */
struct oscar_params {
	u64 line_rate;
	u64 u_ai;
	u32 base_rtt_ns;
	u32 empty_ns;
	u32 target_ns;
	u32 tau_ns;
};

/**
 * struct oscar_estimate - algorithm 1's result
 * @delay: ns << DCC_LSQ_MEAN_SHIFT: 40 bits
 * @gradient: 1 / DCC_LSQ_ONE
 * @inflight: bytes << DCC_CWND_SHIFT: 40 bits
 * @rate: bit/s
 * @span_ns: sendTs - startTs, at least 1
 * @arrived: bytes that were delivered
 * @lost: bytes that were declared lost
 * @app_limited: was the application slow?
 */
struct oscar_estimate {
	u64 delay;
	s64 gradient;
	u64 inflight;
	u64 rate;
	u32 span_ns;
	u64 arrived;
	u64 lost;
	bool app_limited;
};

/* Is there a delay to learn from? A long one that the receiver may have made is none. */
static inline bool oscar_is_valid(const struct oscar_params *p, const struct dcc_sample *s)
{
	return s->delay_ns && !(s->maybe_delayed && s->delay_ns >= p->target_ns);
}

/* oscar.c: the paper */
void oscar_count(struct oscar_batch *b, const struct dcc_sample *s);
bool oscar_estimate(struct oscar_batch *b, const struct oscar_knobs *k,
		    const struct oscar_params *p, const struct dcc_sample *s,
		    struct oscar_estimate *e);
u64 oscar_by_rate(const struct oscar_params *p, u64 rate, s64 gradient);
u8 oscar_update(struct oscar *o, const struct oscar_knobs *k, const struct oscar_params *p,
		const struct oscar_estimate *e);
void oscar_set_share(struct oscar *o, const struct oscar_params *p, u64 u);

/* Extensions */
u32 oscar_short_batch(const struct oscar_batch *b, const struct oscar_params *p);
void oscar_packet_ai(struct oscar_params *p, u32 mss);
bool oscar_ramp(struct oscar_ramp *r, const struct oscar_params *p,
		const struct oscar_estimate *e, bool empty, u64 *u);
bool oscar_loss(const struct oscar_params *p, const struct oscar_estimate *e, u64 before,
		u64 *u);
void oscar_solo_init(struct oscar *o);
void oscar_solo_look(struct oscar *o, struct oscar_memory *m, const struct oscar_knobs *k,
		     const struct oscar_params *p, const struct dcc_sample *s);
void oscar_solo_decide(const struct oscar *o, const struct oscar_solo *solo,
		       const struct oscar_params *p, const struct dcc_sample *s,
		       struct dcc_decision *d);

/* oscar_flow.c: the life of a flow */
void oscar_params_set(struct oscar_params *p, const struct oscar_knobs *k,
		      u32 base_rtt_ns, u64 line_rate);
void oscar_init(struct oscar *o, const struct oscar_knobs *k, u64 line_rate,
		u64 cwnd_bytes);
u64 oscar_first_window(const struct oscar *o);
void oscar_on_ack(struct oscar *o, struct oscar_memory *m,
		  const struct oscar_knobs *k, const struct dcc_sample *s,
		  struct dcc_decision *d);
void oscar_on_rto(struct oscar *o, struct oscar_memory *m,
		  const struct oscar_knobs *k, u32 mss);
void oscar_on_idle(struct oscar_memory *m);

#endif /* _OSCAR_H */
