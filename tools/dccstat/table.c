// SPDX-License-Identifier: GPL-2.0
/* Tables for people; see table.h. */
#include <arpa/inet.h>

#include "../replay/csv.h"
#include "filter.h"
#include "room.h"
#include "table.h"

#define NOTHING		"-"	/* not known, or not told by this kernel */
#define AMBIGUOUS	"?"	/* traced, but of which flow? */
#define UNLIMITED	(~0ULL)	/* a pacing rate */

#define TOLD_WORD(number, name, word_, help)	{ DCC_INFO_##name, word_ },
const struct told_word told_words[] = {
	DCC_CC_INFO_BITS(TOLD_WORD)
};

const u32 told_word_count = ARRAY_SIZE(told_words);

/* A row more; its cells are empty. */
char (*table_row(struct table *t))[CELL_TEXT]
{
	t->cell = room_for_one(t->cell, t->rows, &t->room, sizeof(*t->cell), "rows");
	memset(t->cell[t->rows], 0, sizeof(*t->cell));
	return t->cell[t->rows++];
}

/* Left-aligned, two blanks between, none at the end. */
void table_print(const struct table *t, FILE *out)
{
	size_t width[TABLE_COLUMNS] = { 0 };
	u32 row, column;

	for (row = 0; row < t->rows; row++)
		for (column = 0; column < t->columns; column++)
			width[column] = max(width[column], strlen(t->cell[row][column]));
	for (row = 0; row < t->rows; row++) {
		for (column = 0; column + 1 < t->columns; column++)
			fprintf(out, "%-*s  ", (int)width[column], t->cell[row][column]);
		fprintf(out, "%s\n", t->cell[row][t->columns - 1]);
	}
}

void table_free(struct table *t)
{
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

/* Four digits that count: 850 ns, 137.2 us, 1.500 ms, 2.000 s. */
static char *text_scaled(double value, u32 step, const char *const *unit, char *text,
			 size_t size)
{
	u32 i = 0;

	while (unit[i + 1] && value >= 999.95) {
		value /= step;
		i++;
	}
	if (!i)
		snprintf(text, size, "%.0f %s", value, unit[i]);
	else
		snprintf(text, size, "%.*f %s", value < 10 ? 2 : 1, value, unit[i]);
	return text;
}

char *text_ns(u64 ns, char *text, size_t size)
{
	static const char *const unit[] = { "ns", "us", "ms", "s", NULL };

	if (!ns)
		snprintf(text, size, NOTHING);
	else
		text_scaled((double)ns, 1000, unit, text, size);
	return text;
}

char *text_rate(u64 bytes_per_s, char *text, size_t size)
{
	static const char *const unit[] = {
		"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s", NULL,
	};

	if (!bytes_per_s || bytes_per_s == UNLIMITED)
		snprintf(text, size, NOTHING);
	else
		text_scaled((double)bytes_per_s * 8, 1000, unit, text, size);
	return text;
}

char *text_share(u64 part, u64 whole, char *text, size_t size)
{
	if (whole)
		snprintf(text, size, "%.2f %%", 100.0 * (double)part / (double)whole);
	else
		snprintf(text, size, NOTHING);
	return text;
}

/* 10.9.0.1:5000, [fd09::1]:5000. */
char *text_endpoint(const struct flow *flow, bool dst, char *text, size_t size)
{
	const void *address = dst ? flow->dst : flow->src;
	u16 port = dst ? flow->dport : flow->sport;
	char host[INET6_ADDRSTRLEN] = NOTHING;

	inet_ntop(flow->family, address, host, sizeof(host));
	snprintf(text, size, flow->family == AF_INET6 ? "[%s]:%u" : "%s:%u", host, port);
	return text;
}

/* Adds a word; what has no room is left out, whole. */
__attribute__((format(printf, 3, 4)))
static void add_word(char *text, size_t size, const char *format, ...)
{
	char word[CELL_TEXT];
	size_t len = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(word, sizeof(word), format, args);
	va_end(args);
	if (len + 1 + strlen(word) < size)
		snprintf(text + len, size - len, "%s%s", len ? "," : "", word);
}

/*
 * What the flow says of itself: its bits, its priority, oscar's share of the line. A
 * layout that is not known is said to be so: its numbers are not shown.
 */
char *text_words(const struct flow *flow, char *text, size_t size)
{
	const struct dcc_cc_info *own = flow_own(flow);
	u32 i;

	text[0] = '\0';
	if (flow->told && flow->own_status == DCC_CC_INFO_OTHER)
		add_word(text, size, "layout-%u-unknown", flow->own.layout);
	if (own && own->priority)
		add_word(text, size, "priority-%u", own->priority);
	for (i = 0; own && i < told_word_count; i++)
		if (own->bits & told_words[i].bit)
			add_word(text, size, "%s", told_words[i].word);
	if (flow->traced && !flow->twins && flow->ack.share)
		add_word(text, size, "share-%.3f", flow->ack.share / 1e6);
	if (!*text)
		snprintf(text, size, NOTHING);
	return text;
}

enum flow_column {
	COL_NET, COL_STATE, COL_LOCAL, COL_PEER, COL_CC, COL_DELAY, COL_TARGET, COL_BASE,
	COL_WINDOW, COL_RATE, COL_PACING, COL_RULE, COL_LABELS, COL_MARKS, COL_RESENT,
	COL_TELLS, COLS
};

static const char *const flow_column[COLS] = {
	"NETNS", "STATE", "LOCAL", "PEER", "CC", "DELAY", "TARGET", "BASE", "WINDOW",
	"RATE", "PACING", "RULE", "LABELS", "MARKS", "RESENT", "TELLS",
};

static_assert(COLS <= TABLE_COLUMNS, "too many columns");

/* Where a column is: without namespaces the first is left out. */
static char *cell_of(char (*row)[CELL_TEXT], enum flow_column column, bool nets)
{
	return row[column - !nets];
}

void flow_head(struct table *t, bool nets)
{
	char (*row)[CELL_TEXT];
	u32 i;

	t->columns = COLS - !nets;
	row = table_row(t);
	for (i = !nets; i < COLS; i++)
		snprintf(cell_of(row, i, nets), CELL_TEXT, "%s", flow_column[i]);
}

/* 250/256: in use, of all that the flow has. */
static void text_labels(const struct ack *ack, char *text, size_t size)
{
	if (ack->labels)
		snprintf(text, size, "%u/%u", ack->labels - min(ack->avoided, ack->labels),
			 ack->labels);
	else
		snprintf(text, size, NOTHING);
}

/* What the trace event alone has. */
static void put_traced(char (*row)[CELL_TEXT], const struct flow *flow, bool nets)
{
	static const enum flow_column columns[] = { COL_RULE, COL_TARGET, COL_LABELS };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(columns); i++)
		snprintf(cell_of(row, columns[i], nets), CELL_TEXT,
			 flow->traced ? AMBIGUOUS : NOTHING);
	if (!flow->traced || flow->twins)
		return;
	rule_name(flow->cc, flow->ack.branch, cell_of(row, COL_RULE, nets), CELL_TEXT);
	text_ns(flow->ack.target, cell_of(row, COL_TARGET, nets), CELL_TEXT);
	if (flow_sprays(flow))
		text_labels(&flow->ack, cell_of(row, COL_LABELS, nets), CELL_TEXT);
	else
		snprintf(cell_of(row, COL_LABELS, nets), CELL_TEXT, NOTHING);
}

