// SPDX-License-Identifier: GPL-2.0
/* swift, lswift and mswift; algorithms.h tells what for. */
#include "../../tcp_mswift/mswift.h"

#include "algorithms.h"

static const struct mswift_knobs defaults = MSWIFT_DEFAULTS;

/* Begin the flow; only mswift keeps delays. */
static void init(const struct tool_alg *of, void *state, void *extra,
		 const void *knobs, const struct dcc_sample *s, u32 seed)
{
	const struct mswift_knobs *k = knobs;
	u32 first = k->flow.init_cwnd;

	(void)seed;
	mswift_init(state, k, tool_variant(of), first ? first : FIRST_CWND_PKTS);
	mswift_slow_start(state, k);
	if (of->extra)
		dcc_quantile_init(extra, s->small ? DCC_Q_FEW : MSWIFT_MAX_HISTORY);
}

/* As in the kernel, where a flow that needs more memory gets it. */
static void history_grow(struct dcc_quantile *history)
{
	u32 few[DCC_QUANTILE_SIZE(DCC_Q_FEW) / sizeof(u32)];

	memcpy(few, history, sizeof(few));
	dcc_quantile_init(history, MSWIFT_MAX_HISTORY);
	dcc_quantile_move(history, (const struct dcc_quantile *)few);
}

static void on_ack(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s, struct dcc_decision *d)
{
	struct dcc_quantile *history = extra;

	if (history && history->cap == DCC_Q_FEW && !s->small)
		history_grow(history);
	mswift_on_ack(state, history, knobs, s, d);
}

static void on_rto(void *state, void *extra, const void *knobs,
		   const struct dcc_sample *s)
{
	(void)extra;
	mswift_on_rto(state, knobs, s->now_ns, s->srtt_ns);
}

static void on_idle(void *state, void *extra, u64 now_ns)
{
	(void)state;
	(void)now_ns;
	mswift_on_idle(extra);
}

/* One that is told its target needs no base RTT. */
static const struct dcc_drain_knobs *drain_knobs(const void *knobs)
{
	const struct mswift_knobs *k = knobs;

	return k->swift.base_target_us || !k->drain.drain_rtts ? NULL : &k->drain;
}

static u64 window(const void *state, u32 mss)
{
	const struct mswift *m = state;

	return m->swift.cwnd * mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

#define MSWIFT_ALG(name_, variant_, extra_, help_) {			\
	.name = name_, .help = help_,					\
	.knob = mswift_knob, .knobs = MSWIFT_KNOB_COUNT,		\
	.bit = 1U << (variant_), .defaults = (const u32 *)&defaults,	\
	.state = sizeof(struct mswift), .extra = extra_,		\
	.init = init, .on_ack = on_ack, .on_rto = on_rto,		\
	.on_idle = on_idle, .drain_knobs = drain_knobs, .window = window,	\
}

const struct tool_alg tool_mswift[] = {
	MSWIFT_ALG("swift", MSWIFT_SWIFT, 0, "delay target; every loss cuts"),
	MSWIFT_ALG("lswift", MSWIFT_LSWIFT, 0,
		   "swift that tolerates reordering"),
	MSWIFT_ALG("mswift", MSWIFT_MSWIFT,
		   DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY),
		   "lswift on the median of the recent delays"),
};

const u32 tool_mswift_count = ARRAY_SIZE(tool_mswift);
