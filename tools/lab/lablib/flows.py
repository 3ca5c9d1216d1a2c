# SPDX-License-Identifier: GPL-2.0
"""Flows and workloads: who sends what to whom, and when."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from . import flowfile, units
from .errors import BadValue
from .keys import Key, between, choice, count, read_keys, word

FLOWS_MAX = 20000               # ports from FIRST_PORT stay below ephemeral ones
FIRST_PORT = 10000
FOREVER = 0                     # the plan's bytes= of a flow that sends on and on
DEFAULT_SIZE = 8 * 10**6
WRITES_MAX = 1000
REQUEST_MAX = 4096              # bytes: one send() of the agent takes it whole
CALLS_MAX = 10**6
SUBFLOWS_MAX = 8                # of an MPTCP connection: the kernel's path manager
SCALE_MAX = 1000
WAITS_MAX = 10**6               # of all flows, for others by `after`
NS_PER_S = 10**9
BITS = 8
BY_SIZE = "size"                # instead of a number: by the groups of sizegroups
CLASSES = 8                     # of the class selector of a DSCP, its upper three bits
SELECTOR_SHIFT = 3
# ln() of a Decimal is rounded correctly, so the same on every machine.
EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN)


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
        """Is it without a size?"""
        return self.size == FOREVER

    @property
    def response(self):
        """Bytes that one request brings; of a flow without any, all."""
        return self.size // (self.keys.get("calls") or 1)

    @property
    def endless(self):
        """Does it send until the run stops?"""
        return self.forever and not self.keys.get("lasts")


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


def _factor(text):
    value, kind = units.parse_any(text)
    if kind not in ("", "%") or not 0 < value <= SCALE_MAX:
        raise BadValue(f"'{text}' is not a factor; allowed: more than 0 and up to"
                       f" {SCALE_MAX}, like 0.1 or 10%")
    return Fraction(value)


def _load(text):
    value = units.parse_fraction(text)
    if not value:
        raise BadValue(f"'{text}' is no load; allowed: more than 0, up to 100%")
    return Fraction(value)


def _or_by_size(low, high):
    """A whole number, or the word that it follows from the flow's size."""
    number = count(low, high)

    def read(text):
        if text == BY_SIZE:
            return text
        try:
            return number(text)
        except BadValue as bad:
            raise BadValue(f"{bad}, or {BY_SIZE}") from None
    return read


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
    "request": Key(between(units.parse_size, 1, REQUEST_MAX, f"1B to {REQUEST_MAX}B"),
                   meaning="the target asks first, with so many bytes"),
    "calls": Key(count(1, CALLS_MAX), meaning="with request: so many times, each for size"),
    "prio": Key(_or_by_size(0, 15), meaning="SO_PRIORITY, or size: by sizegroups"),
    "dscp": Key(_or_by_size(0, 63), meaning="DSCP of its packets, or size"),
    "ackdscp": Key(count(0, 63), meaning="DSCP of its receiver's packets"),
    "maxrate": Key(_some_rate, meaning="SO_MAX_PACING_RATE"),
    "drain": Key(_some_rate, meaning="the receiver reads no faster"),
    "lasts": Key(_some_time, meaning="with size=forever: sends for so long"),
    "warm": Key(units.parse_time, 0, meaning="connects so long before its start"),
    "mptcp": Key(count(0, SUBFLOWS_MAX), 0, meaning="MPTCP, with so many subflows; 0: TCP"),
    "sndbuf": Key(_buffer, meaning="SO_SNDBUF"),
    "rcvbuf": Key(_buffer, meaning="SO_RCVBUF"),
}
AFTER = {"after": Key(_names, meaning="flows that must have finished, a,b*,...")}
SINGLE_KEYS = {
    **FLOW_KEYS, **AFTER,
    "count": Key(count(1, FLOWS_MAX), meaning="so many alike, NAME.1, ..."),
    "spacing": Key(units.parse_time, 0, meaning="between their starts"),
}
WORKLOAD_KEYS = {
    **FLOW_KEYS, **AFTER,
    "name": Key(word, meaning="prefix of its flows' names"),
    "hosts": Key(word, "*", meaning="who takes part: globs, a*,b1,..."),
}


@dataclass
class Made:
    """A flow a workload wants: which part of it, from, to, other keys.

    `waits` are the places, in the workload's list, of flows it starts after.
    """

    part: str
    source: str
    target: str
    keys: dict = field(default_factory=dict)
    waits: list = field(default_factory=list)


