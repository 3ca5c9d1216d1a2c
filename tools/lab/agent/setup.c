// SPDX-License-Identifier: GPL-2.0
/* The guest's own set-up: mounts, modules, namespaces, sysctls, commands. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"

#define SYSCTL_ROOT	"/proc/sys"
#define SYSCTL_NAME_MAX	256
/* Each node takes two descriptors, each flow up to two */
#define MAX_FILES	(1024 * 1024)

struct node *nodes;
struct names node_names;
struct node root_node = { .name = "-" };

static void mount_one(const char *type, const char *where)
{
	if (mount(type, where, type, 0, NULL) && errno != EBUSY)
		fail_errno("mount %s on %s", type, where);
}

/*
 * The root is the host's file system: nothing may be written there outside
 * the run's directory. /run becomes a tmpfs so that "ip netns" finds the nodes
 * in /run/netns; therefore the run's directory cannot be below it.
 */
void mount_all(const char *labdir)
{
	struct rlimit files = { MAX_FILES, MAX_FILES };

	if (!strncmp(labdir, "/run/", 5))
		fail("labdir=%s must not be below /run", labdir);
	mount_one("sysfs", "/sys");
	mount_one("devtmpfs", "/dev");
	mount_one("tmpfs", "/run");
	mount_one("debugfs", "/sys/kernel/debug");
	/* not in every kernel */
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	if (mkdir("/run/netns", 0755))
		fail_errno("/run/netns");
	if (setrlimit(RLIMIT_NOFILE, &files))
		fail_errno("RLIMIT_NOFILE %u", MAX_FILES);
	root_node.nsfd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (root_node.nsfd < 0)
		fail_errno("/proc/self/ns/net");
}

