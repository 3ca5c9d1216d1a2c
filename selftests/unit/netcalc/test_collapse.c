// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tools/netcalc/collapse*.c: Table I written out once more, the steady
 * state equation, a random walk of single packets, all words of a short history.
 */
#include <stdlib.h>
#include <unistd.h>

#include "collapse.h"
#include "collapse_median.h"
#include "spray.h"
#include "unit.h"

#define TIGHT		0.000000001	/* relative, where both sides are closed forms */
#define RARE		0.00000001	/* q so small that limits are reached */
#define NO_LIMIT	1e18	/* bit/s: no model reaches it */
#define NAMES		"reno dctcp swift smartt lswift lswift-flat lswift-1st mswift"
#define WALK_PACKETS	2000000
#define LONGEST		7	/* history of which all words are tried */
#define LONGEST_WALK	64	/* and of which packets are counted */

static const double shares[] = { 1.0 / 256, 1.0 / 100, 1.0 / 64, 1.0 / 16, 0.1,
				 0.25, 0.3, 0.4, 0.5, 0.75, 0.95 };

static const struct nc_collapse defaults = NC_COLLAPSE_DEFAULTS;

static struct nc_collapse without_limit(enum nc_collapse_view view)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;

	p.rate = NO_LIMIT;
	p.view = view;
	return p;
}

static void expect_close(const char *what, double got, double want, double part)
{
	unit_near(__FILE__, __LINE__, what, got, want, fabs(want) * part);
}

/* d log(throughput) / d log(q) */
static double slope_at(nc_collapse_fn *model, const struct nc_collapse *p, double q)
{
	double factor = 1.01;

	return log(model(p, q * factor).throughput / model(p, q / factor).throughput) /
	       (2 * log(factor));
}

/* --- Table I ------------------------------------------------------------------ */

static void reno__table_one(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_STACK);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		double want = 8 * 4024 / (120 * NC_US) * 1.224744871391589 / sqrt(shares[i]);

		expect_close("reno", nc_collapse_reno(&p, shares[i]).throughput, want, TIGHT);
		expect_close("dctcp", nc_collapse_dctcp(&p, shares[i]).throughput, want, TIGHT);
	}
}

static void reno__figures(void)
{
	EXPECT_NEAR(nc_collapse_reno(&defaults, 1.0 / 64).throughput, 2.6285e9, 1e5);
	EXPECT_NEAR(nc_collapse_reno(&defaults, 0.000001).throughput, defaults.rate, 0);
	EXPECT_TEXT(nc_collapse_reno(&defaults, 0.000001).regime, "rate");
	EXPECT_TEXT(nc_collapse_reno(&defaults, 1.0 / 64).regime, "holds");
	EXPECT_TEXT(nc_collapse_reno(&defaults, 0.25).regime,
		    "outside: window below 4 packets");
}

static void swift__table_one(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_STACK);
	double mdf, ai, want;

	for (mdf = 0.1; mdf < 1; mdf += 0.2) {
		for (ai = 0.5; ai < 5; ai *= 2) {
			p.mdf = mdf;
			p.ai = ai;
			want = 8 * p.mss / p.ts * sqrt((1 / mdf - 0.5) * ai) / sqrt(0.01);
			expect_close("swift", nc_collapse_swift(&p, 0.01).throughput, want,
				     TIGHT);
		}
	}
}

static void swift__regimes(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;

	EXPECT_TEXT(nc_collapse_swift(&p, 1.0 / 64).regime, "holds");
	p.tl = 2 * p.ts;
	EXPECT_TEXT(nc_collapse_swift(&p, 1.0 / 64).regime, "outside: T_l is 2 T_s or more");
}

/* Appendix A's expression, letter by letter. */
static double paper_smartt(const struct nc_collapse *p, double q)
{
	double bdp = p->rate * (p->ts / p->alpha) / (8 * p->mss);
	double a = (12 - 7 * p->alpha) / (4 * p->alpha), g = 1 - 0.8 / bdp;
	double root = sqrt(g * g * (1 - 2 * a / q) + 2 * a / q);
	double average = (1 - q) * p->ts + q * p->tl;

	return a * 8 * p->mss /
	       (q * (g + (1 - g) * (-g * g + root) / (1 - g * g)) * average);
}

