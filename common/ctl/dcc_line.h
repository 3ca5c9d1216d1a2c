/* SPDX-License-Identifier: GPL-2.0 */
/* The speed of a flow's egress device, as far as this host knows. */
#ifndef _DCC_LINE_H
#define _DCC_LINE_H

#include <linux/types.h>

struct dcc_flow_knobs;
struct sock;

u64 dcc_line_rate(const struct sock *sk, u32 knob_mbps);
u64 dcc_line_pacing(const struct sock *sk, const struct dcc_flow_knobs *k);
int dcc_line_init(void);
void dcc_line_exit(void);

#endif /* _DCC_LINE_H */
