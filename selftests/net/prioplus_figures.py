#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""prioplus: the paper's figures of one bottleneck, what 210 held flows ask, and a transfer
that is held for a minute.

    steps    eight priorities of 30 flows start from the lowest to the highest, 20 ms (--full:
             50) one after the other, and end in the reverse order (figure 10a): how soon each
             takes the line, that it keeps it, and how soon it has it back
    adjacent priorities 3 to 6 of two flows each, 10 Gbit/s and 13 us, start and end 4 ms
             apart (figure 8): how soon the highest has its rate, with swift beside it whose
             targets are the same
    probes   seven priorities of 30 flows are held by 30 flows of the highest: the probes'
             part of the line, and how soon the next has it when the highest has ended
    late     flows of one priority that join one after the other come to even shares
    incast   10 Gbit/s and 120 us, 100 Gbit/s and 12 us ten times as slow, channels ten times
             as wide: how often the delay is beyond D_limit, which the paper's is not; no
             verdict
    dual     ten flows take over from ten of the priority below, with a step in every second
             RTT and in every one (figure 10c): no overreaction against oscillation
    noise    five flows of one priority under the paper's delay noise, 1 to 5 times, and under
             uniform noise: 98 % of the line at the channel widths that the paper gives
             (figures 10d and 13); mean of the seeds. Two flows whose packets are late each for
             itself: that much with a filter of two delays in a row, not with one of one
    sprayed  two priorities over all ways of a fat-tree: the same orders hold
    held     20 MB (--full: 1 GB), held for 60 s on 100 Mbit/s and 12 ms, arrive whole

All but steps, adjacent, probes and late run with --full, or by name.

One seed, and without what is left out for comparison; --full has five, and that.
"""

from tap import run_all, run_parts, seeds_for, spread
from lablib.expect import jain          # found by way of tap

RTT_NS = 120_000
RATE = 1.25                             # bytes/ns on the wire
WIRE = 1280 / 1208                      # of a full packet's payload
PROBES, SHARE = 0.025, 0.95             # 210 probes of 91 bytes each 660 us, and a tenth
USED = 0.98                             # of the line, under noise
NIC_NS, NIC_WIDTH_NS, NIC_SCALES = 3_000, 8_000, (1, 2, 3, 5)   # mean, 99.85 %; times 10
UNIFORM_US = (100, 200, 300)
TAKEN, BACK = 50, 12                    # base RTTs after a start, an end: the paper's
# (flows, us from step to step)
STEPS, FULL_STEPS = (30, 20_000), (30, 50_000)
CORE = "path1:ab"

HEAD = """
topology paths n=1 hosts=$hosts rate=10Gbps rtt=120us mtu=1280B buffer=0 nic=ideal
host * receiver ideal
host * knob prioplus.base_rtt_ns=120000 prioplus.eps_ns=10000
host * knob prioplus.channel_fluct_ns=32000 prioplus.channel_noise_ns=8000
expect rto == 0
"""


def scenario(title, hosts, *lines):
    """A scenario's text."""
    return "\n".join([f"title prioplus: {title}", HEAD.replace("$hosts", str(hosts)), *lines])


def group(prio, count, start_us=0, lasts_us=0, jitter_us=100):
    """Flows of one priority, 1 to 8."""
    return (f"flow p{prio} a* -> b1 count={count} size=forever cc=prioplus prio={prio - 1}"
            f" jitter={jitter_us}us start={start_us}us"
            + (f" lasts={lasts_us}us" if lasts_us else ""))


def received(flows, prio, start, end):
    """What a priority's flows received, in bytes on the wire."""
    return WIRE * sum(track.grown(start, end, "bytes_received")
                      for name, track in flows.items() if name.startswith(f"p{prio}."))


def even(flows, prio, start, end):
    """How evenly the flows of a priority share what they have: Jain's index."""
    return jain([track.grown(start, end, "bytes_received")
                 for name, track in flows.items() if name.startswith(f"p{prio}.")])


def since(flows, prio, start, end, sample, rate=RATE):
    """Base RTTs from a time until a priority has 90 % of the line, or of another rate, for
    five samples."""
    for t in range(start, end - 5 * sample, sample):
        if received(flows, prio, t, t + 5 * sample) >= .9 * rate * 5 * sample:
            return (t - start) / RTT_NS
    return (end - start) / RTT_NS


