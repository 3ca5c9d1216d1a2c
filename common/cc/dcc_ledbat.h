/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LEDBAT's controller, for ledbat itself and for PrioPlus on top of it:
 *
 *	W += gain * (target - q) / target * acked / W
 *
 * Source: RFC 6817, section 2.4.2. Pure integer C.
 */
#ifndef _DCC_LEDBAT_H
#define _DCC_LEDBAT_H

#include "dcc_knob.h"

#define DCC_LEDBAT_KNOB(K, algs)					\
	K(gain, "1/1000 packet", 1, 1000, 1000, algs,			\
	  "LEDBAT's GAIN: increase per RTT while the queue is empty")

u64 dcc_ledbat_adjust(u64 cwnd, u64 gain, u32 target_ns, u32 queue_ns, u32 acked);

#endif /* _DCC_LEDBAT_H */
