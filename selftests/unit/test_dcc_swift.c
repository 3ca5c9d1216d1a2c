// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of common/cc/dcc_swift.c: vectors by hand, and the algorithm of the paper's
 * algorithm 1 in double precision over the whole range of every knob.
 */
#include "cc/dcc_swift.h"
#include "unit.h"

#define PKT	1048576		/* one packet, 2^20 units */
#define US	1000		/* ns */
#define MODEL_ROUNDS	200000

/* No flow scaling (fs_min >= fs_max): targets are then round numbers. */
static const struct dcc_swift_knobs plain = {
	.target_qdelay_us = 25, .base_target_us = 100, .hop_scale_us = 1,
	.fs_min = 1000, .fs_max = 1000, .ai = 1000, .beta_md = 800,
	.max_mdf = 500, .min_cwnd = 10, .max_cwnd = 65536,
};

static const struct dcc_swift_knobs defaults = {
	DCC_SWIFT_KNOBS(DCC_KNOB_DEFAULT, 0)
};

/* A flow at a window of that many units. */
static struct dcc_swift flow_at(const struct dcc_swift_knobs *k, u64 cwnd)
{
	struct dcc_swift s;

	dcc_swift_init(&s, k, 1);
	s.cwnd = cwnd;
	return s;
}

/* --- the model ------------------------------------------------------------- */

static double packets(u64 cwnd)
{
	return (double)cwnd / PKT;
}

/* Algorithm 1's flow scaling as the paper writes it, alpha and beta. */
static double model_scaling(const struct dcc_swift_knobs *k, double w,
			    double range)
{
	double fs_min = k->fs_min / 1000.0, fs_max = k->fs_max / 1000.0;
	double alpha = range / (1 / sqrt(fs_min) - 1 / sqrt(fs_max));
	double beta = -alpha / sqrt(fs_max);

	if (fs_min >= fs_max)
		return 0;
	return fmin(fmax(alpha / sqrt(w) + beta, 0), range);
}

/* The range of flow scaling, ns: 5 base targets if the knob is 0. */
static double model_range(const struct dcc_swift_knobs *k, double base)
{
	return k->fs_range_us ? k->fs_range_us * 1000.0 : 5 * base;
}

static double model_base(const struct dcc_swift_knobs *k, double base_rtt)
{
	if (k->base_target_us)
		return k->base_target_us * 1000.0;
	return base_rtt + k->target_qdelay_us * 1000.0;
}

static double model_target(const struct dcc_swift_knobs *k, double w,
			   double base_rtt)
{
	double base = model_base(k, base_rtt);
	double target = base + k->hops * (double)k->hop_scale_us * 1000 +
			model_scaling(k, w, model_range(k, base));

	return fmin(target, (double)U32_MAX);
}

/*
 * How far 1/sqrt(w) may be off, in units of 2^-20: the root is rounded down
 * (1/w), the quotient too (1), and w itself where it comes from a knob.
 */
static double inverse_slack(double w)
{
	return 1 / w + 1 + 0.5 / (w * sqrt(w));
}

/* The same as a share of the range of flow scaling, in ns. */
static double target_slack(const struct dcc_swift_knobs *k, double w,
			   double range)
{
	double lo = k->fs_min / 1000.0, hi = k->fs_max / 1000.0;
	double span = (1 / sqrt(lo) - 1 / sqrt(hi)) * PKT;
	double units = inverse_slack(w) + 2 * inverse_slack(lo) +
		       2 * inverse_slack(hi);

	if (lo >= hi)
		return 2;
	return 2 + fmin(range, range * units / span);
}

/* Any knobs within their ranges, every magnitude. */
static struct dcc_swift_knobs any_knobs(void)
{
	struct dcc_swift_knobs k = {
		.target_qdelay_us = (u32)unit_log_between(1, 1000000),
		.base_target_us = (u32)unit_log_between(0.1, 1000000),
		.hops = unit_below(65),
		.hop_scale_us = unit_below(1001),
		.fs_range_us = (u32)unit_log_between(0.1, 1000000),
		.fs_min = (u32)unit_log_between(1, 1000000),
		.fs_max = (u32)unit_log_between(1, 1000000000),
		.ai = (u32)unit_log_between(1, 64000),
		.beta_md = unit_below(1001),
		.max_mdf = unit_below(1000),
		.min_cwnd = (u32)unit_log_between(1, 1000),
		.max_cwnd = (u32)unit_log_between(1, 1048576),
	};
	return k;
}

