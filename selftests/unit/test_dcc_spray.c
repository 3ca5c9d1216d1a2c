// SPDX-License-Identifier: GPL-2.0
/* Tests of common/path/dcc_spray.c. */
#include "path/dcc_spray.h"
#include "unit.h"

#define LABELS	(1U << 20)

static u8 seen[LABELS];

#define KEY	4711

/* A selector, and the time it is. */
static struct dcc_spray s;
static u64 now;

/* Whatever the memory held before. */
static void start(u32 selector, u32 paths)
{
	memset(&s, 0xa5, sizeof(s));
	dcc_spray_init(&s, selector, paths, KEY);
	now = 1000;
}

static u32 send(void)
{
	return dcc_spray_next(&s, now);
}

#define FREEZE_NS	DCC_SPRAY_FREEZE_RTTS	/* base RTT 1 ns */

static u32 base = 1;	/* base RTT, ns */

/* A selector hears of a packet whose delay nobody knows. */
static void tell(struct dcc_spray *spray, u32 label, enum dcc_path_event event,
		 u64 now)
{
	const struct dcc_path_news n = {
		.now_ns = now, .label = label,
		.event = event, .base_ns = base,
	};

	dcc_spray_heard(spray, &n);
}

static void hear(u32 label, enum dcc_path_event event)
{
	tell(&s, label, event, now);
}

/* The flow's label of that number. */
static u32 own(u32 index)
{
	return dcc_spray_label(KEY, index);
}

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

/* Against another program's arithmetic. */
static void dcc_spray_oblivious__reference(void)
{
	EXPECT_EQ(dcc_spray_oblivious(KEY, 0, 64), 0xa2e93);
	EXPECT_EQ(dcc_spray_oblivious(KEY, 1, 64), 0xb8e02);
	EXPECT_EQ(dcc_spray_oblivious(KEY, 63, 64), 0xfba48);
	EXPECT_EQ(dcc_spray_oblivious(KEY, 64, 64), 0xd4f92);
	EXPECT_EQ(dcc_spray_oblivious(KEY, U32_MAX, 64), 0x12814);
}

/* One lap: distinct labels. */
static void expect_lap(u64 key, u32 first, u32 paths)
{
	u32 i, bad = 0;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < paths; i++)
		bad += !fresh(dcc_spray_oblivious(key, first + i, paths));
	EXPECT_EQ(bad, 0);
}

static void dcc_spray_oblivious__no_label_twice_in_a_lap(void)
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
		EXPECT_EQ(dcc_spray_oblivious(99, i, 1),
			  dcc_spray_oblivious(99, 0, 1));
	EXPECT_EQ(dcc_spray_oblivious(99, 0, 2) == dcc_spray_oblivious(99, 2, 2),
		  0);
}

/*
 * 64 laps of 64 random 20-bit values: 4096^2 / 2^21 = 8 pairs are the same.
 * Were the labels fixed it would be all of them.
 */
static void dcc_spray_oblivious__laps_differ(void)
{
	u32 i, again = 0;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < 64 * 64; i++)
		again += !fresh(dcc_spray_oblivious(KEY, i, 64));
	EXPECT_BETWEEN(again, 1, 25);
}

/* The largest and the smallest share of 16 paths, 1 is fair. */
static void shares(u64 key, u32 laps, double *least, double *most)
{
	u32 count[16] = { 0 }, i;

	for (i = 0; i < laps * 64; i++)
		count[hash_fnv(dcc_spray_oblivious(key, i, 64)) % 16]++;
	*least = *most = count[0] / (laps * 4.0);
	for (i = 1; i < 16; i++) {
		*least = min(*least, count[i] / (laps * 4.0));
		*most = max(*most, count[i] / (laps * 4.0));
	}
}

/*
 * A path's share after L laps has a standard deviation of 48 % / sqrt(L): with
 * 200 laps no path is off by 10 %, with one the worst is off by more than 50 %.
 */
static void dcc_spray_oblivious__laps_average_out(void)
{
	double least, most;

	shares(KEY, 1, &least, &most);
	EXPECT_BETWEEN(least, 0, 0.5);
	EXPECT_BETWEEN(most, 1.5, 4);
	shares(KEY, 200, &least, &most);
	EXPECT_BETWEEN(least, 0.9, 1);
	EXPECT_BETWEEN(most, 1, 1.1);
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

/* --- bitmap ---------------------------------------------------------------- */

static u32 penalty_sum(void)
{
	u32 i, sum = 0;

	for (i = 0; i < DCC_SPRAY_MAX_PENALTIES; i++)
		sum += dcc_spray_penalty(s.bitmap.label[i]);
	return sum;
}

/* Give a label a penalty: each CE adds one. */
static void punish(u32 index, u32 penalty)
{
	while (penalty--)
		hear(own(index), DCC_PATH_CE);
}

/* Send so many; how many of them had this label? */
static u32 uses(u32 label, u32 packets)
{
	u32 n = 0;

	while (packets--)
		n += send() == label;
	return n;
}

/* So many packets use each of that many labels of the flow once. */
static void expect_own_lap(u32 labels)
{
	u32 i, bad = 0;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < labels; i++)
		bad += !fresh(send());
	for (i = 0; i < labels; i++)
		bad += !seen[own(i)];
	EXPECT_EQ(bad, 0);
}

static void dcc_spray_bitmap__walks_its_labels(void)
{
	u32 paths, lap;

	for (paths = 1; paths <= 256; paths *= 2) {
		start(DCC_SPRAY_BITMAP, paths);
		for (lap = 0; lap < 4; lap++)
			expect_own_lap(paths);
	}
}

/* More labels than it can remember: it uses as many as it can. */
static void dcc_spray_bitmap__at_most_256_labels(void)
{
	start(DCC_SPRAY_BITMAP, 512);
	expect_own_lap(256);
	expect_own_lap(256);
	start(DCC_SPRAY_MIXED, DCC_SPRAY_MAX_PATHS);
	expect_own_lap(256);
	EXPECT_EQ(s.paths, 256);
}

/* 64 laps begin with about 64 * (1 - 1/e) = 40 different labels. */
static void dcc_spray_bitmap__laps_differ(void)
{
	u32 lap, i, firsts = 0;
	u8 first[64] = { 0 };

	start(DCC_SPRAY_BITMAP, 64);
	for (lap = 0; lap < 64; lap++) {
		u32 label = send();

		for (i = 0; i < 64; i++)
			first[i] |= own(i) == label;
		uses(0, 63);
	}
	for (i = 0; i < 64; i++)
		firsts += first[i];
	EXPECT_BETWEEN(firsts, 30, 50);
}

/* The order of the first lap is the flow's own, too. */
static void dcc_spray_bitmap__first_lap_differs(void)
{
	u32 key, same = 0;

	for (key = 0; key < 640; key++) {
		dcc_spray_init(&s, DCC_SPRAY_BITMAP, 64, key);
		same += send() == dcc_spray_label(key, 0);
	}
	EXPECT_BETWEEN(same, 1, 25);
}

/* Its counter wraps at 2^32, a multiple of every number of labels. */
static void dcc_spray_bitmap__counter_wraps(void)
{
	start(DCC_SPRAY_BITMAP, 64);
	s.count = 0U - 64;
	expect_own_lap(64);
	EXPECT_EQ(s.count, 0);
	expect_own_lap(64);
}

