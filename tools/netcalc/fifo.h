/* SPDX-License-Identifier: GPL-2.0 */
/* Who departs from a FIFO server (the paper's section IV-A). */
#ifndef _NC_FIFO_H
#define _NC_FIFO_H

#include "net.h"

/**
 * enum nc_turn - who departs first of what was sent at the same moment
 * @NC_TURN_SHARED: all, in proportion
 * @NC_TURN_LAST: the others, and nothing of the flow before all has departed: the
 *	smaller bound of theorem 1
 * @NC_TURN_FIRST: the flow, all of it as soon as anything departs: the larger one
 * @NC_TURN_BEHIND: the others, and then the flow
 * @NC_TURN_AHEAD: the flow, and then the others
 */
enum nc_turn {
	NC_TURN_SHARED,
	NC_TURN_LAST,
	NC_TURN_FIRST,
	NC_TURN_BEHIND,
	NC_TURN_AHEAD,
};

void nc_fifo_bound(struct nc_net *net, struct nc_flow *flow, enum nc_turn turn,
		   struct nc_q until);
void nc_fifo_demux(struct nc_net *net, struct nc_q from, struct nc_q until);
struct nc_view nc_flow_learnt(struct nc_net *net, struct nc_flow *flow,
			      struct nc_q from, struct nc_q until);
bool nc_flow_followed(const struct nc_net *net, const struct nc_flow *flow);
void nc_fifo_flow(struct nc_net *net, struct nc_flow *flow, struct nc_q from,
		  struct nc_q until);

#endif /* _NC_FIFO_H */
