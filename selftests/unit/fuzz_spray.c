// SPDX-License-Identifier: GPL-2.0
/*
 * Random lives of path engines: every engine, every number of paths, packets,
 * news true and false, and gaps. After each step what must always hold is
 * checked; the sanitizers watch the rest.
 */
#include "dcc_spray.h"
#include "unit.h"

#define STEPS		600	/* of a life */
#define LABELS_SEEN	64	/* labels sent that news may come of */

/* An engine in memory of its own, so that a stray access is outside of it. */
struct life {
	struct dcc_spray *s;
	struct dcc_spray before;
	u64 now;
	u64 key;
	u32 sent[LABELS_SEEN];
};

/* The first thing that does not hold tells where it happened. */
#define MUST(condition, l) do {						\
	if (!(condition))						\
		unit_fail(__FILE__, __LINE__,				\
			  "not (%s): engine %u paths %u key %llu count %u", \
			  #condition, (l)->s->engine, (l)->s->paths,	\
			  (unsigned long long)(l)->key, (l)->s->count);	\
} while (0)

static bool has_penalties(const struct life *l)
{
	return l->s->engine == DCC_SPRAY_BITMAP ||
	       l->s->engine == DCC_SPRAY_MIXED;
}

static u32 penalty_sum(const struct dcc_spray *s)
{
	u32 i, sum = 0;

	for (i = 0; i < DCC_SPRAY_MAX_PENALTIES; i++)
		sum += s->bitmap.penalty[i];
	return sum;
}

/* One of the flow's fixed labels? */
static bool is_own(const struct life *l, u32 label)
{
	u32 i;

	for (i = 0; i < l->s->paths; i++)
		if (dcc_spray_label(l->key, i) == label)
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

/* What is true of an engine at rest. */
static void check_state(const struct life *l)
{
	const struct dcc_spray *s = l->s;
	u32 i;

	MUST(s->key == l->key, l);
	MUST(s->paths && !(s->paths & (s->paths - 1)), l);
	if (s->engine == DCC_SPRAY_REPS) {
		MUST(s->reps.len <= DCC_SPRAY_CACHE, l);
		MUST(!(s->reps.fresh >> s->reps.len), l);
		MUST(s->reps.explore <= DCC_SPRAY_EXPLORE, l);
		MUST(!is_cached(&s->reps, 0), l);
	}
	if (!has_penalties(l))
		return;
	MUST(s->paths <= DCC_SPRAY_MAX_PENALTIES, l);
	MUST(s->bitmap.queued <= DCC_SPRAY_QUEUE, l);
	MUST(s->engine == DCC_SPRAY_MIXED || !s->bitmap.queued, l);
	for (i = 0; i < DCC_SPRAY_MAX_PENALTIES; i++)
		MUST(s->bitmap.penalty[i] <= (i < s->paths ? 15 : 0), l);
}

/* A packet costs at most one penalty point and N + 1 steps of the walk. */
static void check_walk(const struct life *l, u32 label)
{
	u32 steps = l->s->count - l->before.count;
	u32 was = penalty_sum(&l->before), is = penalty_sum(l->s);

	MUST(is_own(l, label), l);
	MUST(steps <= l->s->paths + 1, l);
	MUST(is == (steps > 1 ? was - 1 : was), l);
	MUST(steps || l->before.bitmap.queued, l);
	MUST(!steps || !l->s->bitmap.queued, l);
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

static void step_send(struct life *l)
{
	struct dcc_spray twin = *l->s;
	u32 label = dcc_spray_next(l->s, l->now);

	MUST(label > 0 && label <= DCC_LABEL_MASK, l);
	MUST(label == dcc_spray_next(&twin, l->now), l);
	if (l->s->engine == DCC_SPRAY_REPS)
		check_recycled(l, label);
	else if (has_penalties(l))
		check_walk(l, label);
	else
		MUST(l->s->count - l->before.count == 1, l);
	l->sent[unit_below(LABELS_SEEN)] = label;
}

/* Mostly a label that was sent, else one of the flow's, none, or anything. */
static u32 any_label(const struct life *l)
{
	switch (unit_below(8)) {
	case 0:
		return 0;
	case 1:
		return (u32)unit_rand();
	case 2:
		return dcc_spray_label(l->key, unit_below(l->s->paths));
	default:
		return l->sent[unit_below(LABELS_SEEN)];
	}
}

static void check_heard(const struct life *l, u32 label,
			enum dcc_path_event event)
{
	static const u32 most[] = { 0, 1, 4, 15 };
	u32 was = penalty_sum(&l->before), is = penalty_sum(l->s);
	bool lost = event == DCC_PATH_LOST || event == DCC_PATH_TIMEOUT;

	MUST(l->s->count == l->before.count, l);
	if (has_penalties(l)) {
		MUST(is >= was && is - was <= most[event], l);
		MUST(is == was || is_own(l, label), l);
	}
	if (l->s->engine == DCC_SPRAY_REPS && lost)
		MUST(!is_cached(&l->s->reps, label), l);
}

/* Good news is the rule. */
static void step_hear(struct life *l)
{
	enum dcc_path_event event = DCC_PATH_GOOD;
	u32 label = any_label(l), kind = unit_below(64);

	if (kind < 30)
		event = kind < 18 ? DCC_PATH_CE :
			kind < 28 ? DCC_PATH_LOST : DCC_PATH_TIMEOUT;
	dcc_spray_heard(l->s, label, event, l->now, unit_below(3000));
	check_heard(l, label, event);
}

static void live(u32 engine, u32 paths)
{
	struct life l = { .key = unit_rand() };
	u32 i;

	l.s = malloc(sizeof(*l.s));
	memset(l.s, (int)unit_rand(), sizeof(*l.s));
	dcc_spray_init(l.s, engine, paths, l.key);
	if (unit_below(2))
		l.s->count = 0U - unit_below(2 * STEPS);
	for (i = 0; i < STEPS; i++) {
		l.now += unit_below(32) ? unit_below(20) : unit_below(10000);
		l.before = *l.s;
		if (unit_below(2))
			step_send(&l);
		else
			step_hear(&l);
		check_state(&l);
	}
	free(l.s);
}

static void live_all(u32 engine)
{
	u32 paths, i;

	for (paths = 1; paths <= DCC_SPRAY_MAX_PATHS; paths *= 2)
		for (i = 0; i < 12; i++)
			live(engine, paths);
}

static void dcc_spray__lives_off(void)
{
	live_all(DCC_SPRAY_OFF);
}

static void dcc_spray__lives_oblivious(void)
{
	live_all(DCC_SPRAY_OBLIVIOUS);
}

static void dcc_spray__lives_bitmap(void)
{
	live_all(DCC_SPRAY_BITMAP);
}

static void dcc_spray__lives_reps(void)
{
	live_all(DCC_SPRAY_REPS);
}

static void dcc_spray__lives_mixed(void)
{
	live_all(DCC_SPRAY_MIXED);
}

static const struct unit_test tests[] = {
	UNIT_TEST(dcc_spray__lives_off),
	UNIT_TEST(dcc_spray__lives_oblivious),
	UNIT_TEST(dcc_spray__lives_bitmap),
	UNIT_TEST(dcc_spray__lives_reps),
	UNIT_TEST(dcc_spray__lives_mixed),
};

UNIT_MAIN(tests)
