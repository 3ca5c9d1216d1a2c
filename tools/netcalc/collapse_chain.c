// SPDX-License-Identifier: GPL-2.0
/*
 * mswift behind packets that are late at random, as a chain of cuts.
 *
 *   state    : the window W just after a cut; a gate keeps the next one away for an RTT
 *   gate     : the packets in flight at the cut come back, those that find the median
 *              timely grow W by ai / W each
 *   then     : it is late at once (probability P), or turns late, at the rate
 *              L / (1 - P) a packet, while W grows on, up to a full line and its queue
 *   cut      : W (1 - c), c by the median's delay: T_l, or, when half of an even H is
 *              late, the mean of T_s and T_l
 *   result   : packets sent in a time that is distributed exponentially, of a given
 *              mean: of each state, by one system of linear equations
 *
 * Derivation: Documentation/collapse-model.md.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "collapse.h"
#include "collapse_median.h"

#define STATES		120
#define BELOW		4	/* states below the window of which late packets are on target */
#define SRTT_GAIN	0.125	/* RFC 6298 */
#define SMALLEST	0.01	/* packets */
#define NEGLIGIBLE	0.0000000000001	/* a probability */
#define BITS		8.0

/**
 * struct state - a window and what the median does there
 * @window: packets
 * @late: probability that the median is late
 * @turns: how often a packet it turns late, if it is timely
 * @run: packets for which it then stays so, on average
 * @first_cut: share of the window that a cut takes as the median turns late
 * @later_cut: the same as the median has been late for a while
 * @speed: packets a second
 * @gate: seconds for which a cut keeps the next one away
 */
struct state {
	double window;
	double late;
	double turns;
	double run;
	double first_cut;
	double later_cut;
	double speed;
	double gate;
};

/* Both kinds of packets' order, and whether half of the history is enough. */
struct known {
	struct nc_median median[2];
	bool there;
};

struct chain {
	const struct nc_collapse *p;
	double q;
	double full;		/* window that fills the line, packets */
	double spaced;		/* share of the history in which late and timely slots differ */
	double step;		/* of the states, logarithm */
	struct state state[STATES];
	double system[STATES][STATES + 1];
	struct known known[NC_MEDIAN_LONGEST + 1][2];
};

static const struct nc_median *medians(struct chain *c, int history, bool half)
{
	struct known *k = &c->known[history][half];
	int needed = half ? history / 2 : history / 2 + 1;

	if (!k->there) {
		k->median[0] = nc_median_mixed(c->q, history, needed);
		k->median[1] = nc_median_spaced(c->q, history, needed);
		k->there = true;
	}
	return k->median;
}

/*
 * A line that is never idle sends in even steps. With the share u of it in use, its
 * queue forgets what was before within about 1 / (1 - u)^2 packets, and counts of more
 * packets vary as what is given to it does.
 */
static struct nc_median median_at(struct chain *c, double window, int history, bool half)
{
	double idle = fmax(1 - window / c->full, 0);
	double spaced = c->spaced / (1 + history * idle * idle);
	const struct nc_median *m = medians(c, history, half);

	return (struct nc_median){
		.late = spaced * m[1].late + (1 - spaced) * m[0].late,
		.turns = spaced * m[1].turns + (1 - spaced) * m[0].turns,
	};
}

/* What a window of more than the line holds waits for itself, s. */
static double queued(const struct chain *c, double window)
{
	return fmax(window / c->full - 1, 0) * nc_collapse_mean_rtt(c->p, c->q);
}

static double cut_by(const struct chain *c, double window, double delay)
{
	double excess = (delay - nc_collapse_target(c->p, window)) / delay;

	return fmin(fmax(c->p->beta * excess, 0), c->p->mdf);
}

/* A window whose history is that long. Late packets may be on target; then nothing is late. */
static struct state state_of(struct chain *c, double window, int history)
{
	double own = queued(c, window), target = nc_collapse_target(c->p, window);
	double middle = (c->p->ts + c->p->tl) / 2 + own, only_half = 0;
	bool half = history % 2 == 0 && middle >= target;
	struct state s = { .window = window };
	struct nc_median m;