static void smartt__appendix(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	double q;

	for (q = 1.0 / 64; q < 1; q *= 1.3) {
		struct nc_collapse_point point = nc_collapse_smartt(&p, q);

		expect_close("smartt", point.throughput, paper_smartt(&p, q),
			     10 * TIGHT);
		EXPECT_NEAR(point.residual, 0, TIGHT);
	}
}

/* Packet by packet: A / W each, one packet and the share fd / BDP every n-th. */
static void smartt__walk(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	double bdp = p.rate * p.ts / p.alpha / (8 * p.mss);
	double a = (12 - 7 * p.alpha) / (4 * p.alpha), w = 10, time = 0;
	int i, n = 40;

	for (i = 1; i <= WALK_PACKETS; i++) {
		time += 1 / w;
		w += a / w;
		if (i % n == 0)
			w = (w - 1) * (1 - 0.8 / bdp);
	}
	expect_close("smartt", nc_collapse_smartt(&p, 1.0 / n).throughput,
		     8 * p.mss * WALK_PACKETS / time / (p.ts + (p.tl - p.ts) / n), 0.01);
}

/* Below a line's rate it falls like 1/q rather than 1/sqrt(q); see the page. */
static void smartt__slope(void)
{
	EXPECT_BETWEEN(slope_at(nc_collapse_smartt, &defaults, 1.0 / 16), -1.0, -0.85);
	EXPECT_BETWEEN(slope_at(nc_collapse_smartt, &defaults, 1.0 / 64), -0.85, -0.69);
}

/* --- theorem 5 ------------------------------------------------------------------- */

/* The target as the Swift paper writes it. */
static double paper_target(const struct nc_collapse *p, double w)
{
	double alpha = p->fs_range / (1 / sqrt(p->fs_min) - 1 / sqrt(p->fs_max));
	double beta = -alpha / sqrt(p->fs_max);

	return p->base_target + fmin(fmax(alpha / sqrt(w) + beta, 0), p->fs_range);
}

static double paper_cut(const struct nc_collapse *p, double w)
{
	return 1 - fmax(1 - p->beta * (p->tl - paper_target(p, w)) / p->tl, 1 - p->mdf);
}

static void target__paper(void)
{
	double w;

	for (w = 0.01; w < 1000; w *= 1.1)
		expect_close("target", nc_collapse_target(&defaults, w),
			     paper_target(&defaults, w), TIGHT);
}

static void lswift__steady_state(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_STACK);
	double q, w, c, rtt, gate;

	for (q = 0.000001; q < 1; q *= 1.5) {
		struct nc_collapse_point point = nc_collapse_lswift(&p, q);

		w = point.peak;
		c = paper_cut(&p, w);
		rtt = (1 - q) * p.ts + q * p.tl;
		gate = (rtt + (p.tl - rtt) / 8) / rtt * w;
		EXPECT_NEAR((w * w * c * (2 - c) - 2 * p.ai * (1 - q) * (gate + 1 / q)) / w,
			    0, TIGHT * fmax(w, 1));
		EXPECT_NEAR(point.residual, 0, TIGHT * fmax(w, 1));
	}
}

static void lswift__paper_view(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_PAPER);
	double q, w, c;

	for (q = 0.000001; q < 1.0 / 32; q *= 1.5) {	/* one cut a cycle */
		w = nc_collapse_lswift(&p, q).peak;
		c = paper_cut(&p, w);
		expect_close("w^2 c (2 - c)", w * w * c * (2 - c), 2 * (1 / q - 1), TIGHT);
		expect_close("throughput", nc_collapse_lswift(&p, q).throughput,
			     8 * p.mss * w * (1 - c / 2) / ((1 - q) * p.ts + q * p.tl),
			     TIGHT);
	}
}

