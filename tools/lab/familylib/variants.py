# SPDX-License-Identifier: GPL-2.0
"""Algorithms and controls: what a user would pick, as lines of a scenario."""

import re
from dataclasses import dataclass, replace

from lablib import algorithms
from lablib.errors import LabError, unknown

STOCK = ("cubic", "dctcp", "bbr")
SPRAY, PLB = "oblivious", "plb"
SUBFLOWS = {"mptcp4": 4, "mptcp8": 8}    # a connection's
# Those that stand beside the others: Linux' default, and the shortest queues.
MPTCP = (("cubic", "mptcp8"), ("dctcp", "mptcp4"), ("dctcp", "mptcp8"))
# Parts whose switch is a number, and what that is where they are off, or the reference's.
NUMBERS = ("drain_rtts=0", "delay_gain=125")


@dataclass(frozen=True)
class Variant:
    """An algorithm, and how its packets choose their ways."""

    name: str
    cc: str
    lines: tuple
    subflows: int = 0           # 0: TCP

    def _connection(self, said):
        """What an algorithm is said of is MPTCP, where it is this one."""
        return f"{said[0]} {said[1] or ''}mptcp={self.subflows if said[2] == '$cc' else 0}"

    def of(self, case):
        """The scenario of a case, by this algorithm."""
        title, _, *rest = case.lines
        if self.subflows:
            rest = [re.sub(r"\b(elephant_)?cc=(\S+)", self._connection, line) for line in rest]
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


def _mptcp(cc, how):
    return Variant(f"{cc}+{how}", cc, (), SUBFLOWS[how])


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
            *(_mptcp(*control) for control in MPTCP), *(_sprayed(cc, SPRAY) for cc in STOCK)]


def named(name):
    """'mswift', 'mswift+reps', 'dctcp+plb', 'dctcp+mptcp8', 'oscar:ramp=off'."""
    first, *settings = name.split(":")
    if not settings:
        return _chosen(name)
    chosen = _chosen(first)
    knobs = " ".join(f"{chosen.cc}.{setting}" for setting in settings)
    return replace(chosen, name=name, lines=(*chosen.lines, f"host * knob {knobs}"))


def switches(cc):
    """What can be switched off of an algorithm, as settings."""
    allowed = algorithms.ours()
    if cc not in allowed:
        raise LabError(unknown("the algorithm", cc, allowed))
    knobs = algorithms.knobs(allowed[cc])
    return [*(f"{name}=off" for name, knob in knobs.items() if knob.words == ["off", "on"]),
            *(setting for setting in NUMBERS if setting.partition("=")[0] in knobs)]


def ablated(cc):
    """An algorithm whole, without each of its parts, with each alone, and without any.

    'oscar', or 'oscar+auto' where there are several ways.
    """
    parts = switches(cc.partition("+")[0])
    alone = ([other for other in parts if other != part] for part in parts)
    return list(dict.fromkeys([cc, *(f"{cc}:{part}" for part in parts),
                               *(":".join([cc, *others]) for others in alone),
                               ":".join([cc, *parts])]))


def _chosen(name):
    cc, plus, how = name.partition("+")
    allowed = (*algorithms.ours(), *STOCK)
    if cc not in allowed:
        raise LabError(unknown("the algorithm", cc, allowed))
    if not plus:
        return _plain(cc)
    if how == PLB:
        return _plb(cc)
    if how in SUBFLOWS:
        return _mptcp(cc, how)
    if how not in _selectors(cc):
        raise LabError(unknown(f"how '{cc}' is to choose ways,", how,
                               (*_selectors(cc), PLB, *SUBFLOWS)))
    return _sprayed(cc, how)
