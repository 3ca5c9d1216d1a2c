// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: the smallest question about a path that any TCP receiver answers. One
 * byte of data that was acknowledged long ago, the "garbage octet" of RFC 1122,
 * 4.2.3.6: a receiver answers an old segment at once (RFC 9293, 3.10.7.4), and
 * one that carries data is not held to its rate limit for empty ones (RFC 5961;
 * tcp_oow_rate_limited() in Linux). Nothing is retransmitted, nothing new is
 * delivered: to the peer's application and to this end's queue it does not
 * exist.
 *
 * 73 bytes as IPv6 with timestamps, 53 as IPv4, 61 and 41 without them.
 *
 * The socket's packets are made inside tcp_output.c, out of reach for a module,
 * so this one is made by hand.
 */
#include <net/ip6_checksum.h>
#include <net/tcp.h>

#include "dcc_core.h"

/* Bytes of the options a probe carries: two NOPs and the time stamps, or none. */
static unsigned int probe_options(const struct tcp_sock *tp)
{
	return tp->rx_opt.tstamp_ok ? TCPOLEN_TSTAMP_ALIGNED : 0;
}

/* As tcp_options_write() has it. */
static void probe_write_options(const struct tcp_sock *tp, struct tcphdr *th)
{
	__be32 *option = (__be32 *)(th + 1);

	if (!tp->rx_opt.tstamp_ok)
		return;
	option[0] = htonl(TCPOPT_NOP << 24 | TCPOPT_NOP << 16 |
			  TCPOPT_TIMESTAMP << 8 | TCPOLEN_TIMESTAMP);
	option[1] = htonl(dcc_tcp_clock_ts(tp) + tp->tsoffset);
	option[2] = htonl(tp->rx_opt.ts_recent);
}

/*
 * The window as it was last advertised, without what tcp_select_window() does to the
 * socket; a receiver of old data does not look at it.
 */
static __be16 probe_window(const struct tcp_sock *tp)
{
	u32 window = tcp_receive_window(tp) >> tp->rx_opt.rcv_wscale;

	return htons(min_t(u32, window, U16_MAX));
}

static void probe_write_header(struct sock *sk, struct sk_buff *skb, u32 seq)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct tcphdr *th = tcp_hdr(skb);

	memset(th, 0, sizeof(*th));
	th->source = inet_sk(sk)->inet_sport;
	th->dest = inet_sk(sk)->inet_dport;
	th->seq = htonl(seq);
	th->ack_seq = htonl(tp->rcv_nxt);
	th->doff = (sizeof(*th) + probe_options(tp)) / 4;
	th->ack = 1;
	th->window = probe_window(tp);
	dcc_accecn_set_ace(tp, th);
	probe_write_options(tp, th);
}

/* What the device finishes; the stack's own is exported up to 7.1 only. */
static void probe_checksum(struct sock *sk, struct sk_buff *skb)
{
	const struct inet_sock *inet = inet_sk(sk);

	skb->ip_summed = CHECKSUM_PARTIAL;
#if IS_ENABLED(CONFIG_IPV6)
	if (dcc_is_ipv6(sk)) {
		__tcp_v6_send_check(skb, &inet6_sk(sk)->saddr,
				    &sk->sk_v6_daddr);
		return;
	}
#endif
	tcp_hdr(skb)->check = ~tcp_v4_check(skb->len, inet->inet_saddr,
					    inet->inet_daddr, 0);
	skb->csum_start = skb_transport_header(skb) - skb->head;
	skb->csum_offset = offsetof(struct tcphdr, check);
}

/* Does a device, or what stands in for it, have to know each packet's data? */
static bool is_offloaded(const struct sock *sk)
{
#ifdef CONFIG_SOCK_VALIDATE_XMIT
	return READ_ONCE(sk->sk_validate_xmit_skb);
#else
	return false;
#endif
}

/**
 * dcc_probe_possible() - can a socket's peer be asked?
 * @sk: a TCP socket, locked
 *
 * A connection whose segments are signed (TCP-MD5, TCP-AO) would need the key;
 * one that is part of an MPTCP connection has options that a module cannot
 * write. What a device encrypts (kTLS) it looks up by sequence number, and the
 * probe's is gone.
 *
 * Return: true if dcc_probe_send() makes sense.
 */
bool dcc_probe_possible(const struct sock *sk)
{
	return (1 << sk->sk_state) & (TCPF_ESTABLISHED | TCPF_CLOSE_WAIT |
				      TCPF_FIN_WAIT1 | TCPF_CLOSING |
				      TCPF_LAST_ACK) &&
	       !sk_is_mptcp(sk) && !dcc_is_signed(tcp_sk(sk)) &&
	       !is_offloaded(sk) && dcc_may_probe(sk);
}

/**
 * dcc_probe_send() - ask the peer for an ACK
 * @sk: a TCP socket, locked, for which dcc_probe_possible()
 * @back: how far before what is not acknowledged yet the byte lies, from 0.
 *	Should differ from the last one's: some receivers take the same old
 *	byte twice as a sign that their ACKs are lost, and move them to another
 *	path
 *
 * Context: softirq or process. Return: false if it did not leave this host.
 */
bool dcc_probe_send(struct sock *sk, u32 back)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct sk_buff *skb;

	skb = alloc_skb(MAX_TCP_HEADER + 1,
			sk_gfp_mask(sk, GFP_ATOMIC | __GFP_NOWARN));
	if (!skb)
		return false;
	skb_reserve(skb, MAX_TCP_HEADER);
	*(u8 *)skb_put(skb, 1) = 0;
	skb_push(skb, sizeof(struct tcphdr) + probe_options(tp));
	skb_reset_transport_header(skb);
	probe_write_header(sk, skb, tp->snd_una - 1 - back);
	probe_checksum(sk, skb);
	skb_set_owner_w(skb, sk);
	TCP_INC_STATS(sock_net(sk), TCP_MIB_OUTSEGS);
	return !dcc_xmit_probe(sk, skb);
}
