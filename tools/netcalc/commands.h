/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands. Each takes its name as argv[0] and returns the exit status:
 * 0, 1 after an error, 2 if it was called in a wrong way.
 */
#ifndef _NC_COMMANDS_H
#define _NC_COMMANDS_H

#include "collapse.h"

#define NC_DIR_MAX	1024
#define NC_FILE_MAX	(NC_DIR_MAX + 256)

struct nc_case;
struct nc_log;

int nc_run_main(int argc, char **argv);
int nc_figures_main(int argc, char **argv);
int nc_words_main(int argc, char **argv);
int nc_curves_main(int argc, char **argv);

/* Shared: read and compute a case, with a message on standard error. */
int nc_compute(const char *path, bool per_flow, struct nc_case *c,
	       struct nc_log *log);
int nc_write_csv(const struct nc_log *log, const char *path);
int nc_make_dir(const char *path);

__attribute__((format(printf, 1, 2)))
int nc_complain(const char *format, ...);

#endif /* _NC_COMMANDS_H */
