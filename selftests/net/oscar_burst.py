#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A burst beside a long oscar flow, seen from the link and from the flow (figure 7).

k short flows start within a base RTT, and all end at once: their cables are cut.

    the end     base RTTs from the last byte of a short flow at the receiver until the
                link is 95 % busy for a base RTT, for gaps of 1 + k and several link rates
    the start   the link is 90 % busy at least in each base RTT until the queue is D_target,
                where up to nine start; of more: told
    two flows   which update brings a flow within a fifth of its share, u = 1/2: that of the
                one that joins, the long one's (figure 16: the first, the second)

With one short flow the long one sees the queue fall, and takes the gap in one step: within the
paper's 2.1 base RTTs. A greater gap is seen by too few packets: the queue of half a BDP, P / 2
packets, falls while the long flow has P / (2 k) of them in it. Then the ramp doubles the rate
each 1.5 base RTTs, log2(1 + k) times, after a base RTT of empty queue, and what was on its way
before that: 1.5 log2(1 + k) + 4 base RTTs. How flows join is in family joins.
"""

import math

from labkit import acks, run, runner, scratch
from tap import SEEDS, by_case, run_all, run_parts

RTT_NS = 120_000
STEP_NS = 10_000
BUSY, WITHIN_RTTS, DRAINING = 0.95, 2.1, 0.90
PAPERS = 9                      # short flows at most of the paper's bursts
START_NS, AFTER_NS = 5_000_000, 4_000_000
PACKET = 1280
# (short flows, Gbit/s, base RTTs); a run of 99 at 100 Gbit/s takes minutes.
ONE = ((1, 10, 100),)
MORE = ((3, 10, 100), (9, 10, 100), (9, 40, 100), (33, 40, 400), (33, 10, 100))
MORE_FULL = ((33, 100, 400), (99, 100, 400), (33, 40, 100), (99, 10, 300))
BESIDE = ("swift", "mswift", "nscc", "dctcp", "bbr", "cubic")     # with --full, too
NEAR = 0.2
HALF = 500_000                          # u, in 10^-6


def scenario(short, rate, rtts, alg="oscar", more="", spread_ns=RTT_NS):
    """A long flow and so many short ones, each on a host of its own, for a time. The
    first windows of k, a BDP each, take k base RTTs to drain."""
    end = START_NS + rtts * RTT_NS
    hosts = range(3, 3 + short)
    return "\n".join([f"""
title a burst of {short} {alg} flows on {rate} Gbit/s
set rate {rate}
topology star hosts={2 + short} rate={rate}Gbps rtt={RTT_NS}ns mtu={PACKET}B buffer=256bdp ecn=0.5bdp nic=ideal
host * receiver ideal
host * knob oscar.base_rtt_ns={RTT_NS} oscar.eps_ns=10000
flow long h2 -> h1 size=forever cc={alg} warm=1ms
sample every={STEP_NS}ns
stop at={end + AFTER_NS}ns
{more}"""] + [f"""flow short.{n} h{n} -> h1 size=forever cc={alg} warm=3ms start={START_NS}ns jitter={spread_ns}ns
at {end}ns link h{n}-s down""" for n in hosts])


def busy_after(result, flows, links):
    """Base RTTs from the burst's last byte until the link is busy again; inf: never.
    The least busy base RTT from the start until the queue is what it should be. The
    queue that the burst leaves, in bandwidth-delay products."""
    link = links["h1-s:ba"]
    line = float(result["variables"]["rate"]) / 8                # bytes/ns
    last = max(next(t for t, row in zip(track.times, track.rows)
                    if row["bytes_received"] == track.rows[-1]["bytes_received"])
               for name, track in flows.items() if name != "long")

    def busy(start):
        return link.grown(start, start + RTT_NS, "tx_bytes") / (line * RTT_NS)

    drained = next((at for at in range(START_NS + RTT_NS, last, STEP_NS)
                    if link.at(at, "queue") <= line * RTT_NS / 2), last)
    left = link.at(last, "queue") / (line * RTT_NS)
    least = min(busy(at) for at in range(START_NS, drained, STEP_NS))
    for at in range(last, result["summary"]["virtual_time"] - RTT_NS, STEP_NS):
        if busy(at) >= BUSY:
            return (at - last) / RTT_NS, least, left
    return float("inf"), least, left


def ramped(short):
    """The most base RTTs that the ramp takes for a gap."""
    return 1.5 * math.log2(1 + short) + 4


def ends(tap, cases, most, alg="oscar"):
    """All seeds of each case; with a limit, a function of k, it is a test."""
    jobs = [(scenario(*case, alg), {}, seed) for case in cases for seed in SEEDS]
    for (short, rate, rtts), rows in by_case(cases, SEEDS,
                                             run_all(jobs, tap, busy_after)).items():
        took = [row.measured[0] for row in rows if row]
        least = [row.measured[1] for row in rows if row]
        left = [row.measured[2] for row in rows if row]
        text = (" ".join(f"{value:.2f}" for value in took)
                + f", from a queue of {sum(left) / len(left):.2f} BDP")
        name = f"{alg}, {short} short flows end after {rtts} base RTTs, {rate} Gbit/s"
        if most:
            limit = round(most(short), 1)
            tap.ok(len(took) == len(SEEDS) and max(took) <= limit,
                   f"{name}: busy again within {limit} base RTTs", text)
        if most and short <= PAPERS:
            tap.ok(min(least) >= DRAINING, f"{name}: never less busy than {DRAINING:.0%}"
                   " while the queue drains", f"{min(least):.3f}")
        else:
            tap.say(f"{name}: base RTTs {text}; least busy {min(least):.3f}")


def first_near(updates, share):
    """Which update, from 1, is the first within NEAR of a share; 99: none."""
    return next((number for number, ack in enumerate(updates, 1)
                 if abs(ack["share"] - share) <= NEAR * share), 99)


def steps(seed, tools):
    """Updates until the joining flow and the long one have half."""
    text = scenario(1, 10, 100, more="record *")
    with scratch("burst") as base:
        run(text, f"{base}/run", tools, seed=seed)
        found = {name: [ack for ack in rows if ack["branch"]]
                 for name, rows in acks(f"{base}/run").items()}
    joining = found["short.3"]
    met = [ack for ack in found["long"] if ack["t"] > joining[0]["sent"]
           and ack["delay"] > RTT_NS + 10_000]
    return first_near(joining, HALF), first_near(met, HALF)


def check_steps(tap, _):
    """Counted updates, two flows."""
    tools = runner.Tools()
    took = [steps(seed, tools) for seed in SEEDS]
    for name, limit, counts in zip(("the joining flow has its share", "the long one has its"),
                                   (1, 2), zip(*took)):
        tap.ok(max(counts) <= limit, f"two flows: {name} after {limit} update(s)",
               " ".join(map(str, counts)))


def check_others(tap, _):
    """The same by other algorithms; no verdict."""
    for alg in BESIDE:
        ends(tap, ONE + MORE[:1], None, alg)


PARTS = {"one": lambda tap, _: ends(tap, ONE, lambda _: WITHIN_RTTS),
         "more": lambda tap, full: ends(tap, MORE + (MORE_FULL if full else ()), ramped),
         "steps": check_steps, "others": check_others}

if __name__ == "__main__":
    run_parts(PARTS, soon=[name for name in PARTS if name != "others"])
