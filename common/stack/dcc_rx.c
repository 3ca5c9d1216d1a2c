// SPDX-License-Identifier: GPL-2.0
/*
 * What an ACK reported: delay, base RTT, counts. And what else the stack says of a flow: changes
 * of state, and what a silence makes stale. Everything here runs with the socket locked, mostly in
 * softirq.
 */
#include <net/tcp.h>

#include "dcc_core.h"

#define FELL_SHIFT	5	/* a base RTT that falls by 1/32 was wrong */
#define WAITED_SHIFT	3	/* a wait of 1/8 base RTT is more than noise */

/*
 * Base RTT: the smallest delay of full-size packets. Small ones serialise
 * faster, so a packet larger than any sampled before starts the minimum anew,
 * and the delays seen until then are void; so does the first one after a
 * silence, when nothing of the flow can be in a queue. An ACK that may have waited
 * at the receiver only ever lowers it, unless there is no other.
 */
static void base_update(struct dcc_flow *flow, const struct dcc_sample *s, u32 len)
{
	u32 full = min(s->mss >> DCC_RECORD_LEN_SHIFT << DCC_RECORD_LEN_SHIFT,
		       (u32)U16_MAX);

	len = min(len, full);
	if (flow->base_len > full)	/* the packets became smaller */
		flow->base_len = full;
	if (len > flow->base_len || !flow->base_rtt_ns) {
		if (s->maybe_delayed && flow->base_rtt_ns)
			return;
		flow->restart |= flow->base_rtt_ns != 0;
		flow->base_len = len;
		WRITE_ONCE(flow->base_rtt_ns, s->delay_ns);
	} else if (len == flow->base_len) {
		WRITE_ONCE(flow->base_rtt_ns, min(flow->base_rtt_ns, s->delay_ns));
	}
}

/* The stack's own rule (RFC 6298), in ns: srtt += (delay - srtt) / 8. */
static void srtt_update(struct dcc_flow *flow, u32 delay_ns)
{
	s64 diff = (s64)delay_ns - flow->srtt_ns;

	flow->srtt_ns = flow->srtt_ns ? flow->srtt_ns + (s32)(diff / 8) :
					delay_ns;
}

/* The record of the packet that left after @r's; NULL: none has. */
static const struct dcc_record *record_after(const struct dcc_ring *ring,
					     const struct dcc_record *r)
{
	u32 next = (u32)(r - ring->record) + 1;

	return (next - ring->head) & ring->mask ? dcc_ring_at(ring, next) : NULL;
}

/*
 * A receiver that misses a packet reports at once the next three only, then when a
 * timer says so: after a part of the RTT and net.ipv4.tcp_comp_sack_slack_ns. The newest
 * packet that such an ACK reports waited there for as long as none followed it, which is
 * about as long as none had left. (Of the last one sent nothing is known: it counts.
 * Where a full buffer makes the holes, as in an incast, it is the queue that it reports.)
 */
static bool sack_maybe_late(const struct tcp_sock *tp, const struct dcc_flow *flow,
			    const struct dcc_record *r)
{
	const struct dcc_record *next = record_after(&flow->mem->ring, r);

	if (tp->sacked_out <= TCP_FASTRETRANS_THRESH ||
	    tp->snd_una != flow->mem->una)
		return false;
	return next && next->sent_ns - r->sent_ns > flow->base_rtt_ns >> WAITED_SHIFT;
}

/*
 * A receiver delays the ACK of no more than one packet's worth of bytes, for
 * up to 40 ms, in case more arrive. That may be this ACK if it covers no more
 * than that in order, and what it covers was alone when sent, or nothing
 * followed, or all that followed would not have filled the packet either.
 */
