// SPDX-License-Identifier: GPL-2.0
/*
 * The speed of a flow's egress device. Asking a driver needs the RTNL, which no
 * congestion control may take; so answers are kept in a table by device. When a
 * device comes up or changes a notifier only notes that, since it may be called
 * with locks held that asking takes (from 7.2 on the device's own): a work item
 * asks, under the RTNL and nothing else.
 *
 * Readers: softirq, under RCU. Writers: notifier and work, ordered by the RTNL;
 * an entry goes when its device is unregistered, so that under the RTNL a
 * device in the table is there.
 */
#include <linux/completion.h>
#include <linux/ethtool.h>
#include <linux/if_arp.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/rhashtable.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/dst.h>
#include <net/rtnetlink.h>

#include "../cc/dcc_flow_knobs.h"
#include "dcc_compat.h"
#include "dcc_line.h"

/**
 * struct line - a device that is or was up
 * @node: in lines, by @dev
 * @dev: followed under the RTNL only
 * @mbps: its speed; 0: unknown
 * @stale: in line_stale if it has changed since it was asked
 * @rcu: to free it
 */
struct line {
	struct rhash_head node;
	struct net_device *dev;
	u32 mbps;
	struct list_head stale;
	struct rcu_head rcu;
};

/*
 * Every flow looks for its device with every ACK, and anyone may make as many
 * devices as he likes in a namespace of his own: the table grows with them.
 */
static const struct rhashtable_params line_params = {
	.key_len = sizeof_field(struct line, dev),
	.key_offset = offsetof(struct line, dev),
	.head_offset = offsetof(struct line, node),
	.automatic_shrinking = true,
};

static struct rhashtable lines;

/* With the RTNL. */
static LIST_HEAD(line_stale);

/* Under RCU or with the RTNL. */
static struct line *line_find(const struct net_device *dev)
{
	return rhashtable_lookup_fast(&lines, &dev, line_params);
}

/* Devices of software claim 10 Gbit/s whatever is behind them. */
static bool line_is_claim(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops = dev->rtnl_link_ops;

	return ops && (!strcmp(ops->kind, "veth") || !strcmp(ops->kind, "tun"));
}

/* As the knob: 5 * 10^11 B/s. A user's tap device claims what he likes. */
#define LINE_MOST_MBPS	4000000U

/* What the driver says, Mbit/s; 0 if it does not. */
static u32 line_ask(struct net_device *dev)
{
	struct ethtool_link_ksettings ks;

	if (__ethtool_get_link_ksettings(dev, &ks) ||
	    ks.base.speed == (u32)SPEED_UNKNOWN)
		return 0;
	return min(ks.base.speed, LINE_MOST_MBPS);
}

static void line_work(struct work_struct *work)
{
	struct line *l, *next;

	rtnl_lock();
	list_for_each_entry_safe(l, next, &line_stale, stale) {
		list_del_init(&l->stale);
		WRITE_ONCE(l->mbps, line_ask(l->dev));
	}
	rtnl_unlock();
}

static DECLARE_WORK(line_worker, line_work);

/* A device's place in the table; NULL: no memory. */
static struct line *line_add(struct net_device *dev)
{
	struct line *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->dev = dev;
	INIT_LIST_HEAD(&l->stale);
	if (!rhashtable_insert_fast(&lines, &l->node, line_params))
		return l;
	kfree(l);
	return NULL;
}

/* A device came up or changed: ask it, soon. */
static void line_note(struct net_device *dev)
{
	struct line *l;

	if (line_is_claim(dev))
		return;
	l = line_find(dev) ?: line_add(dev);
	if (!l)
		return;
	list_move_tail(&l->stale, &line_stale);
	schedule_work(&line_worker);
}

static void line_forget(const struct net_device *dev)
{
	struct line *l = line_find(dev);

	if (!l)
		return;
	rhashtable_remove_fast(&lines, &l->node, line_params);
	list_del(&l->stale);
	kfree_rcu(l, rcu);
}

static int line_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	if (event == NETDEV_UP || event == NETDEV_CHANGE)
		line_note(dev);
	else if (event == NETDEV_UNREGISTER)
		line_forget(dev);
	return NOTIFY_DONE;
}

static struct notifier_block line_notifier = {
	.notifier_call = line_event,
};

/* Of line_listener, and of who waits for it to be over. */
#define LINE_PATIENCE	(HZ / 2)
static bool line_listens;
static DECLARE_COMPLETION(line_told);

