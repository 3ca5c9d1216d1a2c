// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/diag.c. */
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>

#include "../../tools/dccstat/diag.h"
#include "unit.h"

#define HEAD		(sizeof(struct nlmsghdr) + sizeof(struct inet_diag_msg))
#define ROOM		1024

static u32 words[ROOM / sizeof(u32)];
static u8 *const message = (u8 *)words;
static char why[WHY_TEXT];

static struct nlmsghdr *header(void)
{
	return (void *)message;
}

/* A socket's answer without attributes. */
static struct inet_diag_msg *begin(u8 family)
{
	struct inet_diag_msg *m = (void *)(message + sizeof(struct nlmsghdr));

	memset(words, 0, sizeof(words));
	header()->nlmsg_len = HEAD;
	header()->nlmsg_type = SOCK_DIAG_BY_FAMILY;
	m->idiag_family = family;
	m->idiag_state = 1;
	m->id.idiag_sport = htons(5000);
	m->id.idiag_dport = htons(443);
	inet_pton(family, family == AF_INET ? "10.9.0.1" : "fd09::1", m->id.idiag_src);
	inet_pton(family, family == AF_INET ? "10.9.0.2" : "fd09::2", m->id.idiag_dst);
	return m;
}

static struct nlattr *add(u16 type, const void *data, size_t len)
{
	struct nlattr *attr = (void *)(message + header()->nlmsg_len);

	attr->nla_type = type;
	attr->nla_len = (u16)(sizeof(*attr) + len);
	memcpy(attr + 1, data, len);
	header()->nlmsg_len += NLA_ALIGN(attr->nla_len);
	return attr;
}

/* From memory of just that size, so that a byte too far is seen. */
static int parse(struct flow *flow)
{
	size_t len = header()->nlmsg_len;
	u8 *exact = malloc(len);
	int err;

	memcpy(exact, message, len);
	why[0] = '\0';
	err = diag_parse((void *)exact, flow, why);
	free(exact);
	return err;
}

static void diag_parse__addresses_and_ports(void)
{
	struct flow flow;

	begin(AF_INET6)->idiag_uid = 1000;
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.sport, 5000);
	EXPECT_EQ(flow.dport, 443);
	EXPECT_EQ(flow.src[15], 1);
	EXPECT_EQ(flow.dst[15], 2);
	EXPECT_EQ(flow.state, 1);
	EXPECT_EQ(flow.uid, 1000);
	EXPECT_EQ(flow.told, false);
	EXPECT_EQ(flow.tcp_bytes, 0);
	begin(AF_INET);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.src[0], 10);
	EXPECT_EQ(flow.src[4], 0);
}

static void diag_parse__of_ours(void)
{
	const struct dcc_cc_info own = { DCC_CC_INFO_LAYOUT, 64, 137212, 120011, 3 };
	struct flow flow;

	begin(AF_INET6);
	add(INET_DIAG_CONG, "mswift", 7);
	add(INET_DIAG_DCTCPINFO, &own, sizeof(own));
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "mswift");
	EXPECT_EQ(flow_own(&flow) == &flow.own, true);
	EXPECT_EQ(flow.own.bits, 64);
	EXPECT_EQ(flow.own.delay_ns, 137212);
	EXPECT_EQ(flow.own.base_rtt_ns, 120011);
	EXPECT_EQ(flow.own.priority, 3);
}

/* dctcp itself, a layout to come, and one that is cut. */
static void diag_parse__of_others(void)
{
	struct dcc_cc_info own = { 1, 64, 137212, 120011, 3 };
	struct flow flow;

	begin(AF_INET6);
	add(INET_DIAG_DCTCPINFO, &own, sizeof(own));
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.own_status, DCC_CC_INFO_DCTCP);
	EXPECT_EQ(!flow_own(&flow), true);

	own.layout = DCC_CC_INFO_LAYOUT + 1;
	begin(AF_INET6);
	add(INET_DIAG_DCTCPINFO, &own, sizeof(own));
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.own_status, DCC_CC_INFO_OTHER);
	EXPECT_EQ(flow.own.layout, DCC_CC_INFO_LAYOUT + 1);
	EXPECT_EQ(!flow_own(&flow), true);

	own.layout = DCC_CC_INFO_LAYOUT;
	begin(AF_INET6);
	add(INET_DIAG_DCTCPINFO, &own, sizeof(own) - 1);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.own_status, DCC_CC_INFO_SHORT);
	EXPECT_EQ(!flow_own(&flow), true);
}

static void diag_parse__names_end_and_fit(void)
{
	struct flow flow;

	begin(AF_INET);
	add(INET_DIAG_CONG, "prioplus_ledba", 15);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "prioplus_ledba");
	begin(AF_INET);
	add(INET_DIAG_CONG, "prioplus_ledbat", CC_TEXT);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "prioplus_ledbat");
	begin(AF_INET);
	add(INET_DIAG_CONG, "prioplus_ledbat_", CC_TEXT + 1);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "");
	begin(AF_INET);
	add(INET_DIAG_CONG, "mswift", 6);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "");
	begin(AF_INET);
	add(INET_DIAG_CONG, "", 0);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "");
}

