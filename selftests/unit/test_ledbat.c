// SPDX-License-Identifier: GPL-2.0
/* Tests of tcp_ledbat/ledbat.c, common/cc/dcc_ledbat.c: histories, controller, a flow. */
#include "ledbat.h"
#include "unit.h"

#define MINUTE		60000000000ULL
#define MS		1000000ULL
#define PKTS(x)		((u64)((x) * DCC_PKT + 0.5))
#define START		(5 * MINUTE)

/* base RTT 100 us, target 100 us above it, packets of 1000 B, 10 of them out. */
struct flow {
	struct ledbat l;
	struct ledbat_history h;
	struct ledbat_knobs k;
	struct dcc_sample s;
	struct dcc_decision d;
};

static struct flow flow_new(double cwnd)
{
	struct flow f = {
		.k = { .gain = 1000, .target_qdelay_us = 100 },
		.s = {
			.now_ns = START, .delay_ns = 100000,
			.base_rtt_ns = 100000, .srtt_ns = 100000, .acked = 1,
			.acked_bytes = 1000, .flight = 99000, .mss = 1000,
			.cwnd_limited = true,
		},
	};

	ledbat_init(&f.l, 10);
	f.l.cwnd = PKTS(cwnd);
	return f;
}

/* One ACK; returns the branch. */
static u8 ack(struct flow *f, u32 delay)
{
	memset(&f->d, 0, sizeof(f->d));
	f->s.now_ns += 1000;
	f->s.delay_ns = delay;
	ledbat_on_ack(&f->l, &f->h, &f->k, &f->s, &f->d);
	EXPECT_EQ(f->d.cwnd, f->l.cwnd * f->s.mss >> 12);
	EXPECT_EQ(f->d.pacing_rate, 0);
	return f->d.branch;
}

/* As many ACKs as the current filter holds, so that only this delay counts. */
static void settle(struct flow *f, u32 delay)
{
	u32 i;

	for (i = 0; i < LEDBAT_CURRENT; i++)
		ledbat_history_add(&f->h, delay, f->s.now_ns);
}

/* --- the histories ------------------------------------------------------------- */

static void ledbat_history_add__least_of_a_minute(void)
{
	struct ledbat_history h = { 0 };

	EXPECT_EQ(ledbat_history_base(&h), 0);
	EXPECT_EQ(ledbat_history_current(&h), 0);
	ledbat_history_add(&h, 500, START);
	ledbat_history_add(&h, 300, START + 1);
	ledbat_history_add(&h, 400, START + MINUTE - 1);
	EXPECT_EQ(ledbat_history_base(&h), 300);
	EXPECT_EQ(h.base[0], 300);
	EXPECT_EQ(h.base[1], 0);
	EXPECT_EQ(h.minute, 6);
}

static void ledbat_history_add__minutes(void)
{
	struct ledbat_history h = { 0 };
	u32 i;

	ledbat_history_add(&h, 300, 0);
	for (i = 1; i < LEDBAT_MINUTES; i++) {
		ledbat_history_add(&h, 1000 + i, i * MINUTE);
		EXPECT_EQ(h.base[0], 1000 + i);
		EXPECT_EQ(ledbat_history_base(&h), 300);
	}
	ledbat_history_add(&h, 2000, 10 * MINUTE - 1);
	EXPECT_EQ(ledbat_history_base(&h), 300);
	ledbat_history_add(&h, 2000, 10 * MINUTE);
	EXPECT_EQ(ledbat_history_base(&h), 1001);
	EXPECT_EQ(h.base[LEDBAT_MINUTES - 1], 1001);
}

