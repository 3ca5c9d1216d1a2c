// SPDX-License-Identifier: GPL-2.0
/*
 * One TCP transfer and its two sockets. The receiver shuts its side when it
 * has the last byte; that reaches the sender behind the last acknowledgment,
 * so the sender's final state is read there, and both sockets are closed.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "flow.h"
#include "traffic.h"

#define SEND_SIZE	(1024 * 1024)	/* bytes given to one send() */
#define RECV_SIZE	(1024 * 1024 * 1024)	/* bytes asked of one recv() */
/*
 * Unsent bytes in the send buffer: enough that the sender never runs dry
 * between two wake-ups, few enough that 1,000 flows fit into memory.
 */
#define NOTSENT_BYTES	(512 * 1024)
/* The same for a source that stops: what is queued goes out afterwards */
#define NOTSENT_STOPS	(32 * 1024)
#define SNDBUF_MAX	(64 * 1024 * 1024)
#define LISTEN_BACKLOG	65535
#define LISTEN_BACKLOG_TEXT "65535"
/* A paced source offers what its rate gives in this time, in whole segments */
#define PACE_NS		20000
#define PACE_BYTES_MAX	65536
/* A slow reader takes this much at a time */
#define DRAIN_BYTES	16384
/*
 * The receiver wakes when 1/16 of its buffer holds data: seldom enough to be
 * cheap, and the window it offers stays open. The buffer grows by itself, so
 * look again every few reads.
 */
#define CHUNK_SHARE	16
#define CHUNK_MAX	(256 * 1024)
#define CHUNK_REVIEW	8

struct listener {
	int fd;
	struct flow *first;	/* its algorithm and buffer apply */
	unsigned int *flow;
	unsigned int flows;
};

struct flow *flows;
struct names flow_names;
unsigned int flows_done, flows_left;

static struct listener *listeners;
static struct names listener_names;
static int epoll_fd;
static char payload[SEND_SIZE];

static const struct key flow_keys[] = {
	KEY_STRING(struct flow, src),
	KEY_STRING(struct flow, dst),
	KEY_STRING(struct flow, daddr),
	KEY_STRING(struct flow, cc),
	KEY_STRING(struct flow, after),
	KEY_NUMBER(struct flow, port, UINT16_MAX),
	KEY_NUMBER(struct flow, bytes, INT64_MAX),
	KEY_NUMBER(struct flow, start, INT64_MAX),
	KEY_NUMBER(struct flow, rate, INT64_MAX),
	KEY_NUMBER(struct flow, on, INT64_MAX),
	KEY_NUMBER(struct flow, off, INT64_MAX),
	KEY_NUMBER(struct flow, sndbuf, INT32_MAX / 2),
	KEY_NUMBER(struct flow, rcvbuf, INT32_MAX / 2),
	KEY_NUMBER(struct flow, prio, INT32_MAX),
	KEY_NUMBER(struct flow, tclass, UINT8_MAX),
	KEY_NUMBER(struct flow, acktclass, UINT8_MAX),
	KEY_NUMBER(struct flow, maxrate, INT64_MAX),
	KEY_NUMBER(struct flow, drain, INT64_MAX),
	KEY_NUMBER(struct flow, warm, INT64_MAX),
	KEY_NUMBER(struct flow, lasts, INT64_MAX),
	KEY_NUMBER(struct flow, write, SEND_SIZE),
	KEY_NUMBER(struct flow, writes, UINT16_MAX),
	KEY_NUMBER(struct flow, call, INT64_MAX),
	KEY_NUMBER(struct flow, request, REQUEST_MAX),
	KEY_NUMBER(struct flow, mptcp, 1),
};

static void watch(int op, int fd, u32 events, enum watch kind,
		  unsigned int index)
{
	struct epoll_event event = {
		.events = events,
		.data.u64 = (u64)kind << 32 | index,
	};

	if (epoll_ctl(epoll_fd, op, fd, &event))
		fail_errno("epoll_ctl");
}

