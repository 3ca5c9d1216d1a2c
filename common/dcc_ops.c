// SPDX-License-Identifier: GPL-2.0
/*
 * The operations that ask the algorithm: start, an ACK, a timeout. What is the same for
 * all algorithms is done here, so that a module has the algorithm's own alone. Everything
 * here runs with the socket locked.
 */
#include <net/tcp.h>

#include "dcc_core.h"
#include "dcc_trace.h"

static void trace_begin(const struct sock *sk, const struct dcc_flow *flow,
			const struct dcc_alg *alg)
{
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, alg);
	const struct dcc_timeout none = {
		.now_ns = tcp_sk(sk)->tcp_clock_cache,
		.mss = tcp_sk(sk)->mss_cache,
	};

	trace_dcc_told(sk, DCC_TOLD_BEGIN, &none,
		       dcc_line_rate(sk, k->line_rate_mbps));
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
	if (trace_dcc_told_enabled())
		trace_begin(sk, flow, alg);
	if (alg->on_first)
		dcc_hold_first(sk, flow, alg);
}
EXPORT_SYMBOL_GPL(dcc_tcp_init);

/* Digest an ACK: every module's cong_control(). */
void DCC_CONG_CONTROL(dcc_cong_control)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct dcc_decision decision = {};
	void *state = dcc_flow_state(flow);
	struct dcc_sample sample;

	if (!dcc_sample(sk, flow, rs, &sample))
		return;
	if (flow->held)	/* old data; only a probe lets it go */
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
 * dcc_set_state() - tell the algorithm of timeouts: every module's set_state()
 * @sk: a TCP socket, locked
 * @state: the stack's new recovery state
 */
void dcc_set_state(struct sock *sk, u8 state)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_timeout t = {};

	if (!dcc_state_is_timeout(sk, flow, state, &t.lost) || flow->held)
		return;
	t.now_ns = tp->tcp_clock_cache;
	t.srtt_ns = dcc_srtt_ns(flow, tp);
	t.mss = max(tp->mss_cache, 1U);
	alg->on_rto(dcc_flow_state(flow), dcc_flow_extra(flow),
		    dcc_flow_knobs(flow, alg), &t);
	trace_dcc_told(sk, DCC_TOLD_RTO, &t, 0);
}
EXPORT_SYMBOL_GPL(dcc_set_state);