def _permutation(draw, _network, hosts, keys):
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
    for key in ("cc", "dscp", "mptcp"):
        if keys[f"elephant_{key}"] is not None:
            own[key] = keys[f"elephant_{key}"]
    big = [host for host in hosts if host in apart]
    return flows + [Made("elephant", *pair, own)
                    for pair in draw.permutation(big)]


def _incast(draw, _network, hosts, keys):
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


def _placed(draw, hosts, block):
    """The hosts with blocks of so many neighbours in random order; 0: as they are."""
    if not block:
        return hosts
    if len(hosts) % block:
        raise BadValue(f"shuffle: '{block}' does not divide the {len(hosts)} hosts;"
                       " allowed: a number that does")
    blocks = [hosts[at:at + block] for at in range(0, len(hosts), block)]
    return [host for chosen in draw.shuffled(blocks) for host in chosen]


def _dealt(hosts, keys):
    """The hosts dealt out in turn to so many groups, each with its own traffic."""
    number = keys["groups"]
    if len(hosts) < 2 * number:
        raise BadValue(f"groups: '{number}' of {len(hosts)} hosts leaves one alone;"
                       f" allowed: 1 to {len(hosts) // 2}")
    return [hosts[first::number] for first in range(number)]


def _alltoall(_draw, _network, hosts, keys):
    """Everyone sends to everyone else, each beginning with its neighbour."""
    return [Made("", host, group[(number + step) % len(group)])
            for group in _dealt(hosts, keys)
            for step in range(1, len(group))
            for number, host in enumerate(group)]


def _ring(draw, _network, hosts, keys):
    """Steps around a ring: each host passes on what the step before brought it.

    An all-reduce of n hosts is 2 (n - 1) steps, each of an n-th of the data.
    """
    flows = []
    for group in _dealt(_placed(draw, hosts, keys["shuffle"]), keys):
        for step in range(keys["steps"] or 2 * (len(group) - 1)):
            first = len(flows) - len(group)
            for number, host in enumerate(group):
                received = first + (number - 1) % len(group)
                later = {"start": keys["wait"], "after": None} if step else {}
                flows.append(Made("", host, group[(number + 1) % len(group)],
                                  later, [received] if step else []))
    return flows


def _ends(network, hosts, leaving):
    """bit/s of the links that these hosts send over, or receive over."""
    total = 0
    for host in hosts:
        for link, direction in network.leaving(host):
            way = direction if leaving else {"ab": "ba", "ba": "ab"}[direction]
            total += link.params[way]["rate"]
    return total


def _rate_of(network, text, sources, targets):
    """What load= is a share of, in bit/s: a rate, links, or the hosts' own."""
    if text is None:
        return min(_ends(network, sources, True), _ends(network, targets, False))
    if text[0].isdigit():
        return _some_rate(text)
    links = {}
    for link, direction in network.select(text):
        rate = link.params[direction]["rate"]
        links[link.name] = min(rate, links.get(link.name, rate))
    if not links:
        raise BadValue(f"'{text}' is neither a rate nor a link; allowed: like 10Gbps,"
                       f" or a link: {', '.join(list(network.links)[:8])}")
    return sum(links.values())


def _exponential(draw):
    """A draw with mean 1."""
    below = EXACT.divide(Decimal(2 * draw.bits() + 1), Decimal(2**65))
    return -EXACT.ln(below)


def _arrivals(draw, start, end, mean):
    """The times of a Poisson process, in whole ns."""
    now = Decimal(start)
    mean = EXACT.divide(Decimal(mean.numerator), Decimal(mean.denominator))
    while True:
        now = EXACT.add(now, EXACT.multiply(_exponential(draw), mean))
        if now >= end:
            return
        yield int(now.to_integral_value(rounding=ROUND_HALF_EVEN))


