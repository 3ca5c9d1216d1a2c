// SPDX-License-Identifier: GPL-2.0
/* Tables in which nothing may be wrong; see csv.h. */
#include <stdarg.h>
#include <stdio.h>

#include "csv.h"

static void say(const char *format, va_list args)
{
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/* For what is wrong outside a file. */
void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(EXIT_BAD_INPUT);
}

/* For what was asked for rightly, and cannot be done. */
void cannot(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(EXIT_FAILED);
}

/* Say what the table's error is. */
__attribute__((noreturn))
static void end_with(const struct csv *c)
{
	if (!c->line)
		fail("%s", c->error);
	fprintf(stderr, "%s\n", c->error);
	exit(EXIT_BAD_INPUT);
}

/* For what is wrong with a line. */
void csv_fail(struct csv *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	csv_vrefuse(c, CSV_NONE, format, args);
	va_end(args);
	end_with(c);
}

/* For what is wrong with a cell. */
void csv_bad(struct csv *c, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	csv_vrefuse(c, column, format, args);
	va_end(args);
	end_with(c);
}

/* The next line names the columns. */
void csv_head(struct csv *c)
{
	if (csv_names(c))
		end_with(c);
}

/**
 * csv_open() - read a file and its header
 * @c: set in all fields
 * @path: the file; "-" is the standard input
 */
void csv_open(struct csv *c, const char *path)
{
	if (csv_load(c, path))
		end_with(c);
	csv_head(c);
}

/**
 * csv_next() - go on to the next row
 * @c: an open file
 *
 * Return: false at the end of the file.
 */
bool csv_next(struct csv *c)
{
	int more = csv_row(c);

	if (more < 0)
		end_with(c);
	return more;
}

/*
 * The number in a cell, times 10^digits, which must be there and within the
 * range; @allowed says that in words.
 */
s64 csv_decimal(struct csv *c, int column, u32 digits, s64 low, s64 high,
		const char *allowed)
{
	int err;
	s64 v;

	err = text_decimal(c->cell[column], digits, &v);
	if (err == -EINVAL)
		csv_bad(c, column, "is not a number; allowed: %s", allowed);
	if (err || v < low || v > high)
		csv_bad(c, column, "is out of range; allowed: %s", allowed);
	return v;
}

/* The number in a cell, which must be there and within the range. */
u64 csv_number(struct csv *c, int column, u64 low, u64 high)
{
	u64 v;
	int err = text_number(c->cell[column], &v);

	if (err == -EINVAL)
		csv_bad(c, column, "is not a number; allowed: whole numbers from %llu to %llu",
			(unsigned long long)low, (unsigned long long)high);
	if (err || v < low || v > high)
		csv_bad(c, column, "is out of range; allowed: %llu to %llu",
			(unsigned long long)low, (unsigned long long)high);
	return v;
}
