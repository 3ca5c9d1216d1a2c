// SPDX-License-Identifier: GPL-2.0
/* Min-RTT probes; see dcc_drain.h. */
#include "cc/dcc_drain.h"
#include "unit.h"

#define US	1000U
#define START	1000000000ULL
#define BASE	(100 * US)
#define ALL	(1U << DCC_DRAIN_SHIFT)

struct flow {
	struct dcc_drain p;
	struct dcc_drain_knobs k;
	struct dcc_drain_delay d;
};

/* A flow whose first delay was the base RTT; deep min-RTT probes still to come. */
static struct flow flow_new(u32 deep)
{
	struct flow f = {
		.k = { DCC_DRAIN_KNOBS(DCC_KNOB_DEFAULT, 0) },
		.d = {
			.now_ns = START, .sent_ns = START - BASE,
			.delay_ns = BASE, .srtt_ns = BASE, .base_ns = BASE,
			.limited = true,
			.line_rate = NSEC_PER_SEC,	/* a byte is a nanosecond */
		},
	};

	dcc_drain_on_delay(&f.p, &f.k, &f.d);
	f.p.deep = deep;
	return f;
}

/* The next delay, that much later and that long; srtt is the same. */
static u32 delay(struct flow *f, u64 after, u32 delay_ns)
{
	f->d.now_ns += after;
	f->d.delay_ns = delay_ns;
	f->d.sent_ns = f->d.now_ns - delay_ns;
	f->d.srtt_ns = delay_ns;
	return dcc_drain_on_delay(&f->p, &f->k, &f->d);
}

static u32 share(const struct flow *f)
{
	return dcc_drain_share(&f->p, f->d.now_ns);
}

/*
 * Into a min-RTT probe at the present delay, and out of it at that one: the base RTT from then on.
 */
static u32 drain(struct flow *f, u32 high, u32 low)
{
	u32 base;

	delay(f, 8 * (u64)high, high);
	EXPECT_EQ(f->p.on, 1);
	base = delay(f, f->p.until_ns - f->d.now_ns, low);
	EXPECT_EQ(f->p.on, 1);
	EXPECT_EQ(base, f->d.base_ns);
	return delay(f, low, low);
}

static void drain__first_delay(void)
{
	struct flow f = flow_new(0);
	struct dcc_drain p = {};

	dcc_drain_on_delay(&p, &f.k, &f.d);
	EXPECT_EQ(p.deep, 3);
	EXPECT_EQ(p.on, 0);
	EXPECT_EQ(p.low_ns, BASE);
	EXPECT_EQ(p.rest_ns, START);
	EXPECT_EQ(dcc_drain_share(&p, START), ALL);
}

/* A knob of 1 rests for 1. */
static void drain__rest_within_knob(void)
{
	struct flow f = flow_new(0);

	f.k.drain_rtts = 1;
	f.p.low_ns = 2 * BASE;
	delay(&f, 2 * BASE - 1, 2 * BASE);
	EXPECT_EQ(f.p.on, 0);
	delay(&f, 1, 2 * BASE);
	EXPECT_EQ(f.p.on, 1);
}

/* Not above the low before the time is up, then whatever the delay. */
static void drain__latest(void)
{
	struct flow f = flow_new(0);

	delay(&f, 1, BASE + 50 * US);
	delay(&f, 16 * BASE - 2, 2 * BASE);
	EXPECT_EQ(f.p.on, 0);
	delay(&f, 1, 2 * BASE);
	EXPECT_EQ(f.p.on, 1);
}

/* At the low, but not within two srtt. */
static void drain__trough(void)
{
	struct flow f = flow_new(0);

	f.p.low_ns = 2 * BASE;
	delay(&f, 4 * BASE - 1, 2 * BASE);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.low_ns, 2 * BASE);
	delay(&f, 1, 2 * BASE + 1);
	EXPECT_EQ(f.p.on, 0);
	delay(&f, 0, 2 * BASE);
	EXPECT_EQ(f.p.on, 1);
}

