// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of a lab link: queue, transmitter, wire.
 *
 * A packet arrives (xmit), may be dropped or marked, waits in its class, is
 * serialised at `rate`, travels for `delay` and is handed to the far end's
 * stack. The queue is what is accepted and not yet fully serialised: what
 * waits, and the packet in service, whole.
 *
 * The transmitter costs no timer. Which packet is served when is fixed by the
 * arrivals alone, and every arrival first brings the direction up to its own
 * time (lab_dir_sync): packets whose serialisation has ended by then move on
 * to the wire, and for each the next one is chosen among those that were there
 * at that moment. FIFO, DRR, strict priorities and changes of the parameters are
 * all exact that way. The only timer, one for all directions (lab_link_timer.c), is for the
 * delivery of the first packet on the wire or, if the wire is empty, of the one
 * in service; on a link with noise also for those that may pass it.
 *
 * Ties. At one and the same ns, ends of serialisation come before arrivals: a
 * packet that arrives as another's last bit leaves does not count it. Packets
 * due at the same ns are delivered in one go, in order.
 *
 * Socket accounting. The packet is orphaned on arrival, so that TCP's small
 * queues never hold a sender back: they see a link that takes packets at once.
 * (Keeping the owner until delivery would count the propagation delay as time
 * in the host's queue and throttle small windows, which no real network card
 * does; keeping it until the end of serialisation would need that timer.) What
 * follows: a host's own bursts queue in its link's buffer and not in the socket;
 * a retransmission is not held back while the original still waits there; UDP
 * senders are not slowed by a full link but lose packets; and a drop here is
 * silent, the sender's stack is told nothing.
 *
 * What a wire does not carry is removed on arrival, as veth does between
 * namespaces: route, mark, priority, timestamps, conntrack; and, unlike veth,
 * the flow hash, lest fib_multipath_hash_policy 1 balance by what the sender's
 * socket knew instead of by the headers.
 */
#include <linux/prefetch.h>
#include <net/inet_ecn.h>

#include "lab_link.h"

#define LAB_ECN_CE	3	/* RFC 3168, section 5 */
#define LAB_DEV_READ	320	/* bytes of a device that each packet needs, its first */

/* Streams of a direction's seed. */
#define LAB_STREAM_LOSS	0
#define LAB_STREAM_RED	1
#define LAB_STREAM_NOISE	BIT_ULL(63)	/* behind those of all links */

/* Does a packet wait behind the one in service? Lengths are never 0. */
static bool lab_dir_waits(const struct lab_dir *d)
{
	return d->serving && d->queue > d->serving_len;
}

/* A packet joins the queue, or leaves it. */
static void lab_dir_count(struct lab_dir *d, const struct lab_packet *p,
			  bool joins)
{
	u64 len = joins ? p->len : -(u64)p->len;

	d->queue += len;
	if (p->dscp)
		d->marked_queue += len;
}

/* What an arrival finds before it, as its threshold counts it: with DRR its class. */
static u64 lab_dir_ahead(const struct lab_dir *d, u8 dscp)
{
	if (!d->params.drr || d->params.strict)
		return d->queue;
	return dscp ? d->marked_queue : d->queue - d->marked_queue;
}

/* Adds up the queue over the time since the last change of it. */
static void lab_dir_integrate(struct lab_dir *d, u64 t)
{
	if (t <= d->updated)
		return;
	d->stats.queue_byte_ns += d->queue * (t - d->updated);
	if (lab_dir_waits(d))
		d->stats.queued_ns += t - d->updated;
	d->updated = t;
}

/* The class that a packet waits in. */
static u32 lab_dir_class(const struct lab_dir *d, struct sk_buff *skb)
{
	return lab_class(d->params.strict, d->params.drr, lab_packet(skb)->dscp);
}

/* The highest class in which something waits; 0 if nothing does. */
static u32 lab_dir_highest(const struct lab_dir *d)
{
	u32 c = LAB_CLASSES - 1;

	while (c && skb_queue_empty(&d->wait[c]))
		c--;
	return c;
}

