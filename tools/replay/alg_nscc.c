// SPDX-License-Identifier: GPL-2.0
/* nscc and mnscc: one flow, and the names of its parts. */
#include "../../common/math/dcc_fixed.h"
#include "alg_nscc.h"

#include "algorithms.h"

struct nscc_knobs nscc_replay_knobs = NSCC_DEFAULTS;

static struct nscc flow;
static struct nscc_memory memory;

/* The state with every part in a place of its own, for the columns. */
static struct nscc_view {
	u64 cwnd;
	u64 inc;
	u64 qa_end;
	u64 last_dec;
	u64 last_adj;
	u64 avg;
	u32 achieved;
	u32 received;
	u32 fi_count;
	u32 to_ignore;
	u64 ssthresh;
	u8 reno;
	u8 fast;
	u8 trigger;
	u8 starting;
	struct dcc_start start;
} view;

/* What the reference does not have is off: rows are checked against its rules. */
static const char *const published[] = { "slow_start", "off", "delay_gain", "125", NULL };

#define AVG_MAX		((u64)U32_MAX << DCC_EWMA_FRAC)	/* of a u32 of ns */
#define CWND_MAX	((u64)NSCC_CWND_MAX << DCC_CWND_SHIFT)
#define STATE(member, name, unit, low, high, help) \
	FIELD(struct nscc_view, member, name, unit, low, high, NULL, help)

static const struct field fields[] = {
	STATE(cwnd, "cwnd", "2^-8 byte", 1, CWND_MAX, "window"),
	STATE(inc, "inc", "byte^2", 0, U64_MAX, "increases collected"),
	STATE(qa_end, "qa_end_ns", "ns", 0, U64_MAX,
	      "when the quick-adapt period ends; 0: none has begun"),
	STATE(last_dec, "last_dec_ns", "ns", 0, U64_MAX,
	      "when it was last multiplied down"),
	STATE(last_adj, "last_adj_ns", "ns", 0, U64_MAX,
	      "when eta was last added"),
	STATE(avg, "avg", "2^-8 ns", 0, AVG_MAX, "average queuing delay"),
	STATE(achieved, "achieved", "bytes", 0, U32_MAX,
	      "delivered in this quick-adapt period"),
	STATE(received, "received", "bytes", 0, U32_MAX,
	      "delivered since increases last took effect"),
	STATE(fi_count, "fi_count", "bytes", 0, U32_MAX,
	      "delivered in a row with next to no queue"),
	STATE(to_ignore, "to_ignore", "bytes", 0, U32_MAX,
	      "stale news still to come"),
	STATE(reno, "reno", "0 or 1", 0, 1, "does Reno have the window?"),
	STATE(ssthresh, "ssthresh", "2^-8 byte", 0, CWND_MAX,
	      "Reno's threshold, where the line rate is unknown; 0: none yet"),
	STATE(fast, "fast", "0 or 1", 0, 1, "is the fast increase active?"),
	STATE(trigger, "trigger", "0 or 1", 0, 1,
	      "was a packet lost since the last quick adapt?"),
	STATE(starting, "starting", "0 or 1", 0, 1,
	      "does the window double?"),
	STATE(start.flight_ns, "flight_ns", "ns", 0, U64_MAX,
	      "first ACK of a flight that no ACK let out; 0: none"),
	STATE(start.flight_cwnd, "flight_cwnd", "2^-8 byte", 0, CWND_MAX, "window then"),
	STATE(start.flight_acked, "flight_acked", "packets", 0, DCC_CWND_MAX_PKTS,
	      "acknowledged since"),
};

static_assert(ARRAY_SIZE(fields) <= ALG_FIELDS, "too many fields");

static void pull(void)
{
	view = (struct nscc_view) {
		.cwnd = flow.cwnd, .inc = flow.inc, .qa_end = flow.qa_end,
		.last_dec = flow.last_dec, .last_adj = flow.last_adj, .avg = flow.avg,
		.achieved = flow.achieved, .received = flow.received,
		.fi_count = flow.fi_count, .to_ignore = flow.to_ignore,
		.ssthresh = flow.reno.ssthresh, .reno = flow.fallback,
		.fast = flow.fast, .trigger = flow.trigger, .starting = flow.starting,
		.start = memory.start,
	};
}

static void push(void)
{
	flow.cwnd = view.cwnd;
	flow.inc = view.inc;
	flow.qa_end = view.qa_end;
	flow.last_dec = view.last_dec;
	flow.last_adj = view.last_adj;
	flow.avg = view.avg;
	flow.achieved = view.achieved;
	flow.received = view.received;
	flow.fi_count = view.fi_count;
	flow.to_ignore = view.to_ignore;
	flow.reno.ssthresh = view.ssthresh;
	flow.fallback = view.reno;
	flow.fast = view.fast;
	flow.trigger = view.trigger;
	flow.starting = view.starting;
	memory.start = view.start;
}

static void history_clear(void)
{
	memory.history = (struct nscc_history) {};
}

static void history_put(u32 delay_ns)
{
	struct nscc_history *h = &memory.history;

	h->delay_ns[h->next] = delay_ns;
	h->next = (h->next + 1) % NSCC_MAX_HISTORY;
	h->count = min_t(u8, h->count + 1, NSCC_MAX_HISTORY);
}

static u32 history_count(void)
{
	return memory.history.count;
}

#define NSCC_ALG(variant_, room_) {					\
	.of = &tool_nscc[variant_], .value = (u32 *)&nscc_replay_knobs,	\
	.published = published, .flow = &flow, .extra = &memory,		\
	.field = fields, .fields = ARRAY_SIZE(fields), .state = &view,	\
	.pull = pull, .push = push,					\
	.history_room = room_, .history_clear = history_clear,		\
	.history_put = history_put, .history_count = history_count,	\
}

const struct alg nscc_algs[] = {
	NSCC_ALG(NSCC_NSCC, 0),
	NSCC_ALG(NSCC_MNSCC, NSCC_MAX_HISTORY),
};

const u32 nscc_alg_count = ARRAY_SIZE(nscc_algs);
