# SPDX-License-Identifier: GPL-2.0
"""A checked scenario into the plan that the guest carries out (PLAN.md)."""

import hashlib
import re
from pathlib import Path

from . import algorithms, topology
from .draw import Draw

LINK_MODULE = "lab_link"
FIRST_NAMESPACE = "-"           # the guest's own, for what is global

# What a scenario's sndbuf= and rcvbuf= may ask for, and an ideal receiver has.
SOCKET_MAX = 256 * 2**20
# Linux's own on any machine of today; the guest has little memory, and would
# have less. A receiver whose window may grow to 256 MiB acknowledges every
# packet at once for as long as it grows: no delayed ACK, and other results.
TCP_RMEM = "4096 131072 6291456"
IDEAL_RMEM = f"4096 {SOCKET_MAX} {SOCKET_MAX}"
TCP_WMEM = "4096 16384 4194304"
# tcp_mem in pages: 128 flows with 8 MB each queued exceed Linux's default, and
# the receivers' pruning then looks like loss (measured: 18,761 retransmissions
# without one drop on a link).
TCP_MEM_PAGES = 2**22
NEIGHBOURS_MAX = 2**20          # gc_thresh3 (1024) is global to all namespaces

GLOBAL_SYSCTLS = (
    ("net/ipv4/tcp_mem", f"{TCP_MEM_PAGES} {TCP_MEM_PAGES} {TCP_MEM_PAGES}"),
    ("net/core/rmem_max", SOCKET_MAX),
    ("net/core/wmem_max", SOCKET_MAX),
    ("net/ipv4/neigh/default/gc_thresh1", NEIGHBOURS_MAX),
    ("net/ipv4/neigh/default/gc_thresh2", NEIGHBOURS_MAX),
    ("net/ipv4/neigh/default/gc_thresh3", NEIGHBOURS_MAX),
    ("net/ipv6/neigh/default/gc_thresh1", NEIGHBOURS_MAX),
    ("net/ipv6/neigh/default/gc_thresh2", NEIGHBOURS_MAX),
    ("net/ipv6/neigh/default/gc_thresh3", NEIGHBOURS_MAX),
)
SWITCH_SYSCTLS = (
    ("net/ipv4/ip_early_demux", 0),     # it looks for a socket: a switch has none
    ("net/ipv4/ip_forward", 1),
    ("net/ipv6/conf/all/forwarding", 1),
)
# IPv4 has no flow label: its ECMP hashes the ports, as datacenters do.
IPV4_HASH_POLICY = 1

_PLAN_LINE = re.compile(r"plan line (\d+): (.*)", re.DOTALL)

MIB = 2**20
BASE_MEMORY = 160 * MIB         # kernel, agent, page cache
NODE_MEMORY = MIB               # a network namespace with its devices, rounded up
QUEUED_FACTOR = 3               # truesize over payload, at both ends
# The kernel's table of MPTCP connections has a slot for each MiB, of four at most,
# and each end is in it: beyond that a connection is made one of TCP.
MPTCP_MEMORY = 2 * MIB


def _params(values):
    """key=value words of one direction."""
    texts = []
    for key, value in values.items():
        if key == "red":
            low, high, probability = value
            value = f"{low},{high},{round(probability * 10**6)}"
        elif key == "loss":
            share, burst = value
            value = f"{round(share * 10**6)}" + (f" burst={burst}" if burst > 1 else "")
        elif key == "noise":
            value = ",".join(map(str, value))
        texts.append(f"{key}={value}")
    return " ".join(texts)


def needed_modules(scenario):
    """(name or path, parameters) in the order of loading."""
    ours = algorithms.ours()
    named = {module.path: module.params for module in scenario.modules}
    used = {ours[name] for name in scenario.used_algorithms if name in ours}
    used |= {path for path in named if path in algorithms.own_modules()}
    helper = scenario.needs_helper or used
    own = [algorithms.HELPER_MODULE] if helper else []
    own += sorted(used - {algorithms.HELPER_MODULE})
    foreign = [module.path for module in scenario.modules if not module.own]
    return [(LINK_MODULE, [])] + [(name, named.get(name, []))
                                  for name in own + foreign]


class Line(str):
    """A line of the plan that knows which line of the scenario asked for it."""

    source = 0

    def __new__(cls, text, source):
        line = super().__new__(cls, text)
        line.source = source
        return line


