// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are a life of a flow: its algorithm, its knobs, then ACKs, timeouts,
 * idle times and changes of knobs. After each step what must always hold is
 * checked; the sanitizers watch the rest.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include "fuzz.h"
#include "mswift.h"

/* A flow, and what was true of it before the step. */
struct life {
	struct mswift m;
	struct mswift_knobs k;
	struct dcc_quantile *history;
	struct dcc_sample s;
	struct dcc_decision d;
	u64 before;		/* window */
	u64 cut_ns;		/* last time the algorithm made it smaller; 0: never */
	u64 low, high;		/* bounds of the knobs it was last clamped to */
	u32 base_ns;		/* base RTT that its start rests on */
	bool starting;
};

static struct fuzz_alg algs[] = { { "swift", 0 }, { "lswift", 0 }, { "mswift", 0 } };

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr,
		"# %s:%d: not (%s): variant %u branch %u window %llu -> %llu of %llu..%llu, delay %u target %u srtt %u now %llu last cut %llu acked %u mss %u\n",
		__FILE__, line, what, l->m.variant, l->d.branch,
		(unsigned long long)l->before,
		(unsigned long long)l->m.swift.cwnd, (unsigned long long)l->low,
		(unsigned long long)l->high, l->d.delay_ns, l->d.target_ns,
		l->s.srtt_ns, (unsigned long long)l->s.now_ns,
		(unsigned long long)l->cut_ns, l->s.acked, l->s.mss);
	abort();
}

/* In memory of its own, so that a stray access is outside of it. */
static struct dcc_quantile *history_new(u32 cap)
{
	struct dcc_quantile *q = malloc(DCC_QUANTILE_SIZE(cap));

	memset(q, 0xa5, DCC_QUANTILE_SIZE(cap));
	dcc_quantile_init(q, cap);
	return q;
}

static void set_knobs(struct life *l, struct input *in)
{
	fuzz_knobs(in, (u32 *)&l->k, mswift_knob, MSWIFT_KNOB_COUNT, 128);
}

static u64 low_of(const struct life *l)
{
	return ((u64)l->k.swift.min_cwnd << 20) / 1000;
}

static u64 high_of(const struct life *l)
{
	return (u64)l->k.swift.max_cwnd << 20;
}

/* Was the window clamped in this step, so that the present knobs bind it? */
static void bounds(struct life *l, bool clamped)
{
	if (clamped) {
		l->low = low_of(l);
		l->high = high_of(l);
	}
	MUST(l->m.swift.cwnd >= l->low, l);
	MUST(l->m.swift.cwnd <= l->high, l);
}

/* Did the base RTT turn out to be another than the flow started with? */
static bool base_fell(const struct life *l)
{
	return !l->starting && l->s.base_rtt_ns && !l->k.swift.base_target_us &&
	       l->s.base_rtt_ns < l->base_ns - l->base_ns / 4;
}

/* Or did a flow that starts find others there, and take back what it had added? */
static bool took_back(const struct life *l)
{
	return l->starting && !l->m.swift.starting && l->d.branch == MSWIFT_INCREASE;
}

/*
 * Grown: below target, the window full. Shrunk: an RTT after the last time, or what a
 * start had added. A window outside of changed knobs is moved to their bound by any rule.
 */
static void check_change(struct life *l)
{
	bool moved_bound = l->before < low_of(l) || l->before > high_of(l);

	if (base_fell(l) || took_back(l))
		return;
	if (l->m.swift.cwnd > l->before && !moved_bound)
		MUST((l->d.branch == MSWIFT_INCREASE ||
		      l->d.branch == MSWIFT_START) && l->s.cwnd_limited, l);
	if (l->m.swift.cwnd < l->before && !moved_bound) {
		MUST(l->d.branch == MSWIFT_DECREASE ||
		     l->d.branch == MSWIFT_LOSS, l);
		MUST(!l->cut_ns || l->s.now_ns - l->cut_ns >= l->s.srtt_ns, l);
		l->cut_ns = l->s.now_ns;
	}
}

static void check_branch(struct life *l)
{
	const struct dcc_decision *d = &l->d;

	MUST(d->branch <= MSWIFT_START, l);
	if (d->branch == MSWIFT_START)
		MUST(d->delay_ns < d->target_ns && l->m.swift.starting, l);
	if (d->branch == MSWIFT_INCREASE && !d->delay_ns)
		MUST(l->s.acked && l->before < DCC_PKT, l);
	else if (d->branch == MSWIFT_INCREASE)
		MUST(d->delay_ns < d->target_ns, l);
	if (d->branch == MSWIFT_DECREASE || d->branch == MSWIFT_WAIT)
		MUST(d->target_ns && d->delay_ns >= d->target_ns, l);
	if (d->branch == MSWIFT_HOLD || d->branch == MSWIFT_WAIT)
		MUST(base_fell(l) ? l->m.swift.cwnd < l->before || l->before <= DCC_PKT :
				    l->m.swift.cwnd == l->before, l);
	if (d->branch == MSWIFT_LOSS && l->m.variant != MSWIFT_SWIFT)
		MUST(l->s.losses && l->s.lost_run >= l->k.loss_run, l);
	if (d->branch == MSWIFT_LOSS && l->m.variant == MSWIFT_SWIFT)
		MUST(l->s.recovery, l);
}

