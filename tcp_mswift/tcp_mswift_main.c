// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_mswift: the glue between the stack and the laws of mswift.h. Registers
 * swift, lswift and mswift.
 */
#include <linux/module.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "mswift.h"

/**
 * struct mswift_ca - private state of a socket
 * @flow: the library's part, first
 * @law: the law's part
 */
struct mswift_ca {
	struct dcc_flow flow;
	struct mswift law;
};

static_assert(sizeof(struct mswift_ca) <= ICSK_CA_PRIV_SIZE,
	      "private state too large");
static_assert(MSWIFT_KNOB_COUNT <= DCC_KNOB_MAX, "too many knobs");

static struct mswift_knobs mswift_global = MSWIFT_DEFAULTS;

static const char *const mswift_algs[MSWIFT_VARIANTS] = {
	[MSWIFT_SWIFT] = "swift",
	[MSWIFT_LSWIFT] = "lswift",
	[MSWIFT_MSWIFT] = "mswift",
};

static struct dcc_knob_table mswift_table = {
	.knob = mswift_knob,
	.count = MSWIFT_KNOB_COUNT,
	.algs = mswift_algs,
	.alg_count = MSWIFT_VARIANTS,
	.global = (u32 *)&mswift_global,
};

#define DCC_KNOB_LINES	mswift_knob
#define DCC_KNOB_VALUES	mswift_global
MSWIFT_KNOBS(DCC_KNOB_PARAM)

static struct tcp_congestion_ops mswift_ops[MSWIFT_VARIANTS][2];

static const struct dcc_alg mswift_alg[MSWIFT_VARIANTS] = {
	[MSWIFT_SWIFT] = {
		.knobs = &mswift_table,
		.ops = mswift_ops[MSWIFT_SWIFT],
		.alg = MSWIFT_SWIFT,
	},
	[MSWIFT_LSWIFT] = {
		.knobs = &mswift_table,
		.ops = mswift_ops[MSWIFT_LSWIFT],
		.alg = MSWIFT_LSWIFT,
		.reorder = true,
		.walk_losses = true,
	},
	[MSWIFT_MSWIFT] = {
		.knobs = &mswift_table,
		.ops = mswift_ops[MSWIFT_MSWIFT],
		.alg = MSWIFT_MSWIFT,
		.extra_size = DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY),
		.reorder = true,
		.walk_losses = true,
	},
};

/* The recent delays: only mswift has them, and only with memory. */
static struct dcc_quantile *mswift_history_of(const struct mswift_ca *ca)
{
	if (ca->law.variant != MSWIFT_MSWIFT || !ca->flow.mem)
		return NULL;
	return ca->flow.mem->extra;
}

static void mswift_start(struct sock *sk, enum mswift_variant variant)
{
	struct mswift_ca *ca = inet_csk_ca(sk);

	dcc_flow_init(sk, &ca->flow, &mswift_alg[variant]);
	mswift_init(&ca->law, dcc_flow_knobs(&ca->flow, &mswift_alg[variant]),
		    variant, tcp_snd_cwnd(tcp_sk(sk)));
	if (mswift_history_of(ca))
		dcc_quantile_init(mswift_history_of(ca), MSWIFT_MAX_HISTORY);
}

static void swift_tcp_init(struct sock *sk)
{
	mswift_start(sk, MSWIFT_SWIFT);
}

static void lswift_tcp_init(struct sock *sk)
{
	mswift_start(sk, MSWIFT_LSWIFT);
}

static void mswift_tcp_init(struct sock *sk)
{
	mswift_start(sk, MSWIFT_MSWIFT);
}

static void DCC_CONG_CONTROL(mswift_cong_control)
{
	struct mswift_ca *ca = inet_csk_ca(sk);
	const struct dcc_alg *alg = &mswift_alg[ca->law.variant];
	struct dcc_decision decision;
	struct dcc_sample sample;

	if (!dcc_sample(sk, &ca->flow, alg, rs, &sample))
		return;
	if (ca->flow.restart) {
		mswift_on_idle(mswift_history_of(ca));
		ca->flow.restart = 0;
	}
	mswift_on_ack(&ca->law, mswift_history_of(ca),
		      dcc_flow_knobs(&ca->flow, alg), &sample, &decision);
	dcc_apply(sk, &ca->flow, alg, &sample, &decision);
}

static void mswift_set_state(struct sock *sk, u8 state)
{
	struct mswift_ca *ca = inet_csk_ca(sk);
	const struct dcc_alg *alg = &mswift_alg[ca->law.variant];
	const struct tcp_sock *tp = tcp_sk(sk);

	if (dcc_state_is_timeout(sk, &ca->flow, state))
		mswift_on_rto(&ca->law, dcc_flow_knobs(&ca->flow, alg),
			      tp->tcp_clock_cache, dcc_srtt_ns(&ca->flow, tp));
}

#define MSWIFT_OPS(name, init) \
	DCC_OPS_PAIR(name, init, mswift_cong_control, mswift_set_state)

static struct tcp_congestion_ops mswift_ops[MSWIFT_VARIANTS][2] = {
	[MSWIFT_SWIFT] = MSWIFT_OPS("swift", swift_tcp_init),
	[MSWIFT_LSWIFT] = MSWIFT_OPS("lswift", lswift_tcp_init),
	[MSWIFT_MSWIFT] = MSWIFT_OPS("mswift", mswift_tcp_init),
};

DCC_MODULE(mswift, mswift_table, mswift_alg);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Swift, reordering-tolerant Swift and median Swift congestion control");
MODULE_ALIAS("tcp_swift");
MODULE_ALIAS("tcp_lswift");
