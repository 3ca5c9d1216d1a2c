// SPDX-License-Identifier: GPL-2.0
/* Tests of tcp_mnscc/nscc.c: the rules one by one, then all of them at once. */
#include "math/dcc_ewma.h"
#include "nscc.h"
#include "unit.h"

#define B(bytes)	((u64)(bytes) << 8)	/* bytes of window */
#define NS(x)		((u64)(x) << 8)		/* ns of average */
#define US		1000			/* ns */
#define RATE_100G	12500000000ULL		/* bytes/s */
#define START		1000000000ULL		/* when flows start, ns */

/*
 * The reference network: R = base = 12 us at 100 Gbit/s, so a = 1 and BDP =
 * 150000 B, largest window 225000 B. Target 10 us, packets of 1000 B. No extension.
 */
struct flow {
	struct nscc n;
	struct nscc_memory m;
	struct nscc_knobs k;
	struct nscc_params p;
	struct nscc_event e;
	struct dcc_sample s;
	struct dcc_decision d;
};

static struct flow flow_new(enum nscc_variant variant, u32 cwnd)
{
	struct flow f = {
		.k = NSCC_DEFAULTS,
		.e = {
			.now_ns = START, .bytes = 1000, .in_flight = 50000,
			.cwnd_limited = true,
		},
		.s = {
			.now_ns = START, .base_rtt_ns = 12 * US,
			.acked = 1, .acked_bytes = 1000, .flight = 50000,
			.line_rate = RATE_100G, .mss = 1000,
			.cwnd_limited = true,
		},
	};

	f.k.target_qdelay_ns = 10 * US;
	f.k.slow_start = 0;
	f.k.delay_gain = 125;
	nscc_params_set(&f.p, &f.k, 12 * US, RATE_100G, 1000);
	nscc_init(&f.n, &f.k, variant, START, cwnd, 1000);
	f.n.qa_end = START + 1000000 * US;
	return f;
}

/* One decision `after` ns past the start; returns the branch and marks. */
static u8 update(struct flow *f, u64 after, u32 q, bool ce)
{
	f->e.now_ns = START + after;
	f->e.q_ns = q;
	f->e.ce = ce;
	return nscc_update(&f->n, &f->k, &f->p, &f->e);
}

static u8 lose(struct flow *f, u64 after)
{
	f->e.now_ns = START + after;
	return nscc_loss(&f->n, &f->k, &f->p, &f->e);
}

/* One whole ACK with a delay of base + q; returns the branch and marks. */
static u8 ack(struct flow *f, u32 q, u32 ce)
{
	memset(&f->d, 0xa5, sizeof(f->d));
	f->s.delay_ns = f->s.base_rtt_ns + q;
	f->s.ce = ce;
	nscc_on_ack(&f->n, &f->m, &f->k, &f->s, &f->d);
	EXPECT_EQ(f->d.cwnd, f->n.cwnd);
	EXPECT_EQ(f->d.pacing_rate, 0);
	return f->d.branch;
}

static void rto(struct flow *f, u32 lost, u32 mss)
{
	struct dcc_timeout t = { .now_ns = START, .lost = lost, .mss = mss };

	nscc_on_rto(&f->n, &t);
}

/* The queuing delay that the last ACK was decided on. */
static u32 acted_on(const struct flow *f)
{
	return f->d.delay_ns - f->s.base_rtt_ns;
}

/* --- knobs ----------------------------------------------------------------- */

static void parse(const struct dcc_knob *k, u64 number, int want)
{
	char text[DCC_KNOB_TEXT];
	u32 value = 0;

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	if (dcc_knob_parse(k, text, &value) != want)
		unit_fail(__FILE__, __LINE__, "%s: %s gave no %d", k->name,
			  text, want);
}

static void nscc_knob__both_ends(void)
{
	u32 i;

	for (i = 0; i < NSCC_KNOB_COUNT; i++) {
		const struct dcc_knob *k = &nscc_knob[i];

		parse(k, k->min, 0);
		parse(k, k->max, 0);
		parse(k, k->def, 0);
		parse(k, (u64)k->max + 1, -EINVAL);
		if (k->min)
			parse(k, k->min - 1, -EINVAL);
	}
}

/* The values are read as a struct and written as an array of the same order. */
static void nscc_knob__struct_and_table_agree(void)
{
	struct nscc_knobs k = NSCC_DEFAULTS;
	const u32 *value = (const u32 *)&k;
	u32 i;

	for (i = 0; i < NSCC_KNOB_COUNT; i++)
		EXPECT_EQ(value[i], nscc_knob[i].def);
	EXPECT_TEXT(nscc_knob[DCC_KNOB_spray].name, "spray");
	EXPECT_TEXT(nscc_knob[DCC_KNOB_history].name, "history");
	EXPECT_EQ((void *)&value[DCC_KNOB_gamma] == &k.gamma, true);
	EXPECT_EQ(nscc_knob[DCC_KNOB_history].algs, 2);
	EXPECT_EQ(nscc_knob[DCC_KNOB_history].max, NSCC_MAX_HISTORY);
	EXPECT_EQ(nscc_knob[DCC_KNOB_gamma].algs, 3);
}

/* The constants of the reference. */
static void nscc_knob__defaults(void)
{
	struct nscc_knobs k = NSCC_DEFAULTS;

	EXPECT_EQ(k.network_rtt_ns, 0);
	EXPECT_EQ(k.target_qdelay_ns, 0);
	EXPECT_EQ(k.fast_eps_ns, 1000);
	EXPECT_EQ(k.delay_gain, 2500);		/* the reference: 125 */
	EXPECT_EQ(k.alpha, 4000);
	EXPECT_EQ(k.fi, 5000);
	EXPECT_EQ(k.eta, 150);
	EXPECT_EQ(k.fi_scale, 250);
	EXPECT_EQ(k.gamma, 800);
	EXPECT_EQ(k.min_keep, 500);
	EXPECT_EQ(k.adjust_mtus, 8);
	EXPECT_EQ(k.quick_adapt, 1);
	EXPECT_EQ(k.qa_gate, 3);
	EXPECT_EQ(k.qa_threshold, 4000);
	EXPECT_EQ(k.max_window, 1500);
	EXPECT_EQ(k.history, 4);
}

/* --- params_set ------------------------------------------------------------ */

/* The reference network gives a = 1 to the bit. */
static void nscc_params_set__reference_network(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);

	EXPECT_EQ(f.p.scale, 65536);
	EXPECT_EQ(f.p.max_window, 225000);
	EXPECT_EQ(f.p.rtt_ns, 12 * US);
	EXPECT_EQ(f.p.base_rtt_ns, 12 * US);
	EXPECT_EQ(f.p.target_ns, 10 * US);
	EXPECT_EQ(f.p.mss, 1000);
	EXPECT_EQ(f.p.mtu, 1000);
}

/* R is the knob, else 150 KB at line rate; the target the knob, else R. */
static void nscc_params_set__rtt_and_target(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);

	f.k.target_qdelay_ns = 0;
	nscc_params_set(&f.p, &f.k, 6 * US, RATE_100G, 1000);
	EXPECT_EQ(f.p.rtt_ns, 12 * US);
	EXPECT_EQ(f.p.target_ns, 12 * US);
	EXPECT_EQ(f.p.scale, 65536);
	EXPECT_EQ(f.p.base_rtt_ns, 6 * US);
	f.k.network_rtt_ns = 24 * US;
	nscc_params_set(&f.p, &f.k, 6 * US, RATE_100G, 1000);
	EXPECT_EQ(f.p.rtt_ns, 24 * US);
	EXPECT_EQ(f.p.target_ns, 24 * US);
	EXPECT_EQ(f.p.scale, 131072);
	EXPECT_EQ(f.p.base_rtt_ns, 6 * US);
	EXPECT_EQ(f.p.max_window, 112500);
}

/* Near or far, slow or fast: 1 ns to 1 s, and a is 1. */
static void nscc_params_set__rtt_from_line_rate(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);

	f.k.target_qdelay_ns = 0;
	nscc_params_set(&f.p, &f.k, 240 * US, RATE_100G / 10, 1000);
	EXPECT_EQ(f.p.rtt_ns, 120 * US);
	EXPECT_EQ(f.p.target_ns, 120 * US);
	EXPECT_EQ(f.p.scale, 65536);
	nscc_params_set(&f.p, &f.k, 240 * US, 1, 1000);
	EXPECT_EQ(f.p.rtt_ns, 1000000000);
	nscc_params_set(&f.p, &f.k, 240 * US, 150000, 1000);
	EXPECT_EQ(f.p.rtt_ns, 1000000000);
	nscc_params_set(&f.p, &f.k, 240 * US, 150001, 1000);
	EXPECT_EQ(f.p.rtt_ns, 999993333);
	nscc_params_set(&f.p, &f.k, 240 * US, U64_MAX, 1000);
	EXPECT_EQ(f.p.rtt_ns, 1);
	nscc_params_set(&f.p, &f.k, 0, RATE_100G, 1000);
	EXPECT_EQ(f.p.rtt_ns, 0);
}

/* Told R, the base RTT is that until one is measured. */
static void nscc_params_set__unknown(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);

	nscc_params_set(&f.p, &f.k, 0, RATE_100G, 1000);
	EXPECT_EQ(f.p.max_window, U32_MAX);
	EXPECT_EQ(f.p.base_rtt_ns, 0);
	f.k.network_rtt_ns = 24 * US;
	nscc_params_set(&f.p, &f.k, 0, RATE_100G, 1000);
	EXPECT_EQ(f.p.max_window, 450000);
	EXPECT_EQ(f.p.scale, 131072);
}

/* 4 Tbit/s for 1 s is 500 GB: a ends at that of 18.4 GB, the window at 4 GiB. */
static void nscc_params_set__saturates(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);
	u32 second = 1000000000;

	f.k.network_rtt_ns = second;
	nscc_params_set(&f.p, &f.k, second, 500000000000ULL, 9000);
	EXPECT_EQ(f.p.max_window, U32_MAX);
	EXPECT_NEAR(f.p.scale / 65536.0, 18446744073.7 / 150000, 1);
	nscc_params_set(&f.p, &f.k, U32_MAX, U64_MAX, U32_MAX);
	EXPECT_EQ(f.p.max_window, U32_MAX);
}

