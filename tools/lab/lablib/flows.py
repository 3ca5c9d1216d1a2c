# SPDX-License-Identifier: GPL-2.0
"""Flows and workloads: who sends what to whom, and when."""

from dataclasses import dataclass, field

from . import units
from .errors import BadValue
from .keys import Key, between, choice, count, word

FLOWS_MAX = 20000               # ports from FIRST_PORT stay below ephemeral ones
FIRST_PORT = 10000
FOREVER = 0                     # the plan's bytes= of a flow that sends on and on
DEFAULT_SIZE = 8 * 10**6
WRITES_MAX = 1000


@dataclass
class Flow:
    """One TCP transfer."""

    name: str
    source: str
    target: str
    keys: dict = field(default_factory=dict)
    line: int = 0
    port: int = 0

    def __getattr__(self, key):
        try:
            return self.__dict__["keys"][key]
        except KeyError:
            raise AttributeError(key) from None

    @property
    def forever(self):
        """Does it send until the run stops?"""
        return self.size == FOREVER


def _size(text):
    if text == "forever":
        return FOREVER
    value = units.parse_size(text)
    if value == 0:
        raise BadValue("'0' is no size; allowed: 1B or more, or forever")
    return value


def _names(text):
    return [word(name) for name in text.split(",")]


_some_rate = between(units.parse_rate, 1, units.RATE_MAX, "1bps to 1000Tbps")
_some_time = between(units.parse_time, 1, units.TIME_MAX, "1ns to 1000s")
_buffer = between(units.parse_size, 4096, 2**30, "4096B to 1GiB")
_write = between(units.parse_size, 1, 2**20, "1B to 1MiB")

FLOW_KEYS = {
    "size": Key(_size, DEFAULT_SIZE, meaning="bytes to send, or forever"),
    "start": Key(units.parse_time, 0, meaning="when, or wait after `after`"),
    "jitter": Key(units.parse_time, 0, meaning="random extra start, up to"),
    "cc": Key(word, "-", meaning="congestion control; default: the host's"),
    "family": Key(count(4, 6), 6, meaning="4 or 6"),
    "rate": Key(_some_rate, meaning="the application writes no faster"),
    "on": Key(_some_time, meaning="on-off source: time on"),
    "off": Key(_some_time, meaning="on-off source: time off"),
    "write": Key(_write, meaning="with rate: bytes of one write"),
    "writes": Key(count(1, WRITES_MAX), meaning="writes at a time, one after the other"),
    "prio": Key(count(0, 15), meaning="SO_PRIORITY"),
    "dscp": Key(count(0, 63), meaning="DSCP of its packets"),
    "maxrate": Key(_some_rate, meaning="SO_MAX_PACING_RATE"),
    "drain": Key(_some_rate, meaning="the receiver reads no faster"),
    "warm": Key(units.parse_time, 0, meaning="connects so long before its start"),
    "sndbuf": Key(_buffer, meaning="SO_SNDBUF"),
    "rcvbuf": Key(_buffer, meaning="SO_RCVBUF"),
}
SINGLE_KEYS = {
    **FLOW_KEYS,
    "after": Key(_names, meaning="flows that must have finished, a,b,..."),
    "count": Key(count(1, FLOWS_MAX), meaning="so many alike, NAME.1, ..."),
    "spacing": Key(units.parse_time, 0, meaning="between their starts"),
}
WORKLOAD_KEYS = {
    **FLOW_KEYS,
    "name": Key(word, meaning="prefix of its flows' names"),
    "hosts": Key(word, "*", meaning="who takes part, a glob"),
}


@dataclass
class Made:
    """A flow a workload wants: which part of it, from, to, other keys."""

    part: str
    source: str
    target: str
    keys: dict = field(default_factory=dict)


def _permutation(draw, hosts, keys):
    """Everyone sends to one other and receives from one other.

    With elephants=K, K random hosts are set apart: K long-lived flows in a
    random permutation among them, and the others' permutation without them.
    """
    aside = keys["elephants"]
    if aside == 1 or len(hosts) - aside in (1,) or aside > len(hosts):
        raise BadValue(f"elephants: '{aside}' of {len(hosts)} hosts leaves"
                       " nobody to send to; allowed: 0, or 2 to"
                       f" {len(hosts)} without {len(hosts) - 1}")
    mixed = draw.shuffled(hosts)
    apart = set(mixed[:aside])
    rest = [host for host in hosts if host not in apart]
    flows = [Made("", *pair) for pair in draw.permutation(rest)]
    own = {"size": FOREVER}
    if keys["elephant_cc"]:
        own["cc"] = keys["elephant_cc"]
    big = [host for host in hosts if host in apart]
    return flows + [Made("elephant", *pair, own)
                    for pair in draw.permutation(big)]


def _incast(draw, hosts, keys):
    """N hosts send to one: a named one, or a random one."""
    target = keys["to"] or hosts[draw.below(len(hosts))]
    if target not in hosts:
        raise BadValue(f"to: '{target}' is not among the hosts; allowed: "
                       + ", ".join(hosts[:8]))
    senders = [host for host in hosts if host != target]
    wanted = keys["n"] or len(senders)
    if wanted > len(senders) and not keys["repeat"] == "yes":
        raise BadValue(f"n: '{wanted}' senders wanted; allowed: up to"
                       f" {len(senders)}, or more with repeat=yes")
    order = draw.shuffled(senders)
    return [Made("", order[number % len(order)], target)
            for number in range(wanted)]


def _alltoall(_draw, hosts, _keys):
    """Everyone sends to everyone else, each beginning with its neighbour."""
    return [Made("", host, hosts[(number + step) % len(hosts)])
            for step in range(1, len(hosts))
            for number, host in enumerate(hosts)]


# Kind -> (its own keys, function). A new workload is one entry.
WORKLOADS = {
    "permutation": ({"elephants": Key(count(0, 1000), 0,
                                      meaning="so many long-lived flows apart"),
                     "elephant_cc": Key(word, meaning="their own algorithm")},
                    _permutation),
    "incast": ({"n": Key(count(1, FLOWS_MAX), meaning="senders"),
                "to": Key(word, meaning="the receiver"),
                "repeat": Key(choice("yes", "no"), "no",
                              meaning="may a host send more than one flow?")},
               _incast),
    "alltoall": ({}, _alltoall),
}
