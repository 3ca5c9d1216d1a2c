// SPDX-License-Identifier: GPL-2.0
/* Models of throughput collapse; stated in collapse.h. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collapse.h"
#include "collapse_median.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BITS		8.0
#define WINDOW_MAX	1000000.0	/* packets: beyond any line, and counted in integers */
#define SMALLEST	0.01	/* packets: where the search for a window ends */
#define STEP		0.98	/* of the search; two roots closer are one */
#define ROUNDING	0.000000001	/* a share so small is 0 */
#define DUPACKS		4	/* a late packet and three that overtake it */
#define SRTT_GAIN	0.125	/* RFC 6298 */
#define HELD		0.95	/* of the rate: a line that is not lost */

/* SMaRTT's suggested parameters (appendix A, theorem 4). */
#define SMARTT_TARGET	1.5	/* target RTT in base RTTs */
#define SMARTT_MI	2.0
#define SMARTT_FI	0.25
#define SMARTT_FD	0.8

/**
 * struct rule - when an algorithm takes its feedback for late
 * @late: share of the packets at which it does
 * @turns: how often a packet it begins to
 * @delay: that late feedback tells, s; 0: T_l
 * @cycle: packets that grow the window between two cuts; 0: as the gate has it
 * @median: both depend on the window, whose half is the median's history
 */
struct rule {
	double late;
	double turns;
	double delay;
	double cycle;
	bool median;
};

/* What one parameter may be. */
struct limit {
	const char *name;
	double value;
	double above;		/* not this itself */
	double below;
};

/* Bits a second of that many packets an RTT. */
static double packets_rate(const struct nc_collapse *p, double packets, double rtt)
{
	return BITS * p->mss * packets / rtt;
}

/* What the line gives, and why it is not the algorithm that decides. */
static struct nc_collapse_point uncongested(const struct nc_collapse *p,
					    const char *why)
{
	return (struct nc_collapse_point){ .throughput = p->rate, .regime = why };
}

/* --- Table I ----------------------------------------------------------------- */

/*
 * The sawtooth of theorems 1 to 3: W falls by the share cut, once every 1/q
 * packets, and grows by ai an RTT. Its area is 1/q = W^2 cut (1 - cut/2) / ai.
 */
static struct nc_collapse_point sawtooth_point(const struct nc_collapse *p,
					       double q, double cut, double ai)
{
	struct nc_collapse_point point = { .cut = cut, .regime = "holds" };
	double mean = sqrt((1 / cut - 0.5) * ai / q);

	if (!(q > 0))
		return uncongested(p, "rate");
	point.peak = mean / (1 - cut / 2);
	point.throughput = packets_rate(p, mean, p->ts);
	if (point.throughput >= p->rate) {
		point.throughput = p->rate;
		point.regime = "rate";
	} else if (point.peak * (1 - cut) < DUPACKS) {
		point.regime = "outside: window below 4 packets";
	} else if (1 / q < point.peak) {
		point.regime = "outside: late packets in every RTT";
	}
	return point;
}

/**
 * nc_collapse_reno() - theorem 1: TCP New Reno, every late packet is a loss
 * @p: parameters
 * @q: share of the packets that are late
 */
struct nc_collapse_point nc_collapse_reno(const struct nc_collapse *p, double q)
{
	return sawtooth_point(p, q, 0.5, 1);
}

/**
 * nc_collapse_dctcp() - theorem 2: as TCP; less if late packets are also marked
 * @p: parameters
 * @q: share of the packets that are late
 */
struct nc_collapse_point nc_collapse_dctcp(const struct nc_collapse *p, double q)
{
	return sawtooth_point(p, q, 0.5, 1);
}

/**
 * nc_collapse_swift() - theorem 3: Swift, every late packet is a loss
 * @p: parameters
 * @q: share of the packets that are late
 */
struct nc_collapse_point nc_collapse_swift(const struct nc_collapse *p, double q)
{
	struct nc_collapse_point point = sawtooth_point(p, q, p->mdf, p->ai);

