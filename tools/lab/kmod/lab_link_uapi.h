/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The lab's link device as user space sees it: two rtnetlink link kinds and
 * one control device, /dev/lab. Included by the kernel module (lab_link_*.c)
 * and by the agent (tools/lab/agent).
 *
 * Making a link (RTM_NEWLINK, like veth):
 *   IFLA_IFNAME, IFLA_MTU, IFLA_NET_NS_FD	of end A, as for any device
 *   IFLA_LINKINFO
 *     IFLA_INFO_KIND "lablink"
 *     IFLA_INFO_DATA
 *       LABLINK_ID	u32, mandatory; any number not used by another lablink
 *       LABLINK_PEER	struct ifinfomsg (zeros do), then the attributes of
 *			end B: IFLA_IFNAME, IFLA_MTU, IFLA_NET_NS_FD, ...
 * End A is the device the message itself names, end B the nested one: they are
 * nodeA/ifA and nodeB/ifB of the plan's "link" line. Direction LAB_AB is what
 * A transmits and B receives, LAB_BA the other way. Without IFLA_NET_NS_FD an
 * end lands in the caller's namespace. Both ends: ARPHRD_NONE,
 * POINTOPOINT|NOARP, no MULTICAST, no qdisc (one may be attached), carrier
 * always on, gso_max_segs 1 (TCP then builds one-segment packets; raise it
 * with "ip link set DEV gso_max_segs N" and the stack segments in software
 * just before the link, or turn @tso on). Deleting an end deletes both.
 * Errors: EINVAL no LABLINK_ID, EEXIST id or name taken.
 *
 * Making a group (adaptive routing): IFLA_INFO_KIND "labgroup" with
 * LABGROUP_ID and, optionally, LABGROUP_QUANTUM; members follow by
 * LAB_IOC_SET_GROUP. Group ids and link ids are separate.
 *
 * A link starts with rate 0 (no serialisation time), delay 0, no limit, up.
 */
#ifndef LAB_LINK_UAPI_H
#define LAB_LINK_UAPI_H

#include <linux/types.h>
#include <linux/ioctl.h>

#define LABLINK_KIND		"lablink"
#define LABGROUP_KIND		"labgroup"
#define LAB_DEVICE		"/dev/lab"

/* IFLA_INFO_DATA of kind "lablink" */
enum {
	LABLINK_UNSPEC,
	LABLINK_ID,		/* u32 */
	LABLINK_PEER,		/* nested: struct ifinfomsg + IFLA_* of end B */
	__LABLINK_MAX,
};

#define LABLINK_MAX		(__LABLINK_MAX - 1)

/* IFLA_INFO_DATA of kind "labgroup" */
enum {
	LABGROUP_UNSPEC,
	LABGROUP_ID,		/* u32, mandatory */
	LABGROUP_QUANTUM,	/* u32 bytes, 0 (default) or 1: exact queues */
	__LABGROUP_MAX,
};

#define LABGROUP_MAX		(__LABGROUP_MAX - 1)

/* Directions of a link */
#define LAB_AB			0
#define LAB_BA			1

/*
 * Parameters of one direction. Only the fields whose LAB_SET_* bit is in @mask
 * are read and changed; the rest keep their value. All are checked first: on
 * an error (EINVAL, and a line in the log that names the field, its value and
 * what is allowed) nothing changes.
 *
 * Length: every byte count of the link (buffer, ECN threshold, DRR, statistics,
 * trace) is of the packet on the wire: IP header and payload + @overhead.
 * Queue: the bytes accepted and not yet fully serialised, the packet in
 * service counted whole until its last bit has left.
 * When: rate, delay and loss apply to packets whose serialisation starts after
 * the change (the one in service finishes as it began); buffer, ecn, red and
 * overhead to packets that arrive after it. A shorter delay never lets a packet
 * overtake: it is delivered with or after the one before it.
 */
