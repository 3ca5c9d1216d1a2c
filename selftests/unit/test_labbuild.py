#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How the lab is built: where to, from what, and what is left of a build that ends early."""

import os
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lab"))

import labbuild  # noqa: E402

MAKEFILE = "# SPDX\nVERSION = {}\nPATCHLEVEL = {}\nSUBLEVEL = 1\n"


class InFolder(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.progress = labbuild.Progress(lambda text: self.said.append(text))
        self.said = []

    def tarball(self, version=6, patchlevel=12, top="linux-6.12.34", kind="gz"):
        """A small kernel source."""
        folder = self.root / "made" / top
        (folder / "drivers/gpu").mkdir(parents=True)
        (folder / "Makefile").write_text(MAKEFILE.format(version, patchlevel))
        (folder / "drivers/gpu/a.c").write_text("never read")
        path = self.root / f"{top}.tar.{kind}"
        with tarfile.open(path, f"w:{kind}") as file:
            file.add(folder, arcname=top)
        return path


class Cache(unittest.TestCase):
    def test_without_a_home_the_user_is_told_what_to_set(self):
        with mock.patch.dict(os.environ, clear=True), \
                mock.patch.object(Path, "home", side_effect=RuntimeError):
            with self.assertRaisesRegex(labbuild.BuildError, "HOME is not set.*set LAB_CACHE"):
                labbuild.cache_root()

    def test_a_place_that_is_named_needs_no_home(self):
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.dict(os.environ, {"LAB_CACHE": folder}, clear=True), \
                mock.patch.object(Path, "home", side_effect=RuntimeError):
            self.assertEqual(labbuild.cache_root(), Path(folder).resolve())


class Leftovers(InFolder):
    """What a build that ends early leaves behind."""

    def test_a_failed_build_gives_its_room_back(self):
        final = self.root / "kernel-1"
        for error in (labbuild.BuildError("no"), OSError(28, "No space left on device")):
            with self.assertRaises(type(error)), labbuild.half_made(final) as temp:
                (temp / labbuild.CONFIGURED).touch()
                raise error
            self.assertEqual(list(self.root.iterdir()), [])

    def test_an_interrupted_one_goes_on_once_it_was_configured(self):
        final = self.root / "kernel-1"
        for configured, ends in ((False, KeyboardInterrupt), (True, KeyboardInterrupt),
                                 (True, SystemExit)):
            with self.assertRaises(ends), labbuild.half_made(final) as temp:
                (temp / "object").touch()
                if configured:
                    (temp / labbuild.CONFIGURED).touch()
                raise ends
            self.assertEqual((temp / "object").exists(), configured)
        with labbuild.half_made(final) as temp:
            self.assertTrue((temp / "object").exists())
        self.assertEqual([path.name for path in final.iterdir()], ["object"])

    def test_going_on_does_not_unpack_again(self):
        temp = self.root / "kernel-1.part"
        (temp / "tree").mkdir(parents=True)
        (temp / labbuild.CONFIGURED).touch()
        (temp / "tree/linux").touch()
        with mock.patch.object(labbuild, "unpack") as unpacked, \
                mock.patch.object(labbuild, "compile_kernel"), \
                mock.patch.object(labbuild, "trim"):
            labbuild.make_kernel(self.root / "x", temp, 1, self.root / "log", self.progress, False)
        unpacked.assert_not_called()
        self.assertIn("going on", self.said[0])

    def test_going_on_counts_from_where_it_was(self):
        tree = self.root / "kernel-1.part/tree"
        tree.mkdir(parents=True)

        def interrupted(_argv, _log, _what, on_line, **_):
            for _ in range(labbuild.KERNEL_STEPS // 4):
                on_line("  CC a.o\n")
            raise KeyboardInterrupt

        with mock.patch.object(labbuild, "run_logged", interrupted):
            for percent in (24, 49):
                with self.assertRaises(KeyboardInterrupt):
                    labbuild.compile_kernel(tree, 1, self.root / "log", self.progress)
                self.assertEqual(self.progress.last, percent)

    def test_other_contents_leftovers_go(self):
        for name in ("kernel-1.part", "kernel-2.part", "kernel-3", "modules-1.part"):
            (self.root / name).mkdir()
        labbuild.drop_leftovers(self.root / "kernel-1", "kernel")
        self.assertEqual(sorted(path.name for path in self.root.iterdir()),
                         ["kernel-1.part", "kernel-3", "modules-1.part"])

    def test_a_disk_that_is_too_small_is_told_first(self):
        with mock.patch.object(labbuild.shutil, "disk_usage",
                               return_value=mock.Mock(free=20 * 10**6)):
            with self.assertRaisesRegex(labbuild.BuildError,
                                        "20 MB are free.*takes 700 MB.*LAB_CACHE"):
                labbuild.require_room(self.root)

    def test_an_interrupted_step_ends_before_the_lock_goes(self):
        script = "trap 'echo x >ended; exit 1' TERM; echo ready; while :; do sleep 0.1; done"

        def interrupt(_line):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            labbuild.run_logged(["sh", "-c", script], self.root / "log", "step", interrupt,
                                cwd=self.root)
        deadline = time.monotonic() + 60
        while not (self.root / "ended").exists():
            self.assertLess(time.monotonic(), deadline)


class Progress(InFolder):
    def test_tells_the_time_left(self):
        with mock.patch.object(labbuild.time, "monotonic") as clock:
            clock.return_value = 100.0
            self.progress.tick("kernel", 0)
            clock.return_value = 160.0
            self.progress.tick("kernel", 20)
            clock.return_value = 340.0
            self.progress.tick("kernel", 80)
        self.assertEqual(self.said, ["kernel: 0 %", "kernel: 20 %, about 4 min left",
                                     "kernel: 80 %, about 60 s left"])


class Sources(InFolder):
    def test_a_tarball_by_name_is_unpacked_and_remembered(self):
        for kind in ("gz", "xz"):
            path = self.tarball(kind=kind, top=f"linux-{kind}")
            labbuild.choose_source(path, self.root)
            chosen = labbuild.source_of(self.root)
            self.assertEqual(chosen.tarball, path)
            tree = self.root / f"tree-{kind}"
            labbuild.unpack(path, tree)
            self.assertTrue((tree / "Makefile").exists())
            self.assertFalse((tree / "drivers/gpu/a.c").exists())

    def test_another_content_is_another_kernel(self):
        one = labbuild.Source(Path("a"), "sha256 1")
        other = labbuild.Source(Path("a"), "sha256 2")
        self.assertNotEqual(labbuild.kernel_id(one), labbuild.kernel_id(other))

    def test_another_series_is_refused(self):
        path = self.tarball(patchlevel=9)
        with self.assertRaisesRegex(labbuild.BuildError, "is of 6.9; allowed: 6.12"):
            labbuild.unpack(path, self.root / "tree")

    def test_of_what_tar_says_of_each_file_some_lines_are_shown(self):
        said = "".join(f"tar: {number}: Cannot write: No space left on device\n"
                       for number in range(10000))
        failed = mock.Mock(returncode=2, stderr=said)
        with mock.patch.object(labbuild.subprocess, "run", return_value=failed):
            with self.assertRaisesRegex(labbuild.BuildError, "cannot be unpacked") as caught:
                labbuild.unpack(self.tarball(), self.root / "tree")
        self.assertIn("No space left", str(caught.exception))
        self.assertEqual(len(str(caught.exception).splitlines()), 1 + labbuild.ERROR_LINES)

    def test_what_is_no_tarball_is_refused(self):
        path = self.root / "text"
        path.write_text("hello")
        with self.assertRaisesRegex(labbuild.BuildError, "is no tarball of a kernel"):
            labbuild.unpack(path, self.root / "tree")
        with self.assertRaisesRegex(labbuild.BuildError, "'/nowhere': No such file"):
            labbuild.choose_source("/nowhere", self.root)

    def test_one_that_cannot_be_built_is_not_remembered(self):
        path, good = self.root / "text", self.tarball()
        other = self.tarball(kind="gz", top="other")
        path.write_text("hello")
        debians = labbuild.Source(good, "of Debian")
        for before in (None, good):
            if before:
                labbuild.choose_source(before, self.root)
            with mock.patch.object(labbuild, "debian_source", return_value=debians):
                with self.assertRaisesRegex(labbuild.BuildError, "is no tarball of a kernel"):
                    with labbuild.choosing(path, self.root):
                        self.fail("it was chosen")
                with self.assertRaisesRegex(labbuild.BuildError, "does not build"):
                    with labbuild.choosing(other, self.root):
                        raise labbuild.BuildError("does not build")
                self.assertEqual(labbuild.source_of(self.root).tarball, good)
            self.assertEqual((self.root / labbuild.CHOSEN).exists(), before is not None)

    def test_the_way_back_to_debians(self):
        labbuild.choose_source(self.tarball(), self.root)
        labbuild.choose_source("debian", self.root)
        self.assertFalse((self.root / labbuild.CHOSEN).exists())

    def test_without_any_both_ways_are_told(self):
        with mock.patch.object(labbuild, "TARBALL", self.root / "none"):
            with self.assertRaisesRegex(labbuild.BuildError,
                                        "(?s)missing: linux-source.*--source TARBALL"):
                labbuild.source_of(self.root)


class Command(unittest.TestCase):
    def test_no_home_no_name(self):
        """A uid that no passwd file has, as in containers."""
        if os.getuid() != 0:
            self.skipTest("only root can be another user")
        done = subprocess.run(
            ["setpriv", "--reuid=54321", "--clear-groups", sys.executable, "-B",
             str(ROOT / "tools/lab/labbuild.py")],
            capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^lab build: (no home directory is known|missing)")


class Host(unittest.TestCase):
    def test_another_processor_is_told_before_all_else(self):
        with mock.patch.object(labbuild.platform, "machine", return_value="aarch64"), \
                self.assertRaisesRegex(labbuild.BuildError, "x86-64 host; this is aarch64"):
            labbuild.build()


if __name__ == "__main__":
    unittest.main()
