// SPDX-License-Identifier: GPL-2.0
/* The queue of future events, its timer, and the clock. */
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>

#include "agent.h"

#define NO_EVENT	INT64_MAX

static struct event *heap;	/* binary heap, the next event in [0] */
static size_t events;
static u64 orders;		/* events added so far */

static int timer_fd = -1;
static s64 armed = NO_EVENT;	/* what the timer is set to, ns since t = 0 */
static u64 zero;		/* CLOCK_MONOTONIC at t = 0 */
static u64 read_cost;	/* ns of virtual time one clock_gettime() takes */
static u64 round_time;	/* the clock in this round of the loop */
static bool round_known;

static u64 clock_read(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static struct timespec as_timespec(u64 ns)
{
	return (struct timespec){ .tv_sec = ns / NSEC_PER_SEC,
				  .tv_nsec = ns % NSEC_PER_SEC };
}

/*
 * The processor takes no virtual time, but reading the clock does (256 ns), so
 * that programs which poll it come to an end. Measured, to be taken off.
 */
int timer_open(void)
{
	u64 before = clock_read();

	read_cost = clock_read() - before;
	timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (timer_fd < 0)
		fail_errno("timerfd");
	return timer_fd;
}

void timer_sleep(u64 ns)
{
	struct timespec wait = as_timespec(ns);

	clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL);
}

/* t = 0 is at this CLOCK_MONOTONIC time */
void timer_zero(u64 at)
{
	zero = at;
}

/* t = 0 will be in so many ns */
void timer_zero_in(u64 ns)
{
	zero = clock_read() + ns;
}

/* A CLOCK_MONOTONIC time as the run counts; negative before t = 0 */
s64 clock_since_zero(u64 at)
{
	return at - zero;
}

/* A new round of the loop: time may have moved */
void clock_round(void)
{
	round_known = false;
}

/*
 * The time of this round: when the process woke up. One reading a round at
 * most, since each moves the clock on.
 */
u64 clock_now(void)
{
	if (!round_known) {
		round_time = clock_read() - read_cost - zero;
		round_known = true;
	}
	return round_time;
}

static bool before(const struct event *a, const struct event *b)
{
	return a->when < b->when || (a->when == b->when && a->order < b->order);
}

void timer_add(s64 when, enum event_kind kind, unsigned int what)
{
	struct event event = { when, orders++, kind, what };
	size_t i;

	heap = grow(heap, events, sizeof(*heap));
	for (i = events++; i && before(&event, &heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = event;
}

/* Move the last event to the place of the first, and down to where it belongs */
static void remove_first(void)
{
	struct event last = heap[--events];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < events) {
		if (child + 1 < events && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
}

/* The next event that is due when the timer fires */
bool timer_next(struct event *event)
{
	if (!events || heap[0].when > armed)
		return false;
	*event = heap[0];
	remove_first();
	return true;
}

/* Set the timer to the next event; after it fired also if that is the same */
void timer_arm(bool fired)
{
	struct itimerspec at = { 0 };
	s64 when = events ? heap[0].when : NO_EVENT;

	if (when == armed && !fired)
		return;
	armed = when;
	if (when != NO_EVENT)
		at.it_value = as_timespec(zero + when);
	if (timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL))
		fail_errno("timerfd_settime");
}
