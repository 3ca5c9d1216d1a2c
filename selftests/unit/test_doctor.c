// SPDX-License-Identifier: GPL-2.0
/* Tests of tools/dccstat/doctor.c and what it judges by: paths.c, peer.c. */
#include <arpa/inet.h>

#include "../../tools/dccstat/doctor.h"
#include "unit.h"

/* A host on which all is well. */
static struct facts well(void)
{
	struct facts facts = {
		.installed = true, .release = "6.12.0", .loaded = true,
		.wanted = "mswift", .socket = "mswift", .spray = "oblivious",
		.net_spray = "off", .labels = 1, .ecn = 2, .tracing = true, .all = true,
		.paths = { .asked = 1, .whole = 8, .distinct = 4, .hops = 3 },
		.device = { { .name = "eth0", .mbps = 100000, .believed = true, .qdisc = "fq" } },
		.devices = 1,
	};

	return facts;
}

/* The answer to a question; which, from 0. */
static const struct finding *about(const struct facts *facts, const char *what, u32 which)
{
	static struct findings all;
	static const struct finding none = { .what = "" };
	u32 i;

	doctor_judge(facts, &all);
	for (i = 0; i < all.count; i++)
		if (!strcmp(all.finding[i].what, what) && !which--)
			return &all.finding[i];
	return &none;
}

static void expect(int line, const struct facts *facts, const char *what,
		   enum verdict verdict, const char *say, const char *mend)
{
	const struct finding *f = about(facts, what, 0);

	if (f->verdict != verdict || strcmp(f->say, say) || strcmp(f->mend, mend))
		unit_fail(__FILE__, line, "%s: verdict %d, \"%s\", \"%s\"", what, f->verdict,
			  f->say, f->mend);
}

#define EXPECT_SAYS(facts, what, verdict, say, mend) \
	expect(__LINE__, facts, what, verdict, say, mend)

static void doctor_judge__all_is_well(void)
{
	struct facts facts = well();
	struct findings all;
	u32 i;

	doctor_judge(&facts, &all);
	EXPECT_EQ(all.count, 11);
	for (i = 0; i < all.count; i++)
		if (all.finding[i].verdict == BAD || all.finding[i].mend[0])
			unit_fail(__FILE__, __LINE__, "%s: %s", all.finding[i].what,
				  all.finding[i].say);
}

static void doctor_judge__modules(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "modules", GOOD, "tcp_dcc is loaded", "");
	facts.loaded = false;
	EXPECT_SAYS(&facts, "modules", BAD, "tcp_dcc is not loaded",
		    "sudo modprobe -a tcp_mswift tcp_mnscc tcp_oscar tcp_prioplus tcp_ledbat");
	facts.installed = false;
	EXPECT_SAYS(&facts, "modules", BAD, "tcp_dcc is not installed for the kernel 6.12.0",
		    "in the modules' sources: make && sudo make install");
}

#define LOOK_THERE	"on the way, if Linux: sudo nft list ruleset; tc filter show dev DEVICE"
#define BY_DEFAULT	": the namespace's default (net.ipv4.tcp_congestion_control)"
#define SET_MSWIFT	"sudo sysctl -w net.ipv4.tcp_congestion_control=mswift"

static void doctor_judge__which_algorithm_and_why(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "algorithm", GOOD, "a socket gets mswift" BY_DEFAULT, "");
	snprintf(facts.socket, CC_TEXT, "cubic");
	EXPECT_SAYS(&facts, "algorithm", NOTE, "a socket gets cubic" BY_DEFAULT, SET_MSWIFT);
	EXPECT_TEXT(about(&facts, "algorithm", 1)->say,
		    "the default is mswift, but a socket has cubic");
	EXPECT_TEXT(about(&facts, "algorithm", 1)->mend, "sudo modprobe tcp_mswift");
	snprintf(facts.wanted, CC_TEXT, "lswift");
	EXPECT_TEXT(about(&facts, "algorithm", 1)->mend, "sudo modprobe tcp_mswift");
	snprintf(facts.wanted, CC_TEXT, "bbr");
	EXPECT_TEXT(about(&facts, "algorithm", 1)->mend, "sudo modprobe tcp_bbr");
	snprintf(facts.wanted, CC_TEXT, "cubic");
	EXPECT_TEXT(about(&facts, "algorithm", 1)->what, "");
	snprintf(facts.peer, sizeof(facts.peer), "fd09::2");
	snprintf(facts.route, CC_TEXT, "oscar");
	EXPECT_SAYS(&facts, "algorithm", GOOD,
		    "a connection to fd09::2 gets oscar: its route says so", "");
}