def _module_lines(scenario, where):
    asked = {module.path: module.line for module in scenario.modules}
    for name, params in needed_modules(scenario):
        yield Line(" ".join(["module", str(where(name)), *params]), asked.get(name, 0))


def _link_lines(network):
    for link in network.links.values():
        (a, b), (if_a, if_b) = link.ends, link.interfaces
        yield f"link {link.name} {a} {if_a} {b} {if_b} mtu={network.mtu}"
    for link in network.links.values():
        for direction in topology.DIRECTIONS:
            yield f"dir {link.name} {direction} {_params(link.params[direction])}"


class _Groups:
    """One group device per set of next hops of a switch."""

    def __init__(self, scenario):
        self.keys = f"mtu={scenario.network.mtu} quantum={scenario.routing['quantum']}"
        if scenario.routing["marked"] == "ecmp":
            self.keys += " marked_ecmp=1"
        self.adaptive = scenario.routing["mode"] == "adaptive"
        self.made = {}
        self.lines = []

    def devices(self, node, hops):
        """The device names that a route over these next hops names."""
        if not self.adaptive or len(hops) == 1:
            return ",".join(link.interface(direction) for link, direction in hops)
        key = (node, hops)
        if key not in self.made:
            number = 1 + sum(1 for other, _ in self.made if other == node)
            self.made[key] = f"g{number}"
            members = ",".join(f"{link.name}:{direction}"
                               for link, direction in hops)
            self.lines.append(f"group {node}.g{number} {node} g{number}"
                              f" {self.keys} members={members}")
        return self.made[key]


def _route_attributes(settings):
    words = []
    for key, value in settings.items():
        if key == "rto_min":
            key, value = "rto_min_us", value // 1000
        words.append(f" {key}={value}")
    return "".join(words)


def _route_lines(scenario, groups):
    more = {scenario.network.nodes[host].place: subflows - 1
            for host, subflows in scenario.subflows().items()}
    for node, table in topology.routes(scenario.network).items():
        attributes = _route_attributes(scenario.host_routes.get(node, {}))
        if node in scenario.ideal_receivers:
            attributes += " quickack=1"
        for place, hops in table.items():
            devices = groups.devices(node, hops)
            others = [f"{address}/128" for address
                      in topology.more_addresses(place, more[place])] if place in more else []
            for prefix in (*(topology.prefix(family, place) for family in (4, 6)), *others):
                yield Line(f"route {node} {prefix} dev={devices}{attributes}",
                           scenario.route_lines.get(node, 0))


def _address_lines(network):
    for name in network.hosts():
        node = network.nodes[name]
        yield f"addr {name} eth0 {node.address(4)}/32"
        yield f"addr {name} eth0 {node.address(6)}/128"


def _subflow_lines(scenario):
    """An address for each subflow besides the first, and how many a host takes."""
    asked = scenario.subflows()
    taken = dict(asked)
    for flow in scenario.flows:
        if flow.mptcp:
            taken[flow.target] = max(taken.get(flow.target, 1), flow.mptcp)
    for name in scenario.network.hosts():
        if name in taken:
            more = topology.more_addresses(scenario.network.nodes[name].place,
                                           asked.get(name, 1) - 1)
            for address in more:
                yield f"addr {name} eth0 {address}/128 preferred=0"
            yield " ".join([f"mptcp {name} {taken[name] - 1}", *more])


def _host_sysctls(ideal):
    return (("net/ipv4/tcp_rmem", IDEAL_RMEM if ideal else TCP_RMEM),
            ("net/ipv4/tcp_wmem", TCP_WMEM))


def _sysctl_lines(scenario):
    """Defaults first, so that the scenario's own lines have the last word."""
    for name, value in GLOBAL_SYSCTLS:
        yield f"sysctl {FIRST_NAMESPACE} {name} {value}"
    policy = scenario.routing["policy"]
    for node in scenario.network.nodes.values():
        kind = SWITCH_SYSCTLS if node.kind == topology.SWITCH else \
            _host_sysctls(node.name in scenario.ideal_receivers)
        for name, value in kind:
            yield f"sysctl {node.name} {name} {value}"
        if node.kind == topology.SWITCH:
            seed = 1 + Draw(scenario.seed, f"hash {node.name}").below(2**32 - 1)
            for name, value in (
                    ("net/ipv4/fib_multipath_hash_policy",
                     policy or IPV4_HASH_POLICY),
                    ("net/ipv6/fib_multipath_hash_policy", policy),
                    ("net/ipv4/fib_multipath_hash_seed", seed)):
                yield f"sysctl {node.name} {name} {value}"
    for node, name, value, line in scenario.sysctls:
        yield Line(f"sysctl {node} {name} {value}", line)


