// SPDX-License-Identifier: GPL-2.0
/*
 * What no well-behaved program does to a socket, for tests on real kernels.
 *
 *   abuse as UID PROGRAM [ARG...]     as a user without privileges
 *   abuse reconnect CC ADDRESS PORT COMMAND
 *       connect, disconnect, run COMMAND, connect the same socket again; prints
 *       "first=ecn second=plain": what each connection negotiated
 *   abuse late CC ADDRESS PORT BYTES
 *       choose CC while the SYN is on its way, then send; prints the flow's
 *       information bits and what was negotiated: "bits=128 plain"
 *   abuse again CC ADDRESS PORT TIMES
 *       choose CC, which an established connection runs, once more, TIMES times
 *   abuse starved CC ADDRESS PORT COMMAND COMMAND BYTES
 *       choose CC between the first and the second command, then send; prints
 *       whether the flow was without memory, and is: "without=1 then=0"
 *   abuse idle COUNT BYTES CC...
 *       hold COUNT connections of each to a listener of the first CC, idle after
 *       they sent BYTES; prints the kernel memory that one takes, both ends:
 *       "cubic=5900 nscc=6600"
 *   abuse charged FOLDER COUNT BYTES CC...
 *       the same, by what the memory cgroup in FOLDER, which has this process,
 *       is charged for
 *   abuse namespaces FOLDER COUNT
 *       what the cgroup in FOLDER is charged for a network namespace, of COUNT
 *   abuse knobs FOLDER CC
 *       connections of CC while the knobs init_cwnd and line_rate_mbps in FOLDER
 *       are written in turn, both ever larger; prints how many began with what
 *       never stood together: "flows=900 torn=0"
 *   abuse accecn CC ADDRESS PORT BYTES
 *       send; prints the flow's information bits and what Accurate ECN came to:
 *       "bits=0 mode=2 fail=0"
 *   abuse smc CC ADDRESS PORT COUNT
 *       connections of COUNT sockets whose operations are in their own memory: of SMC,
 *       which could not listen; prints how many of them have ours: "wrapped=0"
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "peer.h"

#define KNOB_FLOWS	100	/* that begin while knobs are written, at least */
#define CONNECT_MS	20000	/* more than a SYN that is sent three times */
#define CHUNK		1000
#define SMC_PORT	41000	/* and the next ones */
#define MEMINFO		"/proc/meminfo"
/*
 * struct tcp_info where there is Accurate ECN, newer than the C library's: the
 * byte after tcpi_received_ce_bytes has tcpi_ecn_mode in two bits,
 * tcpi_accecn_opt_seen in two and tcpi_accecn_fail_mode in four.
 */
#define INFO_BYTES	280
#define ACCECN_BYTE	276
#define PACING_BYTE	104	/* tcpi_pacing_rate, likewise */
#define KNOB_MIN	10
#define KNOB_MAX	20000
/* The kernel brings a cgroup's counts up to date every two seconds. */
#define CHARGE_S	3

static const char *negotiated(int fd)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		die("getsockopt", "TCP_INFO");
	return info.tcpi_options & TCPI_OPT_ECN ? "ecn" : "plain";
}

static unsigned int state_of(int fd)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		die("getsockopt", "TCP_INFO");
	return info.tcpi_state;
}

static unsigned int info_bits(int fd)
{
	return get_info(fd).bits;
}

static int as_user(const char *uid, char **command)
{
	uid_t id = strtoul(uid, NULL, 0);

	if (setgroups(0, NULL) || setresgid(id, id, id) || setresuid(id, id, id))
		die("cannot become user", uid);
	execvp(command[0], command);
	die("cannot run", command[0]);
	return 1;
}

static void connect_fd(int fd, const struct sockaddr_storage *to, socklen_t len)
{
	if (connect(fd, (const struct sockaddr *)to, len))
		die("connect", "again or for the first time");
}

static int reconnect(const char *cc, const char *address, const char *port,
		     const char *command)
{
	struct sockaddr_storage to, nowhere = { .ss_family = AF_UNSPEC };
	socklen_t len = parse_address(address, port, &to);
	int fd = socket(to.ss_family, SOCK_STREAM, 0);
	const char *first;

	set_cc(fd, cc);
	connect_fd(fd, &to, len);
	first = negotiated(fd);
	connect_fd(fd, &nowhere, sizeof(nowhere));
	if (system(command)) {
		errno = ECHILD;
		die("command failed:", command);
	}
	connect_fd(fd, &to, len);
	printf("first=%s second=%s\n", first, negotiated(fd));
	return 0;
}

