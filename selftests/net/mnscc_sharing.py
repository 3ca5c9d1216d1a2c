#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""nscc and mnscc among their own kind, the target they keep, cubic beside them.

target.lab: 10 Gbps and 120 us are 100 Gbps and 12 us ten times slower, so a
target of 3 to 9 us is one of 30 to 90 us here. The flows know their base RTT.

32 flows have windows of three packets. An ACK is for two; so it is the receiver, not the
algorithm, that decides whether a flow sends two or three in a round trip: the third packet is
acknowledged by itself, or waits for the next round's. Either goes on for a long time, and
which one a flow is in is up to the first packets. So there the algorithm's windows are judged,
and what is carried where an ACK is for each packet.
"""

from statistics import fmean

from labkit import acks
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
THREES = 32                     # as many flows have windows of three packets
HALF = 0.5                      # of the fair share, where three may be 1.5
RECORDED = (SCENARIOS / "target.lab").read_text("ascii") + "record *\n"
IDEAL = RECORDED + "host * receiver ideal\n"
IDEALS = [(cc, THREES) for cc in ("nscc", "mnscc")]
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


def measure_windows(result, flows, links):
    """The same, and the mean of the algorithm's windows in the second half, any unit."""
    half = result["summary"]["virtual_time"] // 2
    windows = [fmean(row["cwnd"] for row in flow if row["t"] > half)
               for flow in acks(result.folder).values()]
    return {**measure(result, flows, links), "windows": windows}


def band(target):
    """The mean wait that the algorithm allows around a target, us.

    Above: the average that must pass the target follows with a gain of 1/80, an
    ACK covers two packets, and meanwhile each flow adds eta = 0.15 packets a
    base RTT: the queue is that much longer when the decreases start. Below: the
    average is as late on the way down, so as much is cut again.
    """
    lag_us = 80 * 2 * SWEEP_FLOWS * PACKET_US
    overshoot = 0.15 * SWEEP_FLOWS * PACKET_US * lag_us / BASE_US
    return target - overshoot, target + overshoot


def check_sharing(tap, name, rows):
    """All seeds share the link to 2 %."""
    fair = [jain(r.measured["bytes"].values()) for r in rows]
    tap.ok(min(fair) >= 0.98, f"{name}: Jain >= 0.98 from 100 ms on",
           f"{spread(fair)[1]}, wait {spread(r.measured['wait'] for r in rows)[1]}"
           f" us, retransmissions {spread(r['summary']['retrans'] for r in rows)[1]}")


def check_windows(tap, name, rows):
    """The algorithm does, and the receiver leaves each flow half of its share."""
    fair = [jain(r.measured["windows"]) for r in rows]
    carried = [list(r.measured["bytes"].values()) for r in rows]
    tap.ok(min(fair) >= 0.98, f"{name}: Jain of the windows >= 0.98 from 100 ms on",
           f"{spread(fair)[1]}; of what is carried {spread(map(jain, carried))[1]}")
    least = [min(each) / fmean(each) for each in carried]
    tap.ok(min(least) >= HALF, f"{name}: nobody has less than half of the fair share",
           spread(least)[1])


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


def run_sharing(tap):
    """{(scenario, algorithm, flows): runs}, with ordinary receivers, then ideal ones."""
    cases = [(RECORDED, *case) for case in SHARING] + [(IDEAL, *case) for case in IDEALS]
    results = run_all([(text, {"cc": cc, "n": str(n), "target_ns": "120000",
                               "every": "5ms", "time": SHARING_TIME}, seed)
                       for text, cc, n in cases for seed in SEEDS], tap, measure_windows)
    if None in results:
        tap.finish()
    return by_case(cases, SEEDS, results)


def main():
    """One verdict a case; what stands beside cubic is only shown."""
    tap = Tap()
    for (text, cc, n), rows in run_sharing(tap).items():
        name = f"{cc}, {n} flows" + (", an ACK a packet" if text == IDEAL else "")
        check = check_windows if n == THREES and text != IDEAL else check_sharing
        check(tap, name, rows)
    jobs = [(scenario("target"),
             {"cc": cc, "n": str(SWEEP_FLOWS), "target_ns": f"{target}000",
              "every": "5ms", "time": SWEEP_TIME}, seed)
            for cc, target in SWEEP for seed in SEEDS]
    jobs += [(CUBIC, {"cc": cc, "n": "4", "target_ns": "120000", "every": "5ms"}, seed)
             for cc in BESIDE for seed in SEEDS]
    results = run_all(jobs, tap, measure)
    if None in results:
        tap.finish()
    swept = len(SWEEP) * len(SEEDS)
    check_sweep(tap, by_case(SWEEP, SEEDS, results[:swept]))
    show_beside(tap, by_case(BESIDE, SEEDS, results[swept:]))
    tap.finish()


if __name__ == "__main__":
    main()
