// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tcp_oscar/oscar*.c: algorithm 2 on estimates, algorithm 1 on ACKs, the paper's
 * listings side by side with the module, the life of a flow, the extensions one by one.
 */
#include "oscar.h"
#include "delays.h"

#define B(bytes)	((u64)(bytes) << DCC_CWND_SHIFT)
#define NS(x)		((u64)(x) << DCC_LSQ_MEAN_SHIFT)
#define U(x)		((u64)((x) * 1e6 + 0.5) * OSCAR_MILLIONTH)
#define G(x)		((s64)((x) * 1e9 + ((x) < 0 ? -0.5 : 0.5)))
#define RATE_100G	12500000000ULL		/* bytes/s */
#define BASE		12178			/* ns */
#define NANO		0.000000001
#define START		1000000000ULL		/* when flows start, ns */

/*
 * The reference network of the golden vectors: 100 Gbit/s, base RTT 12178 ns, packets of
 * 1060 B. tau 5 us, D_target 18178 ns. All extensions are off.
 */
struct flow {
	struct oscar o;
	struct oscar_memory m;
	struct oscar_knobs k;
	struct oscar_params p;
	struct oscar_estimate e;
	struct dcc_sample s;
	struct dcc_decision d;
};

static struct oscar_knobs paper_knobs(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;

	k.solo_start = 0;
	k.short_batches = 0;
	k.packet_ai = 0;
	k.ramp = 0;
	k.loss_response = 0;
	return k;
}

static struct flow flow_new(double u)
{
	struct flow f = {
		.k = paper_knobs(),
		.e = {
			.delay = NS(20000), .inflight = B(100000),
			.rate = 100000000000ULL, .span_ns = 5050,
		},
		.s = {
			.now_ns = START, .base_rtt_ns = BASE,
			.acked = 1, .acked_bytes = 1060, .mss = 1060,
			.inflight = 100000, .flight = 50000,
			.line_rate = RATE_100G, .cwnd_limited = true,
		},
	};

	f.k.tau_ns = 5000;
	f.k.target_ns = 18178;
	f.k.start_u = (u32)(u * 1e6 + .5);
	oscar_init(&f.o, &f.k, RATE_100G, 10 * 1060);
	oscar_params_set(&f.p, &f.k, BASE, RATE_100G);
	return f;
}

/* Algorithm 2 on f->e, u bounded as oscar_on_ack() does. */
static u8 update(struct flow *f)
{
	u8 branch = oscar_update(&f->o, &f->k, &f->p, &f->e);

	f->o.u = min_t(u64, f->o.u, OSCAR_ONE);
	return branch;
}

/* One ACK of a packet sent `sent` after the start; returns the branch, HOLD: none closed. */
static u8 ack(struct flow *f, u64 sent, u32 delay)
{
	memset(&f->d, 0xa5, sizeof(f->d));
	f->s.sent_ns = START + sent;
	f->s.delay_ns = delay;
	f->s.now_ns = START + sent + delay;
	oscar_on_ack(&f->o, &f->m, &f->k, &f->s, &f->d);
	EXPECT_EQ(f->d.cwnd % B(f->s.mss), 0);
	EXPECT_EQ(f->d.share, f->o.u / OSCAR_MILLIONTH);
	return f->d.branch;
}

/* `n` packets, `gap` apart from `sent` on; returns what the last one led to. */
static u8 packets(struct flow *f, u64 sent, u32 n, u32 gap, u32 delay)
{
	u8 branch = OSCAR_HOLD;
	u32 i;

	for (i = 0; i < n; i++)
		branch = ack(f, sent + gap * i, delay);
	return branch;
}

/* The rate that the flow sends at, as a share of the link rate. */
static double rate_share(const struct flow *f)
{
	return (double)f->d.pacing_rate / f->s.line_rate;
}

/* --- knobs and what follows from them ------------------------------------------ */

static void oscar_knob__table(void)
{
	u32 i;

	EXPECT_EQ(OSCAR_KNOB_COUNT <= 48, 1);
	for (i = 0; i < OSCAR_KNOB_COUNT; i++) {
		const struct dcc_knob *k = &oscar_knob[i];
		char text[DCC_KNOB_TEXT];
		u32 value;

		EXPECT_EQ(k->def >= k->min && k->def <= k->max, 1);
		snprintf(text, sizeof(text), "%u", k->max);
		EXPECT_EQ(dcc_knob_parse(k, text, &value), 0);
		snprintf(text, sizeof(text), "%llu", k->max + 1ULL);
		EXPECT_EQ(dcc_knob_parse(k, text, &value) != 0, 1);
	}
}

static void oscar_params_set__paper(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar_params p;

	oscar_params_set(&p, &k, 12000, RATE_100G);
	EXPECT_EQ(p.line_rate, RATE_100G);
	EXPECT_EQ(p.base_rtt_ns, 12000);
	EXPECT_EQ(p.target_ns, 18000);
	EXPECT_EQ(p.tau_ns, 6000);
	EXPECT_EQ(p.empty_ns, 13000);
	EXPECT_EQ(p.u_ai, U(.001));
	EXPECT_EQ(k.u_hai, 10000);
	EXPECT_EQ(k.u_min, 1000);
	EXPECT_EQ(k.start_u, 1000000);
	EXPECT_EQ(k.target_slack_ns, 500);
	EXPECT_EQ(k.sync_reference, 1);
}

/* The same queue for all, and the same bytes a batch: U_AI * 3 queue / D_target. */
static void oscar_params_set__target_queue(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar_params p;

	k.target_queue_ns = 6000;
	oscar_params_set(&p, &k, 12000, RATE_100G);
	EXPECT_EQ(p.target_ns, 18000);
	EXPECT_EQ(p.u_ai, U(.001));
	oscar_params_set(&p, &k, 3000, RATE_100G);
	EXPECT_EQ(p.target_ns, 9000);
	EXPECT_EQ(p.u_ai, U(.002));
	oscar_params_set(&p, &k, 174000, RATE_100G);
	EXPECT_EQ(p.target_ns, 180000);
	EXPECT_EQ(p.u_ai, U(.0001));
	oscar_params_set(&p, &k, 0, RATE_100G);
	EXPECT_EQ(p.u_ai, U(.003));
	k.target_ns = 18178;			/* wins */
	k.u_ai = 2000;
	oscar_params_set(&p, &k, 174000, RATE_100G);
	EXPECT_EQ(p.target_ns, 18178);
	EXPECT_EQ(p.u_ai, U(.002));
	k.target_ns = 0;
	k.target_queue_ns = 1000000000;
	oscar_params_set(&p, &k, U32_MAX, RATE_100G);
	EXPECT_EQ(p.target_ns, U32_MAX);
	EXPECT_EQ(p.empty_ns, U32_MAX);
}

static void oscar_params_set__knobs(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar_params p;

	k.tau_ns = 5000;
	k.target_ns = 30000;
	oscar_params_set(&p, &k, 12000, 0);
	EXPECT_EQ(p.tau_ns, 5000);
	EXPECT_EQ(p.target_ns, 30000);
	EXPECT_EQ(p.line_rate, 0);
	k.target_ns = 0;
	oscar_params_set(&p, &k, U32_MAX, 0);
	EXPECT_EQ(p.target_ns, U32_MAX);
	EXPECT_EQ(p.base_rtt_ns, U32_MAX);
	k.tau_ns = 0;				/* a batch spans a second at most */
	oscar_params_set(&p, &k, 1999999998, 0);
	EXPECT_EQ(p.tau_ns, 999999999);
	oscar_params_set(&p, &k, 2000000002, 0);
	EXPECT_EQ(p.tau_ns, 1000000000);
}

/* The base RTT starts at the knob's, and only ever falls. */
static void oscar_params_set__base_rtt(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar_params p;

	oscar_params_set(&p, &k, 0, 0);
	EXPECT_EQ(p.base_rtt_ns, 0);
	k.base_rtt_ns = 12000;
	oscar_params_set(&p, &k, 0, 0);
	EXPECT_EQ(p.base_rtt_ns, 12000);
	oscar_params_set(&p, &k, 12001, 0);
	EXPECT_EQ(p.base_rtt_ns, 12000);
	oscar_params_set(&p, &k, 11999, 0);
	EXPECT_EQ(p.base_rtt_ns, 11999);
	EXPECT_EQ(p.target_ns, 11999 + 5999);
}

/* --- starting -------------------------------------------------------------------- */