/* What one event makes of a penalty. */
static u32 after(u32 penalty, enum dcc_path_event event)
{
	start(DCC_SPRAY_BITMAP, 64);
	punish(7, penalty);
	hear(own(7), event);
	EXPECT_EQ(penalty_sum(), dcc_spray_penalty(s.bitmap.label[7]));
	return penalty_sum();
}

static void dcc_spray_bitmap__penalties(void)
{
	EXPECT_EQ(after(0, DCC_PATH_GOOD), 0);
	EXPECT_EQ(after(0, DCC_PATH_CE), 1);
	EXPECT_EQ(after(0, DCC_PATH_LOST), 4);
	EXPECT_EQ(after(0, DCC_PATH_TIMEOUT), 15);
	EXPECT_EQ(after(9, DCC_PATH_GOOD), 9);
	EXPECT_EQ(after(9, DCC_PATH_LOST), 13);
}

static void dcc_spray_bitmap__penalties_are_capped(void)
{
	EXPECT_EQ(after(13, DCC_PATH_CE), 14);
	EXPECT_EQ(after(14, DCC_PATH_CE), 15);
	EXPECT_EQ(after(15, DCC_PATH_CE), 15);
	EXPECT_EQ(after(10, DCC_PATH_LOST), 14);
	EXPECT_EQ(after(11, DCC_PATH_LOST), 15);
	EXPECT_EQ(after(12, DCC_PATH_LOST), 15);
	EXPECT_EQ(after(15, DCC_PATH_TIMEOUT), 15);
}

/* A label that lost a packet, and has paid for that. */
static u8 *watched(u32 paths)
{
	u32 i;

	start(DCC_SPRAY_BITMAP, paths);
	hear(own(7), DCC_PATH_LOST);
	for (i = 0; i < paths * 4; i++)
		send();
	EXPECT_EQ(penalty_sum(), 0);
	return &s.bitmap.label[7];
}

static void goods(u32 packets)
{
	while (packets--)
		hear(own(7), DCC_PATH_GOOD);
}