/* a and the largest window against real arithmetic. */
static void nscc_params_set__model(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);
	u32 i;

	for (i = 0; i < 100000; i++) {
		double rtt = floor(unit_log_between(1000, 1e9));
		double rate = floor(unit_log_between(125000, 5e11));
		double bdp = rtt * rate / 1e9, want;

		if (bdp > 1.8e10)
			continue;
		f.k.max_window = 100 + unit_below(63901);
		f.k.network_rtt_ns = (u32)rtt;
		nscc_params_set(&f.p, &f.k, (u32)rtt, (u64)rate, 1000);
		EXPECT_NEAR(f.p.scale / 65536.0, bdp / 150000,
			    1 / 65536.0 + bdp / 150000 / 1e9);
		want = bdp * f.k.max_window / 1000;
		if (want <= U32_MAX)
			EXPECT_NEAR(f.p.max_window, want, 1.1);
		else
			EXPECT_EQ(f.p.max_window, U32_MAX);
	}
}

/* --- first_window ---------------------------------------------------------- */

static void nscc_first_window__known_and_unknown(void)
{
	struct nscc_knobs k = NSCC_DEFAULTS;

	EXPECT_EQ(nscc_first_window(&k, RATE_100G), 0);
	k.network_rtt_ns = 12 * US;
	EXPECT_EQ(nscc_first_window(&k, RATE_100G), 225000);
	EXPECT_EQ(nscc_first_window(&k, 0), 0);
	k.max_window = 1000;
	EXPECT_EQ(nscc_first_window(&k, RATE_100G), 150000);
	k.network_rtt_ns = 1000000000;
	EXPECT_EQ(nscc_first_window(&k, RATE_100G), U32_MAX);
}

/* --- init ------------------------------------------------------------------ */

static void nscc_init__sets_all(void)
{
	struct nscc zero = { 0 };
	struct flow f = flow_new(NSCC_NSCC, 10000);

	memset(&f.n, 0xff, sizeof(f.n));
	nscc_init(&f.n, &f.k, NSCC_MNSCC, 77, 20000, 1000);
	zero.variant = NSCC_MNSCC;
	zero.cwnd = B(20000);
	zero.last_dec = 77;
	zero.last_adj = 77;
	EXPECT_EQ(memcmp(&f.n, &zero, sizeof(zero)), 0);
	nscc_init(&f.n, &f.k, NSCC_NSCC, 77, 1ULL << 40, 1000);
	EXPECT_EQ(f.n.cwnd, B(U32_MAX));
	EXPECT_EQ(f.n.variant, NSCC_NSCC);
}

/* --- clamp ----------------------------------------------------------------- */

/* One packet to the largest window, applied to any decision. */
static void nscc_clamp__both_ends(void)
{
	struct flow f = flow_new(NSCC_NSCC, 999);

	EXPECT_EQ(update(&f, 1, 5 * US, true), NSCC_NOOP);
	EXPECT_EQ(f.n.cwnd, B(1000));
	f.n.cwnd = B(225001);
	update(&f, 1, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(225000));
	f.n.cwnd = B(225000) - 1;
	update(&f, 1, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(225000) - 1);
}

/* A BDP of less than a packet: the packet wins. */
static void nscc_clamp__tiny_bdp(void)
{
	struct flow f = flow_new(NSCC_NSCC, 5000);

	f.p.max_window = 300;
	update(&f, 1, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(1000));
}

/* --- fair increase --------------------------------------------------------- */

/* inc += 5 MSS a bytes; from the target on. */
static void nscc_fair_increase__at_and_above_target(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	EXPECT_EQ(update(&f, 1, 10 * US, false), NSCC_FAIR);
	EXPECT_EQ(f.n.inc, 5 * 1000 * 1000);
	f.e.bytes = 3000;
	f.k.fi = 500;
	EXPECT_EQ(update(&f, 1, 39 * US, false), NSCC_FAIR);
	EXPECT_EQ(f.n.inc, 5000000 + 1500000);
	EXPECT_EQ(f.n.cwnd, B(100000));
}

/* It leaves the fast state alone, as the reference does. */
static void nscc_fair_increase__keeps_fast_state(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.fast = 1;
	f.n.fi_count = 7;
	update(&f, 1, 10 * US, false);
	EXPECT_EQ(f.n.fast, 1);
	EXPECT_EQ(f.n.fi_count, 7);
}

/* --- proportional increase ------------------------------------------------- */

/* inc += 4 MSS a bytes (target - q) / 12 us. */
static void nscc_proportional_increase__vectors(void)
{
	static const struct {
		u32 q, bytes, want;
	} vector[] = {
		{ 4 * US, 1000, 2000000 }, { 10 * US - 12, 1000, 4000 },
		{ 10 * US - 1, 1000, 333 }, { 1 * US, 1000, 3000000 },
		{ 7 * US, 4000, 4000000 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new(NSCC_NSCC, 100000);

		f.e.bytes = vector[i].bytes;
		EXPECT_EQ(update(&f, 1, vector[i].q, false), NSCC_PROPORTIONAL);
		EXPECT_NEAR(f.n.inc, vector[i].want, 1);
		EXPECT_EQ(f.n.cwnd, B(100000));
	}
}

/* Per R, 4 MSS in that time, whatever the window. */
static void nscc_proportional_increase__per_rtt(void)
{
	static const u32 rtt[] = { 3, 12, 120 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rtt); i++) {
		struct flow f = flow_new(NSCC_NSCC, 4000 + 50000 * i);

		f.p.alpha_ns = rtt[i] * US;
		update(&f, 1, 4 * US, false);
		EXPECT_NEAR(f.n.inc, 24000000 / rtt[i], 1);
	}
}

/* The slope does not depend on the target, but on a, MSS and alpha. */
static void nscc_proportional_increase__scales(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.p.target_ns = 100 * US;
	update(&f, 1, 94 * US, false);
	EXPECT_EQ(f.n.inc, 2000000);
	f.p.scale = 131072;
	update(&f, 1, 94 * US, false);
	EXPECT_EQ(f.n.inc, 6000000);
	f.p.mss = 500;
	f.k.alpha = 1000;
	update(&f, 1, 94 * US, false);
	EXPECT_EQ(f.n.inc, 6500000);
}

/* 64 bits fill up and stay full. */
static void nscc_collect__saturates(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.inc = U64_MAX - 1000;
	update(&f, 1, 4 * US, false);
	EXPECT_EQ(f.n.inc, U64_MAX);
	f.n.inc = 0;
	f.p.scale = U64_MAX;
	f.e.bytes = 2000;
	update(&f, 1, 10 * US, false);
	EXPECT_EQ(f.n.inc, U64_MAX >> 16);
}

/* --- fast increase --------------------------------------------------------- */

/* More than a window of bytes without a queue, then bytes / 4 each. */
static void nscc_fast_increase__after_a_window(void)
{
	struct flow f = flow_new(NSCC_NSCC, 3000);
	u32 i;

	for (i = 1; i <= 3; i++) {
		EXPECT_EQ(update(&f, 1, 999, false), NSCC_PROPORTIONAL);
		EXPECT_EQ(f.n.fi_count, 1000 * i);
		EXPECT_EQ(f.n.fast, 0);
	}
	f.n.inc = 0;
	f.e.bytes = 1;
	EXPECT_EQ(update(&f, 1, 999, false), NSCC_FAST);
	EXPECT_EQ(f.n.cwnd, B(3000) + 64);
	EXPECT_EQ(f.n.fast, 1);
	EXPECT_EQ(f.n.inc, 0);
	f.e.bytes = 1000;
	f.n.cwnd = B(50000);
	EXPECT_EQ(update(&f, 1, 0, false), NSCC_FAST);
	EXPECT_EQ(f.n.cwnd, B(50250));
	EXPECT_EQ(f.n.fi_count, 4001);
}

/* A queue of 1 us ends it, and the count starts again. */
static void nscc_fast_increase__ends(void)
{
	struct flow f = flow_new(NSCC_NSCC, 3000);

	f.n.fast = 1;
	f.n.fi_count = 9000;
	EXPECT_EQ(update(&f, 1, 1000, false), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.fast, 0);
	EXPECT_EQ(f.n.fi_count, 0);
	EXPECT_EQ(f.n.cwnd, B(3000));
	EXPECT_EQ(f.n.inc, 3000000);
	f.k.fast_eps_ns = 1001;
	EXPECT_EQ(update(&f, 1, 1000, false), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.fi_count, 1000);
}

/* With a = 2 and fi_scale 0.1: a fifth of the bytes. The count saturates. */
static void nscc_fast_increase__scales(void)
{
	struct flow f = flow_new(NSCC_NSCC, 50000);

	f.n.fast = 1;
	f.n.fi_count = U32_MAX - 10;
	f.p.scale = 131072;
	f.k.fi_scale = 100;
	update(&f, 1, 0, false);
	EXPECT_NEAR(f.n.cwnd / 256.0, 50200, 0.1);
	EXPECT_EQ(f.n.fi_count, U32_MAX);
	f.p.scale = U64_MAX;
	f.e.bytes = U32_MAX;
	update(&f, 1, 0, false);
	EXPECT_EQ(f.n.cwnd, B(225000));
}

/* --- multiplicative decrease ----------------------------------------------- */

