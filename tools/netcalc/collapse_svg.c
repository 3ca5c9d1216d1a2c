// SPDX-License-Identifier: GPL-2.0
/* Measured points from a CSV file, and the picture of models and points. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../csv/number.h"
#include "../csv/table.h"
#include "collapse.h"

enum column { Q, MODEL, THROUGHPUT, COLUMNS };

#define CURVE_POINTS	200
#define NOT_FOUND	127	/* the shell's exit status for a missing program */

static const char *const column_name[COLUMNS] = { "q", "model", "throughput_bps" };

/* Where the columns are; others may stand beside them. */
static int find_columns(struct csv *c, int at[COLUMNS])
{
	int i;

	for (i = 0; i < COLUMNS; i++) {
		at[i] = csv_find(c, column_name[i]);
		if (at[i] == CSV_NONE)
			return csv_refuse(c, "column '%s' is missing", column_name[i]);
	}
	return 0;
}

/* A number of 0 or more, and nothing else. */
static int read_number(struct csv *c, int column, double most, const char *allowed,
		       double *value)
{
	struct text_number number;

	if (text_exact(c->cell[column], &number))
		return csv_refuse_cell(c, column, "is not a number; allowed: %s", allowed);
	*value = strtod(c->cell[column], NULL);
	if (*value < 0 || *value > most)
		return csv_refuse_cell(c, column, "is out of range; allowed: %s", allowed);
	return 0;
}

static int read_measured(struct csv *c, const int at[COLUMNS], struct nc_measured *point)
{
	const struct nc_collapse_model *model = nc_collapse_model(c->cell[at[MODEL]]);
	int err = read_number(c, at[Q], 1, "0 to 1", &point->q);

	if (!err && !model)
		err = csv_refuse_cell(c, at[MODEL], "is not known; allowed: " NC_COLLAPSE_NAMES);
	if (!err)
		err = read_number(c, at[THROUGHPUT], DBL_MAX, "0 or more",
				  &point->throughput);
	if (!err)
		point->model = (int)(model - nc_collapse_models);
	return err;
}

/* All rows below the head. */
static int read_rows(struct csv *c, struct nc_measured **points, size_t *count)
{
	struct nc_measured *more;
	int at[COLUMNS];
	int err = find_columns(c, at), row = 0;

	while (!err && (row = csv_row(c)) > 0) {
		more = realloc(*points, (*count + 1) * sizeof(**points));
		if (!more)
			return csv_refuse(c, "no memory for %zu points", *count);
		*points = more;
		err = read_measured(c, at, &more[*count]);
		*count += !err;
	}
	return err ? err : row;
}

/**
 * nc_collapse_read() - measured points from a CSV file
 * @path: the file; its first line names the columns
 * @points: set to the points, to be freed
 * @count: set to their number
 * @text: what was wrong, if anything was
 * @size: of @text
 *
 * Needs the columns q, model and throughput_bps; others may stand beside them.
 */
bool nc_collapse_read(const char *path, struct nc_measured **points,
		      size_t *count, char *text, size_t size)
{
	struct csv c;
	int err = csv_load(&c, path);

	*points = NULL;
	*count = 0;
	if (!err)
		err = csv_names(&c);
	if (!err)
		err = read_rows(&c, points, count);
	if (err)
		snprintf(text, size, "%s", c.error);
	csv_close(&c);
	return !err;
}

/* The colours and axes of Documentation/collapse.gp, both axes logarithmic. */
static void draw_frame(FILE *plot, const struct nc_collapse *p, const char *path,
		       double low, double high)
{
	fprintf(plot,
		"set terminal svg size 760,440 noenhanced font ',14' background '#ffffff'\n"
		"set output '");
	for (; *path; path++)
		fputs(*path == '\'' ? "''" : (char[]){ *path, '\0' }, plot);
	fprintf(plot, "'\n"
		"set border 3\nset tics nomirror\nset logscale x 2\nset logscale y\n"
		"set grid ytics lc rgb '#dfe3e9' lt 1\n"
		"set xrange [%.9g:%.9g]\n"
		"set xlabel 'q: share of packets on congested paths'\n"
		"set ylabel 'throughput, Gbit/s'\n"
		"set xtics ('1' 1)\n"
		"do for [i=1:8] { set xtics add (sprintf('1/%%d', 2**i) 1./2**i) }\n"
		"set yrange [*:%.9g]\n"
		"set key outside right top samplen 2 spacing 1.15 font ',11'\n",
		low / 1.1, high * 1.1, 1.2 * p->rate / 1e9);
}