	if (p->tl >= 2 * p->ts)
		point.regime = "outside: T_l is 2 T_s or more";
	return point;
}

/**
 * nc_collapse_smartt() - theorem 4: SMaRTT, one packet and fd / BDP a late packet
 * @p: parameters
 * @q: share of the packets that are late
 *
 * W - (W - 1) g = W (1 - g) + g falls in a cut and grows back at A an RTT, so that
 * A / q = (W (1 - g) + g) (mean window). The BDP is that of the base RTT.
 */
struct nc_collapse_point nc_collapse_smartt(const struct nc_collapse *p, double q)
{
	struct nc_collapse_point point = { .regime = "holds" };
	double bdp = p->rate * p->ts / p->alpha / (BITS * p->mss);
	double grow = SMARTT_MI * (SMARTT_TARGET / p->alpha - 1) + SMARTT_FI;
	double g = 1 - SMARTT_FD / bdp;
	double root;

	if (!(q > 0))
		return uncongested(p, "rate");
	if (!(g > 0))
		return uncongested(p, "outside: BDP below 0.8 packets");
	root = sqrt(g * g + (1 - g * g) * 2 * grow / q);
	/* (root - g^2) / (1 - g^2) would cancel for g near 1 */
	point.peak = (g * g + 2 * grow / q) / (root + g * g);
	point.cut = (point.peak * (1 - g) + g) / point.peak;
	point.throughput = packets_rate(p, grow / (q * point.cut * point.peak),
					nc_collapse_mean_rtt(p, q));
	point.residual = point.peak * point.peak * (1 - g * g) +
			 2 * g * g * point.peak - g * g - 2 * grow / q;
	if (p->tl < 2 * SMARTT_TARGET * p->ts / p->alpha)
		point.regime = "outside: T_l below 2 targets";
	else if (point.peak < 1 + 1 / g)
		point.regime = "outside: window below 1 packet";
	if (point.throughput >= p->rate)
		return uncongested(p, "rate");
	return point;
}

/* --- Swift that tolerates reordering ------------------------------------------ */

/* The share of the window that feedback of this delay takes; 0: that of a late packet. */
static double cut_share(const struct nc_collapse *p, double window, double delay)
{
	double late = delay > 0 ? delay : p->tl;
	double excess = (late - nc_collapse_target(p, window)) / late;

	return fmin(fmax(p->beta * excess, 0), p->mdf);
}

/**
 * nc_collapse_wrong() - is a parameter outside what the models allow?
 * @p: parameters
 * @text: set to a line about the first that is
 * @size: of @text
 *
 * Return: whether one is.
 */
bool nc_collapse_wrong(const struct nc_collapse *p, char *text, size_t size)
{
	const struct limit limits[] = {
		{ "ts (s)", p->ts, 0, INFINITY },
		{ "tl (s)", p->tl, p->ts, INFINITY },
		{ "mss (bytes)", p->mss, 0, INFINITY },
		{ "rate (bit/s)", p->rate, 0, INFINITY },
		{ "ai (packets)", p->ai, 0, INFINITY },
		{ "mdf", p->mdf, 0, 1 },
		{ "beta", p->beta, 0, nextafter(1, 2) },
		{ "base-target (s)", p->base_target, p->ts, INFINITY },
		{ "fs-range (s)", p->fs_range, -DBL_MIN, INFINITY },
		{ "fs-min (packets)", p->fs_min, 0, INFINITY },
		{ "fs-max (packets)", p->fs_max, p->fs_min, INFINITY },
		{ "alpha", p->alpha, 1, SMARTT_TARGET },
		{ "time (s)", p->time, 0, INFINITY },
		{ "first (packets)", p->first, -DBL_MIN, INFINITY },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		const struct limit *l = &limits[i];

		if (l->value > l->above && l->value < l->below)
			continue;
		snprintf(text, size, "%s %.9g: allowed is above %.9g, below %.9g",
			 l->name, l->value, l->above, l->below);
		return true;
	}
	if (nc_collapse_top_window(p, 1) <= WINDOW_MAX)
		return false;
	snprintf(text, size, "rate, --tl, --mss: a window of %.9g packets: allowed is up to %.9g",
		 nc_collapse_top_window(p, 1), WINDOW_MAX);
	return true;
}

