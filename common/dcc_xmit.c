// SPDX-License-Identifier: GPL-2.0
/*
 * How packets of our flows leave. TCP hands each packet of a connection to the
 * socket's queue_xmit() operation: data, retransmissions, pure ACKs, probes,
 * once each, with the socket locked, before there is an IP header. A flow of
 * ours has a copy of its socket's operations in which queue_xmit() is ours: it
 * notes the packet, chooses its label, and calls the original.
 *
 * A label is chosen by choosing the packet's hash: the IPv6 header's label is
 * made of it (ip6_make_flowlabel()), and tunnels and link aggregation take their
 * entropy from it. Nothing is written into a header, so where labels are inert
 * (IPv4, auto_flowlabels=0, a label of the socket's own) they stay so.
 *
 * This is the only place where a packet meets a flow's memory. A netfilter hook
 * is none: it may be entered without the socket's lock (a VRF device with a
 * queue, a verdict from user space), while the memory is being freed.
 */
#include <linux/if_arp.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <net/inet6_connection_sock.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/rtnetlink.h>
#include <net/tcp.h>
#include <net/transp_v6.h>

#include "dcc_core.h"
#include "dcc_trace.h"

/*
 * One copy for each set of operations there is: TCP has three, MPTCP four. They
 * live as long as this module, since the stack also reads them without the lock.
 */
#define WRAP_MAX	8

struct wrap {
	struct inet_connection_sock_af_ops ops;
	const struct inet_connection_sock_af_ops *original;
};

static struct wrap wraps[WRAP_MAX];
static unsigned int wrap_count;
static DEFINE_SPINLOCK(wrap_lock);

static int xmit_ipv4(struct sock *sk, struct sk_buff *skb, struct flowi *fl);
#if IS_ENABLED(CONFIG_IPV6)
static int xmit_ipv6(struct sock *sk, struct sk_buff *skb, struct flowi *fl);
#endif

/* Is this copy still what its original says? One may have been freed since. */
static bool wrap_is_of(const struct wrap *w,
		       const struct inet_connection_sock_af_ops *original)
{
	struct inet_connection_sock_af_ops ops;

	memcpy(&ops, original, sizeof(ops));
	ops.queue_xmit = w->ops.queue_xmit;
	return w->original == original && !memcmp(&ops, &w->ops, sizeof(ops));
}

/* Fill in a copy; false if its packets do not leave in a way known here. */
static bool wrap_make(struct wrap *w,
		      const struct inet_connection_sock_af_ops *original)
{
	w->original = original;
	memcpy(&w->ops, original, sizeof(w->ops));
	if (original->queue_xmit == ip_queue_xmit)
		w->ops.queue_xmit = xmit_ipv4;
#if IS_ENABLED(CONFIG_IPV6)
	else if (original->queue_xmit == inet6_csk_xmit)
		w->ops.queue_xmit = xmit_ipv6;
#endif
	else
		return false;
	return true;
}

static const struct wrap *
wrap_find(const struct inet_connection_sock_af_ops *original)
{
	/* pairs with the release in wrap_get(): so many are complete */
	unsigned int i, n = smp_load_acquire(&wrap_count);

	for (i = 0; i < n; i++)
		if (wrap_is_of(&wraps[i], original))
			return &wraps[i];
	return NULL;
}

/*
 * Are they a part of something that comes and goes? SMC has a set in each of its
 * sockets, and may leave it in a TCP socket that never listened: any user's few
 * would take all places, for good. Those that are worth one are static data.
 */
static bool wrap_is_transient(const struct inet_connection_sock_af_ops *ops)
{
	return virt_addr_valid(ops) && PageSlab(virt_to_head_page(ops));
}

/* The copy of these operations, made if need be; NULL if it cannot be had. */
static const struct wrap *
wrap_get(const struct inet_connection_sock_af_ops *original)
{
	const struct wrap *w = wrap_find(original);

	if (w || wrap_is_transient(original))
		return w;
	spin_lock_bh(&wrap_lock);
	w = wrap_find(original);
	if (!w && wrap_count < WRAP_MAX &&
	    wrap_make(&wraps[wrap_count], original)) {
		w = &wraps[wrap_count];
		/* pairs with the acquire in wrap_find() */
		smp_store_release(&wrap_count, wrap_count + 1);
	}
	spin_unlock_bh(&wrap_lock);
	return w;
}

/* The copy that a socket has; NULL: none of ours. */
static const struct wrap *wrap_of(const struct sock *sk)
{
	const struct inet_connection_sock_af_ops *ops =
		READ_ONCE(inet_csk(sk)->icsk_af_ops);

	if (ops < &wraps[0].ops || ops > &wraps[WRAP_MAX - 1].ops)
		return NULL;
	return container_of(ops, const struct wrap, ops);
}

