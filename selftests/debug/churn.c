// SPDX-License-Identifier: GPL-2.0
/*
 * What comes and goes.
 *
 *	churn modules FOLDER MODULES [n=CYCLES] [pause_ms=MOST] [fail=1] [cc=A,B]
 *		loads tcp_dcc and the algorithms' modules from FOLDER and unloads
 *		them, while connections over loopback ask for the algorithms.
 *		Asking loads them, too: a load may find that it came second. Else
 *		every load has to succeed. With fail=1 there are no connections,
 *		and allocations of the loading process may fail (failslab with
 *		task-filter).
 *	churn namespaces [n=COUNT] [cc=A,B]
 *		makes namespaces, each with a connection that is still open
 *		when it goes.
 *
 * Prints counts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

#define MODULES_MAX 16
#define PATH_SIZE 256
#define DATA_SIZE 20000
#define CLIENTS 3
#define CLIENT_PORT 9000
#define CLIENT_PAUSE_US 400000 /* else they take the processors from the loader */
#define LOADER_PAUSE_US 2000000 /* modprobe is a program, and emulated */
#define NOBODY 1000
#define UNLOAD_TRIES 50

/* The first one is what the others need. */
static char *modules[MODULES_MAX];
static int module_count;

/* Given to the algorithms' modules; tcp_dcc has its own. */
static const char *const parameters[] = {
	"", "spray=oblivious", "spray=reps", "records=16",
	"spray=bitmap records=64", "spray=mixed", "spray=mrc records=16"
};

static void name_modules(char *list)
{
	char *name = strtok(list, " ");

	for (; name && module_count < MODULES_MAX; name = strtok(NULL, " "))
		modules[module_count++] = name;
}

static int load(const char *folder, int which)
{
	const char *text = which ? parameters[random64() % 6] : "";
	char path[PATH_SIZE];
	int fd, result;

	snprintf(path, sizeof(path), "%s/%s.ko", folder, modules[which]);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	result = syscall(SYS_finit_module, fd, text, 0);
	close(fd);
	return result;
}

/* Tried for a while: connections that use the module end and others begin. */
static int unload(int which)
{
	int tries, result = -1;

	for (tries = 0; result && tries < UNLOAD_TRIES; tries++) {
		result = syscall(SYS_delete_module, modules[which], O_NONBLOCK);
		if (!result || (errno != EAGAIN && errno != EBUSY))
			break;
		usleep(1000);
	}
	return result;
}

/* One connection over loopback; what it still has in flight stays behind. */
static int connect_to_self(int port)
{
	struct sockaddr_in own = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	static const char data[DATA_SIZE];
	int listening = socket(AF_INET, SOCK_STREAM, 0), on = 1, result;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	cc_set(listening, cc_any());
	cc_set(fd, cc_any());
	if (bind(listening, (void *)&own, sizeof(own)) || listen(listening, 8))
		die("churn: listen");
	result = connect(fd, (void *)&own, sizeof(own));
	if (!result && send(fd, data, sizeof(data), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		result = -1;
	close(accept4(listening, NULL, NULL, SOCK_NONBLOCK));
	close(fd);
	close(listening);
	return result;
}

/*
 * Goes on until the parent ends. The first one may load what it asks for, by
 * modprobe; the others take what is there.
 */
static void start_client(int number)
{
	int port = CLIENT_PORT + number;
	long pause_us = number ? CLIENT_PAUSE_US : LOADER_PAUSE_US;

	if (fork())
		return;
	if (number && setuid(NOBODY))
		die("churn: setuid");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		connect_to_self(port);
		usleep(random64() % pause_us);
	}
}

static void let_allocations_fail(void)
{
	int fd = open("/proc/self/make-it-fail", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		die("churn: /proc/self/make-it-fail");
	close(fd);
}

static int churn_modules(const char *folder)
{
	long n = option_number("n", 100), pause_ms = option_number("pause_ms", 20);
	long i, loads = 0, failures = 0, unloads = 0, busy = 0;
	int fail = option_number("fail", 0), k;

	/* modprobe would load by allocations that do not fail */
	for (i = 0; !fail && i < CLIENTS; i++)
		start_client(i);
	if (fail)
		let_allocations_fail();
	for (i = 0; i < n; i++) {
		for (k = 0; k < module_count; k++) {
			if (!load(folder, k))
				loads++;
			else if (errno != EEXIST && errno != EBUSY && !failures++)
				perror("# the first load that failed");
		}
		usleep(random64() % (pause_ms * 1000 + 1));
		for (k = module_count; k-- > 0;) {
			if (!unload(k))
				unloads++;
			else if (errno == EAGAIN || errno == EBUSY)
				busy++;
		}
		heartbeat("module cycles", i, n);
	}
	printf("cycles=%ld loads=%ld failed=%ld unloads=%ld busy=%ld\n", n, loads,
	       failures, unloads, busy);
	return fail ? !failures && !loads : !loads || !unloads || failures;
}

static void loopback_up(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (ioctl(fd, SIOCSIFFLAGS, &r))
		die("churn: lo");
	close(fd);
}

static int churn_namespaces(void)
{
	long n = option_number("n", 100), i, good = 0;

	for (i = 0; i < n; i++) {
		pid_t child = fork();
		int status;

		if (!child) {
			if (unshare(CLONE_NEWNET))
				_exit(1);
			loopback_up();
			_exit(connect_to_self(9));
		}
		waitpid(child, &status, 0);
		good += WIFEXITED(status) && !WEXITSTATUS(status);
		heartbeat("namespaces", i, n);
	}
	printf("namespaces=%ld good=%ld\n", n, good);
	return good != n;
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc > 3 && !strcmp(argv[1], "modules")) {
		name_modules(argv[3]);
		options_read(argc - 4, argv + 4);
		return churn_modules(argv[2]);
	}
	if (argc > 1 && !strcmp(argv[1], "namespaces")) {
		options_read(argc - 2, argv + 2);
		return churn_namespaces();
	}
	fprintf(stderr, "usage: churn modules FOLDER MODULES | namespaces [key=value...]\n");
	return 2;
}
