// SPDX-License-Identifier: GPL-2.0
/*
 * What a transfer costs, in an emulated machine with one processor whose time stamp
 * counter counts instructions (qemu's -icount shift=0,sleep=off).
 *
 *   flows DEVICE ADDRESS KEY=VALUE...
 *
 * One program has both ends: it listens on ADDRESS in the network namespace b and
 * sends from the namespace a, out of DEVICE. Keys:
 *
 *   cc=NAME       algorithm of the senders
 *   flows=N       so many at once (1)
 *   first=BYTES   that each sends before anything is counted (0)
 *   bytes=BYTES   that each sends while it is counted
 *   window=BYTES  most of a flow that are on their way (64 KiB)
 *   rate=BYTES    most that a flow sends in a second (any)
 *   meter=F,...   functions to meter (/proc/meter); the counted part is sent once more
 *   held=S        nothing is to be sent: the flows are held, and this is what is counted,
 *                 for so long. SETTLE_S before, each is given its bytes
 *   delay=MS      with held: of DEVICE, by netem, from when all are connected
 *
 * Prints a line of NAME=VALUE:
 *
 *   busy          instructions of the whole machine, idle time taken off
 *   total         with it, hence the time taken, ns
 *   packets       of data, of full size (a GSO packet is many)
 *   sent, heard   what left DEVICE, and what came to it: GSO packets, and ACKs
 *   timers        timer interrupts
 *   resent        packets sent again
 *   cwnd          the first flow's window, packets
 *
 * with held busy, total, sent, heard, timers and probes, those of the module's counter,
 * and if something was metered, of the second time, packets2, sent2, heard2 and for
 * each function F.calls, F.counted, F.instructions.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <x86intrin.h>

#include "../real/peer.h"

#define CHUNK		65536
#define EVENTS		64
#define TEXT		65536	/* most that a file of /proc has here */
#define NSEC_PER_USEC	1000
#define SETTLE_S	15	/* for probes to learn how long answers take */
#define SPARE_FILES	64
#define BACKLOG		128

struct flow {
	int sender;
	int receiver;
	uint64_t left;		/* bytes not yet written */
};

struct plan {
	const char *device;
	const char *cc;
	unsigned int flows;
	uint64_t first;
	uint64_t bytes;
	int window;
	uint64_t rate;
	char *meter;
	unsigned int held;	/* s */
	const char *delay;	/* ms */
};

/* What is counted from the start of the machine. */
struct counts {
	uint64_t clock;
	uint64_t idle;
	uint64_t timers;
	uint64_t sent;
	uint64_t heard;
	uint64_t probes;
};

static struct flow *flows;
static char buffer[CHUNK];
static int poller;

/* A whole file of /proc. */
static const char *text_of(const char *path)
{
	static char text[TEXT];
	int fd = open(path, O_RDONLY);
	size_t size = 0;
	ssize_t n;

	if (fd < 0)
		die("cannot open", path);
	while ((n = read(fd, text + size, sizeof(text) - 1 - size)) > 0)
		size += n;
	close(fd);
	text[size] = '\0';
	return text;
}

/* The number behind a word and whatever is between. */
static uint64_t number_behind(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	if (!at) {
		errno = ENOENT;
		die("no such number:", word);
	}
	at += strlen(word);
	return strtoull(at + strcspn(at, "0123456789"), NULL, 10);
}

/* All but the clock, which is looked at first or last: what is read here costs. */
static void count_rest(struct counts *c, const char *device)
{
	unsigned long long in, out;
	const char *text = text_of("/proc/meter_cpu");

	c->idle = NSEC_PER_USEC * number_behind(text, "idle_us");
	c->timers = number_behind(text, "timers");
	text = strstr(text_of("/proc/self/net/dev"), device);
	if (!text || sscanf(text + strlen(device),
			    ": %*u %llu %*u %*u %*u %*u %*u %*u %*u %llu",
			    &in, &out) != 2)
		die("no such device:", device);
	c->heard = in;
	c->sent = out;
}

static struct counts difference(const struct counts *after,
				const struct counts *before)
{
	return (struct counts) {
		.clock = after->clock - before->clock,
		.idle = after->idle - before->idle,
		.timers = after->timers - before->timers,
		.sent = after->sent - before->sent,
		.heard = after->heard - before->heard,
		.probes = after->probes - before->probes,
	};
}

static void option(int fd, int level, int name, int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		die("setsockopt", "of a number");
}

static void watch(int fd, unsigned int number, bool sender)
{
	struct epoll_event event = {
		.events = EPOLLET | (sender ? EPOLLOUT : EPOLLIN),
		.data.u32 = number << 1 | sender,
	};

	if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event))
		die("epoll_ctl", "a socket");
}

