// SPDX-License-Identifier: GPL-2.0
/*
 * Recorded mode: every row is one decision of the reference. The algorithm is given
 * the same state and the same event; is its decision the same?
 */
#include "csv.h"
#include "alg_nscc.h"
#include "recorded.h"
#include "replay.h"
#include "rules.h"

#define SHOWN		20	/* mismatches told one by one */
#define TIME_MAX	(1ULL << 60)	/* ps: 13 days, room to reckon with */
#define DELAY_MAX	(U32_MAX * PS_PER_NS)
#define NET_MAX		1000000000000ULL	/* ps: a second, the knobs' */
#define SPEED_MAX	4000000000000ULL	/* bit/s: the knob line_rate_mbps' */
#define PACKET_MAX	65535			/* IP's */
#define SEE_COLUMNS	"; replay nscc --recorded --columns lists all"

/* Those of the reference's own test cases; the target must be told. */
u64 setting[SETTINGS] = {
	[NETWORK_RTT_PS] = 14022720,
	[LINKSPEED_BPS] = 100000000000,
	[MTU] = 4150,
	[MSS] = 4086,
};

#define SETTING(name_, unit_, low_, high_, deflt_, help_) {		\
	.name = name_, .unit = unit_, .low = low_, .high = high_,	\
	.deflt = deflt_, .help = help_, .size = sizeof(u64),		\
}

static const struct field setting_field[SETTINGS] = {
	[NETWORK_RTT_PS] = SETTING("network_rtt_ps", "ps", PS_PER_NS, NET_MAX,
				   "14022720", "RTT of the idle network, R"),
	[LINKSPEED_BPS] = SETTING("linkspeed_bps", "bit/s", 1000000,
				  SPEED_MAX, "100000000000", "line rate"),
	[MTU] = SETTING("mtu", "bytes", 1, PACKET_MAX, "4150", "a full packet"),
	[MSS] = SETTING("mss", "bytes", 1, PACKET_MAX, "4086", "payload of it"),
	[TARGET_QDELAY_PS] = SETTING("target_qdelay_ps", "ps", PS_PER_NS,
				     NET_MAX, "must be given",
				     "queueing delay aimed at"),
};

/* Knobs that the settings above stand for, or that mean nothing here. */
static const char *const taken[][2] = {
	{ "network_rtt_ns", "network_rtt_ps" },
	{ "target_qdelay_ns", "target_qdelay_ps" },
	{ "line_rate_mbps", "linkspeed_bps" },
	{ "init_cwnd", "the column pre_cwnd" },
	{ "max_window", "the column maxwnd" },
};

#define COLUMN(name_, unit_, low_, high_, help_) {			\
	.name = name_, .unit = unit_, .low = low_, .high = high_,	\
	.help = help_, .size = sizeof(u64),				\
}

static const struct field event_field[PRE] = {
	[NOW] = COLUMN("now_ps", "ps", 0, TIME_MAX, "the time"),
	[FLOW] = COLUMN("flow", "-", 0, U64_MAX, "which flow; may be absent"),
	[ECN] = COLUMN("ecn", "0 or 1", 0, 1, "marked?"),
	[DELAY] = COLUMN("delay_ps", "ps", 0, DELAY_MAX, "queuing delay"),
	[BYTES] = COLUMN("bytes", "bytes", 0, U32_MAX, "delivered or lost"),
	[IN_FLIGHT] = COLUMN("in_flight", "bytes", 0, U32_MAX, "in flight"),
	[BASE_RTT] = COLUMN("base_rtt_ps", "ps", PS_PER_NS, NET_MAX,
			    "base RTT of the flow"),
	[MAXWND] = COLUMN("maxwnd", "bytes", 1, U32_MAX, "largest window"),
};

/* The state's columns: limits of each part; before and after alike. */
static const struct field part_field[PARTS] = {
	[CWND] = COLUMN("cwnd", "bytes", 1, U32_MAX, "window"),
	[AVG] = COLUMN("avg_delay_ps", "ps", 0, DELAY_MAX, "average delay"),
	[INC] = COLUMN("inc_bytes", "byte^2", 0, 1ULL << 62,
		       "increases collected"),
	[RECEIVED] = COLUMN("received", "bytes", 0, U32_MAX,
			    "since increases last took effect"),
	[ACHIEVED] = COLUMN("achieved", "bytes", 0, U32_MAX,
			    "in this quick-adapt period"),
	[FI_COUNT] = COLUMN("fi_count", "bytes", 0, U32_MAX,
			    "in a row with next to no queue"),
	[INCREASE] = COLUMN("increase", "0 or 1", 0, 1, "fast increase?"),
	[TRIGGER] = COLUMN("trigger_qa", "0 or 1", 0, 1, "packet lost?"),
	[QA_END] = COLUMN("qa_end_ps", "ps", 0, TIME_MAX,
			  "end of the quick-adapt period"),
	[TO_IGNORE] = COLUMN("to_ignore", "bytes", 0, U32_MAX,
			     "stale news expected"),
	[IGNORED] = COLUMN("ignored", "bytes", 0, TIME_MAX,
			   "bytes heard of since the last quick adapt"),
	[LAST_DEC] = COLUMN("last_dec_ps", "ps", 0, TIME_MAX,
			    "last decrease"),
	[LAST_ADJ] = COLUMN("last_adj_ps", "ps", 0, TIME_MAX,
			    "when eta was last added"),
};

