// SPDX-License-Identifier: GPL-2.0
/* oscar; the law is stated in oscar.h. */
#include "../common/dcc_held.h"
#include "../common/dcc_wide.h"
#include "oscar.h"

const struct dcc_knob oscar_knob[OSCAR_KNOB_COUNT] = {
	OSCAR_KNOBS(DCC_KNOB_ENTRY)
};

#define BITS_PER_BYTE	8
#define RENO_LEAST	2			/* packets that a halving leaves */
#define RENO_MOST	(1ULL << (36 + DCC_CWND_SHIFT))	/* 2^20 packets of 64 KB */

/*
 * D_target, and U_AI with it: the same queue, and the same bytes, for all flows, if
 * the knobs ask for that.
 */
static void oscar_target_set(struct oscar_params *p, const struct oscar_knobs *k)
{
	u64 queue = k->target_queue_ns, target = p->base_rtt_ns + queue;

	p->u_ai = (u64)k->u_ai * OSCAR_MILLIONTH;
	if (k->target_ns)
		target = k->target_ns;
	else if (queue)
		p->u_ai = dcc_mul_div(p->u_ai, 3 * queue, target);
	else
		target += p->base_rtt_ns / 2;
	p->target_ns = (u32)min_t(u64, target, U32_MAX);
}

/**
 * oscar_params_set() - what follows from the network and the knobs
 * @p: result, all fields set
 * @k: knobs
 * @base_rtt_ns: the flow's base RTT; 0: unknown
 * @line_rate: bytes/s; 0: unknown
 */
void oscar_params_set(struct oscar_params *p, const struct oscar_knobs *k,
		      u32 base_rtt_ns, u64 line_rate)
{
	u32 base = base_rtt_ns;

	if (k->base_rtt_ns && (!base || base > k->base_rtt_ns))
		base = k->base_rtt_ns;
	p->line_rate = line_rate;
	p->base_rtt_ns = base;
	p->tau_ns = k->tau_ns ? k->tau_ns : min(base / 2, OSCAR_MOST_TAU);
	oscar_target_set(p, k);
}

/* The largest window, bytes << DCC_CWND_SHIFT; 0: base RTT or line rate is not known. */
static u64 oscar_bdp(const struct oscar_params *p)
{
	return dcc_mul_div(p->line_rate << DCC_CWND_SHIFT, p->base_rtt_ns, NSEC_PER_SEC);
}

/*
 * W = min(u D_target C, BDP), pacing = u C. Bytes/s are 39 bits, 47 with the
 * window's shift; times ns / 10^9 they are bytes. Without base RTT there is no W.
 * A rate of 0 would mean that there is none: the smallest is a byte per second.
 */
static void oscar_derive(struct oscar *o, const struct oscar_params *p)
{
	u64 rate = dcc_mul_div(o->u, p->line_rate << DCC_CWND_SHIFT, OSCAR_ONE);
	u64 bdp = oscar_bdp(p);

	o->pacing = max_t(u64, dcc_mul_div(o->u, p->line_rate, OSCAR_ONE), 1);
	o->line_rate = p->line_rate;
	o->base_rtt_ns = p->base_rtt_ns;
	if (p->base_rtt_ns)
		o->cwnd = min(dcc_mul_div(rate, p->target_ns, NSEC_PER_SEC), bdp);
	o->largest = dcc_held_largest(o->cwnd, bdp);
}

/**
 * oscar_set_share() - another share of the line, and what follows from it
 * @o: state: u, window and pacing change
 * @p: of oscar_params_set(), line rate known
 * @u: 10^-15, at most OSCAR_ONE
 */
void oscar_set_share(struct oscar *o, const struct oscar_params *p, u64 u)
{
	o->u = u;
	oscar_derive(o, p);
}

/**
 * oscar_init() - start a flow
 * @o: state, any content
 * @k: knobs
 * @line_rate: bytes/s; 0: unknown
 * @cwnd_bytes: first window, if the base RTT is not known from the knobs
 */
void oscar_init(struct oscar *o, const struct oscar_knobs *k, u64 line_rate,
		u64 cwnd_bytes)
{
	struct oscar_params p;

	memset(o, 0, sizeof(*o));
	o->u = (u64)k->start_u * OSCAR_MILLIONTH;
	o->cwnd = min_t(u64, cwnd_bytes << DCC_CWND_SHIFT, RENO_MOST);
	o->ssthresh = RENO_MOST;
	oscar_params_set(&p, k, 0, line_rate);
	if (line_rate)
		oscar_derive(o, &p);
}

/**
 * oscar_free_start() - a new flow, on a line that may be free
 * @o: state, of oscar_init()
 * @k: knobs
 *
 * One that is told the base RTT starts with a window of a BDP, and has no first flight to
 * learn it from.
 */
