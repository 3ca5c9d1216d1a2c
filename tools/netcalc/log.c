// SPDX-License-Identifier: GPL-2.0
/* What a computation leaves behind. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "csv.h"
#include "log.h"

#define ROOM_AT_FIRST	256
#define BITS_PER_KBIT	1000.0

/* The curves that a course follows; is it to be exact? */
struct traffic {
	const struct nc_curve *arrived;
	const struct nc_curve *in;
	const struct nc_curve *queued;
	const struct nc_curve *out;
	double limit;
	bool exact;
};

/* A window in bytes, a rate in bit/s, or none. */
static double limit_of(const struct nc_flow *flow)
{
	if (flow->control.ops->limit == NC_LIMIT_NONE)
		return INFINITY;
	if (flow->control.ops->limit == NC_LIMIT_RATE)
		return (double)flow->control.rate * BITS_PER_KBIT;
	return (double)flow->control.window;
}

/* Which of the three. */
static enum nc_limit unit_of(const struct nc_flow *flow)
{
	return nc_waits_for_acks(&flow->control) ? NC_LIMIT_SLIDING :
						   flow->control.ops->limit;
}

/* Do all limit the same? Bytes and bit/s do not add up. */
bool nc_log_one_limit(const struct nc_net *net)
{
	size_t i;

	for (i = 1; i < net->flows; i++)
		if (unit_of(&net->flow[i]) != unit_of(&net->flow[0]))
			return false;
	return true;
}

static int make_room(struct nc_course *course, bool exact)
{
	size_t room = course->room ? 2 * course->room : ROOM_AT_FIRST;
	struct nc_row *row;
	struct nc_exact_row *more;

	if (course->n < course->room)
		return 0;
	row = realloc(course->row, room * sizeof(*row));
	if (!row)
		return -ENOMEM;
	course->row = row;
	if (exact) {
		more = realloc(course->exact, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		course->exact = more;
	}
	course->room = room;
	return 0;
}

static struct nc_row rounded(const struct nc_exact_row *exact, double limit)
{
	return (struct nc_row){
		nc_q_double(exact->t), nc_q_double(exact->arrived),
		nc_q_double(exact->admitted), nc_q_double(exact->departed),
		nc_q_double(exact->backlog), limit,
	};
}

static bool same_rounded(const struct nc_row *a, const struct nc_row *b)
{
	return a->t == b->t && a->arrived == b->arrived &&
	       a->admitted == b->admitted && a->departed == b->departed &&
	       (a->limit == b->limit || (isnan(a->limit) && isnan(b->limit)));
}

static bool same_exact(const struct nc_exact_row *a,
		       const struct nc_exact_row *b)
{
	return nc_q_eq(a->t, b->t) && nc_q_eq(a->arrived, b->arrived) &&
	       nc_q_eq(a->admitted, b->admitted) &&
	       nc_q_eq(a->departed, b->departed) &&
	       nc_q_eq(a->backlog, b->backlog);
}

/* The same row twice is once enough. */
static bool is_last(const struct nc_course *course, const struct nc_row *row,
		    const struct nc_exact_row *exact)
{
	size_t last = course->n - 1;

	return course->n && same_rounded(&course->row[last], row) &&
	       (!course->exact || same_exact(&course->exact[last], exact));
}

/* The row at t, or just after it. */
static int add_at(struct nc_course *course, const struct traffic *traffic,
		  struct nc_q t, bool after)
{
	struct nc_q (*at)(const struct nc_curve *c, struct nc_q t) =
		after ? nc_curve_after : nc_curve_at;
	struct nc_q in = at(traffic->in, t), out = at(traffic->out, t);
	struct nc_exact_row exact = {
		t, at(traffic->arrived, t), in, out,
		nc_q_sub(at(traffic->queued, t), out),
	};
	struct nc_row row = rounded(&exact, traffic->limit);
	int err;

	if (is_last(course, &row, &exact))
		return 0;
	err = make_room(course, traffic->exact);
	if (err)
		return err;
	if (traffic->exact)
		course->exact[course->n] = exact;
	course->row[course->n++] = row;
	return 0;
}

static struct nc_q bend_after(const struct nc_curve *c, struct nc_q t,
			      struct nc_q to)
{
	size_t i = nc_curve_find_after(c, t);
	size_t next = i < c->n ? i + 1 : 0;

	return next < c->n ? nc_q_min(to, c->p[next].t) : to;
}

/* All rows of a stretch. */
static int follow(struct nc_course *course, const struct traffic *traffic,
		  struct nc_q from, struct nc_q to)
{
	int err = 0;

	while (!err && nc_q_lt(from, to) && !nc_q_is_lost()) {
		struct nc_q next = bend_after(traffic->arrived, from, to);

		next = bend_after(traffic->in, from, next);
		next = bend_after(traffic->queued, from, next);
		next = bend_after(traffic->out, from, next);
		err = add_at(course, traffic, from, true);
		if (!err)
			err = add_at(course, traffic, next, false);
		from = next;
	}
	return err;
}

static void find_peak(struct nc_log *log, size_t first)
{
	const struct nc_course *total = &log->total;

	for (; first < total->n; first++)
		if (total->row[first].backlog > log->peak) {
			log->peak = total->row[first].backlog;
			log->peak_t = total->row[first].t;
		}
}

static void record(void *context, const struct nc_net *net, struct nc_q from,
		   struct nc_q to)
{
	struct nc_log *log = context;
	struct traffic traffic = {
		&log->arrived, nc_net_offered(net), &net->in, &net->out, 0,
		log->exact,
	};
	size_t i, before = log->total.n;

	for (i = 0; i < net->flows; i++)
		traffic.limit += limit_of(&net->flow[i]);
	if (!nc_log_one_limit(net))
		traffic.limit = NAN;
	if (!log->err)
		log->err = follow(&log->total, &traffic, from, to);
	find_peak(log, before);
	for (i = 0; log->flow && i < net->flows && !log->err; i++) {
		const struct nc_flow *flow = &net->flow[i];
		struct traffic one = {
			&flow->arrived, &flow->in, nc_flow_queued(net, flow),
			&flow->out, limit_of(flow), log->exact,
		};

		log->err = follow(&log->flow[i], &one, from, to);
	}
}

static int sum_arrivals(struct nc_log *log, const struct nc_net *net)
{
	const struct nc_curve **all = calloc(net->flows + 1, sizeof(*all));
	size_t i;
	int err;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < net->flows; i++)
		all[i] = &net->flow[i].arrived;
	err = nc_sum_all(all, net->flows, &log->arrived);
	free(all);
	return err;
}

