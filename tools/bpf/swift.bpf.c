// SPDX-License-Identifier: GPL-2.0
/*
 * swift and mswift as BPF programs (struct_ops), for hosts that may not load modules: the
 * algorithms and the estimator are the modules' own source, the glue is this file. For Linux
 * 6.10 and newer, as "bpf_swift" and "bpf_mswift"; what they lack beside the modules:
 * Documentation/bpf.md.
 */
#include <linux/bpf.h>
#include <linux/types.h>

#include "alg.h"
#include "stack.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define SMALL_WINDOW	2	/* packets; below, pacing carries the window out */
#define STATE_RECOVERY	3	/* TCP_CA_Recovery */
#define STATE_LOSS	4	/* TCP_CA_Loss */
#define PACING_NONE	0	/* SK_PACING_NONE */
#define PACING_NEEDED	1	/* SK_PACING_NEEDED */
#define SRTT_SHIFT	3	/* of tcp_sock.srtt_us */
#define STALE_NS	NSEC_PER_SEC	/* delays from before such a silence tell nothing */

char _license[] SEC("license") = "GPL";

/* One set for all flows: the modules' defaults, or what is written here. */
static const struct mswift_knobs knobs = MSWIFT_DEFAULTS;

/**
 * struct bpf_swift - of a flow, in its 104 bytes
 * @state: state of the algorithm
 * @base_rtt_ns: the least delay that it had
 * @recovery: did the stack enter fast recovery since the last ACK?
 */
struct bpf_swift {
	struct mswift state;
	u32 base_rtt_ns;
	bool recovery;
};

/**
 * struct bpf_mswift - what a flow of mswift has besides
 * @delays: its recent delays, by packet
 * @last_ns: when it last had an ACK
 */
struct bpf_mswift {
	struct alg_history delays;
	u64 last_ns;
};

/* Above the value there are 72 bytes of the kernel's (struct bpf_local_storage_elem). */
static_assert(sizeof(struct bpf_mswift) + 72 <= 4096, "a flow takes two pages");

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct bpf_mswift);
} mswift_flows SEC(".maps");

#define tcp_sk(sk)	((struct tcp_sock *)(sk))
#define flow_of(sk)	((struct bpf_swift *)((struct inet_connection_sock *)(sk))->icsk_ca_priv)
static_assert(sizeof(struct bpf_swift) <= 13 * sizeof(u64), "a flow has no more room");

#define INLINE	static inline __attribute__((always_inline))

INLINE u32 srtt_ns(const struct tcp_sock *tp)
{
	return (u32)min_t(u64, (u64)(tp->srtt_us >> SRTT_SHIFT) * NSEC_PER_USEC, U32_MAX);
}

/* The state is copied: the algorithm takes pointers, and the verifier knows the stack's best. */
INLINE void init(struct sock *sk, enum mswift_variant variant)
{
	struct bpf_swift *flow = flow_of(sk);
	struct mswift state;

	mswift_init(&state, &knobs, variant, tcp_sk(sk)->snd_cwnd);
	flow->state = state;
	flow->base_rtt_ns = 0;
	flow->recovery = false;
	if (sk->sk_pacing_status == PACING_NONE)
		sk->sk_pacing_status = PACING_NEEDED;
}

SEC("struct_ops/swift_init")
int BPF_PROG(swift_init, struct sock *sk)
{
	init(sk, MSWIFT_SWIFT);
	return 0;
}

/* The history begins anew: the socket may have had this algorithm before. */
SEC("struct_ops/mswift_init")
int BPF_PROG(mswift_init_flow, struct sock *sk)
{
	init(sk, MSWIFT_MSWIFT);
	bpf_sk_storage_delete(&mswift_flows, sk);
	return 0;
}

/* The window @times over per RTT, bytes/s; 36 bits of bytes << 8, times 10^9 is too much. */
INLINE u64 window_rate(const struct dcc_decision *d, u32 srtt, u32 times)
{
	u64 bytes = min_t(u64, d->cwnd * times, 1ULL << 42);

	if (bytes >> 32)
		return (bytes >> DCC_CWND_SHIFT) * NSEC_PER_SEC / srtt;
	return (bytes * NSEC_PER_SEC / srtt) >> DCC_CWND_SHIFT;
}

/* Whole packets; below two of them, pacing (common/stack/dcc_act.c has the reasons). */
INLINE void apply(struct sock *sk, const struct dcc_sample *s, const struct dcc_decision *d)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 pkts = d->cwnd / ((u64)s->mss << DCC_CWND_SHIFT), rate;
	bool small = pkts < SMALL_WINDOW;

	if (small)
		pkts += SMALL_WINDOW;
	if (s->recovery && !tp->retrans_out)
		pkts = max_t(u64, pkts, tp->packets_out + 1);
	tp->snd_cwnd = (u32)clamp_t(u64, pkts, 1, max(tp->snd_cwnd_clamp, 1U));
	if (!s->srtt_ns)
		return;
	rate = max_t(u64, window_rate(d, s->srtt_ns, small ? 1 : 2), s->mss);
	sk->sk_pacing_rate = min_t(u64, rate, sk->sk_max_pacing_rate);
}

