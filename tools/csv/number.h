/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers as texts have them: read as a whole, exactly, or refused. */
#ifndef _CSV_NUMBER_H
#define _CSV_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct text_number - digits * 10^shift, as written
 * @minus: is there a sign before it?
 * @digits: all its digits as one number, up to 30 of them: 100 bits
 * @shift: from its point and its exponent
 */
struct text_number {
	bool minus;
	unsigned __int128 digits;
	int shift;
};

int text_digits(const char *text, const char **end, struct text_number *number);
int text_exact(const char *text, struct text_number *number);
int text_number(const char *text, uint64_t *value);
int text_decimal(const char *text, uint32_t digits, int64_t *value);

#endif /* _CSV_NUMBER_H */
