// SPDX-License-Identifier: GPL-2.0
/* Path selectors; the design is stated in dcc_spray.h. */
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

/* --- a walk over indices of labels ----------------------------------------- */

/* Onto the next index, at the end of a lap in a new order; the one it stood at. */
static u32 walk(struct dcc_spray *s)
{
	u32 last = s->paths - 1;
	u32 i = (s->count ^ s->order) & last;

	s->count++;
	if (!(s->count & last))
		s->order = dcc_spray_hash(~s->key, s->count);
	return i;
}

/* --- labels to use again ---------------------------------------------------- */

/* Queue an index that came through; when the ring is full the oldest makes room. */
static void queue_push(struct dcc_spray_queue *q, u8 *ring, u32 size, u32 i)
{
	if (q->len == size)
		q->head++;
	else
		q->len++;
	ring[(q->head + q->len - 1) % size] = i;
}

/* The oldest, which then waits no more; there is one. */
static u32 queue_pop(struct dcc_spray_queue *q, const u8 *ring, u32 size)
{
	q->len--;
	return ring[q->head++ % size];
}

/* Has this packet to look for paths that were left? */
static bool seeks(struct dcc_spray *s)
{
	if (!s->seek || ++s->phase)
		return false;
	s->seek--;
	return true;
}

/* A packet was lost, so a path may have been left. */
static void seek_on(struct dcc_spray *s, enum dcc_path_event event)
{
	if (event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT)
		s->seek = DCC_SPRAY_SEEK;
}

/* --- bitmap ---------------------------------------------------------------- */

/* A label is passed over. If a loss is paid for now, it is watched. */
static void bitmap_pay(u8 *label)
{
	if (--*label == DCC_SPRAY_LOSSY)
		*label = DCC_SPRAY_WATCHED | DCC_SPRAY_WATCH;
}

/*
 * Only the first penalty met is lowered: were it all of them, one packet amid
 * many bad labels would forgive them all.
 */
static u32 bitmap_next(struct dcc_spray *s)
{
	u8 *label = s->bitmap.label;
	u32 i = walk(s), left;

	for (left = s->paths; left && dcc_spray_penalty(label[i]); left--) {
		if (left == s->paths)
			bitmap_pay(&label[i]);
		i = walk(s);
	}
	return dcc_spray_label(s->key, i);
}

/* Of one that is watched. */
static void bitmap_arrived(u8 *label)
{
	if (--*label == DCC_SPRAY_WATCHED)
		*label = 0;
}

/* A mark or a loss of one of the flow's own labels. */
static void bitmap_punish(struct dcc_spray *s, u8 *label, enum dcc_path_event event)
{
	static const u8 raise[] = {
		[DCC_PATH_CE] = DCC_SPRAY_PENALTY_CE,
		[DCC_PATH_LOST] = DCC_SPRAY_PENALTY_LOST,
		[DCC_PATH_TIMEOUT] = DCC_SPRAY_PENALTY_CAP,
	};
	bool watched = *label & DCC_SPRAY_WATCHED, lost = event != DCC_PATH_CE;
	u32 was = dcc_spray_penalty(*label);
	u32 penalty = max(was, min_t(u32, was + raise[event], DCC_SPRAY_PENALTY_CAP));

	if (watched && lost)
		penalty = max(penalty, min(DCC_SPRAY_AGAIN / s->paths, DCC_SPRAY_MOST));
	if (watched || lost)
		*label = DCC_SPRAY_LOSSY;
	*label = (*label & DCC_SPRAY_LOSSY) | penalty;
}

/* News of one of the flow's own labels. */
static void bitmap_heard(struct dcc_spray *s, u32 i, enum dcc_path_event event)
{
	u8 *label = &s->bitmap.label[i];

	if (event != DCC_PATH_GOOD)
		bitmap_punish(s, label, event);
	else if (*label & DCC_SPRAY_WATCHED)
		bitmap_arrived(label);
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
	label = !s->reps.frozen && seeks(s) ? 0 : reps_recycle(&s->reps);
	return label ? label : dcc_spray_oblivious(s->key, s->count++, s->paths);
}

/*
 * Did a packet fare well enough for its label to be used again? Soon after a loss a mark is
 * no reason to take another: that may lead to the path that loses packets.
 */
