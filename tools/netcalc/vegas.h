/* SPDX-License-Identifier: GPL-2.0 */
/* TCP Vegas: as the paper has it, and with Linux' rules. */
#ifndef _NC_VEGAS_H
#define _NC_VEGAS_H

#include "control.h"

/**
 * enum nc_rtt - how Vegas reads a round-trip time
 * @NC_RTT_SAMPLE: the one at the event, equation (1)
 * @NC_RTT_MIN: the smallest of the bytes acknowledged since the last event
 */
enum nc_rtt { NC_RTT_SAMPLE, NC_RTT_MIN };

/**
 * struct nc_vegas - the algorithms' own part
 * @low: fewest packets in the queue
 * @high: most packets in the queue
 * @gamma: packets in the queue that end slow start
 * @slow_start: in slow start?
 * @rtt_kind: how to read the RTT
 * @rtt: the last sample, ns
 * @skip: no doubling at the next sample? As @rtt_kind and @rtt, not with Linux'
 *	rules, which alone have all that follows
 * @clock: tick of the clock, ns; 0: exact
 * @base: the smallest RTT so far, ns
 * @least: the smallest one since the last event, ns
 * @mark: once this byte is acknowledged an RTT is over
 * @seen: acknowledged when the algorithm looked last, bytes
 * @samples: acknowledgments since the last event
 */
struct NC_ALG nc_vegas {
	int64_t low;
	int64_t high;
	int64_t gamma;
	bool slow_start;
	enum nc_rtt rtt_kind;
	struct nc_q rtt;
	bool skip;
	int64_t clock;
	struct nc_q base;
	struct nc_q least;
	struct nc_q mark;
	struct nc_q seen;
	int64_t samples;
};

_Static_assert(sizeof(struct nc_vegas) <= NC_ALG_BYTES, "no room for the algorithm");

static inline struct nc_vegas *nc_vegas_of(const struct nc_control *c)
{
	return (struct nc_vegas *)c->alg;
}

extern const struct nc_control_ops nc_vegas;
extern const struct nc_control_ops nc_vegas_linux_ops;

#endif /* _NC_VEGAS_H */
