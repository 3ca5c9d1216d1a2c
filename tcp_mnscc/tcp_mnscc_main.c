// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_mnscc: the glue between the stack and the algorithms of nscc.h. Registers nscc
 * and mnscc.
 */
#include <linux/module.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "nscc.h"

DCC_STATE_FITS(struct nscc);
static_assert(NSCC_KNOB_COUNT <= DCC_KNOB_MAX, "too many knobs");

static struct nscc_knobs nscc_global = NSCC_DEFAULTS;

static const char *const nscc_algs[NSCC_VARIANTS] = {
	[NSCC_NSCC] = "nscc",
	[NSCC_MNSCC] = "mnscc",
};

static struct dcc_knob_table nscc_table = {
	.knob = nscc_knob,
	.count = NSCC_KNOB_COUNT,
	.algs = nscc_algs,
	.alg_count = NSCC_VARIANTS,
	.global = (u32 *)&nscc_global,
};

#define DCC_KNOB_LINES	nscc_knob
#define DCC_KNOB_VALUES	nscc_global
NSCC_KNOBS(DCC_KNOB_PARAM)

static struct dcc_ops nscc_ops[NSCC_VARIANTS];

/*
 * A new flow starts with the largest window where the network's RTT and the
 * line rate are known and no other is configured.
 */
static void nscc_begin(struct sock *sk, void *state)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	const struct nscc_knobs *k = dcc_flow_knobs(inet_csk_ca(sk), alg);
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 line_rate = dcc_line_rate(sk, k->flow.line_rate_mbps);

	dcc_first_window(sk, &k->flow, nscc_first_window(k, line_rate));
	nscc_init(state, k, alg->alg, tp->tcp_clock_cache,
		  (u64)tcp_snd_cwnd(tp) * tp->mss_cache, tp->mss_cache);
}

static void nscc_ack(void *state, void *extra, const void *knobs,
		     const struct dcc_sample *s, struct dcc_decision *d)
{
	nscc_on_ack(state, extra, knobs, s, d);
}

static void nscc_rto(void *state, void *extra, const void *knobs,
		     const struct dcc_timeout *t)
{
	nscc_on_rto(state, t);
}

/* A configured RTT of the network needs no base RTT. */
static const struct dcc_drain_knobs *nscc_drain_knobs(const void *knobs)
{
	const struct nscc_knobs *k = knobs;

	return k->network_rtt_ns || !k->drain.drain_rtts ? NULL : &k->drain;
}

static void nscc_idle(void *state, void *extra, u64 now_ns)
{
	nscc_on_idle(state, extra, now_ns);
}

#define NSCC_ALG(variant) {						\
	.knobs = &nscc_table,						\
	.ops = &nscc_ops[variant],					\
	.alg = (variant),						\
	.extra_size = DCC_EXTRA_SIZE(NSCC_KNOB_COUNT, sizeof(struct dcc_drain), \
				     sizeof(struct nscc_memory)),	\
	.init = nscc_begin,						\
	.on_ack = nscc_ack,						\
	.on_rto = nscc_rto,						\
	.on_idle = nscc_idle,						\
	.drain_knobs = nscc_drain_knobs,					\
	.tlp_probes = true,						\
	.reorder = true,						\
}

static const struct dcc_alg nscc_alg[NSCC_VARIANTS] = {
	[NSCC_NSCC] = NSCC_ALG(NSCC_NSCC),
	[NSCC_MNSCC] = NSCC_ALG(NSCC_MNSCC),
};

static struct dcc_ops nscc_ops[NSCC_VARIANTS] = {
	[NSCC_NSCC] = DCC_OPS("nscc", &nscc_alg[NSCC_NSCC], DCC_CONG_ECN),
	[NSCC_MNSCC] = DCC_OPS("mnscc", &nscc_alg[NSCC_MNSCC], DCC_CONG_ECN),
};

DCC_MODULE(nscc, nscc_table, nscc_alg);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(DCC_AUTHOR);
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("NSCC of Ultra Ethernet and its median form: delay and ECN congestion control");
MODULE_ALIAS("tcp_nscc");
