/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dcc_offload.ko: what the kernel's segmentation and aggregation do to sprayed packets.
 * It needs none of the other modules, and none of them needs it.
 *
 * dcc_offload_main.c stands in front of the kernel's own offload of IPv6; dcc_gro.c is its
 * receiver, which asks dcc_local.c.
 */
#ifndef _DCC_OFFLOAD_H
#define _DCC_OFFLOAD_H

#include <linux/ipv6.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <net/ipv6.h>

/* Connections of this host that a processor remembers, by their packets' hash. */
#define DCC_KNOWN	16

/**
 * struct dcc_known - such a connection
 * @dev: the device that its packet came by, never followed
 * @until: jiffies in which its socket was found
 * @ports: both, as TCP's header has them
 * @saddr: the peer's address
 * @daddr: this host's
 */
struct dcc_known {
	const struct net_device *dev;
	unsigned long until;
	__be32 ports;
	struct in6_addr saddr;
	struct in6_addr daddr;
} ____cacheline_aligned;

DECLARE_PER_CPU(struct dcc_known [DCC_KNOWN], dcc_known);

/**
 * struct dcc_gro_count - what the receiver did, by processor
 * @joined: packets of sprayed connections that joined a run
 * @runs: those that began one while another of their connection was held
 * @foreign: packets left to the stock GRO, of no connection of this host
 */
struct dcc_gro_count {
	u64 joined;
	u64 runs;
	u64 foreign;
};

DECLARE_PER_CPU(struct dcc_gro_count, dcc_gro_count);

/* The kernel's own GRO of IPv6. */
extern struct sk_buff *(*dcc_gro_stock)(struct list_head *head, struct sk_buff *skb);

/* Where there are no extension headers, as in all that is looked at here. */
static inline const struct tcphdr *dcc_tcp(const struct ipv6hdr *ip)
{
	return (const void *)(ip + 1);
}

static inline __be32 dcc_ports(const struct ipv6hdr *ip)
{
	return *(__be32 *)&dcc_tcp(ip)->source;
}

bool dcc_look_up(const struct sk_buff *skb, const struct ipv6hdr *ip, struct dcc_known *known);

/**
 * dcc_is_local() - is a packet for a connection of this host?
 * @skb: the packet, in GRO
 * @ip: its header, with TCP's behind it
 *
 * Context: softirq, under the RCU read lock.
 * Return: as dcc_look_up(), or as that did in this jiffy.
 */
static inline bool dcc_is_local(const struct sk_buff *skb, const struct ipv6hdr *ip)
{
	struct dcc_known *k = this_cpu_ptr(&dcc_known[skb_get_hash_raw(skb) % DCC_KNOWN]);

	return (time_before_eq(jiffies, k->until) && k->dev == skb->dev &&
		k->ports == dcc_ports(ip) &&
		ipv6_addr_equal(&k->saddr, &ip->saddr) &&
		ipv6_addr_equal(&k->daddr, &ip->daddr)) ||
	       dcc_look_up(skb, ip, k);
}

struct sk_buff *dcc_gro_receive(struct list_head *head, struct sk_buff *skb);

#endif /* _DCC_OFFLOAD_H */
