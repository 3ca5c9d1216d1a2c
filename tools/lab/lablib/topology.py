# SPDX-License-Identifier: GPL-2.0
"""Networks: nodes, links with two directions each, addresses and routes.

Names of links are those of their two ends, `a-b`; a direction is `a-b:ab` (from
a to b) or `a-b:ba`. The parallel links of `paths` are path1, path2, ... from s1
to s2. A host's interface is eth0, a switch's are p1, p2, ... in link order.

Hosts have an address of each family, made from where they are: 10.P.L.H and
fd00::P:L:H for host H of leaf L of pod P, so that one route serves a leaf or a
pod when its next hops are the same.
"""

import fnmatch
import ipaddress
import math
from collections import deque

from . import units
from .errors import BadValue, LabError, unknown
from .keys import Key, between, choice, count, read_keys, with_defaults, word

IPV4_HEADER = 20
IPV6_HEADER = 40
TCP_HEADER = 20
TCP_TIMESTAMPS = 12             # option and padding, in every segment
TCP_SYN_OPTIONS = 20            # MSS, SACK, timestamps, window scale
IP_HEADER = {4: IPV4_HEADER, 6: IPV6_HEADER}
ACK_BYTES = IPV6_HEADER + TCP_HEADER + TCP_TIMESTAMPS
PS_PER_S = 10**12
PS_PER_NS = 1000
MILLION = 10**6
HOSTS_PER_LEAF = 250            # of an address's last byte
MTU_MIN = 1280                  # IPv6's minimum
MTU_MAX = 65535
DRR_MIN, DRR_MAX = 256, 2**24   # LAB_MIN_DRR, LAB_MAX_DRR of the link device
NOISE_SHAPES = ("uniform", "nic")               # LAB_NOISE_NAMES
BURST_MAX = 1000                                # LAB_MAX_BURST
NOISE_MAX = 10**9                               # LAB_MAX_NOISE
GRO_MAX = 10**9                                 # LAB_MAX_GRO
NICS = ("ordinary", "ideal")                    # the first is a host's that no line names
DEFAULT_BUFFER_PACKETS = 1000   # Linux's txqueuelen
DEFAULT_DELAY = 1000            # ns
SWITCH_QUEUE = ("buffer", "ecn", "red", "drr", "strict")    # what a host's own queue has not

HOST, SWITCH = "host", "switch"
DIRECTIONS = ("ab", "ba")
CLASSES = ("access", "inter-switch")


