#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""prioplus: 300 flows of one priority at once (the paper's figure 10b), and a transfer that
is held for a minute.

    incast   10 Gbit/s and 120 us, 100 Gbit/s and 12 us ten times as slow, channels ten times
             as wide: the delay stays at D_limit; without an estimate of #flow it does not
    held     20 MB, held for 60 s on 100 Mbit/s and 12 ms, arrive whole; with --full only, or
             by name

One seed, and the estimate only; --full has five, and both.
"""

import sys

from tap import SEEDS, Tap, run_all, spread

RATE = 1.25                             # bytes/ns on the wire
CORE = "path1:ab"

HEAD = """
topology paths n=1 hosts=$hosts rate=10Gbps rtt=120us mtu=1280B buffer=0
host * receiver ideal
host * knob prioplus.base_rtt_ns=120000 prioplus.eps_ns=10000
host * knob prioplus.channel_fluct_ns=32000 prioplus.channel_noise_ns=8000
expect rto == 0
"""


def scenario(title, hosts, *lines):
    """A scenario's text."""
    return "\n".join([f"title prioplus: {title}", HEAD.replace("$hosts", str(hosts)), *lines])


def group(prio, count, start_us=0, lasts_us=0, jitter_us=100):
    """Flows of one priority, 1 to 8."""
    return (f"flow p{prio} a* -> b1 count={count} size=forever cc=prioplus prio={prio - 1}"
            f" jitter={jitter_us}us start={start_us}us"
            + (f" lasts={lasts_us}us" if lasts_us else ""))


def queue_ns(links, start, end):
    """The line's queue at the samples of a time, as a delay."""
    return [size / RATE for size in links[CORE].within(start, end, "queue")]


# --- incast -----------------------------------------------------------------------------

def incast_measure(_result, _flows, links):
    """From 20 ms on: part of the samples beyond D_limit, the longest delay, the load."""
    waits = queue_ns(links, 20_000_000, 40_000_000)
    limit = 5 * 40_000 + 24_000
    return sum(wait > limit for wait in waits) / len(waits), max(waits) / limit, \
        links[CORE].grown(20_000_000, 40_000_000, "tx_bytes") / RATE / 20_000_000


def incast(tap, full):
    """Figure 10b: 300 flows of priority 5, D_target 200 us, D_limit 224 us above base."""
    for knob in ("on", "off") if full else ("on",):
        text = scenario("300 flows of one priority", 30, f"host * knob prioplus.cardinality={knob}",
                        group(5, 300, jitter_us=10), "sample every=20us", "stop at=40ms")
        beyond, most, load = zip(*runs(tap, text, full, incast_measure))
        name = f"incast, cardinality={knob}"
        detail = f"{spread(beyond)[1]}; longest delay / D_limit {spread(most)[1]}; load {spread(load)[1]}"
        if knob == "on":
            tap.ok(max(beyond) <= .01, f"{name}: beyond D_limit 1 % of the time at most", detail)
        else:
            tap.ok(min(beyond) >= .05, f"{name}: 5 % of the time and more", detail)


# --- held -------------------------------------------------------------------------------

HELD = """
title prioplus: 20 MB held for a minute
topology paths n=1 hosts=2 rate=100Mbps rtt=12ms mtu=1280B buffer=0
host * receiver ideal
host * knob prioplus.base_rtt_ns=12000000 prioplus.eps_ns=1000000
host * knob prioplus.channel_fluct_ns=3200000 prioplus.channel_noise_ns=800000
flow p8 a1 -> b1 count=2 size=forever cc=prioplus prio=7 lasts=61s
flow p1 a2 -> b1 size=20MB cc=prioplus prio=0 start=1s
sample every=10ms
stop at=66s
expect rto == 0
expect drops == 0
"""


def held_measure(_result, flows, _links):
    """Bytes until the end of the hold, and at the end."""
    track = next(t for name, t in flows.items() if name.startswith("p1"))
    return track.at(61_000_000_000, "bytes_received"), track.rows[-1]["bytes_received"]


def held(tap, full):
    """Nothing is lost by waiting."""
    early, late = zip(*runs(tap, HELD, full, held_measure))
    tap.ok(max(early) <= 200_000, "held for 60 s: at most 200 kB of it went meanwhile", spread(early)[1])
    tap.ok(min(late) == max(late) == 20_000_000, "and then all 20 MB", spread(late)[1])


def runs(tap, text, full, measure):
    """What was measured, seed by seed."""
    found = run_all([(text, {}, seed) for seed in (SEEDS if full else SEEDS[:1])], tap, measure)
    return [row.measured for row in found if row]


def main():
    """The cases named, or all."""
    cases = {case.__name__: case for case in (incast, held)}
    words = [word for word in sys.argv[1:] if word != "--full"]
    full = "--full" in sys.argv[1:]
    tap = Tap()
    for name in words or (cases if full else ["incast"]):
        cases[name](tap, full)
    tap.finish()


if __name__ == "__main__":
    main()
