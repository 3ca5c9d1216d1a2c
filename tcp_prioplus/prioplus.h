/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PrioPlus: strict priorities inside one queue. Each priority i (larger: more
 * important) owns a channel of delays; who sees more than its channel stands aside
 * and asks by probes when it may return. Two laws may work inside a channel:
 *
 *   prioplus        : Swift's (common/dcc_swift.h), its target D_target
 *   prioplus_ledbat : LEDBAT's (ledbat.h), likewise
 *
 *   C = line rate, base = base RTT, BDP = base * C, A, B = knobs channel_*, or 40 and 10 KB
 *   / C
 *   D_target = base + i (A + B),  D_limit = D_target + A / 2 + B
 *   W_LS = BDP for the top quarter of the priorities, BDP / 4 for the next three
 *          eighths, BDP / 8 for the rest
 *
 *   on an ACK with delay d, of a packet sent since the last RTT ended (pass):
 *     dual = !dual; AI = 0 (the adaptive step)
 *   on each ACK:
 *     d >= D_limit, the 2nd such in a row:
 *         #flow = max(#flow, d * C / W), at most 2000; countdown = BDP / W_LS
 *         (W is still what an answer in a queue gave: #flow += (d - D_target) C / W if it
 *         is two packets or more, else #flow stays)
 *         (#flow is more than 1, and d not beyond the highest D_limit: at most 4 #flow)
 *         (it has its place P and is not the highest: if it is not there yet P -= P / 8,
 *         beyond the highest D_limit P *= D_target / d, P / 2 at least;
 *         #flow = max(#flow, D_target C / P); countdown 8 at least)
 *         AI = 0; the highest priority goes on, all others hold and probe
 *     D_target - A / 2 <= d <= D_target + A / 8 on a pass, the 4th with none below
 *         between, and each one after: P = W: the flow has its place
 *     d <= base + eps: on a pass
 *         W += W_LS / #flow                                    (linear start)
 *         countdown > 0: countdown -= 1, else #flow = max(1, #flow / 2)
 *         (of a flow with a place #flow = D_target C / P, here and where it resumes;
 *         with the halving the place is lost)
 *     else the law inside, its target D_target, its step AI + ai / #flow
 *         (AI + ai / max(sqrt(#flow), #flow / 8))
 *         d < D_target, on a pass, dual:
 *             AI = min(W / 2, (D_target - d) / d * W)     (adaptive increase)
 *             (the first step of a flow that is new and came into a queue: 3/4 of
 *             (D_target - d) C if that is more, W_LS at most)
 *             W < 2 packets, that first step, or the first after a return to its place,
 *             which is bounded by P and not by W / 2: W += AI, AI = 0
 *         W <= 0.1 packet or min_cwnd, not growing: hold and probe, but for the highest
 *     W <= D_target * C
 *   hold and probe: nothing is sent; after max(d - D_target, 0) + random(R) a probe,
 *     R = base * (1 + probe_spread * log2(#flow))
 *   on a probe's answer d:
 *     d >= D_limit   : hold on, next probe by the same rule
 *     others may go first (order of return, below): hold on
 *     d <= base + eps: W = W_LS / #flow, at least resume_cwnd; of a flow with a place
 *                      that asked again W = P (base + A + B) / D_target;
 *                      countdown and #flow as above; resume
 *     else           : W = min(W_LS, (D_target - d) * C) / #flow, at least a packet
 *                      (of what an empty queue would give, if that is less); of a flow
 *                      that is new, no place and #flow 1, (D_target - d) * C / 4; resume
 *
 * An RTT is counted from a packet sent at its beginning. What the adaptive step
 * did in one RTT is seen in the delays of the next but one: hence dual.
 *
 * Order of return. What is asked while a queue drains is answered in one instant, when it
 * has, whichever priority asked. The delays beyond D_limit told who is there: that nearest
 * to a D_target, its level; it counts as gone by one with each later such answer. With n
 * levels between it and the flow's own:
 *     the first answer below D_limit after two in a row beyond it (who is there stays), or
 *         of a flow with a place, n > 0: ask again 1 + 4 n base RTTs later; no more than
 *         twice, but anew after eight answers in a row beyond it
 *     a later one, n > 0, in a queue, up to four times: ask again as after a stop
 *     any other: resume
 *
 * Source: Zhang et al., "Enabling Virtual Priority in Data Center Congestion
 * Control" (PrioPlus), EuroSys 2025, algorithm 1.
 *
 * Differences from the paper:
 * - Line 16 doubles #flow when the countdown is over; text and line 31 halve it.
 * - Line 7 counts "consec++ >= 2", which is the third in a row, and line 21 starts anew
 *   only at the end of an RTT that D_target or less ends; the text says two consecutive
 *   measurements.
 * - Line 22 runs the law inside at an empty queue, too. Linear start is all that
 *   happens there here.
 * - W_AI is ai / #flow at every moment, not as of the last change of dual.
 * - Equal to the base RTT means not above it by more than eps.
 * - random(base) is stretched with #flow: 210 held flows that ask every base RTT or
 *   so take more of the line than they may. The first of n flows still asks after R /
 *   n or so. By its logarithm only: windows just resumed make #flow much too large,
 *   and who asks too seldom finds the line taken. probe_spread = 0 is the paper's.
 * - W_LS / #flow may be a hundredth of a packet, and a flow that sends one in a
 *   hundred RTTs hears once in a hundred that the line is idle. resume_cwnd = 0 is
 *   the paper's.
 * - With one packet where lower priorities have a queue, a flow needs 100 RTTs and
 *   more to drive them out: it brings its part of what is missing to D_target
 *   instead, bounded by what a linear start would bring to an empty queue. A flow
 *   that is new does not know its part: it brings a quarter, and if the RTT after
 *   that still ends below D_target three quarters of the rest at once, for then fewer
 *   than four came: 1, 2 or 3 bring 13/16, 5/4 or 21/16 of it. All of it by each of
 *   30 was a queue of several BDPs, which stopped all and let lower priorities in. Of
 *   hundreds of held flows one packet each is more than a BDP, so a packet is
 *   bounded, too. AI is taken at once where the ACK that ends an RTT is the only one.
 *   What answers gave was to bring the delay to D_target and no further: beyond it
 *   are those who are not in #flow; below two packets it is no ground for #flow at
 *   all. Nor is a window that was cut in a queue of higher priorities: the one from
 *   before, a sixteenth less each RTT that ends below D_target, counts if it is
 *   larger. A window below a packet ends an RTT once in several, and so does an
 *   application that pauses: a linear start takes as many steps at once as base RTTs
 *   went by, to W += BDP / #flow; #flow is halved once. takeover = 0 is the paper's:
 *   1 packet, and all this not.
 * - d * C / W of a flow that higher priorities stop soon after it resumed multiplies #flow
 *   by d * C / W_LS, 8 to 30, each time: four is enough. And around D_target only its own
 *   priority's packets are: what it has there is its place, which stays where it is when
 *   others stop it. All who return to theirs fill the line and one channel. takeover = 0:
 *   none of it, and no order of return.
 * - ai / #flow: a #flow of its own each means that who has more adds more, for ever. By
 *   its root shares come to be even; beyond 64, where that were more than eight steps of
 *   all, by an eighth of it. takeover = 0 is the paper's.
 * - A probe comes after at most a second; one that is lost is the caller's to
 *   repeat, not left to a retransmission timeout.
 * - The highest priority never stops: nobody is there to make way for. It takes
 *   the estimate of #flow all the same.
 * - An ACK told by a send time, not by a sequence number, ends the RTT.
 * - Growth needs a sender that its window held back; so does the countdown, since
 *   a queue that the application leaves empty tells nothing of #flow.
 * - An ACK that the receiver may have held back counts only below D_target. Below
 *   one packet, where all may be such, it lets the window grow as at an empty queue, and
 *   with takeover so does one without any delay, of what was sent again.
 *   Below two, the 2nd in a row beyond D_limit makes the flow hold and ask, or it
 *   would send on under a higher priority for ever; it tells nothing of #flow.
 * - #flow is 2000 at most, W is D_target * C at most, the stack's window that in whole
 *   packets, rounded up: where a channel is narrower than a packet's time the line would
 *   never be full. A tenth of a packet makes a flow hold. The first ACK after a start or
 *   a silence ends no RTT.
 * - A step is spread over W + 1 - 1 / MSS packets, not over W as Swift's: below two
 *   packets that is less of it with each ACK.
 * - A flow that was silent for longer than a retransmission timeout begins again: it asks
 *   first, as at its start; one that need not sends W_LS / #flow, or what it had if that is
 *   less and an RTT ended since it began or a timeout.
 * - A loss is the law's inside: once per RTT W *= 1 - max_mdf; timeouts as Swift's.
 * - C unknown: no guess. The channels, which need delays only, stay; #flow does not
 *   grow, W_LS is one packet, and the window has max_cwnd for a bound.
 *
 * Pure integer C; the caller serialises; time is an argument; randomness comes from
 * the seed alone.
 */
#ifndef _PRIOPLUS_H
#define _PRIOPLUS_H

#include "../common/dcc_flow_knobs.h"
#include "../common/dcc_sample.h"
#include "../common/dcc_swift.h"
#include "ledbat.h"

enum prioplus_variant {
	PRIOPLUS_PRIOPLUS,
	PRIOPLUS_OVER_LEDBAT,
	PRIOPLUS_LEDBAT,	/* ledbat.h alone, of the same module */
	PRIOPLUS_VARIANTS
};

#define PRIOPLUS_ALL	((1U << PRIOPLUS_VARIANTS) - 1)
#define PRIOPLUS_SWIFT	(1U << PRIOPLUS_PRIOPLUS)
#define PRIOPLUS_BOTH	(PRIOPLUS_SWIFT | 1U << PRIOPLUS_OVER_LEDBAT)
#define PRIOPLUS_ALONE	(1U << PRIOPLUS_LEDBAT)
#define PRIOPLUS_GAIN	(1U << PRIOPLUS_OVER_LEDBAT | PRIOPLUS_ALONE)

#define PRIOPLUS_MAX_LEVELS	64

#define PRIOPLUS_OWN_KNOBS(K)						\
	K(base_rtt_ns, "ns", 0, 1000000000, 0, PRIOPLUS_BOTH,		\
	  "RTT of the idle network; 0: the least delay the flow sees")	\
	K(eps_ns, "ns", 0, 1000000000, 1000, PRIOPLUS_BOTH,		\
	  "queueing delay below which the queue counts as empty")	\
	K(channel_fluct_ns, "ns", 0, 1000000000, 0, PRIOPLUS_BOTH,	\
	  "A, by how much the delay of the law inside fluctuates; 0: 40 kB of the line") \
	K(channel_noise_ns, "ns", 0, 1000000000, 0, PRIOPLUS_BOTH,	\
	  "B, error of a measured delay that is tolerated; 0: 10 kB of the line") \
	K(prio_levels, "priorities", 1, 64, 8, PRIOPLUS_BOTH,		\
	  "how many there are, 1 to this; the last is the highest")	\
	K(prio_source, "so_priority|dscp", 0, 1, 0, PRIOPLUS_BOTH,	\
	  "where a flow's priority is read")				\
	K(probe_start, "priority", 0, 64, 64, PRIOPLUS_BOTH,		\
	  "up to this priority flows start by probing; the highest never does") \
	K(probe_spread, "1/1000", 0, 10000, 500, PRIOPLUS_BOTH,		\
	  "random part of a probe's wait, in base RTTs: 1 + this * log2(#flow)") \
	K(resume_cwnd, "1/1000 packet", 0, 1000, 500, PRIOPLUS_BOTH,	\
	  "least window to resume with when the queue is empty")	\
	K(takeover, "off|on", 0, 1, 1, PRIOPLUS_BOTH,			\
	  "small windows take over from lower priorities, shares are remembered; off: not") \
	K(exceed_limit, "samples", 1, 16, 2, PRIOPLUS_BOTH,		\
	  "delays beyond the limit in a row that make a flow stop")	\
	K(linear_start, "1/1000 BDP", 0, 1000, 0, PRIOPLUS_BOTH,	\
	  "W_LS, what an RTT adds while the queue is empty; 0: 1000, 250 or 125, by priority") \
	K(cardinality, "off|on", 0, 1, 1, PRIOPLUS_BOTH,		\
	  "estimate how many flows share a priority; off: one")		\
	K(dual_rtt, "off|on", 0, 1, 1, PRIOPLUS_BOTH,			\
	  "adaptive increase in every second RTT; off: in every RTT")

/* Order matters: groups are read as structs of their own. */
#define PRIOPLUS_KNOBS(K)						\
	DCC_FLOW_KNOBS(K, PRIOPLUS_ALL)					\
	DCC_SWIFT_WINDOW_KNOBS(K, PRIOPLUS_SWIFT, PRIOPLUS_BOTH)	\
	LEDBAT_KNOBS(K, PRIOPLUS_GAIN, PRIOPLUS_ALONE)			\
	PRIOPLUS_OWN_KNOBS(K)

struct prioplus_knobs {
	struct dcc_flow_knobs flow;
	DCC_SWIFT_WINDOW_KNOBS(DCC_KNOB_FIELD, 0, 0)
	struct ledbat_knobs ledbat;
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
	.ledbat = { LEDBAT_KNOBS(DCC_KNOB_DEFAULT, 0, 0) },		\
	PRIOPLUS_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob prioplus_knob[PRIOPLUS_KNOB_COUNT];

/* #flow is a real number: 2000 at this scale need 31 bits. */
#define PRIOPLUS_FLOW_SHIFT	20
#define PRIOPLUS_ONE_FLOW	(1U << PRIOPLUS_FLOW_SHIFT)
#define PRIOPLUS_MOST_FLOWS	(2000U << PRIOPLUS_FLOW_SHIFT)
#define PRIOPLUS_CROWD		(64U << PRIOPLUS_FLOW_SHIFT)	/* the root is an eighth */

#define PRIOPLUS_LEAST_CWND	(DCC_PKT / 10)	/* 0.1 packet: stop */
#define PRIOPLUS_SMALL_CWND	(2 * DCC_PKT)	/* takes AI at once */
#define PRIOPLUS_LATEST_PROBE	NSEC_PER_SEC	/* longest wait for one */

#define PRIOPLUS_FLUCT		40000U	/* A, bytes: 3.2 us at 100 Gbit/s */
#define PRIOPLUS_NOISE		10000U	/* B, bytes */
#define PRIOPLUS_PAPERS_LINE	12500000000ULL	/* 100 Gbit/s */

#define PRIOPLUS_STEADY		4	/* RTTs in the own channel that make a place */
#define PRIOPLUS_NEXT		1000	/* 1/1000 base RTT: who was next asks again */
#define PRIOPLUS_BETWEEN	4000	/* for each level that may go first */
#define PRIOPLUS_PATIENCE	4	/* answers in a queue that are others' */
#define PRIOPLUS_ONCE_MORE	4	/* times #flow grows at a further stop, at most */
#define PRIOPLUS_NEWCOMERS	4	/* as many a flow that is new allows for; then one less */
#define PRIOPLUS_TRUST		8	/* least countdown of a flow with a place, RTTs */

/* Which rule fired: the low bits of the trace's "branch". */
enum prioplus_branch {
	PRIOPLUS_IDLE,		/* no delay known, or not held back by the window */
	PRIOPLUS_INCREASE,	/* the law inside, below the target */
	PRIOPLUS_DECREASE,	/* the law inside, at the target or above */
	PRIOPLUS_WAIT,		/* above it, but within an RTT of the last cut */
	PRIOPLUS_LOSS,		/* cut for a loss */
	PRIOPLUS_EMPTY,		/* d <= base + eps, in the middle of an RTT */
	PRIOPLUS_LINEAR,	/* the same at its end: linear start */
	PRIOPLUS_STOP,		/* beyond D_limit: hold */
	PRIOPLUS_SMALL,		/* 0.1 packet or less: hold */
	PRIOPLUS_HELD,		/* an ACK of what was sent before the hold */
	PRIOPLUS_PROBE,		/* a probe answered: hold on */
	PRIOPLUS_RESUME,	/* a probe answered: the queue is empty */
	PRIOPLUS_RESUME_ONE,	/* a probe answered, in the queue */
	PRIOPLUS_START,		/* a flow starts by probing */
	PRIOPLUS_START_NOW,	/* a flow starts at once */
	PRIOPLUS_ASK,		/* ACKs beyond D_limit, maybe held back: hold */
};

/*
 * What a held flow has learnt: its stage, before PRIOPLUS_ASKED how many answers in a row
 * were beyond D_limit, from there on how often it gave way to a queue; and how many turns it
 * gave away.
 */
enum prioplus_asked {
	PRIOPLUS_STOPPED,	/* no answer yet */
	PRIOPLUS_SEEN = 2,	/* two beyond D_limit: somebody stays */
	PRIOPLUS_LONG = 8,	/* for long: turns count anew */
	PRIOPLUS_ASKED,		/* one below it, and it asked again */
	PRIOPLUS_STAGE = 0x0f,
	PRIOPLUS_TURN = 0x10,
	PRIOPLUS_TURNS = 2 * PRIOPLUS_TURN,	/* no more than so many */
};

/* Does a flow know its part of what its priority has? */
enum prioplus_place {
	PRIOPLUS_NO_PLACE,
	PRIOPLUS_PLACE,		/* its window in its own channel */
	PRIOPLUS_RETURNED,	/* so it does, and it just resumed by that */
};

#define PRIOPLUS_CALM_SHIFT	8	/* of a window that is remembered */
#define PRIOPLUS_BRANCH		0x0f
#define PRIOPLUS_MARK_RTT	0x10	/* it ended an RTT */
#define PRIOPLUS_MARK_STEP	0x20	/* the adaptive step was set */
#define PRIOPLUS_MARK_FLOWS	0x40	/* #flow is another than before */
#define PRIOPLUS_MARK_NO_LINE	0x80	/* the line rate is unknown */

/**
 * struct prioplus - state of one flow
 * @swift: the window, under both laws, and Swift's bookkeeping
 * @rtt_end_ns: the ACK of a packet sent from then on ends the RTT; 0: the next ACK
 *	begins one
 * @step: AI, the adaptive step, packets << DCC_PKT_SHIFT, at most half of what most is
 * @calm: without a place the window of the RTTs that ended below D_target, shrinking by a
 *	sixteenth at most, 0: none did since a hold; with a place that, not 0. Packets
 *	<< PRIOPLUS_CALM_SHIFT: 28 bits
 * @nflow: #flow, << PRIOPLUS_FLOW_SHIFT, one flow to PRIOPLUS_MOST_FLOWS
 * @random: state of the generator, never 0
 * @countdown: RTTs with an empty queue until #flow is halved
 * @prio: 1 to prio_levels
 * @exceeded: delays beyond D_limit in a row
 * @variant: which law is inside, enum prioplus_variant
 * @dual: does an adaptive step take effect in this RTT?
 * @held: stopped, a probe is to come?
 * @given: is the window what an answer gave, and no step was taken since?
 * @above: the priority whose delays it met beyond D_limit last; 0: none since its place
 * @asked: what it learnt since it stopped, see enum prioplus_asked
 * @steady: RTTs in a row that ended in its own channel, at most PRIOPLUS_STEADY
 * @place: enum prioplus_place
 */
struct prioplus {
	struct dcc_swift swift;
	u64 rtt_end_ns;
	u64 step;
	u32 calm;
	u32 nflow;
	u32 random;
	u16 countdown;
	u8 prio;
	u8 exceeded;
	u8 variant;
	u8 dual;
	u8 held;
	u8 given;
	u8 above;
	u8 asked;
	u8 steady;
	u8 place;
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
 * @countdown: BDP / W_LS, rounded up
 * @highest: is nobody above?
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

/* What the parameters follow from, of a sample or an answer @s. */
#define prioplus_params_of(p, pp, k, s) \
	prioplus_params_set(p, pp, k, (s)->base_rtt_ns, (s)->line_rate, (s)->mss)

void prioplus_params_set(struct prioplus_params *p, const struct prioplus *pp,
			 const struct prioplus_knobs *k, u32 base_rtt_ns,
			 u64 line_rate, u32 mss);
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

#endif /* _PRIOPLUS_H */
