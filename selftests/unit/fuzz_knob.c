// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are texts written to knobs. What dcc_knob_parse() makes of each must
 * be what the rules say, written out here a second time with strtoull(); what is
 * taken is shown, and the text shown must be taken again as the same.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include <ctype.h>

#include "cc/dcc_flow_knobs.h"
#include "fuzz.h"

#define UNTOUCHED	0xdeadbeef
#define TEXT_MAX	40	/* longer than any text that is taken */
#define TEXTS_MAX	300	/* of a life */

static struct fuzz_alg algs[] = { { "knob", 0 } };

/* The real ones that every module has, and borders of all kinds. */
static const struct dcc_knob knobs[] = {
	DCC_FLOW_KNOBS(DCC_KNOB_ENTRY, 1)
	{ "narrow", "us", "", 3, 5, 4, 1 },
	{ "full", "ns", "", 0, U32_MAX, 0, 1 },
	{ "high", "ns", "", U32_MAX - 1, U32_MAX, U32_MAX, 1 },
	{ "powers", "2^n", "", 0, U32_MAX, 1, 1 },
	{ "prefixes", "o|on|one|onward|off", "", 0, 4, 0, 1 },
	{ "some", "off|on|onwards", "", 1, 1, 1, 1 },
};

static void broken(const char *what, const struct dcc_knob *k, const char *text,
		   u32 value)
{
	fprintf(stderr, "# %s: knob %s (%s, %u to %u), text \"%s\", value %u\n",
		what, k->name, k->unit, k->min, k->max, text, value);
	abort();
}

/* Digits and nothing else, as a number that 32 bits hold? */
static bool rule_number(const char *line, u32 *value)
{
	unsigned long long v;
	size_t i;

	for (i = 0; line[i]; i++)
		if (!isdigit((unsigned char)line[i]))
			return false;
	errno = 0;
	v = strtoull(line, NULL, 10);
	*value = (u32)v;
	return i && !errno && v <= U32_MAX;
}

/* One of the words between the bars, letter by letter? */
static bool rule_word(const char *unit, const char *line, u32 *value)
{
	char list[64], *word, *rest = list;

	snprintf(list, sizeof(list), "%s", unit);
	if (!strchr(list, '|'))
		return false;
	for (*value = 0; (word = strsep(&rest, "|")); ++*value)
		if (!strcmp(word, line))
			return true;
	return false;
}

static bool rule_power(u32 v)
{
	u64 power;

	for (power = 1; power <= U32_MAX; power *= 2)
		if (v == power)
			return true;
	return !v;	/* 0 is for the range to refuse */
}

/* Is the text allowed, and as what? One line end at its end is fine. */
static bool rule(const struct dcc_knob *k, const char *text, u32 *value)
{
	char line[TEXT_MAX];
	size_t len;

	snprintf(line, sizeof(line), "%s", text);
	len = strlen(line);
	if (len && line[len - 1] == '\n')
		line[len - 1] = '\0';
	if (!rule_number(line, value) && !rule_word(k->unit, line, value))
		return false;
	if (*value < k->min || *value > k->max)
		return false;
	return strcmp(k->unit, "2^n") || rule_power(*value);
}

/* What is shown is taken as the same value. */
static void there_and_back(const struct dcc_knob *k, const char *text, u32 value)
{
	char shown[DCC_KNOB_TEXT];
	u32 again = UNTOUCHED;
	int len = dcc_knob_show(k, value, shown, sizeof(shown));

	if (len <= 0 || len != (int)strlen(shown))
		broken("shown with a wrong length", k, text, value);
	if (dcc_knob_parse(k, shown, &again) || again != value)
		broken("not taken as shown", k, shown, again);
}

static void try_text(const struct dcc_knob *k, const char *text)
{
	u32 value = UNTOUCHED, want = UNTOUCHED;
	bool allowed = rule(k, text, &want);
	int err = dcc_knob_parse(k, text, &value);

	algs[0].events++;
	if (err != (allowed ? 0 : -EINVAL))
		broken(allowed ? "refused" : "taken", k, text, value);
	if (value != (allowed ? want : UNTOUCHED))
		broken("wrong value", k, text, value);
	if (allowed)
		there_and_back(k, text, value);
}

/* A number around the knob's borders or anywhere, with what must not be there. */
static void put_number(struct input *in, const struct dcc_knob *k, char *text)
{
	static const char *const format[] = {
		"%llu", "%llu", "%llu\n", "%llu\n\n", "0%llu", " %llu", "+%llu",
		"-%llu", "%llu ", "0x%llx", "%llu|", "%llu.0", "%lluk", "000%llu",
	};
	u32 kind = byte(in);
	u64 v = kind < 64 ? k->min : kind < 128 ? k->max : number(in);

	v = (kind & 3) == 0 ? v - 1 : (kind & 3) == 1 ? v + 1 : v;
	snprintf(text, TEXT_MAX, format[below(in, ARRAY_SIZE(format))],
		 (unsigned long long)v);
}

/* One of the unit's words, cut, doubled, or with something behind it. */
static void put_word(struct input *in, const struct dcc_knob *k, char *text)
{
	static const char *const behind[] = { "", "", "\n", "|", " ", "\n\n", "s" };
	const char *word = k->unit;
	u32 skip = byte(in) & 7, cut = byte(in);
	size_t len;

	for (; skip && strchr(word, '|'); skip--)
		word = strchr(word, '|') + 1;
	len = strcspn(word, "|");
	if (cut >= 192)
		len = cut % (len + 3);	/* past the bar, too */
	snprintf(text, TEXT_MAX, "%.*s%s", (int)len, word,
		 behind[below(in, ARRAY_SIZE(behind))]);
}

static void put_bytes(struct input *in, char *text)
{
	u32 len = below(in, TEXT_MAX - 1), i;

	for (i = 0; i < len; i++)
		text[i] = (char)byte(in);
	text[len] = '\0';
}

/* Most texts are close to what is allowed. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	char text[TEXT_MAX];
	u32 texts;

	fuzz_begin(algs, ARRAY_SIZE(algs));
	for (texts = 0; in.left && texts < TEXTS_MAX; texts++) {
		u32 kind = byte(&in);
		const struct dcc_knob *k = &knobs[below(&in, ARRAY_SIZE(knobs))];

		if (kind < 128)
			put_number(&in, k, text);
		else if (kind < 224)
			put_word(&in, k, text);
		else
			put_bytes(&in, text);
		try_text(k, text);
	}
	return 0;
}
