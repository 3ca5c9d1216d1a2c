// SPDX-License-Identifier: GPL-2.0
/* ledbat; stated in ledbat.h. */
#include "../common/math/dcc_wide.h"
#include "ledbat.h"

const struct dcc_knob ledbat_knob[LEDBAT_KNOB_COUNT] = {
	LEDBAT_KNOBS(DCC_KNOB_ENTRY)
};

#define NSEC_PER_MINUTE	60000000000ULL

/* A new minute begins: the oldest one's minimum is forgotten. */
static void history_turn(struct ledbat_history *h, u32 minute)
{
	memmove(&h->base[1], &h->base[0], sizeof(h->base) - sizeof(h->base[0]));
	h->base[0] = 0;
	h->minute = minute;
}

/**
 * ledbat_history_add() - another delay
 * @h: delays
 * @delay_ns: not 0
 * @now_ns: the time; 2^64 ns are 3 * 10^8 minutes
 *
 * However many minutes went by without one, they are one turn, as in the RFC.
 */
void ledbat_history_add(struct ledbat_history *h, u32 delay_ns, u64 now_ns)
{
	u32 minute = (u32)div64_u64(now_ns, NSEC_PER_MINUTE) + 1;

	if (h->minute != minute)
		history_turn(h, minute);
	if (!h->base[0] || delay_ns < h->base[0])
		h->base[0] = delay_ns;
	h->recent[h->next % LEDBAT_CURRENT] = delay_ns;
	h->next = (h->next + 1) % LEDBAT_CURRENT;
}

/* The least of some delays; 0 if there is none. */
static u32 history_least(const u32 *delay, u32 count)
{
	u32 least = 0, i;

	for (i = 0; i < count; i++)
		if (delay[i] && (!least || delay[i] < least))
			least = delay[i];
	return least;
}

/**
 * ledbat_history_base() - the base delay
 * @h: delays
 *
 * Return: the least of the last minutes, ns; 0: none is known.
 */
u32 ledbat_history_base(const struct ledbat_history *h)
{
	return history_least(h->base, LEDBAT_MINUTES);
}

/**
 * ledbat_history_current() - the current delay
 * @h: delays
 *
 * Return: the least of the last ones, ns; 0: none is known.
 */
u32 ledbat_history_current(const struct ledbat_history *h)
{
	return history_least(h->recent, LEDBAT_CURRENT);
}

/**
 * ledbat_init() - start a flow
 * @l: state, any content
 * @cwnd_pkts: first window, packets
 */
void ledbat_init(struct ledbat *l, u32 cwnd_pkts)
{
	l->cwnd = (u64)clamp_t(u32, cwnd_pkts, LEDBAT_LEAST, DCC_CWND_MAX_PKTS)
		  << DCC_PKT_SHIFT;
	l->last_cut_ns = 0;
	memset(&l->start, 0, sizeof(l->start));
	l->started_ns = 0;
	l->starting = 0;
}

/**
 * ledbat_slow_start() - the flow is a new one, not one whose window is known
 * @l: state, after ledbat_init()
 * @k: knobs
 */
void ledbat_slow_start(struct ledbat *l, const struct ledbat_knobs *k)
{
	l->starting = dcc_start_unconfigured(&k->flow, l->cwnd, DCC_PKT);
}

/* Is what a start has added still to leave? Pacing takes an RTT for it. */
static bool ledbat_is_filling(const struct ledbat *l, const struct dcc_sample *s)
{
	return l->started_ns && s->now_ns - l->started_ns < s->srtt_ns;
}

/* No more than one packet above what was out before the ACK, no less than two. */
static void ledbat_bound(struct ledbat *l, const struct dcc_sample *s)
{
	u64 bytes = (u64)s->flight + s->acked_bytes;
	u64 out = div_u64(bytes << DCC_PKT_SHIFT, s->mss);

	out += ((u64)s->losses + LEDBAT_ALLOWED) << DCC_PKT_SHIFT;
	if (!ledbat_is_filling(l, s))
		l->cwnd = min(l->cwnd, out);
	l->cwnd = clamp_t(u64, l->cwnd, LEDBAT_LEAST * DCC_PKT,
			  (u64)DCC_CWND_MAX_PKTS << DCC_PKT_SHIFT);
}

/* The base delay; 0: none is known. */
static u32 ledbat_base(const struct ledbat_history *h,
		       const struct dcc_sample *s)
{
	u32 base = h ? ledbat_history_base(h) : 0;

	return base ? base : s->base_rtt_ns;
}

