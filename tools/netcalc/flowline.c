// SPDX-License-Identifier: GPL-2.0
/* The line "flow" of a case: the laws and their parameters. */
#include <errno.h>
#include <string.h>

#include "aimd.h"
#include "flowline.h"
#include "keys.h"
#include "reno.h"
#include "vegas.h"

/* What a line "flow" says besides the control's parameters. */
struct flow_line {
	int64_t cc;
	int64_t count;
	int64_t packets;
	int64_t rtt;
	int64_t rules;
	struct nc_control control;
};

#define FLOW(field)	offsetof(struct flow_line, field)
#define CC(field)	offsetof(struct flow_line, control.field)

#define LAW(type, field) \
	(offsetof(struct flow_line, control.law) + offsetof(type, field))
#define AIMD(field)	LAW(struct nc_aimd, field)
#define RENO(field)	LAW(struct nc_reno, field)
#define VEGAS(field)	LAW(struct nc_vegas, field)

#define LAW_NAMES	"aimd dcqcn reno vegas"

#define FLOW_KEYS \
	{ "cc", NC_KEY_WORD, FLOW(cc), NC_KEY_NEEDED, 0, 0, \
	  LAW_NAMES }, \
	{ "count", NC_COUNT, FLOW(count), 1, 1, NC_FLOWS_MAX, \
	  "so many alike, 1 to 4096 (1)" }

#define RATE_KEYS \
	{ "rate", NC_RATE, CC(rate), NC_KEY_NEEDED, 1, NC_RATE_MAX, \
	  "first rate, 1kbps or more" }, \
	{ "increase", NC_RATE, AIMD(increase), NC_KEY_NEEDED, 0, NC_RATE_MAX, \
	  "alpha, added to the rate" }, \
	{ "every", NC_TIME, AIMD(every), NC_KEY_NEEDED, 1, NC_YEAR_NS, \
	  "time between two increases, 1ns or more" }, \
	{ "decrease", NC_SHARE, AIMD(decrease), NC_KEY_NEEDED, 0, NC_PPM, \
	  "beta, what is left of the rate after a cut, 0 to 1" }, \
	{ "timeout", NC_TIME, CC(timeout), 0, 0, NC_YEAR_NS, \
	  "tau_o; 0: none (0)" }

#define WINDOW_KEYS \
	{ "window", NC_SIZE, CC(window), NC_KEY_NEEDED, 1, NC_WINDOW_MAX, \
	  "first window, 1B to 1TB" }, \
	{ "packet", NC_SIZE, CC(packet), 1500, 1, NC_WINDOW_MAX, \
	  "largest packet, 1B or more (1500B)" }, \
	{ "acks", NC_KEY_WORD, FLOW(packets), 0, 0, 0, "fluid packets" }

static const struct nc_key aimd_keys[] = {
	FLOW_KEYS,
	RATE_KEYS,
	{ "most", NC_RATE, AIMD(most), NC_RATE_MAX, 1, NC_RATE_MAX,
	  "largest rate (1000Tbps)" },
	{ 0 }
};

static const struct nc_key dcqcn_keys[] = {
	FLOW_KEYS,
	RATE_KEYS,
	{ "most", NC_RATE, AIMD(most), 0, 1, NC_RATE_MAX,
	  "largest rate (the first one)" },
	{ 0 }
};

static const struct nc_key reno_keys[] = {
	FLOW_KEYS,
	WINDOW_KEYS,
	{ "threshold", NC_SIZE, RENO(threshold), NC_WINDOW_MAX, 0,
	  NC_WINDOW_MAX, "first slow start threshold (1TB)" },
	{ "increase", NC_SIZE, RENO(increase), 0, 1, NC_WINDOW_MAX,
	  "alpha, added to the window, 1B or more (a packet)" },
	{ "decrease", NC_SHARE, RENO(decrease), NC_PPM / 2, 0, NC_PPM,
	  "beta: the threshold is this share of the window, 0 to 1 (0.5)" },
	{ "initial", NC_SIZE, RENO(initial), 0, 1, NC_WINDOW_MAX,
	  "window after a timeout, 1B or more (a packet)" },
	{ "timeout", NC_TIME, CC(timeout), NC_KEY_NEEDED, 0, NC_YEAR_NS,
	  "tau_o; 0: none" },
	{ "rules", NC_KEY_WORD, FLOW(rules), 0, 0, 0, "paper linux" },
	{ "buffer", NC_SIZE, RENO(buffer), 0, 0, NC_WINDOW_MAX,
	  "rules=linux: room at the server; 0: 1TB (0)" },
	{ 0 }
};

