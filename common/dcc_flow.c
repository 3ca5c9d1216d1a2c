// SPDX-License-Identifier: GPL-2.0
/*
 * A flow: its memory, its base RTT, what an ACK tells about it, and how a
 * decision is carried out. Everything here runs with the socket locked, mostly
 * in softirq, but for dcc_get_info().
 */
#include <linux/inet_diag.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <net/tcp.h>

#include "dcc.h"
#include "dcc_trace.h"

static_assert(sizeof(struct dcc_record) == 16, "a send record is 16 bytes");

/* Memory of a flow: header and knobs, the law's own part, then the ring. */
static struct dcc_mem *mem_alloc(const struct dcc_alg *alg, const u32 *knobs)
{
	const struct dcc_flow_knobs *k = (const void *)knobs;
	size_t knob_size = alg->knobs->count * sizeof(u32);
	size_t extra, ring, done;
	struct dcc_mem *mem;

	extra = ALIGN(sizeof(*mem) + knob_size, sizeof(u64));
	ring = ALIGN(extra + alg->extra_size, sizeof(u64));
	done = ring + k->records * sizeof(struct dcc_record);
	mem = kmalloc(done + BITS_TO_LONGS(k->records) * sizeof(long),
		      GFP_NOWAIT | __GFP_NOWARN);
	if (!mem)
		return NULL;
	memset(mem, 0, sizeof(*mem));
	memcpy(mem->knobs, knobs, knob_size);
	mem->extra = (u8 *)mem + extra;
	mem->record = (void *)((u8 *)mem + ring);
	mem->done = (void *)((u8 *)mem + done);
	mem->mask = k->records - 1;
	dcc_spray_init(&mem->spray, k->spray, k->spray_paths, get_random_u64());
	return mem;
}

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
	cmpxchg(&sk->sk_pacing_status, SK_PACING_NONE, SK_PACING_NEEDED);
	if (rate)
		WRITE_ONCE(sk->sk_pacing_rate,
			   min_t(u64, rate, READ_ONCE(sk->sk_max_pacing_rate)));
}

/* Facts that were looked for and not found are told, never guessed. */
static void flow_note_unknown(struct sock *sk, struct dcc_flow *flow,
			      const struct dcc_flow_knobs *k)
{
	if (!flow->mem) {
		flow->info |= DCC_INFO_NO_MEMORY;
		dcc_count(DCC_COUNT_alloc_failed);
		pr_warn_once("dcc: no memory for a flow's send records: it runs on microsecond RTTs, unsprayed\n");
	}
	if (!dcc_line_rate(sk, k->line_rate_mbps)) {
		flow->info |= DCC_INFO_NO_LINE_RATE;
		dcc_count(DCC_COUNT_line_rate_unknown);
		pr_info_once("dcc: egress device tells no speed: pacing follows the window; knob line_rate_mbps can tell it\n");
	}
}

/*
 * ECN is used by the algorithms that ask for it, and by the path engines that
 * steer by it where net.ipv4.tcp_ecn had it negotiated. The operations differ
 * by TCP_CONG_NEEDS_ECN alone: with it the stack tells of marks received, and
 * without it marks nothing as ECN-capable on a connection that is not.
 */
static void flow_pick_ops(struct sock *sk, struct dcc_flow *flow,
			  const struct dcc_alg *alg,
			  const struct dcc_flow_knobs *k)
{
	bool wanted = alg->ecn || dcc_spray_steers(k->spray);
	bool on = dcc_ecn_any(tcp_sk(sk));

	WRITE_ONCE(inet_csk(sk)->icsk_ca_ops, &alg->ops[wanted && on]);
	if (!wanted || on)
		return;
	flow->info |= DCC_INFO_NO_ECN;
	dcc_count(DCC_COUNT_ecn_missing);
	pr_info_once("dcc: %s wants ECN, but the connection has none (net.ipv4.tcp_ecn here, or the peer's): delay and loss alone decide\n",
		     alg->ops->name);
}

/* The sample's counts start at the stack's of now. */
static void flow_count_from(struct dcc_flow *flow, const struct tcp_sock *tp)
{
	flow->delivered_ce = tp->delivered_ce;
	if (!flow->mem)
		return;
	flow->mem->delivered = tp->delivered;
	flow->mem->lost = tp->lost;
	flow->mem->echo_rcv_nxt = tp->rcv_nxt;
}

