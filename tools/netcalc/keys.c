// SPDX-License-Identifier: GPL-2.0
/* Tables of key=value. */
#include <errno.h>
#include <string.h>

#include "../algorithms/algorithms.h"
#include "keys.h"
#include "text.h"

static int64_t *place(const struct nc_key *key, void *base)
{
	return (int64_t *)((char *)base + key->offset);
}

static const char *help_of(const struct nc_key *key)
{
	return key->help;
}

static const struct dcc_knob *knob_of(const struct nc_key *key)
{
	return key->help;
}

static u32 *knob_place(const struct nc_key *key, void *base)
{
	return (u32 *)((char *)base + key->offset);
}

/* The values of keys that a line does not give. */
static void set_defaults(const struct nc_key *keys, void *base)
{
	for (; keys->name; keys++)
		if (keys->kind == NC_KEY_KNOB)
			*knob_place(keys, base) = knob_of(keys)->def;
		else if (keys->kind != NC_KEY_PATH)
			*place(keys, base) = keys->standard;
}

/* The number of a word in a list; the number of words if it is not there. */
static int64_t word_index(const char *list, const char *word)
{
	size_t length = strlen(word);
	int64_t i = 0;

	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == length && !strncmp(list, word, n))
			return i;
		list += n + strspn(list + n, " ");
		i++;
	}
	return -1;
}

static int set_word(struct nc_reader *r, const struct nc_key *key, void *base,
		    const char *value)
{
	int64_t index = word_index(key->help, value);

	if (index < 0)
		return nc_refuse(r, "%s is '%.40s'; allowed: %s",
				 key->name, value, help_of(key));
	*place(key, base) = index;
	return 0;
}

static int set_path(struct nc_reader *r, const struct nc_key *key, void *base,
		    const char *value)
{
	size_t n = strlen(value);

	if (n >= NC_PATH_MAX)
		return nc_refuse(r, "%s has %zu characters; allowed: %d",
				 key->name, n, NC_PATH_MAX - 1);
	memcpy((char *)base + key->offset, value, n + 1);
	return 0;
}

/* Words and powers of two have no unit. */
static const char *unit_of(const struct dcc_knob *k)
{
	return strchr(k->unit, '|') || !strcmp(k->unit, "2^n") ? "" : k->unit;
}

/* As a write to the module's file of that name would be judged. */
static int set_knob(struct nc_reader *r, const struct nc_key *key, void *base,
		    const char *value)
{
	const struct dcc_knob *k = knob_of(key);
	char range[TOOL_RANGE];

	if (!dcc_knob_parse(k, value, knob_place(key, base)))
		return 0;
	tool_knob_range(k, range, sizeof(range));
	return nc_refuse(r, "%s is '%.40s'; allowed: %s%s%s", key->name, value,
			 range, *unit_of(k) ? " in " : "", unit_of(k));
}

static int set_quantity(struct nc_reader *r, const struct nc_key *key,
			void *base, const char *text)
{
	char error[NC_ERROR_BYTES];
	int64_t value;

	if (nc_text_quantity(text, key->kind, &value, error))
		return nc_refuse(r, "%s: %s", key->name, error);
	if (value < key->least || value > key->most)
		return nc_refuse(r, "%s is %.40s; allowed: %s",
				 key->name, text, help_of(key));
	*place(key, base) = value;
	return 0;
}

static int unknown(struct nc_reader *r, const struct nc_key *keys,
		   const char *word)
{
	char list[NC_PATH_MAX] = "";

	for (; keys->name; keys++) {
		if (strlen(list) + strlen(keys->name) + 2 > sizeof(list))
			break;
		strcat(list, " ");
		strcat(list, keys->name);
	}
	return nc_refuse(r, "no key '%.40s' here; allowed:%s", word,
			 list);
}

/* A line's keys are counted from the start of their table. */
static uint64_t given_bit(const struct nc_key *keys, const struct nc_key *key)
{
	return (uint64_t)1 << (key - keys);
}

/* Does the line at hand give the key? */
bool nc_keys_given(const struct nc_reader *r, const struct nc_key *keys,
		   const char *name)
{
	const struct nc_key *key = keys;

	while (key->name && strcmp(key->name, name))
		key++;
	return key->name && (r->given & given_bit(keys, key));
}

