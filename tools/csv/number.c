// SPDX-License-Identifier: GPL-2.0
/* Numbers as texts have them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define MOST_DIGITS	30	/* 100 bits */
#define MOST_EXPONENT	1000	/* far beyond what anyone can use */
#define u128		unsigned __int128

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/**
 * text_digits() - the digits that a text begins with, perhaps with a point
 * @text: "12.5MB"
 * @end: set to what follows them
 * @number: 125 and 10^-1; set on success
 *
 * Return: 0; -EINVAL if there is no digit, -ERANGE if there are more than 30.
 */
int text_digits(const char *text, const char **end, struct text_number *number)
{
	bool point = false;
	int count = 0;

	*number = (struct text_number){ 0 };
	for (; is_digit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (++count > MOST_DIGITS)
			return -ERANGE;
		number->digits = number->digits * 10 + (u128)(*text - '0');
		number->shift -= point;
	}
	*end = text;
	return count ? 0 : -EINVAL;
}

/* The 3 of "e3", 0 if there is none; the text behind it, NULL if it is wrong. */
static const char *read_exponent(const char *text, int *exponent)
{
	char *end;
	long v;

	*exponent = 0;
	if (*text != 'e' && *text != 'E')
		return text;
	text++;
	if (!is_digit(text[*text == '-' || *text == '+']))
		return NULL;
	v = strtol(text, &end, 10);
	if (v > MOST_EXPONENT)
		v = MOST_EXPONENT;
	*exponent = (int)(v < -MOST_EXPONENT ? -MOST_EXPONENT : v);
	return end;
}

/**
 * text_exact() - a number that may have a sign, a point and an exponent
 * @text: "-.45", "1", "2.5e-3", and nothing else
 * @number: set on success
 *
 * Return: 0, -EINVAL if it is no such number, -ERANGE if it is too long.
 */
int text_exact(const char *text, struct text_number *number)
{
	bool minus = *text == '-';
	int err, exponent;

	err = text_digits(text + (*text == '-' || *text == '+'), &text, number);
	if (err)
		return err;
	text = read_exponent(text, &exponent);
	if (!text || *text)
		return -EINVAL;
	number->minus = minus;
	number->shift += exponent;
	return 0;
}

/**
 * text_number() - a whole number without sign, and nothing else
 * @text: digits
 * @value: set only on success
 *
 * Return: 0, -EINVAL if it is no such number, -ERANGE if 64 bits are too few.
 */
int text_number(const char *text, uint64_t *value)
{
	uint64_t v = 0;

	if (!*text)
		return -EINVAL;
	if (text[strspn(text, "0123456789")])
		return -EINVAL;
	for (; *text; text++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*text - '0'), &v))
			return -ERANGE;
	*value = v;
	return 0;
}

/**
 * text_decimal() - a number that may have a sign, a point and an exponent
 * @text: as text_exact() takes it
 * @digits: decimals to keep, at most 15
 * @value: times 10^digits, to the nearest, halves away from 0; set on success
 *
 * Return: 0, -EINVAL if it is no such number, -ERANGE if it is too long or large.
 */
int text_decimal(const char *text, uint32_t digits, int64_t *value)
{
	const u128 most = INT64_MAX;
	struct text_number number;
	int err = text_exact(text, &number), shift;
	u128 v = number.digits, unit;

	if (err)
		return err;
	for (shift = (int)digits + number.shift; shift > 0 && v; shift--) {
		v *= 10;
		if (v > most)
			return -ERANGE;
	}
	for (unit = 1; shift < 0 && unit <= 2 * v; shift++)
		unit *= 10;
	v = (v + unit / 2) / unit;
	if (v > most)
		return -ERANGE;
	*value = number.minus ? -(int64_t)v : (int64_t)v;
	return 0;
}
