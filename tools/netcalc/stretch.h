/* SPDX-License-Identifier: GPL-2.0 */
/* The curves from one event to the next: the linear part of the loop. */
#ifndef _NC_STRETCH_H
#define _NC_STRETCH_H

#include "net.h"

/* What to sum over the flows. */
enum nc_sum { NC_SUM_OFFERED, NC_SUM_IN, NC_SUM_OUT };

struct nc_q nc_stretch_horizon(struct nc_net *net);
void nc_stretch_compute(struct nc_net *net, struct nc_q until);
void nc_stretch_sum(const struct nc_net *net, enum nc_sum sum,
		    struct nc_q from, struct nc_q until, struct nc_curve *out);
void nc_stretch_cut(struct nc_net *net, struct nc_q t);
void nc_stretch_forget(struct nc_net *net);

#endif /* _NC_STRETCH_H */
