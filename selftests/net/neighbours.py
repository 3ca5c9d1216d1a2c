#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""Two algorithms on one link, and links that lose packets.

    beside      a flow of one algorithm, and a base RTT or two later one of another, into
                one host, 10 Gbit/s x 120 us, marks from half a bandwidth-delay product on,
                buffers of 1 and 8: Gbit/s of both from 100 to 600 base RTTs, and the queue.
                Each pair in both orders. Two of a kind share it: each has a quarter of it
                at least. Pairs of different kinds are told (limits.md, "Neighbours")
                Timeouts of 5 ms at least, as in a datacenter.
    loss        one flow over links that lose 1 %, each way: what it has of the line,
                without spraying and with each selector. Receivers as they are hold SACKs
                back by up to tcp_comp_sack_slack_ns, 100 us, or not at all: all of ours
                have 90 % but swift, which halves its window for each loss
    order       a permutation of sprayed flows, which reorders and loses nothing: how long it
                takes with SACKs held and without; told
"""

import statistics

from tap import SEEDS, by_case, run_all, run_parts, spread

OURS = ("mswift", "nscc", "mnscc", "oscar")
STOCK = ("reno", "cubic", "dctcp", "bbr")
BUFFERS = ("1bdp", "8bdp")
SELECTORS = ("off", "oblivious", "bitmap", "reps", "mixed", "mrc")
LOSSY = OURS + ("swift",)
STOCK_SLACK, LOSSY_LEAST = 100_000, 0.90
RTT_NS, LINE = 120_000, 10
WINDOW = (100 * RTT_NS, 600 * RTT_NS)
ALIKE_LEAST = 0.25                      # of what two of a kind have together
FEW_SEEDS = SEEDS[:3]

BESIDE = f"""
title $first, then $second, a buffer of $buffer
set first mswift
set second cubic
set buffer 1bdp
topology star hosts=3 rate=10Gbps rtt={RTT_NS}ns mtu=4096B buffer=$buffer ecn=0.5bdp nic=ideal
host * route rto_min=5ms
flow first h2 -> h1 size=forever cc=$first
flow second h3 -> h1 size=forever cc=$second start={RTT_NS}ns jitter={RTT_NS}ns
sample every=1200us
stop at={WINDOW[1]}ns
"""

LOSS = f"""
title $cc, spraying $spray, 1 % is lost
set cc mswift
set spray off
set slack 0
topology leafspine leaves=2 spines=4 hosts=1 rate=10Gbps rtt={RTT_NS}ns mtu=4096B buffer=4bdp ecn=0.5bdp nic=ideal
link leaf1-spine* loss=1%
host * knob $cc.spray=$spray
host * sysctl net.ipv4.tcp_comp_sack_slack_ns=$slack
host * route rto_min=5ms
flow f h1 -> h2 size=forever cc=$cc
sample every=1200us
stop at={WINDOW[1]}ns
"""

ORDER = f"""
title a permutation, $cc
set cc mswift
set slack 0
topology fattree k=8 rate=10Gbps rtt={RTT_NS}ns mtu=4096B buffer=8bdp ecn=0.5bdp nic=ideal
workload permutation size=2MB cc=$cc
host * knob $cc.spray=oblivious
host * sysctl net.ipv4.tcp_comp_sack_slack_ns=$slack
host * route rto_min=5ms
stop when=done at=300ms
expect unfinished == 0
"""


def rates(result, flows, links):
    """Gbit/s of each flow, and the mean wait at the shared link in us."""
    start, end = WINDOW
    link = next(links[name] for name in ("h1-s:ba", "h2-leaf2:ba") if name in links)
    packets = max(link.grown(start, end, "tx_packets"), 1)
    return ([track.grown(start, end, "bytes_received") * 8 / (end - start)
             for track in flows.values()],
            link.grown(start, end, "wait_ns_sum") / packets / 1e3)


def pairs():
    """Each of ours beside itself, the stock ones and the others of ours, both orders."""
    mixed = [(a, b) for i, a in enumerate(OURS) for b in STOCK + OURS[i + 1:]]
    return [(cc, cc) for cc in OURS + STOCK] + mixed + [(b, a) for a, b in mixed]


def check_beside(tap):
    """All pairs; those of a kind are judged."""
    cases = [(pair, buffer) for pair in pairs() for buffer in BUFFERS]
    jobs = [(BESIDE, {"first": a, "second": b, "buffer": buffer}, seed)
            for (a, b), buffer in cases for seed in FEW_SEEDS]
    for ((a, b), buffer), rows in by_case(cases, FEW_SEEDS,
                                          run_all(jobs, tap, rates)).items():
        found = [row.measured for row in rows if row]
        first, second, wait = ([got[0][0] for got in found], [got[0][1] for got in found],
                               statistics.fmean(got[1] for got in found))
        text = (f"{statistics.fmean(first):.2f} ({min(first):.2f} to {max(first):.2f}) and "
                f"{statistics.fmean(second):.2f} ({min(second):.2f} to {max(second):.2f}) Gbit/s,"
                f" queue {wait:.0f} us")
        if a == b and a in OURS:
            least = min(min(x, y) / (x + y) for x, y in zip(first, second))
            tap.ok(least >= ALIKE_LEAST, f"two of {a}, {buffer}: each has"
                   f" {ALIKE_LEAST:.0%} at least", text)
        else:
            tap.say(f"{a} then {b}, {buffer}: {text}")


def check_loss(tap):
    """What a lone flow has of the line."""
    cases = [(slack, cc, spray) for slack in (STOCK_SLACK, 0) for cc in LOSSY
             for spray in SELECTORS]
    jobs = [(LOSS, {"cc": cc, "spray": spray, "slack": slack}, seed)
            for slack, cc, spray in cases for seed in FEW_SEEDS]
    for (slack, cc, spray), rows in by_case(cases, FEW_SEEDS,
                                            run_all(jobs, tap, rates)).items():
        found = [row.measured[0][0] / LINE for row in rows if row]
        name = f"1 % lost, SACKs held for {slack // 1000} us, {cc}, spraying {spray}"
        if cc not in OURS:
            tap.say(f"{name}: {spread(found)[1]} of the line")
        else:
            tap.ok(min(found) >= LOSSY_LEAST, f"{name}: {LOSSY_LEAST:.0%} of the line",
                   spread(found)[1])


def check_order(tap):
    """What holding SACKs costs where nothing is lost."""
    cases = [(cc, slack) for cc in ("mswift", "nscc") for slack in (STOCK_SLACK, 0)]
    rows = run_all([(ORDER, {"cc": cc, "slack": slack}, 1) for cc, slack in cases], tap,
                   lambda result, *_: result["summary"]["cct_inflation"])
    for (cc, slack), row in zip(cases, rows):
        tap.say(f"permutation, SACKs held for {slack // 1000} us, {cc}: "
                f"{row.measured:.3f} of the bound")


PARTS = {"order": check_order, "beside": check_beside, "loss": check_loss}


if __name__ == "__main__":
    run_parts(PARTS)