/* What the stack tells of any algorithm, as far as this kernel does. */
static void put_stack(char (*row)[CELL_TEXT], const struct flow *flow, bool nets)
{
	const struct tcp_info *tcp = &flow->tcp;
	bool marks = FLOW_HAS(flow, tcpi_delivered_ce);

	text_rate(FLOW_HAS(flow, tcpi_delivery_rate) ? tcp->tcpi_delivery_rate : 0,
		  cell_of(row, COL_RATE, nets), CELL_TEXT);
	text_rate(FLOW_HAS(flow, tcpi_pacing_rate) ? tcp->tcpi_pacing_rate : 0,
		  cell_of(row, COL_PACING, nets), CELL_TEXT);
	text_share(tcp->tcpi_delivered_ce, marks ? tcp->tcpi_delivered : 0,
		   cell_of(row, COL_MARKS, nets), CELL_TEXT);
	if (FLOW_HAS(flow, tcpi_snd_cwnd))
		snprintf(cell_of(row, COL_WINDOW, nets), CELL_TEXT, "%u", tcp->tcpi_snd_cwnd);
	else
		snprintf(cell_of(row, COL_WINDOW, nets), CELL_TEXT, NOTHING);
	if (FLOW_HAS(flow, tcpi_total_retrans))
		snprintf(cell_of(row, COL_RESENT, nets), CELL_TEXT, "%u",
			 tcp->tcpi_total_retrans);
	else
		snprintf(cell_of(row, COL_RESENT, nets), CELL_TEXT, NOTHING);
}

void flow_row(struct table *t, const struct flow *flow, bool nets)
{
	const struct dcc_cc_info *own = flow_own(flow);
	char (*row)[CELL_TEXT] = table_row(t);

	if (nets)
		snprintf(cell_of(row, COL_NET, nets), CELL_TEXT, "%s",
			 flow->net ? flow->net : NOTHING);
	snprintf(cell_of(row, COL_STATE, nets), CELL_TEXT, "%s", state_name(flow->state));
	text_endpoint(flow, false, cell_of(row, COL_LOCAL, nets), CELL_TEXT);
	text_endpoint(flow, true, cell_of(row, COL_PEER, nets), CELL_TEXT);
	snprintf(cell_of(row, COL_CC, nets), CELL_TEXT, "%s", *flow->cc ? flow->cc : NOTHING);
	text_ns(own ? own->delay_ns : 0, cell_of(row, COL_DELAY, nets), CELL_TEXT);
	text_ns(own ? own->base_rtt_ns : 0, cell_of(row, COL_BASE, nets), CELL_TEXT);
	put_stack(row, flow, nets);
	put_traced(row, flow, nets);
	text_words(flow, cell_of(row, COL_TELLS, nets), CELL_TEXT);
}
