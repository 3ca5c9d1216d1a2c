// SPDX-License-Identifier: GPL-2.0
/*
 * A flow's life: how it starts, the memory it has, how it ends. Everything here
 * runs with the socket locked, in softirq or process context.
 */
#include <linux/random.h>
#include <linux/slab.h>
#include <net/tcp.h>

#include "dcc_core.h"

/*
 * Memory that the socket's cgroup pays for, as it pays for the socket itself. A
 * socket not yet accepted has none; then nobody does, or the current process.
 */
static void *mem_get(struct sock *sk, size_t size)
{
	struct mem_cgroup *old = set_active_memcg(dcc_sk_memcg(sk));
	void *p = kmalloc(size, GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT);

	set_active_memcg(old);
	return p;
}

/* An allocation failed: said once, counted, not tried again until an ACK came. */
static void mem_missing(struct dcc_flow *flow)
{
	flow->starved = 1;
	dcc_count(DCC_COUNT_alloc_failed);
	pr_warn_once("dcc: no memory for a flow's send records: it runs on microsecond RTTs, unsprayed, until there is\n");
}

/* What every flow has: counts, one snapshot of its knobs, the state of holds. */
static struct dcc_mem *mem_first(struct sock *sk, const struct dcc_alg *alg,
				 const u32 *knobs)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem;

	mem = mem_get(sk, dcc_mem_first_size(alg));
	if (!mem)
		return NULL;
	memset(mem, 0, dcc_mem_first_size(alg));
	memcpy(mem->knobs, knobs, dcc_mem_knob_size(alg));
	mem->key = get_random_u64();
	mem->delivered = tp->delivered;
	mem->lost = tp->lost;
	mem->una = tp->snd_una;
	mem->echo_rcv_nxt = tp->rcv_nxt;
	return mem;
}

/*
 * The same, followed by the hosts' jitter, the algorithm's memory, the first records, the selector.
 */
static struct dcc_mem *mem_second(struct sock *sk, const struct dcc_alg *alg,
				  const struct dcc_mem *first)
{
	const struct dcc_flow_knobs *k = (const void *)first->knobs;
	size_t first_size = dcc_mem_first_size(alg);
	size_t extra = DCC_MEM_EXTRA_AT(first_size);
	size_t ring = DCC_MEM_RING_AT(first_size, alg->extra_size);
	size_t spray = DCC_MEM_SPRAY_AT(first_size, alg->extra_size);
	struct dcc_mem *mem = mem_get(sk, spray + dcc_spray_size(k->spray));

	if (!mem)
		return NULL;
	memcpy(mem, first, first_size);
	memset((u8 *)mem + first_size, 0, sizeof(struct dcc_jitter));
	if (alg->extra_size)
		mem->extra = memset((u8 *)mem + extra, 0, alg->extra_size);
	if (alg->start)
		alg->start(mem->extra);
	dcc_ring_init(&mem->ring, (u8 *)mem + ring, DCC_FIRST_RECORDS);
	if (k->spray == DCC_SPRAY_OFF)
		return mem;
	mem->spray = (void *)((u8 *)mem + spray);
	dcc_spray_init(mem->spray, k->spray, k->spray_paths, mem->key);
	return mem;
}

static void mem_free(struct dcc_mem *mem)
{
	if (!mem)
		return;
	if (mem->own_ring)
		kfree(mem->ring.record);
	if (mem->own_extra)
		kfree(mem->extra);
	kfree(mem);
}

/*
 * A path selector that goes by marks would be blind on a connection without ECN: its flow
 * would stay for long on paths that others fill. One that goes by delay takes its place,
 * aloud.
 */
static void spray_without_marks(struct sock *sk, struct dcc_flow *flow)
{
	struct dcc_flow_knobs *k = (void *)flow->mem->knobs;

	if (!dcc_spray_needs_marks(k->spray) || dcc_ecn_any(tcp_sk(sk)))
		return;
	k->spray = DCC_SPRAY_AUTO;
	dcc_note(flow, DCC_INFO_AUTO_INSTEAD, DCC_COUNT_spray_replaced);
	pr_info_once("dcc: bitmap, reps and mixed need ECN, and the connection has none: auto, which goes by delay, in their place\n");
}

/* Tries the first allocation; the knobs are those of now. */
static bool mem_start(struct sock *sk, struct dcc_flow *flow, const u32 *knobs)
{
	if (flow->starved)
		return false;
	flow->mem = mem_first(sk, dcc_alg_of(sk), knobs);
	if (flow->mem) {
		WRITE_ONCE(flow->info, flow->info & ~DCC_INFO_NO_MEMORY);
		spray_without_marks(sk, flow);
		return true;
	}
	WRITE_ONCE(flow->info, flow->info | DCC_INFO_NO_MEMORY);
	mem_missing(flow);
	return false;
}

/* The knobs of now; a socket that may outlive its namespace has the initial one's. */
static void knobs_now(const struct sock *sk, const struct dcc_alg *alg, u32 *knobs)
{
	dcc_knobs_snapshot(dcc_has_net(sk) ? sock_net(sk) : &init_net, alg->knobs,
			   alg->alg, knobs);
}

