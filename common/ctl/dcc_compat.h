/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernels, chosen by probing their headers: dcc_probe.mk
 * looks for the feature and defines DCC_HAVE_*. No other file knows.
 */
#ifndef _DCC_COMPAT_H
#define _DCC_COMPAT_H

#include <linux/sched/mm.h>
#include <linux/sysctl.h>
#include <net/ipv6.h>
#include <net/mptcp.h>
#include <net/net_namespace.h>
#include <net/tcp.h>
#ifdef DCC_HAVE_ACCECN
#include <net/tcp_ecn.h>
#endif

/* cong_control() got the ACK number and flags in 6.10. */
#ifdef DCC_HAVE_CONG_CONTROL_ACK
#define DCC_CONG_CONTROL(fn) \
	fn(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
#else
#define DCC_CONG_CONTROL(fn) \
	fn(struct sock *sk, const struct rate_sample *rs)
#endif

#define DCC_DECLARE_CONG_CONTROL	void DCC_CONG_CONTROL(dcc_cong_control);

/* CA_EVENT_TX_START became an operation of its own in 7.1. */
#ifdef DCC_HAVE_CWND_EVENT_TX_START
#define DCC_EVENT_OPS \
	.cwnd_event = dcc_cwnd_event, \
	.cwnd_event_tx_start = dcc_cwnd_event_tx_start
#else
#define DCC_EVENT_OPS	.cwnd_event = dcc_cwnd_event
#endif

/*
 * BBRv3 trees ask for the exact number of segments, not a minimum, and leave what
 * makes one of the other, tcp_tso_autosize(), to the stack: the same here. A burst
 * is what the pacing rate sends in 2^-pacing_shift s, and more on short ways, at
 * most what the device takes at once.
 */
#ifdef DCC_HAVE_TSO_SEGS_OP
static inline u32 dcc_tso_autosize(const struct sock *sk, unsigned int mss_now,
				   u32 min_segs)
{
	unsigned long bytes = READ_ONCE(sk->sk_pacing_rate) >>
			      READ_ONCE(sk->sk_pacing_shift);
	u32 r = tcp_min_rtt(tcp_sk(sk)) >>
		READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_tso_rtt_log);

	if (r < BITS_PER_TYPE(sk->sk_gso_max_size))
		bytes += sk->sk_gso_max_size >> r;
	bytes = min_t(unsigned long, bytes, sk->sk_gso_max_size);
	return max_t(u32, bytes / mss_now, min_segs);
}

#define DCC_DECLARE_TSO_SEGS_OP \
u32 dcc_tso_segs(struct sock *sk, unsigned int mss_now);
#define DCC_TSO_SEGS_OP	.tso_segs = dcc_tso_segs
#define DCC_DEFINE_TSO_SEGS_OP(fn) \
u32 dcc_tso_segs(struct sock *sk, unsigned int mss_now) \
{ \
	return dcc_tso_autosize(sk, mss_now, fn(sk)); \
} \
EXPORT_SYMBOL_GPL(dcc_tso_segs);
#else
#define DCC_DECLARE_TSO_SEGS_OP \
u32 dcc_tso_segs(struct sock *sk);
#define DCC_TSO_SEGS_OP	.min_tso_segs = dcc_tso_segs
#define DCC_DEFINE_TSO_SEGS_OP(fn) \
u32 dcc_tso_segs(struct sock *sk) \
{ \
	return fn(sk); \
} \
EXPORT_SYMBOL_GPL(dcc_tso_segs);
#endif

/* Stacks that ask whose DSACK it is: none, but that of packaging/upstream's series. */
#ifdef DCC_HAVE_OWNS_DSACK
#define DCC_DECLARE_OWNS_DSACK_OP \
bool dcc_owns_dsack(struct sock *sk, u32 start_seq, u32 end_seq);
#define DCC_OWNS_DSACK_OP	.owns_dsack = dcc_owns_dsack,
#else
#define DCC_DECLARE_OWNS_DSACK_OP
#define DCC_OWNS_DSACK_OP
#endif

/*
 * Accurate ECN (RFC 9768) counts the marks in every ACK: the newest kernels
 * negotiate it for those who ask, and fall back to classic ECN.
 */
#ifdef DCC_HAVE_ACCECN
#define DCC_CONG_ECN	(TCP_CONG_NEEDS_ECN | TCP_CONG_NEEDS_ACCECN)

static inline bool dcc_ecn_classic(const struct tcp_sock *tp)
{
	return tcp_ecn_mode_rfc3168(tp);
}

/*
 * Accurate ECN may be negotiated and then found broken on the way (a header that
 * somebody rewrote): no mark is heard of from then on.
 */
static inline bool dcc_ecn_any(const struct tcp_sock *tp)
{
	if (tcp_ecn_mode_accecn(tp) &&
	    (tcp_accecn_ace_fail_send(tp) || tcp_accecn_ace_fail_recv(tp)))
		return false;
	return tcp_ecn_mode_any(tp);
}

/* Every header of such a connection says how many marks were received. */
static inline void dcc_accecn_set_ace(const struct tcp_sock *tp,
				      struct tcphdr *th)
{
	u32 ace = tp->received_ce + TCP_ACCECN_CEP_INIT_OFFSET;

