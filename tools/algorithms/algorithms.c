// SPDX-License-Identifier: GPL-2.0
/* All algorithms, and what their knobs may be. */
#include <stdio.h>

#include "algorithms.h"

/* Module by module. */
static const struct {
	const struct tool_alg *alg;
	const u32 *count;
} families[] = {
	{ tool_mswift, &tool_mswift_count },
	{ tool_nscc, &tool_nscc_count },
	{ tool_oscar, &tool_oscar_count },
	{ tool_prioplus, &tool_prioplus_count },
	{ tool_ledbat, &tool_ledbat_count },
};

/**
 * tool_alg_at() - the algorithms one by one
 * @i: from 0
 *
 * Return: NULL behind the last one.
 */
const struct tool_alg *tool_alg_at(u32 i)
{
	u32 k;

	for (k = 0; k < ARRAY_SIZE(families); k++) {
		if (i < *families[k].count)
			return &families[k].alg[i];
		i -= *families[k].count;
	}
	return NULL;
}

/**
 * tool_knob_range() - what a knob may be
 * @k: the knob
 * @text: gets it, in words
 * @size: of @text, at least TOOL_RANGE
 */
void tool_knob_range(const struct dcc_knob *k, char *text, size_t size)
{
	if (strchr(k->unit, '|'))
		snprintf(text, size, "%s", k->unit);
	else
		snprintf(text, size, "%u to %u%s", k->min, k->max,
			 strcmp(k->unit, "2^n") ? "" : ", power of two");
}
