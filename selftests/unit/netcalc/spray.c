// SPDX-License-Identifier: GPL-2.0
/*
 * How many packets may be late before mswift gives up a line it fills, by the law
 * itself: the module's own source, fed packet by packet. Each packet takes T_s or, at
 * random with the share q, T_l; nothing is lost, and one flow has the line to itself.
 * Documentation/collapse-model.md has the numbers beside the model's.
 *
 *	make -C selftests/unit/netcalc spray
 */
#include <stdlib.h>

#include "../laws/laws.h"
#include "unit.h"

#define T_S_NS		120000
#define T_L_NS		220000
#define PACKET_NS	3277.0	/* 4096 bytes at 10 Gbit/s */
#define MSS		4024
#define RTTS		3000	/* of a run, at the line's rate */
#define WARM_RTTS	1000	/* until it counts */
#define SMALL_START	10	/* packets, as the stack starts */
#define FIRST_PERCENT	25
#define LAST_PERCENT	49
#define RING		65536	/* in flight, most */
#define KNOBS_MOST	64
#define SEEDS		3
#define HELD		0.95	/* of the line */

/* Packets under way on paths of one delay: they come as they were sent. */
struct way {
	double sent[RING];
	unsigned int head;
	unsigned int tail;
	double delay;
};

struct run {
	struct way way[2];
	double now;
	double last_sent;
	double gap;
	double srtt;
	u64 cwnd;
	unsigned int flight;
	bool limited;
};

static double arrives(const struct way *w)
{
	return w->head == w->tail ? INFINITY : w->sent[w->tail % RING] + w->delay;
}

/* Windows below two packets are paced, as dcc_apply.c does it. */
static double next_send(const struct run *r)
{
	u64 one = (u64)MSS << DCC_CWND_SHIFT;
	double gap = r->gap;

	if (r->cwnd < 2 * one) {
		gap = r->srtt * (double)one / (double)r->cwnd;
		gap = gap > r->gap ? gap : r->gap;
	} else if (r->flight >= r->cwnd / one) {
		return INFINITY;
	}
	return r->last_sent + gap > r->now ? r->last_sent + gap : r->now;
}

static void send(struct run *r, double q)
{
	struct way *w = &r->way[(double)(unit_rand() >> 11) / (double)(1ULL << 53) < q];

	w->sent[w->head++ % RING] = r->now;
	r->last_sent = r->now;
	r->flight++;
}

static void acked(struct run *r, struct way *w, const struct tool_law *of, void *law,
		  void *extra)
{
	struct dcc_decision d = { 0 };
	struct dcc_sample s = {
		.now_ns = (u64)r->now, .sent_ns = (u64)w->sent[w->tail % RING],
		.delay_ns = (u32)w->delay, .base_rtt_ns = T_S_NS, .acked = 1,
		.acked_bytes = MSS, .mss = MSS,
	};
	u64 window = r->cwnd / ((u64)MSS << DCC_CWND_SHIFT);

	r->srtt += r->srtt > 0 ? (w->delay - r->srtt) / 8 : w->delay;
	s.srtt_ns = (u32)r->srtt;
	s.cwnd_limited = window < 2 || r->flight >= window;
	w->tail++;
	r->flight--;
	of->on_ack(law, extra, of->defaults, &s, &d);
	r->cwnd = d.cwnd;
}

/* The knobs as they come, but for the first window. */
static void begin(const struct tool_law *of, void *law, void *extra, u32 first)
{
	struct dcc_sample s = { .mss = MSS };
	u32 knob[KNOBS_MOST], i;

	for (i = 0; i < of->knobs && i < KNOBS_MOST; i++)
		knob[i] = strcmp(of->knob[i].name, "init_cwnd") ? of->defaults[i] : first;
	of->init(of, law, extra, knob, &s, 1);
}

/*
 * The share of the line that a flow has with so many packets late, from a first
 * window on.
 */
static double share(double q, double gap, u32 first, const struct tool_law *of)
{
	struct run *r = calloc(1, sizeof(*r));
	void *law = calloc(1, of->state), *extra = calloc(1, of->extra);
	int n, packets = (int)(RTTS * T_S_NS / gap);
	int warm = (int)(WARM_RTTS * T_S_NS / gap);
	double begun = 0;

	*r = (struct run){ .gap = gap, .cwnd = (u64)first * MSS << DCC_CWND_SHIFT };
	r->way[0].delay = T_S_NS;
	r->way[1].delay = T_L_NS;
	begin(of, law, extra, first);
	for (n = 0; n < packets;) {
		int late = arrives(&r->way[1]) < arrives(&r->way[0]);
		double back = arrives(&r->way[late]), out = next_send(r);

		r->now = back < out ? back : out;
		if (back < out) {
			acked(r, &r->way[late], of, law, extra);
			begun = ++n == warm ? r->now : begun;
		} else {
			send(r, q);
		}
	}
	gap *= (packets - warm) / (r->now - begun);
	free(r);
	free(law);
	free(extra);
	return gap;
}

static double mean_share(double q, double gap, u32 first, const struct tool_law *of)
{
	double sum = 0;
	int seed;

	for (seed = 1; seed <= SEEDS; seed++) {
		unit_state = 88172645463325252ULL * (u64)seed;
		sum += share(q, gap, first, of);
	}
	return sum / SEEDS;
}

/* The last percentage up to which the line is held. */
static int held_up_to(double gap, u32 first, const struct tool_law *of)
{
	int percent = FIRST_PERCENT;

	while (percent <= LAST_PERCENT &&
	       mean_share(percent / 100.0, gap, first, of) >= HELD)
		percent++;
	return percent - 1;
}

int main(void)
{
	const struct tool_law *of = tool_law_at(2);
	int faster;

	printf("%s: %d %% of the line up to so many late of 100, mean of %d seeds\n",
	       of->name, (int)(100 * HELD), SEEDS);
	for (faster = 1; faster <= 16; faster *= 2) {
		double gap = PACKET_NS / faster;
		u32 window = (u32)(2 * T_S_NS / gap);

		printf("window %3.0f: from %d packets %d, from %u packets %d\n",
		       T_S_NS / gap, SMALL_START,
		       held_up_to(gap, SMALL_START, of), window,
		       held_up_to(gap, window, of));
	}
	return 0;
}
