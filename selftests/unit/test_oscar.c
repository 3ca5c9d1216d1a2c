// SPDX-License-Identifier: GPL-2.0
/* Tests of tcp_oscar/oscar.c: rules one by one, whole flows, a bottleneck. */
#include "oscar.h"
#include "unit.h"

#define B(bytes)	((u64)(bytes) << DCC_CWND_SHIFT)
#define NS(x)		((u64)(x) << DCC_LSQ_MEAN_SHIFT)
#define U(x)		((u64)((x) * 1e6 + 0.5) * OSCAR_MILLIONTH)
#define G(x)		((s64)((x) * 1e9 + ((x) < 0 ? -0.5 : 0.5)))
#define RATE_100G	12500000000ULL		/* bytes/s */
#define NANO		0.000000001
#define START		1000000000ULL		/* when flows start, ns */

/*
 * The reference network of the golden vectors: 100 Gbit/s, base RTT 12178 ns,
 * packets of 1060 B. tau 5 us, D_target 18178 ns.
 */
struct flow {
	struct oscar o;
	struct oscar_packets seen;
	struct oscar_knobs k;
	struct oscar_params p;
	struct oscar_estimate e;
	struct dcc_sample s;
	struct dcc_decision d;
};

static struct flow flow_new(double u)
{
	struct flow f = {
		.k = OSCAR_DEFAULTS,
		.e = {
			.delay = NS(20000), .inflight = B(100000),
			.rate = 100000000000ULL, .span_ns = 5050,
		},
		.s = {
			.now_ns = START, .base_rtt_ns = 12178,
			.acked = 1, .acked_bytes = 1060, .mss = 1060,
			.inflight = 100000, .flight = 50000,
			.line_rate = RATE_100G, .cwnd_limited = true,
		},
	};

	f.k.tau_ns = 5000;
	f.k.target_ns = 18178;
	f.k.few_packets = 0;			/* as published */
	oscar_init(&f.o, &f.k, RATE_100G, 10 * 1060);
	f.o.u = U(u);
	oscar_params_set(&f.p, &f.k, 12178, RATE_100G);
	return f;
}

static u8 update(struct flow *f)
{
	return oscar_update(&f->o, &f->k, &f->p, &f->e);
}

/* One ACK of a packet sent `sent` after the start; returns the branch. */
static u8 ack(struct flow *f, u64 sent, u32 delay)
{
	memset(&f->d, 0xa5, sizeof(f->d));
	f->s.sent_ns = START + sent;
	f->s.delay_ns = delay;
	f->s.now_ns = START + sent + delay;
	oscar_on_ack(&f->o, &f->seen, &f->k, &f->s, &f->d);
	EXPECT_EQ(f->d.cwnd % B(f->s.mss), 0);
	if (f->o.phase != OSCAR_FIRST)
		EXPECT_BETWEEN(f->d.cwnd, f->o.cwnd, f->o.cwnd + B(f->s.mss) - 1);
	EXPECT_EQ(f->d.pacing_rate, f->o.pacing);
	EXPECT_EQ(f->d.share, f->o.u / OSCAR_MILLIONTH);
	return f->d.branch;
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
	EXPECT_EQ(k.u_ai, 1000);
	EXPECT_EQ(k.u_hai, 10000);
	EXPECT_EQ(k.u_min, 1000);
	EXPECT_EQ(k.start_u, 1000000);
	EXPECT_EQ(k.eps_ns, 1000);
	EXPECT_EQ(k.target_slack_ns, 500);
	EXPECT_EQ(k.sync_reference, 1);
	EXPECT_EQ(k.hai_doubles, 1);
	EXPECT_EQ(p.u_ai, U(.001));
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
	k.tau_ns = 0;			/* a batch ends after 2^30 ns */
	oscar_params_set(&p, &k, 1999999998, 0);
	EXPECT_EQ(p.tau_ns, 999999999);
	oscar_params_set(&p, &k, 2000000002, 0);
	EXPECT_EQ(p.tau_ns, 1000000000);
}

/* The knob is what the base RTT starts at; it only ever falls. */
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

/* u = 1: the BDP, 12178 ns * 12.5 B/ns, at the line rate. */
static void oscar_init__bdp(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar o;

	k.base_rtt_ns = 12178;
	oscar_init(&o, &k, RATE_100G, 14480);
	EXPECT_EQ(o.u, OSCAR_ONE);
	EXPECT_EQ(o.cwnd, B(152225));
	EXPECT_EQ(o.pacing, RATE_100G);
	EXPECT_EQ(oscar_first_window(&o), 152225);
}

/* A tenth of D_target * C, 22833.75 B, at a tenth of the line. */
static void oscar_init__start_u(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar o;

	k.base_rtt_ns = 12178;
	k.start_u = 100000;
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
	k.base_rtt_ns = 12178;
	oscar_init(&o, &k, 0, 14480);		/* no line rate */
	EXPECT_EQ(o.cwnd, B(14480));
	EXPECT_EQ(o.pacing, 0);
	EXPECT_EQ(oscar_first_window(&o), 0);
	oscar_init(&o, &k, 0, U32_MAX);
	EXPECT_EQ(o.cwnd, B(U32_MAX));
}

/* --- a line that may be free ---------------------------------------------------------- */

/* No first flight where the base RTT is told, nothing at all where the line is unknown. */
static void oscar_free_start__phase(void)
{
	struct oscar_knobs k = OSCAR_DEFAULTS;
	struct oscar o;

	oscar_init(&o, &k, RATE_100G, 10600);
	EXPECT_EQ(o.phase, OSCAR_MET);
	oscar_free_start(&o, &k);
	EXPECT_EQ(o.phase, OSCAR_FIRST);
	EXPECT_EQ(o.start.flight_ns, 0);
	EXPECT_EQ(o.start.flight_acked, 0);
	k.base_rtt_ns = 12178;
	oscar_init(&o, &k, RATE_100G, 10600);
	oscar_free_start(&o, &k);
	EXPECT_EQ(o.phase, OSCAR_ALONE);
	oscar_init(&o, &k, 0, 10600);
	oscar_free_start(&o, &k);
	EXPECT_EQ(o.phase, OSCAR_MET);
	k.free_start = 0;
	oscar_init(&o, &k, RATE_100G, 10600);
	oscar_free_start(&o, &k);
	EXPECT_EQ(o.phase, OSCAR_MET);
}

/* A flow whose first flight is out, of packets that take the line 80 ns each. */
static struct flow flow_starting(void)
{
	struct flow f = flow_new(1);

	f.s.mss = 1000;
	f.s.acked_bytes = 1000;
	f.s.fills = true;
	oscar_free_start(&f.o, &f.k);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	return f;
}

/* The first flight of @n packets, sent at once, comes back one packet each @apart ns. */
static void first_flight(struct flow *f, u32 n, u32 apart)
{
	u32 i;

	for (i = 0; i < n; i++)
		ack(f, 0, 12178 + i * apart);
}

/* At the line's rate it is alone, and nothing of it counts: the next batch has one packet. */
static void oscar_free_start__alone(void)
{
	struct flow f = flow_starting();

	first_flight(&f, 10, 80);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	EXPECT_EQ(f.d.starts, true);
	EXPECT_EQ(f.d.alone, true);
	f.s.fills = false;
	EXPECT_EQ(ack(&f, 12178, 12178), OSCAR_HOLD);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
	EXPECT_EQ(f.o.alone_ns, START + 2 * 12178);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	EXPECT_EQ(f.o.ssthresh, 1ULL << 44);
	EXPECT_EQ(f.o.empty_ns, 0);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* Until it is known to be alone it has the window that it started with, and no BDP. */
static void oscar_free_start__keeps_flight(void)
{
	struct flow f = flow_starting();

	first_flight(&f, 2, 80);
	EXPECT_EQ(f.d.cwnd, B(51000));	/* 50000 in flight, 1000 acknowledged */
	f.s.flight = 3000;
	ack(&f, 0, 12178 + 160);
	EXPECT_EQ(f.d.cwnd, B(10000));	/* ten packets at least */
	f.s.fills = false;
	ack(&f, 12178, 12178);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
	EXPECT_EQ(f.d.cwnd, B(153000));	/* 100 Gbit/s x 12178 ns, in whole packets */
}

/* If it is not alone it has that for its share: 40 of 200 KB, at 100 Gbit/s x 16 us. */
static void oscar_free_start__met_first(void)
{
	struct flow f = flow_starting();

	f.s.flight = 39000;
	f.s.losses = 1;
	ack(&f, 0, 16000);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	EXPECT_EQ(f.o.u, U(.2));
	f = flow_starting();		/* a share is no more than all, nor more than it had */
	f.s.flight = 400000;
	f.s.losses = 1;
	ack(&f, 0, 16000);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* With the ACK for the last of its packets it is over, too. */
static void oscar_free_start__whole_flight(void)
{
	struct flow f = flow_starting();

	f.s.flight = 3000;
	first_flight(&f, 3, 80);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	ack(&f, 0, 12178 + 240);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
}

/* Of a packet at a time all fill the window; the flight is over with the second. */
static void oscar_free_start__one_packet(void)
{
	struct flow f = flow_starting();

	f.s.inflight = 1000;
	ack(&f, 0, 12178);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	ack(&f, 0, 12178);			/* sent with it */
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	f.s.inflight = 1001;
	ack(&f, 12179, 12178);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	f.s.inflight = 1000;
	ack(&f, 24358, 12178);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
}

/* A first flight longer than tau closes no batch either. */
static void oscar_free_start__long_flight(void)
{
	struct flow f = flow_starting();
	u32 i;

	f.s.inflight = 2000;
	f.s.flight = 250000;
	for (i = 0; i < 200; i++)
		EXPECT_EQ(ack(&f, i * 80, 12178), OSCAR_HOLD);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* Nor does a queue that runs empty: the flow's own. */
static void oscar_free_start__own_queue(void)
{
	struct flow f = flow_starting();

	ack(&f, 0, 15500);
	ack(&f, 1500, 14000);
	EXPECT_EQ(ack(&f, 3400, 12178), OSCAR_HOLD);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	f.o.phase = OSCAR_MET;			/* as it would be otherwise */
	oscar_on_idle(&f.seen);
	ack(&f, 6000, 15500);
	ack(&f, 7500, 14000);
	EXPECT_EQ(!!(ack(&f, 9400, 12178) & OSCAR_MARK_EMPTY), true);
}

/* Nine packets after the first may take 9 * 1.4 + 1 packets' times, 1088 ns; not 1089. */
static void oscar_free_start__late_flight(void)
{
	struct flow f = flow_starting();

	first_flight(&f, 9, 80);
	ack(&f, 0, 12178 + 1088);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
	f = flow_starting();
	f.s.base_rtt_ns = 10000;
	f.s.inflight = 5000;
	first_flight(&f, 9, 80);
	ack(&f, 0, 12178 + 1089);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	EXPECT_EQ(f.o.ssthresh, 1ULL << 44);
	EXPECT_EQ(f.o.empty_ns, 0);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.d.alone, false);
	f.s.fills = false;			/* its batch goes on, and decides */
	EXPECT_EQ(ack(&f, 12178, 12178) & OSCAR_BRANCH, OSCAR_SPEED_UP);
	EXPECT_BETWEEN(f.o.u, U(.01), U(.1));
}

static struct flow flow_alone(void)
{
	struct flow f = flow_starting();

	first_flight(&f, 2, 80);
	f.s.fills = false;
	ack(&f, 12178, 12178);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
	return f;
}

/* 12178 ns and an eighth, rounded down, are 13700. */
static void oscar_free_start__queue(void)
{
	struct flow f = flow_alone();

	ack(&f, 12300, 13700);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
	f.s.maybe_delayed = true;		/* the receiver's */
	ack(&f, 12350, 20000);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
	f.s.maybe_delayed = false;
	ack(&f, 12400, 13701);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
}

/* A loss counts in whatever ACK it is told, in the first flight, too. */
static void oscar_free_start__loss(void)
{
	struct flow f = flow_alone();

	f.s.losses = 1;
	ack(&f, 12300, 0);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	f = flow_starting();
	f.s.losses = 1;
	ack(&f, 0, 12178);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	f = flow_alone();
	oscar_on_rto(&f.o, &f.seen, &f.k, 1000);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	f = flow_starting();
	first_flight(&f, 2, 80);
	oscar_on_rto(&f.o, NULL, &f.k, 1000);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	EXPECT_EQ(f.o.ssthresh, 1ULL << 44);
}

/* In a dip's packets there is nothing to see; nor does an ACK without delay end a flight. */
static void oscar_free_start__no_news(void)
{
	struct flow f = flow_alone();

	f.s.dips = true;
	ack(&f, 12300, 20000);
	EXPECT_EQ(f.o.phase, OSCAR_ALONE);
	f = flow_starting();
	f.s.fills = false;
	ack(&f, 0, 0);
	EXPECT_EQ(f.o.phase, OSCAR_FIRST);
}

/* The flow's small rate of a growing window is no reason to lower u until others come. */
static void oscar_free_start__keeps_u(void)
{
	struct flow f = flow_new(1);

	f.e.delay = NS(13500);
	f.e.inflight = B(20000);
	f.e.rate = 10000000000ULL;
	f.o.phase = OSCAR_ALONE;
	EXPECT_EQ(update(&f) & OSCAR_BRANCH, OSCAR_SPEED_UP);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	f.o.phase = OSCAR_MET;
	update(&f);
	EXPECT_NEAR(f.o.u, 20000 / 12.5 / 13500 * 1e15 + U(.001), 1e6);
}

/* But a smaller one grows. */
static void oscar_free_start__grows(void)
{
	struct flow f = flow_new(.1);

	f.e.delay = NS(12178);
	f.o.phase = OSCAR_ALONE;
	EXPECT_EQ(update(&f), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.11));
}

/* For 8 base RTTs no dips, 97424 ns, and then one. */
static void oscar_free_start__dips(void)
{
	struct flow f = flow_alone();
	u64 since = f.o.alone_ns - START;

	ack(&f, since + 8 * 12178 - 12178, 12178);
	EXPECT_EQ(f.d.starts, true);
	EXPECT_EQ(f.d.alone, true);
	ack(&f, since + 8 * 12178 - 12178 + 1, 12178);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.d.alone, true);
	ack(&f, since + 8 * 12178, 14000);
	EXPECT_EQ(f.d.starts, false);
	EXPECT_EQ(f.d.alone, false);
}

