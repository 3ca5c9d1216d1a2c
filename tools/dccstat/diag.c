// SPDX-License-Identifier: GPL-2.0
/*
 * Answers of sock_diag. What is there is checked before it is read: a message may
 * be cut, of another kernel, or made up.
 */
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <stdio.h>

#include "diag.h"

#define ATTRS	(INET_DIAG_MAX + 1)

/*
 * Notes where each attribute is; false if one is cut. Not mnl_attr_parse(), which
 * passes over that, and reads up to the next multiple of 4.
 */
static bool collect(const struct nlmsghdr *nlh, const struct nlattr **attrs)
{
	const char *end = (const char *)nlh + nlh->nlmsg_len;
	const struct nlattr *attr =
		mnl_nlmsg_get_payload_offset(nlh, sizeof(struct inet_diag_msg));

	while ((const char *)attr < end) {
		if (!mnl_attr_ok(attr, (int)(end - (const char *)attr)))
			return false;
		if (mnl_attr_get_type(attr) < ATTRS)	/* newer kernels tell more */
			attrs[mnl_attr_get_type(attr)] = attr;
		attr = mnl_attr_next(attr);
	}
	return true;
}

/* A name that fits and ends; what does not is none. */
static void take_name(struct flow *flow, const struct nlattr *attr)
{
	size_t len = mnl_attr_get_payload_len(attr);
	const char *name = mnl_attr_get_payload(attr);

	if (len && len <= CC_TEXT && !name[len - 1])
		memcpy(flow->cc, name, len);
}

/* Older kernels have less of it, newer ones more. */
static void take_tcp_info(struct flow *flow, const struct nlattr *attr)
{
	flow->tcp_bytes = min_t(size_t, mnl_attr_get_payload_len(attr), sizeof(flow->tcp));
	memcpy(&flow->tcp, mnl_attr_get_payload(attr), flow->tcp_bytes);
}

static void take_own(struct flow *flow, const struct nlattr *attr)
{
	flow->told = true;
	flow->own_status = dcc_cc_info_read(&flow->own, mnl_attr_get_payload(attr),
					    mnl_attr_get_payload_len(attr));
}

static void take_base(struct flow *flow, const struct inet_diag_msg *m)
{
	size_t bytes = m->idiag_family == AF_INET ? sizeof(struct in_addr) : ADDRESS_BYTES;

	flow->family = m->idiag_family;
	flow->state = m->idiag_state;
	flow->sport = ntohs(m->id.idiag_sport);
	flow->dport = ntohs(m->id.idiag_dport);
	flow->uid = m->idiag_uid;
	flow->inode = m->idiag_inode;
	memcpy(flow->src, m->id.idiag_src, bytes);
	memcpy(flow->dst, m->id.idiag_dst, bytes);
}

static int refuse(char why[WHY_TEXT], const char *what, size_t got, const char *allowed)
{
	snprintf(why, WHY_TEXT, "sock_diag: %s %zu; allowed: %s", what, got, allowed);
	return -EINVAL;
}

/**
 * diag_parse() - take an answer apart
 * @nlh: the message; its length is that of what was received
 * @flow: filled in on success
 * @why: set on failure
 *
 * Return: 0, or -EINVAL.
 */
int diag_parse(const struct nlmsghdr *nlh, struct flow *flow, char why[WHY_TEXT])
{
	const struct nlattr *attrs[ATTRS] = { NULL };
	const struct inet_diag_msg *m;

	memset(flow, 0, sizeof(*flow));
	if (nlh->nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return refuse(why, "a message of type", nlh->nlmsg_type, "20");
	if (nlh->nlmsg_len < MNL_NLMSG_HDRLEN + sizeof(*m))
		return refuse(why, "a message of bytes", nlh->nlmsg_len, "88 or more");
	m = mnl_nlmsg_get_payload(nlh);
	if (m->idiag_family != AF_INET && m->idiag_family != AF_INET6)
		return refuse(why, "family", m->idiag_family, "2 (IPv4) or 10 (IPv6)");
	if (!collect(nlh, attrs))
		return refuse(why, "an attribute is cut, of a message of bytes", nlh->nlmsg_len,
			      "whole ones");
	take_base(flow, m);
	if (attrs[INET_DIAG_CONG])
		take_name(flow, attrs[INET_DIAG_CONG]);
	if (attrs[INET_DIAG_INFO])
		take_tcp_info(flow, attrs[INET_DIAG_INFO]);
	if (attrs[INET_DIAG_DCTCPINFO])
		take_own(flow, attrs[INET_DIAG_DCTCPINFO]);
	return 0;
}
