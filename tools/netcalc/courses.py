# SPDX-License-Identifier: GPL-2.0
"""What `netcalc run` computes, as curves, and pictures of curves: for all that draws."""

import contextlib
import csv
import math
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "lab"))

import ending  # noqa: E402, F401  first: Ctrl-C is quiet while the rest loads
from lablib import plot  # noqa: E402
from lablib.errors import LabError  # noqa: E402

QUANTITIES = ("Ahat", "D", "backlog", "window")
COLUMNS = {"Ahat": "Ahat", "D": "D", "backlog": "backlog", "window": "limit"}
TOTAL = "all"                   # netcalc's name of all flows together
RUN_S = 600                     # no model takes longer
MODEL_FILE = "the table of netcalc run --flows"
REFUSALS = (LabError, OSError, subprocess.TimeoutExpired)   # their message is all one needs
PICTURE_POINTS = 1000           # of a curve; more are not seen
NS_PER_MS = 10**6
ROW, COLUMN, EDGE = 22, 180, 72  # px: a row of a picture's head, a name in it, its left
THEMED = re.compile(r"var\(--\w+,(#\w+)\)")


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


def thinned(curve, span):
    """Points of the interval: of each column the lowest and the highest, at least."""
    start, end = span
    width = (end - start) / (PICTURE_POINTS / 2)
    columns = {}
    for t, y in combined([curve], start, end).points if curve.points else ():
        columns.setdefault(int((t - start) / width), []).append((t, y))
    kept = []
    for corners in columns.values():
        low, high = (pick(corners, key=lambda corner: corner[1]) for pick in (min, max))
        kept += sorted({corners[0], low, high, corners[-1]})
    return kept


# Files

@contextlib.contextmanager
def reading(path, what):
    """A file that turns out to be something else, or damaged, is told by its name."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError, csv.Error):
        raise LabError(f"'{path}' cannot be read; allowed: {what}") from None


# The model

def number(text):
    """A number, or a fraction of `run --exact`."""
    return float(Fraction(text)) if "/" in text else float(text)


def time_of(text):
    """A time of the table: unlike a limit it ends somewhere."""
    t = number(text)
    if not math.isfinite(t):
        raise ValueError(text)
    return t


def read_model(path):
    """{flow: {quantity: Curve}}, and which flow begins when."""
    flows = {}
    with reading(path, MODEL_FILE), open(path, encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        if not {"t_ns", "flow", *COLUMNS.values()} <= set(rows.fieldnames or ()):
            raise LabError(f"{path}: the first line is '{','.join(rows.fieldnames or ())}';"
                           " allowed: that of netcalc run --flows")
        for row in rows:
            curves = flows.setdefault(row["flow"], {name: Curve() for name in QUANTITIES})
            t = time_of(row["t_ns"])
            for name, column in COLUMNS.items():
                curves[name].points.append((t, number(row[column])))
    if not flows:
        raise LabError(f"{path}: no rows")
    return flows


def run_model(path):
    """The same of a case."""
    with tempfile.TemporaryDirectory(prefix="netcalc-") as folder:
        table = Path(folder) / "model.csv"
        with table.open("w", encoding="utf-8") as out:
            done = subprocess.run([HERE / "netcalc", "run", path, "--flows"], stdout=out,
                                  stderr=subprocess.PIPE, text=True, check=False,
                                  timeout=RUN_S)
        if done.returncode:
            raise LabError(done.stderr.strip())
        return read_model(table)


# Pictures

def _legend(curve, number_of):
    """A curve's name, in rows below the title."""
    per_row = 3
    x, y = EDGE + COLUMN * (number_of % per_row), ROW * (number_of // per_row + 1)
    return (f"<g transform='translate({x},{y + ROW // 2})'>"
            f"<path d='M0 0H28' stroke='{plot.PALETTE[curve.color]}' stroke-width='2.5'"
            f"{' stroke-dasharray=' + repr('6 4') if curve.dashed else ''}/>"
            f"<text x='34' y='5'>{escape(curve.label)}</text></g>", y + ROW)


def write_svg(diagram, path, title):
    """The picture with its title and legend, so that it stands alone.

    A page would name its colours; here they are what they are, on white. Dots have
    their curve's colour, and no name of their own.
    """
    curves = [curve for curve in diagram.drawn() if not curve.dots]
    body = plot.svg(diagram, title)
    body = body[body.index(">") + 1:body.rindex("</svg>")] if body else ""
    head = f"<text x='{EDGE}' y='16'>{escape(title)}</text>"
    top = ROW
    for number_of, curve in enumerate(curves if len(curves) > 1 else ()):
        text, top = _legend(curve, number_of)
        head += text
    text = (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {diagram.width}"
            f" {diagram.height + top}' width='{diagram.width}' height='{diagram.height + top}'"
            f" font-family='sans-serif' font-size='{plot.FONT_SIZE}' fill='{plot.INK}'>\n"
            f"<rect width='100%' height='100%' fill='#fff'/>\n{head}\n"
            f"<g transform='translate(0,{top})'>{body}</g></svg>\n")
    Path(path).write_text(THEMED.sub(r"\1", text), encoding="utf-8")