void watch_add(int fd, u32 events, enum watch kind, unsigned int index)
{
	watch(EPOLL_CTL_ADD, fd, events, kind, index);
}

void watch_again(int fd, u32 events, enum watch kind, unsigned int index)
{
	watch(EPOLL_CTL_MOD, fd, events, kind, index);
}

void watch_end(int fd)
{
	watch(EPOLL_CTL_DEL, fd, 0, 0, 0);
}

static void set_int(int fd, int level, int option, int value, const char *name)
{
	if (setsockopt(fd, level, option, &value, sizeof(value)))
		fail_errno("%s=%d", name, value);
}

static void set_cc(int fd, const char *cc)
{
	if (!strcmp(cc, "-"))
		return;
	if (setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, cc, strlen(cc)))
		fail_errno("TCP_CONGESTION=%s", cc);
}

static void set_tclass(int fd, const struct flow *flow, u64 tclass)
{
	bool v4 = flow->peer.ss_family == AF_INET;

	if (tclass != NEVER)
		set_int(fd, v4 ? IPPROTO_IP : IPPROTO_IPV6,
			v4 ? IP_TOS : IPV6_TCLASS, tclass, "tclass");
}

static socklen_t address_len(const struct sockaddr_storage *addr)
{
	return addr->ss_family == AF_INET ? sizeof(struct sockaddr_in) :
					    sizeof(struct sockaddr_in6);
}

static void set_peer(struct flow *flow)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&flow->peer;
	struct sockaddr_in *v4 = (struct sockaddr_in *)&flow->peer;
	struct address addr = parse_address(flow->daddr);

	flow->peer.ss_family = addr.family;
	if (addr.family == AF_INET) {
		v4->sin_port = htons(flow->port);
		memcpy(&v4->sin_addr, addr.byte, addr.len);
	} else {
		v6->sin6_port = htons(flow->port);
		memcpy(&v6->sin6_addr, addr.byte, addr.len);
	}
}

/* Of TCP, or of MPTCP where the flow asks for it */
static int stream_socket(const struct flow *flow)
{
	int fd = socket(flow->peer.ss_family,
			SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			flow->mptcp ? IPPROTO_MPTCP : 0);

	if (fd < 0)
		fail_errno("socket");
	return fd;
}

/* Flows to the same address and port share a listening socket */
static void find_listener(struct flow *flow, unsigned int number)
{
	struct listener *listener;
	char *name;
	int i;

	if (asprintf(&name, "%s %s %llu", flow->dst, flow->daddr,
		     flow->port) < 0)
		fail_errno("memory for a listener");
	i = names_find(&listener_names, name);
	if (i < 0) {
		i = listener_names.count;
		listeners = grow(listeners, i, sizeof(*listeners));
		listeners[i] = (struct listener){ .fd = -1 };
		names_add(&listener_names, name);
	} else {
		free(name);
	}
	listener = &listeners[i];
	listener->flow = grow(listener->flow, listener->flows,
			      sizeof(*listener->flow));
	listener->flow[listener->flows++] = number;
	flow->listener = i;
}

/* Does it end by itself, not only with the run? */
static bool flow_ends(const struct flow *flow)
{
	return flow->bytes || flow->lasts != NEVER;
}

static void flow_check(const struct flow *flow)
{
	if (!flow->src || !flow->dst || !flow->daddr || !flow->cc)
		fail("a flow needs src=, dst=, daddr= and cc=");
	if (flow->port == NEVER || !flow->port || flow->bytes == NEVER ||
	    flow->start == NEVER)
		fail("a flow needs port= (not 0), bytes= and start=");
	if (!flow->rate || !flow->drain)
		fail("rate= and drain= must be above 0");
	if (!flow->on || (flow->on == NEVER && flow->off != NEVER) ||
	    (flow->on != NEVER && flow->off == NEVER))
		fail("on= (above 0) and off= come together");
	if (!flow->write || !flow->writes ||
	    (flow->write != NEVER && flow->rate == NEVER))
		fail("write= and writes= must be above 0, and come with rate=");
	if (!flow->lasts || (flow->lasts != NEVER && flow->bytes))
		fail("lasts= must be above 0, and comes with bytes=0");
	if (!flow->call || !flow->request ||
	    (flow->call == NEVER ? flow->request != NEVER :
				   flow->request == NEVER))
		fail("call= and request= (above 0) come together");
	if (flow->call != NEVER &&
	    (!flow->bytes || flow->bytes % flow->call ||
	     flow->rate != NEVER || flow->on != NEVER || flow->drain != NEVER))
		fail("call= divides bytes=, without rate=, on= and drain=");
}

