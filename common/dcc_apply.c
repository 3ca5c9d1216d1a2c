// SPDX-License-Identifier: GPL-2.0
/*
 * How a decision is carried out: window, pacing, size of super-packets. And the
 * operations in which nothing is decided. Everything here runs with the socket
 * locked.
 */
#include <linux/hrtimer.h>
#include <net/tcp.h>

#include "dcc_core.h"
#include "dcc_trace.h"

/*
 * A window below this many packets is carried out by pacing. The window the
 * stack gets is then one packet larger than what is to be in flight: a receiver
 * acknowledges every second packet at once, but a single one after up to 40 ms.
 */
#define SMALL_WINDOW	2

/*
 * No flow is slower than a packet in this time, whatever its algorithm makes of its knobs:
 * slower, it could not be told from one that stands still. A window below one packet
 * may be a packet a second, what RFC 6298 has for the shortest retransmission
 * timeout; Swift's least window, 0.01 packets, is that at an RTT of 10 ms. A rate of
 * the algorithm's own is what the algorithm learns by: oscar forgets what it heard a second ago,
 * and needs three packets. That one ends at the stack's shortest timeout.
 */
#define SLOWEST_WINDOW_MS	1000
#define SLOWEST_RATE_MS		200

/* 16 GiB << DCC_CWND_SHIFT; in bytes, times 10^9, just within a u64. */
#define WINDOW_RATE_MAX	(1ULL << (34 + DCC_CWND_SHIFT))

/* The window @times over, per RTT, bytes/s. */
static u64 window_rate(const struct dcc_sample *s, const struct dcc_decision *d,
		       u32 times)
{
	u64 bytes = min_t(u64, d->cwnd * times, WINDOW_RATE_MAX);

	if (!s->srtt_ns)
		return 0;
	if (bytes >> 32)	/* far from small: whole bytes will do */
		return div_u64((bytes >> DCC_CWND_SHIFT) * NSEC_PER_SEC,
			       s->srtt_ns);
	bytes = div_u64(bytes * NSEC_PER_SEC, s->srtt_ns);
	return max_t(u64, bytes >> DCC_CWND_SHIFT, 1);
}

/* Within what the application allows; else at least a packet in this time. */
static void pace(struct sock *sk, u64 rate, u32 slowest_ms)
{
	u32 least = tcp_sk(sk)->mss_cache * (MSEC_PER_SEC / slowest_ms);

	rate = max_t(u64, rate, least);
	WRITE_ONCE(sk->sk_pacing_rate,
		   min_t(u64, rate, READ_ONCE(sk->sk_max_pacing_rate)));
}

/**
 * dcc_pace() - have a flow paced at a rate, within bounds
 * @sk: a TCP socket, locked
 * @rate: bytes of payload per second
 */
void dcc_pace(struct sock *sk, u64 rate)
{
	pace(sk, rate, SLOWEST_RATE_MS);
}
EXPORT_SYMBOL_GPL(dcc_pace);

/* Default pacing: the line rate; unknown, twice the window per RTT. */
static u64 default_rate(const struct sock *sk, const struct dcc_flow *flow,
			const struct dcc_sample *s,
			const struct dcc_decision *d)
{
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, dcc_alg_of(sk));

	return dcc_line_pacing(sk, k) ?: window_rate(s, d, 2);
}

/*
 * The first packet that a recovery sends again leaves whatever the window is
 * (RFC 5681, 3.2). A window cut to below what is in flight would else hold it
 * until enough was acknowledged; where that never comes, until a timeout.
 */
static u64 with_first_resend(const struct tcp_sock *tp,
			     const struct dcc_sample *s, u64 pkts)
{
	if (!s->recovery || tp->retrans_out)
		return pkts;
	return max_t(u64, pkts, tcp_packets_in_flight(tp) + 1);
}

/*
 * What the stack gets for a window below SMALL_WINDOW. An algorithm with a rate of its own
 * needs no more in flight than keeps ACKs coming: one packet, if the receiver was
 * seen to acknowledge each at once. The others pace by srtt, which a packet more
 * must not make wait; but srtt lags, and while delays grow threefold a flow has three
 * times its window in flight. Flows of an algorithm that holds are many, and a queue that is
 * beyond what their windows say stops them all: what they have in flight is bounded.
 */
static u64 small_window(struct sock *sk, const struct dcc_flow *flow, u64 pkts,
			u64 rate)
{
	if (!rate && !dcc_alg_of(sk)->on_probe)
		return pkts + SMALL_WINDOW;
	if (flow->single != DCC_SINGLE_SURE)
		return SMALL_WINDOW;
	return rate ? 1 : pkts + 1;
}

/*
 * Packets in flight besides the window: what the receiver holds back. A min-RTT probe is to show
 * the path empty.
 */
