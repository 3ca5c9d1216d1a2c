#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How flows start: fast where the line is free, and only there.

    alone       one flow on an idle line: its window doubles from ten packets to the
                bandwidth-delay product (BDP), so it ends later than the zero-queue bound by
                what was left of the line meanwhile; without slow_start by as many RTTs as
                the path holds packets (the Swift family, ledbat). oscar's second flight is
                a BDP: what the first left of the line is all it loses, but for the growth of
                the receiver's window, which is whole here, and the min-RTT probe after eight RTTs
    ring        each host sends to the next, two steps, by ECMP and sprayed: nobody is in
                the way of a sprayed flow
    joins       a second flow on a line that one has filled: its first flight comes back at
                half of the line's rate, and it goes on by its own growth

default_knobs.py says that flows which come late share.
"""

from tap import ALL_SEEDS, SEEDS, Tap, by_case, run_all, scenario, spread

FIRST = 10                      # packets
ALONE = """
title $cc alone
set cc mswift
set size 1MB
set rate 10Gbps
set rtt 120us
set mtu 4096B
set knob slow_start=on
topology star hosts=2 rate=$rate rtt=$rtt mtu=$mtu buffer=4bdp nic=ideal
host * knob $cc.$knob
flow f h1 -> h2 size=$size cc=$cc
stop when=done at=1s
"""
# Gbit/s, us, bytes of an IP packet, message
PATHS = ((10, 120, 4096, 1_000_000), (100, 12, 4096, 1_000_000),
         (25, 240, 1500, 4_000_000), (2.5, 480, 1500, 500_000))
# What the algorithm's own growth takes at least, of slow start.
ALGS = {"swift": 1.5, "lswift": 1.5, "mswift": 1.5, "nscc": 1.1, "mnscc": 1.1, "ledbat": 1.5}
DOUBLING = ("swift", "lswift", "mswift", "ledbat")  # nscc's own steps may be larger
# ledbat has no knob for it: who tells its first window tells it not to double.
TOLD = {("ledbat", "on"): "init_cwnd=0", ("ledbat", "off"): "init_cwnd=10"}
LONG = 4_000_000                # bytes, 27 RTTs: oscar's min-RTT probe is in it, if there is one
DRAIN_RTTS = 0.15                 # what that takes
OSCAR_RTTS = 0.4                # later without solo_start, at least
SLACK_RTTS = 0.3                # ACKs for two packets; the last ones of a flight
# Of the bound; without slow start mswift has 7.2 and 5.6. nscc, whose increase is per R, has 3.4
# and 1.9 with it.
RING = {("mswift", "off"): 6.0, ("mswift", "oblivious"): 2.4,
        ("nscc", "off"): 4.2, ("nscc", "oblivious"): 2.3}
JOINS = """
title a second flow of $cc
set cc mswift
set knob slow_start=on
topology star hosts=3 rate=10Gbps rtt=120us mtu=4096B buffer=20bdp ecn=0.5bdp nic=ideal
host * knob $cc.$knob
flow first h2 -> h1 size=forever cc=$cc
flow second h3 -> h1 size=forever cc=$cc start=24ms jitter=120us
sample every=120us
stop at=26ms
"""
JOIN_NS, JOINED_NS = 24_000_000, 25_200_000     # ten RTTs
JOINS_TIMES = 1.25              # of what additive increase gets through


def knob(cc, slow_start):
    """What makes an algorithm's flows double at first, or not."""
    return TOLD.get((cc, slow_start), f"slow_start={slow_start}")


def alone_sets(cc, path, slow_start):
    """What the scenario is told."""
    gbps, rtt_us, mtu, size = path
    return {"cc": cc, "rate": f"{gbps}Gbps", "rtt": f"{rtt_us}us", "mtu": f"{mtu}B",
            "size": f"{size}B", "knob": knob(cc, slow_start)}


def start_rtts(path):
    """RTTs that doubling leaves unused, by arithmetic."""
    gbps, rtt_us, mtu, _ = path
    bdp = gbps * 1000 * rtt_us / 8 / mtu
    unused, window = 0.0, FIRST
    while window < bdp:
        unused += 1 - window / bdp
        window *= 2
    return unused