void oscar_free_start(struct oscar *o, const struct oscar_knobs *k)
{
	if (!k->free_start || !o->line_rate)
		return;
	o->phase = o->base_rtt_ns ? OSCAR_ALONE : OSCAR_FIRST;
	if (o->phase == OSCAR_FIRST)
		o->start = (struct dcc_start) {};
}

/* What shares its place with the first flight begins with the end of that. */
static void oscar_enter(struct oscar *o, enum oscar_phase phase)
{
	if (o->phase == OSCAR_FIRST) {
		o->ssthresh = RENO_MOST;
		o->empty_ns = 0;
	}
	o->phase = phase;
}

/**
 * oscar_first_window() - the window to start with
 * @o: state, of oscar_init()
 *
 * Return: bytes; 0: base RTT or line rate is unknown, take the stack's.
 */
u64 oscar_first_window(const struct oscar *o)
{
	return o->base_rtt_ns ? o->cwnd >> DCC_CWND_SHIFT : 0;
}

/* I / (D C), no more than OSCAR_ONE: both shifts are 8 and cancel out. */
static u64 oscar_by_window(const struct oscar_params *p,
			   const struct oscar_estimate *e)
{
	u64 seconds = dcc_mul_div(e->inflight, OSCAR_ONE, p->line_rate);

	return min_t(u64, dcc_mul_div(seconds, NSEC_PER_SEC, e->delay),
		     OSCAR_ONE);
}

/* rate / ((1 + g) C), no more than OSCAR_ONE. The divisor is at least 0.001. */
static u64 oscar_by_rate(const struct oscar_params *p,
			 const struct oscar_estimate *e)
{
	s64 least = e->drained ? OSCAR_LEAST_DRAIN : OSCAR_LEAST_GRADIENT;
	s64 g = max_t(s64, e->gradient, least);
	u64 share = dcc_mul_div(e->rate, OSCAR_ONE / BITS_PER_BYTE,
				p->line_rate);

	return min_t(u64, dcc_mul_div(share, DCC_LSQ_ONE, DCC_LSQ_ONE + g),
		     OSCAR_ONE);
}

/* One of the two loops, by where the delay stands; sets u. */
static u8 oscar_coordinate(struct oscar *o, const struct oscar_knobs *k,
			   const struct oscar_params *p,
			   const struct oscar_estimate *e)
{
	u64 slack = (u64)k->target_slack_ns << DCC_LSQ_MEAN_SHIFT;
	u64 target = (u64)p->target_ns << DCC_LSQ_MEAN_SHIFT;
	u64 by_window = oscar_by_window(p, e), by_rate;
	bool below = e->delay + slack < target && !e->lossy, rate;
	u8 branch = below ? OSCAR_SPEED_UP : OSCAR_SLOW_DOWN;

	o->u = by_window;
	if (e->span_ns > (u64)OSCAR_LONG_BATCH * p->tau_ns && !e->lossy)
		return OSCAR_LONG;
	by_rate = oscar_by_rate(p, e);
	rate = below ? by_rate > by_window : by_rate < by_window || e->fills;
	if (!rate)
		return branch;
	o->u = by_rate;
	return branch | OSCAR_MARK_RATE;
}

/*
 * Is this the delay of a queue that counts as empty? ns << DCC_LSQ_MEAN_SHIFT. Not one of
 * eps, as in the authors' artifact; the base RTT itself always is.
 */
static bool oscar_is_empty(const struct oscar_knobs *k,
			   const struct oscar_params *p, u64 delay)
{
	u64 empty = (u64)p->base_rtt_ns + max(k->eps_ns, 1U);

	return delay < empty << DCC_LSQ_MEAN_SHIFT;
}

/* Did one packet find the queue empty, or just run empty? */
static bool oscar_saw_empty(const struct oscar_knobs *k,
			    const struct oscar_params *p,
			    const struct dcc_sample *s)
{
	return s->delay_ns <= (u64)p->base_rtt_ns + k->eps_ns;
}

/* The queue is not empty, or the flow does not try to fill it: U_HAI is small again. */
static void oscar_hyper_end(struct oscar *o)
{
	o->empty_ns = 0;
	o->doubled = 0;
}

/*
 * U_HAI, of which the next is the double if this one had the time to fill the queue
 * and did not. A batch is some seconds long at most: no sum wraps.
 */
static u64 oscar_hyper_step(struct oscar *o, const struct oscar_knobs *k,
			    const struct oscar_params *p, u32 span_ns)
{
	u64 step = (u64)k->u_hai * OSCAR_MILLIONTH << o->doubled;

	o->empty_ns += span_ns;
	if (k->hai_doubles && o->empty_ns > (u64)p->base_rtt_ns + p->tau_ns) {
		o->empty_ns = 0;
		o->doubled = min(o->doubled + 1, OSCAR_DOUBLED_MOST);
	}
	return step;
}