static void doctor_judge__line_rate(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "line-rate", GOOD, "eth0: 100000 Mbit/s", "");
	facts.device[0].believed = false;
	EXPECT_SAYS(&facts, "line-rate", NOTE,
		    "eth0: unknown; 100000 Mbit/s is made up by such a device, not believed",
		    "sudo sysctl -w net.dcc.mswift.line_rate_mbps=MBPS");
	facts.device[0].mbps = 0;
	EXPECT_SAYS(&facts, "line-rate", NOTE, "eth0: unknown, pacing follows the window",
		    "sudo sysctl -w net.dcc.mswift.line_rate_mbps=MBPS");
	facts.rate_knob = 1;
	EXPECT_SAYS(&facts, "line-rate", GOOD, "eth0: 1 Mbit/s, by the knob line_rate_mbps", "");
	facts.devices = 0;
	EXPECT_TEXT(about(&facts, "line-rate", 0)->what, "");
}

#define NOT_MEASURED	"; whether packets take several paths was not measured"

static void doctor_judge__spraying(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "spraying", GOOD, "oblivious, of flows of mswift", "");
	facts.paths = (struct paths) { 0 };	/* asked for is not measured */
	EXPECT_SAYS(&facts, "spraying", NOTE, "oblivious, of flows of mswift" NOT_MEASURED,
		    "sudo dccstat doctor HOST --paths");
	facts.told.ways = 2;
	EXPECT_SAYS(&facts, "spraying", GOOD, "oblivious, of flows of mswift", "");
	snprintf(facts.spray, CC_TEXT, "off");
	EXPECT_SAYS(&facts, "spraying", NOTE, "off: each flow keeps to one path",
		    "sudo sysctl -w net.dcc.mswift.spray=oblivious");
	facts = well();
	snprintf(facts.socket, CC_TEXT, "cubic");
	EXPECT_SAYS(&facts, "spraying", NOTE,
		    "oblivious, of flows of mswift, and this would be one of cubic", SET_MSWIFT);
	facts = well();
	snprintf(facts.spray, CC_TEXT, "off");
	snprintf(facts.net_spray, CC_TEXT, "oblivious");
	EXPECT_SAYS(&facts, "spraying", GOOD, "oblivious, of every flow (net.dcc.spray)", "");
}

static void doctor_judge__labels(void)
{
	static const struct {
		int labels;
		bool carried;
	} cases[] = { { 0, false }, { 1, true }, { 2, false }, { 3, true } };
	struct facts facts = well();
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		facts.labels = cases[i].labels;
		EXPECT_EQ(about(&facts, "labels", 0)->verdict == GOOD, cases[i].carried);
		EXPECT_EQ(about(&facts, "labels", 0)->verdict == BAD, !cases[i].carried);
		EXPECT_EQ(!*about(&facts, "labels", 0)->mend, cases[i].carried);
	}
	facts.labels = 0;
	EXPECT_TEXT(about(&facts, "labels", 0)->mend, "sudo sysctl -w net.ipv6.auto_flowlabels=1");
	facts.labels = -1;
	EXPECT_SAYS(&facts, "labels", BAD, "no IPv6 here: nothing can be sprayed",
		    "boot without ipv6.disable=1, and: sudo modprobe ipv6");
	snprintf(facts.spray, CC_TEXT, "off");	/* nobody misses them */
	EXPECT_EQ(about(&facts, "labels", 0)->verdict, NOTE);
	facts.labels = 0;
	EXPECT_EQ(about(&facts, "labels", 0)->verdict, NOTE);
}

static void doctor_judge__an_ipv4_peer(void)
{
	struct facts facts = well();

	facts.peer_ipv4 = true;
	snprintf(facts.peer, sizeof(facts.peer), "10.9.0.2");
	EXPECT_EQ(about(&facts, "labels", 1)->verdict, BAD);
	EXPECT_TEXT(about(&facts, "labels", 1)->say,
		    "10.9.0.2 is IPv4, which has no label: use its IPv6 address");
	EXPECT_TEXT(about(&facts, "labels", 1)->mend,
		    "dccstat doctor ADDRESS; there: ip -6 address show scope global");
}

/* A tunnel that hides flows makes one path of all labels. */
static void doctor_judge__one_flow(void)
{
	struct facts facts = well();

	facts.device[0].one_flow = true;
	EXPECT_EQ(about(&facts, "labels", 1)->verdict, BAD);
	snprintf(facts.spray, CC_TEXT, "off");
	EXPECT_EQ(about(&facts, "labels", 1)->verdict, NOTE);
	EXPECT_EQ(strcmp(about(&facts, "labels", 1)->say,
			 "eth0 is WireGuard: all its packets leave as one flow, by one path"), 0);
}

