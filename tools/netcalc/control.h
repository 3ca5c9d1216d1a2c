/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A congestion control as loop.c sees it: a limit, and what it does
 * at events. An algorithm's own part lies behind it, as the modules' algorithms have theirs
 * behind the flow, and only the algorithm and the front end know what is in it. The algorithms
 * are in aimd.c, dcqcn.c, window.c, vegas.c, reno_linux.c, vegas_linux.c and
 * dctcp_linux.c, each with its algorithm and the notable differences from its source
 * at the top; those of the kernel modules are in stack.c.
 */
#ifndef _NC_CONTROL_H
#define _NC_CONTROL_H

#include "q.h"

struct nc_control;
struct nc_flow;
struct nc_net;

/**
 * enum nc_limit - what a control limits
 * @NC_LIMIT_RATE: rate, from the last event on: A * S_r
 * @NC_LIMIT_FLIGHT: bytes from the last event on: A * S_W
 * @NC_LIMIT_SLIDING: bytes without acknowledgment
 * @NC_LIMIT_PACED: the same, and what they let through goes at a rate
 * @NC_LIMIT_NONE: nothing: Ahat = A
 */
enum nc_limit {
	NC_LIMIT_RATE,
	NC_LIMIT_FLIGHT,
	NC_LIMIT_SLIDING,
	NC_LIMIT_PACED,
	NC_LIMIT_NONE,
};

/**
 * struct nc_control_ops - an algorithm
 * @name: as users write it
 * @limit: what it limits
 * @timed: is @next always the control's @due, whatever is acknowledged?
 * @start: the state at time 0; 0 or -ENOMEM; NULL: there is none
 * @stop: give back what @start took; NULL: nothing
 * @next: not of a timed algorithm: the next time at which @tick is due, whole ns, as far as the
 *	acknowledgments up to @until tell; infinity if none
 * @tick: what the algorithm does then, at net->now
 * @timeout: an acknowledgment is overdue; NULL: the algorithm knows no timeout
 * @notified: a congestion notification came; NULL: the algorithm ignores it
 * @marked: does the algorithm ask for each packet's mark? See nc_mark_packet()
 * @each_ack: does it act at each acknowledgment? Then nobody looks further
 * @since: the earliest time of the flow's curves that the algorithm may still ask
 *	for, ns; NULL: nothing before now - dR
 */
struct nc_control_ops {
	const char *name;
	enum nc_limit limit;
	bool timed;
	int (*start)(const struct nc_net *net, struct nc_flow *flow);
	void (*stop)(struct nc_control *c);
	struct nc_q (*next)(const struct nc_net *net,
			    const struct nc_flow *flow, struct nc_q until);
	void (*tick)(const struct nc_net *net, struct nc_flow *flow);
	void (*timeout)(struct nc_control *c, struct nc_q now);
	void (*notified)(struct nc_control *c, struct nc_q now);
	bool (*marked)(const struct nc_control *c);
	bool each_ack;
	struct nc_q (*since)(const struct nc_net *net,
			     const struct nc_flow *flow);
};

#define NC_ALG_BYTES	512	/* for any algorithm's own part */

/**
 * struct nc_control - a flow's algorithm, its limit, and what the loop needs to know
 * @ops: the algorithm
 * @rate: limit, kbit/s
 * @window: limit, bytes
 * @packet: largest packet I_max, bytes
 * @packet_acks: are acknowledgments for whole packets, or as they flow?
 * @timeout: tau_o, ns; 0: none
 * @suspended: is nothing to be sent, whatever the limit is?
 * @due: of a timed algorithm: when it acts next, ns
 * @alg: the algorithm's own parameters and state, as aimd.h, reno.h, vegas.h have them
 */
struct nc_control {
	const struct nc_control_ops *ops;
	int64_t rate;
	int64_t window;
	int64_t packet;
	bool packet_acks;
	int64_t timeout;
	bool suspended;
	struct nc_q due;
	_Alignas(16) unsigned char alg[NC_ALG_BYTES];
};

/* Does a limit wait for acknowledgments? The others know what they let through. */
static inline bool nc_waits_for_acks(const struct nc_control *c)
{
	return c->ops->limit != NC_LIMIT_RATE && c->ops->limit != NC_LIMIT_NONE;
}

/* A struct that lies in @alg: it may be looked at as bytes, and is copied so. */
#define NC_ALG	__attribute__((may_alias))

/* So large that no sum or product of an algorithm overflows. */
#define NC_WINDOW_MAX	1000000000000LL	/* 1 TB */
#define NC_RATE_MAX	1000000000000LL	/* kbit/s: 1 Pbit/s */
#define NC_PPM		1000000
#define NC_KBPS_PER_BYTE_NS	8000000	/* 1 byte per ns is 8 Gbit/s */

/* A rate in kbit/s as a slope. */
static inline struct nc_q nc_kbps(int64_t kbps)
{
	return nc_q_make(kbps, NC_KBPS_PER_BYTE_NS);
}

#endif /* _NC_CONTROL_H */
