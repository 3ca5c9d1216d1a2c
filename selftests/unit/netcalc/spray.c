// SPDX-License-Identifier: GPL-2.0
/*
 * How many packets may be late before mswift gives up a line, by the model and by the
 * algorithm itself. Documentation/collapse-model.md has the numbers.
 *
 *	make -C selftests/unit/netcalc spray
 */
#include "collapse.h"
#include "spray.h"

#define RTTS		2000	/* of a run */
#define SMALL_START	10	/* packets, as the stack starts */
#define FIRST_PERCENT	25
#define LAST_PERCENT	49
#define SEEDS		5
#define HELD		0.95	/* of the line */
#define HALF		0.5
#define FULL		1.2	/* RTTs of packets that are in flight at the line's rate */
#define MSWIFT		2	/* number of its algorithm */

static struct nc_collapse line_of(int faster)
{
	struct nc_collapse p = NC_COLLAPSE_DEFAULTS;

	p.rate = 8e9 * MSS / (PACKET_NS / faster);
	p.time = RTTS * T_S_NS / 1e9;
	return p;
}

/* The last percentage up to which that much of the line is held, by the algorithm. */
static int alg_holds(int faster, u32 first, int rtts, double held)
{
	double gap = PACKET_NS / faster;
	int percent = FIRST_PERCENT;

	while (percent <= LAST_PERCENT &&
	       mean_share(percent / 100.0, gap, first, rtts, SEEDS,
			  tool_alg_at(MSWIFT)) >= held)
		percent++;
	return percent - 1;
}

/* By the model, from a full line. */
static int model_holds(int faster, double held)
{
	struct nc_collapse p = line_of(faster);
	int percent = FIRST_PERCENT;

	while (percent <= LAST_PERCENT &&
	       nc_collapse_mswift(&p, percent / 100.0).throughput >= held * p.rate)
		percent++;
	return percent - 1;
}

/* By the model, up to where no smaller window is steady. */
static int model_recovers(int faster)
{
	struct nc_collapse p = line_of(faster);
	int percent = FIRST_PERCENT;

	while (percent <= LAST_PERCENT &&
	       !strcmp(nc_collapse_mswift(&p, percent / 100.0).regime, "holds"))
		percent++;
	return percent - 1;
}

static void print_row(int faster)
{
	double gap = PACKET_NS / faster;
	u32 full = (u32)lround(FULL * T_S_NS / gap);

	printf("%3.0f     %2d (%2d)   %2d (%2d)  |  %2d     %2d\n", T_S_NS / gap,
	       model_holds(faster, HELD), model_holds(faster, HALF),
	       alg_holds(faster, full, RTTS, HELD), alg_holds(faster, full, RTTS, HALF),
	       model_recovers(faster),
	       alg_holds(faster, SMALL_START, RTTS + (int)full, HALF));
	fflush(stdout);
}

int main(void)
{
	int faster;

	printf("Late of 100, up to which %d RTTs have 95 (50) %% of the line; %d seeds\n",
	       RTTS, SEEDS);
	printf("        from a full line      |  from %d packets, 50 %%\n", SMALL_START);
	puts("window  model     algorithm      |  model  algorithm");
	for (faster = 1; faster <= 16; faster *= 2)
		print_row(faster);
	return 0;
}
