// SPDX-License-Identifier: GPL-2.0
/*
 * oscar, extension loss_response. The paper's networks lose nothing. A buffer that is full
 * below D_target shows in no delay: if more than a sixteenth of a batch was lost, what arrived
 * is what there is room for.
 *
 * One batch halves u at most, as a timeout does, since few packets say little. Fewer losses
 * are a link's errors, or one bad path of many, and change nothing.
 */
#include "oscar.h"

#define LOSS_SHIFT	4		/* 1/16 of the batch */

/**
 * oscar_loss() - after algorithm 2
 * @p: of oscar_params_set()
 * @e: algorithm 1's result
 * @before: u before the batch
 * @u: what algorithm 2 made of it; replaced if too many packets were lost
 *
 * Return: were there?
 */
bool oscar_loss(const struct oscar_params *p, const struct oscar_estimate *e, u64 before,
		u64 *u)
{
	if (e->lost <= (e->arrived + e->lost) >> LOSS_SHIFT)
		return false;
	*u = min(before, max(oscar_by_rate(p, e->rate, 0), before / 2));
	return true;
}
