#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""The MSwift paper's baseline (scenarios/fattree-baseline.lab) on a network that CI can afford.

All algorithms with all path selectors over a fat-tree of 16 hosts, 2 of which send
elephants; and mswift, mnscc (five seeds) and lswift (one) with reps on the full 128
hosts. The figures of the whole experiment are in Documentation/experiments.md; the limits here leave the
spread over seeds that was measured as margin.
"""

import statistics

from tap import ALL_SEEDS, Tap, run_all, scenario, spread

ALGORITHMS = ("lswift", "mswift", "nscc", "mnscc")
SELECTORS = ("oblivious", "reps", "bitmap", "mixed", "mrc")
FULL = {"mswift": ALL_SEEDS, "mnscc": ALL_SEEDS, "lswift": ALL_SEEDS[:1]}

# Single seeds tell little: over ten seeds, oblivious, mswift is 18 to 28 % above the
# bound and once 67 %, mnscc 30 to 68 %, nscc 31 to 97 %. In a network of this size a flow
# that begins at an elephant's switch has half of its packets beside it, more than the
# third that a median bears. So it is the median of the seeds that must hold, or means
# are compared. 0.7 % of packets were sent again at most.
MSWIFT_MOST = 0.50
MSWIFT_OF_LSWIFT = 0.65
MNSCC_OF_NSCC = 1.20
RETRANS_MOST = 0.01
# 128 hosts, reps: what the mean of any five seeds is to be; lswift of mswift's
FULL_MOST = {"mswift": 0.17, "mnscc": 0.40}
FULL_LSWIFT_TIMES = 3.5


def small(cc, selector):
    """Two elephants: four of 16 hosts would be a quarter of all, not a 32nd."""
    return {"k": "4", "elephants": "2", "cc": cc, "selector": selector}


def inflation(result):
    """By how much the slowest flow exceeds the zero-queue bound."""
    return result["summary"]["cct_inflation"] - 1


def show(tap, title, runs):
    tap.say(f"CCT above the zero-queue bound, {title}; min to max of seeds")
    for (cc, selector), rows in runs.items():
        found = [inflation(row) for row in rows]
        tap.say(f"  {selector:10} {cc:7} {statistics.fmean(found):7.1%}"
                f"  ({min(found):.1%} to {max(found):.1%})")


def check_each(tap, runs):
    """What must hold of every single run."""
    rows = [row for found in runs.values() for row in found]
    worst = max(row["summary"]["rto"] for row in rows)
    tap.ok(worst == 0, "no retransmission timeout in any run", f"most: {worst}")
    share = max(row["summary"]["retrans"] / row["summary"]["packets"] for row in rows)
    tap.ok(share <= RETRANS_MOST, f"at most {RETRANS_MOST:.0%} sent again in any run",
           f"most: {share:.3%}")


def check_small(tap, runs):
    """The order of the algorithms, selector by selector."""
    mean = {case: statistics.fmean(map(inflation, rows)) for case, rows in runs.items()}
    for selector in SELECTORS:
        mswift, lswift = mean["mswift", selector], mean["lswift", selector]
        tap.ok(mswift <= MSWIFT_OF_LSWIFT * lswift,
               f"{selector}: mswift at most {MSWIFT_OF_LSWIFT} of lswift",
               f"{mswift:.1%} and {lswift:.1%}")
        found = list(map(inflation, runs["mswift", selector]))
        middle = statistics.median(found)
        tap.ok(middle <= MSWIFT_MOST, f"{selector}: mswift at most {MSWIFT_MOST:.0%}"
               " above the bound", f"median {middle:.1%}, worst seed {max(found):.1%}")
        mnscc, nscc = mean["mnscc", selector], mean["nscc", selector]
        tap.ok(mnscc <= MNSCC_OF_NSCC * nscc, f"{selector}: mnscc at most"
               f" {MNSCC_OF_NSCC} of nscc", f"{mnscc:.1%} and {nscc:.1%}")


def check_full(tap, runs):
    """128 hosts, 4 elephants, reps."""
    mean = {cc: statistics.fmean(map(inflation, rows)) for cc, rows in runs.items()}
    for cc, most in FULL_MOST.items():
        tap.ok(mean[cc] <= most, f"128 hosts, reps: {cc} at most {most:.0%} above the bound,"
               " mean of the seeds", spread(map(inflation, runs[cc]))[1])
    tap.ok(mean["lswift"] >= FULL_LSWIFT_TIMES * mean["mswift"],
           f"128 hosts, reps: lswift at least {FULL_LSWIFT_TIMES} times mswift's",
           f"{mean['lswift']:.1%}")


def main():
    tap = Tap()
    cases = [(cc, selector) for selector in SELECTORS for cc in ALGORITHMS]
    path = scenario("fattree-baseline")
    large = [(cc, seed) for cc, seeds in FULL.items() for seed in seeds]
    jobs = [(path, {"cc": cc, "selector": "reps"}, seed) for cc, seed in large]
    jobs += [(path, small(*case), seed) for case in cases for seed in ALL_SEEDS]
    results = run_all(jobs, tap)
    if None in results:
        tap.finish()
    full = {cc: [] for cc in FULL}
    for (cc, _), result in zip(large, results):
        full[cc].append(result)
    rest = results[len(large):]
    step = len(ALL_SEEDS)
    runs = {case: rest[i * step:(i + 1) * step] for i, case in enumerate(cases)}
    show(tap, "16 hosts, 2 elephants", runs)
    show(tap, "128 hosts, 4 elephants", {(cc, "reps"): rows for cc, rows in full.items()})
    check_each(tap, {**runs, **{("full", cc): rows for cc, rows in full.items()}})
    check_small(tap, runs)
    check_full(tap, full)
    tap.finish()


if __name__ == "__main__":
    main()
