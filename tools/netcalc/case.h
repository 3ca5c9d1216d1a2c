/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A case: a network, its flows, what they send, as a file describes it. The
 * language is in netcalc(1) and in the tables of case.c.
 */
#ifndef _NC_CASE_H
#define _NC_CASE_H

#include <stdio.h>

#include "arrivals.h"
#include "net.h"
#include "reader.h"
#include "text.h"

/**
 * struct nc_case - what a file says
 * @title: for pictures
 * @net: the network, ready for nc_net_run()
 * @sends: the lines "send"
 * @hop_line: where the first hop behind the link is described; 0: nowhere
 * @hop_rate: smallest rate of these hops, bytes per ns
 * @hop_latency: sum of their latencies, ns
 * @ecn_line: where marking is described; 0: nowhere
 * @seen: the words of lines so far, a bit each
 * @reader: where reading is, and what is wrong
 */
struct nc_case {
	char title[NC_ERROR_BYTES];
	struct nc_net net;
	struct nc_sends sends;
	unsigned int hop_line;
	struct nc_q hop_rate;
	struct nc_q hop_latency;
	unsigned int ecn_line;
	unsigned int seen;
	struct nc_reader reader;
};

int nc_case_read(struct nc_case *c, FILE *file, const char *path);
void nc_case_free(struct nc_case *c);
void nc_case_words(FILE *out);

#endif /* _NC_CASE_H */
