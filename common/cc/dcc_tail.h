/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When to ask after a tail: a flow that has its whole window in flight sends nothing
 * until something comes back. If all of it was lost, that is never, and timers of the
 * stack, whole ticks long, have to tell. So it is with what was lost and sent again, and
 * was lost again, if no new data follows. A packet more, sent when the answer is overdue,
 * asks within round trips:
 *
 *	after silence of 2, then 4, 8, 16, 32 srtt
 *
 * The stack's tail-loss probe (RFC 8985) has the first of them, and a tick or two
 * besides; not in a recovery. An answer that was only late, since a queue grew to dozens
 * of round trips in one, has cost five packets. What is then still silent is left to the
 * retransmission timeout.
 *
 * Pure integer C; time is an argument.
 */
#ifndef _DCC_TAIL_H
#define _DCC_TAIL_H

#include "../math/dcc_types.h"

#define DCC_TAIL_RTTS	2U	/* as RFC 8985 has it for a tail-loss probe */
#define DCC_TAIL_TRIES	5U	/* 62 srtt in all; 7 at most, of 3 bits */

/*
 * A window larger than that is not lost whole for want of room in a buffer: flows so
 * fast are few on a link. Nor has a fast flow to bear a timer for each ACK. A first
 * window of ten packets is doubled before its first loss is heard of, and then some.
 */
#define DCC_TAIL_MOST	32U

/**
 * dcc_tail_full() - does the window let nothing out until something comes back?
 * @flight: packets in flight
 * @cwnd: the window, packets, not 0
 *
 * Return: true if so.
 */
static inline bool dcc_tail_full(u32 flight, u32 cwnd)
{
	return flight >= cwnd;
}

/**
 * dcc_tail_room() - may a packet more be in flight to ask?
 * @flight: packets in flight
 * @clamp: the most the administrator allows, packets
 *
 * Return: true if so.
 */
static inline bool dcc_tail_room(u32 flight, u32 clamp)
{
	return flight < min(clamp, DCC_TAIL_MOST);
}

/**
 * dcc_tail_due() - when silence has lasted too long
 * @since_ns: since when nothing left, and nothing was heard
 * @srtt_ns: smoothed RTT, not 0
 * @tries: how often was asked since something was heard, below DCC_TAIL_TRIES
 *
 * At most 32 * 4.3 s after @since_ns, 37 bits.
 *
 * Return: ns.
 */
static inline u64 dcc_tail_due(u64 since_ns, u32 srtt_ns, u32 tries)
{
	return since_ns + ((u64)srtt_ns * DCC_TAIL_RTTS << tries);
}

/**
 * dcc_tail_in_host() - since when to count while packets wait in this host's queues
 * @since_ns: since when nothing left, and nothing was heard
 * @now_ns: now
 *
 * Silence has not begun. But a queue may stand still for minutes (a link that is paused,
 * a qdisc that somebody set so), and looking each time after two srtt would cost a timer
 * every few microseconds. So what they have waited is waited again: the number of looks
 * grows with the logarithm of the time.
 *
 * Return: ns, not before @now_ns.
 */
static inline u64 dcc_tail_in_host(u64 since_ns, u64 now_ns)
{
	return now_ns + (now_ns > since_ns ? now_ns - since_ns : 0);
}

#endif /* _DCC_TAIL_H */
