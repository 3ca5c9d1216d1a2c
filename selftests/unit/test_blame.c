// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tools/dccstat/blame.c. Hosts 1 to 4 send to hosts 5 to 8 by one of four
 * middle switches, each label by one:
 *
 *	host s - edge 10 - middle 20 + label % 4 - edge 11 - host d
 */
#include "../../tools/dccstat/blame.h"
#include "unit.h"

#define PACKETS		8000
#define HOPS		4
#define EDGE		10
#define MIDDLE		20
#define FAR		11

static struct heard packet[PACKETS];
static struct heards all = { .at = packet };
static struct ways ways;
static struct blame blame;

static struct in6_addr address(u8 number)
{
	return (struct in6_addr) { .s6_addr = { 0xfd, [15] = number } };
}

static u8 number(const struct in6_addr *a)
{
	return a->s6_addr[15];
}

/* A packet each of all hosts with all labels in turn, none lost. */
static void begin(u32 count)
{
	u32 i;

	all.count = count;
	for (i = 0; i < count; i++)
		packet[i] = (struct heard) {
			.alg = "mswift", .src = { 0xfd, [15] = 1 + i % 4 },
			.dst = { 0xfd, [15] = 5 + i / 4 % 4 }, .label = 1 + i / 16 % 64,
			.now = i,
		};
}

static u8 middle_of(const struct heard *h)
{
	return MIDDLE + h->label % 4;
}

static void answer(struct way *way)
{
	way->hops.hops = HOPS;
	way->hops.hop[0] = address(EDGE);
	way->hops.hop[1] = address(MIDDLE + way->label % 4);
	way->hops.hop[2] = address(FAR);
	memcpy(&way->hops.hop[3], way->dst, sizeof(way->dst));
	memset(way->hops.heard, true, HOPS);
}

static void look(u32 of)
{
	size_t i;

	ways_free(&ways);
	ways_choose(&ways, &all, of);
	for (i = 0; i < ways.count; i++)
		answer(&ways.at[i]);
	blame_find(&blame, &all, &ways);
}

/* Each @every-th packet of those to, or from, a middle switch is lost; how many. */
static u32 lose(u8 middle, u32 every)
{
	u32 seen = 0, lost = 0;
	size_t i;

	for (i = 0; i < all.count; i++)
		if (middle_of(&packet[i]) == middle && ++seen % every == 0) {
			packet[i].what = HEARD_LOST;
			lost++;
		}
	return lost;
}

static void blame_find__no_loss(void)
{
	begin(PACKETS);
	look(1);
	EXPECT_EQ(blame.lost, 0);
	EXPECT_EQ(blame.came, PACKETS);
	EXPECT_EQ(blame.links, 4 + 4 + 4 + 4);
	EXPECT_EQ(blame.count, 0);
	EXPECT_EQ(blame.best.lost, 0);
}

/* The links to and from a middle switch are crossed by the same packets. */
static void blame_find__links_in_a_row_are_alike(void)
{
	u32 lost;

	begin(PACKETS);
	lost = lose(MIDDLE + 2, 101);	/* coprime to all turns */
	look(1);
	EXPECT_EQ(blame.lost, lost);
	EXPECT_EQ(blame.placed, lost);
	EXPECT_EQ(blame.came, PACKETS - lost);
	EXPECT_EQ(blame.count, 1);
	EXPECT_EQ(number(&blame.at[0].link.from), EDGE);
	EXPECT_EQ(number(&blame.at[0].link.to), MIDDLE + 2);
	EXPECT_EQ(blame.at[0].link.lost, lost);
	EXPECT_EQ(blame.at[0].alikes, 1);
	EXPECT_EQ(number(&blame.at[0].alike[0].from), MIDDLE + 2);
	EXPECT_EQ(number(&blame.at[0].alike[0].to), FAR);
	EXPECT_NEAR(blame.at[0].rate, 1.0 / 101, 0.0006);
	EXPECT_EQ(blame.at[0].low < 1.0 / 101 && blame.at[0].high > 1.0 / 101, true);
	EXPECT_BETWEEN(blame.at[0].link.gain, 20, 40);
	EXPECT_EQ(number(&blame.at[0].next.from) != EDGE, true);
	EXPECT_EQ(blame.best.lost, 0);
}