static void doctor_judge__ecn(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "ecn", NOTE,
		    "not asked for (net.ipv4.tcp_ecn=2); nothing here needs it", "");
	snprintf(facts.spray, CC_TEXT, "reps");
	EXPECT_SAYS(&facts, "ecn", BAD,
		    "not asked for, and reps needs it: flows take auto instead",
		    "sudo sysctl -w net.ipv4.tcp_ecn=1");
	snprintf(facts.spray, CC_TEXT, "auto");
	EXPECT_SAYS(&facts, "ecn", NOTE, "not asked for: auto goes by delay and losses alone",
		    "sudo sysctl -w net.ipv4.tcp_ecn=1");
	snprintf(facts.spray, CC_TEXT, "reps");
	facts.ecn = 1;
	EXPECT_SAYS(&facts, "ecn", GOOD, "asked for (net.ipv4.tcp_ecn=1)", "");
	facts.ecn = 0;
	snprintf(facts.socket, CC_TEXT, "mnscc");
	EXPECT_SAYS(&facts, "ecn", GOOD, "mnscc asks for it by itself", "");
}

static void doctor_judge__sacks(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "sacks", GOOD, "sent at once when this host receives", "");
	facts.sack_ns = 10000;
	EXPECT_EQ(about(&facts, "sacks", 0)->verdict, GOOD);
	facts.sack_ns = 10001;
	EXPECT_EQ(about(&facts, "sacks", 0)->verdict, NOTE);
	facts.sack_ns = 100000;
	EXPECT_SAYS(&facts, "sacks", NOTE,
		    "held back for up to 100 us when this host receives",
		    "sudo sysctl -w net.ipv4.tcp_comp_sack_slack_ns=0");
	facts.sack_ns = 10000;
	facts.sack_percent = 5;
	EXPECT_EQ(about(&facts, "sacks", 0)->verdict, GOOD);
	facts.sack_percent = 33;
	EXPECT_SAYS(&facts, "sacks", NOTE, "held back for 33 % of an RTT when this host receives",
		    "sudo sysctl -w net.ipv4.tcp_comp_sack_rtt_percent=5");
	facts.sack_ns = -1;
	EXPECT_TEXT(about(&facts, "sacks", 0)->what, "");
}

#define GRO_NONE	"no packet of a sprayed connection came in 300 ms"
#define GRO_CAME	"in 300 ms TCP got 1234 packets of 5 sprayed connections, "
#define GRO_ONE_BEFORE	" of them would have joined one before"
#define GRO_UNSEEN	" of others were not looked at"

/* By what was heard while the module did not merge. */
static void doctor_judge__gro_measured(void)
{
	struct facts facts = well();
	struct gro_seen *s = &facts.gro.seen;

	EXPECT_SAYS(&facts, "gro", GOOD, GRO_NONE, "");
	s->connections = 5;
	s->packets = 1234;
	EXPECT_SAYS(&facts, "gro", GOOD, GRO_CAME "none" GRO_ONE_BEFORE, "");
	s->joined = 1100;
	EXPECT_SAYS(&facts, "gro", NOTE, GRO_CAME "1100" GRO_ONE_BEFORE,
		    "in the modules' sources: make && sudo make install");
	facts.gro.module = GRO_NOT_LOADED;
	EXPECT_SAYS(&facts, "gro", NOTE, GRO_CAME "1100" GRO_ONE_BEFORE,
		    "sudo modprobe dcc_offload gro=1");
	facts.gro.module = GRO_OFF;
	EXPECT_SAYS(&facts, "gro", NOTE, GRO_CAME "1100" GRO_ONE_BEFORE,
		    "echo 1 | sudo tee /sys/module/dcc_offload/parameters/gro");
	/* where GRO is off, the module has nothing to do */
	snprintf(facts.gro.off, sizeof(facts.gro.off), "eth1");
	EXPECT_SAYS(&facts, "gro", NOTE, GRO_CAME "1100" GRO_ONE_BEFORE "; GRO of eth1 is off",
		    "sudo ethtool -K eth1 gro on");
	s->joined = 0;
	EXPECT_SAYS(&facts, "gro", GOOD, GRO_CAME "none" GRO_ONE_BEFORE "; GRO of eth1 is off",
		    "");
}

