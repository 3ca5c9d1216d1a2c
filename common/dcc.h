/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcp_dcc.ko: what the congestion-control modules share, kernel side.
 *
 * A module describes its law in a struct dcc_alg, makes its operations with
 * DCC_OPS() and itself with DCC_MODULE(). A flow's private state is struct
 * dcc_flow, with the law's own behind it; on each ACK dcc_law.c does
 *
 *	if (dcc_sample(sk, flow, rs, &sample)) {
 *		alg->on_ack(law, extra, knobs, &sample, &decision);
 *		dcc_apply(sk, flow, &sample, &decision);
 *	}
 *
 * .undo_cwnd = dcc_undo_cwnd is also how a socket is known as ours: no other
 * module can name that function.
 *
 * What knows what, none calls upward:
 *   dcc_law.c    the operations that ask the law
 *   dcc_flow.c   a flow's life: start, memory, end
 *   dcc_xmit.c   each packet of a flow of ours leaves, with the socket locked
 *   dcc_ack.c    what an ACK told            dcc_apply.c  carrying a decision out
 *   dcc_hold.c   stopping a flow for a while dcc_probe.c  asking how the path is
 *   dcc_ask.c    when to ask, and what answers (pure)
 *   dcc_dip.c    making room to see the empty path (pure)
 *   dcc_tail.c   asking when a whole window is silent
 *   dcc_record.c what became of each label   dcc_ring.c   send records (pure)
 *   dcc_hooks.c  netfilter: packets without a flow of ours; no flow's memory
 *   dcc_reorder.c, dcc_ecn.c, dcc_line.c, dcc_knobs.c, dcc_count.c, dcc_info.c
 */
#ifndef _DCC_H
#define _DCC_H

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/seqlock.h>
#include <net/tcp.h>

#include "dcc_ask.h"
#include "dcc_back.h"
#include "dcc_budget.h"
#include "dcc_cc_info.h"
#include "dcc_compat.h"
#include "dcc_dip.h"
#include "dcc_jitter.h"
#include "dcc_fixed.h"
#include "dcc_flow_knobs.h"
#include "dcc_held.h"
#include "dcc_ring.h"
#include "dcc_sample.h"
#include "dcc_tail.h"

/* What modinfo says; the version is dkms.conf's, by way of the top Kbuild. */
#define DCC_AUTHOR "The tcp-dcc authors"
#ifndef DCC_VERSION
#define DCC_VERSION "unknown"
#endif

/* --- counters: /sys/module/tcp_dcc/counters, for root -------------------- */

#define DCC_COUNTERS(C)							\
	C(flows, "flows started")					\
	C(alloc_failed, "times a flow found no memory: us RTT, no spraying until it does") \
	C(packets_sprayed, "data packets given a label by an engine")	\
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
	C(line_rate_unknown, "flows whose egress device tells no speed")	\
	C(ecn_missing, "flows that wanted ECN and did not get it: delay and loss only") \
	C(spray_replaced, "flows whose path selector needs ECN, and has none: auto in its place") \
	C(ce_echoes, "ACKs sent at once because the CE mark changed")	\
	C(records_overrun, "packets without a send record: more were in flight") \
	C(samples, "ACKs that gave a delay")				\
	C(samples_retrans, "ACKs without one: retransmitted data")	\
	C(samples_backlog, "ACKs without one: they waited for the socket") \
	C(samples_unmatched, "ACKs without one: no send record")	\
	C(rtos, "retransmission timeouts")				\
	C(tail_probes, "packets let out because a whole window was silent")	\
	C(tail_resends, "packets sent again once more because a repair was silent") \
	C(tail_needless, "silences after such a packet that ended with nothing lost") \
	C(holds, "times a flow was held")				\
	C(holds_refused, "flows that cannot be held: no answer, no memory, closed a minute ago") \
	C(probes_sent, "probes of held flows")				\
	C(probes_lost, "probes without an answer in time")		\
	C(probes_unclear, "answers that told no delay: one of two tries, or a socket in use") \
	C(probes_deferred, "probes put off: the namespace spends enough on them") \
	C(holds_overdue, "packets that left in a hold since none had for too long") \
	C(priority_clamped, "flows whose priority is above the highest level: they have that")

