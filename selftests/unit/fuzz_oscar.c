// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are a life of a flow: its knobs, then ACKs with losses, timeouts,
 * idle times, memory that comes and goes, changes of knobs. After each step what
 * must always hold is checked; the sanitizers watch the rest.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include <math.h>

#include "fuzz.h"
#include "oscar.h"

/* A flow, and what was true of it before the step. */
struct life {
	struct oscar o;
	struct oscar_memory m;
	struct oscar_knobs k;
	struct dcc_sample s;
	struct dcc_decision d;
	struct oscar before;
	bool memory;
};

static struct fuzz_alg algs[] = { { "oscar", 0 } };

#define NANO	0.000000001

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr,
		"# %s:%d: not (%s): branch %02x u %llu -> %llu window %llu pacing %llu, delay %u target %u base %u now %llu sent %llu bytes %u mss %u rate %llu count %u\n",
		__FILE__, line, what, l->d.branch,
		(unsigned long long)l->before.u, (unsigned long long)l->o.u,
		(unsigned long long)l->o.cwnd, (unsigned long long)l->o.pacing,
		l->d.delay_ns, l->d.target_ns, l->s.base_rtt_ns,
		(unsigned long long)l->s.now_ns,
		(unsigned long long)l->s.sent_ns, l->s.acked_bytes, l->s.mss,
		(unsigned long long)l->s.line_rate, l->m.batch.lsq.count);
	abort();
}

static void set_knobs(struct life *l, struct input *in)
{
	fuzz_knobs(in, (u32 *)&l->k, oscar_knob, OSCAR_KNOB_COUNT, 160);
}

static u64 unit(u32 millionths)
{
	return (u64)millionths * OSCAR_MILLIONTH;
}

/* The sums are within what dcc_lsq.h promises. */
static void check_batch(struct life *l)
{
	const struct oscar_batch *b = &l->m.batch;
	const struct dcc_lsq *q = &b->lsq;

	if (!b->start_ns)
		return;
	MUST(b->last_ns >= b->start_ns, l);
	MUST(q->count < DCC_LSQ_MAX_COUNT, l);
	if (!q->count)
		return;
	MUST(q->min_ns <= 0 && q->max_ns >= 0, l);
	MUST(dcc_lsq_span(q) <= 2 * DCC_LSQ_MAX_SPAN, l);
	MUST(q->sum_y >> 44 == 0 && b->inflight >> 44 == 0, l);
	MUST(llabs(q->sum_x) <= 1LL << 31, l);
	MUST((double)q->sum_xx * q->count <= ldexp(1, 62), l);
}

/* u, w and r are one. */
static void check_share(struct life *l)
{
	double window, mu = l->s.line_rate, bdp;
	u32 base = l->o.base_rtt_ns;

	MUST(l->o.u <= OSCAR_ONE, l);
	MUST(l->o.pacing && fabs(l->o.pacing - l->o.u / 1e15 * mu) <= 1 + NANO * l->o.pacing, l);
	bdp = base * mu / 1e9 * 256;
	if (bdp < 1)
		return;
	window = fmin(l->o.u / 1e15 * l->d.target_ns * mu / 1e9 * 256, bdp);
	MUST(fabs(l->o.cwnd - window) <= 4 + NANO * window, l);
}

/* A batch closed that met a queue, or lost too much. */
static void check_queue(struct life *l, const struct oscar_params *p)
{
	u64 least = unit(l->k.u_min), before = l->before.u;

	if (l->k.ramp)
		MUST(!l->m.ramp.empty_ns && !(l->d.branch & OSCAR_MARK_RAMP), l);
	if (l->d.branch & OSCAR_MARK_LOST) {
		MUST(l->k.loss_response && l->o.phase == OSCAR_CONTENDED, l);
		MUST(l->o.u >= max(least, before / 2) && l->o.u <= max(least, before), l);
	} else if (!(l->d.branch & OSCAR_MARK_APP)) {
		MUST(l->o.u >= max(least, min(p->u_ai, OSCAR_ONE)), l);
	}
}

/* One closed that met none. */
static void check_empty(struct life *l, const struct oscar_params *p)
{
	u64 least = unit(l->k.u_min), next = l->before.u + unit(l->k.u_hai);

	MUST(!(l->d.branch & (OSCAR_MARK_LOST | OSCAR_MARK_RATE)), l);
	if (l->d.branch & OSCAR_MARK_RAMP)
		MUST(l->k.ramp && l->m.ramp.empty_ns > p->base_rtt_ns, l);
	if (l->d.branch & OSCAR_MARK_APP)
		return;
	if (l->d.branch & OSCAR_MARK_RAMP)
		MUST(l->o.u >= clamp_t(u64, next, least, OSCAR_ONE), l);
	else
		MUST(l->o.u == clamp_t(u64, next, least, OSCAR_ONE), l);
}

/* A batch closed: u is where the rules can have put it. */
static void check_closed(struct life *l, u8 branch)
{
	u64 least = unit(l->k.u_min), before = l->before.u;
	struct oscar_params p;

	oscar_params_set(&p, &l->k, dcc_sample_base(&l->s), l->s.line_rate);
	MUST(p.u_ai <= 3 * unit(l->k.u_ai), l);
	if (l->k.packet_ai)
		oscar_packet_ai(&p, l->s.mss);
	MUST(l->before.phase != OSCAR_BURST && !l->s.drains, l);
	MUST(l->m.batch.start_ns && !l->m.batch.lsq.count, l);
	MUST(l->o.u >= least, l);
	if (l->o.phase != OSCAR_CONTENDED)
		MUST(l->o.u >= before, l);
	if (l->d.branch & OSCAR_MARK_APP)
		MUST(l->o.u == clamp_t(u64, before, least, OSCAR_ONE), l);
	if (l->s.app_limited)
		MUST(l->o.u <= max(before, least), l);
	if (branch == OSCAR_HYPER)
		check_empty(l, &p);
	else
		check_queue(l, &p);
}

