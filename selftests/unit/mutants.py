#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the unit tests notice a fault? Plants one at a time in a copy of the sources.

Faults of the modules' pure files are generated from their tokens (faults.py), so many a file,
chosen by a seed; besides there are those planted by hand (planted.py). A fault that survives
is a test that is missing, or a change without any effect: of each folder's 90 % must be
noticed, and every one that was planted by hand.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import faults
from planted import MUTANTS

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ("common", "tcp_mswift", "tcp_mnscc", "tcp_oscar", "tcp_prioplus", "tcp_ledbat",
           "tools/csv", "tools/algorithms", "tools/replay", "tools/dccstat")
TIMEOUT_S = 40                  # a fault may well loop for ever
EACH = 30                       # faults generated of a file
LEAST = 90                      # % of a folder's that tests must notice
KERNELS = "#include <net/tcp.h>"        # what has that is no pure file
BROKEN = "does not build"
# What tests a file: the first pattern that its path has.
TESTS = ((r"tcp_mswift/", "mswift fuzz_mswift"), (r"tcp_mnscc/", "nscc fuzz_nscc"),
         (r"tcp_oscar/", "oscar fuzz_oscar"), (r"tcp_ledbat/", "ledbat fuzz_ledbat"),
         (r"tcp_prioplus/", "prioplus fuzz_prioplus"),
         (r"dcc_ledbat", "ledbat prioplus fuzz_ledbat"),
         (r"dcc_swift", "dcc_swift mswift prioplus"),
         (r"dcc_start", "dcc_start mswift nscc ledbat"), (r"dcc_reno", "dcc_reno nscc oscar"),
         (r"dcc_spray", "dcc_spray fuzz_spray"), (r"dcc_ring", "dcc_ring fuzz_ring"),
         (r"dcc_knob\b", "dcc_knob fuzz_knob"), (r"dcc_quantile", "dcc_quantile mswift"),
         (r"common/\w+/(dcc_\w+)", r"\1"))


def tests_of(path):
    """Names of programs, without "test_"."""
    pattern, tests = next(pair for pair in TESTS if re.search(pair[0], path))
    return re.search(pattern, path).expand(tests)


def programs_of(tests):
    """Names of programs."""
    return [name if name.startswith("fuzz") else f"test_{name}" for name in tests.split()]


def pure_files(source):
    """Paths of the modules' files that unit tests compile."""
    found = [path for folder in FOLDERS if folder.startswith("tcp_")
             for path in (source / folder).glob("*.c") if not path.name.endswith("_main.c")]
    found += [path for path in (source / "common").rglob("dcc_*.[ch]")
              if (HERE / f"test_{path.stem}.c").exists()
              or path.stem.startswith(("dcc_ledbat", "dcc_spray"))]
    texts = {str(path.relative_to(source)): path.read_text() for path in sorted(found)}
    return {path: text for path, text in texts.items()
            if KERNELS not in text and faults.every(text)}


def corpus_of(program):
    """A fuzzer's kept inputs, as its argument."""
    return [str(HERE / "corpus" / f"{program[5:]}.hex")] if program.startswith("fuzz_") else []


