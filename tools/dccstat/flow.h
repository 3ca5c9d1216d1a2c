/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of a flow: from sock_diag (its addresses, state, algorithm, the
 * stack's struct tcp_info, and what an algorithm of ours tells of itself), and from
 * the trace event dcc:dcc_ack (what no other interface of the kernel has: the target,
 * the rule that fired last, oscar's share, labels).
 */
#ifndef _DCCSTAT_FLOW_H
#define _DCCSTAT_FLOW_H

#include <linux/tcp.h>

#include "../../common/ctl/dcc_cc_info.h"
#include "../../common/math/dcc_types.h"
#include "../replay/rules.h"

#define CC_TEXT		16	/* TCP_CA_NAME_MAX of the kernel */
#define ADDRESS_BYTES	16
#define WHY_TEXT	256	/* longest reason for a refusal */

/**
 * struct ack - an ACK of a flow as dcc:dcc_ack tells it; Documentation/dcc.md has
 * the fields
 */
struct ack {
	char alg[CC_TEXT];
	u64 now;
	u64 sent;
	u64 cwnd;
	u64 pacing;
	u32 rtt;
	u32 base;
	u32 hosts;
	u32 srtt;
	u32 delay;
	u32 target;
	u32 acked;
	u32 ce;
	u32 losses;
	u32 run;
	u32 inflight;
	u32 share;
	s32 gradient;
	u16 sport;
	u16 dport;
	u8 limited;
	u8 branch;
	u8 dscp;
	u8 app;
	u8 fills;
	u8 delayed;
	u8 recovery;
	u8 drains;
	u8 no_ecn;
	u8 sprayed;
	u8 idle;
	u8 small;
	u32 mss;
	u32 flight;
	u32 priority;
	u32 labels;
	u32 avoided;
	u64 line;
};

/**
 * struct told - what an algorithm learned without an ACK, as dcc:dcc_event has it
 */
struct told {
	char alg[CC_TEXT];
	char event[CC_TEXT];
	u64 now;
	u64 line;
	u32 srtt;
	u32 lost;
	u32 mss;
	u16 sport;
	u16 dport;
};

/**
 * struct flow - a TCP socket
 * @family: AF_INET or AF_INET6
 * @state: TCP_ESTABLISHED and so on
 * @sport: this host's port
 * @dport: the other one's
 * @src: this host's address, the first 4 bytes if AF_INET
 * @dst: the other one's
 * @uid: whose it is
 * @inode: its inode, 0 if no program has it any more
 * @net: its network namespace, for people; NULL: this one
 * @cc: its algorithm; "" if the kernel did not tell
 * @told: did it tell anything in the form that ours have?
 * @own_status: what dcc_cc_info_read() said of that
 * @own: what an algorithm of ours tells; valid if told and the status is OK
 * @tcp: the stack's, zero behind what this kernel has
 * @tcp_bytes: how much that is; 0: nothing
 * @ack: its last ACK that was traced
 * @traced: is there one?
 * @twins: other sockets with these ports and this algorithm: the event names no
 *	address and no namespace, so @ack may be of any of them and is left out
 */
struct flow {
	u8 family;
	u8 state;
	u16 sport;
	u16 dport;
	u8 src[ADDRESS_BYTES];
	u8 dst[ADDRESS_BYTES];
	u32 uid;
	u32 inode;
	const char *net;
	char cc[CC_TEXT];
	bool told;
	enum dcc_cc_info_status own_status;
	struct dcc_cc_info own;
	struct tcp_info tcp;
	size_t tcp_bytes;
	struct ack ack;
	bool traced;
	u32 twins;
};

/* Does this kernel's struct tcp_info reach as far as a field? */
#define FLOW_HAS(flow, field)						\
	((flow)->tcp_bytes >= offsetof(struct tcp_info, field) +		\
			      sizeof(((struct tcp_info *)0)->field))

/* What an algorithm of ours told, or NULL. */
static inline const struct dcc_cc_info *flow_own(const struct flow *f)
{
	return f->told && f->own_status == DCC_CC_INFO_OK ? &f->own : NULL;
}

/* A selector may have labels that nothing carries: IPv4 has none, IPv6's may be off. */
static inline bool flow_sprays(const struct flow *f)
{
	const struct dcc_cc_info *own = flow_own(f);

	return own && own->bits & DCC_INFO_SPRAYING;
}

/**
 * struct told_word - a bit that a flow may tell
 * @bit: DCC_INFO_*
 * @word: for people
 */
struct told_word {
	u16 bit;
	const char *word;
};

extern const struct told_word told_words[];
extern const u32 told_word_count;

#endif /* _DCCSTAT_FLOW_H */
