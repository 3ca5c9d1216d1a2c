#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Judges what packetdrill's scripts came to, and prints TAP.

    judge.py --expected FILE [--matrix FILE] [--partial] CONSOLE...

CONSOLE: what the machines printed (guest.sh says in which form). A script that
the control (cubic) passes has to pass with each algorithm, unless FILE excuses
it; then it has to fail, so that no excuse outlives its reason; nor may an excuse
be about a script that was not run (unless told that only a part was: --partial).
Scripts that the control fails are not about us. Our own scripts (ours/) have to
pass by themselves.

FILE holds one excuse a line, fields separated by tabs: script (a shell
pattern), algorithms (by commas, or *), ip (ipv4, ipv6 or *), class, reason.
"""
import argparse
import fnmatch
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

CONTROL = "cubic"
OURS = "ours/"


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
    used: set[tuple[str, str]] = field(default_factory=set)

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
            excuse.used.add((result.cc, result.ip))
        if result.passed:
            self.say(not excuse, name, f"passes, but expected.tsv excuses it: {excuse}")
        elif excuse:
            self.say(True, f"{name}: fails as expected ({excuse.kind})")
        else:
            self.say(False, name, result.reason)

    def judge_excuse(self, excuse: Excuse) -> None:
        """Is there a result for each algorithm and family that it names?"""
        ran = dict.fromkeys((r.cc, r.ip) for r in self.results
                            if r.cc != CONTROL and not r.script.startswith(OURS))
        for cc, ip in ran:
            if excuse.covers(Result(cc, ip, excuse.script, False, 0, 0, "")) and \
                    (cc, ip) not in excuse.used:
                self.say(False, f"{cc} {ip} {excuse.script}",
                         "expected.tsv excuses it, but it was not run")

    def cell(self, result: Result | None) -> str:
        """What the matrix says of a result."""
        if result is None:
            return "-"
        if result.passed:
            return "pass"
        excuse = self.excuse(result)
        return excuse.kind if excuse and self.counts(result) else "FAIL"


class Matrix:
    """What to publish, in markdown: sums, classes, and each script's results."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        ccs = list(dict.fromkeys(r.cc for r in judge.results))
        self.ccs = sorted(ccs, key=lambda cc: cc != CONTROL)
        self.ips = list(dict.fromkeys(r.ip for r in judge.results))
        self.by_key = {(r.ip, r.script, r.cc): r for r in judge.results}

    def table(self, heads: list[str], rows: list[list[str]]) -> str:
        """A table of markdown."""
        lines = [heads, ["---"] * len(heads), *rows]
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)

    def row(self, ip: str, script: str) -> list[Result | None]:
        """A script's results, in the order of the columns."""
        return [self.by_key.get((ip, script, cc)) for cc in self.ccs]

    def sums(self) -> str:
        """How many scripts of each set passed."""
        rows = []
        keys = dict.fromkeys((r.ip, r.script.split("/")[0]) for r in self.judge.results)
        for ip, name in keys:
            ran = [r for r in self.judge.results
                   if r.ip == ip and r.script.startswith(name + "/")]
            passed = Counter(r.cc for r in ran if r.passed)
            total = Counter(r.cc for r in ran)
            rows.append([name, ip] + [f"{passed[cc]} of {total[cc]}" for cc in self.ccs])
        return self.table(["scripts", "ip", *self.ccs], rows)

    def classes(self) -> str:
        """How many failures each class explains."""
        count = Counter()
        for result in self.judge.results:
            if not result.passed and self.judge.counts(result):
                excuse = self.judge.excuse(result)
                count[excuse.kind if excuse else "FAIL", result.ip, result.cc] += 1
        kinds = sorted({(kind, ip) for kind, ip, _ in count})
        return self.table(["class", "ip", *self.ccs[1:]],
                          [[kind, ip] + [str(count[kind, ip, cc]) for cc in self.ccs[1:]]
                           for kind, ip in kinds])

    def differing(self, ip: str) -> str:
        """The scripts that the control passes and not all of ours."""
        rows = []
        for script in sorted({r.script for r in self.judge.results if r.ip == ip}):
            row = self.row(ip, script)
            if any(r and not r.passed and self.judge.counts(r) for r in row):
                rows.append([script, *(self.judge.cell(r) for r in row)])
        return self.table(["script", *self.ccs], rows)

    def listed(self, ip: str, passed: bool) -> str:
        """Scripts that all pass, or that the control fails, a line for each folder."""
        folders: dict[str, list[str]] = {}
        for script in sorted({r.script for r in self.judge.results if r.ip == ip}):
            row = [r for r in self.row(ip, script) if r]
            if passed and not all(r.passed for r in row):
                continue
            if not passed and any(r.passed or r.cc != CONTROL for r in row):
                continue
            folder, name = script.rsplit("/", 1)
            folders.setdefault(folder, []).append(name.removesuffix(".pkt"))
        return "".join(f"- {folder}: {', '.join(names)}\n" for folder, names in folders.items())

    def text(self) -> str:
        """All of it."""
        parts = [self.sums(), self.classes()]
        for ip in self.ips:
            parts += [f"### {ip}: the control passes, one of ours does not\n", self.differing(ip),
                      f"### {ip}: all pass\n", self.listed(ip, True),
                      f"### {ip}: the control fails, so ours are not run\n",
                      self.listed(ip, False)]
        return "\n".join(part for part in parts if part)

    def write(self, path: Path) -> None:
        """Into a page between <!-- matrix --> and <!-- end -->, else a file of its own."""
        old = path.read_text() if path.exists() else ""
        head, begin, rest = old.partition("<!-- matrix -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        if begin and end:
            path.write_text(head + begin + self.text() + end + tail)
        else:
            path.write_text(self.text())


def main() -> int:
    """0 if all is as it should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expected", type=Path, required=True)
    parser.add_argument("--matrix", type=Path)
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("consoles", type=Path, nargs="+", metavar="CONSOLE")
    arguments = parser.parse_args()
    results, errors = read_results(arguments.consoles)
    judge = Judge(results, read_excuses(arguments.expected))
    print("TAP version 13")
    for result in results:
        if judge.counts(result):
            judge.judge(result)
    for excuse in [] if arguments.partial else judge.excuses:
        judge.judge_excuse(excuse)
    for error in errors:
        judge.say(False, error)
    if not judge.number:
        judge.say(False, "no script ran")
    print(f"1..{judge.number}")
    published = Matrix(judge)
    if arguments.matrix:
        published.write(arguments.matrix)
    for line in (published.sums() + published.classes()).splitlines():
        print(f"# {line}")
    print(f"# {judge.number - judge.failed} passed, {judge.failed} failed")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
