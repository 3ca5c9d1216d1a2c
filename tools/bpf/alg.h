/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The algorithms' own source, as BPF wants it: every function inlined, since BPF functions
 * return no structs, and take pointers only after looking at them. The estimator's are
 * functions by themselves: the verifier looks at each once, whoever calls it.
 */
#ifndef _BPF_ALG_H
#define _BPF_ALG_H

/* Clang 14 counts leading zeros for BPF in no other way. */
#define __builtin_clzll(x)	alg_clz(x)
#define __builtin_clz(x)	(alg_clz(x) - 32)

static inline __attribute__((always_inline)) int alg_clz(unsigned long long x)
{
	int zeros = 0, step;

	for (step = 32; step; step /= 2) {
		if (x >> (64 - step))
			continue;
		zeros += step;
		x <<= step;
	}
	return zeros;
}

#define ALG_INLINE	static inline __attribute__((always_inline))

/*
 * Programs run with this on other numbers than the verifier sees: it takes a number above
 * @most for 0, which never is (common/math/dcc_types.h; the unit tests look). Written so that it
 * walks the way with all numbers first, which then covers that with 0.
 */
#define dcc_at_most(v, most)						\
({									\
	unsigned long long v_ = (v);					\
									\
	asm volatile("if %0 > %1 goto +1; goto +1; %0 = 0;"		\
		     : "+r"(v_) : "i"(most));				\
	(u32)v_;							\
})

/*
 * BPF's instruction may_goto, since 6.9: it jumps once the stack has counted eight
 * million rounds, and each round looks like the one before to the verifier.
 */
ALG_INLINE int alg_goes_on(void)
{
	int on;

	asm volatile("%0 = 0; .byte 0xe5, 0; .short 1; .long 0; %0 = 1;" : "=r"(on));
	return on;
}

/* Rounds that the verifier walks one by one: those in which a number counts places. */
#define ALG_WALKED	32

#define dcc_while(cond, most)						\
	for (u32 rounds_ = 0;						\
	     ((most) > ALG_WALKED ? alg_goes_on() : rounds_++ < (most)) && (cond);)

/*
 * A root's digits decide branches, and the verifier, which knows where each number comes
 * from, would walk all 2^32 ways through them. A zero that it does not know to be one
 * takes that away: it then walks each digit once.
 */
unsigned long long alg_unknown;

#define dcc_isqrt64	alg_isqrt64_of_the_modules
#include "../../common/math/dcc_fixed.h"
#undef dcc_isqrt64

static inline __attribute__((always_inline)) u32 dcc_isqrt64(u64 x)
{
	u64 bit, r = 0;

	for (bit = 1ULL << 62; bit; bit >>= 2) {
		bool take;

		x ^= alg_unknown;
		r ^= alg_unknown;
		take = x >= r + bit;
		x -= take ? r + bit : 0;
		r = (r >> 1) + (take ? bit : 0);
	}
	return (u32)r;
}

/*
 * A function that was declared static stays so where it is defined without the word:
 * the headers see these names, the sources below do not.
 */
#define ALG(name)	ALG_INLINE name
#define dcc_swift_init		ALG(dcc_swift_init)
#define dcc_swift_target	ALG(dcc_swift_target)
#define dcc_swift_grow		ALG(dcc_swift_grow)
#define dcc_swift_increase	ALG(dcc_swift_increase)
#define dcc_swift_may_decrease	ALG(dcc_swift_may_decrease)
#define dcc_swift_decrease	ALG(dcc_swift_decrease)
#define dcc_swift_cut		ALG(dcc_swift_cut)
#define dcc_swift_on_rto	ALG(dcc_swift_on_rto)
#define dcc_wide_mul		ALG(dcc_wide_mul)
#define dcc_wide_sub		ALG(dcc_wide_sub)
#define dcc_wide_div		ALG(dcc_wide_div)
#define dcc_wide_round		ALG(dcc_wide_round)
#define dcc_mul_div		ALG(dcc_mul_div)
#define dcc_carried_pkts	ALG(dcc_carried_pkts)
#define dcc_start_alone		ALG(dcc_start_alone)
#define dcc_quantile_init	ALG(dcc_quantile_init)
#define dcc_quantile_clear	ALG(dcc_quantile_clear)
#define dcc_quantile_move	ALG(dcc_quantile_move)
#define dcc_quantile_resize	ALG(dcc_quantile_resize)
#define dcc_quantile_add	ALG(dcc_quantile_add)
#define dcc_quantile_expire	ALG(dcc_quantile_expire)
#define dcc_quantile_get	ALG(dcc_quantile_get)
#define mswift_init		ALG(mswift_init)
#define mswift_slow_start	ALG(mswift_slow_start)
#define mswift_on_ack		ALG(mswift_on_ack)
#define mswift_on_rto		ALG(mswift_on_rto)
#define mswift_on_idle		ALG(mswift_on_idle)
#define mswift_median		ALG(mswift_median)
#define mswift_start		ALG(mswift_start)
#define mswift_base		ALG(mswift_base)

