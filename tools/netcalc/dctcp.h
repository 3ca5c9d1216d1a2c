/* SPDX-License-Identifier: GPL-2.0 */
/* DCTCP as Linux has it. */
#ifndef _NC_DCTCP_H
#define _NC_DCTCP_H

#include "packets.h"

#define NC_DCTCP_ONE	1024	/* alpha's scale */

/**
 * struct nc_dctcp - the algorithm's own part
 * @shift: g = 1 / 2^shift
 * @first: alpha at first
 * @alpha: share of marked packets, of NC_DCTCP_ONE
 * @threshold: of slow start, packets
 * @credit: packets acknowledged since the window grew last
 * @delivered: packets acknowledged in this window of data
 * @marked: of them, marked
 * @window_end: the window of data ends when this byte is acknowledged
 * @reduced: the window is not cut again, and does not grow, until this one is
 * @packets: what was acknowledged
 */
struct NC_ALG nc_dctcp {
	int64_t shift;
	int64_t first;
	int64_t alpha;
	int64_t threshold;
	int64_t credit;
	int64_t delivered;
	int64_t marked;
	struct nc_q window_end;
	struct nc_q reduced;
	struct nc_packets packets;
};

_Static_assert(sizeof(struct nc_dctcp) <= NC_ALG_BYTES, "no room for the algorithm");

static inline struct nc_dctcp *nc_dctcp_of(const struct nc_control *c)
{
	return (struct nc_dctcp *)c->alg;
}

extern const struct nc_control_ops nc_dctcp_linux;

#endif /* _NC_DCTCP_H */
