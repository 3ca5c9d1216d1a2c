#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How flows of the Swift family start: fast where the line is free, and only there.

    alone       one flow on an idle line: its window doubles from ten packets to the
                bandwidth-delay product (BDP), so it ends later than the zero-queue bound by
                what was left of the line meanwhile; without slow_start by as many RTTs as
                the path holds packets
    ring        each host sends to the next, two steps, by ECMP and sprayed: nobody is in
                the way of a sprayed flow
    joins       a second flow on a line that one has filled: its first flight comes back at
                half of the line's rate, and it goes on by additive increase

default_knobs.py says that flows which come late share.
"""

from tap import SEEDS, Tap, by_case, run_all, scenario, spread

FIRST = 10                      # packets
ALONE = """
title $cc alone
set cc mswift
set size 1MB
set rate 10Gbps
set rtt 120us
set mtu 4096B
set slow_start on
topology star hosts=2 rate=$rate rtt=$rtt mtu=$mtu buffer=4bdp
host * knob $cc.slow_start=$slow_start
flow f h1 -> h2 size=$size cc=$cc
stop when=done at=1s
"""
# Gbit/s, us, bytes of an IP packet, message
PATHS = ((10, 120, 4096, 1_000_000), (100, 12, 4096, 1_000_000),
         (25, 240, 1500, 4_000_000), (2.5, 480, 1500, 500_000))
LAWS = ("swift", "lswift", "mswift")
SLACK_RTTS = 0.3                # ACKs for two packets; the last ones of a flight
OFF_TIMES = 1.5                 # what additive increase takes at least, of slow start
RING = {"off": 6.0, "oblivious": 3.2}   # of the bound; without slow start 7.2 and 5.6
JOINS = """
title a second flow of $cc
set cc mswift
set slow_start on
topology star hosts=3 rate=10Gbps rtt=120us mtu=4096B buffer=20bdp ecn=0.5bdp
host * knob $cc.slow_start=$slow_start
flow first h2 -> h1 size=forever cc=$cc
flow second h3 -> h1 size=forever cc=$cc start=24ms jitter=120us
sample every=120us
stop at=26ms
"""
JOIN_NS, JOINED_NS = 24_000_000, 25_200_000     # ten RTTs
JOINS_TIMES = 1.25              # of what additive increase gets through


def alone_sets(cc, path, slow_start):
    """What the scenario is told."""
    gbps, rtt_us, mtu, size = path
    return {"cc": cc, "rate": f"{gbps}Gbps", "rtt": f"{rtt_us}us", "mtu": f"{mtu}B",
            "size": f"{size}B", "slow_start": slow_start}


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
    cases = [(cc, path) for cc in LAWS for path in PATHS]
    runs = {on: run_all([(ALONE, alone_sets(*case, on), 1) for case in cases], tap)
            for on in ("on", "off")}
    for n, (cc, path) in enumerate(cases):
        if not (runs["on"][n] and runs["off"][n]):
            continue
        took, off = (runs[on][n]["flows"]["f"]["fct"] for on in ("on", "off"))
        bound = runs["on"][n]["flows"]["f"]["bound"]
        lost, wanted = (took - bound) / path[1] / 1000, start_rtts(path)
        tap.ok(wanted - SLACK_RTTS <= lost <= wanted + SLACK_RTTS,
               f"{cc} alone, {path[3]} bytes, {path[0]} Gbit/s x {path[1]} us: "
               f"{wanted:.2f} RTTs later than the bound",
               f"{lost:.2f}, {took / bound:.2f} of the bound; by additive increase "
               f"{off / bound:.2f}")
        tap.ok(off >= OFF_TIMES * took, f"{cc}: {OFF_TIMES} times that without slow start")


def check_ring(tap):
    text = "\n".join(line for line in open(scenario("ring"), encoding="ascii")
                     .read().splitlines() if not line.startswith("expect"))
    cases = tuple(RING)
    runs = run_all([(text, {"cc": "mswift", "spray": spray}, seed)
                    for spray in cases for seed in SEEDS], tap)
    for spray, rows in by_case(cases, SEEDS, runs).items():
        mean, words = spread(r["summary"]["cct_inflation"] for r in rows if r)
        tap.ok(mean <= RING[spray], f"ring, spray={spray}: at most {RING[spray]} of the bound",
               words)


def got(result, flows, links):
    return flows["second"].grown(JOIN_NS, JOINED_NS, "bytes_received")


def check_joins(tap):
    cases = [(cc, on) for cc in LAWS for on in ("on", "off")]
    runs = run_all([(JOINS, {"cc": cc, "slow_start": on}, seed)
                    for cc, on in cases for seed in SEEDS], tap, got)
    rows = {case: spread(r.measured / 1000 for r in rows if r)
            for case, rows in by_case(cases, SEEDS, runs).items()}
    for cc in LAWS:
        (mean, words), (off, off_words) = rows[cc, "on"], rows[cc, "off"]
        tap.ok(mean <= JOINS_TIMES * off,
               f"{cc} joins another: at most {JOINS_TIMES} of additive increase in ten RTTs",
               f"{words} KB, {off_words} KB")


def main():
    tap = Tap()
    check_alone(tap)
    check_ring(tap)
    check_joins(tap)
    tap.finish()


if __name__ == "__main__":
    main()
