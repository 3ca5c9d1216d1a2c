// SPDX-License-Identifier: GPL-2.0
/*
 * nfq [queue=N] [hold=PACKETS] [pause_us=N]: takes packets from an NFQUEUE,
 * keeps up to hold= of them back for a while, then accepts them in any order.
 * The kernel sends an accepted packet on from here: without the lock of the
 * socket it is of. Ends by SIGTERM and prints how many there were.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h> /* before netfilter.h, which has its own otherwise */
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util.h"

#define MAX_HELD 256
#define COPIED_BYTES 64
#define RECEIVE_BYTES (4 << 20)

static atomic_int stop;
static uint32_t held[MAX_HELD]; /* packet ids, as the kernel wrote them */
static int held_count;
static long verdicts;
static int queue;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static void send_message(int fd, int type, int attribute, const void *data, int size)
{
	struct {
		struct nlmsghdr h;
		struct nfgenmsg g;
		struct nlattr a;
		char data[32];
	} m = {
		.h.nlmsg_type = NFNL_SUBSYS_QUEUE << 8 | type,
		.h.nlmsg_flags = NLM_F_REQUEST,
		.h.nlmsg_len = NLMSG_LENGTH(sizeof(m.g)) +
			       NLA_ALIGN(NLA_HDRLEN + size),
		.g.nfgen_family = AF_UNSPEC,
		.g.version = NFNETLINK_V0,
		.g.res_id = htons(queue),
		.a.nla_type = attribute,
		.a.nla_len = NLA_HDRLEN + size,
	};
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	memcpy(m.data, data, size);
	if (sendto(fd, &m, m.h.nlmsg_len, 0, (void *)&kernel, sizeof(kernel)) < 0)
		die("nfq: netlink");
}

static int open_queue(void)
{
	struct nfqnl_msg_config_cmd bind_it = {
		.command = NFQNL_CFG_CMD_BIND, .pf = htons(AF_INET6)
	};
	struct nfqnl_msg_config_params copy = {
		.copy_range = htonl(COPIED_BYTES), .copy_mode = NFQNL_COPY_META
	};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
	int size = RECEIVE_BYTES;

	if (fd < 0)
		die("nfq: socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	send_message(fd, NFQNL_MSG_CONFIG, NFQA_CFG_CMD, &bind_it, sizeof(bind_it));
	send_message(fd, NFQNL_MSG_CONFIG, NFQA_CFG_PARAMS, &copy, sizeof(copy));
	return fd;
}

/* Remembers the packet that a message is about. */
static void hold_packet(const struct nlmsghdr *h)
{
	const char *p = (const char *)h + NLMSG_LENGTH(sizeof(struct nfgenmsg));
	const char *end = (const char *)h + h->nlmsg_len;

	if ((h->nlmsg_type & 0xff) != NFQNL_MSG_PACKET)
		return;
	while (p + NLA_HDRLEN <= end) {
		const struct nlattr *a = (const void *)p;

		if (a->nla_type == NFQA_PACKET_HDR && held_count < MAX_HELD)
			memcpy(&held[held_count++], p + NLA_HDRLEN, sizeof(*held));
		p += NLA_ALIGN(a->nla_len);
	}
}

static void release_all(int fd)
{
	while (held_count) {
		int pick = random64() % held_count;
		struct nfqnl_msg_verdict_hdr verdict = {
			htonl(NF_ACCEPT), held[pick]
		};

		held[pick] = held[--held_count];
		send_message(fd, NFQNL_MSG_VERDICT, NFQA_VERDICT_HDR, &verdict,
			     sizeof(verdict));
		verdicts++;
	}
}

/* Takes what there is. False when there is nothing more for now. */
static int receive(int fd)
{
	char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
	int n = recv(fd, buffer, sizeof(buffer), 0);
	struct nlmsghdr *h = (void *)buffer;

	if (n < 0)
		return errno == ENOBUFS; /* a full queue drops, TCP repeats */
	for (; NLMSG_OK(h, (unsigned int)n); h = NLMSG_NEXT(h, n))
		hold_packet(h);
	return 1;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct timeval pause = { 0, 1 };
	long hold;
	int fd;

	options_read(argc - 1, argv + 1);
	queue = option_number("queue", 0);
	hold = option_number("hold", 32);
	pause.tv_usec = option_number("pause_us", 3000);
	fd = open_queue();
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &pause, sizeof(pause));
	sigaction(SIGTERM, &action, NULL);
	puts("ready");
	fflush(stdout);
	while (!stop)
		if (!receive(fd) || held_count >= hold)
			release_all(fd);
	printf("verdicts=%ld\n", verdicts);
	return 0;
}