/* The low gains 1 / rtts of what is missing to srtt, per srtt. */
static void drain__leak(void)
{
	struct flow f = flow_new(0);

	f.d.limited = false;
	delay(&f, 2 * BASE, 2 * BASE);
	EXPECT_EQ(f.p.low_ns, BASE + BASE / 8);
	delay(&f, 0, 2 * BASE);
	EXPECT_EQ(f.p.low_ns, BASE + BASE / 8);
	delay(&f, 1000 * BASE, 2 * BASE);
	EXPECT_EQ(f.p.low_ns, 2 * BASE);
	delay(&f, 1000 * BASE, BASE);
	EXPECT_EQ(f.p.low_ns, BASE);
}

/* A delay within 1/64 of the base RTT puts the next min-RTT probe off. */
static void drain__empty_path(void)
{
	struct flow f = flow_new(0);
	u32 little = BASE / 64;

	delay(&f, 100 * BASE, BASE + little);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.rest_ns, f.d.now_ns);
	delay(&f, 100 * BASE, BASE + little + 1);
	EXPECT_EQ(f.p.on, 1);
}

/* Nor is it a queue by what the hosts delay packets, whatever the way. */
static void drain__hosts(void)
{
	struct flow f = flow_new(0);

	f.d.hosts_ns = 30 * US;
	delay(&f, 100 * BASE, BASE + BASE / 64 + 30 * US);
	EXPECT_EQ(f.p.on, 0);
	delay(&f, 100 * BASE, BASE + BASE / 64 + 30 * US + 1);
	EXPECT_EQ(f.p.on, 1);
	f = flow_new(0);
	f.d.hosts_ns = 2 * (u64)U32_MAX;
	delay(&f, 100 * BASE, U32_MAX);
	EXPECT_EQ(f.p.on, 0);
}

/* The first min-RTT probes do not trust a base RTT that nobody has tried. */
static void drain__empty_path_while_deep(void)
{
	struct flow f = flow_new(1);

	delay(&f, 100 * BASE, BASE);
	EXPECT_EQ(f.p.on, 1);
	EXPECT_EQ(share(&f), ALL / 4);
	EXPECT_EQ(f.p.deep, 0);
}

/* But those of a flow whose window doubles do, and wait. */
static void drain__starts(void)
{
	struct flow f = flow_new(1);

	f.d.starts = true;
	delay(&f, 100 * BASE, BASE + BASE / 64);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.rest_ns, f.d.now_ns);
	delay(&f, 100 * BASE, BASE + BASE / 64 + 1);
	EXPECT_EQ(f.p.on, 1);
	EXPECT_EQ(share(&f), ALL / 4 * 64 / 65);
}

/* If nobody was seen, at 1/8, too; and its first ones stay deep until it has started. */
static void drain__starts_alone(void)
{
	struct flow f = flow_new(3);

	f.d.starts = true;
	f.d.alone = true;
	delay(&f, 100 * BASE, BASE + BASE / 8);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.rest_ns, f.d.now_ns);
	EXPECT_EQ(f.p.deep, 3);
	delay(&f, 100 * BASE, BASE + BASE / 8 + 1);
	EXPECT_EQ(f.p.on, 1);
	EXPECT_EQ(share(&f), ALL / 4 * 8 / 9);
}

/* Of a flow that is alone as far as it knows one min-RTT probe is certain, and not deep. */
static void drain__alone(void)
{
	struct flow f = flow_new(3);

	f.d.alone = true;
	delay(&f, BASE, BASE + BASE / 8);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.deep, 0);
	delay(&f, 7 * BASE, BASE);
	EXPECT_EQ(f.p.on, 1);
	EXPECT_EQ(share(&f), ALL - ALL / 8);
	delay(&f, f.p.until_ns - f.d.now_ns + BASE, BASE);
	EXPECT_EQ(f.p.on, 0);
	delay(&f, 100 * BASE, BASE + BASE / 8);
	EXPECT_EQ(f.p.on, 0);			/* it told that nobody is there */
	delay(&f, 100 * BASE, BASE + BASE / 8 + 1);
	EXPECT_EQ(f.p.on, 1);
}