/* W *= 1 - 0.8 * (avg - target) / avg: the average decides how much, not q. */
static void nscc_multiplicative_decrease__vectors(void)
{
	static const struct {
		u32 avg, gamma, keep;
		double want;
	} vector[] = {
		{ 20000, 800, 500, 60000 }, { 12500, 800, 500, 84000 },
		{ 10001, 800, 500, 100000 - 8 }, { 26666, 800, 500, 50001 },
		{ 26667, 800, 500, 50000 }, { 50000, 800, 500, 50000 },
		{ 50000, 800, 100, 36000 }, { 20000, 400, 500, 80000 },
		{ 20000, 1000, 1, 50000 }, { 50000, 0, 500, 100000 },
		{ 50000, 800, 1000, 100000 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new(NSCC_NSCC, 100000);

		f.n.last_adj = START + 1;
		f.k.gamma = vector[i].gamma;
		f.k.min_keep = vector[i].keep;
		f.n.avg = NS(vector[i].avg);
		EXPECT_EQ(update(&f, 12001, 10 * US, true), NSCC_DECREASE);
		EXPECT_NEAR(f.n.cwnd / 256.0, vector[i].want, 4);
		EXPECT_EQ(f.n.last_dec, START + 12001);
		EXPECT_EQ(f.n.inc, 0);
	}
}

/* Above the target on average, strictly, with 1/256 ns. */
static void nscc_multiplicative_decrease__average_at_target(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.last_adj = START + 1;
	f.n.avg = NS(10 * US);
	EXPECT_EQ(update(&f, 12001, 30 * US, true), NSCC_WAIT);
	EXPECT_EQ(f.n.cwnd, B(100000));
	EXPECT_EQ(f.n.last_dec, START);
	f.n.avg = NS(10 * US) + 1;
	EXPECT_EQ(update(&f, 12001, 30 * US, true), NSCC_DECREASE);
	EXPECT_NEAR(f.n.cwnd / 256.0, 100000, 2);
}

/* More than a base RTT after the last one, strictly. */
static void nscc_multiplicative_decrease__once_per_rtt(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.k.adjust_mtus = 1000;
	f.p.rtt_ns = 1000 * US;
	f.n.avg = NS(20 * US);
	EXPECT_EQ(update(&f, 12000, 30 * US, true), NSCC_WAIT);
	EXPECT_EQ(update(&f, 12001, 30 * US, true), NSCC_DECREASE);
	EXPECT_EQ(update(&f, 24001, 30 * US, true), NSCC_WAIT);
	EXPECT_NEAR(f.n.cwnd / 256.0, 60000, 2);
	EXPECT_EQ(update(&f, 24002, 30 * US, true), NSCC_DECREASE);
	EXPECT_NEAR(f.n.cwnd / 256.0, 36000, 2);
}

/* No interval is too long: 2^32 ns and more are not taken for few. */
static void nscc_multiplicative_decrease__long_ago(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);
	u64 after = 1ULL << 32;

	f.n.avg = NS(20 * US);
	f.n.last_adj = START + after;
	f.n.qa_end = START + after;
	EXPECT_EQ(update(&f, after, 30 * US, true), NSCC_DECREASE);
}

/* It ends the fast increase, cut or not. */
static void nscc_multiplicative_decrease__ends_fast(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.fast = 1;
	f.n.fi_count = 7;
	EXPECT_EQ(update(&f, 1, 10 * US, true), NSCC_WAIT);
	EXPECT_EQ(f.n.fast, 0);
	EXPECT_EQ(f.n.fi_count, 0);
}

/* --- quadrants ------------------------------------------------------------- */

/* All four corners of the target, a ns apart. */
static void nscc_quadrant__borders(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	EXPECT_EQ(update(&f, 1, 9999, false), NSCC_PROPORTIONAL);
	EXPECT_EQ(update(&f, 1, 10000, false), NSCC_FAIR);
	EXPECT_EQ(update(&f, 1, 9999, true), NSCC_NOOP);
	EXPECT_EQ(update(&f, 1, 10000, true), NSCC_WAIT);
}

/* CE at a low delay changes nothing, the fast state included. */
static void nscc_quadrant__noop(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000), before;

	f.n.avg = NS(20 * US);
	f.n.fast = 1;
	f.n.fi_count = 7;
	f.n.inc = 5;
	before = f;
	EXPECT_EQ(update(&f, 12000, 0, true), NSCC_NOOP);
	EXPECT_EQ(memcmp(&f.n, &before.n, sizeof(f.n)), 0);
}

/* The base RTT starts at R, if that is given, and only falls. */
static void nscc_params_set__base_rtt(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.k.network_rtt_ns = 20 * US;
	nscc_params_set(&f.p, &f.k, 0, RATE_100G, 1000);
	EXPECT_EQ(f.p.base_rtt_ns, 20 * US);
	nscc_params_set(&f.p, &f.k, 20 * US - 1, RATE_100G, 1000);
	EXPECT_EQ(f.p.base_rtt_ns, 20 * US - 1);
	nscc_params_set(&f.p, &f.k, 20 * US + 1, RATE_100G, 1000);
	EXPECT_EQ(f.p.base_rtt_ns, 20 * US);
	f.k.network_rtt_ns = 0;
	nscc_params_set(&f.p, &f.k, 20 * US + 1, RATE_100G, 1000);
	EXPECT_EQ(f.p.base_rtt_ns, 20 * US + 1);
	nscc_params_set(&f.p, &f.k, 0, RATE_100G, 1000);
}

/* A connection that can have no marks: the target stands in for them. */
static void nscc_on_ack__without_ecn(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	EXPECT_EQ(ack(&f, 10000, 0) & NSCC_BRANCH, NSCC_FAIR);
	f.s.no_ecn = true;
	EXPECT_EQ(ack(&f, 9999, 0) & NSCC_BRANCH, NSCC_PROPORTIONAL);
	EXPECT_EQ(ack(&f, 10000, 0) & NSCC_BRANCH, NSCC_WAIT);
	/* the average takes the delay itself then, not base / 4 */
	f = flow_new(NSCC_NSCC, 100000);
	f.s.no_ecn = true;
	ack(&f, 40 * US, 0);
	EXPECT_NEAR(f.n.avg / 256.0, 500, 0.01);
}

/* Nor does one come where packets were dropped, and no mark was ever heard. */
static void nscc_on_ack__unmarked(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.s.losses = 1;
	EXPECT_EQ(ack(&f, 10000, 0) & NSCC_BRANCH, NSCC_WAIT);
	f.s.losses = 0;
	EXPECT_EQ(ack(&f, 10000, 0) & NSCC_BRANCH, NSCC_WAIT);
	EXPECT_EQ(ack(&f, 9000, 1) & NSCC_BRANCH, NSCC_NOOP);
	EXPECT_EQ(ack(&f, 10000, 0) & NSCC_BRANCH, NSCC_FAIR);
	f.s.losses = 1;
	EXPECT_EQ(ack(&f, 10000, 0) & NSCC_BRANCH, NSCC_FAIR);
}

/* Not limited by the window: nothing grows, but a queue still cuts. */
static void nscc_quadrant__not_limited(void)
{
	static const u32 q[] = { 0, 5 * US, 10 * US, 30 * US };
	struct flow f = flow_new(NSCC_NSCC, 100000), before;
	u32 i;

	f.e.cwnd_limited = false;
	f.n.avg = NS(20 * US);
	f.n.fast = 1;
	f.n.received = 50000;
	f.n.inc = 5000000;
	before = f;
	for (i = 0; i < ARRAY_SIZE(q); i++) {
		EXPECT_EQ(update(&f, 13000, q[i], false), NSCC_HOLD);
		EXPECT_EQ(memcmp(&f.n, &before.n, sizeof(f.n)), 0);
	}
	EXPECT_EQ(update(&f, 13000, 10 * US, true), NSCC_DECREASE);
	EXPECT_NEAR(f.n.cwnd / 256.0, 60000, 2);
	f.e.cwnd_limited = true;
	EXPECT_EQ(update(&f, 13000, 5 * US, true),
		  NSCC_NOOP | NSCC_MARK_FULFIL);
	EXPECT_NEAR(f.n.cwnd / 256.0, 60000 + 83 + 150, 2);
}

/* --- fulfil ---------------------------------------------------------------- */

/* Strictly more than 8 packets. */
static void nscc_fulfil__bytes(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.received = 8000;
	f.n.inc = 20000000;
	EXPECT_EQ(update(&f, 1, 5 * US, true), NSCC_NOOP);
	EXPECT_EQ(f.n.received, 8000);
	f.n.received = 8001;
	EXPECT_EQ(update(&f, 1, 5 * US, true), NSCC_NOOP | NSCC_MARK_FULFIL);
	EXPECT_EQ(f.n.cwnd, B(100200));
	EXPECT_EQ(f.n.received, 0);
	EXPECT_EQ(f.n.inc, 0);
	EXPECT_EQ(f.n.last_adj, START);
}

/* The MTU and the knob set the bytes. */
static void nscc_fulfil__bytes_scale(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.k.adjust_mtus = 2;
	f.p.mtu = 1500;
	f.n.received = 3000;
	EXPECT_EQ(update(&f, 1, 5 * US, true), NSCC_NOOP);
	f.n.received = 3001;
	EXPECT_EQ(update(&f, 1, 5 * US, true), NSCC_NOOP | NSCC_MARK_FULFIL);
}

/* Time alone: strictly more than R; at R exactly, with the bytes, eta too. */
static void nscc_fulfil__time(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	EXPECT_EQ(update(&f, 12000, 5 * US, true), NSCC_NOOP);
	EXPECT_EQ(update(&f, 12001, 5 * US, true),
		  NSCC_NOOP | NSCC_MARK_FULFIL);
	EXPECT_NEAR(f.n.cwnd / 256.0, 100150, 0.01);
	EXPECT_EQ(f.n.last_adj, START + 12001);
	f.n.received = 8001;
	EXPECT_EQ(update(&f, 24000, 5 * US, true),
		  NSCC_NOOP | NSCC_MARK_FULFIL);
	EXPECT_NEAR(f.n.cwnd / 256.0, 100150, 0.01);
	EXPECT_EQ(f.n.last_adj, START + 12001);
	f.n.received = 8001;
	EXPECT_EQ(update(&f, 24001, 5 * US, true),
		  NSCC_NOOP | NSCC_MARK_FULFIL);
	EXPECT_NEAR(f.n.cwnd / 256.0, 100300, 0.01);
	EXPECT_EQ(f.n.last_adj, START + 24001);
}

/* R is the network's, not the flow's own base RTT. */
static void nscc_fulfil__network_rtt(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.p.rtt_ns = 20 * US;
	EXPECT_EQ(update(&f, 20000, 5 * US, true), NSCC_NOOP);
	EXPECT_EQ(update(&f, 20001, 5 * US, true),
		  NSCC_NOOP | NSCC_MARK_FULFIL);
}

/* eta is a share of MSS a. */
static void nscc_fulfil__eta_scales(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.k.eta = 1000;
	f.p.scale = 131072;
	f.p.mtu = 3000;
	update(&f, 12001, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(102000));
}

