// SPDX-License-Identifier: GPL-2.0
/* What facts mean; see doctor.h. */
#include <stdarg.h>
#include <stdio.h>

#include "doctor.h"

/* values of net.ipv6.auto_flowlabels */
#define LABELS_OFF		0
#define LABELS_ASKED_FOR	2	/* only sockets that ask have one */

/* a tenth of what Linux 6.12 comes with; what it had before 7.x had a third */
#define SACK_LITTLE_NS		10000
#define SACK_LITTLE_PERCENT	5

#define INSTALL		"in the modules' sources: make && sudo make install"
#define SET_DEFAULT	"sudo sysctl -w net.ipv4.tcp_congestion_control=%s"
#define LOOK_AT_ROUTERS	"Linux routers: fib_multipath_hash_policy=0, no nft flowtable, no bond by layer3+4"
/* no host can mend what a switch does: what shows it, where that is Linux */
#define LOOK_ON_THE_WAY	"on the way, if Linux: sudo nft list ruleset; tc filter show dev DEVICE"

const char *const our_algorithms[HOLDERS] = {
	"swift", "lswift", "mswift", "nscc", "mnscc", "oscar", "prioplus",
	"prioplus_ledbat", "ledbat",
};

/* Which of ours it is, -1: none. */
int algorithm_index(const char *name)
{
	int i;

	for (i = 0; i < HOLDERS; i++)
		if (!strcmp(our_algorithms[i], name))
			return i;
	return -1;
}

/* What has to be loaded for an algorithm of ours; others are asked for by name. */
static const char *module_of(const char *name)
{
	static const char *const module[HOLDERS] = {
		"tcp_mswift", "tcp_mswift", "tcp_mswift", "tcp_mnscc", "tcp_mnscc",
		"tcp_oscar", "tcp_prioplus", "tcp_prioplus", "tcp_ledbat",
	};
	static char text[CC_TEXT + 4];
	int index = algorithm_index(name);

	snprintf(text, sizeof(text), "tcp_%s", name);
	return index < 0 ? text : module[index];
}

/* An answer more; what mends it follows by mend(). */
__attribute__((format(printf, 4, 5)))
static void say(struct findings *all, enum verdict verdict, const char *what,
		const char *format, ...)
{
	struct finding *f = &all->finding[min_t(u32, all->count, FINDINGS_MOST - 1)];
	va_list args;

	all->count = min_t(u32, all->count + 1, FINDINGS_MOST);
	memset(f, 0, sizeof(*f));
	f->verdict = verdict;
	f->what = what;
	va_start(args, format);
	vsnprintf(f->say, sizeof(f->say), format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3)))
static void mend(struct findings *all, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(all->finding[all->count - 1].mend, SAY_TEXT, format, args);
	va_end(args);
}

static void judge_module(const struct facts *facts, struct findings *all)
{
	if (facts->loaded) {
		say(all, GOOD, "modules", "tcp_dcc is loaded");
		return;
	}
	if (!facts->installed) {
		say(all, BAD, "modules", "tcp_dcc is not installed for the kernel %s",
		    facts->release);
		mend(all, INSTALL);
		return;
	}
	say(all, BAD, "modules", "tcp_dcc is not loaded");
	mend(all, "sudo modprobe -a tcp_mswift tcp_mnscc tcp_oscar tcp_prioplus tcp_ledbat");
}

/* What a connection would have: the route's word is above the namespace's. */
static const char *gets(const struct facts *facts)
{
	return *facts->route ? facts->route : facts->socket;
}

static void judge_algorithm(const struct facts *facts, struct findings *all)
{
	const char *cc = gets(facts);
	bool ours = algorithm_index(cc) >= 0;

	if (*facts->route)
		say(all, ours ? GOOD : NOTE, "algorithm",
		    "a connection to %s gets %s: its route says so", facts->peer, cc);
	else
		say(all, ours ? GOOD : NOTE, "algorithm",
		    "a socket gets %s: the namespace's default (net.ipv4.tcp_congestion_control)",
		    cc);
	if (!ours)
		mend(all, SET_DEFAULT, "mswift");
	if (strcmp(facts->wanted, facts->socket)) {
		say(all, BAD, "algorithm", "the default is %s, but a socket has %s",
		    facts->wanted, facts->socket);
		mend(all, "sudo modprobe %s", module_of(facts->wanted));
	}
}