#include "../../common/math/dcc_wide.h"
#include "../../tcp_mswift/mswift.h"

#undef dcc_swift_init
#undef dcc_swift_target
#undef dcc_swift_grow
#undef dcc_swift_increase
#undef dcc_swift_may_decrease
#undef dcc_swift_decrease
#undef dcc_swift_cut
#undef dcc_swift_on_rto
#undef dcc_wide_mul
#undef dcc_wide_sub
#undef dcc_wide_div
#undef dcc_wide_round
#undef dcc_mul_div
#undef dcc_carried_pkts
#undef dcc_start_alone
#undef dcc_quantile_init
#undef dcc_quantile_clear
#undef dcc_quantile_move
#undef dcc_quantile_resize
#undef dcc_quantile_add
#undef dcc_quantile_expire
#undef dcc_quantile_get
#undef mswift_init
#undef mswift_slow_start
#undef mswift_on_ack
#undef mswift_on_rto
#undef mswift_on_idle
#undef mswift_median
#undef mswift_start
#undef mswift_base

/* No texts: the table of knobs is for those who set them by name. */
#undef DCC_KNOB_ENTRY
#define DCC_KNOB_ENTRY(n, unit, lo, hi, dflt, algs, help)	{ .def = dflt },

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#include "../../common/math/dcc_wide.c"
#include "../../common/cc/dcc_start.c"
#include "../../common/cc/dcc_swift.c"

/*
 * An estimator of one size: 4096 bytes less what the kernel adds to a socket's storage.
 * Windows above 3968 packets have a shorter history than the module's, of 2048 packets.
 */
#undef DCC_Q_MAX_H
#define DCC_Q_MAX_H	1984U

struct alg_history {
	u32 words[(DCC_QUANTILE_SIZE(DCC_Q_MAX_H) + 3) / 4];
};

/* Clang has no memset() for BPF that is that large, or of a size that it does not know. */
#define memset(to, zero, size)	alg_clear(to, size)

ALG_INLINE void alg_clear(void *to, u32 size)
{
	u32 *words = to, i;

	for (i = 0; i < ARRAY_SIZE(((struct alg_history *)0)->words); i++) {
		if (i * sizeof(*words) >= size)
			break;
		words[i] = 0;
		asm volatile("" ::: "memory");
	}
}

#include "../../common/math/dcc_quantile.c"
#undef memset
#pragma clang attribute pop

/* What the verifier takes by itself returns a number, and may be given NULL. */
#define ALG_FUNCTION(name, ...)	\
	__attribute__((noinline)) u32 name(struct alg_history *h, ##__VA_ARGS__)

ALG_FUNCTION(alg_history_clear)
{
	if (h)
		dcc_quantile_init((struct dcc_quantile *)h, DCC_Q_MAX_H);
	return 0;
}

ALG_FUNCTION(alg_history_resize, u32 size)
{
	if (h)
		dcc_quantile_resize((struct dcc_quantile *)h, size);
	return 0;
}

ALG_FUNCTION(alg_history_add, u32 v_ns, u32 weight, u32 size)
{
	if (h)
		dcc_quantile_add((struct dcc_quantile *)h, v_ns, weight, size);
	return 0;
}

ALG_FUNCTION(alg_history_expire, u64 now_ns, u32 horizon_ns)
{
	if (h)
		dcc_quantile_expire((struct dcc_quantile *)h, now_ns, horizon_ns);
	return 0;
}

ALG_FUNCTION(alg_history_get, u32 percent)
{
	return h ? dcc_quantile_get((struct dcc_quantile *)h, percent) : 0;
}

/* These the algorithm calls. */
#define dcc_quantile_clear(q)	alg_history_clear((struct alg_history *)(q))
#define dcc_quantile_resize(q, ...)	alg_history_resize((struct alg_history *)(q), __VA_ARGS__)
#define dcc_quantile_add(q, ...)	alg_history_add((struct alg_history *)(q), __VA_ARGS__)
#define dcc_quantile_expire(q, ...)	alg_history_expire((struct alg_history *)(q), __VA_ARGS__)
#define dcc_quantile_get(q, ...)	alg_history_get((struct alg_history *)(q), __VA_ARGS__)

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#include "../../tcp_mswift/mswift_median.c"
#include "../../tcp_mswift/mswift_start.c"
#include "../../tcp_mswift/mswift.c"
#pragma clang attribute pop

#endif /* _BPF_ALG_H */
