#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How programs of tools/ end: Ctrl-C while they load, an output that is full or closed."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
# Those in Python that load much, and a module among it.
PROGRAMS = ("lab/lab", "lab/figures", "demo/demo", "netcalc/compare", "netcalc/sweep",
            "netcalc/draw", "netcalc/fromlab", "netcalc/measure-collapse", "mininet/mn2lab.py",
            "mininet/leafspine.py")
LOADED = "difflib"
# Where tests run in the background, SIGINT is ignored, and Python leaves it so.
CTRL_C = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
os.kill(os.getpid(), signal.SIGINT)
"""
WRONG = "--none"                # refused, should it come that far
FILLS = """
import sys
sys.path.insert(0, {folder!r})
import ending
def main():
    {body}
sys.exit(ending.run("program", main, ({refusals}), 7))
"""


class Interrupted(unittest.TestCase):
    def test_while_it_loads(self):
        for name in PROGRAMS:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                Path(folder, f"{LOADED}.py").write_text(CTRL_C)
                done = subprocess.run([sys.executable, TOOLS / name, WRONG], capture_output=True,
                                      text=True, check=False,
                                      env={**os.environ, "PYTHONPATH": folder})
                self.assertEqual((done.returncode, done.stdout, done.stderr), (130, "", ""))


class Ends(unittest.TestCase):
    """A program that does this or that, with its output to there."""

    def end(self, body, refusals="OSError,", to="/dev/null"):
        text = FILLS.format(folder=str(TOOLS / "lab"), body=body, refusals=refusals)
        done = subprocess.run(["sh", "-c", f'exec "$0" -c "$1" >{to}', sys.executable, text],
                              stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stderr

    def test_well(self):
        self.assertEqual(self.end("print(1)"), (0, ""))
        self.assertEqual(self.end("return 5"), (5, ""))

    def test_what_is_refused_is_a_line(self):
        self.assertEqual(self.end("open('/none')"), (
            7, "program: [Errno 2] No such file or directory: '/none'\n"))
        self.assertEqual(self.end("raise KeyError('a')", "KeyError,"), (7, "program: 'a'\n"))

    def test_a_mistake_of_ours_has_its_traceback(self):
        code, said = self.end("1 / 0")
        self.assertEqual(code, 1)
        self.assertIn("ZeroDivisionError", said)

    def test_an_output_that_is_full_or_closed(self):
        for body in ("print(1)", "print('x' * 10**6)"):
            for refusals in ("", "OSError,"):
                with self.subTest(body, refusals=refusals):
                    self.assertEqual(self.end(body, refusals, "/dev/full"), (
                        7, "program: standard output: cannot be written:"
                           " No space left on device\n"))
        self.assertEqual(self.end("print(1)", to="&-"),
                         (7, "program: standard output: it is closed\n"))

    def test_another_file_that_is_full_is_not_the_output(self):
        code, said = self.end("open('/dev/full', 'w').write('x' * 10**6)")
        self.assertEqual((code, said), (7, "program: [Errno 28] No space left on device\n"))

    def test_interrupted(self):
        self.assertEqual(self.end("raise KeyboardInterrupt"), (130, ""))


if __name__ == "__main__":
    unittest.main()