/* If the base RTT falls in it, somebody was. */
static void drain__alone_fell(void)
{
	struct flow f = flow_new(3);

	f.d.alone = true;
	delay(&f, BASE, BASE);
	delay(&f, 7 * BASE, BASE);
	EXPECT_EQ(f.p.on, 1);
	f.d.base_ns = BASE * 7 / 8;
	f.d.fell = true;
	delay(&f, BASE, BASE * 7 / 8);
	EXPECT_EQ(f.p.deep, 2);
	f.d.fell = false;
	delay(&f, BASE, BASE * 7 / 8);
	EXPECT_EQ(f.p.deep, 2);
}

/*
 * A sprayed flow: one packet within 1/8 of the base RTT, and no min-RTT probe, a deep one neither,
 * for two srtt; its first are not deep.
 */
static void drain__paths(void)
{
	struct dcc_drain p = {};
	struct flow f = flow_new(1);

	f.d.paths = true;
	dcc_drain_on_delay(&p, &f.k, &f.d);
	EXPECT_EQ(p.deep, 0);
	delay(&f, 100 * BASE, BASE + BASE / 8);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.rest_ns, f.d.now_ns);
	f.p.low_ns = 2 * BASE;
	delay(&f, 4 * BASE - 1, 2 * BASE);
	EXPECT_EQ(f.p.on, 0);
	delay(&f, 1, 2 * BASE);
	EXPECT_EQ(f.p.on, 1);
	EXPECT_EQ(share(&f), ALL / 8);
	f = flow_new(0);
	f.d.paths = true;
	delay(&f, 100 * BASE, BASE + BASE / 8 + 1);
	EXPECT_EQ(f.p.on, 1);
}

static void drain__not_limited(void)
{
	struct flow f = flow_new(1);

	f.d.limited = false;
	delay(&f, 100 * BASE, 2 * BASE);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(share(&f), ALL);
}

/* 7/8, 1/2 and 1/4 of base / delay; until it has drained, and a base RTT more. */
static void drain__depth(void)
{
	struct flow f = flow_new(0);

	delay(&f, 16 * BASE, 2 * BASE);
	EXPECT_EQ(share(&f), ALL * 7 / 16);
	EXPECT_EQ(f.p.until_ns, f.d.now_ns + 2 * BASE * 9 / 16 + BASE);
	f = flow_new(0);
	delay(&f, 17 * BASE, 2 * BASE + 1);
	EXPECT_EQ(share(&f), ALL * 7 / 16 - 1);
	f = flow_new(0);
	delay(&f, 17 * BASE, 2 * BASE + 2);
	EXPECT_EQ(share(&f), ALL / 4 - 1);
	f = flow_new(2);
	delay(&f, 16 * BASE, 2 * BASE);
	EXPECT_EQ(share(&f), ALL / 8);
	EXPECT_EQ(f.p.until_ns, f.d.now_ns + 2 * BASE * 7 / 8 + BASE);
	EXPECT_EQ(f.p.deep, 1);
	f = flow_new(0);
	delay(&f, 8 * (u64)U32_MAX, U32_MAX);
	EXPECT_EQ(share(&f), 1);
}

/* The share ends at the time, the min-RTT probe with the first packet sent after it. */
static void drain__end(void)
{
	struct flow f = flow_new(0);

	delay(&f, 16 * BASE, 2 * BASE);
	delay(&f, f.p.until_ns - f.d.now_ns - 1, BASE + 20 * US);
	EXPECT_EQ(share(&f), ALL * 7 / 16);
	EXPECT_EQ(f.p.low_ns, BASE + 20 * US);
	delay(&f, 1, BASE + 30 * US);
	EXPECT_EQ(share(&f), ALL);
	EXPECT_EQ(f.p.on, 1);
	EXPECT_EQ(f.p.low_ns, BASE + 20 * US);
	delay(&f, BASE - 1, BASE);
	EXPECT_EQ(f.p.on, 1);
	delay(&f, 1, BASE);
	EXPECT_EQ(f.p.on, 0);
	EXPECT_EQ(f.p.rest_ns, f.d.now_ns);
}

/* A base RTT that fell was wrong: two deep min-RTT probes, or those that are left. */
static void drain__fell(void)
{
	struct flow f = flow_new(0);

	f.d.fell = true;
	delay(&f, 0, 2 * BASE);
	EXPECT_EQ(f.p.deep, 2);
	f = flow_new(3);
	f.d.fell = true;
	delay(&f, 0, 2 * BASE);
	EXPECT_EQ(f.p.deep, 3);
}

