// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/chance.c, labels.c and, but for its tables, ways.c. */
#include "../../tools/dccstat/chance.h"
#include "../../tools/dccstat/labels.h"
#include "../../tools/dccstat/ways.h"
#include "unit.h"

#define MANY	4096
#define SMALL	(1 / 1e6)
#define TINY	(1 / 1e9)

static double chance(u64 some_lost, u64 some, u64 all_lost, u64 all)
{
	const struct tally t = {
		.some = some, .some_lost = some_lost, .all = all, .all_lost = all_lost,
	};

	return chance_log(&t);
}

static double gain(u64 some_lost, u64 some, u64 all_lost, u64 all)
{
	const struct tally t = {
		.some = some, .some_lost = some_lost, .all = all, .all_lost = all_lost,
	};

	return chance_gain(&t);
}

/* Of 2 of 4 packets, 2 lost: both with 1/6, at least one with 5/6. */
static void chance_log__by_hand(void)
{
	EXPECT_NEAR(exp(chance(2, 2, 2, 4)), 1.0 / 6, TINY);
	EXPECT_NEAR(exp(chance(1, 2, 2, 4)), 5.0 / 6, TINY);
	EXPECT_NEAR(chance(0, 2, 2, 4), 0, 0);
}

/* By fractions of whole numbers, in Python. */
static void chance_log__exact(void)
{
	EXPECT_NEAR(chance(5, 50, 20, 1000), -6.1010187, SMALL);
	EXPECT_NEAR(chance(10, 100, 10, 10000), -46.5121664, SMALL);
	EXPECT_NEAR(chance(3, 10, 5, 20), -0.6931472, SMALL);
	EXPECT_NEAR(chance(900, 1000, 1000, 100000), -4487.3740, 0.001);
}

/* What cannot be otherwise is no news. */
static void chance_log__no_choice(void)
{
	EXPECT_NEAR(chance(1, 2, 3, 4), 0, 0);
	EXPECT_NEAR(chance(3, 3, 3, 3), 0, 0);
	EXPECT_NEAR(chance(0, 0, 3, 4), 0, 0);
	EXPECT_NEAR(chance(0, 5, 0, 9), 0, 0);
	EXPECT_NEAR(chance(2, 4, 2, 4), 0, 0);
}

static void chance_log__falls_with_the_losses(void)
{
	double last = 0, now;
	u64 x;

	for (x = 1; x <= 20; x++) {
		now = chance(x, 50, 20, 1000);
		if (!(now < last))
			unit_fail(__FILE__, __LINE__, "%llu: %g, before %g",
				  (unsigned long long)x, now, last);
		last = now;
	}
}

static void chance_gain__only_where_more_is_lost(void)
{
	EXPECT_NEAR(gain(5, 50, 20, 1000), 4.6778371, SMALL);
	EXPECT_NEAR(gain(1, 50, 20, 1000), 0, 0);	/* as the rest */
	EXPECT_NEAR(gain(0, 50, 20, 1000), 0, 0);
	EXPECT_BETWEEN(gain(2, 50, 20, 1000), 0.001, 1);
	EXPECT_NEAR(gain(3, 3, 3, 6), 6 * log(2), TINY);	/* all of these, none else */
}

static struct heard one[MANY];
static struct heards all = { .at = one };

/* A packet of a host's, to another one, and what became of it. */
static void put(u8 src, u8 dst, u32 label, u64 now, enum heard_what what, u32 delay)
{
	one[all.count++] = (struct heard) {
		.alg = "mswift", .src = { 0xfd, [15] = src }, .dst = { 0xfd, [15] = dst },
		.label = label, .now = now, .what = (u8)what, .delay = delay,
		.sport = 1000, .dport = 2000,
	};
}

static void labels_sum__by_addresses_and_label(void)
{
	struct labels labels;

	all.count = 0;
	put(1, 2, 7, 30, HEARD_GOOD, 500);
	put(1, 3, 7, 20, HEARD_TIMEOUT, 0);
	put(1, 2, 7, 10, HEARD_MARKED, 100);
	put(1, 2, 8, 10, HEARD_LOST, 0);
	put(1, 2, 7, 20, HEARD_GOOD, 300);
	put(1, 2, 7, 40, HEARD_GOOD, 0);
	labels_sum(&labels, &all);
	EXPECT_EQ(labels.count, 3);
	EXPECT_EQ(labels.lost, 2);
	EXPECT_EQ(labels.at[0].first->label, 8);	/* each lost all it had */
	EXPECT_EQ(labels.at[1].first->dst[15], 3);
	EXPECT_EQ(labels.at[1].lost, 1);
	EXPECT_EQ(labels.at[2].count, 4);
	EXPECT_EQ(labels.at[2].lost, 0);
	EXPECT_EQ(labels.at[2].marked, 1);
	EXPECT_EQ(labels.at[2].delays, 3);
	EXPECT_EQ(labels.at[2].mean, 300);
	EXPECT_EQ(labels.at[2].median, 300);
	EXPECT_EQ(labels.at[2].first->now, 10);		/* by time */
	EXPECT_NEAR(labels.at[2].chance, 0, 0);
	labels_free(&labels);
}

