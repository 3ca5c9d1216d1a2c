// SPDX-License-Identifier: GPL-2.0
/* nscc and mnscc; the laws are stated in nscc.h. */
#include "../common/dcc_ewma.h"
#include "../common/dcc_fixed.h"
#include "../common/dcc_held.h"
#include "../common/dcc_wide.h"
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

#define NSCC_DISCOUNT_SHIFT	2	/* base / 4: what a late, unmarked delay counts */
/*
 * Where the measured delivery bounds the window, a slower one counts 1/1024 per
 * ACK, and the window may always be the one that TCP starts with.
 */
#define NSCC_PEAK_GAIN_SHIFT	10
#define NSCC_FLOOR_PACKETS	10U

#define NSCC_TEN_MILLI		10000U	/* delay_gain is in 1/10000 */
/* Least: of a median, and R not told of one path's delay; of many, so many windows'. */
#define NSCC_PATH_GAIN		(DCC_EWMA_GAIN_ONE / 4)
#define NSCC_PATHS_WINDOWS	2

/*
 * Products saturate: too small then, never wrapped. With the defaults none does
 * up to 4 Tbit/s, R = target = 0.5 ms, an MSS of 9000 and 64 KB an ACK: the
 * largest, alpha MSS a (target - q) / 12 us * bytes << 16, is 1.1e19 there, and
 * what it saturates at is 2^48 of inc per ACK.
 */
static u64 sat_mul(u64 a, u64 b)
{
	u64 product;

	return __builtin_mul_overflow(a, b, &product) ? U64_MAX : product;
}

static u64 sat_add(u64 a, u64 b)
{
	return a + b < a ? U64_MAX : a + b;
}

static u32 sat_add32(u32 a, u32 b)
{
	return a + b < a ? U32_MAX : a + b;
}

/* max_window * BDP in bytes; 1000 BDP is at most 2^64 / 10^6, 64000 is 2^16. */
static u64 nscc_window_of(const struct nscc_knobs *k, u32 rtt_ns, u64 line_rate)
{
	u64 milli_bdp = div_u64(sat_mul(line_rate, rtt_ns),
				NSEC_PER_SEC / DCC_MILLI);
	u64 window = div_u64(milli_bdp * k->max_window, DCC_MILLI * DCC_MILLI);

	return min_t(u64, window, NSCC_CWND_MAX);
}

/*
 * The base RTT starts at R and only ever falls: a flow that starts into a queue
 * would else take that for a part of the way.
 */
static u32 nscc_base_rtt(const struct nscc_knobs *k, u32 measured_ns)
{
	if (!k->network_rtt_ns || (measured_ns && measured_ns < k->network_rtt_ns))
		return measured_ns;
	return k->network_rtt_ns;
}

/*
 * R of a network that nobody told: the reference's BDP at this line rate. It sets
 * target and gains, which must be the same for all flows that share a queue,
 * whatever their distance: with R = its own base RTT the longest takes the link
 * (measured: 240 us beside 24 us 9.4 of 10 Gbit/s).
 */
static u32 nscc_network_rtt(const struct nscc_knobs *k, u32 base_rtt_ns,
			    u64 line_rate)
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
 * @line_rate: bytes/s; 0: unknown
 * @mss: payload of a full packet, bytes, not 0
 *
 * a = R * C / 150000 B saturates at a BDP of 18 GB, past NSCC_CWND_MAX.
 */
void nscc_params_set(struct nscc_params *p, const struct nscc_knobs *k,
		     u32 base_rtt_ns, u64 line_rate, u32 mss)
{
	p->rtt_ns = nscc_network_rtt(k, base_rtt_ns, line_rate);
	p->alpha_ns = p->rtt_ns;
	p->base_rtt_ns = nscc_base_rtt(k, base_rtt_ns);
	p->told = k->network_rtt_ns != 0;
	p->sprayed = false;
	p->target_ns = k->target_qdelay_ns ? k->target_qdelay_ns : p->rtt_ns;
	p->mss = mss;
	p->mtu = mss;
	p->max_known = line_rate && p->base_rtt_ns;
	p->max_window = NSCC_CWND_MAX;
	if (p->max_known)
		p->max_window = nscc_window_of(k, p->base_rtt_ns, line_rate);
	p->bound = p->max_window;
	p->scale = 1U << NSCC_SCALE_SHIFT;
	if (line_rate)
		p->scale = div_u64(sat_mul(line_rate, p->rtt_ns),
				   NSCC_REF_UNIT);
}

