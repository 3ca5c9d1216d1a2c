// SPDX-License-Identifier: GPL-2.0
/*
 * Batches mode: each row is a closed batch of oscar, with the share of the link
 * before it; it is printed again with the share, window and pacing after it.
 */
#include "../../common/math/dcc_wide.h"
#include "csv.h"
#include "alg_oscar.h"
#include "replay.h"

#define MAX_MSS		65535
#define BYTES_PER_MBIT	(1000000 / 8)
#define SEE_COLUMNS	"; replay oscar --batches --columns lists all"
#define U_DIGITS	15	/* OSCAR_ONE */
#define G_DIGITS	9	/* DCC_LSQ_ONE */
#define G_MOST		1000000
#define RATE_MOST	1000000000000000ULL	/* bit/s: 250 times the knob's */

enum batch_column { N, SPAN, DELAY, GRADIENT, INFLIGHT, RATE, U, COLUMNS };

/**
 * struct column - what a file must have
 * @name: of the column
 * @unit: of its values
 * @allowed: what they may be, in words; NULL: from @low to @high
 * @help: meaning, one line
 * @low: smallest value allowed; of fractions in their last place
 * @high: largest
 * @digits: decimals that are kept; 0: whole numbers
 */
static const struct column {
	const char *name;
	const char *unit;
	const char *allowed;
	const char *help;
	s64 low;
	s64 high;
	u32 digits;
} columns[COLUMNS] = {
	[N] = { "n", "packets", NULL, "packets of the batch; fewer than 3 decide nothing",
		1, U32_MAX, 0 },
	[SPAN] = { "span_ns", "ns", NULL, "from the first sent to the last",
		   0, U32_MAX, 0 },
	[DELAY] = { "delay_ns", "ns", NULL, "D, mean delay", 0, U32_MAX, 0 },
	[GRADIENT] = { "gradient", "-", "-1000000 to 1000000, fractions too",
		       "g, growth of the delay over time",
		       -(s64)G_MOST * DCC_LSQ_ONE, (s64)G_MOST * DCC_LSQ_ONE,
		       G_DIGITS },
	[INFLIGHT] = { "inflight_pkts", "packets", NULL,
		       "I, mean in flight when they were sent", 0, U32_MAX, 0 },
	[RATE] = { "rate_bps", "bit/s", NULL, "how fast they were sent",
		   0, RATE_MOST, 0 },
	[U] = { "u", "-", "above 0, up to 1, fractions too",
		"share of the link before", 1, OSCAR_ONE, U_DIGITS },
};

static u32 packet = 1448;	/* as plain mode has it */

bool batches_has(const struct alg *alg)
{
	return alg->of->knob == oscar_knob;
}

/* Set the constant that is no knob; false if it is none. */
bool batches_set(const char *name, const char *text)
{
	u64 v;

	if (strcmp(name, "mss"))
		return false;
	if (text_number(text, &v) || !v || v > MAX_MSS)
		fail("constant 'mss': '%s' is not allowed; allowed: 1 to %u (bytes)",
		     text, MAX_MSS);
	packet = (u32)v;
	return true;
}

void batches_settings(FILE *out)
{
	fprintf(out, "%-18s %-14s %-28s %-8s %s\n", "constant", "unit",
		"allowed", "default", "meaning");
	fprintf(out, "%-18s %-14s 1 to %-23u %-8u %s\n\n", "mss", "bytes",
		MAX_MSS, packet, "a packet");
}

static void range_of(const struct column *c, char *text, size_t size)
{
	if (c->allowed)
		snprintf(text, size, "%s", c->allowed);
	else
		snprintf(text, size, "%lld to %lld", (long long)c->low,
			 (long long)c->high);
}

void batches_columns(FILE *out)
{
	char range[64];
	u32 i;

	fprintf(out, "%-16s %-10s %-36s %s\n", "column", "unit", "allowed",
		"meaning");
	for (i = 0; i < COLUMNS; i++) {
		range_of(&columns[i], range, sizeof(range));
		fprintf(out, "%-16s %-10s %-36s %s\n", columns[i].name,
			columns[i].unit, range, columns[i].help);
	}
}

/* All that is needed, and nothing else: a misspelt column would be both. */
static void find_columns(struct csv *c, int *at)
{
	u32 i;
	int k;

	for (k = 0; k < c->count; k++) {
		for (i = 0; i < COLUMNS; i++)
			if (!strcmp(c->column[k], columns[i].name))
				break;
		if (i == COLUMNS)
			csv_fail(c, "unknown column '%s'" SEE_COLUMNS,
				 c->column[k]);
	}
	for (i = 0; i < COLUMNS; i++) {
		at[i] = csv_find(c, columns[i].name);
		if (at[i] == CSV_NONE)
			csv_fail(c, "column '%s' is missing" SEE_COLUMNS,
				 columns[i].name);
	}
}