/* The window is clamped before inc is divided by it, and after. */
static void nscc_fulfil__clamped_around(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100);

	f.n.received = 8001;
	f.n.inc = 2000000;
	update(&f, 1, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(3000));
	f.n.received = 8001;
	f.n.inc = 1ULL << 56;
	update(&f, 1, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(225000));
	f.p.mtu = 1;
	f.n.cwnd = B(1);
	f.n.received = 8001;
	f.n.inc = U64_MAX;
	update(&f, 1, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(225000));
}

/* --- quick adapt ----------------------------------------------------------- */

/* A flow whose period ends at START + 22 us, with little achieved. */
static struct flow flow_far_off(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.qa_end = START + 22 * US;
	f.n.last_adj = START + 22 * US;
	f.n.last_dec = START + 22 * US;
	f.n.achieved = 20000;
	f.n.received = 3000;
	f.n.inc = 77;
	return f;
}

/* The first ACK only begins a period, of base + target. */
static void nscc_quick_adapt__first_period(void)
{
	struct flow f = flow_far_off();

	f.n.qa_end = 0;
	f.n.trigger = 1;
	f.p.base_rtt_ns = 11 * US;
	EXPECT_EQ(update(&f, 22001, 5 * US, true),
		  NSCC_NOOP | NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.qa_end, START + 22001 + 21 * US);
	EXPECT_EQ(f.n.achieved, 0);
	EXPECT_EQ(f.n.trigger, 1);
	EXPECT_EQ(f.n.cwnd, B(100000));
	EXPECT_EQ(f.n.inc, 77);
}

/* W becomes what was achieved, and what is in flight is stale. */
static void nscc_quick_adapt__resets(void)
{
	struct flow f = flow_far_off();

	f.n.trigger = 1;
	f.n.to_ignore = 7;
	EXPECT_EQ(update(&f, 22001, 5 * US, false),
		  NSCC_QUICK_ADAPT | NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.cwnd, B(20000));
	EXPECT_EQ(f.n.to_ignore, 50000);
	EXPECT_EQ(f.n.trigger, 0);
	EXPECT_EQ(f.n.achieved, 0);
	EXPECT_EQ(f.n.received, 0);
	EXPECT_EQ(f.n.inc, 0);
	EXPECT_EQ(f.n.qa_end, START + 22001 + 22 * US);
}

/* After the end of the period, strictly. */
static void nscc_quick_adapt__period(void)
{
	struct flow f = flow_far_off();

	f.n.trigger = 1;
	EXPECT_EQ(update(&f, 22000, 5 * US, true), NSCC_NOOP);
	EXPECT_EQ(f.n.qa_end, START + 22 * US);
	EXPECT_EQ(f.n.achieved, 20000);
	EXPECT_EQ(update(&f, 22001, 5 * US, true),
		  NSCC_QUICK_ADAPT | NSCC_MARK_PERIOD);
}

/* A delay is a reason above 4 targets, strictly; the knob scales that. */
static void nscc_quick_adapt__delay(void)
{
	struct flow f = flow_far_off();

	EXPECT_EQ(update(&f, 22001, 40000, true), NSCC_WAIT | NSCC_MARK_PERIOD);
	f = flow_far_off();
	EXPECT_EQ(update(&f, 22001, 40001, true),
		  NSCC_QUICK_ADAPT | NSCC_MARK_PERIOD);
	f = flow_far_off();
	f.k.qa_threshold = 2500;
	EXPECT_EQ(update(&f, 22001, 25000, true), NSCC_WAIT | NSCC_MARK_PERIOD);
	f = flow_far_off();
	f.k.qa_threshold = 2500;
	EXPECT_EQ(update(&f, 22001, 25001, true),
		  NSCC_QUICK_ADAPT | NSCC_MARK_PERIOD);
}

/* Less than maxwnd >> 3 achieved, strictly; the knob shifts that. */
static void nscc_quick_adapt__gate(void)
{
	static const struct {
		u32 gate, achieved;
		u8 want;
	} vector[] = {
		{ 3, 28124, NSCC_QUICK_ADAPT }, { 3, 28125, NSCC_NOOP },
		{ 0, 224999, NSCC_QUICK_ADAPT }, { 0, 225000, NSCC_NOOP },
		{ 8, 877, NSCC_QUICK_ADAPT }, { 8, 878, NSCC_NOOP },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_far_off();

		f.n.trigger = 1;
		f.k.qa_gate = vector[i].gate;
		f.n.achieved = vector[i].achieved;
		EXPECT_EQ(update(&f, 22001, 5 * US, true),
			  vector[i].want | NSCC_MARK_PERIOD);
		EXPECT_EQ(f.n.achieved, 0);
		EXPECT_EQ(f.n.trigger, vector[i].want == NSCC_NOOP);
	}
}

/* At least a packet; it may raise the window, if that is what limits. */
static void nscc_quick_adapt__window(void)
{
	struct flow f = flow_far_off();

	f.n.trigger = 1;
	f.n.achieved = 999;
	update(&f, 22001, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(1000));
	f = flow_far_off();
	f.n.trigger = 1;
	f.n.cwnd = B(5000);
	update(&f, 22001, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(20000));
	f = flow_far_off();
	f.n.trigger = 1;
	f.n.cwnd = B(5000);
	f.e.cwnd_limited = false;
	update(&f, 22001, 5 * US, true);
	EXPECT_EQ(f.n.cwnd, B(5000));
	EXPECT_EQ(f.n.to_ignore, 50000);
}

/* Stale news are those with CE; they end no period. */
static void nscc_quick_adapt__ignores_marked(void)
{
	struct flow f = flow_far_off();

	f.n.trigger = 1;
	f.n.to_ignore = 1;
	EXPECT_EQ(update(&f, 22001, 90 * US, true), NSCC_IGNORED);
	EXPECT_EQ(f.n.cwnd, B(100000));
	EXPECT_EQ(f.n.inc, 0);
	EXPECT_EQ(f.n.received, 0);
	EXPECT_EQ(f.n.achieved, 20000);
	EXPECT_EQ(f.n.qa_end, START + 22 * US);
	EXPECT_EQ(f.n.trigger, 1);
	f.n.last_adj = START;
	EXPECT_EQ(update(&f, 1, 5 * US, false), NSCC_PROPORTIONAL);
	f.n.to_ignore = 0;
	EXPECT_EQ(update(&f, 1, 5 * US, true), NSCC_NOOP);
}

/* Off is off: nothing is ignored, no period begins. */
static void nscc_quick_adapt__off(void)
{
	struct flow f = flow_far_off();

	f.k.quick_adapt = 0;
	f.n.trigger = 1;
	f.n.to_ignore = 1;
	EXPECT_EQ(update(&f, 22001, 90 * US, true), NSCC_WAIT);
	EXPECT_EQ(f.n.qa_end, START + 22 * US);
	EXPECT_EQ(f.n.achieved, 20000);
	EXPECT_EQ(f.n.inc, 77);
}

/* --- loss ------------------------------------------------------------------ */

/* W -= bytes; avg moves to R by 1/80; the next period may adapt. */
static void nscc_loss__shrinks(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.avg = NS(4 * US);
	f.n.inc = 7;
	f.n.received = 5;
	EXPECT_EQ(lose(&f, 1), NSCC_LOSS);
	EXPECT_EQ(f.n.cwnd, B(99000));
	EXPECT_NEAR(f.n.avg / 256.0, 4100, 0.1);
	EXPECT_EQ(f.n.trigger, 1);
	EXPECT_EQ(f.n.inc, 7);
	EXPECT_EQ(f.n.received, 5);
	f.p.rtt_ns = 84100;
	lose(&f, 1);
	EXPECT_NEAR(f.n.avg / 256.0, 5100, 0.1);
}

/* Of a network of which nothing is known no period ends, and no average is fed. */
static void nscc_loss__nothing_known(void)
{
	struct flow f = flow_far_off();

	f.p.base_rtt_ns = 0;
	f.p.rtt_ns = 0;
	f.n.avg = NS(4 * US);
	EXPECT_EQ(lose(&f, 22001), NSCC_LOSS);
	EXPECT_EQ(f.n.cwnd, B(99000));
	EXPECT_EQ(f.n.avg, NS(4 * US));
}

/* Within the bounds, whatever the size. */
static void nscc_loss__clamped(void)
{
	struct flow f = flow_new(NSCC_NSCC, 2500);

	lose(&f, 1);
	EXPECT_EQ(f.n.cwnd, B(1500));
	lose(&f, 1);
	EXPECT_EQ(f.n.cwnd, B(1000));
	f.e.bytes = U32_MAX;
	lose(&f, 1);
	EXPECT_EQ(f.n.cwnd, B(1000));
	f.n.cwnd = B(400000);
	f.e.bytes = 1000;
	lose(&f, 1);
	EXPECT_EQ(f.n.cwnd, B(225000));
}

/* Stale losses shrink nothing, as if CE-marked; its own bytes count first. */
static void nscc_loss__ignored(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.to_ignore = 2001;
	f.n.inc = 7;
	EXPECT_EQ(lose(&f, 1), NSCC_IGNORED);
	EXPECT_EQ(f.n.to_ignore, 1001);
	EXPECT_EQ(f.n.inc, 0);
	EXPECT_EQ(f.n.trigger, 1);
	EXPECT_EQ(lose(&f, 1), NSCC_IGNORED);
	EXPECT_EQ(f.n.to_ignore, 1);
	EXPECT_EQ(f.n.cwnd, B(100000));
	EXPECT_EQ(lose(&f, 1), NSCC_LOSS);
	EXPECT_EQ(f.n.to_ignore, 0);
	EXPECT_EQ(f.n.cwnd, B(99000));
}

/* A loss is a reason of its own, and takes nothing more off the window. */
static void nscc_loss__quick_adapt(void)
{
	struct flow f = flow_far_off();

	EXPECT_EQ(lose(&f, 22001), NSCC_QUICK_ADAPT | NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.cwnd, B(20000));
	EXPECT_EQ(f.n.to_ignore, 50000);
	EXPECT_EQ(f.n.trigger, 0);
}

