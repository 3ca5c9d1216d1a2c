// SPDX-License-Identifier: GPL-2.0
/*
 * The algorithms of the kernel modules. The algorithm is the module's own file; here is what the
 * kernel's half (common/stack/dcc_rx.c, dcc_act.c, dcc_suspend.c) does between the network
 * and it, with the network of net.h in the place of the stack:
 *
 *	on an acknowledgment, of its newest packet:
 *		delay = now - when its last byte was sent, in whole ns
 *		base RTT = the least delay, or what min-RTT probes find; srtt += (delay - srtt) / 8
 *		marks, bytes in flight then and now
 *		the algorithm decides: window W, perhaps a rate
 *		a min-RTT probe leaves a share of W
 *		W of two packets or more: whole packets, paced at the line's rate
 *		else: paced at W / srtt
 *	if the algorithm holds the flow: nothing is sent; a probe is, when it said so
 *		and data waits; the answer, a backlog later, is the algorithm's to decide on
 *
 * The algorithm's arithmetic is that of the kernel, to the bit; so is the window, in whole
 * packets. Times that it is told are whole ns: a sending time is rounded down, an
 * acknowledgment's up, as all events are. A rate is whole kbit/s, rounded down.
 *
 * Notable differences from the kernel:
 *  - Nothing is lost: no recovery, no timeouts, no reordering; and one path.
 *  - Every packet is acknowledged by itself, and no acknowledgment waits. Two that
 *    come in the same ns are one. That receivers do so is taken as known from the
 *    first packet on; the kernel waits for 32 of them.
 *  - A packet's bytes go as they are admitted. Pacing lets a packet go drop by drop
 *    where the stack sends all of it and then waits; nor does it let the first ten
 *    pass at once. So there are no GSO packets, which the kernel allows for (dcc_jitter.h).
 *  - How fast the network delivers is not told: algorithms ask where there are losses, or
 *    the line rate is not known. Only a flow's first flight is known for one that no
 *    acknowledgment let out.
 *  - Where the line rate is not told it is the server's. Pacing fills its share of
 *    that, headers aside: those are not in the model.
 *  - A flow is a connection from its first byte on.
 *  - A probe has no length, is never lost, and is asked once.
 */
#include <errno.h>
#include <stdlib.h>

#include "../../common/cc/dcc_drain.h"
#include "../../common/cc/dcc_calm.h"
#include "../../common/cc/dcc_jitter.h"
#include "../../common/cc/dcc_flow_knobs.h"
#include "inverse.h"
#include "packets.h"
#include "stack.h"

#define SMALL_WINDOW	2	/* packets; what is below is carried out by pacing */
#define SLOWEST_WINDOW	1	/* packets a second, of a small window */
#define SLOWEST_RATE	5	/* of a rate */
#define FELL_SHIFT	5	/* a base RTT that falls by 1/32 was wrong */
#define RTO_MIN_NS	200000000LL
#define BYTES_PER_MBIT	(1000000 / 8)
#define BITS_PER_KBIT	1000
#define MOST_BYTES_S	(U64_MAX / 8)	/* a rate in bit/s is a u64 */

/**
 * struct nc_stack_flow - what the kernel keeps for a flow
 * @packets: what was acknowledged
 * @drain: min-RTT probes
 * @jitter: of the hosts, which have none here: what queues leave of it
 * @calm: the same of an algorithm that probes
 * @base_ns: base RTT; 0: unknown
 * @srtt_ns: smoothed RTT; 0: unknown
 * @last_sent: when the newest packet acknowledged was sent
 * @ask: of a suspended flow, when to probe; ns
 * @asked: when a probe left; infinity: none is on the way
 * @answer: when its answer comes
 * @probed: is the base RTT that of a probe?
 * @restart: is the algorithm to be told that the flow starts again?
 * @small: is the window carried out by pacing?
 * @starts: does the algorithm's window double?
 * @alg: the algorithm's state, behind this
 * @extra: what the algorithm has beside it; NULL: nothing
 */
