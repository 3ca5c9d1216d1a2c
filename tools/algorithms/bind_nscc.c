// SPDX-License-Identifier: GPL-2.0
/* nscc and mnscc; algorithms.h tells what for. */
#include "../../tcp_mnscc/nscc.h"

#include "algorithms.h"

static const struct nscc_knobs defaults = NSCC_DEFAULTS;

/* The first window in bytes: the knob's, the algorithm's, the stack's. */
static u64 first_window(const struct nscc_knobs *k, const struct dcc_sample *s)
{
	u64 packets = nscc_first_window(k, s->line_rate) / s->mss;

	if (k->flow.init_cwnd)
		packets = k->flow.init_cwnd;
	return (packets ? packets : FIRST_CWND_PKTS) * s->mss;
}

static void init(const struct tool_alg *of, void *state, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	(void)seed;
	(void)extra;
	nscc_init(state, knobs, tool_variant(of), s->now_ns, first_window(knobs, s), s->mss);
}

static void on_ack(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	nscc_on_ack(state, extra, knobs, s, d);
}

static void on_rto(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	struct dcc_timeout t = { .now_ns = s->now_ns, .lost = s->losses, .mss = s->mss };

	(void)extra;
	(void)knobs;
	nscc_on_rto(state, &t);
}

static void on_idle(void *state, void *extra, u64 now_ns)
{
	nscc_on_idle(state, extra, now_ns);
}

/* One that is told the network's RTT has it. */
static const struct dcc_drain_knobs *drain_knobs(const void *knobs)
{
	const struct nscc_knobs *k = knobs;

	return k->network_rtt_ns || !k->drain.drain_rtts ? NULL : &k->drain;
}

static u64 window(const void *state, u32 mss)
{
	const struct nscc *n = state;

	(void)mss;
	return n->cwnd;
}

#define NSCC_ALG(name_, variant_, help_) {				\
	.name = name_, .help = help_, .marks = true,			\
	.knob = nscc_knob, .knobs = NSCC_KNOB_COUNT,			\
	.bit = 1U << (variant_), .defaults = (const u32 *)&defaults,	\
	.state = sizeof(struct nscc), .extra = sizeof(struct nscc_memory), \
	.init = init, .on_ack = on_ack, .on_rto = on_rto,		\
	.on_idle = on_idle, .drain_knobs = drain_knobs, .window = window,	\
}

const struct tool_alg tool_nscc[] = {
	NSCC_ALG("nscc", NSCC_NSCC, "delay and ECN of sprayed packets"),
	NSCC_ALG("mnscc", NSCC_MNSCC, "nscc on the median of the recent delays"),
};

const u32 tool_nscc_count = ARRAY_SIZE(tool_nscc);
