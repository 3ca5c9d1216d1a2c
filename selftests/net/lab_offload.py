#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the cards of hosts cut and merge as the page says? (lab-scenario(5), offload)

    cut         one GSO packet, IPv6 and IPv4, of each number of bytes: so many frames as
                bytes by MSS, rounded up, full but for the last; each arrives at the queue at
                the same ns, leaves when it is its turn, and is lost, marked and captured by
                itself
    merge       frames that a card merges: the first into the empty ring brings the interrupt
                exactly the given time later, and the stack gets as many packets as the
                page's rule makes of the trace, IPv6 and IPv4.
                Frames with and without a CE mark, or of different labels, are not merged;
                with dcc_offload those of different labels are
    again       the same run twice is the same, byte for byte
"""

import csv
import math
import struct
from collections import Counter
from pathlib import Path

from labkit import run, runner, scratch, trace
from tap import Tap

MTU = 1500
HEADERS = {6: 72, 4: 52}        # IP, TCP, time stamps
RATE = 10**10                   # bit/s
GRO = 20_000                    # ns
GSO_MAX = 65536                 # bytes of a merged packet stay below it (net/core/gro.c)
PCAP_HEADER, PCAP_RECORD = 24, 16
IP = {6: 40, 4: 20}
TCP_SEQ, TCP_FLAGS, PSH, CWR = 4, 13, 8, 128

ONE = f"""
set size 1B
set family 6
set extra loss=0
topology chain hops=1 rate=10Gbps delay=10us mtu={MTU}B buffer=0 nic=ideal
host * route initcwnd=200
host a offload tso=1
link a-b:ab $extra
flow f a -> b size=$size family=$family warm=1ms cc=reno
trace a-b
pcap a-b
stop when=done at=1s
"""
# b's card merges; the windows are closed neither by ACKs nor by the first window
MERGE = f"""
set size 200KB
set gro 20us
set extra ecn=0
set family 6
set cc reno
set segs 0
set runs 0
module dcc_offload gro=$runs
topology chain hops=1 rate=10Gbps delay=10us mtu={MTU}B buffer=0 nic=ideal
host * route initcwnd=200
host a offload tso=1
host b offload gro=$gro
host * sysctl net.ipv4.tcp_ecn=1
host * knob mswift.spray=oblivious mswift.spray_segs=$segs mswift.spray_paths=16
link a-b:ab $extra
flow f a -> b size=$size family=$family warm=1ms cc=$cc
trace a-b
pcap a-b
stop when=done at=1s
"""


def ns(length):
    """Of a packet's serialisation, exact, as a fraction of ns is kept by the link."""
    return length * 8 * 10**9 / RATE


