/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recorded decisions: written as tables that tools/replay reads, one for each flow,
 * and read back, those of the lab (acks.csv, any number of flows) as well.
 *
 * In a table of ours the columns are those of replay's plain mode (what the algorithm was
 * told), and was_...: what the kernel decided.
 */
#ifndef _DCCSTAT_DECISIONS_H
#define _DCCSTAT_DECISIONS_H

#include <stdio.h>

#include "flow.h"

#define NAME_TEXT	96	/* longest name of a flow */
#define FILE_TEXT	24	/* of a word about its file */
#define RULES_MOST	256	/* different ones, of all flows of a picture */
#define FLOWS_MOST	4096	/* of a picture */

/**
 * struct decision - what is drawn of an ACK
 * @now: when, ns
 * @cwnd: window, bytes
 * @delay: acted on, ns; 0: none
 * @target: compared with, ns; 0: none
 * @base: base RTT, ns; 0: not known
 * @losses: packets declared lost
 * @rule: index of its name
 */
struct decision {
	u64 now;
	u64 cwnd;
	u32 delay;
	u32 target;
	u32 base;
	u32 losses;
	u32 rule;
};

/**
 * struct track - a flow's decisions
 * @id: the flow's name in its file
 * @name: for people
 * @alg: its algorithm
 * @at: they, in the order of the file
 * @count: how many
 * @room: for how many there is memory
 */
struct track {
	char id[NAME_TEXT];
	char name[NAME_TEXT + FILE_TEXT];
	char alg[CC_TEXT];
	struct decision *at;
	size_t count;
	size_t room;
};

/**
 * struct decisions - flows of some files
 * @track: they
 * @tracks: how many
 * @before: of them, of files before this one
 * @files: how many were read
 * @rule: names of rules, by index
 * @rules: how many
 */
struct decisions {
	struct track *track;
	u32 tracks;
	u32 before;
	u32 files;
	char (*rule)[RULE_TEXT];
	u32 rules;
};

void decisions_head(FILE *out);
void decisions_row(FILE *out, const struct ack *ack);
void decisions_told(FILE *out, const struct told *t);

void decisions_read(struct decisions *all, const char *path);
void decisions_free(struct decisions *all);

void perfetto_check(const struct decisions *all);
void perfetto_write(const struct decisions *all, FILE *out);
void picture_script(const struct decisions *all, const char *path, FILE *out);

#endif /* _DCCSTAT_DECISIONS_H */
