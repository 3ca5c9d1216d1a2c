// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tools/netcalc/buffer.c: small cases computed by hand. The server takes 1
 * byte per ns, so that times and bytes are one. test_links.py has drops by brute force.
 */
#include <errno.h>

#include "aimd.h"
#include "fixed.h"
#include "grid.h"
#include "loop.h"
#include "reno.h"

#define BYTE_NS	8000000		/* kbit/s: 1 byte per ns */
#define HALF	(NC_PPM / 2)

static struct nc_net server(int buffer, int feedback, int stop)
{
	return (struct nc_net){
		.rate = nc_q_int(1), .feedback = nc_q_int(feedback),
		.stop = nc_q_int(stop), .buffer = buffer,
	};
}

static struct nc_flow *source(struct nc_net *net, const struct nc_control_ops *ops)
{
	struct nc_flow *flow = nc_net_add_flow(net);

	flow->control.ops = ops;
	flow->control.packet = 10;
	return flow;
}

/* So much at a time, and all that follows at a rate up to another time. */
static struct nc_flow *sends(struct nc_net *net, int at, int burst, int rate, int until)
{
	struct nc_flow *flow = source(net, &nc_none);

	nc_curve_add(&flow->arrived, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(&flow->arrived, nc_q_int(at), nc_q_int(burst), nc_q_int(rate));
	nc_curve_add(&flow->arrived, nc_q_int(until), nc_q_int(burst + rate * (until - at)),
		     NC_ZERO);
	return flow;
}

static void expect_at(const struct nc_curve *c, const char *what, int t, struct nc_q want)
{
	EXPECT_Q(grid_at(c, t), want, what, t);
}

/*
 * 3 and 1 bytes per ns: at 33 1/3 ns 133 1/3 came, and 100 wait. From there on a
 * quarter of either enters, up to 100 ns.
 */
static void buffer__rates_share(void)
{
	struct nc_net net = server(100, 10, 200);
	struct nc_flow *a, *b;

	sends(&net, 0, 0, 3, 100);
	sends(&net, 0, 0, 1, 100);
	EXPECT_EQ(nc_net_run(&net), 0);
	a = &net.flow[0];
	b = &net.flow[1];
	expect_at(&a->in, "Ahat", 100, nc_q_int(300));
	expect_at(&a->kept, "kept", 33, nc_q_int(99));
	expect_at(&a->kept, "kept", 40, nc_q_int(105));
	expect_at(&a->kept, "kept", 100, nc_q_int(150));
	expect_at(&b->kept, "kept", 100, nc_q_int(50));
	expect_at(&a->out, "D", 100, nc_q_int(75));
	expect_at(&a->out, "D", 200, nc_q_int(150));
	expect_at(&b->out, "D", 200, nc_q_int(50));
	EXPECT_EQ((long)net.lost, 200);
	EXPECT_Q(nc_net_backlog(&net, nc_q_int(70)), nc_q_int(100), "backlog", 70);
	nc_net_free(&net);
}

/* Of 400 bytes at once 100 have room: a quarter of each flow's. */
static void buffer__bursts_share(void)
{
	struct nc_net net = server(100, 10, 150);

	sends(&net, 0, 300, 0, 1);
	sends(&net, 0, 100, 0, 1);
	EXPECT_EQ(nc_net_run(&net), 0);
	expect_at(&net.flow[0].kept, "kept", 1, nc_q_int(75));
	expect_at(&net.flow[0].out, "D", 100, nc_q_int(75));
	expect_at(&net.flow[1].out, "D", 150, nc_q_int(25));
	EXPECT_EQ((long)net.lost, 300);
	nc_net_free(&net);
}

/* At 30 ns 50 of 80 bytes wait: another 50 just fit, of 60 there are 10 too many. */
static long lost_of_a_second_burst(int bytes)
{
	struct nc_net net = server(100, 10, 200);
	long lost;

	sends(&net, 0, 80, 0, 1);
	sends(&net, 30, bytes, 0, 31);
	EXPECT_EQ(nc_net_run(&net), 0);
	lost = (long)net.lost;
	expect_at(&net.out, "D", 200, nc_q_int(80 + bytes - (int)lost));
	nc_net_free(&net);
	return lost;
}

static void buffer__just_full(void)
{
	EXPECT_EQ(lost_of_a_second_burst(50), 0);
	EXPECT_EQ(lost_of_a_second_burst(60), 10);
}

static struct nc_flow *aimd(struct nc_net *net, int rate, int timeout)
{
	struct nc_flow *flow = source(net, &nc_aimd);

