/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pseudo-inverses of curves, and the distances between two curves that are
 * made of them: delay (horizontal) and backlog (vertical).
 */
#ifndef _NC_INVERSE_H
#define _NC_INVERSE_H

#include "walk.h"

/**
 * struct nc_extreme - the largest value of a distance
 * @value: ns or bytes; may be infinite
 * @t: a time at or just after which it is taken, ns
 */
struct nc_extreme {
	struct nc_q value;
	struct nc_q t;
};

struct nc_q nc_inv_low(const struct nc_curve *f, struct nc_q y);
struct nc_q nc_inv_up(const struct nc_curve *f, struct nc_q y);
int nc_inverse(const struct nc_curve *f, struct nc_curve *out);
int nc_delay(const struct nc_curve *f, const struct nc_curve *g,
	     struct nc_q until, struct nc_extreme *out);
int nc_backlog(const struct nc_curve *f, const struct nc_curve *g,
	       struct nc_q until, struct nc_extreme *out);

struct nc_q nc_first_below(struct nc_view f, struct nc_view g,
			   struct nc_q after, struct nc_q until, bool equal);

#endif /* _NC_INVERSE_H */
