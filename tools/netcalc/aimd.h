/* SPDX-License-Identifier: GPL-2.0 */
/* Rate AIMD, and DCQCN, which is cut by notifications as well. */
#ifndef _NC_AIMD_H
#define _NC_AIMD_H

#include "control.h"

/**
 * struct nc_aimd - the algorithms' own part
 * @increase: alpha, added to the rate, kbit/s
 * @every: time between two increases, ns
 * @most: largest rate, kbit/s, at most NC_RATE_MAX
 * @decrease: beta, by which the rate is multiplied, parts per million
 * @last_cut: time of the last timeout or notification, ns
 * @was_cut: has there been one?
 */
struct NC_ALG nc_aimd {
	int64_t increase;
	int64_t every;
	int64_t most;
	int64_t decrease;
	struct nc_q last_cut;
	bool was_cut;
};

_Static_assert(sizeof(struct nc_aimd) <= NC_ALG_BYTES, "no room for the algorithm");

static inline struct nc_aimd *nc_aimd_of(const struct nc_control *c)
{
	return (struct nc_aimd *)c->alg;
}

extern const struct nc_control_ops nc_aimd;
extern const struct nc_control_ops nc_dcqcn;

/* The rate algorithms share these. */
int nc_aimd_start(const struct nc_net *net, struct nc_flow *flow);
void nc_aimd_tick(const struct nc_net *net, struct nc_flow *flow);
void nc_aimd_cut(struct nc_control *c, struct nc_q now);

#endif /* _NC_AIMD_H */
