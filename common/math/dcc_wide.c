// SPDX-License-Identifier: GPL-2.0
/* 128-bit products and quotients; see dcc_wide.h. */
#include "dcc_fixed.h"
#include "dcc_wide.h"

/**
 * dcc_wide_mul() - a product
 * @a: any value
 * @b: any value
 *
 * Schoolbook, in digits of 32 bits: mid is at most 3 * (2^32 - 1) + 2^64 - 2^33
 * + 1, within a u64.
 *
 * Return: @a * @b, exact.
 */
struct dcc_wide dcc_wide_mul(u64 a, u64 b)
{
	u64 low = (u64)(u32)a * (u32)b;
	u64 left = (a >> 32) * (u32)b;
	u64 right = (u64)(u32)a * (b >> 32);
	u64 mid = (low >> 32) + (u32)left + right;

	return (struct dcc_wide) {
		.hi = (a >> 32) * (b >> 32) + (left >> 32) + (mid >> 32),
		.lo = mid << 32 | (u32)low,
	};
}
EXPORT_SYMBOL_GPL(dcc_wide_mul);

/**
 * dcc_wide_sub() - a difference
 * @a: any value
 * @b: any value
 *
 * Return: @a - @b, modulo 2^128.
 */
struct dcc_wide dcc_wide_sub(struct dcc_wide a, struct dcc_wide b)
{
	return (struct dcc_wide) {
		.hi = a.hi - b.hi - (a.lo < b.lo),
		.lo = a.lo - b.lo,
	};
}
EXPORT_SYMBOL_GPL(dcc_wide_sub);

/*
 * One digit of 32 bits of a long division (Knuth, The Art of Computer
 * Programming 2, 4.3.1, algorithm D): (@rest, @next) / @d, with @d normalised
 * (top bit set) and @rest < @d. The first guess is at most two too large, and at
 * most 2^32 + 1, for which the first product just fits. Two is also said where a
 * compiler, or BPF's verifier, sees it.
 */
static u32 wide_digit(u64 rest, u32 next, u64 d)
{
	u32 top = (u32)(d >> 32);
	u64 q = div_u64(rest, top), r = rest - q * top;
	u32 tries;

	for (tries = 0; tries < 2 && q * (u32)d > (r << 32 | next); tries++) {
		q--;
		r += top;
		if (r >> 32)
			break;
	}
	return (u32)q;
}

/**
 * dcc_wide_div() - a quotient
 * @n: any value, unsigned
 * @d: any value
 *
 * Return: @n / @d, rounded down; U64_MAX if it does not fit or @d is 0.
 */
u64 dcc_wide_div(struct dcc_wide n, u64 d)
{
	u32 high, low, shift;

	if (n.hi >= d)
		return U64_MAX;
	if (!n.hi)
		return div64_u64(n.lo, d);
	shift = 64 - fls64(d);
	d <<= shift;
	if (shift)
		n.hi = n.hi << shift | n.lo >> (64 - shift);
	n.lo <<= shift;
	high = wide_digit(n.hi, (u32)(n.lo >> 32), d);
	n.hi = (n.hi << 32 | n.lo >> 32) - high * d;
	low = wide_digit(n.hi, (u32)n.lo, d);
	return (u64)high << 32 | low;
}
EXPORT_SYMBOL_GPL(dcc_wide_div);

/**
 * dcc_wide_round() - a quotient
 * @n: at most 2^128 - 2^63
 * @d: any value
 *
 * Return: @n / @d to the nearest, halves up; U64_MAX if it does not fit or @d is
 * 0.
 */
u64 dcc_wide_round(struct dcc_wide n, u64 d)
{
	n.lo += d / 2;
	n.hi += n.lo < d / 2;
	return dcc_wide_div(n, d);
}
EXPORT_SYMBOL_GPL(dcc_wide_round);

/**
 * dcc_mul_div() - a product, divided
 * @a: any value
 * @b: any value
 * @c: any value
 *
 * Return: @a * @b / @c to the nearest, halves up; U64_MAX if it does not fit or
 * @c is 0.
 */
u64 dcc_mul_div(u64 a, u64 b, u64 c)
{
	return dcc_wide_round(dcc_wide_mul(a, b), c);
}
EXPORT_SYMBOL_GPL(dcc_mul_div);

/**
 * dcc_carried_pkts() - what a line carries in a time
 * @line_rate: bytes/s; above DCC_FASTEST_LINE it counts as that
 * @ns: the time
 * @mss: payload of a packet, bytes, not 0
 *
 * 40 bits of bytes/s and 32 of ns make 42 of bytes, 62 if a packet has one.
 *
 * Return: packets << DCC_PKT_SHIFT.
 */
u64 dcc_carried_pkts(u64 line_rate, u32 ns, u32 mss)
{
	u64 bytes = dcc_mul_div(min(line_rate, DCC_FASTEST_LINE), ns, NSEC_PER_SEC);

	return div_u64(bytes << DCC_PKT_SHIFT, mss);
}
EXPORT_SYMBOL_GPL(dcc_carried_pkts);
