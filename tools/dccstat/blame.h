/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which link loses packets? Of the lost packets and of a random part of those that
 * arrived it is known which links they crossed.
 *
 *   round:  for each link, of the packets that crossed no link named so far:
 *             chance = that so many of the lost ones crossed it, if losses fell on
 *                      packets alike (Fisher's exact test), times the links there are
 *             gain   = ln of the likelihood of two rates of loss, across it and
 *                      elsewhere, over that of one
 *           best = the link with the largest gain; if its chance < 1/1000, name it
 *   end:    of the named, forget whose losses the others explain
 *
 * The packets are a case-control study: as long as those that arrived were chosen
 * without looking at their ways, the test is exact however few were.
 *
 * A link is not told apart from the named one if it explains the losses nearly as
 * well (likelihood within a factor of 100), and nothing else does: packets that
 * did not cross the named one tell nothing against it.
 */
#ifndef _DCCSTAT_BLAME_H
#define _DCCSTAT_BLAME_H

#include <netinet/in.h>

#include "ways.h"

#define BLAMED_MOST	16	/* links that are named */
#define ALIKE_MOST	8	/* that are not told apart from one */

/* With this chance a network whose losses fall on all links alike has one named. */
#define BLAME_CHANCE	0.001
/* So many times likelier is one than another that it is told apart from. */
#define BLAME_APART	100.0

/**
 * struct link - from one address to the next
 * @from: who sends
 * @to: who receives; the switch's other links have other pairs
 * @lost: lost packets that crossed it, of those that are looked at
 * @came: likewise, that arrived
 * @gain: ln of how much better it explains the losses than chance
 * @chance: ln of the chance of that, all links considered
 */
struct link {
	struct in6_addr from;
	struct in6_addr to;
	u64 lost;
	u64 came;
	double gain;
	double chance;
};

/**
 * struct blamed - a link that is named
 * @link: it, at the moment when it was
 * @rate: share of packets that it loses
 * @low: where that is with 95 %, from
 * @high: to
 * @next: the best other one that is told apart, then; all zero: no other lost any
 * @alike: links that are not told apart from it
 * @alikes: how many; the first ALIKE_MOST are in @alike
 */
struct blamed {
	struct link link;
	double rate;
	double low;
	double high;
	struct link next;
	struct link alike[ALIKE_MOST];
	u32 alikes;
};

/**
 * struct blame - the verdict
 * @lost: packets that were lost, all of them
 * @placed: of these those of which the way is known
 * @came: packets that arrived and whose way is known
 * @links: crossed by any of these
 * @at: those that are named
 * @count: how many
 * @best: the best of those that are not; all zero: no packet that is left was lost
 */
struct blame {
	u64 lost;
	u64 placed;
	u64 came;
	u32 links;
	struct blamed at[BLAMED_MOST];
	u32 count;
	struct link best;
};

void blame_find(struct blame *blame, const struct heards *all, const struct ways *ways);

#endif /* _DCCSTAT_BLAME_H */
