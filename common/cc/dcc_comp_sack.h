/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SACK compression: packets that have arrived, of which the receiver has not reported yet.
 *
 * A receiver that misses a packet reports the next three at once, then all that came in a
 * fraction of the RTT and net.ipv4.tcp_comp_sack_slack_ns: the stock 100 us are as long as a
 * datacenter's round trip, or several. What it has not reported is not in the network, but in
 * flight by the stack's count. A window of one or two BDPs would be full of it, and the sender
 * silent. So while a hole is open, a sender whose algorithm has a largest window, and has
 * nearly grown to it, has as many packets more in flight as were reported at once before:
 *
 *	an ACK that reports n packets, with the hole still there, after three that reported
 *	some since it is the oldest:
 *	  n >= 7/8 late, n > 3, and the sender waited:  late = max(late, n)
 *	  n <  7/8 late:                                late -= late / 8, at least 1
 *	the sender waited: its window stopped it, and the turn of the next packet came an
 *	eighth of the base RTT ago at least
 *	a timeout, an idle time: late = 0
 *	while the hole is open, W >= 7/8 of its largest: min(late, 8 W) packets besides W
 *
 * Three SACKs, each of as many packets as the receiver's NIC aggregated, come at once again
 * whenever another hole is the oldest, and they say nothing of what is late. Nor is what is
 * still in flight a sign that the sender did not wait: a timer a little shorter than the RTT
 * leaves the last packets before the wait unreported. A flow that also acknowledges data of
 * its peer's seems never to wait, and learns nothing: the stack keeps one clock for all that
 * it sends.
 *
 * A sender that waited had no more than its window in flight: what is late grows with the
 * window until the wait ends, or the receiver reports by itself, as it does after
 * net.ipv4.tcp_comp_sack_nr packets. A receiver that lies gains no more than by lying of
 * what it got. It is the aggregation of ACKs that BBR allows for (draft-
 * cardwell-iccrg-bbr-congestion-control, "extra_acked"), where holes are what makes it.
 * The algorithms' windows are without it; what is in flight counts it. An algorithm without a
 * largest window finds its own by delays, whatever is late.
 *
 * Pure integer C; the caller serialises.
 */
#ifndef _DCC_COMP_SACK_H
#define _DCC_COMP_SACK_H

#include "../math/dcc_types.h"

#define DCC_COMP_SACK_AT_ONCE	3U	/* SACKs: TCP_FASTRETRANS_THRESH of any receiver */
#define DCC_COMP_SACK_EIGHTH	8U	/* less than 7/8 of it: it becomes an eighth less */
#define DCC_COMP_SACK_WINDOWS	8U	/* the most besides the window */

/**
 * dcc_comp_sack_learn() - a SACK, of later packets than the first that is missing
 * @late: packets thought to have arrived unreported
 * @reported: packets that it reports
 * @waited: had the sender stopped before that?
 *
 * Return: packets now thought to be late, at most U16_MAX.
 */
static inline u16 dcc_comp_sack_learn(u16 late, u32 reported, bool waited)
{
	u32 less = late - max_t(u32, late / DCC_COMP_SACK_EIGHTH, !!late);

	if (reported < less)
		return less;
	if (reported > DCC_COMP_SACK_AT_ONCE && waited && reported > late)
		return min_t(u32, reported, U16_MAX);
	return late;
}

/**
 * dcc_comp_sack_largest() - has a window grown as far as it may?
 * @cwnd: the algorithm's window
 * @largest: what it is at most, in the same unit, 61 bits; 0: there is no such bound
 *
 * Each loss takes something of it, so nearly as far.
 *
 * Return: true if so.
 */
static inline bool dcc_comp_sack_largest(u64 cwnd, u64 largest)
{
	return largest && cwnd >= largest - largest / DCC_COMP_SACK_EIGHTH;
}

/**
 * dcc_comp_sack_room() - packets to have in flight besides the algorithm's window
 * @late: packets thought to have arrived unreported
 * @sacked: packets SACKed, and not yet acknowledged: the hole is older than they are
 * @window: the algorithm's, packets
 *
 * Return: packets.
 */
static inline u32 dcc_comp_sack_room(u16 late, u32 sacked, u64 window)
{
	if (sacked < DCC_COMP_SACK_AT_ONCE)
		return 0;
	return min_t(u64, late, DCC_COMP_SACK_WINDOWS * window);
}

#endif /* _DCC_COMP_SACK_H */
