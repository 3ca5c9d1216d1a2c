// SPDX-License-Identifier: GPL-2.0
/*
 * Asking after a tail: what dcc_tail.h says, on a socket.
 *
 * The timer is that of pacing, which TCP has for each socket, and with it its
 * lifetime: it goes with the connection, and there is none of ours to race with close,
 * a change of algorithm, or unloading. When it fires, with the socket locked or from
 * its owner when he lets go of it, TCP tries to send, and comes by the gate here. The
 * gate opens the window for one packet of new data when the answer is overdue, if nothing
 * else would hold it back: the receiver's window, pacing, Nagle, a full queue of this
 * host. What was lost is found by the answer.
 *
 * TCP sets that timer when pacing wants it, to the next departure, if it is not set. So
 * a timer of ours, which is later, may only be set while the window is full, as nothing
 * else could leave then. It is taken back as soon as it is not: the gate is passed
 * before each burst, and each packet sent tells whether it was the one that filled the
 * window. One that is set and is not later than the next departure is TCP's own, and
 * left alone. (One whose callback is about to end on another processor cannot be taken
 * back. A departure then may wait for it, once.)
 *
 * The fair queue makes no difference: it keeps no timer for what is not sent yet.
 *
 * Everything here runs with the socket locked.
 */
#include <linux/hrtimer.h>
#include <net/tcp.h>

#include "dcc.h"

/* States in which a connection sends data as ever, as FIN_WAIT1 after a close(). */
#define TAIL_STATES	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT | TCPF_FIN_WAIT1)

/*
 * May a connection ask? As of the stack's tail-loss probe: only where its answer will
 * tell what was lost, and not where the administrator wants none.
 */
static bool tail_may(const struct sock *sk)
{
	u8 probes = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_early_retrans);
	const struct tcp_sock *tp = tcp_sk(sk);

	return (probes == 3 || probes == 4) && tcp_is_sack(tp) && !tp->repair &&
	       (1 << sk->sk_state) & TAIL_STATES;
}

/* Is the window full, with so many packets more, and may it be opened by one? */
static bool tail_waits(const struct sock *sk, const struct dcc_flow *flow, u32 more)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return dcc_tail_full(tcp_packets_in_flight(tp) + more, tcp_snd_cwnd(tp),
			     tp->snd_cwnd_clamp) &&
	       flow->tail < DCC_TAIL_TRIES && dcc_srtt_ns(flow, tp) && tail_may(sk);
}

/*
 * Is there new data that would leave if the window let it? A full packet, which Nagle
 * holds not back, that the receiver has room for.
 */
static bool tail_has_data(const struct sock *sk)
{
	const struct sk_buff *skb = tcp_send_head(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	return skb && skb->len >= tp->mss_cache &&
	       !after(TCP_SKB_CB(skb)->seq + tp->mss_cache, tcp_wnd_end(tp));
}

/*
 * When to ask: silence is since the last packet was due to leave or something was
 * delivered; it has not begun while packets still wait in this host's queues.
 */
static u64 tail_due(const struct sock *sk, const struct dcc_flow *flow)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 since = max(tp->tcp_wstamp_ns, tp->delivered_mstamp * NSEC_PER_USEC);

	if (sk_wmem_alloc_get(sk) >= SKB_TRUESIZE(1))
		since = max(since, tp->tcp_clock_cache);
	return dcc_tail_due(since, dcc_srtt_ns(flow, tp), flow->tail);
}

/* Is the timer set, and set by us? A law that asks holds no flow, which sets it, too. */
static bool tail_is_set(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct hrtimer *timer = &tp->pacing_timer;

	return hrtimer_is_queued(timer) &&
	       ktime_to_ns(hrtimer_get_expires(timer)) >
	       max(tp->tcp_wstamp_ns, tp->tcp_clock_cache);
}

/* Its reference is given back with it. */
static void tail_forget(struct sock *sk)
{
	if (tail_is_set(sk) &&
	    hrtimer_try_to_cancel(&tcp_sk(sk)->pacing_timer) == 1)
		__sock_put(sk);
}

/* One that is set stays: at its time the gate sees whether it is late enough. */
static void tail_set(struct sock *sk, u64 at_ns)
{
	if (!hrtimer_is_queued(&tcp_sk(sk)->pacing_timer))
		dcc_kick_at(sk, at_ns);
}

/**
 * dcc_tail_gate() - let a packet more out if the answer is overdue
 * @sk: a TCP socket of ours, locked, about to send, its clock just read
 * @flow: its state, ready
 *
 * Return: true if one may leave now. It has to be one segment: the stack would put a
 * larger one off until the window has room for it.
 */
bool dcc_tail_gate(struct sock *sk, struct dcc_flow *flow)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 due;

	flow->tail_cwnd = 0;
	if (!dcc_alg_of(sk)->tail_probes)
		return false;
	if (!tail_waits(sk, flow, 0) || !tail_has_data(sk)) {
		tail_forget(sk);
		return false;
	}
	due = tail_due(sk, flow);
	if (tp->tcp_clock_cache < due) {
		tail_set(sk, due);
		return false;
	}
	tail_forget(sk);
	flow->tail++;
	flow->tail_cwnd = tcp_snd_cwnd(tp);
	tcp_snd_cwnd_set(tp, tcp_packets_in_flight(tp) + 1);
	dcc_count(DCC_COUNT_tail_probes);
	return true;
}

/**
 * dcc_tail_sent() - a data packet has left
 * @sk: a TCP socket of ours, locked
 * @packets: how many it is; the stack has not counted them yet
 *
 * A window opened for it is shut again at once. Open until the next ACK, it would let
 * all out that the stack's timers find lost in the meantime.
 */
void dcc_tail_sent(struct sock *sk, u32 packets)
{
	struct dcc_flow *flow = inet_csk_ca(sk);

	if (!dcc_alg_of(sk)->tail_probes)
		return;
	if (flow->tail_cwnd)
		tcp_snd_cwnd_set(tcp_sk(sk), flow->tail_cwnd);
	flow->tail_cwnd = 0;
	if (tail_waits(sk, flow, packets))
		tail_set(sk, tail_due(sk, flow));
	else
		tail_forget(sk);
}

/**
 * dcc_tail_heard() - something was delivered
 * @sk: a TCP socket of ours, locked
 * @flow: its state
 *
 * If that is the oldest data of all, and no loss is being repaired, the answer was
 * late and the question needless.
 */
void dcc_tail_heard(const struct sock *sk, struct dcc_flow *flow)
{
	if (flow->tail && flow->mem && flow->mem->una != tcp_sk(sk)->snd_una &&
	    inet_csk(sk)->icsk_ca_state < TCP_CA_Recovery)
		dcc_count(DCC_COUNT_tail_needless);
	flow->tail = 0;
}

/**
 * dcc_tail_end() - a flow ends, its connection may not
 * @sk: a TCP socket, locked
 *
 * The next algorithm's pacing must not wait for a timer of ours: it fires now.
 */
void dcc_tail_end(struct sock *sk)
{
	if (dcc_alg_of(sk)->tail_probes && tail_is_set(sk))
		dcc_kick_at(sk, ktime_get_ns());
}