static bool reps_fared(const struct dcc_spray *s, enum dcc_path_event event)
{
	return event == DCC_PATH_GOOD || (event == DCC_PATH_CE && s->seek > DCC_SPRAY_TRUST);
}

/* A timeout without a label freezes too: that the path died is news enough. */
static void reps_heard(struct dcc_spray *s, u32 label,
		       const struct dcc_path_news *n)
{
	struct dcc_spray_reps *r = &s->reps;

	reps_thaw(r, n->now_ns);
	if (reps_fared(s, n->event) && label)
		reps_push(r, label);
	if (n->event == DCC_PATH_LOST || n->event == DCC_PATH_TIMEOUT)
		reps_forget(r, label);
	if (n->event == DCC_PATH_TIMEOUT && !r->explore && !r->frozen) {
		r->frozen = true;
		r->thaw_ns = n->now_ns + (u64)n->base_ns * DCC_SPRAY_FREEZE_RTTS;
	}
}

/* --- mixed ----------------------------------------------------------------- */

static u32 mixed_next(struct dcc_spray *s)
{
	struct dcc_spray_bitmap *b = &s->bitmap;

	if (seeks(s))
		return dcc_spray_label(s->key, walk(s));
	while (s->queue.len) {
		u32 i = queue_pop(&s->queue, b->ring, DCC_SPRAY_QUEUE);

		if (!dcc_spray_penalty(b->label[i]))
			return dcc_spray_label(s->key, i);
	}
	return bitmap_next(s);
}

/* --- mrc ------------------------------------------------------------------- */

/* The next retired one, of which there are some; at most 256 steps. */
static u32 mrc_turn(struct dcc_spray *s)
{
	struct dcc_spray_mrc *m = &s->mrc;
	u32 i;

	do
		i = m->turn++ & (s->paths - 1);
	while (!(m->label[i] & DCC_SPRAY_MRC_RETIRED));
	return i;
}

/* The next on the way that is not retired. Half of a lap are not: 2 N steps do. */
static u32 mrc_walk(struct dcc_spray *s)
{
	u32 i;

	do
		i = walk(s);
	while (s->mrc.label[i] & DCC_SPRAY_MRC_RETIRED);
	return i;
}

/* Is it time to ask about a retired label? */
static bool mrc_asks(struct dcc_spray_mrc *m, u64 now_ns)
{
	m->since = min(m->since + 1U, DCC_SPRAY_MRC_PACKETS);
	if (!m->retired || !m->base_ns || m->since < DCC_SPRAY_MRC_PACKETS ||
	    now_ns - m->asked_ns < (u64)m->base_ns << m->gap)
		return false;
	m->since = 0;
	m->asked_ns = now_ns;
	return true;
}

/*
 * One that came through a moment ago, else the walk's. The walk has one in so many
 * whatever came through: a path on which nothing is sent is never heard of.
 */
static u32 mrc_use(struct dcc_spray *s)
{
	struct dcc_spray_mrc *m = &s->mrc;

	while (s->queue.len && m->recycled < DCC_SPRAY_MRC_RECYCLED) {
		u32 i = queue_pop(&s->queue, m->ring, DCC_SPRAY_MRC_QUEUE);

		if (m->label[i] & DCC_SPRAY_MRC_RETIRED)
			continue;
		m->recycled++;
		return i;
	}
	m->recycled = 0;
	return mrc_walk(s);
}

/* The number among the flow's labels of the one that an index has now. */
static u32 mrc_number(const struct dcc_spray_mrc *m, u32 i)
{
	return (m->label[i] & DCC_SPRAY_MRC_DRAWN) << DCC_SPRAY_MRC_DRAWN_AT | i;
}

static u32 mrc_next(struct dcc_spray *s, u64 now_ns)
{
	u32 i = mrc_asks(&s->mrc, now_ns) ? mrc_turn(s) : mrc_use(s);

	return dcc_spray_label(s->key, mrc_number(&s->mrc, i));
}

/* What a packet took beyond the base RTT. */
static u32 mrc_excess(const struct dcc_path_news *n)
{
	return n->delay_ns - min(n->delay_ns, n->base_ns);
}

/*
 * Did a packet take longer than its like? By the mean of all, so that nothing is
 * late where every path has a queue; less than the base RTT never is. Differences
 * of 32 bits fit into 33.
 */
