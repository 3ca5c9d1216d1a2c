#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The demo's words say what its table says, whatever was measured."""

import contextlib
import importlib.machinery
import importlib.util
import io
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "tools/demo")]

import held  # noqa: E402
import sprayed  # noqa: E402
import story  # noqa: E402
from figurelib import show  # noqa: E402
from lablib import algorithms, plot, report  # noqa: E402

loader = importlib.machinery.SourceFileLoader("demo", str(ROOT / "tools/demo/demo"))
demo = importlib.util.module_from_spec(importlib.util.spec_from_loader("demo", loader))
loader.exec_module(demo)


def points(**odd):
    """All runs: whoever is not named keeps everything and waits 1 us."""
    made = {}
    for case in sprayed.cases(quick=False):
        kept, wait = odd.get(case.cc, (1.0, 1000.0)) if case.paths else (1.0, 0.0)
        made[case] = sprayed.Point(9.9e9 * kept, 0.99 * kept, wait, 0.0, "")
    return made


def beside(**odd):
    """The second scene: whoever is not named keeps a half."""
    return {name: held.Held(9.8e9 * share, share, queue, 9e9, 0.01)
            for name in held.NAMES for share, queue in [odd.get(name, (0.5, 2000.0))]}


def printed(made):
    """The tables on the standard output."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        demo.show(made)
        demo.judge(made)
    return out.getvalue()


class Words(unittest.TestCase):
    def test_the_lead_tells_of_the_stock_algorithms(self):
        said = story.lead(points(swift=(0.4, 2000), cubic=(0.9, 5e5), bbr=(0.7, 2e5)))
        self.assertIn("Swift keeps 40 % ", said)
        self.assertIn("dctcp, cubic, reno and bbr keep 70 to 100 % here", said)
        self.assertIn("1.0 to 500.0 us", said)

    def test_captions_name_those_that_the_picture_shows(self):
        made = points(swift=(0.4, 2000), bbr=(1.0, 2e5))
        self.assertIn("Falling by more than 5 % at some: swift.",
                      story.rates_caption(made, "linux"))
        self.assertIn("bbr keep a queue of more than a round trip (120.0 us)",
                      story.wait_caption(made))

    def test_who_is_better_than_mswift_is_named_with_what_it_costs(self):
        said = held.finding(beside(mswift=(0.93, 9000.0), bbr=(0.976, 194000.0)))
        self.assertIn("mswift keeps 93 % of the line and makes a queue of 9.0 us;", said)
        self.assertIn("bbr keeps 98 %, with a queue of 194.0 us;", said)
        self.assertNotIn("bbr (", said)

    def test_numbers_of_a_column_have_the_same_digits(self):
        rows = held.rows(beside(mswift=(0.931, 9000.0), bbr=(0.976, 194000.0)))
        for column, pattern in ((1, r"\d+\.\d\d Gbps"), (3, r"\d+\.\d us"), (4, r"\d+\.\d\d Gbps")):
            for row in rows[1:]:
                self.assertRegex(row[column], f"^{pattern}$")

    def test_percents_are_written_in_one_way(self):
        made = points(swift=(0.4, 2000))
        said = [printed(made), story.result_table(made, "linux"), story.lead(made),
                held.finding(beside(mswift=(0.928, 9000.0))),
                str(held.rows(beside(mswift=(0.928, 9000.0))))]
        for text in said:
            self.assertIn(" %", text)
            self.assertEqual(re.findall(r"[\d.]+%", re.sub("<[^>]*>", " ", text)), [])
        self.assertIn("39.6 % ( 40 %)", said[0])
        self.assertIn("'92.8 %'", said[-1])

    def test_more_than_the_line_is_explained_whenever_a_table_shows_it(self):
        for share, shown in ((1.0004, "100.0 %"), (1.0006, "100.1 %")):
            made = points()
            made[next(iter(made))].share = share
            text = printed(made)
            self.assertIn(shown, text)
            self.assertEqual("More than 100 % of the line" in text, shown != "100.0 %")


def script_colours(path):
    """All colours of lines of a script of gnuplot's."""
    return {tuple(bytes.fromhex(found)) for found in re.findall(r"lc rgb '#(\w{6})'",
                                                                path.read_text())}


def svg_colours(path):
    """All colours of lines of a picture that gnuplot drew."""
    return {tuple(map(int, found)) for found in re.findall(r"rgb\( *(\d+), *(\d+), *(\d+)\)",
                                                           path.read_text())}


class Colours(unittest.TestCase):
    def test_every_algorithm_has_one_and_its_own(self):
        used = {name for _, names in sprayed.STACKS.values() for name in names}
        used |= {*held.NAMES, *algorithms.ours()}
        colours = [plot.ALGORITHM_COLORS[name] for name in used]
        self.assertEqual(len(set(colours)), len(colours))
        self.assertNotIn(plot.MODEL_COLOR, colours)

    def test_pictures_of_the_documentation_have_the_same(self):
        """And their SVG, where it is kept, is drawn in the script's colours."""
        for script in [*ROOT.glob("Documentation/*.gp"), *ROOT.glob("tools/*/*.gp")]:
            drawn = re.findall(r"row\('(\w+)[^']*'\) with .*?lc rgb '(#\w+)'", script.read_text())
            named = {name: colour for name, colour in drawn if name in plot.ALGORITHM_COLORS}
            self.assertTrue(named, script)
            for name, colour in named.items():
                self.assertEqual(plot.PALETTE[plot.ALGORITHM_COLORS[name]], colour,
                                 f"{script.name}: {name}")
            picture = script.with_suffix(".svg")
            if picture.exists():
                self.assertEqual(svg_colours(picture), script_colours(script), picture.name)

    def test_figures_have_the_same(self):
        for name, colour in plot.ALGORITHM_COLORS.items():
            self.assertEqual(show.COLORS[name], colour, name)

    def test_reports_of_runs_with_one_algorithm_each_have_it(self):
        class Run:
            def __init__(self, *names):
                self.result = {"flows": {str(at): {"cc": name} for at, name in enumerate(names)}}
        self.assertEqual(report.run_colors([Run("cubic", "cubic"), Run("mswift")]), [2, 0])
        for runs in ([Run("cubic"), Run("cubic")], [Run("cubic"), Run("vegas")],
                     [Run("cubic", "reno"), Run("bbr")]):
            self.assertEqual(report.run_colors(runs), [0, 1])

    def test_so_have_the_flows_of_one_run_where_each_has_its_own(self):
        self.assertEqual(report.colors(["cubic", "mswift"]), [2, 0])
        self.assertEqual(report.colors(["cubic", "cubic", "mswift"]), [0, 1, 2])
        self.assertEqual(report.colors(["cubic", "vegas"]), [0, 1])
        self.assertEqual(report.colors(["bbr"]), [3])

    def test_slow_ones_are_drawn(self):
        """The axis begins below the slowest, and at half a Gbit/s if nobody is as slow."""
        found = points()
        self.assertEqual(story.rate_plot(found, "linux").y_range, (0.5, 12.5))
        case = next(case for case in found if case.stack == "linux")
        found[case].goodput = 1e8
        self.assertAlmostEqual(story.rate_plot(found, "linux").y_range[0], 0.08)

    def test_no_delay_has_its_place_on_the_axis(self):
        ticks = story.wait_plot(points(), "linux").y_ticks
        self.assertEqual(ticks[0], ("0", story.WAIT_FLOOR))


if __name__ == "__main__":
    unittest.main()
