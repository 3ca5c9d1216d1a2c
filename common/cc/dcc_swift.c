// SPDX-License-Identifier: GPL-2.0
/* The Swift algorithm; stated in dcc_swift.h. */
#include "dcc_swift.h"
#include "../math/dcc_wide.h"

/*
 * 1/sqrt(W) << 20. W << 20 needs 60 bits at most (2^20 packets), its root is
 * sqrt(W) << 20, at least 33149 (1/1000 packet), so the quotient needs 25 bits.
 */
static u32 swift_inv_sqrt(u64 cwnd)
{
	u32 root = dcc_isqrt64(cwnd << DCC_PKT_SHIFT);

	return (u32)div_u64(1ULL << (2 * DCC_PKT_SHIFT), max(root, 1U));
}

/* Keep the window within its knobs. */
static void swift_clamp(struct dcc_swift *s, const struct dcc_swift_knobs *k)
{
	u64 lo = dcc_milli_to_pkts(k->min_cwnd);
	u64 hi = (u64)k->max_cwnd << DCC_PKT_SHIFT;

	s->cwnd = clamp_t(u64, s->cwnd, lo, max(lo, hi));
}

/**
 * dcc_swift_init() - start a flow
 * @s: state, any content
 * @k: knobs within the ranges of DCC_SWIFT_KNOBS
 * @cwnd_pkts: first window, packets
 *
 * fs_min >= fs_max leaves no range to scale over: flow scaling is then off.
 */
void dcc_swift_init(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		    u32 cwnd_pkts)
{
	u32 inv_min = swift_inv_sqrt(dcc_milli_to_pkts(k->fs_min));

	memset(s, 0, sizeof(*s));
	s->cwnd = (u64)min(cwnd_pkts, DCC_CWND_MAX_PKTS) << DCC_PKT_SHIFT;
	s->fs_inv_max = swift_inv_sqrt(dcc_milli_to_pkts(k->fs_max));
	if (inv_min > s->fs_inv_max)
		s->fs_span = inv_min - s->fs_inv_max;
	swift_clamp(s, k);
}
EXPORT_SYMBOL_GPL(dcc_swift_init);

/*
 * Flow scaling: small windows, that is many flows on a link, get a higher
 * target. range <= 5 * 2^33 ns and the difference < 2^25: 61 bits.
 */
static u64 swift_flow_scaling(const struct dcc_swift *s, u64 range_ns)
{
	u32 inv = swift_inv_sqrt(s->cwnd);

	if (inv <= s->fs_inv_max || !s->fs_span)
		return 0;
	inv -= s->fs_inv_max;
	if (inv >= s->fs_span)
		return range_ns;
	return div_u64(range_ns * inv, s->fs_span);
}

/**
 * dcc_swift_target() - the delay aimed at
 * @s: state
 * @k: knobs
 * @base_rtt_ns: base RTT, ns; used if base_target_us is 0
 *
 * Return: target for the whole RTT, ns, saturating at 2^32 - 1.
 */
u32 dcc_swift_target(const struct dcc_swift *s, const struct dcc_swift_knobs *k,
		     u32 base_rtt_ns)
{
	u64 base = (u64)k->base_target_us * NSEC_PER_USEC;
	u64 range = (u64)k->fs_range_us * NSEC_PER_USEC;
	u64 target;

	if (!base)
		base = base_rtt_ns + (u64)k->target_qdelay_us * NSEC_PER_USEC;
	if (!range)
		range = DCC_SWIFT_FS_RANGE * base;
	target = base + (u64)k->hops * k->hop_scale_us * NSEC_PER_USEC;
	target += swift_flow_scaling(s, range);
	return (u32)min_t(u64, target, U32_MAX);
}
EXPORT_SYMBOL_GPL(dcc_swift_target);

/**
 * dcc_swift_grow() - a step spread over the ACKs of an RTT
 * @s: state
 * @k: knobs
 * @step: what the RTT adds, packets << DCC_PKT_SHIFT, below 2^42
 * @acks: how many ACKs it brings, at the same scale, not 0
 * @acked: packets newly delivered
 *
 * W += step * acked / acks, rounded down. step * acked: 58 bits.
 */
