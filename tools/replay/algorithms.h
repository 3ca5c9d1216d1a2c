/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The algorithms that can be replayed: those of tools/algorithms, each with one flow, and what
 * tells their inside by name.
 */
#ifndef _REPLAY_ALGORITHMS_H
#define _REPLAY_ALGORITHMS_H

#include <stdio.h>

#include "../../common/math/dcc_quantile.h"
#include "../algorithms/algorithms.h"

#define ALG_FIELDS	32	/* most fields of an algorithm's state */

/**
 * struct field - a number inside a struct, for columns
 * @name: of the column
 * @unit: of its values
 * @help: meaning, one line
 * @deflt: what stands for an absent or empty cell, in words; of a state's
 *	field, NULL: as the row before left it
 * @offset: where in the struct
 * @size: its bytes
 * @low: smallest value allowed
 * @high: largest
 */
struct field {
	const char *name;
	const char *unit;
	const char *help;
	const char *deflt;
	size_t offset;
	size_t size;
	u64 low;
	u64 high;
};

#define FIELD(type, member, name_, unit_, low_, high_, deflt_, help_) {	\
	.name = name_, .unit = unit_, .help = help_, .deflt = deflt_,	\
	.offset = offsetof(type, member),				\
	.size = sizeof(((type *)0)->member), .low = low_, .high = high_,\
}

/**
 * struct alg - one algorithm with one flow
 * @of: the algorithm
 * @value: the knobs' values, in the table's order
 * @published: name, value, ..., NULL: its paper's knobs; NULL: the defaults
 * @flow: the flow
 * @extra: what the algorithm has beside it; NULL: nothing
 * @field: what of the state has a column
 * @fields: how many
 * @state: the state that @field describes
 * @pull: make @state what the flow's state is; NULL: it is that itself
 * @push: make the flow's state what @state is; NULL likewise
 * @history_room: recent delays the algorithm keeps; 0: none
 * @history_clear: forget them
 * @history_put: add one
 * @history_count: how many there are
 */
struct alg {
	const struct tool_alg *of;
	u32 *value;
	const char *const *published;
	void *flow;
	void *extra;
	const struct field *field;
	u32 fields;
	void *state;
	void (*pull)(void);
	void (*push)(void);
	u32 history_room;
	void (*history_clear)(void);
	void (*history_put)(u32 delay_ns);
	u32 (*history_count)(void);
};

extern const struct alg mswift_algs[];
extern const struct alg nscc_algs[];
extern const struct alg oscar_algs[];
extern const struct alg prioplus_algs[], ledbat_algs[];
extern const u32 mswift_alg_count, nscc_alg_count, oscar_alg_count,
		 prioplus_alg_count, ledbat_alg_count;

const struct alg *alg_find(const char *name);
bool alg_set(const struct alg *alg, const char *name, const char *text);
void alg_list(FILE *out);
void alg_list_knobs(const struct alg *alg,
		    const char *(*instead)(const char *knob), FILE *out);
u64 field_get(const void *base, const struct field *f);
void field_set(void *base, const struct field *f, u64 value);
void field_list(const struct field *f, u32 count, const char *prefix,
		FILE *out);

#endif /* _REPLAY_ALGORITHMS_H */
