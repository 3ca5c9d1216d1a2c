/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of comma-separated numbers and words, one row a line. Blank lines and
 * lines that start with '#' are skipped, blanks around a cell and a carriage
 * return at a line's end do not count. No quoting. Nothing is guessed: a row has
 * as many cells as there are columns, or it is refused.
 *
 * What is wrong is in @error, with the name of the file and the line.
 */
#ifndef _CSV_TABLE_H
#define _CSV_TABLE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define CSV_COLUMNS	128	/* most columns of a file */
#define CSV_NONE	(-1)	/* no such column */
#define CSV_ERROR_BYTES	2048

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
 * @error: what is wrong
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
	char error[CSV_ERROR_BYTES];
};

int csv_load(struct csv *c, const char *path);
int csv_names(struct csv *c);
int csv_row(struct csv *c);
void csv_close(struct csv *c);
int csv_find(const struct csv *c, const char *column);
bool csv_given(const struct csv *c, int column);

int csv_vrefuse(struct csv *c, int column, const char *format, va_list args);
__attribute__((format(printf, 2, 3)))
int csv_refuse(struct csv *c, const char *format, ...);
__attribute__((format(printf, 3, 4)))
int csv_refuse_cell(struct csv *c, int column, const char *format, ...);

#endif /* _CSV_TABLE_H */
