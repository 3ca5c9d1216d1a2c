// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are a life of a flow: its algorithm, its knobs, then ACKs with losses,
 * timeouts, idle times and changes of knobs. After each step what must always
 * hold is checked; the sanitizers watch the rest.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include <math.h>

#include "fuzz.h"
#include "nscc.h"

/* A flow, and what was true of it before the step. */
struct life {
	struct nscc n;
	struct nscc_memory *m;
	struct nscc_knobs k;
	struct dcc_sample s;
	struct dcc_decision d;
	struct nscc before;
	u64 cut_ns;		/* last multiplicative decrease; 0: never */
};

static struct fuzz_alg algs[] = { { "nscc", 0 }, { "mnscc", 0 } };

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr,
		"# %s:%d: not (%s): variant %u branch %02x window %llu -> %llu, delay %u target %u base %u now %llu bytes %u losses %u mss %u rate %llu limited %u\n",
		__FILE__, line, what, (u32)l->n.variant, l->d.branch,
		(unsigned long long)l->before.cwnd,
		(unsigned long long)l->n.cwnd, l->d.delay_ns, l->d.target_ns,
		l->s.base_rtt_ns, (unsigned long long)l->s.now_ns,
		l->s.acked_bytes, l->s.losses, l->s.mss,
		(unsigned long long)l->s.line_rate, l->s.cwnd_limited);
	abort();
}

static void set_knobs(struct life *l, struct input *in)
{
	fuzz_knobs(in, (u32 *)&l->k, nscc_knob, NSCC_KNOB_COUNT, 160);
}

/* What the algorithm takes for the base RTT: R until a smaller one is measured. */
static u32 base_rtt(const struct life *l)
{
	u32 r = l->k.network_rtt_ns, base = l->s.base_rtt_ns;

	return r && (!base || base > r) ? r : base;
}

/* One packet to the largest window, in real numbers. */
static void check_bounds(struct life *l)
{
	double bdp = (double)l->s.line_rate * base_rtt(l) / 1e9;
	double most = bdp > 0 ? bdp * l->k.max_window / 1000 : NSCC_CWND_MAX;
	double cwnd = l->n.cwnd / 256.0;

	most = most > NSCC_CWND_MAX ? NSCC_CWND_MAX : most;
	most = most < l->s.mss ? l->s.mss : most;
	MUST(cwnd >= l->s.mss, l);
	MUST(cwnd <= most + 1, l);
}

/* What the ACK alone, without losses, may have done to the window. */
static void check_window(struct life *l)
{
	u8 branch = l->d.branch & NSCC_BRANCH;
	bool grown = l->n.cwnd > l->before.cwnd;
	bool small = l->before.cwnd >> 8 < l->s.mss;

	if (grown && !small)
		MUST(l->s.cwnd_limited, l);
	if (grown && !small)
		MUST(branch == NSCC_FAST || branch == NSCC_QUICK_ADAPT ||
		     branch == NSCC_START ||
		     l->d.branch & (NSCC_MARK_FULFIL | NSCC_MARK_LOSS_QA), l);
	if (branch == NSCC_DECREASE) {
		MUST(!l->cut_ns ||
		     l->s.now_ns - l->cut_ns > base_rtt(l), l);
		MUST(l->n.last_dec == l->s.now_ns, l);
		l->cut_ns = l->s.now_ns;
	}
	if (branch == NSCC_START && grown && !small)
		MUST(l->n.cwnd / 256.0 <=
		     (double)l->s.line_rate * base_rtt(l) / 1e9 + 1, l);
	if (branch == NSCC_QUICK_ADAPT)
		MUST(l->n.achieved == 0 && l->n.inc == 0, l);
}

