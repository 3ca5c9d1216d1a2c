// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a case. A line is a word and its key=value; # begins a comment:
 *
 *	title Two flows
 *	link rate=100Gbps feedback=20us
 *	flow f cc=aimd rate=60Gbps increase=100Mbps every=30us
 *	send f rate=100Gbps
 *	stop at=50ms
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"

#define LINE_BYTES	4096

/* What the lines "link" and "stop", "ecn" and "pfc" say. */
struct link {
	int64_t rate;
	int64_t feedback;
	int64_t stop;
};

#define LINK(field)	offsetof(struct link, field)
#define ECN(field)	offsetof(struct nc_ecn, field)
#define PFC(field)	offsetof(struct nc_pfc, field)
#define SEND(field)	offsetof(struct nc_send, field)

static const struct nc_key link_keys[] = {
	{ "rate", NC_RATE, LINK(rate), NC_KEY_NEEDED, 1, NC_RATE_MAX,
	  "C of the server, 1kbps to 1000Tbps" },
	{ "feedback", NC_TIME, LINK(feedback), NC_KEY_NEEDED, 1, NC_YEAR_NS,
	  "dR, from the server back to the source, 1ns or more" },
	{ 0 }
};

static const struct nc_key stop_keys[] = {
	{ "at", NC_TIME, LINK(stop), NC_KEY_NEEDED, 1, NC_YEAR_NS,
	  "end of the computation, 1ns or more" },
	{ 0 }
};

static const struct nc_key ecn_keys[] = {
	{ "kmin", NC_SIZE, ECN(kmin), 0, 0, NC_TB,
	  "no marks up to this backlog; below kmax" },
	{ "kmax", NC_SIZE, ECN(kmax), NC_KEY_NEEDED, 1, NC_TB,
	  "every packet is marked from this backlog on, 1B to 1TB" },
	{ "pmax", NC_SHARE, ECN(pmax), 0, 0, NC_PPM,
	  "share of packets marked just below kmax, 0 to 1 (0)" },
	{ "gap", NC_TIME, ECN(gap), NC_KEY_NEEDED, 1, NC_YEAR_NS,
	  "least time between two notifications of a flow, 1ns or more" },
	{ "packet", NC_SIZE, ECN(packet), 1000, 1, NC_TB,
	  "packets that pmax counts, 1B or more (1000B)" },
	{ 0 }
};

static const struct nc_key pfc_keys[] = {
	{ "off", NC_SIZE, PFC(off), NC_KEY_NEEDED, 1, NC_TB,
	  "pause above this backlog, 1B to 1TB" },
	{ "on", NC_SIZE, PFC(on), NC_KEY_NEEDED, 0, NC_TB,
	  "a pause lasts (off - on) / C; below off" },
	{ 0 }
};

static const struct nc_key send_keys[] = {
	{ "burst", NC_SIZE, SEND(burst), 0, 1, NC_TB, "at once, 1B to 1TB" },
	{ "rate", NC_RATE, SEND(rate), 0, 1, NC_RATE_MAX,
	  "steadily, 1kbps or more" },
	{ "file", NC_KEY_PATH, SEND(file), 0, 0, 0,
	  "CSV of time in ns and bytes so far, both growing" },
	{ "at", NC_TIME, SEND(at), 0, 0, NC_YEAR_NS, "when it begins (0)" },
	{ "until", NC_TIME, SEND(until), NC_YEAR_NS, 0, NC_YEAR_NS,
	  "when a rate ends (never)" },
	{ "every", NC_TIME, SEND(every), 0, 1, NC_YEAR_NS,
	  "a burst again after this time, 1ns or more" },
	{ "times", NC_COUNT, SEND(times), 0, 1, 1000000000,
	  "so many bursts in all (to the end)" },
	{ "join", NC_KEY_WORD, SEND(steps), 0, 0, 0, "lines steps" },
	{ 0 }
};

int nc_case_refuse(struct nc_case *c, const char *format, ...)
{
	int n = snprintf(c->error, sizeof(c->error), "%s:%u: ", c->path,
			 c->line);
	va_list args;

	va_start(args, format);
	vsnprintf(c->error + n, sizeof(c->error) - (size_t)n, format, args);
	va_end(args);
	return -EINVAL;
}

