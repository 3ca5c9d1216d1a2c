// SPDX-License-Identifier: GPL-2.0
/* Path engines; the design is stated in dcc_spray.h. */
#include "dcc_spray.h"

#define HALF_BITS	(DCC_LABEL_BITS / 2)
#define HALF_MASK	((1U << HALF_BITS) - 1)
#define FEISTEL_ROUNDS	4	/* Luby and Rackoff: 4 suffice against bias */

/**
 * dcc_spray_hash() - a keyed hash that behaves like a random function
 * @key: the flow's key
 * @x: the input
 *
 * The finalizer of splitmix64 over the sum of key and input: every bit of the
 * result depends on every bit of both.
 *
 * Return: 32 pseudo-random bits.
 */
u32 dcc_spray_hash(u64 key, u32 x)
{
	u64 z = key + (x + 1ULL) * 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (u32)((z ^ (z >> 31)) >> 32);
}
EXPORT_SYMBOL_GPL(dcc_spray_hash);

/* A keyed permutation of 20 bits: a balanced Feistel network. */
static u32 spray_permute(u64 key, u32 x)
{
	u32 left = x >> HALF_BITS & HALF_MASK, right = x & HALF_MASK;
	u32 round;

	for (round = 0; round < FEISTEL_ROUNDS; round++) {
		u32 f = dcc_spray_hash(key, round << HALF_BITS | right);
		u32 next = left ^ (f & HALF_MASK);

		left = right;
		right = next;
	}
	return left << HALF_BITS | right;
}

/* The inverse: the same rounds backwards. */
static u32 spray_unpermute(u64 key, u32 x)
{
	u32 left = x >> HALF_BITS & HALF_MASK, right = x & HALF_MASK;
	u32 round;

	for (round = FEISTEL_ROUNDS; round--; ) {
		u32 f = dcc_spray_hash(key, round << HALF_BITS | left);
		u32 before = right ^ (f & HALF_MASK);

		right = left;
		left = before;
	}
	return left << HALF_BITS | right;
}

/**
 * dcc_spray_label() - label number @index under a key
 * @key: the key
 * @index: 0 to DCC_SPRAY_MAX_PATHS - 1
 *
 * Label 0 means "no label" on the wire: the index that maps to it takes the
 * image of the last 20-bit number instead, which no index reaches.
 *
 * Return: a label in 1 .. DCC_LABEL_MASK, distinct for distinct indices.
 */
u32 dcc_spray_label(u64 key, u32 index)
{
	u32 label = spray_permute(key, index);

	return label ? label : spray_permute(key, DCC_LABEL_MASK);
}
EXPORT_SYMBOL_GPL(dcc_spray_label);

/* Which index gave this label? Not below the number of paths: none of them. */
static u32 spray_index(u64 key, u32 label)
{
	u32 index;

	if (!label)
		return U32_MAX;
	index = spray_unpermute(key, label);
	return index == DCC_LABEL_MASK ? spray_unpermute(key, 0) : index;
}

/**
 * dcc_spray_oblivious() - the label of a flow's packet number @count
 * @key: the flow's key
 * @count: packets sent before this one; wraps
 * @paths: labels in a lap, a power of two from 1 to DCC_SPRAY_MAX_PATHS
 *
 * Every run of @paths packets that starts at a multiple of it has that many
 * distinct labels, and every such lap labels of its own; 1 is a single label.
 * Needs no state but the counter, so it also serves sockets that are not ours.
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_spray_oblivious(u64 key, u32 count, u32 paths)
{
	u32 lap = paths > 1 ? count / paths : 0;
	u64 lap_key = key ^ (u64)dcc_spray_hash(~key, lap) << 32;

	return dcc_spray_label(lap_key, count & (paths - 1));
}
EXPORT_SYMBOL_GPL(dcc_spray_oblivious);

/* --- bitmap ---------------------------------------------------------------- */

/* The index the walk stands at. */
static u32 bitmap_here(const struct dcc_spray *s)
{
	return (s->count ^ s->bitmap.order) & (s->paths - 1);
}