/* As long out as 2560 packets take, at most 40 laps; a timeout at least as a first one. */
static void dcc_spray_bitmap__loses_again(void)
{
	static const u32 laps[][2] = {
		{ 8, 40 }, { 64, 40 }, { 128, 20 }, { 256, 10 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(laps); i++) {
		watched(laps[i][0]);
		hear(own(7), DCC_PATH_LOST);
		EXPECT_EQ(penalty_sum(), laps[i][1]);
		hear(own(7), DCC_PATH_LOST);
		EXPECT_EQ(penalty_sum(), max(laps[i][1], 14U));
		watched(laps[i][0]);
		hear(own(7), DCC_PATH_TIMEOUT);
		EXPECT_EQ(penalty_sum(), max(laps[i][1], 15U));
	}
}

/* Watched until 31 of its packets came through; a label that was not lost never is. */
static void dcc_spray_bitmap__is_watched(void)
{
	u8 *label = watched(64);

	goods(30);
	EXPECT_EQ(*label, DCC_SPRAY_WATCHED | 1);
	goods(1);
	EXPECT_EQ(*label, 0);
	goods(1);
	EXPECT_EQ(*label, 0);
	hear(own(7), DCC_PATH_LOST);
	EXPECT_EQ(penalty_sum(), 4);
	start(DCC_SPRAY_BITMAP, 64);
	hear(own(7), DCC_PATH_CE);
	EXPECT_EQ(uses(own(7), 64 * 2), 1);
	EXPECT_EQ(s.bitmap.label[7], 0);
}

/* A mark is paid for, and lets the watch begin anew, of a watched label and a lossy one. */
static void dcc_spray_bitmap__is_watched_anew(void)
{
	u8 *label = watched(64);

	goods(20);
	hear(own(7), DCC_PATH_CE);
	EXPECT_EQ(penalty_sum(), 1);
	hear(own(7), DCC_PATH_CE);
	EXPECT_EQ(penalty_sum(), 2);
	goods(1);
	EXPECT_EQ(*label, DCC_SPRAY_LOSSY | 2);
	EXPECT_EQ(uses(own(7), 63 * 2), 0);
	EXPECT_EQ(*label, DCC_SPRAY_WATCHED | 31);
}

/* Every label of a flow finds its penalty again, and only its own. */
static void dcc_spray_bitmap__recognises_its_labels(void)
{
	u32 flow, i, bad = 0;

	for (flow = 0; flow < 200; flow++) {
		u64 key = unit_rand();

		dcc_spray_init(&s, DCC_SPRAY_BITMAP, 256, key);
		for (i = 0; i < 256; i++)
			hear(dcc_spray_label(key, i),
			     i % 2 ? DCC_PATH_CE : DCC_PATH_LOST);
		for (i = 0; i < 256; i++)
			bad += dcc_spray_penalty(s.bitmap.label[i]) != (i % 2 ? 1 : 4);
	}
	EXPECT_EQ(bad, 0);
}

/* A key under which the permutation sends an index to 0; computed elsewhere. */
static void expect_substitute(u64 key, u32 index, u32 label)
{
	EXPECT_EQ(dcc_spray_label(key, index), label);
	dcc_spray_init(&s, DCC_SPRAY_BITMAP, 256, key);
	hear(label, DCC_PATH_LOST);
	EXPECT_EQ(dcc_spray_penalty(s.bitmap.label[index]), 4);
	EXPECT_EQ(penalty_sum(), 4);
	hear(0, DCC_PATH_LOST);
	hear(LABELS, DCC_PATH_LOST);
	EXPECT_EQ(penalty_sum(), 4);
}

static void dcc_spray_bitmap__substitute_of_label_0(void)
{
	expect_substitute(4834, 3, 165715);
	expect_substitute(8840, 231, 324376);
	expect_substitute(13845, 20, 357213);
}

static void dcc_spray_bitmap__ignores_what_is_not_its_own(void)
{
	u32 i;

	start(DCC_SPRAY_BITMAP, 64);
	for (i = 64; i < DCC_SPRAY_MAX_PATHS; i++)
		hear(own(i), DCC_PATH_LOST);
	for (i = 0; i < 64; i++)
		hear(own(i) | LABELS, DCC_PATH_LOST);
	hear(0, DCC_PATH_TIMEOUT);
	EXPECT_EQ(penalty_sum(), 0);
	hear(own(63), DCC_PATH_LOST);
	EXPECT_EQ(penalty_sum(), 4);
}

/* A penalty of p keeps a label out of p laps of 63 packets, not of p + 1. */
static void dcc_spray_bitmap__penalty_is_laps_out(void)
{
	u32 p;

	for (p = 1; p <= 15; p++) {
		start(DCC_SPRAY_BITMAP, 64);
		punish(3, p);
		EXPECT_EQ(uses(own(3), 63 * p), 0);
		EXPECT_EQ(uses(own(3), 64), 1);
		EXPECT_EQ(penalty_sum(), 0);
	}
}

/*
 * One packet lowers one penalty by one, however many it walks past. If the only
 * good label is still to come in this lap, it ends there.
 */
static void dcc_spray_bitmap__lowers_only_the_first(void)
{
	u32 i, sum = 15 * 15;

	start(DCC_SPRAY_BITMAP, 16);
	for (i = 1; i < 16; i++)
		hear(own(i), DCC_PATH_TIMEOUT);
	for (i = 0; i < 20; i++) {
		u32 was = dcc_spray_penalty(s.bitmap.label[(s.count ^ s.order) & 15]);
		bool ahead = (s.order & 15) >= (s.count & 15);
		u32 label = send();

		EXPECT_EQ(penalty_sum(), was ? sum - 1 : sum);
		if (ahead)
			EXPECT_EQ(label, own(0));
		sum = penalty_sum();
	}
	EXPECT_BETWEEN(sum, 205, 215);
}

/* Nothing but bad labels: N steps, then the one reached. */
static void dcc_spray_bitmap__gives_up_after_a_lap(void)
{
	u32 paths, i;

	for (paths = 1; paths <= 256; paths *= 4) {
		start(DCC_SPRAY_BITMAP, paths);
		for (i = 0; i < paths; i++)
			hear(own(i), DCC_PATH_TIMEOUT);
		for (i = 1; i < 10; i++) {
			u32 reached = s.count + paths;
			u32 lap = reached & ~(paths - 1);
			u32 order = dcc_spray_hash(~(u64)KEY, lap);

			EXPECT_EQ(send(),
				  own((reached ^ order) & (paths - 1)));
			EXPECT_EQ(s.count, reached + 1);
			EXPECT_EQ(penalty_sum(), 15 * paths - i);
		}
	}
}

/* --- reps ------------------------------------------------------------------ */

/* Labels that no walk of this flow comes by. */
#define A	0x11111
#define B	0x22222
#define C	0x33333
#define D	0x44444

static u32 drawn;	/* random labels so far */

/* The next packets carry random labels, as oblivious has them. */
static void expect_random(u32 packets)
{
	u32 i;

	for (i = 0; i < packets; i++)
		EXPECT_EQ(send(), dcc_spray_oblivious(KEY, drawn++, s.paths));
}

static void start_exploring(void)
{
	start(DCC_SPRAY_REPS, 64);
	drawn = 0;
}

/* A flow past its start. */
static void start_reps(void)
{
	start_exploring();
	expect_random(16);
}

static void good(u32 label)
{
	hear(label, DCC_PATH_GOOD);
}

/* The 17th packet is the first that may carry a recycled label. */
static void dcc_spray_reps__starts_exploring(void)
{
	start_exploring();
	good(A);
	expect_random(16);
	EXPECT_EQ(send(), A);
	expect_random(100);
}

static void dcc_spray_reps__recycles_each_once_oldest_first(void)
{
	start_reps();
	good(A);
	good(B);
	EXPECT_EQ(send(), A);
	good(C);
	EXPECT_EQ(send(), B);
	EXPECT_EQ(send(), C);
	expect_random(1);
	good(A);
	EXPECT_EQ(send(), A);
	expect_random(1);
}

static void dcc_spray_reps__keeps_eight(void)
{
	u32 n, i;

	for (n = 8; n <= 10; n++) {
		start_reps();
		for (i = 1; i <= n; i++)
			good(i);
		for (i = n - 7; i <= n; i++)
			EXPECT_EQ(send(), i);
		expect_random(1);
	}
}

/* The oldest goes, used or not, and the others stay as fresh as they were. */
static void dcc_spray_reps__newer_ones_close_up(void)
{
	u32 i;

	start_reps();
	for (i = 1; i <= 8; i++)
		good(i);
	for (i = 1; i <= 3; i++)
		EXPECT_EQ(send(), i);
	good(9);
	good(10);
	for (i = 4; i <= 10; i++)
		EXPECT_EQ(send(), i);
	expect_random(1);
}

static void dcc_spray_reps__recycles_only_good_ones(void)
{
	start_reps();
	hear(A, DCC_PATH_CE);
	hear(A, DCC_PATH_LOST);
	good(0);
	good(LABELS | A);
	expect_random(3);
}

/* CE is no reason to forget a label that came through; a loss is. */
static void dcc_spray_reps__forgets_lost_labels(void)
{
	start_reps();
	good(A);
	good(B);
	good(C);
	good(B);
	good(D);
	EXPECT_EQ(send(), A);
	hear(C, DCC_PATH_CE);
	hear(B, DCC_PATH_LOST);
	EXPECT_EQ(s.reps.len, 3);
	EXPECT_EQ(send(), C);
	EXPECT_EQ(send(), D);
	expect_random(1);
}

/* Forget each place of a full cache in turn. */
static void dcc_spray_reps__forgets_any_place(void)
{
	u32 gone, i;

	for (gone = 1; gone <= 8; gone++) {
		start_reps();
		for (i = 1; i <= 8; i++)
			good(i);
		hear(gone, DCC_PATH_LOST);
		for (i = 1; i <= 8; i++)
			if (i != gone)
				EXPECT_EQ(send(), i);
		expect_random(1);
	}
}

/* After a loss one packet in 32 looks for what was left, 255 times; then none does. */
static void dcc_spray_reps__seeks_after_a_loss(void)
{
	u32 times, i;

	start_reps();
	hear(B, DCC_PATH_LOST);
	for (times = 0; times < 255; times++) {
		for (i = 1; i < 32; i++) {
			good(A);
			EXPECT_EQ(send(), A);
		}
		good(A);
		expect_random(1);
		EXPECT_EQ(send(), A);
		s.phase = 0;
	}
	for (i = 0; i < 64; i++) {
		good(A);
		EXPECT_EQ(send(), A);
	}
}

/* Losses in a row do not put it off. A mark is no loss. */
static void dcc_spray_reps__seeks_while_it_loses(void)
{
	u32 i;

	start_reps();
	for (i = 1; i < 32; i++) {
		hear(B, DCC_PATH_LOST);
		good(A);
		EXPECT_EQ(send(), A);
	}
	good(A);
	expect_random(1);
	start_reps();
	hear(B, DCC_PATH_CE);
	for (i = 0; i < 64; i++) {
		good(A);
		EXPECT_EQ(send(), A);
	}
}

/* Soon after a loss what was marked is used again; before and later it is not. */
static void dcc_spray_reps__marks_after_a_loss(void)
{
	start_reps();
	hear(A, DCC_PATH_CE);
	EXPECT_EQ(s.reps.len, 0);
	hear(B, DCC_PATH_LOST);
	hear(A, DCC_PATH_CE);
	EXPECT_EQ(send(), A);
	s.seek = 241;
	hear(A, DCC_PATH_CE);
	EXPECT_EQ(send(), A);
	s.seek = 240;
	hear(A, DCC_PATH_CE);
	expect_random(1);
}

/* Three labels cached, one of them used; then a timeout at 1000. */
static void start_frozen(u32 lost)
{
	start_reps();
	good(A);
	good(B);
	good(C);
	EXPECT_EQ(send(), A);
	hear(lost, DCC_PATH_TIMEOUT);
	EXPECT_EQ(s.reps.frozen, 1);
}

static void dcc_spray_reps__frozen_uses_all_in_turn(void)
{
	u32 i;

	start_frozen(D);
	for (i = 0; i < 400; i++) {
		EXPECT_EQ(send(), A);
		EXPECT_EQ(send(), B);
		EXPECT_EQ(send(), C);
	}
}

/* Frozen to the last nanosecond; then it explores again, 16 packets. */
static void dcc_spray_reps__thaws(void)
{
	start_frozen(D);
	now = 1000 + FREEZE_NS;
	EXPECT_EQ(send(), A);
	now = 1001 + FREEZE_NS;
	good(D);
	expect_random(16);
	EXPECT_EQ(send(), D);
	expect_random(1);
}

static void dcc_spray_reps__thaws_when_it_sends(void)
{
	start_frozen(D);
	now = 1001 + FREEZE_NS;
	expect_random(17);
}

static void dcc_spray_reps__thaws_when_it_hears(void)
{
	start_frozen(D);
	now = 1000 + FREEZE_NS;
	hear(0, DCC_PATH_CE);
	EXPECT_EQ(s.reps.frozen, 1);
	now = 1001 + FREEZE_NS;
	hear(0, DCC_PATH_CE);
	EXPECT_EQ(s.reps.frozen, 0);
	EXPECT_EQ(s.reps.len, 0);
	EXPECT_EQ(s.reps.explore, 16);
}

/* A timeout while frozen does not prolong it. */
static void dcc_spray_reps__freezes_once(void)
{
	start_frozen(D);
	now = 1400;
	hear(D, DCC_PATH_TIMEOUT);
	now = 1001 + FREEZE_NS;
	expect_random(16);
}

static void dcc_spray_reps__no_freeze_while_exploring(void)
{
	start_exploring();
	expect_random(15);
	hear(A, DCC_PATH_TIMEOUT);
	EXPECT_EQ(s.reps.frozen, 0);
	expect_random(1);
	hear(A, DCC_PATH_TIMEOUT);
	EXPECT_EQ(s.reps.frozen, 1);
}

/* A timeout of who knows what freezes too; other bad news does not. */
static void dcc_spray_reps__only_timeouts_freeze(void)
{
	start_reps();
	hear(A, DCC_PATH_CE);
	hear(A, DCC_PATH_LOST);
	hear(A, DCC_PATH_GOOD);
	EXPECT_EQ(s.reps.frozen, 0);
	hear(0, DCC_PATH_TIMEOUT);
	EXPECT_EQ(s.reps.frozen, 1);
}

/* A dead path's label is not among those in turn, nor when it dies later. */
static void dcc_spray_reps__frozen_forgets_the_dead(void)
{
	start_frozen(B);
	EXPECT_EQ(send(), A);
	EXPECT_EQ(send(), C);
	EXPECT_EQ(send(), A);
	hear(A, DCC_PATH_LOST);
	EXPECT_EQ(send(), C);
	hear(C, DCC_PATH_TIMEOUT);
	expect_random(3);
}

/* Frozen with nothing cached, it learns, but forgets nothing for it. */
static void dcc_spray_reps__frozen_fills_up(void)
{
	u32 i;

	start_reps();
	hear(A, DCC_PATH_TIMEOUT);
	expect_random(2);
	for (i = 1; i <= 9; i++)
		good(i);
	for (i = 1; i <= 8; i++)
		EXPECT_EQ(send(), i);
	EXPECT_EQ(send(), 1);
}

/* --- mixed ----------------------------------------------------------------- */

/* Without news it is bitmap. */
static void dcc_spray_mixed__walks_its_labels(void)
{
	start(DCC_SPRAY_MIXED, 64);
	expect_own_lap(64);
	expect_own_lap(64);
	hear(own(3), DCC_PATH_TIMEOUT);
	EXPECT_EQ(uses(own(3), 63 * 15), 0);
	EXPECT_EQ(uses(own(3), 64), 1);
}

static void dcc_spray_mixed__recycles_in_order(void)
{
	u32 i, steps;

	start(DCC_SPRAY_MIXED, 64);
	steps = s.count;
	for (i = 0; i < 1000; i++) {
		good(own(i % 64));
		good(own(i / 2 % 64));
		EXPECT_EQ(send(), own(i % 64));
		EXPECT_EQ(send(), own(i / 2 % 64));
	}
	EXPECT_EQ(s.count, steps);
	send();
	EXPECT_EQ(s.count, steps + 1);
}

/* The 33rd pushes the first one out. */
static void dcc_spray_mixed__queues_32(void)
{
	u32 n, i;

	for (n = 32; n <= 200; n += n < 34 ? 1 : 83) {
		start(DCC_SPRAY_MIXED, 256);
		for (i = 0; i < n; i++)
			good(own(i));
		for (i = n - 32; i < n; i++)
			EXPECT_EQ(send(), own(i));
		EXPECT_EQ(s.count, 0);
		send();
		EXPECT_EQ(s.count, 1);
	}
}

static void dcc_spray_mixed__recycles_only_good_ones(void)
{
	start(DCC_SPRAY_MIXED, 64);
	hear(own(1), DCC_PATH_CE);
	hear(own(2), DCC_PATH_LOST);
	hear(own(3), DCC_PATH_TIMEOUT);
	good(own(64));
	good(0);
	EXPECT_EQ(s.queue.len, 0);
	EXPECT_EQ(penalty_sum(), 1 + 4 + 15);
}

/* What got a penalty while it waited is forgotten, and pays nothing for it. */
static void dcc_spray_mixed__passes_over_penalties(void)
{
	start(DCC_SPRAY_MIXED, 64);
	good(own(1));
	good(own(2));
	good(own(3));
	good(own(2));
	good(own(4));
	hear(own(2), DCC_PATH_LOST);
	EXPECT_EQ(send(), own(1));
	EXPECT_EQ(send(), own(3));
	EXPECT_EQ(send(), own(4));
	EXPECT_EQ(s.queue.len, 0);
	EXPECT_EQ(penalty_sum(), 4);
}

/* Nothing in the queue is any good: then bitmap chooses. */
static void dcc_spray_mixed__falls_back(void)
{
	u32 i;

	start(DCC_SPRAY_MIXED, 64);
	for (i = 0; i < 64; i++) {
		good(own(i % 4));
		hear(own(i % 4), DCC_PATH_LOST);
	}
	send();
	EXPECT_EQ(s.queue.len, 0);
	EXPECT_BETWEEN(s.count, 1, 5);
	good(own(9));
	EXPECT_EQ(send(), own(9));
}

/* The 32nd packet after a loss is the walk's, a penalty or not, and lowers none. */
static void dcc_spray_mixed__seeks_after_a_loss(void)
{
	u32 i;

	start(DCC_SPRAY_MIXED, 1);
	hear(own(0), DCC_PATH_TIMEOUT);
	s.phase = 30;
	good(own(0));
	hear(own(0), DCC_PATH_TIMEOUT);
	EXPECT_EQ(penalty_sum(), 15);
	send();
	EXPECT_EQ(penalty_sum(), 14);
	send();
	EXPECT_EQ(penalty_sum(), 14);
	EXPECT_EQ(s.seek, 254);
	start(DCC_SPRAY_MIXED, 64);
	for (i = 0; i < 100; i++) {
		good(own(9));
		EXPECT_EQ(send(), own(9));
	}
}

/* What comes through while it seeks is good again; else a penalty is paid for. */
static void dcc_spray_mixed__forgives_while_it_seeks(void)
{
	start(DCC_SPRAY_MIXED, 64);
	hear(own(3), DCC_PATH_CE);
	good(own(3));
	EXPECT_EQ(penalty_sum(), 1);
	hear(own(5), DCC_PATH_LOST);
	good(own(3));
	EXPECT_EQ(penalty_sum(), 4);
	good(own(5));
	EXPECT_EQ(penalty_sum(), 0);
}

/* --- mrc ------------------------------------------------------------------- */

#define BASE	80000	/* ns: what is not later than that is in time */

/* A packet came through, so much later than the fastest. */
static void took(u32 label, enum dcc_path_event event, u32 excess)
{
	const struct dcc_path_news n = {
		.now_ns = now, .label = label, .event = event,
		.delay_ns = BASE + excess, .base_ns = BASE,
	};

	dcc_spray_heard(&s, &n);
}

static void dcc_spray_mrc__walks_its_labels(void)
{
	u32 paths;

	for (paths = 1; paths <= 256; paths *= 2) {
		start(DCC_SPRAY_MRC, paths);
		expect_own_lap(paths);
		expect_own_lap(paths);
	}
	start(DCC_SPRAY_MRC, 512);
	expect_own_lap(256);
}

/* The label that an index has after so many draws; all are the flow's own. */
static u32 nth(u32 index, u32 times)
{
	return dcc_spray_label(KEY, times << 8 | index);
}

/* A mark: another label in its place, after 128 of them the first again. */
static void dcc_spray_mrc__a_mark_draws_another(void)
{
	u32 i;

	start(DCC_SPRAY_MRC, 64);
	for (i = 0; i < 300; i++) {
		EXPECT_EQ(s.mrc.label[3], i % 128);
		EXPECT_EQ(uses(nth(3, i % 128), 64), 1);
		hear(nth(3, i % 128), DCC_PATH_CE);
		EXPECT_EQ(uses(nth(3, i % 128), 64), 0);
	}
	for (i = 0; i < 64; i++)
		EXPECT_EQ(i != 3 && s.mrc.label[i], 0);
}

/* News of a label that has given way are none, but for the base RTT. */
static void dcc_spray_mrc__old_labels_are_no_news(void)
{
	start(DCC_SPRAY_MRC, 64);
	hear(own(3), DCC_PATH_CE);
	hear(own(3), DCC_PATH_CE);
	hear(own(3), DCC_PATH_LOST);
	hear(own(3), DCC_PATH_GOOD);
	hear(nth(3, 2), DCC_PATH_LOST);
	EXPECT_EQ(s.mrc.label[3], 1);
	EXPECT_EQ(s.mrc.retired, 0);
	EXPECT_EQ(s.queue.len, 0);
}

/* A single label stays, whatever it meets: it is how to ask for one path. */
static void dcc_spray_mrc__one_label_stays(void)
{
	start(DCC_SPRAY_MRC, 1);
	hear(own(0), DCC_PATH_CE);
	hear(own(0), DCC_PATH_LOST);
	hear(own(0), DCC_PATH_TIMEOUT);
	EXPECT_EQ(uses(own(0), 100), 100);
}

/* At first later by more than the base RTT; a mean lifts that. */
static void dcc_spray_mrc__late_beyond_the_base(void)
{
	start(DCC_SPRAY_MRC, 64);
	took(own(3), DCC_PATH_GOOD, BASE);
	EXPECT_EQ(s.mrc.label[3], 0);
	EXPECT_EQ(s.mrc.base_ns, BASE);
	EXPECT_EQ(s.queue.len, 1);
	EXPECT_EQ(s.mrc.mean_ns, BASE / 64);
	start(DCC_SPRAY_MRC, 64);
	took(own(3), DCC_PATH_GOOD, BASE + 1);
	EXPECT_EQ(s.mrc.label[3], 1);
	EXPECT_EQ(s.queue.len, 0);
}

/* Where all packets queue alike none is late: half as much again is. */
static void dcc_spray_mrc__late_beyond_the_mean(void)
{
	start(DCC_SPRAY_MRC, 64);
	s.mrc.mean_ns = 640000;
	took(own(3), DCC_PATH_GOOD, 960000);
	EXPECT_EQ(s.mrc.label[3], 0);
	EXPECT_EQ(s.mrc.mean_ns, 645000);
	s.mrc.mean_ns = 640000;
	took(own(3), DCC_PATH_GOOD, 960001);
	EXPECT_EQ(s.mrc.label[3], 1);
	took(own(4), DCC_PATH_GOOD, 0);
	EXPECT_EQ(s.mrc.mean_ns, 645000 - 645000 / 64);
	s.mrc.mean_ns = 640000;
	hear(own(4), DCC_PATH_GOOD);
	EXPECT_EQ(s.mrc.mean_ns, 640000);
}

/* Less than the base RTT, or no base RTT: no wrap. */
static void dcc_spray_mrc__no_excess_below_the_base(void)
{
	struct dcc_path_news n = {
		.label = dcc_spray_label(KEY, 3), .event = DCC_PATH_GOOD,
		.delay_ns = BASE - 1, .base_ns = BASE,
	};

	start(DCC_SPRAY_MRC, 64);
	dcc_spray_heard(&s, &n);
	EXPECT_EQ(s.mrc.label[3], 0);
	EXPECT_EQ(s.mrc.mean_ns, 0);
	n.delay_ns = U32_MAX;
	n.base_ns = 0;
	dcc_spray_heard(&s, &n);
	EXPECT_EQ(s.mrc.label[3], 1);
	EXPECT_EQ(s.mrc.mean_ns, U32_MAX / 64);
	n.label = nth(3, 1);
	s.mrc.mean_ns = U32_MAX;
	n.base_ns = U32_MAX - 1;
	dcc_spray_heard(&s, &n);
	EXPECT_EQ(s.mrc.label[3], 1);
	s.mrc.mean_ns = 3000000000U;
	n.base_ns = 2000000000U;
	dcc_spray_heard(&s, &n);
	EXPECT_EQ(s.mrc.label[3], 1);
}

/* Some labels are retired; the base RTT is known. */
static void retire(u32 n, const u32 *index)
{
	start(DCC_SPRAY_MRC, 64);
	took(own(63), DCC_PATH_CE, 0);
	while (n--)
		hear(own(*index++), DCC_PATH_LOST);
	s.mrc.base_ns = BASE;
}

/* While labels are retired a mark counts from twice the mean on, or without a delay. */
static void dcc_spray_mrc__a_mark_among_retired(void)
{
	const u32 lost = 5;

	retire(1, &lost);
	s.mrc.mean_ns = 62000;
	took(own(3), DCC_PATH_CE, 126000);
	EXPECT_EQ(s.mrc.label[3], 0);
	EXPECT_EQ(s.queue.len, 1);
	s.mrc.mean_ns = 62000;
	took(own(3), DCC_PATH_CE, 126001);
	EXPECT_EQ(s.mrc.label[3], 1);
	EXPECT_EQ(s.queue.len, 1);
	hear(own(4), DCC_PATH_CE);
	EXPECT_EQ(s.mrc.label[4], 1);
	s.mrc.mean_ns = 2181570000U;	/* about 2^31 after the next one */
	took(own(6), DCC_PATH_CE, 2 * BASE);
	EXPECT_EQ(s.mrc.label[6], 0);
	EXPECT_EQ(s.queue.len, 2);
}

/* Lost: out at once; a packet each base RTT asks, one in sixteen at most. */
static void dcc_spray_mrc__a_loss_retires(void)
{
	static const u32 bad[] = { 3, 9 };
	u32 i;

	start(DCC_SPRAY_MRC, 64);
	hear(own(3), DCC_PATH_LOST);
	hear(own(9), DCC_PATH_TIMEOUT);
	EXPECT_EQ(s.mrc.retired, 2);
	retire(2, bad);
	now = BASE;
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(uses(own(3), 15), 0);
		EXPECT_EQ(send(), own(i % 2 ? 9 : 3));
		now += BASE;
	}
}

