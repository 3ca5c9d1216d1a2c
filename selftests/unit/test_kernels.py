#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/kernels.sh: which package a series of kernels is, on this and the next Debian."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# apt-cache depends META: what the metas of each Debian depend on.
APT_CACHE = """#!/bin/sh
case "$DEBIAN $2" in
"12 linux-image-amd64") echo "  Depends: linux-image-6.1.0-56-amd64" ;;
"12 linux-image-6.12-amd64") echo "  Depends: linux-image-6.12.117+deb12-amd64" ;;
"13 linux-image-amd64") echo "  Depends: linux-image-6.12.90+deb13.1-amd64" ;;
*) exit 100 ;;
esac
"""


class Release(unittest.TestCase):
    def release(self, debian, series):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "apt-cache"
            path.write_text(APT_CACHE)
            path.chmod(0o755)
            return subprocess.run(
                [ROOT / "scripts/kernels.sh", "release", series], capture_output=True, text=True,
                check=False, env={"PATH": f"{folder}:{os.environ['PATH']}", "DEBIAN": debian,
                                  "LAB_CACHE": folder})

    def test_of_debian_12_and_13(self):
        for debian, series, release in (("12", "6.1", "6.1.0-56-amd64"),
                                        ("12", "6.12", "6.12.117+deb12-amd64"),
                                        ("13", "6.12", "6.12.90+deb13.1-amd64")):
            with self.subTest(f"{debian} {series}"):
                self.assertEqual(self.release(debian, series).stdout, release + "\n")

    def test_a_word_that_is_missing_is_named(self):
        for words, said in (("headers", "6.1|6.12"), ("image", "6.1|6.12"),
                            ("release", "6.1|6.12"), ("packages", "NAME..."),
                            ("unpack-image", "REL"), ("fetch", "DIR"),
                            ("fetch /tmp/x", "PACKAGE...")):
            with self.subTest(words):
                done = subprocess.run([ROOT / "scripts/kernels.sh", *words.split()], text=True,
                                      capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"no {said} after '{words.split()[0]}'; allowed: kernels.sh",
                              done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_what_a_debian_does_not_have_is_named(self):
        done = self.release("13", "6.1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no kernel of the series 6.1", done.stderr)
        self.assertIn("allowed: 6.1 6.12", self.release("12", "6.9").stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
