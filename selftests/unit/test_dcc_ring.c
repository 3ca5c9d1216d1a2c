// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of common/path/dcc_ring.c, function by function. Whole lives of flows, beside
 * a model that keeps every byte, are in fuzz_ring.c.
 */
#include "path/dcc_ring.h"
#include "unit.h"

#define HEARD_MAX	256U

/* A ring in memory of exactly its size, and the labels heard, in order. */
struct rig {
	struct dcc_ring r;
	void *memory;
	u32 label[HEARD_MAX];
	u32 heard;
};

/* @start: head and tail at first; they run freely, so any will do. */
static struct rig rig_new(u32 slots, u32 start)
{
	struct rig g = { .memory = malloc(dcc_ring_size(slots)) };

	if (!g.memory)
		abort();
	memset(g.memory, 0xa5, dcc_ring_size(slots));
	memset(&g.r, 0xa5, sizeof(g.r));
	dcc_ring_init(&g.r, g.memory, slots);
	EXPECT_EQ(g.r.head, 0);
	EXPECT_EQ(g.r.tail, 0);
	g.r.head = start;
	g.r.tail = start;
	return g;
}

static void rig_free(struct rig *g)
{
	free(g->memory);
}

/* The same records in as many slots. */
static void rig_move(struct rig *g, u32 slots)
{
	void *memory = malloc(dcc_ring_size(slots));

	if (!memory)
		abort();
	memset(memory, 0xa5, dcc_ring_size(slots));
	dcc_ring_move(&g->r, memory, slots);
	free(g->memory);
	g->memory = memory;
}

static u32 held(const struct rig *g)
{
	return g->r.head - g->r.tail;
}

static void note(void *arg, const struct dcc_record *rec)
{
	struct rig *g = arg;

	if (g->heard < HEARD_MAX)
		g->label[g->heard] = rec->label;
	g->heard++;
}

/* A packet of new data; its time and bytes in flight follow from its label. */
static bool send(struct rig *g, u32 seq, u32 len, u32 label)
{
	const struct dcc_span span = { seq, len };

	return dcc_ring_append(&g->r, &span, label * 10, label * 100, label);
}

/* As many packets of 1000 bytes from @seq on, with the labels @label .. */
static void send_many(struct rig *g, u32 seq, u32 count, u32 label)
{
	u32 i;

	for (i = 0; i < count; i++)
		EXPECT_EQ(send(g, seq + i * 1000, 1000, label + i), true);
}

/* The labels that a call told of, oldest first: "1 2 5". */
#define EXPECT_HEARD(g, call, want) do {				\
	(g)->heard = 0;							\
	call;								\
	expect_heard(__LINE__, g, want);				\
} while (0)

static void expect_heard(int line, const struct rig *g, const char *want)
{
	char text[HEARD_MAX * 8] = "";
	size_t at = 0;
	u32 i;

	for (i = 0; i < min(g->heard, HEARD_MAX); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%u",
				       i ? " " : "", g->label[i]);
	unit_text(__FILE__, line, "heard", text, want);
}

static void deliver(struct rig *g, u32 from, u32 to)
{
	dcc_ring_deliver(&g->r, from, to, note, g);
}

static void resend(struct rig *g, u32 seq, u32 len)
{
	const struct dcc_span span = { seq, len };

	dcc_ring_resend(&g->r, &span, note, g);
}

static void relabel(struct rig *g, u32 seq, u32 len, u32 label)
{
	const struct dcc_span span = { seq, len };

	dcc_ring_relabel(&g->r, &span, label);
}

/* Label of the record that holds the byte before @end_seq; 0: there is none. */
static u32 covering(const struct rig *g, u32 end_seq)
{
	const struct dcc_record *rec = dcc_ring_covering(&g->r, end_seq);

	return rec ? rec->label : 0;
}

/* --- delay ----------------------------------------------------------------- */

#define LAP		(1ULL << 32)	/* ns: what a record can tell */
#define HALF_LAP	(1ULL << 31)

/* A packet that leaves at @sent, and its ACK @delay later. */
static u32 delay_of(u64 sent, u64 delay, u64 about)
{
	const struct dcc_record rec = { .sent_ns = (u32)sent };

	return dcc_record_delay(&rec, sent + delay, about);
}

