/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reno (RFC 5681): what a flow does where its own algorithm has nothing to reckon with, since
 * the link rate is unknown, there was no memory, or send times are.
 *
 *   below ssthresh W += acked, above it W += packet * acked / W, where W limits the flow
 *   fast recovery: W = ssthresh = W / 2, at least two packets
 *   timeout: ssthresh = W / 2, W = a packet
 *
 * Windows are bytes << DCC_CWND_SHIFT, at most 2^20 packets of 64 KB: 44 bits.
 * Pure integer C; the caller serialises.
 */
#ifndef _DCC_RENO_H
#define _DCC_RENO_H

#include "dcc_sample.h"

#define DCC_RENO_MOST	(1ULL << (36 + DCC_CWND_SHIFT))

/**
 * struct dcc_reno - state of one flow; zeroed it is in slow start
 * @ssthresh: slow start's end; 0: none yet
 */
struct dcc_reno {
	u64 ssthresh;
};

u64 dcc_reno_ack(struct dcc_reno *r, u64 cwnd, const struct dcc_sample *s);
u64 dcc_reno_rto(struct dcc_reno *r, u64 cwnd, u32 mss);

#endif /* _DCC_RENO_H */