/* A minute's turn forgets one minimum, and none of the last delays. */
static void ledbat_history_add__turn(void)
{
	struct ledbat_history h = { 0 };
	u32 i;

	for (i = 0; i < LEDBAT_MINUTES; i++)
		ledbat_history_add(&h, 1000 + i, i * MINUTE);
	for (i = 0; i < LEDBAT_MINUTES; i++)
		EXPECT_EQ(h.base[i], 1000 + LEDBAT_MINUTES - 1 - i);
	for (i = 0; i < LEDBAT_CURRENT; i++)	/* the third is the first one in memory */
		ledbat_history_add(&h, i == 2 ? 1500 : 2000, (LEDBAT_MINUTES - 1) * MINUTE);
	ledbat_history_add(&h, 3000, LEDBAT_MINUTES * MINUTE);
	EXPECT_EQ(ledbat_history_current(&h), 1500);
	EXPECT_EQ(ledbat_history_base(&h), 1001);
}

/* An hour of silence is one turn: the other nine minima stay. */
static void ledbat_history_add__silence(void)
{
	struct ledbat_history h = { 0 };

	ledbat_history_add(&h, 300, 0);
	ledbat_history_add(&h, 700, 60 * MINUTE);
	EXPECT_EQ(h.base[0], 700);
	EXPECT_EQ(h.base[1], 300);
	EXPECT_EQ(h.base[2], 0);
	EXPECT_EQ(h.minute, 61);
}

/* The least of the last four. */
static void ledbat_history_add__current(void)
{
	struct ledbat_history h = { 0 };

	ledbat_history_add(&h, 400, START);
	ledbat_history_add(&h, 300, START);
	ledbat_history_add(&h, 500, START);
	ledbat_history_add(&h, 600, START);
	EXPECT_EQ(ledbat_history_current(&h), 300);
	ledbat_history_add(&h, 700, START);
	EXPECT_EQ(ledbat_history_current(&h), 300);
	ledbat_history_add(&h, 800, START);
	EXPECT_EQ(ledbat_history_current(&h), 500);
	EXPECT_EQ(h.next, 2);
	ledbat_history_add(&h, 900, START);
	ledbat_history_add(&h, 200, START);	/* the last of the four places */
	EXPECT_EQ(ledbat_history_current(&h), 200);
	EXPECT_EQ(h.next, 0);
}

/* --- the controller ------------------------------------------------------------- */

/* W += gain (target - q) / target acked / W. */
static void ledbat_adjust__up(void)
{
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 0, 1), PKTS(10.1));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 75, 1), PKTS(10.025));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(.5), 100, 0, 4), PKTS(10.2));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 100, 1), PKTS(10));
}

static void ledbat_adjust__down(void)
{
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 125, 1), PKTS(9.975));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 1100, 2), PKTS(8));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 10099, 1), 1049);
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 10101, 1), 0);
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 100, 10100, 1), 0);
}

/* Below a packet as at one; no number overflows. */
static void ledbat_adjust__ends(void)
{
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(.1), PKTS(1), 100, 0, 1), PKTS(1.1));
	EXPECT_EQ(dcc_ledbat_adjust(0, PKTS(1), 100, 50, 1), PKTS(.5));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(1000), PKTS(1), 1, U32_MAX, U32_MAX), 0);
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(1), PKTS(1), U32_MAX, 0, U32_MAX),
		  PKTS(65536));
}

/* With a target of 0 there is no room: it never grows, and shrinks as with one of 1 ns. */
static void ledbat_adjust__no_target(void)
{
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 0, 0, 1), PKTS(10));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 0, 1, 1), PKTS(9.9));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 0, 2, 1), PKTS(9.8));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 0, U32_MAX, U32_MAX), 0);
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 1, 0, 1), PKTS(10.1));
	EXPECT_EQ(dcc_ledbat_adjust(PKTS(10), PKTS(1), 1, 2, 1), PKTS(9.9));
}

/* --- a flow ----------------------------------------------------------------------- */

static void ledbat_init__bounds(void)
{
	struct ledbat l;

	memset(&l, 5, sizeof(l));
	ledbat_init(&l, 10);
	EXPECT_EQ(l.cwnd, PKTS(10));
	EXPECT_EQ(l.last_cut_ns, 0);
	EXPECT_EQ(l.started_ns, 0);
	EXPECT_EQ(l.starting, 0);
	EXPECT_EQ(l.start.flight_ns, 0);
	ledbat_init(&l, 1);
	EXPECT_EQ(l.cwnd, PKTS(2));
	ledbat_init(&l, U32_MAX);
	EXPECT_EQ(l.cwnd, (u64)DCC_CWND_MAX_PKTS << 20);
}