/**
 * dcc_mem_for_data() - memory for a flow's first data packet
 * @sk: a TCP socket, locked
 * @flow: its state, ready
 *
 * A flow that had no memory so far tries again.
 *
 * Return: is there a ring of records?
 */
bool dcc_mem_for_data(struct sock *sk, struct dcc_flow *flow)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_mem *mem;

	if (flow->mem && flow->mem->ring.record)
		return true;
	if (!flow->mem) {
		u32 knobs[DCC_KNOB_MAX];

		knobs_now(sk, alg, knobs);
		if (!mem_start(sk, flow, knobs))
			return false;
	}
	if (flow->starved)
		return false;
	mem = mem_second(sk, alg, flow->mem);
	if (!mem) {
		mem_missing(flow);
		return false;
	}
	kfree(flow->mem);
	flow->mem = mem;
	return true;
}

/* The algorithm's own memory in full, once; it can do without, until the next ACK. */
static void extra_grow(struct sock *sk, struct dcc_flow *flow)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_mem *mem = flow->mem;
	void *grown;

	if (mem->own_extra || !alg->grown_size)
		return;
	grown = mem_get(sk, alg->grown_size);
	if (!grown) {
		flow->starved = 1;
		return;
	}
	alg->grow(grown, mem->extra);
	mem->extra = grown;
	mem->own_extra = 1;
}

/**
 * dcc_mem_grow() - more packets are in flight than there are records
 * @sk: a TCP socket, locked
 * @flow: its state, with a ring that is full
 *
 * Twice as many, up to the knob; without memory it stays as it is. The algorithm gets
 * its memory whatever the knob says: records bound the ring alone.
 */
void dcc_mem_grow(struct sock *sk, struct dcc_flow *flow)
{
	struct dcc_mem *mem = flow->mem;
	const struct dcc_flow_knobs *k = (const void *)mem->knobs;
	u32 slots = 2 * (mem->ring.mask + 1);
	void *old = mem->ring.record, *ring;

	if (flow->starved)
		return;
	extra_grow(sk, flow);
	if (slots > k->records)
		return;
	ring = mem_get(sk, dcc_ring_size(slots));
	if (!ring) {
		mem_missing(flow);
		return;
	}
	dcc_ring_move(&mem->ring, ring, slots);
	if (mem->own_ring)
		kfree(old);
	mem->own_ring = 1;
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
	if (dcc_has_net(sk))
		cmpxchg(&sk->sk_pacing_status, SK_PACING_NONE, SK_PACING_NEEDED);
	if (rate)
		dcc_pace(sk, rate);
}

/**
 * dcc_first_window() - an algorithm's own window to start with
 * @sk: a TCP socket, locked, of a flow that is ready
 * @k: its knobs
 * @bytes: the window; 0: the algorithm knows none
 *
 * Only if nobody asked for another, and nothing was sent yet.
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

/**
 * dcc_note() - tell of a fact about a flow, and count it the first time
 * @flow: its state
 * @info: one of DCC_INFO_*
 * @c: its counter
 */
void dcc_note(struct dcc_flow *flow, u16 info, enum dcc_counter c)
{
	if (flow->info & info)
		return;
	WRITE_ONCE(flow->info, flow->info | info);
	dcc_count(c);
}

/* Facts that were looked for and not found are told, never guessed. */
static void flow_note_unknown(struct sock *sk, struct dcc_flow *flow,
			      const struct dcc_flow_knobs *k)
{
	if (dcc_line_rate(sk, k->line_rate_mbps))
		return;
	dcc_note(flow, DCC_INFO_NO_LINE_RATE, DCC_COUNT_line_rate_unknown);
	pr_info_once("dcc: egress device tells no speed: pacing follows the window; knob line_rate_mbps can tell it\n");
}

/*
 * ECN is used by the algorithms that ask for it, and by the path selectors that
 * steer by it where net.ipv4.tcp_ecn had it negotiated: those flows then run on
 * operations that differ by TCP_CONG_NEEDS_ECN alone, with which the stack tells
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
	if (!dcc_wrap(sk))
		dcc_note(flow, DCC_INFO_NOT_WRAPPED, DCC_COUNT_not_wrapped);
	flow->waiting = sk->sk_state == TCP_SYN_SENT;
	if (flow->waiting)
		return false;
	knobs_now(sk, alg, knobs);
	mem_start(sk, flow, knobs);
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
 * dcc_flow_late() - start a flow that was chosen while connecting
 * @sk: a TCP socket, locked, of ours, about to send
 * @flow: its state
 */
void dcc_flow_late(struct sock *sk, struct dcc_flow *flow)
{
	if (flow->waiting && sk->sk_state != TCP_SYN_SENT)
		inet_csk(sk)->icsk_ca_ops->init(sk);
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
	dcc_hold_end(sk, flow);
	dcc_tail_end(sk);
	flow->ready = 0;
	WRITE_ONCE(inet_csk(sk)->icsk_ca_ops, &alg->ops->ops);
	mem_free(flow->mem);
	flow->mem = NULL;
	dcc_segs_uncap(sk, flow);
	if (flow->tolerant)
		dcc_reorder_restore(sk);
	flow->tolerant = 0;
	tp->snd_ssthresh = max(tcp_snd_cwnd(tp), 2U);
}
EXPORT_SYMBOL_GPL(dcc_release);
