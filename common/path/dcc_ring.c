// SPDX-License-Identifier: GPL-2.0
/* Send records; the design is stated in dcc_ring.h. */
#include "dcc_ring.h"

#define WORD_BITS	(8 * sizeof(long))

/* Sequence numbers wrap: before and after as the stack has it. */
static bool seq_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

static void done_clear(struct dcc_ring *r, u32 i)
{
	i &= r->mask;
	r->done[i / WORD_BITS] &= ~(1UL << i % WORD_BITS);
}

static void done_set(struct dcc_ring *r, u32 i)
{
	i &= r->mask;
	r->done[i / WORD_BITS] |= 1UL << i % WORD_BITS;
}

/*
 * The first record from @i on, before @end, whose bit is not set; @end if there
 * is none. A word at a time: a SACK block may cover the whole ring again and
 * again, with every ACK.
 */
static u32 done_skip(const struct dcc_ring *r, u32 i, u32 end)
{
	while (i != end) {
		u32 at = i & r->mask, off = at % WORD_BITS;
		u32 left = min_t(u32, WORD_BITS - off, r->mask + 1 - at);
		unsigned long clear = ~r->done[at / WORD_BITS] >> off;
		u32 set = clear ? (u32)__builtin_ctzl(clear) : left;

		left = min(left, end - i);
		if (set < left)
			return i + set;
		i += left;
	}
	return end;
}

/**
 * dcc_record_delay() - how long a packet and its ACK were on the way
 * @rec: its record
 * @now_ns: arrival of the ACK, ns
 * @about_ns: what is known of the delay from elsewhere, off by less than 2.1 s
 *
 * A record keeps 32 bits of the time, so it gives the delay but for a multiple of
 * 4.29 s: of those that it may be, the nearest to what is known is meant. Alone,
 * a delay of 4.4 s would pass for 0.1 s, and be the base RTT for good.
 *
 * Return: ns; U32_MAX: that or more; 0: none, the packet left earlier than it was
 * told to.
 */
u32 dcc_record_delay(const struct dcc_record *rec, u64 now_ns, u64 about_ns)
{
	u32 low = (u32)now_ns - rec->sent_ns;
	s64 delay = (s64)about_ns + (s32)(low - (u32)about_ns);

	return (u32)clamp_t(s64, delay, 0, U32_MAX);
}

/**
 * dcc_ring_init() - an empty ring
 * @r: the ring, any content
 * @memory: dcc_ring_size(@slots) bytes, aligned to a long
 * @slots: a power of two, not 0
 */
void dcc_ring_init(struct dcc_ring *r, void *memory, u32 slots)
{
	memset(memory, 0, dcc_ring_size(slots));
	r->record = memory;
	r->done = (void *)((u8 *)memory + slots * sizeof(struct dcc_record));
	r->mask = slots - 1;
	r->head = 0;
	r->tail = 0;
}

/**
 * dcc_ring_move() - the same records in other memory
 * @r: the ring
 * @memory: as in dcc_ring_init(), not the one in use
 * @slots: as there, and at least as many as records are held
 *
 * The caller frees the memory used before.
 */
void dcc_ring_move(struct dcc_ring *r, void *memory, u32 slots)
{
	const struct dcc_ring old = *r;
	u32 i;

	dcc_ring_init(r, memory, slots);
	r->head = old.head;
	r->tail = old.tail;
	for (i = old.tail; i != old.head; i++) {
		u32 j = i & old.mask;

		*dcc_ring_at(r, i) = old.record[j];
		if (old.done[j / WORD_BITS] >> j % WORD_BITS & 1)
			done_set(r, i);
	}
}

/**
 * dcc_ring_find() - the first record that ends at or after a point
 * @r: the ring
 * @seq: the point
 *
 * Records are ordered by end_seq, so this is a binary search.
 *
 * Return: number of the oldest record with end_seq at or after @seq; the head
 * if there is none.
 */