/**
 * dcc_flow_init() - start a flow; the module's init() calls it first
 * @sk: a TCP socket, locked
 * @flow: the first member of its private state
 * @alg: the algorithm
 *
 * Takes one snapshot of the knobs and one allocation. Without memory the flow
 * works on (microsecond RTTs, no spraying, the machine-wide knobs) and says so.
 * The socket's operations become those of @alg that fit its ECN.
 */
void dcc_flow_init(struct sock *sk, struct dcc_flow *flow,
		   const struct dcc_alg *alg)
{
	u32 knobs[DCC_KNOB_MAX];
	const struct dcc_flow_knobs *k = (const void *)knobs;

	memset(flow, 0, sizeof(*flow));
	if (WARN_ON_ONCE(alg->knobs->count > DCC_KNOB_MAX))
		return;
	dcc_knobs_snapshot(sock_net(sk), alg->knobs, alg->alg, knobs);
	flow->mem = mem_alloc(alg, knobs);
	flow_note_unknown(sk, flow, k);
	flow_first_window(sk, k);
	flow_pick_ops(sk, flow, alg, k);
	flow->tolerant = alg->reorder;
	if (flow->tolerant)
		dcc_reorder_tolerate(sk);
	flow_count_from(flow, tcp_sk(sk));
	flow->ready = 1;
	dcc_count(DCC_COUNT_flows);
}
EXPORT_SYMBOL_GPL(dcc_flow_init);

/*
 * Super-packets no longer than so many segments. The stack's own limit is kept:
 * it is the device's, or 1 where segments may not be cut by it (TCP-MD5).
 */
static void segs_cap(struct sock *sk, struct dcc_flow *flow, u16 segs)
{
	if (sk->sk_gso_max_segs <= segs)
		return;
	flow->gso_max_segs = sk->sk_gso_max_segs;
	WRITE_ONCE(sk->sk_gso_max_segs, segs);
}

/* Give the limit back, unless the stack has set another since. */
static void segs_uncap(struct sock *sk, struct dcc_flow *flow)
{
	if (flow->gso_max_segs && sk->sk_gso_max_segs < flow->gso_max_segs)
		WRITE_ONCE(sk->sk_gso_max_segs, flow->gso_max_segs);
	flow->gso_max_segs = 0;
}

/**
 * dcc_release() - end a flow: every module's release()
 * @sk: a TCP socket, locked; zeroed state is fine, and so is calling twice
 *
 * Leaves what the next algorithm needs: segments uncapped, the stack's own view
 * of reordering, and a threshold at the window so that it goes on from here
 * instead of doubling.
 */
void dcc_release(struct sock *sk)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!flow->ready)
		return;
	flow->ready = 0;
	kfree(flow->mem);
	flow->mem = NULL;
	segs_uncap(sk, flow);
	if (flow->tolerant)
		dcc_reorder_restore(sk);
	tp->snd_ssthresh = max(tcp_snd_cwnd(tp), 2U);
}
EXPORT_SYMBOL_GPL(dcc_release);

/*
 * Base RTT: the smallest delay of full-size packets. Small ones serialise
 * faster, so a packet larger than any sampled before starts the minimum anew,
 * and the delays seen until then are void; so does the first one after a
 * silence, when nothing of ours can be in a queue. An ACK that may have waited
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
		flow->base_rtt_ns = s->delay_ns;
	} else if (len == flow->base_len) {
		flow->base_rtt_ns = min(flow->base_rtt_ns, s->delay_ns);
	}
}

/* The stack's own rule (RFC 6298), in ns: srtt += (delay - srtt) / 8. */
static void srtt_update(struct dcc_flow *flow, u32 delay_ns)
{
	s64 diff = (s64)delay_ns - flow->srtt_ns;

	flow->srtt_ns = flow->srtt_ns ? flow->srtt_ns + (s32)(diff / 8) :
					delay_ns;
}

/*
 * A receiver holds the ACK of a single packet back, for up to 40 ms, in case
 * another arrives. That may be this ACK if it covers one packet in order which
 * was alone when sent, or which nothing followed.
 */