/* Writes and waits until the peer has answered the end of the stream. */
static void send_and_end(int fd, unsigned long bytes)
{
	char buf[CHUNK] = { 0 };

	for (; bytes > CHUNK; bytes -= CHUNK)
		write_all(fd, buf, CHUNK);
	write_all(fd, buf, bytes);
	shutdown(fd, SHUT_WR);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
}

static int late(const char *cc, const char *address, const char *port,
		const char *bytes)
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(address, port, &to);
	int fd = socket(to.ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	struct pollfd done = { .fd = fd, .events = POLLOUT };

	if (!connect(fd, (struct sockaddr *)&to, len) || errno != EINPROGRESS)
		die("connect did not begin to", address);
	set_cc(fd, cc);
	if (state_of(fd) != TCP_SYN_SENT)
		die("the path is too short for this test to", address);
	if (poll(&done, 1, CONNECT_MS) != 1 || state_of(fd) != TCP_ESTABLISHED)
		die("no connection to", address);
	fcntl(fd, F_SETFL, 0);
	printf("bits=%u %s\n", info_bits(fd), negotiated(fd));
	send_and_end(fd, strtoul(bytes, NULL, 0));
	return 0;
}

/* Memory is missing between the two commands; the second shall end that. */
static int starved(char **arg)
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(arg[1], arg[2], &to);
	int fd = socket(to.ss_family, SOCK_STREAM, 0);
	unsigned int without;

	connect_fd(fd, &to, len);
	if (system(arg[3]))
		die("cannot run", arg[3]);
	set_cc(fd, arg[0]);
	if (system(arg[4]))
		die("cannot run", arg[4]);
	without = info_bits(fd);
	send_and_end(fd, strtoul(arg[5], NULL, 0));
	printf("without=%u then=%u\n", !!(without & DCC_INFO_NO_MEMORY),
	       !!(info_bits(fd) & DCC_INFO_NO_MEMORY));
	return 0;
}

static int again(const char *cc, const char *address, const char *port,
		 const char *times)
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(address, port, &to);
	int fd = socket(to.ss_family, SOCK_STREAM, 0);

	set_cc(fd, cc);
	connect_fd(fd, &to, len);
	for (int i = atoi(times); i > 0; i--)
		set_cc(fd, cc);
	printf("%s\n", negotiated(fd));
	send_and_end(fd, CHUNK);
	return 0;
}

static int accecn(const char *cc, const char *address, const char *port,
		  const char *bytes)
{
	struct sockaddr_storage to;
	socklen_t to_len = parse_address(address, port, &to), len = INFO_BYTES;
	int fd = socket(to.ss_family, SOCK_STREAM, 0);
	uint8_t info[INFO_BYTES] = { 0 };

	set_cc(fd, cc);
	connect_fd(fd, &to, to_len);
	send_and_end(fd, strtoul(bytes, NULL, 0));
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len) || len < INFO_BYTES)
		die("getsockopt", "TCP_INFO");
	printf("bits=%u mode=%u fail=%u\n", info_bits(fd), info[ACCECN_BYTE] & 3,
	       info[ACCECN_BYTE] >> 4);
	return 0;
}

/* A socket on a port of this host. */
static int bound(int family, int port)
{
	struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(family, SOCK_STREAM, 0), on = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (struct sockaddr *)&here, sizeof(here)))
		die("cannot bind", "a socket");
	return fd;
}

/*
 * Another one listens at its port. SMC gives its TCP socket operations before it
 * tries to listen, and leaves them there.
 */
static int smc_connected(const char *cc, const struct sockaddr_storage *to, socklen_t len,
			 int port)
{
	int other = bound(AF_INET, port), fd = bound(AF_SMC, port);

	if (listen(other, 1))
		die("listen", "TCP");
	if (!listen(fd, 1) || errno != EADDRINUSE)
		die("listens after all", "SMC");
	close(other);
	set_cc(fd, cc);
	connect_fd(fd, to, len);
	return fd;
}

static int smc(const char *cc, const char *address, const char *port, int count)
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(address, port, &to);
	unsigned int wrapped = 0;
	int fd;

	for (int i = 0; i < count; i++) {
		fd = smc_connected(cc, &to, len, SMC_PORT + i);
		write_all(fd, "", 1);
		wrapped += !(info_bits(fd) & DCC_INFO_NOT_WRAPPED);
	}
	printf("wrapped=%u\n", wrapped);
	return 0;
}