/* Nobody is asked before the base RTT is known. */
static void dcc_spray_mrc__no_base_no_probe(void)
{
	start(DCC_SPRAY_MRC, 64);
	hear(own(3), DCC_PATH_LOST);
	s.mrc.base_ns = 0;
	now = NSEC_PER_SEC;
	EXPECT_EQ(uses(own(3), 1000), 0);
	s.mrc.base_ns = 1;
	EXPECT_EQ(send(), own(3));
}

/* So many that come through less one are none, then all are back. */
static void dcc_spray_mrc__a_run_brings_back(void)
{
	static const u32 bad[] = { 3, 9 };
	u32 i;

	retire(2, bad);
	for (i = 0; i < DCC_SPRAY_MRC_NEED - 1; i++)
		hear(own(i % 2 ? 9 : 3), i % 3 ? DCC_PATH_GOOD : DCC_PATH_CE);
	EXPECT_EQ(s.mrc.retired, 2);
	hear(own(3), DCC_PATH_GOOD);
	EXPECT_EQ(s.mrc.retired, 0);
	EXPECT_EQ(s.mrc.run, 0);
	for (i = 0; i < 63; i++)
		EXPECT_EQ(s.mrc.label[i], 0);
	EXPECT_EQ(s.mrc.label[63], 1);
}