/* A flat target is theorem 3 with another cut, the mean RTT, and 1/q - 1. */
static void lswift_flat__theorem_three(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_PAPER);
	double c = 0.8 * (220 - 145) / 220, q = 1.0 / 64;
	double rtt = (120 + 100.0 / 64) * NC_US;

	expect_close("flat", nc_collapse_lswift_flat(&p, q).throughput,
		     8 * p.mss / rtt * sqrt((1 / c - 0.5) * (1 / q - 1)), TIGHT);
}

/* Late packets in turn, so many that the gate lets only every k-th cut. */
static void lswift_flat__gate_in_turn(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_PAPER);
	double c = 0.8 * (220 - 145) / 220, w;

	w = nc_collapse_lswift_flat(&p, 0.5).peak;	/* k = 2: 4 packets a cycle */
	expect_close("w^2 c (2 - c)", w * w * c * (2 - c), 2 * 2, TIGHT);
	EXPECT_BETWEEN(w, 2, 4);
}

/*
 * Single packets, late at random; a cut closes the gate for so many packets as
 * are in flight. Tests the model's step from the mean cycle to the mean rate.
 */
static double walk_lswift(const struct nc_collapse *p, double q)
{
	double rtt = (1 - q) * p->ts + q * p->tl, w = 10, time = 0, gate = 0;
	int i;

	for (i = 0; i < WALK_PACKETS; i++) {
		bool late = (double)(unit_rand() >> 11) / (double)(1ULL << 53) < q;

		time += rtt / (w - 0.5);
		gate -= 1;
		if (!late) {
			w += p->ai / w;
		} else if (gate < 0) {
			gate = w * (rtt + (p->tl - rtt) / 8) / rtt;
			w *= 1 - paper_cut(p, w);
		}
	}
	return 8 * p->mss * WALK_PACKETS / time;
}

static void lswift__walk(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_STACK);
	static const double q[] = { 1.0 / 250, 1.0 / 64, 1.0 / 16, 0.25, 0.5 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(q); i++)
		expect_close("lswift", nc_collapse_lswift(&p, q[i]).throughput,
			     walk_lswift(&p, q[i]), 0.04);
	p.fs_range = 0;			/* small windows: half a packet matters */
	expect_close("flat", nc_collapse_lswift(&p, 0.25).throughput,
		     walk_lswift(&p, 0.25), 0.055);
}

static void lswift__regimes(void)
{
	EXPECT_TEXT(nc_collapse_lswift(&defaults, 1.0 / 64).regime, "holds");
	EXPECT_TEXT(nc_collapse_lswift(&defaults, 0.25).regime, "gate: one cut an RTT");
	EXPECT_TEXT(nc_collapse_lswift(&defaults, 0.9).regime,
		    "flow scaling: late paths nearly on target");
	EXPECT_TEXT(nc_collapse_lswift(&defaults, 0.0001).regime, "rate");
	EXPECT_TEXT(nc_collapse_lswift_flat(&defaults, 0.95).regime,
		    "outside: window below 1 packet");
}

static void lswift__slope(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_STACK);

	EXPECT_NEAR(slope_at(nc_collapse_reno, &p, 0.001), -0.5, TIGHT);
	EXPECT_NEAR(slope_at(nc_collapse_swift, &p, 0.001), -0.5, TIGHT);
	EXPECT_NEAR(slope_at(nc_collapse_lswift, &p, RARE), -0.5, 0.001);
	EXPECT_NEAR(slope_at(nc_collapse_lswift_flat, &p, RARE), -0.5, 0.001);
	EXPECT_BETWEEN(slope_at(nc_collapse_lswift, &p, 1.0 / 16), -0.4, -0.2);
}

/* Where late packets are many, the window stays where they are on target. */
static void lswift__floor(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_STACK);
	double w = nc_collapse_lswift(&p, 0.999).peak;

	EXPECT_NEAR(nc_collapse_target(&p, w), p.tl, 0.02 * p.tl);
	EXPECT_BETWEEN(nc_collapse_lswift(&p, 1).peak, 5.7, 5.8);
}

/*
 * The first order is off by the square of its term: with a wide range of flow
 * scaling, 16 times rarer lateness means twice the window's root and a quarter
 * of the error.
 */