/**
 * dcc_line_rate() - the line rate of a socket's path, as far as this host knows
 * @sk: a TCP socket, locked
 * @knob_mbps: what the administrator says; 0: ask the egress device
 *
 * Context: softirq or process.
 *
 * Return: bytes per second; 0 if unknown.
 */
u64 dcc_line_rate(const struct sock *sk, u32 knob_mbps)
{
	const u32 bytes_per_mbit = 1000000 / 8;
	const struct dst_entry *dst;
	const struct line *l;
	u32 mbps = knob_mbps;

	if (!mbps) {
		rcu_read_lock();
		dst = rcu_dereference(sk->sk_dst_cache);
		l = dst ? line_find(dst->dev) : NULL;
		if (l)
			mbps = READ_ONCE(l->mbps);
		rcu_read_unlock();
	}
	return (u64)mbps * bytes_per_mbit;
}
EXPORT_SYMBOL_GPL(dcc_line_rate);

/* Ethernet around a frame: preamble 8, FCS 4, gap 12 bytes. */
#define ETHER_AROUND	24

/* What a packet's payload is wrapped in on the wire, bytes. */
static u32 line_overhead(const struct sock *sk)
{
	u32 bytes = tcp_sk(sk)->tcp_header_len +
		    inet_csk(sk)->icsk_af_ops->net_header_len;
	const struct dst_entry *dst;

	rcu_read_lock();
	dst = rcu_dereference(sk->sk_dst_cache);
	if (dst) {
		bytes += dst->dev->hard_header_len;
		if (dst->dev->type == ARPHRD_ETHER)
			bytes += ETHER_AROUND;
	}
	rcu_read_unlock();
	return bytes;
}

/**
 * dcc_line_pacing() - how fast to pace a flow that may fill the link
 * @sk: a TCP socket, locked
 * @k: its knobs
 *
 * The stack paces payload. At the line's own rate the headers would come on top,
 * and a queue would grow in the host: 1.8 % of 4 KB packets, which a flow of
 * 100 round trips measures as nearly two of them. At all of the line, less the
 * headers, the burst that a flow begins with (the stack paces from the 11th
 * packet on) would stand there permanently: BBR, too, keeps 1 % back.
 *
 * At most 5 * 10^11 B/s, times a payload of 2^16 B, times 100: 62 bits.
 *
 * Return: bytes of payload per second; 0 if the line rate is unknown.
 */
u64 dcc_line_pacing(const struct sock *sk, const struct dcc_flow_knobs *k)
{
	u32 mss = clamp_t(u32, tcp_sk(sk)->mss_cache, 1, U16_MAX);
	u64 rate = dcc_line_rate(sk, k->line_rate_mbps);

	return div_u64(rate * mss * k->pacing_percent,
		       (mss + line_overhead(sk)) * 100);
}

/*
 * Registering waits for the RTNL with the lock of all namespaces taken, which the
 * modules that load after us want: so not before the RTNL was free once. The devices
 * that are up already are reported at once.
 */
static void line_listen(struct work_struct *work)
{
	int err;

	rtnl_lock();
	rtnl_unlock();
	err = register_netdevice_notifier(&line_notifier);
	line_listens = !err;
	if (err)
		pr_warn("dcc: no line rate is known but by knobs: error %d\n", err);
	else
		flush_work(&line_worker);
	complete(&line_told);
}

static DECLARE_WORK(line_listener, line_listen);

/*
 * Listening takes the RTNL, which may be held by who waits for this module: a route
 * with our name in it loads us with it held. So a work item does it, and is waited for
 * as long as a machine that is not in that place needs.
 */
int dcc_line_init(void)
{
	int err = rhashtable_init(&lines, &line_params);

	if (err)
		return err;
	schedule_work(&line_listener);
	wait_for_completion_timeout(&line_told, LINE_PATIENCE);
	return 0;
}

/*
 * Not on the way out of an init that failed, where the caller may hold the RTNL still.
 * Unregistering replays NETDEV_UNREGISTER for every device: the table empties.
 */
void dcc_line_exit(void)
{
	flush_work(&line_listener);
	if (line_listens)
		unregister_netdevice_notifier(&line_notifier);
	cancel_work_sync(&line_worker);
	rhashtable_destroy(&lines);
	rcu_barrier();
}