void load_module(const struct stmt *stmt)
{
	int fd;

	stmt_args(stmt, 1);
	fd = open(stmt->argv[0], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail_errno("%s", stmt->argv[0]);
	if (syscall(SYS_finit_module, fd,
		    stmt->argc > 1 ? stmt->rest[1] : "", 0))
		fail_errno("finit_module");
	close(fd);
}

/* All that follows happens in this node's namespace */
void node_enter(const struct node *node)
{
	static const struct node *inside = &root_node;

	if (inside == node)
		return;
	if (setns(node->nsfd, CLONE_NEWNET))
		fail_errno("entering namespace %s", node->name);
	inside = node;
}

struct node *node_find(const char *name)
{
	int i = names_find(&node_names, name);

	if (!strcmp(name, root_node.name))
		return &root_node;
	if (i < 0)
		fail("no node \"%s\"", name);
	return &nodes[i];
}

int iface_index(const struct node *node, const char *name)
{
	unsigned int i;

	for (i = 0; i < node->ifaces; i++)
		if (!strcmp(node->iface[i].name, name))
			return node->iface[i].index;
	fail("node %s has no interface \"%s\"", node->name, name);
}

/* Interfaces are numbered as they come, lo first: the same in every run */
void iface_add(struct node *node, const char *name)
{
	node->iface = grow(node->iface, node->ifaces, sizeof(*node->iface));
	node->iface[node->ifaces].name = name;
	node->iface[node->ifaces].index = node->ifaces + 1;
	node->ifaces++;
}

static int sysctl_try(const char *name, const char *value)
{
	char path[sizeof(SYSCTL_ROOT) + SYSCTL_NAME_MAX];
	int fd, err;

	snprintf(path, sizeof(path), SYSCTL_ROOT "/%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	err = write(fd, value, strlen(value)) < 0 ? errno : 0;
	close(fd);
	errno = err;
	return err ? -1 : 0;
}

void sysctl_write(const char *name, const char *value)
{
	if (sysctl_try(name, value))
		fail_errno("sysctl %s=%s", name, value);
}

static void node_stmt(const struct stmt *stmt)
{
	struct node *node;

	stmt_args(stmt, 2);
	nodes = grow(nodes, node_names.count, sizeof(*nodes));
	node = &nodes[node_names.count];
	memset(node, 0, sizeof(*node));
	node->name = stmt->argv[0];
	node->is_switch = !strcmp(stmt->argv[1], "switch");
	if (!node->is_switch && strcmp(stmt->argv[1], "host"))
		fail("\"%s\" is neither host nor switch", stmt->argv[1]);
	names_add(&node_names, node->name);
}

/* So that commands find the node by name: ip netns exec, ip -n */
static void node_name(const struct node *node)
{
	char path[NAME_MAX + sizeof("/run/netns/")];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", node->name);
	fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (fd < 0 || mount("/proc/self/ns/net", path, NULL, MS_BIND, NULL))
		fail_errno("%s", path);
	close(fd);
}

/*
 * No interface gets a link-local address of its own making: duplicate address
 * detection would hold up the first packets by a second. Switches forward.
 */
static void node_create(struct node *node)
{
	if (unshare(CLONE_NEWNET))
		fail_errno("namespace %s", node->name);
	node->nsfd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (node->nsfd < 0)
		fail_errno("namespace %s", node->name);
	node->nlfd = nl_open();
	node_name(node);
	iface_add(node, "lo");
	sysctl_write("net/ipv6/conf/default/addr_gen_mode", "1");
	if (!node->is_switch)
		return;
	sysctl_write("net/ipv4/ip_forward", "1");
	sysctl_write("net/ipv6/conf/all/forwarding", "1");
}

void nodes_create(const struct plan *plan)
{
	unsigned int i;

	plan_each(plan, STMT_NODE, node_stmt);
	for (i = 0; i < node_names.count; i++)
		node_create(&nodes[i]);
	if (setns(root_node.nsfd, CLONE_NEWNET))
		fail_errno("leaving namespaces");
}

/* One line in one or all nodes; reached through node_enter() at any time */
void sysctl_now(const struct stmt *stmt)
{
	unsigned int i;

	stmt_args(stmt, 3);
	if (strcmp(stmt->argv[0], "*")) {
		node_enter(node_find(stmt->argv[0]));
		sysctl_write(stmt->argv[1], stmt->rest[2]);
		return;
	}
	for (i = 0; i < node_names.count; i++) {
		node_enter(&nodes[i]);
		sysctl_write(stmt->argv[1], stmt->rest[2]);
	}
}

static bool sysctl_is_for(const struct stmt *stmt, const struct node *node)
{
	return !strcmp(stmt->argv[0], node->name) ||
	       (!strcmp(stmt->argv[0], "*") && node != &root_node);
}

static void node_sysctl(const struct plan *plan, const struct node *node)
{
	unsigned int i;

	for (i = 0; i < plan->count; i++) {
		const struct stmt *stmt = &plan->stmt[i];

		if (stmt->kind != STMT_SYSCTL || !sysctl_is_for(stmt, node))
			continue;
		plan_at(stmt->line);
		node_enter(node);
		sysctl_write(stmt->argv[1], stmt->rest[2]);
	}
	plan_at(0);
}

static void sysctl_check(const struct stmt *stmt)
{
	stmt_args(stmt, 3);
	if (strcmp(stmt->argv[0], "*"))
		node_find(stmt->argv[0]);
}

/* Node by node, not line by line: entering a namespace costs a system call */
void nodes_sysctl(const struct plan *plan)
{
	unsigned int i;

	plan_each(plan, STMT_SYSCTL, sysctl_check);
	node_sysctl(plan, &root_node);
	for (i = 0; i < node_names.count; i++)
		node_sysctl(plan, &nodes[i]);
}

/* Start a shell command in a node's namespace; returns its process id */
int exec_start(const struct stmt *stmt)
{
	char *argv[4] = { "/bin/sh", "-c" };
	pid_t pid;
	int err;

	stmt_args(stmt, 2);
	argv[2] = (char *)stmt->rest[1];
	node_enter(node_find(stmt->argv[0]));
	err = posix_spawn(&pid, argv[0], NULL, NULL, argv, environ);
	if (err) {
		errno = err;
		fail_errno("starting a shell");
	}
	return pid;
}

void exec_check(int status)
{
	if (WIFSIGNALED(status))
		fail("the command was killed by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status))
		fail("the command returned %d", WEXITSTATUS(status));
}

void exec_wait(const struct stmt *stmt)
{
	int status;
	pid_t pid = exec_start(stmt);

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			fail_errno("waiting for the command");
	exec_check(status);
}