static const struct nc_key vegas_keys[] = {
	FLOW_KEYS,
	WINDOW_KEYS,
	{ "low", NC_COUNT, VEGAS(low), 2, 0, 1000000,
	  "grow below so many packets in the queue, 0 to 1000000 (2)" },
	{ "high", NC_COUNT, VEGAS(high), 4, 0, 1000000,
	  "shrink above so many, 0 to 1000000 (4)" },
	{ "gamma", NC_COUNT, VEGAS(gamma), 1, 0, 1000000,
	  "so many end slow start, 0 to 1000000 (1)" },
	{ "rtt", NC_KEY_WORD, FLOW(rtt), 0, 0, 0, "sample min" },
	{ "rules", NC_KEY_WORD, FLOW(rules), 0, 0, 0, "paper linux" },
	{ "clock", NC_TIME, VEGAS(clock), 0, 0, NC_YEAR_NS,
	  "rules=linux: RTTs in ticks of this, and one more; 0: exact (0)" },
	{ 0 }
};

/* A rate is not above the largest one; without one dcqcn's is the first. */
static int complete_rate(struct nc_reader *r, struct flow_line *line,
			 const struct nc_key *keys)
{
	struct nc_aimd *aimd = nc_aimd_of(&line->control);
	int64_t rate = line->control.rate;

	(void)keys;
	if (!aimd->most)
		aimd->most = rate;
	if (aimd->most < rate)
		return nc_refuse(r, "most is %lldkbps; allowed: rate, %lldkbps, or more",
				 (long long)aimd->most,
				 (long long)rate);
	return 0;
}

/* What only one of the two sets of rules knows is refused with the other one. */
static int complete_reno(struct nc_reader *r, struct flow_line *line,
			 const struct nc_key *keys)
{
	struct nc_control *control = &line->control;
	struct nc_reno *reno = nc_reno_of(control);
	bool late = !line->rules && control->timeout;
	int err = nc_keys_need(r, keys, "buffer", line->rules, "rules=linux");

	if (!err && line->rules && control->timeout)
		err = nc_refuse(r, "timeout is not 0; allowed with rules=linux: 0");
	if (!err)
		err = nc_keys_need(r, keys, "initial", late, "rules=paper and a timeout");
	if (!err)
		err = nc_keys_need(r, keys, "decrease", line->rules || late,
				   "a timeout, or rules=linux");
	if (!reno->increase)
		reno->increase = control->packet;
	if (!reno->initial)
		reno->initial = control->packet;
	if (!reno->buffer)
		reno->buffer = NC_WINDOW_MAX;
	if (line->rules)
		control->ops = &nc_reno_linux_ops;
	return err;
}

static int complete_vegas(struct nc_reader *r, struct flow_line *line,
			  const struct nc_key *keys)
{
	struct nc_vegas *vegas = nc_vegas_of(&line->control);
	int err = nc_keys_need(r, keys, "clock", line->rules, "rules=linux");

	if (!err)
		err = nc_keys_need(r, keys, "rtt", !line->rules, "rules=paper");
	if (!err && vegas->low > vegas->high)
		err = nc_refuse(r, "low is %lld; allowed: up to high, %lld",
				(long long)vegas->low,
				(long long)vegas->high);
	vegas->rtt_kind = (enum nc_rtt)line->rtt;
	if (!err && vegas->rtt_kind == NC_RTT_MIN && !line->packets)
		err = nc_refuse(r, "rtt=min needs acks=packets");
	if (line->rules)
		line->control.ops = &nc_vegas_linux_ops;
	return err;
}

/* In the order of the words of cc. */
static const struct {
	const struct nc_control_ops *ops;
	const struct nc_key *keys;
	int (*complete)(struct nc_reader *r, struct flow_line *line,
			const struct nc_key *keys);
} laws[] = {
	{ &nc_aimd, aimd_keys, complete_rate },
	{ &nc_dcqcn, dcqcn_keys, complete_rate },
	{ &nc_window, reno_keys, complete_reno },
	{ &nc_vegas, vegas_keys, complete_vegas },
};

#define LAWS	(sizeof(laws) / sizeof(*laws))