/* base 100 us: 150 us is half of the target, 250 us half of it too much. */
static void ledbat_on_ack__follows_the_delay(void)
{
	struct flow f = flow_new(10);

	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(10.1));
	settle(&f, 150000);
	f.l.cwnd = PKTS(10);
	EXPECT_EQ(ack(&f, 150000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(10.05));
	EXPECT_EQ(f.d.delay_ns, 150000);
	EXPECT_EQ(f.d.target_ns, 200000);
	settle(&f, 250000);
	f.l.cwnd = PKTS(10);
	EXPECT_EQ(ack(&f, 250000), LEDBAT_DECREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(9.95));
}

static void ledbat_on_ack__knobs(void)
{
	struct flow f = flow_new(10);

	f.k.gain = 500;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(10.05));
	f.k.target_qdelay_us = 50;
	settle(&f, 125000);
	f.l.cwnd = PKTS(10);
	ack(&f, 125000);
	EXPECT_EQ(f.l.cwnd, PKTS(10.025));
	EXPECT_EQ(f.d.target_ns, 150000);
}

/* At the target nothing changes, and that is no decrease. */
static void ledbat_on_ack__at_the_target(void)
{
	struct flow f = flow_new(10);

	ledbat_history_add(&f.h, 100000, START);
	settle(&f, 200000);
	EXPECT_EQ(ack(&f, 200000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(10));
	settle(&f, 200001);
	EXPECT_EQ(ack(&f, 200001), LEDBAT_DECREASE);
}

/* A single late packet is not the least of four. */
static void ledbat_on_ack__filter(void)
{
	struct flow f = flow_new(10);

	ack(&f, 100000);
	f.l.cwnd = PKTS(10);
	EXPECT_EQ(ack(&f, 900000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(10.1));
	EXPECT_EQ(f.d.delay_ns, 100000);
}

/* Packets in flight before the ACK, and one. */
static void ledbat_on_ack__allowed_increase(void)
{
	struct flow f = flow_new(10);

	f.s.flight = 8500;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(10.1));
	f.s.flight = 8000;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(10));
	f.s.flight = 2000;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(4));
	f.s.flight = 0;
	f.s.acked_bytes = 0;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(2));
}

static void ledbat_on_ack__largest(void)
{
	struct flow f = flow_new(DCC_CWND_MAX_PKTS);

	f.s.flight = U32_MAX;
	f.s.mss = 1;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, (u64)DCC_CWND_MAX_PKTS << 20);
}

/* Halved for a loss, once per RTT, to two packets at least. */
static void ledbat_on_ack__loss(void)
{
	struct flow f = flow_new(10);

	f.s.losses = 1;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_LOSS);
	EXPECT_EQ(f.l.cwnd, PKTS(5));
	EXPECT_EQ(f.l.last_cut_ns, f.s.now_ns);
	f.s.now_ns += 98999;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	f.s.losses = 0;
	f.l.cwnd = PKTS(5);
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	f.s.losses = 2;
	f.l.cwnd = PKTS(3);
	f.s.now_ns = f.l.last_cut_ns + 99000;	/* one RTT, to the ns */
	EXPECT_EQ(ack(&f, 100000), LEDBAT_LOSS);
	EXPECT_EQ(f.l.cwnd, PKTS(2));
	f = flow_new(10);			/* the first, in the first RTT of all */
	f.s.losses = 1;
	f.s.now_ns = 0;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_LOSS);
	EXPECT_EQ(f.l.cwnd, PKTS(5));
}

/* Lost packets were out, too: nine of ten gone, and the window is halved only. */
static void ledbat_on_ack__loss_and_flight(void)
{
	struct flow f = flow_new(10);

	f.s.losses = 8;
	f.s.flight = 1000;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_LOSS);
	EXPECT_EQ(f.l.cwnd, PKTS(5));
	f.l.cwnd = PKTS(10.9);			/* within the RTT: not halved again */
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_NEAR(f.l.cwnd, PKTS(10.9 + 1 / 10.9), 1);
}