/* u = 1: the BDP, 12178 ns * 12.5 B/ns, at the link rate. */
static void oscar_init__bdp(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar o;

	k.base_rtt_ns = BASE;
	oscar_init(&o, &k, RATE_100G, 14480);
	EXPECT_EQ(o.u, OSCAR_ONE);
	EXPECT_EQ(o.cwnd, B(152225));
	EXPECT_EQ(o.pacing, RATE_100G);
	EXPECT_EQ(oscar_first_window(&o), 152225);
	k.start_u = 100000;			/* a tenth of D_target mu, 22833.75 B */
	oscar_init(&o, &k, RATE_100G, 14480);
	EXPECT_EQ(o.cwnd, 22833.75 * 256);
	EXPECT_EQ(o.pacing, RATE_100G / 10);
	EXPECT_EQ(oscar_first_window(&o), 22833);
}

/* A millionth of 1 Mbit/s is an eighth of a byte per second. */
static void oscar_init__slowest(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar o;

	k.start_u = 1;
	oscar_init(&o, &k, 125000, 14480);
	EXPECT_EQ(o.pacing, 1);
	k.start_u = 16;
	oscar_init(&o, &k, 125000, 14480);
	EXPECT_EQ(o.pacing, 2);
}

static void oscar_init__unknown(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar o;

	oscar_init(&o, &k, RATE_100G, 14480);	/* no base RTT */
	EXPECT_EQ(o.cwnd, B(14480));
	EXPECT_EQ(o.pacing, RATE_100G);
	EXPECT_EQ(oscar_first_window(&o), 0);
	k.base_rtt_ns = BASE;
	oscar_init(&o, &k, 0, 14480);		/* no link rate */
	EXPECT_EQ(o.cwnd, B(14480));
	EXPECT_EQ(o.pacing, 0);
	EXPECT_EQ(oscar_first_window(&o), 0);
	oscar_init(&o, &k, 0, U32_MAX);
	EXPECT_EQ(o.cwnd, B(U32_MAX));
	oscar_init(&o, &k, 0, 1ULL << 40);
	EXPECT_EQ(o.cwnd, DCC_RENO_MOST);
}

/* --- algorithm 2, on estimates ------------------------------------------------------ */

/* n, span, D, g, packets in flight, u before and after: to the sixth decimal. */
static void oscar_update__golden(void)
{
	static const struct {
		u32 n, span, delay;
		double g;
		u32 packets;
		double before, after;
	} v[] = {
		{ 60, 5050, 24000, 1.0, 143, 1, .504762 },
		{ 12, 5100, 18000, -.45, 30, .2, .142333 },
		{ 3, 16000, 20000, .3, 3, .05, .013720 },
		{ 60, 5050, 13178, 0, 100, .9, .91 },	/* a tie with eps is no queue */
		{ 60, 5050, 13179, 0, 100, .9, 1 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		struct flow f = flow_new(v[i].before);

		f.e = (struct oscar_estimate) {
			.delay = NS(v[i].delay),
			.inflight = B(v[i].packets * 1060),
			.rate = v[i].n * 1060 * 8 * 1000000000ULL / v[i].span,
			.gradient = G(v[i].g), .span_ns = v[i].span,
		};
		update(&f);
		EXPECT_EQ((f.o.u + OSCAR_MILLIONTH / 2) / OSCAR_MILLIONTH,
			  (u64)(v[i].after * 1e6 + 0.5));
	}
}

/* An estimate, and what it leads to from u = .5 on: delay in ns and 1/256 ns, bytes, Gbit/s. */
struct rule {
	u32 delay, part, inflight;
	double rate, gradient;
	u32 span;
	u8 branch;
	double u;
};

/* u_w = inflight / (delay * 12.5), u_r = rate / (1 + gradient) / 100; U_AI is .001. */
static const struct rule rules[] = {
	/* base + eps, 13178 ns, is no queue, however long the batch is; no U_AI with U_HAI */
	{ 13178, 0, 100000, 100, 0, 5050, OSCAR_HYPER, .51 },
	{ 1, 0, 100000, 100, 0, 1000000, OSCAR_HYPER, .51 },
	{ 13178, 1, 0, 80, 0, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .801 },
	/* above D_target the smaller: u_w = .4, u_r = .8 or .25 */
	{ 20000, 0, 100000, 100, .25, 5050, OSCAR_SLOW_DOWN, .401 },
	{ 20000, 0, 100000, 100, 3, 5050, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE, .251 },
	/* below it the larger: u_w = .5 */
	{ 16000, 0, 100000, 100, .25, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .801 },
	{ 16000, 0, 100000, 100, 3, 5050, OSCAR_SPEED_UP, .501 },
	/* D_target less the slack, 17678 ns, is "at D_target": u_w = .8 */
	{ 17678, 0, 176780, 50, 0, 5050, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE, .501 },
	{ 17677, 255, 100000, 80, 0, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .801 },
	/* more than 3 tau, 15 us: the window alone, above and below D_target */
	{ 20000, 0, 100000, 100, 3, 15000, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE, .251 },
	{ 20000, 0, 100000, 100, 3, 15001, OSCAR_LONG, .401 },
	{ 16000, 0, 100000, 100, 0, 15001, OSCAR_LONG, .501 },
	/* 1 + gradient is at least .1: -.9 and less are one */
	{ 16000, 0, 1000, 1, -.8, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .051 },
	{ 16000, 0, 1000, 1, -.9, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .101 },
	{ 16000, 0, 1000, 1, -.95, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .101 },
	{ 16000, 0, 1000, 1, -4e9, 5050, OSCAR_SPEED_UP | OSCAR_MARK_RATE, .101 },
	{ 20000, 0, 100000, 100, 4e9, 5050, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE, .001 },
	/* however far off a loop is, no number wraps */
	{ 20000, 0, U32_MAX, 1e10, -.9, 5050, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE, 1 },
	{ 20000, 0, 0, 0, 0, 5050, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE, .001 },
};

static void oscar_update__rules(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *r = &rules[i];
		struct flow f = flow_new(.5);

		f.e = (struct oscar_estimate) {
			.delay = NS(r->delay) + r->part, .inflight = B(r->inflight),
			.rate = (u64)(r->rate * 1e9), .gradient = G(r->gradient),
			.span_ns = r->span,
		};
		EXPECT_EQ(update(&f), r->branch);
		EXPECT_NEAR(f.o.u / 1e15, r->u, NANO);
	}
}

/* 3 tau may need 33 bits. */
static void oscar_update__long_tau(void)
{
	struct flow f = flow_new(.5);

	f.p.tau_ns = 1500000000;
	f.e.span_ns = 1000000000;
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN);
}

/* w = u D_target mu up to the BDP: u = 12178 / 18178 on. r = u mu. */
static void oscar_set_share__window_and_rate(void)
{
	struct flow f = flow_new(.5);

	oscar_set_share(&f.o, &f.p, U(.4));
	EXPECT_EQ(f.o.cwnd, B(90890));
	EXPECT_EQ(f.o.pacing, 5000000000ULL);
	oscar_set_share(&f.o, &f.p, U(.668));
	EXPECT_EQ(f.o.cwnd, 151786.3 * 256 + 0.5);
	oscar_set_share(&f.o, &f.p, U(.67));	/* 152240.75 B */
	EXPECT_EQ(f.o.cwnd, B(152225));
	EXPECT_EQ(f.o.pacing, 8375000000ULL);
	oscar_set_share(&f.o, &f.p, U(.001));	/* less than a packet, 227.225 B */
	EXPECT_EQ(f.o.cwnd, 58170);
	EXPECT_EQ(f.o.pacing, 12500000);
	f.p.base_rtt_ns = 0;			/* no BDP: w stays */
	oscar_set_share(&f.o, &f.p, U(.5));
	EXPECT_EQ(f.o.cwnd, 58170);
	EXPECT_EQ(f.o.pacing, RATE_100G / 2);
}

/* --- algorithm 1, on ACKs ------------------------------------------------------------ */

/* The first packet starts the clock; tau later, and with three packets, a batch closes. */
static void oscar_on_ack__closes(void)
{
	struct flow f = flow_new(1);

	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 1000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 2000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 4999, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5000, 20000) != OSCAR_HOLD, 1);
	EXPECT_EQ(ack(&f, 6000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 12000, 20000), OSCAR_HOLD);	/* only two */
	EXPECT_EQ(ack(&f, 12000, 20000) != OSCAR_HOLD, 1);
}

