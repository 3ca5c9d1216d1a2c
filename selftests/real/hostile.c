// SPDX-License-Identifier: GPL-2.0
/*
 * Peers and programs that mean harm, for tests on real kernels.
 *
 *   hostile deaf PORT
 *       accepts connections, with the smallest receive buffer, and never reads
 *   hostile source CC PORT BYTES
 *       writes BYTES to each connection that it accepts, and never reads
 *   hostile peer MODE COUNT MS BYTES
 *       a TCP of its own behind the TUN device t0, 10.1.0.2, that connects COUNT times
 *       to 10.1.0.1 port 7000, for MS and, for two minutes at most, until BYTES have come
 *       in order; prints "sent=12 got=34 bytes=5600 old=7": packets sent
 *       and received, bytes received in order, and packets with one old byte, which only
 *       probes are: what the stack sends again after a pause of this machine has more
 *         open     a window of 64 KiB, an ACK for each packet
 *         zero     a window of 0 from the handshake on
 *         small    a window of 100 bytes, less than a packet
 *         divide   an ACK for each 10 bytes
 *         dsack    10 ACKs for each packet that say that something came twice
 *         sack     10 ACKs for each packet with SACK blocks of what was never sent
 *   hostile switched FIFO CC...
 *       connections of each CC to itself that send, then are given cubic, then wait for
 *       FIFO, and send on; prints "switched=18" and later "sent_on=18"
 *   hostile many CC COUNT
 *       COUNT connections of CC to itself over 127.0.0.1, with the lowest priority, each
 *       with data that waits; prints "many=64" and sleeps
 *   hostile sockops FOLDER IN OUT
 *       a program for the cgroup in FOLDER that gives each socket the algorithm OUT
 *       while the options of a header are measured, one time of four, and IN whenever
 *       else it is called
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/ip.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "peer.h"

#define TCP_PORT	7000
#define FIRST_PORT	20000
#define PEERS_MAX	64
#define OPTIONS_MAX	40
#define PACKET_MAX	65536
#define OWN		"10.1.0.2"
#define OTHER		"10.1.0.1"
#define U16_WINDOW	65535
#define HIGH		6	/* SO_PRIORITY that any user may set */
#define SETTLE_US	200000
#define PATIENCE_MS	120000
#define FLOOD		10	/* ACKs for one packet */
#define DIVIDE		10	/* bytes that one ACK is for */

static int listen_on(int family, unsigned short port, const char *cc)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(family, SOCK_STREAM, 0), one = 1, small = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (cc)
		set_cc(fd, cc);
	else
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	if (family == AF_INET ? bind(fd, (struct sockaddr *)&four, sizeof(four)) :
				bind(fd, (struct sockaddr *)&to, sizeof(to)))
		die("bind to", "the port");
	if (listen(fd, SOMAXCONN))
		die("listen on", "the port");
	return fd;
}

static void deaf(const char *port)
{
	int fd = listen_on(AF_INET6, atoi(port), NULL);

	while (accept(fd, NULL, NULL) >= 0)
		;
}

/* As much as the socket takes at once: the process then has no part in what follows. */
static void source(const char *cc, const char *port, const char *bytes)
{
	int fd = listen_on(AF_INET, atoi(port), cc), room = 4 * atoi(bytes), peer;
	struct linger reset = { .l_onoff = 1 };
	char *zero = calloc(1, atol(bytes));

	/* What the peer never took would be sent again for minutes after this process. */
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	while ((peer = accept(fd, NULL, NULL)) >= 0) {
		fcntl(peer, F_SETFL, O_NONBLOCK);
		usleep(SETTLE_US);	/* the peer has said what its window is */
		if (write(peer, zero, atol(bytes)) != atol(bytes))
			die("no room for all bytes in", "the socket");
	}
}

/* --- a TCP of its own ------------------------------------------------------------ */

enum mode { OPEN, ZERO, SMALL, DIVIDED, DSACK, SACK, MODES };

static const char *const mode_name[MODES] = {
	"open", "zero", "small", "divide", "dsack", "sack",
};

static const unsigned short mode_window[MODES] = {
	U16_WINDOW, 0, 100, U16_WINDOW, U16_WINDOW, U16_WINDOW,
};

struct peer {
	uint32_t seq, next;	/* what it sends, what it expects */
	bool known;
};

struct tun {
	int fd;
	enum mode mode;
	struct peer peer[PEERS_MAX];
	long sent, got, bytes, old;
};