static void lswift_first__error(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_PAPER);
	double q, e, error, before = 0;

	p.fs_max = 1e12;
	for (q = 0.0001; q > RARE / 1000; q /= 16) {
		double first = nc_collapse_lswift_first(&p, q).throughput;
		double exact = nc_collapse_lswift(&p, q).throughput;
		double c0 = p.beta * (p.tl - p.base_target) / p.tl;

		e = first * ((1 - q) * p.ts + q * p.tl) / (8 * p.mss) /
		    sqrt((1 / c0 - 0.5) * (1 / q - 1)) - 1;
		error = exact / first - 1;
		EXPECT_BETWEEN(fabs(error), 0, e * e);
		if (before && q < 10 * RARE)
			EXPECT_NEAR(error / before, 0.25, 0.05);
		before = error;
	}
}

static void lswift_first__regimes(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_PAPER);

	EXPECT_TEXT(nc_collapse_lswift_first(&p, 1.0 / 64).regime, "first order");
	EXPECT_TEXT(nc_collapse_lswift_first(&p, 0.25).regime,
		    "outside: target above T_l");
	EXPECT_TEXT(nc_collapse_lswift_first(&p, 1).regime, "outside: target above T_l");
	p.tl = 0.002;
	EXPECT_TEXT(nc_collapse_lswift_first(&p, 1.0 / 1024).regime,
		    "outside: the cut is max_mdf");
}

/* Its limits are numbers: all late leaves nothing, and a cut by all is none. */
static void lswift_first__ends(void)
{
	struct nc_collapse p = without_limit(NC_VIEW_PAPER);

	EXPECT_NEAR(nc_collapse_lswift_first(&p, 1).throughput, 0, 0);
	EXPECT_BETWEEN(nc_collapse_lswift_first(&p, .999999999).throughput, 0,
		       nc_collapse_lswift_first(&p, .9999999).throughput);
	p.fs_range = 1;		/* base_target - a / sqrt(fs_max) is below 0 */
	EXPECT_NEAR(nc_collapse_lswift_first(&p, 0.25).throughput, 0, 0);
	EXPECT_TEXT(nc_collapse_lswift_first(&p, 0.25).regime, "outside: the cut is max_mdf");
}

/* --- theorem 6 ------------------------------------------------------------------- */

static int ones(unsigned int word)
{
	return __builtin_popcount(word);
}

/* Over all words of a history and the packet before it. */
static void all_words(double q, int h, int needed)
{
	double late = 0, turns = 0;
	struct nc_median got = nc_median_mixed(q, h, needed);
	unsigned int word;

	for (word = 0; word < 1U << (h + 1); word++) {
		double p = pow(q, ones(word)) * pow(1 - q, h + 1 - ones(word));
		bool now = ones(word & ((1U << h) - 1)) >= needed;
		bool before = ones(word >> 1) >= needed;

		late += p * now;
		turns += p * (now && !before);
	}
	expect_close("late", exp(got.late), late, TIGHT);
	expect_close("turns", exp(got.turns), turns, TIGHT);
}

/* More than half, and half of an even number. */
static void mixed_median__all_words(void)
{
	int h;

	for (h = 1; h <= LONGEST; h++) {
		all_words(0.3, h, h / 2 + 1);
		all_words(0.7, h, (h + 1) / 2);
	}
}

/* The latest packet alone is lswift. */
static void mixed_median__of_one(void)
{
	struct nc_median m = nc_median_mixed(0.1, 1, 1);

	EXPECT_NEAR(exp(m.late), 0.1, TIGHT);
	EXPECT_NEAR(exp(m.turns), 0.09, TIGHT);
	EXPECT_NEAR(exp(nc_median_spaced(0.1, 1, 1).late), 0.1, TIGHT);
}

static bool chance(double q)
{
	return (double)(unit_rand() >> 11) / (double)(1ULL << 53) < q;
}

