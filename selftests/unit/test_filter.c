// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/filter.c. */
#include <arpa/inet.h>

#include "../../tools/dccstat/filter.h"
#include "unit.h"

#define WORDS_MAX	200
#define NO_WORD		"'; allowed: state exclude sport dport src dst cc, and or not ( )"
#define ENDS		"filter: it ends where one of these is wanted: state exclude sport " \
			"dport src dst cc, and or not ( )"
#define GROUPS		"all, connected, synchronized, bucket, big, "
#define OPEN		"established, syn-sent, syn-recv, fin-wait-1, fin-wait-2, time-wait, "
#define OTHERS		"closed, close-wait, last-ack, listening, closing"
#define X40		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X63		X40 "xxxxxxxxxxxxxxxxxxxxxxx"

static char why[WHY_TEXT];

/* Words as a shell cuts them. */
static int parse(struct filter *filter, const char *text)
{
	static char copy[4096];
	char *word[WORDS_MAX], *rest;
	int count = 0;

	why[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", text);
	for (rest = strtok(copy, "~"); rest && count < WORDS_MAX; rest = strtok(NULL, "~"))
		word[count++] = rest;
	return filter_parse(filter, count, word, why);
}

/* An established mswift flow fd09::1:5000 > fd09::2:443. */
static struct flow a_flow(void)
{
	struct flow flow = {
		.family = AF_INET6, .state = 1, .sport = 5000, .dport = 443, .cc = "mswift",
	};

	inet_pton(AF_INET6, "fd09::1", flow.src);
	inet_pton(AF_INET6, "fd09::2", flow.dst);
	return flow;
}

static struct flow an_ipv4_flow(void)
{
	struct flow flow = a_flow();

	flow.family = AF_INET;
	memset(flow.src, 0, sizeof(flow.src));
	memset(flow.dst, 0, sizeof(flow.dst));
	inet_pton(AF_INET, "10.9.0.1", flow.src);
	inet_pton(AF_INET, "10.9.1.128", flow.dst);
	return flow;
}

static void expect_of(int line, const struct flow *flow, const char *text, bool want)
{
	struct filter filter;

	if (parse(&filter, text))
		unit_fail(__FILE__, line, "\"%s\": %s", text, why);
	else if (filter_match(&filter, flow) != want)
		unit_fail(__FILE__, line, "\"%s\" %s", text, want ? "misses" : "matches");
}

#define TAKES(flow, text)	expect_of(__LINE__, &(flow), text, true)
#define LEAVES(flow, text)	expect_of(__LINE__, &(flow), text, false)

static void refuses(const char *text, const char *reason)
{
	struct filter filter;

	if (parse(&filter, text) != -EINVAL)
		unit_fail(__FILE__, __LINE__, "\"%s\" was taken", text);
	EXPECT_TEXT(why, reason);
}

static void filter__states(void)
{
	struct flow flow = a_flow();

	TAKES(flow, "");
	TAKES(flow, "state established");
	TAKES(flow, "state listening state established");
	LEAVES(flow, "state listening");
	LEAVES(flow, "exclude established");
	LEAVES(flow, "state connected exclude established");
	flow.state = 10;
	LEAVES(flow, "");
	TAKES(flow, "state listening");
	TAKES(flow, "exclude established");
	TAKES(flow, "state all");
	LEAVES(flow, "state connected");
	flow.state = 6;
	LEAVES(flow, "");
	TAKES(flow, "state bucket");
	LEAVES(flow, "state big");
	flow.state = 2;
	TAKES(flow, "state connected");
	LEAVES(flow, "state synchronized");
	flow.state = 31;
	LEAVES(flow, "state all");
	flow.state = 32;
	LEAVES(flow, "state all");
}

static void filter__ports(void)
{
	struct flow flow = a_flow();

	TAKES(flow, "dport = :443");
	TAKES(flow, "dport=443");
	TAKES(flow, "dport~=~:443");
	TAKES(flow, "dport :443");
	LEAVES(flow, "dport = :442");
	LEAVES(flow, "sport = :443");
	TAKES(flow, "sport ge 5000");
	LEAVES(flow, "sport > 5000");
	TAKES(flow, "sport <= 5000");
	LEAVES(flow, "sport lt 5000");
	TAKES(flow, "sport lt 5001");
	TAKES(flow, "sport != 1");
	LEAVES(flow, "sport ne :5000");
	flow.dport = 65535;
	TAKES(flow, "dport=65535");
}

static void filter__addresses(void)
{
	struct flow flow = a_flow();

	TAKES(flow, "dst fd09::2");
	LEAVES(flow, "src fd09::2");
	TAKES(flow, "dst = fd09::/64");
	TAKES(flow, "dst [fd09::2]:443");
	LEAVES(flow, "dst [fd09::2]:444");
	TAKES(flow, "dst [fd09::]/64:443");
	TAKES(flow, "dst fd09::3/127");
	LEAVES(flow, "dst fd09::3/128");
	LEAVES(flow, "dst != fd09::2");
	TAKES(flow, "dst :443");
	TAKES(flow, "dst *:443");
	TAKES(flow, "dst *");
	LEAVES(flow, "dst *:80");
	TAKES(flow, "dst ::/0");
	LEAVES(flow, "dst 0.0.0.0/0");
}

static void filter__ipv4(void)
{
	struct flow flow = an_ipv4_flow();

	TAKES(flow, "src 10.9.0.1");
	TAKES(flow, "dst 10.9.1.0/24:443");
	LEAVES(flow, "dst 10.9.1.0/24:80");
	LEAVES(flow, "dst 10.9.1.0/25");
	TAKES(flow, "dst 10.9.1.129/31 or dst 10.9.1.128/32");
	LEAVES(flow, "dst ::/0");
	flow = a_flow();
	inet_pton(AF_INET6, "::ffff:10.9.1.128", flow.dst);
	TAKES(flow, "dst 10.9.1.128");
	TAKES(flow, "dst ::ffff:10.9.1.128");
}

static void filter__algorithms(void)
{
	struct flow flow = a_flow();

	TAKES(flow, "cc mswift");
	TAKES(flow, "cc = mswift");
	LEAVES(flow, "cc != mswift");
	LEAVES(flow, "cc swift");
	TAKES(flow, "cc != swift");
}

static void filter__expressions(void)
{
	struct flow flow = a_flow();

	TAKES(flow, "sport = 1 or dport = 443");
	LEAVES(flow, "sport = 1 and dport = 443");
	LEAVES(flow, "dport = 443 sport = 1");
	TAKES(flow, "not sport = 1");
	TAKES(flow, "!sport=1&&dport=443");
	TAKES(flow, "sport=1|dport=443");
	/* and before or, unless in parentheses */
	TAKES(flow, "dport=443 or sport=5000 and sport=1");
	LEAVES(flow, "(dport=443 or sport=5000) and sport=1");
	TAKES(flow, "state established ( sport = 1 or ( cc mswift and not dst 10.0.0.0/8 ) )");
	LEAVES(flow, "not ( not ( not dport = 443 ) )");
}

static void filter__knows_whether_it_asks_for_addresses(void)
{
	struct filter filter;

	EXPECT_EQ(parse(&filter, "dst *:443 or cc mswift and sport = 1"), 0);
	EXPECT_EQ(filter.hosts, false);
	EXPECT_EQ(parse(&filter, "not ( cc mswift or src 10.0.0.1 )"), 0);
	EXPECT_EQ(filter.hosts, true);
}

static void filter__refuses(void)
{
	refuses("state open", "filter: state 'open'; allowed: " GROUPS OPEN OTHERS);
	refuses("port = 1", "filter: 'port" NO_WORD);
	refuses("dst [fd09::a]80", "filter: '80' behind ']'; allowed: :PORT /BITS");
	refuses("dport = 65536", "filter: port '65536'; allowed: 0 to 65535");
	refuses("dport = :http", "filter: port 'http'; allowed: 0 to 65535");
	refuses("dport =", "filter: port ''; allowed: 0 to 65535");
	refuses("dst 10.9.0.1/33", "filter: /33; allowed: /0 to /32");
	refuses("dst fd09::/129", "filter: /129; allowed: /0 to /128");
	refuses("dst fd09::/x", "filter: /x; allowed: /0 to /128");
	refuses("dst 10.9.0.256",
		"filter: address '10.9.0.256'; allowed: IPv4 IPv6 * /BITS :PORT");
	refuses("dst 10.9.0.1:70000", "filter: port '70000'; allowed: 0 to 65535");
	refuses("dst > 10.9.0.1", "filter: addresses have no order; allowed: = !=");
	refuses("dst", "filter: an address is missing after src or dst");
	refuses("cc > x", "filter: algorithms have no order; allowed: = !=");
	refuses("cc prioplus_ledbat_",
		"filter: algorithm 'prioplus_ledbat_'; allowed: 1 to 15 characters");
	refuses("cc", "filter: algorithm ''; allowed: 1 to 15 characters");
	refuses("( dport = 1", "filter: ')' is missing before ''");
	refuses("dport = 1 )", "filter: ')' is too much");
	refuses("dport = 1 or", ENDS);
	refuses("not", ENDS);
}

static void filter__both_sides_of_its_limits(void)
{
	char text[4096] = "";
	struct filter filter;
	int i;

	for (i = 0; i < 16; i++)
		strcat(text, "not ");
	EXPECT_EQ(parse(&filter, strcat(text, "dport=1")), 0);
	memmove(text + 4, text, strlen(text) + 1);
	refuses(text, "filter: nested too deeply; allowed: 16 levels");

	/* n ports need n - 1 "or"s: 32 fit */
	snprintf(text, sizeof(text), "dport=1");
	for (i = 0; i < 31; i++)
		strcat(text, "|dport=1");
	EXPECT_EQ(parse(&filter, text), 0);
	EXPECT_EQ(filter.nodes, 63);
	refuses(strcat(text, "|dport=1"),
		"filter: too long; allowed: 64 words that compare or combine");

	memset(text, 'x', 64);
	text[63] = '\0';
	refuses(text, "filter: '" X63 NO_WORD);
	text[63] = 'x';
	text[64] = '\0';
	refuses(text,
		"filter: '" X40 "...' is too long; allowed: 63 characters");
}

/* Whatever is typed: an answer, in the end. */
static void filter__noise(void)
{
	static const char *const words[] = {
		"state", "exclude", "established", "dport", "=", ":1", "(", ")", "not", "or",
		"and", "dst", "10.0.0.1/8", "[", "]", ":", "/", "cc", "x", "!", "&", "|", "<=",
	};
	char text[4096];
	struct filter filter;
	struct flow flow = a_flow();
	u32 i, k;

	for (i = 0; i < 20000; i++) {
		text[0] = '\0';
		for (k = unit_below(40); k; k--) {
			strcat(text, words[unit_below(ARRAY_SIZE(words))]);
			strcat(text, unit_below(3) ? " " : "");
		}
		if (!parse(&filter, text))
			filter_match(&filter, &flow);
		else if (!why[0])
			unit_fail(__FILE__, __LINE__, "no reason: \"%s\"", text);
	}
}

static const struct unit_test tests[] = {
	UNIT_TEST(filter__states),
	UNIT_TEST(filter__ports),
	UNIT_TEST(filter__addresses),
	UNIT_TEST(filter__ipv4),
	UNIT_TEST(filter__algorithms),
	UNIT_TEST(filter__expressions),
	UNIT_TEST(filter__knows_whether_it_asks_for_addresses),
	UNIT_TEST(filter__refuses),
	UNIT_TEST(filter__both_sides_of_its_limits),
	UNIT_TEST(filter__noise),
};

UNIT_MAIN(tests)