struct lab_params {
	__u32 link;		/* LABLINK_ID */
	__u32 dir;		/* LAB_AB or LAB_BA */
	__u32 mask;		/* LAB_SET_* */
	__u32 up;		/* 0 or 1; see LAB_SET_UP */
	__u64 rate;		/* bit/s, 0 (serialises in no time) .. LAB_MAX_RATE */
	__u64 delay;		/* ns of propagation, 0 .. LAB_MAX_DELAY */
	__u64 buffer;		/* bytes; 0 = unlimited. An arrival is dropped
				 * if queue + its length > buffer
				 */
	__u64 ecn;		/* bytes; 0 = off. An ECT arrival is marked CE if
				 * the queue before it (with drr its class') is >=
				 * ecn. A packet that is not ECT is left alone
				 * (never dropped for it)
				 */
	__u64 red_min;		/* RED, instead of the step while red_max > 0: */
	__u64 red_max;		/* queue < min: none; >= max: all ECT marked; */
	__u32 red_ppm;		/* between: red_ppm*(queue-min)/(max-min) */
	__u32 loss;		/* ppm of packets lost on the wire: they take their
				 * time on the transmitter and never arrive
				 */
	__u32 drr;		/* DRR quantum in bytes; 0 = FIFO, else
				 * LAB_MIN_DRR .. LAB_MAX_DRR. Class 0: DSCP 0,
				 * class 1: any other. They share the buffer; an
				 * arrival's threshold is of its own class' queue
				 */
	__u32 overhead;		/* bytes per packet, 0 .. LAB_MAX_OVERHEAD */
	__u32 trace;		/* LAB_TRACE_*: records on /dev/lab */
	__u32 noise_shape;	/* LAB_NOISE_*, see below */
	__u64 noise;		/* ns, 0 (none) .. LAB_MAX_NOISE */
	__u32 noise_overtake;	/* 1: a packet may overtake others of its flow */
	__u32 strict;		/* 1: eight classes instead of FIFO or DRR, by the
				 * upper three bits of the DSCP; of those that wait
				 * the highest is served. They share the buffer
				 * and the thresholds
				 */
	__u64 gro;		/* ns, 0 (off) .. LAB_MAX_GRO; see below */
	__u32 tso;		/* 1: the transmitting end takes GSO packets */
	__u32 burst;		/* packets lost in a row on average, 1 (each by
				 * itself) .. LAB_MAX_BURST; see LAB_SET_LOSS
				 */
};

/* What is recorded of a direction's packets */
#define LAB_TRACE_EVENTS	0x1	/* every event */
#define LAB_TRACE_BYTES		0x2	/* TX, and the packet's first bytes */
#define LAB_TRACE_ALL		0x3

#define LAB_SET_UP		0x1
#define LAB_SET_RATE		0x2
#define LAB_SET_DELAY		0x4
#define LAB_SET_BUFFER		0x8
#define LAB_SET_ECN		0x10
#define LAB_SET_RED		0x20	/* red_min, red_max, red_ppm */
#define LAB_SET_LOSS		0x40	/* loss, burst: loss / 10^6 <= burst / (burst + 1) */
#define LAB_SET_DRR		0x80
#define LAB_SET_OVERHEAD	0x100
#define LAB_SET_TRACE		0x200
#define LAB_SET_NOISE		0x400	/* noise_shape, noise, noise_overtake */
#define LAB_SET_STRICT		0x800
#define LAB_SET_TSO		0x1000
#define LAB_SET_GRO		0x2000
#define LAB_SET_ALL		0x3fff

/*
 * Noise: what each packet is later, at random, than serialisation and
 * propagation have it. It is late by itself: it takes no time on the transmitter,
 * and packets of other flows (by their ports) pass. Those of its own flow are
 * delivered with it or behind it, as a host's receive queue has it, unless
 * noise_overtake.
 * LAB_NOISE_UNIFORM: 0 to @noise, all as likely.
 * LAB_NOISE_NIC: @noise is the mean; 99.85 % below 2.67 times that, the rest up to
 *	10 times: what the time stamps of network cards are wrong by, 0.3 us, 99.85
 *	% below 0.8 us, less than 0.1 % above 1 us (PrioPlus, EuroSys 2025, Figure 7).
 */
#define LAB_NOISE_UNIFORM	0
#define LAB_NOISE_NIC		1
#define LAB_NOISE_SHAPES	2

/* Names as written in plans, indexed by shape */
#define LAB_NOISE_NAMES		{ "uniform", "nic" }

/*
 * Offloads, as a host's card has them; they are of its device and not of the wire.
 * tso = 1: the end that transmits this direction takes TCP GSO packets and cuts
 *	them into frames before anything else: each is queued, dropped, marked,
 *	serialised and traced by itself.
 * gro > 0: the end that receives this direction has an interrupt that long after a
 *	frame came into its empty ring, and a NAPI poll then takes all that are
 *	there and merges what the kernel's GRO merges. A RX event is the frame's
 *	way into the ring. When it is turned off, or the device closed, what is in
 *	the ring is lost.
 */
