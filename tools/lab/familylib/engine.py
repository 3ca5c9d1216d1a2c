# SPDX-License-Identifier: GPL-2.0
"""Hands runs to many machines, by GNU parallel over ssh or by Slurm.

Each machine has this tree under the same path, its lab built, and carries out `families
one RUN...`, which prints a row for each. A run is exact, so it does not matter who made a
row: one with another key was made of something else and is not taken.
"""

import contextlib
import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lablib.errors import LabError

LOCAL, PARALLEL, SLURM = "local", "parallel", "slurm"
NAMES = (LOCAL, PARALLEL, SLURM)
PROGRAM = Path(__file__).resolve().parents[1] / "families"
AT_ONCE = 8                     # runs of a job: a program's start is no large part of it
TRIES = 4                       # of a job, each on another machine if there is one
WHOLE_ARRAY = 1000              # Slurm's MaxArraySize, as it comes, is 1001


def _program(name, package):
    if not shutil.which(name):
        raise LabError(f"the engine needs '{name}', which is not here; Debian's package is"
                       f" {package}")
    return name


def take(lines, wanted, store):
    """Keep the rows that a machine answered with; LabError for any line that is none."""
    for line in lines:
        try:
            row = json.loads(line)
            key = row["key"]
        except (ValueError, TypeError, KeyError):
            raise LabError(f"a machine answered '{line.strip()[:80]}', which is no row") from None
        if key not in wanted:
            raise LabError(f"a machine made {row['family']} {row['seed']} {row['algorithm']} of"
                           " another kernel, other modules or another tree; allowed: the same"
                           " commit on all machines")
        if key not in store.rows:
            store.keep(row)


def jobs_of(runs):
    """The runs by name, so many to a job."""
    words = [",".join((run.family, str(run.seed), run.variant.name)) for run in runs]
    return [words[at:at + AT_ONCE] for at in range(0, len(words), AT_ONCE)]


def by_parallel(runs, store, hosts):
    """By GNU parallel: a line of `hosts` is [CORES/]HOST, as of its --sshloginfile."""
    if not hosts:
        raise LabError("the engine parallel needs --hosts FILE, a line [CORES/]HOST for each"
                       " machine (HOSTS= of make)")
    if not Path(hosts).is_file():
        raise LabError(f"the hosts' file '{hosts}' is not there; allowed: a line [CORES/]HOST"
                       " for each machine")
    wanted = {store.key(run) for run in runs}
    argv = [_program("parallel", "parallel"), "--will-cite", "--sshloginfile", str(hosts),
            "--retries", str(TRIES), "--colsep", " ", str(PROGRAM), "one"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        process.stdin.write("".join(" ".join(job) + "\n" for job in jobs_of(runs)))
        process.stdin.close()
        take(process.stdout, wanted, store)


def _array(jobs, folder):
    """Submit job arrays, and wait for their end."""
    folder.joinpath("jobs").write_text("".join(" ".join(job) + "\n" for job in jobs),
                                       encoding="utf-8")
    for first in range(0, len(jobs), WHOLE_ARRAY):
        script = (f"#!/bin/sh\nn=$(({first} + SLURM_ARRAY_TASK_ID))\n"
                  f"exec '{PROGRAM}' one $(sed -n \"$((n + 1))p\" '{folder}/jobs')"
                  f" >'{folder}/'$n.rows\n")
        last = min(WHOLE_ARRAY, len(jobs) - first) - 1
        subprocess.run([_program("sbatch", "slurm-client"), "--wait", "--requeue",
                        f"--array=0-{last}", f"--output={folder}/%a.log", f"--chdir={folder}"],
                       input=script, text=True, stdout=subprocess.DEVNULL, check=False)


def by_slurm(runs, store, _hosts):
    """By job arrays of Slurm, whose nodes see the results' directory, too."""
    todo, wanted = list(runs), {store.key(run) for run in runs}
    for _ in range(TRIES):
        if not todo:
            return
        with tempfile.TemporaryDirectory(dir=store.folder) as name:
            folder, jobs = Path(name), jobs_of(todo)
            _array(jobs, folder)
            for number in range(len(jobs)):
                with contextlib.suppress(FileNotFoundError):
                    text = (folder / f"{number}.rows").read_text(encoding="utf-8")
                    take([line for line in text.splitlines(True) if line.endswith("\n")],
                         wanted, store)
        todo = [run for run in todo if store.key(run) not in store.rows]


ENGINES = {PARALLEL: by_parallel, SLURM: by_slurm}


def spread(name, runs, store, hosts):
    """Have the runs that are missing made by other machines; how many they lost."""
    todo = list({store.key(run): run for run in runs
                 if store.key(run) not in store.rows}.values())
    if todo:
        print(f"families: {math.ceil(len(todo) / AT_ONCE)} jobs of up to {AT_ONCE} runs, by"
              f" {name}", file=sys.stderr, flush=True)
        ENGINES[name](todo, store, hosts)
    lost = sum(store.key(run) not in store.rows for run in todo)
    if lost:
        print(f"families: {lost} runs were lost by all machines that tried", file=sys.stderr)
    return lost


def answer(runs, store):
    """What a machine does of a job: a row for each run as it is made; how many failed."""
    failed = 0
    for run in runs:
        try:
            print(json.dumps(store.measure(run)), flush=True)
        except LabError as error:
            failed += 1
            print(f"families: {run.family} {run.seed} {run.variant.name}: {error}",
                  file=sys.stderr, flush=True)
    return failed
