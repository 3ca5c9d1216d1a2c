// SPDX-License-Identifier: GPL-2.0
/*
 * The operations of struct tcp_congestion_ops: start, an ACK, a timeout, a burst. This is
 * the only file that asks the algorithm. What is the same for all algorithms is done here,
 * so that a module has the algorithm's own alone. Everything here runs with the socket
 * locked.
 */
#include <net/tcp.h>

#include "dcc_core.h"
#include "../ctl/dcc_trace.h"

static void trace_begin(const struct sock *sk, const struct dcc_flow *flow,
			const struct dcc_alg *alg)
{
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, alg);
	const struct dcc_timeout none = {
		.now_ns = tcp_sk(sk)->tcp_clock_cache,
		.mss = tcp_sk(sk)->mss_cache,
	};

	trace_dcc_event(sk, DCC_EVENT_BEGIN, &none,
			dcc_line_rate(sk, k->line_rate_mbps));
}

/* The algorithm decides before a flow's first packet, or again after it was silent. */
static void decide_first(struct sock *sk, struct dcc_flow *flow, const struct dcc_alg *alg)
{
	struct dcc_decision decision = {};
	struct dcc_sample sample = {};

	dcc_sample_flow(sk, flow, &sample);
	alg->on_first(dcc_flow_state(flow), dcc_flow_extra(flow),
		      dcc_flow_knobs(flow, alg), &sample, &decision);
	dcc_apply(sk, flow, &sample, &decision);
}

/**
 * dcc_tcp_init() - start a flow: every module's init()
 * @sk: a TCP socket, locked
 */
void dcc_tcp_init(struct sock *sk)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);

	if (!dcc_flow_init(sk, flow, alg))
		return;
	alg->init(sk, dcc_flow_state(flow));
	if (trace_dcc_event_enabled())
		trace_begin(sk, flow, alg);
	if (alg->on_first)
		decide_first(sk, flow, alg);
}
EXPORT_SYMBOL_GPL(dcc_tcp_init);

/*
 * Is there something to decide on? Not of a flow that has not started yet (cong_control() runs on
 * zeroed state for the ACK of a SYN), nor if nothing was delivered or lost.
 */
static bool ack_counts(struct sock *sk, struct dcc_flow *flow,
		       const struct rate_sample *rs, struct dcc_sample *s)
{
	if (!flow->ready)
		return false;
	flow->starved = 0;
	dcc_reorder_update(sk, flow);
	memset(s, 0, sizeof(*s));
	dcc_sample_counts(sk, flow, rs, s);
	if (s->acked)
		dcc_tlp_heard(sk, flow);
	flow->tlp_look = 1;	/* the algorithm may make the window smaller now */
	return s->acked || s->losses || flow->recovery;
}

/* Digest an ACK: every module's cong_control(). */
void DCC_CONG_CONTROL(dcc_cong_control)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct dcc_decision decision = {};
	void *state = dcc_flow_state(flow);
	struct dcc_sample sample;

	if (!ack_counts(sk, flow, rs, &sample))
		return;
	dcc_sample(sk, flow, rs, &sample);
	if (flow->suspended)	/* old data; only a probe's answer resumes it */
		return;
	sample.idle = flow->restart;
	flow->restart = 0;
	if (sample.idle)
		alg->on_idle(state, dcc_flow_extra(flow), sample.now_ns);
	alg->on_ack(state, dcc_flow_extra(flow), dcc_flow_knobs(flow, alg),
		    &sample, &decision);
	dcc_apply(sk, flow, &sample, &decision);
}
EXPORT_SYMBOL_GPL(dcc_cong_control);

/**
 * dcc_set_state() - report timeouts to the algorithm: every module's set_state()
 * @sk: a TCP socket, locked
 * @state: the stack's new recovery state
 */
void dcc_set_state(struct sock *sk, u8 state)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_timeout t = {};

	if (!dcc_state_is_timeout(sk, flow, state, &t.lost) || flow->suspended)
		return;
	t.now_ns = tp->tcp_clock_cache;
	t.srtt_ns = dcc_srtt_ns(flow, tp);
	t.mss = max(tp->mss_cache, 1U);
	alg->on_rto(dcc_flow_state(flow), dcc_flow_extra(flow),
		    dcc_flow_knobs(flow, alg), &t);
	trace_dcc_event(sk, DCC_EVENT_RTO, &t, 0);
}
EXPORT_SYMBOL_GPL(dcc_set_state);

/* If it answers a probe the algorithm decides: stay suspended, or resume. */
static noinline void ack_while_suspended(struct sock *sk, struct dcc_flow *flow)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_decision decision = {};
	struct dcc_sample sample = {};

	if (!dcc_suspend_ack(sk, flow, &sample))
		return;
	dcc_sample_flow(sk, flow, &sample);
	alg->on_probe(dcc_flow_state(flow), dcc_flow_extra(flow),
		      dcc_flow_knobs(flow, alg), &sample, &decision);
	if (!decision.suspend)
		dcc_resume(sk, flow);
	dcc_apply(sk, flow, &sample, &decision);
}

