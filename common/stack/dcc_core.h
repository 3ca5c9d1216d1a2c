/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside tcp_dcc.ko: what its files call of each other.
 *
 * Calls go down this list only (scripts/layers.py looks):
 *   ops      the operations of TCP's: the only file that asks the algorithm
 *   flow     a flow's start and end
 *   rx       what an ACK reported
 *   act      carrying a decision out
 *   suspend  stopping a flow for a while; its probes
 *   probe    a probe's packet
 *   tx       each packet of a flow leaves
 *   tlp      tail loss probes
 *   record   what became of each label
 *   mem      memory
 * and dsack, pace, wrap, label, reorder, ecn: each touches one thing of TCP's, and says at its top
 * which fields. hooks sees packets without a flow; info is what users see of one.
 */
#ifndef _DCC_CORE_H
#define _DCC_CORE_H

#include "../cc/dcc_tlp.h"
#include "../ctl/dcc_cc_info.h"
#include "../ctl/dcc_count.h"
#include "../ctl/dcc_line.h"
#include "../ctl/dcc_net.h"
#include "../math/dcc_fixed.h"
#include "dcc_alg.h"

/* Does one of our modules drive this socket? Any context, under RCU. */
static inline bool dcc_is_ours(const struct sock *sk)
{
	const struct tcp_congestion_ops *ops =
		READ_ONCE(inet_csk(sk)->icsk_ca_ops);

	return ops->undo_cwnd == dcc_undo_cwnd;
}

static inline size_t dcc_mem_knob_size(const struct dcc_alg *alg)
{
	return alg->knobs->count * sizeof(u32);
}

static inline size_t dcc_mem_probes_at(const struct dcc_alg *alg)
{
	return DCC_MEM_PROBES_AT(alg->knobs->count);
}

/* What a flow has before it sends data; its hosts' jitter lies behind that. */
static inline size_t dcc_mem_first_size(const struct dcc_alg *alg)
{
	return dcc_mem_probes_at(alg) +
	       (alg->on_probe ? sizeof(struct dcc_suspension) : 0) +
	       (alg->drain_knobs ? sizeof(struct dcc_drain) : 0);
}

/* A flow's min-RTT probes, if its algorithm drains the queue; all zero unless its knobs let it. */
static inline struct dcc_drain *dcc_flow_drain(const struct dcc_flow *flow,
					       const struct dcc_alg *alg)
{
	if (!flow->mem || !alg->drain_knobs)
		return NULL;
	return (void *)((u8 *)flow->mem + dcc_mem_probes_at(alg));
}

/* What lies behind that, from the first data packet on: what its hosts delay packets by. */
static inline void *dcc_flow_hosts(const struct dcc_flow *flow, const struct dcc_alg *alg)
{
	return flow->mem && flow->mem->ring.record ?
	       (u8 *)flow->mem + dcc_mem_first_size(alg) : NULL;
}

/* Of a flow that drains the queue. */
static inline struct dcc_jitter *dcc_flow_jitter(const struct dcc_flow *flow,
						 const struct dcc_alg *alg)
{
	return alg->drain_knobs ? dcc_flow_hosts(flow, alg) : NULL;
}

/* Of one that may be suspended. */
static inline struct dcc_calm *dcc_flow_calm(const struct dcc_flow *flow,
					     const struct dcc_alg *alg)
{
	return alg->on_probe ? dcc_flow_hosts(flow, alg) : NULL;
}

/* Is the window made smaller now, to see the path empty? */
static inline bool dcc_flow_drains(const struct dcc_flow *flow, const struct dcc_alg *alg)
{
	const struct dcc_drain *drain = dcc_flow_drain(flow, alg);

	return drain && drain->on;
}

/* Of a flow that has memory, of an algorithm that may suspend it. */
static inline struct dcc_suspension *dcc_flow_suspension(const struct dcc_flow *flow,
							 const struct dcc_alg *alg)
{
	return (void *)((u8 *)flow->mem + dcc_mem_probes_at(alg));
}

/*
 * The raw smoothed RTT. From the flow's own delays, if it has any: the stack's
 * is that of the oldest packet an ACK covers, which on a paced flow includes
 * the gap to the next one.
 */
