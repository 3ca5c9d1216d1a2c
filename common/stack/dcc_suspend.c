// SPDX-License-Identifier: GPL-2.0
/*
 * Suspending: a flow with data to send sends none, for as long as its algorithm says, and
 * probes from time to time (dcc_probe.c) how long its path's queue is.
 *
 *	suspended -- due, data waits --> probe out ----- answer -----> the algorithm
 *	  ^                                  |                            |
 *	  |                              not answered:                    |
 *	  |                              again, at twice the wait         |
 *	  +-------------------- stay suspended, next probe at ------------+
 *						    resume: sends in this softirq
 *
 * TCP has no window of zero. What keeps the flow is pacing: tcp_write_xmit() and
 * tcp_xmit_retransmit_queue() ask for the size of GSO packets, an operation of this
 * project's, and then let nothing go while the time of the next departure
 * (tcp_wstamp_ns) lies after now and the socket paces itself. So while a flow is
 * suspended each of those calls finds the departure one nanosecond away, and the
 * timer of pacing set to when the flow next has something to do. That timer
 * comes back here with the socket locked, or from its owner, who releases it
 * later; it lives and dies with the socket as TCP has it, and there is none of
 * this project's to race with close, a change of algorithm, or unloading.
 *
 * (Far-off departures would do as well, but the time stamps of pure ACKs are
 * taken from them, and the peer then drops what follows as old.)
 *
 * What still leaves: pure ACKs; one segment by each retransmission timeout, which
 * is how a dead peer is found out; if no answer came for as long as a
 * retransmission timeout (200 ms at least), a window probe with one segment, which each
 * answer puts off; and one packet each time that the flow is overdue (dcc_probe_timer.h). A
 * user timeout thus counts from when the peer fell silent, as of a flow that sends. A socket
 * that was closed would never die so, nor two of them that probe each other, when no process
 * is left: it is suspended for a minute at most.
 *
 * Everything here runs with the socket locked. Of TCP's it writes snd_cwnd, tcp_wstamp_ns.
 */
#include <net/tcp.h>

#include "dcc_core.h"
#include "../ctl/dcc_trace.h"

/* Does the peer have room for a packet, or for a full one of it? As tcp_snd_wnd_test(). */
static bool peer_has_room(const struct tcp_sock *tp, const struct sk_buff *skb)
{
	u32 end = TCP_SKB_CB(skb)->end_seq;

	if (skb->len > tp->mss_cache)
		end = TCP_SKB_CB(skb)->seq + tp->mss_cache;
	return !after(end, tcp_wnd_end(tp));
}

/* Does Nagle's algorithm or a cork keep the last packet, as tcp_nagle_test() has it? */
static bool waits_for_more(const struct tcp_sock *tp, const struct sk_buff *skb)
{
	if (skb->len >= tp->mss_cache || tp->nonagle & TCP_NAGLE_PUSH ||
	    tp->snd_una != tp->snd_up || TCP_SKB_CB(skb)->tcp_flags & TCPHDR_FIN)
		return false;
	if (tp->nonagle & TCP_NAGLE_CORK)
		return true;
	return !tp->nonagle && tp->packets_out && after(tp->snd_sml, tp->snd_una) &&
	       !after(tp->snd_sml, tp->snd_nxt);
}

