// SPDX-License-Identifier: GPL-2.0
/* Curves from and to CSV. */
#include <errno.h>
#include <string.h>

#include "../csv/number.h"
#include "../csv/table.h"
#include "csv.h"

#define DECIMALS	1000	/* numbers are written to three decimals */
#define MOST_SHIFT	30	/* digits times 10^30 may still fit, not more */

enum column { T_NS, BYTES, COLUMNS };

/* Digits times 10^shift; false if that does not fit. */
static bool to_q(const struct text_number *text, struct nc_q *number)
{
	struct nc_q ten = nc_q_int(10);
	int i;

	*number = nc_q_make((__int128)text->digits, 1);
	for (i = 0; i < text->shift && text->digits; i++)
		*number = nc_q_mul(*number, ten);
	for (i = 0; i > text->shift && text->digits; i--)
		*number = nc_q_div(*number, ten);
	return !nc_q_lost();
}

#define WHOLE_DIGITS	39	/* of 127 bits */

/* A whole number of up to 127 bits, and what is behind it; NULL: there is none. */
static const char *read_whole(const char *text, __int128 *number)
{
	const char *begin = text;

	*number = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		if (text - begin == WHOLE_DIGITS ||
		    __builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, *text - '0', number))
			return NULL;
	return text == begin ? NULL : text;
}

/* "7/3" or "7", as --exact writes them: whole numbers, the second one above 0. */
static int read_fraction(const char *text, struct nc_q *number)
{
	__int128 num, den = 1;

	text = read_whole(text, &num);
	if (text && *text == '/')
		text = read_whole(text + 1, &den);
	if (!text || *text || !den)
		return -EINVAL;
	*number = nc_q_make(num, den);
	return 0;
}

/* A cell's number, exactly. */
static int read_number(struct csv *c, int column, struct nc_q *number)
{
	struct text_number text;
	int err;

	if (!read_fraction(c->cell[column], number))
		return 0;
	err = text_exact(c->cell[column], &text);
	if (err == -EINVAL)
		return csv_refuse_cell(c, column,
				       "is not a number; allowed: such as 12, 0.5, 1e6, 7/3");
	if (!err && text.minus && text.digits)
		return csv_refuse_cell(c, column, "is below 0; allowed: 0 or more");
	if (err || text.shift > MOST_SHIFT || text.shift < -MOST_SHIFT ||
	    !to_q(&text, number))
		return csv_refuse_cell(c, column, "has too many digits; allowed: %d, and 10^%d",
				       MOST_SHIFT, MOST_SHIFT);
	return 0;
}

static int read_point(struct csv *c, bool steps, struct nc_pen *pen)
{
	struct nc_q t, y;
	int err = read_number(c, T_NS, &t);

	if (!err)
		err = read_number(c, BYTES, &y);
	if (err)
		return err;
	if (steps && nc_q_lt(pen->t, t))
		err = nc_pen_to(pen, t, pen->y);
	if (!err)
		err = nc_pen_to(pen, t, y);
	if (err == -EINVAL)
		return csv_refuse(c, "%.12g ns, %.12g bytes after %.12g, %.12g; allowed: both grow",
				  nc_q_double(t), nc_q_double(y),
				  nc_q_double(pen->t), nc_q_double(pen->y));
	return err;
}

/* The names of the columns are known; the first row may say them. */
static bool is_names(const struct csv *c)
{
	return c->row == 1 && !strcmp(c->cell[T_NS], c->column[T_NS]) &&
	       !strcmp(c->cell[BYTES], c->column[BYTES]);
}

static int read_points(struct csv *c, bool steps, struct nc_curve *out)
{
	struct nc_pen pen = nc_pen(out);
	int more, err = 0;

	c->count = COLUMNS;
	c->column[T_NS] = "t_ns";
	c->column[BYTES] = "bytes";
	while (!err && (more = csv_row(c)) > 0)
		if (!is_names(c))
			err = read_point(c, steps, &pen);
	if (!err && more < 0)
		return more;
	if (!err && !out->n)
		return csv_refuse(c, "no line with a time and bytes");
	return err;
}

