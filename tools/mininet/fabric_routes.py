# SPDX-License-Identifier: GPL-2.0
"""Addresses and routes of a fabric of Linux routers: which commands of ip(8) each
node is given. Knows nothing of mininet; the lab computes the ways.

Host number K (in the order given) has fd00:0:0:K::1, its router fd00:0:0:K::fe on the
link between them. Router number R is fe80::R on all its links, so that a next hop reads
like "via fe80::R dev s1-eth3", and fd00:0:1::R, from which it answers traceroute. Every
router knows every host, over all shortest ways. IPv4 keeps the addresses that mininet
gave the hosts, of one big network: the routers answer ARP for hosts that are elsewhere.
"""

import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lab"))

from lablib.topology import HOST, SWITCH, Network  # noqa: E402

HOSTS_MAX = 0xfffe              # K is one group of hexadecimal digits
ANY_MTU = 1500                  # of no concern to routes


class FabricError(Exception):
    """A network that these classes cannot set up; the message says why."""


@dataclass
class Commands:
    """What one node's `ip -6 -batch` and `ip -4 -batch` are given."""

    six: list = field(default_factory=list)
    four: list = field(default_factory=list)


@dataclass
class Fabric:
    """Hosts with their IPv4 addresses (or None), routers with their numbers."""

    network: Network
    hosts: dict
    routers: dict
    devices: dict               # (link's name, end) -> device

    def device(self, link, name):
        """The link's device at this node."""
        return self.devices[link.name, link.ends.index(name)]


def host_address(number):
    """Of host K."""
    return f"fd00:0:0:{number:x}::1"


def build(links, hosts, routers):
    """links: (node, device, node, device) each."""
    network, devices = Network(ANY_MTU), {}
    for name in hosts:
        network.add_node(name, HOST)
    for name in routers:
        network.add_node(name, SWITCH)
    for number, (node1, device1, node2, device2) in enumerate(links):
        network.add_link(node1, node2, str(number))
        devices[str(number), 0], devices[str(number), 1] = device1, device2
    network.settle()
    numbers = {name: number for number, name in enumerate(routers, 1)}
    return Fabric(network, hosts, numbers, devices)


def _check(fabric):
    if len(fabric.hosts) > HOSTS_MAX:
        raise FabricError(f"{len(fabric.hosts)} hosts; allowed: up to {HOSTS_MAX}")
    for host in fabric.hosts:
        out = fabric.network.leaving(host)
        if len(out) != 1:
            raise FabricError(f"host {host} has {len(out)} links; allowed: 1")
        link, direction = out[0]
        if link.receiver(direction) not in fabric.routers:
            raise FabricError(f"host {host} is linked to {link.receiver(direction)}, which"
                              " is no EcmpRouter; allowed: an EcmpRouter")


def _router_addresses(fabric, commands):
    for router, number in fabric.routers.items():
        own = commands[router]
        own.six.append(f"addr add fd00:0:1::{number:x}/128 dev lo")
        own.four.append(f"addr add 10.255.{number >> 8}.{number & 255}/32 dev lo")
        own.six += [f"addr add fe80::{number:x}/64 dev {fabric.device(link, router)} nodad"
                    for link, _ in fabric.network.leaving(router)]


def _host_addresses(fabric, commands):
    for number, host in enumerate(fabric.hosts, 1):
        link, direction = fabric.network.leaving(host)[0]
        router, device = link.receiver(direction), fabric.device(link, host)
        commands[host].six += [
            f"addr add {host_address(number)}/64 dev {device} nodad",
            f"route add default via fe80::{fabric.routers[router]:x} dev {device}"]
        commands[router].six.append(f"addr add fd00:0:0:{number:x}::fe/64"
                                    f" dev {fabric.device(link, router)} nodad")


def _routes(fabric, commands):
    for number, (host, address) in enumerate(fabric.hosts.items(), 1):
        distance = fabric.network.distances(host)
        for router in fabric.routers.keys() & distance.keys():
            own, out = commands[router], fabric.network.next_hops(router, distance)
            hops = [(fabric.routers.get(link.receiver(direction)), fabric.device(link, router))
                    for link, direction in out]
            if distance[router] == 1:
                own.four += [f"route add {address}/32 dev {hops[0][1]}"] if address else []
                continue
            own.six.append(f"route add fd00:0:0:{number:x}::/64"
                           + "".join(f" nexthop via fe80::{to:x} dev {device}"
                                     for to, device in hops))
            own.four += [f"route add {address}/32"
                         + "".join(f" nexthop via inet6 fe80::{to:x} dev {device}"
                                   for to, device in hops)] if address else []


def plan(links, hosts, routers):
    """Node -> Commands. hosts: name -> IPv4 address or None; routers: names."""
    fabric = build(links, hosts, routers)
    _check(fabric)
    commands = defaultdict(Commands)
    _router_addresses(fabric, commands)
    _host_addresses(fabric, commands)
    _routes(fabric, commands)
    return dict(commands)
