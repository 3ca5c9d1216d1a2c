# SPDX-License-Identifier: GPL-2.0
"""Runs one scenario: builds what is missing, starts the guest, watches it."""

import contextlib
import fcntl
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import algorithms, cpus, plan, results, scenario as scenarios, units
from .errors import LabError, RunError

sys.path.insert(0, str(algorithms.LAB))

# Virtual time starts here (1 Jan 2020 in ns): the wall clock must not matter.
TIME_START = 1577836800 * 10**9
WALL_MAX_S = 10**6              # the longest limit of real time that may be asked for
STALL_S = 180                   # wall seconds without a word, or progress of virtual time
ERROR_GRACE_S = 2               # for a guest that told an error to end by itself
LAST_WORDS = 20                 # console lines shown of a guest that failed
KILL_WAIT_S = 10
FULL_DISK = 2**20               # bytes; with less than that left, this is why a run failed
ERROR_TEXT = 3000               # characters shown of a failed compilation
SCENARIO_FILE = "scenario-as-run.lab"  # the text that was run, beside its results
RESULTS = "results.json"
OWN_FILES = (SCENARIO_FILE, "plan", "result.tsv", "links.tsv", "flows.tsv", "links.csv",
             "flows.csv", "acks.tsv", "acks.csv", "labels.tsv", "labels.csv", "calls.tsv",
             "calls.csv", "trace.tsv", "trace.csv", "console.log", RESULTS,
             "timing.json", "kernel.log")
UNFINISHED = "unfinished"       # a run that has no results yet, in its results' directory
TAKEN = (*OWN_FILES, UNFINISHED)  # what a run replaces in its results' directory
REPORT = "kernel.log"           # the guest's kernel log, if there is a complaint in it
REPORT_LINES = 60
DEBUG_SLOWER = 10               # of the limits of real time, for a debug kernel
# A file in the first of these that lets programs run is a guest's memory: containers have
# the first one mounted noexec.
MEMORY_PLACES = ("/dev/shm", "/tmp", "/var/tmp")


def _guest_memory():
    """Where a guest's memory may lie; the first place if none will do: the guest says so."""
    for place in (*MEMORY_PLACES, tempfile.gettempdir()):
        with contextlib.suppress(OSError):
            if not os.statvfs(place).f_flag & os.ST_NOEXEC and os.access(place, os.W_OK):
                return place
    return MEMORY_PLACES[0]


GUEST_MEMORY = _guest_memory()
# The environment lies on the kernel's stack: the same for every run.
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp",
               "TERM": "dumb", "TMPDIR": GUEST_MEMORY}
_CRASH = re.compile(r"Kernel panic|Oops|\bBUG\b|WARNING:|general protection"
                    r"|ODEBUG:|suspected memory leaks|likely just ran out of space")
_TIME = re.compile(r"@t (\d+) flows_done=(\d+)/(\d+)")


class Tools:
    """What a run needs that is built: kernel, modules, agent."""

    def __init__(self, report=None, debug=False, source=None):
        import labbuild
        self.labbuild = labbuild
        self.debug = debug
        try:
            with labbuild.choosing(source):
                self.kernel = labbuild.build(progress=report, debug=debug)
            self.modules = labbuild.build_modules(self.kernel, progress=report)
            self.agent = labbuild.build_agent(progress=report)
        except (labbuild.BuildError, OSError) as error:
            raise RunError(f"building the lab failed: {error}") from None
        self.foreign = {}

    def where(self, name):
        """The .ko file of a module given by name, path or source directory."""
        path = Path(name)
        if not path.is_absolute():
            if name not in self.modules:
                raise RunError(f"the module '{name}' was not built; there are: "
                               + ", ".join(sorted(self.modules)))
            return self.modules[name]
        if not path.is_dir():
            return path
        if path not in self.foreign:
            self.foreign[path] = self._build_foreign(path)
        return self.foreign[path]

    def _build_foreign(self, source):
        """Build a directory with a Kbuild file against the lab's kernel.

        In a copy, kept by content: the user's own build is left alone.
        """
        files = sorted(path for path in source.rglob("*") if path.is_file())
        parts = [self.kernel.id] + [part for path in files for part in
                                    (str(path.relative_to(source)), path.read_bytes())]
        home = self.labbuild.cache_root() / f"foreign-{self.labbuild.digest(parts)}"
        with self.labbuild.locked(home, self.labbuild.Progress(None)):
            if self.labbuild.used(home).exists():
                return sorted(home.glob("*.ko"))[0]
            with self.labbuild.half_made(home) as half:
                shutil.copytree(source, half, dirs_exist_ok=True)
                done = subprocess.run(
                    ["make", "-C", str(self.kernel.kdir), "ARCH=um", f"M={half}",
                     "modules"], capture_output=True, text=True, check=False)
                if done.returncode or not list(half.glob("*.ko")):
                    raise RunError(f"building the module in {source} failed:\n"
                                   + done.stderr[-ERROR_TEXT:])
            self.labbuild.prune(home.parent, "foreign", home)
        return sorted(home.glob("*.ko"))[0]


