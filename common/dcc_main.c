// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_dcc: loading, unloading, the hooks that a network namespace's knobs ask for, and how
 * modules of algorithms are registered.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "dcc.h"
#include "stack/dcc_core.h"

/* All namespaces; the mutex also orders the changes of their hooks. */
static LIST_HEAD(dcc_nets);
static DEFINE_MUTEX(dcc_nets_mutex);

/* The hooks of a namespace follow its knob; call with the mutex. */
static int dcc_net_hook(struct dcc_net *dn)
{
	bool on;
	int err;

	if (!dn->net)	/* going away, and the file is still open */
		return 0;
	on = dcc_net_spray_paths(dn->net);
	if (on == dn->hooked)
		return 0;
	err = dcc_hooks_spray(dn->net, on);
	if (!err)
		dn->hooked = on;
	return err;
}

/* A namespace's knob was written. */
static int dcc_net_changed(struct net *net)
{
	int err;

	mutex_lock(&dcc_nets_mutex);
	err = dcc_net_hook(net_generic(net, dcc_net_table.net_id));
	mutex_unlock(&dcc_nets_mutex);
	return err;
}

/* The machine's knob was written: it is every namespace's that has none. */
static int dcc_net_param_set(const char *text, const struct kernel_param *kp)
{
	int err = dcc_knob_param_ops.set(text, kp);
	struct dcc_net *dn;

	if (err)
		return err;
	mutex_lock(&dcc_nets_mutex);
	list_for_each_entry(dn, &dcc_nets, node)
		err = dcc_net_hook(dn) ?: err;
	mutex_unlock(&dcc_nets_mutex);
	if (err)
		pr_warn("dcc: no memory for the hooks of some namespaces: write the knob again\n");
	return err;
}

static int dcc_net_param_get(char *text, const struct kernel_param *kp)
{
	return dcc_knob_param_ops.get(text, kp);
}

static const struct kernel_param_ops dcc_net_param_ops = {
	.set = dcc_net_param_set,
	.get = dcc_net_param_get,
};

#define DCC_KNOB_LINES	dcc_net_knob
#define DCC_KNOB_VALUES	dcc_net_global
#undef DCC_KNOB_OPS
#define DCC_KNOB_OPS	dcc_net_param_ops
DCC_NET_KNOBS(DCC_KNOB_PARAM)

static bool restricted;
module_param(restricted, bool, 0444);
MODULE_PARM_DESC(restricted, "only CAP_NET_ADMIN may choose the algorithms, until net.ipv4.tcp_allowed_congestion_control says otherwise [0 or 1, default 0]");

/* Does an algorithm ask for ECN by itself? */
static bool alg_asks_ecn(const struct dcc_alg *alg)
{
	return !alg->marked_ops;
}

/**
 * dcc_module_net_init() - a namespace's part of a module
 * @net: the namespace
 * @algs: the module's algorithms, all of one kind: they ask for ECN, or do not
 *
 * Process context. Return: 0 or an error, with nothing left behind.
 */
int dcc_module_net_init(struct net *net, const struct dcc_alg *algs)
{
	int err = dcc_knobs_net_init(net, algs->knobs);

	if (err || !alg_asks_ecn(algs))
		return err;
	err = dcc_hooks_syn_init(net);
	if (err)
		dcc_knobs_net_exit(net, algs->knobs);
	return err;
}
EXPORT_SYMBOL_GPL(dcc_module_net_init);

/**
 * dcc_module_net_pre_exit() - hooks go before what they read
 * @net: the namespace
 * @algs: as given to dcc_module_net_init()
 *
 * The core waits for readers between this and dcc_knobs_net_exit().
 */
void dcc_module_net_pre_exit(struct net *net, const struct dcc_alg *algs)
{
	if (alg_asks_ecn(algs))
		dcc_hooks_syn_exit(net);
}
EXPORT_SYMBOL_GPL(dcc_module_net_pre_exit);

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
		if (algs[count].ops->offered)
			tcp_unregister_congestion_control(&algs[count].ops->ops);
	unregister_pernet_subsys(net_ops);
}
EXPORT_SYMBOL_GPL(dcc_unregister);

