// SPDX-License-Identifier: GPL-2.0
/*
 * The command "answer": tells "dccstat doctor --peer" of other hosts how its probes came
 * here, and what this host does as a receiver; and takes connections, whose data it throws
 * away, so that the stack's echo of marks is seen. Any user may run it.
 */
#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/in6.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "dccstat.h"
#include "doctor.h"
#include "io.h"

#define LINE_BYTES	16384	/* a line of /proc/net/netstat */
#define REHASHED	"TCPDuplicateDataRehash"
#define SECONDS_MOST	86400
#define BACKLOG		4
#define SINK_NS		(2 * NSEC_PER_SEC)	/* that a connection may take */

/**
 * struct answerer - what is open
 * @poll: probes' socket; connections' one, -1: not looked at; a connection, -1: none
 * @until: when the connection ends
 * @facts: what is told
 */
struct answerer {
	struct pollfd poll[3];
	u64 until;
	struct peer_message facts;
};

enum { PROBES, LISTENER, SINK };

/* Of two lines that belong together, names and values: the value of a name. */
static u32 column(char *names, char *values, const char *name)
{
	char *n, *v;

	while ((n = strsep(&names, " ")) && (v = strsep(&values, " ")))
		if (!strcmp(n, name))
			return (u32)strtoul(v, NULL, 10);
	return 0;
}

/* How often a socket chose another way for its ACKs, since data came twice. */
static u32 rehashed(void)
{
	static char names[LINE_BYTES], values[LINE_BYTES];
	FILE *file = fopen("/proc/net/netstat", "r");
	u32 value = 0;

	while (file && fgets(names, sizeof(names), file) && fgets(values, sizeof(values), file))
		if (!strncmp(names, "TcpExt:", 7))
			value = column(names, values, REHASHED);
	if (file)
		fclose(file);
	return value;
}

/* Does the device that a packet came by merge those that it gets? */
static bool merges(const struct in6_pktinfo *info)
{
	struct ethtool_value value = { .cmd = ETHTOOL_GGRO };
	struct ifreq request = { .ifr_ifindex = (int)info->ipi6_ifindex };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool yes;

	yes = fd >= 0 && !ioctl(fd, SIOCGIFNAME, &request);
	request.ifr_data = (void *)&value;
	yes = yes && !ioctl(fd, SIOCETHTOOL, &request) && value.data;
	if (fd >= 0)
		close(fd);
	return yes;
}

/* What this host does as a receiver; the same for all probes of some time. */
static void tell_facts(struct peer_message *m)
{
	static struct facts facts;

	memset(&facts, 0, sizeof(facts));
	facts_settings(&facts);
	m->ecn = htonl((u32)facts.ecn);
	m->sack_ns = htonl((u32)facts.sack_ns);
	m->rehash = htonl((u32)read_number("/proc/sys/net/core/txrehash", -1));
	m->rehashed = htonl(rehashed());
	memcpy(m->cc, facts.socket, sizeof(m->cc));
	memcpy(m->spray, facts.spray, sizeof(m->spray));
}

/* How a probe came. */
static void tell_way(struct peer_message *m, struct msghdr *msg)
{
	struct cmsghdr *c;
	u32 number;

	m->flowinfo = 0;
	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != IPPROTO_IPV6)
			continue;
		memcpy(&number, CMSG_DATA(c), sizeof(number));
		if (c->cmsg_type == IPV6_FLOWINFO)
			m->flowinfo = number;
		if (c->cmsg_type == IPV6_HOPLIMIT)
			m->hops = htonl(number);
		if (c->cmsg_type == IPV6_PKTINFO)
			m->gro = htonl(merges((void *)CMSG_DATA(c)));
	}
}

/* The next probe, if it is one, and its answer. */
static bool answer_one(int fd, const struct peer_message *facts)
{
	union {
		char room[256];
		struct cmsghdr align;
	} control;
	struct sockaddr_in6 from;
	struct peer_message m;
	struct iovec data = { .iov_base = &m, .iov_len = sizeof(m) };
	struct msghdr msg = {
		.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &data, .msg_iovlen = 1,
		.msg_control = control.room, .msg_controllen = sizeof(control.room),
	};
	__be32 number;

	if (recvmsg(fd, &msg, MSG_DONTWAIT) != sizeof(m) ||
	    memcmp(m.magic, PEER_MAGIC, sizeof(m.magic)) || m.hops)
		return false;
	number = m.number;
	m = *facts;
	m.number = number;
	tell_way(&m, &msg);
	from.sin6_flowinfo = 0;	/* all answers go the same way */
	sendto(fd, &m, sizeof(m), 0, (struct sockaddr *)&from, sizeof(from));
	return true;
}