struct segment {
	uint8_t flags;
	uint32_t ack;
	const void *option;
	size_t option_len;
	size_t len;
};

static uint32_t sum16(const void *data, size_t n, uint32_t sum)
{
	const uint8_t *p = data;
	size_t i;

	for (i = 0; i < n; i++)
		sum += i & 1 ? p[i] : p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* A peer with a small window had a large one first: packets are no larger than half of that. */
static bool is_whole(const struct tun *t, uint8_t flags)
{
	return flags & TH_SYN || (t->mode == SMALL && flags & TH_PUSH);
}

static void emit(struct tun *t, unsigned int which, const struct segment *s)
{
	uint8_t packet[sizeof(struct iphdr) + sizeof(struct tcphdr) + OPTIONS_MAX + 1] = { 0 };
	struct iphdr *ip = (struct iphdr *)packet;
	struct tcphdr *th = (struct tcphdr *)(ip + 1);
	uint16_t tcp_len = sizeof(*th) + s->option_len + s->len;
	uint32_t sum;

	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tot_len = htons(sizeof(*ip) + tcp_len);
	ip->ttl = 64;
	ip->protocol = IPPROTO_TCP;
	ip->saddr = inet_addr(OWN);
	ip->daddr = inet_addr(OTHER);
	ip->check = htons(~sum16(ip, sizeof(*ip), 0));
	th->source = htons(FIRST_PORT + which);
	th->dest = htons(TCP_PORT);
	th->seq = htonl(t->peer[which].seq);
	th->ack_seq = htonl(s->ack);
	th->doff = (sizeof(*th) + s->option_len) / 4;
	((uint8_t *)th)[13] = s->flags;
	th->window = htons(is_whole(t, s->flags) ? U16_WINDOW : mode_window[t->mode]);
	memcpy(th + 1, s->option, s->option_len);
	sum = sum16(&ip->saddr, 8, IPPROTO_TCP + tcp_len);
	th->check = htons(~sum16(th, tcp_len, sum));
	if (write(t->fd, packet, sizeof(*ip) + tcp_len) < 0)
		die("write to", "the TUN device");
	t->sent++;
	t->peer[which].seq += s->len + !!(s->flags & TH_SYN);
}

static void ack(struct tun *t, unsigned int which, uint32_t end)
{
	struct segment s = { .flags = TH_ACK, .ack = end };

	emit(t, which, &s);
}

/* An ACK with one block: what came twice, or what it says that came. */
static void ack_block(struct tun *t, unsigned int which, uint32_t from, uint32_t to)
{
	uint32_t option[3] = { htonl(0x0101050a), htonl(from), htonl(to) };
	struct segment s = {
		.flags = TH_ACK, .ack = t->peer[which].next,
		.option = option, .option_len = sizeof(option),
	};

	emit(t, which, &s);
}

static void answer(struct tun *t, unsigned int which, uint32_t seq, uint32_t len)
{
	struct peer *p = &t->peer[which];
	bool old = (int32_t)(seq - p->next) < 0;
	uint32_t before = p->next, i;

	if (old) {
		t->old += len == 1;
		ack_block(t, which, seq, seq + len);
		return;
	}
	if (seq == p->next && mode_window[t->mode] >= len) {
		p->next += len;
		t->bytes += len;
	}
	for (i = 0; t->mode == DSACK && i < FLOOD; i++)
		ack_block(t, which, before - 1, before);
	for (i = 1; t->mode == SACK && i <= FLOOD; i++)
		ack_block(t, which, p->next + i * PACKET_MAX, p->next + (i + 1) * PACKET_MAX);
	for (i = DIVIDE; t->mode == DIVIDED && i < len; i += DIVIDE)
		ack(t, which, before + i);
	ack(t, which, p->next);
}

static void take(struct tun *t, const uint8_t *packet, ssize_t n)
{
	const struct iphdr *ip = (const struct iphdr *)packet;
	const struct tcphdr *th = (const struct tcphdr *)(packet + ip->ihl * 4);
	struct segment hello = { .flags = TH_ACK | TH_PUSH, .len = 1 };
	unsigned int which;
	int32_t len;

	if (n < 40 || ip->version != 4 || ip->protocol != IPPROTO_TCP)
		return;
	which = ntohs(th->dest) - FIRST_PORT;
	if (which >= PEERS_MAX || th->rst)
		return;
	t->got++;
	if (th->syn && !t->peer[which].known) {
		t->peer[which].known = true;
		t->peer[which].next = ntohl(th->seq) + 1;
		hello.ack = t->peer[which].next;
		emit(t, which, &hello);
		ack(t, which, hello.ack);
		return;
	}
	len = ntohs(ip->tot_len) - ip->ihl * 4 - th->doff * 4;
	if (len > 0)
		answer(t, which, ntohl(th->seq), len);
}

static void open_tun(struct tun *t)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };

	t->fd = open("/dev/net/tun", O_RDWR);
	memcpy(request.ifr_name, "t0", sizeof("t0"));
	if (t->fd < 0 || ioctl(t->fd, TUNSETIFF, &request))
		die("cannot have", "the TUN device t0");
	if (system("ip addr add " OTHER "/24 dev t0 && ip link set t0 up"))
		die("cannot set up", "t0");
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum mode mode_of(const char *name)
{
	int mode;

	for (mode = 0; mode < MODES; mode++)
		if (!strcmp(name, mode_name[mode]))
			return mode;
	errno = EINVAL;
	die("no mode of peers:", name);
	return 0;
}

