// SPDX-License-Identifier: GPL-2.0
/*
 * What inet_diag and TCP_CC_INFO show of a flow, as dcc_cc_info.h has it. Another
 * meaning of any field is another layout, with the next number. Why not the form
 * of Vegas: ss does not print it, but takes its delay for the smoothed RTT and
 * computes another "send" rate from it.
 */
#include <linux/inet_diag.h>
#include <net/tcp.h>

#include "dcc_core.h"

/* As dctcp has it: 8 bits of a request cannot name its own form. */
#define DCC_INFO_ASKED	(1 << (INET_DIAG_DCTCPINFO - 1) | \
			 1 << (INET_DIAG_VEGASINFO - 1))

/**
 * dcc_get_info() - what inet_diag and TCP_CC_INFO show of a flow
 * @sk: a TCP socket, NOT locked: under RCU, concurrent with everything
 * @ext: extensions asked for
 * @attr: which form it is
 * @info: filled in, 16 of its 20 bytes
 *
 * Return: bytes filled in, 0 if nothing was asked for.
 */
size_t dcc_get_info(struct sock *sk, u32 ext, int *attr,
		    union tcp_cc_info *info)
{
	const struct dcc_flow *flow = inet_csk_ca(sk);

	if (!(ext & DCC_INFO_ASKED))
		return 0;
	info->dctcp.dctcp_enabled = DCC_CC_INFO_LAYOUT;
	info->dctcp.dctcp_ce_state = READ_ONCE(flow->info);
	info->dctcp.dctcp_alpha = READ_ONCE(flow->delay_ns);
	info->dctcp.dctcp_ab_ecn = READ_ONCE(flow->base_rtt_ns);
	info->dctcp.dctcp_ab_tot = READ_ONCE(flow->priority);
	*attr = INET_DIAG_DCTCPINFO;
	return sizeof(info->dctcp);
}
EXPORT_SYMBOL_GPL(dcc_get_info);

/**
 * dcc_ssthresh() - there is none: the algorithm owns the window
 * @sk: a TCP socket, locked
 *
 * Return: the threshold unchanged.
 */
u32 dcc_ssthresh(struct sock *sk)
{
	return tcp_sk(sk)->snd_ssthresh;
}
EXPORT_SYMBOL_GPL(dcc_ssthresh);

/**
 * dcc_undo_cwnd() - nothing to undo: the algorithm cut, or it did not
 * @sk: a TCP socket, locked
 *
 * Every module of this project names this function, no other can: it marks a socket as
 * this project's.
 *
 * Return: the window unchanged.
 */
u32 dcc_undo_cwnd(struct sock *sk)
{
	return tcp_snd_cwnd(tcp_sk(sk));
}
EXPORT_SYMBOL_GPL(dcc_undo_cwnd);