static void flow_stmt(const struct stmt *stmt)
{
	unsigned int number = flow_names.count;
	struct flow *flow;

	stmt_args(stmt, 1);
	flows = grow(flows, number, sizeof(*flows));
	flow = &flows[number];
	*flow = (struct flow){
		.name = stmt->argv[0], .line = stmt->line,
		.port = NEVER, .bytes = NEVER, .start = NEVER, .rate = NEVER,
		.on = NEVER, .off = NEVER, .sndbuf = NEVER, .rcvbuf = NEVER,
		.prio = NEVER, .tclass = NEVER, .acktclass = NEVER, .maxrate = NEVER,
		.drain = NEVER, .write = NEVER, .writes = 1, .lasts = NEVER,
		.call = NEVER, .request = NEVER,
		.tx = -1, .rx = -1, .quota = NEVER,
		.started = NEVER, .established = NEVER, .ended = NEVER,
	};
	stmt_keys(stmt, 1, flow_keys, ARRAY_SIZE(flow_keys), flow);
	flow_check(flow);
	flow->from = node_find(flow->src);
	flow->to = node_find(flow->dst);
	set_peer(flow);
	find_listener(flow, number);
	names_add(&flow_names, flow->name);
	flows_left += flow_ends(flow);
}

static void wait_for(struct flow *flow, const char *name)
{
	int i = names_find(&flow_names, name);

	if (i < 0)
		fail("after=%s: no such flow", name);
	flows[i].dependent = grow(flows[i].dependent, flows[i].dependents,
				  sizeof(*flow->dependent));
	flows[i].dependent[flows[i].dependents++] = flow - flows;
	flow->waits++;
}

/*
 * When the connection of a warm flow is made. When others will have ended is
 * not known beforehand: a flow after them connects ahead of t = 0.
 */
static s64 connect_time(const struct flow *flow)
{
	return (flow->after ? 0 : flow->start) - flow->warm;
}

/* How long before t = 0 the first connection is made */
u64 flow_lead(void)
{
	s64 first = 0;
	unsigned int i;

	for (i = 0; i < flow_names.count; i++)
		if (flows[i].warm && connect_time(&flows[i]) < first)
			first = connect_time(&flows[i]);
	return -first;
}

/* A flow without predecessors starts at its time, the others after the last */
static void schedule(struct flow *flow)
{
	char *copy, *part, *next;

	plan_at(flow->line);
	if (flow->warm)
		timer_add(connect_time(flow), EVENT_CONNECT, flow - flows);
	if (!flow->after) {
		timer_add(flow->start, EVENT_START, flow - flows);
		return;
	}
	copy = strdup(flow->after);
	if (!copy)
		fail_errno("memory for after=");
	for (part = copy; part; part = next) {
		next = strchr(part, ',');
		if (next)
			*next++ = '\0';
		wait_for(flow, part);
	}
	free(copy);
}

/* A thousand connections may come at the same instant */
static void node_listens(struct node *node)
{
	node_enter(node);
	if (node->listens)
		return;
	node->listens = true;
	sysctl_write("net/core/somaxconn", LISTEN_BACKLOG_TEXT);
	sysctl_write("net/ipv4/tcp_max_syn_backlog", LISTEN_BACKLOG_TEXT);
}

/*
 * The receiver's side runs the same algorithm, as with a system-wide choice:
 * some answer marks in their own way. The accepted sockets inherit it, and the
 * class of all that the receiver sends.
 */
