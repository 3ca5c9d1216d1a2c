#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""NSCC where the switch drops, but does not mark: the delay stands in for the mark.

    h2..h5  24 us \\
    h6..h9 240 us  -> h1   500 KB of buffer, R set to 240 us, wrong for half of the flows

ECN is negotiated, so by the reference's rules a long delay only means that the queue goes
down, and nothing but losses cuts the window: 47,000 to 72,000 packets are dropped in this
second, a sixth of what arrives.
"""

from labkit import run, runner, scratch
from tap import SEEDS, Tap

ALGORITHMS = ("nscc", "mnscc")
UNMARKED_SEEDS = (1, 2, 3, 6, 7)[:len(SEEDS)]
SLOWEST_BPS = 250e6             # of 10 Gbit/s for eight flows
MOST_DROPS = 1000

UNMARKED = """
title four flows of 24 us, four of 240 us, no marks
set cc nscc
topology star hosts=9 rate=10Gbps delay=1us mtu=4096B buffer=500KB nic=ideal
link h1-s ecn=0 delay=1us buffer=500KB
link h[2-5]-s delay=5us buffer=100MB ecn=0
link h[6-9]-s delay=113us buffer=100MB ecn=0
host * knob $cc.network_rtt_ns=240000
flow near h[2-5] -> h1 size=forever cc=$cc jitter=100us
flow far h[6-9] -> h1 size=forever cc=$cc jitter=100us
stop at=1s
"""


def check(tap, algorithm, seed, folder, tools):
    """Does every flow get along?"""
    result = run(UNMARKED, folder, tools, seed=seed, sets={"cc": algorithm})
    slowest = min(flow["goodput"] for flow in result["flows"].values())
    drops = result["summary"]["drops"]
    tap.ok(slowest >= SLOWEST_BPS and drops <= MOST_DROPS,
           f"{algorithm}, seed {seed}, no marks: slowest flow at least"
           f" {SLOWEST_BPS / 1e6:.0f} Mbit/s, at most {MOST_DROPS} drops",
           f"{slowest / 1e6:.1f} Mbit/s, {drops} drops")


def main():
    """Both algorithms, some seeds."""
    tap, tools = Tap(), runner.Tools()
    with scratch("unmarked") as base:
        for algorithm in ALGORITHMS:
            for seed in UNMARKED_SEEDS:
                check(tap, algorithm, seed, f"{base}/{algorithm}{seed}", tools)
    tap.finish()


if __name__ == "__main__":
    main()
