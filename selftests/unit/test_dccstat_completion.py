#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""dccstat's completion for bash offers what the program takes, and its man page has it."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPLETION = ROOT / "tools" / "dccstat" / "dccstat.bash-completion"
SOURCES = sorted((ROOT / "tools" / "dccstat").glob("*.c"))
MAN = ROOT / "Documentation" / "man" / "dccstat.1"
TIMEOUT_S = 60


def offered(*words):
    """What bash would offer for the last of these words."""
    script = (f". {COMPLETION}; COMP_WORDS=({' '.join(repr(w) for w in words)});"
              f" COMP_CWORD={len(words) - 1}; _dccstat; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True,
                          timeout=TIMEOUT_S)
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(offered("dccstat", "re"), ["record", "replay"])
        self.assertNotIn("record", offered("dccstat", "--once", "re"))

    def test_options(self):
        self.assertEqual(offered("dccstat", "--no"), ["--no-trace"])
        self.assertEqual(offered("dccstat", "--ver"), ["--version"])
        self.assertEqual(offered("dccstat", "record", "--f"), ["--for", "--flows"])
        self.assertEqual(offered("dccstat", "doctor", "--"), ["--json", "--paths", "--peer", "--port"])
        self.assertEqual(offered("dccstat", "labels", "x", "--"), ["--every", "--most", "--json"])
        self.assertEqual(offered("dccstat", "blame", "--w"), ["--ways"])

    def test_filters(self):
        self.assertEqual(offered("dccstat", "state", "time"), ["time-wait"])
        self.assertEqual(offered("dccstat", "record", "exclude", "list"), ["listening"])
        self.assertIn("reno", offered("dccstat", "cc", ""))
        self.assertEqual(offered("dccstat", "dp"), ["dport"])
        self.assertEqual(offered("dccstat", "--interval", ""), [])

    def test_files(self):
        self.assertIn(str(COMPLETION), offered("dccstat", "replay", str(COMPLETION)[:-3]))
        self.assertEqual(offered("dccstat", "replay", "x", "--p"), ["--picture", "--perfetto"])

    def test_all_options_of_the_program(self):
        """Those that it takes, and no others; the man page has each."""
        taken = {word for path in SOURCES
                 for word in re.findall(r'&words, "(--[\w-]+)"', path.read_text())}
        self.assertEqual(len(taken - {"--help"}), 19)
        listed = set(re.findall(r"--[a-z][\w-]+", COMPLETION.read_text())) - {"--version"}
        self.assertEqual(listed, taken)
        for option in taken:
            self.assertIn(f"Fl {option[1:]}", MAN.read_text())


if __name__ == "__main__":
    unittest.main()