struct nc_stack_flow {
	struct nc_packets packets;
	struct dcc_drain drain;
	struct dcc_jitter jitter;
	struct dcc_calm calm;
	u32 base_ns;
	u32 srtt_ns;
	struct nc_q last_sent;
	struct nc_q ask;
	struct nc_q asked;
	struct nc_q answer;
	bool probed;
	bool restart;
	bool small;
	bool starts;
	void *alg;
	void *extra;
};

/* Knobs of what this network has not: labels, records, reordering, losses, headers. */
static const char *const without_effect[] = {
	"spray", "spray_paths", "spray_segs", "spray_acks", "records", "reorder",
	"loss_run", "prio_source",
};

/**
 * nc_stack_uses() - has a knob an effect in this network?
 * @k: of a module
 *
 * Return: is it one to be set here?
 */
bool nc_stack_uses(const struct dcc_knob *k)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(without_effect); i++)
		if (!strcmp(k->name, without_effect[i]))
			return false;
	return true;
}

static const struct dcc_flow_knobs *flow_knobs(const struct nc_stack *stack)
{
	return (const void *)stack->knob;
}

/* A time as the algorithm is told it. */
static u64 whole(struct nc_q t)
{
	return (u64)nc_q_floor(t).num;
}

/* At most 32 bits, as the kernel's own fields have them. */
static u32 small(struct nc_q bytes)
{
	return (u32)min_t(__int128, nc_q_floor(bytes).num, U32_MAX);
}

/* Bytes per second. */
static u64 line_rate(const struct nc_net *net, const struct nc_stack *stack)
{
	u64 mbps = flow_knobs(stack)->line_rate_mbps;

	if (mbps)
		return mbps * BYTES_PER_MBIT;
	return whole(nc_q_mul(net->rate, nc_q_int(NSEC_PER_SEC)));
}

/* What needs no acknowledgment. */
static void sample_now(const struct nc_net *net, const struct nc_flow *flow,
		       const struct nc_stack_flow *f, struct dcc_sample *s)
{
	const struct nc_stack *stack = nc_stack_of(&flow->control);

	s->now_ns = whole(net->now);
	s->mss = (u32)flow->control.packet;
	s->flight = small(nc_q_sub(nc_curve_at(&flow->in, net->now),
				   f->packets.seen));
	s->line_rate = line_rate(net, stack);
	s->no_ecn = !net->ecn.kmax;
	s->priority = (u32)stack->priority;
}

/*
 * What the hosts seem to delay packets by: an algorithm that probes knows rounds without a queue.
 */
static u64 sample_hosts(const struct nc_stack *stack)
{
	const struct nc_stack_flow *f = stack->flow;

	if (!f->base_ns)
		return 0;
	return stack->of->on_probe ? dcc_calm_most(&f->calm, f->base_ns) :
				     dcc_jitter_most(&f->jitter);
}

static void sample_rtts(const struct nc_stack *stack, struct dcc_sample *s)
{
	s->base_rtt_ns = stack->flow->base_ns;
	s->hosts_ns = (u32)min_t(u64, sample_hosts(stack), U32_MAX);
	s->srtt_ns = stack->flow->srtt_ns;
}

static void sample_news(const struct nc_flow *flow, const struct nc_news *news,
			struct dcc_sample *s)
{
	struct nc_q acked = nc_curve_after(&flow->acks, news->sent);

	s->sent_ns = whole(news->sent);
	s->delay_ns = (u32)min_t(u64, s->now_ns - s->sent_ns, U32_MAX);
	s->acked = (u32)news->count;
	s->acked_bytes = s->acked * s->mss;
	s->ce = (u32)news->marks;
	s->inflight = small(nc_q_sub(news->acked, acked));
	s->fills = !nc_q_sign(acked);
	s->cwnd_limited = news->limited;
	s->app_limited = nc_q_le(nc_curve_after(&flow->arrived, news->sent),
				 news->acked);
}