/* Whose knobs the commands name. */
static const char *knobs_of(const struct facts *facts)
{
	return algorithm_index(gets(facts)) >= 0 ? gets(facts) : "mswift";
}

static void judge_rate(const struct facts *facts, struct findings *all)
{
	u32 i;

	for (i = 0; i < facts->devices; i++) {
		const struct device *d = &facts->device[i];

		if (facts->rate_knob)
			say(all, GOOD, "line-rate", "%s: %u Mbit/s, by the knob line_rate_mbps",
			    d->name, facts->rate_knob);
		else if (d->mbps && d->believed)
			say(all, GOOD, "line-rate", "%s: %u Mbit/s", d->name, d->mbps);
		else if (d->mbps)
			say(all, NOTE, "line-rate",
			    "%s: unknown; %u Mbit/s is made up by such a device, not believed",
			    d->name, d->mbps);
		else
			say(all, NOTE, "line-rate", "%s: unknown, pacing follows the window",
			    d->name);
		if (!facts->rate_knob && !(d->mbps && d->believed))
			mend(all, "sudo sysctl -w net.dcc.%s.line_rate_mbps=MBPS",
			     knobs_of(facts));
	}
	if (facts->devices_more) {
		say(all, NOTE, "devices", "%u more devices are up, and were not looked at",
		    facts->devices_more);
		mend(all, "dccstat doctor HOST");
	}
}

static bool is_off(const char *spray)
{
	return !*spray || !strcmp(spray, "off");
}

/* Asked for: whether packets do take several paths, measurements tell (judge_paths()). */
static void say_sprays(const struct facts *facts, const char *how, const char *whose,
		       struct findings *all)
{
	bool measured = facts->paths.distinct > 1 || facts->told.ways > 1;

	say(all, measured ? GOOD : NOTE, "spraying", "%s, of %s%s", how, whose,
	    measured ? "" : "; whether packets take several paths was not measured");
	if (!measured)
		mend(all, "sudo dccstat doctor %s --paths", *facts->peer ? facts->peer : "HOST");
}

static void judge_spraying(const struct facts *facts, struct findings *all)
{
	const char *cc = knobs_of(facts);
	char whose[CC_TEXT + 10];

	snprintf(whose, sizeof(whose), "flows of %s", cc);
	if (!is_off(facts->net_spray)) {
		say_sprays(facts, facts->net_spray, "every flow (net.dcc.spray)", all);
	} else if (is_off(facts->spray)) {
		say(all, NOTE, "spraying", "off: each flow keeps to one path");
		mend(all, "sudo sysctl -w net.dcc.%s.spray=oblivious", cc);
	} else if (strcmp(cc, gets(facts))) {
		say(all, NOTE, "spraying", "%s, of flows of %s, and this would be one of %s",
		    facts->spray, cc, gets(facts));
		mend(all, SET_DEFAULT, cc);
	} else {
		say_sprays(facts, facts->spray, whose, all);
	}
}

static bool sprays(const struct facts *facts)
{
	return !is_off(facts->net_spray) || !is_off(facts->spray);
}

