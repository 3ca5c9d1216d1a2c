# SPDX-License-Identifier: GPL-2.0
"""Time series: what the guest sampled, as CSV and for questions about a window.

Counters are cumulative. A window from=A to=B goes from the last sample at or
before A (zero if there is none) to the last sample at or before B.
"""

import bisect
from pathlib import Path

SERIES = ("links", "flows")
CALLS = "calls"                 # a row for each response
ACKS = "acks"                   # of recorded flows: a row for each ACK
LABELS = "labels"               # of recorded flows: a row for each packet heard of
TRACE = "trace"
TEXTS = ("ccinfo",)             # columns that are no numbers, even if they have digits alone


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
    """The samples of one flow or of one direction of a link.

    A run has tens of thousands, and is mostly asked about two of them: each stays the
    file's text until somebody wants to know.
    """

    def __init__(self, header):
        self.header = header
        self.times = []
        self._samples = []      # text, or the row it was read into
        self._all_read = True

    def add(self, when, text):
        """A sample, a line of the file; they come in order of time."""
        self.times.append(when)
        self._samples.append(text)
        self._all_read = False

    def row(self, index):
        """{column: value} of one sample."""
        row = self._samples[index]
        if isinstance(row, str):
            values = row.rstrip("\n").split(",")
            row = {key: value if key in TEXTS else _number(value)
                   for key, value in zip(self.header, values) if key}
            self._samples[index] = row
        return row

    @property
    def rows(self):
        """{column: value} of each sample."""
        if not self._all_read:
            for index in range(len(self._samples)):
                self.row(index)
            self._all_read = True
        return self._samples

    def at(self, when, column):
        """A column's value at the last sample up to a time; 0 before all."""
        index = bisect.bisect_right(self.times, when)
        return self.row(index - 1)[column] if index else 0

    def grown(self, start, end, column):
        """How much a cumulative column grew in a window."""
        return self.at(end, column) - self.at(start, column)

    def within(self, start, end, column):
        """A column's values at the samples of a window."""
        low = bisect.bisect_left(self.times, start)
        high = bisect.bisect_right(self.times, end)
        return [self.row(index)[column] for index in range(low, high)]


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
        header = next(lines, "t,id").rstrip("\n").split(",")
        when = header.index("t")
        names = [header.index(column) for column in ("id", "dir") if column in header]
        needed = max(when, *names) + 1
        for line in lines:
            values = line.split(",", needed)
            key = ":".join([values[index] for index in names])
            track = tracks.get(key)
            if track is None:
                track = tracks[key] = Track(header)
            track.add(int(values[when]), line)
    return tracks
