# SPDX-License-Identifier: GPL-2.0
"""`lab report`: what runs measured, as one HTML page for people.

One run gets its tables and its curves over time; several are set side by side.
The page holds everything it shows: no script, nothing loaded from elsewhere.
"""

import argparse
import bisect
import csv
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from . import algorithms, page, runner, units
from .errors import EXIT_OK, LabError
from .plot import ALGORITHM_COLORS, CURVES_MOST, MODEL_COLOR, Curve, Plot
from .expect import AGGREGATES
from .results import FORMAT, show_sizes
from .series import ACKS

BITS = 8
FLOW_CURVES = 6                 # more curves in one plot cannot be told apart
LINK_CURVES = 4
FLOWS_SHOWN = 20
LINKS_SHOWN = 12
POINTS = 200                    # per curve; finer is not seen
RATE_POINTS = 100               # of throughput, which comes in whole packets
CDF_MIN = 8                     # finished flows that make a distribution
LOG_SPREAD = 20                 # largest / smallest from which an axis is logarithmic
SUMMED = ("throughput", "window", "rtt")
# Of a result, without which there is no page.
NEEDED = ("title", "scenario", "scenario_hash", "kernel", "seed", "variables", "virtual_ns",
          "trace_hash", "problems", "summary", "flows", "links", "expects")


# Reading

@dataclass
class Run:
    """A finished run: its document, its directory, its name on the page."""

    result: dict
    folder: Path
    label: str = ""

    @property
    def flows(self):
        """The flows' part of the document."""
        return self.result["flows"]

    def busiest(self, count=LINK_CURVES):
        """Link directions with the longest mean queue, the longest first."""
        links = self.result["links"]
        used = [name for name in links if links[name]["queue.mean"] >= 1]
        used.sort(key=lambda name: -links[name]["queue.mean"])
        return used[:count]


def read_run(folder):
    """A run's directory; complains if it holds no results."""
    path = Path(folder) / "results.json"
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise LabError(f"the directory '{folder}' has no results.json; allowed:"
                       " directories that `lab run` wrote") from None
    except ValueError as error:
        raise LabError(f"'{path}' is no JSON document: {error}") from None
    if not isinstance(result, dict) or result.get("format") != FORMAT:
        raise LabError(f"'{path}' is not in format {FORMAT} of results; allowed:"
                       " what this version of `lab run` wrote")
    missing = [name for name in NEEDED if name not in result]
    if missing:
        raise LabError(f"'{path}' has no '{missing[0]}': it is damaged; run it again")
    return Run(result, Path(folder))


def find_runs(folders):
    """The runs in these directories, or one level below (as --seeds makes)."""
    found = []
    for folder in folders:
        below = sorted(path.parent for path in Path(folder).glob("*/results.json"))
        inside = (Path(folder) / "results.json").exists()
        found += [folder] if inside or not below else below
    runs = [read_run(folder) for folder in found]
    name_runs(runs)
    return runs


def name_runs(runs):
    """Label each run by what sets it apart from the others."""
    def traits(run):
        return {"scenario": run.result["scenario"], **run.result["variables"],
                "seed": str(run.result["seed"])}
    every = [traits(run) for run in runs]
    names = {name for one in every for name in one
             if len({other.get(name) for other in every}) > 1}
    for run, one in zip(runs, every):
        words = [f"{name}={value}" for name, value in one.items() if name in names]
        run.label = " ".join(words) or run.folder.name
    labels = [run.label for run in runs]
    for run in runs:
        if labels.count(run.label) > 1:
            run.label += f" ({run.folder.name})"


def _tracks(rows, columns, wanted):
    """The rows behind the names of the columns, as read_series has them."""
    place = {column: number for number, column in enumerate(next(rows, ()))}
    found = {}
    for row in rows:
        key = row[place["id"]]
        if "dir" in place:
            key += ":" + row[place["dir"]]
        if wanted is not None and key not in wanted:
            continue
        track = found.setdefault(key, {column: [] for column in columns})
        for column in columns:
            track[column].append(int(row[place[column]]))
    return found