/**
 * dcc_is_wrapped() - do a socket's packets leave by here?
 * @sk: a TCP socket, locked
 *
 * Return: true if they do.
 */
bool dcc_is_wrapped(const struct sock *sk)
{
	return wrap_of(sk);
}

/**
 * dcc_wrap() - have a socket's packets leave by here
 * @sk: a TCP socket of ours, locked
 *
 * Again before each burst: IPV6_ADDRFORM and MPTCP's fallback put other
 * operations in place.
 *
 * Return: false if that cannot be done.
 */
bool dcc_wrap(struct sock *sk)
{
	const struct wrap *w;

	if (likely(dcc_is_wrapped(sk)))
		return true;
	w = wrap_get(inet_csk(sk)->icsk_af_ops);
	if (w)
		WRITE_ONCE(inet_csk(sk)->icsk_af_ops, &w->ops);
	else
		pr_info_once("dcc: a socket's operations are not TCP's own: no labels, no send records\n");
	return w;
}

/**
 * dcc_unwrap() - give a socket its own operations back
 * @sk: a TCP socket, locked
 *
 * Unless somebody else has put others there.
 */
void dcc_unwrap(struct sock *sk)
{
	const struct wrap *w = wrap_of(sk);

	if (w)
		WRITE_ONCE(inet_csk(sk)->icsk_af_ops, w->original);
}

/**
 * dcc_wrap_exit() - nobody looks into the copies any more
 *
 * No socket has one when the module goes. But setsockopt() reads the operations
 * without the lock, and a task may have been preempted in between: wait until
 * each has been seen elsewhere.
 */
void dcc_wrap_exit(void)
{
	if (wrap_count)
		synchronize_rcu_tasks();
}

/* Does a device make one flow of all that it sends, whatever the packets' hashes? */
static bool makes_one_flow(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops;

	if (likely(dev->type != ARPHRD_NONE))	/* no name to compare for each packet */
		return false;
	ops = READ_ONCE(dev->rtnl_link_ops);
	return ops && !strcmp(ops->kind, "wireguard");
}

/* Why a label would do nothing on this flow's packets; 0 if it works. */
static u16 label_inert(struct sock *sk)
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

/*
 * Give a packet the hash that becomes this label. ip6_make_flowlabel() takes the
 * hash rotated by 16 bits, as it stands, for the header's first word and keeps
 * the 20 bits of the label (with flowlabel_state_ranges the highest is then
 * set); the other 12 bits are free, and for tunnels, which use all 32, they
 * are a function of the label, too.
 */
static void label_write(struct sk_buff *skb, u64 key, u32 label)
{
	u32 mask = (__force u32)IPV6_FLOWLABEL_MASK;
	u32 word = (__force u32)htonl(label) & mask;

	word |= dcc_spray_hash(key, label) & ~mask;
	skb_set_hash(skb, ror32(word, 16), PKT_HASH_TYPE_L4);
}

/* Write a label on a data packet of ours and note whether it can work. */
static void flow_label(struct sock *sk, struct dcc_flow *flow,
		       struct sk_buff *skb, u32 label)
{
	u16 inert = label_inert(sk);

	if (inert != DCC_INFO_LABEL_XFRM)
		label_write(skb, flow->mem->key, label);
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

/* The label that the stack chooses, for who traces; 0: it is not known. */
static u32 stack_label(struct sock *sk, const struct sk_buff *skb)
{
	if (!trace_dcc_path_enabled() || label_inert(sk))
		return 0;
	return dcc_hash_label(skb->hash);
}

/*
 * The label of a data packet: its own selector's, else the namespace's, else the
 * stack's own.
 */
static u32 flow_spray(struct sock *sk, struct dcc_flow *flow,
		      struct sk_buff *skb)
{
	struct dcc_mem *mem = flow->mem;
	u32 paths, label;

	if (mem->spray) {
		label = dcc_spray_next(mem->spray, tcp_sk(sk)->tcp_clock_cache);
	} else {
		paths = dcc_sk_spray_paths(sk);
		if (!paths)
			return stack_label(sk, skb);
		label = dcc_spray_oblivious(mem->key, mem->labelled++, paths);
	}
	flow_label(sk, flow, skb, label);
	return label;
}

/* A packet that carries data. Of one sent again the label before hears first. */
static void xmit_data(struct sock *sk, struct dcc_flow *flow,
		      struct sk_buff *skb, const struct dcc_span *span)
{
	u32 label;

