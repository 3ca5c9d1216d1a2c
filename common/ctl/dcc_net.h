/* SPDX-License-Identifier: GPL-2.0 */
/* What a network namespace has: net.dcc.{spray,spray_paths}, and a budget of probes. */
#ifndef _DCC_NET_H
#define _DCC_NET_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <net/sock.h>

#include "../cc/dcc_budget.h"
#include "dcc_knobs.h"

#define DCC_NET_KNOBS(K)						\
	K(spray, "off|oblivious", 0, 1, 0, 1,				\
	  "path selector for every TCP flow of the namespace")		\
	K(spray_paths, "2^n", 1, 65536, 64, 1,				\
	  "labels each of them sprays over")

enum dcc_net_knob_index {
	DCC_NET_KNOBS(DCC_KNOB_INDEX)
	DCC_NET_KNOB_COUNT
};

struct dcc_net_knobs {
	DCC_NET_KNOBS(DCC_KNOB_FIELD)
};

extern const struct dcc_knob dcc_net_knob[DCC_NET_KNOB_COUNT];
extern struct dcc_net_knobs dcc_net_global;
extern struct dcc_knob_table dcc_net_table;

/**
 * struct dcc_net - what a namespace has
 * @knobs: its sysctls, first: dcc_knobs_net_init() finds them there
 * @net: the namespace; NULL once it goes away
 * @node: in dcc_nets
 * @hooked: does it spray flows of other algorithms?
 * @budget_lock: of @budget
 * @budget: what its suspended flows may spend on probes
 */
struct dcc_net {
	struct dcc_knob_net knobs;
	struct net *net;
	struct list_head node;
	bool hooked;
	spinlock_t budget_lock;	/* of budget */
	struct dcc_budget budget;
};

/*
 * Does a socket keep its namespace? One of the kernel need not, and may outlive it: nothing
 * of this module's in the namespace is there for such a socket, and the timer of pacing is not
 * either, since the stack of older kernels does not stop it when such a socket is closed.
 */
static inline bool dcc_has_net(const struct sock *sk)
{
	return sk->sk_net_refcnt || net_eq(sock_net(sk), &init_net);
}

u32 dcc_net_spray_paths(const struct net *net);
u32 dcc_sk_spray_paths(const struct sock *sk);
u64 dcc_budget_slot(const struct net *net, u64 now_ns);
void dcc_budget_spent(const struct net *net, u64 took_ns);

#endif /* _DCC_NET_H */