/* No word of praise for what nobody looked at. */
static void doctor_judge__gro_unseen(void)
{
	struct facts facts = well();

	facts.gro.seen.unseen = 17;
	EXPECT_SAYS(&facts, "gro", NOTE, GRO_NONE "; 17" GRO_UNSEEN, "");
	/* the longest text has room */
	facts.gro.seen = (struct gro_seen) {
		GRO_CONNECTIONS, 999999999, 999999998, 999999999,
	};
	snprintf(facts.gro.off, sizeof(facts.gro.off), "a-long-name-15c");
	EXPECT_SAYS(&facts, "gro", NOTE,
		    "in 300 ms TCP got 999999999 packets of 1024 sprayed connections, 999999998"
		    GRO_ONE_BEFORE "; GRO of a-long-name-15c is off; 999999999" GRO_UNSEEN,
		    "sudo ethtool -K a-long-name-15c gro on");
}

static void doctor_judge__gro_not_measured(void)
{
	struct facts facts = well();

	facts.gro.error = EPERM;
	EXPECT_SAYS(&facts, "gro", NOTE,
		    "not measured, what dcc_offload would merge: it takes CAP_NET_RAW",
		    "sudo dccstat doctor");
	facts.gro.error = ENOMEM;
	EXPECT_SAYS(&facts, "gro", NOTE,
		    "not measured, what dcc_offload would merge: Cannot allocate memory", "");
}

static void doctor_judge__gro_merges(void)
{
	struct facts facts = well();

	facts.gro = (struct gro) {
		.module = GRO_ON, .joined = 30000000000ULL, .runs = 20, .foreign = 1,
	};
	EXPECT_SAYS(&facts, "gro", GOOD,
		    "dcc_offload merges: 30000000000 packets joined a run, 20 began one, 1 foreign, since loading",
		    "");
}

static void doctor_judge__queues(void)
{
	struct facts facts = well();

	EXPECT_SAYS(&facts, "queue", GOOD, "eth0 has fq", "");
	snprintf(facts.device[0].qdisc, CC_TEXT, "fq_codel");
	EXPECT_SAYS(&facts, "queue", BAD, "eth0 has fq_codel, which reorders sprayed flows",
		    "sudo tc qdisc replace dev eth0 root fq");
	snprintf(facts.spray, CC_TEXT, "off");
	EXPECT_SAYS(&facts, "queue", NOTE,
		    "eth0 has fq_codel, which would reorder sprayed flows", "");
	facts.device[0].qdisc[0] = '\0';
	EXPECT_TEXT(about(&facts, "queue", 0)->what, "");
}

static void doctor_judge__holders(void)
{
	struct facts facts = well();

	EXPECT_TEXT(about(&facts, "holders", 0)->what, "");
	facts.defaults[2] = 1;
	EXPECT_SAYS(&facts, "holders", GOOD, "mswift: 0 sockets, default of 1 namespaces", "");
	facts.sockets[8] = 3;
	EXPECT_TEXT(about(&facts, "holders", 1)->say,
		    "ledbat: 3 sockets, default of 0 namespaces");
	EXPECT_TEXT(about(&facts, "holders", 1)->mend,
		    "sudo dccstat --all --once state all cc ledbat");
	facts.all = false;
	EXPECT_TEXT(about(&facts, "holders", 2)->mend, "sudo dccstat doctor");
}

static void doctor_judge__tracing(void)
{
	struct facts facts = well();

	facts.tracing = false;
	EXPECT_SAYS(&facts, "tracing", NOTE,
		    "targets and rules cannot be seen: it takes root, and a mount",
		    "sudo mount -t tracefs nodev /sys/kernel/tracing");
}

static void doctor_judge__more_devices(void)
{
	struct facts facts = well();

	facts.devices_more = 3;
	EXPECT_SAYS(&facts, "devices", NOTE,
		    "3 more devices are up, and were not looked at", "dccstat doctor HOST");
}

/* All that can be said of as many devices as there may be. */
static void doctor_judge__most_findings(void)
{
	struct facts facts = well();
	struct findings all;
	u32 i;

	facts.devices = DEVICES_MOST;
	facts.devices_more = 1;
	facts.loaded = false;
	facts.peer_ipv4 = true;
	facts.labels = 0;
	facts.all = false;
	snprintf(facts.wanted, CC_TEXT, "bbr");
	for (i = 0; i < DEVICES_MOST; i++)
		facts.device[i] = (struct device) { .name = "eth", .mbps = 1, .qdisc = "fq_codel" };
	for (i = 0; i < HOLDERS; i++)
		facts.sockets[i] = UINT32_MAX;
	doctor_judge(&facts, &all);
	EXPECT_BETWEEN(all.count, 2 * DEVICES_MOST + HOLDERS + 8, FINDINGS_MOST - 1);
	EXPECT_TEXT(all.finding[all.count - 1].what, "tracing");
}

/* A label's probes: the last byte of who answered at each hop; 0: nobody. */
static struct paths_try a_try(u8 hops, u8 one, u8 two, u8 three)
{
	const u8 who[] = { one, two, three };
	struct paths_try t = { .hops = hops };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(who); i++) {
		t.heard[i] = who[i];
		t.hop[i].s6_addr[15] = who[i];
	}
	return t;
}

