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
NEEDED = ("tools/netcalc", "tools/replay", "tools/dccstat", "tools/place.sh",
          "tools/version.mk", "tools/csv", "tools/algorithms", "tools/lab", "dkms.conf", "Kbuild",
          "Makefile", "common", "scripts",
          *(path.name for path in (*ROOT.glob("tcp_*"), *ROOT.glob("dcc_*"))))


class Copy(unittest.TestCase):
    """What a copy of the tree says, in a folder of its own."""

    prefix = "tree"

    @classmethod
    def setUpClass(cls):
        cls.base = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix=cls.prefix)))
        for name in NEEDED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, cls.base / name,
                                ignore=shutil.ignore_patterns("__pycache__", "*.o", "*.ko"))
            else:
                shutil.copy2(ROOT / name, cls.base / name)

    def call(self, *argv, **env):
        return subprocess.run(argv, capture_output=True, text=True, check=False, cwd=self.base,
                              env={**os.environ, "CFLAGS": "-O0", **env})


class Blanks(Copy):
    """A copy of the tree in a folder with blanks in its name."""

    prefix = "with a blank "

    def test_netcalc_builds_and_runs(self):
        done = self.call("tools/netcalc/netcalc", "--help")
        self.assertEqual((done.returncode, done.stderr), (
            0, "netcalc: building it, which takes up to a minute ...\n"))
        self.assertIn("netcalc run", done.stdout)
        self.assertEqual(self.call("tools/netcalc/netcalc", "--help").stderr, "")

    def test_netcalc_builds_for_those_that_call_it(self):
        """They keep its messages: what is built is told before."""
        case = "tools/netcalc/examples/sweep-fanin.net"
        for words in (("sweep", case, "--set", "flows=2", "--set", "algorithm=none"),
                      ("run", "tools/lab/scenarios/single.lab")):
            with self.subTest(words[0]), tempfile.TemporaryDirectory() as out:
                done = self.call("tools/netcalc/netcalc", *words, NETCALC_BUILD=out,
                                 PATH=f"{self.fake_make(out)}:{os.environ['PATH']}")
                self.assertIn("netcalc: building it", done.stderr.splitlines()[0])

    def fake_make(self, out):
        """Where a make is that has something to build, and whose program does nothing."""
        folder = Path(out) / "bin"
        folder.mkdir()
        (folder / "make").write_text('#!/bin/sh\ncase " $* " in *" -q "*) exit 1; esac\n'
                                     f"printf '#!/bin/sh\\n' >{out}/netcalc\n"
                                     f"chmod +x {out}/netcalc\n")
        (folder / "make").chmod(0o755)
        return folder

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


class NothingToWriteTo(Copy):
    """A tree whose build/ cannot be written: not even as root if it is a file."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.base / "build").touch()
        cls.cache = cls.base / "cache"

    def test_programs_are_built_in_the_cache(self):
        for name in ("replay", "dccstat"):
            with self.subTest(name):
                done = self.call(f"tools/{name}/{name}", "--help", LAB_CACHE=str(self.cache))
                self.assertEqual((done.returncode, done.stderr), (
                    0, f"{name}: building it, which takes up to a minute ...\n"))
                self.assertIn(name, done.stdout)
                done = self.call(f"tools/{name}/{name}", "--help", LAB_CACHE=str(self.cache))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(len(list(self.cache.glob(f"tools/{name}-*/{name}"))), 1)

    def test_no_place_at_all(self):
        for name, status in (("replay", 3), ("dccstat", 3), ("netcalc", 1)):
            with self.subTest(name):
                done = self.call(f"tools/{name}/{name}", "--help", LAB_CACHE="/proc/cache")
                self.assertEqual(done.returncode, status)
                self.assertRegex(done.stderr, rf"^{name}: neither '{self.base}/build/{name}' nor"
                                 rf" '/proc/cache/tools/{name}-\d+' can be written; set LAB_CACHE")

    def test_a_cache_with_blanks(self):
        done = self.call("tools/replay/replay", "--help", LAB_CACHE="/tmp/a b")
        self.assertEqual(done.returncode, 3)
        self.assertIn("has blanks in it; set LAB_CACHE", done.stderr)

    def test_what_was_built_before_is_used(self):
        """A program that is newer than all its sources, where nothing can be written."""
        built = self.base / "build/replay"
        (self.base / "build").unlink()
        built.mkdir(parents=True)
        (built / "replay").write_text("#!/bin/sh\necho of build\n")
        (built / "replay").chmod(0o755)
        self.addCleanup((self.base / "build").touch)
        self.addCleanup(shutil.rmtree, self.base / "build")
        done = self.call("sh", "-c", 'mkdir() { false; }; . tools/place.sh;'
                         ' build_place "$PWD/tools/replay" replay; "$built/replay"',
                         LAB_CACHE="/proc/cache")
        self.assertEqual((done.stdout, done.stderr), ("of build\n", ""))


class Bpf(unittest.TestCase):
    """make -C tools/bpf names the package of what is missing."""

    def said(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["make", "-s", "-C", ROOT / "tools/bpf", f"OUT={folder}/out", *words],
                                  capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def test_no_headers(self):
        self.assertIn("'/none' has no bpf/bpf_helpers.h: apt-get install libbpf-dev",
                      self.said("BPF_INCLUDE=/none", "CLANG=true"))

    def test_no_compiler(self):
        self.assertIn("'no-clang' is not here: apt-get install clang", self.said("CLANG=no-clang"))


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