/* The number in the line of a file that begins with a name. */
static long number_of(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	char line[128];
	long number = -1;

	if (!f)
		die("cannot open", path);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			number = strtol(line + strlen(name), NULL, 10);
	fclose(f);
	if (number < 0)
		die("no such line:", name);
	return number;
}

/* The cgroup that pays, or NULL: measure what all pay. */
static const char *charged;

/* Where the kernel keeps what it allocates for a socket, whatever the size. */
static long kernel_memory(void)
{
	if (charged) {
		sleep(CHARGE_S);
		return number_of(charged, "slab_unreclaimable ");
	}
	return (number_of(MEMINFO, "SUnreclaim:") +
		number_of(MEMINFO, "VmallocUsed:")) * 1024;
}

static int listen_here(struct sockaddr_in6 *at, const char *cc)
{
	socklen_t len = sizeof(*at);
	int fd = socket(AF_INET6, SOCK_STREAM, 0);

	*at = (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	set_cc(fd, cc);
	if (bind(fd, (struct sockaddr *)at, len) || listen(fd, 16) ||
	    getsockname(fd, (struct sockaddr *)at, &len))
		die("listen on", "loopback");
	return fd;
}

/* Small packets, and none of them left anywhere. */
static void exchange(int from, int to, unsigned long bytes)
{
	char buf[CHUNK] = { 0 };
	int on = 1;

	setsockopt(from, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	for (; bytes; bytes -= sizeof(buf)) {
		write_all(from, buf, sizeof(buf));
		if (recv(to, buf, sizeof(buf), MSG_WAITALL) != sizeof(buf))
			die("recv", "of what was sent");
	}
}

/* Both ends stay open: what one batch took is not free for the next. */
static void connect_many(int listener, const struct sockaddr_in6 *to,
			 const char *cc, int count, unsigned long bytes)
{
	for (int i = 0; i < count; i++) {
		int fd = socket(AF_INET6, SOCK_STREAM, 0), child;

		set_cc(fd, cc);
		if (connect(fd, (const struct sockaddr *)to, sizeof(*to)))
			die("no connection of", cc);
		child = accept(listener, NULL, NULL);
		if (child < 0)
			die("accept one of", cc);
		exchange(fd, child, bytes);
	}
}

/* The processes of a cgroup are told of its folder's files. */
static void charge_to(const char *folder)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	charged = path;
}

/* So many, in a table that grows now and not while something is measured. */
static void files_allow(rlim_t n)
{
	struct rlimit files = { n, n };

	if (setrlimit(RLIMIT_NOFILE, &files) || dup2(STDIN_FILENO, n - 1) < 0)
		die("setrlimit", "RLIMIT_NOFILE");
	close(n - 1);
}

/* Both ends of each batch, the first one twice, and some to spare. What is there
 * after a batch is what is there before the next: a reading may take seconds.
 */
static int idle(int count, unsigned long bytes, char **names, int n_names)
{
	struct sockaddr_in6 to;
	long before, after;
	int listener;

	files_allow(2 * (n_names + 2) * count);
	/* use up what earlier sockets left in the caches */
	listener = listen_here(&to, names[0]);
	bytes = bytes / CHUNK * CHUNK;
	connect_many(listener, &to, names[0], count, bytes);
	before = kernel_memory();
	for (int i = 0; i < n_names; i++, before = after) {
		connect_many(listener, &to, names[i], count, bytes);
		after = kernel_memory();
		printf("%s=%ld%c", names[i], (after - before) / count,
		       i + 1 < n_names ? ' ' : '\n');
	}
	return 0;
}

static int namespaces(const char *folder, int count)
{
	long before;

	charge_to(folder);
	files_allow(count + 64);
	before = kernel_memory();
	for (int i = 0; i < count; i++)
		if (unshare(CLONE_NEWNET) || open("/proc/self/ns/net", O_RDONLY) < 0)
			die("no namespace", "of the network");
	printf("bytes=%ld\n", (kernel_memory() - before) / count);
	return 0;
}

static int knob_open(const char *folder, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		die("cannot open", path);
	return fd;
}

static void knob_write(int fd, int value)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d\n", value);

	if (pwrite(fd, text, len, 0) != len)
		die("cannot write a knob:", text);
}

