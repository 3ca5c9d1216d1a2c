// SPDX-License-Identifier: GPL-2.0
/* netcalc collapse: options in, CSV out, of which draw makes a picture. */
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define MOST_SHARES	4096
#define TARGET_QDELAY	(25 * NC_US)	/* the modules' default, as is the next */
#define ROUNDING	0.000000001	/* 1/256:1/4 ends at 1/4 */
#define FS_RANGES	5.0	/* base targets */
#define TEXT_BYTES	512

static const char usage[] =
"usage: netcalc collapse [OPTION...]\n"
"\n"
"Throughput of one flow sprayed over paths of which a share q is congested, as CSV:\n"
"q,model,throughput_bps,share,regime. The share is of --rate.\n"
"\n"
"  --q LIST           shares: 1/64, 0.1, 1/256:1/4 (doubling), 1/256:1/4:50 (so many)\n"
"                     (default 1/256:1/2)\n"
"  --models LIST      of those below (default: all)\n"
"  --view VIEW        stack: random paths, whole packets (default); paper: paths in\n"
"                     turn, real-valued windows\n"
"  --ts, --tl TIME    RTT of free and of congested paths (120us, 220us)\n"
"  --mss BYTES        payload of a packet (4024)\n"
"  --rate RATE        payload rate without congestion (9.824Gbps)\n"
"  --ai PACKETS       additive increase an RTT (1)\n"
"  --mdf X            largest share a cut takes (0.5)\n"
"  --beta X           multiplicative decrease constant (0.8)\n"
"  --base-target TIME Swift's target for the whole RTT (--ts + 25us)\n"
"  --fs-range TIME    most that flow scaling adds; 0: none (5 base targets)\n"
"  --fs-min, --fs-max PACKETS  windows at which it is full and none (0.1, 100)\n"
"  --time TIME        mswift, random paths: mean of so long (240ms)\n"
"  --first PACKETS    its first window; 0: what fills the line (0)\n"
"  --alpha X          SMaRTT: --ts in base RTTs, between 1 and 1.5 (1.25)\n"
"  --measured FILE    CSV with q, model, throughput_bps: compare these points instead;\n"
"                     in the picture, dots\n"
"  --svg FILE         draw figure 2 over the range of --q (needs gnuplot)\n"
"\n"
"Times: a number and ns, us (the default), ms or s; rates: bps (the default), kbps,\n"
"Mbps, Gbps. The models, with the theorems of Documentation/collapse-model.md:\n"
"\n";

/**
 * struct request - what the command line asks for
 * @p: parameters; base_target and fs_range are below 0 until they are known
 * @q: shares
 * @count: of @q
 * @models: bit i: nc_collapse_models[i]
 * @measured: file to read; NULL: none
 * @help: only that is wanted
 */
struct request {
	struct nc_collapse p;
	double q[MOST_SHARES];
	size_t count;
	unsigned int models;
	const char *measured;
	bool help;
};

struct unit {
	const char *name;
	double scale;
};

static const struct unit time_units[] = {
	{ "", NC_US }, { "ns", NC_US / 1000 }, { "us", NC_US }, { "ms", 1000 * NC_US },
	{ "s", 1 }, { 0 },
};

static const struct unit rate_units[] = {
	{ "", 1 }, { "bps", 1 }, { "kbps", 1e3 }, { "Mbps", 1e6 }, { "Gbps", 1e9 }, { 0 },
};

static const struct unit no_units[] = { { "", 1 }, { 0 } };

#define FIELD(name)	offsetof(struct nc_collapse, name)

/* Options that set a number in struct nc_collapse. */
static const struct number_option {
	const char *name;
	size_t at;
	const struct unit *units;
	const char *allowed;
} number_options[] = {
	{ "ts", FIELD(ts), time_units, "a time such as 120us" },
	{ "tl", FIELD(tl), time_units, "a time such as 220us" },
	{ "mss", FIELD(mss), no_units, "a number of bytes" },
	{ "rate", FIELD(rate), rate_units, "a rate such as 10Gbps" },
	{ "ai", FIELD(ai), no_units, "a number of packets" },
	{ "mdf", FIELD(mdf), no_units, "a number between 0 and 1" },
	{ "beta", FIELD(beta), no_units, "a number above 0, up to 1" },
	{ "base-target", FIELD(base_target), time_units, "a time such as 145us" },
	{ "fs-range", FIELD(fs_range), time_units, "a time such as 725us" },
	{ "fs-min", FIELD(fs_min), no_units, "a number of packets" },
	{ "fs-max", FIELD(fs_max), no_units, "a number of packets" },
	{ "alpha", FIELD(alpha), no_units, "a number between 1 and 1.5" },
	{ "time", FIELD(time), time_units, "a time such as 240ms" },
	{ "first", FIELD(first), no_units, "a number of packets" },
};

