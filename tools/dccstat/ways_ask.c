// SPDX-License-Identifier: GPL-2.0
/*
 * Asking the network for ways: packets that no switch can tell from the flow's own, by
 * addresses, protocol, ports and label, but for their hop limit; who lets one expire
 * answers by ICMPv6, with what it got. How far a host is, echo requests tell first, so
 * that none of these gets there; their checksum is wrong besides, so that no host would
 * take one. It takes root: raw sockets.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/icmp6.h>
#include <netinet/ip6.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"
#include "ways.h"

#define ROUNDS		24
#define ROUND_MS	400
#define SURE_ROUNDS	4	/* more: of a way that loses 5 %, .05^5 are mistaken */
#define BURST		64	/* probes at once, then answers are looked for */
#define BURST_MS	5
#define PEERS_MOST	8192	/* 16 bits of an echo request's number, 3 for the hop limit */
#define ANSWER_BYTES	2048
#define LIMIT_BITS	8

/**
 * struct probe - a packet with an expired hop limit to be
 * @ip: its headers
 * @tcp: the number says which way and hop limit
 */
struct probe {
	struct ip6_hdr ip;
	struct tcphdr tcp;
};

/**
 * struct peer - a host
 * @address: its address
 * @hops: the least hop limit that reached it; 0: not known
 * @heard: was that one answered since the last round began?
 * @surer: rounds in which it was, and no smaller one
 */
struct peer {
	struct in6_addr address;
	u8 hops;
	bool heard;
	u8 surer;
};

/**
 * struct asking - what is going on
 * @ways: to be found
 * @peer: hosts that they lead to, in the order of the ways
 * @peers: how many
 * @raw: sends packets as they are
 * @icmp: sends echo requests, hears answers
 * @sent: since answers were looked for
 */
struct asking {
	struct ways *ways;
	struct peer *peer;
	u32 peers;
	int raw;
	int icmp;
	u32 sent;
};

static int open_raw(int protocol)
{
	int fd = socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		cannot("ways: no raw socket: %s; allowed: root, or CAP_NET_RAW", strerror(errno));
	return fd;
}

static void open_sockets(struct asking *a)
{
	int bytes = 8 << 20;
	struct icmp6_filter filter;

	a->raw = open_raw(IPPROTO_RAW);
	a->icmp = open_raw(IPPROTO_ICMPV6);
	ICMP6_FILTER_SETBLOCKALL(&filter);
	ICMP6_FILTER_SETPASS(ICMP6_TIME_EXCEEDED, &filter);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &filter);
	setsockopt(a->icmp, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	if (setsockopt(a->icmp, IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof(filter)))
		cannot("ways: no filter for ICMPv6: %s", strerror(errno));
}

/* Their addresses, each once; where hosts have many, of each what a way leads to. */
static void find_peers(struct asking *a)
{
	size_t i;
	u32 k;

	a->peer = calloc(PEERS_MOST, sizeof(*a->peer));
	if (!a->peer)
		cannot("no memory for %u hosts", PEERS_MOST);
	for (i = 0; i < a->ways->count; i++) {
		const u8 *dst = a->ways->at[i].dst;

		for (k = a->peers; k-- > 0;)
			if (!memcmp(&a->peer[k].address, dst, ADDRESS_BYTES))
				break;
		if (k < a->peers)
			continue;
		if (a->peers == PEERS_MOST)
			fail("ways: more than %u hosts; allowed: fewer files at once", PEERS_MOST);
		memcpy(&a->peer[a->peers++].address, dst, ADDRESS_BYTES);
	}
}

static u8 hops_to(const struct asking *a, const u8 *dst)
{
	u32 k;

	for (k = 0; k < a->peers; k++)
		if (!memcmp(&a->peer[k].address, dst, ADDRESS_BYTES))
			return a->peer[k].hops;
	return 0;
}

static void take_echo(struct asking *a, const struct icmp6_hdr *h)
{
	u32 number = ntohs(h->icmp6_seq);
	struct peer *peer = &a->peer[number / PATHS_HOPS];
	u8 limit = (u8)(number % PATHS_HOPS + 1);

	if (ntohs(h->icmp6_id) != (getpid() & 0xffff) || number / PATHS_HOPS >= a->peers)
		return;
	if (!peer->hops || limit < peer->hops) {
		peer->hops = limit;
		peer->surer = 0;
	}
	peer->heard |= limit == peer->hops;
}