/* On to the next index, at the end of a lap in a new order. */
static void bitmap_step(struct dcc_spray *s)
{
	s->count++;
	if (!(s->count & (s->paths - 1)))
		s->bitmap.order = dcc_spray_hash(~s->key, s->count);
}

/*
 * Only the first penalty met is lowered: were it all of them, one packet amid
 * many bad labels would forgive them all.
 */
static u32 bitmap_next(struct dcc_spray *s)
{
	u8 *penalty = s->bitmap.penalty;
	u32 i = bitmap_here(s), left;

	for (left = s->paths; left && penalty[i]; left--) {
		if (left == s->paths)
			penalty[i]--;
		bitmap_step(s);
		i = bitmap_here(s);
	}
	bitmap_step(s);
	return dcc_spray_label(s->key, i);
}

/* News of one of the flow's own labels. */
static void bitmap_heard(struct dcc_spray_bitmap *b, u32 i,
			 enum dcc_path_event event)
{
	static const u8 raise[] = {
		[DCC_PATH_GOOD] = 0,
		[DCC_PATH_CE] = DCC_SPRAY_PENALTY_CE,
		[DCC_PATH_LOST] = DCC_SPRAY_PENALTY_LOST,
		[DCC_PATH_TIMEOUT] = DCC_SPRAY_PENALTY_CAP,
	};

	b->penalty[i] = min_t(u32, b->penalty[i] + raise[event],
			      DCC_SPRAY_PENALTY_CAP);
}

/* --- reps ------------------------------------------------------------------ */

/* Nothing is known of any path. */
static void reps_reset(struct dcc_spray_reps *r)
{
	memset(r, 0, sizeof(*r));
	r->explore = DCC_SPRAY_EXPLORE;
}

/* Forget entry @i; the newer ones and their fresh bits close up. */
static void reps_drop(struct dcc_spray_reps *r, u32 i)
{
	u8 older = (1U << i) - 1;

	r->len--;
	memmove(&r->label[i], &r->label[i + 1],
		(r->len - i) * sizeof(r->label[0]));
	r->fresh = (r->fresh & older) | (r->fresh >> 1 & ~older);
}

static void reps_forget(struct dcc_spray_reps *r, u32 label)
{
	u32 i;

	for (i = r->len; i--; )
		if (r->label[i] == label)
			reps_drop(r, i);
}

/* A label that came through. A frozen cache only fills up. */
static void reps_push(struct dcc_spray_reps *r, u32 label)
{
	if (r->len == DCC_SPRAY_CACHE) {
		if (r->frozen)
			return;
		reps_drop(r, 0);
	}
	r->label[r->len] = label;
	r->fresh |= 1U << r->len++;
}

static void reps_thaw(struct dcc_spray_reps *r, u64 now_ns)
{
	if (r->frozen && now_ns > r->thaw_ns)
		reps_reset(r);
}

/* The cached label to use now; 0: a random one. */
static u32 reps_recycle(struct dcc_spray_reps *r)
{
	u32 i = 0;

	if (r->explore) {
		r->explore--;
		return 0;
	}
	if (r->frozen && r->len) {
		i = r->turn % r->len;
		r->turn = i + 1;
		return r->label[i];
	}
	if (!r->fresh)
		return 0;
	while (!(r->fresh & 1U << i))
		i++;
	r->fresh &= ~(1U << i);
	return r->label[i];
}

static u32 reps_next(struct dcc_spray *s, u64 now_ns)
{
	u32 label;

	reps_thaw(&s->reps, now_ns);
	label = reps_recycle(&s->reps);
	return label ? label : dcc_spray_oblivious(s->key, s->count++, s->paths);
}