static u64 any_window(const struct dcc_swift_knobs *k)
{
	return (u64)unit_log_between(k->min_cwnd / 1000.0 * PKT,
				     (double)k->max_cwnd * PKT);
}

static double model_clamp(const struct dcc_swift_knobs *k, double units)
{
	return fmin(fmax(units, floor(k->min_cwnd * (double)PKT / 1000)),
		    (double)k->max_cwnd * PKT);
}

/* --- init ------------------------------------------------------------------ */

static void dcc_swift_init__window(void)
{
	struct dcc_swift s;

	dcc_swift_init(&s, &plain, 10);
	EXPECT_EQ(s.cwnd, 10 * PKT);
	EXPECT_EQ(s.last_decrease_ns, 0);
	EXPECT_EQ(s.rto_run, 0);
}

static void dcc_swift_init__window_is_clamped(void)
{
	struct dcc_swift_knobs k = plain;
	struct dcc_swift s;

	dcc_swift_init(&s, &k, 0);
	EXPECT_EQ(s.cwnd, 10485);
	dcc_swift_init(&s, &k, 65536);
	EXPECT_EQ(s.cwnd, 65536LL * PKT);
	dcc_swift_init(&s, &k, 65537);
	EXPECT_EQ(s.cwnd, 65536LL * PKT);
	k.max_cwnd = 1048576;
	dcc_swift_init(&s, &k, U32_MAX);
	EXPECT_EQ(s.cwnd, 1048576LL * PKT);
	k.max_cwnd = 1;
	k.min_cwnd = 1000;
	dcc_swift_init(&s, &k, 7);
	EXPECT_EQ(s.cwnd, PKT);
}

/* "State, any content". */
static void dcc_swift_init__forgets_old_state(void)
{
	struct dcc_swift a, b;

	memset(&a, 0xff, sizeof(a));
	memset(&b, 0, sizeof(b));
	dcc_swift_init(&a, &defaults, 10);
	dcc_swift_init(&b, &defaults, 10);
	EXPECT_EQ(memcmp(&a, &b, sizeof(a)), 0);
}

/* --- target ---------------------------------------------------------------- */

static void dcc_swift_target__fixed_base(void)
{
	struct dcc_swift s = flow_at(&plain, 10 * PKT);

	EXPECT_EQ(dcc_swift_target(&s, &plain, 0), 100 * US);
	EXPECT_EQ(dcc_swift_target(&s, &plain, 77 * US), 100 * US);
}

static void dcc_swift_target__base_from_the_flow(void)
{
	struct dcc_swift_knobs k = plain;
	struct dcc_swift s = flow_at(&k, 10 * PKT);

	k.base_target_us = 0;
	EXPECT_EQ(dcc_swift_target(&s, &k, 12178), 12178 + 25 * US);
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 25 * US);
	k.base_target_us = 1;
	EXPECT_EQ(dcc_swift_target(&s, &k, 12178), 1 * US);
}

static void dcc_swift_target__hops(void)
{
	struct dcc_swift_knobs k = plain;
	struct dcc_swift s = flow_at(&k, 10 * PKT);

	k.hops = 5;
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 105 * US);
	k.hop_scale_us = 3;
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 115 * US);
	k.hops = 64;
	k.hop_scale_us = 1000;
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 64100 * US);
}

static void dcc_swift_target__saturates(void)
{
	struct dcc_swift_knobs k = plain;
	struct dcc_swift s = flow_at(&k, 10 * PKT);

	k.base_target_us = 0;
	k.target_qdelay_us = 1;
	EXPECT_EQ(dcc_swift_target(&s, &k, U32_MAX - 1001), U32_MAX - 1);
	EXPECT_EQ(dcc_swift_target(&s, &k, U32_MAX - 1000), U32_MAX);
	EXPECT_EQ(dcc_swift_target(&s, &k, U32_MAX - 999), U32_MAX);
	EXPECT_EQ(dcc_swift_target(&s, &k, U32_MAX), U32_MAX);
}