def serialise_ps(length, rate):
    """Picoseconds that `length` bytes take at `rate` bit/s; 0 is no time."""
    return 0 if rate == 0 else -(-length * 8 * PS_PER_S // rate)


class Node:
    """A network namespace: a host (with its place) or a switch."""

    def __init__(self, name, kind, place=None):
        self.name = name
        self.kind = kind
        self.place = place              # (pod, leaf, host number) of a host
        self.interfaces = 0

    def new_interface(self):
        """The name of the next interface."""
        self.interfaces += 1
        return "eth0" if self.kind == HOST else f"p{self.interfaces}"

    def address(self, family):
        """The host's address as text."""
        pod, leaf, number = self.place
        return _address(family, pod, leaf, number + 1)


class Link:
    """A cable between two nodes; ends[0] is a, ends[1] is b."""

    def __init__(self, name, a, b):
        self.name = name
        self.ends = (a.name, b.name)
        self.interfaces = (a.new_interface(), b.new_interface())
        access = HOST in (a.kind, b.kind)
        self.cls = CLASSES[0] if access else CLASSES[1]
        self.failed = False             # from the start, and routes know
        self.params = {direction: {} for direction in DIRECTIONS}

    def sender(self, direction):
        """The node that transmits in this direction."""
        return self.ends[DIRECTIONS.index(direction)]

    def receiver(self, direction):
        """The node that this direction leads to."""
        return self.ends[1 - DIRECTIONS.index(direction)]

    def back(self, direction):
        """The parameters of the other direction."""
        return self.params[DIRECTIONS[1 - DIRECTIONS.index(direction)]]

    def interface(self, direction):
        """The interface that transmits in this direction."""
        return self.interfaces[DIRECTIONS.index(direction)]


class Network:
    """Nodes and links by name, in the order they were made."""

    def __init__(self, mtu):
        self.mtu = mtu
        self.nic = NICS[0]              # of its hosts
        self.nodes = {}
        self.links = {}
        self.units = {}                 # pkt and bdp, for sizes

    def add_node(self, name, kind, place=None):
        """A new node."""
        self.nodes[name] = Node(name, kind, place)

    def add_link(self, a, b, name=None):
        """A new link between two nodes."""
        name = name or f"{a}-{b}"
        link = self.links[name] = Link(name, self.nodes[a], self.nodes[b])
        return link

    def hosts(self):
        """The hosts' names, in order."""
        return [node.name for node in self.nodes.values() if node.kind == HOST]

    def switches(self):
        """The switches' names, in order."""
        return [node.name for node in self.nodes.values()
                if node.kind == SWITCH]

    def select(self, selector):
        """(link, direction) pairs that 'glob', 'glob:ab' or a class matches."""
        pattern, colon, wanted = selector.partition(":")
        directions = (wanted,) if colon else DIRECTIONS
        if colon and wanted not in DIRECTIONS:
            raise BadValue(f"'{selector}' has the direction '{wanted}';"
                           " allowed: ab, ba")
        return [(link, direction) for link in self.links.values()
                if link.cls == pattern or fnmatch.fnmatchcase(link.name, pattern)
                for direction in directions]

    def leaving(self, name):
        """(link, direction) pairs that the node transmits on and that work."""
        return self._leaving[name]

    def settle(self):
        """Build what routes are computed from, once no link changes any more."""
        self._leaving = {name: [] for name in self.nodes}
        for link in self.links.values():
            if not link.failed:
                for direction in DIRECTIONS:
                    self._leaving[link.sender(direction)].append(
                        (link, direction))

    def interrupt(self, host):
        """How long after a packet the host's card has an interrupt, in ns; 0: at once."""
        return max((link.back(direction).get("gro", 0)
                    for link, direction in self._leaving[host]), default=0)

    def distances(self, target):
        """Links from each node to the target host; hosts do not forward."""
        distance = {target: 0}
        queue = deque([target])
        while queue:
            name = queue.popleft()
            if self.nodes[name].kind == HOST and name != target:
                continue
            for link, direction in self._leaving[name]:
                peer = link.receiver(direction)
                if peer not in distance:
                    distance[peer] = distance[name] + 1
                    queue.append(peer)
        return distance

    def next_hops(self, name, distance):
        """(link, direction) pairs of all shortest ways on from a node."""
        here = distance[name]
        return [(link, direction) for link, direction in self._leaving[name]
                if distance.get(link.receiver(direction), here) == here - 1]

    def stages(self, source, target):
        """The links a packet may take, hop by hop: a list of lists of pairs."""
        distance = self.distances(target)
        if source not in distance:
            raise LabError(f"no way from {source} to {target} is left")
        here, stages = [source], []
        while here != [target]:
            stage = [pair for name in here
                     for pair in self.next_hops(name, distance)]
            stages.append(stage)
            here = list(dict.fromkeys(link.receiver(direction)
                                      for link, direction in stage))
        return stages


# Addresses and routes

def _address(family, pod, leaf, number):
    if family == 4:
        return f"10.{pod}.{leaf}.{number}"
    return str(ipaddress.ip_address(f"fd00::{pod:x}:{leaf:x}:{number:x}"))


def more_addresses(place, count):
    """So many IPv6 addresses besides of the host at a place, for subflows of MPTCP.

    They differ where no host's own address has bits.
    """
    pod, leaf, number = place
    return [_address(6, pod, leaf, (more << 8) + number + 1) for more in range(1, count + 1)]


def prefix(family, place):
    """The prefix of a place: (), (pod), (pod, leaf) or (pod, leaf, host)."""
    if not place:
        return "0.0.0.0/0" if family == 4 else "::/0"
    bits = 8 if family == 4 else 16
    whole = 32 if family == 4 else 128
    pod, leaf, number = (tuple(place) + (0, 0))[:3]
    host = number + 1 if len(place) == 3 else 0
    length = whole - bits * (3 - len(place))
    return f"{_address(family, pod, leaf, host)}/{length}"


def _merge(hops, depth):
    """Let one shorter prefix stand for all below it with the same next hops."""
    groups = {}
    for place, hop in hops.items():
        groups.setdefault(place[:depth], []).append((place, hop))
    merged = {}
    for short, entries in groups.items():
        same = len({hop for _, hop in entries}) == 1
        whole = all(len(place) == depth + 1 for place, _ in entries)
        if same and whole and len(entries) > 1:
            merged[short] = entries[0][1]
        else:
            merged.update(entries)
    return merged


def _with_default(hops):
    """Fold the most used next hops into a default route."""
    uses = {}
    for hop in hops.values():
        uses[hop] = uses.get(hop, 0) + 1
    most = max(uses, key=uses.get)
    if uses[most] == 1 and len(hops) > 1:
        return hops
    rest = {place: hop for place, hop in hops.items() if hop != most}
    rest[()] = most
    return rest


def routes(network):
    """For each node its routes: {place: ((link, direction), ...)}.

    Places are shortened where next hops agree: a k=8 fat-tree of 208 nodes
    needs 576 routes a family instead of 26,624.
    """
    table = {name: {} for name in network.nodes}
    for target in network.hosts():
        distance = network.distances(target)
        place = network.nodes[target].place
        for name in network.nodes:
            if name != target and name in distance:
                table[name][place] = tuple(network.next_hops(name, distance))
    return {name: _with_default(_merge(_merge(hops, 2), 1)) if hops else {}
            for name, hops in table.items()}


# What the topologies have in common

_time = Key(units.parse_time, relative=(0, units.TIME_MAX))
_overhead = Key(between(units.parse_size, 0, 65535, "0 to 65535B"))
_rate = between(units.parse_rate, 1, units.RATE_MAX, "1bps to 1000Tbps")


def size_key(extra, **more):
    """A key for a size that may be written in packets or in BDPs."""
    return Key(lambda text: units.parse_size(text, extra), relative=(0, units.SIZE_MAX),
               **more)


def millionths(text):
    """A probability as links have it: in whole millionths."""
    value = units.parse_fraction(text)
    if not math.isclose(value * MILLION, round(value * MILLION), rel_tol=0, abs_tol=1e-6):
        raise BadValue(f"'{text}' is no whole number of millionths; allowed: like 0.000001,"
                       " 0.01%, 1%")
    return value


def red_value(extra):
    """Reader of red=MIN,MAX,PROBABILITY."""
    def read(text):
        parts = text.split(",")
        if len(parts) != 3:
            raise BadValue(f"'{text}' is not MIN,MAX,PROBABILITY; allowed: like"
                           " 30KB,90KB,10%")
        low, high = (units.parse_size(part, extra) for part in parts[:2])
        if not 0 <= low < high:
            raise BadValue(f"'{text}' has MIN >= MAX; allowed: MIN < MAX")
        return low, high, millionths(parts[2])
    return read


def _drr(extra):
    def read(text):
        value = units.parse_size(text, extra)
        if value and not DRR_MIN <= value <= DRR_MAX:
            raise BadValue(f"'{text}' is out of range; allowed: 0 (FIFO) or"
                           f" {DRR_MIN}B to {DRR_MAX}B")
        return value
    return read


def queue_keys(extra):
    """Keys of a direction's queue."""
    return {
        "buffer": size_key(extra),
        "ecn": size_key(extra),
        "red": Key(red_value(extra)),
        "drr": Key(_drr(extra)),
        "strict": Key(count(0, 1)),
        "loss": Key(loss_value),
    }


def loss_value(text):
    """'1%' -> (0.01, 1); '1%,4': four packets in a row, on average."""
    share, comma, burst = text.partition(",")
    share = millionths(share)
    burst = count(1, BURST_MAX)(burst) if comma else 1
    if burst > 1 and share * (burst + 1) > burst:
        raise BadValue(f"'{text}' loses more than {burst} of {burst + 1}; allowed with this"
                       " burst: less")
    return share, burst


def noise_value(text):
    """'uniform,30us' -> ('uniform', 30000, 0); 1: packets of a flow may overtake."""
    if text == "0":
        return NOISE_SHAPES[0], 0, 0
    shape, *rest = text.split(",")
    if shape not in NOISE_SHAPES:
        raise BadValue(unknown("the shape", shape, NOISE_SHAPES))
    if not rest or rest[1:] not in ([], ["overtake"]):
        raise BadValue(f"'{text}' is not SHAPE,TIME or SHAPE,TIME,overtake; allowed:"
                       " like uniform,30us")
    late = between(units.parse_time, 0, NOISE_MAX, "0 to 1s")(rest[0])
    return shape, late, int(len(rest) > 1)


def link_keys(extra):
    """Keys of a `link` line."""
    return {"rate": Key(_rate, relative=(1, units.RATE_MAX)), "delay": _time,
            "overhead": _overhead, "noise": Key(noise_value), **queue_keys(extra)}


def common_keys():
    """Keys of a `topology` line, but for its queues'."""
    return {
        "rate": Key(_rate, 10**10),
        "inter_rate": Key(_rate),
        "delay": Key(units.parse_time),
        "rtt": Key(units.parse_time),
        "overhead": _overhead,
        "mtu": Key(between(units.parse_size, MTU_MIN, MTU_MAX,
                           "1280B to 65535B"), 1500),
        "nic": Key(choice(*NICS), NICS[0]),
    }


# The topologies: each has its keys, the classes of the links on its longest
# way, and a builder.

def _star(network, keys):
    network.add_node("s", SWITCH)
    for number in range(keys["hosts"]):
        host = f"h{number + 1}"
        network.add_node(host, HOST, (0, number // HOSTS_PER_LEAF,
                                      number % HOSTS_PER_LEAF))
        network.add_link(host, "s")


def _paths(network, keys):
    sides = (("a", 0), ("b", 1))
    for side, leaf in sides:
        for number in range(keys["hosts"]):
            name = side if keys["hosts"] == 1 else f"{side}{number + 1}"
            network.add_node(name, HOST, (0, leaf, number))
    network.add_node("s1", SWITCH)
    network.add_node("s2", SWITCH)
    for name, node in list(network.nodes.items()):
        if node.kind == HOST and node.place[1] == 0:
            network.add_link(name, "s1")
    for number in range(keys["n"]):
        network.add_link("s1", "s2", f"path{number + 1}")
    for name, node in list(network.nodes.items()):
        if node.kind == HOST and node.place[1] == 1:
            network.add_link("s2", name)


def _chain(network, keys):
    network.add_node("a", HOST, (0, 0, 0))
    network.add_node("b", HOST, (0, 1, 0))
    middle = [f"s{number + 1}" for number in range(keys["hops"] - 1)]
    for name in middle:
        network.add_node(name, SWITCH)
    names = ["a", *middle, "b"]
    for left, right in zip(names, names[1:]):
        network.add_link(left, right)


def _leafspine(network, keys):
    number = 0
    for leaf in range(1, keys["leaves"] + 1):
        network.add_node(f"leaf{leaf}", SWITCH)
        for index in range(keys["hosts"]):
            number += 1
            network.add_node(f"h{number}", HOST, (0, leaf, index))
            network.add_link(f"h{number}", f"leaf{leaf}")
    for spine in range(1, keys["spines"] + 1):
        network.add_node(f"spine{spine}", SWITCH)
        for leaf in range(1, keys["leaves"] + 1):
            network.add_link(f"leaf{leaf}", f"spine{spine}")


def _even(text):
    value = units.parse_count(text, 2, 32)
    if value % 2:
        raise BadValue(f"'{text}' is odd; allowed: an even number from 2 to 32")
    return value


def _fattree(network, keys):
    """Al-Fares' three layers: k pods of k/2 edge and k/2 aggregation switches."""
    half = keys["k"] // 2
    cores = [f"c{core + 1}" for core in range(half * half)]
    for core in cores:
        network.add_node(core, SWITCH)
    number = 0
    for pod in range(1, keys["k"] + 1):
        for index in range(1, half + 1):
            network.add_node(f"a{pod}.{index}", SWITCH)
            for core in cores[(index - 1) * half:index * half]:
                network.add_link(f"a{pod}.{index}", core)
        for edge in range(1, half + 1):
            network.add_node(f"e{pod}.{edge}", SWITCH)
            for index in range(half):
                number += 1
                network.add_node(f"h{number}", HOST, (pod, edge, index))
                network.add_link(f"h{number}", f"e{pod}.{edge}")
            for index in range(1, half + 1):
                network.add_link(f"e{pod}.{edge}", f"a{pod}.{index}")


def _way(inter):
    return lambda keys: ["access"] + ["inter"] * inter + ["access"]


def _chain_way(keys):
    hops = keys["hops"]
    return ["access"] if hops == 1 else _way(hops - 2)(keys)


TOPOLOGIES = {
    "star": ({"hosts": Key(count(2, 4000), 2)}, _way(0), _star),
    "chain": ({"hops": Key(count(1, 30), 1)}, _chain_way, _chain),
    "paths": ({"n": Key(count(1, 250), 8), "hosts": Key(count(1, 250), 1)},
              _way(1), _paths),
    "leafspine": ({"leaves": Key(count(1, 250), 4),
                   "spines": Key(count(1, 250), 4),
                   "hosts": Key(count(1, HOSTS_PER_LEAF), 4)},
                  _way(2), _leafspine),
    "fattree": ({"k": Key(_even, 4)}, _way(4), _fattree),
}


def _rates(keys, way):
    inter = keys["inter_rate"] or keys["rate"]
    return [keys["rate"] if hop == "access" else inter for hop in way]


def round_trip_ps(rates, mtu, overhead):
    """Serialisation, both ways, of a full-size packet and of its ACK."""
    return sum(serialise_ps(mtu + overhead, rate)
               + serialise_ps(ACK_BYTES + overhead, rate) for rate in rates)


def _delays(keys, way, report):
    """Propagation per link (access up, access down, other) in ns.

    `rtt` is that of a full-size data packet and its ACK over the longest way
    of the empty network, serialisation included; what the serialisation leaves
    is shared out evenly, the odd nanoseconds on the access links.
    """
    if keys["rtt"] is None:
        delay = DEFAULT_DELAY if keys["delay"] is None else keys["delay"]
        return delay, delay, delay
    busy = -(-round_trip_ps(_rates(keys, way), keys["mtu"],
                            keys["overhead"] or 0) // PS_PER_NS)
    left = keys["rtt"] - busy
    if keys["delay"] is not None:
        report("rtt and delay are both given; allowed: one of them")
    if left < 0:
        report(f"rtt: '{keys['rtt']}ns' is shorter than the serialisation alone;"
               f" allowed: {busy}ns or more")
        return 0, 0, 0
    each = left // (2 * len(way))
    odd = left - each * 2 * len(way)
    up = (odd + 1) // 4
    return each + up, each + (odd - 2 * up) // 2, each


def is_host_queue(network, link, direction):
    """Is this way a host's own queue, which is Linux's?

    Where two hosts share one link there is no switch, and the topology's queue
    can only be meant for them.
    """
    kinds = [network.nodes[end].kind for end in link.ends]
    return kinds != [HOST, HOST] and network.nodes[link.sender(direction)].kind == HOST


def _host_queue(network, shared):
    """What a host sends through: as long as Linux has it, without marks."""
    own = {key: value for key, value in shared.items() if key not in SWITCH_QUEUE}
    return dict(own, buffer=DEFAULT_BUFFER_PACKETS * network.units["pkt"])


def set_params(network, keys, delays):
    """Every link's parameters; delays of access links (up, down) and of the others."""
    up, down, inter = delays
    shared = {key: keys[key] for key in ("overhead", *queue_keys({}))
              if keys[key] is not None}
    for link in network.links.values():
        access = link.cls == "access"
        rate = keys["rate"] if access else keys["inter_rate"] or keys["rate"]
        for direction in DIRECTIONS:
            from_host = network.nodes[link.sender(direction)].kind == HOST
            queue = _host_queue(network, shared) \
                if is_host_queue(network, link, direction) else shared
            delay = (up if from_host else down) if access else inter
            link.params[direction] = dict(queue, rate=rate, delay=delay)


def _bdp(keys, way, delays):
    """Bytes of the line rate times the base RTT of the longest way."""
    up, down, inter = delays
    middle = len([hop for hop in way if hop == "inter"])
    ends = up + down if len(way) > 1 else up
    rtt_ps = (2 * (ends + middle * inter) * PS_PER_NS
              + round_trip_ps(_rates(keys, way), keys["mtu"],
                              keys["overhead"] or 0))
    return keys["rate"] * rtt_ps // (8 * PS_PER_S)


def table(plain):
    """All keys of a `topology` line whose own are these."""
    return {**plain, **dict.fromkeys(queue_keys({}), Key(word))}


def read_words(plain, words, report):
    """The keys of a `topology` line; its queues' stay texts until a bdp is known."""
    allowed = table(plain)
    return with_defaults(read_keys(words, allowed, report), allowed)


def read_queues(network, keys, report):
    """Those texts into sizes, by the network's units."""
    sized = queue_keys(network.units)
    given = read_keys([f"{name}={keys[name]}" for name in sized if keys[name]], sized, report)
    keys.update({name: given.get(name) for name in sized})
    if keys["buffer"] is None:
        keys["buffer"] = DEFAULT_BUFFER_PACKETS * network.units["pkt"]


def build(kind, words, report):
    """The network of a `topology` line; report(text) takes what is wrong."""
    own, way_of, builder = TOPOLOGIES[kind]
    keys = read_words({**own, **common_keys()}, words, report)
    way = way_of(keys)
    delays = _delays(keys, way, report)
    network = Network(keys["mtu"])
    network.nic = keys["nic"]
    network.units = {"pkt": keys["mtu"] + (keys["overhead"] or 0),
                     "bdp": _bdp(keys, way, delays)}
    read_queues(network, keys, report)
    builder(network, keys)
    set_params(network, keys, delays)
    network.settle()
    return network