static void listener_open(struct listener *listener, unsigned int number)
{
	struct flow *flow = &flows[listener->flow[0]];
	const struct sockaddr *addr = (const struct sockaddr *)&flow->peer;
	int fd;

	plan_at(flow->line);
	listener->first = flow;
	node_listens(flow->to);
	fd = stream_socket(flow);
	set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
	if (flow->rcvbuf != NEVER)
		set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, flow->rcvbuf, "rcvbuf");
	set_cc(fd, flow->cc);
	set_tclass(fd, flow, flow->acktclass);
	if (bind(fd, addr, address_len(&flow->peer)))
		fail_errno("bind to %s port %llu on %s", flow->daddr,
			   flow->port, flow->dst);
	if (listen(fd, LISTEN_BACKLOG))
		fail_errno("listen");
	listener->fd = fd;
	watch_add(fd, EPOLLIN, WATCH_LISTENER, number);
}

void flow_setup(const struct plan *plan, int epoll)
{
	unsigned int i;

	epoll_fd = epoll;
	for (i = 0; i < sizeof(payload); i++)
		payload[i] = 'a' + i % 26;
	plan_each(plan, STMT_FLOW, flow_stmt);
	if (flow_lead())
		timer_add(0, EVENT_ZERO, 0);	/* before all else at t = 0 */
	for (i = 0; i < flow_names.count; i++)
		schedule(&flows[i]);
	for (i = 0; i < listener_names.count; i++)
		listener_open(&listeners[i], i);
	plan_at(0);
}

/* Room for the whole message, but never more than NOTSENT of it waiting */
static void set_buffers(const struct flow *flow)
{
	u64 size = flow->sndbuf;
	bool stops = flow->on != NEVER || flow->lasts != NEVER;
	int notsent = stops ? NOTSENT_STOPS : NOTSENT_BYTES;

	if (size == NEVER)
		size = SNDBUF_MAX;
	set_int(flow->tx, SOL_SOCKET, SO_SNDBUFFORCE, size, "sndbuf");
	set_int(flow->tx, IPPROTO_TCP, TCP_NOTSENT_LOWAT, notsent,
		"TCP_NOTSENT_LOWAT");
}

