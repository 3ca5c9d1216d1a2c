#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""No knob may stop a flow: whatever is written, data goes on arriving.

    knob_draws.py [--draws N] [--seed S] [--show NUMBER]

Each draw is an algorithm and a value within its range for every knob that it has,
as the modules' own tables say: most at random over the orders of magnitude, some
at an end of their range. Two flows with those knobs share a way on which queues
form, marks and losses happen. Many draws are one run, each on links of its own:

    h1 ---- s ==== h2     10 Gbps ---- and 1 Gbps or less ====, two flows a draw
    h3 ---- s ==== h4

The times between two arrivals of data at a receiver are looked at, to the end of
the flow. Longer than three retransmission timeouts is a standstill. Algorithms that
know windows below a packet may take a second for one (SLOWEST_WINDOW_MS in
common/stack/dcc_act.c): theirs is longer than two such packets and a timeout.

prioplus holds flows on purpose: as long as it believes in others of a higher
priority. Who tells it that the empty network's delay is shorter than it is has it
believe that for good, so draws leave such a value to the highest priority, which
never stops.
"""

import argparse
import importlib.util
import math
import random
import sys
from dataclasses import dataclass, replace

from labkit import run, runner, scratch, trace
from tap import ROOT, Tap

DRAWS = 90                      # without --draws: ten of each algorithm
PER_RUN = 9
SIZE = 300_000
MTU = 4096
MSS = MTU - 72                  # IPv6, TCP with time stamps
RTT_NS = 120_000
RTO_NS = 200_000_000            # the smallest
DELACK_NS = 40_000_000          # what a receiver may add to a lone packet's RTT
HEADERS = 200                   # no packet without data is longer
RTOS = 3
SLOWEST_NS = 1_000_000_000
STOP_S = 60
LATE_NS = 2_000_000             # the second flow of a draw
PRIORITIES = (0, 3, 15)         # a flow's level is one more


def load_tables():
    """The page that documents knobs has the compiler read the modules' tables."""
    spec = importlib.util.spec_from_file_location("knob_doc", ROOT / "scripts/knob-doc.py")
    tables = importlib.util.module_from_spec(spec)
    sys.modules["knob_doc"] = tables
    spec.loader.exec_module(tables)
    return tables


@dataclass
class Knob:
    """One line of an algorithm's table."""

    name: str
    unit: str
    low: int
    high: int
    default: int

    def draw(self, chance):
        """A value, as its file takes it."""
        if "|" in self.unit:
            return chance.choice(self.unit.split("|"))
        if self.unit == "2^n":
            return 1 << chance.randint(int(math.log2(self.low)), int(math.log2(self.high)))
        kind = chance.random()
        if kind < 0.3:
            return self.default
        if kind < 0.5:
            return chance.choice((self.low, self.high))
        return min(self.high, self.low - 1 + round(
            math.exp(chance.uniform(0, math.log(self.high - self.low + 2)))))


def all_knobs():
    """{algorithm: [Knob, ...]}: what each of them uses."""
    doc, found = load_tables(), {}
    for module in (source for source in doc.SOURCES if source.glue):
        whole = {"all": (f"{module.prefix}_KNOBS", "")}
        rows = doc.expand(replace(module, lists=whole))
        for bit, name in enumerate(doc.algorithms(module)):
            found[name] = [Knob(row[1], row[2], *map(int, row[3:6])) for row in rows
                           if int(row[6]) >> bit & 1]
    return found


@dataclass
class Draw:
    """An algorithm, its knobs and the way that its flows go."""

    number: int
    algorithm: str
    knobs: dict
    prio: int
    rate: int
    buffer: int
    more: str

    def way(self):
        """The link to the receiver."""
        return f"rate={self.rate}bps buffer={self.buffer}B {self.more}"

    def text(self, place):
        """The lines of a scenario; a draw's place in it is its pair of hosts."""
        a, b = f"h{2 * place + 1}", f"h{2 * place + 2}"
        knobs = " ".join(f"{self.algorithm}.{name}={value}"
                         for name, value in self.knobs.items())
        flow = f"{a} -> {b} size={SIZE}B cc={self.algorithm} prio={self.prio}"
        return (f"link {b}-s:ba {self.way()}\nhost {a} knob {knobs}\n"
                f"flow f{place} {flow}\nflow g{place} {flow} start={LATE_NS}ns\n"
                f"trace {b}-s\n")

    def describe(self):
        """What it is, for who wants to try it alone."""
        knobs = " ".join(f"{name}={value}" for name, value in self.knobs.items())
        return f"{self.algorithm} prio={self.prio} {self.way()} {knobs}"

    def longest_ns(self):
        """Without data for so long is no standstill yet."""
        queue_ns = self.buffer * 8 * 10**9 // self.rate
        rtt_ns = RTT_NS + queue_ns + DELACK_NS
        if "min_cwnd" in self.knobs:
            return 2 * SLOWEST_NS + RTO_NS + rtt_ns
        return RTOS * (RTO_NS + rtt_ns)


