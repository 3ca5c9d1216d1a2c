// SPDX-License-Identifier: GPL-2.0
/*
 * prioplus: the life of a flow on a real stack, around the paper of prioplus.c.
 *
 * - The highest priority never stops: there is no flow to make way for.
 * - Growth and countdown need a sender that its window held back.
 * - What was sent before a stop and is ACKed after it changes nothing.
 * - An ACK that the receiver may have delayed proves a path free only. Below two packets, when
 *   all may be such, the second beyond D_limit makes the flow stop and ask; below one, they
 *   let the window grow as at an empty queue.
 * - A tenth of a packet makes a flow stop, too.
 * - Losses and timeouts are Swift's: once per RTT W *= 1 - max_mdf.
 * - A flow that was silent for longer than a retransmission timeout begins again.
 * - C unknown: no guess. The channels, which need delays only, stay; #flow does not grow, W_LS
 *   is one packet.
 * - W <= D_target * C, the stack's window that in whole packets, rounded up: where a channel is
 *   narrower than a packet the link would never be full.
 */
#include "../common/math/dcc_wide.h"
#include "prioplus.h"

const struct dcc_knob prioplus_knob[PRIOPLUS_KNOB_COUNT] = {
	PRIOPLUS_KNOBS(DCC_KNOB_ENTRY)
};

#define LINEAR_HIGH	1000			/* W_LS in 1/1000 BDP, section 4.4 */
#define LINEAR_MIDDLE	250
#define LINEAR_LOW	125

/*
 * W_LS, in 1/1000 BDP: a flow's place counted from the top, in the first quarter
 * of the priorities, in the next three eighths, or behind.
 */
static u32 prioplus_linear_share(const struct prioplus_knobs *k, u32 prio)
{
	u32 above = k->prio_levels - prio;
	u32 share = k->linear_start;	/* read once: it may be written */

	if (share)
		return share;
	if (above * 4 < k->prio_levels)
		return LINEAR_HIGH;
	return above * 8 < k->prio_levels * 5 ? LINEAR_MIDDLE : LINEAR_LOW;
}

/* What follows from the line rate. Without it the flow starts by single packets. */
static void prioplus_windows(struct prioplus_params *p,
			     const struct prioplus_knobs *k, u32 share)
{
	u64 bdp = prioplus_carried(p, p->base_ns);

	p->linear = DCC_PKT;
	p->most = (u64)k->max_cwnd << DCC_PKT_SHIFT;
	if (!bdp)
		return;
	p->linear = max_t(u64, dcc_mul_div(bdp, share, DCC_MILLI), 1);
	p->most = min(p->most, prioplus_carried(p, p->target_ns));
}

/* The base RTT and so much more, if that is a delay at all. */
static u32 prioplus_after(u32 base_ns, u64 more_ns)
{
	return (u32)min_t(u64, base_ns + more_ns, U32_MAX);
}

/*
 * A or B, ns, below 2^30: what the knob says, else what the link takes for the bytes of the
 * paper's channels: 3.2 and 0.8 us at 100 Gbit/s. In time they would be narrower than a
 * packet where the link is slow, and flows that have it to themselves would stop each other.
 */
static u32 prioplus_span_of(u32 knob_ns, u32 bytes, u64 line_rate)
{
	if (knob_ns)
		return knob_ns;
	line_rate = line_rate ?: PRIOPLUS_PAPERS_LINE;
	return (u32)min_t(u64, div64_u64((u64)bytes * NSEC_PER_SEC, line_rate),
			  NSEC_PER_SEC);
}

/* The longest delay without a queue; 0: unknown. With base_rtt_ns that, or less if it was seen. */
static u32 prioplus_base(const struct prioplus_knobs *k, const struct dcc_sample *s)
{
	u32 configured = k->base_rtt_ns;

	if (!configured)
		return k->host_jitter ? dcc_sample_base(s) : s->base_rtt_ns;
	return s->base_rtt_ns ? min(s->base_rtt_ns, configured) : configured;
}

/**
 * prioplus_params_set() - what follows from network, knobs and priority
 * @p: result, all fields set
 * @pp: state, of which the priority counts
 * @k: knobs
 * @s: an ACK or an answer: base RTT, line rate and MSS count
 */
void prioplus_params_set(struct prioplus_params *p, const struct prioplus *pp,
			 const struct prioplus_knobs *k, const struct dcc_sample *s)
{
	u32 prio = clamp_t(u32, pp->prio, 1, k->prio_levels), base = prioplus_base(k, s);
	u32 share = prioplus_linear_share(k, prio);
	u64 target;

	p->line_rate = min(s->line_rate, DCC_FASTEST_LINE);
	p->fluct_ns = prioplus_span_of(k->channel_fluct_ns, PRIOPLUS_FLUCT, p->line_rate);
	p->noise_ns = prioplus_span_of(k->channel_noise_ns, PRIOPLUS_NOISE, p->line_rate);
	p->base_ns = base;
	p->empty_ns = prioplus_after(base, k->eps_ns);
	target = (u64)prio * (p->fluct_ns + p->noise_ns);
	p->target_ns = prioplus_after(base, target);
	p->limit_ns = prioplus_after(base, target + p->fluct_ns / 2 + p->noise_ns);
	p->mss = s->mss;
	p->countdown = (u16)((DCC_MILLI + share - 1) / share);
	p->highest = prio == k->prio_levels;
	prioplus_windows(p, k, share);
}

