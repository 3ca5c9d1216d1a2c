// SPDX-License-Identifier: GPL-2.0
/* Rational numbers that are exact or nothing; q.h tells the rules. */
#include "q.h"

static _Thread_local bool lost;

static __int128 magnitude(__int128 a)
{
	return a < 0 ? -a : a;
}

/* Most numbers fit 64 bits: halve and subtract (Stein), without divisions. */
static uint64_t gcd_64(uint64_t a, uint64_t b)
{
	int twos;

	if (!a || !b)
		return a | b;
	twos = __builtin_ctzll(a | b);
	a >>= __builtin_ctzll(a);
	while (b) {
		b >>= __builtin_ctzll(b);
		if (a > b) {
			uint64_t more = a;

			a = b;
			b = more;
		}
		b -= a;
	}
	return a << twos;
}

static __int128 gcd(__int128 a, __int128 b)
{
	if (a == 1 || b == 1)
		return 1;
	while (b) {
		__int128 rest;

		if (!(a >> 64) && !(b >> 64))
			return gcd_64(a, b);
		rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static struct nc_q overflowed(void)
{
	lost = true;
	return NC_ZERO;
}

/* The one number without a negative counterpart is not used. */
static bool is_lowest(__int128 a)
{
	return a < 0 && a + 1 == -((((__int128)1 << 126) - 1) * 2 + 1);
}

static struct nc_q checked(__int128 num, __int128 den, bool overflow)
{
	if (overflow || is_lowest(num) || is_lowest(den))
		return overflowed();
	return (struct nc_q){ num, den };
}

/**
 * nc_q_is_lost() - is there a lost result that nobody has asked for?
 *
 * Return: true if so; the flag stays, for whoever answers for the result.
 */
bool nc_q_is_lost(void)
{
	return lost;
}

/**
 * nc_q_lost() - has a result been lost since the last call?
 *
 * Return: true if an operation overflowed (or divided by 0); clears the flag.
 */
bool nc_q_lost(void)
{
	bool was = lost;

	lost = false;
	return was;
}

/**
 * nc_q_make() - a fraction from its parts
 * @num: numerator
 * @den: denominator, not 0
 *
 * Return: num/den in lowest terms.
 */
struct nc_q nc_q_make(__int128 num, __int128 den)
{
	__int128 common;

	if (den == 0 || is_lowest(num) || is_lowest(den))
		return overflowed();
	if (den < 0) {
		num = -num;
		den = -den;
	}
	common = gcd(magnitude(num), den);
	return checked(num / common, den / common, false);
}

/* Equal denominators: the usual case, as rates and times share a grid. */
static struct nc_q add_alike(struct nc_q a, struct nc_q b)
{
	__int128 num;

	if (__builtin_add_overflow(a.num, b.num, &num))
		return overflowed();
	if (a.den == 1)
		return checked(num, 1, false);
	return nc_q_make(num, a.den);
}

/* Knuth, The Art of Computer Programming, 4.5.1: the smallest intermediates. */
struct nc_q nc_q_add(struct nc_q a, struct nc_q b)
{
	__int128 common, left, right, num, den, rest;
	bool bad;

	if (a.den == b.den)
		return add_alike(a, b);
	common = gcd(a.den, b.den);
	bad = __builtin_mul_overflow(a.num, b.den / common, &left);
	bad |= __builtin_mul_overflow(b.num, a.den / common, &right);
	bad |= __builtin_add_overflow(left, right, &num);
	if (bad || is_lowest(num))
		return overflowed();
	rest = gcd(magnitude(num), common);
	bad = __builtin_mul_overflow(a.den / common, b.den / rest, &den);
	return checked(num / rest, den, bad);
}

struct nc_q nc_q_sub(struct nc_q a, struct nc_q b)
{
	b.num = -b.num;
	return nc_q_add(a, b);
}

struct nc_q nc_q_mul(struct nc_q a, struct nc_q b)
{
	__int128 across, back, num, den;
	bool bad;

	if (a.num == 0 || b.num == 0)
		return NC_ZERO;
	across = gcd(magnitude(a.num), b.den);
	back = gcd(magnitude(b.num), a.den);
	bad = __builtin_mul_overflow(a.num / across, b.num / back, &num);
	bad |= __builtin_mul_overflow(a.den / back, b.den / across, &den);
	return checked(num, den, bad);
}

struct nc_q nc_q_div(struct nc_q a, struct nc_q b)
{
	struct nc_q inverse = { b.den, b.num };

	if (b.num == 0)
		return overflowed();
	if (b.num < 0) {
		inverse.num = -inverse.num;
		inverse.den = -inverse.den;
	}
	return nc_q_mul(a, inverse);
}

static __int128 floor_of(struct nc_q a)
{
	__int128 whole = a.num / a.den;

	return whole - (a.num % a.den < 0);
}

/* The largest whole number that is not above. */
struct nc_q nc_q_floor(struct nc_q a)
{
	return (struct nc_q){ floor_of(a), 1 };
}

/* The smallest whole number that is not below. */
struct nc_q nc_q_ceil(struct nc_q a)
{
	a.num = -a.num;
	return (struct nc_q){ -floor_of(a), 1 };
}

static int cmp_128(__int128 a, __int128 b)
{
	return (a > b) - (a < b);
}

/* Whole parts first, then the fractions upside down: nothing can overflow. */
static int cmp_slowly(struct nc_q a, struct nc_q b)
{
	__int128 whole_a = floor_of(a), whole_b = floor_of(b);
	struct nc_q rest_a, rest_b;

	if (whole_a != whole_b)
		return cmp_128(whole_a, whole_b);
	rest_a = (struct nc_q){ a.num - whole_a * a.den, a.den };
	rest_b = (struct nc_q){ b.num - whole_b * b.den, b.den };
	if (rest_a.num == 0 || rest_b.num == 0)
		return cmp_128(rest_a.num, rest_b.num);
	return cmp_slowly((struct nc_q){ rest_b.den, rest_b.num },
			  (struct nc_q){ rest_a.den, rest_a.num });
}

/**
 * nc_q_cmp() - which is larger?
 * @a: a number or infinity
 * @b: a number or infinity
 *
 * Return: -1, 0 or 1, as a is below, equal to or above b.
 */
int nc_q_cmp(struct nc_q a, struct nc_q b)
{
	__int128 left, right;

	if (a.den == b.den)
		return a.den ? cmp_128(a.num, b.num) : 0;
	if (a.den == 0 || b.den == 0)
		return a.den ? -1 : 1;
	if (__builtin_mul_overflow(a.num, b.den, &left) ||
	    __builtin_mul_overflow(b.num, a.den, &right))
		return cmp_slowly(a, b);
	return cmp_128(left, right);
}

/* The nearest double, for output only. */
double nc_q_double(struct nc_q a)
{
	if (nc_q_is_inf(a))
		return __builtin_inf();
	return (double)a.num / (double)a.den;
}
