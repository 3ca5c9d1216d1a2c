// SPDX-License-Identifier: GPL-2.0
/* Curves from and to CSV. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "csv.h"
#include "text.h"

#define LINE_BYTES	1024
#define DECIMALS	1000	/* numbers are written to three decimals */

struct reader {
	const char *path;
	unsigned int line;
	char *error;
};

__attribute__((format(printf, 2, 3)))
static int refuse(const struct reader *r, const char *format, ...)
{
	int n = snprintf(r->error, NC_CSV_ERROR_BYTES, "%.1000s:%u: ", r->path,
			 r->line);
	va_list args;

	va_start(args, format);
	vsnprintf(r->error + n, NC_CSV_ERROR_BYTES - (size_t)n, format, args);
	va_end(args);
	return -EINVAL;
}

/* The next column; @text moves behind it. */
static int read_number(const struct reader *r, char **text, struct nc_q *number)
{
	__int128 digits, scale = 1;
	int decimals;

	*text += strspn(*text, " \t,;");
	if (nc_text_decimal(*text, text, &digits, &decimals))
		return refuse(r, "'%.40s' is not a number; allowed: up to 24 digits, 0 or more",
			      *text);
	while (decimals-- > 0)
		scale *= 10;
	*number = nc_q_make(digits, scale);
	return 0;
}

/* A first line with the columns' names, comments, empty lines. */
static bool is_skipped(const struct reader *r, const char *line)
{
	return strchr("#\r\n", *line) || (r->line == 1 &&
					 !strchr(" .0123456789", *line));
}

static int read_point(const struct reader *r, char *line, bool steps,
		      struct nc_pen *pen)
{
	struct nc_q t, y;
	int err = read_number(r, &line, &t);

	if (!err)
		err = read_number(r, &line, &y);
	if (err)
		return err;
	if (steps && nc_q_lt(pen->t, t))
		err = nc_pen_to(pen, t, pen->y);
	if (!err)
		err = nc_pen_to(pen, t, y);
	if (err == -EINVAL)
		return refuse(r, "%.12g ns, %.12g bytes after %.12g, %.12g; allowed: both grow",
			      nc_q_double(t), nc_q_double(y),
			      nc_q_double(pen->t), nc_q_double(pen->y));
	return err;
}

/**
 * nc_csv_read() - a curve from a file
 * @path: CSV of two columns: time in ns, bytes so far; further ones are
 *	ignored; a first line with names and lines with # are, too
 * @steps: does the curve stay between points? Else they are joined by lines
 * @out: empty; the curve
 * @error: gets what is wrong
 *
 * Return: 0; -EINVAL with the reason in @error; -EOVERFLOW; -ENOMEM.
 */
int nc_csv_read(const char *path, bool steps, struct nc_curve *out,
		char error[NC_CSV_ERROR_BYTES])
{
	struct reader r = { path, 0, error };
	struct nc_pen pen = nc_pen(out);
	FILE *file = fopen(path, "r");
	char line[LINE_BYTES];
	int err = 0;

	if (!file)
		return refuse(&r, "%s", strerror(errno));
	while (!err && fgets(line, sizeof(line), file)) {
		r.line++;
		if (!is_skipped(&r, line))
			err = read_point(&r, line, steps, &pen);
	}
	fclose(file);
	if (!err && !out->n)
		err = refuse(&r, "no line with a time and bytes");
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