def command_line(tools, folder, seed, memory):
    """How the guest is started; only labdir and labseed differ between runs."""
    return ["setpriv", "--pdeathsig", "KILL", "setarch", "-R", str(tools.kernel.linux),
            "rootfstype=hostfs", "rw",
            f"mem={memory // 2**20}M", "time-travel=inf-cpu",
            f"time-travel-start={TIME_START}", f"init={tools.agent}",
            "con=null", "con0=fd:0,fd:1", "quiet", "panic=-1",
            f"labdir={folder}", f"labseed={seed}"]


class Guest:
    """A running guest: its console, its progress, its end."""

    running = set()                 # killed when the run is interrupted

    def __init__(self, argv, folder, progress, blame=str):
        self.folder = Path(folder)
        self.blame = blame              # the guest's error in the user's terms
        self.progress = progress
        self.virtual = -1
        self.error = None
        self.lines = queue.Queue()
        self.process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, cwd="/", env=ENVIRONMENT,
            start_new_session=True)
        self.running.add(self)
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self):
        with (self.folder / "console.log").open("wb") as log, \
                self.process.stdout as console:
            for line in console:
                log.write(line)
                log.flush()
                self.lines.put(line.decode("utf-8", "replace").rstrip())
        self.lines.put(None)

    def watch(self, wall_s):
        """Until it ends by itself; otherwise kill it and say why."""
        begin = moved = time.monotonic()
        try:
            while True:
                now = time.monotonic()
                patience = STALL_S if self.error is None else ERROR_GRACE_S
                left = min(begin + wall_s, moved + patience) - now
                if left <= 0 and self.error is not None:
                    break
                if left <= 0:
                    raise RunError(self._late(now - begin >= wall_s, wall_s))
                try:
                    line = self.lines.get(timeout=left)
                except queue.Empty:
                    continue
                if line is None:
                    break
                if self._heard(line):
                    moved = time.monotonic()
        finally:
            self.kill()
        if self.error:
            raise RunError(f"the guest stopped: {self.blame(self.error)}\n"
                           + self.last_words())

    def _late(self, over, wall_s):
        if over:
            why = f"the run took longer than its limit of {wall_s:g} s"
        else:
            why = f"virtual time stood still for {STALL_S} s"
        return f"{why}, at {units.show_time(max(self.virtual, 0))} of virtual" \
               f" time; killed\n{self.last_words()}"

    def _heard(self, line):
        """Take one console line; False if it says that virtual time did not go on.

        Programs of hosts that say something at work count: they have time without end.
        """
        if line.startswith("@error"):
            self.error = line[len("@error "):]
        match = _TIME.match(line)
        if not match:
            return True
        now, done, total = map(int, match.groups())
        moved = now > self.virtual
        self.virtual = now
        self.progress(now, done, total)
        return moved

    def last_words(self):
        """Where the kernel broke, or else the end of the console."""
        try:
            text = (self.folder / "console.log").read_text(
                encoding="utf-8", errors="replace")
        except OSError:
            return ""
        lines = [line for line in text.splitlines() if not line.startswith("@t ")]
        crash = [number for number, line in enumerate(lines) if _CRASH.search(line)]
        first = crash[0] if crash else max(len(lines) - LAST_WORDS, 0)
        return "\n".join("  | " + line for line in lines[first:first + LAST_WORDS])

    def kill(self):
        """End the guest and all its processes, if any is left."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(timeout=KILL_WAIT_S)
        self.running.discard(self)


def complaint(folder):
    """Lines of the kernel's log from its first complaint on; [] without one."""
    path = Path(folder) / REPORT
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    first = next((number for number, line in enumerate(lines)
                  if _CRASH.search(line)), 0)
    return lines[first:first + REPORT_LINES]