static inline u32 dcc_srtt_ns(const struct dcc_flow *flow,
			      const struct tcp_sock *tp)
{
	if (flow->srtt_ns)
		return flow->srtt_ns;
	return min_t(u64, (u64)(tp->srtt_us >> 3) * NSEC_PER_USEC, U32_MAX);
}

/* How long nothing left, jiffies. */
static inline u32 dcc_silence(const struct sock *sk)
{
	return tcp_jiffies32 - tcp_sk(sk)->lsndtime;
}

/*
 * Is what was measured of a flow that is about to send stale? Nothing of it was in
 * flight for longer than a retransmission timeout. Asked packet by packet.
 */
static inline bool dcc_was_silent(const struct sock *sk)
{
	return !tcp_sk(sk)->packets_out &&
	       dcc_silence(sk) > inet_csk(sk)->icsk_rto;
}

/* The label that the stack makes of a packet's hash: ip6_make_flowlabel(). */
static inline u32 dcc_hash_label(u32 hash)
{
	u32 word = rol32(hash, 16) & (__force u32)IPV6_FLOWLABEL_MASK;

	return ntohl((__force __be32)word);
}

/* Note a fact about a flow, one of DCC_INFO_*, and count it the first time. */
static inline void dcc_note(struct dcc_flow *flow, u16 info, enum dcc_counter c)
{
	if (flow->info & info)
		return;
	WRITE_ONCE(flow->info, flow->info | info);
	dcc_count(c);
}

/*
 * Start a flow that was chosen while connecting, and is about to send: by TCP's own operation,
 * as TCP does it for the others when the connection stands.
 */
static inline void dcc_flow_late(struct sock *sk, const struct dcc_flow *flow)
{
	if (flow->waiting && sk->sk_state != TCP_SYN_SENT)
		inet_csk(sk)->icsk_ca_ops->init(sk);
}

bool dcc_flow_init(struct sock *sk, struct dcc_flow *flow,
		   const struct dcc_alg *alg);
void dcc_sample_flow(struct sock *sk, const struct dcc_flow *flow,
		     struct dcc_sample *s);
void dcc_sample_counts(const struct sock *sk, struct dcc_flow *flow,
		       const struct rate_sample *rs, struct dcc_sample *s);
void dcc_sample(struct sock *sk, struct dcc_flow *flow,
		const struct rate_sample *rs, struct dcc_sample *s);
void dcc_sample_forget(const struct sock *sk, struct dcc_flow *flow);
bool dcc_state_is_timeout(struct sock *sk, struct dcc_flow *flow, u8 state,
			  u32 *lost);
bool dcc_path_is_known(const struct sock *sk, const struct dcc_flow *flow);
void dcc_apply(struct sock *sk, struct dcc_flow *flow,
	       const struct dcc_sample *s, const struct dcc_decision *d);
bool dcc_mem_start(struct sock *sk, struct dcc_flow *flow, u32 *knobs);
bool dcc_mem_for_data(struct sock *sk, struct dcc_flow *flow);
void dcc_mem_grow(struct sock *sk, struct dcc_flow *flow);
void dcc_mem_free(struct dcc_flow *flow);

/*
 * No flow is slower than a packet in this time, whatever its algorithm makes of its knobs:
 * slower, it would look like one that stands still. A window below one packet
 * may be a packet a second, what RFC 6298 has for the shortest retransmission
 * timeout; Swift's least window, 0.01 packets, is that at an RTT of 10 ms. A rate of
 * the algorithm's own is what the algorithm learns by: oscar forgets what it heard a second ago,
 * and needs three packets. That one ends at the stack's shortest timeout.
 */
#define DCC_SLOWEST_WINDOW_MS	1000
#define DCC_SLOWEST_RATE_MS		200

void dcc_pace_slowest(struct sock *sk, u64 rate, u32 slowest_ms);
void dcc_segs_cap(struct sock *sk, struct dcc_flow *flow, u16 segs);
void dcc_segs_uncap(struct sock *sk, struct dcc_flow *flow);
void dcc_pace_itself(struct sock *sk);
void dcc_kick_at(struct sock *sk, u64 at_ns);

/*
 * The largest window that the stack is given, packets. It takes the window for an int,
 * and warns where that is negative. A receiver's largest window, 1 GiB, is as many of
 * 1 KiB.
 */
static inline u32 dcc_cwnd_most(const struct tcp_sock *tp)
{
	return min(tp->snd_cwnd_clamp, DCC_CWND_MAX_PKTS);
}

