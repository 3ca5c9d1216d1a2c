# SPDX-License-Identifier: GPL-2.0
"""mininet (2.3.0) for flows whose packets take many ways: hosts, Linux routers, links.

For programs (tools/mininet in PYTHONPATH) and for mn itself:

    mn --custom tools/mininet/dcc_mininet.py --topo leafspine,spines=4 --switch ecmp
       --host dcc,cc=mswift,spray=oblivious --link fabric,bw=10 --controller none

    DccHost      an algorithm, its knobs and sysctls; told its link's rate
    EcmpRouter   a Linux router in the place of a switch: IPv6 and IPv4 addresses and
                 routes over all shortest ways, hashed by the flow label
    FabricLink   a link whose queue counts single packets that wait, and no others

Any Topo will do whose hosts have one link each. Documentation/mininet.md has the rest.
"""

import inspect
import math
import os
import subprocess
import sys
import zlib

# mn executes this file, which then has no __file__.
sys.path.insert(0, os.path.dirname(os.path.abspath(inspect.getsourcefile(lambda: 0))))

# pylint: disable=wrong-import-position
import dcc_targets
import fabric_routes
from fabric_routes import FabricError
from mininet.link import Link, OVSLink, TCIntf, TCLink, TCULink
from mininet.log import info, warn
from mininet.node import Host, Node, Switch
from mininet.topo import Topo
from mininet.util import natural

PROPAGATING_MAX = 10**6         # packets; they are on the line, not in a queue
DEFAULT_QUEUE = 1000            # packets, as mininet and Linux have it

# Addresses are there at once, and only ours: no detection of duplicates.
QUIET = {"net.ipv6.conf.all.accept_dad": 0, "net.ipv6.conf.default.accept_dad": 0}
FORWARD = {"net.ipv6.conf.all.forwarding": 1, "net.ipv4.ip_forward": 1,
           "net.ipv4.conf.all.proxy_arp": 1, "net.ipv4.fib_multipath_hash_policy": 1}
SEED = "net.ipv4.fib_multipath_hash_seed"


def _refused(node, values):
    """What sysctl says when it fails; else nothing."""
    _, said, status = node.pexec(
        ["sysctl", "-q", "-w", *(f"{name}={value}" for name, value in values.items())])
    return (said.strip() or f"exit status {status}") if status else ""


def set_sysctls(node, values):
    """Set them in the node's namespace; what is refused is named."""
    if not values or not _refused(node, values):
        return
    for name, value in values.items():
        said = _refused(node, {name: value})
        if said:
            raise FabricError(f"{node}: {name}={value} is refused: {said}"
                              + _allowed(node, name))


def _allowed(node, name):
    """What might have been meant, for a message."""
    if name == "net.ipv4.tcp_congestion_control":
        file = "/proc/sys/net/ipv4/tcp_available_congestion_control"
        return f"; allowed: {node.cmd('cat', file).strip()} and what modprobe finds"
    folder = "/proc/sys/" + os.path.dirname(name.replace(".", "/"))
    if not name.startswith("net.dcc."):
        return ""
    names = node.cmd("ls", folder).split()
    if name.rpartition(".")[2] in names:
        return "; dmesg says what is allowed"
    return "; allowed: " + (" ".join(names) if os.path.isdir(folder)
                            else "algorithms of this project, whose module is loaded")


def run_batch(node, family, commands):
    """Give all of a node's commands to one ip."""
    with node.popen(["ip", family, "-batch", "-"], stdin=subprocess.PIPE) as program:
        _, said = program.communicate("".join(line + "\n" for line in commands).encode())
    if program.returncode:
        raise FabricError(f"{node}: ip {family}: {said.decode().strip()}")


