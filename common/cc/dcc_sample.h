/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seam between the kernel and an algorithm: what one ACK reported, and what the algorithm
 * decided. An algorithm sees nothing else of the kernel.
 */
#ifndef _DCC_SAMPLE_H
#define _DCC_SAMPLE_H

#include "../math/dcc_types.h"

/**
 * struct dcc_sample - one ACK that newly delivered data
 * @now_ns: arrival of the ACK, ns, monotonic
 * @sent_ns: when the newest packet it delivered was sent; 0 if unknown
 * @delay_ns: delay of that packet, ns; 0: no valid measurement (retransmitted,
 *	or its send record is gone): bytes count, no delay estimator is fed
 * @base_rtt_ns: the flow's base RTT, this sample included; 0 until known
 * @hosts_ns: what its hosts delay packets by beyond that, which is no queue
 *	(dcc_jitter.h)
 * @srtt_ns: raw smoothed RTT, ns; 0 until known
 * @acked: packets newly delivered, cumulatively or selectively
 * @acked_bytes: the same in bytes, every packet taken as a full one
 * @ce: packets of them that reported Congestion Experienced
 * @losses: packets the stack newly declared lost
 * @lost_run: longest run of successive lost packets, counted only when
 *	@losses > 0 and the algorithm asked for it
 * @inflight: bytes in flight when the newest packet was sent, and those that the same
 *	ACK let out
 * @flight: bytes in flight now, this ACK digested
 * @line_rate: speed of the egress device or of the knob, bytes/s; 0: unknown
 * @mss: payload of a full packet, bytes, never 0
 * @cwnd_limited: did the window hold the sender back (and not the application,
 *	the receiver or pacing)? Only then may the window grow
 * @drains: does the window drain the queue, or did it when what is ACKed was sent?
 * @app_limited: the application was slower than the network
 * @fills: the newest packet left before any ACK of its flight came: what was in
 *	flight then was less than the window
 * @maybe_delayed: the ACK may have waited at the receiver (a delayed ACK, SACK
 *	compression): its delay can prove the path free, but not congested
 * @recovery: did the stack enter fast recovery since the last sample?
 * @no_ecn: is the connection without ECN, so that no mark can ever come?
 * @sprayed: do its packets take several paths, so that their rate says less?
 * @idle: the flow was idle before, and the algorithm knows
 * @small: has the algorithm less memory than it will have when the flow needs it?
 * @priority: the socket's SO_PRIORITY
 * @dscp: its differentiated services code point, 0 to 63
 */
struct dcc_sample {
	u64 now_ns;
	u64 sent_ns;
	u32 delay_ns;
	u32 base_rtt_ns;
	u32 hosts_ns;
	u32 srtt_ns;
	u32 acked;
	u32 acked_bytes;
	u32 ce;
	u32 losses;
	u32 lost_run;
	u32 inflight;
	u32 flight;
	u64 line_rate;
	u32 mss;
	u32 priority;
	u8 dscp;
	bool cwnd_limited;
	bool drains;
	bool app_limited;
	bool fills;
	bool maybe_delayed;
	bool recovery;
	bool no_ecn;
	bool sprayed;
	bool idle;
	bool small;
};

/* The longest delay of a packet that met no queue, ns; 0: unknown. */
static inline u32 dcc_sample_base(const struct dcc_sample *s)
{
	return s->base_rtt_ns + min(s->hosts_ns, U32_MAX - s->base_rtt_ns);
}

/**
 * struct dcc_timeout - a retransmission timeout
 * @now_ns: when
 * @srtt_ns: raw smoothed RTT; 0 until known
 * @lost: packets that it gave up
 * @mss: payload of a full packet, bytes, never 0
 */
struct dcc_timeout {
	u64 now_ns;
	u32 srtt_ns;
	u32 lost;
	u32 mss;
};

/**
 * struct dcc_decision - what the algorithm wants
 * @cwnd: window in bytes, << DCC_CWND_SHIFT; below two packets it is carried
 *	out by pacing, so it may be less than one packet
 * @largest: @cwnd is as large as it may become, so many BDPs, or nearly (dcc_comp_sack.h); 0,
 *	as it came, of algorithms that have no such bound, or do not know it
 * @pacing_rate: bytes of payload per second; 0: the line rate, the default
 * @delay_ns: the delay the algorithm acted on, for traces and ss
 * @target_ns: what it compared it with
 * @probe_delay_ns: with @suspend: when to probe, ns from now
 * @suspend: send nothing from now on, of algorithms with an on_probe() alone. @cwnd still
 *	says how much to send if that cannot be done
 * @priority: the flow's level, from 1, for ss, of algorithms that know any
 * @clamped: the level is lower than what the socket asks for: there is no such
 * @starts: the window doubles to where the path is full: it is no time for min-RTT probes. 0, as
 *	it came, of algorithms that do not start so
 * @alone: no other flow was seen on the path; after @starts, one min-RTT probe shows if that is
 *	so. Likewise 0 of others
 * @branch: which rule fired, the algorithm's own numbering, for traces
 * @up: is the window, in whole packets, rounded up? Down otherwise
 * @share: of the link, 10^-6, for traces; 0, as it came, if the algorithm reckons with
 *	none
 * @gradient: growth of the delay over time, 10^-6, likewise
 *
 * 2^20 packets of 2^16 bytes need 36 bits, 44 with the shift.
 */
struct dcc_decision {
	u64 cwnd;
	u64 pacing_rate;
	u32 delay_ns;
	u32 target_ns;
	u32 share;
	s32 gradient;
	u64 probe_delay_ns;
	u8 branch;
	u8 priority;
	bool clamped;
	bool suspend;
	bool largest;
	bool starts;
	bool alone;
	bool up;
};

#define DCC_CWND_SHIFT	8

#endif /* _DCC_SAMPLE_H */
