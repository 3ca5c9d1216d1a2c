// SPDX-License-Identifier: GPL-2.0
/*
 * The command "record": decisions of chosen flows, or what became of their packets and
 * labels, a table each, as they come.
 */
#include <dirent.h>
#include <libmnl/libmnl.h>
#include <netinet/in.h>
#include <poll.h>
#include <search.h>
#include <stdio.h>
#include <sys/stat.h>

#include "../replay/csv.h"
#include "acks.h"
#include "dccstat.h"
#include "decisions.h"
#include "doctor.h"
#include "event.h"
#include "filter.h"
#include "io.h"

#define DEFAULT_DIR	"dccstat-record"
#define LABELS_DIR	"dccstat-labels"
#define DEFAULT_FLOWS	64
#define MOST_FLOWS	1000	/* open files */
#define MOST_SECONDS	86400
#define TRACE_KIB	16384	/* of each processor: 80,000 ACKs */
#define SLICE_MS	20
#define LOOK_MS		200	/* so often the sockets are looked at */
#define ESTABLISHED	1

/**
 * struct who - what an event says whose it is; other bytes are 0
 * @alg: its algorithm
 * @sport: its ports
 * @dport: likewise
 * @src: its addresses, those of IPv4 mapped; all 0: the event has none
 * @dst: likewise
 */
struct who {
	char alg[CC_TEXT];
	u16 sport;
	u16 dport;
	u8 src[ADDRESS_BYTES];
	u8 dst[ADDRESS_BYTES];
};

/**
 * struct recorded - a flow that was seen
 * @next: seen after it
 * @who: it is, as events say
 * @socket: the same with addresses, if known
 * @net: its socket's network namespace, if known
 * @wanted: by the filter?
 * @known: was its socket seen?
 * @shared: was another one seen, of which events say the same?
 * @out: its table; NULL: none yet
 * @rows: ACKs, or packets, in it
 */
struct recorded {
	struct recorded *next;
	struct who who;
	struct who socket;
	char net[NET_TEXT];
	bool wanted;
	bool known;
	bool shared;
	FILE *out;
	u64 rows;
};

/**
 * struct recorder - what is going on
 * @filter: which flows
 * @labels: of their packets, not of their decisions
 * @dir: where to
 * @most: flows with a table
 * @trace: where decisions come from
 * @tree: flows seen, by what events say
 * @first: the same in the order in which they were
 * @last: where the next one goes
 * @tables: of them with a table
 * @late: events of flows whose socket was not seen before they ended
 * @left: events of flows beyond @most
 * @unclear: events of flows that share what events say
 * @lost: events that found no room
 * @partial: not all sockets could be looked at
 * @why: what was not understood
 */
struct recorder {
	struct filter filter;
	bool labels;
	const char *dir;
	u32 most;
	struct trace trace;
	void *tree;
	struct recorded *first;
	struct recorded **last;
	u32 tables;
	u64 late;
	u64 left;
	u64 unclear;
	u64 lost;
	bool partial;
	char why[WHY_TEXT];
};

static void map_address(u8 *to, const u8 *from, u8 family)
{
	if (family != AF_INET) {
		memcpy(to, from, ADDRESS_BYTES);
		return;
	}
	memset(to + 10, 0xff, 2);
	memcpy(to + 12, from, 4);
}

static void set_who(struct who *who, const struct flow *flow, bool addresses)
{
	memset(who, 0, sizeof(*who));
	snprintf(who->alg, sizeof(who->alg), "%s", flow->cc);
	who->sport = flow->sport;
	who->dport = flow->dport;
	if (!addresses)
		return;
	map_address(who->src, flow->src, flow->family);
	map_address(who->dst, flow->dst, flow->family);
}

static int compare(const void *a, const void *b)
{
	return memcmp(&((const struct recorded *)a)->who, &((const struct recorded *)b)->who,
		      sizeof(struct who));
}

static struct recorded *add(struct recorder *r, const struct who *who)
{
	struct recorded *f = calloc(1, sizeof(*f));

	if (!f)
		cannot("no memory for another flow");
	f->who = *who;
	if (!tsearch(f, &r->tree, compare))
		cannot("no memory for another flow");
	*r->last = f;
	r->last = &f->next;
	return f;
}

/* Only the event of a packet has addresses. */
static struct recorded *find(struct recorder *r, const struct flow *flow)
{
	struct recorded sought, **found;

	set_who(&sought.who, flow, r->labels);
	found = tfind(&sought, &r->tree, compare);
	return found ? *found : add(r, &sought.who);
}