/*
 * 9 packets of 1060 B, 600 ns apart, delays rising by 300 ns each: D = 21200, g = .5, rate =
 * 9 * 1060 B / 5400 ns = 14.13 Gbit/s; u_r = .0942, u_w = 100000 / (21200 * 12.5) = .3774.
 */
static void oscar_on_ack__estimates(void)
{
	double share = 9 * 1060 / 5400.0 / 12.5 / 1.5 + .001;
	struct flow f = flow_new(1);
	u32 i;

	ack(&f, 0, 90000);			/* in no batch */
	for (i = 1; i < 9; i++)
		EXPECT_EQ(ack(&f, 600 * i, 19700 + 300 * i), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5400, 22400), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, share, NANO);
	EXPECT_EQ(f.d.delay_ns, 21200);
	EXPECT_EQ(f.d.target_ns, 18178);
	EXPECT_EQ(f.d.gradient, 500000);
	EXPECT_NEAR(f.d.share, share * 1e6, 1);
	EXPECT_NEAR(rate_share(&f), share, NANO);
	EXPECT_BETWEEN(f.d.cwnd, B(share * 227225), B(share * 227225 + 1060));
}

/* The mean of what was in flight: 90000, 100000, 110000 B, D = 20 us. */
static void oscar_on_ack__inflight(void)
{
	struct flow f = flow_new(1);
	u32 i;

	f.s.acked_bytes = 100000;
	for (i = 0; i < 4; i++) {
		f.s.inflight = 80000 + 10000 * i;
		ack(&f, 3000 * i, 20000);
	}
	EXPECT_EQ(f.d.branch, OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.401));
	f.k.sync_reference = 0;			/* 50000 B in flight now */
	for (i = 0; i < 3; i++)
		ack(&f, 12000 + 3000 * i, 20000);
	EXPECT_EQ(f.o.u, U(.201));
}

/* Coalesced: the bytes of all but the first, 3 * 10000 B in 9 us, g = 0. */
static void oscar_on_ack__rate(void)
{
	struct flow f = flow_new(1);

	f.s.inflight = 1000000;
	f.s.acked_bytes = 10000;
	EXPECT_EQ(packets(&f, 0, 4, 3000, 20000), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, 30000 / 9000.0 / 12.5 + .001, NANO);
}

/* Bytes of ACKs without a delay count, those before the clock do not. */
static void oscar_on_ack__bytes_without_delay(void)
{
	struct flow f = flow_new(1);
	u32 i;

	f.s.inflight = 1000000;
	f.s.acked_bytes = 10000;
	EXPECT_EQ(ack(&f, 0, 0), OSCAR_HOLD);
	for (i = 0; i < 4; i++) {
		ack(&f, 3000 * i, 20000);
		if (i < 2)
			EXPECT_EQ(ack(&f, 3000 * i + 10, 0), OSCAR_HOLD);
	}
	EXPECT_NEAR(f.o.u / 1e15, 50000 / 9000.0 / 12.5 + .001, NANO);
}

/* Packets that were overtaken count, and the clock goes by the latest send time. */
static void oscar_on_ack__overtaken(void)
{
	struct flow f = flow_new(1);

	f.s.acked_bytes = 10000;
	f.s.inflight = 1000000;
	ack(&f, 1000, 20000);
	EXPECT_EQ(ack(&f, 6500, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 4000, 20000), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, 30000 / 5500.0 / 12.5 + .001, NANO);
	EXPECT_EQ(ack(&f, 5000, 20000), OSCAR_HOLD);	/* before the batch, and in it */
	EXPECT_EQ(ack(&f, 9000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 11499, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 11500, 20000) != OSCAR_HOLD, 1);
}

/* The clock's 32 bits wrap in the middle: nothing differs. */
static void oscar_on_ack__clock_wrap(void)
{
	u32 k, i;

	for (k = 0; k < 12; k++) {
		struct flow f = flow_new(1);
		u64 wrap = (1ULL << 32) - START - 600 * k;

		for (i = 0; i < 10; i++)
			ack(&f, wrap + 600 * i, 20000 + 300 * i);
		EXPECT_EQ(f.d.gradient, 500000);
		EXPECT_EQ(f.d.delay_ns, 21500);
	}
}

