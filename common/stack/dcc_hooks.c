// SPDX-License-Identifier: GPL-2.0
/*
 * Netfilter: what is done to packets without a flow of this project's. A hook may be
 * entered without the socket's lock, on another CPU, and twice for one packet (a
 * VRF device with a queue, a verdict from user space, tunnels). So nothing here
 * touches a flow's memory: it reads a socket's plain fields and writes into the
 * packet, which is the hook's own; and what it did once it does not do again.
 *
 * spray: labels of TCP flows of other algorithms, in namespaces whose
 * net.dcc.spray says so, while it does.
 *
 * syn: while an algorithm that asks for ECN is loaded, its SYN is not sent as
 * ECN-capable. The stack does that, and answers such a SYN with ECN only if the
 * listener's algorithm needs it, too; without it (RFC 3168, 6.1.1) any listener
 * that allows ECN agrees. There is no flow yet that could have it done.
 */
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "dcc_core.h"

/*
 * The socket of a packet that is its own TCP, not a tunnel around it; or NULL. Of a
 * socket that has ended the algorithm is not to be looked at: it gave its reference
 * to the module back, which may be gone while the packet was in a queue. If it has
 * not ended now, the module stays as long as the caller's RCU.
 */
static const struct sock *hook_sock(const struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	const struct sock *sk = skb->sk;

	if (!sk || sk != state->sk || !sk_fullsock(sk) || !sk_is_tcp(sk))
		return NULL;
	if (inet_sk_state_load(sk) == TCP_CLOSE)
		return NULL;
	if (state->pf == NFPROTO_IPV4)
		return ip_hdr(skb)->protocol == IPPROTO_TCP ? sk : NULL;
	return ipv6_hdr(skb)->nexthdr == IPPROTO_TCP ? sk : NULL;
}

/* The packet's TCP header, if that is the socket's own; or NULL. */
static const struct tcphdr *hook_tcp(const struct sock *sk, struct sk_buff *skb)
{
	const struct tcphdr *th;

	if (!pskb_may_pull(skb, skb_transport_offset(skb) + sizeof(*th)))
		return NULL;
	th = tcp_hdr(skb);
	if (th->source != inet_sk(sk)->inet_sport ||
	    th->dest != inet_sk(sk)->inet_dport)
		return NULL;
	return th;
}

static bool has_data(const struct sk_buff *skb, const struct tcphdr *th)
{
	return skb->len > skb_transport_offset(skb) + th->doff * 4;
}

/* Is this label the one that the stack makes of the packet's hash? */
static bool label_is_automatic(const struct sk_buff *skb, u32 label)
{
	u32 made = dcc_hash_label(skb->hash);

	return label && (label == made ||
			 label == (made | ntohl(IPV6_FLOWLABEL_STATELESS_FLAG)));
}

static void label_write(struct ipv6hdr *hdr, u32 label)
{
	__be32 *first = (__be32 *)hdr;

	*first = (*first & ~IPV6_FLOWLABEL_MASK) | htonl(label);
}

/*
 * A label for this packet, unless it has had one: no state, the socket's own
 * count of segments walks the labels, its hashes are the key. What already has
 * this module's is known by its hash, what has another by not being automatic.
 */
static void spray_packet(const struct sock *sk, struct sk_buff *skb, u8 pf,
			 u32 paths)
{
	u64 key = (u64)READ_ONCE(sk->sk_txhash) << 32 | sk->sk_hash;
	u32 label = dcc_spray_oblivious(key, READ_ONCE(tcp_sk(sk)->segs_out),
					paths);
	u32 before = pf == NFPROTO_IPV6 ? ntohl(ip6_flowlabel(ipv6_hdr(skb))) : 0;

	if (before && skb->hash == dcc_spray_hash(key, before))
		return;
	if (label_is_automatic(skb, before)) {
		if (skb_ensure_writable(skb, skb_transport_offset(skb)))
			return;
		label_write(ipv6_hdr(skb), label);
		dcc_count(DCC_COUNT_packets_sprayed);
	} else {
		dcc_count(DCC_COUNT_packets_inert);
		if (before)	/* the application's own */
			return;
	}
	skb_set_hash(skb, dcc_spray_hash(key, label), PKT_HASH_TYPE_L4);
}

