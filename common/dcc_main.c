// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_dcc: loading, unloading, and what exists once per network namespace: the
 * transmit hooks and net.dcc.{spray,spray_paths}.
 */
#include <linux/module.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "dcc.h"

#define DCC_NET_KNOBS(K)						\
	K(spray, "off|oblivious", 0, 1, 0, 1,				\
	  "path engine for every TCP flow of the namespace")		\
	K(spray_paths, "2^n", 1, 65536, 64, 1,				\
	  "labels each of them sprays over")

enum dcc_net_knob_index {
	DCC_NET_KNOBS(DCC_KNOB_INDEX)
	DCC_NET_KNOB_COUNT
};

static const struct dcc_knob dcc_net_knob[DCC_NET_KNOB_COUNT] = {
	DCC_NET_KNOBS(DCC_KNOB_ENTRY)
};

struct dcc_net_knobs {
	DCC_NET_KNOBS(DCC_KNOB_FIELD)
};

static struct dcc_net_knobs dcc_net_global = {
	DCC_NET_KNOBS(DCC_KNOB_DEFAULT)
};

static const char *const dcc_net_algs[] = { "" };

static struct dcc_knob_table dcc_net_table = {
	.knob = dcc_net_knob,
	.count = DCC_NET_KNOB_COUNT,
	.algs = dcc_net_algs,
	.alg_count = ARRAY_SIZE(dcc_net_algs),
	.global = (u32 *)&dcc_net_global,
};

#define DCC_KNOB_LINES	dcc_net_knob
#define DCC_KNOB_VALUES	dcc_net_global
DCC_NET_KNOBS(DCC_KNOB_PARAM)

/**
 * dcc_net_spray_paths() - what every TCP flow of a namespace is to do
 * @sk: one of its sockets
 *
 * Any context. Return: labels to spray over; 0: flows are on their own.
 */
u32 dcc_net_spray_paths(const struct sock *sk)
{
	const struct net *net = sock_net(sk);

	if (dcc_knob_value(net, &dcc_net_table, 0, DCC_KNOB_spray) ==
	    DCC_SPRAY_OFF)
		return 0;
	return dcc_knob_value(net, &dcc_net_table, 0, DCC_KNOB_spray_paths);
}

/* Which of an algorithm's two operations users choose by name. */
static struct tcp_congestion_ops *alg_ops(const struct dcc_alg *alg)
{
	return &alg->ops[alg->ecn];
}

/**
 * dcc_unregister() - take a module's algorithms and sysctls back
 * @algs: what was given to dcc_register()
 * @count: how many of them
 * @net_ops: as given to it
 *
 * Process context; no socket uses them any more.
 */
void dcc_unregister(const struct dcc_alg *algs, int count,
		    struct pernet_operations *net_ops)
{
	while (count-- > 0)
		tcp_unregister_congestion_control(alg_ops(&algs[count]));
	unregister_pernet_subsys(net_ops);
}
EXPORT_SYMBOL_GPL(dcc_unregister);

/**
 * dcc_register() - offer a module's algorithms and sysctls
 * @algs: the algorithms
 * @count: how many
 * @net_ops: the namespaces' part
 *
 * All may be chosen without privilege (TCP_CONG_NON_RESTRICTED), since
 * containers need it: with their defaults they back off on delay, well before a
 * loss. The root of a namespace may set its knobs, up to never backing off, as
 * the owner of any sender may.
 *
 * Process context. Return: 0, or an error with nothing left behind.
 */
int dcc_register(const struct dcc_alg *algs, int count,
		 struct pernet_operations *net_ops)
{
	int i, err = register_pernet_subsys(net_ops);

	if (err)
		return err;
	for (i = 0; i < count; i++) {
		err = tcp_register_congestion_control(alg_ops(&algs[i]));
		if (err) {
			dcc_unregister(algs, i, net_ops);
			return err;
		}
	}
	return 0;
}
EXPORT_SYMBOL_GPL(dcc_register);

static int __net_init dcc_net_init(struct net *net)
{
	int err = dcc_knobs_net_init(net, &dcc_net_table);

	if (err)
		return err;
	err = dcc_xmit_net_init(net);
	if (err)
		dcc_knobs_net_exit(net, &dcc_net_table);
	return err;
}

/* Hooks go first: the core waits for readers between this and dcc_net_exit(). */
static void __net_exit dcc_net_pre_exit(struct net *net)
{
	dcc_xmit_net_exit(net);
}

static void __net_exit dcc_net_exit(struct net *net)
{
	dcc_knobs_net_exit(net, &dcc_net_table);
}

static struct pernet_operations dcc_net_ops = {
	.init = dcc_net_init,
	.pre_exit = dcc_net_pre_exit,
	.exit = dcc_net_exit,
	.id = &dcc_net_table.net_id,
	.size = sizeof(struct dcc_knob_net),
};

static int __init dcc_init(void)
{
	int err = dcc_line_init();

	if (err)
		return err;
	err = dcc_count_init();
	if (err)
		goto line;
	err = register_pernet_subsys(&dcc_net_ops);
	if (err)
		goto count;
	return 0;
count:
	dcc_count_exit();
line:
	dcc_line_exit();
	return err;
}

static void __exit dcc_exit(void)
{
	unregister_pernet_subsys(&dcc_net_ops);
	dcc_count_exit();
	dcc_line_exit();
}

module_init(dcc_init);
module_exit(dcc_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Helper library of the datacenter congestion-control modules");