static void expect_paths(int line, const struct paths_try *tries, u32 count, u32 whole,
			 u32 distinct, u32 hops)
{
	struct paths p;

	paths_count(tries, count, &p);
	if (p.whole != whole || p.distinct != distinct || p.hops != hops)
		unit_fail(__FILE__, line, "whole %u, distinct %u, hops %u", p.whole,
			  p.distinct, p.hops);
}

static void paths_count__distinct_ways(void)
{
	const struct paths_try tries[] = {
		a_try(3, 1, 2, 9), a_try(3, 1, 3, 9), a_try(3, 1, 2, 9), a_try(2, 1, 2, 0),
		a_try(2, 1, 2, 0),
	};
	const struct paths_try shorter[] = { a_try(2, 1, 2, 0), a_try(3, 1, 2, 9) };

	expect_paths(__LINE__, tries, 0, 0, 0, 0);
	expect_paths(__LINE__, tries, 1, 1, 1, 3);
	expect_paths(__LINE__, tries, 2, 2, 2, 3);
	expect_paths(__LINE__, tries, 3, 3, 2, 3);
	expect_paths(__LINE__, tries, 5, 5, 3, 3);
	expect_paths(__LINE__, shorter, 2, 2, 2, 3);
}

/* A hop that kept silent may be any; a host that did not answer, too. */
static void paths_count__silent_hops(void)
{
	const struct paths_try tries[] = {
		a_try(3, 1, 0, 9), a_try(0, 1, 2, 9), a_try(3, 1, 2, 9), a_try(3, 1, 0, 9),
	};
	struct paths_try other = a_try(3, 1, 0, 9);
	struct paths_try last[2];

	expect_paths(__LINE__, tries, 4, 1, 1, 3);
	/* what is not whole is nobody's double, whatever is in its place */
	other.hop[1].s6_addr[15] = 2;
	last[0] = other;
	last[1] = a_try(3, 1, 2, 9);
	expect_paths(__LINE__, last, 2, 1, 1, 3);
}

static void doctor_judge__paths(void)
{
	struct facts facts = well();

	facts.paths = (struct paths) { 0 };
	EXPECT_TEXT(about(&facts, "paths", 0)->what, "");
	snprintf(facts.peer, sizeof(facts.peer), "b");
	facts.paths.asked = true;
	EXPECT_SAYS(&facts, "paths", NOTE, "not known: not every hop to b answers",
		    "on Linux routers: sudo sysctl -w net.ipv6.icmp.ratemask=0-1,4-127");
	facts.paths = (struct paths) { true, 16, 1, 1 };
	EXPECT_SAYS(&facts, "paths", GOOD, "b is the next hop: there is nothing to spray over",
		    "");
	facts.paths = (struct paths) { true, 16, 1, 2 };
	EXPECT_EQ(about(&facts, "paths", 0)->verdict, BAD);
	EXPECT_TEXT(about(&facts, "paths", 0)->say,
		    "16 labels took one way to b: there is no other, or none hashes the label");
	EXPECT_TEXT(about(&facts, "paths", 0)->mend,
		    "Linux routers: fib_multipath_hash_policy=0, no nft flowtable, no bond by layer3+4");
	facts.paths = (struct paths) { true, 15, 2, 3 };
	EXPECT_SAYS(&facts, "paths", GOOD, "15 labels took 2 ways to b, of 3 hops", "");
	facts.paths.distinct = 1;
	snprintf(facts.spray, CC_TEXT, "off");
	EXPECT_EQ(about(&facts, "paths", 0)->verdict, NOTE);
}

/* An answer to a probe, with a mark and a label of its own. */
static struct peer_message answer(u32 number, u32 mark, u32 label, u32 hops)
{
	struct peer_message m = {
		.magic = PEER_MAGIC, .number = htonl(number), .flowinfo = htonl(mark << 20 | label),
		.hops = htonl(hops), .ecn = htonl(2), .sack_ns = htonl(7), .rehash = htonl(1),
		.rehashed = htonl(9), .gro = htonl(1), .cc = "cubic", .spray = "off",
	};

	return m;
}

