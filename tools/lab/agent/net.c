// SPDX-License-Identifier: GPL-2.0
/* Links, adaptive-routing groups, addresses and routes, by rtnetlink. */
#include <arpa/inet.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "../kmod/lab_link_uapi.h"
#include "agent.h"
#include "lablink.h"

#ifndef RTAX_FEATURE_TCP_USEC_TS	/* Linux 6.7; Debian 12's headers are older */
#define RTAX_FEATURE_TCP_USEC_TS	(1 << 4)
#endif

#define LO_INDEX	1
/* Nexthop ids: a device's is its interface number, groups come above */
#define FIRST_GROUP_ID	0x10000
#define MAX_NEXTHOPS	256

struct link *links;
struct names link_names;
const char *const dir_name[2] = { "ab", "ba" };

static const struct key link_keys[] = {
	KEY_NUMBER(struct link, mtu, UINT16_MAX),
	KEY_STRING(struct link, kind),
};

int parse_dir(const char *text)
{
	if (!strcmp(text, dir_name[0]))
		return 0;
	if (!strcmp(text, dir_name[1]))
		return 1;
	fail("\"%s\" is neither ab nor ba", text);
}

static void link_stmt(const struct stmt *stmt)
{
	struct link *link;
	int end;

	stmt_args(stmt, 5);
	links = grow(links, link_names.count, sizeof(*links));
	link = &links[link_names.count];
	memset(link, 0, sizeof(*link));
	link->name = stmt->argv[0];
	link->line = stmt->line;
	link->kind = LABLINK_KIND;
	stmt_keys(stmt, 5, link_keys, ARRAY_SIZE(link_keys), link);
	link->is_lablink = !strcmp(link->kind, LABLINK_KIND);
	if (!link->is_lablink && strcmp(link->kind, "veth"))
		fail("kind=%s is neither lablink nor veth", link->kind);
	for (end = 0; end < 2; end++) {
		link->node[end] = node_find(stmt->argv[1 + 2 * end]);
		link->iface[end] = stmt->argv[2 + 2 * end];
		iface_add(link->node[end], link->iface[end]);
		link->index[end] = link->node[end]->ifaces;
	}
	names_add(&link_names, link->name);
}

/* What both ends of a new link have: name, size, and for veth an address */
static void put_end(struct nlmsghdr *msg, const struct link *link, int end)
{
	unsigned int number = link - links;
	/* locally administered, the same at both ends: see set_up() */
	u8 mac[6] = { 2, 0, number >> 24, number >> 16, number >> 8,
			   number };

	mnl_attr_put_strz(msg, IFLA_IFNAME, link->iface[end]);
	if (link->mtu)
		mnl_attr_put_u32(msg, IFLA_MTU, link->mtu);
	if (!link->is_lablink)
		mnl_attr_put(msg, IFLA_ADDRESS, sizeof(mac), mac);
}

/* End b, nested in the message that makes end a; lands in its own namespace */
static void put_peer(struct nlmsghdr *msg, const struct link *link)
{
	struct nlattr *peer;
	struct ifinfomsg *info;

	peer = mnl_attr_nest_start(msg, link->is_lablink ? LABLINK_PEER :
							   VETH_INFO_PEER);
	info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));
	info->ifi_index = link->index[1];
	put_end(msg, link, 1);
	mnl_attr_put_u32(msg, IFLA_NET_NS_FD, link->node[1]->nsfd);
	mnl_attr_nest_end(msg, peer);
}

static void create_link(const struct link *link)
{
	struct node *node = link->node[0];
	struct nlmsghdr *msg;
	struct ifinfomsg *info;
	struct nlattr *linkinfo, *data;

	plan_at(link->line);
	msg = nl_start(node, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));
	info->ifi_index = link->index[0];
	put_end(msg, link, 0);
	linkinfo = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_KIND, link->kind);
	data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
	if (link->is_lablink)
		mnl_attr_put_u32(msg, LABLINK_ID, link - links);
	put_peer(msg, link);
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, linkinfo);
	nl_done(node, msg);
}