	if (!tcp_ecn_mode_accecn(tp))
		return;
	th->ece = !!(ace & 1);
	th->cwr = !!(ace & 2);
	th->ae = !!(ace & 4);
}
#else
#define DCC_CONG_ECN	TCP_CONG_NEEDS_ECN

static inline bool dcc_ecn_any(const struct tcp_sock *tp)
{
#ifdef DCC_HAVE_ECN_MODE
	return tcp_ecn_mode_any(tp);
#else
	return tp->ecn_flags & TCP_ECN_OK;
#endif
}

static inline bool dcc_ecn_classic(const struct tcp_sock *tp)
{
	return dcc_ecn_any(tp);
}

static inline void dcc_accecn_set_ace(const struct tcp_sock *tp,
				      struct tcphdr *th)
{
}
#endif

/* A pure ACK for what was received in order so far; it got flags in 6.12. */
static inline void dcc_send_ack(struct sock *sk, u32 rcv_nxt)
{
#ifdef DCC_HAVE_SEND_ACK_FLAGS
	__tcp_send_ack(sk, rcv_nxt, 0);
#else
	__tcp_send_ack(sk, rcv_nxt);
#endif
}

/* proc_handler's table became const in 6.11. */
#ifdef DCC_HAVE_CONST_CTL_TABLE
#define DCC_CTL_TABLE const struct ctl_table
#else
#define DCC_CTL_TABLE struct ctl_table
#endif

/* Show callbacks of module attributes take them const on the newest kernels. */
#ifdef DCC_HAVE_CONST_MODULE_ATTR
#define DCC_MODULE_ATTR const struct module_attribute
#else
#define DCC_MODULE_ATTR struct module_attribute
#endif

/* Tables had to end with an empty entry before they were given a size. */
static inline struct ctl_table_header *
dcc_register_net_sysctl(struct net *net, const char *path,
			struct ctl_table *table, size_t size)
{
#ifdef DCC_HAVE_NET_SYSCTL_SZ
	return register_net_sysctl_sz(net, path, table, size);
#else
	return register_net_sysctl(net, path, table);
#endif
}

/* The duplicate-ACK threshold left with the recovery code that used it. */
static inline void dcc_set_reordering(struct tcp_sock *tp, u32 packets)
{
#ifdef DCC_HAVE_TP_REORDERING
	tp->reordering = packets;
#endif
}

static inline void dcc_reset_reordering(struct sock *sk)
{
#ifdef DCC_HAVE_TP_REORDERING
	tcp_sk(sk)->reordering =
		READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_reordering);
#endif
}

/* Do a socket's packets leave as IPv6? Not if its peer is an IPv4 one, mapped. */
static inline bool dcc_is_ipv6(const struct sock *sk)
{
	return inet_csk(sk)->icsk_af_ops->net_header_len ==
		sizeof(struct ipv6hdr);
}

/* Do its packets get a flow label by themselves? The stack's own is not exported. */
static inline bool dcc_autoflowlabel(const struct sock *sk)
{
	struct net *net = sock_net(sk);
	u8 mode = READ_ONCE(net->ipv6.sysctl.auto_flowlabels);

	if (mode == IP6_AUTO_FLOW_LABEL_OFF || mode == IP6_AUTO_FLOW_LABEL_FORCED)
		return mode;
#ifdef DCC_HAVE_INET6_BITS
	if (inet6_test_bit(AUTOFLOWLABEL_SET, sk))
		return inet6_test_bit(AUTOFLOWLABEL, sk);
#else
	if (inet6_sk(sk)->autoflowlabel_set)
		return inet6_sk(sk)->autoflowlabel;
#endif
	return ip6_default_np_autolabel(net);
}

/* The cgroup that pays for a socket's memory; NULL: none. */
static inline struct mem_cgroup *dcc_sk_memcg(const struct sock *sk)
{
#ifdef CONFIG_MEMCG
	return sk->sk_memcg;
#else
	return NULL;
#endif
}

/* The clock of time stamps; routes could ask for microseconds from 6.7 on. */
static inline u32 dcc_tcp_clock_ts(const struct tcp_sock *tp)
{
#ifdef DCC_HAVE_TCP_CLOCK_TS
	return tcp_clock_ts(tp->tcp_usec_ts);
#else
	return tcp_time_stamp_raw();
#endif
}

/* Do both ends' time stamps count microseconds? */
static inline bool dcc_has_usec_ts(const struct tcp_sock *tp)
{
#ifdef DCC_HAVE_TCP_CLOCK_TS
	return tp->tcp_usec_ts;
#else
	return false;
#endif
}

/* May the connection's segments have to be signed? TCP-AO came in 6.7. */
static inline bool dcc_is_signed(const struct tcp_sock *tp)
{
#ifdef CONFIG_TCP_AO
	if (rcu_access_pointer(tp->ao_info))
		return true;
#endif
#ifdef CONFIG_TCP_MD5SIG
	if (rcu_access_pointer(tp->md5sig_info))
		return true;
#endif
	return false;
}

#endif /* _DCC_COMPAT_H */