/**
 * oscar_update() - decide on a batch
 * @o: state: u, window and pacing change
 * @k: knobs
 * @p: of oscar_params_set(), line rate and base RTT known
 * @e: what the batch told
 *
 * Return: enum oscar_branch, with OSCAR_MARK_*.
 */
u8 oscar_update(struct oscar *o, const struct oscar_knobs *k,
		const struct oscar_params *p, const struct oscar_estimate *e)
{
	u64 before = o->u;
	u8 branch = OSCAR_HYPER;

	if (oscar_is_empty(k, p, e->delay) && !e->lossy) {
		o->u += oscar_hyper_step(o, k, p, e->span_ns);
	} else {
		oscar_hyper_end(o);
		branch = oscar_coordinate(o, k, p, e);
		o->u += p->u_ai;
	}
	if (e->lossy)	/* as a timeout */
		o->u = max(o->u, before / 2);
	if (e->app_limited && o->u > before) {
		oscar_hyper_end(o);
		o->u = before;
		branch |= OSCAR_MARK_APP;
	}
	if (e->drained || e->falls || o->phase)
		o->u = max(o->u, before);
	if (e->lossy)
		branch |= OSCAR_MARK_LOST;
	oscar_set_share(o, p, clamp_t(u64, o->u,
				      (u64)k->u_min * OSCAR_MILLIONTH,
				      OSCAR_ONE));
	return branch;
}

static void oscar_batch_start(struct oscar_batch *b,
			      const struct oscar_params *p)
{
	*b = (struct oscar_batch) {};
	dcc_lsq_start(&b->lsq, p->tau_ns);
}

/**
 * oscar_on_idle() - the flow starts again, or its packets changed size
 * @seen: its packets, now void; may be NULL
 */
void oscar_on_idle(struct oscar_packets *seen)
{
	if (!seen)
		return;
	seen->batch[0].lsq.count = 0;
	seen->batch[1].lsq.count = 0;
	seen->last[0].delay_ns = 0;
}

/*
 * Was the flow idle before the packet left, so that the batch tells of the past?
 * For more than a base RTT since the last ACK; at a small u the flow's own pacing
 * makes it wait, for each packet that this ACK is for, or a slow flow whose receiver
 * acknowledges every second one would never have a batch. Send times of more than a
 * second ago may be wrong by a wrap.
 */
static bool oscar_was_idle(const struct oscar *o,
			   const struct oscar_packets *seen,
			   const struct oscar_params *p,
			   const struct dcc_sample *s)
{
	u64 gap = s->sent_ns - seen->last_ns, wait;

	if (s->sent_ns <= seen->last_ns || gap <= p->base_rtt_ns)
		return false;
	if (gap > DCC_LSQ_MAX_SPAN)
		return true;
	if (!seen->batch[0].lsq.count)		/* not worth a division */
		return false;
	wait = dcc_mul_div(max(s->acked_bytes, s->mss), NSEC_PER_SEC, o->pacing);
	return gap - p->base_rtt_ns > wait;
}

/* Is there a delay to learn from? One that the receiver may have made is none. */
static bool oscar_is_valid(const struct oscar_params *p,
			   const struct dcc_sample *s)
{
	return s->delay_ns && !(s->maybe_delayed && s->delay_ns >= p->target_ns);
}

/* What arrived, and what never will, since a batch's first packet. */
static void oscar_count(struct oscar_batch *b, const struct dcc_sample *s)
{
	if (!b->lsq.count)
		return;
	b->bytes += s->acked_bytes;
	b->lost = (u16)min_t(u64, b->lost + (u64)s->losses, U16_MAX);
	b->app_limited |= s->app_limited;
}

/* What was in flight when the packet left, or is now; bytes. */
static u64 oscar_in_flight(const struct oscar_knobs *k,
			   const struct dcc_sample *s)
{
	return k->sync_reference ? s->inflight : s->flight;
}

/* One packet and what was delivered with it. */
static void oscar_feed(struct oscar_batch *b, const struct oscar_knobs *k,
		       const struct oscar_params *p, bool empty,
		       const struct dcc_sample *s)
{
	if (!b->lsq.count)
		oscar_batch_start(b, p);
	if (!dcc_lsq_add(&b->lsq, (u32)s->sent_ns, s->delay_ns)) {
		oscar_batch_start(b, p);
		dcc_lsq_add(&b->lsq, (u32)s->sent_ns, s->delay_ns);
	}
	oscar_count(b, s);
	if (b->lsq.count == 1) {
		b->bytes = 0;		/* they tell of the time before */
		b->first_ns = (u32)s->now_ns;
	}
	b->inflight += oscar_in_flight(k, s);
	b->filled |= !s->fills;
	b->empty |= empty;
}

