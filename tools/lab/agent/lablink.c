// SPDX-License-Identifier: GPL-2.0
/* Parameters, counters and traces of the lab's links. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "lablink.h"
#include "pcap.h"

/* Trace records taken from the kernel with one read() */
#define TRACE_BATCH	16384
#define TRACE_FILE	"trace.tsv"

static int lab_fd = -1;
static FILE *trace_file;
static bool tracing;	/* some direction has had trace=1 or more */

/* Group ids are the group lines' numbers in the plan: unique, known early */
static const struct key group_keys[] = {
	KEY_NUMBER(struct group_device, mtu, UINT16_MAX),
	KEY_NUMBER(struct group_device, quantum, UINT32_MAX),
	KEY_NUMBER(struct group_device, marked_ecmp, 1),
	KEY_STRING(struct group_device, members),
};

void group_parse(const struct stmt *stmt, struct group_device *group)
{
	memset(group, 0, sizeof(*group));
	stmt_args(stmt, 4);
	stmt_keys(stmt, 3, group_keys, ARRAY_SIZE(group_keys), group);
	if (!group->members)
		fail("a group needs members=");
	group->id = stmt->line;
	group->node = node_find(stmt->argv[1]);
	group->iface = stmt->argv[2];
}

/* The number of the lablink called @name, as LABLINK_ID */
static unsigned int find_link(const char *name)
{
	int i = names_find(&link_names, name);

	if (i < 0)
		fail("no link \"%s\"", name);
	if (!links[i].is_lablink)
		fail("link %s is of kind %s, which has no parameters", name,
		     links[i].kind);
	return i;
}

static struct lab_group_member parse_member(char *text)
{
	char *part[2];

	if (split(text, ':', part, 2) != 2)
		fail("member \"%s\" is not <link>:ab or <link>:ba", text);
	return (struct lab_group_member){
		.link = find_link(part[0]),
		.dir = parse_dir(part[1]),
	};
}

void group_set_members(const struct stmt *stmt)
{
	struct lab_group_member member[LAB_GROUP_MAX];
	struct group_device group;
	struct lab_group_set set = { .members = (uintptr_t)member };
	char *part[LAB_GROUP_MAX];
	char *copy;
	unsigned int i;

	group_parse(stmt, &group);
	copy = strdup(group.members);
	if (!copy)
		fail_errno("memory for a group");
	set.group = group.id;
	set.quantum = group.quantum;
	set.flags = group.marked_ecmp ? LAB_GROUP_MARKED_ECMP : 0;
	set.count = split(copy, ',', part, LAB_GROUP_MAX);
	for (i = 0; i < set.count; i++)
		member[i] = parse_member(part[i]);
	if (ioctl(lab_fd, LAB_IOC_SET_GROUP, &set))
		fail_errno("setting the members of group %s", stmt->argv[0]);
	free(copy);
}

/* A plan that has only veth links needs no link module */
void lablink_open(void)
{
	lab_fd = open(LAB_DEVICE, O_RDWR | O_CLOEXEC);
}

bool lablink_present(void)
{
	return lab_fd >= 0;
}

/* The values of a "dir" line; NEVER and NULL = not given */
struct dir_values {
	u64 up, rate, delay, buffer, ecn, loss, burst, drr, strict, overhead;
	u64 trace, tso, gro;
	const char *red, *noise;
};

static const struct key dir_keys[] = {
	KEY_NUMBER(struct dir_values, up, 1),
	KEY_NUMBER(struct dir_values, rate, LAB_MAX_RATE),
	KEY_NUMBER(struct dir_values, delay, LAB_MAX_DELAY),
	KEY_NUMBER(struct dir_values, buffer, 0),
	KEY_NUMBER(struct dir_values, ecn, 0),
	KEY_NUMBER(struct dir_values, loss, LAB_PPM),
	KEY_NUMBER(struct dir_values, burst, LAB_MAX_BURST),
	KEY_NUMBER(struct dir_values, drr, LAB_MAX_DRR),
	KEY_NUMBER(struct dir_values, strict, 1),
	KEY_NUMBER(struct dir_values, overhead, LAB_MAX_OVERHEAD),
	KEY_NUMBER(struct dir_values, trace, LAB_TRACE_ALL),
	KEY_NUMBER(struct dir_values, tso, 1),
	KEY_NUMBER(struct dir_values, gro, LAB_MAX_GRO),
	KEY_STRING(struct dir_values, red),
	KEY_STRING(struct dir_values, noise),
};

