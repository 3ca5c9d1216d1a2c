/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tail loss probes within round trips. A flow that has its whole window in flight sends
 * nothing until something comes back. If all of it was lost, that is never, and timers of the
 * stack, whole jiffies long, have to find out. So it is with a retransmission that was lost, if no
 * new data follows. One packet more, sent when the answer is overdue, is a probe:
 *
 *	after silence of 2, then 4, 8, 16, 32 srtt
 *
 * The stack's tail loss probe (RFC 8985) has the first of them, and a jiffy or two besides;
 * not in a recovery. An answer that was only late, since a queue grew to dozens of round trips
 * in one, has cost five packets. What is then still silent is left to the retransmission
 * timeout.
 *
 * Pure integer C; time is an argument.
 */
#ifndef _DCC_TLP_H
#define _DCC_TLP_H

#include "../math/dcc_types.h"

#define DCC_TLP_RTTS	2U	/* as RFC 8985 has it */
#define DCC_TLP_TRIES	5U	/* 62 srtt in all; 7 at most, of 3 bits */

/*
 * A window larger than that is not lost whole for want of room in a buffer: flows so
 * fast are few on a link. Nor has a fast flow to bear a timer for each ACK. A first
 * window of ten packets is doubled before its first loss is heard of, and then some.
 */
#define DCC_TLP_MOST	32U

/**
 * dcc_tlp_full() - does the window let nothing out until something comes back?
 * @flight: packets in flight
 * @cwnd: the window, packets, not 0
 *
 * Return: true if so.
 */
static inline bool dcc_tlp_full(u32 flight, u32 cwnd)
{
	return flight >= cwnd;
}

/**
 * dcc_tlp_room() - may a probe be in flight besides?
 * @flight: packets in flight
 * @clamp: the most the administrator allows, packets
 *
 * Return: true if so.
 */
static inline bool dcc_tlp_room(u32 flight, u32 clamp)
{
	return flight < min(clamp, DCC_TLP_MOST);
}

/**
 * dcc_tlp_due() - when silence has lasted too long
 * @since_ns: since when nothing left, and nothing was heard
 * @srtt_ns: smoothed RTT, not 0
 * @tries: probes since something was heard, below DCC_TLP_TRIES
 *
 * At most 32 * 4.3 s after @since_ns, 37 bits.
 *
 * Return: ns.
 */
static inline u64 dcc_tlp_due(u64 since_ns, u32 srtt_ns, u32 tries)
{
	return since_ns + ((u64)srtt_ns * DCC_TLP_RTTS << tries);
}

/**
 * dcc_tlp_in_host() - since when to count while packets wait in this host's queues
 * @since_ns: since when nothing left, and nothing was heard
 * @now_ns: now
 *
 * Silence has not begun. But a queue may stand still for minutes (a link that is paused,
 * a qdisc that was set so), and looking each time after two srtt would cost a timer
 * every few microseconds. So what they have waited is waited again: the number of looks
 * grows with the logarithm of the time.
 *
 * Return: ns, not before @now_ns.
 */
static inline u64 dcc_tlp_in_host(u64 since_ns, u64 now_ns)
{
	return now_ns + (now_ns > since_ns ? now_ns - since_ns : 0);
}

#endif /* _DCC_TLP_H */