static bool mrc_late(struct dcc_spray_mrc *m, const struct dcc_path_news *n)
{
	u32 excess = mrc_excess(n);
	u64 most = m->mean_ns + (u64)max(m->mean_ns / 2, n->base_ns);

	m->mean_ns += ((s64)excess - m->mean_ns) / (1 << DCC_SPRAY_MRC_MEAN);
	return excess > most;
}

/*
 * Does a mark count? While labels are retired there is a path that loses packets, and the
 * next label may lead there, which is worse than a queue that all packets meet: then a mark
 * counts if the packet took more than twice as long as its like, or nobody knows how long.
 */
static bool mrc_marked(const struct dcc_spray_mrc *m, const struct dcc_path_news *n)
{
	bool usual = n->delay_ns && mrc_excess(n) <= 2 * (u64)m->mean_ns;

	return n->event == DCC_PATH_CE && !(m->retired && usual);
}

/* Another label takes the place of one, unless there is just one. */
static void mrc_draw(const struct dcc_spray *s, u8 *label)
{
	if (s->paths > 1)
		*label = (*label + 1) & DCC_SPRAY_MRC_DRAWN;
}

/* A packet on a label in use came through. If it met congestion another takes over. */
static void mrc_arrived(struct dcc_spray *s, u32 i,
			const struct dcc_path_news *n)
{
	struct dcc_spray_mrc *m = &s->mrc;
	bool late = n->delay_ns && mrc_late(m, n);

	if (!late && !mrc_marked(m, n))
		queue_push(&s->queue, m->ring, DCC_SPRAY_MRC_QUEUE, i);
	else
		mrc_draw(s, &m->label[i]);
}

/* One on a retired label did: a run of them brings all back. */
static void mrc_probe_back(struct dcc_spray *s)
{
	struct dcc_spray_mrc *m = &s->mrc;
	u32 i;

	if (m->gap)
		m->gap--;
	if (++m->run < m->need)
		return;
	for (i = 0; i < s->paths; i++)
		m->label[i] &= ~DCC_SPRAY_MRC_RETIRED;
	m->retired = 0;
	m->run = 0;
	m->need = DCC_SPRAY_MRC_NEED;
}

/* One on a retired label was lost. Is anything at all coming back? */
static void mrc_probe_lost(struct dcc_spray_mrc *m)
{
	bool dead = !m->run && m->gap == DCC_SPRAY_MRC_GAP;

	m->need = dead ? DCC_SPRAY_MRC_ALIVE : DCC_SPRAY_MRC_NEED;
	m->run = 0;
	if (m->gap < DCC_SPRAY_MRC_GAP)
		m->gap++;
}

/* A label lost a packet: no more of it. If half are retired, it is congestion. */
static void mrc_retire(struct dcc_spray *s, u8 *label)
{
	if (s->mrc.retired < s->paths / 2) {
		s->mrc.retired++;
		*label |= DCC_SPRAY_MRC_RETIRED;
	} else {
		mrc_draw(s, label);
	}
}

/* News of a label by its number; of one that has given way there are none. */
static void mrc_heard(struct dcc_spray *s, u32 number,
		      const struct dcc_path_news *n)
{
	bool lost = n->event == DCC_PATH_LOST || n->event == DCC_PATH_TIMEOUT;
	u32 i = number & (s->paths - 1);
	u8 *label = &s->mrc.label[i];

	s->mrc.base_ns = n->base_ns;
	if (number != mrc_number(&s->mrc, i))
		return;
	if (*label & DCC_SPRAY_MRC_RETIRED) {
		if (lost)
			mrc_probe_lost(&s->mrc);
		else
			mrc_probe_back(s);
	} else if (lost) {
		mrc_retire(s, label);
	} else {
		mrc_arrived(s, i, n);
	}
}

/* --- all ------------------------------------------------------------------- */

/* Does a selector remember labels by their index, and so walk over indices? */
static bool spray_walks(u32 selector)
{
	return selector == DCC_SPRAY_BITMAP || selector == DCC_SPRAY_MIXED ||
	       selector == DCC_SPRAY_MRC;
}

