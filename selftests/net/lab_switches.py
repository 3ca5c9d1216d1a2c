#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the lab's switches do what the page says? (lab-scenario(5), drr= and routing adaptive)

Every packet of a link or of a stage is traced, and what must hold of each is computed
from the trace:

    DRR        while both classes have packets waiting neither is served more than the
               other by over 2 largest packets and a quantum (Shreedhar and Varghese,
               1996, theorem 2); packets of one class keep their order; a packet is
               marked exactly if the queue of its own class had reached the threshold
    adaptive   each packet goes where the queue, in quanta, is shortest at that ns;
               with marked=ecmp one with a DSCP stays on its flow's one way
"""

from collections import Counter, deque
from pathlib import Path

from labkit import run, runner, scratch
from tap import Tap

MTU = 4096
FIRST_PORT = 10000
QUANTUM = 8192                  # of adaptive routing
DRR = 4096
ECN = 60000
LINE = 10**10                   # bit/s, of DRR's link
ACK = 72
MARKED = {FIRST_PORT}           # the first flow of each scenario has a DSCP

CLASSES = f"""topology paths n=1 hosts=2 rate=10Gbps delay=10us mtu={MTU}B buffer=0 nic=ideal
link path1 ecn={ECN}B drr={DRR}B
host * receiver ideal
host * sysctl net.ipv4.tcp_ecn=1
flow marked a1 -> b1 size=6MB cc=dctcp dscp=8
flow plain a2 -> b2 size=2MB count=4 cc=dctcp
trace path1:ab
stop when=done at=1s
"""
ADAPTIVE = f"""topology paths n=4 hosts=2 rate=10Gbps delay=10us mtu={MTU}B nic=ideal
link path* rate=4Gbps
routing adaptive quantum={QUANTUM}B marked=MODE
host * receiver ideal
flow marked a1 -> b1 size=2MB cc=reno dscp=8
flow plain a2 -> b2 size=4MB cc=reno
trace path*:ab
stop when=done at=1s
"""
MANY = """topology paths n=4 hosts=1 rate=10Gbps delay=10us nic=ideal
routing adaptive marked=ecmp
flow f a -> b size=10KB count=64 cc=reno dscp=1
trace path*:ab
stop when=done at=1s
"""


def events(folder):
    """(t, link, event, bytes, port) in the order in which the lab noticed them."""
    with (Path(folder) / "trace.csv").open(encoding="ascii") as lines:
        next(lines)
        for line in lines:
            t, link, _, event, length, _, _, _, flow, _ = line.split(",")
            yield int(t), link, event, int(length), int(flow.split()[1])


class Queues:
    """The queue of each class as arrivals and departures have it, and what was served."""

    def __init__(self):
        self.bytes = [0, 0]
        self.waiting = [deque(), deque()]
        self.served = [0, 0]
        self.since = None           # served when both classes began to wait
        self.furthest = 0

    def enter(self, which, length, port):
        """A packet joins its class."""
        self.bytes[which] += length
        self.waiting[which].append((length, port))

    def leave(self, which):
        """The class' oldest packet has left."""
        length = self.waiting[which].popleft()[0]
        self.bytes[which] -= length
        self.served[which] += length

    def compare(self):
        """How far the classes are apart since both wait."""
        if not all(len(queue) > 1 for queue in self.waiting):
            self.since = None
            return
        if self.since is None:
            self.since = list(self.served)
        apart = [now - then for now, then in zip(self.served, self.since)]
        self.furthest = max(self.furthest, abs(apart[0] - apart[1]))


def by_time(found):
    """In order of time; an end of serialisation before what arrives at its ns."""
    return sorted(found, key=lambda event: (event[0], event[2] != "tx"))


