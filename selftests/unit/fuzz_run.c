// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds the fuzzer's entry point where there is no libFuzzer:
 *
 *   fuzz_NAME [FILE]              random lives, and each input in the file
 *   fuzz_NAME --seconds N SEED    random lives for so long
 */
#include <time.h>

#include "fuzz.h"
#include "unit.h"

#define LIVES		2000
#define LIFE_BYTES	8192	/* some 400 ACKs */

static const char *corpus;	/* file of inputs that were worth keeping */

static void random_life(void)
{
	static u64 life[LIFE_BYTES / 8];
	u32 j;

	for (j = 0; j < ARRAY_SIZE(life); j++)
		life[j] = unit_rand();
	LLVMFuzzerTestOneInput((const u8 *)life, LIFE_BYTES);
}

static void fuzz__random_lives(void)
{
	u32 i;

	for (i = 0; i < LIVES; i++)
		random_life();
}

/* The shortest inputs: every field from the end on is 0. */
static void fuzz__short_lives(void)
{
	u8 life[64];
	u32 i, size;

	for (i = 0; i < 20000; i++) {
		for (size = 0; size < sizeof(life); size++)
			life[size] = (u8)unit_rand();
		LLVMFuzzerTestOneInput(life, unit_below(sizeof(life)));
	}
}

/* Hex digits to bytes; the line's end and whatever is odd end it. */
static size_t from_hex(const char *line, u8 *out)
{
	unsigned int v;
	size_t n = 0;

	while (n < LIFE_BYTES && sscanf(line + 2 * n, "%2x", &v) == 1)
		out[n++] = (u8)v;
	return n;
}

/* One kept input, in memory of exactly its size. */
static void kept_life(const char *line)
{
	static u8 life[LIFE_BYTES];
	size_t size = from_hex(line, life);
	u8 *exact = malloc(size);

	if (!exact)
		abort();
	memcpy(exact, life, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static void fuzz__corpus(void)
{
	static char line[2 * LIFE_BYTES + 2];
	FILE *in = corpus ? fopen(corpus, "r") : NULL;
	u32 inputs = 0;

	if (!corpus)
		return;
	while (in && fgets(line, sizeof(line), in)) {
		if (*line == '#')
			continue;
		kept_life(line);
		inputs++;
	}
	if (in)
		fclose(in);
	if (!inputs)
		unit_fail(__FILE__, __LINE__, "no input in %s", corpus);
}

/* Another seed, other lives. */
static int run_for(const char *seconds, const char *seed)
{
	time_t end = time(NULL) + strtol(seconds, NULL, 10);

	unit_state = 88172645463325252ULL + strtoull(seed, NULL, 10);
	while (time(NULL) < end)
		random_life();
	return 0;
}

static const struct unit_test tests[] = {
	UNIT_TEST(fuzz__corpus),
	UNIT_TEST(fuzz__random_lives),
	UNIT_TEST(fuzz__short_lives),
};

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "--seconds"))
		return run_for(argv[2], argv[3]);
	corpus = argc > 1 ? argv[1] : NULL;
	return unit_run(tests, ARRAY_SIZE(tests));
}