/* The line rate is lost while the first flight is out: Reno's threshold is whole. */
static void oscar_free_start__reno(void)
{
	struct flow f = flow_starting();

	first_flight(&f, 2, 80);
	f.s.line_rate = 0;
	EXPECT_EQ(ack(&f, 0, 12500), OSCAR_RENO);
	EXPECT_EQ(f.o.phase, OSCAR_MET);
	EXPECT_EQ(f.o.ssthresh, 1ULL << 44);
	EXPECT_EQ(f.d.starts, false);
}

/* --- the law, on estimates --------------------------------------------------------- */

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
		{ 60, 5050, 13177, 0, 100, .9, .91 },
		{ 60, 5050, 13178, 0, 100, .9, 1 },	/* a tie with eps is a queue */
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

/* 13178 ns, base + eps, is a queue; without eps the base RTT is none. No U_AI with U_HAI. */
static void oscar_update__hyper(void)
{
	struct flow f = flow_new(.5);

	f.e.delay = NS(13178) - 1;
	EXPECT_EQ(update(&f), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.51));
	f = flow_new(.5);
	f.e.delay = NS(13178);
	EXPECT_EQ(update(&f) == OSCAR_HYPER, 0);
	f = flow_new(.5);
	f.k.eps_ns = 0;
	f.e.delay = NS(12179) - 1;
	EXPECT_EQ(update(&f), OSCAR_HYPER);
	f.e.delay = NS(12179);
	EXPECT_EQ(update(&f) == OSCAR_HYPER, 0);
	f = flow_new(.5);
	f.k.u_hai = 20000;
	f.e.delay = NS(1);
	f.e.span_ns = 1000000;
	EXPECT_EQ(update(&f), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.52));
}

/* Empty batches of 6 us, base + tau = 17178 ns: the step doubles with every third. */
static void oscar_update__doubles(void)
{
	struct flow f = flow_new(.1);
	u32 i;

	f.e.delay = NS(12178);
	f.e.span_ns = 6000;
	for (i = 0; i < 7; i++)
		EXPECT_EQ(update(&f), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.1 + 3 * .01 + 3 * .02 + .04));
	EXPECT_EQ(f.o.empty_ns, 6000);
	EXPECT_EQ(f.o.doubled, 2);
	f.e.delay = NS(20000);			/* a queue: from the beginning */
	update(&f);
	EXPECT_EQ(f.o.empty_ns, 0);
	EXPECT_EQ(f.o.doubled, 0);
	f = flow_new(.1);
	f.k.hai_doubles = 0;
	f.e.delay = NS(12178);
	for (i = 0; i < 7; i++)
		update(&f);
	EXPECT_EQ(f.o.u, U(.17));
}

/* The time it takes to see a doubling: not more than base + tau is too little. */
static void oscar_update__doubles_after(void)
{
	struct flow f = flow_new(.1);

	f.e.delay = NS(12178);
	f.e.span_ns = 17178;
	update(&f);
	EXPECT_EQ(f.o.doubled, 0);
	EXPECT_EQ(f.o.empty_ns, 17178);
	f.o.empty_ns = 0;
	f.e.span_ns = 17179;
	update(&f);
	EXPECT_EQ(f.o.doubled, 1);
	EXPECT_EQ(f.o.empty_ns, 0);
}

/* However long the queue is empty, no sum wraps: 2^10 of the whole line are 1. */
static void oscar_update__doubles_most(void)
{
	struct flow f = flow_new(0);
	u32 i;

	f.k.u_hai = 1000000;
	f.e.delay = NS(12178);
	f.e.span_ns = DCC_LSQ_MAX_SPAN;
	for (i = 0; i < 100; i++) {
		f.o.u = OSCAR_ONE;
		update(&f);
		EXPECT_EQ(f.o.u, OSCAR_ONE);
	}
	EXPECT_EQ(f.o.doubled, OSCAR_DOUBLED_MOST);
}

/* An application that is slow, and a timeout: from the beginning, too. */
static void oscar_update__doubles_end(void)
{
	struct flow f = flow_new(.1);

	f.e.delay = NS(12178);
	f.o.doubled = 3;
	f.e.app_limited = true;
	EXPECT_EQ(update(&f), OSCAR_HYPER | OSCAR_MARK_APP);
	EXPECT_EQ(f.o.doubled, 0);
	EXPECT_EQ(f.o.empty_ns, 0);
	EXPECT_EQ(f.o.u, U(.1));
	f.o.doubled = 3;
	f.o.empty_ns = 7;
	oscar_on_rto(&f.o, &f.seen, &f.k, 1060);
	EXPECT_EQ(f.o.doubled, 0);
	EXPECT_EQ(f.o.empty_ns, 0);
}

/* u_w = 100000 / (20000 * 12.5) = .4, u_r = 100 / (1.25 * 100) = .8. */
static void oscar_update__above(void)
{
	struct flow f = flow_new(.5);

	f.e.gradient = G(.25);
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.401));
	f.e.gradient = G(3);			/* u_r = .25 */
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_EQ(f.o.u, U(.251));
	f.e.gradient = G(1.5);			/* both .4 */
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.401));
}

/* u_w = 100000 / (16000 * 12.5) = .5, u_r as above. */
static void oscar_update__below(void)
{
	struct flow f = flow_new(.5);

	f.e.delay = NS(16000);
	f.e.gradient = G(.25);
	EXPECT_EQ(update(&f), OSCAR_SPEED_UP | OSCAR_MARK_RATE);
	EXPECT_EQ(f.o.u, U(.801));
	f.e.gradient = G(3);
	EXPECT_EQ(update(&f), OSCAR_SPEED_UP);
	EXPECT_EQ(f.o.u, U(.501));
	f.e.gradient = G(1);			/* both .5 */
	EXPECT_EQ(update(&f), OSCAR_SPEED_UP);
	EXPECT_EQ(f.o.u, U(.501));
}

/* Before the window is full what is in flight lowers nothing: u_r = .8, not u_w = .4. */
static void oscar_update__fills(void)
{
	struct flow f = flow_new(.5);

	f.e.gradient = G(.25);
	f.e.fills = true;
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_EQ(f.o.u, U(.801));
	f.e.delay = NS(16000);
	f.e.gradient = G(3);
	EXPECT_EQ(update(&f), OSCAR_SPEED_UP);	/* u_w = .5, u_r = .25 */
	EXPECT_EQ(f.o.u, U(.501));
	f.e.delay = NS(20000);
	f.e.span_ns = 15001;
	EXPECT_EQ(update(&f), OSCAR_LONG);
	EXPECT_EQ(f.o.u, U(.401));
}

