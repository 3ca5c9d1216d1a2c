/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LEDBAT: a window that follows the queueing delay, up below a target and down
 * above it, each in proportion to the distance.
 *
 *   base    = least delay of the last ten minutes: a minimum for each of them
 *   current = least of the last 4 delays
 *   q       = current - base
 *   on an ACK: W += gain * (target - q) / target * acked / W
 *              2 <= W <= packets in flight before the ACK + 1
 *   on a loss, once per RTT: W = max(W / 2, 2)
 *   on a timeout: W = 1, from the next ACK on 2
 *   while a flow starts, from ten packets if nothing else is configured: below the target
 *     W += acked, C * (base + target) at most, in the place of the increase. C = line
 *     rate; unknown, it does not start so.
 *     It has started when q >= target, W = C * (base + target), or a loss or a timeout
 *     cut it; or when the initial burst is acknowledged more slowly than the link
 *     carries them (common/cc/dcc_start.h). Then others are there, and W is what it was when
 *     the first of them was acknowledged. The bound by what is in flight holds from an RTT
 *     after that on; the delay of packets that no ACK let out ends no start
 *
 * Source: Shalunov et al., "Low Extra Delay Background Transport (LEDBAT)", RFC
 * 6817, section 2.4.2.
 *
 * Differences from the RFC:
 * - The delay is the round trip. One direction needs time stamps of the receiver, and
 *   its clock.
 * - The target's default is what data centres have for a queue, not the 100 ms of
 *   home routers, which the RFC allows at most.
 * - Delays are of packets of any size, as there. A short one's is less by the bits of a
 *   full one, over all links, and is the base for ten minutes: of a flow that sends such
 *   at 1 Gbit/s and less it costs as much of the target.
 * - Without memory for the delays, the base is the flow's base RTT, which never
 *   grows, and each delay is its own minimum.
 * - An ACK that the receiver may have delayed proves a path free (q < target),
 *   never congested: above that it only delivers.
 * - The window doubles at first where the link is free. By GAIN alone a flow takes as
 *   many RTTs as the path holds packets. init_cwnd = 10 is the stack's first window and
 *   GAIN from then on.
 * - Packets leave at the pace at which ACKs come, so what a start adds is in flight an RTT
 *   later. The first ten leave at once, as the stack has it, and wait for each other in
 *   the host: of a slow link that is more than the target, and of no other flow.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _LEDBAT_H
#define _LEDBAT_H

#include "../common/math/dcc_fixed.h"
#include "../common/cc/dcc_flow_knobs.h"
#include "../common/cc/dcc_ledbat.h"
#include "../common/cc/dcc_sample.h"
#include "../common/cc/dcc_start.h"

enum ledbat_variant {
	LEDBAT_LEDBAT,
	LEDBAT_VARIANTS
};

#define LEDBAT_ALL	((1U << LEDBAT_VARIANTS) - 1)

#define LEDBAT_OWN_KNOBS(K)						\
	DCC_LEDBAT_KNOB(K, LEDBAT_ALL)					\
	K(target_qdelay_us, "us", 1, 100000, 25, LEDBAT_ALL,		\
	  "queueing delay aimed at, LEDBAT's TARGET")

/* Order matters: the first group is read as a struct of its own. */
#define LEDBAT_KNOBS(K)							\
	DCC_FLOW_KNOBS(K, LEDBAT_ALL)					\
	LEDBAT_OWN_KNOBS(K)

struct ledbat_knobs {
	struct dcc_flow_knobs flow;
	LEDBAT_OWN_KNOBS(DCC_KNOB_FIELD)
};

enum ledbat_knob_index {
	LEDBAT_KNOBS(DCC_KNOB_INDEX)
	LEDBAT_KNOB_COUNT
};

static_assert(sizeof(struct ledbat_knobs) == LEDBAT_KNOB_COUNT * sizeof(u32),
	      "knob table and struct differ");

#define LEDBAT_DEFAULTS {						\
	.flow = { DCC_FLOW_KNOBS(DCC_KNOB_DEFAULT, 0) },		\
	LEDBAT_OWN_KNOBS(DCC_KNOB_DEFAULT)				\
}

extern const struct dcc_knob ledbat_knob[LEDBAT_KNOB_COUNT];

#define LEDBAT_MINUTES		10	/* BASE_HISTORY */
#define LEDBAT_CURRENT		4	/* CURRENT_FILTER */
#define LEDBAT_LEAST		2	/* MIN_CWND, packets */
#define LEDBAT_ALLOWED		1	/* ALLOWED_INCREASE, packets */

/* Which rule fired: the trace's "branch". */
enum ledbat_branch {
	LEDBAT_HOLD,		/* no delay known */
	LEDBAT_INCREASE,	/* below the target, or at it */
	LEDBAT_DECREASE,
	LEDBAT_LOSS,
	LEDBAT_START,		/* as LEDBAT_INCREASE, of a flow that starts */
};

/**
 * struct ledbat - state of one flow
 * @cwnd: window, packets << DCC_PKT_SHIFT
 * @last_cut_ns: when a loss last halved it; 0: none did
 * @start: of a flow that starts, its flight
 * @started_ns: when it last doubled; 0: never
 * @starting: does the window double?
 */
struct ledbat {
	u64 cwnd;
	u64 last_cut_ns;
	struct dcc_start start;
	u64 started_ns;
	u8 starting;
};

/**
 * struct ledbat_history - recent delays; zeroed is "none"
 * @base: least of each minute, ns, the newest first; 0: none
 * @recent: the last ones, ns; 0: none
 * @minute: of base[0], counted from 1; 0: none yet
 * @next: which of @recent is the oldest
 */
struct ledbat_history {
	u32 base[LEDBAT_MINUTES];
	u32 recent[LEDBAT_CURRENT];
	u32 minute;
	u32 next;
};

void ledbat_history_add(struct ledbat_history *h, u32 delay_ns, u64 now_ns);
u32 ledbat_history_base(const struct ledbat_history *h);
u32 ledbat_history_current(const struct ledbat_history *h);
void ledbat_init(struct ledbat *l, u32 cwnd_pkts);
void ledbat_slow_start(struct ledbat *l, const struct ledbat_knobs *k);
void ledbat_on_ack(struct ledbat *l, struct ledbat_history *h,
		   const struct ledbat_knobs *k, const struct dcc_sample *s,
		   struct dcc_decision *d);
void ledbat_on_rto(struct ledbat *l);
void ledbat_on_idle(struct ledbat_history *h);

#endif /* _LEDBAT_H */
