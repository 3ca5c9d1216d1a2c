// SPDX-License-Identifier: GPL-2.0
/*
 * How the cost of tools/netcalc grows: with the pieces of curves, the flows of
 * a network, the events of a computation. Prints tables; Documentation/
 * netcalc.md has the numbers of one machine.
 */
#include <stdlib.h>
#include <time.h>

#include "aimd.h"
#include "envelope.h"
#include "inverse.h"
#include "minplus.h"
#include "loop.h"
#include "unit.h"

#define US_PER_S	1e6
#define NS_PER_US	1000

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * US_PER_S + (double)t.tv_nsec / NS_PER_US;
}

/* Bursts and rates in turn: n pieces without any shape. */
static struct nc_curve jagged(int n)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	long long t = 0, y = 0;

	while (n--) {
		int slope = unit_below(20), length = 1 + unit_below(100);

		y += unit_below(2) ? 0 : unit_below(500);
		nc_curve_add(&c, nc_q_int(t), nc_q_int(y), nc_q_int(slope));
		y += (long long)slope * length;
		t += length;
	}
	return c;
}

/* Slopes that only rise. */
static struct nc_curve convex(int n)
{
	struct nc_curve c = NC_CURVE_EMPTY;
	long long y = 0;
	int k;

	for (k = 0; k < n; k++) {
		nc_curve_add(&c, nc_q_int(10 * k), nc_q_int(y), nc_q_int(k));
		y += 10LL * k;
	}
	return c;
}

static void bench_curves(int n)
{
	struct nc_curve f = jagged(n), g = convex(8), out = NC_CURVE_EMPTY;
	struct nc_curve h = convex(n);
	double t[5];

	t[0] = now_us();
	nc_conv_rate(&f, nc_q_int(10), &out);
	nc_curve_free(&out);
	t[1] = now_us();
	nc_min(&f, &g, &out);
	nc_curve_free(&out);
	t[2] = now_us();
	nc_conv_pieces(&f, &g, &out);
	nc_curve_free(&out);
	t[3] = now_us();
	nc_conv(&h, &h, &out);
	nc_curve_free(&out);
	t[4] = now_us();
	printf("%8d %12.1f %12.1f %12.1f %12.1f\n", n, t[1] - t[0], t[2] - t[1],
	       t[3] - t[2], t[4] - t[3]);
	nc_curve_free(&h);
	nc_curve_free(&f);
	nc_curve_free(&g);
}

/* Senders of a burst to one port of 100 Gbit/s, as in the paper's section V. */
static struct nc_net senders(int flows, int ms)
{
	struct nc_net net = {
		.rate = nc_kbps(100000000), .feedback = nc_q_int(4000),
		.stop = nc_q_int(ms * 1000000LL),
		.ecn = { 5000, 200000, 10000, 50000, 1000, 0 },
	};

	while (flows--) {
		struct nc_flow *flow = nc_net_add_flow(&net);

		nc_curve_window(nc_q_int(10000000), &flow->arrived);
		flow->control = (struct nc_control){
			.ops = &nc_dcqcn, .rate = 100000000, .timeout = 3000000,
		};
		*nc_aimd_of(&flow->control) = (struct nc_aimd){
			.most = 100000000, .increase = 5000, .every = 55000,
			.decrease = 750000,
		};
	}
	return net;
}

/* The same, but no two are alike. */
static struct nc_net different(int flows, int ms)
{
	struct nc_net net = senders(flows, ms);
	size_t i;

	for (i = 0; i < net.flows; i++) {
		struct nc_flow *flow = &net.flow[i];

		flow->control.rate = 1000000 + unit_below(99000000);
		nc_aimd_of(&flow->control)->increase = 1000 + unit_below(50000);
		nc_aimd_of(&flow->control)->every = 40000 + unit_below(30000);
		nc_aimd_of(&flow->control)->decrease = 700000 + unit_below(100000);
	}
	net.totals = true;
	return net;
}

static void bench_net(struct nc_net net, int flows, int ms)
{
	double start = now_us(), took;

	if (nc_net_run(&net))
		puts("failed");
	took = now_us() - start;
	printf("%8d %8d %10lu %12.0f %12.2f\n", flows, ms, net.events, took,
	       took / (double)net.events);
	nc_net_free(&net);
}

int main(void)
{
	int n;

	unit_state = 88172645463325252ULL;
	puts("pieces      rate, us      min, us  general (8 pieces), us   convex, us");
	for (n = 10; n <= 100000; n *= 10)
		bench_curves(n);
	puts("\n   flows       ms     events     CPU, us  us per event");
	for (n = 1; n <= 256; n *= 4)
		bench_net(senders(n, 10), n, 10);
	for (n = 20; n <= 80; n *= 2)
		bench_net(senders(31, n), 31, n);
	puts("\ndifferent       ms     events     CPU, us  us per event");
	for (n = 10; n <= 1000; n *= 10)
		bench_net(different(n, 1), n, 1);
	bench_net(different(100, 10), 100, 10);
	return 0;
}
