/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laws that can be replayed: those of tools/laws, each with one flow, and what
 * tells their inside by name.
 */
#ifndef _REPLAY_LAWS_H
#define _REPLAY_LAWS_H

#include <stdio.h>

#include "../../common/dcc_quantile.h"
#include "../laws/laws.h"

#define LAW_FIELDS	32	/* most fields of a law's state */

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
 * struct law - one law with one flow
 * @of: the law
 * @value: the knobs' values, in the table's order
 * @published: name, value, ..., NULL: its paper's knobs; NULL: the defaults
 * @flow: the flow
 * @extra: what the law has beside it; NULL: nothing
 * @field: what of the state has a column
 * @fields: how many
 * @state: the state that @field describes
 * @pull: make @state what the flow's state is; NULL: it is that itself
 * @push: make the flow's state what @state is; NULL likewise
 * @history_room: recent delays the law keeps; 0: none
 * @history_clear: forget them
 * @history_put: add one
 * @history_count: how many there are
 */
struct law {
	const struct tool_law *of;
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

extern const struct law mswift_laws[];
extern const struct law nscc_laws[];
extern const struct law oscar_laws[];
extern const struct law prioplus_laws[], ledbat_laws[];
extern const u32 mswift_law_count, nscc_law_count, oscar_law_count,
		 prioplus_law_count, ledbat_law_count;

const struct law *law_find(const char *name);
bool law_set(const struct law *law, const char *name, const char *text);
void law_list(FILE *out);
void law_list_knobs(const struct law *law,
		    const char *(*instead)(const char *knob), FILE *out);
u64 field_get(const void *base, const struct field *f);
void field_set(void *base, const struct field *f, u64 value);
void field_list(const struct field *f, u32 count, const char *prefix,
		FILE *out);

#endif /* _REPLAY_LAWS_H */