/* The class whose turn it is; 0 if nothing waits. */
static u32 lab_dir_turn(struct lab_dir *d)
{
	u32 len[LAB_DRR_CLASSES] = {};
	struct sk_buff *skb;
	u32 c;

	for (c = 0; c < LAB_DRR_CLASSES; c++) {
		skb = skb_peek(&d->wait[c]);
		len[c] = skb ? lab_packet(skb)->len : 0;
	}
	if (!len[0] && !len[1])
		return 0;
	c = lab_drr_pick(&d->drr, d->params.drr, len);
	if (skb_queue_len(&d->wait[c]) == 1)
		lab_drr_emptied(&d->drr, c);
	return c;
}

/* Takes the next packet to serve off its class; NULL if none waits. */
static struct sk_buff *lab_dir_choose(struct lab_dir *d)
{
	u32 c = 0;

	if (d->params.strict)
		c = lab_dir_highest(d);
	else if (d->params.drr)
		c = lab_dir_turn(d);
	return __skb_dequeue(&d->wait[c]);
}

/* Takes the packet that has waited the longest off its class; NULL if none does. */
static struct sk_buff *lab_dir_oldest(struct lab_dir *d)
{
	struct sk_buff *skb, *oldest = NULL;
	u32 c, of = 0;

	for (c = 0; c < LAB_CLASSES; c++) {
		skb = skb_peek(&d->wait[c]);
		if (skb && (!oldest || (s32)(lab_packet(skb)->order -
					     lab_packet(oldest)->order) < 0)) {
			oldest = skb;
			of = c;
		}
	}
	return oldest ? __skb_dequeue(&d->wait[of]) : NULL;
}

/* What waits goes into the classes of another discipline, in order of arrival. */
static void lab_dir_resort(struct lab_dir *d)
{
	struct sk_buff_head all;
	struct sk_buff *skb;

	__skb_queue_head_init(&all);
	while ((skb = lab_dir_oldest(d)))
		__skb_queue_tail(&all, skb);
	while ((skb = __skb_dequeue(&all)))
		__skb_queue_tail(&d->wait[lab_dir_class(d, skb)], skb);
	memset(&d->drr, 0, sizeof(d->drr));
}

/* What a packet is later than its last bit and the way say. */
static u64 lab_dir_noise(struct lab_dir *d)
{
	const struct lab_params *c = &d->params;

	if (!c->noise)
		return 0;
	if (c->noise_shape == LAB_NOISE_NIC)
		return lab_noise_nic(&d->noise_rng, c->noise);
	return lab_random_below(&d->noise_rng, c->noise + 1);
}

/* Does the wire lose the next packet? */
static bool lab_dir_loses(struct lab_dir *d)
{
	const struct lab_params *c = &d->params;

	if (c->burst <= 1)
		return lab_random_ppm(&d->loss_rng, c->loss);
	d->losing = lab_random_burst(&d->loss_rng, c->loss, c->burst, d->losing);
	return d->losing;
}

/* Starts the next serialisation, at the exact instant d->end (ns: start). */
static void lab_dir_serve(struct lab_dir *d, u64 start)
{
	struct sk_buff *skb = lab_dir_choose(d);
	struct lab_packet *p;

	d->serving = skb;
	if (!skb)
		return;
	p = lab_packet(skb);
	d->start = start;
	lab_clock_serialise(&d->end, p->len, d->params.rate);
	d->serving_len = p->len;
	d->serving_end = lab_clock_ceil(&d->end);
	d->before_due = d->last_due;
	d->last_due = max(d->serving_end + d->params.delay, d->last_due);
	p->due = d->last_due + lab_dir_noise(d);
	p->lost = lab_dir_loses(d);
}

/*
 * Puts a packet on the wire, which is in the order of delivery. Without noise that
 * is the order of sending: its place is the last one.
 */
