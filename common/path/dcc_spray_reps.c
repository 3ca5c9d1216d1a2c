// SPDX-License-Identifier: GPL-2.0
/*
 * Path selector reps: recycle the labels of the last 8 packets that came through.
 *   heard: GOOD, and if seek > 240 CE: append the label, fresh; if there are 8, forget the
 *               oldest (while frozen: append only if there are fewer)
 *          LOST, TIMEOUT forget the label wherever it is cached
 *          TIMEOUT, if neither exploring nor frozen: freeze until now + freeze
 *          LOST, TIMEOUT seek = 255
 *   next:  frozen and past that time: forget everything, explore 16 packets
 *          seek, not frozen, and this is one of 32 packets: seek -= 1, a random label
 *          exploring: a random label
 *          frozen, something cached: the cached ones in turn, fresh or not
 *          else the oldest fresh label, which then is not fresh any more
 *          else a random label: oblivious
 *   start: exploring 16 packets
 *
 * Differences from the simulator:
 * - LOST and TIMEOUT remove a label from the reps cache (there: only not
 *   added): that of a dead path would be used in turn for the whole freeze.
 * - While reps is frozen GOOD still fills free places (there: is ignored), or
 *   a cache emptied by losses would learn nothing for the whole freeze.
 * - A frozen reps thaws when it sends as well (there: only when it hears).
 * - For 480 packets after a loss reps uses a marked label again, too: a random one in its
 *   place may lead to the path that loses packets. With one of eight spines at half speed,
 *   whose packets come so late that they are sent again, nscc took 1.18 of the bound, so
 *   1.10. For all the time of seek it was 1.09, but 3 ms after a dead path of four was back
 *   nscc had .90 of what all can carry, so .94.
 */
#include "dcc_selector.h"

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

/**
 * dcc_reps_next() - the label of the next packet
 * @s: a selector, of reps
 * @now_ns: now
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_reps_next(struct dcc_spray *s, u64 now_ns)
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

/**
 * dcc_reps_heard() - what became of a packet
 * @s: a selector, of reps
 * @label: its label; 0: unknown
 * @n: what became of it
 *
 * A timeout without a label freezes too: that the path died is news enough.
 */
void dcc_reps_heard(struct dcc_spray *s, u32 label, const struct dcc_path_news *n)
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

/**
 * dcc_reps_init() - start a flow
 * @s: a selector, of reps
 */
void dcc_reps_init(struct dcc_spray *s)
{
	reps_reset(&s->reps);
}
