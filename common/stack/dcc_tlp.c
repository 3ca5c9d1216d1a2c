// SPDX-License-Identifier: GPL-2.0
/*
 * Tail loss probes: what dcc_tlp.h says, on a socket.
 *
 * The timer is that of pacing, which TCP has for each socket, and with it its
 * lifetime: it goes with the connection, and there is none of this project's to race with
 * close, a change of algorithm, or unloading. When it fires, with the socket locked or from
 * its owner, who releases it later, TCP sends again what is lost and not sent again yet,
 * and then tries to send new data, and comes by the gate here. If the answer is overdue,
 * the gate lets one packet out:
 *
 *	a new one, by opening the window for it, if nothing else keeps it: the
 *	receiver's window, pacing, Nagle, a full queue of this host. What was lost is
 *	found by the answer;
 *	else the oldest one, if it was lost and sent again: it is taken for lost again,
 *	as RACK does when it hears of later packets, and TCP sends it.
 *
 * TCP sets that timer when pacing wants it, to the next departure, if it is not set. So
 * a probe's timer, which is later, may only be set while nothing else could leave. It is
 * taken back as soon as something could: when something was delivered, when new data
 * comes by the gate, and with each packet sent that is not the one after which nothing
 * may leave. One that is set and is not later than the next departure is TCP's own, and
 * left alone. (One whose callback is about to end on another processor cannot be taken
 * back. A departure then may wait for it, once. So may what RACK's timer finds lost.)
 *
 * The fair queue makes no difference: it keeps no timer for what is not sent yet.
 *
 * To a stack whose own probe comes in a recovery, too, the second kind is left: that of
 * packaging/upstream's series.
 *
 * Everything here runs with the socket locked. Of TCP's it writes snd_cwnd, sacked,
 * retrans_out, lost, retransmit_skb_hint, and takes back its pacing_timer.
 */
#include <linux/hrtimer.h>
#include <net/tcp.h>

#include "dcc_core.h"

/* States in which a connection sends data as ever, as FIN_WAIT1 after a close(). */
#define TLP_STATES	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT | TCPF_FIN_WAIT1)

/*
 * May a connection probe? As of the stack's tail loss probe: only where its answer will
 * show what was lost, and not where the administrator wants none.
 */
static bool tlp_allowed(const struct sock *sk)
{
	u8 probes = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_early_retrans);
	const struct tcp_sock *tp = tcp_sk(sk);

	return (probes == 3 || probes == 4) && tcp_is_sack(tp) && dcc_may_probe(sk) &&
	       (1 << sk->sk_state) & TLP_STATES;
}

/*
 * Is there room for a packet's data, or a full packet of it, at the receiver, behind so
 * many full ones?
 */
static bool tlp_fits(const struct sock *sk, const struct sk_buff *skb, u32 behind)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 len = min_t(u32, skb->len, tp->mss_cache) + behind * tp->mss_cache;

	return !after(TCP_SKB_CB(skb)->seq + len, tcp_wnd_end(tp));
}

/* A packet more than the window has: shut again by dcc_tlp_sent(). */
static void tlp_open(struct sock *sk, struct dcc_flow *flow)
{
	struct tcp_sock *tp = tcp_sk(sk);

	flow->tlp_open = 1;
	tcp_snd_cwnd_set(tp, tcp_packets_in_flight(tp) + 1);
}

#ifdef DCC_HAVE_RECOVERY_TLP

static bool tlp_repaired(const struct sock *sk, u32 more)
{
	return false;
}

static bool tlp_may_resend(const struct sock *sk)
{
	return false;
}

static void tlp_rewind(struct tcp_sock *tp)
{
}

static void tlp_resend(struct sock *sk, struct dcc_flow *flow)
{
}

#else

/*
 * Is all that was lost sent again, with so many packets more, and no new data to send?
 * Then nothing leaves, whatever the window. Where it was before, those that are more are
 * new ones, which the stack still has for the next to send.
 */