static void peers(const char *mode, const char *count, long ms, long bytes)
{
	static const uint8_t options[] = { 2, 4, 5, 180, 1, 1, 4, 2 };	/* MSS 1460, SACK */
	struct segment syn = { .flags = TH_SYN, .option = options, .option_len = sizeof(options) };
	static uint8_t packet[PACKET_MAX];
	static struct tun t;
	struct pollfd p;
	long begin, last;
	int i;

	t.mode = mode_of(mode);
	open_tun(&t);
	for (i = 0; i < atoi(count) && i < PEERS_MAX; i++)
		emit(&t, i, &syn);
	p = (struct pollfd) { .fd = t.fd, .events = POLLIN };
	begin = now_ms();
	last = begin;
	while (now_ms() < begin + ms || (t.bytes < bytes && now_ms() < last + PATIENCE_MS)) {
		long before = t.bytes;

		if (poll(&p, 1, 100) > 0)
			take(&t, packet, read(t.fd, packet, sizeof(packet)));
		if (t.bytes > before)	/* slow is not dead */
			last = now_ms();
	}
	printf("sent=%ld got=%ld bytes=%ld old=%ld\n", t.sent, t.got, t.bytes, t.old);
}

/* --- connections that outlive the modules ----------------------------------------- */

static void exchange(int a, int b)
{
	char data[3000] = { 0 };

	write_all(a, data, sizeof(data));
	if (recv(b, data, sizeof(data), MSG_WAITALL) != sizeof(data))
		die("no data from", "the connection");
}

static void connect_pair(int family, const char *cc, int priority, int pair[2])
{
	struct sockaddr_storage to;
	socklen_t len = parse_address(family == AF_INET ? "127.0.0.1" : "::1", "0", &to);
	int fd = socket(family, SOCK_STREAM, 0), mss = 1000;

	if (bind(fd, (struct sockaddr *)&to, len) || listen(fd, 1) ||
	    getsockname(fd, (struct sockaddr *)&to, &len))
		die("no listener for", cc);
	pair[0] = socket(family, SOCK_STREAM, 0);
	setsockopt(pair[0], IPPROTO_TCP, TCP_MAXSEG, &mss, sizeof(mss));
	set_cc(pair[0], cc);
	if (setsockopt(pair[0], SOL_SOCKET, SO_PRIORITY, &priority, sizeof(priority)))
		die("setsockopt", "SO_PRIORITY");
	if (connect(pair[0], (struct sockaddr *)&to, len))
		die("connect", cc);
	pair[1] = accept(fd, NULL, NULL);
	close(fd);
}

static void live_on(char **cc, int count, const char *fifo)
{
	int (*pair)[2] = calloc(2 * count, sizeof(*pair)), i;
	char c;

	for (i = 0; i < 2 * count; i++) {
		connect_pair(i & 1 ? AF_INET6 : AF_INET, cc[i / 2], HIGH, pair[i]);
		exchange(pair[i][0], pair[i][1]);
		set_cc(pair[i][0], "cubic");
	}
	printf("switched=%d\n", i);
	fflush(stdout);
	while (read(open(fifo, O_RDONLY), &c, 1) < 0)
		;
	for (i = 0; i < 2 * count; i++) {
		int ttl = 60;

		/* each of these reads the socket's operations */
		setsockopt(pair[i][0], IPPROTO_IP, IP_TTL, &ttl, sizeof(ttl));
		exchange(pair[i][0], pair[i][1]);
		exchange(pair[i][1], pair[i][0]);
	}
	printf("sent_on=%d\n", i);
	free(pair);
}

