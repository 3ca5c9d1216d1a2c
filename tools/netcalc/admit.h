/* SPDX-License-Identifier: GPL-2.0 */
/* What a limit lets through from an event on. */
#ifndef _NC_ADMIT_H
#define _NC_ADMIT_H

#include "minplus.h"
#include "walk.h"

void nc_admit(struct nc_view arrived, struct nc_view cap,
	      struct nc_origin from, struct nc_q until, struct nc_curve *out);
void nc_hold(struct nc_origin from, struct nc_curve *out);

#endif /* _NC_ADMIT_H */
