#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The tables that compare algorithms say what Documentation/families/*.csv has.

With `--write` the tables are put into the pages.
"""

import csv
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

from familylib import catalogue, show  # noqa: E402

CSV = ROOT / "Documentation" / "families"
SPRAYED = (("mswift, sprayed", "mswift+auto"), ("oscar, sprayed", "oscar+auto"),
           ("mnscc, sprayed", "mnscc+auto"), ("nscc, sprayed", "nscc+auto"),
           ("swift, sprayed", "swift+auto"), ("prioplus, sprayed", "prioplus+auto"),
           ("dctcp, ECMP", "dctcp"), ("dctcp, PLB", "dctcp+plb"),
           ("dctcp, MPTCP of 4", "dctcp+mptcp4"), ("dctcp, MPTCP of 8", "dctcp+mptcp8"),
           ("dctcp, sprayed", "dctcp+oblivious"), ("cubic, ECMP", "cubic"),
           ("cubic, MPTCP of 8", "cubic+mptcp8"),
           ("cubic, sprayed", "cubic+oblivious"), ("bbr, ECMP", "bbr"),
           ("bbr, sprayed", "bbr+oblivious"))
ONE_PATH = tuple((name, name) for name in ("mswift", "oscar", "mnscc", "nscc", "swift",
                                           "prioplus", "dctcp", "cubic", "bbr"))
FABRIC = (("workload: p99 slowdown, up to 150 kB", "workload", "small"),
          ("workload: mean slowdown, above 1 MB", "workload", "large"),
          ("workload: draws with unfinished flows", "workload", None),
          ("permutation: completion / ideal", "permutation", "time"),
          ("degraded: completion / ideal", "degraded", "time"))
LINK = (("alone: of the link, %", "alone", "used"), ("joins: Jain's index", "joins", "jain"),
        ("joins: mean queue, us", "joins", "queue"),
        ("rpc: p99 / idle", "rpc", "p99"), ("loss: goodput, %", "loss", "kept"),
        ("coexistence: share of an even one, %", "coexistence", "share"),
        ("incast: completion / bound", "incast", "time"))
# page -> its tables: (rows, columns)
README_ROWS = tuple(pair for pair in SPRAYED if pair[0].split(",")[0] not in (
    "nscc", "swift", "prioplus") and pair[0] not in (
        "cubic, sprayed", "bbr, sprayed", "dctcp, MPTCP of 4", "cubic, MPTCP of 8"))
TABLES = {
    "Documentation/comparison.md": ((SPRAYED, FABRIC), (ONE_PATH, LINK)),
    "README.md": ((README_ROWS, (FABRIC[0], FABRIC[1], FABRIC[3], FABRIC[4])),),
}
BEGIN, END = "<!-- from Documentation/families -->\n", "<!-- end -->\n"
BETWEEN = re.compile(re.escape(BEGIN) + "(.*?)" + re.escape(END), re.DOTALL)


def number(text):
    """A cell of a CSV."""
    return float(text) if text else None


def read(family):
    """show.Results of a family's CSV."""
    found = {}
    with (CSV / f"{family}.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            found.setdefault(row["algorithm"], {})[int(row["seed"])] = {
                name: number(row[name]) for name in catalogue.FAMILIES[family].columns
                if row[name] != "none"}
    return show.Results(family, found)


def short(text):
    """Three figures: a tenth of what draws differ by."""
    return text if text == "-" else f"{float(text):.3g}"


def cell(results, algorithm, column):
    """Median (worst decile); how many draws failed where no column is given."""
    if column is None:
        return f"{len(results.failed(algorithm))} of {len(results.found[algorithm])}"
    line = next(row for row in results.rows(column) if row[0] == algorithm)
    return f"{short(line[2])} ({short(line[3])})"


def table(rows, columns):
    """Lines of a table in Markdown."""
    families = {family: read(family) for _, family, _ in columns}
    lines = ["| | " + " | ".join(label for label, _, _ in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for label, algorithm in rows:
        cells = [cell(families[family], algorithm, column) for _, family, column in columns]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


# By what receives: the same columns of draws with ideal NICs and with ordinary ones
BY_NIC = (("one path, departures: unused, %", "departures", "idle"),
          ("one path, noise: used, %", "noise", "used"),
          ("workload: p99 slowdown, up to 150 kB", "workload", "small"),
          ("degraded: completion / ideal", "degraded", "time"))
ORDINARY = "interrupts"         # what the words of such a draw have


def by_nic():
    """Medians over draws with ideal NICs, and over those with ordinary ones."""
    families = {family: read(family) for _, family, _ in BY_NIC}
    lines = ["| | " + " | ".join(f"{label}: ideal, ordinary" for label, _, _ in BY_NIC) + " |",
             "|---|" + "---|" * len(BY_NIC)]
    for name, _ in ONE_PATH:
        cells = []
        for _, family, column in BY_NIC:
            results = families[family]
            own = f"{name}+auto" if f"{name}+auto" in results.found else name
            halves = {True: {}, False: {}}
            for seed, row in results.found[own].items():
                halves[ORDINARY in results.family.make(seed).words][seed] = row
            cells.append(", ".join(short(show.Results(family, {own: halves[half]}).rows(column)
                                         [0][2]) for half in (False, True)))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def failures():
    """How many draws failed, by algorithm and family; sprayed where there are several paths."""
    families = {name: read(name) for name in catalogue.FAMILIES}
    lines = ["| | " + " | ".join(families) + " |", "|---|" + "---|" * len(families)]
    for name, _ in ONE_PATH:
        cells = []
        for results in families.values():
            own = next((each for each in (f"{name}+auto", f"{name}+oblivious", name)
                        if each in results.found), None)
            cells.append("" if own is None else str(len(results.failed(own))))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def pages():
    """{page: its tables as they should be}."""
    found = {page: [table(*each) for each in tables] for page, tables in TABLES.items()}
    return {**found, "Documentation/families.md": [failures(), by_nic()]}


class Tables(unittest.TestCase):
    def test_pages_have_what_the_csv_has(self):
        for page, tables in pages().items():
            text = (ROOT / page).read_text(encoding="utf-8")
            with self.subTest(page):
                self.assertEqual(BETWEEN.findall(text), tables)

    def test_every_family_has_its_csv(self):
        for name in catalogue.FAMILIES:
            self.assertTrue(read(name).found, name)

    def test_the_rows_are_of_the_families_as_they_are(self):
        for name, family in catalogue.FAMILIES.items():
            with (CSV / f"{name}.csv").open(encoding="utf-8", newline="") as rows:
                drawn = {int(row["seed"]): row["drawn"] for row in csv.DictReader(rows)}
            for seed, words in drawn.items():
                self.assertEqual(family.make(seed).words, words, name)


def write():
    """Put the tables into the pages."""
    for page, tables in pages().items():
        path, waiting = ROOT / page, iter(tables)
        text = BETWEEN.sub(lambda _: BEGIN + next(waiting) + END,
                           path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