/* Windows of up to 2^16-byte packets come out as they are. */
static void check_decision(struct life *l)
{
	u64 bytes = l->m.swift.cwnd * l->s.mss;

	if (l->s.mss <= 0xffff)
		MUST(l->d.cwnd == bytes / 4096, l);
	MUST(l->d.pacing_rate == 0, l);
	MUST(l->history->n <= l->history->cap, l);
	if (l->s.delay_ns && l->m.variant != MSWIFT_MSWIFT &&
	    l->d.delay_ns)
		MUST(l->d.delay_ns == l->s.delay_ns, l);
}

/* Time never runs backwards; it may stand still, or jump. */
static void pass_time(struct life *l, struct input *in)
{
	l->s.now_ns += number(in);
}

static void read_sample(struct life *l, struct input *in)
{
	struct dcc_sample *s = &l->s;
	u32 flags = byte(in);

	/* Delays and RTTs that fit together, or anything at all. */
	s->srtt_ns = flags & 16 ? number(in) : 10000 + byte(in) * 1000;
	s->delay_ns = flags & 32 ? number(in) : s->srtt_ns / 2 + byte(in) * 500;
	s->base_rtt_ns = flags & 64 ? number(in) : min(s->delay_ns, 10000U);
	s->acked = flags & 128 ? number(in) : byte(in) & 7;
	s->cwnd_limited = flags & 1;
	s->fills = byte(in) & 1;
	s->recovery = flags & 2;
	s->maybe_delayed = flags & 4;
	s->losses = flags & 8 ? number(in) : 0;
	s->lost_run = flags & 8 ? byte(in) : 0;
	s->line_rate = byte(in) & 1 ? (u64)number(in) << (byte(in) & 31) : 0;
	s->mss = byte(in) < 224 ? 1460 : number(in) | 1;
	s->acked_bytes = number(in);
	s->inflight = number(in);
	s->sent_ns = s->now_ns - s->delay_ns;
}

static void step_ack(struct life *l, struct input *in)
{
	pass_time(l, in);
	read_sample(l, in);
	l->starting = l->m.swift.starting;
	l->base_ns = l->m.start_base_ns;
	memset(&l->d, 0xa5, sizeof(l->d));
	mswift_on_ack(&l->m, l->history, &l->k, &l->s, &l->d);
	bounds(l, l->d.branch != MSWIFT_HOLD && l->d.branch != MSWIFT_WAIT);
	MUST(!base_fell(l) || l->m.start_base_ns == l->s.base_rtt_ns, l);
	check_change(l);
	check_branch(l);
	check_decision(l);
}

/* A timeout never grows the window; the fifth in a row may break the gate. */
static void step_rto(struct life *l, struct input *in)
{
	pass_time(l, in);
	mswift_on_rto(&l->m, &l->k, l->s.now_ns, l->s.srtt_ns);
	MUST(l->m.swift.rto_run >= 1 && l->m.swift.rto_run <= 5, l);
	if (l->m.swift.rto_run == 5)
		MUST(l->m.swift.cwnd == low_of(l), l);
	bounds(l, l->m.swift.cwnd != l->before || l->m.swift.rto_run == 5);
	if (l->before >= low_of(l))
		MUST(l->m.swift.cwnd <= l->before, l);
	if (l->m.swift.cwnd < l->before)
		l->cut_ns = l->s.now_ns;
}

/* A flow starts with room for few delays and gets more as its window grows. */
static void step_more_room(struct life *l)
{
	struct dcc_quantile *q;
	u32 held = l->history->n;

	if (l->history->cap > DCC_Q_FEW)
		return;
	q = history_new(MSWIFT_MAX_HISTORY);
	dcc_quantile_move(q, l->history);
	free(l->history);
	l->history = q;
	MUST(q->n == held, l);
}

/* Most steps are ACKs. */
static void step(struct life *l, struct input *in)
{
	u32 kind = byte(in);

	algs[l->m.variant].events++;
	l->before = l->m.swift.cwnd;
	if (kind < 245) {
		step_ack(l, in);
	} else if (kind < 251) {
		step_rto(l, in);
	} else if (kind < 252) {
		step_more_room(l);
	} else if (kind < 254) {
		pass_time(l, in);
		mswift_on_idle(l->history);
		MUST(!dcc_quantile_get(l->history, 50), l);
	} else {
		set_knobs(l, in);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct life l = { 0 };

	fuzz_begin(algs, ARRAY_SIZE(algs));
	l.s.now_ns = 1;		/* 0 stands for "never" in the algorithm */
	set_knobs(&l, &in);
	l.history = history_new(byte(&in) & 3 ? DCC_Q_FEW : MSWIFT_MAX_HISTORY);
	mswift_init(&l.m, &l.k, byte(&in) % MSWIFT_VARIANTS, number(&in));
	mswift_slow_start(&l.m, &l.k);
	bounds(&l, true);
	while (in.left)
		step(&l, &in);
	free(l.history);
	return 0;
}
