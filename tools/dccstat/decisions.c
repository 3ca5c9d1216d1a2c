// SPDX-License-Identifier: GPL-2.0
/* Tables of recorded decisions; see decisions.h. */
#include "cells.h"
#include "decisions.h"
#include "room.h"

#define CWND_ONE	256	/* the event's unit is 1/256 byte */
#define MILLI		1000
#define DECIDED		7	/* from was_branch on */
#define TABLES		"a table of dccstat record, or the lab's acks.csv"

/* As replay's events: prioplus also decides on answers to probes, and when to begin. */
static const char *event_of(const char *rule)
{
	static const char *const of_probe[] = { "probe", "resume", "resume_one" };
	size_t len = strcspn(rule, "+"), i;

	for (i = 0; i < ARRAY_SIZE(of_probe); i++)
		if (strlen(of_probe[i]) == len && !strncmp(rule, of_probe[i], len))
			return "probe";
	if (!strcmp(rule, "start") || !strcmp(rule, "start_now"))
		return "start";
	return "ack";
}

/* What an algorithm is told. */
static const char *const told[] = {
	"now_ns", "sent_ns", "delay_ns", "base_rtt_ns", "srtt_ns", "acked", "mss", "ce",
	"losses", "lost_run", "inflight", "flight", "line_rate",
	"cwnd_limited", "app_limited", "fills", "maybe_delayed", "recovery", "drains",
	"no_ecn", "sprayed", "priority", "dscp", "small", "hosts_ns",
};

void decisions_head(FILE *out)
{
	u32 i;

	fputs("event", out);
	for (i = 0; i < ARRAY_SIZE(told); i++)
		fprintf(out, ",%s", told[i]);
	fputs(",was_alg,was_sport,was_dport,was_branch,", out);
	fputs("was_cwnd_bytes,was_delay_ns,was_target_ns,was_pacing,was_share,was_gradient\n",
	      out);
}

static void put(FILE *out, u64 value)
{
	fprintf(out, ",%llu", (unsigned long long)value);
}

/* Cells that this event has not: replay takes its defaults. */
static void put_none(FILE *out, u32 cells)
{
	while (cells--)
		fputc(',', out);
}

/* A row of an event on which nothing is decided. */
static void end_row(FILE *out, const char *alg, u16 sport, u16 dport)
{
	fprintf(out, ",%s,%u,%u", alg, sport, dport);
	put_none(out, DECIDED);
	fputc('\n', out);
}

/**
 * decisions_told() - what the algorithm was told without an ACK, as a row
 * @out: where to
 * @t: it
 */
void decisions_told(FILE *out, const struct told *t)
{
	fputs(t->event, out);
	put(out, t->now);
	put_none(out, 1);
	put(out, 0);			/* no delay */
	put_none(out, 1);
	put(out, t->srtt);
	put(out, 0);			/* nothing delivered */
	put(out, t->mss);
	put_none(out, 1);
	put(out, t->lost);
	put_none(out, 3);
	put(out, t->line);
	put_none(out, ARRAY_SIZE(told) - 13);
	end_row(out, t->alg, t->sport, t->dport);
}

static void put_told(FILE *out, const struct ack *ack)
{
	put(out, ack->now);
	if (ack->sent)
		put(out, ack->sent);
	else
		put_none(out, 1);
	put(out, ack->rtt);
	put(out, ack->base);
	put(out, ack->srtt);
	put(out, ack->acked);
	put(out, ack->mss);
	put(out, ack->ce);
	put(out, ack->losses);
	put(out, ack->run);
	put(out, ack->inflight);
	put(out, ack->flight);
	put(out, ack->line);
	put(out, ack->limited);
	put(out, ack->app);
	put(out, ack->fills);
	put(out, ack->delayed);
	put(out, ack->recovery);
	put(out, ack->drains);
	put(out, ack->no_ecn);
	put(out, ack->sprayed);
	put(out, ack->priority);
	put(out, ack->dscp);
	put(out, ack->small);
	put(out, ack->hosts);
}

/**
 * decisions_row() - an ACK as a row, and one before it if the flow had been idle
 * @out: where to
 * @ack: it
 */
