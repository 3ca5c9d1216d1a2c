#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A burst beside a long oscar flow, seen from the link and from the flow (figure 7).

k short flows start within a base RTT, and all end at once: their cables are cut.

    the end     base RTTs from the last byte of a short flow at the receiver until the
                link is 95 % busy for a base RTT, for gaps of 1 + k and several lines
    the start   the link is 90 % busy at least in each base RTT until the queue is D_target
    joining     which update brings each flow of a burst of 3 and 9 within a fifth of its
                share, 1 / (1 + k): the first, if they start within a tenth of a base RTT.
                Within a base RTT the first batches of the first flows see only some of
                the others: the second of two thirds of them, the fourth at the latest
    two flows   which update brings a flow within a fifth of its share, u = 1/2: that of the
                one that joins, the long one's; after the departure, u = 1, the long one's
                (figure 16: the first, the second, the first that saw the queue fall)

A gap can be closed in one step only if the long flow has two packets in the queue
while it falls. The queue is half a BDP, of P / 2 packets, and falls by 1 - 1 / (1 + k) of the
line: the flow has P / (2 k) packets in it, of which eps hides a sixth. With 117 packets a
BDP and k = 9 that is 5 on average; with k = 33 it is 1.5, and with k = 99 at most one. With
one, the flow learns that the queue fell at least so fast as from that packet to the next:
most often enough with k = 33, never with 99. Then the hyper increase is left, which doubles
(hai_doubles) every 1.5 base RTTs: seven times for all of the line. With k = 33 at 40 Gbit/s
it is seven packets on average, with k = 99 at 100 Gbit/s six: enough, if the flow sends
them. One whose window shrank just before waits until less is in flight, and sees nothing.
"""

from labkit import acks, run, runner, scratch
from tap import SEEDS, by_case, run_all, run_parts

RTT_NS = 120_000
STEP_NS = 10_000
BUSY, WITHIN_RTTS, DRAINING = 0.95, 2.1, 0.90
START_NS, AFTER_NS = 5_000_000, 4_000_000
FEW_RTTS = 12                           # seven doublings, 10.5, and a batch
PACKET = 1280
# (short flows, Gbit/s, base RTTs): those whose gap is closed at once, and others; a run of
# 99 at 100 Gbit/s takes minutes.
ENOUGH = ((1, 10, 100), (3, 10, 100), (9, 10, 100), (9, 40, 100))
MANY, MANY_FULL = ((33, 40, 400),), ((33, 100, 400), (99, 100, 400))
FEW, FEW_FULL = ((33, 10, 100),), ((33, 40, 100), (99, 10, 300))
JOINING = 3, 9
AT_ONCE, JOINED_AT_ONCE = RTT_NS // 10, 1
JOINED, SOON = 4, (2, 0.6)      # updates; and a part of the flows sooner
BESIDE = ("swift", "mswift", "nscc", "dctcp", "bbr", "cubic")     # with --full, too
NEAR = 0.2
HALF, FALL = 500_000, -100_000          # u, and a gradient, in 10^-6


def scenario(short, rate, rtts, law="oscar", more="", spread_ns=RTT_NS):
    """A long flow and so many short ones, each on a host of its own, for a time. The
    first windows of k, a BDP each, take k base RTTs to drain."""
    end = START_NS + rtts * RTT_NS
    hosts = range(3, 3 + short)
    return "\n".join([f"""
title a burst of {short} {law} flows on {rate} Gbit/s
set rate {rate}
topology star hosts={2 + short} rate={rate}Gbps rtt={RTT_NS}ns mtu={PACKET}B buffer=256bdp ecn=0.5bdp
host * receiver ideal
host * knob oscar.base_rtt_ns={RTT_NS} oscar.eps_ns=10000
flow long h2 -> h1 size=forever cc={law} warm=1ms
sample every={STEP_NS}ns
stop at={end + AFTER_NS}ns
{more}"""] + [f"""flow short.{n} h{n} -> h1 size=forever cc={law} warm=3ms start={START_NS}ns jitter={spread_ns}ns
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