/* Packets delivered with the newest: a byte of them, see struct oscar_packets. */
static u32 oscar_add_acked(u32 acked, u32 packets)
{
	u32 newest = acked & U8_MAX;

	return acked - newest + min_t(u32, newest + packets, U8_MAX);
}

/*
 * The newest one is the second from now on, if the queue fell to it by half of eps at
 * least, so that however many packets there are the last of them show a fall that is
 * more than noise. Of others the later is the better start of a fall, if it is not lower.
 */
static void oscar_keep_newest(struct oscar_packets *seen, const struct oscar_knobs *k)
{
	struct oscar_packet *last = seen->last;
	u32 i, step = k->eps_ns / 2, with = seen->acked & U8_MAX;

	if (!last[1].delay_ns || last[0].delay_ns + (u64)step <= last[1].delay_ns) {
		for (i = OSCAR_LAST - 1; i; i--)
			last[i] = last[i - 1];
		seen->acked <<= 8;
	} else if (last[0].delay_ns >= last[1].delay_ns) {
		last[1] = last[0];
		seen->acked = oscar_add_acked(seen->acked >> 8, with) << 8;
	}
}

/*
 * Packets overtake each other: for a while both batches go by ACK times. Modulo 2^32 a
 * packet is older or newer only than one of the last second. Of those in order the last
 * are known one by one, back to one that met no queue.
 */
static void oscar_see_order(struct oscar_packets *seen, const struct oscar_knobs *k,
			    bool empty, const struct dcc_sample *s)
{
	bool known = seen->last_ns &&
		     s->now_ns - seen->last_ns <= DCC_LSQ_MAX_SPAN;
	u32 sent = (u32)s->sent_ns;

	if (known && (s32)(sent - seen->last[0].sent_ns) < 0) {
		seen->sprayed = OSCAR_SPRAYED;
		return;
	}
	oscar_keep_newest(seen, k);
	seen->last[0] = (struct oscar_packet) { sent, s->delay_ns };
	seen->acked = oscar_add_acked(seen->acked, s->acked);
	if (empty)
		seen->last[1].delay_ns = 0;
}

/*
 * One packet for both batches. The second starts when the first is half as long
 * as it has to be, and stays until the next one is.
 */
static void oscar_feed_both(struct oscar_packets *seen,
			    const struct oscar_knobs *k,
			    const struct oscar_params *p, bool empty,
			    const struct dcc_sample *s)
{
	struct oscar_batch *b = seen->batch;
	bool half;

	oscar_see_order(seen, k, empty, s);
	half = b->lsq.count && !b->halved &&
	       dcc_lsq_since(&b->lsq, (u32)s->sent_ns) > (s64)(p->tau_ns / 2);
	oscar_feed(b, k, p, empty, s);
	if (half) {
		b[1].lsq.count = 0;
		b->halved = true;
	}
	if (half || b[1].lsq.count)
		oscar_feed(&b[1], k, p, empty, s);
	seen->last_ns = s->now_ns;
}

/* From the first ACK to the last, ns. */
static u32 oscar_took(const struct oscar_packets *seen,
		      const struct oscar_batch *b)
{
	return (u32)seen->last_ns - b->first_ns;
}

/*
 * How many packets a batch needs: as many as tell a slope. A long one's is not looked at,
 * so it needs fewer.
 */
static u32 oscar_least_count(const struct oscar_knobs *k,
			     const struct oscar_params *p,
			     const struct oscar_batch *b)
{
	if (k->few_packets &&
	    dcc_lsq_span(&b->lsq) > (u64)OSCAR_LONG_BATCH * p->tau_ns)
		return OSCAR_LONG_COUNT;
	return OSCAR_LEAST_COUNT;
}

/* Were too many packets lost to go by delays? */
static bool oscar_is_lossy(const struct oscar_batch *b, u32 mss)
{
	u64 lost = (u64)b->lost * mss;

	return lost > (b->bytes + lost) >> OSCAR_LOSS_SHIFT;
}

/* From the first ACK to this one, ns. */
static u32 oscar_lasts(const struct oscar_batch *b, const struct dcc_sample *s)
{
	return (u32)s->now_ns - b->first_ns;
}

/*
 * Where most packets are lost few tell a delay: what is sent again has none. What arrives
 * any ACK tells.
 */
static bool oscar_lost_closes(const struct oscar_params *p, const struct oscar_batch *b,
			      const struct dcc_sample *s)
{
	return b->lost && b->bytes && b->lsq.count && (u64)b->lost * s->mss > b->bytes &&
	       oscar_lasts(b, s) > p->tau_ns;
}