static u32 beside_window(const struct sock *sk, const struct dcc_flow *flow,
			 const struct dcc_decision *d, u64 pkts)
{
	if (!d->largest || !flow->mem || dcc_flow_drains(flow, dcc_alg_of(sk)))
		return 0;
	return dcc_held_room(flow->mem->sacks_held, tcp_sk(sk)->sacked_out, pkts);
}

/*
 * The window becomes whole packets. Below SMALL_WINDOW the pacing rate carries
 * it out, one packet every srtt / W unless the algorithm has a rate of its own: the
 * stack knows no window below one.
 */
static void apply_window(struct sock *sk, struct dcc_flow *flow,
			 const struct dcc_sample *s,
			 const struct dcc_decision *d)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 packet = s->mss << DCC_CWND_SHIFT;
	u64 pkts = div_u64(d->cwnd + (d->up ? packet - 1 : 0), packet);
	u64 rate = d->pacing_rate;
	u32 slowest_ms = SLOWEST_RATE_MS;

	flow->small = pkts < SMALL_WINDOW;
	if (flow->small) {
		pkts = small_window(sk, flow, pkts, rate);
		if (!rate)
			slowest_ms = SLOWEST_WINDOW_MS;
		rate = rate ?: window_rate(s, d, 1);
	}
	if (!rate)
		rate = default_rate(sk, flow, s, d);
	pkts = with_first_resend(tp, s, pkts + beside_window(sk, flow, d, pkts));
	tcp_snd_cwnd_set(tp, clamp_t(u64, pkts, 1, dcc_cwnd_most(tp)));
	flow->tail_open = 0;
	if (rate)
		pace(sk, rate, slowest_ms);
}

/*
 * The window, or what a min-RTT probe leaves of it: 44 bits, and 8 of the share. At least
 * half a packet: what pacing by less puts off would outlast the min-RTT probe by far (seen:
 * 14 ms without a packet).
 */
static void apply_drained(struct sock *sk, struct dcc_flow *flow,
			  const struct dcc_sample *s,
			 const struct dcc_decision *d)
{
	u64 least = min_t(u64, d->cwnd, s->mss << (DCC_CWND_SHIFT - 1));
	const struct dcc_drain *drain = dcc_flow_drain(flow, dcc_alg_of(sk));
	struct dcc_decision drained;

	if (drain && drain->on) {
		drained = *d;
		drained.cwnd = max(d->cwnd * dcc_drain_share(drain, s->now_ns) >>
				  DCC_DRAIN_SHIFT, least);
		d = &drained;
	}
	apply_window(sk, flow, s, d);
}

/* What is kept of a decision; a priority above the levels is counted once. */
static void apply_info(struct dcc_flow *flow, const struct dcc_decision *d)
{
	if (d->clamped && !flow->clamped)
		dcc_count(DCC_COUNT_priority_clamped);
	flow->clamped = d->clamped;
	flow->starts = d->starts;
	flow->alone = d->alone;
	WRITE_ONCE(flow->priority, d->priority);
	WRITE_ONCE(flow->delay_ns, d->delay_ns);
}

/**
 * dcc_apply() - carry out a decision
 * @sk: a TCP socket, locked
 * @flow: its state
 * @s: what was decided on
 * @d: the decision
 *
 * A flow that the algorithm would hold, and that cannot be, gets the algorithm's window.
 */
void dcc_apply(struct sock *sk, struct dcc_flow *flow,
	       const struct dcc_sample *s, const struct dcc_decision *d)
{
	if (!d->hold || !dcc_hold_begin(sk, flow, d->probe_delay_ns))
		apply_drained(sk, flow, s, d);
	apply_info(flow, d);
	trace_dcc_ack(sk, s, d, flow->mem ? flow->mem->spray : NULL);
}

/*
 * The limit that sk_setup_caps() gives the socket with each route: the device's, or 1
 * where segments may not be cut by it (TCP-MD5, tunnels). Without a route it stays what
 * it is; the next one sets it.
 */
static u16 own_segs(const struct sock *sk)
{
	u16 segs = sk->sk_gso_max_segs;
	const struct dst_entry *dst;

	rcu_read_lock();
	dst = rcu_dereference(sk->sk_dst_cache);
	if (dst && sk_can_gso(sk))
		segs = clamp_t(u32, READ_ONCE(dst->dev->gso_max_segs), 1, U16_MAX);
	else if (dst)
		segs = 1;
	rcu_read_unlock();
	return segs;
}

/* Super-packets no longer than so many segments, nor than the stack has them. */
static void segs_cap(struct sock *sk, struct dcc_flow *flow, u16 segs)
{
	if (sk->sk_gso_max_segs == segs)
		return;
	flow->capped = 1;
	WRITE_ONCE(sk->sk_gso_max_segs, min(segs, own_segs(sk)));
}

