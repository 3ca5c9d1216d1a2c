// SPDX-License-Identifier: GPL-2.0
/* prioplus: algorithm 1 of the paper, in the order of its listing; see prioplus.h. */
#include "../common/math/dcc_wide.h"
#include "prioplus.h"

/*
 * Lines 2 to 6. The ACK of a packet sent since the last RTT ended ends the next; a send time
 * that is not known follows from the delay. The first ACK only begins one.
 */
static u8 rtt_pass(struct prioplus *pp, const struct prioplus_knobs *k,
		   const struct dcc_sample *s)
{
	u64 sent = s->sent_ns ? s->sent_ns : s->now_ns - s->delay_ns;
	bool first = !pp->rtt_end_ns;

	if (!first && sent < pp->rtt_end_ns)
		return 0;
	pp->rtt_end_ns = s->now_ns;
	if (first)
		return 0;
	pp->dual = !pp->dual || !k->dual_rtt;
	pp->step = 0;
	return PRIOPLUS_MARK_RTT;
}

/**
 * prioplus_exceeds_limit() - line 7: is it time to stop?
 * @pp: state
 * @p: of prioplus_params_set()
 * @delay: ns
 *
 * Return: was this the second delay beyond D_limit in a row, or a later one?
 */
bool prioplus_exceeds_limit(struct prioplus *pp, const struct prioplus_params *p, u32 delay)
{
	if (delay < p->limit_ns)
		pp->consec = 0;
	else if (pp->consec < PRIOPLUS_CONSEC)
		pp->consec++;
	return pp->consec == PRIOPLUS_CONSEC;
}

/*
 * Lines 8 to 10: #flow = max(#flow, delay * C / W). 62 bits of packets times 2^20 need 82:
 * dcc_mul_div() has 128, and clamps what does not fit.
 */
static u8 estimate_flows(struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p, u32 delay)
{
	u64 flows = dcc_mul_div(prioplus_carried(p, delay), PRIOPLUS_ONE_FLOW, pp->swift.cwnd);
	u32 before = pp->nflow;

	if (k->slow_estimate)
		flows = prioplus_slow_estimate(pp, flows);
	pp->nflow = (u32)clamp_t(u64, flows, before, PRIOPLUS_MOST_FLOWS);
	pp->step = 0;
	pp->countdown = p->countdown;
	return pp->nflow == before ? 0 : PRIOPLUS_MARK_FLOWS;
}

/* Lines 16, 17, 31 and 32: an empty queue. #flow flows would have filled it by now. */
static u8 count_down(struct prioplus *pp)
{
	u32 before = pp->nflow;

	if (pp->countdown) {
		pp->countdown--;
		return 0;
	}
	pp->nflow = max(pp->nflow / 2, PRIOPLUS_ONE_FLOW);
	return pp->nflow == before ? 0 : PRIOPLUS_MARK_FLOWS;
}

/* Line 20: min(W / 2, (D_target - delay) / delay * W), of a delay that is not 0. */
static void adaptive_increase(struct prioplus *pp, const struct prioplus_params *p, u32 delay)
{
	u64 cwnd = pp->swift.cwnd;

	pp->step = min(cwnd / 2, dcc_mul_div(cwnd, p->target_ns - delay, delay));
}

/* W_AI,origin / #flow: of the #flow that is, where lines 6 and 10 have that of some RTTs ago. */
static u64 step_per_flow(const struct prioplus *pp, const struct prioplus_knobs *k, u64 step)
{
	if (pp->nflow == PRIOPLUS_ONE_FLOW)
		return step;		/* most often, and for each ACK */
	return k->root_ai ? prioplus_root_ai(pp, step) : prioplus_per_flow(pp, step);
}

/* LEDBAT's step, up or down. */
static void ledbat_step(struct prioplus *pp, const struct prioplus_knobs *k,
			const struct prioplus_params *p, u32 delay, u32 acked)
{
	u64 gain = step_per_flow(pp, k, dcc_milli_to_pkts(k->gain));

	pp->swift.cwnd = dcc_ledbat_adjust(pp->swift.cwnd, gain, p->target_ns - p->base_ns,
					   delay - p->base_ns, acked);
}

/**
 * prioplus_grow() - line 22, below the target: W_AI is spread over the ACKs of an RTT
 * @pp: state
 * @k: knobs
 * @p: of prioplus_params_set()
 * @delay: ns, at least the base RTT
 * @acked: packets newly delivered
 *
 * They are as many as there are packets in the window, the last one whole.
 */
void prioplus_grow(struct prioplus *pp, const struct prioplus_knobs *k,
		   const struct prioplus_params *p, u32 delay, u32 acked)
{
	u64 acks = pp->swift.cwnd + DCC_PKT - DCC_PKT / p->mss, step = pp->step;
	struct dcc_swift_knobs swift = prioplus_swift(k);

	if (pp->variant == PRIOPLUS_OVER_LEDBAT)
		ledbat_step(pp, k, p, delay, acked);
	else
		step += step_per_flow(pp, k, dcc_milli_to_pkts(k->ai));
	dcc_swift_grow(&pp->swift, &swift, step, acks, acked);
}

