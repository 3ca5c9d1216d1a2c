// SPDX-License-Identifier: GPL-2.0
/*
 * oscar, extension short_batches. A flow of one or two packets hears one ACK a round trip, and
 * would wait for three of them at each step. Three packets are for the gradient: where it does
 * not count, in an empty queue and after more than 3 tau, one is enough.
 *
 * It changes when a batch closes, not what it says.
 */
#include "oscar.h"

/**
 * oscar_short_batch() - how many packets the batch needs
 * @b: batch
 * @p: of oscar_params_set()
 *
 * Return: packets. Sums of 4096 delays of 32 bits are 44 bits.
 */
u32 oscar_short_batch(const struct oscar_batch *b, const struct oscar_params *p)
{
	bool empty = b->lsq.sum_y <= (u64)b->lsq.count * p->empty_ns;
	bool outdated = b->last_ns - b->start_ns > (u64)OSCAR_LONG_BATCH * p->tau_ns;

	return empty || outdated ? 1 : OSCAR_LEAST_COUNT;
}