/* Long enough, and of packets enough? The estimator's last place closes it, too. */
static bool oscar_is_closed(const struct oscar_packets *seen,
			    const struct oscar_knobs *k,
			    const struct oscar_params *p,
			    const struct dcc_sample *s)
{
	const struct oscar_batch *b = seen->batch;

	if (b->lsq.count == DCC_LSQ_MAX_COUNT)
		return true;
	if (b->lsq.count < oscar_least_count(k, p, b))
		return false;
	if (seen->sprayed)
		return oscar_took(seen, b) > p->tau_ns;
	return dcc_lsq_since(&b->lsq, (u32)s->sent_ns) > (s64)p->tau_ns;
}

/*
 * What a batch tells. Its bytes need 40 bits, 43 as bits. Where send times tell
 * nothing of the queue, what arrived is the rate, and there is no gradient.
 */
static void oscar_estimate(const struct oscar_packets *seen,
			   const struct oscar_batch *b,
			   const struct dcc_sample *s, struct oscar_estimate *e)
{
	u64 bits = b->bytes * BITS_PER_BYTE;

	e->lossy = oscar_is_lossy(b, s->mss);
	e->delay = dcc_lsq_mean(&b->lsq);
	e->gradient = dcc_lsq_slope(&b->lsq);
	e->inflight = div_u64(b->inflight << DCC_CWND_SHIFT, b->lsq.count);
	e->span_ns = dcc_lsq_span(&b->lsq);
	if (seen->sprayed || e->lossy) {
		e->gradient = 0;
		e->span_ns = e->lossy ? oscar_lasts(b, s) : oscar_took(seen, b);
	}
	e->rate = dcc_mul_div(bits, NSEC_PER_SEC, e->span_ns);
	e->app_limited = b->app_limited;
	e->fills = !b->filled && !e->lossy;
	e->drained = false;
	e->falls = e->gradient <= OSCAR_FALLS;
}

/* 1 / DCC_LSQ_ONE to 10^-6, as far as an s32 goes. */
static s32 oscar_micro(s64 gradient)
{
	bool falling = gradient < 0;
	u64 micro = div_u64(falling ? -gradient : gradient, DCC_LSQ_ONE / 1000000);

	micro = min_t(u64, micro, INT_MAX);
	return falling ? -(s32)micro : (s32)micro;
}

/*
 * U_AI, or what a part of a packet is of D_target * C, if that is more: 61 bits at most,
 * and whoever adds it bounds the sum.
 */
static u64 oscar_additive_step(const struct oscar_knobs *k,
			       const struct oscar_params *p, u32 mss)
{
	u64 packet;

	if (!k->few_packets || !p->target_ns)
		return p->u_ai;
	packet = dcc_mul_div(dcc_mul_div(mss, OSCAR_ONE, p->line_rate), NSEC_PER_SEC,
			     p->target_ns);
	return max(p->u_ai, packet >> OSCAR_FEW_SHIFT);
}

/* Decide on a batch; what it told is kept for the trace. */
static u8 oscar_decide(struct oscar *o, const struct oscar_knobs *k,
		       const struct oscar_params *p, u32 mss,
		       const struct oscar_estimate *e)
{
	struct oscar_params q = *p;

	q.u_ai = oscar_additive_step(k, p, mss);
	o->delay_ns = (u32)(e->delay >> DCC_LSQ_MEAN_SHIFT);
	o->gradient = oscar_micro(e->gradient);
	return oscar_update(o, k, &q, e);
}

/*
 * Is it more than noise: a queue of more than eps beyond what counts as empty, or a
 * fall of more than eps?
 */
static bool oscar_is_fall(const struct oscar_knobs *k,
			  const struct oscar_params *p,
			  const struct oscar_estimate *e)
{
	u64 eps = (u64)k->eps_ns << DCC_LSQ_MEAN_SHIFT;

	if (e->gradient >= 0)
		return false;
	return e->delay > ((u64)p->base_rtt_ns << DCC_LSQ_MEAN_SHIFT) + 2 * eps ||
	       dcc_mul_div(-e->gradient, e->span_ns, DCC_LSQ_ONE) > k->eps_ns;
}

/*
 * Did the queue fall until it was empty, in a batch that saw nothing else? Two
 * packets are enough if they are further apart than noise is large, and no queue
 * falls by more than 1.
 */
static bool oscar_saw_drain(const struct oscar_packets *seen,
			    const struct oscar_batch *b,
			    const struct oscar_knobs *k,
			    const struct oscar_params *p,
			    const struct dcc_sample *s,
			    struct oscar_estimate *e)
{
	if (b->empty || b->lsq.count < OSCAR_LEAST_DRAINED)
		return false;
	oscar_estimate(seen, b, s, e);
	if (b->lsq.count < OSCAR_LEAST_COUNT &&
	    (e->span_ns < k->eps_ns || e->gradient < -DCC_LSQ_ONE))
		return false;
	return oscar_is_fall(k, p, e);
}

/*
 * Two packets, one after the other, are a batch of their own, if the queue fell by more
 * than eps between them and not by more than the time between them: that is not 0 then.
 * Like a longer one they tell no rate if they are too far apart.
 */
