/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of the trace: "... dcc_ack: alg=mswift sport=... dport=...", "... dcc_event:
 * alg=mswift ..." and "... dcc_path: alg=mswift src=..." as the kernel's trace_pipe has
 * them. Pure.
 */
#ifndef _DCCSTAT_EVENT_H
#define _DCCSTAT_EVENT_H

#include "flow.h"
#include "heard.h"

enum event_line {
	EVENT_OTHER,		/* of no interest */
	EVENT_ACK,
	EVENT_TOLD,		/* what an algorithm was told without an ACK */
	EVENT_HEARD,		/* of a packet's label: dcc_path */
	EVENT_LOST,		/* "[LOST 12 EVENTS]": the reader was too slow */
	EVENT_BAD,		/* an event of ours, but not as this program knows it */
};

/**
 * struct event - what a line tells
 * @ack: if it is EVENT_ACK
 * @told: if it is EVENT_TOLD
 * @heard: if it is EVENT_HEARD
 * @lost: if it is EVENT_LOST: how many
 */
struct event {
	union {
		struct ack ack;
		struct told told;
		struct heard heard;
		u64 lost;
	};
};

enum event_line event_parse(const char *line, struct event *event, char why[WHY_TEXT]);

#endif /* _DCCSTAT_EVENT_H */