/* A slot for a late packet, one for a timely one, and so on; count among those that come. */
static void count_slots(double q, int h, int needed)
{
	struct nc_median want = nc_median_spaced(q, h, needed);
	int acks = 0, late = 0, turns = 0, among = 0, slot;
	bool ring[LONGEST_WALK] = { 0 }, before = false;

	for (slot = 0; slot < WALK_PACKETS; slot++) {
		bool is_late = slot % 2, now;

		if (!chance(is_late ? q : 1 - q))
			continue;
		among += is_late - ring[acks % h];
		ring[acks % h] = is_late;
		acks++;
		now = among >= needed;
		late += now;
		turns += now && !before;
		before = now;
	}
	expect_close("late", (double)late / acks, exp(want.late), 0.03);
	expect_close("turns", (double)turns / acks, exp(want.turns), 0.03);
}

static void spaced_median__slots(void)
{
	static const double q[] = { 0.28, 0.35, 0.45, 0.6 };
	size_t i;

	unit_state = 88172645463325252ULL;
	for (i = 0; i < ARRAY_SIZE(q); i++) {
		count_slots(q[i], 1, 1);
		count_slots(q[i], 5, 3);
		count_slots(q[i], 8, 4);
	}
	count_slots(0.4, 8, 5);
	count_slots(0.4, 19, 10);
	count_slots(0.4, 20, 10);
}

/* What is sent evenly is late less often than what is late by chance: a third at 0.3. */
static void spaced_median__varies_less(void)
{
	double even = nc_median_spaced(0.3, 19, 10).late, mixed = nc_median_mixed(0.3, 19, 10).late;

	EXPECT_BETWEEN(exp(even - mixed), 0.01, 0.5);
	EXPECT_BETWEEN(nc_median_spaced(0.999999, 2048, 1025).late, -TIGHT, 0);
	EXPECT_BETWEEN(nc_median_spaced(0.000001, 2048, 1025).late, -1e5, -1e4);
}

/* The late ones of h packets before time t, of which floor(t q) steps are. */
static int late_of(double q, int t, int h)
{
	return (int)(floor((t + h) * q + 0.123) - floor(t * q + 0.123));
}

/* Count in a long word. */
static void count_median(double q, int h, bool half)
{
	int found = 0, turned = 0, before = 0, t;
	double late, turns;

	for (t = 0; t < 10000; t++) {
		int count = late_of(q, t, h);
		int now = 2 * count > h || (half && 2 * count == h);

		found += now;
		turned += now && !before && t;
		before = now;
	}
	nc_median_cyclic(q, h, half, &late, &turns);
	EXPECT_NEAR(late, found / 1e4, 0.002);
	EXPECT_NEAR(turns, turned / 1e4, 0.002);
}

static void cyclic_median__words(void)
{
	static const double q[] = { 0.21, 0.34, 0.4, 0.45, 0.51, 0.7 };
	size_t i;
	int h;

	for (i = 0; i < ARRAY_SIZE(q); i++)
		for (h = 3; h < 30; h++) {
			count_median(q[i], h, false);
			count_median(q[i], h, true);
		}
}

/* mswift packet by packet, paths in turn; does this window get to fill the line? */
static bool recovers(const struct nc_collapse *p, double q, double window)
{
	double full = p->rate * p->ts / (8 * p->mss), gate = 0;
	int t;

	for (t = 0; t < 30000 && window < full; t++) {
		int h = (int)fmax(window / 2, 3), count = late_of(q, t, h);
		double median = 2 * count > h ? p->tl : 2 * count < h ? p->ts :
				(p->ts + p->tl) / 2;
		double target = nc_collapse_target(p, window);

		if (median <= target) {
			window += p->ai / window;
		} else if (t >= gate) {
			window *= 1 - fmin(p->beta * (median - target) / median, p->mdf);
			gate = t + window;
		}
	}
	return window >= full;
}

/* The mean of both delays is not late for a small window: it recovers up to 0.42. */
static void mswift__a_small_window_recovers(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	double q;

	p.view = NC_VIEW_PAPER;
	for (q = 0.34; q < 0.425; q += 0.01) {
		EXPECT_EQ(recovers(&p, q, 3), true);
		EXPECT_EQ(recovers(&p, q, 8), true);
		EXPECT_TEXT(nc_collapse_mswift(&p, q).regime, "holds");
	}
	EXPECT_EQ(recovers(&p, 0.45, 3), false);
	EXPECT_EQ(recovers(&p, 0.45, 8), false);
	EXPECT_TEXT(nc_collapse_mswift(&p, 0.45).regime,
		    "holds; a small window stays small");
}

