# SPDX-License-Identifier: GPL-2.0
"""Carries runs out, keeps every one that was ever finished, foresees the rest's time."""

import dataclasses
import functools
import hashlib
import json
import shutil
import statistics
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from lablib import bound, plan, runner, scenario
from lablib.errors import LabError, RunError

from .catalogue import SCENARIO, Case

PERCENT = 100
NS_PER_MS, NS_PER_US = 10**6, 10**3
INDEX = "index.json"
# What a run does not depend on: how the host shows it.
SHOWS = ("cli.py", "cpus.py", "page.py", "plot.py", "report.py")
CALIBRATION_SIZE = "1MB"        # of its flows: seconds on 128 hosts


@dataclass
class Point:
    """What one run measured."""

    inflation: float            # of the CCT over the zero-queue bound, %
    fct: list                   # ms, of every flow with a size
    wait: float                 # mean queueing delay of a packet's whole way, us
    packets: int
    retrans: int
    spurious: int
    rto: int
    drops: int
    marks: int
    hops: int                   # packets times links
    wall: float                 # s
    folder: str


def read_point(folder):
    """The Point of a finished run, from its files."""
    document = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    timing = json.loads((folder / "timing.json").read_text(encoding="utf-8"))
    summary = document["summary"]
    if summary["unfinished"]:
        raise RunError(f"{folder}: {summary['unfinished']} flows did not finish;"
                       " wanted: none unfinished")
    links = document["links"].values()
    waited = sum(link["queue_delay.mean"] * link["packets"] for link in links)
    fct = sorted(flow["fct"] / NS_PER_MS for flow in document["flows"].values()
                 if flow["size"] is not None)
    return Point((summary["cct_inflation"] - 1) * PERCENT, fct,
                 waited / max(summary["packets"], 1) / NS_PER_US,
                 **{name: summary[name] for name in (
                     "packets", "retrans", "spurious", "rto", "drops", "marks")},
                 hops=sum(link["packets"] for link in links),
                 wall=timing["wall_s"], folder=str(folder))


def stored_point(folder):
    """The Point of a run that was finished before; None if its files tell it no longer."""
    try:
        return read_point(folder)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"figures: {folder} is damaged ({type(error).__name__}: {error}): run again",
              file=sys.stderr, flush=True)
        return None


def _digest(parts):
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


def _sources():
    """Names the code that makes a plan of a scenario, and results of a run."""
    folder = Path(scenario.__file__).parent
    return _digest(part for path in sorted(folder.glob("*.py"))
                   if path.name not in SHOWS
                   for part in (path.name, path.read_text(encoding="utf-8")))