static void lab_dir_travel(struct lab_dir *d, struct sk_buff *skb)
{
	struct lab_packet *p = lab_packet(skb);
	struct sk_buff *before;

	skb_queue_reverse_walk(&d->wire, before) {
		if (lab_packet(before)->due <= p->due)
			break;
		if (lab_packet(before)->flow == p->flow &&
		    !d->params.noise_overtake) {
			p->due = lab_packet(before)->due;
			break;
		}
	}
	__skb_queue_after(&d->wire, before, skb);
}

/* The last bit of the packet in service has left. */
static void lab_dir_sent(struct lab_dir *d)
{
	struct sk_buff *skb = d->serving;
	struct lab_packet *p = lab_packet(skb);
	u64 end = d->serving_end;

	lab_dir_integrate(d, end);
	lab_dir_count(d, p, false);
	d->stats.tx_packets++;
	d->stats.tx_bytes += p->len;
	d->stats.busy_ns += end - d->start;
	d->stats.wait_ns_sum += d->start - p->arrived;
	lab_event(d, LAB_EV_TX, end, skb);
	lab_dir_travel(d, skb);
	lab_dir_serve(d, end);
}

/* Brings the direction up to date; everything else does this first. */
static void lab_dir_sync(struct lab_dir *d, u64 now)
{
	while (d->serving && d->serving_end <= now)
		lab_dir_sent(d);
	lab_dir_integrate(d, now);
}

/*
 * When a packet may have to be delivered: that on the wire, or the one in service.
 * Of that one's noise nothing is known: the next may have less, and pass it.
 */
static u64 lab_dir_next(struct lab_dir *d)
{
	struct sk_buff *skb = skb_peek(&d->wire);

	return min(skb ? lab_packet(skb)->due : LAB_NEVER,
		   d->serving ? d->last_due : LAB_NEVER);
}

static void lab_dir_arm(struct lab_dir *d)
{
	lab_timer_set(d, lab_dir_next(d));
}

/* Takes what is due off the wire; `open`: can the far end receive? */
static void lab_dir_collect(struct lab_dir *d, u64 now, bool open,
			    struct sk_buff_head *arrived)
{
	struct sk_buff *skb;

	while ((skb = skb_peek(&d->wire)) && lab_packet(skb)->due <= now) {
		__skb_unlink(skb, &d->wire);
		if (open && !lab_packet(skb)->lost) {
			d->stats.rx_packets++;
			d->stats.rx_bytes += lab_packet(skb)->len;
			lab_event(d, LAB_EV_RX, now, skb);
			__skb_queue_tail(arrived, skb);
			continue;
		}
		if (lab_packet(skb)->lost) {
			d->stats.lost++;
			lab_event(d, LAB_EV_LOST, now, skb);
		} else {
			d->stats.down++;
			lab_event(d, LAB_EV_DOWN, now, skb);
		}
		kfree_skb(skb);
	}
}

/*
 * Hands a packet to the far end's stack, or to its card if that merges. Checksums
 * stay as they are: what was left to the "hardware" counts as good, here and when
 * it is forwarded. Under RCU.
 */
static void lab_dir_receive(struct sk_buff *skb, struct net_device *dev)
{
	struct lab_dir *back = netdev_priv(dev);
	struct lab_rx *rx = rcu_dereference(back->rx);

	skb->dev = dev;
	skb_reset_mac_header(skb);
	if (rx)
		lab_rx_put(rx, skb);
	else
		netif_receive_skb(skb);
}

/* The packet that is delivered next; NULL: none. */
static struct sk_buff *lab_dir_first(struct lab_dir *d)
{
	return skb_peek(&d->wire) ?: d->serving;
}

/* As prefetch_range(), which does nothing on UML. */
static void lab_prefetch(const void *from, size_t len)
{
	size_t i;

	for (i = 0; i < len; i += L1_CACHE_BYTES)
		prefetch((const char *)from + i);
}