/* In small packets: one that leaves now and then must not be all that there is. */
static void hold_many(const char *cc, const char *count)
{
	static const char data[40000];
	int pair[2], i;

	for (i = 0; i < atoi(count); i++) {
		connect_pair(AF_INET, cc, 0, pair);
		write_all(pair[0], data, sizeof(data));
	}
	printf("many=%d\n", i);
	fflush(stdout);
	pause();
}

/* --- a BPF program ---------------------------------------------------------------- */

struct code {
	struct bpf_insn insn[64];
	int n;
};

static void add(struct code *c, uint8_t op, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	c->insn[c->n++] = (struct bpf_insn) {
		.code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

static void call(struct code *c, int function)
{
	add(c, BPF_JMP | BPF_CALL, 0, 0, 0, function);
}

/* A name on the stack, at r10 - 16: eight instructions. */
static void put_name(struct code *c, const char *name)
{
	uint32_t word[CC_NAME_MAX / 4] = { 0 };
	int i;

	memcpy(word, name, strlen(name) < CC_NAME_MAX ? strlen(name) : CC_NAME_MAX - 1);
	for (i = 0; i < CC_NAME_MAX / 4; i++) {
		add(c, BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, word[i]);
		add(c, BPF_STX | BPF_MEM | BPF_W, 10, 1, -CC_NAME_MAX + 4 * i, 0);
	}
}

static void write_program(struct code *c, const char *in, const char *out)
{
	add(c, BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0);
	add(c, BPF_LDX | BPF_MEM | BPF_W, 7, 6, 0, 0);	/* op */
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, BPF_SOCK_OPS_ALL_CB_FLAGS);
	call(c, BPF_FUNC_sock_ops_cb_flags_set);
	call(c, BPF_FUNC_get_prandom_u32);
	add(c, BPF_ALU64 | BPF_AND | BPF_K, 0, 0, 0, 3);
	add(c, BPF_ALU64 | BPF_MOV | BPF_X, 8, 0, 0, 0);
	put_name(c, in);
	add(c, BPF_JMP | BPF_JNE | BPF_K, 7, 0, 9, BPF_SOCK_OPS_HDR_OPT_LEN_CB);
	add(c, BPF_JMP | BPF_JNE | BPF_K, 8, 0, 8, 0);
	put_name(c, out);
	add(c, BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0);
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, IPPROTO_TCP);
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, TCP_CONGESTION);
	add(c, BPF_ALU64 | BPF_MOV | BPF_X, 4, 10, 0, 0);
	add(c, BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, -CC_NAME_MAX);
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, 5, 0, 0, CC_NAME_MAX);
	call(c, BPF_FUNC_setsockopt);
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1);
	add(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static void sockops(const char *folder, const char *in, const char *out)
{
	static char log[1 << 18];
	struct code c = { 0 };
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_SOCK_OPS, .license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log, .log_size = sizeof(log), .log_level = 1,
	};
	union bpf_attr attach = { .attach_type = BPF_CGROUP_SOCK_OPS };

	write_program(&c, in, out);
	load.insns = (uintptr_t)c.insn;
	load.insn_cnt = c.n;
	attach.attach_bpf_fd = bpf(BPF_PROG_LOAD, &load);
	if ((int)attach.attach_bpf_fd < 0)
		die(log, "does not load");
	attach.target_fd = open(folder, O_RDONLY | O_DIRECTORY);
	if (bpf(BPF_PROG_ATTACH, &attach))
		die("cannot attach to", folder);
}

static int tell_use(void)
{
	fputs("usage: hostile deaf PORT | source CC PORT BYTES | peer MODE COUNT MS BYTES\n"
	      "       | switched FIFO CC... | many CC COUNT | sockops FOLDER IN OUT\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "deaf") && argc == 3)
		deaf(argv[2]);
	else if (!strcmp(what, "source") && argc == 5)
		source(argv[2], argv[3], argv[4]);
	else if (!strcmp(what, "peer") && argc == 6)
		peers(argv[2], argv[3], atol(argv[4]), atol(argv[5]));
	else if (!strcmp(what, "switched") && argc > 3)
		live_on(argv + 3, argc - 3, argv[2]);
	else if (!strcmp(what, "many") && argc == 4)
		hold_many(argv[2], argv[3]);
	else if (!strcmp(what, "sockops") && argc == 5)
		sockops(argv[2], argv[3], argv[4]);
	else
		return tell_use();
	return 0;
}
