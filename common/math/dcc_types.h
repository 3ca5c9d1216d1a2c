/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few kernel words the pure code needs, so that algorithms and estimators
 * build unchanged in the kernel, in unit tests, in fuzzers and in tools.
 */
#ifndef _DCC_TYPES_H
#define _DCC_TYPES_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <vdso/time64.h>
#else
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define U32_MAX UINT32_MAX
#define U16_MAX UINT16_MAX
#define U8_MAX UINT8_MAX
#define U64_MAX UINT64_MAX
#define S32_MAX INT32_MAX
#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L
#define USEC_PER_SEC 1000000L

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(t, a, b) ((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b) ((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define clamp_t(t, v, lo, hi) min_t(t, max_t(t, v, lo), hi)
#define static_assert _Static_assert
#define EXPORT_SYMBOL_GPL(symbol) struct dcc_exported_##symbol

static inline s64 div_s64(s64 a, s32 b)
{
	return a / b;
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 div_u64(u64 a, u32 b)
{
	return a / b;
}

/* Number of the highest bit set, from 1; 0: none is. */
static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}
#endif /* __KERNEL__ */

/*
 * BPF's verifier takes no place in an array and no loop that ends where it cannot see.
 * Sources that are compiled to BPF, too, say it by these, which must be true whatever
 * happens: @v is at most @most, a number below 2^31; a loop takes at most @most rounds.
 * It costs the kernel nothing; programs outside it look whether it is so; BPF has its
 * own (tools/bpf/alg.h).
 */
#ifdef __KERNEL__
#define dcc_at_most(v, most)	(v)
#define dcc_while(cond, most)	while (cond)
#elif !defined(__bpf__)
#define dcc_while(cond, most)	\
	for (u32 rounds_ = 0; (cond) && dcc_at_most(++rounds_, most);)

static inline u32 dcc_at_most(u32 v, u32 most)
{
	assert(v <= most);
	return v;
}
#endif

#endif /* _DCC_TYPES_H */