/*
 * fs_min 0.1, fs_max 100, base 100 us, so a range of 500 us. At W = 1:
 * (1 - 0.1) / (3.162278 - 0.1) * 500 us = 146.948 us; at W = 4: 65.311 us.
 */
static void dcc_swift_target__flow_scaling_vectors(void)
{
	struct dcc_swift_knobs k = defaults;
	struct dcc_swift s;

	k.base_target_us = 100;
	s = flow_at(&k, PKT);
	EXPECT_NEAR(dcc_swift_target(&s, &k, 0), 246948, 3);
	s = flow_at(&k, 4 * PKT);
	EXPECT_NEAR(dcc_swift_target(&s, &k, 0), 165310.5, 3);
	k.fs_range_us = 50;
	EXPECT_NEAR(dcc_swift_target(&s, &k, 0), 106531, 2);
}

/* Full at fs_min and below, nothing at fs_max and above. */
static void dcc_swift_target__flow_scaling_edges(void)
{
	struct dcc_swift_knobs k = defaults;
	struct dcc_swift s;

	k.base_target_us = 100;
	s = flow_at(&k, PKT / 10);
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 600 * US);
	s = flow_at(&k, PKT / 10 - 2000);
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 600 * US);
	s = flow_at(&k, PKT / 10 + 2000);
	EXPECT_BETWEEN(dcc_swift_target(&s, &k, 0), 590 * US, 600 * US - 1);
	s = flow_at(&k, 100LL * PKT);
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 100 * US);
	s = flow_at(&k, 101LL * PKT);
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 100 * US);
	s = flow_at(&k, 65536LL * PKT);
	EXPECT_EQ(dcc_swift_target(&s, &k, 0), 100 * US);
	s = flow_at(&k, 99LL * PKT);
	EXPECT_BETWEEN(dcc_swift_target(&s, &k, 0), 100 * US + 1, 101 * US);
}

/* fs_min at or above fs_max leaves no range: off, at any window. */
static void dcc_swift_target__flow_scaling_off(void)
{
	static const u32 fs_min[] = { 999, 1000, 1001, 1000000 };
	static const u64 cwnd[] = { 1048, PKT / 2, PKT, 2 * PKT, 1ULL << 40 };
	struct dcc_swift_knobs k = plain;
	struct dcc_swift s;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(fs_min); i++)
		for (j = 0; j < ARRAY_SIZE(cwnd); j++) {
			k.fs_min = fs_min[i];
			s = flow_at(&k, cwnd[j]);
			EXPECT_EQ(dcc_swift_target(&s, &k, 0),
				  !i && j < 2 ? 600 * US : 100 * US);
		}
}

/* Small windows, that is many flows, get a higher target: never a lower one. */
static void dcc_swift_target__falls_with_the_window(void)
{
	struct dcc_swift s = flow_at(&defaults, 10485);
	u32 last = U32_MAX;

	for (; s.cwnd < 200ULL * PKT; s.cwnd += s.cwnd / 512 + 1) {
		u32 target = dcc_swift_target(&s, &defaults, 12178);

		EXPECT_BETWEEN(target, 37178, last);
		last = target;
	}
	EXPECT_EQ(last, 37178);
}

static void dcc_swift_target__model(void)
{
	u32 i;

	for (i = 0; i < MODEL_ROUNDS; i++) {
		struct dcc_swift_knobs k = any_knobs();
		struct dcc_swift s = flow_at(&k, any_window(&k));
		u32 base_rtt = (u32)unit_log_between(1, U32_MAX);
		double range = model_range(&k, model_base(&k, base_rtt));
		double w = packets(s.cwnd);

		EXPECT_NEAR(dcc_swift_target(&s, &k, base_rtt),
			    model_target(&k, w, base_rtt),
			    target_slack(&k, w, range));
	}
}