/*
 * Links are point to point and need no neighbour discovery: NOARP. A veth then
 * sends to its own hardware address, which is why both ends have the same.
 */
static void set_up(struct node *node, int index)
{
	struct nlmsghdr *msg = nl_start(node, RTM_NEWLINK, 0);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));

	info->ifi_index = index;
	info->ifi_flags = IFF_UP;
	if (index != LO_INDEX)
		info->ifi_flags |= IFF_NOARP;
	info->ifi_change = info->ifi_flags;
	nl_done(node, msg);
}

static void set_all_up(struct node *node)
{
	unsigned int i;

	for (i = 0; i < node->ifaces; i++)
		set_up(node, node->iface[i].index);
}

static void create_group(const struct stmt *stmt)
{
	struct group_device group;
	struct nlmsghdr *msg;
	struct ifinfomsg *info;
	struct nlattr *linkinfo, *data;

	group_parse(stmt, &group);
	iface_add(group.node, group.iface);
	msg = nl_start(group.node, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));
	info->ifi_index = group.node->ifaces;
	mnl_attr_put_strz(msg, IFLA_IFNAME, group.iface);
	if (group.mtu)
		mnl_attr_put_u32(msg, IFLA_MTU, group.mtu);
	linkinfo = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_KIND, LABGROUP_KIND);
	data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
	mnl_attr_put_u32(msg, LABGROUP_ID, group.id);
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, linkinfo);
	nl_done(group.node, msg);
}

/* Make all links and groups, then set everything up */
void net_create(const struct plan *plan)
{
	unsigned int i;

	plan_each(plan, STMT_LINK, link_stmt);
	for (i = 0; i < link_names.count; i++)
		create_link(&links[i]);
	plan_each(plan, STMT_GROUP, create_group);
	nl_flush_all();
	plan_at(0);
	for (i = 0; i < node_names.count; i++)
		set_all_up(&nodes[i]);
	nl_flush_all();
}

/* "address" or "address/plen"; without a length the whole address */
struct address parse_address(const char *text)
{
	struct address addr = { .family = AF_INET };
	char host[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');

	if (strchr(text, ':'))
		addr.family = AF_INET6;
	addr.len = addr.family == AF_INET ? 4 : 16;
	addr.plen = addr.len * BITS_PER_BYTE;
	snprintf(host, sizeof(host), "%.*s",
		 slash ? (int)(slash - text) : (int)strlen(text), text);
	if (inet_pton(addr.family, host, addr.byte) != 1)
		fail("\"%s\" is not an address", text);
	if (slash)
		addr.plen = parse_u64("prefix length", slash + 1, addr.plen);
	return addr;
}

struct lifetime {
	u64 preferred;
};

static const struct key lifetime_keys[] = {
	KEY_NUMBER(struct lifetime, preferred, UINT32_MAX),
};

/* With preferred=0 only who asks for the address itself sends from it */
static void put_lifetime(struct nlmsghdr *msg, const struct stmt *stmt)
{
	struct lifetime lifetime = { .preferred = UINT32_MAX };
	struct ifa_cacheinfo info = { .ifa_valid = UINT32_MAX };

	stmt_keys(stmt, 3, lifetime_keys, ARRAY_SIZE(lifetime_keys), &lifetime);
	info.ifa_prefered = lifetime.preferred;
	if (stmt->argc > 3)
		mnl_attr_put(msg, IFA_CACHEINFO, sizeof(info), &info);
}

static void add_address(const struct stmt *stmt)
{
	struct node *node;
	struct address addr;
	struct nlmsghdr *msg;
	struct ifaddrmsg *info;

	stmt_args(stmt, 3);
	node = node_find(stmt->argv[0]);
	addr = parse_address(stmt->argv[2]);
	msg = nl_start(node, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
	info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));
	info->ifa_family = addr.family;
	info->ifa_prefixlen = addr.plen;
	info->ifa_flags = IFA_F_NODAD;
	info->ifa_index = iface_index(node, stmt->argv[1]);
	mnl_attr_put(msg, IFA_LOCAL, addr.len, addr.byte);
	mnl_attr_put(msg, IFA_ADDRESS, addr.len, addr.byte);
	put_lifetime(msg, stmt);
	nl_done(node, msg);
}

