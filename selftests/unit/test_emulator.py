#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""selftests/emulator: what is told of a machine that does not come to its end."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SILENCE_S, PATIENCE_S = 1, 300  # of one that is to be silent; of all others
BOOT = """
EMU_KERNEL=/dev/null EMU_INITRD=/dev/null EMU_LOG=$LAB_CACHE/console.log
emu_boot >/dev/null || true
emu_broken_off
"""


class Emulator(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def shell(self, script, machine="echo hello", silence_s=PATIENCE_S):
        """What a bash script says that has the functions, and a shell as its machine."""
        fake = self.folder / "qemu-system-x86_64"
        fake.write_text(f"#!/bin/sh\n{machine}\n", encoding="ascii")
        fake.chmod(0o755)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c",
             f". {ROOT}/selftests/emulator/emulator.sh\n{script}"],
            capture_output=True, text=True, check=False,
            env={"PATH": f"{self.folder}:{os.environ['PATH']}", "LAB_CACHE": str(self.folder),
                 "EMU_SILENCE_S": str(silence_s)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_silent_machine_is_called_silent(self):
        said = self.shell(BOOT, "echo booting; exec sleep 600", SILENCE_S)
        self.assertIn(f"it had been silent for {SILENCE_S} s", said)

    def test_one_that_ends_early_is_not(self):
        self.assertIn("ended before its last words", self.shell(BOOT))

    def boots(self, *lines):
        """How often a machine is started that says so at its first boots, then "up"."""
        says = "".join(f'{number}) echo "{line}"; echo more ;; '
                       for number, line in enumerate(lines, 1))
        count = self.folder / "count"
        count.write_text("", encoding="ascii")
        self.shell(BOOT, f"echo >>{count}; case $(wc -l <{count}) in {says}*) echo up ;; esac")
        return len(count.read_text(encoding="ascii"))

    def test_one_that_stumbles_while_it_boots_starts_again(self):
        oops = "[    1.614157] Oops: int3: 0000 [#1] SMP NOPTI"
        self.assertEqual([self.boots(), self.boots(oops), self.boots(oops, oops),
                          self.boots(*[oops] * 9)], [1, 2, 3, 3])
        self.assertEqual(self.boots(f"TAP version 13\n{oops}"), 1)
        self.assertEqual(self.boots("[    1.6] Oops: general protection fault"), 1)

    def test_its_log_outlives_the_next_run(self):
        said = self.shell(BOOT, "echo first")
        kept = Path(said.rpartition("log: ")[2].strip().rstrip(")"))
        self.shell("EMU_KERNEL=/dev/null EMU_INITRD=/dev/null EMU_LOG=$LAB_CACHE/console.log\n"
                   "emu_boot >/dev/null", "echo second")
        self.assertIn("first", kept.read_text())

    def test_but_not_for_ever(self):
        for number in range(12):
            (self.folder / f"console-failed-20200101-0000{number:02}.log").touch()
        self.shell(BOOT)
        left = sorted(path.name for path in self.folder.glob("console-failed-*"))
        self.assertEqual(len(left), 10)
        self.assertNotIn("console-failed-20200101-000000.log", left)

    def test_two_runs_have_two_folders(self):
        said = self.shell("emu_folder real-9; echo $EMU_FOLDER\n"
                          "(emu_folder real-9; echo $EMU_FOLDER)\n")
        self.assertEqual([Path(line).name for line in said.split()], ["real-9", "real-9.2"])
        again = self.shell("emu_folder real-9; echo $EMU_FOLDER\n")
        self.assertEqual(Path(again.strip()).name, "real-9")


if __name__ == "__main__":
    sys.exit(unittest.main())
