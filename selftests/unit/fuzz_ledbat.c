// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are a life of a flow: its knobs, then ACKs with losses, timeouts, idle times,
 * memory that comes and goes, changes of knobs. After each step what must always hold is
 * checked; the sanitizers watch the rest.
 *
 * An entry point for libFuzzer; fuzz_run.c calls it where there is none.
 */
#include "math/dcc_wide.h"
#include "fuzz.h"
#include "ledbat.h"

/* A flow, and what was true of it before the step. */
struct life {
	struct ledbat l;
	struct ledbat_history h;
	struct ledbat_knobs k;
	struct dcc_sample s;
	struct dcc_decision d;
	struct ledbat before;
	bool memory;
};

static struct fuzz_alg algs[] = { { "ledbat", 0 } };

#define CWND_LEAST	(LEDBAT_LEAST * DCC_PKT)
#define CWND_MOST	((u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT)

/* Say what does not hold, in which state, and die: the fuzzer takes it up. */
static void broken(const char *what, int line, const struct life *l)
{
	fprintf(stderr,
		"# %s:%d: not (%s): branch %02x window %llu -> %llu starting %u -> %u, delay %u target %u base %u now %llu rate %llu mss %u\n",
		__FILE__, line, what, l->d.branch, (unsigned long long)l->before.cwnd,
		(unsigned long long)l->l.cwnd, l->before.starting, l->l.starting, l->d.delay_ns,
		l->d.target_ns, l->s.base_rtt_ns, (unsigned long long)l->s.now_ns,
		(unsigned long long)l->s.line_rate, l->s.mss);
	abort();
}

static void read_sample(struct life *l, struct input *in)
{
	struct dcc_sample *s = &l->s;
	u32 flags = byte(in), more = byte(in);

	s->now_ns += flags & 1 ? number(in) : byte(in) * 100;
	s->mss = more & 7 ? 1460 : 1 + number(in) % 65535;
	s->base_rtt_ns = flags & 2 ? 12000 + byte(in) : number(in);
	s->delay_ns = flags & 4 ? number(in) : s->base_rtt_ns + byte(in) * 200;
	s->srtt_ns = flags & 8 ? number(in) : s->delay_ns;
	s->sent_ns = more & 8 ? s->now_ns - s->delay_ns : s->now_ns - number(in);
	s->acked = flags & 16 ? number(in) : byte(in) & 3;
	s->acked_bytes = flags & 16 ? number(in) : s->acked * s->mss;
	s->flight = number(in);
	s->losses = more & 128 ? 0 : number(in);
	s->cwnd_limited = flags & 32;
	s->maybe_delayed = !(flags & 0xc0);
	s->fills = more & 64;
	s->sprayed = more & 1;
	s->line_rate = more & 16 ? 12500000000ULL :
		       more & 32 ? 0 : (u64)number(in) << (byte(in) & 31);
	l->memory = byte(in) & 3;
}

/* What a start may reach: what the link carries in the base RTT and the target. */
static u64 start_most(const struct life *l)
{
	return dcc_carried_pkts(l->s.line_rate, l->d.target_ns, l->s.mss);
}

static void check_ack(struct life *l)
{
	u64 cwnd = l->l.cwnd, old = max(l->before.cwnd, CWND_LEAST);

	MUST(cwnd >= CWND_LEAST && cwnd <= CWND_MOST, l);
	MUST(l->d.cwnd == cwnd * l->s.mss >> 12 && !l->d.suspend && !l->d.pacing_rate, l);
	MUST(l->d.branch <= LEDBAT_START, l);
	MUST(l->d.starts == l->l.starting && l->l.starting <= l->before.starting, l);
	if (l->d.branch == LEDBAT_LOSS)
		MUST(cwnd <= max(l->before.cwnd / 2, CWND_LEAST) && !l->l.starting, l);
	if (l->d.branch == LEDBAT_HOLD || l->d.branch == LEDBAT_DECREASE)
		MUST(cwnd <= old, l);
	if (l->d.branch == LEDBAT_START)
		MUST(l->before.starting && cwnd <= max(old, start_most(l)), l);
	MUST(l->h.next < LEDBAT_CURRENT, l);
}

static void step_ack(struct life *l, struct input *in)
{
	read_sample(l, in);
	memset(&l->d, 0, sizeof(l->d));
	ledbat_on_ack(&l->l, l->memory ? &l->h : NULL, &l->k, &l->s, &l->d);
	check_ack(l);
}

static void begin(struct life *l, struct input *in)
{
	fuzz_knobs(in, (u32 *)&l->k, ledbat_knob, LEDBAT_KNOB_COUNT, 160);
	memset(&l->h, 0, sizeof(l->h));
	ledbat_init(&l->l, number(in));
	if (byte(in) & 1)
		ledbat_slow_start(&l->l, &l->k);
}

/* Most steps are ACKs. A change of knobs starts a new flow. */
static void step(struct life *l, struct input *in)
{
	u32 kind = byte(in);

	algs[0].events++;
	l->before = l->l;
	if (kind < 240) {
		step_ack(l, in);
	} else if (kind < 248) {
		ledbat_on_rto(&l->l);
		MUST(l->l.cwnd == DCC_PKT && !l->l.starting, l);
	} else if (kind < 254) {
		ledbat_on_idle(l->memory ? &l->h : NULL);
	} else {
		begin(l, in);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct life l = { .s.mss = 1460 };

	fuzz_begin(algs, ARRAY_SIZE(algs));
	l.s.now_ns = number(&in);
	begin(&l, &in);
	while (in.left)
		step(&l, &in);
	return 0;
}
