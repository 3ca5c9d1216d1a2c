#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The modules as a series of patches against a kernel's source.

    upstream.py --tree TREE --out DIR [--signoff 'NAME <MAIL>']

Writes DIR/0000-cover-letter.patch, DIR/0001-... Nothing is built and TREE is only
read; scripts/upstream.sh does both and checks what comes out. What is in which
patch, and the texts: packaging/upstream/. Inside a kernel nothing is probed for:
what common/dcc_probe.mk finds in TREE is resolved, macros of common/ctl/dcc_compat.h
are expanded, and what is left of that file is called dcc_stack.h. Needs git, make,
gcc (for TREE's own scripts/unifdef.c) and sed.
"""
from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TEXTS = TOP / "packaging/upstream"
PLACE = "net/ipv4/dcc"
DOC = "Documentation/networking/dcc.rst"
DOC_INDEX = "Documentation/networking/index.rst"
PACKETDRILL = "tools/testing/selftests/net/packetdrill"
MAINTAINERS = "MAINTAINERS"
# It puts itself before the kernel's own GRO; in the kernel's tree it would be a part of that.
OUTSIDE = ("dcc_offload",)
# What the series changes, so what a repository to apply it to has to have.
CHANGED = (MAINTAINERS, DOC_INDEX, "net/ipv4/Kconfig", "net/ipv4/Makefile", "include/net/tcp.h",
           "net/ipv4/tcp_input.c", "net/ipv4/tcp_output.c")
CHANGED_IF_THERE = (f"{PACKETDRILL}/Makefile", f"{PACKETDRILL}/config")
MOST_PATCHES = 15
# What the series' own patches of TCP bring: the modules are those of a stack that has it.
BROUGHT = ("DCC_HAVE_OWNS_DSACK", "DCC_HAVE_RECOVERY_TLP")
SKELETON = ("// SPDX-License-Identifier: GPL-2.0\n"
            "/* What datacenter congestion controls share; nothing yet. */\n"
            "#include <linux/module.h>\n\n")
FIRST_ALGORITHM = "mswift"      # what a script runs with that names none


class Refused(Exception):
    """What cannot be done; the text says why."""


@dataclass
class Step:
    """One patch: its subject, what it adds, why."""
    subject: str
    add: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    def message(self, signoff: str) -> str:
        """As git commit takes it."""
        body = "\n".join(self.body).strip()
        return f"{self.subject}\n\n{body}\n\nSigned-off-by: {signoff}\n"


def run(*argv: str | Path, cwd: Path | None = None, text: str | None = None) -> str:
    """What a command prints; its own words are the error."""
    done = subprocess.run(argv, cwd=cwd, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"{argv[0]} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def read_series(path: Path) -> list[Step]:
    """The steps that packaging/upstream/series tells of."""
    steps: list[Step] = []
    for line in path.read_text().splitlines():
        key, _, rest = line.partition(": ")
        if key == "subject":
            steps.append(Step(rest))
        elif key == "add" and steps and not steps[-1].body:
            steps[-1].add += rest.split()
        elif steps and (line or steps[-1].body):
            steps[-1].body.append(line)
    if len(steps) > MOST_PATCHES:
        raise Refused(f"{path}: {len(steps)} patches; allowed: {MOST_PATCHES}")
    return steps


def folders() -> list[str]:
    """The modules' folders, as Kbuild lists them, but for OUTSIDE."""
    listed = re.findall(r"^obj-m \+= (\w+)/$", (TOP / "Kbuild").read_text(), re.MULTILINE)
    return [name for name in listed if name not in OUTSIDE]


def require_complete(steps: list[Step]) -> None:
    """Each source is in one patch."""
    added = [name for step in steps for name in step.add if not name.startswith("@")]
    sources = {str(path.relative_to(TOP)) for folder in folders()
               for path in (TOP / folder).rglob("*.[ch]") if not path.name.endswith(".mod.c")}
    for name in sorted(sources.union(added)):
        if name not in sources or added.count(name) != 1:
            raise Refused(f"packaging/upstream/series: {name} is in {added.count(name)} patches"
                          f"{'' if name in sources else ', and does not exist'}; allowed: one")


@dataclass
class Edit:
    """A change of a file of the kernel's: text before what matches, or instead of it."""
    name: str
    instead: bool
    pattern: str
    text: str

    def of(self, text: str) -> str:
        """The file with it."""
        found = re.findall(self.pattern, text, re.MULTILINE)
        if len(found) != 1:
            raise Refused(f"{self.name} has {len(found)} lines like: {self.pattern}; allowed: one")
        gap = "\n\n" if self.text.endswith("\n}") else "\n"     # behind a function
        return re.sub(self.pattern, lambda match: self.text if self.instead else
                      f"{self.text}{gap}{match[0]}", text, flags=re.MULTILINE)


def read_edits(path: Path) -> list[Edit]:
    """Blocks of "in: FILE", "before: REGEX" or "instead of: REGEX", the text, an empty line."""
    blocks = re.split(r"^in: ", path.read_text(), flags=re.MULTILINE)[1:]
    edits = []
    for block in blocks:
        name, how, text = block.split("\n", 2)
        kind, _, pattern = how.partition(": ")
        if kind not in ("before", "instead of"):
            raise Refused(f"{path}: '{how}' after 'in: {name}'; allowed: before:, instead of:")
        edits.append(Edit(name, kind == "instead of", pattern, text.rstrip("\n")))
    return edits


class Tree:
    """The kernel that the series is for, which is only read."""

    def __init__(self, path: Path, work: Path):
        for name in (*CHANGED, "scripts/unifdef.c"):
            if not (path / name).is_file():
                raise Refused(f"'{path}' is no kernel source: {name} is not there")
        self.path = path
        self.unifdef = work / "unifdef"
        run("gcc", "-o", self.unifdef, path / "scripts/unifdef.c")
        self.symbols = self._symbols()
        self.macros = read_macros(self.resolve(TOP / "common/ctl/dcc_compat.h"))

    def _symbols(self) -> list[str]:
        """-D of each feature that this kernel has, -U of the others."""
        probes = TOP / "common/dcc_probe.mk"
        says = run("make", "-s", "-f", "-", f"srctree={self.path}",
                   text=f"include {probes}\nall:\n\t@echo $(ccflags-y)\n").split()
        known = re.findall(r",(DCC_HAVE_\w+)\)", probes.read_text())
        has = {*BROUGHT, *(word[len("-D"):] for word in says)}
        return ["-D__KERNEL__"] + [f"-D{n}" if n in has else f"-U{n}" for n in known]

    def resolve(self, path: Path) -> str:
        """A source without the #if of what is known of this kernel."""
        done = subprocess.run([self.unifdef, "-B", *self.symbols, path],
                              capture_output=True, text=True, check=False)
        if done.returncode > 1:     # 1: something was resolved
            raise Refused(f"unifdef: {done.stderr.strip()}")
        return done.stdout

    def source(self, name: str) -> str:
        """A file of ours as it is inside the kernel."""
        text = self.resolve(TOP / name)
        if name.endswith("/dcc_compat.h"):
            text = without_macros(text)
        text = expand(text, self.macros)
        text = run("sed", "-f", TEXTS / "in-tree.sed", text=text)
        return re.sub(r"\n{3,}", "\n\n", text)


# A macro with the comment that stands right above it.
MACRO = re.compile(r"(?:^/\*(?:(?!\*/).|\n)*?\*/\n)?^#define (DCC_\w+)(\(\w+\))?[ \t]*"
                   r"((?:.*\\\n)*.*)\n+", re.MULTILINE)


def read_macros(text: str) -> dict[str, tuple[str, list[str]]]:
    """Name -> parameter ('' if it has none), lines of its text."""
    found = {}
    for name, parameter, body in MACRO.findall(text):
        lines = [line for text in body.split("\n") if (line := text.rstrip("\\").rstrip())]
        found[name] = (parameter.strip("()"), [lines[0].lstrip(), *lines[1:]])
    return found


def without_macros(text: str) -> str:
    """The compat header's functions; its head says what it now is."""
    text = MACRO.sub("", text)
    return re.sub(r"^/\*\n.*?\*/", "/*\n * What the stack has no helper for, or none for modules."
                  "\n */", text, count=1, flags=re.MULTILINE | re.DOTALL)


def expand(text: str, macros: dict[str, tuple[str, list[str]]]) -> str:
    """Macros written out, those in macros, too, and inside other macros' lines."""
    def one(match: re.Match) -> str:
        parameter, lines = macros[match[1]]
        argument = (match[2] or "()")[1:-1]
        if parameter:
            lines = [re.sub(rf"\b{parameter}\b", argument, line) for line in lines]
        in_macro = text[match.end():].partition("\n")[0].endswith("\\")
        return ("\t\t\t\\\n\t\t" if in_macro else "\n").join(lines)

    names = "|".join(sorted(macros, key=len, reverse=True))
    use = re.compile(rf"\b({names})\b(\(\w+\))?")
    while names and use.search(text):
        text = use.sub(one, text)
    return text


def objects(folder: str) -> tuple[str, list[str], list[str]]:
    """A module's name, its objects, its flags, by its Kbuild."""
    text = (TOP / folder / "Kbuild").read_text().replace("\\\n", " ")
    module = re.findall(r"^obj-m := (\w+)\.o$", text, re.MULTILINE)[0]
    found = " ".join(re.findall(rf"^{module}-y [:+]= (.*)$", text, re.MULTILINE)).split()
    flags = re.findall(r"^CFLAGS_.*$", text, re.MULTILINE)
    # There, all files are in one folder.
    return module, found, [re.sub(r"(?<=CFLAGS_)\w+/|(?<=\$\(src\))/\w+", "", flag)
                           for flag in flags]


def symbol(folder: str) -> str:
    """A module's symbol in Kconfig."""
    return "TCP_DCC" if folder == "common" else f"TCP_CONG_{folder.removeprefix('tcp_').upper()}"


def makefile(present: set[str]) -> str:
    """Of the sources that the series has so far."""
    parts = ["# SPDX-License-Identifier: GPL-2.0\n"]
    for folder in folders():
        module, found, flags = objects(folder)
        have = [os.path.basename(name) for name in found if f"{folder}/{name[:-2]}.c" in present]
        if not have:
            continue
        lines = [f"obj-$(CONFIG_{symbol(folder)}) += {module}.o", f"{module}-y := {have[0]}"]
        lines += [f"{module}-y += {name}" for name in have[1:]]
        lines += [flag for flag in flags if flag.split()[0][len("CFLAGS_"):] in have]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def kconfig(present: set[str]) -> str:
    """The blocks of those modules that the series has so far."""
    head, *blocks = re.split(r"^(?=config )", (TEXTS / "Kconfig").read_text(),
                             flags=re.MULTILINE)
    wanted = {symbol(name.partition("/")[0]) for name in present}
    kept = [block for block in blocks if block.split()[1] in wanted]
    return (head + "".join(kept)).rstrip() + "\n"


def insert_before(text: str, pattern: str, line: str, what: str) -> str:
    """A line in front of the first one that matches."""
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise Refused(f"{what} has no line like: {pattern}")
    return text[:found.start()] + line + text[found.start():]


def with_maintainers(text: str, signoff: str) -> str:
    """MAINTAINERS with our entry where the alphabet has it."""
    entry = (TEXTS / "MAINTAINERS").read_text().partition("\n")[2].replace("@SIGNOFF@", signoff)
    title = entry.partition("\n")[0]
    # Not all parts of that file are in order: it goes behind the nearest before it.
    heads = [found for found in re.finditer(r"^(\S.*)\n(?=[MRLSQBPTFXNKCW]:\t)", text, re.MULTILINE)
             if text[:found.start()].endswith("\n\n")]
    before = max((found[1] for found in heads if found[1] < title), default="")
    for found, following in zip(heads, heads[1:]):
        if found[1] == before:
            return f"{text[:following.start()]}{entry}\n{text[following.start():]}"
    return f"{text.rstrip()}\n\n{entry}"


def rst_table(markdown: str) -> str:
    """A table of Markdown as reStructuredText."""
    rows = [line for line in markdown.splitlines() if not line.startswith("|---")]
    parts = [".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        cells = [cell.strip().replace("`", "``") for cell in row.strip("|").split("|")]
        parts += [f"   {'* -' if i == 0 else '  -'} {cell}".rstrip()
                  for i, cell in enumerate(cells)]
    return "\n".join(parts)


def documentation() -> str:
    """The page, with the tables of knobs as the code has them."""
    spec = importlib.util.spec_from_file_location("knob_doc", TOP / "scripts/knob-doc.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["knob_doc"] = module
    spec.loader.exec_module(module)
    found = module.tables()
    return re.sub(r"^@TABLE (\w+)@$", lambda match: rst_table(found[match[1]]),
                  (TEXTS / "dcc.rst").read_text(), flags=re.MULTILINE)


def own_scripts() -> Iterable[tuple[str, str]]:
    """Names and texts for the kernel's own runner: it has both IP versions, and no DCC_CC."""
    for path in sorted((TOP / "selftests/packetdrill/ours").glob("*.pkt")):
        text = path.read_text()
        if re.search(r"^// ip:", text, re.MULTILINE):
            continue
        named = re.search(r"^// cc: (\w+)", text, re.MULTILINE)
        cc = named[1] if named else FIRST_ALGORITHM
        yield f"tcp_dcc_{path.name}", text.replace("./setup.sh", f"DCC_CC={cc} ./tcp_dcc_setup.sh")


class Repository:
    """A small repository of what the series changes; only there it becomes one."""

    def __init__(self, tree: Tree, home: Path, signoff: str):
        self.tree, self.home, self.signoff = tree, home, signoff
        self.present: set[str] = set()
        self.git("init", "-q", ".")
        for name in (*CHANGED, *CHANGED_IF_THERE):
            if (tree.path / name).is_file():
                self.put(name, (tree.path / name).read_text())
        self.commit("the kernel")

    def git(self, *argv: str, text: str | None = None) -> str:
        """A command there, as whoever signs off, whatever the user's own settings are."""
        name, _, mail = self.signoff.rpartition(" ")
        return run("git", "-c", f"user.name={name}", "-c", f"user.email={mail.strip('<>')}",
                   "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false", *argv,
                   cwd=self.home, text=text)

    def commit(self, message: str) -> None:
        """All that is there."""
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-F", "-", text=message)

    def put(self, name: str, text: str) -> Path:
        """Write a file."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def change(self, name: str, pattern: str, line: str) -> None:
        """Insert a line into a file of the kernel's."""
        self.put(name, insert_before((self.home / name).read_text(), pattern, line,
                                     str(self.tree.path / name)))

    def add_source(self, name: str) -> None:
        """A file of ours, under the name that it has there."""
        place = Path(name).name.replace("dcc_compat.h", "dcc_stack.h")
        self.put(f"{PLACE}/{place}", self.tree.source(name))
        self.present.add(name)

    def add_maintainers(self) -> None:
        """Who answers."""
        self.put(MAINTAINERS, with_maintainers((self.home / MAINTAINERS).read_text(),
                                               self.signoff))

    def add_skeleton(self) -> None:
        """The folder's place in the kernel, and a module that does nothing yet."""
        ends = re.findall(r"^MODULE_\w+\(.*\);\n", self.tree.source("common/dcc_main.c"),
                          re.MULTILINE)
        self.put(f"{PLACE}/dcc_main.c", SKELETON + "".join(ends))
        self.present.add("common/dcc_main.c")
        self.change("net/ipv4/Kconfig", r"^choice\n\tprompt \"Default TCP congestion control\"",
                    'source "net/ipv4/dcc/Kconfig"\n\n')
        self.change("net/ipv4/Makefile", r"^obj-\$\(CONFIG_TCP_CONG_DCTCP\)",
                    "obj-$(CONFIG_TCP_DCC) += dcc/\n")

    def add_dsack(self) -> None:
        """The stack asks whose byte came twice."""
        self.edit("dsack")

    def add_tail(self) -> None:
        """The stack's tail loss probe in a recovery."""
        self.edit("tail")

    def edit(self, name: str) -> None:
        """Change the stack."""
        for edit in read_edits(TEXTS / f"{name}.edit"):
            self.put(edit.name, edit.of((self.home / edit.name).read_text()))

    def add_doc(self) -> None:
        """The page, and its place in the index."""
        self.put(DOC, documentation())
        self.change(DOC_INDEX, r"^   dctcp$", "   dcc\n")

    def add_selftests(self) -> None:
        """Our packetdrill scripts, in trees that have some."""
        if not (self.home / CHANGED_IF_THERE[0]).is_file():
            raise Refused(f"'{self.tree.path}' has no {PACKETDRILL} (6.12 and later have)")
        for name, text in own_scripts():
            self.put(f"{PACKETDRILL}/{name}", text)
        setup = self.put(f"{PACKETDRILL}/tcp_dcc_setup.sh",
                         (TOP / "selftests/packetdrill/ours/setup.sh").read_text()
                         .replace("setup.sh ", "tcp_dcc_setup.sh "))
        setup.chmod(0o755)
        self.change(CHANGED_IF_THERE[0], r"^\t\t \.\./\.\./kselftest/ktap_helpers\.sh",
                    "\t\t tcp_dcc_setup.sh \\\n")
        wanted = [f"CONFIG_{symbol(folder)}=m\n" for folder in folders()]
        self.put(CHANGED_IF_THERE[1], "".join(sorted(
            (self.home / CHANGED_IF_THERE[1]).read_text().splitlines(True) + wanted)))

    def take(self, step: Step) -> None:
        """One patch."""
        before = set(self.present)
        for name in step.add:
            if name.startswith("@"):
                getattr(self, f"add_{name[1:]}")()
            else:
                self.add_source(name)
        if self.present != before:
            self.put(f"{PLACE}/Kconfig", kconfig(self.present))
            self.put(f"{PLACE}/Makefile", makefile(self.present))
        self.commit(step.message(self.signoff))


def with_cover(text: str, letter: str) -> str:
    """git's empty letter with a subject and a text."""
    subject, _, body = letter.partition("\n\n")
    return text.replace("*** SUBJECT HERE ***", subject.strip()).replace(
        "*** BLURB HERE ***", body.strip())


def signoff_of(given: str) -> str:
    """Who answers for the series: as told, or as git knows."""
    if not given:
        mail = subprocess.run(["git", "config", "user.email"], cwd=TOP, capture_output=True,
                              text=True, check=False).stdout.strip()
        name = subprocess.run(["git", "config", "user.name"], cwd=TOP, capture_output=True,
                              text=True, check=False).stdout.strip()
        given = f"{name} <{mail}>"
    if not re.fullmatch(r"[^<>\n]*\S <[^<>@\s]+@[^<>@\s]+>", given):
        raise Refused(f"signed off by '{given}'; allowed: --signoff 'NAME <MAIL>', or git's"
                      " user.name and user.email")
    return given


def empty_of_patches(out: Path) -> None:
    """A folder for the patches: what an older series left goes, nothing else."""
    out.mkdir(parents=True, exist_ok=True)
    for path in out.iterdir():
        if not re.fullmatch(r"\d{4}-.*\.patch", path.name):
            raise Refused(f"'{out}' has something else than patches: {path.name}")
    for path in list(out.iterdir()):
        path.unlink()


def make_series(tree: Path, out: Path, signoff: str) -> int:
    """Write the patches; how many."""
    steps = read_series(TEXTS / "series")
    require_complete(steps)
    letter = (f"{(TEXTS / 'cover.md').read_text()}\nStill open:\n\n"
              f"{(TEXTS / 'objections.md').read_text()}")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "series"
        home.mkdir()
        repository = Repository(Tree(tree, Path(folder)), home, signoff)
        for step in steps:
            repository.take(step)
        empty_of_patches(out)
        repository.git("format-patch", "-q", "--cover-letter", "--no-numbered-files",
                       "--subject-prefix=PATCH net-next", "-M", "-o", str(out.resolve()),
                       f"HEAD~{len(steps)}")
    cover = out / "0000-cover-letter.patch"
    cover.write_text(with_cover(cover.read_text(), letter))
    return len(steps)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True, help="the kernel's source")
    parser.add_argument("--out", type=Path, required=True, help="where the patches go, alone")
    parser.add_argument("--signoff", default="", help="'NAME <MAIL>', default: git's user")
    options = parser.parse_args()
    try:
        count = make_series(options.tree, options.out, signoff_of(options.signoff))
    except (Refused, OSError) as error:
        print(f"upstream.py: {error}", file=sys.stderr)
        return 1
    print(f"{count} patches in {options.out}")
    return 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
