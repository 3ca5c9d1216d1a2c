// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tools/netcalc/{stack,packets,dctcp_linux,fixed}.c and of marks packet by
 * packet. The server takes 1 byte per ns, packets have 10 bytes, and acknowledgments
 * take 100 ns.
 */
#include "dctcp.h"
#include "fixed.h"
#include "grid.h"
#include "inverse.h"
#include "loop.h"
#include "mark.h"
#include "stack.h"

#define GREEDY	1000000		/* bytes to send at once */

static struct nc_net server(int stop)
{
	return (struct nc_net){
		.rate = nc_q_int(1), .feedback = nc_q_int(100),
		.stop = nc_q_int(stop),
	};
}

/* A source that begins at a time. */
static struct nc_flow *source(struct nc_net *net, int at, int bytes,
			      const struct nc_control_ops *ops, int window)
{
	struct nc_flow *flow = nc_net_add_flow(net);

	nc_curve_add_line(&flow->arrived, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add_line(&flow->arrived, nc_q_int(at), NC_ZERO, nc_q_int(bytes));
	flow->control = (struct nc_control){
		.ops = ops, .window = window, .packet = 10, .packet_acks = true,
	};
	return flow;
}

static struct nc_flow *module(struct nc_net *net, int at, int bytes,
			      const char *alg)
{
	struct nc_flow *flow = source(net, at, bytes, &nc_stack, 0);
	struct nc_stack *stack = nc_stack_of(&flow->control);
	u32 i = 0;

	while (strcmp(tool_alg_at(i)->name, alg))
		i++;
	stack->of = tool_alg_at(i);
	for (i = 0; i < stack->of->knobs; i++)
		stack->knob[i] = stack->of->defaults[i];
	return flow;
}

static void set(struct nc_flow *flow, const char *name, u32 value)
{
	struct nc_stack *stack = nc_stack_of(&flow->control);
	u32 i = 0;

	while (strcmp(stack->of->knob[i].name, name))
		i++;
	stack->knob[i] = value;
}

static void run(struct nc_net *net)
{
	EXPECT_EQ(nc_net_run(net), 0);
}

static void expect_in(const struct nc_net *net, int t, struct nc_q want)
{
	EXPECT_Q(nc_curve_at(&net->flow[0].in, nc_q_int(t)), want, "Ahat", t);
}

/* --- algorithms without one ------------------------------------------------------- */

/* 30 bytes at once, gone by 30 ns; of each an acknowledgment 100 ns after it left. */
static void fixed__slides(void)
{
	struct nc_net net = server(300);

	source(&net, 0, GREEDY, &nc_fixed, 30)->control.packet_acks = false;
	run(&net);
	expect_in(&net, 100, nc_q_int(30));
	expect_in(&net, 115, nc_q_int(45));
	expect_in(&net, 130, nc_q_int(60));
	expect_in(&net, 200, nc_q_int(60));
	EXPECT_EQ(net.flow[0].control.window, 30);
	nc_net_free(&net);
}

/* A dR of its own: the first one hears after 40 ns, the second after 100. */
static void fixed__its_own_feedback(void)
{
	struct nc_net net = server(300);

	source(&net, 0, GREEDY, &nc_fixed, 30);
	source(&net, 0, GREEDY, &nc_fixed, 30);
	net.flow[0].feedback = nc_q_int(40);
	run(&net);
	/* the server has had 10 of each by 20 ns, and sends what the first adds at 60 */
	expect_in(&net, 60, nc_q_int(30));
	expect_in(&net, 61, nc_q_int(40));
	EXPECT_Q(nc_curve_at(&net.flow[1].in, nc_q_int(120)), nc_q_int(30), "Ahat", 120);
	EXPECT_Q(nc_curve_at(&net.flow[1].in, nc_q_int(121)), nc_q_int(40), "Ahat", 121);
	nc_net_free(&net);
}

static void none__admits_all(void)
{
	struct nc_net net = server(300);

	source(&net, 20, 150, &nc_none, 0);
	run(&net);
	expect_in(&net, 20, NC_ZERO);
	expect_in(&net, 21, nc_q_int(150));
	EXPECT_Q(nc_curve_at(&net.out, nc_q_int(120)), nc_q_int(100), "D", 120);
	nc_net_free(&net);
}

/* --- dctcp ------------------------------------------------------------------ */

static int dctcp_at(int stop, int window, int kmax, int first)
{
	struct nc_net net = server(stop);
	struct nc_flow *flow = source(&net, 0, GREEDY, &nc_dctcp_linux, window);

	*nc_dctcp_of(&flow->control) = (struct nc_dctcp){ .shift = 4, .first = first };
	net.ecn.kmax = kmax;
	run(&net);
	window = (int)net.flow[0].control.window;
	nc_net_free(&net);
	return window;
}

/* By each acknowledgment: at 110, 120 ns and so on. */
static void dctcp__slow_start(void)
{
	EXPECT_EQ(dctcp_at(109, 20, 0, 1024), 20);
	EXPECT_EQ(dctcp_at(110, 20, 0, 1024), 30);
	EXPECT_EQ(dctcp_at(120, 20, 0, 1024), 40);
}

/*
 * Of 8 packets at once the first departs with 70 bytes still there: 70 or more mark
 * it. alpha is 1 - 1/16 by then, 960 of 1024, and leaves 8 - (8 * 960 >> 11) = 5.
 */
static void dctcp__cut(void)
{
	EXPECT_EQ(dctcp_at(109, 80, 70, 1024), 80);
	EXPECT_EQ(dctcp_at(110, 80, 70, 1024), 50);
	EXPECT_EQ(dctcp_at(110, 80, 71, 1024), 90);
}

/*
 * With alpha at a half, 480 of 1024 by then, 8 become 7, and stay so while what had
 * been sent is acknowledged: the marks of the next three packets are the same news.
 */
static void dctcp__once_per_window(void)
{
	EXPECT_EQ(dctcp_at(110, 80, 40, 512), 70);
	EXPECT_EQ(dctcp_at(140, 80, 40, 512), 70);
	EXPECT_EQ(dctcp_at(179, 80, 40, 512), 70);
}

/* --- marks ------------------------------------------------------------------ */

/* Four packets at once: before they come there are 0 bytes, as the last leaves, too. */
static void mark__departure_or_arrival(void)
{
	struct nc_net net = server(100);
	struct nc_flow *flow;
	int arriving, k;

	source(&net, 0, 40, &nc_none, 0);
	run(&net);
	flow = &net.flow[0];
	net.ecn.kmax = 20;
	for (arriving = 0; arriving < 2; arriving++)
		for (k = 1; k <= 4; k++) {
			net.ecn.arriving = arriving;
			EXPECT_EQ(nc_mark_packet(&net, flow, nc_q_int(10 * k)),
				  !arriving && k <= 2);
		}
	nc_net_free(&net);
}

/* Half of a packet is expected to be marked at 30 bytes between 10 and 50: each second is. */
static void mark__red_draws_no_lots(void)
{
	struct nc_net net = server(100);
	struct nc_flow *flow;
	int k;

	source(&net, 0, 40, &nc_none, 0);
	run(&net);
	flow = &net.flow[0];
	net.ecn = (struct nc_ecn){ .kmin = 10, .kmax = 50, .pmax = NC_PPM };
	for (k = 0; k < 6; k++)
		EXPECT_EQ(nc_mark_packet(&net, flow, nc_q_int(10)), k % 2);
	nc_net_free(&net);
}

/* --- the modules' algorithms ------------------------------------------------------ */

/*
 * 99 % of the line: 0.99 bytes per ns. The window is ten packets, and one more with the
 * first ACK, of a flow that starts; the first byte is acknowledged with its packet, at 10
 * / 0.99 + 100 ns, rounded up.
 */
static void stack__paces(void)
{
	struct nc_net net = server(111);

	module(&net, 0, GREEDY, "swift");
	run(&net);
	expect_in(&net, 10, nc_q_make(99, 10));
	expect_in(&net, 100, nc_q_make(99, 1));
	expect_in(&net, 110, nc_q_int(100));
	EXPECT_EQ(net.flow[0].control.window, 110);
	nc_net_free(&net);
}

/*
 * A first window of one packet is carried out by pacing, a packet per RTT: three may
 * be in flight. The first is acknowledged at 111 ns, sent at 10 10/99: for the algorithm
 * at 10, so srtt is 101 ns. ai is 1 and the window below the target, so it becomes 2,
 * which is no small one.
 */
static void stack__small_window(void)
{
	struct nc_net net = server(111);

	set(module(&net, 0, GREEDY, "swift"), "init_cwnd", 1);
	run(&net);
	expect_in(&net, 110, nc_q_int(30));
	EXPECT_EQ(net.flow[0].control.window, 20);
	nc_net_free(&net);
	net = server(112);
	set(module(&net, 0, GREEDY, "swift"), "init_cwnd", 1);
	set(&net.flow[0], "max_cwnd", 1);
	run(&net);
	EXPECT_EQ(net.flow[0].control.window, 30);
	/* 10 bytes in 101 ns, at least a packet a second */
	EXPECT_EQ(net.flow[0].control.rate, 99009900 * 8LL / 1000);
	nc_net_free(&net);
}

static int swift_after(int stop, u32 packets, int bytes)
{
	struct nc_net net = server(stop);
	struct nc_flow *flow = module(&net, 0, bytes, "swift");
	int window;

	set(flow, "init_cwnd", packets);
	set(flow, "ai", 4000);
	run(&net);
	window = (int)net.flow[0].control.window;
	nc_net_free(&net);
	return window;
}

/*
 * What holds the flow back is that it has sent all, or the line: 99 % of it are 110
 * bytes in flight, and 1000 may be. Only a window of 100 bytes grows.
 */
static void stack__limited_by_the_window(void)
{
	EXPECT_EQ(swift_after(2000, 10, 50), 100);
	EXPECT_EQ(swift_after(2000, 10, 100), 100);
	EXPECT_EQ(swift_after(2000, 100, GREEDY), 1000);
	EXPECT_EQ(swift_after(2000, 10, GREEDY) > 100, true);
}

/*
 * A flow of the lowest priority probes before it sends, 1 ns after it may and not
 * before it has something to send: the answer is back 100 ns later, from an empty
 * queue. Then it sends.
 */
static void stack__probes_first(void)
{
	struct nc_net net = server(400);

	module(&net, 50, GREEDY, "prioplus");
	run(&net);
	expect_in(&net, 150, NC_ZERO);
	EXPECT_EQ(nc_q_sign(nc_curve_at(&net.flow[0].in, nc_q_int(151))), 1);
	nc_net_free(&net);
}

/* Behind the 499 bytes that are left of 500 the answer comes 499 ns later. */
static void stack__probe_waits_in_the_queue(void)
{
	struct nc_net net = server(900);

	set(module(&net, 50, GREEDY, "prioplus"), "channel_fluct_ns", 100000);
	source(&net, 49, 500, &nc_none, 0);
	run(&net);
	expect_in(&net, 649, NC_ZERO);
	EXPECT_EQ(nc_q_sign(nc_curve_at(&net.flow[0].in, nc_q_int(650))), 1);
	nc_net_free(&net);
}

/*
 * Behind 50000 bytes two packets are late beyond all channels, and the flow is to ask
 * no sooner than it was late, some 45 us. The acknowledgments of what it had sent by
 * then come first, and change nothing.
 */
static void stack__held_until_the_probe(void)
{
	struct nc_net net = server(120000);
	struct nc_flow *flow = module(&net, 0, GREEDY, "prioplus");
	struct nc_q in;

	set(flow, "base_rtt_ns", 1000);
	set(flow, "channel_fluct_ns", 3200);	/* of this link's rate they were wider */
	set(flow, "channel_noise_ns", 800);
	source(&net, 2000, 50000, &nc_none, 0);
	run(&net);
	in = nc_curve_at(&net.flow[0].in, nc_q_int(60000));
	EXPECT_EQ(nc_q_sign(in), 1);
	expect_in(&net, 95000, in);
	EXPECT_EQ(nc_q_lt(in, nc_curve_at(&net.flow[0].in, nc_q_int(110000))), true);
	nc_net_free(&net);
}

/*
 * A probe's answer stands in for the base RTT until a packet tells it, which may be
 * more: here 100 ns, and then some 5000 behind a burst. Against 100 they were beyond
 * the channel, and the flow held.
 */
static void stack__probe_is_no_packet(void)
{
	struct nc_net net = server(5600);
	struct nc_flow *flow = module(&net, 50, GREEDY, "prioplus");

	set(flow, "channel_fluct_ns", 100);
	set(flow, "channel_noise_ns", 1);
	set(flow, "host_jitter", 0);
	source(&net, 152, 5000, &nc_none, 0);
	run(&net);
	EXPECT_EQ(nc_q_lt(nc_q_int(10), nc_curve_at(&net.flow[0].in, net.now)), true);
	EXPECT_EQ(net.flow[0].control.suspended, false);
	nc_net_free(&net);
}

static int window_with(u32 host_jitter)
{
	struct nc_net net = server(20000);
	struct nc_flow *flow = module(&net, 50, GREEDY, "prioplus"), *other;
	int window;

	set(flow, "host_jitter", host_jitter);
	set(flow, "channel_fluct_ns", 100);
	set(flow, "channel_noise_ns", 1);
	set(flow, "pacing_percent", 200);
	nc_stack_of(&flow->control)->priority = 7;
	other = source(&net, 0, 0, &nc_none, 0);
	nc_curve_add_line(&other->arrived, NC_ZERO, nc_q_make(1, 2), NC_ZERO);
	nc_curve_add_line(&other->arrived, nc_q_int(2000), NC_ZERO, NC_ZERO);
	run(&net);
	window = (int)net.flow[0].control.window;
	nc_net_free(&net);
	return window;
}

/*
 * Of an algorithm that probes the longest delay of a round without a queue is the hosts', which
 * have none here. A flow that sends 2 bytes per ns beside 1/2 has 4/5 of the line: its k-th packet
 * is 7.5 k ns late beyond the 100. The first round has nine, so the hosts seem to have 60 ns.
 * D_target is 808 ns beyond 108 and those: a window of 91 packets in the end, or of 97.
 */
static void stack__hosts_of_an_algorithm_that_probes(void)
{
	EXPECT_EQ(window_with(0), 910);
	EXPECT_EQ(window_with(1), 970);
}

/* The highest priority does not ask. */
static void stack__highest_starts_at_once(void)
{
	struct nc_net net = server(100);

	nc_stack_of(&module(&net, 50, GREEDY, "prioplus")->control)->priority = 7;
	run(&net);
	EXPECT_EQ(nc_q_sign(nc_curve_at(&net.flow[0].in, nc_q_int(60))), 1);
	nc_net_free(&net);
}

/* The smallest rate and window of a flow while it was computed, and the first byte. */
struct least {
	int64_t rate;
	int64_t window;
};

static void note_least(void *context, const struct nc_net *net, struct nc_q from,
		       struct nc_q to)
{
	const struct nc_control *c = &net->flow[0].control;
	struct least *least = context;

	(void)from;
	(void)to;
	least->rate = c->rate < least->rate ? c->rate : least->rate;
	least->window = c->window < least->window ? c->window : least->window;
}

static struct least swift_least(u32 drain_rtts, u32 max_cwnd)
{
	struct least least = { NC_RATE_MAX, NC_WINDOW_MAX };
	struct nc_net net = server(100000);
	struct nc_flow *flow = module(&net, 0, GREEDY, "swift");

	set(flow, "drain_rtts", drain_rtts);
	set(flow, "max_cwnd", max_cwnd);
	net.record = note_least;
	net.context = &least;
	run(&net);
	nc_net_free(&net);
	return least;
}

/* A min-RTT probe leaves a part of the window; of one packet, half at least. */
static void stack__drains(void)
{
	EXPECT_EQ(swift_least(0, 10).window, 100);
	EXPECT_EQ(swift_least(8, 10).window <= 40, true);
	EXPECT_EQ(swift_least(0, 1).rate, 99009900 * 8LL / 1000);
	EXPECT_EQ(swift_least(8, 1).rate, 99009900 / 2 * 8LL / 1000);
}

/* No window is slower than a packet a second: 1000 bytes are 8 kbit/s. */
static void stack__slowest(void)
{
	struct nc_net net = server(2000000000);
	struct nc_flow *flow = module(&net, 0, GREEDY, "swift");

	net.feedback = nc_q_int(1900000000);
	flow->control.packet = 1000;
	set(flow, "max_cwnd", 1);
	set(flow, "init_cwnd", 1);
	run(&net);
	EXPECT_EQ(net.flow[0].control.rate, 8);
	nc_net_free(&net);
}

/*
 * 100 bytes into an empty queue, and after a silence the next ones into one of 60000.
 * A flow that knows the base RTT, some 110 ns, aims at 25 us and is far above; one
 * that was silent for longer than a timeout takes it for the way and grows.
 */
static int after_silence(int ms)
{
	int at = ms * 1000000, window;
	struct nc_net net = server(at + 60150);
	struct nc_flow *flow = module(&net, 0, 100, "swift");

	set(flow, "drain_rtts", 0);
	set(flow, "fs_min", 1000);
	set(flow, "fs_max", 1000);
	nc_curve_add_line(&flow->arrived, nc_q_int(at), NC_ZERO, nc_q_int(GREEDY));
	source(&net, at - 1, 60000, &nc_none, 0);
	run(&net);
	window = (int)net.flow[0].control.window;
	nc_net_free(&net);
	return window;
}

static void stack__silence(void)
{
	EXPECT_EQ(after_silence(199) < 100, true);
	EXPECT_EQ(after_silence(201) >= 100, true);
}

static int first_byte(u64 seed)
{
	struct nc_net net = server(200000);
	struct nc_flow *flow = module(&net, 0, GREEDY, "prioplus");
	struct nc_q t;

	set(flow, "base_rtt_ns", 1000);
	nc_stack_of(&flow->control)->seed = (s64)seed;
	source(&net, 0, 100000, &nc_none, 0);
	run(&net);
	t = nc_inv_up(&net.flow[0].in, NC_ZERO);
	nc_net_free(&net);
	return (int)nc_q_floor(t).num;
}

/*
 * Held before 100000 bytes a flow waits for what the delay was beyond its channel,
 * and for a random part of the base RTT: the same each time, and another for each seed.
 */
static void stack__random_waits(void)
{
	EXPECT_EQ(first_byte(1), first_byte(1));
	EXPECT_EQ(first_byte(1) == first_byte(2), false);
	EXPECT_EQ(first_byte(1) > 100000, true);
}

/* The line is 8 Gbit/s, or what the knob says; pacing leaves its share of it. */
static void stack__line_rate(void)
{
	struct nc_net net = server(1);

	set(module(&net, 0, GREEDY, "swift"), "line_rate_mbps", 4000);
	module(&net, 0, GREEDY, "swift");
	set(module(&net, 0, GREEDY, "swift"), "pacing_percent", 50);
	run(&net);
	EXPECT_EQ(net.flow[0].control.rate, 3960000);
	EXPECT_EQ(net.flow[1].control.rate, 7920000);
	EXPECT_EQ(net.flow[2].control.rate, 4000000);
	nc_net_free(&net);
}

static struct nc_control oscar_first(u32 share, int packet)
{
	struct nc_net net = server(1);
	struct nc_flow *flow = module(&net, 0, GREEDY, "oscar");
	struct nc_control c;

	flow->control.packet = packet;
	set(flow, "base_rtt_ns", 100);
	set(flow, "start_u", share);
	run(&net);
	c = net.flow[0].control;
	nc_net_free(&net);
	return c;
}

/*
 * An algorithm with a rate of its own: 2 % of 8 Gbit/s are 3 bytes in the 150 ns it aims at.
 * Less than two packets is one, at that rate; which is 5 packets a second at least.
 */
static void stack__small_window_at_its_rate(void)
{
	EXPECT_EQ(oscar_first(20000, 10).window, 10);
	EXPECT_EQ(oscar_first(20000, 10).rate, 160000);
	EXPECT_EQ(oscar_first(1, 1000).rate, 5 * 1000 * 8 / 1000);
	EXPECT_EQ(oscar_first(1, 100).rate, 8);
}

/* Two flows that start alike, and wait alike but for their lots. */
static void stack__lots_of_their_own(void)
{
	struct nc_net net = server(200000);
	int k;

	for (k = 0; k < 2; k++)
		set(module(&net, 0, GREEDY, "prioplus"), "base_rtt_ns", 1000);
	source(&net, 0, 100000, &nc_none, 0);
	run(&net);
	EXPECT_EQ(nc_q_eq(nc_inv_up(&net.flow[0].in, NC_ZERO),
			  nc_inv_up(&net.flow[1].in, NC_ZERO)), false);
	nc_net_free(&net);
}

/* Marks come to the algorithm: of two equal flows the one that hears none has more. */
static void stack__marks(void)
{
	struct nc_net net = server(400000);
	int k;

	for (k = 0; k < 2; k++) {
		struct nc_flow *flow = module(&net, 0, GREEDY, "nscc");

		set(flow, "network_rtt_ns", 100);
		set(flow, "delay_gain", 125);	/* a is 1/1500: no cut is ever made good */
	}
	net.ecn.kmax = 50;
	run(&net);
	EXPECT_EQ(net.flow[0].control.window <= 150, true);
	EXPECT_Q(nc_curve_at(&net.out, net.now), nc_q_int(400000), "", 0);
	nc_net_free(&net);
}

static const struct unit_test tests[] = {
	UNIT_TEST(fixed__slides),
	UNIT_TEST(fixed__its_own_feedback),
	UNIT_TEST(none__admits_all),
	UNIT_TEST(dctcp__slow_start),
	UNIT_TEST(dctcp__cut),
	UNIT_TEST(dctcp__once_per_window),
	UNIT_TEST(mark__departure_or_arrival),
	UNIT_TEST(mark__red_draws_no_lots),
	UNIT_TEST(stack__paces),
	UNIT_TEST(stack__small_window),
	UNIT_TEST(stack__limited_by_the_window),
	UNIT_TEST(stack__probes_first),
	UNIT_TEST(stack__probe_waits_in_the_queue),
	UNIT_TEST(stack__held_until_the_probe),
	UNIT_TEST(stack__probe_is_no_packet),
	UNIT_TEST(stack__hosts_of_an_algorithm_that_probes),
	UNIT_TEST(stack__highest_starts_at_once),
	UNIT_TEST(stack__drains),
	UNIT_TEST(stack__slowest),
	UNIT_TEST(stack__silence),
	UNIT_TEST(stack__random_waits),
	UNIT_TEST(stack__line_rate),
	UNIT_TEST(stack__small_window_at_its_rate),
	UNIT_TEST(stack__lots_of_their_own),
	UNIT_TEST(stack__marks),
};

UNIT_MAIN(tests)
