/* SPDX-License-Identifier: GPL-2.0 */
/* What dccstat asks the kernel: sockets, namespaces, the trace, counters. */
#ifndef _DCCSTAT_IO_H
#define _DCCSTAT_IO_H

#include <stdio.h>

#include "flow.h"

#define NET_TEXT	64	/* longest name of a namespace */
#define DEFAULT_CC	"/proc/sys/net/ipv4/tcp_congestion_control"
#define PATH_TEXT	320
#define TRACE_MOUNT	"sudo mount -t tracefs nodev /sys/kernel/tracing"

/**
 * struct net - a network namespace
 * @name: for people
 * @inode: which it is
 * @own: is it this program's?
 * @cc: its default algorithm; "" if it could not be read
 * @nl: a socket of sock_diag in it
 */
struct net {
	char name[NET_TEXT];
	u64 inode;
	bool own;
	char cc[CC_TEXT];
	struct mnl_socket *nl;
};

/**
 * struct nets - namespaces
 * @net: those that could be entered
 * @count: how many
 * @closed: others
 */
struct nets {
	struct net *net;
	u32 count;
	u32 closed;
};

void nets_open(struct nets *nets, bool all);
void nets_close(struct nets *nets);

typedef void flow_fn(const struct flow *flow, void *data);
bool sockets_each(const struct nets *nets, u32 states, flow_fn *fn, void *data);

/**
 * struct trace - an instance of the kernel's tracing with some events of dcc
 * @dir: its folder; "": none
 * @fd: its trace_pipe
 * @text: what was read and is not yet a line
 * @len: how much
 */
struct trace {
	char dir[PATH_TEXT];
	int fd;
	char text[65536];
	size_t len;
};

typedef void line_fn(const char *line, void *data);
bool trace_open(struct trace *trace, const char *const *event, u32 kib, char why[WHY_TEXT]);
bool trace_read(struct trace *trace, line_fn *fn, void *data);
void trace_stop(struct trace *trace);
void trace_close(struct trace *trace);
const char *trace_folder(void);

FILE *out_open(const char *path);
FILE *out_open_named(const char *path);
bool out_close(FILE *out);

bool read_text(const char *path, char *text, size_t size);
bool write_text(const char *path, const char *text);
int read_number(const char *path, int none);

u64 now_ns(void);
bool is_stopped(void);
void catch_signals(void);

#endif /* _DCCSTAT_IO_H */
