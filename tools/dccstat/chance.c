// SPDX-License-Identifier: GPL-2.0
/* Chance; see chance.h. */
#include <math.h>

#include "chance.h"

#define ENOUGH	(1 / 1e17)	/* what is left of the sum is beyond a double */

/* ln of n over k. */
static double log_choose(u64 n, u64 k)
{
	return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

/**
 * chance_log() - the chance that so many of them, or more, are lost
 * @t: the packets
 *
 * If losses fell on all packets alike: Fisher's exact test, one-sided. It holds for
 * small numbers, and if only a random part of the packets that arrived is looked at:
 * that changes how many there are, not how they spread.
 *
 * Return: its natural logarithm, at most 0.
 */
double chance_log(const struct tally *t)
{
	u64 x = t->some_lost, most = min(t->some, t->all_lost);
	u64 least = t->some + t->all_lost > t->all ? t->some + t->all_lost - t->all : 0;
	double first, term = 1, sum = 1;

	if (x <= least)
		return 0;
	first = log_choose(t->all_lost, x) +
		log_choose(t->all - t->all_lost, t->some - x) -
		log_choose(t->all, t->some);
	for (; x < most; x++) {
		double ratio = (double)(t->all_lost - x) * (double)(t->some - x) /
			((double)(x + 1) *
			 (double)(t->all - t->all_lost - t->some + x + 1));

		term *= ratio;
		sum += term;
		if (ratio < 1 && term < sum * ENOUGH)
			break;
	}
	return fmin(first + log(sum), 0);
}

/* ln of the likelihood of @lost of @n, at the rate that makes it largest. */
static double log_likelihood(u64 lost, u64 n)
{
	double p;

	if (!lost || lost == n)
		return 0;
	p = (double)lost / (double)n;
	return (double)lost * log(p) + (double)(n - lost) * log1p(-p);
}

/**
 * chance_gain() - how much better two rates explain the losses than one
 * @t: the packets: one rate of some, another of the rest
 *
 * Return: ln of the ratio of likelihoods; 0 if these lose no more than the rest.
 */
double chance_gain(const struct tally *t)
{
	double of_some = (double)t->some_lost * (double)t->all;

	if (of_some <= (double)t->all_lost * (double)t->some)
		return 0;
	return log_likelihood(t->some_lost, t->some) +
	       log_likelihood(t->all_lost - t->some_lost, t->all - t->some) -
	       log_likelihood(t->all_lost, t->all);
}