/* Enough was achieved: the period ends, the window shrinks by the packet. */
static void nscc_loss__period_without_adapt(void)
{
	struct flow f = flow_far_off();

	f.n.achieved = 28125;
	EXPECT_EQ(lose(&f, 22001), NSCC_LOSS | NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.cwnd, B(99000));
	EXPECT_EQ(f.n.achieved, 0);
	EXPECT_EQ(f.n.trigger, 1);
}

/* --- the average ----------------------------------------------------------- */

/* gain 0.5: half way to q, or to base / 4 for a late one without a mark. */
static void nscc_observe__average(void)
{
	static const struct {
		u32 q, ce, want;
	} vector[] = {
		{ 4000, 0, 2000 }, { 10000, 0, 5000 }, { 10001, 0, 1500 },
		{ 60001, 0, 1500 }, { 10001, 1, 5000 }, { 60000, 1, 30000 },
		{ 4000, 9, 2000 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new(NSCC_NSCC, 100000);

		f.k.delay_gain = 5000;
		ack(&f, vector[i].q, vector[i].ce);
		EXPECT_EQ(f.n.avg >> 8, vector[i].want);
		EXPECT_EQ(acted_on(&f), vector[i].q);
	}
}

/* Whose target is less than base / 4: no delay counts more than itself. */
static void nscc_average__no_more_than_itself(void)
{
	static const u32 want[][2] = { { 2001, 2001 }, { 2999, 2999 }, { 3001, 3000 } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		struct flow f = flow_new(NSCC_NSCC, 100000);

		f.k.target_qdelay_ns = 2 * US;
		f.k.delay_gain = 10000;
		ack(&f, want[i][0], 0);
		EXPECT_EQ(f.n.avg, NS(want[i][1]));
	}
}

/* Of each new delay the gain, in 1/10000: the reference's 1/80, 1/4. */
static void nscc_average__gain(void)
{
	struct flow f = flow_new(NSCC_NSCC, 2000);

	ack(&f, 8000, 0);
	EXPECT_NEAR(f.n.avg / 256.0, 100, 0.01);
	f.k.delay_gain = 2500;
	ack(&f, 8100, 0);
	EXPECT_NEAR(f.n.avg / 256.0, 2100, 0.01);
}

/* Retransmitted data: the average stands in, and is not fed. */
static void nscc_delay__none(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.avg = NS(9000);
	f.s.base_rtt_ns = 12 * US;
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, NSCC_PROPORTIONAL);
	EXPECT_EQ(acted_on(&f), 9000);
	EXPECT_EQ(f.n.avg, NS(9000));
	EXPECT_EQ(f.d.target_ns, 22000);
	f.n.avg = NS(10001);
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, NSCC_FAIR);
	EXPECT_EQ(f.n.avg, NS(10001));
}

static void nscc_on_ack__tells_the_largest(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	ack(&f, US, 0);
	EXPECT_EQ(f.d.largest, 0);
	f.n.cwnd = 225000 << DCC_CWND_SHIFT;
	ack(&f, US, 0);
	EXPECT_EQ(f.d.largest, 1);
	f.s.line_rate = 0;
	ack(&f, US, 0);
	EXPECT_EQ(f.d.largest, 0);
}

/* An ACK that may have waited proves a free path, but never a congested one. */
static void nscc_observe__maybe_delayed(void)
{
	u32 variant;

	for (variant = 0; variant < NSCC_VARIANTS; variant++) {
		struct flow f = flow_new(variant, 100000);

		f.s.maybe_delayed = true;
		f.k.delay_gain = 5000;
		EXPECT_EQ(ack(&f, 10000, 0), NSCC_PROPORTIONAL);
		EXPECT_EQ(acted_on(&f), 0);
		EXPECT_EQ(f.n.avg, 0);
		EXPECT_EQ(f.m.history.count, 0);
		EXPECT_EQ(ack(&f, 9999, 0), NSCC_PROPORTIONAL);
		EXPECT_EQ(acted_on(&f), 9999);
		EXPECT_EQ(f.n.avg >> 8, 4999);
		EXPECT_EQ(f.m.history.count, variant == NSCC_MNSCC);
		f.s.maybe_delayed = false;
		f.k.history = 1;
		EXPECT_EQ(ack(&f, 10000, 0), NSCC_FAIR);
	}
}

/* A delay below the base RTT is no queue. */
static void nscc_queueing__below_base(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.s.delay_ns = 11 * US;
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(acted_on(&f), 0);
	EXPECT_EQ(f.n.avg, 0);
}

/* No base RTT: bytes are counted, nothing else happens; losses still shrink. */
static void nscc_update__no_base_rtt(void)
{
	struct flow f = flow_new(NSCC_MNSCC, 100000);

	f.k.target_qdelay_ns = 0;
	f.s.base_rtt_ns = 0;
	f.n.qa_end = 0;
	f.s.now_ns = START + 100 * US;
	EXPECT_EQ(ack(&f, 5 * US, 1), NSCC_HOLD);
	EXPECT_EQ(f.n.cwnd, B(100000));
	EXPECT_EQ(f.n.achieved, 1000);
	EXPECT_EQ(f.n.avg, 0);
	EXPECT_EQ(f.n.qa_end, 0);
	EXPECT_EQ(f.m.history.count, 0);
	EXPECT_EQ(f.d.delay_ns, 0);
	EXPECT_EQ(f.d.target_ns, 0);
	f.s.losses = 2;
	ack(&f, 5 * US, 0);
	EXPECT_EQ(f.n.cwnd, B(98000));
}

/* --- mnscc's history ------------------------------------------------------- */

/* Of the last 4 delays, in the order they come; even counts give a mean. */
static void nscc_median__last_four(void)
{
	static const u32 q[] = { 7, 3, 30, 5, 6, 40, 50, 1 };
	static const u32 want[] = { 7000, 5000, 7000, 6000, 5500, 18000,
				    23000, 23000 };
	struct flow f = flow_new(NSCC_MNSCC, 100000);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(q); i++) {
		ack(&f, q[i] * US, 1);
		EXPECT_EQ(acted_on(&f), want[i]);
	}
}

/* H = max(min(W / 2, history), 1) packets. */
static void nscc_history_len__follows_the_window(void)
{
	static const struct {
		u32 cwnd, history, want;	/* median of 1, 2, .. 8 us */
	} vector[] = {
		{ 1000, 8, 8000 }, { 3999, 8, 8000 }, { 4000, 8, 7500 },
		{ 5999, 8, 7500 }, { 6000, 8, 7000 }, { 8000, 8, 6500 },
		{ 16000, 8, 4500 }, { 99000, 8, 4500 }, { 99000, 4, 6500 },
		{ 99000, 1, 8000 },
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(vector); i++) {
		struct flow f = flow_new(NSCC_MNSCC, 100000);

		for (j = 1; j <= 8; j++) {
			f.n.cwnd = B(vector[i].cwnd);
			f.k.history = vector[i].history;
			ack(&f, j * US, 1);
		}
		EXPECT_EQ(acted_on(&f), vector[i].want);
	}
}

/* A sample of k packets counts k times, one without any once. */
static void nscc_remember__weighs_by_packets(void)
{
	struct flow f = flow_new(NSCC_MNSCC, 100000);

	f.k.history = 8;
	f.s.acked = 3;
	ack(&f, 9 * US, 1);
	EXPECT_EQ(f.m.history.count, 3);
	f.s.acked = 0;
	ack(&f, 1 * US, 1);
	ack(&f, 2 * US, 1);
	EXPECT_EQ(f.m.history.count, 5);
	EXPECT_EQ(acted_on(&f), 9 * US);
	ack(&f, 3 * US, 1);
	EXPECT_EQ(acted_on(&f), 6 * US);
	f.s.acked = U32_MAX;
	ack(&f, 4 * US, 1);
	EXPECT_EQ(f.m.history.count, 8);
	EXPECT_EQ(acted_on(&f), 4 * US);
}

/* Delays are kept raw: a smaller base RTT found later applies to all. */
static void nscc_median__base_found_later(void)
{
	struct flow f = flow_new(NSCC_MNSCC, 100000);

	f.s.acked = 3;
	ack(&f, 4 * US, 1);
	f.s.base_rtt_ns = 10 * US;
	f.s.acked = 1;
	ack(&f, 0, 1);
	EXPECT_EQ(acted_on(&f), 6 * US);
}

/* The median chooses quadrant and size, and feeds the average. */
static void nscc_median__decides(void)
{
	struct flow f = flow_new(NSCC_MNSCC, 100000);

	f.k.delay_gain = 10000;
	f.s.acked = 3;
	EXPECT_EQ(ack(&f, 4 * US, 0), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.inc, 2000000);
	f.s.acked = 1;
	EXPECT_EQ(ack(&f, 30 * US, 0), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.inc, 4000000);
	EXPECT_EQ(f.n.avg, NS(4000));
	EXPECT_EQ(ack(&f, 30 * US, 1), NSCC_WAIT);
	EXPECT_EQ(f.n.avg, NS(17 * US));
	EXPECT_EQ(acted_on(&f), 17 * US);
}

/* ... and so does quick adapt's threshold. */
static void nscc_median__quick_adapt(void)
{
	struct flow f = flow_far_off();

	f.n.variant = NSCC_MNSCC;
	f.s.now_ns = START + 22001;
	f.s.acked = 3;
	f.s.acked_bytes = 10;
	f.n.qa_end = START + 30 * US;
	ack(&f, 4 * US, 1);
	f.s.acked = 1;
	f.n.qa_end = START + 22 * US;
	EXPECT_EQ(ack(&f, 90 * US, 1), NSCC_NOOP | NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.cwnd, B(100000));
}

/* Without a new delay mnscc knows its median still. */
static void nscc_median__without_a_delay(void)
{
	struct flow f = flow_new(NSCC_MNSCC, 100000);

	ack(&f, 4 * US, 1);
	ack(&f, 6 * US, 1);
	f.s.delay_ns = 0;
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(acted_on(&f), 5 * US);
	EXPECT_EQ(f.m.history.count, 2);
	f.n.cwnd = B(1000);
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(acted_on(&f), 6 * US);
}

/* --- on_ack ---------------------------------------------------------------- */