def failing(tree, program):
    """The first test that fails, or what else went wrong; "" if nothing did."""
    out = tree / "build"
    built = subprocess.run(["make", "-s", "-C", str(HERE), f"SRC={tree}", f"OUT={out}",
                            str(out / program)], capture_output=True, text=True, check=False)
    if built.returncode:
        return f"{BROKEN}: {built.stderr.strip().splitlines()[0]}"
    try:
        run = subprocess.run([str(out / program), *corpus_of(program)], capture_output=True,
                             text=True, errors="replace", timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"{program}: no end after {TIMEOUT_S} s"
    failed = [line.split(" - ", 1)[1] for line in run.stdout.splitlines()
              if line.startswith("not ok ")]
    if run.returncode and not failed:
        return f"{program}: died with status {run.returncode}"
    return failed[0] if failed else ""


class Trees:
    """Copies of the sources, each with one fault."""

    def __init__(self, source, scratch):
        self.source, self.scratch = source, pathlib.Path(scratch)

    def outcome(self, number, path, fault, tests):
        """What noticed a fault: a test's name; "" if none did, BROKEN... if it is no program."""
        tree = self.scratch / str(number)
        for folder in FOLDERS:
            shutil.copytree(self.source / folder, tree / folder)
        if fault:
            (tree / path).write_text(fault.planted((tree / path).read_text()))
        try:
            return next(filter(None, (failing(tree, program) for program in programs_of(tests))),
                        "")
        finally:
            shutil.rmtree(tree)


def count_generated(path, text, outcomes):
    """Print what survived of a file, and how many; returns (noticed, all that are programs)."""
    told = {fault: outcome for fault, outcome in outcomes.items()
            if not outcome.startswith(BROKEN)}
    noticed = sum(map(bool, told.values()))
    for fault, outcome in told.items():
        if not outcome:
            print(f"# {path}: survived: {fault.told(text)}")
    print(f"# {path}: {noticed} of {len(told)}", flush=True)
    return noticed, len(told)


def judge_generated(counts):
    """Print a line for each folder; [are its tests good enough?]"""
    folders = {}
    for path, count in counts.items():
        folders.setdefault(path.partition("/")[0], []).append(count)
    verdicts = []
    for folder, parts in folders.items():
        noticed, told = map(sum, zip(*parts))
        verdicts.append(noticed * 100 >= LEAST * told)
        print(f"{'ok' if verdicts[-1] else 'not ok'} - {folder}: {noticed} of {told} faults"
              f" noticed, {LEAST} % at least", flush=True)
    return verdicts


def judge_planted(mutant, outcome):
    """Print a line; was the outcome the expected one?"""
    good = not outcome.startswith(BROKEN) and bool(outcome) != bool(mutant.same)
    state = f"by {outcome}" if outcome else mutant.same or "survived"
    print(f"{'ok' if good else 'not ok'} - {mutant.path}: {mutant.told('')}: {state}", flush=True)
    return good


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, default=HERE / "../..",
                        help="tree under test (default: this one)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        help="faults built and run at a time (default: one per core)")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument("--each", type=int, default=EACH,
                        help=f"faults generated of a file ({EACH}); 0: the planted ones only")
    parser.add_argument("--seed", type=int, default=1, help="which of them (1)")
    return parser.parse_args()


def main():
    """All faults that were asked for; status 1 if too many survive."""
    args = arguments()
    source = args.source.resolve()
    files = {path: text for path, text in pure_files(source).items() if args.only in path}
    by_hand = [mutant for mutant in MUTANTS if args.only in mutant.path]
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        trees = Trees(source, scratch)
        tests = sorted({*map(tests_of, files), *(mutant.tests for mutant in by_hand)})
        sound = pool.map(lambda names: trees.outcome(names.replace(" ", "-"), None, None, names),
                         tests)
        if any(broken := list(filter(None, sound))):
            sys.exit(f"mutants: fails without any fault: {broken[0]}")
        number = itertools.count(1)
        made = {path: {fault: pool.submit(trees.outcome, next(number), path, fault,
                                          tests_of(path))
                       for fault in faults.sample(text, args.each, f"{args.seed} {path}")}
                for path, text in files.items() if args.each}
        planted = [(mutant, pool.submit(trees.outcome, next(number), mutant.path, mutant,
                                        mutant.tests)) for mutant in by_hand]
        good = judge_generated({
            path: count_generated(path, files[path],
                                  {fault: run.result() for fault, run in runs.items()})
            for path, runs in made.items()})
        good += [judge_planted(mutant, run.result()) for mutant, run in planted]
    print(f"1..{len(good)}")
    print(f"# {next(number) - 1} faults, {len(good) - sum(good)} lines not as expected")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