#define LAB_MAX_BURST		1000
#define LAB_MAX_GRO		1000000000ULL	/* 1 s */

/*
 * up = 0: a black hole. At that instant what is queued or in service is lost,
 * what has fully left the transmitter still arrives, and every later arrival
 * is lost (all counted in @down). The carrier stays on: routes do not notice.
 * A labgroup does (a switch knows its own ports) and avoids the member; a
 * failure that it shall not notice is loss = LAB_PPM.
 */

#define LAB_PPM			1000000U
#define LAB_MAX_RATE		1000000000000000ULL	/* 1 Pbit/s */
#define LAB_MAX_DELAY		1000000000000ULL	/* 1000 s */
#define LAB_MAX_NOISE		1000000000ULL		/* 1 s */
#define LAB_MIN_DRR		256U
#define LAB_MAX_DRR		16777216U
#define LAB_MAX_OVERHEAD	65535U

/*
 * Statistics of one direction since LAB_IOC_START (or since it was made), up
 * to lab_stats_req.now.
 */
struct lab_stats {
	__u32 link;
	__u32 dir;
	__u64 tx_packets;	/* fully serialised, lost ones too */
	__u64 tx_bytes;
	__u64 rx_packets;	/* handed to the far end's stack */
	__u64 rx_bytes;
	__u64 drops;		/* no room in the buffer */
	__u64 drop_bytes;
	__u64 lost;		/* by injected loss, counted when due to arrive */
	__u64 down;		/* lost because up = 0 or an end was closed */
	__u64 marks;		/* CE set here (already CE on arrival: not counted) */
	__u64 queue;		/* bytes now */
	__u64 max_queue;	/* bytes, just after an arrival */
	__u64 wait_ns_sum;	/* start of serialisation - arrival, summed over
				 * the packets of tx_packets
				 */
	__u64 queue_byte_ns;	/* integral of the queue over time; wraps at 2^64 */
	__u64 busy_ns;		/* time the transmitter worked */
	__u64 queued_ns;	/* time in which a packet waited behind the one in
				 * service
				 */
	__u64 hash;		/* this direction's share of the trace hash */
	__u64 interrupts;	/* of the far end's card; 0 without gro */
	__u64 gro_packets;	/* that its polls have taken from the ring, ... */
	__u64 gro_skbs;		/* ... and what they were merged into */
};

/*
 * All directions of all links in one call, by ascending link id, AB before BA.
 * Returns ENOSPC (and the needed number in @count) if @capacity is too small.
 */
struct lab_stats_req {
	__u64 ptr;		/* in: user pointer to struct lab_stats[capacity] */
	__u32 capacity;		/* in */
	__u32 count;		/* out: entries written, 2 per link */
	__u64 now;		/* out: ns since LAB_IOC_START */
};

/*
 * LAB_IOC_START: zeroes all statistics, the trace hash and the trace records,
 * reseeds every generator from @seed (each direction and each group has its
 * own, derived from the seed and its id) and makes now t = 0. Before the first
 * LAB_IOC_START t = 0 is the start of CLOCK_MONOTONIC and the seed is 0. The
 * links should be idle.
 */
struct lab_start {
	__u64 seed;		/* in */
	__u64 t0;		/* out: CLOCK_MONOTONIC ns that is now t = 0 */
};

struct lab_info {
	__u64 trace_hash;	/* every event of every direction since START, added
				 * up: does not depend on the order of events that
				 * happen in the same ns, or on when it is read
				 */
	__u64 now;		/* ns since LAB_IOC_START */
	__u64 trace_lost;	/* records that found no room */
	__u64 trace_pending;	/* records waiting to be read */
	__u32 links;
	__u32 groups;
};

#define LAB_GROUP_MAX		256
#define LAB_GROUP_MARKED_ECMP	0x1	/* DSCP not 0: one member for each flow */

/*
 * Replaces the members of a group: transmit directions in any order, at least
 * one, the transmitting ends normally in the group's namespace. The choice for
 * each packet: shortest queue/quantum (integer division) among members that
 * are up (the parameter and the device), ties at random. With none up the
 * packet is lost at a member. The quantised queue is what the member has at
 * that ns, ends of serialisation counted first. With LAB_GROUP_MARKED_ECMP a
 * packet whose DSCP is not 0 goes to the member that its label, its ports and
 * the seed say, whatever its queue and whether it is up.
 * Errors: ENOENT no such group or link, EINVAL.
 */
