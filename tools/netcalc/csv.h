/* SPDX-License-Identifier: GPL-2.0 */
/* Curves from and to CSV: a line is a time in ns and bytes so far. */
#ifndef _NC_CSV_H
#define _NC_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "../csv/table.h"
#include "curve.h"

#define NC_CSV_ERROR_BYTES	CSV_ERROR_BYTES

int nc_csv_read(const char *path, bool steps, struct nc_curve *out,
		char error[NC_CSV_ERROR_BYTES]);
int nc_csv_write(FILE *file, const struct nc_curve *c, struct nc_q until,
		 bool exact);
int nc_csv_number(FILE *file, struct nc_q number, bool exact);

#endif /* _NC_CSV_H */
