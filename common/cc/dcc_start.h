/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a flow that starts finds out whether the link is free: by its first flight.
 *
 *	a flight that no ACK let out left at the link rate C, and comes back at
 *	C / (1 + load): what others have of the queue's output is between its packets
 *	alone: since the flight's first ACK at least C / 1.4 came back, give or take a
 *	packet; so others have less than 0.4 of the link
 *	of a sprayed flow give or take four packets, fewer than eight count as eight, and
 *	a part of the flight, what comes last, may come when it likes (@look)
 *
 * The slack is for what is no company: sprayed flows of neighbours put unlike numbers of
 * packets on each link for a moment, and ACKs wait behind data that takes their path. In a
 * ring of eight hosts, sprayed, where no other flow is in a flow's path, one in twenty
 * took that for others, and three times as long as the rest, so that the ring took 2.6
 * times its bound; so 1.95. For all flows it is too much: 16 late ones of mswift at
 * 100 Gbit/s x 12 us would share with .82 instead of .90, and one of nscc that joins
 * another would get 420 KB through in ten RTTs instead of 600.
 *
 * A slow path or two of many are not company either, for an algorithm that goes by the median of
 * delays: with one of eight spines at half speed one to four of eight mswift flows ended
 * their start with the first flight, and took 9 to 10 ms for what the others had in 7. For
 * others the whole flight counts: of 12 flows that join one after the other, sprayed over a
 * fat-tree, nscc's would share with a Jain index of .94 instead of .97, oscar's with .87
 * instead of .97.
 *
 * Delay says less: where others make room at once, as these algorithms do, a newcomer that
 * doubles sees no queue until it has the link (measured: 16 late flows of mswift at
 * 100 Gbit/s share with a Jain index of .46 if delay alone ends their start, .91 so).
 *
 * An algorithm doubles its window as long as the flow is alone and there is room, up to what
 * the link carries; then its own rules go on. What the window grew since the flight left
 * is taken back when it turns out not to have been alone.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_START_H
#define _DCC_START_H

#include "dcc_flow_knobs.h"
#include "dcc_sample.h"

/* Of algorithms whose windows double at first. */
#define DCC_START_KNOB(K, algs)						\
	K(slow_start, "off|on", 0, 1, 1, algs,				\
	  "without init_cwnd windows double at first while the link is free; off: never")

/**
 * struct dcc_start - the flight of a flow that starts; all zero is "none yet"
 * @flight_ns: when its first ACK came; 0: an ACK let the newest packet out
 * @flight_cwnd: the window then, in the algorithm's unit
 * @flight_acked: packets acknowledged since then, without that ACK's
 * @flight_left: packets that were still to come then
 */
struct dcc_start {
	u64 flight_ns;
	u64 flight_cwnd;
	u32 flight_acked;
	u32 flight_left;
};

#define DCC_START_PACKETS	10U	/* RFC 6928's first window, the stack's */
#define DCC_START_WHOLE		100U	/* percent of a flight: all of it is looked at */

/**
 * dcc_start_unconfigured() - is no first window configured?
 * @k: knobs of how a flow sends
 * @cwnd: the window it has, in any unit
 * @packet: a packet in that unit
 *
 * A knob that says one, or a larger one of the route, says how to start.
 *
 * Return: true if so.
 */
static inline bool dcc_start_unconfigured(const struct dcc_flow_knobs *k, u64 cwnd, u64 packet)
{
	return !k->init_cwnd && cwnd <= DCC_START_PACKETS * packet;
}

bool dcc_start_alone(struct dcc_start *f, const struct dcc_sample *s, u64 cwnd, u32 look);
u64 dcc_start_room(struct dcc_start *f, const struct dcc_sample *s, u64 *cwnd, u64 enough,
		   u32 look);

#endif /* _DCC_START_H */
