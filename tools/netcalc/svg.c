// SPDX-License-Identifier: GPL-2.0
/* Diagrams as SVG, without any other program. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "svg.h"

#define WIDTH		640
#define HEIGHT		410
#define LEFT		72
#define RIGHT		16
#define TOP		54
#define BOTTOM		52
#define TICKS		5	/* about so many per axis */
#define HEADROOM	1.05
#define ROUNDING	1.000000001	/* the last tick is not lost to it */
#define TITLE_Y		20
#define LEGEND_Y	38
#define LEGEND_STEP	180
#define NEAR		0.25	/* px: points closer than this are one */

/* The colours of the lab's plots. */
static const char * const colors[NC_SVG_CURVES] = {
	"#2563c9", "#c2560a", "#1b8a4a",
};

/* The range of the data, and how it maps to the picture. */
struct scale {
	double x_most;
	double y_most;
};

/**
 * nc_line_add() - one more point
 * @line: the curve
 * @x: not below the last one's, if it is a course over time
 * @y: any
 *
 * Return: 0 or -ENOMEM.
 */
int nc_line_add(struct nc_line *line, double x, double y)
{
	size_t n = line->n;

	if ((n & (n - 1)) == 0) {	/* room for the next power of two */
		size_t room = n ? 2 * n : 1;
		double *xs = realloc(line->x, room * sizeof(*xs));
		double *ys;

		if (!xs)
			return -ENOMEM;
		line->x = xs;
		ys = realloc(line->y, room * sizeof(*ys));
		if (!ys)
			return -ENOMEM;
		line->y = ys;
	}
	line->x[n] = x;
	line->y[n] = y;
	line->n++;
	return 0;
}

/**
 * nc_diagram_free() - give back the points
 * @d: a diagram; without curves afterwards
 */
void nc_diagram_free(struct nc_diagram *d)
{
	while (d->lines) {
		struct nc_line *line = &d->line[--d->lines];

		free(line->x);
		free(line->y);
		*line = (struct nc_line){ 0 };
	}
}

static double px(const struct scale *s, double x)
{
	return LEFT + x / s->x_most * (WIDTH - LEFT - RIGHT);
}

static double py(const struct scale *s, double y)
{
	return HEIGHT - BOTTOM - y / s->y_most * (HEIGHT - TOP - BOTTOM);
}

static struct scale scale_of(const struct nc_diagram *d)
{
	struct scale s = { d->x_most, 0 };
	size_t k, i;

	for (k = 0; k < d->lines; k++)
		for (i = 0; i < d->line[k].n; i++) {
			const struct nc_line *line = &d->line[k];

			if (d->x_most == 0)
				s.x_most = fmax(s.x_most, line->x[i]);
			if (d->x_most == 0 || line->x[i] <= d->x_most)
				s.y_most = fmax(s.y_most, line->y[i]);
		}
	s.x_most = s.x_most > 0 ? s.x_most : 1;
	s.y_most = s.y_most > 0 ? s.y_most * HEADROOM : 1;
	return s;
}

/* 1, 2 or 5 times a power of ten. */
static double tick_step(double most)
{
	double raw = most / TICKS, power = pow(10, floor(log10(raw)));
	double digit = raw / power;

	return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 :
			10);
}

/* Text of the user's may hold what SVG gives a meaning. */
static void put_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		default:
			fputc(*text, f);
		}
	}
}

static void label(FILE *f, double x, double y, const char *anchor,
		  const char *text)
{
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		anchor);
	put_text(f, text);
	fputs("</text>\n", f);
}

static void grid(FILE *f, double x0, double y0, double x1, double y1)
{
	fprintf(f, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#dfe3e9\"/>\n",
		x0, y0, x1, y1);
}

static void axes(FILE *f, const struct nc_diagram *d, const struct scale *s)
{
	double step = tick_step(s->x_most), v;
	char text[32];

	for (v = 0; v <= s->x_most * ROUNDING; v += step) {
		snprintf(text, sizeof(text), "%.6g", v);
		label(f, px(s, v), HEIGHT - BOTTOM + 18, "middle", text);
	}
	step = tick_step(s->y_most);
	for (v = 0; v <= s->y_most; v += step) {
		snprintf(text, sizeof(text), "%.6g", v);
		grid(f, LEFT, py(s, v), WIDTH - RIGHT, py(s, v));
		label(f, LEFT - 6, py(s, v) + 4, "end", text);
	}
	fprintf(f, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#333a45\"/>\n",
		LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
	label(f, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", d->x);
	fprintf(f, "<g transform=\"translate(16,%d) rotate(-90)\">",
		(TOP + HEIGHT - BOTTOM) / 2);
	label(f, 0, 0, "middle", d->y);
	fputs("</g>\n", f);
	label(f, LEFT, TITLE_Y, "start", d->title);
}

/* A point that cannot be told from the last one is left out. */
static void curve(FILE *f, const struct nc_line *line, const struct scale *s,
		  const char *color)
{
	double last_x = -1, last_y = -1;
	size_t i;
	int n = 0;

	fputs("<path clip-path=\"url(#area)\" fill=\"none\" ", f);
	fprintf(f, "stroke=\"%s\" stroke-width=\"1.5\" d=\"", color);
	for (i = 0; i < line->n; i++) {
		double x = px(s, line->x[i]), y = py(s, line->y[i]);

		if (n && fabs(x - last_x) < NEAR && fabs(y - last_y) < NEAR)
			continue;
		if (n && last_x > WIDTH)	/* clipped */
			break;
		fprintf(f, "%c%.1f %.1f%s", n ? 'L' : 'M', x, y,
			n % 12 == 11 ? "\n" : "");
		last_x = x;
		last_y = y;
		n++;
	}
	fputs("\"/>\n", f);
}

static void legend(FILE *f, const struct nc_diagram *d)
{
	size_t k;

	for (k = 0; k < d->lines && d->lines > 1; k++) {
		int x = LEFT + LEGEND_STEP * (int)k;

		fprintf(f, "<path d=\"M%d %dh20\" stroke=\"%s\" stroke-width=\"3\"/>\n",
			x, LEGEND_Y - 4, colors[k]);
		label(f, x + 26, LEGEND_Y, "start", d->line[k].label);
	}
}

/**
 * nc_svg_write() - draw a diagram
 * @path: the file
 * @d: what to draw
 *
 * Return: 0 or a negative errno.
 */
int nc_svg_write(const char *path, const struct nc_diagram *d)
{
	struct scale s = scale_of(d);
	FILE *f = fopen(path, "w");
	size_t k;

	if (!f)
		return -errno;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ",
		WIDTH, HEIGHT);
	fputs("font-family=\"sans-serif\" font-size=\"13\" fill=\"#333a45\">\n", f);
	fprintf(f, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH,
		HEIGHT);
	fputs("<clipPath id=\"area\">", f);
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n",
		LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
	axes(f, d, &s);
	for (k = 0; k < d->lines; k++)
		curve(f, &d->line[k], &s, colors[k]);
	legend(f, d);
	fputs("</svg>\n", f);
	k = (size_t)ferror(f);
	if (fclose(f) || k)
		return -EIO;
	return 0;
}
