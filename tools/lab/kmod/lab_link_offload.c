// SPDX-License-Identifier: GPL-2.0
/*
 * What a host's network card does for its stack: cut (TSO) and merge (GRO). Off
 * unless asked for.
 *
 * Cutting. The stack hands over GSO packets, which become frames before the
 * transmitter sees them: each has its own place in the queue, its own mark, drop,
 * serialisation and noise. skb_gso_segment() cuts, so headers, checksum state,
 * sequence numbers, CWR, FIN and PSH are what the stack has them to be.
 *
 * Merging. Frames go into a ring. The first one into an empty ring sets off an
 * interrupt after a time ("ethtool -C rx-usecs"), and that a NAPI poll which takes
 * all there are: napi_gro_receive(), flushed when the poll completes. The algorithm of
 * merging is the kernel's. Where the processor takes no time, that time is what
 * decides how much there is to merge: without it each frame would be alone.
 *
 *   wire -> ring -- interrupt --> poll -> napi_gro_receive() -> the stack
 *
 * As cards do for a receiver, each frame has a hash of its flow, by which GRO
 * spreads what it holds; the label is no part of it. A frame's memory becomes the
 * receiver's own: of a packet that no switch has copied the sender keeps a clone
 * for retransmission, out of whose data GRO would take its pages.
 */
#include <net/gro.h>
#include <net/gso.h>

#include "lab_link.h"

struct lab_rx {
	struct napi_struct napi;
	struct hrtimer interrupt;
	struct sk_buff_head ring;
	u64 delay;		/* ns from the first frame to the interrupt */
	u64 packets;		/* that polls took from the ring */
	u64 merged;		/* of them, into one before */
	u64 interrupts;
};

/*
 * Cuts a GSO packet into a list of frames; NULL if there is no memory, which is
 * counted as a drop. BH disabled.
 */
struct sk_buff *lab_tso_cut(struct lab_dir *d, struct sk_buff *skb)
{
	netdev_features_t features = d->dev->features & ~NETIF_F_GSO_MASK;
	struct sk_buff *frames = skb_gso_segment(skb, features);

	if (!IS_ERR_OR_NULL(frames)) {
		consume_skb(skb);
		return frames;
	}
	spin_lock(&d->lock);
	d->stats.drops++;
	d->stats.drop_bytes += skb->len;
	spin_unlock(&d->lock);
	kfree_skb(skb);
	return NULL;
}

/* Does the stack get to hand over GSO packets? Under rtnl. */
void lab_tso_set(struct net_device *dev, bool on)
{
	if (on)
		dev->wanted_features |= NETIF_F_ALL_TSO;
	else
		dev->wanted_features &= ~NETIF_F_ALL_TSO;
	WRITE_ONCE(dev->gso_max_segs, on ? GSO_MAX_SEGS : LAB_ONE_SEGMENT);
	netdev_update_features(dev);
}

/* The card's interrupt, in softirq. */
static enum hrtimer_restart lab_rx_interrupt(struct hrtimer *timer)
{
	struct lab_rx *rx = container_of(timer, struct lab_rx, interrupt);

	rx->interrupts++;
	napi_schedule(&rx->napi);
	return HRTIMER_NORESTART;
}

static void lab_rx_merge(struct lab_rx *rx, struct sk_buff *skb)
{
	gro_result_t result = napi_gro_receive(&rx->napi, skb);

	rx->packets++;
	if (result == GRO_MERGED || result == GRO_MERGED_FREE)
		rx->merged++;
}

static int lab_rx_poll(struct napi_struct *napi, int budget)
{
	struct lab_rx *rx = container_of(napi, struct lab_rx, napi);
	struct sk_buff *skb;
	int done;

	for (done = 0; done < budget; done++) {
		skb = skb_dequeue(&rx->ring);
		if (!skb) {
			napi_complete_done(napi, done);
			break;
		}
		lab_rx_merge(rx, skb);
	}
	return done;
}

/* A frame has arrived. In softirq, under RCU. */
void lab_rx_put(struct lab_rx *rx, struct sk_buff *skb)
{
	u64 due = ktime_get_ns() + READ_ONCE(rx->delay);
	bool first;

	if (skb_unclone(skb, GFP_ATOMIC)) {
		dev_core_stats_rx_dropped_inc(skb->dev);
		kfree_skb(skb);
		return;
	}
	skb_set_hash(skb, lab_mix(lab_packet(skb)->flow), PKT_HASH_TYPE_L4);
	spin_lock(&rx->ring.lock);
	first = skb_queue_empty(&rx->ring);
	__skb_queue_tail(&rx->ring, skb);
	if (first)
		hrtimer_start(&rx->interrupt, ns_to_ktime(due),
			      HRTIMER_MODE_ABS_SOFT);
	spin_unlock(&rx->ring.lock);
}

static struct lab_rx *lab_rx_make(struct net_device *dev)
{
	struct lab_rx *rx = kzalloc(sizeof(*rx), GFP_KERNEL);

	if (!rx)
		return NULL;
	skb_queue_head_init(&rx->ring);
	hrtimer_init(&rx->interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	rx->interrupt.function = lab_rx_interrupt;
	netif_napi_add(dev, &rx->napi, lab_rx_poll);
	napi_enable(&rx->napi);
	return rx;
}

/* How a device receives: by interrupts so late, or (0) each frame at once. Under rtnl. */
int lab_rx_set(struct net_device *dev, u64 delay)
{
	struct lab_dir *d = netdev_priv(dev);
	struct lab_rx *rx = rtnl_dereference(d->rx);

	if (!delay) {
		lab_rx_free(dev);
		return 0;
	}
	if (!rx) {
		rx = lab_rx_make(dev);
		if (!rx)
			return -ENOMEM;
		rcu_assign_pointer(d->rx, rx);
	}
	WRITE_ONCE(rx->delay, delay);
	return 0;
}

/* The device is closed: what waits in its ring is lost. Under rtnl. */
void lab_rx_stop(struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);
	struct lab_rx *rx = rtnl_dereference(d->rx);

	if (!rx)
		return;
	hrtimer_cancel(&rx->interrupt);
	napi_synchronize(&rx->napi);
	skb_queue_purge(&rx->ring);
}

/* Back to one frame at a time, or the device goes. Under rtnl. */
void lab_rx_free(struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);
	struct lab_rx *rx = rtnl_dereference(d->rx);

	if (!rx)
		return;
	RCU_INIT_POINTER(d->rx, NULL);
	synchronize_net();	/* no lab_rx_put() any more */
	hrtimer_cancel(&rx->interrupt);
	napi_disable(&rx->napi);
	netif_napi_del(&rx->napi);
	skb_queue_purge(&rx->ring);
	kfree(rx);
}

/* Counts from zero; of a device that merges. Under rtnl. */
void lab_rx_start(struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);
	struct lab_rx *rx = rtnl_dereference(d->rx);

	if (!rx)
		return;
	local_bh_disable();
	rx->packets = 0;
	rx->merged = 0;
	rx->interrupts = 0;
	local_bh_enable();
}

/* What was merged of what a device received. Under rtnl. */
void lab_rx_stats(struct net_device *dev, struct lab_stats *out)
{
	struct lab_dir *d = netdev_priv(dev);
	struct lab_rx *rx = rtnl_dereference(d->rx);

	if (!rx)
		return;
	out->interrupts = READ_ONCE(rx->interrupts);
	out->gro_packets = READ_ONCE(rx->packets);
	out->gro_skbs = out->gro_packets - READ_ONCE(rx->merged);
}
