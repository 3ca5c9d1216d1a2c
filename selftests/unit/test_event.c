// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/event.c and of tools/replay/rules.c. */
#include "../../tools/dccstat/event.h"
#include "unit.h"

#define LINE_TEXT	800
#define BEFORE		"  python3-812 [001] b..3. 12.345678: dcc_ack: "
#define FIELDS								\
	"alg=mswift sport=5000 dport=443 now=18446744073709551615 sent=1000 rtt=90 "	\
	"base=80 hosts=14 srtt=85 delay=88 target=100 acked=2 ce=1 losses=3 run=4 inflight=5 "	\
	"limited=1 branch=2 cwnd=1099511627776 pacing=1250000000 share=6 gradient=-7 "	\
	"mss=1448 flight=8 line=9 priority=11 dscp=12 app=1 fills=2 delayed=3 "	\
	"recovery=4 drains=5 no_ecn=6 sprayed=9 idle=7 small=8 labels=256 avoided=13"

#define ZEROS		"000000000000000000000000000000000000000000000000000000000000"
#define REFUSED		"the trace event dcc_ack "
#define AS_OF		"; allowed: as of the tcp_dcc that this program came with"

static char why[WHY_TEXT];
static struct ack ack;
static struct told told;
static struct heard heard;
static u64 lost;

static enum event_line parse(const char *line)
{
	struct event event = { .lost = 0 };
	enum event_line what;

	why[0] = '\0';
	what = event_parse(line, &event, why);
	ack = event.ack;
	told = event.told;
	heard = event.heard;
	lost = event.lost;
	return what;
}

/* The line with a word put in the place of another. */
static enum event_line with(const char *word, const char *instead)
{
	static const char line[] = BEFORE FIELDS "\n";
	const char *at = strstr(line, word);
	char text[LINE_TEXT];

	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - line), line, instead,
		 at + strlen(word));
	return parse(text);
}

static void event_parse__an_ack(void)
{
	EXPECT_EQ(parse(BEFORE FIELDS "\n"), EVENT_ACK);
	EXPECT_TEXT(ack.alg, "mswift");
	EXPECT_EQ(ack.sport, 5000);
	EXPECT_EQ(ack.dport, 443);
	EXPECT_EQ(ack.now == U64_MAX, true);
	EXPECT_EQ(ack.sent, 1000);
	EXPECT_EQ(ack.rtt, 90);
	EXPECT_EQ(ack.base, 80);
	EXPECT_EQ(ack.hosts, 14);
	EXPECT_EQ(ack.srtt, 85);
	EXPECT_EQ(ack.delay, 88);
	EXPECT_EQ(ack.target, 100);
	EXPECT_EQ(ack.acked, 2);
	EXPECT_EQ(ack.ce, 1);
	EXPECT_EQ(ack.losses, 3);
	EXPECT_EQ(ack.run, 4);
	EXPECT_EQ(ack.inflight, 5);
	EXPECT_EQ(ack.limited, 1);
	EXPECT_EQ(ack.branch, 2);
	EXPECT_EQ(ack.cwnd, 1099511627776);
	EXPECT_EQ(ack.pacing, 1250000000);
	EXPECT_EQ(ack.share, 6);
	EXPECT_EQ(ack.gradient, -7);
	EXPECT_EQ(ack.mss, 1448);
	EXPECT_EQ(ack.flight, 8);
	EXPECT_EQ(ack.line, 9);
	EXPECT_EQ(ack.priority, 11);
	EXPECT_EQ(ack.dscp, 12);
	EXPECT_EQ(ack.app, 1);
	EXPECT_EQ(ack.fills, 2);
	EXPECT_EQ(ack.delayed, 3);
	EXPECT_EQ(ack.recovery, 4);
	EXPECT_EQ(ack.drains, 5);
	EXPECT_EQ(ack.no_ecn, 6);
	EXPECT_EQ(ack.sprayed, 9);
	EXPECT_EQ(ack.idle, 7);
	EXPECT_EQ(ack.small, 8);
	EXPECT_EQ(ack.labels, 256);
	EXPECT_EQ(ack.avoided, 13);
}

#define TOLD								\
	"  sh-7 [000] ..s2. 1.0: dcc_event: alg=oscar sport=1 dport=2 now=3 event=rto srtt=4 lost=5 mss=6"

