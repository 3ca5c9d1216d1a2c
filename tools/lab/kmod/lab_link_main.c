// SPDX-License-Identifier: GPL-2.0
/*
 * lab_link: exact links for the lab.
 *
 * rtnetlink kind "lablink"   a pair of devices and the wire between them
 * rtnetlink kind "labgroup"  a device that sends by adaptive routing
 * /dev/lab                   parameters, statistics, traces
 *
 * The interface is lab_link_uapi.h; the algorithm of a link is lab_link_dir.c on top
 * of the arithmetic in lab_link_calc.h.
 */
#include <linux/module.h>
#include <net/rtnetlink.h>

#include "lab_link.h"

#if BITS_PER_LONG != 64
#error "lab_link divides 64-bit numbers for every packet: 64-bit kernels only"
#endif

static int __init lab_link_init(void)
{
	int err;

	lab_timer_init();
	err = rtnl_link_register(&lab_link_ops);
	if (err)
		return err;
	err = rtnl_link_register(&lab_group_ops);
	if (err)
		goto no_group;
	err = lab_ctl_register();
	if (err)
		goto no_ctl;
	return 0;

no_ctl:
	rtnl_link_unregister(&lab_group_ops);
no_group:
	rtnl_link_unregister(&lab_link_ops);
	return err;
}

/* Unregistering the kinds deletes their devices, in every namespace. */
static void __exit lab_link_exit(void)
{
	lab_ctl_unregister();
	rtnl_link_unregister(&lab_group_ops);
	rtnl_link_unregister(&lab_link_ops);
	lab_timer_exit();
	lab_trace_free();
}

module_init(lab_link_init);
module_exit(lab_link_exit);

MODULE_DESCRIPTION("Exact links for the network lab");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK(LABLINK_KIND);
MODULE_ALIAS_RTNL_LINK(LABGROUP_KIND);
