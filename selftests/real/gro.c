// SPDX-License-Identifier: GPL-2.0
/*
 * What GRO makes of a TCP connection's packets with many flow labels, for tests on real
 * kernels. Run in namespace a; namespace b is at /run/netns/b, their wire gr_a to gr_b has a
 * qdisc that lets bursts go at once, and b's neighbour fd0b::99 is gr_a: this program.
 *
 *   gro order COUNT
 *       packets in order, each with a label of its own; prints what TCP got as one:
 *       "got=1 largest=28800"
 *   gro random ROUNDS SEED
 *       bursts at random: order, sizes, labels, CE, PSH, copies, wrong checksums, packets
 *       without data. Ends with an error if one packet is lost, changed, merged with one of
 *       another traffic class or with a wrong one, or goes up before one that came earlier;
 *       prints what was sent and what TCP got: "sent=900 got=310"
 *   gro forward COUNT ADDRESS DEVICE NAMESPACE
 *       packets for a connection of another host, which b forwards; prints how many come out
 *       of DEVICE there, and how many labels they have: "got=20 labels=20"
 */
#define _GNU_SOURCE
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/ip6.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include "peer.h"

#define PORT		7007
#define PEER		"fd0b::99"
#define SERVER		"fd0b::2"
#define MSS		1440
#define BURST_MOST	30
#define PARTS		(3 * BURST_MOST)	/* with copies, and packets without data */
#define QUIET_MS	300	/* without a packet: the burst is over */
#define TRIES		20
#define ECN_CE		3

struct segment {
	uint32_t seq;
	uint32_t len;
	uint32_t label;
	uint8_t tclass;
	bool psh;
	bool wrong;	/* its checksum is */
	bool seen;
};

struct frame {
	struct ethhdr eth;
	struct ip6_hdr ip;
	struct tcphdr tcp;
	uint8_t data[MSS];
} __attribute__((packed));

static struct {
	int wire;	/* gr_a, raw */
	int tap;	/* in b, or where packets come out: what GRO handed up */
	int listener;
	int server;
	uint8_t from[ETH_ALEN], to[ETH_ALEN];
	struct in6_addr dest;
	uint32_t seq, ack;
	uint16_t port;
} at;

static uint32_t chance_state = 1;

static uint32_t chance(uint32_t below)
{
	chance_state = chance_state * 1664525 + 1013904223;
	return (uint64_t)(chance_state >> 8) * below >> 24;
}

/* Of each byte of the stream. */
static uint8_t content(uint32_t seq)
{
	return seq * 2654435761U >> 24;
}

static int raw_socket(const char *device, uint8_t mac[ETH_ALEN])
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IPV6) };
	int fd = socket(AF_PACKET, SOCK_RAW, 0), room = 1 << 25;
	struct ifreq request = { 0 };

	address.sll_ifindex = if_nametoindex(device);
	snprintf(request.ifr_name, IFNAMSIZ, "%s", device);
	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)) ||
	    ioctl(fd, SIOCGIFHWADDR, &request) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		die("raw socket on", device);
	memcpy(mac, request.ifr_hwaddr.sa_data, ETH_ALEN);
	return fd;
}

static int listening(void)
{
	struct sockaddr_storage address;
	socklen_t len = parse_address(SERVER, "7007", &address);
	int fd = socket(AF_INET6, SOCK_STREAM, 0), yes = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(fd, (void *)&address, len) || listen(fd, 1))
		die("listen on", SERVER);
	return fd;
}