/*
 * How many packets arrive while the gate is closed: those in flight at the cut,
 * or some more if the smoothed RTT has just learnt of a late packet.
 */
static double gate_packets(const struct nc_collapse *p, double q, double window)
{
	double mean = nc_collapse_mean_rtt(p, q);

	if (p->view == NC_VIEW_PAPER)
		return window;
	return window * (mean + SRTT_GAIN * (p->tl - mean)) / mean;
}

/*
 * Packets that grow the window between two cuts. Behind the gate a cut waits for
 * the feedback to turn late, if it is not at once.
 */
static double growing(const struct nc_collapse *p, double q, double window,
		      const struct rule *rule)
{
	double free = 1 - rule->late;

	if (rule->cycle > 0)
		return rule->cycle;
	if (free < ROUNDING)	/* runs of timely feedback are short then */
		return 0;
	if (!(rule->turns > 0))
		return free > 0.5 ? INFINITY : 0;
	return free * gate_packets(p, q, window) + free * free / rule->turns;
}

/*
 * In turn. The median of an even number, half of which are late, is the mean of
 * both delays: a small window's target is above it, and what it takes is less.
 */
static void refresh_in_turn(const struct nc_collapse *p, double q, double window,
			    struct rule *rule)
{
	double mean = (p->ts + p->tl) / 2;

	rule->delay = 0;
	nc_median_cyclic(q, window / 2, false, &rule->late, &rule->turns);
	if (rule->late > 0 || !(mean > nc_collapse_target(p, window)))
		return;
	rule->delay = mean;
	nc_median_cyclic(q, window / 2, true, &rule->late, &rule->turns);
}

/*
 * Above 0: a cut from this window takes more than grows until the next one.
 * In packets; W c (2 - c) - 2 ai N / W = 0 is the steady state. For a rule that
 * does not depend on the window it increases with W, since c does: one root.
 */
static double balance(const struct nc_collapse *p, double q, double window,
		      struct rule *rule)
{
	double cut;

	if (rule->median)
		refresh_in_turn(p, q, window, rule);
	cut = cut_share(p, window, rule->delay);
	if (!(cut > 0))		/* the late paths are below the target, too */
		return -2 * p->ai;
	return window * cut * (2 - cut) -
	       2 * p->ai * growing(p, q, window, rule) / window;
}

/*
 * The largest window not above high to which a flow returns: below it the balance
 * is negative, above it is not. Bisection, so that it ends for certain; kinks at
 * the limits of target and cut do not matter. high: it grows beyond that.
 */
static double steady_window(const struct nc_collapse *p, double q, double high,
			    struct rule *rule)
{
	double low = high;
	int i;

