#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""oscar on hosts and ways that are not a model's (the paper's appendix C).

    receivers       eight flows, on ordinary receivers (an ACK for every second packet)
                    and on ideal ones: their sum within 6.2 %, as the paper's mean FCT is
                    with coalesced ACKs (figure 25)
    cards           the same on hosts whose cards merge what came in 20 us, and cut, too: the
                    line as above. The queue, and one flow alone: told
    the way back    four flows each way through one pair of links. The RTT has both queues in
                    it, and flows of one way yield to the other's; without what ACKs wait
                    (way_back_ppm) the ways differ by less
    loss            a buffer of a BDP, twice D_target: 90 % of the line, no timeout, drops
                    only of the first windows (figure 22). What cannot hold D_target tells by
                    its drops: with half and a quarter of a BDP 90 %, and not more of the
                    packets dropped than the sixteenth that a flow lets pass
    a queue         a flow that starts into a standing queue has the share of those that
                    were there within a fifth, with base_rtt_ns; without it: told
    joining         16 flows one by one into one host, as in default_knobs.py: Jain's index
                    of the last hundred base RTTs at least .95; without min-RTT probes, told
"""

from default_knobs import late_job, late_measure
from tap import SEEDS, Tap, run_all, spread

COALESCED, LOSSY, SHARE, DROPPED = 0.062, 0.90, 0.20, 1 / 16
JAIN = 0.95
CARD_US, BASE_US = 20, 120
FROM_NS, TO_NS = 20_000_000, 50_000_000

TEXT = """
title oscar: $flows flows, $receiver receivers
set flows 4
set receiver ideal
set buffer 64bdp
set base 120000
topology star hosts=9 rate=10Gbps rtt=120us mtu=1280B buffer=$buffer nic=ideal
host * receiver $receiver
host * knob oscar.base_rtt_ns=$base oscar.eps_ns=10000
host * route rto_min=5ms
flow f h[2-9] -> h1 count=$flows size=forever cc=oscar warm=1ms jitter=2ms
sample every=1ms
stop at=51ms
"""
PATIENT = "expect rto == 0\n"
BACKWARDS = TEXT + PATIENT + "flow b h1 -> h[2-9] count=$flows size=forever cc=oscar warm=1ms jitter=2ms\n"
ONE_WAY = "host * route usec_ts=1\nhost * knob oscar.way_back_ppm=10\n"
CARDS = TEXT + PATIENT + "set tso 1\nset gro 0\nhost * offload tso=$tso gro=$gro\n"
LATE = TEXT.replace("stop at=51ms", "stop at=111ms") + PATIENT + \
    "flow late h9 -> h1 size=forever cc=oscar warm=1ms start=20ms\n"


def way(result, flows, first):
    """The part of what the line can carry that the flows with this first letter have."""
    grown = [track.grown(FROM_NS, TO_NS, "bytes_received")
             for name, track in flows.items() if name.startswith(f"{first}.")]
    payload = result["flows"][f"{first}.1"]["capacity"] / 8 / 1e9
    return sum(grown) / (TO_NS - FROM_NS) / payload


def carried(result, flows, links):
    """The forward flows' part of what the line can carry; what of all packets it dropped."""
    drops, sent = (links["h1-s:ba"].grown(FROM_NS, TO_NS, what)
                   for what in ("drops", "tx_packets"))
    return way(result, flows, "f"), drops / (drops + sent)


def both_ways(result, flows, links):
    """What the ways have, the lesser first."""
    return sorted((way(result, flows, "f"), way(result, flows, "b")))


def settled(result, flows, links):
    """carried(), what a packet waits at the shared link in us, Jain's index, packets an ACK."""
    link = links["h1-s:ba"]
    wait = link.grown(FROM_NS, TO_NS, "wait_ns_sum") / link.grown(FROM_NS, TO_NS, "tx_packets")
    summary = result["summary"]
    return (carried(result, flows, links)[0], wait / 1000, summary["jain"],
            summary["packets_per_ack"])


def late_share(result, flows, links):
    """The late flow's part of an even share, 70 to 110 ms."""
    grown = {name: track.grown(70_000_000, 110_000_000, "bytes_received")
             for name, track in flows.items()}
    return grown["late"] * len(grown) / sum(grown.values())


def case(tap, text, sets, measure=carried):
    """What was measured, by seed."""
    rows = run_all([(text, sets, seed) for seed in SEEDS], tap, measure)
    return [row.measured for row in rows if row]


