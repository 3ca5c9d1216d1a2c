// SPDX-License-Identifier: GPL-2.0
/*
 * nscc and mnscc: the life of a flow on a real stack, around the reference of nscc.c.
 *
 * - TCP has no NACK of a trimmed packet. The stack declaring a packet lost stands in, and
 *   without trimming the target is R, not 0.75 R. A timeout takes what it gave up from W.
 * - R, if not configured, is the reference's BDP at this line rate, so that target and gains
 *   are the same for all flows of a link. R = its own base RTT gives the longest flow the link.
 * - An ACK that the receiver may have delayed proves a path free, never congested. Without a
 *   valid delay the average stands in, and is not fed.
 * - Where no mark can come a delay at the target stands in for it: nothing else would cut W.
 * - delay_gain is 1/4 and not 1/80: a flow of four packets a round trip would be cut by what
 *   the queue was twenty round trips ago.
 * - Without the line rate or memory there is no guess: Reno has the window.
 */
#include "../common/math/dcc_ewma.h"
#include "../common/cc/dcc_comp_sack.h"
#include "nscc.h"

const struct dcc_knob nscc_knob[NSCC_KNOB_COUNT] = {
	NSCC_KNOBS(DCC_KNOB_ENTRY)
};

/* The reference network: its constants were tuned at 100 Gbit/s and 12 us. */
#define NSCC_REF_BDP		150000U		/* bytes */
#define NSCC_RTT_MAX_NS		1000000000U	/* as the knob has it */

/* ns times bytes/s that make a = 2^-NSCC_SCALE_SHIFT; cut by 1.6e-10 of it. */
#define NSCC_REF_UNIT \
	((u32)((u64)NSEC_PER_SEC * NSCC_REF_BDP >> NSCC_SCALE_SHIFT))

/* max_window * BDP in bytes; 1000 BDP is at most 2^64 / 10^6, 64000 is 2^16. */
static u64 params_window(const struct nscc_knobs *k, u32 rtt_ns, u64 line_rate)
{
	u64 milli_bdp = div_u64(nscc_sat_mul(line_rate, rtt_ns), NSEC_PER_SEC / DCC_MILLI);
	u64 window = div_u64(milli_bdp * k->max_window, DCC_MILLI * DCC_MILLI);

	return min_t(u64, window, NSCC_CWND_MAX);
}

/* It starts at R and only ever falls: a flow that starts in a queue would else keep that. */
static u32 params_base_rtt(const struct nscc_knobs *k, u32 measured_ns)
{
	if (!k->network_rtt_ns || (measured_ns && measured_ns < k->network_rtt_ns))
		return measured_ns;
	return k->network_rtt_ns;
}

static u32 params_network_rtt(const struct nscc_knobs *k, u32 base_rtt_ns, u64 line_rate)
{
	u64 ns = (u64)NSCC_REF_BDP * NSEC_PER_SEC;

	if (k->network_rtt_ns)
		return k->network_rtt_ns;
	if (!line_rate || !base_rtt_ns)
		return base_rtt_ns;
	return (u32)clamp_t(u64, div64_u64(ns, line_rate), 1, NSCC_RTT_MAX_NS);
}

/**
 * nscc_params_set() - what follows from the network and the knobs
 * @p: result, all fields set
 * @k: knobs
 * @base_rtt_ns: the flow's base RTT; 0: unknown
 * @line_rate: bytes/s
 * @mss: payload of a full packet, bytes, not 0
 *
 * a = R * C / 150000 B saturates at a BDP of 18 GB, past NSCC_CWND_MAX.
 */
void nscc_params_set(struct nscc_params *p, const struct nscc_knobs *k,
		     u32 base_rtt_ns, u64 line_rate, u32 mss)
{
	p->rtt_ns = params_network_rtt(k, base_rtt_ns, line_rate);
	p->alpha_ns = p->rtt_ns;
	p->base_rtt_ns = params_base_rtt(k, base_rtt_ns);
	p->target_ns = k->target_qdelay_ns ? k->target_qdelay_ns : p->rtt_ns;
	p->mss = mss;
	p->mtu = mss;
	p->max_window = NSCC_CWND_MAX;
	if (p->base_rtt_ns)
		p->max_window = params_window(k, p->base_rtt_ns, line_rate);
	p->scale = div_u64(nscc_sat_mul(line_rate, p->rtt_ns), NSCC_REF_UNIT);
}

