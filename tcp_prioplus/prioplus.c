// SPDX-License-Identifier: GPL-2.0
/* prioplus and prioplus_ledbat; the law is stated in prioplus.h. */
#include "../common/dcc_wide.h"
#include "prioplus.h"

#define CALM_TO_PKTS	(DCC_PKT_SHIFT - PRIOPLUS_CALM_SHIFT)
#define CALM_RTTS	16			/* calm lags behind a shrinking window */

const struct dcc_knob prioplus_knob[PRIOPLUS_KNOB_COUNT] = {
	PRIOPLUS_KNOBS(DCC_KNOB_ENTRY)
};

#define LINEAR_HIGH	1000			/* W_LS in 1/1000 BDP, section 4.4 */
#define LINEAR_MIDDLE	250
#define LINEAR_LOW	125

/* Are flows to know their places? Not by the paper's rules, nor without a line rate. */
static bool prioplus_has_places(const struct prioplus_knobs *k,
				const struct prioplus_params *p)
{
	return k->takeover && k->cardinality && p->line_rate;
}

/* What the line carries in a time, packets << DCC_PKT_SHIFT. */
static u64 prioplus_carried(const struct prioplus_params *p, u32 ns)
{
	return dcc_carried_pkts(p->line_rate, ns, p->mss);
}

/*
 * W_LS, in 1/1000 BDP: a flow's place counted from the top, in the first quarter
 * of the priorities, in the next three eighths, or behind.
 */
