// SPDX-License-Identifier: GPL-2.0
/* oscar: one flow, and the names of its parts. */
#include "../../common/dcc_fixed.h"
#include "law_oscar.h"

#include "laws.h"

struct oscar_knobs oscar_replay_knobs = OSCAR_DEFAULTS;

/* What the paper does not have is off: rows are checked against its rules. */
static const char *const published[] = { "hai_doubles", "off", "free_start", "off",
					 "few_packets", "off", NULL };

static struct oscar flow;
static struct oscar_packets packets;

/* The parts of the state that are no sums, each in a place of its own. */
static struct oscar_view {
	u64 u;
	u64 cwnd;
	u64 pacing;
	u64 ssthresh;
	u64 last_ns;
	u64 bytes;
	u64 inflight;
	u64 empty_ns;
	u64 alone_ns;
	struct dcc_start start;
	u32 count;
	u32 delay_ns;
	u8 doubled;
	u8 reno;
	u8 phase;
} view;

#define CWND_MAX	(1ULL << 48)
#define SUM_MAX		((1ULL << 44) - 1)
#define STATE(member, name, unit, low, high, help) \
	FIELD(struct oscar_view, member, name, unit, low, high, NULL, help)

static const struct field fields[] = {
	STATE(u, "u", "10^-15", 0, OSCAR_ONE, "share of the line"),
	STATE(cwnd, "cwnd", "2^-8 byte", 0, CWND_MAX, "window"),
	STATE(pacing, "pacing", "bytes/s", 0, U64_MAX, "u times the line rate"),
	STATE(ssthresh, "ssthresh", "2^-8 byte", 0, CWND_MAX,
	      "Reno's threshold, where the line rate is unknown"),
	STATE(count, "batch_count", "packets", 0, 0,
	      "in the batch; 0 drops it"),
	STATE(bytes, "batch_bytes", "bytes", 0, SUM_MAX,
	      "delivered since its first"),
	STATE(inflight, "batch_inflight", "bytes", 0, SUM_MAX,
	      "sum of what was in flight"),
	STATE(last_ns, "batch_last_ns", "ns", 0, U64_MAX,
	      "when its last ACK came"),
	STATE(delay_ns, "delay_ns", "ns", 0, U32_MAX,
	      "mean delay of the batch before; 0: none"),
	STATE(empty_ns, "empty_ns", "ns", 0, SUM_MAX,
	      "length of batches without a queue since doubled changed"),
	STATE(doubled, "doubled", "times", 0, OSCAR_DOUBLED_MOST,
	      "how often U_HAI has doubled"),
	STATE(reno, "reno", "0 or 1", 0, 1, "does Reno have the window?"),
	STATE(phase, "phase", "0 to 2", 0, OSCAR_PHASES - 1,
	      "has it met others; 1: its first flight is out, 2: nobody so far"),
	STATE(alone_ns, "alone_ns", "ns", 0, U64_MAX, "since when phase is 2"),
	STATE(start.flight_ns, "flight_ns", "ns", 0, U64_MAX,
	      "first ACK of the first flight; 0: none"),
	STATE(start.flight_acked, "flight_acked", "packets", 0, DCC_CWND_MAX_PKTS,
	      "acknowledged since"),
};

static_assert(ARRAY_SIZE(fields) <= LAW_FIELDS, "too many fields");

static void pull(void)
{
	view = (struct oscar_view) {
		.u = flow.u, .cwnd = flow.cwnd, .pacing = flow.pacing,
		.last_ns = packets.last_ns,
		.bytes = packets.batch[0].bytes, .inflight = packets.batch[0].inflight,
		.count = packets.batch[0].lsq.count, .delay_ns = flow.delay_ns,
		.doubled = flow.doubled, .reno = flow.reno, .phase = flow.phase,
	};
	if (flow.phase == OSCAR_FIRST) {
		view.start = flow.start;
		return;
	}
	view.ssthresh = flow.ssthresh;
	view.empty_ns = flow.empty_ns;
	view.alone_ns = flow.alone_ns;
}

/* Another u than before, and the window follows from it with the next ACK. */
static void push(void)
{
	if (flow.u != view.u)
		flow.line_rate = 0;
	flow.u = view.u;
	flow.cwnd = view.cwnd;
	flow.pacing = view.pacing;
	flow.phase = view.phase;
	if (flow.phase == OSCAR_FIRST) {
		flow.start = view.start;
	} else {
		flow.ssthresh = view.ssthresh;
		flow.empty_ns = view.empty_ns;
		flow.alone_ns = view.alone_ns;
	}
	flow.delay_ns = view.delay_ns;
	flow.doubled = view.doubled;
	flow.reno = view.reno;
	packets.last_ns = view.last_ns;
	packets.batch[0].bytes = view.bytes;
	packets.batch[0].inflight = view.inflight;
	if (!view.count && packets.batch[0].lsq.count)	/* a row drops it */
		oscar_on_idle(&packets);
}

const struct law oscar_laws[] = {
	{
		.of = &tool_oscar[OSCAR_OSCAR],
		.value = (u32 *)&oscar_replay_knobs, .published = published,
		.flow = &flow, .extra = &packets,
		.field = fields, .fields = ARRAY_SIZE(fields), .state = &view,
		.pull = pull, .push = push,
	},
};

const u32 oscar_law_count = ARRAY_SIZE(oscar_laws);