/* Silence longer than a timeout makes what was measured stale. */
static void look_for_silence(const struct nc_flow *flow, struct nc_stack_flow *f,
			     const struct nc_news *news)
{
	struct nc_q sent = nc_inv_low(&flow->in, news->first), before, patience;

	before = nc_q_sub(news->first, nc_q_int(flow->control.packet));
	patience = nc_q_int((int64_t)f->srtt_ns + RTO_MIN_NS);
	if (nc_q_sign(before) && nc_q_le(before, nc_curve_after(&flow->acks, sent)) &&
	    nc_q_lt(nc_q_add(f->last_sent, patience), sent)) {
		f->restart = true;
		f->base_ns = 0;
	}
	f->last_sent = news->sent;
}

/* The base RTT is the least delay; what a probe told is not that of a packet. */
static void base_update(struct nc_stack_flow *f, const struct dcc_sample *s)
{
	if (f->base_ns && !f->probed) {
		f->base_ns = min(f->base_ns, s->delay_ns);
		return;
	}
	f->restart |= f->base_ns != 0;
	f->base_ns = s->delay_ns;
	f->probed = false;
}

/* What would be the hosts' jitter; packets leave, and come, one by one here. */
static u64 hosts_ns(struct nc_stack_flow *f, const struct dcc_drain_knobs *k,
		    const struct dcc_sample *s)
{
	const struct dcc_jitter_delay d = {
		.now_ns = s->now_ns, .delay_ns = s->delay_ns, .base_ns = f->base_ns,
	};

	if (!k->host_jitter)
		return 0;
	dcc_jitter_on_delay(&f->jitter, &d);
	return dcc_jitter_most(&f->jitter);
}

/* Base RTT, smoothed RTT and min-RTT probes by a packet's delay, as dcc_rx.c has them. */
static void take_delay(const struct nc_stack *stack, struct nc_stack_flow *f,
		       struct dcc_sample *s)
{
	const struct dcc_drain_knobs *k;
	struct dcc_drain_delay d;
	u32 before = f->base_ns;
	s64 late = f->srtt_ns ? ((s64)s->delay_ns - f->srtt_ns) / 8 : s->delay_ns;

	f->srtt_ns = (u32)(f->srtt_ns + late);
	base_update(f, s);
	if (stack->of->on_probe)
		dcc_calm_on_delay(&f->calm, s->now_ns, s->delay_ns, f->base_ns);
	k = stack->of->drain_knobs ? stack->of->drain_knobs(stack->knob) : NULL;
	if (!k)
		return;
	if (!before) {	/* the flow begins, or begins again */
		f->drain = (struct dcc_drain) {};
		f->jitter = (struct dcc_jitter) {};
	}
	d = (struct dcc_drain_delay) {
		.now_ns = s->now_ns, .sent_ns = s->sent_ns,
		.delay_ns = s->delay_ns, .srtt_ns = f->srtt_ns,
		.base_ns = f->base_ns, .hosts_ns = hosts_ns(f, k, s),
		.inflight = s->inflight, .line_rate = s->line_rate,
		.fell = f->base_ns < before - (before >> FELL_SHIFT),
		.limited = s->cwnd_limited, .starts = f->starts,
	};
	f->base_ns = dcc_drain_on_delay(&f->drain, k, &d);
	if (f->drain.on)
		s->cwnd_limited = false;
}

/* The window once per RTT, bytes/s. */
static u64 window_rate(const struct nc_stack_flow *f, u64 cwnd)
{
	__int128 bytes = (__int128)cwnd * NSEC_PER_SEC >> DCC_CWND_SHIFT;

	return f->srtt_ns ? max_t(u64, bytes / f->srtt_ns, 1) : 0;
}

/* A rate in the network's unit; not less than so many packets a second. */
static void pace(struct nc_control *c, u64 bytes_s, u32 slowest)
{
	u64 rate = max_t(u64, bytes_s, (u64)c->packet * slowest);

	rate = min_t(u64, rate, MOST_BYTES_S) * 8 / BITS_PER_KBIT;
	c->rate = clamp_t(int64_t, rate, 1, NC_RATE_MAX);
}

