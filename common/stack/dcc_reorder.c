// SPDX-License-Identifier: GPL-2.0
/*
 * Reordering tolerance: the stack takes reordering for normal, so that a
 * packet that took a longer path is not taken for a lost one. The price is that
 * a loss is found a whole RTT later; so a flow pays it only while its packets
 * are sprayed here, unless the knob says that a switch does it (on) or that
 * nothing does (off).
 *
 * RACK waits min(min_rtt / 4 * reo_wnd_steps, srtt) after a later packet was
 * delivered, but not at all while it has seen no reordering and three packets
 * were SACKed. Seeding what it has "seen" opens the window to a whole srtt from
 * the first packet on.
 *
 * Of TCP's it writes reord_seen, rack.reo_wnd_steps, rack.reo_wnd_persist, reordering,
 * undo_marker, frto.
 */
#include <net/tcp.h>

#include "dcc_core.h"

#define REO_WND_STEPS	255	/* of min_rtt / 4: the window is srtt then */

/*
 * Where the stack counts packets instead (RACK switched off by net.ipv4.
 * tcp_recovery, which newer kernels ignore): a packet is lost when 1.5 windows
 * of later ones were delivered, and at least 5. The thresholds of SLEEK, the loss
 * recovery of NSCC.
 */
#define TOLERANCE_MIN	5U

/* Successive losses are looked for among this many oldest packets. */
#define LOST_WALK_MAX	256

/*
 * Open the stack's reordering window. The stack takes some of it back (after a
 * timeout, after recoveries without duplicates), so this is repeated.
 */
static void reorder_tolerate(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 cwnd = tcp_snd_cwnd(tp);

	if (!tp->reord_seen)
		tp->reord_seen = 1;
	tp->rack.reo_wnd_steps = REO_WND_STEPS;
	tp->rack.reo_wnd_persist = TCP_RACK_RECOVERY_THRESH;
	dcc_set_reordering(tp, max(cwnd + cwnd / 2, TOLERANCE_MIN));
}

/* Is reordering normal for this flow now? */
static bool reorder_wanted(const struct sock *sk, const struct dcc_flow *flow)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	const struct dcc_flow_knobs *k = dcc_flow_knobs(flow, alg);

	if (k->reorder != DCC_REORDER_AUTO)
		return k->reorder == DCC_REORDER_ON;
	return alg->reorder && (k->spray != DCC_SPRAY_OFF ||
				dcc_sk_spray_paths(sk));
}

/**
 * dcc_reorder_update() - have the stack expect reordering, or not
 * @sk: a TCP socket, locked
 * @flow: its state
 *
 * With every ACK: the namespace's spraying may begin and end.
 */
void dcc_reorder_update(struct sock *sk, struct dcc_flow *flow)
{
	bool wanted = reorder_wanted(sk, flow);

	if (wanted)
		reorder_tolerate(sk);
	else if (flow->tolerant)
		dcc_reorder_restore(sk);
	flow->tolerant = wanted;
}

/**
 * dcc_reorder_no_undo() - a recovery that begins is not to be undone
 * @sk: a TCP socket, locked
 * @flow: its state
 *
 * The stack would undo it when the losses turn out to be late packets, as they often are
 * where packets are sprayed: it then forgets all that were declared lost and not yet sent
 * again. But RACK has taken those off its list when it declared them, so one that is really
 * lost would wait for a timeout (seen: a flow of 10 ms stood still for 6). The window is the
 * algorithm's, so there is nothing else to undo.
 */
void dcc_reorder_no_undo(struct sock *sk, const struct dcc_flow *flow)
{
	if (flow->tolerant)
		tcp_sk(sk)->undo_marker = 0;
}

/**
 * dcc_reorder_no_frto() - a timeout is not to be found spurious by late packets (F-RTO)
 * @sk: a TCP socket, locked, of a tolerant flow
 */
void dcc_reorder_no_frto(struct sock *sk)
{
	if (inet_csk(sk)->icsk_ca_state == TCP_CA_Loss)
		tcp_sk(sk)->frto = 0;
}

/**
 * dcc_reorder_restore() - give the stack its own view of reordering back
 * @sk: a TCP socket, locked
 *
 * For the algorithm that follows: it starts with what the stack starts with.
 */
void dcc_reorder_restore(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);

	tp->reord_seen = 0;
	tp->rack.reo_wnd_steps = 1;
	tp->rack.reo_wnd_persist = 0;
	dcc_reset_reordering(sk);
}

/**
 * dcc_lost_run() - longest run of successive packets that are missing together
 * @sk: a TCP socket, locked
 *
 * Walks the oldest LOST_WALK_MAX entries of the retransmission queue; only worth
 * it when the stack has just declared a loss.
 *
 * Return: packets.
 */
u32 dcc_lost_run(const struct sock *sk)
{
	struct sk_buff *skb = tcp_rtx_queue_head(sk);
	u32 run = 0, longest = 0, i;

	for (i = 0; skb && i < LOST_WALK_MAX; i++, skb = skb_rb_next(skb)) {
		if (TCP_SKB_CB(skb)->sacked & TCPCB_LOST)
			run += tcp_skb_pcount(skb);
		else
			run = 0;
		longest = max(longest, run);
	}
	return longest;
}
