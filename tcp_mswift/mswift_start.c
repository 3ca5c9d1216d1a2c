// SPDX-License-Identifier: GPL-2.0
/*
 * Extension slow_start. Neither Swift's paper nor the median's says how a flow starts. By
 * additive increase alone it takes as many RTTs as the path holds packets. So the window of a
 * flow whose first one is not configured doubles, up to what the link carries in the target,
 * until a delay at the target or a cut, or until its first flight shows that others have the
 * link, too (common/cc/dcc_start.h): then W is what it was when that flight left.
 */
#include "../common/math/dcc_wide.h"
#include "mswift.h"

#define START_FELL	4	/* a base RTT that fell by a quarter was wrong */

/**
 * mswift_slow_start() - the flow is a new one, not one whose window is known
 * @m: state, after mswift_init()
 * @k: knobs
 */
void mswift_slow_start(struct mswift *m, const struct mswift_knobs *k)
{
	m->swift.starting = k->slow_start &&
			    dcc_start_unconfigured(&k->flow, m->swift.cwnd, DCC_PKT);
}

/**
 * mswift_start() - an ACK below the target, of a flow that starts
 * @m: state; it has started if @m->swift.starting is not set any more
 * @k: knobs
 * @s: the ACK, which found the window limiting the flow
 * @target: ns
 *
 * A few slow paths do not move the median, so they do not indicate competing traffic.
 *
 * Return: did the window grow by what was acknowledged? Otherwise the ACK is Swift's.
 */
bool mswift_start(struct mswift *m, const struct mswift_knobs *k,
		  const struct dcc_sample *s, u32 target)
{
	u64 enough = min(dcc_carried_pkts(s->line_rate, target, s->mss),
			 (u64)k->swift.max_cwnd << DCC_PKT_SHIFT);
	u32 look = m->variant == MSWIFT_MSWIFT ? k->percentile : DCC_START_WHOLE;
	u64 room = dcc_start_room(&m->start, s, &m->swift.cwnd, enough, look);

	m->swift.starting = room != 0;
	if (room)
		dcc_swift_grow(&m->swift, &k->swift, min((u64)s->acked << DCC_PKT_SHIFT, room),
			       DCC_PKT, 1);
	return room;
}

/**
 * mswift_base() - the base RTT as it is now
 * @m: state
 * @k: knobs
 * @base_ns: the base RTT; 0: unknown
 *
 * A flow that started into a queue took it for a part of the path, and aimed that much
 * too high. When the base RTT turns out to be less, so is what the flow should have. Not
 * of a flow whose target is configured; after a silence the base RTT may be unknown.
 */
void mswift_base(struct mswift *m, const struct mswift_knobs *k, u32 base_ns)
{
	u64 fits;

	if (m->swift.starting && base_ns)
		m->start_base_ns = base_ns;
	if (base_ns >= m->start_base_ns - m->start_base_ns / START_FELL)
		return;
	if (!base_ns || k->swift.base_target_us)
		return;
	fits = dcc_mul_div(m->swift.cwnd, base_ns, m->start_base_ns);
	m->swift.cwnd = max(fits, min(m->swift.cwnd, DCC_PKT));
	m->start_base_ns = base_ns;
}
