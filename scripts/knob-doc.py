#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The tables of knobs and counters in Documentation/, from the code itself.

    scripts/knob-doc.py            print the tables
    scripts/knob-doc.py --write    put them into the pages that hold them
    scripts/knob-doc.py --check    exit 1 and say which page is out of date

A page holds a table between <!-- table NAME --> and <!-- end -->. The lists are
C macros, so the C compiler expands them: there is no second reading of them
that could differ. Needs gcc (or the compiler that CC names), no kernel headers.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PAGES = ("Documentation/mswift.md", "Documentation/mnscc.md", "Documentation/oscar.md",
         "Documentation/prioplus.md", "Documentation/ledbat.md", "Documentation/dcc.md")
COMPILE_S = 60
BOUNDED_NOTE = "; a namespace of another user may not exceed the machine's value"

# Lists that live in files which want kernel headers: their text is taken out.
TAKEN = {"DCC_NET_KNOBS": "common/ctl/dcc_net.h", "DCC_COUNTERS": "common/ctl/dcc_count.h",
         "DCC_CC_INFO_BITS": "common/ctl/dcc_cc_info.h"}

# Lists that are no knobs, with what heads their two or three columns.
PLAIN = {"counters": "| counter | counts |\n|---|---|\n",
         "bits": "| bit | name | meaning |\n|---|---|---|\n"}

PROGRAM = r"""
#include <stdio.h>
#include "%(header)s"
%(taken)s
#define ROW(table, n, unit, lo, hi, dflt, algs, help) \
	printf("%%s\t%%s\t%%s\t%%u\t%%u\t%%u\t%%u\t%%s\t%%d\n", table, #n, unit, \
	       (u32)(lo), (u32)(hi), (u32)(dflt), (u32)(algs), help, \
	       ((u32)(algs) & DCC_KNOB_BOUNDED) != 0);
#define COUNTERS_ROW(n, help) ROW("counters", n, "", 0, 0, 0, 0, help)
#define BITS_ROW(bit, n, word, help) ROW("bits", n, word, 1 << (bit), 0, 0, 0, help)
%(defines)s
int main(void)
{
	%(lists)s
	return 0;
}
"""


@dataclass
class Source:
    """Where lists are: a header, and of each table its macro and what it takes."""
    header: str
    lists: dict[str, tuple[str, str]]
    glue: str = ""          # the file that names the module's algorithms
    prefix: str = ""        # of their enum


SOURCES = (
    Source("tcp_mswift/mswift.h",
           {"flow": ("DCC_FLOW_KNOBS", "MSWIFT_ALL"), "swift": ("DCC_SWIFT_KNOBS", "MSWIFT_ALL"),
            "base": ("DCC_DRAIN_KNOBS", "MSWIFT_ALL"),
            "mswift": ("MSWIFT_OWN_KNOBS", "")},
           "tcp_mswift/tcp_mswift_main.c", "MSWIFT"),
    Source("tcp_mnscc/nscc.h", {"nscc": ("NSCC_OWN_KNOBS", "")},
           "tcp_mnscc/tcp_mnscc_main.c", "NSCC"),
    Source("tcp_oscar/oscar.h", {"oscar": ("OSCAR_OWN_KNOBS", "")},
           "tcp_oscar/tcp_oscar_main.c", "OSCAR"),
    Source("tcp_prioplus/prioplus.h",
           {"prioplus": ("PRIOPLUS_OWN_KNOBS", ""),
            "window": ("DCC_SWIFT_WINDOW_KNOBS", "PRIOPLUS_SWIFT, PRIOPLUS_ALL"),
            "gain": ("DCC_LEDBAT_KNOB", "PRIOPLUS_GAIN")},
           "tcp_prioplus/tcp_prioplus_main.c", "PRIOPLUS"),
    Source("tcp_ledbat/ledbat.h", {"ledbat": ("LEDBAT_OWN_KNOBS", "")},
           "tcp_ledbat/tcp_ledbat_main.c", "LEDBAT"),
    Source("common/cc/dcc_knob.h", {"net": ("DCC_NET_KNOBS", ""), "counters": ("DCC_COUNTERS", ""),
                                  "bits": ("DCC_CC_INFO_BITS", "")}),
)


