/* SPDX-License-Identifier: GPL-2.0 */
/* What the test programs share: sockets, addresses, and dying with a reason. */
#ifndef SELFTESTS_REAL_PEER_H
#define SELFTESTS_REAL_PEER_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../common/ctl/dcc_cc_info.h"

#define CC_NAME_MAX	16		/* TCP_CA_NAME_MAX of the kernel */
#define CC_INFO		26	/* TCP_CC_INFO, newer than the C library's header */

static inline void die(const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s %s: %s\n",
		program_invocation_short_name, what, detail, strerror(errno));
	exit(1);
}

/* Sockets that are made from now on are of the namespace that ip netns knows by @name. */
static inline void enter(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die("no namespace", name);
	close(fd);
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

/* All zero but the layout if another's algorithm, or another layout, has the flow. */
static inline struct dcc_cc_info get_info(int fd)
{
	unsigned char data[DCC_CC_INFO_ROOM];
	socklen_t len = sizeof(data);
	struct dcc_cc_info info;

	if (getsockopt(fd, IPPROTO_TCP, CC_INFO, data, &len))
		die("getsockopt", "TCP_CC_INFO");
	dcc_cc_info_read(&info, data, len);
	return info;
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
