// SPDX-License-Identifier: GPL-2.0
/*
 * The transmit hook: one LOCAL_OUT hook per address family sees each TCP
 * packet, retransmissions included, with its socket locked. It has the flow's
 * path engine choose a label, writes that into the IPv6 header (outside the TCP
 * checksum) and into skb->hash (where tunnels and link aggregation take their
 * entropy from), and notes when the packet left with which label.
 *
 * It runs before all other LOCAL_OUT hooks: a later one may queue the packet to
 * user space, from where it comes back without the socket lock. Packets that
 * are not the socket's own are left alone: tunnels and IPsec send a packet
 * through LOCAL_OUT again, wrapped, with the same skb->sk.
 */
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "dcc.h"

/* Is this socket's TCP header where the packet says, in this family? */
static bool xmit_is_tcp(const struct sock *sk, struct sk_buff *skb, u8 pf)
{
	unsigned int offset = 0;

	if (pf == NFPROTO_IPV4)
		return ip_hdr(skb)->protocol == IPPROTO_TCP;
	if (sk->sk_family != AF_INET6)
		return false;
	if (ipv6_hdr(skb)->nexthdr == IPPROTO_TCP)
		return true;
	return ipv6_find_hdr(skb, &offset, IPPROTO_TCP, NULL, NULL) ==
		IPPROTO_TCP && offset == skb_transport_offset(skb);
}

/* Is this packet of this socket's established connection, and which data? */
static bool xmit_span(const struct sock *sk, struct sk_buff *skb, u8 pf,
		      struct dcc_span *span)
{
	const struct tcphdr *th;
	int head;

	if (!xmit_is_tcp(sk, skb, pf))
		return false;
	th = tcp_hdr(skb);
	if (th->source != inet_sk(sk)->inet_sport ||
	    th->dest != inet_sk(sk)->inet_dport)
		return false;
	head = skb_transport_offset(skb) + th->doff * 4;
	if (th->syn || th->rst || skb->len < head)
		return false;
	span->seq = ntohl(th->seq);
	span->len = skb->len - head;
	return true;
}

/* Why a label would do nothing on this packet; 0 if it works. */
static u8 label_inert(const struct sock *sk, const struct sk_buff *skb, u8 family)
{
	if (family == NFPROTO_IPV4)
		return DCC_INFO_LABEL_IPV4;
#if IS_ENABLED(CONFIG_IPV6)
	if (inet6_sk(sk)->flow_label)
		return DCC_INFO_LABEL_OWNED;
#endif
	return ip6_flowlabel(ipv6_hdr(skb)) ? 0 : DCC_INFO_LABEL_OFF;
}

/* Note once per flow that spraying was asked for in vain. */
static void flow_note_inert(struct dcc_flow *flow, u8 why)
{
	if (flow->info & why)
		return;
	WRITE_ONCE(flow->info, flow->info | why);
	if (why == DCC_INFO_LABEL_IPV4) {
		dcc_count(DCC_COUNT_label_ipv4);
		pr_info_once("dcc: spraying asked for on IPv4: no flow label there, only skb->hash is set\n");
	} else if (why == DCC_INFO_LABEL_OFF) {
		dcc_count(DCC_COUNT_label_off);
		pr_info_once("dcc: spraying asked for, but net.ipv6.auto_flowlabels or the socket turned labels off\n");
	} else {
		dcc_count(DCC_COUNT_label_owned);
		pr_info_once("dcc: spraying asked for, but the socket set a flow label of its own\n");
	}
}

/* Write a label. Without an IPv6 label the hash alone still steers tunnels. */
static void label_write(struct sk_buff *skb, u64 key, u32 label, bool inert)
{
	__be32 *first = (__be32 *)skb_network_header(skb);

	skb_set_hash(skb, dcc_spray_hash(key, label), PKT_HASH_TYPE_L4);
	if (!inert)
		*first = (*first & ~IPV6_FLOWLABEL_MASK) | htonl(label);
}

/* Write a label on a data packet of ours and note whether it can work. */
static void flow_label(struct sock *sk, struct sk_buff *skb, u8 family, u32 label)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	u8 inert = label_inert(sk, skb, family);

	label_write(skb, flow->mem->spray.key, label, inert);
	dcc_count(inert ? DCC_COUNT_packets_inert : DCC_COUNT_packets_sprayed);
	if (inert)
		flow_note_inert(flow, inert);
	else
		WRITE_ONCE(flow->info, flow->info | DCC_INFO_SPRAYING);
}

/* The label of a data packet: its own engine's, else the namespace's. */
static u32 flow_spray(struct sock *sk, struct sk_buff *skb, u8 family)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct dcc_spray *spray = &flow->mem->spray;
	u32 paths, label;

	if (spray->engine != DCC_SPRAY_OFF) {
		label = dcc_spray_next(spray, tcp_sk(sk)->tcp_clock_cache);
	} else {
		paths = dcc_net_spray_paths(sk);
		if (!paths)
			return family == NFPROTO_IPV6 ?
				ntohl(ip6_flowlabel(ipv6_hdr(skb))) : 0;
		label = dcc_spray_oblivious(spray->key, spray->count++, paths);
	}
	flow_label(sk, skb, family, label);
	return label;
}

