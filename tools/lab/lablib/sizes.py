# SPDX-License-Identifier: GPL-2.0
"""Distributions of flow sizes: points of a CDF, straight lines between them.

A file has a line `BYTES PROBABILITY` for each point: the share of flows that are
no larger. Everything is computed in fractions, so that a seed draws the same
sizes on every machine.
"""

from bisect import bisect_right
from fractions import Fraction
from pathlib import Path

from .errors import BadValue, unknown

FOLDER = Path(__file__).resolve().parents[1] / "sizes"
SUFFIX = ".cdf"
SIZE_MAX = 2**40                # bytes of one flow
POINTS_MAX = 10000


def named():
    """The distributions that come with the lab."""
    return sorted(path.stem for path in FOLDER.glob("*" + SUFFIX))


class Sizes:
    """One distribution: points (bytes, probability) from the first to 1."""

    def __init__(self, points, scale=Fraction(1)):
        self.points = [(size * scale, share) for size, share in points]
        self.shares = [share for _, share in points]

    def mean(self):
        """The mean size in bytes, exact."""
        size, share = self.points[0]
        total = size * share
        for (low, before), (high, upto) in zip(self.points, self.points[1:]):
            total += (upto - before) * (low + high) / 2
        return total

    def at(self, share):
        """The size below which this share of the flows is, rounded; 1 at least."""
        upper = min(bisect_right(self.shares, share), len(self.points) - 1)
        low, before = self.points[max(upper - 1, 0)]
        high, upto = self.points[upper]
        if upto > before:
            low += (high - low) * (share - before) / (upto - before)
        return max(int(low + Fraction(1, 2)), 1)

    def draw(self, draw):
        """One flow's size."""
        return self.at(Fraction(draw.bits(), 2**64))


def _point(line):
    words = line.split()
    try:
        size, share = map(Fraction, words)
    except (ValueError, ZeroDivisionError):
        raise BadValue(f"'{line}' is no point; allowed: BYTES PROBABILITY") from None
    if not 0 <= size <= SIZE_MAX:
        raise BadValue(f"'{words[0]}' bytes are out of range; allowed: 0 to {SIZE_MAX}")
    if not 0 <= share <= 1:
        raise BadValue(f"the probability '{words[1]}' is out of range; allowed: 0 to 1")
    return size, share


def parse(text, name):
    """The points of a file's text; what is wrong names its line."""
    points = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            point = _point(line)
            if points and (point[0] < points[-1][0] or point[1] < points[-1][1]):
                raise BadValue(f"'{line}' is below the point before; allowed:"
                               " sizes and probabilities that do not fall")
        except BadValue as bad:
            raise BadValue(f"{name}:{number}: {bad}") from None
        points.append(point)
    if not points or points[-1][1] != 1:
        raise BadValue(f"{name}: the last probability is not 1; allowed: lines"
                       " BYTES PROBABILITY up to probability 1")
    if points[-1][0] == 0:
        raise BadValue(f"{name}: all sizes are 0; allowed: a last one of 1 or more")
    if len(points) > POINTS_MAX:
        raise BadValue(f"{name}: {len(points)} points; allowed: up to {POINTS_MAX}")
    return points


def load(name, folder, scale=Fraction(1)):
    """A named distribution, or one from a file relative to a folder."""
    path = FOLDER / (name + SUFFIX)
    if name not in named():
        path = Path(folder) / name
        if not path.is_file():
            raise BadValue(unknown("the distribution", name, [*named(), "FILE"]))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadValue(f"'{path}' cannot be read: {error}") from None
    return Sizes(parse(text, name), scale)
