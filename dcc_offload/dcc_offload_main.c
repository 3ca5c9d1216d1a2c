// SPDX-License-Identifier: GPL-2.0
/*
 * dcc_offload: the kernel asks the first offload of a protocol in its list. This module's
 * stands before the kernel's own of IPv6, and calls it.
 *
 * It comes before it by taking the kernel's out of the list and putting it back behind, for
 * equals stand in the order in which they came. There is always one in the list: no packet
 * is lost, when the module is loaded or unloaded, under traffic or not.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/gro.h>

#include "dcc_offload.h"

#define KERNELS_OWN	"ipv6_gro_receive"

DEFINE_PER_CPU(struct dcc_gro_count, dcc_gro_count);

#define SUM_OF(field)	offsetof(struct dcc_gro_count, field)

static int sum_get(char *buffer, const struct kernel_param *param)
{
	size_t offset = (size_t)param->arg;
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*(u64 *)((void *)per_cpu_ptr(&dcc_gro_count, cpu) + offset));
	return sysfs_emit(buffer, "%llu\n", sum);
}

static const struct kernel_param_ops sum_ops = { .get = sum_get };

module_param_cb(gro_joined, &sum_ops, (void *)SUM_OF(joined), 0444);
MODULE_PARM_DESC(gro_joined, "packets of sprayed connections that joined a run of others, since loading");
module_param_cb(gro_runs, &sum_ops, (void *)SUM_OF(runs), 0444);
MODULE_PARM_DESC(gro_runs, "packets of sprayed connections that began a run while another was held");
module_param_cb(gro_foreign, &sum_ops, (void *)SUM_OF(foreign), 0444);
MODULE_PARM_DESC(gro_foreign, "packets left to the stock GRO: of no connection of this host");

static struct packet_offload ours = {
	.type = cpu_to_be16(ETH_P_IPV6),
};

/* The kernel's, which stays for as long as the kernel does. */
static struct packet_offload *kernels;

static bool gro;

/* Switched off, packets take the kernel's way, and know nothing of this module. */
static void gro_apply(void)
{
	WRITE_ONCE(ours.callbacks.gro_receive, gro ? dcc_gro_receive : dcc_gro_stock);
}

static int gro_set(const char *text, const struct kernel_param *param)
{
	int error = param_set_bool(text, param);

	if (!error && kernels)
		gro_apply();
	return error;
}

static const struct kernel_param_ops gro_ops = { .set = gro_set, .get = param_get_bool };

module_param_cb(gro, &gro_ops, &gro, 0644);
MODULE_PARM_DESC(gro, "merge received packets of one TCP connection over IPv6 whatever their flow labels, in several runs (N)");

/* What another module put there goes when that does: it cannot be called from here. */
static bool is_kernels_own(const struct packet_offload *po)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, (unsigned long)po->callbacks.gro_receive);
	if (str_has_prefix(name, KERNELS_OWN) && !strchr(name, '['))
		return true;
	pr_err("dcc_offload: GRO of IPv6 is %s already; allowed: the kernel's own, %s\n",
	       name, KERNELS_OWN);
	return false;
}

static int __init dcc_offload_init(void)
{
	rcu_read_lock();
	kernels = gro_find_receive_by_type(ours.type);
	rcu_read_unlock();
	if (!kernels) {
		pr_err("dcc_offload: this kernel has no GRO of IPv6\n");
		return -EPROTONOSUPPORT;
	}
	if (!is_kernels_own(kernels))
		return -EBUSY;
	ours.priority = kernels->priority;
	ours.callbacks = kernels->callbacks;
	dcc_gro_stock = kernels->callbacks.gro_receive;
	gro_apply();
	dev_add_offload(&ours);
	dev_remove_offload(kernels);
	dev_add_offload(kernels);
	return 0;
}

/* Waits until no poll is in it any more. */
static void __exit dcc_offload_exit(void)
{
	dev_remove_offload(&ours);
}

module_init(dcc_offload_init);
module_exit(dcc_offload_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The tcp-dcc authors");
MODULE_VERSION(DCC_VERSION);
MODULE_DESCRIPTION("GRO for packets that were sprayed by flow labels");