	while (low > SMALLEST && balance(p, q, low, rule) >= 0) {
		high = low;
		low *= STEP;
	}
	if (low <= SMALLEST || low == high)
		return fmax(low, SMALLEST);
	for (i = 0; i < DBL_MANT_DIG; i++) {
		double mid = (low + high) / 2;

		if (balance(p, q, mid, rule) < 0)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/*
 * Packets a second of a sawtooth between two windows. While more is in flight
 * than fills the line, the RTT grows with it. Half a packet of the window is, on
 * average, not sent, because packets are whole; a window below 1 is paced exactly.
 */
static double sawtooth_rate(const struct nc_collapse *p, double q, double peak,
			    double trough)
{
	double full = nc_collapse_full_window(p, q), unsent, below, above;

	if (p->view == NC_VIEW_STACK) {
		unsent = fmin(fmax(trough - 1, 0), 1) / 2;
		peak -= unsent;
		trough -= unsent;
	}
	below = fmin(peak, full) - fmin(trough, full);
	above = (pow(fmax(peak, full), 2) - pow(fmax(trough, full), 2)) / (2 * full);
	return packets_rate(p, (peak * peak - trough * trough) / 2 / (below + above),
			    nc_collapse_mean_rtt(p, q));
}

/* The steady state of a window; a cut of nothing is a window that stands. */
static struct nc_collapse_point steady_point(const struct nc_collapse *p, double q,
					     double window, struct rule *rule)
{
	struct nc_collapse_point point = {
		.peak = window, .regime = "holds",
		.residual = balance(p, q, window, rule),
	};
	double trough;

	point.cut = cut_share(p, window, rule->delay);
	trough = window * (1 - fmax(point.cut, DBL_EPSILON));
	point.throughput = fmin(sawtooth_rate(p, q, window, trough), p->rate);
	if (window < 1)
		point.regime = "outside: window below 1 packet";
	else if (point.cut < p->beta * (1 - p->base_target / p->tl) / 4)
		point.regime = "flow scaling: late paths nearly on target";
	else if (1 / q < gate_packets(p, q, window))
		point.regime = "gate: one cut an RTT";
	return point;
}

/*
 * Paths in turn: a late packet every n, of which the first to find the gate open
 * cuts, that is every k-th. The smallest k whose cycle is as long as the gate is
 * the one: with k - 1 the gate would still have been closed. The window grows with
 * k, and the gate with the window: so no k below q times a gate is long enough.
 */
static struct nc_collapse_point in_turn(const struct nc_collapse *p, double q)
{
	double top = nc_collapse_top_window(p, q), window;
	struct rule rule = { .late = q };
	double k = 0, gate = 0;

	do {
		k = fmax(k + 1, floor(q * gate));
		rule.cycle = k * (1 / q - 1);
		window = steady_window(p, q, top, &rule);
		if (window >= top)
			return uncongested(p, "rate");
		gate = gate_packets(p, q, window);
	} while (k / q < gate);
	return steady_point(p, q, window, &rule);
}

/**
 * nc_collapse_lswift() - theorem 5: every late packet is a delay above target
 * @p: parameters
 * @q: share of the packets that are late
 */
struct nc_collapse_point nc_collapse_lswift(const struct nc_collapse *p, double q)
{
	struct rule rule = { .late = q, .turns = q * (1 - q) };
	double top, window;

	if (!(q > 0) || p->tl <= p->base_target)
		return uncongested(p, "rate");
	if (p->view == NC_VIEW_PAPER && q < 1)
		return in_turn(p, q);
	top = nc_collapse_top_window(p, q);
	window = steady_window(p, q, top, &rule);
	if (window >= top)
		return uncongested(p, "rate");
	return steady_point(p, q, window, &rule);
}

/**
 * nc_collapse_lswift_flat() - theorem 5 without flow scaling
 * @p: parameters
 * @q: share of the packets that are late
 */
struct nc_collapse_point nc_collapse_lswift_flat(const struct nc_collapse *p,
						 double q)
{
	struct nc_collapse flat = *p;

	flat.fs_range = 0;
	return nc_collapse_lswift(&flat, q);
}

/**
 * nc_collapse_lswift_first() - theorem 5 to the first order in flow scaling
 * @p: parameters
 * @q: share of the packets that are late
 *
 * With target = b + a / sqrt(W) and c0 = beta (T_l - b) / T_l:
 *   X = MSS / T sqrt(ai (1/c0 - 1/2) (1/q - 1)) (1 + e)
 *   e = beta a / (T_l sqrt(W0)) / (c0 (2 - c0)),  W0 = peak for c0
 * W0 is 0 where all are late, and its root times e is not; from c0 = 2 on there is none.
 */
struct nc_collapse_point nc_collapse_lswift_first(const struct nc_collapse *p,
						  double q)
{
	double a = p->fs_range / (1 / sqrt(p->fs_min) - 1 / sqrt(p->fs_max));
	double b = p->base_target - a / sqrt(p->fs_max);
	double c0 = p->beta * (p->tl - b) / p->tl;
	struct nc_collapse_point point = { .regime = "first order" };
	double first, mean;

	if (!(q > 0) || p->tl <= p->base_target)
		return uncongested(p, "rate");
	if (c0 >= 2) {
		point.cut = c0;
		point.regime = "outside: the cut is max_mdf";
		return point;
	}
	point.peak = sqrt(2 * p->ai * (1 / q - 1) / (c0 * (2 - c0)));
	first = p->beta * a / p->tl / (c0 * (2 - c0));	/* e sqrt(W0) */
	point.cut = point.peak > 0 ?
		c0 - first / sqrt(point.peak) * c0 * (2 - c0) : -INFINITY;
	mean = sqrt(point.peak) * (1 - c0 / 2) * (sqrt(point.peak) + first);
	point.throughput = fmin(packets_rate(p, mean, nc_collapse_mean_rtt(p, q)), p->rate);
	if (point.throughput >= p->rate)
		point.regime = "rate";
	else if (point.cut > p->mdf)
		point.regime = "outside: the cut is max_mdf";
	else if (point.cut < 0)
		point.regime = "outside: target above T_l";
	return point;
}

/* --- the median ---------------------------------------------------------------- */

/* In turn there is no chance: steady states, of which the largest counts. */
static struct nc_collapse_point median_in_turn(const struct nc_collapse *p, double q)
{
	double top = nc_collapse_top_window(p, q), window;
	struct rule rule = { .median = true };
	struct nc_collapse_point point;

	window = steady_window(p, q, top, &rule);
	if (window < top) {
		point = steady_point(p, q, window, &rule);
		if (rule.late > 0.5)
			point.regime = "majority late";
		return point;
	}
	while (window > SMALLEST && balance(p, q, window, &rule) < 0)
		window *= STEP;
	return uncongested(p, window > SMALLEST ? "holds; a small window stays small" :
						  "holds");
}

/**
 * nc_collapse_mswift() - theorem 6: late only if the median of W / 2 packets is
 * @p: parameters
 * @q: share of the packets that are late
 *
 * In turn it starts from a full line. Where another, smaller window is steady as
 * well, the regime says so.
 */
struct nc_collapse_point nc_collapse_mswift(const struct nc_collapse *p, double q)
{
	struct nc_collapse_point point;

	if (!(q > 0) || p->tl <= p->base_target)
		return uncongested(p, "rate");
	q = fmin(q, 1 - DBL_EPSILON);
	if (p->view == NC_VIEW_PAPER)
		return median_in_turn(p, q);
	if (nc_collapse_chain(p, q, &point))
		return (struct nc_collapse_point){ .throughput = NAN, .regime = "no memory" };
	if (q >= 0.5)
		point.regime = "majority late";
	else if (point.throughput < HELD * p->rate)
		point.regime = "lost in --time";
	return point;
}

/* --- all of them ---------------------------------------------------------------- */

const struct nc_collapse_model nc_collapse_models[NC_COLLAPSE_MODELS] = {
	{ "reno", "TCP (theorem 1)", nc_collapse_reno },
	{ "dctcp", "DCTCP, at most (2)", nc_collapse_dctcp },
	{ "swift", "Swift (3)", nc_collapse_swift },
	{ "smartt", "SMaRTT (4)", nc_collapse_smartt },
	{ "lswift", "lswift (5)", nc_collapse_lswift },
	{ "lswift-flat", "lswift, flat target (5)", nc_collapse_lswift_flat },
	{ "lswift-1st", "lswift, first order", nc_collapse_lswift_first },
	{ "mswift", "mswift (6)", nc_collapse_mswift },
};

/**
 * nc_collapse_model() - a model by its name
 * @name: as in nc_collapse_models
 *
 * Return: the model, NULL if there is none.
 */
const struct nc_collapse_model *nc_collapse_model(const char *name)
{
	int i;

	for (i = 0; i < NC_COLLAPSE_MODELS; i++)
		if (!strcmp(nc_collapse_models[i].name, name))
			return &nc_collapse_models[i];
	return NULL;
}