/* Does the name belong to another module, for one? */
static int alg_offer(const struct dcc_alg *alg)
{
	struct tcp_congestion_ops *ops = &alg->ops->ops;
	int err;

	if (restricted)
		ops->flags &= ~TCP_CONG_NON_RESTRICTED;
	err = tcp_register_congestion_control(ops);
	alg->ops->offered = !err;
	return err;
}

/**
 * dcc_register() - offer a module's algorithms and sysctls
 * @algs: the algorithms
 * @count: how many
 * @net_ops: the namespaces' part
 *
 * All may be chosen without privilege (TCP_CONG_NON_RESTRICTED), since
 * containers need it: with their defaults they back off on delay, well before a
 * loss. The root of a namespace may set its knobs, up to never backing off, as
 * the owner of any sender may. The module parameter restricted keeps them for
 * CAP_NET_ADMIN.
 *
 * As soon as one is offered sockets may have it, and a module whose init fails is freed
 * under them: so the name of another that cannot be had is said in the log, and missing.
 *
 * Process context. Return: 0, or an error with nothing left behind.
 */
int dcc_register(const struct dcc_alg *algs, int count,
		 struct pernet_operations *net_ops)
{
	int i, err = register_pernet_subsys(net_ops);

	if (err)
		return err;
	err = alg_offer(&algs[0]);
	if (err) {
		unregister_pernet_subsys(net_ops);
		return err;
	}
	for (i = 1; i < count; i++) {
		err = alg_offer(&algs[i]);
		if (err)
			pr_warn("dcc: '%s' cannot be offered: error %d\n",
				algs[i].ops->ops.name, err);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(dcc_register);

/*
 * All zero at first. Somebody may write to the file as soon as it is there, which
 * changes nothing before @net says whose it is.
 */
static int __net_init dcc_net_init(struct net *net)
{
	int err = dcc_knobs_net_init(net, &dcc_net_table);
	struct dcc_net *dn = net_generic(net, dcc_net_table.net_id);

	if (err)
		return err;
	spin_lock_init(&dn->budget_lock);
	mutex_lock(&dcc_nets_mutex);
	dn->net = net;
	err = dcc_net_hook(dn);
	if (!err)
		list_add(&dn->node, &dcc_nets);
	else
		dn->net = NULL;
	mutex_unlock(&dcc_nets_mutex);
	if (err)
		dcc_knobs_net_exit(net, &dcc_net_table);
	return err;
}

/* Hooks go first: the core waits for readers between this and dcc_net_exit(). */
static void __net_exit dcc_net_pre_exit(struct net *net)
{
	struct dcc_net *dn = net_generic(net, dcc_net_table.net_id);

	mutex_lock(&dcc_nets_mutex);
	list_del(&dn->node);
	if (dn->hooked)
		dcc_hooks_spray(net, false);
	dn->hooked = false;
	dn->net = NULL;
	mutex_unlock(&dcc_nets_mutex);
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
	.size = sizeof(struct dcc_net),
};

static int __init dcc_init(void)
{
	int err = dcc_count_init();

	if (err)
		return err;
	dcc_net_table.changed = dcc_net_changed;
	err = register_pernet_subsys(&dcc_net_ops);
	if (err)
		goto count;
	err = dcc_line_init();	/* the last: it cannot be taken back here */
	if (!err)
		return 0;
	unregister_pernet_subsys(&dcc_net_ops);
count:
	dcc_count_exit();
	return err;
}

static void __exit dcc_exit(void)
{
	unregister_pernet_subsys(&dcc_net_ops);
	dcc_count_exit();
	dcc_line_exit();
	dcc_wrap_exit();
}

module_init(dcc_init);
module_exit(dcc_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(DCC_AUTHOR);
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("Helper library of the datacenter congestion-control modules");
