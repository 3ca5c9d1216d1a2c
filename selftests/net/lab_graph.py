#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do free graphs carry what their links say? (lab-scenario(5), topology graph)

    line       four links of different rates and delays in a row, a packet each of both
               families: it takes the sum of their delays and of its serialisation at
               their rates, to the ns
    ring       six switches, one host each: a flow crosses the switches of its shorter
               side and no others; one to the opposite host goes both ways round when it
               is sprayed, one of its packets in two (within five standard deviations)
    parking    a flow crosses links of 1000 and 600 Mbit/s, one more crosses each alone,
               served round and round: max-min gives 300, 700 and 300 Mbit/s. Windows end
               with the senders' buffers, queues never do, so who could have more waits
"""

from math import sqrt

from tap import SEEDS, run_all, run_parts

MTU = 1500
HEADER = {6: 72, 4: 52}         # IP, TCP, time stamps

# --- line -------------------------------------------------------------------------------

BYTES = 1000
LINKS = ((10_000, 1_000), (1_000, 7_003), (2_500, 3_111), (40_000, 500))    # Mbit/s, ns
NODES = ("a", "s1", "s2", "s3", "b")
LINE = "\n".join(
    ["topology graph rate=10Gbps nic=ideal", "host a b", "switch s1 s2 s3"]
    + [f"link {a} {b} rate={rate}Mbps delay={delay}ns"
       for a, b, (rate, delay) in zip(NODES, NODES[1:], LINKS)]
    + [f"flow f{family} a -> b size={BYTES}B family={family} start={family}ms warm=1ms cc=reno"
       for family in HEADER])


def way_ns(length):
    """Stored and forwarded by each link, which ends at a whole nanosecond."""
    return sum(-(-length * 8 * 1000 // rate) + delay for rate, delay in LINKS)


def line(tap):
    """Completion times to the ns."""
    for seed, found in zip(SEEDS[:2], run_all([(LINE, {}, seed) for seed in SEEDS[:2]], tap)):
        for family, header in HEADER.items():
            wanted = way_ns(BYTES + header)
            took = found["flows"][f"f{family}"]["fct"]
            tap.ok(took == wanted, f"line, seed {seed}: a packet of IPv{family} takes"
                   f" {wanted} ns", f"{took}")


# --- ring -------------------------------------------------------------------------------

SIZE = 6
PACKETS = 2000
RING = "\n".join(
    ["topology graph rate=10Gbps delay=5us nic=ideal"]
    + [f"switch s{at}\nhost h{at}\nlink h{at} s{at}\nlink s{at} s{at % SIZE + 1}"
       for at in range(1, SIZE + 1)]
    + ["host * knob mswift.spray=oblivious mswift.spray_segs=1",
       f"flow near h2 -> h4 size={PACKETS * (MTU - HEADER[6])}B cc=mswift",
       f"flow far h1 -> h4 size={PACKETS * (MTU - HEADER[6])}B cc=mswift start=20ms"])
# Two ways round to the opposite host.
SIDES = (("s1-s2:ab", "s2-s3:ab", "s3-s4:ab"), ("s6-s1:ba", "s5-s6:ba", "s4-s5:ba"))


def ring(tap):
    """Who crosses what; the ways back carry ACKs alone."""
    full = MTU * PACKETS
    for seed, found in zip(SEEDS, run_all([(RING, {}, seed) for seed in SEEDS], tap)):
        sent = {name: link["bytes"] for name, link in found["links"].items()}
        carried = [sent["s1-s2:ab"], sent["s6-s1:ba"]]
        part = carried[0] / sum(carried)
        off = 5 * 0.5 / sqrt(PACKETS)
        tap.ok(abs(part - 0.5) < off, f"ring, seed {seed}: half of the packets go each way"
               f" round, within {off:.1%}", f"{part:.1%}")
        tap.ok(abs(sum(carried) - full) < full / 100, f"ring, seed {seed}: and all of them"
               " either", f"{sum(carried)} of {full} bytes")
        left, right = ([sent[name] for name in side] for side in SIDES)
        tap.ok(max(right) - min(right) < full / 100 and
               abs(left[1] - left[0] - full) < full / 100 and
               abs(left[2] - left[1]) < full / 100,
               f"ring, seed {seed}: the near one takes the two links of its side",
               f"{left} and {right}")


# --- parking ----------------------------------------------------------------------------

PARKING = f"""topology graph rate=10Gbps delay=10us buffer=0 nic=ideal
switch s1 s2 s3
host long near mid next end far
link long s1
link near s1
link s1 s2 rate=1Gbps drr={MTU}B
link mid s2
link next s2
link s2 s3 rate=600Mbps drr={MTU}B
link end s3
link far s3
host * receiver ideal
default sndbuf=256KB size=forever cc=reno
flow both long -> end dscp=8
flow first near -> mid
flow second next -> far
sample every=1ms
stop at=200ms
"""
PART = 50 * 10**6, 150 * 10**6
SHARES = {"both": 300, "first": 700, "second": 300}     # Mbit/s on the wire


def goodput_mbps(result, flows, _links):
    """After the start."""
    return {name: flows[name].grown(*PART, "bytes_received") * 8 * 10**3 / (PART[1] - PART[0])
            for name in result["flows"]}


def parking(tap):
    """Shares of two bottlenecks."""
    for seed, found in zip(SEEDS[:2], run_all([(PARKING, {}, seed) for seed in SEEDS[:2]], tap,
                                              goodput_mbps)):
        for name, wire in SHARES.items():
            wanted = wire * (MTU - HEADER[6]) / MTU
            got = found.measured[name]
            tap.ok(abs(got / wanted - 1) < 0.005, f"parking, seed {seed}: '{name}' has"
                   f" {wanted:.1f} Mbit/s, within 0.5 %", f"{got:.1f}")


if __name__ == "__main__":
    run_parts({"line": line, "ring": ring, "parking": parking})