static void set_options(const struct flow *flow)
{
	set_buffers(flow);
	set_int(flow->tx, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY");
	set_cc(flow->tx, flow->cc);
	set_tclass(flow->tx, flow, flow->tclass);
	if (flow->prio != NEVER)	/* IP_TOS sets it, too */
		set_int(flow->tx, SOL_SOCKET, SO_PRIORITY, flow->prio, "prio");
	if (flow->maxrate != NEVER &&
	    setsockopt(flow->tx, SOL_SOCKET, SO_MAX_PACING_RATE,
		       &flow->maxrate, sizeof(flow->maxrate)))
		fail_errno("maxrate=%llu", flow->maxrate);
}

/* Of a warm sender also the byte that comes back is of interest */
static u32 sender_events(const struct flow *flow)
{
	bool hears = flow->warm || flow->call != NEVER;

	return EPOLLOUT | EPOLLRDHUP | EPOLLET | (hears ? EPOLLIN : 0);
}

void flow_connect(struct flow *flow)
{
	const struct sockaddr *peer = (const struct sockaddr *)&flow->peer;
	socklen_t len = sizeof(flow->local);

	plan_at(flow->line);
	node_enter(flow->from);
	flow->tx = stream_socket(flow);
	set_options(flow);
	flow->state = FLOW_CONNECTING;
	if (connect(flow->tx, peer, address_len(&flow->peer)) &&
	    errno != EINPROGRESS)
		fail_errno("connect to %s", flow->daddr);
	if (getsockname(flow->tx, (struct sockaddr *)&flow->local, &len))
		fail_errno("getsockname");
	watch_add(flow->tx, sender_events(flow), WATCH_TX, flow - flows);
	plan_at(0);
}

/* Returns the number of subflows; 0 of a connection that has none, or of TCP's */
static unsigned int get_report(const struct flow *flow, int fd,
			       struct tcp_report *report)
{
	socklen_t len = sizeof(*report);

	if (fd < 0)
		return 0;
	if (flow->mptcp)
		return mptcp_get_report(fd, report);
	getsockopt(fd, IPPROTO_TCP, TCP_INFO, report, &len);
	return 0;
}

static void take_off(u64 *count, u64 extra)
{
	*count -= extra < *count ? extra : *count;
}

/* TCP counts the SYN; each counts the byte that a connection was warmed with */
static void report_data_only(struct flow *flow)
{
	struct tcp_report *tx = &flow->report.tx;
	u64 warm = flow->warm && tx->data_segs_out;

	take_off(&tx->bytes_acked, !flow->mptcp + warm);
	tx->data_segs_out -= warm;
	tx->delivered -= warm && tx->delivered;
}

/* Both ends as they are now; what is closed keeps what it had at the end */
void flow_report(struct flow *flow)
{
	struct flow_report *report = &flow->report;
	socklen_t len = sizeof(report->cc_info);

	get_report(flow, flow->rx, &report->rx);
	if (flow->rx >= 0) {
		take_off(&report->rx.bytes_received, flow->greeted);
		report->rx.data_segs_in -= flow->greeted && report->rx.data_segs_in;
		/* a slow reader's buffer holds what the application has not got */
		if (flow->drain != NEVER)
			report->rx.bytes_received = flow->received;
	}
	if (flow->tx < 0)
		return;
	report->subflows = get_report(flow, flow->tx, &report->tx);
	report_data_only(flow);
	if (getsockopt(flow->tx, IPPROTO_TCP, TCP_CC_INFO, report->cc_info,
		       &len))
		len = 0;
	report->cc_info_len = len;
}

/* The same, and the algorithm that was really active */
void flow_report_last(struct flow *flow)
{
	socklen_t len = sizeof(flow->report.cc);

	flow_report(flow);
	if (flow->tx >= 0)
		getsockopt(flow->tx, IPPROTO_TCP, TCP_CONGESTION,
			   flow->report.cc, &len);
}

static void close_both(struct flow *flow)
{
	flow_report_last(flow);
	close(flow->tx);
	if (flow->rx >= 0)
		close(flow->rx);
	flow->tx = -1;
	flow->rx = -1;
	flow->state = FLOW_CLOSED;
	flows_done++;
	flows_left -= flow_ends(flow);
}

/* A reset or a time-out: nothing more to come */
static void flow_failed(struct flow *flow, int fd)
{
	socklen_t len = sizeof(flow->error);

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &flow->error, &len);
	if (!flow->error)
		flow->error = ECONNRESET;
	close_both(flow);
}

/* Bytes that are there to be sent now */
static u64 offered(const struct flow *flow)
{
	u64 limit = flow->bytes ? flow->bytes : NEVER;

	if (flow->quota < limit)
		limit = flow->quota;
	return limit > flow->sent ? limit - flow->sent : 0;
}

/*
 * Give the kernel all it takes: a short send means that its buffer is full. A
 * write smaller than a segment is a packet of its own: there is no Nagle here.
 */
static void flow_send(struct flow *flow)
{
	u64 most = flow->write == NEVER ? sizeof(payload) : flow->write;
	u64 size;
	ssize_t sent;

	while ((size = offered(flow))) {
		if (size > most)
			size = most;
		sent = send(flow->tx, payload, size, MSG_NOSIGNAL);
		if (sent > 0)
			flow->sent += sent;
		flow->full = sent < (ssize_t)size;
		if (flow->full)
			return;
	}
}

/* Asking in vain takes 1 us of virtual time: as often as a paced source would, that sums up */
static void flow_send_if_room(struct flow *flow)
{
	if (!flow->full)
		flow_send(flow);
}

static void send_greeting(int fd)
{
	if (send(fd, payload, 1, MSG_NOSIGNAL) != 1)
		fail_errno("the first byte of a warm connection");
}