/* Asks for what a delivery to come reads. Changes nothing. In softirq, under RCU. */
void lab_dir_prefetch(struct lab_dir *d, enum lab_ahead what)
{
	struct sk_buff *skb;

	if (what == LAB_AHEAD_DIR) {
		lab_prefetch(d, sizeof(*d));
		return;
	}
	if (what == LAB_AHEAD_PACKET)
		lab_prefetch(rcu_dereference(d->peer), LAB_DEV_READ);
	spin_lock(&d->lock);
	skb = lab_dir_first(d);
	if (skb && what == LAB_AHEAD_PACKET)
		lab_prefetch(skb, sizeof(*skb));
	else if (skb)
		prefetch(skb->data);
	spin_unlock(&d->lock);
}

/* The first packet is due. In softirq, under RCU. */
void lab_dir_deliver(struct lab_dir *d)
{
	struct sk_buff_head arrived;
	struct net_device *peer;
	struct sk_buff *skb;
	u64 now;

	__skb_queue_head_init(&arrived);
	peer = rcu_dereference(d->peer);
	spin_lock(&d->lock);
	now = ktime_get_ns();
	lab_dir_sync(d, now);
	lab_dir_collect(d, now, peer && netif_running(peer), &arrived);
	lab_dir_arm(d);
	spin_unlock(&d->lock);
	while ((skb = __skb_dequeue(&arrived)))
		lab_dir_receive(skb, peer);
}

/* Step or RED marking of an ECT arrival; not ECT: neither marked nor dropped. */
static void lab_dir_mark(struct lab_dir *d, struct sk_buff *skb, u8 dscp_ecn,
			 u64 now)
{
	const struct lab_params *c = &d->params;
	u64 ahead = lab_dir_ahead(d, lab_packet(skb)->dscp);
	u8 ecn = dscp_ecn & INET_ECN_MASK;
	u32 ppm;

	if (ecn == INET_ECN_NOT_ECT || ecn == LAB_ECN_CE)
		return;
	if (c->red_max) {
		ppm = lab_red_ppm(ahead, c->red_min, c->red_max, c->red_ppm);
		if (!lab_random_ppm(&d->red_rng, ppm))
			return;
	} else if (!c->ecn || ahead < c->ecn) {
		return;
	}
	if (skb_ensure_writable(skb, skb_network_offset(skb) +
				     sizeof(struct iphdr)) ||
	    !INET_ECN_set_ce(skb))
		return;
	d->stats.marks++;
	lab_event(d, LAB_EV_MARK, now, skb);
}

/* Queues an arrival that has passed; serves it if the transmitter is idle. */
static void lab_dir_enqueue(struct lab_dir *d, struct sk_buff *skb, u64 now)
{
	struct lab_packet *p = lab_packet(skb);
	u64 next = lab_dir_next(d);

	lab_event(d, LAB_EV_ENQ, now, skb);
	p->order = d->order++;
	__skb_queue_tail(&d->wait[lab_dir_class(d, skb)], skb);
	lab_dir_count(d, p, true);
	d->stats.max_queue = max(d->stats.max_queue, d->queue);
	if (!d->serving) {
		lab_clock_set(&d->end, now);
		lab_dir_serve(d, now);
	}
	if (lab_dir_next(d) < next)
		lab_dir_arm(d);
}

/* Decides on an arrival: false if it is not accepted (and to be freed). */
static bool lab_dir_arrive(struct lab_dir *d, struct sk_buff *skb, u8 dscp_ecn)
{
	struct lab_packet *p = lab_packet(skb);
	u64 now = ktime_get_ns();

	lab_dir_sync(d, now);
	p->arrived = now;
	p->len = skb->len + d->params.overhead;
	if (!d->params.up) {
		d->stats.down++;
		lab_event(d, LAB_EV_DOWN, now, skb);
		return false;
	}
	if (!lab_admits(d->queue, p->len, d->params.buffer)) {
		d->stats.drops++;
		d->stats.drop_bytes += p->len;
		lab_event(d, LAB_EV_DROP, now, skb);
		return false;
	}
	lab_dir_mark(d, skb, dscp_ecn, now);
	lab_dir_enqueue(d, skb, now);
	return true;
}