/* An older kernel's struct tcp_info is shorter, a newer one's longer. */
static void diag_parse__tcp_info_of_other_kernels(void)
{
	u8 longer[sizeof(struct tcp_info) + 8] = { 0 };
	struct tcp_info *info = (void *)longer;
	struct flow flow;

	info->tcpi_snd_cwnd = 10;
	info->tcpi_delivered_ce = 7;
	begin(AF_INET);
	add(INET_DIAG_INFO, info, sizeof(longer));
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.tcp_bytes, sizeof(struct tcp_info));
	EXPECT_EQ(flow.tcp.tcpi_delivered_ce, 7);
	EXPECT_EQ(FLOW_HAS(&flow, tcpi_delivered_ce), true);
	begin(AF_INET);
	add(INET_DIAG_INFO, info, offsetof(struct tcp_info, tcpi_delivered_ce) + 3);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_EQ(flow.tcp.tcpi_snd_cwnd, 10);
	EXPECT_EQ(FLOW_HAS(&flow, tcpi_snd_cwnd), true);
	EXPECT_EQ(FLOW_HAS(&flow, tcpi_delivered_ce), false);
}

static void diag_parse__newer_attributes_are_passed_over(void)
{
	struct flow flow;

	begin(AF_INET);
	add(INET_DIAG_MAX, "x", 1);
	add(INET_DIAG_MAX + 1, "x", 1);
	add(0x3fff, "x", 1);
	add(INET_DIAG_CONG, "cubic", 6);
	EXPECT_EQ(parse(&flow), 0);
	EXPECT_TEXT(flow.cc, "cubic");
}

static void diag_parse__refuses_what_is_cut(void)
{
	struct nlattr *attr;
	struct flow flow;

	begin(AF_INET);
	header()->nlmsg_len = HEAD - 1;
	EXPECT_EQ(parse(&flow), -EINVAL);
	EXPECT_TEXT(why, "sock_diag: a message of bytes 87; allowed: 88 or more");

	begin(AF_INET);
	add(INET_DIAG_CONG, "cubic", 6);
	header()->nlmsg_len = HEAD + 9;		/* of 10 */
	EXPECT_EQ(parse(&flow), -EINVAL);
	EXPECT_TEXT(why, "sock_diag: an attribute is cut, of a message of bytes 97; "
		    "allowed: whole ones");
	header()->nlmsg_len = HEAD + 10;
	EXPECT_EQ(parse(&flow), 0);
	header()->nlmsg_len = HEAD + 3;		/* of the attribute's own head */
	EXPECT_EQ(parse(&flow), -EINVAL);

	begin(AF_INET);
	attr = add(INET_DIAG_CONG, "cubic", 6);
	attr->nla_len = 3;
	EXPECT_EQ(parse(&flow), -EINVAL);
	attr->nla_len = 0xffff;
	EXPECT_EQ(parse(&flow), -EINVAL);
}

static void diag_parse__refuses_other_messages(void)
{
	struct flow flow;

	begin(AF_INET);
	header()->nlmsg_type = SOCK_DIAG_BY_FAMILY + 1;
	EXPECT_EQ(parse(&flow), -EINVAL);
	EXPECT_TEXT(why, "sock_diag: a message of type 21; allowed: 20");
	begin(AF_INET)->idiag_family = AF_UNIX;
	EXPECT_EQ(parse(&flow), -EINVAL);
	EXPECT_TEXT(why, "sock_diag: family 1; allowed: 2 (IPv4) or 10 (IPv6)");
}

/* Whatever comes: no byte is read that is not there. */
static void diag_parse__noise(void)
{
	const struct tcp_info info = { .tcpi_snd_cwnd = 10 };
	struct flow flow;
	u32 i, k;

	for (i = 0; i < 20000; i++) {
		begin(unit_below(2) ? AF_INET : AF_INET6);
		add(INET_DIAG_CONG, "cubic", 6);
		add(INET_DIAG_INFO, &info, sizeof(info));
		for (k = unit_below(8); k; k--)
			message[HEAD + unit_below(header()->nlmsg_len - HEAD)] =
				(u8)unit_rand();
		header()->nlmsg_len = HEAD + unit_below(header()->nlmsg_len - HEAD + 1);
		if (!parse(&flow) && !memchr(flow.cc, '\0', CC_TEXT))
			unit_fail(__FILE__, __LINE__, "a name without an end");
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(diag_parse__addresses_and_ports),
	UNIT_TEST(diag_parse__of_ours),
	UNIT_TEST(diag_parse__of_others),
	UNIT_TEST(diag_parse__names_end_and_fit),
	UNIT_TEST(diag_parse__tcp_info_of_other_kernels),
	UNIT_TEST(diag_parse__newer_attributes_are_passed_over),
	UNIT_TEST(diag_parse__refuses_what_is_cut),
	UNIT_TEST(diag_parse__refuses_other_messages),
	UNIT_TEST(diag_parse__noise),
};

UNIT_MAIN(tests)