static bool ack_maybe_delayed(const struct tcp_sock *tp,
			      const struct dcc_mem *mem, u32 i,
			      const struct dcc_sample *s)
{
	const struct dcc_record *r = &mem->record[i & mem->mask];

	if (s->acked != 1 || tp->sacked_out)
		return false;
	return i + 1 == mem->head || r->inflight <= s->mss;
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
 * Is the byte before @seq in this record? Its length is rounded down, so a
 * packet's last byte is asked for by name. Data sent before the flow was ours
 * has no record, and the first record must not answer for it.
 */
static bool record_covers(const struct dcc_record *r, u32 seq)
{
	u32 len = r->len_units << DCC_RECORD_LEN_SHIFT;

	return seq == r->end_seq || after(seq, r->end_seq - len);
}

/*
 * The delay of the most recently sent packet this ACK delivered. No delay for
 * data sent twice (which copy was it?), and none if the ACK waited for a socket
 * in use: its time stamp then tells when it was read, not when it came.
 */
static void sample_delay(struct sock *sk, struct dcc_flow *flow,
			 const struct rate_sample *rs, struct dcc_sample *s)
{
	struct dcc_mem *mem = flow->mem;
	const struct dcc_record *r;
	s32 delay;
	u32 i;

	if (!rs->last_end_seq)
		return;
	i = dcc_record_find(mem, rs->last_end_seq);
	r = &mem->record[i & mem->mask];
	if (i == mem->head || !record_covers(r, rs->last_end_seq)) {
		dcc_count(DCC_COUNT_samples_unmatched);
		return;
	}
	s->inflight = r->inflight;
	if (r->resent || rs->is_retrans) {
		dcc_count(DCC_COUNT_samples_retrans);
		return;
	}
	if (sock_owned_by_user_nocheck(sk)) {
		dcc_count(DCC_COUNT_samples_backlog);
		return;
	}
	delay = (s32)((u32)s->now_ns - r->sent_ns);
	if (delay <= 0) {	/* told to leave later, left at once */
		dcc_count(DCC_COUNT_samples_unmatched);
		return;
	}
	s->delay_ns = delay;
	s->sent_ns = s->now_ns - s->delay_ns;
	s->maybe_delayed = ack_maybe_delayed(tcp_sk(sk), mem, i, s);
	if (!s->maybe_delayed || s->delay_ns < flow->srtt_ns)
		srtt_update(flow, s->delay_ns);
	dcc_count(DCC_COUNT_samples);
	base_update(flow, s, r->len_units << DCC_RECORD_LEN_SHIFT);
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

/*
 * Packets delivered and lost since the last sample. With memory by the stack's
 * own running counts: an ACK overtaken by a later one, or the reordering timer,
 * counts without calling cong_control().
 */
static void sample_counts(const struct tcp_sock *tp, struct dcc_flow *flow,
			  const struct rate_sample *rs, struct dcc_sample *s)
{
	struct dcc_mem *mem = flow->mem;

	s->acked = rs->acked_sacked;
	s->losses = max(rs->losses, 0);
	s->ce = tp->delivered_ce - flow->delivered_ce;
	flow->delivered_ce = tp->delivered_ce;
	if (!mem)
		return;
	s->acked = tp->delivered - mem->delivered;
	s->losses = tp->lost - mem->lost;
	mem->delivered = tp->delivered;
	mem->lost = tp->lost;
}

/* What the flow itself knows at this ACK. */
static void sample_state(struct sock *sk, struct dcc_flow *flow,
			 const struct dcc_alg *alg, struct dcc_sample *s)
{
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, alg);
	const struct tcp_sock *tp = tcp_sk(sk);

	s->now_ns = tp->tcp_clock_cache;
	s->mss = max(tp->mss_cache, 1U);
	s->acked_bytes = s->acked * s->mss;
	s->flight = tcp_packets_in_flight(tp) * s->mss;
	s->line_rate = dcc_line_rate(sk, k->line_rate_mbps);
	s->cwnd_limited = window_limited(sk, flow);
	s->recovery = flow->recovery;
	s->no_ecn = !dcc_ecn_any(tp);
	flow->recovery = 0;
	if (s->losses && alg->walk_losses)
		s->lost_run = dcc_lost_run(sk);
}

/**
 * dcc_sample() - what this ACK told; the module's cong_control() calls it
 * @sk: a TCP socket, locked
 * @flow: its state
 * @alg: its algorithm
 * @rs: the stack's rate sample
 * @s: filled in whole when true is returned
 *
 * Return: false if there is nothing to decide on: the flow is not ours yet
 * (cong_control() runs on zeroed state for the ACK of a SYN), or nothing was
 * delivered or lost.
 */
bool dcc_sample(struct sock *sk, struct dcc_flow *flow,
		const struct dcc_alg *alg, const struct rate_sample *rs,
		struct dcc_sample *s)
{
	if (!flow->ready)
		return false;
	if (flow->tolerant)
		dcc_reorder_tolerate(sk);
	memset(s, 0, sizeof(*s));
	sample_counts(tcp_sk(sk), flow, rs, s);
	if (!s->acked && !s->losses && !flow->recovery)
		return false;
	sample_state(sk, flow, alg, s);
	if (flow->mem) {
		sample_delay(sk, flow, rs, s);
		dcc_records_acked(sk, flow, s->ce, s->now_ns);
	} else {
		sample_core_rtt(sk, flow, rs, s);
	}
	s->base_rtt_ns = flow->base_rtt_ns;
	s->srtt_ns = dcc_srtt_ns(flow, tcp_sk(sk));
	return true;
}
EXPORT_SYMBOL_GPL(dcc_sample);

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
			const struct dcc_alg *alg, const struct dcc_sample *s,
			const struct dcc_decision *d)
{
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, alg);

	return dcc_line_pacing(sk, k) ?: window_rate(s, d, 2);
}