/* The window in whole packets, and a rate. A small window is the rate. */
static void apply_window(const struct nc_net *net, struct nc_control *c,
			 u64 cwnd, u64 rate)
{
	const struct nc_stack *stack = nc_stack_of(c);
	struct nc_stack_flow *f = stack->flow;
	int64_t packets = (int64_t)(cwnd / ((u64)c->packet << DCC_CWND_SHIFT));
	u32 slowest = SLOWEST_RATE;

	f->small = packets < SMALL_WINDOW;
	if (f->small) {
		packets = rate ? 1 : packets + SMALL_WINDOW;
		slowest = rate ? SLOWEST_RATE : SLOWEST_WINDOW;
		rate = rate ? rate : window_rate(f, cwnd);
	}
	if (!rate)
		rate = line_rate(net, stack) * flow_knobs(stack)->pacing_percent /
		       100;
	c->window = min_t(int64_t, max_t(int64_t, packets, 1) * c->packet,
			  NC_WINDOW_MAX);
	pace(c, rate, slowest);
}

/* Hold the flow, or give it its window, or what a min-RTT probe leaves of it. */
static void apply(const struct nc_net *net, struct nc_control *c,
		  const struct dcc_decision *d)
{
	struct nc_stack_flow *f = nc_stack_of(c)->flow;
	u64 half = (u64)c->packet << (DCC_CWND_SHIFT - 1);
	u64 least = min_t(u64, d->cwnd, half), cwnd;

	f->starts = d->starts;
	c->suspended = d->suspend;
	if (d->suspend) {
		f->ask = nc_q_add(net->now, nc_q_int((int64_t)d->probe_delay_ns));
		f->asked = NC_INF;
		return;
	}
	cwnd = d->cwnd * dcc_drain_share(&f->drain, whole(net->now)) >> DCC_DRAIN_SHIFT;
	apply_window(net, c, max(cwnd, least), d->pacing_rate);
}

/* Acknowledgments. */
static void digest(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_stack *stack = nc_stack_of(&flow->control);
	struct nc_stack_flow *f = stack->flow;
	struct dcc_decision d = { 0 };
	struct dcc_sample s = { 0 };
	struct nc_news news;

	if (!nc_packets_take(net, flow, &f->packets, f->small, &news))
		return;
	look_for_silence(flow, f, &news);
	sample_now(net, flow, f, &s);
	sample_news(flow, &news, &s);
	take_delay(stack, f, &s);
	sample_rtts(stack, &s);
	if (flow->control.suspended)	/* old data; only a probe's answer resumes it */
		return;
	if (f->restart)
		stack->of->on_idle(f->alg, f->extra, s.now_ns);
	f->restart = false;
	stack->of->on_ack(f->alg, f->extra, stack->knob, &s, &d);
	apply(net, &flow->control, &d);
}

/* A probe leaves: its answer comes a backlog and dR later. */
static void probe(const struct nc_net *net, const struct nc_flow *flow)
{
	struct nc_stack_flow *f = nc_stack_of(&flow->control)->flow;
	struct nc_q wait = nc_q_div(nc_net_backlog(net, net->now), net->rate);

	f->asked = net->now;
	f->answer = nc_q_add(nc_q_add(net->now, nc_q_ceil(wait)), flow->feedback);
}

/* A probe was answered. */
static void answered(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_stack *stack = nc_stack_of(&flow->control);
	struct nc_stack_flow *f = stack->flow;
	struct dcc_sample s = { .sent_ns = whole(f->asked) };
	struct dcc_decision d = { 0 };

	sample_now(net, flow, f, &s);
	s.delay_ns = (u32)min_t(u64, s.now_ns - s.sent_ns, U32_MAX);
	f->srtt_ns = s.delay_ns;
	if (!f->base_ns) {
		f->base_ns = s.delay_ns;
		f->probed = true;
	}
	if (nc_q_sign(nc_curve_at(&flow->in, net->now)))	/* until then nothing is kept */
		dcc_calm_on_round(&f->calm, s.delay_ns);
	sample_rtts(stack, &s);
	stack->of->on_probe(f->alg, stack->knob, &s, &d);
	apply(net, &flow->control, &d);
}

/* When a probe leaves or its answer comes; infinity: the flow is not suspended. */
static struct nc_q next_probe(const struct nc_net *net, const struct nc_flow *flow)
{
	const struct nc_stack_flow *f = nc_stack_of(&flow->control)->flow;
	struct nc_q data;

