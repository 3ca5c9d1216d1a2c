# SPDX-License-Identifier: GPL-2.0
"""The text of a scenario into statements: comments, variables, words."""

import re
from dataclasses import dataclass

from .errors import unknown

_VARIABLE = re.compile(r"\$(?:(\$)|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|(.?))")
_NAME = re.compile(r"[A-Za-z_]\w*$")
_WORD = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass
class Statement:
    """One line: its number, its words, and its text after substitution."""

    line: int
    words: list
    text: str


def strip_comment(text):
    """Without what follows a # at the start of a word, outside quotes."""
    quoted = False
    for at, char in enumerate(text):
        if char == '"' and (at == 0 or text[at - 1] != "\\"):
            quoted = not quoted
        if char == "#" and not quoted and (at == 0 or text[at - 1].isspace()):
            return text[:at]
    return text


def substitute(text, variables, report):
    """Replace $NAME and ${NAME}; $$ is a dollar."""
    def value(match):
        dollar, braced, plain, _ = match.groups()
        if dollar:
            return "$"
        name = braced or plain
        if name is None:
            report(f"'{match.group(0)}' is no variable; allowed: $NAME, ${{NAME}}"
                   " or $$ for a dollar")
            return ""
        if name not in variables:
            report(unknown("the variable", name, variables))
            return "0"
        return variables[name]
    return _VARIABLE.sub(value, text)


def used(text):
    """The names of the variables in a text."""
    return {match[2] or match[3] for match in _VARIABLE.finditer(text)} - {None}


def split_words(text, report):
    """Words by white space; "..." keeps white space, \\" is a quote."""
    rest = _WORD.sub("", text).strip()
    if rest:
        report(f"'{rest}' has an opening quote without a closing one; allowed:"
               ' "text"')
        return []
    return [_QUOTED.sub(lambda match: re.sub(r"\\(.)", r"\1", match.group(1)),
                        word) for word in _WORD.findall(text)]


def statements(text, sets, problems):
    """The statements of a scenario and its variables; `set` lines are done.

    They are read first, wherever they stand. `sets` overrides the file's own
    values; a name the file never sets is an error, as the override would have
    no effect.
    """
    lines = [(number, strip_comment(raw).strip())
             for number, raw in enumerate(text.splitlines(), 1)]
    variables, found = {}, []
    unread = set()                      # variables whose own value could not be read
    for number, line in lines:
        if line.split(None, 1)[:1] == ["set"]:
            _set(line, variables, sets, lambda said: problems.add(number, said))
            if not used(line) <= variables.keys() - unread:
                unread.update(line.split()[1:2])
    for name in sets:
        if name not in variables:
            problems.add(0, unknown("--set: the variable", name, variables))
    for number, line in lines:
        if line.split(None, 1)[:1] != ["set"]:
            def report(said, line=number):
                problems.add(line, said)
            names = used(line)
            line = substitute(line, variables, report)
            if not names <= variables.keys() - unread:
                problems.close(number)
            words = split_words(line, report)
            if words:
                found.append(Statement(number, words, line))
    return found, variables


def _set(line, variables, sets, report):
    """`set NAME VALUE`; the value may use variables set above."""
    words = line.split(None, 2)
    if len(words) < 3 or not _NAME.match(words[1]):
        report(f"'{line}' sets nothing; allowed: set NAME VALUE, a name of"
               " letters, digits and _")
    elif words[1] in variables:
        report(f"'{words[1]}' is set twice; allowed: once")
    else:
        value = substitute(words[2], variables, report)
        variables[words[1]] = str(sets.get(words[1], value))