static bool ack_maybe_delayed(const struct tcp_sock *tp, const struct dcc_flow *flow,
			      const struct dcc_record *r,
			      const struct dcc_sample *s)
{
	u32 una = flow->mem->una;

	if (tp->sacked_out || tp->snd_una - una > s->mss)
		return sack_maybe_late(tp, flow, r);
	return !record_after(&flow->mem->ring, r) || r->inflight <= s->mss ||
	       tp->snd_nxt - una <= s->mss;
}

/*
 * Does the receiver acknowledge each packet at once? An ACK for more than one
 * says no, as does one that took as long as a delayed one.
 */
static void single_update(const struct tcp_sock *tp, struct dcc_flow *flow,
			  const struct dcc_sample *s)
{
	const u64 held_ns = jiffies_to_nsecs(TCP_DELACK_MIN);
	u32 bytes = tp->snd_una - flow->mem->una;

	if (bytes > s->mss || (s->maybe_delayed && s->delay_ns >= held_ns))
		flow->single = 0;
	else if (bytes && !s->maybe_delayed && flow->single < DCC_SINGLE_SURE)
		flow->single++;
}

/*
 * How long the link takes for the packets of a GSO packet but one, ns: 2^19 bytes at most.
 * The same for all flows of a link, however small their windows: what it lets them have
 * must not depend on what they have. 0: the link's rate is not known.
 */
static u32 gso_ns(const struct sock *sk, const struct dcc_sample *s)
{
	u64 most = min_t(u64, READ_ONCE(sk->sk_gso_max_size),
			 (u64)READ_ONCE(sk->sk_gso_max_segs) * s->mss);

	if (!s->line_rate || most <= s->mss)
		return 0;
	return (u32)min_t(u64, div64_u64((most - s->mss) * NSEC_PER_SEC, s->line_rate), U32_MAX);
}

/*
 * What the hosts of a flow that drains the queue delay packets by, with one more delay of a
 * full packet; 0: it is to count as a queue. Of a sprayed flow nothing can be learned: its delays
 * differ by their paths, and its ACKs come together where they waited behind data on the
 * reverse path. A tail loss probe is one packet, but what follows it is not.
 */
static u64 hosts_ns(const struct sock *sk, const struct dcc_flow *flow, bool wanted,
		    const struct dcc_sample *s, u64 last_ns)
{
	struct dcc_jitter *j = dcc_flow_jitter(flow, dcc_alg_of(sk));
	const struct dcc_jitter_delay d = {
		.now_ns = s->now_ns, .last_ns = last_ns,
		.line_rate = s->line_rate, .acked = s->acked_bytes, .mss = s->mss,
		.delay_ns = s->delay_ns, .base_ns = flow->base_rtt_ns,
	};

	if (!j || !wanted || s->sprayed)
		return 0;
	if (dcc_jitter_on_delay(j, &d) && !flow->capped)
		j->gso_ns = gso_ns(sk, s);
	return dcc_jitter_most(j);
}

/*
 * Base RTT and min-RTT probes by a packet's delay. What a min-RTT probe measures is no reason
 * for the algorithm to grow: it is the probe that limits the flow then.
 */
static void base_and_drain(struct sock *sk, struct dcc_flow *flow,
			   struct dcc_sample *s, u32 len)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_drain *drain = dcc_flow_drain(flow, alg);
	struct dcc_calm *calm = dcc_flow_calm(flow, alg);
	u32 before = flow->base_rtt_ns;
	const struct dcc_drain_knobs *k;
	struct dcc_drain_delay d;

	base_update(flow, s, len);
	if (drain && !before)	/* the flow begins, or begins again */
		*drain = (struct dcc_drain) {};
	if (len < flow->base_len || s->maybe_delayed)
		return;
	if (calm && dcc_calm_on_delay(calm, s->now_ns, s->delay_ns, flow->base_rtt_ns) &&
	    !flow->capped)
		calm->gso_ns = gso_ns(sk, s);
	if (!drain)
		return;
	k = alg->drain_knobs(flow->mem->knobs);
	if (!k)
		return;
	d = (struct dcc_drain_delay) {
		.now_ns = s->now_ns, .sent_ns = s->sent_ns,
		.delay_ns = s->delay_ns, .srtt_ns = flow->srtt_ns,
		.base_ns = flow->base_rtt_ns,
		.inflight = s->inflight, .line_rate = s->line_rate,
		.hosts_ns = hosts_ns(sk, flow, k->host_jitter, s, drain->seen_ns),
		.fell = flow->base_rtt_ns < before - (before >> FELL_SHIFT),
		.limited = s->cwnd_limited,
		.starts = flow->starts,
		.alone = flow->alone,
		.paths = s->sprayed,
	};
	WRITE_ONCE(flow->base_rtt_ns, dcc_drain_on_delay(drain, k, &d));
	s->drains = drain->on;
	if (drain->on)
		s->cwnd_limited = false;
}