static void mswift__theorem_six(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	double q;

	p.view = NC_VIEW_PAPER;
	for (q = 0.01; q < 1.0 / 3; q += 0.01)
		EXPECT_NEAR(nc_collapse_mswift(&p, q).throughput, p.rate, 0);
	EXPECT_TEXT(nc_collapse_mswift(&p, 0.2).regime, "holds");
	EXPECT_BETWEEN(nc_collapse_mswift(&p, 0.55).throughput, 0, 0.2 * p.rate);
}

/* In random order the edge depends on the window: further for a faster line. */
static void mswift__random_edge(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;

	EXPECT_NEAR(nc_collapse_mswift(&p, 0.25).throughput, p.rate, p.rate / 5000);
	EXPECT_BETWEEN(nc_collapse_mswift(&p, 0.33).throughput, 0, 0.4 * p.rate);
	p.rate *= 16;
	EXPECT_NEAR(nc_collapse_mswift(&p, 0.4).throughput, p.rate, p.rate / 5000);
	EXPECT_BETWEEN(nc_collapse_mswift(&p, 0.5).throughput, 0, 0.2 * p.rate);
}

/*
 * The algorithm itself beside the model: from a full line, at shares that it holds, that it
 * loses in these 500 RTTs with some seeds and not with others, and that it does not hold.
 */
static void mswift__as_the_alg_does(void)
{
	static const double q[] = { 0.25, 0.29, 0.34, 0.4, 0.6 };
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	size_t i;

	p.time = 500 * p.ts;
	for (i = 0; i < ARRAY_SIZE(q); i++) {
		double alg = mean_share(q[i], PACKET_NS, 46, 500, 6, tool_alg_at(2));

		expect_close("share of the line", nc_collapse_mswift(&p, q[i]).throughput / p.rate,
			     alg, 0.15);
	}
}

/* The window, as Little has it; half a packet of it is not sent. */
static double mean_window(const struct nc_collapse *p, double q)
{
	return nc_collapse_mswift(p, q).throughput * nc_collapse_mean_rtt(p, q) /
	       (8 * p->mss) + 0.5;
}

static void mswift__majority_late(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;

	p.first = 10;
	EXPECT_TEXT(nc_collapse_mswift(&p, 0.75).regime, "majority late");
	EXPECT_BETWEEN(mean_window(&p, 0.75), 5.7, 7);
	EXPECT_NEAR(mean_window(&p, 1), 5.76, 0.15);
}

/* From ten packets a fast line is not reached where a full one is kept; and it takes time. */
static void mswift__first_window(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;

	p.rate *= 4;
	EXPECT_TEXT(nc_collapse_mswift(&p, 0.2).regime, "holds");
	EXPECT_TEXT(nc_collapse_mswift(&p, 0.33).regime, "holds; a small window stays small");
	p.first = 10;
	EXPECT_BETWEEN(nc_collapse_mswift(&p, 0.2).throughput / p.rate, 0.9, 0.97);
	EXPECT_BETWEEN(nc_collapse_mswift(&p, 0.33).throughput / p.rate, 0.05, 0.2);
	EXPECT_TEXT(nc_collapse_mswift(&p, 0.33).regime, "lost in --time");
	p.first = 0;
	p.time *= 1e6;
	EXPECT_BETWEEN(nc_collapse_mswift(&p, 0.33).throughput / p.rate, 0.05, 0.5);
}

/* --- all of them ------------------------------------------------------------------ */

static void models__fall_with_q(void)
{
	double q, now, before;
	int i;

	for (i = 0; i < NC_COLLAPSE_MODELS; i++) {
		before = defaults.rate;
		for (q = 0.0001; q < 1; q *= 1.02) {
			now = nc_collapse_models[i].at(&defaults, q).throughput;
			if (!(now > 0 && now <= before * (1 + TIGHT)))
				unit_fail(__FILE__, __LINE__, "%s at q %g: %g after %g",
					  nc_collapse_models[i].name, q, now, before);
			before = now;
		}
	}
}

