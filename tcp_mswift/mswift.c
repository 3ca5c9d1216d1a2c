// SPDX-License-Identifier: GPL-2.0
/* swift, lswift and mswift; the laws are stated in mswift.h. */
#include "../common/dcc_wide.h"
#include "mswift.h"

#define START_FELL	4	/* a base RTT that fell by a quarter was wrong */
#define BASE_FELL	256	/* and one by so little, or that rose by so much, ... */
#define BASE_ROSE	64	/* ... is still what delays are counted from */

const struct dcc_knob mswift_knob[MSWIFT_KNOB_COUNT] = {
	MSWIFT_KNOBS(DCC_KNOB_ENTRY)
};

/**
 * mswift_init() - start a flow
 * @m: state, any content
 * @k: knobs within their ranges
 * @variant: which law
 * @cwnd_pkts: first window, packets
 */
void mswift_init(struct mswift *m, const struct mswift_knobs *k,
		 enum mswift_variant variant, u32 cwnd_pkts)
{
	dcc_swift_init(&m->swift, &k->swift, cwnd_pkts);
	memset(&m->start, 0, sizeof(m->start));
	m->start_base_ns = 0;
	m->offset_ns = 0;
	m->variant = variant;
}

/**
 * mswift_slow_start() - the flow is a new one, not one whose window is known
 * @m: state, after mswift_init()
 * @k: knobs
 */
void mswift_slow_start(struct mswift *m, const struct mswift_knobs *k)
{
	m->swift.starting = k->slow_start &&
			    dcc_start_untold(&k->flow, m->swift.cwnd, DCC_PKT);
}

/* H = max(W / 2, 1): half of what one RTT acknowledges, the Nyquist rate. */
static u32 mswift_history(const struct mswift *m)
{
	u64 h = m->swift.cwnd >> (DCC_PKT_SHIFT + 1);

	return (u32)clamp_t(u64, h, 1, MSWIFT_MAX_HISTORY);
}

/*
 * The sample's delay, if it may be acted on: an ACK that may have waited at the
 * receiver counts only when it is below the target in spite of that.
 */
static u32 mswift_fresh(const struct dcc_sample *s, u32 target)
{
	return s->maybe_delayed && s->delay_ns >= target ? 0 : s->delay_ns;
}

/*
 * The estimator is wrong by up to 1/64 of a value. Of a long way that is more than the
 * queue that is aimed at, so it gets what delays are above most of the base RTT. When
 * that changes by more than little, what it has is void.
 */
static void mswift_rebase(struct mswift *m, struct dcc_quantile *history, u32 base_ns)
{
	if (!m->offset_ns && base_ns < MSWIFT_LONG_NS)
		return;
	if (m->offset_ns && base_ns >= m->offset_ns &&
	    base_ns - m->offset_ns <= base_ns / BASE_ROSE)
		return;
	m->offset_ns = base_ns < MSWIFT_LONG_NS ? 0 : base_ns - base_ns / BASE_FELL;
	dcc_quantile_clear(history);
}

/* The percentile of the history; 0 if it has none. 33 bits, clamped. */
static u32 mswift_percentile(const struct mswift *m, const struct dcc_quantile *history,
			     u32 percent)
{
	u32 above = dcc_quantile_get(history, percent);

	return above ? (u32)min_t(u64, (u64)m->offset_ns + above, U32_MAX) : 0;
}

/* The delay this variant acts on; 0 if it knows none. */
static u32 mswift_delay(struct mswift *m, struct dcc_quantile *history,
			const struct mswift_knobs *k,
			const struct dcc_sample *s, u32 target)
{
	u64 horizon = (u64)k->stale_rtts * s->srtt_ns;
	u32 fresh = mswift_fresh(s, target);

	if (m->variant != MSWIFT_MSWIFT || !history)
		return fresh;
	mswift_rebase(m, history, s->base_rtt_ns);
	if (horizon)
		dcc_quantile_expire(history, s->now_ns,
				    (u32)min_t(u64, horizon, U32_MAX));
	if (fresh)
		dcc_quantile_add(history, max(fresh, m->offset_ns + 1) - m->offset_ns,
				 max(s->acked, 1U), mswift_history(m));
	else
		dcc_quantile_resize(history, mswift_history(m));
	return mswift_percentile(m, history, k->percentile);
}

/* Did this ACK bring what the variant calls a loss? */
static bool mswift_lost(const struct mswift *m, const struct mswift_knobs *k,
			const struct dcc_sample *s)
{
	if (m->variant == MSWIFT_SWIFT)
		return s->recovery;
	return s->losses && s->lost_run >= k->loss_run;
}

/*
 * A window below one packet sends one packet at a time. Its ACKs may all be held back
 * for up to 40 ms, and those of what is sent again, after losses all of them, tell no
 * delay. They are no evidence of a queue, and waiting for better ones would be for
 * ever: what arrives lets such a window grow, to where ACKs tell again.
 */
static bool mswift_blind(const struct mswift *m, const struct dcc_sample *s,
			 u32 delay)
{
	return !delay && s->acked && m->swift.cwnd < DCC_PKT;
}

