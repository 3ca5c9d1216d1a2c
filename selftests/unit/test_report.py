#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The report's and the demo's arithmetic and pages, on small made-up results."""

import hashlib
import html.parser
import importlib.machinery
import importlib.util
import io
import json
import re
import shutil
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools" / "lab"), str(ROOT / "tools" / "demo")]

from lablib import errors, page, plot, report, runner  # noqa: E402
import sprayed  # noqa: E402
import story  # noqa: E402

HAVE_GNUPLOT = shutil.which(plot.PROGRAM) is not None
MS = 10**6
TEXT = "title <made> & up\ntopology star\n"
VOID = ("meta", "br", "img", "path", "rect", "circle")


def a_flow(name, goodput=10**9, fct=None, slowdown=None):
    return {"src": "a", "dst": "b", "cc": "cubic", "size": fct and 1000, "fct": fct,
            "slowdown": slowdown, "goodput": goodput, "bytes": goodput // 8,
            "packets": 1000, "retrans": 3, "spurious": 1, "rto": 0, "ce": 0,
            "base_rtt": 120000.0, "capacity": 9.8e9, "name": name}


def a_link(mean):
    return {"packets": 10, "bytes": 100, "drops": 0, "marks": 2, "utilisation": 0.5,
            "queued": 0.3125, "queue.mean": mean, "queue.max": 9000, "queue_delay.mean": mean / 2}


def a_result(variables=None, flows=1, seed=1, **more):
    variables = {"cc": "cubic"} if variables is None else variables
    said = TEXT + "".join(f"\n{k}={v}" for k, v in sorted(variables.items()))
    done = [1e6 * (i + 1) if flows > 1 else None for i in range(flows)]
    summary = dict.fromkeys(("cct", "cct_bound", "cct_inflation", "fct.p50",
                             "fct.p99"))
    summary.update(flows=flows, unfinished=0, jain=1.0, goodput=2.5e9,
                   carried=2.6e9, packets_per_ack=1.9, syn_lost=0,
                   utilisation=0.25, packets=1000, retrans=3, spurious=1, rto=0,
                   drops=0, marks=2, line=10**10, capacity=9.8e9,
                   slowdown_by_size=[])
    return {"format": report.FORMAT, "title": "<made> & up", "scenario": "made",
            "seed": seed, "kernel": "k",
            "scenario_hash": hashlib.sha256(said.encode()).hexdigest()[:16],
            "variables": variables, "virtual_ns": 4 * MS, "trace_hash": "t",
            "problems": [], "summary": summary, "expects": [],
            "flows": {f"f{i + 1}": a_flow("f", fct=fct, slowdown=fct and 1.5)
                      for i, fct in enumerate(done)},
            "links": {"l:ab": a_link(500.0), "m:ab": a_link(700.0),
                      "l:ba": a_link(0.2)}, **more}


FLOW_ROWS = ["t,id,cwnd,rtt_us,bytes_received,retrans"] + [
    f"{i * MS},{name},{10 + i},{120 + i},{1250000 * i},0"
    for i in range(1, 5) for name in ("f1", "f2")]
LINK_ROWS = ["t,id,dir,tx_packets,drops,wait_ns_sum,queue_byte_ns"] + [
    f"{i * MS},{name},ab,{100 * i},{i if name == 'l' else 0},{i * 50000},{i * 2 * 10**9}"
    for i in range(1, 5) for name in ("l", "m")]


class Folder:
    """A directory with made-up results, for the time of a test."""

    def __init__(self, result, series=True, text=TEXT):
        self.holder = tempfile.TemporaryDirectory()
        self.path = Path(self.holder.name)
        (self.path / "results.json").write_text(json.dumps(result))
        if series:
            (self.path / "flows.csv").write_text("\n".join(FLOW_ROWS) + "\n")
            (self.path / "links.csv").write_text("\n".join(LINK_ROWS) + "\n")
        if text:
            (self.path / runner.SCENARIO_FILE).write_text(text)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        self.holder.cleanup()


