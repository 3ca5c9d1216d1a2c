// SPDX-License-Identifier: GPL-2.0
/*
 * oscar, extension packet_ai. Where D_target holds few packets a thousandth of the link is a
 * small part of one, and a flow of two packets takes hundreds of round trips to have the three of
 * others. U_AI is an eighth of a packet at least.
 *
 * It is as large for all flows of a link, so it leads to the same shares.
 */
#include "../common/math/dcc_wide.h"
#include "oscar.h"

#define PACKET_SHIFT	3		/* 1/8 */

/**
 * oscar_packet_ai() - before algorithm 2
 * @p: of oscar_params_set(), mu and D_target known: U_AI is raised
 * @mss: payload of a full packet, bytes
 *
 * A packet in D_target * mu is 61 bits at most, and the sum with u is bounded by who adds it.
 */
void oscar_packet_ai(struct oscar_params *p, u32 mss)
{
	u64 seconds = dcc_mul_div(mss, OSCAR_ONE, p->line_rate);
	u64 packet = dcc_mul_div(seconds, NSEC_PER_SEC, max(p->target_ns, 1U));

	p->u_ai = max(p->u_ai, min_t(u64, packet, OSCAR_ONE) >> PACKET_SHIFT);
}
