// SPDX-License-Identifier: GPL-2.0
/* netcalc conv, min, sum, delay, backlog, fifo, path: operations on curves. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "commands.h"
#include "csv.h"
#include "inverse.h"
#include "minplus.h"
#include "text.h"
#include "control.h"

#define FORM	"allowed: a CSV file, rate:R, window:B, bucket:B:R, latency:R:T, " \
		"concave:B:R:B:R..., convex:R:T:R:T..."

#define CURVES_MOST	(2 * NC_HOPS_MOST + 1)

struct request {
	const char *name[CURVES_MOST];
	bool cross[CURVES_MOST];
	struct nc_curve curve[CURVES_MOST];
	int curves;
	struct nc_q until;
	bool exact;
};

/* A quantity up to a colon or the end, of a curve or an option. */
static int read_part(const char *whose, const char *text, enum nc_unit unit,
		     struct nc_q *value)
{
	char part[64], error[NC_ERROR_BYTES];
	size_t n = strcspn(text, ":");
	int64_t number;

	if (n >= sizeof(part))
		return nc_complain("%s: '%.40s...' is too long", whose, text);
	memcpy(part, text, n);
	part[n] = 0;
	if (nc_text_quantity(part, unit, &number, error))
		return nc_complain("%s: %s", whose, error);
	*value = unit == NC_RATE ? nc_kbps(number) : nc_q_int(number);
	return 0;
}

/* R (t - T) for t > T. */
static int make_latency(struct nc_q rate, struct nc_q latency, struct nc_curve *out)
{
	nc_curve_add(out, NC_ZERO, NC_ZERO, NC_ZERO);
	nc_curve_add(out, latency, NC_ZERO, rate);
	return nc_curve_done(out);
}

static int make_rate(struct nc_q rate, struct nc_q none, struct nc_curve *out)
{
	(void)none;
	return nc_curve_rate(rate, out);
}

static int make_window(struct nc_q bytes, struct nc_q none, struct nc_curve *out)
{
	(void)none;
	return nc_curve_window(bytes, out);
}

/*
 * What a word makes of its one or two quantities. Of more pairs of them the largest
 * curve, or the smallest, is meant.
 */
static const struct shape {
	const char *word;
	int parts;
	enum nc_unit unit[2];
	int (*make)(struct nc_q a, struct nc_q b, struct nc_curve *out);
	int (*join)(const struct nc_curve *f, const struct nc_curve *g,
		    struct nc_curve *out);
} shapes[] = {
	{ "rate", 1, { NC_RATE, NC_RATE }, make_rate, NULL },
	{ "window", 1, { NC_SIZE, NC_SIZE }, make_window, NULL },
	{ "bucket", 2, { NC_SIZE, NC_RATE }, nc_curve_bucket, NULL },
	{ "latency", 2, { NC_RATE, NC_TIME }, make_latency, NULL },
	{ "concave", 2, { NC_SIZE, NC_RATE }, nc_curve_bucket, nc_min },
	{ "convex", 2, { NC_RATE, NC_TIME }, make_latency, nc_max },
};

/* The word before the first colon; NULL: it is none of them. */
static const struct shape *find_shape(const char *name)
{
	size_t i, n = strcspn(name, ":");

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes) && name[n]; i++)
		if (strlen(shapes[i].word) == n && !strncmp(name, shapes[i].word, n))
			return &shapes[i];
	return NULL;
}

/*
 * One curve of a shape; @rest is what comes behind its quantities, or NULL. 0, or 1: it was
 * said what is wrong, or an error that was not.
 */
static int read_one(const struct shape *shape, const char *name,
		    const char **rest, struct nc_curve *out)
{
	struct nc_q value[2] = { NC_ZERO, NC_ZERO };
	int k;

	for (k = 0; k < shape->parts; k++) {
		if (!*rest)
			return nc_complain("'%s' has no %s; " FORM, name,
					   shape->unit[k] == NC_TIME ? "time" : "rate");
		if (read_part(name, *rest, shape->unit[k], &value[k]))
			return 1;
		*rest = strchr(*rest, ':');
		*rest = *rest ? *rest + 1 : NULL;
	}
	return shape->make(value[0], value[1], out);
}