def _flow_line(network, flow):
    words = [f"flow {flow.name} src={flow.source} dst={flow.target}",
             f"daddr={network.nodes[flow.target].address(flow.family)}",
             f"port={flow.port} bytes={flow.size} start={flow.start}",
             f"cc={flow.cc}"]
    if flow.keys.get("after"):
        words.append("after=" + ",".join(flow.after))
    for key in ("rate", "on", "off", "write", "writes", "sndbuf", "rcvbuf", "prio", "drain",
                "lasts"):
        if flow.keys[key] is not None:
            words.append(f"{key}={flow.keys[key]}")
    if flow.request:
        words.append(f"call={flow.response} request={flow.request}")
    if flow.warm:
        words.append(f"warm={flow.warm}")
    if flow.mptcp:
        words.append("mptcp=1")
    if flow.dscp is not None:
        words.append(f"tclass={flow.dscp << 2}")
    if flow.ackdscp is not None:
        words.append(f"acktclass={flow.ackdscp << 2}")
    if flow.maxrate is not None:
        words.append(f"maxrate={flow.maxrate // 8}")
    return Line(" ".join(words), flow.line)


def _timed_lines(scenario):
    for timed in scenario.timed:
        words = timed.words
        if words[0] == "dir":
            words = [*words[:3], _params(words[3])]
        yield Line(" ".join([f"at {timed.when}", *map(str, words)]), timed.line)


def plan_lines(scenario, where):
    """The lines of the plan; where(name) tells the file of a module."""
    network = scenario.network
    groups = _Groups(scenario)
    routes = list(_route_lines(scenario, groups))
    lines = ["plan 1", *_module_lines(scenario, where)]
    lines += [f"node {node.name} {node.kind}" for node in network.nodes.values()]
    lines += [*_link_lines(network), *groups.lines, *_address_lines(network),
              *_subflow_lines(scenario), *_sysctl_lines(scenario), *routes]
    lines += [Line(f"exec {node} {command}", line)
              for node, command, line in scenario.commands]
    lines += [_flow_line(network, flow) for flow in scenario.flows]
    lines += _timed_lines(scenario)
    lines += [" ".join([word, *names]) for word, names in (
        ("record", scenario.recorded), ("labels", scenario.labelled)) if names]
    if scenario.sample:
        lines.append(f"sample {scenario.sample}")
    lines += [f"stop {scenario.stop}", f"until {scenario.until}", "end"]
    return lines


def compile_plan(scenario, where):
    """The plan's text; where(name) tells the file of a module."""
    return "\n".join(plan_lines(scenario, where)) + "\n"


def blame(scenario, where, error):
    """A guest's error in terms of the scenario: FILE:LINE instead of the plan's line."""
    match = _PLAN_LINE.match(error)
    if not match:
        return error
    number, rest = int(match.group(1)), match.group(2)
    lines = plan_lines(scenario, where)
    line = getattr(lines[number - 1], "source", 0) if number <= len(lines) else 0
    return f"{scenario.file}:{line}: {rest}" if line else error


def plan_hash(scenario, where):
    """Names what is simulated: the plan with modules by content, not by path."""
    def content(name):
        return hashlib.sha256(Path(where(name)).read_bytes()).hexdigest()[:16]
    text = compile_plan(scenario, content)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def memory(scenario):
    """Bytes of memory the guest needs, at a guess on the safe side."""
    if scenario.mem:
        return scenario.mem
    queued = sum(SOCKET_MAX // 4 if flow.forever else flow.size
                 for flow in scenario.flows)
    need = (BASE_MEMORY + NODE_MEMORY * len(scenario.network.nodes)
            + QUEUED_FACTOR * queued)
    need = max(need, MPTCP_MEMORY * sum(flow.mptcp > 0 for flow in scenario.flows))
    return -(-min(need, 8 * 2**30) // (64 * MIB)) * 64 * MIB
