#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Families of random networks: what holds of the middle of their draws.

A bound is on the median over the draws 1 to 5 (with five seeds: 1 to 20), which is the
same number each time. It holds of both, with a quarter to spare: room for another choice
of draws, and none for an algorithm that got worse by a factor. Single draws are not
judged: Documentation/families has them.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import ROOT, SEEDS, WORKERS, Tap, runner

sys.path.insert(0, str(ROOT / "tools" / "lab"))
from familylib import catalogue, store, variants  # noqa: E402  found by way of that
from lablib.errors import LabError  # noqa: E402

DRAWS = range(1, 21) if len(SEEDS) > 1 else range(1, 6)
PROGRAM = ROOT / "tools" / "lab" / "families"

# family -> [(algorithm, column, bound)]: at least that where more is better, at most else
BOUNDS = {
    "alone": [("prioplus", "used", 95), ("mswift", "used", 95), ("mnscc", "used", 95), ("oscar", "used", 92)],
    "joins": [("mswift", "jain", 0.5), ("mnscc", "jain", 0.6), ("oscar", "jain", 0.5)],
    "departures": [("mswift", "idle", 55), ("mnscc", "idle", 36), ("oscar", "idle", 45)],
    "distances": [("mswift", "least", 50), ("mnscc", "least", 55), ("oscar", "least", 30)],
    "incast": [("mswift", "time", 2.9), ("mnscc", "time", 2.8), ("oscar", "time", 6)],
    "loss": [("mswift", "kept", 92), ("mnscc", "kept", 92), ("oscar", "kept", 92)],
    "noise": [("mswift", "used", 92), ("mnscc", "used", 92), ("oscar", "used", 92)],
    "rpc": [("mswift", "p99", 7.5), ("mnscc", "p99", 5.2), ("oscar", "p99", 5.2)],
    "coexistence": [("mnscc", "share", 36)],
    "priorities": [("prioplus", "share", 58), ("prioplus", "takeover", 15),
                   ("prioplus", "next", 62), ("prioplus", "back", 14),
                   ("prioplus", "idle", 19)],
    "permutation": [("mswift+auto", "time", 2.3), ("mnscc+auto", "time", 2.3),
                    ("oscar+auto", "time", 2.9)],
    "degraded": [("mswift+auto", "time", 23), ("mswift+auto", "unfinished", 0)],
    "workload": [("mswift+auto", "small", 12), ("oscar+auto", "small", 9.5),
                 ("mswift+auto", "large", 7.7)],
}
# family -> [(algorithm, control, column, factor)]: so many times better than the control
BETTER = {
    "permutation": [("mswift+auto", "dctcp", "time", 1.2), ("mnscc+auto", "dctcp", "time", 1.2)],
    "workload": [("mswift+auto", "dctcp", "small", 1.5), ("oscar+auto", "dctcp", "small", 1.8)],
}


def wanted():
    """[(family, algorithm)] that bounds are of."""
    found = [(family, row[0]) for family, rows in BOUNDS.items() for row in rows]
    found += [(family, name) for family, rows in BETTER.items() for row in rows
              for name in row[:2]]
    return list(dict.fromkeys(found))


def medians(tap, folder):
    """{(family, algorithm): {column: median}}."""
    kept, pairs = store.Store(folder, runner.Tools()), wanted()
    runs = [store.Run(family, seed, variants.named(name))
            for family, name in pairs for seed in DRAWS]
    rows = store.carry_out(runs, kept, WORKERS)
    found = {pair: [] for pair in pairs}
    for run, row in zip(runs, rows):
        if isinstance(row, LabError):
            tap.ok(False, f"run {run.family} {run.seed} {run.variant.name}", str(row))
        else:
            found[run.family, run.variant.name].append(row["row"])
    return {pair: middle(pair[0], rows) for pair, rows in found.items()}


def middle(family, rows):
    """{column: median}; what has no value is worse than any, what was not drawn no draw."""
    result = {}
    for name, column in catalogue.FAMILIES[family].columns.items():
        none = float("inf") if column.worst is max else float("-inf")
        result[name] = statistics.median([none if row[name] is None else row[name]
                                          for row in rows if name in row] or [none])
    return result


def check_bounds(tap, found):
    for family, rows in BOUNDS.items():
        for name, column, bound in rows:
            column_of = catalogue.FAMILIES[family].columns[column]
            value = found[family, name][column]
            holds = value <= bound if column_of.worst is max else value >= bound
            most = "at most" if column_of.worst is max else "at least"
            tap.ok(holds, f"{family}, {name}: {column_of.label}",
                   f"median {value:.4g}, {most} {bound:g}")


def check_better(tap, found):
    for family, rows in BETTER.items():
        for name, control, column, factor in rows:
            column_of = catalogue.FAMILIES[family].columns[column]
            own, other = found[family, name][column], found[family, control][column]
            times = other / own if column_of.worst is max else own / other
            tap.ok(times >= factor, f"{family}: {name} against {control}: {column_of.label}",
                   f"{own:.4g} and {other:.4g}: {times:.2f} times, {factor:g} at least")


def run_by(engine, folder, *words):
    """The command, as a user gives it; its CSV."""
    done = subprocess.run([sys.executable, "-B", str(PROGRAM), "run", "--family", "loss", "--draws",
                           "2", "--algorithm", "mswift,dctcp", "--engine", engine, "--out",
                           str(folder), *words], capture_output=True, text=True, check=False)
    path = folder / "loss.csv"
    return done, path.read_text(encoding="utf-8") if path.exists() else ""


def check_machines(tap, base):
    """By GNU parallel, on this machine twice (`:` is it, without ssh)."""
    if not shutil.which("parallel"):
        tap.ok(True, "by GNU parallel # SKIP the package parallel is not installed")
        return
    hosts = base / "hosts"
    hosts.write_text("2/:\n", encoding="ascii")
    here, one = run_by("local", base / "here")
    there, other = run_by("parallel", base / "there", "--hosts", str(hosts))
    tap.ok(here.returncode == there.returncode == 0, "both engines make all runs",
           (here.stderr + there.stderr)[-300:].replace("\n", " | ") if not one else "")
    tap.ok(one and one == other, "GNU parallel's rows are those of this process")
    again, _ = run_by("local", base / "there")
    tap.ok("4 runs, 0 still to do" in again.stderr, "and are kept")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="labtest-families-") as name:
        found = medians(tap, Path(name) / "rows")
        check_bounds(tap, found)
        check_better(tap, found)
        check_machines(tap, Path(name))
    tap.finish()


if __name__ == "__main__":
    main()
