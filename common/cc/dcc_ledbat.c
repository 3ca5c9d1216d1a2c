// SPDX-License-Identifier: GPL-2.0
/* LEDBAT's controller; stated in dcc_ledbat.h. */
#include "../math/dcc_fixed.h"
#include "dcc_ledbat.h"
#include "../math/dcc_wide.h"

/**
 * dcc_ledbat_adjust() - the window after an ACK
 * @cwnd: before it, packets << DCC_PKT_SHIFT, below 2^41
 * @gain: what an RTT adds while the queue is empty, same scale, at most a packet
 * @target_ns: queueing delay aimed at
 * @queue_ns: what it is
 * @acked: packets newly delivered
 *
 * Below one packet the window counts as one. gain * acked: 36 bits. The excess over the
 * target may be any number of targets: then the window is 0.
 *
 * Return: the window, same scale, not bounded.
 */
u64 dcc_ledbat_adjust(u64 cwnd, u64 gain, u32 target_ns, u32 queue_ns, u32 acked)
{
	bool above = queue_ns >= target_ns;
	u32 off = above ? queue_ns - target_ns : target_ns - queue_ns;
	u64 step = dcc_mul_div(gain * min(acked, 0xffffU), off, max(target_ns, 1U));

	step = dcc_mul_div(step, DCC_PKT, max_t(u64, cwnd, DCC_PKT));
	if (!above)
		return cwnd + step;
	return step < cwnd ? cwnd - step : 0;
}
EXPORT_SYMBOL_GPL(dcc_ledbat_adjust);