/**
 * dcc_in_ack_event() - an ACK arrived, before recovery looks at it
 * @sk: a TCP socket, locked
 * @flags: enum tcp_ca_ack_event_flags
 *
 * With nothing in flight no other operation hears of an ACK: those of probes are
 * heard here.
 */
void dcc_in_ack_event(struct sock *sk, u32 flags)
{
	struct dcc_flow *flow = inet_csk_ca(sk);

	if (!flow->ready)
		return;
	if (flow->tolerant)
		dcc_reorder_no_frto(sk);
	if (flow->suspended)
		ack_while_suspended(sk, flow);
}
EXPORT_SYMBOL_GPL(dcc_in_ack_event);

/**
 * dcc_cwnd_event_tx_start() - the flow sends after it had nothing in flight
 * @sk: a TCP socket, locked
 *
 * Silence for longer than a retransmission timeout makes what was measured stale. Not so while
 * it is suspended: when that ends others have a queue, which would pass for the base RTT; and
 * what leaves meanwhile is the stack's own probe. Nor is a packet late that waited
 * for its turn: of a small window each one may.
 */
void dcc_cwnd_event_tx_start(struct sock *sk)
{
	struct dcc_flow *flow = inet_csk_ca(sk);

	if (flow->paced) {
		flow->paced = 0;
		return;
	}
	if (!flow->ready || flow->suspended || !dcc_was_silent(sk) ||
	    dcc_path_is_known(sk, flow))
		return;
	dcc_sample_forget(sk, flow);
}
EXPORT_SYMBOL_GPL(dcc_cwnd_event_tx_start);

/**
 * dcc_cwnd_event() - what else the stack reports to a congestion control
 * @sk: a TCP socket, locked
 * @event: of data packets received: were they marked? Before 7.1 also the start
 *	of sending
 */
void dcc_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	if (event == CA_EVENT_TX_START)
		dcc_cwnd_event_tx_start(sk);
	else if (event == CA_EVENT_ECN_IS_CE || event == CA_EVENT_ECN_NO_CE)
		dcc_ecn_echo(sk, event == CA_EVENT_ECN_IS_CE);
}
EXPORT_SYMBOL_GPL(dcc_cwnd_event);

/* Most segments that may share a label now; 0: any number. */
static u32 flow_spray_segs(const struct sock *sk, const struct dcc_flow *flow)
{
	const struct dcc_flow_knobs *k;

	if (!flow->mem || !dcc_is_ipv6(sk))
		return 0;
	k = (const void *)flow->mem->knobs;
	if (k->spray == DCC_SPRAY_OFF && !dcc_sk_spray_paths(sk))
		return 0;
	return k->spray_segs;
}

/*
 * Nothing is in flight. Does what there is to send wait for its turn? By less than this it
 * does not for as long as a retransmission timeout, which is a round trip longer than it
 * waits from now on. See dcc_cwnd_event_tx_start().
 */
#define TURN_NS		NSEC_PER_MSEC

static void none_in_flight(struct sock *sk, struct dcc_flow *flow)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	if (tp->tcp_wstamp_ns > tp->tcp_clock_cache + TURN_NS) {
		if (!flow->suspended && tcp_send_head(sk))
			flow->paced = 1;
	} else if (dcc_silence(sk) > inet_csk(sk)->icsk_rto) {
		u64 rto_ns = jiffies64_to_nsecs(inet_csk(sk)->icsk_rto);

		/* its turn came, and it was something else that kept it */
		if (tp->tcp_clock_cache > tp->tcp_wstamp_ns + rto_ns)
			flow->paced = 0;
		if (dcc_starts_again(sk, flow))
			decide_first(sk, flow, dcc_alg_of(sk));
	}
}

/*
 * Smallest GSO packet; called before each burst. It is also where what the
 * stack takes away is put back: segments are capped (a GSO packet has one
 * label), which a change of route undoes; packets pass by dcc_tx.c, which a
 * change of the socket's family undoes.
 */
static u32 flow_tso_segs(struct sock *sk)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	u32 segs = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_min_tso_segs);
	u32 cap;

	dcc_flow_late(sk, flow);
	if (!flow->ready)
		return segs;
	dcc_xmit_attach(sk, flow);
	dcc_pace_itself(sk);
	if (!tcp_sk(sk)->packets_out)
		none_in_flight(sk, flow);
	if (flow->suspended)
		dcc_suspend_gate(sk, flow);
	if (flow->small)	/* packet by packet, as the pacing rate says */
		segs = 1;
	if (flow->suspended || (dcc_tlp_look(sk, flow) && dcc_tlp_gate(sk, flow)))
		cap = 1;
	else
		cap = flow_spray_segs(sk, flow);
	if (!cap) {
		dcc_segs_uncap(sk, flow);
		return segs;
	}
	dcc_segs_cap(sk, flow, cap);
	return min(segs, cap);
}

DCC_DEFINE_TSO_SEGS_OP(flow_tso_segs)