static int read_shape(const struct shape *shape, const char *name,
		      struct nc_curve *out)
{
	const char *rest = name + strlen(shape->word) + 1;
	int bad = read_one(shape, name, &rest, out);

	while (!bad && rest) {
		struct nc_curve before = *out, next = NC_CURVE_EMPTY;

		if (!shape->join)
			return nc_complain("'%s' has too many parts; " FORM, name);
		*out = NC_CURVE_EMPTY;
		bad = read_one(shape, name, &rest, &next);
		if (!bad)
			bad = shape->join(&before, &next, out);
		nc_curve_free(&before);
		nc_curve_free(&next);
	}
	return bad;
}

static int complain(const char *what, int err)
{
	if (err == -EDOM)
		return nc_complain("%s: F grows faster than G for ever, so there is no bound",
				   what);
	if (err == -EOVERFLOW)
		return nc_complain("%s: a number needs more than 127 bits", what);
	return nc_complain("%s: %s", what, strerror(-err));
}

/*
 * "bucket:B:R" and the like; everything else is a file. 0, 1: it cannot be read or
 * computed, or 2: it is written wrongly.
 */
static int read_curve(const char *name, struct nc_curve *out)
{
	const struct shape *shape = find_shape(name);
	char error[NC_CSV_ERROR_BYTES];
	int err;

	if (shape) {
		err = read_shape(shape, name, out);
		return err < 0 ? complain(name, err) : err * 2;
	}
	err = nc_csv_read(name, false, out, error);
	if (err == -EINVAL)
		return nc_complain("%s; " FORM, error);
	return err ? nc_complain("%s: %s", name, strerror(-err)) : 0;
}

static struct nc_q last_of(const struct nc_curve *c)
{
	return c->n ? c->p[c->n - 1].t : NC_ZERO;
}

/* Without --until: to the last bend of both curves and of what is made of them. */
static struct nc_q last_bend(const struct request *r, const struct nc_curve *out)
{
	struct nc_q t = nc_q_max(last_of(&r->curve[0]), last_of(&r->curve[1]));

	return nc_q_max(nc_q_max(t, last_of(out)), nc_q_int(1));
}

typedef int curve_fn(const struct nc_curve *f, const struct nc_curve *g,
		     struct nc_curve *out);
typedef int distance_fn(const struct nc_curve *f, const struct nc_curve *g,
			struct nc_q until, struct nc_extreme *out);

typedef void path_fn(const struct request *r, struct nc_path *path);

/* F OTHERS S. */
static void one_hop(const struct request *r, struct nc_path *path)
{
	path->theorem = true;
	path->hop[path->hops++] = (struct nc_hop){ r->curve[2], r->curve[1] };
}

/* F S S..., and what crosses the hop before it. */
static void many_hops(const struct request *r, struct nc_path *path)
{
	int k;

	for (k = 1; k < r->curves; k++)
		if (r->cross[k])
			path->hop[path->hops - 1].others = r->curve[k];
		else
			path->hop[path->hops++].service = r->curve[k];
}

/* What can be asked: a curve made of two, a distance and its unit, or bounds. */
static const struct operation {
	const char *name;
	curve_fn *curve;
	distance_fn *distance;
	const char *unit;
	path_fn *path;
	int most;
	const char *words;
} operations[] = {
	{ .name = "conv", .curve = nc_conv },
	{ .name = "deconv", .curve = nc_deconv },
	{ .name = "min", .curve = nc_min },
	{ .name = "max", .curve = nc_max },
	{ .name = "sum", .curve = nc_sum },
	{ .name = "delay", .distance = nc_delay, .unit = "delay_ns" },
	{ .name = "backlog", .distance = nc_backlog, .unit = "backlog_bytes" },
	{ .name = "fifo", .path = one_hop, .most = 3, .words = "F OTHERS S" },
	{ .name = "path", .path = many_hops, .most = NC_HOPS_MOST + 1,
	  .words = "F S [--cross G] [S [--cross G]]..., up to 16 hops," },
};

