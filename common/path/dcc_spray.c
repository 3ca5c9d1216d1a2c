// SPDX-License-Identifier: GPL-2.0
/* Which selector chooses a flow's labels; stated in dcc_spray.h. */
#include "dcc_selector.h"

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
		dcc_reps_init(s);
	if (selector == DCC_SPRAY_MRC)
		dcc_mrc_init(s);
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
		return dcc_bitmap_next(s);
	case DCC_SPRAY_REPS:
		return dcc_reps_next(s, now_ns);
	case DCC_SPRAY_MIXED:
		return dcc_mixed_next(s);
	case DCC_SPRAY_MRC:
		return dcc_mrc_next(s, now_ns);
	default:
		return dcc_spray_oblivious(s->key, s->count++, s->paths);
	}
}
EXPORT_SYMBOL_GPL(dcc_spray_next);

/* A packet was lost, so a path may have been left. */
static void seek_on(struct dcc_spray *s, enum dcc_path_event event)
{
	if (event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT)
		s->seek = DCC_SPRAY_SEEK;
}

/* News for the selectors that walk, if it is of a label of theirs. */
static void walk_heard(struct dcc_spray *s, u32 label, const struct dcc_path_news *n)
{
	u32 index = dcc_spray_index(s->key, label);

	if (s->selector == DCC_SPRAY_MRC)
		dcc_mrc_heard(s, index, n);
	else if (index < s->paths && s->selector == DCC_SPRAY_MIXED)
		dcc_mixed_heard(s, index, n->event);
	else if (index < s->paths)
		dcc_bitmap_heard(s, index, n->event);
}

/**
 * dcc_spray_heard() - what became of a packet
 * @s: the flow's selector
 * @n: the news
 *
 * Once for each packet that an ACK newly delivers, and for each one that is
 * lost: LOST if its successors showed it, TIMEOUT if only silence did.
 */
void dcc_spray_heard(struct dcc_spray *s, const struct dcc_path_news *n)
{
	u32 label = n->label > DCC_LABEL_MASK ? 0 : n->label;

	seek_on(s, n->event);
	if (s->selector == DCC_SPRAY_REPS)
		dcc_reps_heard(s, label, n);
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
