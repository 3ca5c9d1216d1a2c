#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""security.md: each line of its tables names tests, and each of them is there."""

import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "Documentation/security.md"
GUEST = TOP / "selftests/real/guest.sh"
CAMPAIGNS = TOP / "selftests/debug/campaigns.sh"


def rows():
    """The lines of all tables whose last column says what tries them."""
    header = False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            header = False
        elif cells[-1] == "tried by":
            header = True
        elif header and not set(line) <= set("|- "):
            yield cells


def named(text):
    """(kind, name) of each test that a cell names: "guest `held`, `ss`; campaign `ends`"."""
    kind = folder = None
    for word in re.finditer(r"(guest|campaigns?|unit)\b|`([^`]+)`", text):
        if word[1]:
            kind = word[1].rstrip("s")
        elif "/" in word[2]:
            folder = word[2].rpartition("/")[0]
            yield "file", word[2]
        elif word[2].endswith(".py"):           # beside the one before
            yield "file", f"{folder}/{word[2]}"
        else:
            yield kind, word[2]


def runs(kind, name):
    """Is there such a test, and is it one of those that run?"""
    if kind == "guest":
        text = GUEST.read_text(encoding="utf-8")
        everything = re.search(r'^ALL_TESTS="([^"]*)"', text, re.M)[1].split()
        return f"test_{name}()" in text and (name in everything or name == "device_up")
    if kind == "campaign":
        return f"campaign_{name}()" in CAMPAIGNS.read_text(encoding="utf-8")
    if kind == "unit":
        return any(f"UNIT_TEST({name})" in path.read_text(encoding="utf-8")
                   for path in (TOP / "selftests/unit").glob("*.[ch]"))
    return kind == "file" and any(TOP.glob(name))


class Page(unittest.TestCase):
    """Nothing is promised without a test."""

    def test_each_line_names_tests_that_are_there(self):
        found = list(rows())
        self.assertGreater(len(found), 25)
        for cells in found:
            with self.subTest(cells[0]):
                self.assertEqual(len(cells), 3)
                self.assertTrue(all(cells), "an empty cell")
                tests = list(named(cells[-1]))
                self.assertTrue(tests, "no test is named")
                for kind, name in tests:
                    self.assertTrue(runs(kind, name), f"{kind} {name} is not there")

    def test_it_can_fail(self):
        self.assertFalse(runs("guest", "nonesuch"))
        self.assertFalse(runs("campaign", "nonesuch"))
        self.assertFalse(runs("unit", "nonesuch__at_all"))
        self.assertFalse(runs("file", "selftests/net/none*.py"))
        self.assertEqual(list(named("guest `a`, `b`; campaigns `c`, `d`, `selftests/x/y.py`")),
                         [("guest", "a"), ("guest", "b"), ("campaign", "c"), ("campaign", "d"),
                          ("file", "selftests/x/y.py")])


if __name__ == "__main__":
    unittest.main()