static void models__no_congestion(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	int i;

	for (i = 0; i < NC_COLLAPSE_MODELS; i++)
		EXPECT_NEAR(nc_collapse_models[i].at(&p, 0).throughput, p.rate, 0);
	p.tl = 140 * NC_US;		/* below the target: no reason to cut */
	EXPECT_NEAR(nc_collapse_lswift(&p, 0.5).throughput, p.rate, 0);
	EXPECT_NEAR(nc_collapse_mswift(&p, 0.5).throughput, p.rate, 0);
}

/* --- messages ---------------------------------------------------------------------- */

static void wrong__names_value(void)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;
	char text[256];

	EXPECT_EQ(nc_collapse_wrong(&p, text, sizeof(text)), false);
	p.beta = 1;
	EXPECT_EQ(nc_collapse_wrong(&p, text, sizeof(text)), false);
	p.mdf = 1;
	EXPECT_EQ(nc_collapse_wrong(&p, text, sizeof(text)), true);
	EXPECT_TEXT(text, "mdf 1: allowed is above 0, below 1");
	p.tl = 100 * NC_US;
	EXPECT_EQ(nc_collapse_wrong(&p, text, sizeof(text)), true);
	EXPECT_TEXT(text, "tl (s) 0.0001: allowed is above 0.00012, below inf");
}

/* What reading a file of this content says; empty: nothing wrong. */
static const char *read_text(const char *content, size_t *count)
{
	static char text[512];
	char path[] = "/tmp/test_collapse.XXXXXX";
	struct nc_measured *points;
	int fd = mkstemp(path);

	*text = '\0';
	if (fd < 0 || write(fd, content, strlen(content)) < 0)
		unit_fail(__FILE__, __LINE__, "no scratch file");
	close(fd);
	nc_collapse_read(path, &points, count, text, sizeof(text));
	free(points);
	unlink(path);
	return strncmp(text, path, strlen(path)) ? text : text + strlen(path);
}

static void read__messages(void)
{
	size_t count;

	EXPECT_TEXT(read_text("n,throughput_bps,model,q\n4,1e9,reno,0.25\n", &count), "");
	EXPECT_EQ(count, 1);
	EXPECT_TEXT(read_text("", &count),
		    ": empty: it has no line that names the columns");
	EXPECT_TEXT(read_text("q,model\n", &count),
		    ":1: column 'throughput_bps' is missing");
	EXPECT_TEXT(read_text("q,model,throughput_bps\n2,reno,1\n", &count),
		    ":2: column 'q': '2' is out of range; allowed: 0 to 1");
	EXPECT_TEXT(read_text("q,model,throughput_bps\n.5,renault,1\n", &count),
		    ":2: column 'model': 'renault' is not known; allowed: " NC_COLLAPSE_NAMES);
	EXPECT_TEXT(read_text("q,model,throughput_bps\n.5,reno,x\n", &count),
		    ":2: column 'throughput_bps': 'x' is not a number; allowed: 0 or more");
	EXPECT_TEXT(read_text("q,model,throughput_bps\n.5,reno,inf\n", &count),
		    ":2: column 'throughput_bps': 'inf' is not a number; allowed: 0 or more");
	EXPECT_TEXT(read_text("q,model,throughput_bps\n.5,reno,1,1\n", &count),
		    ":2: 4 cells, but 3 columns");
}

/* What the command says on that stream (1 or 2); the status is checked. */
static const char *command(int stream, int status, const char *option, const char *value)
{
	char *argv[4] = { "collapse", (char *)option, (char *)value, NULL };
	static char text[65536];
	FILE *file = tmpfile();
	int saved = dup(stream);

	fflush(NULL);
	dup2(fileno(file), stream);
	status -= nc_collapse_main(3, argv);
	fflush(NULL);
	dup2(saved, stream);
	close(saved);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	EXPECT_EQ(status, 0);
	return text;
}

