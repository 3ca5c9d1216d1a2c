// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tools/netcalc/net.c and the algorithms: small cases computed by hand. The
 * server takes 1 byte per ns (8 Gbit/s), so that times and bytes are one.
 */
#include <errno.h>

#include "aimd.h"
#include "grid.h"
#include "loop.h"
#include "reno.h"
#include "vegas.h"

#define GBPS	1000000		/* kbit/s */
#define BYTE_NS	(8 * GBPS)	/* 1 byte per ns */
#define HALF	(NC_PPM / 2)

static struct nc_net server(int feedback, int stop)
{
	return (struct nc_net){
		.rate = nc_q_int(1), .feedback = nc_q_int(feedback),
		.stop = nc_q_int(stop),
	};
}

/* A source with so much to send at once at time 0. */
static struct nc_flow *source(struct nc_net *net,
			      const struct nc_control_ops *ops, int bytes)
{
	struct nc_flow *flow = nc_net_add_flow(net);

	nc_curve_window(nc_q_int(bytes), &flow->arrived);
	flow->control.ops = ops;
	flow->control.packet = 10;
	if (ops == &nc_window)
		nc_reno_of(&flow->control)->decrease = HALF;
	if (ops->limit == NC_LIMIT_RATE)
		*nc_aimd_of(&flow->control) = (struct nc_aimd){
			.every = 1000000, .decrease = HALF, .most = NC_RATE_MAX,
		};
	return flow;
}

static struct nc_flow *rate_source(struct nc_net *net,
				   const struct nc_control_ops *ops, int rate)
{
	struct nc_flow *flow = source(net, ops, 1000000);

	flow->control.rate = (int64_t)rate * BYTE_NS;
	return flow;
}

static void run(struct nc_net *net)
{
	EXPECT_EQ(nc_net_run(net), 0);
	EXPECT_Q(net->now, net->stop, "now", 0);
}

static void expect_at(const struct nc_curve *c, const char *what, int t,
		      int want)
{
	EXPECT_Q(grid_at(c, t), nc_q_int(want), what, t);
}

/* 1, 2, 3 bytes per ns, 20 ns each. */
static void aimd__increases(void)
{
	struct nc_net net = server(10, 60);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 1);

	nc_aimd_of(&flow->control)->every = 20;
	nc_aimd_of(&flow->control)->increase = BYTE_NS;
	run(&net);
	expect_at(&flow->in, "Ahat", 20, 20);
	expect_at(&flow->in, "Ahat", 40, 60);
	expect_at(&flow->in, "Ahat", 60, 120);
	expect_at(&flow->out, "D", 60, 60);
	nc_net_free(&net);
}

/* D(t - 10) = t - 10 is first below Ahat(t - 30) = 2 (t - 30) at 51 ns. */
static void aimd__timeout_goes_back(void)
{
	struct nc_net net = server(10, 100);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 2);

	flow->control.timeout = 30;
	run(&net);
	EXPECT_EQ(flow->timeouts, 1);
	EXPECT_Q(flow->origin.t, nc_q_int(51), "origin", 0);
	EXPECT_Q(flow->origin.y, nc_q_int(41), "origin", 0);
	EXPECT_EQ(flow->control.rate, BYTE_NS);
	expect_at(&flow->in, "Ahat", 61, 51);
	expect_at(&flow->out, "D", 61, 51);
	expect_at(&net.out, "D", 100, 90);
	nc_net_free(&net);
}

/* The cut at 51 ns forbids the increase at 60, not that at 120 and later. */
static void aimd__no_reward_after_a_cut(void)
{
	struct nc_net net = server(10, 121);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 2);

	flow->control.timeout = 30;
	nc_aimd_of(&flow->control)->every = 60;
	nc_aimd_of(&flow->control)->increase = 8;
	run(&net);
	EXPECT_EQ(flow->timeouts, 1);
	EXPECT_EQ(flow->control.rate, BYTE_NS + 8);
	nc_net_free(&net);
}