static void judge_labels(const struct facts *facts, struct findings *all)
{
	enum verdict if_off = sprays(facts) ? BAD : NOTE;

	if (facts->labels < 0) {
		say(all, if_off, "labels", "no IPv6 here: nothing can be sprayed");
		mend(all, "boot without ipv6.disable=1, and: sudo modprobe ipv6");
		return;
	}
	if (facts->labels == LABELS_OFF || facts->labels == LABELS_ASKED_FOR) {
		say(all, if_off, "labels", "packets carry no label (net.ipv6.auto_flowlabels=%d)",
		    facts->labels);
		mend(all, "sudo sysctl -w net.ipv6.auto_flowlabels=1");
	} else {
		say(all, GOOD, "labels", "packets carry a label (net.ipv6.auto_flowlabels=%d)",
		    facts->labels);
	}
	if (facts->peer_ipv4) {
		say(all, if_off, "labels", "%s is IPv4, which has no label: use its IPv6 address",
		    facts->peer);
		mend(all, "dccstat doctor ADDRESS; there: ip -6 address show scope global");
	}
}

/* A device below which no label is seen. */
static void judge_devices(const struct facts *facts, struct findings *all)
{
	u32 i;

	for (i = 0; i < facts->devices; i++) {
		const struct device *d = &facts->device[i];

		if (!d->one_flow)
			continue;
		say(all, sprays(facts) ? BAD : NOTE, "labels",
		    "%s is WireGuard: all its packets leave as one flow, by one path", d->name);
		mend(all, "dccstat doctor ADDRESS, one that is not inside the tunnel");
	}
}

/* Probes that differ in their label alone: did they go different ways? */
static void judge_paths(const struct facts *facts, struct findings *all)
{
	const struct paths *p = &facts->paths;

	if (!p->asked)
		return;
	if (!p->whole) {
		say(all, NOTE, "paths", "not known: not every hop to %s answers", facts->peer);
		mend(all, "on Linux routers: sudo sysctl -w net.ipv6.icmp.ratemask=0-1,4-127");
	} else if (p->hops == 1) {
		say(all, GOOD, "paths", "%s is the next hop: there is nothing to spray over",
		    facts->peer);
	} else if (p->distinct > 1) {
		say(all, GOOD, "paths", "%u labels took %u ways to %s, of %u hops", p->whole,
		    p->distinct, facts->peer, p->hops);
	} else {
		say(all, sprays(facts) ? BAD : NOTE, "paths",
		    "%u labels took one way to %s: there is no other, or none hashes the label",
		    p->whole, facts->peer);
		mend(all, LOOK_AT_ROUTERS);
	}
}

/* Path selectors that go by marks alone; mrc and auto also go by delay. */
static bool needs_ecn(const struct facts *facts)
{
	return !strcmp(facts->spray, "bitmap") || !strcmp(facts->spray, "reps") ||
	       !strcmp(facts->spray, "mixed");
}

/* Those that hear of marks at all. */
static bool wants_ecn(const struct facts *facts)
{
	return !is_off(facts->spray) && strcmp(facts->spray, "oblivious");
}

/* The other host's own word on how labelled probes came there. */
static void judge_told_ways(const struct facts *facts, struct findings *all)
{
	const struct peer *p = &facts->told;

	if (p->relabelled) {
		say(all, sprays(facts) ? BAD : NOTE, "labels",
		    "%u of %u labels came to %s as others: something on the way writes its own",
		    p->relabelled, PATHS_LABELS, facts->peer);
		mend(all, LOOK_ON_THE_WAY);
	} else {
		say(all, GOOD, "labels", "they come to %s as they were sent", facts->peer);
	}
	if (p->ways > 1 || p->lengths > 1)
		say(all, GOOD, "delays",
		    "at least %u ways to %s: by delay %u, up to %llu ns apart, by hops %u",
		    max(p->ways, p->lengths), facts->peer, p->ways,
		    (unsigned long long)p->apart_ns, p->lengths);
	else
		say(all, NOTE, "delays",
		    "no ways to %s are told apart: one, or all alike within %llu ns",
		    facts->peer, (unsigned long long)(2 * p->noise_ns));
}

/* Does a receiver with this algorithm and selector echo each packet's mark? */
static bool echoes_each(const struct peer *p)
{
	if (!strcmp(p->cc, "nscc") || !strcmp(p->cc, "mnscc") || !strcmp(p->cc, "dctcp"))
		return true;
	return algorithm_index(p->cc) >= 0 && !is_off(p->spray) && strcmp(p->spray, "oblivious");
}