/* Sent all at once, packets close no batch; the next one later does. */
static void oscar_on_ack__sent_at_once(void)
{
	struct flow f = flow_new(1);
	u32 i;

	for (i = 0; i < 100; i++)
		EXPECT_EQ(ack(&f, 0, 20000 + 80 * i), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	EXPECT_EQ(ack(&f, 5001, 24000) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
}

/* As many packets as the estimator holds close a batch, too. */
static void oscar_on_ack__full(void)
{
	struct flow f = flow_new(1);
	u32 i;

	for (i = 0; i < DCC_LSQ_MAX_COUNT; i++)
		EXPECT_EQ(ack(&f, i, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, i, 20000) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
}

/* What does not fit into the estimator starts the clock of another batch. */
static void oscar_on_ack__does_not_fit(void)
{
	struct flow f = flow_new(1);

	f.s.base_rtt_ns = 1000000000;
	f.k.tau_ns = 1000000000;
	f.k.target_ns = 1500000000;
	EXPECT_EQ(packets(&f, 0, 3, 10, 1600000000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 20 + 990000000, 1600000000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 10 + DCC_LSQ_MAX_SPAN + 1, 1600000000), OSCAR_HOLD);
	EXPECT_EQ(packets(&f, 1100000000, 2, 100000000, 1600000000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 2000000000, 1600000000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 2073741835, 1600000000) != OSCAR_HOLD, 1);
}

/* What is traced has 32 bits; the slope of three packets may need 50. */
static void oscar_on_ack__steep(void)
{
	struct flow f = flow_new(1);

	packets(&f, 0, 3, 100, 20000);
	ack(&f, 6200, 4000000000U);
	EXPECT_EQ(f.d.gradient, INT_MAX);
	f = flow_new(1);
	ack(&f, 0, 20000);
	ack(&f, 0, 4000000000U);
	packets(&f, 100, 2, 6100, 20000);
	EXPECT_EQ(f.d.gradient, -INT_MAX);
}

/* --- the paper's listings ------------------------------------------------------------- */

/* Algorithms 1 and 2 of the paper as they are printed, under the names that they have there. */
struct paper {
	double RTT_base, D_target, tau, mu, U_AI, U_HAI, MTU;	/* ns, bytes/ns, bytes */
	double eps, slack, u_least;		/* of the authors' artifact */
	bool rounds;				/* as the module does: see paper_round() */

	u64 startTs;
	__int128 sumX, sumY, sumXX, sumXY, counts, sumInfl;

	double delay, gradient, inflight, rate, span;
	double u, w, r;
};

/* All packets of a batch may have been sent at the same time: the listing divides by 0. */
static double paper_quotient(__int128 a, __int128 b)
{
	return b ? (double)a / (double)b : 0;
}

/* Sums are integers, since floating point would lose differences of squares of times. */
static bool paper_estimate(struct paper *e, u64 sendTs, u64 recvTs, u64 pktInfl)
{
	u64 pktDelay = recvTs - sendTs;

	if (!e->startTs) {			/* the listing does not say how it begins */
		e->startTs = sendTs;
		return false;
	}
	e->sumX += sendTs;
	e->sumY += pktDelay;
	e->sumXX += (__int128)sendTs * sendTs;
	e->sumXY += (__int128)sendTs * pktDelay;
	e->counts += 1;
	e->sumInfl += pktInfl;
	if (sendTs - e->startTs >= e->tau && e->counts >= 3) {
		e->delay = (double)e->sumY / (double)e->counts;
		e->gradient = paper_quotient(e->counts * e->sumXY - e->sumX * e->sumY,
					     e->counts * e->sumXX - e->sumX * e->sumX);
		e->inflight = (double)e->sumInfl / (double)e->counts;
		e->rate = (double)e->counts * e->MTU / (double)(sendTs - e->startTs);
		e->span = (double)(sendTs - e->startTs);
		e->sumX = 0;
		e->sumY = 0;
		e->sumXX = 0;
		e->sumXY = 0;
		e->counts = 0;
		e->sumInfl = 0;
		e->startTs = sendTs;
		return true;
	}
	return false;
}

/* Of an estimate the module keeps 1/256 ns, 1/256 B, 10^-9 of a gradient, bit/s. */
static void paper_round(struct paper *e)
{
	if (!e->rounds)
		return;
	e->delay = floor(e->delay * 256) / 256;
	e->inflight = floor(e->inflight * 256) / 256;
	e->gradient = round(e->gradient * 1e9) / 1e9;
	e->rate = round(e->rate * 8e9) / 8e9;
}

/*
 * Line 12 is the text's: min. The artifact adds eps, the slack, the least gradient, the least
 * u, the largest u, and that u_w alone counts after more than 3 tau.
 */
static bool paper_new_ack(struct paper *BE, u64 sendTs, u64 recvTs, u64 pktInfl)
{
	double u_w, u_r, gradient;

	if (!paper_estimate(BE, sendTs, recvTs, pktInfl))
		return false;
	paper_round(BE);
	if (BE->delay <= BE->RTT_base + BE->eps) {
		BE->u = BE->u + BE->U_HAI;
	} else {
		gradient = fmax(BE->gradient, -.9);
		u_w = BE->inflight / (BE->delay * BE->mu);
		u_r = BE->rate / ((1 + gradient) * BE->mu);
		if (BE->span > 3 * BE->tau)
			BE->u = u_w;
		else if (BE->delay < BE->D_target - BE->slack)
			BE->u = fmax(u_w, u_r);
		else
			BE->u = fmin(u_w, u_r);
		BE->u = BE->u + BE->U_AI;
	}
	BE->u = fmin(fmax(BE->u, BE->u_least), 1);
	BE->w = fmin(BE->u * BE->D_target * BE->mu, BE->RTT_base * BE->mu);
	BE->r = BE->u * BE->mu;
	return true;
}

/* A network, and knobs; 0 is what follows from the base RTT. */
struct network {
	u64 mu;					/* bytes/s */
	u32 base, tau, target, eps, slack, mtu;
	u32 u_ai, u_hai, u_min;			/* 10^-6 */
};

static struct paper paper_of(const struct network *n, bool rounds)
{
	return (struct paper) {
		.RTT_base = n->base, .mu = n->mu / 1e9, .MTU = n->mtu,
		.D_target = n->target ? n->target : n->base + n->base / 2,
		.tau = n->tau ? n->tau : n->base / 2,
		.U_AI = n->u_ai / 1e6, .U_HAI = n->u_hai / 1e6,
		.eps = n->eps, .slack = n->slack, .u_least = n->u_min / 1e6,
		.rounds = rounds, .u = 1,
	};
}

static struct flow module_of(const struct network *n)
{
	struct flow f = {
		.k = paper_knobs(),
		.s = {
			.base_rtt_ns = n->base, .mss = n->mtu, .acked = 1,
			.acked_bytes = n->mtu, .line_rate = n->mu, .cwnd_limited = true,
		},
	};

	f.k.tau_ns = n->tau;
	f.k.target_ns = n->target;
	f.k.eps_ns = n->eps;
	f.k.target_slack_ns = n->slack;
	f.k.u_ai = n->u_ai;
	f.k.u_hai = n->u_hai;
	f.k.u_min = n->u_min;
	oscar_init(&f.o, &f.k, n->mu, 10 * n->mtu);
	return f;
}

/* Of the delays where the paper's rules change: the base RTT, D_target, and around them. */
static void stream_turn(struct delays *t, const struct paper *p)
{
	u32 base = (u32)p->RTT_base, target = (u32)p->D_target;
	const u32 gaps[] = { 0, 40, (u32)p->tau / 4, (u32)p->tau, base };
	const u32 from[] = {
		base, base, base + (u32)p->eps, target - (u32)p->slack, target, 4 * base,
	};

	delays_turn(t, gaps, ARRAY_SIZE(gaps), from, ARRAY_SIZE(from), base);
}

/* The next ACK: its send time, at most a base RTT after the one before, and its delay. */
static u32 stream_next(struct delays *t, const struct paper *p, u64 *sent)
{
	if (!t->left--)
		stream_turn(t, p);
	*sent += unit_below(t->gap_most + 1);
	return delays_next(t, (u32)p->RTT_base);
}

/* Tolerances of u, w and r: relative, and what their integers cannot tell. */
static void beside_compare(const struct flow *f, const struct paper *p, double slack)
{
	EXPECT_NEAR(f->o.u / 1e15, p->u, slack * p->u);
	EXPECT_NEAR(f->o.cwnd / 256.0, p->w, slack * p->w + 1 / 256.0);
	EXPECT_NEAR(f->d.pacing_rate, p->r * 1e9, slack * p->r * 1e9 + 1);
	EXPECT_BETWEEN(f->d.cwnd / 256.0, p->w * (1 - slack) - 1 / 256.0,
		       p->w * (1 + slack) + f->s.mss);
}

/* The same ACKs for both; counts the branches that were taken. */
static void beside(const struct network *n, bool rounds, double slack, u32 *taken)
{
	struct paper p = paper_of(n, rounds);
	struct flow f = module_of(n);
	struct delays t = {};
	u64 sent = 1;
	u32 i;

	for (i = 0; i < 30000; i++) {
		u32 delay = stream_next(&t, &p, &sent);
		bool closed;

		f.s.inflight = unit_below(2 * (u32)(p.RTT_base * p.mu));
		closed = paper_new_ack(&p, START + sent, START + sent + delay, f.s.inflight);
		EXPECT_EQ(ack(&f, sent, delay) != OSCAR_HOLD, closed);
		taken[f.d.branch & (OSCAR_BRANCH | OSCAR_MARK_RATE)]++;
		if (closed)
			beside_compare(&f, &p, slack);
		if (unit_failures)
			return;
	}
}

static const struct network networks[] = {
	{ .mu = RATE_100G, .base = BASE, .eps = 1000, .slack = 500, .mtu = 1060,
	  .u_ai = 1000, .u_hai = 10000, .u_min = 1000 },
	{ .mu = RATE_100G, .base = BASE, .tau = 5000, .target = 18178, .mtu = 1060,
	  .u_ai = 1000, .u_hai = 10000, .u_min = 1 },	/* delay = base RTT, no slack */
	{ .mu = 1250000000, .base = 50001, .eps = 1000, .slack = 500, .mtu = 1460,
	  .u_ai = 5000, .u_hai = 50000, .u_min = 20000 },
	{ .mu = 125000000, .base = 200000, .eps = 10000, .slack = 20000, .mtu = 8960,
	  .u_ai = 0, .u_hai = 1, .u_min = 1000 },
	{ .mu = 100000000000ULL, .base = 5000, .tau = 1000, .target = 9000, .eps = 200,
	  .mtu = 4096, .u_ai = 300, .u_hai = 10000, .u_min = 1000 },
};

/* No rule's place in the listing goes untried. */
static void beside_tried(const u32 *taken)
{
	EXPECT_BETWEEN(taken[OSCAR_HYPER], 100, 1e6);
	EXPECT_BETWEEN(taken[OSCAR_LONG], 100, 1e6);
	EXPECT_BETWEEN(taken[OSCAR_SPEED_UP], 100, 1e6);
	EXPECT_BETWEEN(taken[OSCAR_SPEED_UP | OSCAR_MARK_RATE], 100, 1e6);
	EXPECT_BETWEEN(taken[OSCAR_SLOW_DOWN], 100, 1e6);
	EXPECT_BETWEEN(taken[OSCAR_SLOW_DOWN | OSCAR_MARK_RATE], 100, 1e6);
	EXPECT_EQ(taken[OSCAR_RENO], 0);
}

/* With estimates rounded as the module rounds them all else agrees to 10^-9. */
static void oscar_on_ack__paper(void)
{
	u32 taken[256] = {}, i;

	for (i = 0; i < ARRAY_SIZE(networks); i++)
		beside(&networks[i], true, NANO, taken);
	beside_tried(taken);
}

/* Without that: a 256th of a nanosecond of 5 us, of a byte of 20 KB, is 10^-6. */
static void oscar_on_ack__paper_unrounded(void)
{
	u32 taken[256] = {}, i;

	for (i = 0; i < ARRAY_SIZE(networks); i++)
		beside(&networks[i], false, 0.000003, taken);
	beside_tried(taken);
}

/* --- the life of a flow --------------------------------------------------------------- */

/* Packets of a longer path, which left before the batch began, do not make it longer. */
static void oscar_on_ack__older_packets(void)
{
	struct flow f = flow_new(1);

	ack(&f, 10000, 20000);
	EXPECT_EQ(packets(&f, 9000, 3, 100, 30000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 14999, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 15000, 20000) != OSCAR_HOLD, 1);
}

/* u_min to 1. */
static void oscar_on_ack__bounds(void)
{
	struct flow f = flow_new(.999);

	packets(&f, 0, 4, 3000, BASE);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	f.k.u_ai = 0;
	f.k.u_min = 20000;
	f.s.inflight = 0;
	packets(&f, 12000, 3, 3000, 20000);
	EXPECT_EQ(f.o.u, U(.02));
}

/*
 * Silence for more than a base RTT since the last ACK, and a packet's time of 85 ns: the batch
 * is of the past.
 */
static void oscar_on_ack__idle(void)
{
	struct flow f = flow_new(1);
	u32 i;

	for (i = 0; i < 2; i++) {
		f = flow_new(1);
		packets(&f, 0, 3, 100, 20000);
		ack(&f, 20200 + BASE + 85 + i, 20000);
		EXPECT_EQ(f.d.branch != OSCAR_HOLD, !i);
	}
	EXPECT_EQ(packets(&f, 33000, 2, 4000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 20200 + BASE + 86 + 4999, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 20200 + BASE + 86 + 5000, 20000) != OSCAR_HOLD, 1);
}

/* At u = .001 a packet every 84.8 us is what pacing makes of it, no silence. */
static void oscar_on_ack__paced_slowly(void)
{
	struct flow f = flow_new(.001);

	f.s.inflight = 1060;
	EXPECT_EQ(packets(&f, 0, 4, 84800, 13000), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.011));
	f = flow_new(.001);
	f.s.acked_bytes = 100;			/* a packet takes as long */
	EXPECT_EQ(packets(&f, 0, 4, 84800, 13000), OSCAR_HYPER);
	f = flow_new(.001);
	f.s.acked_bytes = 2120;			/* an ACK for two of them twice */
	EXPECT_EQ(packets(&f, 0, 4, 169600, 13000), OSCAR_HYPER);
	f = flow_new(.001);
	EXPECT_EQ(packets(&f, 0, 4, 84800 + 13000 + BASE + 1, 13000), OSCAR_HOLD);
}

/*
 * A window of four packets, of which each round trip brings one ACK, is no silence, though
 * the queue makes a round trip three base RTTs long.
 */
static void oscar_on_ack__ack_clocked(void)
{
	struct flow f = flow_new(.02);

	f.s.inflight = 4240;
	f.s.acked_bytes = 4240;
	EXPECT_EQ(packets(&f, 0, 4, 3 * BASE, 3 * BASE), OSCAR_LONG);
	EXPECT_NEAR(rate_share(&f), 4240 / (3. * BASE * 12.5) + .001, 0.000001);
}

/* A slow application's batch lowers u, and does not raise it. */
static void oscar_on_ack__app_limited(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, BASE);
	f.s.app_limited = true;			/* of one packet */
	ack(&f, 3000, BASE);
	f.s.app_limited = false;
	EXPECT_EQ(packets(&f, 6000, 2, 3000, BASE), OSCAR_HYPER | OSCAR_MARK_APP);
	EXPECT_EQ(f.o.u, U(.5));
	EXPECT_EQ(packets(&f, 12000, 3, 3000, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.51));
	f.s.app_limited = true;			/* of one without a delay */
	f.s.acked_bytes = 0;
	ack(&f, 20000, 0);
	f.s.app_limited = false;
	EXPECT_EQ(packets(&f, 21000, 3, 3000, BASE), OSCAR_HYPER | OSCAR_MARK_APP);
	f.s.app_limited = true;
	f.s.inflight = 50000;
	f.s.acked_bytes = 100000;
	EXPECT_EQ(packets(&f, 30000, 3, 3000, 20000), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.201));
}