def gone(flows, prio, start, end, sample):
    """Base RTTs from the time until a priority has had half of the line for the last time:
    what waits in its senders' sockets when their time is over is sent all the same."""
    last = max((t + sample for t in range(start, end, sample)
                if received(flows, prio, t, t + sample) >= .5 * RATE * sample), default=start)
    return (last - start) / RTT_NS


def queue_ns(links, start, end):
    """The line's queue at the samples of a time, as a delay."""
    return [size / RATE for size in links[CORE].within(start, end, "queue")]


# --- steps ------------------------------------------------------------------------------

def steps_text(count, step_us):
    """Figure 10a."""
    return scenario(
        f"8 priorities, {count} flows each", count,
        *(group(p, count, (p - 1) * step_us, (17 - 2 * p) * step_us if p > 1 else 0)
          for p in range(1, 9)),
        "sample every=200us", f"stop at={15 * step_us}us")


def steps_measure(step_us):
    """For each phase: priority, share of the line, of all others, base RTTs, when the
    priority above was gone, and how evenly its flows share the last three quarters."""
    def measure(_result, flows, links):
        found = []
        for number, prio in enumerate([*range(1, 9), *range(7, 0, -1)]):
            start, end = (n * step_us * 1000 for n in (number, number + 1))
            begin = start + RTT_NS * (TAKEN if number < 8 else BACK)
            carried = links[CORE].grown(begin, end, "tx_bytes")
            mine = received(flows, prio, begin, end)
            line = RATE * (end - begin)
            found.append((prio, mine / line, (carried - mine) / line,
                          since(flows, prio, start, end, 200_000),
                          gone(flows, prio + 1, start, end, 200_000) if number > 7 else 0,
                          even(flows, prio, start + step_us * 250, end)))
        return found
    return measure


def steps(tap, full):
    """Each priority takes the line, keeps it, and has it back. How soon is told: the families'
    draws judge it."""
    count, step_us = FULL_STEPS if full else STEPS
    rows = runs(tap, steps_text(count, step_us), full, steps_measure(step_us))
    for number, found in enumerate(zip(*rows)):
        prio, name = found[0][0], "started" if number < 8 else "was left alone"
        share, others, times, late = ([row[n] for row in found] for n in (1, 2, 3, 4))
        text = f"steps: priority {prio}, which {name}:"
        after = [max(time - left, 0) for time, left in zip(times, late)]
        tap.ok(min(share) > max(others), f"{text} it has more of the line than all others",
               f"then {spread(share)[1]} of the line, least {min(share):.3f};"
               f" all others {spread(others)[1]}, most {max(others):.3f}")
        tap.say(f"{text} 90 % of the line after {spread(after)[1]} base RTTs"
                + ("" if number < 8 else " from the one above's last"))
    for name, phases in (("started", range(8)), ("was left alone", range(8, 15))):
        found = [row[n][5] for row in rows for n in phases]
        tap.say(f"steps: how evenly the flows of the one that {name} share, Jain:"
                f" {spread(found)[1]}, least {min(found):.2f}")


# --- adjacent ---------------------------------------------------------------------------

ADJACENT = (3, 4, 5, 6)
ADJACENT_STEP = 4_000_000
ADJACENT_SAMPLE = 50_000
YIELD_MS, BACK_MS = 2, 3                # of swift in the paper
ADJACENT_TEXT = """
title $cc: four adjacent priorities, two flows each
set cc prioplus
topology paths n=1 hosts=4 rate=10Gbps rtt=13us mtu=1280B buffer=0 nic=ideal
host * receiver ideal
host * knob prioplus.base_rtt_ns=13000 prioplus.eps_ns=2400 prioplus.ai=125
host * knob prioplus.channel_fluct_ns=3200 prioplus.channel_noise_ns=800
host * knob swift.ai=125 swift.fs_min=1 swift.fs_max=2
default size=forever cc=$cc jitter=10us
$flows
sample every=50us
stop at=28ms
expect rto == 0
"""


