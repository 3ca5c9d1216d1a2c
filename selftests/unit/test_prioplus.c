// SPDX-License-Identifier: GPL-2.0
/* Tests of tcp_prioplus/prioplus*.c: rules one by one, the paper's listing, a bottleneck. */
#include "prioplus.h"
#include "delays.h"

#define PKTS(x)		((u64)((x) * DCC_PKT + 0.5))
#define BYTES(x)	PKTS((x) / 1054.0)
#define FLOWS(x)	((u32)((x) * PRIOPLUS_ONE_FLOW + 0.5))
#define RATE_100G	12500000000ULL		/* bytes/s */
#define BASE		12178
#define BDP		152225			/* bytes */
#define START		1000000000ULL		/* when flows start, ns */

/*
 * The network of the golden vectors: 100 Gbit/s, base RTT 12178 ns, packets of 1054
 * B; priority 4 of 8, so D_target = 28178, D_limit = 30578, W_LS = BDP / 4. A window
 * of 40000 B in the middle of an RTT. All extensions are off.
 */
struct flow {
	struct prioplus p;
	struct prioplus_knobs k;
	struct dcc_sample s;
	struct dcc_sample a;
	struct dcc_decision d;
	struct prioplus_params q;
};

/* The paper's rules alone: no extension. */
static void paper(struct prioplus_knobs *k)
{
	k->join = 0;
	k->slow_estimate = 0;
	k->return_order = 0;
	k->root_ai = 0;
	k->host_jitter = 0;
}

/* The network, after a knob was changed. */
static void params(struct flow *f)
{
	prioplus_params_set(&f->q, &f->p, &f->k, &f->s);
}

static struct flow flow_new(u32 prio)
{
	struct flow f = {
		.k = PRIOPLUS_DEFAULTS,
		.s = {
			.now_ns = START, .base_rtt_ns = BASE, .srtt_ns = 20000,
			.acked = 1, .acked_bytes = 1054, .mss = 1054,
			.flight = 40000, .inflight = 40000,
			.line_rate = RATE_100G, .cwnd_limited = true,
		},
		.a = {
			.now_ns = START, .line_rate = RATE_100G,
			.base_rtt_ns = BASE, .srtt_ns = 20000, .mss = 1054,
		},
	};

	paper(&f.k);
	prioplus_init(&f.p, &f.k, PRIOPLUS_PRIOPLUS, 10, 1);
	prioplus_set_priority(&f.p, &f.k, prio);
	f.p.swift.cwnd = BYTES(40000);
	f.p.rtt_end_ns = START;
	params(&f);
	return f;
}

/* Another network. */
static void network(struct flow *f, u32 base_rtt_ns, u64 line_rate, u32 mss)
{
	f->s.base_rtt_ns = base_rtt_ns;
	f->s.line_rate = line_rate;
	f->s.mss = mss;
	params(f);
}

static u8 decided(struct flow *f)
{
	EXPECT_EQ(f->d.cwnd, f->p.swift.cwnd * f->s.mss >> 12);
	EXPECT_EQ(f->d.pacing_rate, 0);
	EXPECT_EQ(f->d.suspend, f->p.suspended);
	return f->d.branch;
}

/* One ACK of a packet sent then; returns the branch. */
static u8 ack_sent(struct flow *f, u64 sent_ns, u32 delay)
{
	memset(&f->d, 0, sizeof(f->d));
	f->s.sent_ns = sent_ns;
	f->s.delay_ns = delay;
	f->s.now_ns += 1000;
	prioplus_on_ack(&f->p, &f->k, &f->s, &f->d);
	return decided(f);
}

/* In the middle of an RTT, at its end. */
static u8 ack(struct flow *f, u32 delay)
{
	return ack_sent(f, f->p.rtt_end_ns - 1, delay);
}

static u8 ack_pass(struct flow *f, u32 delay)
{
	return ack_sent(f, f->p.rtt_end_ns, delay);
}

static u8 probe(struct flow *f, u32 delay)
{
	memset(&f->d, 0, sizeof(f->d));
	f->a.delay_ns = delay;
	f->a.now_ns += 1000;
	prioplus_on_probe(&f->p, &f->k, &f->a, &f->d);
	return decided(f);
}

/* Held, as a flow is after a delay beyond its limit. */
static struct flow flow_suspended(u32 prio)
{
	struct flow f = flow_new(prio);

	ack(&f, 60000);
	ack(&f, 60000);
	EXPECT_EQ(f.p.suspended, prio != 8);
	f.p.nflow = FLOWS(1);
	f.p.countdown = 4;
	return f;
}

static double cwnd_bytes(const struct flow *f)
{
	return (double)f->p.swift.cwnd / DCC_PKT * f->s.mss;
}

/* A window of so many bytes after one ACK of an RTT that adds so many packets. */
static double grown(double bytes, double pkts)
{
	return bytes + pkts * 1054 * 1054 / (bytes + 1053);
}

/* --- knobs and what follows from them ------------------------------------------ */

static void prioplus_knob__table(void)
{
	u32 i;

	EXPECT_EQ(PRIOPLUS_KNOB_COUNT <= 48, 1);
	for (i = 0; i < PRIOPLUS_KNOB_COUNT; i++) {
		const struct dcc_knob *k = &prioplus_knob[i];
		char text[DCC_KNOB_TEXT];
		u32 value;

		EXPECT_EQ(k->def >= k->min && k->def <= k->max, 1);
		EXPECT_EQ((k->algs & PRIOPLUS_ALL) != 0, 1);
		snprintf(text, sizeof(text), "%u", k->max);
		EXPECT_EQ(dcc_knob_parse(k, text, &value), 0);
		snprintf(text, sizeof(text), "%llu", k->max + 1ULL);
		EXPECT_EQ(dcc_knob_parse(k, text, &value) != 0, 1);
	}
}

/* Section 4.3.2: 4 i us and 4 i + 2.4 us above the base RTT. */
static void prioplus_params_set__channels(void)
{
	struct flow f = flow_new(1);
	u32 i;

	for (i = 1; i <= 8; i++) {
		prioplus_set_priority(&f.p, &f.k, i);
		params(&f);
		EXPECT_EQ(f.q.target_ns, BASE + 4000 * i);
		EXPECT_EQ(f.q.limit_ns, BASE + 4000 * i + 2400);
		EXPECT_EQ(f.q.highest, i == 8);
		EXPECT_EQ(f.q.empty_ns, BASE + 1000);
	}
	f.k.channel_fluct_ns = 2001;
	f.k.channel_noise_ns = 100;
	f.k.eps_ns = 5;
	params(&f);
	EXPECT_EQ(f.q.target_ns, BASE + 8 * 2101);
	EXPECT_EQ(f.q.limit_ns, BASE + 8 * 2101 + 1000 + 100);
	EXPECT_EQ(f.q.empty_ns, BASE + 5);
}

/* The knob is what the base RTT starts at; it only ever falls. */
static void prioplus_params_set__base_rtt(void)
{
	struct flow f = flow_new(1);

	network(&f, 0, 0, 1054);
	EXPECT_EQ(f.q.base_ns, 0);
	f.k.base_rtt_ns = 12000;
	network(&f, 0, 0, 1054);
	EXPECT_EQ(f.q.base_ns, 12000);
	network(&f, 12001, 0, 1054);
	EXPECT_EQ(f.q.base_ns, 12000);
	EXPECT_EQ(f.q.target_ns, 16000);
	network(&f, 11999, 0, 1054);
	EXPECT_EQ(f.q.base_ns, 11999);
}

/* Extension: what the hosts take is no queue, unless the base RTT was told. */
static void prioplus_params_set__host_jitter(void)
{
	struct flow f = flow_new(4);
	u32 on;

	f.s.hosts_ns = 5000;
	for (on = 0; on < 2; on++) {
		f.k.host_jitter = on;
		f.k.base_rtt_ns = 0;
		params(&f);
		EXPECT_EQ(f.q.base_ns, BASE + 5000 * on);
		EXPECT_EQ(f.q.empty_ns, BASE + 5000 * on + 1000);
		EXPECT_EQ(f.q.target_ns, BASE + 5000 * on + 16000);
		EXPECT_EQ(f.q.limit_ns, BASE + 5000 * on + 18400);
		EXPECT_NEAR(f.q.linear, BYTES((BDP + 62500 * on) / 4.), 1);
		EXPECT_EQ(ack_pass(&f, BASE + 6000) & PRIOPLUS_BRANCH,
			  on ? PRIOPLUS_LINEAR : PRIOPLUS_INCREASE);
		f.k.base_rtt_ns = 12000;
		params(&f);
		EXPECT_EQ(f.q.base_ns, 12000);
	}
	f.k.base_rtt_ns = 0;
	f.s.hosts_ns = U32_MAX;
	params(&f);
	EXPECT_EQ(f.q.base_ns, U32_MAX);
}

/* The top quarter, the next three eighths, the rest: 1, 1/4, 1/8 BDP. */
static void prioplus_params_set__linear_start(void)
{
	static const u32 eight[] = { 125, 125, 125, 250, 250, 250, 1000, 1000 };
	static const u32 three[] = { 125, 250, 1000 };
	struct flow f = flow_new(1);
	u32 i;

	for (i = 0; i < 8; i++) {
		prioplus_set_priority(&f.p, &f.k, i + 1);
		params(&f);
		EXPECT_NEAR(f.q.linear, BYTES(BDP * eight[i] / 1000.0), 2);
		EXPECT_EQ(f.q.countdown, 1000 / eight[i]);
	}
	f.k.prio_levels = 3;
	for (i = 0; i < 3; i++) {
		prioplus_set_priority(&f.p, &f.k, i + 1);
		params(&f);
		EXPECT_NEAR(f.q.linear, BYTES(BDP * three[i] / 1000.0), 2);
	}
	f.k.prio_levels = 1;
	params(&f);
	EXPECT_EQ(f.q.highest, 1);
	EXPECT_NEAR(f.q.linear, BYTES(BDP), 2);
	f.k.linear_start = 300;
	params(&f);
	EXPECT_NEAR(f.q.linear, BYTES(BDP * .3), 2);
	EXPECT_EQ(f.q.countdown, 4);		/* 3.33, rounded up */
	f.k.linear_start = 1;
	params(&f);
	EXPECT_EQ(f.q.countdown, 1000);
}

/* No window is larger than D_target * C, 352225 B; max_cwnd counts, too. */
static void prioplus_params_set__most(void)
{
	struct flow f = flow_new(4);

	EXPECT_NEAR(f.q.most, BYTES(352225), 1);
	f.k.max_cwnd = 100;
	params(&f);
	EXPECT_EQ(f.q.most, PKTS(100));
}

static void prioplus_params_set__unknown(void)
{
	struct flow f = flow_new(4);

	network(&f, BASE, 0, 1054);
	EXPECT_EQ(f.q.linear, PKTS(1));
	EXPECT_EQ(f.q.most, PKTS(65536));
	EXPECT_EQ(f.q.countdown, 4);
	EXPECT_EQ(f.q.target_ns, 28178);
	network(&f, 0, RATE_100G, 1054);
	EXPECT_EQ(f.q.linear, PKTS(1));
	EXPECT_EQ(f.q.most, PKTS(65536));
}

