/* SPDX-License-Identifier: GPL-2.0 */
/* The lab's link device, by /dev/lab (../kmod/lab_link_uapi.h). */
#ifndef LAB_AGENT_LABLINK_H
#define LAB_AGENT_LABLINK_H

#include "../kmod/lab_link_uapi.h"
#include "agent.h"

/* A "group" line of the plan */
struct group_device {
	unsigned int id;
	struct node *node;
	const char *iface;
	u64 mtu;
	u64 quantum;
	u64 marked_ecmp;
	const char *members;
};

void group_parse(const struct stmt *stmt, struct group_device *group);
void group_set_members(const struct stmt *stmt);
void lablink_open(void);
bool lablink_present(void);
void lablink_set(const struct stmt *stmt);
u64 lablink_start(void);
const struct lab_stats *lablink_stats(unsigned int *count);
void lablink_info(struct lab_info *info);
void lablink_trace(void);
void lablink_trace_end(void);

#endif