/* A random part of those that arrived will do; the loss is that of all. */
static void blame_find__of_a_part(void)
{
	begin(PACKETS);
	lose(MIDDLE + 1, 101);
	look(8);
	EXPECT_BETWEEN(blame.came, PACKETS / 8 * 0.8, PACKETS / 8 * 1.2);
	EXPECT_EQ(blame.count, 1);
	EXPECT_EQ(number(&blame.at[0].link.to), MIDDLE + 1);
	EXPECT_BETWEEN(blame.at[0].rate, 0.007, 0.014);
}

static void blame_find__two(void)
{
	begin(PACKETS);
	lose(MIDDLE, 53);	/* coprime, too */
	lose(MIDDLE + 3, 101);
	look(1);
	EXPECT_EQ(blame.count, 2);
	EXPECT_EQ(number(&blame.at[0].link.to), MIDDLE);
	EXPECT_EQ(number(&blame.at[1].link.to), MIDDLE + 3);
	EXPECT_EQ(blame.at[0].alikes, 1);
	EXPECT_EQ(blame.at[1].alikes, 1);
}

/* Equally grey: neither is taken for the other's double. */
static void blame_find__two_alike(void)
{
	begin(PACKETS);
	lose(MIDDLE, 53);	/* coprime, too */
	lose(MIDDLE + 3, 53);
	look(1);
	EXPECT_EQ(blame.count, 2);
	EXPECT_EQ(blame.at[0].alikes, 1);
	EXPECT_EQ(blame.at[1].alikes, 1);
}

/* All lose alike. */
static void blame_find__even(void)
{
	u32 m;

	begin(PACKETS);
	for (m = 0; m < 4; m++)
		lose(MIDDLE + m, 101);
	look(1);
	EXPECT_EQ(blame.count, 0);
	EXPECT_EQ(blame.best.lost > 0, true);
	EXPECT_EQ(blame.best.chance > log(BLAME_CHANCE), true);
}

/* Both sides of what is enough: 16 links, a quarter of the packets crosses each. */
static void blame_find__threshold(void)
{
	u32 lost;

	for (lost = 6; lost < 9; lost++) {
		size_t i, left = lost;

		begin(PACKETS);
		for (i = 0; i < all.count && left; i += 37)
			if (middle_of(&packet[i]) == MIDDLE) {
				packet[i].what = HEARD_LOST;
				left--;
			}
		look(1);
		EXPECT_NEAR(blame.count ? blame.at[0].link.chance : blame.best.chance,
			    lost * log(0.25) + log(16), 0.02);
		EXPECT_EQ(blame.count, lost >= 7);
	}
}

/* Of hosts whose way nobody told nothing is said. */
static void blame_find__unknown_ways(void)
{
	u32 lost;
	size_t i;

	begin(PACKETS);
	lost = lose(MIDDLE + 2, 101);
	ways_free(&ways);
	ways_choose(&ways, &all, 1);
	for (i = 0; i < ways.count; i++) {
		answer(&ways.at[i]);
		ways.at[i].hops.heard[1] = false;
	}
	blame_find(&blame, &all, &ways);
	EXPECT_EQ(blame.lost, lost);
	EXPECT_EQ(blame.placed, 0);
	EXPECT_EQ(blame.came, 0);
	EXPECT_EQ(blame.links, 0);
	EXPECT_EQ(blame.count, 0);
}

/*
 * Host 1 loses on its way to two middle switches, host 2 on its way to a third: what they
 * have in common, the edge's link to the host they send to, is not to blame.
 */
static void blame_find__what_others_explain(void)
{
	size_t i;

	begin(PACKETS);
	for (i = 0; i < all.count; i++)
		packet[i].label = packet[i].src[15] == 1 ? 1 + i / 16 % 2 : 3;
	for (i = 0; i < all.count; i++)
		if (packet[i].src[15] == 1 && i / 4 % 25 == 0)
			packet[i].what = HEARD_LOST;
	look(1);
	EXPECT_EQ(blame.count, 1);
	EXPECT_EQ(number(&blame.at[0].link.from), 1);
	EXPECT_EQ(blame.at[0].alikes, 0);
}

static const struct unit_test tests[] = {
	UNIT_TEST(blame_find__no_loss),
	UNIT_TEST(blame_find__links_in_a_row_are_alike),
	UNIT_TEST(blame_find__of_a_part),
	UNIT_TEST(blame_find__two),
	UNIT_TEST(blame_find__two_alike),
	UNIT_TEST(blame_find__even),
	UNIT_TEST(blame_find__threshold),
	UNIT_TEST(blame_find__unknown_ways),
	UNIT_TEST(blame_find__what_others_explain),
};

UNIT_MAIN(tests)