/* A loss ends the run. Where all are lost for long, eight will do. */
static void dcc_spray_mrc__dead_needs_less_than_grey(void)
{
	static const u32 bad[] = { 3 };
	u32 i;

	retire(1, bad);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(s.mrc.gap, i);
		EXPECT_EQ(s.mrc.need, 24);
		hear(own(3), DCC_PATH_LOST);
	}
	EXPECT_EQ(s.mrc.gap, 3);
	EXPECT_EQ(s.mrc.need, 8);
	for (i = 1; i < 8; i++) {
		hear(own(3), DCC_PATH_GOOD);
		EXPECT_EQ(s.mrc.gap, i < 3 ? 3 - i : 0);
	}
	EXPECT_EQ(s.mrc.run, 7);
	hear(own(3), DCC_PATH_TIMEOUT);
	EXPECT_EQ(s.mrc.run, 0);
	EXPECT_EQ(s.mrc.need, 24);
	s.mrc.gap = 3;
	s.mrc.run = 1;
	hear(own(3), DCC_PATH_LOST);
	EXPECT_EQ(s.mrc.need, 24);
}

/* The wait doubles with each probe lost, up to eight base RTTs. */
static void dcc_spray_mrc__gap(void)
{
	static const u32 bad[] = { 3 };
	u32 i;

	retire(1, bad);
	now = BASE;
	EXPECT_EQ(uses(own(3), 16), 1);
	for (i = 1; i < 5; i++) {
		hear(own(3), DCC_PATH_LOST);
		s.mrc.base_ns = BASE;
		now += ((u64)BASE << min(i, 3)) - 1;
		EXPECT_EQ(uses(own(3), 64), 0);
		now++;
		EXPECT_EQ(send(), own(3));
	}
}