/* A socket: what the event does not tell of its flow. */
static void on_flow(const struct flow *flow, void *data)
{
	struct recorder *r = data;
	struct recorded *f;
	struct who socket;

	if (algorithm_index(flow->cc) < 0)	/* has no such event */
		return;
	f = find(r, flow);
	set_who(&socket, flow, true);
	if (!f->known) {
		f->socket = socket;
		snprintf(f->net, sizeof(f->net), "%s", flow->net);
	} else if (memcmp(&f->socket, &socket, sizeof(socket)) || strcmp(f->net, flow->net)) {
		f->shared = true;
	} else {
		return;
	}
	f->known = true;
	f->wanted |= filter_match(&r->filter, flow);
}

/* New ones; those listening have no ACKs. */
static void look(struct recorder *r)
{
	struct nets nets;

	nets_open(&nets, true);
	if (!sockets_each(&nets, r->filter.states | 1 << ESTABLISHED, on_flow, r))
		r->partial = true;
	nets_close(&nets);
}

/* Without a word about addresses, or if it has them, the event itself tells. */
static bool is_wanted(struct recorder *r, const struct recorded *f, const struct flow *flow)
{
	if (f->known)
		return f->wanted;
	if ((r->filter.hosts && !flow->family) || !(r->filter.states & 1 << ESTABLISHED)) {
		r->late++;
		return false;
	}
	return filter_match(&r->filter, flow);
}

/* Which of the flows with these ports and this algorithm is it that has a table? From 1. */
static u32 table_number(const struct recorder *r, const struct who *who)
{
	const struct recorded *f;
	u32 number = 1;

	for (f = r->first; f; f = f->next)
		number += f->out && f->who.sport == who->sport && f->who.dport == who->dport &&
			  !strcmp(f->who.alg, who->alg);
	return number;
}

static FILE *open_table(struct recorder *r, const struct recorded *f)
{
	u32 number = table_number(r, &f->who);
	char *path, more[16] = "";
	FILE *out;

	if (number > 1)
		snprintf(more, sizeof(more), "-%u", number);
	if (asprintf(&path, "%s/%s-%u-%u%s.csv", r->dir, f->who.alg, f->who.sport,
		     f->who.dport, more) < 0)
		cannot("no memory for a table");
	out = out_open_named(path);
	free(path);
	if (r->labels)
		heard_head(out);
	else
		decisions_head(out);
	r->tables++;
	return out;
}

/* The flow's table; NULL: it shall have none. */
static struct recorded *table_of(struct recorder *r, const struct flow *flow)
{
	struct recorded *f = find(r, flow);

	if (!is_wanted(r, f, flow))
		return NULL;
	if (f->shared) {
		r->unclear++;
		return NULL;
	}
	if (!f->out && r->tables == r->most) {
		r->left++;
		return NULL;
	}
	if (!f->out)
		f->out = open_table(r, f);
	return f;
}

static void on_ack(struct recorder *r, const struct ack *ack)
{
	struct flow flow = { .state = ESTABLISHED, .sport = ack->sport, .dport = ack->dport };
	struct recorded *f;

	memcpy(flow.cc, ack->alg, sizeof(flow.cc));
	f = table_of(r, &flow);
	if (!f)
		return;
	decisions_row(f->out, ack);
	f->rows++;
}

static void on_told(struct recorder *r, const struct told *t)
{
	struct flow flow = { .state = ESTABLISHED, .sport = t->sport, .dport = t->dport };
	struct recorded *f;

	memcpy(flow.cc, t->alg, sizeof(flow.cc));
	f = table_of(r, &flow);
	if (f)
		decisions_told(f->out, t);
}

/* An address as a socket's: IPv4's by itself. */
static void set_address(u8 *to, const u8 *from, u8 *family)
{
	bool ipv4 = IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)from);

	*family = ipv4 ? AF_INET : AF_INET6;
	memcpy(to, ipv4 ? from + 12 : from, ipv4 ? 4 : ADDRESS_BYTES);
}

static void on_heard(struct recorder *r, const struct heard *h)
{
	struct flow flow = { .state = ESTABLISHED, .sport = h->sport, .dport = h->dport };
	struct recorded *f;

	memcpy(flow.cc, h->alg, sizeof(flow.cc));
	set_address(flow.src, h->src, &flow.family);
	set_address(flow.dst, h->dst, &flow.family);
	f = table_of(r, &flow);
	if (!f)
		return;
	heard_row(f->out, h);
	f->rows++;
}

static void on_line(const char *line, void *data)
{
	struct recorder *r = data;
	struct event event;

	switch (event_parse(line, &event, r->why)) {
	case EVENT_ACK:
		on_ack(r, &event.ack);
		break;
	case EVENT_TOLD:
		on_told(r, &event.told);
		break;
	case EVENT_HEARD:
		on_heard(r, &event.heard);
		break;
	case EVENT_LOST:
		r->lost += event.lost;
		break;
	default:
		break;
	}
}