void net_address(const struct plan *plan)
{
	plan_each(plan, STMT_ADDR, add_address);
	nl_flush_all();
}

struct route {
	const char *dev;
	u64 initcwnd;
	u64 rto_min_us;
	u64 quickack;
	u64 usec_ts;
	const char *congctl;
};

static const struct key route_keys[] = {
	KEY_STRING(struct route, dev),
	KEY_NUMBER(struct route, initcwnd, UINT32_MAX),
	KEY_NUMBER(struct route, rto_min_us, UINT32_MAX),
	KEY_NUMBER(struct route, quickack, 1),
	KEY_NUMBER(struct route, usec_ts, 1),
	KEY_STRING(struct route, congctl),
};

/* rto_min counts in ms and only works locked (tcp_rto_min()): rounded up */
static void put_metrics(struct nlmsghdr *msg, const struct route *route)
{
	struct nlattr *metrics;

	if (!route->initcwnd && !route->rto_min_us && !route->quickack &&
	    !route->usec_ts && !route->congctl)
		return;
	metrics = mnl_attr_nest_start(msg, RTA_METRICS);
	if (route->initcwnd)
		mnl_attr_put_u32(msg, RTAX_INITCWND, route->initcwnd);
	if (route->rto_min_us) {
		mnl_attr_put_u32(msg, RTAX_LOCK, 1 << RTAX_RTO_MIN);
		mnl_attr_put_u32(msg, RTAX_RTO_MIN,
				 (route->rto_min_us + 999) / 1000);
	}
	if (route->quickack)
		mnl_attr_put_u32(msg, RTAX_QUICKACK, 1);
	if (route->usec_ts)
		mnl_attr_put_u32(msg, RTAX_FEATURES, RTAX_FEATURE_TCP_USEC_TS);
	if (route->congctl)
		mnl_attr_put_strz(msg, RTAX_CC_ALGO, route->congctl);
	mnl_attr_nest_end(msg, metrics);
}

static void put_multipath(struct nlmsghdr *msg, const int *index,
			  unsigned int count)
{
	struct nlattr *nest = mnl_attr_nest_start(msg, RTA_MULTIPATH);
	struct rtnexthop *hop;
	unsigned int i;

	for (i = 0; i < count; i++) {
		hop = mnl_nlmsg_put_extra_header(msg, sizeof(*hop));
		hop->rtnh_len = sizeof(*hop);
		hop->rtnh_ifindex = index[i];
	}
	mnl_attr_nest_end(msg, nest);
}

/*
 * Without a gateway IPv6 keeps a neighbour for each destination and device,
 * thousands of them in a fat-tree, and each packet looks for its own. With one,
 * the same for all since the links resolve nothing, there is one for each device.
 */
static const u8 gateway[sizeof(struct in6_addr)] = { 0xfe, 0x80, [15] = 1 };

static void add_nexthop(struct node *node, int index)
{
	struct nlmsghdr *msg = nl_start(node, RTM_NEWNEXTHOP,
					NLM_F_CREATE | NLM_F_REPLACE);
	struct nhmsg *info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));

	info->nh_family = AF_INET6;
	info->nh_protocol = RTPROT_STATIC;
	mnl_attr_put_u32(msg, NHA_ID, index);
	mnl_attr_put_u32(msg, NHA_OIF, index);
	mnl_attr_put(msg, NHA_GATEWAY, sizeof(gateway), gateway);
	nl_done(node, msg);
}