/**
 * nc_keys_need() - a key that would have no effect is refused
 * @r: for its errors
 * @keys: the table
 * @name: the key
 * @holds: has it an effect?
 * @what: what it needs to have one
 *
 * Return: 0 or -EINVAL.
 */
int nc_keys_need(struct nc_reader *r, const struct nc_key *keys,
		 const char *name, bool holds, const char *what)
{
	if (holds || !nc_keys_given(r, keys, name))
		return 0;
	return nc_refuse(r, "%s needs %s, or has no effect", name, what);
}

/* One word of a line, "key=value"; it is changed. */
static int set_key(struct nc_reader *r, const struct nc_key *keys, void *base,
		   char *word)
{
	char *value = strchr(word, '=');
	const struct nc_key *key = keys;

	if (!value)
		return nc_refuse(r, "'%.40s' is no key=value", word);
	*value++ = 0;
	while (key->name && strcmp(key->name, word))
		key++;
	if (!key->name)
		return unknown(r, keys, word);
	if (r->given & given_bit(keys, key))
		return nc_refuse(r, "%s= is there twice; allowed: once",
				 key->name);
	r->given |= given_bit(keys, key);
	if (key->kind == NC_KEY_WORD)
		return set_word(r, key, base, value);
	if (key->kind == NC_KEY_PATH)
		return set_path(r, key, base, value);
	if (key->kind == NC_KEY_KNOB)
		return set_knob(r, key, base, value);
	return set_quantity(r, key, base, value);
}

/* Is everything there that has to be? */
static int check_needed(struct nc_reader *r, const struct nc_key *keys,
			void *base)
{
	for (; keys->name; keys++)
		if (keys->kind != NC_KEY_KNOB && keys->standard == NC_KEY_NEEDED &&
		    *place(keys, base) == NC_KEY_NEEDED)
			return nc_refuse(r, "%s= is missing (%s)", keys->name,
					 help_of(keys));
	return 0;
}

/**
 * nc_keys_read() - all the words of a line
 * @r: at the line
 * @keys: what the line may hold
 * @base: what the table's offsets are in
 * @rest: the words; changed
 *
 * Return: 0 or -EINVAL.
 */
int nc_keys_read(struct nc_reader *r, const struct nc_key *keys, void *base,
		 char *rest)
{
	char *word, *save;
	int err = 0;

	r->given = 0;
	set_defaults(keys, base);
	for (word = strtok_r(rest, " \t", &save); word && !err;
	     word = strtok_r(NULL, " \t", &save))
		err = set_key(r, keys, base, word);
	return err ? err : check_needed(r, keys, base);
}

/**
 * nc_keys_name() - the word that a line begins with, and that is no key
 * @r: at the line
 * @rest: the line; then what is behind the name
 * @name: gets it
 * @size: room for it
 *
 * Return: 0 or -EINVAL.
 */
int nc_keys_name(struct nc_reader *r, char **rest, char *name, size_t size)
{
	size_t n = strcspn(*rest, " \t");

	if (n == 0 || n >= size || strcspn(*rest, "=,\"") < n)
		return nc_refuse(r, "no flow's name; allowed: 1 to %zu characters but = , \"",
				 size - 1);
	memcpy(name, *rest, n);
	name[n] = 0;
	*rest += n + strspn(*rest + n, " \t");
	return 0;
}

static void knob_help(FILE *out, const struct dcc_knob *k)
{
	char range[TOOL_RANGE], value[DCC_KNOB_TEXT];

	tool_knob_range(k, range, sizeof(range));
	dcc_knob_show(k, k->def, value, sizeof(value));
	value[strcspn(value, "\n")] = 0;
	fprintf(out, "%s, %s%s%s (%s)", k->help, range,
		*unit_of(k) ? " in " : "", unit_of(k), value);
}

/**
 * nc_keys_help() - a table for users
 * @out: where to write
 * @keys: the table
 */
void nc_keys_help(FILE *out, const struct nc_key *keys)
{
	for (; keys->name; keys++) {
		fprintf(out, "    %-10s ", keys->name);
		if (keys->kind == NC_KEY_KNOB)
			knob_help(out, knob_of(keys));
		else
			fputs(help_of(keys), out);
		fputs(keys->kind != NC_KEY_KNOB && keys->standard == NC_KEY_NEEDED ?
		      " (needed)\n" : "\n", out);
	}
}