static void peer_take__marks_labels_hops(void)
{
	struct peer_try tries[PATHS_LABELS] = { 0 };
	struct peer peer = { 0 };
	struct peer_message m;
	u32 round;

	for (round = 0; round < PEER_MARKS; round++) {
		/* the mark of CE is gone, and of the class more than ECN is set */
		u32 mark = peer_mark(round) == MARK_CE ? 0x50 : 0x50 | peer_mark(round);

		m = answer(round * PATHS_LABELS + 2, mark, paths_label(2), PEER_HOPS - 2);
		EXPECT_EQ(peer_take(&peer, tries, &m, 500 - round), true);
	}
	EXPECT_EQ(peer.answers, PEER_MARKS);
	for (round = 0; round < PEER_MARKS; round++) {
		EXPECT_EQ(peer.sent[round], 1);
		EXPECT_EQ(peer.kept[round], round != MARK_CE);
	}
	EXPECT_EQ(tries[2].hops, 3);
	EXPECT_EQ(tries[2].relabelled, false);
	EXPECT_EQ(tries[2].delay[0], 497);
	EXPECT_EQ(tries[2].delay[1], 0);
	m = answer(PEER_MARKS * PATHS_LABELS + 2, 0, paths_label(3), PEER_HOPS);
	EXPECT_EQ(peer_take(&peer, tries, &m, 600), true);
	EXPECT_EQ(tries[2].relabelled, true);
	EXPECT_EQ(tries[2].delay[1], 600);
	EXPECT_EQ(peer.ecn, 2);
	EXPECT_EQ(peer.sack_ns, 7);
	EXPECT_EQ(peer.rehash, 1);
	EXPECT_EQ(peer.rehashed, 9);
	EXPECT_EQ(peer.gro, true);
	EXPECT_TEXT(peer.cc, "cubic");
	EXPECT_TEXT(peer.spray, "off");
}

static void peer_take__what_is_no_answer(void)
{
	struct peer_try tries[PATHS_LABELS] = { 0 };
	struct peer peer = { 0 };
	struct peer_message m = answer(PEER_ROUNDS * PATHS_LABELS, 0, 0, PEER_HOPS);

	EXPECT_EQ(peer_take(&peer, tries, &m, 1), false);
	m = answer(1, 0, 0, 0);
	EXPECT_EQ(peer_take(&peer, tries, &m, 1), false);
	m = answer(1, 0, 0, PEER_HOPS + 1);
	EXPECT_EQ(peer_take(&peer, tries, &m, 1), false);
	m = answer(1, 0, 0, PEER_HOPS);
	m.magic[7] = '2';
	EXPECT_EQ(peer_take(&peer, tries, &m, 1), false);
	EXPECT_EQ(peer.answers, 0);
	m = answer(PEER_ROUNDS * PATHS_LABELS - 1, 0, 0, PEER_HOPS);
	memset(m.cc, 'x', sizeof(m.cc));	/* without an end */
	EXPECT_EQ(peer_take(&peer, tries, &m, 1), true);
	EXPECT_EQ(strlen(peer.cc), CC_TEXT - 1);
	memcpy(m.cc, "\033[2J\xff~ x", 9);	/* would clear our terminal */
	EXPECT_EQ(peer_take(&peer, tries, &m, 1), true);
	EXPECT_TEXT(peer.cc, "?[2J?~ x");
}

static void peer_count__ways_by_delay(void)
{
	struct peer_try tries[] = {
		{ { 1000, 1010 }, 3, false }, { { 1030, 1030 }, 3, false },
		{ { 1051, 1060 }, 3, false },
		{ { 0, 900 }, 4, true }, { { 0, 0 }, 0, false },
	};
	struct peer peer = { 0 };

	/* noise 10: 30 apart are two ways, 20 apart may be one; half an answer is none */
	peer_count(tries, ARRAY_SIZE(tries), &peer);
	EXPECT_EQ(peer.noise_ns, 10);
	EXPECT_EQ(peer.ways, 3);
	EXPECT_EQ(peer.apart_ns, 51);
	EXPECT_EQ(peer.lengths, 2);
	EXPECT_EQ(peer.relabelled, 1);
	tries[2].delay[0] = 1050;
	peer_count(tries, ARRAY_SIZE(tries), &peer);
	EXPECT_EQ(peer.ways, 2);
	tries[0].delay[1] = 1030;
	peer_count(tries, ARRAY_SIZE(tries), &peer);
	EXPECT_EQ(peer.ways, 1);
	peer_count(tries, 0, &peer);
	EXPECT_EQ(peer.ways, 0);
	EXPECT_EQ(peer.lengths, 0);
}

/* A host that was asked another, with which all is well. */
static struct facts well_told(void)
{
	struct facts facts = well();

	snprintf(facts.peer, sizeof(facts.peer), "b");
	facts.told = (struct peer) {
		.asked = true, .answers = 4, .sent = { 1, 1, 1, 1 }, .kept = { 1, 1, 1, 1 },
		.ways = 2, .apart_ns = 50, .noise_ns = 5, .lengths = 1, .ecn = 2,
		.gro = true, .cc = "nscc", .spray = "off",
		.echo = { .agreed = 2, .marked = 2, .heard = 2, .packets = 18, .echoed = 3 },
	};
	return facts;
}