/*
 * By how much the window of a flow that starts may still grow. What it adds is seen a
 * round trip later: it fills the line and the queue aimed at, and no more.
 */
static u64 mswift_room(const struct mswift *m, const struct mswift_knobs *k,
		       const struct dcc_sample *s, u32 target)
{
	u64 enough = min(dcc_carried_pkts(s->line_rate, target, s->mss),
			 (u64)k->swift.max_cwnd << DCC_PKT_SHIFT);

	return enough - min(enough, m->swift.cwnd);
}

/*
 * Below the target: a packet for each delivered while the flow starts, else Swift's. Who
 * goes by the median of delays is not told by slow paths that others are there.
 */
static u8 mswift_grow(struct mswift *m, const struct mswift_knobs *k,
		      const struct dcc_sample *s, u32 target)
{
	u64 room = m->swift.starting ? mswift_room(m, k, s, target) : 0;
	u64 step = min((u64)s->acked << DCC_PKT_SHIFT, room);
	u32 look = m->variant == MSWIFT_MSWIFT ? k->percentile : 100;

	if (room && !dcc_start_alone(&m->start, s, m->swift.cwnd, look)) {
		m->swift.cwnd = min(m->swift.cwnd, m->start.flight_cwnd);
		room = 0;
	}
	if (!room) {
		m->swift.starting = 0;
		dcc_swift_increase(&m->swift, &k->swift, s->acked);
		return MSWIFT_INCREASE;
	}
	dcc_swift_grow(&m->swift, &k->swift, step, DCC_PKT, 1);
	return MSWIFT_START;
}

/*
 * A flow that started into a queue took it for a part of the way, and aimed that much
 * too high. When the base RTT turns out to be less, so is what the flow should have. Not
 * of a flow that is told what to aim at; after a silence the base RTT may be unknown.
 */
static void mswift_base(struct mswift *m, const struct mswift_knobs *k, u32 base_ns)
{
	u64 fits;

	if (m->swift.starting && base_ns)
		m->start_base_ns = base_ns;
	if (base_ns >= m->start_base_ns - m->start_base_ns / START_FELL)
		return;
	if (!base_ns || k->swift.base_target_us)
		return;
	fits = dcc_mul_div(m->swift.cwnd, base_ns, m->start_base_ns);
	m->swift.cwnd = max(fits, min(m->swift.cwnd, DCC_PKT));
	m->start_base_ns = base_ns;
}

/* Swift's reaction to a delay; returns the rule that fired. */
static u8 mswift_react(struct mswift *m, const struct mswift_knobs *k,
		       const struct dcc_sample *s, u32 delay, u32 target)
{
	if ((!delay || !target) && !mswift_blind(m, s, delay))
		return MSWIFT_HOLD;
	if (delay < target || !delay) {
		if (!s->cwnd_limited)
			return MSWIFT_HOLD;
		return mswift_grow(m, k, s, target);
	}
	m->swift.starting = 0;
	if (!dcc_swift_may_decrease(&m->swift, s->now_ns, s->srtt_ns))
		return MSWIFT_WAIT;
	dcc_swift_decrease(&m->swift, &k->swift, delay, target, s->now_ns);
	return MSWIFT_DECREASE;
}

/**
 * mswift_on_ack() - digest one ACK
 * @m: state
 * @history: mswift's recent delays; NULL if there was no memory for them: the
 *	latest delay then stands in
 * @k: knobs
 * @s: what the ACK told
 * @d: what to do, all fields set
 */
void mswift_on_ack(struct mswift *m, struct dcc_quantile *history,
		   const struct mswift_knobs *k, const struct dcc_sample *s,
		   struct dcc_decision *d)
{
	u32 delay, target = 0;

	if (s->base_rtt_ns || k->swift.base_target_us)
		target = dcc_swift_target(&m->swift, &k->swift, dcc_sample_base(s));
	mswift_base(m, k, s->base_rtt_ns);
	delay = mswift_delay(m, history, k, s, target);
	if (s->acked)
		m->swift.rto_run = 0;
	if (mswift_lost(m, k, s) &&
	    dcc_swift_cut(&m->swift, &k->swift, s->now_ns, s->srtt_ns))
		d->branch = MSWIFT_LOSS;
	else
		d->branch = mswift_react(m, k, s, delay, target);
	d->delay_ns = delay;
	d->target_ns = target;
	d->pacing_rate = 0;
	d->starts = m->swift.starting;
	/* 40 bits of window, 16 of bytes, << 8, >> 20 */
	d->cwnd = m->swift.cwnd * s->mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

/**
 * mswift_on_rto() - a retransmission timeout
 * @m: state
 * @k: knobs
 * @now_ns: the time
 * @srtt_ns: raw smoothed RTT, ns
 */
void mswift_on_rto(struct mswift *m, const struct mswift_knobs *k,
		   u64 now_ns, u32 srtt_ns)
{
	dcc_swift_on_rto(&m->swift, &k->swift, now_ns, srtt_ns);
}

/**
 * mswift_on_idle() - the flow starts again, or its packets changed size
 * @history: recent delays, now void; may be NULL
 */
void mswift_on_idle(struct dcc_quantile *history)
{
	if (history)
		dcc_quantile_clear(history);
}
