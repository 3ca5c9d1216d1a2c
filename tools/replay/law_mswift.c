// SPDX-License-Identifier: GPL-2.0
/* swift, lswift and mswift: one flow, and the names of its parts. */
#include "../../tcp_mswift/mswift.h"

#include "csv.h"
#include "laws.h"

static struct mswift_knobs knobs = MSWIFT_DEFAULTS;
static struct mswift flow;
static struct dcc_quantile *history;

#define CWND_MAX	((u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT)

static const struct field fields[] = {
	FIELD(struct mswift, swift.cwnd, "cwnd", "2^-20 packet", 1, CWND_MAX,
	      NULL, "window"),
	FIELD(struct mswift, swift.last_decrease_ns, "last_decrease_ns", "ns",
	      0, U64_MAX, NULL, "when it was last cut; 0: never"),
	FIELD(struct mswift, swift.rto_run, "rto_run", "timeouts", 0,
	      DCC_SWIFT_RTO_RESET, NULL,
	      "timeouts since data was last delivered"),
};

static_assert(ARRAY_SIZE(fields) <= LAW_FIELDS, "too many fields");

/* Begin the flow; only mswift keeps delays. */
static void start(const struct law *law, const struct dcc_sample *s)
{
	u32 first = knobs.flow.init_cwnd;
	enum mswift_variant variant = MSWIFT_SWIFT;

	(void)s;
	while (law->bit != 1U << variant)
		variant++;
	mswift_init(&flow, &knobs, variant, first ? first : FIRST_CWND_PKTS);
	if (variant != MSWIFT_MSWIFT)
		return;
	history = malloc(DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY));
	if (!history)
		fail("no memory for the history of delays");
	dcc_quantile_init(history, MSWIFT_MAX_HISTORY);
}

static void on_ack(const struct dcc_sample *s, struct dcc_decision *d)
{
	mswift_on_ack(&flow, history, &knobs, s, d);
}

static void on_rto(const struct dcc_sample *s)
{
	mswift_on_rto(&flow, &knobs, s->now_ns, s->srtt_ns);
}

static void on_idle(const struct dcc_sample *s)
{
	(void)s;
	mswift_on_idle(history);
}

static u64 window(u32 mss)
{
	return flow.swift.cwnd * mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

static void history_clear(void)
{
	dcc_quantile_clear(history);
}

static void history_put(u32 delay_ns)
{
	dcc_quantile_add(history, delay_ns, 1, history->cap);
}

static u32 history_count(void)
{
	return history->n;
}

#define MSWIFT_LAW(name_, variant_, room_, help_) {			\
	.name = name_, .help = help_,					\
	.knob = mswift_knob, .knobs = MSWIFT_KNOB_COUNT,		\
	.bit = 1U << (variant_), .value = (u32 *)&knobs,		\
	.field = fields, .fields = ARRAY_SIZE(fields), .state = &flow,	\
	.start = start, .on_ack = on_ack, .on_rto = on_rto,		\
	.on_idle = on_idle, .window = window,				\
	.history_room = room_, .history_clear = history_clear,		\
	.history_put = history_put, .history_count = history_count,	\
}

const struct law mswift_laws[] = {
	MSWIFT_LAW("swift", MSWIFT_SWIFT, 0, "delay target; every loss cuts"),
	MSWIFT_LAW("lswift", MSWIFT_LSWIFT, 0,
		   "swift that tolerates reordering"),
	MSWIFT_LAW("mswift", MSWIFT_MSWIFT, MSWIFT_MAX_HISTORY,
		   "lswift on the median of the recent delays"),
};

const u32 mswift_law_count = ARRAY_SIZE(mswift_laws);