/* Held back by the receiver: a delay proves a free path only, the bytes count. */
static void oscar_on_ack__maybe_delayed(void)
{
	struct flow f = flow_new(1);

	f.s.inflight = 1000000;
	f.s.acked_bytes = 10000;
	ack(&f, 0, 18177);
	f.s.maybe_delayed = true;
	EXPECT_EQ(packets(&f, 2000, 3, 2000, 18178), OSCAR_HOLD);
	EXPECT_EQ(packets(&f, 7000, 2, 1000, 18177), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 9000, 18177), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_EQ(f.d.delay_ns, 18177);
	EXPECT_NEAR(f.o.u / 1e15, 60000 / 9000.0 / 12.5 + .001, NANO);
	f.s.maybe_delayed = false;
	EXPECT_EQ(packets(&f, 12000, 3, 3000, 30000) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
}

/* No batch outlives a min-RTT probe, none begins in it. */
static void oscar_on_ack__probe(void)
{
	struct flow f = flow_new(.5);

	packets(&f, 0, 4, 1000, 20000);
	f.s.drains = true;
	EXPECT_EQ(packets(&f, 4000, 10, 1000, 20000), OSCAR_HOLD);
	f.s.drains = false;
	EXPECT_EQ(packets(&f, 14000, 5, 1000, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(.5));
	EXPECT_EQ(ack(&f, 19000, 20000) != OSCAR_HOLD, 1);
}

/* The first delay gives the base RTT, and with it the window. */
static void oscar_on_ack__base_rtt_found(void)
{
	struct flow f = flow_new(1);

	f.k.target_ns = 0;
	f.s.mss = 100;
	f.s.base_rtt_ns = 0;
	EXPECT_EQ(packets(&f, 0, 10, 1000, 13000), OSCAR_HOLD);
	EXPECT_EQ(f.d.cwnd, B(10600));
	EXPECT_EQ(f.d.pacing_rate, RATE_100G);
	f.s.base_rtt_ns = 13000;
	EXPECT_EQ(ack(&f, 20000, 13000), OSCAR_HOLD);
	EXPECT_EQ(f.d.cwnd, B(162500));
	EXPECT_EQ(f.d.delay_ns, 13000);
	EXPECT_EQ(f.d.target_ns, 19500);
	f.s.base_rtt_ns = 11000;		/* what the hosts take is no queue */
	f.s.hosts_ns = 1000;
	ack(&f, 20000, 12000);
	EXPECT_EQ(f.d.cwnd, B(150000));
	EXPECT_EQ(f.d.target_ns, 18000);
}

/* 7/8 of the BDP: u = 7/8 of 12178 / 18178; Reno knows none. */
static void oscar_on_ack__reports_the_largest(void)
{
	struct flow f = flow_new(.586);

	ack(&f, 0, 13000);
	EXPECT_EQ(f.d.largest, 0);
	f = flow_new(.587);
	ack(&f, 0, 13000);
	EXPECT_EQ(f.d.largest, 1);
	oscar_on_ack(&f.o, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_RENO);
	EXPECT_EQ(f.d.largest, 0);
}

/* Rounded up: 113612.5 B are 108 packets. */
static void oscar_on_ack__whole_packets(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(108 * 1060));
	f.s.mss = 113612;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(2 * 113612));
	f = flow_new(.4);
	f.s.mss = 9089;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(90890));
}

/* Another route: window and rate follow at once. */
static void oscar_on_ack__link_rate_changes(void)
{
	struct flow f = flow_new(.5);

	f.s.mss = 1;
	ack(&f, 0, 20000);
	f.s.line_rate = RATE_100G / 10;
	EXPECT_EQ(ack(&f, 100, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.d.pacing_rate, RATE_100G / 20);
	EXPECT_EQ(f.d.cwnd, B(11362));
}

/* The link rate is reported only after the flow began. */
static void oscar_on_ack__link_rate_found(void)
{
	struct flow f = flow_new(1);

	f.s.mss = 1;
	oscar_init(&f.o, &f.k, 0, 10600);
	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.d.cwnd, B(152225));
	EXPECT_EQ(f.d.pacing_rate, RATE_100G);
	oscar_init(&f.o, &f.k, 0, 10600);
	f.s.base_rtt_ns = 0;
	ack(&f, 0, 0);
	EXPECT_EQ(f.d.pacing_rate, RATE_100G);
	EXPECT_EQ(f.d.cwnd, B(10600));
}

static void oscar_on_rto__halves(void)
{
	struct flow f = flow_new(.5);

	packets(&f, 0, 3, 2000, 20000);
	oscar_on_rto(&f.o, &f.m, &f.k, 1060);
	EXPECT_EQ(ack(&f, 5000, 20000), OSCAR_HOLD);	/* begins a batch */
	EXPECT_EQ(f.d.share, 250000);
	EXPECT_EQ(f.d.cwnd, B(54 * 1060));
	EXPECT_EQ(f.d.pacing_rate, RATE_100G / 4);
	f = flow_new(.0019);
	oscar_on_rto(&f.o, NULL, &f.k, 1060);
	EXPECT_EQ(f.o.u, U(.001));
	f.k.u_min = 30000;
	oscar_on_rto(&f.o, &f.m, &f.k, 1060);
	EXPECT_EQ(f.o.u, U(.03));
}

