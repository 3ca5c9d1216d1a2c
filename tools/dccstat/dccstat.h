/* SPDX-License-Identifier: GPL-2.0 */
/* The commands; main.c chooses. Each gets what follows its name. */
#ifndef _DCCSTAT_H
#define _DCCSTAT_H

#include "../../common/math/dcc_types.h"

int live_main(int count, char **words);
int counters_main(int count, char **words);
int record_main(int count, char **words);
int replay_main(int count, char **words);
int labels_main(int count, char **words);
int ways_main(int count, char **words);
int blame_main(int count, char **words);
int doctor_main(int count, char **words);
int answer_main(int count, char **words);

bool take_flag(int *count, char ***words, const char *name);
const char *take_next(int *count, char ***words, const char *name);
const char *take_value(int *count, char ***words, const char *name);
u64 take_number(int *count, char ***words, const char *name, u64 deflt, u64 low, u64 high);
void no_more_options(int count, char **words);
void no_file_twice(int count, char **words);
void flush_results(int status);

#endif /* _DCCSTAT_H */
