#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How many segments may share a label (`spray_segs`)? With offloads on.

Hosts have cards that cut and merge (lab-scenario(5), offload): interrupts come 20 us after
a packet. 10 Gbit/s x 120 us, packets of 1500 bytes, 100 of which are a bandwidth-delay
product, marks from half of one on, buffers of five. Connections are there before, and their
first window is a bandwidth-delay product: a small flow leaves at once, at line rate.

    judge        what costs.md says of a permutation of 1 MB flows: two segments a label cost
                 next to nothing, four little, 44 much
    receiver     one flow over 8 equal paths: packets that the receiver's stack gets as one,
                 and ACKs. A label for each packet: none are merged; for four: three are

Tables, when they are named (minutes each; no verdict):

    permutation  of 16 hosts in a fat-tree: completion time against one label for each packet,
                 the longest queue between switches, packets that arrived out of order,
                 ACKs, and what receivers merge
    incast       15 to 1 in the fat-tree: the same
    elephant     a flow over 16 paths, one of which a cubic flow fills
    alone        one unsprayed flow, its card takes GSO packets of so many segments
    target       the permutation, mswift with the target that 25 us are at 100 Gbit/s x 12 us
"""

import statistics
import sys

from tap import SEEDS, by_case, run_all, run_parts, spread

SEGS = (1, 2, 4, 8, 16, 44, 0)
ALGS = (("mswift", "oblivious"), ("mswift", "reps"), ("nscc", "oblivious"))
SIZES = ("64KB", "1MB", "4MB", "16MB")
DILATED_US = 250                # of a tenth of the speed: 25 us at 100 Gbit/s x 12 us
# the mean FCT against one segment a label, in a permutation of 1 MB flows
LITTLE, SOME, MUCH = 1.05, 1.10, 1.20
FEW, MOST_MERGED = 4, 1.01
GRO = "20us"

HOSTS = f"""
set cc mswift
set spray oblivious
set segs 1
set tso 1
host * offload tso=$tso gro={GRO}
host * route rto_min=5ms initcwnd=100
set more spray_paths=64
host * knob $cc.spray=$spray $cc.spray_segs=$segs $cc.$more
host * sysctl net.ipv4.tcp_ecn=1 net.ipv4.tcp_congestion_control=$cc
"""
FABRIC = HOSTS + """
set size 1MB
topology fattree k=4 rate=10Gbps rtt=120us mtu=1500B buffer=5bdp ecn=0.5bdp nic=ideal
stop when=done at=2s
expect unfinished == 0
"""
PERMUTATION = "title a permutation" + FABRIC + "workload permutation size=$size cc=$cc warm=1ms\n"
INCAST = "title an incast" + FABRIC + "workload incast n=15 to=h1 size=$size cc=$cc warm=1ms\n"
ELEPHANT = "title an elephant on one of 16 paths" + HOSTS + """
topology paths n=16 hosts=2 rate=10Gbps rtt=120us mtu=1500B buffer=4bdp ecn=0.5bdp nic=ideal
link a*-s1 buffer=16bdp
host a1 knob $cc.spray_paths=4096
host a2 offload tso=0
flow elephant a2 -> b2 size=forever cc=cubic
flow f a1 -> b1 size=forever cc=$cc start=5ms
sample every=1ms
stop at=45ms
"""
RECEIVER = "title one flow over 8 paths" + HOSTS + """
topology paths n=8 rate=10Gbps rtt=120us mtu=1500B buffer=8bdp ecn=0.5bdp nic=ideal
flow f a -> b size=8MB cc=$cc warm=1ms
stop when=done at=1s
expect unfinished == 0
"""
ALONE = f"""
title one flow, GSO packets of $segs segments
set cc mswift
set segs 44
topology star hosts=2 rate=10Gbps rtt=120us mtu=1500B ecn=0.5bdp nic=ideal
host * offload tso=1 gro={GRO}
host * run "ip link set dev eth0 gso_max_segs $segs"
host * knob oscar.base_rtt_ns=160000
flow f h1 -> h2 size=forever cc=$cc warm=1ms jitter=1ms
sample every=1ms
stop at=45ms
"""
SIDES = {"permutation": PERMUTATION, "incast": INCAST}


def merged(result):
    """Data packets that a receiving stack got as one; ACKs are never merged."""
    into = [link for link in result["links"].values() if "gro_skbs" in link]
    acks = result["summary"]["acks"]
    return ((sum(link["gro_packets"] for link in into) - acks)
            / max(sum(link["gro_skbs"] for link in into) - acks, 1))


def measure(result, *_):
    """What a run of flows with a size comes to."""
    summary = result["summary"]
    flows = result["flows"].values()
    between = [link["queue.max"] for name, link in result["links"].items()
               if not name.startswith("h")]
    return {"mean": summary["fct.mean"], "p99": summary["fct.p99"],
            "queue": max(between) / 1000,
            "late": sum(flow["ooo"] for flow in flows) / summary["packets"],
            "acks": summary["acks"] / summary["packets"], "merged": merged(result),
            "drops": summary["drops"]}


def mean(rows, what):
    """Of all seeds."""
    return statistics.fmean(row[what] for row in rows)


def against(rows, first, what):
    """The ratio to the first case seed by seed: its mean, and the range."""
    ratios = [row[what] / base[what] for row, base in zip(rows, first)]
    return statistics.fmean(ratios), f"{statistics.fmean(ratios):.2f} ({min(ratios):.2f} to" \
        f" {max(ratios):.2f})"


def sweep(tap, text, cases, how=measure):
    """{case: what was measured, by seed} of (sets, ...) cases."""
    jobs = [(text, dict(sets), seed) for sets in cases for seed in SEEDS]
    return {case: [row.measured for row in rows if row]
            for case, rows in by_case(cases, SEEDS, run_all(jobs, tap, how)).items()}


def head(tap, *columns):
    """The head of a table."""
    tap.say(f"| {' | '.join(columns)} |")
    tap.say("|---" * len(columns) + "|")


def sides(tap, kind, algs, sizes, more=()):
    """A table for one kind of traffic."""
    head(tap, kind, "flows", "`spray_segs`", "FCT mean, to 1", "p99, to 1", "longest queue, KB",
         "out of order", "ACKs per packet", "merged")
    for (cc, spray), size in ((alg, size) for alg in algs for size in sizes):
        cases = [(("cc", cc), ("spray", spray), ("size", size), *more, ("segs", segs))
                 for segs in SEGS]
        found = sweep(tap, SIDES[kind], cases)
        first = found[cases[0]]
        for segs, case in zip(SEGS, cases):
            rows = found[case]
            tap.say(f"| {cc} {spray} | {size} | {segs} |"
                    f" {against(rows, first, 'mean')[1]} | {against(rows, first, 'p99')[1]} |"
                    f" {mean(rows, 'queue'):.0f} | {mean(rows, 'late'):.1%} |"
                    f" {mean(rows, 'acks'):.2f} | {mean(rows, 'merged'):.1f} |")


def share(result, flows, _):
    """What the flow f has of the line, 20 to 45 ms."""
    got = flows["f"].grown(20_000_000, 45_000_000, "bytes_received") * 8 / 25_000_000
    return {"share": got * 1e9 / result["flows"]["f"]["capacity"], "merged": merged(result)}


def elephant(tap):
    """Shares of the line, one of 16 paths held by another flow."""
    head(tap, "elephant", "`spray_segs`", "of the line", "merged")
    for cc, spray in ALGS:
        cases = [(("cc", cc), ("spray", spray), ("segs", segs)) for segs in SEGS]
        for segs, rows in zip(SEGS, sweep(tap, ELEPHANT, cases, share).values()):
            tap.say(f"| {cc} {spray} | {segs} | {spread(row['share'] for row in rows)[1]} |"
                    f" {mean(rows, 'merged'):.1f} |")


def alone(tap):
    """What GSO packets cost a flow that nobody disturbs."""
    head(tap, "alone", "segments", "of the line")
    for cc in ("mswift", "swift", "oscar", "nscc"):
        cases = [(("cc", cc), ("segs", segs)) for segs in SEGS[:-1]]
        for segs, rows in zip(SEGS, sweep(tap, ALONE, cases, share).values()):
            tap.say(f"| {cc} | {segs} | {spread(row['share'] for row in rows)[1]} |")


def receiver(tap):
    """What a receiver's stack gets of one flow."""
    merges = {}
    head(tap, "receiver", "TSO", "`spray_segs`", "packets for the stack as one",
         "ACKs per packet", "Gbit/s")
    for tso, spray, segs in [(0, "off", 1), (0, "oblivious", 1), (1, "off", 1)] + [
            (1, "oblivious", segs) for segs in SEGS]:
        rows = sweep(tap, RECEIVER, [(("tso", tso), ("spray", spray), ("segs", segs))])
        found = next(iter(rows.values()))
        merges[spray, segs] = mean(found, "merged")
        rate = statistics.fmean(8 * 8e6 / row["mean"] for row in found)
        tap.say(f"| {spray} | {'on' if tso else 'off'} | {segs if spray != 'off' else ''} |"
                f" {mean(found, 'merged'):.1f} | {mean(found, 'acks'):.2f} | {rate:.1f} |")


    one, few = merges["oblivious", 1], merges["oblivious", FEW]
    tap.ok(1 <= one <= MOST_MERGED and FEW - 1 <= few <= FEW,
           "a receiver merges no packets of different labels, and those of one",
           f"{one:.2f} for one packet with a label, {few:.2f} for {FEW}")