static void read_row(struct csv *c, const int *at, s64 *value)
{
	char range[64];
	u32 i;

	for (i = 0; i < COLUMNS; i++) {
		const struct column *col = &columns[i];

		range_of(col, range, sizeof(range));
		if (col->digits)
			value[i] = csv_decimal(c, at[i], col->digits, col->low,
					       col->high, range);
		else
			value[i] = (s64)csv_number(c, at[i], (u64)col->low,
						   (u64)col->high);
	}
	if ((u64)value[INFLIGHT] * packet > U32_MAX)
		csv_bad(c, at[INFLIGHT], "times mss %u is out of range; allowed: up to %u bytes",
			packet, U32_MAX);
}

/* Algorithm 1's result, as the row has it. */
static struct oscar_estimate estimate_of(const s64 *value)
{
	return (struct oscar_estimate) {
		.delay = (u64)value[DELAY] << DCC_LSQ_MEAN_SHIFT,
		.inflight = ((u64)value[INFLIGHT] * packet) << DCC_CWND_SHIFT,
		.rate = (u64)value[RATE],
		.gradient = value[GRADIENT],
		.span_ns = (u32)value[SPAN],
	};
}

/* The share before the batch, and what it makes of it. */
static void replay_batch(struct oscar *o, const struct oscar_params *p,
			 const s64 *value)
{
	struct oscar_estimate e = estimate_of(value);
	u64 least = (u64)oscar_replay_knobs.u_min * OSCAR_MILLIONTH;

	oscar_set_share(o, p, (u64)value[U]);
	if (value[N] < OSCAR_LEAST_COUNT)
		return;
	oscar_update(o, &oscar_replay_knobs, p, &e);
	oscar_set_share(o, p, clamp_t(u64, o->u, least, OSCAR_ONE));
}

/* What was there, and what follows: all to the nearest. */
static void print_row(const struct csv *c, const struct oscar *o, FILE *out)
{
	u64 millionths = (o->u + OSCAR_MILLIONTH / 2) / OSCAR_MILLIONTH;
	u64 bits = dcc_mul_div(o->u, o->line_rate * BITS_PER_BYTE, OSCAR_ONE);
	u64 half = 1U << (DCC_CWND_SHIFT - 1);
	int i;

	for (i = 0; i < c->count; i++)
		fprintf(out, "%s,", c->cell[i]);
	fprintf(out, "%llu.%06llu,%llu,%llu\n",
		(unsigned long long)(millionths / 1000000),
		(unsigned long long)(millionths % 1000000),
		(unsigned long long)((o->cwnd + half) >> DCC_CWND_SHIFT),
		(unsigned long long)bits);
}

/* What the knobs must tell: there is no flow that could. */
static void check_constants(const struct oscar_knobs *k)
{
	if (!k->flow.line_rate_mbps)
		fail("--batches: knob 'line_rate_mbps' is 0; allowed: 1 to 4000000");
	if (!k->base_rtt_ns)
		fail("--batches: knob 'base_rtt_ns' is 0; allowed: 1 to 1000000000");
}

/**
 * batches_run() - replay a file
 * @path: the file; "-" is the standard input
 * @out: where to print
 */
void batches_run(const char *path, FILE *out)
{
	const struct oscar_knobs *k = &oscar_replay_knobs;
	u64 line_rate = (u64)k->flow.line_rate_mbps * BYTES_PER_MBIT;
	int at[COLUMNS], i;
	struct oscar_params p;
	struct oscar o;
	struct csv c;
	s64 value[COLUMNS];

	check_constants(k);
	oscar_params_set(&p, k, 0, line_rate);
	csv_open(&c, path);
	find_columns(&c, at);
	for (i = 0; i < c.count; i++)
		fprintf(out, "%s,", c.column[i]);
	fputs("u_after,cwnd_bytes,pacing_bps\n", out);
	while (csv_next(&c)) {
		read_row(&c, at, value);
		oscar_init(&o, k, line_rate, 0);
		replay_batch(&o, &p, value);
		print_row(&c, &o, out);
	}
	if (!c.row)
		fail("%s: no row below the names of the columns", c.name);
	csv_close(&c);
}
