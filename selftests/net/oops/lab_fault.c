// SPDX-License-Identifier: GPL-2.0
/*
 * Breaks the kernel on load, in the way that the parameter names: a test of how
 * the lab tells of it. Never load it on a machine that you need.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>

static char *how = "null";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "null: read address 0; spin: never return; warn: a WARNING; for the debug kernel uaf: use after free; bounds: out of bounds; locks: two locks in both orders; leak: memory that nothing points to; timer: a timer freed while it runs");

static int *nowhere;

static DEFINE_SPINLOCK(lock_a);
static DEFINE_SPINLOCK(lock_b);

static void both(spinlock_t *first, spinlock_t *second)
{
	spin_lock(first);
	spin_lock(second);
	spin_unlock(second);
	spin_unlock(first);
}

static void never(struct timer_list *unused)
{
}

/* What only a debug kernel notices; the ordinary one goes on. */
static void silent_fault(void)
{
	struct timer_list *timer;
	u8 *memory = kzalloc(100, GFP_KERNEL);

	if (!memory)
		return;
	if (!strcmp(how, "bounds"))
		WRITE_ONCE(memory[100], READ_ONCE(memory[100]));
	if (!strcmp(how, "leak"))
		return;
	kfree(memory);
	if (!strcmp(how, "uaf"))
		READ_ONCE(memory[8]);
	if (!strcmp(how, "locks")) {
		both(&lock_a, &lock_b);
		both(&lock_b, &lock_a);
	}
	timer = kzalloc(sizeof(*timer), GFP_KERNEL);
	if (!timer)
		return;
	timer_setup(timer, never, 0);
	if (!strcmp(how, "timer"))
		mod_timer(timer, jiffies + HZ);
	kfree(timer);
}

static int __init lab_fault_load(void)
{
	if (!strcmp(how, "null"))
		return READ_ONCE(*READ_ONCE(nowhere));
	if (!strcmp(how, "spin")) {
		pr_emerg("lab_fault spins\n");
		while (!READ_ONCE(nowhere))
			barrier();
	}
	silent_fault();
	WARN(!strcmp(how, "warn"), "lab_fault was told to warn");
	return 0;
}

static void __exit lab_fault_unload(void)
{
}

module_init(lab_fault_load);
module_exit(lab_fault_unload);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Breaks the kernel on purpose, for tests");