/* More than half never: others take the place of further ones. */
static void dcc_spray_mrc__half_stay(void)
{
	u32 i;

	start(DCC_SPRAY_MRC, 64);
	for (i = 0; i < 64; i++)
		hear(own(i), DCC_PATH_LOST);
	EXPECT_EQ(s.mrc.retired, 32);
	for (i = 0; i < 64; i++)
		EXPECT_EQ(s.mrc.label[i], i < 32 ? DCC_SPRAY_MRC_RETIRED : 1);
	start(DCC_SPRAY_MRC, 2);
	hear(own(0), DCC_PATH_LOST);
	s.mrc.base_ns = 0;
	EXPECT_EQ(uses(own(1), 100), 100);
}

/* What came through goes first, oldest first, each once; nine forget the first. */
static void dcc_spray_mrc__recycles(void)
{
	u32 i;

	start(DCC_SPRAY_MRC, 64);
	for (i = 0; i < 9; i++)
		hear(own(10 + i), DCC_PATH_GOOD);
	for (i = 1; i < 9; i++)
		EXPECT_EQ(send(), own(10 + i));
	EXPECT_EQ(s.count, 0);
	send();
	EXPECT_EQ(s.count, 1);
}

/* Each sixteenth packet is the walk's, whatever waits. */
static void dcc_spray_mrc__walks_now_and_then(void)
{
	u32 i, lap;

	start(DCC_SPRAY_MRC, 64);
	for (lap = 1; lap < 4; lap++) {
		for (i = 0; i < 15; i++) {
			hear(own(10), DCC_PATH_GOOD);
			EXPECT_EQ(send(), own(10));
		}
		EXPECT_EQ(s.count, lap - 1);
		hear(own(10), DCC_PATH_GOOD);
		send();
		EXPECT_EQ(s.count, lap);
		s.queue.len = 0;
	}
}

/* But not what has lost a packet since; for what met congestion its successor. */
static void dcc_spray_mrc__recycles_no_retired_ones(void)
{
	start(DCC_SPRAY_MRC, 64);
	hear(own(10), DCC_PATH_GOOD);
	hear(own(11), DCC_PATH_GOOD);
	hear(own(13), DCC_PATH_CE);
	hear(own(10), DCC_PATH_LOST);
	hear(own(11), DCC_PATH_CE);
	EXPECT_EQ(send(), nth(11, 1));
	EXPECT_EQ(s.queue.len, 0);
	EXPECT_EQ(s.mrc.label[10], DCC_SPRAY_MRC_RETIRED);
}

/* A retired label is that one still when it comes back. */
static void dcc_spray_mrc__returns_as_it_was(void)
{
	u32 i;

	start(DCC_SPRAY_MRC, 64);
	hear(own(3), DCC_PATH_CE);
	hear(nth(3, 1), DCC_PATH_LOST);
	EXPECT_EQ(s.mrc.label[3], DCC_SPRAY_MRC_RETIRED | 1);
	for (i = 0; i < DCC_SPRAY_MRC_NEED; i++)
		hear(nth(3, 1), DCC_PATH_GOOD);
	EXPECT_EQ(s.mrc.label[3], 1);
	EXPECT_EQ(uses(nth(3, 1), 64), 1);
}

/* The one that measurements favour, whole, with labels of its own number. */
static void dcc_spray__auto_is_mrc(void)
{
	start(DCC_SPRAY_AUTO, 1);
	EXPECT_EQ(s.selector, DCC_SPRAY_MRC);
	EXPECT_EQ(s.mrc.need, 24);
	expect_own_lap(256);
	expect_own_lap(256);
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_AUTO), dcc_spray_size(DCC_SPRAY_MRC));
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_AUTO), 1);
}

/* Labels of others, and none, are no news. */
static void dcc_spray_mrc__ignores_what_is_not_its_own(void)
{
	u32 i;

	start(DCC_SPRAY_MRC, 64);
	hear(own(64), DCC_PATH_LOST);
	hear(0, DCC_PATH_LOST);
	hear(LABELS + own(3), DCC_PATH_LOST);
	for (i = 0; i < 64; i++)
		EXPECT_EQ(s.mrc.label[i], 0);
}

/* --- all ------------------------------------------------------------------- */

static void dcc_spray_next__oblivious(void)
{
	u32 i;

	start(DCC_SPRAY_OBLIVIOUS, 64);
	for (i = 0; i < 1000; i++) {
		hear(own(i), i % 4);
		EXPECT_EQ(send(), dcc_spray_oblivious(KEY, i, 64));
	}
}

