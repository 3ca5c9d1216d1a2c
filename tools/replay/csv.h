/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of comma-separated numbers and words: the first line names the
 * columns, every other one is a row. Blank lines and lines that start with '#'
 * are skipped. No quoting.
 *
 * Whatever is wrong ends the program with status 2 and a message that names
 * file, line, column and value: nothing is guessed, nothing printed half.
 */
#ifndef _REPLAY_CSV_H
#define _REPLAY_CSV_H

#include <stdarg.h>

#include "../../common/dcc_types.h"

#define EXIT_BAD_INPUT	2
#define CSV_COLUMNS	128	/* most columns of a file */
#define CSV_NONE	(-1)	/* no such column */

/**
 * struct csv - a file and the row read last
 * @name: for messages
 * @next: what is still unread
 * @line: line number of the row, from 1
 * @row: its number among the rows, from 1
 * @count: how many columns
 * @column: their names
 * @cell: the row, one text each
 * @text: the whole file, cut into pieces in place
 */
struct csv {
	const char *name;
	char *next;
	size_t line;
	size_t row;
	int count;
	char *column[CSV_COLUMNS];
	char *cell[CSV_COLUMNS];
	char *text;
};

void csv_open(struct csv *c, const char *path);
bool csv_next(struct csv *c);
void csv_close(struct csv *c);
int csv_find(const struct csv *c, const char *column);
bool csv_given(const struct csv *c, int column);
u64 csv_number(const struct csv *c, int column, u64 low, u64 high);
s64 csv_decimal(const struct csv *c, int column, u32 digits, s64 low, s64 high,
		const char *allowed);
__attribute__((noreturn, format(printf, 2, 3)))
void csv_fail(const struct csv *c, const char *format, ...);
__attribute__((noreturn, format(printf, 3, 4)))
void csv_bad(const struct csv *c, int column, const char *format, ...);

int text_number(const char *text, u64 *value);
int text_decimal(const char *text, u32 digits, s64 *value);
__attribute__((noreturn, format(printf, 1, 2)))
void fail(const char *format, ...);

#endif /* _REPLAY_CSV_H */