	if (c->p->tl + own < target)
		return s;
	m = median_at(c, window, history, half);
	s.late = exp(m.late);
	s.turns = exp(m.turns) / fmax(-expm1(m.late), DBL_MIN);
	s.run = exp(m.late - m.turns);
	s.later_cut = cut_by(c, window, c->p->tl + own);
	s.first_cut = half ? cut_by(c, window, middle) : s.later_cut;
	if (half)
		only_half = -expm1(median_at(c, window, history, false).late - m.late);
	s.later_cut += only_half * (s.first_cut - s.later_cut);
	return s;
}

/* The share of one in the other; cuts weigh as often as they are made. */
static struct state blend(const struct state *a, const struct state *b, double part)
{
	struct state s = *a;
	double turned = (1 - part) * a->turns * a->first_cut + part * b->turns * b->first_cut;
	double stayed = (1 - part) * a->late * a->later_cut + part * b->late * b->later_cut;

	s.late += part * (b->late - a->late);
	s.turns += part * (b->turns - a->turns);
	s.run += part * (b->run - a->run);
	s.first_cut = s.turns > 0 ? turned / s.turns : 0;
	s.later_cut = s.late > 0 ? stayed / s.late : 0;
	return s;
}

/*
 * The history is half of a window that grows by a packet an RTT: it is even for two
 * RTTs, then odd for two. The mean of both, each between its neighbours.
 */
static struct state mean_state(struct chain *c, double window)
{
	double most = NC_MEDIAN_LONGEST - 2, h = fmin(window / 2 - 0.5, most);
	int low = (int)fmax(floor(h), 1);
	struct state at[3], odd_even;
	double part = fmax(h - low, 0);
	int i;

	for (i = 0; i < 3; i++)
		at[i] = state_of(c, window, low + i);
	odd_even = blend(&at[0], &at[2], part);
	return blend(&odd_even, &at[1], 0.5);
}

/* Packets are whole: half of one of the window is, on average, not sent. */
static struct state timed_state(struct chain *c, double window)
{
	double mean = nc_collapse_mean_rtt(c->p, c->q), line = c->full / mean;
	double sent = window - fmin(fmax(window - 1, 0), 1) / 2;
	struct state s = mean_state(c, window);

	s.speed = fmin(sent / mean, line);
	s.gate = mean + SRTT_GAIN * (c->p->tl - mean) + queued(c, window);
	return s;
}

/* States in equal ratios, of which one is the window of which late packets are on target. */
static void lay_out(struct chain *c)
{
	double top = nc_collapse_top_window(c->p, c->q), low = SMALLEST, high = top;
	int i;

	while (high / low > 1 + DBL_EPSILON * STATES) {
		double mid = sqrt(low * high);

		if (nc_collapse_target(c->p, mid) > c->p->tl)
			low = mid;
		else
			high = mid;
	}
	c->step = log(top / high) / (STATES - 1 - BELOW);
	for (i = 0; i < STATES; i++)
		c->state[i] = timed_state(c, high * exp((i - BELOW) * c->step));
}

/* Where a window lies among the states; fractions are between two. */
static double place_of(const struct chain *c, double window)
{
	double place = log(window / c->state[0].window) / c->step;

	return fmin(fmax(place, 0), STATES - 1);
}

/* A cut leads from a state to that window, with this weight. */
static void leads_to(struct chain *c, int from, double window, double weight)
{
	double place = place_of(c, window);
	int i = (int)fmin(floor(place), STATES - 2);

	c->system[from][i] -= weight * (1 - (place - i));
	c->system[from][i + 1] -= weight * (place - i);
}

/* Packets that are sent in a while, if the end comes at this rate. */
static double sent_in(double speed, double seconds, double end)
{
	return speed * -expm1(-end * seconds) / end;
}

/*
 * From one state up to the next as long as no cut is made; the top one is left by a
 * cut, or not at all. A cut comes half way.
 */