def check_alone(tap):
    cases = [(cc, path) for cc in ALGS for path in PATHS]
    runs = {on: run_all([(ALONE, alone_sets(*case, on), 1) for case in cases], tap)
            for on in ("on", "off")}
    for n, (cc, path) in enumerate(cases):
        if not (runs["on"][n] and runs["off"][n]):
            continue
        took, off = (runs[on][n]["flows"]["f"]["fct"] for on in ("on", "off"))
        bound = runs["on"][n]["flows"]["f"]["bound"]
        lost, wanted = (took - bound) / path[1] / 1000, start_rtts(path)
        least = wanted - SLACK_RTTS if cc in DOUBLING else 0
        tap.ok(least <= lost <= wanted + SLACK_RTTS,
               f"{cc} alone, {path[3]} bytes, {path[0]} Gbit/s x {path[1]} us: "
               f"{'' if least else 'at most '}{wanted:.2f} RTTs later than the bound",
               f"{lost:.2f}, {took / bound:.2f} of the bound; by its own growth "
               f"{off / bound:.2f}")
        tap.ok(off >= ALGS[cc] * took, f"{cc}: {ALGS[cc]} times that without slow start")


def oscar_job(path, solo_start):
    """A run of one flow of oscar."""
    text = ALONE + "host * receiver ideal\n"
    return text, {**alone_sets("oscar", path, "on"), "knob": f"solo_start={solo_start}"}, 1


def check_oscar(tap):
    paths = PATHS + tuple((*path[:3], LONG) for path in PATHS[:2])
    runs = {on: run_all([oscar_job(path, on) for path in paths], tap) for on in ("on", "off")}
    for path, on, off in zip(paths, runs["on"], runs["off"]):
        if not (on and off):
            continue
        took, slow = (run["flows"]["f"]["fct"] for run in (on, off))
        bound = on["flows"]["f"]["bound"]
        lost = (took - bound) / path[1] / 1000
        wanted = 1 - FIRST / (path[0] * 1000 * path[1] / 8 / path[2])
        slack = SLACK_RTTS + (DRAIN_RTTS if path[3] == LONG else 0)
        tap.ok(abs(lost - wanted) <= slack,
               f"oscar alone, {path[3]} bytes, {path[0]} Gbit/s x {path[1]} us: "
               f"{wanted:.2f} RTTs later than the bound", f"{lost:.2f}, {took / bound:.2f} of "
               f"the bound; without solo_start {slow / bound:.2f}")
        tap.ok((slow - took) / path[1] / 1000 >= OSCAR_RTTS,
               f"oscar: {OSCAR_RTTS} RTTs later without")


def check_ring(tap):
    text = "\n".join(line for line in open(scenario("ring"), encoding="ascii")
                     .read().splitlines() if not line.startswith("expect"))
    cases = tuple(RING)
    runs = run_all([(text, {"cc": cc, "spray": spray}, seed)
                    for cc, spray in cases for seed in ALL_SEEDS], tap)
    for case, rows in by_case(cases, ALL_SEEDS, runs).items():
        mean, words = spread(r["summary"]["cct_inflation"] for r in rows if r)
        tap.ok(mean <= RING[case], f"ring, {case[0]}, spray={case[1]}: at most {RING[case]} "
               "of the bound", words)


def got(result, flows, links):
    return flows["second"].grown(JOIN_NS, JOINED_NS, "bytes_received")


def check_joins(tap):
    cases = [(cc, on) for cc in ALGS for on in ("on", "off")]
    runs = run_all([(JOINS, {"cc": cc, "knob": knob(cc, on)}, seed)
                    for cc, on in cases for seed in SEEDS], tap, got)
    rows = {case: spread(r.measured / 1000 for r in rows if r)
            for case, rows in by_case(cases, SEEDS, runs).items()}
    for cc in ALGS:
        (mean, words), (off, off_words) = rows[cc, "on"], rows[cc, "off"]
        tap.ok(mean <= JOINS_TIMES * off,
               f"{cc} joins another: at most {JOINS_TIMES} of its own growth in ten RTTs",
               f"{words} KB, {off_words} KB")


def main():
    tap = Tap()
    check_alone(tap)
    check_oscar(tap)
    check_ring(tap)
    check_joins(tap)
    tap.finish()


if __name__ == "__main__":
    main()
