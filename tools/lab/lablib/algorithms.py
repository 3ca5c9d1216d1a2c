# SPDX-License-Identifier: GPL-2.0
"""Which congestion controls a scenario may name.

Built-ins are those the lab's kernel is configured with; ours are the aliases
that the modules' sources declare (`tcp_<name>`, by which the kernel autoloads
them, or the module's own name); others come with the `module` lines of a scenario.
"""

import functools
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import BadValue, unknown

LAB = Path(__file__).resolve().parent.parent
ROOT = LAB.parent.parent
HELPER_MODULE = "tcp_dcc"       # loaded before every module of ours

_ALIAS = re.compile(r'MODULE_ALIAS\("tcp_(\w+)"\)')
# K(name, "unit" or NAMES, min, max, ...
_KNOB = re.compile(r'\bK\((\w+),\s*("[^"]*"|\w+),\s*(\d+),\s*(\d+),')
# #define NAME_KNOBS(K, ...) and its lines, which name other tables: OTHER_KNOBS(K, ...)
_TABLE = re.compile(r"#define\s+(\w+_KNOBS?)\(K\b[^)]*\)((?:[^\n]*\\\n)*[^\n]*)")
_NAMED = re.compile(r"\b(\w+_KNOBS?)\(K\b")
# #define NAMES "off|oblivious"
_WORDS = re.compile(r'#define\s+(\w+)\s+"(\w+(?:\|\w+)+)"')
POWER_OF_TWO = "2^n"            # the unit by which a table says so
# C(name, "what it counts")
_COUNTER = re.compile(r'\bC\((\w+),\s*"([^"]*)"\)')
_VERSION = re.compile(r'^PACKAGE_VERSION="(.*)"$', re.MULTILINE)
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


@dataclass
class Knob:
    """One line of a knob table."""

    unit: str
    low: int
    high: int
    words: list         # allowed values, if they are words

    def check(self, name, value):
        """Raises BadValue for a value that the module would refuse."""
        if self.words and value not in self.words:
            raise BadValue(unknown(f"{name}: the value", value, self.words))
        if self.words:
            return
        if not value.isdigit() or not self.low <= int(value) <= self.high:
            raise BadValue(f"{name}: '{value}' is not allowed; allowed:"
                           f" {self.low} to {self.high} ({self.unit})")
        if self.unit == POWER_OF_TWO and int(value) & (int(value) - 1):
            raise BadValue(f"{name}: '{value}' is no power of two; allowed:"
                           f" powers of two from {self.low} to {self.high}")


def _text(paths):
    return "".join(path.read_text(encoding="utf-8") for path in sorted(paths))


def _lines(text, named):
    """{name: Knob} of lines of tables, whose units may be in `named`."""
    found = {}
    for name, unit, low, high in _KNOB.findall(text):
        unit = named.get(unit, unit.strip('"'))
        found[name] = Knob(unit, int(low), int(high),
                           unit.split("|") if "|" in unit else [])
    return found


def _tables_of(own, shared):
    """Lines of the tables that a module's headers define, and of those these name."""
    tables, waiting, lines = {**dict(_TABLE.findall(shared)), **own}, list(own), {}
    while waiting:
        name = waiting.pop()
        if name not in lines:
            lines[name] = tables.get(name, "")
            waiting += _NAMED.findall(lines[name])
    return "\n".join(lines.values())


@functools.cache
def knobs(module=None):
    """{name: Knob} from the tables in the sources.

    Without a module, those of any TCP flow, which the helper module has; with
    one, those of its own tables and of the shared ones that these name.
    """
    shared = _text((ROOT / "common").rglob("*.[ch]"))
    named = dict(_WORDS.findall(shared))
    if module is None:
        return _lines(_text([ROOT / "common/ctl/dcc_net.h"]), named)
    own = _text((ROOT / module).glob("*.h"))
    named.update(_WORDS.findall(own))
    return _lines(_tables_of(dict(_TABLE.findall(own)), shared), named)


def own_modules():
    """Names of this project's modules, the helper first, those without an algorithm last."""
    return [HELPER_MODULE, *sorted(set(ours().values())),
            *sorted(folder.parent.name for folder in ROOT.glob("dcc_*/Kbuild"))]


def counters():
    """{counter: what it counts} of the helper module."""
    return dict(_COUNTER.findall((ROOT / "common/ctl/dcc_count.h").read_text(encoding="utf-8")))


def version():
    """The project's version, as DKMS and packages have it."""
    return _VERSION.search((ROOT / "dkms.conf").read_text(encoding="utf-8")).group(1)


def commit():
    """The commit that was checked out; '' in a tree that is none."""
    if not (ROOT / ".git").exists():
        return ""
    try:
        done = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
                              capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def version_line(program):
    """What a program's --version prints."""
    found = commit()
    return f"{program} {version()}" + (f" ({found})" if found else "")
