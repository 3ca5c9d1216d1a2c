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
 * @backlog: Ahat - D, bytes
 * @limit: window in bytes or rate in bit/s; of the sum: sum of the flows'
 */
struct nc_row {
	double t;
	double arrived;
	double admitted;
	double departed;
	double backlog;
	double limit;
};

/* The course of a flow, or of all together. */
struct nc_course {
	const char *name;
	struct nc_row *row;
	size_t n;
	size_t room;
};

/**
 * struct nc_log - the courses
 * @total: of all flows together
 * @flow: of each flow; NULL unless asked for
 * @flows: how many
 * @arrived: A of all flows together
 * @peak: largest backlog, bytes
 * @peak_t: when, ns
 * @err: 0 or the first error
 */
struct nc_log {
	struct nc_course total;
	struct nc_course *flow;
	size_t flows;
	struct nc_curve arrived;
	double peak;
	double peak_t;
	int err;
};

int nc_log_start(struct nc_log *log, struct nc_net *net, bool per_flow);
void nc_log_write(const struct nc_log *log, FILE *file);
void nc_log_free(struct nc_log *log);

#endif /* _NC_LOG_H */
