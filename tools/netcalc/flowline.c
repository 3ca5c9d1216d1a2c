// SPDX-License-Identifier: GPL-2.0
/* The line "flow" of a case: the laws and their parameters. */
#include <errno.h>
#include <string.h>

#include "keys.h"

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

#define FLOW_KEYS \
	{ "cc", NC_KEY_WORD, FLOW(cc), NC_KEY_NEEDED, 0, 0, \
	  "aimd dcqcn reno vegas" }, \
	{ "count", NC_COUNT, FLOW(count), 1, 1, NC_FLOWS_MAX, \
	  "so many alike, 1 to 4096 (1)" }

#define RATE_KEYS \
	{ "rate", NC_RATE, CC(rate), NC_KEY_NEEDED, 1, NC_RATE_MAX, \
	  "first rate, 1kbps or more" }, \
	{ "increase", NC_RATE, CC(increase), NC_KEY_NEEDED, 0, NC_RATE_MAX, \
	  "alpha, added to the rate" }, \
	{ "every", NC_TIME, CC(every), NC_KEY_NEEDED, 1, NC_YEAR_NS, \
	  "time between two increases, 1ns or more" }, \
	{ "decrease", NC_SHARE, CC(decrease), NC_KEY_NEEDED, 0, NC_PPM, \
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
	{ "most", NC_RATE, CC(most), NC_RATE_MAX, 1, NC_RATE_MAX,
	  "largest rate (1000Tbps)" },
	{ 0 }
};

static const struct nc_key dcqcn_keys[] = {
	FLOW_KEYS,
	RATE_KEYS,
	{ "most", NC_RATE, CC(most), 0, 1, NC_RATE_MAX,
	  "largest rate (the first one)" },
	{ 0 }
};

static const struct nc_key reno_keys[] = {
	FLOW_KEYS,
	WINDOW_KEYS,
	{ "threshold", NC_SIZE, CC(threshold), NC_WINDOW_MAX, 0,
	  NC_WINDOW_MAX, "first slow start threshold (1TB)" },
	{ "increase", NC_SIZE, CC(increase), 0, 1, NC_WINDOW_MAX,
	  "alpha, added to the window, 1B or more (a packet)" },
	{ "decrease", NC_SHARE, CC(decrease), NC_PPM / 2, 0, NC_PPM,
	  "beta: the threshold is this share of the window, 0 to 1 (0.5)" },
	{ "initial", NC_SIZE, CC(initial), 0, 1, NC_WINDOW_MAX,
	  "window after a timeout, 1B or more (a packet)" },
	{ "timeout", NC_TIME, CC(timeout), NC_KEY_NEEDED, 0, NC_YEAR_NS,
	  "tau_o; 0: none" },
	{ "rules", NC_KEY_WORD, FLOW(rules), 0, 0, 0, "paper linux" },
	{ "buffer", NC_SIZE, CC(buffer), 0, 0, NC_WINDOW_MAX,
	  "rules=linux: room at the server; 0: 1TB (0)" },
	{ 0 }
};

static const struct nc_key vegas_keys[] = {
	FLOW_KEYS,
	WINDOW_KEYS,
	{ "low", NC_COUNT, CC(low), 2, 0, 1000000,
	  "grow below so many packets in the queue, 0 to 1000000 (2)" },
	{ "high", NC_COUNT, CC(high), 4, 0, 1000000,
	  "shrink above so many, 0 to 1000000 (4)" },
	{ "gamma", NC_COUNT, CC(gamma), 1, 0, 1000000,
	  "so many end slow start, 0 to 1000000 (1)" },
	{ "rtt", NC_KEY_WORD, FLOW(rtt), 0, 0, 0, "sample min" },
	{ "rules", NC_KEY_WORD, FLOW(rules), 0, 0, 0, "paper linux" },
	{ "clock", NC_TIME, CC(clock), 0, 0, NC_YEAR_NS,
	  "rules=linux: RTTs in ticks of this, and one more; 0: exact (0)" },
	{ 0 }
};

