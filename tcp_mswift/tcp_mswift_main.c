// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_mswift: the glue between the stack and the laws of mswift.h. Registers
 * swift, lswift and mswift.
 *
 * All three may be chosen without privilege (TCP_CONG_NON_RESTRICTED), since
 * containers need it: with their defaults they back off on delay, well before a
 * loss. The root of a namespace may set its knobs, up to never backing off, as
 * the owner of any sender may.
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

static const struct dcc_alg mswift_alg[MSWIFT_VARIANTS] = {
	[MSWIFT_SWIFT] = {
		.knobs = &mswift_table,
		.alg = MSWIFT_SWIFT,
	},
	[MSWIFT_LSWIFT] = {
		.knobs = &mswift_table,
		.alg = MSWIFT_LSWIFT,
		.reorder = true,
		.walk_losses = true,
	},
	[MSWIFT_MSWIFT] = {
		.knobs = &mswift_table,
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

static void mswift_release(struct sock *sk)
{
	struct mswift_ca *ca = inet_csk_ca(sk);

	dcc_flow_release(sk, &ca->flow);
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

	if (!ca->flow.ready)
		return;
	if (state == TCP_CA_Recovery)
		ca->flow.recovery = 1;
	if (state == TCP_CA_Loss && dcc_is_timeout(sk)) {
		dcc_count(DCC_COUNT_rtos);
		mswift_on_rto(&ca->law, dcc_flow_knobs(&ca->flow, alg),
			      tp->tcp_clock_cache, dcc_srtt_ns(&ca->flow, tp));
	}
}

static void mswift_tx_start(struct sock *sk)
{
	struct mswift_ca *ca = inet_csk_ca(sk);

	dcc_idle(sk, &ca->flow);
}

static u32 mswift_segs(struct sock *sk)
{
	struct mswift_ca *ca = inet_csk_ca(sk);

	return dcc_tso_segs(sk, &ca->flow);
}

DCC_DEFINE_TX_START(mswift_tx_start_op, mswift_tx_start)
DCC_DEFINE_TSO_SEGS(mswift_segs_op, mswift_segs)

#define MSWIFT_OPS(name_, init_) {			\
	.flags = TCP_CONG_NON_RESTRICTED,		\
	.name = name_,					\
	.owner = THIS_MODULE,				\
	.init = init_,					\
	.release = mswift_release,			\
	.cong_control = mswift_cong_control,		\
	.set_state = mswift_set_state,			\
	DCC_TX_START_OP(mswift_tx_start_op),		\
	DCC_TSO_SEGS_OP(mswift_segs_op),		\
	.ssthresh = dcc_ssthresh,			\
	.undo_cwnd = dcc_undo_cwnd,			\
	.get_info = dcc_get_info,			\
}

static struct tcp_congestion_ops mswift_ops[MSWIFT_VARIANTS] = {
	[MSWIFT_SWIFT] = MSWIFT_OPS("swift", swift_tcp_init),
	[MSWIFT_LSWIFT] = MSWIFT_OPS("lswift", lswift_tcp_init),
	[MSWIFT_MSWIFT] = MSWIFT_OPS("mswift", mswift_tcp_init),
};

static int __net_init mswift_net_init(struct net *net)
{
	return dcc_knobs_net_init(net, &mswift_table);
}

static void __net_exit mswift_net_exit(struct net *net)
{
	dcc_knobs_net_exit(net, &mswift_table);
}

static struct pernet_operations mswift_net_ops = {
	.init = mswift_net_init,
	.exit = mswift_net_exit,
	.id = &mswift_table.net_id,
	.size = sizeof(struct dcc_knob_net),
};

static void mswift_unregister(int count)
{
	while (count-- > 0)
		tcp_unregister_congestion_control(&mswift_ops[count]);
}

static int __init mswift_module_init(void)
{
	int i, err = register_pernet_subsys(&mswift_net_ops);

	if (err)
		return err;
	for (i = 0; i < MSWIFT_VARIANTS; i++) {
		err = tcp_register_congestion_control(&mswift_ops[i]);
		if (err)
			goto fail;
	}
	return 0;
fail:
	mswift_unregister(i);
	unregister_pernet_subsys(&mswift_net_ops);
	return err;
}

static void __exit mswift_module_exit(void)
{
	mswift_unregister(MSWIFT_VARIANTS);
	unregister_pernet_subsys(&mswift_net_ops);
}

module_init(mswift_module_init);
module_exit(mswift_module_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Swift, reordering-tolerant Swift and median Swift congestion control");
MODULE_ALIAS("tcp_swift");
MODULE_ALIAS("tcp_lswift");
