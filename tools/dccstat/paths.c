// SPDX-License-Identifier: GPL-2.0
/* Counting ways; see paths.h. */
#include "paths.h"

#define FIRST_LABEL	0x1d00dU	/* in the half that flowlabel_state_ranges leaves */
#define LABEL_STEP	0x4321U

/**
 * paths_label() - a flow label of probes
 * @number: which, below PATHS_LABELS
 */
u32 paths_label(u32 number)
{
	return FIRST_LABEL + number * LABEL_STEP;
}

/* Did every hop up to the host answer? */
bool paths_whole(const struct paths_try *t)
{
	u32 i;

	for (i = 0; i < t->hops; i++)
		if (!t->heard[i])
			return false;
	return t->hops;
}

static bool is_same(const struct paths_try *a, const struct paths_try *b)
{
	return a->hops == b->hops && !memcmp(a->hop, b->hop, a->hops * sizeof(a->hop[0]));
}

/**
 * paths_count() - how many ways were there?
 * @tries: one for each label
 * @count: how many
 * @paths: filled in, but for @asked
 *
 * A label with a hop that kept silent tells nothing: it may be as another.
 */
void paths_count(const struct paths_try *tries, u32 count, struct paths *paths)
{
	u32 i, k;

	paths->whole = 0;
	paths->distinct = 0;
	paths->hops = 0;
	for (i = 0; i < count; i++) {
		if (!paths_whole(&tries[i]))
			continue;
		for (k = 0; k < i; k++)
			if (paths_whole(&tries[k]) && is_same(&tries[k], &tries[i]))
				break;
		paths->whole++;
		paths->distinct += k == i;
		paths->hops = max_t(u32, paths->hops, tries[i].hops);
	}
}
