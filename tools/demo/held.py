# SPDX-License-Identifier: GPL-2.0
"""The demo's second scene: a path that is really congested, on Linux as it is.

A cubic flow that ECMP keeps on one path (an elephant) fills that path's buffer;
another flow sprays over all of them. What Linux's reordering tolerance spares
loss-based algorithms when a path is merely longer, it does not spare them here.
"""

import functools
from dataclasses import dataclass
from pathlib import Path

import sprayed
from lablib import page, report, runner, scenario, units
from lablib.errors import LabError, RunError

SCENARIO = Path(sprayed.__file__).resolve().parents[1] / "lab/scenarios/elephant.lab"
PATHS = 16
SPAN = (20, 80)                 # ms, as elephant.lab measures
NAMES = ("mswift", "lswift", "swift", "dctcp", "cubic", "reno", "bbr")
TITLE = "A path that is really congested"
TEXT = (f"Now nothing is longer, but one of {PATHS} paths is held by a cubic"
        " elephant: an ordinary flow that ECMP keeps on that path and that fills its"
        " buffer (four bandwidth-delay products). A sixteenth of the sprayed flow's"
        " packets wait behind it, and some are lost there. This is Linux as it is,"
        " and its RACK no longer helps: reno, cubic, dctcp and swift give up most of"
        " fifteen free paths. What mswift lacks to the whole line are packets that"
        " come later than the stack's reordering window allows and are sent again.")


@dataclass
class Held:
    """What one sprayed flow measured beside the elephant."""

    goodput: float              # bit/s
    share: float                # of the payload the line can carry
    elephant: float             # the elephant's goodput, bit/s
    retrans: float              # share of packets sent again


def run_one(name, tools, base, seed):
    """Run one algorithm beside the elephant."""
    loaded = scenario.load(str(SCENARIO), seed=seed, sets={
        "cc": name, "n": str(PATHS), "least": "0%"})
    result = runner.execute(loaded, tools, Path(base) / f"held-{name}")
    if result.exit_code:
        raise RunError(f"the run of {name} beside an elephant failed: "
                       + "; ".join(result["problems"]))
    flows = report.read_series(result.folder, "flows", ("bytes_received",))
    rate = {flow: sprayed.grown(track, "bytes_received", SPAN) * 8 * sprayed.NS_PER_S
            / sprayed.grown(track, "t", SPAN) for flow, track in flows.items()}
    flow = result["flows"]["f1"]
    return Held(rate["f1"], rate["f1"] / flow["capacity"], rate["elephant"],
                flow["retrans"] / flow["packets"])


def run_all(tools, base, seed, workers):
    """{algorithm: Held}; the first failed run is raised."""
    jobs = [functools.partial(run_one, name, tools, base, seed) for name in NAMES]
    found = runner.run_many(jobs, workers)
    for outcome in found:
        if isinstance(outcome, LabError):
            raise outcome
    return dict(zip(NAMES, found))


def rows(points):
    """The table, header first."""
    table = [("", "sprayed flow", "of the line", "elephant", "sent again")]
    for name, point in points.items():
        table.append((name, units.show_rate(point.goodput), f"{point.share:.1%}",
                      units.show_rate(point.elephant), f"{point.retrans:.2%}"))
    return table


def body(points):
    """The section of the report."""
    cells = []
    for name, _, share, elephant, retrans in rows(points)[1:]:
        point = points[name]
        look = "bad" if point.share < points["mswift"].share / 2 else ""
        cells.append([name, page.cell(f"{units.show_rate(point.goodput)} ({share})",
                                      look, point.share), elephant, retrans])
    head = ["algorithm", "sprayed flow (of the line)", "elephant", "sent again"]
    return (page.heading(TITLE) + page.paragraph(TEXT) + page.table(head, cells)
            + page.fold("The scenario's text", SCENARIO.read_text(encoding="utf-8")))