/* --- increase -------------------------------------------------------------- */

static void grows(const struct dcc_swift_knobs *k, u64 cwnd, u32 acked,
		  u64 want)
{
	struct dcc_swift s = flow_at(k, cwnd);

	dcc_swift_increase(&s, k, acked);
	EXPECT_EQ(s.cwnd, want);
}

/* 1/10, 1/10 * 3, 0.25/4 packets: 104857.6, 314572.8 and 65536 units. */
static void dcc_swift_increase__above_one_packet(void)
{
	struct dcc_swift_knobs k = plain;

	grows(&k, 10 * PKT, 1, 10 * PKT + 104857);
	grows(&k, 10 * PKT, 3, 10 * PKT + 314572);
	k.ai = 250;
	grows(&k, 4 * PKT, 1, 4 * PKT + 65536);
}

/* One window of ACKs adds ai packets; W grows meanwhile, so slightly less. */
static void dcc_swift_increase__ai_per_window(void)
{
	struct dcc_swift s = flow_at(&plain, 100 * PKT);
	u32 i;

	for (i = 0; i < 100; i++)
		dcc_swift_increase(&s, &plain, 1);
	EXPECT_BETWEEN(packets(s.cwnd), 100.99, 101);
}

/* Below one packet W += ai * acked; at one packet both forms agree. */
static void dcc_swift_increase__around_one_packet(void)
{
	grows(&plain, PKT / 2, 1, PKT / 2 + PKT);
	grows(&plain, PKT - 1, 1, PKT - 1 + PKT);
	grows(&plain, PKT, 1, 2 * PKT);
	grows(&plain, PKT + 1, 1, PKT + 1 + PKT - 1);
	grows(&plain, 2 * PKT, 1, 2 * PKT + PKT / 2);
	grows(&plain, PKT / 2, 3, PKT / 2 + 3 * PKT);
}

static void dcc_swift_increase__nothing_acked(void)
{
	grows(&plain, 10 * PKT, 0, 10 * PKT);
	grows(&plain, PKT / 2, 0, PKT / 2);
}

static void dcc_swift_increase__clamped(void)
{
	struct dcc_swift_knobs k = plain;

	k.max_cwnd = 11;
	k.ai = 10000;
	grows(&k, 10 * PKT, 1, 11 * PKT);
	grows(&k, 11 * PKT, 1, 11 * PKT);
	grows(&k, 10 * PKT, U32_MAX, 11 * PKT);
	grows(&k, PKT / 2, U32_MAX, 11 * PKT);
	k.ai = 1000;
	grows(&k, 10 * PKT, 10, 11 * PKT);
	grows(&k, 10 * PKT, 9, 10 * PKT + 943718);
}

/* The largest factors together: no wrap. 64 * 65535 / 2^20 packets. */
static void dcc_swift_increase__largest(void)
{
	struct dcc_swift_knobs k = plain;

	k.ai = 64000;
	k.max_cwnd = 1048576;
	grows(&k, 1048575LL * PKT, 65535, 1048576LL * PKT);
	grows(&k, 524288LL * PKT, 65535, 524288LL * PKT + 8388480);
	grows(&k, PKT, 16383, 1048513LL * PKT);
	grows(&k, PKT - 1, 16383, 1048513LL * PKT - 1);
	grows(&k, PKT, 65535, 1048576LL * PKT);
	grows(&k, 524288LL * PKT, U32_MAX, 524288LL * PKT + 8388480);
}

static void dcc_swift_increase__model(void)
{
	u32 i;

	for (i = 0; i < MODEL_ROUNDS; i++) {
		struct dcc_swift_knobs k = any_knobs();
		struct dcc_swift s = flow_at(&k, any_window(&k));
		u32 acked = (u32)unit_log_between(0.1, 65535);
		double w = packets(s.cwnd), ai = k.ai / 1000.0;
		double grown = w >= 1 ? w + ai * acked / w : w + ai * acked;

		dcc_swift_increase(&s, &k, acked);
		EXPECT_NEAR(s.cwnd, model_clamp(&k, grown * PKT),
			    2 + acked / fmax(w, 1));
	}
}