class Checker(html.parser.HTMLParser):
    """Are all elements closed, and is nothing fetched from elsewhere?"""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.wrong = [], [], []
        self.feed(text)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in ("script", "link", "iframe", "img"):
            self.wrong.append(tag)
        self.wrong += [value for key, value in attrs.items()
                       if key in ("src", "href", "xlink:href")]
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append("/" + tag)


class Series(unittest.TestCase):
    def test_growth_is_per_second_and_skips_the_unknown_start(self):
        track = {"t": [MS, 2 * MS, 4 * MS], "n": [5, 105, 105]}
        self.assertEqual(report.grown_points(track, "n"), [(2.0, 1e5), (4.0, 0.0)])

    def test_means_of_groups_lose_no_sample(self):
        count = 3 * report.POINTS + 1
        track = {"t": [i * MS for i in range(count)], "n": list(range(count))}
        points = report.mean_points(track, "n")
        self.assertLessEqual(len(points), report.POINTS)
        self.assertEqual(points[0][1], 1.5)
        self.assertEqual(points[-1], (count - 1, count - 1))

    def test_sum_keeps_what_finished_flows_received(self):
        tracks = {"a": {"t": [1, 2], "bytes_received": [10, 20], "cwnd": [4, 6],
                        "rtt_us": [1, 1]},
                  "b": {"t": [2, 3], "bytes_received": [5, 7], "cwnd": [8, 8],
                        "rtt_us": [3, 3]}}
        total = report.summed(tracks)
        self.assertEqual(total["bytes_received"], [10, 25, 27])
        self.assertEqual(total["cwnd"], [4, 7, 8])

    def test_sum_has_no_peak_where_a_flow_ends_between_two_samples(self):
        tracks = {"a": {"t": [10, 20, 30], "bytes_received": [1, 2, 3], "cwnd": [4, 4, 4],
                        "rtt_us": [1, 1, 1]},
                  "b": {"t": [10, 21], "bytes_received": [5, 9], "cwnd": [8, 8],
                        "rtt_us": [3, 3]}}
        total = report.summed(tracks)
        self.assertEqual((total["t"], total["bytes_received"], total["cwnd"]),
                         ([10, 20, 30], [6, 7, 12], [6, 4, 4]))

    def test_distribution_ends_at_one(self):
        self.assertEqual(report.distribution([3, 1]), [(1, 0.0), (1, 0.5), (3, 1.0)])

    def test_distribution_of_more_ends_below_one(self):
        self.assertEqual(report.distribution([3, 1], 4), [(1, 0.0), (1, 0.25), (3, 0.5)])

    def test_only_wanted_links_are_read(self):
        with Folder(a_result()) as path:
            found = report.read_series(path, "links", ("drops",), {"m:ab"})
        self.assertEqual(list(found), ["m:ab"])
        self.assertEqual(found["m:ab"]["drops"], [0, 0, 0, 0])


class Runs(unittest.TestCase):
    def test_labels_say_what_differs(self):
        runs = [report.Run(a_result({"cc": cc, "n": "4"}, seed=seed), Path(cc))
                for cc, seed in (("cubic", 1), ("reno", 1), ("reno", 2))]
        report.name_runs(runs)
        self.assertEqual([run.label for run in runs],
                         ["cc=cubic seed=1", "cc=reno seed=1", "cc=reno seed=2"])

    def test_equal_runs_are_told_apart_by_their_folders(self):
        runs = [report.Run(a_result(), Path(name)) for name in "xy"]
        report.name_runs(runs)
        self.assertEqual(len({run.label for run in runs}), 2)

    def test_text_is_shown_only_if_it_is_the_one_that_ran(self):
        with Folder(a_result()) as path:
            self.assertEqual(report.scenario_text(report.read_run(path)), TEXT)
        with Folder(a_result(), text=TEXT + "#") as path:
            self.assertEqual(report.scenario_text(report.read_run(path)), "")

    def test_busiest_links_come_first_and_idle_ones_not(self):
        self.assertEqual(report.Run(a_result(), Path()).busiest(), ["m:ab", "l:ab"])

    def test_runs_one_level_below_are_found(self):
        with tempfile.TemporaryDirectory() as base:
            for seed in (1, 2):
                folder = Path(base) / f"seed-{seed}"
                folder.mkdir()
                (folder / "results.json").write_text(json.dumps(a_result(seed=seed)))
            labels = [run.label for run in report.find_runs([base])]
        self.assertEqual(labels, ["seed=1", "seed=2"])


