// SPDX-License-Identifier: GPL-2.0
/* swift, lswift and mswift; the algorithms are stated in mswift.h. */
#include "mswift.h"

const struct dcc_knob mswift_knob[MSWIFT_KNOB_COUNT] = {
	MSWIFT_KNOBS(DCC_KNOB_ENTRY)
};

/**
 * mswift_init() - start a flow
 * @m: state, any content
 * @k: knobs within their ranges
 * @variant: which algorithm
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

/*
 * The sample's delay, if it may be acted on: an ACK that may have waited at the
 * receiver counts only when it is below the target in spite of that.
 */
static u32 mswift_fresh(const struct dcc_sample *s, u32 target)
{
	return s->maybe_delayed && s->delay_ns >= target ? 0 : s->delay_ns;
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
 * A window below one packet sends one packet at a time. Its ACKs may all be delayed
 * for up to 40 ms, and those of what is sent again, after losses all of them, tell no
 * delay. They are no evidence of a queue, and waiting for better ones would be for
 * ever: what arrives lets such a window grow, to where ACKs tell again.
 */
static bool mswift_blind(const struct mswift *m, const struct dcc_sample *s,
			 u32 delay)
{
	return !delay && s->acked && m->swift.cwnd < DCC_PKT;
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
		if (m->swift.starting && mswift_start(m, k, s, target))
			return MSWIFT_START;
		dcc_swift_increase(&m->swift, &k->swift, s->acked);
		return MSWIFT_INCREASE;
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
 * @s: what the ACK reported
 * @d: what to do, all fields set
 */
void mswift_on_ack(struct mswift *m, struct dcc_quantile *history,
		   const struct mswift_knobs *k, const struct dcc_sample *s,
		   struct dcc_decision *d)
{
	u32 delay, target = 0;

	if (s->base_rtt_ns || k->swift.base_target_us)
		target = dcc_swift_target(&m->swift, &k->swift, dcc_sample_base(s));
	if (m->swift.starting || s->base_rtt_ns < m->start_base_ns)
		mswift_base(m, k, s->base_rtt_ns);
	delay = mswift_fresh(s, target);
	if (m->variant == MSWIFT_MSWIFT && history)
		delay = mswift_median(m, history, k, s, delay);
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