static unsigned int spray_hook(void *priv, struct sk_buff *skb,
			       const struct nf_hook_state *state)
{
	const struct sock *sk = hook_sock(skb, state);
	u32 paths = dcc_net_spray_paths(state->net);
	const struct tcphdr *th;

	if (!sk || !paths || dcc_is_ours(sk) ||
	    (skb_dst(skb) && dst_xfrm(skb_dst(skb))))
		return NF_ACCEPT;
	th = hook_tcp(sk, skb);
	if (th && !th->syn && !th->rst && has_data(skb, th))
		spray_packet(sk, skb, state->pf, paths);
	return NF_ACCEPT;
}

/*
 * Take ECN-capable off a SYN that asks for classic ECN, or for none any more: the
 * stack drops the question when it repeats a SYN without an answer, and leaves
 * the packet ECN-capable. One that asks for the accurate kind (its third flag is
 * the lowest bit of byte 12) is accepted as it is, and the sender would hold what
 * it sent against what the peer says it got.
 */
static void syn_packet(struct sk_buff *skb, const struct tcphdr *th, u8 pf)
{
	if (((const u8 *)th)[12] & 1)
		return;
	if (skb_ensure_writable(skb, skb_transport_offset(skb)))
		return;
	if (pf == NFPROTO_IPV4)
		ipv4_change_dsfield(ip_hdr(skb), (u8)~INET_ECN_MASK, 0);
	else
		ipv6_change_dsfield(ipv6_hdr(skb), (u8)~INET_ECN_MASK, 0);
}

static unsigned int syn_hook(void *priv, struct sk_buff *skb,
			     const struct nf_hook_state *state)
{
	const struct sock *sk = hook_sock(skb, state);
	const struct tcphdr *th;

	if (!sk || READ_ONCE(sk->sk_state) != TCP_SYN_SENT || !dcc_is_ours(sk))
		return NF_ACCEPT;
	th = hook_tcp(sk, skb);
	if (th && th->syn && !th->ack)
		syn_packet(skb, th, state->pf);
	return NF_ACCEPT;
}

#define LOCAL_OUT_HOOKS(hook_) {					\
	{								\
		.hook = hook_,						\
		.pf = NFPROTO_IPV4,					\
		.hooknum = NF_INET_LOCAL_OUT,				\
		.priority = NF_IP_PRI_FIRST,				\
	},								\
	{								\
		.hook = hook_,						\
		.pf = NFPROTO_IPV6,					\
		.hooknum = NF_INET_LOCAL_OUT,				\
		.priority = NF_IP6_PRI_FIRST,				\
	},								\
}

static const struct nf_hook_ops spray_hooks[] = LOCAL_OUT_HOOKS(spray_hook);
static const struct nf_hook_ops syn_hooks[] = LOCAL_OUT_HOOKS(syn_hook);

/**
 * dcc_hooks_spray() - begin or end to spray flows of other algorithms
 * @net: the namespace, in which it is the other way round now
 * @on: begin?
 *
 * Process context. Return: 0 or an error, with nothing changed.
 */
int dcc_hooks_spray(struct net *net, bool on)
{
	if (on)
		return nf_register_net_hooks(net, spray_hooks,
					     ARRAY_SIZE(spray_hooks));
	nf_unregister_net_hooks(net, spray_hooks, ARRAY_SIZE(spray_hooks));
	return 0;
}

/**
 * dcc_hooks_syn_init() - SYNs of a namespace pass by the hook
 * @net: the namespace
 *
 * Process context. Return: 0 or an error, with nothing left behind.
 */
int dcc_hooks_syn_init(struct net *net)
{
	return nf_register_net_hooks(net, syn_hooks, ARRAY_SIZE(syn_hooks));
}

/**
 * dcc_hooks_syn_exit() - and no longer
 * @net: the namespace
 */
void dcc_hooks_syn_exit(struct net *net)
{
	nf_unregister_net_hooks(net, syn_hooks, ARRAY_SIZE(syn_hooks));
}
