// SPDX-License-Identifier: GPL-2.0
/*
 * Does the other host echo marks? Some connections to "dccstat answer": the first packet of
 * each has a mark and the others have none; the stack here counts the packets that were
 * acknowledged with an echo. All leave before any ACK can be heard, so who echoes a mark
 * until he is told that it was heard echoes it for all of them, and who echoes each mark
 * for one.
 */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"
#include "peer.h"

#define TRIES		8
#define UNMARKED	8	/* full packets after the marked one: all are a first window */
#define SMALL_BYTES	128	/* headers, and the one byte of the marked packet */
#define PATIENCE_NS	NSEC_PER_SEC
#define LOOK_US		1000

static bool set_cc(int fd, const char *name)
{
	return !setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name));
}

/* Asked for here, or by algorithms of ours; these only if they are there already. */
static bool wants_ecn(int fd)
{
	static const char *const asking[] = { "nscc", "mnscc" };
	char there[4096];
	u32 i;

	if (read_number("/proc/sys/net/ipv4/tcp_ecn", -1) == 1)
		return true;
	if (!read_text("/proc/sys/net/ipv4/tcp_available_congestion_control", there,
		       sizeof(there)))
		return false;
	for (i = 0; i < ARRAY_SIZE(asking); i++)
		if (strstr(there, asking[i]) && set_cc(fd, asking[i]))
			return true;
	return false;
}

static struct tcp_info ask_stack(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len);
	return info;
}

static int new_connection(const struct sockaddr_in6 *to, struct echo *echo)
{
	struct timeval patience = { .tv_sec = PATIENCE_NS / NSEC_PER_SEC };
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && !wants_ecn(fd))
		snprintf(echo->why, ECHO_TEXT, "nothing here asks for ECN (net.ipv4.tcp_ecn)");
	else if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) ||
		 connect(fd, (const void *)to, sizeof(*to)) || !set_cc(fd, "reno"))
		snprintf(echo->why, ECHO_TEXT, "no connection: %s", strerror(errno));
	if (!*echo->why)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Until all is acknowledged. */
static struct tcp_info wait_for_acks(int fd)
{
	u64 until = now_ns() + PATIENCE_NS;
	struct tcp_info info = ask_stack(fd);

	while ((info.tcpi_unacked || info.tcpi_notsent_bytes) && now_ns() < until &&
	       !is_stopped()) {
		usleep(LOOK_US);
		info = ask_stack(fd);
	}
	return info;
}

/* The marked packet waits for the others, and is none of theirs. */
static void send_packets(int fd, u32 mss)
{
	static const char zeros[UNMARKED * UINT16_MAX];

	if (send(fd, zeros, 1, MSG_MORE | MSG_EOR | MSG_NOSIGNAL) == 1)
		send(fd, zeros, min_t(size_t, (size_t)UNMARKED * mss, sizeof(zeros)),
		     MSG_NOSIGNAL);
}

static void try_one(int fd, struct echo *echo)
{
	struct tcp_info before = ask_stack(fd), after;
	struct marker marker;
	u32 echoed;

	if (!(before.tcpi_options & TCPI_OPT_ECN) ||
	    !marker_open(&marker, fd, SMALL_BYTES, echo->why))
		return;
	send_packets(fd, before.tcpi_snd_mss);
	after = wait_for_acks(fd);
	echo->agreed++;
	echo->marked += marker_close(&marker);
	echoed = after.tcpi_delivered_ce - before.tcpi_delivered_ce;
	if (!echoed)
		return;
	echo->heard++;
	echo->echoed += echoed;
	echo->packets += after.tcpi_delivered - before.tcpi_delivered;
}

/**
 * echo_ask() - send marked packets, and hear what comes of them
 * @to: the host
 * @port: of "dccstat answer" there
 * @echo: set
 *
 * Reno sends them: it is everywhere, and paces nothing.
 */
void echo_ask(const struct sockaddr_in6 *to, u16 port, struct echo *echo)
{
	struct sockaddr_in6 at = *to;
	int fd;
	u32 i;

	at.sin6_port = htons(port);
	for (i = 0; i < TRIES && !*echo->why && !is_stopped(); i++) {
		fd = new_connection(&at, echo);
		if (fd < 0)
			return;
		try_one(fd, echo);
		close(fd);
	}
}
