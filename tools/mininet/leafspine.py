#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Two leaves, several spines: every host of leaf1 sends to one of leaf2, first with one
algorithm, then with the next. Prints how fast, and which share of the packets each
spine had. Or a fat-tree: every host of the first half of its pods to one of the others.
As root, with mininet installed and the modules loaded.

    leafspine.py [--spines N] [--hosts N] [--mbps N] [--size BYTES] [--cc LIST]
                 [--series FILE.csv]
    leafspine.py --fattree K [--mbps N] ...

mswift sprays, obliviously; others are what they are. The series are what all flows of an
algorithm had together, every 200 ms; leafspine.gp draws them. Fails if a byte is missing.
"""

import argparse
import csv
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lab")]

import ending  # noqa: E402  first: Ctrl-C is quiet while the rest loads
import mn_missing  # noqa: E402
from fabric_routes import FabricError  # noqa: E402
from lablib import keys  # noqa: E402
from lablib.errors import BadValue, LabError  # noqa: E402

PORT = 5000
DELAY = "1ms"                   # of each link
QUEUE = 100                     # packets, at each end of each link
EVERY_MS = 200                  # a point of the series
LOG_MS = 20                     # at most that much too early or too late
STUCK_S = 600                   # a flow that takes longer hangs
NODES_MAX = 1000                # spines, or hosts on a leaf: more than a machine bears
PORTS_MAX = 16                  # 1024 hosts
MBPS_MAX = 1000                 # of mininet's links
SIZE_MAX = 10**12               # bytes


def start_network(arguments):
    """The network, sending by nothing but its hosts' defaults."""
    # pylint: disable=import-outside-toplevel
    try:
        from mininet.net import Mininet
        from dcc_mininet import DccHost, EcmpRouter, FabricLink, FatTreeTopo, LeafSpineTopo
    except ModuleNotFoundError as error:
        raise LabError(mn_missing.advice(error)) from None
    link = {"bw": arguments.mbps, "delay": DELAY, "max_queue_size": QUEUE}
    topo = (FatTreeTopo(k=arguments.fattree, **link) if arguments.fattree else
            LeafSpineTopo(spines=arguments.spines, hosts=arguments.hosts, **link))
    net = Mininet(topo=topo, switch=EcmpRouter, link=FabricLink, controller=None,
                  host=lambda name, **params: DccHost(name, cc="mswift", spray="oblivious",
                                                      **params))
    net.start()
    return net


def sent_packets(router):
    """Interface -> packets it has transmitted."""
    lines = router.cmd("cat /proc/net/dev").splitlines()[2:]
    rows = (line.replace(":", " ").split() for line in lines)
    return {row[0]: int(row[10]) for row in rows}


