# SPDX-License-Identifier: GPL-2.0
"""Time series: what the guest sampled, as CSV and for questions about a window.

Counters are cumulative. A window from=A to=B goes from the last sample at or
before A (zero if there is none) to the last sample at or before B.
"""

import bisect
import csv
from pathlib import Path

SERIES = ("links", "flows")
CALLS = "calls"                 # a row for each response
ACKS = "acks"                   # of recorded flows: a row for each ACK
LABELS = "labels"               # of recorded flows: a row for each packet heard of
TRACE = "trace"


def _by_time(lines):
    """The guest notices events out of order; the first line is the header."""
    return lines[:1] + sorted(lines[1:],
                              key=lambda line: int(line.split("\t", 1)[0]))


def to_csv(folder):
    """Rewrite the guest's tab-separated series as CSV, in place."""
    for name in (*SERIES, ACKS, LABELS, CALLS, TRACE):
        source = Path(folder) / f"{name}.tsv"
        if not source.exists():
            continue
        with source.open(encoding="ascii") as lines, \
                (Path(folder) / f"{name}.csv").open("w", encoding="ascii") as out:
            for line in _by_time(list(lines)) if name == TRACE else lines:
                out.write(line.replace("\t", ","))
        source.unlink()


class Track:
    """The samples of one flow or of one direction of a link."""

    def __init__(self):
        self.times = []
        self.rows = []

    def add(self, when, row):
        """A sample; they come in order of time."""
        self.times.append(when)
        self.rows.append(row)

    def at(self, when, column):
        """A column's value at the last sample up to a time; 0 before all."""
        index = bisect.bisect_right(self.times, when)
        return self.rows[index - 1][column] if index else 0

    def grown(self, start, end, column):
        """How much a cumulative column grew in a window."""
        return self.at(end, column) - self.at(start, column)

    def within(self, start, end, column):
        """A column's values at the samples of a window."""
        low = bisect.bisect_left(self.times, start)
        high = bisect.bisect_right(self.times, end)
        return [row[column] for row in self.rows[low:high]]


def _number(text):
    try:
        return int(text)
    except ValueError:
        return text


def load(folder, name):
    """{id: Track} of links ('name:ab'), flows or acks; {} if there is none."""
    path = Path(folder) / f"{name}.csv"
    tracks = {}
    if not path.exists():
        return tracks
    with path.open(encoding="ascii", newline="") as lines:
        for row in csv.DictReader(lines):
            row = {key: _number(value) for key, value in row.items() if key}
            key = f"{row['id']}:{row['dir']}" if "dir" in row else str(row["id"])
            tracks.setdefault(key, Track()).add(row["t"], row)
    return tracks
