#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A sprayed flow with some of its paths 100 us longer: who keeps its rate?

One flow over n equal paths of 10 Gbps, base RTT 120 us, 4 KB packets; one path
(q = 1/n), none (q = 0), half or three of four carry a constant extra delay
above Swift's target. Every algorithm runs on the stock stack; the four baselines
also with RACK off, a fixed duplicate-ACK threshold of 3 and no undo, which is
the TCP that the paper's Table I describes.

The theorems and the table have an ACK for every packet: receiver=ideal. What
remains of it with Linux's own receivers, whose ACKs are for two packets, is a
table of its own.
"""

from math import log

import swift_model
from tap import SEEDS, Tap, by_case, run_all, scenario, spread

Q = {4: 1 / 4, 8: 1 / 8, 16: 1 / 16, 32: 1 / 32, 64: 1 / 64}
STOCK = ("reno", "cubic", "dctcp", "swift", "lswift", "mswift")
CLASSIC = ("reno", "cubic", "dctcp", "swift")
BASE_RTT, EXTRA, PACKET, MSS, LINE = 120e-6, 100e-6, 4096, 4024, 10e9
START, END = 20_000_000, 60_000_000     # ns: steady state, 333 base RTTs
# The theorems are about rare congestion; 3 and 5 also leave flow scaling out,
# which raises the target as the window falls
FLAT_TARGET = "flat target"
ORDINARY = "ordinary receiver"
FLAT = (("swift", True), ("lswift", False))
RARE = (16, 32, 64)
COMMON = {"time": "60ms", "every": "500us"}


def sets(cc, n, extra="100us", slow=1, classic=False, percentile=50, fs_range=0,
         receiver="ideal"):
    return {"cc": cc, "receiver": receiver, "n": str(n), "extra": extra, "slow": f"path[1-{slow}]",
            "rack": "0" if classic else "1",
            "max_reordering": "3" if classic else "300",
            "dsack": "0" if classic else "1",
            "percentile": str(percentile), "fs_range_us": str(fs_range), **COMMON}


def measure(result, flows, links):
    """Goodput in bit/s, mean window in packets, and mean wait in seconds at the
    sender's own link, where the only queue is; nothing waits while nothing moves."""
    flow, link = flows["f1"], links["a-s1:ab"]
    windows = flow.within(START, END, "cwnd")
    return {"goodput": flow.grown(START, END, "bytes_received") * 8e9 / (END - START),
            "window": sum(windows) / len(windows),
            "wait": (link.grown(START, END, "wait_ns_sum")
                     / max(link.grown(START, END, "tx_packets"), 1) / 1e9)}


def goodput(result):
    return result.measured["goodput"]


def mean_window(result):
    return result.measured["window"]


def sender_queue(result):
    return result.measured["wait"]


def spurious(result):
    flow = result["flows"]["f1"]
    return flow["spurious"] / flow["packets"]


def cases():
    """(algorithm, n of q = 1/n, classic stack?, percentile, FLAT_TARGET or ORDINARY)"""
    yield from ((cc, n, False, ORDINARY) for cc in STOCK for n in (0, *Q))
    yield from ((cc, n, classic, FLAT_TARGET) for n in (0, *RARE)
                for cc, classic in FLAT)
    yield from ((cc, 0, False, 50) for cc in STOCK)
    yield from ((cc, n, False, 50) for cc in STOCK for n in Q)
    yield from ((cc, n, True, 50) for cc in CLASSIC for n in Q)
    yield from ((cc, 0, True, 50) for cc in CLASSIC)
    yield ("mswift", "3/4", False, 50)
    yield from (("mswift", "1/2", False, p) for p in (10, 50))
    yield from (("mswift", n, False, p) for p in (10, 90) for n in (4, 64))


def case_sets(case):
    cc, n, classic, percentile = case
    if percentile == FLAT_TARGET:
        return sets(cc, n or 8, extra="100us" if n else "0", classic=classic,
                    fs_range=1)
    if percentile == ORDINARY:
        return sets(cc, n or 8, extra="100us" if n else "0", receiver="ordinary")
    if n == 0:
        return sets(cc, 8, extra="0", classic=classic, percentile=percentile)
    if n in ("1/2", "3/4"):
        return sets(cc, 4, slow={"1/2": 2, "3/4": 3}[n], percentile=percentile)
    return sets(cc, n, classic=classic, percentile=percentile)