#define DCC_COUNTER_ENUM(name, help)	DCC_COUNT_##name,
enum dcc_counter {
	DCC_COUNTERS(DCC_COUNTER_ENUM)
	DCC_COUNTER_COUNT
};

void dcc_count(enum dcc_counter c);

/* --- knobs ---------------------------------------------------------------- */

struct net;

/**
 * struct dcc_knob_table - a module's knobs, made visible
 * @knob: the table
 * @count: its lines
 * @algs: names of the module's algorithms, "" for none; bit i of dcc_knob.algs
 *	is the i-th
 * @alg_count: how many
 * @global: values of /sys/module/<mod>/parameters, one u32 per line
 * @changed: called after a namespace's value was written; an error undoes it.
 *	May be NULL. Process context, no lock held
 * @net_id: filled in by register_pernet_subsys()
 */
struct dcc_knob_table {
	const struct dcc_knob *knob;
	unsigned int count;
	const char *const *algs;
	unsigned int alg_count;
	u32 *global;
	int (*changed)(struct net *net);
	unsigned int net_id;
};

struct dcc_knob_slot;

#define DCC_KNOB_MAX_ALGS	4	/* algorithms a table serves */
#define DCC_KNOB_MAX		48	/* knobs in a table: 192 B of stack */

/**
 * struct dcc_knob_net - a table's overrides in one network namespace
 * @lock: of the values in @slot
 * @slot: alg_count * count values
 * @ctl: their sysctl tables
 * @header: the registered ones
 */
struct dcc_knob_net {
	seqlock_t lock;
	struct dcc_knob_slot *slot;
	struct ctl_table *ctl;
	struct ctl_table_header *header[DCC_KNOB_MAX_ALGS];
};

/**
 * struct dcc_knob_param - ties a sysfs file to its line and value
 * @knob: the line
 * @value: where the value is kept
 */
struct dcc_knob_param {
	const struct dcc_knob *knob;
	u32 *value;
};

extern const struct kernel_param_ops dcc_knob_param_ops;

/*
 * In a module: its sysfs files, from its list macro; see tcp_mswift_main.c. The
 * operations behind them, unless it has its own.
 */
#define DCC_KNOB_OPS	dcc_knob_param_ops