static u32 prioplus_linear_share(const struct prioplus_knobs *k, u32 prio)
{
	u32 above = k->prio_levels - prio;
	u32 share = k->linear_start;	/* read once: somebody may write it */

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
 * A or B, ns, below 2^30: what the knob says, else what the line takes for the bytes of the
 * paper's channels: 3.2 and 0.8 us at 100 Gbit/s. In time they would be narrower than a
 * packet where the line is slow, and flows that have it to themselves would stop each other.
 */
static u32 prioplus_span_of(u32 knob_ns, u32 bytes, u64 line_rate)
{
	if (knob_ns)
		return knob_ns;
	line_rate = line_rate ?: PRIOPLUS_PAPERS_LINE;
	return (u32)min_t(u64, div64_u64((u64)bytes * NSEC_PER_SEC, line_rate),
			  NSEC_PER_SEC);
}

/**
 * prioplus_params_set() - what follows from network, knobs and priority
 * @p: result, all fields set
 * @pp: state, of which the priority counts
 * @k: knobs
 * @base_rtt_ns: the flow's base RTT; 0: unknown
 * @line_rate: bytes/s; 0: unknown
 * @mss: payload of a full packet, bytes, not 0
 */
void prioplus_params_set(struct prioplus_params *p, const struct prioplus *pp,
			 const struct prioplus_knobs *k, u32 base_rtt_ns,
			 u64 line_rate, u32 mss)
{
	u32 prio = clamp_t(u32, pp->prio, 1, k->prio_levels), base = base_rtt_ns;
	u32 share = prioplus_linear_share(k, prio);
	u64 target;

	if (k->base_rtt_ns && (!base || base > k->base_rtt_ns))
		base = k->base_rtt_ns;
	p->line_rate = min(line_rate, DCC_FASTEST_LINE);
	p->fluct_ns = prioplus_span_of(k->channel_fluct_ns, PRIOPLUS_FLUCT, p->line_rate);
	p->noise_ns = prioplus_span_of(k->channel_noise_ns, PRIOPLUS_NOISE, p->line_rate);
	p->base_ns = base;
	p->empty_ns = prioplus_after(base, k->eps_ns);
	target = (u64)prio * (p->fluct_ns + p->noise_ns);
	p->target_ns = prioplus_after(base, target);
	p->limit_ns = prioplus_after(base, target + p->fluct_ns / 2 + p->noise_ns);
	p->mss = mss;
	p->countdown = (u16)((DCC_MILLI + share - 1) / share);
	p->highest = prio == k->prio_levels;
	prioplus_windows(p, k, share);
}

/**
 * prioplus_init() - start a flow
 * @pp: state, any content
 * @k: knobs within their ranges
 * @variant: which law is inside, not PRIOPLUS_LEDBAT
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

/* Another channel, or another time: who is there is not known. */
static void prioplus_forget(struct prioplus *pp)
{
	pp->place = PRIOPLUS_NO_PLACE;
	pp->above = 0;
	pp->asked = PRIOPLUS_STOPPED;
	pp->steady = 0;
}

/**
 * prioplus_set_priority() - the flow's priority, at its start or later
 * @pp: state
 * @k: knobs
 * @prio: what the socket says; 0, none, is the lowest, 1
 *
 * A flow that is held should be probed for at once: its channel is another.
 *
 * Return: false if it is above prio_levels, which then stands in.
 */
bool prioplus_set_priority(struct prioplus *pp, const struct prioplus_knobs *k,
			   u32 prio)
{
	u8 before = pp->prio;

	pp->prio = (u8)clamp_t(u32, prio, 1, k->prio_levels);
	if (pp->prio != before)
		prioplus_forget(pp);
	return prio <= k->prio_levels;
}

/* What dcc_swift.c needs of the knobs; target and scaling are not its to find. */
static struct dcc_swift_knobs prioplus_swift(const struct prioplus_knobs *k)
{
	return (struct dcc_swift_knobs) {
		.ai = k->ai, .beta_md = k->beta_md, .max_mdf = k->max_mdf,
		.min_cwnd = k->min_cwnd, .max_cwnd = k->max_cwnd,
	};
}

/* xorshift (Marsaglia, 2003): all values but 0, one after another. */
static u32 prioplus_random(struct prioplus *pp)
{
	u32 x = pp->random;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	pp->random = x;
	return x;
}

/* log2 of a #flow at its scale: 24 bits. Straight between the powers of two. */
static u32 prioplus_log2(u32 nflow)
{
	u32 whole = fls64(nflow >> PRIOPLUS_FLOW_SHIFT) - 1;

	return (whole << PRIOPLUS_FLOW_SHIFT) + (nflow >> whole) -
	       PRIOPLUS_ONE_FLOW;
}

/*
 * Its root: half the logarithm, straight between the powers of two, 6 % more at most. Of many
 * flows an eighth of it, which is more: together they take eight steps, not more and more.
 */
static u32 prioplus_root(u32 nflow)
{
	u32 half = prioplus_log2(nflow) / 2;

	if (nflow >= PRIOPLUS_CROWD)
		return nflow / 8;
	return (PRIOPLUS_ONE_FLOW + (half & (PRIOPLUS_ONE_FLOW - 1))) <<
	       (half >> PRIOPLUS_FLOW_SHIFT);
}

/*
 * R, the span that the random part of a wait is drawn from. 10 times the logarithm
 * has 27 bits: 59 with a base RTT.
 */
static u64 prioplus_span(const struct prioplus *pp,
			 const struct prioplus_knobs *k,
			 const struct prioplus_params *p)
{
	u64 more = (u64)prioplus_log2(pp->nflow) * k->probe_spread;
	u64 times = PRIOPLUS_ONE_FLOW + div_u64(more, DCC_MILLI);

	return min_t(u64, p->base_ns * times >> PRIOPLUS_FLOW_SHIFT,
		     PRIOPLUS_LATEST_PROBE);
}

/*
 * Whose delay is it, beyond D_limit? That of the priority whose D_target is nearest. As
 * long as who was there stays, a queue that drains must not look like somebody less.
 */
static void prioplus_meet(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, u32 delay)
{
	u32 width = p->fluct_ns + p->noise_ns;	/* 31 bits, 2 at least */
	u64 level = div_u64((u64)delay - p->base_ns + width / 2, width);

	pp->above = (u8)min_t(u64, max_t(u64, level, pp->above ? pp->above - 1 : 0),
			      k->prio_levels);
}

/* A wait for a probe, in 1/1000 base RTTs: 30 bits times 18. */
static u64 prioplus_base_rtts(const struct prioplus_params *p, u32 milli)
{
	return clamp_t(u64, div_u64((u64)p->base_ns * milli, DCC_MILLI), 1,
		       PRIOPLUS_LATEST_PROBE);
}

/* Send nothing; after max(d - D_target, 0) + random(R) a probe. */
static void prioplus_hold(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, u32 delay,
			  struct dcc_decision *d)
{
	u64 wait = delay > p->target_ns ? delay - p->target_ns : 0;

	wait += prioplus_span(pp, k, p) * prioplus_random(pp) >> 32;
	if (!pp->held)
		pp->asked = PRIOPLUS_STOPPED;
	if (p->base_ns && delay >= p->limit_ns)
		prioplus_meet(pp, k, p, delay);
	pp->held = 1;
	d->probe_delay_ns = clamp_t(u64, wait, 1, PRIOPLUS_LATEST_PROBE);
}

/* The flow begins, or begins again: what its RTTs told is void. */
static void prioplus_restart(struct prioplus *pp)
{
	pp->rtt_end_ns = 0;
	if (!pp->place)
		pp->calm = 0;
	pp->steady = 0;
	pp->step = 0;
	pp->exceeded = 0;
	pp->dual = 0;
	pp->place = min_t(u8, pp->place, PRIOPLUS_PLACE);
}

/* The window that is remembered: a flow's place, if it has one. */
static u64 prioplus_calm(const struct prioplus *pp)
{
	return (u64)pp->calm << CALM_TO_PKTS;
}

/* A share of W_LS or ai, by how many flows there seem to be. */
static u64 prioplus_per_flow(const struct prioplus *pp, u64 window)
{
	return dcc_mul_div(window, PRIOPLUS_ONE_FLOW, pp->nflow);
}

/* What all have in flight at D_target: of it a flow with a place knows its part. */
static u64 prioplus_whole(const struct prioplus_params *p)
{
	return prioplus_carried(p, p->target_ns);
}

/* The flow's part of a window of all: by its place, or by how many there seem to be. */
static u64 prioplus_part(const struct prioplus *pp, const struct prioplus_params *p,
			 u64 window)
{
	if (pp->place)
		return dcc_mul_div(window, prioplus_calm(pp), prioplus_whole(p));
	return prioplus_per_flow(pp, window);
}

/* How many flows of its place fill the channel, at #flow's scale. */
static u32 prioplus_places(const struct prioplus_params *p, u64 window)
{
	return (u32)clamp_t(u64, dcc_mul_div(prioplus_whole(p), PRIOPLUS_ONE_FLOW, window),
			    PRIOPLUS_ONE_FLOW, PRIOPLUS_MOST_FLOWS);
}

/*
 * RTTs that found the queue empty: are there fewer flows than it seemed? A place is too
 * small then, and its flow goes by #flow again.
 */
static u8 prioplus_count_down(struct prioplus *pp, const struct prioplus_params *p, u32 rtts)
{
	u32 before = pp->nflow;

	if (pp->countdown) {
		pp->countdown -= min_t(u32, pp->countdown, rtts);
		return 0;
	}
	if (pp->place)
		pp->nflow = prioplus_places(p, prioplus_calm(pp));
	pp->place = PRIOPLUS_NO_PLACE;
	pp->nflow = max(pp->nflow / 2, PRIOPLUS_ONE_FLOW);
	return pp->nflow == before ? 0 : PRIOPLUS_MARK_FLOWS;
}

/*
 * #flow = d * C / W. A window that the law inside has cut under a higher priority's
 * queue is nobody's part of what is in flight: the one from before it counts. One that
 * an answer gave was to bring the delay to D_target, with those of #flow others: as
 * many more are there as such windows are beyond. 62 bits of packets times 2^20 need
 * 82: dcc_mul_div() has 128, and what does not fit is clamped; what is added to, with
 * windows of two packets at least, has 61.
 */
static u64 prioplus_flows(const struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, u32 delay)
{
	u64 window = pp->swift.cwnd, known = 0;

	if (k->takeover) {
		window = max(window, prioplus_calm(pp));
		if (pp->given) {
			delay -= p->target_ns;
			known = pp->nflow;
		}
	}
	return known + dcc_mul_div(prioplus_carried(p, delay), PRIOPLUS_ONE_FLOW,
				   window);
}

/* Is the delay beyond all channels, 37 bits? Then it is no priority's that stays. */
static bool prioplus_is_nobodys(const struct prioplus_knobs *k,
				const struct prioplus_params *p, u32 delay)
{
	return delay >= (u64)p->base_ns + (u64)k->prio_levels * (p->fluct_ns + p->noise_ns) +
			p->fluct_ns / 2 + p->noise_ns;
}

/*
 * The same for a flow without a place. The first estimate may be anything; one that was
 * stopped again may have been stopped by others, who are in d * C, too.
 */
static u64 prioplus_anew(const struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p, u32 delay)
{
	u64 flows = prioplus_flows(pp, k, p, delay);

	if (!k->takeover || pp->nflow == PRIOPLUS_ONE_FLOW ||
	    prioplus_is_nobodys(k, p, delay))
		return flows;
	return min(flows, PRIOPLUS_ONCE_MORE * (u64)pp->nflow);
}

/*
 * A stop of a flow that has its place. Once there it is right: others came. On the way
 * there, too, mostly; but if all of them have too much, they stop each other again and
 * again, and beyond every channel it is nobody else.
 */
static void prioplus_give_room(struct prioplus *pp, const struct prioplus_knobs *k,
			       const struct prioplus_params *p, u32 delay)
{
	if (pp->steady >= PRIOPLUS_STEADY)
		return;
	if (prioplus_is_nobodys(k, p, delay))
		pp->calm = max((u32)div_u64((u64)pp->calm * p->target_ns, delay),
			       pp->calm / 2);
	else
		pp->calm -= pp->calm / 8;
	pp->calm = max(pp->calm, 1U);
}

/*
 * A delay @delay beyond D_limit: #flow, which grows alone, and the countdown to when it
 * is doubted. Of a window that an answer gave, one packet mostly, and that is below
 * two nothing follows: it would make some hundred flows of two.
 */
static u8 prioplus_estimate(struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p, u32 delay)
{
	bool tells = !k->takeover || !pp->given ||
		     pp->swift.cwnd >= PRIOPLUS_SMALL_CWND;
	bool stays = pp->place && !p->highest;	/* who does not hold has no way back */
	u32 before = pp->nflow;
	u64 flows = before;

	if (tells && stays) {
		prioplus_give_room(pp, k, p, delay);
		flows = prioplus_places(p, prioplus_calm(pp));
	} else if (tells && k->cardinality) {
		flows = prioplus_anew(pp, k, p, delay);
	}
	pp->step = 0;
	pp->steady = 0;
	pp->countdown = p->countdown;
	if (pp->place)
		pp->countdown = max_t(u16, p->countdown, PRIOPLUS_TRUST);
	if (tells)
		pp->given = 0;	/* or the highest would add to it with each ACK */
	pp->nflow = (u32)clamp_t(u64, flows, before, PRIOPLUS_MOST_FLOWS);
	return pp->nflow > before ? PRIOPLUS_MARK_FLOWS : 0;
}

/* Is this one more delay beyond D_limit in a row than the filter lets pass? */
static bool prioplus_exceeds(struct prioplus *pp, const struct prioplus_knobs *k,
			     const struct prioplus_params *p, u32 delay)
{
	if (delay < p->limit_ns) {
		pp->exceeded = 0;
		return false;
	}
	if (pp->exceeded < k->exceed_limit)
		pp->exceeded++;
	return pp->exceeded >= k->exceed_limit;
}

/*
 * Did the ACK end an RTT? Its packet was sent when the RTT began or later; a send
 * time that is not known follows from the delay.
 */
static u8 prioplus_pass(struct prioplus *pp, const struct prioplus_knobs *k,
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

/*
 * For how many RTTs the one that ends with this ACK stands. Below a packet a flow
 * hears once in several, and would start that much slower than its larger neighbours.
 * So many W_LS / #flow are a BDP / #flow at most, which is its part of an empty path.
 */
static u32 prioplus_rtts(const struct prioplus_knobs *k,
			 const struct prioplus_params *p, u64 took_ns)
{
	if (!k->takeover || !p->base_ns || !p->line_rate)
		return 1;
	return (u32)clamp_t(u64, div_u64(took_ns, p->base_ns), 1,
			    max_t(u32, p->countdown, 1));
}

/* An empty queue: once per RTT, which began then, a piece more, and #flow in doubt. */
static u8 prioplus_linear(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p,
			  const struct dcc_sample *s, u8 pass, u64 began_ns)
{
	u32 rtts;

	if (!pass)
		return PRIOPLUS_EMPTY;
	if (!s->cwnd_limited)
		return PRIOPLUS_IDLE | pass;
	rtts = prioplus_rtts(k, p, s->now_ns - began_ns);
	pp->swift.cwnd += rtts * prioplus_part(pp, p, p->linear);
	pp->given = 0;
	return PRIOPLUS_LINEAR | pass | prioplus_count_down(pp, p, rtts);
}

/* Has the flow no way to tell how many of its priority are there? */
static bool prioplus_is_new(const struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p)
{
	return prioplus_has_places(k, p) && !pp->place && pp->nflow == PRIOPLUS_ONE_FLOW;
}

/*
 * AI = min(W / 2, (D_target - d) / d * W), d below the target and not 0. Below two
 * packets it is taken at once: of an RTT's one ACK, or two, the one that ends it has
 * no part in AI, and a flow would grow by ai / #flow or hardly at all. One that returned
 * takes at once what is missing to its place. So does one that came into a queue and is
 * new: of n like it a quarter each was not enough, so n is below four.
 */
static void prioplus_adapt(struct prioplus *pp, const struct prioplus_knobs *k,
			   const struct prioplus_params *p, u32 delay)
{
	u64 cwnd = pp->swift.cwnd, most = cwnd / 2;
	bool small = k->takeover && cwnd < PRIOPLUS_SMALL_CWND;
	bool back = pp->place == PRIOPLUS_RETURNED && !small;
	bool joined = pp->given && prioplus_is_new(pp, k, p);

	if (back)
		most = max(prioplus_calm(pp), cwnd) - cwnd;
	if (pp->place == PRIOPLUS_RETURNED)
		pp->place = PRIOPLUS_PLACE;
	pp->given = 0;
	pp->step = min(most, dcc_mul_div(cwnd, p->target_ns - delay, delay));
	if (joined) {
		most = prioplus_carried(p, p->target_ns - delay) / PRIOPLUS_NEWCOMERS *
		       (PRIOPLUS_NEWCOMERS - 1);
		pp->step = max(pp->step, min(min(most, p->linear), p->most / 2));
	}
	if (!small && !back && !joined)
		return;
	pp->swift.cwnd += pp->step;
	pp->step = 0;
}

/*
 * The law's own step, ai / #flow; by the root of #flow. A channel has room for some steps
 * of n flows, too, and who has less must not add less in proportion, or he has for ever.
 */
static u64 prioplus_step(const struct prioplus *pp, const struct prioplus_knobs *k, u64 step)
{
	if (pp->nflow == PRIOPLUS_ONE_FLOW)
		return step;		/* most often, and for each ACK */
	if (!k->takeover)
		return prioplus_per_flow(pp, step);
	return dcc_mul_div(step, PRIOPLUS_ONE_FLOW, prioplus_root(pp->nflow));
}

/* LEDBAT's step, up or down, with a gain of gain / #flow. */
static void prioplus_ledbat(struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p, u32 delay,
			    u32 acked)
{
	u64 gain = prioplus_step(pp, k, dcc_milli_to_pkts(k->ledbat.gain));

	pp->swift.cwnd = ledbat_adjust(pp->swift.cwnd, gain,
				       p->target_ns - p->base_ns,
				       delay - p->base_ns, acked);
}

/*
 * Below the target. AI comes beside what the law inside adds, spread over as many
 * ACKs as there are packets in the window, the last one whole: (W + mss - 1 byte) /
 * mss. Swift's own step, ai / #flow, is spread in the same way.
 */
static void prioplus_grow(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, u32 delay, u32 acked)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);
	u64 acks = pp->swift.cwnd + DCC_PKT - DCC_PKT / p->mss;
	u64 step = pp->step;

	if (pp->variant == PRIOPLUS_OVER_LEDBAT)
		prioplus_ledbat(pp, k, p, delay, acked);
	else
		step += prioplus_step(pp, k, dcc_milli_to_pkts(k->ai));
	dcc_swift_grow(&pp->swift, &swift, step, acks, acked);
}

