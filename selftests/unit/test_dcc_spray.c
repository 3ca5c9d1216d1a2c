// SPDX-License-Identifier: GPL-2.0
/* Tests of common/dcc_spray.c. */
#include "dcc_spray.h"
#include "unit.h"

#define LABELS	(1U << 20)

static u8 seen[LABELS];

/* --- hash ------------------------------------------------------------------ */

/* Its upper halves of splitmix64's published outputs for seeds 0, 1234567. */
static void dcc_spray_hash__splitmix64(void)
{
	EXPECT_EQ(dcc_spray_hash(0, 0), 0xe220a839);
	EXPECT_EQ(dcc_spray_hash(0, 1), 0x6e789e6a);
	EXPECT_EQ(dcc_spray_hash(0, 2), 0x06c45d18);
	EXPECT_EQ(dcc_spray_hash(1234567, 0), 0x599ed017);
	EXPECT_EQ(dcc_spray_hash(1234567, 1), 0x2c73f084);
}

/* Flip one bit of the key or the input: half of the result's bits change. */
static void dcc_spray_hash__avalanche(void)
{
	u32 bit, i;

	for (bit = 0; bit < 96; bit++) {
		u32 changed = 0;

		for (i = 0; i < 2000; i++) {
			u64 key = unit_rand();
			u32 x = (u32)unit_rand();
			u64 key2 = key ^ (bit < 64 ? 1ULL << bit : 0);
			u32 x2 = x ^ (bit < 64 ? 0 : 1U << (bit - 64));

			changed += (u32)__builtin_popcount(dcc_spray_hash(key, x) ^
						dcc_spray_hash(key2, x2));
		}
		EXPECT_NEAR(changed / 2000.0, 16, 0.5);
	}
}

/* --- label ----------------------------------------------------------------- */

/* Mark a label; was it legal and new? */
static bool fresh(u32 label)
{
	bool good = label > 0 && label < LABELS && !seen[label];

	if (label < LABELS)
		seen[label] = 1;
	return good;
}

static void expect_bijective(u64 key)
{
	u32 i, bad = 0;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < DCC_SPRAY_MAX_PATHS; i++)
		bad += !fresh(dcc_spray_label(key, i));
	EXPECT_EQ(bad, 0);
}

/*
 * 600 keys: one in 16 has an index that the permutation maps to 0, so about 37
 * of them go through the replacement, which one in 16 could collide.
 */
static void dcc_spray_label__distinct_and_never_zero(void)
{
	u32 i;

	expect_bijective(0);
	expect_bijective(1);
	expect_bijective(U64_MAX);
	for (i = 0; i < 597; i++)
		expect_bijective(unit_rand());
}

/* All labels are in reach: over many keys every 20-bit value comes up. */
static void dcc_spray_label__uses_all_bits(void)
{
	u32 any = 0, all = DCC_LABEL_MASK, i;

	for (i = 0; i < 1000; i++) {
		u32 label = dcc_spray_label(unit_rand(), i);

		any |= label;
		all &= label;
	}
	EXPECT_EQ(any, 0xfffff);
	EXPECT_EQ(all, 0);
}

/* 64 of 2^20 labels each: 0.004 in common, on average; sum over 4000 pairs. */
static void dcc_spray_label__keys_share_few(void)
{
	u32 pair, i, shared = 0;

	memset(seen, 0, sizeof(seen));
	for (pair = 0; pair < 4000; pair++) {
		u64 key = unit_rand(), other = key + 1;

		for (i = 0; i < 64; i++)
			seen[dcc_spray_label(key, i)] = 1;
		for (i = 0; i < 64; i++)
			shared += seen[dcc_spray_label(other, i)];
		for (i = 0; i < 64; i++)
			seen[dcc_spray_label(key, i)] = 0;
	}
	EXPECT_BETWEEN(shared, 2, 40);
}

/* What switches do with a label: three kinds of hash. */
static u32 hash_low_bits(u32 label)
{
	return label;
}

static u32 hash_high_bits(u32 label)
{
	return label >> 16;
}

/* FNV-1a over the label's bytes and a fixed rest of the header. */
static u32 hash_fnv(u32 label)
{
	u32 h = 2166136261U, i;

	for (i = 0; i < 8; i++)
		h = (h ^ ((i < 3 ? label >> (8 * i) : i * 37) & 0xff)) * 16777619U;
	return h ^ h >> 16;
}

