// SPDX-License-Identifier: GPL-2.0
/* Gathers what doctor.c judges: sysctls, a socket, routes, devices, holders. */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../replay/csv.h"
#include "doctor.h"
#include "filter.h"
#include "io.h"

#define NUMBER_TEXT	16
#define COUNTER_TEXT	24	/* 64 bits in decimal */
#define ANSWER_BYTES	32768

/**
 * read_number() - a sysctl that is a number
 * @path: its file
 * @none: if it is not there
 */
int read_number(const char *path, int none)
{
	char text[NUMBER_TEXT];
	u64 value;

	if (!read_text(path, text, sizeof(text)) || text_number(text, &value))
		return none;
	return (int)min_t(u64, value, INT32_MAX);
}

/* What a socket has before anybody asks for anything. */
static void ask_socket(struct facts *facts)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(facts->socket) - 1;

	if (fd < 0 || getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, facts->socket, &len))
		cannot("no TCP socket: %s", strerror(errno));
	close(fd);
}

/* Asks rtnetlink, and hands each answer to a function. */
static void ask_route(struct nlmsghdr *nlh, mnl_cb_t fn, void *data)
{
	struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	char buf[ANSWER_BYTES];
	int more = MNL_CB_OK;

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) ||
	    mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		cannot("no answer about routes and devices: %s", strerror(errno));
	while (more > MNL_CB_STOP) {
		ssize_t len = mnl_socket_recvfrom(nl, buf, sizeof(buf));

		if (len < 0)
			break;
		more = mnl_cb_run(buf, (size_t)len, 0, mnl_socket_get_portid(nl), fn, data);
		if (!(nlh->nlmsg_flags & NLM_F_DUMP))
			break;
	}
	mnl_socket_close(nl);
}

/**
 * struct path - how packets get to a peer
 * @facts: gets the algorithm
 * @index: of the device; 0: no route
 */
struct path {
	struct facts *facts;
	u32 index;
};

static void take_metrics(struct facts *facts, const struct nlattr *metrics)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, metrics) {
		if (mnl_attr_get_type(attr) == RTAX_CC_ALGO &&
		    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			snprintf(facts->route, sizeof(facts->route), "%s",
				 mnl_attr_get_str(attr));
	}
}

static int on_route(const struct nlmsghdr *nlh, void *data)
{
	struct path *path = data;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct rtmsg)) {
		if (mnl_attr_get_type(attr) == RTA_OIF &&
		    !mnl_attr_validate(attr, MNL_TYPE_U32))
			path->index = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == RTA_METRICS)
			take_metrics(path->facts, attr);
	}
	return MNL_CB_OK;
}

/* The route to an address: its device, and the algorithm that it names. */
static u32 find_route(struct facts *facts, const struct addrinfo *to)
{
	const struct sockaddr_in6 *six = (const void *)to->ai_addr;
	const struct sockaddr_in *four = (const void *)to->ai_addr;
	char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct rtmsg *rtm = mnl_nlmsg_put_extra_header(nlh, sizeof(*rtm));
	struct path path = { .facts = facts };

	nlh->nlmsg_type = RTM_GETROUTE;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	rtm->rtm_family = (u8)to->ai_family;
	if (to->ai_family == AF_INET6) {
		rtm->rtm_dst_len = 128;
		mnl_attr_put(nlh, RTA_DST, sizeof(six->sin6_addr), &six->sin6_addr);
		if (six->sin6_scope_id)
			mnl_attr_put_u32(nlh, RTA_OIF, six->sin6_scope_id);
	} else {
		rtm->rtm_dst_len = 32;
		mnl_attr_put(nlh, RTA_DST, sizeof(four->sin_addr), &four->sin_addr);
	}
	ask_route(nlh, on_route, &path);
	return path.index;
}

/* Both kinds of probes have labels. */
static void probe_peer(struct facts *facts, const struct doctor_asks *asks,
		       const struct addrinfo *to)
{
	if (!asks->paths && !asks->peer_port)
		return;
	if (facts->peer_ipv4)
		fail("doctor: %s: '%s' is IPv4; allowed: IPv6, which has labels",
		     asks->paths ? "--paths" : "--peer", asks->host);
	if (asks->paths)
		paths_probe((const void *)to->ai_addr, &facts->paths);
	if (asks->peer_port)
		peer_ask((const void *)to->ai_addr, asks->peer_port, &facts->told);
}