/* What a flow began with: init_cwnd, and a rate in proportion to the other. */
static uint32_t first_values(int listener, const struct sockaddr_in6 *to,
			     const char *cc, double *rate)
{
	int fd = socket(AF_INET6, SOCK_STREAM, 0), child;
	uint8_t info[INFO_BYTES] = { 0 };
	socklen_t len = sizeof(info);
	uint64_t pacing;

	set_cc(fd, cc);
	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)) ||
	    getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len))
		die("no connection of", cc);
	memcpy(&pacing, info + PACING_BYTE, sizeof(pacing));
	*rate = pacing;
	child = accept(listener, NULL, NULL);
	close(fd);
	close(child);
	return ((struct tcp_info *)info)->tcpi_snd_cwnd;
}

/* One after the other, for ever larger values. */
static pid_t knobs_grow(int first, int second)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (int i = KNOB_MIN; i <= KNOB_MAX; i++) {
		knob_write(first, i);
		knob_write(second, i);
	}
	_exit(0);
}

/*
 * The first knob is at most one ahead of the second, and never behind it. On a busy
 * host they are written so often more that enough flows begin meanwhile.
 */
static int knobs(const char *folder, const char *cc)
{
	int first = knob_open(folder, "init_cwnd"), flows = 0, torn = 0;
	int second = knob_open(folder, "line_rate_mbps");
	struct sockaddr_in6 to;
	int listener = listen_here(&to, "cubic");
	double rate, per_mbps;

	knob_write(second, KNOB_MAX);
	first_values(listener, &to, cc, &per_mbps);
	per_mbps /= KNOB_MAX;
	while (flows < KNOB_FLOWS) {
		pid_t writer;

		knob_write(second, KNOB_MIN);
		knob_write(first, KNOB_MIN);
		writer = knobs_grow(first, second);
		while (!waitpid(writer, NULL, WNOHANG)) {
			int cwnd = first_values(listener, &to, cc, &rate);
			int mbps = rate / per_mbps + 0.5;

			torn += cwnd != mbps && cwnd != mbps + 1;
			flows++;
		}
	}
	printf("flows=%d torn=%d\n", flows, torn);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (argc > 3 && !strcmp(mode, "as"))
		return as_user(argv[2], argv + 3);
	if (argc == 6 && !strcmp(mode, "reconnect"))
		return reconnect(argv[2], argv[3], argv[4], argv[5]);
	if (argc == 6 && !strcmp(mode, "late"))
		return late(argv[2], argv[3], argv[4], argv[5]);
	if (argc == 6 && !strcmp(mode, "again"))
		return again(argv[2], argv[3], argv[4], argv[5]);
	if (argc > 4 && !strcmp(mode, "idle"))
		return idle(atoi(argv[2]), atoi(argv[3]), argv + 4, argc - 4);
	if (argc > 5 && !strcmp(mode, "charged")) {
		charge_to(argv[2]);
		return idle(atoi(argv[3]), atoi(argv[4]), argv + 5, argc - 5);
	}
	if (argc == 4 && !strcmp(mode, "namespaces"))
		return namespaces(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(mode, "knobs"))
		return knobs(argv[2], argv[3]);
	if (argc == 8 && !strcmp(mode, "starved"))
		return starved(argv + 2);
	if (argc == 6 && !strcmp(mode, "accecn"))
		return accecn(argv[2], argv[3], argv[4], argv[5]);
	if (argc == 6 && !strcmp(mode, "smc"))
		return smc(argv[2], argv[3], argv[4], atoi(argv[5]));
	fprintf(stderr, "usage: abuse as UID PROGRAM [ARG...]\n"
		"       abuse reconnect CC ADDRESS PORT COMMAND\n"
		"       abuse late CC ADDRESS PORT BYTES\n"
		"       abuse again CC ADDRESS PORT TIMES\n"
		"       abuse starved CC ADDRESS PORT COMMAND COMMAND BYTES\n"
		"       abuse idle COUNT BYTES CC...\n"
		"       abuse charged FOLDER COUNT BYTES CC...\n"
		"       abuse namespaces FOLDER COUNT\n"
		"       abuse knobs FOLDER CC\n"
		"       abuse accecn CC ADDRESS PORT BYTES\n"
		"       abuse smc CC ADDRESS PORT COUNT\n");
	return 2;
}
