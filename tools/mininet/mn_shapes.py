# SPDX-License-Identifier: GPL-2.0
"""Which of the lab's networks a topology of mininet is, and which node and link is which.

One that has no shape the lab has a word for is drawn, as a free graph.

Asks a Topo for hosts(), switches(), links() and nodeInfo() only.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lab"))

from lablib import graph as drawings, lexer, topology  # noqa: E402
from lablib.errors import BadValue, LabError, Problems  # noqa: E402


class Graph:
    """A Topo's nodes and links, and who is next to whom."""

    def __init__(self, topo):
        self.topo = topo
        self.hosts = list(topo.hosts())
        self.switches = list(topo.switches())
        self.links = list(topo.links(sort=True, withInfo=True))
        self.next = defaultdict(Counter)
        for one, two, _ in self.links:
            self.next[one][two] += 1
            self.next[two][one] += 1

    def hosts_of(self, switch):
        """In order."""
        return [host for host in self.hosts if host in self.next[switch]]

    def switches_of(self, node):
        """In order."""
        return [switch for switch in self.switches if switch in self.next[node]]

    def is_single(self, one, others):
        """Has `one` exactly one link to each of the others?"""
        return all(self.next[one][other] == 1 for other in others)


def number_hosts(graph, leaves, names):
    """h1, h2, ... by leaf; how many on each, None if that differs."""
    counts = {len(graph.hosts_of(leaf)) for leaf in leaves}
    for leaf in leaves:
        for host in graph.hosts_of(leaf):
            names[host] = f"h{len([1 for name in names.values() if name[0] == 'h']) + 1}"
    return counts.pop() if len(counts) == 1 else None


def as_star(graph):
    """One switch."""
    if len(graph.switches) != 1:
        return None
    names = {graph.switches[0]: "s"}
    number_hosts(graph, graph.switches, names)
    return [f"star hosts={len(graph.hosts)}", names]


def as_chain(graph):
    """Two hosts at the ends of a row of switches, or of one link."""
    if len(graph.hosts) != 2 or len(graph.links) != len(graph.switches) + 1:
        return None
    here, row = graph.hosts[0], [graph.hosts[0]]
    while here != graph.hosts[1]:
        further = [node for node in graph.next[here] if node not in row]
        if len(further) != 1:
            return None
        here = further[0]
        row.append(here)
    names = {node: f"s{number}" for number, node in enumerate(row)}
    names.update({row[0]: "a", row[-1]: "b"})
    return [f"chain hops={len(row) - 1}", names]


def as_paths(graph):
    """Two switches with links between them, and hosts at both."""
    if len(graph.switches) != 2 or not all(map(graph.hosts_of, graph.switches)):
        return None
    names = {}
    count = number_hosts(graph, graph.switches, names)
    if not count:
        return None
    for side, switch, name in zip("ab", graph.switches, ("s1", "s2")):
        names[switch] = name
        for number, host in enumerate(graph.hosts_of(switch), 1):
            names[host] = side if count == 1 else f"{side}{number}"
    parallel = graph.next[graph.switches[0]][graph.switches[1]]
    return [f"paths n={parallel} hosts={count}", names] if parallel else None


def as_leafspine(graph):
    """Leaves have hosts; each is linked to each spine once."""
    leaves = [switch for switch in graph.switches if graph.hosts_of(switch)]
    spines = [switch for switch in graph.switches if switch not in leaves]
    if not leaves or not spines or not all(
            graph.switches_of(leaf) == spines and graph.is_single(leaf, spines)
            for leaf in leaves) or any(graph.switches_of(spine) != leaves for spine in spines):
        return None
    names = {leaf: f"leaf{number}" for number, leaf in enumerate(leaves, 1)}
    names.update({spine: f"spine{number}" for number, spine in enumerate(spines, 1)})
    count = number_hosts(graph, leaves, names)
    if not count:
        return None
    return [f"leafspine leaves={len(leaves)} spines={len(spines)} hosts={count}", names]


