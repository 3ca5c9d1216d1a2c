// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a packet's label: when a packet is delivered or given up, its
 * path selector hears how the label fared that carried it. The records themselves
 * are those of dcc_ring.h. Everything here runs with the socket locked.
 */
#include <net/tcp.h>

#include "dcc_core.h"
#include "../ctl/dcc_trace.h"

/* Fair-queueing qdiscs release a packet later than now; nothing waits longer. */
#define MAX_DEPARTURE_DELAY_NS	NSEC_PER_SEC

/*
 * When the packet leaves: now, or when a fair queue is to release it. By the clock
 * of pacing: the packet itself may have to wait besides (TCP_TX_DELAY), which
 * is part of the delay, as it is of the stack's RTT, and not kept by all queues.
 */
static u32 departure_ns(const struct tcp_sock *tp)
{
	u64 now = ktime_get_ns();
	u64 later = tp->tcp_wstamp_ns;

	if (later > now && later - now < MAX_DEPARTURE_DELAY_NS)
		now = later;
	return (u32)now;
}

/* Bytes in flight with a packet of @len. */
static u32 with_it(const struct tcp_sock *tp, u32 len)
{
	u64 bytes = (u64)tcp_packets_in_flight(tp) * tp->mss_cache + len;

	return min_t(u64, bytes, U32_MAX);
}

/**
 * dcc_record_append() - note a packet of new data
 * @sk: a TCP socket, locked
 * @flow: its state, with a ring
 * @span: its place in the sequence space
 * @label: what it carries
 */
void dcc_record_append(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span, u32 label)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_ring *ring = &flow->mem->ring;

	dcc_ring_withdraw(ring, span->seq);
	if (dcc_ring_full(ring))
		dcc_mem_grow(sk, flow);
	if (dcc_ring_append(ring, span, departure_ns(tp),
			    with_it(tp, span->len), label))
		return;
	dcc_count(DCC_COUNT_records_overrun);
	WRITE_ONCE(flow->info, flow->info | DCC_INFO_OVERRUN);
	pr_info_once("dcc: more packets in flight than the knob records: some have no delay\n");
}

/**
 * struct hearing - news for a flow's path selector
 * @sk: its socket
 * @flow: the flow
 * @news: what is the same for all packets heard of
 * @sent_ns: those sent then had this delay, low 32 bits of ns
 * @delay_ns: that delay; 0: of none it is known
 * @only_traced: does no selector listen?
 */
struct hearing {
	const struct sock *sk;
	struct dcc_flow *flow;
	struct dcc_path_news news;
	u32 sent_ns;
	u32 delay_ns;
	bool only_traced;
};

/*
 * The same for traces: with the label as the header had it. Not inline: without traces
 * its frame costs nothing.
 */
static noinline void path_trace(const struct hearing *h)
{
	struct dcc_path_news news = h->news;

	news.label = dcc_header_label(h->sk, news.label);
	trace_dcc_path(h->sk, &news);
}

/*
 * Tell the path selector how a label fared. Of the packets that an ACK is for only
 * the newest has a delay: the others may have waited for it at the receiver.
 */
static void path_heard(void *arg, const struct dcc_record *rec)
{
	static const enum dcc_counter count[] = {
		[DCC_PATH_GOOD] = DCC_COUNT_paths_good,
		[DCC_PATH_CE] = DCC_COUNT_paths_ce,
		[DCC_PATH_LOST] = DCC_COUNT_paths_lost,
		[DCC_PATH_TIMEOUT] = DCC_COUNT_paths_timeout,
	};
	struct hearing *h = arg;

	h->news.label = rec->label;
	h->news.delay_ns = rec->sent_ns == h->sent_ns ? h->delay_ns : 0;
	if (trace_dcc_path_enabled())
		path_trace(h);
	if (h->only_traced)
		return;
	if (h->flow->mem->spray)
		dcc_spray_heard(h->flow->mem->spray, &h->news);
	dcc_count(count[h->news.event]);
}

/* What a flow's selector will hear. */
static struct hearing hearing(const struct sock *sk, struct dcc_flow *flow,
			      enum dcc_path_event event, u64 now_ns)
{
	return (struct hearing) {
		.sk = sk,
		.flow = flow,
		.news = {
			.now_ns = now_ns,
			.event = event,
			.base_ns = flow->base_rtt_ns,
		},
	};
}

/*
 * What a resent packet says of its label. A timeout gives up all that is in
 * flight, but only of the oldest packet is it known that time ran out. A tail
 * probe resends what was not declared lost: it says nothing, DCC_PATH_GOOD.
 */
static enum dcc_path_event resend_event(const struct sock *sk, u32 seq)
{
	u8 state = inet_csk(sk)->icsk_ca_state;

	if (state < TCP_CA_Recovery)
		return DCC_PATH_GOOD;
	if (state == TCP_CA_Loss && !after(seq, tcp_sk(sk)->snd_una))
		return DCC_PATH_TIMEOUT;
	return DCC_PATH_LOST;
}

/**
 * dcc_record_resend() - note that data is sent again
 * @sk: a TCP socket, locked
 * @flow: its state, with a ring
 * @span: the data's place in the sequence space
 *
 * The label that carried it last hears of the loss, and its delay is ambiguous
 * from now on.
 */
void dcc_record_resend(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span)
{
	enum dcc_path_event event = resend_event(sk, span->seq);
	struct hearing h = hearing(sk, flow, event,
				   tcp_sk(sk)->tcp_clock_cache);

	dcc_ring_resend(&flow->mem->ring, span,
			event == DCC_PATH_GOOD ? NULL : path_heard, &h);
}

/*
 * What the newest SACK blocks cover, as the stack left them. Without anything
 * SACKed they are of old: sequence numbers may have come round since.
 */
static void records_sacked(const struct tcp_sock *tp, struct hearing *h)
{
	unsigned int i;

	if (!tp->sacked_out)
		return;
	for (i = 0; i < ARRAY_SIZE(tp->recv_sack_cache); i++) {
		const struct tcp_sack_block *b = &tp->recv_sack_cache[i];

		if (b->start_seq == b->end_seq ||
		    !after(b->end_seq, tp->snd_una) ||
		    after(b->end_seq, tp->snd_nxt))
			continue;
		dcc_ring_deliver(&h->flow->mem->ring, b->start_seq, b->end_seq,
				 path_heard, h);
	}
}

/**
 * dcc_records_acked() - labels report, what is acknowledged is forgotten
 * @sk: a TCP socket, locked
 * @flow: its state, with a ring
 * @s: what the ACK reported: marks, its arrival, the delay of its newest packet
 *
 * An ACK that covers several packets and reports a mark reports it for all of
 * them: our receivers send one whenever the mark changes, so it is true of all.
 */
void dcc_records_acked(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_sample *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem = flow->mem;
	struct hearing h = hearing(sk, flow,
				   s->ce ? DCC_PATH_CE : DCC_PATH_GOOD,
				   s->now_ns);

	if (!s->maybe_delayed) {
		h.sent_ns = (u32)s->sent_ns;
		h.delay_ns = s->delay_ns;
	}
	h.only_traced = !mem->spray || !dcc_spray_steers(mem->spray->selector);
	if (!h.only_traced || trace_dcc_path_enabled()) {
		dcc_ring_deliver(&mem->ring, mem->una, tp->snd_una, path_heard,
				 &h);
		records_sacked(tp, &h);
	}
	dcc_ring_forget(&mem->ring, tp->snd_una);
}
