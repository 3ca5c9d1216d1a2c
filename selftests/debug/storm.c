// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic of all kinds, for kernels that watch themselves.
 *
 *	storm serve PORT [key=value...]
 *	storm send ADDRESS PORT [key=value...]
 *
 * Each connection carries a header, data, an answer whether the data was
 * right, and data back; how it ends otherwise is drawn from ways=. Meanwhile
 * threads change the congestion control of open connections and look at them.
 * Prints one line of counts; fails if data was wrong, if a connection got stuck
 * or (but for lenient=1) if none came to a good end.
 *
 *	cc=A,B		algorithms (those of OURS); serve: of listener and children
 *	n=, par=	connections, and how many at a time (100, 8)
 *	bytes=, back=	the most there and back (100000, 0)
 *	ways=A,B	whole reset leave half disconnect listen synsent repair
 *			addrform (whole)
 *	switchers=, watchers=	threads that set, that read (2, 1)
 *	pause_ms=	the most between two settings of a thread (0: mostly none)
 *	mptcp=1, tfo=1, tls=1	kinds of sockets; tls and tfo on both sides
 *	timeout=	seconds without progress that count as stuck (240)
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tls.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "stream.h"
#include "util.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif
#ifndef TCP_CC_INFO
#define TCP_CC_INFO 26
#endif
#ifndef SOL_TLS
#define SOL_TLS 282
#endif
#define REPAIR_ON 1
#define REPAIR_OFF (-1) /* TCP_REPAIR_OFF_NO_WP */

#define MAX_LIVE 1024
#define STACK_SIZE 131072
#define BACKLOG 1024
#define FASTOPEN_QUEUE 256

#define COUNTS(C)							\
	C(ok) C(bad) C(stuck) C(reset) C(refused) C(error) C(ended)	\
	C(bytes) C(switches) C(switches_refused) C(looks)

#define COUNT_INDEX(name) COUNT_##name,
#define COUNT_NAME(name) #name,
enum { COUNTS(COUNT_INDEX) COUNT_MAX };

static const char *const count_name[] = { COUNTS(COUNT_NAME) };
static atomic_long count[COUNT_MAX];

struct header {
	uint64_t seed, bytes, back;
};

enum way {
	WHOLE, RESET, LEAVE, HALF, DISCONNECT, LISTEN, SYNSENT, REPAIR,
	ADDRFORM, WAY_MAX
};

static const char *const way_name[] = {
	"whole", "reset", "leave", "half", "disconnect", "listen", "synsent",
	"repair", "addrform"
};

static enum way ways[WAY_MAX];
static int way_count;
static struct sockaddr_storage peer;
static socklen_t peer_size;
static int protocol, use_tfo, use_tls, timeout_s;
static long pause_us;
static long max_bytes, max_back, all_connections;
static atomic_long taken;
static atomic_int live[MAX_LIVE]; /* open descriptors, for the switchers */
static atomic_int stop;

static void patience(int fd)
{
	struct timeval t = { .tv_sec = timeout_s };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

/* Both sides use one fixed key: nothing here is secret. */
static int start_tls(int fd)
{
	struct tls12_crypto_info_aes_gcm_128 keys = {
		.info.version = TLS_1_2_VERSION,
		.info.cipher_type = TLS_CIPHER_AES_GCM_128,
	};

	if (setsockopt(fd, IPPROTO_TCP, TCP_ULP, "tls", sizeof("tls")))
		return -1;
	if (setsockopt(fd, SOL_TLS, TLS_TX, &keys, sizeof(keys)))
		return -1;
	return setsockopt(fd, SOL_TLS, TLS_RX, &keys, sizeof(keys));
}

static void *serve_one(void *arg)
{
	int fd = (int)(intptr_t)arg, wrong;
	struct header h;
	uint64_t answer;

	patience(fd);
	if (use_tls && start_tls(fd))
		goto out;
	if (read_all(fd, &h, sizeof(h)))
		goto out;
	wrong = read_stream(fd, h.seed, h.bytes);
	if (wrong < 0)
		goto out;
	answer = wrong ? ~h.bytes : h.bytes;
	if (!write_all(fd, &answer, sizeof(answer)))
		send_stream(fd, ~h.seed, h.back);
out:
	close(fd);
	return NULL;
}

static int listener(int port)
{
	struct sockaddr_in6 any = {
		.sin6_family = AF_INET6, .sin6_port = htons(port)
	};
	int fd = socket(AF_INET6, SOCK_STREAM, protocol), on = 1;
	int queue = FASTOPEN_QUEUE;

	if (fd < 0)
		die("socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (cc_set(fd, cc_any()))
		die("TCP_CONGESTION");
	if (use_tfo)
		setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN, &queue, sizeof(queue));
	if (bind(fd, (void *)&any, sizeof(any)) || listen(fd, BACKLOG))
		die("listen");
	return fd;
}

/* Accepted sockets inherit the listener's algorithm; some are given another. */
__attribute__((noreturn)) static void serve(int port)
{
	int listening = listener(port), fd;
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_SIZE);
	pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
	for (;;) {
		fd = accept(listening, NULL, NULL);
		if (fd < 0) {
			usleep(1000);
			continue;
		}
		if (one_in(3))
			cc_set(fd, cc_any());
		if (one_in(100))
			cc_set(listening, cc_any());
		if (pthread_create(&thread, &small, serve_one,
				   (void *)(intptr_t)fd))
			close(fd);
	}
}

