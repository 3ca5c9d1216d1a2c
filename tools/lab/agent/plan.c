// SPDX-License-Identifier: GPL-2.0
/* The plan's text: lines into statements, key=value pairs into structs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"

#define PLAN_VERSION	"1"

static const char *const stmt_name[STMT_KINDS] = {
	[STMT_MODULE] = "module",
	[STMT_NODE] = "node",
	[STMT_LINK] = "link",
	[STMT_DIR] = "dir",
	[STMT_GROUP] = "group",
	[STMT_ADDR] = "addr",
	[STMT_SYSCTL] = "sysctl",
	[STMT_ROUTE] = "route",
	[STMT_MPTCP] = "mptcp",
	[STMT_EXEC] = "exec",
	[STMT_FLOW] = "flow",
	[STMT_AT] = "at",
	[STMT_RECORD] = "record",
	[STMT_LABELS] = "labels",
	[STMT_SAMPLE] = "sample",
	[STMT_STOP] = "stop",
	[STMT_UNTIL] = "until",
	[STMT_SETCC] = "setcc",
};

/* The plan's lines as they stand in the file, for messages; [0] is line 1 */
static char **lines;
static unsigned int line_count;

/* The line being carried out; 0 = none */
static unsigned int line_now;

void plan_at(unsigned int line)
{
	line_now = line;
}

const char *plan_where(unsigned int *line)
{
	*line = line_now;
	return line_now && line_now <= line_count ? lines[line_now - 1] : NULL;
}

/* Cut @text at every @by; returns the number of parts */
unsigned int split(char *text, char by, char **part, unsigned int max)
{
	unsigned int count = 0;

	while (text) {
		if (count == max)
			fail("more than %u parts", max);
		part[count++] = text;
		text = strchr(text, by);
		if (text)
			*text++ = '\0';
	}
	return count;
}

u64 parse_u64(const char *what, const char *text, u64 max)
{
	char *end;
	u64 value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno)
		fail("%s=%s is not a number from 0 to 2^64-1", what, text);
	if (max && value > max)
		fail("%s=%s is above %llu", what, text,
		     max);
	return value;
}

static enum stmt_kind find_kind(const char *name)
{
	unsigned int kind;

	for (kind = 0; kind < STMT_KINDS; kind++)
		if (!strcmp(name, stmt_name[kind]))
			return kind;
	fail("unknown directive \"%s\"", name);
}

/* Tokens of one line. @text stays whole, the tokens are cut from a copy. */
static struct stmt parse_line(char *text)
{
	struct stmt stmt = { .line = line_now };
	char *copy = strdup(text);
	unsigned int count = 1, i;
	char **token;
	char *p;

	if (!copy)
		fail_errno("memory for a line");
	for (p = copy; *p; p++)
		count += *p == ' ';
	token = zalloc(count * sizeof(*token));
	split(copy, ' ', token, count);
	stmt.kind = find_kind(token[0]);
	stmt.argc = count - 1;
	stmt.argv = token + 1;
	stmt.rest = zalloc(count * sizeof(*stmt.rest));
	for (i = 0; i < stmt.argc; i++)
		stmt.rest[i] = text + (stmt.argv[i] - copy);
	return stmt;
}

static void add_stmt(struct plan *plan, struct stmt stmt)
{
	plan->stmt = grow(plan->stmt, plan->count, sizeof(*plan->stmt));
	plan->stmt[plan->count++] = stmt;
}

/* Comments and empty lines may stand anywhere; "end" must be the last line */
void plan_read(struct plan *plan, const char *path)
{
	size_t len;
	char *text = read_file(path, &len);
	char *next;

	if (!text)
		fail_errno("%s", path);
	for (; text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		lines = grow(lines, line_count, sizeof(*lines));
		lines[line_count++] = text;
		plan_at(line_count);
		if (line_count == 1 && strcmp(text, "plan " PLAN_VERSION))
			fail("the first line must be \"plan " PLAN_VERSION "\"");
		if (!strcmp(text, "end")) {
			plan_at(0);
			return;
		}
		if (line_count > 1 && *text && *text != '#')
			add_stmt(plan, parse_line(text));
	}
	fail("the plan's last line must be \"end\"");
}

void plan_each(const struct plan *plan, enum stmt_kind kind, stmt_fn fn)
{
	unsigned int i;

	for (i = 0; i < plan->count; i++) {
		if (plan->stmt[i].kind != kind)
			continue;
		plan_at(plan->stmt[i].line);
		fn(&plan->stmt[i]);
	}
	plan_at(0);
}

/* A statement needs at least @count tokens after its name */
void stmt_args(const struct stmt *stmt, unsigned int count)
{
	if (stmt->argc < count)
		fail("%s takes at least %u values, here are %u",
		     stmt_name[stmt->kind], count, stmt->argc);
}

static void set_key(const struct key *key, const char *value, char *into)
{
	if (key->type == KEY_TEXT)
		*(const char **)(into + key->offset) = value;
	else
		*(u64 *)(into + key->offset) =
			parse_u64(key->name, value, key->max);
}

static const struct key *find_key(const struct key *keys, unsigned int count,
				  const char *name)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strcmp(name, keys[i].name))
			return &keys[i];
	fail("unknown key \"%s\"", name);
}

/* Read the tokens from @first on, each key=value, into the struct @into */
void stmt_keys(const struct stmt *stmt, unsigned int first,
	       const struct key *keys, unsigned int count, void *into)
{
	unsigned int i;
	char name[32];

	for (i = first; i < stmt->argc; i++) {
		const char *value = strchr(stmt->argv[i], '=');

		if (!value)
			fail("\"%s\" is not key=value", stmt->argv[i]);
		snprintf(name, sizeof(name), "%.*s",
			 (int)(value - stmt->argv[i]), stmt->argv[i]);
		set_key(find_key(keys, count, name), value + 1, into);
	}
}

/* What "at <ns> <statement>" shall do, as a statement of its own */
struct stmt stmt_timed(const struct stmt *at)
{
	struct stmt stmt = *at;

	stmt_args(at, 3);
	stmt.kind = find_kind(at->argv[1]);
	stmt.argc -= 2;
	stmt.argv += 2;
	stmt.rest += 2;
	return stmt;
}
