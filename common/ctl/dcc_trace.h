/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dcc

#if !defined(_DCC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _DCC_TRACE_H

#include <linux/tracepoint.h>
#include <net/inet_sock.h>
#include <net/tcp.h>

#include "../cc/dcc_sample.h"
#include "../path/dcc_spray.h"

#ifndef _DCC_SUSPEND_EVENT
#define _DCC_SUSPEND_EVENT
enum dcc_suspend_event {
	DCC_SUSPENDED,
	DCC_SUSPEND_PROBE,
	DCC_SUSPEND_AGAIN,
	DCC_SUSPEND_ANSWER,
	DCC_RESUMED,
};

enum dcc_event {
	DCC_EVENT_BEGIN,
	DCC_EVENT_RTO,
};

/* A connection's addresses, this host's first; IPv4's as ::ffff:a.b.c.d. */
static inline void dcc_trace_addresses(const struct sock *sk,
				       struct in6_addr *src,
				       struct in6_addr *dst)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		*src = sk->sk_v6_rcv_saddr;
		*dst = sk->sk_v6_daddr;
		return;
	}
#endif
	ipv6_addr_set_v4mapped(inet_sk(sk)->inet_saddr, src);
	ipv6_addr_set_v4mapped(inet_sk(sk)->inet_daddr, dst);
}
#endif

/*
 * dcc:dcc_ack: one ACK of one flow, all that it reported and what was decided. Times
 * in ns, inflight, flight and mss in bytes, line in bytes/s, cwnd in
 * 1/256 byte, branch as the algorithm numbers its rules, share and gradient in
 * 10^-6 (0 of algorithms that have none). From mss on: what an algorithm may read and is no
 * number of packets or time, as struct dcc_sample has it. Last, the labels that the
 * flow's path selector has, 0 without one, and how many of them it passes over.
 */
TRACE_EVENT(dcc_ack,
	    TP_PROTO(const struct sock *sk, const struct dcc_sample *s,
		 const struct dcc_decision *d, const struct dcc_spray *spray),
	TP_ARGS(sk, s, d, spray),
	TP_STRUCT__entry(
		__array(char, alg, TCP_CA_NAME_MAX)
		__field(u64, now_ns)
		__field(u64, sent_ns)
		__field(u64, cwnd)
		__field(u64, pacing_rate)
		__field(u32, rtt_ns)
		__field(u32, base_rtt_ns)
		__field(u32, hosts_ns)
		__field(u32, srtt_ns)
		__field(u32, delay_ns)
		__field(u32, target_ns)
		__field(u32, acked)
		__field(u32, ce)
		__field(u32, losses)
		__field(u32, lost_run)
		__field(u32, inflight)
		__field(u32, share)
		__field(s32, gradient)
		__field(u16, sport)
		__field(u16, dport)
		__field(u8, limited)
		__field(u8, branch)
		__field(u64, line_rate)
		__field(u32, mss)
		__field(u32, flight)
		__field(u32, priority)
		__field(u8, dscp)
		__field(u8, app_limited)
		__field(u8, fills)
		__field(u8, delayed)
		__field(u8, recovery)
		__field(u8, drains)
		__field(u8, no_ecn)
		__field(u8, sprayed)
		__field(u8, idle)
		__field(u8, small)
		__field(u32, labels)
		__field(u32, avoided)
	),
	TP_fast_assign(
		memcpy(__entry->alg, inet_csk(sk)->icsk_ca_ops->name,
		       TCP_CA_NAME_MAX);
		__entry->now_ns = s->now_ns;
		__entry->sent_ns = s->sent_ns;
		__entry->cwnd = d->cwnd;
		__entry->pacing_rate = sk->sk_pacing_rate;
		__entry->rtt_ns = s->delay_ns;
		__entry->base_rtt_ns = s->base_rtt_ns;
		__entry->hosts_ns = s->hosts_ns;
		__entry->srtt_ns = s->srtt_ns;
		__entry->delay_ns = d->delay_ns;
		__entry->target_ns = d->target_ns;
		__entry->acked = s->acked;
		__entry->ce = s->ce;
		__entry->losses = s->losses;
		__entry->lost_run = s->lost_run;
		__entry->inflight = s->inflight;
		__entry->share = d->share;
		__entry->gradient = d->gradient;
		__entry->sport = ntohs(inet_sk(sk)->inet_sport);
		__entry->dport = ntohs(inet_sk(sk)->inet_dport);
		__entry->limited = s->cwnd_limited;
		__entry->branch = d->branch;
		__entry->line_rate = s->line_rate;
		__entry->mss = s->mss;
		__entry->flight = s->flight;
		__entry->priority = s->priority;
		__entry->dscp = s->dscp;
		__entry->app_limited = s->app_limited;
		__entry->fills = s->fills;
		__entry->delayed = s->maybe_delayed;
		__entry->recovery = s->recovery;
		__entry->drains = s->drains;
		__entry->no_ecn = s->no_ecn;
		__entry->sprayed = s->sprayed;
		__entry->idle = s->idle;
		__entry->small = s->small;
		__entry->labels = spray ? spray->paths : 0;
		__entry->avoided = spray ? dcc_spray_avoided(spray) : 0;
	),
	TP_printk("alg=%s sport=%u dport=%u now=%llu sent=%llu rtt=%u base=%u hosts=%u srtt=%u delay=%u target=%u acked=%u ce=%u losses=%u run=%u inflight=%u limited=%u branch=%u cwnd=%llu pacing=%llu share=%u gradient=%d mss=%u flight=%u line=%llu priority=%u dscp=%u app=%u fills=%u delayed=%u recovery=%u drains=%u no_ecn=%u sprayed=%u idle=%u small=%u labels=%u avoided=%u",
		  __entry->alg, __entry->sport, __entry->dport,
		  __entry->now_ns, __entry->sent_ns, __entry->rtt_ns,
		  __entry->base_rtt_ns, __entry->hosts_ns, __entry->srtt_ns, __entry->delay_ns,
		  __entry->target_ns, __entry->acked, __entry->ce,
		  __entry->losses, __entry->lost_run, __entry->inflight,
		  __entry->limited, __entry->branch, __entry->cwnd,
		  __entry->pacing_rate, __entry->share, __entry->gradient,
		  __entry->mss, __entry->flight, __entry->line_rate,
		  __entry->priority, __entry->dscp,
		  __entry->app_limited, __entry->fills, __entry->delayed,
		  __entry->recovery, __entry->drains, __entry->no_ecn,
		  __entry->sprayed, __entry->idle, __entry->small,
		  __entry->labels, __entry->avoided)
);

