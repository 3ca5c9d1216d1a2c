/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of this command, tools/csv/table.h: the first line names the columns,
 * every other one is a row.
 *
 * Whatever is wrong ends the program with status 2 and a message that names
 * file, line, column and value: nothing is guessed, nothing printed half.
 */
#ifndef _REPLAY_CSV_H
#define _REPLAY_CSV_H

#include "../../common/math/dcc_types.h"
#include "../csv/number.h"
#include "../csv/table.h"

#define EXIT_FAILED	1	/* of dccstat: asked for rightly, but it cannot be done */
#define EXIT_BAD_INPUT	2

void csv_head(struct csv *c);
void csv_open(struct csv *c, const char *path);
bool csv_next(struct csv *c);
u64 csv_number(struct csv *c, int column, u64 low, u64 high);
s64 csv_decimal(struct csv *c, int column, u32 digits, s64 low, s64 high,
		const char *allowed);
__attribute__((noreturn, format(printf, 2, 3)))
void csv_fail(struct csv *c, const char *format, ...);
__attribute__((noreturn, format(printf, 3, 4)))
void csv_bad(struct csv *c, int column, const char *format, ...);
__attribute__((noreturn, format(printf, 1, 2)))
void fail(const char *format, ...);
__attribute__((noreturn, format(printf, 1, 2)))
void cannot(const char *format, ...);

#endif /* _REPLAY_CSV_H */
