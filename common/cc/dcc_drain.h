/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Min-RTT probes: how a flow learns the base RTT of a path whose queue never empties.
 *
 * A flow that starts into a standing queue takes it for a part of the path, aims
 * that much higher, and the last to come wins. No flow can empty the queue alone;
 * together the flows can, if they make their windows small at the same time. They
 * need not talk: all see the same queue, so all drain the queue when it is lowest.
 *
 *	low: the lowest delay seen, rising to srtt as the window of a leaky minimum,
 *	     by 1 / drain_rtts of the difference per srtt
 *	probe when delay <= low, two srtt after the last min-RTT probe at the earliest,
 *	     drain_rtts srtt after it at the latest; then for as long as it takes to
 *	     drain and one base RTT more
 *	     W' = W * part * base / delay, part 1/4 for the first min-RTT probes of a flow and
 *	     after the base RTT fell, which means that it had been wrong, else 7/8,
 *	     or 1/2 if delay > 2 base
 *	no min-RTT probe while delay <= base * 65 / 64, and what the hosts delay packets by
 *	     (dcc_jitter.h): the path is empty by itself
 *
 *	three min-RTT probes in a row that end above the base RTT, and none of which lowered the
 *	     delay: the path became longer, where the last one ended is the base RTT
 *	lowered: by half of what the link takes for what the min-RTT probe withheld, or more.
 *	     One that withholds too little to be seen does not count; where the link's rate is
 *	     not known none does
 *
 * A queue cannot give that: while the link is busy, each byte that a flow withholds is one
 * less in the queue. That drained queues end at the same delay proves nothing by itself:
 * flows whose smallest windows fill the path see it, too, and what took it for a longer
 * path had up to seven shares of the link.
 *
 * A min-RTT probe that many join empties the queue: its floor lies far below, low starts
 * from there, and the next is drain_rtts away for all of them. One that few joined
 * hardly lowers the delay, and they try again soon: so flows fall into step. The
 * algorithm does not see its min-RTT probes: its window is as it was, and does not grow on
 * what they measured.
 *
 * So do flows that are sprayed: where all their paths end in one queue, that of the
 * receiver's link, all of their packets wait in it. As long as one path is empty, some
 * packet is quick, and the flow does not drain the queue for what others do to the rest:
 *
 *	no min-RTT probe until two srtt after a delay <= base * 9 / 8, deep ones neither
 *	none is deep before the base RTT fell: many begin at once in a fabric, with
 *	     windows that fill it, and would pay a round trip for nothing
 *
 * A flow whose window still doubles (slow_start, dcc_start.h) does not drain the queue either
 * where its path is empty: the min-RTT probe would cost it most of its start. One that an algorithm
 * knows to be alone takes base * 9 / 8 for empty, too, and when it has started makes sure by one
 * min-RTT probe of 7/8 in the place of the three deep ones. If there was another flow after all,
 * the flow had most of the queue, the base RTT falls in that probe, and deep ones follow. Of one
 * that knows no other flow and nothing else, 9 / 8 would be too much: in a queue that it takes
 * for a part of the path, it may have most of the link for sixty RTTs.
 *
 * A fabric that is full on all paths at once makes them drain the queue now and then in vain. The
 * others need their first min-RTT probes: where a queue stands still, a flow that takes it for a
 * part of the path sees an empty path, and may have the whole link before others drain.
 *
 * BBR's PROBE_RTT (Cardwell et al., "BBR: Congestion-Based Congestion Control")
 * is the same for one flow in seconds; what sets the time there is a clock.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_DRAIN_H
#define _DCC_DRAIN_H

#include "dcc_knob.h"
#include "../math/dcc_types.h"

/* Of algorithms that drain the queue. */
#define DCC_DRAIN_KNOBS(K, algs)						\
	K(drain_rtts, "RTTs", 0, 1000, 8, algs,				\
	  "a min-RTT probe drains the queue at least every so many; 0: never") \
	K(host_jitter, "off|on", 0, 1, 1, algs,				\
	  "what the hosts delay packets by is no queue")

struct dcc_drain_knobs {
	DCC_DRAIN_KNOBS(DCC_KNOB_FIELD, 0)
};

#define DCC_DRAIN_SHIFT	8	/* of shares of the window */

/**
 * struct dcc_drain - a flow's min-RTT probes; all zero is "no delay yet"
 * @until_ns: when the newest min-RTT probe ends, or ended
 * @rest_ns: since when there was none, or no need of one; 0: no delay yet
 * @seen_ns: when the newest delay came
 * @low_ns: the leaky minimum of the delays; in a min-RTT probe the lowest since it began
 * @high_ns: the delay with which the newest min-RTT probe began
 * @withheld_ns: how long the link takes for what that min-RTT probe withholds
 * @share: of the window that this min-RTT probe leaves, << DCC_DRAIN_SHIFT
 * @deep: so many of the next min-RTT probes are deep
 * @none: min-RTT probes in a row that met no queue, though the delay is above the base RTT
 * @sure: is the next min-RTT probe to come, though the path looks empty?
 * @on: is there a min-RTT probe, or was what was acknowledged last sent in one?
 */
struct dcc_drain {
	u64 until_ns;
	u64 rest_ns;
	u64 seen_ns;
	u32 low_ns;
	u32 high_ns;
	u32 withheld_ns;
	u16 share;
	u8 deep;
	u8 none : 6,
	   sure : 1,
	   on : 1;
};

/**
 * struct dcc_drain_delay - a delay that a flow saw
 * @now_ns: the time
 * @sent_ns: when the packet was sent
 * @delay_ns: its delay, not 0
 * @srtt_ns: the smoothed RTT, not 0
 * @base_ns: the base RTT, not 0, @delay_ns regarded
 * @inflight: what the flow had in flight, bytes
 * @line_rate: how fast the host's link is, bytes/s; 0: unknown
 * @hosts_ns: what the hosts delay packets by, which is no queue
 * @fell: did the base RTT just fall by so much that it must have been wrong?
 * @limited: is it the window that limits the flow? Else it does not drain the queue
 * @starts: does the flow's window double?
 * @alone: is the flow alone, as far as its algorithm knows?
 * @paths: is the flow sprayed, by itself or by a switch?
 */
struct dcc_drain_delay {
	u64 now_ns;
	u64 sent_ns;
	u32 delay_ns;
	u32 srtt_ns;
	u32 base_ns;
	u32 inflight;
	u64 line_rate;
	u64 hosts_ns;
	bool fell;
	bool limited;
	bool starts;
	bool alone;
	bool paths;
};

u32 dcc_drain_on_delay(struct dcc_drain *p, const struct dcc_drain_knobs *k,
		       const struct dcc_drain_delay *d);

/**
 * dcc_drain_share() - what of the window may be used now
 * @p: state
 * @now_ns: the time
 *
 * Return: 1 << DCC_DRAIN_SHIFT: all of it.
 */
static inline u32 dcc_drain_share(const struct dcc_drain *p, u64 now_ns)
{
	return p->on && now_ns < p->until_ns ? p->share : 1U << DCC_DRAIN_SHIFT;
}

#endif /* _DCC_DRAIN_H */
