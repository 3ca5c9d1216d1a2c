// SPDX-License-Identifier: GPL-2.0
/* What the lines "send" add up to: the arrival function of each flow. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "csv.h"

#define MOST_BURSTS	10000000

/* Burst upon burst. */
static int add_bursts(struct nc_case *c, const struct nc_send *send,
		      struct nc_curve *out)
{
	struct nc_q t = nc_q_int(send->at), y = NC_ZERO;
	int64_t left = send->times ? send->times : send->every ? MOST_BURSTS : 1;

	nc_curve_add_line(out, NC_ZERO, NC_ZERO, NC_ZERO);
	while (left-- && nc_q_lt(t, c->net.stop)) {
		y = nc_q_add(y, nc_q_int(send->burst));
		nc_curve_add_line(out, t, NC_ZERO, y);
		t = nc_q_add(t, nc_q_int(send->every));
	}
	if (left < 0 && !send->times && send->every)
		return nc_case_refuse(c, "more than %d bursts", MOST_BURSTS);
	return nc_curve_done(out);
}

static int add_rate(const struct nc_send *send, struct nc_curve *out)
{
	struct nc_q rate = nc_kbps(send->rate), at = nc_q_int(send->at);
	struct nc_q end = nc_q_int(send->until);

	nc_curve_add_line(out, NC_ZERO, NC_ZERO, NC_ZERO);
	if (send->until <= send->at)
		return nc_curve_done(out);
	nc_curve_add(out, at, NC_ZERO, rate);
	nc_curve_add(out, end, nc_q_mul(rate, nc_q_sub(end, at)), NC_ZERO);
	return nc_curve_done(out);
}

/* A file is looked for beside the case. */
static int add_file(struct nc_case *c, const struct nc_send *send,
		    struct nc_curve *out)
{
	char path[2 * NC_PATH_MAX], error[NC_CSV_ERROR_BYTES];
	const char *slash = strrchr(c->path, '/');
	int folder = slash && *send->file != '/' ?
		     (int)(slash - c->path) + 1 : 0;
	struct nc_curve read = NC_CURVE_EMPTY;
	int err;

	snprintf(path, sizeof(path), "%.*s%s", folder, c->path, send->file);
	err = nc_csv_read(path, send->steps, &read, error);
	if (err == -EINVAL)
		return nc_case_refuse(c, "%s", error);
	if (!err)
		err = nc_shift(&read, nc_q_int(send->at), NC_ZERO, out);
	nc_curve_free(&read);
	return err;
}

/* One flow, or all of a line with count. */
static bool is_meant(const struct nc_flow *flow, const char *name)
{
	return !strcmp(flow->name, name) || !strcmp(flow->group, name);
}

static bool is_for_someone(const struct nc_case *c, const struct nc_send *send)
{
	size_t i;

	for (i = 0; i < c->net.flows; i++)
		if (is_meant(&c->net.flow[i], send->flow))
			return true;
	return false;
}

/* What one line adds. */
static int make_part(struct nc_case *c, const struct nc_send *send,
		     struct nc_curve *part)
{
	c->line = send->line;
	if (!is_for_someone(c, send))
		return nc_case_refuse(c, "no flow '%s'", send->flow);
	if (*send->file)
		return add_file(c, send, part);
	if (send->burst)
		return add_bursts(c, send, part);
	return add_rate(send, part);
}

/* All lines of a flow at once: one by one they would cost their square. */
static int sum_parts(const struct nc_case *c, struct nc_flow *flow,
		     const struct nc_curve *part, const struct nc_curve **mine)
{
	size_t i, n = 0;

	for (i = 0; i < c->sends; i++)
		if (is_meant(flow, c->send[i].flow))
			mine[n++] = &part[i];
	return nc_sum_all(mine, n, &flow->arrived);
}

/**
 * nc_case_arrivals() - add up the lines "send"
 * @c: a case that has been read
 *
 * Return: 0; -EINVAL with the reason in c->error; -EOVERFLOW; -ENOMEM.
 */
int nc_case_arrivals(struct nc_case *c)
{
	struct nc_curve *part = calloc(c->sends + 1, sizeof(*part));
	const struct nc_curve **mine = calloc(c->sends + 1, sizeof(*mine));
	int err = part && mine ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < c->sends && !err; i++)
		err = make_part(c, &c->send[i], &part[i]);
	for (i = 0; i < c->net.flows && !err; i++)
		err = sum_parts(c, &c->net.flow[i], part, mine);
	for (i = 0; part && i < c->sends; i++)
		nc_curve_free(&part[i]);
	free(part);
	free(mine);
	return err;
}
