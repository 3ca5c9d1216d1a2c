#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Are the lab's workloads and their figures what they say?

    load        Poisson arrivals from 10 hosts to one: number, mean size, load and
                exponential gaps of what really ran, against the process
    many        4,000 flows that come and go: all finish, none waits for a SYN
    order       each step of a ring begins when what it passes on has come
    lasts       a flow stops when its time is over
    alone       a flow alone on the network takes its bound: slowdown 1
    calls       of requests and responses each takes its bound, one after the other
    queued      the time in which a packet waits: two bursts in closed form, and
                chaotic traffic against the times of every packet
    down        packets lost because a link went down are counted, each once
    record      every ACK of a flow is there, and recording changes nothing
    labels      so is every packet, with the one label of a flow that is not sprayed
    bursts      packets are lost in rows as long, and as often, as was said
    subflows    those of an MPTCP connection take ways of their own, and their counters
                are its; TCP beside it knows nothing of that
    losses      each packet that a bad link lost, and none else, is held against the label
                that it had
"""

import collections
import csv
import hashlib
import itertools
import math
import struct
from pathlib import Path

from labkit import acks, runner, run, scratch, series, trace
from tap import Tap
from lablib import sizes

NS = 10**9
RATE = 10 * NS                          # bit/s
PACKET, MSS = 1500, 1428
SERIALISE = PACKET * 8 * NS // RATE     # ns of a full packet
PACKETS_OF_ACKS = 700                   # less carried no data of 8 MB in eight parts
ROOM = 4                                # standard errors
KS_1_PERCENT = 1.63                     # Kolmogorov and Smirnov, times 1 / sqrt(n)

CALLS = """
topology leafspine leaves=2 spines=1 hosts=2 rate=10Gbps rtt=120us mtu=1500B nic=ideal
default cc=reno warm=1ms
flow one h1 -> h3 size=1000B request=100B calls=20 start=2ms
flow asks h2 -> h4 size=100B request=4096B calls=10 start=2ms
flow both h1 -> h4 size=11584B request=3KB calls=5 start=20ms family=4
flow cold h2 -> h3 size=1000B request=1B calls=3 start=20ms warm=0
trace h3-leaf2:ab
stop when=done at=1s
expect flow one call.p99 <= 1ms
expect flow one call.max <= 1us
"""

DOWN = """
topology star hosts=2 rate=10Gbps rtt=120us buffer=0 nic=ideal
flow f h1 -> h2 size=2MB cc=reno
at 500us link h2-s:ba down
at 5ms link h2-s:ba up
trace h1-s h2-s
stop when=done at=2s
"""

GREY = """
topology paths n=4 rate=10Gbps rtt=120us mtu=1500B buffer=4bdp nic=ideal
host * knob mswift.spray=bitmap mswift.spray_paths=16
link path3:ab loss=1%
flow f a -> b size=8MB cc=mswift
labels f
trace path3
stop when=done at=1s
expect rto == 0
"""
LOST, IN_A_ROW = 0.1, 5
IN_ROWS = f"""
topology star hosts=21 rate=10Gbps rtt=120us nic=ideal
host * route rto_min=5ms
link h1-s:ba loss={LOST},{IN_A_ROW}
flow f h[2-9] -> h1 count=20 size=2MB cc=reno
trace h1-s
stop when=done at=10s
"""
SUBFLOWS = """
topology leafspine leaves=2 spines=8 hosts=2 rate=10Gbps rtt=120us buffer=1MB nic=ideal
flow many h1 -> h3 size=8MB cc=reno mptcp=8
flow one h2 -> h4 size=8MB cc=reno
trace h1-leaf1 h2-leaf1
stop when=done at=1s
expect flow many subflows == 8
expect flow one subflows == 0
expect unfinished == 0
"""
ACK_MOST = 200                          # bytes; data has more, but for the last packet

SCALE, LOAD, UNTIL = 0.02, 0.5, 200 * 10**6
POISSON = f"""
topology star hosts=11 rate=10Gbps rtt=120us buffer=0 nic=ideal
workload poisson sizes=cachefollower scale={SCALE} load={LOAD} until={UNTIL}ns to=h1 \
cc=oscar warm=1ms
host * knob oscar.base_rtt_ns=120000
stop when=done at=10s
expect unfinished == 0
expect retrans == 0
"""
MANY = """
topology star hosts=21 rate=10Gbps rtt=120us nic=ideal
flow f h[2-9] -> h1[0-9] count=4000 spacing=5us size=5KB cc=reno
stop when=done at=10s
expect unfinished == 0
expect syn_lost == 0
expect rto == 0
"""
RING = """
topology star hosts=6 rate=10Gbps rtt=120us nic=ideal
workload ring groups=2 size=50KB wait=7us start=300us cc=reno warm=1ms
stop when=done at=1s
expect unfinished == 0
"""
LASTS = """
topology star hosts=7 rate=10Gbps rtt=120us nic=ideal
flow f h[2-7] -> h1 count=6 spacing=1ms size=forever lasts=6ms cc=reno warm=1ms
flow next h2 -> h1 size=1MB cc=reno after=f.1
stop when=done at=1s
expect unfinished == 0
"""
# Windows that hold the whole flow: it is sent at line rate
ALONE = """
topology leafspine leaves=2 spines=2 hosts=2 rate=10Gbps rtt=120us nic=ideal
host * route initcwnd=900
host * receiver ideal
default cc=reno
flow one h1 -> h3 size=1B warm=1ms
flow mss h1 -> h3 size=1428B warm=1ms start=10ms
flow ten h2 -> h4 size=14281B warm=1ms start=20ms
flow mega h1 -> h4 size=1MB warm=1ms start=30ms
flow cold h1 -> h2 size=10KB start=40ms
flow near h1 -> h2 size=100KB warm=1ms start=50ms family=4
expect flows slowdown >= 1
"""
BURST = 100                             # packets
BURSTS = f"""
topology star hosts=3 rate=10Gbps rtt=120us buffer=0 nic=ideal
host * route initcwnd={BURST}
host * receiver ideal
flow f h[23] -> h1 size={BURST * MSS}B cc=reno warm=3ms start=2ms
stop at=2340us
"""
CHAOS = """
topology star hosts=5 rate=10Gbps rtt=120us buffer=60KB nic=ideal
workload poisson sizes=websearch scale=0.02 load=90% until=10ms to=h1 cc=reno
workload incast n=4 to=h1 size=50KB cc=reno start=5ms
host * route rto_min=5ms
trace h1-s
stop when=done at=1s
"""
RECORD = """
topology star hosts=5 rate=10Gbps rtt=120us mtu=4096B nic=ideal
flow f h[2-5] -> h1 size=2MB jitter=1ms cc=oscar warm=3ms
flow g h[2-5] -> h1 size=1MB jitter=1ms cc=mswift
workload poisson sizes=websearch scale=0.1 load=30% until=5ms cc=swift
sample every=100us
stop when=done at=1s
expect retrans == 0
"""


# Sources of a rate: that the network holds back, in turns, and with a slow reader
PACED = """
topology star hosts=33 rate=10Gbps rtt=120us nic=ideal
workload incast n=32 to=h1 size=forever cc=cubic rate=1Gbps warm=1ms
sample every=1ms
stop at=20ms
"""
TURNS = """
topology star hosts=2 rate=10Gbps rtt=20us nic=ideal
flow f h2 -> h1 size=forever cc=cubic rate={rate} on={on} off=150us warm=1ms
stop at=20ms
"""
DRAIN = """
topology star hosts=2 rate=10Gbps rtt=120us nic=ideal
flow f h2 -> h1 size=forever cc=cubic drain=1Gbps rcvbuf=4MB warm=1ms
stop at=20ms
"""
PRIORITY = """
topology star hosts=2 rate=10Gbps rtt=120us nic=ideal
default cc=prioplus prio=3 dscp=24 size=100KB
flow four h1 -> h2 family=4
flow six h1 -> h2
stop when=done at=1s
expect unfinished == 0
"""


def near(tap, name, got, want, error):
    tap.ok(abs(got - want) <= ROOM * error, name,
           f"{got:.6g}, wanted {want:.6g} within {ROOM} x {error:.3g}")


def square_mean(known):
    """The mean of the squared size: each piece is uniform."""
    points = known.points
    return float(points[0][1] * points[0][0] ** 2
                 + sum((upto - before) * (low * low + low * high + high * high) / 3
                       for (low, before), (high, upto) in zip(points, points[1:])))


def check_load(tap, base, tools):
    """Of what ran, not of what was drawn: starts and bytes that the guest reports."""
    result = run(POISSON, f"{base}/load", tools)
    tap.ok(not result.exit_code, "load: all flows finish without a retransmission",
           str(result.failed_expects or result["problems"]))
    known = sizes.load("cachefollower", ".", sizes.Fraction(SCALE))
    mean, square = float(known.mean()), square_mean(known)
    flows = list(result["flows"].values())
    count = LOAD * RATE / 8 / mean * UNTIL / NS
    got = [flow["bytes"] for flow in flows]
    near(tap, "load: number of flows", len(flows), count, math.sqrt(count))
    near(tap, "load: mean size", sum(got) / len(got), mean,
         math.sqrt((square - mean * mean) / len(got)))
    near(tap, "load: payload that came, of what the link could carry",
         sum(got) * 8 * NS / RATE / UNTIL, LOAD,
         math.sqrt(count * square) * 8 * NS / RATE / UNTIL)
    starts = sorted(flow["start"] for flow in flows)
    gaps = sorted(b - a for a, b in zip([0, *starts], starts))
    rate = count / UNTIL
    worst = max(max(abs((i + side) / len(gaps) - 1 + math.exp(-gap * rate))
                    for side in (0, 1)) for i, gap in enumerate(gaps))
    tap.ok(worst <= KS_1_PERCENT / math.sqrt(len(gaps)),
           "load: gaps are exponential (Kolmogorov and Smirnov, 1 %)",
           f"largest difference {worst:.4f} of {len(gaps)} gaps")
    carried = result["links"]["h1-s:ba"]["bytes"]
    tap.ok(carried > sum(got), "load: the link carried the payload and its headers",
           f"{carried} bytes for {sum(got)}")


def check_sources(tap, base, tools):
    """What a source of a rate offers, what arrives, and what an application got of it."""
    result = run(PACED, f"{base}/paced", tools)
    carried = result["summary"]["carried"]
    tap.ok(not result["problems"] and 0.95 * RATE <= carried <= RATE,
           "sources: 32 of a tenth of a line each, held back, fill it and no more",
           f"{carried / 1e9:.3f} Gbit/s")
    for rate, on_us in ((10**10, 50), (10**10, 20), (10**8, 200), (2 * 10**9, 1000)):
        text = TURNS.format(rate=f"{rate}bps", on=f"{on_us}us")
        flow = run(text, f"{base}/turns-{rate}-{on_us}", tools)["flows"]["f"]
        periods = 20_000 / (on_us + 150)
        wanted = rate * on_us / 1e6 / 8 * periods
        quantum = max(MSS, rate * 20e-6 / 8)
        tap.ok(abs(flow["bytes"] - wanted) <= 0.01 * wanted + 2 * quantum,
               f"sources: {rate / 1e9:g} Gbit/s for {on_us} us of {on_us + 150}",
               f"{flow['bytes']} bytes, wanted {wanted:.0f}")
    got = run(DRAIN, f"{base}/drain", tools)["flows"]["f"]["goodput"]
    near(tap, "sources: what a reader of 1 Gbit/s got", got, 1e9, 0.0025e9)
    flows = run(PRIORITY, f"{base}/priority", tools)["flows"]
    levels = {name: struct.unpack("<2H3I", bytes.fromhex(flow["ccinfo"])[:16])[-1]
              for name, flow in flows.items()}
    tap.ok(set(levels.values()) == {4}, "sources: prio= stands beside dscp=, IPv4 and IPv6",
           str(levels))


def check_many(tap, base, tools):
    result = run(MANY, f"{base}/many", tools)
    tap.ok(not result.exit_code and len(result["flows"]) == 4000,
           "many: 4000 flows come and go, no SYN is lost and no timer fires",
           str(result.failed_expects or result["problems"]))


def check_order(tap, base, tools):
    """start of a step = end of what it waits for + wait, to the nanosecond."""
    result = run(RING, f"{base}/ring", tools)
    flows = list(result["flows"].values())
    size, steps = 3, 2 * (3 - 1)
    wrong = []
    for group in range(2):
        ring = flows[group * size * steps:(group + 1) * size * steps]
        for at, flow in enumerate(ring):
            if at < size:
                wanted = 300_000
            else:
                before = ring[at - at % size - size + (at - 1) % size]
                wanted = before["end"] + 7_000
                wrong += [at] if before["dst"] != flow["src"] else []
            wrong += [at] if flow["start"] != wanted else []
    tap.ok(not wrong and len(flows) == 2 * size * steps,
           "order: each of the ring's steps begins 7 us after what it passes on came",
           f"{len(flows)} flows, wrong: {wrong}")


def check_lasts(tap, base, tools):
    """What is on its way when the time is over: the send buffer and the window."""
    result = run(LASTS, f"{base}/lasts", tools)
    flows = result["flows"]
    six = [flows[f"f.{n}"] for n in range(1, 7)]
    starts = [flow["start"] for flow in six]
    tap.ok(starts == [n * 10**6 for n in range(6)], "lasts: one more every 1 ms",
           str(starts))
    over = [flow["end"] - flow["start"] - 6 * 10**6 for flow in six]
    # what waits in the 6 hosts' and the switch's queues of 1000 packets, at most
    room = 7 * 1000 * SERIALISE
    tap.ok(0 < min(over) and max(over) <= room,
           "lasts: 6 ms and what is then on its way", f"{over} ns more")
    tap.ok(flows["next"]["start"] == flows["f.1"]["end"],
           "lasts: a flow after it starts at its end")


def check_alone(tap, base, tools):
    """The receiver's process wakes with the last bit; the bound is in whole ns."""
    result = run(ALONE, f"{base}/alone", tools)
    flows = result["flows"]
    over = {name: flow["fct"] - flow["bound"] for name, flow in flows.items()}
    hops = 8                            # each rounds up to a whole ns
    tap.ok(not result.exit_code and all(0 <= ns <= hops for name, ns in over.items()
                                        if name != "cold"),
           "alone: the FCT is the bound, to the ns of each hop", f"{over} ns")
    # a SYN-ACK that wakes a process, and its first write
    tap.ok(0 <= over["cold"] <= 1000, "alone: and with its handshake, to 1 us",
           f"{over['cold']} ns")
    groups = result["summary"]["slowdown_by_size"]
    tap.ok(all(group["p99"] < 1.01 for group in groups) and
           sum(group["flows"] for group in groups) == len(flows),
           "alone: slowdown 1 in each group of sizes",
           " ".join(f"{group['p99']:.6f}" for group in groups))