/**
 * dcc_spray_init() - start a flow
 * @s: its selector, dcc_spray_size(@selector) bytes
 * @selector: enum dcc_spray_selector; DCC_SPRAY_OFF counts as oblivious,
 *	DCC_SPRAY_AUTO is mrc over DCC_SPRAY_AUTO_PATHS
 * @paths: labels in a lap, a power of two from 1 to DCC_SPRAY_MAX_PATHS; bitmap,
 *	mixed and mrc use at most DCC_SPRAY_MAX_PENALTIES
 * @key: random, the flow's own
 */
void dcc_spray_init(struct dcc_spray *s, u32 selector, u32 paths, u64 key)
{
	if (selector == DCC_SPRAY_AUTO)
		paths = DCC_SPRAY_AUTO_PATHS;
	selector = dcc_spray_meant(selector);
	memset(s, 0, dcc_spray_size(selector));
	s->key = key;
	s->selector = selector;
	s->paths = paths;
	if (selector == DCC_SPRAY_REPS)
		reps_reset(&s->reps);
	if (selector == DCC_SPRAY_MRC)
		s->mrc.need = DCC_SPRAY_MRC_NEED;
	if (spray_walks(selector)) {
		s->paths = min_t(u32, paths, DCC_SPRAY_MAX_PENALTIES);
		s->order = dcc_spray_hash(~key, 0);
	}
}
EXPORT_SYMBOL_GPL(dcc_spray_init);

/**
 * dcc_spray_next() - the label of the next packet
 * @s: the flow's selector
 * @now_ns: now, never earlier than before
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_spray_next(struct dcc_spray *s, u64 now_ns)
{
	switch (s->selector) {
	case DCC_SPRAY_BITMAP:
		return bitmap_next(s);
	case DCC_SPRAY_REPS:
		return reps_next(s, now_ns);
	case DCC_SPRAY_MIXED:
		return mixed_next(s);
	case DCC_SPRAY_MRC:
		return mrc_next(s, now_ns);
	default:
		return dcc_spray_oblivious(s->key, s->count++, s->paths);
	}
}
EXPORT_SYMBOL_GPL(dcc_spray_next);

/* News for the selectors that walk, if it is of a label of theirs. */
static void walk_heard(struct dcc_spray *s, u32 label,
		       const struct dcc_path_news *n)
{
	u32 index = spray_index(s->key, label);

	if (s->selector == DCC_SPRAY_MRC) {
		mrc_heard(s, index, n);
		return;
	}
	if (index >= s->paths)
		return;
	bitmap_heard(s, index, n->event);
	if (s->selector == DCC_SPRAY_MIXED && n->event == DCC_PATH_GOOD) {
		if (s->seek)
			s->bitmap.label[index] = 0;
		queue_push(&s->queue, s->bitmap.ring, DCC_SPRAY_QUEUE, index);
	}
}

/**
 * dcc_spray_heard() - what became of a packet
 * @s: the flow's selector
 * @n: the news
 *
 * Once for each packet that an ACK newly delivers, and for each one that is
 * lost: LOST if its successors told, TIMEOUT if only silence did.
 */
void dcc_spray_heard(struct dcc_spray *s, const struct dcc_path_news *n)
{
	u32 label = n->label > DCC_LABEL_MASK ? 0 : n->label;

	seek_on(s, n->event);
	if (s->selector == DCC_SPRAY_REPS)
		reps_heard(s, label, n);
	else if (spray_walks(s->selector))
		walk_heard(s, label, n);
}
EXPORT_SYMBOL_GPL(dcc_spray_heard);

/**
 * dcc_spray_avoided() - how many of a flow's labels does its selector pass over now?
 * @s: the flow's selector
 *
 * For people: counted anew each time, in 256 steps at most.
 *
 * Return: labels with a penalty, or retired; 0 of selectors that have neither.
 */
u32 dcc_spray_avoided(const struct dcc_spray *s)
{
	u32 i, avoided = 0;

	if (s->selector == DCC_SPRAY_MRC)
		return s->mrc.retired;
	if (!spray_walks(s->selector))
		return 0;
	for (i = 0; i < s->paths; i++)
		avoided += !!dcc_spray_penalty(s->bitmap.label[i]);
	return avoided;
}
EXPORT_SYMBOL_GPL(dcc_spray_avoided);