#define SET_TO_EACH	"b takes ECN, and is set to echo each mark"
#define A_ROUND_TRIP	"b echoes a mark for a round trip"
#define MERGES	"b merges packets of one label (GRO), and none of different labels"

static void doctor_judge__told(void)
{
	struct facts facts = well_told();

	EXPECT_TEXT(about(&facts, "peer", 0)->what, "");
	EXPECT_TEXT(about(&facts, "labels", 1)->say, "they come to b as they were sent");
	EXPECT_SAYS(&facts, "delays", GOOD,
		    "at least 2 ways to b: by delay 2, up to 50 ns apart, by hops 1", "");
	EXPECT_SAYS(&facts, "marks", GOOD, "ECT and marks come to b as they were sent", "");
	EXPECT_SAYS(&facts, "echo", GOOD,
		    "b echoes each mark: 2 marks, echoes for 3 of 18 packets (its sockets get nscc)",
		    "");
	EXPECT_SAYS(&facts, "merging", NOTE, MERGES, "");
	EXPECT_SAYS(&facts, "rehashing", GOOD, "b keeps to its way when data comes twice", "");
	EXPECT_TEXT(about(&facts, "sacks", 1)->what, "");
	facts.told.echo.marked = 0;
	facts.told.echo.heard = 0;
	EXPECT_SAYS(&facts, "echo", GOOD, SET_TO_EACH
		    " (its sockets get nscc); not tried: no packet could be marked", "");
	facts.told.asked = false;
	EXPECT_TEXT(about(&facts, "echo", 0)->what, "");
	facts.told = (struct peer) { .asked = true };
	EXPECT_SAYS(&facts, "peer", BAD, "nobody answers at b", "there: dccstat answer");
	EXPECT_TEXT(about(&facts, "echo", 0)->what, "");
}

static void doctor_judge__told_what_is_wrong(void)
{
	struct facts facts = well_told();
	struct peer *p = &facts.told;

	p->relabelled = 3;
	EXPECT_EQ(about(&facts, "labels", 1)->verdict, BAD);
	EXPECT_TEXT(about(&facts, "labels", 1)->mend, LOOK_THERE);
	p->ways = 1;
	EXPECT_SAYS(&facts, "delays", NOTE,
		    "no ways to b are told apart: one, or all alike within 10 ns", "");
	p->kept[MARK_CE] = 0;
	EXPECT_EQ(about(&facts, "marks", 0)->verdict, NOTE);	/* oblivious hears of none */
	snprintf(facts.spray, CC_TEXT, "reps");
	EXPECT_SAYS(&facts, "marks", BAD,
		    "1 of 1 packets with a mark came to b without: the way takes it off",
		    LOOK_THERE);
	p->kept[2] = 0;
	EXPECT_EQ(!strstr(about(&facts, "marks", 0)->say, "with ECT came"), false);
	p->ecn = 0;
	EXPECT_SAYS(&facts, "echo", BAD, "b refuses ECN (net.ipv4.tcp_ecn=0)",
		    "there: sudo sysctl -w net.ipv4.tcp_ecn=2");
	snprintf(facts.spray, CC_TEXT, "off");
	EXPECT_EQ(about(&facts, "echo", 0)->verdict, NOTE);
	snprintf(facts.socket, CC_TEXT, "mnscc");
	EXPECT_EQ(about(&facts, "echo", 0)->verdict, BAD);
	p->gro = false;
	EXPECT_TEXT(about(&facts, "merging", 0)->say,
		    "b merges no packets (GRO is off, or not its device's)");
	p->rehash = 1;
	p->rehashed = 5;
	EXPECT_SAYS(&facts, "rehashing", NOTE,
		    "b sends ACKs another way when data comes twice (5 times so far)",
		    "there: sudo sysctl -w net.core.txrehash=0");
	p->sack_ns = 100000;
	EXPECT_TEXT(about(&facts, "sacks", 1)->say, "b holds them back for up to 100 us");
}

