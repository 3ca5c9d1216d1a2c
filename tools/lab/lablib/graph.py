# SPDX-License-Identifier: GPL-2.0
"""Free graphs: networks whose hosts, switches and links a scenario names itself.

    topology graph rate=10Gbps
    switch left right
    host a b
    link a left
    link left right rate=1Gbps
    link right b

Lines that draw begin like lines that change what is there (`link a-left loss=1%`,
`host a knob ...`); they are told apart by their second word, which is a name and no
setting. Only a scenario with `topology graph` has any, so no other is read anew.
"""

import re
from collections import Counter
from dataclasses import dataclass

from . import topology
from .errors import BadValue, unknown
from .keys import Key, read_keys, split_word, word
from .topology import DIRECTIONS, HOST, SWITCH

KIND = "graph"
LINK = "link"
STATES = ("up", "down")
SETTINGS = ("knob", "sysctl", "run", "route", "receiver", "nic", "offload")  # of host lines
NODES_MAX = 4000                # of a kind, as the star has it
LINKS_MAX = 20000
PORTS_MAX = 250                 # next hops of a route, which the kernel counts in a byte
LEAVES_PER_POD = 250            # of an address's third byte
TIMING = ("rate", "delay", "overhead")  # what a bdp is made of, so read before queues
NAME_MAX = 32
_NAME = re.compile(r"[A-Za-z][\w.-]*$", re.ASCII)


@dataclass
class Cable:
    """A link as its line drew it."""

    link: topology.Link
    words: list                 # key=value
    line: int


def _draws(statement):
    kind, *words = statement.words
    if kind == LINK:
        return len(words) > 1 and words[1] not in STATES and not split_word(words[1])
    return kind in (HOST, SWITCH) and bool(words) and (
        len(words) == 1 or words[1] not in SETTINGS)


def drawing(statements):
    """The lines that name nodes and links; none without `topology graph`."""
    if not any(statement.words[:2] == ["topology", KIND] for statement in statements):
        return []
    return [statement for statement in statements if _draws(statement)]


def keys():
    """The keys of `topology graph`: a graph has no one way that an rtt= could be of."""
    common = topology.common_keys()
    del common["rtt"]
    return common


def _check_name(name):
    if name in (*SETTINGS, *STATES, *topology.CLASSES):
        raise BadValue(f"'{name}' is a word of the language; allowed: any other name")
    if not _NAME.match(name) or len(name) > NAME_MAX:
        raise BadValue(f"'{name}' is no name; allowed: a letter, then letters, digits and"
                       f" . _ -, up to {NAME_MAX}")


class Drawing:
    """A network as its lines are read; problems are added with their lines."""

    def __init__(self, mtu, problems):
        self.network = topology.Network(mtu)
        self.problems = problems
        self.lines = {}                 # node -> the line that names it
        self.named = Counter()          # of each kind
        self.cables = []

    def read(self, statements):
        """Nodes, then the links between them, wherever they stand."""
        for wanted, draw in ((False, self._nodes), (True, self._link)):
            for statement in statements:
                if (statement.words[0] == LINK) == wanted:
                    try:
                        draw(statement)
                    except BadValue as bad:
                        self.problems.add(statement.line, str(bad))

    def _nodes(self, statement):
        kind, *names = statement.words
        for name in names:
            _check_name(name)
            if name in self.lines:
                raise BadValue(f"'{name}' is named a second time, the first is line"
                               f" {self.lines[name]}; allowed: once")
            self.lines[name] = statement.line
            self.network.add_node(name, kind)
        self.named[kind] += len(names)
        if self.named[kind] > NODES_MAX:
            raise BadValue(f"{self.named[kind]} nodes of the kind '{kind}'; allowed: up to"
                           f" {NODES_MAX}")

    def _link(self, statement):
        a, b, *words = statement.words[1:]
        nodes = self.network.nodes
        for end in (a, b):
            if end not in nodes:
                raise BadValue(unknown("the node", end, nodes))
        if a == b:
            raise BadValue(f"'{a}' is linked to itself; allowed: two nodes")
        named = [text for text in words if text.startswith("name=")]
        given = read_keys(named, {"name": Key(word)},
                          self.problems.report_for(statement.line))
        self._check_link(a, b, given.get("name"))
        link = self.network.add_link(a, b, given.get("name"))
        self.cables.append(Cable(link, [text for text in words if text not in named],
                                 statement.line))

    def _check_link(self, a, b, name):
        """Is there room for one more between these two, under that name?"""
        if name:
            _check_name(name)
        if (name or f"{a}-{b}") in self.network.links or not name and \
                f"{b}-{a}" in self.network.links:
            raise BadValue(f"a second link '{name or f'{a}-{b}'}'; allowed: one, further ones"
                           " between the same nodes with name=NAME")
        for end in (a, b):
            node = self.network.nodes[end]
            if node.kind == HOST and node.interfaces:
                raise BadValue(f"a second link of the host '{end}'; allowed: one")
        if len(self.network.links) >= LINKS_MAX:
            raise BadValue(f"more than {LINKS_MAX} links; allowed: up to that")

    def check(self, line):
        """Can everybody be reached?"""
        hosts = self.network.hosts()
        if len(hosts) < 2:
            self.problems.add(line, f"{len(hosts)} hosts; allowed: 2 to {NODES_MAX}, named by"
                              " lines host NAME ...")
        for node in self.network.nodes.values():
            further = [link for link, _ in self.network.leaving(node.name)
                       if link.cls == topology.CLASSES[1]]
            if not self.network.leaving(node.name):
                self.problems.add(self.lines[node.name], f"the {node.kind} '{node.name}' has no"
                                  " link; allowed: one or more, by lines link A B")
            if len(further) > PORTS_MAX:
                self.problems.add(self.lines[node.name], f"the switch '{node.name}' has"
                                  f" {len(further)} links to others; allowed: up to {PORTS_MAX}")
        if self.problems.found:
            return
        reached = self.network.distances(hosts[0])
        for name in self.network.nodes:
            if name not in reached:
                self.problems.add(self.lines[name], f"there is no way from '{hosts[0]}' to"
                                  f" '{name}'; allowed: a graph in one piece")
                return


