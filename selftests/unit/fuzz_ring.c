// SPDX-License-Identifier: GPL-2.0
/*
 * The transmit path: any bytes are a life of a flow that sends, sends again,
 * sends as if anew, is acknowledged, cumulatively and by SACK, and grows its
 * ring; its path selector chooses the labels and hears how they fared.
 *
 * Beside the ring a list of packets is kept, in 64-bit positions that do not
 * wrap, and searched from one end to the other. Each call must tell of the same
 * labels in the same order, and the two must hold the same afterwards. Sequence
 * numbers, times and the ring's own numbers come round.
 *
 * That is what dcc_tx.c, dcc_record.c and dcc_rx.c do with a packet once they
 * know its place: withdraw and append; resend, choose, relabel; deliver, forget and
 * the delay. What needs a socket (whose packet, which label works, memory) is left to the
 * stress tests of selftests/debug; when a suspended flow probes, to test_dcc_probe_timer.c.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include "path/dcc_ring.h"
#include "path/dcc_spray.h"
#include "fuzz.h"

#define SLOTS_MAX	256
#define WINDOW_MAX	(1ULL << 30)	/* TCP's largest */
#define BASE_NS	4	/* a freeze of 3.3 us */

/* A packet with a record; positions are bytes since the flow began. */
struct packet {
	u64 from;	/* what the record knows to be its own: ... */
	u64 end;	/* ... to here */
	u64 sent_ns;
	u32 inflight;
	u32 label;	/* of its last transmission */
	bool resent;
	bool done;
};

struct life {
	struct dcc_ring r;
	void *memory;
	struct dcc_spray *s;
	struct packet packet[SLOTS_MAX];
	u32 packets;
	u32 origin;		/* sequence number of position 0 */
	u64 una, nxt;
	u64 now;
	enum dcc_path_event event;	/* what becomes of labels in this step */
	u32 want[SLOTS_MAX];	/* the labels to be heard of, in order */
	u32 wanted, heard;
	u32 kind;
};

/* By selector. */
static struct fuzz_alg algs[] = {
	{ "ring+off", 0 }, { "ring+oblivious", 0 }, { "ring+bitmap", 0 },
	{ "ring+reps", 0 }, { "ring+mixed", 0 }, { "ring+mrc", 0 },
};

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr,
		"# %s:%d: not (%s): step %u selector %u slots %u records %u (%u) una %llu nxt %llu origin %u heard %u of %u\n",
		__FILE__, line, what, l->kind, l->s->selector, l->r.mask + 1,
		l->r.head - l->r.tail, l->packets, (unsigned long long)l->una,
		(unsigned long long)l->nxt, l->origin, l->heard, l->wanted);
	abort();
}

static u32 seq(const struct life *l, u64 position)
{
	return l->origin + (u32)position;
}

/* --- the list -------------------------------------------------------------- */

static void want(struct life *l, u32 label)
{
	MUST(label && label <= DCC_LABEL_MASK, l);
	l->want[l->wanted++] = label;
}

static void list_withdraw(struct life *l, u64 from)
{
	while (l->packets && l->packet[l->packets - 1].end > from)
		l->packets--;
}

static void list_append(struct life *l, u64 from, u32 len, u32 inflight,
			u32 label)
{
	u64 known = min(len, 2047U * 64) / 64 * 64;

	l->packet[l->packets++] = (struct packet) {
		.from = from + len - (known ? known : 1), .end = from + len,
		.sent_ns = l->now, .inflight = inflight, .label = label,
	};
}

static bool touches(const struct packet *p, u64 from, u64 end)
{
	return p->from < end && p->end > from;
}

/* Mark, or with a label: say what carries them now. */
static void list_resend(struct life *l, u64 from, u64 end, u32 label)
{
	u32 i;

	for (i = 0; i < l->packets; i++) {
		struct packet *p = &l->packet[i];

		if (!touches(p, from, end))
			continue;
		if (label) {
			p->label = label;
			continue;
		}
		p->resent = true;
		want(l, p->label);
	}
}

static void list_deliver(struct life *l, u64 from, u64 end)
{
	u32 i;

	for (i = 0; i < l->packets; i++) {
		struct packet *p = &l->packet[i];

		if (p->done || p->end <= from || p->end > end)
			continue;
		p->done = true;
		if (!p->resent)
			want(l, p->label);
	}
}

