// SPDX-License-Identifier: GPL-2.0
/* prioplus and prioplus_ledbat; algorithms.h tells what for. */
#include "../../tcp_prioplus/prioplus.h"

#include "algorithms.h"

static const struct prioplus_knobs defaults = PRIOPLUS_DEFAULTS;

static u32 first_window(const struct prioplus_knobs *k)
{
	return k->flow.init_cwnd ? k->flow.init_cwnd : FIRST_CWND_PKTS;
}

static void init(const struct tool_alg *of, void *state, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	(void)extra;
	(void)s;
	prioplus_init(state, knobs, tool_variant(of), first_window(knobs), seed);
}

static bool set_priority(void *state, const void *knobs, u32 priority)
{
	return prioplus_set_priority(state, knobs, priority);
}

static void on_first(void *state, const void *knobs, const struct dcc_sample *s,
		     struct dcc_decision *d)
{
	prioplus_on_start(state, knobs, s, d);
}

static void on_ack(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	(void)extra;
	prioplus_on_ack(state, knobs, s, d);
}

static void on_probe(void *state, const void *knobs, const struct dcc_sample *s,
		     struct dcc_decision *d)
{
	prioplus_on_probe(state, knobs, s, d);
}

static void on_rto(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	(void)extra;
	prioplus_on_rto(state, knobs, s->now_ns, s->srtt_ns);
}

static void on_idle(void *state, void *extra, u64 now_ns)
{
	(void)extra;
	(void)now_ns;
	prioplus_on_idle(state);
}

static u64 window(const void *state, u32 mss)
{
	const struct prioplus *pp = state;

	return pp->swift.cwnd * mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

#define PRIOPLUS_ALG(name_, variant_, help_) {				\
	.name = name_, .help = help_,					\
	.knob = prioplus_knob, .knobs = PRIOPLUS_KNOB_COUNT,		\
	.bit = 1U << (variant_), .defaults = (const u32 *)&defaults,	\
	.state = sizeof(struct prioplus),				\
	.init = init, .set_priority = set_priority,			\
	.on_first = on_first, .on_ack = on_ack, .on_probe = on_probe,	\
	.on_rto = on_rto, .on_idle = on_idle, .window = window,		\
}

const struct tool_alg tool_prioplus[] = {
	PRIOPLUS_ALG("prioplus", PRIOPLUS_PRIOPLUS,
		     "priorities inside a queue; swift in each"),
	PRIOPLUS_ALG("prioplus_ledbat", PRIOPLUS_OVER_LEDBAT,
		     "the same with ledbat"),
};

const u32 tool_prioplus_count = ARRAY_SIZE(tool_prioplus);