def pods_of(graph, edges):
    """[(edge switches, aggregation switches)] of those that are linked."""
    pods = {}
    for edge in edges:
        pods.setdefault(tuple(graph.switches_of(edge)), []).append(edge)
    return [(own, list(above)) for above, own in pods.items()]


def as_fattree(graph):
    """Three layers, from the edge switches up; cores by what they are linked to."""
    edges = [switch for switch in graph.switches if graph.hosts_of(switch)]
    pods = pods_of(graph, edges)
    k, half = len(pods), len(pods) // 2
    above = [switch for _, group in pods for switch in group]
    cores = [switch for switch in graph.switches if switch not in edges + above]
    if k < 2 or k % 2 or len(cores) != half * half or len(above) != k * half:
        return None
    names, columns = {}, [core_group(graph, switch, cores) for switch in pods[0][1]]
    for index, column in enumerate(columns):
        names.update({core: f"c{index * half + number}"
                      for number, core in enumerate(column, 1)})
    for pod, (own, group) in enumerate(pods, 1):
        for switch in group:
            if core_group(graph, switch, cores) not in columns:
                return None
            names[switch] = f"a{pod}.{columns.index(core_group(graph, switch, cores)) + 1}"
        names.update({edge: f"e{pod}.{number}" for number, edge in enumerate(own, 1)})
    if number_hosts(graph, [edge for own, _ in pods for edge in own], names) != half:
        return None
    return [f"fattree k={k}", names]


def core_group(graph, switch, cores):
    """The core switches that an aggregation switch is linked to."""
    return [core for core in cores if core in graph.next[switch]]


SHAPES = (as_star, as_chain, as_leafspine, as_fattree, as_paths)


def _refuse(text):
    raise BadValue(text)


def lab_network(words):
    """What the lab makes of a `topology` line."""
    kind, *keys = words.split()
    return topology.build(kind, keys, _refuse)


def link_names(graph, network, names):
    """Topo's links, in order -> (lab's link, whether it begins at the same end); None if
    the lab's network has not all of them."""
    free = defaultdict(list)
    for link in network.links.values():
        free[frozenset(link.ends)].append(link)
    found = []
    for one, two, _ in graph.links:
        between = free[frozenset((names[one], names[two]))]
        if not between:
            return None
        link = between.pop(0)
        found.append((link, link.ends[0] == names[one]))
    return found


def drawn(graph):
    """(the lines that draw it, the lab's network), by its own names."""
    lines = [f"{kind} {' '.join(names)}" for kind, names in (
        (topology.SWITCH, graph.switches), (topology.HOST, graph.hosts)) if names]
    parallel = Counter()
    for one, two, _ in graph.links:
        ends = frozenset((one, two))
        parallel[ends] += 1
        lines.append(f"link {one} {two}" + (f" name={one}-{two}.{parallel[ends]}"
                                            if parallel[ends] > 1 else ""))
    problems = Problems("the topology as a graph")
    (first, *rest), _ = lexer.statements("\n".join([f"topology {drawings.KIND}", *lines]), {},
                                         problems)
    network = drawings.build(first, rest, problems)
    problems.check()
    return lines, network


def recognise(graph):
    """(topology's words, lab's network, {node: lab's name}, links, lines that draw it)."""
    for host in graph.hosts:
        if len(graph.links) and sum(graph.next[host].values()) != 1:
            raise LabError(f"host {host} has {sum(graph.next[host].values())} links;"
                           " allowed: 1")
    for shape in SHAPES:
        found = shape(graph)
        if not found:
            continue
        network = lab_network(found[0])
        links = link_names(graph, network, found[1])
        if links:
            return (found[0], network, found[1], links, [])
    lines, network = drawn(graph)
    names = {name: name for name in graph.switches + graph.hosts}
    return (drawings.KIND, network, names, link_names(graph, network, names), lines)
