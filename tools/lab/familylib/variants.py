# SPDX-License-Identifier: GPL-2.0
"""Algorithms and controls: what a user would pick, as lines of a scenario."""

from dataclasses import dataclass

from lablib import algorithms
from lablib.errors import LabError, unknown

STOCK = ("cubic", "dctcp", "bbr")
SPRAY, PLB = "oblivious", "plb"


@dataclass(frozen=True)
class Variant:
    """An algorithm, and how its packets choose their ways."""

    name: str
    cc: str
    lines: tuple

    def of(self, case):
        """The scenario of a case, by this algorithm."""
        title, _, *rest = case.lines
        return "\n".join([title, f"set cc {self.cc}", *rest[:1], *self.lines, *rest[1:], ""])


def _plain(cc):
    return Variant(cc, cc, ())


def _sprayed(cc, selector):
    own = f"{cc}." if cc in algorithms.ours() else ""
    return Variant(f"{cc}+{selector}", cc, (f"host * knob {own}spray={selector}",))


def _plb(cc):
    """The kernel's own: a flow that was marked for some rounds takes another way."""
    return Variant(f"{cc}+{PLB}", cc, ("host * sysctl net.ipv4.tcp_ecn=1"
                                       " net.ipv4.tcp_plb_enabled=1",))


def _selectors(cc):
    """Names of the path selectors that can serve an algorithm."""
    module = algorithms.ours().get(cc)
    return algorithms.knobs(module)["spray"].words[1:] if module else (SPRAY,)


def ours():
    """Names of the algorithms that share a network with others as they come."""
    return [name for name in algorithms.ours() if name not in ("lswift", "ledbat",
                                                               "prioplus_ledbat")]


def of(case):
    """The variants that a case is run by, when nothing is said."""
    if case.algorithms:
        return [_plain(cc) for cc in case.algorithms]
    if not case.sprayed:
        return [_plain(cc) for cc in (*ours(), *STOCK)]
    return [*(_sprayed(cc, "auto") for cc in ours()), *map(_plain, STOCK), _plb("dctcp"),
            *(_sprayed(cc, SPRAY) for cc in STOCK)]


def named(name):
    """'mswift', 'mswift+reps', 'dctcp+plb'."""
    cc, plus, how = name.partition("+")
    allowed = (*algorithms.ours(), *STOCK)
    if cc not in allowed:
        raise LabError(unknown("the algorithm", cc, allowed))
    if not plus:
        return _plain(cc)
    if how == PLB:
        return _plb(cc)
    if how not in _selectors(cc):
        raise LabError(unknown(f"how '{cc}' is to choose ways,", how, (*_selectors(cc), PLB)))
    return _sprayed(cc, how)