static int listen_on(struct sockaddr_storage *to, socklen_t len, int window)
{
	int fd = socket(to->ss_family, SOCK_STREAM, 0);

	option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	/* its memory does not bound what is on its way, the window does */
	option(fd, SOL_SOCKET, SO_RCVBUF, 8 * window + CHUNK);
	option(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP, window);
	if (bind(fd, (struct sockaddr *)to, len) || listen(fd, BACKLOG))
		die("listen", "in b");
	return fd;
}

static void connect_one(struct flow *f, const struct plan *p, int listener,
			const struct sockaddr_storage *to, socklen_t len)
{
	f->sender = socket(to->ss_family, SOCK_STREAM, 0);
	set_cc(f->sender, p->cc);
	if (p->rate && setsockopt(f->sender, SOL_SOCKET, SO_MAX_PACING_RATE,
				  &p->rate, sizeof(p->rate)))
		die("setsockopt", "SO_MAX_PACING_RATE");
	option(f->sender, SOL_SOCKET, SO_SNDBUF, 2 * p->window + CHUNK);
	if (connect(f->sender, (const struct sockaddr *)to, len))
		die("connect", "from a");
	f->receiver = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	if (f->receiver < 0)
		die("accept", "in b");
	fcntl(f->sender, F_SETFL, O_NONBLOCK);
	watch(f->sender, f - flows, true);
	watch(f->receiver, f - flows, false);
}

static void connect_all(const struct plan *p, const char *address)
{
	struct rlimit files = { 2 * p->flows + SPARE_FILES, 2 * p->flows + SPARE_FILES };
	struct sockaddr_storage to;
	socklen_t len = parse_address(address, "7000", &to);
	int listener;

	if (setrlimit(RLIMIT_NOFILE, &files))
		die("setrlimit", "RLIMIT_NOFILE");
	flows = calloc(p->flows, sizeof(*flows));
	poller = epoll_create1(0);
	enter("b");
	listener = listen_on(&to, len, p->window);
	enter("a");
	for (unsigned int i = 0; i < p->flows; i++)
		connect_one(&flows[i], p, listener, &to, len);
	close(listener);
}

/* As much as fits; what does not is asked for again by EPOLLOUT. */
static void send_some(struct flow *f)
{
	while (f->left) {
		size_t n = f->left < CHUNK ? f->left : CHUNK;
		ssize_t done = write(f->sender, buffer, n);

		if (done < 0 && errno == EAGAIN)
			return;
		if (done < 0)
			die("write", "from a");
		f->left -= done;
	}
}

static uint64_t receive_some(const struct flow *f)
{
	uint64_t got = 0;
	ssize_t n;

	while ((n = read(f->receiver, buffer, sizeof(buffer))) > 0)
		got += n;
	if (!n || errno != EAGAIN)
		die("read", "in b");
	return got;
}

static uint64_t probes_counted(void)
{
	return strtoull(text_of("/sys/module/tcp_dcc/counters/probes_sent"), NULL, 0);
}

/* From now on, all that leaves is late. */
static void delay_device(const struct plan *p)
{
	char command[128];

	snprintf(command, sizeof(command),
		 "tc qdisc replace dev %s root netem limit 1000000 delay %sms",
		 p->device, p->delay);
	if (system(command))
		die("cannot delay", p->device);
}

/* Flows that have something to send, and may not. */
static struct counts counted_held(const struct plan *p)
{
	struct counts before, after;

	delay_device(p);
	for (unsigned int i = 0; i < p->flows; i++)
		if (write(flows[i].sender, buffer, p->bytes) != (ssize_t)p->bytes)
			die("write", "what is to be held");
	sleep(SETTLE_S);
	before.probes = probes_counted();
	count_rest(&before, p->device);
	before.clock = __rdtsc();
	sleep(p->held);
	after.clock = __rdtsc();
	count_rest(&after, p->device);
	after.probes = probes_counted();
	return difference(&after, &before);
}

/* Each flow sends so many bytes, and all of them arrive. */
static void transfer(const struct plan *p, uint64_t bytes)
{
	struct epoll_event events[EVENTS];
	uint64_t left = bytes * p->flows;

	for (unsigned int i = 0; i < p->flows; i++) {
		flows[i].left = bytes;
		send_some(&flows[i]);
	}
	while (left) {
		int n = epoll_wait(poller, events, EVENTS, -1);

		for (int i = 0; i < n; i++) {
			struct flow *f = &flows[events[i].data.u32 >> 1];

			if (events[i].data.u32 & 1)
				send_some(f);
			else
				left -= receive_some(f);
		}
	}
}

/* The same, and what was counted meanwhile. */
static struct counts counted(const struct plan *p)
{
	struct counts before, after;

	before.probes = 0;
	after.probes = 0;
	count_rest(&before, p->device);
	before.clock = __rdtsc();
	transfer(p, p->bytes);
	after.clock = __rdtsc();
	count_rest(&after, p->device);
	return difference(&after, &before);
}