/**
 * dcc_apply() - carry out a decision
 * @sk: a TCP socket, locked
 * @flow: its state
 * @alg: its algorithm
 * @s: what was decided on
 * @d: the decision
 *
 * The window becomes whole packets. Below SMALL_WINDOW the pacing rate carries
 * it out, one packet every srtt / W: the stack knows no window below one.
 */
void dcc_apply(struct sock *sk, struct dcc_flow *flow,
	       const struct dcc_alg *alg, const struct dcc_sample *s,
	       const struct dcc_decision *d)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 pkts = div_u64(d->cwnd, s->mss << DCC_CWND_SHIFT);
	u64 rate = d->pacing_rate;

	flow->small = pkts < SMALL_WINDOW;
	if (flow->small) {
		rate = window_rate(s, d, 1);
		pkts += SMALL_WINDOW;
	}
	if (!rate)
		rate = default_rate(sk, flow, alg, s, d);
	tcp_snd_cwnd_set(tp, clamp_t(u64, pkts, 1, tp->snd_cwnd_clamp));
	if (rate)
		WRITE_ONCE(sk->sk_pacing_rate,
			   min_t(u64, rate, READ_ONCE(sk->sk_max_pacing_rate)));
	WRITE_ONCE(flow->delay_ns, d->delay_ns);
	WRITE_ONCE(flow->target_ns, d->target_ns);
	trace_dcc_ack(sk, s, d);
}
EXPORT_SYMBOL_GPL(dcc_apply);

/**
 * dcc_cwnd_event_tx_start() - the flow sends after it had nothing in flight
 * @sk: a TCP socket, locked
 *
 * Silence longer than a retransmission timeout makes what was measured stale,
 * the base RTT included: the path may be another one now.
 */
void dcc_cwnd_event_tx_start(struct sock *sk)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	if (flow->ready && !tp->packets_out &&
	    tcp_jiffies32 - tp->lsndtime > inet_csk(sk)->icsk_rto) {
		flow->restart = 1;
		flow->base_rtt_ns = 0;
		flow->base_len = 0;
	}
}
EXPORT_SYMBOL_GPL(dcc_cwnd_event_tx_start);

/**
 * dcc_cwnd_event() - what else the stack tells a congestion control
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

/*
 * Smallest super-packet; also where segments are capped: a super-packet has one
 * label, so while spraying its length is limited. The stack rewrites the cap
 * when the route changes, hence again and again here, before each burst.
 */
static u32 flow_tso_segs(struct sock *sk)
{
	struct dcc_flow *flow = inet_csk_ca(sk);
	u32 segs = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_min_tso_segs);
	const struct dcc_flow_knobs *k;

	if (flow->small)	/* packet by packet, as the pacing rate says */
		segs = 1;
	if (!flow->mem || sk->sk_family != AF_INET6)
		return segs;
	k = (const void *)flow->mem->knobs;
	if (!k->spray_segs ||
	    (k->spray == DCC_SPRAY_OFF && !dcc_net_spray_paths(sk)))
		return segs;
	segs_cap(sk, flow, k->spray_segs);
	return min(segs, k->spray_segs);
}