/* Takes from a packet what a wire does not carry. */
static void lab_dir_strip(struct sk_buff *skb)
{
	skb_orphan(skb);
	skb_scrub_packet(skb, true);
	skb_clear_hash(skb);
	skb->priority = 0;
	skb_set_queue_mapping(skb, 0);
}

/* A frame for the wire; BH disabled. */
static void lab_dir_send(struct lab_dir *d, struct sk_buff *skb)
{
	struct lab_packet *p = lab_packet(skb);
	struct lab_header h;
	bool accepted;

	BUILD_BUG_ON(sizeof(*p) > sizeof(skb->cb));
	lab_header_parse(skb, &h);
	p->key = lab_header_key(&h);
	p->hash = skb->hash;
	p->flow = (u32)h.sport << 16 | h.dport;
	p->dscp = h.dscp_ecn >> LAB_DSCP_SHIFT;
	lab_dir_strip(skb);
	spin_lock(&d->lock);
	accepted = lab_dir_arrive(d, skb, h.dscp_ecn);
	spin_unlock(&d->lock);
	if (!accepted)
		kfree_skb(skb);
}

/* ndo_start_xmit of a link's end, BH disabled. */
netdev_tx_t lab_dir_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct lab_dir *d = netdev_priv(dev);
	struct sk_buff *next;

	lab_prefetch(d, sizeof(*d));
	skb_tx_timestamp(skb);
	if (skb_is_gso(skb))
		skb = lab_tso_cut(d, skb);
	skb_list_walk_safe(skb, skb, next) {
		skb_mark_not_on_list(skb);
		lab_dir_send(d, skb);
	}
	return NETDEV_TX_OK;
}

/* Bytes queued at `now`; U64_MAX if it does not transmit. BH disabled. */
u64 lab_dir_queue(struct lab_dir *d, u64 now)
{
	u64 queue = U64_MAX;

	spin_lock(&d->lock);
	lab_dir_sync(d, now);
	if (d->params.up && netif_running(d->dev))
		queue = d->queue;
	spin_unlock(&d->lock);
	return queue;
}

/* Loses one packet because the direction goes down. */
static void lab_dir_lose(struct lab_dir *d, struct sk_buff *skb, u64 now)
{
	d->stats.down++;
	lab_event(d, LAB_EV_DOWN, now, skb);
	kfree_skb(skb);
}

/* Loses what is queued or in service; the wire keeps what it has. */
static void lab_dir_cut(struct lab_dir *d, u64 now)
{
	struct sk_buff *skb;
	u32 c;

	if (d->serving) {
		d->stats.busy_ns += now - d->start;
		lab_dir_count(d, lab_packet(d->serving), false);
		lab_dir_lose(d, d->serving, now);
		d->serving = NULL;
		d->last_due = d->before_due;
	}
	for (c = 0; c < LAB_CLASSES; c++)
		while ((skb = __skb_dequeue(&d->wait[c]))) {
			lab_dir_count(d, lab_packet(skb), false);
			lab_dir_lose(d, skb, now);
		}
	memset(&d->drr, 0, sizeof(d->drr));
}

/* ndo_stop: the device transmits no more, nothing of it may stay behind. */
void lab_dir_close(struct lab_dir *d)
{
	struct sk_buff *skb;
	u64 now;

	spin_lock_bh(&d->lock);
	now = ktime_get_ns();
	lab_dir_sync(d, now);
	lab_dir_cut(d, now);
	while ((skb = __skb_dequeue(&d->wire)))
		lab_dir_lose(d, skb, now);
	lab_dir_arm(d);
	spin_unlock_bh(&d->lock);
}