/* A timeout without a label freezes too: that the path died is news enough. */
static void reps_heard(struct dcc_spray_reps *r, u32 label,
		       enum dcc_path_event event, u64 now_ns, u64 freeze_ns)
{
	reps_thaw(r, now_ns);
	if (event == DCC_PATH_GOOD && label)
		reps_push(r, label);
	if (event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT)
		reps_forget(r, label);
	if (event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {
		r->frozen = true;
		r->thaw_ns = now_ns + freeze_ns;
	}
}

/* --- mixed ----------------------------------------------------------------- */

/* Queue an index that came through; the oldest makes room. */
static void mixed_push(struct dcc_spray_bitmap *b, u32 i)
{
	if (b->queued == DCC_SPRAY_QUEUE)
		b->head++;
	else
		b->queued++;
	b->queue[(b->head + b->queued - 1) % DCC_SPRAY_QUEUE] = i;
}

static u32 mixed_next(struct dcc_spray *s)
{
	struct dcc_spray_bitmap *b = &s->bitmap;

	for (; b->queued; b->queued--) {
		u32 i = b->queue[b->head++ % DCC_SPRAY_QUEUE];

		if (b->penalty[i])
			continue;
		b->queued--;
		return dcc_spray_label(s->key, i);
	}
	return bitmap_next(s);
}

/* --- all ------------------------------------------------------------------- */

/**
 * dcc_spray_init() - start a flow
 * @s: its engine, dcc_spray_size(@engine) bytes
 * @engine: enum dcc_spray_engine; DCC_SPRAY_OFF counts as oblivious
 * @paths: labels in a lap, a power of two from 1 to DCC_SPRAY_MAX_PATHS; bitmap
 *	and mixed use at most DCC_SPRAY_MAX_PENALTIES
 * @key: random, the flow's own
 */
void dcc_spray_init(struct dcc_spray *s, u32 engine, u32 paths, u64 key)
{
	memset(s, 0, dcc_spray_size(engine));
	s->key = key;
	s->engine = engine;
	s->paths = paths;
	if (engine == DCC_SPRAY_REPS)
		reps_reset(&s->reps);
	if (engine == DCC_SPRAY_BITMAP || engine == DCC_SPRAY_MIXED) {
		s->paths = min_t(u32, paths, DCC_SPRAY_MAX_PENALTIES);
		s->bitmap.order = dcc_spray_hash(~key, 0);
	}
}
EXPORT_SYMBOL_GPL(dcc_spray_init);

/**
 * dcc_spray_next() - the label of the next packet
 * @s: the flow's engine
 * @now_ns: now, never earlier than before
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_spray_next(struct dcc_spray *s, u64 now_ns)
{
	switch (s->engine) {
	case DCC_SPRAY_BITMAP:
		return bitmap_next(s);
	case DCC_SPRAY_REPS:
		return reps_next(s, now_ns);
	case DCC_SPRAY_MIXED:
		return mixed_next(s);
	default:
		return dcc_spray_oblivious(s->key, s->count++, s->paths);
	}
}
EXPORT_SYMBOL_GPL(dcc_spray_next);

/**
 * dcc_spray_heard() - what became of a packet
 * @s: the flow's engine
 * @label: what it carried; nobody knows, if it is no label
 * @event: what became of it
 * @now_ns: now, never earlier than before
 * @freeze_ns: how long reps freezes on a timeout
 *
 * Once for each packet that an ACK newly delivers, and for each one that is
 * lost: LOST if its successors told, TIMEOUT if only silence did.
 */
void dcc_spray_heard(struct dcc_spray *s, u32 label, enum dcc_path_event event,
		     u64 now_ns, u64 freeze_ns)
{
	u32 index;

	if (label > DCC_LABEL_MASK)
		label = 0;
	if (s->engine == DCC_SPRAY_REPS)
		reps_heard(&s->reps, label, event, now_ns, freeze_ns);
	if (s->engine != DCC_SPRAY_BITMAP && s->engine != DCC_SPRAY_MIXED)
		return;
	index = spray_index(s->key, label);
	if (index >= s->paths)
		return;
	bitmap_heard(&s->bitmap, index, event);
	if (s->engine == DCC_SPRAY_MIXED && event == DCC_PATH_GOOD)
		mixed_push(&s->bitmap, index);
}
EXPORT_SYMBOL_GPL(dcc_spray_heard);