def check_calls(tap, base, tools):
    """Each call costs one look at the clock more than the bound; requests are there.

    Of packets on both ways each ACK takes its time, too; a cold one is accepted first.
    """
    result = run(CALLS, f"{base}/calls", tools)
    look, hops, acks_ns, accept = 256, 8, 200, 2000
    for name, count, room, once in (("one", 20, 0, 0), ("asks", 10, 0, 0),
                                    ("both", 5, acks_ns, 0), ("cold", 3, 0, accept)):
        flow = result["flows"][name]
        rows = series.load(f"{base}/calls", "calls")[name].rows
        over = flow["fct"] - flow["bound"]
        tap.ok(flow["calls"] == len(rows) == count and not result["summary"]["unfinished"]
               and 0 <= over <= count * (look + hops + room) + once,
               f"calls: {name} takes its bound", f"{over} ns over, {count} calls")
        if name != "cold":
            gaps = [row["t"] - row["ns"] for row in rows]
            tap.ok(gaps[1:] == [row["t"] for row in rows[:-1]] and gaps[0] == flow["start"],
                   f"calls: {name} asks when it has the response")
    asked = [r for r in trace(f"{base}/calls")["h3-leaf2:ab"]
             if r.event == "tx" and r.flow.startswith("10000 ") and r.length == 172]
    tap.ok(len(asked) == 20, "calls: a request is a packet of its size", f"{len(asked)}")
    said = [item["ok"] for item in result["expects"]]
    tap.ok(said == [True, False], "calls: expect judges them", str(said))


