/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of key=value: what a line may hold, and where it goes. */
#ifndef _NC_KEYS_H
#define _NC_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../common/cc/dcc_knob.h"
#include "reader.h"
#include "text.h"

/**
 * enum nc_key_kind - what else than a quantity a value can be
 * @NC_KEY_WORD: one of the words in @help, their index is stored
 * @NC_KEY_PATH: the name of a file
 * @NC_KEY_KNOB: a knob of a kernel module; a u32 is stored
 */
enum nc_key_kind { NC_KEY_WORD = NC_SHARE + 1, NC_KEY_PATH, NC_KEY_KNOB };

#define NC_KEYS_MAX	64	/* of a line, see &struct nc_reader */

#define NC_KEY_NEEDED	(-1)

#define NC_YEAR_NS	31556952000000000LL
#define NC_TB		1000000000000LL

/**
 * struct nc_key - one key of a line
 * @name: as written; NULL ends a table
 * @kind: an &enum nc_unit or an &enum nc_key_kind
 * @offset: where the value goes: an int64_t, or a path
 * @standard: value if not given; NC_KEY_NEEDED: it has to be given
 * @least: smallest value
 * @most: largest value
 * @help: one line; for words the words, separated by blanks; for a knob the struct
 *	dcc_knob of the module's table
 */
struct nc_key {
	const char *name;
	int kind;
	size_t offset;
	int64_t standard;
	int64_t least;
	int64_t most;
	const void *help;
};

int nc_keys_read(struct nc_reader *r, const struct nc_key *keys, void *base,
		 char *rest);
int nc_keys_name(struct nc_reader *r, char **rest, char *name, size_t size);
bool nc_keys_given(const struct nc_reader *r, const struct nc_key *keys,
		   const char *name);
int nc_keys_need(struct nc_reader *r, const struct nc_key *keys,
		 const char *name, bool holds, const char *what);
void nc_keys_help(FILE *out, const struct nc_key *keys);

#endif /* _NC_KEYS_H */
