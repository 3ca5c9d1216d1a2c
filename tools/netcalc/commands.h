/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands. Each takes its name as argv[0] and returns the exit status:
 * 0, 1 after an error, 2 if it was called in a wrong way.
 */
#ifndef _NC_COMMANDS_H
#define _NC_COMMANDS_H

#include "collapse.h"

int nc_run_main(int argc, char **argv);
int nc_words_main(int argc, char **argv);
int nc_curves_main(int argc, char **argv);

__attribute__((format(printf, 1, 2)))
int nc_complain(const char *format, ...);

#endif /* _NC_COMMANDS_H */