class Command(unittest.TestCase):
    def call(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = report.main([str(word) for word in words])
        return code, out.getvalue(), err.getvalue()

    def test_missing_results_are_named(self):
        with tempfile.TemporaryDirectory() as empty:
            code, _, err = self.call(empty)
        self.assertEqual(code, errors.EXIT_USAGE)
        self.assertIn(f"'{empty}' has no results.json", err)

    def test_broken_results_are_named(self):
        with Folder(a_result()) as path:
            (path / "results.json").write_text("{")
            code, _, err = self.call(path)
        self.assertEqual(code, errors.EXIT_USAGE)
        self.assertIn("no JSON document", err)

    def test_damaged_results_are_named(self):
        """Each part that the page needs, and rows of the series that are none."""
        for name in report.NEEDED:
            result = a_result()
            del result[name]
            with Folder(result) as path:
                code, _, err = self.call(path)
            self.assertEqual(code, errors.EXIT_USAGE)
            self.assertIn(f"results.json' has no '{name}': it is damaged", err)
        for row in ("5000000", "5000000,f1,1", "5000000,f1,x,120,1250000,0"):
            with Folder(a_result()) as path:
                with (path / "flows.csv").open("a", encoding="ascii") as rows:
                    rows.write(row)
                code, _, err = self.call(path)
            self.assertEqual(code, errors.EXIT_USAGE, row)
            self.assertIn(f"flows.csv', line {len(FLOW_ROWS) + 1}: ", err)

    def test_another_format_is_refused(self):
        with Folder(a_result(format=report.FORMAT + 1)) as path:
            code, _, err = self.call(path)
        self.assertEqual(code, errors.EXIT_USAGE)
        self.assertIn(f"not in format {report.FORMAT}", err)

    def test_missing_gnuplot_is_named(self):
        with Folder(a_result()) as path, \
                mock.patch.object(plot.shutil, "which", return_value=None):
            code, _, err = self.call(path)
        self.assertEqual(code, errors.EXIT_USAGE)
        self.assertIn(plot.PACKAGE, err)

    @unittest.skipUnless(HAVE_GNUPLOT, "gnuplot is not installed")
    def test_default_place_is_the_directory_itself(self):
        with Folder(a_result()) as path:
            code, out, _ = self.call(path)
            self.assertEqual((code, out.strip()), (0, str(path / "report.html")))
            self.assertTrue((path / "report.html").exists())


class Drawing(unittest.TestCase):
    def test_labels_cannot_break_out_of_the_script(self):
        made = plot.script(plot.Plot("it's", "y", [plot.Curve("a'b\n!ls", [(0, 1)])]))
        self.assertIn("set xlabel 'it''s'", made)
        self.assertIn("title 'a''b !ls'", made)

    def test_what_is_below_nought_is_drawn(self):
        for points, wanted in (([(0, 1), (1, 2)], r"\[0:2\.\d+\]"),
                               ([(0, -1), (1, 2)], r"\[-1\.\d+:2\.\d+\]"),
                               ([(0, -1), (1, -2)], r"\[-2\.\d+:0\]"),
                               ([(0, 0)], r"\[0:1\]")):
            made = plot.script(plot.Plot("x", "y", [plot.Curve("c", points)]))
            self.assertRegex(made, f"set yrange {wanted}")

    def test_nothing_to_draw_gives_no_picture(self):
        self.assertEqual(plot.svg(plot.Plot("x", "y", [plot.Curve("c", [])]), "n"), "")

    @unittest.skipUnless(HAVE_GNUPLOT, "gnuplot is not installed")
    def test_picture_takes_its_colours_from_the_page(self):
        curve = plot.Curve("<c>", [(1, 1), (2, 4)], 1, marks=True)
        made = plot.svg(plot.Plot("x", "y", [curve], log_x=True), "name")
        self.assertIn(f"var(--c1,{plot.PALETTE[1]})", made)
        self.assertEqual(made.count(plot.SHAPES[curve.shape]), 2)
        self.assertNotRegex(made, r"rgb\(|\bid=|xlink:href|'black'|\"black\"")
        self.assertIn("<title>&lt;c&gt;</title>", made)
        self.assertEqual(Checker(made).wrong, [])

    @unittest.skipUnless(HAVE_GNUPLOT, "gnuplot is not installed")
    def test_gnuplots_complaint_is_passed_on(self):
        with self.assertRaisesRegex(errors.LabError, "gnuplot failed.*undefined"):
            plot.run_gnuplot("set terminal svg\nplot nothing_here\n")

    def test_every_colour_has_a_dark_twin(self):
        self.assertEqual(len(plot.PALETTE), len(page.DARK))
        for color in plot.THEME.values():
            self.assertGreaterEqual(page.STYLE.count(f"{color}:"), 2)


@unittest.skipUnless(HAVE_GNUPLOT, "gnuplot is not installed")
class Pages(unittest.TestCase):
    def one(self, **more):
        with Folder(a_result(**more), series=more.pop("series", True)) as path:
            return report.render([report.read_run(path)])

    def test_one_run_is_well_formed_and_alone(self):
        made = self.one()
        found = Checker(made)
        self.assertEqual((found.wrong, found.ids), ([], []))
        for title in ("Throughput", "Throughput per flow", "Window", "Round-trip time", "Queues"):
            self.assertIn(f"<h3>{title}</h3>", made)
        self.assertNotIn("Completion times", made)
        self.assertIn("&lt;made&gt; &amp; up", made)
        self.assertNotIn("<made>", made)

    def test_same_results_give_the_same_bytes(self):
        self.assertEqual(self.one(), self.one())

    def test_many_flows_have_distributions(self):
        made = self.one(flows=report.CDF_MIN)
        self.assertIn("Completion times", made)
        self.assertIn("Slowdown", made)

    def test_unfinished_flows_count_in_distributions(self):
        """Those that had an end; a flow without a size has none."""
        result = a_result(flows=report.CDF_MIN + 2)
        last, before = list(result["flows"].values())[-2:]
        last.update(fct=None, slowdown=None)
        before.update(fct=None, slowdown=None, size=0)
        run = report.Run(result, Path("x"))
        times = report.finished(run, "fct")
        curve = report.done_curve(run, "flows", times, 0)
        self.assertEqual(curve.points[-1][1], report.CDF_MIN / (report.CDF_MIN + 1))
        self.assertIn("1 unfinished", report.of_unfinished([run]))
        self.assertIn("1 unfinished", "".join(report.cdf_figures(run)))
        self.assertIn("1 unfinished", "".join(report.compare_cdfs([run])))
        few = report.Run(a_result(flows=report.CDF_MIN), Path("y"))
        few.flows["f1"].update(fct=None, slowdown=None)
        self.assertIn("1 unfinished", "".join(report.compare_cdfs([run, few])))
        last["fct"] = last["slowdown"] = 1
        self.assertEqual(report.of_unfinished([run]), "")

    def test_the_title_told_is_the_heading(self):
        with Folder(a_result()) as path:
            made = report.render([report.read_run(path)], "mine")
        self.assertIn("<h1>mine</h1>", made)
        self.assertIn("<title>mine", made)

    def test_a_title_that_no_page_can_have(self):
        with Folder(a_result()) as path, redirect_stderr(io.StringIO()) as told, \
                self.assertRaises(SystemExit):
            report.main([str(path), "--title", "a\udcff"])
        self.assertIn("'a\\udcff' is no UTF-8", told.getvalue())

    def test_slowdown_by_size_of_enough_flows(self):
        group = {"above": 10**4, "upto": None, "unfinished": 2, "mean": 1.5, "p50": 1.25,
                 "p95": 3.0, "p99": 4.0, "max": None}
        for flows, shown in ((report.CDF_MIN - 1, False), (report.CDF_MIN, True)):
            result = a_result()
            result["summary"]["slowdown_by_size"] = [{**group, "flows": flows}]
            with Folder(result) as path:
                made = report.render([report.read_run(path)])
            self.assertEqual("Slowdown by size" in made, shown)
        for text in ("10 KB to any", "1.250", "4.000"):
            self.assertIn(text, made)

    def test_recorded_acks_are_drawn(self):
        """The delay with its target, and what is not 0 of all the rest."""
        rows = ["t,id,delay,target,cwnd,share,gradient"] + [
            f"{i * MS},f1,{130000 + i},180000,{i * 256000},{900000 - i},0"
            for i in range(1, 5)]
        with Folder(a_result()) as path:
            (path / "acks.csv").write_text("\n".join(rows) + "\n")
            run = report.read_run(path)
            figures = "".join(report.alg_figures(run))
        for text, there in (("Delay that was decided on", True), ("target", True),
                            ("Window that was decided", True), ("Share of", True),
                            ("Gradient", False)):
            self.assertEqual(text in figures, there, text)

    def test_recorded_flows_are_drawn_however_small(self):
        """Of those recorded the largest; each with its own target, where they differ."""
        result = a_result(flows=report.FLOW_CURVES + 3)
        names = list(result["flows"])
        for size, name in enumerate(names):
            result["flows"][name]["bytes"] = size
        rows = ["t,id,delay,target,cwnd,share,gradient"] + [
            f"{i * MS},{name},130000,{target},256000,0,0"
            for i in range(1, 5) for name, target in ((names[0], 180000), (names[1], 150000))]
        with Folder(result) as path:
            (path / "acks.csv").write_text("\n".join(rows) + "\n")
            figures = "".join(report.alg_figures(report.read_run(path)))
        for name in names[:2]:
            self.assertIn(f"target of {name} at the end", figures)

    def test_failures_are_shown(self):
        bad = {"text": "expect jain >= 2", "ok": False, "shown": "1", "who": "",
               "shown_wanted": "2"}
        made = self.one(problems=["it broke"], expects=[bad])
        self.assertIn("Problem: it broke", made)
        self.assertIn("1 of 1 fail", made)

    def test_runs_side_by_side(self):
        with Folder(a_result({"cc": "cubic"})) as one, \
                Folder(a_result({"cc": "reno"}), series=False) as two:
            made = report.render(report.find_runs([one, two]), "both")
        self.assertEqual(Checker(made).wrong, [])
        for text in ("<h1>both</h1>", "cc=cubic", "cc=reno", "Longest queue"):
            self.assertIn(text, made)
        self.assertNotIn("last flow done", made)


class Demo(unittest.TestCase):
    def points(self, share=1.0):
        """Points in which mswift keeps a share, the others an eighth."""
        points = {}
        for case in sprayed.cases(quick=True):
            kept = 1 if not case.paths else share if case.cc == "mswift" else 0.125
            points[case] = sprayed.Point(kept * 9.8e9, kept, 30e3, 0.0, "nowhere")
        return points

    def test_table_one(self):
        tcp = sprayed.table_one("tcp", 1 / 16)
        self.assertAlmostEqual(tcp, 8 * 4024 / 120e-6 * 1.22 * 4)
        self.assertAlmostEqual(sprayed.table_one("swift", 1 / 16) / tcp,
                               1.5 ** 0.5 / 1.22)
        self.assertEqual(sprayed.table_one("tcp", 1e-9), sprayed.LINE)

    def test_promise_can_be_broken(self):
        self.assertEqual(sprayed.broken_promises(self.points(0.95)), [])
        broken = sprayed.broken_promises(self.points(0.949))
        self.assertEqual({case.cc for case in broken}, {"mswift"})
        self.assertEqual(len(broken), 2 * len(sprayed.QUICK_PATHS))

    def test_exit_code_tells_a_broken_promise(self):
        path = str(ROOT / "tools" / "demo" / "demo")
        loader = importlib.machinery.SourceFileLoader("demo", path)
        demo = importlib.util.module_from_spec(
            importlib.util.spec_from_loader("demo", loader))
        with mock.patch.object(sys, "dont_write_bytecode", True):
            loader.exec_module(demo)
        out = io.StringIO()
        with redirect_stdout(out):
            codes = [demo.judge(self.points(share)) for share in (1.0, 0.5)]
        self.assertEqual(codes, [errors.EXIT_OK, errors.EXIT_EXPECT])
        self.assertIn("mswift (linux) keeps 50.0 %", out.getvalue())

    def test_measure_counts_needless_retransmissions(self):
        result = a_result()
        with Folder(result, text="") as path:
            links = (path / "links.csv").read_text()
            (path / "links.csv").write_text(links.replace(",l,", ",a-s1,"))
            flows = (path / "flows.csv").read_text().splitlines()
            (path / "flows.csv").write_text("\n".join(
                row if "f1" not in row else
                row.rsplit(",", 1)[0] + f",{5 * (number // 2)}"
                for number, row in enumerate(flows)) + "\n")
            run = type("R", (dict,), {"folder": path})(result)
            point = sprayed.measure(run, (1, 4))
        self.assertAlmostEqual(point.goodput, 1250000 * 8 * 1000)
        self.assertAlmostEqual(point.wait, 2 * 150000 / 300)
        self.assertAlmostEqual(point.needless, (15 - 3) / 300)

    def test_measure_needs_samples(self):
        with Folder(a_result(), text="") as path, \
                self.assertRaisesRegex(errors.RunError, "between 30 and 90"):
            links = (path / "links.csv").read_text()
            (path / "links.csv").write_text(links.replace(",l,", ",a-s1,"))
            sprayed.measure(type("R", (dict,), {"folder": path})(a_result()),
                            (30, 90))

    def test_first_failure_ends_all(self):
        started = []

        def fail(case, stop, **_):
            if stop.is_set():
                return None
            started.append(case)
            stop.set()
            raise errors.RunError("the guest died")
        with mock.patch.object(sprayed, "run_case", fail), \
                self.assertRaisesRegex(errors.RunError, "linux mswift q=0.*died"):
            sprayed.run_all(sprayed.cases(True), None, "/nowhere", 1, (1, 2), 1,
                            lambda *_: None)
        self.assertEqual(len(started), 1)

    def test_lead_says_what_was_measured(self):
        text = story.lead(self.points(0.97))
        self.assertIn("mswift 97 %", text)
        self.assertIn("(lswift) 12 %", text)

    @unittest.skipUnless(HAVE_GNUPLOT, "gnuplot is not installed")
    def test_pictures_over_q(self):
        points = self.points()
        for drawing in (story.rate_plot(points, "textbook"),
                        story.wait_plot(points, "linux")):
            self.assertEqual(Checker(plot.svg(drawing, "n")).wrong, [])
        self.assertEqual(Checker(story.network()).wrong, [])
        self.assertTrue(re.search("mswift kept at least 100", story.verdict(points)))


if __name__ == "__main__":
    unittest.main()
