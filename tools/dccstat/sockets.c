// SPDX-License-Identifier: GPL-2.0
/* All TCP sockets of namespaces, by sock_diag. */
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>

#include "../replay/csv.h"
#include "diag.h"
#include "io.h"

#define ANSWER_BYTES	32768	/* what the kernel puts into a message at most */

/* The form of ours has a number above the 8 bits of a request: Vegas' asks for it. */
#define ASKED	(1 << (INET_DIAG_INFO - 1) | 1 << (INET_DIAG_VEGASINFO - 1) |	\
		 1 << (INET_DIAG_CONG - 1))

/**
 * struct dump - an answer in many parts
 * @fn: gets each socket
 * @data: for it
 * @net: the namespace's name
 * @refused: messages that could not be taken apart
 * @why: the first of them
 */
struct dump {
	flow_fn *fn;
	void *data;
	const char *net;
	u32 refused;
	char why[WHY_TEXT];
};

static int take(const struct nlmsghdr *nlh, void *data)
{
	struct dump *dump = data;
	char why[WHY_TEXT];
	struct flow flow;

	if (diag_parse(nlh, &flow, why)) {
		if (!dump->refused++)
			memcpy(dump->why, why, sizeof(why));
		return MNL_CB_OK;
	}
	flow.net = dump->net;
	dump->fn(&flow, dump->data);
	return MNL_CB_OK;
}

static bool ask(struct mnl_socket *nl, u8 family, u32 states, u32 seq)
{
	char buf[MNL_NLMSG_HDRLEN + sizeof(struct inet_diag_req_v2) + MNL_ALIGNTO];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct inet_diag_req_v2 *req = mnl_nlmsg_put_extra_header(nlh, sizeof(*req));

	nlh->nlmsg_type = SOCK_DIAG_BY_FAMILY;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	nlh->nlmsg_seq = seq;
	req->sdiag_family = family;
	req->sdiag_protocol = IPPROTO_TCP;
	req->idiag_ext = ASKED;
	req->idiag_states = states;
	return mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) > 0;
}

static bool receive(struct mnl_socket *nl, u32 seq, struct dump *dump)
{
	static char buf[ANSWER_BYTES];
	unsigned int port = mnl_socket_get_portid(nl);
	int more = MNL_CB_OK;

	while (more > MNL_CB_STOP) {
		ssize_t len = mnl_socket_recvfrom(nl, buf, sizeof(buf));

		more = len < 0 ? MNL_CB_ERROR : mnl_cb_run(buf, len, seq, port, take, dump);
	}
	return more == MNL_CB_STOP;
}

static bool dump_net(const struct net *net, u32 states, struct dump *dump)
{
	static const u8 family[] = { AF_INET, AF_INET6 };
	static u32 seq;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(family); i++) {
		seq++;
		if (!ask(net->nl, family[i], states, seq) || !receive(net->nl, seq, dump)) {
			if (errno == ENOENT)
				cannot("the kernel has no tcp_diag: sudo modprobe tcp_diag");
			return false;
		}
	}
	return true;
}

/**
 * sockets_each() - look at every TCP socket
 * @nets: of these namespaces
 * @states: bit i: those of state i
 * @fn: gets each
 * @data: for @fn
 *
 * Return: false if a namespace, or a socket, could not be read; said on stderr.
 */
bool sockets_each(const struct nets *nets, u32 states, flow_fn *fn, void *data)
{
	struct dump dump = { .fn = fn, .data = data };
	bool ok = true;
	u32 i;

	for (i = 0; i < nets->count; i++) {
		dump.net = nets->net[i].name;
		if (dump_net(&nets->net[i], states, &dump))
			continue;
		ok = false;
		fprintf(stderr, "dccstat: namespace %s cannot be read: %s\n",
			nets->net[i].name, strerror(errno));
	}
	if (dump.refused)
		fprintf(stderr, "dccstat: %u answers not understood, the first: %s\n",
			dump.refused, dump.why);
	return ok && !dump.refused;
}