def _neighbour(network, name):
    link, direction = network.leaving(name)[0]
    return link.receiver(direction)


def _place_hosts(network):
    """Hosts beside the same switch are a leaf, so that one route serves them."""
    beside = {}
    for name in network.hosts():
        beside.setdefault(_neighbour(network, name), []).append(name)
    leaf = 0
    for names in beside.values():
        for at in range(0, len(names), topology.HOSTS_PER_LEAF):
            for number, name in enumerate(names[at:at + topology.HOSTS_PER_LEAF]):
                network.nodes[name].place = (*divmod(leaf, LEAVES_PER_POD), number)
            leaf += 1


def _cost(network, link, direction):
    """Picoseconds of a full packet this way and of its ACK the other."""
    params = link.params[direction]
    return 2 * params["delay"] * topology.PS_PER_NS + topology.round_trip_ps(
        [params["rate"]], network.mtu, params.get("overhead", 0))


def _furthest(network, target):
    """The longest of the shortest ways of all hosts to this one, in ps."""
    distance = network.distances(target)
    took = {target: 0}
    for name in distance:               # the nearest first
        if name != target:
            took[name] = max(_cost(network, link, direction) + took[link.receiver(direction)]
                             for link, direction in network.next_hops(name, distance))
    return max(took[name] for name in network.hosts())


def _longest_way(network):
    """Looked for from the slowest host of each switch: the others' ways are its own."""
    slowest = {}
    for name in network.hosts():
        cost = _cost(network, *network.leaving(name)[0])
        slowest[_neighbour(network, name)] = max(
            (cost, name), slowest.get(_neighbour(network, name), (0, "")))
    return max(_furthest(network, name) for _, name in slowest.values())


def _is_timing(text):
    return text.partition("=")[0].rstrip("+*") in TIMING


def _update(network, cable, words, report):
    """A line's keys; those of a queue are the switches', as in the `topology` line."""
    table = topology.link_keys(network.units)
    for direction in DIRECTIONS:
        params = cable.link.params[direction]
        given = read_keys(words, table, report, params)
        if topology.is_host_queue(network, cable.link, direction):
            given = {key: value for key, value in given.items()
                     if key not in topology.SWITCH_QUEUE}
        params.update(given)


def _set_params(network, values, drawing, report):
    """First what a bdp is made of, then what may be said in bdps."""
    delays = (topology.DEFAULT_DELAY if values["delay"] is None else values["delay"],) * 3
    plain = {**values, **dict.fromkeys(topology.queue_keys({}))}
    network.units = {"pkt": network.mtu + (values["overhead"] or 0)}
    topology.set_params(network, plain, delays)
    for cable in drawing.cables:
        _update(network, cable, [text for text in cable.words if _is_timing(text)],
                drawing.problems.report_for(cable.line))
    network.units["bdp"] = values["rate"] * _longest_way(network) // (8 * topology.PS_PER_S)
    topology.read_queues(network, values, report)
    topology.set_params(network, values, delays)
    for cable in drawing.cables:
        _update(network, cable, cable.words, drawing.problems.report_for(cable.line))


def build(statement, drawn, problems):
    """The network of `topology graph` and the lines that draw it; None if they are wrong."""
    report = problems.report_for(statement.line)
    values = topology.read_words(keys(), statement.words[2:], report)
    drawing = Drawing(values["mtu"], problems)
    network = drawing.network
    network.nic = values["nic"]
    drawing.read(drawn)
    network.settle()
    if not problems.found:
        drawing.check(statement.line)
    if problems.found:
        return None
    _place_hosts(network)
    _set_params(network, values, drawing, report)
    return network
