#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the files of tcp_dcc.ko know one another in one direction only?

    layers.py          what they include
    layers.py DIR      and what they call: DIR holds common/ as a build left it

common/Kbuild lists the objects, the highest first, folder by folder. A file may include what
is in its own folder or in one further down, and never, by whatever detour, itself. What an
object needs of another has to stand further down in the list; symbols tell, so a function that
is only handed over counts, too. Each that goes up is a line; exits with 1 if there is one.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def listed(kbuild: Path) -> list[str]:
    """The objects of tcp_dcc.ko, the highest first."""
    text = kbuild.read_text().replace("\\\n", " ")
    return [name for line in re.findall(r"^tcp_dcc-y \+?:?= (.*)$", text, re.MULTILINE)
            for name in line.split()]


def folders(objects: list[str]) -> list[str]:
    """Their folders, the highest first."""
    return list(dict.fromkeys(os.path.dirname(name) for name in objects))


def includes(common: Path) -> dict[str, list[str]]:
    """Of each source what it includes of common/, by path below that."""
    found = {}
    for path in sorted(common.rglob("*.[ch]")):
        names = re.findall(r'^#include "([^"]+)"$', path.read_text(), re.MULTILINE)
        found[str(path.relative_to(common))] = [
            os.path.relpath(path.parent / name, common) for name in names]
    return found


def included_upward(found: dict[str, list[str]], order: list[str]) -> list[str]:
    """Each include of a folder that stands above the file's own."""
    rank = {folder: place for place, folder in enumerate(order)}
    return [f"common/{name} includes {other}, which stands above it"
            for name, others in found.items() for other in others
            if rank[os.path.dirname(other)] < rank[os.path.dirname(name)]]


def circles(found: dict[str, list[str]]) -> list[str]:
    """Each file that is included by what it includes."""
    reach = {name: set(others) for name, others in found.items()}
    for middle in found:
        for others in reach.values():
            if middle in others:
                others |= reach[middle]
    return [f"common/{name} includes itself in the end"
            for name, others in reach.items() if name in others]


def symbols(path: Path) -> tuple[set[str], set[str]]:
    """What an object defines for others, and what it needs of them."""
    lines = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
    pairs = [line.split()[-2:] for line in lines.splitlines()]
    return ({name for kind, name in pairs if kind.isupper() and kind != "U"},
            {name for kind, name in pairs if kind == "U"})


def called_upward(objects: list[str], common: Path) -> list[str]:
    """Each need of an object that one above it defines."""
    tables = [symbols(common / name) for name in objects]
    return [f"common/{name} needs {symbol} of {objects[above]}, which stands above it"
            for place, (name, (_, needed)) in enumerate(zip(objects, tables))
            for above in range(place)
            for symbol in sorted(needed & tables[above][0])]


def main() -> int:
    """0: one direction only."""
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    common = (Path(sys.argv[1]) if len(sys.argv) > 1 else TOP) / "common"
    if not (common / "Kbuild").is_file():
        print(f"layers.py: '{common.parent}' holds no common/Kbuild", file=sys.stderr)
        return 2
    objects = listed(common / "Kbuild")
    if len(sys.argv) > 1 and not (common / objects[0]).is_file():
        print(f"layers.py: '{common}' was not built: {objects[0]} is not there", file=sys.stderr)
        return 2
    found = includes(common)
    upward = included_upward(found, folders(objects)) + circles(found)
    if len(sys.argv) > 1:
        upward += called_upward(objects, common)
    print("\n".join(upward) or f"{len(found)} files, {len(objects)} objects: none goes up")
    return int(bool(upward))


if __name__ == "__main__":
    sys.exit(main())
