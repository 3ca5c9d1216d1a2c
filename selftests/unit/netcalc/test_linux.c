// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of rules=linux: tools/netcalc/{reno,vegas}_linux.c. The server takes 1
 * byte per ns, packets have 10 bytes, and acknowledgments take 100 ns: those of
 * packets sent at once come at 110, 120, ... ns.
 */
#include "grid.h"
#include "loop.h"
#include "reno.h"
#include "vegas.h"

#define HALF	(NC_PPM / 2)

static struct nc_flow *greedy(struct nc_net *net, int stop,
			      const struct nc_control_ops *ops, int window)
{
	struct nc_flow *flow;

	*net = (struct nc_net){
		.rate = nc_q_int(1), .feedback = nc_q_int(100),
		.stop = nc_q_int(stop),
	};
	flow = nc_net_add_flow(net);
	nc_curve_window(nc_q_int(1000000), &flow->arrived);
	flow->control = (struct nc_control){
		.ops = ops, .window = window, .packet = 10,
		.packet_acks = true,
	};
	if (ops == &nc_reno_linux_ops)
		*nc_reno_of(&flow->control) = (struct nc_reno){
			.increase = 10, .decrease = HALF,
			.threshold = NC_WINDOW_MAX, .buffer = NC_WINDOW_MAX,
		};
	else
		*nc_vegas_of(&flow->control) = (struct nc_vegas){
			.low = 2, .high = 4, .gamma = 1,
		};
	return flow;
}

static int ends_with(struct nc_net *net)
{
	int window;

	EXPECT_EQ(nc_net_run(net), 0);
	window = (int)net->flow[0].control.window;
	nc_net_free(net);
	return window;
}

static int reno_at(int stop, int window, int64_t threshold, int64_t buffer)
{
	struct nc_net net;
	struct nc_flow *flow = greedy(&net, stop, &nc_reno_linux_ops, window);

	nc_reno_of(&flow->control)->threshold = threshold;
	nc_reno_of(&flow->control)->buffer = buffer;
	return ends_with(&net);
}

/* By each acknowledgment. */
static void reno__slow_start(void)
{
	EXPECT_EQ(reno_at(109, 20, NC_WINDOW_MAX, NC_WINDOW_MAX), 20);
	EXPECT_EQ(reno_at(110, 20, NC_WINDOW_MAX, NC_WINDOW_MAX), 30);
	EXPECT_EQ(reno_at(120, 20, NC_WINDOW_MAX, NC_WINDOW_MAX), 40);
}

/* 20 bytes are acknowledged at 120 ns, 30 more at 240 ns. */
static void reno__a_packet_per_window(void)
{
	EXPECT_EQ(reno_at(119, 20, 0, NC_WINDOW_MAX), 20);
	EXPECT_EQ(reno_at(120, 20, 0, NC_WINDOW_MAX), 30);
	EXPECT_EQ(reno_at(239, 20, 0, NC_WINDOW_MAX), 30);
	EXPECT_EQ(reno_at(240, 20, 0, NC_WINDOW_MAX), 40);
}

/*
 * All 40 bytes at once do not fit into 15, so the loss is behind byte 40. Three
 * packets behind it are acknowledged at 240 ns; the window is 100 by then.
 */
static void reno__loss(void)
{
	EXPECT_EQ(reno_at(239, 40, NC_WINDOW_MAX, 15), 100);
	EXPECT_EQ(reno_at(240, 40, NC_WINDOW_MAX, 15), 50);
}

/* What comes before all is acknowledged that was sent by then is the same loss. */
static void reno__one_cut_per_window(void)
{
	EXPECT_EQ(reno_at(330, 40, NC_WINDOW_MAX, 15), 50);
}

/* Half the window, but not less than two packets. */
static void reno__least(void)
{
	EXPECT_EQ(reno_at(5000, 40, NC_WINDOW_MAX, 5), 20);
}

static int vegas_at(int stop, int clock)
{
	struct nc_net net;
	struct nc_flow *flow = greedy(&net, stop, &nc_vegas_linux_ops, 20);

	nc_vegas_of(&flow->control)->clock = clock;
	return ends_with(&net);
}

static void vegas__slow_start(void)
{
	EXPECT_EQ(vegas_at(109, 0), 20);
	EXPECT_EQ(vegas_at(110, 0), 30);
	EXPECT_EQ(vegas_at(120, 0), 40);
}

/* 110 to 150 bytes fill the link and 2 to 4 packets of queue; the base is 110 ns. */
static void vegas__keeps_its_packets(void)
{
	EXPECT_BETWEEN(vegas_at(20000, 0), 130, 150);
	EXPECT_BETWEEN(vegas_at(30000, 0), 130, 150);
}

/* A clock that shows 0 or 1000 ns sees no queue of less. */
static void vegas__coarse_clock(void)
{
	EXPECT_BETWEEN(vegas_at(20000, 1000), 500, 5000);
}

static const struct unit_test tests[] = {
	UNIT_TEST(reno__slow_start),
	UNIT_TEST(reno__a_packet_per_window),
	UNIT_TEST(reno__loss),
	UNIT_TEST(reno__one_cut_per_window),
	UNIT_TEST(reno__least),
	UNIT_TEST(vegas__slow_start),
	UNIT_TEST(vegas__keeps_its_packets),
	UNIT_TEST(vegas__coarse_clock),
};

UNIT_MAIN(tests)