def slope(points):
    """Least-squares slope of log throughput over log q: -1/2 is the paper's."""
    x = [log(q) for q, _ in points]
    y = [log(t) for _, t in points]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - mx) * (b - my) for a, b in zip(x, y))
            / sum((a - mx) ** 2 for a in x))


def show_table(tap, rate):
    tap.say("goodput in Gbit/s, mean of 5 seeds; share of q = 0 in brackets")
    tap.say(f"{'':22}" + "".join(f"{'q=1/' + str(n):>15}" for n in Q) + f"{'q=0':>9}")
    for cc, *how in ([(cc, False, ORDINARY) for cc in STOCK]
                     + [(cc, False, 50) for cc in STOCK]
                     + [(cc, True, 50) for cc in CLASSIC]):
        free = rate[cc, 0, *how]
        cells = "".join(f"{rate[cc, n, *how] / 1e9:8.2f} ({rate[cc, n, *how] / free:4.0%})"
                        for n in Q)
        name = cc + (" (classic stack)" if how[0] else
                     "" if how[1] == ORDINARY else " (ideal)")
        tap.say(f"{name:22}{cells}{free / 1e9:9.2f}")
    for name in ("tcp", "swift"):
        cells = "".join(f"{min(swift_model.table_one(name, q, MSS, BASE_RTT), LINE) / 1e9:8.2f}       "
                        for q in Q.values())
        tap.say(f"{'Table I, ' + name:22}{cells}")


def check_uncongested(tap, runs):
    for cc in ("lswift", "mswift"):
        rows = runs[cc, 0, False, 50]
        share, text = spread(goodput(r) / r["flows"]["f1"]["capacity"] for r in rows)
        tap.ok(share >= 0.97, f"{cc} q=0: at least 97 % of the line", text)
        wait, text = spread(1e6 * sender_queue(r) for r in rows)
        wanted = 1e6 * (swift_model.target(mean_window(rows[0]), BASE_RTT) - BASE_RTT)
        # in the RTT it takes to see the target passed the window grows by ai = 1
        # packet; half of that, on average, stands above the target
        wanted += 1e6 * 8 * PACKET / LINE / 2
        tap.ok(wait <= wanted, f"{cc} q=0: mean queueing delay at or below target",
               f"{text} us, target {wanted:.1f} us")


def check_mswift(tap, runs, rate):
    for how, name in ((ORDINARY, "ordinary"), (50, "ideal")):
        free = rate["mswift", 0, False, how]
        for n in Q:
            worst = min(goodput(r) for r in runs["mswift", n, False, how]) / free
            tap.ok(worst >= 0.95, f"mswift q=1/{n}, {name} receiver: at least 95 % of"
                   " its q=0 throughput", f"worst seed {worst:.3f}")
    rows = runs["mswift", "3/4", False, 50]
    window, text = spread(mean_window(r) for r in rows)
    model = swift_model.window_at(BASE_RTT + EXTRA, BASE_RTT)
    tap.ok(rate["mswift", "3/4", False, 50] <= 0.5 * free,
           "mswift q=3/4: follows the congested majority",
           f"{rate['mswift', '3/4', False, 50] / free:.3f} of q=0")
    tap.ok(abs(window - model) <= 0.25 * model,
           "mswift q=3/4: window where the slow paths are on target",
           f"{text} packets, arithmetic {model:.2f}")


def check_percentiles(tap, rate):
    free = rate["mswift", 0, False, 50]
    p10, p90 = rate["mswift", "1/2", False, 10], rate["mswift", 4, False, 90]
    tap.ok(p10 >= 0.95 * free, "percentile 10 does not back off easily: q=1/2",
           f"{p10 / free:.3f} of q=0, the median {rate['mswift', '1/2', False, 50] / free:.3f}")
    tap.ok(p90 <= 0.6 * free, "percentile 90 backs off early: q=1/4",
           f"{p90 / free:.3f} of q=0")
    p90 = rate["mswift", 64, False, 90]
    tap.ok(p90 >= 0.95 * free, "percentile 90 stands below a tenth: q=1/64",
           f"{p90 / free:.3f} of q=0")


