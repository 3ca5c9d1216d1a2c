// SPDX-License-Identifier: GPL-2.0
/* Min-RTT probes; stated in dcc_drain.h. */
#include "dcc_drain.h"

#define DRAIN_ALL		(1U << DCC_DRAIN_SHIFT)
#define DRAIN_PART_DEEP	(DRAIN_ALL / 4)
#define DRAIN_PART_LONG	(DRAIN_ALL / 2)
#define DRAIN_PART	(DRAIN_ALL - DRAIN_ALL / 8)
#define DRAIN_FIRST_DEEP	3	/* of a flow that is not sprayed */
#define DRAIN_AGAIN_DEEP	2	/* after the base RTT fell */
#define DRAIN_REST_RTTS	2ULL
#define DRAIN_EMPTY_SHIFT	6	/* 1/64 of the base RTT is no queue */
#define DRAIN_SLACK_SHIFT	5	/* 1/32 of the base RTT is noise */
#define DRAIN_SLACK_NS	1000U	/* ... and this: a packet's time */
#define DRAIN_NONE	3	/* min-RTT probes that met no queue make a longer path */
#define DRAIN_PATHS_SHIFT	3	/* nor is 1/8, of one that is sprayed, or alone */

/* Delays are below 2^32 ns, so is what is left of the difference. */
static void drain_leak(struct dcc_drain *p, const struct dcc_drain_knobs *k,
		       const struct dcc_drain_delay *d)
{
	u64 since = min_t(u64, d->now_ns - p->seen_ns, U32_MAX);
	u64 gap;

	p->seen_ns = d->now_ns;
	if (p->low_ns >= d->srtt_ns)
		return;
	gap = d->srtt_ns - p->low_ns;
	p->low_ns += min_t(u64, gap, div64_u64(gap * since,
					       (u64)k->drain_rtts * d->srtt_ns));
}

/*
 * How much of the empty path a min-RTT probe leaves filled. It costs the rest of a base RTT
 * once in drain_rtts srtt: little where the queue is longer than the path.
 */
static u32 drain_part(const struct dcc_drain *p, const struct dcc_drain_delay *d)
{
	if (p->deep)
		return DRAIN_PART_DEEP;
	return d->delay_ns / 2 > d->base_ns ? DRAIN_PART_LONG : DRAIN_PART;
}

/* How long the link takes for what a min-RTT probe withholds; 0: its rate is not known. */
static u32 drain_withheld(const struct dcc_drain *p, const struct dcc_drain_delay *d)
{
	u64 flight;

	if (!d->line_rate)
		return 0;
	flight = min_t(u64, div64_u64((u64)d->inflight * NSEC_PER_SEC, d->line_rate), U32_MAX);
	return (u32)(flight * (DRAIN_ALL - p->share) >> DCC_DRAIN_SHIFT);
}

/* A base RTT is as long as the delay at most, so the share is a part of one. */
static void drain_begin(struct dcc_drain *p, const struct dcc_drain_delay *d)
{
	u32 share = (u32)div_u64((u64)drain_part(p, d) * d->base_ns, d->delay_ns);
	u64 drain;

	p->share = clamp_t(u32, share, 1, DRAIN_ALL);
	drain = (u64)d->delay_ns * (DRAIN_ALL - p->share) >> DCC_DRAIN_SHIFT;
	p->until_ns = d->now_ns + drain + d->base_ns;
	p->low_ns = d->delay_ns;
	p->high_ns = d->delay_ns;
	p->withheld_ns = drain_withheld(p, d);
	p->deep -= p->deep != 0;
	p->sure = 0;
	p->on = 1;
}

/* Is a difference between delays more than noise? */
static bool drain_is_more(u64 more_ns, u32 base_ns)
{
	return more_ns > (base_ns >> DRAIN_SLACK_SHIFT) + DRAIN_SLACK_NS;
}

/* A min-RTT probe is over: where it ended is the base RTT, if it and those before met no queue. */
static u32 drain_floor(struct dcc_drain *p, u32 base_ns)
{
	u32 half = p->withheld_ns / 2;	/* would have lowered a queue by this, or more */

	if (p->low_ns <= base_ns || !drain_is_more(p->low_ns - base_ns, base_ns) ||
	    p->high_ns >= p->low_ns + (u64)half) {
		p->none = 0;
		return base_ns;
	}
	if (!drain_is_more(half, base_ns))	/* unknown */
		return base_ns;
	if (++p->none < DRAIN_NONE)
		return base_ns;
	p->none = 0;
	return p->low_ns;
}

/* Is it time? The others see the same delays, and find the same. */
static bool drain_due(const struct dcc_drain *p, const struct dcc_drain_knobs *k,
		      const struct dcc_drain_delay *d)
{
	u64 rest = DRAIN_REST_RTTS * d->srtt_ns;
	u64 most = (u64)k->drain_rtts * d->srtt_ns;
	u64 since = d->now_ns - p->rest_ns;

	return since >= most || (since >= rest && d->delay_ns <= p->low_ns);
}

/* It saw no other flow for a while: its first min-RTT probes need not be deep, one makes sure. */
static void drain_alone(struct dcc_drain *p)
{
	if (p->deep != DRAIN_FIRST_DEEP)
		return;
	p->deep = 0;
	p->sure = 1;
}

/**
 * dcc_drain_on_delay() - a delay came
 * @p: state
 * @k: knobs; drain_rtts is not 0
 * @d: the delay, of a packet of full size
 *
 * Return: the base RTT, ns: as it was, or a longer one that min-RTT probes found.
 */
u32 dcc_drain_on_delay(struct dcc_drain *p, const struct dcc_drain_knobs *k,
		       const struct dcc_drain_delay *d)
{
	u32 shift = d->paths || d->alone ? DRAIN_PATHS_SHIFT : DRAIN_EMPTY_SHIFT;
	bool empty = d->delay_ns - d->base_ns <= (d->base_ns >> shift) + d->hosts_ns;

	if (!p->rest_ns) {
		p->deep = d->paths ? 0 : DRAIN_FIRST_DEEP;
		p->low_ns = d->delay_ns;
		p->seen_ns = d->now_ns;
		p->rest_ns = d->now_ns;
	}
	if (d->fell)
		p->deep = max_t(u32, p->deep, DRAIN_AGAIN_DEEP);
	if (p->on) {
		p->seen_ns = d->now_ns;
		p->low_ns = min(p->low_ns, d->delay_ns);
		if (d->sent_ns < p->until_ns)
			return d->base_ns;
		p->on = 0;
		p->rest_ns = d->now_ns;
		return drain_floor(p, d->base_ns);
	}
	drain_leak(p, k, d);
	if (d->alone && !d->starts)
		drain_alone(p);
	if (empty && (d->paths || d->starts || !(p->deep || p->sure)))
		p->rest_ns = d->now_ns;
	else if (d->limited && drain_due(p, k, d))
		drain_begin(p, d);
	p->low_ns = min(p->low_ns, d->delay_ns);
	return d->base_ns;
}
