#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""oscar's gradient where it is known: the paper's testbed pattern, on the lab's links.

A constant flow of 20 Gbit/s beside 40, 20 and 0 Gbit/s for 500 us each, on a line of 40:
the queue grows, stands and falls with gradients of .5, 0 and -.5. The delays of the
constant flow, which the kernel recorded, are cut into batches as the algorithm does, and the slope
of each is compared with that: least squares, which common/math/dcc_lsq.h computes to a part in
10^9 (selftests/unit/test_dcc_lsq.c). The paper's hosts have a mean squared error of .0058,
and .079 with delays that are divided and smoothed (TIMELY, weight 0.2), computed here, too.
"""
import random
import statistics

from labkit import acks, run, runner, scratch
from tap import Tap

PATTERN = """
topology star hosts=4 rate=40Gbps rtt=12us mtu=1500B buffer=64MB nic=ideal
link h[234]-s rate=400Gbps
host * receiver ideal
host * route initcwnd=4000
host * knob mswift.base_target_us=1000000 mswift.init_cwnd=2000 mswift.slow_start=off
host * knob mswift.drain_rtts=0 mswift.pacing_percent=100
default warm=1ms size=forever
flow constant h2 -> h1 cc=mswift maxrate=19040Mbps
flow more h3 -> h1 cc=reno rate=19040Mbps write=1428B on=1ms off=500us start=1ms
flow most h4 -> h1 cc=reno rate=19040Mbps write=1428B on=500us off=1ms start=1ms
record constant
stop at=16ms
"""
START_NS, PHASE_NS, SETTLED_NS = 1_000_000, 500_000, 2_500_000
TRUTH = (0.5, 0.0, -0.5)
PAPER = 0.0058
WEIGHT = 0.2
TAU_NS, LEAST = 6000, 3          # half of the base RTT; packets


def truth(sent):
    """The queue's growth when a packet was sent."""
    return TRUTH[(sent - START_NS) // PHASE_NS % len(TRUTH)]


def batches(rows):
    """(sent, slope) of each batch as the algorithm closes it: least squares over tau and more."""
    found, batch = [], []
    for sent, delay in rows:
        batch.append((sent, delay))
        if sent - batch[0][0] > TAU_NS and len(batch) >= LEAST:
            found.append((sent, statistics.linear_regression(*zip(*batch)).slope))
            batch = []
    return found


def smoothed(rows):
    """(sent, gradient) after each packet, divided and smoothed."""
    found, gradient = [], 0.0
    for (x0, y0), (x1, y1) in zip(rows, rows[1:]):
        if x1 > x0:
            gradient += WEIGHT * ((y1 - y0) / (x1 - x0) - gradient)
        found.append((x1, gradient))
    return found


def error(found):
    """Mean squared, once all are there."""
    return statistics.mean((gradient - truth(sent)) ** 2 for sent, gradient in found
                           if sent >= SETTLED_NS)


def main():
    """Without noise, and with a host's."""
    tap, tools = Tap(), runner.Tools()
    with scratch("gradient") as base:
        result = run(PATTERN, f"{base}/run", tools)
        rows = [(row["sent"], row["rtt"]) for row in acks(result.folder)["constant"] if row["rtt"]]
    tap.ok(not result["problems"] and not result["summary"]["drops"] and len(rows) > 20_000,
           "the pattern is there", f"{len(rows)} delays")
    for noise in (0, 500, 1000):
        rng = random.Random(noise)
        seen = [(sent, delay + rng.randint(-noise, noise)) for sent, delay in rows]
        alg, naive = batches(seen), error(smoothed(seen))
        text = f"{error(alg):.4f} in {len(alg)} batches; divided and smoothed {naive:.4f}"
        if noise == 0:
            tap.ok(error(alg) <= PAPER and len(alg) > 1000, f"mean squared error at most {PAPER}",
                   text)
        else:
            tap.ok(error(alg) < naive, f"delays +-{noise} ns: less than divided and smoothed", text)
    tap.finish()


if __name__ == "__main__":
    main()