/* By its settings alone; and why no more is known. */
static void judge_set_echo(const struct facts *facts, struct findings *all)
{
	const struct peer *p = &facts->told;
	bool each = echoes_each(p);

	say(all, each ? GOOD : NOTE, "echo",
	    "%s takes ECN, and is set to echo %s (its sockets get %s); not tried: %s",
	    facts->peer, each ? "each mark" : "a mark for a round trip", p->cc,
	    *p->echo.why ? p->echo.why : "no packet could be marked");
}

/* By what became of marked packets. */
static void judge_tried_echo(const struct facts *facts, enum verdict if_not,
			     struct findings *all)
{
	const struct echo *e = &facts->told.echo;
	bool each = 2 * e->echoed <= e->packets;

	if (!e->agreed) {
		say(all, if_not, "echo",
		    "%s takes ECN, but no connection had it: something on the way refuses",
		    facts->peer);
		mend(all, LOOK_ON_THE_WAY);
	} else if (e->heard < e->marked) {
		say(all, if_not, "echo", "%u of %u marks that were sent to %s were not echoed",
		    e->marked - e->heard, e->marked, facts->peer);
	} else {
		say(all, each ? GOOD : NOTE, "echo",
		    "%s echoes %s: %u marks, echoes for %u of %u packets (its sockets get %s)",
		    facts->peer, each ? "each mark" : "a mark for a round trip", e->marked,
		    e->echoed, e->packets, facts->told.cc);
	}
}

/* Does the other host say of each packet that was marked that it was? */
static void judge_told_echo(const struct facts *facts, enum verdict if_not,
			    struct findings *all)
{
	const struct peer *p = &facts->told;

	if (!p->ecn) {
		say(all, if_not, "echo", "%s refuses ECN (net.ipv4.tcp_ecn=0)", facts->peer);
		mend(all, "there: sudo sysctl -w net.ipv4.tcp_ecn=2");
		return;
	}
	if (*p->echo.why || (p->echo.agreed && !p->echo.marked))
		judge_set_echo(facts, all);
	else
		judge_tried_echo(facts, if_not, all);
	if (all->finding[all->count - 1].verdict != GOOD && !echoes_each(p) &&
	    !*all->finding[all->count - 1].mend)
		mend(all, "there: " SET_DEFAULT, knobs_of(facts));
}

/* Marks have to get there, be agreed upon, and come back. */
static void judge_told_marks(const struct facts *facts, struct findings *all)
{
	const struct peer *p = &facts->told;
	const char *cc = gets(facts);
	bool needed = wants_ecn(facts) || !strcmp(cc, "nscc") || !strcmp(cc, "mnscc");
	enum verdict if_not = needed ? BAD : NOTE;
	u32 i;

	for (i = 1; i < PEER_MARKS; i++)
		if (p->kept[i] < p->sent[i])
			break;
	if (i < PEER_MARKS) {
		say(all, if_not, "marks",
		    "%u of %u packets with %s came to %s without: the way takes it off",
		    p->sent[i] - p->kept[i], p->sent[i], i == MARK_CE ? "a mark" : "ECT",
		    facts->peer);
		mend(all, LOOK_ON_THE_WAY);
	} else {
		say(all, GOOD, "marks", "ECT and marks come to %s as they were sent", facts->peer);
	}
	judge_told_echo(facts, if_not, all);
}

static void judge_told_receiver(const struct facts *facts, struct findings *all)
{
	const struct peer *p = &facts->told;

	say(all, NOTE, "merging", p->gro ?
	    "%s merges packets of one label (GRO), and none of different labels" :
	    "%s merges no packets (GRO is off, or not its device's)", facts->peer);
	if (p->rehash > 0) {
		say(all, NOTE, "rehashing",
		    "%s sends ACKs another way when data comes twice (%u times so far)",
		    facts->peer, p->rehashed);
		mend(all, "there: sudo sysctl -w net.core.txrehash=0");
	} else {
		say(all, GOOD, "rehashing", "%s keeps to its way when data comes twice",
		    facts->peer);
	}
	if (p->sack_ns > SACK_LITTLE_NS) {
		say(all, NOTE, "sacks", "%s holds them back for up to %d us", facts->peer,
		    p->sack_ns / 1000);
		mend(all, "there: sudo sysctl -w net.ipv4.tcp_comp_sack_slack_ns=0");
	}
}