/* The three values of @text, which is named @what and looks like @form */
static char *parse_three(const char *what, const char *text, const char *form,
			 char *part[3])
{
	char *copy = strdup(text);

	if (!copy)
		fail_errno("memory for %s=", what);
	if (split(copy, ',', part, 3) != 3)
		fail("%s=%s is not %s", what, text, form);
	return copy;
}

static void parse_red(const char *red, struct lab_params *params)
{
	char *part[3];
	char *copy = parse_three("red", red, "<min bytes>,<max bytes>,<ppm>",
				 part);

	params->mask |= LAB_SET_RED;
	params->red_min = parse_u64("red min", part[0], 0);
	params->red_max = parse_u64("red max", part[1], 0);
	params->red_ppm = parse_u64("red ppm", part[2], LAB_PPM);
	free(copy);
}

static unsigned int parse_shape(const char *name)
{
	static const char *const shape[] = LAB_NOISE_NAMES;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shape); i++)
		if (!strcmp(name, shape[i]))
			return i;
	fail("unknown shape of noise \"%s\"", name);
}

static void parse_noise(const char *noise, struct lab_params *params)
{
	char *part[3];
	char *copy = parse_three("noise", noise, "<shape>,<ns>,0|1", part);

	params->mask |= LAB_SET_NOISE;
	params->noise_shape = parse_shape(part[0]);
	params->noise = parse_u64("noise", part[1], LAB_MAX_NOISE);
	params->noise_overtake = parse_u64("noise overtake", part[2], 1);
	free(copy);
}

/* What of a direction a line of the plan gives, as LAB_SET_* bits */
static u32 given(const struct dir_values *values)
{
	const struct { u64 value; u32 bit; } number[] = {
		{ values->up, LAB_SET_UP },
		{ values->rate, LAB_SET_RATE },
		{ values->delay, LAB_SET_DELAY },
		{ values->buffer, LAB_SET_BUFFER },
		{ values->ecn, LAB_SET_ECN },
		{ values->loss, LAB_SET_LOSS },
		{ values->drr, LAB_SET_DRR },
		{ values->strict, LAB_SET_STRICT },
		{ values->overhead, LAB_SET_OVERHEAD },
		{ values->trace, LAB_SET_TRACE },
		{ values->tso, LAB_SET_TSO },
		{ values->gro, LAB_SET_GRO },
	};
	u32 mask = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(number); i++)
		if (number[i].value != NEVER)
			mask |= number[i].bit;
	return mask;
}

/* The kernel reads only what @mask names */
static void take_values(struct lab_params *params,
			const struct dir_values *values)
{
	params->mask = given(values);
	params->up = values->up;
	params->rate = values->rate;
	params->delay = values->delay;
	params->buffer = values->buffer;
	params->ecn = values->ecn;
	params->loss = values->loss;
	params->burst = values->burst == NEVER ? 1 : values->burst;
	params->drr = values->drr;
	params->strict = values->strict;
	params->overhead = values->overhead;
	params->trace = values->trace;
	params->tso = values->tso;
	params->gro = values->gro;
	if (values->red)
		parse_red(values->red, params);
	if (values->noise)
		parse_noise(values->noise, params);
}