/* The target less the slack, 17678 ns, is "at the target". */
static void oscar_update__slack(void)
{
	struct flow f = flow_new(.5);

	f.e.delay = NS(17678);
	EXPECT_EQ(update(&f) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
	f.e.delay = NS(17678) - 1;
	EXPECT_EQ(update(&f) & OSCAR_BRANCH, OSCAR_SPEED_UP);
	f.k.target_slack_ns = 0;
	f.e.delay = NS(18178) - 1;
	EXPECT_EQ(update(&f) & OSCAR_BRANCH, OSCAR_SPEED_UP);
	f.e.delay = NS(18178);
	EXPECT_EQ(update(&f) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
	f.k.target_slack_ns = 1000000;		/* more than the target */
	f.e.delay = NS(14000);
	EXPECT_EQ(update(&f) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
}

/* Longer than 3 tau = 15 us: the window alone, above and below the target. */
static void oscar_update__long(void)
{
	struct flow f = flow_new(.5);

	f.e.gradient = G(3);
	f.e.span_ns = 15000;
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	f.e.span_ns = 15001;
	EXPECT_EQ(update(&f), OSCAR_LONG);
	EXPECT_EQ(f.o.u, U(.401));
	f.e.delay = NS(16000);
	f.e.gradient = 0;
	EXPECT_EQ(update(&f), OSCAR_LONG);
	EXPECT_EQ(f.o.u, U(.501));
	f.p.tau_ns = 1500000000;		/* 3 tau needs 33 bits */
	f.e.span_ns = 1000000000;
	EXPECT_EQ(update(&f) == OSCAR_LONG, 0);
}

/* 1 + g is at least .1: -.9, -.95 and less are one; 4 above and below tell more. */
static void oscar_update__gradient_clamp(void)
{
	struct flow f = flow_new(.5);

	f.e.delay = NS(16000);
	f.e.inflight = B(1000);
	f.e.rate = 1000000000;			/* a hundredth of the line */
	f.e.gradient = G(-.89);
	update(&f);
	EXPECT_EQ(f.o.u / OSCAR_MILLIONTH, 91909);	/* .01 / .11 + .001 */
	f.e.gradient = G(-.9);
	update(&f);
	EXPECT_EQ(f.o.u, U(.101));
	f.e.gradient = G(-.95);
	update(&f);
	EXPECT_EQ(f.o.u, U(.101));
	f.e.gradient = -((s64)U32_MAX * DCC_LSQ_ONE);
	update(&f);
	EXPECT_EQ(f.o.u, U(.101));
	f.e.delay = NS(20000);
	f.e.gradient = (s64)U32_MAX * DCC_LSQ_ONE;
	update(&f);
	EXPECT_EQ(f.o.u, U(.001) + 2328);	/* .01 / 2^32 = 2.3e-12 */
}

/* u_min to 1, however far off a loop is. */
static void oscar_update__clamp(void)
{
	struct flow f = flow_new(.999);

	f.e.delay = NS(12178);
	update(&f);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	f = flow_new(.5);
	f.e.inflight = B(U32_MAX);
	f.e.rate = U64_MAX;
	f.e.gradient = G(-.9);
	update(&f);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
	f.e.inflight = 0;
	f.e.rate = 0;
	f.p.u_ai = 0;
	update(&f);
	EXPECT_EQ(f.o.u, U(.001));
	f.k.u_min = 20000;
	update(&f);
	EXPECT_EQ(f.o.u, U(.02));
}

/* W = u D_target C up to the BDP: u = 12178 / 18178 on. pacing = u C. */
static void oscar_update__window_and_pacing(void)
{
	struct flow f = flow_new(.5);

	f.p.u_ai = 0;
	update(&f);				/* u = .4 */
	EXPECT_EQ(f.o.cwnd, B(90890));
	EXPECT_EQ(f.o.pacing, 5000000000ULL);
	f.e.inflight = B(167000);		/* u = .668 */
	update(&f);
	EXPECT_EQ(f.o.cwnd, 151786.3 * 256 + 0.5);
	f.e.inflight = B(167500);		/* u = .67: 152240.75 B */
	update(&f);
	EXPECT_EQ(f.o.cwnd, B(152225));
	EXPECT_EQ(f.o.pacing, 8375000000ULL);
	f.e.inflight = 0;			/* u = .001: less than a packet */
	update(&f);
	EXPECT_EQ(f.o.cwnd, 58170);		/* 227.225 B */
	EXPECT_EQ(f.o.pacing, 12500000);
}

/* U_AI follows every batch that met a queue. */
static void oscar_update__ai(void)
{
	struct flow f = flow_new(.5);

	f.p.u_ai = U(.05);
	f.e.gradient = G(.25);
	update(&f);
	EXPECT_EQ(f.o.u, U(.45));
	f.e.span_ns = 20000;
	update(&f);
	EXPECT_EQ(f.o.u, U(.45));
}

/* A slow application's batch lowers u, and does not raise it. */
static void oscar_update__app_limited(void)
{
	struct flow f = flow_new(.5);

	f.e.app_limited = true;
	f.e.delay = NS(12178);
	EXPECT_EQ(update(&f), OSCAR_HYPER | OSCAR_MARK_APP);
	EXPECT_EQ(f.o.u, U(.5));
	f.e.delay = NS(16000);
	EXPECT_EQ(update(&f), OSCAR_SPEED_UP | OSCAR_MARK_RATE | OSCAR_MARK_APP);
	EXPECT_EQ(f.o.u, U(.5));
	f.e.delay = NS(20000);
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.401));
}

/* Against floating point, wherever the six decimals cannot hide an error. */
static void oscar_update__random(void)
{
	u32 i;

	for (i = 0; i < 100000; i++) {
		struct flow f = flow_new(.001 * (1 + unit_below(1000)));
		double c = unit_log_between(1e6, 5e11), by_w, by_r, u;
		double d = unit_log_between(13200, 1e8);

		f.p.line_rate = (u64)c;
		f.e.delay = (u64)(d * 256);
		f.e.inflight = (u64)(unit_log_between(1, 4e9) * 256);
		f.e.rate = (u64)unit_log_between(1, 5e12);
		f.e.gradient = (s64)(unit_log_between(.05, 1000) * 1e9) -
			       1000000000;
		update(&f);
		by_w = (double)f.e.inflight / f.e.delay / f.p.line_rate * 1e9;
		by_r = f.e.rate / 8.0 / f.p.line_rate /
		       (1 + fmax((double)f.e.gradient / 1e9, -.9));
		u = f.e.delay + NS(500) < NS(18178) ? fmax(by_w, by_r) :
						    fmin(by_w, by_r);
		u = fmin(fmax(u + .001, .001), 1);
		EXPECT_NEAR(f.o.u / 1e15, u, 0.002 * NANO);
		EXPECT_NEAR(f.o.pacing, f.o.u / 1e15 * f.p.line_rate,
			    1 + NANO * f.o.pacing);
	}
}

/* --- a queue that runs empty -------------------------------------------------------- */

/*
 * Packets 1000 ns apart from `sent` on, the delay changing by `step` from each to
 * the next; returns what the last one led to.
 */
static u8 packets(struct flow *f, u64 sent, u32 n, u32 delay, s32 step)
{
	u8 branch = OSCAR_HOLD;
	u32 i;

	for (i = 0; i < n; i++)
		branch = ack(f, sent + 1000 * i, delay + step * (s32)i);
	return branch;
}

/*
 * Three packets of 1060 B in 2 us, 8.48 Gbit/s, while the queue falls by .9: the
 * fourth finds none, long before tau. u_r = .0848 / .1.
 */
static void oscar_on_ack__drained(void)
{
	struct flow f = flow_new(0.1);

	EXPECT_EQ(packets(&f, 0, 3, 16000, -900), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 3500, 13178), OSCAR_SPEED_UP | OSCAR_MARK_RATE |
					OSCAR_MARK_EMPTY);
	EXPECT_NEAR(f.o.u, 0.848e15 + U(0.001), 1e6);
	EXPECT_EQ(f.d.delay_ns, 15100);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 0);
}

