#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Quick adapt in an incast of 64 to 1: quickadapt.lab, every ACK recorded.

Fair is a 64th of what a base RTT and the target hold of the line. A period of
quick adapt is base RTT + target, as the flow knows them at its first feedback.
Without quick adapt the window comes down by the once-per-RTT decrease alone; how
many decreases that takes is replayed from the algorithm and the recorded delays.
"""

from math import ceil, log2

from labkit import acks
from tap import SCENARIOS, SEEDS, Tap, by_case, run_all, spread

MSS, PACKET, LINE, R, FLOWS, FIRST = 4024, 4096, 10e9, 1_200_000, 64, 160
FAIR = 2 * R * 1e-9 * LINE / 8 / PACKET / FLOWS        # packets
FEW = 3                                                # periods
BRANCH_MASK, LOSS_QA = 0x0f, 0x80
DECREASE, QUICK_ADAPT = 4, 8                           # enum nscc_branch
GAMMA, MIN_KEEP, DELAY_GAIN = 0.8, 0.5, 1 / 80
ETA = 0.15 * R * 1e-9 * LINE / 8 / 150_000             # packets per R
TEXT = (SCENARIOS / "quickadapt.lab").read_text("ascii") + "record *\n"
GATES = (0, 1, 2, 4)
DEEP, SHALLOW = "64bdp", "1bdp"
CASES = [(DEEP, "on", 3), (DEEP, "off", 3), (SHALLOW, "on", 3), (SHALLOW, "off", 3)]
SWEEP = [(buffer, "on", gate) for buffer in (DEEP, SHALLOW) for gate in GATES]
SWEEP_SEEDS = (1,)


def packets(ack):
    return ack["cwnd"] / 256 / MSS


def within(window):
    return FAIR / 2 <= window <= FAIR * 2


def window_after(flow, periods):
    """The window so many of its own periods after its first feedback."""
    period = next(a["base"] for a in flow if a["base"]) + R
    limit = flow[0]["t"] + periods * period
    return packets([a for a in flow if a["t"] <= limit][-1])


def decreases(flow):
    """(recorded, replayed) decreases until within twice the fair share."""
    avg, window, last, adjusted, cuts = 0.0, FIRST, flow[0]["sent"], flow[0]["t"], 0
    recorded = found = None
    count = 0
    for a in flow:
        count += a["branch"] & BRANCH_MASK == DECREASE
        if recorded is None and packets(a) <= 2 * FAIR:
            recorded = count
        q = a["rtt"] - a["base"]
        if not a["base"] or not a["rtt"]:
            continue
        avg += DELAY_GAIN * (q - avg)
        if a["ce"] and q >= R and avg > R and a["t"] - last > a["base"]:
            window *= max(1 - GAMMA * (avg - R) / avg, MIN_KEEP)
            last, cuts = a["t"], cuts + 1
        if a["t"] - adjusted >= R:
            window, adjusted = window + ETA, a["t"]
        if found is None and window <= 2 * FAIR:
            found = cuts
    return recorded, found


def measure(result, flows, links):
    mine = list(acks(result.folder).values())
    counts = [decreases(flow) for flow in mine]
    late = [next((a["t"] - flow[0]["t"] for a in flow if packets(a) <= 2 * FAIR),
                 None) for flow in mine]
    return {
        "heard": len(mine),
        "adapted": sum(any(a["branch"] & BRANCH_MASK == QUICK_ADAPT
                           or a["branch"] & LOSS_QA for a in flow) for flow in mine),
        "windows": {k: sorted(window_after(flow, k) for flow in mine)
                    for k in (1, 2, 3, 4)},
        "decreases": [c for c in counts if None not in c],
        "down": [t / 1e6 for t in late if t is not None],
    }


def describe(windows):
    inside = sum(map(within, windows))
    quartile = len(windows) // 4
    return (f"{inside} of {len(windows)} within, quartiles {windows[quartile]:.1f}"
            f" {windows[2 * quartile]:.1f} {windows[3 * quartile]:.1f},"
            f" extremes {windows[0]:.1f} {windows[-1]:.1f}")


def show(tap, case, rows):
    buffer, adapt, gate = case
    name = f"buffer {buffer}, quick_adapt {adapt}, qa_gate {gate}"
    m = [r.measured for r in rows]
    tap.say(f"{name}: {sum(x['adapted'] for x in m)} of {FLOWS * len(m)} flows adapted;"
            f" ms to twice the fair share {spread(t for x in m for t in x['down'])[1]};"
            f" drops {spread(r['summary']['drops'] for r in rows)[1]},"
            f" RTOs {sum(r['summary']['rto'] for r in rows)}")
    for k in m[0]["windows"]:
        tap.say(f"  after {k} periods: "
                + describe(sorted(w for x in m for w in x["windows"][k])))


def check_lossless(tap, rows):
    """No packet is lost: delay alone tells, and every flow hears the same."""
    m = [r.measured for r in rows]
    tap.ok(all(x["adapted"] == FLOWS for x in m),
           f"buffer {DEEP}: quick adapt fires in every flow",
           " ".join(str(x["adapted"]) for x in m))
    windows = sorted(w for x in m for w in x["windows"][FEW])
    tap.ok(all(map(within, windows)),
           f"buffer {DEEP}: all windows within a factor 2 of {FAIR:.1f} packets"
           f" {FEW} periods after the first feedback", describe(windows))


def check_shallow(tap, rows):
    """Most of the first windows is lost. The reference hears of each loss at once, by
    a trimmed packet; TCP when later ones have arrived, and what is achieved while
    holes are repaired is little and uneven. One flow gets its whole window through,
    more than the gate, and has no reason to adapt.
    """
    m = [r.measured for r in rows]
    tap.ok(all(x["adapted"] >= FLOWS - 1 for x in m),
           f"buffer {SHALLOW}: quick adapt fires in every flow but one",
           " ".join(str(x["adapted"]) for x in m))
    for periods, share in ((FEW, 0.75), (FEW + 1, 0.9)):
        windows = sorted(w for x in m for w in x["windows"][periods])
        inside = sum(map(within, windows)) / len(windows)
        tap.ok(inside >= share, f"buffer {SHALLOW}: {share:.0%} of the windows within a"
               f" factor 2 of {FAIR:.1f} packets {periods} periods after the first"
               " feedback", describe(windows))


def check_decreases(tap, rows):
    counts = [c for r in rows for c in r.measured["decreases"]]
    least = ceil(log2(FIRST / (2 * FAIR)))
    tap.ok(counts and all(abs(a - b) <= 1 for a, b in counts),
           "quick_adapt off: as many decreases as the arithmetic says, one at most"
           " beside", f"{spread(a for a, _ in counts)[1]} recorded,"
           f" {spread(b for _, b in counts)[1]} replayed, {len(counts)} flows")
    tap.ok(counts and min(a for a, _ in counts) >= least,
           f"quick_adapt off: at least the {least} halvings from {FIRST} to"
           f" {2 * FAIR:.1f} packets", f"fewest {min(a for a, _ in counts)}")


def main():
    tap = Tap()
    plan = [(case, seed) for case in CASES for seed in SEEDS]
    plan += [(case, seed) for case in SWEEP for seed in SWEEP_SEEDS]
    results = run_all([(TEXT, {"buffer": buffer, "quick_adapt": adapt,
                               "qa_gate": str(gate)}, seed)
                       for (buffer, adapt, gate), seed in plan], tap, measure)
    if None in results:
        tap.finish()
    cut = len(CASES) * len(SEEDS)
    runs = by_case(CASES, SEEDS, results[:cut])
    swept = by_case(SWEEP, SWEEP_SEEDS, results[cut:])
    for case, rows in (*runs.items(), *swept.items()):
        show(tap, case, rows)
    check_lossless(tap, runs[DEEP, "on", 3])
    check_shallow(tap, runs[SHALLOW, "on", 3])
    check_decreases(tap, runs[DEEP, "off", 3])
    tap.finish()


if __name__ == "__main__":
    main()
