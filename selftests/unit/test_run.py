#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""selftests/run: who prints may take long, who hangs is ended."""

import importlib.util
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SILENT_S, LOOK_S = 2.0, 0.1

loader = SourceFileLoader("selftests_run", str(ROOT / "selftests/run"))
spec = importlib.util.spec_from_loader("selftests_run", loader)
run = importlib.util.module_from_spec(spec)
sys.modules["selftests_run"] = run      # its dataclasses look themselves up
loader.exec_module(run)


class Ends(unittest.TestCase):
    """What becomes of a program."""

    def setUp(self):
        for name, value in (("SILENT_S", SILENT_S), ("LOOK_S", LOOK_S)):
            self.addCleanup(setattr, run, name, getattr(run, name))
            setattr(run, name, value)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runner = run.Runner([], 1, Path(folder.name))

    def outcome(self, text):
        """Of a shell script."""
        job = run.Job("a job", "unit", ["sh", "-c", text])
        return run.read_tap(*self.runner.execute(job), job)

    def test_prints_for_longer_than_it_may_be_silent(self):
        found = self.outcome("for i in 1 2 3 4 5 6; do echo ok $i; sleep .5; done; echo 1..6")
        self.assertEqual((found.passed, found.failed), (6, 0))

    def test_silent(self):
        found = self.outcome("echo ok 1; sleep 60; echo 1..1")
        self.assertEqual(found.passed, 1)
        self.assertEqual(found.failed, 1)
        self.assertIn("nothing printed for 2 s", found.lines[-1])

    def test_ends_by_itself(self):
        found = self.outcome("echo ok 1; echo not ok 2; echo 1..2; exit 1")
        self.assertEqual((found.passed, found.failed), (1, 1))


if __name__ == "__main__":
    unittest.main()