def macro(name: str, path: str) -> str:
    """The text of a macro of several lines."""
    text = (TOP / path).read_text()
    found = re.search(rf"^#define {name}\((?:.*\\\n)*.*", text, re.MULTILINE)
    if not found:
        raise SystemExit(f"knob-doc.py: {path} has no macro {name}")
    return found[0]


def algorithms(source: Source) -> list[str]:
    """The module's algorithms, in the order of a knob's bits."""
    if not source.glue:
        return [""]
    return re.findall(rf'\[{source.prefix}_\w+\] = "(\w+)"', (TOP / source.glue).read_text())


def program_text(source: Source) -> str:
    """A program that prints a row for every line of the source's lists."""
    defines = "".join(f'#define {table.upper()}_ROW(...) ROW("{table}", __VA_ARGS__)\n'
                      for table in source.lists if table not in PLAIN)
    lists = "\n\t".join(f"{name}({table.upper()}_ROW{', ' + extra if extra else ''})"
                        for table, (name, extra) in source.lists.items())
    taken = "\n".join(macro(name, path) for name, path in TAKEN.items())
    return PROGRAM % {"header": source.header, "taken": taken, "defines": defines,
                      "lists": lists}


def expand(source: Source) -> list[list[str]]:
    """One row a knob: table, name, unit, min, max, default, algs, meaning, bounded."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "knobs"
        text = Path(folder) / "knobs.c"
        text.write_text(program_text(source))
        subprocess.run([os.environ.get("CC", "gcc"), f"-I{TOP}", "-o", program, text],
                       check=True, timeout=COMPILE_S)
        out = subprocess.run([program], check=True, capture_output=True, text=True)
    return [line.split("\t") for line in out.stdout.splitlines()]


def knob_row(row: list[str], names: list[str]) -> str:
    """A knob as a line of Markdown."""
    _, name, unit, low, high, default, algs, meaning, bounded = row
    span = f"{low} to {high}"
    if "|" in unit:
        words = unit.split("|")
        unit, default, span = "word", words[int(default)], ", ".join(words)
    elif unit == "2^n":
        unit = "power of two"
    users = [n for bit, n in enumerate(names) if int(algs) >> bit & 1]
    shown = "all" if len(users) == len(names) else ", ".join(users)
    meaning += BOUNDED_NOTE if int(bounded) else ""
    return f"| `{name}` | {unit} | {span} | {default} | {shown} | {meaning} |"


def table_row(row: list[str], names: list[str]) -> str:
    """Any line of Markdown."""
    if row[0] == "counters":
        return f"| `{row[1]}` | {row[7]} |"
    if row[0] == "bits":
        return f"| {row[3]} | {row[1]} | {row[7]} |"
    return knob_row(row, names)


def tables() -> dict[str, str]:
    """Markdown of every table, by its name."""
    head = ("| knob | unit | allowed | default | used by | meaning |\n"
            "|---|---|---|---|---|---|\n")
    found = {}
    for source in SOURCES:
        rows, names = expand(source), algorithms(source)
        for table in source.lists:
            found[table] = PLAIN.get(table, head) + "\n".join(
                table_row(row, names) for row in rows if row[0] == table)
    return found


def refreshed(text: str, found: dict[str, str]) -> str:
    """A page with its tables as the code has them now."""
    def put(match: re.Match) -> str:
        if match[1] not in found:
            raise SystemExit(f"knob-doc.py: table '{match[1]}' is not known;"
                             f" allowed: {', '.join(found)}")
        return f"<!-- table {match[1]} -->\n{found[match[1]]}\n<!-- end -->"
    return re.sub(r"<!-- table (\w+) -->\n.*?<!-- end -->", put, text, flags=re.DOTALL)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="refresh the pages")
    action.add_argument("--check", action="store_true", help="compare them only")
    options = parser.parse_args()
    found = tables()
    if not (options.write or options.check):
        for name, text in found.items():
            print(f"## {name}\n\n{text}\n")
        return 0
    status = 0
    for page in PAGES:
        old = (TOP / page).read_text()
        new = refreshed(old, found)
        if new != old and options.check:
            print(f"{page}: its tables differ from the code; run: scripts/knob-doc.py --write",
                  file=sys.stderr)
            status = 1
        elif new != old:
            (TOP / page).write_text(new)
            print(f"{page}: refreshed")
    return status


if __name__ == "__main__":
    sys.exit(main())
