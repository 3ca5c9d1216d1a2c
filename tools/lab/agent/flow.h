/* SPDX-License-Identifier: GPL-2.0 */
/* A flow: one TCP connection that carries one message, or data until the end. */
#ifndef LAB_AGENT_FLOW_H
#define LAB_AGENT_FLOW_H

#include "agent.h"

/*
 * struct tcp_info as of Linux 6.12 (include/uapi/linux/tcp.h). Headers of
 * distributions are older and end before the fields we want; the kernel fills
 * what it knows and says how much, the rest stays 0.
 */
struct tcp_report {
	u8 state, ca_state, retransmits, probes, backoff, options;
	u8 wscale, flags;
	u32 rto, ato, snd_mss, rcv_mss;
	u32 unacked, sacked, lost, retrans, fackets;
	u32 last_data_sent, last_ack_sent, last_data_recv, last_ack_recv;
	u32 pmtu, rcv_ssthresh, rtt, rttvar, snd_ssthresh, snd_cwnd;
	u32 advmss, reordering, rcv_rtt, rcv_space, total_retrans;
	u64 pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
	u32 segs_out, segs_in, notsent_bytes, min_rtt;
	u32 data_segs_in, data_segs_out;
	u64 delivery_rate, busy_time, rwnd_limited, sndbuf_limited;
	u32 delivered, delivered_ce;
	u64 bytes_sent, bytes_retrans;
	u32 dsack_dups, reord_seen, rcv_ooopack, snd_wnd, rcv_wnd, rehash;
	u16 total_rto, total_rto_recoveries;
	u32 total_rto_time;
};

/* union tcp_cc_info of the kernel */
#define CC_INFO_MAX	20

/* A sender's state, or what it was when the flow ended */
struct flow_report {
	struct tcp_report tx, rx;
	char cc[CC_NAME_LEN];
	u8 cc_info[CC_INFO_MAX];
	unsigned int cc_info_len;
	unsigned int subflows;	/* of an MPTCP connection */
};

enum flow_state {
	FLOW_WAITING,		/* for its time or for other flows */
	FLOW_CONNECTING,
	FLOW_GREETING,		/* warm: a byte goes there, a byte back */
	FLOW_READY,		/* warm: waits for its time */
	FLOW_OPEN,
	FLOW_DELIVERED,		/* receiver has all; the sender does not know */
	FLOW_CLOSED,		/* finished or failed */
};

struct flow {
	const char *name;
	unsigned int line;
	enum flow_state state;

	/* from the plan; NEVER = not given */
	const char *src, *dst, *daddr, *cc, *after;
	u64 port, bytes, start, rate, on, off, sndbuf, rcvbuf, prio;
	u64 tclass, acktclass, maxrate, drain, warm, write, writes, lasts;
	u64 mptcp;			/* 1: a connection of subflows */
	u64 call, request;		/* bytes of a response, of what asks for it */

	struct node *from, *to;
	struct sockaddr_storage peer;	/* where to connect to */
	struct sockaddr_storage local;	/* what the connection came from */
	unsigned int listener;
	unsigned int *dependent;	/* flows that wait for this one */
	unsigned int dependents;
	unsigned int waits;		/* flows this one still waits for */

	bool due;			/* has its time come? */
	bool greeted;			/* warm: the byte from the sender is here */
	int tx, rx;			/* sockets, or -1 */
	u64 sent, received;	/* bytes, by send() and recv() */
	u64 quota;			/* bytes the source has offered so far */
	u64 quantum;		/* bytes it offers at a time, if paced */
	u64 source_zero;		/* of a clock that runs in on-periods */
	u64 source_steps;		/* quanta offered since */
	u64 pace_at;		/* when the next one is due */
	u64 periods;		/* on-periods that are over */
	bool source_off;		/* in an off-period? */
	bool full;			/* its buffer took no more: EPOLLOUT will say */
	u64 chunk;			/* bytes to have before the receiver wakes */
	unsigned int reads;
	u64 asked, heard;		/* requests sent, bytes of them heard */
	u64 asked_at;			/* when the last one was sent */

	/* ns since t = 0; NEVER = has not happened */
	u64 started, established, ended;
	int error;
	struct flow_report report;
};

extern struct flow *flows;
extern struct names flow_names;
extern unsigned int flows_done;	/* closed */
extern unsigned int flows_left;	/* with a message, and not closed */

/* What an event of the loop's epoll set belongs to, in its data */
enum watch { WATCH_TIMER, WATCH_CHILD, WATCH_LISTENER, WATCH_TX, WATCH_RX };

void watch_add(int fd, u32 events, enum watch kind, unsigned int index);
void watch_again(int fd, u32 events, enum watch kind, unsigned int index);
void watch_end(int fd);

void flow_setup(const struct plan *plan, int epoll);
u64 flow_lead(void);
void flow_connect(struct flow *flow);
void flow_start(struct flow *flow, u64 now);
void flow_accept(unsigned int listener);
void flow_tx_event(struct flow *flow, u32 events);
void flow_rx_event(struct flow *flow, u32 events);
void flow_pace(struct flow *flow, u64 when);
void flow_on(struct flow *flow, u64 when);
void flow_off(struct flow *flow, u64 when);
void flow_drain(struct flow *flow);
void flow_end(struct flow *flow);
void flow_setcc(const struct stmt *stmt);
void flow_report(struct flow *flow);
void flow_report_last(struct flow *flow);

/* More would not surely be taken by one send() */
#define REQUEST_MAX	4096

void call_ask(struct flow *flow);
u64 call_heard(struct flow *flow);
void call_answered(struct flow *flow);
void calls_end(void);

/* mptcp.c */

void mptcp_setup(const struct plan *plan);
bool mptcp_is(int fd);
unsigned int mptcp_get_report(int fd, struct tcp_report *report);

#endif
