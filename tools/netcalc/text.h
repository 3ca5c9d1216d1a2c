/* SPDX-License-Identifier: GPL-2.0 */
/* Quantities with units, as users write them. */
#ifndef _NC_TEXT_H
#define _NC_TEXT_H

#include <stddef.h>
#include <stdint.h>

/**
 * enum nc_unit - what a quantity is
 * @NC_TIME: ns, whole
 * @NC_SIZE: bytes, whole
 * @NC_RATE: kbit/s, whole
 * @NC_COUNT: a whole number without unit
 * @NC_SHARE: 0 to 1, or with %; parts per million
 */
enum nc_unit { NC_TIME, NC_SIZE, NC_RATE, NC_COUNT, NC_SHARE };

#define NC_ERROR_BYTES	256

int nc_text_quantity(const char *text, enum nc_unit unit, int64_t *value,
		     char error[NC_ERROR_BYTES]);

#endif /* _NC_TEXT_H */
