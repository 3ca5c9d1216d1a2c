// SPDX-License-Identifier: GPL-2.0
/* Finding algorithms, setting their knobs, reading and writing fields by name. */
#include "csv.h"
#include "algorithms.h"

/* All algorithms, module by module. */
static const struct {
	const struct alg *alg;
	const u32 *count;
} families[] = {
	{ mswift_algs, &mswift_alg_count },
	{ nscc_algs, &nscc_alg_count },
	{ oscar_algs, &oscar_alg_count },
	{ prioplus_algs, &prioplus_alg_count },
	{ ledbat_algs, &ledbat_alg_count },
};

/* Where a module's defaults are not what its algorithm's paper has, the paper's hold here. */
static const struct alg *alg_published(const struct alg *alg)
{
	const char *const *set = alg->published;

	for (; set && *set; set += 2)
		alg_set(alg, set[0], set[1]);
	return alg;
}

/* The algorithm of that name; ends the program if there is none. */
const struct alg *alg_find(const char *name)
{
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		for (k = 0; k < *families[i].count; k++)
			if (!strcmp(families[i].alg[k].of->name, name))
				return alg_published(&families[i].alg[k]);
	fprintf(stderr, "replay: unknown algorithm '%s'; allowed:", name);
	alg_list(stderr);
	exit(EXIT_BAD_INPUT);
}

/* All names, on one line. */
void alg_list(FILE *out)
{
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		for (k = 0; k < *families[i].count; k++)
			fprintf(out, " %s", families[i].alg[k].of->name);
	fputc('\n', out);
}

/* Knobs of words have no unit, powers of two a name that says less than this. */
static const char *knob_unit(const struct dcc_knob *k)
{
	if (strchr(k->unit, '|'))
		return "word";
	return strcmp(k->unit, "2^n") ? k->unit : "-";
}

/**
 * alg_set() - set a knob from text
 * @alg: the algorithm
 * @name: the knob's
 * @text: its value
 *
 * Ends the program if the value is not allowed or another algorithm of the module
 * has the knob and this one has not.
 *
 * Return: false if no knob has this name.
 */
bool alg_set(const struct alg *alg, const char *name, const char *text)
{
	char range[TOOL_RANGE];
	u32 i;

	for (i = 0; i < alg->of->knobs; i++) {
		const struct dcc_knob *k = &alg->of->knob[i];

		if (strcmp(k->name, name))
			continue;
		if (!(k->algs & alg->of->bit))
			fail("knob '%s' is none of %s's; replay %s --knobs lists them",
			     name, alg->of->name, alg->of->name);
		tool_knob_range(k, range, sizeof(range));
		if (dcc_knob_parse(k, text, &alg->value[i]))
			fail("knob '%s': '%s' is not allowed; allowed: %s (%s)",
			     name, text, range, k->unit);
		return true;
	}
	return false;
}

static void list_knob(const struct dcc_knob *k, u32 used, FILE *out)
{
	char range[TOOL_RANGE], value[DCC_KNOB_TEXT];

	tool_knob_range(k, range, sizeof(range));
	dcc_knob_show(k, used, value, sizeof(value));
	fprintf(out, "%-18s %-14s %-28s %-8s %s\n", k->name, knob_unit(k),
		range, value, k->help);
}

/**
 * alg_list_knobs() - the table of --knobs
 * @alg: the algorithm
 * @instead: names of what stands for a knob, which is then left out; may be
 *	NULL
 * @out: where to print
 */
void alg_list_knobs(const struct alg *alg,
		    const char *(*instead)(const char *knob), FILE *out)
{
	u32 i;

	fprintf(out, "%-18s %-14s %-28s %-8s %s\n", "knob", "unit", "allowed",
		"default", "meaning");
	for (i = 0; i < alg->of->knobs; i++) {
		const struct dcc_knob *k = &alg->of->knob[i];

		if (k->algs & alg->of->bit && !(instead && instead(k->name)))
			list_knob(k, alg->value[i], out);
	}
}

/* A field's value; fields are unsigned and 1, 2, 4 or 8 bytes wide. */
u64 field_get(const void *base, const struct field *f)
{
	const u8 *at = (const u8 *)base + f->offset;

	switch (f->size) {
	case 1:
		return *at;
	case 2:
		return *(const u16 *)at;
	case 4:
		return *(const u32 *)at;
	}
	return *(const u64 *)at;
}

/* The value is within the field's range, which its width can hold. */
void field_set(void *base, const struct field *f, u64 value)
{
	u8 *at = (u8 *)base + f->offset;

	switch (f->size) {
	case 1:
		*at = (u8)value;
		break;
	case 2:
		*(u16 *)at = (u16)value;
		break;
	case 4:
		*(u32 *)at = (u32)value;
		break;
	default:
		*(u64 *)at = value;
	}
}

/* Columns for --columns, one a line. */
void field_list(const struct field *f, u32 count, const char *prefix,
		FILE *out)
{
	char name[TOOL_RANGE], range[TOOL_RANGE];

	for (; count; count--, f++) {
		snprintf(name, sizeof(name), "%s%s", prefix, f->name);
		snprintf(range, sizeof(range), "%llu to %llu",
			 (unsigned long long)f->low,
			 (unsigned long long)f->high);
		fprintf(out, "%-22s %-14s %-28s %-16s %s\n", name, f->unit,
			range, f->deflt ? f->deflt : "-", f->help);
	}
}
