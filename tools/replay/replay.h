/* SPDX-License-Identifier: GPL-2.0 */
/* The three modes; main.c chooses. */
#ifndef _REPLAY_H
#define _REPLAY_H

#include <stdio.h>

#include "algorithms.h"

void plain_columns(const struct alg *alg, FILE *out);
void plain_run(const struct alg *alg, const char *path, bool state, FILE *out);

bool recorded_has(const struct alg *alg);
const char *recorded_instead(const char *knob);
bool recorded_set(const char *name, const char *text);
void recorded_columns(FILE *out);
void recorded_settings(FILE *out);
bool recorded_run(const struct alg *alg, const char *path, bool state,
		  FILE *out);

bool batches_has(const struct alg *alg);
bool batches_set(const char *name, const char *text);
void batches_columns(FILE *out);
void batches_settings(FILE *out);
void batches_run(const char *path, FILE *out);

#endif /* _REPLAY_H */