def default_folder(scenario, sets, debug=False):
    """lab-results/NAME-SEED, with what was overridden."""
    parts = [scenario.name, str(scenario.seed)] + ["debug"] * debug
    parts += [f"{name}={value}" for name, value in sorted((sets or {}).items())]
    return Path("lab-results") / folder_name(parts)


def folder_name(parts):
    """Words as a name that any file system and make take."""
    return re.sub(r"[^\w=.,+-]", "_", "-".join(parts))


def _is_a_runs(folder):
    """Is it a run that has left what is there? One that was killed may have left little."""
    half = folder / UNFINISHED
    if any((where / SCENARIO_FILE).exists() for where in (folder, half)):
        return True
    return (folder / RESULTS).exists() or half.is_dir() and \
        {path.name for path in half.iterdir()} <= {"plan"}


def prepare(folder):
    """An absolute run directory that can be written; nothing in it is lost yet."""
    folder = Path(folder).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        others = sorted(path.name for path in folder.iterdir() if path.name in TAKEN)
    except OSError as error:
        raise LabError(f"the results' directory '{folder}': {error.strerror}; allowed:"
                       " one that can be written, given by --out (by OUT= of make)") from None
    if others and not _is_a_runs(folder):
        raise LabError(f"the results' directory '{folder}' has '{others[0]}', and nothing"
                       " else of a run; allowed: an empty one, or one with a run's results")
    return folder


@contextlib.contextmanager
def _alone(folder):
    """Nobody else runs into this directory meanwhile."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise RunError(f"another run is going on in '{folder}'; allowed: after it, or"
                       " another --out") from None
    finally:
        os.close(handle)


def own_files(folder):
    """What a run has left in a directory."""
    return [path for path in [*(folder / name for name in OWN_FILES), *folder.glob("*.pcap")]
            if path.exists()]


def replace(folder, by):
    """What a run has left, its hosts' programs too, takes the place of an earlier one's."""
    for path in own_files(folder):
        path.unlink()
    for path in by.iterdir():
        place = folder / path.name
        if place.is_dir() and not place.is_symlink() and place != by:
            shutil.rmtree(place)
        path.replace(place)
    by.rmdir()


@contextlib.contextmanager
def _plain_name(folder):
    """A name of the directory that the guest's kernel can be told: without blanks."""
    if not re.search(r"\s", str(folder)):
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="lab-", dir="/tmp") as base:
        plain = Path(base) / "run"
        plain.symlink_to(folder)
        yield plain


def execute(scenario, tools, folder, progress=None):
    """Run a checked scenario in a directory; returns its Result.

    It runs in a directory beside the results of an earlier run, which are lost only
    when it has results of its own.
    """
    folder = prepare(folder)
    with _alone(folder):
        return _execute_in(scenario, tools, folder, progress)


def _execute_in(scenario, tools, folder, progress):
    """The same, in a directory of its own."""
    half = folder / UNFINISHED
    try:
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir()
        result = _execute(scenario, tools, folder, half, progress)
        replace(folder, half)
    except OSError as error:
        raise RunError(f"the run in '{folder}': {error.filename or 'writing'}:"
                       f" {error.strerror}{_left(folder, half)}") from None
    except RunError as error:
        # The guest cannot always tell why it could not write.
        full = shutil.disk_usage(folder).free < FULL_DISK
        why = f"the disk of '{folder}' is full\n" if full else ""
        raise RunError(f"{why}{str(error).rstrip()}{_left(folder, half)}") from None
    result.folder = folder
    return result


