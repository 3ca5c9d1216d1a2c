// SPDX-License-Identifier: GPL-2.0
/* ledbat; laws.h tells what for. */
#include "../../tcp_ledbat/ledbat.h"

#include "laws.h"

static const struct ledbat_knobs defaults = LEDBAT_DEFAULTS;

static void init(const struct tool_law *of, void *law, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	const struct ledbat_knobs *k = knobs;

	(void)of;
	(void)extra;
	(void)s;
	(void)seed;
	ledbat_init(law, k->flow.init_cwnd ? k->flow.init_cwnd : FIRST_CWND_PKTS);
	ledbat_slow_start(law, k);
}

static void on_ack(void *law, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	ledbat_on_ack(law, extra, knobs, s, d);
}

static void on_rto(void *law, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	(void)extra;
	(void)knobs;
	(void)s;
	ledbat_on_rto(law);
}

static void on_idle(void *law, void *extra, u64 now_ns)
{
	(void)law;
	(void)now_ns;
	ledbat_on_idle(extra);
}

static u64 window(const void *law, u32 mss)
{
	const struct ledbat *l = law;

	return l->cwnd * mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

const struct tool_law tool_ledbat[] = {
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
