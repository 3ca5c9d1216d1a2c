# SPDX-License-Identifier: GPL-2.0
"""What `netcalc run` computes, as curves, and pictures of curves: for compare and sweep."""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "lab"))

from lablib import plot  # noqa: E402
from lablib.errors import LabError  # noqa: E402

QUANTITIES = ("Ahat", "D", "backlog", "window")
COLUMNS = {"Ahat": "Ahat", "D": "D", "backlog": "backlog", "window": "limit"}
TOTAL = "all"                   # netcalc's name of all flows together
RUN_S = 600                     # no model takes longer


# Curves: points in order of time, straight between two; two at a time are a jump

class Curve:
    """A function of time by its corners; what is beyond its ends stays."""

    def __init__(self, points=()):
        self.points = list(points)

    def step(self, t, y):
        """From t on the value is y."""
        if self.points and self.points[-1][1] == y:
            return
        if self.points:
            self.points.append((t, self.points[-1][1]))
        self.points.append((t, y))

    def since(self, zero, stretch):
        """The same by a clock that began at `zero` and is so many times as slow."""
        return Curve(((t - zero) / stretch, y) for t, y in self.points)


class Reader:
    """Walks along a curve; times asked for must not fall."""

    def __init__(self, curve):
        self.points = curve.points
        self.next = 0

    def corner(self):
        """The time of the next corner, or None."""
        return self.points[self.next][0] if self.next < len(self.points) else None

    def _between(self, t):
        if not 0 < self.next < len(self.points):
            return self.points[min(self.next, len(self.points) - 1)][1]
        (t0, y0), (t1, y1) = self.points[self.next - 1:self.next + 1]
        return y0 if t1 == t0 else y0 + (y1 - y0) * (t - t0) / (t1 - t0)

    def before(self, t):
        """The value just before t; corners before t are passed."""
        while self.next < len(self.points) and self.points[self.next][0] < t:
            self.next += 1
        return self._between(t)

    def after(self, t):
        """The value just after t; corners at t are passed, too."""
        while self.next < len(self.points) and self.points[self.next][0] <= t:
            self.next += 1
        return self._between(t)


def segments(curves, start, end):
    """(t0, t1, values just after t0, values just before t1) of straight parts."""
    readers = [Reader(curve) for curve in curves]
    t = start
    while t < end:
        first = [reader.after(t) for reader in readers]
        ahead = [corner for reader in readers
                 if (corner := reader.corner()) is not None]
        until = min([end, *ahead])
        yield t, until, first, [reader.before(until) for reader in readers]
        t = until


def combined(curves, start, end, what=sum):
    """The sum of curves, or what else keeps straight lines straight."""
    points = []
    for t0, t1, first, last in segments(curves, start, end):
        for point in ((t0, what(first)), (t1, what(last))):
            if points[-1:] != [point]:
                points.append(point)
    return Curve(points)


# The model

def read_model(path):
    """{flow: {quantity: Curve}}, and which flow begins when."""
    flows = {}
    with open(path, encoding="ascii", newline="") as lines:
        rows = csv.DictReader(lines)
        if not {"t_ns", "flow", *COLUMNS.values()} <= set(rows.fieldnames or ()):
            raise LabError(f"{path}: the first line is '{','.join(rows.fieldnames or ())}';"
                           " allowed: that of netcalc run --flows")
        for row in rows:
            curves = flows.setdefault(row["flow"], {name: Curve() for name in QUANTITIES})
            t = float(row["t_ns"])
            for name, column in COLUMNS.items():
                curves[name].points.append((t, float(row[column])))
    if not flows:
        raise LabError(f"{path}: no rows")
    return flows


def run_model(path):
    """The same of a case."""
    with tempfile.TemporaryDirectory(prefix="netcalc-") as folder:
        table = Path(folder) / "model.csv"
        with table.open("w", encoding="ascii") as out:
            done = subprocess.run([HERE / "netcalc", "run", path, "--flows"], stdout=out,
                                  stderr=subprocess.PIPE, text=True, check=False,
                                  timeout=RUN_S)
        if done.returncode:
            raise LabError(done.stderr.strip())
        return read_model(table)


def write_svg(diagram, path, title):
    """The picture with its legend inside, so that it stands alone."""
    text = plot.svg(diagram, title)
    legend = "".join(
        f"<g transform='translate({diagram.width - 130},{24 + 18 * row})'>"
        f"<path d='M0 0H28' stroke='{plot.PALETTE[curve.color]}' stroke-width='2.5'"
        f"{' stroke-dasharray=' + repr('6 4') if curve.dashed else ''}/>"
        f"<text x='34' y='5' font-size='14' fill='{plot.INK}'>{curve.label}</text></g>"
        for row, curve in enumerate(diagram.drawn()))
    Path(path).write_text(text.replace("</svg>", legend + "</svg>"), encoding="utf-8")
