// SPDX-License-Identifier: GPL-2.0
/*
 * Bulk transfer with checksum, for tests on real kernels.
 *
 *   xfer serve PORT [CC]             answer connections until killed
 *   xfer send ADDRESS PORT BYTES [cc=NAME] [switch=NAME,...]
 *             [wait=FIFO] [hold=FIFO]
 *   xfer labels INTERFACE            count flow labels and ECN until SIGTERM
 *
 * The sender writes a pseudo-random stream and ends it; the receiver answers
 * with the count and the checksum of what it got and the congestion control of
 * its accepted socket. The sender compares, prints one line
 *
 *   cc=mswift peer_cc=cubic bytes=4194304 sum=match ms=120 bits=16
 *   delay_ns=91007 base_ns=85120 priority=0
 *
 * (on one line; the last four by TCP_CC_INFO, 0 of algorithms that are not ours) and exits 0
 * only if all bytes arrived unchanged. switch= walks through the named algorithms, one
 * every 64 KiB, while data is in flight. wait= sends nothing on the new
 * connection, and hold= keeps it open at the end, until somebody has opened and
 * closed the FIFO. labels counts, among the IPv6 TCP packets with data
 * that an interface receives, those that are ECN-capable, those marked CE, and
 * the distinct flow labels, and how many of these are in the lower half, which
 * flowlabel_state_ranges keeps free.
 */
#define _GNU_SOURCE
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip6.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <time.h>

#include "peer.h"

#define CHUNK		65536		/* bytes a write, and between switches */
#define MAX_SWITCHES	16
#define SNIFF_BYTES	(32 << 20)	/* 10,000 full packets and more */
#define LABELS		(1U << 20)	/* an IPv6 flow label has 20 bits */
#define ECN_SHIFT	20		/* the two bits above the label, RFC 3168 */
#define ECN_CE		3U
#define FNV_BASIS	0xcbf29ce484222325ULL	/* FNV-1a, 64 bits */
#define FNV_PRIME	0x100000001b3ULL

struct verdict {
	uint64_t bytes;
	uint64_t sum;
	char cc[CC_NAME_MAX];
};

struct plan {
	uint64_t bytes;
	const char *cc;
	char *switches[MAX_SWITCHES];
	unsigned int n_switches;
	const char *wait;
	const char *hold;
};

/* Packets with data that an interface received. */
struct tally {
	unsigned int packets;
	unsigned int ect;	/* ECN-capable, marked or not */
	unsigned int ce;	/* marked */
	unsigned int labels;	/* distinct flow labels */
	unsigned int low;	/* of them in the lower half */
	bool seen[LABELS];
};

static uint64_t checksum(uint64_t sum, const uint8_t *data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum = (sum ^ data[i]) * FNV_PRIME;
	return sum;
}

/* Marsaglia's xorshift64: any stream would do that is not periodic in a packet. */
static void fill(uint64_t *state, uint8_t *data, size_t n)
{
	for (size_t i = 0; i + sizeof(*state) <= n; i += sizeof(*state)) {
		*state ^= *state << 13;
		*state ^= *state >> 7;
		*state ^= *state << 17;
		memcpy(data + i, state, sizeof(*state));
	}
}

/* What the receiver does with one connection, in a process of its own. */
static void answer(int fd)
{
	static uint8_t buf[CHUNK];
	struct verdict v = { .sum = FNV_BASIS };
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		v.sum = checksum(v.sum, buf, n);
		v.bytes += n;
	}
	get_cc(fd, v.cc);
	write_all(fd, &v, sizeof(v));
	close(fd);
}

/* One dual-stack listener serves IPv4 as well. */
static int serve(const char *port, const char *cc)
{
	struct sockaddr_in6 any = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(atoi(port)),
	};
	int one = 1, fd = socket(AF_INET6, SOCK_STREAM, 0);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (cc)
		set_cc(fd, cc);
	if (bind(fd, (struct sockaddr *)&any, sizeof(any)) || listen(fd, 16))
		die("listen on port", port);
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		int conn = accept(fd, NULL, NULL);

		if (conn < 0)
			die("accept on port", port);
		if (!fork()) {
			close(fd);
			answer(conn);
			exit(0);
		}
		close(conn);
	}
}

static int connect_to(const char *address, const char *port, const char *cc)
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(address, port, &to);
	int fd = socket(to.ss_family, SOCK_STREAM, 0);

	if (cc)
		set_cc(fd, cc);
	if (connect(fd, (struct sockaddr *)&to, len))
		die("connect to", address);
	return fd;
}

/* Sends the stream and returns its checksum. */
static uint64_t stream(int fd, const struct plan *plan)
{
	static uint8_t buf[CHUNK];
	uint64_t state = 88172645463325252ULL; /* Marsaglia's own seed */
	uint64_t sum = FNV_BASIS, left = plan->bytes;

	for (unsigned int i = 0; left; i++) {
		size_t n = left < CHUNK ? left : CHUNK;

		if (plan->n_switches)
			set_cc(fd, plan->switches[i % plan->n_switches]);
		fill(&state, buf, CHUNK);
		write_all(fd, buf, n);
		sum = checksum(sum, buf, n);
		left -= n;
	}
	return sum;
}

/*
 * And the end of the stream: the receiver's FIN would find nobody where this is
 * the last process of its namespace.
 */
