// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are a life of a flow of one of the two algorithms: its knobs, then ACKs
 * with losses, answers to probes, timeouts, idle times, other priorities,
 * changes of knobs. After each step what must always hold is
 * checked; the sanitizers watch the rest.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include "fuzz.h"
#include "prioplus.h"

/* A flow, and what was true of it before the step. */
struct life {
	struct prioplus p;
	struct prioplus_knobs k;
	struct dcc_sample s;
	struct dcc_decision d;
	struct prioplus before;
	u32 variant;
};

static struct fuzz_alg algs[] = {
	{ "prioplus", 0 }, { "prioplus_ledbat", 0 },
};

#define CWND_MOST	((u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT)

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr,
		"# %s:%d: not (%s): algorithm %u branch %02x window %llu -> %llu suspended %u -> %u flows %u -> %u, delay %u target %u base %u now %llu rate %llu mss %u prio %u wait %llu\n",
		__FILE__, line, what, l->variant, l->d.branch,
		(unsigned long long)l->before.swift.cwnd,
		(unsigned long long)l->p.swift.cwnd,
		l->before.suspended, l->p.suspended,
		l->before.nflow, l->p.nflow, l->d.delay_ns, l->d.target_ns,
		l->s.base_rtt_ns, (unsigned long long)l->s.now_ns,
		(unsigned long long)l->s.line_rate, l->s.mss, l->p.prio,
		(unsigned long long)l->d.probe_delay_ns);
	abort();
}

static void set_knobs(struct life *l, struct input *in)
{
	fuzz_knobs(in, (u32 *)&l->k, prioplus_knob, PRIOPLUS_KNOB_COUNT, 160);
}

/* The state within its ranges. */
static void check_state(struct life *l)
{
	const struct prioplus *p = &l->p;

	MUST(p->swift.cwnd >= 1 && p->swift.cwnd <= CWND_MOST, l);
	MUST(p->nflow >= PRIOPLUS_ONE_FLOW && p->nflow <= PRIOPLUS_MOST_FLOWS, l);
	MUST(p->step <= CWND_MOST / 2, l);
	MUST(p->countdown <= 1000 && p->random, l);
	MUST(p->prio >= 1 && p->prio <= l->k.prio_levels, l);
	MUST(p->consec <= PRIOPLUS_CONSEC, l);
	MUST(p->dual <= 1 && p->suspended <= 1, l);
	MUST(p->dual || !p->step, l);
	MUST(p->order.above <= (l->k.return_order ? l->k.prio_levels : 0), l);
	if (p->suspended)
		MUST(!p->rtt_end_ns && !p->step && !p->dual && !p->consec, l);
}

/* The window within its bounds, the decision as the state is. */
static void check_decision(struct life *l)
{
	u64 least = dcc_milli_to_pkts(l->k.min_cwnd), cwnd = l->p.swift.cwnd;
	struct prioplus_params q;

	prioplus_params_set(&q, &l->p, &l->k, &l->s);
	MUST(cwnd >= least && cwnd <= max(least, q.most), l);
	MUST(l->d.cwnd == cwnd * l->s.mss >> 12 && !l->d.pacing_rate, l);
	MUST(l->d.suspend == l->p.suspended, l);
	MUST(l->d.probe_delay_ns <= NSEC_PER_SEC, l);
	MUST(l->d.suspend || !l->d.probe_delay_ns, l);
	MUST(!(l->d.branch & PRIOPLUS_MARK_NO_LINE) == !!l->s.line_rate, l);
	if (q.highest)
		MUST(!l->p.suspended || l->before.suspended, l);
	/* nothing is suspended without a probe to come */
	if (l->p.suspended && !l->before.suspended)
		MUST(l->d.probe_delay_ns, l);
	check_state(l);
}

