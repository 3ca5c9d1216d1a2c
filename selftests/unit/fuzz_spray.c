// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are a life of a path selector: any selector, any number of paths,
 * packets, news true and false, and gaps. After each step what must always hold
 * is checked; the sanitizers watch the rest.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include "path/dcc_spray.h"
#include "fuzz.h"

#define LABELS_SEEN	64	/* labels sent that news may come of */

/* By selector. */
static struct fuzz_alg algs[] = {
	{ "off", 0 }, { "oblivious", 0 }, { "bitmap", 0 }, { "reps", 0 },
	{ "mixed", 0 }, { "mrc", 0 },
};

/* A selector in memory of its own, so that a stray access is outside of it. */
struct life {
	struct dcc_spray *s;
	struct dcc_spray before;
	u64 now;
	u64 key;
	u32 sent[LABELS_SEEN];
};

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr, "# %s:%d: not (%s): selector %u paths %u key %llu count %u\n",
		__FILE__, line, what, l->s->selector, l->s->paths,
		(unsigned long long)l->key, l->s->count);
	abort();
}

static bool has_penalties(const struct life *l)
{
	return l->s->selector == DCC_SPRAY_BITMAP ||
	       l->s->selector == DCC_SPRAY_MIXED;
}

/* A selector ends where its size says. */
static struct dcc_spray copy_of(const struct dcc_spray *s)
{
	struct dcc_spray copy = { 0 };

	memcpy(&copy, s, dcc_spray_size(s->selector));
	return copy;
}

static u32 penalty_sum(const struct dcc_spray *s)
{
	u32 i, sum = 0;

	for (i = 0; i < DCC_SPRAY_MAX_PENALTIES; i++)
		sum += dcc_spray_penalty(s->bitmap.label[i]);
	return sum;
}

/* The label that an index has now. */
static u32 label_of(const struct dcc_spray *s, u32 i)
{
	if (s->selector == DCC_SPRAY_MRC)
		i |= (s->mrc.label[i] & DCC_SPRAY_MRC_DRAWN) << 8;
	return dcc_spray_label(s->key, i);
}

/* One of the flow's labels of now? */
static bool is_own(const struct life *l, u32 label)
{
	u32 i;

	for (i = 0; i < l->s->paths; i++)
		if (label_of(l->s, i) == label)
			return true;
	return false;
}

static bool is_cached(const struct dcc_spray_reps *r, u32 label)
{
	u32 i;

	for (i = 0; i < r->len; i++)
		if (r->label[i] == label)
			return true;
	return false;
}

static u32 retired(const struct dcc_spray *s)
{
	u32 i, sum = 0;

	for (i = 0; i < DCC_SPRAY_MAX_PENALTIES; i++)
		sum += s->mrc.label[i] >> 7;
	return sum;
}

static bool is_retired(const struct dcc_spray *s, u32 label)
{
	u32 i;

	for (i = 0; i < s->paths; i++)
		if (label_of(s, i) == label)
			return s->mrc.label[i] & DCC_SPRAY_MRC_RETIRED;
	return false;
}

/* Half are in use; beyond the labels there is nothing. */
static void check_mrc(const struct life *l)
{
	const struct dcc_spray_mrc *m = &l->s->mrc;
	u32 i;

	MUST(m->retired == retired(l->s) && m->retired <= l->s->paths / 2, l);
	MUST(m->gap <= DCC_SPRAY_MRC_GAP && l->s->queue.len <= 8, l);
	MUST(m->need == DCC_SPRAY_MRC_NEED || m->need == DCC_SPRAY_MRC_ALIVE, l);
	MUST(m->recycled <= DCC_SPRAY_MRC_RECYCLED, l);
	MUST(m->run < m->need && m->since <= DCC_SPRAY_MRC_PACKETS, l);
	for (i = l->s->paths; i < DCC_SPRAY_MAX_PENALTIES; i++)
		MUST(!m->label[i], l);
}

/* Nothing of a label that is none; of one a penalty, or that it is watched. */
static void check_remembered(const struct life *l, u32 i)
{
	u8 label = l->s->bitmap.label[i], count = label & DCC_SPRAY_PENALTY;

	MUST(i < l->s->paths || !label, l);
	MUST(count <= (label & DCC_SPRAY_LOSSY ? DCC_SPRAY_MOST :
		       label & DCC_SPRAY_WATCHED ? DCC_SPRAY_WATCH : DCC_SPRAY_PENALTY_CAP), l);
	MUST(!!count == !!label, l);
	MUST((label & ~DCC_SPRAY_PENALTY) != (DCC_SPRAY_LOSSY | DCC_SPRAY_WATCHED), l);
}

/* What is true of a selector at rest. */
static void check_state(const struct life *l)
{
	const struct dcc_spray *s = l->s;
	u32 i;

	MUST(s->key == l->key, l);
	MUST(s->paths && !(s->paths & (s->paths - 1)), l);
	if (s->selector == DCC_SPRAY_REPS) {
		MUST(s->reps.len <= DCC_SPRAY_CACHE, l);
		MUST(!(s->reps.fresh >> s->reps.len), l);
		MUST(s->reps.explore <= DCC_SPRAY_EXPLORE, l);
		MUST(!is_cached(&s->reps, 0), l);
	}
	if (s->selector == DCC_SPRAY_MRC)
		check_mrc(l);
	if (!has_penalties(l))
		return;
	MUST(s->paths <= DCC_SPRAY_MAX_PENALTIES, l);
	MUST(s->queue.len <= DCC_SPRAY_QUEUE, l);
	MUST(s->selector == DCC_SPRAY_MIXED || !s->queue.len, l);
	for (i = 0; i < DCC_SPRAY_MAX_PENALTIES; i++)
		check_remembered(l, i);
}

