/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the server tells the sources: congestion notifications (ECN with RED)
 * and pauses (PFC). Both act dR after the backlog that caused them; all times
 * here are times at the source.
 */
#ifndef _NC_MARK_H
#define _NC_MARK_H

#include "net.h"

/**
 * struct nc_sight - what is in sight for all flows alike
 * @red: does RED mark any packet?
 * @full: when the sources learn first that the backlog is @kmax or more, ns;
 *	infinity: not in sight
 */
struct nc_sight {
	bool red;
	struct nc_q full;
};

void nc_mark_start(struct nc_mark *mark, size_t flow, size_t flows);
struct nc_sight nc_mark_look(const struct nc_net *net, struct nc_q until);
struct nc_q nc_mark_next(struct nc_net *net, struct nc_flow *flow,
			 const struct nc_sight *sight, struct nc_q until);
void nc_mark_upto(struct nc_net *net, struct nc_flow *flow,
		  const struct nc_sight *sight, struct nc_q to);
bool nc_mark_packet(const struct nc_net *net, struct nc_flow *flow,
		    struct nc_q y);
bool nc_mark_arrived(struct nc_mark *mark, struct nc_q now);
struct nc_q nc_pfc_next(const struct nc_net *net, struct nc_q until);
void nc_pfc_at(struct nc_net *net);

#endif /* _NC_MARK_H */