/* What a paced source offers at a time: its writes, or whole segments */
static u64 pace_quantum(const struct flow *flow)
{
	int mss = 1;
	socklen_t len = sizeof(mss);
	u64 bytes;

	if (flow->write != NEVER)
		return flow->write * flow->writes;
	getsockopt(flow->tx, IPPROTO_TCP, TCP_MAXSEG, &mss, &len);
	bytes = (__uint128_t)flow->rate * PACE_NS / BITS_PER_BYTE / NSEC_PER_SEC;
	if (bytes > PACE_BYTES_MAX)
		bytes = PACE_BYTES_MAX;
	return bytes > (u64)mss ? bytes - bytes % mss : (u64)mss;
}

/* How long @bytes take at @rate bit/s */
static u64 bytes_to_ns(u64 bytes, u64 rate)
{
	return (__uint128_t)bytes * BITS_PER_BYTE * NSEC_PER_SEC / rate;
}

/* The application offers one more quantum, at its exact time */
void flow_pace(struct flow *flow, u64 when)
{
	if (flow->state != FLOW_OPEN || flow->source_off ||
	    when != flow->pace_at)
		return;
	flow->quota += flow->quantum;
	flow->source_steps++;
	flow_send_if_room(flow);
	if (flow->bytes && flow->quota >= flow->bytes)
		return;
	flow->pace_at = flow->source_zero +
		bytes_to_ns(flow->source_steps * flow->quantum, flow->rate);
	timer_add(flow->pace_at, EVENT_PACE, flow - flows);
}

/*
 * The source's clock goes on where it stood: of a quantum that is not over at the end of a
 * period the rest is of the next one, or each period would have one too many.
 */
static void source_on(struct flow *flow, u64 when)
{
	flow->source_zero = when;
	if (flow->periods)
		flow->source_zero -= flow->periods * flow->on;
	flow->pace_at = flow->source_zero +
		bytes_to_ns(flow->source_steps * flow->quantum, flow->rate);
	if (flow->pace_at > when) {
		timer_add(flow->pace_at, EVENT_PACE, flow - flows);
		return;
	}
	flow->pace_at = when;
	flow_pace(flow, when);
}

/* An on-period begins, or the whole flow if there are no periods */
void flow_on(struct flow *flow, u64 when)
{
	if (flow->state != FLOW_OPEN)
		return;
	flow->source_off = false;
	if (flow->on != NEVER)
		timer_add(when + flow->on, EVENT_OFF, flow - flows);
	if (flow->rate != NEVER) {
		source_on(flow, when);
		return;
	}
	flow->quota = NEVER;
	flow_send_if_room(flow);
}

void flow_off(struct flow *flow, u64 when)
{
	if (flow->state != FLOW_OPEN)
		return;
	flow->source_off = true;
	flow->periods++;
	if (flow->rate == NEVER)
		flow->quota = flow->sent;
	timer_add(when + flow->off, EVENT_ON, flow - flows);
}

/* The data begins */
static void flow_begin(struct flow *flow, u64 when)
{
	flow->state = FLOW_OPEN;
	if (flow->rate != NEVER) {
		flow->quota = 0;
		flow->quantum = pace_quantum(flow);
	}
	if (flow->call == NEVER) {
		flow_on(flow, when);
		return;
	}
	flow->quota = 0;
	if (flow->rx >= 0)
		call_ask(flow);
}

static void flow_established(struct flow *flow)
{
	flow->established = clock_now();
	if (flow->mptcp && !mptcp_is(flow->tx)) {
		plan_at(flow->line);
		fail("%s has no MPTCP", flow->dst);
	}
	if (!flow->warm) {
		flow_begin(flow, flow->established);
		return;
	}
	flow->state = FLOW_GREETING;
	send_greeting(flow->tx);
}

/* The byte from the receiver is here: both ends know each other's window */
static void flow_greeted(struct flow *flow)
{
	char byte;

	if (recv(flow->tx, &byte, sizeof(byte), 0) != sizeof(byte))
		return;
	flow->state = FLOW_READY;
	if (flow->due)
		flow_begin(flow, clock_now());
}

