// SPDX-License-Identifier: GPL-2.0
/* Courses as curves of a diagram. */
#include <errno.h>

#include "plots.h"

#define NS_PER_MS	1e6
#define BYTES_PER_MB	1e6
#define BYTES_PER_KB	1e3
#define BITS_PER_GBIT	1e9
#define BITS_PER_BYTE	8

static struct nc_line *next_line(struct nc_diagram *d, const char *label)
{
	if (d->lines == NC_SVG_CURVES)
		return NULL;
	d->line[d->lines].label = label;
	return &d->line[d->lines++];
}

static int add(struct nc_line *line, double t_ns, double y)
{
	return nc_line_add(line, t_ns / NS_PER_MS, y);
}

/* Backlog in MB over ms. */
int nc_plot_backlog(struct nc_diagram *d, const struct nc_course *course,
		    const char *label)
{
	struct nc_line *line = next_line(d, label);
	int err = line ? 0 : -ENOSPC;
	size_t i;

	for (i = 0; i < course->n && !err; i++)
		err = add(line, course->row[i].t,
			  course->row[i].backlog / BYTES_PER_MB);
	return err;
}

/* The limit divided by a unit, over ms. */
static int plot_limit(struct nc_diagram *d, const struct nc_course *course,
		      const char *label, double unit)
{
	struct nc_line *line = next_line(d, label);
	int err = line ? 0 : -ENOSPC;
	size_t i;

	for (i = 0; i < course->n && !err; i++)
		err = add(line, course->row[i].t, course->row[i].limit / unit);
	return err;
}

/* Window in kB over ms. */
int nc_plot_window(struct nc_diagram *d, const struct nc_course *course,
		   const char *label)
{
	return plot_limit(d, course, label, BYTES_PER_KB);
}

/* Rate limit in Gbit/s over ms. */
int nc_plot_limit(struct nc_diagram *d, const struct nc_course *course,
		  const char *label)
{
	return plot_limit(d, course, label, BITS_PER_GBIT);
}

/* Admitted bytes at a time; rows are straight in between. */
static double admitted_at(const struct nc_course *course, size_t *i, double t)
{
	const struct nc_row *row = course->row;

	while (*i + 1 < course->n && row[*i + 1].t < t)
		++*i;
	if (*i + 1 >= course->n || row[*i + 1].t == row[*i].t)
		return row[*i].admitted;
	return row[*i].admitted + (row[*i + 1].admitted - row[*i].admitted) *
	       (t - row[*i].t) / (row[*i + 1].t - row[*i].t);
}

/*
 * Admitted rate in Gbit/s over ms, averaged over intervals. When a flow went
 * back, what is admitted falls: that is no rate.
 */
int nc_plot_rate(struct nc_diagram *d, const struct nc_course *course,
		 const char *label, double average_ns)
{
	struct nc_line *line = next_line(d, label);
	int err = line ? 0 : -ENOSPC;
	double t, last = 0;
	size_t i = 0;

	for (t = average_ns; course->n && !err; t += average_ns) {
		double y = admitted_at(course, &i, t);
		double rate = y > last ? (y - last) * BITS_PER_BYTE /
			      average_ns : 0;	/* bits per ns are Gbit/s */

		if (t > course->row[course->n - 1].t)
			break;
		err = add(line, t - average_ns, rate);
		if (!err)
			err = add(line, t, rate);
		last = y;
	}
	return err;
}

/* One flow's rate limit over another's, Gbit/s each; a point per time. */
int nc_plot_pair(struct nc_diagram *d, const struct nc_course *a,
		 const struct nc_course *b, const char *label)
{
	struct nc_line *line = next_line(d, label);
	int err = line ? 0 : -ENOSPC;
	size_t i, j = 0;

	for (i = 0; i < a->n && b->n && !err; i++) {
		if (i + 1 < a->n && a->row[i + 1].t <= a->row[i].t)
			continue;
		while (j + 1 < b->n && b->row[j + 1].t <= a->row[i].t)
			j++;
		err = nc_line_add(line, a->row[i].limit / BITS_PER_GBIT,
				  b->row[j].limit / BITS_PER_GBIT);
	}
	return err;
}
