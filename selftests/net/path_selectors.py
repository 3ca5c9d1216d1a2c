#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Path selectors where paths differ: grey ones, which lose one packet in twenty and say nothing,
slow ones, long ones.

    many    16 paths of the line's rate, 10 Gbit/s x 120 us, so that one flow can do without
            any of them: what path 1 gets of the packets once it loses 5 %. The selectors that
            steer leave it: from 20 base RTTs on it has half of what it had, at most (mean of
            the seeds). Told of auto, whose 256 labels carry a packet every third RTT only
    few     4 paths of a quarter of the line's rate, all of them needed: what the flow has
            while path 1 loses 5 %, and from 3 ms after its repair on. Those that leave it, and
            auto, which is mrc with 256 labels, come back: 90 % of what it had before. Told of
            oblivious, and of bitmap: what an uneven share of 256 labels costs sways it
    spine   8 hosts send 8 MB each to 8 others over 8 spines, one of which has half the line's
            rate: how long that takes, and the queue there. auto needs at most 80 % of
            oblivious's time, and 1.15 times what the spines need for it
    lengths 16 paths of the line's rate, each of which is 6 us longer there and back than the
            one before: what a flow has. On one of them it has at most 1.15 times what auto has

The first two with receivers that hold no SACKs back (tcp_comp_sack_slack_ns 0), and always
five seeds: with few labels on 16 paths one seed's share says little.
"""

import statistics

from tap import ALL_SEEDS, SEEDS, by_case, run_all, run_parts, spread

RTT, MS = 120_000, 1_000_000            # ns
GREY, WHOLE, END = 10 * MS, 40 * MS, 55 * MS
LEFT_BY, BACK_BY = 20 * RTT, 3 * MS
HALF, BACK = 0.5, 0.9
COME_BACK = ("reps", "mixed", "mrc", "auto")
LEAVE = ("bitmap", "reps", "mixed", "mrc")
SELECTORS = ("oblivious", *LEAVE, "auto")
SPINE_MOST, LENGTHS_MOST = 0.8, 1.15    # of oblivious's time; one path's goodput to its
# 64 MB over 75 Gbit/s, 4024 bytes in packets of 4096: ms; the part that auto may need
SPINE_BOUND, SPINE_STEERED = 64 * 8 / 75 * 4096 / 4024, 1.15
ALGS = ("mswift", "nscc")

SCENARIO = f"""
title $n paths, one of which loses 5 %: $cc on $spray
set cc mswift
set spray mrc
set n 16
set rate 10Gbps
set labels 64
topology paths n=$n rate=10Gbps inter_rate=$rate rtt={RTT}ns mtu=1500B buffer=4bdp ecn=0.5bdp nic=ideal
host * knob $cc.spray=$spray $cc.spray_paths=$labels
host * route rto_min=5ms
host * sysctl net.ipv4.tcp_comp_sack_slack_ns=0 net.ipv4.tcp_ecn=1
flow f1 a -> b size=forever cc=$cc warm=1ms
at {GREY}ns link path1 loss=5%
at {WHOLE}ns link path1 loss=0%
sample every={RTT}ns
stop at={END}ns
"""

SPINE = f"""
title one of 8 spines at half speed: $cc on $spray
set cc mswift
set spray mrc
topology paths n=8 hosts=8 rate=10Gbps rtt={RTT}ns mtu=4096B buffer=4bdp ecn=0.5bdp nic=ideal
link path1 rate=5Gbps
host * knob $cc.spray=$spray
host * route rto_min=5ms
""" + "\n".join(f"flow f{i} a{i} -> b{i} size=8MB cc=$cc warm=1ms" for i in range(1, 9)) + f"""
sample every={RTT}ns
stop when=done at=100ms
expect unfinished == 0
"""

LENGTHS = f"""
title 16 paths, each longer than the one before: $cc on $spray
set cc mswift
set spray mrc
topology paths n=16 rate=10Gbps rtt={RTT}ns mtu=4096B buffer=4bdp ecn=0.5bdp nic=ideal
host * knob $cc.spray=$spray
host * route rto_min=5ms
""" + "\n".join(f"link path{i + 1} delay={3 * i}us" for i in range(16)) + f"""
flow f1 a -> b size=forever cc=$cc warm=1ms
sample every={RTT}ns
stop at=60ms
"""


def share(links, start, end):
    """What path 1 gets of all packets, lost ones counted; 1 is its fair share."""
    sent = {name: track.grown(start, end, "tx_packets") + track.grown(start, end, "drops")
            for name, track in links.items() if name.startswith("path") and name.endswith(":ab")}
    return sent["path1:ab"] * len(sent) / max(sum(sent.values()), 1)


def measure(result, flows, links):
    """Path 1's share, and the goodput in Gbit/s, before, in and after the time of loss."""
    times = {"before": (GREY - 5 * MS, GREY), "grey": (GREY + LEFT_BY, WHOLE),
             "after": (WHOLE + BACK_BY, END)}
    return {name: (share(links, *time), flows["f1"].grown(*time, "bytes_received") * 8
                   / (time[1] - time[0])) for name, time in times.items()}