/* What marked packets came to. */
static void doctor_judge__tried_echo(void)
{
	struct facts facts = well_told();
	struct echo *e = &facts.told.echo;

	e->echoed = 9;		/* just half of them */
	EXPECT_EQ(about(&facts, "echo", 0)->verdict, GOOD);
	e->echoed = 10;
	EXPECT_SAYS(&facts, "echo", NOTE,
		    A_ROUND_TRIP ": 2 marks, echoes for 10 of 18 packets (its sockets get nscc)",
		    "");
	snprintf(facts.told.cc, CC_TEXT, "cubic");
	EXPECT_TEXT(about(&facts, "echo", 0)->mend,
		    "there: sudo sysctl -w net.ipv4.tcp_congestion_control=mswift");
	e->heard = 1;
	EXPECT_EQ(about(&facts, "echo", 0)->verdict, NOTE);
	snprintf(facts.spray, CC_TEXT, "reps");
	EXPECT_EQ(about(&facts, "echo", 0)->verdict, BAD);
	EXPECT_TEXT(about(&facts, "echo", 0)->say,
		    "1 of 2 marks that were sent to b were not echoed");
	*e = (struct echo) { 0 };
	EXPECT_EQ(about(&facts, "echo", 0)->verdict, BAD);
	EXPECT_TEXT(about(&facts, "echo", 0)->say,
		    "b takes ECN, but no connection had it: something on the way refuses");
	EXPECT_TEXT(about(&facts, "echo", 0)->mend, LOOK_THERE);
}

/* Who is set to echo each mark, and who for a round trip. */
static void doctor_judge__told_echo(void)
{
	static const struct {
		const char *cc;
		const char *spray;
		bool each;
	} cases[] = {
		{ "nscc", "off", true }, { "dctcp", "", true }, { "mswift", "reps", true },
		{ "mswift", "oblivious", false }, { "mswift", "off", false },
		{ "cubic", "reps", false },
	};
	struct facts facts = well_told();
	u32 i;

	snprintf(facts.told.echo.why, ECHO_TEXT, "nobody dared");
	EXPECT_SAYS(&facts, "echo", GOOD,
		    SET_TO_EACH " (its sockets get nscc); not tried: nobody dared", "");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(facts.told.cc, CC_TEXT, "%s", cases[i].cc);
		snprintf(facts.told.spray, CC_TEXT, "%s", cases[i].spray);
		EXPECT_EQ(about(&facts, "echo", 0)->verdict == GOOD, cases[i].each);
	}
}

/* ethtool's halves are 16 bits each; under sanitizers, an unknown speed as well. */
static void mbps_of__halves(void)
{
	EXPECT_EQ(mbps_of(0, 10000), 10000);
	EXPECT_EQ(mbps_of(1, 0x86a0), 100000);
	EXPECT_EQ(mbps_of(0x8000, 0), 0x80000000U);
	EXPECT_EQ(mbps_of(0xffff, 0xffff), 0);
}

static void algorithm_index__ours(void)
{
	EXPECT_EQ(algorithm_index("swift"), 0);
	EXPECT_EQ(algorithm_index("ledbat"), HOLDERS - 1);
	EXPECT_EQ(algorithm_index("cubic"), -1);
	EXPECT_EQ(algorithm_index(""), -1);
}

static const struct unit_test tests[] = {
	UNIT_TEST(doctor_judge__all_is_well),
	UNIT_TEST(doctor_judge__modules),
	UNIT_TEST(doctor_judge__which_algorithm_and_why),
	UNIT_TEST(doctor_judge__line_rate),
	UNIT_TEST(doctor_judge__spraying),
	UNIT_TEST(doctor_judge__labels),
	UNIT_TEST(doctor_judge__an_ipv4_peer),
	UNIT_TEST(doctor_judge__one_flow),
	UNIT_TEST(doctor_judge__ecn),
	UNIT_TEST(doctor_judge__sacks),
	UNIT_TEST(doctor_judge__gro_measured),
	UNIT_TEST(doctor_judge__gro_unseen),
	UNIT_TEST(doctor_judge__gro_not_measured),
	UNIT_TEST(doctor_judge__gro_merges),
	UNIT_TEST(doctor_judge__queues),
	UNIT_TEST(doctor_judge__holders),
	UNIT_TEST(doctor_judge__tracing),
	UNIT_TEST(doctor_judge__more_devices),
	UNIT_TEST(doctor_judge__most_findings),
	UNIT_TEST(paths_count__distinct_ways),
	UNIT_TEST(paths_count__silent_hops),
	UNIT_TEST(doctor_judge__paths),
	UNIT_TEST(peer_take__marks_labels_hops),
	UNIT_TEST(peer_take__what_is_no_answer),
	UNIT_TEST(peer_count__ways_by_delay),
	UNIT_TEST(doctor_judge__told),
	UNIT_TEST(doctor_judge__told_what_is_wrong),
	UNIT_TEST(doctor_judge__tried_echo),
	UNIT_TEST(doctor_judge__told_echo),
	UNIT_TEST(mbps_of__halves),
	UNIT_TEST(algorithm_index__ours),
};

UNIT_MAIN(tests)
