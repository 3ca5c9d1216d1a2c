// SPDX-License-Identifier: GPL-2.0
/*
 * One timer for all directions: what is due next, of any, comes from a heap.
 *
 * A large network finds little in a processor's caches: lines are fetched from
 * memory for each packet and hop, which takes longer than the work. A timer for
 * each direction would add the way through a tree of all of them; the heap is an
 * array.
 *
 * At one and the same ns the directions go in the order in which they were set.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>

#include "lab_link.h"

#define LAB_AHEAD	7	/* the three uppermost rows of the heap */

struct lab_due {
	u64 at;
	u64 order;
	struct lab_dir *d;
};

static DEFINE_SPINLOCK(lab_timer_lock);	/* BH; of what follows */
static struct lab_due *lab_heap;
static u32 lab_heap_len;
static u32 lab_heap_room;
static u64 lab_heap_order;
static bool lab_timer_busy;		/* is at work, will set itself */
static struct hrtimer lab_timer;

static bool lab_due_before(const struct lab_due *a, const struct lab_due *b)
{
	return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void lab_heap_put(u32 i, struct lab_due due)
{
	lab_heap[i] = due;
	due.d->place = i + 1;
}

/* Puts an entry at i or above, where it belongs. */
static void lab_heap_up(u32 i, struct lab_due due)
{
	u32 parent;

	for (; i; i = parent) {
		parent = (i - 1) / 2;
		if (!lab_due_before(&due, &lab_heap[parent]))
			break;
		lab_heap_put(i, lab_heap[parent]);
	}
	lab_heap_put(i, due);
}

/* Puts an entry at i or below; returns where. */
static void lab_heap_down(u32 i, struct lab_due due)
{
	u32 child;

	while ((child = 2 * i + 1) < lab_heap_len) {
		if (child + 1 < lab_heap_len &&
		    lab_due_before(&lab_heap[child + 1], &lab_heap[child]))
			child++;
		if (!lab_due_before(&lab_heap[child], &due))
			break;
		lab_heap_put(i, lab_heap[child]);
		i = child;
	}
	lab_heap_put(i, due);
}

static void lab_heap_remove(struct lab_dir *d)
{
	u32 i = d->place - 1;
	struct lab_due last = lab_heap[--lab_heap_len];

	d->place = 0;
	if (i == lab_heap_len)
		return;
	if (i && lab_due_before(&last, &lab_heap[(i - 1) / 2]))
		lab_heap_up(i, last);
	else
		lab_heap_down(i, last);
}

/* When the direction is to be looked at next; LAB_NEVER: it is empty. */
void lab_timer_set(struct lab_dir *d, u64 at)
{
	struct lab_due due = { .at = at, .d = d };

	spin_lock(&lab_timer_lock);
	if (d->place)
		lab_heap_remove(d);
	if (at != LAB_NEVER) {
		due.order = lab_heap_order++;
		lab_heap_up(lab_heap_len++, due);
		if (d->place == 1 && !lab_timer_busy)
			hrtimer_start(&lab_timer, ns_to_ktime(due.at),
				      HRTIMER_MODE_ABS_SOFT);
	}
	spin_unlock(&lab_timer_lock);
}

/* Takes the first direction off the heap if it is due. */
static struct lab_dir *lab_timer_take(u64 now)
{
	struct lab_dir *d;

	if (!lab_heap_len || lab_heap[0].at > now)
		return NULL;
	d = lab_heap[0].d;
	lab_heap_remove(d);
	return d;
}

/*
 * What comes after this one will have to be fetched, each thing by an address in the
 * one before it: direction, packet, header. Each is asked for a delivery earlier than
 * the next. Which direction is first is known; the others are near the top, in some
 * order, unless something is due earlier meanwhile. Costs nothing but time if wrong.
 */
static u32 lab_timer_ahead(struct lab_dir *ahead[LAB_AHEAD])
{
	u32 i, n = min_t(u32, lab_heap_len, LAB_AHEAD);

	for (i = 0; i < n; i++)
		ahead[i] = lab_heap[i].d;
	return n;
}

static void lab_timer_prefetch(struct lab_dir *const ahead[LAB_AHEAD], u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		lab_dir_prefetch(ahead[i], !i ? LAB_AHEAD_HEADER :
				 i < 3 ? LAB_AHEAD_PACKET : LAB_AHEAD_DIR);
}

/* In softirq. Under RCU throughout: a direction taken is not freed meanwhile. */
static enum hrtimer_restart lab_timer_fire(struct hrtimer *timer)
{
	enum hrtimer_restart restart = HRTIMER_NORESTART;
	struct lab_dir *d, *ahead[LAB_AHEAD];
	u32 n;

	rcu_read_lock();
	spin_lock(&lab_timer_lock);
	lab_timer_busy = true;
	while ((d = lab_timer_take(ktime_get_ns()))) {
		n = lab_timer_ahead(ahead);
		spin_unlock(&lab_timer_lock);
		lab_timer_prefetch(ahead, n);
		lab_dir_deliver(d);
		spin_lock(&lab_timer_lock);
	}
	lab_timer_busy = false;
	if (lab_heap_len) {
		hrtimer_set_expires(timer, ns_to_ktime(lab_heap[0].at));
		restart = HRTIMER_RESTART;
	}
	spin_unlock(&lab_timer_lock);
	rcu_read_unlock();
	return restart;
}

/* Room for two more directions; under rtnl. */
int lab_timer_reserve(void)
{
	static u32 wanted;
	struct lab_due *old = lab_heap, *heap;
	u32 room;

	wanted += 2;
	if (wanted <= lab_heap_room)
		return 0;
	room = roundup_pow_of_two(wanted);
	heap = kvcalloc(room, sizeof(*heap), GFP_KERNEL);
	if (!heap)
		return -ENOMEM;
	spin_lock_bh(&lab_timer_lock);
	memcpy(heap, lab_heap, lab_heap_len * sizeof(*heap));
	lab_heap = heap;
	lab_heap_room = room;
	spin_unlock_bh(&lab_timer_lock);
	kvfree(old);
	return 0;
}

void lab_timer_init(void)
{
	hrtimer_init(&lab_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	lab_timer.function = lab_timer_fire;
}

/* No direction is left. */
void lab_timer_exit(void)
{
	hrtimer_cancel(&lab_timer);
	kvfree(lab_heap);
}