/* Bytes count for all, whatever is decided, and never wrap. */
static void nscc_on_ack__counts(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.n.to_ignore = 1500;
	ack(&f, 5 * US, 1);
	EXPECT_EQ(f.n.achieved, 1000);
	EXPECT_EQ(f.n.received, 0);
	EXPECT_EQ(f.n.to_ignore, 500);
	ack(&f, 5 * US, 1);
	EXPECT_EQ(f.n.to_ignore, 0);
	EXPECT_EQ(f.n.achieved, 2000);
	EXPECT_EQ(f.n.received, 1000);
	f.n.achieved = U32_MAX - 10;
	f.s.cwnd_limited = false;
	f.n.received = U32_MAX - 10;
	ack(&f, 5 * US, 1);
	EXPECT_EQ(f.n.achieved, U32_MAX);
	EXPECT_EQ(f.n.received, U32_MAX);
}

/* The decision: delays with the base RTT in them. */
static void nscc_on_ack__decision(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	EXPECT_EQ(ack(&f, 4 * US, 0), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.d.delay_ns, 16 * US);
	EXPECT_EQ(f.d.target_ns, 22 * US);
	EXPECT_EQ(f.n.inc, 2000000);
	f.s.base_rtt_ns = U32_MAX - 5;
	f.s.delay_ns = U32_MAX;
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.delay_ns, U32_MAX);
	EXPECT_EQ(f.d.target_ns, U32_MAX);
	f.s.delay_ns = 0;
	f.n.avg = NS(9000);
	nscc_on_ack(&f.n, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.delay_ns, U32_MAX);
}

/* What is stale after a quick adapt is what is in flight now. */
static void nscc_on_ack__in_flight(void)
{
	struct flow f = flow_far_off();

	f.s.now_ns = START + 22001;
	f.s.inflight = 7;
	EXPECT_EQ(ack(&f, 41 * US, 1), NSCC_QUICK_ADAPT | NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.to_ignore, 50000);
	EXPECT_EQ(f.n.cwnd, B(21000));
}

/* A smaller base RTT makes a smaller largest window at once, ignored or not. */
static void nscc_on_ack__clamps_when_ignored(void)
{
	struct flow f = flow_new(NSCC_NSCC, 225000);

	f.n.to_ignore = 9000;
	f.s.base_rtt_ns = 6 * US;
	EXPECT_EQ(ack(&f, 30 * US, 1), NSCC_IGNORED);
	EXPECT_EQ(f.n.cwnd, B(112500));
}

/* The ACK first, then each loss. */
static void nscc_on_ack__losses(void)
{
	struct flow f = flow_new(NSCC_NSCC, 100000);

	f.s.losses = 3;
	EXPECT_EQ(ack(&f, 4 * US, 0), NSCC_PROPORTIONAL | NSCC_MARK_LOSS);
	EXPECT_EQ(f.n.cwnd, B(97000));
	EXPECT_EQ(f.n.inc, 2000000);
	EXPECT_EQ(f.n.trigger, 1);
	f.s.acked_bytes = 0;
	EXPECT_EQ(ack(&f, 4 * US, 0), NSCC_LOSS | NSCC_MARK_LOSS);
	EXPECT_EQ(f.n.cwnd, B(94000));
	f.n.to_ignore = 9000;
	EXPECT_EQ(ack(&f, 4 * US, 0), NSCC_IGNORED | NSCC_MARK_LOSS);
	EXPECT_EQ(f.n.cwnd, B(94000));
	f.s.losses = 0;
	EXPECT_EQ(ack(&f, 4 * US, 0), NSCC_HOLD);
}

/* The first loss adapts, its own bytes and the others' still in flight. */
static void nscc_losses__in_flight(void)
{
	struct flow f = flow_far_off();

	f.s.losses = 3;
	f.s.acked_bytes = 0;
	f.s.now_ns = START + 22001;
	EXPECT_EQ(ack(&f, 4 * US, 0),
		  NSCC_QUICK_ADAPT | NSCC_MARK_LOSS | NSCC_MARK_LOSS_QA |
		  NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.cwnd, B(20000));
	EXPECT_EQ(f.n.to_ignore, 53000 - 2000);
	f = flow_far_off();
	f.s.losses = 1;
	f.s.acked = 1;
	f.s.acked_bytes = 1000;
	f.n.to_ignore = 1001;
	f.s.now_ns = START + 22001;
	EXPECT_EQ(ack(&f, 4 * US, 1),
		  NSCC_IGNORED | NSCC_MARK_LOSS | NSCC_MARK_LOSS_QA |
		  NSCC_MARK_PERIOD);
	EXPECT_EQ(f.n.cwnd, B(21000));
	f = flow_far_off();
	f.s.losses = 1;
	f.s.flight = U32_MAX;
	f.s.acked_bytes = 0;
	f.s.now_ns = START + 22001;
	ack(&f, 4 * US, 0);
	EXPECT_EQ(f.n.to_ignore, U32_MAX);
}

/* More losses than are handled one by one: the bytes of all count. */
static void nscc_losses__many(void)
{
	static const u32 losses[] = { 63, 64, 65, 66, 80 };
	struct flow f;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(losses); i++) {
		f = flow_new(NSCC_NSCC, 100000);
		f.k.delay_gain = 1;
		f.k.network_rtt_ns = 12 * US;
		f.k.target_qdelay_ns = 1000000000;
		f.s.losses = losses[i];
		ack(&f, 12 * US, 1);
		EXPECT_EQ(f.n.cwnd, B(100000 - losses[i] * 1000));
		EXPECT_NEAR(f.n.avg / 256.0,
			    1.19 * (1 + min(losses[i], 65U)), 0.5);
	}
	f = flow_new(NSCC_NSCC, 100000);
	f.s.losses = U32_MAX;
	f.s.mss = 65535;
	ack(&f, 12 * US, 1);
	EXPECT_EQ(f.n.cwnd, B(65535));
}

/* 64 losses one by one, and a rest of 2^32 bytes. */
static void nscc_losses__more_bytes_than_32_bits(void)
{
	struct flow f = flow_new(NSCC_NSCC, U32_MAX);

	f.s.line_rate = 1ULL << 40;
	f.s.mss = 65536;
	f.s.losses = 64 + 65536;
	ack(&f, 5 * US, 1);
	EXPECT_EQ(f.n.cwnd, B(65536));
}

/* --- slow start ------------------------------------------------------------ */

/* As flow_new(), and new: ten packets or less, and nobody told anything. */
static struct flow flow_starting(u32 cwnd)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);

	f.k.slow_start = 1;
	nscc_init(&f.n, &f.k, NSCC_NSCC, START, 10000, 1000);
	EXPECT_EQ(f.n.starting, 1);
	f.n.cwnd = B(cwnd);
	return f;
}

#define START_BRANCH(f, q)	(ack(f, q, 0) & NSCC_BRANCH)

static bool starts(const struct flow *f, u32 cwnd)
{
	struct nscc n;

	nscc_init(&n, &f->k, NSCC_MNSCC, START, cwnd, 1000);
	return n.starting;
}

/* Told by the knob, by the network's RTT, or by a route's larger window. */
static void nscc_start__not_told(void)
{
	struct flow f = flow_new(NSCC_NSCC, 10000);

	EXPECT_EQ(starts(&f, 10000), false);
	f.k.slow_start = 1;
	EXPECT_EQ(starts(&f, 10000), true);
	EXPECT_EQ(starts(&f, 10001), false);
	f.k.flow.init_cwnd = 10;
	EXPECT_EQ(starts(&f, 10000), false);
	f.k.flow.init_cwnd = 0;
	f.k.network_rtt_ns = 12 * US;
	EXPECT_EQ(starts(&f, 10000), false);
}

/* Bytes for bytes, whatever the algorithm's own increases would be. */
static void nscc_start__doubles(void)
{
	struct flow f = flow_starting(10000);
	u32 i;

	for (i = 0; i < 10; i++)
		EXPECT_EQ(ack(&f, 9999, 0), NSCC_START);
	EXPECT_EQ(f.n.cwnd, B(20000));
	EXPECT_EQ(f.d.starts, true);
	f.s.cwnd_limited = false;
	EXPECT_EQ(ack(&f, 0, 0), NSCC_HOLD);
	f.s.cwnd_limited = true;
	f.s.base_rtt_ns = 0;			/* not known yet */
	EXPECT_EQ(ack(&f, 5 * US, 0), NSCC_HOLD);
	EXPECT_EQ(f.n.cwnd, B(20000));
	f.s.base_rtt_ns = 12 * US;
	f.s.acked_bytes = 5000;
	EXPECT_EQ(ack(&f, 0, 0), NSCC_START);
	EXPECT_EQ(f.n.cwnd, B(25000));
}

/* 150 packets in 12 us, or what the largest window lets; then the algorithm's own rules. */
static void nscc_start__fills_the_line(void)
{
	struct flow f = flow_starting(149500);

	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_START);
	EXPECT_EQ(f.n.cwnd, B(150000));
	f.s.now_ns += 7;
	EXPECT_EQ(START_BRANCH(&f, 0), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.n.cwnd, B(150000));
	EXPECT_EQ(f.n.last_adj, START + 7);
	EXPECT_EQ(f.n.fi_count, 1000);
	EXPECT_EQ(f.n.received, 0);

	f = flow_starting(74500);
	f.k.max_window = 500;
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_START);
	EXPECT_EQ(f.n.cwnd, B(75000));
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.cwnd, B(75000));
}

/* At the first mark, the first delay at the target. */
static void nscc_start__ends_at_a_queue(void)
{
	struct flow f = flow_starting(20000);

	EXPECT_EQ(ack(&f, 5 * US, 1) & NSCC_BRANCH, NSCC_NOOP);
	EXPECT_EQ(f.n.starting, 0);
	EXPECT_EQ(f.n.cwnd, B(20000));
	f = flow_starting(20000);
	f.s.cwnd_limited = false;
	EXPECT_EQ(START_BRANCH(&f, 10 * US), NSCC_HOLD);
	EXPECT_EQ(f.n.starting, 0);
	f = flow_starting(20000);
	EXPECT_EQ(START_BRANCH(&f, 10 * US - 1), NSCC_START);
	EXPECT_EQ(START_BRANCH(&f, 10 * US), NSCC_FAIR);
	EXPECT_EQ(f.n.starting, 0);
}