/**
 * struct recording - a file on its way
 * @csv: the file
 * @type: column of A or N
 * @column: all others
 * @out: where results go
 * @state: print every row's outcome, too?
 * @mismatches: rows that differ
 * @ties: rows that differ by rounding alone
 * @wraps: rows that differ by the reference's 32 bits alone
 */
struct recording {
	struct csv csv;
	FILE *out;
	bool state;
	int type;
	int column[COLUMNS];
	size_t mismatches;
	size_t ties;
	size_t wraps;
};

bool recorded_has(const struct alg *alg)
{
	return alg->of->bit == 1U << NSCC_NSCC && alg->of->knob == nscc_knob;
}

/* What a recording has in the place of a knob; NULL: nothing. */
const char *recorded_instead(const char *knob)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(taken[i][0], knob))
			return taken[i][1];
	return NULL;
}

/* Set one of the recording's constants; false if it is none. */
bool recorded_set(const char *name, const char *text)
{
	const char *instead = recorded_instead(name);
	const struct field *f;
	u64 v;
	u32 i;

	if (instead)
		fail("knob '%s': in a recording %s stands for it", name,
		     instead);
	for (i = 0; i < SETTINGS; i++)
		if (!strcmp(setting_field[i].name, name))
			break;
	if (i == SETTINGS)
		return false;
	f = &setting_field[i];
	if (text_number(text, &v) || v < f->low || v > f->high)
		fail("%s: '%s' is not allowed; allowed: %llu to %llu (%s)",
		     name, text, (unsigned long long)f->low,
		     (unsigned long long)f->high, f->unit);
	setting[i] = v;
	return true;
}

/* What --set takes on top of the knobs. */
void recorded_settings(FILE *out)
{
	fprintf(out, "%-22s %-14s %-25s %-16s %s\n", "constant", "unit",
		"allowed", "default", "meaning");
	field_list(setting_field, SETTINGS, "", out);
	fputc('\n', out);
}

/* The columns of a recording. */
void recorded_columns(FILE *out)
{
	fprintf(out, "%-22s %-14s %-25s %-16s %s\n", "column", "unit",
		"allowed", "if absent", "meaning");
	fprintf(out, "%-22s %-14s %-25s %-16s %s\n", "type", "word", "A, N",
		"-", "an ACK, or a packet lost");
	field_list(event_field, PRE, "", out);
	field_list(part_field, PARTS, "pre_", out);
	field_list(part_field, PARTS, "post_", out);
}

/* Limits of a column. */
static const struct field *field_of(u32 column)
{
	if (column < PRE)
		return &event_field[column];
	return &part_field[(column - PRE) % PARTS];
}

static int find_column(struct csv *c, u32 column)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s",
		 column < PRE ? "" : column < POST ? "pre_" : "post_",
		 field_of(column)->name);
	if (column != FLOW && csv_find(c, name) == CSV_NONE)
		csv_fail(c, "column '%s' is missing" SEE_COLUMNS,
			 name);
	return csv_find(c, name);
}

/* All columns are needed, but for the flow's, and none is unknown. */
static void find_columns(struct recording *f)
{
	bool known[CSV_COLUMNS] = { false };
	int i;

	f->type = csv_find(&f->csv, "type");
	if (f->type == CSV_NONE)
		csv_fail(&f->csv, "column 'type' is missing" SEE_COLUMNS);
	known[f->type] = true;
	for (i = 0; i < COLUMNS; i++) {
		f->column[i] = find_column(&f->csv, (u32)i);
		if (f->column[i] != CSV_NONE)
			known[f->column[i]] = true;
	}
	for (i = 0; i < f->csv.count; i++)
		if (!known[i])
			csv_fail(&f->csv, "unknown column '%s'" SEE_COLUMNS,
				 f->csv.column[i]);
}

static void read_record(struct recording *f, struct record *r)
{
	struct csv *c = &f->csv;
	u32 i;

	r->loss = !strcmp(c->cell[f->type], "N");
	if (!r->loss && strcmp(c->cell[f->type], "A"))
		csv_bad(c, f->type, "is no type; allowed: A, N");
	for (i = 0; i < COLUMNS; i++)
		r->value[i] = f->column[i] == CSV_NONE ? 0 :
			csv_number(c, f->column[i], field_of(i)->low,
				   field_of(i)->high);
}