def time_and_wait(result, _flows, links):
    """How long the slowest flow took, in ms, and the mean wait at the slow spine, in us."""
    spine = links["path1:ab"]
    packets = max(spine.grown(0, END, "tx_packets"), 1)
    return (max(flow["fct"] for flow in result["flows"].values()) / MS,
            spine.grown(0, END, "wait_ns_sum") / packets / 1e3)


def goodput(_result, flows, _links):
    """Gbit/s from 20 to 60 ms."""
    return flows["f1"].grown(20 * MS, 60 * MS, "bytes_received") * 8 / (40 * MS)


def runs(tap, sets, text=SCENARIO, look=measure, selectors=SELECTORS, seeds=SEEDS):
    """Each algorithm on each selector: what was measured, a list of the seeds."""
    cases = [(cc, selector) for cc in ALGS for selector in selectors]
    rows = run_all([(text, {"cc": cc, "spray": selector, **sets}, seed)
                    for cc, selector in cases for seed in seeds], tap, look)
    return {case: [row.measured for row in found if row]
            for case, found in by_case(cases, seeds, rows).items()}


def check_many(tap):
    """One of many: who leaves it?"""
    for (cc, selector), found in runs(tap, {}, seeds=ALL_SEEDS).items():
        shares = {name: [run[name][0] for run in found] for name in found[0]}
        left = statistics.fmean(shares["grey"]) / statistics.fmean(shares["before"])
        text = (f"{left:.2f}; shares {', '.join(f'{n} {spread(s)[1]}' for n, s in shares.items())};"
                f" {statistics.fmean(run['grey'][1] for run in found):.2f} Gbit/s")
        name = f"{cc}, {selector}: one of 16 paths loses 5 %"
        if selector in LEAVE:
            tap.ok(left <= HALF, f"{name}, and has {HALF} of what it had at most", text)
        elif selector == "oblivious":
            tap.ok(left > HALF, f"{name}, the control: nobody leaves it", text)
        else:
            tap.say(f"{name}: {text}")


def check_few(tap):
    """One that is needed: is it used again once it is whole?"""
    sets = {"n": "4", "rate": "2500Mbps", "labels": "256"}
    for (cc, selector), found in runs(tap, sets, seeds=ALL_SEEDS).items():
        rates = {name: [run[name][1] for run in found] for name in found[0]}
        back = statistics.fmean(rates["after"]) / statistics.fmean(rates["before"])
        text = f"{back:.2f}; Gbit/s {', '.join(f'{n} {spread(r)[1]}' for n, r in rates.items())}"
        name = f"{cc}, {selector}: one of 4 paths lost 5 %"
        if selector in COME_BACK:
            tap.ok(back >= BACK, f"{name}, 3 ms later {BACK:.0%} of before", text)
        else:
            tap.say(f"{name}: {text}")


def check_spine(tap):
    """Is the slow one spared?"""
    found = runs(tap, {}, SPINE, time_and_wait)
    for (cc, selector), seen in found.items():
        times, waits = zip(*seen)
        text = f"{spread(times)[1]} ms, queue {statistics.fmean(waits):.0f} us"
        name = f"{cc}, {selector}: one of 8 spines at half speed"
        if selector != "auto":
            tap.say(f"{name}: {text}")
            continue
        before = statistics.fmean(run[0] for run in found[cc, "oblivious"])
        tap.ok(statistics.fmean(times) <= SPINE_MOST * before,
               f"{name}: {SPINE_MOST:.0%} of oblivious's time", text)
        tap.ok(statistics.fmean(times) <= SPINE_STEERED * SPINE_BOUND,
               f"{name}: {SPINE_STEERED} times the bound at most", text)


def check_lengths(tap):
    """What do ways of different length cost?"""
    found = runs(tap, {}, LENGTHS, goodput, ("off", *SELECTORS))
    for (cc, selector), rates in found.items():
        name = f"{cc}, {selector}: 16 paths, 0 to 90 us longer"
        if selector == "auto":
            alone = statistics.fmean(found[cc, "off"])
            tap.ok(alone <= LENGTHS_MOST * statistics.fmean(rates),
                   f"{name}: one path has {LENGTHS_MOST} times that at most", spread(rates)[1])
        else:
            tap.say(f"{name}: {spread(rates)[1]} Gbit/s")


PARTS = {"many": check_many, "few": check_few, "spine": check_spine, "lengths": check_lengths}


if __name__ == "__main__":
    run_parts(PARTS)
