# SPDX-License-Identifier: GPL-2.0
"""Which congestion controls a scenario may name.

Built-ins are those the lab's kernel is configured with; ours are the aliases
that the modules' sources declare (`tcp_<name>`, by which the kernel autoloads
them, or the module's own name); others come with the `module` lines of a scenario.
"""

import re
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent
ROOT = LAB.parent.parent
HELPER_MODULE = "tcp_dcc"       # loaded before every module of ours

_ALIAS = re.compile(r'MODULE_ALIAS\("tcp_(\w+)"\)')
# K(name, "unit" or NAMES, min, max, ...
_KNOB = re.compile(r'\bK\((\w+),\s*("[^"]*"|\w+),\s*(\d+),\s*(\d+),')
_CONFIG = re.compile(r"^CONFIG_TCP_CONG_(\w+)=y$", re.MULTILINE)


def builtin():
    """Names built into the lab's kernel; reno always is."""
    config = (LAB / "kernel" / "lab.config").read_text(encoding="ascii")
    names = [name.lower() for name in _CONFIG.findall(config)]
    return sorted({"reno", *names} - {"advanced"})


def ours():
    """{algorithm: module} of this project."""
    found = {folder.parent.name[len("tcp_"):]: folder.parent.name
             for folder in sorted(ROOT.glob("tcp_*/Kbuild"))}
    for source in sorted(ROOT.glob("tcp_*/*.c")):
        for name in _ALIAS.findall(source.read_text(encoding="utf-8")):
            found[name] = source.parent.name
    return found


def knobs(module=None):
    """{knob: (min, max)} from the tables in the sources.

    The tables in common/ are every module's; a module's own come on top. Knobs
    of words have no range.
    """
    folders = [ROOT / "common"] + ([ROOT / module] if module else [])
    found = {}
    for folder in folders:
        for source in sorted(folder.glob("*.h")):
            text = source.read_text(encoding="utf-8")
            for name, unit, low, high in _KNOB.findall(text):
                ranged = unit.startswith('"')
                found[name] = (int(low), int(high)) if ranged else (None, None)
    return found


def own_modules():
    """Names of this project's modules, the helper first."""
    return [HELPER_MODULE, *sorted(set(ours().values()))]