def judge(tap):
    """The documentation's claims."""
    for cc, spray in (ALGS[0], ALGS[2]):
        cases = [(("cc", cc), ("spray", spray), ("segs", segs)) for segs in (1, 2, FEW, 44)]
        found = list(sweep(tap, PERMUTATION, cases).values())
        two, four, most = ([b["mean"] / a["mean"] for a, b in zip(found[0], rows)]
                           for rows in found[1:])
        tap.ok(max(two) <= LITTLE and max(four) <= SOME and min(most) >= MUCH,
               f"{cc}: two segments a label cost {LITTLE - 1:.0%} at most, {FEW}"
               f" {SOME - 1:.0%}, 44 {MUCH - 1:.0%} at least",
               f"{spread(two)[1]}, {spread(four)[1]}, {spread(most)[1]}")


def target(tap):
    """The permutation of a faster line's target."""
    sides(tap, "permutation", ALGS[:1], SIZES, (("more", f"target_qdelay_us={DILATED_US}"),))


PARTS = {"judge": judge, "receiver": receiver}
TABLES = {"permutation": lambda tap: sides(tap, "permutation", ALGS, SIZES),
          "incast": lambda tap: sides(tap, "incast", (ALGS[0], ALGS[2]), SIZES[:2]),
          "elephant": elephant, "alone": alone, "target": target}

if __name__ == "__main__":
    run_parts({**PARTS, **TABLES} if sys.argv[1:] else PARTS)