/* One nanosecond more is a queue still; one packet and a fall of 3 in 1 tell nothing. */
static void oscar_on_ack__not_drained(void)
{
	struct flow f = flow_new(0.1);

	packets(&f, 0, 3, 16000, -900);
	EXPECT_EQ(ack(&f, 3000, 13179), OSCAR_HOLD);
	f = flow_new(0.1);
	packets(&f, 0, 1, 16000, 0);
	EXPECT_EQ(ack(&f, 1000, 13178), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
	EXPECT_EQ(f.o.u, U(0.1));
}

/*
 * In a queue of eps, a fall of more than eps is none of noise: 1004 in 4 us; of 1.2 * 835 =
 * 1002 ns, which eps is, it is.
 */
static void oscar_on_ack__drained_low(void)
{
	struct flow f = flow_new(0.1);
	u32 low, i;

	packets(&f, 0, 5, 14183, -251);
	EXPECT_EQ(ack(&f, 4500, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -251000);
	for (low = 13264; low <= 13265; low++) {
		f = flow_new(0.1);
		f.k.eps_ns = 1002;
		for (i = 0; i < 4; i++)
			ack(&f, i * 1000, i < 2 ? 14100 : low);
		EXPECT_EQ(!(ack(&f, 4000, 13180) & OSCAR_MARK_EMPTY), low == 13265);
	}
}

/* Two packets, eps apart, tell of a drain: not closer, nor if they fell by more than 1. */
static void oscar_on_ack__drained_two(void)
{
	struct flow f = flow_new(0.1);

	packets(&f, 0, 2, 16000, -900);
	EXPECT_EQ(ack(&f, 1500, 13178), OSCAR_SPEED_UP | OSCAR_MARK_RATE |
					OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_NEAR(f.o.u, 0.848e15 + U(0.001), 1e6);
	f = flow_new(0.1);
	packets(&f, 0, 2, 16000, -1000);
	EXPECT_EQ(ack(&f, 1500, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	f = flow_new(0.1);
	packets(&f, 0, 2, 16000, -1001);
	EXPECT_EQ(ack(&f, 1500, 13178), OSCAR_HOLD);
	f = flow_new(0.1);
	ack(&f, 0, 16000);
	ack(&f, 999, 15100);
	EXPECT_EQ(ack(&f, 1500, 13178), OSCAR_HOLD);
}

/* A flow in which a packet of that delay is followed by one that met no queue. */
static struct flow edge(u32 delay, u32 gap)
{
	struct flow f = flow_new(0.1);

	f.s.inflight = 1000;
	ack(&f, 1, delay);
	f.d.branch = ack(&f, 1 + gap, 13178);
	return f;
}

/*
 * The last packet in the queue and the first that found none: 1060 B in 2 us, 4.24
 * Gbit/s, while it fell by 1.8. u_r = .0424 / .1; the delay is the mean of both.
 */
static void oscar_on_ack__edge(void)
{
	struct flow f = edge(14978, 2000);

	EXPECT_EQ(f.d.branch, OSCAR_SPEED_UP | OSCAR_MARK_RATE | OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_EQ(f.d.delay_ns, 14078);
	EXPECT_NEAR(f.o.u, 0.424e15 + U(0.001), 1e6);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	f = edge(14179, 1001);
	EXPECT_EQ(f.d.branch & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(edge(14179, 1000).d.branch, OSCAR_HOLD);	/* steeper than 1 */
	EXPECT_EQ(edge(14178, 2000).d.branch, OSCAR_HOLD);	/* 2 eps are noise */
	f = flow_new(0.1);
	ack(&f, 1, 14178);
	EXPECT_EQ(ack(&f, 2001, 12178), OSCAR_HOLD);		/* above base, too */
}

/* At the same time, after an empty queue, overtaken, more than 3 tau = 15 us ago. */
static void oscar_on_ack__no_edge(void)
{
	struct flow f = flow_new(0.1);

	f.k.eps_ns = 0;
	ack(&f, 1, 12200);
	EXPECT_EQ(ack(&f, 1, 12178), OSCAR_HOLD);
	f = flow_new(0.1);
	ack(&f, 0, 13178);
	ack(&f, 1000, 14978);
	EXPECT_EQ(ack(&f, 3000, 13178), OSCAR_HOLD);
	f = flow_new(0.1);
	ack(&f, 0, 14978);
	f.seen.sprayed = 1;
	EXPECT_EQ(ack(&f, 2000, 13178), OSCAR_HOLD);
	EXPECT_EQ(edge(14978, 15000).d.branch & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(edge(14978, 15001).d.branch, OSCAR_HOLD);
}

/* A batch that has just closed does not hide the edge. */
static void oscar_on_ack__edge_after_batch(void)
{
	struct flow f = flow_new(0.1);

	packets(&f, 0, 7, 14978, 0);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	EXPECT_EQ(ack(&f, 8000, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -900000);
}

/*
 * A queue of 15 us that falls by .9 in the end, an ACK of one, two, three packets of 200 B
 * every so many ns: both batches began long before. Then one finds no queue.
 */
static struct flow end_of(u32 step, u32 steps, u8 sprayed)
{
	struct flow f = flow_new(0.1);
	u32 i, at = 3400;

	f.s.inflight = 1000;
	f.s.mss = 200;
	packets(&f, 0, 4, 15000, 0);		/* the second since 3 us */
	ack(&f, 3200, 15000);
	ack(&f, at, 15000);
	for (i = 1; i <= steps; i++) {
		f.s.acked = i;
		ack(&f, at + i * step, 15000 - i * step * 9 / 10);
	}
	f.seen.sprayed = sprayed;
	f.d.branch = ack(&f, at + steps * step + 100, 13178);
	return f;
}

/*
 * The last packets, back to the first that met more than eps more: 200 B in 1.2 us, 1.33
 * Gbit/s, while it fell by .9, u_r = .0133 / .1. 600 B in 1.4, 1200 B in 1.5, 2000 B in 1.2,
 * where one of two packets is known, but what came with both.
 */
static void oscar_on_ack__end(void)
{
	struct flow f = end_of(1200, 1, 0);

	EXPECT_EQ(f.d.branch, OSCAR_SPEED_UP | OSCAR_MARK_RATE | OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_EQ(f.d.delay_ns, 14460);
	EXPECT_NEAR(f.o.u / 1e15, 200 / 1200.0 / 12.5 / .1 + .001, 1000 * NANO);
	f = end_of(700, 2, 0);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_NEAR(f.o.u / 1e15, 600 / 1400.0 / 12.5 / .1 + .001, 1000 * NANO);
	f = end_of(500, 3, 0);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_NEAR(f.o.u / 1e15, 1200 / 1500.0 / 12.5 / .1 + .001, 1000 * NANO);
	f = end_of(300, 4, 0);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_EQ(f.o.u, U(1));
	f = flow_new(0.1);
	ack(&f, 0, 13178);			/* its batch saw the queue empty before */
	ack(&f, 1000, 16000);
	ack(&f, 2300, 14800);
	EXPECT_EQ(ack(&f, 2600, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -923076);
}

/* By more than eps, 1001 ns, not 1000, which may be noise; not where packets overtake. */
static void oscar_on_ack__no_end(void)
{
	EXPECT_EQ(end_of(1113, 1, 0).d.gradient, -899371);
	EXPECT_EQ(end_of(1112, 1, 0).d.gradient > -850000, 1);
	EXPECT_EQ(end_of(1200, 1, 1).d.branch, OSCAR_HOLD);
}

/* A rise to 4.29496 s is a fall of 2.999997296 s modulo 2^32, in 2.999998 s. */
static void oscar_on_ack__end_wrap(void)
{
	struct flow f = flow_new(0.1);

	f.k.tau_ns = 1000000000;
	ack(&f, 0, 2999990000U);
	ack(&f, 2999998000U, 4294960000U);
	EXPECT_EQ(ack(&f, 3000001000U, 13178), OSCAR_HOLD);
}

/* Of what was before an empty queue, an idle time or a timeout, nothing is told. */
static void oscar_on_ack__end_forgets(void)
{
	struct flow f = flow_new(0.1);

	ack(&f, 0, 16000);
	ack(&f, 1000, 13178);			/* the edge */
	ack(&f, 1200, 14500);
	ack(&f, 2000, 13900);
	EXPECT_EQ(f.seen.last[1].delay_ns, 14500);
	EXPECT_EQ(f.seen.last[2].delay_ns, 0);
	EXPECT_EQ(ack(&f, 2500, 13178), OSCAR_HOLD);
	f = flow_new(0.1);
	ack(&f, 0, 18000);			/* steep enough, if it counted */
	ack(&f, 1000, 17000);
	ack(&f, 2000, 13178);
	ack(&f, 5000, 14500);
	EXPECT_EQ(ack(&f, 5500, 13178), OSCAR_HOLD);
	f = flow_new(0.1);
	ack(&f, 0, 16000);
	oscar_on_idle(&f.seen);
	ack(&f, 2000, 14400);
	EXPECT_EQ(ack(&f, 2500, 13178), OSCAR_HOLD);
}

/* A packet that came with many: no more than there is room for; the shift keeps order. */
static void oscar_on_ack__end_acked(void)
{
	struct flow f = flow_new(0.1);
	u32 i;

	for (i = 1; i <= 5; i++) {
		f.s.acked = i == 4 ? 256 : i;
		ack(&f, i * 600, 18000 - i * 500);
	}
	for (i = 0; i < OSCAR_LAST; i++)
		EXPECT_EQ(f.seen.last[i].delay_ns, 15500 + i * 500);
	EXPECT_EQ(f.seen.acked, 0x0203ff05);
}

/*
 * Half of eps at least is between those that are kept, 500 ns: 499 ns lower the newest
 * replaces the one before, and what came with both counts.
 */
static void oscar_on_ack__end_keeps(void)
{
	struct flow f = flow_new(0.1);

	f.s.acked = 3;
	ack(&f, 100, 16000);
	ack(&f, 200, 15501);
	ack(&f, 300, 15500);
	EXPECT_EQ(f.seen.last[1].delay_ns, 16000);
	EXPECT_EQ(f.seen.acked, 0x0306);
	f.s.acked = 250;
	ack(&f, 400, 15499);
	EXPECT_EQ(f.seen.last[0].delay_ns, 15499);
	EXPECT_EQ(f.seen.last[1].delay_ns, 15500);
	EXPECT_EQ(f.seen.last[2].delay_ns, 16000);
	EXPECT_EQ(f.seen.acked, 0x0306fa);
	ack(&f, 500, 15498);
	EXPECT_EQ(f.seen.acked, 0x0306ff);
}

/* A fall begins with the last of the highest; what came with those before it counts. */
static void oscar_on_ack__end_begins(void)
{
	struct flow f = flow_new(0.1);

	f.s.acked = 3;
	ack(&f, 100, 16000);
	ack(&f, 200, 15000);
	ack(&f, 300, 15000);
	ack(&f, 400, 14900);
	EXPECT_EQ(f.seen.last[1].sent_ns, START + 300);
	EXPECT_EQ(f.seen.last[2].delay_ns, 16000);
	EXPECT_EQ(f.seen.acked, 0x030603);
	f.s.acked = 253;
	ack(&f, 500, 15100);
	ack(&f, 600, 14900);
	EXPECT_EQ(f.seen.last[1].sent_ns, START + 500);
	EXPECT_EQ(f.seen.acked, 0x03fffd);
}

/*
 * With steps of .966 eps no two packets but the first and the one without a queue tell
 * how fast it fell: that packet, two before, counts as well as the last.
 */
static void oscar_on_ack__edge_before(void)
{
	struct flow f = flow_new(0.1);

	f.s.inflight = 1000;
	f.s.mss = 100;
	ack(&f, 0, 15110);			/* the batch falls more slowly */
	ack(&f, 1000, 15110);
	f.s.acked = 2;
	ack(&f, 2073, 14144);
	f.s.acked = 3;
	EXPECT_EQ(ack(&f, 3146, 13178), OSCAR_SPEED_UP | OSCAR_MARK_RATE | OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -900279);
	EXPECT_NEAR(f.o.u / 1e15, 500 / 2146.0 / 12.5 / .099721 + .001, 20000 * NANO);
}

/*
 * Three steps of half of eps are needed to fall by more than eps: 1500 ns in 1668, with
 * 2, 4 and 8 packets of 50 B. To the packet without a queue it fell faster than any can.
 */
static void oscar_on_ack__end_oldest(void)
{
	struct flow f = flow_new(0.1);
	u32 i;

	f.s.inflight = 1000;
	f.s.mss = 50;
	ack(&f, 0, 16000);
	for (i = 0; i < 4; i++) {
		f.s.acked = 1 << i;
		ack(&f, 1000 + i * 556, 16000 - i * 500);
	}
	EXPECT_EQ(ack(&f, 2768, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -899280);
	EXPECT_NEAR(f.o.u / 1e15, 700 / 1668.0 / 12.5 / .10072 + .001, 20000 * NANO);
}

/*
 * Above the target, a queue that falls by half of the line's rate is no reason to give way
 * further; by a thousandth less it is.
 */
static void oscar_on_ack__falls(void)
{
	struct flow f = flow_new(0.9);

	EXPECT_EQ(packets(&f, 0, 7, 90000, -500), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.d.gradient, -500000);
	EXPECT_EQ(f.o.u, U(0.9));
	f = flow_new(0.9);
	EXPECT_EQ(packets(&f, 0, 7, 90000, -499), OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u < U(0.1), 1);
}

/*
 * Packets before an idle time do not speak for the queue after it: a base RTT and what
 * pacing makes wait, 848 ns, after their last ACK, and a nanosecond.
 */
static void oscar_on_ack__idle_no_drain(void)
{
	struct flow f = flow_new(0.1);
	u32 last = 2000 + 14200;

	packets(&f, 0, 3, 16000, -900);
	EXPECT_EQ(ack(&f, last + 12178 + 848 + 1, 13178), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(0.1));
	f = flow_new(0.1);
	packets(&f, 0, 3, 16000, -900);
	EXPECT_EQ(ack(&f, last + 12178 + 848, 13178) & OSCAR_MARK_EMPTY,
		  OSCAR_MARK_EMPTY);
}

/* Nor do they if they are too few for a batch, and as far apart as they were late. */
static void oscar_on_ack__idle_no_end(void)
{
	struct flow f = flow_new(0.1);

	ack(&f, 0, 14300);
	ack(&f, 14900, 14300);
	oscar_on_idle(&f.seen);
	EXPECT_EQ(ack(&f, 40000, 13178), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(0.1));
}

/* Noise of eps about a queue of eps, a level queue, and one packet without. */
static void oscar_on_ack__no_drain(void)
{
	struct flow f = flow_new(0.1);
	u32 i;

	for (i = 0; i < 3; i++)
		ack(&f, i * 300, 14278 - i * 100);
	EXPECT_EQ(ack(&f, 1000, 13178), OSCAR_HOLD);
	f = flow_new(0.1);
	for (i = 0; i < 3; i++)
		ack(&f, i * 300, 14279 - i * 100);
	EXPECT_EQ(ack(&f, 1000, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	f = flow_new(0.1);
	packets(&f, 0, 3, 16000, 0);
	EXPECT_EQ(ack(&f, 3000, 13178), OSCAR_HOLD);
	f = flow_new(0.1);
	ack(&f, 0, 20000);
	ack(&f, 1000, 13178);
	packets(&f, 2000, 2, 15100, -900);
	EXPECT_EQ(ack(&f, 4000, 13178), OSCAR_HOLD);
}

/* An empty queue is no reason to slow down: not below the target, not above it. */
static void oscar_on_ack__drained_keeps(void)
{
	struct flow f = flow_new(0.9);

	packets(&f, 0, 3, 16000, -900);
	EXPECT_EQ(ack(&f, 3500, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.o.u, U(0.9));
	f = flow_new(0.9);
	packets(&f, 0, 3, 30000, -900);
	EXPECT_EQ(ack(&f, 3500, 13178), OSCAR_SLOW_DOWN | OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.o.u, U(0.9));
	f = flow_new(0.1);
	f.s.app_limited = true;
	packets(&f, 0, 3, 16000, -900);
	EXPECT_EQ(ack(&f, 3500, 13178) & OSCAR_MARK_APP, OSCAR_MARK_APP);
	EXPECT_EQ(f.o.u, U(0.1));
}

/* Gaps of more than ten: 10 B in 1 us are .0008 of the line, u_r = .0008 / .001. */
static void oscar_on_ack__drained_far(void)
{
	struct flow f = flow_new(0.001);

	f.s.acked_bytes = 10;
	f.s.inflight = 1000;
	packets(&f, 0, 3, 16000, -1000);
	ack(&f, 3000, 13178);
	EXPECT_NEAR(f.o.u, 0.8e15 + U(0.001), 1e6);
}

/*
 * The queue stood when the first batch began and falls since its middle: the
 * second one saw nothing else. It starts at the first packet later than tau / 2.
 */
static void oscar_on_ack__drained_second(void)
{
	struct flow f = flow_new(0.1);

	packets(&f, 0, 3, 16900, 0);		/* 0, 1, 2 us */
	ack(&f, 2500, 16900);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 0);
	ack(&f, 2501, 16900);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 1);
	EXPECT_EQ(ack(&f, 3501, 16000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 4501, 15100), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 3);
	EXPECT_EQ(ack(&f, 4601, 13178) & OSCAR_MARK_EMPTY, OSCAR_MARK_EMPTY);
	EXPECT_EQ(f.d.gradient, -900000);
	EXPECT_NEAR(f.o.u, 0.848e15 + U(0.001), 1e6);
}

/* The second batch outlives the first, until the next one is half as long. */
static void oscar_on_ack__drained_between(void)
{
	struct flow f = flow_new(0.1);

	packets(&f, 0, 6, 17400, 0);		/* the second since 3 us */
	EXPECT_EQ(f.seen.batch[1].lsq.count, 3);
	EXPECT_EQ(ack(&f, 5100, 17400) != OSCAR_HOLD, 1);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 4);
	EXPECT_EQ(packets(&f, 6000, 3, 17000, -900), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 3);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 7);
	ack(&f, 9000, 13178);
	EXPECT_EQ(f.d.gradient, -900000);	/* the first: it is steeper */
	packets(&f, 10000, 2, 16000, 0);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 0);
	ack(&f, 12000, 16000);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 1);		/* begun anew: 9 us + tau / 2 */
	EXPECT_EQ(f.seen.batch[1].bytes, 0);
	f.s.delay_ns = 0;
	f.s.sent_ns = 0;
	oscar_on_ack(&f.o, &f.seen, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.seen.batch[1].bytes, 1060);
	f = flow_new(0.1);
	packets(&f, 0, 7, 17400, 0);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 4);
	packets(&f, 7000, 3, 17400, 0);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 7);
	ack(&f, 9501, 17400);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 1);		/* the second batch's middle */
	oscar_on_idle(&f.seen);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 0);
}

/* --- batches ------------------------------------------------------------------------ */

/* Closes at the first packet sent later than tau, if it is the third. */
static void oscar_on_ack__closes(void)
{
	struct flow f = flow_new(1);

	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5000, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5000, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 3);
	EXPECT_EQ(ack(&f, 5001, 20000) != OSCAR_HOLD, 1);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	EXPECT_EQ(ack(&f, 6000, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.first_ns, (u32)START + 6000);
	EXPECT_EQ(ack(&f, 12000, 20000), OSCAR_HOLD);	/* only two */
	EXPECT_EQ(ack(&f, 12000, 20000) != OSCAR_HOLD, 1);
}

/*
 * 10 packets of 1060 B, 600 ns apart, delays rising by 300 ns each: D = 21350, g
 * = .5, rate = 9 * 1060 B / 5400 ns = 14.13 Gbit/s; u_r = .0942, u_w = 100000 /
 * (21350 * 12.5) = .3747.
 */
static void oscar_on_ack__estimates(void)
{
	struct flow f = flow_new(1);
	double rate = 9 * 1060 * 8 / 5400.0;
	u32 i;

	for (i = 0; i < 9; i++)
		EXPECT_EQ(ack(&f, 600 * i, 20000 + 300 * i), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5400, 22700), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, rate / 1.5 / 100 + .001, NANO);
	EXPECT_EQ(f.o.delay_ns, 21350);
	EXPECT_EQ(f.o.gradient, 500000);
	EXPECT_EQ(f.d.delay_ns, 21350);
	EXPECT_EQ(f.d.target_ns, 18178);
	EXPECT_EQ(f.d.gradient, 500000);
	EXPECT_NEAR(f.d.share, (rate / 1.5 / 100 + .001) * 1e6, 1);
}

/* The mean of what was in flight: 90000, 100000, 110000 B, D = 20 us. */
static void oscar_on_ack__inflight(void)
{
	struct flow f = flow_new(1);
	u32 i;

	for (i = 0; i < 3; i++) {
		f.s.inflight = 90000 + 10000 * i;
		f.s.acked_bytes = 100000;
		ack(&f, 3000 * i, 20000);
	}
	EXPECT_EQ(f.d.branch, OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.o.u, U(.401));
	f.k.sync_reference = 0;			/* 50000 B in flight now */
	for (i = 0; i < 3; i++)
		ack(&f, 9000 + 3000 * i, 20000);
	EXPECT_EQ(f.o.u, U(.201));
}

/* Coalesced: the bytes of all but the first, 2 * 10000 B in 6 us, g = 0. */
static void oscar_on_ack__rate(void)
{
	struct flow f = flow_new(1);
	u32 i;

	f.s.inflight = 1000000;
	f.s.acked_bytes = 10000;
	for (i = 0; i < 3; i++)
		ack(&f, 3000 * i, 20000);
	EXPECT_EQ(f.d.branch, OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, 20000 / 6000.0 / 12.5 + .001, NANO);
}

/* Bytes of ACKs without a delay count, those before the batch do not. */
static void oscar_on_ack__bytes_without_delay(void)
{
	struct flow f = flow_new(1);
	u32 i;

	f.s.inflight = 1000000;
	f.s.acked_bytes = 10000;
	EXPECT_EQ(ack(&f, 0, 0), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	for (i = 0; i < 3; i++) {
		ack(&f, 3000 * i, 20000);
		if (i < 2)
			EXPECT_EQ(ack(&f, 3000 * i + 10, 0), OSCAR_HOLD);
	}
	EXPECT_NEAR(f.o.u / 1e15, 40000 / 6000.0 / 12.5 + .001, NANO);
}

/*
 * Sent 3, 0, 5 us after the start, told of 16, 20 and 23 us after it: the second was
 * overtaken, so the ACKs' 7 us count, in which 2 * 10000 B arrived, and no slope. D =
 * 17 us, below the target. So does the next batch, whose packets are in order; the third
 * is one of send times again.
 */
static void oscar_on_ack__overtaken(void)
{
	struct flow f = flow_new(1);

	f.s.inflight = 10000;
	f.s.acked_bytes = 10000;
	EXPECT_EQ(ack(&f, 3000, 13000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 5000, 18000), OSCAR_SPEED_UP | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, 20000 / 7000.0 / 12.5 + .001, NANO);
	EXPECT_EQ(f.o.gradient, 0);
	EXPECT_EQ(f.o.delay_ns, 17000);
	EXPECT_EQ(ack(&f, 10000, 15000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 11000, 16000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 13000, 17000), OSCAR_HOLD);	/* tau after the first ACK */
	EXPECT_EQ(ack(&f, 13001, 17000), OSCAR_SPEED_UP | OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.u / 1e15, 30000 / 5001.0 / 12.5 + .001, NANO);
	EXPECT_EQ(f.o.gradient, 0);
	EXPECT_EQ(ack(&f, 20000, 14000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 22000, 15000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 25000, 16500), OSCAR_HOLD);	/* 7.5 us after the first ACK */
	EXPECT_EQ(ack(&f, 25001, 16500) & OSCAR_MARK_RATE, OSCAR_MARK_RATE);
	EXPECT_NEAR(f.o.gradient, 500000, 10000);
}

/* Sent at the same time is in order; only two packets close no batch of ACK times. */
static void oscar_on_ack__not_overtaken(void)
{
	struct flow f = flow_new(1);

	ack(&f, 0, 20000);
	ack(&f, 0, 20001);
	EXPECT_EQ(f.seen.sprayed, 0);
	f = flow_new(1);
	ack(&f, 400, 20000);
	EXPECT_EQ(ack(&f, 0, 30000), OSCAR_HOLD);
	EXPECT_EQ(f.seen.sprayed, 2);
	EXPECT_EQ(ack(&f, 100, 30000) != OSCAR_HOLD, 1);
	EXPECT_EQ(f.seen.sprayed, 1);
	ack(&f, 399, 30000);			/* later than 100, but not than 400 */
	EXPECT_EQ(f.seen.sprayed, 2);
}

/* A wrap of the clock between two packets is none; nor is more than a second's silence. */
static void oscar_on_ack__overtaken_wrap(void)
{
	struct flow f = flow_new(1);
	u64 wrap = (1ULL << 32) - START;

	ack(&f, wrap - 1000, 20000);
	ack(&f, wrap + 1000, 20000);
	EXPECT_EQ(f.seen.sprayed, 0);
	ack(&f, wrap - 500, 22000);
	EXPECT_EQ(f.seen.sprayed, 2);
	f = flow_new(1);
	ack(&f, 0, 20000);
	ack(&f, 3000000000ULL, 20000);		/* 2^31 later, and it looks older */
	EXPECT_EQ(f.seen.sprayed, 0);
	ack(&f, 3000000000ULL + DCC_LSQ_MAX_SPAN, 19999);
	ack(&f, 3000000000ULL + 1, 20000 + DCC_LSQ_MAX_SPAN);
	EXPECT_EQ(f.seen.sprayed, 2);
}

/* What a dip of the window tells is nothing: no batch outlives it, none begins in it. */
static void oscar_on_ack__dips(void)
{
	struct flow f = flow_new(.5);

	packets(&f, 0, 4, 20000, 0);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 4);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 1);
	f.s.dips = true;
	EXPECT_EQ(packets(&f, 4000, 10, 20000, 0), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 0);
	EXPECT_EQ(f.o.u, U(.5));
	f.s.dips = false;
	packets(&f, 14000, 2, 20000, 0);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
}

/* Where packets overtake, a queue that runs empty on one way tells of no other. */
static void oscar_on_ack__overtaken_no_drain(void)
{
	struct flow f = flow_new(0.1);

	packets(&f, 0, 2, 15900, -900);
	ack(&f, 900, 16000);
	EXPECT_EQ(ack(&f, 3000, 14100), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].empty, 0);
	EXPECT_EQ(ack(&f, 4000, 13178), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(0.1));
}

/* The second batch goes by what the first has seen, and forgets it with it. */
static void oscar_on_ack__overtaken_both(void)
{
	struct flow f = flow_new(0.1);
	u32 i;

	packets(&f, 0, 4, 16000, 0);
	EXPECT_EQ(f.seen.batch[1].lsq.count, 1);
	ack(&f, 2500, 17000);
	EXPECT_EQ(f.seen.sprayed, 2);
	for (i = 0; i < 20; i++)
		ack(&f, 3000 + 1000 * i, 17000);
	EXPECT_EQ(f.seen.sprayed, 0);
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
		EXPECT_EQ(f.o.gradient, 500000);
		EXPECT_EQ(f.o.delay_ns, 21350);
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

/* As many packets as the estimator holds close it, too; none is lost. */
static void oscar_on_ack__full(void)
{
	struct flow f = flow_new(1);
	u32 i;

	for (i = 0; i < DCC_LSQ_MAX_COUNT - 1; i++)
		EXPECT_EQ(ack(&f, i, 20000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, i, 20000) & OSCAR_BRANCH, OSCAR_SLOW_DOWN);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
}

/* Two packets, then silence for more than a base RTT: they are of the past. */
static void oscar_on_ack__idle(void)
{
	struct flow f = flow_new(1);
	u64 wait = 12178 + 85;		/* a packet takes 84.8 ns */

	f.s.inflight = 1000000;		/* u stays 1 */
	ack(&f, 0, 20000);
	ack(&f, 100, 20000);
	ack(&f, 20100 + wait, 20000);
	EXPECT_EQ(f.d.branch, OSCAR_LONG);	/* 3 packets in 32 us */
	ack(&f, 50000, 20000);
	ack(&f, 50100, 20000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
	ack(&f, 70100 + wait + 1, 20000);
	EXPECT_EQ(f.d.branch, OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	EXPECT_EQ(f.seen.batch[0].bytes, 0);
	EXPECT_EQ(f.seen.batch[0].inflight, 1000000);
}

/* At u = .001 a packet every 84.8 us is what pacing makes of it, no silence. */
static void oscar_on_ack__paced_slowly(void)
{
	struct flow f = flow_new(.001);
	u32 i;

	f.s.inflight = 1060;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(ack(&f, 84800 * i, 13000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 84800 * i, 13000), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.011));
	f = flow_new(.001);
	f.s.inflight = 1060;
	f.s.acked_bytes = 100;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(ack(&f, 84800 * i, 13000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 84800 * i, 13000) == OSCAR_HOLD, false);
}

/* Nor is twice as long where an ACK is for two packets. */
static void oscar_on_ack__paced_slowly_in_pairs(void)
{
	struct flow f = flow_new(.001);
	u32 i;

	f.s.inflight = 1060;
	f.s.acked = 2;
	f.s.acked_bytes = 2120;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(ack(&f, 169600 * i, 13000), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 169600 * i, 13000), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.011));
}

/* What is traced has 32 bits; the slope of three packets may need 50. */
static void oscar_on_ack__steep(void)
{
	struct flow f = flow_new(1);

	ack(&f, 0, 20000);
	ack(&f, 100, 20000);
	ack(&f, 6200, 4000000000U);
	EXPECT_EQ(f.o.gradient, INT_MAX);
	f = flow_new(1);
	ack(&f, 0, 4000000000U);
	ack(&f, 100, 20000);
	ack(&f, 6200, 20000);
	EXPECT_EQ(f.o.gradient, -INT_MAX);
}

/* Longer than a second: never one batch, whatever the pacing. */
static void oscar_on_ack__a_second(void)
{
	struct flow f = flow_new(.001);

	ack(&f, 0, 13000);
	f.o.pacing = 1;
	ack(&f, 900000000, 13000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
	ack(&f, 900013000ULL + DCC_LSQ_MAX_SPAN + 1, 13000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	/* in 32 bits it is as if 100 ns had passed */
	ack(&f, 900013101ULL + DCC_LSQ_MAX_SPAN + (1ULL << 32), 13000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
}

/* What does not fit into the estimator starts a batch of its own. */
static void oscar_on_ack__does_not_fit(void)
{
	struct flow f = flow_new(1);

	f.s.acked_bytes = 10000;
	f.k.tau_ns = 1000000000;
	f.k.base_rtt_ns = 1000000000;
	f.s.base_rtt_ns = 1000000000;
	ack(&f, 0, 100000000);
	ack(&f, 900000000, 100000000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
	EXPECT_EQ(ack(&f, 1800000000, 100000000), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	EXPECT_EQ(f.seen.batch[0].bytes, 0);
	EXPECT_EQ(f.seen.batch[0].lsq.first_ns, (u32)(START + 1800000000));
}

/* 7/8 of the BDP: u = 7/8 of 12178 / 18178; Reno knows none. */
static void oscar_on_ack__tells_the_largest(void)
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

/* Held back by the receiver: news of a free path only. */
static void oscar_on_ack__maybe_delayed(void)
{
	struct flow f = flow_new(1);

	f.s.maybe_delayed = true;
	ack(&f, 0, 18178);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	ack(&f, 0, 18177);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	ack(&f, 100, 18178);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	EXPECT_EQ(f.seen.batch[0].bytes, 1060);
	f.s.maybe_delayed = false;
	ack(&f, 200, 40000);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
}

/* A batch of which `bits` says from the first on which packets fill a window. */
static u8 batch_fills(u32 bits)
{
	struct flow f = flow_new(1);
	u8 branch = OSCAR_HOLD;
	u32 i;

	f.s.acked_bytes = 20 * 1060;
	for (i = 0; i < 3; i++) {
		f.s.fills = bits >> i & 1;
		branch = ack(&f, 3000 * i, 30000);
	}
	return branch;
}

/* u_w = .27, u_r = .57: of the two the rate counts if all packets fill the window. */
static void oscar_on_ack__fills(void)
{
	EXPECT_EQ(batch_fills(7), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE);
	EXPECT_EQ(batch_fills(6), OSCAR_SLOW_DOWN);
	EXPECT_EQ(batch_fills(5), OSCAR_SLOW_DOWN);
	EXPECT_EQ(batch_fills(3), OSCAR_SLOW_DOWN);
	EXPECT_EQ(batch_fills(0), OSCAR_SLOW_DOWN);
}

/* The next batch is another one. */
static void oscar_on_ack__fills_again(void)
{
	struct flow f = flow_new(1);

	packets(&f, 0, 7, 30000, 0);
	f.s.fills = true;
	packets(&f, 7000, 6, 30000, 0);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 6);
	EXPECT_EQ(f.seen.batch[0].filled, 0);
}

/* One slow moment of the application makes the batch one of its. */
static void oscar_on_ack__app_limited(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 13000);
	f.s.app_limited = true;
	ack(&f, 3000, 13000);
	f.s.app_limited = false;
	EXPECT_EQ(ack(&f, 6000, 13000), OSCAR_HYPER | OSCAR_MARK_APP);
	EXPECT_EQ(f.o.u, U(.5));
	ack(&f, 7000, 13000);
	ack(&f, 10000, 13000);
	EXPECT_EQ(ack(&f, 13000, 13000), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.51));
}

/* The first delay tells the base RTT, and with it the window. */
static void oscar_on_ack__base_rtt_found(void)
{
	struct flow f = flow_new(1);

	f.k.target_ns = 0;
	EXPECT_EQ(f.o.cwnd, B(10600));
	f.s.base_rtt_ns = 0;
	EXPECT_EQ(ack(&f, 0, 13000), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	EXPECT_EQ(f.o.cwnd, B(10600));
	f.s.base_rtt_ns = 13000;
	ack(&f, 0, 13000);
	EXPECT_EQ(f.o.cwnd, B(162500));
	EXPECT_EQ(f.d.delay_ns, 13000);
	EXPECT_EQ(f.d.target_ns, 19500);
	f.s.base_rtt_ns = 12000;
	ack(&f, 0, 12000);
	EXPECT_EQ(f.o.cwnd, B(150000));
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* --- losses, timeouts, silence --------------------------------------------------------- */

static void oscar_on_ack__loss_changes_nothing(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	f.s.losses = 3;
	f.s.lost_run = 3;
	f.s.recovery = true;
	f.s.acked = 0;
	f.s.acked_bytes = 0;
	EXPECT_EQ(ack(&f, 0, 0), OSCAR_HOLD);
	EXPECT_EQ(f.o.u, U(.5));
	EXPECT_EQ(f.o.cwnd, 113612.5 * 256);
}

/*
 * One ACK of `bytes` in 3 us each, none of which met a queue, three of them, and one
 * packet lost: with what is ACKed last, or with an ACK that has no delay.
 */
static u8 lose(struct flow *f, u32 bytes, bool with_delay)
{
	u8 branch;

	f->s.acked_bytes = bytes;
	f->s.inflight = 60000;
	ack(f, 0, 12178);
	ack(f, 3000, 12178);
	f->s.losses = 1;
	if (!with_delay) {
		f->s.acked_bytes = 0;
		ack(f, 4000, 0);
		f->s.acked_bytes = bytes;
		f->s.losses = 0;
	}
	branch = ack(f, 6000, 13000);
	f->s.losses = 0;
	return branch;
}

/*
 * 2 * 7950 B arrived, 15 packets: one of 16 is not too many, and the queue is empty. A
 * byte less and it is: u_r = 15898 B / 6822 ns, from the first ACK to the last, = .186 of
 * the line, u_w = 60000 B / 12452 ns = .385, the smaller counts.
 */
static void oscar_on_ack__too_many_lost(void)
{
	struct flow f = flow_new(.3);
	u32 i;

	for (i = 0; i < 2; i++) {
		f = flow_new(.3);
		EXPECT_EQ(lose(&f, 7950, i), OSCAR_HYPER);
		EXPECT_EQ(f.o.u, U(.31));
		f = flow_new(.3);
		EXPECT_EQ(lose(&f, 7949, i),
			  OSCAR_SLOW_DOWN | OSCAR_MARK_RATE | OSCAR_MARK_LOST);
		EXPECT_NEAR(f.o.u / 1e15, 15898 / 6822.0 / 12.5 + .001, NANO);
		EXPECT_EQ(f.o.gradient, 0);
	}
	f.o.u = U(.5);
	f.s.losses = 0;				/* the next batch has none */
	EXPECT_EQ(packets(&f, 10000, 7, 12178, 0), OSCAR_HYPER);
	EXPECT_EQ(f.o.u, U(.51));
}

/* By half at most, as with a timeout. */
static void oscar_on_ack__lost_halves(void)
{
	struct flow f = flow_new(.5);

	lose(&f, 7949, true);
	EXPECT_EQ(f.o.u, U(.25));
}

/*
 * Three of four are lost, and what arrives next is sent again, without a delay: that closes
 * the batch, tau after its first ACK. As many as arrived, or none arrived: it does not.
 */
static void oscar_on_ack__most_lost(void)
{
	static const struct {
		u32 lost, bytes, late;
		bool closes;
	} t[] = {
		{ 2, 1060, 7000, true }, { 1, 1060, 7000, false },
		{ 2, 0, 7000, false }, { 2, 1060, 3000, false },
		{ 2, 2120, 7000, false },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct flow f = flow_new(.5);
		u8 branch;

		f.s.acked_bytes = 1060;
		f.s.inflight = 60000;
		ack(&f, 0, 20000);
		f.s.losses = t[i].lost;
		f.s.acked_bytes = t[i].bytes;
		branch = ack(&f, 20000 + t[i].late, 0);
		EXPECT_EQ(!!(branch & OSCAR_MARK_LOST), t[i].closes);
		EXPECT_EQ(f.o.u, t[i].closes ? U(.25) : U(.5));
	}
}

/* What arrived in all the time is its rate: 10600 bytes in 27 us. */
static void oscar_on_ack__most_lost_rate(void)
{
	struct flow f = flow_new(.04);

	f.s.inflight = 60000;
	ack(&f, 0, 20000);
	f.s.losses = 20;
	f.s.acked_bytes = 10600;
	EXPECT_EQ(ack(&f, 47000, 0), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE | OSCAR_MARK_LOST);
	EXPECT_NEAR(f.o.u / 1e15, 10.6 / (27 * 12.5) + .001, NANO);
}

/* With the first ACK of a batch, too; the bytes of that one do not count. */
static void oscar_on_ack__lost_first(void)
{
	struct flow f = flow_new(.5);

	f.s.losses = 1;
	ack(&f, 0, 12178);
	EXPECT_EQ(f.seen.batch[0].lost, 1);
	EXPECT_EQ(f.seen.batch[0].bytes, 0);
	f.s.losses = U16_MAX;			/* no more than there is room for */
	ack(&f, 0, 12178);
	EXPECT_EQ(f.seen.batch[0].lost, U16_MAX);
	f.s.losses = U32_MAX;
	ack(&f, 0, 12178);
	EXPECT_EQ(f.seen.batch[0].lost, U16_MAX);
	f = flow_new(.5);
	f.s.losses = 1;
	ack(&f, 0, 12178);
	f.s.losses = 0;
	ack(&f, 3000, 12178);
	EXPECT_EQ(ack(&f, 6000, 12178) & OSCAR_MARK_LOST, OSCAR_MARK_LOST);
}

/* Of a first flight of which many were lost what is in flight counts as well. */
static void oscar_on_ack__lossy_first_flight(void)
{
	struct flow f = flow_new(.5);
	u8 branch = OSCAR_HOLD;
	u32 i;

	f.s.fills = true;
	f.s.losses = 1;
	for (i = 0; i < 40 && branch == OSCAR_HOLD; i++)
		branch = ack(&f, i * 300, 90000);
	EXPECT_EQ(branch, OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
}

/* Lost are packets of a queue that is full: not below the target, nor running empty. */
static void oscar_update__lossy(void)
{
	struct flow f = flow_new(.5);

	f.e.lossy = true;
	f.e.delay = NS(16000);			/* u_w = .5, u_r = 1 */
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN | OSCAR_MARK_LOST);
	EXPECT_EQ(f.o.u, U(.501));
	f.e.delay = NS(12178);			/* u_w = .657 */
	f.e.rate = 30000000000ULL;
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE | OSCAR_MARK_LOST);
	EXPECT_EQ(f.o.u, U(.301));
	f.e.span_ns = 15001;			/* however long it is */
	EXPECT_EQ(update(&f), OSCAR_SLOW_DOWN | OSCAR_MARK_RATE | OSCAR_MARK_LOST);
	EXPECT_EQ(f.o.u, U(.301));
}

static void oscar_on_rto__halves(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	oscar_on_rto(&f.o, &f.seen, &f.k, 1060);
	EXPECT_EQ(f.o.u, U(.25));
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	ack(&f, 100, 0);
	EXPECT_EQ(f.o.cwnd, 56806.25 * 256);
	EXPECT_EQ(f.d.pacing_rate, RATE_100G / 4);
	f.o.u = U(.0019);
	oscar_on_rto(&f.o, NULL, &f.k, 1060);
	EXPECT_EQ(f.o.u, U(.001));
	f.k.u_min = 30000;
	oscar_on_rto(&f.o, &f.seen, &f.k, 1060);
	EXPECT_EQ(f.o.u, U(.03));
}

static void oscar_on_idle__drops_the_batch(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	ack(&f, 100, 20000);
	oscar_on_idle(&f.seen);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	EXPECT_EQ(ack(&f, 6000, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 1);
	EXPECT_EQ(f.o.u, U(.5));
	oscar_on_idle(NULL);
}

/* --- flows of few packets ------------------------------------------------------------ */

/* Of 13634 B in flight, u_w is 0.0600022 of D_target * C, 227225 B. */
static struct flow flow_few(bool few_packets)
{
	struct flow f = flow_new(.06);

	f.k.few_packets = few_packets;
	f.s.inflight = 13634;
	f.s.acked = 2;
	f.s.acked_bytes = 2120;
	return f;
}

/* Two are a batch, a long one, of which no slope counts; as published it takes three. */
static void oscar_few_packets__two_acks(void)
{
	struct flow f = flow_few(true);

	EXPECT_EQ(ack(&f, 0, 18178), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 15001, 18178), OSCAR_LONG);
	EXPECT_NEAR(f.o.u, U(.0610022), 1e9);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	f = flow_few(false);
	ack(&f, 0, 18178);
	EXPECT_EQ(ack(&f, 15001, 18178), OSCAR_HOLD);
	EXPECT_EQ(ack(&f, 30002, 18178), OSCAR_LONG);
}

/* Not of 3 tau, 15 us: there the slope counts. */
static void oscar_few_packets__short(void)
{
	struct flow f = flow_few(true);

	ack(&f, 0, 18178);
	EXPECT_EQ(ack(&f, 15000, 18178), OSCAR_HOLD);
	EXPECT_EQ(f.seen.batch[0].lsq.count, 2);
}

/* Packets of 4000 B are 0.0176037 of that, an eighth 0.0022005; of 1060 B less than U_AI. */
static void oscar_few_packets__step(void)
{
	struct flow f = flow_few(true);

	f.s.mss = 4000;
	ack(&f, 0, 18178);
	ack(&f, 15001, 18178);
	EXPECT_NEAR(f.o.u, U(.0622027), 1e9);
	f = flow_few(false);
	f.s.mss = 4000;
	ack(&f, 0, 18178);
	ack(&f, 15001, 18178);
	ack(&f, 30002, 18178);
	EXPECT_NEAR(f.o.u, U(.0610022), 1e9);
}

/* Of eight packets what was rounded up is told, of nine not, and as published never. */
static void oscar_few_packets__rounded(void)
{
	struct flow f = flow_few(true);

	ack(&f, 0, 18178);			/* the window follows from the line now */
	f.o.cwnd = B(7 * 1060) + 1;
	f.d.window = 0;
	oscar_on_ack(&f.o, &f.seen, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.cwnd, B(8 * 1060));
	EXPECT_EQ(f.d.window, f.o.cwnd);
	f.o.cwnd = B(8 * 1060) + 1;
	f.d.window = 0;
	oscar_on_ack(&f.o, &f.seen, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.window, 0);
	f.o.cwnd = B(7 * 1060) + 1;
	f.k.few_packets = 0;
	oscar_on_ack(&f.o, &f.seen, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.window, 0);
}

/* Where a packet is more than D_target * C: at most all of it. */
static void oscar_few_packets__bounds(void)
{
	struct flow f = flow_few(true);

	f.s.line_rate = 1000;
	ack(&f, 0, 18178);
	ack(&f, 15001, 18178);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* --- where nothing is known of the line -------------------------------------------------- */

static void oscar_on_ack__reno(void)
{
	struct flow f = flow_new(1);

	oscar_init(&f.o, &f.k, 0, 10600);
	f.s.line_rate = 0;
	f.s.acked_bytes = 2120;
	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_RENO);
	EXPECT_EQ(f.o.cwnd, B(12720));		/* a packet per packet */
	EXPECT_EQ(f.d.pacing_rate, 0);
	f.s.cwnd_limited = false;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.o.cwnd, B(12720));
	f.s.cwnd_limited = true;
	f.s.recovery = true;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.o.cwnd, B(6360));
	EXPECT_EQ(f.o.ssthresh, B(6360));
	f.s.recovery = false;
	ack(&f, 0, 20000);
	EXPECT_NEAR(f.o.cwnd, B(6360) + 1060 * 256.0 * 2120 / 6360, 1);
	f.o.cwnd = B(3180);
	f.s.recovery = true;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.o.cwnd, B(2120));		/* two packets at least */
	EXPECT_EQ(f.seen.batch[0].lsq.count, 0);
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

static void oscar_on_ack__reno_bounds(void)
{
	struct flow f = flow_new(1);

	oscar_init(&f.o, &f.k, 0, 10);
	f.s.line_rate = 0;
	f.s.cwnd_limited = false;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.o.cwnd, B(1060));
	f.s.cwnd_limited = true;
	f.s.acked_bytes = U32_MAX;
	f.o.cwnd = (1ULL << 44) - 1;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.o.cwnd, 1ULL << 44);
}

static void oscar_on_rto__reno(void)
{
	struct flow f = flow_new(1);

	oscar_init(&f.o, &f.k, 0, 10600);
	f.s.line_rate = 0;
	ack(&f, 0, 20000);
	oscar_on_rto(&f.o, NULL, &f.k, 1060);
	EXPECT_EQ(f.o.cwnd, B(1060));
	EXPECT_EQ(f.o.ssthresh, B(5830));
	oscar_on_rto(&f.o, NULL, &f.k, 1060);
	EXPECT_EQ(f.o.ssthresh, B(2120));
	EXPECT_EQ(f.o.u, OSCAR_ONE);
}

/* Without memory, or without send times, too; with them u counts again. */
static void oscar_on_ack__blind(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	EXPECT_EQ(f.o.cwnd, 113612.5 * 256);
	f.s.sent_ns = 0;
	oscar_on_ack(&f.o, &f.seen, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_RENO);
	f.s.delay_ns = 0;			/* of no delay there is none */
	oscar_on_ack(&f.o, &f.seen, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_HOLD);
	EXPECT_EQ(f.o.cwnd, 113612.5 * 256);
	EXPECT_EQ(f.o.pacing, RATE_100G / 2);
	EXPECT_EQ(f.o.reno, 0);
	oscar_on_ack(&f.o, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, OSCAR_RENO);
	EXPECT_EQ(f.d.pacing_rate, 0);
}

/* The line rate is told only after the flow began. */
static void oscar_on_ack__line_rate_found(void)
{
	struct flow f = flow_new(1);

	oscar_init(&f.o, &f.k, 0, 10600);
	EXPECT_EQ(ack(&f, 0, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.o.cwnd, B(152225));
	EXPECT_EQ(f.o.pacing, RATE_100G);
	oscar_init(&f.o, &f.k, 0, 10600);
	f.s.base_rtt_ns = 0;
	ack(&f, 0, 0);
	EXPECT_EQ(f.o.pacing, RATE_100G);
	EXPECT_EQ(f.o.cwnd, B(10600));
}

/* A packet leaves while less than W is in flight: 113612.5 B are 108 packets. */
static void oscar_on_ack__whole_packets(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(108 * 1060));
	f.s.mss = 113612;
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(2 * 113612));
	f.o.cwnd = B(113612);
	ack(&f, 0, 20000);
	EXPECT_EQ(f.d.cwnd, B(113612));
}