/* The delay that counts; 0: none. */
static u32 ledbat_delay(struct ledbat_history *h, const struct dcc_sample *s,
			u64 target)
{
	u32 fresh = s->maybe_delayed && s->delay_ns >= target ? 0 : s->delay_ns;

	if (!h)
		return fresh;
	if (fresh)
		ledbat_history_add(h, fresh, s->now_ns);
	return ledbat_history_current(h);
}

/* Halve for a loss, unless that was done less than an RTT ago. */
static bool ledbat_halve(struct ledbat *l, const struct dcc_sample *s)
{
	if (!s->losses ||
	    (l->last_cut_ns && s->now_ns - l->last_cut_ns < s->srtt_ns))
		return false;
	l->last_cut_ns = s->now_ns;
	l->starting = 0;
	l->cwnd = max_t(u64, l->cwnd / 2, LEDBAT_LEAST * DCC_PKT);
	return true;
}

/*
 * What an ACK adds while the flow starts; 0: that is over. What it adds is seen a round
 * trip later: it fills the link and the queue aimed at, @full_ns, and no more.
 */
static u64 ledbat_start_step(struct ledbat *l, const struct dcc_sample *s, u32 full_ns)
{
	u64 enough = dcc_carried_pkts(s->line_rate, full_ns, s->mss);
	u64 room = dcc_start_room(&l->start, s, &l->cwnd, enough, DCC_START_WHOLE);

	l->starting = room != 0;
	return min((u64)s->acked << DCC_PKT_SHIFT, room);
}

/* By the queueing delay; a packet for each delivered while the flow starts. */
static u8 ledbat_step(struct ledbat *l, const struct ledbat_knobs *k,
		      const struct dcc_sample *s, u32 base, u32 queue)
{
	u32 target = k->target_qdelay_us * NSEC_PER_USEC;
	u64 full = min_t(u64, (u64)base + target, U32_MAX), step = 0;

	if (l->starting && s->cwnd_limited)
		step = ledbat_start_step(l, s, (u32)full);
	if (step) {
		l->cwnd += step;
		l->started_ns = s->now_ns;
		return LEDBAT_START;
	}
	l->cwnd = dcc_ledbat_adjust(l->cwnd, dcc_milli_to_pkts(k->gain), target,
				    queue, s->acked);
	return queue > target ? LEDBAT_DECREASE : LEDBAT_INCREASE;
}

/* What the ACK leads to, but for the bounds; returns the rule that fired. */
static u8 ledbat_react(struct ledbat *l, const struct ledbat_knobs *k,
		       const struct dcc_sample *s, u32 delay, u32 base)
{
	u32 target = k->target_qdelay_us * NSEC_PER_USEC;
	u32 queue = delay > base ? delay - base : 0;

	if (ledbat_halve(l, s))
		return LEDBAT_LOSS;
	if (!delay || !base)
		return LEDBAT_HOLD;
	/* the first packets, which nothing paces, wait for each other */
	l->starting &= s->fills || queue < target;
	return ledbat_step(l, k, s, base, queue);
}

/**
 * ledbat_on_ack() - digest one ACK
 * @l: state
 * @h: recent delays; NULL if there was no memory for them: the flow's base RTT
 *	and the latest delay then stand in
 * @k: knobs
 * @s: what the ACK reported
 * @d: what to do, all fields but the share, the gradient and suspend set
 */
void ledbat_on_ack(struct ledbat *l, struct ledbat_history *h,
		   const struct ledbat_knobs *k, const struct dcc_sample *s,
		   struct dcc_decision *d)
{
	u64 target = (u64)k->target_qdelay_us * NSEC_PER_USEC;
	u32 delay = ledbat_delay(h, s, ledbat_base(h, s) + target);
	u32 base = ledbat_base(h, s);

	d->branch = ledbat_react(l, k, s, delay, base);
	ledbat_bound(l, s);
	d->delay_ns = delay;
	d->target_ns = base ? (u32)min_t(u64, base + target, U32_MAX) : 0;
	d->pacing_rate = 0;
	d->starts = l->starting;
	/* 40 bits of window, 16 of bytes, << 8, >> 20 */
	d->cwnd = l->cwnd * s->mss >> (DCC_PKT_SHIFT - DCC_CWND_SHIFT);
}

/**
 * ledbat_on_rto() - a retransmission timeout
 * @l: state
 */
void ledbat_on_rto(struct ledbat *l)
{
	l->cwnd = DCC_PKT;
	l->starting = 0;
}

/**
 * ledbat_on_idle() - the flow starts again, or its packets changed size
 * @h: recent delays, of which the current ones are void; may be NULL
 */
void ledbat_on_idle(struct ledbat_history *h)
{
	if (h)
		memset(h->recent, 0, sizeof(h->recent));
}