/* --- may_decrease ---------------------------------------------------------- */

static void dcc_swift_may_decrease__once_per_srtt(void)
{
	struct dcc_swift s = flow_at(&plain, 10 * PKT);
	u64 now = 1000000000;

	s.last_decrease_ns = now;
	EXPECT_EQ(dcc_swift_may_decrease(&s, now, 50 * US), false);
	EXPECT_EQ(dcc_swift_may_decrease(&s, now + 1, 50 * US), false);
	EXPECT_EQ(dcc_swift_may_decrease(&s, now + 50 * US - 1, 50 * US), false);
	EXPECT_EQ(dcc_swift_may_decrease(&s, now + 50 * US, 50 * US), true);
	EXPECT_EQ(dcc_swift_may_decrease(&s, now + 50 * US + 1, 50 * US), true);
}

/* The first decrease needs no wait, however young the clock is. */
static void dcc_swift_may_decrease__first(void)
{
	struct dcc_swift s = flow_at(&plain, 10 * PKT);

	EXPECT_EQ(dcc_swift_may_decrease(&s, 1, U32_MAX), true);
}

static void dcc_swift_may_decrease__srtt_extremes(void)
{
	struct dcc_swift s = flow_at(&plain, 10 * PKT);

	s.last_decrease_ns = 1000;
	EXPECT_EQ(dcc_swift_may_decrease(&s, 1000, 0), true);
	EXPECT_EQ(dcc_swift_may_decrease(&s, 999ULL + U32_MAX, U32_MAX), false);
	EXPECT_EQ(dcc_swift_may_decrease(&s, 1000ULL + U32_MAX, U32_MAX), true);
	EXPECT_EQ(dcc_swift_may_decrease(&s, U64_MAX, U32_MAX), true);
}

/* --- decrease -------------------------------------------------------------- */

static double after(const struct dcc_swift_knobs *k, double w, u32 delay,
		    u32 target)
{
	struct dcc_swift s = flow_at(k, (u64)(w * PKT));

	u64 before = s.cwnd;

	dcc_swift_decrease(&s, k, delay, target, 5000);
	/* only a window that shrank closes the gate */
	EXPECT_EQ(s.last_decrease_ns, s.cwnd < before ? 5000 : 0);
	return packets(s.cwnd);
}

/* 1 - 0.8 * (125 - 100) / 125 = 0.84; 1 - 0.8 / 2 = 0.6; ratios are 2^-16. */
static void dcc_swift_decrease__vectors(void)
{
	EXPECT_NEAR(after(&plain, 100, 125 * US, 100 * US), 84, 100.0 / 65536);
	EXPECT_NEAR(after(&plain, 100, 200 * US, 100 * US), 60, 100.0 / 65536);
	EXPECT_NEAR(after(&plain, 0.5, 125 * US, 100 * US), 0.42, 1.0 / 65536);
}

static void dcc_swift_decrease__on_target_costs_nothing(void)
{
	struct dcc_swift s = flow_at(&plain, 100 * PKT);

	dcc_swift_decrease(&s, &plain, 100 * US, 100 * US, 5000);
	EXPECT_EQ(s.cwnd, 100 * PKT);
	dcc_swift_decrease(&s, &plain, 1, 1, 5000);
	EXPECT_EQ(s.cwnd, 100 * PKT);
}

/* 0.8 * q reaches max_mdf 0.5 at q = 0.625, a delay of 8/3 targets. */
static void dcc_swift_decrease__max_mdf(void)
{
	EXPECT_EQ(after(&plain, 100, 1000 * US, 100 * US), 50);
	EXPECT_EQ(after(&plain, 100, 300 * US, 100 * US), 50);
	EXPECT_EQ(after(&plain, 100, U32_MAX, 1), 50);
	EXPECT_NEAR(after(&plain, 100, 266 * US, 100 * US), 50.0752, 0.002);
}