static void list_forget(struct life *l, u64 una)
{
	u32 gone = 0;

	while (gone < l->packets && l->packet[gone].end <= una)
		gone++;
	l->packets -= gone;
	memmove(l->packet, l->packet + gone, l->packets * sizeof(*l->packet));
}

/* --- the steps ------------------------------------------------------------- */

/* Each label is told once, in the order of the packets, and to the selector. */
static void hear(void *arg, const struct dcc_record *rec)
{
	struct life *l = arg;
	const struct dcc_path_news n = {
		.now_ns = l->now, .label = rec->label, .event = l->event,
		.delay_ns = (u32)l->now - rec->sent_ns, .base_ns = BASE_NS,
	};

	MUST(l->heard < l->wanted, l);
	MUST(rec->label == l->want[l->heard], l);
	l->heard++;
	dcc_spray_heard(l->s, &n);
}

static void grow(struct life *l, u32 slots)
{
	void *memory = malloc(dcc_ring_size(slots));

	memset(memory, 0xa5, dcc_ring_size(slots));
	dcc_ring_move(&l->r, memory, slots);
	free(l->memory);
	l->memory = memory;
}

static u32 any_length(struct input *in)
{
	u32 kind = byte(in);

	if (kind < 128)
		return 1448;
	if (kind < 192)
		return 1 + below(in, 200);
	return 1 + (kind < 224 ? below(in, 65536) : below(in, 65536) * 8);
}

/* A position from una to nxt, often where a packet begins or ends. */
static u64 any_position(struct life *l, struct input *in)
{
	u32 kind = byte(in);
	u64 flight = l->nxt - l->una;
	u64 at;

	if (kind < 192 && l->packets) {
		at = l->packet[below(in, l->packets)].end;
		at += kind < 160 ? 0 : kind < 176 ? 1 : -1;
	} else {
		at = l->una + (flight ? number(in) % flight : 0);
	}
	return clamp_t(u64, at, l->una, l->nxt);
}

/* Data from a position on, as new. The ring may be full, or not asked. */
static void send_from(struct life *l, struct input *in, u64 from)
{
	u32 len = any_length(in), inflight = number(in);
	u32 label = dcc_spray_next(l->s, l->now);
	struct dcc_span span = { seq(l, from), len };
	bool room = l->packets <= l->r.mask;

	l->nxt = from + len;
	if (byte(in) >= 240)
		return;
	MUST(dcc_ring_full(&l->r) == !room, l);
	MUST(dcc_ring_append(&l->r, &span, (u32)l->now, inflight, label) == room,
	     l);
	if (room)
		list_append(l, from, len, inflight, label);
}

static void step_send(struct life *l, struct input *in)
{
	if (l->nxt - l->una > WINDOW_MAX)
		return;
	dcc_ring_withdraw(&l->r, seq(l, l->nxt));
	send_from(l, in, l->nxt);
}

/* What never left is sent as if anew, with other borders. */
static void step_withdraw(struct life *l, struct input *in)
{
	u64 from = any_position(l, in);

	dcc_ring_withdraw(&l->r, seq(l, from));
	list_withdraw(l, from);
	send_from(l, in, from);
}

/* A span of one packet, of several or a part of one; now and then unheard. */
static void step_resend(struct life *l, struct input *in)
{
	u64 a = any_position(l, in), b = any_position(l, in);
	u64 from = min(a, b), end = max(a, b);
	struct dcc_span span = { seq(l, from), (u32)(end - from) };
	bool told = byte(in) < 224;
	u32 label;

	if (!span.len)
		return;
	l->event = byte(in) < 240 ? DCC_PATH_LOST : DCC_PATH_TIMEOUT;
	list_resend(l, from, end, 0);
	if (!told)
		l->wanted = 0;
	dcc_ring_resend(&l->r, &span, told ? hear : NULL, l);
	label = dcc_spray_next(l->s, l->now);
	list_resend(l, from, end, label);
	dcc_ring_relabel(&l->r, &span, label);
}

/* A block may begin before what is acknowledged, and be empty. */
static void step_sack(struct life *l, struct input *in)
{
	u64 a = any_position(l, in), b = any_position(l, in);
	u64 from = min(a, b), end = max(a, b), back = byte(in);

	if (back >= 240)
		from -= min(from, back * 100);
	l->event = byte(in) & 1 ? DCC_PATH_GOOD : DCC_PATH_CE;
	list_deliver(l, from, end);
	dcc_ring_deliver(&l->r, seq(l, from), seq(l, end), hear, l);
}

