#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""The MSwift paper's baseline with links that fail (its figure 11), against what is left.

128 hosts, 4 elephants, each link between switches is down with 1 % and routed around. The
zero-queue bound knows nothing of that: where a switch of four hosts lost one of its four
ways up, all four need 4/3 of it, whatever they do. So completion is held against that: the
most that any switch's flows need for the links that are left to it, up or down.

mswift exceeds it by at most 0.6 of what lswift does, and 35 %, mean of five seeds. nscc is told.
"""

import statistics
from collections import Counter

from tap import ALL_SEEDS, Tap, by_case, lablib, run_all, scenario, spread

FAILING = {"failing": "1%", "selector": "reps"}
ALGS = ("mswift", "lswift", "nscc")
HOSTS = UPLINKS = 4                     # of each switch that has hosts: k=8
MSWIFT_MOST, MSWIFT_OF_LSWIFT = .35, .6


def edge_of(host):
    """The number of the switch of "h17", from 0 on."""
    return (int(host[1:]) - 1) // HOSTS


def uplinks(path, seed):
    """How many ways up each switch has left that lost one."""
    left = {}
    network = lablib.load(path, seed=seed, sets=FAILING).network
    for name, link in network.links.items():
        if link.failed and name.startswith("e"):
            pod, number = map(int, name.split("-")[0][1:].split("."))
            edge = (pod - 1) * UPLINKS + number - 1
            left[edge] = left.get(edge, UPLINKS) - 1
    return left


def slowest(result, _flows, _links):
    """The slowest flow's time by its own bound, and whose flows go from where to where."""
    done = [flow for flow in result["flows"].values() if flow["size"]]
    return (max(flow["fct"] / flow["bound"] for flow in done),
            [(edge_of(flow["src"]), edge_of(flow["dst"])) for flow in done])


def bound(ways, left):
    """Of the flows' own bounds, what the links that are left take; 1: nothing is missing."""
    away = [(source, sink) for source, sink in ways if source != sink]
    loads = [Counter(way[end] for way in away) for end in (0, 1)]
    return max([1, *(load[edge] / links for edge, links in left.items() for load in loads)])


def main():
    tap = Tap()
    path = scenario("fattree-baseline")
    jobs = [(path, {**FAILING, "cc": cc}, seed) for cc in ALGS for seed in ALL_SEEDS]
    results = run_all(jobs, tap, slowest)
    if None in results:
        tap.finish()
    left = {seed: uplinks(path, seed) for seed in ALL_SEEDS}
    above = {}
    for cc, rows in by_case(ALGS, ALL_SEEDS, results).items():
        found = [row.measured for row in rows]
        bounds = [bound(ways, left[seed]) for seed, (_, ways) in zip(ALL_SEEDS, found)]
        above[cc] = [most / least - 1 for (most, _), least in zip(found, bounds)]
        tap.say(f"{cc}: {spread(above[cc])[1]} above what is left ("
                + ", ".join(f"{value:.0%}" for value in above[cc]) + "), slowdowns "
                + ", ".join(f"{most:.2f} of {least:.2f}"
                            for (most, _), least in zip(found, bounds)))
    mswift, lswift = (statistics.fmean(above[cc]) for cc in ("mswift", "lswift"))
    tap.ok(mswift <= MSWIFT_MOST, f"mswift: at most {MSWIFT_MOST:.0%} above what the links that"
           " are left take", f"{mswift:.1%}")
    tap.ok(mswift <= MSWIFT_OF_LSWIFT * lswift,
           f"mswift: at most {MSWIFT_OF_LSWIFT} of lswift", f"{mswift:.1%} and {lswift:.1%}")
    tap.finish()


if __name__ == "__main__":
    main()
