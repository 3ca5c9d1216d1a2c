#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""One TAP stream of several programs: what a program that ends badly comes to."""
import subprocess
import unittest
from pathlib import Path

UNIT = Path(__file__).resolve().parent


def merged(text: str) -> tuple[list[str], int]:
    """The lines that are left, and the status."""
    done = subprocess.run(["awk", "-f", str(UNIT / "merge.awk")], input=text, text=True,
                          capture_output=True, check=False)
    return done.stdout.splitlines(), done.returncode


class Merge(unittest.TestCase):
    """Programs one after the other."""

    def test_good_ones_are_numbered_through(self) -> None:
        """A comment stays, plans become one."""
        self.assertEqual(
            merged("# a\n1..2\nok 1 - x\nok 2 - y\n# ended 0 a\nTAP version 13\n1..1\nok 1 - z\n"
                   "# ended 0 b\n"),
            (["# a", "ok 1 - x", "ok 2 - y", "ok 3 - z", "1..3"], 0))

    def test_a_failed_test_is_said_once(self) -> None:
        """Its program's status says no more."""
        self.assertEqual(merged("1..1\nnot ok 1 - x\n# ended 1 a\n1..1\nok 1 - y\n# ended 0 b\n"),
                         (["not ok 1 - x", "ok 2 - y", "1..2"], 1))

    def test_dead_before_its_plan(self) -> None:
        """With the plan printed, and before that."""
        self.assertEqual(merged("1..2\nok 1 - x\n# ended 134 a\n"),
                         (["ok 1 - x", "not ok 2 - a ended after 1 of 2 tests", "1..2"], 1))
        self.assertEqual(merged("# ended 134 a\n1..1\nok 1 - y\n# ended 0 b\n"),
                         (["not ok 1 - a printed no test", "ok 2 - y", "1..2"], 1))

    def test_a_plan_kept_and_a_bad_end(self) -> None:
        """A leak is found after the last test."""
        self.assertEqual(merged("1..1\nok 1 - x\n# ended 1 a\n"),
                         (["ok 1 - x", "not ok 2 - a ended with status 1", "1..2"], 1))

    def test_a_good_end_short_of_the_plan(self) -> None:
        """exit(0) in a test."""
        self.assertEqual(merged("1..2\nok 1 - x\n# ended 0 a\n"),
                         (["ok 1 - x", "not ok 2 - a ended after 1 of 2 tests", "1..2"], 1))


if __name__ == "__main__":
    unittest.main()