/* Channels of which the knobs say nothing have 40 and 10 KB of the line; a second at most. */
static void prioplus_params_set__own_width(void)
{
	static const u64 v[][3] = {
		{ RATE_100G, 3200, 800 }, { RATE_100G / 10, 32000, 8000 },
		{ 0, 3200, 800 }, { (1ULL << 40) - 1, 36, 9 }, { 1, 1000000000, 1000000000 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct flow f = flow_new(1);

		network(&f, 12178, v[i][0], 1054);
		EXPECT_EQ(f.q.fluct_ns, v[i][1]);
		EXPECT_EQ(f.q.noise_ns, v[i][2]);
		EXPECT_EQ(f.q.target_ns, 12178 + v[i][1] + v[i][2]);
		EXPECT_EQ(f.q.limit_ns, 12178 + v[i][1] + v[i][2] + v[i][1] / 2 + v[i][2]);
		f.k.channel_fluct_ns = 100;
		f.k.channel_noise_ns = 1;
		params(&f);
		EXPECT_EQ(f.q.limit_ns, 12178 + 101 + 50 + 1);
	}
}

/* 4.29 s, 8.8 Tbit/s, packets of a byte: nothing wraps. */
static void prioplus_params_set__ends(void)
{
	struct flow f = flow_new(8);

	f.k.channel_fluct_ns = 1000000000;
	f.k.channel_noise_ns = 1000000000;
	f.k.eps_ns = 1000000000;
	network(&f, U32_MAX, U64_MAX, 1);
	EXPECT_EQ(f.q.empty_ns, U32_MAX);
	EXPECT_EQ(f.q.target_ns, U32_MAX);
	EXPECT_EQ(f.q.limit_ns, U32_MAX);
	EXPECT_EQ(f.q.line_rate, (1ULL << 40) - 1);
	EXPECT_EQ(f.q.most, PKTS(65536));
	EXPECT_NEAR(f.q.linear, (double)U32_MAX * (1ULL << 40) / 1e9 * DCC_PKT,
		    1e12);
	network(&f, 1, 1, 65535);
	EXPECT_EQ(f.q.linear, PKTS(1));		/* as if C were unknown */
	network(&f, 1, 1000000000, 65535);
	EXPECT_EQ(f.q.linear, 16);		/* a byte */
	f.k.linear_start = 1;
	params(&f);
	EXPECT_EQ(f.q.linear, 1);
}

/* --- starting ------------------------------------------------------------------- */

static void prioplus_init__state(void)
{
	struct prioplus_knobs k = PRIOPLUS_DEFAULTS;
	struct prioplus p;

	memset(&p, 0xa5, sizeof(p));
	prioplus_init(&p, &k, PRIOPLUS_OVER_LEDBAT, 10, 0);
	EXPECT_EQ(p.swift.cwnd, PKTS(10));
	EXPECT_EQ(p.swift.last_decrease_ns, 0);
	EXPECT_EQ(p.nflow, FLOWS(1));
	EXPECT_EQ(p.random, 1);
	EXPECT_EQ(p.prio, 1);
	EXPECT_EQ(p.variant, PRIOPLUS_OVER_LEDBAT);
	EXPECT_EQ(p.suspended || p.dual || p.consec || p.countdown || p.step, 0);
	EXPECT_EQ(p.rtt_end_ns || p.order.above, 0);
	prioplus_init(&p, &k, PRIOPLUS_PRIOPLUS, 0, 77);
	EXPECT_EQ(p.swift.cwnd, PKTS(1));
	EXPECT_EQ(p.random, 77);
	prioplus_init(&p, &k, PRIOPLUS_PRIOPLUS, U32_MAX, 77);
	EXPECT_EQ(p.swift.cwnd, PKTS(65536));
}

static void prioplus_set_priority__clamps(void)
{
	struct flow f = flow_new(1);

	EXPECT_EQ(prioplus_set_priority(&f.p, &f.k, 0), 1);
	EXPECT_EQ(f.p.prio, 1);
	EXPECT_EQ(prioplus_set_priority(&f.p, &f.k, 8), 1);
	EXPECT_EQ(f.p.prio, 8);
	EXPECT_EQ(prioplus_set_priority(&f.p, &f.k, 9), 0);
	EXPECT_EQ(f.p.prio, 8);
	EXPECT_EQ(prioplus_set_priority(&f.p, &f.k, 0x106), 0);
	EXPECT_EQ(f.p.prio, 8);
	f.k.prio_levels = 3;			/* fewer than it was set under */
	params(&f);
	EXPECT_EQ(f.q.target_ns, BASE + 3 * 4000);
	EXPECT_EQ(f.q.highest, 1);
}

/* All but the highest ask first, at once. */
static void prioplus_on_start__probes(void)
{
	struct flow f = flow_new(7);

	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.branch, PRIOPLUS_START);
	EXPECT_EQ(f.d.suspend, 1);
	EXPECT_EQ(f.d.probe_delay_ns, 1);
	EXPECT_EQ(f.p.rtt_end_ns, 0);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	f = flow_new(8);
	f.p.rtt_end_ns = 0;
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.branch, PRIOPLUS_START_NOW);
	EXPECT_EQ(f.d.suspend, 0);
	EXPECT_EQ(f.d.probe_delay_ns, 0);
	EXPECT_NEAR(cwnd_bytes(&f), BDP, .01);
}

/* Up to a priority: 5 asks, 6 begins with W_LS, a quarter of the BDP. */
static void prioplus_on_start__knob(void)
{
	struct flow f = flow_new(5);

	f.k.probe_start = 5;
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.suspend, 1);
	f = flow_new(6);
	f.k.probe_start = 5;
	f.p.nflow = FLOWS(2);
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.suspend, 0);
	EXPECT_NEAR(cwnd_bytes(&f), BDP / 8., .01);
	f = flow_new(1);
	f.k.probe_start = 0;
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.suspend, 0);
}

/* Nothing known of the network: the window stays, up to the bounds. */
static void prioplus_on_start__unknown(void)
{
	struct flow f = flow_new(8);

	f.a.line_rate = 0;
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.branch, PRIOPLUS_START_NOW | PRIOPLUS_MARK_NO_LINE);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	f.a.line_rate = RATE_100G;
	f.a.base_rtt_ns = 0;
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.d.branch, PRIOPLUS_START_NOW);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(f.d.target_ns, 0);
}

/* After a silence: no more than it had, and no more than at a start; what RTTs told is void. */
static void prioplus_on_start__again(void)
{
	struct flow f = flow_new(8);

	f.p.swift.cwnd = BYTES(BDP / 2);
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_NEAR(cwnd_bytes(&f), BDP / 2, .01);
	f = flow_new(8);
	f.p.swift.cwnd = BYTES(BDP * 2);
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_NEAR(cwnd_bytes(&f), BDP, .01);
	f = flow_new(8);
	f.p.step = PKTS(5);
	f.p.dual = 1;
	f.p.consec = 1;
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.p.step || f.p.dual || f.p.consec || f.p.rtt_end_ns, 0);
	f = flow_suspended(4);
	prioplus_set_priority(&f.p, &f.k, 8);
	prioplus_on_start(&f.p, &f.k, &f.a, &f.d);
	EXPECT_EQ(f.p.suspended, 0);
}

/* --- lines 2 to 6: RTTs ------------------------------------------------------------ */

/* The first ACK begins one. It ends with a packet sent at its beginning. */
static void prioplus_on_ack__rtt(void)
{
	struct flow f = flow_new(4);

	f.p.rtt_end_ns = 0;
	EXPECT_EQ(ack_sent(&f, START, 20178), PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.rtt_end_ns, START + 1000);
	EXPECT_EQ(ack_sent(&f, START + 999, 20178), PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.rtt_end_ns, START + 1000);
	EXPECT_EQ(f.p.dual, 0);
	EXPECT_EQ(ack_sent(&f, START + 1000, 20178),
		  PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT | PRIOPLUS_MARK_STEP);
	EXPECT_EQ(f.p.rtt_end_ns, START + 3000);
	EXPECT_EQ(f.p.dual, 1);
	EXPECT_EQ(ack_pass(&f, 20178), PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT);
	EXPECT_EQ(f.p.dual, 0);
}

/* A send time that is not known is the arrival less the delay. */
static void prioplus_on_ack__rtt_without_send_time(void)
{
	struct flow f = flow_new(4);

	f.s.now_ns = START + 19177;		/* with ack(): + 20177 */
	EXPECT_EQ(ack_sent(&f, 0, 20178), PRIOPLUS_INCREASE);
	f.s.now_ns = START + 19178;
	EXPECT_EQ(ack_sent(&f, 0, 20178) & PRIOPLUS_MARK_RTT,
		  PRIOPLUS_MARK_RTT);
}

/* Without a delay an ACK ends no RTT. */
static void prioplus_on_ack__rtt_needs_a_delay(void)
{
	struct flow f = flow_new(4);

	EXPECT_EQ(ack_pass(&f, 0), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.rtt_end_ns, START);
}

/* --- lines 7 to 11: beyond the limit ----------------------------------------------- */

/*
 * The second in a row, not the third that "consec++ >= 2" of the paper's line 7 is.
 * #flow = 40000 ns * 12.5 B/ns / 40000 B = 12.5.
 */
static void prioplus_on_ack__second_in_a_row(void)
{
	struct flow f = flow_new(4);

	f.p.step = PKTS(3);
	f.p.dual = 1;
	EXPECT_EQ(ack(&f, 30578), PRIOPLUS_DECREASE);
	EXPECT_EQ(f.p.consec, 1);
	EXPECT_EQ(f.d.suspend, 0);
	f.p.swift.cwnd = BYTES(40000);
	EXPECT_EQ(ack(&f, 40000), PRIOPLUS_STOP | PRIOPLUS_MARK_FLOWS);
	EXPECT_EQ(f.d.suspend, 1);
	EXPECT_BETWEEN(f.d.probe_delay_ns, 40000 - 28178, 40000 - 28178 + BASE);
	EXPECT_NEAR(f.p.nflow, FLOWS(12.5), 2);
	EXPECT_EQ(f.p.countdown, 4);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(f.p.step || f.p.dual || f.p.consec || f.p.rtt_end_ns, 0);
	EXPECT_EQ(f.d.delay_ns, 40000);
	EXPECT_EQ(f.d.target_ns, 28178);
}

/* One below the limit in between, and it was a single one again. */
static void prioplus_on_ack__not_in_a_row(void)
{
	struct flow f = flow_new(4);
	u32 i;

	for (i = 0; i < 5; i++) {
		EXPECT_EQ(ack(&f, 30578) == PRIOPLUS_STOP, 0);
		EXPECT_EQ(f.p.consec, 1);
		ack(&f, 30577);
		EXPECT_EQ(f.p.consec, 0);
		EXPECT_EQ(f.p.suspended, 0);
	}
}

/* The estimate only grows, to 2000 at most; with no change there is no mark. */
static void prioplus_on_ack__cardinality(void)
{
	static const struct {
		double before, bytes, after;
	} v[] = {
		{ 13, 40000, 13 }, { 12, 40000, 12.5 }, { 1, 500000, 1 },
		{ 1, 500000 / 1999., 1999 }, { 1, 500000 / 2100., 2000 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct flow f = flow_new(4);

		f.p.consec = 1;
		f.p.nflow = FLOWS(v[i].before);
		f.p.swift.cwnd = BYTES(v[i].bytes);
		EXPECT_EQ(ack(&f, 40000), PRIOPLUS_STOP |
			  (v[i].after > v[i].before ? PRIOPLUS_MARK_FLOWS : 0));
		EXPECT_NEAR(f.p.nflow, FLOWS(v[i].after), v[i].after * 30);
		EXPECT_EQ(f.p.countdown, 4);
	}
}

/* Extension: twice as many with each stop, up to the paper's estimate. */
static void prioplus_on_ack__slow_estimate(void)
{
	static const struct {
		double before, slow, flows;
	} v[] = {
		{ 1, 2, 500 }, { 3, 6, 500 }, { 249, 498, 500 }, { 251, 500, 500 },
		{ 300, 500, 500 }, { 501, 501, 501 }, { 1900, 1900, 1900 },
	};
	u32 i, on;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		for (on = 0; on < 2; on++) {
			struct flow f = flow_new(4);

			f.k.slow_estimate = on;
			f.p.nflow = FLOWS(v[i].before);
			f.p.swift.cwnd = BYTES(1000);
			f.p.consec = 1;
			EXPECT_EQ(ack(&f, 40000) & PRIOPLUS_BRANCH, PRIOPLUS_STOP);
			EXPECT_NEAR(f.p.nflow, FLOWS(on ? v[i].slow : v[i].flows),
				    FLOWS(.001));
		}
}

/* The line rate unknown, too: the channel is one of delays. */
static void prioplus_on_ack__stops_without_line_rate(void)
{
	struct flow f = flow_new(4);

	f.s.line_rate = 0;
	f.p.consec = 1;
	EXPECT_EQ(ack(&f, 40000), PRIOPLUS_STOP | PRIOPLUS_MARK_NO_LINE);
	EXPECT_EQ(f.p.nflow, FLOWS(1));
	EXPECT_EQ(f.d.suspend, 1);
}

/* The highest goes on with Swift, and knows how many there are. */
static void prioplus_on_ack__highest_never_stops(void)
{
	struct flow f = flow_new(8);

	ack(&f, 60000);
	EXPECT_EQ(f.d.branch, PRIOPLUS_DECREASE);
	f.p.swift.cwnd = BYTES(40000);
	f.p.step = PKTS(3);
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_WAIT | PRIOPLUS_MARK_FLOWS);
	EXPECT_EQ(f.d.suspend, 0);
	EXPECT_EQ(f.p.step, 0);
	EXPECT_NEAR(f.p.nflow, FLOWS(18.75), 2);
	EXPECT_EQ(f.p.countdown, 1);
	EXPECT_EQ(f.p.consec, 2);
	ack(&f, 64000);
	EXPECT_NEAR(f.p.nflow, FLOWS(20), 2);
	EXPECT_EQ(f.p.consec, 2);
	f.p.nflow = FLOWS(100);
	ack(&f, 64000);
	EXPECT_EQ(f.p.nflow, FLOWS(100));
}

/* --- lines 14 to 17: an empty queue -------------------------------------------------- */

/* Once per RTT W_LS / #flow, and the original CC as ever. 13178 ns is base + eps. */
static void prioplus_on_ack__linear_start(void)
{
	struct flow f = flow_new(4);

	f.p.nflow = FLOWS(2);
	f.p.countdown = 4;
	EXPECT_EQ(ack(&f, 13178), PRIOPLUS_INCREASE);
	EXPECT_NEAR(cwnd_bytes(&f), grown(40000, .5), .01);
	f.p.swift.cwnd = BYTES(40000);
	EXPECT_EQ(ack_pass(&f, 13178), PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT);
	EXPECT_NEAR(cwnd_bytes(&f), grown(40000 + BDP / 8., .5), .01);
	EXPECT_EQ(f.p.countdown, 3);
	EXPECT_EQ(f.p.nflow, FLOWS(2));
	EXPECT_EQ(f.p.step, 0);
	EXPECT_EQ(ack_pass(&f, 13179) & PRIOPLUS_BRANCH, PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.countdown, 3);
	EXPECT_EQ(ack_pass(&f, 1) & PRIOPLUS_BRANCH, PRIOPLUS_LINEAR);
}

