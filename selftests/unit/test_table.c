// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/table.c, json.c and acks.c. */
#include <arpa/inet.h>

#include "../../tools/dccstat/acks.h"
#include "../../tools/dccstat/json.h"
#include "../../tools/dccstat/table.h"
#include "unit.h"

#define TEXT	64

static struct flow a_flow(void)
{
	struct flow flow = {
		.family = AF_INET6, .state = 1, .sport = 5000, .dport = 443, .cc = "mswift",
		.net = "-", .told = true, .tcp_bytes = sizeof(struct tcp_info),
		.own = { DCC_CC_INFO_LAYOUT, 64, 137212, 120011, 0 },
		.ack = { .alg = "mswift", .sport = 5000, .dport = 443, .target = 145000,
			 .branch = 2, .cwnd = 2560, .now = 7, .labels = 256, .avoided = 6 },
	};

	inet_pton(AF_INET6, "fd09::1", flow.src);
	inet_pton(AF_INET6, "fd09::2", flow.dst);
	flow.tcp.tcpi_snd_cwnd = 12;
	flow.tcp.tcpi_delivered = 400;
	flow.tcp.tcpi_delivered_ce = 3;
	flow.tcp.tcpi_pacing_rate = ~0ULL;
	flow.tcp.tcpi_delivery_rate = 1250000000;
	flow.tcp.tcpi_total_retrans = 5;
	return flow;
}

/* The table's lines, as they are printed. */
static const char *printed(const struct flow *flow, bool nets)
{
	static char text[1024];
	struct table table = { 0 };
	FILE *out = fmemopen(text, sizeof(text), "w");

	flow_head(&table, nets);
	flow_row(&table, flow, nets);
	table_print(&table, out);
	fclose(out);
	table_free(&table);
	return text;
}

#define HEAD	"STATE        LOCAL           PEER           CC      DELAY     TARGET  "
#define HEAD_2	"BASE      WINDOW  RATE         PACING  RULE  LABELS  MARKS   RESENT  TELLS\n"
#define ROW	"established  [fd09::1]:5000  [fd09::2]:443  mswift  137.2 us  -       "
#define ROW_2	"120.0 us  12      10.0 Gbit/s  -       -     -       0.75 %  5       sprays\n"

static void text_ns__units(void)
{
	char text[TEXT];

	EXPECT_TEXT(text_ns(0, text, TEXT), "-");
	EXPECT_TEXT(text_ns(1, text, TEXT), "1 ns");
	EXPECT_TEXT(text_ns(999, text, TEXT), "999 ns");
	EXPECT_TEXT(text_ns(1000, text, TEXT), "1.00 us");
	EXPECT_TEXT(text_ns(9990, text, TEXT), "9.99 us");
	EXPECT_TEXT(text_ns(10000, text, TEXT), "10.0 us");
	EXPECT_TEXT(text_ns(999949, text, TEXT), "999.9 us");
	EXPECT_TEXT(text_ns(999950, text, TEXT), "1.00 ms");
	EXPECT_TEXT(text_ns(U32_MAX, text, TEXT), "4.29 s");
	EXPECT_TEXT(text_ns(U64_MAX, text, TEXT), "18446744073.7 s");
}

static void text_rate__units(void)
{
	char text[TEXT];

	EXPECT_TEXT(text_rate(0, text, TEXT), "-");
	EXPECT_TEXT(text_rate(1, text, TEXT), "8 bit/s");
	EXPECT_TEXT(text_rate(1250000000, text, TEXT), "10.0 Gbit/s");
	EXPECT_TEXT(text_rate(U64_MAX, text, TEXT), "-");
}

static void text_share__of_nothing(void)
{
	char text[TEXT];

	EXPECT_TEXT(text_share(0, 0, text, TEXT), "-");
	EXPECT_TEXT(text_share(3, 0, text, TEXT), "-");
	EXPECT_TEXT(text_share(0, 1, text, TEXT), "0.00 %");
	EXPECT_TEXT(text_share(1, 1, text, TEXT), "100.00 %");
}

static void flow_row__without_trace(void)
{
	struct flow flow = a_flow();

	EXPECT_TEXT(printed(&flow, false), HEAD HEAD_2 ROW ROW_2);
}

