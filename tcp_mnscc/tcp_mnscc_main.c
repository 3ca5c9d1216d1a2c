// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_mnscc: the glue between the stack and the laws of nscc.h. Registers nscc
 * and mnscc.
 */
#include <linux/module.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "nscc.h"

/**
 * struct nscc_ca - private state of a socket
 * @flow: the library's part, first
 * @law: the law's part
 */
struct nscc_ca {
	struct dcc_flow flow;
	struct nscc law;
};

static_assert(sizeof(struct nscc_ca) <= ICSK_CA_PRIV_SIZE,
	      "private state too large");
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

static const struct dcc_alg nscc_alg[NSCC_VARIANTS] = {
	[NSCC_NSCC] = {
		.knobs = &nscc_table,
		.ops = &nscc_ops[NSCC_NSCC],
		.alg = NSCC_NSCC,
		.reorder = true,
	},
	[NSCC_MNSCC] = {
		.knobs = &nscc_table,
		.ops = &nscc_ops[NSCC_MNSCC],
		.alg = NSCC_MNSCC,
		.extra_size = sizeof(struct nscc_history),
		.reorder = true,
	},
};

/*
 * A new flow starts with the largest window where the network's RTT and the
 * line rate are known and nobody asked for another.
 */
static void nscc_first_cwnd(struct sock *sk, const struct nscc_knobs *k)
{
	u64 bytes = nscc_first_window(k, dcc_line_rate(sk, k->flow.line_rate_mbps));
	struct tcp_sock *tp = tcp_sk(sk);
	u64 packets = div_u64(bytes, max(tp->mss_cache, 1U));

	if (k->flow.init_cwnd || tp->data_segs_out || !packets)
		return;
	tcp_snd_cwnd_set(tp, min_t(u64, packets, tp->snd_cwnd_clamp));
}

static void nscc_start(struct sock *sk, enum nscc_variant variant)
{
	const struct dcc_alg *alg = &nscc_alg[variant];
	struct nscc_ca *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	if (!dcc_flow_init(sk, &ca->flow, alg))
		return;
	nscc_first_cwnd(sk, dcc_flow_knobs(&ca->flow, alg));
	nscc_init(&ca->law, NULL, variant, tp->tcp_clock_cache,
		  (u64)tcp_snd_cwnd(tp) * tp->mss_cache);
}

static void nscc_tcp_init(struct sock *sk)
{
	nscc_start(sk, NSCC_NSCC);
}

static void mnscc_tcp_init(struct sock *sk)
{
	nscc_start(sk, NSCC_MNSCC);
}

static void DCC_CONG_CONTROL(nscc_cong_control)
{
	struct nscc_ca *ca = inet_csk_ca(sk);
	struct dcc_decision decision;
	struct dcc_sample sample;

	if (!dcc_sample(sk, &ca->flow, rs, &sample))
		return;
	if (ca->flow.restart) {
		nscc_on_idle(&ca->law, dcc_flow_extra(&ca->flow),
			     sample.now_ns);
		ca->flow.restart = 0;
	}
	nscc_on_ack(&ca->law, dcc_flow_extra(&ca->flow),
		    dcc_flow_knobs(&ca->flow, dcc_alg_of(sk)), &sample,
		    &decision);
	dcc_apply(sk, &ca->flow, &sample, &decision);
}

static void nscc_set_state(struct sock *sk, u8 state)
{
	struct nscc_ca *ca = inet_csk_ca(sk);
	u32 lost;

	if (dcc_state_is_timeout(sk, &ca->flow, state, &lost))
		nscc_on_rto(&ca->law, lost, tcp_sk(sk)->mss_cache);
}

#define NSCC_OPS(name, variant, init)					\
	DCC_OPS(name, &nscc_alg[variant], DCC_CONG_ECN, init,		\
		nscc_cong_control, nscc_set_state)

static struct dcc_ops nscc_ops[NSCC_VARIANTS] = {
	[NSCC_NSCC] = NSCC_OPS("nscc", NSCC_NSCC, nscc_tcp_init),
	[NSCC_MNSCC] = NSCC_OPS("mnscc", NSCC_MNSCC, mnscc_tcp_init),
};

DCC_MODULE(nscc, nscc_table, nscc_alg);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("NSCC of Ultra Ethernet and its median form: delay and ECN congestion control");
MODULE_ALIAS("tcp_nscc");