/* What expired, as whoever answers got it: is it ours, and which? */
static void take_expired(struct asking *a, const struct in6_addr *who, const struct probe *probe)
{
	u32 number = ntohl(probe->tcp.seq), limit = number & ((1U << LIMIT_BITS) - 1);
	struct way *way = &a->ways->at[number >> LIMIT_BITS];

	if (number >> LIMIT_BITS >= a->ways->count || !limit || limit > PATHS_HOPS ||
	    memcmp(&probe->ip.ip6_src, way->src, ADDRESS_BYTES) ||
	    memcmp(&probe->ip.ip6_dst, way->dst, ADDRESS_BYTES) ||
	    (ntohl(probe->ip.ip6_flow) & LABEL_MAX) != way->label)
		return;
	way->hops.heard[limit - 1] = true;
	way->hops.hop[limit - 1] = *who;
}

/* An answer; false: there is none. */
static bool take_answer(struct asking *a)
{
	union {
		u8 room[ANSWER_BYTES];
		struct icmp6_hdr icmp;
	} answer;
	struct sockaddr_in6 who;
	socklen_t len = sizeof(who);
	struct probe probe;
	ssize_t got = recvfrom(a->icmp, &answer, sizeof(answer), MSG_DONTWAIT,
			       (struct sockaddr *)&who, &len);

	if (got < 0)
		return false;
	if (got < (ssize_t)sizeof(answer.icmp))
		return true;
	if (answer.icmp.icmp6_type == ICMP6_ECHO_REPLY) {
		take_echo(a, &answer.icmp);
	} else if (got >= (ssize_t)(sizeof(answer.icmp) + sizeof(probe))) {
		memcpy(&probe, answer.room + sizeof(answer.icmp), sizeof(probe));
		take_expired(a, &who.sin6_addr, &probe);
	}
	return true;
}

static void take_answers(struct asking *a, int wait_ms)
{
	struct pollfd poll_fd = { .fd = a->icmp, .events = POLLIN };
	u64 until = now_ns() + (u64)wait_ms * NSEC_PER_MSEC;

	do {
		poll(&poll_fd, 1, wait_ms);
		while (take_answer(a))
			;
	} while (now_ns() < until && !is_stopped());
	a->sent = 0;
}

static void pace(struct asking *a)
{
	if (++a->sent == BURST)
		take_answers(a, BURST_MS);
}

static void send_echo(struct asking *a, u32 k, int limit)
{
	const struct sockaddr_in6 to = {
		.sin6_family = AF_INET6, .sin6_addr = a->peer[k].address,
	};
	struct icmp6_hdr echo = {
		.icmp6_type = ICMP6_ECHO_REQUEST,
		.icmp6_id = htons((u16)(getpid() & 0xffff)),
		.icmp6_seq = htons((u16)(k * PATHS_HOPS + (u32)limit - 1)),
	};

	if (!setsockopt(a->icmp, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &limit, sizeof(limit)))
		sendto(a->icmp, &echo, sizeof(echo), 0, (const struct sockaddr *)&to, sizeof(to));
}

/*
 * The largest hop limit to ask for: of smaller ones an answer may have been lost. A round
 * in which the one that is known was not answered either tells nothing, so that one is
 * asked for, too.
 */
static int limit_most(struct peer *peer)
{
	if (!peer->hops)
		return PATHS_HOPS;
	peer->surer += peer->heard;
	peer->heard = false;
	return peer->surer <= SURE_ROUNDS ? peer->hops : 0;
}

static u32 ask_distances(struct asking *a)
{
	u32 asked = 0, k;
	int limit, most;

	for (k = 0; k < a->peers; k++) {
		most = limit_most(&a->peer[k]);
		for (limit = 1; limit <= most; limit++) {
			send_echo(a, k, limit);
			asked++;
			pace(a);
		}
	}
	return asked;
}

