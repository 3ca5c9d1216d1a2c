#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the documentation counts and lists is what there is."""

import argparse
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/lab"), str(ROOT / "selftests/unit")]

import labbuild  # noqa: E402
import faults  # noqa: E402
import mutants  # noqa: E402
from lablib import cli, expect, report, scenario  # noqa: E402

NUMBERS = {number: word for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen".split())}


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def options_of(parser):
    """Every option of a command and of its subcommands, as typed."""
    found = set()
    for action in parser._actions:
        found.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                found |= options_of(sub)
    return found - {"-h", "--help"}


class Counts(unittest.TestCase):
    def test_patches_of_the_labs_kernel(self):
        found = re.search(r"config and (\w+) small patches", text_of("Documentation/lab.md"))
        self.assertEqual(found.group(1), NUMBERS[len(labbuild.patches())])

    def test_each_patch_has_its_line(self):
        table = text_of("tools/lab/kernel/README.md")
        for path in labbuild.patches():
            with self.subTest(path.name):
                self.assertEqual(table.count(f"| {path.name.partition('-')[0]} "), 1)

    def test_faults_that_contributing_names(self):
        for folder, count in re.findall(r"mutants\.py --only (\S+)`[^|]*\|[^|]*?(\d+) faults",
                                        text_of("CONTRIBUTING.md")):
            planted = sum(folder in one.path for one in mutants.MUTANTS)
            made = sum(min(len(faults.every(text)), mutants.EACH)
                       for path, text in mutants.pure_files(ROOT).items() if folder in path)
            self.assertEqual(int(count), planted + made, folder)


class Lists(unittest.TestCase):
    def test_the_manual_has_every_option_of_lab(self):
        page = text_of("Documentation/man/lab.1")
        for option in options_of(cli.parser()) | {"-o", "--output", "--title"}:
            with self.subTest(option):
                pattern = rf"(?m)^\.It Fl (\w , )?{re.escape(option[1:])}\b"
                self.assertTrue(re.search(pattern, page))

    def test_the_report_has_no_other_options(self):
        args = report._arguments(["DIR"])
        self.assertEqual(set(vars(args)), {"folders", "output", "title"})

    def test_the_manual_has_every_metric(self):
        page = text_of("Documentation/man/lab-scenario.5")
        for subject, heading, upto in (("flow", "Flow metrics", ".It Link"),
                                       ("link", "Link metrics", ".It Run"),
                                       ("run", "Run metrics", ".El")):
            part = page.partition(f".It {heading}")[2].partition(upto)[0]
            said = set(re.findall(r"[a-z][\w.]*\w", part))
            wanted = {name for name in expect.METRICS[subject] if not name.startswith("slowdown.")
                      or name == "slowdown.mean"}
            self.assertEqual(wanted - said, set(), subject)

    def test_the_manual_has_every_directive(self):
        page = text_of("Documentation/man/lab-scenario.5")
        for name in (*scenario.DIRECTIVES, "set"):
            with self.subTest(name):
                pattern = rf"(?m)^\.It (Ic|Xo Ic)? ?{name}\b|^\.Ic {name}\b"
                self.assertTrue(re.search(pattern, page))


class Links(unittest.TestCase):
    pages = (ROOT / "README.md", ROOT / "CONTRIBUTING.md",
             *sorted((ROOT / "Documentation").glob("*.md")),
             *sorted((ROOT / "Documentation/man").glob("*.[157]")))

    def test_files_that_pages_name_exist(self):
        folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir())
        for page in self.pages:
            for name in re.findall(rf"`((?:{folders})/[\w./-]*\w)", page.read_text("utf-8")):
                with self.subTest(f"{page.name}: {name}"):
                    self.assertTrue((ROOT / name).exists() or name.startswith("build/"))

    def test_files_that_pages_point_to_exist(self):
        for page in self.pages:
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
                with self.subTest(f"{page.name}: {target}"):
                    self.assertTrue((page.parent / target).exists())


if __name__ == "__main__":
    unittest.main()
