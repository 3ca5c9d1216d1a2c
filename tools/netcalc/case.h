/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A case: a network, its flows, what they send, as a file describes it. The
 * language is in netcalc(1) and in the tables of case.c.
 */
#ifndef _NC_CASE_H
#define _NC_CASE_H

#include <stdio.h>

#include "net.h"
#include "text.h"

#define NC_PATH_MAX	1024

/* One line "send": a part of a flow's arrivals. */
struct nc_send {
	char flow[NC_NAME_MAX];
	char file[NC_PATH_MAX];
	int64_t burst;
	int64_t rate;
	int64_t at;
	int64_t every;
	int64_t times;
	int64_t until;
	int64_t steps;
	unsigned int line;
};

/**
 * struct nc_case - what a file says
 * @title: for pictures
 * @net: the network, ready for nc_net_run()
 * @send: the lines "send"
 * @sends: how many
 * @path: the file
 * @line: where reading is
 * @given: the keys of the line at hand, a bit each
 * @seen: the words of lines so far, a bit each
 * @error: what is wrong, with file and line
 */
struct nc_case {
	char title[NC_ERROR_BYTES];
	struct nc_net net;
	struct nc_send *send;
	size_t sends;
	char path[NC_PATH_MAX];
	unsigned int line;
	unsigned int given;
	unsigned int seen;
	char error[2 * NC_PATH_MAX];
};

int nc_case_read(struct nc_case *c, FILE *file, const char *path);
void nc_case_free(struct nc_case *c);
void nc_case_words(FILE *out);

/* Within the reader: an error at the line being read; always -EINVAL. */
__attribute__((format(printf, 2, 3)))
int nc_case_refuse(struct nc_case *c, const char *format, ...);

/* A line's parts, for the readers of lines. */
struct nc_key;
int nc_case_keys(struct nc_case *c, const struct nc_key *keys, void *base,
		 char *rest);
int nc_case_name(struct nc_case *c, char **rest, char name[NC_NAME_MAX]);
int nc_case_flow(struct nc_case *c, char *rest);
void nc_case_flow_words(FILE *out);
int nc_case_arrivals(struct nc_case *c);

#define NC_YEAR_NS	31556952000000000LL
#define NC_TB		1000000000000LL

#endif /* _NC_CASE_H */