/**
 * nscc_first_window() - the largest window, to start with
 * @k: knobs
 * @line_rate: bytes/s; 0: unknown
 *
 * Return: bytes; 0: R or the line rate is unknown, take the stack's.
 */
u64 nscc_first_window(const struct nscc_knobs *k, u64 line_rate)
{
	return params_window(k, k->network_rtt_ns, line_rate);
}

/**
 * nscc_init() - start a flow
 * @n: state, any content
 * @k: knobs
 * @variant: which algorithm
 * @now_ns: the time
 * @cwnd_bytes: first window
 * @mss: payload of a full packet, bytes
 *
 * A configured RTT of the network configures a first window, too.
 */
void nscc_init(struct nscc *n, const struct nscc_knobs *k, enum nscc_variant variant,
	       u64 now_ns, u64 cwnd_bytes, u32 mss)
{
	u64 cwnd = min_t(u64, cwnd_bytes, NSCC_CWND_MAX) << DCC_CWND_SHIFT;

	*n = (struct nscc) {
		.cwnd = cwnd, .variant = variant,
		.last_dec = now_ns, .last_adj = now_ns,
		.starting = k->slow_start && !k->network_rtt_ns &&
			    dcc_start_unconfigured(&k->flow, cwnd, (u64)mss << DCC_CWND_SHIFT),
	};
}

/**
 * nscc_started() - the start is over: increases are collected from now on
 * @n: state
 * @now_ns: the time
 */
void nscc_started(struct nscc *n, u64 now_ns)
{
	n->starting = 0;
	n->inc = 0;
	n->received = 0;
	n->fi_count = 0;
	n->last_adj = now_ns;
}

/* A base RTT just found may be above older delays. */
static u32 flow_queueing(const struct nscc_params *p, u32 delay_ns)
{
	return delay_ns - min(delay_ns, p->base_rtt_ns);
}

static bool flow_is_valid(const struct nscc_params *p, const struct dcc_sample *s)
{
	return s->delay_ns && p->base_rtt_ns &&
	       !(s->maybe_delayed && flow_queueing(p, s->delay_ns) >= p->target_ns);
}

/* Can no mark come? The connection has no ECN, or the network drops and never marked. */
static bool flow_is_unmarked(const struct nscc *n, const struct dcc_sample *s)
{
	return s->no_ecn || (n->dropped && !n->marked);
}

/* The delay that is acted on, the mark, and the average. */
static void flow_observe(struct nscc *n, struct nscc_memory *m, const struct nscc_knobs *k,
			 const struct nscc_params *p, const struct dcc_sample *s,
			 struct nscc_event *e)
{
	bool valid = flow_is_valid(p, s);
	u32 delay = valid ? s->delay_ns : 0;

	n->marked |= s->ce != 0;
	n->dropped |= s->losses != 0;
	if (n->variant == NSCC_MNSCC)
		delay = nscc_median(&m->history, n, k, s, valid);
	e->q_ns = delay ? flow_queueing(p, delay) : (u32)(n->avg >> DCC_EWMA_FRAC);
	e->ce = s->ce || (flow_is_unmarked(n, s) && e->q_ns >= p->target_ns);
	if (valid)
		nscc_average(n, k, p, e);
}

/*
 * The ACK's losses, one by one: each sees its own bytes in flight still. Past
 * NSCC_LOSS_CALLS the rest are one of their size. Returns the last branch, or
 * NSCC_QUICK_ADAPT if there was one, and marks.
 */
static u8 flow_losses(struct nscc *n, const struct nscc_knobs *k,
		      const struct nscc_params *p, struct nscc_event *e,
		      u32 losses, u32 flight)
{
	u64 lost = (u64)losses * p->mtu;
	u8 branch = NSCC_LOSS, marks = NSCC_MARK_LOSS;
	u32 i;

	if (n->starting)
		nscc_started(n, e->now_ns);
	for (i = 0; lost; i++) {
		u64 bytes = i < NSCC_LOSS_CALLS ? p->mtu : lost;

		e->bytes = (u32)min_t(u64, bytes, U32_MAX);
		e->in_flight = (u32)min_t(u64, flight + lost, U32_MAX);
		branch = nscc_loss(n, k, p, e);
		if ((branch & NSCC_BRANCH) == NSCC_QUICK_ADAPT)
			marks |= NSCC_MARK_LOSS_QA;
		marks |= branch & NSCC_MARK_PERIOD;
		lost -= bytes;
	}
	if (marks & NSCC_MARK_LOSS_QA)
		branch = NSCC_QUICK_ADAPT;
	return marks | (branch & NSCC_BRANCH);
}