/* Without a delay the last ones stand; without any nothing is done. */
static void ledbat_on_ack__no_delay(void)
{
	struct flow f = flow_new(10);

	EXPECT_EQ(ack(&f, 0), LEDBAT_HOLD);
	EXPECT_EQ(f.l.cwnd, PKTS(10));
	ack(&f, 100000);
	f.l.cwnd = PKTS(10);
	EXPECT_EQ(ack(&f, 0), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(10.1));
	EXPECT_EQ(f.h.next, 1);
}

/* Held back by the receiver, a delay counts below the target only. */
static void ledbat_on_ack__maybe_delayed(void)
{
	struct flow f = flow_new(10);

	ack(&f, 100000);
	f.s.maybe_delayed = true;
	ack(&f, 200000);
	EXPECT_EQ(f.h.next, 1);
	ack(&f, 199999);
	EXPECT_EQ(f.h.next, 2);
	f.s.maybe_delayed = false;
	ack(&f, 200000);
	EXPECT_EQ(f.h.next, 3);
}

/* No memory: the flow's base RTT and the latest delay. */
static void ledbat_on_ack__no_history(void)
{
	struct flow f = flow_new(10);

	f.s.delay_ns = 250000;
	ledbat_on_ack(&f.l, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, LEDBAT_DECREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(9.95));
	EXPECT_EQ(f.d.target_ns, 200000);
	f.s.delay_ns = 90000;			/* less than the base: empty */
	f.l.cwnd = PKTS(10);
	ledbat_on_ack(&f.l, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.l.cwnd, PKTS(10.1));
	f.s.base_rtt_ns = 0;
	ledbat_on_ack(&f.l, NULL, &f.k, &f.s, &f.d);
	EXPECT_EQ(f.d.branch, LEDBAT_HOLD);
	EXPECT_EQ(f.d.target_ns, 0);
}

/* The history's base is younger than the flow's. */
static void ledbat_on_ack__own_base(void)
{
	struct flow f = flow_new(10);

	f.s.base_rtt_ns = 50000;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(10.1));
	EXPECT_EQ(f.d.target_ns, 200000);
}

static void ledbat_on_ack__extremes(void)
{
	struct flow f = flow_new(10);

	f.k.target_qdelay_us = 100000;
	f.s.base_rtt_ns = U32_MAX;
	f.s.flight = U32_MAX;
	f.s.acked_bytes = U32_MAX;
	f.s.losses = U32_MAX;
	f.s.acked = U32_MAX;
	EXPECT_EQ(ack(&f, U32_MAX), LEDBAT_LOSS);
	EXPECT_EQ(f.d.target_ns, U32_MAX);
	EXPECT_EQ(f.l.cwnd, PKTS(5));
}

/* One packet, and with the next ACK two. */
static void ledbat_on_rto__one_packet(void)
{
	struct flow f = flow_new(10);

	ledbat_on_rto(&f.l);
	EXPECT_EQ(f.l.cwnd, PKTS(1));
	ack(&f, 0);
	EXPECT_EQ(f.l.cwnd, PKTS(2));
}

static void ledbat_on_idle__forgets_the_current(void)
{
	struct flow f = flow_new(10);

	settle(&f, 100000);
	ledbat_on_idle(&f.h);
	EXPECT_EQ(ledbat_history_current(&f.h), 0);
	EXPECT_EQ(ledbat_history_base(&f.h), 100000);
	ledbat_on_idle(NULL);
}

/* --- how it starts ------------------------------------------------------------------ */

/*
 * As flow_new(), and new. The line carries @kpps packets a ms, all that may be out is; the
 * first ACKs are of a flight that no ACK let out, and come as fast as the line.
 */
static struct flow flow_starting(double cwnd, u32 kpps)
{
	struct flow f = flow_new(10);