/* To the nanosecond, whatever the stack's microseconds say, at any time. */
static void dcc_record_delay__as_the_stack_says(void)
{
	static const u64 delay[] = { 1, 999, 120001, HALF_LAP - 1, HALF_LAP,
				     HALF_LAP + 1, 4000000000, LAP - 1 };
	u32 i, round;

	for (i = 0; i < ARRAY_SIZE(delay); i++)
		for (round = 0; round < 100; round++) {
			u64 sent = unit_below(U32_MAX) * 5ULL;
			u64 us = delay[i] / 1000 * 1000;

			EXPECT_EQ(delay_of(sent, delay[i], us), delay[i]);
			EXPECT_EQ(delay_of(sent, delay[i], us + 500000), delay[i]);
		}
}

/* 32 bits come round after 4.29 s: what is longer is no shorter for that. */
static void dcc_record_delay__tells_laps_apart(void)
{
	static const u64 longer[] = { 0, 1, 100000000, HALF_LAP, LAP, 7 * LAP };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(longer); i++)
		EXPECT_EQ(delay_of(77, LAP + longer[i], LAP + longer[i]),
			  U32_MAX);
	/* known to less than half of that, on either side */
	EXPECT_EQ(delay_of(0, 3000000000, 3000000000 - HALF_LAP + 1), 3000000000);
	EXPECT_EQ(delay_of(0, 3000000000, 3000000000 + HALF_LAP), 3000000000);
	EXPECT_EQ(delay_of(0, 5000000000, 5000000000 + HALF_LAP), U32_MAX);
	EXPECT_EQ(delay_of(0, 5000000000, 5000000000 - HALF_LAP + 1), U32_MAX);
}

/* Told to leave later, left at once: no delay, however much later. */
static void dcc_record_delay__departs_when_told(void)
{
	static const u64 early[] = { 0, 1, 1000000, 1000000000 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(early); i++) {
		EXPECT_EQ(delay_of(LAP * 9, 0 - early[i], 0), 0);
		EXPECT_EQ(delay_of(early[i] / 2, 0 - early[i], 120000), 0);
	}
}

/* --- memory, init ---------------------------------------------------------- */

/* 16 bytes a record, and a bit each in whole longs. */
static void dcc_ring_size__records_and_bits(void)
{
	EXPECT_EQ(dcc_ring_size(1), 16 + sizeof(long));
	EXPECT_EQ(dcc_ring_size(16), 16 * 16 + 8);
	EXPECT_EQ(dcc_ring_size(64), 64 * 16 + 8);
	EXPECT_EQ(dcc_ring_size(128), 128 * 16 + 16);
	EXPECT_EQ(dcc_ring_size(16384), 16384 * 16 + 2048);
}

static void dcc_ring_init__empty(void)
{
	static const u32 slots[] = { 1, 2, 16, 64, 128 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		struct rig g = rig_new(slots[i], 0);

		EXPECT_EQ(g.r.mask, slots[i] - 1);
		EXPECT_EQ((void *)g.r.record == g.memory, true);
		EXPECT_EQ(dcc_ring_full(&g.r), false);
		EXPECT_EQ(dcc_ring_find(&g.r, 0), 0);
		for (j = 0; j < (slots[i] + 63) / 64; j++)
			EXPECT_EQ(g.r.done[j], 0);
		EXPECT_HEARD(&g, deliver(&g, 0, 1 << 30), "");
		rig_free(&g);
	}
}

/* --- append ---------------------------------------------------------------- */

static void dcc_ring_append__every_field(void)
{
	struct rig g = rig_new(16, 0);
	const struct dcc_record *rec = dcc_ring_at(&g.r, 0);

	memset(g.r.record, 0xff, 16 * sizeof(*rec));
	EXPECT_EQ(send(&g, 5000, 1448, 0xfffff), true);
	EXPECT_EQ(rec->end_seq, 6448);
	EXPECT_EQ(rec->sent_ns, 0xfffff * 10);
	EXPECT_EQ(rec->inflight, 0xfffff * 100);
	EXPECT_EQ(rec->label, 0xfffff);
	EXPECT_EQ(rec->len_units, 22);		/* 1408 of 1448 bytes */
	EXPECT_EQ(rec->resent, 0);
	EXPECT_EQ(dcc_record_len(rec), 1408);
	rig_free(&g);
}

