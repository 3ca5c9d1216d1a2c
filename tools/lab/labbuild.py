#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Build what the lab runs: its kernel, the modules and the agent.

Everything is kept outside the tree, in $LAB_CACHE or ${XDG_CACHE_HOME:-~/.cache}/dcc-lab,
under a name made of the content it was built from. A changed patch, option,
source file, compiler or source package is another name; nothing is ever out of
date, and nothing is built twice.

    kernel-<id>.part/      a build that was interrupted: the next one goes on there
    kernel-<id>/linux      User Mode Linux, the guest's kernel
    kernel-<id>/tree/      what building modules against it takes
    labdebug-<id>/...      the same with KASAN, lockdep and other checks
    modules-<id>/*.ko      this project's modules and the lab's own
    agent-<id>/labagent    the guest's first program
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, Sequence

LAB = Path(__file__).resolve().parent
TOP = LAB.parent.parent

SOURCE_PACKAGE = "linux-source-6.12"
TARBALL = Path("/usr/src") / f"{SOURCE_PACKAGE}.tar.xz"
SERIES = "6.12"                 # what our patches are made for

# program -> Debian package that has it
PROGRAMS = {
    "gcc": "gcc", "make": "make", "ld": "binutils", "flex": "flex",
    "bison": "bison", "bc": "bc", "xz": "xz-utils", "tar": "tar",
    "patch": "patch",
}
# header -> Debian package that has it
HEADERS = {"stdlib.h": "libc6-dev", "linux/tcp.h": "linux-libc-dev"}

# Sources that ARCH=um never reads. Leaving them out saves most of the time and
# space of unpacking; Kconfig files and Makefiles stay, since Kconfig reads all.
UNUSED_DRIVERS = (
    "accel acpi ata bluetooth bus clk crypto cxl dma edac extcon gpu hwmon i2c iio "
    "infiniband input interconnect iommu isdn leds md media mfd mmc mtd nfc nvme "
    "pci perf phy pinctrl platform power pwm regulator remoteproc rtc scsi soc spi "
    "staging target thermal ufs usb video net/can net/dsa net/ethernet net/phy "
    "net/wireless").split()
UNUSED_ARCHES = (
    "alpha arc arm arm64 csky hexagon loongarch m68k microblaze mips nios2 openrisc "
    "parisc powerpc riscv s390 sh sparc xtensa").split()
UNUSED_TREES = ("Documentation/*/*", "samples/*.[chS]", "tools/testing", "tools/perf",
                "*.dts", "*.dtsi")

# The only folders of drivers/ with something in them for us. make would visit
# 200 others to find nothing, one process each.
USED_DRIVERS = {"base/", "block/", "char/", "misc/", "net/", "tty/"}

# A kernel must not know where, when and by whom it was built.
STAMPS = {
    "KBUILD_BUILD_TIMESTAMP": "Thu Jan  1 00:00:00 UTC 1970",
    "KBUILD_BUILD_USER": "lab", "KBUILD_BUILD_HOST": "lab", "KBUILD_BUILD_VERSION": "1",
}
# ccache takes the compiler's own list of headers instead of preprocessing every
# file a second time: halves what a first build pays for it.
BUILD_ENV = {"LC_ALL": "C", "CCACHE_DEPEND": "1"}
# Lines make prints for a whole kernel with our config (counted): for the percentage.
KERNEL_STEPS = 855
# A build that changes how things are made, not what from, changes this number.
RECIPE = 2
# Older entries of a kind are removed, so that the cache stays bounded.
KEEP = {"kernel": 3, "labdebug": 2, "modules": 24, "agent": 24, "foreign": 24}
ID_LENGTH = 16
CHOSEN = "source"               # file of the cache: tarball and its sum, when one was named
DEBIANS = "debian"              # the name of what is taken when none was
PART = ".part"                  # of the name of a directory that is being built
INTERRUPTIONS = (KeyboardInterrupt, SystemExit)     # the latter by a signal: see ending.py
# In it, when the source is there, patched and configured: how many steps were made.
CONFIGURED = "configured"
# Bytes for a kernel's build: 346 MB of unpacked source (measured), its objects beside.
BUILD_ROOM = 700 * 10**6
BUILD_CPU_S = (280, 960)        # of one processor, a fast and a slow one (measured)
ERROR_LINES = 25

Report = Callable[[str], None]


class BuildError(Exception):
    """A build that cannot go on; the text says what to do."""


@dataclass(frozen=True)
class Kernel:
    """A built kernel: the program, the tree for modules, the content's name."""

    linux: Path
    kdir: Path
    id: str


class Progress:
    """Says how far a build is: one live line on a terminal, else a line per 20 %."""

    STEP = 20
    TELLING = 3                 # %: before that the time left is a guess

    def __init__(self, report: Report | None):
        self.report = report
        self.live = report is None and sys.stderr.isatty()
        self.last = self.first = -1
        self.begin = 0.0

    def say(self, text: str) -> None:
        """Print a line of its own."""
        if self.report:
            self.report(text)
        else:
            clear = "\r\033[K" if self.live else ""
            print(f"{clear}{text}", file=sys.stderr, flush=True)

    def start(self) -> None:
        """Begin another count."""
        self.last = self.first = -1

    def tick(self, what: str, percent: int) -> None:
        """Show `what` at `percent`; cheap to call for every object."""
        if percent == self.last:
            return
        if self.first < 0:
            self.first, self.begin = percent, time.monotonic()
        text = f"{what}: {percent} %{self._left(percent)}"
        if self.live:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        elif percent // self.STEP != self.last // self.STEP:
            self.say(text)
        self.last = percent

    def _left(self, percent: int) -> str:
        """At the pace so far; a build that goes on did not begin at 0."""
        done = percent - self.first
        if done < self.TELLING:
            return ""
        seconds = (time.monotonic() - self.begin) * (100 - percent) / done
        return f", about {show_minutes(seconds)} left"


def show_minutes(seconds: float) -> str:
    """'4 min', or '40 s' below two minutes."""
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"


def default_cache() -> Path:
    """Where the cache is when nobody names a place."""
    if os.environ.get("LAB_CACHE"):
        return Path(os.environ["LAB_CACHE"])
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "dcc-lab"
    try:
        return Path.home() / ".cache" / "dcc-lab"
    except RuntimeError:
        raise BuildError("no home directory is known (HOME is not set, the user has no name);"
                         " set LAB_CACHE to a directory you can write") from None


def cache_root(cache_dir: str | os.PathLike | None = None) -> Path:
    """The cache: the argument, $LAB_CACHE, or the user's cache directory."""
    root = Path(cache_dir) if cache_dir else default_cache()
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise BuildError(f"cache directory {root}: {err.strerror}; "
                         "set LAB_CACHE to a directory you can write") from err
    if re.search(r"[\s:#%$]", str(root.resolve())):
        raise BuildError(f"cache directory {root.resolve()}: make cannot handle blanks and "
                         "none of : # % $ in a path; set LAB_CACHE to another directory")
    return root.resolve()


@dataclass(frozen=True)
class Source:
    """Where the kernel's source is, and what tells it from others."""

    tarball: Path
    version: str


def debian_source() -> Source:
    """Debian's package: its version and the tarball's size name it.

    Reading the 145 MB to sum them up would cost a second at every start.
    """
    if not TARBALL.exists():
        raise BuildError(f"missing: {SOURCE_PACKAGE}\n  apt-get install"
                         f" --no-install-recommends {SOURCE_PACKAGE}\nor, with the tarball of"
                         f" any Linux {SERIES}:\n  lab build --source TARBALL")
    version = output_of("dpkg-query", "-W", "-f", "${Version}", SOURCE_PACKAGE)
    return Source(TARBALL, f"{version} {TARBALL.stat().st_size}")


def source_of(root: Path) -> Source:
    """The source that choose_source() was told last, else Debian's."""
    chosen = read_text(root / CHOSEN).splitlines()
    return Source(Path(chosen[0]), chosen[1]) if len(chosen) == 2 else debian_source()


def choose_source(tarball: str | os.PathLike,
                  cache_dir: str | os.PathLike | None = None) -> None:
    """Build from this tarball, now and from now on, with this cache; 'debian': from Debian's."""
    chosen = cache_root(cache_dir) / CHOSEN
    if str(tarball) == DEBIANS:
        chosen.unlink(missing_ok=True)
        return
    path, whole = Path(tarball).absolute(), hashlib.sha256()
    try:
        with open(path, "rb") as handle:
            while part := handle.read(2**20):
                whole.update(part)
    except OSError as error:
        raise BuildError(f"the source '{tarball}': {error.strerror}; allowed: the tarball of"
                         f" a Linux {SERIES}, compressed or not") from None
    top_of(path)
    chosen.write_text(f"{path}\nsha256 {whole.hexdigest()}\n")


@contextlib.contextmanager
def choosing(tarball: str | os.PathLike | None,
             cache_dir: str | os.PathLike | None = None) -> Iterator[None]:
    """Choose a source, if one is named, to build from. What cannot be built is not kept as the
    choice: every run that follows would fail by it."""
    if tarball is None:
        yield
        return
    chosen = cache_root(cache_dir) / CHOSEN
    before = read_text(chosen)
    choose_source(tarball, cache_dir)
    try:
        yield
    except (BuildError, OSError):
        if before:
            chosen.write_text(before)
        else:
            chosen.unlink(missing_ok=True)
        raise


def missing_packages() -> list[str]:
    """Debian packages that have to be installed before anything can be built."""
    missing = [pkg for prog, pkg in PROGRAMS.items() if not shutil.which(prog)]
    headers = dict(HEADERS)
    if "lmnl" in read_text(LAB / "agent" / "Makefile"):
        headers["libmnl/libmnl.h"] = "libmnl-dev"
    missing += [pkg for name, pkg in headers.items()
                if not (Path("/usr/include") / name).exists()]
    return sorted(set(missing))


def require_packages() -> None:
    """Stop where this cannot be; with the exact command when a package is missing."""
    if platform.machine() != "x86_64":
        raise BuildError(f"the lab's kernel, User Mode Linux, needs an x86-64 host; this is"
                         f" {platform.machine()}")
    missing = missing_packages()
    if missing:
        names = " ".join(missing)
        raise BuildError(f"missing: {names}\n  apt-get install --no-install-recommends {names}")


def read_text(path: Path) -> str:
    """A file's text; nothing if there is no such file."""
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""


def output_of(*argv: str) -> str:
    """What a short command prints, '' when it cannot run or fails."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def compiler() -> str:
    """The compiler's version and target, part of every name."""
    return output_of("gcc", "-v", "--version").partition("\n")[0] + output_of("gcc", "-dumpmachine")


def digest(parts: Sequence[str | bytes]) -> str:
    """A short name for a sequence of parts; their borders count."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(b"%d:" % len(data))
        whole.update(data)
    return whole.hexdigest()[:ID_LENGTH]


def patches() -> list[Path]:
    """Our patches in the order they apply."""
    return sorted((LAB / "kernel" / "patches").glob("*.patch"))


def fragments(debug: bool) -> list[Path]:
    """The files of options that differ from "nothing"."""
    names = ["lab.config", "debug.config"] if debug else ["lab.config"]
    return [LAB / "kernel" / name for name in names]


def kernel_id(source: Source, debug: bool = False) -> str:
    """The content a kernel is made of, as a name."""
    parts: list[str | bytes] = [str(RECIPE), source.version, compiler(),
                                repr(sorted(STAMPS.items())), repr(tar_excludes(SOURCE_PACKAGE)),
                                repr(sorted(USED_DRIVERS)),
                                *(path.read_bytes() for path in fragments(debug))]
    for path in patches():
        parts += [path.name, path.read_bytes()]
    return digest(parts)


@contextlib.contextmanager
def locked(home: Path, progress: Progress) -> Iterator[None]:
    """One build at a time of what `home` is one of: kernel-<id>, agent-<id> ...

    The lock goes with its process. Kinds do not wait for each other: the debug
    kernel takes many minutes, modules take seconds.
    """
    kind = home.name.partition("-")[0]
    with open(home.with_name(f"lock-{kind}"), "w", encoding="ascii") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.say(f"waiting for another build of {kind} in {home.parent}")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def half_made(final: Path) -> Iterator[Path]:
    """A directory to build in that becomes `final` only when all went well.

    What failed is removed: a full disk has its room back. What was interrupted
    after its configuration is kept: the next build of the same content goes on.
    """
    temp = final.with_name(final.name + PART)
    if not (temp / CONFIGURED).exists():
        shutil.rmtree(temp, ignore_errors=True)
        temp.mkdir()
    try:
        yield temp
        (temp / CONFIGURED).unlink(missing_ok=True)
        temp.rename(final)
    except BaseException as error:
        if not (isinstance(error, INTERRUPTIONS) and (temp / CONFIGURED).exists()):
            shutil.rmtree(temp, ignore_errors=True)
        raise


def drop_leftovers(final: Path, kind: str) -> None:
    """Remove what other builds of this kind left unfinished; their lock is ours."""
    for path in final.parent.glob(f"{kind}-*{PART}"):
        if path.name != final.name + PART:
            shutil.rmtree(path, ignore_errors=True)


def require_room(root: Path) -> None:
    """Stop before a disk is filled, not after."""
    free = shutil.disk_usage(root).free
    if free < BUILD_ROOM:
        raise BuildError(f"cache directory {root}: {free // 10**6} MB are free, building the"
                         f" kernel takes {BUILD_ROOM // 10**6} MB; make room, or set LAB_CACHE"
                         " to a directory elsewhere")


def prune(root: Path, kind: str, newest: Path) -> None:
    """Drop the entries of a kind that were used longest ago."""
    entries = [p for p in root.glob(f"{kind}-*") if p.is_dir() and p.suffix != PART]
    entries.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for path in entries[KEEP[kind]:]:
        if path != newest:
            shutil.rmtree(path, ignore_errors=True)


def used(home: Path) -> Path:
    """What is used stays: see prune()."""
    with contextlib.suppress(OSError):      # a cache of somebody else's
        os.utime(home)
    return home


def run_logged(argv: Sequence[str], log: Path, what: str, on_line: Callable[[str], None],
               cwd: Path | None = None) -> None:
    """Run a build step; its output goes to `log`, its last lines into the error."""
    tail: deque[str] = deque(maxlen=ERROR_LINES)
    env = {**os.environ, **STAMPS, **BUILD_ENV}
    # A make that calls us must not hand its own flags and jobs down.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "KBUILD_OUTPUT", "ARCH", "CROSS_COMPILE"):
        env.pop(name, None)
    with open(log, "a", encoding="utf-8") as out, subprocess.Popen(
            argv, cwd=cwd, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
        assert child.stdout
        try:
            for line in child.stdout:
                out.write(line)
                tail.append(line)
                on_line(line)
        except BaseException:
            # Nothing may go on writing there once the lock is gone.
            child.terminate()
            child.wait()
            raise
    if child.returncode:
        raise BuildError(f"{what} failed (exit {child.returncode}); whole log: {log}\n"
                         + "".join(tail))


def make_argv(kdir: Path, jobs: int, *args: str) -> list[str]:
    """make for User Mode Linux, through ccache where it is installed."""
    cc = "ccache gcc" if shutil.which("ccache") else "gcc"
    return ["make", "-C", str(kdir), "ARCH=um", f"CC={cc}", f"HOSTCC={cc}", f"-j{jobs}", *args]


def tar_excludes(top: str) -> list[str]:
    """Arguments that keep tar from writing what ARCH=um never reads, of a tarball of `top`."""
    folders = [f"drivers/{name}" for name in UNUSED_DRIVERS]
    folders += [f"arch/{name}" for name in UNUSED_ARCHES] + ["sound"]
    names = [f"{folder}/*.[chS]" for folder in folders] + list(UNUSED_TREES)
    return [f"--exclude={name if name.startswith('*') else f'{top}/{name}'}"
            for name in names]


def top_of(tarball: Path) -> str:
    """The one folder that a kernel's tarball has everything in."""
    with subprocess.Popen(["tar", "tf", str(tarball)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as listing:
        assert listing.stdout
        first = listing.stdout.readline()
        listing.kill()
    if "/" not in first:
        raise BuildError(f"{tarball} is no tarball of a kernel; allowed: that of a Linux {SERIES}")
    return first.partition("/")[0]


def unpack(tarball: Path, tree: Path) -> None:
    """The source without what is never read, decompressed in parallel."""
    excludes = tar_excludes(top_of(tarball))
    tree.mkdir()
    done = subprocess.run(["tar", "x", "-f", str(tarball), "-C", str(tree),
                           "--strip-components=1", *excludes], capture_output=True, text=True,
                          check=False, env={**os.environ, "XZ_DEFAULTS": "-T0"})
    if done.returncode:
        # tar says the same of each file of thousands
        raise BuildError("\n".join([f"{tarball}: cannot be unpacked to {tree}:",
                                    *done.stderr.splitlines()[:ERROR_LINES]]))
    said = read_text(tree / "Makefile")
    found = re.search(r"^VERSION = (\d+)\nPATCHLEVEL = (\d+)$", said, re.MULTILINE)
    series = ".".join(found.groups()) if found else "no kernel"
    if series != SERIES:
        raise BuildError(f"{tarball} is of {series}; allowed: {SERIES}, which our patches are for")


def apply_patches(tree: Path, log: Path) -> None:
    """Our patches; none may be fuzzy or already there."""
    for path in patches():
        run_logged(["patch", "-p1", "--fuzz=0", "--forward", "--batch", "-i", str(path)],
                   log, f"kernel patch {path.name}", lambda line: None, cwd=tree)


def skip_idle_drivers(tree: Path) -> None:
    """Take the folders that ARCH=um builds nothing in out of drivers/Makefile."""
    path = tree / "drivers" / "Makefile"
    lines = []
    for line in path.read_text().splitlines():
        if re.match(r"obj-y\s*\+=", line):
            used = [word for word in line.split()[2:] if word in USED_DRIVERS]
            line = f"obj-y += {' '.join(used)}"
        lines.append(line)
    path.write_text("\n".join(lines) + "\n")


def configure(tree: Path, log: Path, debug: bool) -> None:
    """allnoconfig plus our fragments; every line of them must have taken."""
    wanted = "".join(path.read_text() for path in fragments(debug))
    whole = tree / "lab-all.config"
    whole.write_text(wanted)
    run_logged(make_argv(tree, 1, f"KCONFIG_ALLCONFIG={whole}", "allnoconfig"),
               log, "kernel configuration", lambda line: None)
    got = set((tree / ".config").read_text().splitlines())
    lost = [line for line in wanted.splitlines()
            if line.startswith("CONFIG_") and not line.endswith("=n") and line not in got]
    if lost:
        names = " and ".join(path.name for path in fragments(debug))
        raise BuildError(f"{names}: this kernel does not take " + ", ".join(lost))


def compile_kernel(tree: Path, jobs: int, log: Path, progress: Progress) -> None:
    """The long step: minutes. One that goes on begins with what was done."""
    configured = tree.parent / CONFIGURED
    done = int(read_text(configured) or 0)

    def count(line: str) -> None:
        nonlocal done
        if line.startswith("  "):
            done += 1
            progress.tick("kernel", min(99, 100 * done // KERNEL_STEPS))

    progress.start()
    try:
        run_logged(make_argv(tree, jobs, "linux", "modules"), log, "kernel build", count)
    finally:
        with contextlib.suppress(OSError):      # a full disk; the build's own error tells of it
            configured.write_text(str(done))


def trim(tree: Path) -> None:
    """Keep what building modules needs, as Debian's linux-headers packages do."""
    for path in tree.iterdir():
        if path.is_dir() and path.name not in ("arch", "include", "scripts"):
            shutil.rmtree(path)
        elif path.name in ("vmlinux", "linux", "vmlinux.o", "vmlinux.a", "System.map"):
            path.unlink()
    for path in (tree / "arch").iterdir():
        if path.is_dir() and path.name not in ("um", "x86"):
            shutil.rmtree(path)
    for path in (tree / "arch").rglob("*.[coSa]"):
        path.unlink()


def prepare_tree(tarball: Path, tree: Path, log: Path, progress: Progress,
                 debug: bool) -> None:
    """The source, patched and configured, in a new directory."""
    fast, slow = (show_minutes(cpu_s / (os.cpu_count() or 1)) for cpu_s in BUILD_CPU_S)
    progress.say(f"kernel: building it, once, takes {fast} to {slow}; unpacking the source")
    log.unlink(missing_ok=True)
    shutil.rmtree(tree, ignore_errors=True)
    unpack(tarball, tree)
    apply_patches(tree, log)
    skip_idle_drivers(tree)
    configure(tree, log, debug)


def make_kernel(tarball: Path, temp: Path, jobs: int, log: Path, progress: Progress,
                debug: bool) -> None:
    """Everything from the source to `temp`/linux and `temp`/tree."""
    tree, configured = temp / "tree", temp / CONFIGURED
    if configured.exists():
        progress.say("kernel: going on with the build that was interrupted")
    else:
        prepare_tree(tarball, tree, log, progress, debug)
        configured.touch()
    compile_kernel(tree, jobs, log, progress)
    shutil.copy2(tree / "linux", temp / "linux")
    trim(tree)


def build(cache_dir: str | os.PathLike | None = None, jobs: int | None = None,
          progress: Report | None = None, debug: bool = False) -> Kernel:
    """The lab's kernel, built now if this content was not built before."""
    require_packages()
    root, show = cache_root(cache_dir), Progress(progress)
    kernel = kernel_of(root, debug)
    home = kernel.linux.parent
    if used(home).is_dir():
        return kernel
    with locked(home, show):
        if not home.is_dir():
            log = home.with_name(home.name + ".log")
            drop_leftovers(home, kernel_kind(debug))
            require_room(root)
            with half_made(home) as temp:
                make_kernel(source_of(root).tarball, temp, jobs or os.cpu_count() or 1, log, show, debug)
            log.unlink()
            prune(root, kernel_kind(debug), home)
            show.say(f"kernel: built {home}")
    return kernel


def kernel_kind(debug: bool) -> str:
    """What entries of the cache begin with: the two kinds are kept apart."""
    return "labdebug" if debug else "kernel"


def kernel_of(root: Path, debug: bool) -> Kernel:
    """Where the kernel of this content is, or would be."""
    name = kernel_id(source_of(root), debug)
    home = root / f"{kernel_kind(debug)}-{name}"
    return Kernel(home / "linux", home / "tree", name)


def is_built(debug: bool = False) -> bool:
    """Is the kernel there already? A test that would take minutes asks first."""
    try:
        return not missing_packages() and kernel_of(cache_root(), debug).linux.exists()
    except BuildError:
        return False


BUILD_OUTPUT = re.compile(r"(\.(o|ko|a|d|cmd|mod|mod\.c|order|symvers|swp|orig|rej)|~)$")


def module_sources() -> list[Path]:
    """The files modules are made of, relative to the top of the tree."""
    folders = [TOP / "common", *sorted([*TOP.glob("tcp_*"), *TOP.glob("dcc_*")]), LAB / "kmod"]
    files = [TOP / "Kbuild"] if (TOP / "Kbuild").exists() else []
    for folder in folders:
        files += [p for p in folder.rglob("*") if p.is_file() and not BUILD_OUTPUT.search(p.name)]
    return sorted(p.relative_to(TOP) for p in files)


def hash_files(top: Path, names: Sequence[Path]) -> list[str | bytes]:
    """Names and contents, as parts for digest()."""
    parts: list[str | bytes] = []
    for name in names:
        parts += [str(name), (top / name).read_bytes()]
    return parts


def compile_modules(kernel: Kernel, temp: Path, jobs: int, log: Path) -> None:
    """Copy the sources to `temp` and build each Kbuild folder there."""
    for name in module_sources():
        (temp / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(TOP / name, temp / name)
    for folder in (temp, temp / "tools" / "lab" / "kmod"):
        if (folder / "Kbuild").exists() or (folder / "Makefile").exists():
            # The folder's own path must not end up in the module.
            run_logged(make_argv(kernel.kdir, jobs, f"M={folder}",
                                 f"KCFLAGS=-fmacro-prefix-map={folder}/=", "modules"),
                       log, f"modules of {folder.relative_to(temp) or '.'}", lambda line: None)


def keep_only_modules(temp: Path) -> None:
    """Move every .ko to the top of `temp` and drop the rest."""
    modules = list(temp.rglob("*.ko"))
    for path in modules:
        path.rename(temp / path.name)
    for path in temp.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.suffix != ".ko":
            path.unlink()


def build_modules(kernel: Kernel, progress: Report | None = None,
                  jobs: int | None = None) -> dict[str, Path]:
    """The tree's modules and the lab's own: module name -> its .ko."""
    root, show = kernel.kdir.parent.parent, Progress(progress)
    name = digest([str(RECIPE), kernel.id, *hash_files(TOP, module_sources())])
    home = used(root / f"modules-{name}")
    if not home.is_dir():
        with locked(home, show):
            if not home.is_dir():
                log = root / f"modules-{name}.log"
                show.say("modules: building")
                with half_made(home) as temp:
                    compile_modules(kernel, temp, jobs or os.cpu_count() or 1, log)
                    keep_only_modules(temp)
                log.unlink(missing_ok=True)
                prune(root, "modules", home)
    return {path.stem: path for path in sorted(home.glob("*.ko"))}


def agent_sources() -> list[Path]:
    """What the agent is made of: its folder and the headers it shares with the lab's modules."""
    files = [p for p in (LAB / "agent").rglob("*")
             if p.is_file() and not BUILD_OUTPUT.search(p.name)]
    return sorted(p.relative_to(TOP) for p in [*files, *(LAB / "kmod").glob("*.h")])


def build_agent(cache_dir: str | os.PathLike | None = None,
                progress: Report | None = None) -> Path:
    """The guest's first program."""
    require_packages()
    root, show = cache_root(cache_dir), Progress(progress)
    name = digest([str(RECIPE), compiler(), *hash_files(TOP, agent_sources())])
    home = used(root / f"agent-{name}")
    if not home.is_dir():
        with locked(home, show):
            if not home.is_dir():
                log = root / f"agent-{name}.log"
                show.say("agent: building")
                with half_made(home) as temp:
                    run_logged(["make", "-C", str(LAB / "agent"), f"OUT={temp}"], log,
                               "agent build", lambda line: None)
                    if not (temp / "labagent").exists():
                        raise BuildError(f"make -C {LAB / 'agent'} OUT={temp} left no labagent")
                log.unlink(missing_ok=True)
                prune(root, "agent", home)
    return home / "labagent"


def main() -> int:
    """Build everything and say where it is."""
    parser = argparse.ArgumentParser(description="Build the lab's kernel, modules and agent.")
    parser.add_argument("--cache", metavar="DIR", help="instead of $LAB_CACHE or ~/.cache/dcc-lab")
    parser.add_argument("-j", "--jobs", type=int, help="parallel jobs (default: all processors)")
    parser.add_argument("--debug", action="store_true",
                        help="the kernel with KASAN, lockdep and other checks")
    parser.add_argument("--source", metavar="TARBALL",
                        help=f"of a Linux {SERIES}, for all that is built from now on;"
                        f" '{DEBIANS}', the default: {SOURCE_PACKAGE}")
    parser.add_argument("-v", "--verbose", action="store_true", help="say where everything is")
    args = parser.parse_args()
    try:
        with choosing(args.source, args.cache):
            kernel = build(args.cache, args.jobs, debug=args.debug)
        modules = build_modules(kernel, jobs=args.jobs)
        agent = build_agent(args.cache)
    except (BuildError, OSError) as err:
        print(f"lab build: {err}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("lab build: interrupted; what was compiled so far is kept", file=sys.stderr)
        return 130
    if args.verbose:
        print(f"kernel {kernel.linux}\nkdir {kernel.kdir}\nagent {agent}")
        print("".join(f"module {name} {path}\n" for name, path in modules.items()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
