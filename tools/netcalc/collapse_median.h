/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often the median of the last H delays is late, of packets of which the share q
 * takes T_l and the others T_s: the share of the packets at which it is, and how often
 * a packet it turns so. "Late" needs a number of the H: more than half of them, or,
 * where the mean of T_s and T_l is late too, half of an even H.
 *
 * Derivations: Documentation/collapse-model.md.
 */
#ifndef _NC_COLLAPSE_MEDIAN_H
#define _NC_COLLAPSE_MEDIAN_H

#include <stdbool.h>

/* The module's MSWIFT_MAX_HISTORY: longer ones it does not keep. */
#define NC_MEDIAN_LONGEST	2048

/**
 * struct nc_median - natural logarithms, as both may be very small
 * @late: of the share of packets at which the median is late
 * @turns: of how often a packet it turns late
 */
struct nc_median {
	double late;
	double turns;
};

struct nc_median nc_median_mixed(double q, int history, int needed);
struct nc_median nc_median_spaced(double q, int history, int needed);
void nc_median_cyclic(double q, double history, bool half, double *late,
		      double *turns);

#endif /* _NC_COLLAPSE_MEDIAN_H */
