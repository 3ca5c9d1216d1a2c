#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The tools in places that are not a developer's: blanks in names, nothing to write to."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("tools/netcalc", "tools/csv", "tools/laws", "tools/lab", "dkms.conf", "Kbuild",
          "Makefile", "common", "scripts",
          *(path.name for path in ROOT.glob("tcp_*")))


class Blanks(unittest.TestCase):
    """A copy of the tree in a folder with blanks in its name."""

    @classmethod
    def setUpClass(cls):
        cls.base = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="with a blank ")))
        for name in NEEDED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, cls.base / name,
                                ignore=shutil.ignore_patterns("__pycache__", "*.o", "*.ko"))
            else:
                shutil.copy2(ROOT / name, cls.base / name)

    def call(self, *argv, **env):
        return subprocess.run(argv, capture_output=True, text=True, check=False, cwd=self.base,
                              env={**os.environ, "CFLAGS": "-O0", **env})

    def test_netcalc_builds_and_runs(self):
        done = self.call("tools/netcalc/netcalc", "--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("netcalc run", done.stdout)

    def test_netcalc_says_where_it_cannot_build(self):
        done = self.call("tools/netcalc/netcalc", "--help", NETCALC_BUILD="some where")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has blanks in it", done.stderr)

    def test_the_lab_reads_a_scenario(self):
        done = self.call("tools/lab/lab", "check", "tools/lab/scenarios/single.lab")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_make_says_that_kbuild_cannot(self):
        done = self.call("make", "KDIR=/nonexistent")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("whose name has blanks", done.stderr)
        self.assertIn("scripts/build-for.sh", done.stderr)

class Advice(unittest.TestCase):
    """What kdir-check.sh advises when there are no headers."""

    def said(self, known):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("apt-get", "apt-cache"):
                path = Path(folder) / name
                path.write_text(f"#!/bin/sh\nexit {0 if known else 100}\n")
                path.chmod(0o755)
            return subprocess.run(
                [ROOT / "scripts/kdir-check.sh", "/nonexistent"], capture_output=True, text=True,
                check=False, env={"PATH": f"{folder}:{os.environ['PATH']}"}).stderr

    def test_a_package_that_exists(self):
        self.assertIn(f"apt-get install linux-headers-{os.uname().release}", self.said(True))

    def test_no_package_that_does_not(self):
        said = self.said(False)
        self.assertNotIn("apt-get install", said)
        self.assertIn(f"apt knows no linux-headers-{os.uname().release}", said)

    def test_other_headers_or_none(self):
        self.assertRegex(self.said(False),
                         r"or name another kernel's(; found here:\n  make KDIR=/|\n  make KDIR=FOLDER)")


if __name__ == "__main__":
    sys.exit(unittest.main())
