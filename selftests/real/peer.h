/* SPDX-License-Identifier: GPL-2.0 */
/* What the test programs share: sockets, addresses, and dying with a reason. */
#ifndef SELFTESTS_REAL_PEER_H
#define SELFTESTS_REAL_PEER_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CC_NAME_MAX	16		/* TCP_CA_NAME_MAX of the kernel */
#define CC_INFO		26	/* TCP_CC_INFO, newer than the C library's header */
#define INFO_LAYOUT	2	/* DCC_INFO_LAYOUT */

/* What our algorithms tell of a flow, in the form of struct tcp_dctcp_info. */
struct flow_info {
	uint16_t layout;
	uint16_t bits;		/* DCC_INFO_* */
	uint32_t delay_ns;
	uint32_t base_ns;
	uint32_t priority;
};

static inline void die(const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s %s: %s\n",
		program_invocation_short_name, what, detail, strerror(errno));
	exit(1);
}

static inline void set_cc(int fd, const char *name)
{
	if (setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name)))
		die("setsockopt TCP_CONGESTION", name);
}

static inline void get_cc(int fd, char name[CC_NAME_MAX])
{
	socklen_t len = CC_NAME_MAX;

	memset(name, 0, CC_NAME_MAX);
	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &len))
		die("getsockopt", "TCP_CONGESTION");
}

/* All zero if another's algorithm, or another layout, has the flow. */
static inline struct flow_info get_info(int fd)
{
	struct flow_info info = { 0 }, none = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, CC_INFO, &info, &len))
		die("getsockopt", "TCP_CC_INFO");
	return len == sizeof(info) && info.layout == INFO_LAYOUT ? info : none;
}

static inline void write_all(int fd, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0)
			die("write to", "peer");
		p += done;
		n -= done;
	}
}

/* Fills in the address of either family and returns its length. */
static inline socklen_t parse_address(const char *text, const char *port,
				      struct sockaddr_storage *to)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)to;
	struct sockaddr_in *four = (struct sockaddr_in *)to;

	memset(to, 0, sizeof(*to));
	if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
		to->ss_family = AF_INET6;
		six->sin6_port = htons(atoi(port));
		return sizeof(*six);
	}
	if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
		to->ss_family = AF_INET;
		four->sin_port = htons(atoi(port));
		return sizeof(*four);
	}
	errno = EINVAL;
	die("not an address:", text);
	return 0;
}

#endif