/* Values that no option takes. */
static void main__values(void)
{
	static const struct {
		const char *option;
		const char *value;
		const char *allowed;
	} cases[] = {
		{ "--q", "1/0",
		  "allowed are shares such as 1/64 or ranges such as 1/256:1/4:50" },
		{ "--q", "1/4:1/8",
		  "allowed are shares such as 1/64 or ranges such as 1/256:1/4:50" },
		{ "--q", "1/8:1/4:1",
		  "allowed are shares such as 1/64 or ranges such as 1/256:1/4:50" },
		{ "--models", "bbr", "not known; allowed: " NAMES },
		{ "--view", "mine", "allowed is stack or paper" },
		{ "--ts", "12ks", "allowed is a time such as 120us" },
		{ "--rate", "-1", "allowed is a rate such as 10Gbps" },
	};
	char want[512];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(want, sizeof(want), "netcalc collapse: %s '%s': %s\n",
			 cases[i].option, cases[i].value, cases[i].allowed);
		EXPECT_TEXT(command(STDERR_FILENO, 1, cases[i].option, cases[i].value),
			    want);
	}
}

/* Values that do not fit the others. */
static void main__together(void)
{
	EXPECT_TEXT(command(STDERR_FILENO, 1, "--tl", "100us"),
		    "netcalc collapse: --tl (s) 0.0001: allowed is above 0.00012, below inf\n");
	EXPECT_TEXT(command(STDERR_FILENO, 1, "--measured", "/nowhere"),
		    "netcalc collapse: --measured /nowhere: cannot be opened: No such file or directory\n");
}

static void main__csv(void)
{
	const char *text = command(STDOUT_FILENO, 0, "--q", "0.25,0");

	EXPECT_EQ(!strncmp(text, "q,model,throughput_bps,share,regime\n"
			   "0.25,reno,657116448,0.066887,outside: window below 4 packets\n",
			   97), 1);
	EXPECT_EQ(!strstr(command(STDOUT_FILENO, 0, "--q", "1/8:1/2"), "\n0.5,reno"), 0);
	EXPECT_EQ(!strstr(command(STDOUT_FILENO, 0, "--q", "1/8:1/2:5"), "\n0.25,reno"), 0);
	text = command(STDOUT_FILENO, 0, "--q", "0.25,0");
	EXPECT_EQ(strstr(text, "\n0,mswift,9824218750,1.000000,rate\n")  ? 1 : 0, 1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(reno__table_one),
	UNIT_TEST(reno__figures),
	UNIT_TEST(swift__table_one),
	UNIT_TEST(swift__regimes),
	UNIT_TEST(smartt__appendix),
	UNIT_TEST(smartt__walk),
	UNIT_TEST(smartt__slope),
	UNIT_TEST(target__paper),
	UNIT_TEST(lswift__steady_state),
	UNIT_TEST(lswift__paper_view),
	UNIT_TEST(lswift_flat__theorem_three),
	UNIT_TEST(lswift_flat__gate_in_turn),
	UNIT_TEST(lswift__walk),
	UNIT_TEST(lswift__regimes),
	UNIT_TEST(lswift__slope),
	UNIT_TEST(lswift__floor),
	UNIT_TEST(lswift_first__error),
	UNIT_TEST(lswift_first__regimes),
	UNIT_TEST(lswift_first__ends),
	UNIT_TEST(mixed_median__all_words),
	UNIT_TEST(mixed_median__of_one),
	UNIT_TEST(spaced_median__slots),
	UNIT_TEST(spaced_median__varies_less),
	UNIT_TEST(cyclic_median__words),
	UNIT_TEST(mswift__a_small_window_recovers),
	UNIT_TEST(mswift__theorem_six),
	UNIT_TEST(mswift__random_edge),
	UNIT_TEST(mswift__as_the_alg_does),
	UNIT_TEST(mswift__majority_late),
	UNIT_TEST(mswift__first_window),
	UNIT_TEST(models__fall_with_q),
	UNIT_TEST(models__no_congestion),
	UNIT_TEST(wrong__names_value),
	UNIT_TEST(read__messages),
	UNIT_TEST(main__values),
	UNIT_TEST(main__together),
	UNIT_TEST(main__csv),
};

UNIT_MAIN(tests)