static u32 find_peer(struct facts *facts, const struct doctor_asks *asks)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *to;
	int err = getaddrinfo(asks->host, NULL, &hints, &to);
	u32 index;

	if (err)
		fail("doctor: host '%s': %s; allowed: a name or an address", asks->host,
		     gai_strerror(err));
	snprintf(facts->peer, sizeof(facts->peer), "%s", asks->host);
	facts->peer_ipv4 = to->ai_family == AF_INET;
	index = find_route(facts, to);
	if (!index)
		cannot("doctor: no route to '%s'", asks->host);
	probe_peer(facts, asks, to);
	freeaddrinfo(to);
	return index;
}

/* What the device says itself; the kernel asks it in the same way. */
static u32 speed_of(const char *name)
{
	struct ethtool_cmd cmd = { .cmd = ETHTOOL_GSET };
	struct ifreq request = { .ifr_data = (void *)&cmd };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	u32 mbps = 0;

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (fd >= 0 && !ioctl(fd, SIOCETHTOOL, &request))
		mbps = mbps_of(cmd.speed_hi, cmd.speed);
	if (fd >= 0)
		close(fd);
	return mbps;
}

/* The kind of a virtual device: "veth". */
static const char *kind_of(const struct nlattr *info)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, info) {
		if (mnl_attr_get_type(attr) == IFLA_INFO_KIND &&
		    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			return mnl_attr_get_str(attr);
	}
	return "";
}

/**
 * struct links - devices that are looked for
 * @facts: gets them
 * @index: this one; 0: all that are up, but loopbacks
 */
struct links {
	struct facts *facts;
	u32 index;
};

