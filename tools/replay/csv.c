// SPDX-License-Identifier: GPL-2.0
/* Reading tables; see csv.h. */
#include <stdio.h>

#include "csv.h"

#define MOST_DIGITS	30	/* of a number with a point: 100 bits */
#define u128		unsigned __int128

static void say(const char *format, va_list args)
{
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/* For what is wrong outside a file. */
void fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(EXIT_BAD_INPUT);
}

/* For what is wrong with a line. */
void csv_fail(const struct csv *c, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%zu: ", c->name, c->line);
	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(EXIT_BAD_INPUT);
}

/* For what is wrong with a cell. */
void csv_bad(const struct csv *c, int column, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%zu: column '%s': '%s' ", c->name, c->line,
		c->column[column], c->cell[column]);
	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(EXIT_BAD_INPUT);
}

/**
 * text_number() - a whole number without sign, and nothing else
 * @text: digits
 * @value: set only on success
 *
 * Return: 0, -EINVAL if it is no such number, -ERANGE if 64 bits are too few.
 */
int text_number(const char *text, u64 *value)
{
	u64 v = 0;

	if (!*text)
		return -EINVAL;
	if (text[strspn(text, "0123456789")])
		return -EINVAL;
	for (; *text; text++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (u64)(*text - '0'), &v))
			return -ERANGE;
	*value = v;
	return 0;
}

/* Digits, and how many of them follow a point; the text behind them. */
static const char *read_digits(const char *text, u128 *value, int *digits,
			       int *decimals)
{
	bool point = false;

	*value = 0;
	*digits = 0;
	*decimals = 0;
	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		*value = *value * 10 + (unsigned int)(*text - '0');
		*decimals += point;
		if (++*digits > MOST_DIGITS)
			break;
	}
	return text;
}

/* The 3 of "1e3", 0 if there is none; sets @text behind it. */
static int read_exponent(const char **text)
{
	char *end;
	long v;

	if (**text != 'e' && **text != 'E')
		return 0;
	if (!(*text)[1])
		return 0;
	v = strtol(*text + 1, &end, 10);
	*text = end;
	return (int)clamp_t(long, v, -MOST_DIGITS, MOST_DIGITS);
}

/**
 * text_decimal() - a number that may have a sign, a point and an exponent
 * @text: "-.45", "1", "2.5e-3"
 * @digits: decimals to keep, at most 15
 * @value: times 10^digits, to the nearest, halves away from 0; set on success
 *
 * Return: 0, -EINVAL if it is no such number, -ERANGE if it is too long or large.
 */
int text_decimal(const char *text, u32 digits, s64 *value)
{
	const u128 most = INT64_MAX;
	bool minus = *text == '-';
	u128 v, unit;
	int count, shift;

	text = read_digits(text + (*text == '-' || *text == '+'), &v, &count,
			   &shift);
	if (count > MOST_DIGITS)
		return -ERANGE;
	shift = (int)digits - shift + read_exponent(&text);
	if (!count || *text)
		return -EINVAL;
	for (; shift > 0 && v; shift--) {
		v *= 10;
		if (v > most)
			return -ERANGE;
	}
	for (unit = 1; shift < 0 && unit <= 2 * v; shift++)
		unit *= 10;
	v = (v + unit / 2) / unit;
	if (v > most)
		return -ERANGE;
	*value = minus ? -(s64)v : (s64)v;
	return 0;
}

/* Everything up to the end of a stream, with a 0 behind it. */
static char *read_all(FILE *f, const char *name, size_t *size)
{
	size_t room = 1 << 16, used = 0;
	char *text = malloc(room);

	while (text) {
		used += fread(text + used, 1, room - used - 1, f);
		if (used < room - 1)
			break;
		room *= 2;
		text = realloc(text, room);
	}
	if (!text)
		fail("%s: no memory for it", name);
	if (ferror(f))
		fail("%s: cannot be read: %s", name, strerror(errno));
	text[used] = 0;
	*size = used;
	return text;
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

/* Cut a line into cells; how many. */
static int split(const struct csv *c, char *line, char **cell)
{
	int n = 0;

	if (strchr(line, '"'))
		csv_fail(c, "'\"' is not allowed: cells are plain numbers and words");
	for (;;) {
		char *comma = strchr(line, ',');

		if (n == CSV_COLUMNS)
			csv_fail(c, "more than %d columns", CSV_COLUMNS);
		if (comma)
			*comma = 0;
		cell[n++] = trim(line);
		if (!comma)
			return n;
		line = comma + 1;
	}
}

/* The line that names the columns. */
static void read_header(struct csv *c)
{
	char *line = next_line(c);
	int i;

	if (!line)
		fail("%s: empty: it has no line that names the columns", c->name);
	c->count = split(c, line, c->column);
	for (i = 0; i < c->count; i++) {
		if (!*c->column[i])
			csv_fail(c, "column %d has no name", i + 1);
		if (csv_find(c, c->column[i]) != i)
			csv_fail(c, "column '%s' is there twice", c->column[i]);
	}
}

/**
 * csv_open() - read a file and its header
 * @c: set in all fields
 * @path: the file; "-" is the standard input
 */
void csv_open(struct csv *c, const char *path)
{
	bool standard = !strcmp(path, "-");
	FILE *f = standard ? stdin : fopen(path, "r");
	size_t size;

	memset(c, 0, sizeof(*c));
	c->name = standard ? "stdin" : path;
	if (!f)
		fail("%s: cannot be opened: %s", path, strerror(errno));
	c->text = read_all(f, c->name, &size);
	if (!standard)
		fclose(f);
	if (strlen(c->text) != size)
		fail("%s: not a text: it has a zero byte at %zu", c->name,
		     strlen(c->text));
	c->next = c->text;
	read_header(c);
}

/**
 * csv_next() - go on to the next row
 * @c: an open file
 *
 * Return: false at the end of the file.
 */
bool csv_next(struct csv *c)
{
	char *line = next_line(c);
	int n;

	if (!line)
		return false;
	n = split(c, line, c->cell);
	if (n != c->count)
		csv_fail(c, "%d cells, but %d columns", n, c->count);
	c->row++;
	return true;
}

void csv_close(struct csv *c)
{
	free(c->text);
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

/*
 * The number in a cell, times 10^digits, which must be there and within the
 * range; @allowed says that in words.
 */
s64 csv_decimal(const struct csv *c, int column, u32 digits, s64 low, s64 high,
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
u64 csv_number(const struct csv *c, int column, u64 low, u64 high)
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