/* Judge an outcome; *why is the caller's to free. */
static enum verdict judge(const struct record *r, const struct outcome *o,
			  char **why)
{
	size_t size;
	FILE *text = open_memstream(why, &size);
	enum verdict v;

	if (!text)
		fail("no memory for a row");
	v = record_judge(r, o, text);
	if (fclose(text))
		fail("no memory for a row");
	return v;
}

/*
 * Does another way of rounding the times make the row agree? All combinations
 * of down and up; which times to round up, 0: none helps.
 */
static u32 find_tie(const struct record *r)
{
	u32 all = record_fractions(r), up;
	struct outcome o;
	enum verdict v;
	char *why;

	for (up = (0 - all) & all; up; up = (up - all) & all) {
		record_replay(r, up, &o);
		v = judge(r, &o, &why);
		free(why);
		if (v != DIFFERENT)
			return up;
	}
	return 0;
}

static void print_where(const struct recording *f, const struct record *r)
{
	fprintf(f->out, "%s:%zu: row %zu (%s): ", f->csv.name, f->csv.line,
		f->csv.row, r->loss ? "N" : "A");
}

static void print_tie(const struct recording *f, u32 up, const char *why)
{
	const char *comma = "";
	u32 i;

	fprintf(f->out, "tie: %s; none of it with", why);
	for (i = 0; i < ROUNDED; i++)
		if (up >> i & 1) {
			fprintf(f->out, "%s %s", comma, rounded_name[i]);
			comma = ",";
		}
	fputs(" rounded up\n", f->out);
}

/* Count what a row came to, and tell it unless all is well. */
static void tell(struct recording *f, const struct record *r, enum verdict v,
		 const char *why)
{
	u32 up = v == DIFFERENT ? find_tie(r) : 0;

	if (v == SAME)
		return;
	if (v == DIFFERENT && !up && f->mismatches++ >= SHOWN)
		return;
	print_where(f, r);
	if (v == WRAP) {
		f->wraps++;
		fprintf(f->out, "wrap: %s; the reference's inc_bytes passed 2^32\n",
			why);
	} else if (up) {
		f->ties++;
		print_tie(f, up, why);
	} else {
		fprintf(f->out, "%s\n", why);
	}
}

static void print_state_header(const struct recording *f)
{
	u32 i;

	fputs("row,type,branch,recorded_branch", f->out);
	for (i = 0; i < PARTS; i++)
		if (i != IGNORED)
			fprintf(f->out, ",%s", part_name[i]);
	fputc('\n', f->out);
}

/* A row's outcome in the recording's units; the window with its fraction. */
static void print_state(const struct recording *f, const struct record *r,
			const struct outcome *o)
{
	char got[RULE_TEXT], want[RULE_TEXT];
	u32 i;

	rule_name("nscc", o->branch, got, sizeof(got));
	rule_name("nscc", record_branch(r), want, sizeof(want));
	fprintf(f->out, "%zu,%s,%s,%s", f->csv.row, r->loss ? "N" : "A", got,
		want);
	for (i = 0; i < PARTS; i++) {
		if (i == IGNORED)
			continue;
		fprintf(f->out, ",%llu", (unsigned long long)o->part[i]);
		if (i == CWND)
			fprintf(f->out, ".%03llu", (unsigned long long)
				((o->cwnd_256 & 255) * 1000 >> 8));
	}
	fputc('\n', f->out);
}

static void replay_row(struct recording *f)
{
	struct outcome o;
	struct record r;
	enum verdict v;
	char *why;

	read_record(f, &r);
	record_replay(&r, 0, &o);
	if (f->state)
		print_state(f, &r, &o);
	v = judge(&r, &o, &why);
	tell(f, &r, v, why + (v == SAME ? 0 : strlen("; ")));
	free(why);
}

static void print_sums(const struct recording *f)
{
	if (f->mismatches > SHOWN)
		fprintf(f->out, "and %zu rows more that differ\n",
			f->mismatches - SHOWN);
	if (f->wraps)
		fprintf(f->out, "wraps %zu\n", f->wraps);
	fprintf(f->out, "rows %zu mismatches %zu ties %zu\n", f->csv.row,
		f->mismatches, f->ties);
}

/**
 * recorded_run() - replay a recording
 * @alg: nscc, its knobs set
 * @path: the file; "-" is the standard input
 * @state: print every row's outcome, too?
 * @out: where to print
 *
 * Return: true if no row differs.
 */
bool recorded_run(const struct alg *alg, const char *path, bool state,
		  FILE *out)
{
	struct recording f = { .out = out, .state = state };

	if (!setting[TARGET_QDELAY_PS])
		fail("%s --recorded: the target is missing: --set target_qdelay_ps=PS",
		     alg->of->name);
	csv_open(&f.csv, path);
	find_columns(&f);
	if (state)
		print_state_header(&f);
	while (csv_next(&f.csv))
		replay_row(&f);
	if (!f.csv.row)
		fail("%s: no row below the names of the columns", f.csv.name);
	print_sums(&f);
	csv_close(&f.csv);
	return !f.mismatches;
}