/* All the words of a line into one table. */
int nc_case_keys(struct nc_case *c, const struct nc_key *keys, void *base,
		 char *rest)
{
	char *word, *save;
	int err = 0;

	c->given = 0;
	nc_keys_default(keys, base);
	for (word = strtok_r(rest, " \t", &save); word && !err;
	     word = strtok_r(NULL, " \t", &save))
		err = nc_keys_set(c, keys, base, word);
	return err ? err : nc_keys_check(c, keys, base);
}

/* A name that is not a key; the rest of the line begins behind it. */
int nc_case_name(struct nc_case *c, char **rest, char name[NC_NAME_MAX])
{
	size_t n = strcspn(*rest, " \t");

	if (n == 0 || n >= NC_NAME_MAX || memchr(*rest, '=', n))
		return nc_case_refuse(c, "no flow's name; allowed: 1 to %d characters without =",
				      NC_NAME_MAX - 1);
	memcpy(name, *rest, n);
	name[n] = 0;
	*rest += n + strspn(*rest + n, " \t");
	return 0;
}

static int read_link(struct nc_case *c, char *rest)
{
	struct link link;
	int err = nc_case_keys(c, link_keys, &link, rest);

	if (err)
		return err;
	c->net.rate = nc_kbps(link.rate);
	c->net.feedback = nc_q_int(link.feedback);
	return 0;
}

static int read_stop(struct nc_case *c, char *rest)
{
	struct link link;
	int err = nc_case_keys(c, stop_keys, &link, rest);

	if (!err)
		c->net.stop = nc_q_int(link.stop);
	return err;
}

static int read_ecn(struct nc_case *c, char *rest)
{
	int err = nc_case_keys(c, ecn_keys, &c->net.ecn, rest);

	if (!err && c->net.ecn.kmin >= c->net.ecn.kmax)
		return nc_case_refuse(c, "kmin is %lldB; allowed: below kmax, %lldB",
				      (long long)c->net.ecn.kmin,
				      (long long)c->net.ecn.kmax);
	if (!err)
		err = nc_keys_need(c, ecn_keys, "kmin", c->net.ecn.pmax, "pmax above 0");
	if (!err)
		err = nc_keys_need(c, ecn_keys, "packet", c->net.ecn.pmax, "pmax above 0");
	return err;
}

static int read_pfc(struct nc_case *c, char *rest)
{
	int err = nc_case_keys(c, pfc_keys, &c->net.pfc, rest);

	if (!err && c->net.pfc.on >= c->net.pfc.off)
		return nc_case_refuse(c, "on is %lldB; allowed: below off, %lldB",
				      (long long)c->net.pfc.on,
				      (long long)c->net.pfc.off);
	return err;
}

static int read_title(struct nc_case *c, char *rest)
{
	size_t n = strlen(rest);

	if (n >= sizeof(c->title))
		n = sizeof(c->title) - 1;
	memcpy(c->title, rest, n);
	c->title[n] = 0;
	return 0;
}

/* Each of the three has keys of its own. */
static int check_send(struct nc_case *c, const struct nc_send *send)
{
	int err;

	if (!!send->burst + !!send->rate + !!*send->file != 1)
		return nc_case_refuse(c, "one of burst=, rate= and file= is needed");
	err = nc_keys_need(c, send_keys, "until", send->rate, "rate");
	if (!err)
		err = nc_keys_need(c, send_keys, "every", send->burst, "burst");
	if (!err)
		err = nc_keys_need(c, send_keys, "times", send->every, "burst and every");
	if (!err)
		err = nc_keys_need(c, send_keys, "join", *send->file, "file");
	if (!err && send->until <= send->at)
		return nc_case_refuse(c, "until is not after at; allowed: above %lldns",
				      (long long)send->at);
	return err;
}

static int read_send(struct nc_case *c, char *rest)
{
	struct nc_send *send = realloc(c->send, (c->sends + 1) * sizeof(*send));
	int err;

	if (!send)
		return -ENOMEM;
	c->send = send;
	send += c->sends++;
	*send = (struct nc_send){ .line = c->line };
	err = nc_case_name(c, &rest, send->flow);
	if (!err)
		err = nc_case_keys(c, send_keys, send, rest);
	return err ? err : check_send(c, send);
}

