/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an ACK waits on the reverse path, by the receiver's clock.
 *
 * Time stamps of microseconds (RFC 7323's option, the routes' feature tcp_usec_ts) say
 * when an ACK left the receiver. What its clock shows besides is unknown, but it is
 * the same all the time:
 *
 *	back = now - time stamp		the reverse path, and what the clocks differ by
 *	least = min(least + drift, back)	the same of an ACK that nothing delayed
 *	delay' = delay - (back - least), but no less than the base RTT
 *
 * drift is ppm us for every second: two clocks never run alike, and what is seen of
 * them must not count as a queue permanently. So a queue that stands on the reverse path
 * counts as a part of the path after its length / ppm seconds; and clocks that run
 * apart faster than that pass for a queue on the reverse path that grows without end, until
 * no queue on the forward path is seen any more.
 *
 * All of it is modulo 2^32 us: differences of one flow's ACKs are far smaller.
 *
 * Pure integer C; the caller serialises; time is an argument.
 */
#ifndef _DCC_BACK_H
#define _DCC_BACK_H

#include "../math/dcc_types.h"

#define DCC_BACK_PPM_MOST	1000	/* a bad crystal; the knob's most, too */

/**
 * struct dcc_back - what is known of a flow's reverse path; all zero is "nothing"
 * @least_us: back of an ACK that nothing delayed, less what the clock had drifted by
 *	then, modulo 2^32; 0: none yet
 */
struct dcc_back {
	u32 least_us;
};

/**
 * dcc_back_wait() - how long an ACK waited on the reverse path
 * @b: state; changes
 * @now_ns: when it came
 * @stamp_us: its time stamp, modulo 2^32
 * @ppm: how fast clocks may run apart, 1 to DCC_BACK_PPM_MOST
 *
 * Drift is taken off what is compared instead of added to what it is compared with,
 * which is then just a number.
 *
 * Return: us; 0 for the first one, and for one faster than any before (1 where 0
 * would be the least).
 */
static inline u32 dcc_back_wait(struct dcc_back *b, u64 now_ns, u32 stamp_us,
				u32 ppm)
{
	u32 now_us = (u32)div_u64(now_ns, NSEC_PER_USEC);
	u32 drift_us = (u32)div_u64(now_ns, NSEC_PER_SEC / ppm);
	u32 back_us = now_us - drift_us - stamp_us;

	if (!b->least_us || (s32)(back_us - b->least_us) < 0)
		b->least_us = back_us ? back_us : U32_MAX;
	return back_us - b->least_us;
}

/**
 * dcc_back_less() - a delay without what the ACK waited
 * @delay_ns: of packet and ACK
 * @wait_us: of dcc_back_wait()
 * @base_ns: the flow's base RTT; 0: not known
 *
 * Return: ns; no less than the base RTT, which so is what a packet and its ACK really
 * took once, whatever a clock says.
 */
static inline u32 dcc_back_less(u32 delay_ns, u32 wait_us, u32 base_ns)
{
	u64 wait_ns = (u64)wait_us * NSEC_PER_USEC;
	u32 least = base_ns ? min(delay_ns, base_ns) : delay_ns;

	return wait_ns < delay_ns - least ? delay_ns - (u32)wait_ns : least;
}

#endif /* _DCC_BACK_H */
