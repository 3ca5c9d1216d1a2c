// SPDX-License-Identifier: GPL-2.0
/* What the models of collapse.h share: the line, its windows, and Swift's target. */
#include <float.h>
#include <math.h>

#include "collapse.h"

#define BITS		8.0

/**
 * nc_collapse_mean_rtt() - of all packets, s
 * @p: parameters
 * @q: share of the packets that are late
 */
double nc_collapse_mean_rtt(const struct nc_collapse *p, double q)
{
	return (1 - q) * p->ts + q * p->tl;
}

/**
 * nc_collapse_target() - the delay Swift aims at
 * @p: parameters
 * @window: packets
 *
 * Return: seconds, base_target + clamp(a / sqrt(window) + b, 0, fs_range).
 */
double nc_collapse_target(const struct nc_collapse *p, double window)
{
	double least = 1 / sqrt(p->fs_max);
	double part = (1 / sqrt(window) - least) / (1 / sqrt(p->fs_min) - least);

	return p->base_target + p->fs_range * fmin(fmax(part, 0), 1);
}

/**
 * nc_collapse_full_window() - packets in flight that fill the line
 * @p: parameters
 * @q: share of the packets that are late
 */
double nc_collapse_full_window(const struct nc_collapse *p, double q)
{
	return p->rate * nc_collapse_mean_rtt(p, q) / (BITS * p->mss);
}

/**
 * nc_collapse_top_window() - where the queue that the flow itself makes is on target
 * @p: parameters
 * @q: share of the packets that are late
 *
 * Swift needs no congested path to grow no further. The delay rises with the window
 * and the target falls, so that there is one such window.
 */
double nc_collapse_top_window(const struct nc_collapse *p, double q)
{
	double full = nc_collapse_full_window(p, q), low = full, high = full * p->tl / p->ts;
	int i;

	while (p->ts * high / full < nc_collapse_target(p, high))
		high *= 2;
	for (i = 0; i < DBL_MANT_DIG; i++) {
		double mid = (low + high) / 2;

		if (p->ts * mid / full < nc_collapse_target(p, mid))
			low = mid;
		else
			high = mid;
	}
	return high;
}