static void draw_curve(FILE *plot, const struct nc_collapse *p, int model,
		       double low, double high)
{
	int i;

	fprintf(plot, "$curve%d << EOD\n", model);
	for (i = 0; i < CURVE_POINTS; i++) {
		double q = low * pow(high / low, (double)i / (CURVE_POINTS - 1));

		fprintf(plot, "%.9g %.9g\n", q,
			nc_collapse_models[model].at(p, q).throughput / 1e9);
	}
	fprintf(plot, "EOD\n");
}

/* Returns whether there are any. */
static bool draw_points(FILE *plot, int model, const struct nc_measured *points,
			size_t count)
{
	bool any = false;
	size_t i;

	fprintf(plot, "$points%d << EOD\n", model);
	for (i = 0; i < count; i++) {
		if (points[i].model != model || !(points[i].q > 0))
			continue;
		fprintf(plot, "%.9g %.9g\n", points[i].q, points[i].throughput / 1e9);
		any = true;
	}
	fprintf(plot, "EOD\n");
	return any;
}

/* Data first, then one plot command for all. */
static void draw_all(FILE *plot, const struct nc_collapse *p, unsigned int models,
		     double low, double high, const struct nc_measured *points,
		     size_t count)
{
	/* TCP, DCTCP and Swift coincide: the later ones leave the first visible */
	static const struct {
		const char *colour;
		int dashes;
		double width;
	} style[NC_COLLAPSE_MODELS] = {
		{ "#d9a300", 1, 5 }, { "#3c4450", 1, 2.2 }, { "#41c0d0", 2, 2.2 },
		{ "#8a3fc0", 1, 2 }, { "#c5283d", 1, 2 }, { "#c2560a", 1, 2 },
		{ "#9aa1ab", 3, 2 }, { "#2563c9", 1, 2.6 },
	};
	bool any[NC_COLLAPSE_MODELS] = { false };
	int i;

	for (i = 0; i < NC_COLLAPSE_MODELS; i++) {
		if (!(models >> i & 1))
			continue;
		draw_curve(plot, p, i, low, high);
		any[i] = draw_points(plot, i, points, count);
	}
	fprintf(plot, "plot ");
	for (i = 0; i < NC_COLLAPSE_MODELS; i++) {
		if (models >> i & 1)
			fprintf(plot, "$curve%d with lines lw %g dt %d lc rgb '%s' title '%s', ",
				i, style[i].width, style[i].dashes, style[i].colour,
				nc_collapse_models[i].title);
		if (any[i])
			fprintf(plot, "$points%d with points pt 7 ps 0.6 lc rgb '%s' notitle, ",
				i, style[i].colour);
	}
	fprintf(plot, "\n");
}

/**
 * nc_collapse_svg() - the paper's figure 2, with measured points
 * @path: the file to write
 * @p: parameters
 * @models: bit i: draw nc_collapse_models[i]
 * @low: smallest q, above 0
 * @high: largest q
 * @points: measured points, dots in the colour of their model
 * @count: of @points
 * @text: what was wrong, if anything was
 * @size: of @text
 */
bool nc_collapse_svg(const char *path, const struct nc_collapse *p,
		     unsigned int models, double low, double high,
		     const struct nc_measured *points, size_t count, char *text,
		     size_t size)
{
	struct sigaction deaf = { .sa_handler = SIG_IGN }, before;
	FILE *plot = popen("gnuplot", "w");
	int status;

	sigaction(SIGPIPE, &deaf, &before);	/* no gnuplot: no reader */
	if (!plot) {
		snprintf(text, size, "gnuplot: %s", strerror(errno));
		return false;
	}
	draw_frame(plot, p, path, low, high);
	draw_all(plot, p, models, low, high, points, count);
	status = pclose(plot);
	sigaction(SIGPIPE, &before, NULL);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		snprintf(text, size, "--svg %s: gnuplot is not installed", path);
	else
		snprintf(text, size, "--svg %s: gnuplot failed", path);
	return false;
}