/* A flow's time: to connect, or if its connection is there, to send */
void flow_start(struct flow *flow, u64 now)
{
	flow->started = now;
	flow->due = true;
	if (flow->lasts != NEVER)
		timer_add(now + flow->lasts, EVENT_END, flow - flows);
	if (!flow->warm)
		flow_connect(flow);
	else if (flow->state == FLOW_READY)
		flow_begin(flow, now);
}

/* There is room to send, or the target has asked for more */
static void flow_go_on(struct flow *flow, u32 events)
{
	bool asked = flow->call != NEVER && events & EPOLLIN;

	if (asked)
		flow->quota = call_heard(flow);
	if (events & EPOLLOUT)
		flow_send(flow);
	else if (asked)
		flow_send_if_room(flow);
}

void flow_tx_event(struct flow *flow, u32 events)
{
	if (flow->state == FLOW_CLOSED)
		return;
	if (events & (EPOLLERR | EPOLLHUP)) {
		flow_failed(flow, flow->tx);
		return;
	}
	if (flow->state == FLOW_CONNECTING)
		flow_established(flow);
	else if (flow->state == FLOW_GREETING && events & EPOLLIN)
		flow_greeted(flow);
	else if (flow->state == FLOW_OPEN)
		flow_go_on(flow, events);
	if (events & EPOLLRDHUP && flow->state == FLOW_DELIVERED)
		close_both(flow);
}

static u64 missing(const struct flow *flow)
{
	if (flow->warm && !flow->greeted)
		return 1;
	if (flow->call != NEVER)
		return flow->call - flow->received % flow->call;
	return flow->bytes ? flow->bytes - flow->received : NEVER;
}

/*
 * Wake the receiver when enough has come, or the last byte. A reader with a
 * rate of its own takes what there is.
 */
static void set_chunk(struct flow *flow)
{
	u64 chunk = flow->chunk;
	int rcvbuf = 0;
	socklen_t len = sizeof(rcvbuf);

	if (flow->drain != NEVER)
		return;
	if (flow->reads++ % CHUNK_REVIEW == 0) {
		getsockopt(flow->rx, SOL_SOCKET, SO_RCVBUF, &rcvbuf, &len);
		chunk = rcvbuf / CHUNK_SHARE;
	}
	if (chunk > CHUNK_MAX)
		chunk = CHUNK_MAX;
	if (chunk > missing(flow))
		chunk = missing(flow);
	if (chunk == flow->chunk)
		return;
	flow->chunk = chunk;
	set_int(flow->rx, SOL_SOCKET, SO_RCVLOWAT, chunk, "SO_RCVLOWAT");
}

/* Which of a listener's flows a connection is, by where it comes from */
static struct flow *find_flow(const struct listener *listener,
			      const struct sockaddr_storage *from)
{
	unsigned int i;

	for (i = 0; i < listener->flows; i++) {
		struct flow *flow = &flows[listener->flow[i]];

		if (flow->tx >= 0 && flow->rx < 0 &&
		    !memcmp(&flow->local, from, address_len(from)))
			return flow;
	}
	return NULL;
}

static void flow_accepted(struct flow *flow, int fd)
{
	u32 events = EPOLLIN;

	flow->rx = fd;
	plan_at(flow->line);
	if (strcmp(flow->cc, listeners[flow->listener].first->cc))
		set_cc(fd, flow->cc);
	if (flow->drain != NEVER)
		events |= EPOLLONESHOT;
	set_chunk(flow);
	watch_add(fd, events, WATCH_RX, flow - flows);
	if (flow->call != NEVER && flow->state == FLOW_OPEN)
		call_ask(flow);
	plan_at(0);
}

/*
 * One connection at a time, the next at the loop's next round: a call that
 * fails, as the one too many would, takes 1 us of virtual time.
 */
