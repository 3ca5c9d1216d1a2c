/* SPDX-License-Identifier: GPL-2.0 */
/* What departs of a flow from a FIFO server: theorem 1 as a table. */
#ifndef _NC_BOUNDS_H
#define _NC_BOUNDS_H

#include <stdio.h>

#include "curve.h"

int nc_bounds_write(const struct nc_curve *curve, struct nc_q until, bool exact,
		    FILE *file);

#endif /* _NC_BOUNDS_H */
