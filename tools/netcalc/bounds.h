/* SPDX-License-Identifier: GPL-2.0 */
/* What departs of a flow from FIFO servers in a row: theorem 1 as a table. */
#ifndef _NC_BOUNDS_H
#define _NC_BOUNDS_H

#include <stdio.h>

#include "curve.h"

#define NC_HOPS_MOST	16

/**
 * struct nc_hop - a FIFO server
 * @service: its exact service curve
 * @others: what comes to it besides the flow, and goes elsewhere behind it
 */
struct nc_hop {
	struct nc_curve service;
	struct nc_curve others;
};

/**
 * struct nc_path - a flow's way
 * @flow: what it sends
 * @hop: the servers, one after the other
 * @hops: how many
 * @theorem: take the bounds of theorem 1 as they are printed, which have what came at
 *	one moment depart all at once, or not at all
 */
struct nc_path {
	struct nc_curve flow;
	struct nc_hop hop[NC_HOPS_MOST];
	int hops;
	bool theorem;
};

int nc_bounds_write(const struct nc_path *path, struct nc_q until, bool exact,
		    FILE *file);

#endif /* _NC_BOUNDS_H */