/* Lengths round down to 64 bytes and end at 2047 times that. */
static void dcc_ring_append__lengths(void)
{
	static const u32 vector[][2] = {
		{ 1, 0 }, { 63, 0 }, { 64, 64 }, { 65, 64 }, { 127, 64 },
		{ 128, 128 }, { 131007, 130944 }, { 131008, 131008 },
		{ 131071, 131008 }, { 131072, 131008 }, { 262144, 131008 },
		{ 524288, 131008 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct rig g = rig_new(16, 0);

		send(&g, 1000, vector[i][0], 1);
		EXPECT_EQ(dcc_record_len(dcc_ring_at(&g.r, 0)), vector[i][1]);
		EXPECT_EQ(dcc_ring_at(&g.r, 0)->end_seq, 1000 + vector[i][0]);
		rig_free(&g);
	}
}

/* A full ring keeps what it has; there is room again once some is forgotten. */
static void dcc_ring_append__full(void)
{
	struct rig g = rig_new(16, U32_MAX - 7);

	send_many(&g, 0, 15, 1);
	EXPECT_EQ(dcc_ring_full(&g.r), false);
	send_many(&g, 15000, 1, 16);
	EXPECT_EQ(dcc_ring_full(&g.r), true);
	EXPECT_EQ(send(&g, 16000, 1000, 17), false);
	EXPECT_EQ(held(&g), 16);
	EXPECT_EQ(covering(&g, 1000), 1);
	EXPECT_EQ(covering(&g, 16000), 16);
	EXPECT_EQ(covering(&g, 17000), 0);
	dcc_ring_forget(&g.r, 1000);
	EXPECT_EQ(send(&g, 17000, 1000, 18), true);
	EXPECT_EQ(dcc_ring_full(&g.r), true);
	EXPECT_EQ(covering(&g, 17000), 0);
	EXPECT_EQ(covering(&g, 18000), 18);
	rig_free(&g);
}

/* A place that is used again begins undelivered. */
static void dcc_ring_append__clears_the_bit(void)
{
	struct rig g = rig_new(16, 0);
	u32 round;

	for (round = 0; round < 5; round++) {
		send_many(&g, round * 16000, 16, 1);
		EXPECT_HEARD(&g, deliver(&g, round * 16000, round * 16000 + 16000),
			     "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
		dcc_ring_forget(&g.r, round * 16000 + 16000);
		EXPECT_EQ(held(&g), 0);
	}
	rig_free(&g);
}

/* --- withdraw -------------------------------------------------------------- */

static void dcc_ring_withdraw__from_a_point_on(void)
{
	struct rig g = rig_new(16, 0);

	send_many(&g, 0, 5, 1);
	dcc_ring_withdraw(&g.r, 5000);
	EXPECT_EQ(held(&g), 5);
	dcc_ring_withdraw(&g.r, 4000);
	EXPECT_EQ(held(&g), 4);
	dcc_ring_withdraw(&g.r, 3999);	/* its last byte is in record 4 */
	EXPECT_EQ(held(&g), 3);
	dcc_ring_withdraw(&g.r, 0);
	EXPECT_EQ(held(&g), 0);
	dcc_ring_withdraw(&g.r, 0);
	EXPECT_EQ(held(&g), 0);
	rig_free(&g);
}

/* An empty ring stays so, whatever is left of those that were in it. */
static void dcc_ring_withdraw__empty(void)
{
	struct rig g = rig_new(16, 0);

	send_many(&g, 0, 5, 1);
	dcc_ring_forget(&g.r, 5000);
	dcc_ring_withdraw(&g.r, 0);
	EXPECT_EQ(held(&g), 0);
	EXPECT_EQ(g.r.head, 5);
	rig_free(&g);
}

/* Sent as if anew: the later try is the one that counts, and is heard of. */
static void dcc_ring_withdraw__later_try_replaces(void)
{
	struct rig g = rig_new(16, U32_MAX);

	send_many(&g, 0, 3, 1);
	deliver(&g, 1000, 3000);
	dcc_ring_withdraw(&g.r, 1000);
	EXPECT_EQ(send(&g, 1000, 2000, 7), true);
	EXPECT_EQ(held(&g), 2);
	EXPECT_EQ(covering(&g, 2000), 7);
	EXPECT_HEARD(&g, deliver(&g, 0, 3000), "1 7");
	rig_free(&g);
}

/* --- find ------------------------------------------------------------------ */

/* Three records that end at 1000, 2000 and 4000: the one between is missing. */
static void find_vectors(u32 start, u32 origin)
{
	static const u32 vector[][2] = {
		{ 0, 0 }, { 999, 0 }, { 1000, 0 }, { 1001, 1 }, { 2000, 1 },
		{ 2001, 2 }, { 3999, 2 }, { 4000, 2 }, { 4001, 3 },
		{ 1 << 30, 3 },
	};
	struct rig g = rig_new(16, start);
	u32 i;

	send_many(&g, origin, 2, 1);
	send_many(&g, origin + 3000, 1, 3);
	for (i = 0; i < ARRAY_SIZE(vector); i++)
		EXPECT_EQ(dcc_ring_find(&g.r, origin + vector[i][0]),
			  start + vector[i][1]);
	rig_free(&g);
}

static void dcc_ring_find__first_at_or_after(void)
{
	find_vectors(0, 0);
	find_vectors(1000, 77);
}

/* Sequence numbers wrap, and so do the ring's own. */
static void dcc_ring_find__wraps(void)
{
	u32 i;

	for (i = 0; i <= 5; i++) {
		find_vectors(0U - i, 0);
		find_vectors(i, 0U - i * 1000);
		find_vectors(0U - i, 0U - i * 1000 + 1);
		find_vectors(3, 0x80000000 - i * 1000);
	}
}

/* Every place of a full ring. */
static void dcc_ring_find__every_place(void)
{
	static const u32 slots[] = { 1, 2, 16, 64, 128 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		struct rig g = rig_new(slots[i], U32_MAX - slots[i] / 3);

		send_many(&g, 0U - 3500, slots[i], 1);
		for (j = 0; j < slots[i]; j++) {
			u32 end = (j + 1) * 1000 - 3500;

			EXPECT_EQ(dcc_ring_find(&g.r, end), g.r.tail + j);
			EXPECT_EQ(dcc_ring_find(&g.r, end + 1), g.r.tail + j + 1);
		}
		rig_free(&g);
	}
}

/* --- covering -------------------------------------------------------------- */

static void dcc_ring_covering__empty(void)
{
	struct rig g = rig_new(16, 9);

	EXPECT_EQ(covering(&g, 0), 0);
	EXPECT_EQ(covering(&g, 1000), 0);
	rig_free(&g);
}

/* 640 bytes at 1000: what holds the bytes before @end_seq? */
static void dcc_ring_covering__both_ends(void)
{
	struct rig g = rig_new(16, 0);

	send(&g, 1000, 640, 5);
	EXPECT_EQ(covering(&g, 1000), 0);
	EXPECT_EQ(covering(&g, 1001), 5);
	EXPECT_EQ(covering(&g, 1640), 5);
	EXPECT_EQ(covering(&g, 1641), 0);
	rig_free(&g);
}

/*
 * Data without a record, between two that have one, must not be answered by the
 * next one.
 */
static void dcc_ring_covering__data_without_a_record(void)
{
	struct rig g = rig_new(16, 0);

	send(&g, 0, 640, 1);
	send(&g, 1280, 640, 3);
	EXPECT_EQ(covering(&g, 640), 1);
	EXPECT_EQ(covering(&g, 641), 0);
	EXPECT_EQ(covering(&g, 1280), 0);
	EXPECT_EQ(covering(&g, 1281), 3);
	rig_free(&g);
}

/* Rounded down: up to 63 bytes at the front are nobody's, the last byte is his. */
static void dcc_ring_covering__length_rounds_down(void)
{
	struct rig g = rig_new(16, 0);

	send(&g, 0, 100, 1);		/* 64 bytes: from 36 on */
	EXPECT_EQ(covering(&g, 36), 0);
	EXPECT_EQ(covering(&g, 37), 1);
	EXPECT_EQ(covering(&g, 100), 1);
	send(&g, 100, 63, 2);		/* below 64: its last byte */
	EXPECT_EQ(covering(&g, 101), 0);
	EXPECT_EQ(covering(&g, 162), 0);
	EXPECT_EQ(covering(&g, 163), 2);
	send(&g, 163, 1, 3);
	EXPECT_EQ(covering(&g, 164), 3);
	EXPECT_EQ(covering(&g, 165), 0);
	rig_free(&g);
}

/* More than 128 KiB: the last 131008 bytes. */
static void dcc_ring_covering__super_packet(void)
{
	struct rig g = rig_new(16, 0);

	send(&g, 0, 200000, 1);
	EXPECT_EQ(covering(&g, 200000 - 131008), 0);
	EXPECT_EQ(covering(&g, 200000 - 131008 + 1), 1);
	EXPECT_EQ(covering(&g, 200000), 1);
	rig_free(&g);
}

static void dcc_ring_covering__sequence_wraps(void)
{
	struct rig g = rig_new(16, U32_MAX);

	send(&g, 0U - 320, 640, 5);
	EXPECT_EQ(covering(&g, 0U - 320), 0);
	EXPECT_EQ(covering(&g, 0U - 319), 5);
	EXPECT_EQ(covering(&g, 0), 5);
	EXPECT_EQ(covering(&g, 320), 5);
	EXPECT_EQ(covering(&g, 321), 0);
	rig_free(&g);
}

/* --- resend, relabel ------------------------------------------------------- */

static void expect_resent(int line, const struct rig *g, const char *want)
{
	char text[HEARD_MAX] = "";
	u32 i;

	for (i = 0; i < held(g); i++)
		text[i] = dcc_ring_at(&g->r, g->r.tail + i)->resent ? 'r' : '.';
	unit_text(__FILE__, line, "resent", text, want);
}

#define EXPECT_RESENT(g, want)	expect_resent(__LINE__, g, want)

/* Spans that touch packets of 1280 bytes, and spans that just do not. */
static void dcc_ring_resend__what_the_span_touches(void)
{
	static const struct {
		u32 seq, len;
		const char *heard, *resent;
	} vector[] = {
		{ 0, 1280, "1", "r..." },
		{ 1280, 1280, "2", ".r.." },
		{ 1279, 1, "1", "r..." },
		{ 1280, 1, "2", ".r.." },
		{ 1279, 2, "1 2", "rr.." },
		{ 0, 5120, "1 2 3 4", "rrrr" },
		{ 1281, 1279, "2", ".r.." },
		{ 1281, 1280, "2 3", ".rr." },
		{ 5119, 1, "4", "...r" },
		{ 5119, 1000, "4", "...r" },
		{ 5120, 1280, "", "...." },
		{ 0U - 500, 500, "", "...." },
		{ 0U - 500, 501, "1", "r..." },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct rig g = rig_new(16, 0U - i);

		for (j = 0; j < 4; j++)
			send(&g, j * 1280, 1280, j + 1);
		EXPECT_HEARD(&g, resend(&g, vector[i].seq, vector[i].len),
			     vector[i].heard);
		EXPECT_RESENT(&g, vector[i].resent);
		rig_free(&g);
	}
}

/* 1 and 3 have records, the 1280 bytes between them have none. */
static struct rig with_a_hole(void)
{
	struct rig g = rig_new(16, 0);

	send(&g, 0, 1280, 1);
	send(&g, 2560, 1280, 3);
	return g;
}

/* Data without a record is nobody's fault: its neighbour is not blamed. */
static void dcc_ring_resend__data_without_a_record(void)
{
	struct rig g = with_a_hole();

	EXPECT_HEARD(&g, resend(&g, 1280, 1280), "");
	EXPECT_RESENT(&g, "..");
	EXPECT_HEARD(&g, resend(&g, 1280, 1), "");
	EXPECT_HEARD(&g, resend(&g, 2559, 1), "");
	EXPECT_RESENT(&g, "..");
	EXPECT_HEARD(&g, resend(&g, 1280, 1281), "3");
	EXPECT_RESENT(&g, ".r");
	EXPECT_HEARD(&g, resend(&g, 1279, 1281), "1");
	EXPECT_HEARD(&g, deliver(&g, 0, 3840), "");
	rig_free(&g);
}

/* After the last record, as while the ring is full; and in an empty ring. */
static void dcc_ring_resend__after_the_last(void)
{
	struct rig g = rig_new(16, 0);

	EXPECT_HEARD(&g, resend(&g, 0, 1280), "");
	send_many(&g, 0, 16, 1);
	EXPECT_EQ(send(&g, 16000, 1000, 17), false);
	EXPECT_HEARD(&g, resend(&g, 16000, 1000), "");
	EXPECT_RESENT(&g, "................");
	rig_free(&g);
}

/* Of a packet rounded down the front is nobody's, its last byte always his. */
static void dcc_ring_resend__length_rounds_down(void)
{
	struct rig g = rig_new(16, 0);

	send(&g, 0, 100, 1);
	send(&g, 100, 20, 2);
	EXPECT_HEARD(&g, resend(&g, 0, 36), "");
	EXPECT_HEARD(&g, resend(&g, 0, 37), "1");
	EXPECT_HEARD(&g, resend(&g, 100, 19), "");
	EXPECT_HEARD(&g, resend(&g, 100, 20), "2");
	EXPECT_HEARD(&g, resend(&g, 119, 1), "2");
	rig_free(&g);
}

/* Nobody listens: the records are marked all the same. */
static void dcc_ring_resend__nobody_listens(void)
{
	struct rig g = rig_new(16, 0);
	const struct dcc_span span = { 1000, 1000 };

	send_many(&g, 0, 3, 1);
	dcc_ring_resend(&g.r, &span, NULL, NULL);
	EXPECT_RESENT(&g, ".r.");
	EXPECT_HEARD(&g, deliver(&g, 0, 3000), "1 3");
	rig_free(&g);
}

/* Resent once more, the label that carried it last is to blame. */
static void dcc_ring_relabel__the_last_label_is_blamed(void)
{
	struct rig g = rig_new(16, 0);

	send_many(&g, 0, 3, 1);
	EXPECT_HEARD(&g, resend(&g, 1000, 1000), "2");
	relabel(&g, 1000, 1000, 77);
	EXPECT_HEARD(&g, resend(&g, 1000, 1000), "77");
	relabel(&g, 0, 2000, 88);
	EXPECT_HEARD(&g, resend(&g, 0, 3000), "88 88 3");
	rig_free(&g);
}

static void dcc_ring_relabel__data_without_a_record(void)
{
	struct rig g = with_a_hole();

	relabel(&g, 1280, 1280, 9);
	EXPECT_EQ(covering(&g, 1280), 1);
	EXPECT_EQ(covering(&g, 3840), 3);
	relabel(&g, 1279, 1282, 9);
	EXPECT_EQ(covering(&g, 1280), 9);
	EXPECT_EQ(covering(&g, 3840), 9);
	relabel(&g, 3840, 1280, 5);
	EXPECT_EQ(covering(&g, 3840), 9);
	rig_free(&g);
}

/* --- deliver --------------------------------------------------------------- */

static void dcc_ring_deliver__once_a_packet(void)
{
	struct rig g = rig_new(16, 0);

	send_many(&g, 0, 5, 1);
	EXPECT_HEARD(&g, deliver(&g, 1000, 3000), "2 3");
	EXPECT_HEARD(&g, deliver(&g, 1000, 3000), "");
	EXPECT_HEARD(&g, deliver(&g, 0, 4000), "1 4");
	EXPECT_HEARD(&g, deliver(&g, 0, 5000), "5");
	EXPECT_HEARD(&g, deliver(&g, 0, 5000), "");
	rig_free(&g);
}

/* A packet belongs to the piece it ends in; pieces of packets tell nothing. */
static void dcc_ring_deliver__ends_in_it(void)
{
	struct rig g = rig_new(16, 0);

	send_many(&g, 0, 3, 1);
	EXPECT_HEARD(&g, deliver(&g, 0, 999), "");
	EXPECT_HEARD(&g, deliver(&g, 1000, 1999), "");
	EXPECT_HEARD(&g, deliver(&g, 1500, 2001), "2");
	EXPECT_HEARD(&g, deliver(&g, 999, 1000), "1");
	EXPECT_HEARD(&g, deliver(&g, 2000, 2000), "");
	EXPECT_HEARD(&g, deliver(&g, 2999, 9000), "3");
	rig_free(&g);
}

/* Nothing at all, or the wrong way round: no news, no step. */
static void dcc_ring_deliver__backwards(void)
{
	struct rig g = rig_new(16, 0U - 3);

	EXPECT_HEARD(&g, deliver(&g, 5000, 0), "");
	send_many(&g, 0, 6, 1);
	EXPECT_HEARD(&g, deliver(&g, 5000, 1000), "");
	EXPECT_HEARD(&g, deliver(&g, 6000, 0), "");
	EXPECT_HEARD(&g, deliver(&g, 0, 6000), "1 2 3 4 5 6");
	rig_free(&g);
}

/* Which copy arrived is not known. */
static void dcc_ring_deliver__resent_is_not_heard(void)
{
	struct rig g = rig_new(16, 0);

	send_many(&g, 0, 4, 1);
	resend(&g, 1000, 2000);
	relabel(&g, 1000, 2000, 50);
	EXPECT_HEARD(&g, deliver(&g, 0, 4000), "1 4");
	EXPECT_HEARD(&g, deliver(&g, 0, 4000), "");
	rig_free(&g);
}

/* Data without a record: the neighbours speak for themselves alone. */
static void dcc_ring_deliver__data_without_a_record(void)
{
	struct rig g = with_a_hole();

	EXPECT_HEARD(&g, deliver(&g, 1280, 2560), "");
	EXPECT_HEARD(&g, deliver(&g, 1280, 3840), "3");
	EXPECT_HEARD(&g, deliver(&g, 0, 3840), "1");
	rig_free(&g);
}

/*
 * Blocks that come again and again, over the words of bits: of every size of
 * ring and every place it may begin at, each packet is heard of once.
 */
static void words_of_bits(u32 slots, u32 start)
{
	struct rig g = rig_new(slots, start);
	u32 told[128] = { 0 }, i, j;

	send_many(&g, 0U - 5000, slots, 0);
	for (i = 0; i < 200; i++) {
		u32 from = unit_below(slots), to = from + unit_below(slots);

		g.heard = 0;
		deliver(&g, from * 1000 - 5000, to * 1000 - 5000);
		for (j = 0; j < g.heard; j++) {
			EXPECT_BETWEEN(g.label[j], from, to - 1.0);
			EXPECT_EQ(told[g.label[j]]++, 0);
		}
		for (j = from; j < min(to, slots); j++)
			EXPECT_EQ(told[j], 1);
	}
	rig_free(&g);
}

static void dcc_ring_deliver__words_of_bits(void)
{
	static const u32 slots[] = { 1, 2, 16, 32, 64, 128 };
	u32 i, start;

	for (i = 0; i < ARRAY_SIZE(slots); i++)
		for (start = 0; start < 2 * slots[i]; start++)
			words_of_bits(slots[i], start - slots[i]);
}

/* All but one delivered: the one is found, wherever it is. */
static void dcc_ring_deliver__the_last_one(void)
{
	static const u32 slots[] = { 16, 64, 128 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(slots); i++)
		for (j = 0; j < slots[i]; j++) {
			struct rig g = rig_new(slots[i], 0U - 70);
			char want[16];

			snprintf(want, sizeof(want), "%u", j + 1);
			send_many(&g, 0, slots[i], 1);
			deliver(&g, 0, j * 1000);
			deliver(&g, j * 1000 + 1000, slots[i] * 1000);
			EXPECT_HEARD(&g, deliver(&g, 0, slots[i] * 1000), want);
			rig_free(&g);
		}
}

/* --- forget ---------------------------------------------------------------- */

static void dcc_ring_forget__what_is_acknowledged(void)
{
	struct rig g = rig_new(16, 0U - 2);

	send_many(&g, 0U - 1500, 4, 1);
	dcc_ring_forget(&g.r, 0U - 1500);
	EXPECT_EQ(held(&g), 4);
	dcc_ring_forget(&g.r, 0U - 501);
	EXPECT_EQ(held(&g), 4);
	dcc_ring_forget(&g.r, 0U - 500);
	EXPECT_EQ(held(&g), 3);
	EXPECT_EQ(covering(&g, 0U - 500), 0);
	dcc_ring_forget(&g.r, 1499);
	EXPECT_EQ(held(&g), 2);
	dcc_ring_forget(&g.r, 2500);
	EXPECT_EQ(held(&g), 0);
	dcc_ring_forget(&g.r, 9000);
	EXPECT_EQ(held(&g), 0);
	rig_free(&g);
}

/* --- move ------------------------------------------------------------------ */

/* What the two rings hold is the same, bit for bit. */
static void expect_same(const struct dcc_ring *a, const struct dcc_ring *b)
{
	u32 i;

	EXPECT_EQ(a->head, b->head);
	EXPECT_EQ(a->tail, b->tail);
	for (i = a->tail; i != a->head; i++) {
		u32 x = i & a->mask, y = i & b->mask;

		EXPECT_EQ(memcmp(&a->record[x], &b->record[y],
				 sizeof(a->record[0])), 0);
		EXPECT_EQ(a->done[x / 64] >> x % 64 & 1,
			  b->done[y / 64] >> y % 64 & 1);
	}
}

/* A ring of random content at a random place, moved: all of it is there. */
static void move_random(u32 slots, u32 to)
{
	struct rig g = rig_new(slots, unit_below(2) ? 0U - unit_below(2 * slots) :
					 unit_below(2 * slots));
	struct dcc_ring old;
	void *memory;
	u32 i;

	send_many(&g, 0, unit_below(slots + 1), 1);
	for (i = 0; i < 4; i++) {
		u32 seq = unit_below(slots) * 1000;

		deliver(&g, seq, seq + unit_below(4) * 1000);
		resend(&g, unit_below(slots) * 1000, 1000);
	}
	dcc_ring_forget(&g.r, unit_below(slots) * 500);
	old = g.r;
	memory = g.memory;
	g.memory = NULL;
	rig_move(&g, to);
	EXPECT_EQ(g.r.mask, to - 1);
	EXPECT_EQ((void *)g.r.record == g.memory, true);
	expect_same(&old, &g.r);
	free(memory);
	rig_free(&g);
}

static void dcc_ring_move__keeps_all(void)
{
	static const u32 slots[] = { 1, 16, 32, 64, 128, 256 };
	u32 i, j, round;

	for (i = 0; i < ARRAY_SIZE(slots); i++)
		for (j = i; j < ARRAY_SIZE(slots); j++)
			for (round = 0; round < 50; round++)
				move_random(slots[i], slots[j]);
}

/* Into fewer slots, as long as what is held fits. */
static void dcc_ring_move__smaller(void)
{
	struct rig g = rig_new(128, 0U - 60);

	send_many(&g, 0, 100, 1);
	dcc_ring_forget(&g.r, 84000);
	deliver(&g, 90000, 91000);
	rig_move(&g, 16);
	EXPECT_EQ(held(&g), 16);
	EXPECT_EQ(dcc_ring_full(&g.r), true);
	EXPECT_HEARD(&g, deliver(&g, 84000, 100000),
		     "85 86 87 88 89 90 92 93 94 95 96 97 98 99 100");
	rig_free(&g);
}

/* Full, grown, and it goes on where head and tail wrap. */
static void dcc_ring_move__goes_on(void)
{
	struct rig g = rig_new(16, 0U - 20);

	send_many(&g, 0, 16, 1);
	deliver(&g, 2000, 5000);
	rig_move(&g, 64);
	EXPECT_EQ(dcc_ring_full(&g.r), false);
	send_many(&g, 16000, 48, 17);
	EXPECT_EQ(send(&g, 64000, 1000, 65), false);
	EXPECT_EQ(g.r.head, 44);
	EXPECT_HEARD(&g, deliver(&g, 0, 7000), "1 2 6 7");
	dcc_ring_forget(&g.r, 60000);
	EXPECT_HEARD(&g, deliver(&g, 60000, 64000), "61 62 63 64");
	rig_free(&g);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_record_delay__as_the_stack_says),
	UNIT_TEST(dcc_record_delay__tells_laps_apart),
	UNIT_TEST(dcc_record_delay__departs_when_told),
	UNIT_TEST(dcc_ring_size__records_and_bits),
	UNIT_TEST(dcc_ring_init__empty),
	UNIT_TEST(dcc_ring_append__every_field),
	UNIT_TEST(dcc_ring_append__lengths),
	UNIT_TEST(dcc_ring_append__full),
	UNIT_TEST(dcc_ring_append__clears_the_bit),
	UNIT_TEST(dcc_ring_withdraw__from_a_point_on),
	UNIT_TEST(dcc_ring_withdraw__empty),
	UNIT_TEST(dcc_ring_withdraw__later_try_replaces),
	UNIT_TEST(dcc_ring_find__first_at_or_after),
	UNIT_TEST(dcc_ring_find__wraps),
	UNIT_TEST(dcc_ring_find__every_place),
	UNIT_TEST(dcc_ring_covering__empty),
	UNIT_TEST(dcc_ring_covering__both_ends),
	UNIT_TEST(dcc_ring_covering__data_without_a_record),
	UNIT_TEST(dcc_ring_covering__length_rounds_down),
	UNIT_TEST(dcc_ring_covering__super_packet),
	UNIT_TEST(dcc_ring_covering__sequence_wraps),
	UNIT_TEST(dcc_ring_resend__what_the_span_touches),
	UNIT_TEST(dcc_ring_resend__data_without_a_record),
	UNIT_TEST(dcc_ring_resend__after_the_last),
	UNIT_TEST(dcc_ring_resend__length_rounds_down),
	UNIT_TEST(dcc_ring_resend__nobody_listens),
	UNIT_TEST(dcc_ring_relabel__the_last_label_is_blamed),
	UNIT_TEST(dcc_ring_relabel__data_without_a_record),
	UNIT_TEST(dcc_ring_deliver__once_a_packet),
	UNIT_TEST(dcc_ring_deliver__ends_in_it),
	UNIT_TEST(dcc_ring_deliver__backwards),
	UNIT_TEST(dcc_ring_deliver__resent_is_not_heard),
	UNIT_TEST(dcc_ring_deliver__data_without_a_record),
	UNIT_TEST(dcc_ring_deliver__words_of_bits),
	UNIT_TEST(dcc_ring_deliver__the_last_one),
	UNIT_TEST(dcc_ring_forget__what_is_acknowledged),
	UNIT_TEST(dcc_ring_move__keeps_all),
	UNIT_TEST(dcc_ring_move__smaller),
	UNIT_TEST(dcc_ring_move__goes_on),
};

UNIT_MAIN(tests)
