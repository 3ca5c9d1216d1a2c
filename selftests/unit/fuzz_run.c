// SPDX-License-Identifier: GPL-2.0
/* Feeds the fuzzer's entry point random lives where there is no libFuzzer. */
#include "unit.h"

#define LIVES		6000
#define LIFE_BYTES	8192	/* some 400 ACKs */

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void fuzz__random_lives(void)
{
	static u64 life[LIFE_BYTES / 8];
	u32 i, j;

	for (i = 0; i < LIVES; i++) {
		for (j = 0; j < ARRAY_SIZE(life); j++)
			life[j] = unit_rand();
		LLVMFuzzerTestOneInput((const u8 *)life, LIFE_BYTES);
	}
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

static const struct unit_test tests[] = {
	UNIT_TEST(fuzz__random_lives),
	UNIT_TEST(fuzz__short_lives),
};

UNIT_MAIN(tests)
