# SPDX-License-Identifier: GPL-2.0
"""The zero-queue lower bound: how fast a flow could be if it never waited.

From the flow's start to the last byte at the receiver, on the way with the fewest
hops, all of a hop's parallel links used at once where there are several:

    bound = handshake + propagation + max over hops j of
            ( first packet's serialisation on the hops before j
            + serialisation of all the flow's packets on hop j
            + last packet's serialisation on the hops after j )

The handshake is the SYN there and the SYN-ACK back; a warm flow has none, it
begins with its data. Of requests and responses each takes its time after the one
before: the request's way back, found like the data's, and the response's; a
connection that is not warm is accepted when the ACK of the handshake is there.
Packets are full, but for
the last, and carry IP, TCP and time stamp headers and the link's overhead.
What a card puts off (offload gro=) is no part of it. The bound of a whole run
(cct_bound) is the latest end of all flows with a size, or, if later, the time a host's
own link needs for all that it sends or gets.
"""

from dataclasses import dataclass

from . import topology

PS_PER_NS = topology.PS_PER_NS


@dataclass
class Hop:
    """Parallel links at one distance: the fastest, and all together."""

    one: int            # bit/s of the fastest link
    all: int            # bit/s of all links
    delay: int          # ns, the shortest
    overhead: int       # bytes per packet, the smallest
    links: dict         # name:direction -> bit/s

    def packet(self, length):
        """Picoseconds of one packet on the fastest link."""
        return topology.serialise_ps(length + self.overhead, self.one)


def hops(network, source, target):
    """The hops of the shortest ways from source to target."""
    found = []
    for stage in network.stages(source, target):
        params = [link.params[direction] for link, direction in stage]
        params = [param for param in params if param.get("up", 1)] or params
        found.append(Hop(max(param["rate"] for param in params),
                         sum(param["rate"] for param in params),
                         min(param["delay"] for param in params),
                         min(param.get("overhead", 0) for param in params),
                         {f"{link.name}:{direction}":
                          link.params[direction]["rate"]
                          for link, direction in stage}))
    return found


class Ways:
    """The hops between hosts, looked for once for each pair."""

    def __init__(self, network):
        self.network = network
        self.known = {}

    def hops(self, source, target):
        """As hops()."""
        if (source, target) not in self.known:
            self.known[source, target] = hops(self.network, source, target)
        return self.known[source, target]


def header(family):
    """Bytes of headers in a data packet."""
    return (topology.IP_HEADER[family] + topology.TCP_HEADER
            + topology.TCP_TIMESTAMPS)


