/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the server tells the sources: congestion notifications (ECN with RED)
 * and pauses (PFC). Both act dR after the backlog that caused them; all times
 * here are times at the source.
 */
#ifndef _NC_MARK_H
#define _NC_MARK_H

#include <stdbool.h>
#include <stddef.h>

#include "q.h"

struct nc_net;
struct nc_flow;

/**
 * struct nc_ecn - when packets are marked
 * @kmin: no marks up to this backlog, bytes
 * @kmax: from this backlog on all packets are marked, bytes; 0: no marking
 * @pmax: share of packets marked just below @kmax, parts per million
 * @gap: least time between two notifications of a flow, ns
 * @packet: what counts as a packet for the share, bytes
 */
struct nc_ecn {
	int64_t kmin;
	int64_t kmax;
	int64_t pmax;
	int64_t gap;
	int64_t packet;
};

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

/**
 * struct nc_mark - notifications of one flow
 * @last: when the last one came, ns; if @count is not 0
 * @due: when the next one will come, ns; infinity: none is on the way
 * @share: marks expected of RED since the last one; a mark is at 1
 * @count: how many have come
 */
struct nc_mark {
	struct nc_q last;
	struct nc_q due;
	double share;
	unsigned long count;
};

/**
 * struct nc_pfc - when sources are paused
 * @off: X_off, backlog above which they are, bytes; 0: never
 * @on: X_on, below X_off: how long a pause is, bytes at the server's rate
 * @until: end of the pause, ns; infinity: none
 * @pauses: how many there were
 */
struct nc_pfc {
	int64_t off;
	int64_t on;
	struct nc_q until;
	unsigned long pauses;
};

void nc_mark_start(struct nc_mark *mark, size_t flow, size_t flows);
struct nc_sight nc_mark_look(const struct nc_net *net, struct nc_q until);
struct nc_q nc_mark_next(struct nc_net *net, struct nc_flow *flow,
			 const struct nc_sight *sight, struct nc_q until);
void nc_mark_upto(struct nc_net *net, struct nc_flow *flow,
		  const struct nc_sight *sight, struct nc_q to);
bool nc_mark_arrived(struct nc_mark *mark, struct nc_q now);
struct nc_q nc_pfc_next(const struct nc_net *net, struct nc_q until);
void nc_pfc_at(struct nc_net *net);

#endif /* _NC_MARK_H */