def cards(tap, ideal):
    """Eight flows and one between hosts that merge; ideal: what eight carry without cards."""
    whole = 1000 * (BASE_US + 2 * CARD_US)
    ordinary = {"receiver": "ordinary", "gro": f"{CARD_US}us"}
    _, wait, jain, _ = (spread(column)[1] for column in zip(
        *case(tap, CARDS, {**ordinary, "flows": 8, "tso": 0, "gro": 0}, settled)))
    tap.say(f"8 flows, no cards: queue {wait} us, Jain {jain}")
    for tso, flows, base in ((0, 8, whole), (1, 8, whole), (1, 8, 0), (1, 1, whole), (0, 1, whole)):
        rows = case(tap, CARDS, {**ordinary, "flows": flows, "base": base, "tso": tso}, settled)
        rate, wait, jain, acks = (spread(column)[1] for column in zip(*rows))
        text = f"{rate} of the line, queue {wait} us, Jain {jain}, {acks} packets an ACK"
        name = f"{flows} flow{'s'[:flows > 1]}, cards merge{' and cut' * tso}"
        if flows == 1 or not base:
            tap.say(f"{name}, base RTT {'told' if base else 'measured'}: {text}")
            continue
        tap.ok(min(row[0] for row in rows) >= (1 - COALESCED) * min(ideal),
               f"{name}: the line within {COALESCED:.1%}", text)


def backwards(tap):
    """Data both ways. The RTT has both queues in it: one way gives way to the other's."""
    alone = [row[0] for row in case(tap, TEXT + PATIENT, {})]
    rtt, one_way = (list(zip(*case(tap, BACKWARDS + more, {}, both_ways)))
                    for more in ("", ONE_WAY))
    differ = [sum(ways[1]) - sum(ways[0]) for ways in (one_way, rtt)]
    tap.ok(differ[0] < differ[1], "congestion on the way back: with one-way delays the ways"
           " differ by less",
           f"{spread(one_way[0])[1]}, the other {spread(one_way[1])[1]}; {spread(rtt[0])[1]},"
           f" {spread(rtt[1])[1]}; nothing on the way back {spread(alone)[1]}")


def joining(tap):
    """Sixteen flows whose base RTT nobody tells, with min-RTT probes and without."""
    for rtts in (8, 0):
        jobs = []
        for seed in SEEDS:
            text, sets, _ = late_job(("oscar", "10Gbps"), seed)
            jobs.append((f"{text}\nhost * receiver ideal\nhost * knob oscar.eps_ns=10000"
                         f" oscar.drain_rtts={rtts}\n", sets, seed))
        rows = [row.measured for row in run_all(jobs, tap, late_measure) if row]
        text = "; ".join(f"{first:.3f} then {then:.3f}, {queue:.0f} us, {rate:.2f} Gbit/s"
                         for first, then, queue, rate in rows)
        if rtts:
            tap.ok(min(row[1] for row in rows) >= JAIN, f"16 one by one: Jain at least {JAIN}",
                   text)
        else:
            tap.say(f"16 one by one without min-RTT probes: {text}")


def main():
    """One case after the other."""
    tap = Tap()
    text = TEXT + PATIENT
    ideal = [row[0] for row in case(tap, text, {"flows": 8})]
    other = [row[0] for row in case(tap, text, {"flows": 8, "receiver": "ordinary"})]
    tap.ok(min(other) >= (1 - COALESCED) * min(ideal), "ordinary receivers: within"
           f" {COALESCED:.1%} of ideal ones", f"{spread(other)[1]}, {spread(ideal)[1]}")
    cards(tap, ideal)
    backwards(tap)
    # A first window of a BDP may take all that a recovering flow has in flight, and what was
    # sent twice is given up by the timer only: in less than a BDP it may.
    for buffer, most, asked in (("1bdp", 0, text), ("0.5bdp", DROPPED, TEXT),
                                ("0.25bdp", DROPPED, TEXT)):
        rows = case(tap, asked, {"buffer": buffer})
        tap.ok(min(row[0] for row in rows) >= LOSSY and max(row[1] for row in rows) <= most,
               f"a buffer of {buffer}: {LOSSY:.0%} of the line, {most:.1%} dropped at most",
               f"{spread(row[0] for row in rows)[1]}, {spread(row[1] for row in rows)[1]}")
    for base, known in ((120_000, "base_rtt_ns set"), (0, "base RTT measured")):
        rows = case(tap, LATE, {"base": base}, late_share)
        if base:
            tap.ok(max(abs(share - 1) for share in rows) <= SHARE, f"a standing queue, {known}:"
                   f" the share within {SHARE:.0%}", spread(rows)[1])
        else:
            tap.say(f"a standing queue, {known}: the share {spread(rows)[1]}")
    joining(tap)
    tap.finish()


if __name__ == "__main__":
    main()
