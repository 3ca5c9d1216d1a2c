#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The MSwift paper's evaluation (tools/lab/figures), on 16 hosts and with one seed.

What must hold of it follows from arithmetic (how many packets a message is, a bound
that nobody is below, an interrupted sweep's runs) or is what the paper states without
reserve: which bars are higher than which with every balancer. What the paper says of a
single bar, or by how much, is for the full size (Documentation/experiments.md).
"""

import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import ROOT, Tap

# Ctrl-C counts, also where a shell's background would have it ignored.
COMMAND = ["env", "--default-signal=INT", sys.executable, "-B",
           str(ROOT / "tools" / "lab" / "figures"), "--hosts", "16", "--seeds", "1"]
FIGURES = (4, 6, 7, 12, 13, 14)
BALANCERS = ("oblivious", "adaptive", "reps")
# Figure -> (flows, packets of each): 8 MB are 1989 packets of 4024 B, 2 elephants apart
SENT = {6: (16, 1989), 7: (16, 3344), 14: (4, 1989)}
INTERRUPTED = 130
RAN = re.compile(r"^\s+\d+/\d+ ", re.MULTILINE)    # a line of progress
# "the CCT increase is relatively small"; in the paper, too, the first window of all
# senders together is several times the buffer
INCAST_MOST = 10


def start(out, *words):
    """The command, with its output to be read."""
    return subprocess.Popen([*COMMAND, "--out", str(out), *words], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def counted(text):
    """(runs, still to do) that it says first."""
    found = re.search(r"figures: (\d+) runs, (\d+) still to do", text)
    return tuple(map(int, found.groups())) if found else (None, None)


def interrupted(tap, out, words):
    """Ctrl-C after the first run of many: how many runs there are, and were done."""
    first = start(out, *words, "-j", "1")
    err = ""
    for line in first.stderr:
        err += line
        if RAN.match(line):
            os.killpg(first.pid, signal.SIGINT)
            break
    said, rest = first.communicate()
    runs, to_do = counted(said)
    done = len(RAN.findall(err + rest))
    tap.ok(first.returncode == INTERRUPTED and runs == to_do and 0 < done < runs,
           "interrupted after the first of many runs", f"{runs} runs, {done} done")
    return runs, done


def rows(out, number):
    """{(balancer, bar): row} of a figure."""
    with (out / f"figure{number}.csv").open(encoding="ascii") as lines:
        return {(row["balancer"], row["bar"]): row for row in csv.DictReader(lines)}


def check_arithmetic(tap, found):
    """What cannot be otherwise."""
    least = min((float(row["inflation_percent"]), number, key)
                for number, bars in found.items() for key, row in bars.items())
    tap.ok(least[0] >= 0, "no run is faster than its bound", f"least: {least}")
    for number, (flows, packets) in SENT.items():
        sent = {int(row["packets"]) - int(row["retrans"]) for row in found[number].values()}
        tap.ok(sent == {flows * packets}, f"Figure {number}: {flows} flows of {packets}"
               " packets, whoever sends them", f"sent once: {sent}")
    shared = [key for key in found[12] if key[1] == "mswift"]
    tap.ok(len(shared) == 3 and all(found[12][key]["run"] == found[4][key]["run"]
                                    for key in shared),
           "Figure 12's median is Figure 4's mswift, the same run")


def check_order(tap, bars, title, lower, higher):
    """One bar is below others with every balancer."""
    def percent(balancer, bar):
        return float(bars[balancer, bar]["inflation_percent"])
    shown = "; ".join(f"{balancer}: {percent(balancer, lower):.1f} below "
                      + ", ".join(f"{bar} {percent(balancer, bar):.1f}" for bar in higher)
                      for balancer in BALANCERS)
    tap.ok(all(percent(balancer, lower) < percent(balancer, bar)
               for balancer in BALANCERS for bar in higher), title, shown)


def check_page(tap, out):
    """The page has every figure, with its picture and its table."""
    text = (out / "index.html").read_text(encoding="utf-8")
    missing = [number for number in FIGURES if f"Figure {number}. " not in text
               or not (out / f"figure{number}.svg").stat().st_size]
    tap.ok(not missing, "a page with every figure", f"missing: {missing or 'none'}")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="labtest-figures-") as name:
        out = Path(name)
        words = ("--figure", ",".join(map(str, FIGURES)))
        runs, done = interrupted(tap, out, words)
        everything = start(out, *words)
        said, err = everything.communicate()
        # one more may be kept whose line was not printed any more
        tap.ok(counted(said) in [(runs, runs - done), (runs, runs - done - 1)],
               "goes on where it was",
               "%s runs, %s still to do" % counted(said))
        for line in said.splitlines():
            tap.say(line)
        tap.ok(everything.returncode == 0, "every run is valid", err[-500:].replace("\n", " | ")
               if everything.returncode else "%s runs, %s then done" % counted(said))
        if everything.returncode:
            tap.finish()
        found = {number: rows(out, number) for number in FIGURES}
        check_arithmetic(tap, found)
        check_order(tap, found[4], "Figure 4: Swift is the worst", "mnscc", ("swift",))
        check_order(tap, found[4], "Figure 4: MSwift below LSwift", "mswift", ("lswift",))
        check_order(tap, found[12], "Figure 12: percentile 90 backs off too much",
                    "mswift", ("mswift-p90",))
        check_order(tap, found[13], "Figure 13: MSwift below LSwift", "mswift", ("lswift",))
        highest = max((float(row["inflation_percent"]), key) for key, row
                      in found[14].items() if key[1] in ("lswift", "mswift"))
        tap.ok(highest[0] <= INCAST_MOST, "Figure 14: incast hurts neither LSwift nor"
               f" MSwift, at most {INCAST_MOST} %", f"highest: {highest}")
        check_page(tap, out)
    tap.finish()


if __name__ == "__main__":
    main()