/* The countdown over, #flow is halved (line 16 of the paper prints a doubling). */
static void prioplus_on_ack__halves_the_flows(void)
{
	struct flow f = flow_new(4);

	f.p.nflow = FLOWS(3);
	f.p.countdown = 1;
	EXPECT_EQ(ack_pass(&f, 12178), PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT);
	EXPECT_EQ(f.p.nflow, FLOWS(3));
	EXPECT_EQ(f.p.countdown, 0);
	f.p.swift.cwnd = PKTS(1);
	EXPECT_EQ(ack_pass(&f, 12178), PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT |
		  PRIOPLUS_MARK_FLOWS);
	EXPECT_EQ(f.p.nflow, FLOWS(1.5));	/* W_LS / #flow comes first */
	EXPECT_NEAR(cwnd_bytes(&f), grown(1054 + BDP / 12., 1 / 1.5), .01);
	ack_pass(&f, 12178);
	EXPECT_EQ(f.p.nflow, FLOWS(1));
	EXPECT_EQ(ack_pass(&f, 12178), PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT);
	EXPECT_EQ(f.p.nflow, FLOWS(1));
}

/* Where eps is wider than the channel its queue counts as empty: the window grows. */
static void prioplus_on_ack__eps_beyond_the_target(void)
{
	struct flow f = flow_new(1);

	network(&f, BASE, 8 * RATE_100G, 1054);
	EXPECT_EQ(f.q.target_ns, BASE + 500);
	EXPECT_EQ(f.q.empty_ns, BASE + 1000);
	f.p.nflow = FLOWS(2);
	EXPECT_EQ(ack_pass(&f, BASE + 501) & PRIOPLUS_BRANCH, PRIOPLUS_LINEAR);
	EXPECT_EQ(f.p.swift.cwnd > BYTES(40000), 1);
	EXPECT_EQ(ack(&f, BASE + 501), PRIOPLUS_INCREASE);
}

/* A queue that the application leaves empty tells nothing. */
static void prioplus_on_ack__linear_needs_the_window(void)
{
	struct flow f = flow_new(4);

	f.s.cwnd_limited = false;
	f.p.nflow = FLOWS(3);
	EXPECT_EQ(ack_pass(&f, 12178), PRIOPLUS_IDLE | PRIOPLUS_MARK_RTT);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(f.p.nflow, FLOWS(3));
}

/* Up to D_target * C. */
static void prioplus_on_ack__linear_bound(void)
{
	struct flow f = flow_new(8);

	f.p.swift.cwnd = BYTES(500000);
	ack_pass(&f, 12178);
	EXPECT_NEAR(cwnd_bytes(&f), 44178 * 12.5, .01);
	EXPECT_EQ(f.d.up, true);
	f.p.swift.cwnd = BYTES(300000);
	ack(&f, 40000);
	EXPECT_EQ(f.d.up, false);
}

static void prioplus_on_ack__linear_without_line_rate(void)
{
	struct flow f = flow_new(4);

	f.s.line_rate = 0;
	EXPECT_EQ(ack_pass(&f, 12178),
		  PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT | PRIOPLUS_MARK_NO_LINE);
	EXPECT_NEAR(cwnd_bytes(&f), grown(41054, 1), .01);
}

/* --- line 22, over Swift ------------------------------------------------------------- */

/*
 * The golden vectors: W_AI 182 B. p = 41053 / 1054 = 38.9497, so 4.6727 B more;
 * 8000 / 20178 of 40000 B are the step of the RTT.
 */
static void prioplus_on_ack__golden_increase(void)
{
	struct flow f = flow_new(4);

	f.k.ai = 17268;
	f.p.nflow = FLOWS(100);			/* 17.268 packets / 100 = 182 B */
	f.p.dual = 1;
	EXPECT_EQ(ack_pass(&f, 20178), PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT);
	EXPECT_NEAR(cwnd_bytes(&f), 40000 + 182 / 38.9497, .002);
	EXPECT_EQ(f.p.step, 0);
	f.p.swift.cwnd = BYTES(40000);
	EXPECT_EQ(ack_pass(&f, 20178), PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT |
		  PRIOPLUS_MARK_STEP);
	EXPECT_NEAR((double)f.p.step / DCC_PKT * 1054, 15858.86, .05);
	EXPECT_NEAR(cwnd_bytes(&f), 40000 + (182 + 15858.86) / 38.9497, .002);
	EXPECT_EQ(f.p.nflow, FLOWS(100));
	EXPECT_EQ(f.d.target_ns, 28178);
}

/* .8 * 1822 / 30000 = .048587. */
static void prioplus_on_ack__golden_decrease(void)
{
	struct flow f = flow_new(4);

	EXPECT_EQ(ack(&f, 30000), PRIOPLUS_DECREASE);
	EXPECT_NEAR(cwnd_bytes(&f), 38056.5, 1);
	EXPECT_EQ(f.p.swift.last_decrease_ns, f.s.now_ns);
	EXPECT_EQ(ack(&f, 30000), PRIOPLUS_WAIT);
	EXPECT_NEAR(cwnd_bytes(&f), 38056.5, 1);
	f.s.now_ns += 18000;
	EXPECT_EQ(ack_pass(&f, 30000), PRIOPLUS_DECREASE | PRIOPLUS_MARK_RTT);
}

/* At the target a decrease by nothing; a ns below it an increase. */
static void prioplus_on_ack__at_the_target(void)
{
	struct flow f = flow_new(4);

	EXPECT_EQ(ack(&f, 28178), PRIOPLUS_DECREASE);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(ack(&f, 28177), PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.swift.cwnd > BYTES(40000), 1);
}

/* The knobs of Swift are its own: a cut of at most max_mdf. */
static void prioplus_on_ack__swift_knobs(void)
{
	struct flow f = flow_new(1);

	f.k.max_mdf = 100;
	ack(&f, 60000);
	EXPECT_NEAR(cwnd_bytes(&f), 36000, 1);
	f = flow_new(1);
	f.k.beta_md = 100;			/* .1 * 43822 / 60000 */
	ack(&f, 60000);
	EXPECT_NEAR(cwnd_bytes(&f), 40000 * (1 - .0730367), 2);
	f = flow_new(8);
	f.k.min_cwnd = 1000;
	f.p.swift.cwnd = PKTS(1.2);
	ack(&f, 100000);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
	f.k.channel_fluct_ns = 3200;
	f.k.channel_noise_ns = 800;
	f.s.line_rate = 1000000;		/* D_target * C is 44 B */
	ack(&f, 20000);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
}

/* A coalesced ACK counts for its packets. */
static void prioplus_on_ack__coalesced(void)
{
	struct flow f = flow_new(4);

	f.s.acked = 10;
	ack(&f, 20178);
	EXPECT_NEAR(cwnd_bytes(&f), 40000 + 10 * 1054 / 38.9497, .01);
}

/* AI of one RTT: 16 packets over as many ACKs as the window has. */
static void prioplus_on_ack__step_is_spread(void)
{
	struct flow f = flow_new(4);

	f.p.step = PKTS(15);
	f.p.dual = 1;
	ack(&f, 20178);
	EXPECT_NEAR(cwnd_bytes(&f), 40000 + 16 * 1054 / 38.9497, .01);
	EXPECT_EQ(f.p.step, PKTS(15));
	ack(&f, 28178);				/* at the target: not used, kept */
	EXPECT_EQ(f.p.step, PKTS(15));
	ack_pass(&f, 20178);			/* dual turns false: cleared */
	EXPECT_EQ(f.p.step, 0);
	EXPECT_EQ(f.p.dual, 0);
}

/* (D_target - d) / d of the window, half of it at most. 18785.3 ns is two thirds. */
static void prioplus_on_ack__step_bound(void)
{
	static const struct {
		u32 prio, delay;
		double part;
	} v[] = { { 4, 18786, 9392 / 18786. }, { 4, 18785, .5 }, { 8, 13179, .5 } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct flow f = flow_new(v[i].prio);

		EXPECT_EQ(ack_pass(&f, v[i].delay), PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT |
			  PRIOPLUS_MARK_STEP);
		EXPECT_NEAR(f.p.step, BYTES(40000) * v[i].part, 1);
	}
}

/* Set anew every second RTT, not summed up; in every RTT without dual_rtt. */
static void prioplus_on_ack__dual_rtt(void)
{
	struct flow f = flow_new(4);
	u32 i;

	for (i = 0; i < 6; i++) {
		f.p.swift.cwnd = BYTES(40000);
		ack_pass(&f, 20178);
		EXPECT_EQ(f.p.dual, !(i & 1));
		EXPECT_EQ(f.d.branch & PRIOPLUS_MARK_STEP,
			  i & 1 ? 0 : PRIOPLUS_MARK_STEP);
		EXPECT_NEAR(f.p.step * 1054 >> 20, i & 1 ? 0 : 15870, 15);
	}
	f.k.dual_rtt = 0;
	for (i = 0; i < 3; i++) {
		f.p.swift.cwnd = BYTES(40000);
		ack_pass(&f, 20178);
		EXPECT_EQ(f.p.dual, 1);
		EXPECT_NEAR(f.p.step * 1054 >> 20, 15870, 15);
	}
	ack_pass(&f, 28178);
	EXPECT_EQ(f.p.step, 0);
}

static void prioplus_on_ack__increase_needs_the_window(void)
{
	struct flow f = flow_new(4);

	f.s.cwnd_limited = false;
	EXPECT_EQ(ack_pass(&f, 20178), PRIOPLUS_IDLE | PRIOPLUS_MARK_RTT);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(f.p.step, 0);
	EXPECT_EQ(f.p.dual, 1);
	EXPECT_EQ(ack(&f, 30000), PRIOPLUS_DECREASE);
}

/* Below a packet, too: a packet per RTT, over as many as two ACKs. */
static void prioplus_on_ack__below_a_packet(void)
{
	struct flow f = flow_new(4);

	f.p.swift.cwnd = PKTS(.5);
	ack(&f, 20178);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(.5 + 1 / (1.5 - 1 / 1054.)), 1);
}

/* Extension: ai by the root of #flow; else by #flow. */
static void prioplus_on_ack__root_ai(void)
{
	static const double flows[] = { 1, 2, 3, 4, 16, 24, 63.99, 64, 1024, 2000 };
	u32 i, on;

	for (i = 0; i < ARRAY_SIZE(flows); i++)
		for (on = 0; on < 2; on++) {
			double part = on ? sqrt(flows[i]) : flows[i];
			struct flow f = flow_new(4);

			f.k.root_ai = on;
			f.p.swift.cwnd = PKTS(40);
			f.p.nflow = FLOWS(flows[i]);
			ack(&f, 20178);
			EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 + 1 / part / (41 - 1 / 1054.)), 2);
		}
}

/* --- line 22, over LEDBAT ------------------------------------------------------------ */

static struct flow flow_ledbat(u32 prio)
{
	struct flow f = flow_new(prio);

	f.p.variant = PRIOPLUS_OVER_LEDBAT;
	f.p.swift.cwnd = PKTS(40);
	return f;
}

/* Half of the channel: half a packet over 40 ACKs, a quarter of it for 2 flows. */
static void prioplus_on_ack__ledbat_increase(void)
{
	struct flow f = flow_ledbat(4);

	EXPECT_EQ(ack(&f, 20178), PRIOPLUS_INCREASE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 + .5 / 40), 1);
	f = flow_ledbat(4);
	f.p.nflow = FLOWS(2);
	ack(&f, 20178);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 + .25 / 40), 1);
	f = flow_ledbat(4);
	f.k.root_ai = 1;
	f.p.nflow = FLOWS(64);
	ack(&f, 20178);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 + .5 * .125 / 40), 1);
	f = flow_ledbat(4);
	f.k.gain = 100;
	f.s.acked = 5;
	ack(&f, 20178);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 + .25 / 40), 1);
}

/* The adaptive step comes whole, not in proportion to the distance. */
static void prioplus_on_ack__ledbat_step(void)
{
	struct flow f = flow_ledbat(4);

	f.p.step = PKTS(10);
	ack(&f, 20178);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 + .5 / 40 + 10 / 41.), PKTS(.001));
	f.p.swift.cwnd = PKTS(40);
	EXPECT_EQ(ack_pass(&f, 20178), PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT |
		  PRIOPLUS_MARK_STEP);
	EXPECT_NEAR(f.p.step, PKTS(40 * 8000 / 20178.), 2);
}