def draw(number, seed, tables):
    """The draw of this number."""
    chance = random.Random(f"{seed}/{number}")
    algorithm = list(tables)[number % len(tables)]
    knobs = {knob.name: knob.draw(chance) for knob in tables[algorithm]}
    prio = chance.choice(PRIORITIES)
    if "prio_levels" in knobs:
        knobs["prio_source"] = "so_priority"
        if prio + 1 < knobs["prio_levels"] and knobs["base_rtt_ns"] < 2 * RTT_NS:
            knobs["base_rtt_ns"] = 0
    more = f"ecn={chance.choice((0, 8, 32))}KB loss={chance.choice((0, 0, 0.2, 1))}%"
    return Draw(number, algorithm, knobs, prio, chance.choice((10**8, 10**9)),
                chance.choice((16_000, 64_000, 400_000)), more)


def scenario(draws):
    """All of them in one network, each with a pair of hosts."""
    return (f"title knobs drawn at random\ntopology star hosts={2 * len(draws)} rate=10Gbps nic=ideal"
            f" rtt={RTT_NS}ns mtu={MTU}B buffer=2bdp\n"
            + "".join(one.text(place) for place, one in enumerate(draws))
            + f"stop when=done at={STOP_S}s\n")


def arrivals(folder, place):
    """{port: [time, ...]} of the data that reached a draw's receiver, by flow."""
    found = {}
    for r in trace(folder)[f"h{2 * place + 2}-s:ba"]:
        if r.event == "rx" and r.length > HEADERS:
            found.setdefault(r.flow, []).append(r.t)
    return found


def longest(times, end):
    """(how long, from when) nothing arrived, ns; to the end of an unfinished flow."""
    return max((b - a, a) for a, b in zip(times, [*times[1:], end]))


def standstills(place, result):
    """[(flow, how long, from when, was it finished)] of a draw's two flows."""
    found = []
    ways = arrivals(result.folder, place)
    for number, times in enumerate(ways.values()):
        name = "fg"[number] + str(place)
        done = result["flows"][name]["fct"]
        end = times[-1] if done else result["virtual_ns"]
        found.append((name, *longest(times, end), bool(done)))
    return found


def check(tap, draws, folder, tools, show):
    """One run; each of its draws is a test."""
    result = run(scenario(draws), folder, tools)
    for place, one in enumerate(draws):
        found = standstills(place, result)
        worst = max(found, key=lambda flow: flow[1])
        tap.ok(len(found) == 2 and worst[1] <= one.longest_ns(),
               f"draw {one.number}, {one.algorithm}: data goes on arriving",
               f"longest pause {worst[1] / 1e6:.1f} ms, at {worst[2] / 1e6:.1f} ms;"
               f" {sum(flow[3] for flow in found)} of {len(found)} flows finished")
        if worst[1] > one.longest_ns() or show:
            tap.say(f"  {one.describe()}")


def main():
    """Draws in groups, each group a run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, help="this draw alone, with its knobs")
    options = parser.parse_args()
    tap, tools, tables = Tap(), runner.Tools(), all_knobs()
    numbers = range(options.draws) if options.show is None else [options.show]
    draws = [draw(number, options.seed, tables) for number in numbers]
    with scratch("draws") as base:
        for first in range(0, len(draws), PER_RUN):
            check(tap, draws[first:first + PER_RUN], f"{base}/{first}", tools,
                  options.show is not None)
    tap.finish()


if __name__ == "__main__":
    main()
