# SPDX-License-Identifier: GPL-2.0
"""What can go wrong, with the exit code each kind leads to."""

import difflib

EXIT_OK = 0
EXIT_EXPECT = 1         # an `expect` of the scenario did not hold
EXIT_USAGE = 2          # the scenario or the command line is wrong
EXIT_RUN = 3            # the guest failed, or did not run what was asked
EXIT_INTERRUPTED = 130  # Ctrl-C, as a shell reports it

SHOWN_CHOICES = 24      # more names than this are not listed in a message


class LabError(Exception):
    """Anything the lab refuses; the message is all the user needs."""

    exit_code = EXIT_USAGE


class RunError(LabError):
    """The guest failed or did something else than the scenario asked."""

    exit_code = EXIT_RUN


class BadValue(Exception):
    """A value that cannot be read; the caller knows file and line."""


class ProblemsError(LabError):
    """Everything that is wrong with a scenario, in the order of its lines."""

    def __init__(self, problems):
        self.problems = sorted(problems, key=lambda problem: problem[1])
        super().__init__("\n".join(
            f"{name}:{line}: {text}" for name, line, text in self.problems))


class Problems:
    """Collects what is wrong with one file, so that all of it is reported."""

    def __init__(self, name):
        self.name = name
        self.found = []
        self.closed = set()

    def add(self, line, text):
        """Remember one problem, once."""
        if line not in self.closed and (self.name, line, text) not in self.found:
            self.found.append((self.name, line, text))

    def close(self, line):
        """A line that cannot be read: what else would be said of it is not its fault."""
        self.closed.add(line)

    def report_for(self, line):
        """A function that adds problems of one line."""
        return lambda text: self.add(line, text)

    def check(self):
        """Raise if there is any."""
        if self.found:
            raise ProblemsError(self.found)


def unknown(what, name, allowed):
    """The message for a name that is not among those allowed."""
    allowed = [str(choice) for choice in allowed]
    text = f"{what} '{name}' is unknown"
    close = difflib.get_close_matches(name, allowed, n=1)
    if close:
        text += f"; did you mean '{close[0]}'?"
    if not allowed:
        return text + "; none is defined here"
    if len(allowed) > SHOWN_CHOICES:
        shown = ", ".join(allowed[:SHOWN_CHOICES])
        return text + f"; allowed: {shown}, ... ({len(allowed)} in all)"
    return text + "; allowed: " + ", ".join(allowed)