/* #flow grows beyond D_limit alone, and is halved in an empty queue alone. */
static void check_flows(struct life *l, const struct prioplus_params *q)
{
	u8 branch = l->d.branch & PRIOPLUS_BRANCH;
	u32 before = l->before.nflow, after = l->p.nflow;

	MUST(!(l->d.branch & PRIOPLUS_MARK_FLOWS) == (after == before), l);
	if (after > before)
		MUST(l->s.delay_ns >= q->limit_ns && q->line_rate &&
		     l->p.countdown == q->countdown, l);
	if (after > before && l->k.slow_estimate)
		MUST(after <= 2 * (u64)before, l);
	if (after < before)
		MUST((branch == PRIOPLUS_LINEAR || branch == PRIOPLUS_RESUME) &&
		     !l->before.countdown && after == max(before / 2, PRIOPLUS_ONE_FLOW), l);
}

/* Which branch goes with which answer to a probe. */
static void check_answer(struct life *l)
{
	u8 branch = l->d.branch & PRIOPLUS_BRANCH;
	u32 delay = l->s.delay_ns;
	struct prioplus_params q;

	prioplus_params_set(&q, &l->before, &l->k, &l->s);
	MUST((branch == PRIOPLUS_IDLE) == !l->before.suspended, l);
	MUST((branch == PRIOPLUS_PROBE) == l->p.suspended, l);
	if (q.base_ns && delay >= q.limit_ns && !q.highest && l->before.suspended)
		MUST(branch == PRIOPLUS_PROBE, l);
	else if (branch == PRIOPLUS_PROBE)	/* once */
		MUST(l->before.order.above > l->before.prio && !l->p.order.above, l);
	if (l->before.suspended && !l->p.suspended)
		MUST(l->p.rtt_end_ns == l->s.now_ns && !l->p.dual && !l->p.step, l);
	if (branch == PRIOPLUS_RESUME)
		MUST(q.base_ns && delay <= q.empty_ns, l);
	if (branch == PRIOPLUS_RESUME_ONE)
		MUST(!q.base_ns || delay > q.empty_ns, l);
	if (branch == PRIOPLUS_RESUME_ONE && !l->k.join)
		MUST(l->p.swift.cwnd <= max(DCC_PKT, dcc_milli_to_pkts(l->k.min_cwnd)), l);
	check_flows(l, &q);
}

/* Which branch goes with which news. */
static void check_ack(struct life *l)
{
	u8 branch = l->d.branch & PRIOPLUS_BRANCH;
	u64 before = l->before.swift.cwnd, after = l->p.swift.cwnd;
	u32 delay = l->s.delay_ns;
	struct prioplus_params q;

	prioplus_params_set(&q, &l->before, &l->k, &l->s);
	MUST(branch <= PRIOPLUS_SUSPENDED || branch == PRIOPLUS_ASK, l);
	MUST((branch == PRIOPLUS_SUSPENDED) == l->before.suspended, l);
	if (branch == PRIOPLUS_STOP)
		MUST(delay >= q.limit_ns && !q.highest && l->p.suspended, l);
	if (branch == PRIOPLUS_SMALL)
		MUST(after <= max_t(u64, PRIOPLUS_LEAST_CWND,
				    dcc_milli_to_pkts(l->k.min_cwnd)) &&
		     l->p.suspended, l);
	if (branch == PRIOPLUS_LINEAR)
		MUST(delay && delay <= q.empty_ns &&
		     l->d.branch & PRIOPLUS_MARK_RTT, l);
	if (l->d.branch & PRIOPLUS_MARK_RTT)
		MUST(l->before.rtt_end_ns, l);
	if (l->d.branch & PRIOPLUS_MARK_STEP)
		MUST(delay > q.empty_ns && delay < q.target_ns, l);
	if (branch == PRIOPLUS_WAIT)
		MUST(after <= max(before, dcc_milli_to_pkts(l->k.min_cwnd)), l);
	if (!l->s.cwnd_limited && !l->before.suspended)
		MUST(after <= max(before, dcc_milli_to_pkts(l->k.min_cwnd)), l);
	if (l->s.maybe_delayed && delay >= q.target_ns)
		MUST(branch != PRIOPLUS_STOP &&
		     l->p.suspended == (l->before.suspended || branch == PRIOPLUS_ASK), l);
	if (branch == PRIOPLUS_ASK)
		MUST(l->s.maybe_delayed && delay >= q.limit_ns && !q.highest &&
		     l->before.swift.cwnd < PRIOPLUS_SMALL_CWND &&
		     l->p.nflow == l->before.nflow, l);
	check_flows(l, &q);
}