static void flow_row__traced(void)
{
	struct flow flow = a_flow();

	flow.traced = true;
	EXPECT_EQ(!strstr(printed(&flow, true), "  145.0 us  120.0 us  12 "), false);
	EXPECT_EQ(!strstr(printed(&flow, true), "  decrease  250/256  0.75 %"), false);
	flow.twins = 1;
	EXPECT_EQ(!strstr(printed(&flow, true), "  ?       120.0 us  12 "), false);
	EXPECT_EQ(!strstr(printed(&flow, true), "  ?     ?       0.75 %"), false);
	EXPECT_EQ(!strstr(printed(&flow, true), "decrease"), true);
	flow.twins = 0;
	flow.ack.labels = 0;			/* no path selector */
	EXPECT_EQ(!strstr(printed(&flow, true), "  decrease  -       0.75 %"), false);
}

/* What an old kernel does not tell is not a 0. */
static void flow_row__of_an_old_kernel(void)
{
	struct flow flow = a_flow();

	flow.tcp_bytes = offsetof(struct tcp_info, tcpi_snd_cwnd);
	EXPECT_EQ(!strstr(printed(&flow, false),
			  "  -       -     -       -     -       -      -       sprays"), false);
}

static void text_words__bits(void)
{
	struct flow flow = a_flow();
	char text[TEXT];

	flow.own.bits = 64 | 1024 | 0x8000;
	flow.own.priority = 6;
	EXPECT_TEXT(text_words(&flow, text, TEXT), "priority-6,sprays,suspended");
	flow.own.bits = 0;
	flow.own.priority = 0;
	EXPECT_TEXT(text_words(&flow, text, TEXT), "-");
	flow.traced = true;
	flow.ack.share = 412345;
	EXPECT_TEXT(text_words(&flow, text, TEXT), "share-0.412");
}

/* A layout to come: said so, and none of its numbers is shown. */
static void text_words__unknown_layout(void)
{
	struct flow flow = a_flow();
	char text[TEXT];

	flow.own_status = DCC_CC_INFO_OTHER;
	flow.own.layout = 3;
	EXPECT_TEXT(text_words(&flow, text, TEXT), "layout-3-unknown");
	EXPECT_EQ(!strstr(printed(&flow, false), "137.2 us"), true);
}

/* Words that have no room are left out whole. */
static void text_words__no_room(void)
{
	struct flow flow = a_flow();
	char text[TEXT];

	flow.own.bits = 0xffff;
	EXPECT_TEXT(text_words(&flow, text, 15), "no-memory,ipv4");
	EXPECT_TEXT(text_words(&flow, text, 14), "no-memory");
}

static json_int_t number(json_t *object, const char *name)
{
	json_t *value = json_object_get(object, name);

	return json_is_integer(value) ? json_integer_value(value) : -1;
}

static void json_flow__numbers(void)
{
	struct flow flow = a_flow();
	json_t *object, *last;

	flow.traced = true;
	object = json_flow(&flow);
	last = json_object_get(object, "last_ack");
	EXPECT_EQ(number(object, "delay_ns"), 137212);
	EXPECT_EQ(number(object, "base_rtt_ns"), 120011);
	EXPECT_EQ(number(object, "marked_packets"), 3);
	EXPECT_EQ(!json_object_get(object, "pacing_rate"), true);	/* unlimited */
	EXPECT_EQ(number(object, "priority"), -1);
	EXPECT_EQ(number(last, "target_ns"), 145000);
	EXPECT_EQ(number(last, "window_bytes"), 10);
	EXPECT_TEXT(json_string_value(json_object_get(last, "rule")), "decrease");
	EXPECT_TEXT(json_string_value(json_array_get(json_object_get(object, "tells"), 0)),
		    "sprays");
	json_decref(object);
}

static void json_flow__what_is_not_known_is_absent(void)
{
	struct flow flow = a_flow();
	json_t *object;

	flow.own_status = DCC_CC_INFO_OTHER;
	flow.own.layout = 9;
	flow.tcp_bytes = 0;
	flow.traced = true;
	flow.twins = 2;
	object = json_flow(&flow);
	EXPECT_EQ(number(object, "delay_ns"), -1);
	EXPECT_EQ(number(object, "unknown_layout"), 9);
	EXPECT_EQ(number(object, "window_packets"), -1);
	EXPECT_EQ(number(object, "twins"), 2);
	EXPECT_EQ(!json_object_get(object, "last_ack"), true);
	json_decref(object);
}

