// SPDX-License-Identifier: GPL-2.0
/* ledbat: one flow, and the names of its parts. */
#include "../../tcp_ledbat/ledbat.h"

#include "algorithms.h"

static struct ledbat_knobs knobs = LEDBAT_DEFAULTS;

/* Without a first window that is told ledbat's doubles, which the RFC's does not. */
static const char *const published[] = { "init_cwnd", "10", NULL };

static struct view {
	struct ledbat flow;
	struct ledbat_history history;
} view;

#define CWND_MAX	((u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT)
#define MINUTES_MAX	(U32_MAX / 8)
#define STATE(member, name, unit, low, high, help) \
	FIELD(struct view, member, name, unit, low, high, NULL, help)
#define MINUTE(i) \
	STATE(history.base[i], "base_" #i, "ns", 0, U32_MAX, \
	      "least delay " #i " minutes of delays ago; 0: none")
#define RECENT(i) \
	STATE(history.recent[i], "recent_" #i, "ns", 0, U32_MAX, \
	      "one of the last 4 delays; 0: none")

static const struct field fields[] = {
	STATE(flow.cwnd, "cwnd", "2^-20 packet", 1, CWND_MAX, "window"),
	STATE(flow.last_cut_ns, "last_cut_ns", "ns", 0, U64_MAX,
	      "when a loss last halved it; 0: none did"),
	STATE(flow.starting, "starting", "0 or 1", 0, 1, "does the window double?"),
	STATE(flow.started_ns, "started_ns", "ns", 0, U64_MAX,
	      "when it last doubled; 0: never"),
	STATE(flow.start.flight_ns, "flight_ns", "ns", 0, U64_MAX,
	      "first ACK of a flight that no ACK let out; 0: none"),
	STATE(flow.start.flight_cwnd, "flight_cwnd", "2^-20 packet", 0, CWND_MAX,
	      "window then"),
	STATE(flow.start.flight_acked, "flight_acked", "packets", 0, DCC_CWND_MAX_PKTS,
	      "acknowledged since"),
	STATE(history.minute, "minute", "minutes", 0, MINUTES_MAX,
	      "of base_0, counted from 1; 0: none yet"),
	MINUTE(0), MINUTE(1), MINUTE(2), MINUTE(3), MINUTE(4),
	MINUTE(5), MINUTE(6), MINUTE(7), MINUTE(8), MINUTE(9),
	RECENT(0), RECENT(1), RECENT(2), RECENT(3),
	STATE(history.next, "next", "number", 0, LEDBAT_CURRENT - 1,
	      "which of recent_0 to recent_3 is the oldest"),
};

static_assert(ARRAY_SIZE(fields) <= ALG_FIELDS, "too many fields");

const struct alg ledbat_algs[] = {
	{
		.of = &tool_ledbat[LEDBAT_LEDBAT], .value = (u32 *)&knobs,
		.published = published,
		.flow = &view.flow, .extra = &view.history,
		.field = fields, .fields = ARRAY_SIZE(fields), .state = &view,
	},
};

const u32 ledbat_alg_count = ARRAY_SIZE(ledbat_algs);