def _poisson(draw, network, hosts, keys):
    """Flows of random size between random pairs, at random times."""
    for key in ("sizes", "load", "until"):
        if keys[key] is None:
            raise BadValue(f"poisson has no {key}; allowed: workload poisson"
                           " sizes=NAME|FILE load=SHARE until=TIME")
    sources, targets = keys["from"] or hosts, keys["to"] or hosts
    if len(set(sources + targets)) < 2:
        raise BadValue(f"nobody but {sources[0]} takes part; allowed: two hosts")
    if keys["until"] <= keys["start"]:
        raise BadValue(f"until: '{units.write_time(keys['until'])}' is not after the"
                       f" start; allowed: more than {units.write_time(keys['start'])}")
    rate = keys["load"] * _rate_of(network, keys["of"], sources, targets)
    if not rate:
        raise BadValue("nothing is carried at this load, or by the links that are left;"
                       " allowed: load= above 0, and links that work")
    mean = keys["sizes"].mean() * BITS * NS_PER_S / rate
    if (keys["until"] - keys["start"]) / mean > FLOWS_MAX:
        raise BadValue(f"a flow every {units.write_time(float(mean))} makes more than"
                       f" {FLOWS_MAX} until {units.write_time(keys['until'])};"
                       " allowed: fewer")
    flows = []
    for when in _arrivals(draw, keys["start"], keys["until"], mean):
        flows.append(Made("", *_pair(draw, sources, targets),
                          {"start": when, "size": keys["sizes"].draw(draw)}))
    return flows


def _pair(draw, sources, targets):
    """Two different hosts, all such pairs equally likely."""
    while True:
        pair = (sources[draw.below(len(sources))], targets[draw.below(len(targets))])
        if pair[0] != pair[1]:
            return pair


def _own_keys(entry):
    """What a line of a file of flows says of its flow beyond who, when and how much."""
    def refuse(text):
        raise BadValue(text)
    return read_keys(entry.words, {name: key for name, key in FLOW_KEYS.items()
                                   if name not in ("start", "size")}, refuse)


def _from_file(_draw, _network, hosts, keys):
    """The flows of a file, as they stand there."""
    if keys["file"] is None:
        raise BadValue("trace has no file; allowed: workload trace file=FILE")
    found = []
    for entry in keys["file"]:
        try:
            source, target = (flowfile.host(name, hosts) for name in (entry.source, entry.target))
            if source == target:
                raise BadValue(f"'{source}' sends to itself; allowed: two hosts")
            found.append(Made("", source, target, {
                **_own_keys(entry), "start": keys["start"] + round(entry.start * keys["stretch"]),
                "size": max(round(entry.size * keys["scale"]), 1)}))
        except BadValue as bad:
            raise BadValue(f"{entry.where}: {bad}") from None
    return found


_groups = Key(count(1, 1000), 1, meaning="hosts dealt out to so many groups")

# Kind -> (its own keys, function). A new workload is one entry.
WORKLOADS = {
    "permutation": ({"elephants": Key(count(0, 1000), 0,
                                      meaning="so many long-lived flows apart"),
                     "elephant_cc": Key(word, meaning="their own algorithm"),
                     "elephant_dscp": Key(count(0, 63), meaning="their own DSCP"),
                     "elephant_mptcp": Key(count(0, SUBFLOWS_MAX),
                                           meaning="their own number of subflows")},
                    _permutation),
    "incast": ({"n": Key(count(1, FLOWS_MAX), meaning="senders"),
                "to": Key(word, meaning="the receiver"),
                "repeat": Key(choice("yes", "no"), "no",
                              meaning="may a host send more than one flow?")},
               _incast),
    "alltoall": ({"groups": _groups}, _alltoall),
    "ring": ({"groups": _groups,
              "shuffle": Key(count(0, 1000), 0,
                             meaning="blocks of so many hosts in random order"),
              "steps": Key(count(1, 10000), meaning="default: of an all-reduce"),
              "wait": Key(units.parse_time, 0,
                          meaning="from what was received to the next step")},
             _ring),
    "poisson": ({"sizes": Key(word, meaning="distribution, a name or a file"),
                 "scale": Key(_factor, Fraction(1), meaning="of the sizes"),
                 "load": Key(_load, meaning="share that the payload takes on average"),
                 "of": Key(word, meaning="of that rate, or of these links"),
                 "from": Key(word, meaning="who sends: globs; default: hosts"),
                 "to": Key(word, meaning="who receives: globs; default: hosts"),
                 "until": Key(_some_time, meaning="when the last one may start")},
                _poisson),
    "trace": ({"file": Key(word, meaning="of lines " + flowfile.LINE),
               "scale": Key(_factor, Fraction(1), meaning="of the sizes"),
               "stretch": Key(_factor, Fraction(1), meaning="of the starts")},
              _from_file),
}
