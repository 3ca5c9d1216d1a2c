// SPDX-License-Identifier: GPL-2.0
/* Reading and showing knobs; see dcc_knob.h. Pure. */
#include "dcc_knob.h"

#ifdef __KERNEL__
#include <linux/kstrtox.h>
#else
#include <stdio.h>

/* The kernel's kstrtou32 for user space: whole text, no sign, base 10. */
static int kstrtou32(const char *s, unsigned int base, u32 *res)
{
	unsigned long long v;
	char *end;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, (int)base);
	if (*end == '\n')
		end++;
	if (*end)
		return -EINVAL;
	if (errno || v > U32_MAX)
		return -ERANGE;
	*res = (u32)v;
	return 0;
}
#endif

/* Length of the word at the start of a text: up to '|', a line end or the end. */
static size_t word_len(const char *s)
{
	return strcspn(s, "|\n");
}

/* The number of the word in the unit's list, or -EINVAL. */
static int word_find(const char *unit, const char *text)
{
	size_t len = word_len(text);
	int i = 0;

	if (text[len] == '|' || (text[len] && text[len + 1]))
		return -EINVAL;	/* more than one word, more than a line */
	for (;; i++) {
		size_t n = word_len(unit);

		if (n == len && !strncmp(unit, text, n))
			return i;
		if (!unit[n])
			return -EINVAL;
		unit += n + 1;
	}
}

/**
 * dcc_knob_parse() - check a text against a knob
 * @k: the knob
 * @text: what was written, without a sign; one line end at its end is fine
 * @value: set only on success
 *
 * Return: 0; -EINVAL if it is neither a number nor one of the words, out of
 * range, or not the power of two it has to be.
 */
int dcc_knob_parse(const struct dcc_knob *k, const char *text, u32 *value)
{
	u32 v;
	int word;

	if (*text == '+' || kstrtou32(text, 10, &v)) {
		word = strchr(k->unit, '|') ? word_find(k->unit, text) : -EINVAL;
		if (word < 0)
			return -EINVAL;
		v = (u32)word;
	}
	if (v < k->min || v > k->max)
		return -EINVAL;
	if (!strcmp(k->unit, "2^n") && v & (v - 1))
		return -EINVAL;
	*value = v;
	return 0;
}
EXPORT_SYMBOL_GPL(dcc_knob_parse);

/**
 * dcc_knob_show() - a knob's value as text
 * @k: the knob
 * @value: a value that dcc_knob_parse() let pass
 * @text: where to write
 * @size: bytes there
 *
 * Return: the text's length, as snprintf() does.
 */
int dcc_knob_show(const struct dcc_knob *k, u32 value, char *text, size_t size)
{
	const char *word = k->unit;

	if (!strchr(word, '|'))
		return snprintf(text, size, "%u", value);
	for (; value; value--)
		word += word_len(word) + 1;
	return snprintf(text, size, "%.*s", (int)word_len(word), word);
}
EXPORT_SYMBOL_GPL(dcc_knob_show);