/* Below the target: the window grows; every second RTT AI is set anew. */
static u8 prioplus_increase(struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p,
			    const struct dcc_sample *s, u8 pass)
{
	if (!s->cwnd_limited)
		return PRIOPLUS_IDLE | pass;
	prioplus_grow(pp, k, p, s->delay_ns, s->acked);
	if (!pass || !pp->dual)
		return PRIOPLUS_INCREASE | pass;
	prioplus_adapt(pp, k, p, s->delay_ns);
	return PRIOPLUS_INCREASE | pass | PRIOPLUS_MARK_STEP;
}

/* At the target or above it: the law inside gives way. */
static u8 prioplus_decrease(struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p,
			    const struct dcc_sample *s)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);

	if (pp->variant == PRIOPLUS_OVER_LEDBAT) {
		prioplus_ledbat(pp, k, p, s->delay_ns, s->acked);
		return PRIOPLUS_DECREASE;
	}
	if (!dcc_swift_may_decrease(&pp->swift, s->now_ns, s->srtt_ns))
		return PRIOPLUS_WAIT;
	dcc_swift_decrease(&pp->swift, &swift, s->delay_ns, p->target_ns,
			   s->now_ns);
	return PRIOPLUS_DECREASE;
}

/* A loss that is the first of an RTT is the law's inside to cut for. */
static bool prioplus_lost(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct dcc_sample *s)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);

	return s->recovery && dcc_swift_cut(&pp->swift, &swift, s->now_ns,
					    s->srtt_ns);
}

