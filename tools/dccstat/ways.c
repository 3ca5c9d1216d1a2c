// SPDX-License-Identifier: GPL-2.0
/* Ways; see ways.h. */
#include <arpa/inet.h>

#include "cells.h"
#include "fnv.h"
#include "room.h"
#include "ways.h"

#define TABLES		"a table of dccstat ways"
#define SILENT		"-"

/**
 * way_wanted() - does this packet count?
 * @h: a packet
 * @of: one of so many that arrived does
 *
 * Every lost one, and of the others a random part, the same whoever asks: each host
 * chooses by itself. A packet without a label, or of IPv4, has no way to be asked for.
 *
 * Return: does it?
 */
bool way_wanted(const struct heard *h, u32 of)
{
	u64 draw;

	if (!h->label || IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)h->src))
		return false;
	if (heard_lost(h))
		return true;
	draw = fnv(FNV_BASIS, h->src, sizeof(h->src));
	draw = fnv(draw, h->dst, sizeof(h->dst));
	draw = fnv(draw, &h->label, sizeof(h->label));
	draw = fnv(draw, &h->sport, sizeof(h->sport));
	draw = fnv(draw, &h->now, sizeof(h->now));
	return (draw ^ draw >> 32) % of == 0;
}

static int compare_keys(const struct way *a, const struct way *b)
{
	int order = memcmp(a->src, b->src, sizeof(a->src));

	if (!order)
		order = memcmp(a->dst, b->dst, sizeof(a->dst));
	if (!order)
		order = (a->label > b->label) - (a->label < b->label);
	if (!order)
		order = a->sport - b->sport;
	return order ? order : a->dport - b->dport;
}

static int compare_ways(const void *a, const void *b)
{
	const struct way *one = a, *other = b;
	int order = compare_keys(one, other);

	return order ? order : (int)paths_whole(&other->hops) - (int)paths_whole(&one->hops);
}

static struct way *new_way(struct ways *ways)
{
	ways->at = room_for_one(ways->at, ways->count, &ways->room, sizeof(*ways->at), "ways");
	memset(&ways->at[ways->count], 0, sizeof(*ways->at));
	return &ways->at[ways->count++];
}

static void set_key(struct way *way, const struct heard *h)
{
	memcpy(way->src, h->src, sizeof(way->src));
	memcpy(way->dst, h->dst, sizeof(way->dst));
	way->sport = h->sport;
	way->dport = h->dport;
	way->label = h->label;
}

/* Of two tables one is old, then: a link would be named by their order. */
static void check_same(const struct way *one, const struct way *other)
{
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];
	bool same = one->hops.hops == other->hops.hops &&
		    !memcmp(one->hops.hop, other->hops.hop,
			    one->hops.hops * sizeof(one->hops.hop[0]));

	if (same || !paths_whole(&other->hops))
		return;
	inet_ntop(AF_INET6, one->src, from, sizeof(from));
	inet_ntop(AF_INET6, one->dst, to, sizeof(to));
	fail("label %05x of %s port %u to %s port %u has two ways; allowed: tables of one time",
	     one->label, from, one->sport, to, one->dport);
}

/* For ways_find(); of two that are of the same packets the one that is known stays. */
void ways_sort(struct ways *ways)
{
	size_t from, to = 0;

	if (!ways->count)
		return;
	qsort(ways->at, ways->count, sizeof(*ways->at), compare_ways);
	for (from = 0; from < ways->count; from++)
		if (!to || compare_keys(&ways->at[to - 1], &ways->at[from]))
			ways->at[to++] = ways->at[from];
		else
			check_same(&ways->at[to - 1], &ways->at[from]);
	ways->count = to;
}

/**
 * ways_choose() - whose ways have to be known
 * @ways: zeroed; set, sorted
 * @all: packets
 * @of: see way_wanted()
 */