/* A cut just delta_ai ago is within the last delta_ai. */
static int64_t rate_after_a_cut_at_51(int stop)
{
	struct nc_net net = server(10, stop);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 2);
	int64_t rate;

	flow->control.timeout = 30;
	nc_aimd_of(&flow->control)->every = 51;
	nc_aimd_of(&flow->control)->increase = 8;
	run(&net);
	rate = flow->control.rate;
	nc_net_free(&net);
	return rate;
}

static void aimd__interval_is_closed(void)
{
	EXPECT_EQ(rate_after_a_cut_at_51(52), BYTE_NS);
	EXPECT_EQ(rate_after_a_cut_at_51(103), BYTE_NS);
	EXPECT_EQ(rate_after_a_cut_at_51(154), BYTE_NS + 8);
}

static void aimd__least_and_most(void)
{
	struct nc_control c = { .rate = 1 };
	struct nc_net net = server(10, 35);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 1);

	nc_aimd_of(&c)->decrease = HALF;
	nc_aimd_cut(&c, NC_ZERO);
	EXPECT_EQ(c.rate, 1);
	nc_aimd_of(&flow->control)->every = 10;
	nc_aimd_of(&flow->control)->increase = BYTE_NS;
	nc_aimd_of(&flow->control)->most = 2 * BYTE_NS;
	run(&net);
	EXPECT_EQ(flow->control.rate, 2 * BYTE_NS);
	nc_net_free(&net);
}

/* Flights of 5, 10 (doubled) and 13 bytes (plus 3, as 10 is the threshold). */
static void window__slow_start_then_linear(void)
{
	struct nc_net net = server(10, 36);
	struct nc_flow *flow = source(&net, &nc_window, 1000);

	flow->control.window = 5;
	nc_reno_of(&flow->control)->threshold = 10;
	nc_reno_of(&flow->control)->increase = 3;
	run(&net);
	expect_at(&flow->in, "Ahat", 15, 5);
	EXPECT_Q(grid_after(&flow->in, 15), nc_q_int(15), "Ahat+", 15);
	expect_at(&flow->in, "Ahat", 35, 15);
	EXPECT_Q(grid_after(&flow->in, 35), nc_q_int(28), "Ahat+", 35);
	expect_at(&flow->out, "D", 25, 15);
	EXPECT_EQ(flow->control.window, 13);
	nc_net_free(&net);
}

/* 100 bytes take 100 ns: at 61 ns D(51) = 51 is below Ahat(1) = 100. */
static void window__timeout(void)
{
	struct nc_net net = server(10, 82);
	struct nc_flow *flow = source(&net, &nc_window, 1000);

	flow->control.window = 100;
	nc_reno_of(&flow->control)->threshold = NC_WINDOW_MAX;
	nc_reno_of(&flow->control)->increase = 10;
	nc_reno_of(&flow->control)->initial = 10;
	flow->control.timeout = 60;
	run(&net);
	EXPECT_EQ(flow->timeouts, 1);
	EXPECT_EQ(nc_reno_of(&flow->control)->threshold, 50);
	expect_at(&flow->in, "Ahat", 62, 61);
	expect_at(&flow->out, "D", 71, 61);
	EXPECT_EQ(flow->control.window, 20);	/* acknowledged at 81 ns */
	expect_at(&flow->in, "Ahat", 82, 81);
	nc_net_free(&net);
}

/* A source that has sent all waits for nothing. */
static void window__done(void)
{
	struct nc_net net = server(10, 1000);
	struct nc_flow *flow = source(&net, &nc_window, 15);

	flow->control.window = 5;
	nc_reno_of(&flow->control)->threshold = 10;
	nc_reno_of(&flow->control)->increase = 3;
	flow->control.timeout = 60;
	run(&net);
	EXPECT_EQ(flow->timeouts, 0);
	expect_at(&net.out, "D", 1000, 15);
	EXPECT_EQ(flow->control.window, 13);	/* 15 bytes were two flights */
	nc_net_free(&net);
}

static struct nc_flow *vegas(struct nc_net *net, int bytes)
{
	struct nc_flow *flow = source(net, &nc_vegas, bytes);

	flow->control.window = 20;
	nc_vegas_of(&flow->control)->low = 2;
	nc_vegas_of(&flow->control)->high = 4;
	nc_vegas_of(&flow->control)->gamma = 1;
	return flow;
}

