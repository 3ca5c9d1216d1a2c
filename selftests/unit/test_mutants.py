#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Each fault of mutants.py can be planted: its text is there, once.

Planting them all takes minutes (`make -C selftests/unit mutants`); that a change of the
source left a fault behind shows here at once.
"""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "selftests/unit"))

import mutants  # noqa: E402


class Faults(unittest.TestCase):
    def test_each_has_its_place(self):
        texts = {path: (ROOT / path).read_text(encoding="utf-8")
                 for path in {one.path for one in mutants.MUTANTS}}
        for one in mutants.MUTANTS:
            with self.subTest(path=one.path, old=one.old):
                self.assertEqual(texts[one.path].count(one.old), 1)

    def test_each_changes_something(self):
        for one in mutants.MUTANTS:
            with self.subTest(path=one.path, old=one.old):
                self.assertNotEqual(one.old, one.new)


if __name__ == "__main__":
    unittest.main()
