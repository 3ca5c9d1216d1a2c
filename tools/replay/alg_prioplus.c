// SPDX-License-Identifier: GPL-2.0
/* prioplus and prioplus_ledbat: one flow, and the names of its parts. */
#include "../../tcp_prioplus/prioplus.h"

#include "algorithms.h"

static struct prioplus_knobs knobs = PRIOPLUS_DEFAULTS;
static struct prioplus flow;

/* What the paper does not have is off: rows are checked against its rules. */
static const char *const published[] = {
	"join", "off", "slow_estimate", "off", "return_order", "off", "root_ai", "off",
	"host_jitter", "off", NULL,
};

#define CWND_MAX	((u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT)
#define STATE(member, name, unit, low, high, help) \
	FIELD(struct prioplus, member, name, unit, low, high, NULL, help)

static const struct field fields[] = {
	STATE(swift.cwnd, "cwnd", "2^-20 packet", 1, CWND_MAX, "window"),
	STATE(nflow, "nflow", "2^-20", PRIOPLUS_ONE_FLOW, PRIOPLUS_MOST_FLOWS,
	      "#flow, how many there are of this priority"),
	STATE(countdown, "countdown", "RTTs", 0, 1000,
	      "with an empty queue, until it is halved"),
	STATE(step, "step", "2^-20 packet", 0, CWND_MAX / 2,
	      "W_AI beyond the original CC's: the adaptive step of this RTT"),
	STATE(dual, "dual", "0 or 1", 0, 1, "dualRttPass: may this RTT have an adaptive step?"),
	STATE(rtt_end_ns, "rtt_end_ns", "ns", 0, U64_MAX,
	      "the ACK of a packet sent from then on ends the RTT; 0: the next begins one"),
	STATE(consec, "consec", "samples", 0, PRIOPLUS_CONSEC,
	      "delays beyond D_limit in a row"),
	STATE(suspended, "suspended", "0 or 1", 0, 1, "stopped, a probe is to come?"),
	STATE(order.above, "above", "priority", 0, PRIOPLUS_MAX_LEVELS,
	      "whose queue stopped it; 0: none did, or it waited for that"),
	STATE(prio, "prio", "priority", 1, PRIOPLUS_MAX_LEVELS,
	      "its own; 1 is the lowest, and what it starts with"),
	STATE(random, "random", "number", 1, U32_MAX,
	      "state of the generator of the random waits"),
	STATE(swift.last_decrease_ns, "last_decrease_ns", "ns", 0, U64_MAX,
	      "when Swift last cut the window; 0: never"),
	STATE(swift.rto_run, "rto_run", "timeouts", 0, DCC_SWIFT_RTO_RESET,
	      "timeouts since data was last delivered"),
};

static_assert(ARRAY_SIZE(fields) <= ALG_FIELDS, "too many fields");

#define PRIOPLUS_ALG(variant_) {					\
	.of = &tool_prioplus[variant_], .value = (u32 *)&knobs,		\
	.published = published, .flow = &flow,				\
	.field = fields, .fields = ARRAY_SIZE(fields), .state = &flow,	\
}

const struct alg prioplus_algs[] = {
	PRIOPLUS_ALG(PRIOPLUS_PRIOPLUS),
	PRIOPLUS_ALG(PRIOPLUS_OVER_LEDBAT),
};

const u32 prioplus_alg_count = ARRAY_SIZE(prioplus_algs);
