// SPDX-License-Identifier: GPL-2.0
/* Reading tables; see table.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define ROOM_AT_FIRST	65536
#define SHOWN		"%.100s"	/* of a cell, of a name */
#define PLAIN		"cells are plain numbers and words"

/* "file:line: " in front, without a line if none was read; how long it is. */
static size_t say_where(struct csv *c)
{
	int n = c->line ?
		snprintf(c->error, CSV_ERROR_BYTES, "%.1000s:%zu: ", c->name, c->line) :
		snprintf(c->error, CSV_ERROR_BYTES, "%.1000s: ", c->name);

	return (size_t)n;
}

/**
 * csv_vrefuse() - what the next two do, for those who make such functions
 * @c: gets the message
 * @column: of the row read last; CSV_NONE: the line is wrong, or the file
 * @format: what is wrong, as of vprintf()
 * @args: the same
 *
 * Return: -EINVAL, always.
 */
int csv_vrefuse(struct csv *c, int column, const char *format, va_list args)
{
	size_t n = say_where(c);

	if (column != CSV_NONE)
		n += (size_t)snprintf(c->error + n, CSV_ERROR_BYTES - n,
				      "column '" SHOWN "': '" SHOWN "' ",
				      c->column[column], c->cell[column]);
	vsnprintf(c->error + n, CSV_ERROR_BYTES - n, format, args);
	return -EINVAL;
}

/* A line is wrong, or the file; -EINVAL, always. */
int csv_refuse(struct csv *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	csv_vrefuse(c, CSV_NONE, format, args);
	va_end(args);
	return -EINVAL;
}

/* A cell is wrong; -EINVAL, always. */
int csv_refuse_cell(struct csv *c, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	csv_vrefuse(c, column, format, args);
	va_end(args);
	return -EINVAL;
}

/* Everything up to the end of a stream, with a 0 behind it. */
static int read_all(struct csv *c, FILE *f, size_t *size)
{
	size_t room = ROOM_AT_FIRST, used = 0;
	char *more;

	for (;; room *= 2) {
		more = realloc(c->text, room);
		if (!more)
			return csv_refuse(c, "no memory for it");
		c->text = more;
		used += fread(more + used, 1, room - used - 1, f);
		if (used < room - 1)
			break;
	}
	if (ferror(f))
		return csv_refuse(c, "cannot be read: %s", strerror(errno));
	more[used] = 0;
	*size = used;
	return 0;
}

/**
 * csv_load() - read a file
 * @c: set in all fields; to be closed also after an error
 * @path: the file; "-" is the standard input
 *
 * Return: 0, or -EINVAL with the reason in c->error.
 */
int csv_load(struct csv *c, const char *path)
{
	bool standard = !strcmp(path, "-");
	FILE *f = standard ? stdin : fopen(path, "r");
	size_t size = 0;
	int err;

	memset(c, 0, sizeof(*c));
	c->name = standard ? "stdin" : path;
	if (!f)
		return csv_refuse(c, "cannot be opened: %s", strerror(errno));
	err = read_all(c, f, &size);
	if (!standard)
		fclose(f);
	if (err)
		return err;
	if (strlen(c->text) != size)
		return csv_refuse(c, "not a text: it has a zero byte at %zu",
				  strlen(c->text));
	c->next = c->text;
	return 0;
}

/* Give back what a table holds; its error stays. */
void csv_close(struct csv *c)
{
	free(c->text);
	c->text = NULL;
}

/* The text without blanks around it. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && strchr(" \t\r", end[-1]))
		*--end = 0;
	return text + strspn(text, " \t");
}

/* The next line that says something, trimmed; NULL at the end. */
static char *next_line(struct csv *c)
{
	char *line;

	while (c->next && *c->next) {
		line = c->next;
		c->next = strchr(line, '\n');
		if (c->next)
			*c->next++ = 0;
		c->line++;
		line = trim(line);
		if (*line && *line != '#')
			return line;
	}
	return NULL;
}

/* Terminals take some of them for orders, and messages repeat cells. */
static int refuse_control(struct csv *c, const char *line)
{
	for (; *line; line++)
		if (iscntrl((unsigned char)*line) && *line != '\t')
			return csv_refuse(c, "byte 0x%02x is not allowed: " PLAIN,
					  (unsigned char)*line);
	return 0;
}

/* Cut a line into cells; how many, or -EINVAL. */
static int split(struct csv *c, char *line, char **cell)
{
	int n = 0;

	if (refuse_control(c, line))
		return -EINVAL;
	if (strchr(line, '"'))
		return csv_refuse(c, "'\"' is not allowed: " PLAIN);
	for (;;) {
		char *comma = strchr(line, ',');

		if (n == CSV_COLUMNS)
			return csv_refuse(c, "more than %d columns", CSV_COLUMNS);
		if (comma)
			*comma = 0;
		cell[n++] = trim(line);
		if (!comma)
			return n;
		line = comma + 1;
	}
}

/**
 * csv_names() - the next line names the columns
 * @c: a file that was loaded
 *
 * Return: 0, or -EINVAL with the reason in c->error.
 */
int csv_names(struct csv *c)
{
	char *line = next_line(c);
	int i;

	if (!line) {
		c->line = 0;
		return csv_refuse(c, "empty: it has no line that names the columns");
	}
	c->count = split(c, line, c->column);
	if (c->count < 0)
		return c->count;
	for (i = 0; i < c->count; i++) {
		if (!*c->column[i])
			return csv_refuse(c, "column %d has no name", i + 1);
		if (csv_find(c, c->column[i]) != i)
			return csv_refuse(c, "column '" SHOWN "' is there twice",
					  c->column[i]);
	}
	return 0;
}

/**
 * csv_row() - go on to the next row
 * @c: a file whose columns have been named
 *
 * Return: 1; 0 at the end of the file; -EINVAL with the reason in c->error.
 */
int csv_row(struct csv *c)
{
	char *line = next_line(c);
	int n;

	if (!line)
		return 0;
	n = split(c, line, c->cell);
	if (n < 0)
		return n;
	if (n != c->count)
		return csv_refuse(c, "%d cells, but %d columns", n, c->count);
	c->row++;
	return 1;
}

/* The column's position, CSV_NONE if there is none of that name. */
int csv_find(const struct csv *c, const char *column)
{
	int i;

	for (i = 0; i < c->count; i++)
		if (!strcmp(c->column[i], column))
			return i;
	return CSV_NONE;
}

/* Does the row say something there? */
bool csv_given(const struct csv *c, int column)
{
	return column != CSV_NONE && *c->cell[column];
}
