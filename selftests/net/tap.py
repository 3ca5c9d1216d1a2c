# SPDX-License-Identifier: GPL-2.0
"""TAP output and many lab runs at once, for the tests of this folder."""

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

import lablib  # noqa: E402
from lablib import runner, series  # noqa: E402

SCENARIOS = ROOT / "tools" / "lab" / "scenarios"
ALL_SEEDS = (1, 2, 3, 4, 5)     # where few of them tell nothing
# As many as selftests/run says; by hand all.
SEEDS = ALL_SEEDS[:int(os.environ.get("LAB_SEEDS", "5"))]
WORKERS = min(4, os.cpu_count() or 1)


class Tap:
    """Counts what held and prints it in the Test Anything Protocol."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, holds, name, detail=""):
        self.count += 1
        self.failed += not holds
        word = "ok" if holds else "not ok"
        print(f"{word} {self.count} - {name}{' # ' + detail if detail else ''}",
              flush=True)

    def say(self, text):
        """A line for the reader; no verdict."""
        print(f"# {text}", flush=True)

    def finish(self):
        print(f"1..{self.count}", flush=True)
        sys.exit(1 if self.failed else 0)


def scenario(name):
    return str(SCENARIOS / f"{name}.lab")


def run_all(jobs, tap, measure=lambda result, flows, links: None):
    """Run (path or text, sets, seed) each; results in order.

    measure(result, flows, links) looks at a run's time series, which are not
    kept; what it returns is result.measured. A run that fails is a failed test
    and gives None; a failed `expect` of the scenario fails the test too, but
    its result is there.
    """
    tools = runner.Tools()
    with tempfile.TemporaryDirectory(prefix="labtest-") as base:
        def job(number, item):
            path, sets, seed = item
            folder = Path(base) / f"{number:04d}"
            result = lablib.run(path, seed=seed, sets=sets, out=folder, tools=tools)
            result.measured = measure(result, series.load(folder, "flows"),
                                      series.load(folder, "links"))
            shutil.rmtree(folder)
            return result
        results = runner.run_many(
            [lambda n=n, i=i: job(n, i) for n, i in enumerate(jobs)], WORKERS)
    for item, result in zip(jobs, results):
        if isinstance(result, lablib.LabError):
            tap.ok(False, f"run {Path(item[0]).stem} {item[1]} seed {item[2]}",
                   str(result).replace("\n", " | "))
        elif result.exit_code:
            tap.ok(False, f"expectations of {item[1]} seed {item[2]}",
                   "; ".join(map(str, result.failed_expects or result["problems"])))
    return [None if isinstance(r, lablib.LabError) else r for r in results]


def spread(values):
    """Mean and standard deviation, as text and mean."""
    values = list(values)
    mean = statistics.fmean(values)
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return mean, f"{mean:.4g} +- {deviation:.2g} (n={len(values)})"


def groups_of(result, _flows=None, _links=None):
    """{largest size, None for any: (flows, mean slowdown, 99 %)} of groups that have flows."""
    return {group["upto"]: (group["flows"], group["mean"], group["p99"])
            for group in result["summary"]["slowdown_by_size"]}


def by_case(cases, seeds, results):
    """Group results that came case by case, seed by seed."""
    step = len(seeds)
    return {case: results[i * step:(i + 1) * step] for i, case in enumerate(cases)}


def seeds_for(full):
    """One is soon done, --full has all."""
    return SEEDS if full else SEEDS[:1]


def run_parts(parts, soon=None):
    """A test's parts, by name: all, or those that its command line names.

    With `soon` there is --full, which each part is told; without it, and if none is
    named, only those run.
    """
    told = () if soon is None else ("--full" in sys.argv[1:],)
    names = [word for word in sys.argv[1:] if word != "--full" or not told]
    if set(names) - set(parts):
        option = "[--full] " if told else ""
        sys.exit(f"usage: {sys.argv[0]} {option}[{'|'.join(parts)} ...]")
    tap = Tap()
    for name in names or (soon if told == (False,) else parts):
        parts[name](tap, *told)
    tap.finish()
