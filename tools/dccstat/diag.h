/* SPDX-License-Identifier: GPL-2.0 */
/* One answer of sock_diag, taken apart. Pure. */
#ifndef _DCCSTAT_DIAG_H
#define _DCCSTAT_DIAG_H

#include <libmnl/libmnl.h>

#include "flow.h"

int diag_parse(const struct nlmsghdr *nlh, struct flow *flow, char why[WHY_TEXT]);

#endif /* _DCCSTAT_DIAG_H */