class DccHost(Host):
    """A host with an algorithm and knobs of its own.

    cc      default algorithm
    spray   path selector of that algorithm, as its knob spray takes it
    knobs   {name: value} of net.dcc.CC; the rate of the host's link is told to all
            algorithms (line_rate_mbps), and as the queueing delay to aim at, unless
            knobs say otherwise, what `queue` packets last on it
    sysctls {name: value}
    """

    def __init__(self, name, **params):
        Host.__init__(self, name, **params)
        set_sysctls(self, QUIET)

    # pylint: disable=arguments-differ,too-many-arguments
    def config(self, cc=None, spray=None, knobs=None, sysctls=None,
               queue=dcc_targets.PACKETS, **params):
        """mininet calls this when links are there."""
        result = Host.config(self, **params)
        if cc:
            set_sysctls(self, {"net.ipv4.tcp_congestion_control": cc})
        self.tell_rate(queue)
        own = dict(knobs or {}, **({"spray": spray} if spray else {}))
        if own and not cc:
            raise FabricError(f"{self}: knobs {' '.join(own)} without cc; allowed: with"
                              " cc=ALGORITHM, whose knobs they are")
        set_sysctls(self, {f"net.dcc.{cc}.{name}": value for name, value in own.items()})
        set_sysctls(self, sysctls or {})
        return result

    def tell_rate(self, queue):
        """A veth tells no speed of its own; its queue here has one."""
        intf = self.defaultIntf()
        rate = intf and intf.params.get("bw")
        if not rate:
            return
        files = self.cmd("ls -d /proc/sys/net/dcc/*/line_rate_mbps 2>/dev/null").split()
        algs = [file.split("/")[-2] for file in files if file.startswith("/proc")]
        wanted = dcc_targets.of(algs, rate * 10**6, queue)
        if rate >= 1:           # else it would be told as more than it is
            wanted |= {f"{alg}.line_rate_mbps": math.ceil(rate) for alg in algs}
        set_sysctls(self, {f"net.dcc.{name}": value for name, value in wanted.items()})

    def ip6(self):
        """Its IPv6 address; IP() is the IPv4 one, as in mininet."""
        return self.params.get("ip6")


class EcmpRouter(Switch):
    """A Linux router. The first one that starts sets the whole network up.

    hash_policy   net.ipv6.fib_multipath_hash_policy: 0 hashes addresses and label
    sysctls       {name: value}
    """

    def __init__(self, name, hash_policy=0, sysctls=None, **params):
        params["inNamespace"] = True
        Switch.__init__(self, name, **params)
        set_sysctls(self, {**QUIET, **FORWARD,
                           "net.ipv6.fib_multipath_hash_policy": hash_policy,
                           **(sysctls or {})})
        self.seed()

    def seed(self):
        """Routers that hash alike repeat each other's choice (kernels before 6.11 do)."""
        if _refused(self, {SEED: zlib.crc32(self.name.encode()) or 1}):
            warn(f"*** {self}: no {SEED} in this kernel: routers one behind the other"
                 " choose alike\n")

    def defaultDpid(self, dpid=None):
        """Not an OpenFlow switch: any name will do."""
        return "0" * self.dpidLen

    def defaultIntf(self):
        """Switch's own is for control networks."""
        return Node.defaultIntf(self)

    def start(self, _controllers):
        """All of them together: batchStartup."""

    @classmethod
    def batchStartup(cls, routers):
        """mininet calls this once, with all routers of the class."""
        set_up(routers)
        return routers


def links_of(routers):
    """All links at routers, each once, in order."""
    links = {intf.link: None for router in routers for intf in router.intfList() if intf.link}
    return [(link.intf1, link.intf2) for link in links]


def set_up(routers):
    """Addresses and routes of routers and of the hosts behind them."""
    links = links_of(routers)
    ends = {intf.node for pair in links for intf in pair} - set(routers)
    hosts = {str(node): node for node in sorted(ends, key=lambda node: natural(str(node)))}
    plan = fabric_routes.plan(
        [(str(one.node), one.name, str(two.node), two.name) for one, two in links],
        {name: node.IP() for name, node in hosts.items()},
        [str(router) for router in routers])
    for number, (name, node) in enumerate(hosts.items(), 1):
        node.params["ip6"] = fabric_routes.host_address(number)
        info(f"{name} {node.params['ip6']} ")
    for router in routers:
        # or it answers ARP for others after up to 0.8 s
        set_sysctls(router, {f"net/ipv4/neigh/{intf}/proxy_delay": 0
                             for intf in router.intfList()})
    for node in [*routers, *hosts.values()]:
        run_batch(node, "-6", plan[str(node)].six)
        run_batch(node, "-4", plan[str(node)].four)