static void run(struct recorder *r, u64 seconds)
{
	u64 start = now_ns(), until = start + seconds * NSEC_PER_SEC, next_look = 0;

	while (!is_stopped() && (!seconds || now_ns() < until)) {
		if (now_ns() >= next_look) {
			look(r);
			next_look = now_ns() + LOOK_MS * NSEC_PER_MSEC;
		}
		trace_read(&r->trace, on_line, r);
		poll(NULL, 0, SLICE_MS);
	}
	look(r);
	trace_stop(&r->trace);
	while (trace_read(&r->trace, on_line, r))
		;
}

/* What is not in the tables, and why. */
static void say_left_out(const struct recorder *r, const char *rows)
{
	const struct recorded *f;

	if (r->lost)
		printf("%llu events found no room: fewer flows are lighter\n",
		       (unsigned long long)r->lost);
	if (r->left)
		printf("%llu %s of flows beyond --flows %u were left out\n",
		       (unsigned long long)r->left, rows, r->most);
	if (r->late)
		printf("%llu %s came before their socket was seen: filter by ports and cc\n",
		       (unsigned long long)r->late, rows);
	if (r->unclear)
		printf("%llu %s of flows that share what the event tells were left out:\n",
		       (unsigned long long)r->unclear, rows);
	for (f = r->first; f; f = f->next)
		if (f->shared && f->wanted)
			printf("  %s, port %u to %u%s\n", f->who.alg, f->who.sport, f->who.dport,
			       f->out ? "; its table begins before the second came" : "");
}

static void forget(struct recorder *r)
{
	struct recorded *f, *next;

	for (f = r->first; f; f = next) {
		next = f->next;
		tdelete(f, &r->tree, compare);
		free(f);
	}
}

/* True if all is on the disk. */
static bool finish(struct recorder *r)
{
	const char *rows = r->labels ? "packets" : "ACKs";
	struct recorded *f;
	bool ok = true;
	u64 all = 0;

	for (f = r->first; f; f = f->next) {
		all += f->rows;
		if (f->out && !out_close(f->out))
			ok = false;
	}
	printf("%s: %u flows, %llu %s\n", r->dir, r->tables, (unsigned long long)all, rows);
	say_left_out(r, rows);
	if (r->why[0])
		fprintf(stderr, "dccstat: %s\n", r->why);
	if (!ok)
		fprintf(stderr, "dccstat: %s: %s\n", r->dir, strerror(errno));
	forget(r);
	return ok && !r->partial && !r->why[0];
}

/* Whoever reads all tables of a folder reads those of a run before, too. */
static void say_older(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	u32 tables = 0;

	while (dir && (entry = readdir(dir))) {
		const char *end = strrchr(entry->d_name, '.');

		tables += end && !strcmp(end, ".csv");
	}
	if (dir)
		closedir(dir);
	if (tables)
		fprintf(stderr, "dccstat: %s: %u tables of before are there, too; "
			"--out takes another folder\n", path, tables);
}

/**
 * record_main() - the command "record"
 * @count: of words
 * @words: options and filter
 *
 * Return: the exit status.
 */
int record_main(int count, char **words)
{
	static const char *const decisions[] = { "dcc_ack", "dcc_event", NULL };
	static const char *const labels[] = { "dcc_path", NULL };
	static struct recorder r = { .trace.fd = -1 };
	const char *dir = take_value(&count, &words, "--out");
	u64 seconds = take_number(&count, &words, "--for", 0, 1, MOST_SECONDS);
	char why[WHY_TEXT];
	bool ok;

	r.most = (u32)take_number(&count, &words, "--flows", DEFAULT_FLOWS, 1, MOST_FLOWS);
	r.labels = take_flag(&count, &words, "--labels");
	r.dir = dir ? dir : r.labels ? LABELS_DIR : DEFAULT_DIR;
	no_more_options(count, words);
	if (filter_parse(&r.filter, count, words, why))
		fail("%s", why);
	r.last = &r.first;
	catch_signals();
	if (!trace_open(&r.trace, r.labels ? labels : decisions, TRACE_KIB, why))
		cannot("%s", why);
	if (mkdir(r.dir, 0777) && errno != EEXIST)
		cannot("%s: %s", r.dir, strerror(errno));
	say_older(r.dir);
	run(&r, seconds);
	trace_close(&r.trace);
	ok = finish(&r);
	return ok ? 0 : EXIT_FAILED;
}
