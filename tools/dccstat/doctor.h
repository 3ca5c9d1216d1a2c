/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does it work here? Facts in, answers out, each with the command that mends it. Pure:
 * facts.c gathers what is asked for here.
 */
#ifndef _DCCSTAT_DOCTOR_H
#define _DCCSTAT_DOCTOR_H

#include "flow.h"
#include "gro.h"
#include "paths.h"
#include "peer.h"

#define DEVICE_TEXT	16	/* IFNAMSIZ of the kernel */
#define DEVICES_MOST	16	/* that are looked at */
#define FINDINGS_MOST	64
#define RELEASE_TEXT	65	/* of the kernel's struct utsname */
#define SAY_TEXT	200
#define HOLDERS		9	/* algorithms of ours */
#define MBPS_UNKNOWN	0xffffffffU	/* SPEED_UNKNOWN of linux/ethtool.h, unsigned */

extern const char *const our_algorithms[HOLDERS];

enum verdict { GOOD, NOTE, BAD };

/**
 * struct device - an interface that packets leave by
 * @name: its name
 * @mbps: speed that it tells; 0: none
 * @believed: is that believed? veth and tun make it up
 * @one_flow: does it make one flow of all that it sends, as WireGuard does?
 * @qdisc: kind of its root queue; "": not known
 */
struct device {
	char name[DEVICE_TEXT];
	u32 mbps;
	bool believed;
	bool one_flow;
	char qdisc[CC_TEXT];
};

/**
 * mbps_of() - a speed as struct ethtool_cmd has it, in two halves
 * @high: speed_hi
 * @low: speed
 *
 * The header's own ethtool_cmd_speed() shifts the half as an int, which it overflows if
 * the speed is unknown.
 *
 * Return: Mbit/s; 0: unknown
 */
static inline u32 mbps_of(u16 high, u16 low)
{
	u32 mbps = (u32)high << 16 | low;

	return mbps == MBPS_UNKNOWN ? 0 : mbps;
}

enum gro_module { GRO_NOT_INSTALLED, GRO_NOT_LOADED, GRO_OFF, GRO_ON };

/**
 * struct gro - how this host merges sprayed packets that it receives
 * @module: dcc_offload: is it there, and does it merge?
 * @joined: its counters, since it was loaded: packets that joined a run
 * @runs: those that began one while another was held
 * @foreign: those of no connection of this host
 * @error: why nobody could listen, as errno; 0: nothing
 * @seen: what came meanwhile, if @module does not merge
 * @off: a device by which such packets came, and whose GRO is off; "": none
 */
struct gro {
	enum gro_module module;
	u64 joined;
	u64 runs;
	u64 foreign;
	int error;
	struct gro_seen seen;
	char off[DEVICE_TEXT];
};

/**
 * struct facts - what is so on this host, in this namespace
 * @release: the kernel's
 * @installed: is tcp_dcc, for it? True if nothing says that it is not
 * @loaded: is tcp_dcc?
 * @wanted: what a socket gets without asking: the namespace's default
 * @socket: what a socket that was made now has
 * @route: what the route to the peer wants; "": nothing, or no peer was named
 * @peer: the peer, "" if none was named
 * @peer_ipv4: is it IPv4?
 * @spray: net.dcc.<algorithm>.spray; "": there is no such knob
 * @net_spray: net.dcc.spray; "": likewise
 * @rate_knob: net.dcc.<algorithm>.line_rate_mbps; 0: not told
 * @labels: net.ipv6.auto_flowlabels; -1: no IPv6
 * @ecn: net.ipv4.tcp_ecn; -1: not known
 * @sack_ns: net.ipv4.tcp_comp_sack_slack_ns, 0 if no SACK is held back; -1: not known
 * @sack_percent: net.ipv4.tcp_comp_sack_rtt_percent, by how much of an RTT SACKs are
 *	held back besides; -1: not known, or none is held back
 * @tracing: may the trace event be read?
 * @device: the peer's, or all that are up
 * @devices: how many
 * @devices_more: how many besides are up and are not looked at
 * @sockets: of all namespaces that could be seen, by algorithm of ours
 * @defaults: likewise, namespaces with it as default
 * @all: could all namespaces be seen?
 * @paths: what became of labelled probes
 * @told: what the peer told
 * @gro: what becomes of sprayed packets that come here
 */
struct facts {
	char release[RELEASE_TEXT];
	bool installed;
	bool loaded;
	char wanted[CC_TEXT];
	char socket[CC_TEXT];
	char route[CC_TEXT];
	char peer[64];
	bool peer_ipv4;
	char spray[CC_TEXT];
	char net_spray[CC_TEXT];
	u32 rate_knob;
	int labels;
	int ecn;
	int sack_ns;
	int sack_percent;
	bool tracing;
	struct device device[DEVICES_MOST];
	u32 devices;
	u32 devices_more;
	u32 sockets[HOLDERS];
	u32 defaults[HOLDERS];
	bool all;
	struct paths paths;
	struct peer told;
	struct gro gro;
};

/**
 * struct doctor_asks - what the command line asks for
 * @host: name or address of the other host; NULL: none
 * @paths: send it labelled probes?
 * @peer_port: of "dccstat answer" there; 0: it is not asked
 */
struct doctor_asks {
	const char *host;
	bool paths;
	u16 peer_port;
};

/**
 * struct finding - an answer
 * @verdict: is it well?
 * @what: what was looked at, one word
 * @say: the answer
 * @mend: a command; "": nothing is to be done
 */
struct finding {
	enum verdict verdict;
	const char *what;
	char say[SAY_TEXT];
	char mend[SAY_TEXT];
};

/**
 * struct findings - all answers
 * @count: how many
 * @finding: they
 */
struct findings {
	u32 count;
	struct finding finding[FINDINGS_MOST];
};

void doctor_judge(const struct facts *facts, struct findings *all);
int algorithm_index(const char *name);
void facts_gather(struct facts *facts, const struct doctor_asks *asks);
void facts_settings(struct facts *facts);
void gro_measure(struct gro *gro);

#endif /* _DCCSTAT_DOCTOR_H */