/* Is the delay one that may be acted on? See prioplus.h on ACKs held back. */
static bool prioplus_is_valid(const struct prioplus_params *p,
			      const struct dcc_sample *s)
{
	return s->delay_ns && p->base_ns &&
	       !(s->maybe_delayed && s->delay_ns >= p->target_ns);
}

/*
 * Was it the queue or the receiver that made the ACKs of single packets late? A
 * probe's answer is never held back: it is asked for.
 */
static bool prioplus_in_doubt(struct prioplus *pp,
			      const struct prioplus_knobs *k,
			      const struct prioplus_params *p,
			      const struct dcc_sample *s)
{
	return s->maybe_delayed && s->delay_ns && p->base_ns && !p->highest &&
	       pp->swift.cwnd < PRIOPLUS_SMALL_CWND &&
	       prioplus_exceeds(pp, k, p, s->delay_ns);
}

/*
 * No delay to act on. Below one packet all ACKs may have been held back, or be of what
 * was sent again, as after losses all are; waiting for better ones would be for ever.
 */
static u8 prioplus_blind(struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p,
			 const struct dcc_sample *s, struct dcc_decision *d)
{
	bool untold;

	if (prioplus_lost(pp, k, s))
		return PRIOPLUS_LOSS;
	if (prioplus_in_doubt(pp, k, p, s)) {
		prioplus_hold(pp, k, p, p->target_ns, d);
		return PRIOPLUS_ASK;
	}
	untold = k->takeover && !s->delay_ns && s->acked;
	if (!(untold || s->maybe_delayed) || pp->swift.cwnd >= DCC_PKT ||
	    !s->cwnd_limited)
		return PRIOPLUS_IDLE;
	prioplus_grow(pp, k, p, p->base_ns, s->acked);
	return PRIOPLUS_INCREASE;
}

