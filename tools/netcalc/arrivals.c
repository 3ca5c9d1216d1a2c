// SPDX-License-Identifier: GPL-2.0
/* The lines "send", and what they add up to: the arrival function of each flow. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals.h"
#include "csv.h"

#define MOST_BURSTS	10000000
#define SEND(field)	offsetof(struct nc_send, field)

const struct nc_key nc_send_keys[] = {
	{ "burst", NC_SIZE, SEND(burst), 0, 1, NC_TB, "at once, 1B to 1TB" },
	{ "rate", NC_RATE, SEND(rate), 0, 1, NC_RATE_MAX,
	  "steadily, 1kbps or more" },
	{ "file", NC_KEY_PATH, SEND(file), 0, 0, 0,
	  "CSV of time in ns and bytes so far, both growing" },
	{ "at", NC_TIME, SEND(at), 0, 0, NC_YEAR_NS, "when it begins, 0ns to a year (0)" },
	{ "until", NC_TIME, SEND(until), NC_YEAR_NS, 0, NC_YEAR_NS,
	  "when a rate ends, up to a year (never)" },
	{ "every", NC_TIME, SEND(every), 0, 1, NC_YEAR_NS,
	  "a burst again after this time, 1ns or more" },
	{ "times", NC_COUNT, SEND(times), 0, 1, 1000000000,
	  "so many bursts in all, 1 to 10^9 (to the end)" },
	{ "join", NC_KEY_WORD, SEND(steps), 0, 0, 0, "lines steps" },
	{ 0 }
};

/* Each of the three has keys of its own. */
static int check_send(struct nc_reader *r, const struct nc_send *send)
{
	int err;

	if (!!send->burst + !!send->rate + !!*send->file != 1)
		return nc_refuse(r, "one of burst=, rate= and file= is needed");
	err = nc_keys_need(r, nc_send_keys, "until", send->rate, "rate");
	if (!err)
		err = nc_keys_need(r, nc_send_keys, "every", send->burst, "burst");
	if (!err)
		err = nc_keys_need(r, nc_send_keys, "times", send->every, "burst and every");
	if (!err)
		err = nc_keys_need(r, nc_send_keys, "join", *send->file, "file");
	if (!err && send->rate && send->until <= send->at)
		return nc_refuse(r, "until is not after at; allowed: above %lldns",
				 (long long)send->at);
	return err;
}

/**
 * nc_sends_read() - a line "send"
 * @r: at the line
 * @sends: gets it
 * @rest: the line behind the word; changed
 *
 * Return: 0; -EINVAL with the reason in r->error; -ENOMEM.
 */
int nc_sends_read(struct nc_reader *r, struct nc_sends *sends, char *rest)
{
	struct nc_send *send = realloc(sends->send, (sends->n + 1) * sizeof(*send));
	int err;

	if (!send)
		return -ENOMEM;
	sends->send = send;
	send += sends->n++;
	*send = (struct nc_send){ .line = r->line };
	err = nc_keys_name(r, &rest, send->flow, NC_NAME_MAX);
	if (!err)
		err = nc_keys_read(r, nc_send_keys, send, rest);
	return err ? err : check_send(r, send);
}

/* Give back what they hold. */
void nc_sends_free(struct nc_sends *sends)
{
	free(sends->send);
	*sends = (struct nc_sends){ 0 };
}

/* How many come until the end, at least one: each is a point of the curve. */
static int64_t count_bursts(const struct nc_send *send, int64_t stop)
{
	int64_t later = send->every && stop > send->at ? (stop - send->at - 1) / send->every : 0;

	return send->times && send->times <= later ? send->times : later + 1;
}

/* Burst upon burst. */
static int add_bursts(struct nc_reader *r, const struct nc_net *net,
		      const struct nc_send *send, struct nc_curve *out)
{
	struct nc_q t = nc_q_int(send->at), y = NC_ZERO;
	int64_t left = count_bursts(send, (int64_t)net->stop.num);

	if (left > MOST_BURSTS)
		return nc_refuse(r, "%lld bursts; allowed: up to %d", (long long)left, MOST_BURSTS);
	nc_curve_add_line(out, NC_ZERO, NC_ZERO, NC_ZERO);
	while (left-- && nc_q_lt(t, net->stop)) {
		y = nc_q_add(y, nc_q_int(send->burst));
		nc_curve_add_line(out, t, NC_ZERO, y);
		t = nc_q_add(t, nc_q_int(send->every));
	}
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
static int add_file(struct nc_reader *r, const struct nc_send *send,
		    struct nc_curve *out)
{
	char path[2 * NC_PATH_MAX], error[NC_CSV_ERROR_BYTES];
	const char *slash = strrchr(r->path, '/');
	int folder = slash && *send->file != '/' ?
		     (int)(slash - r->path) + 1 : 0;
	struct nc_curve read = NC_CURVE_EMPTY;
	int err;

	snprintf(path, sizeof(path), "%.*s%s", folder, r->path, send->file);
	err = nc_csv_read(path, send->steps, &read, error);
	if (err == -EINVAL)
		return nc_refuse(r, "%s", error);
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

static bool is_for_someone(const struct nc_net *net, const struct nc_send *send)
{
	size_t i;

	for (i = 0; i < net->flows; i++)
		if (is_meant(&net->flow[i], send->flow))
			return true;
	return false;
}

/* What one line adds. */
static int make_part(struct nc_reader *r, const struct nc_net *net,
		     const struct nc_send *send, struct nc_curve *part)
{
	r->line = send->line;
	if (!is_for_someone(net, send))
		return nc_refuse(r, "no flow '%s'; allowed: one of a line 'flow'", send->flow);
	if (*send->file)
		return add_file(r, send, part);
	if (send->burst)
		return add_bursts(r, net, send, part);
	return add_rate(send, part);
}

/* All lines of a flow at once: one by one they would cost their square. */
static int sum_parts(const struct nc_sends *sends, struct nc_flow *flow,
		     const struct nc_curve *part, const struct nc_curve **mine)
{
	size_t i, n = 0;

	for (i = 0; i < sends->n; i++)
		if (is_meant(flow, sends->send[i].flow))
			mine[n++] = &part[i];
	return nc_sum_all(mine, n, &flow->arrived);
}

/**
 * nc_sends_sum() - add up the lines "send"
 * @r: for its errors
 * @sends: the lines
 * @net: its flows get what arrives
 *
 * Return: 0; -EINVAL with the reason in r->error; -EOVERFLOW; -ENOMEM.
 */
int nc_sends_sum(struct nc_reader *r, const struct nc_sends *sends,
		 struct nc_net *net)
{
	struct nc_curve *part = calloc(sends->n + 1, sizeof(*part));
	const struct nc_curve **mine = calloc(sends->n + 1, sizeof(*mine));
	int err = part && mine ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < sends->n && !err; i++)
		err = make_part(r, net, &sends->send[i], &part[i]);
	for (i = 0; i < net->flows && !err; i++)
		err = sum_parts(sends, &net->flow[i], part, mine);
	for (i = 0; part && i < sends->n; i++)
		nc_curve_free(&part[i]);
	free(part);
	free(mine);
	return err;
}
