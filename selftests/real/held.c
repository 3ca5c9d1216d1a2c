// SPDX-License-Identifier: GPL-2.0
/*
 * What applications do to a connection that its congestion control holds, for
 * tests on real kernels.
 *
 *   held CC ADDRESS PORT BYTES MS THEN [OPTION...]
 *       connects with CC and the lowest priority, writes BYTES, waits so long,
 *       prints "held=1 unsent=BYTES " (the FIN counts as one), and then, by THEN:
 *         free    raises the priority to the highest
 *         cubic   another algorithm takes over
 *         abort   closes with a reset, and ends
 *         leave   closes with the data unsent, and ends
 *         wait    waits for an error of the socket, prints it: "error=ETIMEDOUT"
 *       after free and cubic: ends the stream, waits for the peer's answer, and
 *       prints the base RTT, what the stack says of packets, and what the peer says
 *       that it received: "base_ns=40000 sent=8 again=1 delivered=7 got=BYTES"
 *       cubic prints the window that it takes over, too, and whether the stack itself
 *       makes it smaller at that moment, after a loss: "cwnd=10 recovers=0"
 *   OPTION: keepalive (after a second, two probes a second apart), timeout=MS
 *       (TCP_USER_TIMEOUT), shutdown (ends the stream before the wait), known (some
 *       of the data with the highest priority first: the path is known then)
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <linux/sockios.h>

#include "peer.h"

#define LOWEST		0
#define HIGHEST		7
#define ERROR_WAIT_MS	200000
#define CHUNK		4096
#define KNOWN_BYTES	(32 * CHUNK)
#define ROOM		4	/* the queue's overhead, and more */

/* In the kernel's struct tcp_info, of which the C library's has the first half only. */
enum { TOTAL_RETRANS = 25, DATA_SEGS_OUT = 39, DELIVERED = 48, INFO_WORDS };

static void set_int(int fd, int level, int name, int value, const char *text)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		die("setsockopt", text);
}

static void fill(int fd, unsigned long bytes)
{
	static const char zero[CHUNK];

	for (; bytes > CHUNK; bytes -= CHUNK)
		write_all(fd, zero, CHUNK);
	write_all(fd, zero, bytes);
}

/* Data that nothing holds back, until all of it arrived; ends the program if it does not. */
static void learn(int fd)
{
	int tries = ERROR_WAIT_MS, left = 1;

	set_int(fd, SOL_SOCKET, SO_PRIORITY, HIGHEST, "SO_PRIORITY");
	fill(fd, KNOWN_BYTES);
	for (; left && tries; tries--) {
		usleep(1000);
		if (ioctl(fd, SIOCOUTQ, &left))
			die("SIOCOUTQ of", "the connection");
	}
	if (left)
		die("not all arrived of", "the first data");
	set_int(fd, SOL_SOCKET, SO_PRIORITY, LOWEST, "SO_PRIORITY");
}

static void set_option(int fd, const char *text, bool *end)
{
	if (!strcmp(text, "keepalive")) {
		set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1, text);
		set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, 1, text);
		set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1, text);
		set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, 2, text);
	} else if (!strncmp(text, "timeout=", 8)) {
		set_int(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, atoi(text + 8), text);
	} else if (!strcmp(text, "cork")) {
		set_int(fd, IPPROTO_TCP, TCP_CORK, 1, text);
	} else if (!strcmp(text, "shutdown")) {
		*end = true;
	} else if (!strcmp(text, "known")) {
		learn(fd);
	} else {
		errno = EINVAL;
		die("unknown option", text);
	}
}

static int start(char **argv)
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(argv[2], argv[3], &to);
	int fd = socket(to.ss_family, SOCK_STREAM, 0);

	set_cc(fd, argv[1]);
	set_int(fd, SOL_SOCKET, SO_PRIORITY, LOWEST, "SO_PRIORITY");
	set_int(fd, SOL_SOCKET, SO_SNDBUFFORCE, atoi(argv[4]) * ROOM, "SO_SNDBUFFORCE");
	if (connect(fd, (struct sockaddr *)&to, len))
		die("connect", argv[2]);
	return fd;
}

static void report(int fd)
{
	int unsent;

	if (ioctl(fd, SIOCOUTQNSD, &unsent))
		die("SIOCOUTQNSD of", "the connection");
	printf("held=%d unsent=%d ", !!(get_info(fd).bits & DCC_INFO_SUSPENDED), unsent);
	fflush(stdout);
}

/* The peer answers the end of a stream with what it received, and ends. */
static void finish(int fd, bool ended)
{
	uint32_t info[INFO_WORDS] = { 0 };
	socklen_t len = sizeof(info);
	uint64_t got = 0;

	if (!ended)
		shutdown(fd, SHUT_WR);
	if (recv(fd, &got, sizeof(got), MSG_WAITALL) != sizeof(got))
		die("no answer from", "the peer");
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len))
		die("TCP_INFO of", "the connection");
	printf("base_ns=%u sent=%u again=%u delivered=%u got=%llu\n",
	       get_info(fd).base_rtt_ns, info[DATA_SEGS_OUT], info[TOTAL_RETRANS],
	       info[DELIVERED], (unsigned long long)got);
}

static void wait_for_error(int fd)
{
	struct pollfd p = { .fd = fd };
	socklen_t len = sizeof(int);
	int error = 0;

	poll(&p, 1, ERROR_WAIT_MS);
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	printf("error=%s\n", error ? strerrorname_np(error) : "none");
}

/* What the next algorithm begins with. */
static void take_over(int fd, const char *cc)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	set_cc(fd, cc);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		die("TCP_INFO of", "the connection");
	printf("cwnd=%u recovers=%d ", info.tcpi_snd_cwnd, info.tcpi_ca_state > TCP_CA_Disorder);
}

static void then(int fd, const char *what, bool ended)
{
	struct linger reset = { .l_onoff = 1 };

	if (!strcmp(what, "wait")) {
		wait_for_error(fd);
	} else if (!strcmp(what, "abort")) {
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		puts("");
	} else if (!strcmp(what, "leave")) {
		puts("");
	} else {
		if (!strcmp(what, "free"))
			set_int(fd, SOL_SOCKET, SO_PRIORITY, HIGHEST, what);
		else
			take_over(fd, what);
		finish(fd, ended);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	bool end = false;
	int fd, i;

	if (argc < 7) {
		fputs("usage: held CC ADDRESS PORT BYTES MS free|cubic|abort|leave|wait\n"
		      "            [keepalive] [timeout=MS] [cork] [shutdown] [known]\n", stderr);
		return 2;
	}
	fd = start(argv);
	for (i = 7; i < argc; i++)
		set_option(fd, argv[i], &end);
	fill(fd, strtoul(argv[4], NULL, 0));
	if (end)
		shutdown(fd, SHUT_WR);
	usleep(1000 * atoi(argv[5]));
	report(fd);
	then(fd, argv[6], end);
	return 0;
}