class Index:
    """Where each run is, by what is known before its plan is made, and what it took.

    Making a plan takes a second for a large network. A run is kept under its plan,
    which a change of the code may leave as it was; the index is a short cut to it.
    """

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        try:
            self.entries = json.loads(path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            self.entries = {}

    def folder(self, quick):
        """The name of the run's folder, or None."""
        return self.entries.get(quick, {}).get("folder")

    def add(self, quick, **entry):
        """Remember a run; the file is replaced as a whole."""
        with self.lock:
            self.entries[quick] = entry
            half = self.path.with_suffix(".part")
            half.write_text(json.dumps(self.entries, indent=0) + "\n", encoding="ascii")
            half.replace(self.path)

    def times(self, **wanted):
        """(s, packet-hops) of all runs known that have these traits."""
        return [(entry["wall"], entry["hops"]) for entry in self.entries.values()
                if all(entry[key] == value for key, value in wanted.items())]


class Store:
    """Every run that was ever finished, by its key."""

    def __init__(self, base, scale, extra, tools):
        self.base = Path(base)
        self.base.mkdir(parents=True, exist_ok=True)
        self.scale = scale
        self.extra = extra
        self.tools = tools
        self.sources = _sources()
        self.index = Index(self.base / INDEX)

    def _sets(self, case):
        return {**case.sets(self.scale), **self.extra}

    def _quick(self, case, seed):
        """Names a run by all that its plan is made of."""
        built = [self.tools.kernel.id, self.tools.agent.parent.name,
                 *sorted(path.parent.name for path in self.tools.modules.values())]
        return _digest([SCENARIO.read_text(encoding="utf-8"), self.sources, seed,
                        json.dumps(self._sets(case), sort_keys=True), *built])

    def load(self, case, seed):
        """The run's scenario."""
        return scenario.load(str(SCENARIO), seed=seed, sets=self._sets(case))

    def _folder(self, case, loaded):
        """A run's place: by the text of its plan, modules, lab and seed."""
        key = _digest([plan.plan_hash(loaded, self.tools.where), self.tools.kernel.id,
                       self.tools.agent.parent.name, loaded.seed])
        return self.base / f"{self.scale.hosts}-{case.variant}-{case.balancer}-" \
            f"{case.bar}-{loaded.seed}-{key}"

    def known(self, case, seed):
        """The folder of a finished run, or None."""
        name = self.index.folder(self._quick(case, seed))
        return self.base / name if name and (self.base / name).exists() else None

    def run(self, case, seed):
        """The Point of a run, which is carried out if it never was."""
        known = self.known(case, seed)
        point = stored_point(known) if known else None
        if point:
            return point
        loaded = self.load(case, seed)
        folder = self._folder(case, loaded)
        if folder != known and folder.exists():
            point = stored_point(folder)
        if not point:
            self._carry_out(loaded, folder)
            point = read_point(folder)
        self.index.add(self._quick(case, seed), folder=folder.name, wall=point.wall,
                       hops=point.hops, hosts=self.scale.hosts,
                       **dataclasses.asdict(case))
        return point

    def _carry_out(self, loaded, folder):
        """Run it beside its place and move it there only when it is whole."""
        half = folder.with_name(folder.name + ".part")
        result = runner.execute(loaded, self.tools, half)
        if result["problems"]:
            raise RunError(f"{half}: " + "; ".join(result["problems"]))
        shutil.rmtree(folder, ignore_errors=True)
        half.rename(folder)


# How long it will take

def work(loaded):
    """Packet-hops of a run in which nothing queues: each packet and its ACK."""
    flows, end = bound.bounds(loaded)
    total = 0
    for item in flows.values():
        packets = item.packets
        if item.flow.forever:
            packets = end * item.line // (8 * 10**9 * loaded.network.mtu)
        total += 2 * packets * len(item.there)
    return total


class Forecast:
    """Seconds of runs, from those done before, or else from one of small flows."""

    def __init__(self, store):
        self.store = store
        self.cost = None            # s per packet-hop
        self.source = ""
        self.works = {}             # variant -> packet-hops

    def calibrate(self):
        """What a packet costs on one hop, on this machine."""
        done = self.store.index.times()
        if done:
            self.cost = statistics.median(wall / hops for wall, hops in done)
            self.source = f"{len(done)} runs done before"
            return
        loaded = scenario.load(str(SCENARIO), sets={
            **Case("baseline", "oblivious", "mswift").sets(self.store.scale),
            **self.store.extra, "size": CALIBRATION_SIZE})
        folder = self.store.base / "calibration"
        result = runner.execute(loaded, self.store.tools, folder)
        hops = sum(link["packets"] for link in result["links"].values())
        self.cost = result.wall_s / hops
        self.source = f"a run of {loaded.title}, {result.wall_s:.1f} s"
        shutil.rmtree(folder)

    def seconds(self, case):
        """Of one run: as its like took, or by its work."""
        alike = self.store.index.times(hosts=self.store.scale.hosts,
                                       **dataclasses.asdict(case))
        if alike:
            return statistics.fmean(wall for wall, _ in alike)
        if case.variant not in self.works:
            self.works[case.variant] = work(
                self.store.load(Case(case.variant, "oblivious", "mswift"), 1))
        return self.works[case.variant] * self.cost


def show_time(seconds):
    """'2 h 5 min', '12 min', '40 s'."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 100 else f"{minutes} min"


def foresee(cases, seeds, store, jobs):
    """Says how long the runs will take that are still to be done."""
    todo = [(case, seed) for seed in seeds for case in cases
            if not store.known(case, seed)]
    said = f"figures: {len(cases) * len(seeds)} runs, {len(todo)} still to do"
    if todo:
        forecast = Forecast(store)
        forecast.calibrate()
        each = [forecast.seconds(case) for case, _ in todo]
        # what runs last runs alone
        total = max(sum(each) / jobs, max(each))
        said += f": some {show_time(total)}, {jobs} at a time (by {forecast.source})"
    print(said, flush=True)


# Carrying out

class Progress:
    """A line on the standard error for every run."""

    def __init__(self, total):
        self.total = total
        self.done = 0
        self.begin = time.monotonic()
        self.lock = threading.Lock()

    def __call__(self, case, seed, said):
        with self.lock:
            self.done += 1
            spent = time.monotonic() - self.begin
            print(f"  {self.done}/{self.total} {case.variant} {case.balancer}"
                  f" {case.bar} seed {seed}: {said}; {show_time(spent)} in all",
                  file=sys.stderr, flush=True)


def run_all(cases, seeds, store, jobs):
    """({case: {seed: Point}}, [what failed]); a run that fails stops no other."""
    progress = Progress(len(cases) * len(seeds))

    def one(case, seed):
        try:
            point = store.run(case, seed)
        except LabError as error:
            progress(case, seed, "failed")
            raise RunError(f"{case.variant} {case.balancer} {case.bar} seed {seed}:"
                           f" {error}") from None
        progress(case, seed, f"{point.inflation:.1f} %, {point.rto} RTOs"
                             f" ({point.wall:.0f} s)")
        return point
    todo = [(case, seed) for seed in seeds for case in cases]
    found = runner.run_many([functools.partial(one, *item) for item in todo], jobs)
    points = {case: {} for case in cases}
    for (case, seed), outcome in zip(todo, found):
        if not isinstance(outcome, LabError):
            points[case][seed] = outcome
    return points, [outcome for outcome in found if isinstance(outcome, LabError)]
