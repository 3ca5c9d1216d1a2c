/* SPDX-License-Identifier: GPL-2.0 */
/* The run itself: the loop over sockets and events, and its time series. */
#ifndef LAB_AGENT_TRAFFIC_H
#define LAB_AGENT_TRAFFIC_H

#include "agent.h"

struct flow;

struct run {
	const struct plan *plan;
	u64 setup_ns;	/* virtual time from boot to the end of set-up */
	u64 end_ns;	/* when the run ended */
	u64 stop;		/* the plan's hard end */
	u64 sample;	/* interval of the time series; 0 = none */
	bool until_all;		/* end when all messages have arrived? */
	bool ended_all;		/* was that the reason? */
};

void traffic_prepare(struct run *run);
void traffic_run(struct run *run);

void sample_open(void);
void sample_take(u64 when);
void sample_end(struct flow *flow, u64 when);
void sample_close(void);

void record_open(const struct plan *plan);
void record_take(void);
u64 record_close(void);

void result_write(const struct run *run);

#endif
