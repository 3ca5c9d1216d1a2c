// SPDX-License-Identifier: GPL-2.0
/* A flow's memory: when it gets it, and how much. Everything here runs with the socket locked. */
#include <linux/random.h>
#include <linux/slab.h>
#include <net/tcp.h>

#include "dcc_core.h"

/*
 * Memory that the socket's cgroup pays for, as it pays for the socket itself. A
 * socket not yet accepted has none; then none does, or the current process.
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

/* What every flow has: counts, one snapshot of its knobs, the state of its probes. */
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

/**
 * dcc_mem_free() - give a flow's memory back
 * @flow: its state, of a socket that is locked
 */
void dcc_mem_free(struct dcc_flow *flow)
{
	struct dcc_mem *mem = flow->mem;

	if (!mem)
		return;
	if (mem->own_ring)
		kfree(mem->ring.record);
	if (mem->own_extra)
		kfree(mem->extra);
	kfree(mem);
	flow->mem = NULL;
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

/* The knobs of now; a socket that may outlive its namespace has the initial one's. */
static void knobs_now(const struct sock *sk, const struct dcc_alg *alg, u32 *knobs)
{
	dcc_knobs_snapshot(dcc_has_net(sk) ? sock_net(sk) : &init_net, alg->knobs,
			   alg->alg, knobs);
}

/**
 * dcc_mem_start() - a flow's first allocation
 * @sk: a TCP socket, locked
 * @flow: its state, without memory
 * @knobs: filled in with the knobs of now, DCC_KNOB_MAX at most
 *
 * Return: did it get it?
 */
bool dcc_mem_start(struct sock *sk, struct dcc_flow *flow, u32 *knobs)
{
	knobs_now(sk, dcc_alg_of(sk), knobs);
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

		if (!dcc_mem_start(sk, flow, knobs))
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
