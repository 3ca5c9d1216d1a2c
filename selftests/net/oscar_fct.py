#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""OSCAR's large-scale figures, scaled down: completion times under load.

    fct          Poisson arrivals of WebSearch and CacheFollower sizes at 50 and 80 %
                 load on a leaf-spine network, with ECMP and sprayed: slowdown, mean
                 and 99 % (the paper's Figures 10, 11, 23)
    queue        10 senders to one at 80 % WebSearch: the share of the time in which
                 the receiver's port has a queue (paper: 72.2 %; DCQCN 47.6 %)
    acks         CacheFollower at 80 %, oscar alone (Figure 25): ordinary receivers, which
                 hold ACKs back, against such as acknowledge each packet (paper: 5 to 6.2 %
                 worse), against one-way delays (way_back_ppm; paper: round trips are 8 %
                 worse), and, told, against ACKs in a class of their own, before all else,
                 which wait for nothing
    collectives  64 hosts in 4 groups: all-to-all, the same sprayed, ring all-reduce
                 (Figure 12)

All algorithms in the same run of the program, on the same flows; or those named on the
command line, like the parts. 10 Gbit/s x 120 us is 100 Gbit/s x 12 us dilated ten
times. As in the paper's simulations receivers acknowledge each packet, and all begin
with a window of one bandwidth-delay product: with Linux's 10 packets each step of a
ring would be a slow start. Without --full the amounts are small: they tell that all
works, tails need --full.

What a queue can be at best: while one flow alone is there, at the line rate of its
own host, nothing can wait at the receiver's port. With fair sharing and no idle link
something waits while two or more are there. That time is computed for the very flows
of the run (processor sharing), and is what the measured share is held against.
"""

import sys

from tap import Tap, by_case, groups_of, run_all, spread

ALGS = ("oscar", "swift", "mswift", "nscc", "dctcp", "cubic", "bbr")
FEW_ALGS = ("oscar", "swift")           # of the collectives, without --full
RATE = 10                               # bit/ns
BASE = """
set cc oscar
set spray off
set rate 10Gbps
set bdp 37
set receiver ideal
host * receiver $receiver
host * route rto_min=5ms initcwnd=$bdp
host * knob spray=$spray
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
stop when=done at=10s
expect unfinished == 0
"""
FCT = f"""
title $sizes at $load, $cc, spraying $spray
set sizes websearch
set load 80%
set until 20ms
set leaves 2
topology leafspine leaves=$leaves spines=$leaves hosts=4 rate=$rate rtt=120us mtu=4096B nic=ideal \
buffer=64bdp ecn=0.5bdp
workload poisson sizes=$sizes load=$load until=$until cc=$cc warm=1ms
sizegroups 1bdp
{BASE}
"""
QUEUE = f"""
title queue under 80 % WebSearch, 10 to 1, $cc
set until 250ms
topology star hosts=11 rate=$rate rtt=120us mtu=1280B buffer=64bdp ecn=0.5bdp nic=ideal
workload poisson sizes=websearch load=80% until=$until from=h[2-9],h1[01] to=h1 cc=$cc \
warm=1ms
sample every=10ms
{BASE}
"""
ACKS = f"""
set strict 0
set usec 0
set ppm 0
{FCT}
link * strict=$strict
default ackdscp=56
host * route usec_ts=$usec
host * knob oscar.way_back_ppm=$ppm
"""
ACK_CASES = {"each packet acknowledged": {"receiver": "ideal"},
             "ordinary receivers": {"receiver": "ordinary"},
             "ACKs first": {"receiver": "ideal", "strict": 1},
             "one-way delays": {"receiver": "ideal", "usec": 1, "ppm": 10},
             "ordinary receivers, one-way delays": {"receiver": "ordinary", "usec": 1, "ppm": 10}}
COALESCED = 1.062                       # the paper's, Figure 25
NETWORK64 = f"""
topology leafspine leaves=16 spines=2 hosts=4 rate=20Gbps rtt=120us mtu=4096B nic=ideal \
buffer=64bdp ecn=0.5bdp
set size 400KB
{BASE}
"""
ALLTOALL = f"""
title all-to-all of 4 groups of 16, $cc, spraying $spray
workload alltoall groups=4 size=$size cc=$cc warm=1ms jitter=10us
{NETWORK64}
"""
RING = f"""
title ring all-reduce of 4 groups of 16, $cc
workload ring groups=4 size=$size cc=$cc warm=1ms
{NETWORK64}
"""
COLLECTIVES = {"all-to-all": (ALLTOALL, "off"), "sprayed all-to-all":
               (ALLTOALL, "oblivious"), "ring": (RING, "off")}
SHORTER = 0.9                           # the paper: 0.756 of swift's (24.4 % less)
PAPER_LOAD, PAPER_QUEUED = 0.848, 0.722  # 80 % of payload in packets of 1060 bytes
# Of the time in which there can be a queue: 70 % at the paper's load in a long run
AT_BEST, AT_BEST_FULL = 0.95, 0.70 / PAPER_LOAD ** 2


def slowdowns(result, _flows, _links):
    """(flows, mean, 99 %) of up to a BDP, of larger ones, and of all."""
    groups = groups_of(result)
    return [*groups.values(), (sum(flows for flows, *_ in groups.values()),
                               result["summary"]["slowdown.mean"],
                               result["summary"]["slowdown.p99"])]


def fct_cases(full):
    """(sizes, load, spraying) and what else is set."""
    more = {"leaves": "4", "until": "100ms"} if full else {}
    return [((sizes, load, spray), {"sizes": sizes, "load": load, "spray": spray, **more})
            for sizes in ("websearch", "cachefollower") for load in ("50%", "80%")
            for spray in ("off", "oblivious")]


def check_fct(tap, algs, seeds, full):
    """A row for each case and algorithm; oscar beside swift over all cases."""
    cases = fct_cases(full)
    rows = run_all([(FCT, {**sets, "cc": alg}, seed) for _, sets in cases
                    for alg in algs for seed in seeds], tap, slowdowns)
    found = by_case([(case, alg) for case, _ in cases for alg in algs], seeds, rows)
    means = {alg: [] for alg in algs}
    for ((sizes, load, spray), alg), results in found.items():
        got = [row.measured for row in results if row]
        if not got:
            continue
        cells = ", ".join(
            f"{name} {sum(row[at][1] for row in got) / len(got):.2f}"
            f" ({max(row[at][2] for row in got):.1f})"
            for at, name in enumerate(("to a BDP", "larger", "all")))
        tap.say(f"fct {sizes} {load} {'sprayed' if spray != 'off' else 'ECMP'} {alg}:"
                f" mean (99 %) {cells}; {sum(row[-1][0] for row in got)} flows")
        means[alg].append(sum(row[-1][1] for row in got) / len(got))
    for alg in algs[1:]:
        ratios = [a / b for a, b in zip(means["oscar"], means[alg])]
        tap.say(f"fct: oscar's mean slowdown over {alg}'s: "
                + " ".join(f"{ratio:.2f}" for ratio in ratios))
        ratio = sum(ratios[-2:]) / 2    # CacheFollower at 80 %, ECMP and sprayed
        tap.ok(ratio < SHORTER, f"fct: CacheFollower at 80 %: oscar's mean slowdown below"
               f" {SHORTER} of {alg}'s", f"{ratio:.3f}")


def contended(flows, mss, head, until):
    """Shares of the time with a flow, and with two or more, under fair sharing.

    Processor sharing of one link: all present progress alike, in wire bytes.
    """
    arrivals = sorted((flow["start"], flow["size"] + head * -(-flow["size"] // mss))
                      for flow in flows)
    left, now, one, two = [], 0.0, 0.0, 0.0
    for start, size in [*arrivals, (until, 0)]:
        start = min(start, until)
        while left and now < start:
            step = min(min(left) * 8 / RATE * len(left), start - now)
            one += step
            two += step if len(left) > 1 else 0
            done = step * RATE / 8 / len(left)
            left = [rest - done for rest in left if rest - done > 1e-6]
            now += step
        now = start
        left.append(size)
    return one / until, two / until


def queued(result, _flows, links):
    """(share with a queue, at best, busy share) while flows arrive."""
    until = int(result["variables"]["until"].removesuffix("ms")) * 10**6
    track = links["h1-s:ba"]
    one, two = contended(result["flows"].values(), 1280 - 72, 72, until)
    return (track.grown(0, until, "queued_ns") / until, two,
            track.grown(0, until, "tx_bytes") * 8 / RATE / until, one)


def check_queue(tap, algs, seeds, full):
    """oscar's port has a queue as good as always when it can have one."""
    sets = {"bdp": "117", **({"until": "2000ms"} if full else {})}
    rows = run_all([(QUEUE, {**sets, "cc": alg}, seed) for alg in algs for seed in seeds],
                   tap, queued)
    ours = []
    for alg, results in by_case(algs, seeds, rows).items():
        got = [row.measured for row in results if row]
        means = [sum(column) / len(got) for column in zip(*got)]
        tap.say(f"queue {alg}: {means[0]:.1%} of the time, {means[0] / means[1]:.1%} of"
                f" the {means[1]:.1%} at best; link busy {means[2]:.1%}, with ideal"
                f" sharing {means[3]:.1%}; seeds "
                + " ".join(f"{row[0]:.3f}/{row[1]:.3f}" for row in got))
        ours = ours or got
    share = sum(row[0] for row in ours) / sum(row[1] for row in ours)
    least = AT_BEST_FULL if full else AT_BEST
    tap.ok(share >= least, f"queue: oscar's port has one at least {least:.1%} of the"
           " time in which fair sharing lets one be", f"{share:.3f}")
    tap.say(f"queue: the paper's {PAPER_QUEUED:.1%} at {PAPER_LOAD:.1%} of the wire is"
            f" {PAPER_QUEUED / PAPER_LOAD**2:.3f} of what a long run has at best")


def check_acks(tap, _algs, seeds, full):
    """Mean slowdowns, one over the other."""
    more = {"leaves": "4", "until": "100ms"} if full else {}
    rows = run_all([(ACKS, {"sizes": "cachefollower", **sets, **more}, seed)
                    for sets in ACK_CASES.values() for seed in seeds], tap, slowdowns)
    means = {}
    for case, results in by_case(ACK_CASES, seeds, rows).items():
        got = [row.measured for row in results if row]
        cells = [sum(row[at][1] for row in got) / len(got) for at in range(3)]
        tap.say(f"acks, {case}: mean slowdown to a BDP %.2f, larger %.2f, all %.2f" % (*cells,))
        means[case] = cells
    plain, held, first, one_way, held_one_way = means.values()
    tap.ok(held[-1] <= COALESCED * plain[-1], f"acks: held back, a mean of at most {COALESCED}",
           f"{held[-1] / plain[-1]:.3f}")
    tap.say(f"acks: behind data, a mean of {plain[-1] / first[-1]:.3f} of ACKs first")
    tap.ok(one_way[1] < plain[1] and held_one_way[1] < held[1],
           "acks: with one-way delays flows larger than a BDP end sooner", "; ".join(
               f"round trips take {more[1] / less[1]:.3f} of it, all flows {more[-1] / less[-1]:.3f}"
               for more, less in ((plain, one_way), (held, held_one_way))))


def check_collectives(tap, algs, seeds, full):
    """Completion by that of oscar."""
    sets = {"bdp": "73", **({"size": "1MB"} if full else {})}
    algs = algs if full else [alg for alg in algs if alg in FEW_ALGS]
    jobs = [(text, {**sets, "cc": alg, "spray": spray}, seed)
            for text, spray in COLLECTIVES.values() for alg in algs for seed in seeds]
    rows = run_all(jobs, tap, lambda result, *_: (result["summary"]["cct"],
                                                  result["summary"]["cct_inflation"]))
    found = by_case([(kind, alg) for kind in COLLECTIVES for alg in algs], seeds, rows)
    for kind in COLLECTIVES:
        took = {alg: [row.measured for row in found[kind, alg] if row] for alg in algs}
        if not all(took.values()):
            continue
        ours = sum(cct for cct, _ in took["oscar"]) / len(took["oscar"])
        for alg, got in took.items():
            tap.say(f"{kind}, {alg}: {spread(cct / 1e6 for cct, _ in got)[1]} ms,"
                    f" {sum(cct for cct, _ in got) / len(got) / ours:.3f} of oscar's,"
                    f" {sum(more for _, more in got) / len(got):.2f} of the bound")
    plain, sprayed = (sum(row.measured[0] for row in found[kind, "oscar"] if row)
                      for kind in ("all-to-all", "sprayed all-to-all"))
    tap.ok(sprayed < plain, "collectives: oscar gains from spraying an all-to-all",
           f"{1 - sprayed / plain:.1%} less time; paper: 11.2 %")


PARTS = {"fct": check_fct, "queue": check_queue, "acks": check_acks, "collectives": check_collectives}


def main():
    """All parts, or those that are named; --full: the amounts of experiments.md."""
    full = "--full" in sys.argv
    names = [word for word in sys.argv[1:] if word in PARTS] or list(PARTS)
    algs = [alg for alg in ALGS if alg in sys.argv[1:]] or list(ALGS)
    wrong = [word for word in sys.argv[1:] if word not in (*PARTS, *ALGS, "--full")]
    if wrong or algs[0] != "oscar" or len(algs) == 1 and "fct" in names:
        sys.exit(f"usage: {sys.argv[0]} [--full] [{'|'.join(PARTS)} ...] [oscar ALG ...]")
    tap = Tap()
    for name in names:
        PARTS[name](tap, algs, (1, 2, 3) if full else (1,), full)
    tap.finish()


if __name__ == "__main__":
    main()
