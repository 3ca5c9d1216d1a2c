// SPDX-License-Identifier: GPL-2.0
/*
 * How a decision is carried out: window and pacing. Everything here runs with the socket
 * locked.
 *
 * Of TCP's it writes snd_cwnd.
 */
#include <net/tcp.h>

#include "dcc_core.h"
#include "../ctl/dcc_trace.h"

/*
 * A window below this many packets is carried out by pacing. The window the
 * stack gets is then one packet larger than what is to be in flight: a receiver
 * acknowledges every second packet at once, but a single one after up to 40 ms.
 */
#define SMALL_WINDOW	2

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
 * times its window in flight. Flows of an algorithm that suspends are many, and a queue that is
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
 * Packets in flight besides the window: what has arrived unreported. A min-RTT probe is to show
 * the path empty.
 */
static u32 beside_window(const struct sock *sk, const struct dcc_flow *flow,
			 const struct dcc_decision *d, u64 pkts)
{
	if (!d->largest || !flow->mem || dcc_flow_drains(flow, dcc_alg_of(sk)))
		return 0;
	return dcc_comp_sack_room(flow->mem->comp_sacks, tcp_sk(sk)->sacked_out, pkts);
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
	u32 slowest_ms = DCC_SLOWEST_RATE_MS;

	flow->small = pkts < SMALL_WINDOW;
	if (flow->small) {
		pkts = small_window(sk, flow, pkts, rate);
		if (!rate)
			slowest_ms = DCC_SLOWEST_WINDOW_MS;
		rate = rate ?: window_rate(s, d, 1);
	}
	if (!rate)
		rate = default_rate(sk, flow, s, d);
	pkts = with_first_resend(tp, s, pkts + beside_window(sk, flow, d, pkts));
	tcp_snd_cwnd_set(tp, clamp_t(u64, pkts, 1, dcc_cwnd_most(tp)));
	flow->tlp_open = 0;
	if (rate)
		dcc_pace_slowest(sk, rate, slowest_ms);
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
 * A flow that the algorithm would suspend, and that cannot be, gets the algorithm's window.
 */
void dcc_apply(struct sock *sk, struct dcc_flow *flow,
	       const struct dcc_sample *s, const struct dcc_decision *d)
{
	if (!d->suspend || !dcc_suspend(sk, flow, d->probe_delay_ns))
		apply_drained(sk, flow, s, d);
	apply_info(flow, d);
	trace_dcc_ack(sk, s, d, flow->mem ? flow->mem->spray : NULL);
}