/* The checksum of TCP over IPv6, but for one bit: nobody shall take the packet. */
static u16 wrong_checksum(const struct probe *p)
{
	u16 word[sizeof(*p) / 2];
	u32 sum = IPPROTO_TCP + sizeof(p->tcp), i;

	memcpy(word, p, sizeof(word));
	for (i = offsetof(struct ip6_hdr, ip6_src) / 2; i < ARRAY_SIZE(word); i++)
		sum += ntohs(word[i]);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((u16)~sum ^ 1);
}

static void send_probe(struct asking *a, size_t index, u32 limit)
{
	const struct way *way = &a->ways->at[index];
	struct sockaddr_in6 to = { .sin6_family = AF_INET6 };
	struct probe p = {
		.ip = {
			.ip6_flow = htonl(6U << 28 | way->label),
			.ip6_plen = htons(sizeof(p.tcp)),
			.ip6_nxt = IPPROTO_TCP,
			.ip6_hlim = (u8)limit,
		},
		.tcp = {
			.source = htons(way->sport), .dest = htons(way->dport),
			.seq = htonl((u32)index << LIMIT_BITS | limit),
			.doff = sizeof(p.tcp) / 4, .ack = 1,
		},
	};

	memcpy(&p.ip.ip6_src, way->src, ADDRESS_BYTES);
	memcpy(&p.ip.ip6_dst, way->dst, ADDRESS_BYTES);
	memcpy(&to.sin6_addr, way->dst, ADDRESS_BYTES);
	p.tcp.check = wrong_checksum(&p);
	if (sendto(a->raw, &p, sizeof(p), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		errno = 0;	/* again in the next round */
}

/* What is not known yet. */
static u32 ask_hops(struct asking *a)
{
	u32 asked = 0, limit;
	size_t i;

	for (i = 0; i < a->ways->count; i++)
		for (limit = 1; limit < a->ways->at[i].hops.hops; limit++) {
			if (a->ways->at[i].hops.heard[limit - 1])
				continue;
			send_probe(a, i, limit);
			asked++;
			pace(a);
		}
	return asked;
}

/* Until all is known: routers answer a few at once and then some a second. */
static void ask(struct asking *a, u32 (*question)(struct asking *a))
{
	int round;

	for (round = 0; round < ROUNDS && !is_stopped() && question(a); round++)
		take_answers(a, ROUND_MS);
}

/* A host's last hop is itself. */
static void set_distances(struct asking *a)
{
	size_t i;

	for (i = 0; i < a->ways->count; i++) {
		struct way *way = &a->ways->at[i];
		u8 hops = hops_to(a, way->dst);

		way->hops.hops = hops;
		if (!hops)
			continue;
		way->hops.heard[hops - 1] = true;
		memcpy(&way->hops.hop[hops - 1], way->dst, ADDRESS_BYTES);
	}
}

static bool is_own(const struct ifaddrs *list, const u8 *address)
{
	for (; list; list = list->ifa_next)
		if (list->ifa_addr && list->ifa_addr->sa_family == AF_INET6 &&
		    !memcmp(&((const struct sockaddr_in6 *)list->ifa_addr)->sin6_addr, address,
			    ADDRESS_BYTES))
			return true;
	return false;
}

/* Only from here can be asked what goes from here. */
static void keep_own(struct ways *ways)
{
	struct ifaddrs *list = NULL;
	size_t from, to = 0;

	if (getifaddrs(&list))
		cannot("ways: no list of addresses: %s", strerror(errno));
	for (from = 0; from < ways->count; from++)
		if (is_own(list, ways->at[from].src))
			ways->at[to++] = ways->at[from];
	ways->count = to;
	freeifaddrs(list);
}

/**
 * ways_ask() - find ways by probes
 * @ways: those that do not begin here are taken out
 *
 * Takes up to 20 seconds where somebody keeps silent.
 *
 * Return: how many are known from end to end.
 */
size_t ways_ask(struct ways *ways)
{
	struct asking a = { .ways = ways };
	size_t i, known = 0;

	keep_own(ways);
	if (!ways->count)
		return 0;
	open_sockets(&a);
	find_peers(&a);
	ask(&a, ask_distances);
	set_distances(&a);
	ask(&a, ask_hops);
	close(a.raw);
	close(a.icmp);
	free(a.peer);
	for (i = 0; i < ways->count; i++)
		known += paths_whole(&ways->at[i].hops);
	return known;
}