def frames(size, family):
    """Bytes on the wire of each frame of so much data."""
    mss = MTU - HEADERS[family]
    count = -(-size // mss)
    return [MTU] * (count - 1) + [size - (count - 1) * mss + HEADERS[family]]


def data(records, event, family=6):
    """The records of packets with data, in order of time."""
    return [r for r in records if r.event == event and r.length > HEADERS[family] and r.t >= 0]


def captured(path, family=6):
    """{sequence number: (length, flags)} of the data packets of a capture, in order."""
    raw, at, found = Path(path).read_bytes(), PCAP_HEADER, {}
    while at < len(raw):
        _, _, kept, length = struct.unpack_from("<4I", raw, at)
        packet = raw[at + PCAP_RECORD:at + PCAP_RECORD + kept]
        if length > HEADERS[family] and packet[0] >> 4 == family:
            tcp = packet[IP[family]:]
            found[struct.unpack_from(">I", tcp, TCP_SEQ)[0]] = length, tcp[TCP_FLAGS]
        at += PCAP_RECORD + kept
    return found


def check_cut(tap, base, tools):
    """Frames of one GSO packet: number, lengths, times."""
    wrong = []
    for family in (6, 4):
        mss = MTU - HEADERS[family]
        for size in (mss, mss + 1, 10 * mss - 1, 44 * mss):
            folder = base / f"cut-{family}-{size}"
            run(ONE, folder, tools, sets={"size": f"{size}B", "family": family})
            records = trace(folder)["a-b:ab"]
            entered, left = data(records, "enq", family), data(records, "tx", family)
            want = frames(size, family)
            ends = [entered[0].t + math.ceil(ns(sum(want[:n + 1]))) for n in range(len(want))]
            queues = [sum(want[:n]) for n in range(len(want))]
            if ([r.length for r in left] != want or [r.t for r in left] != ends
                    or [r.queue for r in entered] != queues
                    or {r.t for r in entered} != {entered[0].t}
                    or [n for n, _ in captured(folder / "a-b.pcap", family).values()] != want):
                wrong.append(f"IPv{family}, {size} B: {len(left)} frames, wanted {len(want)}")
    tap.ok(not wrong, "cut: as many frames as bytes by MSS, each at its ns, all captured",
           "; ".join(wrong) or "IPv4 and IPv6, up to 44 segments")


def check_alone(tap, base, tools):
    """A queue has room for, marks and loses frames, not GSO packets."""
    mss, count = MTU - HEADERS[6], 40
    sets = {"size": f"{count * mss}B"}
    room = 10
    folder = base / "room"
    run(ONE, folder, tools, sets={**sets, "extra": f"buffer={room * MTU}B"})
    first = data(trace(folder)["a-b:ab"], "enq")[0].t
    events = Counter(r.event for r in trace(folder)["a-b:ab"] if r.t == first
                     and r.length > HEADERS[6])
    tap.ok((events["enq"], events["drop"]) == (room, count - room),
           "a buffer of ten frames takes ten frames of a GSO packet", str(dict(events)))
    folder = base / "mark"
    run(MERGE, folder, tools, sets={**sets, "extra": f"ecn={room * MTU}B"})
    events = Counter(r.event for r in trace(folder)["a-b:ab"] if r.t == first
                     and r.length > HEADERS[6])
    tap.ok((events["enq"], events["mark"]) == (count, count - room),
           "a threshold of ten frames marks the ones behind", str(dict(events)))
    folder = base / "loss"
    result = run(ONE, folder, tools, sets={**sets, "extra": "loss=20%"})
    lost = result["links"]["a-b:ab"]["lost"]
    tap.ok(0 < lost < count, "loss takes single frames", f"{lost} of {count} and repeats")


def merged(frames_, wait, headers=HEADERS[6]):
    """[packets of each interrupt] for the stack, of a flow's (t, length, kind, flags) in order.

    An interrupt comes so long after the first frame into the empty ring and takes what is
    there. A packet is of frames of one kind, stays below GSO_MAX bytes, headers included,
    and has no frame after one that ends it: a short one, or one that is pushed. One with
    CWR begins another.
    """
    polls, due, room, last = [], -1, 0, None
    for t, length, kind, flags in frames_:
        if t > due:
            due, room = t + wait, 0
            polls.append(0)
        if kind != last or flags & CWR or room <= length - headers:
            polls[-1] += 1
            room = GSO_MAX - headers
        room = 0 if flags & PSH or length < MTU else room - (length - headers)
        last = kind
    return polls


def labels(folder):
    """{sequence number: label} of a trace."""
    with (Path(folder) / "trace.csv").open(encoding="ascii") as lines:
        return {int(row["seq"]): row["label"] for row in csv.DictReader(lines)
                if row["dir"] == "ab" and row["event"] == "rx"}


def arrivals(folder, family, runs):
    """What merged() wants of the frames that b's card got; to runs the label says nothing."""
    flags, label = captured(Path(folder) / "a-b.pcap", family), labels(folder)
    if runs:
        label = dict.fromkeys(label)
    records = trace(folder)["a-b:ab"]
    marks = {r.seq for r in records if r.event == "mark"}
    return [(r.t, r.length, (label[r.seq], r.seq in marks), flags[r.seq][1])
            for r in data(records, "rx", family)]


def check_merge(tap, base, tools):
    """Bursts at line rate: interrupts, packets and the ACKs' times."""
    late = f"{10 * GRO}ns"
    for name, sets in (("a few at a time", {}), ("all at once", {"gro": late}),
                       ("IPv4", {"gro": late, "family": 4}),
                       ("marks behind ten", {"gro": late, "extra": f"ecn={10 * MTU}B"}),
                       ("a label for each frame", {"gro": late, "cc": "mswift", "segs": 1}),
                       ("a label for four", {"gro": late, "cc": "mswift", "segs": 4}),
                       ("a label for each frame, with dcc_offload",
                        {"gro": late, "cc": "mswift", "segs": 1, "runs": 1}),
                       ("marks among labels, with dcc_offload",
                        {"gro": late, "cc": "mswift", "segs": 1, "runs": 1,
                         "extra": f"ecn={2 * MTU}B"})):
        folder = base / name.replace(",", "").replace(" ", "-")
        family, gro = sets.get("family", 6), GRO if "gro" not in sets else 10 * GRO
        result = run(MERGE, folder, tools, sets=sets)
        there = arrivals(folder, family, "runs" in sets)
        want = merged(there, gro, HEADERS[family])
        link = result["links"]["a-b:ab"]
        got = [link[key] for key in ("gro_packets", "gro_skbs", "interrupts")]
        marked = any(kind[1] for _, _, kind, _ in there)
        tap.ok(got == [len(there), sum(want), len(want)] and marked == ("mark" in name),
               f"merged as the rule says: {name}",
               f"{len(there)} frames, {sum(want)} packets, {len(want)} interrupts; {got}")
        ack = next(r.t for r in trace(folder)["a-b:ba"]
                   if r.event == "enq" and r.t >= there[0][0])
        tap.ok(ack == there[0][0] + gro, f"the interrupt comes {gro} ns after the first"
               f" frame: {name}", f"{ack - there[0][0]} ns")


def check_again(tap, base, tools):
    """The same bytes twice."""
    texts = []
    for name in ("once", "twice"):
        run(MERGE, base / name, tools)
        texts.append((base / name / "result.tsv").read_bytes())
    tap.ok(texts[0] == texts[1], "twice the same, byte for byte")


def main():
    """One aspect after the other."""
    tap = Tap()
    tools = runner.Tools()
    with scratch("offload") as name:
        base = Path(name)
        check_cut(tap, base, tools)
        check_alone(tap, base, tools)
        check_merge(tap, base, tools)
        check_again(tap, base, tools)
    tap.finish()


if __name__ == "__main__":
    main()