def waiting(records):
    """Time in which two packets or more are in a link's queue, from its trace."""
    there = total = before = 0
    for record in records:
        if there > 1:
            total += record.t - before
        before = record.t
        there += {"enq": 1, "tx": -1}.get(record.event, 0)
    return total


def queued_ns(result, link):
    return round(result["links"][link]["queued"] * result["summary"]["virtual_time"])


def check_queued(tap, base, tools):
    """2 n packets come in pairs, from the first pair on one waits until the last
    is served: 2 n - 1 serialisations. At its host, of n the last waits n - 1. The
    run stops when all have come and before connections are closed.
    """
    result = run(BURSTS, f"{base}/bursts", tools)
    got, wanted = queued_ns(result, "h1-s:ba"), (2 * BURST - 1) * SERIALISE
    tap.ok(got == wanted, f"queued: two bursts of {BURST}", f"{got} ns, wanted {wanted}")
    for host in ("h2", "h3"):
        got, wanted = queued_ns(result, f"{host}-s:ab"), (BURST - 1) * SERIALISE
        tap.ok(got == wanted, f"queued: {host}'s own burst", f"{got} ns, wanted {wanted}")
    result = run(CHAOS, f"{base}/chaos", tools)
    records = trace(f"{base}/chaos")
    for link in ("h1-s:ba", "h1-s:ab"):
        got, wanted = queued_ns(result, link), waiting(records[link])
        tap.ok(got == wanted and (wanted or link.endswith("ab")),
               f"queued: {link} under chaos, against its packets' times",
               f"{got} ns, wanted {wanted}, {len(records[link])} events")


