/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of the trace: "... dcc_ack: alg=mswift sport=... dport=..." as the kernel's
 * trace_pipe has them. Pure.
 */
#ifndef _DCCSTAT_EVENT_H
#define _DCCSTAT_EVENT_H

#include "flow.h"

enum event_line {
	EVENT_OTHER,		/* of no interest */
	EVENT_ACK,
	EVENT_LOST,		/* "[LOST 12 EVENTS]": the reader was too slow */
	EVENT_BAD,		/* an ACK, but not as this program knows it */
};

/**
 * struct ack_field - a field of the event
 * @name: in the event's line, and in the lab's acks.csv
 * @offset: in struct ack
 * @size: its bytes
 * @sign: may it be below 0?
 */
struct ack_field {
	const char *name;
	u16 offset;
	u8 size;
	bool sign;
};

extern const struct ack_field ack_field[];
extern const u32 ack_fields;

/* Sets a field from text; false if it is no such number. */
bool ack_set(struct ack *a, const struct ack_field *field, const char *text);

enum event_line event_parse(const char *line, struct ack *a, u64 *lost, char why[WHY_TEXT]);

#endif /* _DCCSTAT_EVENT_H */