/**
 * prioplus_init() - start a flow
 * @pp: state, any content
 * @k: knobs within their ranges
 * @variant: the original CC
 * @cwnd_pkts: first window, packets
 * @seed: random
 *
 * It has the lowest priority until prioplus_set_priority().
 */
void prioplus_init(struct prioplus *pp, const struct prioplus_knobs *k,
		   enum prioplus_variant variant, u32 cwnd_pkts, u32 seed)
{
	memset(pp, 0, sizeof(*pp));
	pp->swift.cwnd = (u64)clamp_t(u32, cwnd_pkts, 1, k->max_cwnd)
			 << DCC_PKT_SHIFT;
	pp->nflow = PRIOPLUS_ONE_FLOW;
	pp->random = max(seed, 1U);
	pp->prio = 1;
	pp->variant = (u8)variant;
}

/**
 * prioplus_set_priority() - the flow's priority, at its start or later
 * @pp: state
 * @k: knobs
 * @prio: what the socket says; 0, none, is the lowest, 1
 *
 * A flow that is suspended should be probed for at once: its channel is another.
 *
 * Return: false if it is above prio_levels, which then stands in.
 */
bool prioplus_set_priority(struct prioplus *pp, const struct prioplus_knobs *k,
			   u32 prio)
{
	u8 before = pp->prio;

	pp->prio = (u8)clamp_t(u32, prio, 1, k->prio_levels);
	if (pp->prio != before)		/* another channel: who is above is not known */
		pp->order.above = 0;
	return prio <= k->prio_levels;
}

/* The flow begins, or begins again: what its RTTs measured is void. */
static void prioplus_restart(struct prioplus *pp)
{
	pp->rtt_end_ns = 0;
	pp->step = 0;
	pp->consec = 0;
	pp->dual = 0;
}

/* Is the delay one that may be acted on? See above on delayed ACKs. */
static bool prioplus_is_valid(const struct prioplus_params *p,
			      const struct dcc_sample *s)
{
	return s->delay_ns && p->base_ns &&
	       !(s->maybe_delayed && s->delay_ns >= p->target_ns);
}

/*
 * Was it the queue or the receiver that made the ACKs of single packets late? A
 * probe's answer is never delayed: the probe asks for it.
 */
static bool prioplus_in_doubt(struct prioplus *pp, const struct prioplus_params *p,
			      const struct dcc_sample *s)
{
	return s->maybe_delayed && s->delay_ns && p->base_ns && !p->highest &&
	       pp->swift.cwnd < PRIOPLUS_SMALL_CWND &&
	       prioplus_exceeds_limit(pp, p, s->delay_ns);
}

/*
 * No delay to act on. Below one packet all ACKs may have been delayed, or be of what
 * was sent again, as after losses all are; waiting for better ones would not end.
 */
static u8 prioplus_blind(struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p,
			 const struct dcc_sample *s, struct dcc_decision *d)
{
	bool untold = !s->delay_ns && s->acked;

	if (prioplus_lost(pp, k, s))
		return PRIOPLUS_LOSS;
	if (prioplus_in_doubt(pp, p, s)) {
		prioplus_schedule_probe(pp, k, p, p->target_ns, d);
		return PRIOPLUS_ASK;
	}
	if (!(untold || s->maybe_delayed) || pp->swift.cwnd >= DCC_PKT ||
	    !s->cwnd_limited)
		return PRIOPLUS_IDLE;
	prioplus_grow(pp, k, p, p->base_ns, s->acked);
	return PRIOPLUS_INCREASE;
}

/* As small as it gets, and the queue is not what keeps the flow from growing. */
static bool prioplus_is_small(const struct prioplus *pp,
			      const struct prioplus_knobs *k,
			      const struct prioplus_params *p, u8 branch)
{
	u64 least = max(PRIOPLUS_LEAST_CWND, dcc_milli_to_pkts(k->min_cwnd));

	branch &= PRIOPLUS_BRANCH;
	return pp->swift.cwnd <= least && !p->highest &&
	       (branch == PRIOPLUS_DECREASE || branch == PRIOPLUS_WAIT ||
		branch == PRIOPLUS_LOSS);
}

/* An ACK, of a flow that is not suspended. */
static u8 prioplus_digest(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p,
			  const struct dcc_sample *s, struct dcc_decision *d)
{
	u8 branch;

	if (s->acked)
		pp->swift.rto_run = 0;
	if (!prioplus_is_valid(p, s))
		return prioplus_blind(pp, k, p, s, d);
	branch = prioplus_new_ack(pp, k, p, s, d);
	if (!prioplus_is_small(pp, k, p, branch))
		return branch;
	prioplus_schedule_probe(pp, k, p, s->delay_ns, d);
	return PRIOPLUS_SMALL | (branch & ~PRIOPLUS_BRANCH);
}