/* An RTT in the flow's own channel, or below it. */
static void prioplus_stay(struct prioplus *pp, const struct prioplus_params *p,
			  const struct dcc_sample *s)
{
	u32 own_ns = p->target_ns - p->fluct_ns / 2;

	pp->steady = s->delay_ns < own_ns ? 0 : min(pp->steady + 1, PRIOPLUS_STEADY);
	if (pp->steady < PRIOPLUS_STEADY)
		return;
	pp->calm = max((u32)(pp->swift.cwnd >> CALM_TO_PKTS), 1U);
	pp->place = PRIOPLUS_PLACE;
	pp->above = 0;
}

/*
 * An RTT ended. Around D_target only the own priority's packets are: once that has lasted,
 * the flow's part of them is its place. Above it somebody higher may be coming, for whom
 * the law inside cuts.
 */
static void prioplus_settle(struct prioplus *pp, const struct prioplus_knobs *k,
			    const struct prioplus_params *p,
			    const struct dcc_sample *s)
{
	if (!pp->place && s->delay_ns < p->target_ns)
		pp->calm = max((u32)(pp->swift.cwnd >> CALM_TO_PKTS),
			       pp->calm - pp->calm / CALM_RTTS);
	if (s->cwnd_limited && prioplus_has_places(k, p) &&
	    s->delay_ns <= (u64)p->target_ns + p->fluct_ns / 8)
		prioplus_stay(pp, p, s);
}

