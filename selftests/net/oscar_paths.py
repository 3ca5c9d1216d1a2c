#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""oscar on more than one bottleneck, on ways of different length, and sprayed.

    parking lot     flow 3 shares one bottleneck with flow 1, another one with flow 2:
                    73.5, 25 and 73.5 % of the line, the paper's (A.2), within 3 points
    RTT fairness    a flow of 40 us beside one of 100 to 1000 us, ten times the paper's
                    (figure 13): the longer one's part, swift beside it
    spraying        four flows over four spines, one of which has half the speed for 200
                    us-equivalents (figure 14): at half the rate within 2.1 base RTTs,
                    and back within 2.1

Base RTT 120 us if nothing else is said, ten times the paper's, and so is eps.
"""

from tap import SEEDS, Tap, by_case, run_all, spread

RTT_NS = 120_000
STEP_NS = 10_000
PARTS, POINTS = {"f1": 0.735, "f2": 0.735, "f3": 0.25}, 0.03
LONG_US = (100,)
LAWS = ("oscar", "swift")
FAIR_SEEDS = SEEDS[:2]
SLOW_NS, FAST_NS, WITHIN_RTTS = 8_000_000, 10_000_000, 2.1
LINES = 4                               # spines, and flows
NEAR = 0.95

PARKING = """
title parking lot
topology leafspine leaves=3 spines=1 hosts=2 rate=10Gbps rtt=120us mtu=1280B buffer=64bdp
link h2-leaf1 delay+=20us
host * receiver ideal
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
host h2 knob oscar.base_rtt_ns=160000
flow f1 h1 -> h3 size=forever cc=oscar warm=1ms jitter=240us
flow f2 h4 -> h6 size=forever cc=oscar warm=1ms jitter=240us
flow f3 h2 -> h5 size=forever cc=oscar warm=1ms jitter=240us
sample every=1ms
stop at=50ms
expect rto == 0
expect drops == 0
"""

FAIRNESS = """
title a short and a long way
set cc oscar
set long 100
set more 0
topology star hosts=3 rate=10Gbps rtt=40us mtu=1280B buffer=64bdp
link h3-s delay+=${more}ns
host * receiver ideal
host * knob oscar.eps_ns=10000
host h2 knob oscar.base_rtt_ns=40000
host h3 knob oscar.base_rtt_ns=${long}000
flow short h2 -> h1 size=forever cc=$cc warm=3ms
flow long h3 -> h1 size=forever cc=$cc warm=3ms
sample every=1ms
stop at=80ms
expect rto == 0
expect drops == 0
"""

SPRAYED = f"""
title one of four spines has half the speed for a while
set cc oscar
topology leafspine leaves=2 spines={LINES} hosts={LINES} rate=10Gbps rtt=120us mtu=1280B buffer=64bdp
host * receiver ideal
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
host * knob $cc.spray=oblivious $cc.spray_paths=64
flow f h[1-4] -> h[5-8] count=4 size=forever cc=$cc warm=1ms
sample every={STEP_NS}ns
stop at=14ms
at {SLOW_NS}ns link leaf2-spine1 rate=5Gbps
at {FAST_NS}ns link leaf2-spine1 rate=10Gbps
expect rto == 0
expect drops == 0
"""


def parts(result, flows, links):
    """Each flow's part of what a line can carry, from 20 to 50 ms."""
    payload = result["flows"]["f1"]["capacity"] / 8 / 1e9       # bytes/ns
    return {name: track.grown(20_000_000, 50_000_000, "bytes_received")
            / (30_000_000 * payload) for name, track in flows.items()}


def long_part(result, flows, links):
    """The longer flow's part of the shorter one's rate, from 40 to 80 ms."""
    grown = {name: track.grown(40_000_000, 80_000_000, "bytes_received")
             for name, track in flows.items()}
    return grown["long"] / grown["short"]


def received(links, start, end):
    """Bytes that left the spines for the second leaf."""
    return sum(links[f"leaf2-spine{n + 1}:ba"].grown(start, end, "tx_bytes")
               for n in range(LINES))


def settled(links, start, end, least, most):
    """Base RTTs from `start` until a base RTT's bytes are between two rates."""
    for at in range(start, end - RTT_NS, STEP_NS):
        if least * RTT_NS <= received(links, at, at + RTT_NS) <= most * RTT_NS:
            return (at - start) / RTT_NS
    return float("inf")


def changes(result, flows, links):
    """How long it took after each of the two changes, and before them."""
    line = LINES * 10 / 8                                       # bytes/ns
    return (received(links, SLOW_NS - 2_000_000, SLOW_NS) / 2e6 / line,
            settled(links, SLOW_NS, FAST_NS, 0, line / 2 / NEAR),
            received(links, FAST_NS - 1_000_000, FAST_NS) / 1e6 / line,
            settled(links, FAST_NS, 13_990_000, line * NEAR, line))


def main():
    tap = Tap()
    rows = [row.measured for row in
            run_all([(PARKING, {}, seed) for seed in SEEDS], tap, parts) if row]
    for name, part in PARTS.items():
        mean, text = spread(row[name] for row in rows)
        tap.ok(abs(mean - part) <= POINTS, f"parking lot: {name} has {part:.1%} of the line"
               f" within {POINTS * 100:.0f} points", text)
    cases = [(cc, long) for long in LONG_US for cc in LAWS]
    jobs = [(FAIRNESS, {"cc": cc, "long": long, "more": (long - 40) * 500}, seed)
            for cc, long in cases for seed in FAIR_SEEDS]
    for case, found in by_case(cases, FAIR_SEEDS, run_all(jobs, tap, long_part)).items():
        tap.say(f"{case}: {' '.join('%.4f' % row.measured for row in found if row)}")
    for row in run_all([(SPRAYED, {}, seed) for seed in SEEDS[:2]], tap, changes):
        tap.say(f"{row.measured if row else None}")
    tap.finish()


if __name__ == "__main__":
    main()