static void add_nexthop_group(struct node *node, u32 id, const int *index,
			      unsigned int count)
{
	struct nexthop_grp member[MAX_NEXTHOPS] = { 0 };
	struct nlmsghdr *msg;
	struct nhmsg *info;
	unsigned int i;

	for (i = 0; i < count; i++) {
		add_nexthop(node, index[i]);
		member[i].id = index[i];
	}
	msg = nl_start(node, RTM_NEWNEXTHOP, NLM_F_CREATE);
	info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));
	info->nh_protocol = RTPROT_STATIC;
	mnl_attr_put_u32(msg, NHA_ID, id);
	mnl_attr_put(msg, NHA_GROUP, count * sizeof(*member), member);
	nl_done(node, msg);
}

/*
 * IPv6 takes several devices without gateways only as a nexthop group
 * (rt6_qualify_for_ecmp()); routes of the same devices share one.
 */
static u32 nexthop_group(struct node *node, const char *devs,
			 const int *index, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < node->nexthop_groups; i++)
		if (!strcmp(node->nexthops[i], devs))
			return FIRST_GROUP_ID + i;
	node->nexthops = grow(node->nexthops, i, sizeof(*node->nexthops));
	node->nexthops[i] = strdup(devs);
	if (!node->nexthops[i])
		fail_errno("memory for a nexthop group");
	node->nexthop_groups++;
	add_nexthop_group(node, FIRST_GROUP_ID + i, index, count);
	return FIRST_GROUP_ID + i;
}

static unsigned int parse_devs(const struct node *node, const char *devs,
			       int *index)
{
	char *part[MAX_NEXTHOPS];
	char *copy = strdup(devs);
	unsigned int count, i;

	if (!copy)
		fail_errno("memory for a route");
	count = split(copy, ',', part, MAX_NEXTHOPS);
	for (i = 0; i < count; i++)
		index[i] = iface_index(node, part[i]);
	free(copy);
	return count;
}

static void put_device(struct nlmsghdr *msg, sa_family_t family, int index)
{
	mnl_attr_put_u32(msg, RTA_OIF, index);
	if (family == AF_INET6)
		mnl_attr_put(msg, RTA_GATEWAY, sizeof(gateway), gateway);
}

static void put_route(struct node *node, const struct address *prefix,
		      const struct route *route, const int *index,
		      unsigned int count)
{
	u32 group = 0;
	struct nlmsghdr *msg;
	struct rtmsg *info;

	if (count > 1 && prefix->family == AF_INET6)
		group = nexthop_group(node, route->dev, index, count);
	msg = nl_start(node, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL);
	info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));
	info->rtm_family = prefix->family;
	info->rtm_dst_len = prefix->plen;
	info->rtm_table = RT_TABLE_MAIN;
	info->rtm_protocol = RTPROT_STATIC;
	info->rtm_type = RTN_UNICAST;
	if (prefix->family == AF_INET)
		info->rtm_scope = RT_SCOPE_LINK;
	mnl_attr_put(msg, RTA_DST, prefix->len, prefix->byte);
	if (group)
		mnl_attr_put_u32(msg, RTA_NH_ID, group);
	else if (count > 1)
		put_multipath(msg, index, count);
	else
		put_device(msg, prefix->family, index[0]);
	put_metrics(msg, route);
	nl_done(node, msg);
}

static void add_route(const struct stmt *stmt)
{
	struct route route = { 0 };
	struct address prefix;
	struct node *node;
	int index[MAX_NEXTHOPS];
	unsigned int count;

	stmt_args(stmt, 3);
	stmt_keys(stmt, 2, route_keys, ARRAY_SIZE(route_keys), &route);
	if (!route.dev)
		fail("a route needs dev=");
	node = node_find(stmt->argv[0]);
	prefix = parse_address(stmt->argv[1]);
	count = parse_devs(node, route.dev, index);
	put_route(node, &prefix, &route, index, count);
}

void net_route(const struct plan *plan)
{
	plan_each(plan, STMT_ROUTE, add_route);
	nl_flush_all();
}
