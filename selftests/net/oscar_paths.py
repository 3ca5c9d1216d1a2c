#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""oscar on more than one bottleneck, on ways of different length, and sprayed.

    parking lot     flow 3 shares one bottleneck with flow 1, another one with flow 2, and
                    passes four links to their three: 73.5, 73.5 and 25 % of the line, the
                    paper's (A.2), within 3 points. From the algorithm: flow 1 has a BDP in flight,
                    r1 = 1 / (1 + q); flow 3 is on target, 4/3 + 2 q = 1.5 4/3, so q = 1/3
    RTT fairness    a flow of 40 us beside one of 100 to 1000 us, ten times the paper's
                    (figure 13): the longer one's rate over the other's. With the paper's
                    D_target, 1.5 base RTTs, the short one is on target at a queue of 20 us;
                    the long one, at its largest window, has L / 20 times as much or more.
                    With the same queue for both (target_queue_ns) the algorithm's rates are equal:
                    asserted to a factor, and to be nearer to equal than swift's
    spraying        four flows over four ways, one of which has half the speed for 2 ms
                    (figure 14). With reps, which leaves labels that are late, all of what is
                    left, 7/8 of the line, is used, and all of the line after it: 95 % of both
                    within the paper's 2.1 base RTTs. mixed, oblivious, swift, mswift are told
    slow            the same, oblivious, and slow for good: a flow has what its slowest way
                    has, half of the line. The mean over four ways is D_target when the queue
                    there is 240 us, a BDP: it stays below two

Base RTT 120 us if nothing else is said, ten times the paper's, and so is eps.
"""

import math
import statistics

from tap import SEEDS, by_case, run_all, run_parts, spread

RTT_NS = 120_000
STEP_NS = 10_000
PARTS, POINTS = {"f1": 0.735, "f2": 0.735, "f3": 0.25}, 0.03
SHORT_US, LONG_US, FACTOR = 40, (100, 200, 400, 1000), 3
QUEUE_NS = 60_000                       # the paper's, ten times as long
FAIR = {"oscar": ("oscar", 0), "oscar, one queue": ("oscar", QUEUE_NS), "swift": ("swift", 0)}
STEERED = tuple((alg, selector) for alg in ("oscar", "swift", "mswift")
                for selector in ("reps", "mixed", "oblivious"))
LEFT, BACK_RTTS = 7 / 8, 2.1
HALF, OFF, QUEUE_BYTES = 0.5, 0.05, 2 * 150_000
SETTLED_NS, SETTLED_STOP_NS = 18_000_000, 48_000_000
SLOW_NS, FAST_NS, STOP_NS = 8_000_000, 10_000_000, 14_000_000
LINES = 4                               # spines, and flows
NEAR = 0.95

PARKING = """
title parking lot
topology leafspine leaves=3 spines=1 hosts=2 rate=100Gbps rtt=120us mtu=9000B buffer=64bdp nic=ideal
link h2-leaf1 delay+=20us
host * receiver ideal
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
host h2 knob oscar.base_rtt_ns=160000
flow f1 h1 -> h3 size=forever cc=oscar warm=1ms jitter=240us
flow f2 h4 -> h6 size=forever cc=oscar warm=1ms jitter=240us
flow f3 h2 -> h5 size=forever cc=oscar warm=1ms jitter=240us
sample every=1ms
stop at=51ms
expect rto == 0
expect drops == 0
"""

FAIRNESS = """
title a short and a long way
set cc oscar
set long 100
set more 0
set queue 0
topology star hosts=3 rate=10Gbps rtt=40us mtu=1280B buffer=64bdp nic=ideal
link h3-s delay+=${more}ns
host * receiver ideal
host * knob oscar.eps_ns=10000 oscar.target_queue_ns=$queue
host h2 knob oscar.base_rtt_ns=40000
host h3 knob oscar.base_rtt_ns=${long}000
flow short h2 -> h1 size=forever cc=$cc warm=3ms jitter=1ms
flow long h3 -> h1 size=forever cc=$cc warm=3ms jitter=1ms
sample every=1ms
stop at=81ms
expect rto == 0
expect drops == 0
"""

SPRAYED = f"""
title one of four spines has half the speed for a while
set cc oscar
set selector oblivious
set fast {FAST_NS}
set stop {STOP_NS}
topology leafspine leaves=2 spines={LINES} hosts={LINES} rate=10Gbps rtt=120us mtu=1280B buffer=64bdp nic=ideal
host * receiver ideal
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
host * knob $cc.spray=$selector $cc.spray_paths=64
flow f h[1-4] -> h[5-8] count=4 size=forever cc=$cc warm=1ms
sample every={STEP_NS}ns
stop at=${{stop}}ns
at {SLOW_NS}ns link leaf2-spine1 rate=5Gbps
at ${{fast}}ns link leaf2-spine1 rate=10Gbps
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


