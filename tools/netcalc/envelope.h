/* SPDX-License-Identifier: GPL-2.0 */
/* The convolution of two curves of any shape, piece by piece. */
#ifndef _NC_ENVELOPE_H
#define _NC_ENVELOPE_H

#include "curve.h"

int nc_conv_pieces(const struct nc_curve *f, const struct nc_curve *g,
		   struct nc_curve *out);

#endif /* _NC_ENVELOPE_H */
