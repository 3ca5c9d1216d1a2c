/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers for people, and columns that are as wide as they must be. Pure. */
#ifndef _DCCSTAT_TABLE_H
#define _DCCSTAT_TABLE_H

#include <stdio.h>

#include "flow.h"

#define TABLE_COLUMNS	16	/* most of them */
#define CELL_TEXT	120	/* an address with its namespace, or many words */

/**
 * struct table - rows of text
 * @columns: in each row
 * @rows: how many, the head among them
 * @room: for how many there is memory
 * @cell: they
 */
struct table {
	u32 columns;
	u32 rows;
	size_t room;
	char (*cell)[TABLE_COLUMNS][CELL_TEXT];
};

char (*table_row(struct table *t))[CELL_TEXT];
void table_print(const struct table *t, FILE *out);
void table_free(struct table *t);

char *text_ns(u64 ns, char *text, size_t size);
char *text_rate(u64 bytes_per_s, char *text, size_t size);
char *text_share(u64 part, u64 whole, char *text, size_t size);
char *text_endpoint(const struct flow *flow, bool dst, char *text, size_t size);
char *text_words(const struct flow *flow, char *text, size_t size);

void flow_head(struct table *t, bool nets);
void flow_row(struct table *t, const struct flow *flow, bool nets);

#endif /* _DCCSTAT_TABLE_H */
