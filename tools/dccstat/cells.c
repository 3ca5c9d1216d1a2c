// SPDX-License-Identifier: GPL-2.0
/* Columns and cells; see cells.h. */
#include <arpa/inet.h>

#include "cells.h"

/* csv_open() where a file that cannot be read is not asked for wrongly. */
void cells_open(struct csv *c, const char *path)
{
	if (csv_load(c, path))
		cannot("%s", c->error);
	csv_head(c);
}

/* A column that must be there; @tables: what has it. */
int cells_need(struct csv *c, const char *name, const char *tables)
{
	int column = csv_find(c, name);

	if (column == CSV_NONE)
		csv_fail(c, "column '%s' is missing; allowed: %s", name, tables);
	return column;
}

/* What tables of packets have in common. */
void cells_need_packet(struct csv *c, struct cells_packet *at, const char *tables)
{
	at->src = cells_need(c, "src", tables);
	at->sport = cells_need(c, "sport", tables);
	at->dst = cells_need(c, "dst", tables);
	at->dport = cells_need(c, "dport", tables);
	at->label = cells_need(c, "label", tables);
}

/* 16 bytes; IPv4's as ::ffff:a.b.c.d. */
void cells_address(struct csv *c, int column, void *address)
{
	if (inet_pton(AF_INET6, c->cell[column], address) != 1)
		csv_bad(c, column, "is no IPv6 address; allowed: like fd00::1, ::ffff:10.0.0.1");
}

/* The way back, of two IPv6 addresses. */
struct cells_pair cells_pair(const void *from, const void *to)
{
	struct cells_pair pair;

	inet_ntop(AF_INET6, from, pair.from, sizeof(pair.from));
	inet_ntop(AF_INET6, to, pair.to, sizeof(pair.to));
	return pair;
}
