// SPDX-License-Identifier: GPL-2.0
/*
 * Flow labels on packets. A label is chosen by choosing the packet's hash: the IPv6 header's
 * label is made of it (ip6_make_flowlabel()), and tunnels and link aggregation take their
 * entropy from it. Nothing is written into a header, so where labels are inert (IPv4,
 * auto_flowlabels=0, a label of the socket's own) they stay so. Of TCP's it writes nothing.
 */
#include <linux/if_arp.h>
#include <net/ipv6.h>
#include <net/rtnetlink.h>
#include <net/tcp.h>

#include "dcc_core.h"

/* Does a device make one flow of all that it sends, whatever the packets' hashes? */
static bool makes_one_flow(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops;

	if (likely(dev->type != ARPHRD_NONE))	/* no name to compare for each packet */
		return false;
	ops = READ_ONCE(dev->rtnl_link_ops);
	return ops && !strcmp(ops->kind, "wireguard");
}

/**
 * dcc_label_inert() - why would a flow label do nothing on a flow's packets?
 * @sk: a TCP socket, locked
 *
 * Return: one of DCC_INFO_*; 0: it works.
 */
u16 dcc_label_inert(struct sock *sk)
{
	const struct dst_entry *dst = __sk_dst_get(sk);
	bool one_flow;

	if (dst && dst_xfrm(dst))
		return DCC_INFO_LABEL_XFRM;
	rcu_read_lock();	/* the device may be going */
	one_flow = dst && makes_one_flow(READ_ONCE(dst->dev));
	rcu_read_unlock();
	if (one_flow)
		return DCC_INFO_ONE_FLOW;
	if (!dcc_is_ipv6(sk))
		return DCC_INFO_LABEL_IPV4;
#if IS_ENABLED(CONFIG_IPV6)
	if (inet6_sk(sk)->flow_label & IPV6_FLOWLABEL_MASK)
		return DCC_INFO_LABEL_OWNED;
#endif
	return dcc_autoflowlabel(sk) ? 0 : DCC_INFO_LABEL_OFF;
}

/* Note once per flow that spraying was asked for in vain. */
static void flow_note_inert(struct dcc_flow *flow, u16 why)
{
	if (why == DCC_INFO_LABEL_XFRM) {
		dcc_note(flow, why, DCC_COUNT_label_xfrm);
		pr_info_once("dcc: spraying asked for under IPsec: not done, its replay window drops what is reordered\n");
	} else if (why == DCC_INFO_ONE_FLOW) {
		dcc_note(flow, why, DCC_COUNT_label_one_flow);
		pr_info_once("dcc: spraying asked for into WireGuard: all its packets leave as one flow, by one path\n");
	} else if (why == DCC_INFO_LABEL_IPV4) {
		dcc_note(flow, why, DCC_COUNT_label_ipv4);
		pr_info_once("dcc: spraying asked for on IPv4: no flow label there, only skb->hash is set\n");
	} else if (why == DCC_INFO_LABEL_OFF) {
		dcc_note(flow, why, DCC_COUNT_label_off);
		pr_info_once("dcc: spraying asked for, but net.ipv6.auto_flowlabels or the socket turned labels off\n");
	} else {
		dcc_note(flow, why, DCC_COUNT_label_owned);
		pr_info_once("dcc: spraying asked for, but the socket set a flow label of its own\n");
	}
}

/**
 * dcc_label_write() - give a packet the hash that becomes this label
 * @skb: a TCP segment without an IP header
 * @key: what the hash's other bits are made of
 * @label: 20 bits
 *
 * ip6_make_flowlabel() takes the hash rotated by 16 bits, as it stands, for the header's
 * first word and keeps the 20 bits of the label (with flowlabel_state_ranges the highest is
 * then set); the other 12 bits are free, and for tunnels, which use all 32, they are a
 * function of the label, too.
 */
void dcc_label_write(struct sk_buff *skb, u64 key, u32 label)
{
	u32 mask = (__force u32)IPV6_FLOWLABEL_MASK;
	u32 word = (__force u32)htonl(label) & mask;

	word |= dcc_spray_hash(key, label) & ~mask;
	skb_set_hash(skb, ror32(word, 16), PKT_HASH_TYPE_L4);
}

/**
 * dcc_label_data() - a flow label for a data packet, with a note whether it can work
 * @sk: a TCP socket, locked
 * @flow: its state, with memory
 * @skb: a TCP segment without an IP header
 * @label: 20 bits
 */
void dcc_label_data(struct sock *sk, struct dcc_flow *flow, struct sk_buff *skb, u32 label)
{
	u16 inert = dcc_label_inert(sk);

	if (inert != DCC_INFO_LABEL_XFRM)
		dcc_label_write(skb, flow->mem->key, label);
	dcc_count(inert ? DCC_COUNT_packets_inert : DCC_COUNT_packets_sprayed);
	if (inert)
		flow_note_inert(flow, inert);
	else
		WRITE_ONCE(flow->info, flow->info | DCC_INFO_SPRAYING);
}

/**
 * dcc_header_label() - a label as it is in the header
 * @sk: a TCP socket
 * @label: as its flow chose it; 0: not known
 *
 * Where labels of sockets and automatic ones are kept apart, the latter have their
 * highest bit set.
 *
 * Return: what switches see; 0: not known.
 */
u32 dcc_header_label(const struct sock *sk, u32 label)
{
#if IS_ENABLED(CONFIG_IPV6)
	const struct netns_ipv6 *ipv6 = &sock_net(sk)->ipv6;

	if (label && dcc_is_ipv6(sk) &&
	    READ_ONCE(ipv6->sysctl.flowlabel_state_ranges))
		label |= ntohl(IPV6_FLOWLABEL_STATELESS_FLAG);
#endif
	return label;
}