/* An eighth above the target, on every ACK, and without the step. */
static void prioplus_on_ack__ledbat_decrease(void)
{
	struct flow f = flow_ledbat(4);

	f.p.step = PKTS(10);
	EXPECT_EQ(ack(&f, 30178), PRIOPLUS_DECREASE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 - .125 / 40), 1);
	EXPECT_EQ(ack(&f, 30178), PRIOPLUS_DECREASE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(40 - .25 / 40), 2);
}

/* The filter is the same as over Swift. */
static void prioplus_on_ack__ledbat_filter(void)
{
	struct flow f = flow_ledbat(4);

	EXPECT_EQ(ack(&f, 40000), PRIOPLUS_DECREASE);
	EXPECT_EQ(ack(&f, 40000), PRIOPLUS_STOP | PRIOPLUS_MARK_FLOWS);
}

/* However far above, the window stays one: the highest cannot stop. */
static void prioplus_on_ack__ledbat_floor(void)
{
	struct flow f = flow_ledbat(8);

	f.p.swift.cwnd = PKTS(.02);
	ack(&f, 4000000000U);
	EXPECT_EQ(f.p.swift.cwnd, dcc_milli_to_pkts(10));
	EXPECT_EQ(f.p.suspended, 0);
}

/* --- a tenth of a packet ------------------------------------------------------------- */

static void prioplus_on_ack__small(void)
{
	struct flow f = flow_new(4);

	f.p.swift.cwnd = PRIOPLUS_LEAST_CWND + 5000;
	EXPECT_EQ(ack(&f, 30000), PRIOPLUS_SMALL);
	EXPECT_EQ(f.d.suspend, 1);
	EXPECT_BETWEEN(f.d.probe_delay_ns, 1822, 1822 + BASE);
	EXPECT_EQ(PRIOPLUS_LEAST_CWND, 104857);	/* a tenth of 2^20 */
	f = flow_new(4);
	f.p.swift.cwnd = PRIOPLUS_LEAST_CWND + 1;
	EXPECT_EQ(ack(&f, 28178), PRIOPLUS_DECREASE);
	f.p.swift.cwnd = PRIOPLUS_LEAST_CWND;
	EXPECT_EQ(ack(&f, 28178), PRIOPLUS_SMALL);
	f = flow_new(4);
	f.k.min_cwnd = 200;			/* below which the original CC never goes */
	f.p.swift.cwnd = dcc_milli_to_pkts(200) + 1;
	EXPECT_EQ(ack(&f, 28178), PRIOPLUS_DECREASE);
	f.p.swift.cwnd = dcc_milli_to_pkts(200);
	EXPECT_EQ(ack(&f, 28178), PRIOPLUS_SMALL);
	f = flow_new(8);
	f.p.swift.cwnd = PRIOPLUS_LEAST_CWND;
	EXPECT_EQ(ack(&f, 44178), PRIOPLUS_DECREASE);
	EXPECT_EQ(f.d.suspend, 0);
}

/* In every branch that does not grow, and in none that does. */
static void prioplus_on_ack__small_branches(void)
{
	struct flow f = flow_new(4);

	f.p.swift.cwnd = PKTS(.05);
	f.p.swift.last_decrease_ns = START;
	EXPECT_EQ(ack(&f, 30000), PRIOPLUS_SMALL);	/* else: wait */
	f = flow_new(4);
	f.p.swift.cwnd = PKTS(.05);
	f.s.recovery = true;
	EXPECT_EQ(ack_pass(&f, 20000), PRIOPLUS_SMALL | PRIOPLUS_MARK_RTT |
		  PRIOPLUS_MARK_STEP);
	EXPECT_BETWEEN(f.d.probe_delay_ns, 1, BASE);
	f = flow_new(4);
	f.p.swift.cwnd = PKTS(.05);
	f.p.nflow = FLOWS(2000);
	EXPECT_EQ(ack(&f, 12178), PRIOPLUS_INCREASE);
	EXPECT_EQ(ack(&f, 28000), PRIOPLUS_INCREASE);
	f.s.cwnd_limited = false;
	f.p.swift.cwnd = PKTS(.05);
	EXPECT_EQ(ack(&f, 28000), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.suspended, 0);
}

/* --- losses, ACKs that tell little ---------------------------------------------------- */

/* Half the window, once per RTT; the filter still counts, and W_LS comes before. */
static void prioplus_on_ack__loss(void)
{
	struct flow f = flow_new(4);

	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 12178), PRIOPLUS_LOSS);
	EXPECT_NEAR(cwnd_bytes(&f), 20000, 1);
	EXPECT_EQ(ack(&f, 20178), PRIOPLUS_INCREASE);
	f.s.recovery = false;
	f.s.now_ns += 20000;
	EXPECT_EQ(ack(&f, 20178), PRIOPLUS_INCREASE);
	f.s.recovery = true;
	f.p.consec = 1;
	f.p.nflow = FLOWS(2000);
	EXPECT_EQ(ack(&f, 40000), PRIOPLUS_STOP);
	f = flow_new(4);
	f.s.recovery = true;
	EXPECT_EQ(ack_pass(&f, 12178), PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT);
	EXPECT_NEAR(cwnd_bytes(&f), (40000 + BDP / 4.) / 2, 1);
	f = flow_new(8);
	f.s.recovery = true;
	f.p.consec = 1;
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_LOSS | PRIOPLUS_MARK_FLOWS);
}

/* No delay: a loss counts all the same, nothing else does. */
static void prioplus_on_ack__no_delay(void)
{
	struct flow f = flow_new(4);

	f.p.consec = 1;
	f.s.recovery = true;
	EXPECT_EQ(ack(&f, 0), PRIOPLUS_LOSS);
	EXPECT_NEAR(cwnd_bytes(&f), 20000, 1);
	EXPECT_EQ(ack(&f, 0), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.consec, 1);
	EXPECT_EQ(f.d.delay_ns, 0);
}

/* No base RTT: no channel. */
static void prioplus_on_ack__no_base_rtt(void)
{
	struct flow f = flow_new(4);

	f.s.base_rtt_ns = 0;
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.consec, 0);
	EXPECT_EQ(f.d.target_ns, 0);
	f.k.base_rtt_ns = 12178;
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_DECREASE);
	EXPECT_EQ(f.d.target_ns, 28178);
}

/* Held back by the receiver: no news from D_target on. */
static void prioplus_on_ack__maybe_delayed(void)
{
	struct flow f = flow_new(4);

	f.s.maybe_delayed = true;
	f.p.consec = 1;
	EXPECT_EQ(ack(&f, 28178), PRIOPLUS_IDLE);
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.consec, 1);
	EXPECT_EQ(f.p.suspended, 0);
	EXPECT_EQ(ack(&f, 28177), PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.consec, 0);
}

/* Below one packet such ACKs may be all there are. */
static void prioplus_on_ack__blind(void)
{
	struct flow f = flow_new(4);

	f.s.maybe_delayed = true;
	f.p.swift.cwnd = PKTS(1) - 1;
	EXPECT_EQ(ack(&f, 30577), PRIOPLUS_INCREASE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(1 + 1 / 2.), PKTS(.001));
	f.p.swift.cwnd = PKTS(1);
	EXPECT_EQ(ack(&f, 30577), PRIOPLUS_IDLE);
	f.p.swift.cwnd = PKTS(.5);
	f.s.cwnd_limited = false;
	EXPECT_EQ(ack(&f, 30577), PRIOPLUS_IDLE);
	f.s.cwnd_limited = true;
	f.s.maybe_delayed = false;
	f.s.acked = 0;
	EXPECT_EQ(ack(&f, 0), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(.5));
	f.s.acked = 1;		/* of what was sent again */
	EXPECT_EQ(ack(&f, 0), PRIOPLUS_INCREASE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(.5 + 1 / 1.5), PKTS(.001));
	f.p.swift.cwnd = PKTS(1);
	EXPECT_EQ(ack(&f, 0), PRIOPLUS_IDLE);
	f = flow_ledbat(4);
	f.s.maybe_delayed = true;
	f.p.swift.cwnd = PKTS(.5);
	EXPECT_EQ(ack(&f, 40000000), PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1.5));
}

static void prioplus_on_ack__in_doubt(void)
{
	static const struct {
		double pkts;
		u32 prio, delay;
		bool suspended;
	} v[] = {
		{ 1.99, 4, 30578, true }, { 2, 4, 30578, false },
		{ .5, 4, 30578, true }, { .5, 4, 30577, false },
		{ 1, 4, 40000000, true }, { 1, 8, 60000, false },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct flow f = flow_new(v[i].prio);

		f.s.maybe_delayed = true;
		f.p.swift.cwnd = PKTS(v[i].pkts);
		EXPECT_EQ(ack(&f, v[i].delay) == PRIOPLUS_ASK, 0);
		f.p.swift.cwnd = PKTS(v[i].pkts);
		EXPECT_EQ(ack(&f, v[i].delay) == PRIOPLUS_ASK, v[i].suspended);
		EXPECT_EQ(f.p.suspended, v[i].suspended);
		EXPECT_EQ(f.p.nflow, FLOWS(1));
		if (v[i].suspended)
			EXPECT_BETWEEN(f.d.probe_delay_ns, 1, BASE);
	}
}

/* --- stopping and probing -------------------------------------------------------------- */

/* Old data's ACKs change nothing, good news or bad. */
static void prioplus_on_ack__suspended(void)
{
	struct flow f = flow_suspended(4);
	struct prioplus before = f.p;

	f.s.recovery = true;
	f.p.swift.rto_run = 0;
	EXPECT_EQ(ack_sent(&f, START, 12178), PRIOPLUS_SUSPENDED);
	EXPECT_EQ(f.d.suspend, 1);
	EXPECT_EQ(f.d.probe_delay_ns, 0);
	EXPECT_EQ(ack_sent(&f, START, 60000), PRIOPLUS_SUSPENDED);
	EXPECT_EQ(memcmp(&f.p, &before, sizeof(before)), 0);
}

/* d - D_target and up to a base RTT; every part of the span is drawn from. */
static void prioplus_on_probe__wait(void)
{
	struct flow f = flow_suspended(4);
	u64 least = U64_MAX, most = 0;
	double sum = 0;
	u32 i;

	for (i = 0; i < 10000; i++) {
		EXPECT_EQ(probe(&f, 40178), PRIOPLUS_PROBE);
		EXPECT_EQ(f.d.suspend, 1);
		least = min(least, f.d.probe_delay_ns);
		most = max(most, f.d.probe_delay_ns);
		sum += f.d.probe_delay_ns;
	}
	EXPECT_BETWEEN(least, 12000, 12000 + 20);
	EXPECT_BETWEEN(most, 12000 + BASE - 20, 12000 + BASE - 1);
	EXPECT_NEAR(sum / 10000, 12000 + BASE / 2., 150);
}

/* Two flows of different seeds ask at different times. */
static void prioplus_on_probe__seeds(void)
{
	struct flow f = flow_suspended(4), g = flow_suspended(4);

	g.p.random = 2;
	f.p.random = 1;
	probe(&f, 40178);
	probe(&g, 40178);
	EXPECT_EQ(f.p.random, 270369);		/* 1 by xorshift 13, 17, 5 */
	EXPECT_EQ(f.d.probe_delay_ns == g.d.probe_delay_ns, 0);
}

/* Never at once, never later than in a second. */
static void prioplus_on_probe__bounds(void)
{
	struct flow f = flow_suspended(4);

	EXPECT_EQ(probe(&f, U32_MAX), PRIOPLUS_PROBE);
	EXPECT_EQ(f.d.probe_delay_ns, 1000000000);
	f.p.random = 1;
	f.a.base_rtt_ns = 4000000000U;
	EXPECT_EQ(probe(&f, U32_MAX), PRIOPLUS_PROBE);
	EXPECT_EQ(f.d.probe_delay_ns, 294967295 - 16000 + (4000000000ULL * 270369 >> 32));
	f.a.base_rtt_ns = 1;
	f.k.channel_fluct_ns = 1;
	f.k.channel_noise_ns = 1;
	f.k.prio_levels = 5;
	EXPECT_EQ(probe(&f, 1 + 2 * f.p.prio + 1), PRIOPLUS_PROBE);
	EXPECT_EQ(f.d.probe_delay_ns, 1);
}

/* 30578 is the limit, 13178 base + eps. */
static void prioplus_on_probe__decides(void)
{
	struct flow f = flow_suspended(4);

	EXPECT_EQ(probe(&f, 30578), PRIOPLUS_PROBE);
	EXPECT_EQ(f.p.countdown, 4);
	EXPECT_EQ(f.d.delay_ns, 30578);
	EXPECT_EQ(probe(&f, 30577), PRIOPLUS_RESUME_ONE);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
	EXPECT_EQ(f.p.countdown, 4);
	EXPECT_EQ(f.d.suspend, 0);
	EXPECT_EQ(f.d.probe_delay_ns, 0);
	EXPECT_EQ(f.p.rtt_end_ns, f.a.now_ns);
	f = flow_suspended(4);
	EXPECT_EQ(probe(&f, 13179), PRIOPLUS_RESUME_ONE);
	f = flow_suspended(4);
	EXPECT_EQ(probe(&f, 13178), PRIOPLUS_RESUME);
	EXPECT_EQ(f.p.rtt_end_ns, f.a.now_ns);
	EXPECT_NEAR(cwnd_bytes(&f), BDP / 4., .01);
	EXPECT_EQ(f.d.suspend, 0);
}

