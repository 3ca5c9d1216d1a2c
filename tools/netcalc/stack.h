/* SPDX-License-Identifier: GPL-2.0 */
/* The algorithms of the kernel modules, from their own files: tools/algorithms. */
#ifndef _NC_STACK_H
#define _NC_STACK_H

#include "../algorithms/algorithms.h"
#include "control.h"

#define NC_STACK_KNOBS	64	/* most knobs of a module */

struct nc_stack_flow;

/**
 * struct nc_stack - the algorithms' own part
 * @of: the algorithm
 * @priority: the socket's, SO_PRIORITY
 * @seed: of an algorithm that draws lots; each flow has its own
 * @knob: the knobs, in the table's order; the first are a struct dcc_flow_knobs
 * @flow: what the kernel keeps for a flow; from @start to @stop
 */
struct NC_ALG nc_stack {
	const struct tool_alg *of;
	int64_t priority;
	int64_t seed;
	u32 knob[NC_STACK_KNOBS];
	struct nc_stack_flow *flow;
};

_Static_assert(sizeof(struct nc_stack) <= NC_ALG_BYTES, "no room for the algorithm");

static inline struct nc_stack *nc_stack_of(const struct nc_control *c)
{
	return (struct nc_stack *)c->alg;
}

extern const struct nc_control_ops nc_stack;

bool nc_stack_uses(const struct dcc_knob *k);

#endif /* _NC_STACK_H */
