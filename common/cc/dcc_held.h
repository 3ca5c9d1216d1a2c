/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets that have arrived, of which the receiver has not told yet.
 *
 * A receiver that misses a packet tells at once of the next three only, then of all that
 * came in a fraction of the RTT and net.ipv4.tcp_comp_sack_slack_ns: the stock 100 us are
 * as long as a datacenter's round trip, or several. What it holds back is not in the
 * network, but in flight by the stack's count; a window of one or two BDPs would be full of
 * it, and the sender silent. So while a hole is open, a sender whose algorithm has a largest
 * window, and has nearly grown to it, has as many packets more in flight as it was told of
 * at once before:
 *
 *	an ACK that tells of `told` packets, with the hole still there, after three that told
 *	of some since it is the oldest:
 *	  told >= 7/8 held, told > 3, and the sender waited:  held = max(held, told)
 *	  told <  7/8 held:                                   held -= held / 8, at least 1
 *	the sender waited: its window stopped it, and the turn of the next packet came an
 *	eighth of the base RTT ago at least
 *	a timeout, an idle time: held = 0
 *	while the hole is open, W >= 7/8 of its largest: min(held, 8 W) packets besides W
 *
 * Three SACKs, each of as many packets as the receiver's card merged, come at once again
 * whenever another hole is the oldest, and they say nothing of what is held. Nor is what is
 * still in flight a sign that nobody waited: a timer a little shorter than the RTT leaves the
 * last packets before the wait untold. A flow that acknowledges data that comes the other way
 * seems never to wait, and learns nothing: the stack keeps one clock for all that it sends.
 *
 * A sender that waited had no more than its window to be told of: held grows with the
 * window until the wait ends, or the receiver tells by itself, as it does after
 * net.ipv4.tcp_comp_sack_nr packets. A receiver that lies gains no more than by lying of
 * what it got. It is the aggregation of ACKs that BBR allows for (draft-
 * cardwell-iccrg-bbr-congestion-control, "extra_acked"), where holes are what makes it.
 * The algorithms' windows are without it; what is in flight counts it. An algorithm without a
 * largest window finds its own by delays, whatever is held.
 *
 * Pure integer C; the caller serialises.
 */
#ifndef _DCC_HELD_H
#define _DCC_HELD_H

#include "../math/dcc_types.h"

#define DCC_HELD_AT_ONCE	3U	/* SACKs: TCP_FASTRETRANS_THRESH of any receiver */
#define DCC_HELD_EIGHTH		8U	/* less than 7/8 of it: it becomes an eighth less */
#define DCC_HELD_WINDOWS	8U	/* the most besides the window */

/**
 * dcc_held_learn() - a SACK, of later packets than the first that is missing
 * @held: packets thought to be held back
 * @told: packets that it told of
 * @waited: had the sender stopped before that?
 *
 * Return: packets now thought to be held back, at most U16_MAX.
 */
static inline u16 dcc_held_learn(u16 held, u32 told, bool waited)
{
	u32 less = held - max_t(u32, held / DCC_HELD_EIGHTH, !!held);

	if (told < less)
		return less;
	if (told > DCC_HELD_AT_ONCE && waited && told > held)
		return min_t(u32, told, U16_MAX);
	return held;
}

/**
 * dcc_held_largest() - has a window grown as far as it may?
 * @cwnd: the algorithm's window
 * @largest: what it is at most, in the same unit, 61 bits; 0: there is no such bound
 *
 * Each loss takes something of it, so nearly as far.
 *
 * Return: true if so.
 */
static inline bool dcc_held_largest(u64 cwnd, u64 largest)
{
	return largest && cwnd >= largest - largest / DCC_HELD_EIGHTH;
}

/**
 * dcc_held_room() - packets to have in flight besides the algorithm's window
 * @held: packets thought to be held back
 * @sacked: packets SACKed, and not yet acknowledged: the hole is older than they are
 * @window: the algorithm's, packets
 *
 * Return: packets.
 */
static inline u32 dcc_held_room(u16 held, u32 sacked, u64 window)
{
	if (sacked < DCC_HELD_AT_ONCE)
		return 0;
	return min_t(u64, held, DCC_HELD_WINDOWS * window);
}

#endif /* _DCC_HELD_H */