/* W_LS / #flow with the estimate before it is doubted. */
static void prioplus_on_probe__countdown(void)
{
	struct flow f = flow_suspended(4);

	f.p.nflow = FLOWS(8);
	EXPECT_EQ(probe(&f, 12178), PRIOPLUS_RESUME);
	EXPECT_NEAR(cwnd_bytes(&f), BDP / 32., .01);
	EXPECT_EQ(f.p.countdown, 3);
	f = flow_suspended(4);
	f.p.nflow = FLOWS(8);
	f.p.countdown = 0;
	EXPECT_EQ(probe(&f, 12178), PRIOPLUS_RESUME | PRIOPLUS_MARK_FLOWS);
	EXPECT_NEAR(cwnd_bytes(&f), BDP / 32., .01);
	EXPECT_EQ(f.p.nflow, FLOWS(4));
}

/*
 * Extension: in a queue it resumes with its part of what is missing to D_target, of W_LS at
 * most; one packet at least, or what an empty queue would give. BDP / 4 are 38056 B.
 */
static void prioplus_on_probe__join(void)
{
	static const struct {
		u32 delay;
		double flows, bytes;
	} v[] = {
		{ 27178, 1, 12500 }, { 20178, 1, BDP / 4. }, { 27178, 4, 3125 },
		{ 20178, 4, BDP / 16. }, { 28178 - 84, 1, 1054 }, { 28178 - 85, 1, 1063 },
		{ 28178, 1, 1054 }, { 30577, 1, 1054 }, { 27178, 20, 1054 },
		{ 27178, 36, 1054 }, { 27178, 37, BDP / 148. }, { 30577, 2000, BDP / 8000. },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct flow f = flow_suspended(4);

		f.k.join = 1;
		f.p.nflow = FLOWS(v[i].flows);
		EXPECT_EQ(probe(&f, v[i].delay), PRIOPLUS_RESUME_ONE);
		EXPECT_NEAR(cwnd_bytes(&f), v[i].bytes, .01);
		f = flow_suspended(4);
		f.p.nflow = FLOWS(v[i].flows);
		EXPECT_EQ(probe(&f, v[i].delay), PRIOPLUS_RESUME_ONE);
		EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
	}
}

/* Without a base RTT one packet, without a line rate that of one flow. */
static void prioplus_on_probe__join_unknown(void)
{
	struct flow f = flow_suspended(4);

	f.k.join = 1;
	f.p.nflow = FLOWS(5);
	f.a.base_rtt_ns = 0;
	EXPECT_EQ(probe(&f, 20178), PRIOPLUS_RESUME_ONE);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
	f = flow_suspended(4);
	f.k.join = 1;
	f.p.nflow = FLOWS(1.25);
	f.a.line_rate = 0;
	EXPECT_EQ(probe(&f, 20178), PRIOPLUS_RESUME_ONE | PRIOPLUS_MARK_NO_LINE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(.8), 1);
}

/* Extension: delays beyond D_limit are of the nearest D_target, less one with each answer. */
static void prioplus_on_probe__above(void)
{
	static const struct { u32 before, delay, above; } v[] = {
		{ 0, 30578, 5 }, { 0, 34177, 5 }, { 0, 34178, 6 }, { 0, 38177, 6 },
		{ 8, 30578, 7 }, { 6, 30578, 5 }, { 5, 30578, 5 }, { 6, 38178, 7 },
		{ 0, 42178, 8 }, { 8, 900000, 8 }, { 1, 4294967295U, 8 },
	};
	u32 i, on;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		for (on = 0; on < 2; on++) {
			struct flow f = flow_suspended(4);

			f.k.return_order = on;
			f.p.order.above = (u8)v[i].before;
			EXPECT_EQ(probe(&f, v[i].delay), PRIOPLUS_PROBE);
			EXPECT_EQ(f.p.order.above, on ? v[i].above : v[i].before);
			f = flow_new(4);		/* at a stop, too */
			f.k.return_order = on;
			f.p.order.above = (u8)v[i].before;
			f.p.consec = 1;
			ack(&f, v[i].delay);
			EXPECT_EQ(f.p.order.above, on ? v[i].above : v[i].before);
		}
}

/* A stop that no other's queue is the reason of tells nothing of it. */
static void prioplus_on_ack__above_not(void)
{
	struct flow f = flow_new(4);

	f.k.return_order = 1;
	f.p.swift.cwnd = PRIOPLUS_LEAST_CWND;
	EXPECT_EQ(ack(&f, 30577), PRIOPLUS_SMALL);
	EXPECT_EQ(f.p.order.above, 0);
	f = flow_new(4);
	f.k.return_order = 1;
	f.s.maybe_delayed = true;
	f.p.consec = 1;
	f.p.swift.cwnd = PKTS(1);
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_ASK);
	EXPECT_EQ(f.p.order.above, 0);
}

/* Extension: three base RTTs for each level between it and that one, once. */
static void prioplus_on_probe__return_order(void)
{
	static const struct { u32 above, wait; } v[] = {
		{ 0, 0 }, { 4, 0 }, { 5, 0 }, { 6, 3 * BASE }, { 8, 9 * BASE },
	};
	u32 i, on;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		for (on = 0; on < 2; on++) {
			struct flow f = flow_suspended(4);

			f.k.return_order = on;
			f.p.order.above = (u8)v[i].above;
			if (on && v[i].wait) {
				EXPECT_EQ(probe(&f, i & 1 ? 12178 : 30577), PRIOPLUS_PROBE);
				EXPECT_EQ(f.d.probe_delay_ns, v[i].wait);
				EXPECT_EQ(f.p.order.above, 0);
				EXPECT_EQ(f.p.countdown, 4);
			}
			EXPECT_EQ(probe(&f, 13178), PRIOPLUS_RESUME);
			EXPECT_EQ(f.d.probe_delay_ns, 0);
			EXPECT_EQ(f.p.order.above, on ? 0 : v[i].above);
		}
}

/* Half a second of base RTT: no wait is longer than a second. No base RTT: no wait. */
static void prioplus_on_probe__return_order_far(void)
{
	struct flow f = flow_suspended(4);

	f.k.return_order = 1;
	f.p.order.above = 6;
	f.a.base_rtt_ns = 500000000;
	EXPECT_EQ(probe(&f, 500000000), PRIOPLUS_PROBE);
	EXPECT_EQ(f.d.probe_delay_ns, NSEC_PER_SEC);
	f = flow_suspended(1);			/* 63 * 18 * base: more than 32 bits */
	f.k.return_order = 1;
	f.k.prio_levels = 64;
	f.p.order.above = 64;
	f.a.base_rtt_ns = 300000000;
	EXPECT_EQ(probe(&f, 300000000), PRIOPLUS_PROBE);
	EXPECT_EQ(f.d.probe_delay_ns, NSEC_PER_SEC);
	f = flow_suspended(4);
	f.k.return_order = 1;
	f.p.order.above = 8;
	f.a.base_rtt_ns = 0;
	EXPECT_EQ(probe(&f, 60000), PRIOPLUS_RESUME_ONE);
}

/* Another channel: who is above it is not known. */
static void prioplus_set_priority__forgets(void)
{
	struct flow f = flow_new(4);

	f.p.order.above = 6;
	prioplus_set_priority(&f.p, &f.k, 4);
	EXPECT_EQ(f.p.order.above, 6);
	prioplus_set_priority(&f.p, &f.k, 5);
	EXPECT_EQ(f.p.order.above, 0);
}

/* The channel of a priority that changed in the meantime. */
static void prioplus_on_probe__new_priority(void)
{
	struct flow f = flow_suspended(4);

	EXPECT_EQ(probe(&f, 34577), PRIOPLUS_PROBE);
	prioplus_set_priority(&f.p, &f.k, 5);
	EXPECT_EQ(probe(&f, 34578), PRIOPLUS_PROBE);
	EXPECT_EQ(probe(&f, 34577), PRIOPLUS_RESUME_ONE);
	f = flow_suspended(4);
	prioplus_set_priority(&f.p, &f.k, 8);
	EXPECT_EQ(probe(&f, 900000), PRIOPLUS_RESUME_ONE);
}

/* A late answer is none; without a base RTT the flow must send to learn it. */
static void prioplus_on_probe__strange(void)
{
	struct flow f = flow_new(4);

	EXPECT_EQ(probe(&f, 60000), PRIOPLUS_IDLE);
	EXPECT_EQ(f.p.suspended, 0);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(f.p.rtt_end_ns, START);
	f = flow_suspended(4);
	f.a.base_rtt_ns = 0;
	EXPECT_EQ(probe(&f, 60000), PRIOPLUS_RESUME_ONE);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
	f = flow_suspended(4);
	f.a.base_rtt_ns = 0;
	EXPECT_EQ(probe(&f, 500), PRIOPLUS_RESUME_ONE);
	f = flow_suspended(4);
	f.a.line_rate = 0;
	f.p.nflow = FLOWS(1.25);
	EXPECT_EQ(probe(&f, 12178), PRIOPLUS_RESUME | PRIOPLUS_MARK_NO_LINE);
	EXPECT_NEAR(f.p.swift.cwnd, PKTS(.8), 1);
	f = flow_suspended(4);
	f.a.line_rate = 0;
	EXPECT_EQ(probe(&f, 20178), PRIOPLUS_RESUME_ONE | PRIOPLUS_MARK_NO_LINE);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
}

/*
 * Line 36: an RTT begins with the resume. An ACK of what was sent before the hold does not end
 * it, the first one of what was sent since does. The filter starts anew.
 */
static void prioplus_on_probe__first_ack(void)
{
	struct flow f = flow_suspended(4);

	probe(&f, 20000);
	EXPECT_EQ(ack_sent(&f, f.a.now_ns - 1, 20178), PRIOPLUS_INCREASE);
	EXPECT_EQ(f.p.rtt_end_ns, f.a.now_ns);
	EXPECT_EQ(f.p.dual, 0);
	EXPECT_EQ(ack_sent(&f, f.a.now_ns, 20178),
		  PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT | PRIOPLUS_MARK_STEP);
	EXPECT_EQ(f.p.rtt_end_ns, f.s.now_ns);
	EXPECT_EQ(f.p.dual, 1);
	EXPECT_EQ(ack(&f, 60000), PRIOPLUS_WAIT);
	EXPECT_EQ(ack(&f, 60000) & PRIOPLUS_BRANCH, PRIOPLUS_STOP);
}

/* A base RTT after a linear start W_LS comes for the second time. */
static void prioplus_on_probe__linear_goes_on(void)
{
	struct flow f = flow_suspended(4);

	EXPECT_EQ(probe(&f, 12178), PRIOPLUS_RESUME);
	f.s.now_ns = f.a.now_ns + 12178;
	EXPECT_EQ(ack_sent(&f, f.a.now_ns + 1000, 12178), PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT);
	EXPECT_NEAR(cwnd_bytes(&f), grown(BDP / 2., 1), .01);
	EXPECT_EQ(f.p.countdown, 2);
	EXPECT_EQ(ack_sent(&f, f.a.now_ns + 1001, 12178), PRIOPLUS_INCREASE);
}

/* --- timeouts, silence ---------------------------------------------------------------- */

static void prioplus_on_rto__as_swift(void)
{
	struct flow f = flow_new(4);
	u32 i;

	f.p.step = PKTS(3);
	f.p.consec = 1;
	prioplus_on_rto(&f.p, &f.k, START, 20000);
	EXPECT_NEAR(cwnd_bytes(&f), 20000, 1);
	EXPECT_EQ(f.p.step || f.p.consec || f.p.rtt_end_ns, 0);
	for (i = 0; i < 4; i++)
		prioplus_on_rto(&f.p, &f.k, START, 20000);
	EXPECT_EQ(f.p.swift.cwnd, dcc_milli_to_pkts(10));
	EXPECT_EQ(f.p.swift.rto_run, 5);
	f.s.acked = 0;
	ack(&f, 0);
	EXPECT_EQ(f.p.swift.rto_run, 5);
	f.s.acked = 1;
	ack(&f, 0);
	EXPECT_EQ(f.p.swift.rto_run, 0);
}

static void prioplus_on_rto__suspended(void)
{
	struct flow f = flow_suspended(4);
	struct prioplus before = f.p;

	prioplus_on_rto(&f.p, &f.k, START, 20000);
	EXPECT_EQ(memcmp(&f.p, &before, sizeof(before)), 0);
}

/* No answer would come to its probes: one packet, as where there is a queue. */
static void prioplus_go_on__suspended(void)
{
	struct flow f = flow_suspended(4);

	prioplus_go_on(&f.p);
	EXPECT_EQ(f.p.suspended, 0);
	EXPECT_EQ(f.p.swift.cwnd, PKTS(1));
	EXPECT_EQ(ack_sent(&f, f.s.now_ns, 20178), PRIOPLUS_INCREASE);
	f = flow_new(4);
	prioplus_go_on(&f.p);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
}