static void dcc_swift_decrease__constants_at_their_ends(void)
{
	struct dcc_swift_knobs k = plain;

	k.max_mdf = 0;
	EXPECT_EQ(after(&k, 100, 500 * US, 100 * US), 100);
	k.max_mdf = 999;
	k.beta_md = 1000;
	EXPECT_NEAR(after(&k, 100, 500 * US, 100 * US), 20, 100.0 / 65536);
	EXPECT_NEAR(after(&k, 100, U32_MAX, 1), 0.1, 100.0 / 65536);
	k.beta_md = 0;
	EXPECT_EQ(after(&k, 100, 500 * US, 100 * US), 100);
}

static void dcc_swift_decrease__min_cwnd(void)
{
	struct dcc_swift s = flow_at(&plain, 12000);

	dcc_swift_decrease(&s, &plain, 500 * US, 100 * US, 5000);
	EXPECT_EQ(s.cwnd, 10485);
	dcc_swift_decrease(&s, &plain, 500 * US, 100 * US, 6000);
	EXPECT_EQ(s.cwnd, 10485);
}

static void dcc_swift_decrease__model(void)
{
	u32 i;

	for (i = 0; i < MODEL_ROUNDS; i++) {
		struct dcc_swift_knobs k = any_knobs();
		struct dcc_swift s = flow_at(&k, any_window(&k));
		double target = floor(unit_log_between(1, 4e9));
		double delay = floor(unit_log_between(target, U32_MAX));
		double cut = k.beta_md / 1000.0 * (delay - target) / delay;
		double factor = fmax(1 - cut, 1 - k.max_mdf / 1000.0);
		double w = (double)s.cwnd;

		dcc_swift_decrease(&s, &k, (u32)delay, (u32)target, i);
		EXPECT_NEAR(s.cwnd, model_clamp(&k, w * factor),
			    2 + 2 * w / 65536);
	}
}

/* --- cut ------------------------------------------------------------------- */

static void dcc_swift_cut__once_per_srtt(void)
{
	struct dcc_swift s = flow_at(&plain, 100 * PKT);
	u64 now = 1000000000;

	EXPECT_EQ(dcc_swift_cut(&s, &plain, now, 50 * US), true);
	EXPECT_EQ(s.cwnd, 50 * PKT);
	EXPECT_EQ(s.last_decrease_ns, now);
	EXPECT_EQ(dcc_swift_cut(&s, &plain, now + 50 * US - 1, 50 * US), false);
	EXPECT_EQ(s.cwnd, 50 * PKT);
	EXPECT_EQ(s.last_decrease_ns, now);
	EXPECT_EQ(dcc_swift_cut(&s, &plain, now + 50 * US, 50 * US), true);
	EXPECT_EQ(s.cwnd, 25 * PKT);
	EXPECT_EQ(s.last_decrease_ns, now + 50 * US);
}

/* Delay and loss share the gate: one decrease per RTT, whatever its cause. */
static void dcc_swift_cut__after_a_delay_decrease(void)
{
	struct dcc_swift s = flow_at(&plain, 100 * PKT);

	dcc_swift_decrease(&s, &plain, 125 * US, 100 * US, 1000000);
	EXPECT_EQ(dcc_swift_cut(&s, &plain, 1000001, 50 * US), false);
	EXPECT_EQ(dcc_swift_cut(&s, &plain, 1050000, 50 * US), true);
}

static void dcc_swift_cut__max_mdf(void)
{
	struct dcc_swift_knobs k = plain;
	struct dcc_swift s = flow_at(&k, 100 * PKT);

	k.max_mdf = 250;
	dcc_swift_cut(&s, &k, 1, 0);
	EXPECT_EQ(s.cwnd, 75 * PKT);
	k.max_mdf = 999;
	dcc_swift_cut(&s, &k, 2, 0);
	EXPECT_NEAR(packets(s.cwnd), 0.075, 75.0 / 65536);
	dcc_swift_cut(&s, &k, 3, 0);
	EXPECT_EQ(s.cwnd, 10485);
}

/* --- RTO ------------------------------------------------------------------- */