static bool tlp_repaired(const struct sock *sk, u32 more)
{
	const struct sk_buff *skb = tcp_send_head(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 fresh = tp->lost_out <= tp->retrans_out ? more : 0;

	return inet_csk(sk)->icsk_ca_state >= TCP_CA_Recovery &&
	       tp->lost_out <= tp->retrans_out + more &&
	       (!skb || !tlp_fits(sk, skb, fresh));
}

/* Was the oldest packet of all lost and sent again? */
static bool tlp_may_resend(const struct sock *sk)
{
	const u8 lost_and_resent = TCPCB_LOST | TCPCB_SACKED_RETRANS;
	struct sk_buff *skb = tcp_rtx_queue_head(sk);

	return skb && !(~TCP_SKB_CB(skb)->sacked & lost_and_resent);
}

/* TCP begins its queue anew. */
static void tlp_rewind(struct tcp_sock *tp)
{
	tp->retransmit_skb_hint = NULL;
}

/*
 * The oldest packet was lost again: as tcp_mark_skb_lost() has it. TCP sends it when the
 * timer fires. It is no longer in flight; a window that was cut since has no room for it
 * even so.
 */
static void tlp_lost_again(struct sock *sk, struct dcc_flow *flow, struct sk_buff *skb)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 packets = tcp_skb_pcount(skb);

	TCP_SKB_CB(skb)->sacked &= ~TCPCB_SACKED_RETRANS;
	tp->retrans_out -= packets;
	tp->lost += packets;
	NET_ADD_STATS(sock_net(sk), LINUX_MIB_TCPLOSTRETRANSMIT, packets);
	if (dcc_tlp_full(tcp_packets_in_flight(tp), tcp_snd_cwnd(tp)))
		tlp_open(sk, flow);
	dcc_count(DCC_COUNT_tlp_resends);
}

/*
 * TCP may be walking its queue, and would put its cursor back to where it is, past what
 * is to be sent again: it is asked to begin anew first, which the timer does.
 */
static void tlp_resend(struct sock *sk, struct dcc_flow *flow)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (tp->retransmit_skb_hint) {
		tlp_rewind(tp);
		flow->tlp_look = 1;
	} else {
		flow->tlp++;
		tlp_lost_again(sk, flow, tcp_rtx_queue_head(sk));
	}
	dcc_kick_at(sk, tp->tcp_clock_cache);
}

#endif

/* Does the flow wait, with so many packets more, and may it probe? */
static bool tlp_waits(const struct sock *sk, const struct dcc_flow *flow, u32 more)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 flight = tcp_packets_in_flight(tp) + more;

	return (dcc_tlp_full(flight, tcp_snd_cwnd(tp)) || tlp_repaired(sk, more)) &&
	       dcc_tlp_room(flight, tp->snd_cwnd_clamp) &&
	       flow->tlp < DCC_TLP_TRIES && dcc_srtt_ns(flow, tp) &&
	       tlp_allowed(sk);
}

/*
 * Is there new data that would leave if the window let it? A full packet, which Nagle
 * does not keep, that the receiver has room for. None after a timeout, since it is
 * known then what is missing; and a dead path shall not get new data after each.
 */
static bool tlp_has_data(const struct sock *sk)
{
	const struct sk_buff *skb = tcp_send_head(sk);

	return skb && inet_csk(sk)->icsk_ca_state < TCP_CA_Loss &&
	       skb->len >= tcp_sk(sk)->mss_cache && tlp_fits(sk, skb, 0);
}

/*
 * When to probe: silence is since the last packet was due to leave or something was
 * delivered; it has not begun while packets still wait in this host's queues.
 */
static u64 tlp_due(const struct sock *sk, const struct dcc_flow *flow)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 since = max(tp->tcp_wstamp_ns, tp->delivered_mstamp * NSEC_PER_USEC);

	if (sk_wmem_alloc_get(sk) >= SKB_TRUESIZE(1))
		since = dcc_tlp_in_host(since, tp->tcp_clock_cache);
	return dcc_tlp_due(since, dcc_srtt_ns(flow, tp), flow->tlp);
}

