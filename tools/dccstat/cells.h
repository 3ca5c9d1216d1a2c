/* SPDX-License-Identifier: GPL-2.0 */
/* Columns and cells of the tables that dccstat reads, beyond replay/csv.h. Pure. */
#ifndef _DCCSTAT_CELLS_H
#define _DCCSTAT_CELLS_H

#include "../replay/csv.h"

int cells_need(struct csv *c, const char *name, const char *tables);
void cells_address(struct csv *c, int column, void *address);

#endif /* _DCCSTAT_CELLS_H */