#define DCC_KNOB_PARAM(n, unit, lo, hi, dflt, algs, help)		\
	static const struct dcc_knob_param dcc_param_##n = {		\
		&DCC_KNOB_LINES[DCC_KNOB_##n],				\
		&((u32 *)&DCC_KNOB_VALUES)[DCC_KNOB_##n],		\
	};								\
	module_param_cb(n, &DCC_KNOB_OPS, (void *)&dcc_param_##n, 0644); \
	MODULE_PARM_DESC(n, help " [" unit ", " #lo " to " #hi ", default " #dflt "]");

int dcc_knobs_net_init(struct net *net, const struct dcc_knob_table *t);
void dcc_knobs_net_exit(struct net *net, const struct dcc_knob_table *t);
void dcc_knobs_snapshot(const struct net *net, const struct dcc_knob_table *t,
			unsigned int alg, u32 *values);
u32 dcc_knob_value(const struct net *net, const struct dcc_knob_table *t,
		   unsigned int alg, unsigned int index);

/* --- flows ---------------------------------------------------------------- */

/**
 * struct dcc_mem - a flow's memory, with the socket's lock
 * @ring: send records; none before the first data packet
 * @spray: its path engine; NULL: none, or no data sent yet
 * @extra: the law's own memory; NULL before the first data packet, and if it
 *	wants none
 * @key: the source of the labels' randomness
 * @labelled: packets that got a label without an engine so far: data, for the
 *	namespace's knob, of a flow that has no engine, pure ACKs and probes of one that
 *	has
 * @delivered: the stack's count of delivered packets at the last sample
 * @lost: its count of lost ones
 * @una: the first byte not acknowledged then
 * @echo_rcv_nxt: what was received in order before the newest packet
 * @back: what is known of the way that its ACKs come
 * @own_ring: does @ring lie in an allocation of its own?
 * @own_extra: does @extra?
 * @told: SACKs since @una moved, up to as many as a receiver sends at once
 * @sacks_held: packets of which the receiver holds the SACKs back, of dcc_held.h
 * @knobs: the flow's snapshot of its knobs; behind them, if the law may hold its
 *	flows, struct dcc_hold, if it dips, struct dcc_dip
 *
 * An idle connection has this and its knobs, 256 B. The first data packet makes
 * it an allocation of at most 1 KiB with the hosts' jitter, the engine, the law's
 * memory and 16 records; from then on records double whenever more are in flight, as far as the
 * knob lets them, and the law gets the rest of what it wants the first time.
 */
struct dcc_mem {
	struct dcc_ring ring;
	struct dcc_spray *spray;
	void *extra;
	u64 key;
	u32 labelled;
	u32 delivered;
	u32 lost;
	u32 una;
	u32 echo_rcv_nxt;
	struct dcc_back back;
	u8 own_ring : 1,
	   own_extra : 1,
	   told : 2;
	u16 sacks_held;
	u32 knobs[];
};

/*
 * A connection starts with up to 16 ACKs at once (TCP_MAX_QUICKACKS), and after a
 * loss has as many again: twice that is no start.
 */
#define DCC_SINGLE_SURE	32

/**
 * struct dcc_flow - the library's part of a flow's private state
 * @mem: NULL: not ours yet, or no memory
 * @base_rtt_ns: smallest delay of the largest packets seen; 0: unknown
 * @srtt_ns: smoothed delay of its packets, gain 1/8; 0: unknown
 * @delay_ns: what the law acted on last
 * @delivered_ce: the stack's count of CE-marked packets at the last sample, modulo
 *	2^16: no ACK is for so many
 * @priority: its level, of laws that know any, else 0
 * @tail: how often it asked since something was delivered, see dcc_tail.h
 * @tail_open: is the window opened by one packet to ask?
 * @tail_look: may a timer be set to ask, or may one have to be?
 * @capped: have its super-packets a limit of ours?
 * @paced: with nothing in flight, does data wait for its turn?
 * @base_len: payload of the packets @base_rtt_ns was taken from
 * @info: facts that a user should be able to see: DCC_INFO_* of dcc_cc_info.h
 * @ready: did dcc_flow_init() run? Zeroed state means "not ours yet"
 * @waiting: chosen while connecting: it starts when the connection stands
 * @recovery: fast recovery entered since the last sample?
 * @restart: delay history void since the last sample?
 * @tolerant: was the stack told that reordering is normal?
 * @small: is the window so small that pacing carries it out?
 * @echo_ce: was the newest packet received marked CE?
 * @starved: did an allocation fail since the last ACK? Then none is tried
 * @starts: does its window double, so that it does not dip?
 * @alone: does it see nobody else on its path, so that it dips to make sure only?
 * @clamped: is its priority above the levels there are?
 * @held: does its law hold it? Then there is @mem, with struct dcc_hold
 * @single: ACKs in a row that were for one packet though more were on the way, as
 *	a receiver sends them that holds none back; up to DCC_SINGLE_SURE
 */
struct dcc_flow {
	struct dcc_mem *mem;
	u32 base_rtt_ns;
	u32 srtt_ns;
	u32 delay_ns;
	u16 delivered_ce;
	u8 priority;
	u8 tail : 3,
	   tail_open : 1,
	   tail_look : 1,
	   capped : 1,
	   paced : 1;
	u16 base_len;
	u16 info;
	u16 ready : 1,
	    waiting : 1,
	    recovery : 1,
	    restart : 1,
	    tolerant : 1,
	    small : 1,
	    echo_ce : 1,
	    starved : 1,
	    starts : 1,
	    alone : 1,
	    clamped : 1,
	    held : 1,
	    single : 6;
} __aligned(8);	/* 32-bit machines, too: the law's state lies behind it */

static_assert(sizeof(struct dcc_flow) == 32, "no room in the socket");

struct dcc_alg;

/**
 * struct dcc_ops - operations of an algorithm of ours
 * @ops: what the stack knows
 * @alg: which algorithm
 * @offered: are they registered?
 */
struct dcc_ops {
	struct tcp_congestion_ops ops;
	const struct dcc_alg *alg;
	bool offered;
};

/**
 * struct dcc_alg - what the library needs to know of an algorithm
 * @knobs: its module's table
 * @ops: its operations, those that are registered
 * @marked_ops: the same with TCP_CONG_NEEDS_ECN, for flows that steer by marks;
 *	NULL: @ops ask for ECN themselves
 * @alg: its number in the table
 * @extra_size: bytes of the law's own memory, zeroed, 8-aligned, as
 *	DCC_EXTRA_SIZE(); may be 0
 * @grown_size: bytes of the memory that replaces it once more than
 *	DCC_FIRST_RECORDS packets were in flight; 0: none does
 * @start: prepares the law's own memory; may be NULL
 * @grow: fills the new memory from the old; not NULL if @grown_size is not 0
 * @init: starts the law, of a flow that is ready; sets all of its state
 * @on_ack: decides on an ACK; extra as dcc_flow_extra(), knobs as
 *	dcc_flow_knobs(). The decision comes zeroed
 * @on_rto: a retransmission timeout, not while the flow is held
 * @on_probe: decides on the answer to a probe, of which the sample tells the
 *	delay and no packets; NULL: the law holds no flow
 * @on_first: decides on the window of a flow that begins, or begins again after it was
 *	silent, or to hold it and probe first: the sample tells no delay and no packets;
 *	may be NULL
 * @dip_knobs: of a law that goes by the base RTT which its flow finds: those of
 *	dips of its window (dcc_dip.h), dip_rtts not 0; NULL: with these knobs it does
 *	not dip. A NULL pointer: never. Not of a law with an on_probe()
 * @on_idle: what was measured is stale, or of packets of another size
 * @reorder: is it made for flows that are sprayed?
 * @walk_losses: fill in dcc_sample.lost_run?
 * @tail_probes: may a packet leave when a whole window is silent (dcc_tail.h)?
 *	Not of a law with an on_probe()
 */
struct dcc_alg {
	const struct dcc_knob_table *knobs;
	struct dcc_ops *ops;
	struct dcc_ops *marked_ops;
	unsigned int alg;
	size_t extra_size;
	size_t grown_size;
	void (*start)(void *extra);
	void (*grow)(void *grown, const void *extra);
	void (*init)(struct sock *sk, void *law);
	void (*on_ack)(void *law, void *extra, const void *knobs,
		       const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_rto)(void *law, void *extra, const void *knobs,
		       const struct dcc_timeout *t);
	void (*on_probe)(void *law, void *extra, const void *knobs,
			 const struct dcc_sample *s, struct dcc_decision *d);
	void (*on_first)(void *law, void *extra, const void *knobs,
			 const struct dcc_sample *s, struct dcc_decision *d);
	const struct dcc_dip_knobs *(*dip_knobs)(const void *knobs);
	void (*on_idle)(void *law, void *extra, u64 now_ns);
	bool reorder;
	bool walk_losses;
	bool tail_probes;
};

#define DCC_FIRST_RECORDS	16U	/* until more packets were in flight */

u64 dcc_line_rate(const struct sock *sk, u32 knob_mbps);
void dcc_first_window(struct sock *sk, const struct dcc_flow_knobs *k,
		      u64 bytes);
void dcc_pace(struct sock *sk, u64 rate);

/* --- operations that are the same for all modules -------------------------- */

void dcc_tcp_init(struct sock *sk);
void dcc_release(struct sock *sk);
DCC_DECLARE_CONG_CONTROL
void dcc_set_state(struct sock *sk, u8 state);
u32 dcc_ssthresh(struct sock *sk);
u32 dcc_undo_cwnd(struct sock *sk);
size_t dcc_get_info(struct sock *sk, u32 ext, int *attr,
		    union tcp_cc_info *info);
void dcc_cwnd_event(struct sock *sk, enum tcp_ca_event event);
void dcc_cwnd_event_tx_start(struct sock *sk);
void dcc_in_ack_event(struct sock *sk, u32 flags);
DCC_DECLARE_TSO_SEGS_OP

#define DCC_OPS(name_, alg_, flags_) {					\
	.ops = {							\
		.flags = TCP_CONG_NON_RESTRICTED | (flags_),		\
		.name = name_,						\
		.owner = THIS_MODULE,					\
		.init = dcc_tcp_init,					\
		.release = dcc_release,					\
		.cong_control = dcc_cong_control,			\
		.set_state = dcc_set_state,				\
		.in_ack_event = dcc_in_ack_event,			\
		DCC_EVENT_OPS,						\
		DCC_TSO_SEGS_OP,					\
		.ssthresh = dcc_ssthresh,				\
		.undo_cwnd = dcc_undo_cwnd,				\
		.get_info = dcc_get_info,				\
	},								\
	.alg = alg_,							\
}

int dcc_register(const struct dcc_alg *algs, int count,
		 struct pernet_operations *net_ops);
void dcc_unregister(const struct dcc_alg *algs, int count,
		    struct pernet_operations *net_ops);
int dcc_module_net_init(struct net *net, const struct dcc_alg *algs);
void dcc_module_net_pre_exit(struct net *net, const struct dcc_alg *algs);

/* A module: its namespaces' sysctls and its algorithms come and go with it. */
#define DCC_MODULE(mod, table, algs)					\
static int __net_init mod##_net_init(struct net *net)			\
{									\
	return dcc_module_net_init(net, algs);				\
}									\
static void __net_exit mod##_net_pre_exit(struct net *net)		\
{									\
	dcc_module_net_pre_exit(net, algs);				\
}									\
static void __net_exit mod##_net_exit(struct net *net)			\
{									\
	dcc_knobs_net_exit(net, &(table));				\
}									\
static struct pernet_operations mod##_net_ops = {			\
	.init = mod##_net_init,						\
	.pre_exit = mod##_net_pre_exit,					\
	.exit = mod##_net_exit,						\
	.id = &(table).net_id,						\
	.size = sizeof(struct dcc_knob_net),				\
};									\
static int __init mod##_module_init(void)				\
{									\
	return dcc_register(algs, ARRAY_SIZE(algs), &mod##_net_ops);	\
}									\
static void __exit mod##_module_exit(void)				\
{									\
	dcc_unregister(algs, ARRAY_SIZE(algs), &mod##_net_ops);		\
}									\
module_init(mod##_module_init);						\
module_exit(mod##_module_exit)

/* Does one of our modules drive this socket? Any context, under RCU. */
static inline bool dcc_is_ours(const struct sock *sk)
{
	const struct tcp_congestion_ops *ops =
		READ_ONCE(inet_csk(sk)->icsk_ca_ops);

	return ops->undo_cwnd == dcc_undo_cwnd;
}

/*
 * Does a socket keep its namespace? One of the kernel need not, and may outlive it: nothing
 * of ours in the namespace is there for such a socket, and the timer of pacing is not
 * either, since the stack of older kernels does not stop it when such a socket is closed.
 */
static inline bool dcc_has_net(const struct sock *sk)
{
	return sk->sk_net_refcnt || net_eq(sock_net(sk), &init_net);
}

/* Which algorithm drives a socket of ours; the socket is locked. */
static inline const struct dcc_alg *dcc_alg_of(const struct sock *sk)
{
	return container_of(inet_csk(sk)->icsk_ca_ops, struct dcc_ops, ops)->alg;
}

/* The flow's knobs: its snapshot, or the module's own when it has no memory. */
static inline const void *dcc_flow_knobs(const struct dcc_flow *flow,
					 const struct dcc_alg *alg)
{
	return flow->mem ? flow->mem->knobs : alg->knobs->global;
}

/* The law's state lies behind the library's, which is as long as it is aligned. */
static inline void *dcc_flow_law(struct dcc_flow *flow)
{
	return flow + 1;
}

#define DCC_LAW_FITS(law) \
	static_assert(sizeof(struct dcc_flow) + sizeof(law) <= ICSK_CA_PRIV_SIZE, \
		      "private state too large")

/* The law's own memory; NULL: it wants none, there is none, or no data yet. */
static inline void *dcc_flow_extra(const struct dcc_flow *flow)
{
	return flow->mem ? flow->mem->extra : NULL;
}

/* What struct dcc_mem begins with: its knobs, then the state of holds, or of dips. */
#define DCC_MEM_HOLD_AT(count)						\
	ALIGN(offsetof(struct dcc_mem, knobs) + (count) * sizeof(u32), sizeof(u64))

/* And goes on with from the first data packet on: jitter, the law's, records, engine. */
#define DCC_MEM_EXTRA_AT(first)	((first) + sizeof(struct dcc_jitter))
#define DCC_MEM_RING_AT(first, extra)					\
	(DCC_MEM_EXTRA_AT(first) + ALIGN(extra, sizeof(u64)))
#define DCC_MEM_SPRAY_AT(first, extra)					\
	(DCC_MEM_RING_AT(first, extra) + DCC_RING_SIZE(DCC_FIRST_RECORDS))

/*
 * What security.md promises: the allocation of a connection without data, and of
 * one that never had more than DCC_FIRST_RECORDS packets in flight, with the
 * largest engine. kmalloc() has both sizes.
 */
#define DCC_MEM_FIRST_MOST	256
#define DCC_MEM_SECOND_MOST	1024
#define DCC_MEM_GROWN_MOST	4096	/* the law's own, beside more records */

/*
 * For dcc_alg.extra_size: @extra bytes, but the module only builds if its flows'
 * memory then keeps the promise. @knobs: lines of its table; @hold: bytes for
 * holds or dips, sizeof(struct dcc_hold) of a law with an on_probe(),
 * sizeof(struct dcc_dip) of one with dip_knobs(), else 0.
 */
#define DCC_EXTRA_SIZE(knobs, hold, extra)				\
	((extra) +							\
	 BUILD_BUG_ON_ZERO(DCC_MEM_HOLD_AT(knobs) + (hold) > DCC_MEM_FIRST_MOST) + \
	 BUILD_BUG_ON_ZERO(DCC_MEM_SPRAY_AT(DCC_MEM_HOLD_AT(knobs) + (hold), extra) + \
			   sizeof(struct dcc_spray) > DCC_MEM_SECOND_MOST))

static inline size_t dcc_mem_knob_size(const struct dcc_alg *alg)
{
	return alg->knobs->count * sizeof(u32);
}

static inline size_t dcc_mem_hold_at(const struct dcc_alg *alg)
{
	return DCC_MEM_HOLD_AT(alg->knobs->count);
}

/* What a flow has before it sends data; its hosts' jitter lies behind that. */
static inline size_t dcc_mem_first_size(const struct dcc_alg *alg)
{
	return dcc_mem_hold_at(alg) +
	       (alg->on_probe ? sizeof(struct dcc_hold) : 0) +
	       (alg->dip_knobs ? sizeof(struct dcc_dip) : 0);
}

/* A flow's dips, if its law dips; all zero unless its knobs let it. */
static inline struct dcc_dip *dcc_flow_dip(const struct dcc_flow *flow,
					   const struct dcc_alg *alg)
{
	if (!flow->mem || !alg->dip_knobs)
		return NULL;
	return (void *)((u8 *)flow->mem + dcc_mem_hold_at(alg));
}

/* What the hosts of a flow delay packets by; NULL: without data, or it neither probes nor dips */
static inline struct dcc_jitter *dcc_flow_jitter(const struct dcc_flow *flow,
						 const struct dcc_alg *alg)
{
	if (!flow->mem || !flow->mem->ring.record || !(alg->on_probe || alg->dip_knobs))
		return NULL;
	return (void *)((u8 *)flow->mem + dcc_mem_first_size(alg));
}

/* Is the window made smaller now, to see the path empty? */
static inline bool dcc_flow_dips(const struct dcc_flow *flow, const struct dcc_alg *alg)
{
	const struct dcc_dip *dip = dcc_flow_dip(flow, alg);

	return dip && dip->on;
}

/* Of a flow that has memory, of a law that may hold it. */
static inline struct dcc_hold *dcc_flow_hold(const struct dcc_flow *flow,
					     const struct dcc_alg *alg)
{
	return (void *)((u8 *)flow->mem + dcc_mem_hold_at(alg));
}

/*
 * The raw smoothed RTT. From the flow's own delays, if it has any: the stack's
 * is that of the oldest packet an ACK covers, which on a paced flow includes
 * the gap to the next one.
 */
static inline u32 dcc_srtt_ns(const struct dcc_flow *flow,
			      const struct tcp_sock *tp)
{
	if (flow->srtt_ns)
		return flow->srtt_ns;
	return min_t(u64, (u64)(tp->srtt_us >> 3) * NSEC_PER_USEC, U32_MAX);
}

/* How long nothing left, jiffies. */
static inline u32 dcc_silence(const struct sock *sk)
{
	return tcp_jiffies32 - tcp_sk(sk)->lsndtime;
}

/*
 * Is what was measured of a flow that is about to send stale? Nothing of it was in
 * flight for longer than a retransmission timeout. Asked packet by packet.
 */
static inline bool dcc_was_silent(const struct sock *sk)
{
	return !tcp_sk(sk)->packets_out &&
	       dcc_silence(sk) > inet_csk(sk)->icsk_rto;
}

/* The label that the stack makes of a packet's hash: ip6_make_flowlabel(). */
static inline u32 dcc_hash_label(u32 hash)
{
	u32 word = rol32(hash, 16) & (__force u32)IPV6_FLOWLABEL_MASK;

	return ntohl((__force __be32)word);
}

/* --- inside the library ---------------------------------------------------- */

bool dcc_flow_init(struct sock *sk, struct dcc_flow *flow,
		   const struct dcc_alg *alg);
void dcc_flow_late(struct sock *sk, struct dcc_flow *flow);
void dcc_sample_flow(struct sock *sk, const struct dcc_flow *flow,
		     struct dcc_sample *s);
bool dcc_sample(struct sock *sk, struct dcc_flow *flow,
		const struct rate_sample *rs, struct dcc_sample *s);
bool dcc_state_is_timeout(struct sock *sk, struct dcc_flow *flow, u8 state,
			  u32 *lost);
bool dcc_path_is_known(const struct sock *sk, const struct dcc_flow *flow);
void dcc_apply(struct sock *sk, struct dcc_flow *flow,
	       const struct dcc_sample *s, const struct dcc_decision *d);
bool dcc_mem_for_data(struct sock *sk, struct dcc_flow *flow);
void dcc_mem_grow(struct sock *sk, struct dcc_flow *flow);
void dcc_note(struct dcc_flow *flow, u16 info, enum dcc_counter c);
void dcc_segs_uncap(struct sock *sk, struct dcc_flow *flow);
void dcc_pace_itself(struct sock *sk);
void dcc_kick_at(struct sock *sk, u64 at_ns);

/*
 * The largest window that the stack is given, packets. It takes the window for an int,
 * and warns where that is negative. A receiver's largest window, 1 GiB, is as many of
 * 1 KiB.
 */
static inline u32 dcc_cwnd_most(const struct tcp_sock *tp)
{
	return min(tp->snd_cwnd_clamp, DCC_CWND_MAX_PKTS);
}

/*
 * Might a flow have to ask after a tail? All that flows of larger windows pay for those
 * that do is to compare, so the window comes first: packet by packet it is at hand. One
 * that is opened for a question is at most DCC_TAIL_MOST.
 */
static inline bool dcc_tail_may(const struct sock *sk)
{
	return tcp_snd_cwnd(tcp_sk(sk)) <= DCC_TAIL_MOST &&
	       dcc_alg_of(sk)->tail_probes;
}

/*
 * Has dcc_tail.c to look before a burst? Once after each ACK, and while a timer of its
 * own is set; and only if the window is full, or a loss is being repaired.
 */
static inline bool dcc_tail_look(const struct sock *sk, struct dcc_flow *flow)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	if (!flow->tail_look)
		return false;
	if (dcc_tail_may(sk) &&
	    (dcc_tail_full(tcp_packets_in_flight(tp), tcp_snd_cwnd(tp)) ||
	     inet_csk(sk)->icsk_ca_state >= TCP_CA_Recovery))
		return true;
	flow->tail_look = 0;
	return false;
}

bool dcc_tail_gate(struct sock *sk, struct dcc_flow *flow);
void dcc_tail_sent(struct sock *sk, u32 packets);
void dcc_tail_heard(struct sock *sk, struct dcc_flow *flow);
void dcc_tail_end(struct sock *sk);

bool dcc_hold_begin(struct sock *sk, struct dcc_flow *flow, u64 delay_ns);
void dcc_hold_first(struct sock *sk, struct dcc_flow *flow,
		    const struct dcc_alg *alg);
void dcc_hold_again(struct sock *sk, struct dcc_flow *flow);
void dcc_hold_gate(struct sock *sk, struct dcc_flow *flow);
void dcc_hold_ack(struct sock *sk, struct dcc_flow *flow);
void dcc_hold_end(struct sock *sk, struct dcc_flow *flow);
/*
 * May a socket send because a timer of ours says so? Not under TCP_REPAIR, where it is
 * silent.
 */
static inline bool dcc_may_ask(const struct sock *sk)
{
	return !tcp_sk(sk)->repair && dcc_has_net(sk);
}

bool dcc_probe_possible(const struct sock *sk);
bool dcc_probe_send(struct sock *sk, u32 back);

bool dcc_wrap(struct sock *sk);
bool dcc_is_wrapped(const struct sock *sk);
int dcc_xmit_probe(struct sock *sk, struct sk_buff *skb);
void dcc_unwrap(struct sock *sk);
void dcc_wrap_exit(void);
u32 dcc_header_label(const struct sock *sk, u32 label);

void dcc_reorder_update(struct sock *sk, struct dcc_flow *flow);
void dcc_reorder_restore(struct sock *sk);
u32 dcc_lost_run(const struct sock *sk);

void dcc_ecn_echo(struct sock *sk, bool ce);

u64 dcc_line_pacing(const struct sock *sk, const struct dcc_flow_knobs *k);
int dcc_line_init(void);
void dcc_line_exit(void);

void dcc_record_append(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span, u32 label);
void dcc_record_resend(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_span *span);
void dcc_records_acked(struct sock *sk, struct dcc_flow *flow,
		       const struct dcc_sample *s);

int dcc_hooks_spray(struct net *net, bool on);
int dcc_hooks_syn_init(struct net *net);
void dcc_hooks_syn_exit(struct net *net);

int dcc_count_init(void);
void dcc_count_exit(void);

u32 dcc_net_spray_paths(const struct net *net);
u32 dcc_sk_spray_paths(const struct sock *sk);
u64 dcc_budget_slot(const struct net *net, u64 now_ns);
void dcc_budget_spent(const struct net *net, u64 took_ns);

#endif /* _DCC_H */
