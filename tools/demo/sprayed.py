# SPDX-License-Identifier: GPL-2.0
"""The demo's measurement: which runs there are, and what is read from each."""

import functools
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

from lablib import report, runner, scenario
from lablib.errors import LabError, RunError

SCENARIO = Path(__file__).resolve().parent / "sprayed.lab"
FREE_PATHS = 8                  # paths of the runs in which none is longer
LINE, BASE_RTT = 10e9, 120e-6   # bit/s and seconds, as sprayed.lab says
MSS = 4024                      # payload of a 4096 byte IPv6 packet, bytes
TCP_CONSTANT = 1.22             # Table I, theorems 1 and 2
MAX_MDF, AI = 0.5, 1.0          # Swift's own, Table I, theorem 3
KEPT_SHARE = 0.95               # of its q = 0 throughput, that mswift must keep
PATHS, QUICK_PATHS = (64, 32, 16, 8, 4), (64, 16, 4)
SPAN, QUICK_SPAN = (30, 90), (20, 50)   # ms; the part that is measured
MS, NS_PER_S = 10**6, 10**9     # ns

# stack -> (variables of the scenario, algorithms)
STACKS = {
    "linux": ({"rack": "1", "max_reordering": "300", "dsack": "1"},
              ("mswift", "lswift", "swift", "dctcp", "cubic", "reno", "bbr")),
    "textbook": ({"rack": "0", "max_reordering": "3", "dsack": "0"},
                 ("mswift", "swift", "dctcp", "cubic", "reno")),
}


@dataclass(frozen=True)
class Case:
    """One run: a stack, an algorithm, and how many paths (0: none longer)."""

    stack: str
    cc: str
    paths: int

    @property
    def q(self):
        """The share of packets on the longer path."""
        return 1 / self.paths if self.paths else 0.0

    @property
    def q_text(self):
        """The share as people write it."""
        return f"1/{self.paths}" if self.paths else "0"

    def sets(self, end_ms):
        """The scenario's variables."""
        return {"cc": self.cc, "n": str(self.paths or FREE_PATHS),
                "extra": "100us" if self.paths else "0",
                **STACKS[self.stack][0], "time": f"{end_ms}ms"}

    def folder(self, base):
        """Where the run's results go."""
        return Path(base) / f"{self.stack}-{self.cc}-{self.paths}"


@dataclass
class Point:
    """What one run measured in its steady part."""

    goodput: float              # bit/s of payload
    share: float                # of what the line can carry
    wait: float                 # mean queueing delay of a packet, ns
    needless: float             # share of packets that nobody had lost
    folder: str


def cases(quick):
    """All runs, those with the most to show first."""
    paths = QUICK_PATHS if quick else PATHS
    return [Case(stack, cc, count) for stack, (_, names) in STACKS.items()
            for count in (0, *paths) for cc in names]


def table_one(kind, q):
    """Table I of the paper: bit/s when a share q of the packets comes late."""
    constant = TCP_CONSTANT if kind == "tcp" else sqrt((1 / MAX_MDF - 0.5) * AI)
    return min(8 * MSS / BASE_RTT * constant / sqrt(q), LINE)


def grown(track, column, span):
    """Growth of a cumulative column from the first to the last sample in a span."""
    inside = [row for row, when in enumerate(track["t"])
              if span[0] * MS <= when <= span[1] * MS]
    if len(inside) < 2:
        raise RunError(f"no samples between {span[0]} and {span[1]} ms")
    return track[column][inside[-1]] - track[column][inside[0]]


def measure(result, span):
    """The Point of a finished run.

    A retransmission is needless if no link dropped a packet for it: every drop
    is known, so there is no need to believe the receiver's reports.
    """
    flow = report.read_series(result.folder, "flows",
                              ("bytes_received", "retrans"))["f1"]
    links = report.read_series(result.folder, "links",
                               ("tx_packets", "drops", "wait_ns_sum"))
    there = [track for name, track in links.items() if name.endswith(":ab")]
    packets = max(grown(links["a-s1:ab"], "tx_packets", span), 1)
    drops = sum(grown(track, "drops", span) for track in there)
    waited = sum(grown(track, "wait_ns_sum", span) for track in there)
    goodput = (grown(flow, "bytes_received", span) * 8 * NS_PER_S
               / grown(flow, "t", span))
    retrans = grown(flow, "retrans", span)
    return Point(goodput, goodput / result["flows"]["f1"]["capacity"],
                 waited / packets, max(retrans - drops, 0) / packets,
                 str(result.folder))


def run_case(case, tools, base, seed, span, stop):
    """Run and measure one case; None if another one failed before."""
    if stop.is_set():
        return None
    try:
        loaded = scenario.load(str(SCENARIO), seed=seed, sets=case.sets(span[1]))
        result = runner.execute(loaded, tools, case.folder(base))
        if result.exit_code:
            wrong = result["problems"] + [
                f"'{item['text']}' measured {item['shown']}"
                for item in result.failed_expects]
            raise RunError("; ".join(wrong))
        return measure(result, span)
    except BaseException:
        stop.set()
        raise


def run_all(every, tools, base, seed, span, workers, progress):
    """{case: Point}; the first run that fails ends all and is raised.

    @progress is called after each run with its name and its goodput.
    """
    stop, points = threading.Event(), {}
    job = functools.partial(run_case, tools=tools, base=base, seed=seed,
                            span=span, stop=stop)
    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures = {pool.submit(job, case): case for case in every}
        try:
            for future in as_completed(futures):
                case, point = futures[future], None
                try:
                    point = future.result()
                except (LabError, OSError) as error:
                    raise RunError(f"the run {case.stack} {case.cc}"
                                   f" q={case.q_text} failed: {error}") from error
                if point:
                    points[case] = point
                    progress(f"{case.cc} at q = {case.q_text}", point.goodput)
        except BaseException:
            stop.set()
            runner.end_guests()
            raise
    return {case: points[case] for case in every}


def kept(points, case):
    """A case's throughput as a share of the same algorithm's at q = 0."""
    free = points[Case(case.stack, case.cc, 0)].goodput
    return points[case].goodput / free if free else 0.0


def broken_promises(points):
    """The cases in which mswift does not keep its throughput."""
    return [case for case in points
            if case.cc == "mswift" and kept(points, case) < KEPT_SHARE]


def as_rows(points):
    """The measured points for a JSON file."""
    rows = []
    for case, point in points.items():
        row = {**asdict(case), "q": case.q, **asdict(point),
               "kept": kept(points, case)}
        row["folder"] = Path(point.folder).name
        rows.append(row)
    return rows
