// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tools/netcalc/fifo.c, and of the whole loop by what has to hold
 * whatever the parameters are.
 */
#include "aimd.h"
#include "dctcp.h"
#include "fifo.h"
#include "fixed.h"
#include "grid.h"
#include "inverse.h"
#include "minplus.h"
#include "reno.h"
#include "stack.h"
#include "vegas.h"
#include "loop.h"

#define ROUNDS	200
#define FLOWS	3
#define MODULE_ALGS	9	/* of tools/algorithms */
#define SLACK	0.001	/* bytes, of sums after a timeout */

/* Flows with random curves at a server of random rate, all computed. */
static struct nc_net random_queue(void)
{
	struct nc_net net = { .rate = nc_q_int(1 + unit_below(8)) };
	int i;

	for (i = 0; i < FLOWS; i++) {
		struct nc_curve sum = NC_CURVE_EMPTY;
		struct nc_flow *flow = nc_net_add_flow(&net);

		flow->in = grid_any();
		nc_sum(&net.in, &flow->in, &sum);
		nc_curve_free(&net.in);
		net.in = sum;
	}
	nc_conv_rate(&net.in, net.rate, &net.out);
	nc_fifo_demux(&net, NC_ZERO, nc_q_int(GRID_END));
	return net;
}

/* Theorem 1, and that nothing is lost. */
static void check_shares(const struct nc_net *net, struct nc_q t)
{
	struct nc_q s = nc_inv_up(&net->in, nc_curve_at(&net->out, t));
	struct nc_q sum = NC_ZERO;
	size_t i;

	for (i = 0; i < net->flows; i++) {
		const struct nc_flow *flow = &net->flow[i];
		struct nc_q out = nc_curve_at(&flow->out, t);

		sum = nc_q_add(sum, out);
		if (nc_q_is_inf(s) || nc_q_lt(t, s))
			s = t;
		EXPECT_EQ(nc_q_le(nc_curve_at(&flow->in, s), out), true);
		EXPECT_EQ(nc_q_le(out, nc_curve_after(&flow->in, s)), true);
	}
	EXPECT_Q(sum, nc_curve_at(&net->out, t), "sum of D_i", 0);
}

static void demux__theorem_1(void)
{
	int round, half;
	size_t i;

	for (round = 0; round < ROUNDS; round++) {
		struct nc_net net = random_queue();

		for (i = 0; i < net.flows; i++)
			EXPECT_EQ(nc_curve_check(&net.flow[i].out), 0);
		for (half = 1; half <= 2 * GRID_END; half++)
			check_shares(&net, nc_q_make(half, 2));
		nc_net_free(&net);
	}
}

/* 3 and 1 bytes per ns at a server of 2: they depart as 3 to 1. */
static void demux__in_proportion(void)
{
	struct nc_net net = { .rate = nc_q_int(2) };

	nc_curve_rate(nc_q_int(3), &nc_net_add_flow(&net)->in);
	nc_curve_rate(nc_q_int(1), &nc_net_add_flow(&net)->in);
	nc_curve_rate(nc_q_int(4), &net.in);
	nc_conv_rate(&net.in, net.rate, &net.out);
	nc_fifo_demux(&net, NC_ZERO, nc_q_int(20));
	EXPECT_Q(grid_at(&net.flow[0].out, 20), nc_q_int(30), "D_0", 20);
	EXPECT_Q(grid_at(&net.flow[1].out, 20), nc_q_int(10), "D_1", 20);
	nc_net_free(&net);
}