def read_series(folder, name, columns, wanted=None):
    """{id: {column: [values]}}, with the times as column t.

    Row by row: the series of a large network would not fit in memory.
    """
    path = Path(folder) / f"{name}.csv"
    if not path.exists():
        return {}
    with path.open(encoding="ascii", newline="") as lines:
        rows = csv.reader(lines)
        try:
            return _tracks(rows, ("t", *columns), wanted)
        except (IndexError, KeyError, ValueError) as error:
            raise LabError(f"'{path}', line {rows.line_num}: {error}: it is damaged;"
                           " run it again") from None


def scenario_text(run):
    """The scenario's own text, where it can be had for certain; else ''.

    A file is only believed if it hashes to what the results name.
    """
    name = run.result["scenario"]
    said = "".join(f"\n{key}={value}"
                   for key, value in sorted(run.result["variables"].items()))
    for path in (run.folder / runner.SCENARIO_FILE,
                 algorithms.LAB / "scenarios" / f"{name}.lab"):
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        digest = hashlib.sha256((text + said).encode()).hexdigest()
        if digest.startswith(run.result["scenario_hash"]):
            return text
    return ""


# Time series into curves

def _groups(times, most=POINTS):
    """Pairs of indices (first, last + 1) of at most so many groups of samples."""
    step = -(-len(times) // most)
    return [(first, min(first + step, len(times)))
            for first in range(0, len(times), step or 1)]


def grown_points(track, column, scale=1.0, most=POINTS):
    """(ms, growth of a cumulative column per second), group by group."""
    times, values = track["t"], track[column]
    points, before, value = [], 0, 0
    for _, end in _groups(times, most):
        span = times[end - 1] - before
        if span > 0 and before:
            points.append((times[end - 1] / 1e6,
                           (values[end - 1] - value) * scale * 1e9 / span))
        before, value = times[end - 1], values[end - 1]
    return points


def mean_points(track, column, scale=1.0):
    """(ms, mean of a column), group by group."""
    points = []
    for first, end in _groups(track["t"]):
        mean = sum(track[column][first:end]) / (end - first)
        points.append((track["t"][end - 1] / 1e6, mean * scale))
    return points


def summed(tracks):
    """All flows as one track: bytes added up, window and RTT as means.

    A flow's last row is of when it ended, between two samples of the others; there alone
    its bytes would be a peak.
    """
    times = sorted({when for track in tracks.values() for when in track["t"][:-1]}
                   | {max((track["t"][-1] for track in tracks.values()), default=0)})
    total = {"t": times, "bytes_received": [0] * len(times),
             "cwnd": [0] * len(times), "rtt_us": [0] * len(times)}
    place = {when: number for number, when in enumerate(times)}
    active = [0] * len(times)
    for track in tracks.values():
        reached = {bisect.bisect_left(times, when): got
                   for when, got in zip(track["t"], track["bytes_received"])}
        held = 0
        for number in range(len(times)):
            held = reached.get(number, held)
            total["bytes_received"][number] += held
        for row, when in enumerate(track["t"]):
            if when not in place:
                continue
            active[place[when]] += 1
            for column in ("cwnd", "rtt_us"):
                total[column][place[when]] += track[column][row]
    for column in ("cwnd", "rtt_us"):
        total[column] = [value / (count or 1)
                         for value, count in zip(total[column], active)]
    return total


FLOW_COLUMNS = ("bytes_received", "cwnd", "rtt_us")
FLOW_PLOTS = {
    "throughput": ("Gbps", lambda track: grown_points(track, "bytes_received",
                                                      BITS / 1e9, RATE_POINTS)),
    "window": ("packets", lambda track: mean_points(track, "cwnd")),
    "rtt": ("us", lambda track: mean_points(track, "rtt_us")),
}


# column of acks.csv, title, unit, scale, caption
ALG_PLOTS = (
    ("delay", "Delay that was decided on", "us", 1e-3,
     "Of recorded flows, ACK by ACK: the delay as the algorithm takes it."),
    ("cwnd", "Window that was decided", "KB", 1 / 256e3,
     "In bytes, as fine as the algorithm has it."),
    ("share", "Share of the line", "u", 1e-6,
     "What the algorithm holds for its part of the line; 1 is all of it."),
    ("gradient", "Gradient of the delay", "g", 1e-6,
     "How fast the delay grows, as the algorithm took it: 1 when twice as much"
     " arrives as can leave."),
)


def colors(algorithms):
    """A colour per curve: its algorithm's where that tells the curves apart."""
    known = [ALGORITHM_COLORS.get(name) for name in algorithms]
    if None in known or len(set(known)) < len(known):
        return list(range(len(algorithms)))
    return known


def only_algorithm(run):
    """What all flows of a run use; "" if it is not one."""
    used = {flow["cc"] for flow in run.result["flows"].values()}
    return used.pop() if len(used) == 1 else ""


def queue_curves(run, names, prefix="", color=0):
    """The mean queues of some directions of links over time, in KB."""
    tracks = read_series(run.folder, "links", ("queue_byte_ns",), set(names))
    return [Curve(prefix + name, grown_points(tracks[name], "queue_byte_ns", 1e-12),
                  color + number)
            for number, name in enumerate(names) if name in tracks]


def distribution(values, of=None):
    """(value, share of all that are as small) of a cumulative distribution.

    Of more than have a value (`of`) the others are larger than any: it ends below 1.
    """
    values, of = sorted(values), of or len(values)
    return [(values[0], 0.0)] + [(value, (number + 1) / of)
                                 for number, value in enumerate(values)]


def finished(run, key, scale=1.0):
    """A figure of all flows that finished."""
    return [flow[key] * scale for flow in run.flows.values()
            if flow["fct"] is not None and flow[key] is not None]


def missing(run):
    """How many flows had an end to reach and did not."""
    return sum(bool(flow["size"]) and flow["fct"] is None for flow in run.flows.values())


def done_curve(run, name, values, color):
    """The distribution of a figure of flows that finished, among all that had an end."""
    return Curve(name, distribution(values, len(values) + missing(run)), color, steps=True)


def of_unfinished(runs):
    """What a caption says of flows that did not finish."""
    count = sum(map(missing, runs))
    return f" {count} unfinished: they count, and what they miss of 1 is theirs." if count \
        else ""


def cdf_plot(curves, x):
    """A plot of distributions; logarithmic if they are wide."""
    values = [value for curve in curves for value, _ in curve.points]
    low, high = min(values, default=1), max(values, default=1)
    wide = low > 0 and high / low > LOG_SPREAD
    return Plot(x, "share of flows", curves, log_x=wide, y_range=(0, 1.02))


# Texts that several places show

def factor(value):
    """1.2345 -> '1.234'."""
    return "-" if value is None else f"{value:.3f}"


def of_packets(count, packets):
    """'12 (0.1 %)'."""
    return f"{count} ({100 * count / packets:.2f} %)" if packets and count else str(count)


def ran(result):
    """Scenario, seed, kernel and length in one line."""
    return (f"Scenario {result['scenario']}, seed {result['seed']},"
            f" {units.show_time(result['virtual_ns'])} of virtual time on the real"
            f" Linux stack (lab kernel {result['kernel']}, trace"
            f" {result['trace_hash']}). The same three give the same bytes again.")


def what_ran(run):
    """Variables and text of the scenario, folded."""
    given = run.result["variables"]
    html = ""
    if given:
        html += page.paragraph("Variables: " + ", ".join(
            f"{name} = {value}" for name, value in given.items()), "soft")
    text = scenario_text(run)
    return html + (page.fold("The scenario's text", text) if text else "")


# One run

def run_tiles(run):
    """The figures of the run as a whole."""
    summary = run.result["summary"]
    pairs = [(units.show_rate(summary["goodput"]), "goodput of all flows"),
             (units.show_rate(summary["carried"]), "carried by the links into receivers"),
             (units.show_share(summary["utilisation"]), "links into receivers busy")]
    if summary["cct"] is not None:
        pairs += [(units.show_time(summary["cct"]), "until the last flow was done"),
                  (f"{factor(summary['cct_inflation'])} x",
                   "of an empty network's time")]
    if summary["flows"] > 1:
        pairs.append((factor(summary["jain"]), "fairness (Jain; 1 is equal)"))
    if summary["syn_lost"]:
        pairs.append((str(summary["syn_lost"]),
                      "flows lost a SYN and waited a second or more to connect"))
    if summary["unfinished"]:
        pairs.append((str(summary["unfinished"]), "flows not finished"))
    pairs += [(of_packets(summary["retrans"], summary["packets"]),
               f"retransmissions, {summary['spurious']} reported as needless"),
              (str(summary["rto"]), "timeouts"),
              (factor(summary["packets_per_ack"]), "packets per ACK"),
              (str(summary["drops"]), "packets dropped by links"),
              (str(summary["marks"]), "packets marked (ECN)")]
    return page.tiles(pairs)


def flow_table(run):
    """A row per flow, the first FLOWS_SHOWN."""
    top = max((flow["goodput"] for flow in run.flows.values()), default=0) or 1
    rows = []
    for name, flow in list(run.flows.items())[:FLOWS_SHOWN]:
        rows.append((name, page.cell(f"{flow['src']} to {flow['dst']}", "left"),
                     str(flow["cc"]), units.show_size(flow["size"]),
                     page.cell(units.show_rate(flow["goodput"]),
                               share=flow["goodput"] / top),
                     units.show_time(flow["fct"]), factor(flow["slowdown"]),
                     of_packets(flow["retrans"], flow["packets"]),
                     str(flow["spurious"]), str(flow["rto"]), str(flow["ce"])))
    html = page.table(("flow", "from, to", "algorithm", "size", "goodput", "FCT",
                       "slowdown", "retransmitted", "needless", "RTO", "CE"), rows)
    hidden = len(run.flows) - FLOWS_SHOWN
    return html + (page.paragraph(f"... and {hidden} more flows.", "soft")
                   if hidden > 0 else "")


def link_table(run):
    """The directions with the longest queues."""
    rows = []
    for name in run.busiest(LINKS_SHOWN):
        link = run.result["links"][name]
        rows.append((name, page.cell(units.show_share(link["utilisation"]),
                                     share=link["utilisation"]),
                     units.show_share(link["queued"]),
                     units.show_size(round(link["queue.mean"])),
                     units.show_size(link["queue.max"]),
                     units.show_time(round(link["queue_delay.mean"])),
                     str(link["drops"]), str(link["marks"])))
    return page.table(("link", "busy", "queued", "mean queue", "longest queue", "mean wait",
                       "drops", "marks"), rows) if rows else ""


def size_table(run):
    """The slowdown by size, where there are enough flows to speak of shares."""
    groups = run.result["summary"]["slowdown_by_size"]
    if sum(group["flows"] for group in groups) < CDF_MIN:
        return ""
    rows = [(show_sizes(group), str(group["flows"]), str(group["unfinished"]),
             *(factor(group[how]) for how in AGGREGATES)) for group in groups]
    return page.heading("Slowdown by size") + page.table(
        ("flows of", "number", "unfinished", *AGGREGATES), rows)


def expect_table(run):
    """What the scenario wanted and what came."""
    rows = [(item["text"], page.cell(item["shown"] + (
        f" ({item['who']})" if item["who"] else "")), item["shown_wanted"],
        page.cell("holds" if item["ok"] else "fails",
                  "good" if item["ok"] else "bad"))
            for item in run.result["expects"]]
    return page.table(("expected", "measured", "wanted", ""), rows) if rows else ""


def largest_flows(run, among=None):
    """The flows that moved the most bytes, in the document's order."""
    names = [name for name in run.flows if among is None or name in among]
    most = sorted(names, key=lambda name: -run.flows[name]["bytes"])[:FLOW_CURVES]
    return [name for name in names if name in most]


def _flow_curves(run, tracks, kind):
    names = [name for name in largest_flows(run) if name in tracks]
    points = FLOW_PLOTS[kind][1]
    return [Curve(name, points(tracks[name]), color)
            for color, name in zip(colors([run.flows[name]["cc"] for name in names]), names)]


def _limit(curves, label, value):
    """A horizontal dashed line as long as the curves."""
    times = [x for curve in curves for x, _ in curve.points]
    if not times or not value:
        return []
    return [Curve(label, [(min(times), value), (max(times), value)],
                  MODEL_COLOR, dashed=True, width=1.4)]


def throughput_figures(run, tracks, some):
    """All flows together, where there are several, and one by one."""
    line = run.result["summary"]["line"] / 1e9
    one_by_one = _flow_curves(run, tracks, "throughput")
    total = "Payload that arrived in order. At the dashed line the network carries" \
        " all that it can, headers included."
    if len(tracks) == 1:
        return [page.figure("Throughput", Plot(
            "time (ms)", "Gbps", one_by_one + _limit(one_by_one, "line rate", line)),
            total)]
    together = [Curve("all flows", FLOW_PLOTS["throughput"][1](summed(tracks)),
                      colors([only_algorithm(run)])[0])]
    together += _limit(together, "line rate", line)
    return [page.figure("Throughput", Plot("time (ms)", "Gbps", together), total),
            page.figure("Throughput per flow", Plot("time (ms)", "Gbps", one_by_one),
                        "Curves on top of each other share fairly." + some)]


def flow_figures(run):
    """Throughput, window and RTT over time."""
    tracks = read_series(run.folder, "flows", FLOW_COLUMNS)
    if not tracks:
        return []
    some = "" if len(run.flows) <= FLOW_CURVES else \
        f" The {FLOW_CURVES} flows with the most bytes are shown."
    windows, delays = (_flow_curves(run, tracks, kind) for kind in ("window", "rtt"))
    floors = [flow["base_rtt"] for flow in run.flows.values()]
    nearest = ", nearest hosts" if len(set(floors)) > 1 else ""
    delays += _limit(delays, "empty network" + nearest, min(floors) / 1e3)
    return [
        *throughput_figures(run, tracks, some),
        page.figure("Window", Plot("time (ms)", "packets", windows),
                    "How many packets the sender may have on their way (cwnd)."
                    " Teeth are backing off and growing again." + some),
        page.figure("Round-trip time", Plot("time (ms)", "us", delays),
                    "As the sender smooths it. What is above the dashed line was"
                    " spent in queues or on longer paths." + some)]


def recorded(run):
    """The flows of which ACKs were recorded."""
    return read_series(run.folder, ACKS, ()).keys()


def _targets(tracks, curves, scale):
    """The delay aimed at in the end, for each flow where they differ."""
    targets = {name: track["target"][-1] for name, track in tracks.items()}
    if len(set(targets.values())) == 1:
        targets = {"target": targets.popitem()[1]}
    else:
        targets = {f"target of {name}": value for name, value in targets.items()}
    return [line for name, value in targets.items()
            for line in _limit(curves, f"{name} at the end", value * scale)]


def alg_figures(run):
    """What the algorithms of recorded flows heard and decided."""
    tracks = read_series(run.folder, ACKS, [column for column, *_ in ALG_PLOTS]
                         + ["target"], set(largest_flows(run, recorded(run))))
    figures = []
    chosen = colors([run.flows[name]["cc"] for name in tracks])
    for column, title, unit, scale, caption in ALG_PLOTS:
        curves = [Curve(name, mean_points(track, column, scale), color)
                  for color, (name, track) in zip(chosen, tracks.items())
                  if any(track[column])]
        if column == "delay" and curves:
            curves += _targets(tracks, curves, scale)
        if curves:
            figures.append(page.figure(title, Plot("time (ms)", unit, curves),
                                       caption))
    return figures


def queue_figure(run):
    """The queues of the busiest links over time."""
    curves = queue_curves(run, run.busiest())
    return page.figure("Queues", Plot("time (ms)", "KB", curves),
                       "The links with the longest mean queues. A queue is delay"
                       " for everyone who passes; drops come when it is full.")


def cdf_figures(run):
    """Completion times and slowdowns, when there are enough flows."""
    times = finished(run, "fct", 1e-6)
    if len(times) < CDF_MIN:
        return []
    color = colors([only_algorithm(run)])[0]
    figures = [page.figure(
        "Completion times", cdf_plot([done_curve(run, "flows", times, color)], "FCT (ms)"),
        "For every time, the share of flows that were done by then. Steep is good:"
        " all took as long. A tail to the right is what the last ones wait for."
        + of_unfinished([run]))]
    slow = finished(run, "slowdown")
    if slow:
        figures.append(page.figure(
            "Slowdown", cdf_plot([done_curve(run, "flows", slow, color)],
                                 "times as long as alone"),
            "Each flow's time divided by what it would take in an empty network."
            " 1 is perfect." + of_unfinished([run])))
    return figures


def verdict(run):
    """Did the run do what it should?"""
    html = "".join(page.paragraph(f"Problem: {text}", "bad")
                   for text in run.result["problems"])
    failed = sum(not item["ok"] for item in run.result["expects"])
    total = len(run.result["expects"])
    if failed:
        html += page.paragraph(f"Expectations: {failed} of {total} fail.", "bad")
    elif total:
        html += page.paragraph(f"Expectations: {total} of {total} hold.", "good")
    return html


def one_run(run, title):
    """The body of a page about one run."""
    figures = [*flow_figures(run), queue_figure(run), *alg_figures(run),
               *cdf_figures(run)]
    html = f"<h1>{page.escape(title)}</h1>\n"
    html += page.paragraph(ran(run.result), "soft") + verdict(run) + what_ran(run)
    html += run_tiles(run)
    html += page.heading("Flows") + flow_table(run) + size_table(run)
    if any(figures):
        html += page.heading("Over time") + page.grid(figures)
    else:
        html += page.paragraph("No curves: the scenario has no line `sample"
                               " every=TIME`.", "soft")
    html += page.heading("Links with the longest queues") + link_table(run)
    if run.result["expects"]:
        html += page.heading("Expectations") + expect_table(run)
    return html


# Several runs

def _queue(run):
    """Mean wait at the link with the longest mean queue, ns."""
    worst = run.busiest(1)
    return run.result["links"][worst[0]]["queue_delay.mean"] if worst else 0.0


# (heading, value of a run, how to show it, a bar?)
COMPARED = (
    ("goodput", lambda run: run.result["summary"]["goodput"], units.show_rate, True),
    ("last flow done", lambda run: run.result["summary"]["cct"], units.show_time,
     False),
    ("of empty network", lambda run: run.result["summary"]["cct_inflation"],
     factor, True),
    ("FCT median", lambda run: run.result["summary"]["fct.p50"], units.show_time,
     False),
    ("FCT 99 %", lambda run: run.result["summary"]["fct.p99"], units.show_time,
     True),
    ("Jain", lambda run: run.result["summary"]["jain"], factor, False),
    ("wait at worst queue", _queue, lambda ns: units.show_time(round(ns)), True),
    ("retransmitted", lambda run: run.result["summary"]["retrans"], str, False),
    ("needless", lambda run: run.result["summary"]["spurious"], str, False),
    ("RTO", lambda run: run.result["summary"]["rto"], str, False),
    ("drops", lambda run: run.result["summary"]["drops"], str, False),
    ("marks", lambda run: run.result["summary"]["marks"], str, False),
)


def compare_table(runs):
    """A row per run; columns that no run has a value for are left out."""
    columns = [column for column in COMPARED
               if any(column[1](run) is not None for run in runs)]
    top = [max(column[1](run) or 0 for run in runs) for column in columns]
    rows = []
    for run in runs:
        cells = [run.label]
        for (_, value_of, show, bar), most in zip(columns, top):
            value = value_of(run)
            share = value / most if bar and most and value is not None else None
            cells.append(page.cell("-" if value is None else show(value),
                                   share=share))
        good = not run.result["problems"] and all(
            item["ok"] for item in run.result["expects"])
        cells.append(page.cell("ok" if good else "fails", "good" if good else "bad"))
        rows.append(cells)
    return page.table(("run", *(column[0] for column in columns), "expectations"),
                      rows)


def run_colors(runs):
    """A colour per run: its algorithm's where that tells the runs apart."""
    return colors([only_algorithm(run) for run in runs])


def compare_series(runs):
    """Figures over time with one curve per run."""
    tracks = [read_series(run.folder, "flows", FLOW_COLUMNS) for run in runs]
    sums = [summed(track) if len(track) > 1 else next(iter(track.values()), None)
            for track in tracks]
    many = any(len(track) > 1 for track in tracks)
    words = {"throughput": ("Throughput", "Payload that arrived in order, all flows"
                            " together."),
             "window": ("Window", "How many packets a sender may have on their way"
                        + (", mean of all flows." if many else ".")),
             "rtt": ("Round-trip time", "As the senders smooth it"
                     + (", mean of all flows." if many else "."))}
    figures = []
    for kind in SUMMED:
        unit, points = FLOW_PLOTS[kind]
        curves = [Curve(run.label, points(track) if track else [], color)
                  for color, run, track in zip(run_colors(runs), runs, sums)]
        title, caption = words[kind]
        figures.append(page.figure(title, Plot("time (ms)", unit, curves), caption))
    curves = [curve for color, run in zip(run_colors(runs), runs)
              for curve in queue_curves(run, run.busiest(1), f"{run.label}: ", color)]
    figures.append(page.figure(
        "Longest queue", Plot("time (ms)", "KB", curves),
        "Each run's own link with the longest mean queue."))
    return figures


def compare_cdfs(runs):
    """Distributions with one curve per run."""
    figures = []
    for key, scale, title, axis, caption in (
            ("fct", 1e-6, "Completion times", "FCT (ms)",
             "The share of flows done by a time. Further left is faster; steeper"
             " is more alike."),
            ("slowdown", 1, "Slowdown", "times as long as alone",
             "Each flow's time over that in an empty network. 1 is perfect.")):
        values = [finished(run, key, scale) for run in runs]
        drawn = [(color, run, found)
                 for color, run, found in zip(run_colors(runs), runs, values)
                 if len(found) >= CDF_MIN]
        curves = [done_curve(run, run.label, found, color) for color, run, found in drawn]
        if curves:
            figures.append(page.figure(title, cdf_plot(curves, axis), caption
                                       + of_unfinished(run for _, run, _ in drawn)))
    return figures


def several_runs(runs, title):
    """The body of a page that compares runs."""
    html = f"<h1>{page.escape(title)}</h1>\n"
    html += page.paragraph(f"{len(runs)} runs of the real Linux stack in virtual"
                           " time, side by side. Longer bars are larger values of"
                           " the same column.", "soft")
    html += page.heading("Side by side") + compare_table(runs)
    drawn = runs[:CURVES_MOST]
    figures = compare_series(drawn) + compare_cdfs(drawn)
    if any(figures):
        html += page.heading("Curves") + page.grid(figures)
    if len(drawn) < len(runs):
        html += page.paragraph(f"The curves are of the first {len(drawn)} runs;"
                               " more could not be told apart.", "soft")
    html += page.heading("What was run")
    for run in runs:
        html += page.paragraph(f"{run.label}: {run.result['title']}."
                               f" {ran(run.result)}", "soft")
    return html + what_ran(runs[0])


def render(runs, title=None):
    """The whole page about one run, or about several."""
    title = title or runs[0].result["title"]
    body = one_run(runs[0], title) if len(runs) == 1 else several_runs(runs, title)
    return page.document(title, body)


def write(path, html):
    """Write a page; the directory is made."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise LabError(f"the report '{path}' cannot be written:"
                       f" {error.strerror}") from None


def _text(word):
    """A word of the command line that the page shows: a page is UTF-8."""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"{word!a} is no UTF-8") from None
    return word


def _arguments(argv):
    parser = argparse.ArgumentParser(
        prog="lab report", description="Write one HTML page about one run, or one"
        " that compares several.")
    parser.add_argument("folders", nargs="+", metavar="DIR", type=_text,
                        help="what `lab run` wrote; with --seeds, also the"
                        " directory above")
    parser.add_argument("-o", "--output", metavar="FILE.html",
                        help="default: report.html in the (first) DIR")
    parser.add_argument("--title", type=_text, help="the page's title")
    return parser.parse_args(argv)


def main(argv):
    """`lab report ...`; returns the exit code."""
    args = _arguments(argv)
    try:
        output = Path(args.output or Path(args.folders[0]) / "report.html")
        write(output, render(find_runs(args.folders), args.title))
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return error.exit_code
    print(output)
    return EXIT_OK
