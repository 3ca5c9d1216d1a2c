#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is the lab's noise what the page says? (lab-scenario(5), link noise=)

Every packet of a link is traced: what it was later than serialisation and
propagation have it is compared with the distribution asked for, computed here a
second time. Then who may pass whom: packets of other flows, those of the same
flow only where that was asked for.
"""

import math
from pathlib import Path

from labkit import run, runner, scratch, trace
from tap import Tap

US = 1000
DELAY = 50 * US
MTU = 4096
LINK = "a-b:ab"
# Lateness over its mean, and the share of packets that are no later: the curve
# of the page, linear in between.
NIC = ((0, 0), (.807, .5), (2.333, .99), (2.667, .9985), (3.333, .9991), (10, 1))
SLOW = 100                      # Mbit/s: no packet near another
KS = 1.95                       # of sqrt(n): 0.1 % of all honest samples are beyond


def scenario(noise, traffic, more=()):
    """Two hosts and a link; one flow, or what traffic says."""
    return "\n".join((f"topology chain hops=1 rate=10Gbps delay={DELAY}ns mtu={MTU}B nic=ideal",
                      "host * receiver ideal", f"link {LINK} noise={noise}", *traffic,
                      "trace *", *more))


def uniform(limit):
    """The share that is no later than x, all up to the limit being as likely."""
    return lambda x: min(max((x + 1) / (limit + 1), 0), 1)


def nic(mean):
    """The same of network cards."""
    def share(x):
        x /= mean
        for (x0, y0), (x1, y1) in zip(NIC, NIC[1:]):
            if x < x1:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        return 1
    return share


def journeys(folder, link=LINK):
    """(flow, sequence, sent, received) of each packet of a link, as they arrived."""
    sent, out = {}, []
    for record in trace(folder)[link]:
        key = record.flow, record.seq, record.length
        if record.event == "tx":
            sent.setdefault(key, []).append(record.t)
        elif record.event == "rx":
            out.append((record.flow, record.seq, sent[key].pop(0), record.t))
    return out


def late(folder, link=LINK):
    """What each packet was later than it would have been, ns."""
    return [received - sent - DELAY for _, _, sent, received in journeys(folder, link)]


def distance(found, share):
    """Kolmogorov's: the largest difference of two distributions."""
    found = sorted(found)
    n = len(found)
    return max(max(abs((i + 1) / n - share(x)), abs(i / n - share(x - 1)))
               for i, x in enumerate(found))


def check_shape(tap, base, tools, name, noise, share, mean, top):
    """Packets far from each other: each has a noise of its own."""
    flow = f"flow f a -> b size=24MB rate={SLOW}Mbps write=4024B cc=reno"
    folder = base / name
    run(scenario(noise, (flow,)), folder, tools)
    found = late(folder)
    n = len(found)
    d = distance(found, share)
    tap.ok(n > 5000 and d < KS / math.sqrt(n), f"{name}: the distribution asked for",
           f"{n} packets, distance {d:.4f}, allowed {KS / math.sqrt(n):.4f}")
    average = sum(found) / n
    tap.ok(min(found) >= 0 and max(found) <= top and abs(average / mean - 1) < .03,
           f"{name}: mean and bounds", f"0 <= {min(found)} to {max(found)} <= {top} ns,"
           f" mean {average:.0f} of {mean} ns")
    below = sum(x < 2.667 * mean for x in found) / n
    if name == "nic":
        tap.ok(abs(below - .9985) < .002, "nic: 99.85 % below 8 us of 3",
               f"{below:.4%}")


def passed(packets):
    """How many arrived behind one that was sent later."""
    count = newest = 0
    for _, _, sent, _ in packets:
        count += sent < newest
        newest = max(newest, sent)
    return count


def passed_own(packets):
    """How many arrived behind one of their own flow that was sent later."""
    return sum(passed([p for p in packets if p[0] == flow])
               for flow in {p[0] for p in packets})


def check_order(tap, base, tools):
    """Who overtakes whom, at line rate and with much more noise than there is room."""
    two = ("flow f a -> b count=2 size=2MB cc=reno",)
    run(scenario("uniform,100us", two), base / "kept", tools)
    kept = journeys(base / "kept")
    tap.ok(passed_own(kept) == 0, "no packet overtakes another of its flow",
           f"{passed_own(kept)} of {len(kept)} did")
    tap.ok(passed(kept) > 50, "packets of other flows pass", f"{passed(kept)}")
    run(scenario("uniform,100us,overtake", two), base / "free", tools)
    free = journeys(base / "free")
    tap.ok(passed_own(free) > 50, "with overtake those of its flow do, too",
           f"{passed_own(free)} of {len(free)}")


def check_changes(tap, base, tools):
    """Switched off in mid-run; the same seed, another."""
    flow = (f"flow f a -> b size=4MB rate={SLOW}Mbps write=4024B cc=reno",)
    off = (f"at 100ms link {LINK} noise=0",)
    run(scenario("uniform,30us", flow, off), base / "off", tools)
    found = [(sent, received - sent - DELAY)
             for _, _, sent, received in journeys(base / "off")]
    after = [x for sent, x in found if sent > 10**8]
    before = [x for sent, x in found if sent < 10**8]
    tap.ok(len(after) > 500 and not any(after) and sum(before) > len(before) * 10 * US,
           "noise=0 in mid-run ends it", f"{len(before)} before, {len(after)} after,"
           f" then at most {max(after, default=-1)} ns late")
    tap.ok(not any(late(base / "off", "a-b:ba")), "the way back has none",
           f"{len(late(base / 'off', 'a-b:ba'))} packets")
    text = scenario("nic,3us", flow)
    first, again, other = (
        late(run(text, base / name, tools, seed=seed) and base / name)
        for name, seed in (("one", 1), ("same", 1), ("other", 2)))
    tap.ok(first == again and first != other, "the same with the same seed alone")


def check_cuts(tap, base, tools):
    """A link that is down for a moment: who comes after it waits for nobody's noise."""
    flow = (f"flow f a -> b size=2MB rate={SLOW}Mbps write=4024B cc=reno",)
    every = 3000
    cuts = [f"at {when}us link {LINK} {state}" for number in range(1, 51)
            for when, state in ((number * every, "down"), (number * every + 1, "up"))]
    run(scenario("uniform,3ms,overtake", flow, cuts), base / "cuts", tools)
    found = [received - sent - DELAY for _, _, sent, received in journeys(base / "cuts")
             if every * US < sent and sent % (every * US) < 1000 * US]
    far = distance(found, uniform(3000 * US)) * math.sqrt(len(found))
    tap.ok(len(found) > 100 and far <= KS, "a link that was down for a moment has the same noise",
           f"{far:.2f} of {KS}, {len(found)} packets")


def main():
    """Runs the cases."""
    tap, tools = Tap(), runner.Tools()
    with scratch("noise") as folder:
        base = Path(folder)
        check_shape(tap, base, tools, "uniform", "uniform,30us", uniform(30 * US),
                    15 * US, 30 * US)
        check_shape(tap, base, tools, "nic", "nic,3us", nic(3 * US), 3 * US, 30 * US)
        check_order(tap, base, tools)
        check_changes(tap, base, tools)
        check_cuts(tap, base, tools)
    tap.finish()


if __name__ == "__main__":
    main()
