// SPDX-License-Identifier: GPL-2.0
/* oscar: one flow, and the names of its parts. */
#include "../../common/math/dcc_fixed.h"
#include "alg_oscar.h"

#include "algorithms.h"

struct oscar_knobs oscar_replay_knobs = OSCAR_DEFAULTS;

/* What the paper does not have is off: rows are checked against its rules. */
static const char *const published[] = { "solo_start", "off", "short_batches", "off",
					 "packet_ai", "off",
					 "ramp", "off", "loss_response", "off", NULL };

static struct oscar flow;
static struct oscar_memory memory;

/* The parts of the state that have a column. Those of a batch are 0 where there is none. */
static struct oscar_view {
	u64 u;
	u64 cwnd;
	u64 pacing;
	u64 ssthresh;
	u64 bytes;
	u64 inflight;
	u64 start_ns;
	u64 last_ns;
	u64 empty_ns;
	u64 solo_ns;
	u64 flight_ns;
	u32 flight_acked;
	u32 flight_left;
	u32 count;
	u32 lost;
	u32 delay_ns;
	u8 reno;
	u8 phase;
} view;

#define CWND_MAX	(1ULL << 48)
#define SUM_MAX		((1ULL << 44) - 1)
#define STATE(member, name, unit, low, high, help) \
	FIELD(struct oscar_view, member, name, unit, low, high, NULL, help)

static const struct field fields[] = {
	STATE(u, "u", "10^-15", 0, OSCAR_ONE, "share of the link"),
	STATE(cwnd, "cwnd", "2^-8 byte", 0, CWND_MAX, "window"),
	STATE(pacing, "pacing", "bytes/s", 0, U64_MAX, "u times the link rate"),
	STATE(ssthresh, "ssthresh", "2^-8 byte", 0, CWND_MAX,
	      "Reno's threshold, where the link rate is unknown; 0: none yet"),
	STATE(count, "batch_count", "packets", 0, 0,
	      "in the batch; 0 empties it"),
	STATE(bytes, "batch_bytes", "bytes", 0, SUM_MAX,
	      "delivered since it began"),
	STATE(inflight, "batch_inflight", "bytes", 0, SUM_MAX,
	      "sum of what was in flight"),
	STATE(lost, "batch_lost", "packets", 0, U32_MAX,
	      "declared lost since it began"),
	STATE(start_ns, "batch_start_ns", "ns", 0, U64_MAX,
	      "when it began; 0: the next packet starts the clock"),
	STATE(last_ns, "batch_last_ns", "ns", 0, U64_MAX,
	      "when the last of its packets was sent"),
	STATE(delay_ns, "delay_ns", "ns", 0, U32_MAX,
	      "mean delay of the batch before; 0: none"),
	STATE(empty_ns, "empty_ns", "ns", 0, SUM_MAX,
	      "length of the batches without a queue since the last one with a queue"),
	STATE(reno, "reno", "0 or 1", 0, 1, "does Reno have the window?"),
	STATE(phase, "phase", "0 to 2", 0, OSCAR_PHASES - 1,
	      "0: it met others, 1: its initial burst is out, 2: no others so far"),
	STATE(solo_ns, "solo_ns", "ns", 0, U64_MAX, "when phase 2 began"),
	STATE(flight_ns, "flight_ns", "ns", 0, U64_MAX,
	      "first ACK of the initial burst; 0: none"),
	STATE(flight_acked, "flight_acked", "packets", 0, DCC_CWND_MAX_PKTS,
	      "acknowledged since then"),
	STATE(flight_left, "flight_left", "packets", 0, U32_MAX,
	      "of the burst, in flight then"),
};

static_assert(ARRAY_SIZE(fields) <= ALG_FIELDS, "too many fields");

static void pull(void)
{
	const struct oscar_batch none = {}, *b = &memory.batch;

	if (!b->start_ns)
		b = &none;
	view = (struct oscar_view) {
		.u = flow.u, .cwnd = flow.cwnd, .pacing = flow.pacing,
		.ssthresh = flow.reno.ssthresh,
		.bytes = b->bytes, .inflight = b->inflight,
		.start_ns = b->start_ns, .last_ns = b->last_ns,
		.empty_ns = memory.ramp.empty_ns, .solo_ns = memory.solo.solo_ns,
		.flight_ns = memory.solo.burst.flight_ns,
		.flight_acked = memory.solo.burst.flight_acked,
		.flight_left = memory.solo.burst.flight_left,
		.count = b->lsq.count, .lost = b->lost, .delay_ns = flow.delay_ns,
		.reno = flow.fallback, .phase = flow.phase,
	};
}

/* A row may drop, begin or empty a batch, but its sums of delays have no columns. */
static void push_batch(struct oscar_batch *b)
{
	if (!b->start_ns)
		*b = (struct oscar_batch) {};
	if (!view.count)
		b->lsq = (struct dcc_lsq) { .shift = b->lsq.shift };
	b->bytes = view.bytes;
	b->inflight = view.inflight;
	b->lost = view.lost;
	b->start_ns = view.start_ns;
	b->last_ns = view.last_ns;
}

/* Another u than before, and the window follows from it with the next ACK. */
static void push(void)
{
	if (flow.u != view.u)
		flow.line_rate = 0;
	flow.u = view.u;
	flow.cwnd = view.cwnd;
	flow.pacing = view.pacing;
	flow.reno.ssthresh = view.ssthresh;
	flow.delay_ns = view.delay_ns;
	flow.fallback = view.reno;
	flow.phase = view.phase;
	memory.ramp.empty_ns = view.empty_ns;
	memory.solo.solo_ns = view.solo_ns;
	memory.solo.burst.flight_ns = view.flight_ns;
	memory.solo.burst.flight_acked = view.flight_acked;
	memory.solo.burst.flight_left = view.flight_left;
	push_batch(&memory.batch);
}

const struct alg oscar_algs[] = {
	{
		.of = &tool_oscar[OSCAR_OSCAR],
		.value = (u32 *)&oscar_replay_knobs, .published = published,
		.flow = &flow, .extra = &memory,
		.field = fields, .fields = ARRAY_SIZE(fields), .state = &view,
		.pull = pull, .push = push,
	},
};

const u32 oscar_alg_count = ARRAY_SIZE(oscar_algs);
