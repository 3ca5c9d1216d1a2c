/* SPDX-License-Identifier: GPL-2.0 */
/* What the library knows of an algorithm, and what it offers each. */
#ifndef _DCC_ALG_H
#define _DCC_ALG_H

#include <net/tcp.h>

#include "../cc/dcc_flow_knobs.h"
#include "../cc/dcc_sample.h"
#include "../ctl/dcc_compat.h"
#include "../ctl/dcc_knobs.h"
#include "dcc_flow.h"

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
 * @on_rto: a retransmission timeout, not while the flow is suspended
 * @on_probe: decides on the answer to a probe, of which the sample has the
 *	delay and no packets; NULL: the algorithm suspends no flow
 * @on_first: decides on the window of a flow that begins, or begins again after it was silent, or
 *	to suspend it and probe first: the sample has no delay and no packets; may be NULL
 * @drain_knobs: of an algorithm that goes by the base RTT which its flow finds: those of
 *	min-RTT probes (dcc_drain.h), drain_rtts not 0; NULL: with these knobs it does
 *	not drain. A NULL pointer: never. Not of an algorithm with an on_probe()
 * @on_idle: what was measured is stale, or of packets of another size
 * @reorder: is it made for flows that are sprayed?
 * @walk_losses: fill in dcc_sample.lost_run?
 * @tlp_probes: may a packet leave when a whole window is silent (dcc_tlp.h)?
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
	bool tlp_probes;
};

void dcc_first_window(struct sock *sk, const struct dcc_flow_knobs *k, u64 bytes);
void dcc_pace(struct sock *sk, u64 rate);

/* Which algorithm drives a socket of this project's; the socket is locked. */
static inline const struct dcc_alg *dcc_alg_of(const struct sock *sk)
{
	return container_of(inet_csk(sk)->icsk_ca_ops, struct dcc_ops, ops)->alg;
}

/* The flow's knobs: its snapshot, or the module's own when it has no memory. */
static inline const void *dcc_flow_knobs(const struct dcc_flow *flow, const struct dcc_alg *alg)
{
	return flow->mem ? flow->mem->knobs : alg->knobs->global;
}

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
DCC_DECLARE_OWNS_DSACK_OP

#endif /* _DCC_ALG_H */