static double climb(struct chain *c, int from, double window, double alive)
{
	double end = 1 / c->p->time, sum = 0;
	int i = (int)lround(place_of(c, window));

	for (; i < STATES - 1 && alive > NEGLIGIBLE; i++) {
		const struct state *s = &c->state[i];
		double next = fmax(c->state[i + 1].window, window);
		double packets = (next * next - window * window) / (2 * c->p->ai);
		double cut = -expm1(-s->turns * packets);
		double lasts = exp(-end * packets / s->speed);

		sum += alive * sent_in(s->speed, packets / s->speed, end) * (1 - cut / 2);
		leads_to(c, from, (window + next) / 2 * (1 - s->first_cut),
			 alive * cut * sqrt(lasts));
		alive *= (1 - cut) * lasts;
		window = next;
	}
	if (i == STATES - 1) {
		const struct state *s = &c->state[i];
		double cuts = s->turns * s->speed;

		sum += alive * s->speed / (cuts + end);
		leads_to(c, from, window * (1 - s->first_cut), alive * cuts / (cuts + end));
	}
	return sum;
}

/* Behind a cut, which left this state: the gate, what is late then, and the climb. */
static void equation(struct chain *c, int from)
{
	const struct state *s = &c->state[from], *then;
	double line = c->full / nc_collapse_mean_rtt(c->p, c->q);
	double speed = fmin(s->speed / (1 - s->first_cut), line);
	double timely = fmax(s->gate * speed - s->run, 0) * (1 - s->late);
	double window = sqrt(s->window * s->window + 2 * c->p->ai * timely);
	double end = 1 / c->p->time, alive = exp(-end * s->gate);

	window = fmin(window, c->state[STATES - 1].window);
	then = &c->state[lround(place_of(c, window))];
	c->system[from][from] += 1;
	c->system[from][STATES] = sent_in(speed, s->gate, end);
	leads_to(c, from, window * (1 - then->later_cut), alive * then->late);
	c->system[from][STATES] += climb(c, from, window, alive * (1 - then->late));
}

/* Gauss; the diagonal is the largest of its row, as no row's weights exceed 1. */
static void solve(struct chain *c)
{
	int i, r, k;

	for (i = 0; i < STATES; i++) {
		for (r = 0; r < STATES; r++) {
			double factor = c->system[r][i] / c->system[i][i];

			if (r == i || factor == 0)
				continue;
			for (k = i; k <= STATES; k++)
				c->system[r][k] -= factor * c->system[i][k];
		}
	}
	for (i = 0; i < STATES; i++)
		c->system[i][STATES] /= c->system[i][i];
}

/* Does a cut take more than grows until the next one, anywhere below a full line? */
static bool has_small_state(const struct chain *c)
{
	int i;

	for (i = 0; i < STATES && c->state[i].window < c->full; i++) {
		const struct state *s = &c->state[i];
		double gate = fmax(s->gate * s->speed - s->run, 0);
		double packets = (1 - s->late) * (gate + 1 / fmax(s->turns, DBL_MIN));
		double cut = s->later_cut * s->late + s->first_cut * (1 - s->late);

		if (s->window * s->window * cut * (2 - cut) >= 2 * c->p->ai * packets)
			return true;
	}
	return false;
}

/**
 * nc_collapse_chain() - mswift with packets late at random
 * @p: parameters
 * @q: share of the packets that are late, above 0 and below 1
 * @point: set to the mean of a time of p->time from a window of p->first on
 *
 * Return: 0 or -ENOMEM.
 */
int nc_collapse_chain(const struct nc_collapse *p, double q, struct nc_collapse_point *point)
{
	struct chain *c = calloc(1, sizeof(*c));
	double mean = nc_collapse_mean_rtt(p, q);
	double place, sent;
	int i;

	if (!c)
		return -ENOMEM;
	c->p = p;
	c->q = q;
	c->full = nc_collapse_full_window(p, q);
	c->spaced = fmin((p->tl - p->ts) / (mean / 2), 1);
	lay_out(c);
	for (i = 0; i < STATES; i++)
		equation(c, i);
	solve(c);
	place = p->first > 0 ? place_of(c, p->first) : STATES - 1;
	sent = c->system[(int)lround(place)][STATES];
	*point = (struct nc_collapse_point){
		.throughput = fmin(BITS * p->mss * sent / p->time, p->rate),
		.regime = has_small_state(c) ? "holds; a small window stays small" : "holds",
	};
	free(c);
	return 0;
}