/* A packet takes the line 80 ns, and comes 190 after the one before: others have it. */
static void nscc_start__ends_in_company(void)
{
	struct flow f = flow_starting(10000);

	f.s.fills = true;
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_START);
	f.s.now_ns += 190;
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_START);
	EXPECT_EQ(f.n.cwnd, B(12000));
	f.s.now_ns += 190;
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.cwnd, B(10000));
	EXPECT_EQ(f.n.starting, 0);
}

/* A loss, a timeout. */
static void nscc_start__ends_with_a_loss(void)
{
	struct flow f = flow_starting(20000);

	f.s.losses = 1;
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_START);
	EXPECT_EQ(f.n.cwnd, B(20000));
	EXPECT_EQ(f.n.starting, 0);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.n.last_adj, START);
	f = flow_starting(20000);
	rto(&f, 3, 1000);
	EXPECT_EQ(f.n.cwnd, B(17000));
	EXPECT_EQ(f.n.starting, 0);
	EXPECT_EQ(f.n.fi_count, 0);
	EXPECT_EQ(f.n.last_adj, START);
}

/* After an idle time it starts on, with another flight. */
static void nscc_start__idle(void)
{
	struct flow f = flow_starting(20000);

	f.s.fills = true;
	ack(&f, 5 * US, 0);
	EXPECT_EQ(f.m.start.flight_ns, START);
	nscc_on_idle(&f.n, &f.m, START + 1000 * US);
	EXPECT_EQ(f.n.starting, 1);
	EXPECT_EQ(f.m.start.flight_ns, 0);
	f.s.now_ns += 1000 * US;
	EXPECT_EQ(START_BRANCH(&f, 5 * US), NSCC_START);
}

/* --- rto, idle ------------------------------------------------------------- */

/* What the timeout gave up, and nothing else of the state. */
static void nscc_on_rto__packets_given_up(void)
{
	struct flow f = flow_new(NSCC_NSCC, 9500), before;

	f.n.inc = 7;
	f.n.achieved = 9;
	f.n.qa_end = 11;
	before = f;
	rto(&f, 1, 1000);
	EXPECT_EQ(f.n.cwnd, B(8500));
	rto(&f, 3, 1000);
	EXPECT_EQ(f.n.cwnd, B(5500));
	rto(&f, 0, 1000);
	EXPECT_EQ(f.n.cwnd, B(5500));
	before.n.cwnd = f.n.cwnd;
	EXPECT_EQ(memcmp(&f.n, &before.n, sizeof(f.n)), 0);
}

/* Just one packet left, less than one, none, and more than there was. */
static void nscc_on_rto__one_packet_is_left(void)
{
	static const u32 cwnd[][2] = {
		{ 5001, 1001 }, { 5000, 1000 }, { 4999, 1000 }, { 4000, 1000 },
		{ 3999, 1000 }, { 1000, 1000 }, { 999, 1000 }, { 1, 1000 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cwnd); i++) {
		struct flow f = flow_new(NSCC_NSCC, cwnd[i][0]);

		rto(&f, 4, 1000);
		EXPECT_EQ(f.n.cwnd, B(cwnd[i][1]));
	}
}

/* Packets that became larger than the window; counts that fill 32 bits. */
static void nscc_on_rto__extremes(void)
{
	struct flow f = flow_new(NSCC_NSCC, 2500);

	rto(&f, 1, 3000);
	EXPECT_EQ(f.n.cwnd, B(3000));
	f = flow_new(NSCC_NSCC, U32_MAX);
	rto(&f, U32_MAX, 65535);
	EXPECT_EQ(f.n.cwnd, B(65535));
	f = flow_new(NSCC_NSCC, U32_MAX);
	rto(&f, 65536, 65535);
	EXPECT_EQ(f.n.cwnd, B(65535));
	f = flow_new(NSCC_NSCC, U32_MAX);
	rto(&f, 65534, 65535);
	EXPECT_EQ(f.n.cwnd, B(U32_MAX - 65534U * 65535U));
}

/* Window, algorithm and last decrease stay; a new life for all else. */
static void nscc_on_idle__starts_anew(void)
{
	struct nscc_memory none = { 0 };
	struct flow f = flow_new(NSCC_MNSCC, 5000), fresh = f;

	memset(&f.m, 0xff, sizeof(f.m));
	f.n.inc = 1;
	f.n.qa_end = 2;
	f.n.last_dec = 3;
	f.n.last_adj = 4;
	f.n.avg = 5;
	f.n.fast = 1;
	f.n.trigger = 1;
	f.n.achieved = 6;
	f.n.received = 7;
	f.n.fi_count = 8;
	f.n.to_ignore = 9;
	nscc_on_idle(&f.n, &f.m, 99);
	nscc_init(&fresh.n, &f.k, NSCC_MNSCC, 99, 5000, 1000);
	fresh.n.last_dec = 3;
	EXPECT_EQ(memcmp(&f.n, &fresh.n, sizeof(f.n)), 0);
	EXPECT_EQ(memcmp(&f.m, &none, sizeof(none)), 0);
	nscc_on_idle(&f.n, NULL, 99);
	EXPECT_EQ(f.n.last_adj, 99);
}

/* --- Reno in the place of a guess ------------------------------------------- */

/* Without the line rate or memory: doubled, then a packet a window, halved by a loss. */
static void nscc_fall_back__reno(void)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		struct flow f = flow_starting(10000);
		struct nscc_memory *m = i ? NULL : &f.m;

		f.s.line_rate = i ? RATE_100G : 0;
		f.s.delay_ns = 20 * US;
		nscc_on_ack(&f.n, m, &f.k, &f.s, &f.d);
		EXPECT_EQ(f.d.branch, NSCC_RENO);
		EXPECT_EQ(f.d.cwnd, B(11000));
		EXPECT_EQ(f.d.delay_ns, 20 * US);
		EXPECT_EQ(f.d.starts, false);
		EXPECT_EQ(f.d.largest, false);
		f.s.recovery = true;
		nscc_on_ack(&f.n, m, &f.k, &f.s, &f.d);
		EXPECT_EQ(f.d.cwnd, B(5500));
		f.s.recovery = false;
		nscc_on_ack(&f.n, m, &f.k, &f.s, &f.d);
		EXPECT_NEAR(f.d.cwnd / 256.0, 5500 + 1000.0 / 5.5, 1);
		rto(&f, 3, 1000);
		EXPECT_EQ(f.n.cwnd, B(1000));
	}
}

/* The rate is known now: the largest window bounds what Reno left. */
static void nscc_fall_back__ends(void)
{
	struct flow f = flow_new(NSCC_NSCC, 1000000);

	f.s.line_rate = 0;
	ack(&f, 5 * US, 0);
	EXPECT_EQ(f.n.cwnd, B(1001000));
	f.s.line_rate = RATE_100G;
	EXPECT_EQ(ack(&f, 5 * US, 0) & NSCC_BRANCH, NSCC_PROPORTIONAL);
	EXPECT_EQ(f.n.cwnd, B(225000));
	rto(&f, 3, 1000);
	EXPECT_EQ(f.n.cwnd, B(222000));
	f.n.cwnd = B(225000);
	nscc_on_ack(&f.n, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, NSCC_RENO);
	EXPECT_EQ(f.d.largest, false);
}

/* --- all at once, against real arithmetic ---------------------------------- */

/* The algorithm in real numbers, times in ns, sizes in bytes. */
struct model {
	double cwnd, inc, avg, base, target, rtt, a, mss, maxwnd;
	double qa_end, last_dec, last_adj, achieved, received, fi_count;
	double to_ignore;
	bool fast, trigger;
	u8 branch;
};

static struct model model_of(const struct flow *f, double rate)
{
	const struct nscc *n = &f->n;

	return (struct model) {
		.cwnd = n->cwnd / 256.0, .inc = (double)n->inc,
		.avg = n->avg / 256.0, .base = f->p.base_rtt_ns,
		.target = f->p.target_ns, .rtt = f->p.rtt_ns,
		.a = f->p.rtt_ns * rate / 1e9 / 150000, .mss = f->p.mss,
		.maxwnd = 1.5 * f->p.base_rtt_ns * rate / 1e9,
		.qa_end = (double)n->qa_end, .last_dec = (double)n->last_dec,
		.last_adj = (double)n->last_adj, .achieved = n->achieved,
		.received = n->received, .fi_count = n->fi_count,
		.to_ignore = n->to_ignore, .fast = n->fast,
		.trigger = n->trigger,
	};
}

static void model_clamp(struct model *m)
{
	m->cwnd = fmax(fmin(m->cwnd, m->maxwnd), m->mss);
}

static void model_increase(struct model *m, double bytes, double q)
{
	if (q >= m->target) {
		m->inc += 5 * m->mss * m->a * bytes;
		m->branch = NSCC_FAIR;
		return;
	}
	if (q < 1000) {
		m->fi_count += bytes;
		m->fast |= m->fi_count > m->cwnd;
	} else {
		m->fi_count = 0;
		m->fast = false;
	}
	m->branch = m->fast ? NSCC_FAST : NSCC_PROPORTIONAL;
	if (m->fast)
		m->cwnd += 0.25 * m->a * bytes;
	else	/* alpha with b, as the reference states it, whose R is 12 us */
		m->inc += 4 * m->mss * m->a * (m->target / m->rtt) / m->target *
			  bytes * (m->target - q);
}

static void model_decrease(struct model *m, double now)
{
	m->fast = false;
	m->fi_count = 0;
	m->branch = NSCC_WAIT;
	if (m->avg <= m->target || now - m->last_dec <= m->base)
		return;
	m->cwnd *= fmax(1 - 0.8 * (m->avg - m->target) / m->avg, 0.5);
	m->last_dec = now;
	m->branch = NSCC_DECREASE;
}

/* True if nothing more is to be done. */
static bool model_quick_adapt(struct model *m, double now, double q, bool ce,
			      double in_flight)
{
	bool done = false;

	if (m->to_ignore > 0 && ce) {
		done = true;
		m->branch = NSCC_IGNORED;
	} else if (now > m->qa_end) {
		if (m->qa_end > 0 && (m->trigger || q > 4 * m->target) &&
		    m->achieved < floor(floor(m->maxwnd) / 8)) {
			done = true;
			m->branch = NSCC_QUICK_ADAPT;
			m->cwnd = fmax(m->achieved, m->mss);
			m->to_ignore = in_flight;
			m->trigger = false;
		}
		m->achieved = 0;
		m->qa_end = now + m->base + m->target;
	}
	if (done) {
		m->inc = 0;
		m->received = 0;
	}
	return done;
}