void decisions_row(FILE *out, const struct ack *ack)
{
	char rule[RULE_TEXT];

	if (ack->idle) {
		fputs("idle", out);
		put_told(out, ack);
		end_row(out, ack->alg, ack->sport, ack->dport);
	}
	rule_name(ack->alg, ack->branch, rule, sizeof(rule));
	fputs(event_of(rule), out);
	put_told(out, ack);
	fprintf(out, ",%s,%u,%u,%s,%llu.%03llu,%u,%u,%llu,%u,%d\n", ack->alg, ack->sport,
		ack->dport, rule, (unsigned long long)(ack->cwnd / CWND_ONE),
		(unsigned long long)(ack->cwnd % CWND_ONE * MILLI / CWND_ONE), ack->delay,
		ack->target, (unsigned long long)ack->pacing, ack->share, ack->gradient);
}

/**
 * struct columns - where a file has what is drawn
 * @lab: is it the lab's?
 * @event: and so on: columns; it may be absent
 */
struct columns {
	bool lab;
	int event, now, id, alg, sport, dport, branch, cwnd, delay, target, base, losses;
};

static void find_columns(struct csv *c, struct columns *at)
{
	at->lab = csv_find(c, "t") != CSV_NONE;
	at->event = csv_find(c, "event");
	at->now = cells_need(c, at->lab ? "t" : "now_ns", TABLES);
	at->id = at->lab ? cells_need(c, "id", TABLES) : CSV_NONE;
	at->alg = cells_need(c, at->lab ? "alg" : "was_alg", TABLES);
	at->sport = at->lab ? CSV_NONE : cells_need(c, "was_sport", TABLES);
	at->dport = at->lab ? CSV_NONE : cells_need(c, "was_dport", TABLES);
	at->branch = cells_need(c, at->lab ? "branch" : "was_branch", TABLES);
	at->cwnd = cells_need(c, at->lab ? "cwnd" : "was_cwnd_bytes", TABLES);
	at->delay = cells_need(c, at->lab ? "delay" : "was_delay_ns", TABLES);
	at->target = cells_need(c, at->lab ? "target" : "was_target_ns", TABLES);
	at->base = cells_need(c, at->lab ? "base" : "base_rtt_ns", TABLES);
	at->losses = cells_need(c, "losses", TABLES);
}

static void take_text(struct csv *c, int column, char *text, size_t size)
{
	size_t len = strlen(c->cell[column]);

	if (!len || len >= size)
		csv_bad(c, column, "is no name; allowed: 1 to %zu characters", size - 1);
	memcpy(text, c->cell[column], len + 1);
}

static u32 rule_index(struct decisions *all, struct csv *c, const char *name)
{
	u32 i;

	for (i = 0; i < all->rules; i++)
		if (!strcmp(all->rule[i], name))
			return i;
	if (all->rules == RULES_MOST)
		csv_fail(c, "more than %u different rules", RULES_MOST);
	snprintf(all->rule[all->rules], RULE_TEXT, "%s", name);
	return all->rules++;
}

/* The lab has rules by number, as the event. */
static u32 read_rule(struct decisions *all, struct csv *c, const struct columns *at,
		     const char *alg)
{
	char name[RULE_TEXT];

	if (at->lab)
		rule_name(alg, (u8)csv_number(c, at->branch, 0, 255), name, sizeof(name));
	else
		take_text(c, at->branch, name, sizeof(name));
	return rule_index(all, c, name);
}

static u64 read_cwnd(struct csv *c, const struct columns *at)
{
	if (at->lab)
		return csv_number(c, at->cwnd, 0, U64_MAX) / CWND_ONE;
	return (u64)csv_decimal(c, at->cwnd, 3, 0, INT64_MAX, "bytes, up to three decimals") /
	       MILLI;
}

/* Another file's flow may have the same ports: so it is told which file it is of. */
static void name_track(const struct decisions *all, struct track *track, const char *name)
{
	u32 i;

	snprintf(track->name, sizeof(track->name), "%s", name);
	for (i = 0; i < all->before; i++)
		if (!strcmp(all->track[i].id, name)) {
			snprintf(track->name, sizeof(track->name), "%s (file %u)", name,
				 all->files);
			return;
		}
}

