// SPDX-License-Identifier: GPL-2.0
/* netcalc run: a case in, CSV out, of which draw makes pictures; netcalc words. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case.h"
#include "commands.h"
#include "log.h"
#include "loop.h"

#define DIR_MAX		1024
#define FILE_MAX	(DIR_MAX + 256)

#define LOSS_ALLOWED	"allowed: a larger buffer=, a timeout=, cc=none"
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
	if (err == -ENOBUFS)
		return nc_complain("%s:%u: at %.0f ns buffer=%lldB is full; '%s' %s",
				   c->reader.path, c->net.loser->line,
				   nc_q_double(c->net.now), (long long)c->net.buffer,
				   c->net.loser->name,
				   "has an algorithm without an answer to a loss; "
				   LOSS_ALLOWED);
	return nc_complain("%s: %s", c->reader.path, strerror(-err));
}

static int compute(const char *path, bool per_flow, struct nc_case *c,
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

static int make_dir(const char *path)
{
	if (strlen(path) >= DIR_MAX)
		return nc_complain("--out has %zu characters; allowed: %d",
				   strlen(path), DIR_MAX - 1);
	if (mkdir(path, 0777) && errno != EEXIST)
		return nc_complain("%s: %s", path, strerror(errno));
	return 0;
}

/* What the column "limit" of all together holds; draw reads this. */
static const char *limit_of_all(const struct nc_net *net)
{
	if (!nc_log_one_limit(net))
		return "not the same for all";
	if (net->flow[0].control.ops->limit == NC_LIMIT_NONE)
		return "none";
	return net->flow[0].control.ops->limit == NC_LIMIT_RATE ?
	       "rate in bit/s" : "window in bytes";
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
	if (net->buffer)
		printf("lost %.0f bytes\n", net->lost);
	printf("limit: %s\n", limit_of_all(net));
	printf("delivered %.0f bytes, largest backlog %.0f bytes at %.3f us\n",
	       nc_q_double(nc_curve_at(&net->out, net->now)), log->peak,
	       log->peak_t / 1000);
}

static int write_csv(const struct nc_log *log, const char *path)
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

/* Named as the case's file without folder and without what follows a dot. */
static int table_of(const char *file, const char *out, char path[FILE_MAX])
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	int n = (int)strcspn(name, ".");

	if (!n)
		return nc_complain("%s: a name that begins with a dot; allowed with --out: none",
				   file);
	if (snprintf(path, FILE_MAX, "%s/%.*s.csv", out, n, name) >=
	    FILE_MAX)
		return nc_complain("%s: the name is too long", file);
	return 0;
}

static int write_all(const struct run_options *o, const struct nc_case *c,
		     const struct nc_log *log)
{
	char path[FILE_MAX];

	if (!o->out) {
		nc_log_write(log, stdout);
		return 0;
	}
	if (make_dir(o->out) || table_of(o->file, o->out, path) ||
	    write_csv(log, path))
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
	bad = compute(o.file, o.flows, c, &log);
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
