// SPDX-License-Identifier: GPL-2.0
/*
 * The transmit hook: one LOCAL_OUT hook per address family sees each TCP data
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
#include <net/ipv6.h>
#include <net/tcp.h>

#include "dcc.h"

/* Fair-queueing qdiscs release a packet later than now; nothing waits longer. */
#define MAX_DEPARTURE_DELAY_NS	NSEC_PER_SEC

/* Where in the sequence space a packet lies. */
struct span {
	u32 seq;
	u32 len;
};

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

/* Does this packet carry data of this socket's established connection? */
static bool xmit_span(const struct sock *sk, struct sk_buff *skb, u8 pf,
		      struct span *span)
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
	if (th->syn || skb->len <= head)
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
	dcc_count(inert ? DCC_COUNT_packets_inert : DCC_COUNT_packets_sprayed);
}

/* When the packet leaves: now, or when a fair queue is told to let it go. */
static u32 departure_ns(const struct sk_buff *skb)
{
	u64 now = ktime_get_ns();
	u64 later = ktime_to_ns(skb->tstamp);

	if (later > now && later - now < MAX_DEPARTURE_DELAY_NS)
		now = later;
	return (u32)now;
}

/**
 * dcc_record_find() - the record of the packet that holds a byte
 * @mem: the flow's memory
 * @end_seq: sequence number after that byte
 *
 * Records are ordered by end_seq, so this is a binary search.
 *
 * Return: free-running number of the oldest record with end_seq at or after
 * @end_seq; mem->head if there is none.
 */
u32 dcc_record_find(const struct dcc_mem *mem, u32 end_seq)
{
	u32 lo = mem->tail, hi = mem->head;

	while (lo != hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (before(mem->record[mid & mem->mask].end_seq, end_seq))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* A later try of data whose first try never left replaces its record. */
static void records_withdraw(struct dcc_mem *mem, u32 seq)
{
	while (mem->head != mem->tail &&
	       after(mem->record[(mem->head - 1) & mem->mask].end_seq, seq))
		mem->head--;
}

/*
 * New data: append. When the ring is full the newest packet goes unrecorded:
 * the oldest records are those the next ACKs ask for.
 */
static void record_append(struct sock *sk, struct dcc_flow *flow,
			  const struct sk_buff *skb, const struct span *span,
			  u32 label)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem = flow->mem;
	struct dcc_record *r;

	records_withdraw(mem, span->seq);
	if (mem->head - mem->tail > mem->mask) {
		dcc_count(DCC_COUNT_records_overrun);
		WRITE_ONCE(flow->info, flow->info | DCC_INFO_OVERRUN);
		return;
	}
	r = &mem->record[mem->head++ & mem->mask];
	r->end_seq = span->seq + span->len;
	r->sent_ns = departure_ns(skb);
	r->inflight = min_t(u64, (u64)tcp_packets_in_flight(tp) * tp->mss_cache +
			    span->len, U32_MAX);
	r->label = label;
	r->len_units = min(span->len >> DCC_RECORD_LEN_SHIFT,
			   DCC_RECORD_LEN_MAX);
	r->resent = 0;
}

/* Data sent before: its delay is ambiguous from now on, its label is the new. */
static void record_resend(struct dcc_mem *mem, const struct span *span, u32 label)
{
	u32 i = dcc_record_find(mem, span->seq + 1);
	u32 end = span->seq + span->len;

	for (; i != mem->head; i++) {
		struct dcc_record *r = &mem->record[i & mem->mask];

		r->resent = 1;
		r->label = label;
		if (!before(r->end_seq, end))
			break;
	}
}

/* Give a packet of ours the engine's next label. */
static u32 flow_spray(struct sock *sk, struct sk_buff *skb, u8 family, u32 paths)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct dcc_mem *mem = flow->mem;
	u32 label = dcc_spray_oblivious(mem->key, mem->count++, paths);
	u8 inert = label_inert(sk, skb, family);

	label_write(skb, mem->key, label, inert);
	if (inert)
		flow_note_inert(flow, inert);
	else
		WRITE_ONCE(flow->info, flow->info | DCC_INFO_SPRAYING);
	return label;
}

/* A packet of a flow of ours: its own engine first, else the namespace's. */
static void xmit_flow(struct sock *sk, struct sk_buff *skb, u8 family,
		      const struct span *span)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	const struct dcc_flow_knobs *k = (const void *)flow->mem->knobs;
	u32 paths, label = 0;

	paths = k->spray == DCC_SPRAY_OFF ? dcc_net_spray_paths(sk) : k->spray_paths;
	if (paths)
		label = flow_spray(sk, skb, family, paths);
	else if (family == NFPROTO_IPV6)
		label = ntohl(ip6_flowlabel(ipv6_hdr(skb)));
	if (before(span->seq, tcp_sk(sk)->snd_nxt))
		record_resend(flow->mem, span, label);
	else
		record_append(sk, flow, skb, span, label);
}

/*
 * A packet of any other flow. No state: the socket's own count of segments
 * walks the labels, its hashes are the key.
 */
static void xmit_foreign(struct sock *sk, struct sk_buff *skb, u8 family)
{
	u64 key = (u64)sk->sk_txhash << 32 | sk->sk_hash;
	u32 paths = dcc_net_spray_paths(sk);
	u32 label;

	if (!paths)
		return;
	label = dcc_spray_oblivious(key, tcp_sk(sk)->segs_out, paths);
	label_write(skb, key, label, label_inert(sk, skb, family));
}

/* Does one of our modules drive this socket, with memory to note its packets? */
static bool sk_is_ours(struct sock *sk)
{
	const struct dcc_flow *flow = inet_csk_ca(sk);

	return inet_csk(sk)->icsk_ca_ops->undo_cwnd == dcc_undo_cwnd &&
	       flow->mem;
}

static unsigned int dcc_local_out(void *priv, struct sk_buff *skb,
				  const struct nf_hook_state *state)
{
	struct sock *sk = skb->sk;
	struct span span;

	if (!sk || sk != state->sk || !sk_fullsock(sk) || !sk_is_tcp(sk) ||
	    !xmit_span(sk, skb, state->pf, &span))
		return NF_ACCEPT;
	if (sk_is_ours(sk))
		xmit_flow(sk, skb, state->pf, &span);
	else
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
