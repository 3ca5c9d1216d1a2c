/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fuzzers share: an input read byte by byte, and a count of the events
 * that each algorithm was put through, printed at the end for fuzz.py.
 *
 *	static struct fuzz_alg algorithms[] = { { "swift", 0 }, { "lswift", 0 } };
 *
 *	int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
 *	{
 *		fuzz_begin(algorithms, ARRAY_SIZE(algorithms));
 *		...
 *			algorithms[variant].events++;
 */
#ifndef _FUZZ_H
#define _FUZZ_H

#include <stdio.h>

#include "cc/dcc_knob.h"
#include "math/dcc_types.h"

struct input {
	const u8 *data;
	size_t left;
};

/* The next byte; 0 from the end on. */
static inline u32 byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->data++;
}

/* A number of any magnitude, its ends more often than chance has it. */
static inline u32 number(struct input *in)
{
	u32 kind = byte(in), v = 0, i;

	if (kind >= 0xf0)
		return kind & 1 ? U32_MAX : 0;
	for (i = 0; i < 4; i++)
		v = v << 8 | byte(in);
	return v >> (kind & 31);
}

/* 0 to n - 1, n at most 2^16. */
static inline u32 below(struct input *in, u32 n)
{
	u32 v = byte(in);

	return (n > 256 ? v << 8 | byte(in) : v) % n;
}

/*
 * What holds in every life of a fuzzer. Its broken() says of one in which it does
 * not what there is to know, and dies.
 */
#define MUST(condition, l) do {						\
	if (!(condition))						\
		broken(#condition, __LINE__, l);			\
} while (0)

/* Every knob within its range; its default in so many of 256 cases. */
static inline void fuzz_knobs(struct input *in, u32 *value,
			      const struct dcc_knob *knob, u32 count, u32 usual)
{
	u32 i;

	for (i = 0; i < count; i++) {
		const struct dcc_knob *k = &knob[i];
		u32 kind = byte(in);

		value[i] = kind < usual ? k->def : kind < usual + 16 ? k->min :
			   kind < usual + 32 ? k->max :
			   k->min + number(in) % (k->max - k->min + 1);
	}
}

struct fuzz_alg {
	const char *name;
	unsigned long long events;
};

static struct fuzz_alg *fuzz_algs;
static size_t fuzz_alg_count;

static inline void fuzz_report(void)
{
	size_t i;

	for (i = 0; i < fuzz_alg_count; i++)
		fprintf(stderr, "# fuzz: %s: %llu events\n", fuzz_algs[i].name,
			fuzz_algs[i].events);
}

static inline void fuzz_begin(struct fuzz_alg *algs, size_t count)
{
	if (fuzz_algs)
		return;
	fuzz_algs = algs;
	fuzz_alg_count = count;
	atexit(fuzz_report);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#endif /* _FUZZ_H */
