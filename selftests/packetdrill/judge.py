#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Judges what packetdrill's scripts came to, and prints TAP.

    judge.py --expected FILE [--matrix FILE] CONSOLE...

CONSOLE: what the machines printed (guest.sh says in which form). A script that
the control (cubic) passes has to pass with each algorithm, unless FILE excuses
it; then it has to fail, so that no excuse outlives its reason. Scripts that the
control fails are not about us. Our own scripts (ours/) have to pass by
themselves.

FILE holds one excuse a line, fields separated by tabs: script (a shell
pattern), algorithms (by commas, or *), ip (ipv4, ipv6 or *), class, reason.
"""
import argparse
import fnmatch
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

CONTROL = "cubic"
OURS = "ours/"
MARKS = {"pass": "pass", "fail": "FAIL"}


@dataclass
class Result:
    """One script with one algorithm."""
    cc: str
    ip: str
    script: str
    passed: bool
    flows: int
    samples: int
    reason: str


@dataclass
class Excuse:
    """Why a script may fail."""
    script: str
    ccs: list[str]
    ip: str
    kind: str
    reason: str
    used: bool = False

    def covers(self, result: Result) -> bool:
        """Is it about this script with this algorithm?"""
        return (fnmatch.fnmatch(result.script, self.script)
                and ("*" in self.ccs or result.cc in self.ccs)
                and self.ip in ("*", result.ip))


def read_results(paths: list[Path]) -> tuple[list[Result], list[str]]:
    """All results, and what went wrong with the machines."""
    results, errors = [], []
    for path in paths:
        lines = path.read_text(errors="replace").splitlines()
        for line in lines:
            if line.startswith("RESULT\t"):
                _, cc, ip, script, word, flows, samples, _, *reason = line.split("\t")
                results.append(Result(cc, ip, script, word == "pass", int(flows), int(samples),
                                      " ".join(reason)))
            elif line.startswith("KERNEL ") or "Kernel panic" in line:
                errors.append(f"{path.name}: {line}")
        if "GUEST-END" not in lines:
            errors.append(f"{path.name}: the machine did not reach its end: {lines[-1:]}")
    return results, errors


def read_excuses(path: Path) -> list[Excuse]:
    """The file of excuses."""
    excuses = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 5:
            sys.exit(f"{path}:{number}: {len(fields)} fields, wanted 5 separated by tabs")
        script, ccs, ip, kind, reason = fields
        excuses.append(Excuse(script, ccs.split(","), ip, kind, reason))
    return excuses


class Judge:
    """Compares results with the control's and with the excuses."""

    def __init__(self, results: list[Result], excuses: list[Excuse]) -> None:
        self.results = results
        self.excuses = excuses
        self.control = {(r.ip, r.script): r.passed for r in results if r.cc == CONTROL}
        self.number = 0
        self.failed = 0

    def excuse(self, result: Result) -> Excuse | None:
        """The first that covers it."""
        return next((e for e in self.excuses if e.covers(result)), None)

    def counts(self, result: Result) -> bool:
        """Does this result say something about us?"""
        if result.script.startswith(OURS):
            return True
        return result.cc != CONTROL and self.control.get((result.ip, result.script), True)

    def say(self, ok: bool, name: str, why: str = "") -> None:
        """One TAP line."""
        self.number += 1
        self.failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self.number} - {name}")
        if not ok and why:
            print(f"# {why}")

    def judge(self, result: Result) -> None:
        """One script with one algorithm."""
        name = f"{result.cc} {result.ip} {result.script}"
        excuse = self.excuse(result)
        if excuse:
            excuse.used = True
        if result.passed:
            self.say(not excuse, name, f"passes, but expected.tsv excuses it: {excuse}")
        elif excuse:
            self.say(True, f"{name}: fails as expected ({excuse.kind})")
        else:
            self.say(False, name, result.reason)

    def cell(self, result: Result | None) -> str:
        """What the matrix says of a result."""
        if result is None:
            return ""
        if result.passed:
            return "pass"
        excuse = self.excuse(result)
        return excuse.kind if excuse and self.counts(result) else "FAIL"


def matrix(judge: Judge) -> str:
    """Markdown: sums, then a line for each script that not all pass."""
    ccs = list(dict.fromkeys(r.cc for r in judge.results))
    ccs.sort(key=lambda cc: cc != CONTROL)
    out = []
    by_key = {(r.ip, r.script, r.cc): r for r in judge.results}
    sets = sorted({(r.ip, r.script.split("/")[0]) for r in judge.results})
    out += ["| scripts | number | " + " | ".join(ccs) + " |",
            "|---" * (len(ccs) + 2) + "|"]
    for ip, name in sets:
        scripts = {r.script for r in judge.results
                   if r.ip == ip and r.script.startswith(name + "/")}
        passed = Counter(r.cc for r in judge.results
                         if r.passed and r.ip == ip and r.script in scripts)
        out.append(f"| {name}, {ip} | {len(scripts)} | "
                   + " | ".join(str(passed[cc]) for cc in ccs) + " |")
    out += ["", "| script | ip | flow of ours | " + " | ".join(ccs) + " |",
            "|---" * (len(ccs) + 3) + "|"]
    for ip, script in sorted({(r.ip, r.script) for r in judge.results}):
        row = [by_key.get((ip, script, cc)) for cc in ccs]
        if all(r is None or r.passed for r in row):
            continue
        used = "yes" if any(r and r.cc != CONTROL and r.flows for r in row) else "no"
        out.append(f"| {script} | {ip} | {used} | "
                   + " | ".join(judge.cell(r) for r in row) + " |")
    return "\n".join(out) + "\n"


def main() -> int:
    """0 if all is as it should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expected", type=Path, required=True)
    parser.add_argument("--matrix", type=Path)
    parser.add_argument("consoles", type=Path, nargs="+", metavar="CONSOLE")
    arguments = parser.parse_args()
    results, errors = read_results(arguments.consoles)
    judge = Judge(results, read_excuses(arguments.expected))
    print("TAP version 13")
    for result in results:
        if judge.counts(result):
            judge.judge(result)
    for error in errors:
        judge.say(False, error)
    if not judge.number:
        judge.say(False, "no script ran")
    print(f"1..{judge.number}")
    text = matrix(judge)
    if arguments.matrix:
        arguments.matrix.write_text(text)
    for line in text.split("\n\n", maxsplit=1)[0].splitlines():
        print(f"# {line}")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
