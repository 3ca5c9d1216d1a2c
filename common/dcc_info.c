// SPDX-License-Identifier: GPL-2.0
/* What inet_diag and TCP_CC_INFO show of a flow. */
#include <linux/inet_diag.h>
#include <net/tcp.h>

#include "dcc.h"

/**
 * dcc_get_info() - what inet_diag and TCP_CC_INFO show of a flow
 * @sk: a TCP socket, NOT locked: under RCU, concurrent with everything
 * @ext: extensions asked for
 * @attr: which form it is
 * @info: filled in, 16 of its 20 bytes
 *
 * The form is Vegas', which stock ss decodes: tcpv_enabled 1, tcpv_rttcnt the
 * DCC_INFO_* bits, tcpv_rtt the delay acted on last and tcpv_minrtt the base
 * RTT, both in us.
 *
 * Return: bytes filled in, 0 if nothing was asked for.
 */
size_t dcc_get_info(struct sock *sk, u32 ext, int *attr,
		    union tcp_cc_info *info)
{
	const struct dcc_flow *flow = inet_csk_ca(sk);

	if (!(ext & (1 << (INET_DIAG_VEGASINFO - 1))))
		return 0;
	memset(&info->vegas, 0, sizeof(info->vegas));
	info->vegas.tcpv_enabled = 1;
	info->vegas.tcpv_rttcnt = READ_ONCE(flow->info);
	info->vegas.tcpv_rtt = READ_ONCE(flow->delay_ns) / NSEC_PER_USEC;
	info->vegas.tcpv_minrtt = READ_ONCE(flow->base_rtt_ns) / NSEC_PER_USEC;
	*attr = INET_DIAG_VEGASINFO;
	return sizeof(info->vegas);
}
EXPORT_SYMBOL_GPL(dcc_get_info);
