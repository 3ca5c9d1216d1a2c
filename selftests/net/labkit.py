# SPDX-License-Identifier: GPL-2.0
"""What the tests of the lab itself share: runs, traces, the command line."""

import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections import namedtuple
from pathlib import Path

from tap import ROOT, lablib, runner, series

LAB = ROOT / "tools" / "lab" / "lab"
HERE = Path(__file__).resolve().parent
OUR_MODULES = {"fixedcwnd": HERE / "oot", "fault": HERE / "oops"}
COMMAND_S = 300                 # no command of these tests takes longer
BUSY = "import os; mine = os.getppid()\nwhile os.getppid() == mine: pass"  # ends with its test

Record = namedtuple("Record", "t event length queue flow seq")


def run(text, folder, tools, **options):
    """Run a scenario given as text; the folder is made."""
    return lablib.run(text, out=folder, tools=tools, **options)


def command(*words, python=sys.executable, lab=LAB, **options):
    """`lab WORDS`, as a user would; returns the finished process."""
    env = dict(os.environ, **options.pop("env", {}))
    return subprocess.run([python, "-B", str(lab), *map(str, words)],
                          capture_output=True, text=True, check=False, env=env,
                          timeout=COMMAND_S, **options)


def trace(folder):
    """{'link:dir': [Record, ...]} of a traced run, in order of time."""
    found = {}
    with (Path(folder) / "trace.csv").open(encoding="ascii") as lines:
        next(lines)
        for line in lines:
            t, link, way, event, length, queue, _, _, flow, seq = line.split(",")
            found.setdefault(f"{link}:{way}", []).append(Record(
                int(t), event, int(length), int(queue), flow, int(seq)))
    return found


def acks(folder):
    """{flow: [row, ...]} of recorded flows, a row for each ACK, in order."""
    return {name: track.rows for name, track in series.load(folder, "acks").items()}


def scratch(prefix):
    """A directory for runs that goes away by itself."""
    return tempfile.TemporaryDirectory(prefix=f"labtest-{prefix}-")


def children_s():
    """Processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def load_average():
    """How many processes wanted to run in the last minute."""
    return os.getloadavg()[0]


class Load:
    """Keeps every processor busy twice over while it is entered."""

    def __enter__(self):
        self.busy = [subprocess.Popen([sys.executable, "-c", BUSY])
                     for _ in range(2 * (os.cpu_count() or 1))]
        return self

    def __exit__(self, *_):
        for process in self.busy:
            process.kill()
            process.wait()


class Watch(threading.Thread):
    """The largest resident set a guest's processes reached, in bytes."""

    INTERVAL_S = 0.05

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = 0
        self.over = threading.Event()

    def run(self):
        """The kernel's own process maps all of the guest's memory."""
        while not self.over.wait(self.INTERVAL_S):
            try:
                status = Path(f"/proc/{self.pid}/status").read_text("ascii")
            except OSError:
                return
            for line in status.splitlines():
                if line.startswith("VmHWM:"):
                    self.peak = max(self.peak, int(line.split()[1]) * 1024)


__all__ = ["HERE", "LAB", "OUR_MODULES", "Load", "Record", "Watch", "acks",
           "children_s", "command", "load_average", "run", "runner",
           "scratch", "trace"]