/* Would the first packet that was not sent yet leave now, as far as TCP is concerned? */
static bool may_send(const struct sock *sk)
{
	const struct sk_buff *head = tcp_send_head(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	return head && peer_has_room(tp, head) &&
	       !(tcp_skb_is_last(sk, head) && waits_for_more(tp, head));
}

/* Is there anything that only the suspension keeps from leaving? */
static bool has_work(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return may_send(sk) || tp->lost_out > tp->retrans_out;
}

/* Was the socket closed so long ago that it is suspended no more? */
static bool is_left(const struct sock *sk, struct dcc_suspension *h)
{
	u16 now;

	if (!sock_flag(sk, SOCK_DEAD))
		return false;
	now = (u16)ktime_get_seconds() | 1;
	if (!h->left)
		h->left = now;
	return (u16)(now - h->left) > TCP_TIMEWAIT_LEN / HZ;
}

static void flow_suspended(struct dcc_flow *flow, bool suspended)
{
	u16 info = flow->info & ~DCC_INFO_SUSPENDED;

	flow->suspended = suspended;
	WRITE_ONCE(flow->info, info | (suspended ? DCC_INFO_SUSPENDED : 0));
}

/* Probe, and note what the answer is to be compared with. */
static void probe(struct sock *sk, struct dcc_flow *flow, struct dcc_suspension *h)
{
	struct tcp_sock *tp = tcp_sk(sk);
	bool again = dcc_probe_timer_sent(h, ktime_get_ns(), dcc_srtt_ns(flow, tp),
					  tcp_is_sack(tp));
	u64 took_ns;

	if (again)
		dcc_count(DCC_COUNT_probes_lost);
	h->una = tp->snd_una;
	dcc_dsack_expect(tp, h);
	trace_dcc_suspend(sk, again ? DCC_SUSPEND_AGAIN : DCC_SUSPEND_PROBE, 0,
			  h->wait_ns);
	local_bh_disable();	/* what is received meanwhile is no cost of the probe's */
	took_ns = ktime_get_ns();
	if (dcc_probe_send(sk, h->probes - 1))	/* another byte each time */
		dcc_count(DCC_COUNT_probes_sent);
	took_ns = ktime_get_ns() - took_ns;
	local_bh_enable();
	dcc_budget_spent(sock_net(sk), took_ns);
}

/*
 * Probe, unless the namespace's budget says when instead: then is the flow's turn, and the
 * budget is not asked again.
 */
static void probe_in_turn(struct sock *sk, struct dcc_flow *flow, struct dcc_suspension *h)
{
	u64 now = ktime_get_ns(), slot = now;

	if (!h->slot)
		slot = dcc_budget_slot(sock_net(sk), now);
	if (slot > now) {
		h->due_ns = slot;
		h->slot = slot < now + DCC_BUDGET_MOST_NS;
		dcc_count(DCC_COUNT_probes_deferred);
		return;
	}
	probe(sk, flow, h);
	dcc_pace_itself(sk);	/* sch_fq may have seen it */
}

/*
 * A flow that is suspended for too long sends a packet all the same: the window is one
 * packet, and nothing keeps it, unless one is in flight. It is not probed meanwhile; a
 * flow whose turn to probe it is does that.
 */
static bool let_one_pass(struct sock *sk, const struct dcc_flow *flow, struct dcc_suspension *h)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 now = tp->tcp_clock_cache;

	if (h->slot || tcp_packets_in_flight(tp) >= tcp_snd_cwnd(tp) ||
	    !dcc_probe_timer_overdue(h, now, jiffies64_to_nsecs(dcc_silence(sk)),
				     flow->base_rtt_ns))
		return false;
	dcc_probe_timer_set(h, now + clamp_t(u64, h->wait_ns, DCC_PROBE_MIN_NS,
					     DCC_PROBE_PATIENCE_MAX_NS));
	tp->tcp_wstamp_ns = min(tp->tcp_wstamp_ns, now);
	dcc_count(DCC_COUNT_suspensions_overdue);
	return true;
}

/**
 * dcc_suspend_gate() - let nothing pass, and probe when it is time
 * @sk: a TCP socket, locked, about to send
 * @flow: its state, suspended
 *
 * Of a flow that nothing could leave of anyhow TCP asks for pacing first and finds that
 * out afterwards: with a departure that lies ahead and no timer set here, it would set its
 * own to one nanosecond from now, again and again. So such a flow has neither, and does not
 * probe: the next write comes by here, and so does an ACK that opens the peer's window.
 * One whose peer cannot be probed any more is resumed, and one that no process owns.
 */
void dcc_suspend_gate(struct sock *sk, struct dcc_flow *flow)
{
	struct dcc_suspension *h = dcc_flow_suspension(flow, dcc_alg_of(sk));
	struct tcp_sock *tp = tcp_sk(sk);
	bool pass = false;

	if (!dcc_probe_possible(sk) || is_left(sk, h)) {
		dcc_resume(sk, flow);
		return;
	}
	if (!has_work(sk))
		return;
	if (tp->tcp_clock_cache >= h->due_ns) {
		pass = let_one_pass(sk, flow, h);
		if (!pass)
			probe_in_turn(sk, flow, h);
	}
	dcc_kick_at(sk, h->due_ns);
	if (!pass)
		tp->tcp_wstamp_ns = tp->tcp_clock_cache + 1;
}

static void suspend_refused(struct dcc_flow *flow)
{
	dcc_note(flow, DCC_INFO_NO_PROBES, DCC_COUNT_suspensions_refused);
	pr_info_once("dcc: a flow cannot be suspended (no answer to probes, no memory, or closed): it goes on\n");
}