static void dcc_spray_next__off_is_safe(void)
{
	u32 i;

	start(DCC_SPRAY_OFF, 64);
	for (i = 0; i < 200; i++) {
		hear(own(i), i % 4);
		EXPECT_EQ(send(), dcc_spray_oblivious(KEY, i, 64));
	}
}

/* Those that would be blind without ECN. */
static void dcc_spray_needs_marks__no_delay(void)
{
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_OFF), 0);
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_OBLIVIOUS), 0);
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_BITMAP), 1);
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_REPS), 1);
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_MIXED), 1);
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_MRC), 0);
	EXPECT_EQ(dcc_spray_needs_marks(DCC_SPRAY_AUTO), 0);
}

static void dcc_spray_steers__those_that_listen(void)
{
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_OFF), 0);
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_OBLIVIOUS), 0);
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_BITMAP), 1);
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_REPS), 1);
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_MIXED), 1);
	EXPECT_EQ(dcc_spray_steers(DCC_SPRAY_MRC), 1);
}

/* Labels with a penalty, until it is served; only those that the selector has. */
static void dcc_spray_avoided__penalties(void)
{
	start(DCC_SPRAY_BITMAP, 64);
	EXPECT_EQ(dcc_spray_avoided(&s), 0);
	punish(0, 1);
	punish(63, 3);
	punish(7, 3);
	EXPECT_EQ(dcc_spray_avoided(&s), 3);
	uses(own(0), 64);
	EXPECT_EQ(dcc_spray_avoided(&s), 2);
	start(DCC_SPRAY_MIXED, 256);
	punish(255, 1);
	EXPECT_EQ(dcc_spray_avoided(&s), 1);
}

/* Retired ones, but not those that gave way to others. */
static void dcc_spray_avoided__retired(void)
{
	static const u32 bad[] = { 3, 9, 11 };

	retire(3, bad);
	EXPECT_EQ(dcc_spray_avoided(&s), 3);
}

static void dcc_spray_avoided__of_selectors_that_do_not(void)
{
	start(DCC_SPRAY_OBLIVIOUS, 64);
	hear(own(1), DCC_PATH_LOST);
	EXPECT_EQ(dcc_spray_avoided(&s), 0);
	start(DCC_SPRAY_REPS, 64);
	hear(own(1), DCC_PATH_TIMEOUT);
	EXPECT_EQ(dcc_spray_avoided(&s), 0);
}

/* Each flow has one. */
static void dcc_spray__is_small(void)
{
	EXPECT_BETWEEN(sizeof(struct dcc_spray), 1, 400);
}

/* --- steering: a closed loop over 16 equal paths ---------------------------- */

#define PATHS	16
#define WINDOW	64	/* packets in flight: one RTT */

struct loop {
	u32 flight[WINDOW];
	u32 count[PATHS];
	enum dcc_path_event event;	/* what the bad path does */
	u32 bad;
};

/* An ACK for @batch packets, then as many are sent. */
static void loop_turn(struct loop *l, u32 turn, u32 batch)
{
	u32 i;

	for (i = 0; i < batch; i++) {
		u32 label = l->flight[(turn * batch + i) % WINDOW];

		hear(label, hash_fnv(label) % PATHS == l->bad ? l->event :
							DCC_PATH_GOOD);
	}
	for (i = 0; i < batch; i++) {
		u32 label = send();

		l->flight[(turn * batch + i) % WINDOW] = label;
		l->count[hash_fnv(label) % PATHS]++;
	}
	now += 100 * batch;
}

static void loop_run(struct loop *l, u32 rtts, u32 batch)
{
	u32 turn;

	memset(l->count, 0, sizeof(l->count));
	for (turn = 0; turn < rtts * WINDOW / batch; turn++)
		loop_turn(l, turn, batch);
}

/* The bad path's share, 1 is fair, after @settle RTTs, over 100 flows. */
static double bad_share(u32 selector, enum dcc_path_event event, u32 settle,
			u32 batch)
{
	struct loop l = { .event = event, .bad = 5 };
	u32 flow, i, sum = 0;

	base = WINDOW * 100;
	for (flow = 0; flow < 100; flow++) {
		dcc_spray_init(&s, selector, 64, unit_rand());
		now = 1;
		for (i = 0; i < WINDOW; i++)
			l.flight[i] = send();
		loop_run(&l, settle, batch);
		loop_run(&l, 20, batch);
		sum += l.count[l.bad];
	}
	base = 1;
	return sum * PATHS / (100.0 * 20 * WINDOW);
}

/* No selector, no steering: what the others are measured against. */
static void steering__oblivious_does_not(void)
{
	EXPECT_NEAR(bad_share(DCC_SPRAY_OBLIVIOUS, DCC_PATH_CE, 4, 1), 1, 0.1);
}

/* CE keeps a label out of every other lap, losses out of 40 of 41 in the end. */
static void steering__bitmap(void)
{
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_BITMAP, DCC_PATH_CE, 4, 1), 0.35, 0.55);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_BITMAP, DCC_PATH_CE, 4, 4), 0.35, 0.55);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_BITMAP, DCC_PATH_LOST, 8, 1), 0.02, 0.1);
}

static void steering__reps(void)
{
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_REPS, DCC_PATH_CE, 4, 1), 0, 0.1);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_REPS, DCC_PATH_CE, 4, 4), 0, 0.1);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_REPS, DCC_PATH_LOST, 4, 1), 0, 0.1);
}

static void steering__mixed(void)
{
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_MIXED, DCC_PATH_CE, 4, 1), 0, 0.1);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_MIXED, DCC_PATH_CE, 4, 4), 0, 0.1);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_MIXED, DCC_PATH_LOST, 4, 1), 0, 0.1);
}

static void steering__mrc(void)
{
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_MRC, DCC_PATH_CE, 4, 1), 0, 0.1);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_MRC, DCC_PATH_CE, 4, 4), 0, 0.1);
	EXPECT_BETWEEN(bad_share(DCC_SPRAY_MRC, DCC_PATH_LOST, 4, 1), 0, 0.1);
}

/* --- memory ---------------------------------------------------------------- */

/* What a selector has none of it does not pay for. */
static void dcc_spray_size__every_selector(void)
{
	size_t head = offsetof(struct dcc_spray, reps);

	EXPECT_EQ(head, offsetof(struct dcc_spray, bitmap));
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_OFF), head);
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_OBLIVIOUS), head);
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_REPS),
		  head + sizeof(struct dcc_spray_reps));
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_BITMAP), sizeof(struct dcc_spray));
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_MIXED), sizeof(struct dcc_spray));
	EXPECT_EQ(dcc_spray_size(DCC_SPRAY_MRC),
		  head + sizeof(struct dcc_spray_mrc));
	EXPECT_BETWEEN(dcc_spray_size(DCC_SPRAY_REPS), head + 1, 80);
}

/* Both send and hear the same; the sanitizer watches the smaller one. */
static void expect_same_life(struct dcc_spray *small, struct dcc_spray *full)
{
	u64 now = 0;
	u32 i;

	for (i = 0; i < 3000; i++) {
		enum dcc_path_event event = unit_below(4);
		u32 label = dcc_spray_next(small, now);

		EXPECT_EQ(label, dcc_spray_next(full, now));
		if (unit_below(4))
			event = DCC_PATH_GOOD;
		now += unit_below(300);
		tell(small, label, event, now);
		tell(full, label, event, now);
	}
	EXPECT_EQ(memcmp(small, full, dcc_spray_size(full->selector)), 0);
}