static uint16_t checksum(const struct frame *f, uint32_t tcp_len)
{
	const uint8_t *p = (const void *)&f->tcp;
	uint32_t sum = tcp_len + IPPROTO_TCP, i;

	for (i = 0; i < 32; i += 2)
		sum += ((const uint8_t *)&f->ip.ip6_src)[i] << 8 |
		       ((const uint8_t *)&f->ip.ip6_src)[i + 1];
	for (i = 0; i < tcp_len; i++)
		sum += i % 2 ? p[i] : p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

/* A packet of the stream; with SYN its options are in place of data. */
static void send_segment(const struct segment *s, bool syn)
{
	static const uint8_t mss_option[] = { 2, 4, MSS >> 8, MSS & 255 };
	struct frame f = { .eth.h_proto = htons(ETH_P_IPV6) };
	uint32_t tcp_len = sizeof(f.tcp) + (syn ? sizeof(mss_option) : s->len), i;

	memcpy(f.eth.h_source, at.from, ETH_ALEN);
	memcpy(f.eth.h_dest, at.to, ETH_ALEN);
	f.ip.ip6_flow = htonl(6U << 28 | s->tclass << 20 | s->label);
	f.ip.ip6_plen = htons(tcp_len);
	f.ip.ip6_nxt = IPPROTO_TCP;
	f.ip.ip6_hlim = 64;
	inet_pton(AF_INET6, PEER, &f.ip.ip6_src);
	f.ip.ip6_dst = at.dest;
	f.tcp.source = htons(at.port);
	f.tcp.dest = htons(PORT);
	f.tcp.seq = htonl(s->seq);
	f.tcp.ack_seq = htonl(at.ack);
	f.tcp.doff = syn ? 6 : 5;
	f.tcp.syn = syn;
	f.tcp.ack = !syn;
	f.tcp.psh = s->psh;
	f.tcp.window = htons(65535);
	for (i = 0; i < s->len && !syn; i++)
		f.data[i] = content(s->seq + i);
	if (syn)
		memcpy(f.data, mss_option, sizeof(mss_option));
	f.tcp.check = checksum(&f, tcp_len);
	if (s->wrong)
		f.data[chance(s->len)] ^= 1 + chance(255);
	if (send(at.wire, &f, offsetof(struct frame, tcp) + tcp_len, 0) < 0)
		die("send on", "the wire");
}

/* The next packet of this connection from @fd; false: none for a while. */
static bool next_frame(int fd, uint8_t *buffer, size_t room, size_t *len, bool from_peer)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	const struct frame *f = (void *)buffer;
	ssize_t got;

	while (poll(&p, 1, QUIET_MS) > 0) {
		got = recv(fd, buffer, room, 0);
		if (got < (ssize_t)offsetof(struct frame, data) || f->ip.ip6_nxt != IPPROTO_TCP ||
		    (from_peer ? f->tcp.source : f->tcp.dest) != htons(at.port))
			continue;
		*len = sizeof(struct ip6_hdr) + ntohs(f->ip.ip6_plen);
		return true;
	}
	return false;
}

/* What b's TCP confirmed last, from all that came since. */
static uint32_t confirmed(void)
{
	static uint8_t buffer[65536 * 2];
	const struct frame *f = (void *)buffer;
	uint32_t ack = at.seq;
	size_t len;

	while (next_frame(at.wire, buffer, sizeof(buffer), &len, false))
		if (!f->tcp.syn)
			ack = ntohl(f->tcp.ack_seq);
	return ack;
}

static void shake_hands(void)
{
	static uint8_t buffer[65536 * 2];
	const struct frame *f = (void *)buffer;
	struct segment syn = { .seq = at.seq };
	size_t len;
	int tries;

	for (tries = TRIES; tries; tries--) {
		send_segment(&syn, true);
		while (next_frame(at.wire, buffer, sizeof(buffer), &len, false)) {
			if (!f->tcp.syn || !f->tcp.ack)
				continue;
			at.ack = ntohl(f->tcp.seq) + 1;
			syn.seq = ++at.seq;
			send_segment(&syn, false);
			at.server = accept(at.listener, NULL, NULL);
			if (at.server < 0)
				die("accept", "the connection");
			return;
		}
	}
	errno = ETIMEDOUT;
	die("no answer from", SERVER);
}

static void open_all(const char *tap_device, const char *tap_namespace)
{
	uint8_t unused[ETH_ALEN];

	enter("b");
	close(raw_socket("gr_b", at.to));
	at.listener = listening();
	enter(tap_namespace);
	at.tap = raw_socket(tap_device, unused);
	enter("a");
	at.wire = raw_socket("gr_a", at.from);
	inet_pton(AF_INET6, SERVER, &at.dest);
	at.port = 20000 + getpid() % 20000;
	at.seq = 1000 + chance(1 << 30);
}

/* --- what came of a burst --- */

static void wrong(const char *what, uint32_t seq)
{
	fprintf(stderr, "gro: %s, at byte %u of the stream\n", what, seq);
	exit(1);
}

static bool bytes_are_right(const uint8_t *data, uint32_t seq, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		if (data[i] != content(seq + i))
			return false;
	return true;
}

