// SPDX-License-Identifier: GPL-2.0
/* The table of flows: once, or again and again. */
#include <libmnl/libmnl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "acks.h"
#include "dccstat.h"
#include "event.h"
#include "filter.h"
#include "io.h"
#include "json.h"
#include "room.h"
#include "table.h"

#define INTERVAL_MS	1000
#define ONCE_MS		200	/* how long --once listens to the trace */
#define TRACE_KIB	1024
#define SLICE_MS	50	/* the trace is emptied so often */
#define HOME_AND_CLEAR	"\033[H\033[J"
#define OTHER_STATES	0xf3eU	/* for twins: all but time-wait, closed */

/**
 * struct live - what is shown
 * @filter: which flows
 * @all: of all namespaces?
 * @json: for programs?
 * @once: and then an end?
 * @screen: on a terminal, again and again?
 * @interval_ms: else, how often
 * @trace: where targets and rules come from
 * @traced: does it run?
 * @acks: the last of each flow
 * @lost: events that found no room
 * @why_not: why there is no trace, or what of it was not understood
 * @flow: flows of this round
 * @flows: how many
 * @room: for how many there is memory
 */
struct live {
	struct filter filter;
	bool all;
	bool json;
	bool once;
	bool screen;
	u32 interval_ms;
	struct trace trace;
	bool traced;
	struct acks acks;
	u64 lost;
	char why_not[WHY_TEXT];
	struct flow *flow;
	u32 flows;
	size_t room;
};

static void on_line(const char *line, void *data)
{
	struct live *live = data;
	struct event event;

	switch (event_parse(line, &event, live->why_not)) {
	case EVENT_ACK:
		acks_put(&live->acks, &event.ack);
		break;
	case EVENT_LOST:
		live->lost += event.lost;
		break;
	default:
		break;
	}
}

static void sleep_ms(u32 ms)
{
	poll(NULL, 0, (int)ms);
}

/* Empty the trace until it is time. */
static void listen_for(struct live *live, u32 ms)
{
	u64 until = now_ns() + (u64)ms * NSEC_PER_MSEC;

	while (!is_stopped() && now_ns() < until) {
		sleep_ms(min(SLICE_MS, ms));
		if (live->traced)
			trace_read(&live->trace, on_line, live);
	}
}

/* Flows of other namespaces only count: who else has these ports? */
static void on_flow(const struct flow *flow, void *data)
{
	struct live *live = data;

	if (live->traced)
		acks_count(&live->acks, flow);
	if (!live->all && strcmp(flow->net, "-"))
		return;
	if (!filter_match(&live->filter, flow))
		return;
	live->flow = room_for_one(live->flow, live->flows, &live->room, sizeof(*live->flow),
				  "flows");
	live->flow[live->flows++] = *flow;
}

/* Users cannot even see which there are. */
static bool is_partial(const struct nets *nets)
{
	return geteuid() || nets->closed;
}

static bool gather(struct live *live, struct nets *nets)
{
	bool ok;
	u32 i;

	live->flows = 0;
	nets_open(nets, live->all || live->traced);
	if (live->all && is_partial(nets))
		fprintf(stderr, "dccstat: --all: not of all namespaces, that takes root\n");
	if (live->traced)
		acks_begin(&live->acks);
	ok = sockets_each(nets, live->filter.states | (live->traced ? OTHER_STATES : 0),
			  on_flow, live);
	for (i = 0; live->traced && i < live->flows; i++)
		acks_join(&live->acks, &live->flow[i]);
	return ok && !(live->all && is_partial(nets));
}

static void print_table(const struct live *live, FILE *out)
{
	struct table table = { 0 };
	u32 i;

	flow_head(&table, live->all);
	for (i = 0; i < live->flows; i++)
		flow_row(&table, &live->flow[i], live->all);
	table_print(&table, out);
	table_free(&table);
	if (live->lost)
		fprintf(out, "trace: %llu events found no room\n", (unsigned long long)live->lost);
	if (live->why_not[0])
		fprintf(out, "no TARGET and RULE: %s\n", live->why_not);
}