static int vegas_window_at(int stop)
{
	struct nc_net net = server(100, stop);
	struct nc_flow *flow = vegas(&net, 100000);
	int window;

	run(&net);
	window = (int)flow->control.window;
	nc_net_free(&net);
	return window;
}

/*
 * 20 bytes double at 100, 300, 500 ns. Of the last 160 the second half is sent
 * at once, at 500 ns, and what follows waits for it: 80 ns. At 600 ns the RTT
 * is 100 still, at 700 it is 180; 7 packets in the queue are more than 1, and
 * the window becomes 160 * 100 / 180.
 */
static void vegas__slow_start(void)
{
	EXPECT_EQ(vegas_window_at(99), 20);
	EXPECT_EQ(vegas_window_at(100), 40);
	EXPECT_EQ(vegas_window_at(299), 40);
	EXPECT_EQ(vegas_window_at(300), 80);
	EXPECT_EQ(vegas_window_at(500), 160);
	EXPECT_EQ(vegas_window_at(699), 160);
	EXPECT_EQ(vegas_window_at(700), 88);
}

/* 2 to 4 packets in the queue are right: 120 to 140 bytes in all. */
static void vegas__keeps_its_packets(void)
{
	EXPECT_BETWEEN(vegas_window_at(5000), 120, 140);
	EXPECT_BETWEEN(vegas_window_at(8000), 120, 140);
}

/* With no queue and none wanted the 88 bytes after slow start stay. */
static void vegas__low_is_enough(void)
{
	struct nc_net net = server(100, 8000);
	struct nc_flow *flow = vegas(&net, 100000);

	nc_vegas_of(&flow->control)->low = 0;
	run(&net);
	EXPECT_EQ(flow->control.window, 88);
	nc_net_free(&net);
}

/* What was sent 10 ns ago, after a pause, cannot be acknowledged yet. */
static void vegas__rtt_is_not_below_feedback(void)
{
	struct nc_net net = server(100, 200);
	struct nc_flow *flow = vegas(&net, 5);

	nc_curve_add_line(&flow->arrived, nc_q_int(190), NC_ZERO, nc_q_int(9));
	run(&net);
	EXPECT_Q(nc_vegas_of(&flow->control)->rtt, nc_q_int(100), "RTT", 200);
	nc_net_free(&net);
}

/* 50 bytes at once: 5 packets, with RTTs of 110 to 150 ns. */
static void vegas__rtt_min(void)
{
	struct nc_net net = server(100, 200);
	struct nc_flow *flow = vegas(&net, 50);

	flow->control.window = 60;
	flow->control.packet_acks = true;
	nc_vegas_of(&flow->control)->rtt_kind = NC_RTT_MIN;
	run(&net);
	EXPECT_Q(nc_vegas_of(&flow->control)->rtt, nc_q_int(110), "RTT", 200);
	nc_net_free(&net);
}

static void vegas__at_least_one_packet(void)
{
	struct nc_net net = server(100, 1000);
	struct nc_flow *flow = vegas(&net, 100000);

	flow->control.window = 10;
	nc_vegas_of(&flow->control)->low = 0;
	nc_vegas_of(&flow->control)->high = 0;
	nc_vegas_of(&flow->control)->gamma = 0;
	rate_source(&net, &nc_aimd, 2);
	run(&net);
	flow = &net.flow[0];
	EXPECT_EQ(nc_q_lt(nc_q_int(110), nc_vegas_of(&flow->control)->rtt), true);
	EXPECT_EQ(flow->control.window, 10);
	nc_net_free(&net);
}

/* A window that shrinks takes nothing back. */
static void vegas__never_falls(void)
{
	struct nc_net net = server(100, 720);
	struct nc_flow *flow = vegas(&net, 100000);

	run(&net);
	EXPECT_EQ(nc_curve_check(&flow->in), 0);
	EXPECT_Q(grid_at(&flow->in, 720), grid_at(&flow->in, 700), "Ahat",
		 720);
	nc_net_free(&net);
}