DCC_DEFINE_TSO_SEGS_OP(flow_tso_segs)

/*
 * Does a change to TCP_CA_Loss come from a timeout? A smaller path MTU is
 * answered by the same state, without congestion: the stack then has just
 * cleared the undo marker that a timeout would have set.
 */
static bool loss_is_timeout(const struct sock *sk)
{
	return inet_csk(sk)->icsk_ca_state > TCP_CA_Disorder ||
	       tcp_sk(sk)->undo_marker;
}

/*
 * Fast recovery begins. The stack would undo it when the losses turn out to be
 * late packets, as they often are here: it then forgets all that were declared
 * lost and not yet sent again. But RACK has taken those off its list when it
 * declared them, so one that is really lost would wait for a timeout (seen: a
 * flow of 10 ms stood still for 6). No cut was made, so there is nothing to undo.
 */
static void flow_recovery(struct sock *sk, struct dcc_flow *flow)
{
	flow->recovery = 1;
	if (flow->tolerant)
		tcp_sk(sk)->undo_marker = 0;
}

/**
 * dcc_state_is_timeout() - note a change of the stack's recovery state
 * @sk: a TCP socket, locked, whose old state is still in force
 * @flow: its state
 * @state: the new one
 *
 * What a timeout or a smaller MTU gave up at once is no news of the network to
 * the sample that follows.
 *
 * Context: the set_state() operation. Return: true for a retransmission
 * timeout.
 */
bool dcc_state_is_timeout(struct sock *sk, struct dcc_flow *flow, u8 state)
{
	if (!flow->ready)
		return false;
	if (state == TCP_CA_Recovery)
		flow_recovery(sk, flow);
	if (state != TCP_CA_Loss)
		return false;
	if (flow->mem)
		flow->mem->lost = tcp_sk(sk)->lost;
	if (!loss_is_timeout(sk))
		return false;
	dcc_count(DCC_COUNT_rtos);
	return true;
}
EXPORT_SYMBOL_GPL(dcc_state_is_timeout);

/**
 * dcc_ssthresh() - there is none: the law owns the window
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
 * dcc_undo_cwnd() - nothing to undo: the law cut, or it did not
 * @sk: a TCP socket, locked
 *
 * Every module of ours names this function, no other can: it marks a socket as
 * ours to the transmit hook.
 *
 * Return: the window unchanged.
 */
u32 dcc_undo_cwnd(struct sock *sk)
{
	return tcp_snd_cwnd(tcp_sk(sk));
}
EXPORT_SYMBOL_GPL(dcc_undo_cwnd);

/**
 * dcc_get_info() - what inet_diag and TCP_CC_INFO show of a flow
 * @sk: a TCP socket, NOT locked: under RCU, concurrent with everything
 * @ext: extensions asked for
 * @attr: which form it is
 * @info: filled in, 16 of its 20 bytes
 *
 * The form is Vegas', which stock ss decodes: tcpv_enabled 1, tcpv_rttcnt the
 * DCC_INFO_* bits, tcpv_rtt the delay acted on last and tcpv_minrtt the base
 * RTT, both in us.
 *
 * Return: bytes filled in, 0 if nothing was asked for.
 */
size_t dcc_get_info(struct sock *sk, u32 ext, int *attr,
		    union tcp_cc_info *info)
{
	const struct dcc_flow *flow = inet_csk_ca(sk);

	if (!(ext & (1 << (INET_DIAG_VEGASINFO - 1))))
		return 0;
	memset(&info->vegas, 0, sizeof(info->vegas));
	info->vegas.tcpv_enabled = 1;
	info->vegas.tcpv_rttcnt = READ_ONCE(flow->info);
	info->vegas.tcpv_rtt = READ_ONCE(flow->delay_ns) / NSEC_PER_USEC;
	info->vegas.tcpv_minrtt = READ_ONCE(flow->base_rtt_ns) / NSEC_PER_USEC;
	*attr = INET_DIAG_VEGASINFO;
	return sizeof(info->vegas);
}
EXPORT_SYMBOL_GPL(dcc_get_info);