def ends(tap, cases, limit, law="oscar"):
    """All seeds of each case; with a limit it is a test."""
    jobs = [(scenario(*case, law), {}, seed) for case in cases for seed in SEEDS]
    for (short, rate, rtts), rows in by_case(cases, SEEDS,
                                             run_all(jobs, tap, busy_after)).items():
        took = [row.measured[0] for row in rows if row]
        least = [row.measured[1] for row in rows if row]
        left = [row.measured[2] for row in rows if row]
        text = (" ".join(f"{value:.2f}" for value in took)
                + f", from a queue of {sum(left) / len(left):.2f} BDP")
        name = f"{law}, {short} short flows end after {rtts} base RTTs, {rate} Gbit/s"
        if limit:
            tap.ok(len(took) == len(SEEDS) and max(took) <= limit,
                   f"{name}: busy again within {limit} base RTTs", text)
            tap.ok(min(least) >= DRAINING, f"{name}: never less busy than {DRAINING:.0%}"
                   " while the queue drains", f"{min(least):.3f}")
        else:
            tap.say(f"{name}: base RTTs {text}; least busy {min(least):.3f}")


def first_near(updates, share):
    """Which update, from 1, is the first within NEAR of a share; 99: none."""
    return next((number for number, ack in enumerate(updates, 1)
                 if abs(ack["share"] - share) <= NEAR * share), 99)


def steps(seed, tools):
    """Updates until the joining flow and the long one have half, and all again."""
    text = scenario(1, 10, 100, more="record *")
    with scratch("burst") as base:
        run(text, f"{base}/run", tools, seed=seed)
        found = {name: [ack for ack in rows if ack["branch"]]
                 for name, rows in acks(f"{base}/run").items()}
    joining = found["short.3"]
    met = [ack for ack in found["long"] if ack["t"] > joining[0]["sent"]
           and ack["delay"] > RTT_NS + 10_000]
    left = [ack for ack in met if ack["t"] > joining[-1]["t"]]
    fell = next(number for number, ack in enumerate(left) if ack["gradient"] <= FALL)
    return (first_near(joining, HALF), first_near(met, HALF),
            first_near(left[fell:], 2 * HALF))


def joins(short, spread_ns, seed, tools):
    """Updates until each flow of the burst has its share."""
    text = scenario(short, 10, 100, more="record short.*", spread_ns=spread_ns)
    with scratch("burst") as base:
        run(text, f"{base}/run", tools, seed=seed)
        return [first_near([ack for ack in rows if ack["branch"]], 2 * HALF / (1 + short))
                for rows in acks(f"{base}/run").values()]


def check_steps(tap, _):
    """Counted updates, two flows."""
    tools = runner.Tools()
    took = [steps(seed, tools) for seed in SEEDS]
    for name, limit, counts in zip(("the joining flow has its share", "the long one has its",
                                    "after the departure it has all"),
                                   (1, 2, 2), zip(*took)):
        tap.ok(max(counts) <= limit, f"two flows: {name} after {limit} update(s)",
               " ".join(map(str, counts)))


def check_joins(tap, _):
    """Counted updates of bursts."""
    tools = runner.Tools()
    for short in JOINING:
        counts = [count for seed in SEEDS for count in joins(short, AT_ONCE, seed, tools)]
        tap.ok(len(counts) == short * len(SEEDS) and max(counts) <= JOINED_AT_ONCE,
               f"{short} flows join one at once: each has its share after {JOINED_AT_ONCE}"
               " update", " ".join(map(str, counts)))
        counts = [count for seed in SEEDS for count in joins(short, RTT_NS, seed, tools)]
        text = ", ".join(f"after {n} {counts.count(n)}" for n in range(1, JOINED + 1))
        tap.ok(len(counts) == short * len(SEEDS) and max(counts) <= JOINED,
               f"{short} flows join one: each has its share after {JOINED} updates", text)
        tap.ok(sum(count <= SOON[0] for count in counts) >= SOON[1] * len(counts),
               f"{short} flows join one: {SOON[1]:.0%} have it after {SOON[0]}", text)


def check_others(tap, _):
    """The same by other laws; no verdict."""
    for law in BESIDE:
        ends(tap, ENOUGH[:2], None, law)


PARTS = {"ends": lambda tap, _: ends(tap, ENOUGH, WITHIN_RTTS),
         "many": lambda tap, full: ends(tap, MANY + (MANY_FULL if full else ()), WITHIN_RTTS),
         "steps": check_steps, "joins": check_joins,
         "few": lambda tap, full: ends(tap, FEW + (FEW_FULL if full else ()), FEW_RTTS),
         "others": check_others}

if __name__ == "__main__":
    run_parts(PARTS, soon=[name for name in PARTS if name != "others"])