static bool oscar_saw_two(const struct oscar_knobs *k,
			  const struct oscar_params *p,
			  const struct dcc_sample *s,
			  struct oscar_packet from, struct oscar_packet to,
			  u64 bytes, struct oscar_estimate *e)
{
	u32 gap = to.sent_ns - from.sent_ns, fell = from.delay_ns - to.delay_ns;
	u64 sum = from.delay_ns + (u64)to.delay_ns;

	if (from.delay_ns < to.delay_ns || fell <= k->eps_ns || fell > gap ||
	    from.delay_ns <= p->base_rtt_ns + 2ULL * k->eps_ns ||
	    gap > (u64)OSCAR_LONG_BATCH * p->tau_ns)
		return false;
	*e = (struct oscar_estimate) {
		.delay = sum << (DCC_LSQ_MEAN_SHIFT - 1),
		.inflight = oscar_in_flight(k, s) << DCC_CWND_SHIFT,
		.rate = dcc_mul_div(bytes * BITS_PER_BYTE, NSEC_PER_SEC, gap),
		.gradient = -(s64)dcc_mul_div(fell, DCC_LSQ_ONE, gap),
		.span_ns = gap,
		.app_limited = s->app_limited,
	};
	return true;
}

/*
 * The last packets that met a queue, from last[@first] on, up to one that came later, as
 * few as make a batch; @acked packets were delivered with that one.
 */
static bool oscar_saw_last(const struct oscar_packets *seen,
			   const struct oscar_knobs *k,
			   const struct oscar_params *p,
			   const struct dcc_sample *s, struct oscar_packet to,
			   u32 first, u64 acked, struct oscar_estimate *e)
{
	u32 i, each = seen->acked >> (BITS_PER_BYTE * first);

	if (seen->sprayed)
		return false;
	for (i = first; i < OSCAR_LAST && seen->last[i].delay_ns; i++) {
		if (oscar_saw_two(k, p, s, seen->last[i], to, acked * s->mss, e))
			return true;
		acked += (u8)each;
		each >>= BITS_PER_BYTE;
	}
	return false;
}

/*
 * Up to this one, which met none: the queue fell at least so fast, however late it ran
 * empty. All there is if a small flow had one packet in it while it fell.
 */
static bool oscar_saw_edge(const struct oscar_packets *seen,
			   const struct oscar_knobs *k,
			   const struct oscar_params *p,
			   const struct dcc_sample *s, struct oscar_estimate *e)
{
	struct oscar_packet to = { (u32)s->sent_ns, s->delay_ns };

	return !seen->batch[0].empty &&
	       oscar_saw_last(seen, k, p, s, to, 0, s->acked, e);
}

/*
 * Up to the one before. Flows do not end all at once, and a queue falls the faster the
 * more of them are gone: a batch that saw it begin to fall knows a part of it.
 */
static bool oscar_saw_end(const struct oscar_packets *seen,
			  const struct oscar_knobs *k,
			  const struct oscar_params *p,
			  const struct dcc_sample *s, struct oscar_estimate *e)
{
	return seen->last[0].delay_ns &&
	       oscar_saw_last(seen, k, p, s, seen->last[0], 1, (u8)seen->acked, e);
}

/*
 * The queue has run empty: what the packets before it told is precise, what comes
 * after it is not, and no mean of both. Of all that saw it fall the steepest counts:
 * the others began before the queue fell, or end after it was empty.
 */
static u8 oscar_drained(struct oscar *o, struct oscar_packets *seen,
			const struct oscar_knobs *k,
			const struct oscar_params *p,
			const struct dcc_sample *s)
{
	struct oscar_estimate e[OSCAR_BATCHES + 2], *steepest = NULL;
	const bool saw[] = {
		oscar_saw_drain(seen, &seen->batch[0], k, p, s, &e[0]),
		oscar_saw_drain(seen, &seen->batch[1], k, p, s, &e[1]),
		oscar_saw_edge(seen, k, p, s, &e[2]),
		oscar_saw_end(seen, k, p, s, &e[3]),
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(saw); i++)
		if (saw[i] && (!steepest || e[i].gradient < steepest->gradient))
			steepest = &e[i];
	if (!steepest)
		return OSCAR_HOLD;
	steepest->drained = true;
	oscar_on_idle(seen);
	return oscar_decide(o, k, p, s->mss, steepest) | OSCAR_MARK_EMPTY;
}

/*
 * Has a flow that starts met somebody? Its first flight tells by how fast it comes back,
 * since it makes a queue of its own; then a queue tells.
 */