/* The last partial packet is not acknowledged, the whole ones on time. */
static void acks__in_packets(void)
{
	struct nc_net net = server(100, 300);
	struct nc_flow *flow = vegas(&net, 100000);

	flow->control.window = 25;
	flow->control.packet_acks = true;
	run(&net);
	expect_at(&flow->acks, "acks", 110, 0);
	expect_at(&flow->acks, "acks", 111, 10);
	expect_at(&flow->acks, "acks", 121, 20);
	expect_at(&flow->acks, "acks", 200, 20);
	nc_net_free(&net);
}

static struct nc_flow *marked(struct nc_net *net)
{
	struct nc_flow *flow = rate_source(net, &nc_dcqcn, 2);

	net->ecn = (struct nc_ecn){ .kmax = 50, .gap = 40, .packet = 10 };
	return flow;
}

/*
 * B(t) = t is 50 at 50 ns; the source learns at 60 (told at once) and again
 * at 100, 40 ns later. Then B falls by 1/2 per ns and is below 50 from 120 on:
 * the marks in between are told at 140, and that is the last.
 */
static void ecn__three_cases(void)
{
	static const int times[] = { 60, 100, 140 };
	int stop, told;

	for (stop = 1; stop < 180; stop++) {
		struct nc_net net = server(10, stop);
		struct nc_flow *flow = marked(&net);

		run(&net);
		for (told = 0; told < 3 && times[told] <= stop;)
			told++;
		EXPECT_EQ(flow->mark.count, told);
		EXPECT_EQ(flow->control.rate, (2 * BYTE_NS) >> told);
		nc_net_free(&net);
	}
}

/* Who has nothing in the queue is not told. */
static void ecn__idle_flow_is_left_alone(void)
{
	struct nc_net net = server(10, 170);
	struct nc_flow *idle;

	marked(&net);
	idle = source(&net, &nc_dcqcn, 0);
	idle->control.rate = BYTE_NS;
	run(&net);
	EXPECT_EQ(net.flow[0].mark.count, 3);
	EXPECT_EQ(net.flow[1].mark.count, 0);
	nc_net_free(&net);
}

/* ... until it has: it sends from 100 ns on, and B is beyond K_max. */
static int told_by(int stop)
{
	struct nc_net net = server(10, stop);
	struct nc_flow *late;
	int count;

	rate_source(&net, &nc_aimd, 2);
	late = marked(&net);
	nc_curve_free(&late->arrived);
	nc_curve_add_line(&late->arrived, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&late->arrived, nc_q_int(100), NC_ZERO, nc_q_int(1));
	run(&net);
	count = (int)late->mark.count;
	nc_net_free(&net);
	return count;
}

static void ecn__told_as_soon_as_it_waits(void)
{
	EXPECT_EQ(told_by(110), 0);
	EXPECT_EQ(told_by(111), 1);
}

/* The first flow fills the queue to 75 bytes, then the other one keeps it. */
static void ecn__red_by_expectation(void)
{
	struct nc_net net = server(10, 2085);
	struct nc_flow *flow;

	net.ecn = (struct nc_ecn){
		.kmin = 50, .kmax = 100, .pmax = NC_PPM / 5, .gap = 1,
		.packet = 10,
	};
	rate_source(&net, &nc_aimd, 2);
	nc_curve_free(&net.flow[0].arrived);
	nc_curve_window(nc_q_int(150), &net.flow[0].arrived);
	flow = rate_source(&net, &nc_dcqcn, 1);
	nc_curve_free(&flow->arrived);
	nc_curve_add_line(&flow->arrived, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&flow->arrived, nc_q_int(75), NC_ZERO, nc_q_int(1));
	nc_aimd_of(&flow->control)->decrease = NC_PPM;
	run(&net);
	EXPECT_Q(nc_net_backlog(&net, nc_q_int(2000)), nc_q_int(75), "B",
		 2000);
	/* 0.1 packets per ns from 150 to 2075 ns, each marked with 0.1 */
	EXPECT_BETWEEN(flow->mark.count, 19, 20);
	nc_net_free(&net);
}

/*
 * B(t) = t exceeds 50 at 51 ns; the pause begins at 61 and lasts 20 ns. At 81
 * the source learns of B(71) = 51: once more. At 101 it learns of B(91) = 31.
 */
