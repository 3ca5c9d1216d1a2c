// SPDX-License-Identifier: GPL-2.0
/*
 * How often functions of the kernel are called and how many instructions a call
 * takes, in an emulated machine whose time stamp counter counts instructions
 * (qemu's -icount shift=0). For one processor.
 *
 *   echo FUNCTION... >/proc/meter	meter these, from zero; none: no more
 *   cat /proc/meter			a line each:
 *					FUNCTION CALLS COUNTED INSTRUCTIONS
 *   cat /proc/meter_cpu		idle_us, timers: how long the processor was idle
 *					so far and how often a timer interrupted it
 *
 * Each function has a return probe. What the probes take is found out first, with
 * a function that does nothing, and taken off; also what those of functions called
 * within take, so that a function and its callees may be metered at once. A call
 * that was interrupted is not counted: what the interrupt did was not the
 * function's.
 */
#include <linux/hardirq.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

#define FUNCTIONS_MAX	16
#define TEXT_MAX	1024
#define TRIALS		1000U	/* calls that calibrate */

/**
 * struct metered - a function
 * @probe: its return probe
 * @name: what the probe was given
 * @calls: how often it was called
 * @counted: of these, how often without an interrupt
 * @instructions: of the counted calls together
 */
struct metered {
	struct kretprobe probe;
	char name[KSYM_NAME_LEN];
	u64 calls;
	u64 counted;
	u64 instructions;
};

/* A call under way. */
struct call {
	u64 start;
	unsigned long interrupts;
};

static struct metered functions[FUNCTIONS_MAX];
static unsigned int function_count;
static struct metered nothing;
static DEFINE_MUTEX(meter_lock);

static u64 debt;	/* instructions that probes took so far */
static u64 inside;	/* of a probe, between its two looks at the clock */
static u64 altogether;	/* of a probe */

/* Devices', timers', and what the processor asked of itself. */
static unsigned long interrupts(void)
{
	return this_cpu_read(kstat.irqs_sum) + this_cpu_read(irq_stat.apic_timer_irqs) +
	       this_cpu_read(irq_stat.apic_irq_work_irqs);
}

static int call_begins(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (void *)ri->data;

	call->interrupts = interrupts();
	call->start = rdtsc() - debt;
	return 0;
}

NOKPROBE_SYMBOL(call_begins);

static int call_ends(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u64 end = rdtsc() - debt;
	struct metered *f = container_of(get_kretprobe(ri), struct metered, probe);
	struct call *call = (void *)ri->data;

	f->calls++;
	if (call->interrupts == interrupts()) {
		f->counted++;
		f->instructions += end - call->start - inside;
	}
	debt += altogether;
	return 0;
}

NOKPROBE_SYMBOL(call_ends);

static int metered_begin(struct metered *f, const char *name)
{
	memset(f, 0, sizeof(*f));
	strscpy(f->name, name, sizeof(f->name));
	f->probe.kp.symbol_name = f->name;
	f->probe.entry_handler = call_begins;
	f->probe.handler = call_ends;
	f->probe.data_size = sizeof(struct call);
	return register_kretprobe(&f->probe);
}

static noinline void meter_nothing(void)
{
	asm volatile("" ::: "memory");
}

static u64 trials(void)
{
	unsigned long flags;
	u64 start;
	u32 i;

	local_irq_save(flags);
	start = rdtsc();
	for (i = 0; i < TRIALS; i++)
		meter_nothing();
	start = rdtsc() - start;
	local_irq_restore(flags);
	return start;
}

/* What a probe takes, of a function that takes nothing. */
static int calibrate(void)
{
	u64 bare = trials();
	int error;

	inside = 0;
	altogether = 0;
	error = metered_begin(&nothing, "meter_nothing");
	if (error)
		return error;
	altogether = (trials() - bare) / TRIALS;
	unregister_kretprobe(&nothing.probe);
	if (!nothing.counted)
		return -ENODATA;
	inside = nothing.instructions / nothing.counted;
	return 0;
}

static void all_end(void)
{
	while (function_count)
		unregister_kretprobe(&functions[--function_count].probe);
}

/* The functions that the text names; or none, and why in the kernel's log. */
static int all_begin(char *text)
{
	char *name;
	int error;

	while ((name = strsep(&text, "\n "))) {
		if (!*name)
			continue;
		error = function_count < FUNCTIONS_MAX ?
			metered_begin(&functions[function_count], name) : -E2BIG;
		if (error) {
			pr_err("meter: cannot meter '%s': %d\n", name, error);
			all_end();
			return error;
		}
		function_count++;
	}
	return 0;
}

static ssize_t meter_write(struct file *file, const char __user *buf,
			   size_t size, loff_t *pos)
{
	char *text;
	int error;

	if (size > TEXT_MAX)
		return -E2BIG;
	text = memdup_user_nul(buf, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&meter_lock);
	all_end();
	error = calibrate();
	if (!error)
		error = all_begin(text);
	mutex_unlock(&meter_lock);
	kfree(text);
	return error ?: size;
}

static int meter_show(struct seq_file *seq, void *unused)
{
	unsigned int i;

	mutex_lock(&meter_lock);
	for (i = 0; i < function_count; i++)
		seq_printf(seq, "%s %llu %llu %llu\n", functions[i].name,
			   functions[i].calls, functions[i].counted,
			   functions[i].instructions);
	mutex_unlock(&meter_lock);
	return 0;
}

static int meter_open(struct inode *inode, struct file *file)
{
	return single_open(file, meter_show, NULL);
}

/* /proc/timer_list has them, too, after a walk of n^2 steps through n timers. */
static int cpu_show(struct seq_file *seq, void *unused)
{
	seq_printf(seq, "idle_us %llu timers %u\n",
		   get_cpu_idle_time_us(0, NULL), interrupts());
	return 0;
}

static const struct proc_ops meter_ops = {
	.proc_open = meter_open,
	.proc_read = seq_read,
	.proc_write = meter_write,
	.proc_release = single_release,
};

static int __init meter_init(void)
{
	if (!proc_create("meter", 0600, NULL, &meter_ops))
		return -ENOMEM;
	if (proc_create_single("meter_cpu", 0400, NULL, cpu_show))
		return 0;
	remove_proc_entry("meter", NULL);
	return -ENOMEM;
}

static void __exit meter_exit(void)
{
	remove_proc_entry("meter_cpu", NULL);
	remove_proc_entry("meter", NULL);
	all_end();
}

module_init(meter_init);
module_exit(meter_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Instructions that functions of the kernel take");
