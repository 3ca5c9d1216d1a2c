/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rational numbers that are exact or nothing.
 *
 * Times are in ns, amounts in bytes, slopes in bytes per ns, each a fraction
 * of two 127-bit integers in lowest terms. So 100 Gbit/s is 25/2, and where
 * two lines cross is exactly where they cross.
 *
 * An operation whose result does not fit returns 0 and sets a flag that stays
 * set, as the floating-point unit's flags do: nc_q_lost() reads and clears
 * it. Every function of the library that hands out a curve looks at the flag
 * and fails with -EOVERFLOW, so that a wrong number never gets out. A loop
 * whose end depends on numbers that it computes ends when nc_q_is_lost() says
 * so, as it may not get there otherwise. Comparisons cannot overflow.
 *
 * Infinity is 1/0. It compares as the largest number; no arithmetic is
 * defined on it.
 */
#ifndef _NC_Q_H
#define _NC_Q_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct nc_q - a fraction in lowest terms
 * @num: numerator, carries the sign
 * @den: denominator, above 0; 0 only for infinity
 */
struct nc_q {
	__int128 num;
	__int128 den;
};

#define NC_ZERO	((struct nc_q){ 0, 1 })
#define NC_INF	((struct nc_q){ 1, 0 })

/* A whole number. */
static inline struct nc_q nc_q_int(int64_t n)
{
	return (struct nc_q){ n, 1 };
}

static inline bool nc_q_is_inf(struct nc_q a)
{
	return a.den == 0;
}

static inline int nc_q_sign(struct nc_q a)
{
	return (a.num > 0) - (a.num < 0);
}

struct nc_q nc_q_make(__int128 num, __int128 den);
struct nc_q nc_q_add(struct nc_q a, struct nc_q b);
struct nc_q nc_q_sub(struct nc_q a, struct nc_q b);
struct nc_q nc_q_mul(struct nc_q a, struct nc_q b);
struct nc_q nc_q_div(struct nc_q a, struct nc_q b);
struct nc_q nc_q_floor(struct nc_q a);
struct nc_q nc_q_ceil(struct nc_q a);
int nc_q_cmp(struct nc_q a, struct nc_q b);
double nc_q_double(struct nc_q a);
bool nc_q_is_lost(void);
bool nc_q_lost(void);

static inline bool nc_q_eq(struct nc_q a, struct nc_q b)
{
	return a.num == b.num && a.den == b.den;
}

static inline bool nc_q_lt(struct nc_q a, struct nc_q b)
{
	return nc_q_cmp(a, b) < 0;
}

static inline bool nc_q_le(struct nc_q a, struct nc_q b)
{
	return nc_q_cmp(a, b) <= 0;
}

static inline struct nc_q nc_q_min(struct nc_q a, struct nc_q b)
{
	return nc_q_cmp(a, b) <= 0 ? a : b;
}

static inline struct nc_q nc_q_max(struct nc_q a, struct nc_q b)
{
	return nc_q_cmp(a, b) >= 0 ? a : b;
}

#endif /* _NC_Q_H */
