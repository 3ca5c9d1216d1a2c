#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the lab's link agree with what Linux itself offers?

The same path twice, once of the lab's links and once of veth pairs with netem,
tbf and codel, under the same load:

    a ------------ s1 ============ s2 ------------ b
       delay, any     the bottleneck:     nothing
       rate           rate, buffer, marks

They need not be equal: a token bucket lets a packet pass at once when it has
credit, where a wire takes its time. How far they may be apart follows from
their coarseness, and is computed, not fitted:

    tbf     a bucket of `burst` bytes: up to burst * 8 / R early, each way
    netem   delays in ticks of 64 ns (tc's), each way
    codel   times in units of 1024 ns; tbf peeks at its child, so the wait counts
            up to the moment when the packet is next, one packet early
    load    ACKs come for two packets, so a queue moves by two packets
    sampling  tc is a program: what it reads is some us old

veth counts 14 bytes of Ethernet for each packet; the lab's link is told to.
"""

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from labkit import OUR_MODULES, runner, scratch
from tap import Tap, lablib, series
from lablib import plan, results

NS = 10**9
ETHERNET = 14
TICK_NS = 64                    # PSCHED_SHIFT 6 of the kernel
CODEL_NS = 1024                 # CODEL_SHIFT 10 of the kernel
DELAYED_ACK = 2                 # packets an ACK stands for
ANY_RATE = 10**15               # serialises a packet in 1 ns
MEMORY = 256 * 2**20
WALL_S = 60
SAMPLES_NS = (30 * 10**6, 40 * 10**6, 50 * 10**6, 60 * 10**6)


@dataclass
class Path3:
    """The path and its bottleneck."""

    rate: int
    mtu: int
    delay: int                  # ns, each way
    buffer: int = 0
    ecn: int = 0

    @property
    def wire(self):
        """A full packet on the bottleneck, bytes."""
        return self.mtu + ETHERNET

    @property
    def burst(self):
        """The smallest bucket that passes a full packet in spite of ticks."""
        return self.wire + math.ceil(Fraction(2 * TICK_NS * self.rate, 8 * NS))

    @property
    def credit(self):
        """How early a bucket lets a packet go, ns."""
        return Fraction(self.burst * 8 * NS, self.rate)

    @property
    def packet(self):
        """Serialisation of a full packet, ns."""
        return Fraction(self.wire * 8 * NS, self.rate)

    def scenario(self, window, flow, stop):
        """The lab's version; `window` packets in flight, always."""
        return (f"module {OUR_MODULES['fixedcwnd']} provides=fixedcwnd"
                f" window={window}\n"
                f"topology chain hops=3 rate={self.rate}bps delay=0 mtu={self.mtu}B nic=ideal"
                f" buffer=0\n"
                f"link access rate={ANY_RATE}bps\nlink a-s1 delay={self.delay}ns\n"
                f"link s1-s2 overhead={ETHERNET}B\n"
                f"link s1-s2:ab buffer={self.buffer}B ecn={self.ecn}B\n"
                "host * sysctl net.ipv4.tcp_ecn=1\n"
                f"flow f a -> b cc=fixedcwnd {flow}\nsample every=1ms\n{stop}\n")

    def commands(self, times):
        """The plan's lines that make veth pairs the same path."""
        limit = self.buffer or 10**9
        tbf = f"tbf rate {self.rate}bit burst {self.burst}b limit"
        netem = f"netem delay {self.delay // 1000}us limit 1000000"
        lines = [("a", f"tc qdisc add dev eth0 root {netem}"),
                 ("s1", f"tc qdisc add dev p1 root {netem}"),
                 ("s1", f"tc qdisc add dev p2 root handle 1: {tbf} {limit}"),
                 ("s2", f"tc qdisc add dev p1 root handle 1: {tbf} {10**9}")]
        if self.ecn:
            wait = self.ecn * 8 * 10**6 / self.rate
            lines.append(("s1", "tc qdisc add dev p2 parent 1:1 handle 10: codel"
                          " limit 100000 target 1s interval 10s"
                          f" ce_threshold {wait:.3f}us ecn"))
        lines += [(node, "ip link set dev eth0 gso_max_segs 1")
                  for node in ("a", "b")]
        timed = [f"at {t} exec s1 tc -j -s qdisc show dev p2 > $LABDIR/tc-{t}"
                 for t in times]
        return [f"exec {node} {command}" for node, command in lines] + timed


def as_veth(text, path, times):
    """The same plan with veth pairs and queueing disciplines."""
    lines = [line for line in text.splitlines()
             if not line.startswith("dir ") and "/lab_link.ko" not in line]
    lines = [line + " kind=veth" if line.startswith("link ") else line
             for line in lines]
    first = next(number for number, line in enumerate(lines)
                 if line.startswith("flow "))
    execs = [line for line in path.commands(times) if line.startswith("exec")]
    timed = [line for line in path.commands(times) if line.startswith("at")]
    return "\n".join(lines[:first] + execs + lines[first:-1] + timed
                     + lines[-1:]) + "\n"


class Side:
    """What one of the two paths did under a load."""

    def __init__(self, text, folder, tools):
        self.folder = Path(folder)
        self.folder.mkdir()
        (self.folder / "plan").write_text(text, encoding="ascii")
        argv = runner.command_line(tools, folder, 1, MEMORY)
        runner.Guest(argv, folder, lambda *_: None).watch(WALL_S)
        self.records = results.read_records(self.folder / "result.tsv")
        self.flow = self.records["flow"][0]
        series.to_csv(folder)
        self.track = series.load(folder, "flows").get("f")
        self.links = series.load(folder, "links")

    @property
    def fct(self):
        """Of the flow, ns."""
        return self.flow["end"] - self.flow["start"]

    def goodput(self, start, end):
        """Payload bit/s between two samples."""
        return Fraction(self.track.grown(start, end, "bytes_received") * 8 * NS,
                        end - start)

    def bottleneck(self, key):
        """A counter of the lab's bottleneck at the end."""
        return next(record[key] for record in self.records["link"]
                    if record["id"] == "s1-s2" and record["dir"] == "ab")

    def tc(self, t, key):
        """What tc said of the bottleneck at a time, summed over its qdiscs."""
        found = json.loads((self.folder / f"tc-{t}").read_text(encoding="ascii"))
        root = [qdisc for qdisc in found if qdisc["kind"] == "tbf"]
        return sum(qdisc.get(key, 0) for qdisc in (root if key != "ce_mark" else found))


def both(path, window, flow, stop, folder, tools, times=()):
    """The two sides of one load."""
    checked = lablib.load(path.scenario(window, flow, stop))
    text = plan.compile_plan(checked, tools.where)
    return (Side(text, folder + "-lab", tools),
            Side(as_veth(text, path, times), folder + "-veth", tools))


def near(tap, what, path, lab, veth, tolerance, unit):
    """The two agree to within the tolerance."""
    tap.ok(abs(lab - veth) <= tolerance,
           f"{path.rate / 1e9:g} Gbit/s, MTU {path.mtu}: {what}",
           f"lab {float(lab):.10g}, veth {float(veth):.10g}, differ by"
           f" {float(veth - lab):+.6g}, allowed {float(tolerance):.6g} {unit}")


def check_lone(tap, path, folder, tools):
    """One packet on an empty path: connection set-up and one way.

    Forward SYN and data, back SYN-ACK cross a bucket with credit: each at most
    a burst early. Four delays, each a tick off at most.
    """
    lab, veth = both(path, 10, f"size={path.mtu - 72}B", "stop when=done at=1s",
                     folder, tools)
    near(tap, "completion of one packet", path, lab.fct, veth.fct,
         3 * path.credit + 4 * TICK_NS, "ns")


def check_load(tap, path, folder, tools):
    """A standing queue: throughput, round trip and queue under a given load."""
    bdp = math.ceil((2 * path.delay + path.packet) / path.packet)
    queued = 100
    lab, veth = both(path, bdp + queued, "size=forever", "stop at=70ms", folder,
                     tools, SAMPLES_NS)
    start, end = SAMPLES_NS[0], SAMPLES_NS[-1]
    window_bytes = path.burst + DELAYED_ACK * path.wire
    near(tap, "throughput", path, lab.goodput(start, end), veth.goodput(start, end),
         Fraction(window_bytes * 8 * NS, end - start), "bit/s")
    want = Fraction(path.rate * (path.mtu - 72), path.wire)
    near(tap, "throughput of veth against the closed form", path, want,
         veth.goodput(start, end), Fraction(window_bytes * 8 * NS, end - start),
         "bit/s")
    near(tap, "round trip under load", path, lab.track.at(end, "rtt_us"),
         veth.track.at(end, "rtt_us"),
         2 * path.credit / 1000 + DELAYED_ACK * path.packet / 1000 + 1, "us")
    for t in SAMPLES_NS:
        near(tap, f"queue at {t // 10**6} ms of {queued} packets too many", path,
             lab.links["s1-s2:ab"].at(t, "queue"), veth.tc(t, "backlog"),
             path.burst + (DELAYED_ACK + 1) * path.wire, "B")


def flight(path):
    """Packets that a receiver's first window of 64 KB allows."""
    return 65535 // (path.mtu - 72)


def third(path, burst):
    """A third of a burst, and half a packet: what the ACK before it cannot shift."""
    return path.wire * (burst // 3) + path.wire // 2


def check_drops(tap, path, folder, tools):
    """A burst into a short buffer: how many are dropped.

    The burst comes after three delays. A bucket passes what it has credit for; a
    lab's link has the packet in service within its buffer.
    """
    burst = flight(path)
    path = Path3(path.rate, path.mtu, path.delay, third(path, burst))
    stop, look = 4 * path.delay, 3 * path.delay + path.delay // 4
    lab, veth = both(path, burst, "size=10MB", f"stop at={stop}ns", folder, tools,
                     (look,))
    near(tap, f"drops of a burst of {burst} into {path.buffer} B", path,
         lab.bottleneck("drops"), veth.tc(look, "drops"),
         math.ceil(Fraction(path.burst, path.wire)), "packets")
    tap.ok(lab.bottleneck("drops") == burst - path.buffer // path.wire,
           f"{path.rate / 1e9:g} Gbit/s, MTU {path.mtu}: the lab's drops are the"
           " closed form", f"{lab.bottleneck('drops')} of {burst}")


def check_marks(tap, path, folder, tools):
    """A burst into a marking queue: how many are marked."""
    burst = flight(path)
    path = Path3(path.rate, path.mtu, path.delay, 0, third(path, burst))
    look = 20 * 10**6
    lab, veth = both(path, burst, f"size={burst * (path.mtu - 72)}B",
                     "stop at=30ms", folder, tools, (look,))
    unit = math.ceil(Fraction(CODEL_NS) / path.packet)
    near(tap, f"marks of a burst of {burst}, from {path.ecn} B on", path,
         lab.bottleneck("marks"), veth.tc(look, "ce_mark"),
         math.ceil(Fraction(path.burst, path.wire)) + 1 + unit, "packets")
    tap.ok(lab.bottleneck("marks") == burst - math.ceil(path.ecn / path.wire),
           f"{path.rate / 1e9:g} Gbit/s, MTU {path.mtu}: the lab's marks are the"
           " closed form", f"{lab.bottleneck('marks')} of {burst}")


PATHS = (Path3(10**9, 1500, 250000), Path3(10**10, 4096, 100000),
         Path3(25 * 10**8, 9000, 180000))


def main():
    """All paths, all loads."""
    tap, tools = Tap(), runner.Tools()
    with scratch("calibrate") as base:
        for number, path in enumerate(PATHS):
            for check in (check_lone, check_load, check_drops, check_marks):
                check(tap, path, f"{base}/{number}{check.__name__}", tools)
    tap.finish()


if __name__ == "__main__":
    main()
