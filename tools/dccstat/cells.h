/* SPDX-License-Identifier: GPL-2.0 */
/* Columns and cells of the tables that dccstat reads, beyond replay/csv.h. Pure. */
#ifndef _DCCSTAT_CELLS_H
#define _DCCSTAT_CELLS_H

#include <netinet/in.h>

#include "../replay/csv.h"

/**
 * struct cells_packet - which columns say whose a packet was and how it was labelled
 * @src: and so on: columns
 */
struct cells_packet {
	int src, sport, dst, dport, label;
};

/**
 * struct cells_pair - two addresses as texts
 * @from: one
 * @to: the other
 */
struct cells_pair {
	char from[INET6_ADDRSTRLEN];
	char to[INET6_ADDRSTRLEN];
};

void cells_open(struct csv *c, const char *path);
int cells_need(struct csv *c, const char *name, const char *tables);
void cells_need_packet(struct csv *c, struct cells_packet *at, const char *tables);
void cells_address(struct csv *c, int column, void *address);
struct cells_pair cells_pair(const void *from, const void *to);

#endif /* _DCCSTAT_CELLS_H */
