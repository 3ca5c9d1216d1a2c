/* SPDX-License-Identifier: GPL-2.0 */
/* What a flow has: the library's part of its private state in the socket, and its memory. */
#ifndef _DCC_FLOW_H
#define _DCC_FLOW_H

#include <net/tcp.h>

#include "../cc/dcc_probe_timer.h"
#include "../cc/dcc_back.h"
#include "../cc/dcc_drain.h"
#include "../cc/dcc_comp_sack.h"
#include "../cc/dcc_calm.h"
#include "../cc/dcc_jitter.h"
#include "../path/dcc_ring.h"
#include "../path/dcc_spray.h"

#define DCC_FIRST_RECORDS	16U	/* until more packets were in flight */

/**
 * struct dcc_mem - a flow's memory, with the socket's lock
 * @ring: send records; none before the first data packet
 * @spray: its path selector; NULL: none, or no data sent yet
 * @extra: the algorithm's own memory; NULL before the first data packet, and if it
 *	wants none
 * @key: the source of the labels' randomness
 * @labelled: packets that got a label without a selector so far: data, for the
 *	namespace's knob, of a flow that has no selector, pure ACKs and probes of one that
 *	has
 * @delivered: the stack's count of delivered packets at the last sample
 * @lost: its count of lost ones
 * @una: the first byte not acknowledged then
 * @echo_rcv_nxt: what was received in order before the newest packet
 * @back: what is known of its reverse path
 * @own_ring: does @ring lie in an allocation of its own?
 * @own_extra: does @extra?
 * @sacks: SACKs since @una moved, up to as many as a receiver sends at once
 * @comp_sacks: packets thought to have arrived unreported, of dcc_comp_sack.h
 * @knobs: the flow's snapshot of its knobs; behind them, if the algorithm may suspend its
 *	flows, struct dcc_suspension, if it drains the queue, struct dcc_drain
 *
 * An idle connection has this and its knobs, 256 B. The first data packet makes
 * it an allocation of at most 1 KiB with the hosts' jitter, the selector, the algorithm's
 * memory and 16 records; from then on records double whenever more are in flight, as far as the
 * knob lets them, and the algorithm gets the rest of what it wants the first time.
 */
struct dcc_mem {
	struct dcc_ring ring;
	struct dcc_spray *spray;
	void *extra;
	u64 key;
	u32 labelled;
	u32 delivered;
	u32 lost;
	u32 una;
	u32 echo_rcv_nxt;
	struct dcc_back back;
	u8 own_ring : 1,
	   own_extra : 1,
	   sacks : 2;
	u16 comp_sacks;
	u32 knobs[];
};

/*
 * A connection starts with up to 16 ACKs at once (TCP_MAX_QUICKACKS), and after a
 * loss has as many again: twice that is no start.
 */
#define DCC_SINGLE_SURE	32

/**
 * struct dcc_flow - the library's part of a flow's private state
 * @mem: NULL: not started yet, or no memory
 * @base_rtt_ns: smallest delay of the largest packets seen; 0: unknown
 * @srtt_ns: smoothed delay of its packets, gain 1/8; 0: unknown
 * @delay_ns: what the algorithm acted on last
 * @delivered_ce: the stack's count of CE-marked packets at the last sample, modulo
 *	2^16: no ACK is for so many
 * @priority: its level, of algorithms that know any, else 0
 * @tlp: tail loss probes since something was delivered, see dcc_tlp.h
 * @tlp_open: is the window opened by one packet for a probe?
 * @tlp_look: may a timer be set for a probe, or may one have to be?
 * @capped: have its GSO packets a limit of this project's?
 * @paced: with nothing in flight, does data wait for its turn?
 * @base_len: payload of the packets @base_rtt_ns was taken from
 * @info: facts that a user should be able to see: DCC_INFO_* of dcc_cc_info.h
 * @ready: did dcc_flow_init() run? Zeroed state means "not started yet"
 * @waiting: chosen while connecting: it starts when the connection stands
 * @recovery: fast recovery entered since the last sample?
 * @restart: delay history void since the last sample?
 * @tolerant: does the stack take reordering for normal?
 * @small: is the window so small that pacing carries it out?
 * @echo_ce: was the newest packet received marked CE?
 * @starved: did an allocation fail since the last ACK? Then none is tried
 * @starts: does its window double, so that it does not drain the queue?
 * @alone: does it see no other flow on its path, so that it drains the queue to make sure only?
 * @clamped: is its priority above the levels there are?
 * @suspended: did its algorithm suspend it? Then there is @mem, with struct dcc_suspension
 * @single: ACKs in a row that were for one packet though more were on the way, as
 *	a receiver sends them that delays none; up to DCC_SINGLE_SURE
 */
struct dcc_flow {
	struct dcc_mem *mem;
	u32 base_rtt_ns;
	u32 srtt_ns;
	u32 delay_ns;
	u16 delivered_ce;
	u8 priority;
	u8 tlp : 3,
	   tlp_open : 1,
	   tlp_look : 1,
	   capped : 1,
	   paced : 1;
	u16 base_len;
	u16 info;
	u16 ready : 1,
	    waiting : 1,
	    recovery : 1,
	    restart : 1,
	    tolerant : 1,
	    small : 1,
	    echo_ce : 1,
	    starved : 1,
	    starts : 1,
	    alone : 1,
	    clamped : 1,
	    suspended : 1,
	    single : 6;
} __aligned(8);	/* 32-bit machines, too: the algorithm's state lies behind it */

static_assert(sizeof(struct dcc_flow) == 32, "no room in the socket");

/* What struct dcc_mem begins with: its knobs, then the state of probes. */
#define DCC_MEM_PROBES_AT(count)						\
	ALIGN(offsetof(struct dcc_mem, knobs) + (count) * sizeof(u32), sizeof(u64))

/* And goes on with from the first data packet on: jitter, the algorithm's, records, selector. */
#define DCC_MEM_EXTRA_AT(first)	((first) + sizeof(struct dcc_jitter))
static_assert(sizeof(struct dcc_calm) <= sizeof(struct dcc_jitter), "calm rounds lie there, too");
#define DCC_MEM_RING_AT(first, extra)					\
	(DCC_MEM_EXTRA_AT(first) + ALIGN(extra, sizeof(u64)))
#define DCC_MEM_SPRAY_AT(first, extra)					\
	(DCC_MEM_RING_AT(first, extra) + DCC_RING_SIZE(DCC_FIRST_RECORDS))

/*
 * What security.md promises: the allocation of a connection without data, and of
 * one that never had more than DCC_FIRST_RECORDS packets in flight, with the
 * largest selector. kmalloc() has both sizes.
 */
#define DCC_MEM_FIRST_MOST	256
#define DCC_MEM_SECOND_MOST	1024
#define DCC_MEM_GROWN_MOST	4096	/* the algorithm's own, beside more records */

/* The algorithm's state lies behind the library's, which is as long as it is aligned. */
static inline void *dcc_flow_state(struct dcc_flow *flow)
{
	return flow + 1;
}

/* The algorithm's own memory; NULL: it wants none, there is none, or no data yet. */
static inline void *dcc_flow_extra(const struct dcc_flow *flow)
{
	return flow->mem ? flow->mem->extra : NULL;
}

#endif /* _DCC_FLOW_H */
