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
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "flowline.h"
#include "keys.h"

#define LINE_BYTES	4096
#define HEED_PACKETS	"dctcp nscc mnscc"	/* who ask for each packet's mark */
#define ECN_PACKET	1000	/* of which RED marks a share, bytes */

/* What the lines "link" and "stop", "ecn" and "pfc" say. */
struct link {
	int64_t latency;
	int64_t rate;
	int64_t feedback;
	int64_t buffer;
	int64_t stop;
};

#define LINK(field)	offsetof(struct link, field)
#define ECN(field)	offsetof(struct nc_ecn, field)
#define PFC(field)	offsetof(struct nc_pfc, field)

static const struct nc_key link_keys[] = {
	{ "rate", NC_RATE, LINK(rate), NC_KEY_NEEDED, 1, NC_RATE_MAX,
	  "C of the server, 1kbps to 1000Tbps" },
	{ "feedback", NC_TIME, LINK(feedback), NC_KEY_NEEDED, 1, NC_YEAR_NS,
	  "dR, from the server back to sources that say no other, 1ns or more" },
	{ "buffer", NC_SIZE, LINK(buffer), 0, 0, NC_TB,
	  "room for what waits, what finds none is lost; 0: no end (0)" },
	{ 0 }
};

static const struct nc_key hop_keys[] = {
	{ "rate", NC_RATE, LINK(rate), NC_KEY_NEEDED, 1, NC_RATE_MAX,
	  "its rate, 1kbps to 1000Tbps" },
	{ "latency", NC_TIME, LINK(latency), 0, 0, NC_YEAR_NS,
	  "what it takes besides, 0 or more (0)" },
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
	{ "gap", NC_TIME, ECN(gap), 0, 1, NC_YEAR_NS,
	  "dcqcn, needed: least time between two notifications, 1ns or more" },
	{ "packet", NC_SIZE, ECN(packet), 0, 1, NC_TB,
	  "dcqcn: packets that pmax counts, 1B or more (1000B)" },
	{ "at", NC_KEY_WORD, ECN(arriving), 0, 0, 0, "departure arrival" },
	{ 0 }
};

static const struct nc_key pfc_keys[] = {
	{ "off", NC_SIZE, PFC(off), NC_KEY_NEEDED, 1, NC_TB,
	  "pause above this backlog, 1B to 1TB" },
	{ "on", NC_SIZE, PFC(on), NC_KEY_NEEDED, 0, NC_TB,
	  "a pause lasts (off - on) / C; below off" },
	{ 0 }
};

static int read_link(struct nc_case *c, char *rest)
{
	struct link link;
	int err = nc_keys_read(&c->reader, link_keys, &link, rest);

	if (err)
		return err;
	c->net.rate = nc_kbps(link.rate);
	c->net.feedback = nc_q_int(link.feedback);
	c->net.buffer = link.buffer;
	return 0;
}

static int read_hop(struct nc_case *c, char *rest)
{
	struct link hop;
	int err = nc_keys_read(&c->reader, hop_keys, &hop, rest);

	if (err)
		return err;
	c->hop_line = c->hop_line ? c->hop_line : c->reader.line;
	c->hop_rate = nc_q_min(c->hop_rate, nc_kbps(hop.rate));
	c->hop_latency = nc_q_add(c->hop_latency, nc_q_int(hop.latency));
	return 0;
}

static int read_stop(struct nc_case *c, char *rest)
{
	struct link link;
	int err = nc_keys_read(&c->reader, stop_keys, &link, rest);

	if (!err)
		c->net.stop = nc_q_int(link.stop);
	return err;
}

static int read_ecn(struct nc_case *c, char *rest)
{
	int err = nc_keys_read(&c->reader, ecn_keys, &c->net.ecn, rest);

	c->ecn_line = c->reader.line;
	if (!err && c->net.ecn.kmin >= c->net.ecn.kmax)
		return nc_refuse(&c->reader, "kmin is %lldB; allowed: below kmax, %lldB",
				 (long long)c->net.ecn.kmin,
				 (long long)c->net.ecn.kmax);
	if (!err)
		err = nc_keys_need(&c->reader, ecn_keys, "kmin", c->net.ecn.pmax, "pmax above 0");
	if (!err)
		err = nc_keys_need(&c->reader, ecn_keys, "packet", c->net.ecn.pmax, "pmax above 0");
	return err;
}