static void judge_told(const struct facts *facts, struct findings *all)
{
	if (!facts->told.asked)
		return;
	if (!facts->told.answers) {
		say(all, BAD, "peer", "nobody answers at %s", facts->peer);
		mend(all, "there: dccstat answer");
		return;
	}
	judge_told_ways(facts, all);
	judge_told_marks(facts, all);
	judge_told_receiver(facts, all);
}

static void judge_ecn(const struct facts *facts, struct findings *all)
{
	const char *cc = gets(facts);

	if (!strcmp(cc, "nscc") || !strcmp(cc, "mnscc"))
		say(all, GOOD, "ecn", "%s asks for it by itself", cc);
	else if (facts->ecn == 1)
		say(all, GOOD, "ecn", "asked for (net.ipv4.tcp_ecn=1)");
	else if (needs_ecn(facts))
		say(all, BAD, "ecn", "not asked for, and %s needs it: flows take auto instead",
		    facts->spray);
	else if (wants_ecn(facts))
		say(all, NOTE, "ecn", "not asked for: %s goes by delay and losses alone",
		    facts->spray);
	else
		say(all, NOTE, "ecn", "not asked for (net.ipv4.tcp_ecn=%d); nothing here needs it",
		    facts->ecn);
	if (wants_ecn(facts) && all->finding[all->count - 1].verdict != GOOD)
		mend(all, "sudo sysctl -w net.ipv4.tcp_ecn=1");
}

/* What this host does as a receiver: a flow that loses packets hears late and in bursts. */
static void judge_sacks(const struct facts *facts, struct findings *all)
{
	if (facts->sack_ns < 0)
		return;
	if (facts->sack_ns > SACK_LITTLE_NS) {
		say(all, NOTE, "sacks", "held back for up to %d us when this host receives",
		    facts->sack_ns / 1000);
		mend(all, "sudo sysctl -w net.ipv4.tcp_comp_sack_slack_ns=0");
	} else if (facts->sack_percent > SACK_LITTLE_PERCENT) {
		say(all, NOTE, "sacks", "held back for %d %% of an RTT when this host receives",
		    facts->sack_percent);
		mend(all, "sudo sysctl -w net.ipv4.tcp_comp_sack_rtt_percent=%d",
		     SACK_LITTLE_PERCENT);
	} else {
		say(all, GOOD, "sacks", "sent at once when this host receives");
	}
}

/* What would make the module merge. */
static void mend_gro(const struct gro *g, struct findings *all)
{
	static const char *const command[] = {
		[GRO_NOT_INSTALLED] = INSTALL,
		[GRO_NOT_LOADED] = "sudo modprobe dcc_offload gro=1",
		[GRO_OFF] = "echo 1 | sudo tee /sys/module/dcc_offload/parameters/gro",
	};

	if (*g->off)
		mend(all, "sudo ethtool -K %s gro on", g->off);
	else
		mend(all, "%s", command[g->module]);
}