/**
 * nc_log_start() - follow a computation
 * @log: all 0 but @exact; has to outlive the computation
 * @net: before nc_net_run()
 * @per_flow: each flow, too, not only all together?
 *
 * Return: 0, -ENOMEM or -EOVERFLOW. Errors on the way are in log->err.
 */
int nc_log_start(struct nc_log *log, struct nc_net *net, bool per_flow)
{
	size_t i;
	int err = sum_arrivals(log, net);

	if (err)
		return err;
	net->record = record;
	net->context = log;
	net->totals = !per_flow;
	log->total.name = NC_NAME_OF_ALL;
	if (!per_flow)
		return 0;
	log->flow = calloc(net->flows, sizeof(*log->flow));
	if (!log->flow)
		return -ENOMEM;
	log->flows = net->flows;
	for (i = 0; i < net->flows; i++)
		log->flow[i].name = net->flow[i].name;
	return 0;
}

static void write_rounded(const struct nc_course *course, size_t i, FILE *file)
{
	const struct nc_row *row = &course->row[i];

	fprintf(file, "%.3f,%s,%.3f,%.3f,%.3f,%.3f", row->t, course->name,
		row->arrived, row->admitted, row->departed, row->backlog);
}

static void write_exact(const struct nc_course *course, size_t i, FILE *file)
{
	const struct nc_exact_row *row = &course->exact[i];
	const struct nc_q amount[] = {
		row->arrived, row->admitted, row->departed, row->backlog,
	};
	size_t k;

	nc_csv_number(file, row->t, true);
	fprintf(file, ",%s", course->name);
	for (k = 0; k < sizeof(amount) / sizeof(*amount); k++) {
		fputc(',', file);
		nc_csv_number(file, amount[k], true);
	}
}

static void write_course(const struct nc_course *course, FILE *file)
{
	size_t i;

	for (i = 0; i < course->n; i++) {
		if (course->exact)
			write_exact(course, i, file);
		else
			write_rounded(course, i, file);
		fprintf(file, ",%.0f\n", course->row[i].limit);
	}
}

/**
 * nc_log_write() - the courses as CSV, one after the other
 * @log: after the computation
 * @file: where to; decimals are rounded to three, fractions not at all
 */
void nc_log_write(const struct nc_log *log, FILE *file)
{
	size_t i;

	fputs("t_ns,flow,A,Ahat,D,backlog,limit\n", file);
	write_course(&log->total, file);
	for (i = 0; i < log->flows; i++)
		write_course(&log->flow[i], file);
}

static void free_course(struct nc_course *course)
{
	free(course->row);
	free(course->exact);
}

/**
 * nc_log_free() - give back what a log holds
 * @log: all 0 afterwards
 */
void nc_log_free(struct nc_log *log)
{
	size_t i;

	for (i = 0; i < log->flows; i++)
		free_course(&log->flow[i]);
	free(log->flow);
	free_course(&log->total);
	nc_curve_free(&log->arrived);
	*log = (struct nc_log){ 0 };
}
