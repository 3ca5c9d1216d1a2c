// SPDX-License-Identifier: GPL-2.0
/*
 * What the congestion control of chosen flows heard and decided, ACK by ACK, and
 * what became of the label of each of their packets: the trace events dcc:dcc_ack
 * and dcc:dcc_path of this project's algorithms, whose fields become the columns of
 * a table each. They are taken from the kernel whenever there is progress to report:
 * no timer and no clock is read for it, so a run is the same with them and without.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flow.h"
#include "traffic.h"

#define TRACING		"/sys/kernel/tracing/"
#define LOST		" EVENTS]"	/* of a line that stands for no entry */
/* Room for some 200,000 ACKs between two reports of progress */
#define RING_KIB	"32768"
/* One term of the event's filter; all must fit into a page */
#define TERM_MAX	sizeof("||(dport>=65535&&dport<=65535)")
#define FILTER_MAX	4096
#define FIELDS_MAX	64

/**
 * struct recording - an event and its table
 * @stmt: the directive that names flows
 * @event: where its switches are
 * @name: what its lines begin with
 * @path: the table
 * @skip: column that is not written: the flow's id says it; NULL: none
 * @file: the table, open; NULL: no flow was named
 * @header_done: are the columns' names written?
 * @chosen: the flow's name, by its port; NULL: not chosen
 */
struct recording {
	enum stmt_kind stmt;
	const char *event;
	const char *name;
	const char *path;
	const char *skip;
	FILE *file;
	bool header_done;
	const char *chosen[UINT16_MAX + 1];
};

static struct recording recordings[] = { {
	.stmt = STMT_RECORD, .event = TRACING "events/dcc/dcc_ack/",
	.name = "dcc_ack: ", .path = "acks.tsv", .skip = "dport=",
}, {
	.stmt = STMT_LABELS, .event = TRACING "events/dcc/dcc_path/",
	.name = "dcc_path: ", .path = "labels.tsv",
} };

static FILE *pipe_file;

static void trace_write(const char *dir, const char *file, const char *value)
{
	char path[128];
	ssize_t len = strlen(value);
	int fd;

	snprintf(path, sizeof(path), "%s%s", dir, file);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0 || write(fd, value, len) != len)
		fail_errno("%s", path);
	close(fd);
}

static void choose(const struct stmt *stmt)
{
	struct recording *r = recordings;
	unsigned int arg;
	int i;

	stmt_args(stmt, 1);
	while (r->stmt != stmt->kind)
		r++;
	for (arg = 0; arg < stmt->argc; arg++) {
		i = names_find(&flow_names, stmt->argv[arg]);
		if (i < 0)
			fail("no flow \"%s\"", stmt->argv[arg]);
		r->chosen[flows[i].port] = flows[i].name;
	}
	if (!r->file)
		r->file = open_output(r->path);
}

/* The ports of the chosen flows as ranges: dport>=a&&dport<=b, or another */
static void set_filter(const struct recording *r)
{
	char filter[FILTER_MAX];
	unsigned int first, last;
	size_t len = 0;

	for (first = 0; first <= UINT16_MAX; first = last + 1) {
		last = first;
		if (!r->chosen[first])
			continue;
		while (last < UINT16_MAX && r->chosen[last + 1])
			last++;
		if (len + TERM_MAX > sizeof(filter))
			fail("%s: too many separate ranges of flows", r->path);
		len += snprintf(filter + len, sizeof(filter) - len,
				"%s(dport>=%u&&dport<=%u)", len ? "||" : "",
				first, last);
	}
	trace_write(r->event, "filter", filter);
}

void record_open(const struct plan *plan)
{
	bool any = false;
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(recordings); i++) {
		plan_each(plan, recordings[i].stmt, choose);
		if (recordings[i].file)
			any = true;
	}
	if (!any)
		return;
	trace_write(TRACING, "buffer_size_kb", RING_KIB);
	fd = open(TRACING "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		fail_errno("trace_pipe");
	pipe_file = fdopen(fd, "r");
	if (!pipe_file)
		fail_errno("memory for trace_pipe");
	for (i = 0; i < ARRAY_SIZE(recordings); i++) {
		if (!recordings[i].file)
			continue;
		set_filter(&recordings[i]);
		trace_write(recordings[i].event, "enable", "1");
	}
}

