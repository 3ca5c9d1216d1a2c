/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module's knobs where users see them: files of sysfs for the machine, sysctls for each
 * network namespace. The tables themselves are of dcc_knob.h.
 */
#ifndef _DCC_KNOBS_H
#define _DCC_KNOBS_H

#include <linux/moduleparam.h>
#include <linux/seqlock.h>

#include "../cc/dcc_knob.h"

struct net;

/**
 * struct dcc_knob_table - a module's knobs, made visible
 * @knob: the table
 * @count: its lines
 * @algs: names of the module's algorithms, "" for none; bit i of dcc_knob.algs
 *	is the i-th
 * @alg_count: how many
 * @global: values of /sys/module/<mod>/parameters, one u32 per line
 * @changed: called after a namespace's value was written; an error undoes it.
 *	May be NULL. Process context, no lock held
 * @net_id: filled in by register_pernet_subsys()
 */
struct dcc_knob_table {
	const struct dcc_knob *knob;
	unsigned int count;
	const char *const *algs;
	unsigned int alg_count;
	u32 *global;
	int (*changed)(struct net *net);
	unsigned int net_id;
};

struct dcc_knob_slot;

#define DCC_KNOB_MAX_ALGS	4	/* algorithms a table serves */
#define DCC_KNOB_MAX		48	/* knobs in a table: 192 B of stack */

/**
 * struct dcc_knob_net - a table's overrides in one network namespace
 * @lock: of the values in @slot
 * @slot: alg_count * count values
 * @ctl: their sysctl tables
 * @header: the registered ones
 */
struct dcc_knob_net {
	seqlock_t lock;
	struct dcc_knob_slot *slot;
	struct ctl_table *ctl;
	struct ctl_table_header *header[DCC_KNOB_MAX_ALGS];
};

/**
 * struct dcc_knob_param - ties a sysfs file to its line and value
 * @knob: the line
 * @value: where the value is kept
 */
struct dcc_knob_param {
	const struct dcc_knob *knob;
	u32 *value;
};

extern const struct kernel_param_ops dcc_knob_param_ops;

/*
 * In a module: its sysfs files, from its list macro; see tcp_mswift_main.c. The
 * operations behind them, unless it has its own.
 */
#define DCC_KNOB_OPS	dcc_knob_param_ops

#define DCC_KNOB_PARAM(n, unit, lo, hi, dflt, algs, help)		\
	static const struct dcc_knob_param dcc_param_##n = {		\
		&DCC_KNOB_LINES[DCC_KNOB_##n],				\
		&((u32 *)&DCC_KNOB_VALUES)[DCC_KNOB_##n],		\
	};								\
	module_param_cb(n, &DCC_KNOB_OPS, (void *)&dcc_param_##n, 0644); \
	MODULE_PARM_DESC(n, help " [" unit ", " #lo " to " #hi ", default " #dflt "]");

int dcc_knobs_net_init(struct net *net, const struct dcc_knob_table *t);
void dcc_knobs_net_exit(struct net *net, const struct dcc_knob_table *t);
void dcc_knobs_snapshot(const struct net *net, const struct dcc_knob_table *t,
			unsigned int alg, u32 *values);
u32 dcc_knob_value(const struct net *net, const struct dcc_knob_table *t,
		   unsigned int alg, unsigned int index);

#endif /* _DCC_KNOBS_H */
