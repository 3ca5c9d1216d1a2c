/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings of the reference: one row is a whole decision, with the state
 * before and after it in picoseconds and bytes. Here is what the files that
 * read, replay and judge a row share.
 */
#ifndef _REPLAY_RECORDED_H
#define _REPLAY_RECORDED_H

#include <stdio.h>

#include "../../common/math/dcc_types.h"

#define PS_PER_NS	1000ULL

/* The state's parts, in the order of a recording's columns. */
enum part {
	CWND, AVG, INC, RECEIVED, ACHIEVED, FI_COUNT, INCREASE, TRIGGER, QA_END,
	TO_IGNORE, IGNORED, LAST_DEC, LAST_ADJ, PARTS
};

enum column {
	NOW, FLOW, ECN, DELAY, BYTES, IN_FLIGHT, BASE_RTT, MAXWND,
	PRE, POST = PRE + PARTS, COLUMNS = POST + PARTS
};

/**
 * struct record - a row, all in the recording's units
 * @loss: N, a lost packet, and not A, an ACK
 * @value: by enum column
 */
struct record {
	bool loss;
	u64 value[COLUMNS];
};

/* What does not change within a recording. */
enum setting {
	NETWORK_RTT_PS, LINKSPEED_BPS, MTU, MSS, TARGET_QDELAY_PS, SETTINGS
};

extern u64 setting[SETTINGS];

/**
 * struct outcome - what the algorithm made of a row, in the recording's units
 * @branch: enum nscc_branch and marks
 * @cwnd_256: the window in 1/256 byte
 * @part: the state; the algorithm keeps what is left to ignore as one number, in
 *	TO_IGNORE; IGNORED is 0
 */
struct outcome {
	u8 branch;
	u64 cwnd_256;
	u64 part[PARTS];
};

/* Times that are rounded to ns on their way to the algorithm. */
enum rounded {
	R_NOW, R_DELAY, R_BASE_RTT, R_AVG, R_QA_END, R_LAST_DEC, R_LAST_ADJ,
	R_NETWORK_RTT, R_TARGET, ROUNDED
};

extern const char *const part_name[PARTS];
extern const char *const rounded_name[ROUNDED];

u32 record_fractions(const struct record *r);
void record_replay(const struct record *r, u32 up, struct outcome *o);

/* What record_judge() found, the worst last. */
enum verdict { SAME, WRAP, DIFFERENT };

u8 record_branch(const struct record *r);
enum verdict record_judge(const struct record *r, const struct outcome *o,
			  FILE *why);

#endif /* _REPLAY_RECORDED_H */