def _left(folder, half):
    """Where to look after a failed run: in its own directory, or beside what was there."""
    if (folder / RESULTS).exists():
        return f"\nwhat it left is in '{half}'; the results in '{folder}' are of an earlier run"
    with contextlib.suppress(OSError):
        replace(folder, half)
    return ""


# What a guest says whose host, often a container, does not give what it needs.
_HOST_LACKS = {
    "failed to set personality":
        "the host does not let `setarch -R` switch address randomisation off; in a"
        " container allow it: --security-opt seccomp=unconfined",
    "likely just ran out of space":
        f"{GUEST_MEMORY} is full, where its memory lies; give a container more of it:"
        " --tmpfs /dev/shm:rw,exec,size=2g",
    "must be not mounted noexec":
        f"nothing may run from {', '.join(MEMORY_PLACES)}, and a guest's memory must lie in"
        " one of them; a container needs: --tmpfs /dev/shm:rw,exec,size=2g",
}


def _host_lacks(said):
    """What the host has to give, if the guest's last words are known to ask for it."""
    return next((f": {advice}" for words, advice in _HOST_LACKS.items()
                 if words in said), "")


def _execute(scenario, tools, final, folder, progress):
    """The run, in a folder whose files will be in the final one."""
    text = plan.compile_plan(scenario, tools.where)
    (folder / "plan").write_text(text, encoding="utf-8")
    (folder / SCENARIO_FILE).write_text(scenario.text, encoding="utf-8")
    memory = plan.memory(scenario)
    begin = time.monotonic()
    with cpus.own() as pinned, _plain_name(folder) as plain:
        argv = command_line(tools, plain, scenario.seed, memory)
        guest = Guest(pinned + argv, folder, progress or (lambda *_: None),
                      lambda error: plan.blame(scenario, tools.where, error))
        guest.watch(scenario.wall / 1e9 * (DEBUG_SLOWER if tools.debug else 1))
    wall = time.monotonic() - begin
    try:
        result = results.build(scenario, folder, plan.plan_hash(scenario, tools.where),
                               tools.kernel.id)
    except RunError as error:
        said = guest.last_words()
        raise RunError(f"{error}{_host_lacks(said)}\n{said}") from None
    (folder / RESULTS).write_text(result.text(), encoding="utf-8")
    (folder / "timing.json").write_text(json.dumps(
        {"wall_s": round(wall, 3), "virtual_s": result["virtual_ns"] / 1e9,
         "command": command_line(tools, final, scenario.seed, memory)}, indent=1) + "\n",
        encoding="utf-8")
    result.wall_s = wall
    return result


def wall_ns(name, seconds):
    """A limit of real time, given by `name` in seconds, in ns."""
    if not 0 < seconds <= WALL_MAX_S:
        raise LabError(f"{name} '{seconds:g}' is out of range; allowed: more than 0, up to"
                       f" {WALL_MAX_S} seconds")
    return int(seconds * 10**9)


def run(path_or_text, seed=None, sets=None, out=None, wall=None, tools=None,
        progress=None):
    """Load, check and run one scenario (see lablib.run)."""
    scenario = scenarios.load(path_or_text, seed=seed, sets=sets)
    if wall is not None:
        scenario.wall = wall_ns("wall", wall)
    folder = out or tempfile.mkdtemp(prefix="lab-")
    return execute(scenario, tools or Tools(), folder, progress)


def run_many(jobs, workers):
    """Call the jobs, so many at a time; results or LabErrors in their order."""
    def guarded(job):
        try:
            return job()
        except LabError as error:
            return error
    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures = [pool.submit(guarded, job) for job in jobs]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end_guests()
            raise


def end_guests():
    """Kill what runs: guests have a session of their own and hear no Ctrl-C."""
    for guest in list(Guest.running):
        guest.kill()