/* The flow of this name in the file that is read. */
static struct track *find_track(struct decisions *all, struct csv *c, const char *name,
				const char *alg)
{
	struct track *track;
	u32 i;

	for (i = all->tracks; i-- > all->before;)
		if (!strcmp(all->track[i].id, name) && !strcmp(all->track[i].alg, alg))
			return &all->track[i];
	if (all->tracks == FLOWS_MOST)
		csv_fail(c, "more than %u flows", FLOWS_MOST);
	all->track = reallocarray(all->track, all->tracks + 1, sizeof(*all->track));
	if (!all->track)
		cannot("no memory for %u flows", all->tracks + 1);
	track = &all->track[all->tracks++];
	memset(track, 0, sizeof(*track));
	snprintf(track->id, sizeof(track->id), "%s", name);
	name_track(all, track, name);
	snprintf(track->alg, sizeof(track->alg), "%s", alg);
	return track;
}

static void add(struct track *track, struct csv *c, const struct decision *d)
{
	if (track->count && d->now < track->at[track->count - 1].now)
		csv_fail(c, "time %llu is before the flow's row above; allowed: from %llu on",
			 (unsigned long long)d->now,
			 (unsigned long long)track->at[track->count - 1].now);
	track->at = room_for_one(track->at, track->count, &track->room, sizeof(*track->at),
				 "ACKs");
	track->at[track->count++] = *d;
}

static void read_row(struct decisions *all, struct csv *c, const struct columns *at)
{
	char alg[CC_TEXT], name[NAME_TEXT];
	struct decision d = {
		.now = csv_number(c, at->now, 0, U64_MAX), .cwnd = read_cwnd(c, at),
		.delay = (u32)csv_number(c, at->delay, 0, U32_MAX),
		.target = (u32)csv_number(c, at->target, 0, U32_MAX),
		.base = (u32)csv_number(c, at->base, 0, U32_MAX),
		.losses = (u32)csv_number(c, at->losses, 0, U32_MAX),
	};

	take_text(c, at->alg, alg, sizeof(alg));
	if (at->lab)
		take_text(c, at->id, name, sizeof(name));
	else
		snprintf(name, sizeof(name), "%u > %u", (u16)csv_number(c, at->sport, 0, 65535),
			 (u16)csv_number(c, at->dport, 0, 65535));
	d.rule = read_rule(all, c, at, alg);
	add(find_track(all, c, name, alg), c, &d);
}

/* The first are decisions; of the others the algorithm was only told. */
static const char *const events[] = { "ack", "probe", "start", "begin", "idle", "rto" };
#define DECISIONS	3U

static bool is_decision(struct csv *c, const struct columns *at)
{
	u32 i;

	if (at->event == CSV_NONE)
		return true;
	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(c->cell[at->event], events[i]))
			return i < DECISIONS;
	csv_bad(c, at->event, "is unknown; allowed: ack, probe, start, begin, idle, rto");
}

/**
 * decisions_read() - read a file, beside those read before
 * @all: zeroed before the first
 * @path: a table of dccstat record, or the lab's acks.csv
 *
 * Ends the program if anything is wrong with it.
 */
void decisions_read(struct decisions *all, const char *path)
{
	struct columns at;
	struct csv c;

	if (!all->rule)
		all->rule = calloc(RULES_MOST, sizeof(*all->rule));
	if (!all->rule)
		cannot("no memory for the names of rules");
	all->before = all->tracks;
	all->files++;
	cells_open(&c, path);
	find_columns(&c, &at);
	while (csv_next(&c))
		if (is_decision(&c, &at))
			read_row(all, &c, &at);
	csv_close(&c);
}

void decisions_free(struct decisions *all)
{
	u32 i;

	for (i = 0; i < all->tracks; i++)
		free(all->track[i].at);
	free(all->track);
	free(all->rule);
	memset(all, 0, sizeof(*all));
}
