// SPDX-License-Identifier: GPL-2.0
/* Lines of the trace; see event.h. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>

#include "event.h"

#define LOST_START	"[LOST "
#define LOST_END	" EVENTS]"
#define WORD_TEXT	64	/* no field is as long: an address of 45 characters */

const char *const heard_word[HEARD_KINDS] = {
	[HEARD_GOOD] = "good", [HEARD_MARKED] = "marked", [HEARD_LOST] = "lost",
	[HEARD_TIMEOUT] = "timeout",
};

enum field_type { NUMBER, SIGNED, NAME, ADDRESS, WHAT };

/**
 * struct field - a word of an event
 * @name: before the "="
 * @offset: in struct ack, or struct heard
 * @size: its bytes
 * @type: how it is written
 */
struct field {
	const char *name;
	u16 offset;
	u8 size;
	u8 type;
};

#define FIELD(event, member, type_)	{			\
	.name = #member, .offset = offsetof(event, member),		\
	.size = sizeof(((event *)0)->member), .type = type_,	\
}

#define ACK_FIELD(member, type)		FIELD(struct ack, member, type)
#define TOLD_FIELD(member, type)	FIELD(struct told, member, type)
#define HEARD_FIELD(member, type)	FIELD(struct heard, member, type)

/* All of them must be there. Newer modules may tell more, which is passed over. */
static const struct field ack_field[] = {
	ACK_FIELD(sport, NUMBER), ACK_FIELD(dport, NUMBER), ACK_FIELD(now, NUMBER),
	ACK_FIELD(sent, NUMBER), ACK_FIELD(rtt, NUMBER), ACK_FIELD(base, NUMBER),
	ACK_FIELD(hosts, NUMBER),
	ACK_FIELD(srtt, NUMBER), ACK_FIELD(delay, NUMBER), ACK_FIELD(target, NUMBER),
	ACK_FIELD(acked, NUMBER), ACK_FIELD(ce, NUMBER), ACK_FIELD(losses, NUMBER),
	ACK_FIELD(run, NUMBER), ACK_FIELD(inflight, NUMBER), ACK_FIELD(limited, NUMBER),
	ACK_FIELD(branch, NUMBER), ACK_FIELD(cwnd, NUMBER), ACK_FIELD(pacing, NUMBER),
	ACK_FIELD(share, NUMBER), ACK_FIELD(gradient, SIGNED), ACK_FIELD(alg, NAME),
	ACK_FIELD(mss, NUMBER), ACK_FIELD(flight, NUMBER), ACK_FIELD(line, NUMBER),
	ACK_FIELD(priority, NUMBER), ACK_FIELD(dscp, NUMBER),
	ACK_FIELD(app, NUMBER), ACK_FIELD(fills, NUMBER), ACK_FIELD(delayed, NUMBER),
	ACK_FIELD(recovery, NUMBER), ACK_FIELD(drains, NUMBER), ACK_FIELD(no_ecn, NUMBER),
	ACK_FIELD(sprayed, NUMBER), ACK_FIELD(idle, NUMBER), ACK_FIELD(small, NUMBER),
	ACK_FIELD(labels, NUMBER), ACK_FIELD(avoided, NUMBER),
};

static const struct field told_field[] = {
	TOLD_FIELD(sport, NUMBER), TOLD_FIELD(dport, NUMBER), TOLD_FIELD(now, NUMBER),
	TOLD_FIELD(srtt, NUMBER), TOLD_FIELD(lost, NUMBER), TOLD_FIELD(mss, NUMBER),
	TOLD_FIELD(line, NUMBER), TOLD_FIELD(event, NAME), TOLD_FIELD(alg, NAME),
};

static const struct field heard_field[] = {
	HEARD_FIELD(src, ADDRESS), HEARD_FIELD(sport, NUMBER), HEARD_FIELD(dst, ADDRESS),
	HEARD_FIELD(dport, NUMBER), HEARD_FIELD(now, NUMBER), HEARD_FIELD(label, NUMBER),
	HEARD_FIELD(what, WHAT), HEARD_FIELD(delay, NUMBER), HEARD_FIELD(alg, NAME),
};

static const struct kind {
	const char *name;
	const struct field *field;
	u32 fields;
	enum event_line line;
} kinds[] = {
	{ "dcc_ack", ack_field, ARRAY_SIZE(ack_field), EVENT_ACK },
	{ "dcc_event", told_field, ARRAY_SIZE(told_field), EVENT_TOLD },
	{ "dcc_path", heard_field, ARRAY_SIZE(heard_field), EVENT_HEARD },
};

/* Largest magnitude that fits: of what is below zero, one more. */
static u64 field_max(const struct field *field, bool minus)
{
	u64 all = field->size == 8 ? U64_MAX : (1ULL << (8 * field->size)) - 1;

	return field->type == SIGNED ? (all >> 1) + minus : all;
}

