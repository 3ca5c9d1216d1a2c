/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lab's agent: init of a User Mode Linux guest in virtual time. It carries
 * out a plan (../PLAN.md) on the real network stack and writes the results.
 *
 *   main.c      order of things, power off
 *   plan.c      the plan's text into statements and values
 *   setup.c     mounts, modules, namespaces, sysctls, commands
 *   netlink.c   batches of rtnetlink messages, one per namespace
 *   net.c       links, groups, addresses, routes
 *   mptcp.c     MPTCP's path manager, counters of all subflows
 *   lablink.c   parameters and counters of the lab's link device
 *   pcap.c      what links carried, for Wireshark
 *   timer.c     the queue of future events and the clock
 *   flow.c      one TCP transfer, its two sockets
 *   calls.c     requests and responses over it
 *   traffic.c   the loop that drives all flows and timed changes
 *   sample.c    time series
 *   record.c    what the congestion control did at each ACK, and of labels
 *   result.c    the record of the run
 *
 * Nothing here may depend on the host's time, on process ids or on addresses of
 * memory: the same plan and seed give the same results byte for byte.
 */
#ifndef LAB_AGENT_H
#define LAB_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <linux/types.h>
#include <netinet/in.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define __noreturn	__attribute__((__noreturn__))
#define __printf(a, b)	__attribute__((__format__(printf, a, b)))

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	1000000000ULL
#define BITS_PER_BYTE	8
#define NEVER		(~0ULL)

/* TCP_CA_NAME_MAX of the kernel's net/tcp.h */
#define CC_NAME_LEN	16

/* util.c */

/* Names to numbers 0, 1, 2...: nodes, links, flows */
struct names {
	const char **name;
	unsigned int count;
	unsigned int *slot;	/* hash table of number + 1; 0 = empty */
	unsigned int slots;	/* power of two */
};

__printf(1, 2) __noreturn void fail(const char *fmt, ...);
__printf(1, 2) __noreturn void fail_errno(const char *fmt, ...);
__printf(1, 2) void say(const char *fmt, ...);
void *grow(void *array, size_t count, size_t size);
void *zalloc(size_t size);
void names_add(struct names *names, const char *name);
int names_find(const struct names *names, const char *name);
char *read_file(const char *path, size_t *len);
FILE *open_output(const char *path);
void close_output(FILE *file, const char *path);
__noreturn void power_off(void);

/* plan.c */

enum stmt_kind {
	STMT_MODULE,
	STMT_NODE,
	STMT_LINK,
	STMT_DIR,
	STMT_GROUP,
	STMT_ADDR,
	STMT_SYSCTL,
	STMT_ROUTE,
	STMT_MPTCP,
	STMT_EXEC,
	STMT_FLOW,
	STMT_AT,
	STMT_RECORD,
	STMT_LABELS,
	STMT_SAMPLE,
	STMT_STOP,
	STMT_UNTIL,
	STMT_SETCC,		/* only after "at <ns>" */
	STMT_KINDS,
};

/* One line of the plan, or what follows "at <ns>" */
struct stmt {
	enum stmt_kind kind;
	unsigned int line;
	unsigned int argc;
	char **argv;		/* tokens after the directive's name */
	const char **rest;	/* rest[i]: the line's text from argv[i] on */
};

/* How a key=value of a statement is read into a struct */
enum key_type { KEY_U64, KEY_TEXT };

struct key {
	const char *name;
	enum key_type type;
	size_t offset;
	u64 max;		/* largest value of a KEY_U64; 0 = any */
};

#define KEY_NUMBER(type, field, largest) \
	{ #field, KEY_U64, offsetof(type, field), largest }
#define KEY_STRING(type, field) \
	{ #field, KEY_TEXT, offsetof(type, field), 0 }

struct plan {
	struct stmt *stmt;
	unsigned int count;
};

void plan_read(struct plan *plan, const char *path);
void plan_at(unsigned int line);
const char *plan_where(unsigned int *line);
void stmt_args(const struct stmt *stmt, unsigned int count);
void stmt_keys(const struct stmt *stmt, unsigned int first,
	       const struct key *keys, unsigned int count, void *into);
struct stmt stmt_timed(const struct stmt *at);
u64 parse_u64(const char *what, const char *text, u64 max);
unsigned int split(char *text, char by, char **part, unsigned int max);

typedef void (*stmt_fn)(const struct stmt *stmt);
void plan_each(const struct plan *plan, enum stmt_kind kind, stmt_fn fn);

/* setup.c */

struct iface {
	const char *name;
	int index;
};

/* A network namespace */
struct node {
	const char *name;
	bool is_switch;
	bool listens;		/* ready for many connections at once? */
	int nsfd;		/* /proc/<pid>/ns/net */
	int nlfd;		/* rtnetlink socket inside */
	struct iface *iface;
	unsigned int ifaces;
	char **nexthops;	/* device lists that have a nexthop group */
	unsigned int nexthop_groups;
	char *batch;		/* rtnetlink messages not yet sent */
	size_t batch_len, batch_room;
	unsigned int batch_last;	/* offset of the last message */
};

extern struct node *nodes;
extern struct names node_names;
extern struct node root_node;	/* the first namespace, "-" in a plan */

void mount_all(const char *labdir);
void load_module(const struct stmt *stmt);
void nodes_create(const struct plan *plan);
void nodes_sysctl(const struct plan *plan);
void sysctl_now(const struct stmt *stmt);
void sysctl_write(const char *name, const char *value);
void exec_wait(const struct stmt *stmt);
int exec_start(const struct stmt *stmt);
void exec_check(int status);
struct node *node_find(const char *name);
int iface_index(const struct node *node, const char *name);
void node_enter(const struct node *node);
void iface_add(struct node *node, const char *name);

/* netlink.c */

struct nlmsghdr *nl_start(struct node *node, u16 type, u16 flags);
void nl_done(struct node *node, struct nlmsghdr *msg);
void nl_flush(struct node *node);
void nl_flush_all(void);
int nl_open(void);

/* net.c */

/* Two directions: ab and ba */
struct link {
	const char *name;
	unsigned int line;
	struct node *node[2];
	const char *iface[2];
	u64 mtu;
	const char *kind;
	bool is_lablink;
	int index[2];		/* interface numbers of the two ends */
};

extern struct link *links;
extern struct names link_names;
extern const char *const dir_name[2];

struct address {
	sa_family_t family;
	u8 plen, len;	/* bits of the prefix, bytes of the address */
	u8 byte[sizeof(struct in6_addr)];
};

void net_create(const struct plan *plan);
void net_address(const struct plan *plan);
void net_route(const struct plan *plan);
struct address parse_address(const char *text);
int parse_dir(const char *text);

/* timer.c */

enum event_kind {
	EVENT_ZERO,
	EVENT_CONNECT,
	EVENT_START,
	EVENT_PACE,
	EVENT_ON,
	EVENT_OFF,
	EVENT_DRAIN,
	EVENT_END,
	EVENT_AT,
	EVENT_SAMPLE,
	EVENT_PROGRESS,
	EVENT_STOP,
};

struct event {
	s64 when;		/* ns since t = 0 */
	u64 order;		/* of arming, among events of the same time */
	enum event_kind kind;
	unsigned int what;
};

int timer_open(void);
void timer_sleep(u64 ns);
void timer_zero(u64 at);
void timer_zero_in(u64 ns);
void timer_add(s64 when, enum event_kind kind, unsigned int what);
bool timer_next(struct event *event);
void timer_arm(bool fired);
s64 clock_since_zero(u64 at);
u64 clock_now(void);
void clock_round(void);

#endif