#define NUMBERS		((int)ARRAY_SIZE(number_options))

enum word_option { OPT_Q = 100, OPT_MODELS, OPT_VIEW, OPT_MEASURED, OPT_HELP };

static const struct option word_options[] = {
	{ "q", required_argument, NULL, OPT_Q },
	{ "models", required_argument, NULL, OPT_MODELS },
	{ "view", required_argument, NULL, OPT_VIEW },
	{ "measured", required_argument, NULL, OPT_MEASURED },
	{ "help", no_argument, NULL, OPT_HELP },
};

#define WORDS		((int)ARRAY_SIZE(word_options))

/* Say what is wrong; false, so that a caller can return it. */
__attribute__((format(printf, 1, 2)))
static bool wrong(const char *format, ...)
{
	va_list args;

	fputs("netcalc collapse: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

/* A finite number of 0 or more with a unit. */
static bool parse_number(const struct number_option *o, const char *text, double *value)
{
	const struct unit *unit;
	char *end;

	*value = strtod(text, &end);
	for (unit = o->units; end != text && unit->name; unit++) {
		if (strcmp(end, unit->name) || !(*value >= 0) || !isfinite(*value))
			continue;
		*value *= unit->scale;
		return true;
	}
	return wrong("--%s '%s': allowed is %s", o->name, text, o->allowed);
}

/* A share: 1/64 or 0.015, up to the separator or the end. */
static bool parse_share(const char **text, double *q)
{
	char *end;

	*q = strtod(*text, &end);
	if (end != *text && *end == '/') {
		*text = end + 1;
		*q /= strtod(*text, &end);
	}
	if (end == *text || !(*q >= 0 && *q <= 1))
		return false;
	*text = end;
	return true;
}

static bool add_share(struct request *r, double q)
{
	if (r->count == MOST_SHARES)
		return wrong("--q: more than %d shares; allowed: %d", MOST_SHARES,
			     MOST_SHARES);
	r->q[r->count++] = q;
	return true;
}

/* Shares from low to high, in equal ratios: doubling if points is 0. */
static bool add_range(struct request *r, double low, double high, long points)
{
	double ratio = points ? pow(high / low, 1.0 / (double)(points - 1)) : 2;
	long i;

	if (!points)
		points = (long)floor(log2(high / low) + ROUNDING) + 1;
	for (i = 0; i < points; i++)
		if (!add_share(r, fmin(low * pow(ratio, (double)i), high)))
			return false;
	return true;
}

/* One item of --q: a share, or two with an optional number of points. */
static bool parse_item(struct request *r, const char **text)
{
	double low, high;
	long points = 0;
	char *end;

	if (!parse_share(text, &low))
		return false;
	if (**text != ':')
		return add_share(r, low);
	++*text;
	if (!parse_share(text, &high) || !(low > 0 && high > low))
		return false;
	if (**text == ':') {
		points = strtol(*text + 1, &end, 10);
		if (points < 2 || points > MOST_SHARES)
			return false;
		*text = end;
	}
	return add_range(r, low, high, points);
}

static bool parse_shares(struct request *r, const char *list)
{
	const char *text = list;

	r->count = 0;
	do {
		if (!parse_item(r, &text))
			break;
		if (!*text)
			return true;
	} while (*text++ == ',');
	return wrong("--q '%s': allowed are shares such as 1/64 or ranges such as 1/256:1/4:50",
		     list);
}

static bool parse_models(struct request *r, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	const struct nc_collapse_model *model = NULL;

	r->models = 0;
	while ((name = strsep(&rest, ","))) {
		model = nc_collapse_model(name);
		if (!model)
			break;
		r->models |= 1U << (model - nc_collapse_models);
	}
	if (!model)
		wrong("--models '%s': not known; allowed: %s", name ? name : list,
		      NC_COLLAPSE_NAMES);
	free(copy);
	return model;
}

static bool parse_view(struct request *r, const char *name)
{
	if (!strcmp(name, "stack"))
		r->p.view = NC_VIEW_STACK;
	else if (!strcmp(name, "paper"))
		r->p.view = NC_VIEW_PAPER;
	else
		return wrong("--view '%s': allowed is stack or paper", name);
	return true;
}

static void print_help(void)
{
	int m;

	fputs(usage, stdout);
	for (m = 0; m < NC_COLLAPSE_MODELS; m++)
		printf("  %-12s %s\n", nc_collapse_models[m].name,
		       nc_collapse_models[m].title);
}

/* One option; false if its value is not allowed. */
static bool take_option(struct request *r, int option, const char *value)
{
	switch (option) {
	case OPT_Q:
		return parse_shares(r, value);
	case OPT_MODELS:
		return parse_models(r, value);
	case OPT_VIEW:
		return parse_view(r, value);
	case OPT_MEASURED:
		r->measured = value;
		return true;
	case OPT_HELP:
		r->help = true;
		return true;
	}
	if (option < NUMBERS)
		return parse_number(&number_options[option], value,
				    (double *)((char *)&r->p + number_options[option].at));
	return wrong("see netcalc collapse --help");
}

/* The whole command line, and what follows from it. */
static bool parse_arguments(struct request *r, int argc, char **argv)
{
	struct option options[NUMBERS + WORDS + 1] = { 0 };
	char text[TEXT_BYTES];
	int i, option;

	for (i = 0; i < NUMBERS; i++)
		options[i] = (struct option){ number_options[i].name,
					      required_argument, NULL, i };
	memcpy(options + NUMBERS, word_options, sizeof(word_options));
	optind = 1;
	while (!r->help && (option = getopt_long(argc, argv, "", options, NULL)) >= 0)
		if (!take_option(r, option, optarg))
			return false;
	if (r->help)
		return true;
	if (optind < argc)
		return wrong("'%s' is not an option; see netcalc collapse --help",
			     argv[optind]);
	if (r->p.base_target < 0)
		r->p.base_target = r->p.ts + TARGET_QDELAY;
	if (r->p.fs_range < 0)
		r->p.fs_range = FS_RANGES * r->p.base_target;
	if (nc_collapse_wrong(&r->p, text, sizeof(text)))
		return wrong("--%s", text);
	return true;
}

static void print_point(const struct request *r, double q, int model)
{
	struct nc_collapse_point point = nc_collapse_models[model].at(&r->p, q);

	printf("%.9g,%s,%.0f,%.6f,%s", q, nc_collapse_models[model].name,
	       point.throughput, point.throughput / r->p.rate, point.regime);
}

static void print_models(const struct request *r)
{
	size_t i;
	int m;

	puts("q,model,throughput_bps,share,regime");
	for (i = 0; i < r->count; i++) {
		for (m = 0; m < NC_COLLAPSE_MODELS; m++) {
			if (!(r->models >> m & 1))
				continue;
			print_point(r, r->q[i], m);
			putchar('\n');
		}
	}
}

static void print_comparison(const struct request *r, const struct nc_measured *points,
			     size_t count)
{
	double model;
	size_t i;

	puts("q,model,throughput_bps,share,regime,measured_bps,measured_of_model");
	for (i = 0; i < count; i++) {
		if (!(r->models >> points[i].model & 1))
			continue;
		print_point(r, points[i].q, points[i].model);
		model = nc_collapse_models[points[i].model].at(&r->p, points[i].q).throughput;
		printf(",%.0f,%.4f\n", points[i].throughput, points[i].throughput / model);
	}
}

/**
 * nc_collapse_main() - the subcommand
 * @argc: arguments, the first of which is the command's name
 * @argv: the same
 *
 * Return: exit status: 0, or 1 with a line on standard error.
 */
int nc_collapse_main(int argc, char **argv)
{
	struct request r = { .p = NC_COLLAPSE_DEFAULTS,
			     .models = (1U << NC_COLLAPSE_MODELS) - 1 };
	struct nc_measured *points = NULL;
	char text[TEXT_BYTES];
	size_t count = 0;

	r.p.base_target = -1;
	r.p.fs_range = -1;
	parse_shares(&r, "1/256:1/2");
	if (!parse_arguments(&r, argc, argv))
		return EXIT_FAILURE;
	if (r.help) {
		print_help();
		return EXIT_SUCCESS;
	}
	if (r.measured && !nc_collapse_read(r.measured, &points, &count, text, sizeof(text)))
		goto unreadable;
	if (r.measured)
		print_comparison(&r, points, count);
	else
		print_models(&r);
	free(points);
	return EXIT_SUCCESS;
unreadable:
	wrong("--measured %s", text);
	free(points);
	return EXIT_FAILURE;
}
