# SPDX-License-Identifier: GPL-2.0
"""Carries runs out, and keeps what was judged of each under what it was made of."""

import functools
import hashlib
import inspect
import json
import shutil
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from lablib import plan, runner, scenario, series
from lablib.errors import LabError

from . import catalogue, judge, variants, why

ROWS = "rows.jsonl"
TELL = 50                       # runs between lines that say how far it is
A_RUN_S = 2                     # of one core, where nothing is known yet


@dataclass(frozen=True)
class Run:
    """One draw by one algorithm."""

    family: str
    seed: int
    variant: variants.Variant

    @property
    def case(self):
        """What the seed drew."""
        return _case(self.family, self.seed)

    @property
    def text(self):
        """Its scenario."""
        return self.variant.of(self.case)


@functools.lru_cache(maxsize=None)
def _case(family, seed):
    return catalogue.FAMILIES[family].make(seed)


def _judged_by(case):
    """The source of what judges a case: judged otherwise, it is another row."""
    name = case.judge.__qualname__.partition(".")[0]
    return inspect.getsource(getattr(judge, name))


class Store:
    """Rows by the hash of plan, kernel, agent, modules and judge: a change of any runs it
    again."""

    def __init__(self, folder, tools):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tools = tools
        self.path = self.folder / ROWS
        self.rows = {}
        self.keys = {}          # of runs, since compiling a scenario takes a while
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self.rows[row["key"]] = row

    def key(self, run):
        """What a run's result depends on."""
        if run not in self.keys:
            self.keys[run] = self._key(run)
        return self.keys[run]

    def _key(self, run):
        loaded = scenario.load(run.text, seed=run.seed)
        parts = (plan.plan_hash(loaded, self.tools.where), self.tools.kernel.id,
                 self.tools.agent.parent.name, run.seed, run.family, _judged_by(run.case),
                 inspect.getsource(why.facts))
        return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]

    def measure(self, run):
        """The row of a run: kept, or carried out now."""
        key = self.key(run)
        if key not in self.rows:
            self.keep({"key": key, "family": run.family, "seed": run.seed,
                       "algorithm": run.variant.name, **self._carry_out(run, key)})
        return self.rows[key]

    def keep(self, row):
        """A row that was made here or elsewhere."""
        self.rows[row["key"]] = row
        with self.path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")

    def _carry_out(self, run, key):
        folder, begin = self.folder / key, time.monotonic()
        loaded = scenario.load(run.text, seed=run.seed)
        result = runner.execute(loaded, self.tools, folder)
        flows, links = series.load(folder, "flows"), series.load(folder, "links")
        row = {"row": run.case.judge(result, flows, links),
               "facts": why.facts(result, flows, run.case.net)}
        shutil.rmtree(folder)
        return {**row, "wall": round(time.monotonic() - begin, 2)}


def foresee(runs, store, jobs):
    """Says how long what is missing will take, by what its like took."""
    walls = {}
    for row in store.rows.values():
        walls.setdefault(row["family"], []).append(row["wall"])
    todo = [run for run in runs if store.key(run) not in store.rows]
    seconds = sum(statistics.fmean(walls.get(run.family, [A_RUN_S])) for run in todo)
    print(f"families: {len(runs)} runs, {len(todo)} still to do: some"
          f" {seconds / jobs / 60:.0f} min, {jobs} at a time", file=sys.stderr, flush=True)


def carry_out(runs, store, jobs):
    """[row or LabError] of all runs, in their order."""
    def one(number, run):
        try:
            row = store.measure(run)
        except LabError as error:
            print(f"families: {run.family} {run.seed} {run.variant.name}: {error}",
                  file=sys.stderr, flush=True)
            raise
        if number % TELL == 0:
            print(f"  {number}/{len(runs)} {run.family} {run.seed}", file=sys.stderr,
                  flush=True)
        return row
    return runner.run_many([functools.partial(one, n, run) for n, run in enumerate(runs)], jobs)