INLINE void take_sample(struct sock *sk, struct bpf_swift *flow, const struct rate_sample *rs,
			struct dcc_sample *s)
{
	struct tcp_sock *tp = tcp_sk(sk);
	long rtt_us = rs->rtt_us;

	memset(s, 0, sizeof(*s));
	s->now_ns = tp->tcp_clock_cache;
	if (rtt_us > 0)
		s->delay_ns = (u32)min_t(u64, (u64)rtt_us * NSEC_PER_USEC, U32_MAX);
	if (s->delay_ns && (!flow->base_rtt_ns || s->delay_ns < flow->base_rtt_ns))
		flow->base_rtt_ns = s->delay_ns;
	s->base_rtt_ns = flow->base_rtt_ns;
	s->srtt_ns = srtt_ns(tp);
	s->acked = rs->acked_sacked;
	s->losses = rs->losses;
	s->lost_run = rs->losses;	/* at most: which packets they are is not seen */
	s->mss = max(tp->mss_cache, 1U);
	s->cwnd_limited = BPF_CORE_READ_BITFIELD(tp, is_cwnd_limited);
	s->recovery = flow->recovery;
	flow->recovery = false;
}

/* The delays of a flow; NULL without memory for them: the latest then stands in. */
INLINE struct dcc_quantile *delays_of(struct sock *sk)
{
	u64 now_ns = tcp_sk(sk)->tcp_clock_cache;
	struct bpf_mswift *more;

	more = bpf_sk_storage_get(&mswift_flows, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!more)
		return NULL;
	if (now_ns - more->last_ns > STALE_NS)	/* a new one's is 0 */
		alg_history_clear(&more->delays);
	more->last_ns = now_ns;
	return (struct dcc_quantile *)&more->delays;
}

INLINE void digest(struct sock *sk, const struct rate_sample *rs, struct dcc_quantile *delays)
{
	struct bpf_swift *flow = flow_of(sk);
	struct dcc_decision d = {};
	struct dcc_sample s;
	struct mswift state;

	state = flow->state;
	/* without the line's rate no flow starts by doubling: nothing of that is compiled */
	state.swift.starting = 0;
	state.start_base_ns = 0;
	take_sample(sk, flow, rs, &s);
	mswift_on_ack(&state, delays, &knobs, &s, &d);
	flow->state = state;
	apply(sk, &s, &d);
}

SEC("struct_ops/swift_cong_control")
void BPF_PROG(swift_cong_control, struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	if (rs->acked_sacked)
		digest(sk, rs, NULL);
}

SEC("struct_ops/mswift_cong_control")
void BPF_PROG(mswift_cong_control, struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	if (rs->acked_sacked)
		digest(sk, rs, delays_of(sk));
}

SEC("struct_ops/swift_set_state")
void BPF_PROG(swift_set_state, struct sock *sk, u8 state)
{
	struct bpf_swift *flow = flow_of(sk);
	struct mswift m;

	if (state == STATE_RECOVERY)
		flow->recovery = true;
	if (state != STATE_LOSS)
		return;
	m = flow->state;
	mswift_on_rto(&m, &knobs, tcp_sk(sk)->tcp_clock_cache, srtt_ns(tcp_sk(sk)));
	flow->state = m;
}

SEC("struct_ops/swift_ssthresh")
u32 BPF_PROG(swift_ssthresh, struct sock *sk)
{
	return tcp_sk(sk)->snd_ssthresh;
}

SEC("struct_ops/swift_undo_cwnd")
u32 BPF_PROG(swift_undo_cwnd, struct sock *sk)
{
	return tcp_sk(sk)->snd_cwnd;
}

SEC(".struct_ops")
struct tcp_congestion_ops bpf_swift = {
	.init = (void *)swift_init,
	.cong_control = (void *)swift_cong_control,
	.set_state = (void *)swift_set_state,
	.ssthresh = (void *)swift_ssthresh,
	.undo_cwnd = (void *)swift_undo_cwnd,
	.name = "bpf_swift",
};

SEC(".struct_ops")
struct tcp_congestion_ops bpf_mswift = {
	.init = (void *)mswift_init_flow,
	.cong_control = (void *)mswift_cong_control,
	.set_state = (void *)swift_set_state,
	.ssthresh = (void *)swift_ssthresh,
	.undo_cwnd = (void *)swift_undo_cwnd,
	.name = "bpf_mswift",
};
