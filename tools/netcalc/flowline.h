/* SPDX-License-Identifier: GPL-2.0 */
/* The line "flow" of a case: the algorithms and their parameters. */
#ifndef _NC_FLOWLINE_H
#define _NC_FLOWLINE_H

#include <stdio.h>

#include "net.h"
#include "reader.h"

int nc_flowline_read(struct nc_reader *r, struct nc_net *net, char *rest);
void nc_flowline_words(FILE *out);

#endif /* _NC_FLOWLINE_H */
