# SPDX-License-Identifier: GPL-2.0
"""Reading key=value words against a table of what is allowed."""

import argparse
import re

from . import units
from .errors import BadValue, unknown

_WORD = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)(\+=|\*=|=)(.*)$", re.DOTALL)


class Key:
    """How the value of one key is read, and what it means in one line."""

    def __init__(self, read, default=None, relative=None, meaning=""):
        self.read = read
        self.default = default
        self.relative = relative        # the range of what += and *= may lead to
        self.meaning = meaning


def choice(*allowed):
    """One of these words."""
    def read(text):
        if text not in allowed:
            raise BadValue(unknown("the value", text, allowed))
        return text
    return read


def count(low, high):
    """A whole number within the range."""
    return lambda text: units.parse_count(text, low, high)


def between(parse, low, high, shown):
    """A quantity within the range; `shown` is the range as people write it."""
    def read(text):
        value = parse(text)
        if not low <= value <= high:
            raise BadValue(f"'{text}' is out of range; allowed: {shown}")
        return value
    return read


def word(text):
    """Any non-empty text."""
    if not text:
        raise BadValue("nothing after '='; allowed: a name")
    return text


def argument(read):
    """A type of argparse, of a function that reads a text and raises BadValue."""
    def of_text(text):
        try:
            return read(text)
        except BadValue as bad:
            raise argparse.ArgumentTypeError(str(bad)) from None
    return of_text


def _apply(key, operator, text, old):
    """The new value of a key: `+=` and `*=` change an old one."""
    if operator == "=":
        return key.read(text)
    if not key.relative:
        raise BadValue(f"'{operator}' is not allowed here; allowed: '='")
    if operator == "*=":
        factor, kind = units.parse_any(text)
        if kind not in ("", "%") or factor < 0:
            raise BadValue(f"'{text}' is not a factor; allowed: a number, like"
                           " 0.5 or 50%")
        value = (old or 0) * factor
    else:
        value = (old or 0) + key.read(text)
    low, high = key.relative
    if not low <= value <= high:
        raise BadValue(f"'{operator}{text}' leads to {value:g}; allowed: {low} to {high}")
    return round(value)


def split_word(text):
    """'a+=b' -> ('a', '+=', 'b'), or None."""
    match = _WORD.match(text)
    return match.groups() if match else None


def read_keys(words, table, report, old=None):
    """Read key=value words into a dict of what was given.

    report(text) takes the problems; `old` holds the values that `+=` and `*=`
    change. Keys not given are not in the answer: see with_defaults().
    """
    given = {}
    for text in words:
        parts = split_word(text)
        if not parts:
            report(f"'{text}' is not key=value; allowed keys: "
                   + (", ".join(table) or "none"))
            continue
        name, operator, value = parts
        if name not in table:
            report(unknown("the key", name, table))
            continue
        if name in given:
            report(f"'{name}' is given twice; allowed: once")
        try:
            given[name] = _apply(table[name], operator, value,
                                 (old or {}).get(name))
        except BadValue as bad:
            report(f"{name}: {bad}")
    return given


def with_defaults(given, table):
    """The given values, and the default of every other key."""
    values = {name: key.default for name, key in table.items()}
    values.update(given)
    return values