static struct tcp_info info_of(const struct flow *f)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (getsockopt(f->sender, IPPROTO_TCP, TCP_INFO, &info, &len))
		die("getsockopt", "TCP_INFO");
	return info;
}

static unsigned int resent(const struct plan *p)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < p->flows; i++)
		sum += info_of(&flows[i]).tcpi_total_retrans;
	return sum;
}

static uint64_t packets_of(const struct plan *p)
{
	return p->flows * p->bytes / info_of(&flows[0]).tcpi_snd_mss;
}

static void meter_write(const char *functions)
{
	int fd = open("/proc/meter", O_WRONLY);

	if (fd < 0 || write(fd, functions, strlen(functions)) < 0)
		die("cannot meter", functions);
	close(fd);
}

static void meter_print(void)
{
	unsigned long long calls, times, instructions;
	const char *text = text_of("/proc/meter");
	char name[128];
	int used;

	while (sscanf(text, "%127s %llu %llu %llu%n", name, &calls, &times,
		      &instructions, &used) == 4) {
		printf(" %s.calls=%llu %s.counted=%llu %s.instructions=%llu",
		       name, calls, name, times, name, instructions);
		text += used;
	}
}

static void metered(const struct plan *p)
{
	struct counts c;

	for (char *comma; (comma = strchr(p->meter, ',')); )
		*comma = ' ';
	meter_write(p->meter);
	c = counted(p);
	printf(" packets2=%llu sent2=%llu heard2=%llu",
	       (unsigned long long)packets_of(p), (unsigned long long)c.sent,
	       (unsigned long long)c.heard);
	meter_print();
	meter_write("\n");
}

static void held(const struct plan *p)
{
	struct counts c = counted_held(p);

	printf("busy=%llu total=%llu sent=%llu heard=%llu timers=%llu probes=%llu\n",
	       (unsigned long long)(c.clock - c.idle), (unsigned long long)c.clock,
	       (unsigned long long)c.sent, (unsigned long long)c.heard,
	       (unsigned long long)c.timers, (unsigned long long)c.probes);
}

static void option_text(struct plan *p, char *arg)
{
	char *value = strchr(arg, '=');

	if (!value) {
		errno = EINVAL;
		die("option is not name=value:", arg);
	}
	*value++ = '\0';
	if (!strcmp(arg, "cc")) {
		p->cc = value;
	} else if (!strcmp(arg, "flows")) {
		p->flows = strtoul(value, NULL, 0);
	} else if (!strcmp(arg, "first")) {
		p->first = strtoull(value, NULL, 0);
	} else if (!strcmp(arg, "bytes")) {
		p->bytes = strtoull(value, NULL, 0);
	} else if (!strcmp(arg, "window")) {
		p->window = strtol(value, NULL, 0);
	} else if (!strcmp(arg, "rate")) {
		p->rate = strtoull(value, NULL, 0);
	} else if (!strcmp(arg, "meter")) {
		p->meter = value;
	} else if (!strcmp(arg, "held")) {
		p->held = strtoul(value, NULL, 0);
	} else if (!strcmp(arg, "delay")) {
		p->delay = value;
	} else {
		errno = EINVAL;
		die("unknown option (allowed: cc flows first bytes window rate meter held delay):",
		    arg);
	}
}

int main(int argc, char **argv)
{
	struct plan p = { .flows = 1, .window = CHUNK };
	unsigned int before;
	struct counts c;

	if (argc < 3) {
		fprintf(stderr, "usage: flows DEVICE ADDRESS KEY=VALUE...\n");
		return 2;
	}
	p.device = argv[1];
	for (int i = 3; i < argc; i++)
		option_text(&p, argv[i]);
	if (!p.cc || !p.flows || !p.bytes || !p.held != !p.delay) {
		fprintf(stderr, "flows: cc=, bytes= and at least one flow are needed;"
			" held= and delay= come together\n");
		return 2;
	}
	connect_all(&p, argv[2]);
	if (p.held) {
		held(&p);
		return 0;
	}
	transfer(&p, p.first);
	before = resent(&p);
	c = counted(&p);
	printf("busy=%llu total=%llu packets=%llu ",
	       (unsigned long long)(c.clock - c.idle), (unsigned long long)c.clock,
	       (unsigned long long)packets_of(&p));
	printf("sent=%llu heard=%llu timers=%llu resent=%u cwnd=%u",
	       (unsigned long long)c.sent, (unsigned long long)c.heard,
	       (unsigned long long)c.timers, resent(&p) - before,
	       info_of(&flows[0]).tcpi_snd_cwnd);
	if (p.meter)
		metered(&p);
	printf("\n");
	return 0;
}