/* Copies the fields that the mask names. */
static void lab_params_merge(struct lab_params *to, const struct lab_params *p)
{
	if (p->mask & LAB_SET_UP)
		to->up = p->up;
	if (p->mask & LAB_SET_RATE)
		to->rate = p->rate;
	if (p->mask & LAB_SET_DELAY)
		to->delay = p->delay;
	if (p->mask & LAB_SET_BUFFER)
		to->buffer = p->buffer;
	if (p->mask & LAB_SET_ECN)
		to->ecn = p->ecn;
	if (p->mask & LAB_SET_RED) {
		to->red_min = p->red_min;
		to->red_max = p->red_max;
		to->red_ppm = p->red_ppm;
	}
	if (p->mask & LAB_SET_LOSS) {
		to->loss = p->loss;
		to->burst = p->burst;
	}
	if (p->mask & LAB_SET_DRR)
		to->drr = p->drr;
	if (p->mask & LAB_SET_STRICT)
		to->strict = p->strict;
	if (p->mask & LAB_SET_OVERHEAD)
		to->overhead = p->overhead;
	if (p->mask & LAB_SET_TRACE)
		to->trace = p->trace;
	if (p->mask & LAB_SET_NOISE) {
		to->noise_shape = p->noise_shape;
		to->noise = p->noise;
		to->noise_overtake = p->noise_overtake;
	}
}

/*
 * Changes parameters (already checked) from now on. The fraction of a ns that
 * the clock holds is in units of the old rate: at a change of rate the end of
 * the packet in service is rounded up to a whole ns, once.
 */
void lab_dir_apply(struct lab_dir *d, const struct lab_params *p)
{
	u32 drr, strict;
	u64 rate, now;

	spin_lock_bh(&d->lock);
	now = ktime_get_ns();
	lab_dir_sync(d, now);
	rate = d->params.rate;
	drr = d->params.drr;
	strict = d->params.strict;
	lab_params_merge(&d->params, p);
	if (rate != d->params.rate)
		lab_clock_set(&d->end, lab_clock_ceil(&d->end));
	if (drr != d->params.drr || strict != d->params.strict)
		lab_dir_resort(d);
	if (!d->params.up)
		lab_dir_cut(d, now);
	lab_dir_arm(d);
	spin_unlock_bh(&d->lock);
}

/* Zeroes the statistics and reseeds; the queue, if any, stays. */
void lab_dir_start(struct lab_dir *d, u64 now, u64 seed)
{
	u64 stream = d->where << 1;

	spin_lock_bh(&d->lock);
	lab_dir_sync(d, now);
	memset(&d->stats, 0, sizeof(d->stats));
	d->stats.max_queue = d->queue;
	d->start = now;
	d->loss_rng = lab_stream_seed(seed, stream + LAB_STREAM_LOSS);
	d->losing = false;
	d->red_rng = lab_stream_seed(seed, stream + LAB_STREAM_RED);
	d->noise_rng = lab_stream_seed(seed, stream + LAB_STREAM_NOISE);
	spin_unlock_bh(&d->lock);
}

/* The statistics up to `now`. */
void lab_dir_stats(struct lab_dir *d, u64 now, struct lab_stats *out)
{
	spin_lock_bh(&d->lock);
	lab_dir_sync(d, now);
	*out = d->stats;
	out->link = d->params.link;
	out->dir = d->params.dir;
	out->queue = d->queue;
	if (d->serving && now > d->start)
		out->busy_ns += now - d->start;
	spin_unlock_bh(&d->lock);
}

/* Which direction this is; seeds its generators as of seed 0. */
void lab_dir_name(struct lab_dir *d, u32 link, u32 dir)
{
	d->params.link = link;
	d->params.dir = dir;
	d->where = (u64)link << 1 | dir;
	lab_dir_start(d, lab_now(), 0);
}

/* Prepares the private area (zeroed) of an end, before it is registered. */
void lab_dir_init(struct lab_dir *d, struct net_device *dev)
{
	u32 c;

	d->dev = dev;
	d->params.up = 1;
	spin_lock_init(&d->lock);
	for (c = 0; c < LAB_CLASSES; c++)
		__skb_queue_head_init(&d->wait[c]);
	__skb_queue_head_init(&d->wire);
}
