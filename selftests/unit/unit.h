/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tiny test harness: TAP on standard output, values in every message, a
 * repeatable random source. One program per source file under test:
 *
 *	static void function__case(void)
 *	{
 *		EXPECT_EQ(function(1), 2);
 *	}
 *
 *	static const struct unit_test tests[] = {
 *		UNIT_TEST(function__case),
 *	};
 *
 *	UNIT_MAIN(tests)
 */
#ifndef _UNIT_H
#define _UNIT_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "math/dcc_types.h"

struct unit_test {
	const char *name;
	void (*run)(void);
};

#define UNIT_TEST(fn)	{ #fn, fn }
#define UNIT_SHOWN	8	/* messages per test: a loop must not flood */

static unsigned int unit_failures;	/* in the running test */
static u64 unit_state;

/* Count a failure and say what was wrong. */
__attribute__((format(printf, 3, 4)))
static inline void unit_fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	if (++unit_failures > UNIT_SHOWN)
		return;
	printf("# %s:%d: ", file, line);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

static inline void unit_eq(const char *file, int line, const char *what,
			   long long got, long long want)
{
	if (got != want)
		unit_fail(file, line, "%s is %lld, expected %lld", what, got,
			  want);
}

static inline void unit_near(const char *file, int line, const char *what,
			     double got, double want, double slack)
{
	if (!(fabs(got - want) <= slack))
		unit_fail(file, line, "%s is %.9g, expected %.9g +- %.3g", what,
			  got, want, slack);
}

static inline void unit_between(const char *file, int line, const char *what,
				double got, double low, double high)
{
	if (!(got >= low && got <= high))
		unit_fail(file, line, "%s is %.9g, expected %.9g to %.9g", what,
			  got, low, high);
}

static inline void unit_text(const char *file, int line, const char *what,
			     const char *got, const char *want)
{
	if (strcmp(got, want))
		unit_fail(file, line, "%s is \"%s\", expected \"%s\"", what,
			  got, want);
}

#define EXPECT_EQ(got, want) \
	unit_eq(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define EXPECT_NEAR(got, want, slack) \
	unit_near(__FILE__, __LINE__, #got, (double)(got), (double)(want), \
		  (double)(slack))
#define EXPECT_BETWEEN(got, low, high) \
	unit_between(__FILE__, __LINE__, #got, (double)(got), (double)(low), \
		     (double)(high))
#define EXPECT_TEXT(got, want) \
	unit_text(__FILE__, __LINE__, #got, got, want)

/* xorshift64*: the same numbers in every run and on every machine. */
static inline u64 unit_rand(void)
{
	unit_state ^= unit_state >> 12;
	unit_state ^= unit_state << 25;
	unit_state ^= unit_state >> 27;
	return unit_state * 0x2545f4914f6cdd1dULL;
}

/* 0 to n - 1; n is not 0. */
static inline u32 unit_below(u32 n)
{
	return (u32)((unit_rand() >> 32) % n);
}

/* low to high, all magnitudes equally likely; low is not 0. */
static inline double unit_log_between(double low, double high)
{
	double u = (double)(unit_rand() >> 11) / (double)(1ULL << 53);

	return low * pow(high / low, u);
}

/* Run them all; each starts from the same random state. */
static inline int unit_run(const struct unit_test *tests, size_t count)
{
	int bad = 0;
	size_t i;

	printf("1..%zu\n", count);
	fflush(stdout);
	for (i = 0; i < count; i++) {
		unit_failures = 0;
		unit_state = 88172645463325252ULL;
		tests[i].run();
		bad |= unit_failures > 0;
		printf("%sok %zu - %s\n", unit_failures ? "not " : "", i + 1,
		       tests[i].name);
		fflush(stdout);
	}
	return bad;
}

#define UNIT_MAIN(tests)				\
	int main(void)					\
	{						\
		return unit_run(tests, ARRAY_SIZE(tests)); \
	}

#endif /* _UNIT_H */
