# SPDX-License-Identifier: GPL-2.0
"""A scenario: its directives, read and checked before anything boots.

Reading goes by phases, not by lines: a `link` line may stand above or below
the `topology` it changes. Every problem of the file is collected, with its
line, what was read and what is allowed.
"""

import copy
import fnmatch
import hashlib
import os
import re
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

from . import algorithms, bound, expect, flowfile, graph, lexer, sizes, topology, units
from .draw import Draw
from .errors import BadValue, LabError, Problems, unknown
from .flows import (BY_SIZE, CLASSES, FIRST_PORT, FOREVER, FLOW_KEYS, FLOWS_MAX, SELECTOR_SHIFT,
                    SINGLE_KEYS, WAITS_MAX, WORKLOAD_KEYS, WORKLOADS, Flow)
from .keys import (Key, between, choice, count, read_keys, split_word,
                   with_defaults, word)

DEFAULT_SEED = 1
SEED_MAX = 2**32 - 1
DEFAULT_STOP = 60 * 10**9       # ns of virtual time, of runs that end when done
DEFAULT_WALL = 600 * 10**9      # ns of wall time
WATCH = {"trace": 1, "pcap": 2}  # bits of a direction's trace= in the plan
SAMPLE_MIN = 1000               # ns; finer than this is a trace, not a sample
SAMPLES_MAX = 2 * 10**6
DEFAULT_SIZE_GROUPS = [10**4, 10**5, 10**6, 10**7]      # bytes
KBUILD_NAMES = ("Kbuild", "Makefile")   # what kbuild reads in a folder of sources
ELF = b"\x7fELF"
THIS_MODULE = b".gnu.linkonce.this_module"      # the section that makes an object a module
KINDS = (*topology.TOPOLOGIES, graph.KIND)
_SYSCTL = re.compile(r"[a-z0-9_]+([./][A-Za-z0-9_.-]+)+$")


@dataclass
class Module:
    """A module to load: a path, or the name of one of ours."""

    path: str
    params: list
    provides: list
    line: int

    @property
    def own(self):
        """Is it this project's?"""
        return "/" not in self.path and not self.path.endswith(".ko")


@dataclass
class Timed:
    """A change at a given time: the plan's words after `at <ns>`."""

    when: int
    words: list
    line: int = 0


class Scenario:
    """What a scenario file says, checked."""

    def __init__(self, name, seed):
        self.name = name
        self.file = name                # as messages name it
        self.title = name
        self.seed = seed
        self.text = ""
        self.text_hash = ""
        self.variables = {}
        self.network = None
        self.modules = []
        self.sysctls = []               # (node, sysctl, value, line), in order
        self.commands = []              # (node, command, line)
        self.host_routes = {}           # host -> {of ROUTE_KEYS: value}
        self.route_lines = {}           # host -> the last line that says so
        self.ideal_receivers = set()
        self.routing = {"mode": "ecmp", "policy": 0, "quantum": 0, "marked": "adaptive"}
        self.flows = []
        self.groups = {}                # name of a workload's part -> hosts
        self.timed = []
        self.expects = []
        self.sample = 0
        self.recorded = []              # names of flows whose decisions are written
        self.labelled = []              # names of flows whose labels are
        self.size_groups = DEFAULT_SIZE_GROUPS
        self.stop = None
        self.until = "all"
        self.wall = DEFAULT_WALL
        self.mem = None
        self.used_algorithms = {}       # name -> first line
        self.needs_helper = False       # net.dcc.* knobs are set

    def subflows(self):
        """Of an MPTCP connection that a host opens: host -> number."""
        return {flow.source: flow.mptcp for flow in self.flows if flow.mptcp}

    def flow_names(self):
        """In order."""
        return [flow.name for flow in self.flows]


