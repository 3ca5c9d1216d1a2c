/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcp_dcc.ko: what the author of an algorithm needs.
 *
 * A module describes its algorithm in a struct dcc_alg, makes its operations with DCC_OPS()
 * and itself with DCC_MODULE(). A flow's private state is struct dcc_flow, with the
 * algorithm's own behind it; on each ACK dcc_ops.c does
 *
 *	if (dcc_sample(sk, flow, rs, &sample)) {
 *		alg->on_ack(state, extra, knobs, &sample, &decision);
 *		dcc_apply(sk, flow, &sample, &decision);
 *	}
 */
#ifndef _DCC_H
#define _DCC_H

#include <linux/module.h>
#include <net/tcp.h>

#include "dcc_compat.h"
#include "dcc_flow.h"
#include "dcc_flow_knobs.h"
#include "dcc_knobs.h"
#include "dcc_sample.h"

/* What modinfo says; the version is dkms.conf's, by way of the top Kbuild. */
#define DCC_AUTHOR "The tcp-dcc authors"
#ifndef DCC_VERSION
#define DCC_VERSION "unknown"
#endif

struct dcc_alg;

/**
 * struct dcc_ops - operations of an algorithm of this project
 * @ops: what the stack knows
 * @alg: which algorithm
 * @offered: are they registered?
 */
struct dcc_ops {
	struct tcp_congestion_ops ops;
	const struct dcc_alg *alg;
	bool offered;
};

/**
 * struct dcc_alg - what the library needs to know of an algorithm
 * @knobs: its module's table
 * @ops: its operations, those that are registered
 * @marked_ops: the same with TCP_CONG_NEEDS_ECN, for flows that steer by marks;
 *	NULL: @ops ask for ECN themselves
 * @alg: its number in the table
 * @extra_size: bytes of its own memory, zeroed, 8-aligned, as DCC_EXTRA_SIZE(); may be 0
 * @grown_size: bytes of the memory that replaces it once more than
 *	DCC_FIRST_RECORDS packets were in flight; 0: none does
 * @start: prepares the algorithm's own memory; may be NULL
 * @grow: fills the new memory from the old; not NULL if @grown_size is not 0
 * @init: starts the algorithm, of a flow that is ready; sets all of its state
 * @on_ack: decides on an ACK; extra as dcc_flow_extra(), knobs as
 *	dcc_flow_knobs(). The decision comes zeroed
 * @on_rto: a retransmission timeout, not while the flow is held
 * @on_probe: decides on the answer to a probe, of which the sample tells the
 *	delay and no packets; NULL: the algorithm holds no flow
 * @on_first: decides on the window of a flow that begins, or begins again after it was silent, or
 *	to hold it and probe first: the sample tells no delay and no packets; may be NULL
 * @drain_knobs: of an algorithm that goes by the base RTT which its flow finds: those of
 *	min-RTT probes (dcc_drain.h), drain_rtts not 0; NULL: with these knobs it does
 *	not drain. A NULL pointer: never. Not of an algorithm with an on_probe()
 * @on_idle: what was measured is stale, or of packets of another size
 * @reorder: is it made for flows that are sprayed?
 * @walk_losses: fill in dcc_sample.lost_run?
 * @tail_probes: may a packet leave when a whole window is silent (dcc_tail.h)?
 *	Not of an algorithm with an on_probe()
 */
struct dcc_alg {
	const struct dcc_knob_table *knobs;
	struct dcc_ops *ops;
	struct dcc_ops *marked_ops;
	unsigned int alg;
	size_t extra_size;
	size_t grown_size;
	void (*start)(void *extra);
	void (*grow)(void *grown, const void *extra);
	void (*init)(struct sock *sk, void *state);
	void (*on_ack)(void *state, void *extra, const void *knobs,
		       const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_rto)(void *state, void *extra, const void *knobs,
		       const struct dcc_timeout *t);
	void (*on_probe)(void *state, void *extra, const void *knobs,
			 const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_first)(void *state, void *extra, const void *knobs,
			 const struct dcc_sample *s, struct dcc_decision *d);
	const struct dcc_drain_knobs *(*drain_knobs)(const void *knobs);
	void (*on_idle)(void *state, void *extra, u64 now_ns);
	bool reorder;
	bool walk_losses;
	bool tail_probes;
};

u64 dcc_line_rate(const struct sock *sk, u32 knob_mbps);
void dcc_first_window(struct sock *sk, const struct dcc_flow_knobs *k, u64 bytes);
void dcc_pace(struct sock *sk, u64 rate);

/* Which algorithm drives a socket of ours; the socket is locked. */
static inline const struct dcc_alg *dcc_alg_of(const struct sock *sk)
{
	return container_of(inet_csk(sk)->icsk_ca_ops, struct dcc_ops, ops)->alg;
}

/* The flow's knobs: its snapshot, or the module's own when it has no memory. */
static inline const void *dcc_flow_knobs(const struct dcc_flow *flow, const struct dcc_alg *alg)
{
	return flow->mem ? flow->mem->knobs : alg->knobs->global;
}

#define DCC_STATE_FITS(state) \
	static_assert(sizeof(struct dcc_flow) + sizeof(state) <= ICSK_CA_PRIV_SIZE, \
		      "private state too large")

/*
 * For dcc_alg.extra_size: @extra bytes, but the module only builds if its flows' memory then keeps
 * the promise. @knobs: lines of its table; @hold: bytes for holds or min-RTT probes, sizeof(struct
 * dcc_hold) with an on_probe(), sizeof(struct dcc_drain) with drain_knobs(), else 0.
 */
#define DCC_EXTRA_SIZE(knobs, hold, extra)				\
	((extra) +							\
	 BUILD_BUG_ON_ZERO(DCC_MEM_HOLD_AT(knobs) + (hold) > DCC_MEM_FIRST_MOST) + \
	 BUILD_BUG_ON_ZERO(DCC_MEM_SPRAY_AT(DCC_MEM_HOLD_AT(knobs) + (hold), extra) + \
			   sizeof(struct dcc_spray) > DCC_MEM_SECOND_MOST))

/* The operations of all algorithms; by dcc_undo_cwnd() a socket is known as this project's. */
void dcc_tcp_init(struct sock *sk);
void dcc_release(struct sock *sk);
DCC_DECLARE_CONG_CONTROL
void dcc_set_state(struct sock *sk, u8 state);
u32 dcc_ssthresh(struct sock *sk);
u32 dcc_undo_cwnd(struct sock *sk);
size_t dcc_get_info(struct sock *sk, u32 ext, int *attr, union tcp_cc_info *info);
void dcc_cwnd_event(struct sock *sk, enum tcp_ca_event event);
void dcc_cwnd_event_tx_start(struct sock *sk);
void dcc_in_ack_event(struct sock *sk, u32 flags);
DCC_DECLARE_TSO_SEGS_OP

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
