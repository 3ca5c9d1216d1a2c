// SPDX-License-Identifier: GPL-2.0
/* swift, lswift and mswift: one flow, and the names of its parts. */
#include "../../tcp_mswift/mswift.h"

#include "algorithms.h"

static struct mswift_knobs knobs = MSWIFT_DEFAULTS;
static struct mswift flow;

/* Only mswift keeps delays. */
static union {
	struct dcc_quantile q;
	u8 room[DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY)];
} history;

#define CWND_MAX	((u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT)

/* Neither paper says how a flow starts: see tcp_mswift/mswift.h. */
static const char *const published[] = { "slow_start", "off", NULL };

static const struct field fields[] = {
	FIELD(struct mswift, swift.cwnd, "cwnd", "2^-20 packet", 1, CWND_MAX,
	      NULL, "window"),
	FIELD(struct mswift, swift.last_decrease_ns, "last_decrease_ns", "ns",
	      0, U64_MAX, NULL, "when it was last cut; 0: never"),
	FIELD(struct mswift, swift.rto_run, "rto_run", "timeouts", 0,
	      DCC_SWIFT_RTO_RESET, NULL,
	      "timeouts since data was last delivered"),
	FIELD(struct mswift, swift.starting, "starting", "0 or 1", 0, 1, NULL,
	      "does the window double?"),
	FIELD(struct mswift, start.flight_ns, "flight_ns", "ns", 0, U64_MAX, NULL,
	      "first ACK of a flight that no ACK let out; 0: none"),
	FIELD(struct mswift, start.flight_cwnd, "flight_cwnd", "2^-20 packet", 0,
	      CWND_MAX, NULL, "window then"),
	FIELD(struct mswift, start.flight_acked, "flight_acked", "packets", 0,
	      DCC_CWND_MAX_PKTS, NULL, "acknowledged since"),
	FIELD(struct mswift, start_base_ns, "start_base_ns", "ns", 0, U32_MAX,
	      NULL, "base RTT that its start rests on; 0: none"),
	FIELD(struct mswift, offset_ns, "offset_ns", "ns", 0, U32_MAX,
	      NULL, "what the delays kept are counted from"),
};

static_assert(ARRAY_SIZE(fields) <= ALG_FIELDS, "too many fields");

static void history_clear(void)
{
	dcc_quantile_clear(&history.q);
}

static void history_put(u32 delay_ns)
{
	dcc_quantile_add(&history.q, max(delay_ns, flow.offset_ns + 1) - flow.offset_ns, 1,
			 history.q.cap);
}

static u32 history_count(void)
{
	return history.q.n;
}

#define MSWIFT_ALG(variant_, extra_, room_) {				\
	.of = &tool_mswift[variant_], .value = (u32 *)&knobs,		\
	.published = published, .flow = &flow, .extra = extra_,		\
	.field = fields, .fields = ARRAY_SIZE(fields), .state = &flow,	\
	.history_room = room_, .history_clear = history_clear,		\
	.history_put = history_put, .history_count = history_count,	\
}

const struct alg mswift_algs[] = {
	MSWIFT_ALG(MSWIFT_SWIFT, NULL, 0),
	MSWIFT_ALG(MSWIFT_LSWIFT, NULL, 0),
	MSWIFT_ALG(MSWIFT_MSWIFT, &history, MSWIFT_MAX_HISTORY),
};

const u32 mswift_alg_count = ARRAY_SIZE(mswift_algs);