/* Four cut by max_mdf, the fifth resets, and so do all after it. */
static void dcc_swift_on_rto__fifth_in_a_row(void)
{
	static const u64 want[] = { 512, 256, 128, 64 };
	struct dcc_swift s = flow_at(&plain, 1024LL * PKT);
	u32 i;

	for (i = 0; i < 4; i++) {
		dcc_swift_on_rto(&s, &plain, 1000000 * (i + 1), 50 * US);
		EXPECT_EQ(s.cwnd, want[i] * PKT);
		EXPECT_EQ(s.rto_run, i + 1);
		EXPECT_EQ(s.last_decrease_ns, 1000000 * (i + 1));
	}
	for (i = 5; i < 600; i++) {
		s.cwnd = 64 * PKT;
		dcc_swift_on_rto(&s, &plain, 1000000 * i, 50 * US);
		EXPECT_EQ(s.cwnd, 10485);
		EXPECT_EQ(s.last_decrease_ns, 1000000 * i);
	}
}

/* Before the fifth only when allowed; the fifth asks nobody. */
static void dcc_swift_on_rto__gate(void)
{
	struct dcc_swift s = flow_at(&plain, 1024LL * PKT);
	u32 i;

	s.last_decrease_ns = 1000000;
	for (i = 0; i < 4; i++)
		dcc_swift_on_rto(&s, &plain, 1050000 - 1, 50 * US);
	EXPECT_EQ(s.cwnd, 1024LL * PKT);
	EXPECT_EQ(s.rto_run, 4);
	EXPECT_EQ(s.last_decrease_ns, 1000000);
	dcc_swift_on_rto(&s, &plain, 1050000 - 1, 50 * US);
	EXPECT_EQ(s.cwnd, 10485);
	EXPECT_EQ(s.last_decrease_ns, 1050000 - 1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_swift_init__window),
	UNIT_TEST(dcc_swift_init__window_is_clamped),
	UNIT_TEST(dcc_swift_init__forgets_old_state),
	UNIT_TEST(dcc_swift_target__fixed_base),
	UNIT_TEST(dcc_swift_target__base_from_the_flow),
	UNIT_TEST(dcc_swift_target__hops),
	UNIT_TEST(dcc_swift_target__saturates),
	UNIT_TEST(dcc_swift_target__flow_scaling_vectors),
	UNIT_TEST(dcc_swift_target__flow_scaling_edges),
	UNIT_TEST(dcc_swift_target__flow_scaling_off),
	UNIT_TEST(dcc_swift_target__falls_with_the_window),
	UNIT_TEST(dcc_swift_target__model),
	UNIT_TEST(dcc_swift_increase__above_one_packet),
	UNIT_TEST(dcc_swift_increase__ai_per_window),
	UNIT_TEST(dcc_swift_increase__around_one_packet),
	UNIT_TEST(dcc_swift_increase__nothing_acked),
	UNIT_TEST(dcc_swift_increase__clamped),
	UNIT_TEST(dcc_swift_increase__largest),
	UNIT_TEST(dcc_swift_increase__model),
	UNIT_TEST(dcc_swift_may_decrease__once_per_srtt),
	UNIT_TEST(dcc_swift_may_decrease__first),
	UNIT_TEST(dcc_swift_may_decrease__srtt_extremes),
	UNIT_TEST(dcc_swift_decrease__vectors),
	UNIT_TEST(dcc_swift_decrease__on_target_costs_nothing),
	UNIT_TEST(dcc_swift_decrease__max_mdf),
	UNIT_TEST(dcc_swift_decrease__constants_at_their_ends),
	UNIT_TEST(dcc_swift_decrease__min_cwnd),
	UNIT_TEST(dcc_swift_decrease__model),
	UNIT_TEST(dcc_swift_cut__once_per_srtt),
	UNIT_TEST(dcc_swift_cut__after_a_delay_decrease),
	UNIT_TEST(dcc_swift_cut__max_mdf),
	UNIT_TEST(dcc_swift_on_rto__fifth_in_a_row),
	UNIT_TEST(dcc_swift_on_rto__gate),
};

UNIT_MAIN(tests)
