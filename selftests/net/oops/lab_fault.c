// SPDX-License-Identifier: GPL-2.0
/*
 * Breaks the kernel on load, in the way that the parameter names: a test of how
 * the lab tells of it. Never load it on a machine that you need.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/string.h>

static char *how = "null";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "null: read address 0; spin: never return; warn: a WARNING");

static int *nowhere;

static int __init lab_fault_load(void)
{
	if (!strcmp(how, "null"))
		return READ_ONCE(*READ_ONCE(nowhere));
	if (!strcmp(how, "spin"))
		while (!READ_ONCE(nowhere))
			barrier();
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
