#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Algorithms that ask after a tail, 64 and 200 to 1 into half a bandwidth-delay product of
buffer (incast.lab): mswift, nscc, mnscc, oscar.

Most flows lose their whole first window and hear nothing, and at the end what was sent
again is lost again. Asked after within round trips (dcc_tlp.h), few need a timeout:

    64 to 1     all have finished within 1.5 times the bound, in the mean of the seeds;
                not half as many timeouts as flows. oscar's are told: it misses the first
                with packet_ai (oscar.md, "What it does not do")
    200 to 1    all finish
    a deep buffer, where nothing is lost: five questions a flow at most for the silence
                of the first windows' queue, and no timeout
"""

from math import inf

from tap import ALL_SEEDS, SEEDS, Tap, run_all, scenario, spread

SIZE = "256KB"
WANTED = 1.5                    # of the bound
TIMEOUTS = 0.5                  # of the flows
QUESTIONS = 5                   # DCC_TLP_TRIES
SHALLOW, DEEP = "0.5bdp", "64bdp"
ALGS = ("mswift", "nscc", "mnscc", "oscar")
ASKED = ALGS[:3]
SIZES = {(64, SHALLOW): ALL_SEEDS, (200, SHALLOW): SEEDS[:1], (64, DEEP): SEEDS[:1]}
# incast.lab expects twice the bound of all; here each case says what it wants
TEXT = "\n".join(line for line in open(scenario("incast"), encoding="ascii")
                 .read().splitlines() if not line.startswith("expect cct"))


def sets(cc, flows, buffer):
    """What the scenario is told."""
    return {"hosts": str(flows + 1), "n": str(flows), "size": SIZE, "buffer": buffer,
            "jitter": "20us", "cc": cc}


def bounds(row):
    """The completion of all, in bounds; without end if one has not finished."""
    return round(row["summary"]["cct_inflation"] or inf, 2)


def describe(rows):
    """Completion, timeouts, drops and questions of each seed."""
    return "; ".join(
        f"{name} " + " ".join(str(pick(row)) for row in rows) for name, pick in (
            ("of the bound", bounds),
            ("RTOs", lambda r: r["summary"]["rto"]),
            ("drops", lambda r: r["summary"]["drops"]),
            ("asked", lambda r: r["counters"]["tlp_probes"]),
            ("sent again", lambda r: r["counters"]["tlp_resends"]),
            ("needlessly", lambda r: r["counters"]["tlp_spurious"])))


def judge(tap, cc, runs):
    """The head comment's four, of one algorithm."""
    for (flows, buffer), rows in runs.items():
        tap.say(f"{cc}, {flows} to 1, buffer {buffer}: {describe(rows)}")
    rows = runs[64, SHALLOW]
    if cc in ASKED:
        mean, text = spread(map(bounds, rows))
        tap.ok(mean <= WANTED, f"{cc}, 64 to 1: all done within {WANTED} of the bound", text)
        mean, text = spread(row["summary"]["rto"] for row in rows)
        tap.ok(mean <= TIMEOUTS * 64, f"{cc}, 64 to 1: not half as many timeouts as flows",
               text)
    tap.ok(not any(row["summary"]["unfinished"] for row in runs[200, SHALLOW]),
           f"{cc}, 200 to 1: all finish")
    deep = runs[64, DEEP][0]
    asked = deep["counters"]["tlp_probes"]
    tap.ok(asked <= QUESTIONS * 64 and deep["summary"]["rto"] == 0,
           f"{cc}, deep buffer: five questions a flow at most, no timeout",
           f"{asked} questions, {deep['summary']['rto']} timeouts")


def main():
    """Every algorithm, every size, every seed."""
    tap = Tap()
    jobs = [(cc, size, seed) for cc in ALGS for size, seeds in SIZES.items()
            for seed in seeds]
    results = run_all([(TEXT, sets(cc, *size), seed) for cc, size, seed in jobs], tap)
    if None in results:
        tap.finish()
    for cc in ALGS:
        judge(tap, cc, {size: [r for job, r in zip(jobs, results) if job[:2] == (cc, size)]
                        for size in SIZES})
    tap.finish()


if __name__ == "__main__":
    main()