class Flow:
    """The numbers of one flow on an empty network, in picoseconds."""

    def __init__(self, ways, flow):
        network = ways.network
        self.flow = flow
        self.there = ways.hops(flow.source, flow.target)
        back = ways.hops(flow.target, flow.source)
        head = self.head = header(flow.family)
        self.mss = network.mtu - head
        self.calls = flow.keys.get("calls") or 1
        self.packets = self.calls * max(-(-flow.response // self.mss), 1)
        self.full = min(flow.response + head, network.mtu) if flow.size else network.mtu
        self.last = flow.response - (self.packets // self.calls - 1) * self.mss + head
        syn = (topology.IP_HEADER[flow.family] + topology.TCP_HEADER
               + topology.TCP_SYN_OPTIONS)
        handshake = self._one_way(self.there, syn) + self._one_way(back, syn)
        self.ask = self._asking(back, head)
        self.handshake = 0 if flow.warm else handshake
        if flow.request and not flow.warm:
            self.handshake += self._one_way(self.there, head)
        cards = network.interrupt(flow.source) + network.interrupt(flow.target)
        self.warming = (handshake + self._one_way(self.there, head + 1)
                        + self._one_way(back, head + 1) + 2 * cards * PS_PER_NS)
        ack = head
        self.base_rtt = (self._one_way(self.there, network.mtu)
                         + self._one_way(back, ack))
        self.line = min(hop.all for hop in self.there)
        self.capacity = min(hop.all * self.mss / (network.mtu + hop.overhead)
                            for hop in self.there)

    @staticmethod
    def _one_way(way, length):
        return sum(hop.packet(length) + hop.delay * PS_PER_NS for hop in way)

    def _asking(self, back, head):
        """The way of a request, in full packets and what is left; 0: there is none."""
        size = self.flow.request
        if not size:
            return 0
        packets = -(-size // self.mss)
        lengths = [self.mss + head] * (packets - 1) + [size - (packets - 1) * self.mss + head]
        there = [0] * packets       # when each packet is over the hops so far
        for hop in back:
            free = 0
            for number, length in enumerate(lengths):
                free = max(free, there[number]) + hop.packet(length)
                there[number] = free + hop.delay * PS_PER_NS
        return there[-1]

    def wire_bytes(self, hop):
        """Bytes of all its data packets on a hop."""
        return self.flow.size + self.packets * (self.head + hop.overhead)

    def before(self, number):
        """The first packet's way to hop `number`, with propagation."""
        return self._one_way(self.there[:number], self.full)

    def after(self, number):
        """The last packet's way from hop `number` on, with propagation."""
        return self._one_way(self.there[number:], self.last)

    def data(self):
        """First byte sent to last byte of a response received, in ps."""
        worst = 0
        for number, hop in enumerate(self.there):
            busy = max(topology.serialise_ps(self.wire_bytes(hop) // self.calls, hop.all),
                       hop.packet(self.last))
            worst = max(worst, self.before(number) + busy
                        + hop.delay * PS_PER_NS + self.after(number + 1))
        return worst

    def fct(self):
        """The bound of the flow's completion time, in ns."""
        total = self.handshake + self.calls * (self.ask + self.data())
        if self.flow.rate:
            total = max(total, topology.serialise_ps(self.flow.size,
                                                     self.flow.rate))
        return total // PS_PER_NS


def _starts(flows):
    """The earliest each flow can start, in ns: `after` waits for others."""
    ends, starts = {}, {}
    for name, item in flows.items():
        after = item.flow.keys.get("after") or ()
        starts[name] = item.flow.start + max(
            (ends.get(other, 0) for other in after), default=0)
        takes = (item.flow.keys.get("lasts") or 0) if item.flow.forever else item.fct()
        ends[name] = starts[name] + takes
    return starts


def _end_link(items, starts, place):
    """When a host's own link can be done with all these flows, in ns."""
    ways = [(item, 0 if place == "source" else len(item.there) - 1) for item in items]
    item, way = ways[0]
    hop = item.there[way]
    total = sum(item.wire_bytes(item.there[way]) for item, way in ways)
    first = min(starts[item.flow.name] * PS_PER_NS + item.handshake
                + item.before(way) for item, way in ways)
    rest = min(item.after(way + 1) for item, way in ways)
    busy = topology.serialise_ps(total, hop.all)
    return (first + busy + hop.delay * PS_PER_NS + rest) // PS_PER_NS


def run_line(items):
    """What all flows together can send, in bit/s: the narrowest cut.

    The cuts tried are the links of all senders, of all receivers and, if all
    ways are as long, of every hop between.
    """
    lengths = {len(item.there) for item in items}
    places = range(lengths.pop()) if len(lengths) == 1 else (0, -1)
    cuts = []
    for place in places:
        links = {}
        for item in items:
            links.update(item.there[place].links)
        cuts.append(sum(links.values()))
    return min(cuts, default=0)


def bounds(scenario):
    """({flow name: Flow}, cct bound in ns or None)."""
    ways = Ways(scenario.network)
    flows = {flow.name: Flow(ways, flow) for flow in scenario.flows}
    starts = _starts(flows)
    sized = [item for item in flows.values() if not item.flow.forever]
    if not sized:
        return flows, None
    ends = [starts[item.flow.name] + item.fct() for item in sized]
    for place in ("source", "target"):
        shared = {}
        for item in sized:
            shared.setdefault(getattr(item.flow, place), []).append(item)
        ends += [_end_link(items, starts, place) for items in shared.values()]
    return flows, max(ends) - min(starts[item.flow.name] for item in sized)
