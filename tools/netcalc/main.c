// SPDX-License-Identifier: GPL-2.0
/* netcalc: a small command around the library; netcalc(1) describes it. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "run", nc_run_main,
	  "run FILE [--flows] [--exact] [--out DIR] compute a case; CSV, pictures" },
	{ "words", nc_words_main,
	  "words                                    the language of cases" },
	{ "conv", nc_curves_main,
	  "conv F G [--until TIME] [--exact]        min-plus convolution" },
	{ "deconv", nc_curves_main,
	  "deconv F G [--until TIME] [--exact]      min-plus deconvolution" },
	{ "min", nc_curves_main,
	  "min F G [--until TIME] [--exact]         the smaller of both" },
	{ "max", nc_curves_main,
	  "max F G [--until TIME] [--exact]         the larger of both" },
	{ "sum", nc_curves_main,
	  "sum F G [--until TIME] [--exact]         both together" },
	{ "delay", nc_curves_main,
	  "delay F G [--until TIME] [--exact]       largest horizontal distance" },
	{ "backlog", nc_curves_main,
	  "backlog F G [--until TIME] [--exact]     largest vertical distance" },
	{ "fifo", nc_curves_main,
	  "fifo F OTHERS S [--until TIME] [--exact] what leaves of F: least, shared, most" },
	{ "path", nc_curves_main,
	  "path F S [--cross G] [S [--cross G]]...  the same of hops in a row" },
	{ "collapse", nc_collapse_main,
	  "collapse [OPTION...]                     throughput of a sprayed flow" },
};

#define COMMANDS	(sizeof(commands) / sizeof(*commands))

static int usage(FILE *out, int status)
{
	size_t i;

	fputs("Commands:\n", out);
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  netcalc %s\n", commands[i].help);
	/* the script beside this command catches these */
	fputs("  netcalc figures --out DIR                        the paper's figures\n", out);
	fputs("  netcalc compare MODEL RESULTS [OPTION...]        against a run of the lab\n",
	      out);
	fputs("  netcalc case FILE.lab [--set NAME=VALUE]...      a scenario of the lab, for run\n",
	      out);
	fputs("  netcalc sweep CASE --set NAME=V,V,... [OPTION...] over parameters\n", out);
	fputs("  netcalc --version                                of the project, and its commit\n",
	      out);
	fputs("run takes a FILE.lab and --set, too.\n", out);
	fputs("F, G, S: a CSV file of t_ns,bytes, or rate:100Gbps, window:10KB,\n"
	      "bucket:1MB:10Gbps, latency:10Gbps:5us, concave:B:R:B:R..., convex:R:T:R:T...\n",
	      out);
	return status;
}

/* A result that cannot be written is no success. */
static int finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	return nc_complain("standard output: cannot be written");
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return finish(usage(stdout, 0));
	if (argc > 1 && !strcmp(argv[1], "--version"))
		return finish(puts("netcalc " VERSION) < 0);
	for (i = 0; argc > 1 && i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return finish(commands[i].run(argc - 1, argv + 1));
	if (argc > 1)
		fprintf(stderr, "netcalc: no command '%s'\n", argv[1]);
	return usage(stderr, 2);
}