/* A packet of the tap, of which @rest is not yet told where it came from. */
struct seen {
	struct segment rest;
	uint32_t size;		/* of its first segment: all but the last are as long */
	uint32_t last;
};

static bool may_be(const struct segment *sent, const struct segment *rest)
{
	return !sent->seen && sent->seq == rest->seq && sent->len <= rest->len &&
	       sent->tclass == rest->tclass && sent->wrong == rest->wrong &&
	       !sent->len == !rest->len && (!sent->wrong || sent->len == rest->len);
}

/* A packet of the tap has its first segment's label; returns that one's place. */
static int take_first(struct seen *seen, struct segment *sent, int count)
{
	struct segment *rest = &seen->rest;
	int i;

	for (i = 0; i < count; i++) {
		if (!may_be(&sent[i], rest) || sent[i].label != rest->label)
			continue;
		sent[i].seen = true;
		seen->size = sent[i].len;
		seen->last = sent[i].len;
		rest->seq += sent[i].len;
		rest->len -= sent[i].len;
		return i;
	}
	wrong("nothing that was sent looks so", rest->seq);
	return -1;
}

static void take_others(struct seen *seen, struct segment *sent, int count)
{
	struct segment *rest = &seen->rest;
	int i;

	while (rest->len) {
		for (i = 0; i < count && !may_be(&sent[i], rest); i++)
			;
		if (i == count)
			wrong("nothing that was sent looks so", rest->seq);
		if (seen->last != seen->size || sent[i].len > seen->size)
			wrong("a short packet is in the middle", rest->seq);
		sent[i].seen = true;
		seen->last = sent[i].len;
		rest->seq += sent[i].len;
		rest->len -= sent[i].len;
	}
}

/* All of a burst that the tap sees: how many, and the bytes of the largest. */
static int collect(struct seen *seen, uint32_t *largest)
{
	static uint8_t buffer[65536 * 2];
	const struct frame *f = (void *)buffer;
	struct segment *rest;
	int got = 0;
	size_t len;

	*largest = 0;
	while (got < PARTS && next_frame(at.tap, buffer, sizeof(buffer), &len, true)) {
		rest = &seen[got++].rest;
		*rest = (struct segment) {
			.seq = ntohl(f->tcp.seq),
			.len = len - sizeof(f->ip) - f->tcp.doff * 4,
			.label = ntohl(f->ip.ip6_flow) & 0xfffff,
			.tclass = ntohl(f->ip.ip6_flow) >> 20 & 255,
		};
		rest->wrong = !bytes_are_right(f->data, rest->seq, rest->len);
		if (rest->len > *largest)
			*largest = rest->len;
	}
	return got;
}

/*
 * Is all there, unchanged, and what began earlier up earlier? A wrong packet, which GRO does
 * not look into, may overtake. Of copies only the label says which one it is.
 */
static int check_burst(struct segment *sent, int count, uint32_t *largest)
{
	struct seen seen[PARTS];
	int got = collect(seen, largest), i, first, last = -1;

	for (i = 0; i < got; i++) {
		first = take_first(&seen[i], sent, count);
		if (sent[first].wrong)
			continue;
		if (first < last)
			wrong("a packet went up before an earlier one", sent[first].seq);
		last = first;
	}
	for (i = 0; i < got; i++)
		take_others(&seen[i], sent, count);
	for (i = 0; i < count; i++)
		if (!sent[i].seen)
			wrong("a packet is lost", sent[i].seq);
	return got;
}

/* What the program reads of a stream has to be it. */
static void read_stream(uint32_t *seq, uint32_t end)
{
	static uint8_t buffer[65536];
	ssize_t n;

	while (*seq != end) {
		n = read(at.server, buffer, sizeof(buffer));
		if (n <= 0)
			die("read from", "the connection");
		if (!bytes_are_right(buffer, *seq, n))
			wrong("the program read something else", *seq);
		*seq += n;
	}
}

static void send_burst(const struct segment *sent, int count)
{
	int i;

	for (i = 0; i < count; i++)
		send_segment(&sent[i], false);
}

static void drain(int fd)
{
	uint8_t byte;

	while (recv(fd, &byte, 1, MSG_DONTWAIT) >= 0)
		;
}

static struct segment plain(uint32_t seq, uint32_t len, uint32_t label)
{
	return (struct segment) { .seq = seq, .len = len, .label = label, .tclass = 2 };
}