static void failed(void)
{
	switch (errno) {
	case EAGAIN:
	case ETIMEDOUT:
	case EINPROGRESS:
		count[COUNT_stuck]++;
		break;
	case ECONNRESET:
	case EPIPE:
		count[COUNT_reset]++;
		break;
	case ECONNREFUSED:
		count[COUNT_refused]++;
		break;
	default:
		if (!count[COUNT_error]++)
			perror("# storm");
	}
}

static void hang_up(int fd, int reset)
{
	struct linger at_once = { 1, 0 };

	if (fd < MAX_LIVE)
		live[fd] = 0;
	if (reset)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

/* Algorithms change while the SYN is on its way. */
static int connect_slowly(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLOUT };
	int flags = fcntl(fd, F_GETFL), error = 0, i;
	socklen_t size = sizeof(error);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	if (connect(fd, (void *)&peer, peer_size) && errno != EINPROGRESS)
		return -1;
	for (i = 0; i < 4; i++)
		cc_set(fd, cc_any());
	if (poll(&poller, 1, timeout_s * 1000) != 1) {
		errno = ETIMEDOUT;
		return -1;
	}
	fcntl(fd, F_SETFL, flags);
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
	errno = error;
	return error ? -1 : 0;
}

static int dial(enum way way)
{
	int fd = socket(peer.ss_family, SOCK_STREAM, protocol), on = 1;

	if (fd < 0)
		return -1;
	patience(fd);
	if (cc_set(fd, cc_any()))
		count[COUNT_switches_refused]++;
	if (use_tfo)
		setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof(on));
	if (fd < MAX_LIVE)
		live[fd] = 1;
	if (way == SYNSENT ? connect_slowly(fd) :
			     connect(fd, (void *)&peer, peer_size) ||
				     (use_tls && start_tls(fd))) {
		int error = errno;

		hang_up(fd, 0);
		errno = error;
		return -1;
	}
	return fd;
}

/* The socket that was connected becomes a listener, and is connected to. */
static int become_listener(int fd)
{
	struct sockaddr_storage own;
	socklen_t size = sizeof(own);
	int child, caller;

	if (listen(fd, 4) || getsockname(fd, (void *)&own, &size))
		return -1;
	caller = socket(own.ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	cc_set(caller, cc_any());
	connect(caller, (void *)&own, size);
	child = accept4(fd, NULL, NULL, 0);
	if (child >= 0) {
		send_stream(child, 0, 1000);
		close(child);
	}
	close(caller);
	return child < 0 ? -1 : 0;
}

static int disconnect(int fd)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };

	return connect(fd, &none, sizeof(none));
}

static void repair(int fd)
{
	int on = REPAIR_ON, off = REPAIR_OFF;

	setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on));
	cc_set(fd, cc_any());
	cc_set_again(fd);
	setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &off, sizeof(off));
}

/* From an IPv6 socket to an IPv4 one: other operations under the algorithm. */
static void become_ipv4(int fd)
{
	int family = AF_INET;

	setsockopt(fd, IPPROTO_IPV6, IPV6_ADDRFORM, &family, sizeof(family));
}

/* Header, data, answer, data back. */
static int talk(int fd, const struct header *h)
{
	uint64_t answer;
	int wrong;

	if (send_stream(fd, h->seed, h->bytes) ||
	    read_all(fd, &answer, sizeof(answer)))
		return -1;
	wrong = read_stream(fd, ~h->seed, h->back);
	if (wrong < 0)
		return -1;
	count[wrong || answer != h->bytes ? COUNT_bad : COUNT_ok]++;
	count[COUNT_bytes] += h->bytes + h->back;
	return 0;
}

/* What is special, in the middle. 1: go on, 0: this was it, -1: failed. */
static int go_the_way(int fd, enum way way, const struct header *h)
{
	if (way == REPAIR)
		repair(fd);
	else if (way == ADDRFORM)
		become_ipv4(fd);
	if (way == WHOLE || way == SYNSENT || way == REPAIR || way == ADDRFORM)
		return 1;
	if (send_stream(fd, h->seed, h->bytes / (way == HALF ? 1 : 2)))
		return -1;
	if (way == HALF)
		return shutdown(fd, SHUT_WR);
	if (way == RESET || way == LEAVE)
		return 0;
	if (disconnect(fd))
		return -1;
	if (way == LISTEN)
		return become_listener(fd);
	if (connect(fd, (void *)&peer, peer_size) ||
	    write_all(fd, h, sizeof(*h)))
		return -1;
	return 1;
}

