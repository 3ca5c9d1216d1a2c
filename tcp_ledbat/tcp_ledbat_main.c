// SPDX-License-Identifier: GPL-2.0
/* tcp_ledbat: the glue between the stack and the algorithm of ledbat.h. */
#include <linux/module.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "ledbat.h"

DCC_STATE_FITS(struct ledbat);
static_assert(LEDBAT_KNOB_COUNT <= DCC_KNOB_MAX, "too many knobs");

static struct ledbat_knobs ledbat_global = LEDBAT_DEFAULTS;

static const char *const ledbat_algs[LEDBAT_VARIANTS] = {
	[LEDBAT_LEDBAT] = "ledbat",
};

static struct dcc_knob_table ledbat_table = {
	.knob = ledbat_knob,
	.count = LEDBAT_KNOB_COUNT,
	.algs = ledbat_algs,
	.alg_count = LEDBAT_VARIANTS,
	.global = (u32 *)&ledbat_global,
};

#define DCC_KNOB_LINES	ledbat_knob
#define DCC_KNOB_VALUES	ledbat_global
LEDBAT_KNOBS(DCC_KNOB_PARAM)

static struct dcc_ops ledbat_ops[2];

static void ledbat_begin(struct sock *sk, void *state)
{
	const struct ledbat_knobs *k = dcc_flow_knobs(inet_csk_ca(sk), dcc_alg_of(sk));

	ledbat_init(state, tcp_snd_cwnd(tcp_sk(sk)));
	ledbat_slow_start(state, k);
}

static void ledbat_ack(void *state, void *extra, const void *knobs,
		       const struct dcc_sample *s, struct dcc_decision *d)
{
	ledbat_on_ack(state, extra, knobs, s, d);
}

static void ledbat_rto(void *state, void *extra, const void *knobs,
		       const struct dcc_timeout *t)
{
	ledbat_on_rto(state);
}

static void ledbat_idle(void *state, void *extra, u64 now_ns)
{
	ledbat_on_idle(extra);
}

static const struct dcc_alg ledbat_alg[LEDBAT_VARIANTS] = {
	[LEDBAT_LEDBAT] = {
		.knobs = &ledbat_table,
		.ops = &ledbat_ops[0],
		.marked_ops = &ledbat_ops[1],
		.alg = LEDBAT_LEDBAT,
		.extra_size = DCC_EXTRA_SIZE(LEDBAT_KNOB_COUNT, 0,
					     sizeof(struct ledbat_history)),
		.init = ledbat_begin,
		.on_ack = ledbat_ack,
		.on_rto = ledbat_rto,
		.on_idle = ledbat_idle,
		.reorder = true,
	},
};

/* Without and with ECN: the second are for flows that steer by marks. */
static struct dcc_ops ledbat_ops[2] = {
	DCC_OPS("ledbat", &ledbat_alg[LEDBAT_LEDBAT], 0),
	DCC_OPS("ledbat", &ledbat_alg[LEDBAT_LEDBAT], DCC_CONG_ECN),
};

DCC_MODULE(ledbat, ledbat_table, ledbat_alg);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(DCC_AUTHOR);
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("LEDBAT (RFC 6817) by round trips, with a target for datacenters");
