/* SPDX-License-Identifier: GPL-2.0 */
/* The loop over congestion events; net.h tells how it works. */
#ifndef _NC_LOOP_H
#define _NC_LOOP_H

#include "net.h"

int nc_net_run(struct nc_net *net);

#endif /* _NC_LOOP_H */