class Reader:
    """Carries the state of reading one scenario."""

    def __init__(self, scenario, problems, folder, seed_given):
        self.scenario = scenario
        self.problems = problems
        self.folder = folder
        self.seed_given = seed_given
        self.defaults = {}
        self.tolerance = 0.0
        self.available = {}
        self.changing = {}              # link directions as timed changes go
        self.drawn = []                 # statements that draw a graph

    def report_for(self, line):
        """A function that reports problems of one line."""
        return self.problems.report_for(line)

    def read(self, statements):
        """All statements, phase by phase."""
        known = {}
        self.drawn = graph.drawing(statements)
        drawn = {statement.line for statement in self.drawn}
        for statement in statements:
            name = statement.words[0]
            if statement.line in drawn:
                continue
            if name in DIRECTIVES:
                known.setdefault(DIRECTIVES[name][0], []).append(statement)
            else:
                self.problems.add(statement.line, unknown(
                    "the directive", name, [*DIRECTIVES, "set"]))
        self._refuse_seconds(statements)
        for phase in sorted(set(DIRECTIVES[name][0] for name in DIRECTIVES)):
            if phase == PHASE_NETWORK + 1 and self.scenario.network is None:
                if not known.get(PHASE_NETWORK):
                    self.problems.add(0, "no topology; allowed: a line topology "
                                      + "|".join(KINDS))
                return
            for statement in sorted(known.get(phase, ()), key=_when):
                self._statement(statement)
        self.finish()

    def _refuse_seconds(self, statements):
        """A second line of some kinds would quietly undo the first."""
        first = {}
        for statement in statements:
            name = statement.words[0]
            if name in ONCE and first.setdefault(name, statement.line) != statement.line:
                self.problems.add(statement.line, f"a second line '{name}', the first is"
                                  f" line {first[name]}; allowed: one")

    def _statement(self, statement):
        try:
            DIRECTIVES[statement.words[0]][1](self, statement)
        except BadValue as bad:
            self.problems.add(statement.line, str(bad))

    # Selecting

    def select_links(self, selector):
        """(link, direction) pairs; none is an error."""
        found = self.scenario.network.select(selector)
        if not found:
            raise BadValue(unknown("the link", selector, [
                *topology.CLASSES, *self.scenario.network.links]))
        return found

    def select_nodes(self, pattern, names, what):
        """Names that a glob or @group matches; none is an error."""
        if pattern.startswith("@"):
            if pattern[1:] not in self.scenario.groups:
                raise BadValue(unknown("the group", pattern, [
                    "@" + name for name in self.scenario.groups]))
            return self.scenario.groups[pattern[1:]]
        found = [name for name in names if fnmatch.fnmatchcase(name, pattern)]
        if not found:
            raise BadValue(unknown(f"the {what}", pattern, names))
        return found

    def select_hosts(self, patterns):
        """Hosts by several globs, each once, in the order they are named."""
        hosts = self.scenario.network.hosts()
        return list(dict.fromkeys(name for pattern in patterns.split(",")
                                  for name in self.select_nodes(pattern, hosts, "host")))

    def use_algorithm(self, name, line):
        """Note that an algorithm is asked for; checked when all is read."""
        if name != "-":
            self.scenario.used_algorithms.setdefault(name, line)

    # The end of reading

    def finish(self):
        """What can be checked only when all lines are read."""
        scenario = self.scenario
        for name, line in scenario.used_algorithms.items():
            if name not in self.available:
                self.problems.add(line, unknown(
                    "the algorithm", name, sorted(self.available)))
        self._by_size()
        self._check_flows()
        self._check_subflows()
        self._check_end()
        for item in scenario.expects:
            if item.windowed and not scenario.sample:
                self.problems.add(item.line, "from= and to= need time series;"
                                  " allowed: with a line sample every=TIME")
        if scenario.sample and scenario.stop:
            self._check_samples()
        scenario.timed.sort(key=lambda timed: timed.when)

    def _by_size(self):
        """prio=size and dscp=size: the smaller the group of its size, the higher."""
        edges = self.scenario.size_groups
        for flow in self.scenario.flows:
            wanted = [key for key in ("prio", "dscp") if flow.keys[key] == BY_SIZE]
            if wanted and flow.forever:
                self.problems.add(flow.line, f"{wanted[0]}: the flow '{flow.name}' has no"
                                  " size to go by; allowed: a number")
                return
            if wanted and len(edges) >= CLASSES:
                self.problems.add(flow.line, f"{wanted[0]}: {len(edges) + 1} groups of"
                                  f" sizegroups; allowed by size: up to {CLASSES}")
                return
            level = len(edges) - bisect_left(edges, flow.size)
            for key in wanted:
                flow.keys[key] = level << SELECTOR_SHIFT if key == "dscp" else level

    def _check_way(self, flow, reach):
        """Where a link failed there may be none left; reach: who gets to a host."""
        if flow.target not in reach:
            reach[flow.target] = self.scenario.network.distances(flow.target)
        if flow.source in reach[flow.target]:
            return True
        self.problems.add(flow.line, f"the flow '{flow.name}' has no way from {flow.source}"
                          f" to {flow.target}: what `fail` took away was the last one")
        return False

    def _check_flows(self):
        names = self.scenario.flow_names()
        above, endless, reach = set(), set(), {}
        waits = sum(len(flow.keys.get("after") or ()) for flow in self.scenario.flows)
        if waits > WAITS_MAX:
            self.problems.add(0, f"after: {waits} waits of flows for others; allowed:"
                              f" up to {WAITS_MAX}")
        ways = bound.Ways(self.scenario.network)
        for flow in self.scenario.flows:
            for other in flow.keys.get("after") or ():
                if other not in above:
                    self.problems.add(flow.line, unknown(
                        "after: the flow", other, sorted(above))
                        + "; only flows above this one")
                elif other in endless:
                    self.problems.add(flow.line, f"after: the flow '{other}' never"
                                      " ends; allowed: flows with a size")
            if self._check_way(flow, reach):
                self._check_warm(ways, flow)
            if flow.name in above:
                self.problems.add(flow.line, f"the flow '{flow.name}' exists"
                                  " already; allowed: a name of its own")
            above.add(flow.name)
            if flow.endless:
                endless.add(flow.name)
        if len(names) > FLOWS_MAX:
            self.problems.add(0, f"{len(names)} flows; allowed: up to {FLOWS_MAX}")

    def _check_subflows(self):
        """A host's path manager knows one number for all its connections."""
        asked = {}
        for flow in self.scenario.flows:
            first = asked.setdefault(flow.source, flow.mptcp) if flow.mptcp else 0
            if first != flow.mptcp:
                self.problems.add(flow.line, f"mptcp: '{flow.mptcp}' of the flow '{flow.name}',"
                                  f" but {flow.source} has flows with {first}; allowed: one"
                                  " number a host")

    def _check_warm(self, ways, flow):
        """Is there time to connect and to send a byte each way?"""
        if not flow.warm:
            return
        need = -(-bound.Flow(ways, flow).warming
                 // bound.PS_PER_NS)
        if flow.warm < need:
            self.problems.add(flow.line, f"warm: '{units.write_time(flow.warm)}' of"
                              f" the flow '{flow.name}' is too short to connect;"
                              f" allowed: 0, or {units.write_time(need)} or more")

    def _check_end(self):
        scenario = self.scenario
        endless = all(flow.endless for flow in scenario.flows)
        if scenario.stop is None and endless and not self.problems.found:
            self.problems.add(0, "the run would never end: no flow has a size;"
                              " allowed: add a line stop at=TIME")
        if scenario.stop is None:
            scenario.stop = DEFAULT_STOP
        shown = units.write_time(scenario.stop)
        late = [(flow.line, f"the flow '{flow.name}' starts", flow.start)
                for flow in scenario.flows]
        late += [(timed.line, "the change comes", timed.when)
                 for timed in scenario.timed]
        late += [(item.line, "the part begins", item.start)
                 for item in scenario.expects if item.start is not None]
        told = set()
        for line, what, when in late:
            if when >= scenario.stop and line not in told:
                told.add(line)
                self.problems.add(line, f"{what} at {units.write_time(when)}, when"
                                  f" the run is over; allowed: before {shown}")

    def _check_samples(self):
        rows = scenario_rows(self.scenario)
        if rows > SAMPLES_MAX and self.scenario.until == "stop":
            self.problems.add(0, f"sample: {rows} rows of time series;"
                              f" allowed: up to {SAMPLES_MAX}")


def scenario_rows(scenario):
    """Rows that sampling would write at most."""
    series = 2 * len(scenario.network.links) + len(scenario.flows)
    return scenario.stop // scenario.sample * series


# Directives: each reads one statement

def _title(reader, statement):
    reader.scenario.title = " ".join(statement.words[1:])


def _seed(reader, statement):
    value = units.parse_count(_one(statement), 0, SEED_MAX)
    if not reader.seed_given:
        reader.scenario.seed = value


def _one(statement):
    if len(statement.words) != 2:
        raise BadValue(f"'{statement.text}' has {len(statement.words) - 1}"
                       f" values; allowed: {statement.words[0]} VALUE")
    return statement.words[1]


def _tolerance(reader, statement):
    reader.tolerance = units.parse_fraction(_one(statement))


def _topology(reader, statement):
    kind = statement.words[1] if len(statement.words) > 1 else ""
    if kind not in KINDS:
        raise BadValue(unknown("the topology", kind, KINDS))
    if reader.scenario.network:
        raise BadValue("a second topology; allowed: one")
    network = reader.scenario.network = \
        graph.build(statement, reader.drawn, reader.problems) if kind == graph.KIND else \
        topology.build(kind, statement.words[2:], reader.report_for(statement.line))
    if network and network.nic == "ordinary":
        _nic(reader, network.hosts(), network.nic)


def _state_word(words):
    """`up` and `down` stand for up=1 and up=0."""
    return [{"up": "up=1", "down": "up=0"}.get(text, text) for text in words]


def _link_table(reader):
    table = topology.link_keys(reader.scenario.network.units)
    return {**table, "up": Key(count(0, 1))}


def _link(reader, statement):
    if len(statement.words) < 3:
        raise BadValue(f"'{statement.text}' changes nothing; allowed: link GLOB"
                       " key=value ...; in a graph also link A B [key=value ...]")
    for link, direction in reader.select_links(statement.words[1]):
        params = link.params[direction]
        params.update(read_keys(_state_word(statement.words[2:]),
                                _link_table(reader),
                                reader.report_for(statement.line), params))


def _fail(reader, statement):
    """Failures from the start; what is `seen` is routed around."""
    if len(statement.words) < 2:
        raise BadValue("'fail' names no link; allowed: fail GLOB [p=0.01]"
                       " [seen=yes|no]")
    table = {"p": Key(units.parse_fraction, 1.0),
             "seen": Key(choice("yes", "no"), "yes")}
    keys = with_defaults(read_keys(statement.words[2:], table,
                                   reader.report_for(statement.line)), table)
    draw = Draw(reader.scenario.seed, f"fail {statement.text}")
    pairs = reader.select_links(statement.words[1])
    for link in dict.fromkeys(link for link, _ in pairs):
        if not draw.chance(keys["p"]):
            continue
        link.failed = link.failed or keys["seen"] == "yes"
        for direction in topology.DIRECTIONS:
            link.params[direction]["up"] = 0
    reader.scenario.network.settle()


def _routing(reader, statement):
    mode = choice("ecmp", "adaptive")(statement.words[1]
                                      if len(statement.words) > 1 else "")
    table = {"policy": Key(count(0, 3), 0)} if mode == "ecmp" else {
        "quantum": topology.size_key(reader.scenario.network.units, default=0),
        "marked": Key(choice("adaptive", "ecmp"), "adaptive")}
    given = read_keys(statement.words[2:], table,
                      reader.report_for(statement.line))
    reader.scenario.routing.update(given, mode=mode)


def _module(reader, statement):
    if len(statement.words) < 2:
        raise BadValue("'module' names nothing; allowed: module PATH.ko"
                       " [provides=NAME,...] [param=value ...]")
    path, params, provides = statement.words[1], [], None
    for text in statement.words[2:]:
        parts = split_word(text)
        if not parts or parts[1] != "=":
            raise BadValue(f"'{text}' is not param=value")
        if parts[0] == "provides":
            provides = parts[2].split(",")
        else:
            params.append(text)
    module = Module(path, params, provides or [], statement.line)
    if module.own:
        _own_module(module)
    else:
        _foreign_module(reader, module, provides)
    reader.scenario.modules.append(module)


def _own_module(module):
    if module.path not in algorithms.own_modules():
        raise BadValue(unknown("the module", module.path,
                               [*algorithms.own_modules(), "PATH.ko",
                                "./DIRECTORY"]))


def _module_file(path):
    """A file must be what the kernel takes: an object with what `insmod` looks for."""
    try:
        content = path.read_bytes() if path.is_file() else b""
    except OSError as error:
        raise BadValue(f"the module '{path}' cannot be read: {error.strerror}") from None
    if not content.startswith(ELF) or THIS_MODULE not in content:
        raise BadValue(f"the module '{path}' is no kernel module; allowed: a .ko file built for"
                       " the lab's kernel, or a directory to build")


def _foreign_module(reader, module, provides):
    path = reader.folder / os.path.expanduser(module.path)
    if not path.exists():
        raise BadValue(f"the module '{path}' does not exist; allowed: a .ko file"
                       " built for the lab's kernel, or a directory to build")
    if path.is_dir() and not any((path / name).exists() for name in KBUILD_NAMES):
        raise BadValue(f"the module '{path}' is a directory without a Kbuild file; allowed:"
                       " one that has a Kbuild or a Makefile")
    if not path.is_dir():
        _module_file(path)
    module.path = str(path.resolve())
    if re.search(r"\s", module.path):
        raise BadValue(f"the module '{path}' has white space in its name; allowed: none,"
                       " the guest's kernel cannot be told such a name")
    if provides is None:
        module.provides = [re.sub(r"^tcp_", "", path.stem).replace("-", "_")]
    for name in module.provides:
        reader.available[name] = module.path


def _default(reader, statement):
    given = read_keys(statement.words[1:], FLOW_KEYS,
                      reader.report_for(statement.line))
    reader.defaults.update(given)


def _flow_end(reader, pattern):
    return reader.select_nodes(pattern, reader.scenario.network.hosts(), "host")


def _flow(reader, statement):
    words = statement.words
    if len(words) < 5 or words[3] != "->":
        raise BadValue(f"'{statement.text}' is no flow; allowed: flow NAME SRC ->"
                       " DST key=value ...")
    sources, targets = _flow_end(reader, words[2]), _flow_end(reader, words[4])
    given = read_keys(words[5:], SINGLE_KEYS, reader.report_for(statement.line))
    keys = with_defaults({**reader.defaults, **given}, SINGLE_KEYS)
    _check_flow_keys(keys)
    keys["after"] = _after(reader, keys["after"])
    many = keys.pop("count") or max(len(sources), len(targets))
    spacing = keys.pop("spacing")
    alone = many == 1 and "count" not in given
    for number in range(many):
        own = dict(keys, start=keys["start"] + number * spacing)
        name = words[1] if alone else f"{words[1]}.{number + 1}"
        _add_flow(reader, statement, name, sources[number % len(sources)],
                  targets[number % len(targets)], own)


def _after(reader, patterns):
    """Globs by the flows above; what matches none is told with all flows read."""
    names = reader.scenario.flow_names()
    return list(dict.fromkeys(
        name for pattern in patterns or ()
        for name in expect.matching(names, pattern) or [pattern])) or None


def _check_calls(keys):
    if keys["calls"] and not keys["request"]:
        raise BadValue("calls need a request; allowed: with request=SIZE")
    wrong = [key for key in ("rate", "on", "drain") if keys[key]]
    if keys["request"] and (wrong or keys["size"] == FOREVER):
        raise BadValue(f"a request does not go with {' '.join(wrong) or 'size=forever'};"
                       " allowed: a size, without rate, on and drain")


def _check_mptcp(keys):
    wrong = [key for key in ("dscp", "ackdscp", "maxrate") if keys[key] is not None]
    if keys["mptcp"] and wrong:
        raise BadValue(f"mptcp does not go with {' '.join(wrong)}, which MPTCP's sockets"
                       " have not; allowed: without")
    if keys["mptcp"] and keys["family"] == 4:
        raise BadValue("mptcp: hosts have one IPv4 address each; allowed: family=6")


def _check_flow_keys(keys):
    if keys["lasts"] and keys["size"] != FOREVER:
        raise BadValue("lasts is of a flow without a size; allowed: with"
                       " size=forever")
    if (keys["on"] is None) != (keys["off"] is None):
        raise BadValue("on and off go together; allowed: both or none")
    if keys["on"] and not keys["rate"]:
        raise BadValue("on and off need a rate; allowed: with rate=RATE")
    if keys["write"] and not keys["rate"]:
        raise BadValue("write needs a rate; allowed: with rate=RATE")
    if keys["writes"] and not keys["write"]:
        raise BadValue("writes needs a write; allowed: with write=SIZE")
    _check_calls(keys)
    _check_mptcp(keys)
    if keys["family"] == 5:
        raise BadValue("family: '5' is not allowed; allowed: 4, 6")


FLOW_NAME = re.compile(r"[A-Za-z0-9_.:<>+-]{1,63}")


def _add_flow(reader, statement, name, source, target, keys):
    if not FLOW_NAME.fullmatch(name):
        raise BadValue(f"the flow's name '{name}' is not allowed; allowed: up to 63 letters,"
                       " digits and _ . : < > + -")
    if source == target:
        raise BadValue(f"the flow '{name}' goes from {source} to itself;"
                       " allowed: two hosts")
    scenario = reader.scenario
    jitter = keys.pop("jitter")
    if jitter:
        keys["start"] += Draw(scenario.seed, f"jitter {name}").below(jitter)
    reader.use_algorithm(keys["cc"], statement.line)
    keys["size"] *= keys["calls"] or 1
    scenario.flows.append(Flow(name, source, target, keys, statement.line,
                               FIRST_PORT + len(scenario.flows)))


def _workload_ends(reader, keys, given):
    """Hosts by name, a distribution by its points."""
    keys["hosts"] = reader.select_hosts(keys["hosts"])
    if keys.get("file"):
        if "size" in given:
            raise BadValue("file and size are both given; allowed: one of them")
        keys["file"] = flowfile.load(keys["file"], reader.folder)
    if "sizes" not in keys:
        return
    for key in ("from", "to"):
        keys[key] = reader.select_hosts(keys[key]) if keys[key] else None
    if "size" in given:
        raise BadValue("sizes and size are both given; allowed: one of them")
    if keys["sizes"]:
        keys["sizes"] = sizes.load(keys["sizes"], reader.folder, keys["scale"])


def _made_names(flows, name):
    """NAME.1, NAME.2, ... within each part of a workload."""
    numbers, names = {}, []
    for made in flows:
        part = made.part or name
        numbers[part] = numbers.get(part, 0) + 1
        names.append(f"{part}.{numbers[part]}")
    return names


def _workload(reader, statement):
    kind = statement.words[1] if len(statement.words) > 1 else ""
    if kind not in WORKLOADS:
        raise BadValue(unknown("the workload", kind, WORKLOADS))
    own, make = WORKLOADS[kind]
    table = {**own, **WORKLOAD_KEYS}
    given = read_keys(statement.words[2:], table,
                      reader.report_for(statement.line))
    keys = with_defaults({**reader.defaults, **given}, table)
    _check_flow_keys(keys)
    _workload_ends(reader, keys, given)
    keys["after"] = _after(reader, keys["after"])
    name = keys["name"] or kind
    draw = Draw(reader.scenario.seed, f"workload {name}")
    flows = make(draw, reader.scenario.network, keys["hosts"], keys)
    names = _made_names(flows, name)
    for made, own in zip(flows, names):
        flow_keys = {**{key: keys[key] for key in (*FLOW_KEYS, "after")}, **made.keys}
        if made.waits:
            flow_keys["after"] = [names[at] for at in made.waits]
        _check_flow_keys(flow_keys)
        _add_flow(reader, statement, own, made.source, made.target, flow_keys)
        group = reader.scenario.groups.setdefault(made.part or name, [])
        group += [host for host in (made.source, made.target)
                  if host not in group]


# host and switch lines

def _knob_owners(knob, value):
    """Of a knob that not every TCP flow has: whose it is, as one would write it."""
    owners = []
    for module in algorithms.own_modules()[1:]:
        try:
            algorithms.knobs(module)[knob].check(knob, value)
        except (BadValue, KeyError):
            continue
        owners.append(f"{module.removeprefix('tcp_')}.{knob}={value}")
    return f"; of an algorithm it is allowed: {', '.join(owners)}" if owners else ""


def _sysctls_of_knob(reader, text, line):
    """mswift.spray=oblivious -> net/dcc/mswift/spray."""
    parts = split_word(text)
    if not parts or parts[1] != "=" or not parts[2]:
        raise BadValue(f"'{text}' is no knob; allowed: ALGORITHM.KNOB=VALUE, or"
                       " spray=SELECTOR for any TCP flow")
    algorithm, dot, knob = parts[0].rpartition(".")
    ours = algorithms.ours()
    if dot and algorithm not in ours:
        raise BadValue(unknown("the knob's algorithm", algorithm, ours))
    known = algorithms.knobs(ours.get(algorithm))
    if knob not in known:
        raise BadValue(unknown("the knob", knob, sorted(known)) + _knob_owners(knob, parts[2]))
    try:
        known[knob].check(knob, parts[2])
    except BadValue as bad:
        raise BadValue(f"{bad}{'' if dot else _knob_owners(knob, parts[2])}") from None
    if dot:
        reader.use_algorithm(algorithm, line)
    reader.scenario.needs_helper = True
    return "net/dcc/" + parts[0].replace(".", "/"), parts[2]


def _sysctl(reader, text, line):
    name, equals, value = text.partition("=")
    if not equals or not _SYSCTL.match(name):
        raise BadValue(f"'{text}' is no sysctl; allowed: net.x.y=value")
    name = name if "/" in name else name.replace(".", "/")
    if name.endswith("tcp_congestion_control"):
        reader.use_algorithm(value, line)
    return name, value


ROUTE_KEYS = {
    "rto_min": Key(between(units.parse_time, 1000, 120 * 10**9, "1us to 120s")),
    "initcwnd": Key(count(1, 65535)),
    "congctl": Key(word),
    "usec_ts": Key(count(0, 1)),
}


def _receiver(reader, hosts, words):
    """Linux's own, or an ACK per packet and room for any; the last line counts."""
    ideal = reader.scenario.ideal_receivers
    change = {"ordinary": ideal.difference_update, "ideal": ideal.update}
    if len(words) != 1 or words[0] not in change:
        raise BadValue(f"'{' '.join(words)}' is no receiver; allowed: ordinary, ideal")
    change[words[0]](hosts)


NIC_INTERRUPTS = (8_000, 16_000, 32_000, 64_000)    # ns after a packet, of ordinary NICs

OFFLOAD_KEYS = {
    "tso": Key(count(0, 1), meaning="1: GSO packets, which the card cuts (0)"),
    "gro": Key(between(units.parse_time, 0, topology.GRO_MAX, "0 to 1s"),
               meaning="merges what came until its interrupt, so long after the first; 0: off (0)"),
}


def _set_card(network, host, given):
    """Both directions of a host's links: the NIC segments what leaves, aggregates what comes."""
    for link, direction in network.leaving(host):
        if "tso" in given:
            link.params[direction]["tso"] = given["tso"]
        if "gro" in given:
            link.back(direction)["gro"] = given["gro"]


def _offload(reader, hosts, words, line):
    """What a host's card does for its stack; the last line counts."""
    if not words:
        raise BadValue("'offload' says nothing; allowed: tso=0|1, gro=TIME, or both")
    given = read_keys(words, OFFLOAD_KEYS, reader.report_for(line))
    for host in hosts:
        _set_card(reader.scenario.network, host, given)


def _nic(reader, hosts, kind):
    """A NIC as drivers come, or one that hands over each packet at once."""
    if kind not in topology.NICS:
        raise BadValue(f"'{kind}' is no NIC; allowed: {', '.join(topology.NICS)}")
    for host in hosts:
        card = {"tso": 0, "gro": 0}
        if kind == "ordinary":
            draw = Draw(reader.scenario.seed, f"nic {host}")
            card = {"tso": 1, "gro": NIC_INTERRUPTS[draw.below(len(NIC_INTERRUPTS))]}
        _set_card(reader.scenario.network, host, card)


def _setting(reader, statement, nodes, words):
    """What follows the node in a host line: (kind, values) per node."""
    verb = words[0] if words else ""
    line = statement.line
    if verb in ("knob", "sysctl") and len(words) > 1:
        read = _sysctls_of_knob if verb == "knob" else _sysctl
        pairs = [read(reader, text, line) for text in words[1:]]
        return [("sysctl", node, *pair) for node in nodes for pair in pairs]
    if verb == "run" and len(words) == 2:
        return [("exec", node, words[1]) for node in nodes]
    raise BadValue(f"'{' '.join(words)}' is no setting; allowed: knob"
                   " ALGORITHM.KNOB=VALUE, sysctl NAME=VALUE, run \"COMMAND\"")


def _store_settings(reader, settings, line):
    for kind, *values in settings:
        if kind == "sysctl":
            reader.scenario.sysctls.append((*values, line))
        else:
            reader.scenario.commands.append((*values, line))


def _host(reader, statement):
    if len(statement.words) < 3:
        raise BadValue(f"'{statement.text}' sets nothing; allowed: host GLOB"
                       " knob|sysctl|run|route|receiver|nic|offload ...")
    hosts = _flow_end(reader, statement.words[1])
    words = statement.words[2:]
    if words[0] == "receiver":
        _receiver(reader, hosts, words[1:])
        return
    if words[0] == "nic":
        _nic(reader, hosts, " ".join(words[1:]))
        return
    if words[0] == "offload":
        _offload(reader, hosts, words[1:], statement.line)
        return
    if words[0] != "route":
        _store_settings(reader, _setting(reader, statement, hosts, words), statement.line)
        return
    given = read_keys(words[1:], ROUTE_KEYS, reader.report_for(statement.line))
    if "congctl" in given:
        reader.use_algorithm(given["congctl"], statement.line)
    for host in hosts:
        reader.scenario.host_routes.setdefault(host, {}).update(given)
        reader.scenario.route_lines[host] = statement.line


def _switch(reader, statement):
    if len(statement.words) < 3:
        raise BadValue(f"'{statement.text}' sets nothing; allowed: switch GLOB"
                       " sysctl|run ...")
    nodes = reader.select_nodes(statement.words[1],
                                reader.scenario.network.switches(), "switch")
    _store_settings(reader, _setting(reader, statement, nodes, statement.words[2:]),
                    statement.line)


# Changes in time

def _at(reader, statement):
    if len(statement.words) < 5:
        raise BadValue(f"'{statement.text}' is incomplete; allowed: at TIME"
                       " link GLOB key=value|up|down, at TIME host GLOB"
                       " knob|sysctl|run ..., at TIME flow GLOB cc=NAME")
    when = units.parse_time(statement.words[1])
    what, pattern, words = (statement.words[2], statement.words[3],
                            statement.words[4:])
    makers = {"link": _at_link, "host": _at_node, "switch": _at_node,
              "flow": _at_flow}
    if what not in makers:
        raise BadValue(unknown("what changes,", what, makers))
    for timed in makers[what](reader, statement, pattern, words):
        reader.scenario.timed.append(Timed(when, timed, statement.line))


def _at_link(reader, statement, pattern, words):
    """Relative changes are of the value that earlier lines left."""
    for link, direction in reader.select_links(pattern):
        params = reader.changing.setdefault(
            (link.name, direction), copy.copy(link.params[direction]))
        given = read_keys(_state_word(words), _link_table(reader),
                          reader.report_for(statement.line), params)
        params.update(given)
        yield ["dir", link.name, direction, given]


def _at_node(reader, statement, pattern, words):
    network = reader.scenario.network
    what = statement.words[2]
    names = network.hosts() if what == "host" else network.switches()
    nodes = reader.select_nodes(pattern, names, what)
    for setting in _setting(reader, statement, nodes, words):
        yield list(setting)


def _at_flow(reader, statement, pattern, words):
    given = read_keys(words, {"cc": Key(word)}, reader.report_for(statement.line))
    names = expect.matching(reader.scenario.flow_names(), pattern)
    if not names:
        raise BadValue(unknown("the flow", pattern, reader.scenario.flow_names()))
    for name in names:
        if "cc" in given:
            reader.use_algorithm(given["cc"], statement.line)
            yield ["setcc", name, given["cc"]]


# What to watch, when to stop, what to expect

def _sample(reader, statement):
    given = read_keys(statement.words[1:], {"every": Key(between(
        units.parse_time, SAMPLE_MIN, units.TIME_MAX, "1us to 1000s"))},
        reader.report_for(statement.line))
    reader.scenario.sample = given.get("every", 0)


def _watch(reader, statement):
    """trace: events of packets; pcap: packets as Wireshark reads them."""
    bit = WATCH[statement.words[0]]
    if len(statement.words) < 2:
        raise BadValue(f"'{statement.words[0]}' names nothing; allowed:"
                       f" {statement.words[0]} LINK ...")
    for selector in statement.words[1:]:
        for link, direction in reader.select_links(selector):
            params = link.params[direction]
            params["trace"] = params.get("trace", 0) | bit


def _record(reader, statement):
    """Only algorithms of this project have events to record."""
    scenario = reader.scenario
    names = scenario.flow_names()
    word = statement.words[0]
    chosen = scenario.labelled if word == "labels" else scenario.recorded
    if len(statement.words) < 2:
        raise BadValue(f"'{word}' names nothing; allowed: {word} FLOW ...")
    ours = {*algorithms.ours(), "-"}
    changed = {timed.words[1] for timed in scenario.timed
               if timed.words[0] == "setcc" and timed.words[2] in ours}
    for pattern in statement.words[1:]:
        found = expect.matching(names, pattern)
        if not found:
            raise BadValue(unknown("the flow", pattern, names))
        told = [flow.name for flow in scenario.flows
                if flow.name in set(found) and (flow.cc in ours or flow.name in changed)]
        if not told:
            raise BadValue(f"no algorithm of '{pattern}' tells what it decides;"
                           f" allowed: flows of {', '.join(sorted(algorithms.ours()))}")
        chosen += [name for name in told if name not in chosen]
    scenario.needs_helper = True


def _sizegroups(reader, statement):
    edges = [units.parse_size(text, reader.scenario.network.units)
             for text in statement.words[1:]]
    if not edges or not 0 < edges[0] or edges != sorted(set(edges)):
        raise BadValue(f"'{statement.text}' are no groups; allowed: sizegroups SIZE"
                       " ..., each larger than the one before")
    reader.scenario.size_groups = edges


def _stop(reader, statement):
    table = {"at": Key(between(units.parse_time, 1000, units.TIME_MAX,
                               "1us to 1000s")),
             "when": Key(choice("done"))}
    given = read_keys(statement.words[1:], table,
                      reader.report_for(statement.line))
    if not given:
        raise BadValue("'stop' says nothing; allowed: at=TIME, when=done, or"
                       " both")
    reader.scenario.stop = given.get("at", reader.scenario.stop)
    reader.scenario.until = "all" if "when" in given else "stop"


def _limit(reader, statement):
    table = {"wall": Key(between(units.parse_time, 10**9, 86400 * 10**9,
                                 "1s to 1000s")),
             "mem": Key(between(units.parse_size, 64 * 2**20, 64 * 2**30,
                                "64MiB to 64GiB"))}
    given = read_keys(statement.words[1:], table,
                      reader.report_for(statement.line))
    reader.scenario.wall = given.get("wall", reader.scenario.wall)
    reader.scenario.mem = given.get("mem", reader.scenario.mem)


def _expect(reader, statement):
    item = expect.parse(statement, reader.tolerance,
                        reader.report_for(statement.line),
                        reader.scenario.network.units)
    names = reader.scenario.flow_names()
    if item.subject == "flow" and not expect.matching(names, item.pattern):
        raise BadValue(unknown("the flow", item.pattern, names))
    if item.subject == "link":
        reader.select_links(item.pattern)
    if item.reference.startswith("flow ") and item.reference[5:] not in names:
        raise BadValue(unknown("the flow", item.reference[5:], names))
    reader.scenario.expects.append(item)


PHASE_NETWORK = 1
ONCE = ("title", "seed", "tolerance", "sample", "sizegroups", "stop")
DIRECTIVES = {
    "title": (0, _title), "seed": (0, _seed), "tolerance": (0, _tolerance),
    "module": (0, _module),
    "topology": (PHASE_NETWORK, _topology),
    "link": (2, _link), "fail": (3, _fail), "routing": (3, _routing),
    "default": (4, _default),
    "flow": (5, _flow), "workload": (5, _workload),
    "host": (6, _host), "switch": (6, _switch), "trace": (6, _watch), "pcap": (6, _watch),
    "at": (7, _at),
    "sample": (8, _sample), "record": (8, _record), "labels": (8, _record),
    "sizegroups": (8, _sizegroups), "stop": (8, _stop), "limit": (8, _limit),
    "expect": (9, _expect),
}


def _when(statement):
    """What changes later changes what was changed before, wherever it stands."""
    if statement.words[0] != "at" or len(statement.words) < 2:
        return 0
    try:
        return units.parse_time(statement.words[1])
    except BadValue:
        return 0                # which is told when the line is read


# Loading

def _source(path_or_text):
    """(name, folder, text) of a path or of a scenario's text."""
    text = str(path_or_text)
    if "\n" in text:
        return "scenario", Path.cwd(), text
    path = Path(text)
    try:
        return path.name, path.resolve().parent, path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"the scenario '{path}' cannot be read: {error}{_hint(path)}") from None