static void read_sample(struct life *l, struct input *in)
{
	struct dcc_sample *s = &l->s;
	u32 flags = byte(in), more = byte(in);

	s->now_ns += flags & 1 ? number(in) : byte(in) * 100;
	s->mss = more & 7 ? 1460 : 1 + number(in) % 65535;
	s->base_rtt_ns = flags & 2 ? 12000 + byte(in) : number(in);
	s->hosts_ns = more & 4 ? number(in) : 0;
	s->delay_ns = flags & 4 ? number(in) :
				  s->base_rtt_ns + byte(in) * 200;
	s->srtt_ns = flags & 8 ? number(in) : s->delay_ns;
	s->sent_ns = more & 8 ? s->now_ns - s->delay_ns :
				s->now_ns - number(in);
	s->acked = flags & 16 ? number(in) : byte(in) & 3;
	s->acked_bytes = flags & 16 ? number(in) : s->acked * s->mss;
	s->flight = number(in);
	s->losses = more & 128 ? 0 : number(in);
	s->recovery = !(flags & 0x30);
	s->cwnd_limited = flags & 32;
	s->maybe_delayed = !(flags & 0xc0);
	s->line_rate = more & 16 ? 12500000000ULL :
		       more & 32 ? 0 : (u64)number(in) << (byte(in) & 31);
}

static void step_ack(struct life *l, struct input *in)
{
	read_sample(l, in);
	memset(&l->d, 0, sizeof(l->d));
	prioplus_on_ack(&l->p, &l->k, &l->s, &l->d);
	check_decision(l);
	check_ack(l);
}

/* An answer may come at any time, also for a flow that is not suspended. */
static void step_answer(struct life *l, struct input *in, bool start)
{
	read_sample(l, in);
	memset(&l->d, 0, sizeof(l->d));
	if (start)
		prioplus_on_start(&l->p, &l->k, &l->s, &l->d);
	else
		prioplus_on_probe(&l->p, &l->k, &l->s, &l->d);
	check_decision(l);
	/* of those that decide on a hold, each says when to ask */
	if (l->p.suspended)
		MUST(l->d.probe_delay_ns, l);
	if (!start)
		check_answer(l);
}

static void begin(struct life *l, struct input *in)
{
	set_knobs(l, in);
	prioplus_init(&l->p, &l->k, l->variant == PRIOPLUS_OVER_LEDBAT,
		      number(in), number(in));
	prioplus_set_priority(&l->p, &l->k, number(in));
	check_state(l);
}

/* What is neither an ACK nor an answer. */
static void step_other(struct life *l, struct input *in, u32 kind)
{
	if (kind < 248) {
		prioplus_on_rto(&l->p, &l->k, l->s.now_ns, l->s.srtt_ns);
	} else if (kind < 250) {
		prioplus_on_idle(&l->p);
	} else if (kind < 251) {
		prioplus_go_on(&l->p);
		MUST(!l->p.suspended, l);
		check_state(l);
		return;
	} else if (kind < 254) {
		prioplus_set_priority(&l->p, &l->k, byte(in) & 15);
	} else {
		begin(l, in);
		return;
	}
	MUST(l->p.suspended == l->before.suspended, l);
	check_state(l);
}

/*
 * Most steps are ACKs. The knobs of a flow never change while it lives; a change
 * here starts a new one.
 */
static void step(struct life *l, struct input *in)
{
	u32 kind = byte(in);

	algs[l->variant].events++;
	l->before = l->p;
	if (kind < 180)
		step_ack(l, in);
	else if (kind < 236)
		step_answer(l, in, false);
	else if (kind < 244)
		step_answer(l, in, true);
	else
		step_other(l, in, kind);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct life l = { .s.mss = 1460 };

	fuzz_begin(algs, ARRAY_SIZE(algs));
	l.s.now_ns = number(&in);
	l.variant = byte(&in) % PRIOPLUS_VARIANTS;
	begin(&l, &in);
	while (in.left)
		step(&l, &in);
	return 0;
}
