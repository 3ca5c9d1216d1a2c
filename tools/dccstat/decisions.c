// SPDX-License-Identifier: GPL-2.0
/* Tables of recorded decisions; see decisions.h. */
#include "cells.h"
#include "decisions.h"
#include "room.h"

#define CWND_ONE	256	/* the event's unit is 1/256 byte */
#define MILLI		1000
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

void decisions_head(FILE *out)
{
	fputs("event,now_ns,sent_ns,delay_ns,base_rtt_ns,srtt_ns,acked,mss,ce,losses,lost_run,",
	      out);
	fputs("inflight,cwnd_limited,no_ecn,was_alg,was_sport,was_dport,was_branch,", out);
	fputs("was_cwnd_bytes,was_delay_ns,was_target_ns,was_pacing,was_share,was_gradient\n",
	      out);
}

/* What is not known is an empty cell, of which replay takes its default. */
static void put(FILE *out, u64 value, bool known)
{
	if (known)
		fprintf(out, ",%llu", (unsigned long long)value);
	else
		fputc(',', out);
}

/**
 * decisions_row() - an ACK as a row
 * @out: where to
 * @ack: it
 * @mss: payload of a full packet; 0: not known
 * @no_ecn: is the connection without ECN?
 */
void decisions_row(FILE *out, const struct ack *ack, u32 mss, bool no_ecn)
{
	char rule[RULE_TEXT];

	rule_name(ack->alg, ack->branch, rule, sizeof(rule));
	fputs(event_of(rule), out);
	put(out, ack->now, true);
	put(out, ack->sent, ack->sent);
	put(out, ack->rtt, true);
	put(out, ack->base, true);
	put(out, ack->srtt, true);
	put(out, ack->acked, true);
	put(out, mss, mss);
	put(out, ack->ce, true);
	put(out, ack->losses, true);
	put(out, ack->run, true);
	put(out, ack->inflight, true);
	put(out, ack->limited, true);
	put(out, no_ecn, true);
	fprintf(out, ",%s,%u,%u,%s,%llu.%03llu,%u,%u,%llu,%u,%d\n", ack->alg, ack->sport,
		ack->dport, rule, (unsigned long long)(ack->cwnd / CWND_ONE),
		(unsigned long long)(ack->cwnd % CWND_ONE * MILLI / CWND_ONE), ack->delay,
		ack->target, (unsigned long long)ack->pacing, ack->share, ack->gradient);
}

/**
 * struct columns - where a file has what is drawn
 * @lab: is it the lab's?
 * @now: and so on: columns
 */
struct columns {
	bool lab;
	int now, id, alg, sport, dport, branch, cwnd, delay, target, base, losses;
};

static void find_columns(struct csv *c, struct columns *at)
{
	at->lab = csv_find(c, "t") != CSV_NONE;
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

static struct track *find_track(struct decisions *all, struct csv *c, const char *name,
				const char *alg)
{
	struct track *track;
	u32 i;

	for (i = all->tracks; i-- > 0;)
		if (!strcmp(all->track[i].name, name) && !strcmp(all->track[i].alg, alg))
			return &all->track[i];
	if (all->tracks == FLOWS_MOST)
		csv_fail(c, "more than %u flows", FLOWS_MOST);
	all->track = reallocarray(all->track, all->tracks + 1, sizeof(*all->track));
	if (!all->track)
		fail("no memory for %u flows", all->tracks + 1);
	track = &all->track[all->tracks++];
	memset(track, 0, sizeof(*track));
	snprintf(track->name, sizeof(track->name), "%s", name);
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
		fail("no memory for the names of rules");
	csv_open(&c, path);
	find_columns(&c, &at);
	while (csv_next(&c))
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