static void prioplus_on_idle__forgets(void)
{
	struct flow f = flow_new(4);

	f.p.step = PKTS(3);
	f.p.consec = 1;
	f.p.dual = 1;
	f.p.nflow = FLOWS(7);
	prioplus_on_idle(&f.p);
	EXPECT_EQ(f.p.step || f.p.consec || f.p.dual || f.p.rtt_end_ns, 0);
	EXPECT_EQ(f.p.swift.cwnd, BYTES(40000));
	EXPECT_EQ(f.p.nflow, FLOWS(7));
	f = flow_suspended(4);
	prioplus_on_idle(&f.p);
	EXPECT_EQ(f.p.suspended, 1);
}

/* --- the paper's listing ---------------------------------------------------------------- */

/*
 * Algorithm 1 as it is printed, under the names that it has there, with its misprints as the
 * text has them; see prioplus.h. Windows are in packets, so PktSize is 1; packets are
 * numbered by the time at which they are sent, so sndNxt is the time.
 */
struct listing {
	double BaseRtt, LineRate, D_target, D_limit, W_LS, W_AIorigin;
	double part, eps, mss, beta, max_mdf, least, most;
	bool highest, rounds;			/* as the module does */

	double cwnd, flow, W_AI, countDown;
	u64 rttEndSeq, sndNxt, last_decrease;
	u32 consec;
	bool dualRttPass, stopped;
};

#define PktSize		1.0

/* The module's windows are multiples of 2^-20 packet, its #flow of 2^-20, ratios of 2^-16. */
static double down(const struct listing *p, double x, double one)
{
	return p->rounds ? floor(x * one) / one : x;
}

static double nearest(const struct listing *p, double x)
{
	return down(p, x + .5 / DCC_PKT, DCC_PKT);
}

/* What the line carries in a time, of whole bytes. */
static double carried(const struct listing *p, double ns)
{
	double bytes = p->LineRate * p->mss * ns;

	return down(p, (p->rounds ? round(bytes) : bytes) / p->mss, DCC_PKT);
}

static void listing_bound(struct listing *p, double cwnd)
{
	p->cwnd = fmin(fmax(cwnd, p->least), p->most);
}

/* Swift's decrease; a window that did not shrink closes no gate. */
static void listing_shrink(struct listing *p, double part)
{
	double before = p->cwnd;

	listing_bound(p, p->cwnd - down(p, p->cwnd * part, DCC_PKT));
	if (p->cwnd < before)
		p->last_decrease = p->sndNxt;
}

/*
 * Swift; see dcc_swift.h. An RTT brings as many ACKs as its window has packets, the last one
 * whole.
 */
static u8 OriginalCC(struct listing *p, u32 delay, u32 acked, bool recovery)
{
	bool may = !p->last_decrease || p->sndNxt - p->last_decrease >= delay;
	double acks = p->cwnd + 1 - down(p, 1 / p->mss, DCC_PKT), part;

	if (recovery && may) {
		listing_shrink(p, p->max_mdf);
		return PRIOPLUS_LOSS;
	}
	if (delay < p->D_target) {
		listing_bound(p, p->cwnd + down(p, p->W_AI * acked / acks, DCC_PKT));
		return PRIOPLUS_INCREASE;
	}
	if (!may)
		return PRIOPLUS_WAIT;
	part = down(p, p->beta * (delay - p->D_target) / delay, DCC_RATIO_ONE);
	listing_shrink(p, fmin(part, p->max_mdf));
	return PRIOPLUS_DECREASE;
}

static double W_AI_of(const struct listing *p)
{
	return nearest(p, p->W_AIorigin / p->flow);
}

/* Lines 16, 17, 31, 32. The module's W_AI follows #flow here, too, not from line 6 on. */
static void CountDown(struct listing *p)
{
	double more = p->W_AI - W_AI_of(p);

	if (p->countDown <= 0)
		p->flow = fmax(1, down(p, p->flow / 2, PRIOPLUS_ONE_FLOW));
	else
		p->countDown--;
	p->W_AI = more + W_AI_of(p);
}

/* Lines 2 to 6. sndNxt is the first that is not sent yet: who has it or a later one is beyond. */
static bool RttPass(struct listing *p, u64 seq)
{
	if (seq < p->rttEndSeq)
		return false;
	p->rttEndSeq = p->sndNxt;
	p->dualRttPass = !p->dualRttPass;
	if (!p->dualRttPass)
		p->W_AI = W_AI_of(p);
	return true;
}

static void ScheduleProbe(struct listing *p)
{
	p->stopped = true;			/* StopSending() */
	p->consec = 0;
	p->W_AI = W_AI_of(p);
}

/* Lines 13 to 20; returns what the module's branch says of it. */
static u8 EndOfRtt(struct listing *p, u32 delay)
{
	double step;

	if (delay > p->D_target)
		return 0;
	if (delay <= p->BaseRtt + p->eps) {
		p->cwnd = p->cwnd + nearest(p, p->W_LS / p->flow);
		CountDown(p);
		return PRIOPLUS_LINEAR;
	}
	if (!p->dualRttPass)
		return 0;
	step = nearest(p, (p->D_target - delay) / delay * p->cwnd);
	p->W_AI = p->W_AI + fmin(down(p, p->cwnd / 2, DCC_PKT), step);
	return delay < p->D_target ? PRIOPLUS_MARK_STEP : 0;
}

/* Lines 1 to 22, and the module's other stop: a tenth of a packet. Returns the branch. */
static u8 NewAck(struct listing *p, u64 seq, u32 delay, u32 acked, bool recovery)
{
	bool rttPass = RttPass(p, seq);
	u8 marks = rttPass ? PRIOPLUS_MARK_RTT : 0, branch;

	if (delay < p->D_limit)
		p->consec = 0;
	if (delay >= p->D_limit && ++p->consec >= 2) {
		double flow = nearest(p, carried(p, delay) / p->cwnd);

		p->flow = fmax(p->flow, fmin(flow, 2000));
		p->W_AI = W_AI_of(p);
		p->countDown = 1 / p->part;		/* BaseBdp / W_LS */
		if (!p->highest) {		/* which never stops */
			ScheduleProbe(p);
			return PRIOPLUS_STOP | marks;
		}
	} else if (rttPass) {
		marks |= EndOfRtt(p, delay);
	}
	branch = OriginalCC(p, delay, acked, recovery);
	if (marks & PRIOPLUS_BRANCH || p->highest || p->cwnd > PRIOPLUS_LEAST_CWND / 1048576. ||
	    branch == PRIOPLUS_INCREASE)
		return (marks & PRIOPLUS_BRANCH ? 0 : branch) | marks;
	ScheduleProbe(p);
	return PRIOPLUS_SMALL | marks;
}

/* Lines 26 to 36. */
static u8 NewProbeAck(struct listing *p, u32 delay)
{
	if (delay >= p->D_limit)
		return PRIOPLUS_PROBE;
	p->stopped = false;			/* ResumeSending() */
	p->rttEndSeq = p->sndNxt;
	p->dualRttPass = false;
	if (delay > p->BaseRtt + p->eps) {
		listing_bound(p, PktSize);
		return PRIOPLUS_RESUME_ONE;
	}
	listing_bound(p, nearest(p, p->W_LS / p->flow));
	CountDown(p);
	return PRIOPLUS_RESUME;
}

/* A network, and knobs; linear 0 is section 4.4's W_LS. */
struct listed {
	u64 line;				/* bytes/s */
	u32 base, A, B, eps, mss, ai, beta_md, max_mdf, linear;
};

static struct listing listing_of(const struct listed *n, u32 prio, bool rounds)
{
	static const double part[] = { .125, .125, .125, .25, .25, .25, 1, 1 };
	struct listing p = {
		.BaseRtt = n->base, .LineRate = n->line / 1e9 / n->mss, .mss = n->mss,
		.D_target = n->base + prio * (n->A + n->B), .eps = n->eps,
		.highest = prio == 8, .rounds = rounds, .cwnd = 10, .flow = 1,
		.rttEndSeq = START, .sndNxt = START,
	};

	p.D_limit = p.D_target + n->A / 2 + n->B;
	p.part = n->linear ? n->linear / 1e3 : part[prio - 1];
	p.W_LS = nearest(&p, carried(&p, n->base) * p.part);
	p.W_AIorigin = down(&p, n->ai / 1e3, DCC_PKT);
	p.W_AI = p.W_AIorigin;
	p.beta = down(&p, n->beta_md / 1e3, DCC_RATIO_ONE);
	p.max_mdf = down(&p, n->max_mdf / 1e3, DCC_RATIO_ONE);
	p.least = down(&p, .01, DCC_PKT);
	p.most = fmin(65536, carried(&p, p.D_target));
	return p;
}

static struct flow flow_of(const struct listed *n, u32 prio)
{
	struct flow f = flow_new(prio);

	f.k.channel_fluct_ns = n->A;
	f.k.channel_noise_ns = n->B;
	f.k.eps_ns = n->eps;
	f.k.ai = n->ai;
	f.k.beta_md = n->beta_md;
	f.k.max_mdf = n->max_mdf;
	f.k.linear_start = n->linear;
	prioplus_init(&f.p, &f.k, PRIOPLUS_PRIOPLUS, 10, prio);
	prioplus_set_priority(&f.p, &f.k, prio);
	f.p.rtt_end_ns = START;
	network(&f, n->base, n->line, n->mss);
	f.a.base_rtt_ns = n->base;
	f.a.line_rate = n->line;
	f.a.mss = n->mss;
	return f;
}

/* Of the delays where the paper's rules change, and around them. */
static void stream_turn(struct delays *t, const struct listing *p)
{
	u32 base = (u32)p->BaseRtt, target = (u32)p->D_target, limit = (u32)p->D_limit;
	const u32 gaps[] = { base / 100, base / 10, base / 3, base };
	const u32 from[] = {
		base, base, base, base + (u32)p->eps, base + (target - base) / 2, target - 1,
		target, target, limit - 1, limit, 4 * base + limit,
	};

	delays_turn(t, gaps, ARRAY_SIZE(gaps), from, ARRAY_SIZE(from), base);
}

/* The next delay, and the time at which it is known. */
static u32 stream_next(struct delays *t, struct listing *p)
{
	if (!t->left--)
		stream_turn(t, p);
	p->sndNxt += 1 + unit_below(t->gap_most);
	return delays_next(t, (u32)p->BaseRtt);
}

/* Both answer the same probe. */
static u8 beside_probe(struct flow *f, struct listing *p, u32 delay)
{
	u8 branch;

	f->a.now_ns = p->sndNxt - 1000;
	branch = probe(f, delay) & ~PRIOPLUS_MARK_FLOWS;
	EXPECT_EQ(branch, NewProbeAck(p, delay));
	return branch;
}

/* Both digest the same ACK. */
static u8 beside_ack(struct flow *f, struct listing *p, u32 delay)
{
	u8 branch;

	f->s.recovery = !unit_below(100);
	f->s.acked = 1 + unit_below(3);
	f->s.srtt_ns = delay;
	f->s.now_ns = p->sndNxt - 1000;
	branch = ack_sent(f, p->sndNxt - delay, delay) & ~PRIOPLUS_MARK_FLOWS;
	EXPECT_EQ(branch, NewAck(p, p->sndNxt - delay, delay, f->s.acked, f->s.recovery));
	return branch;
}

/* Relative slack, and what the integers cannot tell of a window: some 2^-20 packets. */
static void beside_compare(const struct flow *f, const struct listing *p, u32 delay,
			   double slack)
{
	double wait = fmax(delay - p->D_target, 0);

	EXPECT_EQ(f->p.suspended, p->stopped);
	EXPECT_NEAR(f->p.nflow, p->flow * DCC_PKT, slack * p->flow * DCC_PKT + 1);
	EXPECT_NEAR(f->p.swift.cwnd, p->cwnd * DCC_PKT, slack * p->cwnd * DCC_PKT + 4);
	EXPECT_NEAR(f->p.countdown, ceil(p->countDown), 0);
	if (p->stopped) {
		EXPECT_BETWEEN(f->d.probe_delay_ns, fmax(wait, 1), wait + p->BaseRtt);
		return;
	}
	EXPECT_EQ(f->d.probe_delay_ns, 0);
	EXPECT_EQ(f->p.rtt_end_ns, p->rttEndSeq);
	EXPECT_EQ(f->p.dual, p->dualRttPass);
}

/* The listing goes on from where the module is. */
static void beside_adopt(const struct flow *f, struct listing *p)
{
	p->cwnd = f->p.swift.cwnd / 1048576.;
	p->flow = f->p.nflow / 1048576.;
	p->W_AI = W_AI_of(p) + f->p.step / 1048576.;
	p->last_decrease = f->p.swift.last_decrease_ns;
}

#define BESIDE_EVENTS	2500	/* of each of eight priorities */

