// SPDX-License-Identifier: GPL-2.0
/* netcalc run: a case in, CSV and pictures out; netcalc words. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case.h"
#include "commands.h"
#include "log.h"
#include "loop.h"
#include "plots.h"

#define AVERAGE_NS	1000.0	/* of a rate in a picture: as the paper's */
#define MOST_AVERAGES	10000	/* in a picture */

#define ALLOWED		"allowed: FILE [--flows] [--exact] [--out DIR]"

struct run_options {
	const char *file;
	const char *out;
	bool flows;
	bool exact;
};

int nc_complain(const char *format, ...)
{
	va_list args;

	fputs("netcalc: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return 1;
}

/* The reason of an error that a computation ended with. */
static int explain(const struct nc_case *c, int err)
{
	if (err == -EINVAL && *c->reader.error)
		return nc_complain("%s", c->reader.error);
	if (err == -EOVERFLOW)
		return nc_complain("%s: at %.0f ns a fraction needs more than 127 bits; %s",
				   c->reader.path, nc_q_double(c->net.now),
				   "rounder rates and times, or acks=packets, keep them small");
	return nc_complain("%s: %s", c->reader.path, strerror(-err));
}

int nc_compute(const char *path, bool per_flow, struct nc_case *c,
	       struct nc_log *log)
{
	FILE *file = fopen(path, "r");
	int err;

	if (!file)
		return nc_complain("%s: %s", path, strerror(errno));
	err = nc_case_read(c, file, path);
	fclose(file);
	if (!err)
		err = nc_log_start(log, &c->net, per_flow);
	if (!err)
		err = nc_net_run(&c->net);
	if (!err)
		err = log->err;
	return err ? explain(c, err) : 0;
}

int nc_make_dir(const char *path)
{
	if (strlen(path) >= NC_DIR_MAX)
		return nc_complain("--out has %zu characters; allowed: %d",
				   strlen(path), NC_DIR_MAX - 1);
	if (mkdir(path, 0777) && errno != EEXIST)
		return nc_complain("%s: %s", path, strerror(errno));
	return 0;
}

static void summarize(const struct nc_case *c, const struct nc_log *log)
{
	const struct nc_net *net = &c->net;
	unsigned long timeouts = 0, marks = 0;
	size_t i;

	for (i = 0; i < net->flows; i++) {
		timeouts += net->flow[i].timeouts;
		marks += net->flow[i].mark.count;
	}
	printf("events %lu, timeouts %lu, notifications %lu, pauses %lu\n",
	       net->events, timeouts, marks, net->pfc.pauses);
	printf("delivered %.0f bytes, largest backlog %.0f bytes at %.3f us\n",
	       nc_q_double(nc_curve_at(&net->out, net->now)), log->peak,
	       log->peak_t / 1000);
}

int nc_write_csv(const struct nc_log *log, const char *path)
{
	FILE *file = fopen(path, "w");
	int bad;

	if (!file)
		return nc_complain("%s: %s", path, strerror(errno));
	nc_log_write(log, file);
	bad = ferror(file);
	if (fclose(file) || bad)
		return nc_complain("%s: cannot be written", path);
	return 0;
}

static int draw(struct nc_diagram *d, const char *path, int err)
{
	if (!err)
		err = nc_svg_write(path, d);
	nc_diagram_free(d);
	return err ? nc_complain("%s: %s", path, strerror(-err)) : 0;
}

/* A long time is averaged in longer parts: the picture has no more room. */
static double average_of(const struct nc_net *net)
{
	double part = nc_q_double(net->stop) / MOST_AVERAGES;

	return part > AVERAGE_NS ? part : AVERAGE_NS;
}

/* Windows or rates, but not the sum of both. */
static int draw_limit(struct nc_diagram *d, const struct nc_case *c,
		      const struct nc_log *log, const char *path)
{
	bool rates = c->net.flow[0].control.ops->limit == NC_LIMIT_RATE;

	if (!nc_log_one_limit(&c->net) ||
	    c->net.flow[0].control.ops->limit == NC_LIMIT_NONE)
		return 0;
	d->y = rates ? "limit, Gbit/s" : "window, kB";
	return draw(d, path, rates ? nc_plot_limit(d, &log->total, "limit") :
		    nc_plot_window(d, &log->total, "window"));
}

static int draw_all(const struct nc_case *c, const struct nc_log *log,
		    const char *base)
{
	struct nc_diagram d = { c->title, "time, ms", "backlog, MB", 0,
				{ { 0 } }, 0 };
	char path[NC_FILE_MAX + 16];
	int bad;

	snprintf(path, sizeof(path), "%s-backlog.svg", base);
	bad = draw(&d, path, nc_plot_backlog(&d, &log->total, "backlog"));
	snprintf(path, sizeof(path), "%s-limit.svg", base);
	if (!bad)
		bad = draw_limit(&d, c, log, path);
	d.y = "admitted rate, Gbit/s";
	snprintf(path, sizeof(path), "%s-rate.svg", base);
	if (!bad)
		bad = draw(&d, path, nc_plot_rate(&d, &log->total, "rate",
						  average_of(&c->net)));
	return bad;
}

/* The name of a case's file without folder and without what follows a dot. */
static int base_of(const char *file, const char *out, char base[NC_FILE_MAX])
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	int n = (int)strcspn(name, ".");

	if (snprintf(base, NC_FILE_MAX, "%s/%.*s", out, n, name) >=
	    NC_FILE_MAX - 16)
		return nc_complain("%s: the name is too long", file);
	return 0;
}

static int write_all(const struct run_options *o, const struct nc_case *c,
		     const struct nc_log *log)
{
	char base[NC_FILE_MAX], path[NC_FILE_MAX + 8];

	if (!o->out) {
		nc_log_write(log, stdout);
		return 0;
	}
	if (nc_make_dir(o->out) || base_of(o->file, o->out, base))
		return 1;
	snprintf(path, sizeof(path), "%s.csv", base);
	if (nc_write_csv(log, path) || draw_all(c, log, base))
		return 1;
	summarize(c, log);
	return 0;
}

static int parse(struct run_options *o, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--flows"))
			o->flows = true;
		else if (!strcmp(argv[i], "--exact"))
			o->exact = true;
		else if (!strcmp(argv[i], "--out") && i + 1 < argc)
			o->out = argv[++i];
		else if (*argv[i] == '-' || o->file)
			return nc_complain("run: '%s'; " ALLOWED,
					   argv[i]) + 1;
		else
			o->file = argv[i];
	}
	if (!o->file)
		return nc_complain("run: no FILE; " ALLOWED) + 1;
	return 0;
}

int nc_run_main(int argc, char **argv)
{
	struct run_options o = { 0 };
	struct nc_log log = { 0 };
	struct nc_case *c;
	int bad = parse(&o, argc, argv);

	if (bad)
		return bad;
	c = calloc(1, sizeof(*c));
	if (!c)
		return nc_complain("%s", strerror(ENOMEM));
	log.exact = o.exact;
	bad = nc_compute(o.file, o.flows, c, &log);
	if (!bad)
		bad = write_all(&o, c, &log);
	nc_log_free(&log);
	nc_case_free(c);
	free(c);
	return bad;
}

int nc_words_main(int argc, char **argv)
{
	if (argc > 1)
		return nc_complain("words: '%s'; allowed: no argument",
				   argv[1]) + 1;
	nc_case_words(stdout);
	return 0;
}
