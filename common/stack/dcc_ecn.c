// SPDX-License-Identifier: GPL-2.0
/*
 * The receiver's part of ECN: which packets were CE-marked, reported exactly.
 *
 * Classic ECN latches: after one mark every ACK says so until the sender has
 * answered, a round trip later. Here each ACK reports the packets it covers,
 * and a change of the mark ends a delayed ACK early, as a DCTCP receiver does
 * (RFC 8257, section 3.2). Accurate ECN counts by itself and is left alone.
 *
 * Of TCP's it writes ecn_flags, icsk_ack.pending.
 */
#include <net/tcp.h>

#include "dcc_core.h"

/* Let the next ACK report a mark, or not. */
static void echo_set(struct tcp_sock *tp, bool ce)
{
	if (ce)
		tp->ecn_flags |= TCP_ECN_DEMAND_CWR;
	else
		tp->ecn_flags &= ~TCP_ECN_DEMAND_CWR;
}

/*
 * The mark changed: what was received under the old one is reported first. Before that ACK
 * leaves a BPF program may give the socket another algorithm, even one of this project's: what
 * flow and its memory were is for the caller to ask again.
 */
static void echo_flush(struct sock *sk, const struct dcc_flow *flow)
{
	struct inet_connection_sock *icsk = inet_csk(sk);

	if (flow->mem && icsk->icsk_ack.pending & ICSK_ACK_TIMER) {
		echo_set(tcp_sk(sk), flow->echo_ce);
		dcc_send_ack(sk, flow->mem->echo_rcv_nxt);
		dcc_count(DCC_COUNT_ce_echoes);
	}
	icsk->icsk_ack.pending |= ICSK_ACK_NOW;
}

/**
 * dcc_ecn_echo() - a data packet was received
 * @sk: a TCP socket, locked, of this project's
 * @ce: was it marked?
 *
 * Context: cwnd_event(), softirq or the socket's backlog.
 */
void dcc_ecn_echo(struct sock *sk, bool ce)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!flow->ready || !dcc_ecn_classic(tp))
		return;
	if (flow->echo_ce != ce)
		echo_flush(sk, flow);
	if (!dcc_is_ours(sk) || !flow->ready)
		return;
	flow->echo_ce = ce;
	if (flow->mem)
		flow->mem->echo_rcv_nxt = tp->rcv_nxt;
	echo_set(tp, ce);
}