/* Another route: window and pacing follow at once. */
static void oscar_on_ack__line_rate_changes(void)
{
	struct flow f = flow_new(.5);

	ack(&f, 0, 20000);
	f.s.line_rate = RATE_100G / 10;
	EXPECT_EQ(ack(&f, 100, 20000), OSCAR_HOLD);
	EXPECT_EQ(f.d.pacing_rate, RATE_100G / 20);
	EXPECT_EQ(f.o.cwnd, 11361.25 * 256);
}

static const struct unit_test tests[] = {
	UNIT_TEST(oscar_few_packets__two_acks),
	UNIT_TEST(oscar_few_packets__short),
	UNIT_TEST(oscar_few_packets__step),
	UNIT_TEST(oscar_few_packets__rounded),
	UNIT_TEST(oscar_few_packets__bounds),
	UNIT_TEST(oscar_knob__table),
	UNIT_TEST(oscar_params_set__paper),
	UNIT_TEST(oscar_params_set__target_queue),
	UNIT_TEST(oscar_params_set__knobs),
	UNIT_TEST(oscar_params_set__base_rtt),
	UNIT_TEST(oscar_init__bdp),
	UNIT_TEST(oscar_init__start_u),
	UNIT_TEST(oscar_init__slowest),
	UNIT_TEST(oscar_init__unknown),
	UNIT_TEST(oscar_free_start__phase),
	UNIT_TEST(oscar_free_start__alone),
	UNIT_TEST(oscar_free_start__keeps_flight),
	UNIT_TEST(oscar_free_start__met_first),
	UNIT_TEST(oscar_free_start__whole_flight),
	UNIT_TEST(oscar_free_start__one_packet),
	UNIT_TEST(oscar_free_start__long_flight),
	UNIT_TEST(oscar_free_start__own_queue),
	UNIT_TEST(oscar_free_start__late_flight),
	UNIT_TEST(oscar_free_start__queue),
	UNIT_TEST(oscar_free_start__loss),
	UNIT_TEST(oscar_free_start__no_news),
	UNIT_TEST(oscar_free_start__keeps_u),
	UNIT_TEST(oscar_free_start__grows),
	UNIT_TEST(oscar_free_start__dips),
	UNIT_TEST(oscar_free_start__reno),
	UNIT_TEST(oscar_update__golden),
	UNIT_TEST(oscar_update__hyper),
	UNIT_TEST(oscar_update__doubles),
	UNIT_TEST(oscar_update__doubles_after),
	UNIT_TEST(oscar_update__doubles_most),
	UNIT_TEST(oscar_update__doubles_end),
	UNIT_TEST(oscar_update__above),
	UNIT_TEST(oscar_update__below),
	UNIT_TEST(oscar_update__slack),
	UNIT_TEST(oscar_update__long),
	UNIT_TEST(oscar_update__gradient_clamp),
	UNIT_TEST(oscar_update__clamp),
	UNIT_TEST(oscar_update__window_and_pacing),
	UNIT_TEST(oscar_update__ai),
	UNIT_TEST(oscar_update__fills),
	UNIT_TEST(oscar_update__app_limited),
	UNIT_TEST(oscar_update__random),
	UNIT_TEST(oscar_on_ack__drained),
	UNIT_TEST(oscar_on_ack__not_drained),
	UNIT_TEST(oscar_on_ack__drained_low),
	UNIT_TEST(oscar_on_ack__drained_two),
	UNIT_TEST(oscar_on_ack__edge),
	UNIT_TEST(oscar_on_ack__no_edge),
	UNIT_TEST(oscar_on_ack__edge_after_batch),
	UNIT_TEST(oscar_on_ack__end),
	UNIT_TEST(oscar_on_ack__no_end),
	UNIT_TEST(oscar_on_ack__end_wrap),
	UNIT_TEST(oscar_on_ack__end_forgets),
	UNIT_TEST(oscar_on_ack__end_acked),
	UNIT_TEST(oscar_on_ack__end_keeps),
	UNIT_TEST(oscar_on_ack__end_begins),
	UNIT_TEST(oscar_on_ack__edge_before),
	UNIT_TEST(oscar_on_ack__end_oldest),
	UNIT_TEST(oscar_on_ack__falls),
	UNIT_TEST(oscar_on_ack__idle_no_drain),
	UNIT_TEST(oscar_on_ack__idle_no_end),
	UNIT_TEST(oscar_on_ack__no_drain),
	UNIT_TEST(oscar_on_ack__drained_keeps),
	UNIT_TEST(oscar_on_ack__drained_far),
	UNIT_TEST(oscar_on_ack__drained_second),
	UNIT_TEST(oscar_on_ack__drained_between),
	UNIT_TEST(oscar_on_ack__closes),
	UNIT_TEST(oscar_on_ack__estimates),
	UNIT_TEST(oscar_on_ack__inflight),
	UNIT_TEST(oscar_on_ack__rate),
	UNIT_TEST(oscar_on_ack__bytes_without_delay),
	UNIT_TEST(oscar_on_ack__overtaken),
	UNIT_TEST(oscar_on_ack__not_overtaken),
	UNIT_TEST(oscar_on_ack__overtaken_wrap),
	UNIT_TEST(oscar_on_ack__dips),
	UNIT_TEST(oscar_on_ack__overtaken_no_drain),
	UNIT_TEST(oscar_on_ack__overtaken_both),
	UNIT_TEST(oscar_on_ack__clock_wrap),
	UNIT_TEST(oscar_on_ack__sent_at_once),
	UNIT_TEST(oscar_on_ack__full),
	UNIT_TEST(oscar_on_ack__idle),
	UNIT_TEST(oscar_on_ack__paced_slowly),
	UNIT_TEST(oscar_on_ack__paced_slowly_in_pairs),
	UNIT_TEST(oscar_on_ack__steep),
	UNIT_TEST(oscar_on_ack__a_second),
	UNIT_TEST(oscar_on_ack__does_not_fit),
	UNIT_TEST(oscar_on_ack__tells_the_largest),
	UNIT_TEST(oscar_on_ack__maybe_delayed),
	UNIT_TEST(oscar_on_ack__fills),
	UNIT_TEST(oscar_on_ack__fills_again),
	UNIT_TEST(oscar_on_ack__app_limited),
	UNIT_TEST(oscar_on_ack__base_rtt_found),
	UNIT_TEST(oscar_on_ack__loss_changes_nothing),
	UNIT_TEST(oscar_on_ack__too_many_lost),
	UNIT_TEST(oscar_on_ack__lost_halves),
	UNIT_TEST(oscar_on_ack__most_lost),
	UNIT_TEST(oscar_on_ack__most_lost_rate),
	UNIT_TEST(oscar_on_ack__lost_first),
	UNIT_TEST(oscar_on_ack__lossy_first_flight),
	UNIT_TEST(oscar_update__lossy),
	UNIT_TEST(oscar_on_rto__halves),
	UNIT_TEST(oscar_on_idle__drops_the_batch),
	UNIT_TEST(oscar_on_ack__reno),
	UNIT_TEST(oscar_on_ack__reno_bounds),
	UNIT_TEST(oscar_on_rto__reno),
	UNIT_TEST(oscar_on_ack__blind),
	UNIT_TEST(oscar_on_ack__line_rate_found),
	UNIT_TEST(oscar_on_ack__whole_packets),
	UNIT_TEST(oscar_on_ack__line_rate_changes),
};

UNIT_MAIN(tests)
