#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the lab say what is wrong, where, and with the right exit code?

A wrong scenario is refused before anything boots: exit 2, FILE:LINE, what was
read, what is allowed, within a second of processor time. Its runs have a cache
directory that cannot exist, so that starting (or building) a guest would be
exit 3. A run that breaks is exit 3 with the kernel's last words, one whose
`expect` does not hold exit 1.
"""

import contextlib
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from labkit import LAB, OUR_MODULES, children_s, command, run, runner, scratch
from tap import Tap, lablib

REFUSE_S = 1.0                  # of processor time, start of Python included
WALL_S = 60                     # the patience with a guest, on a busy machine too
HANGS_S = (3, 30, 300)          # with one that is to hang: as long as it takes to come to that
GIVE_UP_S = 10                  # of processors, by which the lab must have given up on it
SHOWN = 110                     # characters of a message in the TAP line
TWO = "topology star hosts=2 rate=10Gbps nic=ideal\n"
FLOW = "flow f h1 -> h2 size=100KB cc=reno\n"

# what it is, the scenario, the line to blame, what the message must say
REFUSED = (
    ("an unknown word", TWO + "flwo f h1 -> h2\n", 2, "'flwo'.*did you mean 'flow'"),
    ("an unknown key", TWO + "flow f h1 -> h2 sise=1MB\n", 2, "'sise'.*size"),
    ("a bad unit", "topology star rate=10Gbit nic=ideal\n" + FLOW, 1, "'10Gbit'.*Gbps"),
    ("a missing unit", TWO + "flow f h1 -> h2 size=1000\n", 2, "'1000'.*no unit.*MB"),
    ("a missing host", TWO + "flow f h1 -> h9\n", 2, "host 'h9'.*allowed: h1, h2"),
    ("a missing link", TWO + FLOW + "link h7-s delay=1us\n", 3, "'h7-s'.*h1-s"),
    ("an unavailable algorithm", TWO + "flow f h1 -> h2 cc=tahoe\n", 2,
     "'tahoe'.*allowed:.*cubic"),
    ("a module that is not there", "module ./no.ko\n" + TWO + FLOW, 1,
     "no.ko' does not exist; allowed"),
    ("out of range", "topology fattree k=7 nic=ideal\n", 1, "'7'.*allowed: an even"),
    ("out of range", TWO + FLOW + "link h1-s loss=150%\n", 3, "'150%'.*0 to 1"),
    ("out of range", "topology star mtu=100B nic=ideal\n" + FLOW, 1, "'100B'.*1280"),
    ("an unknown metric", TWO + FLOW + "expect flow f fcct <= 1ms\n", 3,
     "'fcct'.*allowed: fct"),
    ("an expectation of nobody", TWO + FLOW + "expect flow x fct <= 1ms\n", 3,
     "flow 'x'.*allowed: f"),
    ("a change after the end", TWO + FLOW + "at 5ms link h1-s down\nstop at=1ms\n", 3,
     "5ms.*before 1ms"),
    ("a run without end", TWO + "flow f h1 -> h2 size=forever\n", 0, "stop at=TIME"),
    ("a variable that nobody set", TWO + "flow f h1 -> h2 cc=$alg\n", 2, "alg"),
    ("a knob out of range", TWO + FLOW + "host h1 knob spray_paths=3\n", 3,
     "'3'.*power"),
)


def one_line(text):
    """The beginning of a message, fit for a TAP line."""
    return " | ".join(text.strip().splitlines())[:SHOWN]


def check_refusals(tap, base):
    """Everything wrong with a file is told before anything boots."""
    nowhere = {"LAB_CACHE": "/dev/null/nowhere"}
    slowest = 0.0
    for number, (name, text, line, pattern) in enumerate(REFUSED):
        path, out = base / f"refused{number}.lab", base / f"out{number}"
        path.write_text(text, encoding="ascii")
        begin, before = time.monotonic(), children_s()
        done = command("run", path, "--out", out, env=nowhere)
        took, used = time.monotonic() - begin, children_s() - before
        slowest = max(slowest, took)
        told = [said for said in done.stderr.splitlines()
                if said.startswith(f"{path}:{line}:")]
        good = (done.returncode == 2 and any(re.search(pattern, said) for said in told)
                and len(told) == 1)
        tap.ok(good and not out.exists() and used < REFUSE_S,
               f"{name} is refused before anything boots",
               f"exit {done.returncode}, wall {took:.2f} s, processor {used:.2f} s: "
               + one_line(done.stderr.replace(str(base) + "/", "")))
    tap.say(f"slowest refusal {slowest:.2f} s of wall time")


def check_all_at_once(tap, base):
    """Two wrong lines: both are told."""
    path = base / "both.lab"
    path.write_text(TWO + "flow f h1 -> h9\nlink h1-s rate=3x\n", encoding="ascii")
    told = command("run", path).stderr
    tap.ok(f"{path}:2:" in told and f"{path}:3:" in told,
           "two mistakes are told at once", f"{len(told.splitlines())} lines")


def lab_run(base, name, text, *words):
    """`lab run` of a text; (finished process, seconds of processors, run directory)."""
    path, out = base / f"{name}.lab", base / name
    path.write_text(text, encoding="ascii")
    before = children_s()
    done = command("run", path, "--out", out, *words)
    return done, children_s() - before, out


def failed_run(tap, base, name, text, *patterns, walls=(WALL_S,)):
    """A run that has to end with 3 and say all of these, with one patience or the next."""
    for wall in walls:
        done, used, _ = lab_run(base, name, text, "--wall", wall)
        said = done.stderr + done.stdout
        missing = [pattern for pattern in patterns
                   if not re.search(pattern, said, re.MULTILINE)]
        if not missing:
            break
    words = [line for line in said.splitlines() if re.search(patterns[0], line)]
    hangs = wall if walls == HANGS_S else 0
    tap.ok(done.returncode == 3 and not missing and used < GIVE_UP_S + hangs,
           f"{name.replace('-', ' ')} fails the run",
           f"exit {done.returncode}, processor {used:.1f} s: "
           + (one_line(words[0]) if words else f"missing {missing}: {said[-200:]!r}"))


def check_runs(tap, base):
    """What can go wrong once the guest is there."""
    fault = f"module {OUR_MODULES['fault']} "
    lab_run(base, "the-module-is-built", fault + "how=warn\n" + TWO + FLOW)
    failed_run(tap, base, "another-active-algorithm",
               TWO + FLOW + "host h1 route congctl=vegas\n",
               "flow f: 'reno' was asked for, 'vegas' was active")
    failed_run(tap, base, "a-command-that-never-ends",
               TWO + FLOW + 'host h1 run "while :; do :; done"\n',
               r"longer than its limit of \d+ s", "@up", walls=HANGS_S)
    failed_run(tap, base, "a-command-that-fails",
               TWO + FLOW + 'host h1 run "exit 7"\n', r"a-command-that-fails\.lab:3: exec h1 exit 7.*returned 7")
    failed_run(tap, base, "a-deleted-interface",
               TWO + FLOW + 'at 50us host h1 run "ip link del eth0"\nstop at=10ms\n',
               r"eth0 of h1 and .*is no longer there")
    failed_run(tap, base, "a-module-that-spins", fault + "how=spin\n" + TWO + FLOW,
               r"longer than its limit of \d+ s", "lab_fault spins", walls=HANGS_S)
    failed_run(tap, base, "a-module-that-oopses", fault + "how=null\n" + TWO + FLOW,
               r"^  \| .*(Kernel panic|Oops|BUG)")
    failed_run(tap, base, "a-kernel-warning", fault + "how=warn\n" + TWO + FLOW,
               "the guest's kernel complained", "WARNING")
    failed_run(tap, base, "a-guest-that-goes-away",
               TWO + FLOW + 'at 50us host h1 run "python3 -c \'import ctypes;'
               " ctypes.CDLL(None).reboot(0x4321fedc)'\"\nstop at=1s\n",
               "wrote no results|stop in the middle")


def guests(out):
    """What runs for a directory of results."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if f"labdir={out}" in path.read_text(errors="replace"):
                found.append(path)
    return found


