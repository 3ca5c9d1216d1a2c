// SPDX-License-Identifier: GPL-2.0
/* Measured points from a CSV file. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "../csv/number.h"
#include "../csv/table.h"
#include "collapse.h"

enum column { Q, MODEL, THROUGHPUT, COLUMNS };

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
