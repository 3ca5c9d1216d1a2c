#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""How fast oscar takes what a departing flow leaves, and how evenly it shares.

    departure   two flows, one ends: from its last byte to the time from which the
                other one has the link 95 % busy for a base RTT, at lines of 2.5 to
                100 Gbit/s: whatever the gap, no more than 2.1 base RTTs
    joining     six flows, one more every 100 ms (833 base RTTs): Jain's index in the
                second half of each of the six phases. U_AI of 1/1000 in each of some 1.5
                batches a base RTT shrinks a difference by 0.3 % in it: of two flows of
                which one had all, 417 base RTTs leave 0.29 of that, an index of 0.92

Base RTT 120 us: ten times the paper's, and so is eps, which is a time of the
network, not of the algorithm. Receivers acknowledge each packet.
"""

from tap import SEEDS, Tap, by_case, run_all, spread
from lablib.expect import jain  # found by way of tap

RTT_NS = 120_000
RATES = (2.5, 5, 10, 20, 40, 100)       # Gbit/s
BUSY, WITHIN_RTTS = 0.95, 2.1
STEP_NS = 10_000
FLOWS, PHASE_NS = 6, 100_000_000
JAIN = 0.92
JOIN_SEEDS = SEEDS[:2]
# A queue that is long enough keeps the link busy whoever leaves: so it is told, too.
BESIDE = ("swift", "mswift", "nscc", "dctcp", "cubic", "bbr")

NETWORK = """
set rate 10Gbps
set dropped 0
topology star hosts=7 rate=$rate rtt=120us mtu=1280B buffer=64bdp ecn=0.5bdp nic=ideal
host * receiver ideal
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
expect rto == 0
expect drops <= $dropped
"""

DEPARTURE = f"""
title one of two $cc flows ends, $rate
{NETWORK}
set cc oscar
set size 3MB
flow long h2 -> h1 size=forever cc=$cc warm=1ms
flow short h3 -> h1 size=$size cc=$cc warm=3ms start=5ms jitter=240us
sample every={STEP_NS}ns
stop at=20ms
"""

JOINING = f"""
title six oscar flows, one after the other
{NETWORK}
flow f h[2-7] -> h1 count={FLOWS} spacing={PHASE_NS}ns size=forever cc=oscar warm=1ms jitter=240us
sample every=1ms
stop at={FLOWS * PHASE_NS + 1_000_000}ns
"""


def busy_after(result, flows, links):
    """Base RTTs from the end of the short flow until the link is busy again, nan if it did not
    end; bytes queued at its end."""
    link = links["h1-s:ba"]
    if not result["flows"]["short"]["end"]:
        return float("nan"), 0
    left = result["flows"]["short"]["end"] // STEP_NS * STEP_NS
    line = float(result["variables"]["rate"].removesuffix("Gbps")) / 8    # bytes/ns
    stop = result["summary"]["virtual_time"] - RTT_NS
    for start in range(left, stop, STEP_NS):
        if link.grown(start, start + RTT_NS, "tx_bytes") >= BUSY * line * RTT_NS:
            return (start - left) / RTT_NS, link.at(left, "queue")
    return float("inf"), link.at(left, "queue")


def shares(result, flows, links):
    """Jain's index of the flows that are there, in the second half of each phase."""
    found = []
    for there in range(1, FLOWS + 1):
        end = there * PHASE_NS
        found.append(jain([flows[f"f.{i + 1}"].grown(end - PHASE_NS // 2, end,
                                                     "bytes_received")
                           for i in range(there)]))
    return found


def main():
    """Both, with what was measured."""
    tap = Tap()
    jobs = [(DEPARTURE, {"rate": f"{rate}Gbps", "size": f"{round(rate * 300)}KB"}, seed)
            for rate in RATES for seed in SEEDS]
    for rate, rows in by_case(RATES, SEEDS, run_all(jobs, tap, busy_after)).items():
        took = [row.measured[0] for row in rows if row]
        tap.ok(len(took) == len(SEEDS) and max(took) <= WITHIN_RTTS,
               f"departure, {rate} Gbit/s: busy again within {WITHIN_RTTS} base RTTs",
               f"{spread(took)[1]}, worst {max(took):.2f}")
    jobs = [(DEPARTURE, {"cc": cc, "dropped": 10000}, seed) for cc in BESIDE for seed in JOIN_SEEDS]
    for cc, rows in by_case(BESIDE, JOIN_SEEDS, run_all(jobs, tap, busy_after)).items():
        tap.say(f"departure, {cc} at 10 Gbit/s, base RTTs (inf: not before 20 ms, nan: none"
                " ended), bytes queued at the departure: "
                + ", ".join("%.2f %d" % row.measured for row in rows if row))
    rows = [row.measured for row in
            run_all([(JOINING, {}, seed) for seed in JOIN_SEEDS], tap, shares) if row]
    for there in range(2, FLOWS + 1):
        found = [row[there - 1] for row in rows]
        tap.ok(found and min(found) >= JAIN, f"{there} flows: Jain at least {JAIN}",
               " ".join(f"{index:.4f}" for index in found))
    tap.finish()


if __name__ == "__main__":
    main()