def adjacent_text():
    """The flows of a priority are on a host of their own, which tells swift its target."""
    lines = []
    for number, prio in enumerate(ADJACENT):
        host, lasts = f"a{number + 1}", 4 * (7 - 2 * number)
        lines += [f"host {host} knob swift.base_target_us={13 + 4 * prio}",
                  f"flow p{prio} {host} -> b1 count=2 prio={prio - 1} start={4 * number}ms"
                  + (f" lasts={lasts}ms" if number else "")]
    return ADJACENT_TEXT.replace("$flows", "\n".join(lines))


def adjacent_measure(_result, flows, _links):
    """For each phase: ms until its highest has 90 % of what it has in the phase's last
    quarter, and its part of the line from 1 ms on."""
    found = []
    for number, prio in enumerate([*ADJACENT, *reversed(ADJACENT[:-1])]):
        start, end = (n * ADJACENT_STEP for n in (number, number + 1))
        last = received(flows, prio, end - ADJACENT_STEP // 4, end) / (ADJACENT_STEP // 4)
        took = since(flows, prio, start, end, ADJACENT_SAMPLE, last) * RTT_NS / 1e6
        half = start + ADJACENT_STEP // 4
        found.append((took, received(flows, prio, half, end) / RATE / (end - half)))
    return found


def adjacent(tap, full):
    """Figure 8."""
    found = {cc: runs(tap, adjacent_text(), full, adjacent_measure, cc=cc)
             for cc in ("prioplus", "swift")}
    for name, phases, most in (("a higher one starts", (1, 2, 3), YIELD_MS / 2),
                               ("the highest ends", (4, 5, 6), BACK_MS / 2)):
        ours, swift = ([row[n][0] for row in rows for n in phases] for rows in found.values())
        late = sum(took > most for took in ours)
        tap.ok(late <= len(ours) // 10 and max(ours) <= max(swift) and
               spread(ours)[0] <= spread(swift)[0] / 2,
               f"adjacent: when {name} the highest has its rate in half of swift's time: in the"
               f" mean of swift's here, nine of ten times of the paper's, {most} ms, none later",
               f"{spread(ours)[1]} ms, most {max(ours):.2f}, {late} later;"
               f" swift {spread(swift)[1]}, most {max(swift):.2f}")
    for cc, rows in found.items():
        tap.say(f"adjacent, {cc}: of the line, from 1 ms of each phase on, the highest has "
                + ", ".join(spread(row[n][1] for row in rows)[1] for n in range(7)))


# --- probes -----------------------------------------------------------------------------

def probes_measure(_result, flows, links):
    """Share of the line that is not the highest's, and RTTs until the next has it."""
    carried = links[CORE].grown(10_000_000, 20_000_000, "tx_bytes")
    mine = received(flows, 8, 10_000_000, 20_000_000)
    return (carried - mine) / RATE / 10_000_000, mine / RATE / 10_000_000, \
        since(flows, 7, 20_000_000, 35_000_000, 200_000)


def probes(tap, full):
    """What 210 held flows ask costs."""
    text = scenario("210 flows held", 30, *(group(p, 30) for p in range(1, 8)),
                    group(8, 30, 3_000, 17_000), "sample every=200us", "stop at=35ms")
    load, share, times = zip(*runs(tap, text, full, probes_measure))
    tap.ok(max(load) <= PROBES and min(share) >= SHARE,
           f"210 held flows ask for {PROBES:.0%} of the line at most, the highest has"
           f" {SHARE:.0%}", f"{spread(load)[1]}; the highest has {spread(share)[1]}; when it"
           f" ended the next has 90 % after {spread(times)[1]} base RTTs")


# --- late -------------------------------------------------------------------------------

LATE = ((4, 5), (8, 4))                 # flows, 20 ms one after the other; their priority
EVEN = 0.95


def late_text(count, prio):
    """Each flow from a host of its own."""
    return scenario(f"{count} flows of priority {prio} join", count,
                    *(f"flow p{prio}.{n} a{n} -> b1 size=forever cc=prioplus prio={prio - 1}"
                      f" jitter=100us start={20 * n}ms" for n in range(1, count + 1)),
                    "sample every=1ms", "stop at=600ms")


def late(tap, full):
    """Who comes last is no worse off."""
    for count, prio in LATE:
        def measure(_result, flows, _links, prio=prio):
            return even(flows, prio, 450_000_000, 600_000_000)
        found = list(runs(tap, late_text(count, prio), full, measure))
        tap.ok(min(found) >= EVEN, f"late: {count} flows of priority {prio} that join one after the"
               f" other: Jain {EVEN} from 450 ms on", f"{spread(found)[1]}, least {min(found):.3f}")


# --- incast -----------------------------------------------------------------------------

def incast_measure(_result, _flows, links):
    """From 20 ms on: part of the samples beyond D_limit, the longest delay, the load."""
    waits = queue_ns(links, 20_000_000, 40_000_000)
    limit = 5 * 40_000 + 24_000
    return sum(wait > limit for wait in waits) / len(waits), max(waits) / limit, \
        links[CORE].grown(20_000_000, 40_000_000, "tx_bytes") / RATE / 20_000_000


def incast(tap, full):
    """Figure 10b: 300 flows of priority 5, D_target 200 us, D_limit 224 us above base."""
    text = scenario("300 flows of one priority", 30, group(5, 300, jitter_us=10),
                    "sample every=20us", "stop at=40ms")
    beyond, most, load = zip(*runs(tap, text, full, incast_measure))
    tap.say(f"incast: beyond D_limit {spread(beyond)[1]} of the time; longest delay / D_limit"
            f" {spread(most)[1]}; load {spread(load)[1]}")


# --- dual -------------------------------------------------------------------------------

def dual_measure(prio):
    """While ten flows take over: the line's use, and how often it is beyond D_limit."""
    def measure(_result, _flows, links):
        waits = queue_ns(links, 10_000_000 + 10 * RTT_NS, 30_000_000)
        limit = prio * 40_000 + 24_000
        used = links[CORE].grown(10_000_000 + 10 * RTT_NS, 30_000_000, "tx_bytes")
        return used / RATE / (20_000_000 - 10 * RTT_NS), \
            sum(wait > limit for wait in waits) / len(waits)
    return measure


def dual(tap, full):
    """Figure 10c, and nothing but dual_rtt is changed. The highest never stops: not with it."""
    for low, high in ((4, 5), (5, 6)):
        found = {}
        for knob in ("on", "off"):
            text = scenario(f"{high} after {low}, dual_rtt={knob}", 10,
                            f"host * knob prioplus.dual_rtt={knob}", group(low, 10),
                            group(high, 10, 10_000), "sample every=20us", "stop at=30ms")
            found[knob] = list(zip(*runs(tap, text, full, dual_measure(high))))
        (used, beyond), (used_off, beyond_off) = found["on"], found["off"]
        tap.ok(max(beyond) <= min(beyond_off) / 2 and min(used) >= max(used_off) + .1,
               f"dual: ten of {high} after ten of {low}: beyond D_limit half as often as with"
               " a step in every RTT, a tenth of the line more used",
               f"beyond {spread(beyond)[1]} against {spread(beyond_off)[1]}, used"
               f" {spread(used)[1]} against {spread(used_off)[1]}")


# --- noise ------------------------------------------------------------------------------

def noise_text(noise, tolerated_ns, count=5):
    """Flows of one priority that may stop, and channels for so much noise."""
    return scenario(f"noise {noise}", count, f"link path1:ab noise={noise}",
                    f"host * knob prioplus.channel_noise_ns={tolerated_ns}",
                    group(5, count), "sample every=1ms", "stop at=61ms")


def noise_measure(_result, _flows, links):
    """What the line carried from 20 ms on."""
    return links[CORE].grown(20_000_000, 60_000_000, "tx_bytes") / RATE / 40_000_000


def noise(tap, full):
    """Figures 10d and 13: the paper's noise, 1 to 5 times, and uniform noise."""
    cases = [(f"nic,{NIC_NS * scale}ns", NIC_WIDTH_NS * scale) for scale in NIC_SCALES]
    cases += [(f"uniform,{top}us", top * 1000) for top in UNIFORM_US]
    for shape, tolerated in cases:
        used = list(runs(tap, noise_text(shape, tolerated), full, noise_measure))
        mean, text = spread(used)
        tap.ok(mean >= USED, f"noise {shape}, channels that tolerate {tolerated / 1000:.0f}"
               f" us: {USED:.0%} of the line", f"{text}, least {min(used):.3f}")
    noise_filter(tap, full)


def noise_filter(tap, full):
    """Single late packets stop nobody. Without overtaking the next ones of the flow come late
    with it, and of five flows the others have the line at once: neither shows the filter."""
    text = noise_text(f"nic,{NIC_NS}ns,overtake", NIC_WIDTH_NS, 2)
    mean, text = spread(runs(tap, text, full, noise_measure))
    tap.ok(mean >= USED, f"noise of single packets, two flows: {USED:.0%} of the line", text)


# --- sprayed ----------------------------------------------------------------------------

SPRAYED = """
title prioplus: sprayed over a fat-tree
set low 1
set prio 0
topology fattree k=4 rate=10Gbps rtt=120us mtu=1280B buffer=256bdp nic=ideal
host * receiver ideal
host * knob prioplus.base_rtt_ns=120000 prioplus.eps_ns=10000
host * knob prioplus.channel_fluct_ns=32000 prioplus.channel_noise_ns=8000
host * knob prioplus.spray=oblivious
flow p$low h[579] -> h1 count=6 size=forever cc=prioplus prio=$prio jitter=100us
flow p6 h[68] -> h1 count=4 size=forever cc=prioplus prio=5 jitter=100us start=8ms lasts=20ms
sample every=200us
stop at=50ms
expect rto == 0
"""


def sprayed_measure(low):
    """The higher's part of all that arrives while it is there; the lower's of the line."""
    def measure(_result, flows, _links):
        both = [received(flows, prio, 18_000_000, 28_000_000) for prio in (6, low)]
        return both[0] / sum(both), both[0] / RATE / 10_000_000, \
            received(flows, low, 38_000_000, 50_000_000) / RATE / 12_000_000
    return measure


def sprayed(tap, full):
    """Packets over all ways of a fat-tree, some priorities held."""
    for low in (1, 5):
        share, used, later = zip(*runs(tap, SPRAYED, full, sprayed_measure(low), low=low,
                                       prio=low - 1))
        name = f"sprayed: four of priority 6 beside six of {low}"
        tap.ok(min(share) >= SHARE, f"{name} have {SHARE:.0%} of what arrives",
               f"{spread(share)[1]}, of the line {spread(used)[1]}")
        tap.ok(min(later) >= .9, f"{name}: when they have ended the others have 90 % of the"
               " line", spread(later)[1])


# --- held -------------------------------------------------------------------------------

HELD = """
title prioplus: $size held for a minute
set size 20MB
set end 66s
topology paths n=1 hosts=2 rate=100Mbps rtt=12ms mtu=1280B buffer=0 nic=ideal
host * receiver ideal
host * knob prioplus.base_rtt_ns=12000000 prioplus.eps_ns=1000000
host * knob prioplus.channel_fluct_ns=3200000 prioplus.channel_noise_ns=800000
flow p8 a1 -> b1 count=2 size=forever cc=prioplus prio=7 lasts=61s
flow p1 a2 -> b1 size=$size cc=prioplus prio=0 start=1s
sample every=100ms
stop at=$end
expect rto == 0
expect drops == 0
"""


def held_measure(result, flows, _links):
    """Bytes until the end of the hold, at the end, of the size; and sent again."""
    (name,) = (name for name in flows if name.startswith("p1"))
    flow = result["flows"][name]
    return flows[name].at(61_000_000_000, "bytes_received"), flow["bytes"] / flow["size"], \
        flow["retrans"]


def held(tap, full):
    """Nothing is lost by waiting."""
    size, end = ("1GB", "150s") if full else ("20MB", "66s")
    early, late, again = zip(*runs(tap, HELD, full, held_measure, size=size, end=end))
    tap.ok(max(early) <= 200_000, f"{size} held for 60 s: at most 200 kB of it went meanwhile",
           spread(early)[1])
    tap.ok(min(late) == max(late) == 1 and not any(again), f"and then all {size}, nothing twice",
           f"{spread(late)[1]}, {spread(again)[1]}")


def runs(tap, text, full, measure, **sets):
    """What was measured, seed by seed."""
    found = run_all([(text, sets, seed) for seed in seeds_for(full)], tap, measure)
    return [row.measured for row in found if row]


CASES = (steps, adjacent, probes, late, incast, dual, noise, sprayed, held)

if __name__ == "__main__":
    run_parts({case.__name__: case for case in CASES}, soon=["steps", "adjacent", "probes", "late"])
