/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the other host can tell, where "dccstat answer" runs: how labelled and marked
 * probes came there, and what it does as a receiver. peer.c is pure.
 */
#ifndef _DCCSTAT_PEER_H
#define _DCCSTAT_PEER_H

#include <netinet/in.h>

#include "flow.h"
#include "paths.h"

#define PEER_PORT	33433	/* the one before traceroute's */
#define PEER_MAGIC	"dccstat1"
#define PEER_ROUNDS	16
#define PEER_HOPS	64	/* hop limit that probes begin with */
#define PEER_MARKS	4	/* values of the two bits of ECN */
#define ECHO_TEXT	80	/* why the echo was not tried */
#define MARK_CE		3

/**
 * struct peer_message - a probe and its answer, in network byte order
 * @magic: PEER_MAGIC
 * @number: of the probe, which the answer repeats
 * @flowinfo: of an answer: class and label that the probe came with
 * @hops: likewise, its hop limit; 0 tells a probe, or two who answer would answer each
 *	other for ever
 * @ecn: net.ipv4.tcp_ecn
 * @sack_ns: as in struct facts
 * @rehash: net.core.txrehash; all ones: there is no such
 * @rehashed: how often a socket chose another way for its ACKs
 * @gro: does the device that the probe came by merge packets?
 * @cc: what sockets get there
 * @spray: its knob
 *
 * An answer is as long as what asked for it, so that nobody is flooded by others'.
 */
struct peer_message {
	char magic[8];
	__be32 number;
	__be32 flowinfo;
	__be32 hops;
	__be32 ecn;
	__be32 sack_ns;
	__be32 rehash;
	__be32 rehashed;
	__be32 gro;
	char cc[CC_TEXT];
	char spray[CC_TEXT];
};

/**
 * struct peer_try - what became of a label's probes
 * @delay: the least round trips of even and odd rounds, ns; 0: no answer
 * @hops: how many there were; 0: no answer
 * @relabelled: did one come with another label?
 */
struct peer_try {
	u64 delay[2];
	u32 hops;
	bool relabelled;
};

/**
 * struct echo - what marked packets of connections led to
 * @why: they were not sent; "": they were, and the rest holds
 * @agreed: connections that agreed upon ECN; each has one marked packet
 * @marked: those that left with a mark
 * @heard: connections in which any ACK echoed it
 * @packets: of these connections
 * @echoed: and those acknowledged with an echo
 */
struct echo {
	char why[ECHO_TEXT];
	u32 agreed;
	u32 marked;
	u32 heard;
	u32 packets;
	u32 echoed;
};

/**
 * struct peer - what it told
 * @asked: was it?
 * @answers: how many; 0: nobody is there, and nothing else holds
 * @sent: by the mark that probes left with, how many were answered
 * @kept: and how many of them had it still
 * @relabelled: labels that did not come as they were sent
 * @ways: groups of labels whose delays are apart by more than their noise
 * @noise_ns: this
 * @apart_ns: the slowest label beyond the quickest
 * @lengths: different numbers of hops
 * @ecn: net.ipv4.tcp_ecn there
 * @sack_ns: as in struct facts
 * @rehash: net.core.txrehash there; -1: no such
 * @rehashed: how often a socket chose another way for its ACKs
 * @gro: does its device merge packets?
 * @cc: what sockets get there
 * @spray: its knob
 * @echo: tried by connections
 */
struct peer {
	bool asked;
	u32 answers;
	u32 sent[PEER_MARKS];
	u32 kept[PEER_MARKS];
	u32 relabelled;
	u32 ways;
	u64 noise_ns;
	u64 apart_ns;
	u32 lengths;
	int ecn;
	int sack_ns;
	int rehash;
	u32 rehashed;
	bool gro;
	char cc[CC_TEXT];
	char spray[CC_TEXT];
	struct echo echo;
};

u32 peer_mark(u32 round);
bool peer_take(struct peer *peer, struct peer_try *tries, const struct peer_message *m,
	       u64 delay_ns);
void peer_count(const struct peer_try *tries, u32 count, struct peer *peer);

void peer_ask(const struct sockaddr_in6 *to, u16 port, struct peer *peer);
void echo_ask(const struct sockaddr_in6 *to, u16 port, struct echo *echo);

/**
 * struct marker - sets the mark of congestion on a socket's small packets
 * @link: the program's hold on the cgroup, which goes with this program
 * @map: where it counts
 */
struct marker {
	int link;
	int map;
};

bool marker_open(struct marker *marker, int socket, u32 most_bytes, char why[ECHO_TEXT]);
u32 marker_close(struct marker *marker);

#endif /* _DCCSTAT_PEER_H */
