#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the files of tcp_dcc.ko call one another in one direction only?

    layers.py DIR

DIR holds common/ as a build left it, with its objects. common/Kbuild lists them by layer,
the highest first: what an object needs of another has to stand further down. Symbols tell,
so a function that is only handed over counts, too. Exits with 1 and each call upward.
"""
import re
import subprocess
import sys
from pathlib import Path


def order(kbuild: Path) -> list[str]:
    """The objects of tcp_dcc.ko as their list has them, the highest first."""
    text = kbuild.read_text().replace("\\\n", " ")
    return [name for line in re.findall(r"^tcp_dcc-y \+?:?= (.*)$", text, re.MULTILINE)
            for name in line.split()]


def symbols(path: Path) -> tuple[set[str], set[str]]:
    """What an object defines for others, and what it needs of them."""
    lines = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
    pairs = [line.split()[-2:] for line in lines.splitlines()]
    return ({name for kind, name in pairs if kind.isupper() and kind != "U"},
            {name for kind, name in pairs if kind == "U"})


def upward(names: list[str], folder: Path) -> list[str]:
    """Each need of an object that one above it defines."""
    tables = [symbols(folder / name) for name in names]
    return [f"{name} needs {symbol} of {names[above]}, which stands above it"
            for place, (name, (_, needed)) in enumerate(zip(names, tables))
            for above in range(place)
            for symbol in sorted(needed & tables[above][0])]


def main() -> int:
    """0: one direction only."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "common/Kbuild").is_file():
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    folder = Path(sys.argv[1]) / "common"
    names = order(folder / "Kbuild")
    if not names:
        print(f"{folder}/Kbuild: no objects of tcp_dcc listed", file=sys.stderr)
        return 2
    found = upward(names, folder)
    print("\n".join(found) or f"{len(names)} objects, no call upward")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