/* What an ACK with a valid delay leads to, but for a window grown too small. */
static u8 prioplus_react(struct prioplus *pp, const struct prioplus_knobs *k,
			 const struct prioplus_params *p,
			 const struct dcc_sample *s, struct dcc_decision *d)
{
	u64 began_ns = pp->rtt_end_ns;
	u8 pass = prioplus_pass(pp, k, s), flows = 0;

	if (pass)
		prioplus_settle(pp, k, p, s);
	if (prioplus_exceeds(pp, k, p, s->delay_ns)) {
		flows = prioplus_estimate(pp, k, p, s->delay_ns);
		if (!p->highest) {
			prioplus_hold(pp, k, p, s->delay_ns, d);
			return PRIOPLUS_STOP | pass | flows;
		}
	}
	if (prioplus_lost(pp, k, s))
		return PRIOPLUS_LOSS | pass | flows;
	if (s->delay_ns <= p->empty_ns)
		return prioplus_linear(pp, k, p, s, pass, began_ns) | flows;
	if (s->delay_ns < p->target_ns)
		return prioplus_increase(pp, k, p, s, pass);
	return prioplus_decrease(pp, k, p, s) | pass | flows;
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

/* An ACK, of a flow that is not held. */
static u8 prioplus_digest(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p,
			  const struct dcc_sample *s, struct dcc_decision *d)
{
	u8 branch;

	if (s->acked)
		pp->swift.rto_run = 0;
	if (!prioplus_is_valid(p, s))
		return prioplus_blind(pp, k, p, s, d);
	branch = prioplus_react(pp, k, p, s, d);
	if (!prioplus_is_small(pp, k, p, branch))
		return branch;
	prioplus_hold(pp, k, p, s->delay_ns, d);
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
	if (pp->held)
		prioplus_restart(pp);
	d->hold = pp->held;
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
 * @s: what the ACK told
 * @d: what to do, zeroed; branch an enum prioplus_branch with PRIOPLUS_MARK_*.
 *	While the flow is held, nothing: the probe comes when it was said to
 */
void prioplus_on_ack(struct prioplus *pp, const struct prioplus_knobs *k,
		     const struct dcc_sample *s, struct dcc_decision *d)
{
	struct prioplus_params p;
	u8 branch = PRIOPLUS_HELD;

	prioplus_params_of(&p, pp, k, s);
	if (pp->place && !prioplus_has_places(k, &p))
		pp->place = PRIOPLUS_NO_PLACE;
	if (!pp->held)
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

	prioplus_params_of(&p, pp, k, s);
	prioplus_restart(pp);
	prioplus_forget(pp);
	pp->held = !p.highest && pp->prio <= k->probe_start;
	if (pp->held) {
		branch = PRIOPLUS_START;
		d->probe_delay_ns = 1;
	} else if (p.line_rate && p.base_ns) {
		pp->swift.cwnd = min(prioplus_per_flow(pp, p.linear), most);
		pp->given = 0;
	}
	prioplus_decide(pp, k, &p, s->delay_ns, branch, d);
}

/*
 * Does it return to its place? If it asked twice, and others had time to go first; not
 * after a stop for a moment, when one who is more important may be just beginning.
 */
static bool prioplus_returns(const struct prioplus *pp)
{
	return pp->place && (pp->asked & PRIOPLUS_STAGE) >= PRIOPLUS_ASKED;
}

/*
 * A flow's part of W_LS; with less than resume_cwnd it would hear too seldom. All that
 * return to their places fill the line, which needs no caution, and a channel: who asks
 * then must not find the queue empty, as it is behind a line that is only just full.
 */
static u64 prioplus_share(const struct prioplus *pp,
			  const struct prioplus_knobs *k,
			  const struct prioplus_params *p)
{
	u32 channel_ns = prioplus_after(p->base_ns, p->fluct_ns + p->noise_ns);
	u64 window = p->linear;

	if (prioplus_returns(pp))
		window = max(window, prioplus_carried(p, channel_ns));
	return max(prioplus_part(pp, p, window), dcc_milli_to_pkts(k->resume_cwnd));
}

/*
 * The window to resume with where there is a queue: the flow's part of what is missing to
 * D_target, and no more than it would have without a queue. One packet stands for little; of
 * hundreds of flows it would be more than a BDP.
 */
static u64 prioplus_join(const struct prioplus *pp,
			 const struct prioplus_knobs *k,
			 const struct prioplus_params *p, u32 delay)
{
	u64 missing = 0;

	if (!p->base_ns || !k->takeover)
		return DCC_PKT;
	if (delay < p->target_ns)
		missing = prioplus_carried(p, p->target_ns - delay);
	if (prioplus_is_new(pp, k, p))
		missing /= PRIOPLUS_NEWCOMERS;
	missing = prioplus_part(pp, p, min(missing, p->linear));
	return max(missing, min_t(u64, prioplus_share(pp, k, p), DCC_PKT));
}

/*
 * One more answer beyond D_limit; who asked again begins anew. Somebody who stays for long
 * makes up for the turns that were given away before.
 */
static u8 prioplus_saw(u8 asked)
{
	u8 turns = asked & ~PRIOPLUS_STAGE, stage = asked & PRIOPLUS_STAGE;

	stage = stage >= PRIOPLUS_ASKED ? 1 : min(stage + 1, PRIOPLUS_LONG);
	return stage == PRIOPLUS_LONG ? stage : turns | stage;
}

/* Asks again, for those who may go first; if they have not had their turns. */
static bool prioplus_asks_again(struct prioplus *pp, const struct prioplus_params *p,
				u32 between, struct dcc_decision *d)
{
	u8 turns = pp->asked & ~PRIOPLUS_STAGE, stage = pp->asked & PRIOPLUS_STAGE;

	if (stage < PRIOPLUS_SEEN && (!pp->place || !between))
		return false;
	if (turns >= PRIOPLUS_TURNS)
		return false;
	pp->asked = (turns + PRIOPLUS_TURN) | PRIOPLUS_ASKED;
	d->probe_delay_ns = prioplus_base_rtts(p, PRIOPLUS_NEXT +
					       between * PRIOPLUS_BETWEEN);
	return true;
}

/*
 * An answer below D_limit: may others go first? See "order of return" in prioplus.h. Who
 * stopped for a moment only and never had a place is just starting: that others wait for
 * it is what lets it.
 */
static bool prioplus_gives_way(struct prioplus *pp, const struct prioplus_knobs *k,
			       const struct prioplus_params *p, u32 delay,
			       struct dcc_decision *d)
{
	u32 above = min_t(u32, pp->above, k->prio_levels);
	u8 stage = pp->asked & PRIOPLUS_STAGE;

	if (!k->takeover || p->highest || above <= pp->prio)
		return false;
	if (stage < PRIOPLUS_ASKED)
		return prioplus_asks_again(pp, p, above - pp->prio - 1, d);
	if (above == pp->prio + 1U || delay <= p->empty_ns ||
	    stage >= PRIOPLUS_ASKED + PRIOPLUS_PATIENCE)
		return false;
	pp->asked++;
	prioplus_hold(pp, k, p, delay, d);
	return true;
}

/* An answer that lets the flow go on: the queue is empty, or below D_limit. */
static u8 prioplus_resume(struct prioplus *pp, const struct prioplus_knobs *k,
			  const struct prioplus_params *p, u32 delay)
{
	pp->held = 0;
	if (!p->base_ns || delay > p->empty_ns) {
		pp->swift.cwnd = prioplus_join(pp, k, p, delay);
		pp->given = 1;
		return PRIOPLUS_RESUME_ONE;
	}
	pp->swift.cwnd = prioplus_share(pp, k, p);
	pp->given = 0;
	if (prioplus_returns(pp))
		pp->place = PRIOPLUS_RETURNED;
	return PRIOPLUS_RESUME | prioplus_count_down(pp, p, 1);
}

/**
 * prioplus_on_probe() - decide on the answer to a probe
 * @pp: state; if the flow is not held, the answer is late news and changes nothing
 * @k: knobs
 * @s: what the answer told: a delay, and no packets
 * @d: what to do, zeroed; as prioplus_on_ack()
 */
void prioplus_on_probe(struct prioplus *pp, const struct prioplus_knobs *k,
		       const struct dcc_sample *s, struct dcc_decision *d)
{
	u8 branch = PRIOPLUS_IDLE;
	struct prioplus_params p;

	prioplus_params_of(&p, pp, k, s);
	if (pp->place && !prioplus_has_places(k, &p))
		pp->place = PRIOPLUS_NO_PLACE;
	if (pp->held && p.base_ns && s->delay_ns >= p.limit_ns && !p.highest) {
		branch = PRIOPLUS_PROBE;
		prioplus_hold(pp, k, &p, s->delay_ns, d);
		pp->asked = prioplus_saw(pp->asked);
	} else if (pp->held && prioplus_gives_way(pp, k, &p, s->delay_ns, d)) {
		branch = PRIOPLUS_PROBE;
	} else if (pp->held) {
		branch = prioplus_resume(pp, k, &p, s->delay_ns);
	}
	prioplus_decide(pp, k, &p, s->delay_ns, branch, d);
}

/**
 * prioplus_on_rto() - a retransmission timeout
 * @pp: state
 * @k: knobs
 * @now_ns: the time
 * @srtt_ns: raw smoothed RTT, ns
 *
 * What was sent before a hold may time out in it: that is no news of the window
 * that comes after it.
 */
void prioplus_on_rto(struct prioplus *pp, const struct prioplus_knobs *k,
		     u64 now_ns, u32 srtt_ns)
{
	struct dcc_swift_knobs swift = prioplus_swift(k);

	if (pp->held)
		return;
	prioplus_restart(pp);
	dcc_swift_on_rto(&pp->swift, &swift, now_ns, srtt_ns);
}

/**
 * prioplus_on_idle() - the flow starts again, or its packets changed size
 * @pp: state; a flow that is held stays so
 */
void prioplus_on_idle(struct prioplus *pp)
{
	prioplus_restart(pp);
}

/**
 * prioplus_go_on() - the flow could not be held: nobody would answer its probes
 * @pp: state; if the flow is not to be held, nothing changes
 *
 * It goes on as it would from an answer that found a queue: with one packet.
 */
void prioplus_go_on(struct prioplus *pp)
{
	if (!pp->held)
		return;
	pp->held = 0;
	pp->swift.cwnd = DCC_PKT;
	pp->given = 1;
}
