// SPDX-License-Identifier: GPL-2.0
/* The median of late and timely packets; stated in collapse_median.h. */
#include <math.h>

#include "collapse_median.h"

#define ROUNDING	0.000000001	/* a share so small is 0 */
#define NEGLIGIBLE	40.0	/* a term is, of a sum e^40 times larger */
#define MOST_SLOTS	1e9	/* that a sum looks back */
#define MEDIAN_MIN	3	/* theorem 6: the shortest history, packets */

/**
 * struct word - a history, looked back at slot by slot
 * @q: share of late packets
 * @late: late packets that make the median late
 * @timely: timely ones with which it is not
 * @ahead: how many slots of late packets are looked at before those of timely ones
 */
struct word {
	double q;
	double late;
	double timely;
	double ahead;
};

static double log_binomial(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Of n, each with probability p, just k. */
static double log_of(double n, double k, double p)
{
	return log_binomial(n, k) + k * log(p) + (n - k) * log1p(-p);
}

static double log_add(double a, double b)
{
	double most = fmax(a, b);

	return isinf(most) ? most : most + log1p(exp(-fabs(a - b)));
}

/* Of n, each with probability p, k or more. */
static double log_at_least(double n, double k, double p)
{
	double mode = fmin(fmax(k, floor(n * p)), n), i;
	double most = log_of(n, mode, p), sum = most, term;

	for (i = mode + 1, term = most; i <= n && term > most - NEGLIGIBLE; i++) {
		term = log_of(n, i, p);
		sum = log_add(sum, term);
	}
	for (i = mode - 1, term = most; i >= k && term > most - NEGLIGIBLE; i--) {
		term = log_of(n, i, p);
		sum = log_add(sum, term);
	}
	return fmin(sum, 0);
}

/**
 * nc_median_mixed() - of packets that are late independently of each other
 * @q: probability that a packet is late, above 0 and below 1
 * @history: packets H, 1 or more
 * @needed: late ones of them that make the median late, 1 to H
 *
 * To turn late it takes a late packet in the place of a timely one, with one too few
 * among the other H - 1.
 */
struct nc_median nc_median_mixed(double q, int history, int needed)
{
	return (struct nc_median){
		.late = log_at_least(history, needed, q),
		.turns = log_of(history - 1, needed - 1, q) + log(q) + log1p(-q),
	};
}

/* The r-th success of probability p comes at the m-th try. */
static double log_waits(double m, double r, double p)
{
	return log_of(m - 1, r - 1, p) + log(p);
}

/* Too few timely packets in so many slots. */
static double log_few(const struct word *w, double slots)
{
	return slots < w->timely ? 0 : log_at_least(slots, slots - w->timely + 1, w->q);
}

/* All late ones have come by their m-th slot, and too few timely ones before it. */
static double log_late_at(const struct word *w, double m)
{
	return log_waits(m, w->late, w->q) + log_few(w, m - w->ahead);
}

/* One too few late packets, of m - 1 slots, lie before the last timely one, the m-th. */
static double log_turn_at(const struct word *w, double m)
{
	return log_waits(m, w->timely, 1 - w->q) + log_of(m - 1, w->late - 1, w->q);
}

/* Where a term is largest: terms are log-concave, so that one step tells the side. */
static double largest(double (*term)(const struct word *w, double m),
		      const struct word *w)
{
	double low = term == log_turn_at ? fmax(w->late, w->timely) : w->late;
	double high = fmin(low + w->late / w->q + w->timely / (1 - w->q), MOST_SLOTS);

	while (low < high) {
		double mid = floor((low + high) / 2);

		if (term(w, mid) < term(w, mid + 1))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* From the peak up and down, as long as it matters. */
static double log_turns(const struct word *w)
{
	double peak = largest(log_turn_at, w), most = log_turn_at(w, peak);
	double least = fmax(w->late, w->timely), sum = most, term, m;

	for (m = peak + 1, term = most; term > most - NEGLIGIBLE; m++) {
		term = log_turn_at(w, m);
		sum = log_add(sum, term);
	}
	for (m = peak - 1, term = most; m >= least && term > most - NEGLIGIBLE; m--) {
		term = log_turn_at(w, m);
		sum = log_add(sum, term);
	}
	return sum;
}

/*
 * Too few in a slot less: it may have had the last one. So from above downwards
 * nothing cancels.
 */
static double one_slot_less(const struct word *w, double slots, double few)
{
	if (slots < w->timely)
		return 0;
	return fmin(log_add(few, log_waits(slots + 1, w->timely, 1 - w->q)), 0);
}

/* The late packets come before the timely ones. */
static double log_late_first(const struct word *w)
{
	double m, most, few, term, sum = -INFINITY, step = 1;

	if (!(w->late > 0 && w->timely > 0))
		return w->late > 0 ? -INFINITY : 0;
	m = largest(log_late_at, w);
	most = log_late_at(w, m);
	for (; log_late_at(w, m) > most - NEGLIGIBLE; step *= 2)
		m += step;
	few = log_few(w, m - w->ahead);
	for (; m >= w->late; m--) {
		term = log_waits(m, w->late, w->q) + few;
		sum = log_add(sum, term);
		if (term < sum - NEGLIGIBLE && term < most - NEGLIGIBLE && sum > most)
			break;
		few = one_slot_less(w, m - 1 - w->ahead, few);
	}
	return fmin(sum, 0);
}

/* At an ACK: with the share q it is a late one, and is the first to be looked at. */
static double log_late(double q, int history, int needed)
{
	struct word after_late = { q, needed - 1, history - needed + 1, 0 };
	struct word after_timely = { q, needed, history - needed, 1 };

	return log_add(log(q) + log_late_first(&after_late),
		       log1p(-q) + log_late_first(&after_timely));
}

/**
 * nc_median_spaced() - of packets that were sent in even steps
 * @q: probability that a packet is late, above 0 and below 1
 * @history: packets H, 1 or more
 * @needed: late ones of them that make the median late, 1 to H
 *
 * What comes back now was sent T_s ago, if it is timely, and T_l ago, if it is late:
 * two series of slots, each with one packet or none, which know nothing of each other.
 * In both as many slots pass; so the share of late packets among those that come
 * varies less than among those that are sent.
 */
struct nc_median nc_median_spaced(double q, int history, int needed)
{
	struct word w = { q, needed, history - needed + 1, 0 };

	return (struct nc_median){
		.late = log_late(q, history, needed),
		.turns = log_turns(&w) + log(q),
	};
}

/**
 * nc_median_cyclic() - the median of packets that are late in turn
 * @q: share of the packets that are late, spread as evenly as can be
 * @history: packets; the whole ones count, and at least 3
 * @half: is it late if just half of them are?
 * @late: set to the share of packets at which the median is late
 * @turns: set to how often a packet it turns late
 *
 * The late packets of any H successive ones are floor(q H) or one more, the latter
 * in the share frac(q H) of all places: the places are a rotation by q.
 */
void nc_median_cyclic(double q, double history, bool half, double *late,
		      double *turns)
{
	double h = fmax(floor(history), MEDIAN_MIN), needed = half ? h : h + 1;
	double few = floor(q * h + ROUNDING), more = fmax(q * h - few, 0);

	*late = 2 * few >= needed ? 1 : 2 * few + 2 >= needed ? more : 0;
	*turns = fmin(fmin(*late, 1 - *late), fmin(q, 1 - q));
}