def digest(folder, *names):
    return [hashlib.sha256((Path(folder) / name).read_bytes()).hexdigest()[:12]
            for name in names]


def check_down(tap, base, tools):
    """Against the link's own trace, which has an event for each of them."""
    result = run(DOWN, f"{base}/down", tools)
    told = {name: sum(record.event == "down" for record in records)
            for name, records in trace(result.folder).items()}
    counted = {name: result["links"][name]["down"] for name in told}
    tap.ok(told == counted and sum(told.values()) > 1,
           "down: as many as the trace tells", f"{counted}")
    tap.ok(result["summary"]["down"] == sum(told.values()) and not result["summary"]["drops"],
           "down: they are not called drops", f"{result['summary']['down']}")


def check_record(tap, base, tools):
    """Every series and every figure is the same with and without."""
    plain = run(RECORD, f"{base}/plain", tools)
    result = run(RECORD + "record *\nlabels *\n", f"{base}/record", tools)
    same = ("flows.csv", "links.csv")
    tap.ok(digest(plain.folder, *same) == digest(result.folder, *same)
           and plain["trace_hash"] == result["trace_hash"]
           and plain["flows"] == result["flows"],
           "record: all else is the same with it and without",
           f"trace {plain['trace_hash']} and {result['trace_hash']}")
    rows = acks(result.folder)
    tap.ok(set(rows) == set(result["flows"]), "record: all flows are there",
           f"{len(rows)} of {len(result['flows'])}")
    # the FIN counts, too, where the run saw it acknowledged
    short = [name for name, flow in result["flows"].items()
             if sum(row["acked"] for row in rows.get(name, ())) - flow["packets"]
             not in (0, 1)]
    tap.ok(not result.exit_code and not short, "record: the ACKs tell of every packet delivered",
           f"not of {short[:5]}" if short else
           f"{sum(map(len, rows.values()))} ACKs of {len(rows)} flows")
    labels = {name: track.rows for name, track in series.load(result.folder, "labels").items()}
    wrong = [name for name, flow in result["flows"].items()
             if len(labels.get(name, ())) != flow["packets"]
             or len({row["label"] for row in labels[name]}) != 1 or not labels[name][0]["label"]
             or {row["what"] for row in labels[name]} != {"good"}]
    tap.ok(not wrong, "labels: each packet once, with its flow's label",
           f"not of {wrong[:5]}" if wrong else f"{sum(map(len, labels.values()))} packets")
    oscar = rows["f.1"]
    tap.ok(all(a["t"] <= b["t"] for a, b in zip(oscar, oscar[1:]))
           and oscar[0]["t"] >= result["flows"]["f.1"]["start"]
           and oscar[-1]["t"] <= result["summary"]["virtual_time"]
           and all(row["t"] - row["sent"] == row["rtt"] for row in oscar if row["rtt"]),
           "record: times are the run's", f"{oscar[0]['t']} to {oscar[-1]['t']} ns")