/* Lines that are wider would be two, and the first of too many would be gone. */
static void print_lines(const char *text, const struct winsize *size)
{
	u32 left = 0, shown = 0;
	const char *at, *end;

	for (at = text; (end = strchr(at, '\n')); at = end + 1)
		left++;
	for (at = text; left; at = end + 1, left--, shown++) {
		end = strchr(at, '\n');
		if (shown + 2U >= size->ws_row && left > 1)
			break;
		printf("%.*s\n", (int)min_t(u32, (u32)(end - at), size->ws_col), at);
	}
	if (left)
		printf("... %u more: a filter shows fewer, see dccstat(1)\n", left);
}

/* As much as the terminal has room for. */
static void print_screen(const struct live *live)
{
	struct winsize size = { 0 };
	size_t bytes = 0;
	char *text = NULL;
	FILE *out;

	fputs(HOME_AND_CLEAR, stdout);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col) {
		print_table(live, stdout);
		return;
	}
	out = open_memstream(&text, &bytes);
	if (!out)
		cannot("no memory for %u flows", live->flows);
	print_table(live, out);
	fclose(out);
	print_lines(text, &size);
	free(text);
}

static void print_json(const struct live *live)
{
	json_t *flows = json_array();
	json_t *all = json_pack("{s:i, s:I, s:b, s:I}", "version", JSON_VERSION, "now_ns",
				(json_int_t)now_ns(), "traced", live->traced, "trace_lost",
				(json_int_t)live->lost);
	u32 i;

	for (i = 0; i < live->flows; i++)
		json_array_append_new(flows, json_flow(&live->flow[i]));
	if (live->why_not[0])
		json_object_set_new(all, "not_traced", json_string(live->why_not));
	json_object_set_new(all, "flows", flows);
	json_say(all, live->once ? JSON_INDENT(1) : JSON_COMPACT);
}

static bool round_of(struct live *live)
{
	struct nets nets;
	bool ok = gather(live, &nets);

	if (live->json)
		print_json(live);
	else if (live->screen)
		print_screen(live);
	else
		print_table(live, stdout);
	nets_close(&nets);
	flush_results(0);
	return ok;
}

static bool repeat(struct live *live)
{
	bool ok = true;

	live->screen = !live->json && isatty(STDOUT_FILENO);
	while (!is_stopped()) {
		listen_for(live, live->interval_ms);
		if (is_stopped())
			break;
		ok &= round_of(live);
		if (!live->screen && !live->json)
			putchar('\n');
	}
	return ok;
}

static void read_options(struct live *live, int count, char **words)
{
	char why[WHY_TEXT];

	live->all = take_flag(&count, &words, "--all") || take_flag(&count, &words, "-a");
	live->once = take_flag(&count, &words, "--once") || take_flag(&count, &words, "-1");
	live->json = take_flag(&count, &words, "--json");
	live->traced = !take_flag(&count, &words, "--no-trace");
	live->interval_ms = (u32)take_number(&count, &words, "--interval",
					     live->once ? ONCE_MS : INTERVAL_MS, 10, 3600000);
	no_more_options(count, words);
	if (filter_parse(&live->filter, count, words, why))
		fail("%s", why);
}

/**
 * live_main() - the command without a name
 * @count: of words
 * @words: options and filter
 *
 * Return: the exit status.
 */
int live_main(int count, char **words)
{
	static const char *const acks[] = { "dcc_ack", NULL };
	static struct live live = { .trace.fd = -1 };
	bool ok;

	read_options(&live, count, words);
	catch_signals();
	acks_init(&live.acks);
	if (live.traced)
		live.traced = trace_open(&live.trace, acks, TRACE_KIB, live.why_not);
	if (live.once) {
		if (live.traced)
			listen_for(&live, live.interval_ms);
		ok = round_of(&live);
	} else {
		ok = repeat(&live);
	}
	trace_close(&live.trace);
	acks_free(&live.acks);
	free(live.flow);
	return ok ? 0 : EXIT_FAILED;
}
