/* SPDX-License-Identifier: GPL-2.0 */
/* Inside the lab_link module: what its files share. */
#ifndef LAB_LINK_H
#define LAB_LINK_H

#include <linux/ethtool.h>
#include <linux/hrtimer.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "lab_link_calc.h"
#include "lab_link_uapi.h"

/*
 * One direction of a link; the private area of the device that transmits.
 * Everything from @lock on is under @lock.
 *
 *   xmit -> wait[class] -> serving -> wire -> the far end's stack
 *
 * Nothing runs at the end of a serialisation: whoever comes next (an arrival,
 * a delivery, a reader) first brings the direction up to date. See
 * lab_link_dir.c.
 */
struct lab_dir {
	struct net_device *dev;		/* transmits */
	struct net_device __rcu *peer;	/* receives */
	struct lab_rx __rcu *rx;	/* how @dev receives; NULL: frame by frame */
	u64 where;			/* link and direction, for hash and seeds */

	spinlock_t lock;		/* BH */
	u32 place;			/* in the timer's heap; 0 = not there */
	struct lab_clock end;		/* exact end of the last serialisation */
	u64 start;			/* of the one in service, ns */
	u64 last_due;			/* latest delivery promised so far, noise apart */
	u64 before_due;			/* the same without the packet in service */
	u64 updated;			/* queue_byte_ns is valid up to here */
	u64 queue;			/* bytes in wait[] and serving */
	u64 marked_queue;		/* those with a DSCP */
	struct sk_buff *serving;
	u64 serving_end;		/* its last bit's, whole ns */
	u64 serving_len;		/* here, since the packet is out of caches */
	struct sk_buff_head wait[LAB_CLASSES];
	struct sk_buff_head wire;
	struct lab_drr drr;
	u64 loss_rng;
	bool losing;			/* was the last packet lost in a burst? */
	u64 red_rng;
	u64 noise_rng;
	u32 order;			/* arrival number, for lab_dir_resort() */
	struct lab_params params;
	struct lab_stats stats;
};

/* What the link remembers of a packet while it has it (in skb->cb). */
struct lab_packet {
	u64 arrived;
	u64 due;		/* delivery */
	u32 len;		/* on the wire */
	u32 key;		/* of its headers, for the trace hash */
	u32 hash;		/* skb->hash on arrival */
	u32 order;
	u32 flow;		/* its ports */
	u8 dscp;
	u8 lost;		/* vanishes instead of arriving? */
};

/* What of a delivery to come is asked for from memory: each needs the one before. */
enum lab_ahead {
	LAB_AHEAD_DIR,
	LAB_AHEAD_PACKET,
	LAB_AHEAD_HEADER,
};

#define LAB_NEVER	U64_MAX
#define LAB_ONE_SEGMENT	1	/* gso_max_segs without TSO */

static inline struct lab_packet *lab_packet(struct sk_buff *skb)
{
	return (struct lab_packet *)skb->cb;
}

/*
 * The time, read from a process. In virtual time (UML) such a read takes 256 ns
 * unless softirqs are off, and a delivery due meanwhile would be late.
 */
static inline u64 lab_now(void)
{
	u64 now;

	local_bh_disable();
	now = ktime_get_ns();
	local_bh_enable();
	return now;
}

#define LAB_DSCP_SHIFT	2	/* RFC 2474, section 3 */

/* What is read from a packet's headers; 0 where it has none. */
struct lab_header {
	u32 label;
	u32 seq;
	u32 ack;
	u16 sport;
	u16 dport;
	u8 dscp_ecn;
};

/* Has it a DSCP? By that adaptive routing tells flows apart. */
static inline u8 lab_header_class(const struct lab_header *h)
{
	return h->dscp_ecn >> LAB_DSCP_SHIFT != 0;
}

/* lab_link_dir.c: the engine of one direction */
void lab_dir_init(struct lab_dir *d, struct net_device *dev);
void lab_dir_name(struct lab_dir *d, u32 link, u32 dir);
void lab_dir_close(struct lab_dir *d);
netdev_tx_t lab_dir_xmit(struct sk_buff *skb, struct net_device *dev);
u64 lab_dir_queue(struct lab_dir *d, u64 now);
void lab_dir_apply(struct lab_dir *d, const struct lab_params *p);
void lab_dir_start(struct lab_dir *d, u64 now, u64 seed);
void lab_dir_stats(struct lab_dir *d, u64 now, struct lab_stats *out);

void lab_dir_deliver(struct lab_dir *d);
void lab_dir_prefetch(struct lab_dir *d, enum lab_ahead what);

/* lab_link_offload.c: what a host's card does for its stack */
struct sk_buff *lab_tso_cut(struct lab_dir *d, struct sk_buff *skb);
void lab_tso_set(struct net_device *dev, bool on);
int lab_rx_set(struct net_device *dev, u64 delay);
void lab_rx_put(struct lab_rx *rx, struct sk_buff *skb);
void lab_rx_stop(struct net_device *dev);
void lab_rx_free(struct net_device *dev);
void lab_rx_start(struct net_device *dev);
void lab_rx_stats(struct net_device *dev, struct lab_stats *out);

/* lab_link_timer.c: one timer for all directions */
void lab_timer_init(void);
void lab_timer_exit(void);
int lab_timer_reserve(void);
void lab_timer_set(struct lab_dir *d, u64 at);

/* lab_link_dev.c: the "lablink" link kind */
extern struct rtnl_link_ops lab_link_ops;
void lab_dev_setup(struct net_device *dev, const struct net_device_ops *ops);
struct lab_dir *lab_dir_find(u32 link, u32 dir);
struct net_device *lab_dev_peer(struct net_device *dev);
int lab_dir_for_each(int (*fn)(struct lab_dir *d, void *arg), void *arg);
void lab_dev_ksettings(struct ethtool_link_ksettings *cmd, u64 rate);

/* lab_link_group.c: the "labgroup" link kind */
extern struct rtnl_link_ops lab_group_ops;
int lab_group_set(const struct lab_group_set *set,
		  const struct lab_group_member *member);
void lab_group_forget(const struct lab_dir *d);
void lab_group_start(u64 seed);
u32 lab_group_count(void);

/* lab_link_trace.c: the trace hash and the trace records */
void lab_header_parse(const struct sk_buff *skb, struct lab_header *h);
u32 lab_header_key(const struct lab_header *h);
void lab_event(struct lab_dir *d, enum lab_event event, u64 t,
	       struct sk_buff *skb);
void lab_trace_start(u64 t0);
u64 lab_trace_t0(void);
void lab_trace_count(struct lab_info *info);
ssize_t lab_trace_read(char __user *to, size_t size);
void lab_trace_free(void);

/* lab_link_ctl.c: /dev/lab */
int lab_ctl_register(void);
void lab_ctl_unregister(void);

#endif /* LAB_LINK_H */
