#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""nscc and mnscc among their own kind, the target they keep, cubic beside them.

target.lab: 10 Gbps and 120 us are 100 Gbps and 12 us ten times slower, so a
target of 3 to 9 us is one of 30 to 90 us here. The flows know their base RTT.
"""

from tap import SCENARIOS, SEEDS, Tap, by_case, run_all, scenario, spread
from lablib.expect import jain  # found by way of tap

PACKET_US = 4096 * 8 / 10e9 * 1e6
BASE_US = 120
COUNTS = (8, 32, 128)
TARGETS_US = (30, 50, 70, 90)
SWEEP_FLOWS = 2
# An additive 0.15 packets a base RTT against a fair share of 9 and a cut in
# proportion: 62 base RTTs bring two windows a factor e nearer
SHARING_TIME, SWEEP_TIME = "200ms", "100ms"     # their second halves are measured
SHARING = [(cc, n) for cc in ("nscc", "mnscc") for n in COUNTS]
SWEEP = [(cc, target) for cc in ("nscc", "mnscc") for target in TARGETS_US]
BESIDE = ("nscc", "mnscc")
# cubic without ECN, as Linux has it by default, in a buffer of 4 BDP
CUBIC = (SCENARIOS / "target.lab").read_text("ascii").replace(
    "buffer=32bdp", "buffer=4bdp").replace(
    "stop at", "flow other a* -> b* count=$n size=forever cc=cubic\nstop at").replace(
    "expect flow * cc", "expect flow f.* cc")


def measure(result, flows, links):
    """Bytes each flow delivered in the run's second half, the shared link's wait, us."""
    end = result["summary"]["virtual_time"]
    start = end // 2
    link = links["path1:ab"]
    return {"bytes": {name: track.grown(start, end, "bytes_received")
                      for name, track in flows.items()},
            "wait": link.grown(start, end, "wait_ns_sum")
            / max(link.grown(start, end, "tx_packets"), 1) / 1e3}


def band(target):
    """The mean wait that the law allows around a target, us.

    Above: the average that must pass the target follows with a gain of 1/80, an
    ACK covers two packets, and meanwhile each flow adds eta = 0.15 packets a
    base RTT: the queue is that much longer when the decreases start. Below: the
    average is as late on the way down, so as much is cut again.
    """
    lag_us = 80 * 2 * SWEEP_FLOWS * PACKET_US
    overshoot = 0.15 * SWEEP_FLOWS * PACKET_US * lag_us / BASE_US
    return target - overshoot, target + overshoot


def check_sharing(tap, runs):
    for (cc, n), rows in runs.items():
        fair = [jain(r.measured["bytes"].values()) for r in rows]
        tap.ok(min(fair) >= 0.98, f"{cc}, {n} flows: Jain >= 0.98 from 100 ms on",
               f"{spread(fair)[1]}, wait {spread(r.measured['wait'] for r in rows)[1]}"
               f" us, retransmissions {spread(r['summary']['retrans'] for r in rows)[1]}")


def check_sweep(tap, runs):
    for cc in ("nscc", "mnscc"):
        waits = []
        for target in TARGETS_US:
            wait, text = spread(r.measured["wait"] for r in runs[cc, target])
            low, high = band(target)
            waits.append(wait)
            tap.ok(low <= wait <= high, f"{cc}, target {target} us: mean wait"
                   f" within {low:.0f} to {high:.0f} us", text)
        tap.ok(waits == sorted(waits), f"{cc}: the wait grows with the target",
               " ".join(f"{wait:.1f}" for wait in waits))


def show_beside(tap, runs):
    for cc, rows in runs.items():
        shares = []
        for r in rows:
            bytes_of = r.measured["bytes"]
            shares.append(sum(v for name, v in bytes_of.items() if name.startswith("f."))
                          / sum(bytes_of.values()))
        tap.say(f"{cc}, 4 flows beside 4 of cubic without ECN: share {spread(shares)[1]}")


def main():
    tap = Tap()
    path = scenario("target")
    jobs = [(path, {"cc": cc, "n": str(n), "target_ns": "120000", "every": "5ms",
                    "time": SHARING_TIME}, seed)
            for cc, n in SHARING for seed in SEEDS]
    jobs += [(path, {"cc": cc, "n": str(SWEEP_FLOWS), "target_ns": f"{target}000",
                     "every": "5ms", "time": SWEEP_TIME}, seed)
             for cc, target in SWEEP for seed in SEEDS]
    jobs += [(CUBIC, {"cc": cc, "n": "4", "target_ns": "120000", "every": "5ms"}, seed)
             for cc in BESIDE for seed in SEEDS]
    results = run_all(jobs, tap, measure)
    if None in results:
        tap.finish()
    first, second = len(SHARING) * len(SEEDS), len(SWEEP) * len(SEEDS)
    check_sharing(tap, by_case(SHARING, SEEDS, results[:first]))
    check_sweep(tap, by_case(SWEEP, SEEDS, results[first:first + second]))
    show_beside(tap, by_case(BESIDE, SEEDS, results[first + second:]))
    tap.finish()


if __name__ == "__main__":
    main()