def check_losses(tap, base, tools):
    """By label, against the trace of the link that lost them."""
    result = run(GREY, f"{base}/grey", tools)
    with (Path(result.folder) / "trace.csv").open(encoding="ascii") as lines:
        lost = collections.Counter(
            int(row["label"], 16) for row in csv.DictReader(lines)
            if row["event"] == "lost" and int(row["len"]) > ACK_MOST)
    blamed = collections.Counter(
        row["label"] for row in series.load(result.folder, "labels")["f"].rows
        if row["what"] == "lost")
    tap.ok(blamed == lost and sum(lost.values()) >= 10 and not result.exit_code,
           "losses: as the link's trace has them, label by label",
           f"{sum(blamed.values())} of {sum(lost.values())} packets, {len(lost)} labels")


def check_bursts(tap, base, tools):
    """On the wire; a burst ends where a packet arrives."""
    result = run(IN_ROWS, f"{base}/rows", tools)
    fate = [record.event == "lost" for record in trace(result.folder)["h1-s:ba"]
            if record.event in ("lost", "rx")]
    rows = [len(list(row)) for lost, row in itertools.groupby(fate) if lost]
    # Lengths are geometric; of the share that is most of the error as well
    error = math.sqrt(1 - 1 / IN_A_ROW) / math.sqrt(len(rows))
    near(tap, "bursts: packets in a row", sum(rows) / len(rows), IN_A_ROW, error * IN_A_ROW)
    near(tap, "bursts: share lost", sum(rows) / len(fate), LOST, 2 * error * LOST)


