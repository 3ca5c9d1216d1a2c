#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""examples/allreduce.py: that it sums, and what is refused, in a line."""

import socket
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "allreduce.py"


def free_place():
    """An address and a port that nobody has."""
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        return f"::1/{listener.getsockname()[1]}"


def allreduce(*words):
    return subprocess.run([sys.executable, PROGRAM, *words], capture_output=True, text=True,
                          check=False)


class AllReduce(unittest.TestCase):
    def test_two_ranks(self):
        places = f"{free_place()},{free_place()}"
        words = [sys.executable, PROGRAM, "1", places, "--numbers", "100", "--rounds", "1"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as other:
            done = allreduce("0", places, "--numbers", "100", "--rounds", "1")
        self.assertEqual((done.returncode, other.returncode), (0, 0), done.stderr)
        self.assertRegex(done.stdout, "^rank 0 round 0: .* sums are right\n$")

    def test_what_is_asked_for_wrongly(self):
        for words, said in ((("0", "abc"), "'abc' is no place; allowed: ADDRESS/PORT"),
                            (("0", "::1/x"), "'::1/x' is no place"),
                            (("0", "::1/99999"), "'::1/99999' is no place"),
                            (("0", "::1/7000", "--numbers=-5"), "'-5': allowed: a whole number"),
                            (("0", "::1/7000", "--rounds=0"), "'0': allowed: a whole number"),
                            (("1", "::1/7000"), "rank 1: allowed: 0 to 0")):
            with self.subTest(words):
                done = allreduce(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(said, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_what_cannot_be_done(self):
        for words, said in ((("0", "1.2.3.4/80"), r"allreduce: .*1\.2\.3\.4"),
                            (("0", free_place(), "--cc", "bogus"),
                             "allreduce: --cc 'bogus': .*; allowed: what sysctl")):
            with self.subTest(words):
                done = allreduce(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, rf"^{said}[^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