static int write_curve(const struct operation *o, const struct request *r,
		       FILE *file)
{
	struct nc_curve out = NC_CURVE_EMPTY;
	int err = o->curve(&r->curve[0], &r->curve[1], &out);

	if (!err)
		err = nc_csv_write(file, &out, nc_q_sign(r->until) ? r->until :
				   last_bend(r, &out), r->exact);
	nc_curve_free(&out);
	return err;
}

/* Without --until: of all time, so that what has no bound is told. */
static int write_distance(const struct operation *o, const struct request *r,
			  FILE *file)
{
	struct nc_q until = nc_q_sign(r->until) ? r->until : NC_INF;
	struct nc_extreme e;
	int err = o->distance(&r->curve[0], &r->curve[1], until, &e);

	if (err)
		return err;
	fprintf(file, "%s,t_ns\n", o->unit);
	err = nc_csv_number(file, e.value, r->exact);
	fputc(',', file);
	if (!err)
		err = nc_csv_number(file, e.t, r->exact);
	fputc('\n', file);
	return err;
}

static int write_bounds(const struct operation *o, const struct request *r,
			FILE *file)
{
	struct nc_path path = { .flow = r->curve[0] };

	o->path(r, &path);
	return nc_bounds_write(&path, r->until, r->exact, file);
}

/* All of the answer, or nothing. */
static int apply(const struct operation *o, const struct request *r)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int err;

	if (!file)
		return complain(o->name, -ENOMEM);
	if (o->path)
		err = write_bounds(o, r, file);
	else
		err = o->curve ? write_curve(o, r, file) :
				 write_distance(o, r, file);
	if (fclose(file) && !err)
		err = -ENOMEM;
	if (!err)
		fputs(text, stdout);
	free(text);
	return err ? complain(o->name, err) : 0;
}

static const struct operation *find_operation(const char *name)
{
	const struct operation *o = operations;

	while (strcmp(o->name, name))	/* main.c knows the same names */
		o++;
	return o;
}

#define OPTIONS	"[--until TIME] [--exact]"

/* Wrong words: what is allowed is what the operation takes. */
static int wrong(const struct operation *o, const char *word)
{
	return nc_complain("%s: %s%s%s; allowed: %s " OPTIONS, o->name,
			   word ? "'" : "", word ? word : o->most == 3 ?
			   "three curves are needed" : "two curves are needed",
			   word ? "'" : "", o->words ? o->words : "F G") + 1;
}

/* Of a row of hops: what crosses the last one that was named, once. */
static bool may_cross(const struct operation *o, const struct request *r)
{
	return o->path == many_hops && r->curves > 1 && !r->cross[r->curves - 1];
}

static int services(const struct request *r)
{
	int k, n = 0;

	for (k = 0; k < r->curves; k++)
		n += !r->cross[k];
	return n;
}

static int parse(struct request *r, const struct operation *o, int argc,
		 char **argv)
{
	int i, most = o->most ? o->most : 2;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--until") && i + 1 < argc) {
			if (read_part("--until", argv[++i], NC_TIME, &r->until))
				return 2;
			if (nc_q_sign(r->until) <= 0)
				return nc_complain("--until: '%s'; allowed: more than 0",
						   argv[i]) + 1;
		} else if (!strcmp(argv[i], "--exact")) {
			r->exact = true;
		} else if (!strcmp(argv[i], "--cross") && i + 1 < argc && may_cross(o, r)) {
			r->cross[r->curves] = true;
			r->name[r->curves++] = argv[++i];
		} else if (*argv[i] != '-' && services(r) < most) {
			r->name[r->curves++] = argv[i];
		} else {
			return wrong(o, argv[i]);
		}
	}
	return r->curves < (most == 3 ? 3 : 2) ? wrong(o, NULL) : 0;
}

int nc_curves_main(int argc, char **argv)
{
	const struct operation *o = find_operation(argv[0]);
	struct request r = { .until = NC_ZERO };
	int k, bad = parse(&r, o, argc, argv);

	for (k = 0; k < r.curves && !bad; k++)
		bad = read_curve(r.name[k], &r.curve[k]);
	if (!bad)
		bad = apply(o, &r);
	for (k = 0; k < r.curves; k++)
		nc_curve_free(&r.curve[k]);
	return bad;
}