static void oscar_on_idle__drops_the_batch(void)
{
	struct flow f = flow_new(.5);

	packets(&f, 0, 3, 100, 20000);
	oscar_on_idle(&f.m);
	EXPECT_EQ(packets(&f, 6000, 5, 1000, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(.5));
	EXPECT_EQ(ack(&f, 11000, 20000) != OSCAR_HOLD, 1);
	oscar_on_idle(NULL);
}

/* --- where nothing is known of the link ----------------------------------------------- */

static void oscar_on_ack__reno(void)
{
	struct flow f = flow_new(1);

	oscar_init(&f.o, &f.k, 0, 10600);
	f.s.line_rate = 0;
	f.s.acked_bytes = 2120;
	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_RENO);
	EXPECT_EQ(f.d.cwnd, B(12720));
	EXPECT_EQ(f.d.pacing_rate, 0);
	EXPECT_EQ(f.d.alone, 0);
	EXPECT_EQ(f.d.starts, 0);
	f.s.recovery = true;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(6360));
	f.s.recovery = false;
	EXPECT_EQ(f.d.delay_ns, 20000);
	oscar_on_rto(&f.o, NULL, &f.k, 1060);
	f.s.cwnd_limited = false;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(1060));
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* Without memory, or without send times, too; with them u counts again. */
static void oscar_on_ack__blind(void)
{
	struct flow f = flow_new(.5);

	f.s.mss = 1;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(113613));
	f.s.sent_ns = 0;
	oscar_on_ack(&f.o, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_RENO);
	EXPECT_EQ(f.d.pacing_rate, 0);
	f.s.delay_ns = 0;			/* of no delay there is none */
	oscar_on_ack(&f.o, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_HOLD);
	EXPECT_EQ(f.d.cwnd, B(113613));
	EXPECT_EQ(f.d.pacing_rate, RATE_100G / 2);
	oscar_on_ack(&f.o, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_RENO);
	EXPECT_EQ(f.d.pacing_rate, 0);
	oscar_on_ack(&f.o, &f.m, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.cwnd, B(113613));
	oscar_on_rto(&f.o, &f.m, &f.k, 1060);	/* is no Reno's any more */
	EXPECT_EQ(f.o.u, U(.25));
}

/* --- extension short_batches ----------------------------------------------------------- */

/* In an empty queue, 13178 ns on average, one ACK closes; in another one three do. */
static void oscar_short_batches__empty(void)
{
	struct flow f = flow_new(.5);

	f.k.short_batches = 1;
	ack(&f, 0, BASE);
	EXPECT_EQ(ack(&f, 4999, 13178), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5000, 13178), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.51));
	EXPECT_EQ(ack(&f, 10000, 13178), OSCAR_HYPER);
	EXPECT_EQ(ack(&f, 15000, 13179), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 15500, 13177), OSCAR_HYPER);
	EXPECT_EQ(ack(&f, 20500, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 20500, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 20500, 20000) != OSCAR_HOLD, 1);
	f = flow_new(.5);			/* off: always three */
	ack(&f, 0, BASE);
	EXPECT_EQ(packets(&f, 5000, 2, 5000, BASE), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 15000, BASE), OSCAR_HYPER);
}

/* After more than 3 tau, 15 us, one ACK closes in any queue. u_w = 2500 / (20000 * 12.5). */
static void oscar_short_batches__long(void)
{
	struct flow f = flow_new(.005);

	f.k.short_batches = 1;
	f.s.inflight = 2500;
	ack(&f, 0, 20000);
	EXPECT_EQ(ack(&f, 15000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 15001, 20000), OSCAR_LONG);
	EXPECT_EQ(f.o.u, U(.011));
	EXPECT_EQ(f.d.gradient, 0);
	EXPECT_EQ(ack(&f, 15001 + 15001, 20000), OSCAR_LONG);
	f = flow_new(.005);			/* off */
	EXPECT_EQ(packets(&f, 0, 3, 15001, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 45003, 20000), OSCAR_LONG);
}

/* --- extension packet_ai ------------------------------------------------------------- */

/* D_target holds 25 packets of 9000 B, 214 of 1060: an eighth of one is .00495, .00058. */
static void oscar_packet_ai__an_eighth(void)
{
	u32 i;

	for (i = 0; i < 4; i++) {
		struct flow f = flow_new(.005);

		f.k.packet_ai = i & 1;
		f.k.short_batches = 1;
		f.s.mss = i & 2 ? 9000 : 1060;
		f.s.inflight = 2500;
		ack(&f, 0, 20000);
		EXPECT_EQ(ack(&f, 15001, 20000), OSCAR_LONG);
		EXPECT_NEAR(rate_share(&f), .01 + (i == 3 ? 9000 / (18178 * 12.5) / 8 : .001),
			    NANO);
	}
}

/* --- extension ramp ------------------------------------------------------------------- */

/* A batch of 5 us and five packets from `sent` on: .0848 of the link. */
static u8 batch(struct flow *f, u64 sent, u32 delay)
{
	return packets(f, sent + 1000, 5, 1000, delay);
}

static struct flow flow_ramp(bool on)
{
	struct flow f = flow_new(.1);

	f.k.ramp = on;
	ack(&f, 0, BASE);
	EXPECT_EQ(batch(&f, 0, BASE), OSCAR_HYPER);
	EXPECT_EQ(batch(&f, 5000, BASE), OSCAR_HYPER);	/* 10 us: not yet a base RTT */
	EXPECT_EQ(f.o.u, U(.12));
	return f;
}

static void oscar_ramp__doubles(void)
{
	struct flow f = flow_ramp(true);

	EXPECT_EQ(batch(&f, 10000, BASE), OSCAR_HYPER | OSCAR_MARK_RAMP);
	EXPECT_NEAR(rate_share(&f), 2 * .0848, NANO);
	EXPECT_EQ(batch(&f, 15000, BASE), OSCAR_HYPER);	/* .1796 is more than twice that */
	EXPECT_NEAR(rate_share(&f), 2 * .0848 + .01, NANO);
	f.s.acked_bytes = 10600;			/* .848, and no more than all */
	EXPECT_EQ(batch(&f, 20000, BASE), OSCAR_HYPER | OSCAR_MARK_RAMP);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	f = flow_ramp(false);
	EXPECT_EQ(batch(&f, 10000, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.13));
}

/* Sums of a base RTT are not longer than it. */
static void oscar_ramp__base_rtt(void)
{
	struct flow f = flow_ramp(true);

	EXPECT_EQ(packets(&f, 10178, 3, 1000, BASE), OSCAR_HOLD);
	f = flow_new(.1);
	f.k.ramp = true;
	f.k.tau_ns = 6089;
	ack(&f, 0, BASE);
	packets(&f, 4089, 3, 1000, BASE);
	EXPECT_EQ(packets(&f, 10178, 3, 1000, BASE), OSCAR_HYPER);
	EXPECT_EQ(packets(&f, 16267, 3, 1000, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.13));			/* twice the rate is .0836 */
	f.s.acked_bytes = 10600;
	EXPECT_EQ(packets(&f, 22356, 3, 1000, BASE), OSCAR_HYPER | OSCAR_MARK_RAMP);
	f = flow_new(.01);
	f.k.ramp = true;
	f.k.tau_ns = 6089;
	ack(&f, 0, BASE);
	packets(&f, 4089, 3, 1000, BASE);
	EXPECT_EQ(packets(&f, 10178, 3, 1000, BASE), OSCAR_HYPER);	/* 12178 ns */
	EXPECT_EQ(f.o.u, U(.03));
}

/* A queue ends it; so it takes a base RTT again. */
static void oscar_ramp__queue(void)
{
	struct flow f = flow_ramp(true);

	f.s.acked_bytes = 10600;
	f.s.inflight = 25000;
	EXPECT_EQ(batch(&f, 10000, 20000), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.101));
	EXPECT_EQ(batch(&f, 15000, BASE), OSCAR_HYPER);
	EXPECT_EQ(batch(&f, 20000, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.121));
	EXPECT_EQ(batch(&f, 25000, BASE), OSCAR_HYPER | OSCAR_MARK_RAMP);
}

