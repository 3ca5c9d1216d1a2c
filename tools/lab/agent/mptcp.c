// SPDX-License-Identifier: GPL-2.0
/*
 * MPTCP: the path manager of a namespace, by generic netlink, and what all
 * subflows of a connection have come to.
 */
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/mptcp.h>

#include "flow.h"

#ifndef SOL_MPTCP
#define SOL_MPTCP	284
#endif
#ifndef TCP_IS_MPTCP		/* Linux 5.18 */
#define TCP_IS_MPTCP	43
#endif

/* The kernel's path manager opens that many besides a connection's first one */
#define SUBFLOWS_MAX	9
#define REQUEST_SIZE	4096

/* struct mptcp_info as of Linux 6.12, see struct tcp_report */
struct mptcp_report {
	u8 counts[6];
	u32 flags, token;
	u64 write_seq, snd_una, rcv_nxt;
	u8 local_addr_used, local_addr_max, csum_enabled;
	u32 retransmits;
	u64 bytes_retrans, bytes_sent, bytes_received, bytes_acked;
};

struct subflow_reports {
	struct mptcp_subflow_data head;
	struct tcp_report subflow[SUBFLOWS_MAX];
};

/* A request and its answer in the namespace that this process is in now */
static const struct nlmsghdr *ask(int fd, struct nlmsghdr *msg, char *reply)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct nlmsghdr *answer = (const struct nlmsghdr *)reply;
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(answer);
	ssize_t len;

	msg->nlmsg_flags |= NLM_F_REQUEST;
	len = sendto(fd, msg, msg->nlmsg_len, 0, (struct sockaddr *)&kernel,
		     sizeof(kernel));
	if (len >= 0)
		len = recv(fd, reply, REQUEST_SIZE, 0);
	if (len < 0)
		fail_errno("generic netlink");
	if (!mnl_nlmsg_ok(answer, len))
		fail("generic netlink: an answer of %zd bytes", len);
	if (answer->nlmsg_type == NLMSG_ERROR && err->error) {
		errno = -err->error;
		fail_errno("MPTCP's path manager");
	}
	return answer;
}

static struct nlmsghdr *request(char *buf, u16 family, u8 command, u8 version)
{
	struct nlmsghdr *msg = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *header;

	msg->nlmsg_type = family;
	header = mnl_nlmsg_put_extra_header(msg, sizeof(*header));
	header->cmd = command;
	header->version = version;
	return msg;
}

/* The number that the kernel gave the path manager's messages */
static u16 family_number(int fd)
{
	char buf[REQUEST_SIZE], reply[REQUEST_SIZE];
	struct nlmsghdr *msg = request(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	const struct nlmsghdr *answer;
	const struct nlattr *attr;

	mnl_attr_put_strz(msg, CTRL_ATTR_FAMILY_NAME, MPTCP_PM_NAME);
	answer = ask(fd, msg, reply);
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			return mnl_attr_get_u16(attr);
	fail("the kernel has no MPTCP");
}

/* So many subflows besides the first one, whoever opens them */
static void set_limit(int fd, u16 family, u32 most)
{
	char buf[REQUEST_SIZE], reply[REQUEST_SIZE];
	struct nlmsghdr *msg = request(buf, family, MPTCP_PM_CMD_SET_LIMITS,
				       MPTCP_PM_VER);

	msg->nlmsg_flags = NLM_F_ACK;
	mnl_attr_put_u32(msg, MPTCP_PM_ATTR_RCV_ADD_ADDRS, 0);
	mnl_attr_put_u32(msg, MPTCP_PM_ATTR_SUBFLOWS, most);
	ask(fd, msg, reply);
}

/* An address from which connections of this namespace open a subflow more */
static void add_endpoint(int fd, u16 family, const struct address *addr)
{
	char buf[REQUEST_SIZE], reply[REQUEST_SIZE];
	struct nlmsghdr *msg = request(buf, family, MPTCP_PM_CMD_ADD_ADDR,
				       MPTCP_PM_VER);
	struct nlattr *nest;

	msg->nlmsg_flags = NLM_F_ACK;
	nest = mnl_attr_nest_start(msg, MPTCP_PM_ATTR_ADDR);
	mnl_attr_put_u16(msg, MPTCP_PM_ADDR_ATTR_FAMILY, addr->family);
	mnl_attr_put(msg, addr->family == AF_INET ? MPTCP_PM_ADDR_ATTR_ADDR4 :
						    MPTCP_PM_ADDR_ATTR_ADDR6,
		     addr->len, addr->byte);
	mnl_attr_put_u32(msg, MPTCP_PM_ADDR_ATTR_FLAGS,
			 MPTCP_PM_ADDR_FLAG_SUBFLOW);
	mnl_attr_nest_end(msg, nest);
	ask(fd, msg, reply);
}

/* mptcp <node> <subflows besides the first> [<address> ...] */
static void mptcp_stmt(const struct stmt *stmt)
{
	struct address addr;
	unsigned int i;
	u16 family;
	int fd;

	stmt_args(stmt, 2);
	node_enter(node_find(stmt->argv[0]));
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0)
		fail_errno("generic netlink socket");
	family = family_number(fd);
	set_limit(fd, family, parse_u64("subflows", stmt->argv[1], SUBFLOWS_MAX - 1));
	for (i = 2; i < stmt->argc; i++) {
		addr = parse_address(stmt->argv[i]);
		add_endpoint(fd, family, &addr);
	}
	close(fd);
}