/* The same life for both; counts the branches that were taken. */
static void beside(const struct listed *n, u32 prio, bool rounds, double slack, u32 *taken)
{
	struct listing p = listing_of(n, prio, rounds);
	struct flow f = flow_of(n, prio);
	struct delays t = {};
	u32 i;

	for (i = 0; i < BESIDE_EVENTS; i++) {
		u32 delay = stream_next(&t, &p);
		double before = p.flow;

		if (!rounds)
			beside_adopt(&f, &p);
		taken[p.stopped ? beside_probe(&f, &p, delay) : beside_ack(&f, &p, delay)]++;
		taken[PRIOPLUS_MARK_FLOWS] += p.flow < before;
		beside_compare(&f, &p, delay, slack);
		if (unit_failures) {
			printf("# priority %u, event %u\n", prio, i);
			return;
		}
	}
}

static const struct listed networks[] = {
	{ .line = RATE_100G, .base = BASE, .A = 3200, .B = 800, .eps = 1000, .mss = 1054,
	  .ai = 1000, .beta_md = 800, .max_mdf = 500 },
	{ .line = 1250000000, .base = 50001, .A = 32001, .B = 8000, .eps = 0, .mss = 1460,
	  .ai = 150, .beta_md = 800, .max_mdf = 500 },
	{ .line = 125000000, .base = 200000, .A = 320000, .B = 80000, .eps = 10000,
	  .mss = 8960, .ai = 3000, .beta_md = 500, .max_mdf = 300, .linear = 300 },
	{ .line = 50000000000ULL, .base = 5000, .A = 800, .B = 200, .eps = 200, .mss = 4096,
	  .ai = 1000, .beta_md = 1000, .max_mdf = 500 },
};

/* No rule of the listing goes untried. */
static void beside_tried(const u32 *taken)
{
	static const u8 least[] = {
		PRIOPLUS_INCREASE, PRIOPLUS_DECREASE, PRIOPLUS_WAIT, PRIOPLUS_LOSS,
		PRIOPLUS_STOP, PRIOPLUS_SMALL, PRIOPLUS_PROBE, PRIOPLUS_RESUME,
		PRIOPLUS_RESUME_ONE, PRIOPLUS_MARK_FLOWS,
		PRIOPLUS_LINEAR | PRIOPLUS_MARK_RTT, PRIOPLUS_STOP | PRIOPLUS_MARK_RTT,
		PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT,
		PRIOPLUS_INCREASE | PRIOPLUS_MARK_RTT | PRIOPLUS_MARK_STEP,
		PRIOPLUS_LOSS | PRIOPLUS_MARK_RTT | PRIOPLUS_MARK_STEP,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(least); i++)
		EXPECT_BETWEEN(taken[least[i]], 10, 1e7);
}

static void beside_all(bool rounds, double slack)
{
	u32 taken[256] = {}, i, prio;

	for (i = 0; i < ARRAY_SIZE(networks); i++)
		for (prio = 1; prio <= 8 && !unit_failures; prio++)
			beside(&networks[i], prio, rounds, slack, taken);
	beside_tried(taken);
}

/* With what the module rounds rounded, all agrees to 10^-6, and 4 * 2^-20 packet. */
static void prioplus_on_ack__paper(void)
{
	beside_all(true, .000001);
}

/* Without that, from the same state each time: two ratios of a half lack 2^-16 each. */
static void prioplus_on_ack__paper_unrounded(void)
{
	beside_all(false, 4. / DCC_RATIO_ONE);
}

/* --- a bottleneck ------------------------------------------------------------------------ */

#define LINK_FLOWS	20
#define LINK_ROOM	16384		/* packets in flight, power of two */
#define LINK_BASE	12000
#define LINK_MSS	1000
#define LINK_TX		80		/* ns a packet takes */
#define LINK_PROBE_TX	8
#define NEVER		U64_MAX

/*
 * Flows that always have something to send, through one FIFO queue of 100 Gbit/s:
 *
 *	flow --+
 *	flow --+--> queue --> 100 Gbit/s --> receiver
 *	flow --+ <------ ACKs, never delayed ----+
 *
 * Window and pacing are carried out as dcc_apply() does it. What is in the line
 * comes back in the order in which it was sent.
 */
struct sender {
	struct prioplus p;
	u64 begin_ns, end_ns;
	u64 due_ns;			/* when the next packet or probe may leave */
	u64 gap_ns;
	u32 out, cwnd;
	u32 srtt_ns;
};

struct in_line {
	u64 sent_ns, back_ns;
	u32 flow;
	bool probe;
};

struct link {
	struct prioplus_knobs k;
	struct sender f[LINK_FLOWS];
	struct in_line line[LINK_ROOM];
	u32 head, tail, flows;
	u64 now_ns, free_ns;
	u64 packets[LINK_FLOWS];	/* since link_clear() */
	u32 probes, most_ns;
	u32 told;			/* #flow as it is; 0: the algorithm's estimate */
	u64 clear_ns;
};

static void link_clear(struct link *l)
{
	memset(l->packets, 0, sizeof(l->packets));
	l->probes = 0;
	l->most_ns = 0;
	l->clear_ns = l->now_ns;
}

/* A flow of a priority, from one time to another. */
static void link_add(struct link *l, u32 prio, u64 begin_ns, u64 end_ns)
{
	struct sender *f = &l->f[l->flows++];

	prioplus_init(&f->p, &l->k, PRIOPLUS_PRIOPLUS, 10, l->flows);
	prioplus_set_priority(&f->p, &l->k, prio);
	f->begin_ns = begin_ns;
	f->end_ns = end_ns;
	f->due_ns = begin_ns;
	f->srtt_ns = LINK_BASE;
}

/* As dcc_apply(): whole packets, below two of them by pacing. */
static void link_apply(struct link *l, struct sender *f,
		       const struct dcc_decision *d)
{
	u64 pkts = d->cwnd / (LINK_MSS << DCC_CWND_SHIFT);

	if (d->suspend) {
		if (d->probe_delay_ns)
			f->due_ns = l->now_ns + d->probe_delay_ns;
		return;
	}
	f->cwnd = (u32)pkts;
	f->gap_ns = LINK_TX;
	if (pkts < 2) {
		f->cwnd += 1;
		f->gap_ns = (u64)f->srtt_ns * (LINK_MSS << DCC_CWND_SHIFT) /
			    max(d->cwnd, 1ULL);
	}
}

/* Behind what waits already. */
static void link_send(struct link *l, u32 flow, bool probe)
{
	struct sender *f = &l->f[flow];

	l->free_ns = max(l->free_ns, l->now_ns) +
		     (probe ? LINK_PROBE_TX : LINK_TX);
	l->line[l->tail++ % LINK_ROOM] = (struct in_line) {
		.sent_ns = l->now_ns, .flow = flow, .probe = probe,
		.back_ns = l->free_ns + LINK_BASE - LINK_TX,
	};
	l->probes += probe;
	l->packets[flow] += !probe;
	f->due_ns = probe ? NEVER : l->now_ns + f->gap_ns;
	f->out += !probe;
}

/* When a flow can do something next. */
static u64 link_due(const struct link *l, const struct sender *f)
{
	bool on = l->now_ns < f->end_ns;

	if (!on || (!f->p.suspended && f->out >= f->cwnd && l->now_ns > f->begin_ns))
		return NEVER;
	return max(f->due_ns, f->begin_ns);
}

/* The flow begins, probes or sends. */
static void link_turn(struct link *l, u32 flow)
{
	struct sender *f = &l->f[flow];
	struct dcc_sample a = {
		.now_ns = l->now_ns, .line_rate = RATE_100G,
		.base_rtt_ns = LINK_BASE, .mss = LINK_MSS,
	};
	struct dcc_decision d = { 0 };

	if (f->cwnd || f->p.suspended) {
		link_send(l, flow, f->p.suspended);
		return;
	}
	prioplus_on_start(&f->p, &l->k, &a, &d);
	link_apply(l, f, &d);
}

/* What comes back first. */
static void link_arrive(struct link *l)
{
	struct in_line *b = &l->line[l->head++ % LINK_ROOM];
	struct sender *f = &l->f[b->flow];
	u32 delay = (u32)(b->back_ns - b->sent_ns);
	struct dcc_decision d = { 0 };
	struct dcc_sample a = {
		.now_ns = b->back_ns, .line_rate = RATE_100G, .delay_ns = delay,
		.base_rtt_ns = LINK_BASE, .srtt_ns = delay, .mss = LINK_MSS,
	};
	struct dcc_sample s = {
		.now_ns = b->back_ns, .sent_ns = b->sent_ns, .delay_ns = delay,
		.base_rtt_ns = LINK_BASE, .line_rate = RATE_100G,
		.mss = LINK_MSS, .acked = 1, .acked_bytes = LINK_MSS,
		.cwnd_limited = true,
	};

	f->out -= !b->probe;
	l->most_ns = max(l->most_ns, delay);
	f->srtt_ns = b->probe ? delay : f->srtt_ns - f->srtt_ns / 8 + delay / 8;
	s.srtt_ns = f->srtt_ns;
	if (b->probe)
		prioplus_on_probe(&f->p, &l->k, &a, &d);
	else
		prioplus_on_ack(&f->p, &l->k, &s, &d);
	if (l->told)
		f->p.nflow = FLOWS(l->told);
	if (b->probe && !d.suspend)
		f->due_ns = l->now_ns;
	link_apply(l, f, &d);
}

/* Until a time: whatever is next. */
static void link_run(struct link *l, u64 until_ns)
{
	while (l->now_ns < until_ns) {
		u64 next = l->head == l->tail ? NEVER :
			   l->line[l->head % LINK_ROOM].back_ns;
		u32 flow = LINK_FLOWS, i;

		for (i = 0; i < l->flows; i++) {
			if (link_due(l, &l->f[i]) >= next)
				continue;
			next = link_due(l, &l->f[i]);
			flow = i;
		}
		l->now_ns = max(l->now_ns, min(next, until_ns));
		if (next > until_ns)
			return;
		if (flow < LINK_FLOWS)
			link_turn(l, flow);
		else
			link_arrive(l);
	}
}

/* Share of the line since link_clear(), of the flows of a priority. */
static double link_share(const struct link *l, u32 prio)
{
	u64 packets = 0;
	u32 i;

	for (i = 0; i < l->flows; i++)
		if (l->f[i].p.prio == prio)
			packets += l->packets[i];
	return (double)packets * LINK_TX / (l->now_ns - l->clear_ns);
}

#define US	1000ULL
#define LINK_BEGIN	(1000 * US)

static void link_measure(struct link *l, u64 from_us, u64 to_us)
{
	link_run(l, LINK_BEGIN + from_us * US);
	link_clear(l);
	link_run(l, LINK_BEGIN + to_us * US);
}

/* An empty line; knobs as they are by default. */
static struct link *link_new(void)
{
	static struct link l;

	memset(&l, 0, sizeof(l));
	l.k = (struct prioplus_knobs)PRIOPLUS_DEFAULTS;
	l.k.base_rtt_ns = LINK_BASE;
	l.now_ns = LINK_BEGIN;
	return &l;
}

/* So many flows of a priority, a few us apart. */
static void link_group(struct link *l, u32 prio, u32 flows, u64 from_us,
		       u64 to_us)
{
	u32 i;

	for (i = 0; i < flows; i++)
		link_add(l, prio, LINK_BEGIN + (from_us + 7 * i) * US,
			 LINK_BEGIN + to_us * US);
}

/* The important ones have the line, all of it; when they end, the others have. */
static void bottleneck__strict(void)
{
	static const struct {
		u32 low, high, flows;
	} v[] = { { 3, 5, 2 }, { 7, 8, 2 }, { 1, 2, 8 }, { 5, 6, 10 } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct link *l = link_new();

		link_group(l, v[i].low, v[i].flows, 0, 10000);
		link_group(l, v[i].high, v[i].flows, 2000, 5000);
		link_measure(l, 1000, 2000);
		EXPECT_BETWEEN(link_share(l, v[i].low), .99, 1.01);
		link_measure(l, 3500, 5000);
		EXPECT_BETWEEN(link_share(l, v[i].high), .99, 1.01);
		EXPECT_BETWEEN(link_share(l, v[i].low), 0, .001);
		EXPECT_BETWEEN(l->most_ns, LINK_BASE + 4000 * v[i].high,
			       LINK_BASE + 4000 * v[i].high + 2400);
		link_measure(l, 6500, 8000);
		EXPECT_BETWEEN(link_share(l, v[i].low), .99, 1.02);
	}
}

#define ORDERS		3
#define LINK_LEVELS	8

/* The line after the end of a priority, five flows each of so many below it stopped. */
struct link_end {
	struct prioplus_knobs k;
	u32 stopped;
	u32 told;			/* #flow; 0: it is estimated */
};

static struct link_end link_end_of(u32 stopped, u32 told)
{
	return (struct link_end) {
		.k = PRIOPLUS_DEFAULTS, .stopped = stopped, .told = told,
	};
}

