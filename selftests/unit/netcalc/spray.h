/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mswift itself against late packets: the module's own source, fed packet by packet.
 * Each packet waits for its turn at the line and then takes T_s or, at random with the
 * share q, T_l; nothing is lost, and one flow has the line to itself.
 */
#ifndef _SPRAY_H
#define _SPRAY_H

#include <stdlib.h>

#include "../algorithms/algorithms.h"
#include "unit.h"

#define T_S_NS		120000
#define T_L_NS		220000
#define PACKET_NS	3277.0	/* 4096 bytes at 10 Gbit/s */
#define MSS		4024
#define WARM_RTTS	20	/* of a run, with no packet late */
#define RING		65536	/* in flight, most */
#define KNOBS_MOST	64

/* Packets under way on paths of one delay: they come as they were sent. */
struct way {
	double sent[RING];
	double back[RING];
	unsigned int head;
	unsigned int tail;
	double delay;
};

struct run {
	struct way way[2];
	double now;
	double last_sent;
	double line_free;	/* when the line has sent what it was given */
	double gap;
	double srtt;
	u64 cwnd;
	unsigned int flight;
};

static double arrives(const struct way *w)
{
	return w->head == w->tail ? INFINITY : w->back[w->tail % RING];
}

/* Windows below two packets are paced, as dcc_act.c does it. */
static double next_send(const struct run *r)
{
	u64 one = (u64)MSS << DCC_CWND_SHIFT;

	if (r->cwnd < 2 * one)
		return fmax(r->last_sent + r->srtt * (double)one / (double)r->cwnd, r->now);
	return r->flight < r->cwnd / one ? r->now : INFINITY;
}

static void send(struct run *r, double q)
{
	struct way *w = &r->way[(double)(unit_rand() >> 11) / (double)(1ULL << 53) < q];

	r->line_free = fmax(r->line_free, r->now) + r->gap;
	w->sent[w->head % RING] = r->now;
	w->back[w->head++ % RING] = r->line_free - r->gap + w->delay;
	r->last_sent = r->now;
	r->flight++;
}

static void acked(struct run *r, struct way *w, const struct tool_alg *of, void *alg,
		  void *extra)
{
	struct dcc_decision d = { 0 };
	double sent = w->sent[w->tail % RING], delay = r->now - sent;
	struct dcc_sample s = {
		.now_ns = (u64)r->now, .sent_ns = (u64)sent, .delay_ns = (u32)delay,
		 .base_rtt_ns = T_S_NS, .acked = 1,
		.acked_bytes = MSS, .mss = MSS,
	};
	u64 window = r->cwnd / ((u64)MSS << DCC_CWND_SHIFT);

	r->srtt += r->srtt > 0 ? (delay - r->srtt) / 8 : delay;
	s.srtt_ns = (u32)r->srtt;
	s.cwnd_limited = window < 2 || r->flight >= window;
	w->tail++;
	r->flight--;
	of->on_ack(alg, extra, of->defaults, &s, &d);
	r->cwnd = d.cwnd;
}

/* The knobs as they come, but for the first window. */
static void begin(const struct tool_alg *of, void *alg, void *extra, u32 first)
{
	struct dcc_sample s = { .mss = MSS };
	u32 knob[KNOBS_MOST], i;

	for (i = 0; i < of->knobs && i < KNOBS_MOST; i++)
		knob[i] = strcmp(of->knob[i].name, "init_cwnd") ? of->defaults[i] : first;
	of->init(of, alg, extra, knob, &s, 1);
}

/* The next thing that happens; true if it was an ACK. */
static bool step(struct run *r, double q, const struct tool_alg *of, void *alg,
		 void *extra)
{
	int late = arrives(&r->way[1]) < arrives(&r->way[0]);
	double back = arrives(&r->way[late]), out = next_send(r);

	r->now = fmin(back, out);
	if (back < out)
		acked(r, &r->way[late], of, alg, extra);
	else
		send(r, q);
	return back < out;
}

/*
 * The share of the line that a flow has in so many RTTs after packets begin to be
 * late, from a first window on.
 */
static double share(double q, double gap, u32 first, int rtts, const struct tool_alg *of)
{
	struct run *r = calloc(1, sizeof(*r));
	void *alg = calloc(1, of->state), *extra = calloc(1, of->extra);
	double begun = WARM_RTTS * T_S_NS, end = begun + (double)rtts * T_S_NS;
	long packets = 0;

	*r = (struct run){ .gap = gap, .cwnd = (u64)first * MSS << DCC_CWND_SHIFT };
	r->way[0].delay = T_S_NS;
	r->way[1].delay = T_L_NS;
	begin(of, alg, extra, first);
	while (r->now < end)
		packets += step(r, r->now < begun ? 0 : q, of, alg, extra) && r->now >= begun;
	free(r);
	free(alg);
	free(extra);
	return (double)packets * gap / (end - begun);
}

static double mean_share(double q, double gap, u32 first, int rtts, int seeds,
			 const struct tool_alg *of)
{
	double sum = 0;
	int seed;

	for (seed = 1; seed <= seeds; seed++) {
		unit_state = 88172645463325252ULL * (u64)seed;
		sum += share(q, gap, first, rtts, of);
	}
	return sum / seeds;
}

#endif /* _SPRAY_H */