/*
 * How fast the network can deliver: the fastest it did lately. Where the
 * application was slower a low rate says nothing.
 */
static void nscc_peak(struct nscc *n, const struct dcc_sample *s)
{
	u64 rate = min_t(u64, s->delivery_rate >> NSCC_PEAK_SHIFT, U32_MAX);
	u32 above;

	if (rate >= n->peak) {
		n->peak = (u32)rate;
	} else if (rate && !s->app_limited) {
		above = n->peak - (u32)rate;
		n->peak -= max(above >> NSCC_PEAK_GAIN_SHIFT, 1U);	/* to its end */
	}
}

/*
 * Is there nothing else that holds the window? The line rate is unknown; or
 * packets were dropped and no mark was ever heard: a network that does not mark
 * turns the decrease off, and long delays then only mean that a queue goes down.
 */
static bool nscc_is_loose(struct nscc *n, const struct dcc_sample *s)
{
	n->marked |= s->ce != 0;
	n->dropped |= s->losses != 0;
	return !s->line_rate || (n->dropped && !n->marked);
}

/*
 * The window grows no further than what was delivered tells. It is not cut to
 * that: the first ACKs of a flight tell little.
 */
static void nscc_bound(const struct nscc *n, const struct nscc_knobs *k,
		       struct nscc_params *p)
{
	u64 window = nscc_window_of(k, p->base_rtt_ns,
				    (u64)n->peak << NSCC_PEAK_SHIFT);
	u64 bytes = (n->cwnd + (1U << DCC_CWND_SHIFT) - 1) >> DCC_CWND_SHIFT;
	u64 least = max_t(u64, NSCC_FLOOR_PACKETS * (u64)p->mtu, bytes);

	p->bound = min(p->max_window, max(window, least));
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
	return nscc_window_of(k, k->network_rtt_ns, line_rate);
}

/**
 * nscc_init() - start a flow
 * @n: state, any content
 * @h: mnscc's delays, any content; may be NULL
 * @variant: which law
 * @now_ns: the time
 * @cwnd_bytes: first window
 */
void nscc_init(struct nscc *n, struct nscc_history *h,
	       enum nscc_variant variant, u64 now_ns, u64 cwnd_bytes)
{
	memset(n, 0, sizeof(*n));
	n->variant = variant;
	n->cwnd = min_t(u64, cwnd_bytes, NSCC_CWND_MAX) << DCC_CWND_SHIFT;
	n->last_dec = now_ns;
	nscc_on_idle(n, h, now_ns);
}

/**
 * nscc_slow_start() - the flow is a new one, not one whose window is known
 * @n: state, after nscc_init()
 * @k: knobs
 * @mss: payload of a full packet, bytes
 *
 * Whoever told the network's RTT told a first window, too.
 */
void nscc_slow_start(struct nscc *n, const struct nscc_knobs *k, u32 mss)
{
	u64 packet = (u64)mss << DCC_CWND_SHIFT;

	n->starting = k->slow_start && !k->network_rtt_ns &&
		      dcc_start_untold(&k->flow, n->cwnd, packet);
	if (n->starting)
		memset(&n->start, 0, sizeof(n->start));
}

/* The start is over: increases are collected from now on. */
static void nscc_started(struct nscc *n, u64 now_ns)
{
	n->starting = 0;
	n->inc = 0;
	n->received = 0;
	n->fi_count = 0;
	n->last_adj = now_ns;
}

/* One packet to the bound; one packet if that is larger. */
static void nscc_clamp(struct nscc *n, const struct nscc_params *p)
{
	u64 lo = (u64)p->mtu << DCC_CWND_SHIFT;
	u64 hi = p->bound << DCC_CWND_SHIFT;

	n->cwnd = clamp_t(u64, n->cwnd, lo, max(lo, hi));
}

/* knob * MSS * a, bytes << NSCC_SCALE_SHIFT. */
static u64 nscc_gain(const struct nscc_params *p, u32 milli)
{
	return div_u64(sat_mul((u64)milli * p->mss, p->scale), DCC_MILLI);
}

