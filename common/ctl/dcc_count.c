// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of /sys/module/tcp_dcc/counters: what was noticed and how often.
 * Per CPU, so that counting each packet costs one increment. They are sums over
 * the whole machine, so only its administrator may read them: from a container
 * they would show what others send, packet by packet.
 */
#include <linux/kobject.h>
#include <linux/percpu.h>
#include <linux/sysfs.h>

#include "dcc_compat.h"
#include "dcc_count.h"

struct dcc_counts {
	unsigned long n[DCC_COUNTER_COUNT];
};

static DEFINE_PER_CPU(struct dcc_counts, dcc_counts);

/**
 * dcc_count() - something happened once more
 * @c: what
 *
 * Any context.
 */
void dcc_count(enum dcc_counter c)
{
	this_cpu_inc(dcc_counts.n[c]);
}
EXPORT_SYMBOL_GPL(dcc_count);

struct count_attribute {
	struct module_attribute attr;
	enum dcc_counter c;
};

static ssize_t count_show(DCC_MODULE_ATTR *attr, struct module_kobject *mk,
			  char *text)
{
	enum dcc_counter c = container_of(attr, const struct count_attribute,
					  attr)->c;
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(dcc_counts, cpu).n[c];
	return sysfs_emit(text, "%lu\n", sum);
}

#define COUNT_ATTRIBUTE(name_, help)					\
	[DCC_COUNT_##name_] = {						\
		.attr = { .attr = { .name = #name_, .mode = 0400 },	\
			  .show = count_show },				\
		.c = DCC_COUNT_##name_,					\
	},
static struct count_attribute count_attribute[] = {
	DCC_COUNTERS(COUNT_ATTRIBUTE)
};

#define COUNT_POINTER(name, help)	&count_attribute[DCC_COUNT_##name].attr.attr,
static struct attribute *count_attributes[] = {
	DCC_COUNTERS(COUNT_POINTER)
	NULL
};

static const struct attribute_group count_group = {
	.name = "counters",
	.attrs = count_attributes,
};

int dcc_count_init(void)
{
	return sysfs_create_group(&THIS_MODULE->mkobj.kobj, &count_group);
}

void dcc_count_exit(void)
{
	sysfs_remove_group(&THIS_MODULE->mkobj.kobj, &count_group);
}
