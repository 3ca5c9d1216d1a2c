// SPDX-License-Identifier: GPL-2.0
/* The line "flow" of a case: the algorithms and their parameters. */
#include <errno.h>
#include <string.h>

#include "aimd.h"
#include "dctcp.h"
#include "fixed.h"
#include "flowline.h"
#include "keys.h"
#include "reno.h"
#include "stack.h"
#include "vegas.h"

/* What a line "flow" says besides the control's parameters. */
struct flow_line {
	int64_t cc;
	int64_t count;
	int64_t packets;
	int64_t rtt;
	int64_t rules;
	int64_t feedback;
	struct nc_control control;
};

#define FLOW(field)	offsetof(struct flow_line, field)
#define CC(field)	offsetof(struct flow_line, control.field)

#define ALG(type, field) \
	(offsetof(struct flow_line, control.alg) + offsetof(type, field))
#define AIMD(field)	ALG(struct nc_aimd, field)
#define RENO(field)	ALG(struct nc_reno, field)
#define VEGAS(field)	ALG(struct nc_vegas, field)
#define DCTCP(field)	ALG(struct nc_dctcp, field)
#define STACK(field)	ALG(struct nc_stack, field)

#define ALG_NAMES	"aimd dcqcn reno vegas dctcp fixed none swift lswift mswift nscc " \
			"mnscc oscar prioplus prioplus_ledbat ledbat"

#define FLOW_KEYS \
	{ "cc", NC_KEY_WORD, FLOW(cc), NC_KEY_NEEDED, 0, 0, \
	  ALG_NAMES }, \
	{ "count", NC_COUNT, FLOW(count), 1, 1, NC_FLOWS_MAX, \
	  "so many alike, 1 to 4096 (1)" }

/* Not of DCQCN, who is told what all are told at the same time. */
#define FEEDBACK_KEY \
	{ "feedback", NC_TIME, FLOW(feedback), 0, 1, NC_YEAR_NS, \
	  "its own dR, 1ns or more (the link's)" }

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
	FEEDBACK_KEY,
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
	FEEDBACK_KEY,
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
	FEEDBACK_KEY,
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

#define PACKET_DEFAULT	1448	/* Ethernet's 1500 B, IPv4, time stamps */
#define PACKET_MOST	65535	/* the algorithms of the modules reckon with 16 bits */
#define FIRST_PACKETS	10	/* RFC 6928 */

static const struct nc_key dctcp_keys[] = {
	FLOW_KEYS,
	FEEDBACK_KEY,
	{ "window", NC_SIZE, CC(window), 0, 1, NC_WINDOW_MAX,
	  "first window, a packet or more (10 packets)" },
	{ "packet", NC_SIZE, CC(packet), PACKET_DEFAULT, 1, PACKET_MOST,
	  "payload of a packet, 1B to 65535B (1448B)" },
	{ "dctcp_shift_g", NC_COUNT, DCTCP(shift), 4, 0, 10,
	  "g = 1 / 2^this, 0 to 10 (4)" },
	{ "dctcp_alpha_on_init", NC_COUNT, DCTCP(first), NC_DCTCP_ONE, 0, NC_DCTCP_ONE,
	  "alpha at first in 1/1024, 0 to 1024 (1024)" },
	{ 0 }
};

static const struct nc_key fixed_keys[] = {
	FLOW_KEYS,
	FEEDBACK_KEY,
	WINDOW_KEYS,
	{ 0 }
};

static const struct nc_key none_keys[] = {
	FLOW_KEYS,
	{ 0 }
};

/* Of all algorithms of the kernel modules; each has its knobs besides. */
static const struct nc_key module_keys[] = {
	FLOW_KEYS,
	FEEDBACK_KEY,
	{ "packet", NC_SIZE, CC(packet), PACKET_DEFAULT, 1, PACKET_MOST,
	  "payload of a packet, 1B to 65535B (1448B)" },
};

static const struct nc_key priority_keys[] = {
	{ "priority", NC_COUNT, STACK(priority), 0, 0, 63,
	  "SO_PRIORITY, 0 to 63; 0 is the lowest (0)" },
	{ "seed", NC_COUNT, STACK(seed), 1, 0, 1000000000,
	  "of random waits, 0 to 1000000000; each flow has its own (1)" },
};

