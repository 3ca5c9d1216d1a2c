/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What path selectors share, and what dcc_spray.c calls of each: init, next, heard.
 *
 * What is only recycled never comes back to a path that was left: on one of 16 that had lost
 * 5 % reps and mixed sent nothing after its repair, and of four paths that were all needed
 * used three quarters. So for some 8,000 packets after a loss one in 32 takes any label
 * (seek), and in mixed what comes through then is no longer avoided.
 */
#ifndef _DCC_SELECTOR_H
#define _DCC_SELECTOR_H

#include "dcc_spray.h"

/* Onto the next index, at the end of a lap in a new order; the one it stood at. */
static inline u32 walk(struct dcc_spray *s)
{
	u32 last = s->paths - 1;
	u32 i = (s->count ^ s->order) & last;

	s->count++;
	if (!(s->count & last))
		s->order = dcc_spray_hash(~s->key, s->count);
	return i;
}

/* Queue an index that came through; when the ring is full the oldest makes room. */
static inline void queue_push(struct dcc_spray_queue *q, u8 *ring, u32 size, u32 i)
{
	if (q->len == size)
		q->head++;
	else
		q->len++;
	ring[(q->head + q->len - 1) % size] = i;
}

/* The oldest, which then waits no more; there is one. */
static inline u32 queue_pop(struct dcc_spray_queue *q, const u8 *ring, u32 size)
{
	q->len--;
	return ring[q->head++ % size];
}

/* Has this packet to look for paths that were left? */
static inline bool seeks(struct dcc_spray *s)
{
	if (!s->seek || ++s->phase)
		return false;
	s->seek--;
	return true;
}

u32 dcc_spray_index(u64 key, u32 label);

u32 dcc_bitmap_next(struct dcc_spray *s);
void dcc_bitmap_heard(struct dcc_spray *s, u32 i, enum dcc_path_event event);

u32 dcc_mixed_next(struct dcc_spray *s);
void dcc_mixed_heard(struct dcc_spray *s, u32 i, enum dcc_path_event event);

void dcc_reps_init(struct dcc_spray *s);
u32 dcc_reps_next(struct dcc_spray *s, u64 now_ns);
void dcc_reps_heard(struct dcc_spray *s, u32 label, const struct dcc_path_news *n);

void dcc_mrc_init(struct dcc_spray *s);
u32 dcc_mrc_next(struct dcc_spray *s, u64 now_ns);
void dcc_mrc_heard(struct dcc_spray *s, u32 number, const struct dcc_path_news *n);

#endif /* _DCC_SELECTOR_H */
