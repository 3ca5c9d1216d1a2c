/* SPDX-License-Identifier: GPL-2.0 */
/* Algorithms without one: a window that stays, and no limit at all. */
#ifndef _NC_FIXED_H
#define _NC_FIXED_H

#include "control.h"

extern const struct nc_control_ops nc_fixed;
extern const struct nc_control_ops nc_none;

#endif /* _NC_FIXED_H */
