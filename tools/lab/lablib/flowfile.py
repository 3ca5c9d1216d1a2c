# SPDX-License-Identifier: GPL-2.0
"""Flows from a file: a line START FROM TO SIZE [KEY=VALUE ...] for each.

Words are parted by blanks or commas, # begins a comment. Hosts are names, or numbers
that count the workload's hosts from 0, as in the traces of simulators.
"""

from dataclasses import dataclass
from pathlib import Path

from . import units
from .errors import BadValue, unknown

LINE = "START FROM TO SIZE [KEY=VALUE ...]"


@dataclass
class Entry:
    """One flow: where it stands, when, who, to whom, bytes, other words."""

    where: str
    start: int
    source: str
    target: str
    size: int
    words: list


def _size(text):
    size = units.parse_size(text)
    if not size:
        raise BadValue(f"'{text}' is no size; allowed: 1B or more")
    return size


def _entry(where, words):
    if len(words) < 4:
        raise BadValue(f"'{' '.join(words)}' is no flow; allowed: {LINE}")
    return Entry(where, units.parse_time(words[0]), words[1], words[2], _size(words[3]),
                 words[4:])


def parse(text, name):
    """The flows of a file's text; what is wrong names its line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        where = f"{name}:{number}"
        try:
            found.append(_entry(where, words))
        except BadValue as bad:
            raise BadValue(f"{where}: {bad}") from None
    if not found:
        raise BadValue(f"{name} has no flow; allowed: lines {LINE}")
    return found


def load(name, folder):
    """The flows of a file, which is looked for from the scenario's folder."""
    path = Path(folder) / name
    try:
        return parse(path.read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise BadValue(f"the flows '{path}' cannot be read: {reason}; allowed: a file of lines"
                       f" {LINE}") from None


def host(text, hosts):
    """A host by its name or its number."""
    if text in hosts:
        return text
    if text.isdecimal() and int(text) < len(hosts):
        return hosts[int(text)]
    raise BadValue(unknown("the host", text, [*hosts, f"0 to {len(hosts) - 1}"]))