/**
 * dcc_suspend() - suspend a flow
 * @sk: a TCP socket, locked
 * @flow: its state, ready
 * @delay_ns: when to probe first, from now
 *
 * The window is one packet meanwhile, which also keeps the stack from probing
 * for a larger MTU. A connection that is just being accepted is suspended on trust.
 *
 * Return: false if it cannot be suspended, since its probes would not be answered, its socket
 * was closed long ago, or for lack of memory.
 */
bool dcc_suspend(struct sock *sk, struct dcc_flow *flow, u64 delay_ns)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct dcc_suspension *h = NULL;

	if (flow->mem)
		h = dcc_flow_suspension(flow, dcc_alg_of(sk));
	if (!h || is_left(sk, h) ||
	    (sk->sk_state != TCP_SYN_RECV && !dcc_probe_possible(sk))) {
		suspend_refused(flow);
		return false;
	}
	if (!flow->suspended) {
		h->cwnd = tcp_snd_cwnd(tp);
		dcc_dsack_begin(tp, h);
		dcc_probe_timer_begin(h, ktime_get_ns());
		dcc_count(DCC_COUNT_suspensions);
	}
	flow_suspended(flow, true);
	dcc_probe_timer_set(h, ktime_get_ns() + delay_ns);
	tcp_snd_cwnd_set(tp, 1);
	trace_dcc_suspend(sk, DCC_SUSPENDED, 0, delay_ns);
	if (has_work(sk))
		dcc_kick_at(sk, h->due_ns);
	return true;
}

/* Does the algorithm know that the flow was silent since it sent last? */
static bool is_known_silent(const struct sock *sk, const struct dcc_suspension *h)
{
	return h->silence == (tcp_sk(sk)->lsndtime | 1);
}

/**
 * dcc_path_is_known() - was a flow's path measured while the flow was silent?
 * @sk: a TCP socket, locked, about to send
 * @flow: its state, ready
 *
 * That of one which was suspended by then, or was to probe before it sent, and whose last probe
 * was answered just now: an answer may take longer than a retransmission timeout.
 */
bool dcc_path_is_known(const struct sock *sk, const struct dcc_flow *flow)
{
	u64 rto_ns = jiffies64_to_nsecs(inet_csk(sk)->icsk_rto);
	const struct dcc_alg *alg = dcc_alg_of(sk);
	const struct dcc_suspension *h;
	u64 now;

	if (!alg->on_probe || !flow->mem)
		return false;
	h = dcc_flow_suspension(flow, alg);
	now = ktime_get_ns();
	return h->probes && !h->out &&
	       now - h->sent_ns <= max_t(u64, rto_ns, h->wait_ns) &&
	       (is_known_silent(sk, h) ||
		jiffies64_to_nsecs(dcc_silence(sk)) <= now - h->began_ns + rto_ns);
}

/* Did it probe, or begin to, since it sent last? That may be too long ago by now. */
static bool has_probed(const struct sock *sk, const struct dcc_suspension *h)
{
	u64 silent_ns = jiffies64_to_nsecs(dcc_silence(sk));

	return h->probes && ktime_get_ns() - h->began_ns <= silent_ns;
}

/**
 * dcc_starts_again() - is a flow that was silent like a new one?
 * @sk: a TCP socket, locked, about to send, silent for longer than a retransmission timeout
 * @flow: its state, ready
 *
 * It is if it has data to send: the window it had is no ground to send as much into a queue
 * that others may have now. The base RTT that it had stays: or the answer, whatever queue it
 * found, would be it. A flow whose probes would not be answered goes on as those of other
 * algorithms. That of one that need not probe learns of a silence once; an ACK ends it.
 *
 * Return: true if its algorithm is to decide on its window again.
 */
bool dcc_starts_again(struct sock *sk, struct dcc_flow *flow)
{
	const struct dcc_alg *alg = dcc_alg_of(sk);
	struct dcc_suspension *h;

	if (!alg->on_first || flow->suspended || flow->paced || !flow->mem ||
	    !may_send(sk) || !tcp_send_head(sk)->len ||
	    !dcc_probe_possible(sk) || dcc_path_is_known(sk, flow))
		return false;
	h = dcc_flow_suspension(flow, alg);
	if (is_known_silent(sk, h) && !has_probed(sk, h))
		return false;
	h->silence = tcp_sk(sk)->lsndtime | 1;
	flow->restart = 1;
	return true;
}

/**
 * dcc_resume() - let a flow send again
 * @sk: a TCP socket, locked
 * @flow: its state; need not be suspended
 *
 * Its window is what it was before. It does not burst: the next packet
 * leaves now, the others as pacing says.
 */
