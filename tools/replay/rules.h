/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the rules that algorithms number: the branch of a decision, as the trace event
 * dcc:dcc_ack has it. Pure; unknown algorithms and numbers are told, not guessed.
 */
#ifndef _REPLAY_RULES_H
#define _REPLAY_RULES_H

#include "../../common/math/dcc_types.h"

#define RULE_TEXT	64	/* longest name, with all marks */

#define RULE_ALGS	3	/* most algorithms of a family */
#define RULE_MARKS	4	/* most bits above a branch's mask */
#define RULE_UNMARKED	0xff	/* the mask of those that have none */

/**
 * struct rule_family - algorithms that number their rules alike
 * @alg: their names
 * @mask: the bits of a branch that are the rule; the others are marks
 * @rule: names by number
 * @rules: how many
 * @mark: what the other bits say
 *
 * A file for each, since headers of several modules cannot be included together.
 */
struct rule_family {
	const char *alg[RULE_ALGS];
	u8 mask;
	const char *const *rule;
	u32 rules;
	struct {
		u8 bit;
		const char *name;
	} mark[RULE_MARKS];
};

extern const struct rule_family rules_swift, rules_nscc, rules_oscar, rules_prioplus,
				rules_ledbat;

/**
 * rule_name() - a decision's branch in words
 * @alg: the algorithm's name
 * @branch: its number
 * @text: set in any case: "fair+fulfil+period", or the number itself
 * @size: of @text, at least RULE_TEXT
 *
 * Return: is it known?
 */
bool rule_name(const char *alg, u8 branch, char *text, size_t size);

#endif /* _REPLAY_RULES_H */
