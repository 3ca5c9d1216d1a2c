/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows under congestion control at one FIFO server of constant rate, as the
 * paper's figures 1 and 5 draw it:
 *
 *	A_i -> control_i -> Ahat_i -\                      /-> D_i
 *	                             sum -> FIFO, rate C -> demux
 *	A_j -> control_j -> Ahat_j -/                      \-> D_j
 *	          ^                                             |
 *	          '---------- acknowledgments, dR later -------'
 *
 * Between two events of a control the whole is min-plus linear. So the loop is
 *
 *	compute Ahat, D and all D_i with the limits as they are, some way ahead
 *	find the first event in this stretch
 *	forget what was computed beyond it
 *	let the controls react; their limits act from the event on
 *
 * The shift of the coordinate system to an event is nc_serve()'s and
 * nc_admit()'s first argument: they convolve what is left of A in coordinates
 * with their origin at the event, and give the result in the old ones.
 *
 * The server needs no more memory of the past than its backlog: for a rate C,
 * D(t) for t > t_e follows from D(t_e) and Ahat after t_e. So D, too, is
 * continued from the event, where the paper computes it anew from the last
 * timeout (with the same result).
 *
 * Times of events are whole ns, rounded up; rates are whole kbit/s, windows
 * whole bytes. All else is exact.
 */
#ifndef _NC_NET_H
#define _NC_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "control.h"
#include "minplus.h"
#include "walk.h"

#define NC_NAME_MAX	32	/* of a flow, with the final 0 */
#define NC_NAME_OF_ALL	"all"	/* in the output; no flow is called so */
#define NC_FLOWS_MAX	4096

/**
 * struct nc_ecn - when packets are marked
 * @kmin: no marks up to this backlog, bytes
 * @kmax: from this backlog on all packets are marked, bytes; 0: no marking
 * @pmax: share of packets marked just below @kmax, parts per million
 * @gap: least time between two notifications of a flow, ns
 * @packet: what counts as a packet for the share, bytes
 * @arriving: are packets marked by the backlog they find? Else by the one at their
 *	departure; of algorithms that ask for each packet's mark
 */
struct nc_ecn {
	int64_t kmin;
	int64_t kmax;
	int64_t pmax;
	int64_t gap;
	int64_t packet;
	int64_t arriving;
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

/**
 * struct nc_flow - a source, its control, its traffic
 * @name: for the output
 * @group: what flows that were made alike have in common
 * @line: where a case describes it, for messages
 * @arrived: A, from the source
 * @in: Ahat, admitted by the control
 * @kept: what of it entered the queue; only with a buffer that has an end, see
 *	nc_flow_queued()
 * @out: D_i, departed; of a flow that is not followed, as nc_fifo_flow() says
 * @acks: what is acknowledged at the source, in steps of whole packets; used
 *	with &nc_control.packet_acks
 * @ack_next: the next step of @acks, bytes
 * @hole: nothing is acknowledged beyond this byte, which was lost; infinity: none was
 *	since the flow went back
 * @loss: when its next loss is, as far as is computed, ns; infinity: none in sight
 * @loss_byte: what is lost then
 * @feedback: dR of its own, whole ns; 0, until the computation begins: the network's
 * @origin: of the coordinates at hand
 * @control: the algorithm
 * @mark: congestion notifications for this flow
 * @timeouts: how many there were
 * @part: of @in in the sum of all, from the last event or bend on
 * @bend: where this part ends, ns; 0: it is to be read again
 * @known: @in is computed up to this time with the limit @known_rate, ns; only of
 *	algorithms that limit a rate
 * @known_rate: kbit/s
 * @out_from: @out is right after this time, ns, if the flow is not followed
 * @out_until: and up to this one
 * @patient: there is no timeout up to this time, ns
 */
struct nc_flow {
	char name[NC_NAME_MAX];
	char group[NC_NAME_MAX];
	unsigned int line;
	struct nc_curve arrived;
	struct nc_curve in;
	struct nc_curve kept;
	struct nc_curve out;
	struct nc_curve acks;
	struct nc_q ack_next;
	struct nc_q hole;
	struct nc_q loss;
	struct nc_q loss_byte;
	struct nc_q feedback;
	struct nc_origin origin;
	struct nc_control control;
	struct nc_mark mark;
	unsigned long timeouts;
	struct nc_piece part;
	struct nc_q bend;
	struct nc_q known;
	int64_t known_rate;
	struct nc_q out_from;
	struct nc_q out_until;
	struct nc_q patient;
};

/**
 * struct nc_net - the server, its flows, the state of the computation
 * @rate: C, bytes per ns
 * @feedback: dR, whole ns, 1 or more, of pauses, and of flows without one of their own
 * @buffer: most that waits, bytes; 0: no end
 * @farthest: the largest dR
 * @stop: where to end, whole ns
 * @ecn: marking; off if kmax is 0
 * @pfc: pausing; off if off is 0
 * @flow: the flows
 * @flows: how many
 * @totals: does nobody outside look at the D_i? Then they are computed where an
 *	algorithm, a mark or a timeout needs them
 * @history: pieces of the past that are not worth being forgotten; 0: 4096
 * @now: computed so far, ns
 * @offered: sum of all Ahat_i; only with a buffer that has an end
 * @in: what of it entered the queue: all, if the buffer has no end
 * @out: D
 * @lost: bytes that found no room
 * @loser: after -ENOBUFS the flow whose algorithm has no answer to a loss
 * @sum: of all flows' parts; the piece of all Ahat_i's sum that goes on
 * @served: where D goes on after @now, bytes
 * @events: events handled so far
 * @record: called for each stretch (from, to], before the events at its end
 * @context: for @record
 */
struct nc_net {
	struct nc_q rate;
	struct nc_q feedback;
	int64_t buffer;
	struct nc_q farthest;
	struct nc_q stop;
	struct nc_ecn ecn;
	struct nc_pfc pfc;
	struct nc_flow *flow;
	size_t flows;
	bool totals;
	size_t history;
	struct nc_q now;
	struct nc_curve offered;
	struct nc_curve in;
	struct nc_curve out;
	double lost;
	const struct nc_flow *loser;
	struct nc_piece sum;
	struct nc_q served;
	unsigned long events;
	void (*record)(void *context, const struct nc_net *net,
		       struct nc_q from, struct nc_q to);
	void *context;
};

struct nc_flow *nc_net_add_flow(struct nc_net *net);
void nc_net_free(struct nc_net *net);

/* Does it go back when an acknowledgment is overdue? */
static inline bool nc_has_timeout(const struct nc_control *c)
{
	return c->timeout > 0 && c->ops->timeout;
}

/* What of a flow is in the queue or was. */
static inline const struct nc_curve *nc_flow_queued(const struct nc_net *net,
						    const struct nc_flow *flow)
{
	return net->buffer ? &flow->kept : &flow->in;
}

/* The sum of all Ahat_i. */
static inline const struct nc_curve *nc_net_offered(const struct nc_net *net)
{
	return net->buffer ? &net->offered : &net->in;
}

/* What a control needs to know of its flow. */
struct nc_view nc_flow_acked(const struct nc_flow *flow);
struct nc_q nc_net_backlog(const struct nc_net *net, struct nc_q t);

#endif /* _NC_NET_H */