static int order(int count)
{
	struct segment sent[BURST_MOST];
	uint32_t largest;
	int i;

	for (i = 0; i < count; i++)
		sent[i] = plain(at.seq + i * MSS, MSS, 100 + i);
	drain(at.tap);
	send_burst(sent, count);
	i = check_burst(sent, count, &largest);
	printf("got=%d largest=%u\n", i, largest);
	return 0;
}

/* --- bursts at random --- */

static void swap(struct segment *a, struct segment *b)
{
	struct segment kept = *a;

	*a = *b;
	*b = kept;
}

/* What the stream is cut into, and besides copies, and packets without data. */
static int draw_burst(struct segment *sent, uint32_t *end)
{
	int parts = 1 + chance(BURST_MOST), count = 0, i;
	bool labels = chance(8), marks = chance(2), short_ones = chance(2), after_wrong = false;
	struct segment *s;

	*end = at.seq;
	for (i = 0; i < parts; i++) {
		s = &sent[count++];
		*s = plain(*end, MSS, labels ? chance(1 << 20) : 5);
		if (short_ones && !chance(6))
			s->len = 1 + chance(MSS);
		/* what is behind it is where a wrong one ends that is taken for longer */
		if (after_wrong && chance(2))
			s->len = sizeof(struct tcphdr);
		if (marks && !chance(6))
			s->tclass = ECN_CE;
		s->psh = !chance(10);
		s->wrong = !chance(15);
		after_wrong = s->wrong;
		*end += s->len;
		if (labels && !chance(16)) {
			sent[count] = *s;
			sent[count++].label = chance(1 << 20);
		}
		if (!chance(16))
			sent[count++] = plain(*end, 0, chance(1 << 20));
	}
	for (i = chance(2) ? chance(2 * count) : 0; i; i--) {
		int from = chance(count), to = from + chance(5);

		if (to < count)
			swap(&sent[from], &sent[to]);
	}
	return count;
}

/* Sends it again until b's TCP has all of it: what was wrong is missing there. */
static void complete(uint32_t end)
{
	int tries = TRIES;
	struct segment s;
	uint32_t seq;

	while (confirmed() != end && tries--)
		for (seq = at.seq; seq != end; seq += s.len) {
			s = plain(seq, end - seq < MSS ? end - seq : MSS, 0);
			send_segment(&s, false);
		}
	if (tries < 0)
		wrong("the end was never confirmed", end);
}

static int at_random(int rounds)
{
	struct segment sent[PARTS];
	int round, count, all = 0, got = 0;
	uint32_t end, seq = at.seq, largest;

	for (round = 0; round < rounds; round++) {
		count = draw_burst(sent, &end);
		drain(at.tap);
		send_burst(sent, count);
		all += count;
		got += check_burst(sent, count, &largest);
		complete(end);
		read_stream(&seq, end);
		at.seq = end;
		if (round % 10 == 9)
			fprintf(stderr, "# round %d\n", round + 1);
	}
	printf("sent=%d got=%d\n", all, got);
	return 0;
}

static int forward(int count)
{
	static uint8_t buffer[65536 * 2];
	const struct frame *f = (void *)buffer;
	int i, got = 0, labels = 0;
	size_t len;

	for (i = 0; i < count; i++) {
		struct segment s = plain(at.seq + i * MSS, MSS, 100 + i);

		send_segment(&s, false);
	}
	while (next_frame(at.tap, buffer, sizeof(buffer), &len, true)) {
		labels += (ntohl(f->ip.ip6_flow) & 0xfffff) == 100U + got;
		got++;
	}
	printf("got=%d labels=%d\n", got, labels);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (argc == 6 && !strcmp(what, "forward")) {
		open_all(argv[4], argv[5]);
		inet_pton(AF_INET6, argv[3], &at.dest);
		return forward(atoi(argv[2]));
	}
	if (argc == 4 && !strcmp(what, "random")) {
		chance_state = atoi(argv[3]);
	} else if (argc != 3 || strcmp(what, "order") || atoi(argv[2]) > BURST_MOST) {
		fputs("usage: gro order COUNT | random ROUNDS SEED\n"
		      "       gro forward COUNT ADDRESS DEVICE NAMESPACE\n", stderr);
		return 2;
	}
	open_all("gr_b", "b");
	shake_hands();
	return strcmp(what, "order") ? at_random(atoi(argv[2])) : order(atoi(argv[2]));
}
