/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A congestion control as loop.c sees it: a limit, and what it does
 * at events. The laws are in aimd.c, window.c, vegas.c and dcqcn.c, each with
 * its algorithm and the notable differences from the paper at the top.
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
 */
enum nc_limit { NC_LIMIT_RATE, NC_LIMIT_FLIGHT, NC_LIMIT_SLIDING };

/**
 * struct nc_control_ops - a law
 * @name: as users write it
 * @limit: what it limits
 * @timed: is @next always the control's @due, whatever is acknowledged?
 * @start: the state at time 0, given dR; NULL: there is none
 * @next: not of a timed law: the next time at which @tick is due, whole ns, as far as the
 *	acknowledgments up to @until tell; infinity if none
 * @tick: what the law does then, at net->now
 * @timeout: an acknowledgment is overdue; NULL: the law knows no timeout
 * @notified: a congestion notification came; NULL: the law ignores it
 * @since: the earliest time of the flow's curves that the law may still ask
 *	for, ns; NULL: nothing before now - dR
 */
struct nc_control_ops {
	const char *name;
	enum nc_limit limit;
	bool timed;
	void (*start)(struct nc_control *c, struct nc_q feedback);
	struct nc_q (*next)(const struct nc_net *net,
			    const struct nc_flow *flow, struct nc_q until);
	void (*tick)(const struct nc_net *net, struct nc_flow *flow);
	void (*timeout)(struct nc_control *c);
	void (*notified)(struct nc_control *c);
	struct nc_q (*since)(const struct nc_net *net,
			     const struct nc_flow *flow);
};

/**
 * enum nc_rtt - how Vegas reads a round-trip time
 * @NC_RTT_SAMPLE: the one at the event, equation (1)
 * @NC_RTT_MIN: the smallest of the bytes acknowledged since the last event
 */
enum nc_rtt { NC_RTT_SAMPLE, NC_RTT_MIN };

/**
 * struct nc_vegas_linux - state of Vegas with Linux' rules
 * @base: the smallest RTT so far, ns
 * @least: the smallest one since the last event, ns
 * @mark: once this byte is acknowledged an RTT is over
 * @seen: acknowledged when the law looked last, bytes
 * @samples: acknowledgments since the last event
 */
struct nc_vegas_linux {
	struct nc_q base;
	struct nc_q least;
	struct nc_q mark;
	struct nc_q seen;
	int64_t samples;
};

/**
 * struct nc_reno_linux - state of Reno with Linux' rules, all in bytes
 * @lost: what was lost is behind this byte; infinity: nothing is known to be
 * @recover: a loss counts again when this is acknowledged
 * @grown: acknowledged when the window grew last
 */
struct nc_reno_linux {
	struct nc_q lost;
	struct nc_q recover;
	struct nc_q grown;
};

/**
 * struct nc_control - parameters and state; each law uses its part
 * @ops: the law
 * @rate: limit, kbit/s
 * @window: limit, bytes
 * @packet: largest packet I_max, bytes
 * @packet_acks: are acknowledgments for whole packets, or as they flow?
 * @increase: alpha, added to the limit: kbit/s or bytes
 * @every: time between two increases, ns
 * @most: largest rate, kbit/s, at most NC_RATE_MAX
 * @decrease: beta, by which the limit is multiplied, parts per million
 * @timeout: tau_o, ns; 0: none
 * @threshold: of slow start, bytes
 * @initial: window after a timeout, bytes
 * @buffer: Reno with Linux' rules: room at the server, bytes
 * @low: Vegas: fewest packets in the queue
 * @high: Vegas: most packets in the queue
 * @gamma: Vegas: packets in the queue that end slow start
 * @rtt_kind: Vegas: how to read the RTT
 * @clock: Vegas with Linux' rules: tick of the clock, ns; 0: exact
 * @due: time of the next increase or RTT sample, ns
 * @last_cut: time of the last timeout or notification, ns
 * @was_cut: has there been one?
 * @rtt: Vegas: the last sample, ns
 * @slow_start: Vegas: in slow start?
 * @skip: Vegas: no doubling at the next sample?
 * @linux_vegas: Vegas with Linux' rules: the rest of its state
 * @linux_reno: Reno with Linux' rules: its state
 */
struct nc_control {
	const struct nc_control_ops *ops;
	int64_t rate;
	int64_t window;
	int64_t packet;
	bool packet_acks;
	int64_t increase;
	int64_t every;
	int64_t most;
	int64_t decrease;
	int64_t timeout;
	int64_t threshold;
	int64_t initial;
	int64_t buffer;
	int64_t low;
	int64_t high;
	int64_t gamma;
	enum nc_rtt rtt_kind;
	int64_t clock;
	struct nc_q due;
	struct nc_q last_cut;
	bool was_cut;
	struct nc_q rtt;
	bool slow_start;
	bool skip;
	struct nc_vegas_linux linux_vegas;
	struct nc_reno_linux linux_reno;
};

/* So large that no sum or product of a law overflows. */
#define NC_WINDOW_MAX	1000000000000LL	/* 1 TB */
#define NC_RATE_MAX	1000000000000LL	/* kbit/s: 1 Pbit/s */
#define NC_PPM		1000000
#define NC_KBPS_PER_BYTE_NS	8000000	/* 1 byte per ns is 8 Gbit/s */

/* A rate in kbit/s as a slope. */
static inline struct nc_q nc_kbps(int64_t kbps)
{
	return nc_q_make(kbps, NC_KBPS_PER_BYTE_NS);
}

extern const struct nc_control_ops nc_aimd;
extern const struct nc_control_ops nc_window;
extern const struct nc_control_ops nc_vegas;
extern const struct nc_control_ops nc_reno_linux_ops;
extern const struct nc_control_ops nc_vegas_linux_ops;
extern const struct nc_control_ops nc_dcqcn;

/* The rate laws share these. */
void nc_aimd_start(struct nc_control *c, struct nc_q feedback);
void nc_aimd_tick(const struct nc_net *net, struct nc_flow *flow);
void nc_aimd_cut(struct nc_control *c);

#endif /* _NC_CONTROL_H */
