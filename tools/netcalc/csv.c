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

/* A cell's number, exactly. */
static int read_number(struct csv *c, int column, struct nc_q *number)
{
	struct text_number text;
	int err = text_exact(c->cell[column], &text);

	if (err == -EINVAL)
		return csv_refuse_cell(c, column, "is not a number; allowed: such as 12, 0.5, 1e6");
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

/**
 * nc_csv_number() - write a number, rounded to three decimals
 * @file: where to
 * @number: finite
 */
void nc_csv_number(FILE *file, struct nc_q number)
{
	struct nc_q half = nc_q_make(1, 2);
	struct nc_q scaled = nc_q_mul(number, nc_q_int(DECIMALS));
	__int128 n = nc_q_floor(nc_q_add(scaled, half)).num;
	long long part = (long long)(n < 0 ? -n : n) % DECIMALS;

	fprintf(file, "%s%lld", n < 0 ? "-" : "",
		(long long)((n < 0 ? -n : n) / DECIMALS));
	if (part)
		fprintf(file, ".%03lld", part);
}

static void write_point(FILE *file, struct nc_q t, struct nc_q y)
{
	nc_csv_number(file, t);
	fputc(',', file);
	nc_csv_number(file, y);
	fputc('\n', file);
}

/**
 * nc_csv_write() - the points of a curve, as nc_csv_read() reads them
 * @file: where to
 * @c: the curve
 * @until: up to this time, ns, finite
 */
void nc_csv_write(FILE *file, const struct nc_curve *c, struct nc_q until)
{
	size_t i;

	fputs("t_ns,bytes\n", file);
	for (i = 0; i < c->n && nc_q_lt(c->p[i].t, until); i++) {
		const struct nc_piece *p = &c->p[i];
		struct nc_q end = nc_q_min(nc_curve_end(c, i), until);

		write_point(file, p->t, nc_piece_at(p, p->t));
		write_point(file, end, nc_piece_at(p, end));
	}
}