static void dcc_spray_size__an_selector_stays_within(void)
{
	u32 selector, paths;

	for (selector = DCC_SPRAY_OFF; selector < DCC_SPRAY_COUNT; selector++)
		for (paths = 1; paths <= DCC_SPRAY_MAX_PATHS; paths *= 16) {
			struct dcc_spray *small = malloc(dcc_spray_size(selector));
			struct dcc_spray full;

			memset(&full, 0, sizeof(full));
			memset(small, 0xa5, dcc_spray_size(selector));
			dcc_spray_init(small, selector, paths, 7);
			dcc_spray_init(&full, selector, paths, 7);
			expect_same_life(small, &full);
			free(small);
		}
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_spray_hash__splitmix64),
	UNIT_TEST(dcc_spray_hash__avalanche),
	UNIT_TEST(dcc_spray_label__distinct_and_never_zero),
	UNIT_TEST(dcc_spray_label__uses_all_bits),
	UNIT_TEST(dcc_spray_label__keys_share_few),
	UNIT_TEST(dcc_spray_label__spreads_evenly),
	UNIT_TEST(dcc_spray_oblivious__reference),
	UNIT_TEST(dcc_spray_oblivious__no_label_twice_in_a_lap),
	UNIT_TEST(dcc_spray_oblivious__counter_wraps),
	UNIT_TEST(dcc_spray_oblivious__one_path_is_one_label),
	UNIT_TEST(dcc_spray_oblivious__laps_differ),
	UNIT_TEST(dcc_spray_oblivious__laps_average_out),
	UNIT_TEST(dcc_spray_oblivious__flows_differ),
	UNIT_TEST(dcc_spray_bitmap__walks_its_labels),
	UNIT_TEST(dcc_spray_bitmap__at_most_256_labels),
	UNIT_TEST(dcc_spray_bitmap__laps_differ),
	UNIT_TEST(dcc_spray_bitmap__first_lap_differs),
	UNIT_TEST(dcc_spray_bitmap__counter_wraps),
	UNIT_TEST(dcc_spray_bitmap__penalties),
	UNIT_TEST(dcc_spray_bitmap__penalties_are_capped),
	UNIT_TEST(dcc_spray_bitmap__loses_again),
	UNIT_TEST(dcc_spray_bitmap__is_watched),
	UNIT_TEST(dcc_spray_bitmap__is_watched_anew),
	UNIT_TEST(dcc_spray_bitmap__recognises_its_labels),
	UNIT_TEST(dcc_spray_bitmap__substitute_of_label_0),
	UNIT_TEST(dcc_spray_bitmap__ignores_what_is_not_its_own),
	UNIT_TEST(dcc_spray_bitmap__penalty_is_laps_out),
	UNIT_TEST(dcc_spray_bitmap__lowers_only_the_first),
	UNIT_TEST(dcc_spray_bitmap__gives_up_after_a_lap),
	UNIT_TEST(dcc_spray_reps__starts_exploring),
	UNIT_TEST(dcc_spray_reps__recycles_each_once_oldest_first),
	UNIT_TEST(dcc_spray_reps__keeps_eight),
	UNIT_TEST(dcc_spray_reps__newer_ones_close_up),
	UNIT_TEST(dcc_spray_reps__recycles_only_good_ones),
	UNIT_TEST(dcc_spray_reps__forgets_lost_labels),
	UNIT_TEST(dcc_spray_reps__forgets_any_place),
	UNIT_TEST(dcc_spray_reps__frozen_uses_all_in_turn),
	UNIT_TEST(dcc_spray_reps__thaws),
	UNIT_TEST(dcc_spray_reps__thaws_when_it_sends),
	UNIT_TEST(dcc_spray_reps__thaws_when_it_hears),
	UNIT_TEST(dcc_spray_reps__freezes_once),
	UNIT_TEST(dcc_spray_reps__no_freeze_while_exploring),
	UNIT_TEST(dcc_spray_reps__only_timeouts_freeze),
	UNIT_TEST(dcc_spray_reps__frozen_forgets_the_dead),
	UNIT_TEST(dcc_spray_reps__frozen_fills_up),
	UNIT_TEST(dcc_spray_mixed__walks_its_labels),
	UNIT_TEST(dcc_spray_mixed__recycles_in_order),
	UNIT_TEST(dcc_spray_mixed__queues_32),
	UNIT_TEST(dcc_spray_mixed__recycles_only_good_ones),
	UNIT_TEST(dcc_spray_mixed__passes_over_penalties),
	UNIT_TEST(dcc_spray_mixed__falls_back),
	UNIT_TEST(dcc_spray_mixed__seeks_after_a_loss),
	UNIT_TEST(dcc_spray_mixed__forgives_while_it_seeks),
	UNIT_TEST(dcc_spray_reps__seeks_after_a_loss),
	UNIT_TEST(dcc_spray_reps__seeks_while_it_loses),
	UNIT_TEST(dcc_spray_reps__marks_after_a_loss),
	UNIT_TEST(dcc_spray_mrc__walks_its_labels),
	UNIT_TEST(dcc_spray_mrc__a_mark_draws_another),
	UNIT_TEST(dcc_spray_mrc__old_labels_are_no_news),
	UNIT_TEST(dcc_spray_mrc__one_label_stays),
	UNIT_TEST(dcc_spray_mrc__late_beyond_the_base),
	UNIT_TEST(dcc_spray_mrc__late_beyond_the_mean),
	UNIT_TEST(dcc_spray_mrc__no_excess_below_the_base),
	UNIT_TEST(dcc_spray_mrc__a_mark_among_retired),
	UNIT_TEST(dcc_spray_mrc__a_loss_retires),
	UNIT_TEST(dcc_spray_mrc__no_base_no_probe),
	UNIT_TEST(dcc_spray_mrc__a_run_brings_back),
	UNIT_TEST(dcc_spray_mrc__dead_needs_less_than_grey),
	UNIT_TEST(dcc_spray_mrc__gap),
	UNIT_TEST(dcc_spray_mrc__half_stay),
	UNIT_TEST(dcc_spray_mrc__recycles),
	UNIT_TEST(dcc_spray_mrc__walks_now_and_then),
	UNIT_TEST(dcc_spray_mrc__recycles_no_retired_ones),
	UNIT_TEST(dcc_spray_mrc__returns_as_it_was),
	UNIT_TEST(dcc_spray__auto_is_mrc),
	UNIT_TEST(dcc_spray_mrc__ignores_what_is_not_its_own),
	UNIT_TEST(dcc_spray_next__oblivious),
	UNIT_TEST(dcc_spray_next__off_is_safe),
	UNIT_TEST(dcc_spray_steers__those_that_listen),
	UNIT_TEST(dcc_spray_needs_marks__no_delay),
	UNIT_TEST(dcc_spray_avoided__penalties),
	UNIT_TEST(dcc_spray_avoided__retired),
	UNIT_TEST(dcc_spray_avoided__of_selectors_that_do_not),
	UNIT_TEST(dcc_spray__is_small),
	UNIT_TEST(steering__oblivious_does_not),
	UNIT_TEST(steering__bitmap),
	UNIT_TEST(steering__reps),
	UNIT_TEST(steering__mixed),
	UNIT_TEST(steering__mrc),
	UNIT_TEST(dcc_spray_size__every_selector),
	UNIT_TEST(dcc_spray_size__an_selector_stays_within),
};

UNIT_MAIN(tests)