static void step_ack(struct life *l, struct input *in)
{
	u64 una = any_position(l, in);

	l->event = byte(in) & 3 ? DCC_PATH_GOOD : DCC_PATH_CE;
	list_deliver(l, l->una, una);
	dcc_ring_deliver(&l->r, seq(l, l->una), seq(l, una), hear, l);
	list_forget(l, una);
	dcc_ring_forget(&l->r, seq(l, una));
	l->una = una;
}

static void step_grow(struct life *l)
{
	if (l->r.mask + 1 < SLOTS_MAX)
		grow(l, (l->r.mask + 1) * 2);
}

/* By what is known of a delay to less than 2.1 s, all of it up to 4.29 s. */
static void ask_delay(const struct life *l, struct input *in,
		      const struct packet *p, const struct dcc_record *rec)
{
	u64 delay = l->now - p->sent_ns;
	u64 about = max((s64)(delay + (s32)(number(in) | 1)), (s64)0);

	MUST(dcc_record_delay(rec, l->now, about) == min_t(u64, delay, U32_MAX),
	     l);
}

/* The questions, at a point anywhere. */
static void step_ask(struct life *l, struct input *in)
{
	u64 at = any_position(l, in);
	const struct dcc_record *rec = dcc_ring_covering(&l->r, seq(l, at));
	u32 found = dcc_ring_find(&l->r, seq(l, at)) - l->r.tail;
	u32 i;

	for (i = 0; i < l->packets && l->packet[i].end < at; i++)
		;
	MUST(found == i, l);
	if (i == l->packets || l->packet[i].from >= at) {
		MUST(!rec, l);
		return;
	}
	MUST(rec == dcc_ring_at(&l->r, l->r.tail + i), l);
	ask_delay(l, in, &l->packet[i], rec);
}

/* The ring holds what the list holds. */
static void check_records(const struct life *l)
{
	u32 i, held = l->r.head - l->r.tail;

	MUST(l->heard == l->wanted, l);
	MUST(held == l->packets, l);
	for (i = 0; i < held; i++) {
		u32 at = (l->r.tail + i) & l->r.mask;
		const struct dcc_record *rec = &l->r.record[at];
		const struct packet *p = &l->packet[i];

		MUST(rec->end_seq == seq(l, p->end), l);
		MUST(rec->end_seq - max(dcc_record_len(rec), 1U) ==
		     seq(l, p->from), l);
		MUST(rec->sent_ns == (u32)p->sent_ns, l);
		MUST(rec->inflight == p->inflight, l);
		MUST(rec->label == p->label, l);
		MUST(rec->resent == p->resent, l);
		MUST((l->r.done[at / 64] >> at % 64 & 1) == p->done, l);
	}
}

/* Most steps send or are ACKs. */
static void step(struct life *l, struct input *in)
{
	l->kind = byte(in);
	l->now += byte(in) < 250 ? byte(in) : number(in) * 4ULL;
	l->wanted = 0;
	l->heard = 0;
	if (l->kind < 110)
		step_send(l, in);
	else if (l->kind < 150)
		step_ack(l, in);
	else if (l->kind < 190)
		step_sack(l, in);
	else if (l->kind < 220)
		step_resend(l, in);
	else if (l->kind < 235)
		step_ask(l, in);
	else if (l->kind < 250)
		step_withdraw(l, in);
	else
		step_grow(l);
	check_records(l);
	algs[l->s->selector].events++;
}

/* A selector in just the memory that it may use. */
static struct dcc_spray *selector_new(struct input *in)
{
	u32 selector = byte(in) % DCC_SPRAY_COUNT;
	struct dcc_spray *s = malloc(dcc_spray_size(selector));

	memset(s, 0xa5, dcc_spray_size(selector));
	dcc_spray_init(s, selector, 1U << byte(in) % 17, number(in));
	return s;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct life l;
	struct input in = { data, size };
	u32 slots;

	fuzz_begin(algs, ARRAY_SIZE(algs));
	memset(&l, 0, sizeof(l));
	l.s = selector_new(&in);
	l.origin = byte(&in) & 1 ? number(&in) : 0U - number(&in);
	slots = 1U << byte(&in) % 9;
	l.memory = malloc(dcc_ring_size(slots));
	memset(l.memory, 0xa5, dcc_ring_size(slots));
	dcc_ring_init(&l.r, l.memory, slots);
	l.r.head = 0U - byte(&in);	/* as after a long life */
	l.r.tail = l.r.head;
	while (in.left)
		step(&l, &in);
	free(l.memory);
	free(l.s);
	return 0;
}