static int read_pfc(struct nc_case *c, char *rest)
{
	int err = nc_keys_read(&c->reader, pfc_keys, &c->net.pfc, rest);

	if (!err && c->net.pfc.on >= c->net.pfc.off)
		return nc_refuse(&c->reader, "on is %lldB; allowed: below off, %lldB",
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

static int read_flow(struct nc_case *c, char *rest)
{
	return nc_flowline_read(&c->reader, &c->net, rest);
}

static int read_send(struct nc_case *c, char *rest)
{
	return nc_sends_read(&c->reader, &c->sends, rest);
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
	{ "hop", read_hop, hop_keys, true, "another server, behind the link; all pass it" },
	{ "ecn", read_ecn, ecn_keys, false, "marking, RED between kmin and kmax" },
	{ "pfc", read_pfc, pfc_keys, false, "pausing" },
	{ "flow", read_flow, NULL, true, "NAME and the control's keys" },
	{ "send", read_send, nc_send_keys, true, "NAME and what it sends; add up" },
	{ "stop", read_stop, stop_keys, false, "the end" },
};

#define STATEMENTS	(sizeof(statements) / sizeof(*statements))

static int read_statement(struct nc_case *c, size_t i, char *rest)
{
	if (c->seen >> i & 1 && !statements[i].often)
		return nc_refuse(&c->reader, "a second line '%s'; allowed: one",
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
	return nc_refuse(&c->reader,
			 "no statement '%.*s'; allowed: title link hop ecn pfc flow send stop",
			 (int)(n < 40 ? n : 40), line);
}

/* No acknowledgment is back before the feedback delay is over. */
static int check_timeouts(struct nc_case *c)
{
	size_t i;

	for (i = 0; i < c->net.flows; i++) {
		const struct nc_flow *flow = &c->net.flow[i];
		struct nc_q feedback = nc_q_sign(flow->feedback) ?
				       flow->feedback : c->net.feedback;

		if (!flow->control.timeout ||
		    nc_q_le(feedback, nc_q_int(flow->control.timeout)))
			continue;
		c->reader.line = flow->line;
		return nc_refuse(&c->reader,
				 "timeout is %lldns; allowed: 0, or from the feedback's %.0fns on",
				 (long long)flow->control.timeout,
				 nc_q_double(feedback));
	}
	return 0;
}

/* Who heeds marks: by notifications, or by asking for each packet's? */
static void count_marked(const struct nc_net *net, size_t *notified, size_t *marked)
{
	size_t i;

	*notified = 0;
	*marked = 0;
	for (i = 0; i < net->flows; i++) {
		const struct nc_control *control = &net->flow[i].control;

		*notified += !!control->ops->notified;
		*marked += control->ops->marked && control->ops->marked(control);
	}
}

/* Marks are for someone, and what the line says of them has an effect. */
static int check_ecn(struct nc_case *c)
{
	struct nc_ecn *ecn = &c->net.ecn;
	size_t notified, marked;

	if (!c->ecn_line)
		return 0;
	c->reader.line = c->ecn_line;
	count_marked(&c->net, &notified, &marked);
	if (!notified && !marked)
		return nc_refuse(&c->reader, "no flow heeds marks; allowed with cc= %s",
				 "dcqcn " HEED_PACKETS);
	if (notified && !ecn->gap)
		return nc_refuse(&c->reader, "gap= is missing; cc=dcqcn needs it");
	if (!notified && (ecn->gap || ecn->packet))
		return nc_refuse(&c->reader, "%s needs a flow with cc=dcqcn, or has no effect",
				 ecn->gap ? "gap" : "packet");
	if (!marked && ecn->arriving)
		return nc_refuse(&c->reader, "at=arrival needs a flow with cc= %s, %s",
				 HEED_PACKETS, "or has no effect");
	if (!ecn->packet)
		ecn->packet = ECN_PACKET;
	return 0;
}

/*
 * Servers in a row that all flows pass are one server: of the smallest rate, with all
 * latencies, as convolutions go in any order, and what came first leaves first. What a
 * single one of them does at a backlog of its own has no such server.
 */
static int join_hops(struct nc_case *c)
{
	const struct nc_net *net = &c->net;
	size_t i;

	if (!c->hop_line)
		return 0;
	if (net->ecn.kmax || net->pfc.off || net->buffer) {
		c->reader.line = c->hop_line;
		return nc_refuse(&c->reader, "a line 'hop' with %s; allowed: without, as %s",
				 net->ecn.kmax ? "'ecn'" : net->pfc.off ? "'pfc'" : "buffer=",
				 "only all hops' backlog together is computed");
	}
	c->net.rate = nc_q_min(net->rate, c->hop_rate);
	c->net.feedback = nc_q_add(net->feedback, c->hop_latency);
	for (i = 0; i < net->flows; i++)
		if (nc_q_sign(net->flow[i].feedback))
			c->net.flow[i].feedback = nc_q_add(net->flow[i].feedback,
							   c->hop_latency);
	return 0;
}

/* What has to be there. */
static int check_case(struct nc_case *c)
{
	if (!nc_q_sign(c->net.rate))
		return nc_refuse(&c->reader, "no line 'link'");
	if (!nc_q_sign(c->net.stop))
		return nc_refuse(&c->reader, "no line 'stop'");
	if (!c->net.flows)
		return nc_refuse(&c->reader, "no line 'flow'");
	if (join_hops(c) || check_timeouts(c))
		return -EINVAL;
	return check_ecn(c);
}

/**
 * nc_case_read() - read a case
 * @c: all 0; gets it; to be freed also after an error
 * @file: from here
 * @path: its name, for errors and for the files that it names
 *
 * Return: 0; -EINVAL with the reason in c->reader.error; -ENOMEM.
 */
int nc_case_read(struct nc_case *c, FILE *file, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int err = 0;

	snprintf(c->reader.path, sizeof(c->reader.path), "%s", path);
	c->net.rate = NC_ZERO;
	c->net.stop = NC_ZERO;
	c->hop_rate = NC_INF;
	c->hop_latency = NC_ZERO;
	while (!err && (n = getline(&line, &room, file)) >= 0) {
		c->reader.line++;
		if (memchr(line, 0, n))
			err = nc_refuse(&c->reader, "a zero byte; allowed: text");
		else if (n > LINE_BYTES - 1)
			err = nc_refuse(&c->reader, "longer than %d characters",
					LINE_BYTES - 2);
		else
			err = read_line(c, line);
	}
	free(line);
	if (!err && ferror(file))
		return nc_refuse(&c->reader, "cannot be read: %s", strerror(errno));
	if (!err)
		err = check_case(c);
	return err ? err : nc_sends_sum(&c->reader, &c->sends, &c->net);
}

/**
 * nc_case_free() - give back what a case holds
 * @c: the case; all 0 afterwards
 */
void nc_case_free(struct nc_case *c)
{
	nc_net_free(&c->net);
	nc_sends_free(&c->sends);
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
		if (statements[i].read == read_flow)
			nc_flowline_words(out);
	}
}
