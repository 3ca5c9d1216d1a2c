/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a computation leaves behind: the course of each curve, for CSV and for
 * pictures. Between two rows all is straight; two rows at one time are a jump.
 */
#ifndef _NC_LOG_H
#define _NC_LOG_H

#include <stdio.h>

#include "net.h"

/**
 * struct nc_row - the state at a time
 * @t: ns
 * @arrived: A, bytes
 * @admitted: Ahat, bytes
 * @departed: D, bytes
 * @backlog: Ahat - D, less what was lost, bytes
 * @limit: window in bytes or rate in bit/s; of the sum: sum of the flows',
 *	NaN if some limit a rate and some a window; infinite: none
 */
struct nc_row {
	double t;
	double arrived;
	double admitted;
	double departed;
	double backlog;
	double limit;
};

/* A row as it was computed. */
struct nc_exact_row {
	struct nc_q t;
	struct nc_q arrived;
	struct nc_q admitted;
	struct nc_q departed;
	struct nc_q backlog;
};

/**
 * struct nc_course - the course of a flow, or of all together
 * @name: the flow's
 * @row: its rows
 * @exact: the same once more, if they are wanted
 * @n: how many
 * @room: how many fit
 */
struct nc_course {
	const char *name;
	struct nc_row *row;
	struct nc_exact_row *exact;
	size_t n;
	size_t room;
};

/**
 * struct nc_log - the courses
 * @exact: keep and write fractions, too; set before nc_log_start()
 * @total: of all flows together
 * @flow: of each flow; NULL unless asked for
 * @flows: how many
 * @arrived: A of all flows together
 * @peak: largest backlog, bytes
 * @peak_t: when, ns
 * @err: 0 or the first error
 */
struct nc_log {
	bool exact;
	struct nc_course total;
	struct nc_course *flow;
	size_t flows;
	struct nc_curve arrived;
	double peak;
	double peak_t;
	int err;
};

bool nc_log_one_limit(const struct nc_net *net);
int nc_log_start(struct nc_log *log, struct nc_net *net, bool per_flow);
void nc_log_write(const struct nc_log *log, FILE *file);
void nc_log_free(struct nc_log *log);

#endif /* _NC_LOG_H */