def wait_for(condition):
    """As long as a busy machine may need."""
    for _ in range(WALL_S * 10):
        if condition():
            return True
        time.sleep(0.1)
    return False


def has_sampled(out):
    """Does the guest of a directory of results carry out its scenario?"""
    return any(path.stat().st_size for path in out.glob("unfinished/links.tsv"))


def check_ended(tap, base):
    """Whoever ends the lab, however, ends its guests."""
    path = base / "endless.lab"
    path.write_text(TWO + "flow f h1 -> h2 size=forever cc=reno\nsample every=10ms\n"
                    "stop at=600s\n", encoding="ascii")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        out = base / f"ended-{number.name}"
        # by nohup, say, signals may be ignored, and then stay so
        with subprocess.Popen(["env", "--default-signal", sys.executable, "-B", LAB, "run",
                               path, "--out", out], stderr=subprocess.DEVNULL) as process:
            # not while it boots: a process of User Mode Linux that asks to be traced
            # just when its parent is killed is traced by init, and stays
            began = wait_for(lambda out=out: guests(out) and has_sampled(out))
            process.send_signal(number)
        gone = wait_for(lambda out=out: not guests(out))
        tap.ok(began and gone and process.returncode in (128 + number, -number), f"{number.name} of the lab ends its guest, too",
               f"began {began}, gone {gone}, status {process.returncode}")


def check_truncated(tap, base):
    """Results that stop in the middle are no results."""
    whole = base / "whole"
    run(TWO + FLOW, whole, runner.Tools())
    path = Path(whole) / "result.tsv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.removesuffix("end\n"), encoding="utf-8")
    try:
        lablib.results.read_records(path)
        said = "no error"
    except lablib.RunError as error:
        said = str(error)
    tap.ok("wanted 'end'" in said, "results without their end are refused",
           one_line(said))


def check_expect(tap, base):
    """1 when an expectation does not hold, 0 when it does."""
    hold, _, _ = lab_run(base, "hold", TWO + FLOW + "expect flow f fct <= 1s\n")
    tap.ok(hold.returncode == 0, "an expectation that holds: exit 0",
           f"exit {hold.returncode}")
    fail, _, out = lab_run(base, "fail", TWO + FLOW + "expect flow f fct <= 1us\n")
    told = [line.strip() for line in fail.stdout.splitlines() if "FAIL" in line]
    tap.ok(fail.returncode == 1 and "fail.lab:3" in "".join(told)
           and (out / "results.json").exists(),
           "one that does not: exit 1, line, measured and wanted",
           one_line("".join(told)))


def main():
    """All of it."""
    tap = Tap()
    with scratch("errors") as folder:
        base = Path(folder)
        runner.Tools()
        check_refusals(tap, base)
        check_all_at_once(tap, base)
        check_runs(tap, base)
        check_ended(tap, base)
        check_truncated(tap, base)
        check_expect(tap, base)
    tap.finish()


if __name__ == "__main__":
    main()