def check_subflows(tap, base, tools):
    """By the trace of the two hosts' links."""
    result = run(SUBFLOWS, f"{base}/subflows", tools)
    tap.ok(not result.exit_code, "subflows: all that were asked for, of the one flow alone",
           str({name: flow["subflows"] for name, flow in result["flows"].items()}))
    many, one = result["flows"]["many"], result["flows"]["one"]
    sent = [record for record in trace(result.folder)["h1-leaf1:ab"]
            if record.event == "tx" and record.length > ACK_MOST]
    ports = collections.Counter(record.flow for record in sent)
    tap.ok(len(ports) == 8 and many["size"] / MSS < len(sent) <= many["packets"],
           "subflows: each sends, and the flow's packets are theirs",
           f"{sorted(ports.values())} of {many['packets']}")
    spines = [name for name, link in result["links"].items()
              if name.startswith("leaf1-spine") and name.endswith(":ab")
              and link["packets"] > PACKETS_OF_ACKS]
    tap.ok(len(spines) > 3, "subflows: over ways of their own", " ".join(spines))
    own = {record.flow for record in trace(result.folder)["h2-leaf1:ab"]
           if record.length > ACK_MOST}
    tap.ok(len(own) == 1 and one["bytes"] == many["bytes"] == many["bytes_acked"],
           "subflows: bytes are the connection's", f"{many['bytes']} of {many['size']}")


def main():
    """All, one after the other."""
    tap = Tap()
    tools = runner.Tools()
    with scratch("flows") as base:
        for check in (check_load, check_many, check_order, check_lasts, check_alone,
                      check_sources, check_calls, check_queued, check_down, check_record,
                      check_losses, check_bursts, check_subflows):
            check(tap, base, tools)
    tap.finish()


if __name__ == "__main__":
    main()
