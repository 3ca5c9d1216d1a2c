#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A retransmission timeout takes from NSCC's window all that it gave up.

    h1 ---- s ---- h2      s-h2 goes down for as long as it takes to lose all that
                           is in flight, so that nothing but the timer is left;
                           ACKs still pass, or those lost would look like a
                           timeout that was none (F-RTO)

The stack declares the whole flight lost and sends one packet again. Nothing is
known of the path then: the algorithm's window is what is left of it, one packet at
least, and not the old one less a packet, which would leave as one burst at line
rate as soon as the first packet is acknowledged.
"""

from labkit import run, runner, scratch, trace
from tap import Tap

ALGORITHMS = ("nscc", "mnscc")
SEEDS = (1, 2)
RTT_NS = 120_000
MTU = 4096
LINE_BPS = 10 * 10**9
MAX_WINDOW = 1.5                # the knob max_window: of the BDP
HEADERS = 72 + 4                # data packets are longer than any ACK
DOWN_MS, UP_MS, STOP_MS = 20, 40, 260   # the tail-loss probe, 2 ms on, is lost, too
SILENCE_NS = 100 * 10**6        # what lies between the loss and the timeout
# A window of one packet is carried out by pacing, two more may be in flight:
# dcc_flow.c's SMALL_WINDOW. The timeout's own packet comes on top.
MOST = 1 + 3


def scenario(algorithm):
    """One flow that fills the line; the timer's packet is on its own."""
    return f"""
title {algorithm}: a timeout after a whole window was lost
topology star hosts=2 rate={LINE_BPS}bps rtt={RTT_NS}ns mtu={MTU}B buffer=4bdp nic=ideal
host * knob {algorithm}.network_rtt_ns={RTT_NS}
# what comes after is not the question: by default one ACK may add 40 packets
host * knob {algorithm}.alpha=100 {algorithm}.fi_scale=0
flow f h1 -> h2 size=forever cc={algorithm}
trace h1-s
at {DOWN_MS}ms link h2-s:ba down
at {UP_MS}ms link h2-s:ba up
stop at={STOP_MS}ms
expect flow f rto == 1
"""


def departures(folder):
    """When data packets left the sender, ns."""
    return [record.t for record in trace(folder)["h1-s:ab"]
            if record.event == "tx" and record.length > HEADERS]


def burst(times):
    """Packets of the first two round trips from the timeout on, and before it.

    In the first the timer's packet is alone; the second shows the window.
    """
    start = next(after for before, after in zip(times, times[1:])
                 if after - before > SILENCE_NS)
    lost = sum(DOWN_MS * 10**6 - RTT_NS <= t < start for t in times)
    return sum(start <= t < start + 2 * RTT_NS for t in times), lost


def check(tap, algorithm, seed, folder, tools):
    """One run: how much leaves once the timeout's packet is acknowledged."""
    result = run(scenario(algorithm), folder, tools, seed=seed)
    if result.exit_code:
        tap.ok(False, f"{algorithm}, seed {seed}: one timeout, and no other trouble",
               f"{result['problems']} {result.failed_expects}")
        return
    after, before = burst(departures(folder))
    window = MAX_WINDOW * LINE_BPS * RTT_NS / (8 * 10**9 * MTU)
    tap.ok(after <= MOST, f"{algorithm}, seed {seed}: at most {MOST} packets leave in"
           " the two round trips from the timeout on",
           f"{after}; {before} had left since a round trip before the link went"
           f" down, the largest window is {window:.0f}")


def main():
    """Both algorithms, some seeds."""
    tap, tools = Tap(), runner.Tools()
    with scratch("timeout") as base:
        for algorithm in ALGORITHMS:
            for seed in SEEDS:
                check(tap, algorithm, seed, f"{base}/{algorithm}{seed}", tools)
    tap.finish()


if __name__ == "__main__":
    main()
