// SPDX-License-Identifier: GPL-2.0
/*
 * oscar: the life of a flow on a real stack, around the paper of oscar.c.
 *
 * - The base RTT is the least delay seen, or base_rtt_ns if that is less.
 * - An ACK that the receiver may have delayed proves a path free, never congested.
 * - A flow that its application holds back never raises u.
 * - A packet that left after an idle time begins a batch anew.
 * - A timeout halves u.
 * - Without mu, send times or memory there is no guess: Reno has the window.
 */
#include "../common/math/dcc_wide.h"
#include "oscar.h"

const struct dcc_knob oscar_knob[OSCAR_KNOB_COUNT] = {
	OSCAR_KNOBS(DCC_KNOB_ENTRY)
};

/*
 * D_target = 1.5 base RTTs, or what the knobs ask for. With target_queue_ns flows of unlike
 * base RTTs agree on the queue, and U_AI is as many bytes for all: they settle at u = U_AI
 * delay / (delay - D_target), the same rates.
 */
static void params_set_target(struct oscar_params *p, const struct oscar_knobs *k)
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
	p->empty_ns = (u32)min_t(u64, (u64)base + k->eps_ns, U32_MAX);
	p->tau_ns = k->tau_ns ? k->tau_ns : min(base / 2, OSCAR_MOST_TAU);
	params_set_target(p, k);
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

	*o = (struct oscar) {
		.u = (u64)k->start_u * OSCAR_MILLIONTH,
		.cwnd = min_t(u64, cwnd_bytes << DCC_CWND_SHIFT, DCC_RENO_MOST),
	};
	oscar_params_set(&p, k, 0, line_rate);
	if (line_rate)
		oscar_set_share(o, &p, o->u);
	if (k->solo_start)
		oscar_solo_init(o);
}

/**
 * oscar_first_window() - the window to start with
 * @o: state, of oscar_init()
 *
 * Return: bytes; 0: base RTT or link rate is unknown, take the stack's.
 */
u64 oscar_first_window(const struct oscar *o)
{
	return o->base_rtt_ns ? o->cwnd >> DCC_CWND_SHIFT : 0;
}

/* The next packet begins a batch. */
static void flow_forget(struct oscar_memory *m)
{
	m->batch.start_ns = 0;
}

/**
 * oscar_on_idle() - the flow starts again, or its packets changed size
 * @m: its memory: what it knows of the queue is void; may be NULL
 */
void oscar_on_idle(struct oscar_memory *m)
{
	if (!m)
		return;
	flow_forget(m);
	m->ramp = (struct oscar_ramp) {};
}

/*
 * Was the flow idle before the packet left, so that the batch says nothing of it? For more
 * than a base RTT since the last ACK, beyond what its own pacing makes it wait for the packets
 * of an ACK. The division is done only then.
 */
static bool flow_was_idle(const struct oscar *o, const struct oscar_batch *b,
			  const struct oscar_params *p, const struct dcc_sample *s)
{
	u64 next = b->acked_ns + p->base_rtt_ns;

	if (!b->start_ns || s->sent_ns <= next)
		return false;
	return s->sent_ns - next > dcc_mul_div(max(s->acked_bytes, s->mss), NSEC_PER_SEC,
					       max_t(u64, o->pacing, 1));
}

/* 1 / DCC_LSQ_ONE to 10^-6, as far as an s32 goes. */
static s32 flow_micro(s64 gradient)
{
	return (s32)clamp_t(s64, div_s64(gradient, DCC_LSQ_ONE / 1000000), -INT_MAX, INT_MAX);
}

/*
 * Algorithm 2, with what the paper's networks and applications do not have. The sum of u and
 * any step is below 2^62.
 */
static u8 flow_new_ack(struct oscar *o, struct oscar_memory *m, const struct oscar_knobs *k,
		       const struct oscar_params *p, const struct dcc_sample *s)
{
	struct oscar_params q = *p;
	struct oscar_estimate e;
	u64 before = o->u;
	bool lossy;
	u8 branch;

	if (!oscar_estimate(&m->batch, k, p, s, &e))
		return OSCAR_HOLD;
	if (k->packet_ai)
		oscar_packet_ai(&q, s->mss);
	branch = oscar_update(o, k, &q, &e);
	lossy = k->loss_response && oscar_loss(p, &e, before, &o->u);
	if (lossy)
		branch = OSCAR_SLOW_DOWN | OSCAR_MARK_LOST;
	if (k->ramp && oscar_ramp(&m->ramp, p, &e, branch == OSCAR_HYPER, &o->u))
		branch |= OSCAR_MARK_RAMP;
	if (e.app_limited && o->u > before) {
		o->u = before;
		branch |= OSCAR_MARK_APP;
	}
	if (o->phase != OSCAR_CONTENDED)
		o->u = max(o->u, before);
	o->delay_ns = (u32)(e.delay >> DCC_LSQ_MEAN_SHIFT);
	o->gradient = flow_micro(e.gradient);
	oscar_set_share(o, p, clamp_t(u64, o->u, (u64)k->u_min * OSCAR_MILLIONTH, OSCAR_ONE));
	return branch;
}