	f.s.line_rate = kpps * 1000000ULL;
	f.s.fills = true;
	ledbat_slow_start(&f.l, &f.k);
	f.l.cwnd = PKTS(cwnd);
	return f;
}

/* By the knob, or by a route whose window is larger than the stack's. */
static void ledbat_slow_start__window_told(void)
{
	struct flow f = flow_new(10);

	EXPECT_EQ(f.l.starting, 0);
	ledbat_slow_start(&f.l, &f.k);
	EXPECT_EQ(f.l.starting, 1);
	f.k.flow.init_cwnd = 10;
	ledbat_slow_start(&f.l, &f.k);
	EXPECT_EQ(f.l.starting, 0);
	f.k.flow.init_cwnd = 0;
	f.l.cwnd = PKTS(11);
	ledbat_slow_start(&f.l, &f.k);
	EXPECT_EQ(f.l.starting, 0);
}

/* A packet for a packet: a window of ACKs doubles it. */
static void ledbat_step__doubles(void)
{
	struct flow f = flow_starting(10, 1000);
	u32 i;

	for (i = 0; i < 10; i++)
		EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	EXPECT_EQ(f.l.cwnd, PKTS(20));
	EXPECT_EQ(f.d.starts, true);
	f.s.acked = 5;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	EXPECT_EQ(f.l.cwnd, PKTS(25));
	f.s.acked = 1;
	f.s.cwnd_limited = false;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(25.04));
	f.s.cwnd_limited = true;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
}

/* 100 packets a ms: 20 in base RTT and target. Not beyond, and then by GAIN. */
static void ledbat_start_step__room(void)
{
	struct flow f = flow_starting(18, 100);

	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	f.s.acked = 2;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	EXPECT_EQ(f.l.cwnd, PKTS(20));
	f.s.acked = 1;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(20.05));
	EXPECT_EQ(f.d.starts, false);
	f = flow_starting(10, 0);		/* the line rate is not known */
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_EQ(f.d.starts, false);
	f = flow_starting(21, 100);		/* more than there is room for */
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_NEAR(f.l.cwnd, PKTS(21 + 1 / 21.), 1);
}

static void ledbat_start_step__no_overflow(void)
{
	struct flow f = flow_starting(10, 100);

	f.s.flight = 0;
	f.s.acked = 20000;
	f.k.target_qdelay_us = 100000;
	EXPECT_EQ(ack(&f, U32_MAX), LEDBAT_START);
	EXPECT_EQ(f.l.cwnd, PKTS(20010));
	f = flow_starting(10, 1000);
	f.s.acked = U32_MAX;
	f.s.line_rate = U64_MAX;
	f.s.mss = 1;
	f.s.base_rtt_ns = U32_MAX;
	f.k.target_qdelay_us = 100000;
	EXPECT_EQ(ack(&f, U32_MAX), LEDBAT_START);
	EXPECT_EQ(f.l.cwnd, (u64)DCC_CWND_MAX_PKTS << 20);
}

/* Once and for all; but the first packets wait for each other. */
static void ledbat_react__start_ends_at_the_target(void)
{
	struct flow f = flow_starting(10, 1000);

	ledbat_history_add(&f.h, 100000, START);
	settle(&f, 200001);
	EXPECT_EQ(ack(&f, 200001), LEDBAT_START);
	f.s.fills = false;
	settle(&f, 199999);
	EXPECT_EQ(ack(&f, 199999), LEDBAT_START);
	settle(&f, 200000);
	EXPECT_EQ(ack(&f, 200000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(12));
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	f = flow_starting(10, 1000);
	f.s.fills = false;
	ledbat_history_add(&f.h, 100000, START);
	settle(&f, 250000);
	EXPECT_EQ(ack(&f, 250000), LEDBAT_DECREASE);
	EXPECT_EQ(f.d.starts, false);
}

static void ledbat_on_ack__start_ends_with_a_cut(void)
{
	struct flow f = flow_starting(10, 1000);

	f.s.losses = 1;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_LOSS);
	f.s.losses = 0;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	f = flow_starting(10, 1000);
	ledbat_on_rto(&f.l);
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
}

