// SPDX-License-Identifier: GPL-2.0
/* netcalc conv, min, sum, delay, backlog: operations on curves from files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "csv.h"
#include "inverse.h"
#include "minplus.h"
#include "text.h"
#include "control.h"

#define FORM	"allowed: a CSV file, rate:R, window:B, bucket:B:R"

struct request {
	const char *name[2];
	struct nc_curve curve[2];
	struct nc_q until;
	bool exact;
};

/* A quantity up to a colon or the end. */
static int read_part(const char *text, enum nc_unit unit, struct nc_q *value)
{
	char part[64], error[NC_ERROR_BYTES];
	size_t n = strcspn(text, ":");
	int64_t number;

	if (n >= sizeof(part))
		return nc_complain("'%.40s...' is too long", text);
	memcpy(part, text, n);
	part[n] = 0;
	if (nc_text_quantity(part, unit, &number, error))
		return nc_complain("%s", error);
	*value = unit == NC_RATE ? nc_kbps(number) : nc_q_int(number);
	return 0;
}

/* "bucket:B:R" and the like; everything else is a file. */
static int read_curve(const char *name, struct nc_curve *out)
{
	struct nc_q burst = NC_ZERO, rate = NC_ZERO;
	char error[NC_CSV_ERROR_BYTES];
	int bad = 0, err;

	if (!strncmp(name, "rate:", 5)) {
		bad = read_part(name + 5, NC_RATE, &rate);
	} else if (!strncmp(name, "window:", 7)) {
		bad = read_part(name + 7, NC_SIZE, &burst);
	} else if (!strncmp(name, "bucket:", 7)) {
		const char *second = strchr(name + 7, ':');

		if (!second)
			return nc_complain("'%s' has no rate; " FORM, name);
		bad = read_part(name + 7, NC_SIZE, &burst) ||
		      read_part(second + 1, NC_RATE, &rate);
	} else {
		err = nc_csv_read(name, false, out, error);
		if (err == -EINVAL)
			return nc_complain("%s; " FORM, error);
		return err ? nc_complain("%s: %s", name, strerror(-err)) : 0;
	}
	return bad || nc_curve_bucket(burst, rate, out);
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

/* What can be asked: a curve made of two, or a distance and its unit. */
static const struct operation {
	const char *name;
	curve_fn *curve;
	distance_fn *distance;
	const char *unit;
} operations[] = {
	{ "conv", nc_conv, NULL, NULL },
	{ "min", nc_min, NULL, NULL },
	{ "sum", nc_sum, NULL, NULL },
	{ "delay", NULL, nc_delay, "delay_ns" },
	{ "backlog", NULL, nc_backlog, "backlog_bytes" },
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

static int complain(const char *what, int err)
{
	if (err == -EOVERFLOW)
		return nc_complain("%s: a number needs more than 127 bits", what);
	return nc_complain("%s: %s", what, strerror(-err));
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
	err = o->curve ? write_curve(o, r, file) : write_distance(o, r, file);
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

#define ALLOWED	"allowed: F G [--until TIME] [--exact]"

static int parse(struct request *r, int argc, char **argv)
{
	int i, n = 0;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--until") && i + 1 < argc) {
			if (read_part(argv[++i], NC_TIME, &r->until))
				return 1;
		} else if (!strcmp(argv[i], "--exact")) {
			r->exact = true;
		} else if (*argv[i] != '-' && n < 2) {
			r->name[n++] = argv[i];
		} else {
			return nc_complain("%s: '%s'; " ALLOWED, argv[0], argv[i]) + 1;
		}
	}
	if (n < 2)
		return nc_complain("%s: two curves are needed; " ALLOWED, argv[0]) + 1;
	return 0;
}

int nc_curves_main(int argc, char **argv)
{
	struct request r = { .until = NC_ZERO };
	int bad = parse(&r, argc, argv);

	if (!bad)
		bad = read_curve(r.name[0], &r.curve[0]);
	if (!bad)
		bad = read_curve(r.name[1], &r.curve[1]);
	if (!bad)
		bad = apply(find_operation(argv[0]), &r);
	nc_curve_free(&r.curve[0]);
	nc_curve_free(&r.curve[1]);
	return bad;
}
