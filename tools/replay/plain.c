// SPDX-License-Identifier: GPL-2.0
/*
 * Plain mode: each row is one event of one flow, in the units of struct
 * dcc_sample; what the algorithm decides is printed as a row.
 */
#include "csv.h"
#include "replay.h"
#include "rules.h"

#define DEFAULT_MSS	1448	/* Ethernet's 1500 B, IPv4, time stamps */
#define MAX_MSS		65535	/* algorithms reckon with 16 bits */
#define BYTES_PER_MBIT	(1000000 / 8)

enum sample_field {
	NOW, SENT, DELAY, BASE_RTT, SRTT, ACKED, ACKED_BYTES, CE, LOSSES,
	LOST_RUN, INFLIGHT, FLIGHT, LINE_RATE, MSS, CWND_LIMITED,
	APP_LIMITED, FILLS, MAYBE_DELAYED, RECOVERY, DRAINS, NO_ECN, SPRAYED, PRIORITY, DSCP,
	SMALL, HOSTS, SAMPLE_FIELDS
};

#define SAMPLE(member, unit, low, high, deflt, help) \
	FIELD(struct dcc_sample, member, #member, unit, low, high, deflt, help)

static const struct field sample_field[SAMPLE_FIELDS] = {
	[NOW] = SAMPLE(now_ns, "ns", 0, U64_MAX, "must be given", "the time"),
	[SENT] = SAMPLE(sent_ns, "ns", 0, U64_MAX, "now_ns-delay_ns",
			"when the newest packet delivered was sent"),
	[DELAY] = SAMPLE(delay_ns, "ns", 0, U32_MAX, "0",
			 "its delay; 0: not measured"),
	[BASE_RTT] = SAMPLE(base_rtt_ns, "ns", 0, U32_MAX, "least delay yet",
			    "the flow's base RTT; 0: not known"),
	[SRTT] = SAMPLE(srtt_ns, "ns", 0, U32_MAX, "last delay",
			"smoothed RTT; 0: not known"),
	[ACKED] = SAMPLE(acked, "packets", 0, U32_MAX, "1",
			 "newly delivered"),
	[ACKED_BYTES] = SAMPLE(acked_bytes, "bytes", 0, U32_MAX, "acked*mss",
			       "the same in bytes"),
	[CE] = SAMPLE(ce, "packets", 0, U32_MAX, "0",
		      "of them, marked Congestion Experienced"),
	[LOSSES] = SAMPLE(losses, "packets", 0, U32_MAX, "0; of a rto: 1",
			  "newly declared lost, or given up by the timeout"),
	[LOST_RUN] = SAMPLE(lost_run, "packets", 0, U32_MAX, "0",
			    "longest run of successive lost packets"),
	[INFLIGHT] = SAMPLE(inflight, "bytes", 0, U32_MAX, "as flight",
			    "in flight when the newest packet was sent"),
	[FLIGHT] = SAMPLE(flight, "bytes", 0, U32_MAX, "the window",
			  "in flight now"),
	[LINE_RATE] = SAMPLE(line_rate, "bytes/s", 0, U64_MAX,
			     "line_rate_mbps", "of the egress device; 0: not known"),
	[MSS] = SAMPLE(mss, "bytes", 1, MAX_MSS, "1448",
		       "payload of a full packet"),
	[CWND_LIMITED] = SAMPLE(cwnd_limited, "0 or 1", 0, 1, "1",
				"did the window hold the sender back?"),
	[APP_LIMITED] = SAMPLE(app_limited, "0 or 1", 0, 1, "0",
			       "was the application slower than the network?"),
	[FILLS] = SAMPLE(fills, "0 or 1", 0, 1, "0",
			 "did the newest packet leave before any ACK of its flight?"),
	[MAYBE_DELAYED] = SAMPLE(maybe_delayed, "0 or 1", 0, 1, "0",
				 "may the ACK have waited at the receiver?"),
	[RECOVERY] = SAMPLE(recovery, "0 or 1", 0, 1, "0",
			    "did fast recovery begin?"),
	[DRAINS] = SAMPLE(drains, "0 or 1", 0, 1, "0",
			"does the window drain the queue, or did it when the packet left?"),
	[NO_ECN] = SAMPLE(no_ecn, "0 or 1", 0, 1, "0",
			  "is the connection without ECN?"),
	[SPRAYED] = SAMPLE(sprayed, "0 or 1", 0, 1, "0",
			   "do its packets take several paths?"),
	[PRIORITY] = SAMPLE(priority, "number", 0, U32_MAX, "0",
			    "the socket's SO_PRIORITY"),
	[DSCP] = SAMPLE(dscp, "number", 0, 63, "0",
			"its differentiated services code point"),
	[SMALL] = SAMPLE(small, "0 or 1", 0, 1, "0; of a begin: 1",
			 "has the algorithm the memory of a small flow?"),
	[HOSTS] = SAMPLE(hosts_ns, "ns", 0, U32_MAX, "0",
			 "what the hosts delay packets by, which is no queue"),
};

/*
 * What the kernel decided, as dccstat records it: not read, but printed beside what
 * the algorithm decides here.
 */
static const char *const was_column[] = {
	"was_alg", "was_sport", "was_dport", "was_branch", "was_cwnd_bytes",
	"was_delay_ns", "was_target_ns", "was_pacing", "was_share", "was_gradient",
};

enum event_kind { ACK, RTO, IDLE, BEGIN, PROBE, START, EVENTS };

static const char *const event_name[EVENTS] = {
	"ack", "rto", "idle", "begin", "probe", "start",
};

/* The last two are of algorithms that probe. */
static u32 event_count(const struct alg *alg)
{
	return alg->of->on_probe ? EVENTS : PROBE;
}

static const char *event_list(const struct alg *alg)
{
	return alg->of->on_probe ? "ack, rto, idle, begin, probe, start" :
			       "ack, rto, idle, begin";
}

/**
 * struct plain - a file on its way through an algorithm
 * @alg: the algorithm
 * @csv: the file
 * @out: where results go
 * @state: print the state before each event, too?
 * @event: column of the event
 * @history: column of the history to load
 * @sample: columns of the sample's fields
 * @pre: columns of the state's fields
 * @was: columns of the kernel's decisions
 * @last_ns: time of the row before
 * @least_ns: least delay yet; 0: none
 * @delay_ns: last delay; 0: none
 */
struct plain {
	const struct alg *alg;
	struct csv csv;
	FILE *out;
	bool state;
	int event;
	int history;
	int sample[SAMPLE_FIELDS];
	int pre[ALG_FIELDS];
	int was[ARRAY_SIZE(was_column)];
	u64 last_ns;
	u32 least_ns;
	u32 delay_ns;
};

/* The columns a file may have. */
void plain_columns(const struct alg *alg, FILE *out)
{
	u32 i;

	fprintf(out, "%-22s %-14s %-28s %-16s %s\n", "column", "unit",
		"allowed", "if absent", "meaning");
	fprintf(out, "%-22s %-14s %-28s %-16s %s\n", "event", "word",
		event_list(alg), "ack", "what happened");
	field_list(sample_field, SAMPLE_FIELDS, "", out);
	field_list(alg->field, alg->fields, "pre_", out);
	for (i = 0; i < ARRAY_SIZE(was_column); i++)
		fprintf(out, "%-22s %-14s %-28s %-16s %s\n", was_column[i], "-",
			"any", "-", "what the kernel decided: printed beside");
	if (alg->history_room)
		fprintf(out, "%-22s %-14s %-28s %-16s %s\n", "pre_history",
			"ns", "delays, blanks between", "-",
			"recent delays, oldest first, instead of those kept");
}

/* Column of a field, which must not be forgotten to be looked for. */
static int find_pre(struct csv *c, const char *field)
{
	char name[64];

	snprintf(name, sizeof(name), "pre_%s", field);
	return csv_find(c, name);
}

/* Note where everything is; @known counts what was found. */
static int find_columns(struct plain *p)
{
	int known = 0;
	u32 i;

	p->event = csv_find(&p->csv, "event");
	p->history = CSV_NONE;
	if (p->alg->history_room)
		p->history = find_pre(&p->csv, "history");
	known += (p->event != CSV_NONE) + (p->history != CSV_NONE);
	for (i = 0; i < SAMPLE_FIELDS; i++) {
		p->sample[i] = csv_find(&p->csv, sample_field[i].name);
		known += p->sample[i] != CSV_NONE;
	}
	for (i = 0; i < p->alg->fields; i++) {
		p->pre[i] = find_pre(&p->csv, p->alg->field[i].name);
		known += p->pre[i] != CSV_NONE;
	}
	for (i = 0; i < ARRAY_SIZE(was_column); i++) {
		p->was[i] = csv_find(&p->csv, was_column[i]);
		known += p->was[i] != CSV_NONE;
	}
	return known;
}

static bool is_used(const struct plain *p, int column)
{
	u32 i;

	if (column == p->event || column == p->history)
		return true;
	for (i = 0; i < SAMPLE_FIELDS; i++)
		if (column == p->sample[i])
			return true;
	for (i = 0; i < p->alg->fields; i++)
		if (column == p->pre[i])
			return true;
	for (i = 0; i < ARRAY_SIZE(was_column); i++)
		if (column == p->was[i])
			return true;
	return false;
}

/* A misspelt column would be a default in silence: all must be known. */
static void check_columns(struct plain *p)
{
	const char *alg = p->alg->of->name;
	int i, known = find_columns(p);

	for (i = 0; known < p->csv.count && i < p->csv.count; i++)
		if (!is_used(p, i))
			csv_fail(&p->csv, "unknown column '%s'; replay %s --columns lists all",
				 p->csv.column[i], alg);
	if (p->sample[NOW] == CSV_NONE)
		csv_fail(&p->csv, "column 'now_ns' is missing");
	if (p->sample[DELAY] == CSV_NONE)
		csv_fail(&p->csv, "column 'delay_ns' is missing");
}

static enum event_kind read_event(struct plain *p)
{
	u32 i;

	if (!csv_given(&p->csv, p->event))
		return ACK;
	for (i = 0; i < event_count(p->alg); i++)
		if (!strcmp(p->csv.cell[p->event], event_name[i]))
			return i;
	csv_bad(&p->csv, p->event, "is no event; allowed: %s",
		event_list(p->alg));
}

/* Times go up, unless each row brings its own state. */
static void check_time(struct plain *p, u64 now_ns)
{
	u32 i;

	for (i = 0; i < p->alg->fields; i++)
		if (p->pre[i] != CSV_NONE)
			return;
	if (now_ns < p->last_ns)
		csv_bad(&p->csv, p->sample[NOW],
			"is before the row above; allowed: from %llu on",
			(unsigned long long)p->last_ns);
	p->last_ns = now_ns;
}

/* The knob of that name, 0 if the algorithm has none. */
static u32 knob_value(const struct alg *alg, const char *name)
{
	u32 i;

	for (i = 0; i < alg->of->knobs; i++)
		if (!strcmp(alg->of->knob[i].name, name))
			return alg->value[i];
	return 0;
}

/* Delays not given follow from those that were. */
static void default_times(struct plain *p, struct dcc_sample *s)
{
	if (!csv_given(&p->csv, p->sample[SENT]) && s->delay_ns <= s->now_ns)
		s->sent_ns = s->delay_ns ? s->now_ns - s->delay_ns : 0;
	if (s->delay_ns) {
		p->delay_ns = s->delay_ns;
		if (!p->least_ns || s->delay_ns < p->least_ns)
			p->least_ns = s->delay_ns;
	}
	if (!csv_given(&p->csv, p->sample[BASE_RTT]))
		s->base_rtt_ns = p->least_ns;
	if (!csv_given(&p->csv, p->sample[SRTT]))
		s->srtt_ns = p->delay_ns;
}

/* Bytes and rate not given follow from packets and the knob. */
static void default_bytes(struct plain *p, struct dcc_sample *s)
{
	struct csv *c = &p->csv;

	if (!csv_given(c, p->sample[ACKED_BYTES]) &&
	    __builtin_mul_overflow(s->acked, s->mss, &s->acked_bytes))
		csv_fail(c, "acked %u times mss %u is out of range; allowed: up to %u",
			 s->acked, s->mss, U32_MAX);
	if (!csv_given(c, p->sample[LINE_RATE]))
		s->line_rate = (u64)knob_value(p->alg, "line_rate_mbps") *
			       BYTES_PER_MBIT;
}

/* The window as a decision states it, for packets of @mss bytes. */
static u64 alg_window(const struct alg *alg, u32 mss)
{
	return alg->of->window(alg->flow, mss);
}

/* Once the state is loaded: the window, whole packets or not, is out. */
static void default_flight(struct plain *p, struct dcc_sample *s)
{
	u64 window = alg_window(p->alg, s->mss) >> DCC_CWND_SHIFT;

	if (!csv_given(&p->csv, p->sample[FLIGHT]))
		s->flight = (u32)min_t(u64, window, U32_MAX);
	if (!csv_given(&p->csv, p->sample[INFLIGHT]))
		s->inflight = s->flight;
}

/* What the row says, and the documented defaults for what it does not say. */
static void read_sample(struct plain *p, enum event_kind event,
			struct dcc_sample *s)
{
	struct csv *c = &p->csv;
	u32 i;

	memset(s, 0, sizeof(*s));
	s->acked = 1;
	s->mss = DEFAULT_MSS;
	s->cwnd_limited = true;
	s->losses = event == RTO;
	s->small = event == BEGIN;
	if (!csv_given(c, p->sample[NOW]))
		csv_bad(c, p->sample[NOW], "is not a number; every row needs its time");
	for (i = 0; i < SAMPLE_FIELDS; i++) {
		const struct field *f = &sample_field[i];

		if (csv_given(c, p->sample[i]))
			field_set(s, f, csv_number(c, p->sample[i], f->low,
						   f->high));
	}
	if (event == BEGIN) {		/* these were of the flow before */
		p->least_ns = 0;
		p->delay_ns = 0;
	}
	default_times(p, s);
	default_bytes(p, s);
}

#define HISTORY	"column 'pre_history': "

/* A cell of delays: "1000 1200 900". */
static void load_history(struct plain *p)
{
	const struct alg *alg = p->alg;
	char *word, *rest;
	u32 n = 0;
	u64 v;

	if (!csv_given(&p->csv, p->history))
		return;
	alg->history_clear();
	word = strtok_r(p->csv.cell[p->history], " ", &rest);
	for (; word; word = strtok_r(NULL, " ", &rest)) {
		if (text_number(word, &v) || !v || v > DCC_Q_MAX_NS)
			csv_fail(&p->csv, HISTORY "'%s' is no delay; allowed: ns, 1 to %u",
				 word, DCC_Q_MAX_NS);
		if (++n > alg->history_room)
			csv_fail(&p->csv, HISTORY "more than %u delays",
				 alg->history_room);
		alg->history_put((u32)v);
	}
}

/* State that the row brings. */
static void load_state(struct plain *p)
{
	u32 i;

	if (p->alg->pull)
		p->alg->pull();
	for (i = 0; i < p->alg->fields; i++) {
		const struct field *f = &p->alg->field[i];

		if (csv_given(&p->csv, p->pre[i]))
			field_set(p->alg->state, f,
				  csv_number(&p->csv, p->pre[i], f->low,
					     f->high));
	}
	if (p->alg->push)
		p->alg->push();
	load_history(p);
}

static void print_header(const struct plain *p)
{
	const struct alg *alg = p->alg;
	u32 i;

	fputs("row,event,branch,cwnd_bytes,cwnd_packets,delay_ns,target_ns",
	      p->out);
	if (alg->of->on_probe)
		fputs(",suspend,probe_delay_ns", p->out);
	for (i = 0; i < ARRAY_SIZE(was_column); i++)
		if (p->was[i] != CSV_NONE)
			fprintf(p->out, ",%s", was_column[i]);
	for (i = 0; p->state && i < alg->fields; i++)
		fprintf(p->out, ",pre_%s", alg->field[i].name);
	for (i = 0; i < alg->fields; i++)
		fprintf(p->out, ",post_%s", alg->field[i].name);
	fputs(alg->history_room ? ",post_history_count\n" : "\n", p->out);
}

static void get_state(const struct alg *alg, u64 *value)
{
	u32 i;

	if (alg->pull)
		alg->pull();
	for (i = 0; i < alg->fields; i++)
		value[i] = field_get(alg->state, &alg->field[i]);
}

static void print_state(const struct plain *p, const u64 *value)
{
	u32 i;

	for (i = 0; i < p->alg->fields; i++)
		fprintf(p->out, ",%llu", (unsigned long long)value[i]);
}

/* 2^-8 bytes to decimals that tell all of them apart. */
static void print_window(const struct plain *p, u64 cwnd, u32 mss)
{
	u64 one = (u64)mss << DCC_CWND_SHIFT;

	fprintf(p->out, ",%llu.%03llu,%llu.%04llu",
		(unsigned long long)(cwnd >> DCC_CWND_SHIFT),
		(unsigned long long)((cwnd & 255) * 1000 >> DCC_CWND_SHIFT),
		(unsigned long long)(cwnd / one),
		(unsigned long long)(cwnd % one * 10000 / one));
}

/* Does the algorithm decide on such an event? */
static bool is_decided(enum event_kind event)
{
	return event != RTO && event != IDLE && event != BEGIN;
}

/* All random waits of a flow are drawn from this, unless pre_random says otherwise. */
#define SEED	1

/*
 * Begin the flow with the knobs as they are, at its first sample. What it has beside its
 * state is new, too: some algorithms leave that to who gives them the memory.
 */
static void alg_start(const struct alg *alg, const struct dcc_sample *s)
{
	if (alg->extra)
		memset(alg->extra, 0, alg->of->extra);
	alg->of->init(alg->of, alg->flow, alg->extra, alg->value, s, SEED);
}

/* Let the algorithm have the event; what is not decided on leaves a window all the same. */
static void apply(const struct alg *alg, enum event_kind event,
		  const struct dcc_sample *s, struct dcc_decision *d)
{
	const struct tool_alg *of = alg->of;

	memset(d, 0, sizeof(*d));
	if (event == ACK)
		of->on_ack(alg->flow, alg->extra, alg->value, s, d);
	else if (event == RTO)
		of->on_rto(alg->flow, alg->extra, alg->value, s);
	else if (event == IDLE)
		of->on_idle(alg->flow, alg->extra, s->now_ns);
	else if (event == BEGIN)
		alg_start(alg, s);
	else if (event == PROBE)
		of->on_probe(alg->flow, alg->value, s, d);
	else
		of->on_first(alg->flow, alg->value, s, d);
	if (!is_decided(event))
		d->cwnd = alg_window(alg, s->mss);
}

/* What an event led to, but for the state; only what is decided on has all of it. */
static void print_decision(const struct plain *p, enum event_kind event,
			   const struct dcc_decision *d, u32 mss)
{
	char branch[RULE_TEXT] = "";
	u32 i;

	if (is_decided(event))
		rule_name(p->alg->of->name, d->branch, branch, sizeof(branch));
	fprintf(p->out, "%zu,%s,%s", p->csv.row, event_name[event], branch);
	print_window(p, d->cwnd, mss);
	if (is_decided(event))
		fprintf(p->out, ",%u,%u", d->delay_ns, d->target_ns);
	else
		fputs(",,", p->out);
	if (p->alg->of->on_probe && is_decided(event))
		fprintf(p->out, ",%u,%llu", d->suspend,
			(unsigned long long)d->probe_delay_ns);
	else if (p->alg->of->on_probe)
		fputs(",,", p->out);
	for (i = 0; i < ARRAY_SIZE(was_column); i++)
		if (p->was[i] != CSV_NONE)
			fprintf(p->out, ",%s", p->csv.cell[p->was[i]]);
}

/* Replay a row and print its line. */
static void replay_row(struct plain *p)
{
	u64 pre[ALG_FIELDS], post[ALG_FIELDS];
	enum event_kind event = read_event(p);
	struct dcc_decision d;
	struct dcc_sample s;

	read_sample(p, event, &s);
	check_time(p, s.now_ns);
	if (p->csv.row == 1 && event != BEGIN)
		alg_start(p->alg, &s);
	load_state(p);
	default_flight(p, &s);
	get_state(p->alg, pre);
	apply(p->alg, event, &s, &d);
	get_state(p->alg, post);
	print_decision(p, event, &d, s.mss);
	if (p->state)
		print_state(p, pre);
	print_state(p, post);
	if (p->alg->history_room)
		fprintf(p->out, ",%u", p->alg->history_count());
	fputc('\n', p->out);
}

/**
 * plain_run() - replay a file
 * @alg: the algorithm, its knobs set
 * @path: the file; "-" is the standard input
 * @state: print the state before each event, too?
 * @out: where to print
 */
void plain_run(const struct alg *alg, const char *path, bool state, FILE *out)
{
	struct plain p = { .alg = alg, .out = out, .state = state };

	csv_open(&p.csv, path);
	check_columns(&p);
	print_header(&p);
	while (csv_next(&p.csv))
		replay_row(&p);
	if (!p.csv.row)
		fail("%s: no row below the names of the columns", p.csv.name);
	csv_close(&p.csv);
}
