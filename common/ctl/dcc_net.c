// SPDX-License-Identifier: GPL-2.0
/* What a network namespace says of all its TCP flows, and what its probes may cost. */
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "../path/dcc_spray.h"
#include "dcc_net.h"

const struct dcc_knob dcc_net_knob[DCC_NET_KNOB_COUNT] = {
	DCC_NET_KNOBS(DCC_KNOB_ENTRY)
};

struct dcc_net_knobs dcc_net_global = {
	DCC_NET_KNOBS(DCC_KNOB_DEFAULT)
};

static const char *const dcc_net_algs[] = { "" };

struct dcc_knob_table dcc_net_table = {
	.knob = dcc_net_knob,
	.count = DCC_NET_KNOB_COUNT,
	.algs = dcc_net_algs,
	.alg_count = ARRAY_SIZE(dcc_net_algs),
	.global = (u32 *)&dcc_net_global,
};

/**
 * dcc_net_spray_paths() - what every TCP flow of a namespace is to do
 * @net: the namespace
 *
 * Any context. Return: labels to spray over; 0: flows are on their own.
 */
u32 dcc_net_spray_paths(const struct net *net)
{
	if (dcc_knob_value(net, &dcc_net_table, 0, DCC_KNOB_spray) ==
	    DCC_SPRAY_OFF)
		return 0;
	return dcc_knob_value(net, &dcc_net_table, 0, DCC_KNOB_spray_paths);
}

/**
 * dcc_budget_slot() - when may a namespace's next probe leave?
 * @net: the namespace, alive
 * @now_ns: the time
 *
 * Any context but a hard interrupt. Return: then, which is taken; @now_ns: now.
 */
u64 dcc_budget_slot(const struct net *net, u64 now_ns)
{
	struct dcc_net *dn = net_generic(net, dcc_net_table.net_id);
	u64 slot;

	spin_lock_bh(&dn->budget_lock);
	slot = dcc_budget_take(&dn->budget, now_ns);
	spin_unlock_bh(&dn->budget_lock);
	return slot;
}

/**
 * dcc_budget_spent() - a probe of a namespace has left
 * @net: the namespace, alive
 * @took_ns: how long sending it took
 *
 * Any context but a hard interrupt.
 */
void dcc_budget_spent(const struct net *net, u64 took_ns)
{
	struct dcc_net *dn = net_generic(net, dcc_net_table.net_id);

	spin_lock_bh(&dn->budget_lock);
	dcc_budget_learn(&dn->budget, took_ns);
	spin_unlock_bh(&dn->budget_lock);
}

/**
 * dcc_sk_spray_paths() - what a socket's namespace wants of every TCP flow
 * @sk: a TCP socket
 *
 * Return: as dcc_net_spray_paths(); 0 for one that may outlive its namespace.
 */
u32 dcc_sk_spray_paths(const struct sock *sk)
{
	return dcc_has_net(sk) ? dcc_net_spray_paths(sock_net(sk)) : 0;
}