static u8 flow_decide(struct nscc *n, struct nscc_memory *m, const struct nscc_knobs *k,
		      const struct nscc_params *p, const struct nscc_event *e,
		      const struct dcc_sample *s)
{
	if (!e->bytes || !p->base_rtt_ns)
		return NSCC_HOLD;
	if (n->starting && nscc_start(n, &m->start, p, e, s))
		return e->cwnd_limited ? NSCC_START : NSCC_HOLD;
	return nscc_update(n, k, p, e);
}

/* One ACK of a flow that knows C. */
static u8 flow_ack(struct nscc *n, struct nscc_memory *m, const struct nscc_knobs *k,
		   const struct nscc_params *p, const struct dcc_sample *s,
		   struct nscc_event *e)
{
	u8 branch, loss;

	n->achieved = nscc_sat_add32(n->achieved, e->bytes);
	n->received = nscc_sat_add32(n->received, e->bytes);
	n->to_ignore -= min(n->to_ignore, e->bytes);
	flow_observe(n, m, k, p, s, e);
	branch = flow_decide(n, m, k, p, e, s);
	if (s->losses) {
		loss = flow_losses(n, k, p, e, s->losses, s->flight);
		branch |= s->acked_bytes ? loss & ~NSCC_BRANCH : loss;
	}
	nscc_clamp(n, p);
	return branch;
}

/* Reno has the window; the library paces it. */
static u8 flow_fall_back(struct nscc *n, const struct dcc_sample *s)
{
	if (n->starting)
		nscc_started(n, s->now_ns);
	n->fallback = 1;
	n->cwnd = dcc_reno_ack(&n->reno, n->cwnd, s);
	return NSCC_RENO;
}

/**
 * nscc_on_ack() - digest one ACK
 * @n: state
 * @m: the flow's memory; NULL: there was none
 * @k: knobs
 * @s: what the ACK reported
 * @d: what to do, all fields set; delays with the base RTT in them, branch an
 *	enum nscc_branch with NSCC_MARK_*
 */
void nscc_on_ack(struct nscc *n, struct nscc_memory *m, const struct nscc_knobs *k,
		 const struct dcc_sample *s, struct dcc_decision *d)
{
	struct nscc_event e = {
		.now_ns = s->now_ns, .bytes = s->acked_bytes,
		.in_flight = s->flight, .cwnd_limited = s->cwnd_limited,
	};
	struct nscc_params p;

	nscc_params_set(&p, k, dcc_sample_base(s), s->line_rate, s->mss);
	n->fallback = 0;
	if (m && s->line_rate) {
		d->branch = flow_ack(n, m, k, &p, s, &e);
		d->delay_ns = nscc_sat_add32(e.q_ns, p.base_rtt_ns);
	} else {
		d->branch = flow_fall_back(n, s);
		d->delay_ns = s->delay_ns;
		p.max_window = 0;
	}
	d->target_ns = nscc_sat_add32(p.target_ns, p.base_rtt_ns);
	d->pacing_rate = 0;
	d->starts = n->starting;
	d->cwnd = n->cwnd;
	d->largest = dcc_comp_sack_largest(n->cwnd, p.max_window << DCC_CWND_SHIFT);
}

/**
 * nscc_on_rto() - a retransmission timeout
 * @n: state
 * @t: what it gave up, which is to be sent again: with the window as it was it would all leave
 *	at once
 */
void nscc_on_rto(struct nscc *n, const struct dcc_timeout *t)
{
	u64 packet = (u64)t->mss << DCC_CWND_SHIFT;

	if (n->starting)
		nscc_started(n, t->now_ns);
	if (n->fallback)
		n->cwnd = dcc_reno_rto(&n->reno, n->cwnd, t->mss);
	else
		n->cwnd = max(n->cwnd - min(n->cwnd, t->lost * packet), packet);
}

/**
 * nscc_on_idle() - the flow starts again, or its packets changed size
 * @n: state: all but the window and the last decrease starts anew
 * @m: its memory, now void; may be NULL
 * @now_ns: the time
 */
void nscc_on_idle(struct nscc *n, struct nscc_memory *m, u64 now_ns)
{
	bool starting = n->starting;

	nscc_started(n, now_ns);
	n->starting = starting;
	n->qa_end = 0;
	n->avg = 0;
	n->fast = 0;
	n->trigger = 0;
	n->achieved = 0;
	n->to_ignore = 0;
	if (m)
		*m = (struct nscc_memory) {};
}