void dcc_resume(struct sock *sk, struct dcc_flow *flow)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 now = ktime_get_ns();
	struct dcc_suspension *h;

	if (!flow->suspended)
		return;
	h = dcc_flow_suspension(flow, dcc_alg_of(sk));
	flow_suspended(flow, false);
	trace_dcc_suspend(sk, DCC_RESUMED, 0, now - h->began_ns);
	tcp_snd_cwnd_set(tp, clamp_t(u32, h->cwnd, 1, tp->snd_cwnd_clamp));
	tp->tcp_wstamp_ns = tp->tcp_clock_cache;
	if (dcc_probe_possible(sk) && has_work(sk))
		dcc_kick_at(sk, now);
}

/*
 * What the probe measured, in the form in which an ACK of data has it. It stands in for the
 * base RTT until there is one of a full packet, and for the smoothed RTT, which is as old as
 * the last packet: small windows are paced by it.
 */
static void answer_sample(struct sock *sk, struct dcc_flow *flow,
			  struct dcc_suspension *h, struct dcc_sample *s)
{
	struct dcc_calm *calm = dcc_flow_calm(flow, dcc_alg_of(sk));
	u64 now = tcp_sk(sk)->tcp_clock_cache;

	s->sent_ns = h->sent_ns;
	s->delay_ns = clamp_t(u64, now - h->sent_ns, 1, U32_MAX);
	flow->srtt_ns = s->delay_ns;
	if (!flow->base_rtt_ns)
		WRITE_ONCE(flow->base_rtt_ns, s->delay_ns);
	if (calm)
		dcc_calm_on_round(calm, s->delay_ns);
	trace_dcc_suspend(sk, DCC_SUSPEND_ANSWER, s->delay_ns, 0);
	dcc_probe_timer_answered(h, s->delay_ns);
}

/* Probe again after this time: what came was no measurement. */
static void answer_useless(struct sock *sk, struct dcc_suspension *h, u64 wait_ns)
{
	dcc_probe_timer_set(h, ktime_get_ns() + wait_ns);
	dcc_count(DCC_COUNT_probes_unclear);
	if (has_work(sk))
		dcc_kick_at(sk, h->due_ns);
}

/* The least RTT that the connection saw, of small packets, too; 0: none. */
static u32 least_rtt_ns(const struct dcc_flow *flow, const struct tcp_sock *tp)
{
	u64 seen_ns = (u64)tcp_min_rtt(tp) * NSEC_PER_USEC;

	if (tcp_min_rtt(tp) == ~0U)
		return flow->base_rtt_ns;
	return (u32)min_t(u64, flow->base_rtt_ns ?: U32_MAX, seen_ns);
}

/**
 * dcc_suspend_ack() - an ACK came while a flow is suspended
 * @sk: a TCP socket, locked
 * @flow: its state, suspended
 * @s: of an answer that gives a delay: zeroed, given that and when the probe left
 *
 * An answer to one of two probes says nothing of the delay, but that the peer
 * lives. Nor does one that waited for a socket in use; the next probe then waits for
 * the timer, or a process that lets go of its socket would go on asking a peer on
 * its own host, whose answers come at once, without end. A peer that no probe reaches is
 * like one that would not answer.
 *
 * Context: the in_ack_event() operation, after which the stack sends what may
 * leave. Return: true for such an answer.
 */
bool dcc_suspend_ack(struct sock *sk, struct dcc_flow *flow, struct dcc_sample *s)
{
	struct dcc_suspension *h = dcc_flow_suspension(flow, dcc_alg_of(sk));
	struct tcp_sock *tp = tcp_sk(sk);
	enum dcc_answer answer;

	answer = dcc_probe_timer_ack(h, tp->tcp_clock_cache, least_rtt_ns(flow, tp),
				     dcc_dsack_came(tp, h, flow->mem->delivered),
				     after(tp->snd_una, h->una));
	if (answer == DCC_ANSWER_CLEAR && !sock_owned_by_user_nocheck(sk)) {
		answer_sample(sk, flow, h, s);
		return true;
	}
	if (answer == DCC_ANSWER_NEVER) {
		suspend_refused(flow);
		dcc_resume(sk, flow);
	} else if (answer == DCC_ANSWER_UNCLEAR) {
		answer_useless(sk, h, h->wait_ns);
	} else if (answer == DCC_ANSWER_CLEAR) {
		answer_useless(sk, h, dcc_srtt_ns(flow, tp) ?: DCC_PROBE_MIN_NS);
	}
	return false;
}
