// SPDX-License-Identifier: GPL-2.0
/* Network namespaces, with a socket of sock_diag in each. */
#include <dirent.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "io.h"

#define OWN_NET		"/proc/self/ns/net"
/* Of ip netns, as it was built, and of docker. */
static const char *const named_nets[] = {
	"/run/netns", "/var/run/netns", "/run/docker/netns",
};

static struct mnl_socket *open_diag(void)
{
	struct mnl_socket *nl = mnl_socket_open2(NETLINK_SOCK_DIAG, SOCK_CLOEXEC);

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID))
		cannot("no netlink socket: %s", strerror(errno));
	return nl;
}

static bool is_known(const struct nets *nets, u64 inode)
{
	u32 i;

	for (i = 0; i < nets->count; i++)
		if (nets->net[i].inode == inode)
			return true;
	return false;
}

static struct net *add_net(struct nets *nets, const char *name, u64 inode)
{
	struct net *net;

	nets->net = reallocarray(nets->net, nets->count + 1, sizeof(*nets->net));
	if (!nets->net)
		cannot("no memory for %u namespaces", nets->count + 1);
	net = &nets->net[nets->count++];
	memset(net, 0, sizeof(*net));
	snprintf(net->name, sizeof(net->name), "%s", name);
	net->inode = inode;
	return net;
}

/* A socket stays in the namespace that it was opened in. */
static void open_inside(struct nets *nets, const char *name, u64 inode, int fd)
{
	int own = open(OWN_NET, O_RDONLY | O_CLOEXEC);

	if (own < 0) {
		nets->closed++;
	} else if (setns(fd, CLONE_NEWNET)) {
		nets->closed += errno != EINVAL;	/* it is none, or no longer */
	} else {
		struct net *net = add_net(nets, name, inode);

		net->nl = open_diag();
		read_text(DEFAULT_CC, net->cc, sizeof(net->cc));
		if (setns(own, CLONE_NEWNET))
			cannot("cannot return to this namespace: %s", strerror(errno));
	}
	if (own >= 0)
		close(own);
}

/* One that is gone meanwhile is passed over. */
static void try_net(struct nets *nets, const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && !is_known(nets, st.st_ino))
		open_inside(nets, name, st.st_ino, fd);
	close(fd);
}

static void each_entry(struct nets *nets, const char *folder, bool processes)
{
	char path[PATH_TEXT], name[NET_TEXT];
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *at = entry->d_name;

		if (*at == '.' || (processes && at[strspn(at, "0123456789")]))
			continue;
		snprintf(path, sizeof(path), "%s/%s%s", folder, at,
			 processes ? "/ns/net" : "");
		snprintf(name, sizeof(name), "%s%.40s", processes ? "pid-" : "", at);
		try_net(nets, path, name);
	}
	if (dir)
		closedir(dir);
}

static u64 inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

/* A socket in each of them: as many files as this user may have. */
static void allow_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/**
 * nets_open() - find namespaces
 * @nets: filled in, this one first
 * @all: those that have a name or a process, too, as far as may be entered
 */
void nets_open(struct nets *nets, bool all)
{
	struct net *own;
	u32 i;

	memset(nets, 0, sizeof(*nets));
	allow_files();
	own = add_net(nets, "-", inode_of(OWN_NET));
	own->own = true;
	own->nl = open_diag();
	read_text(DEFAULT_CC, own->cc, sizeof(own->cc));
	if (!all)
		return;
	for (i = 0; i < ARRAY_SIZE(named_nets); i++)
		each_entry(nets, named_nets[i], false);
	each_entry(nets, "/proc", true);
}

void nets_close(struct nets *nets)
{
	u32 i;

	for (i = 0; i < nets->count; i++)
		if (nets->net[i].nl)
			mnl_socket_close(nets->net[i].nl);
	free(nets->net);
	memset(nets, 0, sizeof(*nets));
}
