#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Where oscar's queue settles: n flows on one link of 10 Gbit/s and 120 us (BDP 150 KB,
as 100 Gbit/s and 12 us have it), packets of 1.2 KB. How the line is shared is told.

D_target is 1.5 base RTTs, a queue of half a BDP. The hosts know the base RTT
(base_rtt_ns): flows start into the queues of others.

With sync_reference off, each decision is multiplied onto what is in flight now
instead of what was when the packets left: the paper's overreaction (4.1.2).
"""

from statistics import pstdev

from tap import SEEDS, Tap, run_all, spread
from lablib.expect import jain  # found by way of tap

RTT_NS = 120_000
LINE = 10e9 / 8 / 1e9                   # bytes/ns
TARGET = 0.5 * RTT_NS * LINE            # bytes
SETTLED_NS = 10_000_000
NEAR = 0.10
FLOWS = (2, 4, 8)
UNSYNCED = 8                            # flows
OVERREACTION = 2                        # times as large swings of the queue

TEXT = """
title oscar: the queue of $n flows
set n 2
set sync on
topology star hosts=9 rate=10Gbps rtt=120us mtu=1280B buffer=64bdp nic=ideal
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000 oscar.sync_reference=$sync
flow f h[2-9] -> h1 count=$n size=forever cc=oscar warm=1ms jitter=2ms
sample every=10us
stop at=30ms
expect rto == 0
expect drops == 0
"""


def measure(result, flows, links):
    """The shared link's queue, bytes, mean and standard deviation, and the flows'
    Jain index, once settled."""
    end, link = result["summary"]["virtual_time"], links["h1-s:ba"]
    queue = link.grown(SETTLED_NS, end, "queue_byte_ns") / (end - SETTLED_NS)
    swings = pstdev(link.within(SETTLED_NS, end, "queue"))
    return queue, swings, jain([track.grown(SETTLED_NS, end, "bytes_received")
                                for track in flows.values()])


def runs(tap, n, sync="on"):
    """What was measured with so many flows, by seed."""
    jobs = [(TEXT, {"n": n, "sync": sync}, seed) for seed in SEEDS]
    return [row.measured for row in run_all(jobs, tap, measure) if row]


def main():
    """One case for each number of flows, and the ablation."""
    tap = Tap()
    for n in FLOWS:
        rows = runs(tap, n)
        mean, text = spread(queue for queue, _, _ in rows)
        tap.ok(abs(mean - TARGET) <= NEAR * TARGET, f"{n} flows: the queue settles at"
               f" {TARGET:.0f} bytes within {NEAR:.0%}", text)
        tap.say(f"{n} flows: Jain {spread(index for _, _, index in rows)[1]}"
                " from 10 to 30 ms")
    synced, text = spread(swings for _, swings, _ in runs(tap, UNSYNCED))
    other, other_text = spread(swings for _, swings, _ in runs(tap, UNSYNCED, sync="off"))
    tap.ok(other >= OVERREACTION * synced, f"{UNSYNCED} flows: without sync_reference the"
           f" queue swings {OVERREACTION} times as far at least", f"{other_text} bytes"
           f" against {text}")
    tap.finish()


if __name__ == "__main__":
    main()