static void labels_sum__the_worst_first(void)
{
	struct labels labels;
	u32 i;

	all.count = 0;
	for (i = 0; i < 100; i++) {
		put(1, 2, 1, i, HEARD_GOOD, 100);
		put(1, 2, 2, i, i < 20 ? HEARD_MARKED : HEARD_GOOD, 100);
		put(1, 2, 3, i, i < 10 ? HEARD_LOST : HEARD_GOOD, 100);
		put(1, 2, 4, i, HEARD_GOOD, 900);
	}
	put(1, 2, 5, 0, HEARD_LOST, 0);		/* one of one: no proof */
	labels_sum(&labels, &all);
	EXPECT_EQ(labels.at[0].first->label, 3);
	EXPECT_EQ(labels.at[1].first->label, 5);
	EXPECT_EQ(labels.at[2].first->label, 2);
	EXPECT_EQ(labels.at[3].first->label, 4);
	EXPECT_EQ(labels.at[4].first->label, 1);
	EXPECT_NEAR(labels.at[0].chance, chance(10, 100, 11, 401) + log(5), TINY);
	EXPECT_BETWEEN(exp(labels.at[1].chance), 0.1, 1);
	labels_free(&labels);
}

static void labels_sum__of_nothing(void)
{
	struct labels labels;

	all.count = 0;
	labels_sum(&labels, &all);
	EXPECT_EQ(labels.count, 0);
	labels_free(&labels);
}

static void label_next__by_interval(void)
{
	struct label whole = { .first = one, .count = 4 }, part;
	struct label_walk walk = { .whole = &whole, .start = 5, .every = 10 };

	all.count = 0;
	put(1, 2, 1, 10, HEARD_GOOD, 5);
	put(1, 2, 1, 14, HEARD_LOST, 0);
	put(1, 2, 1, 15, HEARD_GOOD, 7);
	put(1, 2, 1, U64_MAX, HEARD_GOOD, 7);	/* at once, though far away */
	EXPECT_EQ(label_next(&walk, &part), true);
	EXPECT_EQ(walk.from, 5);
	EXPECT_EQ(part.count, 2);
	EXPECT_EQ(part.lost, 1);
	EXPECT_EQ(label_next(&walk, &part), true);
	EXPECT_EQ(walk.from, 15);
	EXPECT_EQ(part.count, 1);
	EXPECT_EQ(part.lost, 0);
	EXPECT_EQ(label_next(&walk, &part), true);
	EXPECT_EQ(walk.from, U64_MAX);
	EXPECT_EQ(label_next(&walk, &part), false);
}

static void way_wanted__lost_and_some(void)
{
	struct heard h = { .src = { 0xfd }, .dst = { 0xfd }, .label = 1 };
	u32 wanted = 0, i;

	for (i = 0; i < 64000; i++) {
		h.now = i * 4096;
		h.label = 1 + i % 1000;
		wanted += way_wanted(&h, 64);
	}
	EXPECT_BETWEEN(wanted, 900, 1100);
	EXPECT_EQ(way_wanted(&h, 1), true);
	h.what = HEARD_LOST;
	EXPECT_EQ(way_wanted(&h, 1000000), true);
	h.what = HEARD_TIMEOUT;
	EXPECT_EQ(way_wanted(&h, 1000000), true);
	h.label = 0;
	EXPECT_EQ(way_wanted(&h, 1), false);
}

static void way_wanted__not_of_ipv4(void)
{
	struct heard h = {
		.src = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .label = 1, .what = HEARD_LOST,
	};

	EXPECT_EQ(way_wanted(&h, 1), false);
}

static void ways_choose__each_once(void)
{
	struct ways ways = { 0 };
	struct heard other;
	u32 i;

	all.count = 0;
	for (i = 0; i < 9; i++)
		put(1, 2, 1 + i % 3, i, HEARD_LOST, 0);
	put(1, 3, 1, 0, HEARD_LOST, 0);
	put(1, 2, 0, 0, HEARD_LOST, 0);
	ways_choose(&ways, &all, 5);
	EXPECT_EQ(ways.count, 4);
	EXPECT_EQ(ways.of, 5);
	EXPECT_EQ(ways_find(&ways, &one[4])->label, 2);
	EXPECT_EQ(ways_find(&ways, &one[9])->dst[15], 3);
	other = one[0];
	other.sport++;
	EXPECT_EQ(!ways_find(&ways, &other), true);
	other = one[0];
	other.dport++;
	EXPECT_EQ(!ways_find(&ways, &other), true);
	ways_free(&ways);
}

/* Two hosts' tables may have the same packets: the way that is known stays. */
static void ways_sort__the_known_stays(void)
{
	struct way at[2] = { { .label = 1 }, { .label = 1, .hops = { .hops = 1 } } };
	struct ways ways = { .at = at, .count = 2 };

	at[1].hops.heard[0] = true;
	ways_sort(&ways);
	EXPECT_EQ(ways.count, 1);
	EXPECT_EQ(ways.at[0].hops.hops, 1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(chance_log__by_hand),
	UNIT_TEST(chance_log__exact),
	UNIT_TEST(chance_log__no_choice),
	UNIT_TEST(chance_log__falls_with_the_losses),
	UNIT_TEST(chance_gain__only_where_more_is_lost),
	UNIT_TEST(labels_sum__by_addresses_and_label),
	UNIT_TEST(labels_sum__the_worst_first),
	UNIT_TEST(labels_sum__of_nothing),
	UNIT_TEST(label_next__by_interval),
	UNIT_TEST(way_wanted__lost_and_some),
	UNIT_TEST(way_wanted__not_of_ipv4),
	UNIT_TEST(ways_choose__each_once),
	UNIT_TEST(ways_sort__the_known_stays),
};

UNIT_MAIN(tests)