/**
 * dcc_segs_uncap() - the stack's own segment limit again
 * @sk: a TCP socket, locked
 * @flow: its state
 */
void dcc_segs_uncap(struct sock *sk, struct dcc_flow *flow)
{
	if (flow->capped)
		WRITE_ONCE(sk->sk_gso_max_segs, own_segs(sk));
	flow->capped = 0;
}

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

/**
 * dcc_pace_itself() - have the socket keep the times of departure
 * @sk: a TCP socket, locked
 *
 * A fair queue takes pacing over by a flag of the socket, which nobody takes
 * back when another queue follows it: departure times then are told and not
 * kept. So pacing is the socket's own before each burst; the fair queue gets
 * packets that are due. A socket that may outlive its namespace has no timer: its
 * window alone holds it back.
 */
void dcc_pace_itself(struct sock *sk)
{
	/* as sch_fq has it, which writes without the socket's lock */
	if (READ_ONCE(sk->sk_pacing_status) != SK_PACING_NEEDED && dcc_has_net(sk))
		WRITE_ONCE(sk->sk_pacing_status, SK_PACING_NEEDED);
}

/**
 * dcc_kick_at() - have the stack try to send at some time
 * @sk: a TCP socket, locked
 * @at_ns: when
 *
 * By the timer of pacing. Its callback owns a reference: one that was pending hands
 * its own over. One that runs will drop its own; and if it has set the timer again, it
 * stays as it is: it cannot be taken from there, so its reference could not be told
 * from one taken here.
 */
void dcc_kick_at(struct sock *sk, u64 at_ns)
{
	struct hrtimer *timer = &tcp_sk(sk)->pacing_timer;
	int cancelled;

	if (hrtimer_is_queued(timer) &&
	    ktime_to_ns(hrtimer_get_expires(timer)) == at_ns)
		return;
	cancelled = hrtimer_try_to_cancel(timer);
	if (cancelled < 0 && hrtimer_is_queued(timer))
		return;
	if (cancelled != 1)
		sock_hold(sk);
	hrtimer_start(timer, ns_to_ktime(at_ns), HRTIMER_MODE_ABS_PINNED_SOFT);
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
		if (!flow->held && tcp_send_head(sk))
			flow->paced = 1;
	} else if (dcc_silence(sk) > inet_csk(sk)->icsk_rto) {
		u64 rto_ns = jiffies64_to_nsecs(inet_csk(sk)->icsk_rto);

		/* its turn came, and it was something else that kept it */
		if (tp->tcp_clock_cache > tp->tcp_wstamp_ns + rto_ns)
			flow->paced = 0;
		dcc_hold_again(sk, flow);
	}
}

/*
 * Smallest super-packet; called before each burst. It is also where what the
 * stack takes away is put back: segments are capped (a super-packet has one
 * label), which a change of route undoes; packets pass by dcc_xmit.c, which a
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
	if (!dcc_wrap(sk))
		dcc_note(flow, DCC_INFO_NOT_WRAPPED, DCC_COUNT_not_wrapped);
	dcc_pace_itself(sk);
	if (!tcp_sk(sk)->packets_out)
		none_in_flight(sk, flow);
	if (flow->held)
		dcc_hold_gate(sk, flow);
	if (flow->small)	/* packet by packet, as the pacing rate says */
		segs = 1;
	if (flow->held || (dcc_tail_look(sk, flow) && dcc_tail_gate(sk, flow)))
		cap = 1;
	else
		cap = flow_spray_segs(sk, flow);
	if (!cap) {
		dcc_segs_uncap(sk, flow);
		return segs;
	}
	segs_cap(sk, flow, cap);
	return min(segs, cap);
}

DCC_DEFINE_TSO_SEGS_OP(flow_tso_segs)

/**
 * dcc_ssthresh() - there is none: the algorithm owns the window
 * @sk: a TCP socket, locked
 *
 * Return: the threshold unchanged.
 */
u32 dcc_ssthresh(struct sock *sk)
{
	return tcp_sk(sk)->snd_ssthresh;
}
EXPORT_SYMBOL_GPL(dcc_ssthresh);

/**
 * dcc_undo_cwnd() - nothing to undo: the algorithm cut, or it did not
 * @sk: a TCP socket, locked
 *
 * Every module of ours names this function, no other can: it marks a socket as
 * ours.
 *
 * Return: the window unchanged.
 */
u32 dcc_undo_cwnd(struct sock *sk)
{
	return tcp_snd_cwnd(tcp_sk(sk));
}
EXPORT_SYMBOL_GPL(dcc_undo_cwnd);
