// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/gro.c: which packets of sprayed connections would be merged. */
#include <arpa/inet.h>

#include "../../tools/dccstat/gro.h"
#include "unit.h"

#define BYTES	1000	/* of data in a packet */
#define FIRST	4000000000U	/* number of a connection's first byte: it wraps soon */

static struct gro_table table;

static void begin(void)
{
	memset(&table, 0, sizeof(table));
}

static struct gro_seen seen(void)
{
	struct gro_seen s;

	gro_sum(&table, &s);
	return s;
}

/* A connection's packet, by its number, with a label of its own. */
static struct gro_packet packet(u32 number)
{
	return (struct gro_packet) {
		.now = NSEC_PER_SEC, .ends = { .sport = htons(5000), .dport = htons(7000) },
		.device = 2, .label = 0x100 + number, .seq = FIRST + number * BYTES,
		.len = BYTES, .alike = 9,
	};
}

/* Those of one poll; -1 ends them. Return: how many would have joined a run. */
static u64 joined(const int *number)
{
	begin();
	for (; *number >= 0; number++) {
		struct gro_packet p = packet((u32)*number);

		gro_take(&table, &p);
	}
	return seen().joined;
}

#define JOINED(...)	joined((const int[]) { __VA_ARGS__, -1 })

static void gro_take__each_continues_the_one_before(void)
{
	u32 i;

	begin();
	for (i = 0; i < 20; i++) {
		struct gro_packet p = packet(i);

		gro_take(&table, &p);
	}
	EXPECT_EQ(seen().connections, 1);
	EXPECT_EQ(seen().packets, 20);
	EXPECT_EQ(seen().joined, 19);
	EXPECT_EQ(seen().unseen, 0);
}

static void gro_take__numbers_wrap(void)
{
	struct gro_packet p = packet(0);

	begin();
	p.seq = 0U - BYTES;
	gro_take(&table, &p);
	p.seq = 0;
	p.label++;
	gro_take(&table, &p);
	EXPECT_EQ(seen().joined, 1);
}

/* A packet joins the run that it continues, and never one that it comes before. */
static void gro_take__disorder(void)
{
	EXPECT_EQ(JOINED(0, 2, 1, 3), 2);
	EXPECT_EQ(JOINED(1, 0), 0);
	EXPECT_EQ(JOINED(1, 0, 3, 2, 5, 4), 2);
	EXPECT_EQ(JOINED(0, 10, 1, 11, 2, 12), 4);
	EXPECT_EQ(JOINED(0, 2, 4, 6), 0);
	EXPECT_EQ(JOINED(0, 0, 1), 1);
}

/* The ninth run that begins puts the first one out, and no other. */
static void gro_take__as_many_runs_as_gro_holds(void)
{
	EXPECT_EQ(JOINED(0, 10, 20, 30, 40, 50, 60, 70, 1), 1);
	EXPECT_EQ(JOINED(0, 10, 20, 30, 40, 50, 60, 70, 80, 1), 0);
	EXPECT_EQ(JOINED(0, 10, 20, 30, 40, 50, 60, 70, 80, 11), 1);
	EXPECT_EQ(JOINED(0, 10, 20, 30, 40, 50, 60, 70, 80, 71, 81), 2);
}

/* Does a packet join a run that began so long before, whatever came since? */
static bool joins_after(u64 ns, u64 first)
{
	struct gro_packet p = packet(0);

	begin();
	p.now = first;
	gro_take(&table, &p);
	p = packet(1);
	p.now = first + ns / 2;
	gro_take(&table, &p);
	p = packet(2);
	p.now = first + ns;
	gro_take(&table, &p);
	return seen().joined == 2;
}

static void gro_take__a_poll_ends(void)
{
	EXPECT_EQ(joins_after(GRO_POLL_NS, NSEC_PER_SEC), true);
	EXPECT_EQ(joins_after(GRO_POLL_NS + 1, NSEC_PER_SEC), false);
	EXPECT_EQ(joins_after(0, 0), true);
	/* a clock that was set back is no poll's */
	EXPECT_EQ(joins_after(-2ULL, NSEC_PER_SEC), false);
}

