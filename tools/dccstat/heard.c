// SPDX-License-Identifier: GPL-2.0
/* Tables of packets that were heard of; see heard.h. */
#include "cells.h"
#include "heard.h"
#include "room.h"

#define TABLES		"a table of dccstat record --labels, or the lab's labels.csv"

void heard_head(FILE *out)
{
	fputs("now_ns,alg,src,sport,dst,dport,label,what,delay\n", out);
}

void heard_row(FILE *out, const struct heard *h)
{
	struct cells_pair pair = cells_pair(h->src, h->dst);

	fprintf(out, "%llu,%s,%s,%u,%s,%u,%u,%s,%u\n", (unsigned long long)h->now, h->alg,
		pair.from, h->sport, pair.to, h->dport, h->label, heard_word[h->what], h->delay);
}

/**
 * struct columns - where a file has what
 * @now: and so on: columns
 */
struct columns {
	int now, alg;
	struct cells_packet packet;
	int what, delay;
};

static void find_columns(struct csv *c, struct columns *at)
{
	at->now = cells_need(c, csv_find(c, "t") != CSV_NONE ? "t" : "now_ns", TABLES);
	at->alg = cells_need(c, "alg", TABLES);
	cells_need_packet(c, &at->packet, TABLES);
	at->what = cells_need(c, "what", TABLES);
	at->delay = cells_need(c, "delay", TABLES);
}

static void read_row(struct csv *c, const struct columns *at, struct heard *h)
{
	*h = (struct heard) {
		.now = csv_number(c, at->now, 0, U64_MAX),
		.sport = (u16)csv_number(c, at->packet.sport, 0, 65535),
		.dport = (u16)csv_number(c, at->packet.dport, 0, 65535),
		.label = (u32)csv_number(c, at->packet.label, 0, LABEL_MAX),
		.delay = (u32)csv_number(c, at->delay, 0, U32_MAX),
		.what = (u8)heard_what(c->cell[at->what]),
	};
	cells_address(c, at->packet.src, h->src);
	cells_address(c, at->packet.dst, h->dst);
	if (h->what == HEARD_KINDS)
		csv_bad(c, at->what, "is unknown; allowed: good, marked, lost, timeout");
	if (!*c->cell[at->alg] || strlen(c->cell[at->alg]) >= sizeof(h->alg))
		csv_bad(c, at->alg, "is no name; allowed: 1 to %zu characters",
			sizeof(h->alg) - 1);
	snprintf(h->alg, sizeof(h->alg), "%s", c->cell[at->alg]);
}

/**
 * heard_read() - read a file, beside those read before
 * @all: zeroed before the first
 * @path: a table of dccstat record --labels, or the lab's labels.csv
 *
 * Ends the program if anything is wrong with it.
 */
void heard_read(struct heards *all, const char *path)
{
	struct columns at;
	struct csv c;

	cells_open(&c, path);
	find_columns(&c, &at);
	while (csv_next(&c)) {
		all->at = room_for_one(all->at, all->count, &all->room, sizeof(*all->at),
				       "packets");
		read_row(&c, &at, &all->at[all->count++]);
	}
	csv_close(&c);
}

void heard_free(struct heards *all)
{
	free(all->at);
	memset(all, 0, sizeof(*all));
}