/*
 * Part of the line that the highest of those has from 12 to 24 base RTTs after the end, in
 * the mean of three orders of arrival. A priority that adds BDP / 8 per RTT needs 8 of them.
 */
static double link_back(const struct link_end *e, u32 prio)
{
	u32 order, i;
	double sum = 0;

	for (order = 0; order < ORDERS; order++) {
		struct link *l = link_new();

		l->k = e->k;
		l->k.base_rtt_ns = LINK_BASE;
		l->told = e->told;
		for (i = 0; i < e->stopped; i++)
			link_group(l, prio - i, 5, 0, 10000);
		link_group(l, prio + 1, 5, 2000 + 5 * order, 5000);
		link_measure(l, 5000 + 12 * LINK_BASE / US, 5000 + 24 * LINK_BASE / US);
		sum += link_share(l, prio);
	}
	return sum / ORDERS;
}

/* The mean of all priorities that may be, and each; they are printed. */
static double link_backs(const struct link_end *e, double *each)
{
	u32 prio, all = LINK_LEVELS - e->stopped;
	double sum = 0;

	printf("# back, %u stopped, #flow %s, join %u, slow_estimate %u, return_order %u:",
	       e->stopped, e->told ? "told" : "estimated", e->k.join, e->k.slow_estimate,
	       e->k.return_order);
	for (prio = e->stopped; prio < LINK_LEVELS; prio++) {
		each[prio] = link_back(e, prio);
		printf(" %.2f", each[prio]);
		sum += each[prio];
	}
	printf(", mean %.3f\n", sum / all);
	return sum / all;
}

/*
 * Who is told how many there are is back, by the paper's rules alone, too. Who estimates it has
 * nearly all if it doubles it at most. The lowest needs 8 RTTs if #flow is right, and 16 if it
 * is twice as much: it has most.
 */
static void bottleneck__back(void)
{
	struct link_end e = link_end_of(1, 5);
	double each[LINK_LEVELS];
	u32 prio, on;

	for (on = 0; on < 2; on++) {
		link_backs(&e, each);
		for (prio = 1; prio < LINK_LEVELS; prio++)
			EXPECT_BETWEEN(each[prio], .9, 1.2);
		paper(&e.k);
	}
	e = link_end_of(1, 0);
	link_backs(&e, each);
	EXPECT_BETWEEN(each[1], .65, 1.2);
	for (prio = 2; prio < LINK_LEVELS; prio++)
		EXPECT_BETWEEN(each[prio], .8, 1.2);
}

/* By the paper's estimate, which is of hundreds, it has half of the line by then, in the mean. */
static void bottleneck__slow_estimate(void)
{
	struct link_end e = link_end_of(1, 0);
	double each[LINK_LEVELS];

	paper(&e.k);
	EXPECT_BETWEEN(link_backs(&e, each), 0, .6);
	e.k.slow_estimate = 1;
	EXPECT_BETWEEN(link_backs(&e, each), .85, 1.2);
}

/* Three priorities that return at the same time: the highest has more if the others wait. */
static void bottleneck__return_order(void)
{
	struct link_end e = link_end_of(3, 5);
	double each[LINK_LEVELS], off, on;

	paper(&e.k);
	off = link_backs(&e, each);
	e.k.return_order = 1;
	on = link_backs(&e, each);
	EXPECT_BETWEEN(off, .5, .75);
	EXPECT_BETWEEN(on, .8, 1.2);
	EXPECT_BETWEEN(on - off, .1, 1);
	e = link_end_of(3, 0);
	link_backs(&e, each);
}

/* Part of the line that two flows have 50 RTTs after they met two of the priority below. */
static double link_takes(const struct prioplus_knobs *k, u32 prio)
{
	double sum = 0;
	u32 order;

	for (order = 0; order < ORDERS; order++) {
		struct link *l = link_new();

		l->k = *k;
		l->k.base_rtt_ns = LINK_BASE;
		link_group(l, prio - 1, 2, 0, 10000);
		link_group(l, prio, 2, 2000 + 5 * order, 10000);
		link_measure(l, 2600 + 5 * order, 3000);
		sum += link_share(l, prio);
	}
	return sum / ORDERS;
}

/* All of it if they join with their part of what is missing; with one packet each, not. */
static void bottleneck__join(void)
{
	struct prioplus_knobs k = PRIOPLUS_DEFAULTS;
	u32 prio, on;

	paper(&k);
	for (on = 0; on < 2; on++) {
		printf("# takes over, join %u:", on);
		for (prio = 3; prio < LINK_LEVELS; prio++) {
			double share;

			k.join = on;
			share = link_takes(&k, prio);
			EXPECT_BETWEEN(share, on ? .99 : 0, on ? 1.01 : .9);
			printf(" %.3f", share);
		}
		printf("\n");
	}
}

/* Some flows meet others of a priority that is lower; how it is a ms later, for 3 ms. */
struct meeting {
	u32 low, high, flows;
};

static struct link *link_meet(const struct meeting *m, u32 dual, bool extended)
{
	struct link *l = link_new();

	if (!extended)
		paper(&l->k);
	l->k.dual_rtt = dual;
	link_group(l, m->low, m->flows, 0, 10000);
	link_group(l, m->high, m->flows, 2000, 10000);
	link_measure(l, 3000, 6000);
	return l;
}

/*
 * Section 4.2.3: of two RTTs the first one's delay does not tell yet what was added. Who adds in
 * both adds twice what is missing, goes far beyond D_limit, and stops: again and again.
 */
static void bottleneck__dual_rtt(void)
{
	static const struct meeting v[] = { { 3, 6, 2 }, { 2, 3, 5 }, { 2, 7, 2 } };
	u32 i;

	for (i = 0; i < 2 * ARRAY_SIZE(v); i++) {
		const struct meeting *m = &v[i / 2];
		u32 target = LINK_BASE + 4000 * m->high, limit = target + 2400;
		struct link *l = link_meet(m, 1, i & 1);

		EXPECT_BETWEEN(link_share(l, m->high), .99, 1.01);
		EXPECT_BETWEEN(l->most_ns, target, limit);
		l = link_meet(m, 0, i & 1);
		EXPECT_BETWEEN(link_share(l, m->high), 0, .85);
		EXPECT_BETWEEN(l->most_ns, limit + 3200, 2 * limit);
	}
}

/*
 * Section 4.3.1: 20 flows that know their number have the line, around 32000 ns. By the paper's
 * rules these learn nothing: a packet of each per RTT, 20 * 80 ns, does not leave the channel.
 */
static void bottleneck__cardinality(void)
{
	static const struct {
		u32 told, on, least, most;
	} v[] = {
		{ 0, 0, 32000 + 20 * LINK_TX, 34400 }, { 20, 0, 32000, 32500 },
		{ 0, 1, 32000, 32900 }, { 20, 1, 32000, 32500 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct link *l = link_new();

		if (!v[i].on)
			paper(&l->k);
		l->told = v[i].told;
		link_group(l, 5, 20, 0, 10000);
		link_measure(l, 2000, 5000);
		EXPECT_BETWEEN(link_share(l, 5), .99, 1.01);
		EXPECT_BETWEEN(l->most_ns, v[i].least, v[i].most);
	}
}

/*
 * 18 flows that were stopped ask every 44 us of delay + 28 us above their target + half a base
 * RTT: 1385 times in 6 ms.
 */
static void bottleneck__probes(void)
{
	struct link *l = link_new();

	link_group(l, 1, 18, 0, 10000);
	link_group(l, 8, 2, 2000, 10000);
	link_measure(l, 3000, 9000);
	EXPECT_BETWEEN(link_share(l, 8), .99, 1.01);
	EXPECT_NEAR(l->probes, 18 * 6000 / 78., 30);
}

static const struct unit_test tests[] = {
	UNIT_TEST(prioplus_knob__table),
	UNIT_TEST(prioplus_params_set__channels),
	UNIT_TEST(prioplus_params_set__base_rtt),
	UNIT_TEST(prioplus_params_set__host_jitter),
	UNIT_TEST(prioplus_params_set__linear_start),
	UNIT_TEST(prioplus_params_set__most),
	UNIT_TEST(prioplus_params_set__unknown),
	UNIT_TEST(prioplus_params_set__own_width),
	UNIT_TEST(prioplus_params_set__ends),
	UNIT_TEST(prioplus_init__state),
	UNIT_TEST(prioplus_set_priority__clamps),
	UNIT_TEST(prioplus_on_start__probes),
	UNIT_TEST(prioplus_on_start__knob),
	UNIT_TEST(prioplus_on_start__unknown),
	UNIT_TEST(prioplus_on_start__again),
	UNIT_TEST(prioplus_on_ack__rtt),
	UNIT_TEST(prioplus_on_ack__rtt_without_send_time),
	UNIT_TEST(prioplus_on_ack__rtt_needs_a_delay),
	UNIT_TEST(prioplus_on_ack__second_in_a_row),
	UNIT_TEST(prioplus_on_ack__not_in_a_row),
	UNIT_TEST(prioplus_on_ack__cardinality),
	UNIT_TEST(prioplus_on_ack__slow_estimate),
	UNIT_TEST(prioplus_on_ack__stops_without_line_rate),
	UNIT_TEST(prioplus_on_ack__highest_never_stops),
	UNIT_TEST(prioplus_on_ack__linear_start),
	UNIT_TEST(prioplus_on_ack__halves_the_flows),
	UNIT_TEST(prioplus_on_ack__eps_beyond_the_target),
	UNIT_TEST(prioplus_on_ack__linear_needs_the_window),
	UNIT_TEST(prioplus_on_ack__linear_bound),
	UNIT_TEST(prioplus_on_ack__linear_without_line_rate),
	UNIT_TEST(prioplus_on_ack__golden_increase),
	UNIT_TEST(prioplus_on_ack__golden_decrease),
	UNIT_TEST(prioplus_on_ack__at_the_target),
	UNIT_TEST(prioplus_on_ack__swift_knobs),
	UNIT_TEST(prioplus_on_ack__coalesced),
	UNIT_TEST(prioplus_on_ack__step_is_spread),
	UNIT_TEST(prioplus_on_ack__step_bound),
	UNIT_TEST(prioplus_on_ack__dual_rtt),
	UNIT_TEST(prioplus_on_ack__increase_needs_the_window),
	UNIT_TEST(prioplus_on_ack__below_a_packet),
	UNIT_TEST(prioplus_on_ack__root_ai),
	UNIT_TEST(prioplus_on_ack__ledbat_increase),
	UNIT_TEST(prioplus_on_ack__ledbat_step),
	UNIT_TEST(prioplus_on_ack__ledbat_decrease),
	UNIT_TEST(prioplus_on_ack__ledbat_filter),
	UNIT_TEST(prioplus_on_ack__ledbat_floor),
	UNIT_TEST(prioplus_on_ack__small),
	UNIT_TEST(prioplus_on_ack__small_branches),
	UNIT_TEST(prioplus_on_ack__loss),
	UNIT_TEST(prioplus_on_ack__no_delay),
	UNIT_TEST(prioplus_on_ack__no_base_rtt),
	UNIT_TEST(prioplus_on_ack__maybe_delayed),
	UNIT_TEST(prioplus_on_ack__blind),
	UNIT_TEST(prioplus_on_ack__in_doubt),
	UNIT_TEST(prioplus_on_ack__suspended),
	UNIT_TEST(prioplus_on_probe__wait),
	UNIT_TEST(prioplus_on_probe__seeds),
	UNIT_TEST(prioplus_on_probe__bounds),
	UNIT_TEST(prioplus_on_probe__decides),
	UNIT_TEST(prioplus_on_probe__countdown),
	UNIT_TEST(prioplus_on_probe__join),
	UNIT_TEST(prioplus_on_probe__join_unknown),
	UNIT_TEST(prioplus_on_probe__above),
	UNIT_TEST(prioplus_on_ack__above_not),
	UNIT_TEST(prioplus_on_probe__return_order),
	UNIT_TEST(prioplus_on_probe__return_order_far),
	UNIT_TEST(prioplus_set_priority__forgets),
	UNIT_TEST(prioplus_on_probe__new_priority),
	UNIT_TEST(prioplus_on_probe__strange),
	UNIT_TEST(prioplus_on_probe__first_ack),
	UNIT_TEST(prioplus_on_probe__linear_goes_on),
	UNIT_TEST(prioplus_on_rto__as_swift),
	UNIT_TEST(prioplus_on_rto__suspended),
	UNIT_TEST(prioplus_go_on__suspended),
	UNIT_TEST(prioplus_on_idle__forgets),
	UNIT_TEST(prioplus_on_ack__paper),
	UNIT_TEST(prioplus_on_ack__paper_unrounded),
	UNIT_TEST(bottleneck__strict),
	UNIT_TEST(bottleneck__back),
	UNIT_TEST(bottleneck__slow_estimate),
	UNIT_TEST(bottleneck__return_order),
	UNIT_TEST(bottleneck__join),
	UNIT_TEST(bottleneck__dual_rtt),
	UNIT_TEST(bottleneck__cardinality),
	UNIT_TEST(bottleneck__probes),
};

UNIT_MAIN(tests)
