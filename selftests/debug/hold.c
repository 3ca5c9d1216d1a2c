// SPDX-License-Identifier: GPL-2.0
/*
 * hold [n=CONNECTIONS] [cc=NAME]: so many connections over loopback at once,
 * idle after one small exchange. Prints what memory they take.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

#define PORTS 8
#define FIRST_PORT 9100
#define BACKLOG 128

/* Kernel memory in KiB, of slabs and of pages that nobody counts. */
static long kernel_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	long free_kib = 0, anon = 0, value;
	char name[64];

	while (f && fscanf(f, "%63s %ld %*[^\n]", name, &value) == 2) {
		if (!strcmp(name, "MemFree:"))
			free_kib = value;
		else if (!strcmp(name, "AnonPages:"))
			anon = value;
	}
	if (f)
		fclose(f);
	return -free_kib - anon;
}

static struct sockaddr_in6 address(int i)
{
	return (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
		.sin6_port = htons(FIRST_PORT + i),
	};
}

/* The accepting side is cubic's: only one side's memory is of interest. */
static void listen_at(int *listening)
{
	int i, on = 1;

	for (i = 0; i < PORTS; i++) {
		struct sockaddr_in6 own = address(i);

		listening[i] = socket(AF_INET6, SOCK_STREAM, 0);
		setsockopt(listening[i], SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		cc_set(listening[i], "cubic");
		if (bind(listening[i], (void *)&own, sizeof(own)) ||
		    listen(listening[i], BACKLOG))
			die("hold: listen");
	}
}

static int connect_one(int i, int listening)
{
	struct sockaddr_in6 own = address(i % PORTS);
	int fd = socket(AF_INET6, SOCK_STREAM, 0), child;
	char byte = 0;

	if (fd < 0 || cc_set(fd, cc_any()) ||
	    connect(fd, (void *)&own, sizeof(own)))
		return -1;
	child = accept(listening, NULL, NULL);
	if (child < 0 || send(fd, &byte, 1, 0) != 1 || recv(child, &byte, 1, 0) != 1)
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	int listening[PORTS];
	long n, i, before;

	options_read(argc - 1, argv + 1);
	n = option_number("n", 1000);
	files_allow(2 * n + 100);
	listen_at(listening);
	before = kernel_memory();
	for (i = 0; i < n; i++) {
		if (connect_one(i, listening[i % PORTS])) {
			fprintf(stderr, "# connection %ld: %s\n", i, strerror(errno));
			break;
		}
		heartbeat("connections held", i, n);
	}
	printf("cc=%s held=%ld bytes_each=%ld\n", option_text("cc", "ours"), i,
	       i ? (kernel_memory() - before) * 1024 / i : 0);
	fflush(stdout);
	return i != n;
}
