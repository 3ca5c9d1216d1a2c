// SPDX-License-Identifier: GPL-2.0
/*
 * prioplus, extension root_ai. With a #flow of its own each, a flow that has less adds less in
 * proportion, and has less permanently. Divided by the root of #flow the shares come to be even,
 * and n flows together take sqrt(n) steps, for which a channel has room.
 */
#include "prioplus.h"

/**
 * prioplus_root_ai() - a step by the root of #flow
 * @pp: state
 * @step: the original CC's, packets << DCC_PKT_SHIFT
 *
 * Return: same scale. #flow has 31 bits, 51 with the shift, and its root 26.
 */
u64 prioplus_root_ai(const struct prioplus *pp, u64 step)
{
	return dcc_mul_div(step, PRIOPLUS_ONE_FLOW,
			   dcc_isqrt64((u64)pp->nflow << PRIOPLUS_FLOW_SHIFT));
}
