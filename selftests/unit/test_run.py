#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""selftests/run: who prints may take long, who hangs is ended, who runs beside whom."""

import contextlib
import importlib.util
import io
import os
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


def shell(name, text, **options):
    """A shell script as a job."""
    return run.Job(name, "unit", ["sh", "-c", text], **options)


class Programs(unittest.TestCase):
    """Which files of a folder are tests."""

    def test_one_that_cannot_be_run_is_not_passed_over(self):
        with tempfile.TemporaryDirectory() as base:
            folder = Path(base)
            (folder / "b.py").write_text("#!/usr/bin/env python3\n")
            (folder / "a.py").write_text("#!/usr/bin/env python3\n")
            (folder / "kit.py").write_text('"""Imported."""\n')
            (folder / "a.py").chmod(0o755)
            with self.assertRaisesRegex(SystemExit, "b.py is a program that cannot be executed"):
                run.executables(folder, "*.py")
            (folder / "b.py").chmod(0o755)
            self.assertEqual(run.executables(folder, "*.py"), [folder / "a.py", folder / "b.py"])


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
        job = shell("a job", text)
        text, status, self.cpu_s = self.runner.execute(job)
        return run.read_tap(text, status, job)

    def test_prints_for_longer_than_it_may_be_silent(self):
        run.SILENT_S = 20.0     # a busy host may be late with a line
        found = self.outcome("for i in 1 2 3 4 5 6; do echo ok $i; sleep 4; done; echo 1..6")
        self.assertEqual((found.passed, found.failed), (6, 0))

    def test_silent(self):
        found = self.outcome("echo ok 1; sleep 60; echo 1..1")
        self.assertEqual(found.passed, 1)
        self.assertEqual(found.failed, 1)
        self.assertIn("nothing printed for 2 s", found.lines[-1])

    def test_ends_well_and_too_soon(self):
        for text in ("echo ok 1", "echo ok 1; echo 1..2"):
            found = self.outcome(text)
            self.assertEqual((found.passed, found.failed), (1, 1), text)

    def test_a_group_without_tests(self):
        total = run.Outcome()
        with contextlib.redirect_stdout(io.StringIO()):
            run.count_empty_groups(["unit", "net"], [shell("a job", "true")], total)
        self.assertEqual((total.failed, total.lines),
                         (1, ["net\tnot ok net: the group has no tests"]))

    def test_a_skip_that_should_not_be(self):
        total = run.Outcome()
        total.lines = ["lab\tok a: b # SKIP no recordings: neither here nor there",
                       "real\tok real newest: kernel # SKIP E: 404 Not Found", "real\tok c"]
        total.passed, total.skipped = 1, 2
        with contextlib.redirect_stdout(io.StringIO()):
            run.count_skips(total)
        self.assertEqual((total.passed, total.failed, total.skipped), (1, 1, 1))
        self.assertEqual(total.lines[3:], [
            "real\tnot ok skipped: real newest: kernel # SKIP E: 404 Not Found"])

    def test_ends_by_itself(self):
        found = self.outcome("echo ok 1; echo not ok 2; echo 1..2; exit 1")
        self.assertEqual((found.passed, found.failed), (1, 1))

    def test_tells_what_it_and_its_children_computed(self):
        self.outcome("echo ok 1; sleep .5")
        waited_s = self.cpu_s
        self.outcome("for n in 1 2 3 4 5 6; do echo ok $n;"
                     " sh -c 'i=0; while test $i -lt 30000; do i=$((i + 1)); done'; done")
        self.assertGreater(self.cpu_s, 4 * waited_s)


class Beside(unittest.TestCase):
    """Who runs beside whom, with one slot."""

    # 10 s for the other to come: a machine may be busy
    MEETS = "touch {me}; for i in $(seq 100); do test -e {other} && break; sleep .1; done;" \
        " test -e {other} && echo ok || echo not ok; echo 1..1"
    IS_ALONE = "mkdir lock && echo ok || echo not ok; sleep .3; rmdir lock; echo 1..1"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def outcome(self, *jobs):
        """Of all, run in a folder of their own."""
        for job in jobs:
            job.command[2] = f"cd '{self.folder}'; {job.command[2]}"
        with contextlib.redirect_stdout(io.StringIO()):
            total = run.Runner(list(jobs), 1, self.folder).run()
        return total.passed, total.failed

    def test_one_by_the_clock_and_another_meet(self):
        self.assertEqual(self.outcome(
            shell("a", self.MEETS.format(me="a", other="b")),
            shell("b", self.MEETS.format(me="b", other="a"), by_clock=True)), (2, 0))

    def test_two_of_a_kind_do_not(self):
        for by_clock in (False, True):
            self.assertEqual(self.outcome(
                *(shell(name, self.IS_ALONE, by_clock=by_clock) for name in "abc")), (3, 0))

    def test_alone_is_alone(self):
        self.assertEqual(self.outcome(
            shell("a", self.IS_ALONE, alone=True), shell("b", self.IS_ALONE, by_clock=True),
            shell("c", self.IS_ALONE, alone=True)), (3, 0))

    def test_the_clock_comes_first(self):
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        for by_clock, wanted in ((True, ours), (False, min(19, ours + run.NICE))):
            self.assertEqual(self.outcome(shell(
                "a", f"test $(nice) = {wanted} && echo ok || echo not ok; echo 1..1",
                by_clock=by_clock)), (1, 0))

    def test_one_stock_kernel_has_all_tests_and_none_is_left_out_that_is_not_there(self):
        commands = {job.name: job.command[2:] for job in run.real_jobs(False)
                    if job.name.startswith("real")}
        self.assertEqual([name for name, left_out in commands.items() if not left_out],
                         ["real 6.12"])
        self.assertEqual([job.command[2:] for job in run.real_jobs(True)
                          if job.name.startswith("real")], [[], [], []])
        guest = (run.TOP / "selftests/real/guest.sh").read_text(encoding="utf-8")
        for word in {word for left_out in commands.values() for word in left_out}:
            self.assertIn(f"\ntest_{word.removeprefix('-')}()\n", guest)

    def test_long_programs_run_with_all(self):
        found = [{job.name for job in run.lab_jobs(everything)} for everything in (False, True)]
        left_out = found[1] - found[0]
        self.assertIn("net/neighbours.py", left_out)
        for name in found[1] - {"lab build"}:
            text = (run.TOP / "selftests" / name).read_text(encoding="utf-8")
            self.assertEqual("\n# long\n" in text, name in left_out, name)

    def test_stock_kernels_are_by_the_clock_and_virtual_time_is_not(self):
        self.assertEqual({job.name.split()[0] for job in run.all_jobs() if job.by_clock},
                         {"real"})
        self.assertEqual({job.by_clock for job in run.real_jobs(False)
                          if job.name.startswith("programs")}, {False})


if __name__ == "__main__":
    unittest.main()
