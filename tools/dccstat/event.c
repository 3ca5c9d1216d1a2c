// SPDX-License-Identifier: GPL-2.0
/* Lines of the trace; see event.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>

#include "event.h"

#define ACK_NAME	"dcc_ack: "
#define LOST_START	"[LOST "
#define LOST_END	" EVENTS]"
#define WORD_TEXT	40	/* no field is as long */

#define ACK_FIELD(member, sign_)	{				\
	.name = #member, .offset = offsetof(struct ack, member),	\
	.size = sizeof(((struct ack *)0)->member), .sign = sign_,	\
}

/* All of them must be there. Newer modules may tell more, which is passed over. */
const struct ack_field ack_field[] = {
	ACK_FIELD(sport, false), ACK_FIELD(dport, false), ACK_FIELD(now, false),
	ACK_FIELD(sent, false), ACK_FIELD(rtt, false), ACK_FIELD(base, false),
	ACK_FIELD(srtt, false), ACK_FIELD(delay, false), ACK_FIELD(target, false),
	ACK_FIELD(acked, false), ACK_FIELD(ce, false), ACK_FIELD(losses, false),
	ACK_FIELD(run, false), ACK_FIELD(inflight, false), ACK_FIELD(limited, false),
	ACK_FIELD(branch, false), ACK_FIELD(cwnd, false), ACK_FIELD(pacing, false),
	ACK_FIELD(share, false), ACK_FIELD(gradient, true),
};

const u32 ack_fields = ARRAY_SIZE(ack_field);

/* Largest magnitude that fits. */
static u64 field_max(const struct ack_field *field)
{
	u64 all = field->size == 8 ? U64_MAX : (1ULL << (8 * field->size)) - 1;

	return field->sign ? all >> 1 : all;
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

bool ack_set(struct ack *a, const struct ack_field *field, const char *text)
{
	bool minus = field->sign && *text == '-';
	u64 value;
	char *end;

	text += minus;
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (*end || errno || value > field_max(field))
		return false;
	store((u8 *)a + field->offset, field->size, minus ? -value : value);
	return true;
}

static const struct ack_field *find_field(const char *word, size_t len)
{
	u32 i;

	for (i = 0; i < ack_fields; i++)
		if (strlen(ack_field[i].name) == len &&
		    !strncmp(ack_field[i].name, word, len))
			return &ack_field[i];
	return NULL;
}

static bool set_alg(struct ack *a, const char *text)
{
	size_t len = strlen(text);

	if (!len || len >= CC_TEXT)
		return false;
	memcpy(a->alg, text, len + 1);
	return true;
}

/* "name=value"; notes in @seen which field it was, the algorithm as the last bit. */
static bool take_word(struct ack *a, const char *word, u32 *seen)
{
	const char *value = strchr(word, '=');
	const struct ack_field *field;

	if (!value)
		return true;
	if (!strncmp(word, "alg=", 4)) {
		*seen |= 1U << ack_fields;
		return set_alg(a, value + 1);
	}
	field = find_field(word, (size_t)(value - word));
	if (!field)
		return true;
	*seen |= 1U << (field - ack_field);
	return ack_set(a, field, value + 1);
}

static enum event_line bad(char why[WHY_TEXT], const char *what, const char *which)
{
	snprintf(why, WHY_TEXT,
		 "the trace event dcc_ack %s '%.40s'; allowed: as of the tcp_dcc that this program came with",
		 what, which);
	return EVENT_BAD;
}

static enum event_line check_seen(u32 seen, char why[WHY_TEXT])
{
	u32 i;

	for (i = 0; i < ack_fields; i++)
		if (!(seen & 1U << i))
			return bad(why, "has no field", ack_field[i].name);
	if (!(seen & 1U << ack_fields))
		return bad(why, "has no field", "alg");
	return EVENT_ACK;
}

static enum event_line parse_ack(const char *text, struct ack *a, char why[WHY_TEXT])
{
	char word[WORD_TEXT];
	u32 seen = 0;
	size_t len;

	memset(a, 0, sizeof(*a));
	for (; *text; text += len) {
		text += strspn(text, " \t\r\n");
		len = strcspn(text, " \t\r\n");
		snprintf(word, sizeof(word), "%.*s", (int)min(len, sizeof(word) - 1), text);
		if (len >= sizeof(word) || !take_word(a, word, &seen))
			return bad(why, "has the word", word);
	}
	return check_seen(seen, why);
}

/**
 * event_parse() - what a line of the trace is
 * @line: it
 * @a: filled in if EVENT_ACK
 * @lost: set if EVENT_LOST: how many
 * @why: set if EVENT_BAD
 *
 * Return: what it is.
 */
enum event_line event_parse(const char *line, struct ack *a, u64 *lost, char why[WHY_TEXT])
{
	const char *at = strstr(line, ACK_NAME);

	if (at)
		return parse_ack(at + strlen(ACK_NAME), a, why);
	at = strstr(line, LOST_START);
	if (!at || !strstr(at, LOST_END))
		return EVENT_OTHER;
	*lost = strtoull(at + strlen(LOST_START), NULL, 10);
	return EVENT_LOST;
}
