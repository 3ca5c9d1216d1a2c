#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""NOOP at work: one path of 16 is held by an ECMP elephant.

nscc that steers (reps, bitmap) must keep its throughput; nscc that cannot leave
the elephant's path (one path: where ECMP put it) must not. Beside it the mix of
decisions, from every ACK that the tracepoint recorded. The reference has an ACK
for each packet; where Linux's own receivers have one for two, what reps must do
stays, and the rest is shown.
"""

from collections import Counter

from labkit import acks
from tap import SCENARIOS, SEEDS, Tap, by_case, run_all, spread

START, END = 10_000_000, 30_000_000     # ns: from the elephant's start on
BRANCHES = ("hold", "fair", "proportional", "fast", "decrease", "wait", "noop",
            "ignored", "quick_adapt", "loss", "slow_start")     # enum nscc_branch
BRANCH_MASK, FULFIL, PERIOD, LOST = 0x0f, 0x10, 0x20, 0x40
ARRIVES = "10ms"
NEVER = "29999us"                       # as good as never: the run ends at 30 ms
CASES = [(cc, spray, start) for start in (NEVER, ARRIVES)
         for cc, spray in (("nscc", "reps"), ("nscc", "bitmap"), ("nscc", "mixed"),
                           ("nscc", "oblivious"), ("nscc", "off"), ("mnscc", "reps"))]
MUST = {"ideal": (("nscc", "reps"), ("nscc", "bitmap")), "ordinary": (("nscc", "reps"),)}
TEXT = (SCENARIOS / "noop.lab").read_text("ascii") + "record f1\n"


def measure(result, flows, links):
    """Goodput of the sprayed flow in bit/s, and how its ACKs were decided on."""
    mine = acks(result.folder)["f1"]
    return {"goodput": flows["f1"].grown(START, END, "bytes_received")
            * 8e9 / (END - START),
            "mix": Counter(BRANCHES[a["branch"] & BRANCH_MASK] for a in mine)}


def job(case, seed, receiver):
    cc, spray, start = case
    return (TEXT, {"receiver": receiver, "cc": cc, "spray": spray, "elephant_start": start,
                   "n": "1" if spray == "off" else "16"}, seed)


def show_mix(tap, name, rows):
    total = sum((r.measured["mix"] for r in rows), Counter())
    count = sum(total.values())
    tap.say(f"{name}: of {count} ACKs "
            + ", ".join(f"{branch} {total[branch] / count:.1%}"
                        for branch in BRANCHES if total[branch]))


def check(tap, runs, receiver):
    for cc, spray, start in CASES:
        if start == NEVER:
            continue
        free, rows = runs[cc, spray, NEVER], runs[cc, spray, start]
        kept = [r.measured["goodput"] / f.measured["goodput"]
                for r, f in zip(rows, free)]
        text = (f"{spread(kept)[1]}, {spread(r.measured['goodput'] / 1e9 for r in rows)[1]}"
                f" Gbit/s, worst seed {min(kept):.3f}")
        name = f"{cc} on {spray}, {receiver} receiver"
        show_mix(tap, f"{name}, no elephant", free)
        show_mix(tap, f"{name}, elephant", rows)
        if (cc, spray) in MUST[receiver]:
            tap.ok(min(kept) >= 0.95, f"{name}: keeps 95 % with one path of 16 hot",
                   text)
            if receiver == "ideal":
                tap.ok(any(r.measured["mix"]["noop"] for r in rows),
                       f"{name}: NOOP was decided")
        elif spray == "off":
            tap.ok(max(kept) < 0.95, f"{name}, on the elephant's path: does not",
                   text)
        else:
            tap.say(f"{name}: keeps {text}")


def main():
    tap = Tap()
    for receiver in MUST:
        jobs = [job(case, seed, receiver) for case in CASES for seed in SEEDS]
        results = run_all(jobs, tap, measure)
        if None in results:
            tap.finish()
        check(tap, by_case(CASES, SEEDS, results), receiver)
    tap.finish()


if __name__ == "__main__":
    main()
