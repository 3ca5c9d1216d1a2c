// SPDX-License-Identifier: GPL-2.0
/* tcp_oscar: the glue between the stack and the algorithm of oscar.h. */
#include <linux/module.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "oscar.h"

DCC_STATE_FITS(struct oscar);
static_assert(OSCAR_KNOB_COUNT <= DCC_KNOB_MAX, "too many knobs");

static struct oscar_knobs oscar_global = OSCAR_DEFAULTS;

static const char *const oscar_algs[OSCAR_VARIANTS] = {
	[OSCAR_OSCAR] = "oscar",
};

static struct dcc_knob_table oscar_table = {
	.knob = oscar_knob,
	.count = OSCAR_KNOB_COUNT,
	.algs = oscar_algs,
	.alg_count = OSCAR_VARIANTS,
	.global = (u32 *)&oscar_global,
};

#define DCC_KNOB_LINES	oscar_knob
#define DCC_KNOB_VALUES	oscar_global
OSCAR_KNOBS(DCC_KNOB_PARAM)

static struct dcc_ops oscar_ops[2];

/* Window and pacing of a flow's first packets follow from start_u. */
static void oscar_start(struct sock *sk, void *state)
{
	const struct oscar_knobs *k = dcc_flow_knobs(inet_csk_ca(sk),
						     dcc_alg_of(sk));
	const struct tcp_sock *tp = tcp_sk(sk);
	struct oscar *o = state;

	oscar_init(o, k, dcc_line_rate(sk, k->flow.line_rate_mbps),
		   (u64)tcp_snd_cwnd(tp) * tp->mss_cache);
	dcc_first_window(sk, &k->flow, oscar_first_window(o));
	if (o->pacing)
		dcc_pace(sk, o->pacing);
}

static void oscar_ack(void *state, void *extra, const void *knobs,
		      const struct dcc_sample *s, struct dcc_decision *d)
{
	oscar_on_ack(state, extra, knobs, s, d);
}

static void oscar_rto(void *state, void *extra, const void *knobs,
		      const struct dcc_timeout *t)
{
	oscar_on_rto(state, extra, knobs, t->mss);
}

/* A configured base RTT needs no probes. */
static const struct dcc_drain_knobs *oscar_drain_knobs(const void *knobs)
{
	const struct oscar_knobs *k = knobs;

	return k->base_rtt_ns || !k->drain.drain_rtts ? NULL : &k->drain;
}

static void oscar_idle(void *state, void *extra, u64 now_ns)
{
	oscar_on_idle(extra);
}

static const struct dcc_alg oscar_alg[OSCAR_VARIANTS] = {
	[OSCAR_OSCAR] = {
		.knobs = &oscar_table,
		.ops = &oscar_ops[0],
		.marked_ops = &oscar_ops[1],
		.alg = OSCAR_OSCAR,
		.extra_size = DCC_EXTRA_SIZE(OSCAR_KNOB_COUNT,
					     sizeof(struct dcc_drain),
					     sizeof(struct oscar_memory)),
		.init = oscar_start,
		.on_ack = oscar_ack,
		.on_rto = oscar_rto,
		.on_idle = oscar_idle,
		.drain_knobs = oscar_drain_knobs,
		.tlp_probes = true,
		.reorder = true,
	},
};

/* Without and with ECN: the second are for flows that steer by marks. */
static struct dcc_ops oscar_ops[2] = {
	DCC_OPS("oscar", &oscar_alg[OSCAR_OSCAR], 0),
	DCC_OPS("oscar", &oscar_alg[OSCAR_OSCAR], DCC_CONG_ECN),
};

DCC_MODULE(oscar, oscar_table, oscar_alg);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(DCC_AUTHOR);
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("OSCAR: convergence in one step, from delay and delay gradient");
