// SPDX-License-Identifier: GPL-2.0
/* oscar: algorithms 1 and 2 of the paper, in the order of its listings; see oscar.h. */
#include "../common/cc/dcc_comp_sack.h"
#include "../common/math/dcc_wide.h"
#include "oscar.h"

/* Algorithm 1, lines 11 and 12: a batch begins where the one before ended. */
static void batch_start(struct oscar_batch *b, const struct oscar_params *p, u64 start_ns)
{
	*b = (struct oscar_batch) { .start_ns = start_ns, .last_ns = start_ns };
	dcc_lsq_start(&b->lsq, p->tau_ns);
}

/**
 * oscar_count() - what an ACK without a delay to learn from adds to a batch
 * @b: the batch; where none began nothing is added
 * @s: the ACK
 */
void oscar_count(struct oscar_batch *b, const struct dcc_sample *s)
{
	if (!b->start_ns)
		return;
	b->bytes += s->acked_bytes;
	b->lost += s->losses;
	b->app_limited |= s->app_limited;
}

/*
 * Algorithm 1, lines 2 to 6. The first packet ever only starts the clock, and so does one
 * that fits in no batch with those before it.
 */
static bool batch_sum(struct oscar_batch *b, const struct oscar_knobs *k,
		      const struct oscar_params *p, const struct dcc_sample *s)
{
	if (!b->start_ns || !dcc_lsq_add(&b->lsq, (u32)s->sent_ns, s->delay_ns)) {
		batch_start(b, p, s->sent_ns);
		b->lost = s->losses;
		return false;
	}
	b->inflight += k->sync_reference ? s->inflight : s->flight;
	oscar_count(b, s);
	b->last_ns = max(b->last_ns, s->sent_ns);
	return true;
}

/* Algorithm 1, line 7: is the batch long enough? If the estimator is full it is, too. */
static bool batch_closes(const struct oscar_batch *b, const struct oscar_knobs *k,
			 const struct oscar_params *p)
{
	u32 least = k->short_batches ? oscar_short_batch(b, p) : OSCAR_LEAST_COUNT;

	if (b->lsq.count == DCC_LSQ_MAX_COUNT)
		return true;
	return b->last_ns - b->start_ns >= p->tau_ns && b->lsq.count >= least;
}

/**
 * oscar_estimate() - algorithm 1
 * @b: the batch
 * @k: knobs
 * @p: of oscar_params_set()
 * @s: an ACK with a delay: sendTs, recvTs - sendTs, pktInfl
 * @e: result, if there is one
 *
 * Bytes are at most 2^44, the sum of 4096 ACKs of 32 bits: 47 bits as bits.
 *
 * Return: is there one?
 */
bool oscar_estimate(struct oscar_batch *b, const struct oscar_knobs *k,
		    const struct oscar_params *p, const struct dcc_sample *s,
		    struct oscar_estimate *e)
{
	if (!batch_sum(b, k, p, s) || !batch_closes(b, k, p))
		return false;
	e->span_ns = clamp_t(u64, b->last_ns - b->start_ns, 1, U32_MAX);
	e->delay = dcc_lsq_mean(&b->lsq);
	e->gradient = dcc_lsq_slope(&b->lsq);
	e->inflight = div_u64(b->inflight << DCC_CWND_SHIFT, b->lsq.count);
	e->rate = dcc_mul_div(b->bytes * BITS_PER_BYTE, NSEC_PER_SEC, e->span_ns);
	e->arrived = b->bytes;
	e->lost = (u64)b->lost * s->mss;
	e->app_limited = b->app_limited;
	batch_start(b, p, b->last_ns);
	return true;
}

/* Algorithm 2, line 7: inflight / (delay mu), at most 1. Both shifts are 8. */
static u64 oscar_by_window(const struct oscar_params *p, const struct oscar_estimate *e)
{
	u64 seconds = dcc_mul_div(e->inflight, OSCAR_ONE, p->line_rate);

	return min_t(u64, dcc_mul_div(seconds, NSEC_PER_SEC, e->delay), OSCAR_ONE);
}

/**
 * oscar_by_rate() - algorithm 2, line 8
 * @p: of oscar_params_set(), mu known
 * @rate: bit/s
 * @gradient: 1 / DCC_LSQ_ONE
 *
 * Return: rate / ((1 + gradient) mu), at most OSCAR_ONE. The divisor is 0.1 at least.
 */
u64 oscar_by_rate(const struct oscar_params *p, u64 rate, s64 gradient)
{
	u64 share = dcc_mul_div(rate, OSCAR_ONE / BITS_PER_BYTE, p->line_rate);
	u64 growth = DCC_LSQ_ONE + max_t(s64, gradient, OSCAR_LEAST_GRADIENT);

	return min_t(u64, dcc_mul_div(share, DCC_LSQ_ONE, growth), OSCAR_ONE);
}

/**
 * oscar_update() - algorithm 2, lines 4 to 11
 * @o: state: u changes, and may be above 1
 * @k: knobs
 * @p: of oscar_params_set(), mu and base RTT known
 * @e: algorithm 1's result
 *
 * Return: enum oscar_branch, with OSCAR_MARK_RATE.
 */
u8 oscar_update(struct oscar *o, const struct oscar_knobs *k, const struct oscar_params *p,
		const struct oscar_estimate *e)
{
	u64 slack = (u64)k->target_slack_ns << DCC_LSQ_MEAN_SHIFT;
	u64 target = (u64)p->target_ns << DCC_LSQ_MEAN_SHIFT;
	bool below = e->delay + slack < target;
	u64 u_w, u_r;
	u8 branch;

	if (e->delay <= (u64)p->empty_ns << DCC_LSQ_MEAN_SHIFT) {
		o->u += (u64)k->u_hai * OSCAR_MILLIONTH;
		return OSCAR_HYPER;
	}
	u_w = oscar_by_window(p, e);
	u_r = oscar_by_rate(p, e->rate, e->gradient);
	branch = below ? OSCAR_SPEED_UP : OSCAR_SLOW_DOWN;
	if (e->span_ns > (u64)OSCAR_LONG_BATCH * p->tau_ns) {
		o->u = u_w;
		branch = OSCAR_LONG;
	} else {
		o->u = below ? max(u_w, u_r) : min(u_w, u_r);
		branch |= o->u == u_r ? OSCAR_MARK_RATE : 0;
	}
	o->u += p->u_ai;
	return branch;
}

/**
 * oscar_set_share() - algorithm 2, lines 12 and 13
 * @o: state: u, w and r change
 * @p: of oscar_params_set(), mu known
 * @u: 10^-15, at most OSCAR_ONE
 *
 * Bytes/s are 39 bits, 47 with the window's shift; times ns / 10^9 they are bytes. Without
 * base RTT w stays. An r of 0 would mean that there is none: the least is a byte a second.
 */
void oscar_set_share(struct oscar *o, const struct oscar_params *p, u64 u)
{
	u64 mu = p->line_rate << DCC_CWND_SHIFT;
	u64 bdp = dcc_mul_div(mu, p->base_rtt_ns, NSEC_PER_SEC);
	u64 rate = dcc_mul_div(u, mu, OSCAR_ONE);

	o->u = u;
	o->pacing = max_t(u64, dcc_mul_div(u, p->line_rate, OSCAR_ONE), 1);
	o->line_rate = p->line_rate;
	o->base_rtt_ns = p->base_rtt_ns;
	if (bdp)
		o->cwnd = min(dcc_mul_div(rate, p->target_ns, NSEC_PER_SEC), bdp);
	o->largest = dcc_comp_sack_largest(o->cwnd, bdp);
}