static void json_flow__a_name_that_is_no_utf8(void)
{
	struct flow flow = a_flow();
	json_t *object;
	char *text;

	memcpy(flow.cc, "\xff\xfe\"", 4);
	object = json_flow(&flow);
	EXPECT_EQ(!json_object_get(object, "cc"), true);
	text = json_dumps(object, JSON_COMPACT);
	EXPECT_EQ(!text, false);
	free(text);
	json_decref(object);
}

static void acks__the_last_one_of_a_flow(void)
{
	struct flow flow = a_flow(), other = a_flow();
	struct ack ack = flow.ack;
	struct acks acks;

	other.sport = 5001;
	acks_init(&acks);
	acks_put(&acks, &ack);
	ack.delay = 99;
	acks_put(&acks, &ack);
	acks_begin(&acks);
	acks_count(&acks, &flow);
	acks_join(&acks, &flow);
	acks_join(&acks, &other);
	EXPECT_EQ(flow.traced, true);
	EXPECT_EQ(flow.twins, 0);
	EXPECT_EQ(flow.ack.delay, 99);
	EXPECT_EQ(other.traced, false);
	/* the same ports elsewhere: whose ACK was it? */
	acks_count(&acks, &flow);
	acks_join(&acks, &flow);
	EXPECT_EQ(flow.twins, 1);
	acks_begin(&acks);
	acks_count(&acks, &flow);
	acks_join(&acks, &flow);
	EXPECT_EQ(flow.twins, 0);
	/* another algorithm's */
	memcpy(flow.cc, "swift", 6);
	acks_join(&acks, &flow);
	EXPECT_EQ(flow.traced, false);
	acks_free(&acks);
}

/* More than there are places without some in common. */
static void acks__many_with_the_same_ports(void)
{
	struct flow flow = a_flow();
	struct ack ack = flow.ack;
	struct acks acks;
	u32 i;

	acks_init(&acks);
	for (i = 0; i < ACKS_MOST / 2; i++) {
		snprintf(ack.alg, CC_TEXT, "a%u", i);
		ack.delay = i;
		acks_put(&acks, &ack);
	}
	for (i = 0; i < ACKS_MOST / 2; i++) {
		snprintf(flow.cc, CC_TEXT, "a%u", i);
		acks_join(&acks, &flow);
		EXPECT_EQ(flow.ack.delay, i);
	}
	acks_free(&acks);
}

static void acks__both_sides_of_its_limit(void)
{
	struct ack ack = a_flow().ack;
	struct acks acks;
	u32 i;

	acks_init(&acks);
	for (i = 0; i < ACKS_MOST; i++) {
		ack.sport = (u16)i;
		acks_put(&acks, &ack);
	}
	EXPECT_EQ(acks.count, ACKS_MOST);
	ack.dport++;
	acks_put(&acks, &ack);
	EXPECT_EQ(acks.count, 1);
	acks_free(&acks);
}

static const struct unit_test tests[] = {
	UNIT_TEST(text_ns__units),
	UNIT_TEST(text_rate__units),
	UNIT_TEST(text_share__of_nothing),
	UNIT_TEST(flow_row__without_trace),
	UNIT_TEST(flow_row__traced),
	UNIT_TEST(flow_row__of_an_old_kernel),
	UNIT_TEST(text_words__bits),
	UNIT_TEST(text_words__unknown_layout),
	UNIT_TEST(text_words__no_room),
	UNIT_TEST(json_flow__numbers),
	UNIT_TEST(json_flow__what_is_not_known_is_absent),
	UNIT_TEST(json_flow__a_name_that_is_no_utf8),
	UNIT_TEST(acks__the_last_one_of_a_flow),
	UNIT_TEST(acks__many_with_the_same_ports),
	UNIT_TEST(acks__both_sides_of_its_limit),
};

UNIT_MAIN(tests)