void mptcp_setup(const struct plan *plan)
{
	plan_each(plan, STMT_MPTCP, mptcp_stmt);
}

/* A connection falls back to TCP where the other end, or a path, has no MPTCP */
bool mptcp_is(int fd)
{
	int is = 0;
	socklen_t len = sizeof(is);

	return !getsockopt(fd, IPPROTO_TCP, TCP_IS_MPTCP, &is, &len) && is;
}

/* Counters are the sum's, times the first subflow's or the shortest */
static void add_subflow(struct tcp_report *sum, const struct tcp_report *one)
{
	sum->snd_cwnd += one->snd_cwnd;
	sum->pacing_rate += one->pacing_rate;
	sum->total_retrans += one->total_retrans;
	sum->segs_out += one->segs_out;
	sum->segs_in += one->segs_in;
	sum->data_segs_in += one->data_segs_in;
	sum->data_segs_out += one->data_segs_out;
	sum->delivered += one->delivered;
	sum->delivered_ce += one->delivered_ce;
	sum->bytes_sent += one->bytes_sent;
	sum->bytes_retrans += one->bytes_retrans;
	sum->dsack_dups += one->dsack_dups;
	sum->reord_seen += one->reord_seen;
	sum->rcv_ooopack += one->rcv_ooopack;
	sum->rehash += one->rehash;
	sum->total_rto += one->total_rto;
	if (one->min_rtt < sum->min_rtt)
		sum->min_rtt = one->min_rtt;
}

/* Bytes are the connection's: what a second subflow brought again is no progress */
unsigned int mptcp_get_report(int fd, struct tcp_report *report)
{
	struct subflow_reports all = {
		.head = { .size_subflow_data = sizeof(all.head),
			  .size_user = sizeof(all.subflow[0]) },
	};
	struct mptcp_report whole = { 0 };
	socklen_t len = sizeof(all), whole_len = sizeof(whole);
	unsigned int i;

	if (getsockopt(fd, SOL_MPTCP, MPTCP_TCPINFO, &all, &len) ||
	    getsockopt(fd, SOL_MPTCP, MPTCP_INFO, &whole, &whole_len) ||
	    !all.head.num_subflows)
		return 0;
	if (all.head.size_user != sizeof(all.subflow[0]))
		fail("the kernel's struct tcp_info has %u bytes", all.head.size_user);
	*report = all.subflow[0];
	for (i = 1; i < all.head.num_subflows && i < SUBFLOWS_MAX; i++)
		add_subflow(report, &all.subflow[i]);
	report->bytes_acked = whole.bytes_acked;
	report->bytes_received = whole.bytes_received;
	return all.head.num_subflows;
}