static bool read_verdict(int fd, struct verdict *v)
{
	char more;

	return recv(fd, v, sizeof(*v), MSG_WAITALL) == sizeof(*v) &&
	       recv(fd, &more, sizeof(more), 0) == 0;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

static void wait_for(const char *fifo)
{
	FILE *f = fopen(fifo, "r");

	if (!f)
		die("cannot open", fifo);
	while (fgetc(f) != EOF)
		;
	fclose(f);
}

static int send_plan(const char *address, const char *port,
		     const struct plan *plan)
{
	int fd = connect_to(address, port, plan->cc);
	char cc[CC_NAME_MAX];
	struct dcc_cc_info info;
	uint64_t start, sum;
	struct verdict v;
	bool match;

	if (plan->wait)
		wait_for(plan->wait);
	start = now_ms();
	sum = stream(fd, plan);
	if (plan->hold)
		wait_for(plan->hold);
	get_cc(fd, cc);
	info = get_info(fd);
	shutdown(fd, SHUT_WR);
	if (!read_verdict(fd, &v))
		die("no answer from", address);
	match = v.bytes == plan->bytes && v.sum == sum;
	printf("cc=%s peer_cc=%s bytes=%llu sum=%s ms=%llu", cc, v.cc,
	       (unsigned long long)v.bytes, match ? "match" : "WRONG",
	       (unsigned long long)(now_ms() - start));
	printf(" bits=%u delay_ns=%u base_ns=%u priority=%u\n", info.bits,
	       info.delay_ns, info.base_rtt_ns, info.priority);
	return match ? 0 : 1;
}

static void parse_option(struct plan *plan, char *arg)
{
	char *value = strchr(arg, '=');

	if (!value) {
		errno = EINVAL;
		die("option is not name=value:", arg);
	}
	*value++ = '\0';
	if (!strcmp(arg, "cc")) {
		plan->cc = value;
	} else if (!strcmp(arg, "wait")) {
		plan->wait = value;
	} else if (!strcmp(arg, "hold")) {
		plan->hold = value;
	} else if (!strcmp(arg, "switch")) {
		for (char *s = strtok(value, ","); s; s = strtok(NULL, ","))
			if (plan->n_switches < MAX_SWITCHES)
				plan->switches[plan->n_switches++] = s;
	} else {
		errno = EINVAL;
		die("unknown option (allowed: cc switch wait hold):", arg);
	}
}

/* An IPv6 TCP packet that carries data? */
static bool is_data(const struct ip6_hdr *ip, ssize_t n)
{
	const struct tcphdr *tcp = (const struct tcphdr *)(ip + 1);

	return n >= (ssize_t)(sizeof(*ip) + sizeof(*tcp)) &&
	       ip->ip6_nxt == IPPROTO_TCP &&
	       ntohs(ip->ip6_plen) > tcp->doff * 4;
}

static void count_packet(struct tally *t, const struct ip6_hdr *ip)
{
	uint32_t flow = ntohl(ip->ip6_flow), label = flow & (LABELS - 1);
	unsigned int ecn = flow >> ECN_SHIFT & ECN_CE;

	t->packets++;
	t->ect += ecn != 0;
	t->ce += ecn == ECN_CE;
	t->labels += !t->seen[label];
	t->low += !t->seen[label] && label < LABELS / 2;
	t->seen[label] = true;
}

/* SIGTERM as something to poll for. */
static int term_fd(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, 0);
}

/* Room for all that may arrive while another program has the processor. */
static int packet_socket(void)
{
	int bytes = SNIFF_BYTES, fd = socket(AF_PACKET, SOCK_DGRAM, 0);

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		die("setsockopt", "SO_RCVBUFFORCE");
	return fd;
}

/* Packets that found no room; reading resets it. */
static unsigned int dropped_by(int fd)
{
	struct tpacket_stats stats = { 0 };
	socklen_t len = sizeof(stats);

	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len))
		die("getsockopt", "PACKET_STATISTICS");
	return stats.tp_drops;
}

static int count_labels(const char *interface)
{
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IPV6),
		.sll_ifindex = if_nametoindex(interface),
	};
	static uint8_t packet[CHUNK] __attribute__((aligned));
	static struct tally t;
	struct pollfd fds[] = {
		{ .fd = packet_socket(), .events = POLLIN },
		{ .fd = term_fd(), .events = POLLIN },
	};

	if (!at.sll_ifindex ||
	    bind(fds[0].fd, (struct sockaddr *)&at, sizeof(at)))
		die("cannot listen on interface", interface);
	/* what has arrived by the time of the signal counts, too */
	while (poll(fds, 2, -1) > 0 && fds[0].revents) {
		ssize_t n = read(fds[0].fd, packet, CHUNK);

		if (is_data((struct ip6_hdr *)packet, n))
			count_packet(&t, (struct ip6_hdr *)packet);
	}
	printf("packets=%u dropped=%u ect=%u ce=%u labels=%u low=%u\n", t.packets,
	       dropped_by(fds[0].fd), t.ect, t.ce, t.labels, t.low);
	return 0;
}

int main(int argc, char **argv)
{
	struct plan plan = { 0 };

	if (argc >= 3 && !strcmp(argv[1], "serve"))
		return serve(argv[2], argc > 3 ? argv[3] : NULL);
	if (argc == 3 && !strcmp(argv[1], "labels"))
		return count_labels(argv[2]);
	if (argc >= 5 && !strcmp(argv[1], "send")) {
		plan.bytes = strtoull(argv[4], NULL, 0);
		for (int i = 5; i < argc; i++)
			parse_option(&plan, argv[i]);
		return send_plan(argv[2], argv[3], &plan);
	}
	fprintf(stderr, "usage: xfer serve PORT [CC]\n"
		"       xfer send ADDRESS PORT BYTES [cc=NAME] [switch=NAME,...]\n"
		"            [wait=FIFO] [hold=FIFO]\n"
		"       xfer labels INTERFACE\n");
	return 2;
}