	if (!flow->control.suspended)
		return NC_INF;
	if (!nc_q_is_inf(f->asked))
		return f->answer;
	data = nc_inv_up(&flow->arrived, nc_curve_at(&flow->in, net->now));
	return nc_q_is_inf(data) ? data : nc_q_max(f->ask, nc_q_ceil(data));
}

static struct nc_q stack_next(const struct nc_net *net,
			      const struct nc_flow *flow, struct nc_q until)
{
	const struct nc_stack_flow *f = nc_stack_of(&flow->control)->flow;
	struct nc_q t = nc_q_min(nc_packets_next(&f->packets, flow),
				 next_probe(net, flow));

	return nc_q_lt(until, t) ? NC_INF : t;
}

static void stack_tick(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_stack_flow *f = nc_stack_of(&flow->control)->flow;

	digest(net, flow);
	if (nc_q_lt(net->now, next_probe(net, flow)))
		return;
	if (nc_q_is_inf(f->asked))
		probe(net, flow);
	else
		answered(net, flow);
}

/* All bytes that were not seen to be acknowledged will be asked for. */
static struct nc_q stack_since(const struct nc_net *net,
			       const struct nc_flow *flow)
{
	(void)net;
	return nc_inv_low(&flow->in, nc_stack_of(&flow->control)->flow->packets.seen);
}

static bool stack_marked(const struct nc_control *c)
{
	return nc_stack_of(c)->of->marks;
}

/* Each flow has its own seed: numbers in a row, spread over all (Knuth, 6.4). */
static u32 seed_of(const struct nc_net *net, const struct nc_flow *flow)
{
	u32 number = (u32)(nc_stack_of(&flow->control)->seed + (flow - net->flow));

	return number * 2654435761U;
}

/* The first window, or the first probe. */
static void first(const struct nc_net *net, struct nc_flow *flow,
		  struct dcc_sample *s)
{
	struct nc_stack *stack = nc_stack_of(&flow->control);
	const struct tool_alg *of = stack->of;
	struct nc_stack_flow *f = stack->flow;
	struct dcc_decision d = { 0 };

	of->init(of, f->alg, f->extra, stack->knob, s, seed_of(net, flow));
	if (of->set_priority)
		of->set_priority(f->alg, stack->knob, (u32)stack->priority + 1);
	if (of->on_first) {
		of->on_first(f->alg, stack->knob, s, &d);
	} else {
		d.cwnd = of->window(f->alg, s->mss);
		d.pacing_rate = of->pacing ? of->pacing(f->alg) : 0;
	}
	apply(net, &flow->control, &d);
}

static void stack_stop(struct nc_control *c)
{
	free(nc_stack_of(c)->flow);
	nc_stack_of(c)->flow = NULL;
}

/* For anything that an algorithm may have. */
static size_t aligned(size_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

static int stack_start(const struct nc_net *net, struct nc_flow *flow)
{
	struct nc_stack *stack = nc_stack_of(&flow->control);
	size_t head = aligned(sizeof(struct nc_stack_flow));
	size_t state = aligned(stack->of->state);
	struct nc_q begin = nc_inv_up(&flow->arrived, NC_ZERO);
	struct dcc_sample s = { 0 };
	struct nc_stack_flow *f;

	stack_stop(&flow->control);
	f = calloc(1, head + state + stack->of->extra);
	if (!f)
		return -ENOMEM;
	stack->flow = f;
	f->alg = (char *)f + head;
	f->extra = stack->of->extra ? (char *)f->alg + state : NULL;
	f->asked = NC_INF;
	f->packets.seen = NC_ZERO;
	f->packets.usage = NC_ZERO;
	f->last_sent = NC_ZERO;
	sample_now(net, flow, f, &s);
	s.now_ns = nc_q_is_inf(begin) ? 0 : whole(begin);
	first(net, flow, &s);
	return 0;
}

const struct nc_control_ops nc_stack = {
	.name = "stack",
	.limit = NC_LIMIT_PACED,
	.start = stack_start,
	.stop = stack_stop,
	.next = stack_next,
	.tick = stack_tick,
	.marked = stack_marked,
	.each_ack = true,
	.since = stack_since,
};