/* The law decides which keys a line may have: look for its word first. */
static int find_law(struct nc_reader *r, const char *rest, size_t *law)
{
	const char *word = rest;
	size_t i, n;

	while (*word && strncmp(word, "cc=", 3)) {
		word += strcspn(word, " \t");
		word += strspn(word, " \t");
	}
	if (!*word)
		return nc_refuse(r, "cc= is missing (" LAW_NAMES ")");
	word += 3;
	n = strcspn(word, " \t");
	for (i = 0; i < LAWS; i++)
		if (strlen(laws[i].ops->name) == n &&
		    !strncmp(laws[i].ops->name, word, n)) {
			*law = i;
			return 0;
		}
	return nc_refuse(r, "cc is '%.*s'; allowed: " LAW_NAMES,
			 (int)(n < 40 ? n : 40), word);
}

/* What is not the law's own, and what follows from other values. */
static int complete_flow(struct nc_reader *r, struct flow_line *line, size_t law)
{
	line->control.ops = laws[law].ops;
	line->control.packet_acks = line->packets;
	if (line->rules && !line->packets)
		return nc_refuse(r, "rules=linux needs acks=packets");
	return laws[law].complete(r, line, laws[law].keys);
}

/* The sum of all goes by a name, too. */
static int check_name(struct nc_reader *r, const struct nc_net *net,
		      const char *name)
{
	size_t i;

	if (!strcmp(name, NC_NAME_OF_ALL))
		return nc_refuse(r, "the name '%s' means all flows; allowed: others",
				 name);
	for (i = 0; i < net->flows; i++)
		if (!strcmp(net->flow[i].name, name) ||
		    !strcmp(net->flow[i].group, name))
			return nc_refuse(r, "the name '%s' is there twice; allowed: once",
					 name);
	return 0;
}

/* The flow's name, or that of one of so many. */
static int number_name(struct nc_reader *r, const char *name, int64_t number,
		       char out[NC_NAME_MAX])
{
	int n = number ? snprintf(out, NC_NAME_MAX, "%s%lld", name,
				  (long long)number) :
			 snprintf(out, NC_NAME_MAX, "%s", name);

	if (n >= NC_NAME_MAX)
		return nc_refuse(r, "the name '%s' is too long for a number",
				 name);
	return 0;
}

static int add_flow(struct nc_reader *r, struct nc_net *net,
		    const struct flow_line *line, const char name[NC_NAME_MAX], int64_t number)
{
	char own[NC_NAME_MAX];
	struct nc_flow *flow;
	int err = number_name(r, name, line->count == 1 ? 0 : number, own);

	if (!err && line->count > 1)
		err = check_name(r, net, own);
	if (err)
		return err;
	flow = nc_net_add_flow(net);
	if (!flow)
		return -ENOMEM;
	flow->control = line->control;
	flow->line = r->line;
	memcpy(flow->group, name, NC_NAME_MAX);
	memcpy(flow->name, own, NC_NAME_MAX);
	return 0;
}

/**
 * nc_flowline_read() - the line "flow"
 * @r: at the line
 * @net: gets the flow, or so many
 * @rest: the line behind the word; changed
 *
 * Return: 0; -EINVAL with the reason in r->error; -ENOMEM.
 */
int nc_flowline_read(struct nc_reader *r, struct nc_net *net, char *rest)
{
	struct flow_line line = { 0 };
	char name[NC_NAME_MAX] = "";
	int err = nc_keys_name(r, &rest, name, NC_NAME_MAX);
	size_t law = 0;
	int64_t i;

	if (!err)
		err = check_name(r, net, name);
	if (!err)
		err = find_law(r, rest, &law);
	if (!err)
		err = nc_keys_read(r, laws[law].keys, &line, rest);
	if (!err)
		err = complete_flow(r, &line, law);
	if (!err && net->flows + (size_t)line.count > NC_FLOWS_MAX)
		err = nc_refuse(r, "more than %d flows", NC_FLOWS_MAX);
	for (i = 1; i <= line.count && !err; i++)
		err = add_flow(r, net, &line, name, i);
	return err;
}

/**
 * nc_flowline_words() - the line "flow", for users
 * @out: where to write
 */
void nc_flowline_words(FILE *out)
{
	size_t k;

	for (k = 0; k < LAWS; k++) {
		fprintf(out, "  cc=%s\n", laws[k].ops->name);
		nc_keys_help(out, laws[k].keys);
	}
}
