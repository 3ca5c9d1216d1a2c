// SPDX-License-Identifier: GPL-2.0
/*
 * A flow's life: how it starts, how it ends. Everything here runs with the socket locked,
 * in softirq or process context.
 *
 * Of TCP's it writes icsk_ca_ops, snd_cwnd, snd_ssthresh.
 */
#include <net/tcp.h>

#include "dcc_core.h"

/*
 * The window to start with. A flow that comes from another algorithm starts
 * like a new one: what it has in flight drains first, or the queue that the
 * other algorithm left would pass for part of the base RTT for good.
 */
static u32 first_cwnd(const struct tcp_sock *tp, const struct dcc_flow_knobs *k)
{
	u32 cwnd = tcp_snd_cwnd(tp);

	if (k->init_cwnd)
		cwnd = k->init_cwnd;
	else if (tp->data_segs_out)
		cwnd = min_t(u32, cwnd, TCP_INIT_CWND);
	return clamp_t(u32, cwnd, 1, tp->snd_cwnd_clamp);
}

/* Window and pacing of a flow's first packets. */
static void flow_first_window(struct sock *sk, const struct dcc_flow_knobs *k)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 rate = dcc_line_pacing(sk, k);

	tcp_snd_cwnd_set(tp, first_cwnd(tp, k));
	tp->snd_ssthresh = TCP_INFINITE_SSTHRESH;
	dcc_pace_itself(sk);
	if (rate)
		dcc_pace(sk, rate);
}

/* Facts that were looked for and not found are reported, never guessed. */
static void flow_note_unknown(struct sock *sk, struct dcc_flow *flow,
			      const struct dcc_flow_knobs *k)
{
	if (dcc_line_rate(sk, k->line_rate_mbps))
		return;
	dcc_note(flow, DCC_INFO_NO_LINE_RATE, DCC_COUNT_line_rate_unknown);
	pr_info_once("dcc: egress device reports no speed: pacing follows the window; knob line_rate_mbps can set it\n");
}

/*
 * ECN is used by the algorithms that ask for it, and by the path selectors that
 * steer by it where net.ipv4.tcp_ecn had it negotiated: those flows then run on
 * operations that differ by TCP_CONG_NEEDS_ECN alone, with which the stack reports
 * of marks received.
 */
static void flow_ecn(struct sock *sk, struct dcc_flow *flow,
		     const struct dcc_alg *alg, const struct dcc_flow_knobs *k)
{
	bool on = dcc_ecn_any(tcp_sk(sk));

	if (alg->marked_ops && !dcc_spray_steers(k->spray))
		return;
	if (on) {
		if (alg->marked_ops)
			WRITE_ONCE(inet_csk(sk)->icsk_ca_ops,
				   &alg->marked_ops->ops);
		return;
	}
	dcc_note(flow, DCC_INFO_NO_ECN, DCC_COUNT_ecn_missing);
	pr_info_once("dcc: %s wants ECN, but the connection has none (net.ipv4.tcp_ecn here, or the peer's): delay and loss alone decide\n",
		     alg->ops->ops.name);
}

/**
 * dcc_flow_init() - start a flow, before its algorithm
 * @sk: a TCP socket, locked
 * @flow: what its private state begins with
 * @alg: the algorithm
 *
 * Takes one snapshot of the knobs and a small allocation. Without memory the
 * flow works on (microsecond RTTs, no spraying, the machine-wide knobs), says so
 * and tries again.
 *
 * Chosen while the connection is being made, nothing is known yet, ECN least of
 * all: the flow starts with the first packet after that (dcc_flow_late()).
 *
 * Return: false if it is too early; the algorithm's state then stays zeroed.
 */
bool dcc_flow_init(struct sock *sk, struct dcc_flow *flow,
		   const struct dcc_alg *alg)
{
	u32 knobs[DCC_KNOB_MAX];
	const struct dcc_flow_knobs *k = (const void *)knobs;

	memset(flow, 0, sizeof(*flow));
	if (WARN_ON_ONCE(alg->knobs->count > DCC_KNOB_MAX))
		return false;
	dcc_xmit_attach(sk, flow);
	flow->waiting = sk->sk_state == TCP_SYN_SENT;
	if (flow->waiting)
		return false;
	dcc_mem_start(sk, flow, knobs);
	flow_note_unknown(sk, flow, k);
	flow_first_window(sk, k);
	flow_ecn(sk, flow, alg, k);
	flow->delivered_ce = tcp_sk(sk)->delivered_ce;
	flow->ready = 1;
	dcc_reorder_update(sk, flow);
	dcc_count(DCC_COUNT_flows);
	return true;
}

/**
 * dcc_release() - end a flow: every module's release()
 * @sk: a TCP socket, locked; zeroed state is fine, and so is calling twice
 *
 * Leaves what the next algorithm needs: segments uncapped, the stack's own view
 * of reordering, and a threshold at the window so that it goes on from here
 * instead of doubling. And what the next connection of this socket needs: the
 * operations that are registered, whatever this one had negotiated.
 */
void dcc_release(struct sock *sk)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	dcc_unwrap(sk);
	flow->waiting = 0;
	if (!flow->ready)
		return;
	dcc_resume(sk, flow);
	dcc_tlp_end(sk);
	flow->ready = 0;
	WRITE_ONCE(inet_csk(sk)->icsk_ca_ops, &alg->ops->ops);
	dcc_mem_free(flow);
	dcc_segs_uncap(sk, flow);
	if (flow->tolerant)
		dcc_reorder_restore(sk);
	flow->tolerant = 0;
	tp->snd_ssthresh = max(tcp_snd_cwnd(tp), 2U);
}
EXPORT_SYMBOL_GPL(dcc_release);