class FabricIntf(TCIntf):
    """One end of a link, whose queue holds max_queue_size packets and no others.

    mininet's own counts those that travel, too: 1 Gbit/s times 20 ms are 1650, more
    than the 1000 that it has by default. Here the delay has a place of its own, before
    the queue.
    """

    rate = None                 # arguments of bwCmds

    def bwCmds(self, **asked):
        """Not yet: delayCmds has them made, below the delay."""
        bw = asked["bw"]
        if bw is not None and not 0 < bw <= self.bwParamMax:
            raise FabricError(f"{self}: bw={bw}; allowed: above 0, up to {self.bwParamMax}"
                              " (Mbit/s)")
        self.rate = asked
        return [], " root "

    # pylint: disable=arguments-differ
    def delayCmds(self, parent, max_queue_size=None, **asked):
        """The delay, then what TCIntf has for the rate, then the queue."""
        limit = DEFAULT_QUEUE if max_queue_size is None else max_queue_size
        loss = asked.get("loss")
        if loss is not None and not 0 <= loss <= 100:
            raise FabricError(f"{self}: loss={loss}; allowed: 0 to 100 (percent)")
        if self.rate["bw"] is None:     # nothing waits: all of it travels
            if max_queue_size is None:
                limit = PROPAGATING_MAX
            return TCIntf.delayCmds(parent, max_queue_size=limit, **asked)
        cmds = []
        if any(asked.values()):
            cmds, _ = TCIntf.delayCmds(parent, max_queue_size=PROPAGATING_MAX, **asked)
            parent = " parent 10:1 "
        below, leaf = TCIntf.bwCmds(self, **self.rate)
        cmds += [command.replace(" root ", parent) for command in below]
        return [*cmds, f"%s qdisc add dev %s {leaf} handle 7: pfifo limit {limit}"], leaf

    def config(self, **params):
        """A packet is one packet: GSO packets would stand in the queue as one."""
        result = TCIntf.config(self, **params)
        self.cmd("ip link set dev", self, "gso_max_segs 1")
        return result


class FabricLink(Link):
    """A link of FabricIntf: bw=Mbit/s delay= loss= max_queue_size=packets enable_ecn="""

    def __init__(self, *args, **params):
        params.setdefault("cls1", FabricIntf)
        params.setdefault("cls2", FabricIntf)
        Link.__init__(self, *args, **params)


class LeafSpineTopo(Topo):
    """Leaves with hosts each, spines between them; all links alike."""

    # pylint: disable=arguments-differ
    def build(self, spines=4, leaves=2, hosts=4, **link):
        for spine in range(1, spines + 1):
            self.addSwitch(f"spine{spine}")
        for leaf in range(1, leaves + 1):
            self.addSwitch(f"leaf{leaf}")
            for spine in range(1, spines + 1):
                self.addLink(f"leaf{leaf}", f"spine{spine}", **link)
            for number in range((leaf - 1) * hosts + 1, leaf * hosts + 1):
                self.addLink(self.addHost(f"h{number}"), f"leaf{leaf}", **link)


class FatTreeTopo(Topo):
    """k pods of k/2 edge and k/2 aggregation switches, k*k/4 core switches."""

    # pylint: disable=arguments-differ
    def build(self, k=4, **link):
        if not isinstance(k, int) or k < 2 or k % 2:
            raise ValueError(f"k={k}; allowed: an even number, 2 and more")
        half = k // 2
        cores = [self.addSwitch(f"c{number + 1}") for number in range(half * half)]
        for pod in range(1, k + 1):
            for index in range(1, half + 1):
                self.addSwitch(f"a{pod}x{index}")
                self.addSwitch(f"e{pod}x{index}")
            for index in range(1, half + 1):
                for core in cores[(index - 1) * half:index * half]:
                    self.addLink(f"a{pod}x{index}", core, **link)
                for other in range(1, half + 1):
                    self.addLink(f"e{pod}x{other}", f"a{pod}x{index}", **link)
                for number in range(half):
                    first = ((pod - 1) * half + index - 1) * half + 1
                    self.addLink(self.addHost(f"h{first + number}"), f"e{pod}x{index}", **link)


# What mn --custom looks for.
topos = {"leafspine": LeafSpineTopo, "fattree": FatTreeTopo}
hosts = {"dcc": DccHost}
switches = {"ecmp": EcmpRouter}
# mn 2.3.0 forgets a comma behind 'links': it takes this one as a whole.
LINKS = {"default": Link, "tc": TCLink, "tcu": TCULink, "ovs": OVSLink, "fabric": FabricLink}
