#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The tables in Documentation/ equal the code, and a difference is noticed."""

import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "knob-doc.py"

sys.path.insert(0, str(ROOT / "tools" / "lab"))
from lablib import algorithms  # noqa: E402  found by way of that

spec = importlib.util.spec_from_file_location("knob_doc", SCRIPT)
knob_doc = importlib.util.module_from_spec(spec)
spec.loader.exec_module(knob_doc)


class Tables(unittest.TestCase):
    """What scripts/knob-doc.py makes, and what the pages hold."""

    @classmethod
    def setUpClass(cls):
        cls.found = knob_doc.tables()

    def page(self, name):
        """The text of a page."""
        return (ROOT / name).read_text()

    def test_pages_are_as_the_code(self):
        """The check itself, as a user runs it."""
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--check"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_table_is_in_a_page(self):
        """A table without a place would never be compared."""
        text = "".join(map(self.page, knob_doc.PAGES))
        placed = re.findall(r"^<!-- table (\w+) -->$", text, re.MULTILINE)
        self.assertEqual(sorted(placed), sorted(self.found))

    def test_every_knob_of_the_modules_is_there(self):
        """By the names alone, read from the headers in another way."""
        listed = set()
        for path in ("common/cc/dcc_flow_knobs.h", "common/cc/dcc_drain.h", "common/cc/dcc_start.h",
                     "common/cc/dcc_swift.h",
                     "tcp_mswift/mswift.h", "tcp_mnscc/nscc.h", "tcp_oscar/oscar.h",
                     "tcp_prioplus/prioplus.h", "tcp_ledbat/ledbat.h",
                     "common/cc/dcc_ledbat.h"):
            listed |= set(re.findall(r"^\tK\((\w+), \"", self.page(path), re.MULTILINE))
        listed.add("spray")     # its unit is a macro, not a text
        shown = set(re.findall(r"^\| `(\w+)`", "\n".join(
            self.found[name] for name in ("flow", "swift", "base", "mswift", "nscc", "oscar",
                                          "prioplus", "window", "gain", "ledbat")), re.MULTILINE))
        self.assertEqual(shown, listed)

    def test_the_lab_reads_the_same_knobs(self):
        """It has no compiler, and goes by the macros' text."""
        for module, tables in (("tcp_mswift", ("flow", "swift", "base", "mswift")),
                               ("tcp_mnscc", ("flow", "base", "nscc")),
                               ("tcp_oscar", ("flow", "base", "oscar")),
                               ("tcp_prioplus", ("flow", "prioplus", "window", "gain")),
                               ("tcp_ledbat", ("flow", "ledbat"))):
            text = "\n".join(self.found[name] for name in tables)
            shown = re.findall(r"^\| `(\w+)`", text, re.MULTILINE)
            self.assertEqual(sorted(algorithms.knobs(module)), sorted(set(shown)), module)

    def test_a_changed_default_is_noticed(self):
        """The comparison can fail."""
        text = self.page("Documentation/mswift.md")
        wrong = text.replace("| 1 to 64 | 5 |", "| 1 to 64 | 6 |")
        self.assertNotEqual(wrong, text)
        self.assertNotEqual(knob_doc.refreshed(wrong, self.found), wrong)
        self.assertEqual(knob_doc.refreshed(wrong, self.found), text)

    def test_bounded_knobs_are_marked(self):
        """Those that cost memory, by the bit in the code; they are everybody's all the same."""
        marked = [line for table in self.found.values() for line in table.splitlines()
                  if knob_doc.BOUNDED_NOTE in line]
        source = self.page("common/cc/dcc_flow_knobs.h") + self.page("common/ctl/dcc_net.h")
        self.assertEqual(len(marked), source.count("DCC_KNOB_BOUNDED"))
        self.assertIn("| `records` |", marked[0])
        self.assertIn("| all |", marked[0])

    def test_an_unknown_table_is_named(self):
        """A misspelt marker says what is allowed."""
        with self.assertRaisesRegex(SystemExit, "'nought' is not known; allowed: flow"):
            knob_doc.refreshed("<!-- table nought -->\n<!-- end -->", self.found)


if __name__ == "__main__":
    unittest.main()
