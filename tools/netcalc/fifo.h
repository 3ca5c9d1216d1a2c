/* SPDX-License-Identifier: GPL-2.0 */
/* Who departs from a FIFO server (the paper's section IV-A). */
#ifndef _NC_FIFO_H
#define _NC_FIFO_H

#include "net.h"

void nc_fifo_demux(struct nc_net *net, struct nc_q from, struct nc_q until);
struct nc_view nc_flow_learnt(struct nc_net *net, struct nc_flow *flow,
			      struct nc_q from, struct nc_q until);
bool nc_flow_followed(const struct nc_net *net, const struct nc_flow *flow);
void nc_fifo_flow(struct nc_net *net, struct nc_flow *flow, struct nc_q from,
		  struct nc_q until);

#endif /* _NC_FIFO_H */