	if (!dcc_mem_for_data(sk, flow))
		return;
	if (!before(span->seq, tcp_sk(sk)->snd_nxt)) {
		label = flow_spray(sk, flow, skb);
		dcc_record_append(sk, flow, span, label);
		return;
	}
	dcc_record_resend(sk, flow, span);
	label = flow_spray(sk, flow, skb);
	dcc_ring_relabel(&flow->mem->ring, span, label);
}

/*
 * The label of a packet that nobody tells about, so that it goes any way: one of
 * a sequence of its own, beside that of the data.
 */
static void label_aside(struct sk_buff *skb, const struct dcc_mem *mem,
			u32 number)
{
	const struct dcc_flow_knobs *k = (const void *)mem->knobs;

	label_write(skb, ~mem->key,
		    dcc_spray_oblivious(~mem->key, number, k->spray_paths));
}

/*
 * A pure ACK: nobody tells how it fared, so it goes any way. On one way only, a
 * single congested link would delay all samples of the flow that it
 * acknowledges.
 */
static void xmit_ack(struct sock *sk, struct dcc_flow *flow,
		     struct sk_buff *skb)
{
	struct dcc_mem *mem = flow->mem;
	const struct dcc_flow_knobs *k;

	if (!mem)
		return;
	k = (const void *)mem->knobs;
	if (k->spray == DCC_SPRAY_OFF || !k->spray_acks || label_inert(sk))
		return;
	label_aside(skb, mem, mem->labelled++ / k->spray_acks);
	dcc_count(DCC_COUNT_acks_sprayed);
}

/*
 * On a connection without ECN nothing may look ECN-capable; the stack leaves
 * that on where the algorithm asks for ECN, as DCTCP wants it.
 */
static void xmit_ecn(struct sock *sk)
{
	if (inet_sk(sk)->tos & INET_ECN_MASK && !dcc_ecn_any(tcp_sk(sk)))
		INET_ECN_dontxmit(sk);
}

/*
 * A packet of a flow of ours: the TCP header is where the data begins. The part
 * after it is payload; a SYN is sent before there is a flow. How many packets of data
 * it is.
 */
static u32 xmit_note(struct sock *sk, struct sk_buff *skb)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	const struct tcphdr *th = tcp_hdr(skb);
	struct dcc_span span;

	if (th->syn || th->rst || !dcc_is_ours(sk))
		return 0;
	dcc_flow_late(sk, flow);
	if (!flow->ready)
		return 0;
	xmit_ecn(sk);
	span.seq = ntohl(th->seq);
	span.len = skb->len - th->doff * 4;
	if (!span.len) {
		xmit_ack(sk, flow, skb);
		return 0;
	}
	xmit_data(sk, flow, skb, &span);
	return max_t(u32, skb_shinfo(skb)->gso_segs, 1);
}

/**
 * dcc_xmit_probe() - send a probe: a packet that is no data of the flow's
 * @sk: a TCP socket of ours, locked
 * @skb: with its TCP header; is the owner's no more
 *
 * A flow that sprays asks about one path after the other, without taking turns
 * away from its data.
 *
 * Return: as of the operation queue_xmit().
 */
int dcc_xmit_probe(struct sock *sk, struct sk_buff *skb)
{
	const struct dcc_flow *flow = inet_csk_ca(sk);
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, dcc_alg_of(sk));
	struct flowi *fl = &inet_sk(sk)->cork.fl;

	xmit_ecn(sk);
	if (flow->mem && k->spray != DCC_SPRAY_OFF && !label_inert(sk))
		label_aside(skb, flow->mem, flow->mem->labelled++);
#if IS_ENABLED(CONFIG_IPV6)
	if (dcc_is_ipv6(sk))
		return inet6_csk_xmit(sk, skb, fl);
#endif
	return ip_queue_xmit(sk, skb, fl);
}

/*
 * The stack looks at the clock once when it begins to send, and stops when the next
 * packet is not due by then. Where packets are due faster than they can be sent, each
 * would so wait for a timer of its own. Let it see what time it is.
 */
static int xmit_done(struct sock *sk, u32 packets, int error)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 now = ktime_get_ns();

	tp->tcp_clock_cache = now;
	tp->tcp_mstamp = div_u64(now, NSEC_PER_USEC);
	if (dcc_tail_may(sk))
		dcc_tail_sent(sk, packets);
	return error;
}

static int xmit_ipv4(struct sock *sk, struct sk_buff *skb, struct flowi *fl)
{
	u32 packets = xmit_note(sk, skb);
	int error = ip_queue_xmit(sk, skb, fl);

	return packets ? xmit_done(sk, packets, error) : error;
}

#if IS_ENABLED(CONFIG_IPV6)
static int xmit_ipv6(struct sock *sk, struct sk_buff *skb, struct flowi *fl)
{
	u32 packets = xmit_note(sk, skb);
	int error = inet6_csk_xmit(sk, skb, fl);

	return packets ? xmit_done(sk, packets, error) : error;
}
#endif
