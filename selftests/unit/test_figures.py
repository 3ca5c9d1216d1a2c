#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/lab/figures: what it runs is what the paper describes; keeping, judging, drawing."""

import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

from figurelib import catalogue, paper, show, store  # noqa: E402
from lablib import plan, plot, scenario  # noqa: E402
from lablib.errors import LabError, RunError  # noqa: E402

HAVE_GNUPLOT = shutil.which(plot.PROGRAM) is not None
SMALL, FULL = catalogue.SCALES[16], catalogue.SCALES[128]


def load_program():
    loader = importlib.machinery.SourceFileLoader(
        "figures_program", str(ROOT / "tools" / "lab" / "figures"))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


figures = load_program()


def loaded(variant, balancer="reps", bar="mswift", scale=SMALL, seed=1):
    case = catalogue.Case(variant, balancer, bar)
    return scenario.load(str(catalogue.SCENARIO), seed=seed, sets=case.sets(scale))


def a_point(inflation, **more):
    return store.Point(**{**dict(inflation=inflation, fct=[8.0, 9.0, 10.0], wait=1.0,
                                 packets=100, retrans=0, spurious=0, rto=0, drops=0,
                                 marks=0, hops=1000, wall=2.0, folder="fö"), **more})


def points(**values):
    """baseline__reps__mswift=20 -> {Case: {1: Point}}."""
    return {catalogue.Case(*name.split("__")): {1: a_point(value)}
            for name, value in values.items()}


