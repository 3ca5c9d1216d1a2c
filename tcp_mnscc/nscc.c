// SPDX-License-Identifier: GPL-2.0
/* NSCC, in the order of the reference; stated in nscc.h. */
#include "../common/math/dcc_ewma.h"
#include "nscc.h"

#define NSCC_DISCOUNT_SHIFT	2	/* base / 4: what a late, unmarked delay counts */

/* knob * MSS * a, bytes << NSCC_SCALE_SHIFT. */
static u64 nscc_gain(const struct nscc_params *p, u32 milli)
{
	return div_u64(nscc_sat_mul((u64)milli * p->mss, p->scale), DCC_MILLI);
}

/* inc += rate * bytes; rate << NSCC_SCALE_SHIFT. */
static void nscc_collect(struct nscc *n, u64 rate, u32 bytes)
{
	u64 inc = nscc_sat_mul(rate, bytes) >> NSCC_SCALE_SHIFT;

	n->inc = nscc_sat_add(n->inc, inc);
}

/* delay_gain, the weight of a delay in the average. */
static u32 nscc_weight(const struct nscc_knobs *k)
{
	u64 gain = (u64)k->delay_gain << DCC_EWMA_GAIN_SHIFT;

	return (u32)div_u64(gain, NSCC_TEN_MILLI);
}

/**
 * nscc_average() - update_delay: the average of the queuing delays
 * @n: state
 * @k: knobs
 * @p: of nscc_params_set()
 * @e: the ACK, which has a delay of its own
 *
 * One that is late without a mark is one bad path of many: it counts base / 4, or itself if
 * that is less.
 */
void nscc_average(struct nscc *n, const struct nscc_knobs *k, const struct nscc_params *p,
		  const struct nscc_event *e)
{
	u32 q = e->q_ns;

	if (!e->ce && q > p->target_ns)
		q = min(q, p->base_rtt_ns >> NSCC_DISCOUNT_SHIFT);
	n->avg = dcc_ewma_step(n->avg, q, nscc_weight(k));
}

/* Is the window far off? A loss or a long delay, and little delivered. */
static bool nscc_far_off(const struct nscc *n, const struct nscc_knobs *k,
			 const struct nscc_params *p, const struct nscc_event *e)
{
	bool late = (u64)e->q_ns * DCC_MILLI > (u64)k->qa_threshold * p->target_ns;

	return (n->trigger || late) && n->achieved < p->max_window >> k->qa_gate;
}

/* What arrived is what the network has room for; older news are stale. */
static void nscc_adapt(struct nscc *n, const struct nscc_event *e)
{
	u64 window = (u64)n->achieved << DCC_CWND_SHIFT;

	n->cwnd = e->cwnd_limited ? window : min(window, n->cwnd);
	n->to_ignore = e->in_flight;
	n->trigger = 0;
}

/*
 * quick_adapt: once per base + target, is a reset of the window needed? Returns
 * NSCC_QUICK_ADAPT if it was, NSCC_IGNORED on stale news, else NSCC_HOLD, with
 * NSCC_MARK_PERIOD if a period ended.
 */
static u8 nscc_quick_adapt(struct nscc *n, const struct nscc_knobs *k,
			   const struct nscc_params *p,
			   const struct nscc_event *e, bool loss)
{
	u8 branch = NSCC_HOLD;

	if (!k->quick_adapt || !p->base_rtt_ns)
		return NSCC_HOLD;
	if (n->to_ignore && (e->ce || loss)) {
		branch = NSCC_IGNORED;
	} else if (e->now_ns > n->qa_end) {
		if (n->qa_end && nscc_far_off(n, k, p, e)) {
			nscc_adapt(n, e);
			branch = NSCC_QUICK_ADAPT;
		}
		n->achieved = 0;
		n->qa_end = e->now_ns + p->base_rtt_ns + p->target_ns;
		branch |= NSCC_MARK_PERIOD;
	}
	if (branch & NSCC_BRANCH) {
		n->inc = 0;
		n->received = 0;
	}
	return branch;
}

/* High delay but no mark: the queue is going down. inc += fi MSS a bytes. */
static u8 nscc_fair_increase(struct nscc *n, const struct nscc_knobs *k,
			     const struct nscc_params *p,
			     const struct nscc_event *e)
{
	nscc_collect(n, nscc_gain(p, k->fi), e->bytes);
	return NSCC_FAIR;
}

/*
 * Next to no queue for a window of bytes in a row: W += fi_scale a bytes, until
 * a queue shows. At most 2^56 are added to 2^44.
 */
static bool nscc_fast_increase(struct nscc *n, const struct nscc_knobs *k,
			       const struct nscc_params *p,
			       const struct nscc_event *e)
{
	u64 rate = div_u64(nscc_sat_mul(k->fi_scale, p->scale), DCC_MILLI);

	if (e->q_ns >= k->fast_eps_ns) {
		n->fi_count = 0;
		n->fast = 0;
		return false;
	}
	n->fi_count = nscc_sat_add32(n->fi_count, e->bytes);
	if ((u64)n->fi_count << DCC_CWND_SHIFT > n->cwnd)
		n->fast = 1;
	if (n->fast)
		n->cwnd += nscc_sat_mul(rate, e->bytes) >>
			   (NSCC_SCALE_SHIFT - DCC_CWND_SHIFT);
	return n->fast;
}