static bool oscar_meets(struct oscar *o, const struct oscar_params *p,
			const struct dcc_sample *s)
{
	if (s->losses)
		return true;
	if (!oscar_is_valid(p, s))
		return false;
	if (o->phase == OSCAR_FIRST)
		return !dcc_start_alone(&o->start, s, 0, 100);
	return s->delay_ns > p->base_rtt_ns + (u64)(p->base_rtt_ns >> OSCAR_MET_SHIFT);
}

/*
 * Is the first flight over? So says an ACK that let a packet out. Of one packet at a
 * time no ACK ever does; there it is over with the second.
 */
static bool oscar_flew(const struct oscar *o, const struct dcc_sample *s)
{
	return s->delay_ns &&
	       (!s->fills || (s->inflight <= s->mss && o->start.flight_ns &&
			      s->sent_ns > o->start.flight_ns));
}

/* So does the ACK for the last of its packets, where none overtakes another. */
static bool oscar_landed(const struct oscar *o, const struct dcc_sample *s)
{
	return o->phase == OSCAR_FIRST && !s->sprayed && o->start.flight_left &&
	       o->start.flight_acked >= o->start.flight_left;
}

/* What a flow of which the first flight is out has, or may have, in flight, bytes. */
static u64 oscar_first_flight(const struct dcc_sample *s)
{
	return max((u64)s->flight + s->acked_bytes, (u64)DCC_START_PACKETS * s->mss);
}

/* A flow that met somebody with its first flight has no more than that one's share. */
static void oscar_keep_flight(struct oscar *o, const struct oscar_knobs *k,
			      const struct oscar_params *p, const struct dcc_sample *s)
{
	u64 seconds = dcc_mul_div(oscar_first_flight(s), OSCAR_ONE, p->line_rate);
	u64 u = dcc_mul_div(seconds, NSEC_PER_SEC, max(s->delay_ns, p->base_rtt_ns));

	u = max(u, (u64)k->u_min * OSCAR_MILLIONTH);
	if (u < o->u)
		oscar_set_share(o, p, u);
}

/*
 * A flow that starts. What its first flight told of rates and windows is forgotten: ten
 * packets in a round trip are no share of anything.
 */
static void oscar_look_around(struct oscar *o, struct oscar_packets *seen,
			      const struct oscar_knobs *k, const struct oscar_params *p,
			      const struct dcc_sample *s)
{
	bool flew = o->phase == OSCAR_FIRST && oscar_flew(o, s);

	if (oscar_meets(o, p, s)) {
		if (o->phase == OSCAR_FIRST)
			oscar_keep_flight(o, k, p, s);
		oscar_enter(o, OSCAR_MET);
	} else if (flew || oscar_landed(o, s)) {
		oscar_enter(o, OSCAR_ALONE);
		o->alone_ns = s->now_ns;
		oscar_on_idle(seen);
	}
}

/* Has it met nobody for so long that a dip may tell whether it ever did? */
static bool oscar_has_started(const struct oscar *o,
			      const struct oscar_params *p, u64 now_ns)
{
	return o->phase == OSCAR_ALONE &&
	       now_ns - o->alone_ns > (u64)p->base_rtt_ns * OSCAR_ALONE_RTTS;
}

/* A delay. The queue may have run empty before it. */
static u8 oscar_take(struct oscar *o, struct oscar_packets *seen,
		     const struct oscar_knobs *k, const struct oscar_params *p,
		     bool first, const struct dcc_sample *s)
{
	u8 branch = OSCAR_HOLD;
	bool empty = oscar_saw_empty(k, p, s);

	if (oscar_was_idle(o, seen, p, s))
		oscar_on_idle(seen);
	/* in a row of empty ones nothing is left to see */
	if (!first && empty && (!seen->batch[0].empty || seen->last[1].delay_ns))
		branch = oscar_drained(o, seen, k, p, s);
	oscar_feed_both(seen, k, p, empty, s);
	return branch;
}

/* A batch may be complete with this ACK. */
static u8 oscar_digest(struct oscar *o, struct oscar_packets *seen,
		       const struct oscar_knobs *k,
		       const struct oscar_params *p, const struct dcc_sample *s)
{
	struct oscar_batch *b = seen->batch;
	struct oscar_estimate e;
	u8 branch = OSCAR_HOLD;
	bool first, closed = false;

	if (s->dips)
		oscar_on_idle(seen);
	if (!p->base_rtt_ns || s->dips)
		return OSCAR_HOLD;
	if (o->phase != OSCAR_MET)
		oscar_look_around(o, seen, k, p, s);
	first = o->phase == OSCAR_FIRST;
	if (oscar_is_valid(p, s)) {
		branch = oscar_take(o, seen, k, p, first, s);
		closed = oscar_is_closed(seen, k, p, s);
	} else {
		oscar_count(&b[0], s);
		oscar_count(&b[1], s);
	}
	if (first || !(closed || oscar_lost_closes(p, b, s)))
		return branch;
	oscar_estimate(seen, b, s, &e);
	seen->sprayed -= !!seen->sprayed;
	oscar_batch_start(b, p);
	return oscar_decide(o, k, p, s->mss, &e);
}

