// SPDX-License-Identifier: GPL-2.0
/* Columns and cells; see cells.h. */
#include <arpa/inet.h>

#include "cells.h"

/* A column that must be there; @tables: what has it. */
int cells_need(struct csv *c, const char *name, const char *tables)
{
	int column = csv_find(c, name);

	if (column == CSV_NONE)
		csv_fail(c, "column '%s' is missing; allowed: %s", name, tables);
	return column;
}

/* 16 bytes; IPv4's as ::ffff:a.b.c.d. */
void cells_address(struct csv *c, int column, void *address)
{
	if (inet_pton(AF_INET6, c->cell[column], address) != 1)
		csv_bad(c, column, "is no IPv6 address; allowed: like fd00::1, ::ffff:10.0.0.1");
}
