/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What would GRO save that merges packets of one connection whatever their flow labels, as
 * dcc_offload.ko does? Packets as TCP gets them in, counts out. gro.c is pure; gro_tap.c
 * listens.
 *
 * It is an estimate: nobody tells a tap when a poll ends, the size of the segments that are
 * in a packet, or whether the device's hash, by which GRO sorts what it holds, is of labels,
 * too. All else that GRO compares is compared here.
 */
#ifndef _DCCSTAT_GRO_H
#define _DCCSTAT_GRO_H

#include <netinet/in.h>

#include "../../common/math/dcc_types.h"

#define GRO_LISTEN_MS	300	/* a wait that nobody minds; a busy flow shows in it */
#define GRO_HEADERS	100	/* bytes of IPv6's, and of TCP's with most options */
#define GRO_RUNS	8	/* MAX_GRO_SKBS of the kernel's net/core/gro.c */
#define GRO_POLL_NS	NSEC_PER_MSEC	/* a poll takes no longer, mostly */
#define GRO_CONNECTIONS	1024	/* that are told apart */

/**
 * struct gro_ends - whose a packet is, in the order of the network; no holes
 * @from: the sender's address
 * @to: the receiver's
 * @sport: the sender's port
 * @dport: the receiver's
 */
struct gro_ends {
	struct in6_addr from;
	struct in6_addr to;
	u16 sport;
	u16 dport;
};

/**
 * struct gro_packet - one that TCP got: a single one, or what GRO made of several
 * @now: when, ns
 * @ends: whose it is
 * @device: that it came by
 * @label: its flow label
 * @seq: of its first byte
 * @len: of its data, not 0
 * @alike: a hash of all that the kernel wants to be equal in what it merges: traffic class,
 *	hop limit, number of the ACK, options, and flags but FIN and PSH
 * @last: does it have a flag that lets nothing be merged behind it?
 */
struct gro_packet {
	u64 now;
	struct gro_ends ends;
	u32 device;
	u32 label;
	u32 seq;
	u32 len;
	u64 alike;
	bool last;
};

/**
 * struct gro_run - packets that would have been one
 * @began: when its first came
 * @device: that they came by: another's poll is another
 * @next: sequence number that continues it
 * @len: of its data
 * @label: its last packet's
 * @alike: as its packets'
 * @ended: has its last packet ended it?
 */
struct gro_run {
	u64 began;
	u32 device;
	u32 next;
	u32 len;
	u32 label;
	u64 alike;
	bool ended;
};

/**
 * struct gro_connection - what came of one
 * @ends: which
 * @device: that the last packet came by
 * @label: its first packet's
 * @packets: of it; 0: this place in the table is free
 * @joined: those that would have joined a run
 * @begun: runs
 * @sprayed: did its packets have more than one label?
 * @foreign: is it known to be another host's, which this one forwards?
 * @run: the last ones, each in the place of the one GRO_RUNS before it
 */
struct gro_connection {
	struct gro_ends ends;
	u32 device;
	u32 label;
	u32 packets;
	u32 joined;
	u32 begun;
	bool sprayed;
	bool foreign;
	struct gro_run run[GRO_RUNS];
};

/**
 * struct gro_table - connections, to be zeroed first
 * @at: they, by their hash
 * @unseen: packets of those for which there was no place
 */
struct gro_table {
	struct gro_connection at[GRO_CONNECTIONS];
	u64 unseen;
};

/**
 * struct gro_seen - what came of sprayed connections
 * @connections: how many, of this host's
 * @packets: of these
 * @joined: those that would have joined a run
 * @unseen: packets of all connections that were not looked at
 */
struct gro_seen {
	u32 connections;
	u64 packets;
	u64 joined;
	u64 unseen;
};

bool gro_parse(const u8 *data, size_t len, struct gro_packet *p);
void gro_take(struct gro_table *table, const struct gro_packet *p);
bool gro_counts(const struct gro_connection *c);
void gro_sum(const struct gro_table *table, struct gro_seen *seen);

#endif /* _DCCSTAT_GRO_H */