/* Without records: the core's RTT, in whole microseconds, fed as full-size. */
static void sample_core_rtt(struct sock *sk, struct dcc_flow *flow,
			    const struct rate_sample *rs, struct dcc_sample *s)
{
	if (rs->rtt_us <= 0 || rs->is_retrans)
		return;
	s->maybe_delayed = s->acked == 1 && !tcp_sk(sk)->packets_out;
	s->delay_ns = min_t(u64, (u64)rs->rtt_us * NSEC_PER_USEC, U32_MAX);
	base_update(flow, s, s->mss);
}

/*
 * What was in flight when a packet was sent, and with the next one, if the ACK that let
 * both out was for two, as this one is. It may be of the first of such a pair, and a
 * window of an odd number of packets would look one smaller. Of longer runs, as NICs
 * make them by GRO, the newest packet is any.
 */
static u32 sample_inflight(const struct dcc_ring *ring, const struct dcc_record *r,
			   u32 acked)
{
	const struct dcc_record *next = record_after(ring, r);

	return acked == 2 && next ? max(r->inflight, next->inflight) : r->inflight;
}

/*
 * The record to take the delay from, if there is one: not of data sent twice
 * (which copy was it?), not if the ACK waited for a socket in use: its time
 * stamp then says when it was read, not when it came.
 */
static const struct dcc_record *sample_record(const struct sock *sk,
					      const struct dcc_mem *mem,
					      const struct rate_sample *rs,
					      struct dcc_sample *s)
{
	const struct dcc_record *r = dcc_ring_covering(&mem->ring,
						       rs->last_end_seq);

	if (!r) {
		dcc_count(DCC_COUNT_samples_unmatched);
		return NULL;
	}
	s->inflight = sample_inflight(&mem->ring, r, s->acked);
	if (r->resent || rs->is_retrans) {
		dcc_count(DCC_COUNT_samples_retrans);
		return NULL;
	}
	if (sock_owned_by_user_nocheck(sk)) {
		dcc_count(DCC_COUNT_samples_backlog);
		return NULL;
	}
	return r;
}

/*
 * The delay of the packet that ends at rs->last_end_seq by the stack's own time
 * stamps: in whole microseconds, but of 64 bits. They differ from a record's by how
 * long the stack took to send a burst.
 */
static u64 stacks_delay_ns(const struct tcp_sock *tp)
{
	return (tp->tcp_mstamp - tp->first_tx_mstamp) * NSEC_PER_USEC;
}

/* What a packet took, without what its ACK waited on the reverse path, if that is known. */
static u32 without_way_back(const struct tcp_sock *tp, struct dcc_flow *flow,
			    const struct dcc_sample *s, u32 delay)
{
	const struct dcc_flow_knobs *k = (const void *)flow->mem->knobs;
	u32 wait;

	if (!k->way_back_ppm || !dcc_has_usec_ts(tp) || !tp->rx_opt.saw_tstamp)
		return delay;
	wait = dcc_back_wait(&flow->mem->back, s->now_ns, tp->rx_opt.rcv_tsval,
			     k->way_back_ppm);
	return dcc_back_less(delay, wait, flow->base_rtt_ns);
}