/* Where GRO is off, the device is named by which packets came last. */
static void gro_take__which_device(void)
{
	struct gro_packet p = packet(0);
	u32 i, device = 0;

	begin();
	gro_take(&table, &p);
	p.device = 3;
	gro_take(&table, &p);
	for (i = 0; i < GRO_CONNECTIONS; i++)
		device += table.at[i].device;
	EXPECT_EQ(device, 3);
}

/* Does the second packet join a run of the first, here changed in a member? */
#define JOINS_IF_FIRST(member, value) ({		\
	struct gro_packet p_ = packet(0);		\
							\
	begin();					\
	p_.member = value;				\
	gro_take(&table, &p_);				\
	p_ = packet(1);					\
	gro_take(&table, &p_);				\
	(int)seen().joined; })

static void gro_take__what_is_not_merged(void)
{
	EXPECT_EQ(JOINS_IF_FIRST(last, false), 1);
	EXPECT_EQ(JOINS_IF_FIRST(last, true), 0);
	EXPECT_EQ(JOINS_IF_FIRST(alike, 8), 0);
	EXPECT_EQ(JOINS_IF_FIRST(device, 3), 0);
	EXPECT_EQ(JOINS_IF_FIRST(seq, FIRST + 1), 0);
	EXPECT_EQ(JOINS_IF_FIRST(len, BYTES - 1), 0);
}

/* A packet that lets nothing follow still joins what it follows itself. */
static void gro_take__the_last_of_a_run(void)
{
	u32 i;

	begin();
	for (i = 0; i < 4; i++) {
		struct gro_packet p = packet(i);

		p.last = i == 1;
		gro_take(&table, &p);
	}
	EXPECT_EQ(seen().joined, 2);
}

/* The stock GRO merges what has one label: if it did not, no other GRO would have. */
static void gro_take__one_label(void)
{
	static const u32 label[] = { 1, 1, 2, 1, 1 };
	u32 i;

	begin();
	for (i = 0; i < ARRAY_SIZE(label); i++) {
		struct gro_packet p = packet(i);

		p.label = label[i];
		gro_take(&table, &p);
		EXPECT_EQ(seen().connections, i >= 2);
		EXPECT_EQ(seen().packets, i >= 2 ? i + 1 : 0);
	}
	EXPECT_EQ(seen().joined, 2);
}

/* With headers it is 64 KiB at most. */
static void gro_take__a_run_is_full(void)
{
	const u32 most = 65536 - 40 - 20 - 1;

	EXPECT_EQ(JOINS_IF_FIRST(len, BYTES), 1);
	begin();
	for (u32 i = 0; i < 2; i++) {
		struct gro_packet p = packet(0);

		p.ends.sport = (u16)i;
		p.len = most - BYTES + i;
		gro_take(&table, &p);
		p.seq += p.len;
		p.len = BYTES;
		p.label++;
		gro_take(&table, &p);
		EXPECT_EQ(seen().joined, 1);
	}
	EXPECT_EQ(seen().connections, 2);
	begin();
	for (u32 i = 0; i < 70; i++) {	/* 65 are one */
		struct gro_packet p = packet(i);

		gro_take(&table, &p);
	}
	EXPECT_EQ(seen().joined, 68);
}

/* Each of four differs from the first one in something else. */
static void gro_take__connections_are_apart(void)
{
	struct gro_packet p;
	u32 i;

	begin();
	for (i = 0; i < 5; i++) {
		p = packet(i);
		p.ends.from.s6_addr[15] = i == 1;
		p.ends.to.s6_addr[0] = i == 2;
		p.ends.sport = (u16)(p.ends.sport + (i == 3));
		p.ends.dport = (u16)(p.ends.dport + (i == 4));
		gro_take(&table, &p);
	}
	EXPECT_EQ(seen().connections, 0);
	p = packet(1);
	gro_take(&table, &p);
	EXPECT_EQ(seen().connections, 1);
	EXPECT_EQ(seen().packets, 2);
	EXPECT_EQ(seen().joined, 1);
}

