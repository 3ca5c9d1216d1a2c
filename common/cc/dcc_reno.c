// SPDX-License-Identifier: GPL-2.0
/* Reno; stated in dcc_reno.h. */
#include "dcc_reno.h"
#include "../math/dcc_wide.h"

#define LEAST_PACKETS	2		/* that a halving leaves */

static u64 reno_packet(u32 mss)
{
	return (u64)mss << DCC_CWND_SHIFT;
}

static u64 reno_half(u64 cwnd, u32 mss)
{
	return max(cwnd / 2, LEAST_PACKETS * reno_packet(mss));
}

/**
 * dcc_reno_ack() - the window after an ACK
 * @r: state
 * @cwnd: the window before it, bytes << DCC_CWND_SHIFT; less than a packet is one
 * @s: what the ACK reported
 *
 * Return: the window, at most DCC_RENO_MOST.
 */
u64 dcc_reno_ack(struct dcc_reno *r, u64 cwnd, const struct dcc_sample *s)
{
	u64 packet = reno_packet(s->mss), acked = (u64)s->acked_bytes << DCC_CWND_SHIFT;

	cwnd = max(cwnd, packet);
	if (s->recovery) {
		r->ssthresh = reno_half(cwnd, s->mss);
		cwnd = r->ssthresh;
	} else if (s->cwnd_limited) {
		cwnd += !r->ssthresh || cwnd < r->ssthresh ? acked :
			dcc_mul_div(packet, acked, cwnd);
	}
	return min(cwnd, DCC_RENO_MOST);
}
EXPORT_SYMBOL_GPL(dcc_reno_ack);

/**
 * dcc_reno_rto() - the window after a retransmission timeout
 * @r: state
 * @cwnd: the window before it, bytes << DCC_CWND_SHIFT
 * @mss: payload of a full packet, bytes
 *
 * Return: the window, a packet.
 */
u64 dcc_reno_rto(struct dcc_reno *r, u64 cwnd, u32 mss)
{
	r->ssthresh = reno_half(cwnd, mss);
	return reno_packet(mss);
}
EXPORT_SYMBOL_GPL(dcc_reno_rto);