/* A rate is not above the largest one; without one dcqcn's is the first. */
static int complete_rate(struct nc_reader *r, struct flow_line *line,
			 const struct nc_key *keys)
{
	struct nc_aimd *aimd = nc_aimd_of(&line->control);
	int64_t rate = line->control.rate;

	if (nc_keys_need(r, keys, "feedback", line->control.timeout, "a timeout"))
		return -EINVAL;
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

/* A window below a packet would never be acknowledged. */
static int complete_window(struct nc_reader *r, struct flow_line *line,
			   const struct nc_key *keys)
{
	struct nc_control *c = &line->control;

	(void)keys;
	if (c->packet_acks && c->window < c->packet)
		return nc_refuse(r, "window is %lldB; allowed: packet, %lldB, or more",
				 (long long)c->window, (long long)c->packet);
	return 0;
}

static int complete_dctcp(struct nc_reader *r, struct flow_line *line,
			  const struct nc_key *keys)
{
	struct nc_control *c = &line->control;

	c->packet_acks = true;
	if (!c->window)
		c->window = FIRST_PACKETS * c->packet;
	return complete_window(r, line, keys);
}

static int complete_none(struct nc_reader *r, struct flow_line *line,
			 const struct nc_key *keys)
{
	(void)r;
	(void)line;
	(void)keys;
	return 0;
}

static int complete_module(struct nc_reader *r, struct flow_line *line,
			   const struct nc_key *keys)
{
	(void)r;
	(void)keys;
	line->control.packet_acks = true;
	return 0;
}

/* What a line may say of an algorithm, and what is made of it. */
struct alg {
	const char *name;
	const struct nc_control_ops *ops;
	const struct nc_key *keys;
	int (*complete)(struct nc_reader *r, struct flow_line *line,
			const struct nc_key *keys);
	const struct tool_alg *module;
};

static const struct alg algs[] = {
	{ "aimd", &nc_aimd, aimd_keys, complete_rate, NULL },
	{ "dcqcn", &nc_dcqcn, dcqcn_keys, complete_rate, NULL },
	{ "reno", &nc_window, reno_keys, complete_reno, NULL },
	{ "vegas", &nc_vegas, vegas_keys, complete_vegas, NULL },
	{ "dctcp", &nc_dctcp_linux, dctcp_keys, complete_dctcp, NULL },
	{ "fixed", &nc_fixed, fixed_keys, complete_window, NULL },
	{ "none", &nc_none, none_keys, complete_none, NULL },
};

#define ALGS	(sizeof(algs) / sizeof(*algs))

/* The keys of a module's algorithm: what all have, and the knobs that matter here. */
static void module_table(const struct tool_alg *of, struct nc_key keys[NC_KEYS_MAX])
{
	size_t n = sizeof(module_keys) / sizeof(*module_keys);
	u32 i;

	memcpy(keys, module_keys, sizeof(module_keys));
	if (of->set_priority) {
		memcpy(&keys[n], priority_keys, sizeof(priority_keys));
		n += sizeof(priority_keys) / sizeof(*priority_keys);
	}
	for (i = 0; i < of->knobs && i < NC_STACK_KNOBS; i++)
		if (of->knob[i].algs & of->bit && nc_stack_uses(&of->knob[i]) &&
		    n + 1 < NC_KEYS_MAX)
			keys[n++] = (struct nc_key){
				.name = of->knob[i].name, .kind = NC_KEY_KNOB,
				.offset = STACK(knob) + i * sizeof(u32),
				.help = &of->knob[i],
			};
	keys[n] = (struct nc_key){ 0 };
}

/* The algorithms by number: those of this tool, and those of the modules. */
static bool alg_at(size_t i, struct alg *alg)
{
	static struct nc_key keys[NC_KEYS_MAX];	/* of the algorithm at hand */
	const struct tool_alg *of;

	if (i < ALGS) {
		*alg = algs[i];
		return true;
	}
	of = tool_alg_at((u32)(i - ALGS));
	if (!of)
		return false;
	module_table(of, keys);
	*alg = (struct alg){ of->name, &nc_stack, keys, complete_module, of };
	return true;
}

/* The algorithm decides which keys a line may have: look for its word first. */
static int find_alg(struct nc_reader *r, const char *rest, struct alg *alg)
{
	const char *word = rest;
	size_t i, n;

	while (*word && strncmp(word, "cc=", 3)) {
		word += strcspn(word, " \t");
		word += strspn(word, " \t");
	}
	if (!*word)
		return nc_refuse(r, "cc= is missing (" ALG_NAMES ")");
	word += 3;
	n = strcspn(word, " \t");
	for (i = 0; alg_at(i, alg); i++)
		if (strlen(alg->name) == n && !strncmp(alg->name, word, n))
			return 0;
	return nc_refuse(r, "cc is '%.*s'; allowed: " ALG_NAMES,
			 (int)(n < 40 ? n : 40), word);
}

/* What is not the algorithm's own, and what follows from other values. */
static int complete_flow(struct nc_reader *r, struct flow_line *line,
			 const struct alg *alg)
{
	line->control.ops = alg->ops;
	line->control.packet_acks = line->packets;
	if (alg->module)
		nc_stack_of(&line->control)->of = alg->module;
	if (line->rules && !line->packets)
		return nc_refuse(r, "rules=linux needs acks=packets");
	return alg->complete(r, line, alg->keys);
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
	flow->feedback = nc_q_int(line->feedback);
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
	struct alg alg;
	int64_t i;

	if (!err)
		err = check_name(r, net, name);
	if (!err)
		err = find_alg(r, rest, &alg);
	if (!err)
		err = nc_keys_read(r, alg.keys, &line, rest);
	if (!err)
		err = complete_flow(r, &line, &alg);
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
	struct alg alg;
	size_t i;

	for (i = 0; alg_at(i, &alg); i++) {
		fprintf(out, "  cc=%s\n", alg.name);
		nc_keys_help(out, alg.keys);
	}
}
