/* SPDX-License-Identifier: GPL-2.0 */
/* Diagrams: curves over linear axes, as SVG. */
#ifndef _NC_SVG_H
#define _NC_SVG_H

#include <stddef.h>

#define NC_SVG_CURVES	3	/* their names stand in one row */

/**
 * struct nc_line - a curve of a diagram
 * @label: for the legend
 * @x: @n values
 * @y: @n values
 * @n: how many points
 */
struct nc_line {
	const char *label;
	double *x;
	double *y;
	size_t n;
};

/**
 * struct nc_diagram - a diagram
 * @title: above it
 * @x: name of the x axis, with unit
 * @y: name of the y axis, with unit
 * @x_most: largest x; 0: the data's
 * @line: the curves
 * @lines: how many
 */
struct nc_diagram {
	const char *title;
	const char *x;
	const char *y;
	double x_most;
	struct nc_line line[NC_SVG_CURVES];
	size_t lines;
};

int nc_line_add(struct nc_line *line, double x, double y);
int nc_svg_write(const char *path, const struct nc_diagram *d);
void nc_diagram_free(struct nc_diagram *d);

#endif /* _NC_SVG_H */
