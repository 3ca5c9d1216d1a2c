/* SPDX-License-Identifier: GPL-2.0 */
/*
 * OSCAR: a flow's share u of the line in one step, whatever the gap, from delay
 * and delay gradient. Window and rate are both derived from u:
 *
 *   C = line rate, base = base RTT, BDP = base * C, D_target = 1.5 base
 *   W = min(u * D_target * C, BDP),  pacing = u * C
 *
 *   on an ACK, of its newest packet: x = send time, y = delay, i = in flight when
 *   it was sent, b = bytes delivered
 *     batch: feed (x, y) to least squares (common/dcc_lsq.h), i and b to sums
 *     x > first x + tau and n >= 3, or 2 where
 *       last x - first x > 3 tau: the batch closes, tau = base / 2:
 *       D = mean y, g = slope of y over x, at least -0.9, I = mean i,
 *       rate = (sum of b, but the first) / (last x - first x)
 *       D < base + eps          : u += U_HAI 2^k                 (hyper increase)
 *       else: u_w = I / (D * C), u_r = rate / ((1 + g) * C)
 *         last x - first x > 3 tau : u = u_w
 *         D < D_target - slack     : u = max(u_w, u_r)
 *         else                     : u = min(u_w, u_r), or u_r if all its packets
 *                                    left before any ACK of their flight came
 *         u += U_AI, or mss / 8 / (D_target * C) if that is more
 *       u_min <= u <= 1
 *       k = 0 at first and after a batch that met a queue or was the application's;
 *       k += 1 whenever batches that met none are longer than base + tau together
 *         slope <= -0.5            : u does not fall
 *     delay <= base + eps, in a batch that saw longer ones only, g < 0, D > base + 2
 *     eps or a fall of more than eps: the queue ran empty. The batch closes without
 *     this packet, as above, but g is at least -0.999, and u does not fall. Two
 *     packets, eps apart, are a batch here. Of the last that met the queue four are
 *     known one by one, eps / 2 apart in delay where they fall: to this packet, and to
 *     the last that met it, from the first before it that met more than eps more, at
 *     most 3 tau apart, are batches, too: of all, that with the least g counts
 *   on an ACK of a packet sent before one that was told of already (a sprayed flow):
 *     this batch and the next close tau after their first ACK, and there
 *       u_r = (sum of b, but the first) / ((last ACK - first ACK) * C)
 *   more than one packet in 16 of a batch was lost: its u_r is that of ACK times, too,
 *     and u = min(u_w, u_r) + U_AI, at least u / 2, whatever D is. Fewer: nothing
 *   more packets of it were lost than arrived after its first: it closes with any ACK tau
 *     after that one's, however few delays it has
 *   on a timeout: u = max(u / 2, u_min)
 *   a flow starts with u = start_u; its first flight closes no batch, and until it is back
 *   W is no larger: what is in flight then, ten packets at least. If it met somebody
 *   u = W / (D C). With the first ACK of a packet that an ACK let out, or of the second
 *   where there is one at a time, or of the last of an unsprayed flight, batches begin
 *   anew. u does not fall, and there are no dips, until it met somebody: a loss, a first
 *   flight that came back late (common/dcc_start.h), or after it a delay > 9/8 base. After
 *   8 base without that one dip tells whether it is so (common/dcc_dip.h)
 *
 * If the queue is neither empty nor full and the flows fill their windows, D =
 * sum of W / C: u_w, scaled by D_target / D, hits the target at once. If they
 * are held by their rates, 1 + g = sum of rates / C: u_r makes arrivals what the
 * line carries. Each signal errs on the small side where the other holds; so the
 * larger one counts below the target, the smaller one above it. U_AI, the same
 * for all, brings fairness. Both signals are multiplied onto the state they tell
 * of: what was in flight and how fast was sent *then*.
 *
 * Source: Zhang et al., "OSCAR: O(1)-Step Convergence And Readily-deployable
 * Congestion Control", NSDI 2026, algorithms 1 and 2.
 *
 * Differences from the paper:
 * - W = min(.., BDP): line 12 of algorithm 2 prints max, the text says min.
 * - rate: n - 1 packets leave from the first to the last. Algorithm 1 divides n
 *   by the time since the batch before, which counts a silence between them.
 * - A batch closes at x > first x + tau, not >=, and the packet that closes it is
 *   not the first of the next.
 * - TCP's ACKs carry no time stamps in ns: send times and bytes in flight are
 *   the sender's own records, of the newest packet an ACK covers. A coalesced ACK
 *   is one (x, y, i) with all its bytes; ACKs without a valid delay add bytes.
 * - Equal to the base RTT means above it by less than eps; slack, span rule,
 *   clamp of g and u_min are those of the authors' artifact.
 * - A queue that runs empty closes the batch. The paper lets it run on: it then
 *   holds the end of a drain and an empty queue, or its mean is below base + eps,
 *   and U_HAI is all that is left. Nor does a batch begin when the queue begins to
 *   fall: of a second one, begun when the first is half as long as tau, and the
 *   first, the steeper counts (each signal errs on the small side). A drain from
 *   D_target is at least tau long, so one of the two is within it. There the clamp
 *   of g is not the artifact's -0.9, which ends at gaps of ten. A flow with a
 *   thirtieth of the line has one packet or two in such a queue: the last one that met
 *   it and the first that found none bound g, too. No queue falls by more than 1, so
 *   that a steeper fall of two packets is noise. Flows do not end all at once: the
 *   queue falls the faster the more of them are gone, and the last packets alone tell
 *   how fast in the end. Of a thousand packets per BDP four in a row fell by less than
 *   noise: those that are kept are half of eps apart.
 * - While the queue falls by half of the line's rate or faster nobody gives way further.
 *   Where many first windows made it, flows whose own has drained already see a delay
 *   that those make who have not: each of their batches would take D_target / D once
 *   more, and the line had 43 % when the queue reached D_target (34 flows). Arrivals are
 *   less than half of the line then; once the queue falls slower than that, u_w counts.
 * - A batch in which packets overtook each other is one of ACK times. Packets of a
 *   longer way are told of late: in a batch of send times they are its oldest and have
 *   its largest delays, a slope of -1 whatever the queues do, and u_r without end: four
 *   flows over four ways, one of them of half the speed, filled any buffer there. On a
 *   single way both are the same: packets sent in dx arrive in (1 + g) dx.
 * - U_HAI doubles while the queue stays empty, not before a doubling can be seen: a
 *   packet sent after it is answered a base RTT later and in a batch tau later. The
 *   paper adds a hundredth of the line per batch, so that a gap of which a flow saw
 *   nothing is open for 50 base RTTs. When the link is full again all flows together
 *   ask for twice its speed at most, where a flow that starts asks for as much.
 *   hai_doubles = off is the paper's.
 * - With target_queue_ns D_target is base + target_queue_ns, and U_AI is scaled by 3
 *   target_queue_ns / D_target: as many bytes for every flow, and as it is where the
 *   base RTT is twice target_queue_ns. Flows of unlike base RTTs then agree on the
 *   queue, and settle at windows of u = U_AI D / (D - D_target), the same rates.
 * - U_AI is an eighth of a packet at least. A thousandth of the line is that where
 *   D_target holds 125 packets; where it holds 50, flows of two packets would take
 *   hundreds of base RTTs to have the three of others. And two ACKs close a batch of
 *   more than 3 tau, of which no slope counts: flows of two packets have no more in that
 *   time. few_packets = off is the paper's.
 * - W is carried out in whole packets, rounded up: the paper's hosts, too, send
 *   while less than W is in flight. Of up to 8 packets what was rounded up is no part of
 *   I, where the window was full (few_packets). Nor is I smaller because an ACK for two
 *   packets is for the first of two that left on one ACK: it is of both.
 * - While a flow that starts, or starts again, fills its window, what was in flight
 *   when a packet left is what it had sent so far, and not what the network carried
 *   for a delay: u_w is half of what it should be in the first batch, and less for the
 *   later of several flows. The rate is what it is: u_r alone counts above the target.
 * - The paper's hosts know the base RTT, and start with a BDP. TCP starts with ten packets,
 *   which tell it, and are a batch of a hundredth of the line where a BDP is a thousand
 *   packets: a flow alone would be some ten base RTTs late. Nor has it less than the line
 *   because the receiver's window still grows. free_start = off: without.
 * - Idle for more than a base RTT, beyond what its own pacing makes it wait for the packets
 *   that an ACK is for, a flow drops its batches. A second without a packet drops them always.
 * - A batch of a flow that its application held back lowers u, but never raises it.
 * - An ACK that the receiver may have held back proves a path free (delay <
 *   D_target), never congested: above that it adds bytes only.
 * - Of a W of a BDP, or nearly, what the receiver is seen to hold the SACKs of back is in
 *   flight besides (common/dcc_held.h): a hole would else stop the flow meanwhile.
 * - Loss and timeout: the paper reacts to neither (its networks lose nothing). A queue
 *   that is full before D_target is reached shows in no delay, and a way so long that its
 *   packets are given up tells none: what arrives is then what there is room for. What is
 *   sent again has no delay. Of a first window of which two packets arrived no batch would
 *   close, and the flow would send what is lost again and again at the speed of the line,
 *   until a timeout. But so few tell little, and how long others wait for what was lost again
 *   is no rate: a batch halves u at most, as the timeout does that is spared. Fewer
 *   losses than one in 16 are not worth a flow's rate: a link's errors, one bad way of many.
 * - The base RTT is the least delay seen, or base_rtt_ns if that is less: a flow
 *   that starts into a queue takes the queue for a part of the way else.
 * - C unknown, no memory for a batch, or send times unknown: no guess. The window
 *   then grows and is halved like Reno's, paced as the library does it.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _OSCAR_H
#define _OSCAR_H

#include "../common/dcc_dip.h"
#include "../common/dcc_flow_knobs.h"
#include "../common/dcc_lsq.h"
#include "../common/dcc_sample.h"
#include "../common/dcc_start.h"

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
	  "queueing delay below which the queue counts as empty")	\
	K(u_ai, "1/1000000", 0, 1000000, 1000, OSCAR_ALGS,		\
	  "U_AI, added to u after each batch that met a queue")		\
	K(few_packets, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "U_AI is 1/8 packet at least, and two ACKs close a batch of more than 3 tau") \
	K(u_hai, "1/1000000", 0, 1000000, 10000, OSCAR_ALGS,		\
	  "U_HAI, added to u after each batch that met none")		\
	K(hai_doubles, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "U_HAI doubles every 1.5 base RTTs without a queue")		\
	K(u_min, "1/1000000", 1, 1000000, 1000, OSCAR_ALGS,		\
	  "smallest share of the line")					\
	K(start_u, "1/1000000", 1, 1000000, 1000000, OSCAR_ALGS,	\
	  "share of the line a flow starts with")			\
	K(free_start, "off|on", 0, 1, 1, OSCAR_ALGS,			\
	  "until a flow meets a queue or a loss, u does not fall, and there are no dips") \
	K(sync_reference, "off|on", 0, 1, 1, OSCAR_ALGS,		\
	  "multiply onto what was in flight when the packets left; off: when their ACKs came")

/* Order matters: the first two groups are read as structs of their own. */
#define OSCAR_KNOBS(K)							\
	DCC_FLOW_KNOBS(K, OSCAR_ALGS)					\
	DCC_DIP_KNOBS(K, OSCAR_ALGS)					\
	OSCAR_OWN_KNOBS(K)

