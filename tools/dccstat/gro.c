// SPDX-License-Identifier: GPL-2.0
/* Which packets would have been merged; see gro.h. */
#include <arpa/inet.h>

#include "fnv.h"
#include "gro.h"

/* of IPv6's header */
#define IP_BYTES	40
#define IP_LENGTH	4
#define IP_NEXT		6
#define IP_HOPS		7
#define IP_FROM		8
#define IP_TO		24
#define IP_LABEL_MASK	0xfffffU
#define IP_CLASS_SHIFT	20
#define IP_VERSION	6

/* of TCP's, which follows */
#define TCP_BYTES	20
#define TCP_SPORT	(IP_BYTES + 0)
#define TCP_DPORT	(IP_BYTES + 2)
#define TCP_SEQ		(IP_BYTES + 4)
#define TCP_ACK		(IP_BYTES + 8)
#define TCP_WORDS	(IP_BYTES + 12)	/* its length, in words, above four bits */
#define TCP_FLAGS	(IP_BYTES + 13)

#define FLAG_FIN	0x01U
#define FLAG_SYN	0x02U
#define FLAG_RST	0x04U
#define FLAG_PSH	0x08U
#define FLAG_URG	0x20U
/* packets with these GRO hands up at once, if no other is held before them */
#define ENDS_RUN	(FLAG_FIN | FLAG_SYN | FLAG_RST | FLAG_PSH | FLAG_URG)

/* GRO_LEGACY_MAX_SIZE of the kernel, without headers */
#define RUN_BYTES	(65536U - IP_BYTES - TCP_BYTES)

static u32 word_at(const u8 *data)
{
	u32 word;

	memcpy(&word, data, sizeof(word));
	return ntohl(word);
}

static u32 half_at(const u8 *data)
{
	return (u32)data[0] << 8 | data[1];
}

/* FIN and PSH may be at a run's end alone; all else that GRO compares is in here. */
static u64 hash_alike(const u8 *data, u32 tcp_bytes)
{
	u8 class = (u8)(word_at(data) >> IP_CLASS_SHIFT);
	u8 flags = (u8)(data[TCP_FLAGS] & ~(FLAG_FIN | FLAG_PSH));
	u64 hash = FNV_BASIS;

	hash = fnv(hash, &class, 1);
	hash = fnv(hash, &data[IP_HOPS], 1);
	hash = fnv(hash, &data[TCP_ACK], sizeof(u32));
	hash = fnv(hash, &data[TCP_WORDS], 1);
	hash = fnv(hash, &flags, 1);
	return fnv(hash, &data[IP_BYTES + TCP_BYTES], tcp_bytes - TCP_BYTES);
}

/**
 * gro_parse() - read headers
 * @data: from IPv6's on
 * @len: how many bytes of it there are
 * @p: filled in, but for @now and @device
 *
 * A packet of more than 64 KiB, as gro_max_size may allow, does not tell its length.
 *
 * Return: false if it is not TCP with data, without headers in between, or is cut off.
 */
bool gro_parse(const u8 *data, size_t len, struct gro_packet *p)
{
	u32 bytes, tcp_bytes;

	if (len < IP_BYTES + TCP_BYTES || data[0] >> 4 != IP_VERSION ||
	    data[IP_NEXT] != IPPROTO_TCP)
		return false;
	bytes = half_at(&data[IP_LENGTH]);
	tcp_bytes = (data[TCP_WORDS] >> 4) * 4U;
	if (tcp_bytes < TCP_BYTES || bytes <= tcp_bytes || len < IP_BYTES + tcp_bytes)
		return false;
	memcpy(&p->ends.from, &data[IP_FROM], sizeof(p->ends.from));
	memcpy(&p->ends.to, &data[IP_TO], sizeof(p->ends.to));
	memcpy(&p->ends.sport, &data[TCP_SPORT], sizeof(p->ends.sport));
	memcpy(&p->ends.dport, &data[TCP_DPORT], sizeof(p->ends.dport));
	p->label = word_at(data) & IP_LABEL_MASK;
	p->seq = word_at(&data[TCP_SEQ]);
	p->len = bytes - tcp_bytes;
	p->alike = hash_alike(data, tcp_bytes);
	p->last = data[TCP_FLAGS] & ENDS_RUN;
	return true;
}

/* Its place, or a free one, from that on which its hash names; NULL: none is left. */
static struct gro_connection *find(struct gro_table *table, const struct gro_packet *p)
{
	u64 first = fnv(FNV_BASIS, &p->ends, sizeof(p->ends));
	u32 i;

	for (i = 0; i < GRO_CONNECTIONS; i++) {
		struct gro_connection *c = &table->at[(first + i) % GRO_CONNECTIONS];

		if (!c->packets) {
			c->ends = p->ends;
			c->label = p->label;
			return c;
		}
		if (!memcmp(&c->ends, &p->ends, sizeof(p->ends)))
			return c;
	}
	return NULL;
}

/*
 * Packets of one label that followed each other in a poll the stock GRO has merged: there,
 * another poll began, or it had another reason.
 */
static bool continues(const struct gro_run *run, const struct gro_packet *p)
{
	return run->len && !run->ended && run->next == p->seq && run->alike == p->alike &&
	       run->device == p->device && run->label != p->label &&
	       run->len + p->len < RUN_BYTES && p->now - run->began <= GRO_POLL_NS;
}

static struct gro_run *find_run(struct gro_connection *c, const struct gro_packet *p)
{
	u32 i;

	for (i = 0; i < GRO_RUNS; i++)
		if (continues(&c->run[i], p))
			return &c->run[i];
	return NULL;
}

static struct gro_run *begin_run(struct gro_connection *c, const struct gro_packet *p)
{
	struct gro_run *run = &c->run[c->begun++ % GRO_RUNS];

	*run = (struct gro_run) { .began = p->now, .device = p->device, .alike = p->alike };
	return run;
}

/**
 * gro_take() - a packet more
 * @table: of all connections
 * @p: the packet, none before one that TCP got earlier
 */
void gro_take(struct gro_table *table, const struct gro_packet *p)
{
	struct gro_connection *c = find(table, p);
	struct gro_run *run;

	if (!c) {
		table->unseen++;
		return;
	}
	c->packets++;
	c->device = p->device;
	c->sprayed |= p->label != c->label;
	run = find_run(c, p);
	c->joined += !!run;
	if (!run)
		run = begin_run(c, p);
	run->next = p->seq + p->len;
	run->len += p->len;
	run->label = p->label;
	run->ended = p->last;
}

/* Is it a sprayed one of this host's? */
bool gro_counts(const struct gro_connection *c)
{
	return c->sprayed && !c->foreign;
}

/**
 * gro_sum() - what came of sprayed connections together
 * @table: of all
 * @seen: set
 */
void gro_sum(const struct gro_table *table, struct gro_seen *seen)
{
	u32 i;

	*seen = (struct gro_seen) { .unseen = table->unseen };
	for (i = 0; i < GRO_CONNECTIONS; i++) {
		const struct gro_connection *c = &table->at[i];

		if (!gro_counts(c))
			continue;
		seen->connections++;
		seen->packets += c->packets;
		seen->joined += c->joined;
	}
}
