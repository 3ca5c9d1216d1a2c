#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Each fault of mutants.py can be planted, and is what it says.

Planting them all takes minutes (`make -C selftests/unit mutants`); that a change of the
source left a fault behind shows here at once.
"""

import contextlib
import io
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "selftests/unit"))

import faults  # noqa: E402
import mutants  # noqa: E402

TEXT = """\
/* a < b */
#define MOST\t4
static_assert(MOST < 5, "x == y");
u64 f(const char *p)
{
\tu64 n = 1;

\tif (p && n < 0x10)
\t\tn += min(MOST, n) - 2U;
\tf("a + b");
\treturn n;
}
"""


class Generated(unittest.TestCase):
    def told(self, text=TEXT):
        return [fault.told(text) for fault in faults.every(text)]

    def test_one_of_each_token_of_code(self):
        self.assertEqual(self.told(), [
            "line 6: u64 n = 1; -> u64 n = 2;",
            "line 8: if (p && n < 0x10) -> if (!(p && n < 0x10))",
            "line 8: if (p && n < 0x10) -> if (p || n < 0x10)",
            "line 8: if (p && n < 0x10) -> if (p && n <= 0x10)",
            "line 9: n += min(MOST, n) - 2U; -> ;",
            "line 9: n += min(MOST, n) - 2U; -> n += max(MOST, n) - 2U;",
            "line 9: n += min(MOST, n) - 2U; -> n += min(MOST, n) + 2U;",
            "line 9: n += min(MOST, n) - 2U; -> n += min(MOST, n) - 3U;",
            'line 10: f("a + b"); -> ;'])

    def test_pointers_are_no_products(self):
        self.assertEqual(self.told("int *p = &(*q)[N];\n"), [])

    def test_widths_of_bit_fields_and_lists_of_knobs_are_left_alone(self):
        self.assertEqual(self.told("\tu8 a : 4,\n\t   b : 1;\n\tX_KNOBS(DCC_KNOB_FIELD, 0)\n"), [])

    def test_planted_is_the_text_with_it(self):
        fault = faults.every(TEXT)[0]
        self.assertEqual(fault.planted(TEXT), TEXT.replace("n = 1;", "n = 2;"))

    def test_a_seed_chooses_the_same(self):
        chosen = faults.sample(TEXT, 4, "1")
        self.assertEqual(chosen, faults.sample(TEXT, 4, "1"))
        self.assertEqual(len(chosen), 4)
        self.assertEqual(faults.sample(TEXT, 99, "1"), faults.every(TEXT))

    def test_every_algorithm_has_some(self):
        files = mutants.pure_files(ROOT)
        for name in ("tcp_oscar/oscar.c", "tcp_mswift/mswift.c", "tcp_mnscc/nscc.c",
                     "tcp_prioplus/prioplus.c", "tcp_ledbat/ledbat.c", "common/cc/dcc_swift.c"):
            self.assertGreater(len(faults.every(files[name])), mutants.EACH, name)
        self.assertNotIn("common/stack/dcc_tlp.c", files)
        for path in files:
            for program in mutants.programs_of(mutants.tests_of(path)):
                self.assertTrue((ROOT / f"selftests/unit/{program}.c").exists(), program)


class Planted(unittest.TestCase):
    def test_each_has_its_place_and_changes_something(self):
        for one in mutants.MUTANTS:
            text = (ROOT / one.path).read_text(encoding="utf-8")
            with self.subTest(path=one.path, old=one.old):
                self.assertNotEqual(one.planted(text), text)

    def test_they_are_few(self):
        self.assertLessEqual(len(mutants.MUTANTS), 200)


class Verdicts(unittest.TestCase):
    def setUp(self):
        quiet = contextlib.redirect_stdout(io.StringIO())
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)

    def test_a_folder_needs_nine_tenths(self):
        self.assertEqual(mutants.judge_generated({"tcp_a/b.c": (8, 10), "tcp_a/c.c": (10, 10)}),
                         [True])
        self.assertEqual(mutants.judge_generated({"tcp_a/b.c": (8, 10), "common/c.c": (9, 10)}),
                         [False, True])

    def test_what_is_no_program_does_not_count(self):
        fault = faults.every(TEXT)[:3]
        outcomes = dict(zip(fault, ("test_x", "", f"{mutants.BROKEN}: y")))
        self.assertEqual(mutants.count_generated("a.c", TEXT, outcomes), (1, 2))


if __name__ == "__main__":
    unittest.main()