/* A packet of a flow of ours that carries data. */
static void xmit_data(struct sock *sk, struct sk_buff *skb, u8 family,
		      const struct dcc_span *span)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	u32 label;

	if (!before(span->seq, tcp_sk(sk)->snd_nxt)) {
		label = flow_spray(sk, skb, family);
		dcc_record_append(sk, flow, skb, span, label);
		return;
	}
	dcc_record_resend(sk, flow, span);
	label = flow_spray(sk, skb, family);
	dcc_record_relabel(flow->mem, span, label);
}

/*
 * A pure ACK of a flow of ours: nobody tells how it fared, so it goes any way.
 * On one way only, a single congested link would delay all samples of the flow
 * that it acknowledges.
 */
static void xmit_ack(struct sock *sk, struct sk_buff *skb, u8 family)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	const struct dcc_flow_knobs *k = (const void *)flow->mem->knobs;
	u64 key = ~flow->mem->spray.key;
	u32 label;

	if (k->spray == DCC_SPRAY_OFF || !k->spray_acks ||
	    label_inert(sk, skb, family))
		return;
	label = dcc_spray_oblivious(key, flow->mem->acks++ / k->spray_acks,
				    k->spray_paths);
	label_write(skb, key, label, false);
	dcc_count(DCC_COUNT_acks_sprayed);
}

/*
 * A packet of any other flow. No state: the socket's own count of segments
 * walks the labels, its hashes are the key.
 */
static void xmit_foreign(struct sock *sk, struct sk_buff *skb, u8 family)
{
	u64 key = (u64)sk->sk_txhash << 32 | sk->sk_hash;
	u32 paths = dcc_net_spray_paths(sk);
	u8 inert;

	if (!paths)
		return;
	inert = label_inert(sk, skb, family);
	label_write(skb, key,
		    dcc_spray_oblivious(key, tcp_sk(sk)->segs_out, paths), inert);
	dcc_count(inert ? DCC_COUNT_packets_inert : DCC_COUNT_packets_sprayed);
}

/* Does one of our modules drive this socket? */
static bool sk_is_ours(struct sock *sk)
{
	return inet_csk(sk)->icsk_ca_ops->undo_cwnd == dcc_undo_cwnd;
}

/*
 * The stack sends the SYN of a socket that needs ECN as ECN-capable, and answers
 * such a one with ECN only if the listener needs it, too. Without it (RFC 3168,
 * 6.1.1) any listener that allows ECN agrees.
 */
static void xmit_connecting(struct sk_buff *skb, u8 family)
{
	if (family == NFPROTO_IPV4)
		ipv4_change_dsfield(ip_hdr(skb), (u8)~INET_ECN_MASK, 0);
	else
		ipv6_change_dsfield(ipv6_hdr(skb), (u8)~INET_ECN_MASK, 0);
}

/* A packet of a flow of ours, which has memory once it is established. */
static void xmit_ours(struct sock *sk, struct sk_buff *skb, u8 family,
		      const struct dcc_span *span)
{
	const struct dcc_flow *flow = inet_csk_ca(sk);

	if (!flow->mem)
		return;
	if (span->len)
		xmit_data(sk, skb, family, span);
	else
		xmit_ack(sk, skb, family);
}

static unsigned int dcc_local_out(void *priv, struct sk_buff *skb,
				  const struct nf_hook_state *state)
{
	struct sock *sk = skb->sk;
	struct dcc_span span;

	if (!sk || sk != state->sk || !sk_fullsock(sk) || !sk_is_tcp(sk))
		return NF_ACCEPT;
	if (sk->sk_state == TCP_SYN_SENT && sk_is_ours(sk))
		xmit_connecting(skb, state->pf);
	else if (!xmit_span(sk, skb, state->pf, &span))
		return NF_ACCEPT;
	else if (sk_is_ours(sk))
		xmit_ours(sk, skb, state->pf, &span);
	else if (span.len)
		xmit_foreign(sk, skb, state->pf);
	return NF_ACCEPT;
}

static const struct nf_hook_ops dcc_hooks[] = {
	{
		.hook = dcc_local_out,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_LOCAL_OUT,
		.priority = NF_IP_PRI_FIRST,
	},
	{
		.hook = dcc_local_out,
		.pf = NFPROTO_IPV6,
		.hooknum = NF_INET_LOCAL_OUT,
		.priority = NF_IP6_PRI_FIRST,
	},
};

int dcc_xmit_net_init(struct net *net)
{
	return nf_register_net_hooks(net, dcc_hooks, ARRAY_SIZE(dcc_hooks));
}

void dcc_xmit_net_exit(struct net *net)
{
	nf_unregister_net_hooks(net, dcc_hooks, ARRAY_SIZE(dcc_hooks));
}