u32 dcc_ring_find(const struct dcc_ring *r, u32 seq)
{
	u32 lo = r->tail, hi = r->head;

	while (lo != hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (seq_before(dcc_ring_at(r, mid)->end_seq, seq))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Where a packet begins, at least its last byte: its length is rounded down, so
 * up to 63 bytes at its front belong to none.
 */
static u32 record_start(const struct dcc_record *rec)
{
	return rec->end_seq - max(dcc_record_len(rec), 1U);
}

/**
 * dcc_ring_covering() - the record of the packet that holds a byte
 * @r: the ring
 * @end_seq: sequence number after that byte
 *
 * Return: NULL if no record does: the data was sent without one.
 */
struct dcc_record *dcc_ring_covering(const struct dcc_ring *r, u32 end_seq)
{
	u32 i = dcc_ring_find(r, end_seq);
	struct dcc_record *rec;

	if (i == r->head)
		return NULL;
	rec = dcc_ring_at(r, i);
	return seq_before(record_start(rec), end_seq) ? rec : NULL;
}

/**
 * dcc_ring_withdraw() - forget data that is about to be sent as if anew
 * @r: the ring
 * @seq: its first byte
 *
 * A later try of data whose first try never left replaces its record.
 */
void dcc_ring_withdraw(struct dcc_ring *r, u32 seq)
{
	while (r->head != r->tail &&
	       seq_before(seq, dcc_ring_at(r, r->head - 1)->end_seq))
		r->head--;
}

/**
 * dcc_ring_append() - note a packet of new data
 * @r: the ring
 * @span: its place in the sequence space, after all that is recorded: see
 *	dcc_ring_withdraw()
 * @sent_ns: when it leaves, low 32 bits of ns
 * @inflight: bytes in flight with it
 * @label: what it carries
 *
 * When the ring is full the newest packet goes unrecorded: the oldest records
 * are those the next ACKs ask for.
 *
 * Return: was there room?
 */
bool dcc_ring_append(struct dcc_ring *r, const struct dcc_span *span,
		     u32 sent_ns, u32 inflight, u32 label)
{
	struct dcc_record *rec;

	if (dcc_ring_full(r))
		return false;
	done_clear(r, r->head);
	rec = dcc_ring_at(r, r->head++);
	rec->end_seq = span->seq + span->len;
	rec->sent_ns = sent_ns;
	rec->inflight = inflight;
	rec->label = label;
	rec->len_units = min(span->len >> DCC_RECORD_LEN_SHIFT,
			     DCC_RECORD_LEN_MAX);
	rec->resent = 0;
	return true;
}

/* The first record that holds a part of a span, if record @i or a later one does. */
static struct dcc_record *span_record(const struct dcc_ring *r, u32 i,
				      const struct dcc_span *span)
{
	struct dcc_record *rec;

	if (i == r->head)
		return NULL;
	rec = dcc_ring_at(r, i);
	return seq_before(record_start(rec), span->seq + span->len) ? rec : NULL;
}

/**
 * dcc_ring_resend() - data is sent again
 * @r: the ring
 * @span: its place in the sequence space
 * @heard: told each of its packets' records; may be NULL
 * @arg: for @heard
 */
void dcc_ring_resend(struct dcc_ring *r, const struct dcc_span *span,
		     dcc_ring_heard heard, void *arg)
{
	u32 i = dcc_ring_find(r, span->seq + 1);
	struct dcc_record *rec;

	for (; (rec = span_record(r, i, span)); i++) {
		rec->resent = 1;
		if (heard)
			heard(arg, rec);
	}
}

/**
 * dcc_ring_relabel() - what carries resent data now
 * @r: the ring
 * @span: its place in the sequence space
 * @label: should it be lost again, this one is to blame
 */
void dcc_ring_relabel(struct dcc_ring *r, const struct dcc_span *span, u32 label)
{
	u32 i = dcc_ring_find(r, span->seq + 1);
	struct dcc_record *rec;

	for (; (rec = span_record(r, i, span)); i++)
		rec->label = label;
}

/**
 * dcc_ring_deliver() - a piece of the sequence space arrived
 * @r: the ring
 * @from_seq: its first byte
 * @to_seq: the byte after its last
 * @heard: told the record of each packet in it that was not known to be there.
 *	Which copy of a resent one arrived is not known, so neither is its label
 * @arg: for @heard
 *
 * A packet belongs to it if it ends in it. A step for each packet newly heard
 * of, and one for each word of bits.
 */
void dcc_ring_deliver(struct dcc_ring *r, u32 from_seq, u32 to_seq,
		      dcc_ring_heard heard, void *arg)
{
	u32 i = dcc_ring_find(r, from_seq + 1);
	u32 end = dcc_ring_find(r, to_seq + 1);

	if ((s32)(end - i) < 0)
		return;
	for (i = done_skip(r, i, end); i != end; i = done_skip(r, i, end)) {
		done_set(r, i);
		if (!dcc_ring_at(r, i)->resent)
			heard(arg, dcc_ring_at(r, i));
	}
}

/**
 * dcc_ring_forget() - drop what is acknowledged
 * @r: the ring
 * @una: the first byte that is not
 */
void dcc_ring_forget(struct dcc_ring *r, u32 una)
{
	r->tail = dcc_ring_find(r, una + 1);
}
