// SPDX-License-Identifier: GPL-2.0
/* netcalc figures: the paper's figures 3b, 4b, 6, 9 and 10. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "commands.h"
#include "log.h"
#include "plots.h"

#define EXAMPLES_VARIABLE	"NETCALC_EXAMPLES"
#define EXAMPLES_DEFAULT	"tools/netcalc/examples"
#define FAIR_LINE_END		100.0	/* Gbit/s: C of figure 6 */
#define EARLY_MS		0.4	/* figure 10 looks at the first 400 us */
#define AVERAGE_NS		1000

/* A case that has been computed. */
struct result {
	struct nc_case *c;
	struct nc_log log;
};

struct figures {
	const char *out;
	const char *examples;
};

static int compute(const struct figures *f, const char *name,
		   struct result *r)
{
	char path[NC_FILE_MAX];

	snprintf(path, sizeof(path), "%.1000s/%s.net", f->examples, name);
	r->c = calloc(1, sizeof(*r->c));
	if (!r->c)
		return nc_complain("%s", strerror(ENOMEM));
	if (nc_compute(path, true, r->c, &r->log))
		return 1;
	snprintf(path, sizeof(path), "%s/%s.csv", f->out, name);
	if (nc_write_csv(&r->log, path))
		return 1;
	printf("%s\n", path);
	return 0;
}

static void release(struct result *r)
{
	nc_log_free(&r->log);
	if (r->c)
		nc_case_free(r->c);
	free(r->c);
}

static int draw(const struct figures *f, const char *name,
		struct nc_diagram *d, int err)
{
	char path[NC_FILE_MAX];

	snprintf(path, sizeof(path), "%s/%s.svg", f->out, name);
	if (!err)
		err = nc_svg_write(path, d);
	nc_diagram_free(d);
	if (err)
		return nc_complain("%s: %s", path, strerror(-err));
	printf("%s\n", path);
	return 0;
}

static int figures_3_and_4(const struct figures *f)
{
	struct nc_diagram d = { .x = "time, ms" };
	struct result r = { 0 };
	int bad = compute(f, "vegas", &r);

	d.title = "Figure 3b: window of TCP Vegas";
	d.y = "window, kB";
	if (!bad)
		bad = draw(f, "figure-3b", &d,
			   nc_plot_window(&d, &r.log.total, "window"));
	d.title = "Figure 4b: backlog of TCP Vegas";
	d.y = "backlog, MB";
	if (!bad)
		bad = draw(f, "figure-4b", &d,
			   nc_plot_backlog(&d, &r.log.total, "backlog"));
	release(&r);
	return bad;
}

/* A straight line from (x0, y0) to (x1, y1). */
static int add_straight(struct nc_diagram *d, const char *label, double x0,
			double y0, double x1, double y1)
{
	struct nc_line *line = &d->line[d->lines++];
	int err;

	line->label = label;
	err = nc_line_add(line, x0, y0);
	return err ? err : nc_line_add(line, x1, y1);
}

static int figure_6(const struct figures *f)
{
	struct nc_diagram d = { .x = "time, ms", .y = "rate, Gbit/s" };
	const double end = FAIR_LINE_END;
	struct result r = { 0 };
	int bad = compute(f, "fairness", &r), err;

	d.title = "Figure 6a: rates of two flows with AIMD";
	if (!bad) {
		err = nc_plot_limit(&d, &r.log.flow[0], "from 60 Gbit/s");
		if (!err)
			err = nc_plot_limit(&d, &r.log.flow[1],
					    "from 90 Gbit/s");
		bad = draw(f, "figure-6a", &d, err);
	}
	d.title = "Figure 6b: convergence to fairness and efficiency";
	d.x = "rate of the first flow, Gbit/s";
	d.y = "rate of the second flow, Gbit/s";
	if (!bad) {
		err = nc_plot_pair(&d, &r.log.flow[0], &r.log.flow[1],
				   "the rates");
		if (!err)
			err = add_straight(&d, "fair", 0, 0, end, end);
		if (!err)
			err = add_straight(&d, "efficient", 0, end, end, 0);
		bad = draw(f, "figure-6b", &d, err);
	}
	release(&r);
	return bad;
}

static const char * const burst_cases[] = {
	"burst-pfc", "burst-dcqcn", "burst-dcqcn-nopfc",
};

static const char * const burst_labels[] = {
	"PFC", "DCQCN", "DCQCN without PFC",
};

#define BURSTS	3

static const struct {
	const char *name;
	const char *title;
	bool early;
	bool backlog;
} burst_figures[] = {
	{ "figure-9a", "Figure 9a: total arrival rate", false, false },
	{ "figure-9b", "Figure 9b: backlog", false, true },
	{ "figure-10a", "Figure 10a: total arrival rate", true, false },
	{ "figure-10b", "Figure 10b: backlog", true, true },
};

#define BURST_FIGURES	4

/* Rates or backlog, of all the time or of the beginning. */
static int figure_9_or_10(const struct figures *f, struct result *r, int i)
{
	struct nc_diagram d = {
		.title = burst_figures[i].title, .x = "time, ms",
		.x_most = burst_figures[i].early ? EARLY_MS : 0,
	};
	int k, err = 0;

	d.y = burst_figures[i].backlog ? "backlog, MB" : "rate, Gbit/s";
	for (k = 0; k < BURSTS && !err; k++)
		err = burst_figures[i].backlog ?
		      nc_plot_backlog(&d, &r[k].log.total, burst_labels[k]) :
		      nc_plot_rate(&d, &r[k].log.total, burst_labels[k],
				   AVERAGE_NS);
	return draw(f, burst_figures[i].name, &d, err);
}

static int figures_9_and_10(const struct figures *f)
{
	struct result r[BURSTS] = { 0 };
	int k, bad = 0;

	for (k = 0; k < BURSTS && !bad; k++)
		bad = compute(f, burst_cases[k], &r[k]);
	for (k = 0; k < BURST_FIGURES && !bad; k++)
		bad = figure_9_or_10(f, r, k);
	for (k = 0; k < BURSTS; k++)
		release(&r[k]);
	return bad;
}

int nc_figures_main(int argc, char **argv)
{
	struct figures f = { NULL, getenv(EXAMPLES_VARIABLE) };

	if (!f.examples)
		f.examples = EXAMPLES_DEFAULT;
	if (argc != 3 || strcmp(argv[1], "--out"))
		return nc_complain("figures: allowed: --out DIR") + 1;
	f.out = argv[2];
	return nc_make_dir(f.out) || figures_3_and_4(&f) || figure_6(&f) ||
	       figures_9_and_10(&f);
}
