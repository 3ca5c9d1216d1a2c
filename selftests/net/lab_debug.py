#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""`lab run --debug`: does the debug kernel find what it is for, and nothing else?

Planted faults (oops/lab_fault.c), one of each kind, must fail the run and be
shown; this project's modules at work must not; and the figures of a run are
those of the normal kernel. Where the debug kernel is not built, which takes some
minutes, nothing is tested.
"""

import sys

from labkit import OUR_MODULES, command, runner, run, scratch
from lablib import algorithms
from tap import Tap, lablib

import labbuild

BUILD = "tools/lab/lab build --debug"
NET = "topology star hosts=3 rate=10Gbps rtt=120us mtu=4096B buffer=2bdp ecn=0.2bdp nic=ideal\n"
# what to plant -> what the kernel says of it
FAULTS = {
    "uaf": "KASAN: slab-use-after-free",
    "bounds": "KASAN: slab-out-of-bounds",
    "locks": "possible circular locking dependency",
    "timer": "ODEBUG: free active",
    "leak": "suspected memory leaks",
}
MEASURED = ("summary", "flows", "links", "counters", "trace_hash", "virtual_ns")


def fault_text(how):
    """A run in which nothing else could go wrong."""
    return (f"title {how}\nmodule {OUR_MODULES['fault']} how={how}\n{NET}"
            "flow f h1 -> h2 size=100KB cc=cubic\n")


def ours_text(algorithm):
    """All that a flow of ours goes through: start, loss, switching, spraying, end."""
    return (f"title {algorithm}\n{NET}host * knob {algorithm}.spray=reps\n"
            "link h2-s loss=0.5%\n"
            f"flow f h[12] -> h3 size=2MB cc={algorithm}\n"
            f"flow g h3 -> h2 size=forever cc=cubic\nat 2ms flow g cc={algorithm}\n"
            "at 4ms flow g cc=reno\nstop at=40ms\n")


def check_fault(tap, how, said, base):
    """The command as a user would give it: it fails, and shows the report."""
    path = f"{base}/{how}.lab"
    with open(path, "w", encoding="utf-8") as out:
        out.write(fault_text(how))
    done = command("run", "--debug", "--out", f"{base}/{how}", path)
    lines = [line for line in done.stdout.splitlines() if said in line]
    tap.ok(done.returncode == lablib.errors.EXIT_RUN and len(lines) >= 2,
           f"{how}: the run fails, and the kernel's report is shown",
           f"exit {done.returncode}, {len(lines)} lines with '{said}'"
           + ("" if lines else ": " + done.stdout[-200:].replace("\n", " | ")))


def check_ours(tap, algorithm, normal, debug, base):
    """No complaint about our modules, and the same figures."""
    results = [run(ours_text(algorithm), f"{base}/{algorithm}-{name}", tools)
               for name, tools in (("n", normal), ("d", debug))]
    tap.ok(not results[1]["problems"], f"{algorithm}: nothing to complain of",
           "; ".join(results[1]["problems"]))
    differ = [key for key in MEASURED if results[0][key] != results[1][key]]
    tap.ok(not differ, f"{algorithm}: the figures are those of the normal kernel",
           f"differ: {', '.join(differ) or 'none'}; trace"
           f" {results[0]['trace_hash']}, {results[1]['trace_hash']}; real time"
           f" {results[0].wall_s:.1f} and {results[1].wall_s:.1f} s")


def main():
    """All of it, if the kernel is there."""
    tap = Tap()
    if not labbuild.is_built(debug=True):
        tap.ok(True, f"debug kernel # skip not built; build it with: {BUILD}")
        tap.finish()
        sys.exit(0)
    normal, debug = runner.Tools(), runner.Tools(debug=True)
    with scratch("debug") as base:
        for algorithm in algorithms.ours():
            check_ours(tap, algorithm, normal, debug, base)
        for how, said in FAULTS.items():
            check_fault(tap, how, said, base)
    tap.finish()


if __name__ == "__main__":
    main()
