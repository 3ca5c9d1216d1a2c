// SPDX-License-Identifier: GPL-2.0
/*
 * Recorded decisions in the trace-event format, as JSON, which ui.perfetto.dev and
 * chrome://tracing open: a process a flow, in which are a thread with a slice for
 * as long as one rule fired after another, and counters for delay, target, window.
 * Times are in us, from the first ACK of all on.
 */
#include "decisions.h"
#include "json.h"

#define NSEC	1000ULL	/* a us */

static void put_us(FILE *out, const char *name, u64 ns)
{
	fprintf(out, ",\"%s\":%llu.%03llu", name, ns / NSEC, ns % NSEC);
}

/**
 * perfetto_check() - end the program if something cannot be said in JSON
 * @all: what perfetto_write() is to write, before a file is opened for it
 */
void perfetto_check(const struct decisions *all)
{
	u32 i;

	for (i = 0; i < all->tracks; i++) {
		json_check(all->track[i].name);
		json_check(all->track[i].alg);
	}
	for (i = 0; i < all->rules; i++)
		json_check(all->rule[i]);
}

/* Checked text, with quotes and escapes; the reader has seen that it is short. */
static void put_text(FILE *out, const char *text)
{
	json_t *value = json_string(text);

	json_dumpf(value, out, JSON_ENCODE_ANY);
	json_decref(value);
}

static void put_name(FILE *out, u32 pid, const char *what, const char *name, const char *more)
{
	char text[NAME_TEXT + FILE_TEXT + CC_TEXT + 1];

	snprintf(text, sizeof(text), "%s%s%s", name, *more ? " " : "", more);
	fprintf(out, ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":1,\"name\":\"%s\",\"args\":{\"name\":",
		pid, what);
	put_text(out, text);
	fputs("}}", out);
}

static void put_slice(FILE *out, u32 pid, const char *rule, u64 from, u64 to)
{
	fprintf(out, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":1,\"name\":", pid);
	put_text(out, rule);
	put_us(out, "ts", from);
	put_us(out, "dur", to - from);
	fputc('}', out);
}

static void put_counter(FILE *out, u32 pid, const char *name, u64 when, const char *unit,
			double value)
{
	fprintf(out, ",\n{\"ph\":\"C\",\"pid\":%u,\"name\":\"%s\"", pid, name);
	put_us(out, "ts", when);
	fprintf(out, ",\"args\":{\"%s\":%.3f}}", unit, value);
}

static void put_counters(FILE *out, u32 pid, const struct decision *d, u64 start)
{
	if (d->delay)
		put_counter(out, pid, "delay", d->now - start, "us", d->delay / 1e3);
	if (d->target)
		put_counter(out, pid, "target", d->now - start, "us", d->target / 1e3);
	put_counter(out, pid, "window", d->now - start, "bytes", (double)d->cwnd);
}

static void put_track(FILE *out, u32 pid, const struct decisions *all, u64 start)
{
	const struct track *track = &all->track[pid - 1];
	size_t first = 0, i;

	put_name(out, pid, "process_name", track->name, track->alg);
	put_name(out, pid, "thread_name", "rules", "");
	for (i = 0; i < track->count; i++) {
		const struct decision *d = &track->at[i];
		bool last = i + 1 == track->count;

		put_counters(out, pid, d, start);
		if (!last && d[1].rule == track->at[first].rule)
			continue;
		put_slice(out, pid, all->rule[d->rule], track->at[first].now - start,
			  (last ? d->now : d[1].now) - start);
		first = i + 1;
	}
}

static u64 first_of_all(const struct decisions *all)
{
	u64 start = U64_MAX;
	u32 i;

	for (i = 0; i < all->tracks; i++)
		start = min(start, all->track[i].at[0].now);
	return start;
}

/**
 * perfetto_write() - all flows as one JSON text
 * @all: they, checked
 * @out: where to
 */
void perfetto_write(const struct decisions *all, FILE *out)
{
	u64 start = first_of_all(all);
	u32 i;

	fprintf(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start_ns\":\"%llu\"},",
		(unsigned long long)(all->tracks ? start : 0));
	fputs("\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",", out);
	fputs("\"args\":{\"name\":\"dccstat\"}}", out);
	for (i = 0; i < all->tracks; i++)
		put_track(out, i + 1, all, start);
	fputs("\n]}\n", out);
}