/*
 * Might a flow have to send a tail loss probe? All that flows of larger windows pay for those
 * that do is to compare, so the window comes first: packet by packet it is at hand. One
 * that is opened for one is at most DCC_TLP_MOST.
 */
static inline bool dcc_tlp_may(const struct sock *sk)
{
	return tcp_snd_cwnd(tcp_sk(sk)) <= DCC_TLP_MOST &&
	       dcc_alg_of(sk)->tlp_probes;
}

/*
 * Has dcc_tlp.c to look before a burst? Once after each ACK, and while a timer of its
 * own is set; and only if the window is full, or a loss is being repaired.
 */
static inline bool dcc_tlp_look(const struct sock *sk, struct dcc_flow *flow)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	if (!flow->tlp_look)
		return false;
	if (dcc_tlp_may(sk) &&
	    (dcc_tlp_full(tcp_packets_in_flight(tp), tcp_snd_cwnd(tp)) ||
	     inet_csk(sk)->icsk_ca_state >= TCP_CA_Recovery))
		return true;
	flow->tlp_look = 0;
	return false;
}

bool dcc_tlp_gate(struct sock *sk, struct dcc_flow *flow);
void dcc_tlp_sent(struct sock *sk, u32 packets);
void dcc_tlp_heard(struct sock *sk, struct dcc_flow *flow);
void dcc_tlp_end(struct sock *sk);

bool dcc_suspend(struct sock *sk, struct dcc_flow *flow, u64 delay_ns);
bool dcc_starts_again(struct sock *sk, struct dcc_flow *flow);
void dcc_suspend_gate(struct sock *sk, struct dcc_flow *flow);
bool dcc_suspend_ack(struct sock *sk, struct dcc_flow *flow, struct dcc_sample *s);
void dcc_resume(struct sock *sk, struct dcc_flow *flow);
/*
 * May a socket send because a timer set here says so? Not under TCP_REPAIR, where it is
 * silent.
 */
static inline bool dcc_may_probe(const struct sock *sk)
{
	return !tcp_sk(sk)->repair && dcc_has_net(sk);
}

void dcc_dsack_begin(const struct tcp_sock *tp, struct dcc_suspension *h);
void dcc_dsack_expect(struct tcp_sock *tp, struct dcc_suspension *h);
bool dcc_dsack_came(struct tcp_sock *tp, struct dcc_suspension *h, u32 delivered);

bool dcc_probe_possible(const struct sock *sk);
bool dcc_probe_send(struct sock *sk, u32 back);

/* What takes the place of a socket's queue_xmit(), by family. */
struct dcc_queue_xmit {
	int (*ipv4)(struct sock *sk, struct sk_buff *skb, struct flowi *fl);
	int (*ipv6)(struct sock *sk, struct sk_buff *skb, struct flowi *fl);
};

bool dcc_wrap(struct sock *sk, const struct dcc_queue_xmit *xmit);
bool dcc_is_wrapped(const struct sock *sk);
void dcc_xmit_attach(struct sock *sk, struct dcc_flow *flow);
int dcc_xmit_probe(struct sock *sk, struct sk_buff *skb);
void dcc_unwrap(struct sock *sk);
void dcc_wrap_exit(void);
u16 dcc_label_inert(struct sock *sk);
void dcc_label_write(struct sk_buff *skb, u64 key, u32 label);
void dcc_label_data(struct sock *sk, struct dcc_flow *flow, struct sk_buff *skb, u32 label);
u32 dcc_header_label(const struct sock *sk, u32 label);

void dcc_reorder_update(struct sock *sk, struct dcc_flow *flow);
void dcc_reorder_no_undo(struct sock *sk, const struct dcc_flow *flow);
void dcc_reorder_no_frto(struct sock *sk);
void dcc_reorder_restore(struct sock *sk);
u32 dcc_lost_run(const struct sock *sk);

void dcc_ecn_echo(struct sock *sk, bool ce);

void dcc_record_append(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span, u32 label);
void dcc_record_resend(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span);
void dcc_records_acked(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_sample *s);

int dcc_hooks_spray(struct net *net, bool on);
int dcc_hooks_syn_init(struct net *net);
void dcc_hooks_syn_exit(struct net *net);

#endif /* _DCC_CORE_H */
