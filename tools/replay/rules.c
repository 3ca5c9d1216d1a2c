// SPDX-License-Identifier: GPL-2.0
/* Rules by number; see rules.h. */
#include <stdio.h>

#include "rules.h"

static const struct rule_family *const families[] = {
	&rules_swift, &rules_nscc, &rules_oscar, &rules_prioplus, &rules_ledbat,
};

static const struct rule_family *find_family(const char *alg)
{
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		for (k = 0; k < RULE_ALGS && families[i]->alg[k]; k++)
			if (!strcmp(families[i]->alg[k], alg))
				return families[i];
	return NULL;
}

bool rule_name(const char *alg, u8 branch, char *text, size_t size)
{
	const struct rule_family *f = find_family(alg);
	u8 known = f ? f->mask : 0;
	size_t len;
	u32 i;

	if (!f || (branch & f->mask) >= f->rules) {
		snprintf(text, size, "%u", branch);
		return false;
	}
	len = (size_t)snprintf(text, size, "%s", f->rule[branch & f->mask]);
	for (i = 0; i < RULE_MARKS; i++) {
		known |= f->mark[i].bit;
		if (branch & f->mark[i].bit)
			len += (size_t)snprintf(text + len, size - len, "%s",
						f->mark[i].name);
	}
	if (branch & ~known)
		snprintf(text, size, "%u", branch);
	return !(branch & ~known);
}