class Uplinks:
    """The links to the top of the network, of the half that sends."""

    def __init__(self, net, fattree):
        self.word = "core" if fattree else "spine"
        top = "c" if fattree else "spine"
        routers = [net["leaf1"]] if not fattree else [
            net[f"a{pod}x{index}"] for pod in range(1, fattree // 2 + 1)
            for index in range(1, fattree // 2 + 1)]
        self.ends = [(router, intf.name, self.other(intf).name) for router in routers
                     for intf in router.intfList()
                     if intf.link and self.other(intf).name.startswith(top)]

    @staticmethod
    def other(intf):
        """The node at the other end."""
        ends = intf.link.intf1, intf.link.intf2
        return ends[ends[0] is intf].node

    def packets(self):
        """{node at the top: packets sent to it so far}"""
        count = {}
        for router, name, top in self.ends:
            count[top] = count.get(top, 0) + sent_packets(router)[name]
        return count

    def shares(self, before):
        """What part of the packets each of them had, since `before`."""
        count = [now - before[top] for top, now in self.packets().items()]
        return [packets / sum(count) for packets in count]


def start_server(host):
    """A transfer's receiving end, listening."""
    server = host.popen([sys.executable, str(HERE / "transfer.py"), "serve", str(PORT),
                         str(LOG_MS)], text=True)
    if server.stdout.readline() != "ready\n":
        raise SystemExit(f"leafspine: {host}: {server.communicate()[1]}")
    return server


def finish(program):
    """What it printed, in lines."""
    said, errors = program.communicate(timeout=STUCK_S)
    if program.returncode:
        raise SystemExit(f"leafspine: {errors}")
    return said.splitlines()


def transfer_all(pairs, size, cc):
    """Every pair at once: [(start, [(time, bytes), ...]), ...]."""
    servers = [start_server(receiver) for _, receiver in pairs]
    senders = [sender.popen([sys.executable, str(HERE / "transfer.py"), "send", receiver.ip6(),
                             str(PORT), str(size), cc], text=True)
               for sender, receiver in pairs]
    flows = []
    for sender, server in zip(senders, servers):
        _, sent, crc, used, start = finish(sender)[-1].split()
        *series, got = finish(server)
        if (sent, crc) != tuple(got.split()[1:]) or used != cc:
            raise SystemExit(f"leafspine: {cc}: sent {sent} bytes (sum {crc}, by {used}),"
                             f" {got}")
        flows.append((float(start), [tuple(map(float, line.split())) for line in series]))
    return flows


def goodput(start, series):
    """Mbit/s of one flow."""
    return series[-1][1] * 8 / (series[-1][0] - start) / 1e6


def received(series, when):
    """Bytes of a flow by then."""
    return max((total for time, total in series if time <= when), default=0)


def summed(flows):
    """[(s, Mbit/s)] of all flows together."""
    first = min(start for start, _ in flows)
    end = max(series[-1][0] for _, series in flows)
    step, points, before = EVERY_MS / 1000, [], 0
    for number in range(1, int((end - first) / step) + 2):
        total = sum(received(series, first + number * step) for _, series in flows)
        points.append((number * step, (total - before) * 8 / step / 1e6))
        before = total
    return points


def run(arguments):
    """All algorithms, one after the other."""
    net = start_network(arguments)
    try:
        half = len(net.hosts) // 2
        pairs = list(zip(net.hosts[:half], net.hosts[half:]))
        uplinks = Uplinks(net, arguments.fattree)
        print(f"{half} flows of {arguments.size} bytes, {len(uplinks.packets())}"
              f" {uplinks.word}s, {arguments.mbps} Mbit/s a link", flush=True)
        rows = []
        for cc in arguments.cc.split(","):
            before = uplinks.packets()
            flows = transfer_all(pairs, arguments.size, cc)
            rows += [(cc, f"{when:.1f}", f"{rate:.3f}") for when, rate in summed(flows)]
            print(describe(cc, flows, uplinks.shares(before), uplinks.word), flush=True)
        if arguments.series:
            with open(arguments.series, "w", encoding="ascii", newline="") as file:
                csv.writer(file).writerows([("cc", "s", "mbps"), *rows])
    finally:
        net.stop()


def describe(cc, flows, shares, word):
    """One line of the table."""
    rates = [goodput(*flow) for flow in flows]
    size = sum(series[-1][1] for _, series in flows)
    whole = size * 8 / 1e6 / (max(series[-1][0] for _, series in flows)
                              - min(start for start, _ in flows))
    return (f"{cc:8} all {whole:.2f} Mbit/s, slowest flow {min(rates):.2f}, fastest"
            f" {max(rates):.2f}, packets by {word} "
            + " ".join(f"{share * 100:.1f}%" for share in shares))


def mbps(text):
    """The rate of a link."""
    try:
        rate = float(text)
    except ValueError:
        rate = 0
    if not 0 < rate <= MBPS_MAX:
        raise BadValue(f"'{text}' is not allowed; allowed: more than 0, up to {MBPS_MAX}")
    return rate


def ports(text):
    """Of a fat-tree's switches."""
    k = keys.count(2, PORTS_MAX)(text)
    if k % 2:
        raise BadValue(f"'{text}' is not allowed; allowed: an even number")
    return k


def names(text):
    """Algorithms, one after the other; the kernel knows which there are."""
    if not all(text.split(",")):
        raise BadValue(f"'{text}' is not allowed; allowed: like mswift,cubic")
    return text


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spines", type=keys.argument(keys.count(1, NODES_MAX)), default=4)
    parser.add_argument("--hosts", type=keys.argument(keys.count(1, NODES_MAX)), default=4,
                        help="on each leaf")
    parser.add_argument("--fattree", type=keys.argument(ports), metavar="K",
                        help="instead: a fat-tree of switches with so many ports")
    parser.add_argument("--mbps", type=keys.argument(mbps), default=10, help="of each link")
    parser.add_argument("--size", type=keys.argument(keys.count(1, SIZE_MAX)), default=4_000_000,
                        help="bytes of each flow")
    parser.add_argument("--cc", type=keys.argument(names), default="mswift,cubic")
    parser.add_argument("--series", metavar="FILE.csv")
    run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(ending.run("leafspine", main, (FabricError, LabError, OSError,
                                            subprocess.TimeoutExpired)))