def until(links, start, end, wanted):
    """Base RTTs from start until a base RTT in which so many bytes are received."""
    return next(((at - start) / RTT_NS for at in range(start, end - RTT_NS, STEP_NS)
                 if received(links, at, at + RTT_NS) >= wanted), float("inf"))


def changes(_result, _flows, links):
    """Parts of the line before and at the end of the slow time, base RTTs until 95 % of what
    is left, and until 95 % of all, bytes in the slow way's queue at the end."""
    before, slow = (received(links, end - 1_000_000, end) / (1e6 * LINES * 10 / 8)
                    for end in (SLOW_NS, FAST_NS))
    wanted = NEAR * before * LINES * 10 / 8 * RTT_NS
    return (before, slow, until(links, SLOW_NS, FAST_NS, LEFT * wanted),
            until(links, FAST_NS, STOP_NS, wanted),
            links["leaf2-spine1:ba"].at(FAST_NS, "queue"))


def fairness(tap):
    """The longer flow's share by algorithm and length, for Documentation/oscar-rtt.gp."""
    cases = [(name, long) for name in FAIR for long in LONG_US]
    jobs = [(FAIRNESS, {"cc": FAIR[name][0], "queue": FAIR[name][1], "long": long,
                        "more": (long - SHORT_US) * 500}, seed)
            for name, long in cases for seed in SEEDS]
    found = {case: [row.measured for row in rows if row]
             for case, rows in by_case(cases, SEEDS, run_all(jobs, tap, long_part)).items()}
    for (name, long), ratios in found.items():
        tap.say(f"fairness {long} {statistics.fmean(ratios):.3f} {min(ratios):.3f} "
                f"{max(ratios):.3f} {name}")

    def off(name):
        """How far from equal, the mean of all: a factor's logarithm."""
        return statistics.fmean(abs(math.log(ratio)) for long in LONG_US
                                for ratio in found[name, long])
    same = [ratio for long in LONG_US for ratio in found["oscar, one queue", long]]
    tap.ok(max(same) <= FACTOR and min(same) >= 1 / FACTOR, "one queue for all: the rates of"
           f" ways that differ 2.5 to 25 times are equal to a factor of {FACTOR}",
           f"{min(same):.2f} to {max(same):.2f}")
    tap.ok(off("oscar, one queue") < off("swift"), "which is nearer to equal than swift's",
           ", ".join(f"{name} {math.exp(off(name)):.2f}" for name in FAIR))


def spraying(tap):
    """A way at half its speed for a while."""
    jobs = [(SPRAYED, {"cc": alg, "selector": selector}, seed)
            for alg, selector in STEERED for seed in SEEDS]
    found = {case: [row.measured for row in rows if row]
             for case, rows in by_case(STEERED, SEEDS, run_all(jobs, tap, changes)).items()}
    for (alg, selector), rows in found.items():
        for row in rows:
            tap.say(f"{alg}, {selector}: of the line before %.3f, while slow %.3f; base RTTs until"
                    " 95 %% of what is left %.1f, of all %.1f; queued %d B" % row)
    for column, what in ((2, "of what is left when a way slows down"),
                         (3, "of the line when it has its speed again")):
        times = [row[column] for row in found["oscar", "reps"]]
        tap.ok(max(times) <= BACK_RTTS, f"reps: 95 % {what} within {BACK_RTTS} base RTTs",
               " ".join(f"{rtts:.1f}" for rtts in times))


def settled(_result, _flows, links):
    """Part of the line, and the slow way's mean queue, bytes."""
    took = SETTLED_STOP_NS - SETTLED_NS
    queue = links["leaf2-spine1:ba"].grown(SETTLED_NS, SETTLED_STOP_NS, "queue_byte_ns")
    return received(links, SETTLED_NS, SETTLED_STOP_NS) / (took * LINES * 10 / 8), queue / took


def slow(tap):
    """A way that stays at half its speed, and nobody leaves it."""
    sets = {"fast": SETTLED_STOP_NS, "stop": SETTLED_STOP_NS + 1_000_000}
    jobs = [(SPRAYED, sets, seed) for seed in SEEDS]
    rows = [row.measured for row in run_all(jobs, tap, settled) if row]
    tap.ok(max(abs(row[0] - HALF) for row in rows) <= OFF, "oblivious, a way has half its speed:"
           " so have the flows", spread(row[0] for row in rows)[1])
    tap.ok(max(row[1] for row in rows) <= QUEUE_BYTES, "oblivious: the queue there stays within"
           " two BDP", spread(row[1] for row in rows)[1] + " B")


def parking(tap):
    """Who has how much of two bottlenecks."""
    rows = [row.measured for row in
            run_all([(PARKING, {}, seed) for seed in SEEDS], tap, parts) if row]
    for name, part in PARTS.items():
        mean, text = spread(row[name] for row in rows)
        tap.ok(abs(mean - part) <= POINTS, f"parking lot: {name} has {part:.1%} of the line"
               f" within {POINTS * 100:.0f} points", text)


if __name__ == "__main__":
    run_parts({"parking": parking, "fairness": fairness, "spraying": spraying, "slow": slow})