/* In the order of the words of cc. */
static const struct {
	const struct nc_control_ops *ops;
	const struct nc_key *keys;
} laws[] = {
	{ &nc_aimd, aimd_keys },
	{ &nc_dcqcn, dcqcn_keys },
	{ &nc_window, reno_keys },
	{ &nc_vegas, vegas_keys },
};

#define LAWS	(sizeof(laws) / sizeof(*laws))

/* The law decides which keys a line may have: look for it first. */
static const struct nc_key *keys_of_law(const char *rest)
{
	const char *cc = strstr(rest, "cc=");
	size_t i;

	for (i = 0; cc && i < LAWS; i++) {
		size_t n = strlen(laws[i].ops->name);

		if (!strncmp(cc + 3, laws[i].ops->name, n) &&
		    strchr(" \t", cc[3 + n]))
			return laws[i].keys;
	}
	return laws[0].keys;
}

/* Defaults that depend on other values. */
static int complete_flow(struct nc_case *c, struct flow_line *line)
{
	struct nc_control *control = &line->control;

	control->ops = laws[line->cc].ops;
	control->packet_acks = line->packets;
	control->rtt_kind = (enum nc_rtt)line->rtt;
	if (control->ops == &nc_dcqcn && !control->most)
		control->most = control->rate;
	if (control->ops == &nc_window && !control->increase)
		control->increase = control->packet;
	if (control->ops == &nc_window && !control->initial)
		control->initial = control->packet;
	if (line->rules)
		control->ops = control->ops == &nc_window ?
			       &nc_reno_linux_ops : &nc_vegas_linux_ops;
	if (!control->buffer)
		control->buffer = NC_WINDOW_MAX;
	if (control->rtt_kind == NC_RTT_MIN && !control->packet_acks)
		return nc_case_refuse(c, "rtt=min needs acks=packets");
	if (line->rules && !control->packet_acks)
		return nc_case_refuse(c, "rules=linux needs acks=packets");
	if (control->clock && !line->rules)
		return nc_case_refuse(c, "clock needs rules=linux");
	return 0;
}

static int add_flow(struct nc_case *c, const struct flow_line *line,
		    const char name[NC_NAME_MAX], int64_t number)
{
	struct nc_flow *flow = nc_net_add_flow(&c->net);

	if (!flow)
		return -ENOMEM;
	flow->control = line->control;
	memcpy(flow->group, name, NC_NAME_MAX);
	if (line->count == 1)
		memcpy(flow->name, name, NC_NAME_MAX);
	else if (snprintf(flow->name, NC_NAME_MAX, "%s%lld", name,
			  (long long)number) >= NC_NAME_MAX)
		return nc_case_refuse(c, "the name '%s' is too long for a number",
				      name);
	return 0;
}

/**
 * nc_case_flow() - the line "flow"
 * @c: gets the flow, or so many
 * @rest: the line behind the word; changed
 *
 * Return: 0; -EINVAL with the reason in c->error; -ENOMEM.
 */
int nc_case_flow(struct nc_case *c, char *rest)
{
	struct flow_line line = { 0 };
	char name[NC_NAME_MAX] = "";
	int err = nc_case_name(c, &rest, name);
	int64_t i;

	if (!err)
		err = nc_case_keys(c, keys_of_law(rest), &line, rest);
	if (!err)
		err = complete_flow(c, &line);
	if (!err && c->net.flows + (size_t)line.count > NC_FLOWS_MAX)
		err = nc_case_refuse(c, "more than %d flows", NC_FLOWS_MAX);
	for (i = 1; i <= line.count && !err; i++)
		err = add_flow(c, &line, name, i);
	return err;
}

/**
 * nc_case_flow_words() - the line "flow", for users
 * @out: where to write
 */
void nc_case_flow_words(FILE *out)
{
	size_t k;

	for (k = 0; k < LAWS; k++) {
		fprintf(out, "  cc=%s\n", laws[k].ops->name);
		nc_keys_help(out, laws[k].keys);
	}
}