/* A slow application's batch does not raise u by this either, and losses end it. */
static void oscar_ramp__app_and_loss(void)
{
	struct flow f = flow_ramp(true);

	f.s.app_limited = true;
	EXPECT_EQ(batch(&f, 10000, BASE), OSCAR_HYPER | OSCAR_MARK_APP);
	EXPECT_EQ(f.o.u, U(.12));
	f.s.app_limited = false;
	EXPECT_EQ(batch(&f, 15000, BASE), OSCAR_HYPER);
	f = flow_ramp(true);
	f.k.loss_response = 1;
	f.s.losses = 1;
	EXPECT_EQ(batch(&f, 10000, BASE), OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
	EXPECT_NEAR(rate_share(&f), .0848, NANO);
	f.s.losses = 0;
	EXPECT_EQ(batch(&f, 15000, BASE), OSCAR_HYPER);
}

/* A timeout ends what was known of an empty queue. */
static void oscar_ramp__timeout(void)
{
	struct flow f = flow_ramp(true);

	oscar_on_rto(&f.o, &f.m, &f.k, 1060);
	ack(&f, 20000, BASE);
	EXPECT_EQ(batch(&f, 20000, BASE), OSCAR_HYPER);
}

/* Others left the link: a flow of 1/100 has it within eight round trips. */
static void oscar_ramp__fills_the_link(void)
{
	u32 on, i;

	for (on = 0; on < 2; on++) {
		struct flow f = flow_new(.01);

		f.k.ramp = on;
		f.d.pacing_rate = RATE_100G / 100;
		for (i = 0; i < 8 * BASE / 1000; i++) {
			f.s.acked_bytes = (u32)(f.d.pacing_rate / 1000000);
			ack(&f, 1000 * i, BASE);
		}
		EXPECT_BETWEEN(rate_share(&f), on ? 1 : .15, on ? 1 : .25);
	}
}

/* --- extension loss_response ------------------------------------------------------------ */

/* Three ACKs of `bytes` in 3 us each, and one packet lost, which the last of them reports. */
static u8 lose(struct flow *f, u32 bytes, u32 delay)
{
	f->s.acked_bytes = bytes;
	packets(f, 0, 3, 3000, delay);
	f->s.losses = 1;
	return ack(f, 9000, delay);
}

/* 3 * 5300 B arrived, 15 packets: one of 16 is not too many. A byte less and it is. */
static void oscar_loss__threshold(void)
{
	struct flow f = flow_new(.2);

	f.k.loss_response = 1;
	EXPECT_EQ(lose(&f, 5300, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.21));
	f = flow_new(.2);
	f.k.loss_response = 1;
	EXPECT_EQ(lose(&f, 5299, BASE), OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
	EXPECT_NEAR(f.o.u / 1e15, 5299 / 3000.0 / 12.5, NANO);
	f.s.losses = 0;				/* the next batch has none */
	EXPECT_EQ(packets(&f, 12000, 3, 3000, BASE), OSCAR_HYPER);
	f = flow_new(.2);			/* off */
	EXPECT_EQ(lose(&f, 5299, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.21));
}

/* What arrived is .0283 of the link: half at most. And .848 is no reason to increase. */
static void oscar_loss__bounds(void)
{
	struct flow f = flow_new(.2);

	f.k.loss_response = 1;
	EXPECT_EQ(lose(&f, 1060, BASE), OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
	EXPECT_EQ(f.o.u, U(.1));
	f = flow_new(.2);
	f.k.loss_response = 1;
	lose(&f, 1060, 25000);			/* whatever the queue is */
	EXPECT_EQ(f.o.u, U(.1));
	f = flow_new(.2);
	f.k.loss_response = 1;
	f.s.mss = 9000;
	EXPECT_EQ(lose(&f, 31800, BASE), OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
	EXPECT_EQ(f.o.u, U(.2));
}

/* An ACK without a delay reports losses, too, and closes no batch. */
static void oscar_loss__without_delay(void)
{
	struct flow f = flow_new(.5);

	f.k.loss_response = 1;
	packets(&f, 0, 3, 3000, BASE);
	f.s.losses = 1;
	f.s.acked_bytes = 0;
	EXPECT_EQ(ack(&f, 6000, 0), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(.5));
	f.s.losses = 0;
	f.s.acked_bytes = 1060;
	EXPECT_EQ(ack(&f, 9000, BASE), OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
	EXPECT_EQ(f.o.u, U(.25));
}

/* --- extension solo_start --------------------------------------------------------------- */

/* A flow whose initial burst of packets of 1000 B, 80 ns each, is out. */
static struct flow flow_starting(void)
{
	struct flow f = flow_new(1);

	f.k.solo_start = 1;
	f.s.mss = 1000;
	f.s.acked_bytes = 1000;
	f.s.fills = true;
	oscar_init(&f.o, &f.k, RATE_100G, 10000);
	return f;
}

/* An initial burst of @n packets comes back, one packet each @apart ns. */
static void burst_back(struct flow *f, u32 n, u32 apart)
{
	u32 i;

	for (i = 0; i < n; i++)
		ack(f, 0, BASE + i * apart);
}

static void expect_contended(const struct flow *f)
{
	EXPECT_EQ(f->d.alone, false);
	EXPECT_EQ(f->d.starts, false);
}

/* Until it is known to be solo it has the window that it started with, and no BDP. */
static void oscar_solo__keeps_burst(void)
{
	struct flow f = flow_starting();

	burst_back(&f, 2, 80);
	EXPECT_EQ(f.d.cwnd, B(51000));		/* 50000 in flight, 1000 acknowledged */
	EXPECT_EQ(f.d.starts, true);
	EXPECT_EQ(f.d.alone, true);
	f.s.flight = 3000;
	ack(&f, 0, BASE + 160);
	EXPECT_EQ(f.d.cwnd, B(10000));		/* ten packets at least */
	f.s.fills = false;
	EXPECT_EQ(ack(&f, BASE, BASE), OSCAR_HOLD);
	EXPECT_EQ(f.d.cwnd, B(153000));		/* 100 Gbit/s x 12178 ns, in whole packets */
	EXPECT_EQ(f.d.alone, true);
	f = flow_starting();			/* off */
	f.k.solo_start = 0;
	oscar_init(&f.o, &f.k, RATE_100G, 10000);
	ack(&f, 0, BASE);
	EXPECT_EQ(f.d.cwnd, B(153000));
	expect_contended(&f);
	f = flow_starting();			/* the link rate came later */
	oscar_init(&f.o, &f.k, 0, 10000);
	ack(&f, 0, BASE);
	expect_contended(&f);
}

/* Nothing of the burst is in a batch: ten packets in a round trip are no share. */
static void oscar_solo__no_batch(void)
{
	struct flow f = flow_starting();
	u32 i;

	f.s.flight = 250000;
	for (i = 0; i < 150; i++)
		EXPECT_EQ(ack(&f, i * 80, BASE), OSCAR_HOLD);
	EXPECT_EQ(f.d.cwnd, B(153000));
	f.s.fills = false;
	EXPECT_EQ(packets(&f, 12000, 5, 1000, BASE), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 17000, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* A burst that met others leaves its share: 40 of 200 KB, at 100 Gbit/s x 16 us. */
static void oscar_solo__share_of_burst(void)
{
	struct flow f = flow_starting();

	f.s.flight = 39000;
	f.s.losses = 1;
	ack(&f, 0, 16000);
	expect_contended(&f);
	EXPECT_EQ(f.o.u, U(.2));
	EXPECT_NEAR(rate_share(&f), .2, NANO);
	f = flow_starting();			/* ten packets in a base RTT at least */
	f.s.flight = 0;
	f.s.losses = 1;
	ack(&f, 0, 0);
	EXPECT_NEAR(f.o.u / 1e15, 10000 / 12.5 / BASE, NANO);
	f = flow_starting();			/* no more than all */
	f.s.flight = 400000;
	f.s.losses = 1;
	ack(&f, 0, 16000);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	f = flow_starting();			/* nor less than u_min */
	f.k.u_min = 300000;
	f.s.flight = 39000;
	f.s.losses = 1;
	ack(&f, 0, 16000);
	EXPECT_EQ(f.o.u, U(.3));
}

/* Nine packets after the first may take 9 * 1.4 + 1 packets' times, 1088 ns; not 1089. */
static void oscar_solo__late_burst(void)
{
	struct flow f = flow_starting();

	burst_back(&f, 9, 80);
	ack(&f, 0, BASE + 1088);
	EXPECT_EQ(f.d.starts, true);
	f = flow_starting();
	burst_back(&f, 9, 80);
	ack(&f, 0, BASE + 1089);
	expect_contended(&f);
	EXPECT_NEAR(f.o.u / 1e15, 51000 / 12.5 / (BASE + 1089), NANO);
}

/* The ACK for the last packet of the burst ends it, unless packets may overtake. */
static void oscar_solo__whole_burst(void)
{
	struct flow f = flow_starting();
	u32 sprayed;

	for (sprayed = 0; sprayed < 2; sprayed++) {
		f = flow_starting();
		f.s.sprayed = sprayed;
		f.s.flight = 3000;
		burst_back(&f, 3, 80);
		EXPECT_EQ(f.d.cwnd, B(10000));
		ack(&f, 0, BASE + 240);
		EXPECT_EQ(f.d.cwnd, sprayed ? B(10000) : B(153000));
		EXPECT_EQ(f.d.alone, true);
	}
}

/* So does the first ACK of another burst, of an application that pauses. */
static void oscar_solo__another_burst(void)
{
	struct flow f = flow_starting();

	ack(&f, 0, BASE);
	ack(&f, 0, BASE);			/* sent with it */
	EXPECT_EQ(f.d.cwnd, B(51000));
	ack(&f, BASE, 0);			/* has no delay */
	EXPECT_EQ(f.d.cwnd, B(51000));
	ack(&f, BASE + 1, BASE);
	EXPECT_EQ(f.d.cwnd, B(153000));
	EXPECT_EQ(f.d.alone, true);
}

/* A flow that met none. */
static struct flow flow_solo(void)
{
	struct flow f = flow_starting();

	burst_back(&f, 2, 80);
	f.s.fills = false;
	ack(&f, BASE, BASE);
	EXPECT_EQ(f.d.alone, true);
	EXPECT_EQ(f.d.cwnd, B(153000));
	return f;
}

/* 12178 ns and an eighth, rounded down, are 13700. */
static void oscar_solo__queue(void)
{
	struct flow f = flow_solo();

	ack(&f, 12300, 13700);
	EXPECT_EQ(f.d.alone, true);
	f.s.maybe_delayed = true;		/* the receiver's, as it may be */
	ack(&f, 12350, 20000);
	EXPECT_EQ(f.d.alone, true);
	ack(&f, 12350, 0);
	EXPECT_EQ(f.d.alone, true);
	f.s.drains = true;
	f.s.maybe_delayed = false;
	ack(&f, 12350, 20000);
	EXPECT_EQ(f.d.alone, true);
	f.s.drains = false;
	ack(&f, 12400, 13701);
	expect_contended(&f);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* A loss counts in whatever ACK reports it, and so does a timeout. */
static void oscar_solo__loss(void)
{
	struct flow f = flow_solo();

	f.s.losses = 1;
	ack(&f, 12300, 0);
	expect_contended(&f);
	f = flow_solo();
	oscar_on_rto(&f.o, &f.m, &f.k, 1000);
	ack(&f, 12300, BASE);
	expect_contended(&f);
	f = flow_solo();
	f.s.line_rate = 0;
	EXPECT_EQ(ack(&f, 12300, BASE), OSCAR_RENO);
	expect_contended(&f);
}

/* The small rate of a growing window is no reason to lower u until others come. */
static void oscar_solo__keeps_u(void)
{
	struct flow f = flow_solo();

	f.s.inflight = 10000;
	EXPECT_EQ(packets(&f, 13178, 5, 1000, 13600) & OSCAR_BRANCH, OSCAR_SPEED_UP);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	EXPECT_EQ(f.d.alone, true);
	packets(&f, 18178, 5, 1000, 13701);
	EXPECT_BETWEEN(f.o.u, U(.05), U(.15));
}

/* A smaller u grows. A flow whose base RTT is configured has no burst to wait for. */
static void oscar_solo__grows(void)
{
	struct flow f = flow_new(.1);

	f.k.solo_start = 1;
	f.k.base_rtt_ns = BASE;
	oscar_init(&f.o, &f.k, RATE_100G, 10600);
	f.s.fills = true;
	EXPECT_EQ(packets(&f, 0, 4, 3000, BASE), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.11));
	EXPECT_EQ(f.d.alone, true);
	EXPECT_EQ(f.d.starts, false);
}

/* For 8 base RTTs no min-RTT probe, 97424 ns, and then one. */
static void oscar_solo__probes(void)
{
	struct flow f = flow_solo();

	ack(&f, 9 * BASE, BASE);		/* solo since 2 base RTTs after the start */
	EXPECT_EQ(f.d.starts, true);
	EXPECT_EQ(f.d.alone, true);
	ack(&f, 9 * BASE + 1, BASE);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.d.alone, true);
	ack(&f, 9 * BASE + 2, 14000);
	expect_contended(&f);
}

static const struct unit_test tests[] = {
	UNIT_TEST(oscar_knob__table),
	UNIT_TEST(oscar_params_set__paper),
	UNIT_TEST(oscar_params_set__target_queue),
	UNIT_TEST(oscar_params_set__knobs),
	UNIT_TEST(oscar_params_set__base_rtt),
	UNIT_TEST(oscar_init__bdp),
	UNIT_TEST(oscar_init__slowest),
	UNIT_TEST(oscar_init__unknown),
	UNIT_TEST(oscar_update__golden),
	UNIT_TEST(oscar_update__rules),
	UNIT_TEST(oscar_update__long_tau),
	UNIT_TEST(oscar_set_share__window_and_rate),
	UNIT_TEST(oscar_on_ack__closes),
	UNIT_TEST(oscar_on_ack__estimates),
	UNIT_TEST(oscar_on_ack__inflight),
	UNIT_TEST(oscar_on_ack__rate),
	UNIT_TEST(oscar_on_ack__bytes_without_delay),
	UNIT_TEST(oscar_on_ack__overtaken),
	UNIT_TEST(oscar_on_ack__clock_wrap),
	UNIT_TEST(oscar_on_ack__sent_at_once),
	UNIT_TEST(oscar_on_ack__full),
	UNIT_TEST(oscar_on_ack__does_not_fit),
	UNIT_TEST(oscar_on_ack__steep),
	UNIT_TEST(oscar_on_ack__paper),
	UNIT_TEST(oscar_on_ack__paper_unrounded),
	UNIT_TEST(oscar_on_ack__older_packets),
	UNIT_TEST(oscar_on_ack__bounds),
	UNIT_TEST(oscar_on_ack__idle),
	UNIT_TEST(oscar_on_ack__paced_slowly),
	UNIT_TEST(oscar_on_ack__ack_clocked),
	UNIT_TEST(oscar_on_ack__app_limited),
	UNIT_TEST(oscar_on_ack__maybe_delayed),
	UNIT_TEST(oscar_on_ack__probe),
	UNIT_TEST(oscar_on_ack__base_rtt_found),
	UNIT_TEST(oscar_on_ack__reports_the_largest),
	UNIT_TEST(oscar_on_ack__whole_packets),
	UNIT_TEST(oscar_on_ack__link_rate_changes),
	UNIT_TEST(oscar_on_ack__link_rate_found),
	UNIT_TEST(oscar_on_rto__halves),
	UNIT_TEST(oscar_on_idle__drops_the_batch),
	UNIT_TEST(oscar_on_ack__reno),
	UNIT_TEST(oscar_on_ack__blind),
	UNIT_TEST(oscar_short_batches__empty),
	UNIT_TEST(oscar_short_batches__long),
	UNIT_TEST(oscar_packet_ai__an_eighth),
	UNIT_TEST(oscar_ramp__doubles),
	UNIT_TEST(oscar_ramp__base_rtt),
	UNIT_TEST(oscar_ramp__queue),
	UNIT_TEST(oscar_ramp__app_and_loss),
	UNIT_TEST(oscar_ramp__timeout),
	UNIT_TEST(oscar_ramp__fills_the_link),
	UNIT_TEST(oscar_loss__threshold),
	UNIT_TEST(oscar_loss__bounds),
	UNIT_TEST(oscar_loss__without_delay),
	UNIT_TEST(oscar_solo__keeps_burst),
	UNIT_TEST(oscar_solo__no_batch),
	UNIT_TEST(oscar_solo__share_of_burst),
	UNIT_TEST(oscar_solo__late_burst),
	UNIT_TEST(oscar_solo__whole_burst),
	UNIT_TEST(oscar_solo__another_burst),
	UNIT_TEST(oscar_solo__queue),
	UNIT_TEST(oscar_solo__loss),
	UNIT_TEST(oscar_solo__keeps_u),
	UNIT_TEST(oscar_solo__grows),
	UNIT_TEST(oscar_solo__probes),
};

UNIT_MAIN(tests)
