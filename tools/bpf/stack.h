/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the glue touches of the stack. Libbpf finds each member in the running kernel,
 * by name.
 */
#ifndef _BPF_STACK_H
#define _BPF_STACK_H

#define STACK	__attribute__((preserve_access_index))

struct sock {
	unsigned long sk_pacing_rate;
	unsigned long sk_max_pacing_rate;
	u32 sk_pacing_status;
} STACK;

struct inet_sock {
	struct sock sk;
} STACK;

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	u64 icsk_ca_priv[13];
} STACK;

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u64 tcp_clock_cache;
	u32 srtt_us;
	u32 snd_cwnd;
	u32 snd_cwnd_clamp;
	u32 snd_ssthresh;
	u32 mss_cache;
	u32 packets_out;
	u32 retrans_out;
	u8 is_cwnd_limited:1;
} STACK;

struct rate_sample {
	long rtt_us;
	int losses;
	u32 acked_sacked;
} STACK;

/* As the kernel has it, but for what is not set here. */
struct tcp_congestion_ops {
	u32 (*ssthresh)(struct sock *sk);
	void (*set_state)(struct sock *sk, u8 new_state);
	u32 (*undo_cwnd)(struct sock *sk);
	void (*cong_control)(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs);
	char name[16];
	void (*init)(struct sock *sk);
} STACK;

#endif /* _BPF_STACK_H */