/* Line 22, OriginalCC: the step up below D_target, which the window must call for, or down. */
static u8 original_cc(struct prioplus *pp, const struct prioplus_knobs *k,
		      const struct prioplus_params *p, const struct dcc_sample *s)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);

	if (prioplus_lost(pp, k, s))
		return PRIOPLUS_LOSS;
	if (s->delay_ns < p->target_ns || s->delay_ns <= p->empty_ns) {
		if (!s->cwnd_limited)
			return PRIOPLUS_IDLE;
		prioplus_grow(pp, k, p, max(s->delay_ns, p->base_ns), s->acked);
		return PRIOPLUS_INCREASE;
	}
	if (pp->variant == PRIOPLUS_OVER_LEDBAT) {
		ledbat_step(pp, k, p, s->delay_ns, s->acked);
		return PRIOPLUS_DECREASE;
	}
	if (!dcc_swift_may_decrease(&pp->swift, s->now_ns, s->srtt_ns))
		return PRIOPLUS_WAIT;
	dcc_swift_decrease(&pp->swift, &swift, s->delay_ns, p->target_ns, s->now_ns);
	return PRIOPLUS_DECREASE;
}

/*
 * Lines 13 to 20, at the end of an RTT that the window limited. Where eps is wider than the
 * channel its queue counts as empty.
 */
static u8 end_of_rtt(struct prioplus *pp, const struct prioplus_params *p, u32 delay)
{
	if (delay <= p->empty_ns) {
		pp->swift.cwnd += prioplus_per_flow(pp, p->linear);
		return PRIOPLUS_LINEAR | count_down(pp);
	}
	if (delay >= p->target_ns || !pp->dual)
		return 0;
	adaptive_increase(pp, p, delay);
	return PRIOPLUS_MARK_STEP;
}

/**
 * prioplus_new_ack() - lines 1 to 22
 * @pp: state, of a flow that is not suspended
 * @k: knobs
 * @p: of prioplus_params_set(), base RTT known
 * @s: an ACK with a delay
 * @d: if the flow stops, when to probe
 *
 * Return: enum prioplus_branch with PRIOPLUS_MARK_*.
 */
u8 prioplus_new_ack(struct prioplus *pp, const struct prioplus_knobs *k,
		    const struct prioplus_params *p, const struct dcc_sample *s,
		    struct dcc_decision *d)
{
	u8 marks = rtt_pass(pp, k, s), branch;

	if (prioplus_exceeds_limit(pp, p, s->delay_ns)) {
		marks |= estimate_flows(pp, k, p, s->delay_ns);
		if (!p->highest) {
			prioplus_schedule_probe(pp, k, p, s->delay_ns, d);
			return PRIOPLUS_STOP | marks;
		}
	} else if (marks && s->cwnd_limited) {
		marks |= end_of_rtt(pp, p, s->delay_ns);
	}
	branch = original_cc(pp, k, p, s);
	return (marks & PRIOPLUS_BRANCH ? 0 : branch) | marks;
}

/* xorshift (Marsaglia, 2003): all values but 0, one after another. */
static u32 random_of(struct prioplus *pp)
{
	pp->random ^= pp->random << 13;
	pp->random ^= pp->random >> 17;
	pp->random ^= pp->random << 5;
	return pp->random;
}

/**
 * prioplus_schedule_probe() - lines 11 and 23 to 25: StopSending, ScheduleProbe
 * @pp: state
 * @k: knobs
 * @p: of prioplus_params_set()
 * @delay: ns
 * @d: when to probe: after delay - D_target + random(base RTT), a second at most
 */
void prioplus_schedule_probe(struct prioplus *pp, const struct prioplus_knobs *k,
			     const struct prioplus_params *p, u32 delay,
			     struct dcc_decision *d)
{
	u64 wait = delay > p->target_ns ? delay - p->target_ns : 0;

	wait += (u64)p->base_ns * random_of(pp) >> 32;
	pp->suspended = 1;
	if (k->return_order)
		prioplus_order_stop(pp, k, p, delay);
	d->probe_delay_ns = clamp_t(u64, wait, 1, PRIOPLUS_LATEST_PROBE);
}

/**
 * prioplus_new_probe_ack() - lines 26 to 36
 * @pp: state, of a flow that is suspended
 * @k: knobs
 * @p: of prioplus_params_set()
 * @s: the answer
 * @d: if the flow stays suspended, when to probe
 *
 * Return: enum prioplus_branch with PRIOPLUS_MARK_FLOWS.
 */
u8 prioplus_new_probe_ack(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, const struct dcc_sample *s,
			  struct dcc_decision *d)
{
	u32 delay = s->delay_ns;
	u64 wait;

	if (p->base_ns && delay >= p->limit_ns && !p->highest) {
		prioplus_schedule_probe(pp, k, p, delay, d);
		return PRIOPLUS_PROBE;
	}
	wait = k->return_order ? prioplus_order_wait(pp, p) : 0;
	if (wait) {
		d->probe_delay_ns = min_t(u64, wait, PRIOPLUS_LATEST_PROBE);
		return PRIOPLUS_PROBE;
	}
	pp->suspended = 0;
	pp->rtt_end_ns = s->now_ns;
	if (p->base_ns && delay <= p->empty_ns) {
		pp->swift.cwnd = prioplus_per_flow(pp, p->linear);
		return PRIOPLUS_RESUME | count_down(pp);
	}
	pp->swift.cwnd = k->join ? prioplus_join(pp, p, delay) : DCC_PKT;
	return PRIOPLUS_RESUME_ONE;
}