def check_collapse(tap, rate):
    # CUBIC's own algorithm is another power of q; the theorems are about the others
    share = rate["cubic", 64, True, 50] / rate["cubic", 0, True, 50]
    tap.ok(share <= 0.35, "cubic on the classic stack q=1/64: at most 35% of its"
           " q=0 throughput", f"{share:.3f}")
    for cc, classic, knobs in ([(c, True, 50) for c in ("reno", "dctcp")]
                               + [(cc, classic, FLAT_TARGET) for cc, classic in FLAT]):
        free = rate[cc, 0, classic, knobs]
        points = [(Q[n], rate[cc, n, classic, knobs]) for n in RARE
                  if rate[cc, n, classic, knobs] < 0.9 * free]
        name = (cc + (" on the classic stack" if classic else "")
                + (", flat target," if knobs == FLAT_TARGET else ""))
        found = slope(points) if len(points) >= 3 else 0.0
        tap.ok(-0.65 <= found <= -0.35, f"{name} collapses like 1/sqrt(q)",
               f"exponent {found:.3f} over {len(points)} points: "
               + ", ".join(f"q=1/{1 / q:.0f} {r / 1e9:.2f}" for q, r in points) + " Gbit/s")
    for cc in ("swift", "lswift"):
        share = rate[cc, 4, False, ORDINARY] / rate[cc, 0, False, ORDINARY]
        tap.ok(share <= 0.35, f"{cc} q=1/4, ordinary receiver: at most 35% of its q=0"
               " throughput", f"{share:.3f}")
        for n, most in ((4, 0.35), (16, 0.5), (64, 0.75)):
            share = rate[cc, n, False, 50] / rate[cc, 0, False, 50]
            tap.ok(share <= most, f"{cc} q=1/{n}: at most {most:.0%} of its q=0 throughput",
                   f"{share:.3f}")


def check_table_one(tap, rate):
    """The classic stack against the paper's formulas, where their assumption
    holds that three packets come back before a late one: W = 1.22 / sqrt(q) of
    4 and more, q <= 1/16."""
    for cc, model, knobs in (("reno", "tcp", 50), ("dctcp", "tcp", 50),
                             ("swift", "swift", FLAT_TARGET)):
        for n in RARE:
            found = rate[cc, n, True, knobs]
            wanted = swift_model.table_one(model, Q[n], MSS, BASE_RTT)
            tap.ok(abs(found / wanted - 1) <= 0.25,
                   f"{cc} on the classic stack, q=1/{n}: within 25 % of Table I",
                   f"{found / 1e9:.2f} against {wanted / 1e9:.2f} Gbit/s")


def check_spurious(tap, runs):
    for cc in ("lswift", "mswift"):
        worst = max(spurious(r) for n in Q for r in runs[cc, n, False, 50])
        tap.ok(worst <= 0.001, f"{cc}: at most 0.1 % spurious retransmissions",
               f"worst of {len(Q) * len(SEEDS)} runs {worst:.4%}")


def main():
    tap = Tap()
    every = list(cases())
    jobs = [(scenario("collapse"), case_sets(case), seed)
            for case in every for seed in SEEDS]
    runs = by_case(every, SEEDS, run_all(jobs, tap, measure))
    if any(r is None for rows in runs.values() for r in rows):
        tap.finish()
    rate = {case: spread(map(goodput, rows))[0] for case, rows in runs.items()}
    show_table(tap, rate)
    check_uncongested(tap, runs)
    check_mswift(tap, runs, rate)
    check_collapse(tap, rate)
    check_table_one(tap, rate)
    check_spurious(tap, runs)
    check_percentiles(tap, rate)
    tap.finish()


if __name__ == "__main__":
    main()