/*
 * A packet costs at most one penalty point and N + 1 steps of the walk; one that seeks, a
 * step.
 */
static void check_walk(const struct life *l, u32 label)
{
	u32 steps = l->s->count - l->before.count;
	u32 was = penalty_sum(&l->before), is = penalty_sum(l->s);

	MUST(is_own(l, label), l);
	if (l->s->seek != l->before.seek) {
		MUST(steps == 1 && is == was, l);
		MUST(l->s->queue.len == l->before.queue.len, l);
		return;
	}
	MUST(steps <= l->s->paths + 1, l);
	MUST(is == (steps > 1 ? was - 1 : was), l);
	MUST(steps || l->before.queue.len, l);
	MUST(!steps || !l->s->queue.len, l);
}

/* One of its own: a probe, a recycled one, or one within two laps of the walk. */
static void check_asked(const struct life *l, u32 label)
{
	u32 steps = l->s->count - l->before.count;
	bool probe = l->s->mrc.asked_ns != l->before.mrc.asked_ns;

	MUST(is_own(l, label), l);
	MUST(steps < 2 * l->s->paths, l);
	MUST(probe == is_retired(l->s, label), l);
	MUST(!probe || !steps, l);
	MUST(steps || probe || l->before.queue.len, l);
}

/* Recycled from the cache, or drawn. */
static void check_recycled(const struct life *l, u32 label)
{
	if (l->s->count == l->before.count)
		MUST(is_cached(&l->before.reps, label), l);
	else
		MUST(label == dcc_spray_oblivious(l->key, l->before.count,
						  l->s->paths), l);
}

static void step_send(struct life *l, struct input *in)
{
	struct dcc_spray twin = copy_of(l->s);
	u32 label = dcc_spray_next(l->s, l->now);

	MUST(label > 0 && label <= DCC_LABEL_MASK, l);
	MUST(label == dcc_spray_next(&twin, l->now), l);
	if (l->s->selector == DCC_SPRAY_REPS)
		check_recycled(l, label);
	else if (has_penalties(l))
		check_walk(l, label);
	else if (l->s->selector == DCC_SPRAY_MRC)
		check_asked(l, label);
	else
		MUST(l->s->count - l->before.count == 1, l);
	l->sent[byte(in) % LABELS_SEEN] = label;
}

/* Mostly a label that was sent, else one of the flow's, none, or anything. */
static u32 any_label(const struct life *l, struct input *in)
{
	u32 kind = byte(in);

	if (kind < 32)
		return 0;
	if (kind < 64)
		return number(in);
	if (kind < 96)
		return label_of(l->s, below(in, min(l->s->paths, 256U)));
	return l->sent[kind % LABELS_SEEN];
}

static void check_heard(const struct life *l, u32 label,
			enum dcc_path_event event)
{
	static const u32 most[] = { 0, 1, 40, 40 };
	bool lost = event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT;
	bool forgives = l->s->selector == DCC_SPRAY_MIXED && event == DCC_PATH_GOOD &&
			l->before.seek;
	u32 was, is;

	MUST(l->s->count == l->before.count, l);
	MUST(l->s->seek == (lost ? DCC_SPRAY_SEEK : l->before.seek), l);
	if (has_penalties(l)) {
		was = penalty_sum(&l->before);
		is = penalty_sum(l->s);
		if (forgives)
			MUST(is <= was && was - is <= DCC_SPRAY_MOST, l);
		else
			MUST(is >= was && is - was <= most[event], l);
		MUST(is == was || is_own(l, label), l);
	}
	if (l->s->selector == DCC_SPRAY_REPS && lost)
		MUST(!is_cached(&l->s->reps, label), l);
}

/* Good news is the rule. */
static void step_hear(struct life *l, struct input *in)
{
	enum dcc_path_event event = DCC_PATH_GOOD;
	u32 label = any_label(l, in), kind = byte(in);
	struct dcc_path_news n;

	if (kind < 120)
		event = kind < 72 ? DCC_PATH_CE :
			kind < 112 ? DCC_PATH_LOST : DCC_PATH_TIMEOUT;
	n = (struct dcc_path_news) {
		.now_ns = l->now, .label = label, .event = event,
		.delay_ns = kind & 1 ? number(in) >> byte(in) % 32 : 0,
		.base_ns = byte(in) % 8,
	};
	dcc_spray_heard(l->s, &n);
	check_heard(l, label, event);
}

static void step(struct life *l, struct input *in)
{
	u32 kind = byte(in);

	l->now += kind < 248 ? byte(in) & 31 : number(in);
	l->before = copy_of(l->s);
	if (kind & 1)
		step_send(l, in);
	else
		step_hear(l, in);
	check_state(l);
	algs[l->s->selector].events++;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u32 selector = byte(&in) % DCC_SPRAY_COUNT, paths = 1U << byte(&in) % 17;
	struct life l = { .key = (u64)number(&in) << 32 | number(&in) };

	fuzz_begin(algs, ARRAY_SIZE(algs));
	l.s = malloc(dcc_spray_size(selector));
	memset(l.s, 0xa5, dcc_spray_size(selector));
	dcc_spray_init(l.s, selector, paths, l.key);
	if (byte(&in) & 1)
		l.s->count = 0U - byte(&in);	/* as after a long life */
	while (in.left)
		step(&l, &in);
	free(l.s);
	return 0;
}