/* The first one goes all the way, whatever is drawn for the others. */
static void one_connection(long number)
{
	enum way way = number ? ways[random64() % way_count] : WHOLE;
	struct header h = {
		random64(), random64() % (max_bytes + 1),
		max_back ? random64() % (max_back + 1) : 0
	};
	int fd = dial(way), next;

	if (fd < 0) {
		failed();
		return;
	}
	if (use_tfo && one_in(2))
		cc_set(fd, cc_any()); /* the SYN has not left yet */
	next = write_all(fd, &h, sizeof(h)) ? -1 : go_the_way(fd, way, &h);
	if (next > 0)
		next = talk(fd, &h);
	else if (!next)
		count[COUNT_ended]++;
	if (next < 0)
		failed();
	hang_up(fd, way == RESET);
}

static void *connections(void *unused)
{
	long number;

	while ((number = taken++) < all_connections) {
		one_connection(number);
		heartbeat("storm", number, all_connections);
	}
	return unused;
}

static int any_live(void)
{
	int from = random64() % MAX_LIVE, i;

	for (i = 0; i < MAX_LIVE; i++)
		if (live[(from + i) % MAX_LIVE])
			return (from + i) % MAX_LIVE;
	usleep(1000);
	return -1;
}

static void *switcher(void *unused)
{
	while (!stop) {
		int fd = any_live();

		if (fd < 0)
			continue;
		if (one_in(4) ? cc_set_again(fd) : cc_set(fd, cc_any()))
			count[COUNT_switches_refused]++;
		else
			count[COUNT_switches]++;
		if (pause_us)
			usleep(random64() % pause_us);
		else if (one_in(8))
			usleep(random64() % 3000);
	}
	return unused;
}

static void *watcher(void *unused)
{
	static const int names[] = { TCP_INFO, TCP_CC_INFO, TCP_CONGESTION };

	while (!stop) {
		int fd = any_live(), i;

		for (i = 0; fd >= 0 && i < 3; i++) {
			char buffer[256];
			socklen_t size = sizeof(buffer);

			getsockopt(fd, IPPROTO_TCP, names[i], buffer, &size);
			count[COUNT_looks]++;
		}
		usleep(1000);
	}
	return unused;
}

static int start(pthread_t *t, long n, void *(*body)(void *))
{
	pthread_attr_t small;
	long i;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_SIZE);
	for (i = 0; i < n; i++) {
		errno = pthread_create(&t[i], &small, body, NULL);
		if (errno)
			die("thread");
	}
	return n;
}

static void report(long seconds)
{
	int i;

	printf("connections=%ld", all_connections);
	for (i = 0; i < COUNT_MAX; i++)
		if (count[i])
			printf(" %s=%ld", count_name[i], (long)count[i]);
	printf(" seconds=%ld\n", seconds);
}

static int send_all(void)
{
	long par = option_number("par", 8), i;
	long others = option_number("switchers", 2);
	pthread_t thread[par], other[64];
	time_t begin = time(NULL);

	start(thread, par, connections);
	start(other, others, switcher);
	others += start(other + others, option_number("watchers", 1), watcher);
	for (i = 0; i < par; i++)
		pthread_join(thread[i], NULL);
	stop = 1;
	for (i = 0; i < others; i++)
		pthread_join(other[i], NULL);
	report(time(NULL) - begin);
	if (option_number("lenient", 0))
		return count[COUNT_bad] != 0;
	return count[COUNT_bad] || count[COUNT_stuck] || !count[COUNT_ok];
}

static void read_ways(const char *list)
{
	while (*list) {
		size_t n = strcspn(list, ",");
		int i;

		for (i = 0; i < WAY_MAX; i++)
			if (strlen(way_name[i]) == n && !strncmp(list, way_name[i], n))
				break;
		if (i == WAY_MAX || way_count == WAY_MAX) {
			fprintf(stderr, "ways=%s: not a way, or too many\n", list);
			exit(2);
		}
		ways[way_count++] = i;
		list += n + (list[n] == ',');
	}
}

static void read_peer(const char *address, const char *port)
{
	struct sockaddr_in6 *six = (void *)&peer;
	struct sockaddr_in *four = (void *)&peer;

	if (inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(atoi(port));
		peer_size = sizeof(*six);
	} else if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons(atoi(port));
		peer_size = sizeof(*four);
	} else {
		fprintf(stderr, "'%s': an IPv6 or IPv4 address is wanted\n", address);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	int sending = argc > 3 && !strcmp(argv[1], "send");

	if (!sending && (argc < 3 || strcmp(argv[1], "serve"))) {
		fprintf(stderr, "usage: storm serve PORT | send ADDRESS PORT [key=value...]\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	options_read(argc - 3 - sending, argv + 3 + sending);
	files_allow(16384);
	protocol = option_number("mptcp", 0) ? IPPROTO_MPTCP : 0;
	use_tfo = option_number("tfo", 0);
	use_tls = option_number("tls", 0);
	timeout_s = option_number("timeout", 240);
	pause_us = option_number("pause_ms", 0) * 1000;
	if (!sending)
		serve(atoi(argv[2]));
	read_peer(argv[2], argv[3]);
	read_ways(option_text("ways", "whole"));
	max_bytes = option_number("bytes", 100000);
	max_back = option_number("back", 0);
	all_connections = option_number("n", 100);
	return send_all();
}