/* The delay of the most recently sent packet this ACK delivered. */
static void sample_delay(struct sock *sk, struct dcc_flow *flow,
			 const struct rate_sample *rs, struct dcc_sample *s)
{
	const struct dcc_record *r;
	u32 delay;

	if (!rs->last_end_seq)
		return;
	r = sample_record(sk, flow->mem, rs, s);
	if (!r)
		return;
	delay = dcc_record_delay(r, s->now_ns, stacks_delay_ns(tcp_sk(sk)));
	if (!delay) {	/* to leave later, left at once */
		dcc_count(DCC_COUNT_samples_unmatched);
		return;
	}
	s->sent_ns = s->now_ns - delay;
	s->delay_ns = without_way_back(tcp_sk(sk), flow, s, delay);
	s->maybe_delayed = ack_maybe_delayed(tcp_sk(sk), flow, r, s);
	if (!s->maybe_delayed || s->delay_ns < flow->srtt_ns)
		srtt_update(flow, s->delay_ns);
	dcc_count(DCC_COUNT_samples);
	base_and_drain(sk, flow, s, dcc_record_len(r));
}

/*
 * Is it the window that holds the sender back? A small window is carried out by
 * pacing: it does if data waits for its turn.
 */
static bool window_limited(const struct sock *sk, const struct dcc_flow *flow)
{
	return tcp_sk(sk)->is_cwnd_limited ||
	       (flow->small && tcp_send_head(sk));
}

/**
 * dcc_sample_counts() - packets delivered and lost since the last sample
 * @sk: a TCP socket, locked
 * @flow: its state, ready
 * @rs: the stack's rate sample
 * @s: zeroed
 *
 * With memory by the stack's own running counts: an ACK overtaken by a later one, or the
 * reordering timer, counts without calling cong_control().
 */
void dcc_sample_counts(const struct sock *sk, struct dcc_flow *flow,
		       const struct rate_sample *rs, struct dcc_sample *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem = flow->mem;

	s->acked = rs->acked_sacked;
	s->losses = max(rs->losses, 0);
	s->ce = (u16)(tp->delivered_ce - flow->delivered_ce);
	flow->delivered_ce = tp->delivered_ce;
	if (!mem)
		return;
	s->acked = max_t(s32, tp->delivered - mem->delivered, 0);
	s->losses = tp->lost - mem->lost;
	mem->delivered = tp->delivered;
	mem->lost = tp->lost;
}

/* How important the application says the flow is. */
static void sample_priority(const struct sock *sk, struct dcc_sample *s)
{
	u8 class = READ_ONCE(inet_sk(sk)->tos);

	s->priority = READ_ONCE(sk->sk_priority);
#if IS_ENABLED(CONFIG_IPV6)
	if (dcc_is_ipv6(sk))
		class = inet6_sk(sk)->tclass;
#endif
	s->dscp = class >> 2;
}

/* What needs no ACK, but for the RTTs, which an ACK may change. */
static void sample_now(struct sock *sk, const struct dcc_flow *flow,
		       struct dcc_sample *s)
{
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, dcc_alg_of(sk));
	const struct tcp_sock *tp = tcp_sk(sk);

	s->now_ns = tp->tcp_clock_cache;
	s->mss = max(tp->mss_cache, 1U);
	s->flight = tcp_packets_in_flight(tp) * s->mss;
	s->line_rate = dcc_line_rate(sk, k->line_rate_mbps);
	s->no_ecn = !dcc_ecn_any(tp);
	s->sprayed = flow->info & DCC_INFO_SPRAYING || flow->tolerant;
	sample_priority(sk, s);
}

/*
 * What a flow's hosts delay it by. One that probes knows round trips without a queue, over all
 * paths that it takes.
 */
