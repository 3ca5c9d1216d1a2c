/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The min-plus algebra of curves. All results are exact.
 *
 * Every function takes an empty curve for its result and returns 0 or a
 * negative errno, which the result keeps: -ENOMEM, -EOVERFLOW (a number beyond
 * 127 bits), -EINVAL (an argument that its comment excludes).
 *
 * With n and m pieces the cost is of order n + m, for nc_conv() n m log(n m),
 * with a concave g n m, with both convex n + m.
 */
#ifndef _NC_MINPLUS_H
#define _NC_MINPLUS_H

#include "curve.h"

/**
 * struct nc_origin - where a shifted coordinate system begins
 * @t: time, ns
 * @y: height, bytes
 */
struct nc_origin {
	struct nc_q t;
	struct nc_q y;
};

int nc_sum(const struct nc_curve *f, const struct nc_curve *g,
	   struct nc_curve *out);
int nc_sum_all(const struct nc_curve *const *f, size_t n, struct nc_curve *out);
int nc_min(const struct nc_curve *f, const struct nc_curve *g,
	   struct nc_curve *out);
int nc_max(const struct nc_curve *f, const struct nc_curve *g,
	   struct nc_curve *out);
int nc_shift(const struct nc_curve *f, struct nc_q dt, struct nc_q dy,
	     struct nc_curve *out);
int nc_conv_rate(const struct nc_curve *f, struct nc_q rate,
		 struct nc_curve *out);
int nc_conv_window(const struct nc_curve *f, struct nc_q window,
		   struct nc_curve *out);
int nc_conv_bucket(const struct nc_curve *f, struct nc_q burst,
		   struct nc_q rate, struct nc_curve *out);
int nc_conv(const struct nc_curve *f, const struct nc_curve *g,
	    struct nc_curve *out);

int nc_deconv(const struct nc_curve *f, const struct nc_curve *g,
	      struct nc_curve *out);

void nc_serve(const struct nc_curve *f, struct nc_origin from,
	      struct nc_q rate, struct nc_q until, struct nc_curve *out);

#endif /* _NC_MINPLUS_H */
