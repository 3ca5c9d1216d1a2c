// SPDX-License-Identifier: GPL-2.0
/*
 * Send records: when each packet in flight left, with which label. And what
 * comes of them: when a packet is delivered or given up, its path engine hears
 * how the label fared that carried it.
 *
 * The ring is ordered by end_seq. A bit per record tells whether its packet was
 * delivered; an ACK turns the bits of what it newly covers, cumulatively or by
 * SACK, so each packet reports once, whatever ACKs were lost, merged or late.
 */
#include <linux/bitmap.h>
#include <net/tcp.h>

#include "dcc.h"

/* Fair-queueing qdiscs release a packet later than now; nothing waits longer. */
#define MAX_DEPARTURE_DELAY_NS	NSEC_PER_SEC

/*
 * How long recycled paths are frozen after a timeout: 10 ms on the reference
 * network of 12 us.
 */
#define FREEZE_RTTS	833

/* When the packet leaves: now, or when a fair queue is told to let it go. */
static u32 departure_ns(const struct sk_buff *skb)
{
	u64 now = ktime_get_ns();
	u64 later = ktime_to_ns(skb->tstamp);

	if (later > now && later - now < MAX_DEPARTURE_DELAY_NS)
		now = later;
	return (u32)now;
}

/**
 * dcc_record_find() - the record of the packet that holds a byte
 * @mem: the flow's memory
 * @end_seq: sequence number after that byte
 *
 * Records are ordered by end_seq, so this is a binary search.
 *
 * Return: free-running number of the oldest record with end_seq at or after
 * @end_seq; mem->head if there is none.
 */