void dcc_swift_grow(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		    u64 step, u64 acks, u32 acked)
{
	step *= min(acked, 0xffffU);
	s->cwnd += dcc_wide_div(dcc_wide_mul(step, DCC_PKT), acks);
	swift_clamp(s, k);
}
EXPORT_SYMBOL_GPL(dcc_swift_grow);

/**
 * dcc_swift_increase() - additive increase for one ACK
 * @s: state
 * @k: knobs
 * @acked: packets newly delivered
 *
 * W += ai * acked / W, so ai packets per window of ACKs; below one packet
 * W += ai * acked.
 */
void dcc_swift_increase(struct dcc_swift *s, const struct dcc_swift_knobs *k,
			u32 acked)
{
	dcc_swift_grow(s, k, dcc_milli_to_pkts(k->ai),
		       max_t(u64, s->cwnd, DCC_PKT), acked);
}
EXPORT_SYMBOL_GPL(dcc_swift_increase);

/**
 * dcc_swift_may_decrease() - has an RTT passed since the last decrease?
 * @s: state
 * @now_ns: the time
 * @srtt_ns: the raw smoothed RTT, ns
 */
bool dcc_swift_may_decrease(const struct dcc_swift *s, u64 now_ns, u32 srtt_ns)
{
	return !s->last_decrease_ns || now_ns - s->last_decrease_ns >= srtt_ns;
}
EXPORT_SYMBOL_GPL(dcc_swift_may_decrease);

/*
 * W *= 1 - ratio; 40 bits times 16. Only a window that did shrink closes the
 * gate for an RTT (algorithm 1: "if cwnd < cwnd_prev").
 */
static void swift_shrink(struct dcc_swift *s, const struct dcc_swift_knobs *k,
			 u32 ratio, u64 now_ns)
{
	u64 before = s->cwnd;

	s->starting = 0;
	s->cwnd -= s->cwnd * ratio >> DCC_RATIO_SHIFT;
	swift_clamp(s, k);
	if (s->cwnd < before)
		s->last_decrease_ns = now_ns;
}

/**
 * dcc_swift_decrease() - multiplicative decrease by the excess of the delay
 * @s: state
 * @k: knobs
 * @delay_ns: the delay acted on, >= @target_ns and not 0
 * @target_ns: what it exceeds
 * @now_ns: the time
 *
 * The caller has asked dcc_swift_may_decrease().
 */
void dcc_swift_decrease(struct dcc_swift *s, const struct dcc_swift_knobs *k,
			u32 delay_ns, u32 target_ns, u64 now_ns)
{
	u64 beta = dcc_milli_to_ratio(k->beta_md);
	u32 cut = (u32)div_u64(beta * (delay_ns - target_ns), delay_ns);

	swift_shrink(s, k, min(cut, dcc_milli_to_ratio(k->max_mdf)), now_ns);
}
EXPORT_SYMBOL_GPL(dcc_swift_decrease);

/**
 * dcc_swift_cut() - the full decrease, for losses, at most once per RTT
 * @s: state
 * @k: knobs
 * @now_ns: the time
 * @srtt_ns: the raw smoothed RTT, ns
 *
 * Return: true if the window was cut.
 */
bool dcc_swift_cut(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		   u64 now_ns, u32 srtt_ns)
{
	if (!dcc_swift_may_decrease(s, now_ns, srtt_ns))
		return false;
	swift_shrink(s, k, dcc_milli_to_ratio(k->max_mdf), now_ns);
	return true;
}
EXPORT_SYMBOL_GPL(dcc_swift_cut);

/**
 * dcc_swift_on_rto() - a retransmission timeout
 * @s: state
 * @k: knobs
 * @now_ns: the time
 * @srtt_ns: the raw smoothed RTT, ns
 *
 * Timeouts with nothing delivered between them count as consecutive; whoever
 * sees data delivered sets rto_run to 0.
 */
void dcc_swift_on_rto(struct dcc_swift *s, const struct dcc_swift_knobs *k,
		      u64 now_ns, u32 srtt_ns)
{
	if (s->rto_run < DCC_SWIFT_RTO_RESET)
		s->rto_run++;
	if (s->rto_run < DCC_SWIFT_RTO_RESET) {
		dcc_swift_cut(s, k, now_ns, srtt_ns);
		return;
	}
	s->cwnd = dcc_milli_to_pkts(k->min_cwnd);
	s->last_decrease_ns = now_ns;
}
EXPORT_SYMBOL_GPL(dcc_swift_on_rto);
