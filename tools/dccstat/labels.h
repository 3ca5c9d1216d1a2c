/* SPDX-License-Identifier: GPL-2.0 */
/* Sums of what was heard, by label: between two addresses a label is a way. Pure. */
#ifndef _DCCSTAT_LABELS_H
#define _DCCSTAT_LABELS_H

#include "heard.h"

/**
 * struct label - packets between two addresses that carried one label
 * @first: the first of them, the others follow by time
 * @count: how many
 * @lost: of them lost
 * @marked: of them marked
 * @delays: of them with a delay
 * @mean: of these, ns
 * @median: of these, ns
 * @chance: natural logarithm of the chance that any label loses so much if all are
 *	alike; 0: nothing special
 */
struct label {
	const struct heard *first;
	size_t count;
	u64 lost;
	u64 marked;
	u64 delays;
	u32 mean;
	u32 median;
	double chance;
};

/**
 * struct labels - all of them, the worst first
 * @at: they
 * @count: how many
 * @lost: packets lost, of any label
 */
struct labels {
	struct label *at;
	size_t count;
	u64 lost;
};

/**
 * struct label_walk - a label's packets, interval by interval
 * @whole: all of them
 * @start: when the first interval begins, ns; none of them is earlier
 * @every: length of each, ns, not 0
 * @from: when the one that label_next() told of last begins
 * @done: packets told of; 0 at first
 */
struct label_walk {
	const struct label *whole;
	u64 start;
	u64 every;
	u64 from;
	size_t done;
};

void labels_sum(struct labels *labels, struct heards *all);
bool label_next(struct label_walk *walk, struct label *part);
void labels_free(struct labels *labels);

#endif /* _DCCSTAT_LABELS_H */