/* A "dir" line, at set-up or at its time */
void lablink_set(const struct stmt *stmt)
{
	struct dir_values values;
	struct lab_params params = { 0 };

	memset(&values, 0xff, sizeof(values));	/* every number NEVER */
	values.red = NULL;
	values.noise = NULL;
	stmt_args(stmt, 3);
	stmt_keys(stmt, 2, dir_keys, ARRAY_SIZE(dir_keys), &values);
	params.link = find_link(stmt->argv[0]);
	params.dir = parse_dir(stmt->argv[1]);
	take_values(&params, &values);
	tracing |= values.trace != NEVER && values.trace;
	if (values.trace != NEVER && values.trace & LAB_TRACE_BYTES)
		pcap_open(stmt->argv[0], params.link);
	if (ioctl(lab_fd, LAB_IOC_SET, &params))
		fail_errno("setting %s %s", stmt->argv[0], stmt->argv[1]);
}

/*
 * Everything before counts as set-up: counters start from 0, generators from
 * the seed (getrandom() gives the same bytes in every run of a seed). Returns
 * the CLOCK_MONOTONIC time that is t = 0.
 */
u64 lablink_start(void)
{
	struct lab_start start = { 0 };

	if (getrandom(&start.seed, sizeof(start.seed), 0) !=
	    sizeof(start.seed))
		fail_errno("getrandom");
	if (ioctl(lab_fd, LAB_IOC_START, &start))
		fail_errno("starting the links");
	return start.t0;
}

/* Counters of all directions, by link and ab before ba; valid until next call */
const struct lab_stats *lablink_stats(unsigned int *count)
{
	static struct lab_stats *stats;
	struct lab_stats_req req = { .capacity = 2 * link_names.count };

	*count = 0;
	if (!lablink_present())
		return NULL;
	if (!stats)
		stats = zalloc(req.capacity * sizeof(*stats));
	req.ptr = (uintptr_t)stats;
	if (ioctl(lab_fd, LAB_IOC_STATS, &req))
		fail_errno("reading the links' counters");
	*count = req.count;
	return stats;
}

void lablink_info(struct lab_info *info)
{
	memset(info, 0, sizeof(*info));
	if (lablink_present() && ioctl(lab_fd, LAB_IOC_INFO, info))
		fail_errno("reading the links' state");
}

static void write_record(const struct lab_trace *rec)
{
	static const char *const event_name[] = LAB_EVENT_NAMES;

	if (!trace_file) {
		trace_file = open_output(TRACE_FILE);
		fputs("t\tlink\tdir\tevent\tlen\tqueue\thash\tlabel\tflow\tseq\n",
		      trace_file);
	}
	fprintf(trace_file, "%llu\t%s\t%s\t%s\t%u\t%u\t%08x\t%05x\t%u %u\t%u\n",
		rec->t_ns, links[rec->link].name,
		dir_name[rec->dir & 1],
		rec->event < LAB_EV_MAX ? event_name[rec->event] : "?",
		rec->len, rec->queue, rec->hash, rec->label, rec->sport,
		rec->dport, rec->seq);
}

static void take_record(const struct lab_trace *rec)
{
	if (rec->event == LAB_EV_BYTES) {
		pcap_bytes((const struct lab_trace_bytes *)rec);
		return;
	}
	if (rec->flags & LAB_TRACE_EVENTS)
		write_record(rec);
	if (rec->flags & LAB_TRACE_BYTES)
		pcap_packet(rec->link, rec->t_ns);
}

/* Empty the kernel's trace buffer into the files */
void lablink_trace(void)
{
	static struct lab_trace record[TRACE_BATCH];
	ssize_t len;
	size_t i;

	if (!tracing)
		return;
	while ((len = read(lab_fd, record, sizeof(record))) > 0)
		for (i = 0; i < len / sizeof(*record); i++)
			take_record(&record[i]);
	if (len < 0)
		fail_errno("reading " LAB_DEVICE);
}

void lablink_trace_end(void)
{
	lablink_trace();
	if (trace_file)
		close_output(trace_file, TRACE_FILE);
	pcap_end();
}
