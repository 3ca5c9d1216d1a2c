// SPDX-License-Identifier: GPL-2.0
/*
 * Extension slow_start. The reference begins with its largest window, which takes knowing R.
 * A flow that knows neither that nor a first window begins with TCP's ten packets, and its
 * increases, which are made for windows that begin large, take tens of round trips to fill the
 * link. So the window doubles until a mark, a delay at the target, a loss, or a BDP, or until
 * its first flight shows that others have the link, too (common/cc/dcc_start.h): then W is what it
 * was when that flight left.
 */
#include "../common/math/dcc_wide.h"
#include "nscc.h"

/* A BDP, in units of the window. What a window grows is seen a round trip later. */
static u64 start_enough(const struct nscc_params *p, u64 line_rate)
{
	u64 bytes = dcc_mul_div(line_rate, p->base_rtt_ns, NSEC_PER_SEC);

	return min(bytes, p->max_window) << DCC_CWND_SHIFT;
}

/**
 * nscc_start() - an ACK of a flow that starts
 * @n: state; it has started if @n->starting is not set any more
 * @start: its first flight
 * @p: of nscc_params_set(), base RTT known
 * @e: the ACK
 * @s: the same
 *
 * Return: is the ACK dealt with? Otherwise it is the algorithm's.
 */
bool nscc_start(struct nscc *n, struct dcc_start *start, const struct nscc_params *p,
		const struct nscc_event *e, const struct dcc_sample *s)
{
	bool quiet = !e->ce && e->q_ns < p->target_ns;
	u64 room = 0;

	if (quiet && !e->cwnd_limited)
		return true;
	if (quiet)
		room = dcc_start_room(start, s, &n->cwnd, start_enough(p, s->line_rate),
				      DCC_START_WHOLE);
	if (!room)
		nscc_started(n, e->now_ns);
	n->cwnd += min(room, (u64)e->bytes << DCC_CWND_SHIFT);
	return room;
}
