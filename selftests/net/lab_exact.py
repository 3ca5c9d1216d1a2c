#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is the lab exact? Every event of every link, to the nanosecond and the byte.

The lab's links are computed here a second time, from first principles and with
exact fractions: all that is taken from the run is when the two hosts gave which
packet to their first link. From that, the rates, delays, buffers and thresholds
follow all other events of the path, both ways: what is queued, dropped, marked,
sent and received, when, and how long the queue is.

    a packet of L bytes at R bit/s takes 8 L / R s, a fraction of a ns kept;
    an event happens at the first whole ns not before its instant;
    the queue is all bytes accepted and not fully sent;
    an arrival is dropped if queue + L > buffer, marked if queue >= threshold;
    of what waits the oldest is sent, with strict=1 that of the highest class.

Then the closed forms that people know are asked of the same runs by themselves:
round trip, spacing, the length of a burst.
"""

import math
import struct
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from labkit import Record, run, runner, scratch, trace
from tap import Tap

NS = 10**9
BITS = 8
HEADERS = 72                    # IPv6, TCP, time stamps: an ACK's length
CLASSES = 8
FIRST_PORT = 10000              # of the scenario's flows, one after the other
CHAIN = {1: ["a-b"], 3: ["a-s1", "s1-s2", "s2-b"]}


@dataclass
class Case:
    """One path and what crosses it."""

    name: str
    hops: int = 1
    rates: tuple = (10**10,)    # bit/s of each hop, or of all
    mtu: int = 4096
    delays: tuple = (50000,)    # ns of each hop, or of all
    buffer: int = 0             # bytes, 0 = unlimited
    ecn: int = 0                # bytes, 0 = off
    overhead: int = 0
    cc: str = "reno"
    window: int = 64            # first window, packets
    size: int = 0               # bytes; 0: one full packet
    family: int = 6
    seed: int = 1
    small: int = 0              # so many flows of short packets across it
    dscps: tuple = ()           # strict=1: of each flow; its ACKs have one 8 less

    def of(self, values, hop):
        """The hop's own value of a list, or the one for all."""
        return values[hop] if len(values) > 1 else values[0]

    @property
    def mss(self):
        return self.mtu - HEADERS + (0 if self.family == 6 else 20)

    @property
    def ack(self):
        """An acknowledgment on the wire, bytes."""
        return HEADERS - (0 if self.family == 6 else 20) + self.overhead

    def class_of(self, packet):
        """By the receiver's port, which is the destination of data only."""
        source, target = (int(port) - FIRST_PORT - 1 for port in packet.flow.split())
        if 0 <= target < len(self.dscps):
            return self.dscps[target] // CLASSES
        if 0 <= source < len(self.dscps):
            return max(self.dscps[source] // CLASSES - 1, 0)
        return 0

    def text(self):
        """The scenario."""
        lines = [f"topology chain hops={self.hops} rate={self.rates[0]}bps nic=ideal"
                 f" delay={self.delays[0]}ns mtu={self.mtu}B"
                 f" buffer={self.buffer}B ecn={self.ecn}B"
                 f" overhead={self.overhead}B",
                 f"host a route initcwnd={self.window}", "host b receiver ideal",
                 f"flow f a -> b size={self.size or self.mss}B cc={self.cc}"
                 f" family={self.family}", "trace *"]
        for hop, name in enumerate(CHAIN[self.hops]):
            # also the host's own queue, which the topology's keys leave alone
            lines.append(f"link {name} rate={self.of(self.rates, hop)}bps"
                         f" delay={self.of(self.delays, hop)}ns"
                         f" buffer={self.buffer}B ecn={self.ecn}B")
        if self.dscps:
            lines += ["link * strict=1"] + [
                f"flow class{number} a -> b size={self.size}B cc={self.cc} dscp={dscp}"
                f" ackdscp={max(dscp - 8, 0)} jitter=1ms"
                for number, dscp in enumerate(self.dscps)]
        if self.small:
            lines.append(f"flow small a -> b count={self.small} size=333B"
                         f" cc={self.cc} jitter=2ms")
        return "\n".join(lines) + "\n"


CASES = (
    Case("1 hop, 10G, 3276.8 ns a packet"),
    Case("1 hop, 8G, whole ns", rates=(8 * 10**9,), delays=(500,), seed=2),
    Case("3 hops, 7G, thirds of a ns", 3, (7 * 10**9,), 1500, (1, 37, 12345)),
    Case("3 hops, a prime rate, IPv4", 3, (9999999967,), 9000, (0,), family=4),
    Case("1 hop burst, 10G", size=200000, window=60),
    Case("1 hop burst, 1T", rates=(10**12,), mtu=1280, size=100000, window=90,
         delays=(777,), overhead=24),
    Case("3 hops burst, slower in the middle", 3,
         (25 * 10**9, 3 * 10**9, 40 * 10**9), 1500, (3000, 1, 911), size=300000),
    Case("3 hops burst, equal rates", 3, (10**10,), 4096, size=200000, seed=3),
    Case("3 hops burst, 40 Mbps and ms, IPv4", 3, (10**8, 4 * 10**7, 10**8), 1500,
         (3 * 10**6,), size=100000, family=4),
    Case("drops, 1 hop", buffer=41001, size=1000000, window=100, small=40),
    Case("drops, 3 hops", 3, (10**11, 6 * 10**9, 10**11), 1500, (20000,),
         buffer=30007, size=500000, window=100, small=60, overhead=18, seed=2),
    Case("marks, 1 hop", ecn=65536, size=2000000, cc="dctcp", window=100),
    Case("marks, 3 hops", 3, (9 * 10**9, 7 * 10**9, 3 * 10**9), 1500, (10000,),
         ecn=29999, size=500000, cc="dctcp", window=60, seed=3),
    Case("strict classes, 1 hop", size=300000, window=60, dscps=(63, 8, 15, 40)),
    Case("strict classes, 3 hops, drops", 3, (10**10, 6 * 10**9, 7 * 10**9), 1500,
         (15000,), buffer=90000, size=300000, window=60, dscps=(8, 56, 24, 0, 7, 16),
         seed=2),
    Case("drops and marks", 3, (10**10, 7 * 10**9, 10**10), 4096, (15000,),
         buffer=29 * 4096, ecn=60000, size=2000000, cc="dctcp", window=60),
)


class Packet:
    """A packet on its way."""

    def __init__(self, record, marked):
        self.length, self.flow, self.seq = record.length, record.flow, record.seq
        self.marked = marked


class Hop:
    """One direction of a link, from first principles."""

    def __init__(self, case, hop):
        self.per_byte = Fraction(BITS * NS, case.of(case.rates, hop))
        self.case = case
        self.delay = case.of(case.delays, hop)
        self.buffer, self.ecn = case.buffer, case.ecn
        self.end = Fraction(0)          # when the transmitter is free
        self.serving = None
        self.waiting = [deque() for _ in range(CLASSES)]
        self.queue = 0
        self.records = []
        self.out = []                   # (arrival at the far end, packet)

    def record(self, t, event, packet):
        """What the trace should say."""
        self.records.append(Record(t, event, packet.length, self.queue,
                                   packet.flow, packet.seq))

    def serve(self):
        """The next serialisation begins when the last one ends, if something waits."""
        waiting = next((queue for queue in reversed(self.waiting) if queue), None)
        self.serving = waiting.popleft() if waiting else None
        if self.serving:
            self.end += self.serving.length * self.per_byte

    def sent_until(self, t):
        """Serialisations that end up to t, before an arrival of the same ns."""
        while self.serving and math.ceil(self.end) <= t:
            end, packet = math.ceil(self.end), self.serving
            self.queue -= packet.length
            self.record(end, "tx", packet)
            self.out.append((end + self.delay, packet))
            self.serve()

    def arrive(self, t, packet, ect):
        """A packet comes: drop, mark, serialise, propagate."""
        self.sent_until(t)
        if self.buffer and self.queue + packet.length > self.buffer:
            self.record(t, "drop", packet)
            return
        if self.ecn and self.queue >= self.ecn and ect and not packet.marked:
            packet = Packet(packet, True)
            self.record(t, "mark", packet)
        self.record(t, "enq", packet)
        self.queue += packet.length
        self.waiting[self.case.class_of(packet)].append(packet)
        if not self.serving:
            self.end = Fraction(t)
            self.serve()

    def finish(self):
        """All events of the queue, when the last packet has left."""
        self.sent_until(math.inf)
        return self.records


def predict(case, arrivals, names):
    """{direction: its events} from what entered the first link."""
    found = {}
    for hop, name in names:
        link = Hop(case, hop)
        for t, packet in arrivals:
            link.arrive(t, packet, case.cc == "dctcp")
        arrivals = link.out
        found[name] = {"queue": link.finish(),
                       "rx": [(t, packet.length, packet.flow, packet.seq)
                              for t, packet in arrivals]}
    return found


def offered(records):
    """What the host gave to its link: the model's only input."""
    return [(record.t, Packet(record, False)) for record in records
            if record.event in ("enq", "drop")]


def first_difference(want, got):
    """For the reader of a failure."""
    for one, other in zip(want, got):
        if one != other:
            return f"wanted {one}, got {other}"
    return f"wanted {len(want)} events, got {len(got)}"


def until_the_end(want, got, end):
    """The run ends while packets are on their way: what was seen last ends it."""
    last = max([end] + [event[0] for event in got[-1:]])
    return [event for event in want if event[0] <= last]


def differing(want, seen, end):
    """The first difference on one link direction, or nothing."""
    for expected, got in (
            (sorted(want["queue"]), sorted(r for r in seen if r.event != "rx")),
            (sorted(want["rx"]), sorted((r.t, r.length, r.flow, r.seq)
                                        for r in seen if r.event == "rx"))):
        expected = until_the_end(expected, got, end)
        if expected != got:
            return first_difference(expected, got)
    return ""


def check_way(tap, case, seen, way, end):
    """One direction of the whole path: every event of every hop."""
    names = [(hop, f"{name}:{way}") for hop, name in enumerate(CHAIN[case.hops])]
    if way == "ba":
        names.reverse()
    want = predict(case, offered(seen[names[0][1]]), names)
    wrong = [f"{name}: {text}" for _, name in names
             if (text := differing(want[name], seen[name], end))]
    events = sum(len(seen[name]) for _, name in names)
    tap.ok(not wrong, f"{case.name} {way}: every event, ns and byte",
           "; ".join(wrong) or f"{events} events equal, largest error 0 ns, 0 B")


def one_way(case, length, hops):
    """Empty path: serialisation rounded up at each hop, and propagation."""
    return sum(math.ceil(Fraction(length * BITS * NS, case.of(case.rates, hop)))
               + case.of(case.delays, hop) for hop in hops)


def check_round_trip(tap, case, seen):
    """A lone full packet and its answer."""
    names = CHAIN[case.hops]
    full = case.mtu + case.overhead
    sent = next(r.t for r in seen[f"{names[0]}:ab"]
                if r.event == "enq" and r.length == full)
    back = next(r for r in seen[f"{names[0]}:ba"] if r.event == "rx"
                and r.t > sent)
    want = (one_way(case, full, range(case.hops))
            + one_way(case, back.length, range(case.hops)))
    tap.ok(back.t - sent == want and back.length == case.ack,
           f"{case.name}: round trip of a full packet and its ACK",
           f"measured {back.t - sent} ns, closed form {want} ns;"
           f" ACK of {back.length} B")


def longest_run(case, records):
    """The packets of the longest busy period of full packets, by their records."""
    full, best, current = case.mtu + case.overhead, [], []
    for record in (r for r in records if r.event == "tx"):
        if record.length == full:
            current.append(record)
        if record.length != full or record.queue < full:
            best, current = max(best, current, key=len), []
    return max(best, current, key=len)


def check_burst(tap, case, seen):
    """n packets back to back leave each hop at multiples of 8 L / R.

    To the ns at the hop where they queue, whatever n. Further on a packet may
    arrive just as the one before it has left, and then starts on a whole ns:
    late by less than 1 ns, once per hop crossed.
    """
    slowest, packets, full = None, [], case.mtu + case.overhead
    for hop, name in enumerate(CHAIN[case.hops]):
        records, rate = seen[f"{name}:ab"], case.of(case.rates, hop)
        if slowest is None or rate < slowest:
            slowest, first = rate, hop
            packets = [r.seq for r in longest_run(case, records)]
        sent = sorted(r.t for r in records
                      if r.event == "tx" and r.seq in packets and r.length == full)
        each = Fraction(full * BITS * NS, slowest)
        spread, want = sent[-1] - sent[0], (len(packets) - 1) * each
        tap.ok(len(packets) >= 10 and abs(spread - want) < 1 + hop - first,
               f"{case.name}: {len(packets)} packets back to back at {name}",
               f"spread {spread} ns, closed form {float(want):.3f} ns,"
               f" {float(each):.4f} ns each")


def check_drops(tap, case, seen):
    """Were there drops, and would a packet count instead of bytes differ?"""
    records = [r for name, found in seen.items() if name.endswith(":ab")
               for r in found]
    drops = [r for r in records if r.event == "drop"]
    tight = [r.queue + r.length - case.buffer for r in drops]
    kept = [case.buffer - r.queue - r.length for r in records
            if r.event == "enq" and (r.length < case.mtu // 2 or not case.small)]
    tap.ok(bool(drops) and 0 < min(tight) and 0 <= min(kept) < case.mtu,
           f"{case.name}: drop positions of a {case.buffer} B buffer",
           f"{len(drops)} drops, the narrowest {min(tight, default=-1)} B too long;"
           f" the fullest queue had"
           f" {min(kept, default=-1)} B to spare")


def check_marks(tap, case, seen):
    """Marks at and above the threshold, none below."""
    records = [r for name, found in seen.items() if name.endswith(":ab")
               for r in found]
    marks = [r.queue for r in records if r.event == "mark"]
    below = max(r.queue for r in records if r.event == "enq"
                and r.queue < case.ecn)
    tap.ok(bool(marks) and min(marks) >= case.ecn,
           f"{case.name}: CE marks from {case.ecn} B on",
           f"{len(marks)} marks, the first at {min(marks, default=-1)} B,"
           f" the longest queue without at {below} B")


CHANGES = """
topology chain hops=2 rate=10Gbps delay=10us mtu=1500B buffer=0 nic=ideal
link a-s1 rate=20Gbps
default size=2MB cc=reno
flow f a -> b
flow g a -> b dscp=56
flow h a -> b dscp=8
at 500us link s1-b strict=1
at 1ms link s1-b strict=0 drr=1500B
at 1500us link s1-b strict=1 drr=0
at 2ms link s1-b strict=0
trace s1-b:ab
"""


def check_changes(tap, tools, folder):
    """A link whose discipline is changed while packets wait: none is lost or overtaken
    by one of its own flow."""
    result = run(CHANGES, folder, tools)
    records = trace(folder)["s1-b:ab"]
    came, left = ([(r.flow, r.seq) for r in records if r.event == event]
                  for event in ("enq", "tx"))
    flows = {flow for flow, _ in came}
    orders = [[packet for packet in packets if packet[0] == flow]
              for packets in (came, left) for flow in flows]
    tap.ok(came != left and orders[:len(flows)] == orders[len(flows):]
           and not result["summary"]["unfinished"],
           "FIFO, strict, DRR, strict, FIFO in mid-run: each flow's packets in order",
           f"{len(came)} packets of {len(flows)} flows")


CAPTURED = """
topology chain hops=2 rate=10Gbps rtt=120us mtu=4096B buffer=20KB nic=ideal
link s1-b ecn=10KB overhead=24B loss=1%
flow f a -> b size=400KB cc=dctcp
flow g a -> b size=400KB cc=reno family=4
"""

IDLE = """
title nobody sends to h3
topology star hosts=3 nic=ideal
flow f h1 -> h2 size=10KB cc=reno
pcap h3-s
"""
PCAP_HEAD = 24                  # bytes before the first packet


def captured(path):
    """(t, bytes, flow, seq) of a pcap's packets: RFC 791, 8200 and 9293 by hand."""
    data, at, found = path.read_bytes(), PCAP_HEAD, []
    if struct.unpack("=IHHiIII", data[:at]) != (0xa1b23c4d, 2, 4, 0, 0, 108, 101):
        return found
    while at < len(data):
        seconds, ns, kept, length = struct.unpack_from("=IIII", data, at)
        packet, at = data[at + 16:at + 16 + kept], at + 16 + kept
        tcp = packet[40:] if packet[0] >> 4 == 6 else packet[4 * (packet[0] & 15):]
        sport, dport, seq = struct.unpack_from("!HHI", tcp)
        whole = struct.unpack_from("!H", packet, 4 if packet[0] >> 4 == 6 else 2)[0]
        if length != whole + 40 * (packet[0] >> 4 == 6) or kept != min(length, 108):
            return found
        found.append((seconds * NS + ns, length, f"{sport} {dport}", seq))
    return found


def check_capture(tap, tools, folder):
    """A pcap has what the trace says was sent, in order of time; the run is as without."""
    both = run(CAPTURED + "trace s1-b\npcap s1-b\n", f"{folder}/both", tools)
    alone = run(CAPTURED + "pcap s1-b:ab\n", f"{folder}/alone", tools)
    plain = run(CAPTURED, f"{folder}/plain", tools)
    ways = trace(f"{folder}/both")
    sent = [(r.t, r.length - 24, r.flow, r.seq) for way in ("ab", "ba")
            for r in ways[f"s1-b:{way}"] if r.event == "tx"]
    seen = captured(Path(folder, "both", "s1-b.pcap"))
    tap.ok(len(seen) > 100 and sorted(seen) == sorted(sent)
           and [t for t, *_ in seen] == sorted(t for t, *_ in seen),
           "pcap of a link: every packet sent, both ways, IPv6 and IPv4, by time",
           f"{len(seen)} packets, {len(sent)} traced")
    forth = captured(Path(folder, "alone", "s1-b.pcap"))
    tap.ok(forth == [packet for packet in seen if packet[2].endswith(("10000", "10001"))]
           and not Path(folder, "alone", "trace.csv").exists(),
           "pcap of one direction has that one, and no trace", f"{len(forth)} packets")
    run(IDLE, f"{folder}/idle", tools)
    size = Path(folder, "idle", "h3-s.pcap").stat().st_size
    tap.ok(size == PCAP_HEAD, "pcap of a link that carries nothing is a file without packets",
           f"{size} bytes")
    tap.ok(both["trace_hash"] == alone["trace_hash"] == plain["trace_hash"],
           "the run is the same with and without", plain["trace_hash"])


def check(tap, case, tools, folder):
    """Run a case and ask everything of it."""
    result = run(case.text(), folder, tools, seed=case.seed)
    seen = trace(folder)
    tap.ok(result.exit_code == 0 and result["summary"]["unfinished"] == 0,
           f"{case.name}: the run is valid",
           f"seed {case.seed}, {sum(map(len, seen.values()))} trace records")
    for way in ("ab", "ba"):
        check_way(tap, case, seen, way, result["virtual_ns"])
    if not case.size:
        check_round_trip(tap, case, seen)
    elif case.buffer:
        check_drops(tap, case, seen)
    if case.ecn:
        check_marks(tap, case, seen)
    if case.size and not case.buffer and not case.ecn and not case.dscps:
        check_burst(tap, case, seen)


def main():
    """All cases."""
    tap, tools = Tap(), runner.Tools()
    with scratch("exact") as base:
        for number, case in enumerate(CASES):
            check(tap, case, tools, f"{base}/{number:02d}")
        check_changes(tap, tools, f"{base}/changes")
        check_capture(tap, tools, f"{base}/capture")
    tap.finish()


if __name__ == "__main__":
    main()
