// SPDX-License-Identifier: GPL-2.0
/*
 * Probes with labels, as traceroute sends them: UDP from one port to one port, so
 * that nothing but the label differs; routers and the host answer by ICMPv6. No
 * privilege is needed. Routers answer a few at once and then one a second, so what
 * was not heard is asked again, for a while.
 */
#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/icmpv6.h>
#include <linux/in6.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"
#include "paths.h"

#define PROBE_PORT	33434	/* of traceroute: nobody listens there */
#define ROUNDS		24
#define ROUND_MS	400

struct probe {
	u8 label;
	u8 limit;
};

/* The kernel sends no label that was not leased. */
static void lease(int fd, const struct in6_addr *to, u32 number)
{
	struct in6_flowlabel_req request = {
		.flr_dst = *to, .flr_label = htonl(paths_label(number)),
		.flr_action = IPV6_FL_A_GET, .flr_share = IPV6_FL_S_ANY,
		.flr_flags = IPV6_FL_F_CREATE,
	};

	if (setsockopt(fd, IPPROTO_IPV6, IPV6_FLOWLABEL_MGR, &request, sizeof(request)))
		cannot("doctor: no flow label: %s", strerror(errno));
}

/**
 * paths_socket() - a UDP socket with one port, which may send all labels
 * @to: the host that it sends to
 */
int paths_socket(const struct in6_addr *to)
{
	int one = 1, fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
	u32 i;

	if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof(any)) ||
	    setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &one, sizeof(one)) ||
	    setsockopt(fd, IPPROTO_IPV6, IPV6_FLOWINFO_SEND, &one, sizeof(one)))
		cannot("doctor: no socket for probes: %s", strerror(errno));
	for (i = 0; i < PATHS_LABELS; i++)
		lease(fd, to, i);
	return fd;
}

/* One that cannot be sent, after an answer's error, say, is sent in the next round. */
static void send_probe(int fd, const struct sockaddr_in6 *to, struct probe probe)
{
	struct sockaddr_in6 at = *to;
	int limit = probe.limit;

	at.sin6_port = htons(PROBE_PORT);
	at.sin6_flowinfo = htonl(paths_label(probe.label));
	if (!setsockopt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &limit, sizeof(limit)) &&
	    sendto(fd, &probe, sizeof(probe), 0, (struct sockaddr *)&at, sizeof(at)) < 0)
		errno = 0;
}

/* What is not known yet. */
static u32 send_round(int fd, const struct sockaddr_in6 *to, const struct paths_try *tries)
{
	u32 sent = 0, label, limit;

	for (label = 0; label < PATHS_LABELS; label++)
		for (limit = 1; limit <= PATHS_HOPS; limit++) {
			struct probe probe = { .label = (u8)label, .limit = (u8)limit };
			const struct paths_try *t = &tries[label];

			if (t->heard[limit - 1] || (t->hops && limit > t->hops))
				continue;
			send_probe(fd, to, probe);
			sent++;
		}
	return sent;
}

/* A port that nobody has is the host's word; a router that knows no way says otherwise. */
static void note(struct paths_try *tries, const struct probe *probe,
		 const struct sock_extended_err *err, const struct sockaddr_in6 *who)
{
	struct paths_try *t;

	if (probe->label >= PATHS_LABELS || !probe->limit || probe->limit > PATHS_HOPS ||
	    err->ee_origin != SO_EE_ORIGIN_ICMP6)
		return;
	t = &tries[probe->label];
	t->heard[probe->limit - 1] = true;
	t->hop[probe->limit - 1] = who->sin6_addr;
	if (err->ee_type == ICMPV6_DEST_UNREACH && err->ee_code == ICMPV6_PORT_UNREACH &&
	    (!t->hops || probe->limit < t->hops))
		t->hops = probe->limit;
}

/* An answer: the probe comes back, and with it who sent it back. */
static bool take_answer(int fd, struct paths_try *tries)
{
	union {
		char room[512];
		struct cmsghdr align;
	} control;
	struct probe probe = { 0 };
	struct iovec data = { .iov_base = &probe, .iov_len = sizeof(probe) };
	struct msghdr msg = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room,
		.msg_controllen = sizeof(control.room),
	};
	struct cmsghdr *c;

	if (recvmsg(fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) != sizeof(probe))
		return false;
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		const struct sock_extended_err *err = (void *)CMSG_DATA(c);

		if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR)
			note(tries, &probe, err, (const void *)SO_EE_OFFENDER(err));
	}
	return true;
}

/**
 * paths_probe() - try labels
 * @to: the host
 * @paths: set
 *
 * Takes ten seconds where somebody keeps silent.
 */
void paths_probe(const struct sockaddr_in6 *to, struct paths *paths)
{
	static struct paths_try tries[PATHS_LABELS];
	int fd = paths_socket(&to->sin6_addr), round;

	for (round = 0; round < ROUNDS && !is_stopped(); round++) {
		u64 until = now_ns() + ROUND_MS * NSEC_PER_MSEC;
		struct pollfd poll_fd = { .fd = fd };

		if (!send_round(fd, to, tries))
			break;
		while (now_ns() < until) {
			poll(&poll_fd, 1, 20);
			while (take_answer(fd, tries))
				;
		}
	}
	close(fd);
	paths_count(tries, PATHS_LABELS, paths);
	paths->asked = true;
}
