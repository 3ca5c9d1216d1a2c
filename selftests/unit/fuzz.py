#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs all fuzzers side by side and says how many events each algorithm was put
through, and what was found.

    fuzz.py --minutes N     every fuzzer for so long, seeds new each time
    fuzz.py --minimize      merge what was found worth keeping into corpus/

Half of the time libFuzzer searches, from the inputs kept in corpus/ on; in the
other half random lives go through the same checks, several times as fast.
Without clang, which libFuzzer needs, it is random lives all the time. An input
that breaks something stays in build/unit/fuzz; the status is then 1."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent.parent / "build" / "unit"
WORK = OUT / "fuzz"
FUZZERS = ("mswift", "nscc", "oscar", "prioplus", "ledbat", "spray", "ring", "knob")
LIFE_BYTES = 8192       # longest input, as in fuzz_run.c
KEPT_BYTES = 512        # longest input that is kept
GRACE_S = 120           # a fuzzer that is so late has found an endless loop

HEAD = """# SPDX-License-Identifier: GPL-2.0
# Inputs of fuzz_{}, the fewest that reach as much; one a line, in hex.
# Written by fuzz.py --minimize.
"""


@dataclass
class Run:
    """A fuzzer at work, and where it says what it does."""
    name: str
    log: Path
    process: subprocess.Popen


def build(clang: str | None) -> None:
    """Both forms of each fuzzer, as far as there is a compiler for them."""
    forms = ("fuzz_", "libfuzz_") if clang else ("fuzz_",)
    make = ["make", "-s", f"-j{os.cpu_count() or 1}", "-C", str(HERE)]
    subprocess.run(make + [f"../../build/unit/{form}{name}" for name in FUZZERS
                           for form in forms], check=True)


def start(name: str, number: int, command: list[str]) -> Run:
    """One process, in a folder where findings may stay."""
    folder = WORK / name
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"log-{number}"
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder)
    return Run(name, log, process)


def random_lives(name: str, seconds: int, seed: int) -> list[str]:
    """The command for the built-in driver."""
    return [str(OUT / f"fuzz_{name}"), "--seconds", str(seconds), str(seed)]


def unpack(name: str) -> Path:
    """The kept inputs as libFuzzer wants them: a folder with a file each."""
    folder = WORK / name / "kept"
    folder.mkdir(parents=True, exist_ok=True)
    lines = (HERE / "corpus" / f"{name}.hex").read_text().splitlines()
    for number, line in enumerate(line for line in lines if not line.startswith("#")):
        (folder / str(number)).write_bytes(bytes.fromhex(line))
    return folder


def search(name: str, seconds: int, seed: int) -> list[str]:
    """The command for libFuzzer; what is new goes to a folder of its own."""
    new = WORK / name / "new"
    new.mkdir(parents=True, exist_ok=True)
    return [str(OUT / f"libfuzz_{name}"), f"-max_total_time={seconds}", f"-seed={seed}",
            f"-max_len={LIFE_BYTES}", "-reload=1", "-print_final_stats=1",
            str(new), str(unpack(name))]


def together(command, seconds: int, seed: int) -> list[Run]:
    """Every fuzzer at least once, and one a CPU; waits for all."""
    count = max(len(FUZZERS), os.cpu_count() or 1)
    runs = [start(FUZZERS[i % len(FUZZERS)], seed + i,
                  command(FUZZERS[i % len(FUZZERS)], seconds, seed + i))
            for i in range(count)]
    late = time.monotonic() + seconds + GRACE_S
    for run in runs:
        try:
            run.process.wait(max(1.0, late - time.monotonic()))
        except subprocess.TimeoutExpired:
            run.process.kill()
            run.process.wait()
    return runs


def count(runs: list[Run], events: dict[str, int]) -> int:
    """Add up the events; say which runs failed, and how many they are."""
    findings = 0
    for run in runs:
        text = run.log.read_text(errors="replace")
        for alg, number in re.findall(r"^# fuzz: (\S+): (\d+) events$", text, re.MULTILINE):
            events[alg] = events.get(alg, 0) + int(number)
        if run.process.returncode:
            findings += 1
            said = re.findall(r"^(?:# (?!fuzz:).*|.*ERROR:.*|.*runtime error:.*)$", text,
                              re.MULTILINE)
            print(f"finding: {run.name}, status {run.process.returncode}: "
                  f"{said[0] if said else 'see the log'}\n  {run.log}")
    return findings


def fuzz(seconds: int, clang: str | None) -> int:
    """All of it; the number of findings."""
    shutil.rmtree(WORK, ignore_errors=True)
    events: dict[str, int] = {}
    seed = time.time_ns() % 1_000_000_000
    if not clang:
        print("clang is not here: random lives alone; libFuzzer needs it")
    print(f"seed {seed}", flush=True)
    share = max(1, seconds // (2 if clang else 1))
    findings = count(together(random_lives, share, seed), events)
    if clang:
        findings += count(together(search, share, seed + 1000), events)
    for alg, number in events.items():
        print(f"{alg:16} {number:12,} events")
    print(f"findings {findings}")
    return findings


def minimize() -> None:
    """Of all inputs the fewest that reach as many lines, into corpus/."""
    for name in FUZZERS:
        fewest = WORK / name / "fewest"
        shutil.rmtree(fewest, ignore_errors=True)
        fewest.mkdir(parents=True)
        subprocess.run([OUT / f"libfuzz_{name}", "-merge=1", "-use_counters=0",
                        f"-max_len={KEPT_BYTES}", fewest, unpack(name), WORK / name / "new"],
                       check=True, stderr=subprocess.DEVNULL)
        inputs = {file.read_bytes().hex() for file in fewest.iterdir()} - {""}
        lines = sorted(inputs, key=lambda text: (len(text), text))
        (HERE / "corpus" / f"{name}.hex").write_text(
            HEAD.format(name) + "".join(f"{line}\n" for line in lines))
        print(f"{name}: {len(lines)} inputs, {sum(map(len, lines)) // 2} bytes")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1, help="how long (default: 1)")
    parser.add_argument("--minimize", action="store_true", help="refresh corpus/ instead")
    options = parser.parse_args()
    clang = shutil.which(os.environ.get("CLANG", "clang"))
    build(clang)
    if options.minimize:
        minimize()
        return 0
    return 1 if fuzz(round(options.minutes * 60), clang) else 0


if __name__ == "__main__":
    sys.exit(main())