class Settings(unittest.TestCase):
    """Section IV.A, workload by workload."""

    def test_sizes_of_the_networks(self):
        for hosts, scale in catalogue.SCALES.items():
            self.assertEqual(scale.k ** 3 // 4, hosts)
            self.assertEqual(hosts % scale.server, 0)
        self.assertEqual((FULL.k, FULL.elephants, FULL.server, FULL.senders), (8, 4, 8, 32))
        self.assertEqual((FULL.larger.hosts, FULL.larger.elephants), (250, 4))

    def test_flows_of_the_paper(self):
        for variant, sized, endless, packets in (
                ("baseline", 124, 4, 1989), ("permutation", 128, 0, 1989),
                ("hsdp", 128, 0, 3344), ("16MB", 124, 4, 3977), ("elephants", 120, 8, 1989),
                ("failures", 124, 4, 1989), ("drr", 124, 4, 1989), ("incast", 32, 0, 1989)):
            flows = loaded(variant, scale=FULL).flows
            small = [flow for flow in flows if not flow.forever]
            self.assertEqual((len(small), len(flows) - len(small)), (sized, endless), variant)
            self.assertEqual({-(-flow.size // catalogue.MSS) for flow in small}, {packets})
        self.assertEqual(len(loaded("larger", scale=SMALL).flows), 54)

    def test_incast_has_one_receiver(self):
        flows = loaded("incast", scale=FULL).flows
        self.assertEqual(len({flow.target for flow in flows}), 1)
        self.assertEqual(len({flow.source for flow in flows}), 32)

    def test_ring_is_from_server_to_server(self):
        flows = loaded("hsdp", scale=FULL).flows
        ways = {int(flow.source[1:]) - 1: int(flow.target[1:]) - 1 for flow in flows}
        self.assertEqual(sorted(ways.values()), list(range(128)))
        servers = {(a // 8, b // 8) for a, b in ways.items()}
        self.assertEqual(len(servers), 16)
        self.assertTrue(all(a % 8 == b % 8 for a, b in ways.items()))

    def test_only_elephants_are_marked_where_switches_tell_them_apart(self):
        for variant, balancer, wanted in (
                ("baseline", "reps", {0}), ("baseline", "adaptive", {8}),
                ("drr", "reps", {8}), ("drr", "adaptive", {8})):
            flows = loaded(variant, balancer).flows
            self.assertEqual({flow.dscp for flow in flows if flow.forever}, wanted)
            self.assertEqual({flow.dscp or 0 for flow in flows if not flow.forever}, {0})

    def test_adaptive_routing_sprays_by_switch(self):
        made = loaded("baseline", "adaptive")
        self.assertEqual((made.routing["mode"], made.routing["marked"]), ("adaptive", "ecmp"))
        text = plan.compile_plan(made, str)
        self.assertIn("marked_ecmp=1", text)
        self.assertIn("net/dcc/mswift/spray off", text)
        self.assertIn("net/dcc/mswift/reorder on", text)
        text = plan.compile_plan(loaded("baseline", "adaptive", "swift"), str)
        self.assertIn("net/dcc/swift/reorder auto", text)

    def test_drr_is_in_all_switches_with_4_KB(self):
        made = loaded("drr")
        quanta = {params["drr"] for link in made.network.links.values()
                  for direction, params in link.params.items()
                  if link.ends[direction == "ba"].startswith(("e", "a", "c"))}
        self.assertEqual(quanta, {4096})

    def test_percentiles(self):
        for bar, wanted in (("mswift-p10", 10), ("mswift", 50), ("mswift-p90", 90)):
            text = plan.compile_plan(loaded("baseline", bar=bar), str)
            self.assertIn(f"net/dcc/mswift/percentile {wanted}", text)

    def test_every_figure_of_the_section_is_there(self):
        self.assertEqual(sorted(catalogue.FIGURES), list(range(4, 15)))
        count = {number: len(figure.cases([*catalogue.SWIFT, *catalogue.PAPER_CC],
                                          catalogue.PAPER_BALANCERS))
                 for number, figure in catalogue.FIGURES.items()}
        self.assertEqual(count, {4: 15, 12: 9, **dict.fromkeys(
            (5, 6, 7, 8, 9, 10, 11, 13, 14), 12)})

    def test_titles_are_the_papers_at_its_size(self):
        titles = {number: figure.heading(FULL) for number, figure in
                  catalogue.FIGURES.items()}
        for number, said in ((4, "beside 4 ECMP"), (8, ": 250 hosts"), (10, "8 ECMP"),
                             (14, "of 32 hosts")):
            self.assertIn(said, titles[number])
        self.assertEqual(catalogue.FIGURES[8].heading(SMALL), "A larger network: 54 hosts")

    def test_figures_share_what_is_the_same(self):
        of = {number: set(catalogue.FIGURES[number].cases(
            catalogue.PAPER_CC, catalogue.PAPER_BALANCERS)) for number in (4, 5, 12)}
        self.assertLessEqual(of[5], of[4])
        self.assertEqual(len(of[12] - of[4]), 6)

    def test_every_selector_is_a_balancer(self):
        words = catalogue.algorithms.knobs("tcp_mswift")["spray"].words
        self.assertEqual(set(catalogue.balancers()), {"adaptive", *words} - {"off"})


class Judging(unittest.TestCase):
    def verdict(self, judge, **values):
        return judge(paper.Measured(points(**values)))

    def test_what_was_not_run_is_left_open(self):
        for statement in paper.STATEMENTS:
            self.assertIsNone(statement.judge(paper.Measured({})), statement.text)

    def test_order(self):
        judge = paper.less(4, "mswift", ("lswift", "nscc"))
        self.assertTrue(self.verdict(judge, baseline__reps__mswift=10,
                                     baseline__reps__lswift=20).holds)
        bad = self.verdict(judge, baseline__reps__mswift=10, baseline__reps__lswift=20,
                           baseline__reps__nscc=9)
        self.assertFalse(bad.holds)
        self.assertIn("1.11 of nscc", bad.ours)

    def test_times_is_of_the_balancer_where_it_is_most(self):
        judge = paper.times(4, "lswift", "mswift", 8.6, paper.ALL)
        values = dict(baseline__reps__lswift=198, baseline__reps__mswift=23,
                      baseline__oblivious__lswift=50, baseline__oblivious__mswift=25)
        self.assertTrue(self.verdict(judge, **values).holds)
        self.assertFalse(self.verdict(judge, **{**values, "baseline__reps__lswift": 190}).holds)

    def test_against_another_figure(self):
        judge = paper.against(6, 4, ("lswift",), high=1)
        self.assertTrue(self.verdict(judge, baseline__reps__lswift=20,
                                     permutation__reps__lswift=15).holds)
        self.assertFalse(self.verdict(judge, baseline__reps__lswift=20,
                                      permutation__reps__lswift=25).holds)
        self.assertIsNone(self.verdict(judge, baseline__reps__lswift=20))

    def test_tendency_is_of_the_mean(self):
        values = dict(baseline__reps__nscc=20, drr__reps__nscc=10,
                      baseline__reps__mnscc=20, drr__reps__mnscc=22)
        for tend, wanted in ((True, True), (False, False)):
            judge = paper.against(13, 4, ("nscc", "mnscc"), high=1, tend=tend)
            self.assertEqual(self.verdict(judge, **values).holds, wanted)

    def test_near_is_of_the_whole_time(self):
        judge = paper.near(14, "mswift", "lswift", 1.05)
        self.assertTrue(self.verdict(judge, incast__reps__mswift=4,
                                     incast__reps__lswift=1).holds)
        self.assertFalse(self.verdict(judge, incast__reps__mswift=8,
                                      incast__reps__lswift=1).holds)

    def test_best_balancer_and_reach(self):
        values = dict(baseline__reps__mswift=10, baseline__adaptive__mswift=20)
        self.assertTrue(self.verdict(paper.best_balancer(4, "mswift", "reps"), **values).holds)
        self.assertFalse(self.verdict(paper.best_balancer(4, "mswift", "adaptive"),
                                      **values).holds)
        self.assertTrue(self.verdict(paper.reaches(4, "mswift", 20), **values).holds)
        self.assertFalse(self.verdict(paper.reaches(4, "mswift", 21), **values).holds)

    def test_the_papers_own_bars_agree_with_its_words(self):
        bars = paper.read_bars()
        self.assertAlmostEqual(bars[4, "reps", "lswift"] / bars[4, "reps", "mswift"], 8.6,
                               places=1)

    def test_statements_are_of_figures_that_exist(self):
        for statement in paper.STATEMENTS:
            self.assertIn(statement.figure, catalogue.FIGURES)
            self.assertTrue(statement.why)


class Keeping(unittest.TestCase):
    """What was run is not run again; what fails stops nothing else."""

    def setUp(self):
        self.base = Path(tempfile.mkdtemp(prefix="figures-"))
        self.addCleanup(shutil.rmtree, self.base)
        self.ran = []
        tools = SimpleNamespace(
            kernel=SimpleNamespace(id="k"), agent=Path("/a/agent-1/labagent"),
            modules={"tcp_dcc": Path("/m/modules-1/tcp_dcc.ko")},
            where=lambda name: __file__)
        self.tools = tools
        self.store = store.Store(self.base / "runs", SMALL, {}, tools)
        self.case = catalogue.Case("permutation", "reps", "mswift")

    def execute(self, made, _tools, folder):
        self.ran.append(made.seed)
        if made.seed == 13:
            raise RunError("broken")
        folder.mkdir(parents=True, exist_ok=True)
        return {"problems": []}

    def run_all(self, seeds, keep=None):
        with mock.patch.object(store.runner, "execute", self.execute), \
                mock.patch.object(store, "read_point", lambda _: a_point(1.0)), \
                mock.patch.object(store.Progress, "__call__", lambda *_: None):
            return store.run_all([self.case], seeds, keep or self.store, 1)

    def test_once(self):
        self.run_all([1, 2])
        self.run_all([1, 2, 3])
        self.assertEqual(self.ran, [1, 2, 3])

    def test_another_process_goes_on(self):
        self.run_all([1, 2])
        again = store.Store(self.base / "runs", SMALL, {}, self.tools)
        self.assertTrue(again.known(self.case, 1))
        self.assertIsNone(again.known(self.case, 3))
        self.run_all([1, 2], again)
        self.assertEqual(self.ran, [1, 2])

    def test_without_the_index_the_plan_finds_it(self):
        self.run_all([1])
        (self.base / "runs" / store.INDEX).unlink()
        self.run_all([1], store.Store(self.base / "runs", SMALL, {}, self.tools))
        self.assertEqual(self.ran, [1])

    def test_other_settings_or_modules_are_other_runs(self):
        self.run_all([1])
        other = store.Store(self.base / "runs", SMALL, {"target_us": "90"}, self.tools)
        self.assertIsNone(other.known(self.case, 1))
        self.tools.modules["tcp_dcc"] = Path("/m/modules-2/tcp_dcc.ko")
        self.assertIsNone(self.store.known(self.case, 1))

    def test_half_a_run_is_none(self):
        with mock.patch.object(store, "read_point", mock.Mock(side_effect=KeyboardInterrupt)), \
                mock.patch.object(store.runner, "execute", self.execute):
            with self.assertRaises(KeyboardInterrupt):
                self.store.run(self.case, 1)
        self.assertIsNone(self.store.known(self.case, 1))

    def test_a_damaged_run_is_run_again(self):
        self.run_all([1])
        with contextlib.redirect_stderr(io.StringIO()) as said, \
                mock.patch.object(store.runner, "execute", self.execute):
            with self.assertRaises(FileNotFoundError):      # the mocked run has no files
                self.store.run(self.case, 1)
        self.assertEqual(self.ran, [1, 1])
        self.assertRegex(said.getvalue(), "is damaged .*results.json.*: run again")

    def test_a_failed_run_is_told_and_the_others_are_there(self):
        found, failed = self.run_all([12, 13, 14])
        self.assertEqual(list(found[self.case]), [12, 14])
        self.assertEqual(len(failed), 1)
        self.assertIn("permutation reps mswift seed 13: broken", str(failed[0]))

    def test_forecast_is_by_what_alike_runs_took(self):
        self.run_all([1, 2])
        forecast = store.Forecast(self.store)
        forecast.calibrate()
        self.assertEqual(forecast.seconds(self.case), 2.0)
        # 2 s for 1000 packet-hops; twice as many bytes in 14 flows, not 16
        made = loaded("16MB", "oblivious")
        self.assertAlmostEqual(
            forecast.seconds(catalogue.Case("16MB", "reps", "nscc")),
            store.work(made) * 2 / 1000)

    def test_work_is_packets_times_links(self):
        made = scenario.load("title t\ntopology star hosts=2\n"
                             "flow f h1 -> h2 size=10KB cc=reno\n")
        self.assertEqual(store.work(made), 8 * 2 * 2)    # 1428 B each

    def test_times_as_people_say_them(self):
        for seconds, said in ((40, "40 s"), (700, "12 min"), (7500, "2 h 5 min")):
            self.assertEqual(store.show_time(seconds), said)


class Showing(unittest.TestCase):
    def shown(self, number=4, **values):
        figure = catalogue.FIGURES[number]
        cases = figure.cases([*catalogue.SWIFT, *catalogue.PAPER_CC], ["reps", "adaptive"])
        found = {case: {} for case in cases}
        found.update(points(**values))
        return show.Shown(figure, cases, found, FULL), paper.Measured(found)

    def test_text(self):
        shown, measured = self.shown(baseline__reps__mswift=46, baseline__reps__lswift=198)
        out = io.StringIO()
        show.print_figure(shown, measured, out)
        self.assertIn("46.0 %, the paper's 23 %: 2.00 times it", out.getvalue())
        self.assertIn('8.6 times smaller than LSwift\'s": no (4.3 times', out.getvalue())

    def test_error_is_of_the_mean(self):
        self.assertAlmostEqual(show.standard_error([1, 2, 3]), (1 / 3) ** .5)
        self.assertEqual(show.standard_error([1]), 0)
        self.assertEqual(show.mean_and_error([1, 2, 3]), "2.0 +- 0.6")
        self.assertEqual(show.mean_and_error([1]), "1.0")

    @unittest.skipUnless(HAVE_GNUPLOT, "no gnuplot")
    def test_page_with_all_that_belongs_to_it(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            all_shown = []
            for number in (4, 5):
                shown, measured = self.shown(number, baseline__reps__mswift=46,
                                             baseline__adaptive__mswift=30)
                all_shown.append(shown)
            path = show.write_page(all_shown, measured, ["x seed 1: <gone>"], folder, ["why"])
            text = path.read_text(encoding="utf-8")
            self.assertIn("failed: x seed 1: &lt;gone&gt;", text)
            self.assertEqual(text.count("<svg viewBox='0 0 660") + text.count("<svg xmlns"), 3)
            self.assertEqual({file.name for file in folder.glob("*.svg")},
                             {"figure4.svg", "figure5-reps.svg", "figure5-adaptive.svg"})
            with (folder / "figure4.csv").open(encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
            self.assertEqual([(row["balancer"], row["inflation_percent"],
                               row["paper_percent"]) for row in rows],
                             [("reps", "46.000", "23.0"), ("adaptive", "30.000", "")])
            self.assertEqual({row["run"] for row in rows}, {"fö"})

    def test_bars_stand_side_by_side(self):
        bars = plot.Bars("y", ["a", "b"], {"x": 0, "z": 1}, {("a", "x"): (20, 1)})
        self.assertAlmostEqual(bars.place("a", "z") - bars.place("a", "x"), bars.GROUP / 2)
        self.assertAlmostEqual(bars.place("b", "x") - bars.place("a", "x"), 1)
        text, labels = plot.bars_script(bars)
        self.assertIn("set yrange [10:*]", text)
        self.assertEqual(labels, ["x", "x", "z", "z"])


class Command(unittest.TestCase):
    def refused(self, *words):
        err = io.StringIO()
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
            try:
                code = figures.main(list(words))
            except SystemExit as end:
                code = end.code
        self.assertEqual(code, 2)
        return err.getvalue()

    def test_what_is_not_allowed_is_named(self):
        for words, said in ((("--figure", "3"), "figure '3' is unknown; did you mean"),
                            (("--hosts", "100"), "'100' is unknown; allowed: 16, 54, 128, 250"),
                            (("--seeds", "5-1"), "'5-1' is no range"),
                            (("--seeds", "\xb2"), "'\xb2' is no range"),
                            (("--seeds", "1-99999999999"), "are too many seeds"),
                            (("--set", "cc=reno"), "--set 'cc=...' is what these figures set"),
                            (("--cc", "cubit"), "algorithm 'cubit' is unknown; did you mean 'cubic'"),
                            (("--balancer", "ops"), "balancer 'ops' is unknown"),
                            (("-j", "0"), "-j '0' is out of range"),
                            (("--set", "x"), "--set 'x' sets nothing")):
            self.assertIn(said, self.refused(*words))

    def test_the_kernels_own_are_spread_by_what_can_serve_them(self):
        cases = catalogue.FIGURES[4].cases(["dctcp"], catalogue.balancers())
        self.assertEqual([case.balancer for case in cases], ["oblivious", "adaptive"])
        for case, selector in zip(cases, ("oblivious", "off")):
            sets = case.sets(catalogue.scale_of(16))
            loaded = scenario.load(str(catalogue.SCENARIO), sets=sets, seed=1)
            self.assertEqual({setting[2] for setting in loaded.sysctls
                              if setting[1].endswith("/spray")}, {"off", selector})

    def test_scale(self):
        with self.assertRaises(LabError):
            catalogue.scale_of(432)


if __name__ == "__main__":
    unittest.main()
