// SPDX-License-Identifier: GPL-2.0
/*
 * oscar, extension solo_start. The paper's flows know the base RTT and start with a BDP. TCP's
 * start with ten packets, which are a hundredth of the link in a batch where a BDP is a
 * thousand, and a new flow's BDP is lost where others fill the link. So the initial burst
 * closes no batch, and nothing beyond its size, ten packets at least, is in flight until it is
 * back (common/cc/dcc_start.h). A burst that met others leaves u = its share. After one that met
 * none u does not fall, and no min-RTT probe drains the queue, until a loss or a delay of more
 * than 9/8 base RTTs. After 8 base RTTs a probe may show whether others are there.
 */
#include "../common/math/dcc_wide.h"
#include "oscar.h"

#define MET_SHIFT	3		/* a queue of 1/8 base RTT is others' */
#define SOLO_RTTS	8		/* base RTTs without a min-RTT probe */

/**
 * oscar_solo_init() - a new flow
 * @o: state, of oscar_init()
 *
 * A flow whose base RTT is configured starts with a BDP, and learns nothing from a burst.
 */
void oscar_solo_init(struct oscar *o)
{
	if (o->line_rate)
		o->phase = o->base_rtt_ns ? OSCAR_SOLO : OSCAR_BURST;
}

static bool solo_meets(struct oscar *o, struct oscar_solo *solo, const struct oscar_params *p,
		       const struct dcc_sample *s)
{
	if (s->losses)
		return true;
	if (!oscar_is_valid(p, s))
		return false;
	if (o->phase == OSCAR_BURST)
		return !dcc_start_alone(&solo->burst, s, 0, DCC_START_WHOLE);
	return s->delay_ns > p->base_rtt_ns + (u64)(p->base_rtt_ns >> MET_SHIFT);
}

/* Does the ACK report a packet that an ACK let out, or one that left after the burst's first? */
static bool solo_is_later(const struct dcc_start *burst, const struct dcc_sample *s)
{
	return s->delay_ns && (!s->fills || (burst->flight_ns && s->sent_ns > burst->flight_ns));
}

/* Has all of the burst arrived, where no packet overtakes another? */
static bool solo_is_whole(const struct dcc_start *burst, const struct dcc_sample *s)
{
	return !s->sprayed && burst->flight_left && burst->flight_acked >= burst->flight_left;
}

/* What a flow whose burst is out has, or may have, in flight, bytes. */
static u64 solo_burst(const struct dcc_sample *s)
{
	return max((u64)s->flight + s->acked_bytes, (u64)DCC_START_PACKETS * s->mss);
}

/* The share that the burst had of the link: its bytes in the time that it took. */
static u64 solo_share(const struct oscar_params *p, const struct dcc_sample *s)
{
	u64 seconds = dcc_mul_div(solo_burst(s), OSCAR_ONE, p->line_rate);

	return dcc_mul_div(seconds, NSEC_PER_SEC, max(s->delay_ns, p->base_rtt_ns));
}

/**
 * oscar_solo_look() - before algorithm 2, until others were met
 * @o: state: phase, and with it u, w and r, may change
 * @m: the flow's memory
 * @k: knobs
 * @p: of oscar_params_set(), mu and base RTT known
 * @s: an ACK
 */
void oscar_solo_look(struct oscar *o, struct oscar_memory *m, const struct oscar_knobs *k,
		     const struct oscar_params *p, const struct dcc_sample *s)
{
	bool burst = o->phase == OSCAR_BURST, later = solo_is_later(&m->solo.burst, s);

	if (solo_meets(o, &m->solo, p, s)) {
		o->phase = OSCAR_CONTENDED;
		if (burst)
			oscar_set_share(o, p, clamp_t(u64, solo_share(p, s),
						      (u64)k->u_min * OSCAR_MILLIONTH, o->u));
	} else if (burst && (later || solo_is_whole(&m->solo.burst, s))) {
		o->phase = OSCAR_SOLO;
		m->solo.solo_ns = s->now_ns;
	}
}

/**
 * oscar_solo_decide() - after algorithm 2
 * @o: state
 * @solo: state of the extension
 * @p: of oscar_params_set()
 * @s: an ACK
 * @d: window, and whether min-RTT probes may be
 */
void oscar_solo_decide(const struct oscar *o, const struct oscar_solo *solo,
		       const struct oscar_params *p, const struct dcc_sample *s,
		       struct dcc_decision *d)
{
	u64 since = s->now_ns - solo->solo_ns;

	if (o->phase == OSCAR_BURST)
		d->cwnd = min(d->cwnd, solo_burst(s) << DCC_CWND_SHIFT);
	d->alone = o->phase != OSCAR_CONTENDED;
	d->starts = d->alone && !(o->phase == OSCAR_SOLO &&
				  since > (u64)p->base_rtt_ns * SOLO_RTTS);
}
