// SPDX-License-Identifier: GPL-2.0
/*
 * What a flow does with each packet that leaves: data, retransmissions, pure ACKs, probes.
 * It notes the packet, chooses its label, and calls TCP's own operation.
 *
 * This is the only place where a packet meets a flow's memory. A netfilter hook
 * is none: it may be entered without the socket's lock (a VRF device with a
 * queue, a verdict from user space), while the memory is being freed.
 *
 * Of TCP's it writes tcp_clock_cache, tcp_mstamp, and takes ECN off the socket's tos.
 */
#include <net/inet6_connection_sock.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/tcp.h>
#include <net/transp_v6.h>

#include "dcc_core.h"
#include "../ctl/dcc_trace.h"

/* The label that the stack chooses, for who traces; 0: it is not known. */
static u32 stack_label(struct sock *sk, const struct sk_buff *skb)
{
	if (!trace_dcc_path_enabled() || dcc_label_inert(sk))
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
	dcc_label_data(sk, flow, skb, label);
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
 * The label of a packet whose fate is not reported, so that it takes any path: one of
 * a sequence of its own, beside that of the data.
 */
static void label_aside(struct sk_buff *skb, const struct dcc_mem *mem,
			u32 number)
{
	const struct dcc_flow_knobs *k = (const void *)mem->knobs;

	dcc_label_write(skb, ~mem->key,
			dcc_spray_oblivious(~mem->key, number, k->spray_paths));
}

/*
 * A pure ACK: how it fared is not reported, so it takes any path. On one path only, a
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
	if (k->spray == DCC_SPRAY_OFF || !k->spray_acks || dcc_label_inert(sk))
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
 * A packet of a flow of this project's: the TCP header is where the data begins. The part
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
 * @sk: a TCP socket of this project's, locked
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
	if (flow->mem && k->spray != DCC_SPRAY_OFF && !dcc_label_inert(sk))
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
	if (dcc_tlp_may(sk))
		dcc_tlp_sent(sk, packets);
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

static const struct dcc_queue_xmit flow_xmit = {
	.ipv4 = xmit_ipv4,
#if IS_ENABLED(CONFIG_IPV6)
	.ipv6 = xmit_ipv6,
#endif
};

/**
 * dcc_xmit_attach() - have a socket's packets pass by here
 * @sk: a TCP socket of this project's, locked
 * @flow: its state
 *
 * Again before each burst: IPV6_ADDRFORM and MPTCP's fallback put other operations in place.
 */
void dcc_xmit_attach(struct sock *sk, struct dcc_flow *flow)
{
	if (likely(dcc_is_wrapped(sk)) || dcc_wrap(sk, &flow_xmit))
		return;
	dcc_note(flow, DCC_INFO_NOT_WRAPPED, DCC_COUNT_not_wrapped);
}
