// SPDX-License-Identifier: GPL-2.0
/* When to probe, and what answers; stated in dcc_probe_timer.h. */
#include "dcc_probe_timer.h"

static u32 wait_for(u32 rtt_ns)
{
	return (u32)min(DCC_PROBE_RTTS * (u64)rtt_ns + DCC_PROBE_MIN_NS, DCC_PROBE_MAX_NS);
}

/**
 * dcc_probe_timer_begin() - a flow is suspended
 * @h: state
 * @now_ns: when
 */
void dcc_probe_timer_begin(struct dcc_suspension *h, u64 now_ns)
{
	h->began_ns = now_ns;
	h->passed = 0;
}

/**
 * dcc_probe_timer_overdue() - was a flow suspended for so long that a packet may leave?
 * @h: state
 * @now_ns: the time
 * @silent_ns: since when it sent no data
 * @base_rtt_ns: of its path; 0: unknown
 *
 * Return: true, once; then again after twice the time.
 */
bool dcc_probe_timer_overdue(struct dcc_suspension *h, u64 now_ns, u64 silent_ns, u32 base_rtt_ns)
{
	u64 patience = max(DCC_PROBE_PATIENCE_RTTS * (u64)base_rtt_ns, DCC_PROBE_PATIENCE_NS);

	patience = min(patience << h->passed, DCC_PROBE_PATIENCE_MAX_NS);
	if (min(now_ns - h->began_ns, silent_ns) < patience)
		return false;
	h->passed = (u8)min(h->passed + 1, DCC_PROBE_PASSES);
	return true;
}

/**
 * dcc_probe_timer_set() - probe at this time, whatever was to be before
 * @h: state
 * @at_ns: when; later if the last probe left just before
 */
void dcc_probe_timer_set(struct dcc_suspension *h, u64 at_ns)
{
	h->out = 0;
	h->slot = 0;
	h->due_ns = h->sent_ns ? max(at_ns, h->sent_ns + DCC_PROBE_FLOOR_NS) : at_ns;
}

/*
 * Is the peer one that sends no DSACK? It has acknowledged something since
 * the last probe, and neither that nor those before it, all of which may have been lost.
 * Its next DSACK says otherwise.
 */
static bool is_plain(const struct dcc_suspension *h)
{
	return h->heard && h->out >= DCC_PROBE_UNHEARD;
}

/**
 * dcc_probe_timer_sent() - a probe leaves
 * @h: state
 * @now_ns: when
 * @srtt_ns: smoothed RTT of data; 0: unknown
 * @sack: may the peer send SACK blocks, so that a DSACK can come?
 *
 * Return: was the last one not answered?
 */
bool dcc_probe_timer_sent(struct dcc_suspension *h, u64 now_ns, u32 srtt_ns, bool sack)
{
	bool again = h->out;

	h->wait_ns = max(h->wait_ns, wait_for(srtt_ns));
	if (again)
		h->wait_ns = (u32)min(2 * (u64)h->wait_ns, DCC_PROBE_MAX_NS);
	if (!sack || is_plain(h))
		h->plain = 1;
	h->heard = 0;
	h->slot = 0;
	h->sent_ns = now_ns;
	h->due_ns = now_ns + h->wait_ns;
	h->out = (u8)min(h->out + 1, DCC_PROBE_COUNTED);
	h->probes = h->probes % DCC_PROBE_COUNTED + 1;
	return again;
}

/**
 * dcc_probe_timer_ack() - an ACK came
 * @h: state
 * @now_ns: when
 * @least_rtt_ns: the least RTT that the connection saw; 0: unknown
 * @dsack: does it say that something came twice?
 * @more: was something new acknowledged since the newest probe left?
 *
 * A DSACK answers, however soon: the RTTs seen so far may all have had a queue in
 * them (seen: a flow that never took the answers of an empty path).
 *
 * Return: what it is.
 */
enum dcc_answer dcc_probe_timer_ack(struct dcc_suspension *h, u64 now_ns, u32 least_rtt_ns,
				    bool dsack, bool more)
{
	if (dsack)
		h->plain = 0;
	if (!h->out)
		return DCC_ANSWER_NONE;
	if (!dsack) {
		h->heard = 1;
		if (more)
			return h->plain && h->out >= DCC_PROBE_UNHEARD ?
				DCC_ANSWER_NEVER : DCC_ANSWER_NONE;
		if (!h->plain || now_ns < h->sent_ns + least_rtt_ns / 2)
			return DCC_ANSWER_NONE;
	}
	return h->out > 1 ? DCC_ANSWER_UNCLEAR : DCC_ANSWER_CLEAR;
}

/**
 * dcc_probe_timer_answered() - a clear answer was taken
 * @h: state
 * @delay_ns: what it measured
 */
void dcc_probe_timer_answered(struct dcc_suspension *h, u32 delay_ns)
{
	h->out = 0;
	h->wait_ns = wait_for(delay_ns);
}