def check_classes(tap, folder):
    """Fairness, order and marks of DRR."""
    queues, wrong, marks, late = Queues(), [], Counter(), set()
    for t, _, event, length, port in by_time(events(folder)):
        which = port in MARKED
        if event == "mark":
            late.add((t, port, length))
        elif event == "enq":
            marked = (t, port, length) in late
            if length > ACK and marked != (queues.bytes[which] >= ECN):
                wrong.append(f"{t} ns, class {which:d}: {queues.bytes[which]} B queued,"
                             f" {'' if marked else 'not '}marked")
            marks[which, marked] += 1
            queues.enter(which, length, port)
        elif event == "tx":
            if queues.waiting[which][0] != (length, port):
                wrong.append(f"{t} ns: {length} B of port {port} left out of turn")
            queues.leave(which)
        queues.compare()
    bound = 2 * MTU + DRR
    tap.ok(0 < queues.furthest <= bound, "DRR: served alike while both wait",
           f"at most {queues.furthest} B apart, allowed {bound}")
    tap.ok(not wrong and all(marks[which, True] and marks[which, False]
                             for which in (0, 1)),
           "DRR: each class in order, marked by its own queue",
           "; ".join(wrong[:3]) or f"{sum(marks.values())} packets, {dict(marks)}")


def check_shares(tap, base, tools):
    """Half and half with DRR, one to four flows; without it a fifth."""
    for name, text, low, high in (
            ("DRR", CLASSES, .49, .51),
            ("one queue", CLASSES.replace(f" drr={DRR}B", ""), .1, .3)):
        folder = base / name.replace(" ", "-")
        run(text, folder, tools)
        sent, whole = 0, 0
        start, end = 2 * 10**6, 9 * 10**6       # all five flows are at work
        for t, _, event, length, port in events(folder):
            if event == "tx" and start <= t < end:
                sent += length * (port in MARKED)
                whole += length
        tap.ok(low <= sent / whole <= high,
               f"{name}: a class of one flow beside one of four has"
               f" {low:.0%} to {high:.0%}", f"{sent / whole:.1%} from 2 to 9 ms")
        if name == "DRR":
            check_classes(tap, folder)


def check_choices(tap, folder, mode):
    """Each packet's way against the queues of all ways at that ns."""
    queue, leaving, ways, wrong = Counter(), {}, {}, []
    found = list(events(folder))
    for t, link, event, length, _ in found:
        if event == "tx":
            leaving.setdefault(link, deque()).append((t, length))
    for t, link, event, length, port in found:
        if event != "enq":
            continue
        for other, gone in leaving.items():
            while gone and gone[0][0] <= t:
                queue[other] -= gone.popleft()[1]
        least = min(queue[f"path{n}"] // QUANTUM for n in range(1, 5))
        ways.setdefault(port in MARKED, Counter())[link] += 1
        if (mode == "adaptive" or port not in MARKED) \
                and queue[link] // QUANTUM != least:
            wrong.append(f"{t} ns: {queue[link]} B on {link}, elsewhere {least} quanta")
        queue[link] += length
    tap.ok(not wrong and len(ways[False]) >= 3, f"adaptive, marked={mode}: the shortest"
           " queue, for every packet", "; ".join(wrong[:3])
           or f"{sum(ways[False].values())} packets on {len(ways[False])} ways")
    wanted = 1 if mode == "ecmp" else 4
    tap.ok(len(ways[True]) == wanted, f"adaptive, marked={mode}: {wanted} way(s) of the"
           " flow with a DSCP", f"{dict(ways[True])}")


def check_hash(tap, base, tools):
    """Flows are dealt out over all ways, otherwise with another seed."""
    placed = {}
    for seed in (1, 2):
        run(MANY, base / f"many-{seed}", tools, seed=seed)
        placed[seed] = {port: link for _, link, event, _, port
                        in events(base / f"many-{seed}") if event == "enq"}
    tap.ok(all(len(set(ways.values())) == 4 for ways in placed.values()),
           "64 flows with a DSCP: on all ways",
           ", ".join(f"seed {seed}: {sorted(Counter(ways.values()).values())}"
                     for seed, ways in placed.items()))
    same = sum(placed[1][port] == placed[2][port] for port in placed[1])
    tap.ok(same < 64 / 2, "another seed, other ways", f"{same} of 64 the same")


def main():
    tap, tools = Tap(), runner.Tools()
    with scratch("switches") as name:
        base = Path(name)
        check_shares(tap, base, tools)
        for mode in ("adaptive", "ecmp"):
            run(ADAPTIVE.replace("MODE", mode), base / mode, tools)
            check_choices(tap, base / mode, mode)
        check_hash(tap, base, tools)
    tap.finish()


if __name__ == "__main__":
    main()