static void event_parse__told(void)
{
	EXPECT_EQ(parse(TOLD " line=7\n"), EVENT_TOLD);
	EXPECT_TEXT(told.alg, "oscar");
	EXPECT_TEXT(told.event, "rto");
	EXPECT_EQ(told.sport, 1);
	EXPECT_EQ(told.dport, 2);
	EXPECT_EQ(told.now, 3);
	EXPECT_EQ(told.srtt, 4);
	EXPECT_EQ(told.lost, 5);
	EXPECT_EQ(told.mss, 6);
	EXPECT_EQ(told.line, 7);
	EXPECT_EQ(parse(TOLD), EVENT_BAD);
	EXPECT_TEXT(why, "the trace event dcc_event has no field 'line'" AS_OF);
}

static void event_parse__more_fields_are_passed_over(void)
{
	EXPECT_EQ(parse(BEFORE FIELDS " more=1448 word"), EVENT_ACK);
	EXPECT_EQ(ack.gradient, -7);
}

static void event_parse__fewer_are_refused(void)
{
	EXPECT_EQ(with(" share=6", ""), EVENT_BAD);
	EXPECT_TEXT(why, REFUSED "has no field 'share'" AS_OF);
	EXPECT_EQ(with("alg=mswift ", ""), EVENT_BAD);
	EXPECT_EQ(with("gradient=-7", ""), EVENT_BAD);
	EXPECT_EQ(parse(BEFORE), EVENT_BAD);
}

static void event_parse__both_sides_of_what_fits(void)
{
	EXPECT_EQ(with("sport=5000", "sport=65535"), EVENT_ACK);
	EXPECT_EQ(with("sport=5000", "sport=65536"), EVENT_BAD);
	EXPECT_EQ(with("branch=2", "branch=255"), EVENT_ACK);
	EXPECT_EQ(with("branch=2", "branch=256"), EVENT_BAD);
	EXPECT_EQ(with("rtt=90", "rtt=4294967295"), EVENT_ACK);
	EXPECT_EQ(ack.rtt == U32_MAX, true);
	EXPECT_EQ(with("rtt=90", "rtt=4294967296"), EVENT_BAD);
	EXPECT_EQ(with("now=18446744073709551615", "now=18446744073709551616"), EVENT_BAD);
	EXPECT_EQ(with("gradient=-7", "gradient=-2147483648"), EVENT_ACK);
	EXPECT_EQ(ack.gradient, -2147483647 - 1);
	EXPECT_EQ(with("gradient=-7", "gradient=-2147483649"), EVENT_BAD);
	EXPECT_EQ(with("gradient=-7", "gradient=2147483648"), EVENT_BAD);
	EXPECT_EQ(with("alg=mswift", "alg=prioplus_ledbat"), EVENT_ACK);
	EXPECT_EQ(with("alg=mswift", "alg=prioplus_ledbat_"), EVENT_BAD);
	EXPECT_EQ(with("alg=mswift", "alg="), EVENT_BAD);
}

static void event_parse__no_numbers_are_refused(void)
{
	EXPECT_EQ(with("rtt=90", "rtt=-1"), EVENT_BAD);
	EXPECT_TEXT(why, REFUSED "has the word 'rtt=-1'" AS_OF);
	EXPECT_EQ(with("rtt=90", "rtt="), EVENT_BAD);
	EXPECT_EQ(with("rtt=90", "rtt=9x"), EVENT_BAD);
	EXPECT_EQ(with("rtt=90", "rtt=+9"), EVENT_BAD);
	EXPECT_EQ(with("gradient=-7", "gradient=--7"), EVENT_BAD);
	EXPECT_EQ(with("rtt=90", "rtt=" ZEROS "90"), EVENT_BAD);
}

static void event_parse__other_lines(void)
{
	EXPECT_EQ(parse(""), EVENT_OTHER);
	EXPECT_EQ(parse("  x-1 [000] ..... 1.0: dcc_suspend: what=probe sport=1 dport=2"),
		  EVENT_OTHER);
	EXPECT_EQ(parse("CPU:1 [LOST 12 EVENTS]\n"), EVENT_LOST);
	EXPECT_EQ(lost, 12);
	EXPECT_EQ(parse("CPU:1 [LOST 12 EV"), EVENT_OTHER);
}

/* A process is called what it likes. */
static void event_parse__names_of_processes(void)
{
	static const char *const name[] = { "dcc_ack", ": dcc_ack: x", ": dcc_event: x" };
	char text[LINE_TEXT];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(name); i++) {
		snprintf(text, sizeof(text), "%s%s", name[i], BEFORE FIELDS);
		EXPECT_EQ(parse(text), EVENT_ACK);
		snprintf(text, sizeof(text), "%s%s", name[i], TOLD " line=7");
		EXPECT_EQ(parse(text), EVENT_TOLD);
	}
}