u32 dcc_record_find(const struct dcc_mem *mem, u32 end_seq)
{
	u32 lo = mem->tail, hi = mem->head;

	while (lo != hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (before(mem->record[mid & mem->mask].end_seq, end_seq))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* A later try of data whose first try never left replaces its record. */
static void records_withdraw(struct dcc_mem *mem, u32 seq)
{
	while (mem->head != mem->tail &&
	       after(mem->record[(mem->head - 1) & mem->mask].end_seq, seq))
		mem->head--;
}

/**
 * dcc_record_append() - note a packet of new data
 * @sk: a TCP socket, locked
 * @flow: its state, with memory
 * @skb: the packet
 * @span: its place in the sequence space
 * @label: what it carries
 *
 * When the ring is full the newest packet goes unrecorded: the oldest records
 * are those the next ACKs ask for.
 */
void dcc_record_append(struct sock *sk, struct dcc_flow *flow,
		       const struct sk_buff *skb, const struct dcc_span *span,
		       u32 label)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem = flow->mem;
	struct dcc_record *r;

	records_withdraw(mem, span->seq);
	if (mem->head - mem->tail > mem->mask) {
		dcc_count(DCC_COUNT_records_overrun);
		WRITE_ONCE(flow->info, flow->info | DCC_INFO_OVERRUN);
		return;
	}
	__clear_bit(mem->head & mem->mask, mem->done);
	r = &mem->record[mem->head++ & mem->mask];
	r->end_seq = span->seq + span->len;
	r->sent_ns = departure_ns(skb);
	r->inflight = min_t(u64, (u64)tcp_packets_in_flight(tp) * tp->mss_cache +
			    span->len, U32_MAX);
	r->label = label;
	r->len_units = min(span->len >> DCC_RECORD_LEN_SHIFT,
			   DCC_RECORD_LEN_MAX);
	r->resent = 0;
}

/* Tell the path engine how a label fared. */
static void path_heard(struct dcc_flow *flow, u32 label,
		       enum dcc_path_event event, u64 now_ns)
{
	static const enum dcc_counter count[] = {
		[DCC_PATH_GOOD] = DCC_COUNT_paths_good,
		[DCC_PATH_CE] = DCC_COUNT_paths_ce,
		[DCC_PATH_LOST] = DCC_COUNT_paths_lost,
		[DCC_PATH_TIMEOUT] = DCC_COUNT_paths_timeout,
	};

	dcc_spray_heard(&flow->mem->spray, label, event, now_ns,
			(u64)flow->base_rtt_ns * FREEZE_RTTS);
	dcc_count(count[event]);
}

/* Number after the last record that holds a part of @span. */
static u32 span_end(const struct dcc_mem *mem, const struct dcc_span *span)
{
	u32 last = dcc_record_find(mem, span->seq + span->len);

	return last == mem->head ? last : last + 1;
}

/*
 * What a resent packet tells of its label. A timeout gives up all that is in
 * flight, but only of the oldest packet is it known that time ran out. A tail
 * probe resends what nobody declared lost: it tells nothing, DCC_PATH_GOOD.
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
 * @flow: its state, with memory
 * @span: the data's place in the sequence space
 *
 * The label that carried it last hears of the loss, and its delay is ambiguous
 * from now on.
 */
void dcc_record_resend(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span)
{
	enum dcc_path_event event = resend_event(sk, span->seq);
	struct dcc_mem *mem = flow->mem;
	u32 i = dcc_record_find(mem, span->seq + 1);
	u32 end = span_end(mem, span);

	for (; i != end; i++) {
		struct dcc_record *r = &mem->record[i & mem->mask];

		r->resent = 1;
		if (event != DCC_PATH_GOOD)
			path_heard(flow, r->label, event,
				   tcp_sk(sk)->tcp_clock_cache);
	}
}

/**
 * dcc_record_relabel() - what carries resent data now
 * @mem: the flow's memory
 * @span: the data's place in the sequence space
 * @label: the label
 *
 * Should it be lost again, that one is to blame.
 */
void dcc_record_relabel(struct dcc_mem *mem, const struct dcc_span *span,
			u32 label)
{
	u32 i = dcc_record_find(mem, span->seq + 1);
	u32 end = span_end(mem, span);

	for (; i != end; i++)
		mem->record[i & mem->mask].label = label;
}

/*
 * Packets @from to @to - 1 were delivered: those not known to be report. Which
 * copy of a resent one arrived is not known, so neither is its label.
 */
static void records_deliver(struct dcc_flow *flow, u32 from, u32 to,
			    enum dcc_path_event event, u64 now_ns)
{
	struct dcc_mem *mem = flow->mem;

	while (from != to) {
		u32 start = from & mem->mask;
		u32 end = min(start + (to - from), mem->mask + 1);
		u32 i = find_next_zero_bit(mem->done, end, start);

		for (; i < end; i = find_next_zero_bit(mem->done, end, i + 1)) {
			__set_bit(i, mem->done);
			if (!mem->record[i].resent)
				path_heard(flow, mem->record[i].label, event,
					   now_ns);
		}
		from += end - start;
	}
}

/*
 * What the newest SACK blocks cover, as the stack left them. Without anything
 * SACKed they are of old: sequence numbers may have come round since.
 */
static void records_sacked(const struct tcp_sock *tp, struct dcc_flow *flow,
			   enum dcc_path_event event, u64 now_ns)
{
	const struct dcc_mem *mem = flow->mem;
	unsigned int i;

	if (!tp->sacked_out)
		return;
	for (i = 0; i < ARRAY_SIZE(tp->recv_sack_cache); i++) {
		const struct tcp_sack_block *b = &tp->recv_sack_cache[i];
		u32 from, to;

		if (b->start_seq == b->end_seq ||
		    !after(b->end_seq, tp->snd_una) ||
		    after(b->end_seq, tp->snd_nxt))
			continue;
		from = dcc_record_find(mem, b->start_seq + 1);
		to = dcc_record_find(mem, b->end_seq + 1);
		if ((s32)(to - from) > 0)
			records_deliver(flow, from, to, event, now_ns);
	}
}

/**
 * dcc_records_acked() - labels report, what is acknowledged is forgotten
 * @sk: a TCP socket, locked
 * @flow: its state, with memory
 * @ce: did this ACK report a mark?
 * @now_ns: its arrival
 *
 * An ACK that covers several packets and reports a mark reports it for all of
 * them: our receivers send one whenever the mark changes, so it is true of all.
 * Per ACK at most a bit search of four SACK blocks, and one report per packet.
 */
void dcc_records_acked(struct sock *sk, struct dcc_flow *flow, bool ce,
		       u64 now_ns)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_mem *mem = flow->mem;
	u32 una = dcc_record_find(mem, tp->snd_una + 1);
	enum dcc_path_event event = ce ? DCC_PATH_CE : DCC_PATH_GOOD;

	if (dcc_spray_steers(mem->spray.engine)) {
		records_deliver(flow, mem->tail, una, event, now_ns);
		records_sacked(tp, flow, event, now_ns);
	}
	mem->tail = una;
}
