#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The README tells of the demo's second scene what the scene's table shows.

One of 16 paths is held by an elephant; each algorithm's share of the line, and
the queue where it is named, are run again and compared as the README rounds them.
"""

import re
import sys
from pathlib import Path

from tap import ROOT, Tap, runner
from labkit import scratch

sys.path.insert(0, str(ROOT / "tools/demo"))

import held  # noqa: E402

SEED = 1                        # the demo's default
BEGIN, END = "is really congested:", "It prints"


def told(text):
    """{algorithm: (share in %, queue in us or None)} as the README says it."""
    part = text.partition(BEGIN)[2].partition(END)[0]
    names = "|".join(sorted(held.NAMES, key=len, reverse=True))
    return {name: (int(share), int(queue) if queue else None) for name, share, queue in re.findall(
        rf"\b({names})\s+(?:keeps\s+)?(\d+)\s+%(?:\s+with\s+(?:a\s+queue|one)\s+of\s+(\d+)\s+us)?",
        part)}


def main():
    """Compare, and show what was measured."""
    tap = Tap()
    said = told((ROOT / "README.md").read_text(encoding="utf-8"))
    with scratch("demo") as base:
        points = held.run_all(runner.Tools(), Path(base), SEED, 1, lambda *_: None)
    for name, point in points.items():
        share, queue = round(100 * point.share), round(point.queue / 1000)
        wanted = said.get(name, (None, None))
        tap.ok(wanted in ((share, queue), (share, None)),
               f"{name}: the README says what the table shows",
               f"{share} %, {queue} us; the README: {wanted}")
    best = max(points, key=lambda name: points[name].share)
    tap.ok(said.get(best, (0, None))[1] is not None,
           "the README names the queue of the best", best)
    tap.finish()


if __name__ == "__main__":
    main()