	nc_curve_window(nc_q_int(1000000), &flow->arrived);
	flow->control.rate = (int64_t)rate * BYTE_NS;
	flow->control.timeout = timeout;
	*nc_aimd_of(&flow->control) = (struct nc_aimd){
		.every = 1000000, .decrease = HALF, .most = NC_RATE_MAX,
	};
	return flow;
}

/*
 * 2 bytes per ns fill 20 bytes in 20 ns: byte 40 is the first one lost. Byte 40 was
 * sent at 20 ns, so at 81 ns, the first one after 20 + 60, it is overdue, and the flow
 * goes back to it; by then 162 bytes were sent, of which 40 and then 61 found room.
 * D(71) = 71 is above Ahat(21) = 42: without the loss nothing would be overdue.
 */
static void buffer__loss_is_told_by_the_timeout(void)
{
	struct nc_net net = server(20, 10, 100);
	struct nc_flow *flow = aimd(&net, 2, 60);

	EXPECT_EQ(nc_net_run(&net), 0);
	EXPECT_EQ(flow->timeouts, 1);
	EXPECT_Q(flow->origin.t, nc_q_int(81), "origin", 0);
	EXPECT_Q(flow->origin.y, nc_q_int(40), "origin", 0);
	EXPECT_EQ(flow->control.rate, BYTE_NS);
	EXPECT_EQ((long)net.lost, 61);
	expect_at(&flow->in, "Ahat", 91, nc_q_int(50));
	expect_at(&flow->out, "D", 91, nc_q_int(50));
	expect_at(&net.out, "D", 100, nc_q_int(59));
	EXPECT_EQ(nc_q_is_inf(flow->hole), true);
	nc_net_free(&net);
}

/* The other flow's 20 bytes at 0 keep their place, and have all departed at 20 ns. */
static void buffer__others_keep_their_place(void)
{
	struct nc_net net = server(40, 10, 100);

	aimd(&net, 2, 60);
	sends(&net, 0, 20, 0, 1);
	EXPECT_EQ(nc_net_run(&net), 0);
	EXPECT_Q(net.flow[0].origin.y, nc_q_int(40), "origin", 0);
	expect_at(&net.flow[1].out, "D", 20, nc_q_int(20));
	expect_at(&net.out, "D", 100, nc_q_int(20 + 59));
	nc_net_free(&net);
}

/*
 * A flight of 100 bytes finds room for 30, which are acknowledged at 20, 30 and 40
 * ns. At 201 ns the rest is overdue: from 30 on, a packet.
 */
static void buffer__flight_goes_back(void)
{
	struct nc_net net = server(30, 10, 202);
	struct nc_flow *flow = source(&net, &nc_window);

	nc_curve_window(nc_q_int(1000), &flow->arrived);
	flow->control.window = 100;
	flow->control.timeout = 200;
	flow->control.packet_acks = true;
	*nc_reno_of(&flow->control) = (struct nc_reno){
		.decrease = HALF, .threshold = NC_WINDOW_MAX, .increase = 10, .initial = 10,
	};
	EXPECT_EQ(nc_net_run(&net), 0);
	EXPECT_EQ(flow->timeouts, 1);
	EXPECT_Q(flow->origin.t, nc_q_int(201), "origin", 0);
	EXPECT_Q(flow->origin.y, nc_q_int(30), "origin", 0);
	EXPECT_EQ(nc_reno_of(&flow->control)->threshold, 50);
	expect_at(&flow->in, "Ahat", 202, nc_q_int(40));
	nc_net_free(&net);
}

/* A window that slides knows no timeout: 31 bytes are one too many. */
static int run_fixed(int window, struct nc_q *now)
{
	struct nc_net net = server(30, 10, 100);
	struct nc_flow *flow = source(&net, &nc_fixed);
	int err;

	nc_curve_window(nc_q_int(1000), &flow->arrived);
	flow->control.window = window;
	err = nc_net_run(&net);
	*now = net.now;
	EXPECT_EQ(net.loser == flow, err == -ENOBUFS);
	nc_net_free(&net);
	return err;
}

static void buffer__no_answer_is_no_result(void)
{
	struct nc_q now;

	EXPECT_EQ(run_fixed(30, &now), 0);
	EXPECT_Q(now, nc_q_int(100), "now", 0);
	EXPECT_EQ(run_fixed(31, &now), -ENOBUFS);
	EXPECT_Q(now, nc_q_int(1), "now", 0);
}

/* Room that nobody needs changes nothing, also where flows go back. */
static void buffer__room_enough_is_no_buffer(void)
{
	struct nc_net with = server(100000, 10, 1000), without = server(0, 10, 1000);
	struct nc_net *net[2] = { &with, &without };
	int i;

	for (i = 0; i < 2; i++) {
		aimd(net[i], 2, 30);
		aimd(net[i], 3, 40);
		sends(net[i], 50, 70, 1, 90);
		EXPECT_EQ(nc_net_run(net[i]), 0);
		EXPECT_EQ(net[i]->flow[0].timeouts > 0, true);
	}
	EXPECT_EQ((long)with.lost, 0);
	EXPECT_SAME(&with.out, &without.out);
	for (i = 0; i < 3; i++)
		EXPECT_SAME(&with.flow[i].out, &without.flow[i].out);
	nc_net_free(&with);
	nc_net_free(&without);
}

static const struct unit_test tests[] = {
	UNIT_TEST(buffer__rates_share),
	UNIT_TEST(buffer__bursts_share),
	UNIT_TEST(buffer__just_full),
	UNIT_TEST(buffer__loss_is_told_by_the_timeout),
	UNIT_TEST(buffer__others_keep_their_place),
	UNIT_TEST(buffer__flight_goes_back),
	UNIT_TEST(buffer__no_answer_is_no_result),
	UNIT_TEST(buffer__room_enough_is_no_buffer),
};

UNIT_MAIN(tests)