static void gro_take__no_place_left(void)
{
	struct gro_packet p;
	u32 i, k;

	begin();
	for (i = 0; i < GRO_CONNECTIONS + 3; i++)
		for (k = 0; k < 2; k++) {
			p = packet(k);
			p.ends.sport = (u16)i;
			gro_take(&table, &p);
		}
	EXPECT_EQ(seen().connections, GRO_CONNECTIONS);
	EXPECT_EQ(seen().packets, 2 * GRO_CONNECTIONS);
	EXPECT_EQ(seen().joined, GRO_CONNECTIONS);
	EXPECT_EQ(seen().unseen, 6);
}

/* What this host only forwards is left out of every number. */
static void gro_sum__not_of_this_host(void)
{
	u32 i;

	JOINED(0, 1, 2);
	EXPECT_EQ(seen().joined, 2);
	for (i = 0; i < GRO_CONNECTIONS; i++)
		table.at[i].foreign = true;
	EXPECT_EQ(seen().connections, 0);
	EXPECT_EQ(seen().packets, 0);
	EXPECT_EQ(seen().joined, 0);
}

#define IP_BYTES	40
#define TCP_OPTION	(IP_BYTES + 20)
#define ALL_HEADERS	(IP_BYTES + 32)

/* Headers of a packet with 1000 bytes and the option of timestamps. */
static const u8 a_packet[GRO_HEADERS] = {
	0x60, 0x21, 0x23, 0x45, 0x04, 0x08, 6, 64,
	0xfd, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
	0xfd, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4,
	0x13, 0x88, 0x1b, 0x58, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x02, 0x03, 0x04,
	0x80, 0x10, 0x05, 0x06, 0x07, 0x08, 0, 0,
	1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2,
};

/* With one byte changed. */
static bool parse(u32 at, u8 byte, size_t len, struct gro_packet *p)
{
	u8 data[GRO_HEADERS];

	memcpy(data, a_packet, sizeof(data));
	data[at] = byte;
	return gro_parse(data, len, p);
}

static void gro_parse__fields(void)
{
	struct gro_packet p = { .now = 5, .device = 6 };
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];

	EXPECT_EQ(gro_parse(a_packet, ALL_HEADERS, &p), true);
	EXPECT_TEXT(inet_ntop(AF_INET6, &p.ends.from, from, sizeof(from)), "fd01::2");
	EXPECT_TEXT(inet_ntop(AF_INET6, &p.ends.to, to, sizeof(to)), "fd03::4");
	EXPECT_EQ(ntohs(p.ends.sport), 5000);
	EXPECT_EQ(ntohs(p.ends.dport), 7000);
	EXPECT_EQ(p.label, 0x12345);
	EXPECT_EQ(p.seq, 0x89abcdefU);
	EXPECT_EQ(p.len, 1000);
	EXPECT_EQ(p.last, false);
	EXPECT_EQ(p.now, 5);
	EXPECT_EQ(p.device, 6);
}

static void gro_parse__what_is_none(void)
{
	struct gro_packet p;

	EXPECT_EQ(parse(0, 0x40, GRO_HEADERS, &p), false);	/* IPv4 */
	EXPECT_EQ(parse(6, 17, GRO_HEADERS, &p), false);	/* UDP */
	EXPECT_EQ(parse(6, 0, GRO_HEADERS, &p), false);		/* a header in between */
	EXPECT_EQ(parse(0, 0x60, ALL_HEADERS - 1, &p), false);	/* cut off */
	EXPECT_EQ(parse(0, 0x60, IP_BYTES + 19, &p), false);
	EXPECT_EQ(parse(0, 0x60, 0, &p), false);
	EXPECT_EQ(parse(52, 0x40, GRO_HEADERS, &p), false);	/* four words are no header */
	EXPECT_EQ(parse(52, 0x50, IP_BYTES + 20, &p), true);
	EXPECT_EQ(p.len, 1012);
	EXPECT_EQ(parse(52, 0xf0, GRO_HEADERS, &p), true);
	EXPECT_EQ(parse(4, 0, GRO_HEADERS, &p), false);		/* 8 bytes are too few */
}

