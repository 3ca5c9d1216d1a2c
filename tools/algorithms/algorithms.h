/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The algorithms of the kernel modules for programs: each is built from the file that the
 * module is built from. What the modules' glue (tcp_*_main.c) does between the stack
 * and its algorithm is here once, without a stack; a flow's memory is the caller's.
 */
#ifndef _TOOLS_ALGORITHMS_H
#define _TOOLS_ALGORITHMS_H

#include "../../common/cc/dcc_knob.h"
#include "../../common/cc/dcc_sample.h"

/* What the stack starts with when init_cwnd is 0: TCP_INIT_CWND, RFC 6928. */
#define FIRST_CWND_PKTS	10

/**
 * struct tool_alg - one algorithm
 * @name: as in the kernel
 * @help: one line
 * @knob: the module's table
 * @knobs: lines in it
 * @bit: the algorithm's in struct dcc_knob's algs
 * @defaults: the knobs' defaults, in the table's order
 * @state: bytes of a flow's state
 * @extra: bytes beside it, a history for instance; 0: none
 * @marks: does it steer by marks?
 * @init: begin a flow with all memory zeroed; of the sample time, packet size and line
 *	rate count; @seed is for algorithms that draw lots
 * @set_priority: what the socket says, from 1; false: above all there are; NULL: the
 *	algorithm knows none
 * @on_first: the flow has something to send; NULL: the algorithm does not care
 * @on_ack: an ACK
 * @on_probe: a probe was answered; NULL: the algorithm sends none
 * @on_rto: a timeout
 * @on_idle: the flow starts again
 * @drain_knobs: those of min-RTT probes, if the flow is to find its base RTT, else NULL; a NULL
 *	pointer: never
 * @pacing: the rate to begin with, bytes/s, 0: the line's; NULL: always that
 * @window: the window, bytes << DCC_CWND_SHIFT, for packets of @mss bytes
 */
struct tool_alg {
	const char *name;
	const char *help;
	const struct dcc_knob *knob;
	u32 knobs;
	u32 bit;
	const u32 *defaults;
	size_t state;
	size_t extra;
	bool marks;
	void (*init)(const struct tool_alg *of, void *state, void *extra,
		     const void *knobs, const struct dcc_sample *s, u32 seed);
	bool (*set_priority)(void *state, const void *knobs, u32 priority);
	void (*on_first)(void *state, const void *knobs, const struct dcc_sample *s,
			 struct dcc_decision *d);
	void (*on_ack)(void *state, void *extra, const void *knobs,
		       const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_probe)(void *state, const void *knobs, const struct dcc_sample *s,
			 struct dcc_decision *d);
	void (*on_rto)(void *state, void *extra, const void *knobs,
		       const struct dcc_sample *s);
	void (*on_idle)(void *state, void *extra, u64 now_ns);
	const struct dcc_drain_knobs *(*drain_knobs)(const void *knobs);
	u64 (*pacing)(const void *state);
	u64 (*window)(const void *state, u32 mss);
};

extern const struct tool_alg tool_mswift[], tool_nscc[], tool_oscar[],
			     tool_prioplus[], tool_ledbat[];
extern const u32 tool_mswift_count, tool_nscc_count, tool_oscar_count,
		 tool_prioplus_count, tool_ledbat_count;

#define TOOL_RANGE	64	/* longest range of a knob, in words */

/* Which of a module's algorithms: the number that its bit stands for. */
static inline u32 tool_variant(const struct tool_alg *of)
{
	return (u32)fls64(of->bit) - 1;
}

const struct tool_alg *tool_alg_at(u32 i);
void tool_knob_range(const struct dcc_knob *k, char *text, size_t size);

#endif /* _TOOLS_ALGORITHMS_H */
