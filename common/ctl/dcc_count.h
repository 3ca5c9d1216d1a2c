/* SPDX-License-Identifier: GPL-2.0 */
/* Counters: what happened so far, in /sys/module/tcp_dcc/counters, for root. */
#ifndef _DCC_COUNT_H
#define _DCC_COUNT_H

#define DCC_COUNTERS(C)							\
	C(flows, "flows started")					\
	C(alloc_failed, "times a flow found no memory: us RTT, no spraying until it does") \
	C(packets_sprayed, "data packets given a label by a selector")	\
	C(packets_inert, "data packets that should have been, but have no label to write") \
	C(acks_sprayed, "pure ACKs given a label")			\
	C(paths_good, "packets whose label was heard to fare well")	\
	C(paths_ce, "packets whose label was heard to meet congestion")	\
	C(paths_lost, "packets resent because they were declared lost")	\
	C(paths_timeout, "packets resent after a timeout")		\
	C(label_ipv4, "spraying flows on IPv4, which has no label")	\
	C(label_off, "spraying flows whose packets carry no automatic label") \
	C(label_owned, "spraying flows whose socket has a label of its own") \
	C(label_xfrm, "spraying flows that IPsec carries: its replay window wants order") \
	C(label_one_flow, "spraying flows whose device makes one flow of all packets") \
	C(not_wrapped, "flows whose packets leave unseen: no labels, no records") \
	C(line_rate_unknown, "flows whose egress device reports no speed")	\
	C(ecn_missing, "flows that wanted ECN and did not get it: delay and loss only") \
	C(spray_replaced, "flows whose path selector needs ECN, and has none: auto in its place") \
	C(ce_echoes, "ACKs sent at once because the CE mark changed")	\
	C(records_overrun, "packets without a send record: more were in flight") \
	C(samples, "ACKs that gave a delay")				\
	C(samples_retrans, "ACKs without one: retransmitted data")	\
	C(samples_backlog, "ACKs without one: they waited for the socket") \
	C(samples_unmatched, "ACKs without one: no send record")	\
	C(rtos, "retransmission timeouts")				\
	C(tlp_probes, "tail loss probes: new packets, since a whole window was silent")	\
	C(tlp_resends, "tail loss probes in a recovery: packets sent again once more") \
	C(tlp_spurious, "tail loss probes that were spurious: nothing was lost") \
	C(suspensions, "times a flow was suspended")				\
	C(suspensions_refused, "not suspended: no answer to probes, no memory, or closed") \
	C(probes_sent, "probes of suspended flows")				\
	C(probes_lost, "probes without an answer in time")		\
	C(probes_unclear, "answers that gave no delay: one of two tries, or a socket in use") \
	C(probes_deferred, "probes put off: the namespace spends enough on them") \
	C(suspensions_overdue, "packets of suspended flows that left since none had for too long") \
	C(priority_clamped, "flows whose priority is above the highest level: they have that")

#define DCC_COUNTER_ENUM(name, help)	DCC_COUNT_##name,
enum dcc_counter {
	DCC_COUNTERS(DCC_COUNTER_ENUM)
	DCC_COUNTER_COUNT
};

void dcc_count(enum dcc_counter c);
int dcc_count_init(void);
void dcc_count_exit(void);

#endif /* _DCC_COUNT_H */