/* Chi-square of one flow's labels over the paths. */
static double spread(u64 key, u32 labels, u32 (*hash)(u32), u32 paths)
{
	double want = labels / (double)paths, sum = 0;
	u32 count[16] = { 0 }, i;

	for (i = 0; i < labels; i++)
		count[hash(dcc_spray_label(key, i)) % paths]++;
	for (i = 0; i < paths; i++)
		sum += (count[i] - want) * (count[i] - want) / want;
	return sum;
}

/*
 * The sum over 300 flows has 300 * (paths - 1) degrees of freedom, a mean of
 * that and a variance of twice that: five standard deviations either way.
 */
static void expect_spread(u32 (*hash)(u32), u32 paths)
{
	double mean = 300.0 * (paths - 1), sum = 0;
	u32 i;

	for (i = 0; i < 300; i++)
		sum += spread(unit_rand(), 256, hash, paths);
	EXPECT_NEAR(sum, mean, 5 * sqrt(2 * mean));
}

static void dcc_spray_label__spreads_evenly(void)
{
	u32 paths;

	for (paths = 4; paths <= 16; paths *= 2) {
		expect_spread(hash_low_bits, paths);
		expect_spread(hash_high_bits, paths);
		expect_spread(hash_fnv, paths);
	}
}

/* --- oblivious ------------------------------------------------------------- */

/* One lap: each of the flow's labels once. */
static void expect_lap(u64 key, u32 first, u32 paths)
{
	u32 i, bad = 0;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < paths; i++)
		bad += !fresh(dcc_spray_oblivious(key, first + i, paths));
	for (i = 0; i < paths; i++)
		bad += !seen[dcc_spray_label(key, i)];
	EXPECT_EQ(bad, 0);
}

static void dcc_spray_oblivious__each_lap_uses_each_label_once(void)
{
	u32 paths, lap;

	for (paths = 1; paths <= DCC_SPRAY_MAX_PATHS; paths *= 4)
		for (lap = 0; lap < 4; lap++)
			expect_lap(unit_rand() | lap, lap * paths, paths);
	for (lap = 0; lap < 50; lap++)
		expect_lap(4711, lap * 64, 64);
}

/* The counter wraps at 2^32, a multiple of every number of paths. */
static void dcc_spray_oblivious__counter_wraps(void)
{
	u32 paths;

	for (paths = 1; paths <= DCC_SPRAY_MAX_PATHS; paths *= 16) {
		expect_lap(4711, 0U - paths, paths);
		expect_lap(4711, 0, paths);
	}
}

static void dcc_spray_oblivious__one_path_is_one_label(void)
{
	u32 i;

	for (i = 0; i < 100; i++)
		EXPECT_EQ(dcc_spray_oblivious(99, i, 1), dcc_spray_label(99, 0));
}

/*
 * Each lap starts anywhere: over 64 laps of 64 about 64 * (1 - 1/e) = 40
 * different labels come first, and the next lap seldom starts like this one.
 */
static void dcc_spray_oblivious__laps_differ(void)
{
	u32 lap, firsts = 0, same = 0, last = 0;

	memset(seen, 0, sizeof(seen));
	for (lap = 0; lap < 64; lap++) {
		u32 label = dcc_spray_oblivious(4711, lap * 64, 64);

		firsts += fresh(label);
		same += label == last;
		last = label;
	}
	EXPECT_BETWEEN(firsts, 30, 50);
	EXPECT_BETWEEN(same, 0, 5);
}

/* Two flows walk in orders of their own: their laps do not go in step. */
static void dcc_spray_oblivious__flows_differ(void)
{
	u32 i, same = 0;

	for (i = 0; i < 6400; i++)
		same += dcc_spray_oblivious(1, i, 64) % 16 ==
			dcc_spray_oblivious(2, i, 64) % 16;
	EXPECT_NEAR(same, 400, 200);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_spray_hash__splitmix64),
	UNIT_TEST(dcc_spray_hash__avalanche),
	UNIT_TEST(dcc_spray_label__distinct_and_never_zero),
	UNIT_TEST(dcc_spray_label__uses_all_bits),
	UNIT_TEST(dcc_spray_label__keys_share_few),
	UNIT_TEST(dcc_spray_label__spreads_evenly),
	UNIT_TEST(dcc_spray_oblivious__each_lap_uses_each_label_once),
	UNIT_TEST(dcc_spray_oblivious__counter_wraps),
	UNIT_TEST(dcc_spray_oblivious__one_path_is_one_label),
	UNIT_TEST(dcc_spray_oblivious__laps_differ),
	UNIT_TEST(dcc_spray_oblivious__flows_differ),
};

UNIT_MAIN(tests)
