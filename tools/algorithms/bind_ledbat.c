// SPDX-License-Identifier: GPL-2.0
/* ledbat; algorithms.h tells what for. */
#include "../../tcp_ledbat/ledbat.h"

#include "algorithms.h"

static const struct ledbat_knobs defaults = LEDBAT_DEFAULTS;

static void init(const struct tool_alg *of, void *state, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	const struct ledbat_knobs *k = knobs;

	(void)of;
	(void)extra;
	(void)s;
	(void)seed;
	ledbat_init(state, k->flow.init_cwnd ? k->flow.init_cwnd : FIRST_CWND_PKTS);
	ledbat_slow_start(state, k);
}

static void on_ack(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	ledbat_on_ack(state, extra, knobs, s, d);
}

static void on_rto(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	(void)extra;
	(void)knobs;
	(void)s;
	ledbat_on_rto(state);
}

static void on_idle(void *state, void *extra, u64 now_ns)
{
	(void)state;
	(void)now_ns;
	ledbat_on_idle(extra);
}

static u64 window(const void *state, u32 mss)
{
	const struct ledbat *l = state;

	return l->cwnd * mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

const struct tool_alg tool_ledbat[] = {
	{
		.name = "ledbat", .help = "delay target, in proportion",
		.knob = ledbat_knob, .knobs = LEDBAT_KNOB_COUNT,
		.bit = LEDBAT_ALL, .defaults = (const u32 *)&defaults,
		.state = sizeof(struct ledbat),
		.extra = sizeof(struct ledbat_history),
		.init = init, .on_ack = on_ack, .on_rto = on_rto,
		.on_idle = on_idle, .window = window,
	},
};

const u32 tool_ledbat_count = ARRAY_SIZE(tool_ledbat);
