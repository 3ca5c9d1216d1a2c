#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""mswift among its own kind: fair on one bottleneck, no worse than lswift in an
incast, and no different from it on a single path.

Flows that meet on one link are given Swift's base target (base RTT + 25 us), as
every deployment of Swift is: a flow that starts into a standing queue cannot
measure the base RTT. What happens without is shown beside, without a verdict.
"""

import swift_model
from tap import SEEDS, Tap, by_case, run_all, scenario, spread
from lablib.expect import jain  # found by way of tap

BASE_RTT = 120e-6
BASE_TARGET_US = 145
START, END = 20_000_000, 50_000_000     # ns
FLOWS = (2, 4, 16)
PACKET_US = 4096 * 8 / 10e9 * 1e6


def measure(result, flows, links):
    """Bytes each flow delivered, mean window, and each link's mean wait in s."""
    windows = [v for t in flows.values() for v in t.within(START, END, "cwnd")]
    return {"bytes": [t.grown(START, END, "bytes_received") for t in flows.values()],
            "window": sum(windows) / len(windows) if windows else None,
            "wait": {name: t.grown(START, END, "wait_ns_sum")
                     / max(t.grown(START, END, "tx_packets"), 1) / 1e9
                     for name, t in links.items()}}


def goodputs(result):
    return result.measured["bytes"]


def mean_window(result):
    return result.measured["window"]


def wait(result, link):
    return result.measured["wait"][link]


def sharing_cases():
    return [(n, target) for n in FLOWS for target in (BASE_TARGET_US, 0)]


def sharing_job(case, seed):
    n, target = case
    return (scenario("shared-bottleneck"),
            {"cc": "mswift", "n": str(n), "base_target_us": str(target)}, seed)


def check_sharing(tap, runs):
    for (n, target), rows in runs.items():
        index, text = spread(jain(goodputs(r)) for r in rows)
        if not target:
            tap.say(f"{n} flows, base RTT measured by each: Jain {text}")
            continue
        worst = min(jain(goodputs(r)) for r in rows)
        tap.ok(worst >= 0.95, f"{n} flows: Jain >= 0.95 from 20 ms on", text)
        queue, text = spread(1e6 * wait(r, "path1:ab") for r in rows)
        window = mean_window(rows[0])
        wanted = 1e6 * (swift_model.target(window, BASE_RTT) - BASE_RTT)
        # n flows add n packets in the RTT it takes them to see the target
        # passed; half of that, on average, stands above it
        wanted += n / 2 * PACKET_US
        tap.ok(queue <= wanted, f"{n} flows: queue within the target's scaling",
               f"{text} us, at most {wanted:.1f} us at {window:.1f} packets")


def check_single(tap, runs):
    rate = {cc: spread(sum(goodputs(r)) * 8 / (END - START) for r in rows)
            for cc, rows in runs.items()}
    queue = {cc: spread(1e6 * wait(r, "a-s1:ab") for r in rows)
             for cc, rows in runs.items()}
    tap.ok(abs(rate["mswift"][0] / rate["lswift"][0] - 1) <= 0.01,
           "single path: mswift within 1 % of lswift",
           f"{rate['mswift'][1]} against {rate['lswift'][1]} Gbit/s")
    tap.ok(queue["mswift"][0] <= queue["lswift"][0],
           "single path: mswift's mean queue not above lswift's",
           f"{queue['mswift'][1]} against {queue['lswift'][1]} us")


def check_incast(tap, runs):
    cct = {}
    for cc, rows in runs.items():
        cct[cc], text = spread(r["summary"]["cct"] / 1e6 for r in rows)
        rto = sum(r["summary"]["rto"] for r in rows)
        tap.say(f"incast 32 to 1, 2 MB each, {cc}: CCT {text} ms, "
                f"{spread(r['summary']['cct_inflation'] for r in rows)[1]} of the bound, RTOs {rto}")
    tap.ok(cct["mswift"] <= 1.05 * cct["lswift"],
           "incast 32 to 1: mswift's CCT at most 5 % above lswift's",
           f"{cct['mswift'] / cct['lswift']:.4f}")


def main():
    tap = Tap()
    pairs = sharing_cases()
    algorithms = ("lswift", "mswift")
    jobs = [sharing_job(case, seed) for case in pairs for seed in SEEDS]
    jobs += [(scenario("collapse"), {"cc": cc, "n": "1", "extra": "0", "spray": "off",
                                     "time": "50ms"}, seed)
             for cc in algorithms for seed in SEEDS]
    jobs += [(scenario("incast"), {"cc": cc, "n": "32", "size": "2MB", "jitter": "100us"}, seed)
             for cc in algorithms for seed in SEEDS]
    results = run_all(jobs, tap, measure)
    if None in results:
        tap.finish()
    cut = len(pairs) * len(SEEDS)
    step = len(algorithms) * len(SEEDS)
    check_sharing(tap, by_case(pairs, SEEDS, results[:cut]))
    check_single(tap, by_case(algorithms, SEEDS, results[cut:cut + step]))
    check_incast(tap, by_case(algorithms, SEEDS, results[cut + step:]))
    tap.finish()


if __name__ == "__main__":
    main()