/* Is there no way to know the share: no line rate, no memory, no send times? */
static bool oscar_is_blind(const struct oscar_packets *seen,
			   const struct dcc_sample *s)
{
	return !seen || !s->line_rate || (s->delay_ns && !s->sent_ns);
}

/*
 * Reno: a packet per packet delivered up to the threshold, then one per window;
 * half the window for a loss. The library paces it.
 */
static u8 oscar_reno(struct oscar *o, const struct dcc_sample *s)
{
	u64 packet = (u64)s->mss << DCC_CWND_SHIFT;
	u64 acked = (u64)s->acked_bytes << DCC_CWND_SHIFT;

	oscar_enter(o, OSCAR_MET);
	o->reno = 1;
	o->largest = 0;
	o->pacing = 0;
	o->cwnd = max(o->cwnd, packet);
	if (s->recovery) {
		o->ssthresh = max(o->cwnd / 2, RENO_LEAST * packet);
		o->cwnd = o->ssthresh;
	} else if (s->cwnd_limited) {
		o->cwnd += o->cwnd < o->ssthresh ? acked :
			   dcc_mul_div(packet, acked, o->cwnd);
	}
	o->cwnd = min(o->cwnd, RENO_MOST);
	return OSCAR_RENO;
}

/* What window and pacing follow from has changed, or they were Reno's. */
static void oscar_refresh(struct oscar *o, const struct oscar_params *p)
{
	if (!o->reno && o->line_rate == p->line_rate &&
	    o->base_rtt_ns == p->base_rtt_ns)
		return;
	o->reno = 0;
	oscar_derive(o, p);
}

/*
 * A packet may leave while less than W is in flight, so whole packets are rounded
 * up. Rounded down, each batch would take a part of a packet off u: at 100 packets
 * a BDP five times what U_AI adds, and small flows would starve.
 */
static u64 oscar_whole_packets(u64 cwnd, u32 mss)
{
	u64 packet = (u64)mss << DCC_CWND_SHIFT;

	return div64_u64(cwnd + packet - 1, packet) * packet;
}

/**
 * oscar_on_ack() - digest one ACK
 * @o: state
 * @seen: its packets; NULL: there was no memory for them
 * @k: knobs
 * @s: what the ACK told
 * @d: what to do, all fields set; branch an enum oscar_branch with OSCAR_MARK_*
 */
void oscar_on_ack(struct oscar *o, struct oscar_packets *seen,
		  const struct oscar_knobs *k, const struct dcc_sample *s,
		  struct dcc_decision *d)
{
	struct oscar_params p;

	oscar_params_set(&p, k, dcc_sample_base(s), s->line_rate);
	if (oscar_is_blind(seen, s)) {
		d->branch = oscar_reno(o, s);
	} else {
		oscar_refresh(o, &p);
		d->branch = oscar_digest(o, seen, k, &p, s);
	}
	d->cwnd = o->cwnd;
	if (o->phase == OSCAR_FIRST)	/* it may not be alone */
		d->cwnd = min(d->cwnd, oscar_first_flight(s) << DCC_CWND_SHIFT);
	d->cwnd = oscar_whole_packets(d->cwnd, s->mss);
	if (k->few_packets && d->cwnd <= (u64)OSCAR_FEW * s->mss << DCC_CWND_SHIFT)
		d->window = o->cwnd;
	d->largest = o->largest;
	d->pacing_rate = o->pacing;
	d->delay_ns = o->delay_ns ? o->delay_ns : s->delay_ns;
	d->target_ns = p.target_ns;
	d->share = (u32)div_u64(o->u, OSCAR_MILLIONTH);
	d->gradient = o->gradient;
	d->alone = o->phase != OSCAR_MET;
	d->starts = d->alone && !oscar_has_started(o, &p, s->now_ns);
}

/**
 * oscar_on_rto() - a retransmission timeout
 * @o: state
 * @seen: its packets, now void; may be NULL
 * @k: knobs
 * @mss: payload of a full packet, bytes
 */
void oscar_on_rto(struct oscar *o, struct oscar_packets *seen,
		  const struct oscar_knobs *k, u32 mss)
{
	u64 packet = (u64)mss << DCC_CWND_SHIFT;

	oscar_on_idle(seen);
	oscar_enter(o, OSCAR_MET);
	if (o->reno) {
		o->ssthresh = max(o->cwnd / 2, RENO_LEAST * packet);
		o->cwnd = packet;
		return;
	}
	oscar_hyper_end(o);
	o->u = max(o->u / 2, (u64)k->u_min * OSCAR_MILLIONTH);
	o->line_rate = 0;	/* the next ACK derives window and pacing anew */
}