/* alpha MSS a (target - q) / R, << NSCC_SCALE_SHIFT, of a q below the target. */
static u64 nscc_alpha(const struct nscc_knobs *k, const struct nscc_params *p, u32 q_ns)
{
	return div_u64(nscc_sat_mul(nscc_gain(p, k->alpha), p->target_ns - q_ns),
		       max(p->alpha_ns, 1U));
}

/* The emptier the queue, the faster, unless the fast increase has the window. */
static u8 nscc_proportional_increase(struct nscc *n, const struct nscc_knobs *k,
				     const struct nscc_params *p,
				     const struct nscc_event *e)
{
	if (nscc_fast_increase(n, k, p, e))
		return NSCC_FAST;
	nscc_collect(n, nscc_alpha(k, p, e->q_ns), e->bytes);
	return NSCC_PROPORTIONAL;
}

/*
 * Delay and mark agree: a queue. Once per base RTT, by the excess of the
 * average: W *= max(1 - gamma (avg - target) / avg, min_keep). gamma needs 17
 * bits, avg 40, W 44.
 */
static u8 nscc_multiplicative_decrease(struct nscc *n,
				       const struct nscc_knobs *k,
				       const struct nscc_params *p,
				       const struct nscc_event *e)
{
	u64 target = (u64)p->target_ns << DCC_EWMA_FRAC;
	u64 avg = n->avg, cut, keep;

	n->fast = 0;
	n->fi_count = 0;
	if (avg <= target || e->now_ns - n->last_dec <= p->base_rtt_ns)
		return NSCC_WAIT;
	cut = div64_u64(dcc_milli_to_ratio(k->gamma) * (avg - target), avg);
	keep = max_t(u64, DCC_RATIO_ONE - cut, dcc_milli_to_ratio(k->min_keep));
	n->cwnd = n->cwnd * keep >> DCC_RATIO_SHIFT;
	n->last_dec = e->now_ns;
	return NSCC_DECREASE;
}

/* Delay and mark together say what to do. */
static u8 nscc_quadrant(struct nscc *n, const struct nscc_knobs *k,
			const struct nscc_params *p, const struct nscc_event *e)
{
	bool high = e->q_ns >= p->target_ns;

	if (e->ce && high)
		return nscc_multiplicative_decrease(n, k, p, e);
	if (e->ce)
		return NSCC_NOOP;
	if (!e->cwnd_limited)
		return NSCC_HOLD;
	if (high)
		return nscc_fair_increase(n, k, p, e);
	return nscc_proportional_increase(n, k, p, e);
}

/*
 * Increases take effect together, divided by the window, so that small ones
 * catch up; once per R there is a little more, less than 2^47 units.
 */
static u8 nscc_fulfil(struct nscc *n, const struct nscc_knobs *k,
		      const struct nscc_params *p, const struct nscc_event *e)
{
	u64 since = e->now_ns - n->last_adj;
	u64 step;

	if (n->received <= (u64)k->adjust_mtus * p->mtu && since <= p->rtt_ns)
		return 0;
	step = div64_u64(nscc_sat_mul(n->inc, 1U << DCC_CWND_SHIFT), n->cwnd);
	n->cwnd += min_t(u64, step, NSCC_CWND_MAX) << DCC_CWND_SHIFT;
	if (since >= p->rtt_ns) {
		n->cwnd += nscc_gain(p, k->eta) >>
			   (NSCC_SCALE_SHIFT - DCC_CWND_SHIFT);
		n->last_adj = e->now_ns;
	}
	n->inc = 0;
	n->received = 0;
	return NSCC_MARK_FULFIL;
}

/**
 * nscc_update() - an ACK
 * @n: state; bytes counted, average fed already
 * @k: knobs
 * @p: of nscc_params_set(), base RTT known
 * @e: the ACK
 *
 * Return: enum nscc_branch, with NSCC_MARK_FULFIL and NSCC_MARK_PERIOD.
 */
u8 nscc_update(struct nscc *n, const struct nscc_knobs *k,
	       const struct nscc_params *p, const struct nscc_event *e)
{
	u8 branch = nscc_quick_adapt(n, k, p, e, false);

	if (!(branch & NSCC_BRANCH)) {
		branch |= nscc_quadrant(n, k, p, e);
		nscc_clamp(n, p);
		if (e->cwnd_limited)
			branch |= nscc_fulfil(n, k, p, e);
	}
	nscc_clamp(n, p);
	return branch;
}

/**
 * nscc_loss() - a packet lost
 * @n: state, without the packet yet
 * @k: knobs
 * @p: of nscc_params_set()
 * @e: the packet
 *
 * Return: NSCC_LOSS, NSCC_IGNORED or NSCC_QUICK_ADAPT, with NSCC_MARK_PERIOD.
 */
u8 nscc_loss(struct nscc *n, const struct nscc_knobs *k,
	     const struct nscc_params *p, const struct nscc_event *e)
{
	u64 bytes = (u64)e->bytes << DCC_CWND_SHIFT;
	u8 branch;

	n->to_ignore -= min(n->to_ignore, e->bytes);
	if (p->rtt_ns)
		n->avg = dcc_ewma_step(n->avg, p->rtt_ns, nscc_weight(k));
	n->trigger = 1;
	branch = nscc_quick_adapt(n, k, p, e, true);
	if (!(branch & NSCC_BRANCH)) {
		n->cwnd -= min(n->cwnd, bytes);
		branch |= NSCC_LOSS;
	}
	nscc_clamp(n, p);
	return branch;
}