/* Under sanitizers: no byte is read behind those that there are. */
static void gro_parse__cut_off(void)
{
	struct gro_packet p;
	size_t len;

	for (len = 0; len <= ALL_HEADERS; len++) {
		u8 *data = malloc(len + 1);	/* never of no byte */

		memcpy(data + 1, a_packet, len);
		EXPECT_EQ(gro_parse(data + 1, len, &p), len == ALL_HEADERS);
		free(data);
	}
}

static void gro_parse__without_data(void)
{
	u8 data[GRO_HEADERS];
	struct gro_packet p;

	memcpy(data, a_packet, sizeof(data));
	data[4] = 0;
	data[5] = 32;
	EXPECT_EQ(gro_parse(data, sizeof(data), &p), false);
	data[5] = 33;
	EXPECT_EQ(gro_parse(data, sizeof(data), &p), true);
	EXPECT_EQ(p.len, 1);
}

/* Is a packet alike with a byte changed, as far as GRO asks? */
static bool alike(u32 at, u8 byte)
{
	struct gro_packet one, other;

	return gro_parse(a_packet, GRO_HEADERS, &one) && parse(at, byte, GRO_HEADERS, &other) &&
	       one.alike == other.alike;
}

static void gro_parse__what_has_to_be_alike(void)
{
	static const u32 any[] = { 2, 3, 41, 47, 54, 57, ALL_HEADERS };
	static const u32 same[] = { 7, 48, 51, TCP_OPTION, ALL_HEADERS - 1 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(any); i++)
		EXPECT_EQ(alike(any[i], 0xaa), true);
	for (i = 0; i < ARRAY_SIZE(same); i++)
		EXPECT_EQ(alike(same[i], 0xaa), false);
	EXPECT_EQ(alike(1, 0x31), false);	/* CE */
	EXPECT_EQ(alike(0, 0x61), false);	/* another class */
	EXPECT_EQ(alike(1, 0x22), true);	/* another label */
	EXPECT_EQ(alike(52, 0x81), false);	/* a bit of accurate ECN */
}

static void gro_parse__flags(void)
{
	static const struct {
		u8 flag;
		bool last, alike;
	} cases[] = {
		{ 0x01, true, true }, { 0x02, true, false }, { 0x04, true, false },
		{ 0x08, true, true }, { 0x20, true, false }, { 0x40, false, false },
		{ 0x80, false, false }, { 0x10, false, true },
	};
	struct gro_packet p;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(parse(53, 0x10 | cases[i].flag, GRO_HEADERS, &p), true);
		EXPECT_EQ(p.last, cases[i].last);
		EXPECT_EQ(alike(53, 0x10 | cases[i].flag), cases[i].alike);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(gro_take__each_continues_the_one_before),
	UNIT_TEST(gro_take__numbers_wrap),
	UNIT_TEST(gro_take__disorder),
	UNIT_TEST(gro_take__as_many_runs_as_gro_holds),
	UNIT_TEST(gro_take__a_poll_ends),
	UNIT_TEST(gro_take__which_device),
	UNIT_TEST(gro_take__what_is_not_merged),
	UNIT_TEST(gro_take__the_last_of_a_run),
	UNIT_TEST(gro_take__one_label),
	UNIT_TEST(gro_take__a_run_is_full),
	UNIT_TEST(gro_take__connections_are_apart),
	UNIT_TEST(gro_take__no_place_left),
	UNIT_TEST(gro_sum__not_of_this_host),
	UNIT_TEST(gro_parse__fields),
	UNIT_TEST(gro_parse__what_is_none),
	UNIT_TEST(gro_parse__cut_off),
	UNIT_TEST(gro_parse__without_data),
	UNIT_TEST(gro_parse__what_has_to_be_alike),
	UNIT_TEST(gro_parse__flags),
};

UNIT_MAIN(tests)
