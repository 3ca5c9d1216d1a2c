// SPDX-License-Identifier: GPL-2.0
/*
 * The answer to a probe, as the stack sees it: a DSACK of one byte. It counts that as a
 * spurious retransmission, from which it learns how far packets overtake each other, and takes
 * one packet more for delivered. A stack that asks (owns_dsack() of struct
 * tcp_congestion_ops, which the series of packaging/upstream adds) leaves such a DSACK out.
 * Elsewhere its counts are put back. Everything here runs with the socket locked.
 *
 * Of TCP's it writes undo_marker, dsack_dups, delivered, rack.dsack_seen.
 */
#include <net/tcp.h>

#include "dcc_core.h"

#ifdef DCC_HAVE_OWNS_DSACK

void dcc_dsack_begin(const struct tcp_sock *tp, struct dcc_suspension *h)
{
	h->dups = 0;
}

void dcc_dsack_expect(struct tcp_sock *tp, struct dcc_suspension *h)
{
	h->dups = 0;
}

bool dcc_dsack_came(struct tcp_sock *tp, struct dcc_suspension *h, u32 delivered)
{
	bool answered = h->dups;

	h->dups = 0;
	return answered;
}

/**
 * dcc_owns_dsack() - did this range, which the peer has twice, come from a probe?
 * @sk: a TCP socket, locked
 * @start_seq: its first byte
 * @end_seq: the byte after it
 *
 * One that no probe is out for is late because another ACK passed for the answer.
 *
 * Return: true if so.
 */
bool dcc_owns_dsack(struct sock *sk, u32 start_seq, u32 end_seq)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct dcc_suspension *h;

	if (!flow->ready || !flow->mem || !alg->on_probe || end_seq - start_seq != 1)
		return false;
	h = dcc_flow_suspension(flow, alg);
	if (!h->probes || after(end_seq, h->una))
		return false;
	if (h->out || h->plain)
		h->dups++;
	return true;
}
EXPORT_SYMBOL_GPL(dcc_owns_dsack);

#else

/**
 * dcc_dsack_begin() - from now on DSACKs may be answers
 * @tp: a TCP socket, locked
 * @h: of its flow, which is being suspended
 */
void dcc_dsack_begin(const struct tcp_sock *tp, struct dcc_suspension *h)
{
	h->dups = tp->dsack_dups;
}

/**
 * dcc_dsack_expect() - a probe leaves
 * @tp: a TCP socket, locked
 * @h: of its flow
 *
 * Its answer must not pass for proof that a retransmission was spurious.
 */
void dcc_dsack_expect(struct tcp_sock *tp, struct dcc_suspension *h)
{
	h->dups = tp->dsack_dups;
	h->dsack_seen = tp->rack.dsack_seen;
	tp->undo_marker = 0;
}

/**
 * dcc_dsack_came() - does this ACK say that a byte came twice, as a probe's did?
 * @tp: a TCP socket, locked
 * @h: of its flow, which is suspended
 * @delivered: packets that were delivered before
 *
 * Nothing but the stack's counts is left of it by now. They are put back, unless the stack
 * knows of no retransmission, and so did not count; those of an ACK that was overtaken it has
 * not counted. A DSACK that no probe is out for is the stack's, or late because another ACK
 * passed for the answer.
 *
 * Return: true if so.
 */
bool dcc_dsack_came(struct tcp_sock *tp, struct dcc_suspension *h, u32 delivered)
{
	u32 segs = tp->dsack_dups - h->dups;

	if (!segs)
		return false;
	if (!h->out && !h->plain) {
		h->dups = tp->dsack_dups;
		return false;
	}
	if (tp->dsack_dups <= tp->total_retrans) {
		tp->delivered -= min(segs, tp->delivered - delivered);
		tp->rack.dsack_seen = h->dsack_seen;
	}
	WRITE_ONCE(tp->dsack_dups, h->dups);
	return true;
}

#endif