/* The line carries a packet in 10 us, and they come 24 us apart: others have some of it. */
static void ledbat_start_step__ends_in_company(void)
{
	struct flow f = flow_starting(5, 100);

	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	EXPECT_EQ(f.l.start.flight_cwnd, PKTS(5));
	f.s.now_ns += 23000;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	f.s.now_ns += 24000;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_EQ(f.l.cwnd, PKTS(5.2));
	f.s.fills = false;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
}

/* What a start added is in flight an RTT later; only then it counts what is. */
static void ledbat_bound__while_it_leaves(void)
{
	struct flow f = flow_starting(10, 1000);

	f.s.flight = 9000;
	f.s.acked = 5;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_START);
	EXPECT_EQ(f.l.started_ns, f.s.now_ns);
	EXPECT_EQ(f.l.cwnd, PKTS(15));
	f.s.acked = 1;
	f.s.cwnd_limited = false;
	f.s.now_ns += 98998;
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);
	EXPECT_NEAR(f.l.cwnd, PKTS(15 + 1 / 15.), 1);
	EXPECT_EQ(ack(&f, 100000), LEDBAT_INCREASE);	/* 99,999 + 1,000 ns */
	EXPECT_EQ(f.l.cwnd, PKTS(11));
	f = flow_starting(10, 1000);
	f.s.flight = 9000;
	f.s.acked = 5;
	ack(&f, 100000);
	f.s.cwnd_limited = false;
	f.s.now_ns += 99000;			/* one RTT, to the ns */
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(11));
	f = flow_new(10);			/* never, and the clock is young */
	f.s.now_ns = 0;
	f.s.flight = 2000;
	ack(&f, 100000);
	EXPECT_EQ(f.l.cwnd, PKTS(4));
}

static const struct unit_test tests[] = {
	UNIT_TEST(ledbat_history_add__least_of_a_minute),
	UNIT_TEST(ledbat_history_add__minutes),
	UNIT_TEST(ledbat_history_add__turn),
	UNIT_TEST(ledbat_history_add__silence),
	UNIT_TEST(ledbat_history_add__current),
	UNIT_TEST(ledbat_adjust__up),
	UNIT_TEST(ledbat_adjust__down),
	UNIT_TEST(ledbat_adjust__ends),
	UNIT_TEST(ledbat_adjust__no_target),
	UNIT_TEST(ledbat_init__bounds),
	UNIT_TEST(ledbat_on_ack__follows_the_delay),
	UNIT_TEST(ledbat_on_ack__knobs),
	UNIT_TEST(ledbat_on_ack__at_the_target),
	UNIT_TEST(ledbat_on_ack__filter),
	UNIT_TEST(ledbat_on_ack__allowed_increase),
	UNIT_TEST(ledbat_on_ack__largest),
	UNIT_TEST(ledbat_on_ack__loss),
	UNIT_TEST(ledbat_on_ack__loss_and_flight),
	UNIT_TEST(ledbat_on_ack__no_delay),
	UNIT_TEST(ledbat_on_ack__maybe_delayed),
	UNIT_TEST(ledbat_on_ack__no_history),
	UNIT_TEST(ledbat_on_ack__own_base),
	UNIT_TEST(ledbat_on_ack__extremes),
	UNIT_TEST(ledbat_on_rto__one_packet),
	UNIT_TEST(ledbat_on_idle__forgets_the_current),
	UNIT_TEST(ledbat_slow_start__window_told),
	UNIT_TEST(ledbat_step__doubles),
	UNIT_TEST(ledbat_start_step__room),
	UNIT_TEST(ledbat_start_step__no_overflow),
	UNIT_TEST(ledbat_react__start_ends_at_the_target),
	UNIT_TEST(ledbat_on_ack__start_ends_with_a_cut),
	UNIT_TEST(ledbat_start_step__ends_in_company),
	UNIT_TEST(ledbat_bound__while_it_leaves),
};

UNIT_MAIN(tests)
