// SPDX-License-Identifier: GPL-2.0
/*
 * Asks "dccstat answer" of another host: one probe after the other, so that none waits
 * for another, with a label each and all four marks. No privilege is needed.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"
#include "peer.h"

#define PATIENCE_MS	200	/* for an answer */
#define SILENT_MOST	8	/* so many without an answer, and none before: nobody is there */
#define WHOLE_NS	(10 * NSEC_PER_SEC)

static void set(int fd, int option, u32 value)
{
	int number = (int)value;

	if (setsockopt(fd, IPPROTO_IPV6, option, &number, sizeof(number)))
		cannot("doctor: no socket for probes: %s", strerror(errno));
}

/* Waits for the answer to a probe; late ones to others are passed over. */
static bool hear(int fd, u32 number, struct peer_message *m)
{
	u64 until = now_ns() + PATIENCE_MS * NSEC_PER_MSEC, now;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	while (!is_stopped() && (now = now_ns()) < until) {
		int wait_ms = (int)((until - now) / NSEC_PER_MSEC) + 1;

		if (poll(&poll_fd, 1, wait_ms) <= 0)
			continue;
		if (recv(fd, m, sizeof(*m), MSG_DONTWAIT) == sizeof(*m) &&
		    ntohl(m->number) == number)
			return true;
		/* nobody listens there: that comes as an error, by ICMP */
		if (recv(fd, m, sizeof(*m), MSG_ERRQUEUE | MSG_DONTWAIT) >= 0)
			return false;
	}
	return false;
}

static bool ask_one(int fd, const struct sockaddr_in6 *to, u32 number, struct peer *peer,
		    struct peer_try *tries)
{
	struct peer_message m = { .magic = PEER_MAGIC, .number = htonl(number) };
	struct sockaddr_in6 at = *to;
	u64 start;

	at.sin6_flowinfo = htonl(paths_label(number % PATHS_LABELS));
	set(fd, IPV6_TCLASS, peer_mark(number / PATHS_LABELS));
	start = now_ns();
	return sendto(fd, &m, sizeof(m), 0, (struct sockaddr *)&at, sizeof(at)) == sizeof(m) &&
	       hear(fd, number, &m) && peer_take(peer, tries, &m, now_ns() - start);
}

/**
 * peer_ask() - send probes, and hear what the other host says
 * @to: the host
 * @port: of "dccstat answer" there
 * @peer: set
 *
 * Takes at most ten seconds, and less than two where nobody answers; connections that
 * try the echo as long again at most.
 */
void peer_ask(const struct sockaddr_in6 *to, u16 port, struct peer *peer)
{
	static struct peer_try tries[PATHS_LABELS];
	u64 until = now_ns() + WHOLE_NS;
	struct sockaddr_in6 at = *to;
	int fd = paths_socket(&to->sin6_addr);
	u32 number, silent = 0;

	at.sin6_port = htons(port);
	set(fd, IPV6_UNICAST_HOPS, PEER_HOPS);
	for (number = 0; number < PEER_ROUNDS * PATHS_LABELS; number++) {
		silent += !ask_one(fd, &at, number, peer, tries);
		if (is_stopped() || now_ns() > until || (!peer->answers && silent == SILENT_MOST))
			break;
	}
	close(fd);
	peer_count(tries, PATHS_LABELS, peer);
	if (peer->answers && peer->ecn)
		echo_ask(to, port, &peer->echo);
	peer->asked = true;
}