static const struct {
	const char *word;
	int (*read)(struct nc_case *c, char *rest);
	const struct nc_key *keys;
	bool often;
	const char *help;
} statements[] = {
	{ "title", read_title, NULL, false, "text for the pictures" },
	{ "link", read_link, link_keys, false, "the server" },
	{ "ecn", read_ecn, ecn_keys, false, "marking, RED between kmin and kmax" },
	{ "pfc", read_pfc, pfc_keys, false, "pausing" },
	{ "flow", nc_case_flow, NULL, true, "NAME and the control's keys" },
	{ "send", read_send, send_keys, true, "NAME and what it sends; add up" },
	{ "stop", read_stop, stop_keys, false, "the end" },
};

#define STATEMENTS	(sizeof(statements) / sizeof(*statements))

static int read_statement(struct nc_case *c, size_t i, char *rest)
{
	if (c->seen >> i & 1 && !statements[i].often)
		return nc_case_refuse(c, "a second line '%s'; allowed: one",
				      statements[i].word);
	c->seen |= 1U << i;
	return statements[i].read(c, rest + strspn(rest, " \t"));
}

static int read_line(struct nc_case *c, char *line)
{
	size_t i, n;

	line[strcspn(line, "#\n")] = 0;
	for (n = strlen(line); n && strchr(" \t\r", line[n - 1]); n--)
		line[n - 1] = 0;
	line += strspn(line, " \t");
	n = strcspn(line, " \t");
	if (n == 0)
		return 0;
	for (i = 0; i < STATEMENTS; i++)
		if (strlen(statements[i].word) == n &&
		    !strncmp(statements[i].word, line, n))
			return read_statement(c, i, line + n);
	return nc_case_refuse(c, "no statement '%.*s'; allowed: title link ecn pfc flow send stop",
			      (int)(n < 40 ? n : 40), line);
}

/* No acknowledgment is back before the feedback delay is over. */
static int check_timeouts(struct nc_case *c)
{
	size_t i;

	for (i = 0; i < c->net.flows; i++) {
		const struct nc_flow *flow = &c->net.flow[i];

		if (!flow->control.timeout ||
		    nc_q_le(c->net.feedback, nc_q_int(flow->control.timeout)))
			continue;
		c->line = flow->line;
		return nc_case_refuse(c, "timeout is %lldns; allowed: 0, or from the feedback's %.0fns on",
				      (long long)flow->control.timeout,
				      nc_q_double(c->net.feedback));
	}
	return 0;
}

/* What has to be there. */
static int check_case(struct nc_case *c)
{
	if (!nc_q_sign(c->net.rate))
		return nc_case_refuse(c, "no line 'link'");
	if (!nc_q_sign(c->net.stop))
		return nc_case_refuse(c, "no line 'stop'");
	if (!c->net.flows)
		return nc_case_refuse(c, "no line 'flow'");
	return check_timeouts(c);
}

/**
 * nc_case_read() - read a case
 * @c: all 0; gets it; to be freed also after an error
 * @file: from here
 * @path: its name, for errors and for the files that it names
 *
 * Return: 0; -EINVAL with the reason in c->error; -ENOMEM.
 */
int nc_case_read(struct nc_case *c, FILE *file, const char *path)
{
	char line[LINE_BYTES];
	int err = 0;

	snprintf(c->path, sizeof(c->path), "%s", path);
	c->net.rate = NC_ZERO;
	c->net.stop = NC_ZERO;
	while (!err && fgets(line, sizeof(line), file)) {
		c->line++;
		if (!strchr(line, '\n') && !feof(file))
			return nc_case_refuse(c, "longer than %d characters",
					      LINE_BYTES - 2);
		err = read_line(c, line);
	}
	if (!err && ferror(file))
		return nc_case_refuse(c, "cannot be read: %s", strerror(errno));
	if (!err)
		err = check_case(c);
	return err ? err : nc_case_arrivals(c);
}

/**
 * nc_case_free() - give back what a case holds
 * @c: the case; all 0 afterwards
 */
void nc_case_free(struct nc_case *c)
{
	nc_net_free(&c->net);
	free(c->send);
	memset(c, 0, sizeof(*c));
}

/**
 * nc_case_words() - the language, for users
 * @out: where to write
 */
void nc_case_words(FILE *out)
{
	size_t i;

	for (i = 0; i < STATEMENTS; i++) {
		fprintf(out, "%s: %s\n", statements[i].word,
			statements[i].help);
		if (statements[i].keys)
			nc_keys_help(out, statements[i].keys);
		if (statements[i].read == nc_case_flow)
			nc_case_flow_words(out);
	}
}