/* Bound the window and say what is decided. */
static void prioplus_decide(struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p, u32 delay,
			    u8 branch, struct dcc_decision *d)
{
	u64 least = dcc_milli_to_pkts(k->min_cwnd);

	pp->swift.cwnd = clamp_t(u64, pp->swift.cwnd, least,
				 max(least, p->most));
	if (pp->suspended)
		prioplus_restart(pp);
	d->suspend = pp->suspended;
	d->up = pp->swift.cwnd >= p->most;
	d->branch = branch | (p->line_rate ? 0 : PRIOPLUS_MARK_NO_LINE);
	d->delay_ns = delay;
	d->target_ns = p->base_ns ? p->target_ns : 0;
	d->pacing_rate = 0;
	/* 40 bits of window, 16 of bytes, << 8, >> 20 */
	d->cwnd = pp->swift.cwnd * p->mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

/**
 * prioplus_on_ack() - digest one ACK
 * @pp: state
 * @k: knobs
 * @s: what the ACK reported
 * @d: what to do, zeroed; branch an enum prioplus_branch with PRIOPLUS_MARK_*.
 *	While the flow is suspended, nothing: the probe comes when it was said to
 */
void prioplus_on_ack(struct prioplus *pp, const struct prioplus_knobs *k,
		     const struct dcc_sample *s, struct dcc_decision *d)
{
	struct prioplus_params p;
	u8 branch = PRIOPLUS_SUSPENDED;

	prioplus_params_set(&p, pp, k, s);
	if (!pp->suspended)
		branch = prioplus_digest(pp, k, &p, s, d);
	prioplus_decide(pp, k, &p, s->delay_ns, branch, d);
}

/**
 * prioplus_on_start() - a flow has something to send, at first or after a silence
 * @pp: state, the priority set
 * @k: knobs
 * @s: what is known of the network; no delay, no packets
 * @d: what to do, zeroed: probe at once, or send with the window of a linear start,
 *	if line rate and base RTT are known, after a silence with no more than it had;
 *	else with the one it has
 */
void prioplus_on_start(struct prioplus *pp, const struct prioplus_knobs *k,
		       const struct dcc_sample *s, struct dcc_decision *d)
{
	u64 most = pp->rtt_end_ns ? pp->swift.cwnd : U64_MAX;
	u8 branch = PRIOPLUS_START_NOW;
	struct prioplus_params p;

	prioplus_params_set(&p, pp, k, s);
	prioplus_restart(pp);
	pp->suspended = !p.highest && pp->prio <= k->probe_start;
	if (pp->suspended) {
		branch = PRIOPLUS_START;
		d->probe_delay_ns = 1;
	} else if (p.line_rate && p.base_ns) {
		pp->swift.cwnd = min(prioplus_per_flow(pp, p.linear), most);
	}
	prioplus_decide(pp, k, &p, s->delay_ns, branch, d);
}

/**
 * prioplus_on_probe() - decide on the answer to a probe
 * @pp: state; if the flow is not suspended, the answer is late and changes nothing
 * @k: knobs
 * @s: what the answer measured: a delay, and no packets
 * @d: what to do, zeroed; as prioplus_on_ack()
 */
void prioplus_on_probe(struct prioplus *pp, const struct prioplus_knobs *k,
		       const struct dcc_sample *s, struct dcc_decision *d)
{
	u8 branch = PRIOPLUS_IDLE;
	struct prioplus_params p;

	prioplus_params_set(&p, pp, k, s);
	if (pp->suspended)
		branch = prioplus_new_probe_ack(pp, k, &p, s, d);
	prioplus_decide(pp, k, &p, s->delay_ns, branch, d);
}

/**
 * prioplus_on_rto() - a retransmission timeout
 * @pp: state
 * @k: knobs
 * @now_ns: the time
 * @srtt_ns: raw smoothed RTT, ns
 *
 * What was sent before the flow was suspended may time out meanwhile: that is no news of the window
 * that comes after it.
 */
void prioplus_on_rto(struct prioplus *pp, const struct prioplus_knobs *k,
		     u64 now_ns, u32 srtt_ns)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);

	if (pp->suspended)
		return;
	prioplus_restart(pp);
	dcc_swift_on_rto(&pp->swift, &swift, now_ns, srtt_ns);
}

/**
 * prioplus_on_idle() - the flow starts again, or its packets changed size
 * @pp: state; a flow that is suspended stays so
 */
void prioplus_on_idle(struct prioplus *pp)
{
	prioplus_restart(pp);
}

/**
 * prioplus_go_on() - the flow could not be suspended: no probe would be answered
 * @pp: state; if the flow is not to be suspended, nothing changes
 *
 * It goes on as it would from an answer that found a queue: with one packet.
 */
void prioplus_go_on(struct prioplus *pp)
{
	if (!pp->suspended)
		return;
	pp->suspended = 0;
	pp->swift.cwnd = DCC_PKT;
}