/* One ACK of a flow that knows mu. During a min-RTT probe it says nothing. */
static u8 flow_ack(struct oscar *o, struct oscar_memory *m, const struct oscar_knobs *k,
		   const struct oscar_params *p, const struct dcc_sample *s)
{
	u8 branch;

	if (!p->base_rtt_ns || s->drains) {
		flow_forget(m);
		return OSCAR_HOLD;
	}
	if (o->phase != OSCAR_CONTENDED)
		oscar_solo_look(o, m, k, p, s);
	if (o->phase == OSCAR_BURST)
		return OSCAR_HOLD;
	if (!oscar_is_valid(p, s)) {
		oscar_count(&m->batch, s);
		return OSCAR_HOLD;
	}
	if (flow_was_idle(o, &m->batch, p, s))
		oscar_on_idle(m);
	branch = flow_new_ack(o, m, k, p, s);
	m->batch.acked_ns = s->now_ns;
	return branch;
}

/* Reno has the window; the library paces it. */
static u8 flow_fall_back(struct oscar *o, const struct dcc_sample *s)
{
	o->phase = OSCAR_CONTENDED;
	o->fallback = true;
	o->largest = false;
	o->pacing = 0;
	o->cwnd = dcc_reno_ack(&o->reno, o->cwnd, s);
	return OSCAR_RENO;
}

/* What w and r follow from has changed, or they were Reno's. */
static void flow_refresh(struct oscar *o, const struct oscar_params *p)
{
	if (!o->fallback && o->line_rate == p->line_rate && o->base_rtt_ns == p->base_rtt_ns)
		return;
	o->fallback = false;
	oscar_set_share(o, p, o->u);
}

/*
 * A packet may leave while less than w is in flight, so whole packets are rounded up. Rounded
 * down, each batch would take a part of a packet off u: at 100 packets a BDP five times what
 * U_AI adds, and small flows would starve.
 */
static u64 flow_whole_packets(u64 cwnd, u32 mss)
{
	u64 packet = (u64)mss << DCC_CWND_SHIFT;

	return div64_u64(cwnd + packet - 1, packet) * packet;
}

/**
 * oscar_on_ack() - digest one ACK
 * @o: state
 * @m: its memory; NULL: there was none
 * @k: knobs
 * @s: what the ACK reported
 * @d: what to do, all fields set; branch an enum oscar_branch with OSCAR_MARK_*
 */
void oscar_on_ack(struct oscar *o, struct oscar_memory *m,
		  const struct oscar_knobs *k, const struct dcc_sample *s,
		  struct dcc_decision *d)
{
	struct oscar_params p;

	oscar_params_set(&p, k, dcc_sample_base(s), s->line_rate);
	if (!m || !s->line_rate || (s->delay_ns && !s->sent_ns)) {
		d->branch = flow_fall_back(o, s);
	} else {
		flow_refresh(o, &p);
		d->branch = flow_ack(o, m, k, &p, s);
	}
	d->cwnd = o->cwnd;
	d->alone = false;
	d->starts = false;
	if (o->phase != OSCAR_CONTENDED)
		oscar_solo_decide(o, &m->solo, &p, s, d);
	d->cwnd = flow_whole_packets(d->cwnd, s->mss);
	d->largest = o->largest;
	d->pacing_rate = o->pacing;
	d->delay_ns = o->delay_ns ? o->delay_ns : s->delay_ns;
	d->target_ns = p.target_ns;
	d->share = (u32)div_u64(o->u, OSCAR_MILLIONTH);
	d->gradient = o->gradient;
}

/**
 * oscar_on_rto() - a retransmission timeout
 * @o: state
 * @m: its memory, whose batch begins anew; may be NULL
 * @k: knobs
 * @mss: payload of a full packet, bytes
 */
void oscar_on_rto(struct oscar *o, struct oscar_memory *m,
		  const struct oscar_knobs *k, u32 mss)
{
	oscar_on_idle(m);
	o->phase = OSCAR_CONTENDED;
	if (o->fallback) {
		o->cwnd = dcc_reno_rto(&o->reno, o->cwnd, mss);
		return;
	}
	o->u = max(o->u / 2, (u64)k->u_min * OSCAR_MILLIONTH);
	o->line_rate = 0;	/* the next ACK derives window and pacing anew */
}