static void store(void *at, size_t size, u64 value)
{
	u8 v8 = (u8)value;
	u16 v16 = (u16)value;
	u32 v32 = (u32)value;

	switch (size) {
	case 1:
		memcpy(at, &v8, size);
		break;
	case 2:
		memcpy(at, &v16, size);
		break;
	case 4:
		memcpy(at, &v32, size);
		break;
	default:
		memcpy(at, &value, size);
	}
}

static bool set_number(void *at, const struct field *field, const char *text)
{
	bool minus = field->type == SIGNED && *text == '-';
	u64 value;
	char *end;

	text += minus;
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (*end || errno || value > field_max(field, minus))
		return false;
	store(at, field->size, minus ? -value : value);
	return true;
}

static bool set_name(char *at, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (!len || len >= size)
		return false;
	memcpy(at, text, len + 1);
	return true;
}

/* What became of a packet, by its word; HEARD_KINDS: no such word. */
enum heard_what heard_what(const char *word)
{
	enum heard_what what = 0;

	while (what < HEARD_KINDS && strcmp(heard_word[what], word))
		what++;
	return what;
}

/* Sets a field from text; false if it is nothing of the kind. */
static bool set(void *event, const struct field *field, const char *text)
{
	u8 *at = (u8 *)event + field->offset;

	switch (field->type) {
	case NAME:
		return set_name((char *)at, field->size, text);
	case ADDRESS:
		return inet_pton(AF_INET6, text, at) == 1;
	case WHAT:
		*at = (u8)heard_what(text);
		return *at != HEARD_KINDS;
	default:
		return set_number(at, field, text);
	}
}

static const struct field *find_field(const struct kind *kind, const char *word, size_t len)
{
	u32 i;

	for (i = 0; i < kind->fields; i++)
		if (strlen(kind->field[i].name) == len &&
		    !strncmp(kind->field[i].name, word, len))
			return &kind->field[i];
	return NULL;
}

/* "name=value"; notes in @seen which field it was. */
static bool take_word(const struct kind *kind, struct event *event, const char *word, u64 *seen)
{
	const char *value = strchr(word, '=');
	const struct field *field;

	if (!value)
		return true;
	field = find_field(kind, word, (size_t)(value - word));
	if (!field)
		return true;
	*seen |= 1ULL << (field - kind->field);
	return set(&event->ack, field, value + 1);
}

static enum event_line bad(const struct kind *kind, char why[WHY_TEXT], const char *what,
			   const char *which)
{
	snprintf(why, WHY_TEXT,
		 "the trace event %s %s '%.40s'; allowed: as of the tcp_dcc that this program came with",
		 kind->name, what, which);
	return EVENT_BAD;
}

static enum event_line check_seen(const struct kind *kind, u64 seen, char why[WHY_TEXT])
{
	u32 i;

	for (i = 0; i < kind->fields; i++)
		if (!(seen & 1ULL << i))
			return bad(kind, why, "has no field", kind->field[i].name);
	return kind->line;
}

static enum event_line parse(const struct kind *kind, const char *text, struct event *event,
			     char why[WHY_TEXT])
{
	char word[WORD_TEXT];
	u64 seen = 0;
	size_t len;

	memset(event, 0, sizeof(*event));
	for (; *text; text += len) {
		text += strspn(text, " \t\r\n");
		len = strcspn(text, " \t\r\n");
		snprintf(word, sizeof(word), "%.*s", (int)min(len, sizeof(word) - 1), text);
		if (len >= sizeof(word) || !take_word(kind, event, word, &seen))
			return bad(kind, why, "has the word", word);
	}
	return check_seen(kind, seen, why);
}

/*
 * The event's name and what follows; NULL: there is none of ours. The last one counts:
 * before it is the name of whatever process was interrupted, which anybody may choose.
 */
static const char *name_of(const char *line)
{
	const char *at = line, *name = NULL;

	while ((at = strstr(at, ": dcc_"))) {
		at += strlen(": ");
		name = at;
	}
	return name;
}

/* What stands behind "NAME: "; NULL: it is no such event. */
static const char *text_of(const char *at, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(at, name, len) || strncmp(at + len, ": ", 2))
		return NULL;
	return at + len + 2;
}

/**
 * event_parse() - what a line of the trace is
 * @line: it
 * @event: filled in, according to what is returned
 * @why: set if EVENT_BAD
 *
 * Return: what it is.
 */
enum event_line event_parse(const char *line, struct event *event, char why[WHY_TEXT])
{
	const char *name = name_of(line), *at;
	u32 i;

	for (i = 0; name && i < ARRAY_SIZE(kinds); i++) {
		at = text_of(name, kinds[i].name);
		if (at)
			return parse(&kinds[i], at, event, why);
	}
	at = strstr(line, LOST_START);
	if (!at || !strstr(at, LOST_END))
		return EVENT_OTHER;
	event->lost = strtoull(at + strlen(LOST_START), NULL, 10);
	return EVENT_LOST;
}
