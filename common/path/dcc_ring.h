/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send records: when each packet in flight left, with which label.
 *
 *   send    : append {end_seq, time, in flight, label, length}
 *   ACK     : binary search for the packet it names; what it newly covers,
 *             cumulatively or by SACK, reports how its label fared, once
 *   resend  : the records that the data lies in are marked (their delay is
 *             ambiguous from now on) and blame the label they carried last
 *
 * The ring is ordered by end_seq. A bit per record says whether its packet was
 * delivered, so each packet reports once, whatever ACKs were lost, merged or
 * late. Data without a record (sent before there was a ring, or while it was
 * full) lies in none: it must not speak for its neighbour.
 *
 * Pure: no clock, no allocation; the caller serialises.
 */
#ifndef _DCC_RING_H
#define _DCC_RING_H

#include "../math/dcc_types.h"

#define DCC_LABEL_FIELD	20	/* bits: a flow label */

/**
 * struct dcc_record - one data packet in flight
 * @end_seq: sequence number after its last byte
 * @sent_ns: when it was sent, low 32 bits of ns; see dcc_record_delay()
 * @inflight: bytes in flight when it was sent, itself included
 * @label: what its last transmission carried
 * @len_units: payload in units of 64 bytes, rounded down
 * @resent: was it sent more than once? Then its delay is ambiguous
 */
struct dcc_record {
	u32 end_seq;
	u32 sent_ns;
	u32 inflight;
	u32 label : DCC_LABEL_FIELD;
	u32 len_units : 11;
	u32 resent : 1;
};

static_assert(sizeof(struct dcc_record) == 16, "a send record is 16 bytes");

/* 11 bits of 64-byte units hold 128 KiB; a longer GSO packet counts as that. */
#define DCC_RECORD_LEN_SHIFT	6
#define DCC_RECORD_LEN_MAX	2047U

/**
 * struct dcc_ring - the records of a flow
 * @record: the slots, a power of two of them; NULL: there is no ring
 * @done: a bit for each: was it delivered, and did its label hear of it?
 * @mask: slots - 1
 * @head: next record to write, free-running
 * @tail: oldest record, free-running
 */
struct dcc_ring {
	struct dcc_record *record;
	unsigned long *done;
	u32 mask;
	u32 head;
	u32 tail;
};

/**
 * struct dcc_span - where in the sequence space a packet lies
 * @seq: its first byte
 * @len: bytes of payload, not 0
 */
struct dcc_span {
	u32 seq;
	u32 len;
};

/* Called once for each packet that is heard of. */
typedef void (*dcc_ring_heard)(void *arg, const struct dcc_record *rec);

/* Bytes of memory that so many slots need; @slots a power of two. */
#define DCC_RING_SIZE(slots)						\
	((slots) * sizeof(struct dcc_record) +				\
	 ((slots) + 8 * sizeof(long) - 1) / (8 * sizeof(long)) * sizeof(long))

static inline size_t dcc_ring_size(u32 slots)
{
	return DCC_RING_SIZE(slots);
}

/* The record numbered @i, from tail to head - 1. */
static inline struct dcc_record *dcc_ring_at(const struct dcc_ring *r, u32 i)
{
	return &r->record[i & r->mask];
}

static inline bool dcc_ring_full(const struct dcc_ring *r)
{
	return r->head - r->tail > r->mask;
}

static inline u32 dcc_record_len(const struct dcc_record *rec)
{
	return (u32)rec->len_units << DCC_RECORD_LEN_SHIFT;
}

u32 dcc_record_delay(const struct dcc_record *rec, u64 now_ns, u64 about_ns);
void dcc_ring_init(struct dcc_ring *r, void *memory, u32 slots);
void dcc_ring_move(struct dcc_ring *r, void *memory, u32 slots);
u32 dcc_ring_find(const struct dcc_ring *r, u32 seq);
struct dcc_record *dcc_ring_covering(const struct dcc_ring *r, u32 end_seq);
bool dcc_ring_append(struct dcc_ring *r, const struct dcc_span *span,
		     u32 sent_ns, u32 inflight, u32 label);
void dcc_ring_withdraw(struct dcc_ring *r, u32 seq);
void dcc_ring_resend(struct dcc_ring *r, const struct dcc_span *span,
		     dcc_ring_heard heard, void *arg);
void dcc_ring_relabel(struct dcc_ring *r, const struct dcc_span *span,
		      u32 label);
void dcc_ring_deliver(struct dcc_ring *r, u32 from_seq, u32 to_seq,
		      dcc_ring_heard heard, void *arg);
void dcc_ring_forget(struct dcc_ring *r, u32 una);

#endif /* _DCC_RING_H */
