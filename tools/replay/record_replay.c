// SPDX-License-Identifier: GPL-2.0
/* One recorded row through the algorithm, in the algorithm's units. */
#include "alg_nscc.h"
#include "recorded.h"

#define BITS_PER_BYTE	8

const char *const rounded_name[ROUNDED] = {
	[R_NOW] = "now_ps",
	[R_DELAY] = "delay_ps",
	[R_BASE_RTT] = "base_rtt_ps",
	[R_AVG] = "pre_avg_delay_ps",
	[R_QA_END] = "pre_qa_end_ps",
	[R_LAST_DEC] = "pre_last_dec_ps",
	[R_LAST_ADJ] = "pre_last_adj_ps",
	[R_NETWORK_RTT] = "network_rtt_ps",
	[R_TARGET] = "target_qdelay_ps",
};

/* All that is rounded, in ps; the average in 1/256 ps, as the algorithm keeps it. */
static void gather(const struct record *r, u64 *ps)
{
	const u64 *pre = r->value + PRE;

	ps[R_NOW] = r->value[NOW];
	ps[R_DELAY] = r->value[DELAY];
	ps[R_BASE_RTT] = r->value[BASE_RTT];
	ps[R_AVG] = pre[AVG] << DCC_EWMA_FRAC;
	ps[R_QA_END] = pre[QA_END];
	ps[R_LAST_DEC] = pre[LAST_DEC];
	ps[R_LAST_ADJ] = pre[LAST_ADJ];
	ps[R_NETWORK_RTT] = setting[NETWORK_RTT_PS];
	ps[R_TARGET] = setting[TARGET_QDELAY_PS];
}

/* Which of the times are no whole ns? One bit each. */
u32 record_fractions(const struct record *r)
{
	u64 ps[ROUNDED];
	u32 i, bits = 0;

	gather(r, ps);
	for (i = 0; i < ROUNDED; i++)
		if (ps[i] % PS_PER_NS)
			bits |= 1U << i;
	return bits;
}

/* Down to whole ns, up for those in @up. */
static void round_all(const struct record *r, u32 up, u64 *ns)
{
	u32 i;

	gather(r, ns);
	for (i = 0; i < ROUNDED; i++)
		ns[i] = ns[i] / PS_PER_NS + (up >> i & 1);
}

/* The reference's to_ignore and ignored as the algorithm keeps them. */
static u32 left_to_ignore(const u64 *pre)
{
	return pre[TO_IGNORE] > pre[IGNORED] ?
	       (u32)(pre[TO_IGNORE] - pre[IGNORED]) : 0;
}

static struct nscc load(const u64 *pre, const u64 *ns)
{
	return (struct nscc) {
		.cwnd = pre[CWND] << DCC_CWND_SHIFT,
		.inc = pre[INC],
		.qa_end = ns[R_QA_END],
		.last_dec = ns[R_LAST_DEC],
		.last_adj = ns[R_LAST_ADJ],
		.avg = ns[R_AVG],
		.variant = NSCC_NSCC,
		.fast = pre[INCREASE],
		.trigger = pre[TRIGGER],
		.achieved = (u32)pre[ACHIEVED],
		.received = (u32)pre[RECEIVED],
		.fi_count = (u32)pre[FI_COUNT],
		.to_ignore = left_to_ignore(pre),
	};
}

static void store(const struct nscc *n, struct outcome *o)
{
	o->cwnd_256 = n->cwnd;
	o->part[CWND] = n->cwnd >> DCC_CWND_SHIFT;
	o->part[AVG] = n->avg * PS_PER_NS >> DCC_EWMA_FRAC;
	o->part[INC] = n->inc;
	o->part[RECEIVED] = n->received;
	o->part[ACHIEVED] = n->achieved;
	o->part[FI_COUNT] = n->fi_count;
	o->part[INCREASE] = n->fast;
	o->part[TRIGGER] = n->trigger;
	o->part[QA_END] = n->qa_end * PS_PER_NS;
	o->part[TO_IGNORE] = n->to_ignore;
	o->part[IGNORED] = 0;
	o->part[LAST_DEC] = n->last_dec * PS_PER_NS;
	o->part[LAST_ADJ] = n->last_adj * PS_PER_NS;
}

/**
 * record_replay() - what does the algorithm make of a row?
 * @r: the row
 * @up: times to round up and not down, one bit each
 * @o: the answer
 */
void record_replay(const struct record *r, u32 up, struct outcome *o)
{
	struct nscc_knobs k = nscc_replay_knobs;
	struct nscc_params p;
	struct nscc_event e;
	struct nscc n;
	u64 ns[ROUNDED];

	round_all(r, up, ns);
	k.network_rtt_ns = (u32)ns[R_NETWORK_RTT];
	k.target_qdelay_ns = (u32)ns[R_TARGET];
	nscc_params_set(&p, &k, (u32)ns[R_BASE_RTT],
			setting[LINKSPEED_BPS] / BITS_PER_BYTE,
			(u32)setting[MSS]);
	p.alpha_ns = NSCC_REF_RTT_NS;
	p.mtu = (u32)setting[MTU];
	p.max_window = r->value[MAXWND];
	e = (struct nscc_event) {
		.now_ns = ns[R_NOW],
		.q_ns = (u32)ns[R_DELAY],
		.bytes = (u32)r->value[BYTES],
		.in_flight = (u32)r->value[IN_FLIGHT],
		.ce = !r->loss && r->value[ECN],
		.cwnd_limited = true,
	};
	n = load(r->value + PRE, ns);
	if (r->loss)
		o->branch = nscc_loss(&n, &k, &p, &e);
	else
		o->branch = nscc_update(&n, &k, &p, &e);
	store(&n, o);
}