TRACE_DEFINE_ENUM(DCC_EVENT_BEGIN);
TRACE_DEFINE_ENUM(DCC_EVENT_RTO);

/*
 * dcc:dcc_event: what an algorithm learns without an ACK, and does not decide on: the flow
 * begins; a retransmission timeout. srtt in ns, lost in packets, 0 where it begins.
 */
TRACE_EVENT(dcc_event,
	    TP_PROTO(const struct sock *sk, enum dcc_event what,
		 const struct dcc_timeout *t, u64 line_rate),
	TP_ARGS(sk, what, t, line_rate),
	TP_STRUCT__entry(
		__array(char, alg, TCP_CA_NAME_MAX)
		__field(u64, now_ns)
		__field(u64, line_rate)
		__field(u32, srtt_ns)
		__field(u32, lost)
		__field(u32, mss)
		__field(u16, sport)
		__field(u16, dport)
		__field(u8, what)
	),
	TP_fast_assign(
		memcpy(__entry->alg, inet_csk(sk)->icsk_ca_ops->name,
		       TCP_CA_NAME_MAX);
		__entry->now_ns = t->now_ns;
		__entry->line_rate = line_rate;
		__entry->srtt_ns = t->srtt_ns;
		__entry->lost = t->lost;
		__entry->mss = t->mss;
		__entry->sport = ntohs(inet_sk(sk)->inet_sport);
		__entry->dport = ntohs(inet_sk(sk)->inet_dport);
		__entry->what = what;
	),
	TP_printk("alg=%s sport=%u dport=%u now=%llu event=%s srtt=%u lost=%u mss=%u line=%llu",
		  __entry->alg, __entry->sport, __entry->dport,
		  __entry->now_ns,
		  __print_symbolic(__entry->what,
				   { DCC_EVENT_BEGIN, "begin" },
				   { DCC_EVENT_RTO, "rto" }),
		  __entry->srtt_ns, __entry->lost, __entry->mss,
		  __entry->line_rate)
);

