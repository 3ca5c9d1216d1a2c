// SPDX-License-Identifier: GPL-2.0
/* oscar; algorithms.h tells what for. */
#include "../../tcp_oscar/oscar.h"

#include "algorithms.h"

static const struct oscar_knobs defaults = OSCAR_DEFAULTS;

static void init(const struct tool_alg *of, void *state, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	const struct oscar_knobs *k = knobs;
	u32 packets = k->flow.init_cwnd;

	(void)of;
	(void)extra;
	(void)seed;
	oscar_init(state, k, s->line_rate,
		   (u64)(packets ? packets : FIRST_CWND_PKTS) * s->mss);
}

static void on_ack(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	oscar_on_ack(state, extra, knobs, s, d);
}

static void on_rto(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	oscar_on_rto(state, extra, knobs, s->mss);
}

static void on_idle(void *state, void *extra, u64 now_ns)
{
	(void)state;
	(void)now_ns;
	oscar_on_idle(extra);
}

/* One that is told the base RTT has it. */
static const struct dcc_drain_knobs *drain_knobs(const void *knobs)
{
	const struct oscar_knobs *k = knobs;

	return k->base_rtt_ns || !k->drain.drain_rtts ? NULL : &k->drain;
}

static u64 pacing(const void *state)
{
	const struct oscar *o = state;

	return o->pacing;
}

static u64 window(const void *state, u32 mss)
{
	const struct oscar *o = state;

	(void)mss;
	return o->cwnd;
}

const struct tool_alg tool_oscar[] = {
	{
		.name = "oscar",
		.help = "a share of the link, from delay and its gradient",
		.knob = oscar_knob, .knobs = OSCAR_KNOB_COUNT,
		.bit = OSCAR_ALGS, .defaults = (const u32 *)&defaults,
		.state = sizeof(struct oscar),
		.extra = sizeof(struct oscar_memory),
		.init = init, .on_ack = on_ack, .on_rto = on_rto,
		.on_idle = on_idle, .drain_knobs = drain_knobs, .pacing = pacing,
		.window = window,
	},
};

const u32 tool_oscar_count = ARRAY_SIZE(tool_oscar);