static void check_branch(struct life *l)
{
	u32 delay = l->d.delay_ns, target = l->d.target_ns;
	u8 branch = l->d.branch & NSCC_BRANCH;
	bool full = delay == U32_MAX || target == U32_MAX;

	MUST(branch < NSCC_RENO, l);
	MUST(branch != NSCC_START || l->before.starting, l);
	MUST(!l->n.starting || l->before.starting, l);
	MUST(!(l->d.branch & NSCC_MARK_LOSS) == !l->s.losses, l);
	if (branch == NSCC_LOSS)
		MUST(!l->s.acked_bytes && l->s.losses, l);
	if (branch == NSCC_FAIR || branch == NSCC_DECREASE ||
	    branch == NSCC_WAIT)
		MUST(delay >= target || full, l);
	if (branch == NSCC_PROPORTIONAL || branch == NSCC_FAST ||
	    branch == NSCC_NOOP || branch == NSCC_START)
		MUST(delay < target || full, l);
	if (!l->s.base_rtt_ns && !l->k.network_rtt_ns && l->s.acked_bytes)
		MUST(branch == NSCC_HOLD, l);
	if (!l->k.quick_adapt)
		MUST(branch != NSCC_QUICK_ADAPT && branch != NSCC_IGNORED, l);
}

static void check_decision(struct life *l)
{
	MUST(l->d.cwnd == l->n.cwnd, l);
	MUST(l->d.pacing_rate == 0, l);
	MUST(l->n.avg >> 40 == 0, l);
	MUST(l->m ? l->m->history.count <= NSCC_MAX_HISTORY : true, l);
	if (l->m && l->n.variant == NSCC_NSCC)
		MUST(!l->m->history.count, l);
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
	s->acked = byte(in) & 3;
	s->acked_bytes = flags & 8 ? number(in) : s->acked * s->mss;
	s->ce = flags & 16 ? 0 : s->acked;
	s->losses = more & 8 ? 0 : byte(in) < 224 ? byte(in) & 3 : number(in);
	s->flight = number(in);
	s->cwnd_limited = flags & 32;
	s->maybe_delayed = !(flags & 0xc0);
	s->line_rate = more & 16 ? 12500000000ULL :
		       more & 32 ? 0 : (u64)number(in) << (byte(in) & 31);
	s->app_limited = more & 128;
	s->fills = !(more & 3);
}

static void step_ack(struct life *l, struct input *in)
{
	read_sample(l, in);
	memset(&l->d, 0xa5, sizeof(l->d));
	nscc_on_ack(&l->n, l->m, &l->k, &l->s, &l->d);
	MUST(l->n.fallback == (!l->m || !l->s.line_rate), l);
	MUST((l->d.branch == NSCC_RENO) == l->n.fallback, l);
	if (l->n.fallback)
		return;
	check_bounds(l);
	check_branch(l);
	check_window(l);
	check_decision(l);
}

/* A timeout takes what it gave up, and leaves one packet; all, if Reno has the window. */
static void step_rto(struct life *l, struct input *in)
{
	u64 packet = (u64)l->s.mss << 8;
	u32 lost = byte(in) < 128 ? byte(in) & 7 : number(in);
	struct dcc_timeout t = { .now_ns = l->s.now_ns, .lost = lost, .mss = l->s.mss };
	double left = (double)l->before.cwnd - (double)packet * lost;

	nscc_on_rto(&l->n, &t);
	if (l->before.fallback)
		left = 0;
	MUST((double)l->n.cwnd == fmax(left, (double)packet), l);
	MUST(!l->n.starting, l);
}

/* Most steps are ACKs. */
static void step(struct life *l, struct input *in)
{
	u32 kind = byte(in);

	algs[l->n.variant].events++;
	l->before = l->n;
	if (kind < 247) {
		step_ack(l, in);
	} else if (kind < 251) {
		step_rto(l, in);
	} else if (kind < 254) {
		nscc_on_idle(&l->n, l->m, l->s.now_ns);
		MUST(l->n.cwnd == l->before.cwnd && !l->n.avg, l);
	} else {
		set_knobs(l, in);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct nscc_memory memory = {};
	struct input in = { data, size };
	struct life l = { .s.mss = 1460 };
	u32 kind = byte(&in);

	fuzz_begin(algs, ARRAY_SIZE(algs));
	l.m = kind & 6 ? &memory : NULL;
	l.s.now_ns = number(&in);
	set_knobs(&l, &in);
	nscc_init(&l.n, &l.k, kind & 1, l.s.now_ns,
		  (u64)number(&in) << (byte(&in) & 7), l.s.mss);
	while (in.left)
		step(&l, &in);
	return 0;
}
