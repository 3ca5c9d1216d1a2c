/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcp_dcc.ko: what the author of an algorithm needs.
 *
 * A module describes its algorithm in a struct dcc_alg (stack/dcc_alg.h), makes its
 * operations with DCC_OPS() and itself with DCC_MODULE(). A flow's private state is struct
 * dcc_flow, with the algorithm's own behind it; on each ACK dcc_ops.c does
 *
 *	dcc_sample(sk, flow, rs, &sample);
 *	alg->on_ack(state, extra, knobs, &sample, &decision);
 *	dcc_apply(sk, flow, &sample, &decision);
 */
#ifndef _DCC_H
#define _DCC_H

#include <linux/module.h>
#include <net/tcp.h>

#include "cc/dcc_flow_knobs.h"
#include "cc/dcc_sample.h"
#include "ctl/dcc_knobs.h"
#include "ctl/dcc_line.h"
#include "stack/dcc_alg.h"

/* What modinfo says; the version is dkms.conf's, by way of the top Kbuild. */
#define DCC_AUTHOR "The tcp-dcc authors"
#ifndef DCC_VERSION
#define DCC_VERSION "unknown"
#endif

#define DCC_STATE_FITS(state) \
	static_assert(sizeof(struct dcc_flow) + sizeof(state) <= ICSK_CA_PRIV_SIZE, \
		      "private state too large")

/*
 * For dcc_alg.extra_size: @extra bytes, but the module only builds if its flows' memory then keeps
 * the promise. @knobs: lines of its table; @probes: bytes for its probes, sizeof(struct
 * dcc_suspension) with an on_probe(), sizeof(struct dcc_drain) with drain_knobs(), else 0.
 */
#define DCC_EXTRA_SIZE(knobs, probes, extra)				\
	((extra) +							\
	 BUILD_BUG_ON_ZERO(DCC_MEM_PROBES_AT(knobs) + (probes) > DCC_MEM_FIRST_MOST) + \
	 BUILD_BUG_ON_ZERO(DCC_MEM_SPRAY_AT(DCC_MEM_PROBES_AT(knobs) + (probes), extra) + \
			   sizeof(struct dcc_spray) > DCC_MEM_SECOND_MOST))

#define DCC_OPS(name_, alg_, flags_) {					\
	.ops = {							\
		.flags = TCP_CONG_NON_RESTRICTED | (flags_),		\
		.name = name_,						\
		.owner = THIS_MODULE,					\
		.init = dcc_tcp_init,					\
		.release = dcc_release,					\
		.cong_control = dcc_cong_control,			\
		.set_state = dcc_set_state,				\
		.in_ack_event = dcc_in_ack_event,			\
		DCC_EVENT_OPS,						\
		DCC_TSO_SEGS_OP,					\
		.ssthresh = dcc_ssthresh,				\
		.undo_cwnd = dcc_undo_cwnd,				\
		.get_info = dcc_get_info,				\
		DCC_OWNS_DSACK_OP					\
	},								\
	.alg = alg_,							\
}

int dcc_register(const struct dcc_alg *algs, int count, struct pernet_operations *net_ops);
void dcc_unregister(const struct dcc_alg *algs, int count, struct pernet_operations *net_ops);
int dcc_module_net_init(struct net *net, const struct dcc_alg *algs);
void dcc_module_net_pre_exit(struct net *net, const struct dcc_alg *algs);

/* A module: its namespaces' sysctls and its algorithms come and go with it. */
#define DCC_MODULE(mod, table, algs)					\
static int __net_init mod##_net_init(struct net *net)			\
{									\
	return dcc_module_net_init(net, algs);				\
}									\
static void __net_exit mod##_net_pre_exit(struct net *net)		\
{									\
	dcc_module_net_pre_exit(net, algs);				\
}									\
static void __net_exit mod##_net_exit(struct net *net)			\
{									\
	dcc_knobs_net_exit(net, &(table));				\
}									\
static struct pernet_operations mod##_net_ops = {			\
	.init = mod##_net_init,						\
	.pre_exit = mod##_net_pre_exit,					\
	.exit = mod##_net_exit,						\
	.id = &(table).net_id,						\
	.size = sizeof(struct dcc_knob_net),				\
};									\
static int __init mod##_module_init(void)				\
{									\
	return dcc_register(algs, ARRAY_SIZE(algs), &mod##_net_ops);	\
}									\
static void __exit mod##_module_exit(void)				\
{									\
	dcc_unregister(algs, ARRAY_SIZE(algs), &mod##_net_ops);		\
}									\
module_init(mod##_module_init);						\
module_exit(mod##_module_exit)

#endif /* _DCC_H */
