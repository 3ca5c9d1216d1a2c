/* SPDX-License-Identifier: GPL-2.0 */
/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
#ifndef _DCCSTAT_FNV_H
#define _DCCSTAT_FNV_H

#include "../../common/math/dcc_types.h"

#define FNV_BASIS	0xcbf29ce484222325ULL
#define FNV_PRIME	0x100000001b3ULL

/* @h: FNV_BASIS, or what came of the data before. */
static inline u64 fnv(u64 h, const void *data, size_t len)
{
	const u8 *at = data;

	while (len--)
		h = (h ^ *at++) * FNV_PRIME;
	return h;
}

#endif /* _DCCSTAT_FNV_H */
