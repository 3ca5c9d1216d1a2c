// SPDX-License-Identifier: GPL-2.0
/*
 * Recorded decisions as a script for gnuplot: delay (of a single flow also target and
 * base RTT), window, and which rule fired, above one another.
 */
#include "../replay/csv.h"
#include "decisions.h"

#define POINTS_MOST	4000	/* of a flow: an SVG of more is slow to show */
#define FLOWS_DRAWN	8	/* there are no more colours that can be told apart */

/*
 * The colours of tools/lab/lablib/plot.py, an algorithm's the same in every picture; flows
 * that these do not tell apart have the colours in their order.
 */
static const struct {
	const char *alg;	/* NULL: nobody's own */
	const char *rgb;
} colour[] = {
	{ "mswift", "#2563c9" },
	{ "swift", "#c2560a" },
	{ "cubic", "#1b8a4a" },
	{ "bbr", "#8a3fc0" },
	{ "lswift", "#c5283d" },
	{ "dctcp", "#0b7f8f" },
	{ "reno", "#8a6d00" },
	{ NULL, "#5a6270" },
	{ "nscc", "#e0409c" },
	{ "oscar", "#1a1f70" },
	{ "mnscc", "#7a0f4f" },
	{ "prioplus", "#3d92e8" },
	{ "prioplus_ledbat", "#5e2f0d" },
	{ "ledbat", "#7a9a10" },
};

#define NO_COLOUR	ARRAY_SIZE(colour)

static const char head[] =
"set terminal svg size 900,900 dynamic enhanced font 'sans,14' background 'white'\n"
"set datafile separator ','\n"
"set datafile missing ''\n"
"set key top right opaque noenhanced\n"
"set grid\n"
"set lmargin 16\n";

/* Between gnuplot's quotes that know one escape, a quote twice. */
static void put_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc(*text, out);
		fputc(*text, out);
	}
	fputc('\'', out);
}

static u32 drawn(const struct decisions *all)
{
	return min_t(u32, all->tracks, FLOWS_DRAWN);
}

static void put_value(FILE *out, double value, bool known)
{
	if (known)
		fprintf(out, ",%.3f", value);
	else
		fputc(',', out);
}

/* A block of data for each flow, thinned evenly. */
static void put_data(FILE *out, const struct decisions *all, u32 number, u64 start)
{
	const struct track *track = &all->track[number];
	size_t step = track->count / POINTS_MOST + 1, i;

	fprintf(out, "$f%u << END\n", number);
	for (i = 0; i < track->count; i += step) {
		const struct decision *d = &track->at[i];

		fprintf(out, "%.6f", (double)(d->now - start) / 1e6);
		put_value(out, d->delay / 1e3, d->delay);
		put_value(out, d->target / 1e3, d->target);
		put_value(out, d->base / 1e3, d->base);
		fprintf(out, ",%.3f,%u\n", (double)d->cwnd / 1e3, d->rule);
	}
	fputs("END\n", out);
}

/* The algorithm's own colour; NO_COLOUR: it has none. */
static u32 colour_of(const char *alg)
{
	u32 i;

	for (i = 0; i < NO_COLOUR; i++)
		if (colour[i].alg && !strcmp(colour[i].alg, alg))
			break;
	return i;
}

/* Has each flow that is drawn an algorithm with a colour, and no two the same? */
static bool by_algorithm(const struct decisions *all)
{
	u32 taken = 0, i;

	for (i = 0; i < drawn(all); i++) {
		u32 own = 1U << colour_of(all->track[i].alg);

		if (own == 1U << NO_COLOUR || taken & own)
			return false;
		taken |= own;
	}
	return true;
}

/* One column of every flow, in the flow's colour. */
static void put_plot(FILE *out, const struct decisions *all, int column, const char *style)
{
	bool own = by_algorithm(all);
	u32 i;

	fputs("plot ", out);
	for (i = 0; i < drawn(all); i++) {
		fprintf(out, "%s$f%u using 1:%d %s lc rgb '%s' title ", i ? ", " : "", i, column,
			style, colour[own ? colour_of(all->track[i].alg) : i].rgb);
		put_quoted(out, all->track[i].name);
	}
}

static void put_rules(FILE *out, const struct decisions *all)
{
	u32 i;

	fputs("unset key\nset yrange [-0.5:", out);
	fprintf(out, "%u.5]\nset ytics (", all->rules ? all->rules - 1 : 0);
	for (i = 0; i < all->rules; i++) {
		fputs(i ? ", " : "", out);
		put_quoted(out, all->rule[i]);
		fprintf(out, " %u", i);
	}
	fputs(") noenhanced\nset xlabel 'ms'\nset ylabel 'rule'\n", out);
	put_plot(out, all, 6, "with points pt 7 ps 0.3");
	fputs("\n", out);
}

/**
 * picture_script() - what gnuplot is to do
 * @all: flows, of which the first eight are drawn
 * @path: the picture's
 * @out: where to
 */
void picture_script(const struct decisions *all, const char *path, FILE *out)
{
	u64 start = U64_MAX;
	u32 i;

	fputs(head, out);
	for (i = 0; i < drawn(all); i++)
		start = min(start, all->track[i].at[0].now);
	for (i = 0; i < drawn(all); i++)
		put_data(out, all, i, start);
	fputs("set output ", out);
	put_quoted(out, path);
	fputs("\nset multiplot layout 3,1\nset yrange [0:*]\nset ylabel 'us'\n", out);
	put_plot(out, all, 2, "with lines lw 1");
	if (all->tracks == 1) {
		fputs(", $f0 using 1:3 with lines lc rgb 'gray30' dt 2 title 'target'", out);
		fputs(", $f0 using 1:4 with lines lc rgb 'gray60' title 'base RTT'", out);
	}
	fputs("\nset ylabel 'window, kB'\n", out);
	put_plot(out, all, 5, "with steps lw 1");
	fputs("\n", out);
	put_rules(out, all);
	fputs("unset multiplot\n", out);
}