static void pfc__pauses(void)
{
	struct nc_net net = server(10, 111);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 2);

	net.pfc.off = 50;
	net.pfc.on = 30;
	run(&net);
	EXPECT_EQ(net.pfc.pauses, 2);
	expect_at(&flow->in, "Ahat", 61, 122);
	expect_at(&flow->in, "Ahat", 101, 122);
	expect_at(&flow->in, "Ahat", 111, 142);
	EXPECT_Q(nc_net_backlog(&net, nc_q_int(101)), nc_q_int(21), "B", 101);
	nc_net_free(&net);
}

static int paused_at(int stop)
{
	struct nc_net net = server(10, stop);
	int pauses;

	rate_source(&net, &nc_aimd, 2);
	net.pfc.off = 50;
	net.pfc.on = 30;
	run(&net);
	pauses = (int)net.pfc.pauses;
	nc_net_free(&net);
	return pauses;
}

static void pfc__times(void)
{
	EXPECT_EQ(paused_at(60), 0);
	EXPECT_EQ(paused_at(61), 1);
	EXPECT_EQ(paused_at(80), 1);
	EXPECT_EQ(paused_at(81), 2);
	EXPECT_EQ(paused_at(120), 2);
}

/* One flow's timeout takes only its own bytes out of the queue. */
static void timeout__others_keep_their_place(void)
{
	struct nc_net net = server(10, 51);
	struct nc_flow *flow;

	rate_source(&net, &nc_aimd, 1);
	flow = rate_source(&net, &nc_aimd, 1);
	net.flow[0].control.timeout = 30;
	run(&net);
	flow = &net.flow[1];
	EXPECT_EQ(net.flow[0].timeouts, 1);
	EXPECT_EQ(flow->timeouts, 0);
	/* D_1(51) = 25.5 of 51 sent: these wait, and nothing else does */
	EXPECT_Q(grid_at(&flow->out, 51), nc_q_make(51, 2), "D_1", 51);
	EXPECT_Q(net.flow[0].origin.y, nc_q_int(20), "origin", 0);
	EXPECT_Q(nc_q_sub(nc_curve_at(&net.in, net.now), net.served),
		 nc_q_make(51, 2), "backlog", 51);
	nc_net_free(&net);
}

static void net__overflow_is_told(void)
{
	struct nc_net net = server(10, 1000);
	struct nc_flow *flow = rate_source(&net, &nc_aimd, 2);
	int64_t prime = (1LL << 61) - 1;
	int i;

	for (i = 0; i < 4; i++) {
		flow = rate_source(&net, &nc_aimd, 1000000);
		nc_curve_free(&flow->arrived);
		nc_curve_rate(nc_q_make(1, prime - 1000 * i), &flow->arrived);
	}
	EXPECT_EQ(nc_net_run(&net), -EOVERFLOW);
	nc_net_free(&net);
}

static const struct unit_test tests[] = {
	UNIT_TEST(aimd__increases),
	UNIT_TEST(aimd__timeout_goes_back),
	UNIT_TEST(aimd__no_reward_after_a_cut),
	UNIT_TEST(aimd__interval_is_closed),
	UNIT_TEST(aimd__least_and_most),
	UNIT_TEST(window__slow_start_then_linear),
	UNIT_TEST(window__timeout),
	UNIT_TEST(window__done),
	UNIT_TEST(vegas__slow_start),
	UNIT_TEST(vegas__keeps_its_packets),
	UNIT_TEST(vegas__low_is_enough),
	UNIT_TEST(vegas__rtt_is_not_below_feedback),
	UNIT_TEST(vegas__rtt_min),
	UNIT_TEST(vegas__at_least_one_packet),
	UNIT_TEST(vegas__never_falls),
	UNIT_TEST(acks__in_packets),
	UNIT_TEST(ecn__three_cases),
	UNIT_TEST(ecn__idle_flow_is_left_alone),
	UNIT_TEST(ecn__told_as_soon_as_it_waits),
	UNIT_TEST(ecn__red_by_expectation),
	UNIT_TEST(pfc__pauses),
	UNIT_TEST(pfc__times),
	UNIT_TEST(timeout__others_keep_their_place),
	UNIT_TEST(net__overflow_is_told),
};

UNIT_MAIN(tests)