/* One word of the event; now, and what the id tells, are in the columns t and id */
static bool is_column(const struct recording *r, const char *word)
{
	return strncmp(word, "now=", 4) &&
	       !(r->skip && !strncmp(word, r->skip, strlen(r->skip)));
}

static void write_header(struct recording *r, char *const word[], unsigned int count)
{
	unsigned int i;

	r->header_done = true;
	fputs("t\tid", r->file);
	for (i = 0; i < count; i++)
		if (is_column(r, word[i]))
			fprintf(r->file, "\t%.*s",
				(int)strcspn(word[i], "="), word[i]);
	putc('\n', r->file);
}

static u64 find_number(const struct recording *r, char *const word[],
		       unsigned int count, const char *key)
{
	size_t len = strlen(key);
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strncmp(word[i], key, len) && word[i][len] == '=')
			return parse_u64(key, word[i] + len + 1, 0);
	fail("the event %.*s has no %s", (int)strcspn(r->name, ":"), r->name, key);
}

/* A value as it is, but for the time of sending, which counts from t = 0 */
static void write_value(FILE *file, const char *word)
{
	const char *value = strchr(word, '=') + 1;

	if (strncmp(word, "sent=", 5))
		fprintf(file, "\t%s", value);
	else
		fprintf(file, "\t%lld",
			clock_since_zero(parse_u64("sent", value, 0)));
}

/* What happened before t = 0, making connections, is not recorded */
static void write_row(struct recording *r, char *text)
{
	char *word[FIELDS_MAX];
	unsigned int count, i;
	s64 when;

	text[strcspn(text, "\n")] = '\0';
	count = split(text, ' ', word, FIELDS_MAX);
	when = clock_since_zero(find_number(r, word, count, "now"));
	if (when < 0)
		return;
	if (!r->header_done)
		write_header(r, word, count);
	fprintf(r->file, "%lld\t%s", when,
		r->chosen[(u16)find_number(r, word, count, "dport")]);
	for (i = 0; i < count; i++)
		if (is_column(r, word[i]))
			write_value(r->file, word[i]);
	putc('\n', r->file);
}

/* A line of the trace into the table of its event */
static void write_event(char *line)
{
	unsigned int i;
	char *at;

	for (i = 0; i < ARRAY_SIZE(recordings); i++) {
		at = strstr(line, recordings[i].name);
		if (!at)
			continue;
		write_row(&recordings[i], at + strlen(recordings[i].name));
		return;
	}
}

/* A line of the ring's statistics: "entries: 12" */
static u64 ring_count(const char *what)
{
	size_t len;
	char *text = read_file(TRACING "per_cpu/cpu0/stats", &len);
	char *at = text ? strstr(text, what) : NULL;
	u64 count;

	if (!at)
		fail_errno("the ring's %s", what);
	count = strtoull(at + strlen(what), NULL, 10);
	free(text);
	return count;
}

/*
 * Empty the kernel's ring into the file: as many lines as there are, for a read
 * that finds nothing takes 1 us of virtual time.
 */
void record_take(void)
{
	static char *line;
	static size_t room;
	u64 left;

	if (!pipe_file)
		return;
	for (left = ring_count("entries: "); left; left -= !strstr(line, LOST)) {
		if (getline(&line, &room, pipe_file) < 0)
			fail_errno("trace_pipe");
		write_event(line);
	}
}

/* The rest; returns how many found no room: the ring keeps the newest */
u64 record_close(void)
{
	unsigned int i;

	if (!pipe_file)
		return 0;
	for (i = 0; i < ARRAY_SIZE(recordings); i++)
		if (recordings[i].file)
			trace_write(recordings[i].event, "enable", "0");
	record_take();
	fclose(pipe_file);
	for (i = 0; i < ARRAY_SIZE(recordings); i++)
		if (recordings[i].file)
			close_output(recordings[i].file, recordings[i].path);
	return ring_count("overrun: ");
}
