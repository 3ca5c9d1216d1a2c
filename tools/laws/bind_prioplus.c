// SPDX-License-Identifier: GPL-2.0
/* prioplus and prioplus_ledbat; laws.h tells what for. */
#include "../../tcp_prioplus/prioplus.h"

#include "laws.h"

static const struct prioplus_knobs defaults = PRIOPLUS_DEFAULTS;

static u32 first_window(const struct prioplus_knobs *k)
{
	return k->flow.init_cwnd ? k->flow.init_cwnd : FIRST_CWND_PKTS;
}

static void init(const struct tool_law *of, void *law, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	(void)extra;
	(void)s;
	prioplus_init(law, knobs, tool_variant(of), first_window(knobs), seed);
}

static bool set_priority(void *law, const void *knobs, u32 priority)
{
	return prioplus_set_priority(law, knobs, priority);
}

static void on_first(void *law, const void *knobs, const struct dcc_sample *s,
		     struct dcc_decision *d)
{
	prioplus_on_start(law, knobs, s, d);
}

static void on_ack(void *law, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	(void)extra;
	prioplus_on_ack(law, knobs, s, d);
}

static void on_probe(void *law, const void *knobs, const struct dcc_sample *s,
		     struct dcc_decision *d)
{
	prioplus_on_probe(law, knobs, s, d);
}

static void on_rto(void *law, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	(void)extra;
	prioplus_on_rto(law, knobs, s->now_ns, s->srtt_ns);
}

static void on_idle(void *law, void *extra, u64 now_ns)
{
	(void)extra;
	(void)now_ns;
	prioplus_on_idle(law);
}

static u64 window(const void *law, u32 mss)
{
	const struct prioplus *pp = law;

	return pp->swift.cwnd * mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

#define PRIOPLUS_LAW(name_, variant_, help_) {				\
	.name = name_, .help = help_,					\
	.knob = prioplus_knob, .knobs = PRIOPLUS_KNOB_COUNT,		\
	.bit = 1U << (variant_), .defaults = (const u32 *)&defaults,	\
	.state = sizeof(struct prioplus),				\
	.init = init, .set_priority = set_priority,			\
	.on_first = on_first, .on_ack = on_ack, .on_probe = on_probe,	\
	.on_rto = on_rto, .on_idle = on_idle, .window = window,		\
}

const struct tool_law tool_prioplus[] = {
	PRIOPLUS_LAW("prioplus", PRIOPLUS_PRIOPLUS,
		     "priorities inside a queue; swift in each"),
	PRIOPLUS_LAW("prioplus_ledbat", PRIOPLUS_OVER_LEDBAT,
		     "the same with ledbat"),
};

const u32 tool_prioplus_count = ARRAY_SIZE(tool_prioplus);
