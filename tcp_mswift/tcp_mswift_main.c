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

static struct dcc_ops mswift_ops[MSWIFT_VARIANTS][2];

static void mswift_history_start(void *extra)
{
	dcc_quantile_init(extra, DCC_Q_FEW);
}

static void mswift_history_grow(void *grown, const void *extra)
{
	dcc_quantile_init(grown, MSWIFT_MAX_HISTORY);
	dcc_quantile_move(grown, extra);
}

static const struct dcc_alg mswift_alg[MSWIFT_VARIANTS] = {
	[MSWIFT_SWIFT] = {
		.knobs = &mswift_table,
		.ops = &mswift_ops[MSWIFT_SWIFT][0],
		.marked_ops = &mswift_ops[MSWIFT_SWIFT][1],
		.alg = MSWIFT_SWIFT,
	},
	[MSWIFT_LSWIFT] = {
		.knobs = &mswift_table,
		.ops = &mswift_ops[MSWIFT_LSWIFT][0],
		.marked_ops = &mswift_ops[MSWIFT_LSWIFT][1],
		.alg = MSWIFT_LSWIFT,
		.reorder = true,
		.walk_losses = true,
	},
	[MSWIFT_MSWIFT] = {
		.knobs = &mswift_table,
		.ops = &mswift_ops[MSWIFT_MSWIFT][0],
		.marked_ops = &mswift_ops[MSWIFT_MSWIFT][1],
		.alg = MSWIFT_MSWIFT,
		.extra_size = DCC_QUANTILE_SIZE(DCC_Q_FEW),
		.grown_size = DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY),
		.start = mswift_history_start,
		.grow = mswift_history_grow,
		.reorder = true,
		.walk_losses = true,
	},
};

static void mswift_start(struct sock *sk, enum mswift_variant variant)
{
	const struct dcc_alg *alg = &mswift_alg[variant];
	struct mswift_ca *ca = inet_csk_ca(sk);

	if (dcc_flow_init(sk, &ca->flow, alg))
		mswift_init(&ca->law, dcc_flow_knobs(&ca->flow, alg), variant,
			    tcp_snd_cwnd(tcp_sk(sk)));
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
	struct dcc_decision decision;
	struct dcc_sample sample;

	if (!dcc_sample(sk, &ca->flow, rs, &sample))
		return;
	if (ca->flow.restart) {
		mswift_on_idle(dcc_flow_extra(&ca->flow));
		ca->flow.restart = 0;
	}
	mswift_on_ack(&ca->law, dcc_flow_extra(&ca->flow),
		      dcc_flow_knobs(&ca->flow, dcc_alg_of(sk)), &sample,
		      &decision);
	dcc_apply(sk, &ca->flow, &sample, &decision);
}

static void mswift_set_state(struct sock *sk, u8 state)
{
	struct mswift_ca *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 lost;

	if (dcc_state_is_timeout(sk, &ca->flow, state, &lost))
		mswift_on_rto(&ca->law, dcc_flow_knobs(&ca->flow, dcc_alg_of(sk)),
			      tp->tcp_clock_cache, dcc_srtt_ns(&ca->flow, tp));
}

/* Without and with ECN: the second are for flows that steer by marks. */
#define MSWIFT_OPS(name, variant, init) {				\
	DCC_OPS(name, &mswift_alg[variant], 0, init,			\
		mswift_cong_control, mswift_set_state),			\
	DCC_OPS(name, &mswift_alg[variant], DCC_CONG_ECN, init,		\
		mswift_cong_control, mswift_set_state),			\
}

static struct dcc_ops mswift_ops[MSWIFT_VARIANTS][2] = {
	[MSWIFT_SWIFT] = MSWIFT_OPS("swift", MSWIFT_SWIFT, swift_tcp_init),
	[MSWIFT_LSWIFT] = MSWIFT_OPS("lswift", MSWIFT_LSWIFT, lswift_tcp_init),
	[MSWIFT_MSWIFT] = MSWIFT_OPS("mswift", MSWIFT_MSWIFT, mswift_tcp_init),
};

DCC_MODULE(mswift, mswift_table, mswift_alg);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Swift, reordering-tolerant Swift and median Swift congestion control");
MODULE_ALIAS("tcp_swift");
MODULE_ALIAS("tcp_lswift");