struct oscar_knobs {
	struct dcc_flow_knobs flow;
	struct dcc_dip_knobs dip;
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
	.dip = { DCC_DIP_KNOBS(DCC_KNOB_DEFAULT, 0) },			\
	OSCAR_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob oscar_knob[OSCAR_KNOB_COUNT];

/*
 * u is kept in 10^-15, so that the knobs' 10^-6 are exact and what two divisions
 * in a row round away stays below 10^-12 of the line: 50 bits.
 */
#define OSCAR_ONE		1000000000000000ULL
#define OSCAR_MILLIONTH		1000000000U	/* 10^-6, the knobs' unit */
#define OSCAR_MOST_TAU		1000000000U	/* ns: a batch spans a second at most */
#define OSCAR_LEAST_GRADIENT	(-900000000)	/* -0.9, in 1 / DCC_LSQ_ONE */
#define OSCAR_LEAST_DRAIN	(-999000000)	/* the same of a queue that ran empty */
#define OSCAR_FALLS		(-500000000)	/* half of what a line drains */
#define OSCAR_LEAST_COUNT	3		/* packets of a batch */
#define OSCAR_LEAST_DRAINED	2		/* of one that ends with an empty queue */
#define OSCAR_LONG_COUNT	2		/* of one that tells no rate */
#define OSCAR_FEW		8		/* packets: so many tell what was rounded up */
#define OSCAR_FEW_SHIFT		3		/* U_AI: 1/8 packet at least */
#define OSCAR_LAST		4		/* of packets in a queue: known one by one */
#define OSCAR_LONG_BATCH	3		/* tau: longer ones tell no rate */
#define OSCAR_DOUBLED_MOST	10		/* u_hai is 50 bits: 60 */
#define OSCAR_LOSS_SHIFT	4		/* lost: more than 1/16 of a batch */
#define OSCAR_BATCHES		2		/* at a time, half a tau apart */
#define OSCAR_SPRAYED		2		/* batches an overtaking counts for */

/* What an ACK led to: the low bits of the trace's "branch". */
enum oscar_branch {
	OSCAR_HOLD,		/* no batch closed */
	OSCAR_HYPER,		/* D < base + eps */
	OSCAR_SPEED_UP,		/* below the target: the larger of u_w, u_r */
	OSCAR_SLOW_DOWN,	/* else the smaller */
	OSCAR_LONG,		/* a batch longer than 3 tau: u_w */
	OSCAR_RENO,		/* line rate unknown, or no estimator */
};

#define OSCAR_BRANCH		0x0f
#define OSCAR_MARK_RATE		0x10	/* it was u_r that counted */
#define OSCAR_MARK_APP		0x20	/* the application was slow: not raised */
#define OSCAR_MARK_EMPTY	0x40	/* the queue ran empty: closed early */
#define OSCAR_MARK_LOST		0x80	/* too many packets were lost */

/* Whom a flow that starts has met. */
enum oscar_phase {
	OSCAR_MET,		/* somebody, or it does not look */
	OSCAR_FIRST,		/* its first flight has not come back yet */
	OSCAR_ALONE,		/* nobody so far */
};

#define OSCAR_PHASES		(OSCAR_ALONE + 1)
#define OSCAR_MET_SHIFT		3	/* more than 1/8 of the base RTT is others' queue */
#define OSCAR_ALONE_RTTS	8	/* base RTTs, in which there are no dips */

/**
 * struct oscar - state of one flow
 * @u: share of the line, 10^-15, at most OSCAR_ONE
 * @cwnd: window, bytes << DCC_CWND_SHIFT
 * @pacing: u * C, bytes/s; 0: C is unknown
 * @line_rate: C that @cwnd and @pacing were derived from; 0: from none
 * @ssthresh: Reno's threshold, as @cwnd
 * @empty_ns: length of the batches that met no queue, since @doubled changed
 * @alone_ns: when @phase became OSCAR_ALONE; 0: with the flow
 * @start: the first flight; in OSCAR_FIRST it counts, else what shares its place
 * @base_rtt_ns: base RTT that @cwnd was derived from; 0: from none
 * @delay_ns: D of the last batch; 0: none closed yet
 * @gradient: its g, 10^-6
 * @doubled: k, how often U_HAI has doubled: at most OSCAR_DOUBLED_MOST
 * @reno: does Reno have the window?
 * @phase: enum oscar_phase
 * @largest: is @cwnd, as it was derived, the BDP or nearly (dcc_held.h)?
 */
struct oscar {
	u64 u;
	u64 cwnd;
	u64 pacing;
	u64 line_rate;
	union {
		struct {
			u64 ssthresh;
			u64 empty_ns;
			u64 alone_ns;
		};
		struct dcc_start start;
	};
	u32 base_rtt_ns;
	u32 delay_ns;
	s32 gradient;
	u8 doubled;
	u8 reno;
	u8 phase;
	u8 largest;
};

static_assert(sizeof(u32) >= OSCAR_LAST, "a byte for each of the last packets");
static_assert(sizeof(struct oscar) <= 72, "no room in the socket");

/**
 * struct oscar_batch - packets since the last decision; zeroed is "none"
 * @lsq: their send times and delays
 * @inflight: sum of the bytes in flight: below 2^44
 * @bytes: delivered since the first of them
 * @first_ns: when the first one's ACK came, modulo 2^32
 * @lost: packets declared lost, by the first one's ACK, too; U16_MAX at most
 * @app_limited: was the application slow at one of them?
 * @filled: did one of them leave after an ACK of its flight came?
 * @empty: did one of them find no queue?
 * @halved: has the second batch begun in this one?
 */
struct oscar_batch {
	struct dcc_lsq lsq;
	u64 inflight;
	u64 bytes;
	u32 first_ns;
	u16 lost;
	bool app_limited : 1;
	bool filled : 1;
	bool empty : 1;
	bool halved : 1;
};

/**
 * struct oscar_packet - one of them
 * @sent_ns: when it left, modulo 2^32
 * @delay_ns: its delay; 0: nothing older is known either, nor looked at
 */
struct oscar_packet {
	u32 sent_ns;
	u32 delay_ns;
};

/**
 * struct oscar_packets - what a flow knows of its packets; zeroed is "nothing"
 * @batch: the first is what it decides on; the second, begun half a tau later, counts
 *         only when the queue runs empty
 * @last_ns: when the ACK of the last packet of a batch came
 * @last: the newest first; those behind it are half of eps apart if the queue fell
 * @acked: packets that were delivered with each of them, and after the next older one,
 *         U8_MAX at most: a byte each, the newest's the lowest
 * @sprayed: for so many batches, this one the first, ACK times count: packets overtook
 *           each other
 */
struct oscar_packets {
	struct oscar_batch batch[OSCAR_BATCHES];
	u64 last_ns;
	struct oscar_packet last[OSCAR_LAST];
	u32 acked;
	u8 sprayed;
};

/**
 * struct oscar_params - what follows from the network and the knobs
 * @line_rate: C, bytes/s; 0: unknown
 * @base_rtt_ns: 0: unknown
 * @target_ns: D_target
 * @tau_ns: tau
 * @u_ai: U_AI, 10^-15
 */
struct oscar_params {
	u64 line_rate;
	u64 u_ai;
	u32 base_rtt_ns;
	u32 target_ns;
	u32 tau_ns;
};

/**
 * struct oscar_estimate - what a batch told
 * @delay: D, ns << DCC_LSQ_MEAN_SHIFT: 40 bits
 * @inflight: I, bytes << DCC_CWND_SHIFT: 40 bits
 * @rate: bit/s
 * @gradient: g, not clamped yet, 1 / DCC_LSQ_ONE; 0: @rate is what arrived
 * @span_ns: from the first packet to the last, or from the first ACK
 * @app_limited: was the application slow?
 * @fills: did all packets leave before any ACK of their flight came, and few were lost?
 * @drained: did the queue run empty after it?
 * @falls: does the queue fall by half of the line's rate or faster?
 * @lossy: were too many packets lost to go by delays?
 */
struct oscar_estimate {
	u64 delay;
	u64 inflight;
	u64 rate;
	s64 gradient;
	u32 span_ns;
	bool app_limited;
	bool fills;
	bool drained;
	bool falls;
	bool lossy;
};

void oscar_params_set(struct oscar_params *p, const struct oscar_knobs *k,
		      u32 base_rtt_ns, u64 line_rate);
void oscar_init(struct oscar *o, const struct oscar_knobs *k, u64 line_rate,
		u64 cwnd_bytes);
void oscar_free_start(struct oscar *o, const struct oscar_knobs *k);
u64 oscar_first_window(const struct oscar *o);
void oscar_set_share(struct oscar *o, const struct oscar_params *p, u64 u);
u8 oscar_update(struct oscar *o, const struct oscar_knobs *k,
		const struct oscar_params *p, const struct oscar_estimate *e);
void oscar_on_ack(struct oscar *o, struct oscar_packets *seen,
		  const struct oscar_knobs *k, const struct dcc_sample *s,
		  struct dcc_decision *d);
void oscar_on_rto(struct oscar *o, struct oscar_packets *seen,
		  const struct oscar_knobs *k, u32 mss);
void oscar_on_idle(struct oscar_packets *seen);

#endif /* _OSCAR_H */