static u64 sample_hosts(const struct sock *sk, const struct dcc_flow *flow,
			const struct dcc_sample *s)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	const struct dcc_jitter *j = dcc_flow_jitter(flow, alg);
	const struct dcc_calm *calm = dcc_flow_calm(flow, alg);

	if (!s->base_rtt_ns)
		return 0;
	if (calm)
		return dcc_calm_most(calm, s->base_rtt_ns);
	return j && !s->sprayed ? dcc_jitter_most(j) : 0;
}

static void sample_rtts(const struct sock *sk, const struct dcc_flow *flow,
			struct dcc_sample *s)
{
	s->base_rtt_ns = flow->base_rtt_ns;
	s->hosts_ns = (u32)min_t(u64, sample_hosts(sk, flow, s), U32_MAX);
	s->srtt_ns = dcc_srtt_ns(flow, tcp_sk(sk));
}

/**
 * dcc_sample_flow() - what is known of a flow without an ACK
 * @sk: a TCP socket, locked
 * @flow: its state
 * @s: zeroed; delay and packets are the caller's to fill in
 */
void dcc_sample_flow(struct sock *sk, const struct dcc_flow *flow,
		     struct dcc_sample *s)
{
	sample_now(sk, flow, s);
	sample_rtts(sk, flow, s);
}

/*
 * Did the newest packet leave before any ACK of its flight came? The stack then has
 * nothing older to measure rates from than the flight's first packet, for what was
 * sent and for what was delivered.
 */
static bool sample_fills(const struct sock *sk, const struct rate_sample *rs)
{
	u32 since = (u32)tcp_sk(sk)->first_tx_mstamp - (u32)rs->prior_mstamp;

	return rs->prior_mstamp && since == rs->snd_interval_us;
}

/* What the flow itself knows at this ACK. */
static void sample_state(struct sock *sk, struct dcc_flow *flow,
			 const struct rate_sample *rs, struct dcc_sample *s)
{
	sample_now(sk, flow, s);
	s->acked_bytes = s->acked * s->mss;
	s->app_limited = rs->is_app_limited;
	s->fills = sample_fills(sk, rs);
	s->small = dcc_alg_of(sk)->grown_size &&
		   !(flow->mem && flow->mem->own_extra);
	s->cwnd_limited = window_limited(sk, flow);
	s->recovery = flow->recovery;
	flow->recovery = 0;
	if (s->losses && dcc_alg_of(sk)->walk_losses)
		s->lost_run = dcc_lost_run(sk);
}

/*
 * What a SACK says of how many arrive unreported: nothing if it is one of those that come at
 * once, each time the oldest hole is another one. The sender waited if its window
 * stopped it, and the turn of the next packet came an eighth of the base RTT ago at least.
 * The window of a min-RTT probe says nothing.
 */
static void comp_sack_update(const struct sock *sk, struct dcc_flow *flow,
			     const struct dcc_sample *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem = flow->mem;
	u64 turn;

	if (tp->snd_una != mem->una || tp->sacked_out <= s->acked)
		mem->sacks = 0;		/* another hole is the oldest, or the first one */
	if (tp->snd_una != mem->una || !s->acked)
		return;
	if (mem->sacks < DCC_COMP_SACK_AT_ONCE) {
		mem->sacks++;
		return;
	}
	if (dcc_flow_drains(flow, dcc_alg_of(sk)))
		return;
	turn = tp->tcp_wstamp_ns + (flow->base_rtt_ns >> WAITED_SHIFT);
	mem->comp_sacks = dcc_comp_sack_learn(mem->comp_sacks, s->acked,
					      s->cwnd_limited && tp->tcp_clock_cache > turn);
}

