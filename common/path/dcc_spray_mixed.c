// SPDX-License-Identifier: GPL-2.0
/*
 * Path selector mixed: bitmap, but labels that came through go first.
 *   heard: as bitmap; GOOD also queues the label; if 64 wait, forget the oldest;
 *               if seek, its penalty becomes 0, and it is not watched
 *          LOST, TIMEOUT seek = 255
 *   next:  seek, and this is one of 32 packets: seek -= 1, the next one in order, whatever
 *               its penalty
 *          else the first queued label without a penalty, forgetting those with one;
 *          if there is none, bitmap
 *
 * Differences from the simulator:
 * - mixed passes over queued labels with a penalty (there: takes them): the
 *   penalty is the newer news.
 * - The queue of mixed is bounded. What is dropped is the oldest news.
 */
#include "dcc_selector.h"

/**
 * dcc_mixed_next() - the label of the next packet
 * @s: a selector, of mixed
 *
 * Return: a label in 1 .. DCC_LABEL_MASK.
 */
u32 dcc_mixed_next(struct dcc_spray *s)
{
	struct dcc_spray_bitmap *b = &s->bitmap;

	if (seeks(s))
		return dcc_spray_label(s->key, walk(s));
	while (s->queue.len) {
		u32 i = queue_pop(&s->queue, b->ring, DCC_SPRAY_QUEUE);

		if (!dcc_spray_penalty(b->label[i]))
			return dcc_spray_label(s->key, i);
	}
	return dcc_bitmap_next(s);
}

/**
 * dcc_mixed_heard() - what became of a packet
 * @s: a selector, of mixed
 * @i: the index of its label, below @s->paths
 * @event: what became of it
 */
void dcc_mixed_heard(struct dcc_spray *s, u32 i, enum dcc_path_event event)
{
	dcc_bitmap_heard(s, i, event);
	if (event != DCC_PATH_GOOD)
		return;
	if (s->seek)
		s->bitmap.label[i] = 0;
	queue_push(&s->queue, s->bitmap.ring, DCC_SPRAY_QUEUE, i);
}