/* Is the timer set, and set here? No algorithm with these probes suspends flows, which sets it. */
static bool tlp_is_set(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct hrtimer *timer = &tp->pacing_timer;

	return hrtimer_is_queued(timer) &&
	       ktime_to_ns(hrtimer_get_expires(timer)) >
	       max(tp->tcp_wstamp_ns, tp->tcp_clock_cache);
}

/* Its reference is given back with it. */
static void tlp_forget(struct sock *sk, struct dcc_flow *flow)
{
	flow->tlp_look = 0;
	if (tlp_is_set(sk) &&
	    hrtimer_try_to_cancel(&tcp_sk(sk)->pacing_timer) == 1)
		__sock_put(sk);
}

/* One that is set stays: at its time the gate sees whether it is late enough. */
static void tlp_set(struct sock *sk, struct dcc_flow *flow, u64 at_ns)
{
	flow->tlp_look = 1;
	if (!hrtimer_is_queued(&tcp_sk(sk)->pacing_timer))
		dcc_kick_at(sk, at_ns);
}

/**
 * dcc_tlp_gate() - let a packet out if the answer is overdue
 * @sk: a TCP socket, locked, about to send, its clock just read
 * @flow: its state, of which dcc_tlp_look() says so
 *
 * Return: true if a new one may leave now. It has to be one segment: the stack would
 * put a larger one off until the window has room for it.
 */
bool dcc_tlp_gate(struct sock *sk, struct dcc_flow *flow)
{
	bool data = tlp_has_data(sk);
	u64 due;

	if (!tlp_waits(sk, flow, 0) || !(data || tlp_may_resend(sk))) {
		tlp_forget(sk, flow);
		return false;
	}
	due = tlp_due(sk, flow);
	if (tcp_sk(sk)->tcp_clock_cache < due) {
		tlp_set(sk, flow, due);
		return false;
	}
	tlp_forget(sk, flow);
	if (!data) {
		tlp_resend(sk, flow);
		return false;
	}
	flow->tlp++;
	tlp_open(sk, flow);
	dcc_count(DCC_COUNT_tlp_probes);
	return true;
}

/**
 * dcc_tlp_sent() - a data packet has left
 * @sk: a TCP socket of which dcc_tlp_may() says so, locked
 * @packets: how many it is; the stack has not counted them yet
 *
 * A window opened for it is shut again at once. Open until the next ACK, it would let
 * all out that the stack's timers find lost in the meantime.
 */
void dcc_tlp_sent(struct sock *sk, u32 packets)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (flow->tlp_open)
		tcp_snd_cwnd_set(tp, max(tcp_snd_cwnd(tp), 2U) - 1);
	flow->tlp_open = 0;
	if (tlp_waits(sk, flow, packets))
		tlp_set(sk, flow, tlp_due(sk, flow));
	else
		tlp_forget(sk, flow);
}

/**
 * dcc_tlp_heard() - something was delivered
 * @sk: a TCP socket, locked
 * @flow: its state
 *
 * If that is the oldest data of all, and no loss is being repaired, the answer was
 * late and the probe spurious. Departures of what is sent again now must not wait
 * for a probe's timer. And where that was already under way when the oldest packet was
 * taken for lost again, it went by it: it begins anew.
 */
void dcc_tlp_heard(struct sock *sk, struct dcc_flow *flow)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (!(flow->tlp_look || flow->tlp) || !dcc_tlp_may(sk))
		return;
	tlp_forget(sk, flow);
	if (!flow->tlp)
		return;
	if (flow->mem && flow->mem->una != tp->snd_una &&
	    inet_csk(sk)->icsk_ca_state < TCP_CA_Recovery)
		dcc_count(DCC_COUNT_tlp_spurious);
	tlp_rewind(tp);
	flow->tlp = 0;
	flow->tlp_open = 0;
}

/**
 * dcc_tlp_end() - a flow ends, its connection may not
 * @sk: a TCP socket, locked
 *
 * The next algorithm's pacing must not wait for a probe's timer: it fires now.
 */
void dcc_tlp_end(struct sock *sk)
{
	if (dcc_alg_of(sk)->tlp_probes && tlp_is_set(sk))
		dcc_kick_at(sk, ktime_get_ns());
}