/**
 * nc_csv_read() - a curve from a file
 * @path: CSV of two columns, time in ns and bytes so far, as tools/csv/table.h
 *	takes it; the first line may be their names, t_ns,bytes
 * @steps: does the curve stay between points? Else they are joined by lines
 * @out: empty; the curve
 * @error: gets what is wrong
 *
 * Return: 0; -EINVAL with the reason in @error; -EOVERFLOW; -ENOMEM.
 */
int nc_csv_read(const char *path, bool steps, struct nc_curve *out,
		char error[NC_CSV_ERROR_BYTES])
{
	struct csv c;
	int err = csv_load(&c, path);

	if (!err)
		err = read_points(&c, steps, out);
	if (err == -EINVAL)
		memcpy(error, c.error, NC_CSV_ERROR_BYTES);
	csv_close(&c);
	return err;
}

/* A whole number of 0 or more, in decimals. */
static void write_whole(FILE *file, __int128 number)
{
	char text[40];	/* 2^127 has 39 digits */
	size_t i = sizeof(text);

	do {
		text[--i] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	fwrite(text + i, 1, sizeof(text) - i, file);
}

/* Rounded to the nearest, halves away from 0. */
static int write_rounded(FILE *file, struct nc_q number)
{
	struct nc_q whole = nc_q_floor(number), part;
	int64_t n;

	part = nc_q_mul(nc_q_sub(number, whole), nc_q_int(DECIMALS));
	n = (int64_t)nc_q_floor(nc_q_add(part, nc_q_make(1, 2))).num;
	if (nc_q_lost())
		return -EOVERFLOW;
	write_whole(file, whole.num + n / DECIMALS);
	if (n % DECIMALS)
		fprintf(file, ".%03d", (int)(n % DECIMALS));
	return 0;
}

/**
 * nc_csv_number() - write a number
 * @file: where to
 * @number: may be infinite
 * @exact: as a fraction, if it is not whole? Else rounded to three decimals
 *
 * Return: 0; -EOVERFLOW if rounding it needs more than 127 bits.
 */
int nc_csv_number(FILE *file, struct nc_q number, bool exact)
{
	if (nc_q_is_inf(number)) {
		fputs("inf", file);
		return 0;
	}
	if (number.num < 0) {
		fputc('-', file);
		number.num = -number.num;
	}
	if (!exact)
		return write_rounded(file, number);
	write_whole(file, number.num);
	if (number.den != 1) {
		fputc('/', file);
		write_whole(file, number.den);
	}
	return 0;
}

static int write_point(FILE *file, struct nc_q t, struct nc_q y, bool exact)
{
	int err = nc_csv_number(file, t, exact);

	fputc(',', file);
	if (!err)
		err = nc_csv_number(file, y, exact);
	fputc('\n', file);
	return err;
}

/**
 * nc_csv_write() - the points of a curve, as nc_csv_read() reads them
 * @file: where to
 * @c: the curve
 * @until: up to this time, ns, finite
 * @exact: as of nc_csv_number()
 *
 * Return: 0; -EOVERFLOW if a number needs more than 127 bits.
 */
int nc_csv_write(FILE *file, const struct nc_curve *c, struct nc_q until,
		 bool exact)
{
	int err = 0;
	size_t i;

	fputs("t_ns,bytes\n", file);
	for (i = 0; i < c->n && nc_q_lt(c->p[i].t, until) && !err; i++) {
		const struct nc_piece *p = &c->p[i];
		struct nc_q end = nc_q_min(nc_curve_end(c, i), until);
		struct nc_q foot = nc_piece_at(p, p->t);
		struct nc_q top = nc_piece_at(p, end);

		if (nc_q_lost())
			return -EOVERFLOW;
		err = write_point(file, p->t, foot, exact);
		if (!err)
			err = write_point(file, end, top, exact);
	}
	return err;
}
