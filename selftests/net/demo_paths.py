#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""The README tells of the demo's first scene, the picture, what its runs measure.

One flow over n paths of which one is 100 us longer, Linux as it is: who loses nothing,
what cubic loses at most, and the queues.
"""

import re
import sys
from pathlib import Path

from tap import ROOT, Tap, runner
from labkit import scratch

sys.path.insert(0, str(ROOT / "tools/demo"))

import sprayed  # noqa: E402

SEED = 1                        # the demo's default
STACK = "linux"
NOTHING = 0.005                 # a share that rounds to nothing
TOLD = re.compile(r"([\w, ]+) and (\w+) lose\s+nothing\s+and\s+(\w+)\s+at\s+most\s+a\s+quarter,"
                  r"\s+with\s+queues\s+of\s+([\d.]+)\s+to\s+([\d.]+)\s+ms,.*?"
                  r"where\s+(\w+)'s\s+is\s+(\d+)\s+us", re.DOTALL)


def measured():
    """{algorithm: [share of its own without a longer path, mean queue in us]}"""
    cases = [case for case in sprayed.cases(False) if case.stack == STACK]
    with scratch("demo") as base:
        points = sprayed.run_all(cases, runner.Tools(), Path(base), SEED, sprayed.SPAN, 1,
                                 lambda *_: None)
    free = {case.cc: point for case, point in points.items() if not case.paths}
    found = {}
    for case, point in points.items():
        if case.paths:
            found.setdefault(case.cc, []).append((point.share / free[case.cc].share,
                                                  point.wait / 1000))
    return found


def main():
    """Compare, and show what was measured."""
    tap = Tap()
    said = TOLD.search((ROOT / "README.md").read_text(encoding="utf-8"))
    tap.ok(said is not None, "the README tells of the first scene")
    if not said:
        tap.finish()
    nothing = [*re.findall(r"\w+", said[1].rpartition(":")[2])[-2:], said[2]]
    found = measured()
    least = {cc: min(share for share, _ in rows) for cc, rows in found.items()}
    for cc in nothing:
        tap.ok(least[cc] > 1 - NOTHING, f"{cc} loses nothing", f"{least[cc]:.3f}")
    tap.ok(0.75 <= least[said[3]] < 1 - NOTHING, f"{said[3]} loses at most a quarter",
           f"{least[said[3]]:.3f}")
    queues = [wait / 1000 for cc in (*nothing, said[3]) for _, wait in found[cc]]
    spread = f"{min(queues):.2g} to {max(queues):.2g}"
    tap.ok(spread == f"{said[4]} to {said[5]}", "their queues, ms",
           f"{spread}; the README: {said[4]} to {said[5]}")
    most = round(max(wait for _, wait in found[said[6]]))
    tap.ok(most == int(said[7]), f"the queue of {said[6]}, us", f"{most}; the README: {said[7]}")
    tap.finish()


if __name__ == "__main__":
    main()