/* What the ACK says of single packets, by their records. */
static void sample_packets(struct sock *sk, struct dcc_flow *flow,
			   const struct rate_sample *rs, struct dcc_sample *s)
{
	struct dcc_mem *mem = flow->mem;

	if (mem && mem->ring.record && dcc_is_wrapped(sk)) {
		sample_delay(sk, flow, rs, s);
		dcc_records_acked(sk, flow, s);
	} else {
		sample_core_rtt(sk, flow, rs, s);
	}
	if (!mem)
		return;
	single_update(tcp_sk(sk), flow, s);
	if (tcp_sk(sk)->sacked_out)
		comp_sack_update(sk, flow, s);
	mem->una = tcp_sk(sk)->snd_una;
}

/**
 * dcc_sample() - what this ACK reported
 * @sk: a TCP socket, locked
 * @flow: its state, ready
 * @rs: the stack's rate sample
 * @s: with the counts of dcc_sample_counts(), filled in whole
 */
void dcc_sample(struct sock *sk, struct dcc_flow *flow,
		const struct rate_sample *rs, struct dcc_sample *s)
{
	sample_state(sk, flow, rs, s);
	sample_packets(sk, flow, rs, s);
	sample_rtts(sk, flow, s);
}

/**
 * dcc_sample_forget() - what was measured is stale: the path may be another one now
 * @sk: a TCP socket, locked
 * @flow: its state, ready
 *
 * The base RTT, the hosts' jitter and the reverse path's clock included.
 */
void dcc_sample_forget(const struct sock *sk, struct dcc_flow *flow)
{
	void *hosts = dcc_flow_hosts(flow, dcc_alg_of(sk));

	flow->restart = 1;
	WRITE_ONCE(flow->base_rtt_ns, 0);
	flow->base_len = 0;
	if (flow->mem) {
		flow->mem->back = (struct dcc_back) {};
		flow->mem->comp_sacks = 0;
	}
	if (hosts)
		memset(hosts, 0, sizeof(struct dcc_jitter));
}

/*
 * Does a change to TCP_CA_Loss come from a timeout? A smaller path MTU is
 * answered by the same state, without congestion. It has just cleared the undo
 * marker, which a timeout sets unless it falls into a recovery; the timeout then
 * has just set the window to one more than is in flight.
 */
static bool loss_is_timeout(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	if (inet_csk(sk)->icsk_ca_state <= TCP_CA_Disorder)
		return tp->undo_marker;
	return tcp_snd_cwnd(tp) == tcp_packets_in_flight(tp) + 1 &&
	       tp->snd_cwnd_stamp == tcp_jiffies32;
}

/* What the stack newly declared lost since the last sample or the last call. */
static u32 flow_newly_lost(struct dcc_flow *flow, const struct tcp_sock *tp)
{
	u32 lost;

	if (!flow->mem)
		return tp->lost_out;
	lost = tp->lost - flow->mem->lost;
	flow->mem->lost = tp->lost;
	return lost;
}

/**
 * dcc_state_is_timeout() - note a change of the stack's recovery state
 * @sk: a TCP socket, locked, whose old state is still in force
 * @flow: its state
 * @state: the new one
 * @lost: packets that the timeout gave up, set when true is returned
 *
 * What a timeout or a smaller MTU gave up at once is no news of the network to
 * the sample that follows.
 *
 * Context: the set_state() operation. Return: true for a retransmission
 * timeout.
 */
bool dcc_state_is_timeout(struct sock *sk, struct dcc_flow *flow, u8 state,
			  u32 *lost)
{
	bool timeout;

	if (!flow->ready)
		return false;
	if (state == TCP_CA_Recovery) {
		flow->recovery = 1;
		dcc_reorder_no_undo(sk, flow);
	}
	if (state != TCP_CA_Loss)
		return false;
	flow->tlp_open = 0;	/* the window is another one */
	flow->tlp = 0;
	if (flow->mem)
		flow->mem->comp_sacks = 0;
	*lost = flow_newly_lost(flow, tcp_sk(sk));
	timeout = loss_is_timeout(sk);
	dcc_reorder_no_undo(sk, flow);
	if (timeout)
		dcc_count(DCC_COUNT_rtos);
	return timeout;
}
