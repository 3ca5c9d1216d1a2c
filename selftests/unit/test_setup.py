#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/setup.sh: what it asks apt to do, with an apt of our own in its place."""

import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETUP = ROOT / "scripts/setup.sh"
OWN_LISTS = ("demo", "check", "real", "full")

# apt-get: writes down what it is asked; simulates by $APT_PLAN; its lists are
# locked as often as the file "locked" has lines.
APT_GET = r"""#!/bin/sh
case " $* " in
*" -s "*) printf '%s\n' "$APT_PLAN"; exit "${APT_PLAN_STATUS:-0}" ;;
esac
echo "$*" >>"$LOG"
case " $* " in *" update "*)
	if test -s "$LOCKED"; then
		sed -i 1d "$LOCKED"
		echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)" >&2
		exit 100
	fi ;;
esac
"""
APT_CACHE = r"""#!/bin/sh
case $* in
'show linux-image-amd64') exit 0 ;;
esac
shift
for p in "$@"; do printf 'Package: %s\nSize: 2000000\nInstalled-Size: 5000\n\n' "$p"; done
"""
DPKG_QUERY = r"""#!/bin/sh
for p in "$@"; do :; done
case " $ABSENT " in *" $p "*) echo not-installed ;; *) echo installed ;; esac
"""
ID = '#!/bin/sh\necho "${FAKE_UID:-0}"\n'
SLEEP = '#!/bin/sh\necho "sleep $1" >>"$LOG"\n'
PLAN = "Inst bison (2:3.8 Debian:12 [amd64])\nInst flex (2.6 Debian:12 [amd64])\nConf bison (2:3.8 x)"
UPGRADING = PLAN + "\nInst libc6 [2.36-1] (2.36-2 Debian:12 [amd64])"


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in (("apt-get", APT_GET), ("apt-cache", APT_CACHE),
                           ("dpkg-query", DPKG_QUERY), ("id", ID), ("sleep", SLEEP)):
            path = self.folder / name
            path.write_text(text, encoding="ascii")
            path.chmod(0o755)
        self.log = self.folder / "log"
        self.locked = self.folder / "locked"
        self.locked.touch()

    def run_setup(self, *args, absent="bison flex", plan=PLAN, **env):
        """Its exit code and all it said; what it asked apt for is in asked()."""
        self.log.write_text("", encoding="ascii")
        stdin = env.pop("stdin", subprocess.DEVNULL)
        done = subprocess.run(
            [SETUP, *args], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
            env={"PATH": f"{self.folder}:{os.environ['PATH']}", "LOG": str(self.log),
                 "LOCKED": str(self.locked), "ABSENT": absent, "APT_PLAN": plan, **env})
        return done.returncode, done.stdout

    def asked(self, word):
        return [line for line in self.log.read_text().splitlines() if word in line.split()]

    def answer(self, text):
        """Run it on a terminal on which `text` is typed."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:        # as in a chroot without /dev/pts
            self.skipTest(str(error))
        with os.fdopen(ours, "w"), os.fdopen(theirs, "r") as terminal:
            os.write(ours, text.encode())
            return self.run_setup("demo", stdin=terminal)

    def test_nothing_missing_asks_apt_for_nothing(self):
        code, said = self.run_setup(absent="")
        self.assertEqual((code, said, self.log.read_text()), (0, "", ""))

    def test_without_a_terminal_nothing_is_installed_unasked(self):
        code, said = self.run_setup("demo")
        self.assertNotEqual(code, 0)
        self.assertEqual(self.asked("install"), [])
        self.assertIn("--yes", said)

    def test_yes_installs_what_is_missing_and_upgrades_nothing(self):
        code, said = self.run_setup("--yes", "demo")
        self.assertEqual(code, 0, said)
        (asked,) = self.asked("install")
        for word in ("--no-upgrade", "--no-remove", "--no-install-recommends",
                     "DPkg::Lock::Timeout=300", "bison", "flex"):
            self.assertIn(word, asked.split())
        self.assertNotIn("gcc", asked.split())

    def test_says_first_what_and_how_much(self):
        _, said = self.run_setup("--yes", "demo")
        self.assertIn("4 MB to fetch, 10 MB on the disk", said)
        self.assertIn("bison flex", said)
        self.assertIn("Upgraded: nothing", said)
        self.assertRegex(said, r"kernel is built.* minutes")

    def test_an_upgrade_is_the_owners_decision(self):
        code, said = self.run_setup("--yes", "demo", plan=UPGRADING)
        self.assertNotEqual(code, 0)
        self.assertEqual(self.asked("install"), [])
        self.assertIn("would upgrade what is installed: libc6", said)
        code, said = self.run_setup("--yes", "--upgrade", "demo", plan=UPGRADING)
        self.assertEqual((code, len(self.asked("install"))), (0, 1), said)

    def test_asks_on_a_terminal(self):
        code, said = self.answer("n\n")
        self.assertEqual((code, self.asked("install")), (1, []), said)
        code, said = self.answer("y\n")
        self.assertEqual((code, len(self.asked("install"))), (0, 1), said)

    def test_waits_for_another_apt(self):
        self.locked.write_text("1\n2\n", encoding="ascii")
        code, said = self.run_setup("--yes", "demo")
        self.assertEqual(code, 0, said)
        self.assertEqual(len(self.asked("update")), 3)
        self.assertEqual(len(self.asked("sleep")), 2)

    def test_a_plain_user_gets_the_command(self):
        code, said = self.run_setup("demo", FAKE_UID="1000")
        self.assertNotEqual(code, 0)
        self.assertEqual(self.log.read_text(), "")
        self.assertIn("apt-get install --no-install-recommends --no-upgrade bison flex", said)

    def test_a_group_takes_those_before_it_only(self):
        every = "bison rsync busybox-static lintian"
        for group, has, not_yet in (
                ("demo", ["bison"], ["rsync", "busybox-static", "lintian"]),
                ("check", ["bison", "rsync"], ["busybox-static", "lintian"]),
                ("real", ["bison", "rsync", "busybox-static"], ["lintian"]),
                ("full", every.split(), [])):
            self.run_setup("--yes", group, absent=every)
            words = self.asked("install")[0].split()
            self.assertEqual(([p for p in has if p not in words],
                              [p for p in not_yet if p in words]), ([], []), group)

    def test_dry_run_does_nothing(self):
        code, said = self.run_setup("--dry-run")
        self.assertEqual((code, self.log.read_text()), (0, ""))
        self.assertIn("bison flex", said)

    def test_what_is_not_known_is_refused(self):
        code, said = self.run_setup("demos")
        self.assertNotEqual(code, 0)
        self.assertIn("'demos' is not known; allowed:", said)
        code, said = self.run_setup("--yes", plan="E: Unable to locate package flex",
                                    APT_PLAN_STATUS="100")
        self.assertNotEqual(code, 0)
        self.assertIn("Unable to locate package flex", said)
        self.assertEqual(self.asked("install"), [])


    def test_of_several_groups_the_one_that_has_the_others(self):
        for groups in ("full", "demo"), ("demo", "full"):
            self.run_setup("--yes", *groups, absent="bison lintian")
            self.assertIn("lintian", self.asked("install")[0].split(), groups)

    def test_folders_are_found_whatever_cdpath_says(self):
        """cd prints where it went, if CDPATH led there."""
        done = subprocess.run(["scripts/version.sh"], cwd=ROOT, capture_output=True, text=True,
                              check=True, env=dict(os.environ, CDPATH=str(ROOT)))
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        for name in ROOT.glob("**/*.sh"):
            text = name.read_text(encoding="utf-8")
            self.assertNotIn('$(cd "$(dirname', text, name)


class Lines(unittest.TestCase):
    """Command lines of scripts that a user runs by hand."""

    def test_help_does_nothing_else(self):
        for name in ("style", "check-kernels", "kernels", "backports", "dkms", "setup",
                     "upstream", "checkpatch"):
            done = subprocess.run([ROOT / f"scripts/{name}.sh", "--help"], capture_output=True,
                                  text=True, check=False, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertIn(f"{name}.sh", done.stdout)

    def test_what_is_missing_or_unknown_is_named(self):
        for name, args, text in (("make-deb", [], "usage: make-deb.sh VERSION"),
                                 ("make-dccstat-deb", [], "usage: make-dccstat-deb.sh VERSION"),
                                 ("secure-boot", [], "usage: secure-boot.sh MODULE.ko"),
                                 ("kdir-check", [], "usage: kdir-check.sh KDIR"),
                                 ("backports", ["release"], "'release' takes one argument, 0"),
                                 ("style", ["all"], "style.sh: 'all' is not known"),
                                 ("check-kernels", ["6.1"],
                                  "check-kernels.sh: '6.1' is not known")):
            done = subprocess.run([ROOT / f"scripts/{name}.sh", *args], capture_output=True,
                                  text=True, check=False, timeout=60)
            self.assertNotEqual(done.returncode, 0, name)
            self.assertIn(text, done.stderr)


class Lists(unittest.TestCase):
    def test_no_list_has_a_kernel_or_what_brings_one(self):
        for name in OWN_LISTS:
            text = (ROOT / f"scripts/packages/{name}.txt").read_text()
            words = [line for line in text.splitlines() if line and line[0] != "#"]
            self.assertTrue(words)
            self.assertEqual([word for word in words if word.startswith(
                ("linux-headers", "linux-image"))], [])


if __name__ == "__main__":
    sys.exit(unittest.main())
