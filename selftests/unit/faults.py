# SPDX-License-Identifier: GPL-2.0
"""Faults that a slip of the hand makes, generated from a C file's tokens.

A relation that includes its end or does not, `and` for `or`, a sign, a product for a
quotient, the least for the most, a number that is one more, a condition turned round, a
statement left out.
Comments, strings, declarations and the preprocessor's lines are left alone; so are widths of
bit fields, which no test can miss, and lists of knobs.
"""

import random
import re
from typing import NamedTuple

SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
           "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*",
           "min": "max", "max": "min", "min_t": "max_t", "max_t": "min_t"}
SILENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
                    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|^static_assert\b.*?;"
                    r"|^[ \t]+(?:u\d+ )?\w+ : \d+[,;]|^\t\w+_KNOBS\(DCC_KNOB_\w+, \d+\)",
                    re.DOTALL | re.MULTILINE)
# With blanks on both sides: a sign is binary, a star no pointer's
OPERATOR = re.compile(r"(?<=\s)(?:<=|>=|==|!=|<|>|&&|\|\||[-+*/])(?=\s)")
LIMIT = re.compile(r"\b(?:min|max)(?:_t)?(?=\()")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?=U?L{0,2}\b)")
CONDITION = re.compile(r"\bif \((?P<what>[^\n{}]*)\)$", re.MULTILINE)
STATEMENT = re.compile(r"^\t+(?P<what>(?:[a-z_]\w*[\w.>\[\]-]* (?:[-+*/|&]|<<|>>)?= |[a-z_]\w*\()"
                       r"[^\n;{}]*;|[\w.>-]+(?:\+\+|--);)$", re.MULTILINE)


class Fault(NamedTuple):
    """One change of a text: what stands from start to end becomes another."""

    start: int
    end: int
    new: str

    def planted(self, text):
        """The text with it."""
        return text[:self.start] + self.new + text[self.end:]

    def told(self, text):
        """Where, and the line before and after."""
        begin, stop = text.rfind("\n", 0, self.start) + 1, text.find("\n", self.end)
        line = text.count("\n", 0, self.start) + 1
        after = text[begin:self.start] + self.new + text[self.end:stop]
        return f"line {line}: {' '.join(text[begin:stop].split())} -> {' '.join(after.split())}"


def _blank(found):
    """As many characters that say nothing."""
    return re.sub(r"[^\n]", " ", found[0])


def every(text):
    """All faults of a file, in its order."""
    code = SILENT.sub(_blank, text)
    found = [Fault(*at.span(), SWAPPED[at[0]]) for kind in (OPERATOR, LIMIT)
             for at in kind.finditer(code)]
    found += [Fault(*at.span(1), str(int(at[1]) + 1)) for at in NUMBER.finditer(code)]
    found += [Fault(*at.span("what"), f"!({at['what']})") for at in CONDITION.finditer(code)]
    found += [Fault(*at.span("what"), ";") for at in STATEMENT.finditer(code)]
    return sorted(found)


def sample(text, count, seed):
    """So many of them, chosen by the seed, in the file's order."""
    found = every(text)
    return sorted(random.Random(seed).sample(found, min(count, len(found))))
