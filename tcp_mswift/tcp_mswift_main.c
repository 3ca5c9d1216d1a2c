// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_mswift: the glue between the stack and the algorithms of mswift.h. Registers
 * swift, lswift and mswift.
 */
#include <linux/module.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "mswift.h"

DCC_STATE_FITS(struct mswift);
static_assert(MSWIFT_KNOB_COUNT <= DCC_KNOB_MAX, "too many knobs");
static_assert(DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY) <= DCC_MEM_GROWN_MOST,
	      "a history costs more than the documentation says");

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

static void mswift_begin(struct sock *sk, void *state)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	const struct mswift_knobs *k = dcc_flow_knobs(inet_csk_ca(sk), alg);

	mswift_init(state, k, alg->alg, tcp_snd_cwnd(tcp_sk(sk)));
	mswift_slow_start(state, k);
}

static void mswift_ack(void *state, void *extra, const void *knobs,
		       const struct dcc_sample *s, struct dcc_decision *d)
{
	mswift_on_ack(state, extra, knobs, s, d);
}

static void mswift_rto(void *state, void *extra, const void *knobs,
		       const struct dcc_timeout *t)
{
	mswift_on_rto(state, knobs, t->now_ns, t->srtt_ns);
}

/* A configured target needs no base RTT. */
static const struct dcc_drain_knobs *mswift_drain_knobs(const void *knobs)
{
	const struct mswift_knobs *k = knobs;

	return k->swift.base_target_us || !k->drain.drain_rtts ? NULL : &k->drain;
}

static void mswift_idle(void *state, void *extra, u64 now_ns)
{
	mswift_on_idle(extra);
}

/* What the three have in common, and what differs. */
#define MSWIFT_ALG(variant, ...) {					\
	.knobs = &mswift_table,						\
	.ops = &mswift_ops[variant][0],					\
	.marked_ops = &mswift_ops[variant][1],				\
	.alg = (variant),						\
	.init = mswift_begin,						\
	.on_ack = mswift_ack,						\
	.on_rto = mswift_rto,						\
	.on_idle = mswift_idle,						\
	.drain_knobs = mswift_drain_knobs,					\
	.tlp_probes = true,						\
	__VA_ARGS__							\
}

#define MSWIFT_EXTRA(size)						\
	DCC_EXTRA_SIZE(MSWIFT_KNOB_COUNT, sizeof(struct dcc_drain), size)

static const struct dcc_alg mswift_alg[MSWIFT_VARIANTS] = {
	[MSWIFT_SWIFT] = MSWIFT_ALG(MSWIFT_SWIFT,
		.extra_size = MSWIFT_EXTRA(0),
	),
	[MSWIFT_LSWIFT] = MSWIFT_ALG(MSWIFT_LSWIFT,
		.extra_size = MSWIFT_EXTRA(0),
		.reorder = true,
		.walk_losses = true,
	),
	[MSWIFT_MSWIFT] = MSWIFT_ALG(MSWIFT_MSWIFT,
		.extra_size = MSWIFT_EXTRA(DCC_QUANTILE_SIZE(DCC_Q_FEW)),
		.grown_size = DCC_QUANTILE_SIZE(MSWIFT_MAX_HISTORY),
		.start = mswift_history_start,
		.grow = mswift_history_grow,
		.reorder = true,
		.walk_losses = true,
	),
};

/* Without and with ECN: the second are for flows that steer by marks. */
#define MSWIFT_OPS(name, variant) {					\
	DCC_OPS(name, &mswift_alg[variant], 0),				\
	DCC_OPS(name, &mswift_alg[variant], DCC_CONG_ECN),		\
}

static struct dcc_ops mswift_ops[MSWIFT_VARIANTS][2] = {
	[MSWIFT_SWIFT] = MSWIFT_OPS("swift", MSWIFT_SWIFT),
	[MSWIFT_LSWIFT] = MSWIFT_OPS("lswift", MSWIFT_LSWIFT),
	[MSWIFT_MSWIFT] = MSWIFT_OPS("mswift", MSWIFT_MSWIFT),
};

DCC_MODULE(mswift, mswift_table, mswift_alg);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(DCC_AUTHOR);
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("Swift, reordering-tolerant Swift and median Swift congestion control");
MODULE_ALIAS("tcp_swift");
MODULE_ALIAS("tcp_lswift");