/* Whoever was first departs first: 10 bytes at 0, then 10 at 1 ns. */
static void demux__in_order(void)
{
	struct nc_net net = { .rate = nc_q_int(2) };
	struct nc_flow *flow = nc_net_add_flow(&net);

	nc_curve_window(nc_q_int(10), &flow->in);
	flow = nc_net_add_flow(&net);
	nc_curve_add_line(&flow->in, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add_line(&flow->in, nc_q_int(1), NC_ZERO, nc_q_int(10));
	nc_sum(&net.flow[0].in, &net.flow[1].in, &net.in);
	nc_conv_rate(&net.in, net.rate, &net.out);
	nc_fifo_demux(&net, NC_ZERO, nc_q_int(20));
	EXPECT_Q(grid_at(&net.flow[0].out, 5), nc_q_int(10), "D_0", 5);
	EXPECT_Q(grid_at(&net.flow[1].out, 5), NC_ZERO, "D_1", 5);
	EXPECT_Q(grid_at(&net.flow[1].out, 10), nc_q_int(10), "D_1", 10);
	nc_net_free(&net);
}

/* Theorem 1 at a time that is no bend of anything: A_i(s) and A_i(s +), s = A^up(D). */
static void check_bounds(struct nc_net *net, struct nc_q t)
{
	struct nc_q y = nc_curve_at(&net->out, t), s = nc_inv_up(&net->in, y);
	struct nc_flow *flow = &net->flow[0];
	struct nc_q shared = nc_curve_at(&flow->out, t), least, most;
	bool waits = nc_q_lt(y, nc_curve_at(&net->in, t));

	nc_fifo_bound(net, flow, NC_TURN_LAST, nc_q_int(GRID_END));
	least = nc_curve_at(&flow->out, t);
	nc_fifo_bound(net, flow, NC_TURN_FIRST, nc_q_int(GRID_END));
	most = nc_curve_at(&flow->out, t);
	nc_fifo_bound(net, flow, NC_TURN_SHARED, nc_q_int(GRID_END));
	EXPECT_Q(nc_curve_at(&flow->out, t), shared, "shared", 0);
	EXPECT_EQ(nc_q_le(least, shared) && nc_q_le(shared, most), true);
	EXPECT_Q(least, waits ? nc_curve_at(&flow->in, s) :
		 nc_curve_at(&flow->in, t), "least", 0);
	EXPECT_Q(most, waits ? nc_curve_after(&flow->in, s) :
		 nc_curve_at(&flow->in, t), "most", 0);
}

static void bound__theorem_1(void)
{
	int round, t;

	for (round = 0; round < ROUNDS / 4; round++) {
		struct nc_net net = random_queue();

		for (t = 1; t < GRID_END - 1; t += 3)
			check_bounds(&net, nc_q_add(nc_q_int(t), nc_q_make(1, 7919)));
		nc_net_free(&net);
	}
}

/* 10 and 30 bytes at once, and a server that begins after 5 ns and pauses at 10. */
static void bound__server_that_waits(void)
{
	struct nc_net net = { .rate = NC_ZERO };
	struct nc_flow *flow;
	int t;

	nc_net_add_flow(&net);
	nc_net_add_flow(&net);
	flow = net.flow;
	nc_curve_window(nc_q_int(10), &flow[0].in);
	nc_curve_window(nc_q_int(30), &flow[1].in);
	nc_sum(&flow[0].in, &flow[1].in, &net.in);
	nc_curve_add(&net.out, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&net.out, nc_q_int(5), NC_ZERO, nc_q_int(4));
	nc_curve_add(&net.out, nc_q_int(10), nc_q_int(20), NC_ZERO);
	nc_curve_add(&net.out, nc_q_int(20), nc_q_int(20), nc_q_int(4));
	nc_curve_add(&net.out, nc_q_int(25), nc_q_int(40), NC_ZERO);
	nc_fifo_bound(&net, flow, NC_TURN_SHARED, nc_q_int(30));
	for (t = 0; t <= 30; t++)
		EXPECT_Q(grid_at(&flow->out, t),
			 nc_q_div(grid_at(&net.out, t), nc_q_int(4)), "D_0", t);
	nc_fifo_bound(&net, flow, NC_TURN_LAST, nc_q_int(30));
	EXPECT_Q(grid_at(&flow->out, 15), NC_ZERO, "least", 15);
	EXPECT_Q(grid_at(&flow->out, 26), nc_q_int(10), "least", 26);
	nc_fifo_bound(&net, flow, NC_TURN_FIRST, nc_q_int(30));
	EXPECT_Q(grid_at(&flow->out, 15), nc_q_int(10), "most", 15);
	nc_net_free(&net);
}

/* --- the loop, whatever the parameters ------------------------------------ */

static void check_flow(const struct nc_net *net, const struct nc_flow *flow,
		       struct nc_q from, struct nc_q to)
{
	struct nc_q a = nc_curve_at(&flow->arrived, to);
	struct nc_q in = nc_curve_at(&flow->in, to);
	struct nc_q out = nc_curve_at(&flow->out, to);
	struct nc_q grew = nc_q_sub(in, nc_curve_at(&flow->in, from));
	struct nc_q most = nc_q_mul(nc_kbps(flow->control.rate),
				    nc_q_sub(to, from));

	EXPECT_EQ(nc_q_le(in, a), true);
	EXPECT_EQ(nc_q_le(out, in), true);
	EXPECT_EQ(nc_q_sign(grew) >= 0, true);
	if (flow->control.ops->limit == NC_LIMIT_RATE)
		EXPECT_EQ(nc_q_le(grew, most), true);
	if (!nc_q_is_inf(net->pfc.until))
		EXPECT_EQ(nc_q_sign(grew), 0);
}

/* The bytes that the sum of the flows' curves is off. */
static double off(const struct nc_net *net, struct nc_q t, bool out)
{
	double sum = -nc_q_double(nc_curve_at(out ? &net->out : &net->in, t));
	size_t i;

	for (i = 0; i < net->flows; i++)
		sum += nc_q_double(nc_curve_at(out ? &net->flow[i].out :
					       &net->flow[i].in, t));
	return sum;
}

static void check_stretch(void *context, const struct nc_net *net,
			  struct nc_q from, struct nc_q to)
{
	struct nc_q served = nc_q_sub(nc_curve_at(&net->out, to),
				      nc_curve_after(&net->out, from));
	struct nc_q most = nc_q_mul(net->rate, nc_q_sub(to, from));
	size_t i;

	(*(unsigned long *)context)++;
	EXPECT_EQ(nc_q_lt(from, to), true);
	EXPECT_EQ(nc_q_le(served, most), true);
	EXPECT_NEAR(off(net, to, false), 0, SLACK);
	EXPECT_NEAR(off(net, to, true), 0, SLACK);
	for (i = 0; i < net->flows; i++)
		check_flow(net, &net->flow[i], from, to);
}

static const struct nc_control_ops * const paper_algs[] = {
	&nc_aimd, &nc_dcqcn, &nc_window, &nc_vegas,
};

/* Any algorithm of the modules, with its knobs as they come. */
static struct nc_stack random_module(void)
{
	struct nc_stack stack = { .of = tool_alg_at(unit_below(MODULE_ALGS)) };
	u32 i;

	stack.priority = unit_below(4);
	for (i = 0; i < stack.of->knobs; i++)
		stack.knob[i] = stack.of->defaults[i];
	return stack;
}

/* The algorithm's own part, whichever algorithm it is. */
static void random_alg(struct nc_control *c)
{
	if (c->ops->limit == NC_LIMIT_RATE)
		*nc_aimd_of(c) = (struct nc_aimd){
			.increase = unit_below(1000000), .most = NC_RATE_MAX,
			.every = 1 + unit_below(30000),
			.decrease = unit_below(NC_PPM),
		};
	else if (c->ops == &nc_window || c->ops == &nc_reno_linux_ops)
		*nc_reno_of(c) = (struct nc_reno){
			.increase = 100, .decrease = unit_below(NC_PPM),
			.threshold = unit_below(30000), .initial = 100,
			.buffer = 1000 + unit_below(10000),
		};
	else if (c->ops == &nc_dctcp_linux)
		*nc_dctcp_of(c) = (struct nc_dctcp){
			.shift = unit_below(11), .first = unit_below(NC_DCTCP_ONE),
		};
	else if (c->ops == &nc_stack)
		*nc_stack_of(c) = random_module();
	else
		*nc_vegas_of(c) = (struct nc_vegas){
			.low = 2, .high = 4, .gamma = 1,
			.rtt_kind = unit_below(2) ? NC_RTT_MIN : NC_RTT_SAMPLE,
		};
}

static struct nc_control random_control(void)
{
	struct nc_control c = {
		.ops = paper_algs[unit_below(ARRAY_SIZE(paper_algs))],
		.rate = 1 + unit_below(20000000),
		.window = 1 + unit_below(50000), .packet = 100,
		.packet_acks = true,
		.timeout = unit_below(2) * (2000 + unit_below(40000)),
	};

	random_alg(&c);
	return c;
}

static struct nc_net random_net(void)
{
	struct nc_net net = {
		.rate = nc_kbps(1000000 + unit_below(9000000)),
		.feedback = nc_q_int(1 + unit_below(5000)),
		.stop = nc_q_int(100000),
	};
	int i, flows = 1 + unit_below(3);

	if (unit_below(2))
		net.ecn = (struct nc_ecn){ 1000, 5000, NC_PPM / 10, 3000, 100,
					    unit_below(2) };
	if (unit_below(3) == 0) {
		net.pfc.off = 8000;
		net.pfc.on = 4000;
	}
	for (i = 0; i < flows; i++) {
		struct nc_flow *flow = nc_net_add_flow(&net);

		nc_curve_bucket(nc_q_int(unit_below(20000)),
				nc_kbps(unit_below(8000000)), &flow->arrived);
		flow->control = random_control();
	}
	return net;
}

/*
 * Flows that come and go: bursts, and pauses of many round trips between them. Half
 * of the networks have only rates, whose stretches are long.
 */
#define RATE_ALGS	2

static struct nc_net paused_net(void)
{
	static const struct nc_control_ops * const algs[] = {
		&nc_aimd, &nc_dcqcn, &nc_window, &nc_vegas, &nc_reno_linux_ops,
		&nc_vegas_linux_ops, &nc_dctcp_linux, &nc_fixed, &nc_none,
		&nc_stack, &nc_stack, &nc_stack,
	};
	struct nc_net net = random_net();
	const unsigned int some = unit_below(2) ? RATE_ALGS : ARRAY_SIZE(algs);
	size_t i;

	for (i = 0; i < net.flows; i++) {
		struct nc_flow *flow = &net.flow[i];
		int t = 0, y = 0;

		flow->control.ops = algs[unit_below(some)];
		random_alg(&flow->control);
		if (flow->control.ops != &nc_dcqcn && unit_below(2))
			flow->feedback = nc_q_int(1 + unit_below(9000));
		if (flow->control.ops->limit == NC_LIMIT_RATE)
			nc_aimd_of(&flow->control)->every *= 1 + (int)unit_below(10);
		nc_curve_free(&flow->arrived);
		nc_curve_add_line(&flow->arrived, NC_ZERO, NC_ZERO, NC_ZERO);
		while (t < 100000) {
			t += 1 + unit_below(30000);
			y += unit_below(20000);
			nc_curve_add_line(&flow->arrived, nc_q_int(t), NC_ZERO,
					  nc_q_int(y));
		}
	}
	return net;
}

static void loop__what_always_holds(void)
{
	unsigned long stretches = 0;
	int round;

	for (round = 0; round < 2 * ROUNDS; round++) {
		struct nc_net net = round % 2 ? random_net() : paused_net();

		net.record = check_stretch;
		net.context = &stretches;
		EXPECT_EQ(nc_net_run(&net), 0);
		nc_net_free(&net);
	}
	EXPECT_EQ(stretches > 10 * ROUNDS, true);
}

/* --- history ---------------------------------------------------------------- */

/*
 * Sums over all events: of times, of limits, of what was admitted and departed,
 * and departed of each flow.
 */
#define SUMS	5

struct course {
	unsigned long events;
	double sum[SUMS];
};

static void add_stretch(void *context, const struct nc_net *net,
			struct nc_q from, struct nc_q to)
{
	struct course *course = context;
	size_t i;

	course->events++;
	course->sum[0] += nc_q_double(nc_q_sub(to, from)) * (double)course->events;
	for (i = 0; i < net->flows; i++) {
		const struct nc_flow *flow = &net->flow[i];

		course->sum[1] += (double)(flow->control.window + flow->control.rate);
		course->sum[2] += nc_q_double(nc_curve_at(&flow->in, to));
		course->sum[4] += nc_q_double(nc_curve_at(&flow->out, to));
	}
	course->sum[3] += nc_q_double(nc_curve_at(&net->out, to));
}

static struct course course_with(u64 seed, size_t history, bool totals)
{
	struct course course = { 0 };
	struct nc_net net;

	unit_state = seed;
	net = paused_net();
	net.history = history;
	net.totals = totals;
	net.record = add_stretch;
	net.context = &course;
	EXPECT_EQ(nc_net_run(&net), 0);
	nc_net_free(&net);
	return course;
}

/* What is forgotten as soon as can be makes no difference to any algorithm. */
static void loop__nobody_misses_the_past(void)
{
	int round, k;

	for (round = 1; round <= ROUNDS; round++) {
		u64 seed = 88172645463325252ULL + (u64)round;
		struct course all = course_with(seed, SIZE_MAX, false);
		struct course least = course_with(seed, 1, false);

		EXPECT_EQ(least.events, all.events);
		for (k = 0; k < SUMS; k++)
			EXPECT_NEAR(least.sum[k], all.sum[k], 0);
	}
}

/* To compute a flow's departures only where they are needed changes nothing. */
static void loop__totals_are_the_same(void)
{
	int round, k;

	for (round = 1; round <= ROUNDS; round++) {
		u64 seed = 88172645463325252ULL + (u64)round;
		struct course all = course_with(seed, SIZE_MAX, false);
		struct course totals = course_with(seed, SIZE_MAX, true);
		struct course least = course_with(seed, 1, true);

		EXPECT_EQ(totals.events, all.events);
		EXPECT_EQ(least.events, all.events);
		for (k = 0; k < SUMS - 1; k++) {
			EXPECT_NEAR(totals.sum[k], all.sum[k], 0);
			EXPECT_NEAR(least.sum[k], all.sum[k], 0);
		}
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(demux__theorem_1),
	UNIT_TEST(demux__in_proportion),
	UNIT_TEST(demux__in_order),
	UNIT_TEST(bound__theorem_1),
	UNIT_TEST(bound__server_that_waits),
	UNIT_TEST(loop__what_always_holds),
	UNIT_TEST(loop__nobody_misses_the_past),
	UNIT_TEST(loop__totals_are_the_same),
};

UNIT_MAIN(tests)
