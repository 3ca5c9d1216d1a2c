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
import story
from lablib import page, report, runner, scenario
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
        " and its RACK no longer helps loss-based algorithms. The queue of a flow's own"
        " making is what its packets wait outside the elephant's path. What mswift and lswift"
        " send again are packets of that one path, up to 6.25 % of all: they wait for a late"
        " packet as long as a round trip takes, and the elephant's queue is longer.")


@dataclass
class Held:
    """What one sprayed flow measured beside the elephant."""

    goodput: float              # bit/s
    share: float                # of the payload the line can carry
    queue: float                # mean wait of a packet outside the elephant's path, ns
    elephant: float             # the elephant's goodput, bit/s
    retrans: float              # share of packets sent again


def own_queue(links):
    """How long a packet of the sprayed flow waits behind its own kind, ns.

    At the sender's link, on the paths that the elephant does not hold (it is where
    most packets are) and at the receiver's link.
    """
    packets = {name: sprayed.grown(track, "tx_packets", SPAN) for name, track in links.items()}
    paths = [name for name in links if name.startswith("path") and name.endswith(":ab")]
    paths.remove(max(paths, key=packets.get))
    waits = 0
    for stage in (["a1-s1:ab"], paths, ["s2-b1:ab"]):
        waited = sum(sprayed.grown(links[name], "wait_ns_sum", SPAN) for name in stage)
        waits += waited / max(sum(packets[name] for name in stage), 1)
    return waits


def run_one(name, tools, base, seed, progress):
    """Run one algorithm beside the elephant."""
    loaded = scenario.load(str(SCENARIO), seed=seed, sets={
        "cc": name, "n": str(PATHS), "least": "0%"})
    result = runner.execute(loaded, tools, Path(base) / f"held-{name}")
    if result.exit_code:
        raise RunError(f"the run of {name} beside an elephant failed: "
                       + "; ".join(map(str, result["problems"] or result.failed_expects)))
    flows = report.read_series(result.folder, "flows", ("bytes_received", "retrans"))
    links = report.read_series(result.folder, "links", ("tx_packets", "wait_ns_sum"))
    rate = {flow: sprayed.grown(track, "bytes_received", SPAN) * 8 * sprayed.NS_PER_S
            / sprayed.grown(track, "t", SPAN) for flow, track in flows.items()}
    flow = result["flows"]["f1"]
    packets = sprayed.grown(links["a1-s1:ab"], "tx_packets", SPAN)
    progress(f"{name} beside an elephant", rate["f1"])
    return Held(rate["f1"], rate["f1"] / flow["capacity"], own_queue(links),
                rate["elephant"], sprayed.grown(flows["f1"], "retrans", SPAN) / max(packets, 1))


def run_all(tools, base, seed, workers, progress):
    """{algorithm: Held}; the first failed run is raised."""
    jobs = [functools.partial(run_one, name, tools, base, seed, progress) for name in NAMES]
    found = runner.run_many(jobs, workers)
    for outcome in found:
        if isinstance(outcome, LabError):
            raise outcome
    return dict(zip(NAMES, found))


def rows(points):
    """The table, header first."""
    table = [("", "sprayed flow", "of the line", "queue of its own", "elephant", "sent again")]
    for name, point in points.items():
        table.append((name, story.gbps(point.goodput), story.percent(point.share, story.LINE_DIGITS),
                      story.micros(point.queue), story.gbps(point.elephant),
                      story.percent(point.retrans, 2)))
    return table


def finding(points):
    """What the table shows, in a sentence."""
    ours = points["mswift"]
    better, worse = story.split([name for name in points if name != "mswift"],
                                lambda name: points[name].share > ours.share)
    text = (f"mswift keeps {story.percent(ours.share)} of the line and makes a queue of"
            f" {story.micros(ours.queue)};"
            + "".join(f" {name} keeps {story.percent(points[name].share)}, with a queue of"
                      f" {story.micros(points[name].queue)};" for name in better))
    return text + " less keep " + story.listed(
        f"{name} ({story.percent(points[name].share)})" for name in worse) + "."


def body(points):
    """The section of the report."""
    cells = []
    for name, rate, share, queue, elephant, retrans in rows(points)[1:]:
        point = points[name]
        look = "bad" if point.share < points["mswift"].share / 2 else ""
        cells.append([name, page.cell(f"{rate} ({share})", look, point.share), queue,
                      elephant, retrans])
    head = ["algorithm", "sprayed flow (of the line)", "queue of its own", "elephant",
            "sent again"]
    return (page.heading(TITLE) + page.paragraph(TEXT) + page.paragraph(finding(points))
            + page.table(head, cells)
            + page.fold("The scenario's text", SCENARIO.read_text(encoding="utf-8")))
