#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sweeps: what `lab run --set cc=a,b` runs, where it writes, what it shows."""

import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/lab"))

from lablib import cli, runner, sweep  # noqa: E402
from lablib.errors import LabError  # noqa: E402

SCENARIO = """set cc cubic
set size 1MB
set first f*,g
topology star hosts=2 rate=10Gbps rtt=120us
flow f h1 -> h2 size=$size cc=$cc
flow g h1 -> h2 size=$size cc=$cc
flow h h1 -> h2 size=$size cc=$cc after=$first
"""


class Result(dict):
    """As much of a run's result as the table of several takes."""

    failed_expects = []
    exit_code = 0

    def __init__(self, seed, cct, **variables):
        super().__init__(seed=seed, variables=variables, summary={
            "cct": cct, "cct_inflation": 1.5, "jain": 1.0, "goodput": 10**9,
            "retrans": 0, "rto": 0, "drops": 0})


class Cases(unittest.TestCase):
    OWN = {"cc": "cubic", "size": "1MB", "first": "f*,g"}

    def test_one_value_is_one_run(self):
        self.assertEqual(sweep.cases({"cc": "reno"}, self.OWN), [{"cc": "reno"}])
        self.assertEqual(sweep.cases({}, self.OWN), [{}])

    def test_all_combinations_the_last_fastest(self):
        cases = sweep.cases({"cc": "a,b", "first": "x", "size": "1,2"}, self.OWN)
        self.assertEqual([(case["cc"], case["size"]) for case in cases],
                         [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")])
        self.assertEqual({case["first"] for case in cases}, {"x"})

    def test_a_list_stays_whole(self):
        self.assertEqual(sweep.cases({"first": "f,g"}, self.OWN), [{"first": "f,g"}])
        self.assertEqual(sweep.swept({"first": "f,g", "cc": "a,b"}, self.OWN), ["cc"])

    def test_empty_or_twice_is_told(self):
        for text in ("a,", ",a", "a,,b", "a,b,a"):
            with self.assertRaisesRegex(LabError, f"--set 'cc={text}' has an empty value or one"
                                        " twice; allowed: different ones, like --set cc=a,b"):
                sweep.cases({"cc": text}, self.OWN)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "two.lab"
        self.file.write_text(SCENARIO)

    def run_lab(self, *argv):
        """What the command would run: (folder, variables), without running it."""
        ran = []

        def execute(scenario, _tools, folder, _progress):
            ran.append((folder, scenario.variables["cc"], scenario.seed))
            return Result(scenario.seed, 1000, **scenario.variables)

        with mock.patch.object(runner, "prepare"), mock.patch.object(runner, "Tools"), \
                mock.patch.object(runner, "execute", execute), \
                mock.patch.object(cli, "show_result"), \
                mock.patch("sys.stdout", new_callable=io.StringIO) as out:
            code = cli.main(["run", str(self.file), *argv])
        return code, ran, out.getvalue()

    def test_a_run_for_each_case_and_seed(self):
        code, ran, out = self.run_lab("--set", "cc=reno,cubic", "--seeds", "1,2", "--out", "/x")
        self.assertEqual(code, 0)
        self.assertEqual(ran, [(Path(f"/x/cc={cc}/seed-{seed}"), cc, seed)
                               for cc in ("reno", "cubic") for seed in (1, 2)])
        self.assertEqual(out.split()[:3], ["cc", "seed", "CCT"])
        self.assertEqual(out.count("median"), 2)

    def test_folders_of_their_own_without_out(self):
        _, ran, _ = self.run_lab("--set", "cc=reno,cubic")
        self.assertEqual([str(folder) for folder, _, _ in ran],
                         ["lab-results/two-1-cc=reno", "lab-results/two-1-cc=cubic"])

    def test_without_a_sweep_as_ever(self):
        self.assertEqual(self.run_lab("--out", "/x")[1], [(Path("/x"), "cubic", 1)])
        _, ran, out = self.run_lab("--seeds", "1-2", "--out", "/x")
        self.assertEqual([str(folder) for folder, _, _ in ran], ["/x/seed-1", "/x/seed-2"])
        self.assertEqual(out.split()[:2], ["seed", "CCT"])

    def test_a_wrong_value_runs_nothing(self):
        with mock.patch("sys.stderr", new_callable=io.StringIO) as err:
            code, ran, _ = self.run_lab("--set", "cc=reno,nope")
        self.assertEqual((code, ran), (2, []))
        self.assertIn("the algorithm 'nope' is unknown", err.getvalue())

    def test_check_tells_of_each(self):
        with mock.patch("sys.stdout", new_callable=io.StringIO) as out:
            self.assertEqual(cli.main(["check", str(self.file), "--set", "cc=reno,cubic"]), 0)
        self.assertEqual([line.split(": ")[0].split()[1:] for line in out.getvalue().splitlines()],
                         [["cc=reno"], ["cc=cubic"]])


class Table(unittest.TestCase):
    def test_medians_of_the_seeds_of_each_case(self):
        out = io.StringIO()
        cli.show_runs([Result(seed, cct, cc=cc) for cc, ccts in (("a", (1000, 2000, 9000)),
                                                                 ("b", (5000, 3000, 4000)))
                       for seed, cct in enumerate(ccts, 1)], ["cc"], out)
        rows = [line.split() for line in out.getvalue().splitlines()]
        self.assertEqual([row[:4] for row in rows if row[1] == "median"],
                         [["a", "median", "2", "us"], ["b", "median", "4", "us"]])


if __name__ == "__main__":
    sys.exit(unittest.main())
