// SPDX-License-Identifier: GPL-2.0
/*
 * What the congestion control of chosen flows heard and decided, ACK by ACK:
 * the trace event dcc:dcc_ack of this project's algorithms, whose fields become
 * the columns of a table. It is taken from the kernel whenever there is progress
 * to report: no timer and no clock is read for it, so a run is the same with it
 * and without.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flow.h"
#include "traffic.h"

#define ACKS_FILE	"acks.tsv"
#define TRACING		"/sys/kernel/tracing/"
#define ACK_EVENT	TRACING "events/dcc/dcc_ack/"
#define ACK_NAME	"dcc_ack: "
#define LOST		" EVENTS]"	/* of a line that stands for no entry */
/* Room for some 200,000 ACKs between two reports of progress */
#define RING_KIB	"32768"
/* One term of the event's filter; all must fit into a page */
#define TERM_MAX	sizeof("||(dport>=65535&&dport<=65535)")
#define FILTER_MAX	4096
#define FIELDS_MAX	64

static FILE *acks_file, *pipe_file;
static const char *chosen[UINT16_MAX + 1];	/* the flow's name, by its port */
static bool any_chosen, header_done;

static void trace_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ssize_t len = strlen(value);

	if (fd < 0 || write(fd, value, len) != len)
		fail_errno("%s", path);
	close(fd);
}

static void record_stmt(const struct stmt *stmt)
{
	unsigned int arg;
	int i;

	stmt_args(stmt, 1);
	for (arg = 0; arg < stmt->argc; arg++) {
		i = names_find(&flow_names, stmt->argv[arg]);
		if (i < 0)
			fail("no flow \"%s\"", stmt->argv[arg]);
		chosen[flows[i].port] = flows[i].name;
	}
	any_chosen = true;
}

/* The ports of the chosen flows as ranges: dport>=a&&dport<=b, or another */
static void set_filter(void)
{
	char filter[FILTER_MAX];
	unsigned int first, last;
	size_t len = 0;

	for (first = 0; first <= UINT16_MAX; first = last + 1) {
		last = first;
		if (!chosen[first])
			continue;
		while (last < UINT16_MAX && chosen[last + 1])
			last++;
		if (len + TERM_MAX > sizeof(filter))
			fail("record: too many separate ranges of flows");
		len += snprintf(filter + len, sizeof(filter) - len,
				"%s(dport>=%u&&dport<=%u)", len ? "||" : "",
				first, last);
	}
	trace_write(ACK_EVENT "filter", filter);
}

void record_open(const struct plan *plan)
{
	int fd;

	plan_each(plan, STMT_RECORD, record_stmt);
	if (!any_chosen)
		return;
	trace_write(TRACING "buffer_size_kb", RING_KIB);
	set_filter();
	fd = open(TRACING "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		fail_errno("trace_pipe");
	pipe_file = fdopen(fd, "r");
	if (!pipe_file)
		fail_errno("memory for trace_pipe");
	acks_file = open_output(ACKS_FILE);
	trace_write(ACK_EVENT "enable", "1");
}

/* One word of the event; now and dport are in the columns t and id */
static bool is_column(const char *word)
{
	return strncmp(word, "now=", 4) && strncmp(word, "dport=", 6);
}

static void write_header(char *const word[], unsigned int count)
{
	unsigned int i;

	header_done = true;
	fputs("t\tid", acks_file);
	for (i = 0; i < count; i++)
		if (is_column(word[i]))
			fprintf(acks_file, "\t%.*s",
				(int)strcspn(word[i], "="), word[i]);
	putc('\n', acks_file);
}

static u64 find_number(char *const word[], unsigned int count, const char *key)
{
	size_t len = strlen(key);
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strncmp(word[i], key, len) && word[i][len] == '=')
			return parse_u64(key, word[i] + len + 1, 0);
	fail("the event dcc_ack has no %s", key);
}

/* A value as it is, but for the time of sending, which counts from t = 0 */
static void write_value(const char *word)
{
	const char *value = strchr(word, '=') + 1;

	if (strncmp(word, "sent=", 5))
		fprintf(acks_file, "\t%s", value);
	else
		fprintf(acks_file, "\t%lld",
			clock_since_zero(parse_u64("sent", value, 0)));
}

/* What happened before t = 0, making connections, is not recorded */
static void write_ack(char *text)
{
	char *word[FIELDS_MAX];
	unsigned int count, i;
	s64 when;

	text[strcspn(text, "\n")] = '\0';
	count = split(text, ' ', word, FIELDS_MAX);
	when = clock_since_zero(find_number(word, count, "now"));
	if (when < 0)
		return;
	if (!header_done)
		write_header(word, count);
	fprintf(acks_file, "%lld\t%s", when,
		chosen[(u16)find_number(word, count, "dport")]);
	for (i = 0; i < count; i++)
		if (is_column(word[i]))
			write_value(word[i]);
	putc('\n', acks_file);
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
	char *ack;

	if (!pipe_file)
		return;
	for (left = ring_count("entries: "); left; left -= !strstr(line, LOST)) {
		if (getline(&line, &room, pipe_file) < 0)
			fail_errno("trace_pipe");
		ack = strstr(line, ACK_NAME);
		if (ack)
			write_ack(ack + strlen(ACK_NAME));
	}
}

/* The rest; returns how many found no room: the ring keeps the newest */
u64 record_close(void)
{
	if (!pipe_file)
		return 0;
	trace_write(ACK_EVENT "enable", "0");
	record_take();
	fclose(pipe_file);
	close_output(acks_file, ACKS_FILE);
	return ring_count("overrun: ");
}