void flow_accept(unsigned int number)
{
	const struct listener *listener = &listeners[number];
	struct sockaddr_storage from = { 0 };
	socklen_t len = sizeof(from);
	struct flow *flow;
	int fd;

	fd = accept4(listener->fd, (struct sockaddr *)&from, &len,
		     SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0) {
		if (errno == EAGAIN || errno == ECONNABORTED)
			return;
		fail_errno("accept");
	}
	flow = find_flow(listener, &from);
	if (flow)
		flow_accepted(flow, fd);
	else
		close(fd);
}

/* The last byte is here: the flow has ended, others may begin */
static void flow_delivered(struct flow *flow)
{
	unsigned int i;

	flow->ended = clock_now();
	flow->state = FLOW_DELIVERED;
	sample_end(flow, flow->ended);
	watch_end(flow->rx);
	shutdown(flow->rx, SHUT_WR);
	for (i = 0; i < flow->dependents; i++) {
		struct flow *next = &flows[flow->dependent[i]];

		if (!--next->waits)
			timer_add(flow->ended + next->start, EVENT_START,
				  next - flows);
	}
}

/*
 * The time of a flow that lasts so long is over: what the kernel has taken is
 * all there is. One that could not send a byte has failed.
 */
void flow_end(struct flow *flow)
{
	if (flow->state == FLOW_CLOSED)
		return;
	if (!flow->sent) {
		flow->error = ETIMEDOUT;
		close_both(flow);
		return;
	}
	flow->bytes = flow->sent;
	if (flow->received >= flow->bytes)
		flow_delivered(flow);
	else if (flow->rx >= 0)
		set_chunk(flow);
}

/* The sender's byte, which is no data, and one back */
static void flow_greet_back(struct flow *flow)
{
	if (recv(flow->rx, NULL, 1, MSG_TRUNC) != 1)
		return;
	flow->greeted = true;
	send_greeting(flow->rx);
	set_chunk(flow);
	if (flow->drain != NEVER)
		watch_again(flow->rx, EPOLLIN | EPOLLONESHOT, WATCH_RX,
			    flow - flows);
}

/* After a slow reader's pause: look at the socket again */
void flow_drain(struct flow *flow)
{
	if (flow->rx >= 0 && flow->state == FLOW_OPEN)
		watch_again(flow->rx, EPOLLIN | EPOLLONESHOT, WATCH_RX,
			    flow - flows);
}

/* MSG_TRUNC throws the bytes away in the kernel: nothing is copied */
void flow_rx_event(struct flow *flow, u32 events)
{
	u64 size = flow->drain == NEVER ? RECV_SIZE : DRAIN_BYTES;
	ssize_t got;

	if (flow->rx < 0 || flow->state == FLOW_DELIVERED)
		return;
	if (events & EPOLLERR) {
		flow_failed(flow, flow->rx);
		return;
	}
	if (flow->warm && !flow->greeted) {
		flow_greet_back(flow);
		return;
	}
	if (flow->drain != NEVER || flow->chunk == missing(flow))
		clock_now();	/* before anything moves the clock */
	got = recv(flow->rx, NULL, size, MSG_TRUNC);
	if (got > 0)
		flow->received += got;
	if (flow->call != NEVER && got > 0 && !(flow->received % flow->call))
		call_answered(flow);
	if (flow->bytes && flow->received >= flow->bytes) {
		flow_delivered(flow);
		return;
	}
	set_chunk(flow);
	if (flow->drain != NEVER)
		timer_add(clock_now() + bytes_to_ns(got > 0 ? got : 0,
						    flow->drain),
			  EVENT_DRAIN, flow - flows);
}

/* A flow that has not begun yet begins with the new algorithm */
void flow_setcc(const struct stmt *stmt)
{
	int i;

	stmt_args(stmt, 2);
	i = names_find(&flow_names, stmt->argv[0]);
	if (i < 0)
		fail("no flow \"%s\"", stmt->argv[0]);
	if (flows[i].tx >= 0)
		set_cc(flows[i].tx, stmt->argv[1]);
	else
		flows[i].cc = stmt->argv[1];
}