/* Three min-RTT probes that withhold enough to tell, and lower nothing: the path became longer. */
static void drain__longer_path(void)
{
	struct flow f = flow_new(0);

	f.d.inflight = BASE;			/* of it 9/16 are withheld */
	EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE), BASE);
	EXPECT_EQ(f.p.withheld_ns, BASE * 9 / 16);
	EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE), BASE);
	EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE - 1000), 2 * BASE - 1000);
	EXPECT_EQ(f.p.none, 0);
}

/* A queue falls by what is withheld; half of it is enough to say that there is one. */
static void drain__no_longer_path(void)
{
	u32 half = BASE * 9 / 32;
	struct flow f = flow_new(0);

	f.d.inflight = BASE;
	drain(&f, 2 * BASE, 2 * BASE);
	drain(&f, 2 * BASE, 2 * BASE - half + 1);
	EXPECT_EQ(f.p.none, 2);
	EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE - half), BASE);
	EXPECT_EQ(f.p.none, 0);
}

/* Too little is withheld, or the link's rate is not known, or there is no more than noise. */
static void drain__cannot_tell(void)
{
	u32 slack = BASE / 32 + US, i;
	struct flow f = flow_new(0);

	for (i = 0; i < 9; i++)
		EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE), BASE);
	f.d.inflight = 2 * slack * 16 / 9;	/* half of what is withheld is the slack */
	for (i = 0; i < 9; i++)
		EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE), BASE);
	f.d.inflight += 8;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE), BASE);
	EXPECT_EQ(drain(&f, 2 * BASE, 2 * BASE), 2 * BASE);
	f = flow_new(0);
	f.d.inflight = 8 * BASE;
	for (i = 0; i < 9; i++)
		EXPECT_EQ(drain(&f, BASE + slack, BASE + slack), BASE);
}

/* Any delays at all: shares and times stay in range, the base RTT within what was seen. */
static void drain__property(void)
{
	u32 i, j;

	for (i = 0; i < 2000; i++) {
		struct flow f = flow_new(3);
		u32 most = (u32)unit_log_between(1, 4e9);

		f.d.base_ns = U32_MAX;
		f.k.drain_rtts = 1 + unit_below(1000);
		for (j = 0; j < 200; j++) {
			u32 ns = 1 + unit_below(most), base;

			f.d.base_ns = min(f.d.base_ns, ns);
			f.d.limited = unit_below(8);
			f.d.hosts_ns = unit_below(most);
			f.d.fell = !unit_below(8);
			f.d.paths = unit_below(2);
			f.d.starts = unit_below(2);
			f.d.alone = unit_below(2);
			f.d.inflight = unit_below(most);
			base = delay(&f, (u64)unit_log_between(1, 1e10), ns);
			EXPECT_EQ(base >= f.d.base_ns && base <= most, true);
			f.d.base_ns = base;
			EXPECT_EQ(share(&f) >= 1 && share(&f) <= ALL, true);
			EXPECT_EQ(f.p.until_ns <= f.d.now_ns + 2 * (u64)U32_MAX, true);
		}
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(drain__first_delay),
	UNIT_TEST(drain__rest_within_knob),
	UNIT_TEST(drain__latest),
	UNIT_TEST(drain__trough),
	UNIT_TEST(drain__leak),
	UNIT_TEST(drain__empty_path),
	UNIT_TEST(drain__hosts),
	UNIT_TEST(drain__empty_path_while_deep),
	UNIT_TEST(drain__starts),
	UNIT_TEST(drain__starts_alone),
	UNIT_TEST(drain__alone),
	UNIT_TEST(drain__alone_fell),
	UNIT_TEST(drain__paths),
	UNIT_TEST(drain__not_limited),
	UNIT_TEST(drain__depth),
	UNIT_TEST(drain__end),
	UNIT_TEST(drain__fell),
	UNIT_TEST(drain__longer_path),
	UNIT_TEST(drain__no_longer_path),
	UNIT_TEST(drain__cannot_tell),
	UNIT_TEST(drain__property),
};

UNIT_MAIN(tests)
