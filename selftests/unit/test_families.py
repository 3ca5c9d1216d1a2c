#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/lab/families: what is drawn can be run, is the same each time, and is judged."""

import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import json
import shutil
import struct
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

from familylib import catalogue, draw, engine, judge, show, store, variants, why  # noqa: E402
from lablib import algorithms, plot, scenario  # noqa: E402
from lablib.errors import LabError  # noqa: E402

MANY, FEW = range(1, 201), range(1, 31)
HAVE_GNUPLOT = shutil.which(plot.PROGRAM) is not None


def load_program():
    loader = importlib.machinery.SourceFileLoader(
        "families_program", str(ROOT / "tools" / "lab" / "families"))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


families = load_program()


def said(*argv):
    """(exit status, output, errors) of the program."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = families.main(argv)
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), err.getvalue()


class Track:
    """A counter that grows by so much a ns."""

    def __init__(self, rate, **columns):
        self.rate, self.columns = rate, columns

    def grown(self, start, end, column):
        return self.columns.get(column, self.rate) * (end - start)

    def within(self, _start, _end, column):
        return [self.columns[column]]


class Draws(unittest.TestCase):
    def test_the_same_seed_draws_the_same(self):
        for name, family in catalogue.FAMILIES.items():
            with self.subTest(name):
                self.assertEqual(family.make(7).lines, family.make(7).lines)
                self.assertGreater(len({family.make(seed).words for seed in MANY}), 190)

    def test_networks_lie_within_the_ranges(self):
        for seed in MANY:
            net = draw.net(draw.Dice("x", seed), most=300, least=8)
            self.assertTrue(8 <= net.holds <= 300, net)
            self.assertIn(net.rate, draw.RATES)
            self.assertEqual(net.round, net.rtt + 2 * net.interrupt)

    def test_small_and_large_numbers_are_as_likely(self):
        dice = draw.Dice("x", 1)
        drawn = [dice.spread(2, 64) for _ in range(1000)]
        self.assertEqual((min(drawn), max(drawn)), (2, 64))
        self.assertTrue(300 < sum(value < 8 for value in drawn) < 500)

    def test_every_draw_is_a_scenario_for_every_variant(self):
        for name, family in catalogue.FAMILIES.items():
            for seed in FEW:
                case = family.make(seed)
                for variant in variants.of(case)[:None if seed == 1 else 1]:
                    with self.subTest(family=name, seed=seed, variant=variant.name):
                        scenario.load(variant.of(case), seed=seed)

    def test_controls_are_in_every_family(self):
        for name, family in catalogue.FAMILIES.items():
            names = {variant.name for variant in variants.of(family.make(1))}
            with self.subTest(name):
                self.assertLessEqual({"cubic", "dctcp"}, names)
                if family.make(1).sprayed:
                    self.assertLessEqual({"dctcp+plb", "cubic+mptcp8", "dctcp+mptcp4",
                                          "cubic+oblivious", "mswift+auto"}, names)

    def test_subflows_are_the_algorithms_not_of_other_elephants(self):
        texts = {}
        for seed in FEW:
            case = catalogue.FAMILIES["permutation"].make(seed)
            loaded = scenario.load(variants.named("dctcp+mptcp4").of(case), seed=seed)
            for flow in loaded.flows:
                texts.setdefault((flow.name.partition(".")[0], flow.cc), set()).add(flow.mptcp)
        self.assertEqual(texts["permutation", "dctcp"], {4})
        self.assertEqual(texts["elephant", "cubic"], {0})
        self.assertEqual(texts["elephant", "dctcp"], {0, 4})

    def test_a_workload_has_flows_enough_and_not_too_many(self):
        for seed in FEW:
            case = catalogue.FAMILIES["workload"].make(seed)
            flows = len(scenario.load(variants.named("dctcp").of(case), seed=seed).flows)
            self.assertTrue(20 <= flows <= 2 * catalogue.ARRIVALS, (seed, flows, case.words))


class Judged(unittest.TestCase):
    def test_a_size_that_was_not_drawn_is_not_judged(self):
        rows = {1: {"small": 2, "mean": 1, "rtos": 0, "unfinished": 0},
                2: {"small": 2, "mean": 1, "large": 7, "rtos": 0, "unfinished": 0},
                3: {"small": 2, "mean": 1, "large": None, "rtos": 0, "unfinished": 1}}
        results = show.Results("workload", {"cubic": rows})
        self.assertEqual(results.values("cubic", "large"), [(7, 2), (None, 3)])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "workload.csv"
            results.write_csv(path)
            with path.open(encoding="utf-8", newline="") as lines:
                self.assertEqual([row["large"] for row in csv.DictReader(lines)],
                                 ["none", "7", ""])

    NET = draw.Net(8, 100, 1500, 0, 0)          # a byte each ns

    def test_shares(self):
        flows = {"f0": Track(0.6), "f1": Track(0.2)}
        link = Track(0, wait_ns_sum=0.02, tx_packets=0.001, tx_bytes=0.9, queue=5000)
        row = judge.shares("l", self.NET, 0, 100, far="f1")({"flows": flows}, flows,
                                                              {"l": link})
        self.assertAlmostEqual(row["jain"], 0.8)
        self.assertAlmostEqual(row["least"], 50)
        self.assertAlmostEqual(row["far"], 50)
        self.assertAlmostEqual(row["used"], 90)
        self.assertAlmostEqual(row["queue"], 0.02)
        self.assertAlmostEqual(row["worst"], 5)

    def test_a_flow_without_a_handshake_has_nothing(self):
        known, link = {"f0": {}, "f1": {}}, Track(0, tx_packets=1, wait_ns_sum=0, queue=0)
        row = judge.shares("l", self.NET, 0, 100, far="f1")({"flows": known}, {"f0": Track(1)},
                                                              {"l": link})
        self.assertAlmostEqual(row["jain"], 0.5)
        self.assertEqual([row["least"], row["far"]], [0, 0])

    def test_a_link_that_is_busy_again(self):
        class Refilled(Track):
            def grown(self, start, end, column):
                return max(end - max(start, 1_000_000), 0)
        link = Refilled(0, queue=0)
        row = judge.refill("l", self.NET, 500)({}, {}, {"l": link})
        self.assertEqual(row["back"], 5)
        self.assertAlmostEqual(row["idle"], 100 * 5 / 60)
        class Queued(Refilled):
            def grown(self, start, end, column):
                first = max(min(end, 650_000) - start, 0)
                return first + super().grown(start, end, column)
        row = judge.refill("l", self.NET, 500)({}, {}, {"l": Queued(0, queue=0)})
        self.assertEqual(row["back"], 5)        # and not at once, by what had waited
        row = judge.refill("l", self.NET, 500)({}, {}, {"l": Track(0.5, queue=0)})
        self.assertEqual(row["back"], 60)

    def test_levels(self):
        class Comes(Track):
            def __init__(self, start, end):
                super().__init__(0)
                self.start, self.end = start, end
            def grown(self, start, end, column):
                return max(min(end, self.end) - max(start, self.start), 0)
        flows = {"high.1": Comes(105_000, 200_000), "low0": Comes(200_000, 216_000),
                 "low1": Comes(216_000, 300_000)}
        link = Track(0, tx_bytes=0.75)
        row = judge.levels("high", "low1", "l", draw.Net(8, 1, 1500, 0, 0), 100, 200)(
            {"flows": flows}, flows, {"l": link})
        self.assertEqual(row, {"share": 100, "takeover": 5, "next": 84, "back": 16, "idle": 25})

    def test_what_did_not_finish_has_failed(self):
        row = {"time": None, "p99": None, "small": None, "unfinished": 3}
        for name in ("incast", "permutation", "degraded", "workload"):
            self.assertEqual(catalogue.FAMILIES[name].fails(row), "unfinished")

    def test_failures_say_why(self):
        fails = catalogue.FAMILIES["joins"].fails
        self.assertEqual(fails({"least": 30}), "")
        self.assertIn("quarter", fails({"least": 20}))


class Causes(unittest.TestCase):
    NET = draw.Net(10, 40, 1500, 10, 0)
    INFO = struct.pack("=2H3I", 2, 0, 60_000, 60_000, 0).hex()
    FLOW = {"src": "h2", "dst": "h1", "size": None, "established": 1, "rto": 0,
            "base_rtt": 40_000, "ccinfo": INFO}
    TOTAL = {"packets": 1000, "rto": 0, "spurious": 0, "drops": 0, "lost": 0, "down": 0,
             "marks": 0, "slowdown.p50": None, "slowdown.max": None}

    @classmethod
    def measured(cls, net=NET, flow=None, links=None, samples=(), **total):
        """The facts of a run of four flows on one link, but for what is named."""
        tracks = {}
        for number, row in enumerate(samples):
            tracks[f"f{number}"] = SimpleNamespace(times=[9], row=[row].__getitem__)
        return why.facts({
            "summary": {**cls.TOTAL, **total},
            "flows": {f"f{i}": {**cls.FLOW, **(flow or {})} for i in range(4)},
            "links": links or {"h1-s:ba": {"queue_delay.mean": 1000, "bytes": 9}}}, tracks, net)

    def setUp(self):
        self.assertEqual(why.sentence(self.WELL), "Nothing stands out.")

    def says(self, words, **measured):
        self.assertIn(words, why.sentence(self.measured(**measured)))

    def test_what_stops_flows(self):
        self.says("4 of 4 flows never connected", flow={"established": None})
        self.says("4 of 4 flows waited for a retransmission timeout, 9 in all, and 5 % of packets"
                  " found a full buffer", flow={"rto": 2}, rto=9, drops=50)
        self.says("and links lost 5 % of packets", flow={"rto": 2}, rto=9, lost=50)

    def test_what_tcp_dcc_reports(self):
        def info(bits, delay, base):
            return {"ccinfo": struct.pack("=2H3I", 2, bits, delay, base, 0).hex()}
        self.says("4 of 4 flows never saw the path without a queue: their base RTTs were up to 2"
                  " times", flow=info(0, 120_000, 120_000))
        self.says("The median delay was 60 us above the base RTT, of which queues of links held"
                  " 1 us", flow=info(0, 120_000, 60_000))
        self.says("suspended in 100 % of the samples", flow=info(why.SUSPENDED, 60_000, 60_000))
        self.assertEqual(why.sentence(self.measured(flow={"ccinfo": ""})),
                         why.sentence(self.WELL))

    def test_windows_at_the_end(self):
        def rows(*windows):
            return [{"cwnd": cwnd, "rtt_us": 60, "ccinfo": ""} for cwnd in windows]
        self.says("The windows were 40 packets together at the end, and the path holds 50",
                  samples=rows(10, 10, 10, 10))
        self.says("Nothing stands out: the windows were 60 packets together at the end, and the path"
                  " holds 50", samples=rows(20, 20, 20))
        self.says("Windows were 5 to 40 packets at the end, round trips 60 to 60 us",
                  samples=rows(5, 40, 10))
        self.says("a fair share was 0.75 packets per base RTT", net=draw.Net(1, 40, 1500, 0, 0))

    def test_queues_and_paths(self):
        def links(*carried):
            return {f"leaf1-spine{i}:ab": {"queue_delay.mean": 90_000, "bytes": n}
                    for i, n in enumerate(carried)}
        self.says("mean queue was 1.5 base RTTs", links=links(5, 5))
        self.says("The busiest link between switches carried 1.8 times the mean",
                  links=links(9, 1))
        self.says("Interrupts made a round trip 3 times", net=draw.Net(10, 40, 1500, 40, 0),
                  flow={"ccinfo": ""})

    def test_packets_and_completions(self):
        self.says("30 % of packets were CE-marked", marks=300)
        self.says("4 % of packets were spurious", spurious=40)
        self.says("2 % of packets found a full buffer", drops=20)
        self.says("The slowest flow's slowdown was 5, the median 2",
                  **{"slowdown.p50": 2, "slowdown.max": 5})
        self.says("The median flow's slowdown was 2", **{"slowdown.p50": 2, "slowdown.max": 2})


Causes.WELL = Causes.measured()


class Shown(unittest.TestCase):
    def results(self):
        rows = {seed: {"jain": seed / 20, "least": 50, "queue": 1.0, "worst": 2.0}
                for seed in range(1, 21)}
        rows[3]["least"] = 10
        return show.Results("joins", {"dctcp": rows},
                            {"dctcp": dict.fromkeys(rows, Causes.WELL)})

    def test_median_worst_decile_and_failures(self):
        self.assertEqual(self.results().rows("jain"),
                         [("dctcp", "20", "0.525", "0.15", "0.05", "1", "1")])

    def test_what_has_no_value_is_worst(self):
        results = self.results()
        results.found["dctcp"][9]["jain"] = None
        self.assertEqual(results.rows("jain")[0][4:6], ("-", "9"))

    @unittest.skipUnless(HAVE_GNUPLOT, "gnuplot is not installed")
    def test_a_page_and_csv(self):
        with tempfile.TemporaryDirectory() as folder:
            path = show.write_page([self.results()], Path(folder), ["Drawn."])
            html = path.read_text(encoding="utf-8")
            table = (Path(folder) / "joins.csv").read_text(encoding="utf-8").splitlines()
        self.assertIn("families show joins SEED", html)
        self.assertIn("<a href='#joins'>joins</a>", html)
        self.assertIn("<h2 id='joins'>", html)
        self.assertIn(f"<td class='text'>{why.sentence(Causes.WELL)}</td>", html)
        self.assertEqual(html.count(why.sentence(Causes.WELL)), show.WORST)
        self.assertEqual(html.count("<svg"), html.count("</svg>"))
        self.assertEqual(len(table), 21)
        self.assertTrue(table[3].startswith("dctcp,3,0.15,10,1,2,a flow has less"))


TOOLS = SimpleNamespace(where="x", kernel=SimpleNamespace(id="k"), agent=Path("/a/b"))


class Machines(unittest.TestCase):
    ROW = {"key": "k1", "family": "joins", "seed": 1, "algorithm": "dctcp",
           "row": {"jain": 1}, "wall": 1}

    def taken(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            kept = store.Store(folder, TOOLS)
            engine.take(lines, {"k1"}, kept)
            return kept.rows, (Path(folder) / store.ROWS).read_text(encoding="utf-8")

    def test_a_row_that_was_made_twice_is_kept_once(self):
        rows, text = self.taken(json.dumps(self.ROW), json.dumps({**self.ROW, "wall": 2}))
        self.assertEqual((rows["k1"]["wall"], text.count("\n")), (1, 1))

    def test_a_row_of_another_tree_is_refused(self):
        with self.assertRaisesRegex(LabError, "joins 1 dctcp of another kernel"):
            self.taken(json.dumps({**self.ROW, "key": "k2"}))

    def test_what_is_no_row_is_told(self):
        for line in ("bash: families: not found", "[1]", "{}", "3"):
            with self.subTest(line), self.assertRaisesRegex(LabError, "which is no row"):
                self.taken(line)

    def test_a_job_is_a_few_runs_by_name(self):
        runs = [store.Run("joins", seed, variants.named("mswift:slow_start=off"))
                for seed in range(1, engine.AT_ONCE + 2)]
        jobs = engine.jobs_of(runs)
        self.assertEqual([len(job) for job in jobs], [engine.AT_ONCE, 1])
        self.assertEqual([families.a_run(word) for job in jobs for word in job], runs)

    def test_hosts_that_are_missing_are_told(self):
        for words, wanted in (((), "needs --hosts FILE"),
                              (("--hosts", "/none"), "'/none' is not there")):
            with self.subTest(words), tempfile.TemporaryDirectory() as folder, \
                    mock.patch.object(families.runner, "Tools", return_value=TOOLS), \
                    mock.patch.object(store.plan, "plan_hash", return_value="p"):
                status, _, err = said("run", "--engine", "parallel", "--draws", "1", "--family",
                                      "joins", "--out", folder, *words)
            self.assertIn(wanted, err)
            self.assertNotEqual(status, 0)


class Kept(unittest.TestCase):
    def test_a_run_is_made_once(self):
        run = store.Run("joins", 1, variants.named("dctcp"))
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(store.plan, "plan_hash", return_value="p"), \
                mock.patch.object(store.Store, "_carry_out",
                                  return_value={"row": {"jain": 1}, "wall": 1}) as carried:
            first = store.Store(folder, TOOLS).measure(run)
            again = store.Store(folder, TOOLS).measure(run)
        self.assertEqual(first, again)
        self.assertEqual(carried.call_count, 1)


class Words(unittest.TestCase):
    def test_a_draw_as_a_scenario(self):
        status, out, _ = said("show", "rpc", "3", "oscar+reps")
        self.assertEqual(status, 0)
        self.assertIn("host * knob oscar.spray=reps", out)
        self.assertEqual(scenario.load(out, seed=3).seed, 3)

    def test_ablation(self):
        names = variants.ablated("oscar")
        self.assertEqual(names[0], "oscar")
        self.assertEqual(len(names), 2 * len(variants.switches("oscar")) + 2)
        self.assertIn("oscar:ramp=off", names)
        case = catalogue.FAMILIES["joins"].make(1)
        for cc in algorithms.ours():
            for name in variants.ablated(cc):
                with self.subTest(name):
                    scenario.load(variants.named(name).of(case), seed=1)

    def test_what_is_not_there_is_named(self):
        self.assertIn("the family 'join' is unknown; did you mean 'joins'", said(
            "show", "join", "1")[2])
        self.assertIn("'0' is out of range; allowed: 1 or more", said(
            "run", "--draws", "0")[2])
        self.assertIn("the algorithm 'swft' is unknown", said("show", "rpc", "3", "swft")[2])
        with self.assertRaises(LabError):
            variants.named("mswift+no")


if __name__ == "__main__":
    unittest.main()
