/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What a flow shows by getsockopt(TCP_CC_INFO) and inet_diag, and how to read it.
 * The modules write by this file, dccstat and the tests read by it, and so may any
 * program: it needs nothing beside it. Python and Go: tools/ccinfo.
 *
 *	struct dcc_cc_info info;
 *	unsigned char data[DCC_CC_INFO_ROOM];
 *	socklen_t len = sizeof(data);
 *
 *	if (!getsockopt(fd, IPPROTO_TCP, 26, data, &len) &&
 *	    dcc_cc_info_read(&info, data, len) == DCC_CC_INFO_OK)
 *		printf("%u ns\n", info.delay_ns);
 *
 * The form is the kernel's struct tcp_dctcp_info, because stock ss prints that one
 * number by number. Numbers keep their meaning as long as the layout is the same.
 * A bit that is not listed here may come without another layout: ignore it.
 */
#ifndef _DCC_CC_INFO_H
#define _DCC_CC_INFO_H

#include <linux/types.h>
#ifndef __KERNEL__
#include <assert.h>
#include <string.h>
#endif

/* 1 was the form of Vegas: bits, delay and base RTT in us. */
#define DCC_CC_INFO_LAYOUT	2

/* B(number, name, word for people, meaning); Documentation/dcc.md is made of it. */
#define DCC_CC_INFO_BITS(B)						\
	B(0, NO_MEMORY, "no-memory",					\
	  "no send records: delays in whole us from the stack, no spraying, no history")	\
	B(1, LABEL_IPV4, "ipv4",					\
	  "spraying asked for on IPv4, which has no label")		\
	B(2, LABEL_OFF, "label-off",					\
	  "... but packets carry no automatic label (`net.ipv6.auto_flowlabels`)")	\
	B(3, LABEL_OWNED, "label-owned",				\
	  "... but the application set a flow label of its own")	\
	B(4, NO_LINE_RATE, "no-line-rate",				\
	  "speed of the egress device unknown: pacing follows the window")	\
	B(5, OVERRUN, "overrun",					\
	  "more packets in flight than `records`")			\
	B(6, SPRAYING, "sprays",					\
	  "a selector chooses labels")					\
	B(7, NO_ECN, "no-ecn",						\
	  "ECN wanted (nscc, mnscc, a selector that steers), not negotiated")	\
	B(8, LABEL_XFRM, "ipsec",					\
	  "spraying asked for, but IPsec carries the flow: not done")	\
	B(9, NOT_WRAPPED, "not-wrapped",				\
	  "packets leave unseen (the socket's operations are not TCP's own): no labels, "	\
	  "no records")							\
	B(10, SUSPENDED, "suspended",						\
	  "stopped by its algorithm, which probes its path")			\
	B(11, NO_PROBES, "no-probes",					\
	  "cannot be suspended: no probe would be answered")			\
	B(12, AUTO_INSTEAD, "auto-instead",				\
	  "bitmap, reps or mixed asked for, which go by ECN marks, and the connection has "	\
	  "none: `auto`, which goes by delay")				\
	B(13, ONE_FLOW, "one-flow",					\
	  "spraying asked for, but the device (WireGuard) makes one flow of all packets")

#define DCC_CC_INFO_ENUM(number, name, word, help)	\
	DCC_INFO_##name = 1 << (number),
enum dcc_cc_info_bits {
	DCC_CC_INFO_BITS(DCC_CC_INFO_ENUM)
};

#ifndef __KERNEL__

#define DCC_CC_INFO_ROOM	64	/* union tcp_cc_info has 20, and may grow */
#define DCC_CC_INFO_BYTES	16

/**
 * struct dcc_cc_info - what a flow shows
 * @layout: DCC_CC_INFO_LAYOUT
 * @bits: DCC_INFO_*
 * @delay_ns: what the algorithm acted on last, ns; 0: its last ACK gave no delay
 * @base_rtt_ns: the least delay of full packets, ns; 0: unknown
 * @priority: from 1, which is the channel; 0: the algorithm has none
 */
struct dcc_cc_info {
	__u16 layout;
	__u16 bits;
	__u32 delay_ns;
	__u32 base_rtt_ns;
	__u32 priority;
};

enum dcc_cc_info_status {
	DCC_CC_INFO_OK,
	DCC_CC_INFO_SHORT,	/* too few bytes: another algorithm, or none */
	DCC_CC_INFO_DCTCP,	/* dctcp itself */
	DCC_CC_INFO_OTHER,	/* a layout that this file does not know: see info->layout */
};

/**
 * dcc_cc_info_read() - take what a flow showed
 * @info: filled in if OK, else zeroed but for the layout, if there was one
 * @data: bytes, in the order of this machine, aligned in any way
 * @len: how many
 *
 * Return: OK, or why not.
 */
static inline enum dcc_cc_info_status
dcc_cc_info_read(struct dcc_cc_info *info, const void *data, size_t len)
{
	memset(info, 0, sizeof(*info));
	if (len < DCC_CC_INFO_BYTES)
		return DCC_CC_INFO_SHORT;
	memcpy(&info->layout, data, sizeof(info->layout));
	if (info->layout < DCC_CC_INFO_LAYOUT)
		return DCC_CC_INFO_DCTCP;
	if (info->layout > DCC_CC_INFO_LAYOUT)
		return DCC_CC_INFO_OTHER;
	memcpy(info, data, sizeof(*info));
	return DCC_CC_INFO_OK;
}

#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
static_assert(sizeof(struct dcc_cc_info) == DCC_CC_INFO_BYTES, "struct tcp_dctcp_info");
#endif

#endif /* __KERNEL__ */

#endif /* _DCC_CC_INFO_H */