/* Nothing closed: only a burst that met others changes u, and only lowers it. */
static void check_hold(struct life *l)
{
	u64 least = unit(l->k.u_min);

	if (l->before.phase == OSCAR_BURST && l->o.phase == OSCAR_CONTENDED)
		MUST(l->o.u <= l->before.u && l->o.u >= min(least, l->before.u), l);
	else
		MUST(l->o.u == l->before.u, l);
}

static void check_branch(struct life *l)
{
	u8 branch = l->d.branch & OSCAR_BRANCH;
	bool blind = !l->memory || !l->s.line_rate ||
		     (l->s.delay_ns && !l->s.sent_ns);

	MUST((branch == OSCAR_RENO) == blind, l);
	MUST(branch <= OSCAR_RENO && l->o.fallback == blind, l);
	MUST(l->d.alone == (l->o.phase != OSCAR_CONTENDED), l);
	MUST(l->d.alone || !l->d.starts, l);
	MUST(l->before.phase != OSCAR_CONTENDED || l->o.phase == OSCAR_CONTENDED, l);
	if (blind) {
		MUST(l->d.pacing_rate == 0 && l->o.u == l->before.u, l);
		MUST(l->o.cwnd >= (u64)l->s.mss << 8 && l->o.cwnd <= DCC_RENO_MOST, l);
		MUST(!l->d.alone && !l->d.largest, l);
		return;
	}
	check_share(l);
	if (branch == OSCAR_HOLD)
		check_hold(l);
	else
		check_closed(l, branch);
	if (l->d.branch & OSCAR_MARK_RATE)
		MUST(branch == OSCAR_SPEED_UP || branch == OSCAR_SLOW_DOWN, l);
	if (!l->s.base_rtt_ns && !l->s.hosts_ns && !l->k.base_rtt_ns)
		MUST(branch == OSCAR_HOLD, l);
}

static void read_sample(struct life *l, struct input *in)
{
	struct dcc_sample *s = &l->s;
	u32 flags = byte(in), more = byte(in);

	s->now_ns += flags & 1 ? number(in) : byte(in) * 50;
	s->mss = more & 7 ? 1460 : 1 + number(in) % 65535;
	s->base_rtt_ns = flags & 2 ? 12000 + byte(in) : number(in);
	s->delay_ns = flags & 4 ? number(in) :
				  s->base_rtt_ns + byte(in) * 100;
	s->sent_ns = more & 8 ? s->now_ns - s->delay_ns :
				s->now_ns - number(in);
	s->acked = byte(in) & 3;
	s->acked_bytes = flags & 8 ? number(in) : s->acked * s->mss;
	s->losses = more & 8 ? 0 : byte(in) & 3;
	s->inflight = number(in);
	s->flight = number(in);
	s->recovery = !(flags & 0x30);
	s->cwnd_limited = flags & 32;
	s->maybe_delayed = !(flags & 0xc0);
	s->line_rate = more & 16 ? 12500000000ULL :
		       more & 32 ? 0 : (u64)number(in) << (byte(in) & 7);
	s->app_limited = more & 128;
	s->fills = flags & 16;
	s->drains = !byte(in);
	s->sprayed = flags & 2;
	s->hosts_ns = flags & 4 ? byte(in) * 10 : 0;
	l->memory = more & 64 || byte(in);
}

static void step_ack(struct life *l, struct input *in)
{
	read_sample(l, in);
	memset(&l->d, 0xa5, sizeof(l->d));
	oscar_on_ack(&l->o, l->memory ? &l->m : NULL, &l->k, &l->s, &l->d);
	MUST((l->d.cwnd >= l->o.cwnd || l->o.phase == OSCAR_BURST) &&
	     l->d.cwnd % ((u64)l->s.mss << 8) == 0 &&
	     (l->d.cwnd < l->o.cwnd || l->d.cwnd - l->o.cwnd < (u64)l->s.mss << 8), l);
	MUST(l->d.pacing_rate == l->o.pacing, l);
	MUST(l->d.share == l->o.u / OSCAR_MILLIONTH, l);
	check_branch(l);
	check_batch(l);
}

static void step_rto(struct life *l)
{
	oscar_on_rto(&l->o, &l->m, &l->k, l->s.mss);
	MUST(!l->m.batch.start_ns && l->o.phase == OSCAR_CONTENDED, l);
	if (l->before.fallback)
		MUST(l->o.cwnd == (u64)l->s.mss << 8 &&
		     l->o.u == l->before.u, l);
	else
		MUST(l->o.u == max(l->before.u / 2, unit(l->k.u_min)), l);
}

/*
 * Most steps are ACKs. The knobs of a flow never change while it lives; a change
 * here starts a new one.
 */
static void step(struct life *l, struct input *in)
{
	u32 kind = byte(in);

	algs[0].events++;
	l->before = l->o;
	if (kind < 249) {
		step_ack(l, in);
	} else if (kind < 252) {
		step_rto(l);
	} else if (kind < 254) {
		oscar_on_idle(&l->m);
		MUST(l->o.u == l->before.u, l);
	} else {
		set_knobs(l, in);
		oscar_init(&l->o, &l->k, l->s.line_rate, number(in));
		l->m = (struct oscar_memory) {};
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct life l = { .s.mss = 1460 };

	fuzz_begin(algs, ARRAY_SIZE(algs));
	l.s.now_ns = number(&in);
	set_knobs(&l, &in);
	oscar_init(&l.o, &l.k, 0, number(&in));
	while (in.left)
		step(&l, &in);
	return 0;
}
