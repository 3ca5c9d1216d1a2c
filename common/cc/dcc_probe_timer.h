/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a suspended flow probes its path, and which ACK answers: what dcc_suspend.c goes by.
 *
 *	sent:   out > 0; by now + wait an answer has come, or the flow probes again, with
 *	        twice the wait
 *	ack:    a DSACK answers, or, of a receiver that is known to send none, any ACK half
 *	        of the least RTT after the probe or later that acknowledges nothing new. Of
 *	        two probes it is not known which is answered; the answer says that the peer
 *	        lives, and no delay
 *	never:  three probes or more are out, to a receiver that sends no DSACK, and it
 *	        acknowledges something new: old data are dropped on the path to it
 *	floor:  no two probes of a flow leave within DCC_PROBE_FLOOR_NS
 *	overdue: a flow that was suspended and sent nothing for max(10 ms, 128 base RTTs)
 *	        may send one packet, and another after twice, four times ... that, a
 *	        second at most
 *
 * Pure: no clock, no allocation; the caller serialises.
 */
#ifndef _DCC_PROBE_TIMER_H
#define _DCC_PROBE_TIMER_H

#include "../math/dcc_types.h"

/*
 * A probe is lost when its answer does not come within four round trips, of data
 * or of the last probe, and a millisecond, for a host that was busy. Then twice
 * as long, until an answer is clear: many suspended flows must not flood a path that
 * broke, and an answer that is slower than the wait would never be clear. Delays
 * end at 2^32 ns, and so do the waits.
 */
#define DCC_PROBE_RTTS		4
#define DCC_PROBE_MIN_NS	(1 * (u64)NSEC_PER_MSEC)
#define DCC_PROBE_MAX_NS	((u64)U32_MAX)	/* @wait_ns has room for it */
#define DCC_PROBE_UNHEARD	3	/* probes that may have been lost */

/*
 * A path shorter than this is not worth a probe each round trip: two hosts in a rack are
 * 8 us apart. It bounds what one flow can have sent from softirq to 50,000 probes/s.
 */
#define DCC_PROBE_FLOOR_NS	(20 * (u64)NSEC_PER_USEC)

/*
 * A flow that is never resumed by what its probes find (several queues in a row, a link
 * slower than its NIC) is slow, but not dead: one packet leaves after this time, the next
 * after twice as long. 200 suspended flows take 0.1 % of 10 Gbit/s so, after the first
 * second.
 */
#define DCC_PROBE_PATIENCE_RTTS	128
#define DCC_PROBE_PATIENCE_NS	(10 * (u64)NSEC_PER_MSEC)
#define DCC_PROBE_PATIENCE_MAX_NS	((u64)NSEC_PER_SEC)
#define DCC_PROBE_PASSES		15	/* @passed has room for it: 2^15 times 10 ms */
#define DCC_PROBE_COUNTED	15	/* @probes and @out have room for it */

/**
 * struct dcc_suspension - a flow that its algorithm may suspend
 * @due_ns: when to probe, or to probe again; ns, monotonic
 * @sent_ns: when the newest probe left
 * @began_ns: when the flow was suspended
 * @wait_ns: how long its answer may take; 0: as the smoothed RTT says
 * @cwnd: its window then, packets
 * @dups: the stack's count of DSACKs when the newest probe left; of a stack that asks whose
 *	they are, those that answer
 * @una: the first byte that was not acknowledged then
 * @silence: the stack's time of sending, jiffies, after which the algorithm learned of a silence;
 *	its lowest bit is set, 0: never
 * @left: since when no process has the socket, seconds, likewise; 0: one has
 * @probes: probes so far, 15 and then 1; 0: none
 * @out: of them, without an answer, up to 15
 * @plain: does the peer send no DSACK? Any ACK is taken for the answer then
 * @heard: did an ACK come since the newest probe left?
 * @dsack_seen: the stack's mark of a DSACK in this round trip when it left
 * @slot: is @due_ns a time that the namespace's budget of probes gave it?
 * @passed: packets that left though it is suspended, up to 15
 */
struct dcc_suspension {
	u64 due_ns;
	u64 sent_ns;
	u64 began_ns;
	u32 wait_ns;
	u32 cwnd;
	u32 dups;
	u32 una;
	u32 silence;
	u16 left;
	u8 probes : 4,
	   out : 4;
	u8 plain : 1,
	   heard : 1,
	   dsack_seen : 1,
	   slot : 1,
	   passed : 4;
};

/* What an ACK is to a suspended flow. */
enum dcc_answer {
	DCC_ANSWER_NONE,	/* something else */
	DCC_ANSWER_UNCLEAR,	/* to one of two probes */
	DCC_ANSWER_CLEAR,
	DCC_ANSWER_NEVER,	/* there will be none */
};

void dcc_probe_timer_begin(struct dcc_suspension *h, u64 now_ns);
bool dcc_probe_timer_overdue(struct dcc_suspension *h, u64 now_ns, u64 silent_ns, u32 base_rtt_ns);
void dcc_probe_timer_set(struct dcc_suspension *h, u64 at_ns);
bool dcc_probe_timer_sent(struct dcc_suspension *h, u64 now_ns, u32 srtt_ns, bool sack);
enum dcc_answer dcc_probe_timer_ack(struct dcc_suspension *h, u64 now_ns, u32 least_rtt_ns,
				    bool dsack, bool more);
void dcc_probe_timer_answered(struct dcc_suspension *h, u32 delay_ns);

#endif /* _DCC_PROBE_TIMER_H */
