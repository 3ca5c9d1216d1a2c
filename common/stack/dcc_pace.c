// SPDX-License-Identifier: GPL-2.0
/*
 * TCP's pacing, and how long its GSO packets are. Everything here runs with the socket locked.
 *
 * Of TCP's it writes snd_cwnd, sk_pacing_rate, sk_pacing_status, sk_gso_max_segs, and sets
 * pacing_timer.
 */
#include <linux/hrtimer.h>
#include <net/tcp.h>

#include "dcc_core.h"

/**
 * dcc_pace_slowest() - have a flow paced at a rate, within what the application allows
 * @sk: a TCP socket, locked
 * @rate: bytes of payload per second
 * @slowest_ms: but at least a packet in this time, from 1 to 1000
 */
void dcc_pace_slowest(struct sock *sk, u64 rate, u32 slowest_ms)
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
	dcc_pace_slowest(sk, rate, DCC_SLOWEST_RATE_MS);
}
EXPORT_SYMBOL_GPL(dcc_pace);

/**
 * dcc_first_window() - an algorithm's own window to start with
 * @sk: a TCP socket, locked, of a flow that is ready
 * @k: its knobs
 * @bytes: the window; 0: the algorithm knows none
 *
 * Only if no other is configured, and nothing was sent yet.
 */
void dcc_first_window(struct sock *sk, const struct dcc_flow_knobs *k, u64 bytes)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 packets = div_u64(bytes, max(tp->mss_cache, 1U));

	if (k->init_cwnd || tp->data_segs_out || !packets)
		return;
	tcp_snd_cwnd_set(tp, min_t(u64, packets, dcc_cwnd_most(tp)));
}
EXPORT_SYMBOL_GPL(dcc_first_window);

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

/**
 * dcc_segs_cap() - GSO packets no longer than so many segments, nor than the stack has them
 * @sk: a TCP socket, locked
 * @flow: its state
 * @segs: not 0
 */
void dcc_segs_cap(struct sock *sk, struct dcc_flow *flow, u16 segs)
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

/**
 * dcc_pace_itself() - have the socket keep the times of departure
 * @sk: a TCP socket, locked
 *
 * A fair queue takes pacing over by a flag of the socket, which is not taken
 * back when another queue follows it: departure times then are set and not
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
 * stays as it is: it cannot be taken from there, so its reference would look like
 * one taken here.
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
