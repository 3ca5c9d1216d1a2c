// SPDX-License-Identifier: GPL-2.0
/* Measured points from a CSV file, and the picture of models and points. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "collapse.h"

#define LINE_MAX_BYTES	4096
#define COLUMNS		3
#define CURVE_POINTS	200
#define NOT_FOUND	127	/* the shell's exit status for a missing program */

static const char *const column_name[COLUMNS] = { "q", "model", "throughput_bps" };

/* Field number n of a line without quotes, in buf; false if it has none. */
static bool field_of(const char *line, int n, char *buf, size_t size)
{
	size_t length;

	while (n-- > 0) {
		line = strchr(line, ',');
		if (!line)
			return false;
		line++;
	}
	length = strcspn(line, ",\r\n");
	if (length >= size)
		return false;
	memcpy(buf, line, length);
	buf[length] = '\0';
	return true;
}

/* Where the columns are; false names the one that is not. */
static bool find_columns(const char *path, const char *head, int *at, char *text,
			 size_t size)
{
	char word[LINE_MAX_BYTES];
	int i, n;

	for (i = 0; i < COLUMNS; i++) {
		for (n = 0; field_of(head, n, word, sizeof(word)); n++)
			if (!strcmp(word, column_name[i]))
				break;
		if (!field_of(head, n, word, sizeof(word))) {
			snprintf(text, size, "%s: column '%s' is missing", path,
				 column_name[i]);
			return false;
		}
		at[i] = n;
	}
	return true;
}

/* A number within limits, and nothing behind it. */
static bool number_in(const char *word, double low, double high, double *value)
{
	char *end;

	*value = strtod(word, &end);
	return end != word && !*end && *value >= low && *value <= high;
}

/* One row; false if a value is not allowed. */
static bool read_row(const char *line, const int *at, struct nc_measured *point,
		     char *text, size_t size)
{
	char word[COLUMNS][64] = { "" };
	const struct nc_collapse_model *model;
	int i;

	for (i = 0; i < COLUMNS; i++)
		field_of(line, at[i], word[i], sizeof(word[i]));
	model = nc_collapse_model(word[1]);
	if (!number_in(word[0], 0, 1, &point->q))
		snprintf(text, size, "q '%s': allowed is 0 to 1", word[0]);
	else if (!model)
		snprintf(text, size, "model '%s' is not known", word[1]);
	else if (!number_in(word[2], 0, HUGE_VAL, &point->throughput))
		snprintf(text, size, "throughput_bps '%s': allowed is 0 or more", word[2]);
	else
		point->model = (int)(model - nc_collapse_models);
	return model && !*text;
}

/* All rows below the head; the message gets its place in front. */
static bool read_rows(FILE *file, const char *path, const int *at,
		      struct nc_measured **points, size_t *count, char *text,
		      size_t size)
{
	char line[LINE_MAX_BYTES], why[256] = "";
	struct nc_measured *more;
	int number = 1;

	while (fgets(line, sizeof(line), file)) {
		number++;
		more = realloc(*points, (*count + 1) * sizeof(**points));
		if (!more) {
			snprintf(text, size, "%s: no memory for %zu points", path, *count);
			return false;
		}
		*points = more;
		if (!read_row(line, at, &more[*count], why, sizeof(why))) {
			snprintf(text, size, "%s:%d: %s", path, number, why);
			return false;
		}
		++*count;
	}
	return true;
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
	char head[LINE_MAX_BYTES] = "";
	FILE *file = fopen(path, "r");
	int at[COLUMNS];
	bool good;

	*points = NULL;
	*count = 0;
	if (!file) {
		snprintf(text, size, "%s: %s", path, strerror(errno));
		return false;
	}
	good = (fgets(head, sizeof(head), file) || feof(file)) &&
	       find_columns(path, head, at, text, size) &&
	       read_rows(file, path, at, points, count, text, size);
	fclose(file);
	return good;
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
