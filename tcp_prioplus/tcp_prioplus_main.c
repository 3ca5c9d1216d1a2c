// SPDX-License-Identifier: GPL-2.0
/* tcp_prioplus: the glue between the stack and the algorithm of prioplus.h. */
#include <linux/module.h>
#include <linux/random.h>
#include <net/tcp.h>

#include "../common/dcc.h"
#include "prioplus.h"

DCC_STATE_FITS(struct prioplus);
static_assert(PRIOPLUS_KNOB_COUNT <= DCC_KNOB_MAX, "too many knobs");

static struct prioplus_knobs prioplus_global = PRIOPLUS_DEFAULTS;

static const char *const prioplus_algs[PRIOPLUS_VARIANTS] = {
	[PRIOPLUS_PRIOPLUS] = "prioplus",
	[PRIOPLUS_OVER_LEDBAT] = "prioplus_ledbat",
};

static struct dcc_knob_table prioplus_table = {
	.knob = prioplus_knob,
	.count = PRIOPLUS_KNOB_COUNT,
	.algs = prioplus_algs,
	.alg_count = PRIOPLUS_VARIANTS,
	.global = (u32 *)&prioplus_global,
};

#define DCC_KNOB_LINES	prioplus_knob
#define DCC_KNOB_VALUES	prioplus_global
PRIOPLUS_KNOBS(DCC_KNOB_PARAM)

static struct dcc_ops prioplus_ops[PRIOPLUS_VARIANTS][2];

/*
 * The level that a socket asks for, from 1: SO_PRIORITY 0, what it is without a
 * word, is the lowest. Of the code point the upper three bits, the class, count.
 */
static u32 prioplus_level(const struct prioplus_knobs *k,
			  const struct dcc_sample *s)
{
	u32 asked = k->prio_source ? s->dscp >> 3 : s->priority;

	return min_t(u32, asked, U8_MAX) + 1;
}

static void prioplus_read_level(struct prioplus *pp,
				const struct prioplus_knobs *k,
				const struct dcc_sample *s,
				struct dcc_decision *d)
{
	d->clamped = !prioplus_set_priority(pp, k, prioplus_level(k, s));
	d->priority = pp->prio;
}

static void prioplus_start(struct sock *sk, void *state)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	const struct prioplus_knobs *k = dcc_flow_knobs(inet_csk_ca(sk), alg);

	prioplus_init(state, k, alg->alg, tcp_snd_cwnd(tcp_sk(sk)),
		      get_random_u32());
}

static void prioplus_first(void *state, void *extra, const void *knobs,
			   const struct dcc_sample *s, struct dcc_decision *d)
{
	prioplus_read_level(state, knobs, s, d);
	prioplus_on_start(state, knobs, s, d);
}

static void prioplus_ack(void *state, void *extra, const void *knobs,
			 const struct dcc_sample *s, struct dcc_decision *d)
{
	prioplus_read_level(state, knobs, s, d);
	prioplus_go_on(state);	/* else this ACK would be missed */
	prioplus_on_ack(state, knobs, s, d);
}

static void prioplus_answer(void *state, void *extra, const void *knobs,
			    const struct dcc_sample *s, struct dcc_decision *d)
{
	prioplus_read_level(state, knobs, s, d);
	prioplus_on_probe(state, knobs, s, d);
}

static void prioplus_rto(void *state, void *extra, const void *knobs,
			 const struct dcc_timeout *t)
{
	prioplus_on_rto(state, knobs, t->now_ns, t->srtt_ns);
}

static void prioplus_idle(void *state, void *extra, u64 now_ns)
{
	prioplus_on_idle(state);
}

/* Both are the same but for the original CC. */
#define PRIOPLUS_ALG(variant) {						\
	.knobs = &prioplus_table,					\
	.ops = &prioplus_ops[variant][0],				\
	.marked_ops = &prioplus_ops[variant][1],			\
	.alg = (variant),						\
	.reorder = true,						\
	.extra_size = DCC_EXTRA_SIZE(PRIOPLUS_KNOB_COUNT,		\
				     sizeof(struct dcc_suspension), 0),	\
	.init = prioplus_start,						\
	.on_first = prioplus_first,					\
	.on_ack = prioplus_ack,						\
	.on_probe = prioplus_answer,					\
	.on_rto = prioplus_rto,						\
	.on_idle = prioplus_idle,					\
}

static const struct dcc_alg prioplus_alg[PRIOPLUS_VARIANTS] = {
	[PRIOPLUS_PRIOPLUS] = PRIOPLUS_ALG(PRIOPLUS_PRIOPLUS),
	[PRIOPLUS_OVER_LEDBAT] = PRIOPLUS_ALG(PRIOPLUS_OVER_LEDBAT),
};

/* Without and with ECN: the second are for flows that steer by marks. */
#define PRIOPLUS_OPS(name, variant) {					\
	DCC_OPS(name, &prioplus_alg[variant], 0),			\
	DCC_OPS(name, &prioplus_alg[variant], DCC_CONG_ECN),		\
}

static struct dcc_ops prioplus_ops[PRIOPLUS_VARIANTS][2] = {
	[PRIOPLUS_PRIOPLUS] = PRIOPLUS_OPS("prioplus", PRIOPLUS_PRIOPLUS),
	[PRIOPLUS_OVER_LEDBAT] = PRIOPLUS_OPS("prioplus_ledbat",
					      PRIOPLUS_OVER_LEDBAT),
};

DCC_MODULE(prioplus, prioplus_table, prioplus_alg);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(DCC_AUTHOR);
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("PrioPlus: priorities inside one queue, over Swift and LEDBAT");
MODULE_ALIAS("tcp_prioplus_ledbat");