static void model_update(struct model *m, const struct nscc_event *e)
{
	double now = (double)e->now_ns;

	if (model_quick_adapt(m, now, e->q_ns, e->ce, e->in_flight))
		return;
	if (!e->ce)
		model_increase(m, e->bytes, e->q_ns);
	else if (e->q_ns >= m->target)
		model_decrease(m, now);
	else
		m->branch = NSCC_NOOP;
	model_clamp(m);
	if (m->received > 8 * m->mss || now - m->last_adj > m->rtt) {
		m->cwnd += m->inc / m->cwnd;
		if (now - m->last_adj >= m->rtt) {
			m->cwnd += 0.15 * m->mss * m->a;
			m->last_adj = now;
		}
		m->inc = 0;
		m->received = 0;
	}
	model_clamp(m);
}

static void model_expect(const struct flow *f, const struct model *m, u8 branch)
{
	double cwnd = f->n.cwnd / 256.0;

	EXPECT_EQ(branch & NSCC_BRANCH, m->branch);
	EXPECT_NEAR(cwnd, m->cwnd, fmax(2, m->cwnd / 10000));
	EXPECT_NEAR(f->n.inc, m->inc, m->inc / 1000 + 1e6);
	EXPECT_EQ(f->n.qa_end, m->qa_end);
	EXPECT_EQ(f->n.last_dec, m->last_dec);
	EXPECT_EQ(f->n.last_adj, m->last_adj);
	EXPECT_EQ(f->n.achieved, m->achieved);
	EXPECT_EQ(f->n.received, m->received);
	EXPECT_EQ(f->n.fi_count, m->fi_count);
	EXPECT_EQ(f->n.to_ignore, m->to_ignore);
	EXPECT_EQ(f->n.fast, m->fast);
	EXPECT_EQ(f->n.trigger, m->trigger);
}

/* A state and an event as they may be anywhere between 10 and 800 Gbit/s. */
static double random_case(struct flow *f)
{
	double rate = floor(unit_log_between(1.25e9, 1e11)), maxwnd;
	u32 base = (u32)unit_log_between(4000, 100000);
	u32 mss = 1000 + unit_below(8000), us;

	*f = flow_new(NSCC_NSCC, 0);
	f->k.target_qdelay_ns = base / 2 + unit_below(base);
	f->k.network_rtt_ns = base + unit_below(base / 2);
	nscc_params_set(&f->p, &f->k, base, (u64)rate, mss);
	maxwnd = f->p.max_window;
	us = base / 8;
	f->n.cwnd = B(unit_log_between(mss, fmax(maxwnd, mss + 1)));
	f->n.avg = NS(unit_below(4 * f->p.target_ns));
	f->n.inc = unit_below(100000) * (f->n.cwnd >> 8);
	f->n.achieved = (u32)unit_log_between(1000, maxwnd);
	f->n.received = unit_below(10 * mss);
	f->n.fi_count = (u32)unit_log_between(1, maxwnd);
	f->n.to_ignore = unit_below(4) ? 0 : 1 + unit_below(100000);
	f->n.fast = unit_below(2);
	f->n.trigger = unit_below(2);
	f->n.last_dec = START - us * unit_below(32);
	f->n.last_adj = START - us * unit_below(16);
	f->n.qa_end = unit_below(8) ? START + us * 8 - us * unit_below(16) : 0;
	f->e.bytes = (1 + unit_below(5)) * mss;
	f->e.in_flight = unit_below(300000);
	f->e.q_ns = unit_below(4) ? unit_below(5 * f->p.target_ns) :
				    unit_below(1500);
	f->e.ce = unit_below(2);
	return rate;
}

static void nscc_update__model(void)
{
	u32 seen[NSCC_LOSS + 1] = { 0 }, i;

	for (i = 0; i < 300000; i++) {
		struct flow f;
		double rate = random_case(&f);
		struct model m = model_of(&f, rate);
		u8 branch;

		branch = nscc_update(&f.n, &f.k, &f.p, &f.e);
		model_update(&m, &f.e);
		model_expect(&f, &m, branch);
		seen[branch & NSCC_BRANCH]++;
	}
	for (i = NSCC_FAIR; i <= NSCC_QUICK_ADAPT; i++)
		EXPECT_BETWEEN(seen[i], 1000, 300000);
}

static const struct unit_test tests[] = {
	UNIT_TEST(nscc_knob__both_ends),
	UNIT_TEST(nscc_knob__struct_and_table_agree),
	UNIT_TEST(nscc_knob__defaults),
	UNIT_TEST(nscc_params_set__reference_network),
	UNIT_TEST(nscc_params_set__rtt_and_target),
	UNIT_TEST(nscc_params_set__rtt_from_line_rate),
	UNIT_TEST(nscc_params_set__unknown),
	UNIT_TEST(nscc_params_set__saturates),
	UNIT_TEST(nscc_params_set__model),
	UNIT_TEST(nscc_first_window__known_and_unknown),
	UNIT_TEST(nscc_init__sets_all),
	UNIT_TEST(nscc_clamp__both_ends),
	UNIT_TEST(nscc_clamp__tiny_bdp),
	UNIT_TEST(nscc_fair_increase__at_and_above_target),
	UNIT_TEST(nscc_fair_increase__keeps_fast_state),
	UNIT_TEST(nscc_proportional_increase__vectors),
	UNIT_TEST(nscc_proportional_increase__per_rtt),
	UNIT_TEST(nscc_proportional_increase__scales),
	UNIT_TEST(nscc_collect__saturates),
	UNIT_TEST(nscc_fast_increase__after_a_window),
	UNIT_TEST(nscc_fast_increase__ends),
	UNIT_TEST(nscc_fast_increase__scales),
	UNIT_TEST(nscc_multiplicative_decrease__vectors),
	UNIT_TEST(nscc_multiplicative_decrease__average_at_target),
	UNIT_TEST(nscc_multiplicative_decrease__once_per_rtt),
	UNIT_TEST(nscc_multiplicative_decrease__long_ago),
	UNIT_TEST(nscc_multiplicative_decrease__ends_fast),
	UNIT_TEST(nscc_quadrant__borders),
	UNIT_TEST(nscc_quadrant__noop),
	UNIT_TEST(nscc_params_set__base_rtt),
	UNIT_TEST(nscc_on_ack__without_ecn),
	UNIT_TEST(nscc_on_ack__unmarked),
	UNIT_TEST(nscc_quadrant__not_limited),
	UNIT_TEST(nscc_fulfil__bytes),
	UNIT_TEST(nscc_fulfil__bytes_scale),
	UNIT_TEST(nscc_fulfil__time),
	UNIT_TEST(nscc_fulfil__network_rtt),
	UNIT_TEST(nscc_fulfil__eta_scales),
	UNIT_TEST(nscc_fulfil__clamped_around),
	UNIT_TEST(nscc_quick_adapt__first_period),
	UNIT_TEST(nscc_quick_adapt__resets),
	UNIT_TEST(nscc_quick_adapt__period),
	UNIT_TEST(nscc_quick_adapt__delay),
	UNIT_TEST(nscc_quick_adapt__gate),
	UNIT_TEST(nscc_quick_adapt__window),
	UNIT_TEST(nscc_quick_adapt__ignores_marked),
	UNIT_TEST(nscc_quick_adapt__off),
	UNIT_TEST(nscc_loss__shrinks),
	UNIT_TEST(nscc_loss__nothing_known),
	UNIT_TEST(nscc_loss__clamped),
	UNIT_TEST(nscc_loss__ignored),
	UNIT_TEST(nscc_loss__quick_adapt),
	UNIT_TEST(nscc_loss__period_without_adapt),
	UNIT_TEST(nscc_observe__average),
	UNIT_TEST(nscc_average__gain),
	UNIT_TEST(nscc_average__no_more_than_itself),
	UNIT_TEST(nscc_delay__none),
	UNIT_TEST(nscc_on_ack__tells_the_largest),
	UNIT_TEST(nscc_observe__maybe_delayed),
	UNIT_TEST(nscc_queueing__below_base),
	UNIT_TEST(nscc_update__no_base_rtt),
	UNIT_TEST(nscc_median__last_four),
	UNIT_TEST(nscc_history_len__follows_the_window),
	UNIT_TEST(nscc_remember__weighs_by_packets),
	UNIT_TEST(nscc_median__base_found_later),
	UNIT_TEST(nscc_median__decides),
	UNIT_TEST(nscc_median__quick_adapt),
	UNIT_TEST(nscc_median__without_a_delay),
	UNIT_TEST(nscc_on_ack__counts),
	UNIT_TEST(nscc_on_ack__decision),
	UNIT_TEST(nscc_on_ack__in_flight),
	UNIT_TEST(nscc_on_ack__clamps_when_ignored),
	UNIT_TEST(nscc_on_ack__losses),
	UNIT_TEST(nscc_losses__in_flight),
	UNIT_TEST(nscc_losses__many),
	UNIT_TEST(nscc_losses__more_bytes_than_32_bits),
	UNIT_TEST(nscc_start__not_told),
	UNIT_TEST(nscc_start__doubles),
	UNIT_TEST(nscc_start__fills_the_line),
	UNIT_TEST(nscc_start__ends_at_a_queue),
	UNIT_TEST(nscc_start__ends_in_company),
	UNIT_TEST(nscc_start__ends_with_a_loss),
	UNIT_TEST(nscc_start__idle),
	UNIT_TEST(nscc_on_rto__packets_given_up),
	UNIT_TEST(nscc_on_rto__one_packet_is_left),
	UNIT_TEST(nscc_on_rto__extremes),
	UNIT_TEST(nscc_on_idle__starts_anew),
	UNIT_TEST(nscc_fall_back__reno),
	UNIT_TEST(nscc_fall_back__ends),
	UNIT_TEST(nscc_update__model),
};

UNIT_MAIN(tests)
