// SPDX-License-Identifier: GPL-2.0
/*
 * rtnetlink in batches. A system call of the guest costs 15 us, so messages
 * are collected per namespace and sent together. Only the last of a batch asks
 * for an acknowledgment; errors are reported for every message, and a
 * message's sequence number is its line in the plan.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <libmnl/libmnl.h>

#include "agent.h"

/* Below the socket's default send buffer (net.core.wmem_default, 212992) */
#define BATCH_MAX	(128 * 1024)
/* Largest single message: a nexthop group of 256 members is 2 KiB */
#define MESSAGE_MAX	8192
#define REPLY_MAX	65536

/* An rtnetlink socket in the namespace this process is in now */
int nl_open(void)
{
	int on = 1;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (fd < 0)
		fail_errno("rtnetlink socket");
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	return fd;
}

struct nlmsghdr *nl_start(struct node *node, u16 type, u16 flags)
{
	struct nlmsghdr *msg;
	unsigned int line;

	if (node->batch_len + MESSAGE_MAX > BATCH_MAX)
		nl_flush(node);
	if (node->batch_len + MESSAGE_MAX > node->batch_room) {
		node->batch_room = 2 * node->batch_room + MESSAGE_MAX;
		node->batch = realloc(node->batch, node->batch_room);
		if (!node->batch)
			fail_errno("memory for rtnetlink messages");
	}
	msg = mnl_nlmsg_put_header(node->batch + node->batch_len);
	plan_where(&line);
	msg->nlmsg_type = type;
	msg->nlmsg_flags = NLM_F_REQUEST | flags;
	msg->nlmsg_seq = line;
	return msg;
}

void nl_done(struct node *node, struct nlmsghdr *msg)
{
	node->batch_last = node->batch_len;
	node->batch_len += NLMSG_ALIGN(msg->nlmsg_len);
}

/* The kernel's own words about an error, where it has any */
static const char *error_text(const struct nlmsghdr *msg)
{
	const struct nlattr *attr;

	if (!(msg->nlmsg_flags & NLM_F_ACK_TLVS))
		return "rtnetlink";
	mnl_attr_for_each(attr, msg, sizeof(struct nlmsgerr))
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			return mnl_attr_get_str(attr);
	return "rtnetlink";
}

/* True once the acknowledgment of the batch's last message is here */
static bool read_reply(const char *buf, int len)
{
	const struct nlmsghdr *msg = (const struct nlmsghdr *)buf;

	for (; mnl_nlmsg_ok(msg, len); msg = mnl_nlmsg_next(msg, &len)) {
		const struct nlmsgerr *err = mnl_nlmsg_get_payload(msg);

		if (msg->nlmsg_type != NLMSG_ERROR)
			continue;
		if (!err->error)
			return true;
		plan_at(msg->nlmsg_seq);
		errno = -err->error;
		fail_errno("%s", error_text(msg));
	}
	return false;
}

/* Send what has been collected for a node and see that all of it was done */
void nl_flush(struct node *node)
{
	static char reply[REPLY_MAX];
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct nlmsghdr *last;
	ssize_t len;

	if (!node->batch_len)
		return;
	last = (struct nlmsghdr *)(node->batch + node->batch_last);
	last->nlmsg_flags |= NLM_F_ACK;
	len = sendto(node->nlfd, node->batch, node->batch_len, 0,
		     (struct sockaddr *)&kernel, sizeof(kernel));
	if (len < 0)
		fail_errno("rtnetlink: sending %zu bytes", node->batch_len);
	do {
		len = recv(node->nlfd, reply, sizeof(reply), 0);
		if (len < 0)
			fail_errno("rtnetlink: receiving");
	} while (!read_reply(reply, len));
	node->batch_len = 0;
}

void nl_flush_all(void)
{
	unsigned int i;

	for (i = 0; i < node_names.count; i++)
		nl_flush(&nodes[i]);
}