/* inc += rate * bytes; rate << NSCC_SCALE_SHIFT. */
static void nscc_collect(struct nscc *n, u64 rate, u32 bytes)
{
	n->inc = sat_add(n->inc, sat_mul(rate, bytes) >> NSCC_SCALE_SHIFT);
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
 * a queue shows. At most 2^56 are added to 2^40.
 */
static bool nscc_fast_increase(struct nscc *n, const struct nscc_knobs *k,
			       const struct nscc_params *p,
			       const struct nscc_event *e)
{
	u64 rate = div_u64(sat_mul(k->fi_scale, p->scale), DCC_MILLI);

	if (e->q_ns >= k->fast_eps_ns) {
		n->fi_count = 0;
		n->fast = 0;
		return false;
	}
	n->fi_count = sat_add32(n->fi_count, e->bytes);
	if ((u64)n->fi_count << DCC_CWND_SHIFT > n->cwnd)
		n->fast = 1;
	if (n->fast)
		n->cwnd += sat_mul(rate, e->bytes) >>
			   (NSCC_SCALE_SHIFT - DCC_CWND_SHIFT);
	return n->fast;
}

/* alpha MSS a below / per << NSCC_SCALE_SHIFT; below is target - q. */
static u64 nscc_alpha_rate(const struct nscc_knobs *k, const struct nscc_params *p,
			   u32 below_ns, u32 per_ns)
{
	return div_u64(sat_mul(nscc_gain(p, k->alpha), below_ns), max(per_ns, 1U));
}

/*
 * Per R, whoever says R: per 12 us a flow on a longer path would add as much many times in
 * an RTT, and the first to see the queue empty would have it. R not told, as much as in 12
 * us all the same if it is no more than half of the window in R: a flow that fell far is
 * back soon, and many with few packets each do not together overfill the line by twice what
 * it holds.
 */
static u64 nscc_proportional_rate(const struct nscc *n, const struct nscc_knobs *k,
				  const struct nscc_params *p, u32 q_ns)
{
	u64 half = n->cwnd << (NSCC_SCALE_SHIFT - DCC_CWND_SHIFT - 1);
	u32 below_ns = p->target_ns - q_ns;
	u64 least = nscc_alpha_rate(k, p, below_ns, p->alpha_ns);

	if (p->told)
		return least;
	half = div_u64(sat_mul(half, below_ns), max(p->rtt_ns, 1U));
	return max(least, min(nscc_alpha_rate(k, p, below_ns, NSCC_REF_RTT_NS), half));
}

/*
 * The emptier the queue, the faster, unless the fast increase has the window.
 */
static u8 nscc_proportional_increase(struct nscc *n, const struct nscc_knobs *k,
				     const struct nscc_params *p,
				     const struct nscc_event *e)
{
	if (nscc_fast_increase(n, k, p, e))
		return NSCC_FAST;
	nscc_collect(n, nscc_proportional_rate(n, k, p, e->q_ns), e->bytes);
	return NSCC_PROPORTIONAL;
}

/*
 * Delay and mark agree: a queue. Once per base RTT, by the excess of the
 * average: W *= max(1 - gamma (avg - target) / avg, min_keep). gamma needs 17
 * bits, avg 40, W 40.
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
	step = div64_u64(sat_mul(n->inc, 1U << DCC_CWND_SHIFT), n->cwnd);
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

/* Is the window far off? A loss or a long delay, and little delivered. */
static bool nscc_far_off(const struct nscc *n, const struct nscc_knobs *k,
			 const struct nscc_params *p,
			 const struct nscc_event *e)
{
	u64 largest = p->max_known ? p->max_window : n->cwnd >> DCC_CWND_SHIFT;
	bool late = (u64)e->q_ns * DCC_MILLI >
		    (u64)k->qa_threshold * p->target_ns;

	return (n->trigger || late) && n->achieved < largest >> k->qa_gate;
}

/* What arrived is what the network has room for; older news are stale. */
static void nscc_adapt(struct nscc *n, const struct nscc_params *p,
		       const struct nscc_event *e)
{
	u64 window = (u64)max(n->achieved, p->mtu) << DCC_CWND_SHIFT;

	n->cwnd = e->cwnd_limited ? window : min(window, n->cwnd);
	n->to_ignore = e->in_flight;
	n->trigger = 0;
}

/*
 * Once per base + target, is a reset of the window needed? Returns
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
			nscc_adapt(n, p, e);
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

/**
 * nscc_update() - decide on one ACK
 * @n: state; bytes counted, average fed already
 * @k: knobs
 * @p: of nscc_params_set()
 * @e: the ACK
 *
 * Return: enum nscc_branch, with NSCC_MARK_FULFIL and NSCC_MARK_PERIOD.
 */
u8 nscc_update(struct nscc *n, const struct nscc_knobs *k,
	       const struct nscc_params *p, const struct nscc_event *e)
{
	u8 branch;

	if (!p->base_rtt_ns)
		return NSCC_HOLD;
	branch = nscc_quick_adapt(n, k, p, e, false);
	if (branch & NSCC_BRANCH)
		return branch;
	branch |= nscc_quadrant(n, k, p, e);
	nscc_clamp(n, p);
	if (e->cwnd_limited)
		branch |= nscc_fulfil(n, k, p, e);
	nscc_clamp(n, p);
	return branch;
}

/*
 * By how much the window of a flow that starts may still grow. What it adds is seen a
 * round trip later: it fills the line, and no more.
 */
static u64 nscc_room(const struct nscc *n, const struct nscc_params *p, u64 line_rate)
{
	u64 bytes = dcc_mul_div(line_rate, p->base_rtt_ns, NSEC_PER_SEC);
	u64 enough = min(bytes, p->bound) << DCC_CWND_SHIFT;

	return enough - min(enough, n->cwnd);
}

/*
 * What an ACK adds to the window of a flow that starts: its bytes, which double it. Where
 * the line is known to be free or paths are many, the reference's proportional increase
 * if that is more: it is for small windows where R is long.
 */
static u64 nscc_start_step(const struct nscc *n, const struct nscc_knobs *k,
			   const struct nscc_params *p, const struct nscc_event *e,
			   bool careful)
{
	u64 bytes = (u64)e->bytes << DCC_CWND_SHIFT, inc, own;

	if (careful)
		return bytes;
	inc = nscc_alpha_rate(k, p, p->target_ns - e->q_ns, NSCC_REF_RTT_NS);
	inc = sat_mul(inc, e->bytes) >> NSCC_SCALE_SHIFT;
	own = div64_u64(sat_mul(inc, 1U << 2 * DCC_CWND_SHIFT), n->cwnd);
	return max(own, bytes);
}

/*
 * An ACK of a flow that starts: it grows as long as it has the line to itself and the
 * path no queue that the law would act on; else the law takes over.
 */
static u8 nscc_start(struct nscc *n, const struct nscc_knobs *k,
		     const struct nscc_params *p, const struct nscc_event *e,
		     const struct dcc_sample *s)
{
	bool quiet = !e->ce && e->q_ns < p->target_ns;
	u64 room;

	if (!p->base_rtt_ns || (quiet && !e->cwnd_limited))
		return NSCC_HOLD;
	nscc_clamp(n, p);
	room = quiet ? nscc_room(n, p, s->line_rate) : 0;
	if (room && dcc_start_alone(&n->start, s, n->cwnd, 100)) {
		n->cwnd += min(room, nscc_start_step(n, k, p, e, s->fills && !s->sprayed));
		return NSCC_START;
	}
	if (room)
		n->cwnd = min(n->cwnd, n->start.flight_cwnd);
	nscc_started(n, e->now_ns);
	return nscc_update(n, k, p, e);
}

/* delay_gain, the reference's weight of a delay in the average. */
static u32 nscc_weight(const struct nscc_knobs *k)
{
	u64 gain = (u64)k->delay_gain << DCC_EWMA_GAIN_SHIFT;

	return (u32)div_u64(gain, NSCC_TEN_MILLI);
}

/*
 * The least weight of a delay that @bytes told. The reference's 1/80 goes back twenty
 * round trips of a flow that has four packets a round trip, and the cuts are by what the
 * queue was then: of 16 flows the last to come kept three shares for a hundred RTTs. A
 * median has heard many paths already, it is as one path's delay.
 */
static u32 nscc_least_weight(const struct nscc *n, const struct nscc_params *p,
			     u32 bytes, bool median)
{
	u64 gain = (u64)bytes << (DCC_EWMA_GAIN_SHIFT + DCC_CWND_SHIFT);

	if (median)
		return NSCC_PATH_GAIN;
	if (p->told)
		return 0;
	if (!p->sprayed)
		return NSCC_PATH_GAIN;
	gain = div64_u64(gain, max_t(u64, NSCC_PATHS_WINDOWS * n->cwnd, 1));
	return (u32)min_t(u64, gain, DCC_EWMA_GAIN_ONE);
}

/* Bytes on which news from before the last quick adapt have come. */
static void nscc_heard(struct nscc *n, u32 bytes)
{
	n->to_ignore -= min(n->to_ignore, bytes);
}

/**
 * nscc_loss() - one packet lost
 * @n: state, not yet told of the packet
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

	nscc_heard(n, e->bytes);
	if (p->rtt_ns)
		n->avg = dcc_ewma_step(n->avg, p->rtt_ns, nscc_weight(k));
	n->trigger = 1;
	if (n->starting)
		nscc_started(n, e->now_ns);
	branch = nscc_quick_adapt(n, k, p, e, true);
	if (branch & NSCC_BRANCH)
		return branch;
	n->cwnd -= min(n->cwnd, bytes);
	nscc_clamp(n, p);
	return branch | NSCC_LOSS;
}

/* A delay of as many packets; the oldest make room. */
static void nscc_remember(struct nscc_history *h, u32 delay_ns, u32 packets)
{
	u32 n = clamp_t(u32, packets, 1, NSCC_MAX_HISTORY), i;

	for (i = 0; i < n; i++) {
		h->delay_ns[h->next] = delay_ns;
		h->next = (h->next + 1) % NSCC_MAX_HISTORY;
	}
	h->count = min_t(u32, h->count + n, NSCC_MAX_HISTORY);
}

/* H = max(min(W / 2, history), 1), of those there are; nscc has none. */
static u32 nscc_history_len(const struct nscc *n, const struct nscc_history *h,
			    const struct nscc_knobs *k, u32 mss)
{
	u64 half = div_u64(n->cwnd >> (DCC_CWND_SHIFT + 1), mss);
	u32 len = max_t(u32, min_t(u64, half, k->history), 1);

	return min_t(u32, len, h->count);
}

/* Median of the newest @len, not 0; of two in the middle, their mean. */
static u32 nscc_median(const struct nscc_history *h, u32 len)
{
	u32 sorted[NSCC_MAX_HISTORY], i, j;

	for (i = 0; i < len; i++) {
		u32 d = h->delay_ns[(h->next + NSCC_MAX_HISTORY - 1 - i) %
				    NSCC_MAX_HISTORY];

		for (j = i; j && sorted[j - 1] > d; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = d;
	}
	return (u32)(((u64)sorted[(len - 1) / 2] + sorted[len / 2]) / 2);
}

/* Queuing delay of a delay; a base RTT just found may be above older ones. */
static u32 nscc_queueing(const struct nscc_params *p, u32 delay_ns)
{
	return delay_ns - min(delay_ns, p->base_rtt_ns);
}

/*
 * Was the ACK's way congested? A mark says so. On a connection that can have
 * none a delay at the target does: with neither, nothing would ever cut W.
 */
static bool nscc_marked(const struct dcc_sample *s,
			const struct nscc_params *p, u32 q_ns)
{
	return s->ce || (s->no_ecn && q_ns >= p->target_ns);
}

/* Remember a delay. False: it is none, or one that the receiver may have made. */
static bool nscc_observe(struct nscc *n, struct nscc_history *h,
			 const struct nscc_params *p,
			 const struct dcc_sample *s)
{
	u32 q = nscc_queueing(p, s->delay_ns);

	if (!s->delay_ns || !p->base_rtt_ns)
		return false;
	if (s->maybe_delayed && q >= p->target_ns)
		return false;
	if (n->variant == NSCC_MNSCC && h)
		nscc_remember(h, s->delay_ns, s->acked);
	return true;
}

/* The queuing delay to act on: of @len delays the median, packet's own, or average. */
static u32 nscc_delay(const struct nscc *n, const struct nscc_history *h,
		      const struct nscc_params *p, const struct dcc_sample *s,
		      u32 len, bool valid)
{
	if (len)
		return nscc_queueing(p, nscc_median(h, len));
	if (valid)
		return nscc_queueing(p, s->delay_ns);
	return (u32)(n->avg >> DCC_EWMA_FRAC);
}

/*
 * Feed the average with the delay that is acted on. One that is late without a mark is
 * one bad path of many: it counts base / 4, or itself if that is less.
 */
static void nscc_average(struct nscc *n, const struct nscc_knobs *k,
			 const struct nscc_params *p, const struct nscc_event *e,
			 bool median)
{
	u32 q = e->q_ns;
	u32 weight = max(nscc_weight(k), nscc_least_weight(n, p, e->bytes, median));

	if (!e->ce && q > p->target_ns)
		q = min(q, p->base_rtt_ns >> NSCC_DISCOUNT_SHIFT);
	n->avg = dcc_ewma_step(n->avg, q, weight);
}

/*
 * The ACK's losses, one by one: each sees its own bytes in flight still. Past
 * NSCC_LOSS_CALLS the rest are one of their size. Returns the last branch, or
 * NSCC_QUICK_ADAPT if there was one, and marks.
 */
static u8 nscc_losses(struct nscc *n, const struct nscc_knobs *k,
		      const struct nscc_params *p, struct nscc_event *e,
		      u32 losses, u32 flight)
{
	u64 lost = (u64)losses * p->mtu;
	u8 branch = NSCC_LOSS, marks = NSCC_MARK_LOSS;
	u32 i;

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

/**
 * nscc_on_ack() - digest one ACK
 * @n: state
 * @h: mnscc's recent delays; NULL if there was no memory for them: the latest
 *	delay then stands in
 * @k: knobs
 * @s: what the ACK told
 * @d: what to do, all fields set; delays with the base RTT in them, branch an
 *	enum nscc_branch with NSCC_MARK_*
 */
void nscc_on_ack(struct nscc *n, struct nscc_history *h,
		 const struct nscc_knobs *k, const struct dcc_sample *s,
		 struct dcc_decision *d)
{
	struct nscc_event e = {
		.now_ns = s->now_ns, .bytes = s->acked_bytes,
		.in_flight = s->flight, .cwnd_limited = s->cwnd_limited,
	};
	struct nscc_params p;
	bool valid;
	u32 len;
	u8 loss;

	nscc_params_set(&p, k, dcc_sample_base(s), s->line_rate, s->mss);
	p.sprayed = s->sprayed;
	nscc_peak(n, s);
	if (nscc_is_loose(n, s))
		nscc_bound(n, k, &p);
	n->achieved = sat_add32(n->achieved, e.bytes);
	n->received = sat_add32(n->received, e.bytes);
	nscc_heard(n, e.bytes);
	valid = nscc_observe(n, h, &p, s);
	len = h ? nscc_history_len(n, h, k, s->mss) : 0;
	e.q_ns = nscc_delay(n, h, &p, s, len, valid);
	e.ce = nscc_marked(s, &p, e.q_ns);
	if (valid)
		nscc_average(n, k, &p, &e, len != 0);
	if (!e.bytes)
		d->branch = NSCC_HOLD;
	else if (n->starting)
		d->branch = nscc_start(n, k, &p, &e, s);
	else
		d->branch = nscc_update(n, k, &p, &e);
	if (s->losses) {
		loss = nscc_losses(n, k, &p, &e, s->losses, s->flight);
		d->branch |= s->acked_bytes ? loss & ~NSCC_BRANCH : loss;
	}
	nscc_clamp(n, &p);
	d->delay_ns = sat_add32(e.q_ns, p.base_rtt_ns);
	d->target_ns = sat_add32(p.target_ns, p.base_rtt_ns);
	d->pacing_rate = 0;
	d->starts = n->starting;
	d->cwnd = n->cwnd;
	d->largest = dcc_held_largest(n->cwnd, p.max_window << DCC_CWND_SHIFT);
}

/**
 * nscc_on_rto() - a retransmission timeout
 * @n: state
 * @lost: packets that it gave up
 * @mss: payload of a full packet, bytes
 *
 * What was in flight is to be sent again: with the window as it was it would all
 * leave at once.
 */
void nscc_on_rto(struct nscc *n, u32 lost, u32 mss)
{
	u64 packet = (u64)mss << DCC_CWND_SHIFT;

	if (n->starting)
		nscc_started(n, n->last_dec);
	n->cwnd = max(n->cwnd - min(n->cwnd, lost * packet), packet);
}

/**
 * nscc_on_idle() - the flow starts again, or its packets changed size
 * @n: state: all but the window, the last decrease and what is known of the
 *	network (fastest delivery, marks, drops) starts anew
 * @h: recent delays, now void; may be NULL
 * @now_ns: the time
 */
void nscc_on_idle(struct nscc *n, struct nscc_history *h, u64 now_ns)
{
	if (n->starting)
		memset(&n->start, 0, sizeof(n->start));
	else
		nscc_started(n, now_ns);
	n->qa_end = 0;
	n->avg = 0;
	n->fast = 0;
	n->trigger = 0;
	n->achieved = 0;
	n->received = 0;
	n->to_ignore = 0;
	if (h)
		memset(h, 0, sizeof(*h));
}