static int open_socket(int type, u16 port)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	int one = 1, fd = socket(AF_INET6, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || (type == SOCK_STREAM &&
		       setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one))) ||
	    bind(fd, (struct sockaddr *)&any, sizeof(any)) ||
	    (type == SOCK_STREAM && listen(fd, BACKLOG)))
		cannot("answer: port %u: %s", port, strerror(errno));
	return fd;
}

static int open_probes(u16 port)
{
	static const int options[] = { IPV6_FLOWINFO, IPV6_RECVHOPLIMIT, IPV6_RECVPKTINFO };
	int one = 1, fd = open_socket(SOCK_DGRAM, port);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (setsockopt(fd, IPPROTO_IPV6, options[i], &one, sizeof(one)))
			cannot("answer: no socket that hears of labels: %s", strerror(errno));
	return fd;
}

/* What a connection gets its listener had when it was made: that may be another by now. */
static void look_again(struct answerer *a, u16 port)
{
	char before[CC_TEXT];

	memcpy(before, a->facts.cc, sizeof(before));
	tell_facts(&a->facts);
	if (!strncmp(before, a->facts.cc, sizeof(before)))
		return;
	if (a->poll[LISTENER].fd >= 0)
		close(a->poll[LISTENER].fd);
	a->poll[LISTENER].fd = open_socket(SOCK_STREAM, port);
}

/* The next connection, if there is none now: one at a time, and none for long. */
static void take_connection(struct answerer *a)
{
	a->poll[SINK].fd = accept4(a->poll[LISTENER].fd, NULL, NULL,
				   SOCK_NONBLOCK | SOCK_CLOEXEC);
	a->until = now_ns() + SINK_NS;
}

/* What came is thrown away; at its end, or after some time, so is the connection. */
static void empty_sink(struct answerer *a, bool ready)
{
	char data[65536];
	ssize_t got = 1;

	if (ready)
		got = recv(a->poll[SINK].fd, data, sizeof(data), 0);
	if (got > 0 && now_ns() < a->until)
		return;
	close(a->poll[SINK].fd);
	a->poll[SINK].fd = -1;
}

/* A listener whose connections cannot be taken yet is not looked at: it would be ready. */
static u64 answer_some(struct answerer *a, u16 port)
{
	struct pollfd now[ARRAY_SIZE(a->poll)];
	int ready;

	memcpy(now, a->poll, sizeof(now));
	if (a->poll[SINK].fd >= 0)
		now[LISTENER].fd = -1;
	ready = poll(now, ARRAY_SIZE(now), 1000);
	/* what changes while somebody asks is told to the next one */
	if (!ready)
		look_again(a, port);
	if (ready < 0)
		return 0;
	if (now[SINK].fd >= 0)
		empty_sink(a, now[SINK].revents);
	else if (now[LISTENER].revents)
		take_connection(a);
	return now[PROBES].revents && answer_one(now[PROBES].fd, &a->facts);
}

/**
 * answer_main() - the command "answer"
 * @count: of words
 * @words: options
 *
 * Return: the exit status: 1 if nobody asked.
 */
int answer_main(int count, char **words)
{
	u16 port = (u16)take_number(&count, &words, "--port", PEER_PORT, 1, UINT16_MAX);
	u64 seconds = take_number(&count, &words, "--for", 0, 1, SECONDS_MOST);
	u64 until = now_ns() + seconds * NSEC_PER_SEC, answers = 0;
	static struct answerer a = {
		.facts = { .magic = PEER_MAGIC },
		.poll = { { .events = POLLIN }, { -1, POLLIN, 0 }, { -1, POLLIN, 0 } },
	};

	no_more_options(count, words);
	if (count)
		fail("answer: '%s' is too much; allowed: options", words[0]);
	catch_signals();
	a.poll[PROBES].fd = open_probes(port);
	look_again(&a, port);
	while (!is_stopped() && (!seconds || now_ns() < until))
		answers += answer_some(&a, port);
	printf("%llu answers\n", (unsigned long long)answers);
	return answers ? 0 : EXIT_FAILED;
}
