// SPDX-License-Identifier: GPL-2.0
/*
 * Is a packet for a connection of this host? GRO comes before routing, so a socket is looked
 * for; whoever forwards has none. A poll brings many packets of few connections: what was
 * found is remembered for a jiffy. What ended meanwhile was of this host none the less.
 */
#include <net/inet6_hashtables.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "dcc_offload.h"

DEFINE_PER_CPU(struct dcc_known [DCC_KNOWN], dcc_known);

/* The table of sockets became the namespace's own affair in 6.18. */
static struct sock *lookup(struct net *net, const struct ipv6hdr *ip, int interface, int lower)
{
#ifdef DCC_HAVE_LOOKUP_BY_NET
	return __inet6_lookup_established(net, &ip->saddr, dcc_tcp(ip)->source, &ip->daddr,
					  ntohs(dcc_tcp(ip)->dest), interface, lower);
#else
	return __inet6_lookup_established(net, net->ipv4.tcp_death_row.hashinfo, &ip->saddr,
					  dcc_tcp(ip)->source, &ip->daddr, ntohs(dcc_tcp(ip)->dest),
					  interface, lower);
#endif
}

/* TCP finds a socket by the device, and by the VRF that it belongs to. */
static bool has_socket(const struct sk_buff *skb, const struct ipv6hdr *ip)
{
	int interface = skb->dev->ifindex, lower = 0;
	const struct net_device *master;
	struct sock *sk;

	if (netif_is_l3_slave(skb->dev)) {
		master = netdev_master_upper_dev_get_rcu(skb->dev);
		lower = interface;
		interface = master ? master->ifindex : 0;
	}
	sk = lookup(dev_net(skb->dev), ip, interface, lower);
	if (sk)
		sock_gen_put(sk);
	return sk;
}

/**
 * dcc_look_up() - is there a socket for a packet? If so, it is remembered
 * @skb: the packet, in GRO
 * @ip: its header, with TCP's behind it
 * @known: where
 *
 * Context: softirq, under the RCU read lock.
 * Return: false, too, for one whose socket is another namespace's than its device, as behind
 * a bridge or a macvlan.
 */
bool dcc_look_up(const struct sk_buff *skb, const struct ipv6hdr *ip, struct dcc_known *known)
{
	if (!has_socket(skb, ip))
		return false;
	known->until = jiffies;
	known->dev = skb->dev;
	known->ports = dcc_ports(ip);
	known->saddr = ip->saddr;
	known->daddr = ip->daddr;
	return true;
}