void ways_choose(struct ways *ways, const struct heards *all, u32 of)
{
	size_t i;

	ways->of = of;
	for (i = 0; i < all->count; i++)
		if (way_wanted(&all->at[i], of))
			set_key(new_way(ways), &all->at[i]);
	ways_sort(ways);
}

/* The way of a packet, NULL: nobody asked. */
const struct way *ways_find(const struct ways *ways, const struct heard *h)
{
	struct way key;

	set_key(&key, h);
	key.hops = (struct paths_try) { 0 };
	return bsearch(&key, ways->at, ways->count, sizeof(key),
		       (int (*)(const void *, const void *))compare_keys);
}

void ways_write(const struct ways *ways, FILE *out)
{
	char text[INET6_ADDRSTRLEN];
	size_t i;
	u32 hop;

	fputs("src,sport,dst,dport,label,of,hops", out);
	for (hop = 1; hop <= PATHS_HOPS; hop++)
		fprintf(out, ",hop%u", hop);
	fputc('\n', out);
	for (i = 0; i < ways->count; i++) {
		const struct way *w = &ways->at[i];

		fprintf(out, "%s,%u,", inet_ntop(AF_INET6, w->src, text, sizeof(text)), w->sport);
		fprintf(out, "%s,%u,%u,%u,%u", inet_ntop(AF_INET6, w->dst, text, sizeof(text)),
			w->dport, w->label, ways->of, w->hops.hops);
		for (hop = 0; hop < PATHS_HOPS; hop++)
			fprintf(out, ",%s", !w->hops.heard[hop] ? SILENT :
				inet_ntop(AF_INET6, &w->hops.hop[hop], text, sizeof(text)));
		fputc('\n', out);
	}
}

/**
 * struct columns - where a file has what
 * @packet: and so on: columns
 */
struct columns {
	struct cells_packet packet;
	int of, hops, hop[PATHS_HOPS];
};

static void find_columns(struct csv *c, struct columns *at)
{
	char name[8];
	u32 i;

	cells_need_packet(c, &at->packet, TABLES);
	at->of = cells_need(c, "of", TABLES);
	at->hops = cells_need(c, "hops", TABLES);
	for (i = 0; i < PATHS_HOPS; i++) {
		snprintf(name, sizeof(name), "hop%u", i + 1);
		at->hop[i] = cells_need(c, name, TABLES);
	}
}

static void read_row(struct ways *ways, struct csv *c, const struct columns *at)
{
	struct way *way = new_way(ways);
	u32 i, of = (u32)csv_number(c, at->of, 1, WAYS_OF_MOST);

	if (ways->of && ways->of != of)
		csv_bad(c, at->of, "is not that of the rows before; allowed: %u", ways->of);
	ways->of = of;
	cells_address(c, at->packet.src, way->src);
	cells_address(c, at->packet.dst, way->dst);
	way->sport = (u16)csv_number(c, at->packet.sport, 0, 65535);
	way->dport = (u16)csv_number(c, at->packet.dport, 0, 65535);
	way->label = (u32)csv_number(c, at->packet.label, 1, LABEL_MAX);
	way->hops.hops = (u8)csv_number(c, at->hops, 0, PATHS_HOPS);
	for (i = 0; i < PATHS_HOPS; i++) {
		way->hops.heard[i] = strcmp(c->cell[at->hop[i]], SILENT);
		if (way->hops.heard[i])
			cells_address(c, at->hop[i], &way->hops.hop[i]);
	}
}

/**
 * ways_read() - read a file, beside those read before
 * @ways: zeroed before the first; ways_sort() after the last
 * @path: a table of dccstat ways
 *
 * Ends the program if anything is wrong with it.
 */
void ways_read(struct ways *ways, const char *path)
{
	struct columns at;
	struct csv c;

	cells_open(&c, path);
	find_columns(&c, &at);
	while (csv_next(&c))
		read_row(ways, &c, &at);
	csv_close(&c);
}

void ways_free(struct ways *ways)
{
	free(ways->at);
	memset(ways, 0, sizeof(*ways));
}
