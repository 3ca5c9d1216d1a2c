// SPDX-License-Identifier: GPL-2.0
/* Sums by label; see labels.h. */
#include <math.h>

#include "../replay/csv.h"
#include "chance.h"
#include "labels.h"

static int compare_ways(const struct heard *a, const struct heard *b)
{
	int order = memcmp(a->src, b->src, sizeof(a->src));

	if (!order)
		order = memcmp(a->dst, b->dst, sizeof(a->dst));
	if (!order)
		order = (a->label > b->label) - (a->label < b->label);
	return order;
}

static int compare_heard(const void *a, const void *b)
{
	const struct heard *one = a, *other = b;
	int order = compare_ways(one, other);

	return order ? order : (one->now > other->now) - (one->now < other->now);
}

static int compare_delays(const void *a, const void *b)
{
	u32 one = *(const u32 *)a, other = *(const u32 *)b;

	return (one > other) - (one < other);
}

static void sum_delays(struct label *label)
{
	u32 *delay = calloc(label->count + 1, sizeof(*delay));
	u64 sum = 0;
	size_t i;

	if (!delay)
		cannot("no memory for %zu delays", label->count);
	for (i = 0; i < label->count; i++) {
		if (!label->first[i].delay)
			continue;
		sum += label->first[i].delay;
		delay[label->delays++] = label->first[i].delay;
	}
	if (label->delays) {
		qsort(delay, label->delays, sizeof(*delay), compare_delays);
		label->mean = (u32)(sum / label->delays);
		label->median = delay[(label->delays - 1) / 2];
	}
	free(delay);
}

/* What @count packets from @first on are together. */
static void sum(struct label *label, const struct heard *first, size_t count)
{
	size_t i;

	*label = (struct label) { .first = first, .count = count };
	for (i = 0; i < count; i++) {
		label->lost += heard_lost(&first[i]);
		label->marked += first[i].what == HEARD_MARKED;
	}
	sum_delays(label);
}

static double share(u64 part, size_t whole)
{
	return (double)part / (double)whole;
}

/* The worst first: losses that are no chance, losses, marks, delay. */
static int compare_labels(const void *a, const void *b)
{
	const struct label *one = a, *other = b;
	double by[] = {
		one->chance - other->chance,
		share(other->lost, other->count) - share(one->lost, one->count),
		share(other->marked, other->count) - share(one->marked, one->count),
		(double)other->median - (double)one->median,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(by); i++)
		if (fabs(by[i]) > 0)
			return by[i] > 0 ? 1 : -1;
	return compare_ways(one->first, other->first);
}

/* The more labels there are, the sooner one of them looks bad. */
static void judge(struct labels *labels, size_t packets)
{
	size_t i;

	for (i = 0; i < labels->count; i++) {
		struct tally tally = {
			.some = labels->at[i].count, .some_lost = labels->at[i].lost,
			.all = packets, .all_lost = labels->lost,
		};

		labels->at[i].chance =
			fmin(chance_log(&tally) + log((double)labels->count), 0);
	}
}

/**
 * labels_sum() - sum up by label
 * @labels: set
 * @all: the packets, which are sorted; not to be freed before @labels
 */
void labels_sum(struct labels *labels, struct heards *all)
{
	size_t from, to;

	memset(labels, 0, sizeof(*labels));
	labels->at = calloc(all->count + 1, sizeof(*labels->at));
	if (!labels->at)
		cannot("no memory for %zu labels", all->count);
	qsort(all->at, all->count, sizeof(*all->at), compare_heard);
	for (from = 0; from < all->count; from = to) {
		for (to = from + 1; to < all->count; to++)
			if (compare_ways(&all->at[from], &all->at[to]))
				break;
		sum(&labels->at[labels->count], &all->at[from], to - from);
		labels->lost += labels->at[labels->count++].lost;
	}
	judge(labels, all->count);
	qsort(labels->at, labels->count, sizeof(*labels->at), compare_labels);
}

/**
 * label_next() - a label's packets of the next interval that has any
 * @walk: where the last call was; moves on
 * @part: set, without @chance
 *
 * By packet, not by interval: records of two hosts may be years apart.
 *
 * Return: false if there are no more.
 */
bool label_next(struct label_walk *walk, struct label *part)
{
	const struct label *whole = walk->whole;
	size_t from = walk->done, end = from;
	u64 nth;

	if (from == whole->count)
		return false;
	nth = (whole->first[from].now - walk->start) / walk->every;
	while (end < whole->count && (whole->first[end].now - walk->start) / walk->every == nth)
		end++;
	sum(part, &whole->first[from], end - from);
	walk->from = walk->start + nth * walk->every;
	walk->done = end;
	return true;
}

void labels_free(struct labels *labels)
{
	free(labels->at);
	memset(labels, 0, sizeof(*labels));
}
