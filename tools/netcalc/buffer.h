/* SPDX-License-Identifier: GPL-2.0 */
/* A link's buffer: what of the traffic enters it, and who learns of the rest. */
#ifndef _NC_BUFFER_H
#define _NC_BUFFER_H

#include "net.h"

void nc_buffer_enter(struct nc_net *net, struct nc_q until);
struct nc_q nc_buffer_next(const struct nc_net *net);
int nc_buffer_react(struct nc_net *net);

#endif /* _NC_BUFFER_H */