TRACE_DEFINE_ENUM(DCC_SUSPENDED);
TRACE_DEFINE_ENUM(DCC_SUSPEND_PROBE);
TRACE_DEFINE_ENUM(DCC_SUSPEND_AGAIN);
TRACE_DEFINE_ENUM(DCC_SUSPEND_ANSWER);
TRACE_DEFINE_ENUM(DCC_RESUMED);

/*
 * dcc:dcc_suspend: a flow is suspended, probes, gets an answer, is resumed. delay is an
 * answer's, ns. wait, ns: suspended: until the first probe; probe, again: until it counts as
 * lost; resumed: how long the flow was suspended.
 */
TRACE_EVENT(dcc_suspend,
	    TP_PROTO(const struct sock *sk, enum dcc_suspend_event what, u32 delay_ns,
		 u64 wait_ns),
	TP_ARGS(sk, what, delay_ns, wait_ns),
	TP_STRUCT__entry(
		__field(u64, now_ns)
		__field(u64, wait_ns)
		__field(u32, delay_ns)
		__field(u16, sport)
		__field(u16, dport)
		__field(u8, what)
	),
	TP_fast_assign(
		__entry->now_ns = ktime_get_ns();
		__entry->wait_ns = wait_ns;
		__entry->delay_ns = delay_ns;
		__entry->sport = ntohs(inet_sk(sk)->inet_sport);
		__entry->dport = ntohs(inet_sk(sk)->inet_dport);
		__entry->what = what;
	),
	TP_printk("what=%s sport=%u dport=%u now=%llu delay=%u wait=%llu",
		  __print_symbolic(__entry->what,
				   { DCC_SUSPENDED, "suspended" },
				   { DCC_SUSPEND_PROBE, "probe" },
				   { DCC_SUSPEND_AGAIN, "again" },
				   { DCC_SUSPEND_ANSWER, "answer" },
				   { DCC_RESUMED, "resumed" }),
		  __entry->sport, __entry->dport, __entry->now_ns,
		  __entry->delay_ns, __entry->wait_ns)
);

TRACE_DEFINE_ENUM(DCC_PATH_GOOD);
TRACE_DEFINE_ENUM(DCC_PATH_CE);
TRACE_DEFINE_ENUM(DCC_PATH_LOST);
TRACE_DEFINE_ENUM(DCC_PATH_TIMEOUT);

/*
 * dcc:dcc_path: one data packet, the label that carried it, and what became of
 * it, whatever the flow's path selector. label is the IPv6 header's, as switches
 * saw it; 0: not known. delay, ns, of the newest packet of an ACK; 0: not known.
 */
TRACE_EVENT(dcc_path,
	    TP_PROTO(const struct sock *sk, const struct dcc_path_news *n),
	TP_ARGS(sk, n),
	TP_STRUCT__entry(
		__array(char, alg, TCP_CA_NAME_MAX)
		__array(u8, src, sizeof(struct in6_addr))
		__array(u8, dst, sizeof(struct in6_addr))
		__field(u64, now_ns)
		__field(u32, label)
		__field(u32, delay_ns)
		__field(u16, sport)
		__field(u16, dport)
		__field(u8, what)
	),
	TP_fast_assign(
		memcpy(__entry->alg, inet_csk(sk)->icsk_ca_ops->name,
		       TCP_CA_NAME_MAX);
		dcc_trace_addresses(sk, (struct in6_addr *)__entry->src,
				    (struct in6_addr *)__entry->dst);
		__entry->now_ns = n->now_ns;
		__entry->label = n->label;
		__entry->delay_ns = n->delay_ns;
		__entry->sport = ntohs(inet_sk(sk)->inet_sport);
		__entry->dport = ntohs(inet_sk(sk)->inet_dport);
		__entry->what = n->event;
	),
	TP_printk("alg=%s src=%pI6c sport=%u dst=%pI6c dport=%u now=%llu label=%u what=%s delay=%u",
		  __entry->alg, __entry->src, __entry->sport, __entry->dst,
		  __entry->dport, __entry->now_ns, __entry->label,
		  __print_symbolic(__entry->what,
				   { DCC_PATH_GOOD, "good" },
				   { DCC_PATH_CE, "marked" },
				   { DCC_PATH_LOST, "lost" },
				   { DCC_PATH_TIMEOUT, "timeout" }),
		  __entry->delay_ns)
);

#endif /* _DCC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE dcc_trace
#include <trace/define_trace.h>