#define HEARD_FROM(src)							\
	"  xfer-9 [000] ..s2. 1.0: dcc_path: alg=mswift src=" src		\
	" sport=1 dst=::ffff:10.0.0.1 dport=2 now=3 label=4 "
#define HEARD		HEARD_FROM("fd00::1:2:1")

static void event_parse__a_label(void)
{
	EXPECT_EQ(parse(HEARD "what=marked delay=5\n"), EVENT_HEARD);
	EXPECT_TEXT(heard.alg, "mswift");
	EXPECT_EQ(heard.src[0], 0xfd);
	EXPECT_EQ(heard.src[11], 1);
	EXPECT_EQ(heard.src[15], 1);
	EXPECT_EQ(heard.dst[10], 0xff);
	EXPECT_EQ(heard.dst[12], 10);
	EXPECT_EQ(heard.sport, 1);
	EXPECT_EQ(heard.dport, 2);
	EXPECT_EQ(heard.now, 3);
	EXPECT_EQ(heard.label, 4);
	EXPECT_EQ(heard.what, HEARD_MARKED);
	EXPECT_EQ(heard.delay, 5);
	EXPECT_EQ(parse(HEARD "what=timeout delay=5"), EVENT_HEARD);
	EXPECT_EQ(heard_lost(&heard), true);
	EXPECT_EQ(parse(HEARD "what=lost delay=5"), EVENT_HEARD);
	EXPECT_EQ(heard_lost(&heard), true);
	EXPECT_EQ(parse(HEARD "what=good delay=5"), EVENT_HEARD);
	EXPECT_EQ(heard_lost(&heard), false);
}

static void event_parse__no_label_of_ours(void)
{
	EXPECT_EQ(parse(HEARD "what=gone delay=5"), EVENT_BAD);
	EXPECT_TEXT(why, "the trace event dcc_path has the word 'what=gone'" AS_OF);
	EXPECT_EQ(parse(HEARD "what=good"), EVENT_BAD);
	EXPECT_TEXT(why, "the trace event dcc_path has no field 'delay'" AS_OF);
	EXPECT_EQ(parse(HEARD_FROM("fd00:::1") "what=good delay=5"), EVENT_BAD);
	EXPECT_TEXT(why, "the trace event dcc_path has the word 'src=fd00:::1'" AS_OF);
	EXPECT_EQ(parse("x: dcc_pathology: alg=mswift"), EVENT_OTHER);
}

static void expect_rule(const char *alg, u8 branch, bool known, const char *name)
{
	char text[RULE_TEXT];

	EXPECT_EQ(rule_name(alg, branch, text, sizeof(text)), known);
	EXPECT_TEXT(text, name);
}

static void rule_name__of_each_family(void)
{
	expect_rule("swift", 2, true, "decrease");
	expect_rule("mswift", 4, true, "loss");
	expect_rule("lswift", 5, true, "slow_start");
	expect_rule("ledbat", 4, true, "slow_start");
	expect_rule("mnscc", 0x1a, true, "slow_start+fulfil");
	expect_rule("nscc", 0x09, true, "loss");
	expect_rule("mnscc", 0xf8, true,
		    "quick_adapt+fulfil+period+loss+loss_quick_adapt");
	expect_rule("oscar", 0xf3, true, "slow_down+rate+app+ramp+lost");
	expect_rule("prioplus_ledbat", 0x1e, true, "ask+rtt");
	expect_rule("prioplus", 0x86, true, "stop+no_line");
	expect_rule("ledbat", 3, true, "loss");
}

static void rule_name__unknown_is_a_number(void)
{
	expect_rule("swift", 6, false, "6");
	expect_rule("swift", 0x12, false, "18");
	expect_rule("nscc", 0x0c, false, "12");
	expect_rule("oscar", 6, false, "6");
	expect_rule("ledbat", 5, false, "5");
	expect_rule("cubic", 1, false, "1");
	expect_rule("", 255, false, "255");
}

static const struct unit_test tests[] = {
	UNIT_TEST(event_parse__an_ack),
	UNIT_TEST(event_parse__told),
	UNIT_TEST(event_parse__more_fields_are_passed_over),
	UNIT_TEST(event_parse__fewer_are_refused),
	UNIT_TEST(event_parse__both_sides_of_what_fits),
	UNIT_TEST(event_parse__no_numbers_are_refused),
	UNIT_TEST(event_parse__other_lines),
	UNIT_TEST(event_parse__names_of_processes),
	UNIT_TEST(event_parse__a_label),
	UNIT_TEST(event_parse__no_label_of_ours),
	UNIT_TEST(rule_name__of_each_family),
	UNIT_TEST(rule_name__unknown_is_a_number),
};

UNIT_MAIN(tests)