/* By what TCP got while somebody listened. */
static void judge_seen(const struct gro *g, struct findings *all)
{
	const struct gro_seen *s = &g->seen;
	bool well = !s->joined && !s->unseen;
	char more[SAY_TEXT / 2] = "", joined[24] = "none";

	if (s->joined)
		snprintf(joined, sizeof(joined), "%llu", (unsigned long long)s->joined);
	if (*g->off)
		snprintf(more, sizeof(more), "; GRO of %s is off", g->off);
	if (s->unseen)
		snprintf(more + strlen(more), sizeof(more) - strlen(more),
			 "; %llu of others were not looked at", (unsigned long long)s->unseen);
	if (s->connections)
		say(all, well ? GOOD : NOTE, "gro",
		    "in %u ms TCP got %llu packets of %u sprayed connections, %s of them would have joined one before%s",
		    GRO_LISTEN_MS, (unsigned long long)s->packets, s->connections, joined, more);
	else
		say(all, well ? GOOD : NOTE, "gro",
		    "no packet of a sprayed connection came in %u ms%s", GRO_LISTEN_MS, more);
	if (s->joined)
		mend_gro(g, all);
}

/* Packets of many labels come to TCP one by one, unless dcc_offload merges them. */
static void judge_gro(const struct facts *facts, struct findings *all)
{
	const struct gro *g = &facts->gro;

	if (g->module == GRO_ON) {
		say(all, GOOD, "gro",
		    "dcc_offload merges: %llu packets joined a run, %llu began one, %llu foreign, since loading",
		    (unsigned long long)g->joined, (unsigned long long)g->runs,
		    (unsigned long long)g->foreign);
	} else if (g->error == EPERM) {
		say(all, NOTE, "gro",
		    "not measured, what dcc_offload would merge: it takes CAP_NET_RAW");
		mend(all, "sudo dccstat doctor");
	} else if (g->error) {
		say(all, NOTE, "gro", "not measured, what dcc_offload would merge: %s",
		    strerror(g->error));
	} else {
		judge_seen(g, all);
	}
}

static void judge_queues(const struct facts *facts, struct findings *all)
{
	u32 i;

	for (i = 0; i < facts->devices; i++) {
		const struct device *d = &facts->device[i];
		bool sorts = !strcmp(d->qdisc, "fq_codel");

		if (!*d->qdisc)
			continue;
		if (!sorts || !sprays(facts)) {
			say(all, sorts ? NOTE : GOOD, "queue", "%s has %s%s", d->name, d->qdisc,
			    sorts ? ", which would reorder sprayed flows" : "");
			continue;
		}
		say(all, BAD, "queue", "%s has fq_codel, which reorders sprayed flows", d->name);
		mend(all, "sudo tc qdisc replace dev %s root fq", d->name);
	}
}

static void judge_holders(const struct facts *facts, struct findings *all)
{
	u32 i;

	for (i = 0; i < HOLDERS; i++) {
		if (!facts->sockets[i] && !facts->defaults[i])
			continue;
		say(all, GOOD, "holders", "%s: %u sockets, default of %u namespaces",
		    our_algorithms[i], facts->sockets[i], facts->defaults[i]);
		if (facts->sockets[i])
			mend(all, "sudo dccstat --all --once state all cc %s",
			     our_algorithms[i]);
	}
	if (!facts->all) {
		say(all, NOTE, "holders", "only this namespace was looked at");
		mend(all, "sudo dccstat doctor");
	}
}

static void judge_tracing(const struct facts *facts, struct findings *all)
{
	if (facts->tracing) {
		say(all, GOOD, "tracing", "targets and rules can be seen");
		return;
	}
	say(all, NOTE, "tracing", "targets and rules cannot be seen: it takes root, and a mount");
	mend(all, "sudo mount -t tracefs nodev /sys/kernel/tracing");
}

/**
 * doctor_judge() - what facts mean
 * @facts: they
 * @all: set
 */
void doctor_judge(const struct facts *facts, struct findings *all)
{
	all->count = 0;
	judge_module(facts, all);
	judge_algorithm(facts, all);
	judge_rate(facts, all);
	judge_spraying(facts, all);
	judge_labels(facts, all);
	judge_devices(facts, all);
	judge_paths(facts, all);
	judge_ecn(facts, all);
	judge_sacks(facts, all);
	judge_gro(facts, all);
	judge_queues(facts, all);
	judge_holders(facts, all);
	judge_told(facts, all);
	judge_tracing(facts, all);
}