static void take_link(struct device *d, const struct nlattr *attr, const char **kind)
{
	switch (mnl_attr_get_type(attr)) {
	case IFLA_IFNAME:
		if (!mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			snprintf(d->name, sizeof(d->name), "%s", mnl_attr_get_str(attr));
		break;
	case IFLA_QDISC:
		if (!mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			snprintf(d->qdisc, sizeof(d->qdisc), "%s", mnl_attr_get_str(attr));
		break;
	case IFLA_LINKINFO:
		*kind = kind_of(attr);
		break;
	default:
		break;
	}
}

static int on_link(const struct nlmsghdr *nlh, void *data)
{
	const struct ifinfomsg *m = mnl_nlmsg_get_payload(nlh);
	struct links *links = data;
	const struct nlattr *attr;
	const char *kind = "";
	struct device d = { 0 };

	if (links->index ? (u32)m->ifi_index != links->index :
			   !(m->ifi_flags & IFF_UP) || m->ifi_flags & IFF_LOOPBACK)
		return MNL_CB_OK;
	if (links->facts->devices == DEVICES_MOST) {
		links->facts->devices_more++;
		return MNL_CB_OK;
	}
	mnl_attr_for_each(attr, nlh, sizeof(*m))
		take_link(&d, attr, &kind);
	d.mbps = speed_of(d.name);
	d.believed = strcmp(kind, "veth") && strcmp(kind, "tun");
	d.one_flow = !strcmp(kind, "wireguard");
	links->facts->device[links->facts->devices++] = d;
	return MNL_CB_OK;
}

static void find_devices(struct facts *facts, u32 index)
{
	char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *m = mnl_nlmsg_put_extra_header(nlh, sizeof(*m));
	struct links links = { .facts = facts, .index = index };

	nlh->nlmsg_type = RTM_GETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	m->ifi_family = AF_UNSPEC;
	ask_route(nlh, on_link, &links);
}

static void on_socket(const struct flow *flow, void *data)
{
	struct facts *facts = data;
	int index = algorithm_index(flow->cc);

	if (index >= 0)
		facts->sockets[index]++;
}

static void find_holders(struct facts *facts)
{
	struct nets nets;
	u32 i;

	nets_open(&nets, true);
	facts->all = !geteuid() && !nets.closed;
	sockets_each(&nets, STATES_ALL, on_socket, facts);
	for (i = 0; i < nets.count; i++) {
		int index = algorithm_index(nets.net[i].cc);

		if (index >= 0)
			facts->defaults[index]++;
	}
	nets_close(&nets);
}

/* Knobs of the algorithm that a socket gets, or of mswift, whose the advice is. */
static void read_knobs(struct facts *facts)
{
	const char *cc = *facts->route ? facts->route : facts->socket;
	char path[PATH_TEXT];

	if (algorithm_index(cc) < 0)
		cc = "mswift";
	read_text("/proc/sys/net/dcc/spray", facts->net_spray, sizeof(facts->net_spray));
	snprintf(path, sizeof(path), "/proc/sys/net/dcc/%s/spray", cc);
	read_text(path, facts->spray, sizeof(facts->spray));
	snprintf(path, sizeof(path), "/proc/sys/net/dcc/%s/line_rate_mbps", cc);
	facts->rate_knob = (u32)read_number(path, 0);
}

/* For how long this host may hold SACKs back; before 7.x always a twentieth of an RTT. */
static void read_sacks(struct facts *facts)
{
	bool none = !read_number("/proc/sys/net/ipv4/tcp_comp_sack_nr", 1);

	facts->sack_ns = (int)read_number("/proc/sys/net/ipv4/tcp_comp_sack_slack_ns", -1);
	facts->sack_percent =
		(int)read_number("/proc/sys/net/ipv4/tcp_comp_sack_rtt_percent", -1);
	if (none) {
		facts->sack_ns = 0;
		facts->sack_percent = -1;
	}
}

/**
 * facts_settings() - what sysctls, knobs and a new socket say, of this namespace
 * @facts: filled in; its @route stays
 */
void facts_settings(struct facts *facts)
{
	read_text(DEFAULT_CC, facts->wanted, sizeof(facts->wanted));
	ask_socket(facts);
	read_knobs(facts);
	facts->labels = read_number("/proc/sys/net/ipv6/auto_flowlabels", -1);
	facts->ecn = read_number("/proc/sys/net/ipv4/tcp_ecn", -1);
	read_sacks(facts);
}

/* As modprobe looks for it: in depmod's list of a kernel's modules. */
static bool is_installed(const char *release, const char *file)
{
	char path[PATH_TEXT], *line = NULL;
	size_t room = 0;
	bool found;
	FILE *list;

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", release);
	list = fopen(path, "re");
	found = !list;
	while (list && !found && getline(&line, &room, list) > 0)
		found = strstr(line, file);
	free(line);
	if (list)
		fclose(list);
	return found;
}

static void find_installed(struct facts *facts)
{
	struct utsname name;

	uname(&name);
	snprintf(facts->release, sizeof(facts->release), "%s", name.release);
	facts->installed = is_installed(name.release, "/tcp_dcc.ko");
}

#define OFFLOAD	"/sys/module/dcc_offload"

/* 0, too, if the module has just gone. */
static u64 offload_counter(const char *name)
{
	char path[PATH_TEXT], text[COUNTER_TEXT];
	u64 value;

	snprintf(path, sizeof(path), OFFLOAD "/parameters/%s", name);
	if (!read_text(path, text, sizeof(text)) || text_number(text, &value))
		return 0;
	return value;
}

/* Where dcc_offload merges, it counts; elsewhere it takes some listening. */
static void find_gro(struct gro *gro, const char *release)
{
	char on[NUMBER_TEXT];

	if (read_text(OFFLOAD "/parameters/gro", on, sizeof(on)))
		gro->module = *on == 'Y' ? GRO_ON : GRO_OFF;
	else
		gro->module = is_installed(release, "/dcc_offload.ko") ? GRO_NOT_LOADED :
									 GRO_NOT_INSTALLED;
	if (gro->module == GRO_ON) {
		gro->joined = offload_counter("gro_joined");
		gro->runs = offload_counter("gro_runs");
		gro->foreign = offload_counter("gro_foreign");
	} else {
		gro_measure(gro);
	}
}

/**
 * facts_gather() - look at this host, and this namespace
 * @facts: filled in
 * @asks: what is asked of whom
 */
void facts_gather(struct facts *facts, const struct doctor_asks *asks)
{
	u32 index;

	memset(facts, 0, sizeof(*facts));
	facts->loaded = !access("/sys/module/tcp_dcc", F_OK);
	find_installed(facts);
	index = asks->host ? find_peer(facts, asks) : 0;
	facts_settings(facts);
	facts->tracing = trace_folder();
	find_devices(facts, index);
	find_holders(facts);
	find_gro(&facts->gro, facts->release);
}