struct lab_group_member {
	__u32 link;
	__u32 dir;
};

struct lab_group_set {
	__u32 group;		/* LABGROUP_ID */
	__u32 quantum;		/* bytes; 1 = exact; 0: as before, at first
				 * LABGROUP_QUANTUM or else exact
				 */
	__u32 count;		/* 1 .. LAB_GROUP_MAX */
	__u32 flags;		/* LAB_GROUP_* */
	__u64 members;		/* user pointer to struct lab_group_member[count] */
};

#define LAB_IOC_MAGIC		0xb7
#define LAB_IOC_SET		_IOW(LAB_IOC_MAGIC, 1, struct lab_params)
#define LAB_IOC_SET_GROUP	_IOW(LAB_IOC_MAGIC, 2, struct lab_group_set)
#define LAB_IOC_START		_IOWR(LAB_IOC_MAGIC, 3, struct lab_start)
#define LAB_IOC_STATS		_IOWR(LAB_IOC_MAGIC, 4, struct lab_stats_req)
#define LAB_IOC_INFO		_IOR(LAB_IOC_MAGIC, 5, struct lab_info)

/* Events of a trace record, and the time @t_ns it bears */
enum lab_event {
	LAB_EV_ENQ,		/* accepted; t = arrival at the queue */
	LAB_EV_DROP,		/* no room; t = arrival */
	LAB_EV_MARK,		/* CE set; t = arrival (an ENQ record follows) */
	LAB_EV_LOST,		/* injected loss; t = when it would have arrived */
	LAB_EV_DOWN,		/* up = 0; t = when it was lost */
	LAB_EV_TX,		/* last bit has left; t = that moment, rounded up */
	LAB_EV_RX,		/* handed to the far end's stack; t = delivery */
	LAB_EV_MAX,
};

/* Names as written in trace.tsv, indexed by enum lab_event */
#define LAB_EVENT_NAMES \
	{ "enq", "drop", "mark", "lost", "down", "tx", "rx" }

/*
 * read() on /dev/lab returns whole records of the directions with trace > 0
 * and removes them; 0 when there are none (it never blocks), EINVAL if the
 * buffer holds less than one. The kernel keeps at most the module parameter
 * trace_mib MiB (default 64); what finds no room is counted in trace_lost, so
 * read now and then in a long run. Records come in the order they were noticed:
 * a TX is noticed at the direction's next event, at the latest at the packet's
 * delivery, so sort by t_ns (stable) to get them by time.
 */
struct lab_trace {
	__u64 t_ns;		/* since LAB_IOC_START */
	__u32 link;
	__u32 len;		/* bytes on the wire */
	__u32 queue;		/* bytes, before the packet (ENQ, DROP, MARK) or
				 * without it (the others); capped at 2^32-1
				 */
	__u32 hash;		/* skb->hash on arrival; 0 for forwarded packets */
	__u32 label;		/* IPv6 flow label, 0 for IPv4 */
	__u32 seq;		/* TCP sequence number, 0 if not TCP */
	__u16 sport;		/* TCP or UDP ports, 0 otherwise */
	__u16 dport;
	__u8 dir;
	__u8 event;		/* enum lab_event */
	__u8 dscp_ecn;		/* the traffic class byte */
	__u8 flags;		/* LAB_TRACE_* that asked for the record */
};

/*
 * With LAB_TRACE_BYTES a TX is followed by what the packet begins with, in records
 * of this form, as many as it takes; @event tells them apart. Nothing else comes in
 * between, but a read() may end there.
 */
#define LAB_EV_BYTES		0xff
#define LAB_BYTES_RECORD	36
#define LAB_BYTES_MAX		(3 * LAB_BYTES_RECORD)	/* IPv6, TCP, all options */

struct lab_trace_bytes {
	__u8 bytes[LAB_BYTES_RECORD];
	__u8 count;		/* of them, 1 .. LAB_BYTES_RECORD */
	__u8 event;		/* LAB_EV_BYTES */
	__u8 last;		/* 1: no more of this packet */
	__u8 reserved;
};

#endif /* LAB_LINK_UAPI_H */