def _hint(path):
    """Where a scenario of that name comes with the lab, if one does."""
    ours = algorithms.LAB / "scenarios" / f"{path.stem}.lab"
    return f"; one of that name comes with the lab: {os.path.relpath(ours)}" if ours.exists() else ""


def own_variables(path_or_text):
    """The variables of a scenario with the values that it gives them itself."""
    return lexer.statements(_source(path_or_text)[2], {}, Problems(str(path_or_text)))[1]


def load(path_or_text, seed=None, sets=None):
    """Read and check a scenario; raises ProblemsError with all problems."""
    if seed is not None and not 0 <= seed <= SEED_MAX:
        raise LabError(f"the seed {seed} is out of range; allowed: 0 to {SEED_MAX}")
    file, folder, text = _source(path_or_text)
    shown = file if "\n" in str(path_or_text) else str(path_or_text)
    problems = Problems(shown)
    scenario = Scenario(Path(file).stem, DEFAULT_SEED if seed is None else seed)
    reader = Reader(scenario, problems, folder, seed is not None)
    reader.available = dict.fromkeys([*algorithms.builtin(), *algorithms.ours()])
    statements, scenario.variables = lexer.statements(text, sets or {}, problems)
    reader.read(statements)
    problems.check()
    said = text + "".join(f"\n{name}={value}"
                          for name, value in sorted(scenario.variables.items()))
    scenario.text = text
    scenario.file = shown
    scenario.text_hash = hashlib.sha256(said.encode()).hexdigest()[:16]
    return scenario
